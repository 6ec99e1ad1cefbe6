-- weekly digest: posts, replies and votes per calendar week
SELECT
    YEARWEEK(d.day, 3)                         AS week_key,
    MIN(d.day)                                 AS monday,
    SUM(d.threads)                             AS threads,
    SUM(d.replies)                             AS replies,
    SUM(d.votes)                               AS votes,
    ROUND(SUM(d.replies) / NULLIF(SUM(d.threads), 0), 1) AS replies_per_thread
FROM (
    SELECT DATE(created_at) AS day, COUNT(*) AS threads, 0 AS replies, 0 AS votes FROM Threads GROUP BY DATE(created_at)
    UNION ALL
    SELECT DATE(created_at), 0, COUNT(*), 0 FROM replies GROUP BY DATE(created_at)
    UNION ALL
    SELECT DATE(created_at), 0, 0, COUNT(*) FROM votes GROUP BY DATE(created_at)
) AS d
WHERE d.day >= CURDATE() - INTERVAL 12 WEEK
GROUP BY YEARWEEK(d.day, 3)
ORDER BY week_key;

SELECT DATE_FORMAT(user_registered, '%Y-%m') AS month,
       COUNT(*) AS signups,
       SUM(user_status = 0) AS still_active,
       SUM(CASE WHEN user_status = 9 THEN 1 ELSE 0 END) AS banned,
       CONCAT(ROUND(100 * AVG(user_status = 0)), ' %') AS kept
FROM wp_users
GROUP BY month
ORDER BY month DESC;

SELECT g.name AS "Group",
       COUNT(DISTINCT gu.user_id) AS "Members",
       COUNT(DISTINCT t.id) AS "Threads",
       COUNT(DISTINCT IF(t.created_at >= CURDATE() - INTERVAL 30 DAY, t.id, NULL)) AS "New threads"
FROM `groups` g
LEFT JOIN group_user gu ON gu.group_id = g.id AND (gu.expires_on IS NULL OR gu.expires_on >= CURDATE())
LEFT JOIN Threads t ON t.group_id = g.id AND t.deleted_at IS NULL
GROUP BY g.id
ORDER BY `Members` DESC;

SELECT HOUR(created_at) AS h,
  SUM(DAYOFWEEK(created_at) = 2) AS mon,
  SUM(DAYOFWEEK(created_at) = 3) AS tue,
  SUM(DAYOFWEEK(created_at) = 4) AS wed,
  SUM(DAYOFWEEK(created_at) = 5) AS thu,
  SUM(DAYOFWEEK(created_at) = 6) AS fri,
  SUM(DAYOFWEEK(created_at) IN (1, 7)) AS weekend
FROM replies
GROUP BY h
ORDER BY h;

SELECT u.display_name AS author,
       COUNT(p.ID) AS published,
       SUM(p.comment_count) AS comments,
       MAX(p.post_date) AS latest,
       SUBSTRING_INDEX(GROUP_CONCAT(p.post_title ORDER BY p.comment_count DESC SEPARATOR '||'), '||', 1) AS best_post
FROM wp_users u
JOIN wp_posts p ON p.post_author = u.ID
WHERE p.post_status = 'publish' AND p.post_type = 'post'
GROUP BY u.ID, u.display_name
HAVING published >= 3
ORDER BY comments DESC
LIMIT 20;

/* moderation load: how fast is a reported reply handled */
SELECT actor.user_login,
       l.action,
       COUNT(*) AS cases,
       AVG(TIMESTAMPDIFF(MINUTE, r.created_at, l.created_at)) AS avg_minutes,
       MAX(TIMESTAMPDIFF(MINUTE, r.created_at, l.created_at)) AS worst
FROM moderation_log l
INNER JOIN wp_users actor ON actor.ID = l.actor_id
INNER JOIN replies r ON l.target_type = 'reply' AND r.id = l.target_id
WHERE l.created_at BETWEEN '2025-01-01' AND '2025-03-31 23:59:59.999'
GROUP BY actor.user_login, l.action WITH ROLLUP;

SELECT COALESCE(g.name, '- all -') AS grp, COALESCE(t.starter_id, 0) AS starter, COUNT(*) AS n, SUM(t.views) AS views
FROM Threads t JOIN `groups` g ON g.id = t.group_id
GROUP BY g.name, t.starter_id WITH ROLLUP
HAVING n > 1;

