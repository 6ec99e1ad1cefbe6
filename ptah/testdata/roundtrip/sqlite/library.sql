-- A library, with what a schema of SQLite can have.
PRAGMA foreign_keys = ON;
BEGIN;

CREATE TABLE branch (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  opened DATE DEFAULT CURRENT_DATE
);

CREATE TABLE author (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name VARCHAR(200) NOT NULL COLLATE NOCASE,
  born INT CHECK (born > 0),
  died INT,
  CONSTRAINT alive CHECK (died IS NULL OR died >= born)
);

CREATE TABLE genre (code TEXT PRIMARY KEY, title TEXT NOT NULL, parent TEXT REFERENCES genre (code) ON DELETE SET NULL) WITHOUT ROWID;

CREATE TABLE book (
  id INTEGER PRIMARY KEY,
  isbn CHAR(13) UNIQUE ON CONFLICT IGNORE,
  title TEXT NOT NULL CHECK (length(title) > 0),
  subtitle TEXT DEFAULT '',
  pages UNSIGNED BIG INT DEFAULT 0,
  price DECIMAL(10, 2) DEFAULT 9.99,
  rating REAL DEFAULT -1.5,
  cover BLOB DEFAULT x'00ff',
  language TEXT DEFAULT 'it''s "de"' COLLATE RTRIM,
  genre TEXT DEFAULT NULL REFERENCES genre ON UPDATE CASCADE,
  added TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d', 'now')),
  full_title TEXT GENERATED ALWAYS AS (title || ': ' || subtitle) VIRTUAL,
  gross AS (price * 1.07) STORED,
  untyped,
  CHECK (price >= 0 AND price < 1000)
);

CREATE TABLE book_author (
  book_id INTEGER NOT NULL,
  author_id INTEGER NOT NULL,
  role TEXT DEFAULT 'writer',
  PRIMARY KEY (book_id, author_id DESC),
  FOREIGN KEY (book_id) REFERENCES book (id) ON DELETE CASCADE,
  CONSTRAINT of_author FOREIGN KEY (author_id) REFERENCES author (id) ON DELETE RESTRICT ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED
) WITHOUT ROWID;

CREATE TABLE copy (
  id INTEGER PRIMARY KEY,
  book_id INT NOT NULL REFERENCES book (id),
  branch_id INT NOT NULL CONSTRAINT where_it_is REFERENCES branch (id) ON DELETE NO ACTION,
  bought DATE, state TEXT CHECK (state IN ('new', 'used', 'lost')) DEFAULT 'new'
);

CREATE TABLE member (
  id INTEGER PRIMARY KEY ASC,
  email TEXT CONSTRAINT one_mail UNIQUE COLLATE NOCASE,
  name TEXT NOT NULL,
  active BOOLEAN NOT NULL DEFAULT TRUE,
  joined DATETIME DEFAULT CURRENT_TIMESTAMP,
  invited_by INT REFERENCES member (id) ON DELETE SET DEFAULT DEFERRABLE
);

CREATE TABLE loan (
  copy_id INT NOT NULL, member_id INT NOT NULL,
  since TEXT NOT NULL DEFAULT (datetime('now')), until TEXT,
  fine NUMERIC DEFAULT 0,
  UNIQUE (copy_id, since) ON CONFLICT REPLACE,
  FOREIGN KEY (copy_id) REFERENCES copy,
  FOREIGN KEY (member_id) REFERENCES member (id) MATCH FULL
);

