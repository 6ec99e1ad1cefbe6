SELECT id, title, updated_at
FROM note
WHERE folder_id = ? AND archived = 0
ORDER BY pinned DESC, updated_at DESC
LIMIT 50;

-- keyset pagination of the note list
SELECT n.id, n.title, n.updated_at
FROM note AS n
WHERE n.account_id = :account
  AND (n.updated_at, n.id) < (:last_updated, :last_id)
ORDER BY n.updated_at DESC, n.id DESC
LIMIT :page_size;

select * from note where uuid = $uuid;

SELECT title, word_count, lang
FROM note INDEXED BY note_by_folder
WHERE archived = 0 AND folder_id IS NOT NULL
ORDER BY folder_id, pinned DESC;

SELECT rowid, * FROM note WHERE rowid IN (1, 2, 3);

SELECT _rowid_ AS k, oid, title FROM note ORDER BY _rowid_ DESC LIMIT 10, 20;

SELECT upper(substr(title, 1, 1)) AS initial, count(*) AS n
FROM note
WHERE initial BETWEEN 'A' AND 'Z'
GROUP BY initial
HAVING n > 1
ORDER BY n DESC, initial;

SELECT CASE
         WHEN updated_at > unixepoch('now', '-1 day') THEN 'today'
         WHEN updated_at > unixepoch('now', '-7 days') THEN 'this week'
         WHEN updated_at > unixepoch('now', 'start of month') THEN 'this month'
         ELSE strftime('%Y', updated_at, 'unixepoch')
       END AS bucket,
       count(*)                 AS notes,
       sum(word_count)          AS words,
       max(updated_at)          AS newest
FROM note
WHERE NOT archived
GROUP BY bucket
ORDER BY newest DESC;

SELECT id, coalesce(nullif(trim(title), ''), substr(body, 1, 40), '(empty)') AS heading FROM main.note;

SELECT [id], `title`, "body" FROM [note] WHERE `pinned` = 1 AND "archived" IS NOT TRUE;

SELECT note.title, folder.name, folder."order"
FROM note, folder
WHERE note.folder_id = folder.id
  AND folder.color GLOB '#ff*'
ORDER BY folder."order", note.title COLLATE NOCASE;

SELECT id, title FROM note WHERE title LIKE '%100\%%' ESCAPE '\' OR body GLOB '*[Tt]odo*';

/* notes that nobody has tagged and that lie in no folder */
SELECT n.id
     , n.title
     , datetime(n.created_at, 'unixepoch', 'localtime') AS born
FROM note n
WHERE n.folder_id ISNULL
  AND NOT EXISTS (SELECT 1 FROM note_tag WHERE note_tag.note_id = n.id)
ORDER BY born;

SELECT count(*), count(folder_id), count(DISTINCT folder_id), total(word_count), avg(word_count) FILTER (WHERE format = 'md')
FROM note;

SELECT n.*, f.name AS folder
FROM note n
LEFT JOIN folder f ON f.id = n.folder_id
WHERE n.account_id = @account AND f.id IS NOT DISTINCT FROM @folder;

SELECT (SELECT count(*) FROM note_tag nt WHERE nt.note_id = note.id) AS tags,
       (SELECT max(rev) FROM note_revision r WHERE r.note_id = note.id) AS rev,
       title
FROM note
WHERE tags > 2
ORDER BY tags DESC, rev DESC NULLS LAST;

SELECT title FROM note WHERE id = (SELECT note_id FROM attachment ORDER BY size DESC LIMIT 1);

SELECT DISTINCT format, lang FROM note WHERE lang NOTNULL ORDER BY 1, 2;

SELECT printf('%s (%d words)', title, word_count) AS line
FROM active_note
ORDER BY updated_at DESC
LIMIT 5 OFFSET 5;

SELECT a.title, a.folder_name, c.files, c.tags
FROM active_note a JOIN note_card c ON c.note_id = a.id
WHERE c.files > 0 AND c.tags LIKE '%work%';