SELECT CASE
         WHEN n = 0 THEN '0'
         WHEN n < 5 THEN '1-4'
         WHEN n < 20 THEN '5-19'
         ELSE '20+'
       END AS bucket,
       COUNT(*) AS threads,
       RPAD('', COUNT(*) / 10, '#') AS bar
FROM (SELECT t.id, COUNT(r.id) AS n FROM Threads t LEFT JOIN replies r ON r.thread_id = t.id GROUP BY t.id) AS sizes
GROUP BY bucket
ORDER BY MIN(n);

SELECT voter.ID, voter.user_login AS voter, author.user_login AS author, COUNT(*) AS ups
FROM votes v
JOIN replies r ON r.id = v.reply_id
JOIN wp_users voter ON voter.ID = v.user_id
JOIN wp_users author ON author.ID = r.user_id
WHERE v.value = 1
GROUP BY voter.ID, author.ID
HAVING ups > 0.5 * (SELECT COUNT(*) FROM votes vv WHERE vv.user_id = voter.ID)
ORDER BY ups DESC;

WITH cohort AS (
  SELECT ID AS user_id, DATE_FORMAT(user_registered, '%Y-%m') AS c FROM wp_users
), first_reply AS (
  SELECT user_id, MIN(created_at) AS at FROM replies GROUP BY user_id
)
SELECT c.c AS cohort,
       COUNT(*) AS members,
       COUNT(f.at) AS replied,
       SUM(f.at <= u.user_registered + INTERVAL 7 DAY) AS replied_in_week
FROM cohort c
JOIN wp_users u ON u.ID = c.user_id
LEFT JOIN first_reply f ON f.user_id = c.user_id
GROUP BY c.c;

SELECT t.id, t.title, t.views, t.reply_count,
  LOG10(GREATEST(t.views, 1)) * 2 + t.reply_count - POW(TIMESTAMPDIFF(HOUR, COALESCE(t.last_reply_at, t.created_at), NOW()) / 12, 1.4) AS hotness
FROM Threads t
WHERE t.deleted_at IS NULL AND NOT t.is_locked
ORDER BY t.pinned DESC, hotness DESC
LIMIT 25;

SELECT tag.name, tt.count AS stored, COUNT(p.ID) AS actual
FROM wp_term_taxonomy tt
JOIN wp_terms tag ON tag.term_id = tt.term_id
LEFT JOIN wp_term_relationships rel ON rel.term_taxonomy_id = tt.term_taxonomy_id
LEFT JOIN wp_posts p ON p.ID = rel.object_id AND p.post_status = 'publish'
GROUP BY tt.term_taxonomy_id, tag.name, tt.count
HAVING stored <> actual;

SELECT x.name AS tag_a, y.name AS tag_b, COUNT(*) AS together
FROM wp_term_relationships r1
JOIN wp_term_relationships r2 ON r2.object_id = r1.object_id AND r2.term_taxonomy_id > r1.term_taxonomy_id
JOIN wp_term_taxonomy t1 ON t1.term_taxonomy_id = r1.term_taxonomy_id
JOIN wp_term_taxonomy t2 ON t2.term_taxonomy_id = r2.term_taxonomy_id
JOIN wp_terms x ON x.term_id = t1.term_id
JOIN wp_terms y ON y.term_id = t2.term_id
WHERE t1.taxonomy = 'post_tag' AND t2.taxonomy = t1.taxonomy
GROUP BY x.term_id, y.term_id
ORDER BY together DESC
LIMIT 50;

SELECT ROUND(AVG(gap)) AS avg_gap_hours, MAX(gap) AS longest
FROM (
  SELECT TIMESTAMPDIFF(HOUR, LAG(created_at) OVER (PARTITION BY thread_id ORDER BY created_at), created_at) AS gap FROM replies
) g
WHERE gap IS NOT NULL;

SELECT u.user_login,
       MAX(IF(um.meta_key = 'first_name', um.meta_value, NULL)) AS first_name,
       MAX(IF(um.meta_key = 'last_name', um.meta_value, NULL)) AS last_name,
       MAX(IF(um.meta_key = 'country', um.meta_value, NULL)) AS country,
       (SELECT COUNT(*) FROM group_user WHERE user_id = u.ID) AS memberships
