package render_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
)

// everything is a schema as annotations and YAML may declare it, with all that
// PostgreSQL alone can hold.
func everything() *schema.Database {
	name := func(n string) schema.Name { return schema.Name{Schema: "app", Name: n} }
	ten, five := int64(10), int64(5)
	orders := &schema.Table{
		Name: name("orders"), Comment: "One row per order",
		Columns: []*schema.Column{
			{Name: "id", Type: typeOf("BIGINT"), AutoIncrement: true, NotNull: true},
			{Name: "code", Type: typeOf("code"), NotNull: true, Default: &schema.Default{Text: "app.next_code()"}},
			{Name: "place", Type: typeOf("point2")},
			{Name: "paid", Type: typeOf("boolean"), NotNull: true, Default: &schema.Default{Literal: true, Text: "false"}},
			{Name: "span", Type: typeOf("tstzrange")},
			{Name: "mail", Type: typeOf("citext"), Collation: "C", Comment: "where to write"},
			{Name: "twice", Type: typeOf("BIGINT"), Generated: &schema.Generated{Expr: "id * 2", Unsaid: true}},
			{Name: "number", Type: typeOf("INTEGER"), Identity: &schema.Identity{Always: true, SequenceOptions: schema.SequenceOptions{Start: &ten, Increment: &five}}},
			{Name: "at", Type: typeOf("timestamptz"), Default: &schema.Default{Text: "now()"}},
		},
		Constraints: []*schema.Constraint{
			{Kind: schema.PrimaryKey, Columns: []string{"id"}, Comment: "the key"},
			{Kind: schema.Unique, Columns: []string{"id", "code"}, Include: []string{"paid"}, Deferrable: true, InitiallyDeferred: true},
			{Kind: schema.Check, Expr: "app.is_good(code::text)"},
			{Kind: schema.Exclude, Method: "gist", Keys: []schema.IndexKey{{Column: "span", With: "&&"}}, Where: "NOT paid"},
		},
		Indexes:     []*schema.Index{{Table: name("orders"), Keys: []schema.IndexKey{{Expr: "lower(mail::text)", Opclass: "text_pattern_ops"}}, Comment: "for lookups"}},
		RowSecurity: &schema.RowSecurity{Table: name("orders"), Enabled: true, Force: true},
	}
	return &schema.Database{
		Schemas:    []*schema.Namespace{{Name: "app", Comment: "the application"}},
		Extensions: []*schema.Extension{{Name: "citext", IfNotExists: true, Comment: "texts without case"}},
		Enums:      []*schema.Enum{{Name: name("mood"), Values: []string{"good", "it's bad"}, Comment: "how it is"}},
		Domains: []*schema.Domain{{Name: schema.Name{Name: "code"}, Type: typeOf("VARCHAR(20)"), NotNull: true, Default: &schema.Default{Literal: true, Text: "x"},
			Checks: []*schema.Constraint{{Kind: schema.Check, Expr: "VALUE <> ''", Comment: "not empty"}}, Comment: "a code"}},
		Composites: []*schema.Composite{{Name: schema.Name{Name: "point2"}, Comment: "in two dimensions",
			Fields: []schema.Field{{Name: "x", Type: typeOf("REAL"), Comment: "to the right"}, {Name: "c", Type: typeOf("code")}}}},
		Ranges:    []*schema.Range{{Name: name("floats"), Subtype: typeOf("float8"), SubtypeDiff: "float8mi", Multirange: "many_floats", Comment: "of floats"}},
		Sequences: []*schema.Sequence{{Name: name("codes"), As: "integer", SequenceOptions: schema.SequenceOptions{Start: &ten, Cycle: true}, OwnedBy: &schema.ColumnRef{Table: name("orders"), Column: "id"}, Comment: "of codes"}},
		Tables:    []*schema.Table{orders},
		Views: []*schema.View{
			{Name: name("b_view"), Body: "SELECT id, mail FROM app.orders", CheckOption: "LOCAL", Comment: "some columns"},
			{Name: name("a_view"), Columns: []string{"n"}, Body: "SELECT count(*) FROM app.m_view"},
			{Name: name("m_view"), Materialized: true, Body: "SELECT id FROM app.b_view", Comment: "kept",
				Indexes: []*schema.Index{{Name: "m_view_id", Unique: true, Keys: []schema.IndexKey{{Column: "id"}}}}},
		},
		Routines: []*schema.Routine{
			{Name: name("next_code"), Returns: "text", Language: "plpgsql", Volatility: "VOLATILE", Security: "DEFINER", Body: "BEGIN RETURN '$$' || nextval('app.codes'); END", Comment: "a new one"},
			{Name: name("is_good"), Params: []schema.Param{{Name: "order", Type: "text"}}, Returns: "boolean", Language: "sql", Volatility: "IMMUTABLE", Body: "SELECT $1 <> 'bad'"},
			{Name: name("first_order"), Returns: "app.orders", Language: "sql", Volatility: "STABLE", Body: "SELECT * FROM app.orders LIMIT 1"},
			{Name: name("touch"), Procedure: true, Params: []schema.Param{{Mode: "INOUT", Name: "n", Type: "integer", Default: "1"}}, Body: "BEGIN n := n + 1; END", Comment: "to call"},
		},
		Triggers: []*schema.Trigger{
			{Name: "stamp", Table: name("orders"), Timing: "BEFORE", Events: []string{"INSERT", "UPDATE"}, ForEach: "ROW", Body: "NEW.at := now(); RETURN NEW;", Comment: "sets at"},
			{Name: "each", Table: name("orders"), Timing: "AFTER", Events: []string{"TRUNCATE"}, ForEach: "STATEMENT", Body: "DECLARE n int; BEGIN RETURN NULL; END"},
			{Name: "again", Table: name("orders"), Timing: "AFTER", Events: []string{"DELETE"}, Body: "EXECUTE FUNCTION app.orders_each_fn()", Enabled: "DISABLED"},
		},
		Policies: []*schema.Policy{
			{Name: "own", Table: name("orders"), Command: "UPDATE", Roles: []string{"ptah_reader", "public"}, Using: "mail = current_user", Check: "paid", Comment: "only yours"},
			{Name: "never", Table: name("orders"), Restrictive: true, Using: "true"},
		},
		Roles: []*schema.Role{
			{Name: "ptah_reader", Login: true, NoInherit: true, Password: "s3cret", Comment: "reads", MemberOf: []string{"ptah_all"}, Options: []schema.Option{{Key: "CONNECTION LIMIT", Value: "3"}}},
			{Name: "ptah_all", CreateDB: true},
		},
		Grants: []*schema.Grant{
			{Privileges: []string{"SELECT", "UPDATE (paid)"}, On: "TABLE", Object: name("orders"), Roles: []string{"ptah_reader"}, WithOption: true},
			{Privileges: []string{"USAGE"}, On: "SCHEMA", Object: schema.Name{Name: "app"}, Roles: []string{"PUBLIC"}},
			{Privileges: []string{"EXECUTE"}, On: "FUNCTION", Object: name("is_good"), Signature: "text", Roles: []string{"ptah_reader"}},
			{Privileges: []string{"ALL"}, On: "FUNCTION", Object: name("is_good"), Signature: "text", Roles: []string{"PUBLIC"}, Revoke: true},
		},
	}
}

