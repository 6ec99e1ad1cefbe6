CREATE TABLE scrobble (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  play_id INTEGER UNIQUE REFERENCES play (play_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  sent_at TEXT DEFAULT (datetime('now')),
  reply   ANY
) STRICT;

CREATE TABLE year_review AS
SELECT p.listener_id, strftime('%Y', p.started_at) AS year, count(*) AS plays, count(DISTINCT s.disc_id) AS discs
FROM play p JOIN song s ON s.song_id = p.song_id
GROUP BY 1, 2;

CREATE TEMPORARY TABLE queue AS SELECT song_id, random() AS dice
FROM song
WHERE disc_id IN (SELECT disc_id FROM disc WHERE year BETWEEN 1980 AND 1989)
ORDER BY dice;

CREATE TABLE IF NOT EXISTS main.empty_plays AS SELECT * FROM play WHERE 0;

CREATE INDEX song_long ON song (length_ms DESC) WHERE length_ms > 600000;

CREATE UNIQUE INDEX IF NOT EXISTS disc_code ON disc (barcode) WHERE barcode IS NOT NULL AND barcode <> '';

CREATE INDEX performer_key ON performer (coalesce(sort_name, name) COLLATE NOCASE);

CREATE INDEX listener_age ON Listener (substr(Born, 1, 4), Country);

CREATE INDEX [chart by song] ON [Chart Entry] (song_id, "Week" DESC);

create index line_value on purchase_line(price*quantity) where quantity>1;

CREATE VIEW IF NOT EXISTS unheard AS SELECT s.* FROM song s LEFT JOIN play p ON p.song_id = s.song_id WHERE p.play_id IS NULL;

CREATE VIEW band_members (band, member, years) AS
SELECT b.name, m.name, ifnull(x.until, strftime('%Y', 'now')) - x.since
FROM membership x JOIN performer b ON b.performer_id = x.band_id JOIN performer m ON m.performer_id = x.member_id;

CREATE TEMP VIEW mine AS SELECT * FROM playlist WHERE owner_id = 1;

DROP VIEW top_song;

DROP TABLE IF EXISTS [Chart Entry];

DROP INDEX IF EXISTS main.song_energy;

ALTER TABLE song ADD COLUMN loudness REAL CHECK (loudness < 0);

ALTER TABLE disc ADD COLUMN decade INTEGER AS (year / 10 * 10);

ALTER TABLE Listener RENAME COLUMN Nick TO Handle;

ALTER TABLE style RENAME TO genre;

ALTER TABLE media_file DROP COLUMN ok;

CREATE TRIGGER play_counter AFTER INSERT ON play
WHEN NEW.ms_played > 30000
BEGIN
  UPDATE song SET features = json_set(features, '$.plays', coalesce(features ->> '$.plays', 0) + 1) WHERE song_id = NEW.song_id;
END;

CREATE TRIGGER no_future BEFORE UPDATE OF released ON disc FOR EACH ROW WHEN new.released > date('now', '+1 year')
BEGIN
  SELECT RAISE(FAIL, 'released too late');
END;

CREATE TRIGGER full_insert INSTEAD OF INSERT ON song_full BEGIN
  INSERT OR IGNORE INTO performer (name) VALUES (NEW.performer);
  INSERT INTO disc (title, performer_id) SELECT NEW.disc, performer_id FROM performer WHERE name = NEW.performer;
END;

ANALYZE;

ANALYZE song_by_title;

REINDEX NOCASE;

PRAGMA optimize;

PRAGMA cache_size = -20000;

PRAGMA index_list('song');

PRAGMA main.foreign_key_check(credit);

ATTACH ? AS backup KEY '';

DETACH DATABASE backup;

BEGIN EXCLUSIVE TRANSACTION;

END;

SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'song' AND sql IS NOT NULL;

SELECT t.name AS tbl, i.name AS idx, i."unique", i.partial, group_concat(c.name) AS cols
FROM sqlite_schema t
JOIN pragma_index_list(t.name) i
JOIN pragma_index_info(i.name) c
WHERE t.type = 'table'
GROUP BY t.name, i.name;

SELECT type, count(*) FROM main.sqlite_master GROUP BY type;

SELECT name, type FROM pragma_table_info('song') WHERE name NOT IN (SELECT name FROM pragma_table_info('song_full')) ORDER BY cid;

SELECT 'DROP TABLE ' || quote(name) || ';'
FROM sqlite_master
WHERE type = 'table' AND name LIKE 'tmp\_%' ESCAPE '\';

SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) / 1048576.0 AS mb, (SELECT freelist_count FROM pragma_freelist_count()) AS free_pages;

SELECT f.name, f.narg
FROM pragma_function_list f
WHERE f.name GLOB 'json*' AND f.builtin
GROUP BY f.name, f.narg;

SELECT count(*) AS broken
FROM pragma_foreign_key_check AS v
WHERE v."table" = 'song' AND v.parent = 'disc';

SELECT s.song_id
FROM song s
LEFT JOIN disc d ON d.disc_id = s.disc_id
WHERE d.disc_id IS NULL
UNION ALL SELECT song_id
FROM credit
WHERE performer_id NOT IN (SELECT performer_id FROM performer);

EXPLAIN QUERY PLAN SELECT song.title FROM song, disc WHERE song.disc_id = disc.disc_id AND disc.title = ?;
