PIVOT trips ON payment IN ('card', 'cash') USING sum(total) AS revenue,
    count(*) AS n
GROUP BY vendor_id;

PIVOT (SELECT z.borough, t.payment, t.total FROM trips t JOIN zones z ON z.zone_id = t.pickup_zone)
ON payment IN ('card', 'cash', 'free')
USING sum(total)
GROUP BY borough
ORDER BY borough;

FROM weather PIVOT (max(tmax) AS hottest, min(tmin) AS coldest FOR kind IN ('clear', 'rain', 'snow') GROUP BY station);

SELECT station, clear, rain
FROM (SELECT station, kind, precip_mm FROM weather) PIVOT (sum(precip_mm) FOR kind IN ('clear' AS clear, 'rain' AS rain)) AS p
WHERE rain > 0;

SELECT p.symbol,
    p.buy,
    p.sell
FROM (PIVOT trades ON side IN ('buy', 'sell') USING sum(qty) GROUP BY symbol) AS p;

PIVOT prices ON year("date") IN (2023, 2024) USING avg(close) GROUP BY symbol;

WITH m AS (PIVOT latest_readings ON metric IN ('temp', 'hum') USING first(value) GROUP BY device_id)
SELECT d.label, m.temp, m.hum FROM m JOIN devices d USING (device_id);

SELECT *
FROM trips PIVOT (count(*) FOR vendor_id IN (1, 2) payment IN ('card', 'cash') GROUP BY passenger_count);

UNPIVOT energy_monthly ON jan, feb, mar, apr, may, jun INTO NAME month VALUE kwh;

UNPIVOT energy_monthly
ON COLUMNS(* EXCLUDE (site, year, target_low, target_high))
INTO
    NAME month
    VALUE kwh;

SELECT site, month, sum(kwh) AS total
FROM energy_monthly UNPIVOT (kwh FOR month IN (jan, feb, mar, apr, may, jun))
GROUP BY ALL;

SELECT u.site,
    u.bound,
    u.v
FROM energy_monthly UNPIVOT INCLUDE NULLS (v FOR bound IN (target_low AS 'low', target_high AS 'high')) AS u
ORDER BY u.site;

FROM energy_monthly UNPIVOT ((lo, mid, hi) FOR quarter IN ((jan, feb, mar) AS q1, (apr, may, jun) AS q2));

UNPIVOT energy_monthly ON (jan, feb, mar) AS q1,
    (apr, may, jun) AS q2 INTO NAME quarter VALUE m1,
    m2,
    m3;

SELECT quarter, max(m1 + m2 + m3) AS best
FROM (UNPIVOT energy_monthly ON (jan, feb, mar) AS q1, (apr, may, jun) AS q2 INTO NAME quarter VALUE m1, m2, m3)
GROUP BY quarter;

WITH long AS (UNPIVOT (SELECT station, day, tmin, tmax FROM weather) ON tmin, tmax INTO NAME which VALUE degrees)
SELECT station, which, avg(degrees) FROM long GROUP BY station, which ORDER BY ALL DESC;

UNPIVOT (FROM prices SELECT symbol, "date", COLUMNS('open|high|low|close')) ON COLUMNS(* EXCLUDE (symbol, "date")) INTO NAME field VALUE px
ORDER BY px DESC
LIMIT 3;

PIVOT_WIDER events ON name IN ('view', 'purchase') USING count(DISTINCT session_id)
GROUP BY user_id;

PIVOT_LONGER quotes ON bid, ask INTO NAME side VALUE px;

CREATE OR REPLACE TABLE energy_long AS UNPIVOT energy_monthly ON jan, feb, mar INTO NAME month VALUE kwh;

CREATE OR REPLACE VIEW payments_wide AS
SELECT * FROM (SELECT pickup_at::DATE AS day, payment, total FROM trips)
PIVOT (sum(total) FOR payment IN ('card', 'cash', 'free') GROUP BY day);

PIVOT alerts ON level USING count(*);

SUMMARIZE trips;

SUMMARIZE SELECT fare, tip, total FROM trips WHERE pickup_at >= DATE '2024-01-01';

DESCRIBE readings;

DESCRIBE SELECT t.*, z.borough FROM trips t JOIN zones z ON z.zone_id = t.dropoff_zone;

SELECT column_name, column_type FROM (DESCRIBE trips) WHERE column_type LIKE 'DECIMAL%';

SELECT column_name,
    approx_unique,
    null_percentage
FROM (SUMMARIZE events)
ORDER BY approx_unique DESC;

SHOW TABLES;

SELECT table_name,
    estimated_size
FROM duckdb_tables()
WHERE schema_name = 'main'
ORDER BY estimated_size DESC;

SELECT c.table_name,
    count(*) AS columns
FROM information_schema.columns AS c
WHERE c.table_schema = 'main'
GROUP BY c.table_name;

PRAGMA table_info('trips');

EXPLAIN SELECT count(*) FROM trips WHERE fare > 10;

EXPLAIN ANALYZE
SELECT z.borough, count(*)
FROM trips t
JOIN zones z ON z.zone_id = t.pickup_zone
GROUP BY z.borough;