func TestRender_EverythingExecutesOnPostgres(t *testing.T) {
	rep := &finding.Report{}
	list := render.Render(t.Context(), everything(), render.Options{Dialect: dialect.Postgres, ServerVersion: "15", Passwords: true}, rep)
	if rep.Failed() {
		t.Fatal(rep.Problems())
	}
	if err := postgresEngine(t)(t.Context(), list); err != nil {
		t.Errorf("%v\n\nall of it:\n%s", err, strings.Join(list, "\n"))
	}
	// The order of the list, by what each phase begins with.
	var kinds []string
	for _, s := range list {
		words := strings.Fields(s)
		kind := words[0] + " " + words[1]
		if kind == "CREATE TYPE" && strings.Contains(s, "AS ENUM") {
			kind = "CREATE ENUM"
		}
		if kind == "ALTER TABLE" {
			kind = strings.Join(words[:1], "") + " " + words[3]
		}
		if len(kinds) == 0 || kinds[len(kinds)-1] != kind {
			kinds = append(kinds, kind)
		}
	}
	want := []string{"CREATE SCHEMA", "CREATE EXTENSION", "CREATE SEQUENCE", "CREATE ENUM", "CREATE DOMAIN", "CREATE TYPE", "CREATE ROLE",
		"CREATE FUNCTION", "CREATE TABLE", "ALTER SEQUENCE", "CREATE FUNCTION", "CREATE PROCEDURE", "CREATE VIEW", "CREATE MATERIALIZED", "CREATE VIEW",
		"CREATE FUNCTION", "CREATE TRIGGER", "CREATE FUNCTION", "CREATE TRIGGER", "ALTER DISABLE"}
	if diff := cmp.Diff(want, kinds[:min(len(want), len(kinds))]); diff != "" {
		t.Errorf("order of the list (-want +got):\n%s", diff)
	}
	last := list[len(list)-3:]
	for i, want := range []string{"CREATE UNIQUE INDEX \"m_view_id\"", "CREATE INDEX \"orders_expr_idx\"", "COMMENT ON INDEX \"app\".\"orders_expr_idx\""} {
		if !strings.HasPrefix(last[i], want) {
			t.Errorf("statement %d from behind is %q, want %s", 3-i, last[i], want)
		}
	}
}

