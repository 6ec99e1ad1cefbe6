CREATE TABLE plain (id Int32 NOT NULL, n Int32 NULL, s varchar(20), d decimal(10, 2), dd DOUBLE PRECISION, bi BIGINT UNSIGNED, c CHARACTER VARYING(10)) ENGINE = MergeTree ORDER BY tuple();
CREATE TABLE types
(
    `k` UInt8, # the key
    `j` JSON(a UInt32, max_dynamic_paths = 10),
    `d` Dynamic,
    `v` Variant(UInt64, String),
    `p` Point,
    `a` Array(Array(Nullable(Int8))),
    `m` Map(LowCardinality(String), Nullable(Float64)),
    `t` Tuple(x Nullable(UInt8), `y z` String),
    `n.k` Array(String),
    `n.v` Array(UInt8),
    `e` Enum16('it''s' = -1, 'b' = 1000),
    `g` AggregateFunction(quantiles(0.5, 0.9), Float64),
    `z` SimpleAggregateFunction(max, UInt64)
)
ENGINE = MergeTree ORDER BY k;
CREATE TABLE properties
(
    `k` UInt8 DEFAULT 1 COMMENT 'it\'s',
    `a` DEFAULT 5,
    `b` UInt8 MATERIALIZED k + 1,
    `c` UInt8 ALIAS k * 2,
    `d` UInt8 EPHEMERAL 3,
    `e` String EPHEMERAL,
    `f` Array(UInt8) DEFAULT [1, 2],
    `g` Array(String) DEFAULT [] CODEC(ZSTD(3)) TTL h + INTERVAL 1 DAY,
    `h` DateTime DEFAULT now(),
    `i` Tuple(Float64, Float64) DEFAULT (0., -1.5),
    INDEX `by k` (k, a) TYPE set(0) GRANULARITY 2,
    INDEX filter toString(k) TYPE ngrambf_v1(3, 256, 2, 0),
    CONSTRAINT positive CHECK (k > 0) AND (k < 100),
    CONSTRAINT known ASSUME k < 200,
    PROJECTION counts (SELECT a, count() GROUP BY a)
)
ENGINE = MergeTree
PARTITION BY (toYYYYMM(h), k % 10)
PRIMARY KEY (k, cityHash64(a))
ORDER BY (k, cityHash64(a), h)
TTL h + INTERVAL 1 MONTH DELETE WHERE k = 1, h + INTERVAL 2 MONTH
SETTINGS index_granularity = 1024, min_bytes_for_wide_part = 0
COMMENT 'what is; said';
CREATE TABLE inline_key (id UInt64 PRIMARY KEY, v String) ENGINE = MergeTree;
CREATE TABLE inner_key (id UInt64, v String, PRIMARY KEY id) ENGINE = ReplacingMergeTree;
CREATE TABLE nullable_key (id Nullable(UInt64)) ENGINE = MergeTree ORDER BY id SETTINGS allow_nullable_key = 1;
CREATE TABLE `weird name` (`a b` UInt8, `c``d` String, `back\\slash` Int8) ENGINE = MergeTree ORDER BY (`a b`);
CREATE TABLE passing (k UInt8) ENGINE = Memory;
CREATE TABLE store (k UInt8, v String) ENGINE = EmbeddedRocksDB PRIMARY KEY k;
CREATE TABLE alike AS properties;
CREATE TABLE alike_in_memory AS plain ENGINE = Memory;
CREATE TABLE filled (one Int8) ENGINE = MergeTree ORDER BY one AS SELECT toInt8(1) AS one;
CREATE DICTIONARY words (id UInt64, w String DEFAULT '') PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'plain')) LAYOUT(FLAT()) LIFETIME(MIN 0 MAX 1000);
