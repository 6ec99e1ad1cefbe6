SELECT * FROM t WHERE a = :name AND b = ? AND c = @p AND d = %s AND e = %(x)s AND f = {g}
----
SELECT a FROM t WHERE b=? AND c=%s AND d=:e AND f=@g AND h<>@i AND j IN (?, ?) LIMIT ? OFFSET ?
----
INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b WHERE t.c = ? RETURNING id
----
UPDATE t SET a = ?, b = b + :d WHERE id = ANY(?) RETURNING *
----
SELECT data->>'a', data->'b'->0, data #>> '{a,b}', data @> '{"x": 1}', data ? 'k', data ?| array['a', 'b'], data - 'x', data || '{}', data @@ '$.a == 1' FROM t WHERE id = ?
----
SELECT a::int[], '{1,2}'::int[][], (b).c, (b).*, arr[1:2], arr[:], x::numeric(10,2), $1::text, interval '1 day' * 2, now() - interval '1' day FROM t WHERE x = {{ y }}
----
SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b DESC NULLS LAST FETCH FIRST :n ROWS WITH TIES FOR UPDATE OF t SKIP LOCKED
----
SELECT * FROM ONLY t *, LATERAL (SELECT 1) x, ROWS FROM (generate_series(1, 2), unnest(ARRAY[1, 2])) WITH ORDINALITY AS y(a, b, n), json_to_record('{}') AS z(a int, b text) WHERE t.a = ?
----
SELECT count(*) FILTER (WHERE a > ?), percentile_cont(0.5) WITHIN GROUP (ORDER BY b), string_agg(c, ',' ORDER BY d), row_number() OVER (PARTITION BY e ORDER BY f ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t
----
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < ?) SEARCH DEPTH FIRST BY n SET ord CYCLE n SET c USING p SELECT * FROM r
----
WITH d AS (DELETE FROM t WHERE a = ? RETURNING *) INSERT INTO u SELECT * FROM d
----
SELECT U&'d\0061t', E'a\'b', $tag$ x $tag$, B'101', X'1F', 'a'
'b' FROM t WHERE x = ?
----
DELETE FROM t USING u WHERE t.id = u.id AND u.x = ?
----
MERGE INTO t USING u ON t.id = u.id WHEN MATCHED AND u.x = ? THEN UPDATE SET a = u.a WHEN NOT MATCHED THEN INSERT (id) VALUES (u.id) RETURNING merge_action(), t.*
----
SELECT FROM t WHERE a = ?
----
SELECT a OPERATOR(pg_catalog.+) b, a <-> b, a ~* 'x', a !~ 'y', a = ANY (ARRAY[1]), a <> ALL (SELECT 1), a IN (SELECT 2), -a, @ a, !! b, |/ 4 FROM t WHERE c = ?
