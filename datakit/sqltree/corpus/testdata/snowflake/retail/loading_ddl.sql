COPY INTO raw.supplier_feeds
FROM @landing/suppliers/
FILE_FORMAT = (TYPE = 'JSON')
PATTERN = '.*feed_[0-9]+[.]json'
ON_ERROR = 'CONTINUE';

COPY INTO price_history (product_id, valid_from, price)
FROM (
    SELECT t.$1::INT, TO_TIMESTAMP_NTZ(t.$2, 'YYYY-MM-DD HH24:MI:SS'), t.$3
    FROM @landing/prices/2026/ t
)
FILE_FORMAT = (TYPE = CSV SKIP_HEADER = 1 FIELD_OPTIONALLY_ENCLOSED_BY = '"');

COPY INTO @exports/orders/
FROM (SELECT order_id, customer_id, total_amount, ordered_at FROM orders WHERE ordered_at::DATE = CURRENT_DATE() - 1)
FILE_FORMAT = (TYPE = PARQUET)
HEADER = TRUE
OVERWRITE = TRUE;

COPY INTO @%customers/backup/ FROM customers FILE_FORMAT = (TYPE = CSV COMPRESSION = GZIP);

SELECT $1 AS sku, $2::NUMBER(10,2) AS price, METADATA$FILENAME AS file, METADATA$FILE_ROW_NUMBER AS line
FROM @landing/prices/today.csv.gz (FILE_FORMAT => 'csv_with_header');

SELECT t.$1:id::NUMBER AS id, p.product_name
FROM @landing/json (FILE_FORMAT => 'my_json', PATTERN => '.*part.*') t
LEFT JOIN products p ON p.product_id = t.$1:id::NUMBER;

SELECT s.$1, s.$2 FROM @~/scratch/list.csv s LIMIT 10;

CREATE OR REPLACE TABLE top_customers AS
SELECT customer_id, lifetime_value, order_count
FROM v_customer_value
ORDER BY lifetime_value DESC
LIMIT 1000;

CREATE TABLE IF NOT EXISTS store_months (store_id NUMBER, month DATE, revenue NUMBER(14,2))
CLUSTER BY (month)
AS SELECT store_id, month::DATE, revenue FROM v_store_revenue;

CREATE TEMPORARY TABLE tmp_ids AS SELECT DISTINCT customer_id FROM orders WHERE promo_code = 'BLACKFRIDAY';

CREATE TABLE orders_archive LIKE orders;

CREATE OR REPLACE DYNAMIC TABLE dt_customer_orders
  TARGET_LAG = '20 minutes'
  WAREHOUSE = transform_wh
  REFRESH_MODE = AUTO
  INITIALIZE = ON_CREATE
AS
SELECT c.customer_id, c.email, COUNT(o.order_id) AS order_count, MAX(o.ordered_at) AS last_order
FROM customers c
LEFT JOIN orders o ON o.customer_id = c.customer_id
GROUP BY c.customer_id, c.email;

CREATE STREAM items_stream ON TABLE order_items;

CREATE OR REPLACE STREAM clicks_stream ON TABLE raw.clickstream APPEND_ONLY = TRUE COMMENT = 'feeds the sessions job';

CREATE OR REPLACE TASK nightly_sales
  WAREHOUSE = transform_wh
  SCHEDULE = 'USING CRON 15 2 * * * Europe/Berlin'
AS
INSERT INTO daily_sales (sales_date, store_id, revenue)
SELECT ordered_at::DATE, store_id, SUM(total_amount) FROM orders WHERE ordered_at::DATE = CURRENT_DATE() - 1 GROUP BY 1, 2;

CREATE OR REPLACE VIEW v_low_stock COMMENT = 'what to reorder' AS
SELECT i.store_id, i.product_id, p.sku, i.on_hand, i.reorder_point
FROM inventory i JOIN products p USING (product_id)
WHERE i.on_hand - i.reserved <= i.reorder_point;

CREATE MATERIALIZED VIEW mv_daily_clicks AS
SELECT event_type, event_ts::DATE AS day, COUNT(*) AS clicks FROM raw.clickstream GROUP BY event_type, event_ts::DATE;

CREATE VIEW "ActiveLoyalty" ("id", "tier") AS SELECT "accountId", "Tier" FROM "LoyaltyAccounts" WHERE "pointsBalance" > 0;

ALTER TABLE orders ADD COLUMN gift_wrap BOOLEAN DEFAULT FALSE;

ALTER TABLE customers DROP COLUMN birth_date;

ALTER TABLE products RENAME COLUMN weight_kg TO weight;

ALTER TABLE order_items ADD CONSTRAINT fk_item_product FOREIGN KEY (product_id) REFERENCES products (product_id) NOT ENFORCED;

ALTER TABLE daily_sales CLUSTER BY (sales_date, store_id);

ALTER TABLE employees ALTER COLUMN email SET DATA TYPE VARCHAR(400);

ALTER TABLE customer_dim SWAP WITH customers;

DROP TABLE IF EXISTS price_history;

DROP VIEW v_store_revenue;

COMMENT ON TABLE suppliers IS 'who delivers what';

COMMENT ON COLUMN suppliers.rating IS 'from 0 to 5';

EXPLAIN USING TEXT SELECT o.order_id FROM orders o JOIN payments p ON p.order_id = o.order_id WHERE p.amount > 500;

DESCRIBE TABLE orders;

SET latest_order = (SELECT MAX(order_id) FROM orders);

SELECT * FROM orders WHERE order_id > $latest_order AND store_id = $my_store;

CREATE SEQUENCE IF NOT EXISTS invoice_seq START = 1000 INCREMENT = 1;

INSERT INTO returns (return_id, order_id, reason, returned_at) SELECT return_seq.NEXTVAL, order_id, 'damaged', SYSDATE() FROM orders WHERE status = 'damaged';

CREATE OR REPLACE FUNCTION net_of(gross NUMBER, rate FLOAT) RETURNS NUMBER(12,2) AS $$ gross / (1 + rate) $$;

GRANT SELECT ON TABLE orders TO ROLE analyst;

