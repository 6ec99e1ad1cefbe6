SELECT ts AT TIME ZONE 'Europe/Berlin' AS local_ts,
    (ts AT TIME ZONE 'UTC')::DATE AS utc_day
FROM readings;

SELECT pickup_at AT TIME ZONE 'America/New_York' AS pickup_tz FROM trips WHERE pickup_at AT TIME ZONE 'America/New_York' < now();

SELECT date_trunc('quarter', pickup_at) AS q, date_part(['year', 'month'], pickup_at) AS parts, dayname(pickup_at), last_day(pickup_at)
FROM trips;

SELECT pickup_at + INTERVAL 90 MINUTES,
    pickup_at - INTERVAL '1' DAY,
    pickup_at + INTERVAL (passenger_count) HOURS,
    pickup_at + to_minutes(30)
FROM trips;

SELECT age(signed_up_at) AS account_age,
    age(now()::TIMESTAMP, signed_up_at),
    extract(epoch FROM now()::TIMESTAMP - signed_up_at) AS secs
FROM users;

SELECT "date" + 1 AS tomorrow, "date" - DATE '2024-01-01' AS days, "date"::TIMESTAMP, strftime("date", '%Y-%m') AS ym FROM prices;

SELECT strptime('03/04/2024 12:30', '%d/%m/%Y %H:%M') AS parsed,
    try_strptime(path, '%Y/%m/%d.parquet')
FROM file_loads;

SELECT make_date(year, 1, 1) AS first_day,
    make_timestamp(year, 6, 30, 12, 0, 0.0)
FROM energy_monthly;

SELECT epoch_ms(pickup_at),
    epoch(dropoff_at - pickup_at) / 60 AS minutes,
    datediff('hour', pickup_at, dropoff_at),
    datesub('hour', pickup_at, dropoff_at)
FROM trips;

SELECT took,
    took * 2,
    extract(minute FROM took),
    path
FROM file_loads
WHERE took > INTERVAL '00:05:00' OR loaded_at < current_timestamp - INTERVAL 1 WEEK;

SELECT DATE '2024-02-29' AS d, TIME '12:00' AS t, TIMESTAMP '2024-01-01 00:00:00' AS ts, TIMESTAMPTZ '2024-01-01 00:00:00+01' AS tz, INTERVAL '1 year 2 months' AS i, 'infinity'::DATE AS forever;

SELECT q.night,
    trip_id
FROM (SELECT trip_id, pickup_at::TIME NOT BETWEEN '06:00' AND '22:00' AS night FROM trips) q;

SELECT isfinite(closed_at), timezone('Asia/Tokyo', opened_at) AS tokyo FROM alerts;

SELECT g::DATE AS monday FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-12-31', INTERVAL '7 days') AS t(g);

SELECT substring(zone_name FROM 1 FOR 3) AS code,
    substring(zone_name, 2),
    position('e' IN zone_name) AS pos,
    position('e' in lower(borough))
FROM zones;

SELECT trim(BOTH 'x' FROM label),
    trim(LEADING FROM label),
    trim(TRAILING '.' FROM model),
    ltrim(label),
    rtrim(label, '0')
FROM devices;

SELECT extract(dow FROM day) AS dow,
    extract('isoyear' FROM day),
    date_part('week', day)
FROM weather;

SELECT regexp_extract(email, '@(.+)$', 1) AS domain,
    regexp_replace(email, '\d', '#', 'g'),
    regexp_matches(email, '^[a-c]')
FROM users;

SELECT regexp_extract(path, '(\d{4})-(\d{2})', ['y', 'm']).y AS y,
    parse_filename(path),
    parse_path(path)
FROM file_loads;

SELECT format('{} -> {}', pickup_zone, dropoff_zone) AS leg, printf('%.2f', total::DOUBLE), concat_ws('/', payment, vendor_id)
FROM trips;

SELECT upper(name) || ' (' || exchange || ')' AS label, name[1] AS initial, name[-3:] AS tail, reverse(symbol), lpad(symbol, 6, '*') FROM instruments;

SELECT string_split(email, '@')[2] AS domain,
    count(*)
FROM users
GROUP BY domain
ORDER BY count(*) DESC;

SELECT levenshtein(a.zone_name, b.zone_name) AS d, jaccard(a.zone_name, b.zone_name), a.zone_name
FROM zones a, zones b
WHERE a.zone_id < b.zone_id AND d <= 2;

SELECT message
FROM alerts
WHERE message LIKE '100\%' ESCAPE '\' OR message NOT ILIKE '%test%' OR starts_with(message, 'E');

SELECT CAST(fare AS INTEGER), fare::VARCHAR, TRY_CAST(message AS DOUBLE), CAST('[1, 2]' AS INT[]), '2024-01-01'::DATE
FROM trips, alerts;

SELECT hex(checksum),
    octet_length(checksum),
    md5(path),
    checksum = '\xAA\xBB'::BLOB
FROM file_loads;

SELECT zone_name COLLATE NOCASE.NOACCENT AS n
FROM zones
WHERE zone_name COLLATE NOCASE = 'soho'
ORDER BY n COLLATE DE;

SELECT greatest(tmin, tmax), least(tmin, tmax), round(tmax), tmax BETWEEN 10 AND 20 AS mild, tmax IS NULL, kind IS NOT NULL
FROM weather;

SELECT label, CASE model WHEN 'A' THEN 1 WHEN 'B' THEN 2 END AS code, if(model = 'A', 'old', 'new') AS age, COALESCE(labels['site'], location.site, '?') FROM devices;

SELECT user_id,
    email.lower().replace('@', ' at ') AS masked,
    (country).lower()
FROM users;

SELECT 'a'
'b' IS NULL, NOT true AND false OR true, 7 / 2, 7 // 2, -7 % 3, 5 & 3, 5 | 3, ~1, 1 << 4, @(-3), 4!;

SELECT trip_id
FROM trips
WHERE pickup_at >= '2024-01-01' AND pickup_at < '2024-01-01'::DATE + INTERVAL '1 month' AND date_part('hour', pickup_at) NOT IN (0, 1, 2);

SELECT current_date - signed_up_at::DATE AS days,
    CURRENT_TIMESTAMP,
    current_time,
    localtimestamp,
    today()
FROM users;

SELECT device_id, xor(quality, 15::UTINYINT) AS flipped FROM readings;

SELECT h.name,
    monthname(h.day),
    h.day + TIME '08:00' AS opens
FROM holidays h
WHERE h.region IS NOT DISTINCT FROM 'US';

SELECT uuid() AS id,
    random() AS r,
    hash(email) % 16 AS shard,
    md5(email)[:8] AS short
FROM users;

SELECT CAST(location AS STRUCT(site VARCHAR, storey BIGINT, pos STRUCT(x FLOAT, y FLOAT))).storey
FROM devices;
