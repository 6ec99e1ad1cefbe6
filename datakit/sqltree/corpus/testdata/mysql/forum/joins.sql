SELECT p.ID, p.post_title, u.display_name
FROM wp_posts p, wp_users u
WHERE p.post_author = u.ID AND p.post_status = 'publish';

select t.id, t.title, g.name
from `Threads` t
join `groups` g on g.id = t.group_id
where g.visibility <> 'hidden'
order by t.last_reply_at desc
limit 0, 20;

SELECT STRAIGHT_JOIN u.user_login, COUNT(*) AS posts
FROM wp_users u, wp_posts p
WHERE u.ID = p.post_author
GROUP BY u.ID
ORDER BY posts DESC
LIMIT 10;

SELECT r.id, parent.id AS parent_id, parent.body
FROM replies r
LEFT JOIN replies parent ON parent.id = r.parent_id
WHERE r.thread_id = 4711;

-- members who never voted
SELECT u.ID, u.user_login
FROM wp_users u
LEFT OUTER JOIN votes v ON v.user_id = u.ID
WHERE v.reply_id IS NULL;

SELECT g.name, gu.role, u.display_name
FROM group_user AS gu
INNER JOIN `groups` AS g ON (g.id = gu.group_id)
INNER JOIN wp_users AS u ON (u.ID = gu.user_id)
WHERE gu.role IN ('owner', 'moderator')
ORDER BY g.`rank`, FIELD(gu.role, 'owner', 'moderator'), u.display_name;

SELECT * FROM wp_term_taxonomy NATURAL JOIN wp_terms WHERE taxonomy = 'category';

SELECT term_id, name, taxonomy, count FROM wp_terms JOIN wp_term_taxonomy USING (term_id) ORDER BY count DESC;

SELECT tt.term_taxonomy_id, object_id, term_order
FROM wp_term_taxonomy tt
LEFT JOIN wp_term_relationships tr USING (term_taxonomy_id)
WHERE tt.taxonomy = 'post_tag' AND tr.object_id IS NULL;

SELECT child.name AS child, mother.name AS mother, grand.name AS grand
FROM `groups` child
LEFT JOIN `groups` mother ON child.parent_id = mother.id
LEFT JOIN `groups` grand ON mother.parent_id = grand.id
ORDER BY grand.name IS NULL, grand.name, mother.name, child.name;

SELECT a.user_id, b.user_id AS peer, COUNT(*) AS shared
FROM group_user a
JOIN group_user b ON a.group_id = b.group_id AND a.user_id < b.user_id
GROUP BY a.user_id, b.user_id
HAVING shared > 2;

SELECT o.id, o.total, SUM(i.lineTotal) AS computed
FROM `order` o
JOIN orderItems i ON i.orderId = o.id
GROUP BY o.id, o.total
HAVING ABS(o.total - computed) > 0.01;

SELECT d.n AS day_offset, h.n AS hour_of_day
FROM (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2) d
CROSS JOIN (SELECT 0 AS n UNION SELECT 6 UNION SELECT 12 UNION SELECT 18) h
ORDER BY 1, 2;

SELECT p.ID, m1.meta_value AS price, m2.meta_value AS stock
FROM wp_posts AS p
  LEFT JOIN (wp_postmeta AS m1 CROSS JOIN wp_postmeta AS m2)
    ON (m1.post_id = p.ID AND m2.post_id = p.ID AND m1.meta_key = '_price' AND m2.meta_key = '_stock')
WHERE p.post_type = 'product';

SELECT v.value, r.score, t.title
FROM votes v STRAIGHT_JOIN replies r ON r.id = v.reply_id
STRAIGHT_JOIN Threads t ON t.id = r.thread_id
WHERE v.created_at >= CURDATE() - INTERVAL 7 DAY;

SELECT u.user_login, o.id, o.status
FROM wp_users u RIGHT JOIN `order` o ON o.user_id = u.ID
WHERE o.status = 'refunded';

SELECT m.path, p.post_title, u.user_email
FROM media m
LEFT JOIN wp_posts p ON p.ID = m.post_id
LEFT JOIN wp_users u ON u.ID = COALESCE(m.uploader_id, p.post_author)
WHERE m.kind = 'image' AND m.bytes > 5 * 1024 * 1024;

SELECT pg.id, pm.`key`, CASE pg.grantee_type WHEN 'user' THEN u.user_login WHEN 'group' THEN g.name END AS grantee
FROM permission_grants pg
JOIN permissions pm ON pm.id = pg.permission_id
LEFT JOIN wp_users u ON pg.grantee_type = 'user' AND u.ID = pg.grantee_id
LEFT JOIN `groups` g ON pg.grantee_type = 'group' AND g.id = pg.grantee_id;

select c.comment_ID, c.comment_author, reply.comment_ID reply_id
from wp_comments c left join wp_comments reply on reply.comment_parent = c.comment_ID
where c.comment_post_ID = ? and c.comment_parent = 0
order by c.comment_date, reply.comment_date;

SELECT ht.title, ht.group_name, u.display_name
FROM hot_threads ht
JOIN Threads t ON t.id = ht.thread_id
LEFT JOIN active_members u ON u.ID = t.starter_id
WHERE ht.latest > NOW() - INTERVAL 1 MONTH;

SELECT p.title, COUNT(r.id) AS revs, MAX(r.rev_no) AS top_rev
FROM published_posts p
LEFT JOIN revisions r USING (post_id)
GROUP BY p.post_id, p.title
ORDER BY revs DESC, p.title;

