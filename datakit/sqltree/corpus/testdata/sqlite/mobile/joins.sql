SELECT n.title, t.label
FROM note n
JOIN note_tag nt ON nt.note_id = n.id
JOIN tag t ON t.id = nt.tag_id
ORDER BY n.title, t.label;

SELECT a.email, d.platform, d.model
FROM account a
LEFT OUTER JOIN device d ON d.account_id = a.id AND d.last_seen_at > unixepoch('now', '-30 days')
WHERE a.deleted_at IS NULL
ORDER BY a.email, d.last_seen_at DESC NULLS LAST;

SELECT child.name AS child, parent.name AS parent, grand.name AS grand
FROM folder child
LEFT JOIN folder parent ON child.parent_id = parent.id
LEFT JOIN folder grand ON parent.parent_id = grand.id;

SELECT conversation_id, contact_id, role FROM conversation_member NATURAL JOIN (SELECT conversation_id, max(joined_at) AS joined_at FROM conversation_member GROUP BY conversation_id);

SELECT message_id, emoji, count(*) AS n, group_concat(c."displayName")
FROM reaction
JOIN "Contact" c ON c."contactId" = reaction.contact_id
GROUP BY message_id, emoji
ORDER BY n DESC;

SELECT m.id, m.text, q.text AS quoted, coalesce(s."displayName", 'me') AS sender
FROM message m
LEFT JOIN message q ON q.id = m.reply_to
LEFT JOIN "Contact" s ON s."contactId" = m.sender_id
WHERE m.conversation_id = ?
ORDER BY m.sent_at DESC
LIMIT 100;

SELECT h.name, l.day, l.amount
FROM habit h FULL OUTER JOIN habit_log l ON l.habit_id = h.id
WHERE h.id IS NULL OR l.habit_id IS NULL;

SELECT r.id, r.fire_at, coalesce(n.title, h.name) AS what
FROM reminder r
LEFT JOIN note n ON n.id = r.note_id
LEFT JOIN habit h ON h.id = r.habit_id
WHERE r.done_at IS NULL AND r.fire_at <= unixepoch() + 3600
ORDER BY r.fire_at;

SELECT f.name, d.platform, count(*) AS revisions
FROM (folder f JOIN note n ON n.folder_id = f.id)
JOIN (note_revision r JOIN device d ON d.id = r.device_id) ON r.note_id = n.id
GROUP BY f.id, d.platform
ORDER BY revisions DESC;

SELECT habit_id, h.day, h.amount, s.days
FROM habit_log AS h
JOIN habit_streak AS s USING (habit_id)
WHERE h.day BETWEEN s.first_day AND s.last_day
ORDER BY habit_id, h.day;

SELECT d.id, d.model FROM account a RIGHT JOIN device d ON d.account_id = a.id WHERE a.id IS NULL;

SELECT p.label, f.format
FROM tag p CROSS JOIN (SELECT DISTINCT format FROM note) f
WHERE NOT EXISTS (
  SELECT *
  FROM note x JOIN note_tag y ON y.note_id = x.id
  WHERE y.tag_id = p.id AND x.format = f.format
);

select a.id, b.id as twin
from note a, note b
where a.id < b.id and a.title_key = b.title_key and a.account_id = b.account_id;

SELECT n.id, rv.rev, rv.saved_at
FROM note n
JOIN note_revision rv ON rv.note_id = n.id
                     AND rv.rev = (SELECT max(z.rev) FROM note_revision z WHERE z.note_id = n.id)
WHERE rv.body IS NOT n.body;

SELECT i.title, i.unread, group_concat(DISTINCT cm.role) AS roles
FROM inbox i JOIN conversation_member cm USING (conversation_id)
GROUP BY conversation_id
HAVING i.unread > 0;

SELECT c.conversation_id, c.contact_id, m.sent_at
FROM conversation_member c LEFT JOIN message m
  ON (m.conversation_id, m.sender_id) = (c.conversation_id, c.contact_id)
WHERE m.id IS NULL;

SELECT account.email, count(DISTINCT note.id) notes, count(DISTINCT habit.id) habits, count(DISTINCT device.id) devices
FROM account
LEFT JOIN note ON note.account_id = account.id
LEFT JOIN habit ON habit.account_id = account.id
LEFT JOIN device ON device.account_id = account.id
GROUP BY account.id;

SELECT x.note_id, x.tag_id, y.tag_id
FROM note_tag x INNER JOIN note_tag y ON x.note_id = y.note_id AND x.tag_id < y.tag_id
ORDER BY 1, 2, 3;

SELECT main.folder.name, main.note.title
FROM main.folder
JOIN main.note ON main.note.folder_id = main.folder.id;

SELECT id, label
FROM tag
JOIN (SELECT tag_id AS id, count(*) AS n FROM note_tag GROUP BY tag_id) USING (id)
WHERE n > 5;

SELECT coalesce(l.habit_id, r.habit_id) AS habit_id, l.amount AS monday, r.amount AS tuesday
FROM (SELECT * FROM habit_log WHERE day = '2024-06-03') l
FULL JOIN (SELECT * FROM habit_log WHERE day = '2024-06-04') r ON r.habit_id = l.habit_id;

SELECT e.name, d.platform, a.locale, count(*)
FROM event AS e
  JOIN device AS d ON d.id = e.device_id
  JOIN account AS a ON a.id = d.account_id
WHERE e.ts >= julianday('now', '-7 days')
GROUP BY e.name, d.platform, a.locale
ORDER BY count(*) DESC;

SELECT contact_id, conversation_id, sender_id
FROM conversation_member NATURAL LEFT JOIN message
WHERE id IS NOT NULL AND contact_id = sender_id;

SELECT q.seq, q.op, n.title, q.[next try]
FROM [sync queue] q
LEFT JOIN note n ON q.entity = 'note' AND n.id = q.entity_id
ORDER BY q.seq;

SELECT folder.name, note.title
FROM folder JOIN note
WHERE folder.id = note.folder_id AND folder.account_id = note.account_id;

SELECT c1."displayName", c2."displayName"
FROM "Contact" c1 JOIN "Contact" c2 ON c1.phone = c2.phone AND c1."contactId" < c2."contactId"
WHERE c1.phone <> '';

SELECT note.id AS note, tag.label AS tag
FROM note
JOIN note_tag AS link ON link.note_id = note.id
JOIN tag ON tag.id = link.tag_id
ORDER BY note, tag;

SELECT h.name, b.best, latest.day
FROM habit h
LEFT JOIN best_streak b ON b.habit_id = h.id
LEFT JOIN (SELECT habit_id, max(day) AS day FROM habit_log GROUP BY habit_id) AS latest ON latest.habit_id = h.id
WHERE h.archived = 0
ORDER BY b.best DESC NULLS LAST, latest.day;

SELECT a.file_name, n.title, f.name
FROM attachment a, note n LEFT JOIN folder f ON f.id = n.folder_id
WHERE a.note_id = n.id AND a.size > 1 << 20;

SELECT *
FROM note_tag
JOIN tag ON tag.id = note_tag.tag_id
JOIN note ON note.id = note_tag.note_id
WHERE tag.label = 'work';

SELECT nt.*, t.label, t.hue, n.title
FROM tag t, note_tag nt, note n
WHERE (nt.note_id, nt.tag_id) = (n.id, t.id)
LIMIT 5;
