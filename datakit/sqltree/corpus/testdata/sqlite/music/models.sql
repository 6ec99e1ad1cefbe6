-- listens with everything a BI tool needs in one row
SELECT
    p.play_id,
    p.started_at,
    date(p.started_at)                                   AS play_date,
    CASE
        WHEN strftime('%H', p.started_at) < '06' THEN 'night'
        WHEN strftime('%H', p.started_at) < '12' THEN 'morning'
        WHEN strftime('%H', p.started_at) < '18' THEN 'afternoon'
        ELSE 'evening'
    END                                                  AS part_of_day,
    l.Nick                                               AS listener,
    coalesce(c.name, 'unknown')                          AS listener_country,
    s.title                                              AS song,
    d.title                                              AS disc,
    d.year / 10 * 10                                     AS decade,
    pf.name                                              AS performer,
    rl.name                                              AS label,
    p.ms_played * 1.0 / nullif(s.length_ms, 0)           AS completion,
    r.stars
FROM play p
JOIN Listener l        ON l.ListenerId = p.listener_id
LEFT JOIN country c    ON c.iso = l.Country
JOIN song s            ON s.song_id = p.song_id
JOIN disc d            ON d.disc_id = s.disc_id
JOIN performer pf      ON pf.performer_id = d.performer_id
LEFT JOIN record_label rl ON rl.label_id = d.label_id
LEFT JOIN rating r     ON r.song_id = p.song_id AND r.listener_id = p.listener_id
WHERE p.started_at >= ?
ORDER BY p.started_at;

with plays as (

    select song_id, listener_id, count(*) as n, sum(skipped) as skips, max(started_at) as last_at
    from play
    group by song_id, listener_id

),

stars as (

    select song_id, listener_id, stars from rating

),

signals as (

    select
        plays.listener_id
        , plays.song_id
        , ln(1 + plays.n) - 0.7 * plays.skips as heard
        , coalesce(stars.stars - 3, 0) as liked
        , exp(-(julianday('now') - julianday(plays.last_at)) / 90.0) as fresh
    from plays
    left join stars
        on stars.song_id = plays.song_id
        and stars.listener_id = plays.listener_id

)

select
    listener_id
    , song_id
    , round(heard * fresh + liked, 4) as affinity
    , row_number() over (partition by listener_id order by heard * fresh + liked desc) as place
from signals;

CREATE TABLE dim_song AS
SELECT s.song_id,
       s.title,
       f.disc,
       f.performer,
       f.year,
       (SELECT group_concat(st.name, '/') FROM song_style ss JOIN style st ON st.style_id = ss.style_id WHERE ss.song_id = s.song_id) AS styles,
       (SELECT group_concat(DISTINCT pf.name) FROM credit c JOIN performer pf ON pf.performer_id = c.performer_id WHERE c.song_id = s.song_id AND c.role = 'composer') AS composers,
       m.codec,
       m.bitrate
FROM song AS s
JOIN song_full AS f ON f.song_id = s.song_id
LEFT JOIN (
  SELECT song_id, codec, max(bitrate) AS bitrate
  FROM media_file
  WHERE ok
  GROUP BY song_id
) AS m ON m.song_id = s.song_id;

WITH mine AS (
  SELECT DISTINCT s.song_id, d.performer_id
  FROM play p
  JOIN song s ON s.song_id = p.song_id
  JOIN disc d ON d.disc_id = s.disc_id
  WHERE p.listener_id = :me AND p.skipped = 0
),
neighbours AS (
  SELECT p.listener_id, count(DISTINCT p.song_id) AS overlap
  FROM play p
  WHERE p.song_id IN (SELECT song_id FROM mine)
    AND p.listener_id <> :me
  GROUP BY p.listener_id
  ORDER BY overlap DESC
  LIMIT 25
),
candidates AS (
  SELECT p.song_id, sum(n.overlap) AS score, count(DISTINCT p.listener_id) AS backers
  FROM neighbours n
  JOIN play p ON p.listener_id = n.listener_id AND NOT p.skipped
  WHERE p.song_id NOT IN (SELECT song_id FROM mine)
  GROUP BY p.song_id
)
SELECT f.song,
       f.performer,
       c.score,
       c.backers,
       f.performer_id IN (SELECT performer_id FROM mine) AS known_performer
FROM candidates c
JOIN song_full f ON f.song_id = c.song_id
WHERE c.backers > 1
ORDER BY known_performer, c.score DESC
LIMIT 30;

