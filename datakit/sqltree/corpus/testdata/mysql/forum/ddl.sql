CREATE TABLE daily_totals AS SELECT statDay, pageId, SUM(hits) AS hits FROM PageStats GROUP BY statDay, pageId;

CREATE TABLE IF NOT EXISTS badges (
  id int unsigned NOT NULL AUTO_INCREMENT,
  code varchar(40) NOT NULL,
  granted_by bigint unsigned DEFAULT NULL,
  criteria json NOT NULL DEFAULT (JSON_OBJECT()),
  PRIMARY KEY (id),
  UNIQUE INDEX badge_code (code),
  CONSTRAINT badge_granter FOREIGN KEY (granted_by) REFERENCES wp_users (ID) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='earned by members';

CREATE TEMPORARY TABLE tmp_scores (PRIMARY KEY (user_id), KEY (points)) ENGINE=MEMORY
SELECT r.user_id, SUM(v.value) AS points FROM replies r JOIN votes v ON v.reply_id = r.id GROUP BY r.user_id;

CREATE TABLE replies_archive LIKE replies;

CREATE OR REPLACE VIEW top_authors (author_id, posts, comments) AS
SELECT post_author, COUNT(*), SUM(comment_count) FROM wp_posts WHERE post_status = 'publish' GROUP BY post_author HAVING COUNT(*) > 10;

CREATE OR REPLACE ALGORITHM=MERGE DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW open_orders AS
SELECT o.id, o.total, u.user_email FROM `order` AS o JOIN wp_users AS u ON u.ID = o.user_id WHERE o.status = 'placed'
WITH CASCADED CHECK OPTION;

ALTER VIEW active_members AS SELECT ID, user_login, display_name, user_email, user_registered FROM wp_users WHERE user_status IN (0, 1);

CREATE INDEX posts_author_date ON wp_posts (post_author, post_date DESC);

CREATE UNIQUE INDEX media_path ON media (path(191)) USING BTREE COMMENT 'one row a file' ALGORITHM=INPLACE LOCK=NONE;

CREATE INDEX order_month ON `order` ((DATE_FORMAT(placed_at, '%Y-%m')), currency);

CREATE FULLTEXT INDEX revisions_ft ON revisions (title, body) WITH PARSER ngram;

ALTER TABLE Threads ADD INDEX threads_tags ((CAST(tags->'$[*]' AS CHAR(60) ARRAY)));

ALTER TABLE replies
  ADD COLUMN language char(2) CHARACTER SET ascii NULL AFTER body,
  ADD COLUMN word_count int GENERATED ALWAYS AS (1 + CHAR_LENGTH(body) - CHAR_LENGTH(REPLACE(body, ' ', ''))) VIRTUAL,
  DROP FOREIGN KEY replies_parent_fk,
  ADD CONSTRAINT replies_user_fk FOREIGN KEY (user_id) REFERENCES wp_users (ID) ON DELETE SET NULL,
  MODIFY COLUMN score int NOT NULL DEFAULT 0 COMMENT 'sum of votes',
  ALTER COLUMN score SET DEFAULT 1,
  ALGORITHM=COPY;

ALTER TABLE wp_posts CHANGE COLUMN menu_order position int NOT NULL DEFAULT 0, RENAME INDEX post_author TO idx_author, ALTER INDEX post_parent INVISIBLE;

ALTER TABLE PageStats REORGANIZE PARTITION pmax INTO (PARTITION p2025 VALUES LESS THAN ('2026-01-01'), PARTITION pmax VALUES LESS THAN (MAXVALUE));

ALTER TABLE `groups` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;

RENAME TABLE moderation_log TO moderation_log_2024, wp_options TO wp_options_old;

DROP TABLE IF EXISTS tmp_scores, `replies_old` CASCADE;

DROP INDEX media_post ON media;

TRUNCATE TABLE votes;

CREATE TRIGGER votes_ai AFTER INSERT ON votes FOR EACH ROW UPDATE replies SET score = score + NEW.value WHERE id = NEW.reply_id;

CREATE TRIGGER threads_bu BEFORE UPDATE ON Threads FOR EACH ROW
BEGIN
  IF NEW.title <> OLD.title THEN
    INSERT INTO moderation_log (actor_id, action, target_type, target_id, detail) VALUES (COALESCE(NEW.starter_id, 0), 'retitle', 'thread', OLD.id, JSON_OBJECT('old', OLD.title));
  END IF;
END;

CREATE PROCEDURE purge_carts(IN days INT)
BEGIN
  DECLARE n INT DEFAULT 0;
  DELETE FROM `order` WHERE status = 'cart' AND placed_at < NOW() - INTERVAL days DAY;
  SELECT ROW_COUNT() INTO n;
  SELECT n AS removed;
END;

CREATE EVENT nightly_counts ON SCHEDULE EVERY 1 DAY STARTS '2025-01-01 03:00:00' DO UPDATE Threads t SET t.reply_count = (SELECT COUNT(*) FROM replies r WHERE r.thread_id = t.id);

EXPLAIN SELECT t.title FROM Threads t JOIN `groups` g ON g.id = t.group_id WHERE g.slug = 'garden';

EXPLAIN FORMAT=JSON UPDATE replies SET score = 0 WHERE user_id = 4;

EXPLAIN ANALYZE SELECT COUNT(*) FROM wp_postmeta WHERE meta_key = '_price' AND meta_value > 10;

DESCRIBE wp_users display_name;

CREATE TABLE thread_archive (id bigint unsigned NOT NULL PRIMARY KEY, note varchar(40)) PARTITION BY HASH (id) PARTITIONS 4 IGNORE SELECT id, title AS note FROM Threads WHERE deleted_at IS NOT NULL;
