CREATE TABLE `OTHER`.region (
  country CHAR(2) NOT NULL COMMENT 'ISO 3166',
  code VARCHAR(5) NOT NULL,
  name VARCHAR(45),
  PRIMARY KEY (country, code),
  UNIQUE KEY region_name (name)
) COMMENT 'where we sell';

CREATE TABLE customer (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  email VARCHAR(120) NOT NULL,
  country CHAR(2), region VARCHAR(5),
  region_name VARCHAR(45),
  referred_by INT UNSIGNED,
  profile JSON,
  state ENUM('new', 'it''s', 'back\\slash', 'a,b)') NOT NULL DEFAULT 'new',
  flags SET('x', 'y'),
  balance DECIMAL(10,2) NOT NULL DEFAULT 0.00 CHECK (balance >= -100),
  created TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  note VARCHAR(200) DEFAULT 'it''s (fine)',
  uid VARCHAR(36) DEFAULT (UUID()),
  gross DECIMAL(11,2) AS (balance * 2) STORED,
  shout VARCHAR(120) AS (UPPER(email)) VIRTUAL,
  hidden INT INVISIBLE DEFAULT 7,
  about TEXT,
  UNIQUE KEY customer_email (email),
  KEY email_start (email(5), created),
  FULLTEXT KEY customer_about (about),
  CONSTRAINT both_or_none CHECK (note IS NULL OR email <> '`country`'),
  CONSTRAINT customer_region FOREIGN KEY (country, region) REFERENCES `OTHER`.region (country, code) ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT to_unique FOREIGN KEY (region_name) REFERENCES `OTHER`.region (name) ON DELETE RESTRICT,
  CONSTRAINT self FOREIGN KEY (referred_by) REFERENCES customer (id)
) COMMENT 'who buys';

CREATE TABLE address (id INT PRIMARY KEY, place POINT NOT NULL, SPATIAL KEY address_place (place));
CREATE TABLE purchase (
  id BIGINT AUTO_INCREMENT, bill_to INT, ship_to INT,
  PRIMARY KEY (id),
  CONSTRAINT bill FOREIGN KEY (bill_to) REFERENCES address (id),
  CONSTRAINT ship FOREIGN KEY (ship_to) REFERENCES address (id) ON DELETE CASCADE
);

CREATE TABLE `select` (`from` INT PRIMARY KEY, `Mixed Case` INT, `ünïcode é` INT, `dot.and::colons` INT, `quote"d` INT, `tick``s` INT,
  `n23456789012345678901234567890123456789012345678901234567890abcd` INT, CHECK (`tick``s` > `quote"d`));
CREATE TABLE `a.b::c "d" 'e' ``f``` (x INT, y INT, CONSTRAINT `key.of "x"` FOREIGN KEY (x) REFERENCES `select` (`from`));

CREATE TABLE log (at DATETIME(3), what TEXT);
CREATE TABLE audit (id INT, what VARCHAR(20), KEY audit_hash (id) USING HASH) ENGINE = MEMORY;
CREATE TABLE measure (id INT, day DATE, v DOUBLE, PRIMARY KEY (id, day))
  PARTITION BY RANGE (YEAR(day)) SUBPARTITION BY HASH (id) SUBPARTITIONS 2
  (PARTITION old VALUES LESS THAN (2000), PARTITION young VALUES LESS THAN MAXVALUE);
CREATE TABLE columns_range (a INT, b INT) PARTITION BY RANGE COLUMNS (b, a) (PARTITION p0 VALUES LESS THAN (1, 2), PARTITION p1 VALUES LESS THAN (MAXVALUE, MAXVALUE));
CREATE TABLE many_parts (a INT PRIMARY KEY) PARTITION BY KEY () PARTITIONS 200;
CREATE SEQUENCE numbers;
CREATE TABLE numbered (id INT DEFAULT (NEXTVAL(numbers)), v INT) WITH SYSTEM VERSIONING;
CREATE TABLE empty_table (a INT COMMENT 'nothing yet');

CREATE VIEW customer_names AS SELECT c.id, r.name AS region_name FROM customer c JOIN `OTHER`.region r ON r.country = c.country AND r.code = c.region;
CREATE VIEW over_view (who, `region name`) AS SELECT id, region_name FROM customer_names WHERE region_name <> 'nowhere';
CREATE VIEW cte_union AS WITH a AS (SELECT id FROM customer), address2 AS (SELECT id FROM address)
  SELECT id FROM a UNION SELECT id FROM address2 UNION ALL SELECT x FROM `a.b::c "d" 'e' ``f``` WHERE y IN (SELECT `from` FROM `select`);
CREATE VIEW no_table AS SELECT 1 AS one, 'log' AS log;

CREATE TRIGGER customer_one AFTER INSERT ON customer FOR EACH ROW INSERT INTO log SELECT NOW(), name FROM `OTHER`.region WHERE code = NEW.region;
CREATE TRIGGER customer_many AFTER UPDATE ON customer FOR EACH ROW
BEGIN
  DECLARE n INT DEFAULT 0;
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION DELETE FROM empty_table;
  -- UPDATE purchase SET id = 1;
  IF NEW.balance > 1 THEN UPDATE audit SET what = 'INSERT INTO purchase; DELETE FROM purchase' WHERE id = REPLACE(NEW.id, ';', '');
  ELSE DELETE FROM `OTHER`.region WHERE code = CASE WHEN n THEN INSERT('abc', 1, 1, 'x') ELSE REPLACE('a', 'b', 'c') END;
  END IF;
  WHILE n < 3 DO INSERT INTO log VALUES (NOW(), 'x') ; SET n = n + 1; END WHILE;
  SELECT COUNT(*) INTO n FROM purchase FOR UPDATE;
END;
CREATE TRIGGER reads_only BEFORE DELETE ON customer FOR EACH ROW SET @n = (SELECT COUNT(*) FROM purchase);
