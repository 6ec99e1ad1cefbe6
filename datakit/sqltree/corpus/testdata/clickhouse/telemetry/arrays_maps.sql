SELECT site_name, tag FROM sites ARRAY JOIN tags AS tag WHERE tag LIKE 'zone-%';

SELECT session_id, page, dur, pos
FROM device_sessions
ARRAY JOIN pages AS page, durations AS dur, arrayEnumerate(pages) AS pos
WHERE pos <= 5
ORDER BY session_id, pos;

SELECT site_id, t FROM sites LEFT ARRAY JOIN tags AS t ORDER BY site_id;

SELECT event_id, params.name, params.value FROM events ARRAY JOIN params WHERE params.name = 'voltage';

SELECT e.event_id, p.name AS k, p.value AS v
FROM events AS e
ARRAY JOIN e.params AS p
WHERE k IN ('temp', 'rpm');

SELECT arrayMap(x -> x * 1.8 + 32, limits) AS fahrenheit, arrayFilter(x -> x > 0, limits) AS positive, sensor_id FROM sensors WHERE unit = 'C';

SELECT sensor_id, calibration.offset, calibration.factor AS f, calibration.3 AS done, tupleElement(calibration, 'done_on') AS same
FROM sensors
WHERE calibration.done_on < today() - 365;

SELECT device_id, labels['owner'] AS owner, mapKeys(labels) AS keys, mapContains(labels, 'rack') AS has_rack
FROM devices
WHERE labels['env'] = 'prod' AND notEmpty(labels);

SELECT trace_id, span_id, link.trace AS linked_trace, link.2 AS linked_span
FROM spans
ARRAY JOIN links AS link;

SELECT arrayJoin(mapKeys(attributes)) AS attribute, count() AS used FROM spans GROUP BY attribute ORDER BY used DESC LIMIT 50;

SELECT mapFilter((k, v) -> k LIKE 'http.%', attributes) AS http, mapApply((k, v) -> (upper(k), v), attributes) AS shouting
FROM spans
WHERE attributes['http.method'] = 'POST';

SELECT session_id, arraySum(durations) AS total, arrayMax(durations) AS longest, pages[indexOf(durations, longest)] AS slow_page, pages[-1] AS last_page
FROM device_sessions
WHERE length(pages) = length(durations) AND arrayExists(d -> d > 60, durations);

SELECT rule_name, arrayStringConcat(arraySort(recipients), ', ') AS mail_to, has(recipients, 'ops@example.com') AS ops
FROM alert_rules
WHERE hasAny(recipients, ['ops@example.com', 'noc@example.com']);

SELECT arrayZip(pages, durations) AS visits, arrayFirst(v -> v.2 > 10, visits).1 AS first_slow FROM device_sessions;

SELECT arrayReduce('avg', disk_io) AS avg_io, arrayCumSum(disk_io) AS cum, arraySlice(disk_io, 1, 3) AS head, arrayDistinct(arrayConcat(disk_io, [0])) AS uq
FROM metrics;

SELECT device_id, groupArray((ts, value)) AS series, arrayMap(p -> p.2, arraySort(p -> p.1, series)) AS ordered_values
FROM readings GROUP BY device_id;

SELECT untuple(calibration), sensor_id FROM sensors;

SELECT sensor_id, (calibration.factor, limits) AS pair, pair.1 AS factor, pair.2[1] AS low
FROM sensors
LIMIT 1;

SELECT k, v, device_id
FROM devices
ARRAY JOIN mapKeys(labels) AS k, mapValues(labels) AS v;

SELECT arrayFold((acc, x) -> acc + x, durations, toUInt64(0)) AS total, arrayCount(x -> x = 0, durations) AS zeros FROM device_sessions;

SELECT [1, 2, 3] AS arr, (1, 'a', today()) AS tup, map('x', 1, 'y', 2) AS m, arr[2] + m['y'] AS s, tup.2 AS letter;

WITH arrayMap((l, i) -> (l, i), limits, arrayEnumerate(limits)) AS indexed
SELECT sensor_id, entry.1 AS lim, entry.2 AS idx
FROM sensors
ARRAY JOIN indexed AS entry
WHERE idx > 1;

SELECT JSONExtractString(raw_json, 'user', 'name') AS name, JSONExtractInt(raw_json, 'n') AS n, JSONExtract(raw_json, 'tags', 'Array(String)') AS json_tags, JSONHas(raw_json, 'err')
FROM events
WHERE isValidJSON(raw_json);

SELECT arrayJoin(JSONExtractArrayRaw(raw_json, 'items')) AS item, JSONExtractFloat(item, 'price') AS price, visitParamExtractString(item, 'sku') AS sku FROM events WHERE event_type = 'order';

SELECT service, groupArrayArray(arrayMap(l -> l.2, links)) AS linked, arrayUniq(linked) AS different FROM spans GROUP BY service;

