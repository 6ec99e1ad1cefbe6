-- One of everything that an introspection has to get right.
CREATE SCHEMA audit;
CREATE SCHEMA "Ops.EU";
CREATE EXTENSION file_fdw;
CREATE EXTENSION pg_buffercache;

CREATE TYPE status AS ENUM ('new', 'paid', 'sent');
ALTER TYPE status ADD VALUE 'packed' BEFORE 'sent';
CREATE TYPE audit.kind AS ENUM ('b', 'a');
CREATE DOMAIN email AS varchar(254) CONSTRAINT has_at CHECK (VALUE LIKE '%@%');
CREATE DOMAIN work_email AS email NOT NULL CONSTRAINT at_work CHECK (VALUE LIKE '%.example');

CREATE TABLE customer (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gone int,
  mail email UNIQUE,
  work work_email,
  country char(2) DEFAULT 'DE',
  first text,
  last text,
  name text GENERATED ALWAYS AS (first || last) STORED,
  tags text[] NOT NULL DEFAULT '{}',
  kinds audit.kind[],
  doc jsonb,
  seen timestamptz(3) DEFAULT now(),
  at_noon time(0),
  referred_by int CONSTRAINT referrer REFERENCES customer ON DELETE SET NULL
);
ALTER TABLE customer DROP COLUMN gone;
COMMENT ON TABLE customer IS 'Who buys. "Quoted", it''s fine.';
COMMENT ON COLUMN customer.mail IS 'Größe';

CREATE TABLE "order" (
  shop smallint,
  no bigserial,
  customer int NOT NULL REFERENCES customer,
  payer int REFERENCES customer ON UPDATE RESTRICT ON DELETE CASCADE,
  payer_mail email REFERENCES customer (mail) ON DELETE SET DEFAULT,
  state status NOT NULL DEFAULT 'new',
  total numeric(10,2) CHECK (total >= 0),
  note varchar(200) DEFAULT '0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789',
  CONSTRAINT "order key" PRIMARY KEY (shop, no),
  CONSTRAINT positive CHECK (shop > 0 AND no > 0)
);
CREATE INDEX order_open ON "order" (customer) WHERE state = 'new';
CREATE INDEX order_lower ON "order" (lower(note), (no + 1), state);
CREATE UNIQUE INDEX order_note ON "order" (note) INCLUDE (total);
CREATE INDEX order_hash ON "order" USING hash (payer);
CREATE INDEX order_brin ON "order" USING brin (no);
CREATE INDEX customer_doc ON customer USING gin (doc);

CREATE TABLE audit.line (
  order_no bigint,
  order_shop smallint,
  line int,
  CONSTRAINT positive CHECK (line > 0),
  CONSTRAINT line_order FOREIGN KEY (order_shop, order_no) REFERENCES "order",
  CONSTRAINT line_key UNIQUE (line, order_no)
);
CREATE TABLE audit.log (
  line int,
  order_no bigint,
  what text,
  CONSTRAINT positive CHECK (line > 1),
  CONSTRAINT line_order FOREIGN KEY (line, order_no) REFERENCES audit.line (line, order_no)
);

CREATE TABLE "Ops.EU"."Größe :: ""select"" . x" (
  "select" int PRIMARY KEY,
  "a b.c::d" double precision,
  "Ünïcode" "char",
  n23456789012345678901234567890123456789012345678901234567890123 bit varying(8)
);
COMMENT ON COLUMN "Ops.EU"."Größe :: ""select"" . x"."a b.c::d" IS 'odd';
CREATE TABLE nothing ();

CREATE TABLE measure (
  at date NOT NULL,
  region text NOT NULL,
  customer int REFERENCES customer,
  v real
) PARTITION BY RANGE (at, lower(region));
CREATE TABLE measure_1 PARTITION OF measure FOR VALUES FROM ('2026-01-01', MINVALUE) TO ('2026-02-01', MINVALUE);
CREATE TABLE audit.measure_2 PARTITION OF measure FOR VALUES FROM ('2026-02-01', MINVALUE) TO ('2026-03-01', MINVALUE) PARTITION BY LIST (region);
CREATE TABLE measure_2_eu PARTITION OF audit.measure_2 FOR VALUES IN ('eu');
CREATE TABLE measure_2_us PARTITION OF audit.measure_2 FOR VALUES IN ('us');
CREATE INDEX measure_v ON measure (v);

CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE audit.raw (line text) SERVER files OPTIONS (filename '/dev/null');

CREATE VIEW open_order AS SELECT o.no, c.name FROM "order" o JOIN customer c ON c.id = o.customer WHERE o.state = 'new';
COMMENT ON VIEW open_order IS 'not yet paid';
CREATE VIEW audit.busy AS
  WITH customer AS (SELECT name FROM open_order) SELECT name FROM customer UNION SELECT what FROM audit.log WHERE line > 7;
CREATE MATERIALIZED VIEW monthly AS SELECT date_trunc('month', at) AS month, sum(v) AS v FROM measure_1 GROUP BY 1;
CREATE UNIQUE INDEX monthly_key ON monthly (month);

CREATE FUNCTION log_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- DELETE FROM customer;
  PERFORM 'UPDATE customer SET x', $x$ INSERT INTO nothing $x$;
  PERFORM 1 FROM customer FOR UPDATE;
  INSERT INTO audit.log (line, order_no, what) VALUES (2, NEW.no, 'x') ON CONFLICT DO NOTHING;
  UPDATE ONLY customer AS c SET seen = now() WHERE c.id = NEW.customer;
  UPDATE "order" SET total = 0 WHERE false;
  INSERT INTO measure_2_eu VALUES (now(), 'eu');
  INSERT INTO temporary_thing VALUES (1);
  RETURN NEW;
END $$;
CREATE TRIGGER log_it AFTER INSERT ON "order" FOR EACH ROW EXECUTE FUNCTION log_order();
CREATE FUNCTION log_dynamic() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nothing DEFAULT VALUES;
  EXECUTE format('INSERT INTO %I VALUES (1)', TG_ARGV[0]);
  RETURN NEW;
END $$;
CREATE TRIGGER dynamic AFTER INSERT ON customer FOR EACH ROW EXECUTE FUNCTION log_dynamic('log');
CREATE FUNCTION log_line() RETURNS trigger LANGUAGE plpgsql SET search_path = audit, public AS $$
BEGIN DELETE FROM log; RETURN OLD; END $$;
CREATE TRIGGER forget AFTER DELETE ON audit.line FOR EACH ROW EXECUTE FUNCTION log_line();
CREATE TRIGGER forget_off AFTER DELETE ON customer FOR EACH ROW EXECUTE FUNCTION log_line();
ALTER TABLE customer DISABLE TRIGGER forget_off;
