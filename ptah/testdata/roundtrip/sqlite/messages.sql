-- A store of messages: computed columns and indexes of expressions.
CREATE TABLE messages(
      rowid INTEGER PRIMARY KEY ASC,
      id STRING UNIQUE,
      json TEXT,
      readStatus INTEGER,
      expires_at INTEGER,
      sent_at INTEGER,
      conversationId STRING,
      type STRING,
      body TEXT,
      hasAttachments INTEGER,
      isErased INTEGER DEFAULT (0),
      isViewOnce INTEGER default 0
    , isStory INTEGER GENERATED ALWAYS AS (type IS 'story'), isChangeCreatedByUs INTEGER NOT NULL DEFAULT 0,
    shouldAffectActivity INTEGER GENERATED ALWAYS AS (type IS NULL OR type NOT IN ('change-number-notification', 'keychange', 'it''s')),
    expiresAt INT GENERATED ALWAYS AS (ifnull(expires_at, 9007199254740991)) VIRTUAL,
    mentionsMe INTEGER NOT NULL DEFAULT 0);
CREATE INDEX messages_unread ON messages (conversationId, readStatus, json_extract(json, '$.x')) WHERE readStatus IS NOT NULL;
CREATE INDEX messages_view ON messages (conversationId, isStory, (type IS 'x'), sent_at DESC) WHERE json_extract(json, '$.preview') IS NOT NULL AND isErased <> 1;
CREATE INDEX ix_expr ON messages (lower(body) COLLATE NOCASE DESC, length(body) + 1);
CREATE TRIGGER messages_on_insert AFTER INSERT ON messages WHEN new.isViewOnce IS NOT 1 AND new.type IS NOT 'story'
    BEGIN
      INSERT INTO messages_fts (rowid, body) VALUES (new.rowid, new.body);
    END;
CREATE TRIGGER messages_on_update AFTER UPDATE OF body, "type" ON messages WHEN (new.body IS NULL OR old.body IS NOT new.body)
BEGIN
  DELETE FROM messages_fts WHERE rowid = old.rowid;
  INSERT OR REPLACE INTO messages_fts (rowid, body) SELECT new.rowid, CASE WHEN new.body = '' THEN NULL ELSE new.body END;
  SELECT RAISE(ABORT, 'no; END;') WHERE new.body = 'END';
END;
CREATE TABLE sessions(id TEXT PRIMARY KEY, ourServiceId TEXT, json TEXT CHECK (json_valid(json))) STRICT;
DROP TABLE sessions;
CREATE TABLE sessions(id TEXT PRIMARY KEY NOT NULL, n INT, r REAL, b BLOB, a ANY, i INTEGER CHECK (i BETWEEN 1 AND 5)) STRICT, WITHOUT ROWID;
CREATE TABLE jobs(id TEXT PRIMARY KEY, queueType TEXT STRING NOT NULL, "timestamp" INTEGER NOT NULL, data STRING TEXT);
CREATE TABLE sticker_packs(id TEXT PRIMARY KEY, key TEXT NOT NULL, author STRING, coverStickerId INTEGER, status STRING, stickerCount INTEGER, title STRING, "position" INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE stickers(id INTEGER NOT NULL, packId TEXT NOT NULL, emoji STRING, height INTEGER, path STRING, PRIMARY KEY (id, packId), CONSTRAINT stickers_fk FOREIGN KEY (packId) REFERENCES sticker_packs(id) ON DELETE CASCADE);
CREATE VIEW unread AS SELECT m.rowid AS r, m.* FROM messages AS m WHERE m.readStatus = 0 ORDER BY m.sent_at DESC LIMIT 10;
CREATE VIEW stats(kind, n) AS SELECT type, count(*) FILTER (WHERE isErased = 0) FROM messages GROUP BY 1 UNION ALL SELECT 'all', count(*) FROM messages;
CREATE TRIGGER unread_ins INSTEAD OF INSERT ON unread BEGIN INSERT INTO messages(id, body) VALUES (new.id, new.body); END;
CREATE TRIGGER unread_upd INSTEAD OF UPDATE OF body ON unread FOR EACH ROW BEGIN UPDATE messages SET body = new.body WHERE rowid = old.r; END;
CREATE TRIGGER no_timing DELETE ON jobs BEGIN SELECT 1; END;
