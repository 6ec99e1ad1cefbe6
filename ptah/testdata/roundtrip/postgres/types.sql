-- Types, sequences, schemas and what uses them.
CREATE SCHEMA app;
CREATE SCHEMA IF NOT EXISTS "Mixed Case";
COMMENT ON SCHEMA app IS 'the application';
CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s');
ALTER TYPE mood ADD VALUE 'happy';
ALTER TYPE mood ADD VALUE IF NOT EXISTS 'meh' BEFORE 'ok';
ALTER TYPE mood RENAME VALUE 'sad' TO 'unhappy';
COMMENT ON TYPE mood IS 'how it goes';
CREATE TYPE app.status AS ENUM ('new', 'done');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN email text CONSTRAINT has_at CHECK (VALUE ~ '@') NOT NULL DEFAULT 'a@b';
CREATE DOMAIN app.code AS varchar(10) COLLATE "C" CONSTRAINT upper_only CHECK (VALUE = upper(VALUE)) CHECK (length(VALUE) > 1);
COMMENT ON DOMAIN positive IS 'above zero';
CREATE TYPE pair AS (x int, y app.status, z text COLLATE "C");
CREATE TYPE app.range_of_float AS RANGE (subtype = float8, subtype_diff = float8mi);
CREATE SEQUENCE plain;
CREATE SEQUENCE app.counter AS integer START WITH 5 INCREMENT BY 5 MINVALUE 5 MAXVALUE 5000 CACHE 3 CYCLE;
CREATE SEQUENCE down INCREMENT -1 MAXVALUE -1;
ALTER SEQUENCE plain RESTART WITH 10;
ALTER SEQUENCE plain INCREMENT BY 2;
CREATE TABLE app.item (
  id integer DEFAULT nextval('app.counter'::regclass) NOT NULL,
  m mood DEFAULT 'ok',
  ms mood[] DEFAULT ARRAY['ok'::mood],
  s app.status NOT NULL DEFAULT 'new'::app.status,
  p positive,
  mail email,
  code app.code,
  pr pair,
  r app.range_of_float,
  n bigint DEFAULT nextval('plain')
);
ALTER SEQUENCE app.counter OWNED BY app.item.id;
COMMENT ON SEQUENCE app.counter IS 'ids';
CREATE TABLE "Mixed Case"."Weird ""Table""" ("a b" int PRIMARY KEY, "select" int REFERENCES "Mixed Case"."Weird ""Table""");
SET search_path = app, public;
CREATE TABLE inside (id serial PRIMARY KEY, item int, s status, m mood);
CREATE INDEX inside_item ON inside (item);
CREATE VIEW inside_view AS SELECT i.id, it.m FROM inside i JOIN item it ON it.id = i.item;
ALTER TABLE inside ADD CONSTRAINT item_fk FOREIGN KEY (item) REFERENCES inside (id);
SET search_path TO public;
CREATE TABLE outside (LIKE app.inside INCLUDING ALL, extra int);
CREATE TABLE outside_plain (LIKE app.item);
CREATE COLLATION german (provider = icu, locale = 'de');
CREATE TABLE sorted (w text COLLATE german);
CREATE TYPE spot AS (place text, zip text);
CREATE TABLE spots (id int, list spot[]);
CREATE VIEW spots_v AS SELECT h.p, h.zip, h.n FROM spots, unnest(list) WITH ORDINALITY AS h(p, zip, n);
CREATE VIEW spots_w AS SELECT h.place, zip FROM spots s, unnest(s.list) AS h;