FROM wp_users u
LEFT JOIN wp_usermeta um ON u.ID = um.user_id
GROUP BY u.ID
ORDER BY last_name, first_name;

select monthname(created_at) as m, count(*) as n, count(distinct user_id) as people, count(*) / count(distinct user_id) as per_head
from replies where year(created_at) = year(now()) - 1
group by month(created_at), m
order by month(created_at);

SELECT p.`key` AS permission,
       SUM(pg.grantee_type = 'user') AS by_user,
       SUM(pg.grantee_type = 'group') AS by_group,
       GROUP_CONCAT(DISTINCT granter.user_login ORDER BY granter.user_login SEPARATOR ', ') AS granted_by
FROM permissions p
LEFT JOIN permission_grants pg ON pg.permission_id = p.id AND pg.`grant`
LEFT JOIN wp_users granter ON granter.ID = pg.granted_by
GROUP BY p.id, p.`key`;

SELECT r.post_id, p.post_title, COUNT(*) AS edits, COUNT(DISTINCT r.author_id) AS editors,
       SUM(r.is_minor) AS minor_edits, MAX(r.body_length) - MIN(r.body_length) AS spread
FROM revisions r JOIN wp_posts p ON p.ID = r.post_id
WHERE r.created_at > '2025-01-01 00:00:00.000000'
GROUP BY r.post_id, p.post_title
ORDER BY edits DESC, spread DESC;

SELECT 'inactive 1y' AS segment, COUNT(*) AS users FROM wp_users u WHERE NOT EXISTS (SELECT 1 FROM replies r WHERE r.user_id = u.ID AND r.created_at > NOW() - INTERVAL 1 YEAR)
UNION ALL
SELECT 'lurkers', COUNT(*) FROM wp_users u LEFT JOIN replies r ON r.user_id = u.ID LEFT JOIN Threads t ON t.starter_id = u.ID WHERE r.id IS NULL AND t.id IS NULL
UNION ALL
SELECT 'power users', COUNT(*) FROM (SELECT user_id FROM replies GROUP BY user_id HAVING COUNT(*) >= 500) pu;

SELECT CONCAT(u.display_name, ' (', ROUND(s.avg_score, 2), ')') AS label, s.n, s.avg_score
FROM (SELECT user_id, COUNT(*) n, AVG(score) avg_score FROM replies WHERE deleted_at IS NULL GROUP BY user_id HAVING n >= 10) s
STRAIGHT_JOIN wp_users u ON u.ID = s.user_id
ORDER BY s.avg_score DESC, s.n DESC LIMIT 0, 15;

SELECT DATE(l.created_at) AS day, l.action, COUNT(*) AS n
FROM moderation_log AS l
WHERE l.created_at >= DATE_SUB(CURDATE(), INTERVAL DAYOFMONTH(CURDATE()) - 1 DAY)
GROUP BY day, l.action
ORDER BY day, n DESC;

SELECT a.group_name, COUNT(*) AS hot, SUM(a.participants) AS participants, MAX(a.latest) AS latest
FROM hot_threads a
GROUP BY a.group_name
HAVING SUM(a.views) > 1000
ORDER BY hot DESC;

SELECT q.dow, q.avg_n, q.avg_n - AVG(q.avg_n) OVER () AS diff
FROM (
  SELECT WEEKDAY(day) AS dow, AVG(n) AS avg_n
  FROM (SELECT DATE(created_at) AS day, COUNT(*) AS n FROM replies GROUP BY DATE(created_at)) daily
  GROUP BY dow
) q
ORDER BY q.dow;

SELECT comment_author_IP, COUNT(*) AS n, COUNT(DISTINCT comment_author_email) AS mails, GROUP_CONCAT(DISTINCT comment_approved ORDER BY comment_approved) AS states
FROM wp_comments
WHERE comment_date > NOW() - INTERVAL 2 DAY
GROUP BY comment_author_IP
HAVING n > 20 OR mails > 5;

SELECT gu.role, TIMESTAMPDIFF(YEAR, gu.joined_at, NOW()) AS years, COUNT(*) AS n FROM group_user gu GROUP BY gu.role, years ORDER BY gu.role, years;

