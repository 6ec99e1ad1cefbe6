-- A schema in the form of mariadb-dump.
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*M!100616 SET @OLD_NOTE_VERBOSITY=@@NOTE_VERBOSITY */;

DROP TABLE IF EXISTS `book`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `book` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `title` varchar(200) NOT NULL DEFAULT '' COMMENT 'as printed; it''s on the cover',
  `shelf_id` int(11) DEFAULT NULL,
  `price` decimal(8,2) NOT NULL DEFAULT 0.00,
  `language` enum('de','en','it''s, other') CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL DEFAULT 'de',
  `state` set('new','used') DEFAULT 'new',
  `added` timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  `read_at` datetime(3) DEFAULT NULL,
  `gross` decimal(10,2) GENERATED ALWAYS AS (`price` * 1.07) STORED,
  `initial` char(1) GENERATED ALWAYS AS (left(`title`,1)) VIRTUAL,
  `meta` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`meta`)),
  PRIMARY KEY (`id`),
  UNIQUE KEY `title` (`title`,`language`),
  KEY `shelf` (`shelf_id`,`price` DESC),
  KEY `initial` (`initial`),
  FULLTEXT KEY `words` (`title`),
  CONSTRAINT `book_ibfk_1` FOREIGN KEY (`shelf_id`) REFERENCES `shelf` (`id`) ON DELETE SET NULL,
  CONSTRAINT `CONSTRAINT_1` CHECK (`price` >= 0)
) ENGINE=InnoDB AUTO_INCREMENT=42 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='all books';
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `book`
--

LOCK TABLES `book` WRITE;
/*!40000 ALTER TABLE `book` DISABLE KEYS */;
/*!40000 ALTER TABLE `book` ENABLE KEYS */;
UNLOCK TABLES;
/*!50003 SET @saved_sql_mode       = @@sql_mode */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `book_before` BEFORE INSERT ON `book` FOR EACH ROW BEGIN
  IF NEW.title = '' THEN SET NEW.title = 'untitled; yet'; END IF;
END */;;
DELIMITER ;
/*!50003 SET sql_mode              = @saved_sql_mode */ ;

DROP TABLE IF EXISTS `loan`;
CREATE TABLE `loan` (
  `book_id` bigint(20) unsigned NOT NULL,
  `day` date NOT NULL,
  `who` varchar(80) DEFAULT NULL,
  PRIMARY KEY (`book_id`,`day`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=8
 PARTITION BY RANGE  COLUMNS(`day`)
(PARTITION `p0` VALUES LESS THAN ('2020-01-01') ENGINE = InnoDB,
 PARTITION `p1` VALUES LESS THAN (MAXVALUE) ENGINE = InnoDB);

--
-- Temporary table structure for view `long_loan`
--

/*!50001 DROP VIEW IF EXISTS `long_loan`*/;
SET @saved_cs_client     = @@character_set_client;
SET character_set_client = utf8mb4;
/*!50001 CREATE VIEW `long_loan` AS SELECT
 1 AS `title`,
  1 AS `days` */;
SET character_set_client = @saved_cs_client;

DROP TABLE IF EXISTS `shelf`;
CREATE TABLE `shelf` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(20) CHARACTER SET latin1 COLLATE latin1_german1_ci NOT NULL,
  `room` tinyint(3) unsigned zerofill NOT NULL DEFAULT 001,
  `place` point DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `name` (`name`(5)) USING BTREE COMMENT 'short'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;

CREATE SEQUENCE `tickets` start with 5 minvalue 1 maxvalue 1000 increment by 5 nocache cycle ENGINE=InnoDB;

DELIMITER ;;
CREATE DEFINER=`root`@`localhost` FUNCTION `days_of`(`since` DATE) RETURNS int(11)
    NO SQL
    DETERMINISTIC
    COMMENT 'up to today'
return to_days(current_date()) - to_days(`since`) ;;
CREATE DEFINER=`root`@`localhost` PROCEDURE `clean`(IN `before_day` DATE)
BEGIN
  DELETE FROM loan WHERE day < before_day; -- older ones
END ;;
DELIMITER ;

--
-- Final view structure for view `long_loan`
--

/*!50001 DROP VIEW IF EXISTS `long_loan`*/;
/*!50001 SET @saved_cs_client          = @@character_set_client */;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `long_loan` AS select `b`.`title` AS `title`,to_days(current_date()) - to_days(`l`.`day`) AS `days` from (`book` `b` join `loan` `l` on(`l`.`book_id` = `b`.`id`)) */;
/*!50001 SET character_set_client      = @saved_cs_client */;

/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
