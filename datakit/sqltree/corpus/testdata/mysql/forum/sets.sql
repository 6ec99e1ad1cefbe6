SELECT user_id FROM replies UNION SELECT starter_id FROM Threads;

(SELECT id, title AS label, created_at FROM Threads ORDER BY created_at DESC LIMIT 5)
UNION ALL
(SELECT ID, post_title, post_date FROM wp_posts WHERE post_status = 'publish' ORDER BY post_date DESC LIMIT 5)
ORDER BY created_at DESC;

SELECT user_id FROM group_user WHERE group_id = 1
INTERSECT
SELECT user_id FROM group_user WHERE group_id = 2;

SELECT ID FROM wp_users
EXCEPT
SELECT user_id FROM replies WHERE user_id IS NOT NULL
ORDER BY ID
LIMIT 10, 20;

SELECT kind, COUNT(*) AS n FROM media GROUP BY kind
UNION ALL
SELECT 'total', COUNT(*) FROM media
UNION ALL
SELECT CONCAT('by ', u.user_login), COUNT(*) FROM media m JOIN wp_users u ON u.ID = m.uploader_id GROUP BY u.user_login
ORDER BY n DESC, kind;

SELECT slug FROM wp_terms UNION DISTINCT SELECT slug FROM `groups` UNION DISTINCT SELECT post_name FROM wp_posts ORDER BY 1;

SELECT feed.who, feed.what, feed.at
FROM (
  SELECT r.user_id AS who, 'reply' AS what, r.created_at AS at FROM replies r
  UNION ALL
  SELECT v.user_id, IF(v.value > 0, 'like', 'dislike'), v.created_at FROM votes v
  UNION ALL
  SELECT t.starter_id, 'thread', t.created_at FROM Threads t
) AS feed
WHERE feed.who = ?
ORDER BY feed.at DESC
LIMIT 30;

SELECT sku FROM orderItems WHERE qty > 10 INTERSECT (SELECT sku FROM orderItems WHERE taxRate = 0.07 EXCEPT SELECT sku FROM orderItems WHERE unitPrice < 1);

((SELECT id FROM Threads WHERE pinned = 1 LIMIT 3) UNION (SELECT id FROM Threads ORDER BY views DESC LIMIT 3)) ORDER BY id;

SELECT post_author AS author, 1 AS src FROM wp_posts UNION ALL (SELECT author_id, 2 FROM revisions UNION SELECT user_id, 3 FROM wp_comments) ORDER BY author, src;

select count(*) from (select user_email from wp_users union select comment_author_email from wp_comments) as mails;

SELECT 'threads' AS tbl, COUNT(*) AS cnt, MAX(created_at) AS newest FROM Threads
UNION SELECT 'replies', COUNT(*), MAX(created_at) FROM replies
UNION SELECT 'votes', COUNT(*), MAX(created_at) FROM votes
UNION SELECT 'media', COUNT(*), MAX(uploaded_at) FROM media;

SELECT user_id, SUM(points) AS points
FROM (
      SELECT user_id, COUNT(*) * 2 AS points FROM replies GROUP BY user_id
      UNION ALL
      SELECT starter_id, COUNT(*) * 5 FROM Threads GROUP BY starter_id
      UNION ALL
      SELECT r.user_id, SUM(v.value) FROM votes v, replies r WHERE r.id = v.reply_id GROUP BY r.user_id
     ) scores
GROUP BY user_id
HAVING points >= 50
ORDER BY points DESC;

INSERT IGNORE INTO votes (reply_id, user_id, value) SELECT id, 1, 1 FROM replies WHERE score > 100 UNION SELECT id, 2, 1 FROM replies WHERE score > 200;

SELECT object_id FROM wp_term_relationships WHERE term_taxonomy_id = 4 EXCEPT ALL SELECT ID FROM wp_posts WHERE post_status = 'trash';

(SELECT MIN(statDay) AS edge FROM PageStats) UNION (SELECT MAX(statDay) FROM PageStats) ORDER BY edge LIMIT 1 OFFSET 1;

SELECT x.id FROM (SELECT id FROM `order` WHERE status = 'cart' UNION SELECT orderId FROM orderItems) AS x (id);

VALUES ROW(1, 'a'), ROW(2, 'b') UNION SELECT id, name FROM `groups`;
