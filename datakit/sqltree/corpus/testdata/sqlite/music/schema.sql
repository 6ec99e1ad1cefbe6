CREATE TABLE country (
  iso  CHAR(2) PRIMARY KEY,
  name VARCHAR(80) NOT NULL,
  vat  NUMERIC(4, 2) DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE performer (
  performer_id INTEGER PRIMARY KEY,
  name         TEXT NOT NULL,
  sort_name    TEXT COLLATE NOCASE,
  country      CHAR(2) REFERENCES country (iso),
  kind         TEXT NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'group', 'orchestra')),
  formed       INTEGER,
  disbanded    INTEGER,
  links        TEXT
);

CREATE TABLE membership (
  band_id   INTEGER NOT NULL REFERENCES performer (performer_id),
  member_id INTEGER NOT NULL REFERENCES performer (performer_id),
  since     INTEGER,
  until     INTEGER,
  role      TEXT,
  PRIMARY KEY (band_id, member_id, since)
);

CREATE TABLE record_label (
  label_id  INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,
  parent_id INTEGER REFERENCES record_label (label_id),
  country   CHAR(2) REFERENCES country (iso)
);

CREATE TABLE disc (
  disc_id     INTEGER PRIMARY KEY,
  title       TEXT NOT NULL,
  performer_id INTEGER NOT NULL REFERENCES performer (performer_id),
  label_id    INTEGER REFERENCES record_label (label_id),
  released    DATE,
  format      TEXT CHECK (format IN ('LP', 'EP', 'Single', 'Live', 'Box')),
  barcode     TEXT,
  year        INTEGER GENERATED ALWAYS AS (CAST(substr(released, 1, 4) AS INTEGER)) STORED,
  UNIQUE (performer_id, title, released)
);

CREATE TABLE style (
  style_id  INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE COLLATE NOCASE,
  parent_id INTEGER REFERENCES style (style_id)
);

CREATE TABLE song (
  song_id   INTEGER PRIMARY KEY,
  disc_id   INTEGER NOT NULL REFERENCES disc (disc_id) ON DELETE CASCADE,
  side      INTEGER NOT NULL DEFAULT 1,
  position  INTEGER NOT NULL,
  title     TEXT NOT NULL,
  length_ms INTEGER CHECK (length_ms > 0),
  bpm       REAL,
  isrc      TEXT UNIQUE,
  explicit  BOOLEAN NOT NULL DEFAULT 0,
  price     NUMERIC(6, 2) NOT NULL DEFAULT 0.99,
  features  TEXT DEFAULT (json_object()),
  UNIQUE (disc_id, side, position)
);

CREATE INDEX song_by_title ON song (title COLLATE NOCASE);

CREATE INDEX song_energy ON song (json_extract(features, '$.energy'));

CREATE TABLE song_style (
  song_id  INTEGER NOT NULL REFERENCES song (song_id) ON DELETE CASCADE,
  style_id INTEGER NOT NULL REFERENCES style (style_id),
  weight   REAL NOT NULL DEFAULT 1.0,
  PRIMARY KEY (song_id, style_id)
) WITHOUT ROWID;

CREATE TABLE credit (
  song_id      INTEGER NOT NULL REFERENCES song (song_id),
  performer_id INTEGER NOT NULL REFERENCES performer (performer_id),
  role         TEXT NOT NULL,
  share        REAL,
  PRIMARY KEY (song_id, performer_id, role)
);

CREATE TABLE media_file (
  file_id  INTEGER PRIMARY KEY,
  song_id  INTEGER REFERENCES song (song_id) ON DELETE SET NULL,
  path     TEXT NOT NULL UNIQUE,
  codec    TEXT NOT NULL,
  bitrate  INTEGER,
  bytes    INTEGER NOT NULL,
  mtime    REAL,
  md5      BLOB,
  ok       INTEGER DEFAULT TRUE
);

CREATE VIRTUAL TABLE lyric USING fts5(title, words, song_id UNINDEXED, tokenize = 'porter unicode61');

CREATE TABLE Listener (
  ListenerId INTEGER PRIMARY KEY,
  Nick       TEXT NOT NULL COLLATE NOCASE UNIQUE,
  FullName   TEXT,
  Country    CHAR(2) REFERENCES country (iso),
  Born       TEXT,
  JoinedOn   TEXT NOT NULL DEFAULT (date('now')),
  ReferredBy INTEGER REFERENCES Listener (ListenerId)
);

CREATE TABLE play (
  play_id     INTEGER PRIMARY KEY,
  listener_id INTEGER NOT NULL REFERENCES Listener (ListenerId),
  song_id     INTEGER NOT NULL REFERENCES song (song_id),
  started_at  TEXT NOT NULL,
  ms_played   INTEGER NOT NULL DEFAULT 0,
  source      TEXT,
  client      TEXT,
  skipped     INTEGER AS (ms_played < 30000)
);

