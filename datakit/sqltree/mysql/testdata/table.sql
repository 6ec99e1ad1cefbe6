-- A table with all that it may have.
CREATE TABLE IF NOT EXISTS `shop`.`order` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT COMMENT 'the key',
  `customer` int NOT NULL,
  `total` decimal(12,2) DEFAULT '0.00' CHECK (`total` >= 0),
  `gross` decimal(12,2) GENERATED ALWAYS AS (`total` * 1.2) STORED,
  `state` enum('new','paid') CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL DEFAULT 'new',
  `at` timestamp(3) NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
  `doc` json,
  PRIMARY KEY (`id`,`customer`),
  UNIQUE KEY `one_a_day` (`customer`,`at` DESC) USING BTREE,
  KEY `by_note` (`state`(2)),
  CONSTRAINT `order_customer` FOREIGN KEY (`customer`) REFERENCES `shop`.`customer` (`id`) ON DELETE CASCADE ON UPDATE SET NULL,
  CONSTRAINT `positive` CHECK (`total` > 0)
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='orders'
PARTITION BY HASH (`customer`) PARTITIONS 4;

ALTER TABLE `shop`.`order` ADD COLUMN note varchar(20) NOT NULL DEFAULT '' AFTER total, MODIFY total decimal(14,2), DROP INDEX one_a_day, ADD UNIQUE KEY k (note), RENAME COLUMN doc TO body;

CREATE OR REPLACE ALGORITHM=MERGE VIEW v_total (customer, total) AS SELECT o.customer, SUM(o.total) FROM shop.`order` o GROUP BY o.customer;
