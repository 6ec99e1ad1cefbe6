SELECT seq, entity, entity_id, op, payload
FROM [sync queue]
WHERE [next try] IS NULL OR [next try] <= unixepoch()
ORDER BY seq
LIMIT 100;

SELECT entity, count(*) AS pending, max(attempts) AS worst, group_concat(DISTINCT error) AS errors
FROM "sync queue"
GROUP BY entity;

-- only the newest change of each thing matters
DELETE FROM [sync queue]
WHERE seq < (SELECT max(q.seq) FROM [sync queue] q WHERE q.entity = [sync queue].entity AND q.entity_id = [sync queue].entity_id);

DELETE FROM `sync queue` WHERE seq IN (SELECT value FROM json_each(?)) RETURNING seq;

INSERT INTO [sync queue] (entity, entity_id, op)
SELECT 'habit', id, CASE WHEN archived THEN 'del' ELSE 'put' END FROM habit
UNION ALL
SELECT 'note', id, 'put' FROM note WHERE updated_at > (SELECT value FROM setting WHERE key = 'sync.last')
UNION ALL
SELECT 'folder', f.id, 'put' FROM folder f;

INSERT INTO setting ("key", "value")
VALUES ('sync.last', unixepoch())
ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value", scope = 'account';

SELECT value + 0 AS last, unixepoch() - value AS age FROM setting WHERE key = 'sync.last';

SELECT n.uuid, n.title, q.error
FROM note n
JOIN "sync queue" q ON (q.entity, q.entity_id) = ('note', n.id)
WHERE q.attempts >= 5;

WITH remote(uuid, updated_at, hash) AS (
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:manifest)
)
SELECT r.uuid, CASE WHEN n.id IS NULL THEN 'pull' WHEN n.updated_at > r.updated_at THEN 'push' ELSE 'same' END AS action
FROM remote r LEFT JOIN note n ON n.uuid = r.uuid
UNION ALL
SELECT n.uuid, 'push'
FROM note n
WHERE NOT EXISTS (SELECT 1 FROM remote WHERE remote.uuid = n.uuid);

BEGIN IMMEDIATE;

SAVEPOINT before_merge;

ROLLBACK TO SAVEPOINT before_merge;

RELEASE before_merge;

COMMIT TRANSACTION;

INSERT OR ROLLBACK INTO account (id, email)
SELECT j.value ->> 'id', j.value ->> 'email'
FROM json_each(@accounts) AS j;

UPDATE OR REPLACE folder SET name = ?, parent_id = ? WHERE id = ? AND account_id = ?;

UPDATE [sync queue]
SET payload = d.doc
FROM (
  SELECT 'note' AS entity, id, json_object('uuid', uuid, 'title', title, 'body', body, 'meta', json(meta)) AS doc FROM note
  UNION ALL
  SELECT 'tag', id, json_object('label', label, 'hue', hue) FROM tag
) AS d
WHERE d.entity = [sync queue].entity AND d.id = entity_id AND op = 'put';

SELECT d.id, d.platform, d.last_seen_at FROM device d WHERE d.last_seen_at IS DISTINCT FROM (SELECT max(saved_at) FROM note_revision WHERE device_id = d.id);

SELECT a.id, a.email,
       (SELECT count(*) FROM note n WHERE n.account_id = a.id AND n.updated_at > d.last_seen_at) AS notes_behind,
       d.id AS device
FROM account a JOIN device d ON d.account_id = a.id
WHERE notes_behind > 0
ORDER BY notes_behind DESC;

SELECT r.note_id, r.device_id, count(*) AS n, min(r.saved_at) AS t0, max(r.saved_at) AS t1
FROM note_revision AS r
GROUP BY r.note_id, r.device_id
HAVING t1 - t0 > 86400 AND n > 1;

SELECT note_id FROM note_revision GROUP BY note_id HAVING count(DISTINCT device_id) > 1 AND max(rev) > 10;

SELECT l.note_id, l.rev AS mine, r.rev AS theirs
FROM note_revision l JOIN note_revision r USING (note_id)
WHERE l.device_id = :this AND r.device_id IS NOT :this
  AND abs(l.saved_at - r.saved_at) < 60
  AND l.body <> r.body;

SELECT 'orphan attachment' AS problem, id FROM attachment WHERE note_id NOT IN (SELECT id FROM note)
UNION ALL SELECT 'orphan link', note_id FROM note_tag WHERE tag_id NOT IN (SELECT id FROM tag)
UNION ALL SELECT 'bad json', id FROM note WHERE NOT json_valid(meta)
UNION ALL SELECT 'cycle', f.id FROM folder f JOIN folder p ON p.id = f.parent_id WHERE p.parent_id = f.id
ORDER BY problem, id;

SELECT * FROM pragma_foreign_key_check;

SELECT "table", rowid, parent, fkid FROM pragma_foreign_key_check('note');

SELECT name, seq FROM sqlite_sequence WHERE name IN ('folder', 'message', 'sync queue');

SELECT (SELECT count(*) FROM note) AS notes, (SELECT count(*) FROM folder) AS folders, (SELECT count(*) FROM tag) AS tags, (SELECT count(*) FROM attachment) AS files;

SELECT platform, count(*) FILTER (WHERE push_token IS NOT NULL) AS reachable, count(*) AS devices, max(os_version) AS newest
FROM device
GROUP BY platform;

DELETE FROM device
WHERE push_token IN (SELECT push_token FROM device GROUP BY push_token HAVING count(*) > 1) AND last_seen_at IS NOT (SELECT max(d2.last_seen_at) FROM device d2 WHERE d2.push_token = device.push_token);

SELECT sum(pgsize) AS bytes, name FROM dbstat GROUP BY name ORDER BY bytes DESC LIMIT 10;

SELECT scope, json_group_object(key, value) FILTER (WHERE value IS NOT NULL) AS settings
FROM setting
GROUP BY scope;

REPLACE INTO setting SELECT 'count.' || format, count(*), 'device' FROM note GROUP BY format;

INSERT INTO note_tag (note_id, tag_id, tagged_at)
SELECT n.id, t.id, j.value ->> 'at'
FROM json_each(:links) j
JOIN note n ON n.uuid = j.value ->> 'note'
JOIN tag t ON t.label = j.value ->> 'tag' AND t.account_id = n.account_id
ON CONFLICT (note_id, tag_id) DO UPDATE SET tagged_at = min(note_tag.tagged_at, excluded.tagged_at);

UPDATE note SET updated_at = r.saved_at, body = r.body
FROM note_revision AS r
WHERE r.note_id = note.id
  AND r.saved_at > note.updated_at
  AND NOT EXISTS (SELECT 1 FROM note_revision AS later WHERE later.note_id = r.note_id AND later.rev > r.rev)
RETURNING note.id, title, updated_at;
