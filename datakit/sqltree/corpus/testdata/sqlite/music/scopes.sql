-- an alias of the outer query inside a subquery of its WHERE
SELECT s.song_id AS k, s.title FROM song s WHERE EXISTS (SELECT 1 FROM play WHERE play.song_id = k AND play.listener_id = 4);

SELECT d.title AS t, s.position FROM disc d JOIN song s ON s.disc_id = d.disc_id AND t = s.title;

SELECT upper(name) AS name FROM performer WHERE name = 'x' OR kind = 'group' ORDER BY name;

SELECT song FROM song_full song WHERE song.song LIKE 'a%' AND song <> 'abc';

SELECT [count(*)], [max(year)] FROM (SELECT count(*), max(year) FROM disc);

SELECT title, [title:1] FROM (SELECT s.title, d.title FROM song s JOIN disc d ON d.disc_id = s.disc_id);

SELECT NICK, listener.listenerid, LISTENER.Country FROM LISTENER WHERE BORN IS NOT NULL;

SELECT main.song.title, main.disc.title FROM song JOIN main.disc USING (disc_id) WHERE song.explicit;

SELECT length_ms AS 'Length', title AS 'The Title' FROM song ORDER BY "Length" DESC, "The Title";

WITH b AS (SELECT x + 1 AS y FROM a), a AS (SELECT count(*) AS x FROM song) SELECT y, x FROM a, b;

SELECT (SELECT t.n * 2) AS twice, (SELECT max(t.n, twice.v) FROM (SELECT 5 AS v) AS twice) AS most FROM (SELECT count(*) AS n FROM play) AS t;

SELECT disc_id, title
FROM disc
WHERE (SELECT count(*) FROM song WHERE song.disc_id = disc.disc_id AND song.title = disc.title) = 1;

-- three levels deep
SELECT p.name
FROM performer p
WHERE p.performer_id IN (
  SELECT d.performer_id
  FROM disc d
  WHERE d.year > p.formed AND d.disc_id IN (
    SELECT s.disc_id
    FROM song s
    WHERE s.length_ms > (SELECT avg(length_ms) FROM song x WHERE x.disc_id = d.disc_id AND x.title <> p.name)
  )
);

SELECT performer_id, name
FROM performer
WHERE performer_id IN (SELECT performer_id FROM follow WHERE since > formed);

SELECT song_id, count(*) AS song_id_count
FROM play
NATURAL JOIN rating
GROUP BY song_id
HAVING song_id_count > 1;

SELECT *
FROM (SELECT * FROM purchase JOIN purchase_line USING (purchase_id))
WHERE purchase_id = 1 AND quantity > 1 AND currency = 'EUR';

SELECT play.song_id, p.song_id
FROM play p, play
WHERE p.play_id = play.play_id + 1 AND p.listener_id = play.listener_id;

SELECT a.name, b.name, x.since
FROM (performer a JOIN (membership x JOIN performer b ON b.performer_id = x.member_id) ON a.performer_id = x.band_id)
WHERE b.country IS NOT a.country;

SELECT s.title, d.title, q.n
FROM song s
LEFT JOIN disc d ON d.disc_id = s.disc_id AND d.label_id IN (SELECT label_id FROM record_label WHERE record_label.country = 'DE')
LEFT JOIN (SELECT song_id AS id, count(*) AS n FROM play GROUP BY id) q ON q.id = s.song_id;

SELECT count(*) AS n FROM song HAVING n > 0;

SELECT upper(name) FROM performer UNION SELECT upper(title) FROM disc ORDER BY upper(name);

SELECT name AS label
FROM performer
UNION ALL SELECT title
FROM disc
ORDER BY label COLLATE NOCASE DESC, 1
LIMIT 20 OFFSET 40;

SELECT x.a, x.b FROM (SELECT 1 AS a, 2 AS b UNION SELECT song_id, disc_id FROM song) x ORDER BY x.b, a;

SELECT 'ENABLE_FTS5' IN pragma_compile_options AS has_fts, sqlite_version() AS version;

SELECT column1, column2 FROM (VALUES (1, 'one'), (2, 'two')) AS v WHERE v.column1 IN (VALUES (1), (3));

SELECT style.style_id, style.name
FROM style
WHERE (style.style_id, 1.0) IN (SELECT style_id, weight FROM song_style);

WITH disc AS (SELECT disc_id, count(*) AS tracks FROM main.song GROUP BY disc_id)
SELECT disc.tracks, d.title FROM disc JOIN main.disc AS d ON d.disc_id = disc.disc_id;

WITH recent AS (SELECT song_id, title FROM song ORDER BY song_id DESC LIMIT 100),
     leftover AS (SELECT disc_id, barcode FROM disc)
SELECT title FROM recent WHERE song_id NOT IN (SELECT song_id FROM play);

SELECT s.title, (WITH r AS (SELECT stars FROM rating WHERE rating.song_id = s.song_id) SELECT avg(stars) FROM r) AS mean
FROM song s
ORDER BY mean DESC;

SELECT d.* FROM disc d WHERE d.rowid = (SELECT min(rowid) FROM disc WHERE performer_id = d.performer_id);

SELECT credit.rowid, credit._rowid_, c.oid
FROM credit, credit AS c
WHERE credit.rowid < c.rowid AND credit.song_id = c.song_id;

SELECT playlist.name AS playlist, Listener.Nick AS Listener FROM playlist JOIN Listener ON ListenerId = owner_id ORDER BY playlist, Listener;

SELECT p.name AS "p.name", p.kind AS [the kind], p.formed AS `since when`
FROM performer p
ORDER BY "p.name", [the kind], `since when`;

SELECT year AS y, count(*) AS c FROM disc GROUP BY y HAVING c > 1 AND y > 1950 ORDER BY -c, y;

SELECT sum(n) FROM (SELECT count(*) n FROM song GROUP BY disc_id UNION ALL SELECT count(*) FROM credit);

SELECT title
FROM song
ORDER BY (SELECT count(*) FROM play WHERE play.song_id = song.song_id) DESC, (SELECT name FROM performer JOIN disc USING (performer_id) WHERE disc.disc_id = song.disc_id);

SELECT listener_id, (SELECT group_concat(title) FROM (SELECT DISTINCT s.title FROM song s JOIN play q ON q.song_id = s.song_id WHERE q.listener_id = p.listener_id)) AS titles
FROM play p
GROUP BY listener_id;

SELECT f.follower_id, j.value, k.value
FROM follow f
JOIN performer p ON p.performer_id = f.performer_id
JOIN json_each(p.links) j
JOIN json_each(json_array(j.value, f.since)) k ON k.key = 0;

SELECT since AS since, until, role AS since_role FROM membership WHERE since <= 1990 AND (until IS NULL OR until > 1990) ORDER BY since;

SELECT l1.Nick, l2.Nick
FROM Listener l1, Listener l2
WHERE l1.Country = l2.Country AND l1.ListenerId < l2.ListenerId AND NOT EXISTS (SELECT follower_id FROM follow WHERE follower_id IN (l1.ListenerId, l2.ListenerId));

SELECT id, total
FROM (SELECT purchase_id AS id, total(amount) AS total FROM purchase_line GROUP BY id)
WHERE total > 5;

SELECT song.title, lyric.title, lyric.rowid
FROM song
JOIN lyric ON lyric.song_id = song.song_id
WHERE lyric.title IS NOT song.title;

SELECT CASE kind WHEN 'person' THEN (SELECT count(*) FROM membership WHERE member_id = performer_id) ELSE (SELECT count(*) FROM membership WHERE band_id = performer_id) END AS links, name
FROM performer
ORDER BY links;
