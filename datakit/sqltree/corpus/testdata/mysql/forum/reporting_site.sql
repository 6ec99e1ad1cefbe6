SELECT s.statDay, SUM(s.hits) AS hits, SUM(s.uniques) AS uniques, ROUND(SUM(s.hits) / SUM(s.uniques), 2) AS depth
FROM PageStats s
WHERE s.statDay BETWEEN CURDATE() - INTERVAL 28 DAY AND CURDATE() - INTERVAL 1 DAY
GROUP BY s.statDay
ORDER BY s.statDay;

SELECT p.post_title AS page, SUM(IF(s.statDay >= CURDATE() - INTERVAL 7 DAY, s.hits, 0)) AS this_week,
       SUM(IF(s.statDay < CURDATE() - INTERVAL 7 DAY, s.hits, 0)) AS last_week,
       SUM(IF(s.statDay >= CURDATE() - INTERVAL 7 DAY, s.hits, -s.hits)) AS delta
FROM PageStats s
JOIN wp_posts p ON p.ID = s.pageId
WHERE s.statDay >= CURDATE() - INTERVAL 14 DAY
GROUP BY p.ID, page
HAVING ABS(delta) > 100
ORDER BY delta DESC;

SELECT IFNULL(SUBSTRING_INDEX(SUBSTRING_INDEX(REPLACE(REPLACE(referrer, 'https://', ''), 'http://', ''), '/', 1), ':', 1), '(direct)') AS source,
       SUM(hits) AS hits,
       SUM(bounceRate * hits) / NULLIF(SUM(CASE WHEN bounceRate IS NOT NULL THEN hits END), 0) AS weighted_bounce
FROM PageStats
GROUP BY source
ORDER BY hits DESC
LIMIT 20;

SELECT y.`month`, y.h, y.h - LAG(y.h) OVER (ORDER BY y.`month`) AS mom, CONCAT(ROUND(100 * (y.h / LAG(y.h) OVER (ORDER BY y.`month`) - 1), 1), '%') AS growth
FROM (SELECT `month`, SUM(`total hits`) AS h FROM `Monthly-Stats` GROUP BY `month`) AS y;

SELECT `hour`, ROUND(AVG(loadMs)) AS avg_ms, MAX(loadMs) AS max_ms, COUNT(*) AS samples FROM PageStats WHERE loadMs IS NOT NULL GROUP BY `hour` ORDER BY avg_ms DESC;

SELECT DATE_FORMAT(o.paid_at, '%Y-%m') AS month, o.currency, COUNT(DISTINCT o.id) AS orders, COUNT(DISTINCT o.user_id) AS buyers,
       SUM(i.lineTotal) AS net, SUM(i.lineTotal * i.taxRate) AS tax, SUM(i.lineTotal * (1 + i.taxRate)) AS gross
FROM `order` o
JOIN orderItems i ON i.orderId = o.id
WHERE o.status = 'paid'
GROUP BY DATE_FORMAT(o.paid_at, '%Y-%m'), o.currency WITH ROLLUP;

SELECT i.sku,
       SUM(i.qty) AS sold,
       SUM(i.lineTotal) AS revenue,
       RANK() OVER (ORDER BY SUM(i.lineTotal) DESC) AS revenue_rank,
       SUM(SUM(i.lineTotal)) OVER (ORDER BY SUM(i.lineTotal) DESC) / SUM(SUM(i.lineTotal)) OVER () AS cum
FROM orderItems i
JOIN `order` o ON o.id = i.orderId AND o.status IN ('paid', 'placed')
GROUP BY i.sku;

-- recency / frequency / money
WITH per_user AS (
  SELECT user_id, DATEDIFF(CURDATE(), MAX(paid_at)) AS recency, COUNT(*) AS frequency, SUM(total) AS money
  FROM `order`
  WHERE status = 'paid'
  GROUP BY user_id
), scored AS (
  SELECT pu.*, NTILE(5) OVER (ORDER BY recency DESC) AS r, NTILE(5) OVER (ORDER BY frequency) AS f, NTILE(5) OVER (ORDER BY money) AS m
  FROM per_user pu
)
SELECT CONCAT(r, f, m) AS rfm, COUNT(*) AS users, ROUND(AVG(money), 2) AS avg_money
FROM scored
GROUP BY rfm
ORDER BY rfm DESC;

