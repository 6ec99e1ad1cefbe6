SELECT id, JSON_EXTRACT(settings, '$.theme') AS theme FROM `groups` WHERE settings IS NOT NULL;

SELECT id, JSON_UNQUOTE(JSON_EXTRACT(exif, '$.Camera.Model')) AS camera, COUNT(*) OVER (PARTITION BY JSON_VALUE(exif, '$.Camera.Make')) AS of_make
FROM media
WHERE JSON_VALID(exif);

SELECT t.id, t.title FROM Threads t WHERE JSON_CONTAINS(t.tags, '"howto"') AND NOT JSON_CONTAINS(t.tags, JSON_QUOTE('archived'));

SELECT t.id, jt.tag
FROM Threads t, JSON_TABLE(t.tags, '$[*]' COLUMNS (tag VARCHAR(60) PATH '$')) AS jt
WHERE t.deleted_at IS NULL;

SELECT jt.tag, COUNT(*) AS uses, MAX(t.last_reply_at) AS last_use
FROM Threads AS t
JOIN JSON_TABLE(t.tags, '$[*]' COLUMNS (pos FOR ORDINALITY, tag VARCHAR(60) CHARACTER SET utf8mb4 PATH '$' ERROR ON ERROR)) AS jt
GROUP BY jt.tag
HAVING uses > 3
ORDER BY uses DESC, jt.tag;

SELECT r.id, d.op, d.line_no, d.txt
FROM revisions r
LEFT JOIN JSON_TABLE(r.diff, '$.hunks[*]' COLUMNS (
  op CHAR(1) PATH '$.op' DEFAULT '"="' ON EMPTY NULL ON ERROR,
  line_no INT PATH '$.line',
  NESTED PATH '$.lines[*]' COLUMNS (n FOR ORDINALITY, txt VARCHAR(500) PATH '$.text')
)) AS d ON TRUE
WHERE r.post_id = 7;

SELECT id, JSON_LENGTH(tags) AS n, JSON_TYPE(tags) AS typ, JSON_DEPTH(tags) FROM Threads ORDER BY n DESC;

SELECT JSON_OBJECT('id', u.ID, 'login', u.user_login, 'groups', (SELECT JSON_ARRAYAGG(g.slug) FROM group_user gu JOIN `groups` g ON g.id = gu.group_id WHERE gu.user_id = u.ID)) AS doc
FROM wp_users u
WHERE u.ID = ?;

SELECT meta.user_id, JSON_OBJECTAGG(meta.meta_key, meta.meta_value) AS all_meta FROM wp_usermeta meta GROUP BY meta.user_id;

UPDATE `groups` SET settings = JSON_SET(COALESCE(settings, '{}'), '$.limits.upload', 25, '$.updated', CAST(NOW() AS CHAR)) WHERE id = 3;

UPDATE Threads SET tags = JSON_ARRAY_APPEND(tags, '$', 'solved') WHERE id = 15 AND JSON_SEARCH(tags, 'one', 'solved') IS NULL;

UPDATE Threads t
SET t.tags = JSON_REMOVE(t.tags, JSON_UNQUOTE(JSON_SEARCH(t.tags, 'one', 'obsolete')))
WHERE JSON_SEARCH(t.tags, 'one', 'obsolete') IS NOT NULL;

SELECT id FROM media WHERE JSON_EXTRACT(exif, '$.GPS') IS NOT NULL AND CAST(JSON_VALUE(exif, '$.ISO') AS UNSIGNED) BETWEEN 100 AND 800;

SELECT m.id, k.k AS tag_name, JSON_EXTRACT(m.exif, CONCAT('$."', k.k, '"')) AS v
FROM media m
CROSS JOIN JSON_TABLE(JSON_KEYS(m.exif), '$[*]' COLUMNS (k VARCHAR(100) PATH '$')) k;

