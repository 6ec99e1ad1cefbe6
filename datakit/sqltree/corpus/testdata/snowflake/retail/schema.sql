CREATE TABLE regions (
    region_id        NUMBER(4,0)  NOT NULL,
    region_name      VARCHAR(60)  NOT NULL,
    parent_region_id NUMBER(4,0),
    CONSTRAINT pk_regions PRIMARY KEY (region_id),
    CONSTRAINT fk_regions_parent FOREIGN KEY (parent_region_id) REFERENCES regions (region_id)
);

CREATE TABLE stores (
    store_id      NUMBER(6,0)   NOT NULL PRIMARY KEY,
    store_code    CHAR(5)       NOT NULL UNIQUE,
    store_name    VARCHAR(120)  NOT NULL,
    region_id     NUMBER(4,0)   REFERENCES regions (region_id),
    opened_on     DATE,
    closed_on     DATE,
    square_meters NUMBER(8,1),
    location      GEOGRAPHY,
    settings      VARIANT       COMMENT 'opening hours and devices',
    timezone      VARCHAR       DEFAULT 'Europe/Berlin'
);

CREATE TABLE employees (
    employee_id NUMBER(10,0) NOT NULL PRIMARY KEY,
    manager_id  NUMBER(10,0) REFERENCES employees (employee_id),
    store_id    NUMBER(6,0)  NOT NULL REFERENCES stores (store_id),
    full_name   VARCHAR      NOT NULL,
    email       VARCHAR COLLATE 'en-ci',
    job_title   VARCHAR(80),
    salary      NUMBER(10,2),
    hired_on    DATE         NOT NULL DEFAULT CURRENT_DATE(),
    left_on     DATE
);

CREATE OR REPLACE TABLE customers (
    customer_id  NUMBER(38,0) NOT NULL AUTOINCREMENT START 1 INCREMENT 1,
    email        VARCHAR(320) NOT NULL,
    first_name   VARCHAR,
    last_name    VARCHAR,
    birth_date   DATE,
    country_code CHAR(2),
    segment      VARCHAR(20) DEFAULT 'standard',
    preferences  VARIANT,
    tags         ARRAY,
    is_active    BOOLEAN NOT NULL DEFAULT TRUE,
    created_at   TIMESTAMP_NTZ(9) DEFAULT CURRENT_TIMESTAMP()::TIMESTAMP_NTZ,
    PRIMARY KEY (customer_id),
    UNIQUE (email)
)
COMMENT = 'one row per person who bought or registered';

CREATE TABLE addresses (
    address_id   NUMBER IDENTITY(1, 1),
    customer_id  NUMBER NOT NULL,
    kind         VARCHAR(10),
    line1        VARCHAR,
    city         VARCHAR,
    postcode     VARCHAR(12),
    country_code CHAR(2),
    is_default   BOOLEAN DEFAULT FALSE,
    FOREIGN KEY (customer_id) REFERENCES customers (customer_id)
);

CREATE TABLE categories (
    category_id        INTEGER NOT NULL PRIMARY KEY,
    parent_category_id INTEGER,
    category_name      STRING NOT NULL,
    slug               STRING
);

CREATE TABLE suppliers (
    supplier_id    INT PRIMARY KEY,
    supplier_name  STRING,
    contact        OBJECT,
    lead_time_days INT DEFAULT 14,
    rating         FLOAT
);

CREATE TABLE products (
    product_id      INT NOT NULL,
    sku             VARCHAR(32) NOT NULL,
    product_name    VARCHAR(200),
    category_id     INT REFERENCES categories (category_id),
    supplier_id     INT REFERENCES suppliers (supplier_id),
    list_price      NUMBER(10,2),
    unit_cost       NUMBER(10,2),
    attributes      VARIANT,
    weight_kg       FLOAT,
    created_at      TIMESTAMP_NTZ,
    discontinued_at TIMESTAMP_NTZ,
    CONSTRAINT pk_products PRIMARY KEY (product_id) RELY
);

CREATE TABLE price_history (
    product_id INT NOT NULL,
    valid_from TIMESTAMP_NTZ NOT NULL,
    valid_to   TIMESTAMP_NTZ,
    price      NUMBER(10,2),
    currency   CHAR(3) DEFAULT 'EUR'
);

CREATE TABLE orders (
    order_id        NUMBER(38,0) NOT NULL PRIMARY KEY,
    customer_id     NUMBER(38,0) REFERENCES customers (customer_id),
    store_id        NUMBER(6,0)  REFERENCES stores (store_id),
    employee_id     NUMBER(10,0),
    channel         VARCHAR(16),
    status          VARCHAR(16) NOT NULL DEFAULT 'new',
    ordered_at      TIMESTAMP_NTZ NOT NULL,
    shipped_at      TIMESTAMP_NTZ,
    currency        CHAR(3),
    total_amount    NUMBER(12,2),
    discount_amount NUMBER(12,2) DEFAULT 0,
    promo_code      VARCHAR(24),
    metadata        VARIANT
)
CLUSTER BY (TO_DATE(ordered_at), store_id)
DATA_RETENTION_TIME_IN_DAYS = 14
CHANGE_TRACKING = TRUE;

