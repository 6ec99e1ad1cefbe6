CREATE TABLE device_sync (
  sync_id     INTEGER PRIMARY KEY,
  listener_id INTEGER NOT NULL REFERENCES Listener (ListenerId),
  client      TEXT NOT NULL COLLATE NOCASE,
  started_at  TEXT DEFAULT CURRENT_TIMESTAMP,
  bytes       INTEGER CHECK (bytes >= 0),
  rate        REAL AS (bytes / max(1, ms_played)) VIRTUAL,
  ms_played   INTEGER,
  UNIQUE (listener_id, client),
  CHECK (client <> '' OR bytes = 0)
);

CREATE TABLE song_note (song_id INTEGER REFERENCES song ON DELETE CASCADE, listener_id INTEGER, words TEXT, PRIMARY KEY (song_id, listener_id), FOREIGN KEY (song_id, listener_id) REFERENCES rating (song_id, listener_id)) WITHOUT ROWID;

CREATE TABLE rating_backup AS SELECT r.rowno, r.listener_id, r.stars FROM (SELECT *, row_number() OVER () AS rowno FROM rating) r;

INSERT INTO song_style
SELECT song_id, (SELECT style_id FROM style WHERE name = 'Unknown'), 0.1
FROM song s
WHERE NOT EXISTS (SELECT 1 FROM song_style x WHERE x.song_id = s.song_id)
ON CONFLICT (song_id, style_id) DO UPDATE SET weight = max(weight, excluded.weight), style_id = song_style.style_id;

UPDATE disc SET label_id = l.parent_id
FROM record_label l
WHERE l.label_id = disc.label_id AND l.parent_id IS NOT NULL
RETURNING disc_id, title, label_id;

UPDATE song SET price = d.p
FROM (SELECT disc_id, min(price) AS p FROM song GROUP BY disc_id) d
WHERE d.disc_id = song.disc_id AND song.price > d.p
RETURNING song_id, disc_id, price;

UPDATE play AS p SET source = q.name FROM playlist q JOIN playlist_song qs USING (playlist_id) WHERE qs.song_id = p.song_id AND q.owner_id = p.listener_id AND p.source IS NULL RETURNING play_id, song_id, play.client;

SELECT main.d.title, main.s.title FROM disc AS d, song AS s WHERE main.d.disc_id = main.s.disc_id;

SELECT name FROM performer UNION SELECT title FROM disc UNION SELECT venue FROM concert ORDER BY venue;

SELECT s.title, d.year FROM song AS s, disc AS d ON d.disc_id = s.disc_id, performer AS p USING (performer_id) WHERE p.name = ?;

SELECT [min(year)], [max(year)], format FROM (SELECT format, min(year), max(year) FROM disc GROUP BY format) ORDER BY [min(year)];

WITH performer AS (SELECT p.performer_id, p.name FROM main.performer AS p WHERE p.country = 'IS'), disc AS (SELECT d.title, d.performer_id FROM main.disc AS d JOIN performer USING (performer_id))
SELECT performer.name, disc.title FROM disc JOIN performer ON performer.performer_id = disc.performer_id;

WITH late AS (SELECT * FROM early WHERE n > 3), early AS (SELECT disc_id, count(*) AS n FROM song GROUP BY disc_id) SELECT d.title, late.n FROM late JOIN disc d USING (disc_id);

WITH stars(song_id, mean) AS (SELECT song_id, avg(stars) FROM rating GROUP BY song_id)
UPDATE song SET features = json_set(features, '$.stars', (SELECT mean FROM stars WHERE stars.song_id = song.song_id)) WHERE song_id IN (SELECT song_id FROM stars);

CREATE TRIGGER keep_owner BEFORE UPDATE OF owner_id, name ON playlist
WHEN OLD.owner_id <> NEW.owner_id AND NOT EXISTS (SELECT 1 FROM Listener WHERE ListenerId = NEW.owner_id)
BEGIN
  SELECT RAISE(ROLLBACK, 'no such listener');
END;

CREATE TRIGGER song_gone AFTER DELETE ON song BEGIN
  DELETE FROM lyric WHERE song_id = OLD.song_id;
  DELETE FROM playlist_song WHERE song_id = OLD.song_id;
  UPDATE media_file SET ok = 0 WHERE song_id IS NULL OR song_id = old.rowid;
  INSERT INTO play (listener_id, song_id, started_at) SELECT listener_id, 0, rated_at FROM rating WHERE song_id = old.song_id;
END;

CREATE TRIGGER rate_once INSTEAD OF INSERT ON top_song WHEN new.plays > 0 BEGIN INSERT INTO rating (listener_id, song_id, stars) VALUES (1, new.song_id, 5) ON CONFLICT (listener_id, song_id) DO UPDATE SET stars = excluded.stars; END;

CREATE INDEX purchase_month ON purchase (strftime('%Y-%m', bought_at), currency COLLATE NOCASE) WHERE paid = 1 AND country IS NOT NULL;

ALTER TABLE purchase ADD COLUMN voucher TEXT CHECK (voucher <> country);

ALTER TABLE concert RENAME COLUMN held_on TO "date";

ALTER TABLE rating DROP COLUMN rated_at;

ALTER TABLE song ALTER COLUMN bpm SET NOT NULL;

DELETE FROM credit WHERE rowid IN (SELECT c.rowid FROM credit c JOIN performer p USING (performer_id) WHERE p.disbanded < (SELECT d.year FROM disc d JOIN song s USING (disc_id) WHERE s.song_id = c.song_id));

SELECT p.name, t.value AS video FROM performer p, json_tree(p.links, '$.videos') AS t WHERE t.type = 'text' AND t.parent IS NOT NULL ORDER BY p.name, t.id;

SELECT play_by.listener_id, play_by.n FROM (SELECT listener_id, count(*) n FROM play INDEXED BY play_by_listener GROUP BY listener_id) play_by WHERE play_by.n > (SELECT avg(n) FROM (SELECT count(*) n FROM play GROUP BY listener_id));

SELECT min(s.length_ms) AS length_ms, d.title FROM song s JOIN disc d USING (disc_id) GROUP BY disc_id HAVING length_ms > 60000 ORDER BY length_ms;

SELECT name AS kind, kind AS name FROM performer WHERE kind = 'group' GROUP BY kind, name ORDER BY kind, name DESC;

SELECT l.* FROM lyric l WHERE l.rowid IN (SELECT rowid FROM lyric('sun') UNION SELECT rowid FROM lyric WHERE title MATCH 'moon');
