SELECT id, title, row_number() OVER (PARTITION BY folder_id ORDER BY updated_at DESC) AS rn FROM note;

SELECT * FROM (
  SELECT n.id, n.folder_id, n.title, rank() OVER (PARTITION BY n.folder_id ORDER BY n.word_count DESC) AS place
  FROM note n
)
WHERE place <= 3
ORDER BY folder_id, place;

SELECT habit_id, day, amount,
       sum(amount) OVER w AS running,
       avg(amount) OVER (w ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week_mean
FROM habit_log
WINDOW w AS (PARTITION BY habit_id ORDER BY day)
ORDER BY habit_id, day;

SELECT day, mood,
       first_value(mood) OVER (ORDER BY day GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) AS neighbour,
       count(*) OVER (ORDER BY day GROUPS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES) AS seen,
       sum(amount) OVER (ORDER BY day GROUPS CURRENT ROW EXCLUDE GROUP) AS others
FROM habit_log;

SELECT m.conversation_id, m.id, m.sent_at - lag(m.sent_at) OVER (PARTITION BY m.conversation_id ORDER BY m.sent_at) AS gap
FROM message m
WHERE m.deleted = 0
ORDER BY gap DESC NULLS LAST
LIMIT 20;

-- sessions: a new one begins after half an hour of silence
WITH marked AS (
  SELECT id, device_id, ts, name,
         (ts - lag(ts, 1, ts) OVER by_device) * 1440 > 30 AS is_new
  FROM event
  WINDOW by_device AS (PARTITION BY device_id ORDER BY ts)
)
SELECT id, device_id, sum(is_new) OVER (PARTITION BY device_id ORDER BY ts ROWS UNBOUNDED PRECEDING) AS session_no
FROM marked;

SELECT label, n, ntile(4) OVER (ORDER BY n DESC) AS quartile, percent_rank() OVER (ORDER BY n) AS pr, cume_dist() OVER (ORDER BY n) AS cd
FROM (SELECT t.label, count(nt.note_id) AS n FROM tag t LEFT JOIN note_tag nt ON nt.tag_id = t.id GROUP BY t.id);

SELECT account_id, count(*) AS notes, sum(count(*)) OVER () AS all_notes, round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS pct
FROM note
GROUP BY account_id;

select note_id, rev, length(body) - length(lag(body) over (partition by note_id order by rev)) as delta
from note_revision;

SELECT day,
       max(amount) FILTER (WHERE mood >= 4) OVER (ORDER BY day ROWS BETWEEN 29 PRECEDING AND 1 PRECEDING) AS best_when_happy
FROM habit_log
WHERE habit_id = ?;

SELECT id, sent_at, lead(sent_at, 1) OVER win AS next_at, last_value(id) OVER (win RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS final_id
FROM message
WINDOW win AS (PARTITION BY conversation_id ORDER BY sent_at);

SELECT habit_id, nth_value(day, 2) OVER (PARTITION BY habit_id ORDER BY amount DESC, day) AS second_best
FROM habit_log
GROUP BY habit_id;

SELECT name, dense_rank() OVER (ORDER BY target DESC) AS d, rank() OVER (ORDER BY target DESC) AS r, row_number() OVER (ORDER BY target DESC, id) AS n
FROM habit
WHERE archived = 0
ORDER BY n;

SELECT date(sent_at, 'unixepoch') AS d,
       count(*) AS sent,
       sum(count(*)) OVER (ORDER BY date(sent_at, 'unixepoch')) AS so_far
FROM message
GROUP BY d
ORDER BY d;

SELECT id
     , size
     , sum(size) OVER (ORDER BY size DESC, id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS cumulative
     , sum(size) OVER () AS everything
FROM attachment
ORDER BY cumulative;

WITH ranked AS (
  SELECT c."contactId" AS contact, r.emoji, count(*) AS n,
         row_number() OVER (PARTITION BY c."contactId" ORDER BY count(*) DESC, r.emoji) AS pos
  FROM reaction r JOIN "Contact" c ON c."contactId" = r.contact_id
  GROUP BY c."contactId", r.emoji
)
SELECT contact, emoji AS favourite FROM ranked WHERE pos = 1;

SELECT fire_at, count(*) OVER (ORDER BY fire_at RANGE BETWEEN 3600 PRECEDING AND 3600 FOLLOWING) AS crowd
FROM reminder
WHERE done_at IS NULL;

SELECT DISTINCT folder_id, count(*) OVER (PARTITION BY folder_id) AS size, max(updated_at) OVER (PARTITION BY folder_id) AS touched FROM note WHERE folder_id IS NOT NULL;

SELECT habit_id, day, group_concat(day, ' ') OVER (PARTITION BY habit_id ORDER BY day ROWS 2 PRECEDING) AS last_three
FROM habit_log;

SELECT id, title, updated_at
FROM note
ORDER BY row_number() OVER (PARTITION BY folder_id ORDER BY updated_at DESC), folder_id
LIMIT 12;

SELECT *, total(amount) OVER (PARTITION BY strftime('%Y-%W', day)) AS in_week
FROM habit_log
WHERE habit_id = 7;

SELECT cm.conversation_id, cm.contact_id,
       min(cm.joined_at) OVER same AS opened,
       cm.joined_at - min(cm.joined_at) OVER same AS later
FROM conversation_member AS cm
WINDOW same AS (PARTITION BY cm.conversation_id), unused AS (ORDER BY cm.joined_at);

SELECT x.d, x.streak, max(x.streak) OVER (PARTITION BY x.habit_id) AS best
FROM (
  SELECT habit_id, day AS d,
         row_number() OVER (PARTITION BY habit_id, grp ORDER BY day) AS streak
  FROM (
    SELECT habit_id, day, date(day, '-' || row_number() OVER (PARTITION BY habit_id ORDER BY day) || ' days') AS grp
    FROM habit_log
    WHERE amount > 0
  )
) AS x
ORDER BY x.d;

SELECT "order", name, "order" - row_number() OVER (ORDER BY "order", id) + 1 AS hole
FROM folder
WHERE account_id = :me;

SELECT seq, entity, op, row_number() OVER (PARTITION BY entity, entity_id ORDER BY seq DESC) = 1 AS is_last FROM [sync queue];

UPDATE folder SET "order" = r.rn
FROM (SELECT id, row_number() OVER (PARTITION BY parent_id ORDER BY name) AS rn FROM folder) AS r
WHERE r.id = folder.id AND folder."order" IS NOT r.rn;

DELETE FROM note_revision
WHERE (note_id, rev) IN (
  SELECT note_id, rev
  FROM (SELECT note_id, rev, row_number() OVER (PARTITION BY note_id ORDER BY rev DESC) AS age FROM note_revision)
  WHERE age > 20
);

SELECT json_group_array(day) FILTER (WHERE amount >= 1) OVER (ORDER BY day ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING EXCLUDE NO OTHERS)
FROM habit_log
WHERE habit_id = ?1 AND day >= ?2;

SELECT platform, last_seen_at, avg(last_seen_at) OVER (PARTITION BY platform ORDER BY last_seen_at DESC NULLS LAST)
FROM device;
