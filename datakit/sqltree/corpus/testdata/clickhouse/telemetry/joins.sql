SELECT d.serial, s.site_name, d.labels['rack'] AS rack
FROM devices AS d
INNER JOIN sites AS s ON s.site_id = d.site_id
WHERE d.status != 'retired' AND s.country = 'NL';

SELECT r.sensor_id, r.ts, r.value, p.price
FROM readings AS r
ASOF LEFT JOIN (SELECT 1001 AS sensor_id, valid_from, price FROM energy_prices WHERE region = 'north') AS p
    ON r.sensor_id = p.sensor_id AND r.ts >= p.valid_from
WHERE r.quality = 100;

SELECT device_id, model, any_alert.peak
FROM active_devices
ANY LEFT JOIN alerts AS any_alert USING (device_id)
ORDER BY any_alert.peak DESC;

SELECT d.device_id, d.model
FROM devices d
LEFT ANTI JOIN readings r ON r.device_id = d.device_id
WHERE d.installed_at < now() - INTERVAL 1 MONTH;

SELECT user_id, login FROM users LEFT SEMI JOIN events ON events.user_id = users.user_id;

SELECT a.alert_id, ar.rule_name, d.serial, st.site_name
FROM alerts a
JOIN alert_rules ar ON a.rule_id = ar.rule_id
JOIN devices d ON d.device_id = a.device_id
LEFT JOIN sites st ON st.site_id = d.site_id
WHERE a.cleared_at IS NULL
ORDER BY a.raised_at
SETTINGS join_algorithm = 'partial_merge';

SELECT event_time, device_id, message, description
FROM events
GLOBAL ANY LEFT JOIN error_codes ON toUInt16OrZero(props['code']) = error_codes.code
WHERE severity = 'error';

SELECT child.service AS callee, parent.service AS caller, count() AS calls
FROM spans AS child
INNER JOIN spans AS parent ON parent.span_id = child.parent_span_id AND parent.trace_id = child.trace_id
WHERE child.service != parent.service
GROUP BY callee, caller;

SELECT l.ts, l.body, sp.operation
FROM logs l
INNER JOIN spans sp USING trace_id
WHERE l.level = 'ERROR' AND sp.duration_ns > 1000000000;

SELECT s.site_name, du.usageDate, du.kWh, prev.kWh AS kWh_before
FROM DailyUsage AS du
LEFT JOIN DailyUsage AS prev ON prev.siteId = du.siteId AND prev.usageDate = du.usageDate - 1
INNER JOIN sites AS s ON s.site_id = du.siteId;

SELECT n.number AS hour_no, count(e.event_id) AS events_in_hour
FROM numbers(24) AS n
LEFT JOIN events AS e ON toHour(e.event_time) = n.number
GROUP BY hour_no
ORDER BY hour_no;

SELECT d1.device_id, d2.device_id AS twin, d1.ip
FROM devices d1, devices d2
WHERE d1.ip = d2.ip AND d1.device_id < d2.device_id;

SELECT coalesce(nullIf(l.host, ''), m.host) AS host, l.errors, m.load
FROM (SELECT host, count() AS errors FROM logs WHERE level = 'ERROR' GROUP BY host) AS l
FULL OUTER JOIN (SELECT host, max(cpu_user) AS load FROM metrics GROUP BY host) AS m ON l.host = m.host;

SELECT f.device_id, sum(f.bytes) AS traffic, dp.site_name
FROM network_flows f RIGHT JOIN device_places dp ON dp.device_id = f.device_id
GROUP BY f.device_id, dp.site_name;

SELECT sensors.*, last_readings.last_value
FROM sensors
CROSS JOIN last_readings
WHERE sensors.device_id = last_readings.device_id AND sensors.kind = last_readings.kind;

SELECT region, event_time, price
FROM (SELECT 'north' AS region, event_time FROM events WHERE event_type = 'charge') AS c
ASOF JOIN energy_prices ep ON c.region = ep.region AND c.event_time >= ep.valid_from;

SELECT device_id FROM devices WHERE (device_id, site_id) IN (SELECT device_id, toUInt32(1) FROM alerts WHERE peak > 100);

SELECT count() FROM readings WHERE sensor_id GLOBAL IN (SELECT sensor_id FROM sensors WHERE unit = 'C') AND device_id NOT IN (SELECT device_id FROM devices WHERE status = 'retired');

SELECT fr.version, fr.released_on, count(d.device_id) AS installed
FROM firmware_releases AS fr
LEFT JOIN devices AS d ON d.firmware = fr.version AND d.model = fr.model
GROUP BY fr.version, fr.released_on
ORDER BY fr.released_on DESC;

SELECT t.trace_id, groupArray((t.service, t.duration_ns)) AS path, lg.cnt
FROM spans AS t
LEFT JOIN (SELECT trace_id, count() AS cnt FROM logs GROUP BY trace_id) AS lg ON lg.trace_id = t.trace_id
GROUP BY t.trace_id, lg.cnt
HAVING length(path) > 10;

SELECT a.site_name, b.site_name, round(geoDistance(a.longitude, a.latitude, b.longitude, b.latitude) / 1000) AS km
FROM sites a CROSS JOIN sites b
WHERE a.site_id < b.site_id AND km < 50;

SELECT *
FROM (SELECT number AS a FROM numbers(3)) AS l
PASTE JOIN (SELECT site_id AS b FROM sites ORDER BY site_id LIMIT 3) AS r;

