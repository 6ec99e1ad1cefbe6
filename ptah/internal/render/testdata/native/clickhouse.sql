CREATE DATABASE IF NOT EXISTS app ENGINE = Atomic COMMENT 'the app';
CREATE TABLE IF NOT EXISTS app.hits
(
    `id` UInt64,
    `at` DateTime64(3, 'UTC') DEFAULT now64(3) CODEC(Delta, ZSTD(1)),
    `kind` LowCardinality(String) DEFAULT 'it\'s' COMMENT 'what it is',
    `tags` Map(String, Array(Tuple(a UInt8, b Nullable(String)))),
    `day` Date MATERIALIZED toDate(at),
    `twice` UInt64 ALIAS id * 2,
    `raw` String EPHEMERAL,
    `gone` String TTL at + INTERVAL 1 DAY,
    INDEX by_kind kind TYPE set(100) GRANULARITY 4,
    INDEX by_expr lower(kind) TYPE bloom_filter(0.01),
    CONSTRAINT positive CHECK id > 0
)
ENGINE = ReplacingMergeTree(at)
PARTITION BY toYYYYMM(at)
PRIMARY KEY (id)
ORDER BY (id, at)
SAMPLE BY id
TTL at + INTERVAL 1 MONTH DELETE
SETTINGS index_granularity = 8192, x = 1
COMMENT 'all hits';
CREATE TABLE small (a Int8 PRIMARY KEY, b String NOT NULL,) ENGINE MergeTree;
ALTER TABLE small ADD COLUMN c Float64 DEFAULT 1.5, COMMENT COLUMN b 'text', RENAME COLUMN b TO bb;
CREATE VIEW app.v AS SELECT id, /* not /* nested */ at FROM app.hits;
CREATE MATERIALIZED VIEW app.m TO app.target (id UInt64) AS SELECT id FROM app.hits;
CREATE MATERIALIZED VIEW m2 ENGINE = SummingMergeTree ORDER BY id POPULATE AS SELECT id, count() AS n FROM app.hits GROUP BY id;
CREATE VIEW secured DEFINER = admin SQL SECURITY DEFINER AS SELECT 1 AS one;
CREATE MATERIALIZED VIEW m3 REFRESH EVERY 1 HOUR ENGINE = MergeTree ORDER BY tuple() EMPTY AS SELECT 1 AS one;
CREATE VIEW told AS SELECT 1 AS one COMMENT 'it\'s one';
