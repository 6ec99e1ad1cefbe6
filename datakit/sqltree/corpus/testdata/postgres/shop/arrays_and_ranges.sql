SELECT sku, tags[1] AS main_tag, cardinality(tags) AS n, tags[2:] AS rest
FROM products
WHERE array_length(tags, 1) > 1;

SELECT id
FROM products
WHERE tags @> ARRAY['oak', 'table']
  AND NOT tags <@ '{oak,table,chair}'::text[];

SELECT t AS tag, count(*) AS products
FROM products, unnest(tags) t
GROUP BY t
HAVING count(*) > 3
ORDER BY products DESC;

SELECT v.sku, d.axis, d.mm
FROM variants v
LEFT JOIN LATERAL unnest(ARRAY['w', 'h', 'd'], v.dimensions) AS d (axis, mm) ON d.mm IS NOT NULL;

SELECT s.company, cert, s.certificates || 'audited'::text AS extended
FROM suppliers AS s CROSS JOIN unnest(s.certificates) AS cert
WHERE cert = ANY (s.certificates[1:3]);

SELECT array_agg(DISTINCT tag ORDER BY tag) AS all_tags
FROM (SELECT unnest(tags) AS tag, id FROM products WHERE NOT discontinued) AS exploded;

UPDATE products
SET tags = array_remove(array_replace(tags, 'wood', 'timber'), NULL)
WHERE 'wood' = ANY (tags);

SELECT p.id, array_position(p.tags, 'new'), array_to_string(p.tags, '|', '-'), (SELECT array_agg(x ORDER BY x) FROM unnest(p.tags) x) AS sorted
FROM products p;

SELECT i, (certificates)[i] FROM suppliers, generate_subscripts(certificates, 1) AS i;

SELECT variant_id, price
FROM price_history
WHERE valid @> DATE '2024-06-01'
  AND currency = 'EUR';

SELECT a.variant_id, a.valid * b.valid AS overlap
FROM price_history a
JOIN price_history b ON a.variant_id = b.variant_id AND a.valid && b.valid AND a.price <> b.price
WHERE NOT isempty(a.valid) AND a.currency < b.currency;

SELECT variant_id, range_agg(valid) AS covered, multirange(daterange('2024-01-01', '2025-01-01')) - range_agg(valid) AS gaps
FROM price_history
GROUP BY variant_id;

SELECT ph.variant_id, span.r, lower(span.r)
FROM (SELECT variant_id, range_agg(valid) AS m FROM price_history GROUP BY variant_id) ph
CROSS JOIN LATERAL unnest(ph.m) AS span (r);

INSERT INTO price_history (variant_id, valid, price)
VALUES ($1, daterange(CURRENT_DATE, NULL), $2), ($3, '[2024-01-01,2024-02-01)', 9.95);

SELECT h.price, upper(h.valid) - lower(h.valid) AS days, h.valid -|- daterange('2024-02-01', '2024-03-01') AS adjacent
FROM price_history h
WHERE lower_inc(h.valid)
ORDER BY h.valid DESC;

SELECT w.code, w.location[0] AS x, w.location[1] AS y, w.location <@ box '((0,0),(20,60))' AS in_box, circle(w.location, 2) AS around
FROM warehouses w;

SELECT w1.code, w2.code, w1.location <-> w2.location AS distance
FROM warehouses w1, warehouses w2
WHERE w1.code < w2.code
ORDER BY w1.location <-> w2.location;

SELECT (ARRAY[[1, 2], [3, 4]])[1][2], ARRAY[id, parent_id] AS pair, array_fill(position, ARRAY[3])
FROM categories;

SELECT id
FROM variants
WHERE dimensions = '{100,200,300}'
  OR dimensions[1] > 2 * dimensions[2]
  OR 0 = ALL (dimensions);

SELECT customer_id, (array_agg(city ORDER BY is_default DESC, id))[1:2] AS cities FROM addresses GROUP BY customer_id;

SELECT ct.full_name, phone.nr
FROM crm.contacts ct, unnest(ct.phones) WITH ORDINALITY AS phone(nr, i)
WHERE phone.i = 1;

SELECT string_to_array(meta ->> 'labels', ',') AS labels, o.id
FROM orders o
WHERE 'urgent' = ANY (string_to_array(o.meta ->> 'labels', ','));

SELECT row(o.id, o.total), (row(1, 'a'::text)).f2
FROM orders o
WHERE row(o.total, o.id) >= row($1::numeric, $2::bigint)
ORDER BY (o.total, o.id);

SELECT month.start::date, count(t.id) AS opened
FROM generate_series('2024-01-01'::timestamptz, '2024-12-01', '1 month') AS month (start)
LEFT JOIN crm.tickets t ON tstzrange(month.start, month.start + interval '1 month') @> t.opened_at
GROUP BY month.start
ORDER BY month.start;

SELECT n, (SELECT count(*) FROM order_lines WHERE line_no = n) AS orders
FROM generate_series(1, 10) AS n;

SELECT generate_series(1, quantity) AS piece, order_id, line_no, unnest(ARRAY['label', 'box']) AS item
FROM order_lines;

SELECT u.tag, u.id
FROM (SELECT id, unnest(tags) FROM products) AS u (id, tag)
ORDER BY u.tag, u.id;

SELECT a, b FROM unnest(ARRAY[1, 2], ARRAY['x', 'y']) AS pairs (a, b) WHERE EXISTS (SELECT 1 FROM categories WHERE id = pairs.a AND slug = b);

SELECT trim_array(p.tags, 1), p.tags IS NULL
  OR p.tags = '{}' AS untagged, $1 = ANY (p.tags) AS hit
FROM products p
ORDER BY cardinality(p.tags) DESC NULLS LAST, p.name;
