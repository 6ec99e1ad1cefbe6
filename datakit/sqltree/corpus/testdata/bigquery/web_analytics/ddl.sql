CREATE OR REPLACE TABLE mart.user_days
PARTITION BY day
CLUSTER BY user_id, country
OPTIONS (expiration_timestamp = TIMESTAMP '2027-01-01 00:00:00 UTC', labels = [('team', 'growth')])
AS
SELECT DATE(s.started_at) AS day, s.user_id, s.geo.country AS country, COUNT(*) AS visits
FROM web.sessions AS s
GROUP BY day, user_id, country;

CREATE TABLE IF NOT EXISTS mart.big_orders AS SELECT order_id, total FROM shop.orders WHERE total > 10000;

CREATE TEMP TABLE recent AS SELECT * FROM shop.orders WHERE DATE(ordered_at) = CURRENT_DATE();

CREATE TABLE shop.orders_copy COPY shop.orders;

CREATE TABLE shop.products_clone CLONE `acme-prod.shop.products` FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY);

CREATE TABLE shop.refunds_new LIKE shop.refunds;

CREATE SNAPSHOT TABLE mart.pages_20260101 CLONE mart.pages OPTIONS (friendly_name = 'new year');

CREATE OR REPLACE VIEW mart.v_active_campaigns (id, name, spent) OPTIONS (description = "campaigns with cost") AS
SELECT c.campaign_id, c.campaign_name, SUM(d.cost) FROM ads.campaigns AS c JOIN ads.daily_costs AS d USING (campaign_id) GROUP BY 1, 2;

CREATE MATERIALIZED VIEW mart.mv_daily_orders
PARTITION BY order_day
OPTIONS (enable_refresh = TRUE, refresh_interval_minutes = 30)
AS SELECT DATE(ordered_at) AS order_day, COUNT(*) AS orders, SUM(total) AS revenue FROM shop.orders GROUP BY order_day;

CREATE MODEL mart.churn_model
OPTIONS (model_type = 'logistic_reg', input_label_cols = ['churned']) AS
SELECT u.plan, u.country, s.cancelled_on IS NOT NULL AS churned
FROM crm.users AS u JOIN crm.subscriptions AS s ON s.user_id = u.user_id;

EXPORT DATA OPTIONS (uri = 'gs://acme-exports/orders-*.parquet', format = 'PARQUET', overwrite = TRUE) AS
SELECT order_id, total, currency FROM shop.orders WHERE DATE(ordered_at) = '2026-01-31' ORDER BY order_id;

LOAD DATA INTO ads.keywords FROM FILES (format = 'CSV', uris = ['gs://acme-imports/keywords.csv']);

CREATE TABLE FUNCTION mart.orders_of(uid INT64) AS SELECT order_id, total FROM shop.orders WHERE user_id = uid;

CREATE FUNCTION mart.vat(net NUMERIC) RETURNS NUMERIC AS (net * NUMERIC '0.21');

CREATE FUNCTION mart.js_len(s STRING) RETURNS INT64 LANGUAGE js AS r"""
  return s.length;
""";

CREATE SEARCH INDEX page_search ON mart.pages (title, section);

ALTER TABLE shop.orders ADD COLUMN IF NOT EXISTS gift BOOL, ADD COLUMN note STRING OPTIONS (description = 'from the buyer');

ALTER TABLE crm.accounts RENAME COLUMN industry TO sector;

ALTER TABLE crm.accounts DROP COLUMN created_on;

ALTER TABLE mart.pages SET OPTIONS (description = 'articles');

ALTER TABLE ads.daily_costs ALTER COLUMN clicks SET DATA TYPE NUMERIC;

ALTER TABLE ads.keywords ADD FOREIGN KEY (campaign_id) REFERENCES ads.campaigns (campaign_id) NOT ENFORCED;

DROP TABLE IF EXISTS mart.experiments;

DROP VIEW mart.v_medium_value;

CREATE SCHEMA IF NOT EXISTS staging OPTIONS (location = 'EU');

GRANT `roles/bigquery.dataViewer` ON TABLE shop.orders TO 'user:ana@example.com';

ASSERT (SELECT COUNT(*) FROM shop.orders WHERE total < 0) = 0 AS 'no negative orders';

DECLARE last_day DATE DEFAULT (SELECT MAX(day) FROM mart.daily_traffic);

EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM shop.orders WHERE user_id = @uid' USING 42 AS uid;

CALL mart.refresh_all(CURRENT_DATE());

