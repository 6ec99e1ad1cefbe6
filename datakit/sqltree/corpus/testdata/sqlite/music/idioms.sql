SELECT "song"."song_id", "song"."title", "disc"."title" AS "disc_title"
FROM "song"
INNER JOIN "disc" ON ("song"."disc_id" = "disc"."disc_id")
WHERE "disc"."performer_id" = ?
ORDER BY "disc"."released" DESC, "song"."side", "song"."position";

SELECT `t1`.`song_id`, `t1`.`title`
FROM `song` AS `t1`
WHERE (`t1`.`length_ms` BETWEEN ? AND ?) AND NOT (`t1`.`explicit`)
ORDER BY RANDOM()
LIMIT 10;

SELECT [l].[ListenerId], [l].[Nick], [c].[name]
FROM [Listener] AS [l]
LEFT JOIN [country] AS [c] ON [c].[iso] = [l].[Country]
WHERE [l].[JoinedOn] >= @p0;

select p1_0.performer_id,d1_0.disc_id,d1_0.title,d1_0.year from performer p1_0 join disc d1_0 on p1_0.performer_id=d1_0.performer_id where p1_0.name in (?,?) order by d1_0.year;

SELECT s.title, d.title FROM song s, disc d USING (disc_id) WHERE d.format = 'LP' AND disc_id > 10;

SELECT title
FROM disc
WHERE disc_id == 4 AND format != 'Box' AND year NOT BETWEEN 1990 AND 1999 AND barcode NOT NULL;

SELECT group_concat(title, ' / ' ORDER BY position DESC) AS backwards, string_agg(title, ',') FILTER (WHERE NOT explicit)
FROM song
WHERE disc_id = 3;

SELECT iif(price = 0, 'free', printf('%.2f', price)) AS tag, count(*) AS rows, min(title) AS first, max(title) AS last
FROM song
GROUP BY tag
ORDER BY rows DESC, first;

SELECT performer_id, name
FROM performer
WHERE name COLLATE NOCASE = 'the band' OR sort_name COLLATE BINARY = 'Band, The' COLLATE NOCASE;

SELECT CAST(price * 100 AS INTEGER) AS cents, CAST(title AS BLOB) AS raw, CAST(bpm AS NUMERIC(5, 1)) AS bpm1, CAST(song_id AS VARCHAR(12)) || '-' || isrc AS code
FROM song;

SELECT * FROM style WHERE parent_id IS NOT DISTINCT FROM (SELECT parent_id FROM style WHERE name = 'Dub') AND name IS NOT 'Dub';

SELECT count(*)
FROM song
WHERE (disc_id, side, position) IN (SELECT disc_id, side, max(position) FROM song GROUP BY disc_id, side);

SELECT (SELECT name FROM performer p WHERE p.performer_id = d.performer_id) || ': ' || title AS t, (year, title) > (1980, 'M') AS late
FROM disc d
ORDER BY (year, title) > (1980, 'M'), t;

SELECT j.key AS pos, s.title
FROM json_each('[5,3,8]') AS j
JOIN song AS s ON s.song_id = j.value
ORDER BY j.key;

SELECT max(length_ms) AS longest, title, song_id
FROM song
WHERE disc_id = ?1 AND length_ms < (SELECT max(length_ms) FROM song WHERE disc_id = ?1);

SELECT m.path
FROM media_file m
WHERE m.song_id = (SELECT p.song_id FROM play p WHERE p.listener_id = 1 ORDER BY p.started_at DESC LIMIT 1)
ORDER BY m.bitrate IS NULL, m.bitrate DESC
LIMIT 1;

WITH last AS (SELECT listener_id, max(play_id) AS play_id FROM play GROUP BY listener_id)
SELECT *
FROM last
NATURAL JOIN play
NATURAL LEFT JOIN rating;

SELECT pl.name, COALESCE(SUM(s.length_ms), 0) FROM playlist pl LEFT JOIN (playlist_song ps INNER JOIN song s ON s.song_id = ps.song_id) ON ps.playlist_id = pl.playlist_id GROUP BY pl.playlist_id;

SELECT DISTINCT p.* FROM performer AS p, json_each(p.links) WHERE json_each.key IN ('web', 'blog');

