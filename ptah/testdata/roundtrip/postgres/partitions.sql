-- Partitions and inheritance.
CREATE TABLE measure (id bigint NOT NULL, at date NOT NULL, city text, v numeric DEFAULT 0, CONSTRAINT measure_pk PRIMARY KEY (id, at), CHECK (v >= 0)) PARTITION BY RANGE (at);
CREATE TABLE measure_2024 PARTITION OF measure FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE measure_2025 PARTITION OF measure (v DEFAULT 1, CONSTRAINT small CHECK (v < 100)) FOR VALUES FROM ('2025-01-01') TO (MAXVALUE) PARTITION BY LIST (id);
CREATE TABLE measure_2025_b PARTITION OF measure_2025 FOR VALUES IN (1, 2);
CREATE TABLE measure_rest PARTITION OF measure DEFAULT;
CREATE TABLE measure_2025_rest PARTITION OF measure_2025 DEFAULT;
CREATE INDEX measure_city ON measure (city);
CREATE INDEX measure_2024_v ON measure_2024 (v);
CREATE TABLE by_city (city text) PARTITION BY LIST (city);
CREATE TABLE by_city_b PARTITION OF by_city FOR VALUES IN ('Berlin', 'Bern', NULL);
CREATE TABLE hashed (a int, b text) PARTITION BY HASH (a, lower(b));
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashed_1 (a int, b text);
ALTER TABLE hashed ATTACH PARTITION hashed_1 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE logs (id int, at timestamptz NOT NULL) PARTITION BY RANGE (at);
CREATE TABLE logs_a (id int, at timestamptz NOT NULL);
ALTER TABLE ONLY logs ATTACH PARTITION logs_a FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2024-02-01 00:00:00+00');
CREATE INDEX logs_at ON ONLY logs (at);
CREATE INDEX logs_a_at ON logs_a (at);
ALTER INDEX logs_at ATTACH PARTITION logs_a_at;
ALTER TABLE ONLY logs ADD CONSTRAINT logs_key UNIQUE (at);
ALTER TABLE ONLY logs_a ADD CONSTRAINT logs_a_at_key UNIQUE (at);
ALTER INDEX logs_key ATTACH PARTITION logs_a_at_key;
CREATE TABLE refers (mid bigint, mat date, FOREIGN KEY (mid, mat) REFERENCES measure (id, at));

CREATE TABLE animal (name text NOT NULL, legs int DEFAULT 4, CHECK (legs >= 0));
CREATE TABLE dog (breed text, legs int DEFAULT 4) INHERITS (animal);
CREATE TABLE cat () INHERITS (animal);
ALTER TABLE cat ADD COLUMN lives int DEFAULT 9;
CREATE TABLE named (label text);
CREATE TABLE pet (owner text) INHERITS (dog, named);
COMMENT ON TABLE dog IS 'barks';

-- What is said of a column after its table has heirs.
CREATE TABLE told (a int, b text) PARTITION BY LIST (a);
CREATE TABLE told_1 PARTITION OF told FOR VALUES IN (1);
ALTER TABLE told ALTER b SET STATISTICS 500;
CREATE TABLE elder (a int, b text, c text);
CREATE TABLE heir () INHERITS (elder);
ALTER TABLE elder ALTER b SET COMPRESSION pglz;
ALTER TABLE elder ALTER b SET STATISTICS 50;
ALTER TABLE elder ALTER c SET STORAGE EXTERNAL;
ALTER TABLE elder ALTER c TYPE varchar(9);
CREATE TABLE late_heir () INHERITS (elder);

CREATE TABLE collated (t text, n int) PARTITION BY RANGE (lower(t) COLLATE "C" text_pattern_ops, (n + 1) int4_ops);
CREATE FUNCTION mark() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
CREATE TABLE marked (a int) PARTITION BY LIST (a);
CREATE TABLE marked_1 PARTITION OF marked FOR VALUES IN (1);
CREATE TABLE marked_2 PARTITION OF marked FOR VALUES IN (2);
CREATE TRIGGER mark BEFORE INSERT ON marked FOR EACH ROW EXECUTE FUNCTION mark();
ALTER TABLE marked_1 DISABLE TRIGGER mark;
ALTER TABLE marked_2 ENABLE ALWAYS TRIGGER mark;