INSERT INTO "Chart Entry" ("Chart", "Week", "Rank", song_id, "Last Rank")
WITH week AS (
  SELECT strftime('%Y-W%W', started_at) AS w, song_id, count(DISTINCT listener_id) AS listeners, count(*) AS n
  FROM play
  WHERE NOT skipped
  GROUP BY w, song_id
),
ranked AS (
  SELECT w, song_id, rank() OVER (PARTITION BY w ORDER BY listeners DESC, n DESC) AS r
  FROM week
)
SELECT 'history', cur.w, cur.r, cur.song_id, prev.r
FROM ranked cur
LEFT JOIN ranked prev
  ON prev.song_id = cur.song_id
 AND prev.w = (SELECT max(w) FROM week WHERE week.w < cur.w)
WHERE cur.r <= 50
ON CONFLICT ("Chart", "Week", "Rank") DO UPDATE
SET song_id = excluded.song_id,
    "Last Rank" = excluded."Last Rank"
WHERE "Chart Entry".song_id IS NOT excluded.song_id
RETURNING "Week", "Rank", song_id;

SELECT
  perf.name                                        AS "Performer",
  stats.discs                                      AS "Discs",
  stats.first_year || '-' || stats.last_year       AS "Years",
  coalesce(listen.plays, 0)                        AS "Plays",
  coalesce(sales.revenue, 0)                       AS "Revenue",
  round(coalesce(sales.revenue, 0) / nullif(listen.plays, 0), 4) AS "Per play"
FROM performer AS perf
INNER JOIN (
    SELECT performer_id, count(*) AS discs, min(year) AS first_year, max(year) AS last_year
    FROM disc
    GROUP BY performer_id
) AS stats USING (performer_id)
LEFT JOIN (
    SELECT d.performer_id, count(*) AS plays
    FROM play AS pl
    INNER JOIN song AS s USING (song_id)
    INNER JOIN disc AS d USING (disc_id)
    GROUP BY d.performer_id
) AS listen USING (performer_id)
LEFT JOIN (
    SELECT f.performer_id, sum(x.amount) AS revenue
    FROM purchase_line AS x
    INNER JOIN purchase AS p ON p.purchase_id = x.purchase_id AND p.paid
    INNER JOIN song_full AS f ON f.song_id = x.song_id
    GROUP BY f.performer_id
) AS sales USING (performer_id)
WHERE perf.kind <> 'orchestra'
ORDER BY "Revenue" DESC, "Plays" DESC, "Performer"
LIMIT 100;

WITH RECURSIVE slots(n, starts) AS (
  SELECT 1, 0
  UNION ALL
  SELECT slots.n + 1, slots.starts + (
    SELECT s.length_ms
    FROM playlist_song ps
    JOIN song s ON s.song_id = ps.song_id
    WHERE ps.playlist_id = :playlist AND ps.position = slots.n
  )
  FROM slots
  WHERE slots.n <= (SELECT max(position) FROM playlist_song WHERE playlist_id = :playlist)
)
SELECT slots.n AS no,
       time(slots.starts / 1000, 'unixepoch') AS at,
       f.song,
       f.performer
FROM slots
JOIN playlist_song AS ps ON ps.playlist_id = :playlist AND ps.position = slots.n
JOIN song_full AS f USING (song_id)
ORDER BY slots.n;

UPDATE song
SET features = json_set(
      coalesce(features, '{}'),
      '$.popularity', agg.popularity,
      '$.skip_rate', agg.skip_rate
    ),
    explicit = explicit OR agg.flagged
FROM (
  SELECT p.song_id,
         round(count(*) * 100.0 / (SELECT count(*) FROM play), 3) AS popularity,
         round(avg(p.skipped), 3) AS skip_rate,
         EXISTS (SELECT 1 FROM lyric ly WHERE ly.song_id = p.song_id AND ly.words LIKE '%damn%') AS flagged
  FROM play p
  GROUP BY p.song_id
) AS agg
WHERE agg.song_id = song.song_id
  AND (features ->> '$.popularity' IS NOT agg.popularity OR agg.flagged);

select l.Nick as nick
     , strftime('%Y-%m', p.started_at) as month
     , count(*) as plays
     , count(distinct d.performer_id) as performers
     , count(distinct case when fresh.song_id is not null then p.song_id end) as discoveries
     , 1.0 - count(distinct d.performer_id) * 1.0 / count(*) as loyalty
