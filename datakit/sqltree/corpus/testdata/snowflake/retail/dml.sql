INSERT INTO customers (email, first_name, last_name, country_code) VALUES ('a@example.com', 'Ada', 'Berg', 'DE'), ('b@example.com', 'Bo', 'Lind', DEFAULT);

INSERT INTO products (product_id, sku, attributes)
SELECT 900001, 'NEW-1', PARSE_JSON('{"color": "red", "sizes": [1, 2]}');

INSERT OVERWRITE INTO daily_sales (sales_date, store_id, product_id, units, revenue)
SELECT o.ordered_at::DATE, o.store_id, i.product_id, SUM(i.quantity), SUM(i.quantity * i.unit_price)
FROM orders o
JOIN order_items i ON i.order_id = o.order_id
WHERE o.status NOT IN ('cancelled')
GROUP BY 1, 2, 3;

INSERT ALL
  WHEN total_amount >= 1000 THEN
    INTO daily_sales (sales_date, store_id, revenue) VALUES (day, store_id, total_amount)
  WHEN promo_code IS NOT NULL THEN
    INTO promotions (promo_code, starts_on) VALUES (promo_code, day)
  ELSE
    INTO returns (order_id, returned_at) VALUES (order_id, NULL)
SELECT order_id, store_id, total_amount, promo_code, ordered_at::DATE AS day FROM orders WHERE ordered_at >= CURRENT_DATE();

INSERT FIRST
  WHEN kind = 'billing' THEN INTO addresses (customer_id, kind, city) VALUES (cid, kind, city)
  WHEN kind = 'shipping' THEN INTO addresses (customer_id, kind, city, is_default) VALUES (cid, kind, city, preferred)
SELECT customer_id AS cid, preferences:address.kind::STRING AS kind, preferences:address.city::STRING AS city, is_active AS preferred FROM customers;

INSERT ALL
  INTO price_history (product_id, valid_from, price) VALUES (product_id, changed_at, list_price)
  INTO inventory (store_id, product_id, on_hand) VALUES (store_no, product_id, nothing)
SELECT product_id, list_price, CURRENT_TIMESTAMP()::TIMESTAMP_NTZ AS changed_at, 1 AS store_no, 0 AS nothing FROM products WHERE created_at > DATEADD(hour, -1, CURRENT_TIMESTAMP());

UPDATE orders SET status = 'shipped', shipped_at = CURRENT_TIMESTAMP() WHERE order_id = ? AND status = 'paid';

UPDATE products p
SET p.list_price = ROUND(p.list_price * 1.03, 2),
    attributes = OBJECT_INSERT(p.attributes::OBJECT, 'repriced', CURRENT_DATE()::STRING, TRUE)
FROM categories c
WHERE c.category_id = p.category_id
  AND c.slug IN ('garden', 'outdoor');

update inventory
   set reserved = reserved + x.qty
  from (select o.store_id, i.product_id, sum(i.quantity) as qty
          from orders o join order_items i using (order_id)
         where o.status = 'new'
         group by 1, 2) x
 where inventory.store_id = x.store_id
   and inventory.product_id = x.product_id;

UPDATE customers SET segment = CASE WHEN customer_id IN (SELECT "customerId" FROM "LoyaltyAccounts" WHERE "Tier" = 'Gold') THEN 'gold' ELSE segment END;

UPDATE "LoyaltyAccounts" SET "pointsBalance" = "pointsBalance" + 100 WHERE "accountId" = 17;

DELETE FROM payments WHERE status = 'failed' AND paid_at < DATEADD(year, -2, CURRENT_DATE());

DELETE FROM order_items USING orders WHERE order_items.order_id = orders.order_id AND orders.status = 'test';

DELETE FROM inventory i
USING (SELECT product_id FROM products WHERE discontinued_at < '2025-01-01') dead, stores s
WHERE i.product_id = dead.product_id AND i.store_id = s.store_id AND s.closed_on IS NOT NULL;

DELETE FROM raw.clickstream WHERE session_id IN (SELECT session_id FROM raw.clickstream GROUP BY session_id HAVING COUNT(*) > 5000);

MERGE INTO inventory AS t
USING (
    SELECT store_id, product_id, SUM(units) AS sold
    FROM daily_sales
    WHERE sales_date = CURRENT_DATE() - 1
    GROUP BY store_id, product_id
) AS s
ON t.store_id = s.store_id AND t.product_id = s.product_id
WHEN MATCHED AND t.on_hand - s.sold < 0 THEN UPDATE SET t.on_hand = 0, t.counted_at = NULL
WHEN MATCHED THEN UPDATE SET on_hand = t.on_hand - s.sold
WHEN NOT MATCHED THEN INSERT (store_id, product_id, on_hand, reserved) VALUES (s.store_id, s.product_id, 0, 0);

MERGE INTO customer_dim d
USING customers c
   ON d.customer_id = c.customer_id AND d.is_current
WHEN MATCHED AND d.row_hash <> SHA2(c.email || c.segment || c.country_code) THEN
  UPDATE SET d.is_current = FALSE, d.effective_to = CURRENT_TIMESTAMP()
WHEN NOT MATCHED THEN
  INSERT (customer_id, email, segment, country_code, row_hash, effective_from, is_current)
  VALUES (c.customer_id, c.email, c.segment, c.country_code, SHA2(c.email || c.segment || c.country_code), CURRENT_TIMESTAMP(), TRUE);

merge into promotions using (select * from values ('X1', 'one'), ('X2', 'two') as v (code, txt)) src on promotions.promo_code = src.code
when matched and promotions.ends_on < current_date() then delete
when matched then update set description = src.txt
when not matched then insert (promo_code, description) values (src.code, src.txt);

MERGE INTO daily_sales USING orders_stream st ON daily_sales.sales_date = st.ordered_at::DATE AND daily_sales.store_id = st.store_id
WHEN MATCHED AND st.METADATA$ACTION = 'DELETE' THEN DELETE
WHEN NOT MATCHED AND st.METADATA$ACTION = 'INSERT' THEN INSERT (sales_date, store_id, revenue) VALUES (st.ordered_at::DATE, st.store_id, st.total_amount);

INSERT INTO addresses (customer_id, line1, city)
WITH latest AS (
    SELECT customer_id, payload:address AS adr
    FROM raw.clickstream
    WHERE event_type = 'address_change'
    QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY event_ts DESC) = 1
)
SELECT customer_id, adr:line1::STRING, adr:city::STRING FROM latest;

TRUNCATE TABLE IF EXISTS daily_sales;

INSERT INTO sales_targets VALUES (1, 2027, 10000, 12000, 9000, 20000);

INSERT INTO regions SELECT MAX(region_id) + 1, :1, NULL FROM regions;