SELECT action, JSON_VALUE(detail, '$.reason') AS reason, COUNT(*) AS n
FROM moderation_log
WHERE JSON_CONTAINS_PATH(detail, 'one', '$.reason', '$.note')
GROUP BY action, reason
ORDER BY n DESC;

INSERT INTO moderation_log (actor_id, action, target_type, target_id, detail)
VALUES (1, 'lock', 'thread', 15, JSON_OBJECT('reason', 'heated', 'until', DATE_ADD(CURDATE(), INTERVAL 3 DAY), 'by', JSON_ARRAY('rule-3', 'rule-7')));

INSERT INTO moderation_log (actor_id, action, target_type, target_id, detail)
SELECT 1, 'bulk-hide', 'reply', r.id, JSON_OBJECT('score', r.score, 'thread', t.title) FROM replies r JOIN Threads t ON t.id = r.thread_id WHERE r.score < -10;

SELECT JSON_PRETTY(JSON_MERGE_PATCH(parent.settings, child.settings)) AS effective
FROM `groups` child JOIN `groups` parent ON parent.id = child.parent_id;

SELECT g.id, flags.name, flags.enabled
FROM `groups` g, JSON_TABLE(g.settings, '$.features[*]' COLUMNS (name VARCHAR(40) PATH '$.name', enabled BOOLEAN PATH '$.on', has_opts INT EXISTS PATH '$.opts')) flags
WHERE flags.enabled;

SELECT x.id, x.qty FROM JSON_TABLE('[{"id":1,"q":3},{"id":2,"q":5}]', '$[*]' COLUMNS (id INT PATH '$.id', qty INT PATH '$.q')) AS x;

UPDATE orderItems oi
JOIN JSON_TABLE(?, '$[*]' COLUMNS (line SMALLINT PATH '$.line', qty INT PATH '$.qty')) AS patch ON patch.line = oi.lineNo
SET oi.qty = patch.qty
WHERE oi.orderId = ?;

SELECT CONCAT('[', GROUP_CONCAT(JSON_OBJECT('id', id, 'title', title) ORDER BY views DESC SEPARATOR ','), ']') AS top_json FROM Threads WHERE pinned = 1;

SELECT u.user_login
FROM wp_users u JOIN wp_usermeta um ON um.user_id = u.ID AND um.meta_key = 'prefs'
WHERE JSON_VALID(um.meta_value) AND JSON_EXTRACT(um.meta_value, '$.digest') = 'weekly'
ORDER BY CAST(JSON_EXTRACT(um.meta_value, '$.since') AS DATE);

SELECT t1.id, t2.id FROM Threads t1 JOIN Threads t2 ON t1.id < t2.id AND JSON_OVERLAPS(t1.tags, t2.tags) WHERE t1.group_id = t2.group_id;

SELECT JSON_INSERT(settings, '$.created', created_at), JSON_REPLACE(settings, '$.theme', 'dark') FROM `groups` WHERE visibility = 'members';

SELECT id, JSON_EXTRACT(tags, '$[0]') AS `first`, JSON_EXTRACT(tags, '$[1 to 2]') FROM Threads WHERE JSON_LENGTH(tags) > 2;

WITH tagged AS (
  SELECT t.group_id, j.tag FROM Threads t INNER JOIN JSON_TABLE(t.tags, '$[*]' COLUMNS (tag VARCHAR(60) PATH '$')) j
), counted AS (
  SELECT group_id, tag, COUNT(*) AS n, ROW_NUMBER() OVER (PARTITION BY group_id ORDER BY COUNT(*) DESC) AS rn FROM tagged GROUP BY group_id, tag
)
SELECT g.name, JSON_ARRAYAGG(c.tag) AS top_tags FROM counted c JOIN `groups` g ON g.id = c.group_id WHERE c.rn <= 3 GROUP BY g.id;

INSERT INTO `groups` (name, slug, settings) VALUES ('Roses', 'roses', '{"theme": "pink", "limits": {"posts": 10}}') ON DUPLICATE KEY UPDATE settings = JSON_MERGE_PATCH(settings, VALUES(settings));
