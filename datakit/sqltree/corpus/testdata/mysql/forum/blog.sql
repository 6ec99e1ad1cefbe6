SELECT SQL_CALC_FOUND_ROWS p.ID, p.post_title FROM wp_posts p WHERE TRUE AND p.post_type = 'recipe' AND (p.post_status = 'publish' OR p.post_author = 17) ORDER BY p.post_modified DESC, p.ID LIMIT 20, 20;

SELECT FOUND_ROWS() AS pages_of_all;

SELECT wp_posts.*, day_of.meta_value AS day_of
FROM wp_posts
JOIN wp_postmeta AS day_of ON (day_of.post_id = wp_posts.ID AND day_of.meta_key = 'concert_day')
JOIN wp_postmeta AS hall ON (hall.post_id = wp_posts.ID)
WHERE ((hall.meta_key = 'concert_hall' AND hall.meta_value IN ('north', 'east'))
   AND CAST(day_of.meta_value AS DATE) BETWEEN '2025-03-01' AND '2025-03-31')
GROUP BY wp_posts.ID, day_of.meta_value
ORDER BY CAST(day_of.meta_value AS DATE), hall.meta_value LIKE 'n%' DESC
LIMIT 0, 12;

SELECT o.option_name, LENGTH(o.option_value) AS bytes FROM wp_options o WHERE o.autoload NOT IN ('no', 'off') HAVING bytes > 4096 ORDER BY bytes DESC;

INSERT INTO `wp_options` (`option_name`, `option_value`) VALUES ('newsletter_day', 'tuesday'), ('newsletter_hour', '7') ON DUPLICATE KEY UPDATE `option_value` = VALUES(`option_value`), `autoload` = 'no';

SELECT post_id, GROUP_CONCAT(meta_key ORDER BY meta_id SEPARATOR '|') FROM wp_postmeta WHERE post_id BETWEEN 400 AND 440 GROUP BY post_id;

SELECT  label.name, use_of.taxonomy,
		use_of.count * 100 / NULLIF(whole.all_uses, 0) AS percent
	FROM wp_terms AS label
	INNER JOIN wp_term_taxonomy AS use_of USING (term_id)
	CROSS JOIN ( SELECT SUM( count ) AS all_uses FROM wp_term_taxonomy ) AS whole
	WHERE use_of.parent <> 0
	ORDER BY percent DESC, label.slug ASC;

SELECT link.object_id, COUNT(DISTINCT link.term_taxonomy_id) AS labels FROM wp_term_relationships AS link LEFT JOIN wp_term_taxonomy AS kind ON kind.term_taxonomy_id = link.term_taxonomy_id WHERE kind.taxonomy = 'season' OR kind.term_id IS NULL GROUP BY link.object_id HAVING labels = 2;

SELECT page.ID, page.post_name
FROM wp_posts AS page
WHERE page.ID NOT IN (
		SELECT link.object_id
		FROM wp_term_relationships AS link
		JOIN wp_term_taxonomy kind ON kind.term_taxonomy_id = link.term_taxonomy_id
		WHERE kind.taxonomy = 'archive'
	)
  AND (page.post_title LIKE '%sourdough%' OR page.post_excerpt LIKE '%sourdough%')
ORDER BY page.post_title LIKE 'sourdough%' DESC, CHAR_LENGTH( page.post_title );

SELECT comment_type, comment_approved, COUNT( * ) FROM wp_comments WHERE comment_date >= NOW() - INTERVAL 1 WEEK GROUP BY comment_type, comment_approved WITH ROLLUP;

SELECT SQL_CALC_FOUND_ROWS answer.comment_ID, question.comment_author
FROM wp_comments AS answer
LEFT JOIN wp_comments AS question ON question.comment_ID = answer.comment_parent
WHERE ( ( answer.comment_karma < 0 ) OR ( question.comment_approved = 'spam' ) )
LIMIT 30 OFFSET 60;

UPDATE `wp_posts` SET `comment_count` = (SELECT COUNT(*) FROM `wp_comments` WHERE `wp_comments`.`comment_post_ID` = `wp_posts`.`ID` AND `comment_approved` = '1') WHERE `post_type` = 'recipe';

UPDATE wp_postmeta SET meta_value = TRIM(TRAILING '/' FROM meta_value), meta_key = LOWER(meta_key) WHERE meta_key LIKE 'link\_%' ORDER BY meta_id LIMIT 500;

DELETE FROM wp_options WHERE option_name LIKE 'cache\_%' AND option_name NOT LIKE 'cache\_keep\_%' AND LENGTH(option_value) = 0;

DELETE entry, until FROM wp_options entry, wp_options until
		WHERE entry.option_name LIKE 'cache\\_%'
		AND until.option_name = CONCAT( 'until_', SUBSTRING( entry.option_name FROM 7 ) )
		AND until.option_value + 0 < UNIX_TIMESTAMP();

DELETE fact FROM wp_usermeta fact LEFT JOIN wp_users person ON person.ID = fact.user_id WHERE person.ID IS NULL OR fact.meta_value = '';

SELECT YEARWEEK(post_date, 3) AS `week`, COUNT(ID) AS `new`, SUM(post_status = 'draft') AS `unfinished` FROM wp_posts GROUP BY YEARWEEK(post_date, 3) ORDER BY `week` DESC LIMIT 26;

SELECT DISTINCT QUARTER( post_modified ) AS quarter, post_mime_type
		FROM wp_posts
		WHERE post_mime_type <> '' AND post_parent = 0
		ORDER BY quarter;

SELECT person.display_name, person.user_email
FROM wp_users AS person INNER JOIN wp_usermeta AS fact ON ( fact.user_id = person.ID )
WHERE ( fact.meta_key = 'languages' AND ( fact.meta_value LIKE '%\"fi\"%' OR fact.meta_value LIKE '%\"et\"%' ) )
   OR ( fact.meta_key = 'home' AND fact.meta_value = 'Tartu' )
ORDER BY person.user_registered;

SELECT COUNT(NULLIF(`locale` LIKE 'fi%', FALSE)) AS `finnish`, COUNT(NULLIF(`locale` IS NULL, 0)) AS `unknown`, COUNT(*) AS `all`
		FROM `wp_users`
		STRAIGHT_JOIN `wp_usermeta` ON `user_id` = `ID`
		WHERE `meta_key` = 'home';

SELECT r.ID, MAX(IF(m.meta_key = 'minutes', m.meta_value + 0, NULL)) AS minutes, MIN(CASE m.meta_key WHEN 'servings' THEN m.meta_value END) AS servings
FROM wp_posts r LEFT OUTER JOIN wp_postmeta m ON r.ID = m.post_id
WHERE r.post_type IN ('recipe', 'draft_recipe')
GROUP BY r.ID HAVING minutes < 45 AND servings IS NOT NULL ORDER BY minutes, r.ID;

SELECT later.ID, later.post_name FROM wp_posts AS now, wp_posts AS later WHERE now.ID = 512 AND later.post_date > now.post_date AND later.post_type = now.post_type ORDER BY later.post_date ASC LIMIT 1;
