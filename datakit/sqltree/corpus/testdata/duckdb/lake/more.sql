SELECT #1, #2 FROM zones ORDER BY #2 DESC;

SELECT * FROM trips AS t(id, vendor) WHERE t.id > 5 AND vendor = 1 AND fare > 0;

SELECT fare + tip AS total, total FROM trips;

SELECT upper(borough) AS borough,
    count(*)
FROM zones
WHERE borough <> 'EWR'
GROUP BY borough;

SELECT date_trunc('hour', pickup_at) AS pickup_at,
    count(*)
FROM trips
GROUP BY 1
ORDER BY pickup_at;

SELECT payment AS p, count(*) AS c
FROM trips
GROUP BY p
HAVING c > (SELECT avg(n) FROM (SELECT count(*) AS n FROM trips GROUP BY payment));

SELECT t.tag FROM trips CROSS JOIN LATERAL unnest(tags) AS t(tag);

SELECT trip_id, unnest FROM trips, unnest(tags);

SELECT d.label,
    c.ch
FROM devices d
LEFT JOIN LATERAL unnest(d.channels) c(ch) ON true
ORDER BY d.label, c.ch;

SELECT location.site FROM devices AS location;

SELECT loc.site FROM (SELECT location AS loc FROM devices) WHERE loc.pos.x > 0;

SELECT "location"."pos"."x", "devices"."location"."site" FROM "devices";

SELECT preferences.* EXCLUDE (notify) FROM users;

SELECT s.x, s.y FROM (SELECT unnest(location.pos) FROM devices) s;

SELECT device_id, pos.x FROM (SELECT device_id, unnest(location) FROM devices);

SELECT item.sku,
    sum(item.qty)
FROM events, unnest(items) AS i(item)
WHERE events.name = 'purchase'
GROUP BY item.sku;

SELECT i.item.price * i.item.qty AS amount, event_id FROM events e CROSS JOIN unnest(e.items) AS i(item);

SELECT list_transform(tags, tags -> upper(tags)) FROM trips;

SELECT list_transform(route, lambda leg: leg.lat) AS lats, fare FROM trips;

SELECT list_transform(tags, lambda t, i: {'pos': i, 'tag': t, 'trip': trip_id})[1].tag
FROM trips;

SELECT [[p.lat, p.lon] for p in route] AS pts, [p for p in tags if p = payment::VARCHAR] AS same
FROM trips;

SELECT list_filter(range(10), lambda x: list_contains([y + 1 for y in range(3)], x)) AS few;

SELECT e.name,
    list_sum(list_transform(items, lambda i: i.qty)) AS units
FROM events e
GROUP BY ALL;

SELECT memory.main.trips.fare, main.trips.tip FROM memory.main.trips;

SELECT trip_id FROM trips WHERE COLUMNS('fare|tip|tolls') >= 0;

SELECT trip_id,
    greatest(*COLUMNS('fare|tip')) AS biggest,
    [*COLUMNS('_zone$')] AS pair
FROM trips;

SELECT * LIKE 'p%' FROM trips;

SELECT * NOT LIKE '%zone%' FROM trips LIMIT 2;

SELECT t.* EXCLUDE (tags, route) REPLACE (fare::INT AS fare) RENAME (tip AS gratuity)
FROM trips t;

SELECT gratuity FROM (SELECT * RENAME (tip AS gratuity) FROM trips);

SELECT c0 FROM (SELECT * EXCLUDE (trip_id), trip_id AS c0 FROM trips);

FROM (FROM trips WHERE fare > 1) f SELECT f.trip_id ORDER BY f.fare;

FROM trips t
SELECT t.payment, n: count(*),
WHERE t.tip > 0
GROUP BY t.payment
HAVING n > 3
ORDER BY n
LIMIT 3;

WITH x AS (FROM trips SELECT trip_id, tip)
FROM x
SELECT max(tip) AS tip,
    arg_max(trip_id, tip);

