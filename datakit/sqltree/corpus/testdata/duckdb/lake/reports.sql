-- tip rate per borough and hour; only hours with enough card trips
WITH card AS (
    SELECT
        z.borough,
        date_part('hour', t.pickup_at) AS hour,
        t.tip / nullif(t.fare, 0) AS rate
    FROM trips AS t
    JOIN zones AS z ON z.zone_id = t.pickup_zone
    WHERE t.payment = 'card'
      AND t.fare > 2.5
)
SELECT
    borough,
    hour,
    count(*) AS n,
    avg(rate) AS mean_rate,
    quantile_cont(rate, [0.1, 0.5, 0.9]) AS deciles,
    mean_rate - avg(avg(rate)) OVER (PARTITION BY borough) AS above_borough
FROM card
GROUP BY borough, hour
HAVING n >= 30
ORDER BY borough, hour;

WITH base AS (
    SELECT
        e.user_id,
        e.name,
        e.occurred_at,
        coalesce(s.utm['utm_source'], 'none') AS source,
        e.payload->>'$.page' AS page
    FROM events AS e
    LEFT JOIN sessions AS s USING (session_id)
),
steps AS (
    SELECT
        user_id,
        any_value(source) AS source,
        min(occurred_at) FILTER (name = 'view') AS viewed_at,
        min(occurred_at) FILTER (name = 'add_to_cart') AS carted_at,
        min(occurred_at) FILTER (name = 'purchase') AS bought_at
    FROM base
    GROUP BY user_id
)
SELECT
    source,
    count(viewed_at) AS viewed,
    count(carted_at) FILTER (carted_at > viewed_at) AS carted,
    count(bought_at) FILTER (bought_at > carted_at) AS bought,
    pct(bought, viewed) AS conversion,
    median(bought_at - viewed_at) AS typical_time
FROM steps
GROUP BY ROLLUP (source)
ORDER BY viewed DESC;

-- gaps in the readings of each device, longest first
SELECT
    d.label,
    d.location.site AS site,
    g.metric,
    g.gap_start,
    g.gap_end,
    g.gap_end - g.gap_start AS length
FROM (
    SELECT
        device_id,
        metric,
        ts AS gap_start,
        lead(ts) OVER (PARTITION BY device_id, metric ORDER BY ts) AS gap_end
    FROM readings
) AS g
JOIN devices AS d USING (device_id)
WHERE g.gap_end - g.gap_start > INTERVAL 2 HOURS
  AND NOT EXISTS (
        SELECT 1
        FROM alerts AS a
        WHERE a.device_id = g.device_id
          AND a.opened_at BETWEEN g.gap_start AND g.gap_end
      )
ORDER BY length DESC
LIMIT 100;

CREATE OR REPLACE TABLE bars_5min AS
SELECT
    symbol,
    time_bucket(INTERVAL 5 MINUTES, ts) AS bar,
    first(price ORDER BY ts) AS open,
    max(price) AS high,
    min(price) AS low,
    last(price ORDER BY ts) AS close,
    sum(qty) AS volume,
    sum(qty * price) / sum(qty) AS vwap,
    count(*) FILTER (WHERE side = 'buy') AS buys
FROM trades
WHERE ts >= TIMESTAMP '2024-01-01'
GROUP BY symbol, bar
ORDER BY symbol, bar;

WITH signals AS (
    SELECT
        symbol,
        "date" AS day,
        close,
        avg(close) OVER fast AS sma_fast,
        avg(close) OVER slow AS sma_slow
    FROM prices
    WINDOW
        fast AS (PARTITION BY symbol ORDER BY "date" ROWS BETWEEN 9 PRECEDING AND CURRENT ROW),
        slow AS (PARTITION BY symbol ORDER BY "date" ROWS BETWEEN 49 PRECEDING AND CURRENT ROW)
),
crossings AS (
    SELECT
        *,
        sma_fast > sma_slow AS above,
        lag(above) OVER (PARTITION BY symbol ORDER BY day) AS was_above
    FROM signals
)
SELECT
    c.symbol,
    i.name,
    c.day,
    CASE WHEN c.above THEN 'buy' ELSE 'sell' END AS action,
    c.close
FROM crossings c
LEFT JOIN instruments i USING (symbol)
WHERE c.above <> c.was_above
  AND c.day NOT IN (SELECT day FROM holidays WHERE region = 'US')
ORDER BY c.day DESC, c.symbol;

SELECT
    w.station,
    w.day,
    u.hour - 1 AS hour,
    u.degrees,
    u.degrees - avg(u.degrees) OVER (
        PARTITION BY w.station, u.hour
        ORDER BY w.day
        RANGE BETWEEN INTERVAL 15 DAYS PRECEDING AND INTERVAL 15 DAYS FOLLOWING
    ) AS anomaly
