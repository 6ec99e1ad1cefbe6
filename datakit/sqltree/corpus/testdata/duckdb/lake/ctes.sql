WITH busy AS (
    SELECT pickup_zone, count(*) AS n FROM trips GROUP BY pickup_zone HAVING n > 500
)
SELECT z.zone_name, b.n FROM busy b JOIN zones z ON z.zone_id = b.pickup_zone;

WITH busy(zone, n) AS (SELECT pickup_zone, count(*) FROM trips GROUP BY 1), quiet(zone) AS (SELECT zone_id FROM zones EXCEPT SELECT zone FROM busy)
FROM quiet;

with trips as (
    -- shadows the table on purpose
    select *, date_part('hour', pickup_at) as hr from trips where fare is not null
)
select hr, count(*) as n, median(fare) from trips group by hr order by hr;

WITH RECURSIVE reach(zone, minutes, path) AS (
    SELECT 132::USMALLINT, 0::FLOAT, [132::USMALLINT]
    UNION ALL
    SELECT r.to_zone, reach.minutes + r.minutes, list_append(reach.path, r.to_zone)
    FROM reach
    JOIN roads r ON r.from_zone = reach.zone
    WHERE NOT list_contains(reach.path, r.to_zone) AND reach.minutes + r.minutes < 60
)
SELECT z.zone_name, min(minutes) AS minutes, arg_min(path, minutes) AS path
FROM reach JOIN zones z ON z.zone_id = reach.zone
GROUP BY z.zone_name
ORDER BY minutes;

WITH RECURSIVE dist(zone, d) USING KEY (zone) AS (
    SELECT from_zone, 0::FLOAT FROM roads WHERE from_zone = 1
    UNION
    SELECT r.to_zone, dist.d + r.minutes
    FROM dist JOIN roads r ON r.from_zone = dist.zone
    LEFT JOIN recurring.dist AS known ON known.zone = r.to_zone
    WHERE known.d IS NULL OR dist.d + r.minutes < known.d
)
SELECT * FROM dist ORDER BY d;

WITH RECURSIVE tree AS (
    SELECT device_id, label, parent_id, 0 AS depth FROM devices WHERE parent_id IS NULL
    UNION ALL
    SELECT d.device_id, d.label, d.parent_id, tree.depth + 1
    FROM devices d, tree
    WHERE d.parent_id = tree.device_id
)
SELECT repeat('  ', depth) || label AS line FROM tree ORDER BY depth, label;

WITH RECURSIVE fib(i, a, b) AS (VALUES (1, 0::HUGEINT, 1::HUGEINT) UNION ALL SELECT i + 1, b, a + b FROM fib WHERE i < 90)
SELECT i, a FROM fib;

WITH months AS MATERIALIZED (
    SELECT symbol, date_trunc('month', "date") AS month, arg_max(close, "date") AS month_close
    FROM prices
    GROUP BY ALL
), returns AS NOT MATERIALIZED (
    SELECT symbol, month, month_close / lag(month_close) OVER (PARTITION BY symbol ORDER BY month) - 1 AS r
    FROM months
)
SELECT symbol, avg(r) AS mean, stddev_samp(r) AS sd, mean / sd AS ratio
FROM returns
WHERE r IS NOT NULL
GROUP BY symbol;

WITH a AS (WITH b AS (SELECT zone_id FROM zones) SELECT zone_id AS z FROM b)
SELECT z
FROM a;

SELECT *
FROM (
    WITH s AS (SELECT user_id, min(started_at) AS first_seen FROM sessions GROUP BY user_id)
    SELECT u.email, s.first_seen - u.signed_up_at AS lag_time FROM users u JOIN s USING (user_id)
) q
WHERE lag_time > INTERVAL '2 days';

WITH seen AS (FROM events SELECT DISTINCT user_id WHERE name = 'purchase'),
     all_users AS (FROM users SELECT user_id, country)
