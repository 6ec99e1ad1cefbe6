-- a first look at the data
FROM trips LIMIT 10;

from zones where borough = 'Queens' order by zone_name;

SELECT * FROM trips USING SAMPLE 1%;

SELECT count(*) FROM trips;

FROM trips
SELECT payment,
    count(*) AS n,
    sum(total) AS revenue
GROUP BY ALL ORDER BY ALL;

SELECT * EXCLUDE (route, extras, tags) FROM trips WHERE trip_id = 1042;

SELECT * EXCLUDE contact REPLACE (upper(name) AS name) FROM vendors;

SELECT * REPLACE (round(tmin, 1) AS tmin, round(tmax, 1) AS tmax)
FROM weather
WHERE day = DATE '2024-02-01';

SELECT * RENAME (bid AS best_bid, ask AS best_ask)
FROM quotes
ORDER BY best_ask - best_bid DESC
LIMIT 5;

SELECT z.* EXCLUDE (area_km2), t.trip_id, t.total
FROM zones z
JOIN trips t ON t.pickup_zone = z.zone_id;

SELECT COLUMNS('^t(ip|olls)$') FROM trips;

SELECT min(COLUMNS('(min|max)$')), max(COLUMNS(c -> c LIKE 't%')) FROM weather;

SELECT COLUMNS(lambda c: c LIKE '%\_at' ESCAPE '\') FROM trips LIMIT 3;

SELECT coalesce(*COLUMNS('^target')) AS target FROM energy_monthly;

SELECT count(COLUMNS(* EXCLUDE (raw, reading))) FROM readings;

SELECT COLUMNS(t.*) FROM trips AS t JOIN vendors AS v USING (vendor_id) WHERE v.active;

SELECT avg(COLUMNS(['open', 'close'])) FROM prices WHERE symbol = 'ACME';

SELECT symbol, COLUMNS('open|close')::DECIMAL(10, 2) FROM prices;

SELECT max(COLUMNS('(.*)_mm')) AS 'top_\1' FROM weather;

SELECT trip_id,
       total - tolls AS net,
       net * 0.2 AS tax,
       net - tax AS after_tax
FROM trips
WHERE after_tax > 10
ORDER BY after_tax DESC;

SELECT extract(year FROM pickup_at) AS y, extract('month' FROM pickup_at) AS m, count(*) AS n
FROM trips
GROUP BY y, m
HAVING n > 1_000
ORDER BY y, m;

SELECT fare_class: CASE WHEN fare < 10 THEN 'short' WHEN fare < 40 THEN 'medium' ELSE 'long' END, n: count(*)
FROM trips
GROUP BY fare_class;

FROM t: trips SELECT cents: (t.fare * 100)::INT, t.trip_id;

SELECT
    borough,
    count(*) AS zones,
    sum(area_km2) AS km2,
FROM zones
GROUP BY borough,
ORDER BY km2 DESC;

SELECT DISTINCT payment FROM trips;

SELECT DISTINCT ON (device_id, metric) device_id, metric, value, ts
FROM readings
ORDER BY device_id, metric, ts DESC;

select distinct on(country) country,email from users order by country,signed_up_at;

SELECT * FROM trips ORDER BY pickup_at DESC NULLS LAST, trip_id OFFSET 20 LIMIT 10;

SELECT * FROM trips LIMIT 10%;

SELECT zone_name FROM zones ORDER BY zone_name COLLATE NOCASE;

SELECT * FROM trips FETCH FIRST 5 ROWS ONLY;

SELECT "Rate Code", count(*) FROM trips GROUP BY "Rate Code" ORDER BY 2 DESC;

SELECT "Sample ID",
    "pH Value"
FROM "Lab Results"
WHERE "group" = 'control' AND "Taken At" > now()::TIMESTAMP - INTERVAL 7 DAYS;

SELECT l."Sample ID" AS id, l."group", l.metals."iron (II)" AS iron
FROM "Lab Results" l
ORDER BY iron DESC;

SELECT main.trips.trip_id, trips.fare FROM main.trips WHERE trips.fare > 100;

SELECT memory.main.zones.zone_name FROM memory.main.zones;

SELECT TRIP_ID, Pickup_At FROM Trips WHERE VENDOR_ID = 2;

SELECT rowid, trip_id FROM trips ORDER BY rowid DESC LIMIT 1;

SELECT v FROM vendors v;

SELECT t.trip_id,
    z AS zone_row
FROM trips t
LEFT JOIN zones z ON z.zone_id = t.pickup_zone;

SELECT * FROM users WHERE email ILIKE '%@example.%' AND country NOT IN ('US', 'CA');

SELECT user_id, email FROM users WHERE email SIMILAR TO '[a-z]+@.*' OR email ~ '^admin';

SELECT name FROM instruments WHERE name GLOB 'A*' AND sector IS DISTINCT FROM 'Energy';

SELECT *
FROM prices
WHERE "date" BETWEEN '2024-01-01' AND DATE '2024-01-31' AND close > open;

SELECT trip_id FROM trips WHERE (pickup_zone, dropoff_zone) IN ((1, 2), (2, 1));

SELECT trip_id
FROM trips
WHERE (pickup_zone, dropoff_zone) = (132, 138) AND row(fare, tip) > row(10, 2);

SELECT nullif(passenger_count, 0) AS pax, ifnull(tip, 0) AS tip, fare // 10 AS tens, fare % 10 AS ones, 2 ** passenger_count AS pow
FROM trips;

TABLE holidays;

VALUES (1, 'one'), (2, 'two');

SELECT *
FROM (VALUES (1, 'JFK'), (132, 'LGA')) AS airports(zone_id, code)
JOIN zones USING (zone_id);

SELECT 1_000_000 AS million, 1e3 AS thousand, .5 AS half, 'it''s' AS quoted, e'tab\t' AS esc, $$dollar 'quoted'$$ AS dollar;

SELECT x.a,
    x.b
FROM (SELECT trip_id AS a, fare AS b FROM trips WHERE fare IS NOT NULL) x
WHERE x.b > 5;

/* the alias hides the column of the same name */
SELECT upper(label) AS label FROM devices ORDER BY label;

SELECT fare AS tip, tip AS fare FROM trips ORDER BY fare;

SELECT trips.trip_id
FROM zones AS trips_zone, trips
WHERE trips_zone.zone_id = trips.dropoff_zone;

SELECT zones FROM (SELECT count(*) AS zones FROM zones) zones;
