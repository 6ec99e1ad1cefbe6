CREATE TABLE wp_users (
  ID bigint unsigned NOT NULL AUTO_INCREMENT,
  user_login varchar(60) NOT NULL DEFAULT '',
  user_pass varchar(255) NOT NULL DEFAULT '',
  user_nicename varchar(50) NOT NULL DEFAULT '',
  user_email varchar(100) NOT NULL DEFAULT '',
  user_registered datetime NOT NULL DEFAULT '1970-01-01 00:00:00',
  user_status int NOT NULL DEFAULT 0,
  display_name varchar(250) NOT NULL DEFAULT '',
  locale varchar(12) CHARACTER SET ascii DEFAULT NULL,
  PRIMARY KEY (ID),
  UNIQUE KEY user_login_key (user_login),
  KEY user_email (user_email(40))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE wp_usermeta (
  umeta_id bigint unsigned NOT NULL AUTO_INCREMENT,
  user_id bigint unsigned NOT NULL DEFAULT 0,
  meta_key varchar(255) DEFAULT NULL,
  meta_value longtext,
  PRIMARY KEY (umeta_id),
  KEY user_id (user_id),
  KEY meta_key (meta_key(191)),
  CONSTRAINT fk_usermeta_user FOREIGN KEY (user_id) REFERENCES wp_users (ID) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE wp_posts (
  ID bigint unsigned NOT NULL AUTO_INCREMENT,
  post_author bigint unsigned NOT NULL DEFAULT '0',
  post_date datetime NOT NULL DEFAULT '1970-01-01 00:00:00',
  post_content longtext NOT NULL,
  post_title text NOT NULL,
  post_excerpt text,
  post_status varchar(20) NOT NULL DEFAULT 'publish',
  comment_status varchar(20) NOT NULL DEFAULT 'open',
  post_name varchar(200) NOT NULL DEFAULT '',
  post_modified datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  post_parent bigint unsigned NOT NULL DEFAULT 0,
  menu_order int NOT NULL DEFAULT 0,
  post_type varchar(20) NOT NULL DEFAULT 'post',
  post_mime_type varchar(100) NOT NULL DEFAULT '',
  comment_count bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (ID),
  KEY post_name (post_name(191)),
  KEY type_status_date (post_type, post_status, post_date, ID),
  KEY post_parent (post_parent),
  KEY post_author (post_author),
  FULLTEXT KEY ft_post (post_title, post_content)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE wp_postmeta (
  meta_id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_id bigint unsigned NOT NULL DEFAULT 0,
  meta_key varchar(255) DEFAULT NULL,
  meta_value longtext,
  INDEX post_id (post_id),
  INDEX meta_key (meta_key(191))
) DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE wp_terms (
  term_id bigint unsigned NOT NULL AUTO_INCREMENT,
  name varchar(200) NOT NULL DEFAULT '',
  slug varchar(200) NOT NULL DEFAULT '',
  term_group bigint(10) NOT NULL DEFAULT 0,
  PRIMARY KEY (term_id),
  KEY slug (slug(191)),
  KEY name (name(191))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE wp_term_taxonomy (
  term_taxonomy_id bigint unsigned NOT NULL AUTO_INCREMENT,
  term_id bigint unsigned NOT NULL DEFAULT 0,
  taxonomy varchar(32) NOT NULL DEFAULT '',
  description longtext,
  parent bigint unsigned NOT NULL DEFAULT 0,
  count bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (term_taxonomy_id),
  UNIQUE KEY term_id_taxonomy (term_id, taxonomy),
  KEY taxonomy (taxonomy)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE wp_term_relationships (
  object_id bigint unsigned NOT NULL DEFAULT 0,
  term_taxonomy_id bigint unsigned NOT NULL DEFAULT 0,
  term_order int NOT NULL DEFAULT 0,
  PRIMARY KEY (object_id, term_taxonomy_id),
  KEY term_taxonomy_id (term_taxonomy_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE wp_comments (
  comment_ID bigint unsigned NOT NULL AUTO_INCREMENT,
  comment_post_ID bigint unsigned NOT NULL DEFAULT '0',
  comment_author tinytext NOT NULL,
  comment_author_email varchar(100) NOT NULL DEFAULT '',
  comment_author_IP varchar(100) NOT NULL DEFAULT '',
  comment_date datetime NOT NULL DEFAULT '1970-01-01 00:00:00',
  comment_content text NOT NULL,
  comment_karma int NOT NULL DEFAULT 0,
  comment_approved varchar(20) NOT NULL DEFAULT '1',
  comment_type varchar(20) NOT NULL DEFAULT 'comment',
  comment_parent bigint unsigned NOT NULL DEFAULT 0,
  user_id bigint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (comment_ID),
  KEY comment_post_ID (comment_post_ID),
  KEY comment_approved_date (comment_approved, comment_date),
  FULLTEXT KEY ft_comment (comment_content)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE wp_options (
  option_id bigint unsigned NOT NULL AUTO_INCREMENT,
  option_name varchar(191) NOT NULL DEFAULT '',
  option_value longtext NOT NULL,
  autoload varchar(20) NOT NULL DEFAULT 'yes',
  PRIMARY KEY (option_id),
  UNIQUE KEY option_name (option_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;

CREATE TABLE `groups` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(120) NOT NULL,
  `slug` varchar(120) NOT NULL,
  `parent_id` int unsigned DEFAULT NULL,
  `rank` smallint NOT NULL DEFAULT 100,
  `owner_id` bigint unsigned DEFAULT NULL,
  `settings` json DEFAULT NULL,
  `visibility` enum('public','members','hidden') NOT NULL DEFAULT 'public',
  `created_at` timestamp NULL DEFAULT NULL,
  `updated_at` timestamp NULL DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `groups_slug_unique` (`slug`),
  CONSTRAINT `groups_parent_id_foreign` FOREIGN KEY (`parent_id`) REFERENCES `groups` (`id`) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `group_user` (
  `group_id` int unsigned NOT NULL,
  `user_id` bigint unsigned NOT NULL,
  `role` enum('member','moderator','owner') NOT NULL DEFAULT 'member',
  `joined_at` datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  `expires_on` date DEFAULT NULL,
  PRIMARY KEY (`group_id`, `user_id`),
  KEY `group_user_user_id_index` (`user_id`),
  CONSTRAINT `group_user_group_fk` FOREIGN KEY (`group_id`) REFERENCES `groups` (`id`) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT `group_user_user_fk` FOREIGN KEY (`user_id`) REFERENCES `wp_users` (`ID`) ON DELETE CASCADE
) ENGINE=InnoDB;

CREATE TABLE permissions (
  id int unsigned NOT NULL AUTO_INCREMENT,
  `key` varchar(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  description varchar(255) NULL,
  `default` tinyint(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  UNIQUE KEY perm_key (`key`)
) COMMENT='what a member may do';

CREATE TABLE permission_grants (
  id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  permission_id int unsigned NOT NULL,
  grantee_type varchar(40) NOT NULL COMMENT 'user or group',
  grantee_id bigint unsigned NOT NULL,
  `grant` tinyint(1) NOT NULL DEFAULT 1,
  granted_by bigint unsigned NULL,
  granted_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  UNIQUE KEY one_grant (permission_id, grantee_type, grantee_id),
  CONSTRAINT grants_permission_fk FOREIGN KEY (permission_id) REFERENCES permissions (id) ON DELETE CASCADE,
  CONSTRAINT known_grantee CHECK (grantee_type IN ('user', 'group'))
);

CREATE TABLE revisions (
  id bigint unsigned NOT NULL AUTO_INCREMENT,
  post_id bigint unsigned NOT NULL,
  author_id bigint unsigned NOT NULL,
  rev_no int unsigned NOT NULL,
  title varchar(255) NOT NULL,
  body mediumtext NOT NULL,
  diff json DEFAULT (json_array()),
  is_minor bit(1) NOT NULL DEFAULT b'0',
  created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  body_length int GENERATED ALWAYS AS (char_length(body)) STORED,
  PRIMARY KEY (id),
  UNIQUE KEY post_rev (post_id, rev_no),
  CONSTRAINT revisions_post_fk FOREIGN KEY (post_id) REFERENCES wp_posts (ID) ON DELETE CASCADE,
  CONSTRAINT revisions_author_fk FOREIGN KEY (author_id) REFERENCES wp_users (ID),
  CHECK (rev_no > 0)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC;

CREATE TABLE media (
  id bigint unsigned NOT NULL AUTO_INCREMENT,
  uploader_id bigint unsigned DEFAULT NULL,
  post_id bigint unsigned DEFAULT NULL,
  path varchar(512) NOT NULL,
  kind enum('image','video','audio','file') NOT NULL DEFAULT 'file',
  flags set('nsfw','cover','licensed') NOT NULL DEFAULT '',
  bytes bigint unsigned NOT NULL DEFAULT 0,
  width smallint unsigned DEFAULT NULL,
  height smallint unsigned DEFAULT NULL,
  exif json DEFAULT NULL,
  checksum binary(32) DEFAULT NULL,
  taken_at datetime DEFAULT NULL,
  uploaded_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  KEY media_post (post_id, kind),
  CONSTRAINT media_uploader_fk FOREIGN KEY (uploader_id) REFERENCES wp_users (ID) ON DELETE SET NULL
);

CREATE TABLE `PageStats` (
  `statId` bigint NOT NULL AUTO_INCREMENT,
  `pageId` bigint unsigned NOT NULL,
  `statDay` date NOT NULL,
  `hour` tinyint unsigned NOT NULL DEFAULT 0,
  `hits` int unsigned NOT NULL DEFAULT 0,
  `uniques` int unsigned NOT NULL DEFAULT 0,
  `bounceRate` decimal(5,2) DEFAULT NULL,
  `loadMs` double DEFAULT NULL,
  `referrer` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`statId`, `statDay`),
  UNIQUE KEY `page_day_hour` (`pageId`, `statDay`, `hour`, `referrer`)
) ENGINE=InnoDB
PARTITION BY RANGE COLUMNS (`statDay`) (
  PARTITION p2023 VALUES LESS THAN ('2024-01-01'),
  PARTITION p2024 VALUES LESS THAN ('2025-01-01'),
  PARTITION pmax VALUES LESS THAN (MAXVALUE)
);

CREATE TABLE `order` (
  `id` int NOT NULL AUTO_INCREMENT,
  `user_id` bigint unsigned NOT NULL,
  `status` enum('cart','placed','paid','refunded','cancelled') NOT NULL DEFAULT 'cart',
  `total` decimal(10,2) NOT NULL DEFAULT '0.00',
  `currency` char(3) NOT NULL DEFAULT 'EUR',
  `placed_at` datetime DEFAULT NULL,
  `paid_at` datetime DEFAULT NULL,
  `notes` text,
  PRIMARY KEY (`id`),
  KEY `order_user` (`user_id`, `status`),
  CONSTRAINT `order_user_fk` FOREIGN KEY (`user_id`) REFERENCES `wp_users` (`ID`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE orderItems (
  orderId int NOT NULL,
  lineNo smallint NOT NULL,
  sku varchar(40) NOT NULL,
  qty int NOT NULL DEFAULT 1,
  unitPrice decimal(10,2) NOT NULL,
  taxRate decimal(4,3) NOT NULL DEFAULT 0.190,
  lineTotal decimal(12,2) AS (qty * unitPrice) VIRTUAL,
  PRIMARY KEY (orderId, lineNo),
  KEY (sku),
  FOREIGN KEY (orderId) REFERENCES `order` (id) ON DELETE CASCADE,
  CHECK (qty > 0)
);

CREATE TABLE `Threads` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `group_id` int unsigned NOT NULL,
  `starter_id` bigint unsigned DEFAULT NULL,
  `title` varchar(200) NOT NULL,
  `views` int unsigned NOT NULL DEFAULT 0,
  `reply_count` int unsigned NOT NULL DEFAULT 0,
  `is_locked` tinyint(1) NOT NULL DEFAULT 0,
  `pinned` tinyint(1) NOT NULL DEFAULT 0,
  `tags` json DEFAULT NULL,
  `last_reply_at` datetime DEFAULT NULL,
  `created_at` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `deleted_at` datetime DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `threads_group_last` (`group_id`, `last_reply_at`),
  FULLTEXT KEY `threads_title_ft` (`title`),
  CONSTRAINT `threads_group_fk` FOREIGN KEY (`group_id`) REFERENCES `groups` (`id`),
  CONSTRAINT `threads_starter_fk` FOREIGN KEY (`starter_id`) REFERENCES `wp_users` (`ID`) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE replies (
  id bigint unsigned NOT NULL AUTO_INCREMENT,
  thread_id bigint unsigned NOT NULL,
  user_id bigint unsigned DEFAULT NULL,
  parent_id bigint unsigned DEFAULT NULL,
  body text NOT NULL,
  score int NOT NULL DEFAULT 0,
  ip varbinary(16) DEFAULT NULL,
  created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  edited_at datetime DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP,
  deleted_at datetime DEFAULT NULL,
  PRIMARY KEY (id),
  KEY replies_thread (thread_id, created_at),
  KEY replies_user (user_id),
  FULLTEXT KEY replies_body_ft (body),
  CONSTRAINT replies_thread_fk FOREIGN KEY (thread_id) REFERENCES `Threads` (id) ON DELETE CASCADE,
  CONSTRAINT replies_parent_fk FOREIGN KEY (parent_id) REFERENCES replies (id) ON DELETE CASCADE
);

CREATE TABLE votes (
  reply_id bigint unsigned NOT NULL,
  user_id bigint unsigned NOT NULL,
  value tinyint NOT NULL,
  created_at datetime NOT NULL DEFAULT now(),
  PRIMARY KEY (reply_id, user_id),
  CONSTRAINT votes_reply_fk FOREIGN KEY (reply_id) REFERENCES replies (id) ON DELETE CASCADE,
  CONSTRAINT vote_value CHECK (value BETWEEN -1 AND 1)
);

CREATE TABLE moderation_log (
  id bigint NOT NULL AUTO_INCREMENT,
  actor_id bigint unsigned NOT NULL,
  action varchar(40) NOT NULL,
  target_type varchar(40) NOT NULL,
  target_id bigint unsigned NOT NULL,
  detail json,
  created_at timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  PRIMARY KEY (id),
  KEY target (target_type, target_id)
) ENGINE=InnoDB;

CREATE VIEW active_members AS
SELECT u.ID, u.user_login, u.display_name, u.user_email, u.user_registered
FROM wp_users u
WHERE u.user_status = 0;

CREATE OR REPLACE VIEW published_posts (post_id, author_id, title, slug, published_on, comments) AS
SELECT ID, post_author, post_title, post_name, DATE(post_date), comment_count
FROM wp_posts
WHERE post_status = 'publish' AND post_type = 'post';

CREATE ALGORITHM = UNDEFINED SQL SECURITY INVOKER VIEW thread_activity AS
WITH r AS (
  SELECT thread_id, COUNT(*) AS replies, COUNT(DISTINCT user_id) AS participants, MAX(created_at) AS latest
  FROM replies
  WHERE deleted_at IS NULL
  GROUP BY thread_id
)
SELECT t.id AS thread_id, t.group_id, t.title, t.views, COALESCE(r.replies, 0) AS replies, r.participants, r.latest
FROM `Threads` t
LEFT JOIN r ON r.thread_id = t.id
WHERE t.deleted_at IS NULL;

CREATE VIEW hot_threads AS
SELECT a.*, g.name AS group_name
FROM thread_activity AS a
JOIN `groups` AS g ON g.id = a.group_id
WHERE a.replies >= 10;

CREATE VIEW `Monthly-Stats` (`month`, `page id`, `total hits`, uniques) AS
SELECT DATE_FORMAT(statDay, '%Y-%m'), pageId, SUM(hits), SUM(uniques)
FROM PageStats
GROUP BY DATE_FORMAT(statDay, '%Y-%m'), pageId;