func TestRender_PasswordsOnlyIfAsked(t *testing.T) {
	for _, show := range []bool{true, false} {
		list := render.Render(t.Context(), everything(), render.Options{Dialect: dialect.Postgres, Passwords: show}, &finding.Report{})
		if got := strings.Contains(strings.Join(list, "\n"), "s3cret"); got != show {
			t.Errorf("with Passwords %v the password is rendered: %v", show, got)
		}
		if !slices.ContainsFunc(list, func(s string) bool {
			return strings.HasPrefix(s, `CREATE ROLE "ptah_reader" WITH LOGIN NOINHERIT CONNECTION LIMIT 3`)
		}) {
			t.Error("the role is not made with its attributes")
		}
	}
}

func TestRender_StatementShape(t *testing.T) {
	db := everything()
	db.Views[0].Body = "\r\nSELECT id,\r\n mail\r\nFROM app.orders -- the end\r\n"
	for _, s := range render.Render(t.Context(), db, render.Options{Dialect: dialect.Postgres}, &finding.Report{}) {
		if !strings.HasSuffix(s, ";") || strings.TrimSpace(s) != s || strings.Contains(s, "\r") || strings.HasSuffix(s, ";;") {
			t.Errorf("statement %q is not one that ends with a semicolon", s)
		}
	}
}

// code is what the triggers and routines of a portable schema are in MariaDB and SQLite.
func code(d dialect.Dialect) *schema.Database {
	t := &schema.Table{Name: schema.Name{Name: "t"}, Columns: []*schema.Column{
		{Name: "id", Type: typeOf("SERIAL"), NotNull: true}, {Name: "a", Type: typeOf("INTEGER")}, {Name: "at", Type: typeOf("timestamp(3)"), Default: &schema.Default{Text: "now()"}}},
		Constraints: []*schema.Constraint{{Kind: schema.PrimaryKey, Inline: true, Columns: []string{"id"}}}}
	db := &schema.Database{Tables: []*schema.Table{t}, Triggers: []*schema.Trigger{
		{Name: "one", Table: t.Name, Timing: "AFTER", Events: []string{"INSERT"}, ForEach: "ROW", Body: "DELETE FROM t WHERE a = 1"},
		{Name: "two", Table: t.Name, Timing: "BEFORE", Events: []string{"UPDATE"}, Body: "BEGIN\n  DELETE FROM t WHERE a = 2;\nEND;"},
	}}
	if d.MySQLFamily() {
		db.Routines = []*schema.Routine{
			{Name: schema.Name{Name: "half"}, Language: "sql", Volatility: "IMMUTABLE", Params: []schema.Param{{Name: "n", Type: "BIGINT"}}, Returns: "NUMERIC(10,2)", Body: "RETURN n / 2;", Comment: "it's half"},
			{Name: schema.Name{Name: "clear"}, Procedure: true, Language: "sql", Security: "INVOKER", Params: []schema.Param{{Mode: "OUT", Name: "n", Type: "INTEGER"}}, Body: "SET n = 0;\nDELETE FROM t;"},
		}
		db.Views = []*schema.View{{Name: schema.Name{Name: "halves"}, Body: "SELECT half(a) AS h FROM t", CheckOption: ""}, {Name: schema.Name{Name: "few"}, Body: "SELECT id FROM t WHERE a < 3", CheckOption: "CASCADED"}}
		db.Roles = []*schema.Role{{Name: "ptah_role"}}
	}
	return db
}

func TestRender_CodeExecutes(t *testing.T) {
	for _, e := range engines(t) {
		if e.dialect == dialect.Postgres || e.dialect == dialect.ClickHouse {
			continue
		}
		db := code(e.dialect)
		if e.dialect == dialect.MariaDB {
			db.Roles = nil // they are the server's, not the database's
		}
		rep := &finding.Report{}
		list := render.Render(t.Context(), db, render.Options{Dialect: e.dialect, ServerVersion: e.version}, rep)
		if rep.Failed() {
			t.Errorf("%s: %v", e.dialect, rep.Problems())
		}
		if err := e.execute(t.Context(), list); err != nil {
			t.Errorf("%s: %v", e.dialect, err)
		}
	}
}

