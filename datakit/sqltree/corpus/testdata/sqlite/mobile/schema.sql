CREATE TABLE account (
  id           INTEGER PRIMARY KEY,
  email        TEXT NOT NULL COLLATE NOCASE UNIQUE,
  display_name TEXT,
  locale       TEXT NOT NULL DEFAULT 'en',
  settings     TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)),
  created_at   INTEGER NOT NULL DEFAULT (strftime('%s', 'now')),
  deleted_at   INTEGER
);

CREATE TABLE device (
  id           TEXT NOT NULL PRIMARY KEY,
  account_id   INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  platform     TEXT NOT NULL CHECK (platform IN ('ios', 'android', 'web')),
  model        TEXT,
  os_version   TEXT,
  push_token   TEXT,
  last_seen_at INTEGER
) WITHOUT ROWID;

CREATE TABLE folder (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES account,
  parent_id  INTEGER REFERENCES folder (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  name       TEXT NOT NULL COLLATE NOCASE,
  "order"    INTEGER NOT NULL DEFAULT 0,
  color      TEXT DEFAULT '#cccccc' CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
  UNIQUE (account_id, parent_id, name)
);

CREATE TABLE note (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(16)))),
  account_id INTEGER NOT NULL REFERENCES account (id),
  folder_id  INTEGER REFERENCES folder (id) ON DELETE SET NULL,
  title      TEXT NOT NULL DEFAULT '',
  body       TEXT NOT NULL DEFAULT '',
  format     TEXT NOT NULL DEFAULT 'md' CHECK (format IN ('md', 'txt', 'todo')),
  pinned     INTEGER NOT NULL DEFAULT 0,
  archived   INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  meta       TEXT DEFAULT '{}' CHECK (meta IS NULL OR json_valid(meta)),
  word_count INTEGER GENERATED ALWAYS AS (length(body) - length(replace(body, ' ', '')) + 1) VIRTUAL,
  title_key  TEXT AS (lower(trim(title))) STORED,
  lang       TEXT AS (json_extract(meta, '$.lang'))
);

CREATE INDEX note_by_folder ON note (folder_id, pinned DESC, updated_at DESC) WHERE archived = 0;

CREATE INDEX note_by_key ON note (account_id, title_key COLLATE NOCASE);

CREATE TABLE tag (
  id         INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  label      TEXT NOT NULL COLLATE NOCASE,
  hue        INTEGER CHECK (hue BETWEEN 0 AND 359),
  CONSTRAINT tag_once UNIQUE (account_id, label) ON CONFLICT IGNORE
);

CREATE TABLE note_tag (
  note_id   INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  tag_id    INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
  tagged_at INTEGER NOT NULL DEFAULT (unixepoch()),
  PRIMARY KEY (note_id, tag_id)
) WITHOUT ROWID;

CREATE INDEX note_tag_back ON note_tag (tag_id, note_id);

CREATE TABLE note_revision (
  note_id   INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  rev       INTEGER NOT NULL,
  body      TEXT NOT NULL,
  device_id TEXT REFERENCES device (id),
  saved_at  INTEGER NOT NULL,
  PRIMARY KEY (note_id, rev)
);

CREATE TABLE attachment (
  id        INTEGER PRIMARY KEY,
  note_id   INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  file_name TEXT NOT NULL,
  mime      TEXT NOT NULL DEFAULT 'application/octet-stream',
  size      INTEGER NOT NULL CHECK (size >= 0),
  sha256    BLOB CHECK (length(sha256) = 32),
  thumb     BLOB,
  exif      JSON,
  added_at  INTEGER NOT NULL
);

CREATE INDEX attachment_by_hash ON attachment (hex(sha256)) WHERE sha256 IS NOT NULL;

