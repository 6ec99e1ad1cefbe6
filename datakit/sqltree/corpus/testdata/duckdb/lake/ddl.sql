CREATE TABLE trips_2024 AS FROM trips WHERE year(pickup_at) = 2024;

CREATE OR REPLACE TABLE zone_hours AS
SELECT pickup_zone AS zone_id, hour(pickup_at) AS hr, count(*) AS n, avg(total) AS avg_total
FROM trips
GROUP BY ALL
ORDER BY zone_id, hr;

CREATE TEMP TABLE scratch (a INTEGER, b VARCHAR DEFAULT 'x', c AS (a * 2), CHECK (a > 0));

CREATE TABLE IF NOT EXISTS notes (
    note_id INTEGER PRIMARY KEY,
    trip_id BIGINT REFERENCES trips (trip_id),
    body VARCHAR NOT NULL CHECK (length(body) < 500),
    created_at TIMESTAMPTZ DEFAULT now(),
    attrs STRUCT(author VARCHAR, tags VARCHAR[]),
    author VARCHAR GENERATED ALWAYS AS (struct_extract(attrs, 'author'))
);

CREATE TEMPORARY TABLE names(n) AS SELECT zone_name FROM zones WHERE borough = 'Bronx';

CREATE TABLE empty_trips AS FROM trips WITH NO DATA;

CREATE OR REPLACE TEMP VIEW expensive AS SELECT trip_id,
    total
FROM trips
WHERE total > 200;

CREATE VIEW IF NOT EXISTS critical_alerts (id, device, since) AS
    SELECT a.alert_id, d.label, a.opened_at FROM alerts a JOIN devices d USING (device_id) WHERE a.level = 'critical';

CREATE INDEX idx_trips_pickup ON trips (pickup_at);

CREATE UNIQUE INDEX idx_users_mail ON users (lower(email));

CREATE INDEX IF NOT EXISTS idx_events_page ON events ((payload->>'page'), user_id);

CREATE SEQUENCE IF NOT EXISTS note_seq START WITH 10 INCREMENT BY 5 MAXVALUE 1000 CYCLE;

CREATE TYPE mood AS ENUM (SELECT DISTINCT sector FROM instruments WHERE sector IS NOT NULL);

CREATE TYPE money_amount AS STRUCT(amount DECIMAL(12, 2), currency VARCHAR);

CREATE MACRO tip_rate(f, t) AS CASE WHEN f > 0 THEN t / f END;

CREATE OR REPLACE MACRO add_days(d, n := 1) AS d + n::INTEGER;

CREATE MACRO top_zones(n) AS TABLE
    SELECT z.zone_name, sum(d.revenue) AS revenue
    FROM daily_trips d JOIN zones z USING (zone_id)
    GROUP BY ALL ORDER BY revenue DESC LIMIT n;

CREATE TEMP FUNCTION bearing(a, b) AS degrees(atan2(b.lon - a.lon, b.lat - a.lat));

CREATE OR REPLACE MACRO zone_of(id) AS (SELECT zone_name FROM zones WHERE zone_id = id);

CREATE MACRO over_(a) AS a + 1, (a, b) AS a + b;

ALTER TABLE trips ADD COLUMN airport_fee DECIMAL(6, 2) DEFAULT 0;

ALTER TABLE IF EXISTS weather ADD COLUMN IF NOT EXISTS humidity FLOAT;

ALTER TABLE quotes RENAME COLUMN bid TO bid_price;

ALTER TABLE trades ALTER COLUMN trader SET DEFAULT 'desk';

ALTER TABLE users ALTER country SET NOT NULL;

ALTER TABLE file_loads ALTER COLUMN row_count TYPE BIGINT USING row_count::BIGINT;

ALTER TABLE holidays RENAME TO public_holidays;

ALTER TABLE calibrations DROP COLUMN technician;

ALTER TABLE calibrations ADD PRIMARY KEY (device_id, valid_from);

ALTER VIEW event_lines RENAME TO purchase_lines;

DROP VIEW IF EXISTS payments_wide;

DROP TABLE IF EXISTS zone_hours CASCADE;

DROP INDEX IF EXISTS idx_trips_pickup;

DROP MACRO pct;

DROP TABLE holidays;

COMMENT ON TABLE trips IS 'one row per ride';

COMMENT ON COLUMN trips.fare IS 'metered fare without tip and tolls';

CREATE SCHEMA IF NOT EXISTS archive;

ATTACH 'old.duckdb' AS old (READ_ONLY);

USE memory.main;

SET memory_limit = '4GB';

SET SESSION threads TO 4;

RESET threads;

SET VARIABLE since = DATE '2024-01-01';

SET VARIABLE busiest = (SELECT zone_id FROM daily_trips GROUP BY zone_id ORDER BY sum(trip_count) DESC LIMIT 1);

SELECT t.*
FROM trips t
WHERE t.pickup_at >= getvariable('since')::DATE AND t.pickup_zone = getvariable('busiest')::INT;

RESET VARIABLE since;

PREPARE by_zone AS SELECT * FROM trips WHERE pickup_zone = $1 AND fare > $2;

BEGIN TRANSACTION;

COMMIT;

CHECKPOINT;

VACUUM ANALYZE trips;

PRAGMA database_size;

CALL pragma_table_info('readings');

INSTALL spatial;

SELECT trip_id, fare FROM trips WHERE vendor_id = ? AND pickup_at BETWEEN ? AND ?;

SELECT *
FROM users
WHERE country = $country
  AND signed_up_at >= $since
ORDER BY signed_up_at
LIMIT $n;

SELECT count(*) FROM trips WHERE pickup_zone = $1 OR dropoff_zone = $1;

SELECT symbol, close FROM prices WHERE "date" = $day::DATE AND symbol IN ($a, $b, upper($c));

INSERT INTO calibrations VALUES (?, ?, ?, ?, ?);

UPDATE devices SET label = $label, model = coalesce($model, model) WHERE device_id = $id;

DELETE FROM alerts WHERE alert_id = ? RETURNING *;

SELECT * FROM trips TABLESAMPLE 10%;

SELECT * FROM trips TABLESAMPLE reservoir(20 ROWS) REPEATABLE (42);

SELECT t.trip_id, z.zone_name
FROM trips t TABLESAMPLE bernoulli(5 PERCENT), zones z
WHERE z.zone_id = t.pickup_zone;

SELECT device_id, value FROM readings WHERE value > 0 USING SAMPLE 50 ROWS;

FROM events USING SAMPLE 10% (system, 377);

SELECT s.name,
    count(*)
FROM (FROM events USING SAMPLE reservoir(1000 ROWS) REPEATABLE (1)) s
GROUP BY s.name;
