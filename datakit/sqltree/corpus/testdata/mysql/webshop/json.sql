SELECT id, JSON_EXTRACT(attributes, '$.colour') AS colour FROM products;

SELECT id, JSON_UNQUOTE(JSON_EXTRACT(preferences, '$.lang')) AS lang FROM customers WHERE JSON_EXTRACT(preferences, '$.newsletter') = TRUE;

SELECT JSON_VALUE(meta, '$.utm.source') AS source, COUNT(*) n, SUM(total) FROM orders GROUP BY source ORDER BY n DESC;

SELECT p.sku, JSON_LENGTH(p.attributes, '$.materials') AS materials, JSON_KEYS(p.attributes) AS ks, JSON_TYPE(JSON_EXTRACT(p.attributes, '$.weight')) AS ty, JSON_DEPTH(p.attributes), JSON_VALID(p.attributes)
FROM products p;

SELECT sku FROM products WHERE JSON_CONTAINS(attributes, '"oak"', '$.materials');

SELECT sku FROM products WHERE JSON_CONTAINS_PATH(attributes, 'one', '$.energy', '$.power') = 1;

SELECT id, JSON_SEARCH(attributes, 'one', 'red%', NULL, '$.colours[*]') AS place FROM products HAVING place IS NOT NULL;

SELECT JSON_OBJECT('id', c.id, 'name', CONCAT(c.first_name, ' ', c.last_name), 'tags', JSON_ARRAY(c.status, c.country_code)) AS doc FROM customers c WHERE c.id = ?;

SELECT o.id, JSON_ARRAYAGG(i.variant_id) AS variants, JSON_OBJECTAGG(i.line_no, i.line_total) AS totals
FROM orders o JOIN order_items i ON i.order_id = o.id
GROUP BY o.id;

SELECT JSON_PRETTY(JSON_MERGE_PATCH(COALESCE(preferences, '{}'), '{"theme": "dark"}')), JSON_MERGE_PRESERVE('[1]', '[2]') FROM customers LIMIT 1;

SELECT JSON_SET(attributes, '$.updated', TRUE), JSON_INSERT(attributes, '$.a', 1), JSON_REPLACE(attributes, '$.b', 2), JSON_REMOVE(attributes, '$.tmp', '$.old'), JSON_ARRAY_APPEND(attributes, '$.tags', 'x'), JSON_ARRAY_INSERT(attributes, '$.tags[0]', 'y') FROM products WHERE id = 1;

SELECT jt.tag, COUNT(*) AS n
FROM products p,
     JSON_TABLE(p.attributes, '$.tags[*]' COLUMNS (tag VARCHAR(50) PATH '$')) AS jt
GROUP BY jt.tag
ORDER BY n DESC;

SELECT o.number, l.rowid, l.sku, l.qty
FROM orders o
JOIN JSON_TABLE(
  o.meta,
  '$.lines[*]' COLUMNS (
    rowid FOR ORDINALITY,
    sku VARCHAR(40) PATH '$.sku',
    qty INT PATH '$.qty' DEFAULT '1' ON EMPTY NULL ON ERROR,
    gift INT EXISTS PATH '$.gift'
  )
) AS l
WHERE l.qty > 1;

SELECT s.name, t.phone, t.person
FROM suppliers s
LEFT JOIN JSON_TABLE(s.contact, '$.people[*]' COLUMNS (
    person VARCHAR(80) PATH '$.name',
    NESTED PATH '$.phones[*]' COLUMNS (phone VARCHAR(30) PATH '$')
)) t ON TRUE;

SELECT * FROM JSON_TABLE('[{"a": 1, "b": [10, 20]}, {"a": 2}]', '$[*]' COLUMNS (id FOR ORDINALITY, a INT PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (b_id FOR ORDINALITY, b INT PATH '$'))) AS j;

SELECT v.sku FROM product_variants v WHERE v.id IN (SELECT j.id FROM JSON_TABLE(?, '$[*]' COLUMNS (id INT PATH '$')) AS j);

SELECT a.`Table`, a.`Key`, JSON_UNQUOTE(JSON_EXTRACT(a.`Before`, '$.status')) AS old_status, JSON_UNQUOTE(JSON_EXTRACT(a.`After`, '$.status')) AS new_status
FROM AuditLog a
WHERE a.`Table` = 'orders'
  AND JSON_EXTRACT(a.`Before`, '$.status') <> JSON_EXTRACT(a.`After`, '$.status');