SELECT x.ID, y.ID
FROM wp_posts x JOIN wp_posts y
  ON (x.post_title, x.post_author) = (y.post_title, y.post_author)
WHERE x.ID < y.ID;

SELECT `order`.`id`, `order`.`currency`, `wp_users`.`display_name`
FROM `order`, `wp_users`
WHERE `order`.`user_id` = `wp_users`.`ID`
  AND `order`.`status` = 'paid'
ORDER BY `order`.`paid_at` DESC;

SELECT t.title, last_reply.body, last_reply.created_at
FROM Threads t
LEFT JOIN replies last_reply
  ON last_reply.thread_id = t.id
LEFT JOIN replies newer
  ON newer.thread_id = t.id AND newer.created_at > last_reply.created_at
WHERE newer.id IS NULL;

SELECT s.pageId, p.post_title, s.hits
FROM PageStats AS s FORCE INDEX (page_day_hour)
INNER JOIN wp_posts AS p USE INDEX (PRIMARY) ON p.ID = s.pageId
WHERE s.statDay = CURRENT_DATE;

SELECT r.user_id, COUNT(*) n
FROM replies r IGNORE INDEX FOR JOIN (replies_user), Threads t
WHERE r.thread_id = t.id AND t.is_locked
GROUP BY r.user_id WITH ROLLUP;

SELECT ps.statDay, ps.hits, prev.hits AS before_hits, ps.hits - prev.hits AS delta
FROM PageStats ps
LEFT JOIN PageStats prev ON prev.pageId = ps.pageId
  AND prev.statDay = ps.statDay - INTERVAL 1 DAY
  AND prev.hour = ps.hour
WHERE ps.pageId = 12;

SELECT u.ID, meta.nick, meta.bio
FROM wp_users u
JOIN (
  SELECT user_id
       , MAX(IF(meta_key = 'nickname', meta_value, NULL)) AS nick
       , MAX(IF(meta_key = 'description', meta_value, NULL)) AS bio
  FROM wp_usermeta
  GROUP BY user_id
) AS meta ON meta.user_id = u.ID;

SELECT COUNT(*) FROM wp_users JOIN wp_usermeta JOIN wp_posts
WHERE wp_users.ID = wp_usermeta.user_id AND wp_posts.post_author = wp_users.ID AND wp_usermeta.meta_key LIKE 'wp\_%';

SELECT t.title, r.id FROM (Threads t, `groups` g) LEFT JOIN replies r ON r.thread_id = t.id AND r.user_id = g.owner_id
WHERE t.group_id = g.id;

SELECT a.ID, b.meta_value
FROM { OJ wp_posts a LEFT OUTER JOIN wp_postmeta b ON a.ID = b.post_id }
WHERE b.meta_key = '_thumbnail_id';

SELECT o.id, u.user_login, i.sku
FROM `order` o
  LEFT JOIN wp_users u
    INNER JOIN group_user gu ON gu.user_id = u.ID
  ON o.user_id = u.ID
  LEFT JOIN orderItems i ON i.orderId = o.id;

SELECT media.*, wp_posts.post_title FROM media LEFT JOIN wp_posts ON media.post_id = wp_posts.ID WHERE media.flags & 1;

SELECT ms.`month`, p.post_title AS `page title`, ms.`total hits`
FROM `Monthly-Stats` ms JOIN wp_posts p ON p.ID = ms.`page id`
WHERE ms.`month` = DATE_FORMAT(NOW(), '%Y-%m')
ORDER BY `total hits` DESC;

SELECT l.action, l.created_at, actor.user_login AS who, victim.user_login AS whom
FROM moderation_log AS l
JOIN wp_users AS actor ON actor.ID = l.actor_id
LEFT JOIN wp_users AS victim ON l.target_type = 'user' AND victim.ID = l.target_id
ORDER BY l.id DESC LIMIT 50;

SELECT user_id, group_id, g.id, joined_at
FROM group_user NATURAL LEFT JOIN votes
JOIN `groups` g ON g.id = group_id
WHERE value IS NULL;

SELECT DISTINCT u.*
FROM wp_users u
JOIN replies r ON r.user_id = u.ID
JOIN votes v ON v.reply_id = r.id AND v.user_id <> u.ID AND v.value = 1
WHERE r.created_at BETWEEN '2024-01-01' AND '2024-12-31 23:59:59';

SELECT revisions.id, author_id, rev_no, post_title
FROM revisions JOIN wp_posts ON wp_posts.ID = revisions.post_id AND revisions.author_id <> post_author
WHERE is_minor = b'1';

SELECT p.ID FROM wp_posts AS p JOIN wp_term_relationships AS tr ON tr.object_id = p.ID
JOIN wp_term_taxonomy AS tt USING(term_taxonomy_id) JOIN wp_terms AS t USING(term_id)
WHERE t.slug IN ('news', 'press') GROUP BY p.ID HAVING COUNT(DISTINCT t.slug) = 2;

SELECT COALESCE(a.user_id, b.user_id) AS user_id, a.posts, b.replies
FROM (SELECT post_author AS user_id, COUNT(*) AS posts FROM wp_posts GROUP BY post_author) a
LEFT JOIN (SELECT user_id, COUNT(*) AS replies FROM replies GROUP BY user_id) b ON a.user_id = b.user_id
UNION
SELECT COALESCE(a.user_id, b.user_id), a.posts, b.replies
FROM (SELECT post_author AS user_id, COUNT(*) AS posts FROM wp_posts GROUP BY post_author) a
RIGHT JOIN (SELECT user_id, COUNT(*) AS replies FROM replies GROUP BY user_id) b ON a.user_id = b.user_id;
