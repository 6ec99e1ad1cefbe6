SELECT u.ID, u.user_login
FROM wp_users u
WHERE EXISTS (
  SELECT *
  FROM Threads t
  WHERE t.starter_id = u.ID
    AND EXISTS (SELECT 1 FROM replies r WHERE r.thread_id = t.id AND r.user_id <> u.ID)
);

SELECT title, (SELECT COUNT(*) FROM replies WHERE thread_id = Threads.id) AS n
FROM Threads
HAVING n = 0;

SELECT p.post_title
FROM wp_posts p
WHERE p.comment_count > ALL (SELECT q.comment_count FROM wp_posts q WHERE q.post_author = p.post_author AND q.ID <> p.ID);

SELECT user_login FROM wp_users WHERE ID = ANY (SELECT owner_id FROM `groups` WHERE visibility = 'hidden');

SELECT user_login FROM wp_users WHERE ID <> SOME (SELECT owner_id FROM `groups`) AND user_status = 0;

SELECT id, total, total / (SELECT SUM(total) FROM `order` WHERE status = 'paid') * 100 AS pct
FROM `order`
WHERE status = 'paid'
ORDER BY pct DESC;

SELECT sku, AVG(unitPrice) AS avg_price
FROM orderItems oi
GROUP BY sku
HAVING AVG(unitPrice) > (SELECT AVG(unitPrice) FROM orderItems);

SELECT sub.author, sub.cnt
FROM (
  SELECT post_author AS author, COUNT(*) AS cnt
  FROM (SELECT * FROM wp_posts WHERE post_status = 'publish') AS pub
  GROUP BY author
) AS sub
WHERE sub.cnt > (
  SELECT AVG(c) FROM (SELECT COUNT(*) AS c FROM wp_posts GROUP BY post_author) AS averages
);

SELECT g.id, g.name,
       (SELECT u.display_name FROM wp_users u WHERE u.ID = g.owner_id) AS owner,
       (SELECT COUNT(*) FROM group_user gu WHERE gu.group_id = g.id AND gu.role = 'member') AS members,
       (SELECT MAX(t.last_reply_at) FROM Threads t WHERE t.group_id = g.id) AS last_activity
FROM `groups` g
ORDER BY last_activity DESC;

SELECT * FROM replies WHERE (thread_id, created_at) IN (SELECT thread_id, MIN(created_at) FROM replies GROUP BY thread_id);

SELECT r.* FROM replies AS r WHERE r.score = (SELECT MAX(score) FROM replies WHERE thread_id = r.thread_id);

select count(*) from wp_posts where ID not in (select post_id from wp_postmeta where meta_key = '_edit_lock') and post_author in (select user_id from wp_usermeta where meta_key = 'wp_capabilities' and meta_value like '%author%');

SELECT post_title FROM wp_posts outer_post
WHERE 3 > (
  SELECT COUNT(DISTINCT inner_post.comment_count)
  FROM wp_posts inner_post
  WHERE inner_post.post_author = outer_post.post_author
    AND inner_post.comment_count > outer_post.comment_count
)
ORDER BY post_author, comment_count DESC;

SELECT ROW(group_id, pinned) = (SELECT group_id, 1 FROM Threads WHERE id = 1) AS same_place, id FROM Threads;

SELECT id, title
FROM Threads
WHERE (group_id, starter_id) IN (
  SELECT gu.group_id, gu.user_id FROM group_user gu WHERE gu.role = 'moderator'
);

SELECT m.id, m.path
FROM media m
WHERE NOT EXISTS (SELECT NULL FROM wp_postmeta pm WHERE pm.meta_key = '_wp_attached_file' AND pm.meta_value = m.path COLLATE utf8mb4_unicode_ci)
  AND NOT EXISTS (SELECT NULL FROM wp_posts p WHERE p.post_content LIKE CONCAT('%', m.path, '%') COLLATE utf8mb4_unicode_ci);

SELECT IF(EXISTS(SELECT 1 FROM votes WHERE reply_id = 9 AND user_id = 2), 'voted', 'open') AS state;

SELECT (SELECT COUNT(*) FROM wp_users) AS users, (SELECT COUNT(*) FROM wp_posts) AS posts, (SELECT COUNT(*) FROM replies) AS replies;