FROM weather AS w
CROSS JOIN LATERAL (
    SELECT
        unnest(w.hourly::FLOAT[]) AS degrees,
        unnest(range(1, 25)) AS hour
) AS u
WHERE w.kind <> 'fog'
QUALIFY abs(anomaly) > 8;

INSERT INTO alerts (device_id, level, message, details)
WITH limits(metric, lo, hi) AS (
    VALUES
        ('temp', -20.0, 60.0),
        ('hum', 5.0, 95.0),
        ('kwh', 0.0, 1e6)
),
bad AS (
    SELECT
        r.device_id,
        r.metric,
        count(*) AS n,
        max(r.value) AS worst
    FROM readings r
    JOIN limits l USING (metric)
    WHERE r.value NOT BETWEEN l.lo AND l.hi
      AND r.ts > now() - INTERVAL 1 HOUR
    GROUP BY r.device_id, r.metric
)
SELECT
    b.device_id,
    CASE WHEN b.n > 10 THEN 'critical' ELSE 'warning' END,
    format('{} readings of {} out of range', b.n, b.metric),
    json_object('metric', b.metric, 'worst', b.worst)
FROM bad b
WHERE NOT EXISTS (
    FROM alerts a
    WHERE a.device_id = b.device_id
      AND a.closed_at IS NULL
)
RETURNING alert_id, device_id, level;

MERGE INTO energy_monthly AS e
USING (
    SELECT
        d.location.site AS site,
        year(r.ts) AS year,
        sum(r.value) FILTER (month(r.ts) = 1)::INT AS jan,
        sum(r.value) FILTER (month(r.ts) = 2)::INT AS feb,
        sum(r.value) FILTER (month(r.ts) = 3)::INT AS mar
    FROM readings r
    JOIN devices d USING (device_id)
    WHERE r.metric = 'kwh'
    GROUP BY d.location.site, year(r.ts)
) AS m
ON e.site = m.site
AND e.year = m.year
WHEN MATCHED
    AND (e.jan, e.feb, e.mar) IS DISTINCT FROM (m.jan, m.feb, m.mar)
    THEN UPDATE SET
        jan = coalesce(m.jan, e.jan),
        feb = coalesce(m.feb, e.feb),
        mar = coalesce(m.mar, e.mar)
WHEN NOT MATCHED
    THEN INSERT (site, year, jan, feb, mar)
    VALUES (m.site, m.year, m.jan, m.feb, m.mar);

WITH RECURSIVE routes AS (
    SELECT
        r.from_zone AS start_zone,
        r.to_zone AS end_zone,
        [r.from_zone, r.to_zone] AS path,
        r.minutes,
        r.toll
    FROM roads r
    UNION ALL
    SELECT
        p.start_zone,
        r.to_zone,
        list_append(p.path, r.to_zone),
        p.minutes + r.minutes,
        p.toll OR r.toll
    FROM routes p
    JOIN roads r ON r.from_zone = p.end_zone
    WHERE len(p.path) < 5
      AND NOT list_contains(p.path, r.to_zone)
),
best AS (
    SELECT DISTINCT ON (start_zone, end_zone) *
    FROM routes
    ORDER BY start_zone, end_zone, minutes
)
SELECT
    a.zone_name AS from_name,
    b.zone_name AS to_name,
    best.minutes,
    list_transform(best.path, lambda z: 'zone ' || z) AS via,
    (
        SELECT round(avg(date_diff('minute', t.pickup_at, t.dropoff_at)), 1)
        FROM trips t
        WHERE t.pickup_zone = best.start_zone
          AND t.dropoff_zone = best.end_zone
    ) AS measured
FROM best
JOIN zones a ON a.zone_id = best.start_zone
JOIN zones b ON b.zone_id = best.end_zone
WHERE NOT best.toll
ORDER BY best.minutes;

SELECT
    u.user_id,
    u.email,
    u.preferences.lang AS lang,
    purchases.n,
    purchases.amount,
    last_session.agent,
    last_session.utm['utm_campaign'] AS campaign
FROM users AS u
LEFT JOIN LATERAL (
    SELECT count(DISTINCT l.event_id) AS n, sum(l.amount) AS amount
    FROM event_lines AS l
    WHERE l.user_id = u.user_id
) AS purchases ON true
LEFT JOIN LATERAL (
    SELECT s.agent, s.utm
    FROM sessions AS s
    WHERE s.user_id = u.user_id
    ORDER BY s.started_at DESC
    LIMIT 1
) AS last_session ON true
WHERE u.plan IN ('pro', 'team')
  AND u.preferences.notify.mail