SELECT trip_id FROM trips WHERE payment IN ['card', 'cash'] AND passenger_count = ANY ([1, 2]) AND vendor_id NOT IN (SELECT vendor_id FROM vendors WHERE NOT active);

SELECT trip_id
FROM trips
ORDER BY total DESC
LIMIT (SELECT count(*) FROM vendors) OFFSET getvariable('skip')::BIGINT;

SELECT vendors.name.upper() AS loud,
    name.substr(1, 2).lower() AS short,
    ('x').concat(name)
FROM vendors;

SELECT name ^@ 'A' AS a,
    name ~ '^B',
    name !~ 'c$',
    name ~~ 'D%',
    name !~~ 'E%',
    name ~~* 'f%'
FROM vendors;

SELECT calibration <-> [1, 2, 3]::DOUBLE[3] AS l2,
    calibration <=> [1, 2, 3]::DOUBLE[3] AS cosine
FROM devices;

SELECT TRY(1 / value) AS inv, CAST(value AS DECIMAL(10, 3)), value::FLOAT::VARCHAR || '°' AS label
FROM readings;

SELECT reading::VARCHAR AS txt,
    CASE union_tag(reading) WHEN 'num' THEN reading.num::VARCHAR WHEN 'txt' THEN reading.txt ELSE NULL END
FROM readings;

SELECT device_id, raw.battery::INT AS battery, raw.radio.rssi, r.raw['fw']
FROM readings r
ORDER BY raw.battery::INT;

SELECT list(value ORDER BY ts) FILTER (WHERE quality = 0) AS series, string_agg(metric ORDER BY ts DESC)
FROM readings
GROUP BY device_id;

SELECT count() AS n, sum(value) FILTER (quality < 3) FROM readings GROUP BY ();

SELECT x.k, x.v FROM (SELECT unnest(map_entries(labels), recursive := true) FROM devices) AS x(k, v);

SELECT m.key,
    m.value
FROM devices, LATERAL (SELECT unnest(map_entries(labels), recursive := true)) m
WHERE m.key = 'owner';

SELECT symbol, prices."date", "prices"."close"
FROM prices
WHERE prices."date" = DATE '2024-01-02';

SELECT p.date FROM prices p WHERE p.date > '2024-01-01';

SELECT low.v AS low,
    high.v AS high
FROM (SELECT min(low) AS v FROM prices) low, (SELECT max(high) AS v FROM prices) high;

SELECT trips.vendor_id
FROM trips
SEMI JOIN vendors ON vendors.vendor_id = trips.vendor_id
  AND vendors.name = 'Green';

SELECT name, vendor_id FROM vendors ANTI JOIN trips USING (vendor_id);

SELECT tip, name FROM trips t ASOF JOIN holidays h ON t.pickup_at >= h.day;

SELECT q.symbol, q.ts, t.price
FROM quotes q
ASOF LEFT JOIN trades t ON q.symbol = t.symbol AND q.ts < t.ts
WHERE t.price IS NULL;

SELECT e.year,
    w.year
FROM energy_monthly e, (SELECT DISTINCT year(day) AS year FROM weather) w
WHERE e.year = w.year;

SELECT year, year(day) AS y FROM energy_monthly, holidays;

SELECT symbol,
    open
FROM prices
UNION BY NAME (SELECT symbol, bid, ask FROM quotes)
UNION ALL BY NAME
FROM trades
SELECT qty,
    symbol;

SELECT symbol,
    price
FROM trades
UNION ALL SELECT symbol,
    close
FROM prices
ORDER BY price DESC, symbol
LIMIT 9;

SELECT * FROM (VALUES (1, 'a'), (2, 'b')) ORDER BY col0;

SELECT col1 FROM (VALUES (1, 'a'), (2, 'b')) v WHERE v.col0 = 1;

