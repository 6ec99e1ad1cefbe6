SELECT TRY_TO_NUMBER(postcode) AS plz, TRY_TO_DATE(city, 'DD.MM.YYYY') AS odd, TRY_CAST(postcode AS INT) AS n FROM addresses WHERE plz IS NULL;

SELECT CAST(total_amount AS VARCHAR(20)), total_amount::FLOAT::INT, TO_DECIMAL(discount_amount, 10, 1), TO_VARIANT(order_id) FROM orders LIMIT 1;

SELECT NVL2(shipped_at, 'sent', 'open') AS state, DECODE(channel, 'web', 'W', 'store', 'S', NULL, '?', 'X') AS ch, IFNULL(promo_code, '-') FROM orders;

SELECT EXTRACT(EPOCH FROM ordered_at) AS ts, EXTRACT(week FROM ordered_at) AS wk, DATE_PART(quarter, ordered_at) AS q,
       LAST_DAY(ordered_at, 'month') AS month_end, NEXT_DAY(ordered_at, 'mo') AS next_monday, MONTHS_BETWEEN(CURRENT_DATE(), ordered_at) AS age
FROM orders
WHERE ordered_at >= DATE_TRUNC(quarter, CURRENT_DATE()) - INTERVAL '1 year, 3 months';

SELECT SUBSTR(line1, 1, 10), SUBSTRING(line1, 3), POSITION('str' IN LOWER(line1)) AS pos, TRIM(city, ' .'), LPAD(postcode, 5, '0'), SPLIT_PART(line1, ' ', -1) AS house_no, CHARINDEX('-', postcode)
FROM addresses;

SELECT product_name, REGEXP_SUBSTR(product_name, '(\\d+)\\s*cm', 1, 1, 'e', 1)::INT AS width_cm, REGEXP_REPLACE(product_name, '[^A-Za-z0-9 ]', '') AS clean, REGEXP_COUNT(product_name, 'o')
FROM products WHERE product_name REGEXP '.*[0-9]+ ?cm.*';

SELECT CONVERT_TIMEZONE('UTC', s.timezone, o.ordered_at) AS local_time, TO_CHAR(o.ordered_at, 'DD.MM.YYYY HH24:MI') AS shown
FROM orders o JOIN stores s ON s.store_id = o.store_id;

SELECT email, full_name FROM employees WHERE email COLLATE 'en-ci' = 'BOSS@EXAMPLE.COM' OR COLLATE(full_name, 'de') > 'M';

SELECT HASH(*) AS row_hash, MD5(email) AS mail_hash, SHA2_HEX(last_name, 256) FROM customers WHERE last_name IS NOT NULL;

SELECT HASH_AGG(*) FROM payments;

SELECT GREATEST(q1, q2, q3, q4) AS best, LEAST_IGNORE_NULLS(q1, q2) AS worst_half, EQUAL_NULL(q3, q4) AS same FROM sales_targets;

SELECT ST_DISTANCE(a.location, b.location) / 1000 AS km, a.store_name, b.store_name AS other
FROM stores a JOIN stores b ON a.store_id < b.store_id
WHERE ST_DWITHIN(a.location, b.location, 50000)
ORDER BY km;

SELECT a.customer_id, EDITDISTANCE(a.last_name, b.last_name) AS distance, JAROWINKLER_SIMILARITY(a.email, b.email) AS sim
FROM customers a JOIN customers b ON SOUNDEX(a.last_name) = SOUNDEX(b.last_name) AND a.customer_id < b.customer_id
WHERE distance BETWEEN 1 AND 2 AND sim > 90;

SELECT TIME_SLICE(event_ts, 15, 'MINUTE', 'START') AS slot, COUNT(DISTINCT session_id) AS sessions, HLL(customer_id) AS people
FROM raw.clickstream
GROUP BY slot ORDER BY slot;

SELECT PARSE_URL(page_url):host::STRING AS host, PARSE_URL(page_url):parameters.utm_source::STRING AS src, COUNT(*) FROM raw.clickstream GROUP BY 1, 2;

SELECT DATEADD('day', lead_time_days, CURRENT_DATE()) AS earliest, supplier_name || ' (' || COALESCE(rating::STRING, 'n/a') || ')' AS label FROM suppliers ORDER BY rating DESC NULLS LAST, 1;

SELECT TIMESTAMPDIFF(MINUTE, received_at, CURRENT_TIMESTAMP()) AS age_min, feed_id FROM raw.supplier_feeds WHERE age_min > 60 * 24;

SELECT store_code, CASE region_id WHEN 1 THEN 'north' WHEN 2 THEN 'south' ELSE 'other' END AS side, square_meters / 2::NUMBER AS half
FROM stores WHERE opened_on > '2020-01-01'::DATE AND NOT (closed_on IS NOT NULL);

SELECT APPROX_TOP_K(product_id, 10) AS top_products, BITAND(COUNT(*), 1) AS odd FROM order_items;

SELECT KURTOSIS(salary), SKEW(salary), VAR_POP(salary), MIN(hired_on), ANY_VALUE(job_title) FROM employees GROUP BY store_id;

SELECT
    /* how long until the stock is gone */
    i.product_id,
    i.on_hand / NULLIFZERO(AVG(d.units)) AS days_left
FROM inventory i
LEFT JOIN daily_sales d
    ON d.product_id = i.product_id AND d.store_id = i.store_id -- the same store only
GROUP BY i.product_id, i.on_hand
HAVING days_left < 7;

SELECT SYSTEM$TYPEOF(list_price), SYSTEM$TYPEOF(attributes) FROM products LIMIT 1;

SELECT BASE64_ENCODE(first_name), HEX_ENCODE(last_name), CONCAT_WS(' ', first_name, last_name) AS full_name, CURRENT_USER() AS me FROM customers WHERE CONTAINS(full_name, 'van') OR STARTSWITH(last_name, 'O''');

SELECT s.value:name::STRING AS name FROM suppliers, LATERAL FLATTEN(input => suppliers.contact, path => 'people') s WHERE suppliers.rating > 3;

