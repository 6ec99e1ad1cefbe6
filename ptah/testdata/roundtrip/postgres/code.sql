-- Views, functions, triggers, rules, security.
CREATE TABLE person (id serial PRIMARY KEY, name text NOT NULL, boss int REFERENCES person, salary numeric, changed timestamptz);
CREATE TABLE audit (at timestamptz DEFAULT now(), who text, what text);
CREATE VIEW people AS SELECT id, name FROM person WHERE salary IS NOT NULL;
CREATE VIEW bosses (boss, n) AS SELECT boss, count(*) FROM person GROUP BY boss;
CREATE OR REPLACE VIEW safe WITH (security_barrier = true) AS SELECT * FROM people WHERE name <> 'x' WITH LOCAL CHECK OPTION;
CREATE VIEW checked AS SELECT * FROM safe WITH CASCADED CHECK OPTION;
CREATE RECURSIVE VIEW chain (id, depth) AS SELECT id, 1 FROM person WHERE boss IS NULL UNION ALL SELECT p.id, c.depth + 1 FROM person p JOIN chain c ON p.boss = c.id;
CREATE MATERIALIZED VIEW totals AS SELECT boss, sum(salary) AS total FROM person GROUP BY boss WITH NO DATA;
CREATE UNIQUE INDEX totals_boss ON totals (boss);
CREATE MATERIALIZED VIEW filled WITH (fillfactor = 80) AS SELECT * FROM bosses;
COMMENT ON VIEW people IS 'those with pay';
COMMENT ON COLUMN people.name IS 'shown';
COMMENT ON MATERIALIZED VIEW totals IS 'per boss';
ALTER VIEW bosses ALTER COLUMN n SET DEFAULT 0;

CREATE FUNCTION add(a integer, b integer DEFAULT 1) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT a + b $$;
CREATE FUNCTION add(a text, b text) RETURNS text LANGUAGE sql AS 'SELECT a || b';
CREATE FUNCTION twice(x numeric) RETURNS numeric LANGUAGE sql IMMUTABLE RETURN x * 2;
CREATE OR REPLACE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  NEW.changed := now(); -- a comment; with a semicolon
  INSERT INTO audit (who, what) VALUES (current_user, 'it''s ' || TG_OP);
  RETURN NEW;
