SELECT 5! AS permutations, @(tmin) AS magnitude, ~passenger_count AS flipped
FROM weather, trips;

SELECT * EXCLUDE (z.zone_id, t.fare) FROM trips t, zones z;

SELECT z.* EXCLUDE (z.centroid) FROM zones z WHERE z.area_km2 > 3;

SELECT * NOT ILIKE 'T%' FROM trips;

SELECT trips.* LIKE 'f%' FROM trips;

FROM (PIVOT_WIDER trades ON side IN ('buy', 'sell') USING sum(qty) GROUP BY trader) w
SELECT w.trader,
    w.buy;

SELECT DISTINCT ON (vendor_id, payment,) trip_id, vendor_id, payment, FROM trips;

SELECT x.zone_name, x.fare FROM (trips JOIN zones ON pickup_zone = zone_id) x;

SELECT (trips).fare, (t).tip, (t.extras)['airport']
FROM trips, trips t
WHERE (t).trip_id = (trips).trip_id + 1;

SELECT vendor_id ISNULL AS a,
    fare NOTNULL AS b,
    (fare > 1) IS NOT TRUE AS c,
    tip IS NOT NULL AS d
FROM trips;

SELECT trip_id,
    name,
    borough
FROM trips
NATURAL LEFT JOIN vendors
CROSS JOIN zones
POSITIONAL JOIN weather;

SELECT t.tags.len() AS n,
    t.tags.list_filter(lambda x: x > 'a').list_sort()[1] AS first_one
FROM trips t;

SELECT TIMESTAMP_NS '2024-01-01 00:00:00.123456789', TIMESTAMP_S '2024-01-01 00:00:00', '10:00+02'::TIMETZ, b'0101', '\x00'::BLOB, UUID '3f0c8a7e-0000-4000-8000-000000000001' AS u;

SELECT grouping(payment),
    payment,
    vendor_id
FROM trips
GROUP BY ROLLUP (payment), CUBE (vendor_id), GROUPING SETS ((passenger_count), ());

SELECT trip_id FROM trips ORDER BY trip_id OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY;

(FROM trips_between('2024-01-01', '2024-02-01'))
UNION ALL (TABLE trips)
ORDER BY trip_id;

SELECT 1 AS "select",
    2 AS year,
    3 AS "order",
    4 date,
    5 AS type,
    6 AS "value",
    7 "a""b";

SELECT t.date,
    t.year,
    t.type,
    t.value,
    t.key
FROM (SELECT 1 AS date, 2 AS year, 3 AS type, 4 AS value, 5 AS key) t;

SELECT $tag$it's$tag$ || $$ fine$$ AS s, 'multi
line' AS l;

SELECT trip_id
FROM trips
WHERE fare > ? AND payment = ?::payment_kind AND pickup_zone IN (SELECT zone_id FROM zones WHERE borough = ?);

