SELECT song_id, title, length_ms / 1000 AS seconds FROM song WHERE disc_id = ? ORDER BY side, position;

SELECT s.position, s.title, printf('%d:%02d', s.length_ms / 60000, s.length_ms / 1000 % 60) AS duration
FROM song s
WHERE s.disc_id = (SELECT disc_id FROM disc WHERE title = 'Blue Hour' AND year = 1998);

select d.title, d.year, count(s.song_id) tracks, sum(s.length_ms) / 60000.0 minutes
from disc d left join song s using (disc_id)
group by d.disc_id
order by d.year desc nulls last, d.title collate nocase;

SELECT name, coalesce(sort_name, name) AS key FROM performer ORDER BY key LIMIT 0, 100;

SELECT performer_id, name FROM performer WHERE name GLOB '[0-9]*' OR sort_name LIKE 'the %';

SELECT p.name,
       (SELECT count(*) FROM disc d WHERE d.performer_id = p.performer_id) AS discs,
       (SELECT min(year) FROM disc WHERE disc.performer_id = p.performer_id) AS debut
FROM performer p
WHERE p.kind = 'group' AND discs BETWEEN 1 AND 3
ORDER BY debut;

SELECT f.performer, f.disc, f.song
FROM song_full AS f
WHERE f.length_ms > 10 * 60 * 1000
ORDER BY f.length_ms DESC;

-- files whose name does not fit the tags
SELECT m.path, s.title, s.position
FROM media_file m
JOIN song s ON s.song_id = m.song_id
WHERE m.path NOT LIKE '%' || s.title || '%'
  AND m.path NOT GLOB printf('*/%02d *', s.position)
  AND m.ok;

SELECT codec, count(*) AS files, round(sum(bytes) / 1e9, 2) AS gb, round(avg(bitrate)) AS kbps
FROM media_file
GROUP BY codec
ORDER BY gb DESC;

SELECT hex(md5) AS hash, group_concat(path, char(10)) AS paths
FROM media_file
WHERE md5 IS NOT NULL
GROUP BY md5
HAVING count(*) > 1;

SELECT title FROM song WHERE song_id NOT IN (SELECT song_id FROM media_file WHERE song_id IS NOT NULL);

SELECT d.title, d.format, l.name AS label
FROM disc d LEFT JOIN record_label l USING (label_id)
WHERE d.released BETWEEN '1970-01-01' AND date('1970-01-01', '+10 years', '-1 day');

SELECT a.title, b.title AS also, p.name
FROM song a
JOIN song b ON b.title = a.title COLLATE NOCASE AND b.song_id > a.song_id
JOIN disc da ON da.disc_id = a.disc_id
JOIN disc db ON db.disc_id = b.disc_id AND db.performer_id = da.performer_id
JOIN performer p ON p.performer_id = da.performer_id;

SELECT style.name, count(*) AS songs
FROM style NATURAL JOIN song_style
GROUP BY style.style_id
ORDER BY songs DESC;

SELECT path, depth FROM style_path WHERE path LIKE 'Rock / %' ORDER BY path;

SELECT substr(isrc, 1, 2) AS land, c.name, count(*)
FROM song LEFT JOIN country c ON c.iso = substr(isrc, 1, 2)
WHERE isrc GLOB '[A-Z][A-Z]???[0-9][0-9]*'
GROUP BY land;

SELECT c.role, group_concat(p.name, ', ') AS who
FROM credit c
JOIN performer p USING (performer_id)
WHERE c.song_id = :song
GROUP BY c.role;

SELECT p.name
FROM performer p
WHERE EXISTS (SELECT * FROM credit c WHERE c.performer_id = p.performer_id AND c.role = 'producer')
  AND NOT EXISTS (SELECT * FROM disc d WHERE d.performer_id = p.performer_id);

SELECT song_id
FROM credit
WHERE role = 'composer'
GROUP BY song_id
HAVING abs(total(share) - 1.0) > 0.001;

SELECT m.name AS member, b.name AS band, ms.since, ms.until, ms.role
FROM membership ms
  INNER JOIN performer m ON m.performer_id = ms.member_id
  INNER JOIN performer b ON b.performer_id = ms.band_id
WHERE ms.until IS NULL
ORDER BY band, ms.since;

SELECT rowid, oid, title FROM disc WHERE disc.rowid > ? ORDER BY rowid LIMIT 10;

SELECT title, bpm FROM song INDEXED BY song_by_title WHERE title = 'intro' COLLATE NOCASE;

SELECT json_extract(features, '$.energy') AS energy, title
FROM song INDEXED BY song_energy
WHERE json_extract(features, '$.energy') > 0.9;

SELECT title, year, title || ' (' || year || ')' AS title FROM disc ORDER BY year, title;

SELECT [Chart], [Week], [Rank], "Last Rank" - "Rank" AS climb FROM [Chart Entry] WHERE climb > 10 ORDER BY "climb" DESC;

SELECT e."Rank", e.`Last Rank`, f.song, f.performer
FROM "Chart Entry" e
JOIN song_full f ON f.song_id = e.song_id
WHERE e."Chart" = 'weekly' AND e."Week" = (SELECT max("Week") FROM "Chart Entry" WHERE "Chart" = e."Chart")
ORDER BY e."Rank";

SELECT p.name, p.formed, p.disbanded, ifnull(p.disbanded, strftime('%Y', 'now')) - p.formed AS age
FROM performer AS p
WHERE p.kind IN ('group', 'orchestra') AND age > 40
ORDER BY age DESC;

SELECT l.name, parent.name AS owner, count(d.disc_id) AS discs
FROM record_label l
LEFT JOIN record_label parent ON parent.label_id = l.parent_id
LEFT JOIN disc d ON d.label_id = l.label_id
GROUP BY l.label_id
HAVING discs > 0 OR owner IS NOT NULL;

SELECT venue, city, max(held_on) AS last_night, performer_id
FROM concert
GROUP BY venue, city
ORDER BY last_night DESC;

SELECT concert.held_on, concert.venue, j.key + 1 AS slot, j.value AS song, s.song_id
FROM concert, json_each(concert.setlist) j
LEFT JOIN song s ON s.title = j.value COLLATE NOCASE
WHERE concert.performer_id = ?
ORDER BY concert.held_on, slot;

SELECT count(*) - count(bpm) AS without_bpm, min(bpm), max(bpm), avg(bpm) FILTER (WHERE explicit)
FROM song;

SELECT CAST(bpm / 10 AS INTEGER) * 10 AS band, count(*) FROM song WHERE bpm IS NOT NULL GROUP BY band ORDER BY band;

SELECT 'performer' AS what, name FROM performer WHERE name LIKE :q
UNION ALL SELECT 'disc', title FROM disc WHERE title LIKE :q
UNION ALL SELECT 'song', title FROM song WHERE title LIKE :q
UNION ALL SELECT 'playlist', name FROM playlist WHERE public AND name LIKE :q
ORDER BY 1, name COLLATE NOCASE
LIMIT 50;

SELECT country.name, count(performer.performer_id)
FROM country
LEFT JOIN performer ON performer.country = country.iso
GROUP BY country.iso;
