CREATE TYPE payment_kind AS ENUM ('card', 'cash', 'dispute', 'free', 'unknown');

CREATE TYPE severity AS ENUM ('info', 'warning', 'critical');

CREATE TYPE geo AS STRUCT(lat DOUBLE, lon DOUBLE);

CREATE SEQUENCE trip_seq START 1000;

CREATE SEQUENCE alert_seq;

CREATE TABLE zones (
    zone_id USMALLINT PRIMARY KEY,
    borough VARCHAR NOT NULL,
    zone_name VARCHAR NOT NULL,
    service_zone VARCHAR,
    area_km2 DOUBLE CHECK (area_km2 > 0),
    centroid STRUCT(lat DOUBLE, lon DOUBLE),
    UNIQUE (borough, zone_name)
);

CREATE TABLE vendors (
    vendor_id UTINYINT PRIMARY KEY,
    name VARCHAR NOT NULL UNIQUE,
    contact STRUCT(email VARCHAR, phones VARCHAR[]),
    active BOOLEAN DEFAULT true,
    commission DECIMAL(5, 4) DEFAULT 0.15
);

CREATE TABLE trips (
    trip_id BIGINT PRIMARY KEY DEFAULT nextval('trip_seq'),
    vendor_id UTINYINT REFERENCES vendors (vendor_id),
    pickup_at TIMESTAMP NOT NULL,
    dropoff_at TIMESTAMP,
    passenger_count UTINYINT DEFAULT 1,
    distance_km DECIMAL(8, 2),
    pickup_zone USMALLINT REFERENCES zones (zone_id),
    dropoff_zone USMALLINT REFERENCES zones (zone_id),
    fare DECIMAL(9, 2),
    tip DECIMAL(9, 2) DEFAULT 0,
    tolls DECIMAL(9, 2) DEFAULT 0,
    payment payment_kind DEFAULT 'unknown',
    tags VARCHAR[],
    route STRUCT(lat DOUBLE, lon DOUBLE)[],
    extras MAP(VARCHAR, DECIMAL(6, 2)),
    "Rate Code" INTEGER,
    total DECIMAL(11, 2) GENERATED ALWAYS AS (fare + tip + tolls) VIRTUAL,
    CHECK (dropoff_at IS NULL OR dropoff_at >= pickup_at)
);

CREATE TABLE roads (
    from_zone USMALLINT NOT NULL,
    to_zone USMALLINT NOT NULL,
    minutes FLOAT NOT NULL,
    toll BOOLEAN DEFAULT false,
    PRIMARY KEY (from_zone, to_zone)
);

CREATE TABLE devices (
    device_id UUID PRIMARY KEY DEFAULT uuid(),
    label VARCHAR NOT NULL,
    model VARCHAR,
    installed_on DATE DEFAULT current_date,
    location STRUCT(site VARCHAR, storey INTEGER, pos STRUCT(x DOUBLE, y DOUBLE)),
    channels VARCHAR[],
    calibration DOUBLE[3],
    labels MAP(VARCHAR, VARCHAR),
    parent_id UUID
);

CREATE TABLE readings (
    device_id UUID NOT NULL,
    ts TIMESTAMPTZ NOT NULL,
    metric VARCHAR NOT NULL,
    value DOUBLE,
    quality UTINYINT,
    raw JSON,
    reading UNION(num DOUBLE, txt VARCHAR, flag BOOLEAN),
    PRIMARY KEY (device_id, ts, metric)
);

CREATE TABLE calibrations (
    device_id UUID,
    valid_from TIMESTAMPTZ,
    gain DOUBLE DEFAULT 1.0,
    bias DOUBLE DEFAULT 0.0,
    technician VARCHAR
);

CREATE TABLE alerts (
    alert_id INTEGER PRIMARY KEY DEFAULT nextval('alert_seq'),
    device_id UUID REFERENCES devices (device_id),
    opened_at TIMESTAMPTZ DEFAULT now(),
    closed_at TIMESTAMPTZ,
    level severity NOT NULL,
    message VARCHAR,
    details JSON
);

CREATE TABLE users (
    user_id BIGINT PRIMARY KEY,
    email VARCHAR COLLATE NOCASE,
    signed_up_at TIMESTAMP,
    country CHAR(2),
    plan ENUM ('free', 'pro', 'team'),
    referrer_id BIGINT REFERENCES users (user_id),
    preferences STRUCT(theme VARCHAR, lang VARCHAR, notify STRUCT(mail BOOLEAN, push BOOLEAN))
);

CREATE TABLE sessions (
    session_id UUID PRIMARY KEY,
    user_id BIGINT,
    started_at TIMESTAMP,
    ended_at TIMESTAMP,
    agent VARCHAR,
    utm MAP(VARCHAR, VARCHAR)
);

