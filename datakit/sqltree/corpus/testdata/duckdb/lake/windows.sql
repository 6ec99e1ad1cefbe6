SELECT trip_id, vendor_id, total, row_number() OVER (PARTITION BY vendor_id ORDER BY total DESC) AS rn FROM trips QUALIFY rn <= 3;

SELECT symbol, "date", close,
       avg(close) OVER (PARTITION BY symbol ORDER BY "date" ROWS BETWEEN 19 PRECEDING AND CURRENT ROW) AS sma20,
       max(high) OVER (PARTITION BY symbol ORDER BY "date" RANGE BETWEEN INTERVAL 52 WEEKS PRECEDING AND CURRENT ROW) AS high_52w
FROM prices;

SELECT symbol, ts, price, sum(qty * price) OVER w / sum(qty) OVER w AS vwap
FROM trades
WINDOW w AS (PARTITION BY symbol ORDER BY ts RANGE BETWEEN INTERVAL '5 minutes' PRECEDING AND CURRENT ROW);

SELECT device_id, ts, value,
       last_value(value IGNORE NULLS) OVER (PARTITION BY device_id, metric ORDER BY ts) AS filled,
       lag(ts) OVER (PARTITION BY device_id, metric ORDER BY ts) AS prev
FROM readings;

select *,
    value - lag(value, 1, 0) over part as delta
from readings
where metric='kwh'
window part as (partition by device_id order by ts);

SELECT user_id, occurred_at, name,
    sum(CASE WHEN gap > INTERVAL 30 MINUTE OR gap IS NULL THEN 1 ELSE 0 END) OVER (PARTITION BY user_id ORDER BY occurred_at) AS session_no
FROM (
    SELECT *, occurred_at - lag(occurred_at) OVER (PARTITION BY user_id ORDER BY occurred_at) AS gap
    FROM events
);

SELECT day,
    zone_id,
    revenue,
    revenue / sum(revenue) OVER (PARTITION BY day) AS share
FROM daily_trips
QUALIFY share > 0.1
ORDER BY ALL;

SELECT zone_id, day, trip_count,
       count(*) FILTER (WHERE trip_count > 100) OVER (PARTITION BY zone_id ORDER BY day) AS busy_days,
       sum(revenue) FILTER (WHERE revenue > 0) OVER () AS grand_total
FROM daily_trips;

SELECT vendor_id, sum(total) AS revenue, rank() OVER (ORDER BY sum(total) DESC) AS place, revenue / sum(sum(total)) OVER () AS part
FROM trips
GROUP BY vendor_id;

SELECT station, day, tmax,
    ntile(4) OVER by_station AS quartile,
    percent_rank() OVER by_station AS pr,
    cume_dist() OVER (by_station) AS cd,
    dense_rank() OVER (PARTITION BY station, month(day) ORDER BY tmax DESC) AS in_month
FROM weather
WINDOW by_station AS (PARTITION BY station ORDER BY tmax DESC);

SELECT symbol, "date", first_value(close) OVER w AS first_close, nth_value(close, 2) OVER w AS second_close, last_value(close) OVER w AS final_close
FROM prices
WINDOW w AS (PARTITION BY symbol ORDER BY "date" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
ORDER BY symbol, "date";

SELECT trip_id, total, avg(total) OVER (ORDER BY pickup_at ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING EXCLUDE CURRENT ROW) AS around,
       sum(total) OVER (ORDER BY pickup_at::DATE GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) AS two_days
FROM trips;

SELECT * EXCLUDE (n)
FROM (SELECT *, row_number() OVER (PARTITION BY email ORDER BY signed_up_at) AS n FROM users)
WHERE n = 1;

FROM users SELECT user_id, email QUALIFY count(*) OVER (PARTITION BY lower(email)) > 1;

SELECT trader,
    side,
    sum(qty) AS q
FROM trades
GROUP BY trader, side
HAVING q > 10
QUALIFY row_number() OVER (PARTITION BY side ORDER BY q DESC) = 1;

SELECT a.alert_id, a.level, lead(a.opened_at) OVER (PARTITION BY a.device_id ORDER BY a.opened_at) - a.closed_at AS quiet
FROM alerts AS a
WHERE a.closed_at IS NOT NULL
ORDER BY quiet NULLS LAST;

SELECT device_id, min(ts) AS since, max(ts) AS until, count(*) AS n
FROM (
    SELECT device_id, ts, quality,
           row_number() OVER (PARTITION BY device_id ORDER BY ts) - row_number() OVER (PARTITION BY device_id, quality ORDER BY ts) AS grp
    FROM readings
) islands
WHERE quality = 0
GROUP BY device_id, grp
ORDER BY n DESC;

SELECT symbol, ts, bid, arg_max(bid, ts) OVER (PARTITION BY symbol ORDER BY ts ROWS BETWEEN 10 PRECEDING AND 1 PRECEDING) AS prev_bid FROM quotes;

SELECT vendor_id,
    list(trip_id) OVER (PARTITION BY vendor_id ORDER BY pickup_at ROWS 2 PRECEDING) AS last3
FROM trips;

SELECT DISTINCT vendor_id,
    quantile_cont(total, 0.95) OVER (PARTITION BY vendor_id) AS p95
FROM trips;

SELECT symbol, ts, rank(ORDER BY price DESC) OVER (PARTITION BY symbol ORDER BY ts) AS running_rank
FROM trades;

SELECT zone_id, day, sum(revenue) OVER running AS ytd, avg(revenue) OVER (running ROWS 6 PRECEDING) AS week_avg
FROM daily_trips
WINDOW running AS (PARTITION BY zone_id, year(day) ORDER BY day);

SELECT m.metric, m.bucket, m.hi, m.hi - lag(m.hi) OVER (PARTITION BY m.metric ORDER BY m.bucket) AS change
FROM (
    SELECT metric, time_bucket(INTERVAL '15 minutes', ts) AS bucket, max(value) AS hi
    FROM readings
    GROUP BY ALL
) m
QUALIFY change IS NOT NULL AND abs(change) > 5;

SELECT i.sector, i.symbol, p.close
FROM instruments i JOIN prices p USING (symbol)
WHERE p."date" = (SELECT max("date") FROM prices)
QUALIFY row_number() OVER (PARTITION BY i.sector ORDER BY p.close DESC, i.symbol) = 1;

SELECT count(DISTINCT user_id) OVER (PARTITION BY date_trunc('week', occurred_at)) AS wau,
    name
FROM events;

SELECT symbol, "date", close > lag(close) OVER s AS up, fill(close) OVER s AS smooth
FROM prices
WINDOW s AS (PARTITION BY symbol ORDER BY "date");

WITH t AS (SELECT *, sum(total) OVER (ORDER BY total DESC, trip_id) AS running, sum(total) OVER () AS everything FROM trips)
SELECT count(*) AS trips_for_80_percent FROM t WHERE running <= 0.8 * everything;

SELECT trip_id
FROM trips
QUALIFY ntile(100) OVER (ORDER BY fare) = 100
  AND vendor_id = 1
ORDER BY fare
LIMIT 7;