FROM all_users
SELECT country, buyers: count(*) FILTER (user_id IN (FROM seen)), share: pct(buyers, count(*))
GROUP BY country
ORDER BY share DESC;

WITH step1 AS (
    SELECT user_id, min(occurred_at) AS t1 FROM events WHERE name = 'view' GROUP BY user_id
),
step2 AS (
    SELECT e.user_id, min(e.occurred_at) AS t2
    FROM events e JOIN step1 s ON s.user_id = e.user_id AND e.occurred_at > s.t1
    WHERE e.name = 'add_to_cart'
    GROUP BY e.user_id
),
step3 AS (
    SELECT e.user_id, min(e.occurred_at) AS t3
    FROM events e JOIN step2 s USING (user_id)
    WHERE e.name = 'purchase' AND e.occurred_at > s.t2
    GROUP BY ALL
)
SELECT (SELECT count(*) FROM step1) AS viewed, (SELECT count(*) FROM step2) AS carted, (SELECT count(*) FROM step3) AS bought,
       quantile_cont(epoch(t3 - t1), [0.5, 0.9]) AS seconds_to_buy
FROM step1 JOIN step2 USING (user_id) JOIN step3 USING (user_id);

WITH RECURSIVE referrals AS (
    SELECT user_id AS root, user_id, 0 AS lvl FROM users WHERE referrer_id IS NULL
    UNION
    SELECT r.root, u.user_id, r.lvl + 1 FROM referrals r JOIN users u ON u.referrer_id = r.user_id WHERE r.lvl < 10
)
SELECT root, max(lvl) AS depth, count(*) - 1 AS invited FROM referrals GROUP BY root QUALIFY row_number() OVER (ORDER BY invited DESC) <= 20;

WITH cte AS (SELECT * FROM zone_ranking), cte2 AS (SELECT * FROM cte WHERE place = 1)
SELECT cte2.day, cte.zone_id, cte.revenue / cte2.revenue AS of_best
FROM cte JOIN cte2 ON cte.day = cte2.day;

WITH dates AS (SELECT range::DATE AS day FROM range(DATE '2024-01-01', DATE '2025-01-01', INTERVAL 1 DAY))
SELECT dates.day, h.name
FROM dates LEFT JOIN holidays h USING (day)
WHERE isodow(dates.day) < 6;

WITH x AS (SELECT 1 AS n)
SELECT (WITH x AS (SELECT 2 AS n) SELECT n FROM x) AS inner_n,
    n AS outer_n
FROM x;

WITH recent AS (SELECT * FROM trips_between(TIMESTAMP '2024-03-01', TIMESTAMP '2024-04-01'))
SELECT payment, count(*), avg(tip / nullif(fare, 0)) FROM recent GROUP BY payment;

WITH lo AS (SELECT symbol, min(low) AS v FROM prices GROUP BY symbol),
     hi AS (SELECT symbol, max(high) AS v FROM prices GROUP BY symbol)
SELECT lo.symbol, lo.v AS lowest, hi.v AS highest, hi.v - lo.v AS span
FROM lo JOIN hi USING (symbol)
ORDER BY span / lo.v DESC
LIMIT 10;

WITH readings AS (SELECT device_id, value FROM readings WHERE metric = 'hum'), stats AS (SELECT avg(value) AS mu, stddev(value) AS sigma FROM readings)
SELECT r.device_id, (r.value - s.mu) / s.sigma AS z FROM readings r, stats s WHERE abs(z) > 3;

WITH spans AS (
    SELECT alert_id, opened_at, coalesce(closed_at, now()) AS closed_at FROM alerts
),
ticks AS (
    SELECT opened_at AS moment, 1 AS delta FROM spans
    UNION ALL
    SELECT closed_at, -1 FROM spans
)
SELECT moment, sum(delta) OVER (ORDER BY moment ROWS UNBOUNDED PRECEDING) AS open_alerts
FROM ticks
ORDER BY open_alerts DESC, moment
LIMIT 1;
