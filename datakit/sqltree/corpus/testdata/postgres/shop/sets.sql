SELECT id, 'order' AS kind
FROM orders
UNION ALL
SELECT id, 'ticket'
FROM crm.tickets
ORDER BY kind, id;

SELECT customer_id FROM orders WHERE placed_at >= '2024-01-01'
INTERSECT
SELECT customer_id FROM orders WHERE placed_at < '2023-01-01'
EXCEPT
SELECT id FROM customers WHERE deleted_at IS NOT NULL;

(SELECT sku FROM products ORDER BY created_at DESC LIMIT 5)
UNION
(SELECT sku FROM variants ORDER BY id DESC LIMIT 5)
ORDER BY sku DESC
LIMIT 8;

SELECT email FROM suppliers EXCEPT ALL SELECT email FROM customers;

((SELECT country FROM customers) UNION (SELECT country FROM warehouses)) EXCEPT (SELECT country FROM suppliers WHERE NOT is_active) ORDER BY 1;

SELECT u.source, count(*)
FROM (
    SELECT 'web' AS source, customer_id FROM analytics.page_events
    UNION ALL
    SELECT 'shop', customer_id FROM orders
    UNION ALL
    SELECT 'crm', customer_id FROM crm.contacts
) u
WHERE u.customer_id IS NOT NULL
GROUP BY u.source;

VALUES (1, 'new'), (2, 'used'), (3, 'refurbished') ORDER BY column1 DESC LIMIT 2;

SELECT v.column1, v.column2 || p.sku
FROM (VALUES (1, 'a'), (2, 'b')) v, products p
WHERE p.id = v.column1;

TABLE warehouses;

table analytics.calendar order by day desc limit 3;

VALUES ('total', (SELECT sum(total) FROM orders)), ('paid', (SELECT sum(amount) FROM payments WHERE captured_at IS NOT NULL));

SELECT w.code, w.name FROM warehouses w WHERE EXISTS (SELECT w.code INTERSECT SELECT s.warehouse_code FROM stock_levels s);

SELECT total AS amount, placed_at AS at FROM orders
UNION ALL
SELECT -amount, refunded_at FROM payments WHERE refunded_at IS NOT NULL
ORDER BY at DESC, amount
OFFSET 20 LIMIT 20;

select product_id, units
from analytics.daily_sales
where day = current_date
union
select v.product_id, sum(l.quantity)
from order_lines l
  join variants v on v.id = l.variant_id
group by v.product_id;

SELECT id
FROM products
WHERE tags && ARRAY['eco']
INTERSECT ALL (SELECT product_id FROM reviews WHERE rating = 5 EXCEPT SELECT product_id FROM reviews WHERE rating < 3);

SELECT a.id, a.city
FROM addresses a
WHERE a.city IN (SELECT city FROM addresses GROUP BY city HAVING count(*) > 100 UNION SELECT name FROM warehouses);

WITH every_country AS (SELECT country FROM customers UNION SELECT country FROM suppliers UNION SELECT country FROM addresses)
SELECT e.country, (SELECT count(*) FROM customers c WHERE c.country = e.country) AS customers FROM every_country e;

SELECT NULL::bigint AS id, 'all' AS name, count(*) AS n FROM products
UNION ALL
SELECT c.id, c.name, count(p.id) FROM categories c LEFT JOIN products p ON p.category_id = c.id GROUP BY c.id
ORDER BY n DESC, id NULLS FIRST;

SELECT first_name COLLATE "C" AS name
FROM customers
UNION
SELECT company
FROM suppliers
UNION
SELECT full_name
FROM crm.contacts
ORDER BY name ASC NULLS LAST;

(TABLE orders EXCEPT TABLE orders) LIMIT 1;

(((SELECT status::text FROM orders))) UNION (VALUES ('unknown')) FETCH FIRST 5 ROWS ONLY;

SELECT *
FROM (SELECT sku, name FROM products EXCEPT SELECT sku, name FROM active_products) hidden (code, title)
ORDER BY hidden.title;

SELECT day FROM analytics.calendar WHERE year = 2024
EXCEPT
SELECT DISTINCT day FROM analytics.daily_sales WHERE country = 'DE'
ORDER BY day;

SELECT 'missing in levels' AS problem, warehouse_code, variant_id FROM (SELECT warehouse_code, variant_id FROM stock_movements EXCEPT SELECT warehouse_code, variant_id FROM stock_levels) a
UNION ALL
SELECT 'never moved', b.* FROM (SELECT warehouse_code, variant_id FROM stock_levels EXCEPT SELECT warehouse_code, variant_id FROM stock_movements) b;

SELECT count(*)
FROM (SELECT id FROM orders WHERE status = 'paid' UNION SELECT order_id FROM shipments) AS either;

SELECT o.id, o.customer_id
FROM orders o
WHERE o.id IN ((SELECT order_id FROM payments WHERE method = 'invoice') EXCEPT (SELECT order_id FROM shipments));

SELECT lower(valid) AS d
FROM price_history
UNION
SELECT upper(valid)
FROM price_history
ORDER BY d;

SELECT event.at, event.what, event.who
FROM (
    SELECT placed_at AS at, 'order ' || id AS what, customer_id AS who FROM orders
    UNION ALL SELECT created_at, 'review', customer_id FROM reviews
    UNION ALL SELECT t.opened_at, t.subject, c.customer_id FROM crm.tickets t JOIN crm.contacts c ON c.id = t.contact_id
) AS event
WHERE event.who = $1
ORDER BY event.at DESC;
