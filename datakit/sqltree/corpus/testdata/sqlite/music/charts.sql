SELECT song, performer, plays, rank() OVER (ORDER BY plays DESC) AS place FROM top_song LIMIT 40;

SELECT "Week", song_id, "Rank", min("Rank") OVER (PARTITION BY song_id) AS peak, count(*) OVER (PARTITION BY song_id) AS weeks
FROM "Chart Entry"
WHERE "Chart" = 'weekly';

SELECT * FROM (
  SELECT f.year, f.performer, f.song, count(p.play_id) AS n,
         row_number() OVER (PARTITION BY f.year ORDER BY count(p.play_id) DESC, f.song) AS pos
  FROM song_full f LEFT JOIN play p ON p.song_id = f.song_id
  GROUP BY f.song_id
)
WHERE pos <= 10;

INSERT INTO "Chart Entry" ("Chart", "Week", "Rank", song_id, "Last Rank")
SELECT 'weekly', strftime('%Y-W%W', 'now'), row_number() OVER (ORDER BY n DESC), t.song_id, e."Rank"
FROM (SELECT song_id, count(*) AS n FROM play WHERE started_at >= datetime('now', '-7 days') GROUP BY song_id) AS t
LEFT JOIN "Chart Entry" AS e ON e.song_id = t.song_id AND e."Week" = strftime('%Y-W%W', 'now', '-7 days') AND e."Chart" = 'weekly'
ORDER BY n DESC
LIMIT 40;

UPDATE "Chart Entry" AS cur
SET "Last Rank" = prev."Rank"
FROM "Chart Entry" AS prev
WHERE prev."Chart" = cur."Chart" AND prev.song_id = cur.song_id
  AND prev."Week" = (SELECT max("Week") FROM "Chart Entry" WHERE "Week" < cur."Week");

DELETE FROM [Chart Entry] WHERE [Rank] > 100 OR song_id IS NULL RETURNING [Chart], [Week], [Rank];

SELECT day, plays,
       avg(plays) OVER (ORDER BY day ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING) AS smooth,
       plays - lag(plays, 7, 0) OVER (ORDER BY day) AS vs_week_ago
FROM (SELECT day, sum(plays) AS plays FROM listener_day GROUP BY day);

WITH daily AS (
  SELECT substr(started_at, 1, 10) AS d, song_id, count(*) AS n
  FROM play
  GROUP BY 1, 2
)
SELECT d, song_id, n,
       sum(n) OVER cumulative AS so_far,
       first_value(song_id) OVER best AS leader,
       nth_value(song_id, 2) OVER (best ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS second
FROM daily
WINDOW cumulative AS (PARTITION BY song_id ORDER BY d), best AS (PARTITION BY d ORDER BY n DESC);

SELECT stars, count(*) AS n, sum(count(*)) OVER (ORDER BY stars DESC GROUPS UNBOUNDED PRECEDING) AS at_least
FROM rating
GROUP BY stars;

select song_id, avg(stars) over (partition by song_id order by rated_at groups between 1 preceding and 1 following exclude group)
from rating;

SELECT s.title, s.bpm, count(*) OVER (ORDER BY s.bpm RANGE BETWEEN 2.5 PRECEDING AND 2.5 FOLLOWING EXCLUDE CURRENT ROW) AS mixable FROM song s WHERE s.bpm NOTNULL;

SELECT disc_id, title, position,
       sum(length_ms) OVER running - length_ms AS starts_at,
       lead(title, 1, '(end)') OVER running AS next_title
FROM song
WINDOW running AS (PARTITION BY disc_id ORDER BY side, position ROWS UNBOUNDED PRECEDING)
ORDER BY disc_id, side, position;

-- longest run of days on which somebody listened
SELECT listener_id, count(*) AS days, min(day) AS from_day, max(day) AS to_day
FROM (
  SELECT listener_id, day, julianday(day) - dense_rank() OVER (PARTITION BY listener_id ORDER BY day) AS grp
  FROM listener_day
)
GROUP BY listener_id, grp
ORDER BY days DESC
LIMIT 10;

SELECT performer, disc, year, year - lag(year) OVER (PARTITION BY performer_id ORDER BY year) AS pause
FROM (SELECT DISTINCT performer, performer_id, disc, year FROM song_full)
ORDER BY pause DESC NULLS LAST;

SELECT genre, share FROM (
  SELECT st.name AS genre, round(sum(ss.weight) / sum(sum(ss.weight)) OVER (), 4) AS share
  FROM style st JOIN song_style ss USING (style_id)
  GROUP BY st.style_id
) WHERE share >= 0.01 ORDER BY share DESC;

SELECT e."Week", e."Rank", e.song_id,
       CASE WHEN e."Last Rank" IS NULL THEN 'new'
            WHEN e."Last Rank" > e."Rank" THEN 'up ' || (e."Last Rank" - e."Rank")
            WHEN e."Last Rank" < e."Rank" THEN 'down ' || (e."Rank" - e."Last Rank")
            ELSE '=' END AS move
FROM "Chart Entry" e
WHERE e."Week" >= '2024-W01'
ORDER BY e."Week", e."Rank";

SELECT c."Chart", count(DISTINCT c.song_id) AS number_ones
FROM "Chart Entry" AS c
WHERE c."Rank" = 1
GROUP BY c."Chart"
ORDER BY number_ones DESC;

SELECT client, hour, n, max(n) OVER (PARTITION BY client) = n AS is_peak
FROM (SELECT client, strftime('%H', started_at) AS hour, count(*) AS n FROM play GROUP BY client, hour);

SELECT DISTINCT d.performer_id, first_value(d.title) OVER (PARTITION BY d.performer_id ORDER BY d.released) AS debut, last_value(d.title) OVER (PARTITION BY d.performer_id ORDER BY d.released ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS latest
FROM disc d;

SELECT q, count(*), min(plays), max(plays)
FROM (SELECT ntile(10) OVER (ORDER BY plays) AS q, plays FROM top_song)
GROUP BY q;

SELECT song_id, day, n, sum(n) FILTER (WHERE n > 10) OVER (PARTITION BY song_id ORDER BY day ROWS 6 PRECEDING) AS busy
FROM (SELECT song_id, date(started_at) AS day, count(*) AS n FROM play GROUP BY song_id, day);

SELECT p.listener_id, p.started_at, s.disc_id,
       row_number() OVER (PARTITION BY p.listener_id ORDER BY p.started_at)
       - row_number() OVER (PARTITION BY p.listener_id, s.disc_id ORDER BY p.started_at) AS run
FROM play p JOIN song s ON s.song_id = p.song_id;

SELECT song_id, percent_rank() OVER (ORDER BY avg(stars)) AS pr
FROM rating
GROUP BY song_id
HAVING count(*) >= 3
ORDER BY pr DESC;

SELECT max(place)
FROM (SELECT dense_rank() OVER (ORDER BY "Total" DESC) AS place FROM "Revenue By Month");

WITH w AS (SELECT "Week" AS week, song_id, "Rank" AS r FROM "Chart Entry" WHERE "Chart" = ?1)
SELECT a.week, group_concat(f.song || ' (' || a.r || ')', ', ') AS climbers
FROM w a JOIN w b ON b.song_id = a.song_id AND b.r > a.r AND b.week < a.week JOIN song_full f ON f.song_id = a.song_id
GROUP BY a.week;
