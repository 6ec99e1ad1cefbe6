SELECT title, features ->> '$.energy' AS energy, features ->> '$.valence' AS valence
FROM song
WHERE energy > 0.8 AND valence < 0.2;

SELECT s.song_id, f.key, f.value
FROM song AS s, json_each(s.features) AS f
WHERE f.type IN ('real', 'integer')
ORDER BY s.song_id, f.key;

SELECT key, count(*) AS n, min(value), avg(value), max(value)
FROM song, json_each(song.features)
GROUP BY key
HAVING n > 10;

UPDATE song SET features = json_set(features, '$.tempo', bpm) WHERE bpm IS NOT NULL AND features -> '$.tempo' IS NULL;

UPDATE song
SET features = json_patch(features, j.value)
FROM json_each(:batch) AS j
WHERE song.isrc = j.value ->> '$.isrc';

SELECT p.name, link.key AS site, link.value AS url
FROM performer p JOIN json_each(p.links) link
WHERE link.value LIKE 'http%' AND link.key <> 'wiki'
ORDER BY p.name, link.key;

SELECT performer_id, json_extract(links, '$.wiki') IS NULL AS no_wiki, json_array_length(links, '$.videos') AS videos
FROM performer
WHERE json_valid(links)
ORDER BY videos DESC NULLS LAST;

-- distance of two songs in feature space
SELECT b.title,
       sqrt(pow((a.features ->> 'energy') - (b.features ->> 'energy'), 2) + pow((a.features ->> 'valence') - (b.features ->> 'valence'), 2)) AS distance
FROM song a JOIN song b ON b.song_id <> a.song_id
WHERE a.song_id = ?
ORDER BY distance
LIMIT 10;

SELECT json_object('disc', d.title, 'by', p.name, 'songs',
         (SELECT json_group_array(json_object('no', s.position, 'title', s.title) ORDER BY s.side, s.position) FROM song s WHERE s.disc_id = d.disc_id))
FROM disc d JOIN performer p USING (performer_id)
WHERE d.disc_id = :disc;

SELECT j.value ->> '$.name' AS name, j.value ->> '$.plays' + 0 AS plays
FROM json_each(input.doc, '$.history') AS j, (SELECT ?1 AS doc) AS input
WHERE plays > 3;

SELECT c.held_on, e.value AS encore
FROM concert c, json_each(c.setlist) e
WHERE e.key >= json_array_length(c.setlist) - 2;

SELECT value AS song, count(*) AS times_played
FROM concert
JOIN json_each(setlist)
WHERE performer_id = ?
GROUP BY value
ORDER BY times_played DESC;

SELECT c1.concert_id, c2.concert_id
FROM concert c1 JOIN concert c2 ON c2.performer_id = c1.performer_id AND c2.held_on > c1.held_on
WHERE (SELECT json_group_array(value) FROM (SELECT value FROM json_each(c1.setlist) ORDER BY value)) = (SELECT json_group_array(value) FROM (SELECT value FROM json_each(c2.setlist) ORDER BY value));

select t.key, t.value, t.fullkey
from concert c, json_tree(c.setlist, '$') t
where t.type = 'text' and c.city = 'Graz';

INSERT INTO song (disc_id, side, position, title, length_ms, features)
SELECT :disc, coalesce(v.value ->> 'side', 1), v.key + 1, v.value ->> 'title', v.value ->> 'ms', json_remove(v.value, '$.side', '$.title', '$.ms')
FROM json_each(:tracks) AS v;

SELECT (SELECT json_group_object(role, names) FROM (SELECT role, json_group_array(performer.name) AS names FROM credit JOIN performer USING (performer_id) WHERE credit.song_id = song.song_id GROUP BY role)) AS credits
FROM song
WHERE disc_id = 12;

SELECT avg(e) AS energy, count(*) AS n, decade FROM (
  SELECT json_extract(s.features, '$.energy') AS e, d.year / 10 * 10 AS decade
  FROM song AS s JOIN disc AS d USING (disc_id)
)
WHERE e IS NOT NULL
GROUP BY decade;

SELECT json_type(features, '$.key') AS type, count(*) FROM song GROUP BY type;

SELECT song_id, title FROM song WHERE 'live' IN (SELECT value FROM json_each(song.features, '$.tags'));

SELECT s.title
FROM song s
WHERE NOT EXISTS (SELECT 1 FROM json_each(?) wanted WHERE wanted.value NOT IN (SELECT has.value FROM json_each(s.features, '$.tags') has));

WITH tags AS (SELECT s.song_id, t.value AS tag FROM song s, json_each(s.features, '$.tags') t)
SELECT a.tag, b.tag, count(*) AS n
FROM tags a JOIN tags b USING (song_id)
WHERE a.tag < b.tag
GROUP BY a.tag, b.tag
ORDER BY n DESC;

UPDATE concert
SET setlist = json_insert(setlist, '$[#]', :song)
WHERE concert_id = :id
RETURNING json_array_length(setlist) AS songs;

UPDATE performer
SET links = (SELECT json_group_object(key, value) FROM json_each(performer.links) WHERE value <> '')
WHERE EXISTS (SELECT 1 FROM json_each(performer.links) AS l WHERE l.value = '');

SELECT json_quote(title), json(features), json_error_position(features)
FROM song
WHERE typeof(features) = 'text'
LIMIT 3;

SELECT group_concat(printf('%s=%s', key, value), '; ') FROM json_each((SELECT features FROM song WHERE song_id = ?));

SELECT s.song_id, je.id, je.parent, je.path
FROM song s
LEFT JOIN json_tree(s.features) je ON je.type = 'array'
WHERE je.id IS NULL;

SELECT coalesce(features ->> '$."time signature"', '4/4') AS meter, total(length_ms) / 1000 AS seconds
FROM song
GROUP BY meter
ORDER BY seconds DESC;

SELECT performer.name, json_each.key
FROM performer, json_each(performer.links)
WHERE json_each.atom GLOB '*example.org*';
