WITH RECURSIVE sub(style_id) AS (
  SELECT style_id FROM style WHERE name = :style
  UNION
  SELECT s.style_id FROM style s, sub WHERE s.parent_id = sub.style_id
)
SELECT song.title FROM song WHERE song_id IN (SELECT song_id FROM song_style WHERE style_id IN sub);

WITH RECURSIVE owners(label_id, name, level) AS (
  SELECT label_id, name, 0 FROM record_label WHERE label_id = ?
  UNION ALL
  SELECT l.label_id, l.name, o.level + 1
  FROM owners o
  JOIN record_label c ON c.label_id = o.label_id
  JOIN record_label l ON l.label_id = c.parent_id
)
SELECT name FROM owners ORDER BY level DESC LIMIT 1;

WITH RECURSIVE invited AS (
  SELECT ListenerId AS id, Nick, 0 AS generation FROM Listener WHERE ReferredBy IS NULL
  UNION ALL
  SELECT c.ListenerId, c.Nick, i.generation + 1 FROM Listener c INNER JOIN invited i ON c.ReferredBy = i.id
)
SELECT generation, count(*) AS people, group_concat(Nick) FROM invited GROUP BY generation;

-- six degrees: who played with whom
WITH RECURSIVE linked(a, b) AS (
  SELECT band_id, member_id FROM membership
  UNION
  SELECT member_id, band_id FROM membership
), reach(id, hops) AS (
  VALUES (:start, 0)
  UNION
  SELECT linked.b, reach.hops + 1 FROM reach JOIN linked ON linked.a = reach.id WHERE reach.hops < 6
)
SELECT p.name, min(reach.hops) AS hops FROM reach JOIN performer p ON p.performer_id = reach.id GROUP BY reach.id ORDER BY hops, p.name;

WITH RECURSIVE months(m) AS (
  SELECT date('now', 'start of month', '-11 months')
  UNION ALL
  SELECT date(m, '+1 month') FROM months WHERE m < date('now', 'start of month')
)
SELECT strftime('%m/%Y', months.m) AS label, count(p.play_id) AS plays
FROM months LEFT JOIN play p ON strftime('%Y-%m', p.started_at) = strftime('%Y-%m', months.m)
GROUP BY months.m;

WITH RECURSIVE gen(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM gen WHERE n < (SELECT max(position) FROM song WHERE disc_id = ?1))
SELECT n AS missing FROM gen EXCEPT SELECT position FROM song WHERE disc_id = ?1;

with recursive t(id, parent, lvl, sort) as (
  select style_id, parent_id, 0, printf('%04d', style_id) from style where parent_id is null
  union all
  select s.style_id, s.parent_id, t.lvl + 1, t.sort || '.' || printf('%04d', s.style_id) from style s join t on s.parent_id = t.id
)
select replace(hex(zeroblob(lvl)), '00', '  ') || style.name as tree, count(ss.song_id) as songs
from t join style on style.style_id = t.id left join song_style ss on ss.style_id = t.id
group by t.id
order by t.sort;

WITH RECURSIVE parts(file_id, rest, part, depth) AS (
  SELECT file_id, path || '/', NULL, 0 FROM media_file
  UNION ALL
  SELECT file_id, substr(rest, instr(rest, '/') + 1), substr(rest, 1, instr(rest, '/') - 1), depth + 1
  FROM parts
  WHERE rest <> ''
)
SELECT part, count(DISTINCT file_id) AS files FROM parts WHERE depth = 2 GROUP BY part ORDER BY files DESC;

WITH RECURSIVE chain(song_id, bpm, path) AS (
  SELECT song_id, bpm, CAST(song_id AS TEXT) FROM song WHERE song_id = ?
  UNION ALL
  SELECT s.song_id, s.bpm, c.path || '>' || s.song_id
  FROM chain AS c JOIN song AS s ON s.bpm > c.bpm AND s.bpm <= c.bpm * 1.05
  ORDER BY 2
  LIMIT 50
)
SELECT path FROM chain ORDER BY length(path) DESC LIMIT 1;