SELECT a.listener_id, a.day, b.day AS same_day_last_year, a.plays - b.plays AS diff
FROM listener_day a
LEFT JOIN listener_day b ON b.listener_id = a.listener_id AND b.day = date(a.day, '-1 year');

INSERT INTO style DEFAULT VALUES RETURNING *;

INSERT INTO song_style (style_id, song_id)
VALUES ((SELECT style_id FROM style WHERE name = 'Jazz'), ?), ((SELECT style_id FROM style WHERE name = 'Soul'), ?)
ON CONFLICT DO UPDATE SET weight = weight + excluded.weight;

INSERT INTO rating
SELECT ListenerId, ?1, 3, NULL
FROM Listener
WHERE Country IN ('DE', 'AT') AND ListenerId NOT IN (SELECT listener_id FROM rating WHERE song_id = ?1);

UPDATE disc
SET (title, format) = (upper(title), coalesce(format, 'LP')), barcode = NULL
WHERE disc_id IN (SELECT value FROM json_each(?))
RETURNING disc_id AS id, title, year;

UPDATE purchase_line SET price = s.price FROM song s, purchase p WHERE s.song_id = purchase_line.song_id AND p.purchase_id = purchase_line.purchase_id AND NOT p.paid;

UPDATE play INDEXED BY play_by_listener SET client = 'unknown' WHERE listener_id = ? AND client IS NULL;

DELETE FROM rating
WHERE rated_at < (SELECT min(started_at) FROM play WHERE play.listener_id = rating.listener_id AND play.song_id = rating.song_id)
RETURNING listener_id || ':' || song_id AS gone;

DELETE FROM [Chart Entry] AS c
WHERE c.[Week] IN (SELECT [Week] FROM [Chart Entry] AS d WHERE d.[Chart] = c.[Chart] GROUP BY d.[Week] HAVING count(*) < 10);

SELECT x'00ff' || title, 0x10 + song_id, 1e3, 12_500, 'it''s', CURRENT_DATE, NULL IS NULL, TRUE
FROM song
LIMIT 1;

SELECT song_id, CASE WHEN bpm IS NULL THEN NULL WHEN bpm < 90 THEN 'slow' WHEN bpm < 130 THEN CASE explicit WHEN 1 THEN 'medium!' ELSE 'medium' END ELSE 'fast' END AS pace
FROM song
WHERE pace IS NOT NULL AND pace NOT IN ('slow');

SELECT Born, strftime('%d.%m.%Y', Born) AS german, date(Born, '+18 years', 'start of year') AS adult, (strftime('%J', 'now') - julianday(Born)) / 365.2425 AS age
FROM Listener
WHERE timediff('now', Born) > '+0018';

SELECT s.title, (SELECT count(*) FROM play p WHERE p.song_id = s.song_id) AS n, (SELECT count(*) FROM rating r WHERE r.song_id = s.song_id AND r.stars >= (SELECT avg(stars) FROM rating WHERE rating.song_id = s.song_id)) AS above FROM song s WHERE n > 10 AND above > 2 ORDER BY n * above DESC;

SELECT *
FROM (SELECT d.title, count(*) AS n FROM disc d JOIN song USING (disc_id) GROUP BY d.disc_id ORDER BY n DESC LIMIT 3)
UNION ALL SELECT *
FROM (SELECT d.title, count(*) AS n FROM disc d JOIN song USING (disc_id) GROUP BY d.disc_id ORDER BY n LIMIT 3);

SELECT name
FROM performer
WHERE country = 'FR'
UNION SELECT name
FROM record_label
WHERE country = 'FR'
EXCEPT SELECT name
FROM style
INTERSECT SELECT Nick
FROM Listener
ORDER BY name
LIMIT 7;

SELECT f.performer AS performer, f.song AS song, count(*) OVER (PARTITION BY f.performer_id) AS songs
FROM song_full f
ORDER BY songs DESC, performer COLLATE NOCASE, song COLLATE NOCASE DESC;

SELECT "Month" AS m, "Total" - coalesce((SELECT "Total" FROM "Revenue By Month" AS p WHERE p.currency = r.currency AND p."Month" < r."Month" ORDER BY p."Month" DESC LIMIT 1), 0) AS change
FROM "Revenue By Month" AS r
ORDER BY m;

select tbl_name,group_concat(name)
from sqlite_schema
where type='index' and tbl_name in(select name from pragma_table_list where schema='main')
group by tbl_name;
