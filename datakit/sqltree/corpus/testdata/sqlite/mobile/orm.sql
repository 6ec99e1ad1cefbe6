SELECT "note"."id", "note"."uuid", "note"."title", "note"."body", "note"."pinned" FROM "note" WHERE ("note"."archived" = 0 AND "note"."account_id" = ?) ORDER BY "note"."updated_at" DESC LIMIT 21;

SELECT `main`.`note`.`id`, `main`.`note`.`title`, `main`.`note`.`folder_id` FROM `main`.`note` WHERE (`main`.`note`.`folder_id` IN (?,?,?) AND `main`.`note`.`title` LIKE ?) ORDER BY `main`.`note`.`id` ASC LIMIT ? OFFSET ?;

SELECT COUNT(*) AS "__count" FROM "note" INNER JOIN "folder" ON ("note"."folder_id" = "folder"."id") WHERE ("folder"."name" LIKE ? ESCAPE '\' AND NOT ("note"."format" = ? AND "note"."format" IS NOT NULL));

SELECT note.id AS note_id, note.title AS note_title, folder_1.id AS folder_1_id, folder_1.name AS folder_1_name
FROM note LEFT OUTER JOIN folder AS folder_1 ON folder_1.id = note.folder_id
WHERE note.account_id = ?
 LIMIT ? OFFSET ?;

SELECT anon_1.note_id, anon_1.note_title, tag_1.label AS tag_1_label
FROM (SELECT note.id AS note_id, note.title AS note_title FROM note WHERE note.pinned = 1 LIMIT ? OFFSET ?) AS anon_1
LEFT OUTER JOIN (note_tag AS note_tag_1 JOIN tag AS tag_1 ON tag_1.id = note_tag_1.tag_id) ON anon_1.note_id = note_tag_1.note_id
ORDER BY anon_1.note_title;

select n1_0.id,n1_0.title,f1_0.id,f1_0.name,f1_0."order" from note n1_0 left join folder f1_0 on f1_0.id=n1_0.folder_id where n1_0.uuid=? and n1_0.archived<>1;

SELECT "t0"."contactId" AS "id", "t0"."displayName" AS "name", (SELECT COUNT(*) FROM "message" AS "t1" WHERE "t1"."sender_id" = "t0"."contactId") AS "messageCount" FROM "Contact" AS "t0" WHERE "t0"."isBlocked" = 0 ORDER BY "t0"."displayName" ASC;

SELECT 1 AS "a" FROM "tag" WHERE ("tag"."account_id" = ? AND "tag"."label" = ?) LIMIT 1;

SELECT DISTINCT "tag".* FROM "tag" INNER JOIN "note_tag" ON "tag"."id" = "note_tag"."tag_id" WHERE "note_tag"."note_id" = ? ORDER BY "tag"."label" ASC;

INSERT INTO "tag" ("account_id", "label", "hue") VALUES (?, ?, ?), (?, ?, ?), (?, ?, ?) RETURNING "tag"."id";

INSERT INTO `device` (`id`,`account_id`,`platform`,`model`,`push_token`) VALUES (?,?,?,?,?) ON CONFLICT (`id`) DO UPDATE SET `push_token`=`excluded`.`push_token`,`model`=`excluded`.`model` RETURNING `id`;

INSERT OR ABORT INTO `habit` (`id`,`account_id`,`name`,`icon`,`starts_on`) VALUES (nullif(?, 0),?,?,?,?);

UPDATE "note" SET "title" = ?, "updated_at" = ? WHERE "note"."id" IN (SELECT "u0"."id" FROM "note" "u0" INNER JOIN "folder" "u1" ON ("u0"."folder_id" = "u1"."id") WHERE "u1"."name" = ?);

UPDATE OR ABORT `reminder` SET `note_id` = ?,`habit_id` = ?,`fire_at` = ?,`snoozed` = ? WHERE `id` = ?;

DELETE FROM "message" WHERE "message"."id" IN (SELECT "V0"."id" FROM "message" "V0" WHERE "V0"."conversation_id" IN (?, ?));

DELETE FROM `note_tag` WHERE `note_id` = ? AND `tag_id` NOT IN (?, ?);

SELECT "n"."id", "n"."title", "s"."bytes" FROM "note" AS "n" LEFT JOIN (SELECT "a"."note_id", SUM("a"."size") AS "bytes" FROM "attachment" AS "a" GROUP BY "a"."note_id") AS "s" ON "n"."id" = "s"."note_id" WHERE COALESCE("s"."bytes", 0) > @__min_0 ORDER BY (SELECT 1);

SELECT id FROM note WHERE id IN ();

SELECT "folder"."account_id" AS "col1", MAX("folder"."order") AS "max_order" FROM "folder" GROUP BY "folder"."account_id", "folder"."parent_id" HAVING MAX("folder"."order") >= ? ORDER BY "max_order" DESC;

SELECT EXISTS(SELECT 1 FROM `account` WHERE `email` = ? COLLATE NOCASE AND `deleted_at` IS NULL LIMIT 1);

SELECT `h`.*, `l`.`day`, `l`.`amount` FROM `habit` `h` LEFT JOIN `habit_log` `l` ON `l`.`habit_id` = `h`.`id` AND `l`.`day` >= ? WHERE `h`.`account_id` = ? ORDER BY `h`.`id`, `l`.`day`;

SELECT * FROM note WHERE (? IS NULL OR folder_id = ?) AND (? = '' OR title LIKE '%' || ? || '%') ORDER BY CASE WHEN ? = 'title' THEN title END COLLATE NOCASE, CASE WHEN ? = 'date' THEN updated_at END DESC LIMIT -1 OFFSET ?;

SELECT "note"."id", json_group_array(json_array("tag"."id", "tag"."label")) AS "tags" FROM "note" LEFT JOIN "note_tag" ON "note_tag"."note_id" = "note"."id" LEFT JOIN "tag" ON "tag"."id" = "note_tag"."tag_id" WHERE "note"."account_id" = ? GROUP BY "note"."id" LIMIT ?;

SELECT count(*) FROM (SELECT DISTINCT `note`.`id` FROM `note` INNER JOIN `note_tag` ON `note_tag`.`note_id` = `note`.`id` WHERE `note_tag`.`tag_id` IN (?)) subquery_for_count;

SELECT CAST(strftime('%Y', "note"."created_at", 'unixepoch') AS VARCHAR(4)) AS "year", COUNT("note"."id") AS "n" FROM "note" GROUP BY 1 ORDER BY "year" ASC, "n" DESC;

INSERT INTO setting (key, value) SELECT 'installed', unixepoch() WHERE NOT EXISTS (SELECT 1 FROM setting WHERE key == 'installed');

SELECT 'up' AS status WHERE (SELECT count(*) FROM [sync queue] WHERE attempts > 3) = 0;

WITH fresh(key, value) AS (VALUES ('a', 1), ('b', 2)) REPLACE INTO setting (key, value, scope) SELECT key, value, 'device' FROM fresh;

UPDATE setting SET value = 0, (scope, key) = ('account', key || '.old') WHERE key LIKE 'tmp.%' RETURNING *;

SELECT title key, body value, pinned first, archived last, word_count "row" FROM note WHERE first AND NOT last ORDER BY key, "row";

SELECT count(*) AS rows, max(fire_at) AS "end", min(fire_at) AS begin, sum(snoozed) AS action FROM reminder WHERE done_at ISNULL;

SELECT l.amount AS left, r.amount AS right, l.amount - r.amount AS full FROM habit_log l JOIN habit_log r ON r.habit_id = l.habit_id AND r.day = date(l.day, '+7 days') ORDER BY full;

SELECT n.title, t.label FROM note n, note_tag nt ON nt.note_id = n.id, tag t ON t.id = nt.tag_id WHERE t.hue != 0;

SELECT likelihood(pinned, 0.1) AND unlikely(archived) AS odd, glob('a*', title), like('%b', body), sign(word_count), ceil(word_count / 10.0), format('%05d', id) FROM note WHERE title NOT GLOB '*x*' AND body NOT LIKE 'y%' AND id NOT BETWEEN 5 AND 9;

SELECT * FROM (SELECT id, title FROM note LIMIT 3) UNION ALL VALUES (0, 'none');

SELECT +id, -pinned, ~archived, NOT pinned, id % 2, id || title, id <> 3, id != 4, id == 5, title IS NOT NULL, body COLLATE RTRIM = title, CURRENT_TIMESTAMP > created_at FROM note WHERE TRUE AND FALSE IS NOT NULL;
