-- rebuild of a table, the old way
CREATE TABLE reminder_new (
  id       INTEGER PRIMARY KEY,
  note_id  INTEGER REFERENCES note (id) ON DELETE CASCADE,
  habit_id INTEGER,
  fire_at  INTEGER NOT NULL,
  rrule    TEXT,
  snoozed  INTEGER NOT NULL DEFAULT 0,
  due_at   INTEGER GENERATED ALWAYS AS (fire_at + snoozed * 600) STORED,
  CHECK (fire_at > 0 AND (note_id IS NULL OR habit_id IS NULL)),
  FOREIGN KEY (habit_id) REFERENCES habit (id) ON DELETE CASCADE
);

CREATE TABLE "Contact_v2" (
  "contactId" INTEGER PRIMARY KEY AUTOINCREMENT,
  "displayName" TEXT NOT NULL ON CONFLICT IGNORE COLLATE NOCASE,
  phone TEXT CONSTRAINT phone_digits CHECK (phone NOT GLOB '*[^0-9+ ]*'),
  email TEXT UNIQUE ON CONFLICT REPLACE,
  search TEXT AS (lower("displayName") || ' ' || coalesce(email, '')) VIRTUAL
);

CREATE TABLE message_archive (id INTEGER PRIMARY KEY, conversation_id INT, body TEXT, year AS (strftime('%Y', sent_at, 'unixepoch')), sent_at INT, UNIQUE (conversation_id, sent_at) ON CONFLICT IGNORE);

ALTER TABLE habit_log ADD COLUMN device_id TEXT REFERENCES device (id);

ALTER TABLE tag ALTER COLUMN label DROP NOT NULL;

ALTER TABLE event DROP COLUMN props;

ALTER TABLE attachment RENAME file_name TO name;

INSERT INTO message (id, conversation_id, payload, sent_at)
SELECT old.id, old.conversation_id, json_object('text', old.text), old.sent_at
FROM main.message AS old
WHERE old.id < 0
ORDER BY old.rowid;

CREATE TRIGGER message_seen AFTER INSERT ON message
WHEN (SELECT is_group FROM conversation WHERE id = new.conversation_id) = 0
BEGIN
  UPDATE conversation_member SET last_read = new.id
  WHERE conversation_id = new.conversation_id AND contact_id IS new.sender_id;
  INSERT INTO [sync queue] (entity, entity_id, op) VALUES ('message', new.rowid, 'put')
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER "contact gone" BEFORE DELETE ON "Contact" FOR EACH ROW BEGIN
  DELETE FROM reaction WHERE contact_id = OLD."contactId";
  UPDATE message SET sender_id = NULL WHERE sender_id = old.contactId;
  SELECT CASE WHEN EXISTS (SELECT 1 FROM conversation_member m WHERE m.contact_id = old."contactId" AND m.role = 'owner') THEN RAISE(ABORT, 'still an owner') END;
END;

CREATE TRIGGER IF NOT EXISTS card_delete INSTEAD OF DELETE ON note_card BEGIN DELETE FROM note WHERE id = old.note_id; END;

SELECT main.n.title, main.n.rowid FROM note AS n WHERE main.n.pinned = 1;

UPDATE note SET title = f.name || ': ' || title FROM folder f WHERE f.id = note.folder_id AND f.account_id = note.account_id RETURNING id, title, folder_id;

UPDATE habit_log SET remark = h.name FROM habit h WHERE h.id = habit_id AND remark IS NULL RETURNING habit_id, day, remark, (SELECT h2.name FROM habit h2 WHERE h2.id = habit_id);

WITH note AS (SELECT 5 AS id)
DELETE FROM note WHERE id IN (SELECT id FROM note);

WITH tag(name) AS (SELECT 'imported')
INSERT INTO tag (account_id, label) SELECT 1, name FROM tag;

INSERT INTO setting SELECT key, value, scope FROM setting AS s WHERE s.scope = 'device' ON CONFLICT (key) DO UPDATE SET value = (SELECT max(s2.value) FROM setting AS s2 WHERE s2.key = excluded.key), scope = setting.scope || excluded.scope;

DELETE FROM folder WHERE id IN (SELECT f.id FROM folder AS f LEFT JOIN note AS n ON n.folder_id = f.id GROUP BY f.id HAVING count(n.id) = 0) AND parent_id IS NOT NULL RETURNING oid, name, "order";

SELECT json, root, fullkey FROM json_tree('{"a":[1]}') WHERE id > 0;

SELECT arg, name FROM pragma_table_info WHERE arg IN ('note', 'tag');

SELECT note_fts, rank, rowid FROM note_fts WHERE note_fts MATCH 'x' LIMIT 1;

SELECT n.title FROM note n WHERE n.id IN (SELECT note_id FROM note_tag WHERE tag_id = n.account_id UNION SELECT note_id FROM attachment WHERE size > n.word_count) ORDER BY (SELECT count(*) FROM note_tag WHERE note_id = n.id), n.title;

CREATE TEMP TABLE recent_ids(id INTEGER PRIMARY KEY, at INTEGER DEFAULT (unixepoch('subsec')), note_id INT UNIQUE, CHECK (at > 0 AND note_id > 0));

DROP TRIGGER IF EXISTS note_touch;

PRAGMA table_info("Contact");

PRAGMA user_version = 12;

SELECT title FROM note UNION SELECT name FROM folder ORDER BY name COLLATE NOCASE;

SELECT subject AS heading FROM conversation UNION ALL SELECT "displayName" FROM "Contact" ORDER BY "displayName" LIMIT 10;
