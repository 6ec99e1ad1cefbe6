SELECT payload->'$.cart.total' AS total,
    payload->>'$.currency' AS currency
FROM events
WHERE name = 'checkout';

SELECT event_id, payload->>'page' AS page
FROM events
WHERE payload->>'page' LIKE '/products/%';

SELECT payload->'items'->0->>'sku' AS first_sku, payload->'items'-> -1 AS last_item
FROM events;

SELECT json_extract(raw, '$.battery')::DOUBLE AS battery,
    json_extract_string(raw, ['$.fw', '$.serial']) AS ids
FROM readings;

SELECT raw.battery, raw.signal.rssi FROM readings;

SELECT r.raw.battery::FLOAT AS b FROM readings r WHERE (r.raw.battery)::FLOAT < 20;

SELECT json_array_length(payload, '$.items') AS n, json_type(payload, '$.items'), json_keys(payload), json_valid(payload::VARCHAR) FROM events;

SELECT e.event_id, j.key, j.value, j.type
FROM events e, json_each(e.payload) AS j
WHERE j.type <> 'NULL';

SELECT t.fullkey,
    t.atom
FROM events, json_tree(payload, '$.cart') t
WHERE t.atom IS NOT NULL;

SELECT unnest(from_json(payload->'$.items', '[{"sku": "VARCHAR", "qty": "INTEGER"}]')) AS item
FROM events;

SELECT json_transform(payload, '{"page": "VARCHAR", "ms": "DOUBLE"}').page AS page
FROM events;

SELECT s.ms,
    s.page
FROM (SELECT payload::STRUCT(page VARCHAR, ms DOUBLE) AS s FROM events) q;

SELECT to_json({'trip': trip_id, 'tags': tags}) AS doc, json_object('id', trip_id, 'fare', fare)
FROM trips;

SELECT json_group_array(zone_name), json_group_object(zone_id, zone_name) FROM zones GROUP BY borough;

SELECT row_to_json(v) FROM vendors v;

SELECT to_json(z) AS doc FROM (SELECT zone_id, zone_name FROM zones) z;

SELECT alert_id, details->>'$.reason' AS reason, count(*) OVER (PARTITION BY details->>'$.reason')
FROM alerts
WHERE json_exists(details, '$.reason');

SELECT json_merge_patch(details, '{"seen": true}'::JSON),
    json_array(level, message),
    json_quote(message)
FROM alerts;

SELECT json_structure(payload) AS shape,
    count(*)
FROM events
GROUP BY shape
ORDER BY 2 DESC;

SELECT (payload->>'$.ms')::INT AS ms
FROM events
WHERE TRY_CAST(payload->>'$.ms' AS INT) IS NOT NULL
ORDER BY ms DESC
LIMIT 10;

SELECT json_contains(payload, '{"page": "/"}') AS home FROM events;

SELECT payload['cart']['total'] AS total FROM events;

WITH pages AS (SELECT user_id, payload->>'page' AS page, occurred_at FROM events WHERE name = 'view')
SELECT a.page AS from_page, b.page AS to_page, count(*)
FROM pages a ASOF JOIN pages b ON a.user_id = b.user_id AND a.occurred_at < b.occurred_at
GROUP BY ALL;

SELECT '{"a": [1, 2, {"b": null}]}'::JSON->'$.a[2].b' AS nothing,
    '[1,2]'::JSON->1 AS two;

SELECT *
FROM (SELECT unnest(json_extract(payload, '$.items[*]')) AS it, event_id FROM events)
WHERE it->>'sku' = 'X-1';

SELECT event_id,
    list_transform(json_extract(payload, '$.items[*]'), lambda i: i->>'$.sku') AS skus
FROM events;

SELECT ('{"x": 1}'::JSON).x, to_json(current_date) AS today;

SELECT sum((details->>'cost')::DECIMAL(10, 2)) AS cost,
    level
FROM alerts
GROUP BY level
HAVING cost > 0;

SELECT d.label, a.details->'context'->>'zone' AS zone
FROM alerts a
JOIN devices d USING (device_id)
WHERE (a.details->'context') IS NOT NULL;

SELECT json_pretty(payload) FROM events WHERE event_id = '3f0c8a7e-0000-4000-8000-000000000001';

SELECT json_value(payload, '$.page') AS page, e.props['ab_test'] AS variant FROM events AS e WHERE e.props['ab_test'] IS NOT NULL;