WITH tops AS MATERIALIZED (SELECT song_id, count(*) AS n FROM play GROUP BY song_id),
     rated AS NOT MATERIALIZED (SELECT song_id, avg(stars) AS stars FROM rating GROUP BY song_id),
     both_ AS (SELECT song_id, n, stars FROM tops JOIN rated USING (song_id))
SELECT f.song, b.n, b.stars FROM both_ b JOIN song_full f USING (song_id) WHERE b.stars > 4 AND b.n < (SELECT avg(n) FROM tops);

WITH RECURSIVE above(style_id, top) AS (
  SELECT style_id, style_id FROM style WHERE parent_id IS NULL
  UNION ALL SELECT c.style_id, a.top FROM above a JOIN style c ON c.parent_id = a.style_id
)
SELECT st.name, sum(pl.amount) AS revenue
FROM above
JOIN style st ON st.style_id = above.top
JOIN song_style ss ON ss.style_id = above.style_id
JOIN purchase_line pl ON pl.song_id = ss.song_id
GROUP BY above.top;

WITH RECURSIVE days AS (SELECT min(day) AS day FROM listener_day UNION ALL SELECT date(day, '+1 day') FROM days WHERE day < (SELECT max(day) FROM listener_day))
SELECT days.day FROM days LEFT JOIN listener_day USING (day) WHERE listener_day.plays IS NULL;

WITH a AS (SELECT performer_id FROM follow WHERE follower_id = ?1),
     b AS (SELECT follower_id, count(*) AS same FROM follow WHERE performer_id IN a GROUP BY follower_id),
     c AS (SELECT f.performer_id, sum(b.same) AS weight FROM follow f JOIN b USING (follower_id) WHERE f.performer_id NOT IN a GROUP BY f.performer_id)
SELECT name, weight FROM c NATURAL JOIN performer ORDER BY weight DESC LIMIT 10;

WITH RECURSIVE cnt(x) AS (SELECT 1 UNION ALL SELECT x * 2 FROM cnt WHERE x < 1024)
SELECT group_concat(x)
FROM cnt;

WITH RECURSIVE walk(id, kind, dist) AS (
  SELECT performer_id, 'performer', 0 FROM performer WHERE name = ?
  UNION
  SELECT credit.song_id, 'song', dist + 1 FROM walk JOIN credit ON credit.performer_id = walk.id WHERE walk.kind = 'performer' AND dist < 4
  UNION
  SELECT credit.performer_id, 'performer', dist + 1 FROM walk JOIN credit ON credit.song_id = walk.id WHERE walk.kind = 'song' AND dist < 4
)
SELECT kind, count(DISTINCT id), max(dist) FROM walk GROUP BY kind;

WITH listened(d) AS (SELECT DISTINCT date(started_at) FROM play WHERE listener_id = ?)
SELECT l.d, (SELECT min(n.d) FROM listened n WHERE n.d > l.d) AS next_day FROM listened l ORDER BY l.d;

WITH x AS (WITH y AS (WITH z AS (SELECT label_id, name FROM record_label) SELECT * FROM z WHERE name LIKE 'A%') SELECT label_id AS id FROM y)
SELECT disc.title
FROM disc
JOIN x ON x.id = disc.label_id;

SELECT p.name, (
  WITH RECURSIVE up(id, parent) AS (
    SELECT l.label_id, l.parent_id FROM record_label l JOIN disc d ON d.label_id = l.label_id WHERE d.performer_id = p.performer_id
    UNION
    SELECT r.label_id, r.parent_id FROM record_label r JOIN up ON r.label_id = up.parent
  )
  SELECT count(*) FROM up WHERE parent IS NULL
) AS groups_worked_for
FROM performer p;

WITH RECURSIVE bits(n, v) AS (VALUES (0, 1) UNION ALL SELECT n + 1, v << 1 FROM bits WHERE n < 7)
SELECT bits.n, count(*) FROM bits JOIN song ON song.song_id & bits.v GROUP BY bits.n;
