-- Tables with all that they may have.
CREATE TABLE IF NOT EXISTS shop."Order" (
    id bigint GENERATED ALWAYS AS IDENTITY (START WITH 100) PRIMARY KEY,
    customer int NOT NULL CONSTRAINT order_customer REFERENCES shop.customer (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    total numeric(12, 2) DEFAULT 0 CHECK (total >= 0),
    gross numeric GENERATED ALWAYS AS (total * 1.2) STORED,
    tags text[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::text[],
    at timestamp(3) with time zone DEFAULT now(),
    LIKE shop.base INCLUDING DEFAULTS,
    CONSTRAINT one_a_day UNIQUE NULLS NOT DISTINCT (customer, at) INCLUDE (total),
    FOREIGN KEY (customer, at) REFERENCES shop.visit MATCH FULL ON UPDATE SET DEFAULT,
    EXCLUDE USING gist (tags WITH &&, tstzrange(at, at) WITH =) WHERE (total > 0)
) PARTITION BY RANGE (at) WITH (fillfactor = 70) TABLESPACE fast;

CREATE TABLE shop.order_2024 PARTITION OF shop."Order" (total DEFAULT 1) FOR VALUES FROM ('2024-01-01') TO (MAXVALUE);

ALTER TABLE ONLY shop."Order" ADD COLUMN note text NOT NULL DEFAULT '', ALTER COLUMN total TYPE numeric(14, 2) USING total::numeric, DROP CONSTRAINT one_a_day;

CREATE UNIQUE INDEX order_note ON shop."Order" USING btree (lower(note) text_pattern_ops DESC, id) INCLUDE (total) WHERE note <> '';

COMMENT ON COLUMN shop."Order".total IS 'without tax';