SELECT ks.k, COUNT(*)
FROM AuditLog
CROSS JOIN JSON_TABLE(JSON_KEYS(AuditLog.`After`), '$[*]' COLUMNS (k VARCHAR(64) PATH '$')) ks
GROUP BY ks.k;

SELECT c.code, JSON_OVERLAPS(c.rules, '{"channel": "app"}') AS fits, JSON_QUOTE(c.code), JSON_COMPACT_LEN
FROM (SELECT code, rules, CHAR_LENGTH(rules) AS JSON_COMPACT_LEN FROM coupons) c;

SELECT method, AVG(JSON_EXTRACT(response, '$.latency_ms')) AS ms, MAX(CAST(JSON_EXTRACT(response, '$.fee') AS DECIMAL(8,2))) AS fee
FROM payments
WHERE JSON_VALID(response)
GROUP BY method;

SELECT JSON_OBJECT(
         'category', c.name,
         'products', (SELECT JSON_ARRAYAGG(JSON_OBJECT('sku', p.sku, 'price', p.price)) FROM products p WHERE p.category_id = c.id)
       ) AS tree
FROM categories c
WHERE c.parent_id IS NULL;

SELECT attributes->'$.colour' AS colour, attributes->>'$.brand.name' AS brand FROM products;

SELECT id FROM customers WHERE preferences->>'$.lang' = 'de' AND preferences->'$.visits' > 3 ORDER BY preferences->>'$.city';

SELECT o.meta->>'$.utm.campaign' campaign, COUNT(DISTINCT o.customer_id) FROM orders o GROUP BY o.meta->>'$.utm.campaign' HAVING COUNT(*) > 10;

SELECT p.sku FROM products p WHERE 'oak' MEMBER OF (p.attributes->'$.materials');

SELECT sku FROM products WHERE 17 MEMBER OF ('[1, 17, 23]') AND JSON_OVERLAPS(attributes->'$.sizes', CAST('["S","M"]' AS JSON));

SELECT CAST(preferences AS JSON), CAST(CAST('[3,4]' AS JSON) AS CHAR), JSON_VALUE(preferences, '$.age' RETURNING UNSIGNED DEFAULT 0 ON EMPTY NULL ON ERROR) AS age FROM customers;

SELECT JSON_VALUE(attributes, '$.price' RETURNING DECIMAL(6,2) ERROR ON ERROR) FROM products WHERE JSON_VALUE(attributes, '$.stock' RETURNING SIGNED) > 0;

SELECT t.*
FROM suppliers, JSON_TABLE(suppliers.contact, '$' COLUMNS (
  mail VARCHAR(100) CHARACTER SET utf8mb4 PATH '$.mail' NULL ON EMPTY ERROR ON ERROR,
  since DATE PATH '$.since',
  details JSON PATH '$.details' DEFAULT '{}' ON EMPTY,
  has_fax INT EXISTS PATH '$.fax'
)) AS t;

SELECT JSON_SCHEMA_VALID('{"type": "object", "required": ["lang"]}', preferences), JSON_STORAGE_SIZE(preferences) FROM customers;

UPDATE customers SET preferences = JSON_SET(preferences, '$.theme', ?, '$.seen', JSON_ARRAY()) WHERE id = ?;

UPDATE products SET attributes = JSON_REMOVE(attributes, '$.legacy') WHERE attributes->>'$.legacy' IS NOT NULL;

UPDATE orders AS o
JOIN (
  SELECT i.order_id, JSON_ARRAYAGG(v.sku) AS skus
  FROM order_items i JOIN product_variants v ON v.id = i.variant_id
  GROUP BY i.order_id
) AS agg ON agg.order_id = o.id
SET o.meta = JSON_MERGE_PATCH(IFNULL(o.meta, JSON_OBJECT()), JSON_OBJECT('skus', agg.skus));

INSERT INTO AuditLog (`Table`, `Key`, ActorName, `After`)
SELECT 'coupons', c.code, CURRENT_USER(), JSON_OBJECT('value', c.value, 'kind', c.kind, 'until', c.valid_to)
FROM coupons AS c
WHERE c.valid_to = CURDATE();

SELECT x.y FROM (SELECT attributes->'$.a' AS y, id FROM products) AS x WHERE x.y IS NOT NULL ORDER BY x.id;

SELECT SUM(jt.amount)
FROM payments AS pay
   , JSON_TABLE(pay.response, '$.captures[*]' COLUMNS(amount DECIMAL(10,2) PATH '$.amount', at DATETIME PATH '$.at')) AS jt
WHERE pay.state = 'captured'
  AND jt.at >= pay.created_at;

