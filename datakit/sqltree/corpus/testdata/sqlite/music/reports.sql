-- discography with running numbers
SELECT p.name, row_number() OVER (PARTITION BY p.performer_id ORDER BY d.released) AS no, d.title, d.format, l.name AS label, count(s.song_id) AS songs
FROM performer p
JOIN disc d ON d.performer_id = p.performer_id
LEFT JOIN record_label l ON l.label_id = d.label_id
LEFT JOIN song s ON s.disc_id = d.disc_id
WHERE p.name = :performer
GROUP BY d.disc_id
ORDER BY no;

SELECT format,
       count(*) AS discs,
       sum(year BETWEEN 1960 AND 1969) AS "60s",
       sum(year BETWEEN 1970 AND 1979) AS "70s",
       sum(year BETWEEN 1980 AND 1989) AS "80s",
       sum(year >= 1990) AS later
FROM disc
GROUP BY format
ORDER BY "80s" DESC, format;

SELECT l.Nick, l.Country, s.plays, s.skips, round(100.0 * s.skips / s.plays, 1) || ' %' AS skip_rate, r.mean
FROM Listener l
LEFT JOIN (SELECT listener_id, count(*) AS plays, sum(skipped) AS skips FROM play GROUP BY listener_id) s ON s.listener_id = l.ListenerId
LEFT JOIN (SELECT listener_id, avg(stars) AS mean FROM rating GROUP BY listener_id HAVING count(*) > 5) r ON r.listener_id = l.ListenerId
ORDER BY s.plays DESC NULLS LAST, l.Nick;

SELECT strftime('%Y', held_on) AS season, count(*) AS shows, count(DISTINCT city) AS cities, count(DISTINCT performer_id) AS performers FROM concert GROUP BY season;

SELECT p.name, max(c.held_on) AS last_seen, c.city
FROM concert c
JOIN performer p ON p.performer_id = c.performer_id
GROUP BY p.performer_id
HAVING last_seen < date('now', '-5 years');

/* year in review:
   one row per listener */
WITH y AS (
  SELECT * FROM play WHERE started_at >= :year || '-01-01' AND started_at < :year + 1 || '-01-01' AND NOT skipped
),
by_song AS (SELECT listener_id, song_id, count(*) AS n FROM y GROUP BY listener_id, song_id),
by_performer AS (
  SELECT y.listener_id, d.performer_id, sum(y.ms_played) AS ms
  FROM y JOIN song s ON s.song_id = y.song_id JOIN disc d ON d.disc_id = s.disc_id
  GROUP BY y.listener_id, d.performer_id
)
SELECT l.Nick,
       (SELECT sum(ms_played) / 60000 FROM y WHERE y.listener_id = l.ListenerId) AS minutes,
       (SELECT s.title FROM by_song b JOIN song s USING (song_id) WHERE b.listener_id = l.ListenerId ORDER BY b.n DESC LIMIT 1) AS top_title,
       (SELECT p.name FROM by_performer b JOIN performer p USING (performer_id) WHERE b.listener_id = l.ListenerId ORDER BY b.ms DESC LIMIT 1) AS top_name
FROM Listener l
WHERE minutes IS NOT NULL
ORDER BY minutes DESC;

SELECT label, discs, CASE WHEN discs * 2 > total THEN 'major' ELSE 'minor' END AS size
FROM (SELECT l.name AS label, count(*) AS discs FROM record_label l JOIN disc USING (label_id) GROUP BY l.label_id),
     (SELECT count(*) AS total FROM disc);

SELECT d.title, s.title
FROM disc d
JOIN song s ON s.disc_id = d.disc_id AND s.position = 1 AND s.title = d.title
ORDER BY d.year, 1;

SELECT decade, format, songs FROM (
  SELECT (year / 10) * 10 AS decade, format, count(*) AS songs FROM disc JOIN song USING (disc_id) GROUP BY decade, format
  UNION ALL
  SELECT NULL, format, count(*) FROM disc NATURAL JOIN (SELECT disc_id, song_id FROM song) GROUP BY format
) ORDER BY decade NULLS FIRST, songs DESC;

