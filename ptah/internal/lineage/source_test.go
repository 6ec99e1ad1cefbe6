package lineage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

// TestTrace_Source traces files of SQL as their loaders hand them over: with headers of
// routines that are written anew, and names as the databases fold them.
func TestTrace_Source(t *testing.T) {
	tests := []struct {
		dialect   dialect.Dialect
		sql, want string
	}{
		{dialect.Postgres, `
CREATE SCHEMA app;
SET search_path = app;
CREATE TABLE T (ID int, "Mixed" text);
CREATE VIEW V AS SELECT t.id, "Mixed" FROM t WHERE id > 1;
CREATE RECURSIVE VIEW r (n) AS SELECT id FROM t UNION ALL SELECT n + 1 FROM r;
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT id FROM app.t';
CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.id = OLD.id; RETURN NEW; END $$;
CREATE TRIGGER x BEFORE UPDATE OF id ON t FOR EACH ROW EXECUTE FUNCTION g();`, `
app.r.n: app.t.id
app.v.Mixed: app.t.Mixed
app.v.id: app.t.id
app.v filter app.t.id
function app.f returns app.t.id
trigger app.x reads app.t.id in select
trigger app.x writes app.t.id in update
function app.g? may be incomplete: dynamic SQL and control flow are not followed
trigger app.x? may be incomplete: dynamic SQL and control flow are not followed`},
		{dialect.MySQL, `
CREATE TABLE t (id int, a int);
CREATE TABLE log (id int);
CREATE ALGORITHM=MERGE VIEW v (x) AS SELECT a + 1 FROM t WHERE id > 1;
DELIMITER //
CREATE DEFINER=root@localhost FUNCTION f(x INT) RETURNS INT DETERMINISTIC RETURN (SELECT max(a) FROM t WHERE id = x)//
CREATE PROCEDURE p(IN x INT) BEGIN DELETE FROM log WHERE id = x; END//
CREATE TRIGGER g BEFORE UPDATE ON t FOR EACH ROW BEGIN SET NEW.a = OLD.a; INSERT INTO log VALUES (NEW.id); END//
DELIMITER ;`, `
v.x: t.a
v filter t.id
function f returns t.a
trigger g reads t.a in select
trigger g reads t.id in insert
procedure p reads log.id in delete
trigger g writes log. in insert
trigger g writes t.a in update
procedure p writes log. in delete
trigger g? may be incomplete: dynamic SQL and control flow are not followed
procedure p? may be incomplete: dynamic SQL and control flow are not followed`},
		{dialect.SQLite, `
CREATE TABLE t (id INTEGER PRIMARY KEY, a);
CREATE TABLE log (id, what);
CREATE VIEW v AS SELECT ID, a FROM t WHERE a > 1;
CREATE VIRTUAL TABLE docs USING fts5(title, body);
CREATE VIEW d AS SELECT title FROM docs;
CREATE VIEW rows AS SELECT rowid AS r, t._rowid_ + 1 AS s FROM t WHERE oid > 3;
CREATE VIEW no_rows AS SELECT rowid AS r FROM log;
CREATE TRIGGER g AFTER UPDATE OF a ON t WHEN new.a > 1 BEGIN INSERT INTO log (id) VALUES (new.id); DELETE FROM log WHERE what = old.a; END;`, `
d.title: docs.title
rows.r: t.id
rows.s: t.id
v.ID: t.id
v.a: t.a
rows filter t.id
v filter t.a
trigger g reads log.what in delete
trigger g reads t.a in delete
trigger g reads t.a in select
trigger g reads t.id in insert
trigger g writes log. in delete
trigger g writes log.id in insert`},
		{dialect.SQLServer, `
CREATE TABLE app.t (id int, a int);
GO
CREATE VIEW app.v AS SELECT id, a AS x FROM t WHERE a > 1
GO`, `
app.v.id: app.t.id
app.v.x: app.t.a
app.v filter app.t.a`},
		{dialect.SQLServer, `
CREATE TABLE dbo.[a]]b] (id int, [x y] int);
GO
CREATE VIEW dbo.v AS SELECT [x y], t.id FROM [a]]b] AS t
GO`, `
v.id: a]b.id
v.x y: a]b.x y`},
		{dialect.ClickHouse, `
CREATE TABLE t (id UInt64, a String) ENGINE = MergeTree ORDER BY id;
CREATE MATERIALIZED VIEW v ENGINE = MergeTree ORDER BY id AS SELECT id, upper(a) AS u FROM t;`, `
v.id: t.id
v.u: t.a`},
	}
	for _, test := range tests {
		t.Run(string(test.dialect), func(t *testing.T) {
			got := lines(Trace(t.Context(), parsed(t, test.sql, test.dialect), test.dialect))
			if diff := cmp.Diff(strings.Split(strings.TrimSpace(test.want), "\n"), strings.Split(strings.TrimSpace(got), "\n")); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
