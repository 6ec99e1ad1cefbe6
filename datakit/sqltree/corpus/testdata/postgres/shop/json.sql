SELECT details ->> 'brand' AS brand, count(*) FROM products GROUP BY brand ORDER BY brand;

SELECT p.id, p.details -> 'dimensions' ->> 'width' AS width, (p.details #>> '{dimensions,height}')::numeric AS height
FROM products p WHERE p.details ? 'dimensions';

SELECT id
FROM products
WHERE details @> '{"color": "black"}'
  AND NOT details ?| array['refurbished', 'used'];

SELECT c.email FROM customers c WHERE (c.preferences ->> 'newsletter')::boolean AND c.preferences -> 'topics' ?& ARRAY['garden','home'];

SELECT p.sku, d.key, d.value
FROM products p
CROSS JOIN LATERAL jsonb_each_text(p.details) AS d
WHERE d.key LIKE 'spec_%';

SELECT p.sku, feature
FROM products p, jsonb_array_elements_text(p.details -> 'features') AS feature
WHERE jsonb_typeof(p.details -> 'features') = 'array';

SELECT o.id, item.value ->> 'sku' AS sku, item.ordinality AS pos
FROM orders o,
     jsonb_array_elements(o.meta -> 'items') WITH ORDINALITY AS item
ORDER BY o.id, item.ordinality;

SELECT x.id, x.qty, o.currency
FROM orders o
CROSS JOIN LATERAL jsonb_to_recordset(o.meta -> 'gifts') AS x (id bigint, qty int, message text)
WHERE x.qty > 1;

SELECT r.street, r.zip, o.id
FROM orders o, jsonb_to_record(o.meta -> 'pickup') AS r(street text, zip varchar(10))
WHERE r.zip IS NOT NULL;

SELECT jsonb_build_object(
         'id', o.id,
         'status', o.status,
         'customer', jsonb_build_object('email', c.email, 'name', concat_ws(' ', c.first_name, c.last_name)),
         'lines', (
             SELECT coalesce(jsonb_agg(jsonb_build_object('sku', v.sku, 'qty', l.quantity) ORDER BY l.line_no), '[]')
             FROM order_lines l JOIN variants v ON v.id = l.variant_id
             WHERE l.order_id = o.id
         )
       ) AS doc
FROM orders o
JOIN customers c ON c.id = o.customer_id
WHERE o.id = $1;

SELECT row_to_json(c) FROM customers c WHERE c.id = 1000;

SELECT json_agg(t) FROM (SELECT id, sku, name FROM products ORDER BY id LIMIT 10) t;

SELECT to_jsonb(w) - 'location' || jsonb_build_object('lat', w.location[0], 'lon', w.location[1]) AS warehouse
FROM warehouses w;

SELECT jsonb_object_agg(country, revenue)
FROM (SELECT country, sum(revenue) AS revenue FROM analytics.daily_sales GROUP BY country) s;

SELECT jsonb_path_query(o.meta, '$.items[*] ? (@.price > 100).sku') AS sku, o.id FROM orders o;

select id
from orders
where meta @? '$.items[*] ? (@.gift == true)'
  or meta @@ '$.priority == "high"';

SELECT e.session_id, e.payload #> '{cart,items,0}' AS first_item
FROM analytics.page_events e
WHERE jsonb_path_exists(e.payload, '$.cart.items[*] ? (@.qty > $min)', jsonb_build_object('min', $1::int));

UPDATE products
SET details = jsonb_set(coalesce(details, '{}'), '{warranty,months}', to_jsonb($2::int), true)
WHERE id = $1;

UPDATE customers
SET preferences = preferences || jsonb_build_object('newsletter', true, 'since', now())
WHERE email = lower($1)
RETURNING id, preferences;

UPDATE orders SET meta['source'] = '"import"', meta['flags']['checked'] = 'true'::jsonb WHERE meta IS NOT NULL;

UPDATE categories
SET attributes = attributes - 'legacy' #- '{display,old}'
WHERE attributes ?| '{legacy,display}';

SELECT meta['utm']['source'] AS source, count(*) FROM orders GROUP BY meta['utm']['source'];

SELECT s.id, ev ->> 'status' AS status, (ev ->> 'at')::timestamptz AS at
FROM shipments s
LEFT JOIN LATERAL unnest(s.events) AS ev ON true
ORDER BY s.id, at;

SELECT jsonb_pretty(attributes)
FROM categories
WHERE attributes <> '{}'
  AND jsonb_strip_nulls(attributes) = attributes;

SELECT k, count(*)
FROM customers, jsonb_object_keys(preferences) AS k
GROUP BY k
ORDER BY count(*) DESC;

SELECT e.kind, avg((e.payload ->> 'scroll_depth')::numeric) FILTER (WHERE e.payload ? 'scroll_depth') AS depth
FROM analytics.page_events AS e
WHERE e.payload IS JSON OBJECT
GROUP BY e.kind;

SELECT te.ticket_id, json_extract_path_text(te.payload, 'mail', 'subject') AS mail_subject, te.payload -> 'attachments' -> -1 AS last_attachment
FROM crm.ticket_events te
WHERE json_array_length(te.payload -> 'attachments') > 0;

SELECT ct.full_name, tag.t
FROM crm.contacts ct
JOIN jsonb_array_elements_text(ct.tags) AS tag(t) ON tag.t = ANY ('{vip,press}'::text[]);

SELECT (jsonb_populate_record(NULL::addresses, o.meta -> 'ship_to')).city, o.id
FROM orders o
WHERE o.meta ? 'ship_to';

INSERT INTO addresses SELECT * FROM jsonb_populate_recordset(NULL::addresses, $1::jsonb);

INSERT INTO products (sku, name, category_id, list_price, details)
SELECT j ->> 'sku', j ->> 'name', c.id, (j ->> 'price')::numeric, j - '{sku,name,price,category}'::text[]
FROM jsonb_array_elements($1::jsonb) AS j
LEFT JOIN categories c ON c.slug = j ->> 'category'
ON CONFLICT (sku) DO UPDATE SET details = products.details || excluded.details;

SELECT jt.sku, jt.qty, o.id
FROM orders o,
     JSON_TABLE(o.meta, '$.items[*]' COLUMNS (
         rownum FOR ORDINALITY,
         sku text PATH '$.sku',
         qty int PATH '$.qty' DEFAULT 1 ON EMPTY,
         gift boolean EXISTS PATH '$.gift'
     )) AS jt
WHERE jt.qty > 0;

SELECT JSON_VALUE(p.details, '$.brand' RETURNING text DEFAULT 'none' ON EMPTY), JSON_QUERY(p.details, '$.features' WITH WRAPPER)
FROM products p;

SELECT pr.provider ->> 'card_brand' AS brand, round(avg(pr.amount), 2)
FROM payments pr
WHERE pr.provider @> jsonb_build_object('network', 'visa') AND coalesce((pr.provider -> 'risk' ->> 'score')::float8, 0) < 0.3
GROUP BY pr.provider ->> 'card_brand';

WITH RECURSIVE flat AS (
    SELECT p.id, e.key AS path, e.value FROM products p, jsonb_each(p.details) e
    UNION ALL
    SELECT f.id, f.path || '.' || e.key, e.value
    FROM flat f, jsonb_each(CASE jsonb_typeof(f.value) WHEN 'object' THEN f.value ELSE '{}' END) e
)
SELECT path, count(DISTINCT id) AS products FROM flat GROUP BY path;

SELECT array_to_json(array_agg(v.size)) AS sizes, json_build_array(min(v.price_delta), max(v.price_delta)) AS span, v.product_id
FROM variants v GROUP BY v.product_id;

SELECT jsonb_agg(DISTINCT r.rating) FILTER (WHERE r.helpful > 3) AS ratings, to_json(r.product_id)
FROM reviews r
GROUP BY r.product_id;

SELECT count(*)
FROM stock_movements
WHERE reference ->> 'order_id' = $1::text
  AND (reference -> 'line')::int = $2;

SELECT jsonb_build_object('customers', (SELECT count(*) FROM customers), 'orders', (SELECT count(*) FROM orders WHERE placed_at::date = current_date), 'open_tickets', (SELECT count(*) FROM crm.open_tickets));

SELECT (o.meta ->> 'weight')::numeric * s.weight_kg AS score, o.meta #>> ARRAY['a', s.carrier] AS dyn
FROM orders o JOIN shipments s ON s.order_id = o.id;

DELETE FROM analytics.page_events pe
WHERE pe.payload ->> 'bot' = 'true'
  OR pe.payload -> 'agent' @> '"curl"';

SELECT xmlelement(name contact, xmlattributes(c.id, c.owner AS responsible), xmlforest(c.full_name AS "name", c."jobTitle"))
FROM crm.contacts c;

SELECT x.street, x.nr, c.id
FROM crm.contacts c,
     XMLTABLE('/profile/address' PASSING c.profile COLUMNS street text PATH 'street', nr int PATH '@no' DEFAULT 0, pos FOR ORDINALITY) AS x;

SELECT xpath('/profile/note/text()', profile), xmlserialize(CONTENT profile AS text) FROM crm.contacts WHERE profile IS DOCUMENT AND xmlexists('//note' PASSING BY REF profile);
