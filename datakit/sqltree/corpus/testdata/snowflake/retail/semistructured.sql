SELECT c.customer_id, c.preferences:newsletter.frequency::STRING AS frequency, c.preferences:language::VARCHAR AS lang
FROM customers c
WHERE c.preferences:newsletter.enabled::BOOLEAN;

SELECT c.customer_id, f.value::STRING AS tag
FROM customers c,
     LATERAL FLATTEN(INPUT => c.tags) f
WHERE f.value::STRING ILIKE 'vip%';

SELECT cs.event_id, item.index AS pos, item.value:sku::STRING AS sku, item.value:qty::INT AS qty
FROM raw.clickstream cs
, LATERAL FLATTEN(input => cs.payload:cart.items, outer => true) item
WHERE cs.event_type = 'checkout';

SELECT feed_id,
       line.value:"Article No"::STRING AS article,
       variant.value:ean::STRING AS ean,
       variant.key, variant.path, variant.this
FROM raw.supplier_feeds,
     LATERAL FLATTEN(input => body:lines) AS line,
     LATERAL FLATTEN(input => line.value:variants, recursive => false, mode => 'BOTH') AS variant;

SELECT OBJECT_CONSTRUCT('id', customer_id, 'mail', email, 'name', OBJECT_CONSTRUCT('first', first_name, 'last', last_name)) AS doc
FROM customers
WHERE country_code = 'DE';

SELECT OBJECT_CONSTRUCT(*) AS row_json FROM promotions WHERE percent_off > 20;

SELECT order_id,
       ARRAY_AGG(OBJECT_CONSTRUCT('product', product_id, 'qty', quantity)) WITHIN GROUP (ORDER BY line_no) AS lines
FROM order_items
GROUP BY order_id;

SELECT OBJECT_AGG(promo_code, percent_off::VARIANT) AS promo_map FROM promotions WHERE ends_on IS NULL OR ends_on >= CURRENT_DATE();

SELECT f.key AS attribute, COUNT(*) AS used_by, ARRAY_UNIQUE_AGG(f.value) AS seen
FROM products p, TABLE(FLATTEN(p.attributes)) f
GROUP BY f.key
ORDER BY used_by DESC;

SELECT p.sku, p.attributes['color']::STRING AS color, p.attributes['sizes'][0]::STRING AS first_size, p.attributes:dims.w::FLOAT * p.attributes:dims.h::FLOAT AS area
FROM products p
WHERE p.attributes:color IS NOT NULL;

SELECT GET_PATH(gateway_response, 'error.code')::STRING AS err, COUNT(*) AS n
FROM payments WHERE status = 'failed' GROUP BY err;

SELECT customer_id, FILTER(tags, t -> t::STRING LIKE 'b2b%') AS b2b_tags, ARRAY_SIZE(b2b_tags) AS n
FROM customers
WHERE ARRAY_CONTAINS('b2b'::VARIANT, tags);

SELECT o.order_id, TRANSFORM(o.metadata:fees::ARRAY, fee -> fee:amount::NUMBER(10,2) * 1.19) AS gross_fees
FROM orders o WHERE TYPEOF(o.metadata:fees) = 'ARRAY';

SELECT supplier_id, contact:emails[0]::STRING AS mail, OBJECT_KEYS(contact) AS fields
FROM suppliers WHERE contact IS NOT NULL;

SELECT TRY_PARSE_JSON(gift_note):from::STRING AS gift_from, COUNT(*) AS n FROM order_items WHERE gift_note LIKE '{%' GROUP BY 1;

select s.store_id,
       d.key::string             as weekday,
       d.value:open::time        as opens,
       d.value:close::time       as closes
from stores s
join lateral flatten(input => s.settings:hours) d
where s.closed_on is null;

SELECT r.promo_code, cond.value:type::STRING AS type, cond.value:threshold::NUMBER AS threshold
FROM promotions r, LATERAL FLATTEN(input => r.rules:conditions) cond
WHERE threshold > 50;

SELECT w.value AS word, COUNT(*) AS n
FROM returns r, LATERAL SPLIT_TO_TABLE(LOWER(r.reason), ' ') w
GROUP BY w.value HAVING n > 3 ORDER BY n DESC;

SELECT product_id, t.index, TRIM(t.value) AS token
FROM products, TABLE(STRTOK_SPLIT_TO_TABLE(product_name, ' -/')) AS t
WHERE t.index <= 3;

SELECT ARRAY_CONSTRUCT(q1, q2, q3, q4) AS quarters, ARRAY_MAX(quarters) AS best FROM sales_targets WHERE fiscal_year = 2026;

SELECT {'sku': sku, 'price': list_price, 'tags': [category_id, supplier_id]} AS doc FROM products LIMIT 10;

SELECT payload:user.id::NUMBER AS uid, payload:"utm-source"::STRING AS src, MIN(event_ts) AS first_touch
FROM raw.clickstream
WHERE IS_OBJECT(payload:user) AND NOT IS_NULL_VALUE(payload:user.id)
GROUP BY uid, src
QUALIFY ROW_NUMBER() OVER (PARTITION BY uid ORDER BY first_touch) = 1;

SELECT c.customer_id, OBJECT_INSERT(c.preferences::OBJECT, 'migrated', TRUE, TRUE) AS new_prefs, OBJECT_DELETE(c.preferences::OBJECT, 'legacy') AS slim
FROM customers AS c;

SELECT GET(cs.payload:items, f.index):name::STRING AS name, f.value:id::INT AS id
FROM raw.clickstream cs, LATERAL FLATTEN(cs.payload:items) f;

SELECT customer_id, REDUCE(tags, 0, (acc, t) -> acc + LENGTH(t::STRING)) AS tag_chars FROM customers;

SELECT GET(PARSE_XML(body:doc::STRING), '@id')::STRING AS doc_id, XMLGET(PARSE_XML(body:doc::STRING), 'header'):"$"::STRING AS header
FROM raw.supplier_feeds;

SELECT feed_id, AS_INTEGER(body:count) AS cnt, CHECK_JSON(body:inner::STRING) AS problem FROM raw.supplier_feeds WHERE body:count > 0;

