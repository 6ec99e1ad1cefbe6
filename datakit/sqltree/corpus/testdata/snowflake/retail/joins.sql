SELECT o.order_id, c.email, s.store_name
FROM orders o
JOIN customers c ON c.customer_id = o.customer_id
LEFT JOIN stores s ON s.store_id = o.store_id
WHERE o.ordered_at >= '2026-06-01'::TIMESTAMP_NTZ;

SELECT * FROM orders JOIN order_items USING (order_id) JOIN products USING (product_id) WHERE order_id = ?;

select m.full_name as manager, e.full_name as report, e.salary - m.salary as gap
from employees e
  inner join employees m on e.manager_id = m.employee_id
where e.salary > m.salary;

SELECT category_name, product_name
FROM categories NATURAL JOIN products
WHERE slug = 'garden';

SELECT o.order_id, o.total_amount, o.currency, x.rate, o.total_amount * x.rate AS amount_eur
FROM orders o
ASOF JOIN exchange_rates x
  MATCH_CONDITION (o.ordered_at >= x.quoted_at)
  ON o.currency = x.currency;

SELECT i.order_id, i.line_no, i.unit_price, h.price AS price_then
FROM order_items i
JOIN orders o ON o.order_id = i.order_id
ASOF JOIN price_history h MATCH_CONDITION (o.ordered_at >= h.valid_from) USING (product_id)
WHERE i.unit_price <> h.price;

SELECT c.customer_id, c.email
FROM customers c
WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND o.ordered_at > DATEADD(day, -365, CURRENT_TIMESTAMP()));

SELECT sku FROM products WHERE product_id NOT IN (SELECT product_id FROM order_items WHERE product_id IS NOT NULL);

SELECT COALESCE(i.store_id, d.store_id) AS store_id, COALESCE(i.product_id, d.product_id) AS product_id, i.on_hand, d.units
FROM inventory i
FULL OUTER JOIN daily_sales d
  ON d.store_id = i.store_id AND d.product_id = i.product_id AND d.sales_date = CURRENT_DATE()
WHERE i.product_id IS NULL OR d.product_id IS NULL;

SELECT s.store_id, cal.day
FROM stores s
CROSS JOIN (SELECT DATEADD(day, SEQ4(), '2026-01-01'::DATE) AS day FROM TABLE(GENERATOR(ROWCOUNT => 365))) cal
WHERE cal.day >= s.opened_on;

SELECT s.store_name, top_sale.order_id, top_sale.total_amount
FROM stores s,
LATERAL (
    SELECT MAX(o.total_amount) AS total_amount, MAX_BY(o.order_id, o.total_amount) AS order_id
    FROM orders o
    WHERE o.store_id = s.store_id
) AS top_sale;

SELECT sup.supplier_name, x.n
FROM suppliers sup
INNER JOIN LATERAL (SELECT COUNT(*) AS n FROM products p WHERE p.supplier_id = sup.supplier_id AND p.discontinued_at IS NULL) x
WHERE x.n > 5;

SELECT a.order_id, b.order_id AS next_order
FROM orders a
JOIN orders b
  ON b.customer_id = a.customer_id
 AND b.order_id > a.order_id
 AND DATEDIFF(minute, a.ordered_at, b.ordered_at) < 5;

SELECT "LoyaltyAccounts"."Tier", COUNT(*) AS members, AVG("LoyaltyAccounts"."pointsBalance") AS avg_points
FROM "LoyaltyAccounts"
JOIN customers ON customers.customer_id = "LoyaltyAccounts"."customerId"
WHERE customers.is_active
GROUP BY "LoyaltyAccounts"."Tier";

SELECT la."accountId", c.FIRST_NAME || ' ' || c."LAST_NAME" AS "Full Name"
FROM public."LoyaltyAccounts" AS la
RIGHT JOIN PUBLIC.CUSTOMERS AS c ON la."customerId" = c.customer_id
ORDER BY "Full Name";

SELECT o.order_id
     , p.amount
     , r.refund_amount
FROM orders o
LEFT JOIN (payments p LEFT JOIN returns r ON r.order_id = p.order_id) ON p.order_id = o.order_id
WHERE p.status = 'captured';

SELECT c1.category_name AS top, c2.category_name AS middle, c3.category_name AS leaf
FROM categories c1
LEFT JOIN categories c2 ON c2.parent_category_id = c1.category_id
LEFT JOIN categories c3 ON c3.parent_category_id = c2.category_id
WHERE c1.parent_category_id IS NULL
ORDER BY 1, 2 NULLS FIRST, 3;

SELECT orders.order_id, orders.status AS order_status, payments.status AS payment_status
FROM retail_db.public.orders
JOIN retail_db.public.payments ON payments.order_id = orders.order_id
WHERE orders.status = 'paid' AND payments.status != 'captured';

SELECT cs.session_id, MIN(cs.event_ts) AS first_seen, c.email
FROM raw.clickstream cs LEFT JOIN customers c USING (customer_id)
GROUP BY cs.session_id, c.email;

SELECT inv.store_id, p.sku, inv.on_hand - inv.reserved AS free_stock
FROM inventory AS inv
JOIN products AS p ON p.product_id = inv.product_id
WHERE (inv.store_id, inv.product_id) IN (SELECT store_id, product_id FROM daily_sales WHERE sales_date = CURRENT_DATE - 1)
  AND free_stock < inv.reorder_point;

SELECT v.store_name, SUM(t.net_amount) AS net, COUNT(DISTINCT t.customer_id) AS buyers
FROM v_open_stores v JOIN v_order_totals t ON v.store_id = t.store_id
WHERE t.order_day = (SELECT MAX(order_day) FROM v_order_totals)
GROUP BY v.store_name;

SELECT p.product_name,
       (SELECT AVG(oi.unit_price) FROM order_items oi WHERE oi.product_id = p.product_id) AS avg_sold_at,
       (SELECT SUM(on_hand) FROM inventory WHERE inventory.product_id = p.product_id) AS stock
FROM products p
WHERE p.list_price > (SELECT AVG(q.list_price) FROM products q WHERE q.category_id = p.category_id);

SELECT e.employee_id FROM employees e WHERE e.salary >= ALL (SELECT salary FROM employees WHERE store_id = 7);

SELECT s.store_code, r.region_name, rr.region_name AS parent_region
FROM stores s
JOIN regions r ON s.region_id = r.region_id
LEFT JOIN regions rr ON r.parent_region_id = rr.region_id
WHERE s.square_meters IS NOT NULL
QUALIFY RANK() OVER (PARTITION BY s.region_id ORDER BY s.square_meters DESC) = 1;