from play p
join Listener l on l.ListenerId = p.listener_id
join song s on s.song_id = p.song_id
join disc d on d.disc_id = s.disc_id
left join (
    select listener_id, song_id, strftime('%Y-%m', min(started_at)) as first_month
    from play
    group by listener_id, song_id
) fresh
    on fresh.listener_id = p.listener_id
    and fresh.song_id = p.song_id
    and fresh.first_month = strftime('%Y-%m', p.started_at)
where p.started_at >= date('now', '-1 year')
group by l.ListenerId, month
having plays >= 10
order by nick, month;

-- royalties: the shares of a song, the rest goes to the performer of the disc
WITH sold AS (
  SELECT pl.song_id, sum(pl.amount) AS amount
  FROM purchase_line pl
  JOIN purchase pu ON pu.purchase_id = pl.purchase_id
  WHERE pu.paid AND pu.bought_at BETWEEN :from AND :to
  GROUP BY pl.song_id
), shared AS (
  SELECT c.song_id, c.performer_id, c.share * sold.amount AS due
  FROM credit c
  JOIN sold ON sold.song_id = c.song_id
  WHERE c.share > 0
), rest AS (
  SELECT sold.song_id,
         d.performer_id,
         sold.amount - coalesce((SELECT sum(due) FROM shared WHERE shared.song_id = sold.song_id), 0) AS due
  FROM sold
  JOIN song s USING (song_id)
  JOIN disc d USING (disc_id)
), dues AS (
  SELECT performer_id, due, 'share' AS why FROM shared
  UNION ALL
  SELECT performer_id, due, 'rest' FROM rest WHERE due > 0
)
SELECT p.name,
       round(sum(due) FILTER (WHERE why = 'share'), 2) AS shares,
       round(sum(due) FILTER (WHERE why = 'rest'), 2) AS rest,
       round(sum(due), 2) AS total
FROM dues
JOIN performer p USING (performer_id)
GROUP BY performer_id
HAVING total >= 10
ORDER BY total DESC;

CREATE VIEW listening_session AS
WITH gaps AS (
  SELECT play_id,
         listener_id,
         started_at,
         ms_played,
         julianday(started_at) - julianday(lag(started_at) OVER w) > 30.0 / 1440 AS is_start
  FROM play
  WINDOW w AS (PARTITION BY listener_id ORDER BY started_at)
),
numbered AS (
  SELECT *, sum(coalesce(is_start, 1)) OVER (PARTITION BY listener_id ORDER BY started_at) AS session_no
  FROM gaps
)
SELECT listener_id, session_no, min(started_at) AS began, max(started_at) AS ended, count(*) AS plays, sum(ms_played) AS ms
FROM numbered
GROUP BY listener_id, session_no;

DELETE FROM media_file
WHERE file_id IN (
	SELECT worse.file_id
	FROM media_file AS worse
	JOIN media_file AS better
		ON better.song_id = worse.song_id
		AND better.file_id <> worse.file_id
	WHERE worse.song_id IS NOT NULL
		AND better.ok
		AND (
			better.bitrate > worse.bitrate
			OR better.bitrate = worse.bitrate AND better.codec IN ('flac', 'alac') AND worse.codec = 'mp3'
			OR better.bitrate IS worse.bitrate AND better.file_id < worse.file_id
		)
)
RETURNING file_id, path, bytes;

SELECT w."Week",
       max(CASE WHEN w."Rank" = 1 THEN f.song END) AS first,
       max(CASE WHEN w."Rank" = 2 THEN f.song END) AS second,
       max(CASE WHEN w."Rank" = 3 THEN f.song END) AS third,
       count(*) FILTER (WHERE w."Last Rank" IS NULL) AS newcomers,
       avg(abs(w."Rank" - w."Last Rank")) AS churn
FROM "Chart Entry" AS w
LEFT JOIN song_full AS f ON f.song_id = w.song_id
WHERE w."Chart" = :chart
GROUP BY w."Week"
HAVING newcomers < 40
ORDER BY w."Week" DESC
LIMIT 52;

INSERT INTO purchase_line (purchase_id, line_no, song_id, price, quantity)
SELECT :purchase,
       coalesce((SELECT max(line_no) FROM purchase_line WHERE purchase_id = :purchase), 0) + row_number() OVER (ORDER BY w.plays DESC),
       w.song_id,
       w.price,
       1
