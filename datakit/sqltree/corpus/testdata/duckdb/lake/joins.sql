SELECT t.trip_id,
    z.zone_name
FROM trips t
JOIN zones z ON t.pickup_zone = z.zone_id
WHERE z.borough = 'Bronx';

SELECT p.zone_name AS pickup, d.zone_name AS dropoff, count(*) AS trips, avg(t.total) AS avg_total
FROM trips t
JOIN zones p ON p.zone_id = t.pickup_zone
JOIN zones d ON d.zone_id = t.dropoff_zone
GROUP BY p.zone_name, d.zone_name
HAVING count(*) >= 100
ORDER BY trips DESC
LIMIT 25;

SELECT name, trip_id FROM vendors LEFT JOIN trips USING (vendor_id) WHERE active;

SELECT vendor_id, v.vendor_id, t.vendor_id FROM vendors v FULL OUTER JOIN trips t USING (vendor_id);

SELECT * FROM sessions NATURAL JOIN users;

select s.session_id, e.name from sessions s natural left join events e;

SELECT u.email, r.email AS referred_by
FROM users u
LEFT JOIN users r ON r.user_id = u.referrer_id
ORDER BY r.email NULLS FIRST, u.email;

-- for every trade, the quote that was valid at that moment
SELECT t.trade_id, t.symbol, t.price, q.bid, q.ask, t.price - (q.bid + q.ask) / 2 AS slippage
FROM trades t
ASOF JOIN quotes q ON t.symbol = q.symbol AND t.ts >= q.ts;

SELECT t.trade_id,
    symbol,
    q.bid
FROM trades t
ASOF LEFT JOIN quotes q USING (symbol, ts);

SELECT r.device_id, r.ts, r.value * c.gain + c.bias AS corrected, c.technician
FROM readings r
ASOF JOIN calibrations c ON r.device_id = c.device_id AND r.ts >= c.valid_from
WHERE r.metric = 'temp';

FROM trades t ASOF JOIN quotes q ON q.symbol = t.symbol AND q.ts <= t.ts
SELECT t.symbol, corrected: avg(t.price - q.bid)
GROUP BY ALL;

SELECT a.*, b.* FROM prices a POSITIONAL JOIN quotes b;

SELECT l.site, e.year FROM "Lab Results" l POSITIONAL JOIN energy_monthly e;

SELECT user_id, email FROM users SEMI JOIN events USING (user_id);

SELECT v.name
FROM vendors v
ANTI JOIN trips t ON t.vendor_id = v.vendor_id AND t.pickup_at > DATE '2024-01-01';

FROM devices d
ANTI JOIN latest_readings r ON r.device_id = d.device_id
SELECT d.label, d.installed_on
ORDER BY d.installed_on;

SELECT count(*)
FROM trips t
SEMI JOIN (FROM zones WHERE service_zone = 'Airports') z ON z.zone_id IN (t.pickup_zone, t.dropoff_zone);

SELECT h.day, z.zone_id FROM holidays h CROSS JOIN zones z;

SELECT z.zone_name, d.day, coalesce(x.trip_count, 0) AS trips
FROM zones z
CROSS JOIN (SELECT unnest(generate_series(DATE '2024-01-01', DATE '2024-01-31', INTERVAL 1 DAY))::DATE AS day) d
LEFT JOIN daily_trips x ON x.zone_id = z.zone_id AND x.day = d.day
ORDER BY z.zone_name, d.day;

SELECT z.zone_name, top.trip_id, top.total
FROM zones z,
     LATERAL (SELECT t.trip_id, t.total FROM trips t WHERE t.pickup_zone = z.zone_id ORDER BY t.total DESC LIMIT 3) AS top;

SELECT z.borough, s.n, s.revenue
FROM zones z
LEFT JOIN LATERAL (
    SELECT count(*) AS n, sum(fare) AS revenue FROM trips WHERE pickup_zone = z.zone_id
) s ON true;

-- DuckDB needs no LATERAL keyword
SELECT d.label, m.metric, m.hi
FROM devices d, (SELECT metric, max(value) AS hi FROM readings r WHERE r.device_id = d.device_id GROUP BY metric) m;

