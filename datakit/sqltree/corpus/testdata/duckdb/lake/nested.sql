SELECT device_id,
    location.site,
    location.pos.x,
    location['storey'] AS storey
FROM devices;

SELECT d.location.pos.x AS x,
    (d.location).pos.y AS y,
    d.location['pos']['x'] AS x2
FROM devices d
WHERE d.location.site = 'north';

SELECT devices.location.site, count(*) FROM devices GROUP BY devices.location.site;

SELECT main.devices.location.pos.y FROM main.devices;

SELECT label, location.* FROM devices;

SELECT unnest(location) FROM devices;

SELECT label, unnest(location, recursive := true) FROM devices;

SELECT struct_extract(location, 'site') AS site,
    struct_extract(preferences, 'lang')
FROM devices
CROSS JOIN users
LIMIT 1;

SELECT {'id': trip_id, 'when': pickup_at, 'where': {'from': pickup_zone, 'to': dropoff_zone}} AS doc
FROM trips;

SELECT struct_pack(symbol := symbol, mid := (bid + ask) / 2) AS q FROM quotes;

SELECT q.mid,
    q.symbol
FROM (SELECT {'symbol': symbol, 'mid': (bid + ask) / 2} AS q FROM quotes);

SELECT struct_insert(preferences, since := signed_up_at) FROM users;

SELECT user_id,
    preferences.notify.mail
  AND NOT preferences.notify.push AS mail_only
FROM users
WHERE preferences.theme = 'dark';

SELECT row(trip_id, fare) AS pair, (trip_id, fare, tip) AS triple FROM trips;

SELECT tags[1] AS first_tag, tags[-1] AS last_tag, tags[2:] AS rest, tags[:2] AS two, tags[1:3] AS three, tags[:-:2] AS odd
FROM trips;

SELECT trip_id,
    len(tags) AS n_tags
FROM trips
WHERE list_contains(tags, 'airport') OR 'night' IN tags;

SELECT trip_id, unnest(tags) AS tag FROM trips;

SELECT tag, count(*) AS n
FROM (SELECT unnest(tags) AS tag FROM trips)
GROUP BY tag
ORDER BY n DESC, tag;

SELECT t.trip_id, u.tag FROM trips t, unnest(t.tags) AS u(tag) WHERE u.tag LIKE 'a%';

SELECT t.trip_id, p.i, p.pt.lat, p.pt.lon
FROM trips t, LATERAL (SELECT unnest(t.route) AS pt, generate_subscripts(t.route, 1) AS i) p
ORDER BY ALL;

SELECT trip_id, [upper(t) for t in tags] AS loud FROM trips;

SELECT trip_id, [x.lat for x in route if x.lat IS NOT NULL] AS lats FROM trips;

SELECT [i * 2 for i in range(10) if i % 2 = 0] AS evens;

SELECT trip_id, list_transform(route, lambda p: p.lat + p.lon) AS sums FROM trips;

SELECT list_filter(tags, x -> x <> 'test') AS clean, list_transform(tags, (x, i) -> i || ':' || x) AS numbered
FROM trips;

SELECT symbol, list_reduce(list(close ORDER BY "date"), lambda acc, c: acc * 0.9 + c * 0.1) AS ema
FROM prices
GROUP BY symbol;

SELECT apply(tags, lambda t: trim(lower(t))) AS tags,
    tags.list_filter(lambda t: length(t) > 3).list_sort() AS sorted
FROM trips;

SELECT device_id, array_to_string(channels, ', ') AS channels, list_sort(channels, 'DESC')
FROM devices
WHERE channels && ['temp', 'hum'];

SELECT label FROM devices WHERE channels @> ['temp'] AND NOT list_has_any(channels, ['co2']);

SELECT list_zip(tags, range(len(tags))) AS pairs, list_distinct(tags), list_unique(tags), flatten([tags, ['x']])
FROM trips;

SELECT calibration[1] AS c1, array_length(calibration), array_distance(calibration, [0.0, 0.0, 0.0]::DOUBLE[3]) AS dist FROM devices;

SELECT station, day, list_max(hourly) AS peak, list_avg(hourly::FLOAT[]) AS mean, list_position(hourly, list_max(hourly)) - 1 AS peak_hour
FROM weather;

