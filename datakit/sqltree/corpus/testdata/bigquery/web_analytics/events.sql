SELECT
  event_name,
  COUNT(*) AS events,
  COUNT(DISTINCT user_pseudo_id) AS users
FROM `acme-prod.analytics.events_*`
WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131'
GROUP BY event_name
ORDER BY events DESC;

SELECT
  PARSE_DATE('%Y%m%d', event_date) AS day,
  (SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'page_location') AS page,
  (SELECT ep.value.int_value FROM UNNEST(event_params) AS ep WHERE ep.key = 'ga_session_id') AS ga_session
FROM `acme-prod.analytics.events_20260101`
WHERE event_name = 'page_view';

SELECT p.key, COUNT(*) AS n, ANY_VALUE(p.value.string_value) AS example
FROM analytics.events_20260101, UNNEST(event_params) AS p
GROUP BY p.key
ORDER BY n DESC;

SELECT user_pseudo_id, item.item_name, SUM(item.price * item.quantity) AS revenue
FROM analytics.events_20260102 AS e
CROSS JOIN UNNEST(e.items) AS item
WHERE e.event_name = 'purchase'
GROUP BY 1, 2
HAVING revenue > 100;

SELECT
  geo.country,
  device.category,
  SUM(ecommerce.purchase_revenue) AS revenue,
  SAFE_DIVIDE(SUM(ecommerce.purchase_revenue), COUNT(DISTINCT ecommerce.transaction_id)) AS avg_order
FROM `acme-prod`.analytics.events_20260101
WHERE ecommerce.transaction_id IS NOT NULL
GROUP BY geo.country, device.category;

WITH sessionized AS (
  SELECT
    user_pseudo_id,
    event_timestamp,
    event_name,
    IF(event_timestamp - LAG(event_timestamp) OVER (PARTITION BY user_pseudo_id ORDER BY event_timestamp) > 1800000000, 1, 0) AS new_session
  FROM `analytics.events_*`
  WHERE _TABLE_SUFFIX = FORMAT_DATE('%Y%m%d', DATE_SUB(CURRENT_DATE(), INTERVAL 1 DAY))
)
SELECT user_pseudo_id, SUM(new_session) + 1 AS sessions
FROM sessionized
GROUP BY user_pseudo_id;

SELECT TIMESTAMP_MICROS(event_timestamp) AS ts, event_name, up.value.string_value AS plan
FROM analytics.events_20260101
LEFT JOIN UNNEST(user_properties) AS up ON up.key = 'plan'
ORDER BY ts
LIMIT 100;

SELECT hit_id, param.key, off
FROM web.hits, UNNEST(params) AS param WITH OFFSET AS off
WHERE off < 3;

SELECT h.session_id, t AS tag, pos
FROM web.hits AS h, h.tags AS t WITH OFFSET pos
WHERE pos = 0;

select count(1) from web.hits h where exists (select 1 from unnest(h.items) i where i.price > 1000);

SELECT session_id, ARRAY_LENGTH(experiments) AS n, experiments[SAFE_OFFSET(0)].variant AS first_variant, experiments[ORDINAL(1)].id AS first_id
FROM web.sessions
WHERE ARRAY_LENGTH(experiments) > 0;

SELECT x.experiment_name, e.variant, COUNT(DISTINCT s.user_pseudo_id) AS users, COUNTIF(o.order_id IS NOT NULL) AS orders
FROM web.sessions AS s
CROSS JOIN UNNEST(s.experiments) AS e
JOIN mart.experiments AS x ON x.experiment_id = e.id AND e.variant IN UNNEST(x.variants)
LEFT JOIN shop.orders AS o USING (session_id)
GROUP BY ALL
ORDER BY x.experiment_name, e.variant;

SELECT
  session_id,
  ARRAY_AGG(STRUCT(hit_at, page.path AS path) ORDER BY hit_at LIMIT 10) AS journey,
  STRING_AGG(page.path, ' > ' ORDER BY hit_at) AS path_text,
  ARRAY_AGG(page.path IGNORE NULLS ORDER BY hit_at DESC LIMIT 1)[OFFSET(0)] AS exit_page
FROM web.hits
WHERE hit_type = 'PAGE'
GROUP BY session_id;

SELECT event_name, user_pseudo_id FROM analytics.events_20260101
UNION ALL
SELECT event_name, user_pseudo_id FROM analytics.events_20260102
ORDER BY event_name, user_pseudo_id;

SELECT REGEXP_EXTRACT(landing_page, r'^/([^/?]+)') AS section, NET.HOST(landing_page) AS host, REGEXP_CONTAINS(landing_page, r"(?i)utm_\w+=") AS tagged, COUNT(*) AS visits
FROM web.sessions
GROUP BY section, host, tagged;

SELECT
  h.raw.user.id AS raw_user,
  JSON_VALUE(h.raw, '$.screen.width') AS width,
  h.raw['events'][0]['type'] AS first_type,
  LAX_INT64(h.raw.count) AS cnt,
  JSON_QUERY_ARRAY(h.raw, '$.errors') AS errors
FROM web.hits AS h
WHERE JSON_TYPE(h.raw) = 'object';

SELECT err, COUNT(*) AS n
FROM web.hits, UNNEST(JSON_EXTRACT_STRING_ARRAY(raw, '$.errors')) AS err
GROUP BY err
ORDER BY n DESC
LIMIT 20;

SELECT device.browser.name AS browser, device.browser.version, COUNT(*) AS visits, AVG(pageviews) AS depth
FROM web.sessions
WHERE started_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY) AND NOT is_bounce
GROUP BY browser, device.browser.version
HAVING visits > 50;

SELECT events.* EXCEPT (event_params, user_properties), params_json
FROM (SELECT e.*, TO_JSON_STRING(e.event_params) AS params_json FROM analytics.events_20260102 AS e) AS events;

SELECT platform, APPROX_QUANTILES(ecommerce.purchase_revenue, 100)[OFFSET(50)] AS median, APPROX_TOP_COUNT(geo.city, 5) AS top_cities
FROM analytics.events_20260101
GROUP BY platform;

