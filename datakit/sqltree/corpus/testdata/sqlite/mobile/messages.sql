SELECT * FROM inbox WHERE unread > 0 ORDER BY last_at DESC;

SELECT m.id, m.text, m.sent_at, m.sender_id IS NULL AS mine
FROM message m
WHERE m.conversation_id = :conv AND m.id < :before AND NOT m.deleted
ORDER BY m.id DESC
LIMIT 40;

SELECT c.id,
       coalesce(c.subject, (SELECT group_concat(k."displayName") FROM conversation_member cm, "Contact" k WHERE cm.conversation_id = c.id AND k."contactId" = cm.contact_id)) AS title,
       (SELECT text FROM message WHERE conversation_id = c.id ORDER BY sent_at DESC LIMIT 1) AS preview
FROM conversation c
WHERE c.muted_till IS NULL OR c.muted_till < unixepoch()
ORDER BY (SELECT max(sent_at) FROM message WHERE message.conversation_id = c.id) DESC;

SELECT contactId, displayName FROM Contact WHERE isBlocked = 0 ORDER BY displayName;

SELECT DISTINCT sender_id
FROM message
WHERE conversation_id = ? AND sender_id NOT IN (SELECT contact_id FROM conversation_member WHERE conversation_id = ?);

SELECT message.id, json_group_object(emoji, n) AS reactions
FROM message
JOIN (
  SELECT message_id, emoji, count(*) AS n
  FROM reaction
  GROUP BY message_id, emoji
) AS tallied ON tallied.message_id = message.id
GROUP BY message.id;

SELECT date(sent_at, 'unixepoch', 'localtime') AS day, min(id) AS first_id
FROM message
WHERE conversation_id = ?1
GROUP BY day
ORDER BY day DESC;

SELECT count(*) AS unread
FROM message m
JOIN conversation_member cm ON cm.conversation_id = m.conversation_id AND cm.contact_id = :me
JOIN conversation c ON c.id = m.conversation_id
WHERE m.id > ifnull(cm.last_read, 0)
  AND ifnull(c.muted_till, 0) < :now
  AND m.sender_id IS NOT :me;

SELECT a.sender_id, avg(b.sent_at - a.sent_at) AS answer_time
FROM message a
JOIN message b ON b.reply_to = a.id
GROUP BY a.sender_id;

SELECT k."displayName", count(m.id) AS sent, max(m.sent_at) AS last_sent
FROM Contact AS k LEFT JOIN message AS m ON m.sender_id = k.contactId
GROUP BY k.contactId
ORDER BY sent DESC, k."displayName";

SELECT id, text FROM message WHERE text LIKE ? || '%' AND kind = 'text' UNION SELECT id, text FROM message WHERE reply_to IN (SELECT id FROM message WHERE text LIKE ? || '%') ORDER BY id;

SELECT conversation_id, sender_id, count(*) FROM message GROUP BY conversation_id, sender_id HAVING count(*) = (
  SELECT max(n) FROM (SELECT count(*) AS n FROM message AS inner_m WHERE inner_m.conversation_id = message.conversation_id GROUP BY inner_m.sender_id)
);

SELECT emoji, count(*) FROM reaction GROUP BY emoji ORDER BY 2 DESC LIMIT 10;

SELECT r.emoji, m.text
FROM reaction AS r, message AS m
WHERE r.message_id = m.id
  AND r.reacted_at - m.sent_at BETWEEN 0 AND 60
  AND r.contact_id <> m.sender_id;

-- who has not read the last message of a group
SELECT cm.conversation_id, k."displayName"
FROM conversation_member cm
JOIN Contact k ON k.contactId = cm.contact_id
JOIN conversation c ON c.id = cm.conversation_id AND c.is_group
WHERE cm.last_read IS NULL
   OR cm.last_read < (SELECT max(m.id) FROM message m WHERE m.conversation_id = cm.conversation_id);

SELECT phone, group_concat("contactId") AS ids
FROM "Contact"
WHERE phone NOT NULL
GROUP BY replace(replace(phone, ' ', ''), '-', '')
HAVING count(*) > 1;

