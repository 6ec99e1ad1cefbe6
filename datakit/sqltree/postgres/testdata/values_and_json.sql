-- Expressions of every kind.
SELECT j.id, t.doc -> 'a' ->> 0, (t.comp).field[1:2], (t.comp).*, t.arr[i.n],
       JSON_OBJECT('k': t.v, 'l' VALUE 2 ABSENT ON NULL), JSON_VALUE(t.doc, '$.x' RETURNING int DEFAULT t.d ON ERROR),
       EXTRACT(epoch FROM t.at AT TIME ZONE 'UTC'), TRIM(LEADING FROM t.name), SUBSTRING(t.name FROM 2 FOR 3),
       percentile_cont(0.9) WITHIN GROUP (ORDER BY t.v DESC), string_agg(DISTINCT t.name, ', ' ORDER BY t.name),
       t.a IS NOT DISTINCT FROM t.b, t.name NOT ILIKE '%x' ESCAPE '!', (t.a, t.b) OVERLAPS (t.c, INTERVAL '1 day'),
       ROW(t.*) = ROW(1, 2), -t.v ^ 2, NOT (t.a OR t.b AND t.c), CAST(t.name AS "My Type"), t.name COLLATE "de_DE", f(t, k => t.v)
FROM t,
     JSON_TABLE (t.doc, '$[*]' COLUMNS (id FOR ORDINALITY, NESTED PATH '$.b' COLUMNS (c text PATH '$.c'))) AS j,
     ROWS FROM (generate_series(1, 3), unnest(t.arr)) WITH ORDINALITY AS i (n, u, o),
     json_to_record(t.doc) AS r (a int, "B" text)
WHERE t.v NOT IN (SELECT v FROM w) AND (t.a, t.b) IN ((1, 2), (3, 4));