SELECT o.status, COUNT(*) AS n, SUM(o.total) AS amount, AVG(TIMESTAMPDIFF(HOUR, o.placed_at, o.paid_at)) AS hours_to_pay,
       SUM(o.paid_at IS NULL AND o.placed_at < NOW() - INTERVAL 14 DAY) AS overdue
FROM `order` AS o
GROUP BY o.status
ORDER BY FIELD(o.status, 'placed', 'paid', 'refunded', 'cancelled', 'cart');

SELECT m.kind, COUNT(*) AS files, ROUND(SUM(m.bytes) / POW(1024, 3), 2) AS gib, MAX(m.width * m.height) AS most_pixels, SUM(m.post_id IS NULL) AS unused
FROM media m GROUP BY m.kind WITH ROLLUP;

SELECT u.display_name, COUNT(*) AS uploads, SUM(m.bytes) AS bytes, SUM(m.bytes) > 1073741824 AS over_quota
FROM media AS m LEFT JOIN wp_users AS u ON u.ID = m.uploader_id
GROUP BY m.uploader_id
ORDER BY bytes DESC;

SELECT post_type, post_status, COUNT(*) AS n, MIN(post_date) AS oldest, MAX(post_modified) AS touched
FROM wp_posts
GROUP BY post_type, post_status
ORDER BY post_type, n DESC;

SELECT LEFT(p.post_content, 60) AS teaser, CHAR_LENGTH(p.post_content) AS chars,
       1 + LENGTH(TRIM(p.post_content)) - LENGTH(REPLACE(TRIM(p.post_content), ' ', '')) AS words,
       (SELECT SUM(s.hits) FROM PageStats s WHERE s.pageId = p.ID) AS hits
FROM wp_posts p
WHERE p.post_status = 'publish'
HAVING words > 2000 AND hits < 50
ORDER BY words DESC;

SELECT cur.pageId, cur.avg_ms AS now_ms, prev.avg_ms AS before_ms
FROM (SELECT pageId, AVG(loadMs) AS avg_ms FROM PageStats WHERE statDay >= '2025-03-01' GROUP BY pageId) cur
INNER JOIN (SELECT pageId, AVG(loadMs) AS avg_ms FROM PageStats WHERE statDay < '2025-03-01' AND statDay >= '2025-02-01' GROUP BY pageId) prev USING (pageId)
WHERE cur.avg_ms > prev.avg_ms * 1.25;

SELECT d.day, COALESCE(o.n, 0) AS orders, COALESCE(o.amount, 0.00) AS amount
FROM (
  SELECT CURDATE() - INTERVAL (a.i + 10 * b.i) DAY AS day
  FROM (SELECT 0 AS i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) a,
       (SELECT 0 AS i UNION SELECT 1 UNION SELECT 2) b
) d
LEFT JOIN (SELECT DATE(placed_at) AS day, COUNT(*) AS n, SUM(total) AS amount FROM `order` GROUP BY DATE(placed_at)) o ON o.day = d.day
ORDER BY d.day;

select sku, group_concat(distinct unitPrice order by unitPrice desc separator ' > ') as prices, max(unitPrice) - min(unitPrice) as spread
from orderItems group by sku having spread > 0;

SELECT u.ID, u.user_email,
       SUM(CASE WHEN o.status = 'paid' THEN o.total WHEN o.status = 'refunded' THEN -o.total ELSE 0 END) AS balance,
       MAX(o.placed_at) AS last_order
FROM wp_users u LEFT JOIN `order` o ON o.user_id = u.ID
GROUP BY u.ID, u.user_email
HAVING balance < 0 OR last_order < NOW() - INTERVAL 1 YEAR;

SELECT a.sku AS bought, b.sku AS also, COUNT(*) AS baskets, COUNT(*) / (SELECT COUNT(DISTINCT orderId) FROM orderItems x WHERE x.sku = a.sku) AS confidence
FROM orderItems a, orderItems b
WHERE a.orderId = b.orderId AND a.sku <> b.sku
GROUP BY a.sku, b.sku
HAVING baskets >= 5
ORDER BY confidence DESC;

SELECT pageId, COUNT(DISTINCT statDay) AS days, SUM(hits) AS hits,
       SUM(hits) / COUNT(DISTINCT statDay) AS per_day,
       MAX(statDay) AS last_seen
FROM PageStats PARTITION (p2024)
GROUP BY pageId
HAVING last_seen < '2024-12-01'
ORDER BY per_day DESC;

