INSERT INTO note (account_id, title, body, created_at, updated_at)
VALUES (?, ?, ?, unixepoch(), unixepoch());

INSERT INTO note (uuid, account_id, folder_id, title, body, created_at, updated_at)
VALUES (:uuid, :account, :folder, :title, :body, :created, :updated)
ON CONFLICT (uuid) DO UPDATE SET
  title = excluded.title,
  body = excluded.body,
  folder_id = coalesce(excluded.folder_id, note.folder_id),
  updated_at = max(note.updated_at, excluded.updated_at)
WHERE excluded.updated_at > note.updated_at
RETURNING id, updated_at, word_count;

INSERT OR REPLACE INTO setting (key, value, scope)
VALUES ('ui.font', 14, 'account'), ('ui.dark', TRUE, 'device');

INSERT OR IGNORE INTO note_tag (note_id, tag_id) SELECT ?1, id FROM tag WHERE label IN (?2, ?3);

REPLACE INTO device VALUES ('a1b2', 1, 'ios', 'Phone 12', '17.4', NULL, unixepoch());

insert into account default values;

INSERT INTO habit_log AS h (habit_id, day, amount, mood)
VALUES (?, date('now', 'localtime'), 1, ?)
ON CONFLICT (habit_id, day) DO UPDATE SET amount = h.amount + 1, mood = ifnull(excluded.mood, h.mood);

INSERT INTO device (id, account_id, platform) VALUES (@id, @acc, 'android')
ON CONFLICT DO NOTHING;

INSERT INTO account (email, display_name) VALUES (lower(?), ?)
ON CONFLICT (email) WHERE deleted_at IS NULL DO NOTHING
ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name
RETURNING *;

INSERT INTO main.tag (account_id, label)
VALUES (1, 'inbox')
RETURNING id AS tag_id, label || '#' || rowid;

INSERT OR ABORT INTO reminder (note_id, fire_at) SELECT n.id, n.created_at + 86400 FROM note AS n WHERE n.format = 'todo' AND NOT EXISTS (SELECT 1 FROM reminder AS r WHERE r.note_id = n.id);

INSERT OR FAIL INTO conversation_member (conversation_id, contact_id, joined_at)
SELECT c.id, k."contactId", unixepoch()
FROM conversation c CROSS JOIN "Contact" k
WHERE c.subject = 'Everybody' AND NOT k."isBlocked";

UPDATE note SET pinned = NOT pinned WHERE id = ?;

UPDATE OR IGNORE tag SET label = trim(label) WHERE label <> trim(label);

UPDATE note
SET (title, body) = (SELECT r.title, r.body FROM (SELECT note_id, 'restored' AS title, body FROM note_revision WHERE rev = :rev) r WHERE r.note_id = note.id), updated_at = unixepoch()
WHERE id = :id;

UPDATE conversation_member AS cm
SET last_read = m.newest
FROM (SELECT conversation_id, max(id) AS newest FROM message GROUP BY conversation_id) AS m
WHERE m.conversation_id = cm.conversation_id AND cm.contact_id = :me
RETURNING conversation_id, last_read;

UPDATE note
SET folder_id = f.id
FROM folder f
JOIN account a ON a.id = f.account_id
WHERE f.name = 'Archive'
  AND a.id = note.account_id
  AND note.archived;

UPDATE main.habit SET ends_on = date(starts_on, '+1 year'), archived = 0 WHERE ends_on IS NULL AND id IN (SELECT habit_id FROM best_streak WHERE best > 100);

UPDATE note INDEXED BY note_by_folder SET pinned = 0 WHERE folder_id = ? AND archived = 0;

UPDATE "Contact"
SET "displayName" = "displayName" || ' (blocked)', "isBlocked" = TRUE
WHERE "contactId" = ?1;

UPDATE [sync queue]
SET attempts = attempts + 1, [next try] = unixepoch() + (1 << min(attempts, 10)), error = ?
WHERE seq = ?;

UPDATE message
SET payload = json_set(payload, '$.text', ?), edited_at = unixepoch()
WHERE id = ? AND sender_id IS NULL
RETURNING id, text, edited_at - sent_at AS after;

UPDATE note SET folder_id = NULL WHERE folder_id NOT IN (SELECT id FROM folder);

UPDATE attachment
SET thumb = NULL, exif = CASE WHEN mime LIKE 'image/%' THEN exif END
WHERE added_at < unixepoch('now', '-1 year') AND note_id IN (SELECT id FROM note WHERE archived);

UPDATE tag SET hue = (hue + 180) % 360 WHERE hue IS NOT NULL AND EXISTS (SELECT 1 FROM tag AS o WHERE o.hue = tag.hue AND o.id < tag.id AND o.account_id = tag.account_id);

DELETE FROM note WHERE archived = 1 AND updated_at < unixepoch('now', '-30 days');

DELETE FROM note_tag AS nt WHERE NOT EXISTS (SELECT 1 FROM tag WHERE tag.id = nt.tag_id);

DELETE FROM main.message
WHERE rowid IN (SELECT rowid FROM message WHERE deleted = 1 ORDER BY sent_at LIMIT 500)
RETURNING id, conversation_id;

DELETE FROM reaction WHERE (message_id, contact_id) = (?, ?) AND emoji = ?;

DELETE FROM event;

DELETE FROM attachment NOT INDEXED
WHERE size = 0 OR note_id NOT IN (SELECT n.id FROM note n WHERE n.account_id IS NOT NULL);

DELETE FROM tag WHERE id IN (SELECT t.id FROM tag t LEFT JOIN note_tag nt ON nt.tag_id = t.id WHERE nt.note_id IS NULL AND t.account_id = :a);

WITH victim(id) AS (SELECT id FROM note WHERE title = '' AND body = '')
DELETE FROM note_revision WHERE note_id IN (SELECT id FROM victim) RETURNING note_id, rev;

WITH best AS (SELECT habit_id, max(amount) AS top FROM habit_log GROUP BY habit_id)
UPDATE habit SET target = best.top FROM best WHERE best.habit_id = habit.id AND habit.target < best.top;

INSERT INTO folder (account_id, name, "order")
SELECT account_id, 'Unsorted', 1 + coalesce((SELECT max("order") FROM folder f WHERE f.account_id = note.account_id), 0)
FROM note
WHERE folder_id IS NULL
GROUP BY account_id
HAVING count(*) > 10
ON CONFLICT (account_id, parent_id, name) DO UPDATE SET "order" = excluded."order" + 1, color = '#00ff00'
RETURNING id, "order";

INSERT INTO note_revision
SELECT id, 1, body, NULL, updated_at
FROM note
WHERE id NOT IN (SELECT note_id FROM note_revision);

INSERT INTO note_revision (note_id, rev, body, saved_at)
VALUES (:note, (SELECT 1 + ifnull(max(rev), 0) FROM note_revision WHERE note_id = :note), :body, unixepoch())
RETURNING rev;

INSERT INTO reaction (message_id, contact_id, emoji, reacted_at)
SELECT * FROM (VALUES (1, 2, '👍', 0), (1, 3, '🎉', 0)) WHERE true
ON CONFLICT (message_id, contact_id, emoji) DO UPDATE SET reacted_at = excluded.reacted_at WHERE reaction.reacted_at < excluded.reacted_at;

INSERT INTO [sync queue] (entity, entity_id, op, payload) VALUES ('note', ?1, 'put', (SELECT json_object('title', title, 'body', body) FROM note WHERE id = ?1));
