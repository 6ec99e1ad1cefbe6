## plain
SELECT 1
SELECT 1;
SELECT 1 --; 
SELECT 1 AS one, 'two' AS two, NULL AS three, true AS four
SELECT * FROM fct_orders LIMIT 10
SELECT region, count(*) AS orders FROM fct_orders GROUP BY region ORDER BY 2 DESC
SELECT region, count(*) orders FROM dbt.fct_orders GROUP BY 1 ORDER BY orders DESC LIMIT 5
SELECT "region", COUNT(*) FROM "dbt"."fct_orders" GROUP BY "region"
SELECT o.region FROM demo.dbt.fct_orders AS o LIMIT 3
SELECT O.REGION FROM FCT_ORDERS O LIMIT 3
select distinct channel from fct_orders order by channel
SELECT DISTINCT ON (region) region, order_id, ordered_at FROM fct_orders ORDER BY region, ordered_at DESC
SELECT date_trunc('month', day) AS month, sum(revenue) AS revenue FROM mart_revenue_daily GROUP BY 1
SELECT category, sum(revenue) AS revenue FROM fct_order_items GROUP BY 1
SELECT count(*), count(DISTINCT customer_id), sum(revenue), avg(revenue), min(ordered_at), max(ordered_at) FROM fct_orders
SELECT sum(revenue) / nullif(count(*), 0) AS aov FROM fct_orders
SELECT round(100.0 * sum(CASE WHEN is_first_order THEN 1 ELSE 0 END) / count(*), 2) AS pct FROM fct_orders
SELECT CASE region WHEN 'North' THEN 1 WHEN 'South' THEN 2 ELSE 3 END AS r FROM fct_orders LIMIT 3
SELECT CASE WHEN revenue > 100 THEN 'big' WHEN revenue > 50 THEN 'mid' ELSE 'small' END AS size, count(*) FROM fct_orders GROUP BY ALL
SELECT region, channel, sum(revenue) FROM fct_orders GROUP BY ALL ORDER BY ALL
SELECT region, sum(revenue) AS r FROM fct_orders GROUP BY region HAVING sum(revenue) > 1000 ORDER BY r DESC NULLS LAST
SELECT * FROM fct_orders WHERE ordered_at >= DATE '2026-01-01' AND ordered_at < DATE '2026-02-01' LIMIT 10
SELECT * FROM fct_orders WHERE order_day BETWEEN '2026-01-01' AND '2026-01-31' LIMIT 10
SELECT * FROM fct_orders WHERE status IN ('completed', 'shipped') AND channel NOT IN ('app') LIMIT 5
SELECT * FROM fct_orders WHERE coupon_code IS NULL OR coupon_code IS NOT NULL LIMIT 1
SELECT * FROM fct_orders WHERE region LIKE 'N%' AND region NOT LIKE '%x' AND region ILIKE 'n%' LIMIT 1
SELECT * FROM fct_orders WHERE region SIMILAR TO '(North|South)' LIMIT 1
SELECT * FROM fct_orders WHERE region GLOB 'N*' LIMIT 1
SELECT * FROM fct_orders WHERE region LIKE '10!%' ESCAPE '!' LIMIT 1
SELECT * FROM fct_orders WHERE coupon_code IS DISTINCT FROM 'X' LIMIT 1
SELECT * FROM fct_orders WHERE coupon_code IS NOT DISTINCT FROM NULL LIMIT 1
SELECT * FROM fct_orders ORDER BY revenue DESC LIMIT 10 OFFSET 20
SELECT * FROM fct_orders ORDER BY revenue DESC FETCH FIRST 5 ROWS ONLY
SELECT * FROM fct_orders LIMIT 1%
(SELECT 1)
((SELECT region FROM fct_orders LIMIT 1))
FROM fct_orders
FROM fct_orders LIMIT 5
FROM fct_orders SELECT region, count(*) GROUP BY region
FROM fct_orders o JOIN dim_regions r USING (region_id) SELECT r.area, sum(o.revenue) GROUP BY 1
FROM fct_orders SELECT count(*) WHERE revenue > 100
TABLE dim_regions
VALUES (1, 'a'), (2, 'b')
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(id, name)
SELECT * FROM (VALUES (1), (2)) t(x) JOIN dim_regions ON region_id = x
FROM (VALUES (1), (2)) t(x) SELECT x + 1
## columns and strings that look like something else
SELECT 'DROP TABLE fct_orders' AS x
SELECT 'a; b' AS x, '-- no comment' AS y, '/* nor this */' AS z
SELECT 'it''s' AS x, E'line\nbreak' AS y, $$dollar 'quoted'$$ AS z, $tag$ a $$ b $tag$ AS w
SELECT 1 AS update_time, 2 AS delete_flag, 3 AS "select", 4 AS "drop", 5 AS insert_date
SELECT update_time, delete_flag FROM (SELECT 1 AS update_time, 2 AS delete_flag)
SELECT t."select", t."from" FROM (SELECT 1 AS "select", 2 AS "from") t
SELECT "weird "" name" FROM (SELECT 1 AS "weird "" name")
SELECT "a.b", "c/d.csv" FROM (SELECT 1 AS "a.b", 2 AS "c/d.csv")
SELECT * FROM fct_orders WHERE status = 'DELETE FROM x' LIMIT 1
SELECT count(*) FROM fct_orders WHERE region IN ('INSERT', 'UPDATE', 'ATTACH', 'COPY', 'PRAGMA')
SELECT 1 AS copy, 2 AS load, 3 AS attach, 4 AS install, 5 AS pragma, 6 AS set
SELECT copy FROM (SELECT 1 AS copy)
SELECT '$$' AS a, '$x$' AS b
SELECT 'file.csv' AS path, 's3://bucket/x' AS url, '/etc/passwd' AS p
SELECT region AS "information_schema.tables" FROM fct_orders LIMIT 1
SELECT 'dim_customers' AS name
SELECT dim_customers FROM (SELECT 1 AS dim_customers)
SELECT x AS dim_customers FROM (SELECT 1 AS x)
SELECT 'Ünïcode ☃ 字' AS s, ' ' AS blank
SELECT 1 AS größe
SELECT größe FROM (SELECT 1 AS größe)
SELECT read_csv FROM (SELECT 1 AS read_csv)
SELECT format('{} of {}', 1, 2), printf('%d', 3)
SELECT 1 AS format, 2 AS settings, 3 AS into_x
SELECT /* a comment; DROP TABLE x */ 1 -- another; DELETE
SELECT 1 /* with 'quote */ + 1
SELECT 1 /* outer /* inner */ still a comment */ + 1
## joins
SELECT o.order_id, i.quantity FROM fct_orders o JOIN fct_order_items i ON o.order_id = i.order_id LIMIT 5
SELECT o.order_id, i.quantity FROM fct_orders o INNER JOIN fct_order_items i USING (order_id) LIMIT 5
SELECT o.order_id, r.amount FROM fct_orders o LEFT JOIN fct_refunds r ON r.order_id = o.order_id LIMIT 5
SELECT o.order_id, r.amount FROM fct_orders o LEFT OUTER JOIN fct_refunds r USING (order_id) LIMIT 5
SELECT count(*) FROM fct_refunds r RIGHT JOIN fct_orders o USING (order_id)
SELECT count(*) FROM fct_refunds r FULL OUTER JOIN fct_orders o USING (order_id)
SELECT count(*) FROM dim_regions a CROSS JOIN dim_regions b
SELECT count(*) FROM dim_regions a, dim_regions b WHERE a.region_id < b.region_id
SELECT count(*) FROM fct_orders NATURAL JOIN dim_regions
SELECT count(*) FROM fct_orders SEMI JOIN fct_refunds USING (order_id)
SELECT count(*) FROM fct_orders ANTI JOIN fct_refunds USING (order_id)
SELECT o.order_id, r.amount FROM fct_orders o ASOF JOIN fct_refunds r ON o.customer_id = r.customer_id AND o.ordered_at >= r.refunded_at LIMIT 5
SELECT o.order_id, r.amount FROM fct_orders o ASOF LEFT JOIN fct_refunds r ON o.customer_id = r.customer_id AND o.ordered_at >= r.refunded_at LIMIT 5
SELECT * FROM (SELECT 1 a) x POSITIONAL JOIN (SELECT 2 b) y
SELECT * FROM dim_regions r, LATERAL (SELECT count(*) c FROM fct_orders o WHERE o.region_id = r.region_id) t
SELECT r.region, t.c FROM dim_regions r JOIN LATERAL (SELECT max(revenue) c FROM fct_orders o WHERE o.region_id = r.region_id) t ON true
SELECT * FROM (dim_regions a JOIN dim_regions b USING (region_id)) LIMIT 1
SELECT * FROM (fct_orders o JOIN dim_regions r ON o.region_id = r.region_id) JOIN dim_products p ON true LIMIT 1
SELECT p.category, w.warehouse FROM dim_products p JOIN fct_stock_daily w USING (product_id) WHERE w.stock_day = '2026-03-01' LIMIT 4
SELECT d.day, coalesce(sum(o.revenue), 0) AS revenue FROM dim_time_spine_daily d LEFT JOIN fct_orders o ON o.order_day = d.day GROUP BY 1 ORDER BY 1 LIMIT 30
## CTEs
WITH a AS (SELECT 1 AS x) SELECT * FROM a
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b
WITH fct_orders AS (SELECT * FROM dbt.fct_orders WHERE revenue > 10) SELECT count(*) FROM fct_orders
WITH a AS MATERIALIZED (SELECT region, sum(revenue) r FROM fct_orders GROUP BY 1) SELECT * FROM a ORDER BY r
WITH a AS NOT MATERIALIZED (SELECT 1 x) SELECT * FROM a
WITH a(x, y) AS (SELECT 1, 2) SELECT x, y FROM a
WITH a AS (WITH b AS (SELECT 1 AS x) SELECT * FROM b) SELECT * FROM a
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT sum(n) FROM t
WITH RECURSIVE days(d) AS (SELECT DATE '2026-01-01' UNION ALL SELECT (d + INTERVAL 1 DAY)::DATE FROM days WHERE d < DATE '2026-01-31') SELECT d, count(o.order_id) FROM days LEFT JOIN fct_orders o ON o.order_day = d GROUP BY d
WITH RECURSIVE g AS (SELECT 1 AS node UNION SELECT e.b FROM g JOIN (VALUES (1, 2), (2, 3)) e(a, b) ON e.a = g.node) SELECT * FROM g
WITH monthly AS (SELECT date_trunc('month', ordered_at) m, sum(revenue) r FROM fct_orders GROUP BY 1) SELECT m, r, r - lag(r) OVER (ORDER BY m) AS diff FROM monthly
WITH x AS (FROM fct_orders SELECT region, revenue) FROM x SELECT region, median(revenue) GROUP BY 1
WITH "My CTE" AS (SELECT 1 AS a) SELECT * FROM "my cte"
## windows
SELECT region, revenue, row_number() OVER (PARTITION BY region ORDER BY revenue DESC) AS rn FROM fct_orders LIMIT 10
SELECT region, rank() OVER w, dense_rank() OVER w FROM fct_orders WINDOW w AS (PARTITION BY region ORDER BY revenue) LIMIT 10
SELECT order_day, sum(sum(revenue)) OVER (ORDER BY order_day) AS running FROM fct_orders GROUP BY order_day ORDER BY 1 LIMIT 10
SELECT order_day, avg(sum(revenue)) OVER (ORDER BY order_day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS ma7 FROM fct_orders GROUP BY order_day LIMIT 10
SELECT day, sum(revenue) OVER (ORDER BY day RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW) FROM mart_revenue_daily LIMIT 10
SELECT day, sum(revenue) OVER (ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) FROM mart_revenue_daily LIMIT 10
SELECT day, sum(revenue) OVER (ORDER BY day GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM mart_revenue_daily LIMIT 10
SELECT region, first_value(order_id) OVER (PARTITION BY region ORDER BY ordered_at), last_value(order_id IGNORE NULLS) OVER (PARTITION BY region ORDER BY ordered_at) FROM fct_orders LIMIT 3
SELECT lag(revenue, 1, 0) OVER (ORDER BY ordered_at), lead(revenue) OVER (ORDER BY ordered_at), nth_value(revenue, 2) OVER (ORDER BY ordered_at) FROM fct_orders LIMIT 3
SELECT ntile(4) OVER (ORDER BY revenue), percent_rank() OVER (ORDER BY revenue), cume_dist() OVER (ORDER BY revenue) FROM fct_orders LIMIT 3
SELECT * FROM fct_orders QUALIFY row_number() OVER (PARTITION BY region ORDER BY revenue DESC) <= 3
SELECT region, channel, sum(revenue) r FROM fct_orders GROUP BY 1, 2 QUALIFY rank() OVER (PARTITION BY region ORDER BY sum(revenue) DESC) = 1
SELECT region, sum(revenue) FILTER (WHERE channel = 'app') OVER (PARTITION BY region) FROM fct_orders LIMIT 2
## aggregates
SELECT median(revenue), quantile_cont(revenue, 0.9), quantile_disc(revenue, [0.25, 0.75]), mode(region) FROM fct_orders
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY revenue) FROM fct_orders
SELECT stddev(revenue), stddev_pop(revenue), variance(revenue), var_pop(revenue), skewness(revenue), kurtosis(revenue), entropy(channel), mad(revenue) FROM fct_orders
SELECT corr(revenue, units), covar_pop(revenue, units), covar_samp(revenue, units), regr_slope(revenue, units), regr_r2(revenue, units) FROM fct_orders
SELECT approx_count_distinct(customer_id), approx_quantile(revenue, 0.5) FROM fct_orders
SELECT string_agg(DISTINCT region, ', ' ORDER BY region) FROM fct_orders
SELECT list(region ORDER BY region) FROM dim_regions
SELECT array_agg(DISTINCT channel) FROM fct_orders
SELECT arg_max(order_id, revenue), arg_min(order_id, revenue), max_by(region, revenue), any_value(region) FROM fct_orders
SELECT count(*) FILTER (WHERE channel = 'app') AS app, count(*) FILTER (channel = 'web') AS web FROM fct_orders
SELECT bool_and(is_first_order), bool_or(is_first_order), count_if(is_first_order) FROM fct_orders
SELECT histogram(line_count) FROM fct_orders
SELECT max(revenue, 3) FROM fct_orders
SELECT region, channel, sum(revenue) FROM fct_orders GROUP BY GROUPING SETS ((region), (channel), ())
SELECT region, channel, sum(revenue), grouping(region) FROM fct_orders GROUP BY ROLLUP (region, channel)
SELECT region, channel, sum(revenue), GROUPING_ID(region, channel) FROM fct_orders GROUP BY CUBE (region, channel)
SELECT sum(revenue) FROM fct_orders HAVING count(*) > 1
SELECT product(1 + margin_rate) FROM dim_products
SELECT geomean(unit_price), favg(unit_price), fsum(unit_price), weighted_avg(unit_price, unit_cost) FROM dim_products
## set operations
SELECT region FROM fct_orders UNION SELECT region FROM dim_regions
SELECT region FROM fct_orders UNION ALL SELECT region FROM dim_regions ORDER BY 1 LIMIT 4
SELECT region FROM fct_orders INTERSECT SELECT region FROM dim_regions
SELECT region FROM fct_orders EXCEPT SELECT region FROM dim_regions
SELECT region FROM fct_orders EXCEPT ALL SELECT region FROM dim_regions LIMIT 1
(SELECT 1) UNION (SELECT 2) ORDER BY 1
SELECT 1 AS a UNION BY NAME SELECT 2 AS b
SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS a
(SELECT region FROM dim_regions LIMIT 1) UNION ALL (SELECT region FROM dim_regions LIMIT 1)
## subqueries
SELECT (SELECT max(revenue) FROM fct_orders) AS m
SELECT * FROM fct_orders WHERE revenue > (SELECT avg(revenue) FROM fct_orders) LIMIT 5
SELECT * FROM dim_products p WHERE EXISTS (SELECT 1 FROM fct_order_items i WHERE i.product_id = p.product_id) LIMIT 5
SELECT * FROM dim_products p WHERE NOT EXISTS (FROM fct_refunds r WHERE r.product_id = p.product_id)
SELECT * FROM fct_orders WHERE order_id IN (SELECT order_id FROM fct_refunds) LIMIT 5
SELECT * FROM fct_orders WHERE (order_id, customer_id) IN (SELECT order_id, customer_id FROM fct_refunds) LIMIT 5
SELECT * FROM fct_orders WHERE revenue >= ALL (SELECT revenue FROM fct_orders)
SELECT * FROM fct_orders WHERE region = ANY (SELECT region FROM dim_regions) LIMIT 1
SELECT ARRAY(SELECT region FROM dim_regions ORDER BY 1)
SELECT t.r, t.s FROM (SELECT region r, sum(revenue) s FROM fct_orders GROUP BY 1) AS t WHERE t.s > 0
SELECT * FROM (FROM fct_orders LIMIT 3)
SELECT x FROM (SELECT 1) AS t(x)
## PIVOT and UNPIVOT
SELECT * FROM (SELECT region, channel, revenue FROM fct_orders) PIVOT (sum(revenue) FOR channel IN ('app', 'web'))
SELECT * FROM (SELECT region, channel, revenue FROM fct_orders) PIVOT (sum(revenue) AS total, count(*) AS n FOR channel IN ('app' AS mobile, 'web' AS site) GROUP BY region)
PIVOT fct_orders ON channel IN ('app', 'web') USING sum(revenue) GROUP BY region
PIVOT (SELECT region, channel, revenue FROM fct_orders) ON channel IN ('app', 'web') USING sum(revenue) AS total
FROM (PIVOT fct_orders ON channel IN ('app', 'web') USING sum(revenue) GROUP BY region)
UNPIVOT (SELECT region, country FROM dim_regions) ON region, country INTO NAME k VALUE v
SELECT * FROM (SELECT revenue, cost FROM fct_orders LIMIT 3) UNPIVOT (v FOR k IN (revenue, cost))
SELECT * FROM (SELECT revenue, cost FROM fct_orders LIMIT 3) UNPIVOT INCLUDE NULLS (v FOR k IN (revenue, cost))
## star
SELECT * EXCLUDE (order_id) FROM fct_orders LIMIT 1
SELECT * EXCLUDE order_id FROM fct_orders LIMIT 1
SELECT * REPLACE (round(revenue) AS revenue) FROM fct_orders LIMIT 1
SELECT * RENAME (revenue AS amount) FROM fct_orders LIMIT 1
SELECT o.* EXCLUDE (order_id) REPLACE (lower(region) AS region) FROM fct_orders o LIMIT 1
SELECT COLUMNS('^(revenue|cost)$') FROM fct_orders LIMIT 1
SELECT min(COLUMNS(* EXCLUDE (region, status))) FROM fct_orders
SELECT COLUMNS(c -> c LIKE '%_amount') FROM fct_orders LIMIT 1
SELECT COLUMNS(lambda c: c LIKE '%_amount') FROM fct_orders LIMIT 1
SELECT * LIKE '%amount' FROM fct_orders LIMIT 1
SELECT sum(COLUMNS(['revenue', 'cost'])) FROM fct_orders
SELECT coalesce(*COLUMNS('revenue|cost')) FROM fct_orders LIMIT 1
SELECT struct_pack(*COLUMNS(['region', 'revenue'])) FROM fct_orders LIMIT 1
SELECT count(COLUMNS(*)) FROM dim_regions
## dates
SELECT current_date, now(), today(), current_timestamp
SELECT extract(year FROM ordered_at), extract('month' FROM ordered_at), date_part('dow', ordered_at) FROM fct_orders LIMIT 1
SELECT year(ordered_at), month(ordered_at), day(ordered_at), quarter(ordered_at), week(ordered_at), dayname(ordered_at) FROM fct_orders LIMIT 1
SELECT date_trunc('week', ordered_at), date_diff('day', ordered_at, now()::TIMESTAMP), datediff('month', order_day, current_date) FROM fct_orders LIMIT 1
SELECT order_day + INTERVAL 1 MONTH, order_day - INTERVAL '3 days', order_day + 7, ordered_at + INTERVAL (line_count) DAY FROM fct_orders LIMIT 1
SELECT strftime(ordered_at, '%Y-%m'), strptime('2026-01-01', '%Y-%m-%d'), try_strptime('x', '%Y') FROM fct_orders LIMIT 1
SELECT time_bucket(INTERVAL '1 hour', ordered_at), last_day(order_day), make_date(2026, 1, 1), epoch(ordered_at) FROM fct_orders LIMIT 1
SELECT ordered_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin' FROM fct_orders LIMIT 1
SELECT TIMESTAMP '2026-01-01 00:00:00', DATE '2026-01-01', INTERVAL 1 YEAR, TIME '10:00'
SELECT '2026-01-01'::DATE, CAST('2026-01-01' AS TIMESTAMP), TRY_CAST('x' AS INTEGER)
SELECT age(now()::TIMESTAMP, ordered_at) FROM fct_orders LIMIT 1
SELECT d::DATE FROM generate_series(DATE '2026-01-01', DATE '2026-01-10', INTERVAL 1 DAY) t(d)
SELECT * FROM range(DATE '2026-01-01', DATE '2026-01-10', INTERVAL 1 DAY)
SELECT unnest(generate_series(1, 5))
SELECT i, i * i FROM range(10) t(i)
SELECT * FROM range(5), generate_series(1, 3) g(x)
SELECT to_days(3), to_months(1), isodow(current_date), yearweek(current_date)
## lists, structures, maps, JSON
SELECT [1, 2, 3][1], [1, 2, 3][1:2], [1, 2, 3][-1], list_value(1, 2), [x * 2 FOR x IN [1, 2, 3] IF x > 1]
SELECT list_transform([1, 2, 3], x -> x + 1), list_filter([1, 2, 3], lambda x: x > 1), list_reduce([1, 2, 3], (a, b) -> a + b)
SELECT apply([1, 2], x -> x * 2), list_sum([1, 2]), list_sort([3, 1]), list_distinct([1, 1]), list_contains([1], 1), len([1])
SELECT list_aggregate([1, 2, 3], 'sum'), array_slice([1, 2, 3], 1, 2), flatten([[1], [2]])
SELECT {'a': 1, 'b': 'x'}.a, {'a': 1}['a'], struct_pack(a := 1, b := 2), struct_extract({'a': 1}, 'a')
SELECT s.a FROM (SELECT {'a': 1, b: 2} AS s)
SELECT unnest({'a': 1, 'b': 2}), unnest([{'a': 1}], recursive := true)
SELECT MAP {'k': 1}['k'], map([1], ['a']), map_keys(MAP {'k': 1}), map_from_entries([('k', 1)])
SELECT unnest([1, 2, 3]) AS x
SELECT x FROM unnest([1, 2, 3]) t(x)
SELECT * FROM unnest([1, 2, 3]) WITH ORDINALITY
SELECT r.region, u.x FROM dim_regions r, unnest([1, 2]) u(x)
SELECT r.region, u.x FROM dim_regions r CROSS JOIN LATERAL unnest([r.region_id, 2]) AS u(x)
SELECT '{"a": {"b": [1, 2]}}'::JSON -> 'a' -> 'b', '{"a": 1}'::JSON ->> 'a', json_extract('{"a": 1}', '$.a'), json_extract_string('{"a": 1}', '$.a')
SELECT j->>'$.a.b' FROM (SELECT '{"a": {"b": 1}}'::JSON j)
SELECT json_object('a', 1), json_array(1, 2), to_json({'a': 1}), json_group_array(region), json_type('[]'), json_valid('{}') FROM dim_regions
SELECT key, value FROM json_each('{"a": 1, "b": 2}')
SELECT * FROM json_tree('{"a": [1, 2]}')
SELECT from_json('{"a": 1}', '{"a": "INTEGER"}')
## text
SELECT upper(region), lower(region), length(region), substr(region, 1, 2), substring(region FROM 2 FOR 3), trim(BOTH ' ' FROM region), left(region, 1) FROM dim_regions
SELECT region || ' / ' || country, concat(region, country), concat_ws('-', region, country), replace(region, 'o', '0') FROM dim_regions
SELECT regexp_matches(region, '^N'), regexp_extract(region, '([a-z]+)', 1), regexp_replace(region, '[aeiou]', '_', 'g'), region ~ 'N.*' FROM dim_regions
SELECT split_part('a,b', ',', 1), string_split('a,b', ','), starts_with(region, 'N'), contains(region, 'o'), position('o' IN region), instr(region, 'o') FROM dim_regions
SELECT lpad('1', 3, '0'), rpad('1', 3, '0'), reverse('abc'), ascii('a'), chr(65), md5('x'), sha256('x'), hash('x')
SELECT levenshtein('a', 'b'), jaro_winkler_similarity('a', 'b'), jaccard('ab', 'bc'), strip_accents('é'), initcap FROM (SELECT 1 AS initcap)
SELECT region.upper().lower() FROM dim_regions
SELECT ('a' || 'b').length()
SELECT region COLLATE NOCASE FROM dim_regions ORDER BY region COLLATE NOCASE
SELECT format_bytes(1024), bar(1, 0, 10), url_encode('a b'), to_base64('a'::BLOB), 'x'::BLOB, x'00ff'
## numbers
SELECT 1 + 2 * 3 - 4 / 5 % 6, 7 // 2, 2 ** 3, 2 ^ 3, -5, +5, ~1, 1 << 2, 5 & 3, 5 | 3, 1e3, 1.5e-3, .5, 1_000, 0xff
SELECT abs(-1), ceil(1.2), floor(1.2), round(1.25, 1), trunc(1.9), sqrt(4), power(2, 3), ln(2), log10(100), exp(1), sign(-1), greatest(1, 2), least(1, 2)
SELECT mod(5, 3), 5 % 3, gcd(4, 6), factorial(5), pi(), random() < 2, width_bucket FROM (SELECT 1 AS width_bucket)
SELECT coalesce(NULL, 1), ifnull(NULL, 1), nullif(1, 1), if(true, 1, 2), isnan('nan'::DOUBLE), try(1 / 0)
SELECT 10::DECIMAL(10, 2), 1::HUGEINT, '1'::UBIGINT, 1.0::FLOAT, true::INT, [1]::INT[], {'a': 1}::STRUCT(a BIGINT), 'a'::VARCHAR
SELECT bit_count(5), xor(1, 2), hex(255), bin(5), set_bit('010'::BIT, 0, 1)
SELECT NOT true, true AND false OR true, 1 = 1, 1 <> 2, 1 != 2, 1 == 1, 1 < 2, 1 IS NOT NULL, NULL IS NULL, true IS TRUE, 1 BETWEEN 0 AND 2
SELECT 1 IN (1, 2), 1 NOT IN (3), 1 IN [1, 2]
## sampling, parameters of a query
SELECT * FROM fct_orders USING SAMPLE 10
SELECT * FROM fct_orders USING SAMPLE 1 PERCENT (bernoulli)
SELECT * FROM fct_orders TABLESAMPLE reservoir(100)
SELECT * FROM fct_orders TABLESAMPLE 1% (system, 42)
SELECT * FROM fct_orders TABLESAMPLE bernoulli(1 PERCENT) REPEATABLE (7)
SELECT r: region, n: count(*) FROM fct_orders GROUP BY 1
SELECT region AS 'Region name', revenue AS "Total revenue" FROM fct_orders LIMIT 1
SELECT region, revenue, FROM fct_orders LIMIT 1
SELECT #1, #2 FROM fct_orders LIMIT 1
SELECT rowid FROM fct_orders LIMIT 1
SELECT alias(region), typeof(revenue), pg_typeof(1) FROM fct_orders LIMIT 1
SELECT o FROM fct_orders o LIMIT 1
SELECT dbt.fct_orders.region FROM dbt.fct_orders LIMIT 1
SELECT fct_orders.region FROM fct_orders LIMIT 1
## the filter that is needed
SELECT count(*) FROM fct_sessions WHERE started_at >= '2026-01-01'
SELECT count(*) FROM fct_sessions WHERE session_day = DATE '2026-01-01'
SELECT count(*) FROM fct_sessions s WHERE s.session_day BETWEEN '2026-01-01' AND '2026-01-07' AND s.device = 'mobile'
SELECT count(*) FROM fct_sessions WHERE session_day IN ('2026-01-01', '2026-01-02')
SELECT count(*) FROM fct_sessions WHERE '2026-01-01' <= session_day
SELECT count(*) FROM fct_sessions WHERE started_at > now()::TIMESTAMP - INTERVAL 28 DAY
SELECT count(*) FROM fct_sessions WHERE session_day >= current_date - 28
SELECT count(*) FROM fct_sessions WHERE started_at::DATE = '2026-01-01'
SELECT count(*) FROM fct_sessions WHERE (session_day = '2026-01-01' OR session_day = '2026-02-01')
SELECT count(*) FROM fct_sessions WHERE session_day >= (SELECT max(day) - 7 FROM dim_time_spine_daily)
SELECT count(*) FROM fct_orders o JOIN fct_sessions s ON s.order_id = o.order_id AND s.session_day >= '2026-01-01'
WITH s AS (SELECT * FROM fct_sessions WHERE session_day >= '2026-01-01') SELECT device, count(*) FROM s GROUP BY 1
SELECT * FROM (FROM fct_sessions WHERE session_day = '2026-01-01') LIMIT 3
SELECT (SELECT count(*) FROM fct_sessions WHERE session_day = '2026-01-01') AS n
WITH fct_sessions AS (SELECT * FROM fct_sessions WHERE session_day >= '2026-01-01') SELECT device, count(*) FROM fct_sessions GROUP BY 1
## other statements
EXPLAIN SELECT * FROM fct_orders
EXPLAIN ANALYZE SELECT count(*) FROM fct_orders
EXPLAIN (FORMAT json) SELECT count(*) FROM fct_orders
EXPLAIN WITH a AS (SELECT 1) SELECT * FROM a
EXPLAIN FROM fct_orders
DESCRIBE fct_orders
DESC fct_orders
DESCRIBE dbt.fct_orders
DESCRIBE SELECT region, sum(revenue) FROM fct_orders GROUP BY 1
DESCRIBE fct_sessions
SUMMARIZE dim_regions
SUMMARIZE SELECT region, revenue FROM fct_orders LIMIT 100
SHOW TABLES
SHOW DATABASES
SHOW TABLES FROM dbt
SHOW fct_orders
SELECT column_name FROM (DESCRIBE fct_orders)
SELECT column_name, null_percentage FROM (SUMMARIZE dim_regions)
FROM (DESCRIBE SELECT 1 AS a)
## questions as they are asked
SELECT region, sum(revenue) AS revenue, sum(revenue) / sum(sum(revenue)) OVER () AS share FROM fct_orders WHERE order_day >= '2026-01-01' GROUP BY region ORDER BY share DESC
WITH first AS (SELECT customer_id, min(order_day) AS d FROM fct_orders GROUP BY 1) SELECT date_trunc('month', f.d) AS cohort, date_diff('month', f.d, o.order_day) AS age, count(DISTINCT o.customer_id) FROM fct_orders o JOIN first f USING (customer_id) GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 20
SELECT warehouse, count(*) FILTER (WHERE minutes_late > 0) * 1.0 / count(*) AS late FROM mart_delivery_sla_daily GROUP BY ALL
SELECT plan, max_by(mrr, subscription_day) AS mrr FROM fct_subscriptions_daily GROUP BY plan
SELECT a.category, b.category, count(*) FROM fct_order_items a JOIN fct_order_items b ON a.order_id = b.order_id AND a.category < b.category GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 10
SELECT priority, quantile_cont(first_response_hours, 0.9) FROM fct_support_tickets GROUP BY 1
SELECT s.stock_day, s.warehouse, sum(s.units_on_hand) FROM fct_stock_daily s WHERE s.stock_day = (SELECT max(stock_day) FROM fct_stock_daily) GROUP BY 1, 2
SELECT date_trunc('month', spend_day) AS m, sum(spend) / nullif(sum(clicks), 0) AS cpc FROM fct_marketing_spend_daily GROUP BY 1 ORDER BY 1
SELECT reason, count(*), round(avg(amount), 2), max(risk_score) FROM fct_refunds GROUP BY reason ORDER BY 2 DESC
SELECT * FROM mart_customer_cohorts_monthly WHERE cohort_month = '2025-06-01' ORDER BY months_since_first_order
SELECT day, region, net_revenue FROM mart_revenue_daily WHERE day > '2026-06-01' AND region = 'North' ORDER BY day
SELECT hour(opened_at) AS h, count(*) FROM fct_support_tickets GROUP BY h ORDER BY h
SELECT * FROM fct_orders o WHERE o.revenue > (SELECT 3 * avg(i.revenue) FROM fct_orders i WHERE i.region = o.region) LIMIT 5
SELECT region, list(DISTINCT channel), count(DISTINCT coupon_code) FROM fct_orders GROUP BY 1
SELECT bucket, count(*) FROM (SELECT width AS bucket FROM (SELECT floor(revenue / 50) * 50 AS width FROM fct_orders)) GROUP BY bucket ORDER BY bucket
SELECT bool_or(x) FROM (SELECT unnest([true, false]) AS x)
"SELECT\n\tregion,\r\n  count(*)\nFROM fct_orders -- where from\n\n/* and how */ GROUP BY region\n;"
"SELECT 1 -- last line"
"-- first\nSELECT 1"
"/* first */ SELECT 1 /* last */ ;"
