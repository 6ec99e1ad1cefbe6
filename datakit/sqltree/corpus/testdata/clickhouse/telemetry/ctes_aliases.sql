WITH (SELECT max(ts) FROM readings) AS newest
SELECT sensor_id, count() AS n
FROM readings
WHERE ts > newest - INTERVAL 10 MINUTE
GROUP BY sensor_id;

WITH 1000000 AS ns_per_ms
SELECT trace_id, duration_ns / ns_per_ms AS ms FROM spans WHERE ms > 250 ORDER BY ms DESC LIMIT 10;

WITH toStartOfHour(event_time) AS hr, lower(event_type) AS kind
SELECT hr, kind, count()
FROM events
GROUP BY hr, kind
ORDER BY hr, kind;

WITH busy AS (
    SELECT host, max(cpu_user) AS peak FROM metrics GROUP BY host HAVING peak > 90
),
noisy AS (
    SELECT host, count() AS errors FROM logs WHERE level IN ('ERROR', 'FATAL') GROUP BY host
)
SELECT busy.host, busy.peak, noisy.errors
FROM busy
LEFT JOIN noisy ON noisy.host = busy.host
ORDER BY noisy.errors DESC;

WITH devices AS (SELECT device_id, site_id FROM devices WHERE status = 'active')
SELECT site_id, count() FROM devices GROUP BY site_id;

WITH x -> x * 9 / 5 + 32 AS to_fahrenheit
SELECT sensor_id, to_fahrenheit(value) AS f FROM readings LIMIT 10;

WITH RECURSIVE call_tree AS (
    SELECT span_id, parent_span_id, operation, 0 AS depth
    FROM spans
    WHERE trace_id = {trace:FixedString(32)} AND parent_span_id = 0
    UNION ALL
    SELECT s.span_id, s.parent_span_id, s.operation, ct.depth + 1
    FROM spans AS s
    INNER JOIN call_tree AS ct ON s.parent_span_id = ct.span_id
)
SELECT repeat('  ', depth) || operation AS line FROM call_tree;

SELECT (toHour(event_time) AS h) AS hour_of_day, h >= 8 AND h < 18 AS office, count() AS c
FROM events
GROUP BY h
ORDER BY h;

SELECT device_id, bytes_in + bytes_out AS total, total / 1024 AS kib, kib / 1024 AS mib
FROM device_sessions
WHERE mib > 10
ORDER BY mib DESC;

SELECT count() AS c, c * 100 / (SELECT count() FROM alerts) AS share, rule_id FROM alerts GROUP BY rule_id HAVING share > 5;

SELECT lower(login) AS login, length(login) AS len FROM users WHERE len < 3;

SELECT sum(kWh) AS kWh_total, kWh_total / count() AS per_day, siteId AS site
FROM DailyUsage
WHERE site IN (1, 2)
GROUP BY site;

SELECT if(value > threshold AS too_high, 'alarm', 'ok') AS verdict, too_high, sensor_id
FROM readings
CROSS JOIN (SELECT threshold FROM alert_rules WHERE rule_id = 3) AS rule;

SELECT d.device_id AS id, d.model AS m, concat(m, '-', toString(id)) AS label FROM devices AS d WHERE label LIKE 'TX%';

WITH
    today() - 7 AS from_day,
    (SELECT groupArray(device_id) FROM devices WHERE site_id = 5) AS ids
SELECT toDate(event_time) AS d, count()
FROM events
WHERE d >= from_day AND has(ids, device_id)
GROUP BY d;

SELECT outer_q.day, outer_q.c
FROM (
    WITH toDate(raised_at) AS day
    SELECT day, count() AS c FROM alerts GROUP BY day
) AS outer_q
WHERE outer_q.c > (SELECT avg(cnt) FROM (SELECT count() AS cnt FROM alerts GROUP BY toDate(raised_at)));

WITH per_sensor AS
(
    SELECT sensor_id, quantile(0.99)(value) AS q99
    FROM readings
    GROUP BY sensor_id
),
limits AS
(
    SELECT sensor_id, arrayMax(limits) AS upper_limit FROM sensors WHERE notEmpty(limits)
)
SELECT p.sensor_id, p.q99, l.upper_limit
FROM per_sensor AS p
INNER JOIN limits AS l USING (sensor_id)
WHERE p.q99 > l.upper_limit;

SELECT event_type AS t, t AS again, uniq(device_id) AS u FROM events GROUP BY t ORDER BY u DESC, again;

with a as (select 1 as x union all select 2), b as (select x + 1 as y from a) select * from a, b where y > x;

SELECT multiIf(peak > 100, 'high', peak > 50, 'medium', 'low') AS band, band = 'high' ? 1 : 0 AS is_high, count() FROM alerts GROUP BY band;