CREATE TABLE order_items (
    order_id     NUMBER(38,0) NOT NULL,
    line_no      NUMBER(4,0)  NOT NULL,
    product_id   INT          NOT NULL,
    quantity     NUMBER(8,2)  NOT NULL,
    unit_price   NUMBER(10,2) NOT NULL,
    discount_pct NUMBER(5,2),
    gift_note    VARCHAR,
    PRIMARY KEY (order_id, line_no),
    FOREIGN KEY (order_id) REFERENCES orders (order_id),
    FOREIGN KEY (product_id) REFERENCES products (product_id)
);

CREATE TABLE payments (
    payment_id       VARCHAR(36) PRIMARY KEY DEFAULT UUID_STRING(),
    order_id         NUMBER(38,0) NOT NULL,
    method           VARCHAR(20),
    amount           NUMBER(12,2),
    status           VARCHAR(12),
    paid_at          TIMESTAMP_TZ,
    gateway_response VARIANT
);

CREATE TABLE returns (
    return_id     NUMBER,
    order_id      NUMBER NOT NULL,
    line_no       NUMBER(4,0),
    quantity      NUMBER(8,2),
    reason        VARCHAR,
    returned_at   TIMESTAMP_NTZ,
    refund_amount NUMBER(12,2)
);

CREATE TABLE inventory (
    store_id      NUMBER(6,0) NOT NULL,
    product_id    INT NOT NULL,
    on_hand       NUMBER(10,0),
    reserved      NUMBER(10,0) DEFAULT 0,
    reorder_point NUMBER(10,0),
    counted_at    TIMESTAMP_LTZ,
    PRIMARY KEY (store_id, product_id)
);

CREATE TABLE promotions (
    promo_code  VARCHAR(24) PRIMARY KEY,
    description VARCHAR,
    starts_on   DATE,
    ends_on     DATE,
    percent_off NUMBER(5,2),
    rules       VARIANT
);

CREATE TABLE exchange_rates (
    currency  CHAR(3),
    quoted_at TIMESTAMP_NTZ,
    rate      NUMBER(18,8)
);

CREATE TABLE "LoyaltyAccounts" (
    "accountId"     NUMBER NOT NULL PRIMARY KEY,
    "customerId"    NUMBER NOT NULL,
    "Tier"          VARCHAR,
    "pointsBalance" NUMBER DEFAULT 0,
    "joinedAt"      TIMESTAMP_TZ
);

CREATE TABLE raw.clickstream (
    event_id    VARCHAR(36),
    session_id  VARCHAR(36),
    customer_id NUMBER,
    event_type  VARCHAR(40),
    page_url    VARCHAR,
    event_ts    TIMESTAMP_NTZ,
    payload     VARIANT,
    loaded_at   TIMESTAMP_LTZ
);

CREATE TRANSIENT TABLE raw.supplier_feeds (
    feed_id     NUMBER,
    supplier_id NUMBER,
    received_at TIMESTAMP_NTZ,
    body        VARIANT,
    file_name   VARCHAR,
    row_no      NUMBER
);

CREATE TABLE daily_sales (
    sales_date DATE,
    store_id   NUMBER(6,0),
    product_id INT,
    units      NUMBER(12,2),
    revenue    NUMBER(14,2)
);

CREATE TABLE sales_targets (
    store_id    NUMBER(6,0),
    fiscal_year NUMBER(4,0),
    q1          NUMBER(12,2),
    q2          NUMBER(12,2),
    q3          NUMBER(12,2),
    q4          NUMBER(12,2)
);

CREATE TABLE customer_dim (
    customer_key   NUMBER IDENTITY,
    customer_id    NUMBER,
    email          VARCHAR,
    segment        VARCHAR,
    country_code   CHAR(2),
    row_hash       VARCHAR(64),
    effective_from TIMESTAMP_NTZ,
    effective_to   TIMESTAMP_NTZ,
    is_current     BOOLEAN
);

CREATE VIEW v_open_stores AS
SELECT s.store_id, s.store_code, s.store_name, r.region_name
FROM stores AS s
LEFT JOIN regions AS r ON r.region_id = s.region_id
WHERE s.closed_on IS NULL;

CREATE OR REPLACE SECURE VIEW v_order_totals (order_id, customer_id, store_id, order_day, net_amount, item_count) AS
SELECT o.order_id, o.customer_id, o.store_id, o.ordered_at::DATE, o.total_amount - NVL(o.discount_amount, 0), COUNT(i.line_no)
FROM orders o
JOIN order_items i USING (order_id)
WHERE o.status <> 'cancelled'
GROUP BY ALL;

CREATE VIEW v_customer_value AS
WITH spent AS (
    SELECT customer_id, SUM(net_amount) AS lifetime_value, COUNT(*) AS order_count, MAX(order_day) AS last_order_day
    FROM v_order_totals
    GROUP BY customer_id
)
SELECT c.customer_id, c.email, c.segment, spent.lifetime_value, spent.order_count, spent.last_order_day
FROM customers c
LEFT JOIN spent ON spent.customer_id = c.customer_id;

CREATE VIEW v_store_revenue AS
SELECT v.store_id, v.store_name, v.region_name, DATE_TRUNC('month', t.order_day) AS month, SUM(t.net_amount) AS revenue
FROM v_open_stores v
JOIN v_order_totals t ON t.store_id = v.store_id
GROUP BY 1, 2, 3, 4;

CREATE OR REPLACE STREAM orders_stream ON TABLE orders APPEND_ONLY = FALSE;

CREATE SEQUENCE return_seq START = 1 INCREMENT = 1;