SELECT CASE WHEN email IS NULL THEN 'none' WHEN instr(email, '@') = 0 THEN 'bad' ELSE substr(email, instr(email, '@') + 1) END AS domain, count(*) AS n
FROM Contact
GROUP BY domain COLLATE NOCASE
ORDER BY n DESC;

SELECT kind, sum(deleted) AS deleted, sum(edited_at IS NOT NULL) AS edited, count(*) - sum(deleted) AS alive FROM message GROUP BY kind;

INSERT INTO message (conversation_id, sender_id, payload, sent_at)
VALUES (:conv, NULL, json_object('text', :text), unixepoch())
RETURNING id, conversation_id, text;

INSERT INTO conversation (subject, is_group, created_at)
SELECT group_concat(displayName, ', '), count(*) > 2, unixepoch()
FROM Contact
WHERE contactId IN (SELECT value FROM json_each(?))
RETURNING id;

UPDATE conversation
SET muted_till = unixepoch('now', '+8 hours')
WHERE id IN (SELECT conversation_id FROM inbox WHERE unread > 100) AND is_group;

UPDATE message SET deleted = 1, payload = '{}' WHERE id = ?1 OR reply_to = ?1 AND kind = 'reaction';

DELETE FROM conversation
WHERE id NOT IN (SELECT conversation_id FROM message) AND created_at < unixepoch('now', '-1 day')
RETURNING id, subject;

DELETE FROM conversation_member
WHERE contact_id IN (SELECT contactId FROM Contact WHERE isBlocked)
  AND EXISTS (SELECT 1 FROM conversation c WHERE c.id = conversation_member.conversation_id AND c.is_group = 1);

SELECT title AS subject, last_at AS "lastAt", unread
FROM inbox
WHERE conversation_id IN (SELECT conversation_id FROM conversation_member GROUP BY conversation_id HAVING count(*) = 2)
ORDER BY "lastAt" DESC;

SELECT m.*, c.subject
FROM message AS m
NATURAL JOIN (SELECT id AS conversation_id, subject FROM conversation) AS c
WHERE c.subject IS NOT NULL;

SELECT c.id, c.subject, json_group_array(json_object('name', k.displayName, 'role', cm.role)) FILTER (WHERE cm.role <> 'left') AS members
FROM conversation AS c
LEFT JOIN conversation_member AS cm ON cm.conversation_id = c.id
LEFT JOIN Contact AS k ON k.contactId = cm.contact_id
GROUP BY c.id
ORDER BY c.created_at;

SELECT "contactId" id, "displayName" name FROM "Contact" WHERE name LIKE 'a%' ORDER BY name, id;

SELECT iif(sender_id IS NULL, 'out', 'in') AS direction, strftime('%w-%H', sent_at, 'unixepoch') AS slot, count(*) AS n
FROM message
GROUP BY direction, slot
ORDER BY direction, slot;

SELECT x.id, x.depth
FROM (
  WITH RECURSIVE up(id, parent, depth) AS (
    SELECT id, reply_to, 0 FROM message WHERE kind = 'text'
    UNION ALL
    SELECT up.id, message.reply_to, up.depth + 1 FROM up JOIN message ON message.id = up.parent
  )
  SELECT id, max(depth) AS depth FROM up GROUP BY id
) AS x
WHERE x.depth > 3;

SELECT contact_id
FROM conversation_member
WHERE conversation_id = 1
EXCEPT SELECT sender_id
FROM message
WHERE conversation_id = 1 AND sent_at > unixepoch('now', '-7 days');

SELECT * FROM (VALUES ('text', 0), ('media', 1), ('system', 2)) ORDER BY 2 DESC;

SELECT column1 AS kind, (SELECT count(*) FROM message WHERE message.kind = column1) AS n
FROM (VALUES ('text'), ('media'), ('call'));

SELECT max(sent_at), text, sender_id FROM message WHERE conversation_id = ? AND kind IS 'text';
