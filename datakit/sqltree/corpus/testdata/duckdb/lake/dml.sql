INSERT INTO vendors
VALUES (7, 'Blue', {'email': 'ops@blue.example', 'phones': ['+49 30 1', '+49 30 2']}, true, 0.12);

INSERT INTO vendors (vendor_id, name) VALUES (8, 'Green'), (9, 'Red');

INSERT INTO trips (trip_id, vendor_id, pickup_at, fare, tags, extras)
VALUES (1, 2, TIMESTAMP '2024-01-01 08:00:00', 12.5, ['night', 'airport'], MAP {'airport': 1.75});

INSERT INTO vendors BY NAME SELECT 10 AS vendor_id, 'Black' AS name, false AS active;

INSERT INTO quotes BY NAME (FROM trades SELECT symbol, ts, price AS bid, price * 1.001 AS ask);

INSERT INTO holidays BY POSITION
SELECT day,
    kind,
    station
FROM weather
WHERE kind = 'fog';

INSERT OR REPLACE INTO prices
VALUES ('ACME', '2024-01-02', 10, 11, 9.5, 10.5, 1_200_000);

INSERT
  OR IGNORE INTO instruments (symbol, name)
SELECT DISTINCT symbol,
    symbol
FROM trades;

INSERT INTO prices AS p (symbol, "date", close, volume)
SELECT symbol, ts::DATE, arg_max(price, ts), sum(qty)
FROM trades
GROUP BY ALL
ON CONFLICT (symbol, "date") DO UPDATE SET close = excluded.close, volume = p.volume + excluded.volume
WHERE excluded.close IS DISTINCT FROM p.close;

INSERT INTO zones (zone_id, borough, zone_name)
VALUES (300, 'Queens', 'Astoria II')
ON CONFLICT DO NOTHING;

INSERT INTO zones VALUES (301, 'Queens', 'Far', NULL, 1.5, {lat: 40.7, lon: -73.9})
ON CONFLICT (borough, zone_name) DO UPDATE SET area_km2 = EXCLUDED.area_km2, centroid = EXCLUDED.centroid
RETURNING zone_id, centroid.lat AS lat;

INSERT INTO alerts (device_id, level, message)
SELECT device_id,
    'warning',
    'silent'
FROM devices
ANTI JOIN latest_readings USING (device_id)
RETURNING alert_id,
    opened_at;

INSERT INTO file_loads DEFAULT VALUES;

INSERT INTO file_loads (path, row_count, status)
VALUES ('in/a.csv', DEFAULT, 'new')
RETURNING *;

WITH src AS (SELECT from_zone AS a, to_zone AS b, min(minutes) AS m FROM roads GROUP BY ALL)
INSERT INTO roads (from_zone, to_zone, minutes)
SELECT b, a, m FROM src WHERE NOT EXISTS (SELECT 1 FROM roads r WHERE r.from_zone = src.b AND r.to_zone = src.a);

INSERT INTO readings (device_id, ts, metric, value, reading)
SELECT device_id, now(), 'heartbeat', 1.0, union_value(flag := true)
FROM devices
WHERE list_contains(channels, 'hb');

insert into events (session_id, user_id, occurred_at, name, payload, props, items)
values (uuid(), 17, now()::timestamp, 'purchase', '{"currency": "EUR"}', map {'ab_test': 'b'}, [{'sku': 'X-1', 'qty': 2, 'price': 9.99}]);

INSERT INTO users
SELECT * REPLACE (user_id + 1_000_000 AS user_id, NULL AS referrer_id)
FROM users
WHERE plan = 'team';

INSERT INTO main.holidays
FROM (VALUES (DATE '2025-01-01', 'New Year', 'DE')) AS v(day, name, region);

UPDATE trips SET payment = 'unknown' WHERE payment IS NULL;

UPDATE trips
SET tip = tip + 1,
    tags = list_append(tags, 'adjusted')
WHERE trip_id IN (1, 2, 3)
RETURNING trip_id,
    tip,
    total;

UPDATE trips AS t
SET fare = t.fare * (1 + v.commission), tolls = coalesce(t.tolls, 0)
FROM vendors v
WHERE v.vendor_id = t.vendor_id AND v.active;

UPDATE devices
SET location = struct_pack(site := 'depot', storey := 0, pos := {'x': 0.0, 'y': 0.0}),
    parent_id = NULL
WHERE installed_on < DATE '2015-01-01';

UPDATE instruments i SET sector = s.sector FROM (SELECT DISTINCT ON (exchange) exchange, sector FROM instruments WHERE sector IS NOT NULL) s WHERE i.sector IS NULL AND s.exchange = i.exchange;

