CREATE TABLE IF NOT EXISTS note_link (
  source_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE ON UPDATE CASCADE,
  target_id INTEGER NOT NULL REFERENCES note (id),
  label     TEXT COLLATE NOCASE,
  PRIMARY KEY (source_id, target_id),
  CHECK (source_id <> target_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE note_backup AS SELECT * FROM note WHERE archived = 1;

CREATE TEMP TABLE IF NOT EXISTS selection AS
SELECT id AS note_id, title, row_number() OVER (ORDER BY title) AS pos FROM note WHERE folder_id = 3;

CREATE TABLE tag_use AS
WITH u AS (SELECT tag_id, count(*) AS n FROM note_tag GROUP BY tag_id)
SELECT tag.id, tag.label, coalesce(u.n, 0) AS n FROM tag LEFT JOIN u ON u.tag_id = tag.id;

CREATE INDEX IF NOT EXISTS message_by_sender ON message (sender_id, sent_at DESC);

CREATE UNIQUE INDEX one_default_folder ON folder (account_id) WHERE parent_id IS NULL AND "order" = 0;

CREATE INDEX note_theme ON note (json_extract(meta, '$.theme'), updated_at) WHERE json_valid(meta);

CREATE INDEX contact_mail ON "Contact" (lower("email")) WHERE "isBlocked" = 0;

create index habit_active on habit(account_id, name collate nocase asc) where not archived;

CREATE UNIQUE INDEX main.log_once ON habit_log (habit_id, day, ifnull(mood, 0));

ALTER TABLE note ADD COLUMN icon TEXT;

ALTER TABLE note ADD shared_at INTEGER DEFAULT NULL CHECK (shared_at IS NULL OR shared_at > created_at);

ALTER TABLE habit RENAME COLUMN unit TO measure;

ALTER TABLE reminder RENAME TO alarm;

ALTER TABLE event DROP COLUMN session;

ALTER TABLE message ADD COLUMN size INTEGER GENERATED ALWAYS AS (length(payload)) VIRTUAL;

DROP VIEW IF EXISTS note_card;

DROP INDEX note_by_key;

DROP TABLE IF EXISTS main.event;

CREATE VIEW IF NOT EXISTS todo_list (id, title, open, closed) AS
SELECT n.id, n.title,
       (length(n.body) - length(replace(n.body, '[ ]', ''))) / 3,
       (length(n.body) - length(replace(n.body, '[x]', ''))) / 3
FROM note n
WHERE n.format = 'todo' AND n.archived = 0;

CREATE TEMP VIEW my_notes AS SELECT n.* FROM main.note AS n WHERE n.account_id = 1;

CREATE VIEW blocked AS SELECT contactId AS id, displayName AS name FROM Contact WHERE isBlocked;

CREATE TRIGGER note_touch AFTER UPDATE OF title, body ON note FOR EACH ROW
WHEN old.body IS NOT new.body OR old.title IS NOT new.title
BEGIN
  UPDATE note SET updated_at = unixepoch() WHERE id = new.id;
  INSERT INTO note_revision (note_id, rev, body, saved_at)
  SELECT old.id, 1 + coalesce(max(rev), 0), old.body, old.updated_at FROM note_revision WHERE note_id = old.id;
END;

CREATE TRIGGER note_fts_ins AFTER INSERT ON note BEGIN
  INSERT INTO note_fts (rowid, title, body, lang) VALUES (new.id, new.title, new.body, new.lang);
END;

CREATE TRIGGER IF NOT EXISTS active_note_edit INSTEAD OF UPDATE OF title ON active_note
BEGIN
  UPDATE note SET title = NEW.title WHERE id = OLD.id;
END;

CREATE TRIGGER folder_depth BEFORE INSERT ON folder WHEN new.parent_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'too deep') FROM folder p JOIN folder g ON g.id = p.parent_id WHERE p.id = new.parent_id AND g.parent_id IS NOT NULL;
END;

CREATE TEMPORARY TRIGGER log_delete AFTER DELETE ON main.note BEGIN DELETE FROM note_fts WHERE rowid = old.id; DELETE FROM note_tag WHERE note_id = old.id; END;

PRAGMA foreign_keys = OFF;

PRAGMA user_version;

PRAGMA main.table_xinfo('note');

PRAGMA journal_mode = WAL;

PRAGMA integrity_check(10);

PRAGMA foreign_key_list(note_tag);

ANALYZE main.note;

REINDEX note_by_folder;

VACUUM;

VACUUM main INTO 'backup.db';

ATTACH DATABASE 'archive.db' AS archive;

SELECT m.name AS tbl, p.cid, p.name AS col, p.type, p."notnull", p.dflt_value, p.pk
FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
ORDER BY m.name, p.cid;

SELECT count(*) FROM pragma_table_info('note') WHERE name = 'icon';

SELECT name, hidden FROM pragma_table_xinfo('note') WHERE hidden <> 0;

SELECT il.name, ii.seqno, ii.name AS col
FROM pragma_index_list('note') il, pragma_index_info(il.name) ii
ORDER BY il.seq, ii.seqno;

SELECT m.tbl_name, fk."from", fk."table" AS parent, fk."to", fk.on_delete
FROM sqlite_schema m, pragma_foreign_key_list(m.name) fk
WHERE m.type = 'table' AND fk.on_delete <> 'CASCADE';

SELECT user_version FROM pragma_user_version;

SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ?;

SELECT tl.schema, tl.name, tl.ncol, tl.wr, tl.strict FROM pragma_table_list AS tl WHERE tl.type IN ('table', 'virtual') AND tl.name NOT GLOB 'note_fts_*';

SELECT name
FROM sqlite_temp_master
UNION ALL SELECT name
FROM sqlite_master
WHERE rootpage > 0
ORDER BY name;

INSERT INTO note (id, account_id, title, body, created_at, updated_at)
SELECT 1000000 + row_number() OVER (ORDER BY c.contactId), 1, c.displayName, coalesce(c.email, c.phone, ''), unixepoch(c.addedAt), unixepoch()
FROM Contact AS c
WHERE c.displayName NOT IN (SELECT title FROM note);

UPDATE account
SET settings = json_set(settings, '$.version', 3)
WHERE settings ->> '$.version' IS NULL OR settings ->> '$.version' < 3;

UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM folder) WHERE name = 'folder';

EXPLAIN QUERY PLAN SELECT * FROM note WHERE folder_id = 1 AND archived = 0;

SELECT file, name FROM pragma_database_list ORDER BY seq;
