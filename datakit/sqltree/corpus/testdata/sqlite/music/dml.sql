INSERT INTO performer (name, sort_name, kind, formed)
VALUES ('The Lamps', 'Lamps, The', 'group', 1987), ('Ada Meer', NULL, 'person', NULL);

INSERT INTO rating (listener_id, song_id, stars) VALUES (:me, :song, :stars)
ON CONFLICT (listener_id, song_id) DO UPDATE SET stars = excluded.stars, rated_at = CURRENT_TIMESTAMP
WHERE stars <> excluded.stars;

INSERT OR IGNORE INTO style (name) VALUES ('Ambient'), ('Dub'), ('Tango') RETURNING style_id, name;

INSERT INTO follow SELECT :me, d.performer_id, date('now') FROM disc d JOIN song s USING (disc_id) JOIN play p USING (song_id) WHERE p.listener_id = :me GROUP BY d.performer_id HAVING count(*) > 50;

INSERT INTO play (listener_id, song_id, started_at, ms_played, source)
SELECT l.ListenerId, s.song_id, j.value ->> 'ts', j.value ->> 'ms', 'import'
FROM json_each(?1) j
JOIN Listener l ON l.Nick = j.value ->> 'user'
JOIN song s ON s.isrc = j.value ->> 'isrc'
WHERE NOT EXISTS (SELECT 1 FROM play p WHERE p.listener_id = l.ListenerId AND p.started_at = j.value ->> 'ts');

REPLACE INTO media_file (file_id, song_id, path, codec, bytes, mtime)
VALUES (?, ?, ?, lower(?), ?, julianday('now'));

INSERT INTO media_file AS f (path, codec, bytes, bitrate)
VALUES (:path, :codec, :bytes, :bitrate)
ON CONFLICT (path) DO UPDATE SET bytes = excluded.bytes, bitrate = coalesce(excluded.bitrate, f.bitrate), ok = f.bytes = excluded.bytes, song_id = CASE WHEN f.bytes = excluded.bytes THEN f.song_id END
RETURNING file_id, (song_id IS NULL) AS needs_scan;

INSERT OR REPLACE INTO song_style (song_id, style_id, weight)
SELECT s.song_id, st.style_id, 1.0 / count(*) OVER (PARTITION BY s.song_id)
FROM song s JOIN style st ON instr(lower(s.features ->> '$.genre'), lower(st.name)) > 0;

INSERT INTO credit
WITH composers AS (SELECT song_id, performer_id FROM credit WHERE role = 'composer')
SELECT c.song_id, c.performer_id, 'publisher', NULL
FROM composers c
WHERE NOT EXISTS (SELECT 1 FROM credit x WHERE x.song_id = c.song_id AND x.role = 'publisher');

UPDATE disc
SET label_id = l.label_id
FROM record_label AS l
WHERE l.name = :label AND disc.disc_id = :disc;

UPDATE song SET title = trim(replace(title, '  ', ' ')), explicit = explicit OR title LIKE '%[explicit]%' WHERE title GLOB '* ' OR title LIKE '%  %';

UPDATE performer
SET (formed, disbanded) = (SELECT min(since), max(until) FROM membership WHERE band_id = performer.performer_id)
WHERE kind = 'group' AND formed IS NULL;

UPDATE song AS s
SET bpm = s.bpm / 2
WHERE s.bpm > 200 AND s.song_id NOT IN (SELECT song_id FROM song_style NATURAL JOIN style WHERE name IN ('Drum and Bass', 'Grindcore'));

UPDATE OR FAIL disc SET released = released || '-01-01' WHERE released GLOB '[12][0-9][0-9][0-9]';

UPDATE media_file
SET ok = 0, song_id = NULL
WHERE file_id IN (SELECT a.file_id FROM media_file a JOIN media_file b ON b.md5 = a.md5 AND b.bitrate > a.bitrate)
RETURNING path;

UPDATE main.Listener SET FullName = ?1 WHERE Nick = ?2 AND FullName IS DISTINCT FROM ?1;

UPDATE rating
SET stars = min(5, stars + 1)
WHERE listener_id = 3 AND song_id IN (SELECT song_id FROM play WHERE play.listener_id = rating.listener_id GROUP BY song_id HAVING count(*) > 100);

WITH avg_price AS (SELECT disc_id, round(avg(price), 2) AS p FROM song GROUP BY disc_id HAVING count(DISTINCT price) > 1)
UPDATE song SET price = avg_price.p FROM avg_price WHERE avg_price.disc_id = song.disc_id RETURNING song_id, price;

UPDATE playlist
SET name = CASE WHEN length(name) > 80 THEN substr(name, 1, 77) || '...' ELSE name END, created = ifnull(created, datetime('now'));

DELETE FROM play WHERE ms_played = 0 AND started_at < datetime('now', '-1 year');

DELETE FROM play WHERE play_id IN (
  SELECT play_id FROM (
    SELECT play_id, row_number() OVER (PARTITION BY listener_id, song_id, started_at ORDER BY ms_played DESC) AS rn FROM play
  ) WHERE rn > 1
);

DELETE FROM follow
WHERE performer_id IN (SELECT performer_id FROM performer EXCEPT SELECT performer_id FROM disc)
RETURNING follower_id, performer_id;

DELETE FROM song_style AS ss
WHERE weight < 0.05 AND EXISTS (SELECT 1 FROM song_style AS o WHERE o.song_id = ss.song_id AND o.weight > ss.weight);

DELETE FROM record_label
WHERE NOT EXISTS (SELECT * FROM disc WHERE disc.label_id = record_label.label_id) AND label_id NOT IN (SELECT parent_id FROM record_label WHERE parent_id NOT NULL);

WITH RECURSIVE dead(id) AS (
  SELECT style_id FROM style WHERE name = ?
  UNION ALL
  SELECT style.style_id FROM style JOIN dead ON style.parent_id = dead.id
)
DELETE FROM song_style WHERE style_id IN (SELECT id FROM dead);

delete from membership
where (band_id, member_id) in (select m.band_id, m.member_id from membership m group by 1, 2 having count(*) > 1) and since is null;

DELETE FROM concert
WHERE held_on < '1900-01-01' OR performer_id NOT IN (SELECT performer_id FROM performer);

INSERT INTO membership (band_id, member_id, role)
SELECT b.performer_id, p.performer_id, 'singer'
FROM performer b, performer p
WHERE b.kind = 'group' AND p.kind = 'person' AND b.name = p.name || ' Band'
ON CONFLICT DO NOTHING
RETURNING band_id AS band, member_id AS singer;

INSERT INTO Listener (Nick, Country, ReferredBy)
VALUES (?, upper(?), (SELECT ListenerId FROM Listener WHERE Nick = ?))
RETURNING ListenerId, JoinedOn;

INSERT INTO country
VALUES ('AT', 'Austria', 20), ('DE', 'Germany', 19), ('CH', 'Switzerland', 8.1)
ON CONFLICT (iso) DO UPDATE SET vat = excluded.vat
WHERE country.vat IS NOT excluded.vat;

INSERT INTO purchase_line
SELECT 7, 1 + max(line_no), 99, 0.99, 1
FROM purchase_line
WHERE purchase_id = 7;

UPDATE concert SET city = (SELECT c2.city FROM concert c2 WHERE c2.venue = concert.venue AND c2.city IS NOT NULL LIMIT 1) WHERE city IS NULL;