SELECT title AS body, body AS title FROM note ORDER BY title, body;

SELECT f.name, (SELECT group_concat(title, char(10)) FROM (SELECT title FROM note WHERE folder_id = f.id ORDER BY updated_at DESC LIMIT 3)) AS latest
FROM folder f
WHERE f.parent_id IS NULL;

SELECT folder_id, title, max(updated_at) FROM note GROUP BY folder_id;

SELECT min(created_at, updated_at) AS earliest, max(created_at, updated_at) AS latest, iif(created_at = updated_at, 'new', 'edited') AS state
FROM note
WHERE state = 'edited';

SELECT 'note' AS kind, id, title AS label FROM note WHERE title_key = lower(?1)
UNION ALL
SELECT 'folder', id, name FROM folder WHERE name = ?1
UNION ALL
SELECT 'tag', id, label FROM tag WHERE label = ?1
ORDER BY kind, label
LIMIT 30;

SELECT id FROM note WHERE account_id = 1
EXCEPT
SELECT note_id FROM note_tag
INTERSECT
SELECT note_id FROM attachment;

SELECT title
FROM note
WHERE account_id = ?
  AND folder_id IN (SELECT id FROM folder WHERE name IN ('Inbox', 'Drafts') COLLATE NOCASE)
ORDER BY length(body) DESC;

SELECT hex(sha256), count(*) AS copies, sum(size) - max(size) AS wasted
FROM attachment INDEXED BY attachment_by_hash
WHERE sha256 IS NOT NULL
GROUP BY hex(sha256)
HAVING count(*) > 1
ORDER BY wasted DESC;

SELECT id, file_name, size / 1024.0 AS kb, mime
FROM attachment
WHERE mime GLOB 'image/*' AND kb > 512
ORDER BY kb DESC;

SELECT replace(file_name, rtrim(file_name, replace(file_name, '.', '')), '') AS extension,
       count(*) AS files,
       round(avg(size), 0) AS mean_size
FROM attachment
GROUP BY extension
ORDER BY files DESC;

SELECT t.label, count(*) AS uses, max(nt.tagged_at) AS last_used
FROM tag t
JOIN note_tag nt ON nt.tag_id = t.id
JOIN note n ON n.id = nt.note_id AND n.archived = 0
WHERE t.account_id = 1
GROUP BY t.id
ORDER BY uses DESC, last_used DESC;

SELECT t.id, t.label FROM tag AS t WHERE t.id NOT IN (SELECT tag_id FROM note_tag) ORDER BY t.label;

SELECT note_id FROM note_tag WHERE tag_id IN (?, ?, ?) GROUP BY note_id HAVING count(*) = 3;

SELECT other.label, count(*) AS together
FROM note_tag mine
JOIN note_tag theirs ON theirs.note_id = mine.note_id AND theirs.tag_id <> mine.tag_id
JOIN tag other ON other.id = theirs.tag_id
WHERE mine.tag_id = :tag
GROUP BY theirs.tag_id
ORDER BY together DESC
LIMIT 8;

SELECT cast(strftime('%H', created_at, 'unixepoch') AS INTEGER) AS hour, count(*)
FROM note
GROUP BY hour
ORDER BY hour;

SELECT id, instr(body, '- [ ]') > 0 AS open_items,
       (length(body) - length(replace(body, '- [ ]', ''))) / 5 AS open_count,
       (length(body) - length(replace(body, '- [x]', ''))) / 5 AS done_count
FROM note
WHERE format = 'todo' AND open_items
ORDER BY open_count - done_count DESC;

SELECT typeof(meta), typeof(word_count), quote(title), unicode(title), zeroblob(4), x'cafe', 0x1F, 1_000_000, .5e3
FROM note
LIMIT 1;

SELECT n.title FROM note n NOT INDEXED WHERE n.account_id + 0 = 3;

SELECT id FROM folder WHERE id IS NOT (SELECT parent_id FROM folder f WHERE f.id = folder.id) AND name <> '' AND "order" >= 0;