FROM (
  SELECT s.song_id, s.price, count(*) AS plays
  FROM play p
  JOIN song s ON s.song_id = p.song_id
  WHERE p.listener_id = (SELECT listener_id FROM purchase WHERE purchase_id = :purchase)
    AND s.song_id NOT IN (
      SELECT x.song_id
      FROM purchase_line x
      JOIN purchase y ON y.purchase_id = x.purchase_id
      WHERE y.listener_id = p.listener_id
    )
  GROUP BY s.song_id
  HAVING plays >= 20
) AS w
WHERE w.price > 0;

SELECT b.name AS band,
       json_group_array(
         json_object(
           'name', m.name,
           'role', ms.role,
           'years', coalesce(ms.since, '?') || '-' || coalesce(ms.until, ''),
           'also', (
             SELECT json_group_array(o.name)
             FROM membership om
             JOIN performer o ON o.performer_id = om.band_id
             WHERE om.member_id = ms.member_id
               AND om.band_id <> ms.band_id
           )
         )
         ORDER BY ms.since, m.name
       ) AS line_up
FROM performer b
JOIN membership ms ON ms.band_id = b.performer_id
JOIN performer m ON m.performer_id = ms.member_id
WHERE b.kind = 'group'
GROUP BY b.performer_id
HAVING count(*) > 2;

WITH bounds AS (
  SELECT min(bpm) AS lo, max(bpm) AS hi FROM song WHERE bpm BETWEEN 40 AND 240
),
bins AS (
  SELECT cast((s.bpm - b.lo) / ((b.hi - b.lo) / 12) AS INTEGER) AS bin, s.song_id, s.bpm
  FROM song s, bounds b
  WHERE s.bpm >= b.lo AND s.bpm <= b.hi
)
SELECT bin,
       printf('%.0f - %.0f', min(bpm), max(bpm)) AS tempo,
       count(*) AS songs,
       (SELECT count(*) FROM play WHERE song_id IN (SELECT song_id FROM bins x WHERE x.bin = bins.bin)) AS plays
FROM bins
GROUP BY bin
ORDER BY bin;

SELECT coalesce(bought.country, heard.country) AS country,
       bought.revenue,
       heard.hours,
       rank() OVER (ORDER BY bought.revenue DESC NULLS LAST) AS revenue_rank,
       rank() OVER (ORDER BY heard.hours DESC NULLS LAST) AS hours_rank
FROM (
  SELECT p.country, sum(l.amount) AS revenue
  FROM purchase p NATURAL JOIN purchase_line l
  GROUP BY p.country
) AS bought
FULL JOIN (
  SELECT li.Country AS country, sum(pl.ms_played) / 3600000.0 AS hours
  FROM play pl
  JOIN Listener li ON li.ListenerId = pl.listener_id
  GROUP BY li.Country
) AS heard ON heard.country = bought.country
ORDER BY revenue_rank + hours_rank;

WITH RECURSIVE
closure(ancestor, style_id) AS (
  SELECT style_id, style_id FROM style
  UNION ALL
  SELECT closure.ancestor, style.style_id
  FROM closure
  JOIN style ON style.parent_id = closure.style_id
),
weights AS (
  SELECT closure.ancestor AS style_id, ss.song_id, max(ss.weight) AS weight
  FROM closure
  JOIN song_style ss ON ss.style_id = closure.style_id
  GROUP BY closure.ancestor, ss.song_id
)
SELECT sp.path,
       count(*) AS songs,
       round(sum(w.weight), 1) AS weight,
       sum((SELECT count(*) FROM play WHERE play.song_id = w.song_id)) AS plays
FROM weights w
JOIN style_path sp USING (style_id)
GROUP BY style_id
ORDER BY sp.path;

SELECT p.playlist_id,
       p.name,
       owner.Nick AS owner,
       problems.problem,
       problems.n
FROM playlist p
JOIN Listener owner ON owner.ListenerId = p.owner_id
JOIN (
  SELECT playlist_id, 'gap in positions' AS problem, max(position) - count(*) AS n
  FROM playlist_song
  GROUP BY playlist_id
  HAVING max(position) > count(*)
  UNION ALL
  SELECT ps.playlist_id, 'song without a file', count(*)
  FROM playlist_song ps
  LEFT JOIN media_file mf ON mf.song_id = ps.song_id AND mf.ok
  WHERE mf.file_id IS NULL
  GROUP BY ps.playlist_id
  UNION ALL
  SELECT playlist_id, 'twice the same song', count(*) - count(DISTINCT song_id)
  FROM playlist_song
  GROUP BY playlist_id
  HAVING count(*) > count(DISTINCT song_id)
) AS problems USING (playlist_id)
ORDER BY owner, p.name, problems.n DESC;
