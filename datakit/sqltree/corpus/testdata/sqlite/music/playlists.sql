SELECT ps.position, f.song, f.performer, f.length_ms
FROM playlist_song ps JOIN song_full f ON f.song_id = ps.song_id
WHERE ps.playlist_id = :id
ORDER BY ps.position;

SELECT pl.playlist_id, pl.name, l.Nick AS owner, count(ps.song_id) AS songs, sum(s.length_ms) AS total_ms
FROM playlist pl
JOIN Listener l ON l.ListenerId = pl.owner_id
LEFT JOIN playlist_song ps ON ps.playlist_id = pl.playlist_id
LEFT JOIN song s ON s.song_id = ps.song_id
WHERE pl.public = 1
GROUP BY pl.playlist_id
ORDER BY songs DESC;

SELECT name
FROM playlist
WHERE playlist_id IN (SELECT playlist_id FROM playlist_song GROUP BY playlist_id, song_id HAVING count(*) > 1);

SELECT playlist_id, smart_rule ->> '$.min_stars' AS min_stars, smart_rule -> '$.styles' AS styles FROM playlist WHERE smart_rule IS NOT NULL;

SELECT pl.name, s.title
FROM playlist pl
JOIN song s ON s.bpm BETWEEN pl.smart_rule ->> '$.bpm[0]' AND pl.smart_rule ->> '$.bpm[1]'
WHERE pl.playlist_id = ? AND json_type(pl.smart_rule, '$.bpm') = 'array';

SELECT p1.playlist_id, p2.playlist_id AS similar, count(*) AS shared
FROM playlist_song p1 JOIN playlist_song p2 USING (song_id)
WHERE p1.playlist_id < p2.playlist_id
GROUP BY p1.playlist_id, p2.playlist_id
HAVING shared >= 5
ORDER BY shared DESC;

INSERT INTO playlist (owner_id, name) VALUES (?, 'New list') RETURNING playlist_id, created;

INSERT INTO playlist_song (playlist_id, position, song_id, added_by)
SELECT :playlist, coalesce(max(position), 0) + 1, :song, :me
FROM playlist_song
WHERE playlist_id = :playlist;

INSERT INTO playlist_song (playlist_id, position, song_id)
SELECT ?1, row_number() OVER (ORDER BY plays DESC), song_id
FROM top_song
WHERE plays > 0
ORDER BY plays DESC
LIMIT 50
ON CONFLICT (playlist_id, position) DO UPDATE SET song_id = excluded.song_id, added_by = NULL;

UPDATE playlist_song SET position = -position WHERE playlist_id = ?;

UPDATE playlist_song
SET position = ranked.rn
FROM (
  SELECT playlist_id, position AS old, row_number() OVER (PARTITION BY playlist_id ORDER BY abs(position)) AS rn
  FROM playlist_song
) AS ranked
WHERE ranked.playlist_id = playlist_song.playlist_id AND ranked.old = playlist_song.position;

DELETE FROM playlist_song
WHERE (playlist_id, position) NOT IN (SELECT playlist_id, min(position) FROM playlist_song GROUP BY playlist_id, song_id);

DELETE FROM playlist AS pl
WHERE NOT EXISTS (SELECT 1 FROM playlist_song ps WHERE ps.playlist_id = pl.playlist_id) AND pl.created < datetime('now', '-1 year')
RETURNING name, owner_id;

WITH longest AS (
  SELECT playlist_id, sum(length_ms) AS ms
  FROM playlist_song NATURAL JOIN (SELECT song_id, length_ms FROM song)
  GROUP BY playlist_id
)
SELECT playlist.name, longest.ms / 3600000.0 AS hours
FROM longest JOIN playlist USING (playlist_id)
WHERE longest.ms = (SELECT max(ms) FROM longest);

SELECT DISTINCT s.title
FROM playlist_song ps
JOIN song s ON s.song_id = ps.song_id
WHERE ps.playlist_id = 1
INTERSECT
SELECT title FROM song WHERE explicit = 0;

SELECT pl.*, (SELECT group_concat(title, ', ') FROM (SELECT s.title FROM playlist_song ps, song s WHERE ps.playlist_id = pl.playlist_id AND s.song_id = ps.song_id ORDER BY ps.position LIMIT 3)) AS teaser
FROM playlist pl
WHERE pl.owner_id = @me;

SELECT ps.added_by, l.Nick, count(*)
FROM playlist_song AS ps LEFT JOIN Listener AS l ON l.ListenerId = ps.added_by
WHERE ps.added_by IS NOT (SELECT owner_id FROM playlist WHERE playlist.playlist_id = ps.playlist_id)
GROUP BY ps.added_by;

SELECT song_id, group_concat(playlist_id) AS lists FROM playlist_song GROUP BY song_id ORDER BY count(*) DESC, song_id;

SELECT prev.position AS gap_after
FROM playlist_song prev LEFT JOIN playlist_song next ON next.playlist_id = prev.playlist_id AND next.position = prev.position + 1
WHERE next.rowid IS NULL AND prev.playlist_id = 9
ORDER BY gap_after;

WITH RECURSIVE picked(song_id, total, n) AS (
  SELECT song_id, length_ms, 1 FROM (SELECT song_id, length_ms FROM song ORDER BY random() LIMIT 1)
  UNION ALL
  SELECT s.song_id, picked.total + s.length_ms, n + 1
  FROM picked JOIN song s ON s.song_id = (SELECT min(song_id) FROM song WHERE song.song_id > picked.song_id)
  WHERE picked.total + s.length_ms < 3600000
)
SELECT n, song.title, total FROM picked NATURAL JOIN song ORDER BY n;

SELECT p.name AS playlist, avg(s.bpm) AS bpm, avg(s.features ->> '$.energy') AS energy, group_concat(DISTINCT st.name) AS styles
FROM playlist p
JOIN playlist_song ps ON ps.playlist_id = p.playlist_id
JOIN song s ON s.song_id = ps.song_id
LEFT JOIN song_style sst ON sst.song_id = s.song_id
LEFT JOIN style st ON st.style_id = sst.style_id
GROUP BY p.playlist_id
HAVING bpm > 120
ORDER BY playlist, energy;

UPDATE playlist
SET public = 0, name = name || ' #' || playlist_id
WHERE rowid IN (SELECT p.rowid FROM playlist p JOIN playlist q ON q.name = p.name AND q.owner_id = p.owner_id AND q.rowid < p.rowid);

INSERT INTO playlist (owner_id, name, smart_rule)
SELECT ListenerId, Nick || '''s top', json_object('kind', 'top', 'since', JoinedOn)
FROM Listener
WHERE ListenerId NOT IN (SELECT owner_id FROM playlist WHERE smart_rule ->> 'kind' = 'top');

SELECT sr.key, count(*) FROM playlist, json_each(playlist.smart_rule) AS sr GROUP BY sr.key;

SELECT name, rule.fullkey, rule.value
FROM playlist p, json_tree(p.smart_rule, '$.styles') rule
WHERE rule.atom NOT IN (SELECT style.name FROM style);

SELECT coalesce(a.position, b.position) AS position, a.song_id AS left_song, b.song_id AS right_song
FROM (SELECT position, song_id FROM playlist_song WHERE playlist_id = ?1) a
FULL OUTER JOIN (SELECT position, song_id FROM playlist_song WHERE playlist_id = ?2) b USING (position)
WHERE a.song_id IS NOT b.song_id
ORDER BY position;