CREATE INDEX play_by_listener ON play (listener_id, started_at);

CREATE INDEX play_by_day ON play (substr(started_at, 1, 10));

CREATE TABLE rating (
  listener_id INTEGER NOT NULL REFERENCES Listener (ListenerId),
  song_id     INTEGER NOT NULL REFERENCES song (song_id),
  stars       INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
  rated_at    TEXT DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (listener_id, song_id) ON CONFLICT REPLACE
) WITHOUT ROWID;

CREATE TABLE playlist (
  playlist_id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id    INTEGER NOT NULL REFERENCES Listener (ListenerId),
  name        TEXT NOT NULL,
  public      INTEGER NOT NULL DEFAULT 0,
  smart_rule  TEXT,
  created     TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE playlist_song (
  playlist_id INTEGER NOT NULL REFERENCES playlist (playlist_id) ON DELETE CASCADE,
  position    INTEGER NOT NULL,
  song_id     INTEGER NOT NULL REFERENCES song (song_id),
  added_by    INTEGER,
  PRIMARY KEY (playlist_id, position)
);

CREATE TABLE follow (
  follower_id  INTEGER NOT NULL REFERENCES Listener (ListenerId),
  performer_id INTEGER NOT NULL REFERENCES performer (performer_id),
  since        TEXT NOT NULL,
  PRIMARY KEY (follower_id, performer_id)
) WITHOUT ROWID;

CREATE TABLE purchase (
  purchase_id INTEGER PRIMARY KEY,
  listener_id INTEGER NOT NULL REFERENCES Listener (ListenerId),
  bought_at   TEXT NOT NULL,
  country     CHAR(2),
  currency    TEXT NOT NULL DEFAULT 'EUR',
  paid        INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE purchase_line (
  purchase_id INTEGER NOT NULL REFERENCES purchase (purchase_id) ON DELETE CASCADE,
  line_no     INTEGER NOT NULL,
  song_id     INTEGER NOT NULL REFERENCES song (song_id),
  price       NUMERIC(6, 2) NOT NULL,
  quantity    INTEGER NOT NULL DEFAULT 1,
  amount      NUMERIC AS (price * quantity) VIRTUAL,
  PRIMARY KEY (purchase_id, line_no)
) WITHOUT ROWID;

CREATE TABLE concert (
  concert_id   INTEGER PRIMARY KEY,
  performer_id INTEGER NOT NULL REFERENCES performer (performer_id),
  venue        TEXT NOT NULL,
  city         TEXT,
  held_on      DATE NOT NULL,
  setlist      TEXT CHECK (setlist IS NULL OR json_type(setlist) = 'array')
);

CREATE TABLE "Chart Entry" (
  "Chart"     TEXT NOT NULL,
  "Week"      TEXT NOT NULL,
  "Rank"      INTEGER NOT NULL,
  song_id     INTEGER REFERENCES song (song_id),
  "Last Rank" INTEGER,
  PRIMARY KEY ("Chart", "Week", "Rank")
);

CREATE VIEW song_full AS
SELECT s.song_id, s.title AS song, d.title AS disc, d.disc_id, p.performer_id, p.name AS performer, d.year, s.length_ms, s.price
FROM song s
JOIN disc d USING (disc_id)
JOIN performer p ON p.performer_id = d.performer_id;

CREATE VIEW listener_day (listener_id, day, plays, minutes) AS
SELECT listener_id, date(started_at), count(*), round(sum(ms_played) / 60000.0, 1)
FROM play
GROUP BY 1, 2;

CREATE VIEW top_song AS
SELECT f.song_id, f.song, f.performer, count(p.play_id) AS plays
FROM song_full f LEFT JOIN play p ON p.song_id = f.song_id AND NOT p.skipped
GROUP BY f.song_id;

CREATE VIEW style_path AS
WITH RECURSIVE up (style_id, name, path, depth) AS (
  SELECT style_id, name, name, 0 FROM style WHERE parent_id IS NULL
  UNION ALL
  SELECT c.style_id, c.name, up.path || ' / ' || c.name, up.depth + 1
  FROM style c JOIN up ON c.parent_id = up.style_id
)
SELECT style_id, name, path, depth FROM up;

CREATE VIEW "Revenue By Month" AS
SELECT strftime('%Y-%m', pu.bought_at) AS "Month", pu.currency, sum(pl.amount) AS "Total", count(DISTINCT pu.listener_id) AS buyers
FROM purchase pu JOIN purchase_line pl USING (purchase_id)
WHERE pu.paid
GROUP BY "Month", pu.currency;
