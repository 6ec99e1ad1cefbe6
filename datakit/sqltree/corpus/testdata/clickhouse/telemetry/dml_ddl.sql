INSERT INTO sites (site_id, site_name, country, tags) VALUES (1, 'Harbour', 'NL', ['dock', 'zone-1']), (2, 'Hill', 'DE', []);

INSERT INTO readings_hourly
SELECT sensor_id, toStartOfHour(ts), avgState(value), max(value), uniqState(batch_id), count()
FROM readings
WHERE ts >= toStartOfHour(now() - INTERVAL 1 HOUR)
GROUP BY sensor_id, toStartOfHour(ts);

INSERT INTO events (device_id, event_type, event_time, severity, message, props)
SELECT device_id, 'rule', raised_at, 'warn', concat('rule ', toString(rule_id)), map('peak', toString(peak))
FROM alerts
WHERE cleared_at IS NULL;

INSERT INTO alert_rules (* EXCEPT (recipients)) SELECT rule_id + 1000, rule_name, kind, threshold * 2, comparison, window_sec, active FROM alert_rules;

INSERT INTO devices (device_id, site_id, serial, labels) SETTINGS async_insert = 1, wait_for_async_insert = 0 VALUES (1, 1, 'S-0001', {'rack': 'A1', 'env': 'prod'});

INSERT INTO DailyUsage WITH toDate(ts) AS d SELECT d, 1, sum(value), max(value) FROM readings WHERE sensor_id = 99 GROUP BY d;

INSERT INTO FUNCTION s3('https://bucket.example.com/out/alerts.parquet', 'Parquet') SELECT * FROM alerts WHERE toYear(raised_at) = 2025;

INSERT INTO TABLE FUNCTION file('users.csv', 'CSV', 'id UInt64, login String') SELECT user_id, login FROM users;

ALTER TABLE readings UPDATE quality = 0 WHERE value IS NULL OR isNaN(value);

ALTER TABLE devices UPDATE firmware = 'unknown', is_deleted = 1 WHERE device_id IN (SELECT device_id FROM alerts WHERE peak > 1000);

ALTER TABLE logs DELETE WHERE level = 'DEBUG' AND ts < now() - INTERVAL 7 DAY;

ALTER TABLE events DELETE IN PARTITION '2026-01-01' WHERE device_id = 13;

DELETE FROM alerts WHERE cleared_at < now() - INTERVAL 1 YEAR;

DELETE FROM users WHERE user_id NOT IN (SELECT assumeNotNull(user_id) FROM events WHERE user_id IS NOT NULL) AND has(roles, 'guest');

ALTER TABLE readings ADD COLUMN IF NOT EXISTS source LowCardinality(String) DEFAULT 'mqtt' AFTER quality;

ALTER TABLE users DROP COLUMN team;

ALTER TABLE users RENAME COLUMN login TO user_name;

ALTER TABLE alerts MODIFY COLUMN notes String DEFAULT '';

ALTER TABLE logs MODIFY TTL toDateTime(ts) + INTERVAL 30 DAY;

ALTER TABLE spans ADD INDEX idx_trace trace_id TYPE bloom_filter(0.01) GRANULARITY 4;

ALTER TABLE readings ADD PROJECTION by_device (SELECT device_id, count(), max(ts) GROUP BY device_id);

ALTER TABLE readings DROP PARTITION 202401;

ALTER TABLE metrics COMMENT COLUMN mem_used 'resident bytes';

OPTIMIZE TABLE devices FINAL DEDUPLICATE BY device_id, site_id;

TRUNCATE TABLE IF EXISTS firmware_releases;

RENAME TABLE alerts TO alerts_old;

EXCHANGE TABLES users AND error_codes;

DROP TABLE IF EXISTS network_flows SYNC;

DROP VIEW last_readings;

CREATE TABLE daily_errors
(
    day Date,
    device_id UInt64,
    errors UInt64
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (day, device_id);

CREATE TABLE worst_devices ENGINE = MergeTree ORDER BY device_id AS
SELECT device_id, count() AS alert_count, max(peak) AS worst_peak
FROM alerts
GROUP BY device_id
HAVING alert_count > 10;

CREATE TABLE readings_copy AS readings ENGINE = MergeTree ORDER BY ts;

CREATE TABLE IF NOT EXISTS readings_dist AS readings ENGINE = Distributed('main', 'telemetry', 'readings', cityHash64(sensor_id));

CREATE TEMPORARY TABLE wanted (device_id UInt64) ENGINE = Memory;

CREATE MATERIALIZED VIEW usage_mv TO DailyUsage AS
SELECT toDate(r.ts) AS usageDate, d.site_id AS siteId, sum(r.value) AS kWh, max(r.value) AS peakKw
FROM readings AS r
INNER JOIN devices AS d ON d.device_id = r.device_id
GROUP BY usageDate, siteId;

CREATE MATERIALIZED VIEW error_counts
ENGINE = SummingMergeTree
ORDER BY (event_type, day)
POPULATE
AS SELECT event_type, toDate(event_time) AS day, count() AS errors FROM events WHERE severity = 'error' GROUP BY event_type, day;

CREATE MATERIALIZED VIEW price_mv REFRESH EVERY 1 HOUR TO energy_prices AS
SELECT 'south' AS region, now() AS valid_from, toDecimal64(avg(price), 4) AS price FROM energy_prices WHERE region = 'north';

CREATE OR REPLACE VIEW failing_services AS SELECT service, countIf(status_code >= 500) AS failures FROM spans GROUP BY service;

CREATE VIEW readings_of AS SELECT ts, value FROM readings WHERE sensor_id = {sensor:UInt64};

CREATE DICTIONARY site_dict (site_id UInt32, site_name String) PRIMARY KEY site_id SOURCE(CLICKHOUSE(TABLE 'sites')) LAYOUT(FLAT()) LIFETIME(600);

EXPLAIN SELECT count() FROM readings WHERE sensor_id = 5;

EXPLAIN PIPELINE SELECT host, max(mem_used) FROM metrics GROUP BY host;

EXPLAIN indexes = 1 SELECT * FROM logs WHERE host = 'gw-01' AND ts > now() - 60;

DESCRIBE TABLE readings;

SHOW CREATE TABLE events;

EXISTS TABLE users;

SHOW TABLES LIKE 'read%';

SET max_memory_usage = 10000000000;

SYSTEM FLUSH LOGS;

CREATE FUNCTION celsius AS (f) -> (f - 32) * 5 / 9;

GRANT SELECT ON telemetry.readings TO analyst;

