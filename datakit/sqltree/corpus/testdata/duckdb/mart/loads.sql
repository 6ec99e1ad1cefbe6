INSERT INTO mart.dim_product (product_key, sku, product_name, category, subcategory, brand, list_price, cost)
SELECT
    (SELECT coalesce(max(product_key), 0) FROM mart.dim_product) + row_number() OVER (ORDER BY p.sku),
    p.sku, p.product_name, p.category_path[1], p.category_path[2], p.attributes['brand'], p.list_price, p.cost
FROM staging.stg_products p
WHERE NOT EXISTS (SELECT 1 FROM mart.dim_product d WHERE d.sku = p.sku);

INSERT INTO mart.dim_customer BY NAME
SELECT customer_id AS customer_key, customer_id, first_name || ' ' || last_name AS full_name, email, country, coalesce(updated_at, created_at) AS valid_from
FROM staging.stg_customers;

INSERT OR REPLACE INTO exchange_rates (currency, rate_date, rate_to_eur) VALUES ('USD', DATE '2024-05-02', 0.9312), ('GBP', DATE '2024-05-02', 1.1691);

INSERT OR IGNORE INTO country_codes VALUES ('DE', 'DEU', 'Germany', 'Europe', 'EUR');

INSERT INTO exchange_rates
SELECT 'EUR',
    full_date,
    1,
    'fixed'
FROM mart.dim_date
ON CONFLICT (currency, rate_date) DO NOTHING;

INSERT INTO mart.bridge_customer_segment AS b
SELECT customer_key, 'vip', least(1.0, sum(net_amount)::DOUBLE / 10_000), current_date
FROM mart.fct_orders
GROUP BY customer_key
HAVING sum(net_amount) > 5_000
ON CONFLICT DO UPDATE SET weight = excluded.weight, assigned_on = least(b.assigned_on, excluded.assigned_on)
RETURNING customer_key, weight;

INSERT INTO run_log (model, status, vars) VALUES ($model, 'running', $vars) RETURNING run_id;

insert into mart.fct_order_lines (order_key, line_no, product_key, qty, unit_price, discount)
(
    select f.order_key, l.line_no, p.product_key, l.line.qty, l.line.unit_price, l.line.discount
    from staging.stg_order_lines as l
    inner join mart.fct_orders as f on f.order_id = l.order_id
    inner join mart.dim_product as p on p.sku = l.line.sku
    where l.line.qty is not null
);

INSERT INTO mart.fct_payments
FROM staging.stg_payments p JOIN mart.fct_orders o ON o.order_id = p.order_id
SELECT p.payment_id, o.order_key, strftime(p.paid_at, '%Y%m%d')::INT, p.method, p.amount_cents / 100
WHERE p.payment_id NOT IN (SELECT payment_id FROM mart.fct_payments);

WITH snapshot AS (
    SELECT strftime(current_date, '%Y%m%d')::INT AS k, s.store_key, p.product_key FROM mart.dim_store s, mart.dim_product p
)
INSERT INTO mart.fct_inventory (date_key, store_key, product_key, on_hand)
SELECT k, store_key, product_key, 0 FROM snapshot
ON CONFLICT (date_key, store_key, product_key) DO NOTHING;

INSERT INTO "Budget Plan" ("Cost Center", "Fiscal Year", "Q1")
VALUES ('B01', 2026, 12_500.00), ('B02', 2026, DEFAULT);

INSERT INTO "Budget Plan" BY NAME
SELECT * REPLACE ("Fiscal Year" + 1 AS "Fiscal Year")
FROM "Budget Plan"
WHERE "Fiscal Year" = 2025;

INSERT INTO staging.stg_orders
VALUES (1, 2, 'B01', '2024-05-01 10:00', 'placed', 'EUR', NULL, [{'sku': 'A', 'qty': 1, 'unit_price': 9.5, 'discount': 0}], now(), 'x.json');

UPDATE mart.dim_customer AS d
SET valid_to = s.updated_at, is_current = false
FROM staging.stg_customers AS s
WHERE s.customer_id = d.customer_id AND d.is_current AND (d.email <> s.email OR d.country <> s.country);

UPDATE mart.fct_orders
SET status = 'completed'
WHERE status = 'shipped' AND shipped_at < now()::TIMESTAMP - INTERVAL 14 DAYS
RETURNING order_key,
    net_amount;

UPDATE mart.fct_orders
SET discount_amount = sub.discount
FROM (SELECT order_key, sum(discount) AS discount FROM mart.fct_order_lines GROUP BY order_key) sub
WHERE sub.order_key = fct_orders.order_key;

UPDATE mart.dim_date
SET is_holiday = true
WHERE (month, extract(day FROM full_date)) IN ((1, 1), (12, 25), (12, 26));

UPDATE mart.dim_product
SET (category, subcategory) = ('Misc', 'Other')
WHERE category IS NULL;

UPDATE mart.dim_product p
SET brand = m.top_brand
FROM (SELECT category, mode(brand) AS top_brand FROM mart.dim_product GROUP BY category) m
WHERE p.brand IS NULL AND m.category = p.category;

UPDATE mart.dim_store
SET hours = {'open': TIME '08:00', 'close': hours.close}
WHERE hours.open < TIME '08:00';

UPDATE run_log
SET status = 'ok',
    finished_at = current_timestamp,
    rows_affected = ?
WHERE run_id = ? AND model = ?;