SELECT t.*, ROUND(t.part / t.whole * 100, 1) AS pct FROM (
  SELECT ps.pageId, ps.referrer, SUM(ps.hits) AS part, (SELECT SUM(w.hits) FROM PageStats w WHERE w.pageId = ps.pageId) AS whole
  FROM PageStats ps
  GROUP BY ps.pageId, ps.referrer
) t
WHERE t.part / t.whole > 0.5;

SELECT CONCAT(YEAR(placed_at), '-Q', QUARTER(placed_at)) AS q, currency, SUM(total) AS s FROM `order` WHERE status NOT IN ('cart', 'cancelled') GROUP BY q, currency ORDER BY q DESC, s DESC;

WITH stats AS (
  SELECT pageId, loadMs, ROW_NUMBER() OVER (PARTITION BY pageId ORDER BY loadMs) AS rn, COUNT(*) OVER (PARTITION BY pageId) AS cnt
  FROM PageStats WHERE loadMs IS NOT NULL
)
SELECT pageId, AVG(loadMs) AS median_ms, MAX(IF(rn = CEIL(cnt * 0.95), loadMs, NULL)) AS p95
FROM stats
WHERE rn IN (FLOOR((cnt + 1) / 2), CEIL((cnt + 1) / 2), CEIL(cnt * 0.95))
GROUP BY pageId;

SELECT meta_key, COUNT(*) AS n, COUNT(DISTINCT meta_value) AS distinct_values, SUM(LENGTH(meta_value)) AS size
FROM wp_postmeta
GROUP BY meta_key
ORDER BY size DESC
LIMIT 25;

SELECT 'options' AS area, COUNT(*) AS n_rows, SUM(LENGTH(option_value)) AS size FROM wp_options
UNION ALL SELECT 'postmeta', COUNT(*), SUM(LENGTH(meta_value)) FROM wp_postmeta
UNION ALL SELECT 'usermeta', COUNT(*), SUM(LENGTH(meta_value)) FROM wp_usermeta
UNION ALL SELECT 'revisions', COUNT(*), SUM(body_length) FROM revisions
ORDER BY size DESC;

SELECT pp.author_id, u.display_name, COUNT(*) AS posts, SUM(ms.`total hits`) AS hits, SUM(ms.`total hits`) / COUNT(*) AS hits_per_post
FROM published_posts pp
JOIN wp_users u ON u.ID = pp.author_id
LEFT JOIN `Monthly-Stats` ms ON ms.`page id` = pp.post_id AND ms.`month` = ?
GROUP BY pp.author_id, u.display_name
ORDER BY hits DESC;

SELECT term.name AS category, YEAR(p.post_date) AS y, COUNT(DISTINCT p.ID) AS posts, SUM(s.hits) AS hits
FROM wp_posts p
JOIN wp_term_relationships rel ON rel.object_id = p.ID
JOIN wp_term_taxonomy tax ON tax.term_taxonomy_id = rel.term_taxonomy_id AND tax.taxonomy = 'category'
JOIN wp_terms term ON term.term_id = tax.term_id
LEFT JOIN PageStats s ON s.pageId = p.ID
WHERE p.post_status = 'publish'
GROUP BY category, y
ORDER BY category, y;

SELECT statDay, SUM(hits) AS total, SUM(IF(referrer LIKE '%google.%', hits, 0)) AS `from google`, SUM(IF(referrer IS NULL, hits, 0)) AS `no referrer`
FROM PageStats GROUP BY statDay HAVING `from google` > `no referrer` ORDER BY `from google` DESC;

SELECT first_buy.m AS cohort, TIMESTAMPDIFF(MONTH, first_buy.m, DATE_FORMAT(o.placed_at, '%Y-%m-01')) AS k, SUM(o.total) AS revenue
FROM `order` o
JOIN (SELECT user_id, CAST(DATE_FORMAT(MIN(placed_at), '%Y-%m-01') AS DATE) AS m FROM `order` WHERE status <> 'cart' GROUP BY user_id) first_buy USING (user_id)
WHERE o.status = 'paid'
GROUP BY cohort, k
ORDER BY cohort, k;

SELECT p.post_title, COUNT(m.id) AS images, SUM(m.bytes) DIV 1024 AS kib,
       GROUP_CONCAT(m.path ORDER BY m.bytes DESC SEPARATOR '\n') AS paths
FROM wp_posts p INNER JOIN media m ON m.post_id = p.ID AND m.kind = 'image'
WHERE p.post_type = 'post'
GROUP BY p.ID
HAVING kib > 8000;