SELECT u.ID, u.display_name, days.n AS active_days, 100.0 * days.n / 30 AS pct
FROM active_members u
JOIN (SELECT user_id, COUNT(DISTINCT DATE(created_at)) AS n FROM replies WHERE created_at >= CURDATE() - INTERVAL 30 DAY GROUP BY user_id) days ON days.user_id = u.ID
WHERE days.n >= 10
ORDER BY pct DESC, u.display_name;

SELECT t.id
     , t.title
     , MIN(r.created_at) AS first_reply
     , SEC_TO_TIME(TIMESTAMPDIFF(SECOND, t.created_at, MIN(r.created_at))) AS waited
FROM Threads t
JOIN replies r ON r.thread_id = t.id AND r.user_id <> t.starter_id
GROUP BY t.id, t.title, t.created_at
HAVING waited > '24:00:00'
ORDER BY waited DESC;

SELECT SUBSTRING_INDEX(user_email, '@', -1) AS domain, COUNT(*) AS n, SUM(user_status = 9) / COUNT(*) AS ban_rate
FROM wp_users
GROUP BY domain
HAVING n >= 5 AND ban_rate > 0.2
ORDER BY ban_rate DESC, n DESC;

SELECT COUNT(IF(deleted_at IS NULL, 1, NULL)) AS alive, COUNT(deleted_at) AS gone, COUNT(*) AS everything, MIN(created_at), MAX(created_at) FROM replies;

SELECT thread_id, MAX(score) AS top, (SELECT rr.user_id FROM replies rr WHERE rr.thread_id = replies.thread_id ORDER BY rr.score DESC LIMIT 1) AS top_user FROM replies GROUP BY thread_id ORDER BY top DESC LIMIT 10;

WITH RECURSIVE chain AS (
  SELECT id, parent_id, thread_id, 1 AS depth FROM replies WHERE parent_id IS NULL
  UNION ALL
  SELECT r.id, r.parent_id, r.thread_id, chain.depth + 1 FROM replies r JOIN chain ON r.parent_id = chain.id
)
SELECT t.title, MAX(chain.depth) AS deepest, AVG(chain.depth) AS average, COUNT(*) AS replies
FROM chain JOIN Threads t ON t.id = chain.thread_id
GROUP BY t.id, t.title
HAVING deepest > 4;

SELECT locale, COUNT(*) FROM wp_users GROUP BY locale WITH ROLLUP;

SELECT IF(t.pinned, 'pinned', 'other') AS kind, ROUND(AVG(a.replies), 1) AS replies, ROUND(AVG(a.participants), 1) AS people
FROM thread_activity a NATURAL JOIN (SELECT id AS thread_id, pinned FROM Threads) t
GROUP BY t.pinned;

SELECT pairs.a, pairs.b, pairs.n FROM (
  SELECT LEAST(r.user_id, p.user_id) AS a, GREATEST(r.user_id, p.user_id) AS b, COUNT(*) AS n
  FROM replies r JOIN replies p ON p.id = r.parent_id
  WHERE r.user_id <> p.user_id
  GROUP BY a, b
) AS pairs
WHERE pairs.n > 10
ORDER BY pairs.n DESC;

SELECT u.user_login, GROUP_CONCAT(CONCAT_WS(':', g.slug, gu.role) ORDER BY g.`rank`, g.slug SEPARATOR ' | ') AS memberships
FROM wp_users u INNER JOIN group_user gu ON gu.user_id = u.ID INNER JOIN `groups` g ON g.id = gu.group_id
WHERE u.user_registered < '2020-01-01'
GROUP BY u.user_login
HAVING FIND_IN_SET('garden:owner', REPLACE(memberships, ' | ', ',')) = 0;

SELECT c.comment_post_ID, p.post_title, SUM(c.comment_approved = '1') ok, SUM(c.comment_approved = 'spam') spam, SUM(c.comment_approved = '0') waiting
FROM wp_comments c JOIN wp_posts p ON p.ID = c.comment_post_ID
GROUP BY c.comment_post_ID, p.post_title
ORDER BY waiting DESC, spam DESC;

SELECT FLOOR(DATEDIFF(NOW(), user_registered) / 365) AS age, COUNT(*) AS users, SUM(r.n) AS replies
FROM wp_users LEFT JOIN (SELECT user_id, COUNT(*) AS n FROM replies GROUP BY user_id) AS r ON r.user_id = wp_users.ID
GROUP BY age
ORDER BY age;
