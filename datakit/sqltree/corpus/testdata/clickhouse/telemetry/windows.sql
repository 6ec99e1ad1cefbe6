SELECT sensor_id, ts, value,
       avg(value) OVER (PARTITION BY sensor_id ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW) AS smooth,
       value - lagInFrame(value, 1) OVER (PARTITION BY sensor_id ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS delta
FROM readings
WHERE day = today();

SELECT host, ts, cpu_user, rank() OVER w AS r, max(cpu_user) OVER w AS running_max
FROM metrics
WHERE metric = 'host'
WINDOW w AS (PARTITION BY host ORDER BY ts);

SELECT device_id, raised_at, row_number() OVER (PARTITION BY device_id ORDER BY raised_at DESC) AS rn
FROM alerts
QUALIFY rn <= 3;

SELECT siteId, usageDate, sum(kWh) OVER (PARTITION BY siteId ORDER BY usageDate RANGE BETWEEN 6 PRECEDING AND CURRENT ROW) AS week_kwh FROM DailyUsage;

SELECT * FROM (
    SELECT trace_id, span_id, duration_ns, dense_rank() OVER (PARTITION BY trace_id ORDER BY duration_ns DESC) AS place
    FROM spans
) WHERE place = 1;

SELECT model, count() AS c, sum(c) OVER () AS all_devices, round(c / all_devices, 3) AS share FROM devices GROUP BY model ORDER BY share DESC;

SELECT
    event_time,
    device_id,
    leadInFrame(event_time) OVER (PARTITION BY device_id ORDER BY event_time ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS next_time,
    dateDiff('second', event_time, next_time) AS gap
FROM events
ORDER BY device_id, event_time;

SELECT region, valid_from, price, first_value(price) OVER w1 AS opening, last_value(price) OVER (w1 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS closing
FROM energy_prices
WINDOW w1 AS (PARTITION BY region, toDate(valid_from) ORDER BY valid_from);

SELECT ts, host, nonNegativeDerivative(mem_used, ts, INTERVAL 1 SECOND) OVER (PARTITION BY host ORDER BY ts ASC) AS rate FROM metrics;

SELECT protocol, dst_port, sum(bytes) AS b, row_number() OVER (PARTITION BY protocol ORDER BY sum(bytes) DESC) AS n
FROM network_flows
GROUP BY protocol, dst_port
ORDER BY protocol, n
LIMIT 5 BY protocol;

SELECT login, team, created_at, nth_value(login, 2) OVER (PARTITION BY team ORDER BY created_at) AS second_member, ntile(4) OVER (ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS quarter
FROM users;

SELECT hour, sensor_id, sum(samples) AS s, lagInFrame(s) OVER (PARTITION BY sensor_id ORDER BY hour) AS before, s - before AS change
FROM readings_hourly
GROUP BY hour, sensor_id;

SELECT level, groupArray(logger) OVER (PARTITION BY level ORDER BY ts ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) AS around FROM logs WHERE host = 'gw-02';

SELECT device_id, status, countIf(is_deleted = 1) OVER (PARTITION BY site_id) AS deleted_at_site, percent_rank() OVER (PARTITION BY site_id ORDER BY installed_at RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS pr FROM devices;

