CREATE TABLE web.sessions (
  session_id STRING NOT NULL OPTIONS(description="hex, 32 characters"),
  user_pseudo_id STRING,
  user_id INT64,
  started_at TIMESTAMP NOT NULL,
  ended_at TIMESTAMP,
  device STRUCT<category STRING, os STRING, browser STRUCT<name STRING, version STRING>>,
  geo STRUCT<country STRING, region STRING, city STRING>,
  traffic STRUCT<source STRING, medium STRING, campaign STRING>,
  landing_page STRING,
  pageviews INT64 DEFAULT 0,
  is_bounce BOOL,
  experiments ARRAY<STRUCT<id STRING, variant STRING>>,
  PRIMARY KEY (session_id) NOT ENFORCED
)
PARTITION BY DATE(started_at)
CLUSTER BY user_pseudo_id, landing_page
OPTIONS (require_partition_filter = FALSE, description = 'one row per visit');

CREATE TABLE web.hits (
  hit_id STRING NOT NULL,
  session_id STRING NOT NULL,
  hit_at TIMESTAMP,
  hit_type STRING,
  page STRUCT<path STRING, title STRING, hostname STRING>,
  params ARRAY<STRUCT<key STRING, value STRUCT<string_value STRING, int_value INT64, float_value FLOAT64>>>,
  items ARRAY<STRUCT<sku STRING, name STRING, price NUMERIC, quantity INT64>>,
  tags ARRAY<STRING>,
  raw JSON,
  FOREIGN KEY (session_id) REFERENCES web.sessions (session_id) NOT ENFORCED
)
PARTITION BY TIMESTAMP_TRUNC(hit_at, DAY);

CREATE TABLE analytics.events_20260101 (
  event_date STRING,
  event_timestamp INT64,
  event_name STRING,
  event_params ARRAY<STRUCT<key STRING, value STRUCT<string_value STRING, int_value INT64, double_value FLOAT64>>>,
  user_pseudo_id STRING,
  user_properties ARRAY<STRUCT<key STRING, value STRUCT<string_value STRING, int_value INT64>>>,
  platform STRING,
  device STRUCT<category STRING, language STRING, operating_system STRING>,
  geo STRUCT<country STRING, city STRING>,
  ecommerce STRUCT<transaction_id STRING, purchase_revenue FLOAT64, total_item_quantity INT64>,
  items ARRAY<STRUCT<item_id STRING, item_name STRING, price FLOAT64, quantity INT64>>
);

CREATE TABLE analytics.events_20260102 (
  event_date STRING,
  event_timestamp INT64,
  event_name STRING,
  event_params ARRAY<STRUCT<key STRING, value STRUCT<string_value STRING, int_value INT64, double_value FLOAT64>>>,
  user_pseudo_id STRING,
  user_properties ARRAY<STRUCT<key STRING, value STRUCT<string_value STRING, int_value INT64>>>,
  platform STRING,
  device STRUCT<category STRING, language STRING, operating_system STRING>,
  geo STRUCT<country STRING, city STRING>,
  ecommerce STRUCT<transaction_id STRING, purchase_revenue FLOAT64, total_item_quantity INT64>,
  items ARRAY<STRUCT<item_id STRING, item_name STRING, price FLOAT64, quantity INT64>>
);

CREATE TABLE crm.users (
  user_id INT64 NOT NULL,
  email STRING,
  full_name STRING,
  signup_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP(),
  country STRING,
  plan STRING,
  attributes JSON,
  addresses ARRAY<STRUCT<kind STRING, city STRING, postcode STRING>>,
  consent STRUCT<marketing BOOL, analytics BOOL>,
  PRIMARY KEY (user_id) NOT ENFORCED
);

CREATE TABLE crm.subscriptions (
  subscription_id INT64 NOT NULL,
  user_id INT64,
  plan STRING,
  started_on DATE,
  cancelled_on DATE,
  monthly_amount NUMERIC(10, 2)
);

CREATE TABLE crm.accounts (
  account_id INT64 NOT NULL,
  account_name STRING,
  parent_account_id INT64,
  owner_user_id INT64,
  industry STRING,
  created_on DATE
);