SELECT country, kind, count(*) AS n
FROM performer
WHERE country IN (SELECT iso FROM country WHERE vat > 19)
GROUP BY country, kind
HAVING n >= 2;

SELECT c.name AS name, count(DISTINCT p.performer_id) AS performers, count(DISTINCT l.ListenerId) AS listeners
FROM country c
LEFT JOIN performer p ON p.country = c.iso
LEFT JOIN Listener l ON l.Country = c.iso
GROUP BY c.iso
HAVING performers + listeners > 0
ORDER BY performers DESC, name;

SELECT s.title, s.length_ms, avg(s.length_ms) OVER (PARTITION BY s.disc_id) AS disc_mean, s.length_ms > 2 * avg(s.length_ms) OVER (PARTITION BY s.disc_id) AS is_epic
FROM song s;

SELECT iif(instr(path, '.') > 0, lower(substr(path, -4)), '?') AS ext, codec, count(*)
FROM media_file
GROUP BY ext, codec
HAVING ltrim(ext, '.') <> codec;

SELECT 'songs' AS metric, count(*) AS value FROM song
UNION ALL SELECT 'hours', sum(length_ms) / 3600000 FROM song
UNION ALL SELECT 'gigabytes', sum(bytes) >> 30 FROM media_file
UNION ALL SELECT 'listeners', count(*) FROM Listener
UNION ALL SELECT 'unrated', count(*) FROM (SELECT song_id FROM song EXCEPT SELECT song_id FROM rating);

SELECT substr(title, 1, instr(title || ' ', ' ') - 1) AS first_word, count(*) AS n
FROM song
GROUP BY lower(first_word)
ORDER BY n DESC
LIMIT 30;

SELECT l.Nick, count(i.ListenerId) AS invited, sum(EXISTS (SELECT 1 FROM purchase WHERE purchase.listener_id = i.ListenerId AND paid)) AS paying
FROM Listener l
JOIN Listener i ON i.ReferredBy = l.ListenerId
GROUP BY l.ListenerId
ORDER BY paying DESC, invited DESC;

SELECT p.name, group_concat(DISTINCT st.name ORDER BY st.name) AS styles
FROM performer p JOIN disc d USING (performer_id) JOIN song s USING (disc_id) JOIN song_style USING (song_id) JOIN style st USING (style_id)
GROUP BY performer_id
HAVING count(DISTINCT style_id) > 3;

SELECT title, released, julianday(released) - julianday(lag(released) OVER (PARTITION BY performer_id ORDER BY released)) AS days_since FROM disc WHERE format NOT IN ('Single', 'Box') ORDER BY performer_id, released;

SELECT avg(age) AS mean, count(*) AS n
FROM (SELECT cast(strftime('%Y.%m%d', 'now') - strftime('%Y.%m%d', Born) AS INT) AS age FROM Listener)
WHERE age BETWEEN 10 AND 100;

SELECT p.name, c.role, count(*) AS songs, sum(c.share) AS shares
FROM credit c INNER JOIN performer p USING (performer_id)
WHERE c.role IN ('composer', 'lyricist')
GROUP BY performer_id, c.role
ORDER BY songs DESC
LIMIT 25;

SELECT x.song_id, x.n AS plays, y.n AS buys, z.stars
FROM (SELECT song_id, count(*) AS n FROM play GROUP BY song_id) AS x
LEFT JOIN (SELECT song_id, sum(quantity) AS n FROM purchase_line GROUP BY song_id) AS y USING (song_id)
LEFT JOIN (SELECT song_id, round(avg(stars), 2) AS stars FROM rating GROUP BY song_id) AS z USING (song_id)
ORDER BY plays DESC, buys DESC NULLS LAST;

SELECT venue || coalesce(', ' || city, '') AS place, min(held_on) || ' - ' || max(held_on) AS span, count(*)
FROM concert
GROUP BY place
HAVING min(held_on) < max(held_on);

SELECT concert.concert_id, (SELECT count(*) FROM json_each(concert.setlist) j JOIN song s ON s.title = j.value JOIN disc d ON d.disc_id = s.disc_id WHERE d.performer_id <> concert.performer_id) AS covers
FROM concert
WHERE covers > 0;
