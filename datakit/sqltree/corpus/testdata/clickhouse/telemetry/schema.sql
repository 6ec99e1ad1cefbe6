CREATE TABLE sites
(
    site_id     UInt32,
    site_name   String,
    country     FixedString(2),
    latitude    Float64,
    longitude   Float64,
    tags        Array(LowCardinality(String)),
    opened      Date DEFAULT today()
)
ENGINE = MergeTree
ORDER BY site_id;

CREATE TABLE devices
(
    device_id     UInt64,
    site_id       UInt32,
    serial        String,
    model         LowCardinality(String),
    firmware      LowCardinality(String) DEFAULT 'unknown',
    status        Enum8('active' = 1, 'idle' = 2, 'retired' = 3),
    ip            IPv4,
    labels        Map(String, String),
    installed_at  DateTime,
    updated_at    DateTime64(3) DEFAULT now64(3),
    is_deleted    UInt8 DEFAULT 0
)
ENGINE = ReplacingMergeTree(updated_at)
PRIMARY KEY device_id
ORDER BY (device_id, site_id);

CREATE TABLE sensors
(
    sensor_id   UInt64,
    device_id   UInt64,
    kind        LowCardinality(String),
    unit        LowCardinality(String),
    calibration Tuple(offset Float64, factor Float64, done_on Date),
    limits      Array(Float64),
    enabled     Bool DEFAULT true
)
ENGINE = MergeTree
ORDER BY (device_id, sensor_id);