CREATE TABLE events (
    event_id UUID DEFAULT uuid() PRIMARY KEY,
    session_id UUID,
    user_id BIGINT,
    occurred_at TIMESTAMP NOT NULL,
    name VARCHAR NOT NULL,
    payload JSON,
    props MAP(VARCHAR, VARCHAR),
    items STRUCT(sku VARCHAR, qty INTEGER, price DECIMAL(10, 2))[]
);

CREATE TABLE instruments (
    symbol VARCHAR PRIMARY KEY,
    name VARCHAR,
    exchange VARCHAR,
    sector VARCHAR,
    lot_size INTEGER DEFAULT 100,
    listing STRUCT(listed_on DATE, currency VARCHAR),
    aliases VARCHAR[]
);

CREATE TABLE quotes (
    symbol VARCHAR,
    ts TIMESTAMP,
    bid DECIMAL(12, 4),
    ask DECIMAL(12, 4)
);

CREATE TABLE trades (
    trade_id HUGEINT PRIMARY KEY,
    symbol VARCHAR,
    ts TIMESTAMP,
    qty INTEGER CHECK (qty > 0),
    price DECIMAL(12, 4),
    side ENUM ('buy', 'sell'),
    trader VARCHAR
);

CREATE TABLE prices (
    symbol VARCHAR,
    "date" DATE,
    open DOUBLE,
    high DOUBLE,
    low DOUBLE,
    close DOUBLE,
    volume BIGINT,
    PRIMARY KEY (symbol, "date")
);

CREATE TABLE holidays (
    day DATE,
    name VARCHAR,
    region VARCHAR DEFAULT 'US'
);

CREATE TABLE weather (
    station VARCHAR,
    day DATE,
    kind ENUM ('clear', 'cloud', 'rain', 'snow', 'fog'),
    tmin FLOAT,
    tmax FLOAT,
    precip_mm FLOAT,
    hourly FLOAT[24],
    zone_id USMALLINT
);

CREATE TABLE energy_monthly (
    site VARCHAR,
    year SMALLINT,
    jan INTEGER,
    feb INTEGER,
    mar INTEGER,
    apr INTEGER,
    may INTEGER,
    jun INTEGER,
    target_low INTEGER,
    target_high INTEGER
);

CREATE TABLE file_loads (
    path VARCHAR,
    loaded_at TIMESTAMPTZ DEFAULT current_timestamp,
    row_count UBIGINT,
    checksum BLOB,
    took INTERVAL,
    status VARCHAR DEFAULT 'ok'
);

CREATE TABLE "Lab Results" (
    "Sample ID" INTEGER,
    "pH Value" DOUBLE,
    "Taken At" TIMESTAMP,
    site VARCHAR,
    "group" VARCHAR,
    metals STRUCT(lead DOUBLE, zinc DOUBLE, "iron (II)" DOUBLE)
);

CREATE VIEW trip_facts AS
SELECT
    t.trip_id,
    t.pickup_at,
    t.pickup_at::DATE AS trip_day,
    date_diff('minute', t.pickup_at, t.dropoff_at) AS duration_min,
    p.borough AS from_borough,
    d.borough AS to_borough,
    v.name AS vendor,
    t.payment,
    t.fare,
    t.tip,
    t.total,
    t.tags
FROM trips t
LEFT JOIN zones p ON p.zone_id = t.pickup_zone
LEFT JOIN zones d ON d.zone_id = t.dropoff_zone
LEFT JOIN vendors v USING (vendor_id);

CREATE VIEW daily_trips (day, zone_id, trip_count, revenue) AS
SELECT date_trunc('day', pickup_at)::DATE, pickup_zone, count(*), sum(total)
FROM trips
GROUP BY ALL;

CREATE VIEW zone_ranking AS
FROM daily_trips
SELECT *, rank() OVER (PARTITION BY day ORDER BY revenue DESC NULLS LAST) AS place
QUALIFY place <= 10;

CREATE VIEW latest_readings AS
WITH ranked AS (
    SELECT r.*, row_number() OVER (PARTITION BY device_id, metric ORDER BY ts DESC) AS rn
    FROM readings r
)
SELECT * EXCLUDE (rn, raw) FROM ranked WHERE rn = 1;

CREATE VIEW event_lines AS
SELECT e.event_id, e.user_id, e.occurred_at, item.sku, item.qty, item.price, item.qty * item.price AS amount
FROM events e, unnest(e.items) AS u(item)
WHERE e.name = 'purchase';

CREATE MACRO pct(part, whole) AS round(100.0 * part / nullif(whole, 0), 2);

CREATE MACRO trips_between(a, b) AS TABLE SELECT * FROM trips WHERE pickup_at >= a AND pickup_at < b;