CREATE TABLE ads.campaigns (
  campaign_id INT64 NOT NULL,
  campaign_name STRING,
  channel STRING,
  budget NUMERIC,
  start_date DATE,
  end_date DATE,
  labels ARRAY<STRING>
);

CREATE TABLE ads.daily_costs (
  cost_date DATE NOT NULL,
  campaign_id INT64 NOT NULL,
  impressions INT64,
  clicks INT64,
  cost NUMERIC,
  currency STRING
)
PARTITION BY DATE_TRUNC(cost_date, MONTH)
CLUSTER BY campaign_id;

CREATE TABLE ads.keywords (
  keyword_id INT64,
  campaign_id INT64,
  keyword STRING,
  match_type STRING,
  max_bid BIGNUMERIC
);

CREATE TABLE shop.orders (
  order_id INT64 NOT NULL,
  user_id INT64,
  session_id STRING,
  ordered_at TIMESTAMP,
  status STRING,
  total NUMERIC,
  currency STRING,
  coupon STRING,
  lines ARRAY<STRUCT<sku STRING, quantity INT64, unit_price NUMERIC>>,
  shipping_address STRUCT<street STRING, city STRING, zip STRING, country STRING>
)
PARTITION BY DATE(ordered_at);

CREATE TABLE shop.products (
  sku STRING NOT NULL,
  title STRING,
  category STRING,
  price NUMERIC,
  attributes JSON,
  dimensions STRUCT<width FLOAT64, height FLOAT64, depth FLOAT64>,
  related ARRAY<STRING>,
  updated_at DATETIME
);

CREATE TABLE shop.refunds (
  refund_id INT64,
  order_id INT64,
  amount NUMERIC,
  reason STRING,
  refunded_at TIMESTAMP
);

CREATE TABLE mart.daily_traffic (
  day DATE,
  channel STRING,
  sessions INT64,
  users INT64,
  conversions INT64,
  revenue NUMERIC
)
PARTITION BY day;

CREATE TABLE mart.pages (
  page_path STRING,
  title STRING,
  section STRING,
  author_id INT64,
  published_at DATETIME,
  word_count INT64
);

CREATE TABLE mart.experiments (
  experiment_id STRING,
  experiment_name STRING,
  started_on DATE,
  ended_on DATE,
  variants ARRAY<STRING>
);

CREATE TABLE mart.monthly_kpis (
  kpi STRING,
  jan NUMERIC,
  feb NUMERIC,
  mar NUMERIC,
  apr NUMERIC
);

CREATE TABLE mart.store_locations (
  store_id INT64,
  store_name STRING,
  position GEOGRAPHY,
  opening_hours ARRAY<STRUCT<weekday INT64, opens TIME, closes TIME>>
);

CREATE TABLE web.page_errors (
  session_id STRING,
  message STRING,
  stack STRING
)
PARTITION BY _PARTITIONDATE;

CREATE VIEW mart.v_sessions AS
SELECT
  session_id,
  user_pseudo_id,
  user_id,
  DATE(started_at) AS session_date,
  device.category AS device_category,
  geo.country AS country,
  COALESCE(traffic.medium, '(none)') AS medium,
  TIMESTAMP_DIFF(ended_at, started_at, SECOND) AS duration_sec
FROM web.sessions;

CREATE OR REPLACE VIEW mart.v_orders (order_id, user_id, order_date, net) AS
SELECT o.order_id, o.user_id, DATE(o.ordered_at), o.total - IFNULL(r.amount, 0)
FROM shop.orders AS o
LEFT JOIN shop.refunds AS r ON r.order_id = o.order_id
WHERE o.status != 'cancelled';

CREATE VIEW mart.v_user_value
OPTIONS (description = 'lifetime value per user') AS
WITH spent AS (
  SELECT user_id, SUM(net) AS lifetime_value, COUNT(*) AS orders
  FROM mart.v_orders
  GROUP BY user_id
)
SELECT u.user_id, u.email, u.country, spent.lifetime_value, spent.orders
FROM crm.users AS u
LEFT JOIN spent USING (user_id);

CREATE VIEW mart.v_medium_value AS
SELECT s.medium, s.session_date, SUM(v.lifetime_value) AS value
FROM mart.v_sessions AS s
JOIN mart.v_user_value AS v ON v.user_id = s.user_id
GROUP BY s.medium, s.session_date;

