CREATE SCHEMA staging;

CREATE SCHEMA mart;

CREATE TYPE order_state AS ENUM ('placed', 'shipped', 'completed', 'return_pending', 'returned');

-- seeds and bookkeeping live in main
CREATE TABLE country_codes (
    iso2 CHAR(2) PRIMARY KEY,
    iso3 CHAR(3) NOT NULL,
    country_name VARCHAR NOT NULL,
    region VARCHAR,
    currency CHAR(3)
);

CREATE TABLE exchange_rates (
    currency CHAR(3) NOT NULL,
    rate_date DATE NOT NULL,
    rate_to_eur DECIMAL(18, 8) NOT NULL CHECK (rate_to_eur > 0),
    source VARCHAR DEFAULT 'ecb',
    PRIMARY KEY (currency, rate_date)
);

CREATE TABLE run_log (
    run_id UUID DEFAULT gen_random_uuid(),
    model VARCHAR NOT NULL,
    started_at TIMESTAMP DEFAULT current_timestamp,
    finished_at TIMESTAMP,
    rows_affected BIGINT,
    status VARCHAR CHECK (status IN ('running', 'ok', 'error', 'skipped')),
    message TEXT,
    vars JSON,
    PRIMARY KEY (run_id, model)
);

CREATE TABLE "Budget Plan" (
    "Cost Center" VARCHAR,
    "Fiscal Year" INTEGER,
    "Q1" DECIMAL(14, 2),
    "Q2" DECIMAL(14, 2),
    "Q3" DECIMAL(14, 2),
    "Q4" DECIMAL(14, 2),
    "Owner" VARCHAR
);

CREATE TABLE staging.stg_customers (
    customer_id INTEGER PRIMARY KEY,
    first_name VARCHAR,
    last_name VARCHAR,
    email VARCHAR,
    birth_date DATE,
    country CHAR(2),
    address STRUCT(street VARCHAR, city VARCHAR, zip VARCHAR, geo STRUCT(lat DOUBLE, lng DOUBLE)),
    marketing_tags VARCHAR[],
    created_at TIMESTAMP,
    updated_at TIMESTAMP,
    _loaded_at TIMESTAMPTZ DEFAULT now()
);

CREATE TABLE staging.stg_products (
    sku VARCHAR PRIMARY KEY,
    product_name VARCHAR,
    category_path VARCHAR[],
    list_price DECIMAL(12, 2),
    cost DECIMAL(12, 2),
    attributes MAP(VARCHAR, VARCHAR),
    updated_at TIMESTAMP,
    _loaded_at TIMESTAMPTZ
);

CREATE TABLE staging.stg_orders (
    order_id BIGINT PRIMARY KEY,
    customer_id INTEGER,
    store_code VARCHAR,
    ordered_at TIMESTAMP,
    status order_state,
    currency CHAR(3),
    coupon VARCHAR,
    lines STRUCT(sku VARCHAR, qty INTEGER, unit_price DECIMAL(12, 2), discount DECIMAL(12, 2))[],
    _loaded_at TIMESTAMPTZ,
    _file VARCHAR
);

CREATE TABLE staging.stg_payments (
    payment_id BIGINT PRIMARY KEY,
    order_id BIGINT REFERENCES staging.stg_orders (order_id),
    method VARCHAR,
    amount_cents INTEGER,
    paid_at TIMESTAMP,
    response JSON
);

CREATE TABLE staging.raw_events (
    id VARCHAR,
    received_at TIMESTAMPTZ,
    body JSON,
    headers MAP(VARCHAR, VARCHAR)
);

CREATE TABLE mart.dim_date (
    date_key INTEGER PRIMARY KEY,
    full_date DATE NOT NULL UNIQUE,
    year SMALLINT,
    quarter UTINYINT,
    month UTINYINT,
    week UTINYINT,
    day_name VARCHAR,
    is_weekend BOOLEAN,
    is_holiday BOOLEAN DEFAULT false,
    fiscal_period VARCHAR
);

CREATE TABLE mart.dim_customer (
    customer_key INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL,
    full_name VARCHAR,
    email VARCHAR,
    country CHAR(2),
    segment VARCHAR DEFAULT 'new',
    valid_from TIMESTAMP NOT NULL,
    valid_to TIMESTAMP,
    is_current BOOLEAN DEFAULT true,
    UNIQUE (customer_id, valid_from)
);

CREATE TABLE mart.dim_product (
    product_key INTEGER PRIMARY KEY,
    sku VARCHAR UNIQUE,
    product_name VARCHAR,
    category VARCHAR,
    subcategory VARCHAR,
    brand VARCHAR,
    list_price DECIMAL(12, 2),
    cost DECIMAL(12, 2),
    margin DECIMAL(12, 2) GENERATED ALWAYS AS (list_price - cost),
    discontinued_on DATE
);

