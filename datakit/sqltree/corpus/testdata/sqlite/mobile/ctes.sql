WITH RECURSIVE tree(id, name, depth, path) AS (
  SELECT id, name, 0, name FROM folder WHERE parent_id IS NULL AND account_id = ?1
  UNION ALL
  SELECT f.id, f.name, tree.depth + 1, tree.path || '/' || f.name
  FROM folder f JOIN tree ON f.parent_id = tree.id
  ORDER BY 3 DESC, 2
)
SELECT id, substr('          ', 1, depth * 2) || name AS label, path FROM tree;

WITH RECURSIVE ancestors AS (
  SELECT id, parent_id, name, 0 AS distance FROM folder WHERE id = :folder
  UNION
  SELECT p.id, p.parent_id, p.name, a.distance + 1
  FROM ancestors a, folder p
  WHERE p.id = a.parent_id
)
SELECT group_concat(name, ' > ') FROM (SELECT name FROM ancestors ORDER BY distance DESC);

WITH recent AS (SELECT * FROM note ORDER BY updated_at DESC LIMIT 10),
     tagged AS (
       SELECT r.id, r.title, count(nt.tag_id) AS tags
       FROM recent r LEFT JOIN note_tag nt ON nt.note_id = r.id
       GROUP BY r.id
     )
SELECT * FROM tagged WHERE tags = 0;

-- a CTE named like the table it reads
WITH note AS (SELECT id, title AS caption, account_id FROM main.note WHERE archived = 0)
SELECT note.caption, account.email FROM note JOIN account ON account.id = note.account_id;

WITH RECURSIVE cal(day) AS (
  VALUES (date('now', '-29 days'))
  UNION ALL
  SELECT date(day, '+1 day') FROM cal WHERE day < date('now')
)
SELECT cal.day, coalesce(sum(l.amount), 0) AS amount
FROM cal LEFT JOIN habit_log l ON l.day = cal.day AND l.habit_id = ?
GROUP BY cal.day
ORDER BY cal.day;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 24)
SELECT i - 1 AS hour, (SELECT count(*) FROM message WHERE cast(strftime('%H', sent_at, 'unixepoch') AS INT) = i - 1) AS sent FROM n;

WITH thread(id, reply_to, level) AS (
  SELECT id, reply_to, 0 FROM message WHERE id = ?
  UNION ALL
  SELECT m.id, m.reply_to, t.level + 1 FROM message m JOIN thread t ON m.reply_to = t.id
)
SELECT m.text, t.level, m.sent_at FROM thread t JOIN message m USING (id) ORDER BY m.sent_at;

with a as (select account_id, count(*) c from note group by 1),
     b as not materialized (select account_id, count(*) c from habit group by account_id)
select a.account_id, a.c as notes, b.c as habits from a left join b using (account_id);

WITH outer_cte AS (
  WITH inner_cte AS (
    SELECT conversation_id, sender_id, count(*) AS sent
    FROM message
    WHERE deleted = 0
    GROUP BY conversation_id, sender_id
  )
  SELECT conversation_id, max(sent) AS top, sender_id FROM inner_cte GROUP BY conversation_id
)
SELECT o.conversation_id, o.top, c."displayName"
FROM outer_cte o LEFT JOIN "Contact" c ON c."contactId" = o.sender_id;

WITH limits(kind, lo, hi) AS (VALUES ('short', 0, 50), ('medium', 51, 300), ('long', 301, 1e9))
SELECT limits.kind, count(note.id) AS notes, printf('%.1f', avg(word_count)) AS mean
FROM limits LEFT JOIN note ON note.word_count BETWEEN limits.lo AND limits.hi
GROUP BY limits.kind
ORDER BY limits.lo;

WITH dup AS (
  SELECT account_id, title_key, min(id) AS keep
  FROM note
  GROUP BY account_id, title_key
  HAVING count(*) > 1
)
UPDATE note SET archived = 1
WHERE EXISTS (SELECT 1 FROM dup WHERE dup.account_id = note.account_id AND dup.title_key = note.title_key AND dup.keep <> note.id);

WITH gone AS (SELECT id FROM account WHERE deleted_at < unixepoch('now', '-90 days'))
DELETE FROM device WHERE account_id IN gone;

WITH src(label, hue) AS (VALUES ('home', 10), ('work', 200), ('health', 120))
INSERT INTO tag (account_id, label, hue)
SELECT a.id, src.label, src.hue FROM account a, src WHERE a.created_at > :since;

WITH RECURSIVE
  sub(root, id) AS (
    SELECT id, id FROM folder
    UNION ALL
    SELECT sub.root, f.id FROM sub JOIN folder f ON f.parent_id = sub.id
  ),
  counts AS (SELECT folder_id, count(*) AS own FROM note GROUP BY folder_id)
SELECT f.name, sum(c.own) AS notes_below
FROM folder f
JOIN sub ON sub.root = f.id
LEFT JOIN counts c ON c.folder_id = sub.id
GROUP BY f.id
ORDER BY notes_below DESC NULLS LAST;

