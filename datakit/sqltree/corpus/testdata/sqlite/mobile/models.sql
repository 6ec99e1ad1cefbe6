-- model: account_activity
with notes as (

    select
        account_id,
        count(*) as notes,
        sum(word_count) as words,
        max(updated_at) as last_note_at
    from note
    where archived = 0
    group by account_id

),

habits as (

    select
        h.account_id,
        count(distinct h.id) as habits,
        count(l.day) as entries,
        max(l.day) as last_entry
    from habit as h
    left join habit_log as l
        on l.habit_id = h.id
    group by h.account_id

),

devices as (

    select account_id, group_concat(platform) as platforms, max(last_seen_at) as last_seen_at
    from device
    group by account_id

),

final as (

    select
        account.id as account_id,
        account.email,
        coalesce(notes.notes, 0) as notes,
        coalesce(notes.words, 0) as words,
        coalesce(habits.habits, 0) as habits,
        habits.entries,
        devices.platforms,
        max(
            account.created_at,
            ifnull(notes.last_note_at, 0),
            ifnull(devices.last_seen_at, 0),
            ifnull(unixepoch(habits.last_entry), 0)
        ) as active_at
    from account
    left join notes on notes.account_id = account.id
    left join habits on habits.account_id = account.id
    left join devices on devices.account_id = account.id

)

select * from final;

CREATE TABLE mart_note AS
WITH base AS (
	SELECT
		n.id			AS note_id,
		n.account_id,
		n.title,
		n.word_count,
		date(n.created_at, 'unixepoch')	AS created_on,
		date(n.updated_at, 'unixepoch')	AS updated_on,
		f.name			AS folder
	FROM note n
	LEFT JOIN folder f
		ON f.id = n.folder_id
		AND f.account_id = n.account_id
),
files AS (
	SELECT note_id, count(*) AS files, sum(size) AS bytes
	FROM attachment
	GROUP BY note_id
),
revs AS (
	SELECT note_id, max(rev) AS revisions
	FROM note_revision
	GROUP BY note_id
)
SELECT base.*, files.files, files.bytes, revs.revisions
FROM base
LEFT JOIN files USING (note_id)
LEFT JOIN revs USING (note_id);

INSERT INTO [sync queue] (entity, entity_id, op, payload)
WITH changed AS (
  SELECT n.id, n.uuid, n.title, n.body, n.meta
  FROM note n
  WHERE n.updated_at > :since
    AND n.account_id = :account
),
tagged AS (
  SELECT nt.note_id, json_group_array(t.label) AS labels
  FROM note_tag nt
  JOIN tag t ON t.id = nt.tag_id
  WHERE nt.note_id IN (SELECT id FROM changed)
  GROUP BY nt.note_id
)
SELECT 'note',
       changed.id,
       'put',
       json_object(
         'uuid', changed.uuid,
         'title', changed.title,
         'body', changed.body,
         'meta', json(changed.meta),
         'tags', json(coalesce(tagged.labels, '[]'))
       )
FROM changed
LEFT JOIN tagged ON tagged.note_id = changed.id
WHERE NOT EXISTS (
  SELECT 1
  FROM [sync queue] AS waiting
  WHERE waiting.entity = 'note'
    AND waiting.entity_id = changed.id
    AND waiting.[next try] IS NULL
);

SELECT cohort
     , period
     , active
     , round(100.0 * active / first_value(active) OVER (PARTITION BY cohort ORDER BY period), 1) AS retention
FROM (
    SELECT strftime('%Y-%m', a.created_at, 'unixepoch')                 AS cohort
         , (l.logged_at - a.created_at) / (30 * 86400)                  AS period
         , count(DISTINCT a.id)                                         AS active
    FROM account a
    JOIN habit h     ON h.account_id = a.id
    JOIN habit_log l ON l.habit_id = h.id
    WHERE l.logged_at >= a.created_at
    GROUP BY cohort, period
)
WHERE period <= 12
ORDER BY cohort, period;