UPDATE alerts
SET closed_at = now(),
    details = json_merge_patch(details, '{"auto": true}')
WHERE closed_at IS NULL AND opened_at < now() - INTERVAL 30 DAYS AND level < 'critical';

UPDATE prices
SET close = (SELECT arg_max(price, ts) FROM trades WHERE trades.symbol = prices.symbol AND trades.ts::DATE = prices."date")
WHERE close IS NULL;

update "Lab Results"
set "pH Value" = round("pH Value", 1)
where "group" in ('a', 'b') and metals.zinc > 3;

WITH worst AS (SELECT user_id FROM sessions GROUP BY user_id HAVING max(started_at) < TIMESTAMP '2022-01-01')
UPDATE users SET plan = 'free' FROM worst WHERE users.user_id = worst.user_id;

UPDATE weather
SET zone_id = z.zone_id
FROM zones AS z
JOIN roads r ON r.from_zone = z.zone_id
WHERE weather.station = z.zone_name AND r.toll
RETURNING station,
    weather.zone_id;

UPDATE file_loads SET status = DEFAULT, loaded_at = DEFAULT WHERE path LIKE '%.tmp';

DELETE FROM trips WHERE fare < 0;

DELETE FROM readings USING devices d
WHERE readings.device_id = d.device_id AND d.model = 'proto';

DELETE FROM calibrations AS c
USING (SELECT device_id, max(valid_from) AS newest FROM calibrations GROUP BY device_id) m
WHERE m.device_id = c.device_id
  AND c.valid_from < m.newest - INTERVAL 2 YEARS;

DELETE FROM sessions
WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.session_id = sessions.session_id)
RETURNING session_id,
    user_id;

WITH dup AS (SELECT rowid AS rid, row_number() OVER (PARTITION BY symbol, ts ORDER BY rowid) AS n FROM quotes)
DELETE FROM quotes WHERE rowid IN (SELECT rid FROM dup WHERE n > 1);

TRUNCATE holidays;

TRUNCATE TABLE main.file_loads;

MERGE INTO instruments AS i
USING (SELECT DISTINCT symbol FROM quotes) AS q
ON i.symbol = q.symbol
WHEN NOT MATCHED THEN INSERT (symbol, lot_size) VALUES (q.symbol, 1);

MERGE INTO prices p
USING (
    SELECT symbol, ts::DATE AS day, max(price) AS hi, min(price) AS lo, sum(qty) AS v FROM trades GROUP BY ALL
) t ON (p.symbol = t.symbol AND p."date" = t.day)
WHEN MATCHED AND t.v = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET high = greatest(p.high, t.hi), low = least(p.low, t.lo), volume = t.v
WHEN NOT MATCHED THEN INSERT (symbol, "date", high, low, volume) VALUES (t.symbol, t.day, t.hi, t.lo, t.v)
RETURNING merge_action, symbol, "date";

MERGE INTO holidays USING (VALUES (DATE '2025-12-25', 'Christmas', 'US')) AS src(day, name, region) USING (day, region)
WHEN MATCHED THEN UPDATE
WHEN NOT MATCHED THEN INSERT BY NAME;

WITH incoming AS (FROM users WHERE country = 'DE')
MERGE INTO users AS target USING incoming ON target.email = incoming.email
WHEN MATCHED AND incoming.plan <> target.plan THEN UPDATE SET plan = incoming.plan
WHEN NOT MATCHED BY SOURCE AND target.plan = 'free' THEN DELETE;

MERGE INTO devices USING alerts USING (device_id)
WHEN MATCHED AND alerts.level = 'critical' THEN UPDATE SET labels = MAP {'state': 'broken'}
WHEN NOT MATCHED BY TARGET THEN DO NOTHING;

COPY trips TO 'out/trips.parquet' (FORMAT parquet, COMPRESSION zstd);

COPY (SELECT z.borough, year(t.pickup_at) AS y, t.* EXCLUDE (route) FROM trips t JOIN zones z ON z.zone_id = t.pickup_zone)
TO 'out/trips' (FORMAT parquet, PARTITION_BY (borough, y), OVERWRITE_OR_IGNORE);

COPY zones (zone_id, borough, zone_name) TO 'zones.csv' (HEADER, DELIMITER ';');

COPY (FROM daily_trips WHERE revenue > 1_000) TO 'top.json' (FORMAT json, ARRAY true);

COPY holidays FROM 'holidays.csv' (FORMAT csv, HEADER true, NULLSTR 'NA');

COPY users (user_id, email, country) FROM 'users.csv' WITH (HEADER, DELIM '|');

COPY (SELECT 1 AS a, $$x$$ AS b) TO '/dev/null' WITH (FORMAT CSV, HEADER FALSE);
