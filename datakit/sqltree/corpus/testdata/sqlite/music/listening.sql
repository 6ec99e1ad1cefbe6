SELECT day, plays, minutes
FROM listener_day
WHERE listener_id = ? AND day >= date('now', '-30 days')
ORDER BY day;

SELECT s.title, count(*) AS plays, sum(p.ms_played) / 60000 AS minutes
FROM play p JOIN song s ON s.song_id = p.song_id
WHERE p.listener_id = :listener AND p.started_at >= datetime('now', '-1 month') AND NOT p.skipped
GROUP BY p.song_id
ORDER BY plays DESC, minutes DESC
LIMIT 20;

SELECT song, performer, plays FROM top_song ORDER BY plays DESC LIMIT 100;

SELECT Nick, JoinedOn, (SELECT max(started_at) FROM play WHERE play.listener_id = Listener.ListenerId) AS LastPlay
FROM Listener
WHERE LastPlay < datetime('now', '-60 days') OR LastPlay IS NULL;

SELECT l.Nick, r.Nick AS invited_by, rr.Nick AS invited_by_by
FROM Listener l
LEFT JOIN Listener r ON r.ListenerId = l.ReferredBy
LEFT JOIN Listener rr ON rr.ListenerId = r.ReferredBy;

SELECT strftime('%H', started_at) AS hour,
       count(*) FILTER (WHERE strftime('%w', started_at) IN ('0', '6')) AS weekend,
       count(*) FILTER (WHERE strftime('%w', started_at) NOT IN ('0', '6')) AS workday
FROM play
GROUP BY hour;

select source, client, count(*), avg(skipped) as skip_rate
from play
group by source, client
having count(*) > 100
order by skip_rate desc;

-- songs that were skipped more often than heard
SELECT f.song, f.performer, sum(p.skipped) AS skipped, sum(NOT p.skipped) AS heard
FROM play p, song_full f
WHERE p.song_id = f.song_id
GROUP BY f.song_id
HAVING skipped > heard;

SELECT p.play_id, p.started_at, s.title
FROM play p INDEXED BY play_by_day
JOIN song s USING (song_id)
WHERE substr(p.started_at, 1, 10) = '2024-02-29';

SELECT r.stars, count(*) AS votes, round(avg(pl.n), 1) AS mean_plays
FROM rating r
LEFT JOIN (SELECT listener_id, song_id, count(*) AS n FROM play GROUP BY listener_id, song_id) pl USING (listener_id, song_id)
GROUP BY r.stars
ORDER BY r.stars DESC;

SELECT listener_id, song_id FROM rating WHERE stars = 5
EXCEPT
SELECT listener_id, song_id FROM play
ORDER BY listener_id, song_id;

SELECT pf.name, count(DISTINCT p.listener_id) AS listeners, count(fo.follower_id) AS follows
FROM performer pf
JOIN disc d ON d.performer_id = pf.performer_id
JOIN song s ON s.disc_id = d.disc_id
JOIN play p ON p.song_id = s.song_id
LEFT JOIN follow fo ON fo.performer_id = pf.performer_id AND fo.follower_id = p.listener_id
GROUP BY pf.performer_id;

SELECT a.listener_id AS me, b.listener_id AS you, count(*) AS common
FROM (SELECT DISTINCT listener_id, song_id FROM play) a
JOIN (SELECT DISTINCT listener_id, song_id FROM play) b ON b.song_id = a.song_id AND b.listener_id <> a.listener_id
WHERE a.listener_id = ?1
GROUP BY you
ORDER BY common DESC
LIMIT 5;

SELECT s.song_id, s.title
FROM song s
WHERE s.song_id IN (
        SELECT p.song_id FROM play p WHERE p.listener_id IN (
          SELECT follower_id FROM follow WHERE performer_id = (SELECT performer_id FROM disc WHERE disc.disc_id = s.disc_id)
        )
      )
  AND s.song_id NOT IN (SELECT song_id FROM play WHERE listener_id = :me);

SELECT Country, count(*) AS n, avg((julianday('now') - julianday(Born)) / 365.25) AS mean_age
FROM Listener
WHERE Born IS NOT NULL
GROUP BY Country
ORDER BY n DESC;