ORDER BY purchases.amount DESC NULLS LAST
LIMIT 200;

UPDATE trips
SET
    tags = list_distinct(list_concat(coalesce(trips.tags, []), extra.tags)),
    extras = map_concat(trips.extras, MAP {'surcharge': 1.00::DECIMAL(6, 2)})
FROM (
    SELECT
        t.trip_id,
        [tag for tag in [
            CASE WHEN t.fare > 100 THEN 'long' END,
            CASE WHEN h.day IS NOT NULL THEN 'holiday' END,
            CASE WHEN w.kind IN ('snow', 'rain') THEN 'bad weather' END
        ] if tag IS NOT NULL] AS tags
    FROM trips AS t
    LEFT JOIN holidays AS h ON h.day = t.pickup_at::DATE
    LEFT JOIN weather AS w ON w.day = t.pickup_at::DATE AND w.zone_id = t.pickup_zone
) AS extra
WHERE extra.trip_id = trips.trip_id
  AND len(extra.tags) > 0;

SELECT
    coalesce(l.site, e.site) AS site,
    max(l."Taken At")::DATE AS last_sample,
    avg(l."pH Value") AS "mean pH",
    avg(l.metals.lead) * 1_000 AS "lead µg/l",
    any_value(e.jan + e.feb + e.mar) AS first_quarter
FROM "Lab Results" AS l
FULL OUTER JOIN (
    SELECT *
    FROM energy_monthly
    WHERE year = 2024
) AS e ON e.site = l.site
GROUP BY coalesce(l.site, e.site)
HAVING "mean pH" IS NULL
    OR "mean pH" BETWEEN 5 AND 9
ORDER BY site;

COPY (
    WITH per_day AS (
        SELECT
            f.trip_day,
            f.vendor,
            count(*) AS trips,
            sum(f.total) AS total,
            avg(f.duration_min) AS minutes
        FROM trip_facts AS f
        WHERE f.from_borough <> f.to_borough
        GROUP BY f.trip_day, f.vendor
    )
    SELECT
        p.*,
        w.kind,
        w.precip_mm
    FROM per_day AS p
    LEFT JOIN weather AS w ON w.day = p.trip_day
    ORDER BY p.trip_day, p.vendor
)
TO 'reports/per_day.csv'
WITH (FORMAT csv, HEADER true, DELIMITER ';', QUOTE '"');

SELECT
    d.device_id,
    d.label,
    ch.channel,
    r.metric IS NULL AS never_reported,
    r.ts,
    r.value,
    CASE union_tag(r.reading)
        WHEN 'num' THEN r.reading.num::VARCHAR
        WHEN 'txt' THEN r.reading.txt
        WHEN 'flag' THEN CASE WHEN r.reading.flag THEN 'on' ELSE 'off' END
    END AS shown
FROM devices d
CROSS JOIN unnest(d.channels) AS ch(channel)
LEFT JOIN latest_readings r
    ON r.device_id = d.device_id
   AND r.metric = ch.channel
WHERE d.labels['state'] IS DISTINCT FROM 'retired'
ORDER BY d.label, ch.channel;

DELETE FROM readings
USING (
    SELECT
        r.device_id,
        r.metric,
        r.ts,
        row_number() OVER (
            PARTITION BY r.device_id, r.metric, time_bucket(INTERVAL 1 MINUTE, r.ts)
            ORDER BY r.quality DESC, r.ts
        ) AS n
    FROM readings AS r
    WHERE r.ts < now() - INTERVAL 90 DAYS
) AS old
WHERE old.device_id = readings.device_id
  AND old.metric = readings.metric
  AND old.ts = readings.ts
  AND old.n > 1;

SELECT
    i.sector,
    i.symbol,
    p.*,
    p.total_return - b.sector_return AS alpha
FROM instruments i
JOIN (
    SELECT
        symbol,
        arg_max(close, "date") / arg_min(close, "date") - 1 AS total_return,
        max("date") AS last_day,
        list(close ORDER BY "date" DESC)[1:5] AS last_closes
    FROM prices
    GROUP BY symbol
) p USING (symbol)
JOIN (
    SELECT sector, avg(ret) AS sector_return
    FROM (
        SELECT
            i2.sector,
            i2.symbol,
            last(p2.close ORDER BY p2."date") / first(p2.close ORDER BY p2."date") - 1 AS ret
        FROM prices p2
        JOIN instruments i2 USING (symbol)
        GROUP BY i2.sector, i2.symbol
    )
    GROUP BY sector
) b ON b.sector = i.sector
WHERE p.last_day > current_date - INTERVAL 10 DAYS
ORDER BY alpha DESC;
