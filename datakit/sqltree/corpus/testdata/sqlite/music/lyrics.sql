SELECT song_id, title FROM lyric WHERE lyric MATCH ? ORDER BY rank LIMIT 20;

SELECT snippet(lyric, 1, '>>', '<<', ' ... ', 8) AS line, bm25(lyric, 5.0, 1.0) AS score
FROM lyric
WHERE words MATCH 'moon AND river'
ORDER BY score;

SELECT f.song, f.performer, highlight(lyric, 1, '*', '*') AS words
FROM lyric JOIN song_full f ON f.song_id = lyric.song_id
WHERE lyric MATCH 'words : (rain OR snow)'
ORDER BY lyric.rank;

SELECT l.title, count(*) OVER () AS hits FROM lyric('love*') l ORDER BY l.rank LIMIT 5;

SELECT count(*) FROM lyric WHERE words LIKE '%baby%';

INSERT INTO lyric (title, words, song_id) VALUES (?, ?, ?);

INSERT INTO lyric (rowid, title, words, song_id)
SELECT s.song_id, s.title, s.features ->> '$.lyrics', s.song_id
FROM song AS s
WHERE json_type(s.features, '$.lyrics') = 'text';

INSERT INTO lyric (lyric) VALUES ('rebuild');

UPDATE lyric SET words = replace(words, char(13), '') WHERE instr(words, char(13)) > 0;

DELETE FROM lyric WHERE song_id NOT IN (SELECT song_id FROM song);

SELECT s.title FROM song s WHERE s.song_id NOT IN (SELECT song_id FROM lyric) AND s.explicit = 1;

SELECT p.name, count(*) AS n
FROM lyric ly
JOIN song s ON s.song_id = ly.song_id
JOIN disc d USING (disc_id)
JOIN performer p USING (performer_id)
WHERE ly.words MATCH '"broken heart"'
GROUP BY p.performer_id
ORDER BY n DESC;

WITH hit AS (SELECT song_id, rank AS r FROM lyric WHERE lyric MATCH :q ORDER BY rank LIMIT 100)
SELECT hit.song_id, hit.r, count(play.play_id) AS plays
FROM hit LEFT JOIN play ON play.song_id = hit.song_id
GROUP BY hit.song_id
ORDER BY hit.r - plays / 1000.0;

SELECT rowid, length(words) - length(replace(words, char(10), '')) + 1 AS lines
FROM lyric
ORDER BY lines DESC
LIMIT 3;

select avg(length(words))
from lyric
where song_id in (select song_id from song_style natural join style where style.name = 'Rap');

SELECT a.title, b.title
FROM lyric a
JOIN lyric b ON a.rowid < b.rowid AND substr(a.words, 1, 200) = substr(b.words, 1, 200);

SELECT d.year, sum(EXISTS (SELECT 1 FROM lyric WHERE lyric.song_id = s.song_id AND lyric.words GLOB '*[Ll]ove*')) AS love_songs, count(*) AS songs
FROM disc d JOIN song s USING (disc_id)
GROUP BY d.year
ORDER BY d.year;

CREATE VIRTUAL TABLE IF NOT EXISTS name_idx USING fts5(name, content = 'performer', content_rowid = 'performer_id', tokenize = "trigram");

SELECT lyric.*, song.isrc
FROM lyric
LEFT JOIN song ON song.song_id = lyric.song_id
WHERE lyric.rowid BETWEEN 100 AND 200;

SELECT title, CASE WHEN words IS NULL OR trim(words) = '' THEN 'instrumental' WHEN rank IS NULL THEN 'unranked' ELSE 'sung' END AS kind
FROM lyric;
