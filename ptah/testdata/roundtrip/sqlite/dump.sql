PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE note(id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, body, created TEXT DEFAULT CURRENT_TIMESTAMP);
INSERT INTO note VALUES(1,'it''s; a note',X'00ff','2026-01-01 00:00:00');
CREATE TABLE IF NOT EXISTS "label" (
	"name"	TEXT NOT NULL COLLATE NOCASE,
	"color"	TEXT DEFAULT '#ffffff',
	PRIMARY KEY("name")
);
INSERT INTO label VALUES('new','#ff0000');
CREATE TABLE note_label (
    note_id integer NOT NULL,
    label varchar(64) NOT NULL,
    CONSTRAINT fk_note FOREIGN KEY(note_id) REFERENCES note(id) ON DELETE CASCADE,
    CONSTRAINT fk_label FOREIGN KEY(label) REFERENCES "label"(name) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT uq UNIQUE (note_id, label)
);
CREATE TABLE "django_like" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "flag" bool NOT NULL, "amount" decimal NOT NULL CHECK ("amount" >= 0), "data" text NOT NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)), "note_id" integer NULL REFERENCES "note" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE history(at DATETIME, what VARCHAR(20), PRIMARY KEY(at, what)) WITHOUT ROWID;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('note',1);
CREATE UNIQUE INDEX "note_title" ON "note" ("title" COLLATE NOCASE);
CREATE INDEX idx_created ON note(created DESC) WHERE body IS NOT NULL;
CREATE VIEW recent AS SELECT id, title FROM note ORDER BY created DESC LIMIT 10;
CREATE TRIGGER note_log AFTER UPDATE ON note BEGIN INSERT INTO history VALUES(datetime('now'), NEW.title); END;
COMMIT;
