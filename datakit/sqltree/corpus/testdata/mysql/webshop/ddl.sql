CREATE TABLE order_copies AS SELECT * FROM orders WHERE placed_at >= '2024-01-01';

CREATE TABLE IF NOT EXISTS product_sales (PRIMARY KEY (product_id)) ENGINE=InnoDB AS
SELECT v.product_id, SUM(i.quantity) AS units
FROM order_items i JOIN product_variants v ON v.id = i.variant_id
GROUP BY v.product_id;

CREATE TEMPORARY TABLE tmp_buyers (INDEX (customer_id))
SELECT DISTINCT o.customer_id, c.email
FROM orders o
JOIN customers c ON c.id = o.customer_id
WHERE o.status = 'delivered';

create temporary table t_ids select id from customers where status = 'closed' union select customer_id from webshop_archive.old_orders;

CREATE TABLE orders_empty LIKE orders;

CREATE TABLE wish_lists (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  customer_id BIGINT UNSIGNED NOT NULL,
  variant_id INT UNSIGNED NOT NULL,
  wanted SMALLINT NOT NULL DEFAULT (1 + 1),
  total DECIMAL(10,2) GENERATED ALWAYS AS (wanted * 2) VIRTUAL,
  CONSTRAINT chk_wanted CHECK (wanted > 0) ENFORCED,
  UNIQUE KEY uq_wish (customer_id, variant_id),
  CONSTRAINT fk_wish_customer FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE,
  FOREIGN KEY fk_wish_variant (variant_id) REFERENCES product_variants (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_0900_ai_ci ROW_FORMAT = DYNAMIC;

CREATE OR REPLACE VIEW late_shipments AS
SELECT s.id, s.carrier, o.number, DATEDIFF(NOW(), s.shipped_at) AS days
FROM shipments s JOIN orders o ON o.id = s.order_id
WHERE s.delivered_at IS NULL;

CREATE ALGORITHM = TEMPTABLE DEFINER = CURRENT_USER SQL SECURITY DEFINER VIEW top_customers (who, spent) AS
SELECT email, lifetime_value FROM customer_value ORDER BY lifetime_value DESC LIMIT 100;

CREATE VIEW german_customers AS SELECT id, email, country_code FROM customers WHERE country_code = 'DE' WITH CASCADED CHECK OPTION;

CREATE VIEW menu AS
WITH RECURSIVE m AS (
  SELECT id, name, 0 AS depth FROM categories WHERE parent_id IS NULL
  UNION ALL
  SELECT c.id, c.name, m.depth + 1 FROM categories c JOIN m ON m.id = c.parent_id
)
SELECT m.id, m.name, m.depth FROM m;

ALTER VIEW stock_summary AS SELECT v.product_id, s.variant_id, SUM(s.on_hand) AS on_hand FROM stock s JOIN product_variants v ON v.id = s.variant_id GROUP BY v.product_id, s.variant_id;

CREATE INDEX ix_orders_paid ON orders (paid_at);

CREATE UNIQUE INDEX ux_payments_ref ON payments (provider_ref, method) USING BTREE;

CREATE INDEX ix_customers_domain ON customers ((SUBSTRING_INDEX(email, '@', -1)), created_at DESC);

CREATE FULLTEXT INDEX ft_orders_note ON orders (note) WITH PARSER ngram;

CREATE INDEX ix_products_sizes ON products ((CAST(attributes->'$.sizes' AS CHAR(10) ARRAY)));

CREATE INDEX ix_addresses_city ON addresses (city(10) ASC, postcode) COMMENT 'search by town' INVISIBLE ALGORITHM = INPLACE LOCK = NONE;

CREATE SPATIAL INDEX sp_warehouses ON warehouses (location);

ALTER TABLE customers ADD COLUMN vat_id VARCHAR(20) NULL AFTER phone, ADD INDEX ix_customers_vat (vat_id);

ALTER TABLE orders
  MODIFY COLUMN note MEDIUMTEXT NULL,
  CHANGE COLUMN channel sales_channel VARCHAR(30) NOT NULL DEFAULT 'web',
  DROP COLUMN meta,
  ADD CONSTRAINT chk_orders_total CHECK (total >= 0);

ALTER TABLE reviews DROP INDEX ft_reviews, ADD FULLTEXT INDEX ft_reviews_body (body), RENAME COLUMN helpful TO helpful_votes, ALGORITHM=INPLACE;

ALTER TABLE product_variants ADD CONSTRAINT uq_barcode UNIQUE (barcode), ALTER COLUMN price_delta SET DEFAULT 1.00, ALTER INDEX ix_variants_product INVISIBLE;

ALTER TABLE page_views REORGANIZE PARTITION pmax INTO (
  PARTITION p2025 VALUES LESS THAN (TO_DAYS('2026-01-01')),
  PARTITION pmax VALUES LESS THAN MAXVALUE
);

ALTER TABLE page_views DROP PARTITION p2023;

ALTER TABLE cart_items RENAME TO basket_items;

RENAME TABLE coupons TO vouchers, webshop_archive.old_orders TO webshop_archive.very_old_orders;

DROP TABLE IF EXISTS cart_items, page_views;

DROP VIEW IF EXISTS customer_value CASCADE;

DROP INDEX ix_orders_status ON orders;

CREATE TRIGGER trg_orders_audit AFTER UPDATE ON orders FOR EACH ROW
  INSERT INTO AuditLog (`Table`, `Key`, ActorName, `Before`, `After`)
  VALUES ('orders', NEW.id, CURRENT_USER(), JSON_OBJECT('status', OLD.status), JSON_OBJECT('status', NEW.status));

CREATE EVENT ev_purge_carts ON SCHEDULE EVERY 1 HOUR DO DELETE FROM cart_items WHERE expires_at < NOW();