WITH RECURSIVE
calendar (day) AS (
  SELECT date('now', 'start of month')
  UNION ALL
  SELECT date(day, '+1 day')
  FROM calendar
  WHERE day < date('now', 'start of month', '+1 month', '-1 day')
),
cells AS (
  SELECT c.day,
         cast(strftime('%d', c.day) AS INTEGER) AS dom,
         cast(strftime('%w', c.day) AS INTEGER) AS dow,
         strftime('%W', c.day) AS week,
         coalesce(sum(l.amount >= h.target), 0) AS met
  FROM calendar c
  LEFT JOIN habit_log l ON l.day = c.day
  LEFT JOIN habit h ON h.id = l.habit_id AND h.archived = 0
  GROUP BY c.day
)
SELECT week,
       max(CASE dow WHEN 1 THEN dom || ':' || met END) AS mo,
       max(CASE dow WHEN 2 THEN dom || ':' || met END) AS tu,
       max(CASE dow WHEN 3 THEN dom || ':' || met END) AS we,
       max(CASE dow WHEN 4 THEN dom || ':' || met END) AS th,
       max(CASE dow WHEN 5 THEN dom || ':' || met END) AS fr,
       max(CASE dow WHEN 6 THEN dom || ':' || met END) AS sa,
       max(CASE dow WHEN 0 THEN dom || ':' || met END) AS su
FROM cells
GROUP BY week
ORDER BY week;

SELECT
  day.d AS "Day",
  ( SELECT count(*) FROM note WHERE date(note.created_at, 'unixepoch') = day.d ) AS "Notes",
  ( SELECT count(*) FROM message WHERE date(message.sent_at, 'unixepoch') = day.d AND NOT message.deleted ) AS "Messages",
  ( SELECT count(*)
    FROM habit_log
    WHERE habit_log.day = day.d
      AND habit_log.amount >= ( SELECT target FROM habit WHERE habit.id = habit_log.habit_id ) ) AS "Habits met",
  ( SELECT group_concat(DISTINCT e.name)
    FROM event e
    WHERE date(e.ts) = day.d AND e.name GLOB 'error*' ) AS "Errors"
FROM (
  SELECT date('now') AS d
  UNION ALL SELECT date('now', '-1 day')
  UNION ALL SELECT date('now', '-2 days')
) AS day
ORDER BY "Day" DESC;

WITH m AS (
  SELECT id,
         conversation_id,
         sender_id,
         sent_at,
         lag(sender_id) OVER by_time AS prev_sender,
         lag(sent_at) OVER by_time AS prev_at
  FROM message
  WHERE deleted = 0
  WINDOW by_time AS (PARTITION BY conversation_id ORDER BY sent_at, id)
), answers AS (
  SELECT conversation_id, sender_id, sent_at - prev_at AS wait
  FROM m
  WHERE prev_sender IS NOT sender_id
    AND prev_at IS NOT NULL
)
SELECT coalesce(c."displayName", 'me') AS who,
       count(*) AS answers,
       printf('%d min', avg(wait) / 60) AS mean_wait,
       max(wait) AS longest
FROM answers a
LEFT JOIN "Contact" c ON c."contactId" = a.sender_id
GROUP BY a.sender_id
HAVING count(*) >= 5
ORDER BY avg(wait);

INSERT INTO habit_log (habit_id, day, amount, logged_at)
SELECT h.id,
       date(e.ts),
       sum(e.props ->> '$.steps'),
       unixepoch()
FROM event AS e
JOIN device AS d ON d.id = e.device_id
JOIN habit AS h ON h.account_id = d.account_id AND h.unit = 'steps'
WHERE e.name = 'steps'
  AND date(e.ts) BETWEEN h.starts_on AND ifnull(h.ends_on, date('now'))
GROUP BY h.id, date(e.ts)
HAVING sum(e.props ->> '$.steps') > 0
ON CONFLICT (habit_id, day) DO UPDATE
SET amount = max(habit_log.amount, excluded.amount),
    logged_at = excluded.logged_at
WHERE habit_log.amount IS DISTINCT FROM excluded.amount
RETURNING habit_id, day, amount;

UPDATE note
SET meta = json_set(coalesce(meta, '{}'), '$.stats', json(s.stats)),
    updated_at = max(updated_at, s.last_saved)
FROM (
    SELECT r.note_id,
           max(r.saved_at) AS last_saved,
           json_object('revs', count(*), 'devices', count(DISTINCT r.device_id), 'chars', max(length(r.body))) AS stats
    FROM note_revision r
    LEFT JOIN device d ON d.id = r.device_id
    WHERE d.platform IS NOT 'web'
    GROUP BY r.note_id
) AS s
WHERE s.note_id = note.id
  AND (note.meta -> '$.stats') IS NOT s.stats;