SELECT s.start_at, count(t.trip_id)
FROM (SELECT unnest(range(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-02', INTERVAL 15 MINUTES)) AS start_at) s
LEFT JOIN trips t ON t.pickup_at >= s.start_at AND t.pickup_at < s.start_at + INTERVAL 15 MINUTES
GROUP BY s.start_at;

SELECT count(*) FROM trips WHERE pickup_at::DATE IN (SELECT day FROM holidays) IS FALSE;

SELECT NOT EXISTS (FROM trips WHERE fare < 0) AS clean,
    (SELECT count(*) FROM zones) > (SELECT count(*) FROM vendors) AS more;

SELECT trip_id
FROM trips
WHERE NOT (fare BETWEEN 1 AND 2 OR tip NOT BETWEEN 0 AND 1) AND payment NOT LIKE 'c%';

SELECT '[1, 2, 3]'::INT[] AS l,
    '{"a": 1}'::JSON AS j,
    '{a: 1}'::STRUCT(a INT) AS s,
    'x'::payment_kind IS NULL AS e
FROM zones
WHERE false;

SELECT CAST(NULL AS STRUCT("weird name" INTEGER, plain VARCHAR[])) AS s,
    CAST(NULL AS UNION(a INT, b VARCHAR)) AS u,
    NULL::MAP(VARCHAR, STRUCT(x INT)[]) AS m,
    NULL::DECIMAL(10, 2)[3] AS arr;

SELECT m[1] AS first,
    m['b'] AS b
FROM (SELECT MAP {1: 'x'} AS m) one, (SELECT 1) two
WHERE false;

SELECT {'a': 1, b: 2, "c d": 3} AS s, s['c d'] AS cd, (s).a + (s).b AS ab;

SELECT s['c d'], s.nested.deep[1]
FROM (SELECT {'c d': 1, 'nested': {'deep': [1, 2]}} AS s);

SELECT t.pickup_at.strftime('%Y') AS y,
    (t.payment::VARCHAR).upper() AS p
FROM trips t
WHERE false;

SELECT row_number() OVER (), rank() OVER (ORDER BY fare, tip DESC NULLS FIRST)
FROM trips;

SELECT sum(fare) OVER w1,
    avg(fare) OVER w2
FROM trips
WINDOW w1 AS (PARTITION BY vendor_id),
    w2 AS (w1 ORDER BY pickup_at GROUPS BETWEEN CURRENT ROW AND 1 FOLLOWING);

SELECT z.borough, t.payment, count(*) FROM zones z LEFT OUTER JOIN trips t ON (z.zone_id = t.pickup_zone AND t.fare > 0) RIGHT OUTER JOIN vendors v ON t.vendor_id = v.vendor_id FULL OUTER JOIN weather w ON w.zone_id = z.zone_id GROUP BY z.borough, t.payment;

SELECT l.symbol,
    r.symbol
FROM quotes l
ASOF FULL JOIN trades r ON l.symbol = r.symbol AND l.ts >= r.ts;

SELECT q.symbol
FROM quotes q
ASOF RIGHT JOIN trades t ON q.symbol = t.symbol AND q.ts <= t.ts;

FROM trades t
SEMI JOIN instruments i ON t.symbol = i.symbol AND t.qty % i.lot_size = 0
ANTI JOIN holidays h ON h.day = t.ts::DATE
SELECT t.trader,
    t.qty;

SELECT * FROM range(5) AS r(n), LATERAL (SELECT n * n AS sq) s, LATERAL (SELECT sq + n AS both_n) b WHERE both_n > 3;

SELECT g.generate_series FROM generate_series(1, 3) g;

SELECT r.range, z.zone_name FROM range(1, 3) r, zones z WHERE z.zone_id = r.range;

SELECT unnest(items).sku AS sku, unnest(items).qty FROM events;

SELECT event_id, i.sku
FROM (SELECT event_id, unnest(items) AS i FROM events)
WHERE i.qty > 1
ORDER BY i.price * i.qty;

SELECT count(*) FROM (FROM trips SELECT DISTINCT vendor_id, payment) x;

SELECT max(struct_pack(v := fare, id := trip_id)).id AS id_of_max FROM trips;

SELECT arg_max({id: trip_id, ts: pickup_at}, fare).ts AS ts_max,
    first(t).tip
FROM trips t;

SELECT (list(t ORDER BY t.fare DESC)[1]).trip_id AS top_trip,
    list(t)[1].fare
FROM trips AS t
GROUP BY t.vendor_id;

SELECT any_value(z).zone_name, z.borough FROM zones z GROUP BY z.borough;

SELECT users.preferences.notify.mail, u.preferences.theme FROM users, users u;

WITH devices AS (SELECT {'site': 'fake'} AS location)
SELECT location.site, devices.location.site
FROM devices;

SELECT location.site FROM (SELECT 1 AS site, {'site': 2} AS location) location;

WITH s AS (SELECT location FROM devices) SELECT s.location.pos.x, location.site FROM s;

SELECT e.payload.cart.total, payload.cart.items[1].sku FROM events e;

SELECT t.x.y
FROM (SELECT {'y': fare} AS x FROM trips) t
WHERE t.x.y > 1
GROUP BY t.x.y
HAVING t.x.y < 10
ORDER BY t.x.y;

SELECT vendor_id, contact.phones[1][1:3] AS prefix, len(contact.phones) AS n, (contact.email).split('@')[-1] AS host FROM (SELECT * FROM vendors) contact_list WHERE false;

CREATE OR REPLACE TABLE snapshot_of AS (WITH t AS (FROM trips) SELECT t.trip_id, t.fare FROM t) WITH DATA;

CREATE TABLE part_keys (a INTEGER, b VARCHAR COLLATE NOCASE, c DECIMAL(4, 1)[] DEFAULT [1.0], d STRUCT(x INT, y MAP(VARCHAR, INT)) DEFAULT {'x': 1, 'y': MAP {}}, CONSTRAINT pk PRIMARY KEY (a, b), CONSTRAINT positive CHECK (a > 0 AND len(c) < 9));

CREATE TEMP TABLE IF NOT EXISTS t2 AS VALUES (1, 'a'), (2, 'b');

CREATE VIEW self_named AS SELECT zone_id AS zones FROM zones;

CREATE OR REPLACE MACRO latest_of(dev) AS TABLE (SELECT metric, value FROM latest_readings WHERE device_id = dev);

CREATE MACRO between_(a, b, c) AS (a BETWEEN b AND c), (a, b) AS a <= b;

SELECT t.trip_id FROM trips AS "t" WHERE "t"."Rate Code" = 2 AND T.fare > 1;

SELECT ('a' < 'b') = true,
    1 + 2 * 3 - -4,
    -2 ** 2,
    10 // 3 % 2,
    1 << 2 | 1,
    'x' || 1 || NULL,
    true IS DISTINCT FROM NULL;

SELECT CASE payment WHEN 'card' THEN 1 WHEN 'cash' THEN 2 END + CASE WHEN tip > 0 THEN 1 ELSE 0 END AS score
FROM trips
ORDER BY CASE WHEN score IS NULL THEN 1 END, score;

SELECT CURRENT_DATE, current_timestamp::DATE, LOCALTIME, CURRENT_USER, current_catalog, user, session_user;

SELECT EXTRACT(EPOCH FROM (dropoff_at - pickup_at)),
    EXTRACT(timezone_hour FROM now()),
    date_part('decade', pickup_at)
FROM trips;

SELECT list_transform(list_zip(tags, range(5)), lambda p: p[1] || p[2]) AS tagged
FROM trips;

SELECT list_reduce(list_transform(route, lambda p: p.lat), lambda a, b, i: a + b * i, 0.0) AS weighted
FROM trips;

SELECT list_filter(map_entries(extras), lambda e: e.value > fare)[1].key AS biggest
FROM trips;

SELECT map_from_entries([(e.key, e.value * 2) for e in map_entries(extras)]) AS doubled
FROM trips;

SELECT [zone for zone in [zone_name, borough] if zone IS NOT NULL] AS names FROM zones;

SELECT symbol, [{'t': t, 'n': length(t)} for t in aliases if t <> symbol] AS al
FROM instruments;

SELECT part,
    COUNT(*)
FROM (SELECT UNNEST(STRING_SPLIT(path, '/')) AS part FROM file_loads)
GROUP BY part;

UPDATE energy_monthly
SET (jan, feb) = (feb, (SELECT max(jan) FROM energy_monthly))
WHERE site = 'x';

UPDATE energy_monthly e
SET jan = e.feb, feb = e.jan, mar = DEFAULT WHERE e.jan > e.target_high;

INSERT INTO energy_monthly (site, year, jan)
SELECT site,
    year + 1,
    round(jan * 1.02)
FROM energy_monthly
WHERE year = 2024
UNION ALL SELECT 'new',
    2025,
    0;

INSERT INTO users (user_id, email)
VALUES (?, ?)
ON CONFLICT (user_id) DO UPDATE SET email = excluded.email,
    plan = coalesce(users.plan, 'free')
RETURNING (user_id % 2 = 0) AS even;

INSERT INTO zones BY NAME SELECT zone_id, borough, zone_name FROM (VALUES (999, 'X', 'Y')) AS v(zone_id, borough, zone_name);

INSERT OR REPLACE INTO roads BY NAME
SELECT 1 AS from_zone,
    2 AS to_zone,
    9.5 AS minutes
RETURNING from_zone,
    to_zone,
    toll;

EXPLAIN ANALYZE INSERT INTO holidays SELECT day, 'copy', region FROM holidays;

SUMMARIZE zone_ranking;

DESCRIBE FROM trips SELECT fare, tip;

FROM (DESCRIBE trips) SELECT column_name WHERE "null" = 'NO';

SELECT database_name, schema_name FROM duckdb_schemas() s WHERE NOT s.internal;

FROM duckdb_columns() c
SELECT c.table_name, list(c.column_name ORDER BY c.column_index) AS cols
WHERE c.schema_name = 'main'
GROUP BY c.table_name;

SELECT s.name, s.value FROM duckdb_settings() AS s WHERE s.name LIKE '%memory%';

SELECT tbl.table_name, con.constraint_type
FROM duckdb_tables() tbl
JOIN duckdb_constraints() con USING (table_oid);