UPDATE mart.fct_web_sessions w SET order_key = o.order_key, converted = true
FROM mart.fct_orders o
WHERE o.customer_key = w.customer_key AND o.ordered_at BETWEEN w.started_at AND w.started_at + INTERVAL 1 HOUR AND NOT coalesce(w.converted, false);

WITH stale AS (SELECT sku FROM mart.dim_product ANTI JOIN staging.stg_products USING (sku))
UPDATE mart.dim_product SET discontinued_on = current_date WHERE sku IN (FROM stale) AND discontinued_on IS NULL;

UPDATE "Budget Plan" SET "Q4" = "Q1" + "Q2" + "Q3" WHERE "Q4" IS NULL;

DELETE FROM mart.fct_orders WHERE order_id IN (SELECT order_id FROM staging.stg_orders);

delete from mart.fct_orders using staging.stg_orders tmp where tmp.order_id = mart.fct_orders.order_id and tmp._file is null;

DELETE FROM mart.fct_order_lines AS l USING mart.fct_orders o, mart.dim_date d WHERE l.order_key = o.order_key AND o.date_key = d.date_key AND d.year < 2018;

DELETE FROM staging.raw_events WHERE received_at < now() - INTERVAL '90 days' RETURNING id;

DELETE FROM exchange_rates e
WHERE e.rate_date < (SELECT max(rate_date) - 3650 FROM exchange_rates x WHERE x.currency = e.currency);

TRUNCATE mart.fct_inventory;

MERGE INTO mart.dim_product AS target
USING (
    SELECT sku, product_name, category_path[1] AS category, list_price, cost FROM staging.stg_products
) AS source
ON target.sku = source.sku
WHEN MATCHED AND (target.list_price, target.cost) IS DISTINCT FROM (source.list_price, source.cost)
    THEN UPDATE SET list_price = source.list_price, cost = source.cost, product_name = source.product_name
WHEN NOT MATCHED THEN INSERT (product_key, sku, product_name, category, list_price, cost)
    VALUES (hash(source.sku)::INTEGER, source.sku, source.product_name, source.category, source.list_price, source.cost)
WHEN NOT MATCHED BY SOURCE THEN UPDATE SET discontinued_on = current_date;

MERGE INTO mart.dim_customer d
USING staging.stg_customers s
ON s.customer_id = d.customer_id AND d.is_current
WHEN MATCHED AND d.email IS DISTINCT FROM s.email THEN UPDATE SET valid_to = s.updated_at, is_current = false
WHEN NOT MATCHED THEN INSERT (customer_key, customer_id, email, valid_from) VALUES (s.customer_id, s.customer_id, s.email, s.created_at);

MERGE INTO country_codes USING (FROM VALUES ('FR', 'FRA', 'France', 'Europe', 'EUR') v(iso2, iso3, country_name, region, currency)) AS new USING (iso2)
WHEN MATCHED THEN UPDATE SET country_name = new.country_name
WHEN NOT MATCHED THEN INSERT
RETURNING merge_action, iso2;

MERGE INTO exchange_rates e USING (SELECT 'USD' AS currency, current_date AS rate_date, 0.9 AS rate_to_eur, 'manual' AS source) AS fresh USING (currency, rate_date)
WHEN MATCHED THEN UPDATE BY NAME
WHEN NOT MATCHED THEN INSERT *;

MERGE INTO mart.bridge_customer_segment USING (SELECT customer_key, 'all' AS segment, 1.0 AS weight, today() AS assigned_on FROM mart.current_customers) s USING (customer_key, segment)
WHEN NOT MATCHED THEN INSERT;

MERGE INTO exchange_rates AS r USING latest_rates AS l ON r.currency = l.currency AND r.rate_date = l.rate_date + 1
WHEN MATCHED THEN DO NOTHING
WHEN NOT MATCHED THEN INSERT (currency, rate_date, rate_to_eur, source) VALUES (l.currency, l.rate_date + 1, l.rate_to_eur, 'carried');

MERGE INTO mart.fct_inventory i USING mart.fct_order_lines l JOIN mart.fct_orders o USING (order_key) ON i.product_key = l.product_key AND i.store_key = o.store_key AND i.date_key = o.date_key
WHEN MATCHED AND l.returned THEN UPDATE SET on_hand = i.on_hand + l.qty
WHEN MATCHED THEN UPDATE SET on_hand = on_hand - l.qty;

COPY mart.dim_product TO 'export/dim_product.parquet' (FORMAT parquet);

COPY (SELECT s.*, d.fiscal_period FROM mart.sales s JOIN mart.dim_date d ON d.full_date = s.sale_date) TO 'export/sales' (FORMAT parquet, PARTITION_BY (fiscal_period), FILENAME_PATTERN 'part_{i}');

COPY (WITH x AS (SELECT * FROM mart.monthly_sales) SELECT x.month, sum(x.revenue) AS revenue FROM x GROUP BY ALL) TO 'monthly.csv' WITH (HEADER true, DELIMITER '	');

COPY staging.raw_events (id, body) FROM 'events.csv' (AUTO_DETECT true);

INSERT INTO staging.stg_products BY NAME
SELECT *
FROM read_csv('products.csv', types = {'list_price': 'DECIMAL(12,2)'});

SELECT f.filename, count(*) FROM read_parquet('export/sales/**/*.parquet', filename = true) f GROUP BY f.filename;