SELECT kind, ref, label, at
FROM (
  SELECT 'reminder' AS kind, r.id AS ref, coalesce(n.title, h.name) AS label, r.fire_at AS at
  FROM reminder r
  LEFT JOIN note n ON n.id = r.note_id
  LEFT JOIN habit h ON h.id = r.habit_id
  WHERE r.done_at IS NULL

  UNION ALL

  SELECT 'unread', i.conversation_id, i.title || ' (' || i.unread || ')', i.last_at
  FROM inbox i
  WHERE i.unread > 0

  UNION ALL

  SELECT 'sync', q.seq, q.entity || ': ' || q.error, q.[next try]
  FROM [sync queue] q
  WHERE q.error IS NOT NULL
)
WHERE at <= unixepoch('now', '+1 day')
ORDER BY at NULLS FIRST, CASE kind WHEN 'sync' THEN 0 WHEN 'reminder' THEN 1 ELSE 2 END, ref
LIMIT 0, 40;

-- storage by account: only the top ten, the rest in one line
WITH use AS (
  SELECT a.id, a.email, total(x.size) AS bytes
  FROM account a
  LEFT JOIN note n ON n.account_id = a.id
  LEFT JOIN attachment x ON x.note_id = n.id
  GROUP BY a.id
), ranked AS (
  SELECT id, email, bytes, row_number() OVER (ORDER BY bytes DESC, id) AS pos
  FROM use
)
SELECT email, bytes FROM ranked WHERE pos <= 10
UNION ALL
SELECT 'others (' || count(*) || ')', total(bytes) FROM ranked WHERE pos > 10
UNION ALL
SELECT 'all', (SELECT total(bytes) FROM use)
ORDER BY bytes DESC;

SELECT t.label,
       count(DISTINCT n.id) AS notes,
       count(DISTINCT CASE WHEN n.updated_at > unixepoch('now', '-30 days') THEN n.id END) AS fresh,
       sum(n.word_count) AS words,
       group_concat(DISTINCT f.name) AS folders,
       (
         SELECT o.label
         FROM note_tag AS mine
         JOIN note_tag AS other ON other.note_id = mine.note_id AND other.tag_id <> mine.tag_id
         JOIN tag AS o ON o.id = other.tag_id
         WHERE mine.tag_id = t.id
         GROUP BY o.id
         ORDER BY count(*) DESC, o.label
         LIMIT 1
       ) AS companion
FROM tag AS t
LEFT JOIN note_tag AS nt ON nt.tag_id = t.id
LEFT JOIN note AS n ON n.id = nt.note_id AND n.archived = 0
LEFT JOIN folder AS f ON f.id = n.folder_id
WHERE t.account_id = :account
GROUP BY t.id
HAVING notes > 0
   AND words > 100
ORDER BY fresh DESC, notes DESC, t.label COLLATE NOCASE;

DELETE FROM attachment
WHERE id IN (
  SELECT doomed.id
  FROM (
    SELECT a.id,
           a.note_id,
           row_number() OVER (
             PARTITION BY a.note_id, hex(a.sha256)
             ORDER BY a.added_at DESC, a.id DESC
           ) AS copy_no
    FROM attachment a
    JOIN note n ON n.id = a.note_id
    WHERE a.sha256 IS NOT NULL
      AND (n.body NOT LIKE '%' || a.file_name || '%' OR n.archived)
  ) AS doomed
  WHERE doomed.copy_no > 1
)
RETURNING id, note_id, size;

WITH
  funnel(step, name) AS (VALUES (1, 'install'), (2, 'signup'), (3, 'first_note'), (4, 'first_habit'), (5, 'subscribe')),
  reached AS (
    SELECT f.step, e.device_id, min(e.ts) AS at
    FROM funnel f
    JOIN event e ON e.name = f.name
    GROUP BY f.step, e.device_id
  ),
  ordered AS (
    SELECT r.step, r.device_id
    FROM reached r
    WHERE NOT EXISTS (
      SELECT 1 FROM funnel p
      WHERE p.step < r.step
        AND NOT EXISTS (SELECT 1 FROM reached q WHERE q.device_id = r.device_id AND q.step = p.step AND q.at <= r.at)
    )
  )
SELECT f.step, f.name, count(o.device_id) AS devices,
       round(100.0 * count(o.device_id) / max(1, lag(count(o.device_id)) OVER (ORDER BY f.step)), 1) AS conversion
FROM funnel f LEFT JOIN ordered o USING (step)
GROUP BY f.step, f.name
ORDER BY step;

CREATE VIEW conversation_stats (conversation, first_at, last_at, messages, people, media_share) AS
SELECT
  c.id,
  min(m.sent_at),
  max(m.sent_at),
  count(m.id),
  (SELECT count(*) FROM conversation_member cm WHERE cm.conversation_id = c.id),
  1.0 * count(m.id) FILTER (WHERE m.kind = 'media') / nullif(count(m.id), 0)
