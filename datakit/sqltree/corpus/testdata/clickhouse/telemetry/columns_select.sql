SELECT COLUMNS('^cpu_') FROM metrics LIMIT 5;

SELECT host, COLUMNS('^mem') APPLY(max) FROM metrics GROUP BY host;

SELECT * EXCEPT (raw_json, props) FROM events WHERE event_time > yesterday();

SELECT * REPLACE (value * 10 AS value) FROM readings LIMIT 1;

SELECT * EXCEPT batch_id REPLACE (round(value, 2) AS value) FROM readings WHERE quality < 10;

SELECT COLUMNS(cpu_user, cpu_system, cpu_idle) APPLY(avg) APPLY(x -> round(x, 1)) FROM metrics;

SELECT m.COLUMNS('cpu'), m.host FROM metrics AS m;

SELECT d.* EXCEPT (labels), s.site_name FROM devices AS d JOIN sites AS s USING (site_id);

SELECT DISTINCT ON (device_id, rule_id) alert_id, raised_at FROM alerts ORDER BY device_id, rule_id, raised_at DESC;

SELECT DISTINCT model, firmware FROM devices ORDER BY ALL;

SELECT value FROM readings SAMPLE 0.1 LIMIT 10;

SELECT count() * 10 AS estimate FROM readings AS r SAMPLE 1/10 OFFSET 1/2 WHERE r.quality > 0;

SELECT sensor_id, _sample_factor, value FROM readings SAMPLE 100000;

SELECT device_id, ts, value FROM readings ORDER BY ts DESC LIMIT 2, 1 BY device_id LIMIT 100;

SELECT * FROM alerts ORDER BY raised_at OFFSET 20 ROWS FETCH FIRST 10 ROWS ONLY;

FROM sites SELECT site_name, country WHERE latitude > 50;

SELECT _part, count() AS rows_in_part FROM readings GROUP BY _part ORDER BY rows_in_part DESC;

SELECT sensor_id, day, value_int FROM readings WHERE day = '2026-05-05';

SELECT event_id FROM events PREWHERE event_type = 'crash' WHERE message ILIKE '%overheat%' LIMIT 50;

SELECT `device_id`, "serial", `d`.`labels` FROM `devices` AS `d` WHERE "d"."status" = 'idle';

SELECT telemetry.devices.device_id, devices.model FROM telemetry.devices LIMIT 3;

SELECT site_name, country FROM sites ORDER BY site_name COLLATE 'de' ASC NULLS LAST;

(SELECT device_id FROM alerts LIMIT 10)
UNION ALL
(SELECT device_id FROM events WHERE severity = 'error' LIMIT 10);

SELECT host FROM metrics UNION DISTINCT SELECT host FROM logs ORDER BY host;

SELECT device_id FROM devices EXCEPT SELECT device_id FROM readings;

SELECT user_id FROM users INTERSECT SELECT assumeNotNull(user_id) FROM events WHERE user_id IS NOT NULL;

SELECT src, sum(n) FROM (
    SELECT 'log' AS src, count() AS n FROM logs
    UNION ALL
    SELECT 'event', count() FROM events
    UNION ALL
    SELECT 'span', count() FROM spans
) GROUP BY src WITH TOTALS;

SELECT sensor_id FROM sensors WHERE NOT enabled AND exists(SELECT 1 FROM devices WHERE devices.status = 'retired');

SELECT any(serial), max(installed_at) FROM devices WHERE labels['a'] != '' AND (status, firmware) IN (('active', '1.0'), ('idle', '1.1'));

SELECT site, energy FROM site_energy WHERE energy > (SELECT avg(energy) FROM site_energy);

SELECT dictGet('device_dict', 'model', device_id) AS model_name, count() FROM alerts GROUP BY model_name;

SELECT dictGetOrDefault('device_dict', 'serial', r.device_id, 'n/a') AS serial, max(r.value) FROM readings AS r WHERE dictHas('device_dict', r.device_id) GROUP BY serial;

SELECT dd.model, count() FROM device_dict AS dd GROUP BY dd.model;

SELECT version, released_on FROM firmware_releases WHERE version NOT IN (SELECT DISTINCT firmware FROM devices) AND model = 'TX-2' ORDER BY released_on DESC NULLS FIRST LIMIT 1;

SELECT * EXCEPT (notes) APPLY(toString) FROM firmware_releases;

SELECT tuple(*) AS row_tuple FROM error_codes;