CREATE TABLE readings
(
    sensor_id  UInt64 CODEC(Delta, ZSTD(1)),
    device_id  UInt64,
    ts         DateTime64(3, 'UTC') CODEC(DoubleDelta, LZ4),
    value      Float64 CODEC(Gorilla),
    quality    UInt8,
    batch_id   Nullable(UUID),
    day        Date MATERIALIZED toDate(ts),
    value_int  Int64 ALIAS toInt64(value),
    INDEX idx_quality quality TYPE minmax GRANULARITY 4
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (sensor_id, ts)
SAMPLE BY sensor_id
TTL toDateTime(ts) + INTERVAL 2 YEAR DELETE
SETTINGS index_granularity = 8192;

CREATE TABLE readings_hourly
(
    sensor_id  UInt64,
    hour       DateTime,
    avg_value  AggregateFunction(avg, Float64),
    max_value  SimpleAggregateFunction(max, Float64),
    uniq_batch AggregateFunction(uniq, Nullable(UUID)),
    samples    SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (sensor_id, hour);

CREATE TABLE events
(
    event_id    UUID DEFAULT generateUUIDv4(),
    device_id   UInt64,
    user_id     Nullable(UInt64),
    event_type  LowCardinality(String),
    event_time  DateTime,
    severity    Enum8('debug' = 0, 'info' = 1, 'warn' = 2, 'error' = 3),
    message     String,
    params      Nested(name String, value String),
    props       Map(LowCardinality(String), String),
    raw_json    String,
    session_id  UInt64
)
ENGINE = MergeTree
PARTITION BY toDate(event_time)
ORDER BY (event_type, device_id, event_time);

CREATE TABLE spans
(
    trace_id       FixedString(32),
    span_id        UInt64,
    parent_span_id UInt64,
    service        LowCardinality(String),
    operation      LowCardinality(String),
    start_time     DateTime64(9),
    duration_ns    UInt64,
    status_code    UInt16,
    attributes     Map(String, String),
    links          Array(Tuple(trace FixedString(32), span UInt64))
)
ENGINE = MergeTree
ORDER BY (service, operation, start_time);

CREATE TABLE logs
(
    ts        DateTime64(6),
    host      LowCardinality(String),
    level     LowCardinality(String),
    logger    String,
    body      String,
    trace_id  FixedString(32),
    fields    Map(String, String),
    INDEX body_tokens body TYPE tokenbf_v1(10240, 3, 0) GRANULARITY 1
)
ENGINE = MergeTree
ORDER BY (host, ts);

CREATE TABLE metrics
(
    metric     LowCardinality(String),
    host       LowCardinality(String),
    ts         DateTime,
    cpu_user   Float32,
    cpu_system Float32,
    cpu_idle   Float32,
    mem_used   UInt64,
    mem_total  UInt64,
    disk_io    Array(UInt32)
)
ENGINE = MergeTree
ORDER BY (metric, host, ts);

CREATE TABLE alert_rules
(
    rule_id    UInt32,
    rule_name  String,
    kind       String,
    threshold  Float64,
    comparison Enum8('above' = 1, 'below' = 2),
    window_sec UInt32 DEFAULT 300,
    recipients Array(String),
    active     UInt8
)
ENGINE = MergeTree
ORDER BY rule_id;

CREATE TABLE alerts
(
    alert_id   UInt64,
    rule_id    UInt32,
    device_id  UInt64,
    raised_at  DateTime,
    cleared_at Nullable(DateTime),
    peak       Float64,
    notes      Nullable(String)
)
ENGINE = MergeTree
ORDER BY (raised_at, alert_id);

CREATE TABLE firmware_releases
(
    version     String,
    model       String,
    released_on Date,
    checksum    String,
    notes       String
)
ENGINE = Log;

CREATE TABLE device_sessions
(
    session_id UInt64,
    device_id  UInt64,
    sign       Int8,
    started    DateTime,
    bytes_in   UInt64,
    bytes_out  UInt64,
    pages      Array(String),
    durations  Array(UInt32)
)
ENGINE = CollapsingMergeTree(sign)
ORDER BY (device_id, session_id);

CREATE TABLE energy_prices
(
    region     String,
    valid_from DateTime,
    price      Decimal(10, 4)
)
ENGINE = MergeTree
ORDER BY (region, valid_from);

CREATE TABLE users
(
    user_id    UInt64,
    login      String,
    email      String,
    team       LowCardinality(String),
    roles      Array(String),
    created_at DateTime
)
ENGINE = MergeTree
ORDER BY user_id;

CREATE TABLE network_flows
(
    flow_start DateTime,
    src_ip     IPv4,
    dst_ip     IPv4,
    src_port   UInt16,
    dst_port   UInt16,
    protocol   UInt8,
    bytes      UInt64,
    packets    UInt32,
    device_id  UInt64
)
ENGINE = SummingMergeTree((bytes, packets))
ORDER BY (flow_start, src_ip, dst_ip, src_port, dst_port, protocol, device_id);

CREATE TABLE DailyUsage
(
    usageDate Date,
    siteId    UInt32,
    kWh       Float64,
    peakKw    Float64
)
ENGINE = MergeTree
ORDER BY (siteId, usageDate);

CREATE TABLE error_codes
(
    code        UInt16,
    description String,
    hint        String
)
ENGINE = TinyLog;

CREATE VIEW active_devices AS
SELECT device_id, site_id, model, firmware, ip
FROM devices FINAL
WHERE status = 'active' AND is_deleted = 0;

CREATE VIEW device_places AS
SELECT d.device_id AS device_id, d.model AS model, s.site_name AS site_name, s.country AS country
FROM active_devices AS d
INNER JOIN sites AS s ON s.site_id = d.site_id;

CREATE VIEW last_readings AS
WITH latest AS
(
    SELECT sensor_id, max(ts) AS last_ts, argMax(value, ts) AS last_value
    FROM readings
    WHERE ts > now() - INTERVAL 7 DAY
    GROUP BY sensor_id
)
SELECT s.device_id AS device_id, s.kind AS kind, latest.last_ts AS last_ts, latest.last_value AS last_value
FROM latest
INNER JOIN sensors AS s ON s.sensor_id = latest.sensor_id;

CREATE MATERIALIZED VIEW readings_hourly_mv TO readings_hourly AS
SELECT sensor_id, toStartOfHour(ts) AS hour, avgState(value) AS avg_value, max(value) AS max_value, uniqState(batch_id) AS uniq_batch, count() AS samples
FROM readings
GROUP BY sensor_id, hour;

CREATE VIEW site_energy (site String, energy Float64) AS
SELECT s.site_name AS site, sum(u.kWh) AS energy
FROM DailyUsage AS u
INNER JOIN sites AS s ON s.site_id = u.siteId
GROUP BY s.site_name;

CREATE DICTIONARY device_dict
(
    device_id UInt64,
    serial    String DEFAULT '',
    model     String DEFAULT '',
    site_id   UInt32 DEFAULT 0
)
PRIMARY KEY device_id
SOURCE(CLICKHOUSE(TABLE 'devices'))
LIFETIME(MIN 300 MAX 600)
LAYOUT(HASHED());

CREATE TABLE payloads
(
    id       UInt64,
    received DateTime,
    doc      JSON,
    extra    Nullable(String)
)
ENGINE = MergeTree
ORDER BY id;

CREATE VIEW sensor_window AS
SELECT ts, value, quality
FROM readings
WHERE sensor_id = {sensor:UInt64} AND ts >= {since:DateTime};

