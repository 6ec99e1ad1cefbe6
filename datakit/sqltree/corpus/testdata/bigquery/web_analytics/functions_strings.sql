SELECT '''it's a "test"''' AS a, """multi
line 'text'""" AS b, r'\d+\s' AS pattern, R"C:\temp" AS path, b'bytes' AS raw_bytes, 'tab\there' AS esc, "a \"quoted\" word" AS odd;

SELECT SAFE_CAST(coupon AS INT64) AS n, CAST(total AS STRING) AS txt, CAST(ordered_at AS DATE) AS d, CAST(ordered_at AS STRING FORMAT 'YYYY-MM') AS ym, SAFE.PARSE_DATE('%d.%m.%Y', coupon) AS maybe
FROM shop.orders;

SELECT SAFE.SUBSTR(title, 0, -2), SPLIT(page_path, '/')[SAFE_OFFSET(1)] AS part, REPLACE(title, ' | ', ' - '), INITCAP(section), LPAD(CAST(word_count AS STRING), 8, '0'), TRIM(title, '. '), REVERSE(page_path)
FROM mart.pages;

SELECT FORMAT('%s has %d words (%.1f min)', title, word_count, word_count / 200) AS blurb, CONTAINS_SUBSTR(title, 'cloud') AS cloudy
FROM mart.pages
WHERE LOWER(title) LIKE ANY ('%sql%', '%data%') AND published_at < DATETIME '2026-01-01 00:00:00';

SELECT EXTRACT(ISOWEEK FROM session_date) AS wk, EXTRACT(ISOYEAR FROM session_date) AS yr, DATE_TRUNC(session_date, ISOWEEK) AS monday, COUNT(*) AS n FROM mart.v_sessions GROUP BY wk, yr, monday;

SELECT subscription_id, started_on + INTERVAL 1 YEAR AS renews_at, DATE_ADD(started_on, INTERVAL 14 DAY) AS trial_end, started_on - 7 AS week_before, CURRENT_DATE() - started_on AS age
FROM crm.subscriptions
WHERE started_on >= DATE '2025-06-01' AND cancelled_on IS NOT DISTINCT FROM NULL;

SELECT TIMESTAMP_ADD(hit_at, INTERVAL 90 MINUTE) AS later, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M', hit_at, 'UTC') AS iso, UNIX_MILLIS(hit_at) AS ms, DATETIME(hit_at, 'Asia/Seoul') AS local_dt, TIME(hit_at) AS clock
FROM web.hits
WHERE hit_at > TIMESTAMP '2026-01-01 00:00:00 Europe/Rome';

SELECT FARM_FINGERPRINT(email) AS h, TO_HEX(SHA256(LOWER(email))) AS digest, MOD(ABS(FARM_FINGERPRINT(email)), 10) AS bucket, GENERATE_UUID() AS id FROM crm.users;

SELECT IF(parent_account_id IS NULL, 'root', 'child') AS level, COALESCE(industry, 'unknown') AS industry, NULLIF(account_name, '') AS name, IFNULL(owner_user_id, -1) FROM crm.accounts;

SELECT RANGE_BUCKET(total, [NUMERIC '0', NUMERIC '10', NUMERIC '50', NUMERIC '100']) AS bucket, COUNT(*) AS n, GREATEST(MIN(total), 1) AS lo FROM shop.orders GROUP BY bucket ORDER BY bucket;

SELECT user_id, PERCENTILE_CONT(total, 0.5) OVER (PARTITION BY user_id) AS median_total, NTILE(4) OVER (ORDER BY total) AS quartile,
  LAST_VALUE(coupon IGNORE NULLS) OVER (PARTITION BY user_id ORDER BY ordered_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS last_coupon,
  COUNT(*) OVER (PARTITION BY user_id ORDER BY UNIX_SECONDS(ordered_at) RANGE BETWEEN 604800 PRECEDING AND CURRENT ROW) AS last_week
FROM shop.orders;

SELECT channel, day, revenue, LAG(revenue, 7) OVER by_channel AS week_ago, SAFE_DIVIDE(revenue, LAG(revenue, 7) OVER by_channel) - 1 AS growth
FROM mart.daily_traffic
WHERE day >= '2026-01-01'
QUALIFY growth > 0.5
WINDOW by_channel AS (PARTITION BY channel ORDER BY day);

SELECT keyword_id, keyword, SOUNDEX(keyword) AS sx, EDIT_DISTANCE(keyword, @term) AS dist FROM ads.keywords WHERE EDIT_DISTANCE(keyword, @term, max_distance => 3) < 3 ORDER BY dist;

SELECT APPROX_TOP_SUM(landing_page, pageviews, 10) AS pages, CORR(pageviews, TIMESTAMP_DIFF(ended_at, started_at, SECOND)) AS c FROM web.sessions;

SELECT
  /* blended */ channel,
  ROUND(SUM(revenue), 2) AS revenue, -- money
  # the sharp sign starts a comment, too
  SUM(conversions) / SUM(sessions) AS rate
FROM mart.daily_traffic
GROUP BY channel;

SELECT SESSION_USER() AS me, @@project_id AS project, CURRENT_TIMESTAMP() AS now_ts, RAND() < 0.5 AS coin;

SELECT full_name, email FROM crm.users WHERE COLLATE(email, 'und:ci') = 'ANNA@EXAMPLE.COM';

SELECT NET.REG_DOMAIN(traffic.source) AS domain, COUNT(*) AS c FROM web.sessions WHERE traffic.medium = 'referral' GROUP BY domain ORDER BY c DESC;

SELECT full_name, REGEXP_REPLACE(full_name, r'^(\w+)\s+(\w+)$', r'\2, \1') AS reversed, REGEXP_INSTR(full_name, 'n') AS pos, STRPOS(email, '@') AS at_pos, LEFT(email, STRPOS(email, '@') - 1) AS local_part FROM crm.users;

SELECT (a.start_date, a.end_date) = (b.start_date, b.end_date) AS same_span, a.campaign_id, b.campaign_id AS other
FROM ads.campaigns a CROSS JOIN ads.campaigns b WHERE a.campaign_id < b.campaign_id;

SELECT * FROM ML.PREDICT(MODEL `acme-prod.mart.churn_model`, (SELECT user_id, plan, country FROM crm.users));

