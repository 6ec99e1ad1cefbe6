-- alias equal to a column
SELECT total.total, total.id FROM orders AS total WHERE total.total > 10;

SELECT name FROM categories name WHERE name.name <> name.slug;

-- the alias of a table is another table's name
SELECT customers.id, customers.total, orders.email FROM orders AS customers JOIN customers AS orders ON orders.id = customers.customer_id;

SELECT id AS total, total AS id FROM orders ORDER BY total, id;

SELECT -total AS total FROM orders ORDER BY total;

SELECT country AS c, count(*) FROM customers c GROUP BY c, c.country, c.id;

SELECT o.status AS kind, count(*) AS id FROM orders o GROUP BY kind ORDER BY id DESC, kind;

SELECT lower(city) AS city, count(*) FROM addresses GROUP BY city ORDER BY city;

SELECT sum(total) AS total
FROM orders
GROUP BY customer_id
HAVING sum(total) > 5
ORDER BY total;

SELECT date_trunc('day', placed_at) AS placed_at, count(*)
FROM orders
GROUP BY orders.placed_at
ORDER BY placed_at;

SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM shipments o WHERE o.order_id = id);

SELECT o.id, (SELECT sum(o.amount) FROM order_lines o WHERE o.order_id = p.order_id) FROM orders o JOIN payments p ON p.order_id = o.id;

SELECT x.* FROM (SELECT id AS x, sku FROM products) x WHERE x.x > 5;

SELECT p.x + q.x AS x FROM (SELECT 1 AS x) p, (SELECT 2 AS x) q ORDER BY x;

SELECT public.orders.id
FROM public.orders, crm.tickets
WHERE orders.id = tickets.order_id
  AND tickets.contact_id > 0;

WITH id AS (SELECT id FROM orders) SELECT id.id, id FROM id;

SELECT "Id", "Code" AS "id" FROM "CouponCodes" ORDER BY "Id", "id";

SELECT ID, Email FROM CUSTOMERS WHERE Customers.DELETED_AT IS NULL;

SELECT c.id, c.ID AS "ID", "c"."id" AS "iD" FROM customers C ORDER BY "iD", "ID";

SELECT "order" FROM "CouponCodes" AS "table" WHERE "table"."order" > 0;

SELECT key, value
FROM (VALUES ('a', 1)) AS t (key, value), LATERAL (SELECT value + 1 AS next) AS n
WHERE next > value;

SELECT first, rows.last FROM (SELECT min(id), max(id) FROM orders) AS rows (first, last);

SELECT total * 2 AS double, o.* FROM orders o ORDER BY double DESC, o.id;

SELECT DISTINCT o.status AS state FROM orders o ORDER BY state;

SELECT city AS postal_code, postal_code AS city FROM addresses ORDER BY city, line1;

SELECT upper(name) AS name FROM products ORDER BY lower(name);

SELECT count(*) AS n, category_id
FROM products
GROUP BY category_id
ORDER BY count(*), n, max(list_price);

SELECT id, id FROM orders ORDER BY orders.id;

SELECT customers.* FROM crm.contacts AS customers;

SELECT tickets.id, t.id
FROM crm.tickets, crm.tickets t
WHERE tickets.id < t.id
  AND tickets.contact_id = t.contact_id;

SELECT contacts.position, (contacts.position).lon FROM crm.contacts ORDER BY contacts.full_name;

SELECT a.id FROM orders a, LATERAL (SELECT a.id FROM order_lines a2 WHERE a2.order_id = a.id) b;

SELECT o.o FROM (SELECT o FROM orders o) o;

SELECT (o.o).id, (o).total FROM (SELECT o FROM orders o) o;

SELECT t.name, t.text FROM (SELECT p.name, p.sku AS text FROM products p) t;

SELECT p.name AS value, p.id AS type, p.sku AS user_name, p.list_price price, p.tags labels FROM products p ORDER BY value, type;

SELECT year, month, day
FROM analytics.calendar
WHERE year = 2024
  AND month = 2
  AND extract(day FROM day) = 29;

SELECT position, position('a' IN name) FROM categories WHERE categories.position > 0;

SELECT o.email IS NULL AS email, count(o) FROM customers o GROUP BY o.email IS NULL;

SELECT c.concat FROM customers c;

UPDATE orders
SET total = orders.total + lines.amount
FROM order_lines lines, order_lines total
WHERE lines.order_id = orders.id
  AND total.order_id = orders.id;

DELETE FROM orders customers USING customers orders
WHERE orders.id = customers.customer_id
  AND orders.deleted_at IS NOT NULL;

INSERT INTO orders AS customers (customer_id, total)
SELECT customers.id, 0
FROM customers
ON CONFLICT (id) DO UPDATE
SET total = customers.total, notes = excluded.notes;

SELECT i.day, i.product_id FROM analytics.daily_sales i (day, product_id, land) WHERE i.land = 'DE' AND channel = 'web';

SELECT l.order_id
FROM order_lines l
  JOIN (SELECT order_id l, count(*) n FROM payments GROUP BY order_id) p ON p.l = l.order_id;
