SELECT number, number * 2 AS doubled FROM numbers(10) WHERE number % 2 = 0;

SELECT today() - number AS d, count(a.alert_id) AS raised
FROM numbers(30) AS n
LEFT JOIN alerts AS a ON toDate(a.raised_at) = today() - n.number
GROUP BY d
ORDER BY d;

SELECT c1, c2 FROM values('c1 String, c2 UInt8', ('a', 1), ('b', 2));

SELECT * FROM remote('ch-eu-1:9000', 'telemetry', 'alerts') WHERE raised_at > today();

SELECT hostName(), count() FROM clusterAllReplicas('main', telemetry.readings) GROUP BY hostName();

SELECT name, age FROM s3('https://bucket.example.com/people/*.csv', 'CSVWithNames', 'name String, age UInt8') WHERE age > 30;

SELECT _path, _file, count() FROM s3('https://bucket.example.com/logs/*.parquet') GROUP BY _path, _file;

SELECT column1, column2 FROM url('https://example.com/list.tsv', TSV, 'column1 String, column2 UInt32');

SELECT _table, count() FROM merge('telemetry', '^readings') GROUP BY _table;

SELECT generate_series AS n FROM generate_series(1, 10, 3);

SELECT i, s FROM generateRandom('i UInt8, s String', 1, 10, 2) LIMIT 4;

SELECT d.serial, v.owner
FROM devices AS d
INNER JOIN values('serial String, owner String', ('S1', 'Ann'), ('S2', 'Ben')) AS v ON v.serial = d.serial;

SELECT partition, name, rows, bytes_on_disk FROM system.parts WHERE table = 'readings' AND active ORDER BY bytes_on_disk DESC;

SELECT normalized_query_hash, any(query) AS q, count() AS runs, quantile(0.9)(query_duration_ms) AS p90
FROM system.query_log
WHERE type = 'QueryFinish' AND event_time > now() - 3600
GROUP BY normalized_query_hash
ORDER BY p90 DESC;

SELECT table, formatReadableSize(sum(data_compressed_bytes)) AS size FROM system.columns WHERE database = currentDatabase() GROUP BY table;

SELECT sum(number) FROM numbers_mt(1000000);

SELECT * FROM file('export.csv', 'CSV', 'a String, b Float64') LIMIT 3;

SELECT dummy FROM system.one;

SELECT one.dummy, s.site_name FROM system.one AS one CROSS JOIN sites AS s;

SELECT m.metric, m.host, z.zero FROM metrics AS m, zeros(2) AS z LIMIT 4;

