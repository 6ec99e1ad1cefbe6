-- A shop, with what a schema of MariaDB can have.
SET NAMES utf8mb4;
SET FOREIGN_KEY_CHECKS = 0;

CREATE TABLE currency (
  code CHAR(3) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'ISO 4217',
  name VARCHAR(60) NOT NULL,
  digits TINYINT UNSIGNED NOT NULL DEFAULT 2,
  PRIMARY KEY (code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='what prices are in; it''s short';

CREATE TABLE country (
  iso CHAR(2) PRIMARY KEY,
  name VARCHAR(80) NOT NULL UNIQUE,
  currency_code CHAR(3) CHARACTER SET ascii COLLATE ascii_bin,
  vat DECIMAL(5,2) NOT NULL DEFAULT 0.00 CHECK (vat BETWEEN 0 AND 100),
  FOREIGN KEY (currency_code) REFERENCES currency (code) ON UPDATE CASCADE ON DELETE SET NULL
);

CREATE TABLE customer (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  email VARCHAR(190) NOT NULL,
  display_name VARCHAR(120) DEFAULT NULL,
  password_hash BINARY(32),
  state ENUM('new','active','it''s blocked','gone') NOT NULL DEFAULT 'new',
  interests SET('news','offers','events') NOT NULL DEFAULT '',
  credit DECIMAL(12,2) UNSIGNED NOT NULL DEFAULT 0.00,
  score FLOAT DEFAULT 1.5,
  born DATE,
  country CHAR(2) NOT NULL DEFAULT 'DE',
  preferences LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT '{}' CHECK (json_valid(preferences)),
  created DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  updated TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  email_domain VARCHAR(190) GENERATED ALWAYS AS (substring_index(email, '@', -1)) STORED,
  label VARCHAR(320) AS (concat(coalesce(display_name, ''), ' <', email, '>')) VIRTUAL,
  internal INT NOT NULL DEFAULT 0 INVISIBLE,
  PRIMARY KEY (id),
  UNIQUE KEY customer_email (email) COMMENT 'one account for each',
  KEY (country, state),
  KEY by_domain (email_domain(40) DESC),
  KEY (born) USING BTREE,
  FULLTEXT KEY names (display_name),
  CONSTRAINT credit_limit CHECK (credit <= 100000),
  CHECK (born IS NULL OR born > '1900-01-01'),
  CONSTRAINT customer_country FOREIGN KEY (country) REFERENCES country (iso)
) ENGINE=InnoDB AUTO_INCREMENT=1000 DEFAULT CHARSET=utf8mb4 ROW_FORMAT=DYNAMIC COMMENT='people who buy';

CREATE TABLE address (
  id SERIAL PRIMARY KEY,
  customer_id INT UNSIGNED NOT NULL,
  kind ENUM('billing','shipping') NOT NULL,
  street VARCHAR(200) NOT NULL, city VARCHAR(100) NOT NULL, zip VARCHAR(12),
  country CHAR(2) NOT NULL,
  place POINT NOT NULL,
  SPATIAL INDEX (place),
  UNIQUE (customer_id, kind),
  KEY (city(10), zip(5)),
  FOREIGN KEY (customer_id) REFERENCES customer (id) ON DELETE CASCADE,
  FOREIGN KEY (country) REFERENCES country (iso) ON DELETE RESTRICT ON UPDATE NO ACTION
);

CREATE TABLE category (
  id SMALLINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent_id SMALLINT UNSIGNED NULL,
  slug VARCHAR(60) CHARACTER SET ascii NOT NULL,
  title VARCHAR(120) NOT NULL COLLATE utf8mb4_german2_ci,
  `order` INT NOT NULL DEFAULT 0,
  UNIQUE KEY (slug),
  KEY (parent_id, `order`),
  CONSTRAINT category_parent FOREIGN KEY (parent_id) REFERENCES category (id) ON DELETE CASCADE
);

CREATE TABLE brand (
  id INT PRIMARY KEY AUTO_INCREMENT,
  name VARCHAR(100) NOT NULL,
  founded YEAR,
  logo MEDIUMBLOB,
  homepage TINYTEXT,
  UNIQUE KEY brand_name USING HASH (name)
) COMMENT 'makers';

CREATE TABLE product (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  sku VARCHAR(40) NOT NULL,
  brand_id INT,
  title VARCHAR(200) NOT NULL,
  description MEDIUMTEXT,
  attributes JSON,
  price DECIMAL(10,2) NOT NULL,
  weight DOUBLE DEFAULT NULL COMMENT 'in kilograms',
  active BOOLEAN NOT NULL DEFAULT TRUE,
  flags BIT(8) NOT NULL DEFAULT b'101',
  token UUID DEFAULT uuid(),
  origin INET6,
  released DATE DEFAULT (current_date() + INTERVAL 1 DAY),
  magic VARBINARY(8) DEFAULT x'00ff',
  gross DECIMAL(12,2) AS (price * 1.19) PERSISTENT,
  PRIMARY KEY (id),
  UNIQUE KEY (sku),
  FULLTEXT INDEX product_text (title, description),
  KEY product_brand (brand_id, price DESC),
  KEY hidden (weight) IGNORED,
  CONSTRAINT positive_price CHECK (price >= 0 AND price < 1e6),
  CONSTRAINT product_brand_fk FOREIGN KEY (brand_id) REFERENCES brand (id) ON DELETE SET NULL ON UPDATE CASCADE
) ENGINE=InnoDB COMMENT='what is sold' STATS_PERSISTENT=1;

CREATE TABLE product_category (
  product_id BIGINT UNSIGNED NOT NULL,
  category_id SMALLINT UNSIGNED NOT NULL,
  PRIMARY KEY (product_id, category_id),
  FOREIGN KEY (product_id) REFERENCES product (id) ON DELETE CASCADE,
  FOREIGN KEY (category_id) REFERENCES category (id) ON DELETE CASCADE
);

CREATE TABLE product_image (
  product_id BIGINT UNSIGNED NOT NULL,
  nr TINYINT UNSIGNED NOT NULL,
  data LONGBLOB COMPRESSED,
  alt VARCHAR(200) DEFAULT 'a ''picture'' with "quotes", \\ and %',
  PRIMARY KEY (product_id, nr),
  CONSTRAINT FOREIGN KEY (product_id) REFERENCES product (id)
);

CREATE TABLE warehouse (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(80) NOT NULL,
  area POLYGON,
  opened TIME(3), closes TIME
);

CREATE TABLE stock (
  warehouse_id INT NOT NULL,
  product_id BIGINT UNSIGNED NOT NULL,
  amount INT NOT NULL DEFAULT 0,
  reserved INT NOT NULL DEFAULT 0,
  free INT AS (amount - reserved) VIRTUAL COMMENT 'what can be sold',
  PRIMARY KEY (warehouse_id, product_id),
  KEY (product_id),
  CONSTRAINT stock_amount CHECK (amount >= reserved),
  CONSTRAINT stock_warehouse FOREIGN KEY (warehouse_id) REFERENCES warehouse (id),
  CONSTRAINT stock_product FOREIGN KEY (product_id) REFERENCES product (id)
);

CREATE TABLE `order` (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customer_id INT UNSIGNED NOT NULL,
  billing_id BIGINT UNSIGNED, shipping_id BIGINT UNSIGNED,
  placed DATETIME NOT NULL DEFAULT NOW(),
  state ENUM('cart','paid','sent','back') CHARACTER SET ascii NOT NULL DEFAULT 'cart',
  total DECIMAL(12,2) NOT NULL DEFAULT 0,
  currency CHAR(3) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'EUR',
  note TEXT DEFAULT 'none',
  KEY order_customer (customer_id, placed DESC),
  KEY order_state (state),
  FOREIGN KEY (customer_id) REFERENCES customer (id),
  FOREIGN KEY (billing_id) REFERENCES address (id) ON DELETE SET NULL,
  FOREIGN KEY (shipping_id) REFERENCES address (id) ON DELETE SET NULL,
  FOREIGN KEY (currency) REFERENCES currency (code)
);

CREATE TABLE order_line (
  order_id BIGINT UNSIGNED NOT NULL,
  nr SMALLINT UNSIGNED NOT NULL,
  product_id BIGINT UNSIGNED NOT NULL,
  amount INT UNSIGNED NOT NULL DEFAULT 1,
  price DECIMAL(10,2) NOT NULL,
  total DECIMAL(14,2) AS (amount * price) STORED,
  PRIMARY KEY (order_id, nr),
  KEY line_product (product_id),
  CONSTRAINT line_order FOREIGN KEY (order_id) REFERENCES `order` (id) ON DELETE CASCADE,
  CONSTRAINT line_product_fk FOREIGN KEY (product_id) REFERENCES product (id),
  CHECK (amount > 0),
  CHECK (price >= 0)
);

CREATE TABLE payment (
  id INT AUTO_INCREMENT KEY,
  order_id BIGINT UNSIGNED NOT NULL REFERENCES `order` (id) ON DELETE CASCADE,
  method VARCHAR(20) NOT NULL DEFAULT 'card',
  paid DECIMAL(12,2) NOT NULL,
  at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
  raw LONGTEXT
);

CREATE TABLE shipment (
  id INT AUTO_INCREMENT,
  order_id BIGINT UNSIGNED NOT NULL,
  warehouse_id INT,
  sent DATETIME, arrived DATETIME,
  PRIMARY KEY (id),
  FOREIGN KEY from_where (warehouse_id) REFERENCES warehouse (id),
  CONSTRAINT of_order FOREIGN KEY what (order_id) REFERENCES `order` (id),
  CHECK (arrived IS NULL OR arrived >= sent)
);

CREATE TABLE coupon (
  code VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_general_cs NOT NULL,
  percent TINYINT UNSIGNED NOT NULL,
  valid_from DATE NOT NULL, valid_to DATE NOT NULL DEFAULT '2099-12-31',
  uses INT ZEROFILL,
  PRIMARY KEY (code),
  CONSTRAINT percent_range CHECK (percent BETWEEN 1 AND 100),
  CONSTRAINT in_order CHECK (valid_from <= valid_to)
);

CREATE TABLE coupon_use (
  coupon VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_general_cs NOT NULL,
  order_id BIGINT UNSIGNED NOT NULL,
  UNIQUE KEY (order_id, coupon),
  FOREIGN KEY (coupon) REFERENCES coupon (code) ON UPDATE CASCADE,
  FOREIGN KEY (order_id) REFERENCES `order` (id)
);

CREATE TABLE review (
  id INT NOT NULL AUTO_INCREMENT,
  product_id BIGINT UNSIGNED NOT NULL,
  customer_id INT UNSIGNED,
  stars TINYINT NOT NULL,
  body TEXT,
  created DATETIME DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  UNIQUE INDEX once (product_id, customer_id),
  FULLTEXT (body),
  CONSTRAINT stars_range CHECK (stars IN (1, 2, 3, 4, 5)),
  CONSTRAINT review_product FOREIGN KEY (product_id) REFERENCES product (id) ON DELETE CASCADE,
  CONSTRAINT review_customer FOREIGN KEY (customer_id) REFERENCES customer (id) ON DELETE SET NULL
);

CREATE TABLE page_view (
  at DATETIME NOT NULL,
  customer_id INT UNSIGNED,
  url VARCHAR(500) NOT NULL,
  KEY (at), KEY (url(100))
) ENGINE=InnoDB
PARTITION BY RANGE (to_days(at)) (
  PARTITION p2024 VALUES LESS THAN (to_days('2025-01-01')),
  PARTITION p2025 VALUES LESS THAN (to_days('2026-01-01')),
  PARTITION later VALUES LESS THAN MAXVALUE
);

CREATE TABLE session (
  id CHAR(36) NOT NULL DEFAULT uuid(),
  bucket INT NOT NULL,
  data BLOB,
  PRIMARY KEY (id, bucket)
) PARTITION BY HASH (bucket) PARTITIONS 4;

CREATE TABLE setting (
  `key` VARCHAR(64) NOT NULL,
  `value` TEXT NULL,
  PRIMARY KEY (`key`)
) ENGINE=Aria TRANSACTIONAL=1 COMMENT='not in InnoDB';

CREATE TABLE price_history (
  product_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  price DECIMAL(10,2) NOT NULL
) WITH SYSTEM VERSIONING;

CREATE TABLE `odd ``name``` (
  `a b` INT, `c``d` INT, `1st` INT, `select` INT, `Ünï` VARCHAR(10) DEFAULT 'ÄÖ',
  KEY `k ``1``` (`a b`, `c``d`)
);

CREATE TABLE archive LIKE review;

-- What is declared in steps.
CREATE TABLE supplier (id INT, name VARCHAR(20), obsolete INT);
ALTER TABLE supplier
  MODIFY COLUMN id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  CHANGE name title VARCHAR(80) NOT NULL COMMENT 'renamed',
  DROP COLUMN obsolete,
  ADD COLUMN brand_id INT AFTER id,
  ADD UNIQUE KEY supplier_title (title),
  ADD CONSTRAINT supplier_brand FOREIGN KEY (brand_id) REFERENCES brand (id);
ALTER TABLE supplier ADD (phone VARCHAR(30), fax VARCHAR(30), KEY (phone)), COMMENT='who delivers';
ALTER TABLE supplier RENAME COLUMN fax TO fax_number, ALTER phone SET DEFAULT '-';
CREATE INDEX by_fax ON supplier (fax_number DESC) COMMENT 'seldom used';
CREATE UNIQUE INDEX by_both ON supplier (brand_id, phone);
CREATE FULLTEXT INDEX by_words ON supplier (title);
CREATE INDEX product_released ON product (released, active);
CREATE TABLE vendor (id INT);
RENAME TABLE vendor TO dealer;

CREATE SEQUENCE invoice_nr START WITH 1000 INCREMENT BY 1 MINVALUE 1000 MAXVALUE 99999999 CACHE 10 NOCYCLE;
CREATE SEQUENCE ticket START WITH -1 INCREMENT BY -1 MINVALUE -500 MAXVALUE -1 NOCACHE CYCLE;
CREATE TABLE invoice (
  nr BIGINT NOT NULL DEFAULT NEXT VALUE FOR invoice_nr PRIMARY KEY,
  order_id BIGINT UNSIGNED NOT NULL,
  CONSTRAINT invoice_order FOREIGN KEY (order_id) REFERENCES `order` (id)
);

CREATE VIEW open_order AS
SELECT o.id, o.total, c.email FROM `order` o JOIN customer c ON c.id = o.customer_id WHERE o.state = 'paid';
CREATE ALGORITHM=MERGE SQL SECURITY INVOKER VIEW cheap (product, net) AS
SELECT id, price FROM product WHERE price < 10 WITH LOCAL CHECK OPTION;
CREATE VIEW turnover AS
SELECT c.country, year(o.placed) AS y, sum(o.total) AS total, count(*) AS orders
FROM `order` o JOIN customer c ON c.id = o.customer_id GROUP BY c.country, year(o.placed);
CREATE ALGORITHM=TEMPTABLE VIEW best AS
WITH ranked AS (SELECT product_id, avg(stars) AS stars FROM review GROUP BY product_id)
SELECT p.title, r.stars FROM ranked r JOIN product p ON p.id = r.product_id;
CREATE VIEW everything AS SELECT id FROM open_order UNION ALL SELECT product FROM cheap;

CREATE FUNCTION gross(net DECIMAL(10,2), vat DECIMAL(5,2)) RETURNS DECIMAL(12,2)
DETERMINISTIC NO SQL COMMENT 'with tax'
RETURN net * (1 + vat / 100);

DELIMITER //
CREATE FUNCTION stars_of(p BIGINT UNSIGNED) RETURNS DOUBLE READS SQL DATA SQL SECURITY INVOKER
BEGIN
  DECLARE result DOUBLE;
  SELECT avg(stars) INTO result FROM review WHERE product_id = p;
  IF result IS NULL THEN
    SET result = 0;
  END IF;
  RETURN result;
END//

CREATE PROCEDURE cancel(IN what BIGINT UNSIGNED, OUT done TINYINT, INOUT note VARCHAR(200))
MODIFIES SQL DATA
BEGIN
  DECLARE EXIT HANDLER FOR SQLEXCEPTION
  BEGIN
    SET done = 0;
  END;
  SET done = 1;
  retry: LOOP
    UPDATE `order` SET state = 'back' WHERE id = what;
    CASE done WHEN 1 THEN LEAVE retry; ELSE SET note = concat(note, ';'); END CASE;
  END LOOP retry;
  WHILE done > 5 DO SET done = done - 1; END WHILE;
  REPEAT SET done = done + 0; UNTIL done < 10 END REPEAT;
END//
DELIMITER ;

CREATE TRIGGER line_insert AFTER INSERT ON order_line FOR EACH ROW
UPDATE `order` SET total = total + NEW.amount * NEW.price WHERE id = NEW.order_id;

DELIMITER $$
CREATE TRIGGER line_delete AFTER DELETE ON order_line FOR EACH ROW
BEGIN
  -- what is gone costs nothing; it's simple
  UPDATE `order` SET total = total - OLD.amount * OLD.price WHERE id = OLD.order_id;
END$$

CREATE TRIGGER customer_before BEFORE UPDATE ON customer FOR EACH ROW
BEGIN
  IF NEW.email <> OLD.email THEN SET NEW.state = 'new'; END IF;
END$$
DELIMITER ;

CREATE EVENT forget ON SCHEDULE EVERY 1 DAY STARTS '2030-01-01 03:00:00' ON COMPLETION PRESERVE DISABLE COMMENT 'old visits'
DO DELETE FROM page_view WHERE at < now() - INTERVAL 2 YEAR;