WITH words(rest, word, id) AS (
  SELECT lower(body) || ' ', '', id FROM note WHERE id = :id
  UNION ALL
  SELECT substr(rest, instr(rest, ' ') + 1), substr(rest, 1, instr(rest, ' ') - 1), id FROM words WHERE rest <> ''
)
SELECT word, count(*) AS freq FROM words WHERE length(word) > 3 GROUP BY word ORDER BY freq DESC, word LIMIT 25;

WITH first_seen AS (SELECT session, min(ts) AS t0 FROM event GROUP BY session),
     steps AS (
       SELECT e.session,
              max(e.name = 'open')  AS opened,
              max(e.name = 'write') AS wrote,
              max(e.name = 'share') AS shared
       FROM event e
       GROUP BY e.session
     )
SELECT date(f.t0) AS d, count(*) AS sessions, sum(s.opened), sum(s.wrote), sum(s.shared)
FROM first_seen f JOIN steps s ON s.session = f.session
GROUP BY d;

WITH x AS (SELECT 1 AS one), y AS (SELECT one + 1 AS two FROM x), z AS (SELECT two * 2 AS four FROM y)
SELECT x.one, y.two, z.four, (SELECT four FROM z) + (SELECT one FROM x) FROM x, y, z;

SELECT title FROM note WHERE folder_id IN (
  WITH RECURSIVE below(id) AS (
    SELECT ?1
    UNION SELECT folder.id FROM folder, below WHERE folder.parent_id = below.id
  )
  SELECT id FROM below
);

WITH member_count AS (SELECT conversation_id AS cid, count(*) AS members FROM conversation_member GROUP BY cid)
SELECT c.id, c.subject, mc.members
FROM conversation c JOIN member_count mc ON mc.cid = c.id
WHERE c.is_group <> (mc.members > 2);

WITH latest AS (
  SELECT conversation_id, id, text, max(sent_at) AS sent_at FROM message GROUP BY conversation_id
), names AS (
  SELECT cm.conversation_id, group_concat(c."displayName", ', ') AS who
  FROM conversation_member cm JOIN "Contact" c ON c."contactId" = cm.contact_id
  GROUP BY cm.conversation_id
)
SELECT coalesce(conv.subject, names.who) AS heading, latest.text AS preview, datetime(latest.sent_at, 'unixepoch') AS at
FROM conversation AS conv
LEFT JOIN latest ON latest.conversation_id = conv.id
LEFT JOIN names ON names.conversation_id = conv.id
ORDER BY latest.sent_at DESC;

WITH RECURSIVE fib(a, b) AS (VALUES (0, 1) UNION ALL SELECT b, a + b FROM fib WHERE b < 1000)
SELECT a
FROM fib;

WITH t AS (SELECT tag_id, count(*) AS n FROM note_tag GROUP BY tag_id),
     s AS (SELECT sum(n) AS total FROM t)
SELECT tag.label, t.n, round(100.0 * t.n / s.total, 1) AS pct
FROM t, s, tag
WHERE tag.id = t.tag_id
ORDER BY pct DESC;

WITH changed AS (SELECT note_id, count(*) AS revs FROM note_revision WHERE saved_at > ? GROUP BY note_id)
SELECT n.title, changed.revs FROM changed JOIN note n ON n.id = changed.note_id
UNION ALL
SELECT 'total', sum(revs) FROM changed;

WITH RECURSIVE dates(d) AS (
  SELECT min(starts_on) FROM habit
  UNION ALL
  SELECT date(d, '+7 days') FROM dates WHERE d < date('now')
), active AS (
  SELECT dates.d, h.id
  FROM dates JOIN habit h ON dates.d >= h.starts_on AND (h.ends_on IS NULL OR dates.d <= h.ends_on)
)
SELECT d AS week, count(id) AS habits FROM active GROUP BY d;

WITH cte(id) AS (SELECT note_id FROM attachment WHERE size > 5000000)
INSERT INTO [sync queue] (entity, entity_id, op)
SELECT 'note', id, 'put' FROM cte WHERE true
ON CONFLICT DO NOTHING;

WITH RECURSIVE walk(id, trail) AS (
  SELECT id, ',' || id || ',' FROM folder
  UNION ALL
  SELECT f.parent_id, walk.trail || f.parent_id || ','
  FROM walk JOIN folder f ON f.id = walk.id
  WHERE f.parent_id IS NOT NULL AND instr(walk.trail, ',' || f.parent_id || ',') = 0
)
SELECT count(*) FROM walk;

WITH unread(conv, n) AS (SELECT conversation_id, unread FROM inbox WHERE unread > 0)
SELECT sum(n) AS badge, (SELECT count(*) FROM unread) AS threads, (SELECT max(n) FROM unread u WHERE u.conv <> ?) AS worst FROM unread;

WITH a(x) AS (SELECT id FROM note), b(x) AS (SELECT note_id FROM note_tag)
SELECT x FROM a EXCEPT SELECT x FROM b ORDER BY x DESC LIMIT 3;
