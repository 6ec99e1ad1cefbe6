SELECT toStartOfHour(ts) AS hour, avg(value) AS mean, min(value) AS lo, max(value) AS hi, count() AS n
FROM readings
WHERE sensor_id = 1001 AND ts >= now() - INTERVAL 1 DAY
GROUP BY hour
ORDER BY hour;

SELECT service, operation,
       count() AS calls,
       countIf(status_code >= 500) AS failures,
       round(failures / calls * 100, 2) AS error_pct,
       quantiles(0.5, 0.9, 0.99)(duration_ns / 1e6) AS ms
FROM spans
WHERE start_time > now() - INTERVAL 15 MINUTE
GROUP BY service, operation
HAVING calls > 100
ORDER BY error_pct DESC
LIMIT 20;

SELECT event_type, severity, count() AS c
FROM events
GROUP BY event_type, severity WITH TOTALS
ORDER BY c DESC;

select model, firmware, uniqExact(device_id) as devices from devices final where is_deleted = 0 group by model, firmware with rollup order by model, firmware;

SELECT
    toDate(event_time) AS d,
    uniqExactIf(device_id, severity = 'error') AS broken_devices,
    sumIf(1, event_type = 'reboot') AS reboots,
    groupUniqArrayIf(event_type, severity IN ('warn', 'error')) AS bad_types,
    topK(3)(device_id) AS noisiest
FROM events
WHERE event_time BETWEEN toDateTime('2026-03-01 00:00:00') AND toDateTime('2026-03-31 23:59:59')
GROUP BY d
ORDER BY d;

SELECT sensor_id, argMax(value, ts) AS latest, argMin(value, ts) AS first, latest - first AS drift
FROM readings
PREWHERE quality > 80
WHERE toYYYYMM(ts) = 202606
GROUP BY sensor_id
HAVING abs(drift) > 5;

SELECT sensor_id, hour, avgMerge(avg_value) AS mean, max(max_value) AS peak, sum(samples) AS samples_total
FROM readings_hourly
WHERE hour >= toStartOfDay(now())
GROUP BY sensor_id, hour;

SELECT * FROM (
    SELECT host, avg(cpu_user + cpu_system) AS busy, stddevPop(cpu_user) AS jitter, any(mem_total) AS mem
    FROM metrics
    WHERE metric = 'host' AND ts > now() - 3600
    GROUP BY host
)
WHERE busy > 80
ORDER BY busy DESC;

SELECT protocol, dst_port, sum(bytes) AS total, formatReadableSize(total) AS readable
FROM network_flows
GROUP BY ALL
ORDER BY total DESC
LIMIT 10 WITH TIES;

SELECT country, model, count() FROM device_places GROUP BY GROUPING SETS ((country), (model), (country, model), ()) ORDER BY 1, 2;

SELECT team, count() AS people, arraySort(groupUniqArray(arrayJoin(roles))) AS all_roles FROM users GROUP BY team WITH CUBE;

SELECT windowFunnel(3600)(event_time, event_type = 'wake', event_type = 'connect', event_type = 'upload') AS steps, count() AS sessions
FROM events
GROUP BY session_id
ORDER BY steps;

SELECT level, steps_reached, count() AS c
FROM
(
    SELECT device_id, windowFunnel(86400, 'strict_order')(event_time, event_type = 'ordered', event_type = 'shipped') AS steps_reached, max(toInt8(severity)) AS level
    FROM events
    GROUP BY device_id
)
GROUP BY level, steps_reached;

SELECT device_id, sequenceMatch('(?1)(?t<60)(?2)')(event_time, event_type = 'boot', event_type = 'crash') AS crash_after_boot
FROM events GROUP BY device_id HAVING crash_after_boot;

SELECT toStartOfInterval(ts, INTERVAL 5 MINUTE) AS slot, quantileTDigest(0.95)(value) AS p95, skewPop(value) AS skew
FROM readings
WHERE sensor_id IN (1, 2, 3)
GROUP BY slot
ORDER BY slot WITH FILL FROM toStartOfHour(now() - INTERVAL 1 DAY) TO now() STEP INTERVAL 5 MINUTE;

SELECT usageDate, sum(kWh) AS energy
FROM DailyUsage
WHERE siteId = 7
GROUP BY usageDate
ORDER BY usageDate ASC WITH FILL STEP 1 INTERPOLATE (energy AS energy);

SELECT avgOrNull(peak) AS avg_peak, maxOrDefault(peak) AS max_peak, countDistinct(device_id) AS devices, anyLast(notes) AS last_note
FROM alerts WHERE cleared_at IS NULL;

SELECT sum(sign) AS sessions, sum(bytes_in * sign) AS received, sum(bytes_out * sign) / nullIf(sessions, 0) AS per_session, device_id
FROM device_sessions
GROUP BY device_id
HAVING sum(sign) > 0;

SELECT sumMap(mapFromArrays(['in', 'out'], [bytes_in, bytes_out])) AS traffic, traffic['in'] AS incoming FROM device_sessions FINAL;

SELECT toMonday(raised_at) AS week, rule_id, count() AS n, avg(dateDiff('minute', raised_at, ifNull(cleared_at, now()))) AS open_minutes
FROM alerts
GROUP BY week, rule_id
ORDER BY week DESC, n DESC
LIMIT 3 BY week;

SELECT bar(count(), 0, 1000, 30) AS chart, toHour(event_time) AS h FROM events WHERE event_time >= today() GROUP BY h ORDER BY h;

SELECT kind, count(DISTINCT device_id) AS devices, sum(length(limits)) AS limit_count FROM sensors WHERE enabled GROUP BY kind HAVING devices > 1 AND limit_count > 0;

SELECT corr(cpu_user, mem_used) AS dependence, covarSamp(cpu_user, cpu_system), simpleLinearRegression(toUnixTimestamp(ts), cpu_user) AS trend, trend.1 AS slope
FROM metrics WHERE host = 'gw-01';

SELECT retention(event_type = 'install', event_type = 'ping', event_type = 'upgrade') AS r, device_id FROM events GROUP BY device_id;

SELECT sumForEach(disk_io) AS io, avgArray(disk_io) AS avg_io, maxArrayIf(disk_io, cpu_idle < 10) AS worst, host FROM metrics GROUP BY host;

