SELECT id, meta ->> '$.color' AS color, meta -> 'links' AS links FROM note WHERE json_valid(meta);

SELECT n.id, j.value AS link
FROM note n, json_each(n.meta, '$.links') j
WHERE n.archived = 0;

SELECT t.fullkey, t.type, t.atom
FROM note, json_tree(note.meta) AS t
WHERE note.id = ? AND t.atom IS NOT NULL;

SELECT a.id, json_extract(a.settings, '$.theme') AS theme, json_extract(a.settings, '$.font.size', '$.font.name') AS font FROM account a;

UPDATE account
SET settings = json_set(settings, '$.theme', :theme, '$.changed', unixepoch())
WHERE id = :id;

UPDATE account
SET settings = json_remove(json_patch(settings, ?2), '$.legacy')
WHERE id = ?1
RETURNING settings;

SELECT h.name, d.value AS weekday
FROM habit AS h JOIN json_each(h.schedule, '$.days') AS d
WHERE d.value = cast(strftime('%w', 'now') AS INTEGER);

SELECT json_group_array(json_object('id', t.id, 'label', t.label, 'hue', t.hue))
FROM tag t
WHERE t.account_id = 1;

SELECT json_object(
         'id', n.id,
         'title', n.title,
         'tags', (SELECT json_group_array(tag.label) FROM note_tag JOIN tag ON tag.id = note_tag.tag_id WHERE note_tag.note_id = n.id),
         'files', (SELECT json_group_array(json_array(file_name, size)) FROM attachment WHERE note_id = n.id),
         'meta', json(n.meta)
       ) AS doc
FROM note n
WHERE n.updated_at > ?
ORDER BY n.id;

select key, value from json_each('{"a":1,"b":[2,3]}');

SELECT je.key, count(*) AS used
FROM event e, json_each(e.props) je
GROUP BY je.key
ORDER BY used DESC;

SELECT e.name, p.key, p.type, count(*)
FROM event AS e
CROSS JOIN json_tree(e.props) AS p
WHERE p.type NOT IN ('object', 'array') AND p.path = '$'
GROUP BY 1, 2, 3;

SELECT m.id, m.payload ->> '$.text' AS body, m.payload ->> '$.attachments[0].url' AS first_file, json_array_length(m.payload, '$.attachments') AS files
FROM message m
WHERE m.kind = 'media' AND files > 1;

SELECT m.id, mention.value ->> 'id' AS who
FROM message m
JOIN json_each(m.payload, '$.mentions') mention
JOIN "Contact" c ON c."contactId" = mention.value ->> 'id';

INSERT INTO tag (account_id, label, hue)
SELECT :account, value ->> 'label', value ->> 'hue' FROM json_each(:tags);

INSERT INTO habit_log (habit_id, day, amount)
SELECT j.value -> 0, j.value ->> 1, cast(j.value ->> 2 AS REAL)
FROM json_each(?) AS j
WHERE json_type(j.value) = 'array'
ON CONFLICT (habit_id, day) DO UPDATE SET amount = excluded.amount;

DELETE FROM note WHERE id IN (SELECT value FROM json_each(?1));

SELECT id FROM note WHERE id IN (SELECT j.value FROM json_each('[1,2,3]') AS j WHERE j.type = 'integer') ORDER BY id;

SELECT a.file_name, exif ->> '$.Make' AS make, exif ->> '$.GPS.Latitude' AS lat
FROM attachment a
WHERE lat IS NOT NULL AND json_type(exif, '$.GPS') = 'object';

SELECT json_group_object("key", "value") FROM setting WHERE scope = 'device';

SELECT key, json_type(json_quote(value)) FROM setting WHERE key GLOB 'ui.*' ORDER BY key;

SELECT day, json_group_object(h.name, l.amount) AS by_habit
FROM habit_log l JOIN habit h ON h.id = l.habit_id
GROUP BY day
HAVING count(*) > 1
ORDER BY day DESC;

SELECT parent.fullkey AS section, child.key, child.atom
FROM account,
     json_tree(account.settings) parent,
     json_tree(account.settings) child
WHERE child.parent = parent.id
  AND parent.type = 'object'
  AND account.id = :id
ORDER BY parent.id, child.id;

SELECT lang, count(*) FROM note WHERE lang IS NOT NULL GROUP BY lang ORDER BY count(*) DESC, lang;

SELECT json_insert('[]', '$[#]', title, '$[#]', body), jsonb_extract(jsonb(meta), '$.lang') FROM note LIMIT 2;

SELECT json(jsonb_set(jsonb(meta), '$.seen', json('true'))) AS meta FROM note WHERE id = 5;

SELECT n.id, json_error_position(n.meta) AS bad FROM note n WHERE NOT json_valid(n.meta, 6);

WITH incoming AS (
  SELECT value ->> '$.uuid' AS uuid, value ->> '$.title' AS title, value ->> '$.updated' AS updated_at
  FROM json_each(:batch, '$.notes')
)
SELECT i.uuid, n.id IS NULL AS is_new, n.updated_at > i.updated_at AS is_stale
FROM incoming i LEFT JOIN note n ON n.uuid = i.uuid;

SELECT j.rowid, j.id, j.parent, j.key, j.value, j.path
FROM json_tree(json_array(1, json_object('k', 'v'))) j;

SELECT habit.name, json_each.value
FROM habit, json_each(habit.schedule, '$.times')
WHERE json_each.type = 'text'
ORDER BY json_each.value, habit.name;

SELECT e.session,
       max(CASE WHEN e.name = 'purchase' THEN e.props ->> '$.price' END) AS price,
       count(*) FILTER (WHERE e.props ->> 'screen' = 'editor') AS editor_views,
       group_concat(DISTINCT e.props ->> 'screen') AS screens
FROM event e
GROUP BY e.session
ORDER BY price DESC NULLS LAST;

SELECT (SELECT group_concat(value, '/') FROM json_each(n.meta, '$.breadcrumb')) AS crumb FROM note n WHERE json_array_length(n.meta, '$.breadcrumb') > 0;

SELECT CASE json_type(props, '$.n') WHEN 'integer' THEN props ->> 'n' WHEN 'text' THEN length(props ->> 'n') ELSE NULL END AS n
FROM event
WHERE n;

UPDATE note
SET meta = json_set(coalesce(meta, '{}'), '$.tags', json((SELECT json_group_array(t.label ORDER BY t.label) FROM note_tag nt JOIN tag t ON t.id = nt.tag_id WHERE nt.note_id = note.id)))
WHERE id = ?;

SELECT json_pretty(settings) FROM account WHERE email = 'someone@example.org';

SELECT value FROM note, json_each(note.meta) WHERE key = 'color' AND json_each.value <> '';
