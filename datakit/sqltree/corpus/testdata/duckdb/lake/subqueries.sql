SELECT trip_id FROM trips WHERE total > (SELECT avg(total) FROM trips);

SELECT z.zone_name
FROM zones z
WHERE EXISTS (SELECT 1 FROM trips t WHERE t.pickup_zone = z.zone_id AND t.payment = 'dispute');

SELECT zone_name FROM zones WHERE NOT EXISTS (FROM trips WHERE pickup_zone = zone_id OR dropoff_zone = zone_id);

SELECT symbol, (SELECT name FROM instruments i WHERE i.symbol = t.symbol) AS name, sum(qty) FROM trades t GROUP BY symbol;

SELECT t.trip_id, t.total
FROM trips t
WHERE t.total > 2 * (SELECT avg(total) FROM trips s WHERE s.pickup_zone = t.pickup_zone);

SELECT user_id
FROM users
WHERE user_id IN (SELECT user_id FROM events WHERE name = 'purchase') AND user_id NOT IN (SELECT referrer_id FROM users WHERE referrer_id IS NOT NULL);

SELECT *
FROM prices p
WHERE ("date", close) IN (SELECT "date", max(close) FROM prices GROUP BY "date");

SELECT label
FROM devices
WHERE device_id = ANY (SELECT device_id FROM alerts WHERE level = 'critical');

SELECT fare
FROM trips
WHERE fare >= ALL (SELECT fare FROM trips WHERE fare IS NOT NULL);

SELECT user_id, email, ARRAY(SELECT name FROM events e WHERE e.user_id = u.user_id ORDER BY occurred_at) AS history FROM users u;

SELECT u.email,
       (SELECT count(*) FROM sessions s WHERE s.user_id = u.user_id) AS sessions,
       (SELECT max(occurred_at) FROM events WHERE events.user_id = u.user_id) AS last_seen,
       u.plan = 'free' AS free_user
FROM users u
WHERE free_user
ORDER BY last_seen DESC NULLS LAST;

SELECT zone_id,
    (SELECT list(day ORDER BY revenue DESC)[:3] FROM daily_trips d WHERE d.zone_id = z.zone_id) AS best_days
FROM zones z;

SELECT *
FROM (SELECT * FROM (SELECT trip_id, fare FROM trips WHERE fare > 0) a WHERE a.fare < 100) b
WHERE b.trip_id % 2 = 0;

SELECT a.alert_id
FROM alerts a
WHERE a.opened_at = (SELECT min(b.opened_at) FROM alerts b WHERE b.device_id = a.device_id AND b.level = a.level);

-- the inner name wins
SELECT zone_id FROM zones WHERE zone_id IN (SELECT zone_id FROM weather WHERE kind = 'snow' AND borough = 'Queens');

SELECT symbol
FROM instruments
WHERE (SELECT count(*) FROM trades WHERE trades.symbol = instruments.symbol) > 100;

SELECT d.label
FROM devices d
WHERE EXISTS (SELECT * FROM readings r WHERE r.device_id = d.device_id AND r.value > (SELECT max(gain) * 100 FROM calibrations c WHERE c.device_id = r.device_id AND c.valid_from < r.ts));

SELECT EXISTS (FROM holidays WHERE day = current_date) AS holiday_today;

SELECT trip_id,
    CASE WHEN pickup_zone IN (SELECT zone_id FROM zones WHERE service_zone = 'Airports') THEN 'airport' ELSE 'city' END AS origin
FROM trips;

SELECT symbol FROM trades UNION SELECT symbol FROM quotes;

(SELECT symbol, 'trade' AS src FROM trades LIMIT 5)
UNION ALL (SELECT symbol, 'quote' FROM quotes LIMIT 5)
ORDER BY symbol;

SELECT symbol, ts, price
FROM trades
UNION ALL BY NAME
SELECT symbol, ts, bid
FROM quotes
ORDER BY ts;

SELECT trip_id AS id,
    fare AS amount
FROM trips
UNION BY NAME
SELECT event_id::VARCHAR AS code,
    amount
FROM event_lines;

FROM trades SELECT symbol EXCEPT FROM instruments SELECT symbol;

SELECT pickup_zone
FROM trips
INTERSECT
SELECT dropoff_zone
FROM trips
ORDER BY 1
LIMIT 10;

SELECT zone_id
FROM zones
EXCEPT ALL (SELECT pickup_zone FROM trips INTERSECT ALL SELECT dropoff_zone FROM trips);

SELECT day
FROM holidays
UNION (SELECT day FROM weather WHERE kind = 'snow' EXCEPT SELECT day FROM daily_trips)
ORDER BY day DESC;

SELECT count(*) FROM (SELECT user_id FROM users EXCEPT SELECT user_id FROM sessions);

SELECT 'trips' AS what,
    count(*) AS n
FROM trips
UNION ALL SELECT 'events',
    count(*)
FROM events
UNION ALL SELECT 'readings',
    count(*)
FROM readings
ORDER BY n DESC;

SELECT s.what, s.n
FROM (SELECT 'a' AS what, 1 AS n UNION ALL VALUES ('b', 2)) AS s
WHERE s.n > 1;

SELECT max(n) FROM (SELECT pickup_zone, count(*) AS n FROM trips GROUP BY ALL);

SELECT (SELECT {'lo': min(low), 'hi': max(high)} FROM prices WHERE symbol = i.symbol).hi AS hi,
    i.symbol
FROM instruments i;

SELECT *
FROM trips t
WHERE t.vendor_id = (SELECT v.vendor_id FROM vendors v ORDER BY v.commission DESC LIMIT 1)
  AND NOT (t.payment IN ('free', 'dispute'));

SELECT first_name
FROM (SELECT (contact.email).split('@')[1] AS first_name FROM (SELECT {'email': email} AS contact FROM users))
WHERE length(first_name) < 3;

SELECT x FROM (SELECT * FROM range(10)) AS r(x) WHERE x > ALL (SELECT y FROM generate_series(1, 3) AS g(y));

SELECT device_id,
    metric
FROM latest_readings l
WHERE l.value IS NULL
  AND device_id NOT IN (SELECT device_id FROM alerts WHERE alerts.closed_at IS NULL AND alerts.device_id = l.device_id);

SELECT zr.day,
    zr.place,
    (SELECT zone_name FROM zones WHERE zones.zone_id = zr.zone_id) AS zone_name
FROM zone_ranking AS zr
WHERE zr.place <= 3
ORDER BY zr.day, zr.place;

SELECT t.trip_id,
    (SELECT min(d) FROM (SELECT abs(datediff('day', h.day, t.pickup_at::DATE)) AS d FROM holidays h) k) AS days_to_holiday
FROM trips t;
