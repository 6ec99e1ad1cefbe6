-- names that are those of a column and of something else, in a schema of the search path
CREATE SCHEMA shop;
SET search_path = shop, public;
CREATE TYPE status AS ENUM ('new', 'paid');
CREATE DOMAIN day AS date;
CREATE TABLE region (id int PRIMARY KEY);
CREATE FUNCTION half(n int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT n / 2 $$;
CREATE TABLE sale (status status NOT NULL, day day NOT NULL, region int REFERENCES region, half int) PARTITION BY LIST (status);
CREATE TABLE sale_new PARTITION OF sale FOR VALUES IN ('new') PARTITION BY RANGE (day);
CREATE TABLE sale_new_2024 PARTITION OF sale_new FOR VALUES FROM ('2024-01-01') TO ('2025-01-01') PARTITION BY HASH (region, half);
CREATE TABLE sale_new_2024_0 PARTITION OF sale_new_2024 FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE sale_paid PARTITION OF sale FOR VALUES IN ('paid') PARTITION BY RANGE (half(half), (region::text::varchar(3)));
CREATE TABLE sale_paid_1 PARTITION OF sale_paid FOR VALUES FROM (1, MINVALUE) TO (5, 'z');
-- what is added to a partitioned table is added to the partitions that were attached
CREATE TABLE stock (id int NOT NULL, n int) PARTITION BY RANGE (id);
CREATE TABLE stock_1 (n int, id int NOT NULL);
ALTER TABLE stock ATTACH PARTITION stock_1 FOR VALUES FROM (1) TO (10);
ALTER TABLE stock ADD COLUMN size int DEFAULT 1 CHECK (size > 0), ADD COLUMN region int REFERENCES region CONSTRAINT small CHECK (region < 100);
-- several subscripts are one
CREATE TABLE board (cells int[][] CHECK (cells[1][1] >= 0 AND cells[1:2][1] <> '{}'), first int GENERATED ALWAYS AS (cells[1][1] + 1) STORED);
