-- Views, types, functions and triggers.
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE DOMAIN year AS int DEFAULT 2000 CONSTRAINT year_check CHECK (VALUE >= 1901 AND VALUE <= 2155);
CREATE RECURSIVE VIEW nums (n) AS VALUES (1) UNION ALL SELECT n + 1 FROM nums WHERE n < 100;
CREATE MATERIALIZED VIEW v_total (customer, total) AS SELECT o.customer, sum(o.total) FROM shop."Order" o GROUP BY o.customer WITH NO DATA;
CREATE FUNCTION grow(INOUT x int, by numeric DEFAULT 1.5) LANGUAGE sql IMMUTABLE RETURN x * by;
CREATE FUNCTION top(n int) RETURNS TABLE (id int, "Name" text) LANGUAGE sql BEGIN ATOMIC SELECT t.id, t.name FROM t LIMIT n; END;
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE OF total, note ON shop."Order" FOR EACH ROW WHEN (new.total IS DISTINCT FROM old.total) EXECUTE FUNCTION touch('x');
CREATE SEQUENCE ids AS bigint START WITH 10 INCREMENT BY 5 NO MAXVALUE OWNED BY t.id;
