-- webshop: catalogue, customers, orders, stock, marketing

CREATE DATABASE IF NOT EXISTS webshop_archive DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE countries (
  code CHAR(2) NOT NULL,
  name VARCHAR(80) NOT NULL,
  currency CHAR(3) NOT NULL DEFAULT 'EUR',
  vat_rate DECIMAL(5,2) NOT NULL DEFAULT 0.00,
  in_eu TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (code),
  UNIQUE KEY uq_countries_name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE `customers` (
  `id` BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  `email` VARCHAR(255) NOT NULL,
  `password_hash` VARBINARY(72) DEFAULT NULL,
  `first_name` VARCHAR(60) NOT NULL DEFAULT '',
  `last_name` VARCHAR(60) NOT NULL DEFAULT '',
  `phone` VARCHAR(32) DEFAULT NULL,
  `birth_date` DATE DEFAULT NULL,
  `country_code` CHAR(2) DEFAULT NULL,
  `status` ENUM('new','active','blocked','closed') NOT NULL DEFAULT 'new',
  `segments` SET('vip','b2b','newsletter','student') NOT NULL DEFAULT '',
  `preferences` JSON DEFAULT NULL,
  `referred_by` BIGINT UNSIGNED DEFAULT NULL,
  `loyalty_points` INT NOT NULL DEFAULT 0,
  `legacy_ref` VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_general_cs DEFAULT NULL,
  `created_at` DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `updated_at` TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  `deleted_at` DATETIME DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_customers_email` (`email`),
  KEY `ix_customers_country` (`country_code`),
  KEY `ix_customers_name` (`last_name`(20), `first_name`(20)),
  KEY `ix_customers_created` (`created_at`),
  CONSTRAINT `fk_customers_country` FOREIGN KEY (`country_code`) REFERENCES `countries` (`code`) ON UPDATE CASCADE,
  CONSTRAINT `fk_customers_referrer` FOREIGN KEY (`referred_by`) REFERENCES `customers` (`id`) ON DELETE SET NULL
) ENGINE=InnoDB AUTO_INCREMENT=1000 DEFAULT CHARSET=utf8mb4 COMMENT='people and firms who buy';

CREATE TABLE addresses (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customer_id BIGINT UNSIGNED NOT NULL,
  kind ENUM('billing','shipping') NOT NULL DEFAULT 'shipping',
  line1 VARCHAR(120) NOT NULL,
  line2 VARCHAR(120) NULL,
  city VARCHAR(80) NOT NULL,
  postcode VARCHAR(16) NOT NULL,
  region VARCHAR(80) NULL,
  country_code CHAR(2) NOT NULL,
  is_default BOOLEAN NOT NULL DEFAULT FALSE,
  created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  INDEX ix_addresses_customer (customer_id, kind),
  FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE,
  FOREIGN KEY (country_code) REFERENCES countries (code)
) DEFAULT CHARSET=utf8mb4;

CREATE TABLE categories (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  parent_id INT UNSIGNED DEFAULT NULL,
  name VARCHAR(100) NOT NULL,
  slug VARCHAR(100) NOT NULL,
  position SMALLINT NOT NULL DEFAULT 0,
  is_visible TINYINT(1) NOT NULL DEFAULT 1,
  PRIMARY KEY (id),
  UNIQUE KEY uq_categories_slug (slug),
  CONSTRAINT fk_categories_parent FOREIGN KEY (parent_id) REFERENCES categories (id)
);

CREATE TABLE brands (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  name VARCHAR(100) NOT NULL,
  country_code CHAR(2) NULL REFERENCES countries (code),
  founded YEAR NULL,
  website VARCHAR(200) NULL,
  PRIMARY KEY (id),
  UNIQUE (name)
);

CREATE TABLE suppliers (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  name VARCHAR(120) NOT NULL,
  country_code CHAR(2) NOT NULL,
  contact JSON NOT NULL,
  lead_days TINYINT UNSIGNED NOT NULL DEFAULT 14,
  rating DECIMAL(3,2) NULL CHECK (rating BETWEEN 0 AND 5),
  active BIT(1) NOT NULL DEFAULT b'1',
  PRIMARY KEY (id),
  KEY ix_suppliers_country (country_code)
);

CREATE TABLE products (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  sku VARCHAR(32) CHARACTER SET ascii NOT NULL,
  category_id INT UNSIGNED NOT NULL,
  brand_id INT UNSIGNED NULL,
  supplier_id INT UNSIGNED NULL,
  name VARCHAR(200) NOT NULL,
  description MEDIUMTEXT NULL,
  price DECIMAL(10,2) NOT NULL,
  cost DECIMAL(10,2) NOT NULL DEFAULT 0,
  margin DECIMAL(10,2) GENERATED ALWAYS AS (price - cost) STORED,
  weight_g INT UNSIGNED NULL,
  attributes JSON NULL,
  status ENUM('draft','active','retired') NOT NULL DEFAULT 'draft',
  created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
  PRIMARY KEY (id),
  UNIQUE KEY uq_products_sku (sku),
  KEY ix_products_category (category_id, status, price),
  KEY ix_products_brand (brand_id),
  FULLTEXT KEY ft_products (name, description),
  CONSTRAINT chk_products_price CHECK (price >= 0 AND cost >= 0),
  CONSTRAINT fk_products_category FOREIGN KEY (category_id) REFERENCES categories (id),
  CONSTRAINT fk_products_brand FOREIGN KEY (brand_id) REFERENCES brands (id),
  CONSTRAINT fk_products_supplier FOREIGN KEY (supplier_id) REFERENCES suppliers (id)
) ENGINE=InnoDB;

CREATE TABLE product_variants (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  product_id INT UNSIGNED NOT NULL,
  sku VARCHAR(40) NOT NULL,
  colour VARCHAR(30) NULL,
  size VARCHAR(10) NULL,
  price_delta DECIMAL(8,2) NOT NULL DEFAULT 0.00,
  barcode CHAR(13) NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uq_variants_sku (sku),
  KEY ix_variants_product (product_id),
  FOREIGN KEY (product_id) REFERENCES products (id) ON DELETE CASCADE
);

CREATE TABLE warehouses (
  id SMALLINT UNSIGNED NOT NULL AUTO_INCREMENT,
  code VARCHAR(8) NOT NULL,
  name VARCHAR(80) NOT NULL,
  country_code CHAR(2) NOT NULL,
  location POINT NOT NULL,
  opened_on DATE NOT NULL,
  closed_on DATE NULL,
  PRIMARY KEY (id),
  UNIQUE KEY (code)
);

CREATE TABLE stock (
  warehouse_id SMALLINT UNSIGNED NOT NULL,
  variant_id INT UNSIGNED NOT NULL,
  on_hand INT NOT NULL DEFAULT 0,
  reserved INT NOT NULL DEFAULT 0,
  available INT AS (on_hand - reserved) VIRTUAL,
  reorder_level INT NOT NULL DEFAULT 5,
  counted_at DATETIME NULL,
  PRIMARY KEY (warehouse_id, variant_id),
  KEY ix_stock_variant (variant_id),
  FOREIGN KEY (warehouse_id) REFERENCES warehouses (id),
  FOREIGN KEY (variant_id) REFERENCES product_variants (id)
);

CREATE TABLE stock_moves (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  warehouse_id SMALLINT UNSIGNED NOT NULL,
  variant_id INT UNSIGNED NOT NULL,
  quantity INT NOT NULL,
  reason ENUM('receipt','sale','return','loss','count') NOT NULL,
  reference VARCHAR(40) NULL,
  moved_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (id),
  KEY ix_moves_variant (variant_id, moved_at),
  FOREIGN KEY (warehouse_id, variant_id) REFERENCES stock (warehouse_id, variant_id)
);

CREATE TABLE coupons (
  code VARCHAR(24) NOT NULL,
  kind ENUM('percent','amount','shipping') NOT NULL DEFAULT 'percent',
  value DECIMAL(8,2) NOT NULL DEFAULT 0,
  min_total DECIMAL(10,2) NULL,
  valid_from DATE NOT NULL,
  valid_to DATE NULL,
  max_uses INT UNSIGNED NULL,
  used INT UNSIGNED NOT NULL DEFAULT 0,
  rules JSON NULL,
  PRIMARY KEY (code),
  CHECK (valid_to IS NULL OR valid_to >= valid_from)
);

CREATE TABLE orders (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  number VARCHAR(20) NOT NULL,
  customer_id BIGINT UNSIGNED NOT NULL,
  status ENUM('cart','placed','paid','packed','shipped','delivered','cancelled','refunded') NOT NULL DEFAULT 'placed',
  channel VARCHAR(20) NOT NULL DEFAULT 'web',
  currency CHAR(3) NOT NULL DEFAULT 'EUR',
  coupon_code VARCHAR(24) NULL,
  shipping_address_id INT UNSIGNED NULL,
  billing_address_id INT UNSIGNED NULL,
  shipping_cost DECIMAL(8,2) NOT NULL DEFAULT 0.00,
  total DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  placed_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  paid_at DATETIME NULL,
  cancelled_at DATETIME NULL,
  placed_on DATE AS (CAST(placed_at AS DATE)) STORED,
  meta JSON NULL,
  note TEXT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uq_orders_number (number),
  KEY ix_orders_customer (customer_id, placed_at),
  KEY ix_orders_status (status, placed_at),
  CONSTRAINT fk_orders_customer FOREIGN KEY (customer_id) REFERENCES customers (id),
  CONSTRAINT fk_orders_coupon FOREIGN KEY (coupon_code) REFERENCES coupons (code),
  CONSTRAINT fk_orders_ship FOREIGN KEY (shipping_address_id) REFERENCES addresses (id),
  CONSTRAINT fk_orders_bill FOREIGN KEY (billing_address_id) REFERENCES addresses (id)
);

CREATE TABLE order_items (
  order_id BIGINT UNSIGNED NOT NULL,
  line_no SMALLINT UNSIGNED NOT NULL,
  variant_id INT UNSIGNED NOT NULL,
  quantity INT UNSIGNED NOT NULL DEFAULT 1,
  unit_price DECIMAL(10,2) NOT NULL,
  discount DECIMAL(10,2) NOT NULL DEFAULT 0.00,
  tax_rate DECIMAL(5,2) NOT NULL DEFAULT 19.00,
  line_total DECIMAL(12,2) AS (quantity * unit_price - discount) STORED,
  gift_note VARCHAR(200) NULL,
  PRIMARY KEY (order_id, line_no),
  KEY ix_items_variant (variant_id),
  CONSTRAINT fk_items_order FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE,
  CONSTRAINT fk_items_variant FOREIGN KEY (variant_id) REFERENCES product_variants (id)
);

CREATE TABLE payments (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  order_id BIGINT UNSIGNED NOT NULL,
  method ENUM('card','paypal','invoice','giftcard','sepa') NOT NULL,
  amount DECIMAL(12,2) NOT NULL,
  state ENUM('pending','authorised','captured','failed','refunded') NOT NULL DEFAULT 'pending',
  provider_ref VARCHAR(64) NULL,
  response JSON NULL,
  created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  captured_at DATETIME NULL,
  PRIMARY KEY (id),
  KEY ix_payments_order (order_id),
  KEY ix_payments_state (state, created_at),
  FOREIGN KEY (order_id) REFERENCES orders (id)
);

CREATE TABLE shipments (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  order_id BIGINT UNSIGNED NOT NULL,
  warehouse_id SMALLINT UNSIGNED NOT NULL,
  carrier VARCHAR(40) NOT NULL,
  tracking_no VARCHAR(60) NULL,
  weight_g INT UNSIGNED NULL,
  shipped_at DATETIME NULL,
  delivered_at DATETIME NULL,
  PRIMARY KEY (id),
  UNIQUE KEY uq_shipments_tracking (carrier, tracking_no),
  FOREIGN KEY (order_id) REFERENCES orders (id),
  FOREIGN KEY (warehouse_id) REFERENCES warehouses (id)
);

CREATE TABLE `returns` (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  order_id BIGINT UNSIGNED NOT NULL,
  line_no SMALLINT UNSIGNED NOT NULL,
  quantity INT UNSIGNED NOT NULL,
  reason VARCHAR(40) NOT NULL,
  `condition` ENUM('new','opened','damaged') NULL,
  refund DECIMAL(10,2) NULL,
  received_at DATETIME NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (order_id, line_no) REFERENCES order_items (order_id, line_no)
);

CREATE TABLE reviews (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  product_id INT UNSIGNED NOT NULL,
  customer_id BIGINT UNSIGNED NULL,
  rating TINYINT UNSIGNED NOT NULL,
  title VARCHAR(120) COLLATE utf8mb4_general_ci NULL,
  body TEXT COLLATE utf8mb4_general_ci NULL,
  helpful INT UNSIGNED NOT NULL DEFAULT 0,
  approved TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  UNIQUE KEY uq_reviews_once (product_id, customer_id),
  FULLTEXT KEY ft_reviews (title, body),
  CONSTRAINT chk_reviews_rating CHECK (rating BETWEEN 1 AND 5),
  FOREIGN KEY (product_id) REFERENCES products (id),
  FOREIGN KEY (customer_id) REFERENCES customers (id)
) DEFAULT CHARSET=utf8mb4;

CREATE TABLE cart_items (
  session_id BINARY(16) NOT NULL,
  variant_id INT UNSIGNED NOT NULL,
  customer_id BIGINT UNSIGNED NULL,
  quantity INT UNSIGNED NOT NULL DEFAULT 1,
  added_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at DATETIME NULL,
  PRIMARY KEY (session_id, variant_id),
  KEY ix_cart_customer (customer_id)
);

CREATE TABLE page_views (
  viewed_at DATETIME NOT NULL,
  visitor CHAR(32) NOT NULL,
  customer_id BIGINT UNSIGNED NULL,
  product_id INT UNSIGNED NULL,
  url VARCHAR(500) NOT NULL,
  referrer VARCHAR(500) NULL,
  duration_ms INT UNSIGNED NULL,
  ip VARBINARY(16) NULL,
  KEY ix_views_visitor (visitor, viewed_at)
)
PARTITION BY RANGE (TO_DAYS(viewed_at)) (
  PARTITION p2023 VALUES LESS THAN (TO_DAYS('2024-01-01')),
  PARTITION p2024 VALUES LESS THAN (TO_DAYS('2025-01-01')),
  PARTITION pmax VALUES LESS THAN MAXVALUE
);

CREATE TABLE AuditLog (
  Id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `Table` VARCHAR(64) NOT NULL,
  `Key` VARCHAR(64) NOT NULL,
  ActorName VARCHAR(80) NOT NULL,
  `Before` JSON NULL,
  `After` JSON NULL,
  ChangedAt DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  KEY ix_audit_row (`Table`, `Key`)
);

CREATE TABLE webshop_archive.old_orders (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  number VARCHAR(20) NOT NULL,
  customer_id BIGINT UNSIGNED NOT NULL,
  status VARCHAR(20) NOT NULL,
  total DECIMAL(12,2) NOT NULL,
  placed_at DATETIME NOT NULL,
  archived_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE webshop_archive.payments (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  order_id BIGINT UNSIGNED NOT NULL,
  amount DECIMAL(12,2) NOT NULL,
  booked_on DATE NOT NULL,
  CONSTRAINT fk_old_payments FOREIGN KEY (order_id) REFERENCES webshop_archive.old_orders (id)
);

CREATE OR REPLACE VIEW active_products AS
SELECT p.id, p.sku, p.name, p.price, p.margin, c.name AS category, b.name AS brand
FROM products p
JOIN categories c ON c.id = p.category_id AND c.is_visible = 1
LEFT JOIN brands b ON b.id = p.brand_id
WHERE p.status = 'active';

CREATE ALGORITHM=MERGE SQL SECURITY INVOKER VIEW order_totals AS
SELECT o.id AS order_id, o.number, o.customer_id, o.placed_on, o.status,
       SUM(i.line_total) AS goods, SUM(i.line_total * i.tax_rate / 100) AS tax, COUNT(*) AS line_count
FROM orders AS o
INNER JOIN order_items AS i ON i.order_id = o.id
GROUP BY o.id, o.number, o.customer_id, o.placed_on, o.status;

CREATE VIEW customer_value (customer_id, email, order_count, lifetime_value, last_order_on) AS
SELECT c.id, c.email, COUNT(t.order_id), COALESCE(SUM(t.goods), 0), MAX(t.placed_on)
FROM customers c
LEFT JOIN order_totals t ON t.customer_id = c.id AND t.status NOT IN ('cart', 'cancelled')
WHERE c.deleted_at IS NULL
GROUP BY c.id, c.email;

CREATE VIEW category_paths AS
WITH RECURSIVE tree (id, name, path, depth) AS (
  SELECT id, name, CAST(name AS CHAR(1000)), 0 FROM categories WHERE parent_id IS NULL
  UNION ALL
  SELECT c.id, c.name, CONCAT(t.path, ' > ', c.name), t.depth + 1
  FROM categories c JOIN tree t ON c.parent_id = t.id
)
SELECT id, name, path, depth FROM tree;

CREATE VIEW stock_summary AS
SELECT v.product_id, s.variant_id, SUM(s.on_hand) AS on_hand, SUM(s.available) AS available, MIN(s.reorder_level) AS reorder_level
FROM stock s JOIN product_variants v ON v.id = s.variant_id
GROUP BY v.product_id, s.variant_id;

