SELECT ts, value FROM sensor_window(sensor = 5, since = '2026-01-01 00:00:00') WHERE quality > 50;

SELECT id, doc.user.name AS user_name, doc.items.:`Array(JSON)` AS items, doc.^meta AS meta FROM payloads WHERE doc.user.id.:Int64 > 10;

SELECT count() FILTER (WHERE severity = 'error') AS errors, uniq(device_id) FILTER (WHERE event_type = 'boot') AS booted FROM events;

SELECT quantileIf(0.9)(duration_ns, status_code < 400) AS ok_p90, topKWeighted(3)(operation, duration_ns) AS heavy, sumOrNullIf(duration_ns, status_code = 500) AS lost FROM spans;

SELECT (SELECT (min(ts), max(ts)) FROM readings) AS span, span.1 AS first_ts, span.2 AS last_ts;

SELECT device_id, arrayMap(l -> concat(l, '=', labels[l]), mapKeys(labels)) AS pairs, arrayFilter(k -> arrayExists(p -> p = k, ['rack', 'env']), mapKeys(labels)) AS known_keys FROM devices;

SELECT arraySort((x, y) -> y, pages, durations) AS by_duration, arrayMap((durations, i) -> durations * i, durations, arrayEnumerate(durations)) AS weighted FROM device_sessions;

SELECT device_id FROM devices WHERE device_id IN (101, 102) AND model IN ['TX-1', 'TX-2'] AND (site_id, status) NOT IN ((1, 'idle'));

SELECT event_type, count() AS c FROM events WHERE device_id GLOBAL NOT IN (SELECT device_id FROM active_devices) GROUP BY event_type ORDER BY c DESC LIMIT 1 WITH TIES;

SELECT toStartOfDay(e.event_time) AS day, d.model AS model, count() AS c
FROM events AS e
INNER JOIN devices AS d FINAL ON d.device_id = e.device_id
GROUP BY day, model
ORDER BY day WITH FILL STEP INTERVAL 1 DAY, model;

SELECT e.*, d.model FROM events AS e LEFT JOIN devices AS d USING (device_id) WHERE d.model = '' LIMIT 5;

SELECT s.service AS svc, s.`operation`, avg(s.duration_ns) / 1e6 AS avg_ms FROM spans s GROUP BY svc, s.operation HAVING avg_ms > 10 ORDER BY svc, avg_ms DESC LIMIT 5 BY svc;

SELECT u.login, e.message
FROM users AS u
INNER JOIN events AS e ON e.user_id = u.user_id AND e.severity = 'error'
WHERE u.created_at > now() - INTERVAL '6 month' AND e.event_time > u.created_at;

SELECT * FROM (SELECT sensor_id, max(value) AS m FROM readings GROUP BY sensor_id) AS r INNER JOIN sensors AS s ON s.sensor_id = r.sensor_id AND s.enabled = true ORDER BY r.m DESC;

SELECT x.device_id, x.n, y.n AS n_alerts
FROM (SELECT device_id, count() AS n FROM events GROUP BY device_id) AS x
INNER JOIN (SELECT device_id, count() AS n FROM alerts GROUP BY device_id) AS y ON x.device_id = y.device_id
WHERE x.n > y.n;

WITH bounds AS (SELECT min(peak) AS lo, max(peak) AS hi FROM alerts)
SELECT alert_id, (peak - bounds.lo) / nullIf(bounds.hi - bounds.lo, 0) AS scaled FROM alerts CROSS JOIN bounds ORDER BY scaled DESC;

WITH totals AS (SELECT siteId, sum(kWh) AS total FROM DailyUsage GROUP BY siteId)
SELECT s.site_name, t.total, (SELECT avg(total) FROM totals) AS mean, t.total > mean AS above
FROM totals AS t
INNER JOIN sites AS s ON s.site_id = t.siteId;

SELECT rule_name, kind = 'temp' AND active AS temp_rule, threshold BETWEEN 10 AND 20 AS mid, NOT active AS off FROM alert_rules WHERE (kind, rule_id) = ('temp', 3);

SELECT toYYYYMM(flow_start) AS month, tupleElement((protocol, dst_port), 2) AS port, groupArray(3)(dst_ip) AS some, groupBitmap(device_id) AS devices FROM network_flows GROUP BY month, port;

SELECT region, valid_from, price, finalizeAggregation(st) AS total FROM (SELECT region, valid_from, price, sumState(price) AS st FROM energy_prices GROUP BY region, valid_from, price ORDER BY valid_from);

SELECT site_name, arrayStringConcat(arrayMap(t -> upper(t), arrayFilter(t -> t != '', tags)), '|') AS t FROM sites ORDER BY length(tags) DESC, site_name;

SELECT host, ts, cpu_user AS u, cpu_system AS s, u + s AS busy, busy > 90 ? 'hot' : 'cool' AS state FROM metrics PREWHERE metric = 'host' WHERE busy > 50 ORDER BY busy DESC;

SELECT DISTINCT arrayJoin(tags) AS tag FROM sites WHERE tag NOT IN (SELECT arrayJoin(tags) FROM sites WHERE country = 'FR') ORDER BY tag;

SELECT description FROM error_codes WHERE code IN (SELECT toUInt16(status_code) FROM spans WHERE status_code >= 500) UNION ALL SELECT hint FROM error_codes WHERE code = 0;

ALTER TABLE alerts UPDATE notes = 'checked', cleared_at = now() WHERE alert_id = 7 SETTINGS mutations_sync = 1;

CHECK TABLE readings_hourly;

DESCRIBE (SELECT device_id, count() AS c FROM events GROUP BY device_id);

CREATE TABLE spans_slow (trace_id FixedString(32), ms Float64) ENGINE = MergeTree ORDER BY trace_id AS SELECT trace_id, duration_ns / 1e6 AS ms FROM spans WHERE ms > 1000;

CREATE MATERIALIZED VIEW log_errors_mv TO error_codes AS SELECT toUInt16OrZero(fields['code']) AS code, any(body) AS description, '' AS hint FROM logs WHERE level = 'ERROR' GROUP BY code;

KILL MUTATION WHERE table = 'readings';