// TestRender_KnownMistakes are those that tools of this kind have made.
func TestRender_KnownMistakes(t *testing.T) {
	table := func(c schema.Column, more ...*schema.Constraint) *schema.Database {
		return &schema.Database{Tables: []*schema.Table{{Name: schema.Name{Name: "t"}, Columns: []*schema.Column{&c}, Constraints: more}}}
	}
	key := &schema.Constraint{Kind: schema.PrimaryKey, Inline: true, Columns: []string{"a"}}
	file := func(d dialect.Dialect, sql string) *schema.Database {
		rep := &finding.Report{}
		db := sqlsrc.Parse(t.Context(), sql, "schema.sql", d, rep)
		if rep.Failed() {
			t.Fatal(rep.Problems())
		}
		return db
	}
	column := func(kind string, d *schema.Default) schema.Column {
		return schema.Column{Name: "a", Type: typeOf(kind), Default: d}
	}
	counted := column("BIGINT", nil)
	counted.AutoIncrement, counted.NotNull = true, true
	yes := &schema.Default{Literal: true, Text: "true"}
	overridden := column("INTEGER", yes)
	overridden.Type.Native = true
	for _, test := range []struct {
		name string
		db   *schema.Database
		d    dialect.Dialect
		want string // in the rendering
	}{
		{"check without a name", file(dialect.Postgres, "CREATE TABLE t (a int, b int, CHECK (a < b));"), dialect.Postgres, `CONSTRAINT "t_check" CHECK (a < b)`},
		{"check without a name", file(dialect.SQLite, "CREATE TABLE t (a int, b int, CHECK (a < b));"), dialect.SQLite, `CONSTRAINT "t_check" CHECK (a < b)`},
		{"check without a name", file(dialect.MySQL, "CREATE TABLE t (a int, b int, CHECK (a < b));"), dialect.MySQL, "CHECK (a < b)"},
		{"comment of a table", file(dialect.Postgres, "CREATE TABLE t (a int); COMMENT ON TABLE t IS 'it';"), dialect.Postgres, `COMMENT ON TABLE "t" IS 'it';`},
		{"comment of a table", file(dialect.MySQL, "CREATE TABLE t (a int) COMMENT 'it';"), dialect.MySQL, "COMMENT='it'"},
		{"checks of a table", table(column("INTEGER", nil), &schema.Constraint{Kind: schema.Check, Expr: "a > 0"}), dialect.MariaDB, "CONSTRAINT `t_a_check` CHECK (a > 0)"},
		{"counted up", table(counted, key), dialect.Postgres, `"a" BIGSERIAL PRIMARY KEY NOT NULL`},
		{"counted up", table(counted, key), dialect.SQLite, `"a" INTEGER PRIMARY KEY AUTOINCREMENT`},
		{"counted up", table(counted, key), dialect.MySQL, "`a` BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY"},
		{"serial", table(column("SERIAL", nil), key), dialect.MySQL, "`a` INT NOT NULL AUTO_INCREMENT PRIMARY KEY"},
		{"type of PostgreSQL", table(column("JSONB", nil)), dialect.MySQL, "`a` JSON"},
		{"type of PostgreSQL", table(column("TIMESTAMPTZ", nil)), dialect.MariaDB, "`a` TIMESTAMP(6) NULL"},
		{"type of PostgreSQL", table(column("JSONB", nil)), dialect.SQLite, `"a" TEXT`},
		{"truth", table(column("BOOLEAN", yes)), dialect.Postgres, "DEFAULT TRUE"},
		{"truth", table(column("BOOLEAN", yes)), dialect.MySQL, "`a` BOOLEAN DEFAULT 1"},
		{"truth", table(column("BOOLEAN", yes)), dialect.SQLite, `"a" INTEGER DEFAULT 1`},
		{"truth as a number", table(overridden), dialect.SQLite, `"a" INTEGER DEFAULT 1`},
		{"moment with digits", table(column("timestamp(3)", &schema.Default{Text: "now()"})), dialect.MySQL, "DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3)"},
		{"text by default", table(column("TEXT", &schema.Default{Literal: true, Text: "it's"})), dialect.MySQL, "TEXT DEFAULT ('it''s')"},
	} {
		rep := &finding.Report{}
		got := strings.Join(render.Render(t.Context(), test.db, render.Options{Dialect: test.d}, rep), "\n")
		if rep.Failed() || !strings.Contains(got, test.want) {
			t.Errorf("%s for %s: problems %v and\n%s\nwant %s", test.name, test.d, rep.Problems(), got, test.want)
		}
	}
}