SELECT list_aggregate(hourly, 'stddev_pop') AS spread,
    list_aggr(hourly, 'quantile_cont', 0.9)
FROM weather;

SELECT extras['airport'] AS airport_fee, map_keys(extras) AS keys, map_values(extras) AS fees, cardinality(extras)
FROM trips;

SELECT trip_id,
    e.entry.key,
    e.entry.value
FROM trips, unnest(map_entries(extras)) AS e(entry);

SELECT key,
    sum(value)
FROM (SELECT unnest(map_entries(extras), recursive := true) FROM trips)
GROUP BY key;

SELECT MAP {'a': 1, 'b': 2}['a'] AS one,
    MAP(['x', 'y'], [10, 20]) AS m,
    MAP {} AS nothing;

SELECT map_from_entries(list((metric, value))) AS by_metric FROM latest_readings GROUP BY device_id;

SELECT utm['utm_source'] AS source, count(DISTINCT user_id) AS users
FROM sessions
WHERE map_contains(utm, 'utm_source')
GROUP BY 1;

SELECT coalesce(labels['owner'], 'nobody') AS owner, list(label ORDER BY label) AS devices
FROM devices
GROUP BY owner
HAVING len(devices) > 1;

SELECT reading.num, reading.txt, union_tag(reading) AS kind
FROM readings
WHERE union_tag(reading) = 'num';

SELECT union_extract(r.reading, 'flag') AS flag,
    r.reading.num + 1 AS next
FROM readings r;

SELECT union_value(num := 3.5) AS u;

SELECT enum_range(NULL::payment_kind) AS kinds, enum_first(NULL::severity), enum_code('critical'::severity);

SELECT level,
    count(*)
FROM alerts
WHERE level >= 'warning'::severity
GROUP BY level
ORDER BY level;

SELECT site, metals.lead, metals.zinc, metals."iron (II)", metals['iron (II)'] AS iron
FROM "Lab Results";

SELECT unnest([1, 2, 3]) AS a, unnest(['x', 'y']) AS b;

SELECT unnest([{'a': 1, 'b': [1, 2]}, {'a': 2, 'b': [3]}], max_depth := 2);

SELECT list_value(1, 2, 3)[1:2],
    [1, 2] || [3],
    array_append([1], 2),
    [[1, 2], [3]][1][2],
    [] AS empty;

WITH flat AS (
    SELECT event_id, unnest(items, recursive := true) FROM events WHERE name = 'purchase'
)
SELECT sku, sum(qty) AS units, sum(qty * price) AS amount FROM flat GROUP BY sku ORDER BY amount DESC;

SELECT e.event_id,
    list_sum([i.qty * i.price for i in e.items]) AS basket
FROM events AS e
WHERE len(e.items) > 0;

SELECT event_id, list_filter(items, lambda it: it.price > 100 AND it.qty > 1) AS big
FROM events
WHERE len(big) > 0;

SELECT u.user_id, list_transform(list_filter(e.items, lambda it: it.sku = u.country), lambda it: {sku: it.sku, who: u.email}) AS matched
FROM users u JOIN events e USING (user_id);

SELECT items[1].sku, items[-1].price, (items[1]).qty FROM events;

SELECT histogram(payment) AS h, map_keys(histogram("Rate Code")) FROM trips;

SELECT [{'k': k, 'v': v} for k, i in ['a', 'b'] if i > 1] FROM (SELECT 7 AS v) s;

SELECT contact.phones[1] AS phone, (contact.email).split_part('@', 2) AS domain
FROM vendors;

SELECT name, p FROM vendors, unnest(contact.phones) t(p) WHERE p[1:3] = '+49';

SELECT listing.listed_on,
    year(listing.listed_on) AS y,
    listing.currency
FROM instruments
ORDER BY y;

SELECT ({'lat': 1.5, 'lon': 2.5}::geo).lat AS lat,
    row(1, 2)::STRUCT(a INT, b INT) AS s,
    [1, 2]::VARCHAR[] AS texts;

SELECT location.pos::VARCHAR AS pos, location::JSON->>'$.site' AS site FROM devices;