CREATE VIRTUAL TABLE note_fts USING fts5(title, body, lang UNINDEXED, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');

CREATE TABLE habit (
  id         INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (id),
  name       TEXT NOT NULL,
  icon       TEXT,
  schedule   TEXT NOT NULL DEFAULT '{"days":[1,2,3,4,5]}',
  target     REAL NOT NULL DEFAULT 1.0,
  unit       TEXT,
  starts_on  TEXT NOT NULL,
  ends_on    TEXT,
  archived   INTEGER NOT NULL DEFAULT 0,
  CHECK (ends_on IS NULL OR ends_on >= starts_on)
) STRICT;

CREATE TABLE habit_log (
  habit_id  INTEGER NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
  day       TEXT NOT NULL CHECK (day IS date(day)),
  amount    REAL NOT NULL DEFAULT 1,
  mood      INTEGER CHECK (mood BETWEEN 1 AND 5),
  remark    TEXT,
  logged_at INTEGER,
  PRIMARY KEY (habit_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE reminder (
  id       INTEGER PRIMARY KEY,
  note_id  INTEGER REFERENCES note (id) ON DELETE CASCADE,
  habit_id INTEGER REFERENCES habit (id) ON DELETE CASCADE,
  fire_at  INTEGER NOT NULL,
  rrule    TEXT,
  snoozed  INTEGER NOT NULL DEFAULT 0,
  done_at  INTEGER,
  CONSTRAINT one_owner CHECK ((note_id IS NULL) <> (habit_id IS NULL))
);

CREATE INDEX reminder_due ON reminder (fire_at) WHERE done_at IS NULL;

CREATE TABLE "Contact" (
  "contactId"   INTEGER PRIMARY KEY,
  "displayName" TEXT NOT NULL COLLATE NOCASE,
  phone         TEXT,
  email         TEXT COLLATE NOCASE,
  "isBlocked"   BOOLEAN NOT NULL DEFAULT FALSE,
  "addedAt"     DATETIME DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE conversation (
  id         INTEGER PRIMARY KEY,
  subject    TEXT,
  is_group   INTEGER NOT NULL DEFAULT 0,
  muted_till INTEGER,
  created_at INTEGER NOT NULL
);

CREATE TABLE conversation_member (
  conversation_id INTEGER NOT NULL REFERENCES conversation (id),
  contact_id      INTEGER NOT NULL REFERENCES "Contact" ("contactId"),
  role            TEXT NOT NULL DEFAULT 'member',
  joined_at       INTEGER NOT NULL,
  last_read       INTEGER,
  PRIMARY KEY (conversation_id, contact_id)
) WITHOUT ROWID;

CREATE TABLE message (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversation (id),
  sender_id       INTEGER REFERENCES "Contact" ("contactId"),
  reply_to        INTEGER REFERENCES message (id),
  kind            TEXT NOT NULL DEFAULT 'text',
  payload         TEXT NOT NULL CHECK (json_valid(payload)),
  sent_at         INTEGER NOT NULL,
  edited_at       INTEGER,
  deleted         INTEGER NOT NULL DEFAULT 0,
  text            TEXT AS (payload ->> '$.text')
);

CREATE INDEX message_by_time ON message (conversation_id, sent_at);

CREATE TABLE reaction (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL REFERENCES "Contact" ("contactId"),
  emoji      TEXT NOT NULL,
  reacted_at INTEGER NOT NULL,
  PRIMARY KEY (message_id, contact_id, emoji)
) WITHOUT ROWID;

CREATE TABLE [sync queue] (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  entity    TEXT NOT NULL,
  entity_id INTEGER NOT NULL,
  op        TEXT NOT NULL CHECK (op IN ('put', 'del')),
  payload   TEXT,
  attempts  INTEGER NOT NULL DEFAULT 0,
  [next try] INTEGER,
  error     TEXT
);

CREATE TABLE setting (
  "key"   TEXT NOT NULL PRIMARY KEY,
  "value" ANY,
  scope   TEXT NOT NULL DEFAULT 'device'
) STRICT;

CREATE TABLE event (
  id        INTEGER PRIMARY KEY,
  ts        REAL NOT NULL DEFAULT (julianday('now')),
  name      TEXT NOT NULL,
  props     TEXT,
  session   TEXT,
  device_id TEXT REFERENCES device (id)
);

CREATE VIEW active_note AS
SELECT n.id, n.uuid, n.account_id, n.folder_id, n.title, n.body, n.pinned, n.updated_at, n.word_count, f.name AS folder_name
FROM note n LEFT JOIN folder f ON f.id = n.folder_id
WHERE n.archived = 0;

CREATE VIEW note_card AS
SELECT a.id AS note_id, a.title, substr(a.body, 1, 120) AS snippet, a.folder_name,
       (SELECT count(*) FROM attachment x WHERE x.note_id = a.id) AS files,
       (SELECT group_concat(t.label, ', ') FROM note_tag nt JOIN tag t ON t.id = nt.tag_id WHERE nt.note_id = a.id) AS tags
FROM active_note a;

CREATE VIEW inbox (conversation_id, title, last_at, unread) AS
SELECT c.id, coalesce(c.subject, '(no subject)'), max(m.sent_at),
       count(*) FILTER (WHERE m.id > coalesce(cm.last_read, 0))
FROM conversation c
JOIN message m ON m.conversation_id = c.id AND NOT m.deleted
LEFT JOIN conversation_member cm ON cm.conversation_id = c.id AND cm.contact_id = 1
GROUP BY c.id;

CREATE VIEW habit_streak AS
WITH numbered AS (
  SELECT habit_id, day, julianday(day) - row_number() OVER (PARTITION BY habit_id ORDER BY day) AS island
  FROM habit_log
)
SELECT habit_id, min(day) AS first_day, max(day) AS last_day, count(*) AS days
FROM numbered
GROUP BY habit_id, island;

CREATE VIEW best_streak AS
SELECT h.id AS habit_id, h.name, max(s.days) AS best
FROM habit h JOIN habit_streak s ON s.habit_id = h.id
GROUP BY h.id, h.name;
