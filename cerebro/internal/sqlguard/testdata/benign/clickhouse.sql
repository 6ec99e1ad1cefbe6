## plain
SELECT 1
SELECT 1;
SELECT 1 # a comment; DROP TABLE x
SELECT 1 -- a comment; DROP TABLE x
SELECT 1 AS one, 'two' AS two, NULL AS three, true AS four
SELECT * FROM fct_orders LIMIT 10
SELECT region, count() AS orders FROM fct_orders GROUP BY region ORDER BY orders DESC
SELECT region, count(*) FROM dbt.fct_orders GROUP BY 1 ORDER BY 2 DESC LIMIT 5
SELECT `region`, COUNT(*) FROM `dbt`.`fct_orders` GROUP BY `region`
SELECT "region" FROM "dbt"."fct_orders" LIMIT 1
SELECT o.region FROM fct_orders AS o LIMIT 3
SELECT o.region FROM fct_orders o LIMIT 3
select distinct channel from fct_orders order by channel
SELECT DISTINCT ON (region) region, order_id FROM fct_orders ORDER BY region
SELECT toStartOfMonth(day) AS month, sum(revenue) AS revenue FROM mart_revenue_daily GROUP BY month ORDER BY month
SELECT category, sum(revenue) AS revenue FROM fct_order_items GROUP BY category
SELECT count(), count(DISTINCT customer_id), uniq(customer_id), uniqExact(customer_id), sum(revenue), avg(revenue), min(ordered_at), max(ordered_at) FROM fct_orders
SELECT sum(revenue) / nullIf(count(), 0) AS aov FROM fct_orders
SELECT round(100. * countIf(is_first_order) / count(), 2) AS pct FROM fct_orders
SELECT CASE region WHEN 'North' THEN 1 WHEN 'South' THEN 2 ELSE 3 END AS r FROM fct_orders LIMIT 3
SELECT multiIf(revenue > 100, 'big', revenue > 50, 'mid', 'small') AS size, count() FROM fct_orders GROUP BY size
SELECT if(revenue > 100, 'big', 'small') AS size, revenue > 100 ? 1 : 0 AS b FROM fct_orders LIMIT 2
SELECT region, channel, sum(revenue) FROM fct_orders GROUP BY ALL ORDER BY ALL
SELECT region, sum(revenue) AS r FROM fct_orders GROUP BY region HAVING r > 1000 ORDER BY r DESC NULLS LAST
SELECT * FROM fct_orders WHERE order_day >= toDate('2025-01-01') AND order_day < toDate('2027-02-01') LIMIT 10
SELECT * FROM fct_orders WHERE order_day BETWEEN '2025-01-01' AND '2027-01-31' LIMIT 10
SELECT * FROM fct_orders PREWHERE revenue > 10 WHERE region = 'North' LIMIT 10
SELECT * FROM fct_orders WHERE status IN ('completed', 'shipped') AND channel NOT IN ('app') LIMIT 5
SELECT * FROM fct_orders WHERE coupon_code IS NULL OR coupon_code IS NOT NULL LIMIT 1
SELECT * FROM fct_orders WHERE region LIKE 'N%' AND region NOT LIKE '%x' AND region ILIKE 'n%' LIMIT 1
SELECT * FROM fct_orders WHERE match(region, '^N') AND region REGEXP 'N' LIMIT 1
SELECT * FROM fct_orders WHERE has(['North', 'South'], assumeNotNull(region)) LIMIT 1
SELECT * FROM fct_orders ORDER BY revenue DESC LIMIT 10 OFFSET 20
SELECT * FROM fct_orders ORDER BY revenue DESC LIMIT 20, 10
SELECT * FROM fct_orders ORDER BY revenue DESC LIMIT 3 WITH TIES
SELECT region, order_id FROM fct_orders ORDER BY revenue DESC LIMIT 2 BY region
SELECT region, order_id FROM fct_orders ORDER BY revenue DESC LIMIT 1, 2 BY region LIMIT 5
SELECT * FROM fct_orders ORDER BY order_id OFFSET 5 ROWS FETCH FIRST 5 ROWS ONLY
SELECT TOP 3 * FROM fct_orders
(SELECT 1)
FROM fct_orders SELECT region, count() GROUP BY region
FROM fct_orders SELECT *
WITH 1 AS x SELECT x
WITH 10 AS n, 'North' AS r SELECT count() FROM fct_orders WHERE region = r AND units > n
WITH (SELECT max(revenue) FROM fct_orders) AS m SELECT order_id, revenue / m FROM fct_orders LIMIT 5
## names and strings that look like something else
SELECT 'DROP TABLE fct_orders' AS x
SELECT 'a; b' AS x, '-- no comment' AS y, '/* nor this */' AS z
SELECT 'it''s' AS x, 'it\'s' AS y, $$dollar 'quoted'$$ AS z, $tag$ a $$ b $tag$ AS w
SELECT 1 AS update_time, 2 AS delete_flag, 3 AS `select`, 4 AS "drop", 5 AS insert_date
SELECT update_time, delete_flag FROM (SELECT 1 AS update_time, 2 AS delete_flag)
SELECT t.`select`, t.`from` FROM (SELECT 1 AS `select`, 2 AS `from`) AS t
SELECT 1 AS format, 2 AS settings, 3 AS outfile
SELECT format, settings FROM (SELECT 1 AS format, 2 AS settings)
SELECT count() FROM fct_orders WHERE region IN ('INSERT', 'ALTER', 'SYSTEM', 'KILL')
SELECT 1 AS system, 2 AS kill, 3 AS attach, 4 AS optimize
SELECT 'file.csv' AS path, 'http://x' AS url, '/etc/passwd' AS p
SELECT region AS `system.users` FROM fct_orders LIMIT 1
SELECT 'dim_customers' AS name
SELECT dim_customers FROM (SELECT 1 AS dim_customers)
SELECT url, file FROM (SELECT 'a' AS url, 'b' AS file)
SELECT 'Ünïcode ☃ 字' AS s
SELECT `größe` FROM (SELECT 1 AS `größe`)
SELECT 'INTO OUTFILE x FORMAT CSV SETTINGS a = 1' AS s
SELECT format('{} of {}', '1', '2'), printf('%d', 3)
SELECT /* a comment; DROP TABLE x */ 1
SELECT 1 /* with 'quote */ + 1
## joins
SELECT o.order_id, i.quantity FROM fct_orders AS o JOIN fct_order_items AS i ON o.order_id = i.order_id LIMIT 5
SELECT o.order_id, i.quantity FROM fct_orders AS o INNER JOIN fct_order_items AS i USING (order_id) LIMIT 5
SELECT o.order_id, r.amount FROM fct_orders o LEFT JOIN fct_refunds r ON r.order_id = o.order_id LIMIT 5
SELECT o.order_id FROM fct_orders o LEFT OUTER JOIN fct_refunds r USING order_id LIMIT 5
SELECT count() FROM fct_refunds r RIGHT JOIN fct_orders o USING (order_id)
SELECT count() FROM fct_refunds r FULL OUTER JOIN fct_orders o USING (order_id)
SELECT count() FROM dim_regions a CROSS JOIN dim_regions b
SELECT count() FROM dim_regions a, dim_regions b WHERE a.region_id < b.region_id
SELECT count() FROM fct_orders SEMI LEFT JOIN fct_refunds USING (order_id)
SELECT count() FROM fct_orders LEFT ANTI JOIN fct_refunds USING (order_id)
SELECT count() FROM fct_orders ANY LEFT JOIN fct_refunds USING (order_id)
SELECT count() FROM fct_orders LEFT ANY JOIN fct_refunds USING (order_id)
SELECT count() FROM fct_orders ALL INNER JOIN fct_refunds USING (order_id)
SELECT count() FROM fct_orders GLOBAL LEFT JOIN fct_refunds USING (order_id)
SELECT o.order_id, r.amount FROM fct_orders o ASOF JOIN fct_refunds r ON o.customer_id = r.customer_id AND o.ordered_at >= r.refunded_at LIMIT 5
SELECT o.order_id, r.amount FROM fct_orders o ASOF LEFT JOIN fct_refunds r ON o.customer_id = r.customer_id AND o.ordered_at >= r.refunded_at LIMIT 5
SELECT * FROM (SELECT 1 AS a) AS x PASTE JOIN (SELECT 2 AS b) AS y
SELECT d.day, coalesce(sum(o.revenue), 0) AS revenue FROM dim_time_spine_daily d LEFT JOIN fct_orders o ON o.order_day = d.day GROUP BY 1 ORDER BY 1 LIMIT 30
SELECT count() FROM fct_orders o JOIN dim_regions r ON o.region_id = r.region_id JOIN dim_products p ON p.product_id = o.order_id
## CTEs
WITH a AS (SELECT 1 AS x) SELECT * FROM a
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b
WITH fct_x AS (SELECT * FROM fct_orders WHERE revenue > 10) SELECT count() FROM fct_x
WITH a AS (WITH b AS (SELECT 1 AS x) SELECT * FROM b) SELECT * FROM a
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT sum(n) FROM t
WITH monthly AS (SELECT toStartOfMonth(ordered_at) AS m, sum(revenue) AS r FROM fct_orders GROUP BY m) SELECT m, r, r - lagInFrame(r) OVER (ORDER BY m) AS diff FROM monthly
WITH a AS (SELECT region FROM dim_regions) SELECT count() FROM fct_orders WHERE region IN a
WITH a AS (SELECT 1 AS x) SELECT x FROM a UNION ALL SELECT x FROM a
## windows
SELECT region, revenue, row_number() OVER (PARTITION BY region ORDER BY revenue DESC) AS rn FROM fct_orders LIMIT 10
SELECT region, rank() OVER w, dense_rank() OVER w FROM fct_orders WINDOW w AS (PARTITION BY region ORDER BY revenue) LIMIT 10
SELECT order_day, sum(sum(revenue)) OVER (ORDER BY order_day) AS running FROM fct_orders GROUP BY order_day ORDER BY 1 LIMIT 10
SELECT order_day, avg(sum(revenue)) OVER (ORDER BY order_day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS ma7 FROM fct_orders GROUP BY order_day LIMIT 10
SELECT day, sum(revenue) OVER (ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM mart_revenue_daily LIMIT 10
SELECT order_id, sum(revenue) OVER (ORDER BY order_id RANGE BETWEEN 7 PRECEDING AND CURRENT ROW) FROM fct_orders LIMIT 10
SELECT region, first_value(order_id) OVER (PARTITION BY region ORDER BY ordered_at), last_value(order_id) OVER (PARTITION BY region ORDER BY ordered_at) FROM fct_orders LIMIT 3
SELECT lagInFrame(revenue, 1, 0) OVER (ORDER BY ordered_at), leadInFrame(revenue) OVER (ORDER BY ordered_at), nth_value(revenue, 2) OVER (ORDER BY ordered_at) FROM fct_orders LIMIT 3
SELECT lag(revenue) OVER (ORDER BY ordered_at), lead(revenue) OVER (ORDER BY ordered_at) FROM fct_orders LIMIT 3
SELECT * FROM fct_orders QUALIFY row_number() OVER (PARTITION BY region ORDER BY revenue DESC) <= 3
SELECT ntile(4) OVER (ORDER BY revenue ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), percent_rank() OVER (ORDER BY revenue) FROM fct_orders LIMIT 3
SELECT exponentialTimeDecayedAvg(10)(units, order_id) OVER (ORDER BY order_id) FROM fct_orders LIMIT 3
## aggregates
SELECT median(revenue), quantile(0.9)(revenue), quantiles(0.25, 0.75)(revenue), quantileExact(0.5)(revenue), quantileTDigest(0.9)(toFloat64(assumeNotNull(revenue))) FROM fct_orders
SELECT stddevPop(revenue), stddevSamp(revenue), varPop(revenue), varSamp(revenue), skewPop(revenue), kurtPop(revenue), entropy(channel) FROM fct_orders
SELECT stddev_pop(revenue), var_samp(revenue), STDDEV_SAMP(revenue) FROM fct_orders
SELECT corr(toFloat64(revenue), toFloat64(units)), covarPop(units, line_count), covarSamp(units, line_count), simpleLinearRegression(units, line_count) FROM fct_orders
SELECT sumIf(revenue, channel = 'app'), countIf(channel = 'web'), avgIf(revenue, units > 2), uniqIf(customer_id, is_first_order) FROM fct_orders
SELECT argMax(order_id, ordered_at), argMin(order_id, ordered_at), any(region), anyLast(region), anyHeavy(region) FROM fct_orders
SELECT groupArray(region), groupUniqArray(channel), groupArray(3)(order_id), groupArraySorted(3)(order_id) FROM fct_orders
SELECT topK(3)(region), topKWeighted(3)(region, units), sumMap(map(assumeNotNull(region), units)) FROM fct_orders
SELECT quantilesIf(0.5, 0.9)(units, units > 1), sumOrNull(units), avgOrDefault(units), sumArray([1, 2]), uniqCombined(region) FROM fct_orders
SELECT uniqState(customer_id), uniqMerge(s) FROM (SELECT uniqState(customer_id) AS s, 1 AS customer_id FROM fct_orders)
SELECT groupBitOr(units), groupBitmap(toUInt64(order_id)), histogram(5)(units), retention(units > 1, units > 2) FROM fct_orders
SELECT windowFunnel(3600)(toDateTime(ordered_at), units = 1, units = 2) FROM fct_orders
SELECT sequenceMatch('(?1)(?2)')(toDateTime(ordered_at), units = 1, units = 2) FROM fct_orders
SELECT sum(units) FILTER (WHERE channel = 'app') FROM fct_orders
SELECT region, channel, sum(revenue) FROM fct_orders GROUP BY GROUPING SETS ((region), (channel), ())
SELECT region, channel, sum(revenue), grouping(region) FROM fct_orders GROUP BY ROLLUP(region, channel)
SELECT region, channel, sum(revenue) FROM fct_orders GROUP BY region, channel WITH ROLLUP
SELECT region, channel, sum(revenue) FROM fct_orders GROUP BY CUBE(region, channel)
SELECT region, sum(revenue) FROM fct_orders GROUP BY region WITH TOTALS
SELECT region, sum(revenue) FROM fct_orders GROUP BY region WITH TOTALS HAVING sum(revenue) > 0 ORDER BY region
SELECT arrayReduce('sum', [1, 2, 3]), arrayReduce('quantile(0.5)', [1, 2])
SELECT deltaSum(units), sumCount(units), avgWeighted(units, line_count), boundingRatio(units, order_id) FROM fct_orders
SELECT string_agg(region, ',') FROM fct_orders
SELECT groupConcat(', ')(region) FROM dim_regions
SELECT studentTTest(units, line_count > 1), mannWhitneyUTest(units, line_count > 1) FROM fct_orders
SELECT countDistinct FROM (SELECT 1 AS countDistinct)
SELECT min2(1, 2), max2(1, 2), least(1, 2), greatest(1, 2)
## set operations and subqueries
SELECT region FROM fct_orders UNION ALL SELECT region FROM dim_regions
SELECT region FROM fct_orders UNION DISTINCT SELECT region FROM dim_regions
SELECT region FROM fct_orders INTERSECT SELECT region FROM dim_regions
SELECT region FROM fct_orders EXCEPT SELECT region FROM dim_regions
(SELECT 1) UNION ALL (SELECT 2)
SELECT 1 ORDER BY 1 LIMIT 1 UNION ALL SELECT 2 LIMIT 1
SELECT (SELECT max(revenue) FROM fct_orders) AS m
SELECT * FROM fct_orders WHERE revenue > (SELECT avg(revenue) FROM fct_orders) LIMIT 5
SELECT * FROM fct_orders WHERE order_id IN (SELECT order_id FROM fct_refunds) LIMIT 5
SELECT * FROM fct_orders WHERE (order_id, customer_id) IN (SELECT order_id, customer_id FROM fct_refunds) LIMIT 5
SELECT * FROM fct_orders WHERE order_id GLOBAL IN (SELECT order_id FROM fct_refunds) LIMIT 5
SELECT * FROM fct_orders WHERE order_id GLOBAL NOT IN (SELECT order_id FROM fct_refunds) LIMIT 5
SELECT * FROM fct_orders WHERE (region, channel) IN (('North', 'app'), ('South', 'web')) LIMIT 5
SELECT EXISTS(SELECT 1 FROM fct_refunds)
SELECT t.r, t.s FROM (SELECT region AS r, sum(revenue) AS s FROM fct_orders GROUP BY r) AS t WHERE t.s > 0
SELECT region = ANY (SELECT region FROM dim_regions) FROM fct_orders LIMIT 1
SELECT 1 IN (1, 2), 1 NOT IN (3), 1 IN 1, 2 IN [1, 2], 3 IN tuple(1, 3)
WITH [1, 2] AS arr SELECT 1 IN arr
## star and columns
SELECT * EXCEPT (order_id) FROM fct_orders LIMIT 1
SELECT * EXCEPT order_id FROM fct_orders LIMIT 1
SELECT * REPLACE (revenue * 2 AS revenue) FROM fct_orders LIMIT 1
SELECT * EXCEPT (region) REPLACE (units + 1 AS units) FROM fct_orders LIMIT 1
SELECT o.* FROM fct_orders o LIMIT 1
SELECT COLUMNS('^(revenue|cost)$') FROM fct_orders LIMIT 1
SELECT COLUMNS('amount') APPLY(sum) FROM fct_orders
SELECT COLUMNS('amount') APPLY sum FROM fct_orders
SELECT COLUMNS(revenue, cost) APPLY(x -> round(x, 1)) FROM fct_orders LIMIT 1
SELECT COLUMNS('units|line_count') APPLY(quantile(0.5)) FROM fct_orders
SELECT * APPLY(toString) APPLY(length) FROM dim_regions LIMIT 1
SELECT * EXCEPT (region, country) APPLY(max) FROM dim_regions
SELECT untuple((1, 2)), tupleElement((1, 'a'), 1), (1, 'a').1, (1, 2) AS t, t.2
## dates
SELECT today(), yesterday(), now(), now64(3), toDate('2026-01-01'), toDateTime('2026-01-01 00:00:00', 'UTC'), toDateTime64('2026-01-01 00:00:00.1', 3)
SELECT toYear(ordered_at), toMonth(ordered_at), toDayOfWeek(ordered_at), toHour(ordered_at), toISOWeek(ordered_at), toQuarter(ordered_at) FROM fct_orders LIMIT 1
SELECT toStartOfWeek(ordered_at), toMonday(ordered_at), toStartOfQuarter(ordered_at), toStartOfYear(ordered_at), toStartOfInterval(ordered_at, INTERVAL 15 MINUTE), toYYYYMM(ordered_at) FROM fct_orders LIMIT 1
SELECT dateDiff('day', ordered_at, now()), date_diff('month', order_day, today()), age('day', ordered_at, now64()) FROM fct_orders LIMIT 1
SELECT order_day + INTERVAL 1 MONTH, order_day - INTERVAL '3' DAY, order_day + 7, addMonths(order_day, 1), subtractDays(order_day, 1), date_add(DAY, 1, order_day), date_sub(MONTH, 1, order_day) FROM fct_orders LIMIT 1
SELECT formatDateTime(ordered_at, '%Y-%m'), parseDateTimeBestEffort('2026-01-01'), toUnixTimestamp(ordered_at), fromUnixTimestamp(0) FROM fct_orders LIMIT 1
SELECT date_trunc('month', ordered_at), dateTrunc('week', ordered_at), toTimeZone(ordered_at, 'Europe/Berlin'), EXTRACT(YEAR FROM ordered_at) FROM fct_orders LIMIT 1
SELECT DATE '2026-01-01', TIMESTAMP '2026-01-01 00:00:00', INTERVAL 1 YEAR, INTERVAL '1 day'
SELECT '2026-01-01'::Date, CAST('2026-01-01' AS DateTime), CAST('1', 'UInt8'), toInt32OrNull('x'), accurateCastOrNull(300, 'UInt8')
SELECT toDate(day) AS d, sum(revenue) FROM mart_revenue_daily GROUP BY d ORDER BY d WITH FILL STEP INTERVAL 1 DAY LIMIT 10
SELECT number AS n, 1 AS x FROM numbers(5) ORDER BY n WITH FILL FROM 0 TO 10 STEP 1 INTERPOLATE (x AS x + 1)
SELECT timeSlot(now()), toRelativeDayNum(now()), makeDate(2026, 1, 1), monthName(today()), toLastDayOfMonth(today())
## arrays, tuples, maps, JSON
SELECT [1, 2, 3][1], arraySlice([1, 2, 3], 1, 2), [1, 2] || [3], length([1, 2]), arrayConcat([1], [2])
SELECT arrayMap(x -> x + 1, [1, 2, 3]), arrayFilter(x -> x > 1, [1, 2, 3]), arraySum([1, 2]), arrayExists(x -> x = 1, [1]), arrayFold((acc, x) -> acc + x, [1, 2], toInt64(0))
SELECT arrayMap((x, y) -> x + y, [1, 2], [3, 4]), arraySort(x -> -x, [1, 2]), arrayReverse([1, 2]), arrayDistinct([1, 1]), arrayZip([1], ['a']), arrayEnumerate([5, 6])
SELECT arrayJoin([1, 2, 3]) AS x
SELECT region, x FROM dim_regions ARRAY JOIN [1, 2] AS x LIMIT 3
SELECT region, x, i FROM dim_regions LEFT ARRAY JOIN [1, 2] AS x, arrayEnumerate([1, 2]) AS i LIMIT 3
SELECT x FROM (SELECT [1, 2] AS arr) ARRAY JOIN arr AS x
SELECT arr FROM (SELECT [1, 2] AS arr) ARRAY JOIN arr
SELECT map('a', 1)['a'], mapKeys(map('a', 1)), mapValues(map('a', 1))
SELECT tuple(1, 'a'), (1, 'a'), CAST((1, 'a') AS Tuple(x Int8, y String)).x
SELECT JSONExtractInt('{"a": 1}', 'a'), JSONExtractString('{"a": "x"}', 'a'), JSONHas('{"a": 1}', 'a'), JSON_VALUE('{"a": 1}', '$.a'), JSONExtract('{"a": [1]}', 'a', 'Array(Int8)')
SELECT simpleJSONExtractInt('{"a": 1}', 'a'), toJSONString(map('a', 1)), isValidJSON('{}'), JSONLength('[1, 2]')
SELECT range(5), arrayWithConstant(3, 1), emptyArrayUInt8(), has([1], 1), indexOf([1, 2], 2), arrayStringConcat(['a', 'b'], ',')
SELECT number, number * number FROM numbers(10)
SELECT count() FROM numbers(1000000)
SELECT * FROM numbers(5, 3)
SELECT * FROM numbers_mt(3)
SELECT * FROM zeros(3)
SELECT * FROM generate_series(1, 10, 2)
SELECT * FROM generateSeries(1, 3)
SELECT * FROM values('a Int8, b String', (1, 'x'), (2, 'y'))
SELECT toDate('2026-01-01') + number AS d FROM numbers(31)
## text
SELECT upper(region), lower(region), length(region), substring(region, 1, 2), trim(BOTH ' ' FROM region), left(region, 1), trimLeft(region) FROM dim_regions
SELECT region || ' / ' || country, concat(region, country), concatWithSeparator('-', region, country), replaceAll(region, 'o', '0'), replaceRegexpAll(region, '[aeiou]', '_') FROM dim_regions
SELECT extract(region, '[a-z]+'), extractAll(assumeNotNull(region), '[a-z]'), position(region, 'o'), positionCaseInsensitive(region, 'N'), startsWith(region, 'N'), endsWith(region, 'h') FROM dim_regions
SELECT splitByChar(',', 'a,b'), splitByString('--', 'a--b'), splitByRegexp('[0-9]', 'a1b'), alphaTokens('a b'), multiSearchAny('abc', ['b'])
SELECT leftPad('1', 3, '0'), rightPad('1', 3, '0'), reverse('abc'), ascii('a'), char(65), hex('a'), unhex('61'), base64Encode('a'), MD5('x'), SHA256('x'), cityHash64('x'), sipHash64('x')
SELECT editDistance('a', 'b'), jaroWinklerSimilarity('a', 'b'), soundex('x'), lengthUTF8('é'), upperUTF8('é'), initcap('ab cd')
SELECT domain('http://x.com/y'), path('http://x.com/y'), cutQueryString('http://x/?a'), extractURLParameter('http://x/?a=1', 'a'), protocol('http://x')
SELECT formatReadableSize(1024), formatReadableQuantity(1e6), bar(1, 0, 10, 5), repeat('x', 3), space(2), toString(1), toFixedString('a', 2)
SELECT position('abc' IN 'b'), substring('abcdef' FROM 2 FOR 3)
SELECT region FROM dim_regions ORDER BY region COLLATE 'en'
## numbers and types
SELECT 1 + 2 * 3 - 4 / 5 % 6, 7 DIV 2, 7 MOD 2, -5, 1e3, 1.5e-3, 1_000, 0xff, intDiv(7, 2), modulo(7, 2), pow(2, 3)
SELECT abs(-1), ceil(1.2), floor(1.2), round(1.25, 1), trunc(1.9), sqrt(4), ln(2), log10(100), exp(1), sign(-1), pi(), e()
SELECT coalesce(NULL, 1), ifNull(NULL, 1), nullIf(1, 1), isNull(NULL), isNaN(nan), assumeNotNull(1), toNullable(1), isFinite(inf)
SELECT toDecimal64('1.23', 2), toInt64(1), toUInt8(1), toFloat32(1), 1::Int128, '1.5'::Decimal(10, 2), [1]::Array(Int64), 'a'::LowCardinality(String), 1::Nullable(Int8)
SELECT CAST(1 AS Enum8('a' = 1, 'b' = 2)), CAST('a' AS FixedString(3)), toTypeName(1), CAST([(1, 'a')] AS Array(Tuple(Int8, String)))
SELECT bitAnd(5, 3), bitOr(5, 3), bitShiftLeft(1, 2), bitCount(7), rand() % 2, rand64() > 0, generateUUIDv4() != generateUUIDv4()
SELECT NOT true, true AND false OR true, 1 = 1, 1 == 1, 1 <> 2, 1 != 2, 1 < 2, 1 IS NOT NULL, NULL IS NULL, 1 BETWEEN 0 AND 2, xor(1, 0), 1 IS NOT DISTINCT FROM 1
SELECT transform(region, ['North'], ['N'], 'other'), rowNumberInAllBlocks() FROM dim_regions LIMIT 1
SELECT geoDistance(0, 0, 1, 1), greatCircleDistance(0, 0, 1, 1), geohashEncode(0., 0.), pointInPolygon((1, 1), [(0, 0), (2, 0), (2, 2)])
SELECT L2Distance([1, 2], [3, 4]), cosineDistance([1, 2], [3, 4]), dotProduct([1], [2])
SELECT widthBucket(5, 0, 10, 5), sigmoid(0), hypot(3, 4), erf(1), seriesDecomposeSTL([1, 2, 1, 2, 1, 2, 1, 2], 2)
SELECT tumbleStart(now(), INTERVAL 1 DAY), version() != '', currentDatabase()
## FINAL, SAMPLE and the like
SELECT o.order_id AS id, id + 1 AS next FROM fct_orders o LIMIT 1
SELECT (order_id AS x) + x FROM fct_orders LIMIT 1
SELECT sum(units AS u) AS s, s * 2 FROM fct_orders
SELECT dbt.fct_orders.region FROM dbt.fct_orders LIMIT 1
SELECT fct_orders.region FROM fct_orders LIMIT 1
SELECT region, revenue, FROM fct_orders LIMIT 1
SELECT _part, _table FROM fct_orders LIMIT 1
SELECT ignore(order_id), identity(1), materialize(1), toColumnTypeName(1), isConstant(1), byteSize(1) FROM fct_orders LIMIT 1
## the filter that is needed
SELECT count() FROM fct_sessions WHERE started_at >= '2026-01-01 00:00:00'
SELECT count() FROM fct_sessions WHERE session_day = '2026-01-01'
SELECT count() FROM fct_sessions PREWHERE session_day >= '2026-01-01' WHERE device = 'mobile'
SELECT count() FROM fct_sessions AS s WHERE s.session_day BETWEEN '2026-01-01' AND '2026-01-07'
SELECT count() FROM fct_sessions WHERE session_day IN ('2026-01-01', '2026-01-02')
SELECT count() FROM fct_sessions WHERE toDate(started_at) = '2026-01-01'
SELECT count() FROM fct_sessions WHERE toStartOfMonth(session_day) = toDate('2026-01-01')
SELECT count() FROM fct_sessions WHERE toYYYYMM(session_day) = 202601
SELECT count() FROM fct_sessions WHERE session_day > today() - 28
SELECT count() FROM fct_sessions WHERE session_day >= today() - INTERVAL 28 DAY AND converted
SELECT count() FROM fct_sessions WHERE session_day >= (SELECT max(day) - 7 FROM dim_time_spine_daily)
WITH toDate('2026-01-01') AS start SELECT count() FROM fct_sessions WHERE session_day >= start
WITH s AS (SELECT * FROM fct_sessions WHERE session_day >= '2026-01-01') SELECT device, count() FROM s GROUP BY device
SELECT count() FROM fct_orders o JOIN fct_sessions s ON s.order_id = o.order_id WHERE s.session_day >= '2026-01-01'
## other statements
EXPLAIN SELECT * FROM fct_orders
EXPLAIN AST SELECT 1
EXPLAIN SYNTAX SELECT * FROM fct_orders
EXPLAIN QUERY TREE SELECT * FROM fct_orders
EXPLAIN PLAN indexes = 1, actions = 1 SELECT * FROM fct_orders
EXPLAIN indexes = 1 SELECT * FROM fct_orders
EXPLAIN json = 1, indexes = 1 SELECT count() FROM fct_orders
EXPLAIN PIPELINE SELECT count() FROM fct_orders
EXPLAIN PIPELINE graph = 1 SELECT count() FROM fct_orders
EXPLAIN ESTIMATE SELECT count() FROM fct_orders
EXPLAIN WITH a AS (SELECT 1 AS x) SELECT * FROM a
DESCRIBE fct_orders
DESC fct_orders
DESCRIBE TABLE dbt.fct_orders
DESCRIBE TABLE (SELECT region, sum(revenue) FROM fct_orders GROUP BY region)
DESCRIBE (SELECT 1 AS a)
SHOW TABLES
SHOW TABLES FROM dbt
SHOW TABLES FROM dbt LIKE 'fct%'
SHOW TABLES LIKE '%orders%' LIMIT 3
SHOW DATABASES
SHOW DATABASES LIKE 'd%'
SHOW CREATE TABLE fct_orders
SHOW COLUMNS FROM fct_orders
SHOW COLUMNS FROM fct_orders FROM dbt
SHOW FULL COLUMNS FROM fct_orders LIKE 'r%'
SHOW INDEX FROM fct_orders
EXISTS fct_orders
EXISTS TABLE dbt.fct_orders
EXISTS TABLE no_such_table
## questions as they are asked
SELECT region, sum(revenue) AS revenue, revenue / sum(revenue) OVER () AS share FROM fct_orders WHERE order_day >= '2024-01-01' GROUP BY region ORDER BY share DESC
SELECT warehouse, countIf(minutes_late > 0) / count() AS late FROM mart_delivery_sla_daily GROUP BY warehouse
SELECT plan, argMax(mrr, subscription_day) AS mrr FROM fct_subscriptions_daily GROUP BY plan
SELECT priority, quantile(0.9)(first_response_hours) FROM fct_support_tickets GROUP BY priority
SELECT stock_day, warehouse, sum(units_on_hand) FROM fct_stock_daily WHERE stock_day = (SELECT max(stock_day) FROM fct_stock_daily) GROUP BY stock_day, warehouse
SELECT toStartOfMonth(spend_day) AS m, sum(spend) / nullIf(sum(clicks), 0) AS cpc FROM fct_marketing_spend_daily GROUP BY m ORDER BY m
SELECT reason, count(), round(avg(amount), 2), max(risk_score) FROM fct_refunds GROUP BY reason ORDER BY 2 DESC
SELECT toHour(opened_at) AS h, count() FROM fct_support_tickets GROUP BY h ORDER BY h
SELECT a.category, b.category, count() FROM fct_order_items a JOIN fct_order_items b ON a.order_id = b.order_id WHERE a.category < b.category GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 10
SELECT customer_id, groupArray(order_id) AS orders, length(orders) AS n FROM fct_orders GROUP BY customer_id HAVING n > 1 ORDER BY n DESC LIMIT 5
"SELECT\n\tregion,\r\n  count()\nFROM fct_orders -- where from\n\n/* and how */ GROUP BY region\n;"
"-- first\nSELECT 1 # last"
"SELECT 1 #! last"