CREATE TABLE strict_one (
  a INTEGER PRIMARY KEY, b INT, c REAL, d TEXT, e BLOB, f ANY
) STRICT;
CREATE TABLE strict_two (k TEXT PRIMARY KEY, v ANY NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE "odd ""name""" ("a b" INT, [c d] TEXT, `e``f` REAL, "select" INT, key INT, "Ünï" TEXT DEFAULT 'ÄÖ');
CREATE TABLE 'quoted' ('x' INT, "y" "two words" DEFAULT 1);

-- A cycle of two tables.
CREATE TABLE team (id INTEGER PRIMARY KEY, lead INT REFERENCES employee (id));
CREATE TABLE employee (id INTEGER PRIMARY KEY, team INT NOT NULL REFERENCES team (id), boss INT REFERENCES employee);

CREATE TABLE room (branch_id INT, nr INT, seats INT DEFAULT 4, PRIMARY KEY (branch_id, nr), FOREIGN KEY (branch_id) REFERENCES branch (id));
CREATE TABLE booking (
  branch_id INT, nr INT, day TEXT, member_id INT,
  CONSTRAINT once UNIQUE (branch_id, nr, day COLLATE NOCASE DESC),
  FOREIGN KEY (branch_id, nr) REFERENCES room (branch_id, nr) ON DELETE CASCADE ON UPDATE RESTRICT
);
CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL, color TEXT DEFAULT '#fff');
CREATE TABLE book_tag (book_id INT, tag TEXT, PRIMARY KEY (book_id, tag), FOREIGN KEY (tag) REFERENCES tag (name));
CREATE TABLE audit (at TEXT DEFAULT CURRENT_TIMESTAMP, what TEXT, who TEXT);
CREATE TABLE counter (name TEXT PRIMARY KEY DESC, n INT DEFAULT 0);
CREATE TABLE empty_defaults (a TEXT DEFAULT (NULL), b DEFAULT (1 + 2 * 3), c DEFAULT word, d DEFAULT "text", e DEFAULT +1, f DEFAULT 1e3, g DEFAULT FALSE);
CREATE TABLE note (id INTEGER PRIMARY KEY DESC, body TEXT NOT NULL ON CONFLICT ABORT);

-- What is declared in steps.
CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT, obsolete INT);
ALTER TABLE shelf ADD COLUMN branch_id INT REFERENCES branch (id) ON DELETE CASCADE;
ALTER TABLE shelf ADD COLUMN width REAL NOT NULL DEFAULT 1.0 CHECK (width > 0);
ALTER TABLE shelf DROP COLUMN obsolete;
ALTER TABLE shelf RENAME COLUMN label TO name;
ALTER TABLE shelf RENAME TO rack;
CREATE TABLE gone (x);
DROP TABLE gone;

CREATE INDEX book_title ON book (title);
CREATE UNIQUE INDEX book_isbn ON book (isbn COLLATE NOCASE, language DESC) WHERE isbn IS NOT NULL;
CREATE INDEX book_words ON book (lower(title), price * 2 DESC, (pages + 1));
CREATE INDEX IF NOT EXISTS loan_open ON loan (member_id) WHERE until IS NULL AND fine > 0;
CREATE INDEX copy_state ON copy (state, book_id DESC);
CREATE INDEX odd ON "odd ""name""" ("a b", "select");

CREATE VIEW available AS
SELECT b.id, b.title, count(c.id) AS copies
FROM book b JOIN copy c ON c.book_id = b.id
WHERE NOT EXISTS (SELECT 1 FROM loan l WHERE l.copy_id = c.id AND l.until IS NULL)
GROUP BY b.id, b.title;
CREATE VIEW late (member, days) AS
SELECT m.name, CAST(julianday('now') - julianday(l.until) AS INTEGER) FROM loan l JOIN member m ON m.id = l.member_id WHERE l.until < date('now');
CREATE VIEW tree AS
WITH RECURSIVE t (code, depth) AS (
  SELECT code, 0 FROM genre WHERE parent IS NULL UNION ALL SELECT g.code, t.depth + 1 FROM genre g JOIN t ON g.parent = t.code
)
SELECT code, depth FROM t;
CREATE VIEW late_names AS SELECT DISTINCT member FROM late;

CREATE TRIGGER loan_audit AFTER INSERT ON loan
BEGIN
  INSERT INTO audit (what, who) VALUES ('loan; new', NEW.member_id);
  UPDATE counter SET n = n + 1 WHERE name = 'loans';
END;
CREATE TRIGGER loan_end UPDATE OF until, fine ON loan FOR EACH ROW WHEN NEW.until IS NOT NULL AND OLD.until IS NULL
BEGIN
  SELECT CASE WHEN NEW.until < NEW.since THEN RAISE(ABORT, 'it''s too early') END;
END;
CREATE TRIGGER member_gone BEFORE DELETE ON member BEGIN DELETE FROM loan WHERE member_id = OLD.id; END;
CREATE TRIGGER available_insert INSTEAD OF INSERT ON available
BEGIN
  INSERT INTO book (title) VALUES (NEW.title);
END;

CREATE VIRTUAL TABLE book_text USING fts5(title, body, content = '', tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE place USING rtree(id, min_x, max_x, min_y, max_y);

COMMIT;