SELECT l.Nick AS nick, d.day, d.plays
FROM Listener AS l JOIN listener_day AS d ON d.listener_id = l.ListenerId
WHERE (d.listener_id, d.plays) IN (SELECT listener_id, max(plays) FROM listener_day GROUP BY listener_id);

SELECT date(started_at) AS started_at, count(*) AS n FROM play GROUP BY started_at;

SELECT date(started_at) AS d, count(DISTINCT listener_id) AS listeners, count(*) AS plays, 1.0 * count(*) / count(DISTINCT listener_id) AS per_head
FROM play
WHERE d > date('now', 'start of year')
GROUP BY d
ORDER BY per_head DESC;

SELECT c.name AS country, sp.name AS style, count(*) AS plays
FROM play p
JOIN Listener l ON l.ListenerId = p.listener_id
JOIN country c ON c.iso = l.Country
JOIN song_style ss ON ss.song_id = p.song_id
JOIN style_path sp ON sp.style_id = ss.style_id
WHERE sp.depth = 0
GROUP BY c.iso, sp.style_id
HAVING plays = (
  SELECT max(n) FROM (
    SELECT count(*) AS n
    FROM play p2 JOIN Listener l2 ON l2.ListenerId = p2.listener_id JOIN song_style s2 ON s2.song_id = p2.song_id
    WHERE l2.Country = c.iso
    GROUP BY s2.style_id
  )
);

SELECT ListenerId, "Nick", [FullName] FROM `Listener` WHERE "FullName" IS NULL OR FullName = '';

SELECT Listener.*, count(play.play_id) AS plays
FROM Listener
LEFT JOIN play ON play.listener_id = Listener.ListenerId
GROUP BY Listener.ListenerId;

SELECT listener_id, max(started_at) AS at, song_id, client FROM play GROUP BY listener_id;

SELECT song_id, sum(ms_played) AS ms
FROM play
GROUP BY song_id
ORDER BY ms DESC
LIMIT (SELECT count(*) / 10 FROM song);

SELECT p.listener_id, count(*) AS full_plays
FROM play p JOIN song s ON s.song_id = p.song_id
WHERE p.ms_played >= s.length_ms * 0.95
GROUP BY p.listener_id;

SELECT listener_id, date(started_at, 'weekday 1', '-7 days') AS monday, sum(ms_played) AS ms FROM play GROUP BY 1, 2 HAVING ms > 3600000 * 20;

SELECT DISTINCT p.client
FROM play p
WHERE p.client NOT IN ('web', 'ios', 'android') AND p.client NOT NULL;

SELECT x.listener_id, x.song_id, y.started_at
FROM play x CROSS JOIN play y
WHERE x.listener_id = y.listener_id
  AND x.song_id = y.song_id
  AND x.play_id <> y.play_id
  AND abs(strftime('%s', x.started_at) - strftime('%s', y.started_at)) < 5;

SELECT l.Nick, group_concat(p.name, ' & ') AS follows
FROM Listener l, follow f, performer p
WHERE l.ListenerId = f.follower_id AND f.performer_id = p.performer_id AND f.since < l.JoinedOn
GROUP BY l.ListenerId;

SELECT d.title, d.disc_id
FROM disc d
WHERE NOT EXISTS (
  SELECT 1 FROM song s
  WHERE s.disc_id = d.disc_id
    AND NOT EXISTS (SELECT 1 FROM play p WHERE p.song_id = s.song_id AND p.listener_id = $me)
);

SELECT CASE WHEN minutes < 10 THEN 'a bit' WHEN minutes < 60 THEN 'some' ELSE 'a lot' END AS level, count(*) AS days
FROM listener_day
GROUP BY level;

SELECT rated.stars, heard.n
FROM (SELECT song_id, avg(stars) AS stars FROM rating GROUP BY song_id) AS rated
FULL JOIN (SELECT song_id, count(*) AS n FROM play GROUP BY song_id) AS heard ON heard.song_id = rated.song_id
WHERE rated.song_id IS NULL OR heard.song_id IS NULL;

SELECT song_id, stars, n FROM rating RIGHT JOIN (SELECT song_id, count(*) AS n FROM play GROUP BY song_id) USING (song_id) WHERE stars IS NULL ORDER BY n DESC;
