SELECT ts, value FROM readings WHERE sensor_id = {sensor:UInt64} AND ts BETWEEN {from:DateTime} AND {to:DateTime} ORDER BY ts;

SELECT {col:Identifier}, count() FROM events WHERE event_type = {type:String} GROUP BY {col:Identifier};

SELECT device_id FROM devices WHERE site_id IN {sites:Array(UInt32)} LIMIT {n:UInt32} OFFSET {o:UInt32} FORMAT JSONEachRow;

SELECT * FROM alert_rules FORMAT Vertical;

SELECT level, count() FROM logs GROUP BY level ORDER BY level FORMAT CSVWithNames SETTINGS max_threads = 4, output_format_csv_delimiter = ';';

SELECT usageDate, kWh FROM DailyUsage WHERE siteId = 3 INTO OUTFILE 'usage.csv' FORMAT CSV;

SELECT toDateTime(ts) AS t, toStartOfMinute(ts) AS mi, toStartOfFifteenMinutes(ts) AS q, toYear(ts), toISOWeek(ts), formatDateTime(ts, '%Y-%m-%d %H:%i') AS shown
FROM readings LIMIT 5;

SELECT dateAdd(MONTH, 3, installed_at) AS warranty, addDays(installed_at, 30) AS trial, date_diff('day', installed_at, now()) AS age, installed_at + INTERVAL 1 YEAR - INTERVAL 2 DAY AS odd, toTimeZone(installed_at, 'Asia/Tokyo')
FROM devices;

SELECT CAST(value AS Int32), CAST(quality, 'Float32'), value::String, toUInt8OrNull('12'), accurateCastOrNull(value, 'UInt8'), toDecimal64(value, 3) FROM readings LIMIT 1;

SELECT extract(body, 'took ([0-9]+) ms') AS took, toUInt32OrZero(took) AS ms, body
FROM logs
WHERE match(body, 'took [0-9]+ ms') AND ms > 1000;

SELECT replaceRegexpAll(message, '[0-9]+', 'N') AS pattern, count() AS c, any(message) AS sample
FROM events
WHERE severity >= 'warn'
GROUP BY pattern
ORDER BY c DESC
LIMIT 25;

SELECT splitByChar('.', host)[1] AS short, substring(host, 1, 3) AS prefix, position(host, 'gw') AS p, trim(BOTH '-' FROM host), lower(host) || '!' FROM metrics LIMIT 1;

SELECT IPv4NumToString(toUInt32(src_ip)) AS src, src_ip, isIPAddressInRange(toString(dst_ip), '10.0.0.0/8') AS inside, sum(bytes) AS b
FROM network_flows
GROUP BY src_ip, dst_ip
HAVING inside AND b > 1e9;

SELECT cityHash64(serial) % 16 AS shard, bitAnd(toUInt32(ip), 255) AS last_octet, hex(MD5(serial)) AS digest FROM devices;

SELECT CASE WHEN peak > 90 THEN 'A' WHEN peak > 70 THEN 'B' ELSE 'C' END AS grade, CASE rule_id WHEN 1 THEN 'temp' ELSE 'other' END AS rule, ifNull(notes, '-'), coalesce(cleared_at, raised_at) FROM alerts;

SELECT isNull(batch_id), isNotNull(batch_id), assumeNotNull(batch_id), toUUIDOrNull('x'), NULL IS NULL FROM readings WHERE batch_id IS NOT NULL LIMIT 2;

SELECT EXTRACT(YEAR FROM created_at) AS y, EXTRACT(MONTH FROM created_at) AS m, count() FROM users GROUP BY y, m;

SELECT login FROM users WHERE has(roles, 'admin') AND email LIKE '%@example.com' AND team NOT LIKE 'ext%' AND NOT startsWith(login, 'svc_');

SELECT multiSearchAny(body, ['timeout', 'refused']) AS net, hasToken(body, 'disk') AS disk, ngramDistance(body, 'connection reset') AS dist FROM logs WHERE net OR disk ORDER BY dist;

SELECT least(latitude, longitude), greatest(latitude, 0), intDiv(site_id, 10), site_id DIV 10, site_id MOD 10, -site_id, pow(latitude, 2) FROM sites;

SELECT toTypeName(calibration), tupleElement(calibration, 2), isFinite(calibration.factor), roundBankers(calibration.factor, 2) FROM sensors WHERE calibration.factor != 1;

SELECT h3ToString(geoToH3(longitude, latitude, 7)) AS cell, count() AS n FROM sites GROUP BY cell;

SELECT DATE '2026-01-01' AS d, TIMESTAMP '2026-01-01 10:00:00' AS t, toIntervalHour(2) AS i, 0x1F AS hex_number, 1e3 AS thousand, 'it''s' AS quoted;

SELECT quantilesExactWeighted(0.25, 0.75)(duration_ns, toUInt32(1)) AS q, q[2] - q[1] AS iqr FROM spans;

SELECT throwIf(count() > 1000000, 'too many') FROM alerts;

/* which version writes the longest messages */
SELECT d.firmware, avg(length(e.message)) AS len -- in bytes
FROM events AS e
INNER JOIN active_devices AS d ON d.device_id = e.device_id
GROUP BY d.firmware;

SELECT transform(kind, ['temp', 'hum'], ['Temperature', 'Humidity'], 'Other') AS label, count() FROM sensors GROUP BY label;

SELECT timeSlots(started, toUInt32(600), 300) AS slots, arrayJoin(slots) AS slot, count() FROM device_sessions GROUP BY slots, slot;

SELECT start_time, fromUnixTimestamp64Nano(toUnixTimestamp64Nano(start_time) + toInt64(duration_ns)) AS end_time, service FROM spans WHERE end_time < now64();