SELECT u.display_name, top.title
FROM wp_users u
INNER JOIN (
  SELECT t.starter_id, t.title, t.views
  FROM Threads t
  WHERE t.views = (SELECT MAX(views) FROM Threads x WHERE x.starter_id = t.starter_id)
) top ON top.starter_id = u.ID
WHERE u.user_status = (SELECT MIN(user_status) FROM wp_users);

SELECT id
FROM replies
WHERE user_id IN (SELECT ID FROM wp_users WHERE user_email LIKE '%@spam.example')
   OR ip IN (SELECT ip FROM replies WHERE deleted_at IS NOT NULL AND score < -5 GROUP BY ip HAVING COUNT(*) >= 3);

SELECT id, IFNULL((SELECT name FROM `groups` WHERE `groups`.id = Threads.group_id), '?') AS grp FROM Threads ORDER BY grp, id;

SELECT
  t.id
, t.title
, CASE
    WHEN t.views > (SELECT AVG(views) * 2 FROM Threads WHERE group_id = t.group_id) THEN 'hot'
    WHEN NOT EXISTS (SELECT 1 FROM replies WHERE thread_id = t.id) THEN 'silent'
    ELSE 'normal'
  END AS temperature
FROM Threads t
WHERE t.deleted_at IS NULL;

SELECT name FROM `groups` g1 WHERE NOT EXISTS (
  SELECT 1 FROM permissions p WHERE p.`default` = 1 AND NOT EXISTS (
    SELECT 1 FROM permission_grants x WHERE x.permission_id = p.id AND x.grantee_type = 'group' AND x.grantee_id = g1.id
  )
);

SELECT ID FROM wp_users WHERE (SELECT SUM(total) FROM `order` WHERE user_id = wp_users.ID AND status = 'paid') >= 500 ORDER BY (SELECT MAX(paid_at) FROM `order` o WHERE o.user_id = wp_users.ID) DESC;

SELECT statDay, hits FROM PageStats WHERE hits > (SELECT AVG(hits) + 2 * STDDEV_POP(hits) FROM PageStats) AND pageId = (SELECT ID FROM wp_posts WHERE post_name = 'home' AND post_type = 'page' LIMIT 1);

SELECT a.rev_no, a.body_length - (
    SELECT b.body_length FROM revisions b WHERE b.post_id = a.post_id AND b.rev_no < a.rev_no ORDER BY b.rev_no DESC LIMIT 1
  ) AS grown
FROM revisions a
WHERE a.post_id = ?
ORDER BY a.rev_no;

SELECT DISTINCT post_author FROM wp_posts p WHERE 'trash' <> ALL (SELECT post_status FROM wp_posts WHERE post_author = p.post_author);

SELECT x.n FROM (SELECT 1 AS n FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM wp_options WHERE option_name = 'db_version')) AS x;

SELECT AVG(per_user.n) avg_n, MAX(per_user.n) max_n, MIN(per_user.n) min_n
FROM (SELECT COUNT(*) n FROM votes GROUP BY user_id) per_user;

SELECT t.parent_id, children FROM (SELECT parent_id, COUNT(*) AS children FROM replies WHERE parent_id IS NOT NULL GROUP BY parent_id) AS t JOIN replies ON replies.id = t.parent_id ORDER BY children DESC LIMIT 5;

SELECT id AS user_id, (SELECT display_name FROM wp_users WHERE ID = user_id) FROM `order` WHERE placed_at > '2025-01-01';

SELECT u.ID FROM wp_users u WHERE u.ID IN (SELECT post_author FROM wp_posts UNION SELECT user_id FROM wp_comments WHERE user_id > 0) AND u.ID NOT IN (SELECT starter_id FROM Threads WHERE starter_id IS NOT NULL);

SELECT pageId, statDay, hits,
  hits - (SELECT y.hits FROM PageStats y WHERE (y.pageId, y.statDay, y.hour) = (s.pageId, s.statDay - INTERVAL 1 WEEK, s.hour) LIMIT 1) AS wow
FROM PageStats s
WHERE s.statDay > CURDATE() - INTERVAL 14 DAY;

SELECT o.id FROM `order` o WHERE (SELECT COUNT(*), SUM(qty) FROM orderItems WHERE orderId = o.id) = (1, 1);