END;
$body$;
CREATE FUNCTION reports(of integer) RETURNS TABLE (id integer, name text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$ SELECT p.id, p.name FROM person p WHERE p.boss = of $$;
CREATE FUNCTION everyone() RETURNS SETOF person LANGUAGE sql ROWS 10 COST 5 AS 'SELECT * FROM person';
CREATE FUNCTION out_args(IN a int, OUT b int, INOUT c text, VARIADIC d int[]) LANGUAGE plpgsql AS $$ BEGIN b := a; END $$;
CREATE PROCEDURE raise_all(pct numeric) LANGUAGE plpgsql AS $$ BEGIN UPDATE person SET salary = salary * pct; COMMIT; END $$;
COMMENT ON FUNCTION add(integer, integer) IS 'sum';
CREATE AGGREGATE product(numeric) (SFUNC = numeric_mul, STYPE = numeric, INITCOND = '1');
CREATE FUNCTION gone() RETURNS int LANGUAGE sql AS 'SELECT 1';
DROP FUNCTION gone();
DROP FUNCTION IF EXISTS never(int);
CREATE TABLE uses_function (a int CHECK (add(a, 1) > 0), b numeric DEFAULT twice(2), c numeric GENERATED ALWAYS AS (twice(b)) STORED);
CREATE INDEX uses_function_i ON uses_function (twice(b));
CREATE OPERATOR === (LEFTARG = integer, RIGHTARG = integer, FUNCTION = int4eq, COMMUTATOR = ===);
CREATE CAST (person AS text) WITH INOUT AS ASSIGNMENT;

CREATE TRIGGER touched BEFORE INSERT OR UPDATE OF name, salary ON person FOR EACH ROW WHEN (NEW.name IS NOT NULL) EXECUTE FUNCTION touch();
CREATE TRIGGER each_statement AFTER DELETE ON person REFERENCING OLD TABLE AS gone_rows FOR EACH STATEMENT EXECUTE PROCEDURE touch();
CREATE CONSTRAINT TRIGGER late AFTER INSERT ON person DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER instead INSTEAD OF INSERT ON people FOR EACH ROW EXECUTE FUNCTION touch();
ALTER TABLE person DISABLE TRIGGER each_statement;
ALTER TABLE person ENABLE ALWAYS TRIGGER touched;
COMMENT ON TRIGGER touched ON person IS 'keeps changed';
CREATE RULE no_delete AS ON DELETE TO audit DO INSTEAD NOTHING;
COMMENT ON RULE no_delete ON audit IS 'kept for ever';
CREATE STATISTICS person_stats (dependencies, ndistinct) ON name, salary FROM person;

ALTER TABLE person ENABLE ROW LEVEL SECURITY;
ALTER TABLE person FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON person USING (name = current_user) WITH CHECK (salary < 1000);
CREATE POLICY no_bosses ON person AS RESTRICTIVE FOR SELECT TO PUBLIC USING (boss IS NOT NULL);
CREATE POLICY adding ON person FOR INSERT WITH CHECK (true);
COMMENT ON POLICY own ON person IS 'only yours';
GRANT SELECT, INSERT ON person TO PUBLIC;
GRANT SELECT (name), UPDATE (name, salary) ON person TO PUBLIC;
GRANT USAGE ON SEQUENCE person_id_seq TO PUBLIC;
GRANT ALL ON audit TO PUBLIC;
REVOKE DELETE, TRUNCATE ON audit FROM PUBLIC;
REVOKE ALL ON FUNCTION twice(numeric) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION twice(numeric) TO PUBLIC;
REVOKE ALL ON FUNCTION add(integer, integer) FROM PUBLIC;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
INSERT INTO audit (who) VALUES ('a; b');
SELECT setval('person_id_seq', 10);
ANALYZE person;

-- Statements that change, or are about, what is kept in its own words.
CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = snowball, LANGUAGE = english);
CREATE TEXT SEARCH CONFIGURATION search (PARSER = pg_catalog."default");
ALTER TEXT SEARCH CONFIGURATION search ADD MAPPING FOR asciiword WITH stems, simple;
ALTER TEXT SEARCH CONFIGURATION search ADD MAPPING FOR int WITH simple;
ALTER TEXT SEARCH DICTIONARY stems (STOPWORDS = english);
COMMENT ON TEXT SEARCH CONFIGURATION search IS 'of people';
CREATE TEXT SEARCH CONFIGURATION gone_too (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION gone_too DROP MAPPING FOR int;
DROP TEXT SEARCH CONFIGURATION gone_too;
CREATE PUBLICATION changes WITH (publish = 'insert');
ALTER PUBLICATION changes ADD TABLE person, ONLY audit;
ALTER PUBLICATION changes SET (publish = 'insert, update');
ALTER STATISTICS person_stats SET STATISTICS 77;
CREATE FUNCTION noticed() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
CREATE EVENT TRIGGER a_notice ON ddl_command_end EXECUTE FUNCTION noticed();
ALTER EVENT TRIGGER a_notice DISABLE;
CREATE OPERATOR FAMILY numbers USING btree;
ALTER OPERATOR FAMILY numbers USING btree ADD OPERATOR 1 < (int4, int8), FUNCTION 1 (int4, int8) btint48cmp(int4, int8);
CREATE FOREIGN DATA WRAPPER wrapper;
CREATE SERVER a_server FOREIGN DATA WRAPPER wrapper;
ALTER SERVER a_server OPTIONS (ADD host 'h');
CREATE TABLE counted (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int CONSTRAINT old_n UNIQUE);
COMMENT ON SEQUENCE counted_id_seq IS 'counts';
COMMENT ON INDEX counted_pkey IS 'by number';
COMMENT ON INDEX old_n IS 'follows';
ALTER TABLE counted RENAME CONSTRAINT old_n TO new_n;
CREATE POLICY waiting ON counted USING (n > 0);
