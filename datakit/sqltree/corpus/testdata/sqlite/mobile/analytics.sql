SELECT date(ts) AS day, name, count(*) AS n
FROM event
WHERE ts > julianday('now') - 14
GROUP BY day, name
ORDER BY day, n DESC;

SELECT count(DISTINCT device_id) AS dau FROM event WHERE date(ts) = date('now');

WITH firsts AS (
  SELECT device_id, min(date(ts)) AS cohort FROM event GROUP BY device_id
), seen AS (
  SELECT DISTINCT device_id, date(ts) AS day FROM event
)
SELECT f.cohort,
       count(DISTINCT f.device_id) AS size,
       count(DISTINCT CASE WHEN julianday(s.day) - julianday(f.cohort) = 1 THEN s.device_id END) AS d1,
       count(DISTINCT CASE WHEN julianday(s.day) - julianday(f.cohort) = 7 THEN s.device_id END) AS d7
FROM firsts f JOIN seen s ON s.device_id = f.device_id
GROUP BY f.cohort
ORDER BY f.cohort;

SELECT e.session, (max(e.ts) - min(e.ts)) * 86400 AS seconds, count(*) AS events FROM event e GROUP BY e.session HAVING events > 1 ORDER BY seconds DESC;

SELECT name, lead_name, count(*) AS n
FROM (SELECT name, lead(name) OVER (PARTITION BY session ORDER BY ts) AS lead_name FROM event)
WHERE lead_name NOT NULL
GROUP BY name, lead_name
ORDER BY n DESC
LIMIT 0, 15;

SELECT a.locale, count(*) AS accounts, sum(a.deleted_at IS NOT NULL) AS closed, 1.0 * sum(a.deleted_at IS NOT NULL) / count(*) AS churn
FROM account a
GROUP BY a.locale
HAVING accounts >= 10
ORDER BY churn DESC;

SELECT strftime('%Y-W%W', created_at, 'unixepoch') AS week, count(*) AS new_notes,
       sum(count(*)) OVER (ORDER BY strftime('%Y-W%W', created_at, 'unixepoch')) AS total_notes
FROM note GROUP BY week;

SELECT (SELECT count(*) FROM note) * 1.0 / (SELECT count(*) FROM account WHERE deleted_at IS NULL) AS notes_per_account;

SELECT 10 * (word_count / 10) AS bin, count(*) AS freq, substr('##############################', 1, count(*)) AS bar
FROM note
GROUP BY bin
ORDER BY bin;

SELECT d.platform || ' ' || coalesce(d.os_version, '?') AS os, count(DISTINCT d.account_id) AS users, group_concat(DISTINCT d.model) AS models
FROM device AS d
GROUP BY os
ORDER BY users DESC;

select * from (select platform, count(*) n from device group by platform) natural join (select 'ios' platform, 'phone' kind union select 'web', 'browser');

SELECT id, email,
  CASE (SELECT count(*) FROM note WHERE note.account_id = account.id)
    WHEN 0 THEN 'idle' WHEN 1 THEN 'trial' ELSE 'active'
  END AS segment
FROM account
WHERE segment <> 'active'
ORDER BY segment, email;

SELECT segment, count(*) FROM (
  SELECT account.id, iif(count(note.id) > 100, 'heavy', iif(count(note.id) > 10, 'regular', 'light')) AS segment
  FROM account LEFT JOIN note ON note.account_id = account.id
  GROUP BY account.id
) GROUP BY segment;

SELECT e.props ->> '$.screen' AS screen, avg(e.props ->> '$.ms') AS mean_ms, max(e.props ->> '$.ms') AS worst_ms
FROM event e
WHERE e.name = 'render' AND screen IS NOT NULL
GROUP BY screen
HAVING mean_ms > 16
ORDER BY worst_ms DESC;

-- p90 of the render time
SELECT props ->> '$.ms' AS ms
FROM event
WHERE name = 'render'
ORDER BY ms
LIMIT 1
OFFSET (SELECT count(*) * 9 / 10 FROM event WHERE name = 'render');

SELECT m.mime, m.bytes, round(m.bytes * 100.0 / t.bytes, 2) AS pct
FROM (SELECT mime, sum(size) AS bytes FROM attachment GROUP BY mime) AS m,
     (SELECT sum(size) AS bytes FROM attachment) AS t
ORDER BY m.bytes DESC;

SELECT account.id, max(u.at) AS last_activity
FROM account
JOIN (
  SELECT account_id, updated_at AS at FROM note
  UNION ALL
  SELECT account_id, last_seen_at FROM device
  UNION ALL
  SELECT h.account_id, l.logged_at FROM habit h JOIN habit_log l ON l.habit_id = h.id
) AS u ON u.account_id = account.id
GROUP BY account.id
ORDER BY last_activity;

SELECT substr(email, 1 + instr(email, '@')) AS domain, count(*) n FROM account GROUP BY 1 HAVING n > 3 ORDER BY n DESC, domain COLLATE NOCASE;

SELECT f.name AS name, count(n.id) AS count, total(n.word_count) AS sum
FROM folder AS f
LEFT JOIN note AS n ON n.folder_id = f.id
GROUP BY f.id
ORDER BY count DESC, sum DESC, name;

SELECT n.account_id, group_concat(t.label, '|') AS labels
FROM note n, note_tag nt, tag t
WHERE n.id = nt.note_id AND nt.tag_id = t.id
GROUP BY n.account_id;

SELECT DISTINCT date(created_at, 'unixepoch') AS d FROM note
UNION
SELECT date(sent_at, 'unixepoch') FROM message
UNION
SELECT day FROM habit_log
ORDER BY d;

SELECT max(n) AS most, min(n) AS least, avg(n) AS mean
FROM (SELECT count(*) AS n FROM note_tag GROUP BY note_id);

SELECT t1.label AS a, t2.label AS b, count(*) AS n,
       round(count(*) * 1.0 / (SELECT count(DISTINCT note_id) FROM note_tag WHERE tag_id IN (t1.id, t2.id)), 3) AS jaccard
FROM note_tag x
JOIN note_tag y ON y.note_id = x.note_id AND y.tag_id > x.tag_id
JOIN tag t1 ON t1.id = x.tag_id
JOIN tag t2 ON t2.id = y.tag_id
GROUP BY t1.id, t2.id
HAVING n >= 3
ORDER BY jaccard DESC;

SELECT hex(zeroblob(2)) || lower(hex(randomblob(2))) AS token, abs(random() % 10) AS digit, last_insert_rowid() AS last_id, changes() AS touched, total_changes();

SELECT id, title FROM note WHERE (word_count & 1) = 0 AND ~pinned & 1 AND id << 1 > 10 AND (id | 4) % 3 = 0;

SELECT count(*) FILTER (WHERE archived), count(*) FILTER (WHERE pinned AND NOT archived), count(*) FILTER (WHERE folder_id IS NULL)
FROM note;

SELECT account_id
FROM note
GROUP BY account_id
HAVING sum(word_count) > (SELECT avg(w) FROM (SELECT sum(word_count) AS w FROM note GROUP BY account_id));

SELECT c.day, c.running FROM (
  SELECT day, sum(n) OVER (ORDER BY day) AS running
  FROM (SELECT date(created_at, 'unixepoch') AS day, count(*) AS n FROM account GROUP BY day)
) AS c WHERE c.running % 10 = 0;
