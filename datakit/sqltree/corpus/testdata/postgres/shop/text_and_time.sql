SELECT substring(sku from 1 for 3) AS prefix, substring(sku FROM '[0-9]+') AS digits, substr(sku, 4)
FROM products;

SELECT trim(both ' ' from first_name), TRIM(LEADING '0' FROM postal_code), btrim(city, '-')
FROM customers
  JOIN addresses ON customers.id = addresses.customer_id;

SELECT position('@' in email) AS at, overlay(email placing '***' from 2 for 3) AS masked
FROM customers
WHERE char_length(email) > 5;

SELECT split_part(email, '@', 2) AS domain, count(*) FROM customers GROUP BY split_part(email, '@', 2) HAVING count(*) > 1 ORDER BY count(*) DESC;

SELECT name
FROM products
WHERE name LIKE 'A\_%' ESCAPE '\'
  OR name NOT ILIKE '%test%'
  OR name SIMILAR TO '(Chair|Table)%'
  OR name ~* '^sofa\M'
  OR name !~ '[0-9]';

SELECT cast(total AS integer), total::int8, CAST(placed_at AS date), placed_at::timestamp(0), int4 '7', bigint '12'
FROM orders;

SELECT age(birthday), extract(year from age(now(), birthday)) AS years, birthday + interval '1 year' * 18 AS of_age_on
FROM customers;

SELECT (placed_at AT TIME ZONE 'UTC') AT TIME ZONE 'America/New_York' AS local, to_char(placed_at, 'FMDay, DD.MM.YYYY HH24:MI') AS shown, updated_at - placed_at AS held
FROM orders;

SELECT id
FROM shipments
WHERE (shipped_at, coalesce(delivered_at, now())) OVERLAPS (timestamptz '2024-12-20', interval '10 days');

SELECT make_date(year::int, month::int, 1) + interval '1 month - 1 day' AS month_end, day
FROM analytics.calendar;

SELECT date_bin('15 minutes', occurred_at, TIMESTAMPTZ '2024-01-01') AS slot, count(*)
FROM analytics.page_events
GROUP BY slot
ORDER BY slot;

SELECT s.company, justify_interval(s.lead_time * 1.5) AS padded, CURRENT_DATE + s.lead_time AS arrives, extract(epoch from s.lead_time) / 86400 AS days FROM suppliers s;

select coalesce(nullif(trim(last_name), ''), 'n/a') as last_name
from customers
order by last_name;

SELECT format('%I.%L', 'crm', full_name), quote_literal(full_name), E'tab\there', U&'\00e4' AS umlaut, $$it's quoted$$ AS dollar
FROM crm.contacts;

SELECT p.name, ts_rank(p.search, q) AS score, ts_headline('english', p.description, q, 'MaxFragments=2')
FROM products p, websearch_to_tsquery('english', $1) AS q
WHERE p.search @@ q
ORDER BY score DESC
LIMIT 25;

SELECT name
FROM products
WHERE search @@ (to_tsquery('english', 'oak & table') || plainto_tsquery('english', 'wooden desk'));

SELECT regexp_matches(notes, '#(\d+)', 'g') AS refs, id FROM orders WHERE notes ~ '#\d+';

SELECT m[1] AS order_ref, t.id
FROM crm.tickets t
  CROSS JOIN LATERAL regexp_matches(t.subject, 'order (\d+)', 'gi') AS m;

SELECT part, count(*)
FROM products, regexp_split_to_table(lower(name), '\s+') AS part
GROUP BY part
ORDER BY 2 DESC
LIMIT 100;

SELECT word.w, p.id FROM products p, string_to_table(p.description, ' ') AS word(w) WHERE length(word.w) > 12;

SELECT encode(sha256(convert_to(email, 'UTF8')), 'hex') AS hash, md5(email || $1)
FROM customers;

SELECT last_name
FROM customers
WHERE last_name COLLATE "C" < 'M'
ORDER BY last_name COLLATE "C" DESC;

SELECT host(last_ip), masklen(last_ip), last_ip << inet '10.0.0.0/8' AS internal
FROM customers
WHERE last_ip IS NOT NULL
  AND family(last_ip) = 4;

SELECT date '2024-02-29' + 365, time '10:00' + interval '90 min', timestamp 'epoch' + 1700000000 * interval '1 second', interval '1-2' year to month;

SELECT id, CASE status WHEN 'cart' THEN 0 WHEN 'placed' THEN 1 ELSE 2 END AS step, status::text || '!' AS loud, status > 'paid' AS beyond
FROM orders
ORDER BY status;

SELECT lpad(id::text, 10, '0') || '-' || right(md5(id::text), 2) AS reference, chr(64 + line_no)
FROM orders
  JOIN order_lines ON order_id = id;

SELECT date_trunc('day', opened_at, 'Europe/Paris') AS d, count(*) FILTER (WHERE extract(dow FROM opened_at) IN (0, 6)) AS weekend
FROM crm.tickets
GROUP BY d;

SELECT round(list_price, -1), trunc(list_price), ceil(list_price)::int, list_price % 1 AS cents, @ (list_price - 50) AS dist, |/ list_price AS root, list_price ^ 2 FROM products;

SELECT translate(upper(slug), 'ÄÖÜ', 'AOU'), reverse(slug), initcap(replace(slug, '-', ' ')), starts_with(slug, 'new'), strpos(slug, '-'), ascii(slug)
FROM categories;

SELECT concat_ws(', ', line1, nullif(line2, ''), postal_code || ' ' || city) AS address
FROM addresses a
WHERE a.line2 IS NULL
  OR a.line2 = '' IS NOT TRUE;

SELECT pg_typeof(total), total IS NULL, total ISNULL, notes NOTNULL, (total > 5) IS UNKNOWN, total BETWEEN SYMMETRIC 100 AND 10
FROM orders;

SELECT to_date($1, 'DD.MM.YYYY') AS d, to_number('1.234,56', '9G999D99'), to_timestamp($2::double precision)
WHERE $1 IS NOT NULL;

SELECT customers.id, customers.created_at::date AS joined
FROM customers
WHERE customers.created_at >= 'yesterday'::timestamptz
  AND customers.created_at < timestamptz 'today';

SELECT first_name || COALESCE(' ' || last_name, '') AS "Full Name"
FROM customers
ORDER BY "Full Name";

SELECT normalize(name, NFC) IS NFC NORMALIZED AS n, octet_length(name), name COLLATE "C" > 'Z'
FROM products;

SELECT current_user, session_user, current_schema, current_catalog, current_timestamp(0), localtime, version();

SELECT carrier, array_to_string(array_agg(DISTINCT upper(left(tracking_no, 2))), '/') AS prefixes
FROM shipments
GROUP BY carrier;

SELECT extract(days FROM max(closed_at - opened_at)) || ' d' AS longest, date_part('epoch', sum(closed_at - opened_at))
FROM crm.tickets
WHERE isfinite(closed_at);

SELECT (now() - created_at) < '1 day'::interval AS fresh, helpful::float8 / greatest(helpful, 1) AS f, rating::int::bit(4), body::varchar(40)
FROM reviews;

SELECT B'101' & B'110', X'1F', 0.5e-3, 1_000 AS thousand FROM categories LIMIT 1;