FROM conversation c
LEFT JOIN message m
  ON m.conversation_id = c.id
 AND m.deleted = 0
GROUP BY c.id
HAVING count(m.id) > 0;

INSERT INTO conversation_member (conversation_id, contact_id, role, joined_at)
SELECT DISTINCT m.conversation_id, m.sender_id,
       CASE
         WHEN m.sender_id = (
           SELECT f.sender_id
           FROM message f
           WHERE f.conversation_id = m.conversation_id
           ORDER BY f.sent_at
           LIMIT 1
         ) THEN 'owner'
         ELSE 'member'
       END,
       (SELECT min(z.sent_at) FROM message z WHERE z.conversation_id = m.conversation_id AND z.sender_id = m.sender_id)
FROM message m
WHERE m.sender_id IS NOT NULL
ON CONFLICT (conversation_id, contact_id) DO UPDATE
  SET joined_at = min(joined_at, excluded.joined_at),
      role = CASE WHEN conversation_member.role = 'left' THEN excluded.role ELSE conversation_member.role END;

SELECT h.id,
       h.name,
       wk.week,
       wk.done,
       json_array_length(h.schedule, '$.days') AS planned,
       CASE
         WHEN wk.done >= json_array_length(h.schedule, '$.days') THEN '✓'
         WHEN wk.done * 2 >= json_array_length(h.schedule, '$.days') THEN '~'
         ELSE '✗'
       END AS verdict,
       sum(wk.done) OVER (PARTITION BY h.id ORDER BY wk.week ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS last_four_weeks
FROM habit AS h
JOIN (
  SELECT habit_id, strftime('%Y-%W', day) AS week, count(*) FILTER (WHERE amount > 0) AS done
  FROM habit_log
  GROUP BY habit_id, week
) AS wk ON wk.habit_id = h.id
WHERE h.archived = 0
  AND wk.week >= strftime('%Y-%W', 'now', '-84 days')
ORDER BY h.name, wk.week;

/* Compare what the search index holds
   with what the notes hold. */
SELECT
	coalesce(n.id, x.docid)	AS id,
	CASE
		WHEN n.id IS NULL THEN 'stale'
		WHEN x.docid IS NULL THEN 'missing'
		ELSE 'different'
	END	AS state
FROM	(SELECT id, title, body FROM note WHERE archived = 0) AS n
FULL OUTER JOIN
	(SELECT rowid AS docid, title, body FROM note_fts) AS x
ON	x.docid = n.id
WHERE	n.id IS NULL
OR	x.docid IS NULL
OR	(n.title, n.body) IS NOT (x.title, x.body);

WITH RECURSIVE pairs(a, b, score) AS (
  SELECT x.note_id, y.note_id, count(*)
  FROM note_tag x
  JOIN note_tag y ON y.tag_id = x.tag_id AND y.note_id > x.note_id
  GROUP BY 1, 2
  HAVING count(*) >= 2
),
edges(src, dst) AS (
  SELECT a, b FROM pairs
  UNION ALL
  SELECT b, a FROM pairs
),
component(id, root) AS (
  SELECT id, id FROM note
  UNION
  SELECT e.dst, c.root FROM component c JOIN edges e ON e.src = c.id WHERE e.dst > c.root
),
smallest AS (SELECT id, min(root) AS root FROM component GROUP BY id)
SELECT s.root,
       count(*) AS size,
       group_concat(n.title, ' | ') AS titles
FROM smallest s
JOIN note n USING (id)
GROUP BY s.root
HAVING size BETWEEN 2 AND 12
ORDER BY size DESC;

SELECT a.email,
       json_object(
           'folders', (
               SELECT json_group_array(json_object('name', f.name, 'notes', (SELECT count(*) FROM note n WHERE n.folder_id = f.id)))
               FROM folder f
               WHERE f.account_id = a.id
           ),
           'habits', (
               SELECT json_group_object(h.name, json(coalesce((
                   SELECT json_group_array(l.day)
                   FROM (SELECT day, habit_id FROM habit_log ORDER BY day DESC LIMIT 30) l
                   WHERE l.habit_id = h.id
               ), '[]')))
               FROM habit h
               WHERE h.account_id = a.id
           ),
           'theme', a.settings ->> '$.theme'
       ) AS export
FROM account a
WHERE a.deleted_at IS NULL
  AND a.id IN (SELECT account_id FROM device WHERE platform = 'ios' INTERSECT SELECT account_id FROM note);
