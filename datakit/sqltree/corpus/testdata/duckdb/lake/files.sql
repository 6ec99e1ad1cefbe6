SELECT * FROM read_csv('raw/trips_*.csv', header := true, union_by_name := true, filename := true);

SELECT r.vendor,
    count(*) AS n
FROM read_parquet(['a.parquet', 'b.parquet'], hive_partitioning = true) AS r
GROUP BY r.vendor;

FROM 'raw/zones.parquet'
SELECT zone_id,
    upper(zone_name) AS name
WHERE borough <> 'EWR';

INSERT INTO events BY NAME
SELECT *
FROM read_json('raw/events.ndjson', format = 'newline_delimited', columns = {event_id: 'UUID', occurred_at: 'TIMESTAMP', name: 'VARCHAR'});

SELECT g, g % 2 = 0 AS even FROM generate_series(1, 20, 3) AS t(g);

SELECT range AS n FROM range(5);

SELECT i, z.zone_name FROM range(3) r(i) LEFT JOIN zones z ON z.zone_id = i + 1;

SELECT day::DATE AS day, dayofweek(day) IN (0, 6) AS weekend
FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2024-02-01', INTERVAL 1 DAY) days(day);

SELECT u.x,
    u.ordinality
FROM unnest(['a', 'b', 'c']) WITH ORDINALITY AS u(x, ordinality);

SELECT k,
    v
FROM (SELECT unnest(map_keys(m)) AS k, unnest(map_values(m)) AS v FROM (SELECT MAP {'x': 1, 'y': 2} AS m));

SELECT c.*
FROM (SELECT chr(65 + i::INT) AS letter, i FROM range(26) t(i)) c
WHERE c.letter NOT IN ('A', 'E', 'I', 'O', 'U');

SELECT generate_series AS step FROM generate_series(0, 100, 10);

SELECT unnest(range(1, 4)) AS i, unnest(generate_series(10, 12)) AS j;

SELECT z.zone_id,
    x.hour
FROM zones z, (VALUES (0), (6), (12), (18)) x(hour)
ORDER BY z.zone_id, x.hour;

SELECT name, type FROM pragma_table_info('trips') WHERE pk;

SELECT s.symbol,
    s.d
FROM (SELECT symbol, unnest(range(min("date")::TIMESTAMP, max("date")::TIMESTAMP, INTERVAL 1 DAY))::DATE AS d FROM prices GROUP BY symbol) s
ANTI JOIN prices p ON p.symbol = s.symbol AND p."date" = s.d;

SELECT * FROM query('SELECT 1 AS one');

FROM query_table('zones') SELECT zone_name;

SELECT function_name,
    parameters
FROM duckdb_functions()
WHERE function_type = 'macro'
  AND NOT internal;

SELECT current_setting('threads') AS threads, current_schema(), version();

SELECT t.i, sum(t.i) OVER (ORDER BY t.i) AS running FROM generate_series(1, 10) AS t(i);

FROM range(1, 13) AS months(m)
SELECT m,
    monthname(make_date(2024, m::INT, 1)) AS label,
    m: label[:3];

SELECT a.day, b.day
FROM (SELECT day FROM holidays) a(day), (SELECT day FROM weather) AS b(day)
WHERE a.day < b.day;

SELECT x,
    y,
    x * y AS p
FROM (SELECT unnest([1, 2, 3])) a(x)
JOIN (SELECT unnest([2, 3])) b(y) ON x < y;