SELECT i, j, i * j AS product FROM range(1, 4) t(i), range(1, 4) s(j);

SELECT a, b, c FROM (SELECT 2 AS a) x, (SELECT a * 3 AS b) y, (SELECT a + b AS c) z;

SELECT r.from_zone, r2.to_zone, r.minutes + r2.minutes AS via
FROM roads r JOIN roads r2 ON r.to_zone = r2.from_zone AND r.from_zone <> r2.to_zone
WHERE NOT EXISTS (FROM roads r3 WHERE r3.from_zone = r.from_zone AND r3.to_zone = r2.to_zone);

SELECT *
FROM (trips t JOIN vendors v USING (vendor_id))
JOIN zones z ON z.zone_id = t.dropoff_zone;

SELECT trips.*, vendors.name
FROM ((trips JOIN vendors USING (vendor_id)))
WHERE vendors.name = 'Yellow';

SELECT w.day, w.kind, sum(dt.trip_count)
FROM weather w
INNER JOIN daily_trips dt ON (dt.day, dt.zone_id) = (w.day, w.zone_id)
GROUP BY w.day, w.kind;

SELECT w.day,
    z.zone_id,
    dt.revenue
FROM weather w
JOIN zones z USING (zone_id)
JOIN daily_trips dt USING (zone_id, day);

SELECT p.symbol, p."date", p.close / q.close - 1 AS ret
FROM prices p
JOIN prices q ON q.symbol = p.symbol AND q."date" = p."date" - 1
WHERE p.symbol IN (SELECT symbol FROM instruments WHERE sector = 'Tech');

SELECT a.symbol AS s1, b.symbol AS s2, corr(a.close, b.close) AS rho
FROM prices a, prices b
WHERE a."date" = b."date" AND a.symbol < b.symbol
GROUP BY 1, 2
ORDER BY abs(rho) DESC;

SELECT al.alert_id, al.level, dev.label, par.label AS parent_label
FROM alerts al
RIGHT JOIN devices dev USING (device_id)
LEFT JOIN devices par ON par.device_id = dev.parent_id
WHERE al.closed_at IS NULL;

SELECT COALESCE(b.site, e.site) AS site, sum(jan) AS january, avg("pH Value") AS ph
FROM "Lab Results" b FULL JOIN energy_monthly e ON b.site = e.site
GROUP BY ALL;

SELECT site, count(*) FROM "Lab Results" FULL JOIN energy_monthly USING (site) GROUP BY site;

SELECT x.name AS holiday, t.name AS vendor
FROM holidays x, vendors t
WHERE x.region = t.name[:2];

SELECT s.user_id, s.started_at, e.occurred_at - s.started_at AS after
FROM sessions s
JOIN events e ON e.session_id = s.session_id AND e.occurred_at BETWEEN s.started_at AND s.ended_at
WHERE e.name = 'signup';

SELECT trip_id
FROM trips
JOIN zones ON pickup_zone = zone_id
JOIN weather ON weather.zone_id = zones.zone_id AND weather.day = pickup_at::date
WHERE kind = 'snow';

SELECT z1.zone_name, z2.zone_name, sqrt(power(z1.centroid.lat - z2.centroid.lat, 2) + power(z1.centroid.lon - z2.centroid.lon, 2)) AS dist
FROM zones AS z1
JOIN zones AS z2 ON z1.zone_id < z2.zone_id
ORDER BY dist
LIMIT 1;

SELECT u.email, max(e.occurred_at) AS seen, count(DISTINCT s.session_id) FILTER (WHERE s.agent ILIKE '%mobile%') AS mobile
FROM users u LEFT JOIN sessions s USING (user_id) LEFT JOIN events e USING (session_id)
GROUP BY u.user_id, u.email;

SELECT d.label, g.n FROM devices d, generate_series(1, d.location.storey) AS g(n);

SELECT q.symbol, i.name, i.lot_size * q.ask AS lot_cost
FROM (SELECT symbol, arg_max(ask, ts) AS ask FROM quotes GROUP BY symbol) AS q
JOIN instruments i USING (symbol);