WITH RECURSIVE walk AS (
    SELECT user_id, referrer_id, [user_id] AS chain FROM users WHERE referrer_id IS NOT NULL
    UNION ALL
    SELECT walk.user_id, u.referrer_id, walk.chain || [u.user_id] FROM walk JOIN users u ON u.user_id = walk.referrer_id
)
SELECT user_id, max(len(chain)) AS hops FROM walk GROUP BY user_id;

INSERT INTO vendors AS v (vendor_id, name)
VALUES (50, 'Test')
RETURNING vendors.vendor_id,
    vendors.name AS label,
    {v: vendor_id}.v;

INSERT INTO holidays (day, name)
SELECT h.day + INTERVAL 1 YEAR, h.name
FROM holidays h
WHERE year(h.day) = 2024
RETURNING * EXCLUDE (region), day::VARCHAR;

UPDATE vendors
SET contact = struct_insert(contact, fax := 'none')::STRUCT(email VARCHAR, phones VARCHAR[])
WHERE contact.email IS NULL
RETURNING vendor_id AS id, contact.email;

UPDATE trips
SET extras = map_concat(extras, MAP {'surge': 2.5::DECIMAL(6, 2)}), tip = s.tip
FROM (SELECT trip_id, max(tip) AS tip FROM trips GROUP BY trip_id) AS s
WHERE trips.trip_id = s.trip_id AND s.tip > trips.tip;

DELETE FROM alerts a USING devices d, latest_readings l
WHERE a.device_id = d.device_id AND l.device_id = d.device_id AND l.ts > a.opened_at;

MERGE INTO calibrations c USING devices d ON c.device_id = d.device_id
WHEN MATCHED
  AND d.model IS NULL THEN UPDATE SET gain = c.gain * 1.01,
    technician = 'auto'
WHEN NOT MATCHED THEN INSERT (device_id, valid_from)
VALUES (d.device_id, now());

ALTER TABLE devices ADD COLUMN location.city VARCHAR;

ALTER TABLE devices RENAME location.storey TO floor_no;

ALTER TABLE devices DROP COLUMN location.pos.y;

CREATE TABLE wide AS SELECT *
FROM energy_monthly
POSITIONAL JOIN (SELECT site AS other_site FROM "Lab Results");

CREATE OR REPLACE TABLE hours AS SELECT range AS h FROM range(24);

CREATE MACRO clampf(x DOUBLE, lo DOUBLE := 0.0, hi DOUBLE := 1.0) AS greatest(lo, least(hi, x));

SELECT pct(part := tip, whole := fare) AS rate FROM trips;

SHOW trips;

DESCRIBE TABLE zones;

SELECT /* a /* nested */ comment */ zone_id -- and a tail
FROM zones;

SELECT lag(value IGNORE NULLS) OVER w,
    first_value(value ORDER BY quality) OVER w
FROM readings
WINDOW w AS (PARTITION BY device_id ORDER BY ts),
    w2 AS (w ROWS 3 PRECEDING);

SELECT sum(fare) OVER (PARTITION BY vendor_id ORDER BY pickup_at RANGE BETWEEN INTERVAL (passenger_count) HOURS PRECEDING AND CURRENT ROW) FROM trips;

SELECT DISTINCT ON (vendor_id) * EXCLUDE (route)
FROM trips
ORDER BY vendor_id, pickup_at DESC;

SELECT struct.a,
    struct['b']
FROM (SELECT {'a': trip_id, 'b': fare} AS struct FROM trips);

SELECT zone_id,
    centroid::geo AS g,
    (centroid::geo).lat
FROM zones
WHERE centroid.lat BETWEEN 40.5 AND 41 AND centroid.lon < -73;

SELECT z.centroid.lat AS lat, z['zone_id'] AS zid FROM zones z;

SELECT (SELECT z) .zone_name FROM zones z;

SELECT t.trip_id, t['fare'] AS f FROM trips t;

FROM trips, (SELECT max(fare) AS top FROM trips) SELECT trip_id WHERE fare = top;