SELECT COUNT(*) AS pages_without_hits FROM published_posts WHERE post_id NOT IN (SELECT pageId FROM PageStats WHERE statDay > CURDATE() - INTERVAL 90 DAY);

SELECT o.user_id, o.id, o.total,
       o.total > 3 * AVG(o.total) OVER (PARTITION BY o.user_id) AS unusual,
       DATEDIFF(o.placed_at, LAG(o.placed_at) OVER (PARTITION BY o.user_id ORDER BY o.placed_at)) AS days_between
FROM `order` o WHERE o.status IN ('paid', 'refunded') ORDER BY unusual DESC, o.user_id, o.placed_at;

SELECT orders.currency, SUM(orders.total) AS booked, SUM(refunds.total) AS refunded, SUM(orders.total) - IFNULL(SUM(refunds.total), 0) AS net
FROM (SELECT * FROM `order` WHERE status IN ('paid', 'refunded')) AS orders
LEFT JOIN (SELECT id, total FROM `order` WHERE status = 'refunded') AS refunds ON refunds.id = orders.id
GROUP BY orders.currency;

SELECT u.user_login, TIMESTAMPDIFF(DAY, u.user_registered, MIN(o.placed_at)) AS days_to_first_order
FROM wp_users u JOIN `order` o ON u.ID = o.user_id
WHERE o.status != 'cart'
GROUP BY u.ID, u.user_login, u.user_registered
ORDER BY MIN(o.placed_at) IS NULL, days_to_first_order;

SELECT WEEK(statDay, 1) AS `week`, pageId, SUM(hits) AS hits, COUNT(*) OVER (PARTITION BY WEEK(statDay, 1)) AS pages_in_week FROM PageStats WHERE YEAR(statDay) = 2025 GROUP BY `week`, pageId;

SELECT p.ID, p.post_title, s.total
FROM wp_posts AS p
JOIN (SELECT pageId, SUM(hits) AS total FROM PageStats GROUP BY pageId ORDER BY total DESC LIMIT 10) AS s ON s.pageId = p.ID
LEFT JOIN wp_postmeta AS hide ON hide.post_id = p.ID AND hide.meta_key = '_noindex'
WHERE hide.meta_id IS NULL
ORDER BY s.total DESC;

SELECT SUM(n = 1) AS once, SUM(n = 2) AS twice, SUM(n > 2) AS often, COUNT(*) AS buyers FROM (SELECT COUNT(*) AS n FROM `order` WHERE status = 'paid' GROUP BY user_id) c;

SELECT r.author_id, u.user_nicename, DATE(r.created_at) AS day, COUNT(*) AS edits, SUM(GREATEST(r.body_length - IFNULL(b.body_length, 0), 0)) AS chars_added
FROM revisions r
JOIN wp_users u ON u.ID = r.author_id
LEFT JOIN revisions b ON b.post_id = r.post_id AND b.rev_no = r.rev_no - 1
GROUP BY r.author_id, u.user_nicename, day
ORDER BY day DESC, chars_added DESC;

SELECT IF(GROUPED.kind IS NULL, 'sum', GROUPED.kind) AS kind, GROUPED.y, GROUPED.n
FROM (SELECT kind, YEAR(uploaded_at) AS y, COUNT(*) AS n FROM media GROUP BY kind, y WITH ROLLUP) AS GROUPED
ORDER BY GROUPED.kind IS NULL, GROUPED.kind, GROUPED.y;

SELECT ANY_VALUE(p.post_title) AS title, s.pageId, SUM(s.hits) FROM PageStats s JOIN wp_posts p ON p.ID = s.pageId GROUP BY s.pageId;

SELECT GROUPING(status) AS all_status, status, GROUPING(currency) AS all_cur, currency, SUM(total) FROM `order` GROUP BY status, currency WITH ROLLUP HAVING GROUPING(status) = 0 ORDER BY status;

SELECT @total := SUM(total) FROM `order` WHERE status = 'paid';

SELECT currency, SUM(total) AS s, ROUND(100 * SUM(total) / @total, 2) AS pct FROM `order` WHERE status = 'paid' GROUP BY currency ORDER BY pct DESC;

SELECT x.slug, x.views, @pos := @pos + 1 AS pos FROM (SELECT g.slug, SUM(t.views) AS views FROM `groups` g, Threads t WHERE t.group_id = g.id GROUP BY g.slug ORDER BY views DESC) x, (SELECT @pos := 0) i;