CREATE TABLE mart.dim_store (
    store_key INTEGER PRIMARY KEY,
    store_code VARCHAR UNIQUE,
    store_name VARCHAR,
    city VARCHAR,
    country CHAR(2),
    opened_on DATE,
    floor_m2 INTEGER,
    manager_key INTEGER,
    hours STRUCT(open TIME, close TIME)
);

CREATE TABLE mart.dim_promotion (
    promotion_key INTEGER PRIMARY KEY,
    coupon VARCHAR,
    kind VARCHAR,
    percent_off DECIMAL(5, 2),
    starts_on DATE,
    ends_on DATE
);

CREATE TABLE mart.fct_orders (
    order_key BIGINT PRIMARY KEY,
    order_id BIGINT UNIQUE,
    date_key INTEGER REFERENCES mart.dim_date (date_key),
    customer_key INTEGER REFERENCES mart.dim_customer (customer_key),
    store_key INTEGER REFERENCES mart.dim_store (store_key),
    promotion_key INTEGER REFERENCES mart.dim_promotion (promotion_key),
    status order_state,
    ordered_at TIMESTAMP,
    shipped_at TIMESTAMP,
    gross_amount DECIMAL(14, 2),
    discount_amount DECIMAL(14, 2) DEFAULT 0,
    net_amount DECIMAL(14, 2) AS (gross_amount - discount_amount),
    currency CHAR(3)
);

CREATE TABLE mart.fct_order_lines (
    order_key BIGINT REFERENCES mart.fct_orders (order_key),
    line_no SMALLINT,
    product_key INTEGER REFERENCES mart.dim_product (product_key),
    qty INTEGER CHECK (qty <> 0),
    unit_price DECIMAL(12, 2),
    discount DECIMAL(12, 2),
    returned BOOLEAN DEFAULT false,
    PRIMARY KEY (order_key, line_no)
);

CREATE TABLE mart.fct_payments (
    payment_id BIGINT PRIMARY KEY,
    order_key BIGINT,
    date_key INTEGER,
    method VARCHAR,
    amount DECIMAL(14, 2)
);

CREATE TABLE mart.fct_inventory (
    date_key INTEGER,
    store_key INTEGER,
    product_key INTEGER,
    on_hand INTEGER,
    on_order INTEGER DEFAULT 0,
    reorder_point INTEGER,
    PRIMARY KEY (date_key, store_key, product_key)
);

CREATE TABLE mart.fct_web_sessions (
    session_id UUID,
    customer_key INTEGER,
    started_at TIMESTAMP,
    landing_page VARCHAR,
    referrer VARCHAR,
    pages VARCHAR[],
    converted BOOLEAN,
    order_key BIGINT
);

CREATE TABLE mart.bridge_customer_segment (
    customer_key INTEGER,
    segment VARCHAR,
    weight DOUBLE DEFAULT 1.0,
    assigned_on DATE,
    PRIMARY KEY (customer_key, segment)
);

CREATE VIEW staging.stg_order_lines AS
SELECT
    o.order_id,
    o.currency,
    o.ordered_at,
    unnest(range(1, len(o.lines) + 1)) AS line_no,
    unnest(o.lines) AS line
FROM staging.stg_orders AS o;

CREATE VIEW mart.current_customers AS
SELECT * EXCLUDE (valid_to, is_current)
FROM mart.dim_customer
WHERE is_current;

CREATE VIEW mart.sales (order_key, sale_date, store_code, category, quantity, revenue, profit) AS
SELECT l.order_key, d.full_date, s.store_code, p.category, l.qty, l.qty * l.unit_price - l.discount, l.qty * (l.unit_price - p.cost) - l.discount
FROM mart.fct_order_lines l
JOIN mart.fct_orders o USING (order_key)
JOIN mart.dim_date d USING (date_key)
JOIN mart.dim_store s USING (store_key)
JOIN mart.dim_product p USING (product_key)
WHERE NOT l.returned;

CREATE VIEW mart.monthly_sales AS
WITH by_month AS (
    SELECT date_trunc('month', sale_date) AS month, store_code, category, sum(revenue) AS revenue, sum(profit) AS profit
    FROM mart.sales
    GROUP BY ALL
)
SELECT *, profit / nullif(revenue, 0) AS margin_rate
FROM by_month;

CREATE VIEW latest_rates AS
SELECT DISTINCT ON (currency) currency, rate_date, rate_to_eur
FROM exchange_rates
ORDER BY currency, rate_date DESC;

CREATE MACRO to_eur(amount, rate) AS (amount * rate)::DECIMAL(14, 2);
