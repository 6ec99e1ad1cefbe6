SELECT h.id, h.name, h.target, coalesce(l.amount, 0) AS done, round(100.0 * coalesce(l.amount, 0) / h.target) AS pct
FROM habit h LEFT JOIN habit_log l ON l.habit_id = h.id AND l.day = date('now', 'localtime')
WHERE h.archived = 0 AND date('now') BETWEEN h.starts_on AND coalesce(h.ends_on, '9999-12-31');

SELECT day, sum(amount) FROM habit_log WHERE habit_id = ? GROUP BY day ORDER BY day DESC LIMIT 7;

SELECT strftime('%Y-%m', day) AS month,
       count(DISTINCT day) AS days,
       sum(amount) AS amount,
       avg(mood) AS mood
FROM habit_log
WHERE month >= strftime('%Y-%m', 'now', '-11 months')
GROUP BY month;

SELECT h.name,
       sum(strftime('%w', l.day) = '0') AS sun,
       sum(strftime('%w', l.day) = '1') AS mon,
       sum(strftime('%w', l.day) = '2') AS tue,
       sum(strftime('%w', l.day) = '3') AS wed,
       sum(strftime('%w', l.day) = '4') AS thu,
       sum(strftime('%w', l.day) = '5') AS fri,
       sum(strftime('%w', l.day) = '6') AS sat
FROM habit h INNER JOIN habit_log l ON h.id = l.habit_id
GROUP BY h.id;

SELECT name, best FROM best_streak ORDER BY best DESC, name LIMIT 3;

SELECT s.habit_id, s.days, julianday('now') - julianday(s.last_day) AS since
FROM habit_streak s
WHERE since < 2 AND s.days >= 7;

-- correlation of the mood with what was done
SELECT l.habit_id,
       (avg(l.amount * l.mood) - avg(l.amount) * avg(l.mood))
         / nullif(sqrt(avg(l.amount * l.amount) - pow(avg(l.amount), 2)) * sqrt(avg(l.mood * l.mood) - pow(avg(l.mood), 2)), 0) AS r
FROM habit_log l
WHERE l.mood NOT NULL
GROUP BY l.habit_id
HAVING count(*) >= 10
ORDER BY abs(r) DESC;

SELECT habit.name, habit.icon, habit.oid
FROM habit
WHERE habit.rowid IN (SELECT reminder.habit_id FROM reminder WHERE reminder.habit_id = habit.oid);

SELECT a.habit_id, b.habit_id, count(*) AS both_done
FROM habit_log a JOIN habit_log b ON a.day = b.day AND a.habit_id < b.habit_id
GROUP BY a.habit_id, b.habit_id
HAVING both_done > 14;

SELECT h.name
FROM habit AS h
WHERE (SELECT max(day) FROM habit_log WHERE habit_id = h.id) < date('now', '-14 days') OR NOT EXISTS (SELECT NULL FROM habit_log WHERE habit_log.habit_id = h.id);

SELECT mood, count(*) AS n, printf('%.*s', count(*), '********************') AS bar FROM habit_log WHERE mood IN (1, 2, 3, 4, 5) GROUP BY mood ORDER BY mood DESC;

SELECT day
FROM habit_log
WHERE habit_id = 1
INTERSECT SELECT day
FROM habit_log
WHERE habit_id = 2
ORDER BY day;

SELECT unit, name, target
FROM habit
WHERE unit COLLATE NOCASE IN ('km', 'KM', 'miles')
ORDER BY name COLLATE RTRIM, target DESC;

SELECT name AS unit, unit AS name FROM habit GROUP BY unit, name ORDER BY unit;

SELECT h.*, (SELECT json_group_array(day) FROM (SELECT day FROM habit_log WHERE habit_id = h.id ORDER BY day DESC LIMIT 5)) AS last_days
FROM habit h
ORDER BY h.name;

SELECT median.amount
FROM (
  SELECT amount, row_number() OVER (ORDER BY amount) AS i, count(*) OVER () AS n
  FROM habit_log
  WHERE habit_id = :habit
) AS median
WHERE median.i = (median.n + 1) / 2;

SELECT date(day, 'weekday 0', '-6 days') AS week, habit_id, count(*) AS hits
FROM habit_log
GROUP BY week, habit_id
HAVING hits >= (SELECT json_array_length(schedule, '$.days') FROM habit WHERE id = habit_id);

SELECT r.id, h.name, time(r.fire_at, 'unixepoch', 'localtime') AS at
FROM reminder r JOIN habit h ON h.id = r.habit_id
WHERE r.snoozed < 3 AND r.rrule GLOB 'FREQ=DAILY*'
ORDER BY at;

SELECT remark
FROM habit_log
WHERE remark IS NOT NULL AND length(trim(remark, ' .!')) > 10
ORDER BY random()
LIMIT 1;

SELECT 'total' AS name, sum(amount) AS amount FROM habit_log
UNION ALL
SELECT * FROM (SELECT h.name, sum(l.amount) FROM habit h, habit_log l WHERE l.habit_id = h.id GROUP BY h.name ORDER BY 2 DESC LIMIT 5);

SELECT habit_id, group_concat(amount, '+') || '=' || sum(amount) AS calc
FROM habit_log
WHERE day > date('now', '-3 days')
GROUP BY habit_id;

SELECT name
FROM habit
WHERE id IN (SELECT habit_id FROM habit_log WHERE day = ?1) AND id NOT IN (SELECT habit_id FROM habit_log WHERE day = date(?1, '-1 day'));

WITH need AS (
  SELECT h.id, h.name, cast(d.value AS TEXT) AS dow
  FROM habit h, json_each(h.schedule, '$.days') d
),
got AS (
  SELECT habit_id, strftime('%w', day) AS dow, count(*) AS n
  FROM habit_log
  WHERE day >= date('now', '-56 days')
  GROUP BY habit_id, dow
)
SELECT need.name, need.dow, ifnull(got.n, 0) AS n, 8 - ifnull(got.n, 0) AS missed
FROM need LEFT JOIN got ON got.habit_id = need.id AND got.dow = need.dow
ORDER BY missed DESC;

SELECT h.name, x.day, x.amount
FROM habit h
JOIN (SELECT habit_id, day, max(amount) AS amount FROM habit_log GROUP BY habit_id) x ON x.habit_id = h.id;

SELECT strftime('%j', day) - strftime('%j', 'now', 'start of year') AS nth, total(amount) AS t FROM habit_log GROUP BY nth ORDER BY nth;

SELECT count(*) AS rows, count(mood) AS moods, min(day) AS "from", max(day) AS "to", sum(amount > 0) AS positive
FROM habit_log
WHERE habit_id = ?;

SELECT h.id, h.name
FROM habit h
WHERE h.account_id = 1 AND NOT EXISTS (SELECT 1 FROM json_each(h.schedule, '$.days') WHERE value = 6);

SELECT (SELECT name FROM habit WHERE id = l.habit_id) AS habit, day, amount
FROM habit_log AS l
ORDER BY habit, l.day DESC;
