SELECT rowid, title FROM note_fts WHERE note_fts MATCH ? ORDER BY rank;

SELECT rowid, title, bm25(note_fts, 10.0, 1.0) AS score
FROM note_fts
WHERE note_fts MATCH 'meeting AND (budget OR cost)'
ORDER BY score
LIMIT 20;

SELECT highlight(note_fts, 0, '<b>', '</b>') AS title,
       snippet(note_fts, 1, '[', ']', '...', 12) AS excerpt
FROM note_fts('plan*')
ORDER BY rank;

-- join back to the real rows
SELECT n.id, n.title, n.updated_at, n.pinned
FROM note_fts s
JOIN note n ON n.id = s.rowid
WHERE s.note_fts MATCH :query AND n.archived = 0
ORDER BY s.rank
LIMIT 25;

SELECT title FROM note_fts WHERE title MATCH 'holiday';

SELECT rowid FROM note_fts WHERE note_fts = 'title : "grocery list"';

select f.rowid from note_fts as f where f.body match 'NEAR(rent deposit, 5)' and f.lang = 'de';

SELECT count(*) FROM note_fts WHERE note_fts MATCH 'a* NOT b*' AND lang IN ('en', 'fr');

WITH hits AS MATERIALIZED (
  SELECT rowid AS note_id, rank AS score
  FROM note_fts
  WHERE note_fts MATCH ?1
  ORDER BY rank
  LIMIT 200
)
SELECT n.id, n.title, h.score, f.name AS folder
FROM hits h
JOIN note n ON n.id = h.note_id
LEFT JOIN folder f ON f.id = n.folder_id
WHERE n.account_id = ?2
ORDER BY n.pinned DESC, h.score;

INSERT INTO note_fts (rowid, title, body, lang) VALUES (?, ?, ?, ?);

INSERT INTO note_fts (rowid, title, body, lang)
SELECT id, title, body, lang FROM note WHERE archived = 0;

INSERT INTO note_fts (note_fts) VALUES ('optimize');

INSERT INTO note_fts (note_fts, rank) VALUES ('automerge', 8);

INSERT INTO note_fts(note_fts, rank) VALUES('rank', 'bm25(8.0, 1.0)');

DELETE FROM note_fts WHERE rowid = ?;

DELETE FROM note_fts WHERE rowid NOT IN (SELECT id FROM note);

UPDATE note_fts SET title = (SELECT title FROM note WHERE note.id = note_fts.rowid) WHERE rowid = :id;

REPLACE INTO note_fts (rowid, title, body) SELECT n.id, n.title, n.body FROM note AS n WHERE n.updated_at > :since;

SELECT 'note' AS source, n.id, n.title AS label, s.rank AS score
FROM note_fts(?1) s JOIN note n ON n.rowid = s.rowid
UNION ALL
SELECT 'message', m.id, substr(m.text, 1, 60), 0
FROM message m
WHERE m.text LIKE '%' || ?1 || '%' AND m.deleted = 0
UNION ALL
SELECT 'contact', c."contactId", c."displayName", -1
FROM "Contact" c
WHERE c."displayName" LIKE ?1 || '%'
ORDER BY score, label;

SELECT title, rank
FROM note_fts
WHERE note_fts MATCH 'alpha' AND rank MATCH 'bm25(10.0, 5.0)'
ORDER BY rank;

SELECT n.title,
       EXISTS (SELECT 1 FROM note_fts WHERE note_fts MATCH 'urgent' AND note_fts.rowid = n.id) AS urgent
FROM note n
WHERE urgent OR n.pinned;

SELECT t.label, count(*) AS hits
FROM note_fts x, note_tag nt, tag t
WHERE x.note_fts MATCH 'recipe'
  AND nt.note_id = x.rowid
  AND t.id = nt.tag_id
GROUP BY t.id
ORDER BY hits DESC;

SELECT id, title
FROM note
WHERE id IN (SELECT rowid FROM note_fts WHERE note_fts MATCH 'passport')
ORDER BY updated_at DESC;

SELECT lang, count(*) AS docs, sum(length(body)) AS chars FROM note_fts GROUP BY lang ORDER BY docs DESC;

CREATE VIRTUAL TABLE IF NOT EXISTS message_fts USING fts5(text, content = 'message', content_rowid = 'id');

CREATE VIRTUAL TABLE temp.note_words USING fts5vocab('main', 'note_fts', 'row');

DROP TABLE IF EXISTS note_fts;

SELECT n.id, n.title
FROM note AS n
WHERE n.title_key GLOB lower(:prefix) || '*'
  AND n.id NOT IN (SELECT rowid FROM note_fts(:prefix))
ORDER BY n.title_key COLLATE NOCASE;

SELECT rowid, CASE WHEN rank < -5 THEN 'good' WHEN rank < -1 THEN 'fair' ELSE 'weak' END AS quality
FROM note_fts
WHERE note_fts MATCH 'title:report'
ORDER BY quality, rank;

SELECT s.rowid AS id, row_number() OVER (ORDER BY s.rank) AS place, n.word_count
FROM note_fts s INNER JOIN note n ON n.id = s.rowid
WHERE note_fts MATCH 'travel' AND n.word_count > 20;

WITH q(term) AS (VALUES ('invoice'), ('contract'), ('lease'))
SELECT q.term, (SELECT count(*) FROM note_fts WHERE note_fts MATCH q.term) AS found
FROM q
ORDER BY found DESC;

SELECT fts.title AS title, n.title AS stored
FROM note_fts AS fts LEFT JOIN note AS n ON n.id = fts.rowid
WHERE fts.title IS NOT n.title OR fts.body IS NOT n.body;
