--- twice
CREATE TABLE t (a int); CREATE TABLE t (a int);
---
CREATE TABLE t (a int, A int);
---
CREATE TABLE t (a int); CREATE VIEW t AS SELECT 1;
---
CREATE TABLE t (a int); CREATE SEQUENCE t;
---
CREATE TABLE t (a int UNIQUE); CREATE TABLE t_a_key (x int);
---
CREATE TABLE t (a int, CONSTRAINT c CHECK (a > 0), CONSTRAINT c CHECK (a > 1));
---
CREATE TYPE e AS ENUM ('a'); CREATE DOMAIN e AS int;
---
CREATE FUNCTION f(int) RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE FUNCTION f(integer) RETURNS int LANGUAGE sql AS 'SELECT 2';
---
CREATE SCHEMA a; CREATE SCHEMA a;
---
CREATE TABLE t (a int); ALTER TABLE t ADD COLUMN a int;
---
CREATE TYPE e AS ENUM ('a'); ALTER TYPE e ADD VALUE 'a';
---
CREATE TYPE e AS ENUM ('a'); ALTER TYPE e RENAME VALUE 'b' TO 'c';
---
CREATE TABLE t (a int); CREATE INDEX i ON t (a); CREATE INDEX i ON t (a);
--- undeclared
ALTER TABLE t ADD COLUMN a int;
---
COMMENT ON TABLE t IS 'x';
---
CREATE TABLE t (a int); COMMENT ON COLUMN t.b IS 'x';
---
DROP TABLE t;
---
CREATE TABLE t (a int); ALTER TABLE t DROP COLUMN b;
---
CREATE TABLE t (a int); ALTER TABLE t DROP CONSTRAINT b;
---
CREATE TABLE t (a int); ALTER TABLE t ALTER b SET DEFAULT 1;
---
CREATE TABLE c () INHERITS (p);
---
CREATE TABLE c PARTITION OF p DEFAULT;
---
CREATE TABLE c (LIKE p);
---
DROP FUNCTION f(int);
---
CREATE TABLE t (a int); ALTER TABLE t DISABLE TRIGGER x;
---
DROP TRIGGER x ON y;
---
ALTER TYPE t ADD VALUE 'x';
---
ALTER SEQUENCE s OWNED BY NONE;
---
COMMENT ON FUNCTION f() IS 'x';
--- something depends on it
CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE c (a int REFERENCES p); DROP TABLE p;
---
CREATE TABLE p (a int); CREATE VIEW v AS SELECT a FROM p; DROP TABLE p;
---
CREATE TABLE p (a int); CREATE VIEW v AS SELECT a FROM p; ALTER TABLE p DROP COLUMN a;
---
CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE c (a int REFERENCES p); ALTER TABLE p DROP CONSTRAINT p_pkey;
---
CREATE TYPE e AS ENUM ('a'); CREATE TABLE t (a e); DROP TYPE e;
---
CREATE SEQUENCE s; CREATE TABLE t (a int DEFAULT nextval('s')); DROP SEQUENCE s;
---
CREATE TABLE t (a int PRIMARY KEY); DROP INDEX t_pkey;
---
CREATE SCHEMA a; CREATE TABLE a.t (x int); DROP SCHEMA a;
---
CREATE TABLE p (a int); CREATE TABLE c () INHERITS (p); DROP TABLE p;
--- no schema to create in
SET search_path = ''; CREATE TABLE t (a int);
--- syntax
CREATE TABLE t (a int,);
---
CREATE TABEL t (a int);
--- inherit in another order without NOT NULL
CREATE TABLE p (a int NOT NULL, b int);
CREATE TABLE c (b int, a int);
ALTER TABLE c INHERIT p;
--- inherit in another order without the check
CREATE TABLE p (a int CHECK (a > 0), b int);
CREATE TABLE c (b int, a int);
ALTER TABLE c INHERIT p;
