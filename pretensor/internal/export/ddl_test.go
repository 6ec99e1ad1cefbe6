package export

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/open"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"

	_ "github.com/jackc/pgx/v5/stdlib"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// catalogOf is a catalog of a database and nothing more.
func catalogOf(db *model.Database) *catalog.Catalog {
	data := catalog.Data{
		Connection: "shop", Database: db.Name, Dialect: db.Dialect, DefaultSchema: db.DefaultSchema, Generation: "g1", BuiltAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Tables: db.Tables, Lineage: db.Lineage, Facts: make([]catalog.Facts, len(db.Tables)),
	}
	for i := range data.Tables {
		data.Facts[i].Description = data.Tables[i].Comment
	}
	return catalog.New(data, 1)
}

func ddlOf(t *testing.T, db *model.Database) string {
	t.Helper()
	var b bytes.Buffer
	if err := DDL(&b, catalogOf(db)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sameTables compares the tables of two databases that are no views.
func sameTables(t *testing.T, want, got *model.Database, ddl string, more ...cmp.Option) {
	t.Helper()
	real := func(db *model.Database) []model.Table {
		var out []model.Table
		for _, table := range db.Tables {
			if !table.IsView() {
				out = append(out, table)
			}
		}
		return out
	}
	options := append([]cmp.Option{cmpopts.EquateEmpty()}, more...)
	if diff := cmp.Diff(real(want), real(got), options...); diff != "" {
		t.Errorf("-want +got\n%s\nof\n%s", diff, ddl)
	}
}

const shopDDL = `
	CREATE TABLE customers (id bigint PRIMARY KEY, email varchar(200) NOT NULL, region_id int, CONSTRAINT one_email UNIQUE (email));
	CREATE TABLE orders (id bigint, line int, customer_id bigint NOT NULL, total numeric(10,2), "odd -- name" text, PRIMARY KEY (id, line),
		CONSTRAINT of_customer FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE ON UPDATE SET NULL);
	CREATE TABLE parts (order_id bigint, order_line int, part_of int, no int PRIMARY KEY,
		FOREIGN KEY (order_id, order_line) REFERENCES orders (id, line), FOREIGN KEY (part_of) REFERENCES parts (no));
	CREATE TABLE sales.regions (id int PRIMARY KEY, name text, boss int);
	CREATE TABLE sales.staff (id int PRIMARY KEY, region int REFERENCES sales.regions (id));
	ALTER TABLE sales.regions ADD CONSTRAINT led_by FOREIGN KEY (boss) REFERENCES sales.staff (id);
	CREATE INDEX by_region ON customers (region_id);
	CREATE VIEW big AS SELECT id, total FROM orders;`

// What is written can be read again, in every dialect.
func TestDDL_Parse(t *testing.T) {
	for _, test := range []struct {
		dialect sqltree.Dialect
		schema  string
	}{{sqltree.Postgres, "public"}, {sqltree.MySQL, "shop"}, {sqltree.DuckDB, "main"}, {sqltree.SQLite, "main"}} {
		t.Run(string(test.dialect), func(t *testing.T) {
			text := shopDDL
			if test.dialect == sqltree.MySQL {
				text = strings.ReplaceAll(text, `"`, "`")
			}
			want := modeltest.FromDDL(t, test.dialect, test.schema, text)
			ddl := ddlOf(t, want)
			sameTables(t, want, modeltest.FromDDL(t, test.dialect, test.schema, ddl), ddl)
			if again := ddlOf(t, want); again != ddl {
				t.Error("the same structure gives other text")
			}
		})
	}
}

// A large database keeps every table, column and key.
func TestDDL_Large(t *testing.T) {
	want := modeltest.Large(300, 4000)
	ddl := ddlOf(t, want)
	got := modeltest.FromDDL(t, sqltree.Postgres, "public", ddl)
	sameTables(t, want, got, "a large database",
		cmpopts.IgnoreFields(model.Table{}, "Rows", "RowsSource", "Bytes", "Usage", "Comment", "Indexes", "Checks"), cmpopts.IgnoreFields(model.Column{}, "Stats", "Comment"))
}

// introspect reads a real database.
func introspect(t *testing.T, text string) *model.Database {
	t.Helper()
	d, err := dsn.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := open.Open(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	db, err := c.Introspect(context.Background(), connect.Options{Stats: connect.StatsNone})
	if err != nil {
		t.Fatal(err)
	}
	db.Sort()
	return db
}

func execute(t *testing.T, driver, source, script string) {
	t.Helper()
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		t.Fatalf("%v in\n%s", err, script)
	}
}

// An export is run by the database itself, which then has the structure that was
// exported. Comments stay behind.
func TestDDL_Run(t *testing.T) {
	noComments := []cmp.Option{cmpopts.IgnoreFields(model.Table{}, "Comment"), cmpopts.IgnoreFields(model.Column{}, "Comment")}
	t.Run("sqlite", func(t *testing.T) {
		dir := t.TempDir()
		chinook, err := filepath.Abs("../connect/sqlite/testdata/chinook.sqlite")
		if err != nil {
			t.Fatal(err)
		}
		made := filepath.Join(dir, "made.db")
		execute(t, "sqlite", made, `
			CREATE TABLE "we ""ird" ("a b" INTEGER PRIMARY KEY, -- an odd name
				n TEXT DEFAULT 'it''s; -- none', at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL, twice INTEGER GENERATED ALWAYS AS ("a b" * 2), plain,
				CHECK (length(n) < 100));
			CREATE TABLE boss (id INTEGER PRIMARY KEY, team INTEGER REFERENCES team (id));
			CREATE TABLE team (id INTEGER PRIMARY KEY, lead INTEGER REFERENCES boss (id) ON DELETE SET NULL, code VARCHAR(10) UNIQUE);
			CREATE INDEX by_lead ON team (lead, code);`)
		for i, source := range []string{chinook, made} {
			want := introspect(t, "sqlite:////"+strings.TrimPrefix(source, "/"))
			ddl := ddlOf(t, want)
			file := filepath.Join(dir, string(rune('a'+i))+".db")
			execute(t, "sqlite", file, ddl)
			sameTables(t, want, introspect(t, "sqlite:////"+strings.TrimPrefix(file, "/")), ddl, noComments...)
		}
	})
	t.Run("duckdb", func(t *testing.T) {
		dir := t.TempDir()
		source, file := filepath.Join(dir, "a.duckdb"), filepath.Join(dir, "b.duckdb")
		execute(t, "duckdb", source, `CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('sad', 'it''s, (fine)');
			CREATE TABLE app.users (id INTEGER PRIMARY KEY, mail VARCHAR NOT NULL UNIQUE, m app.mood, price DECIMAL(10,2) DEFAULT 0.5, tags VARCHAR[], s STRUCT(a INTEGER, "b c" VARCHAR));
			CREATE TABLE app.orders (id INTEGER, line INTEGER, buyer INTEGER REFERENCES app.users(id), CHECK (line > 0), PRIMARY KEY (id, line));
			CREATE INDEX by_buyer ON app.orders(buyer);`)
		want := introspect(t, "duckdb:////"+strings.TrimPrefix(source, "/"))
		ddl := ddlOf(t, want)
		execute(t, "duckdb", file, ddl)
		sameTables(t, want, introspect(t, "duckdb:////"+strings.TrimPrefix(file, "/")), ddl, noComments...)
	})
	t.Run("postgresql", func(t *testing.T) {
		source, copied := dbtest.Postgres(t), dbtest.Postgres(t)
		execute(t, "pgx", source, `CREATE SCHEMA "Ops.EU"; CREATE TYPE status AS ENUM ('new', 'it''s'); CREATE DOMAIN email AS varchar(254) CHECK (VALUE LIKE '%@%');
			CREATE TABLE customer (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, mail email UNIQUE, first text, name text GENERATED ALWAYS AS (first || '!') STORED,
				tags text[] NOT NULL DEFAULT '{}', seen timestamptz(3) DEFAULT now(), doc jsonb, referred_by int CONSTRAINT referrer REFERENCES customer ON DELETE SET NULL);
			CREATE TABLE "Ops.EU"."Order ""x""" (shop smallint, no bigint, customer int NOT NULL REFERENCES customer ON UPDATE RESTRICT, state status NOT NULL DEFAULT 'new',
				total numeric(10,2) CHECK (total >= 0), CONSTRAINT "order key" PRIMARY KEY (shop, no));
			CREATE TABLE a (id int PRIMARY KEY, b int); CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a);
			ALTER TABLE a ADD CONSTRAINT a_b FOREIGN KEY (b) REFERENCES b;
			CREATE TABLE session (id int PRIMARY KEY, token uuid NOT NULL, app int, parent uuid); CREATE UNIQUE INDEX one_token ON session (token); CREATE UNIQUE INDEX of_app ON session (app, token);
			ALTER TABLE session ADD FOREIGN KEY (parent) REFERENCES session (token);
			CREATE TABLE visit (token uuid REFERENCES session (token), app int, FOREIGN KEY (token, app) REFERENCES session (token, app));
			CREATE INDEX docs ON customer USING gin (doc); CREATE INDEX words ON customer USING gin (to_tsvector('simple', first)); CREATE INDEX tagged ON customer USING gin (tags); CREATE INDEX lowered ON customer (lower(first));
			COMMENT ON TABLE customer IS E'who buys\n; DROP TABLE customer; --';`)
		want := introspect(t, source)
		ddl := ddlOf(t, want)
		execute(t, "pgx", copied, ddl)
		sameTables(t, want, introspect(t, copied), ddl, append(noComments, cmpopts.IgnoreFields(model.Table{}, "Checks"))...) // those of domains stay behind
	})
	t.Run("mariadb", func(t *testing.T) {
		run := func(source, script string) string {
			config, err := mysql.ParseDSN(source)
			if err != nil {
				t.Fatal(err)
			}
			config.MultiStatements = true
			execute(t, "mysql", config.FormatDSN(), script)
			return "mariadb://" + config.User + "@" + config.Addr + "/" + config.DBName
		}
		source, copied := dbtest.MariaDB(t), dbtest.MariaDB(t)
		want := introspect(t, run(source, "CREATE TABLE customer (id int AUTO_INCREMENT PRIMARY KEY, mail varchar(100) NOT NULL, kind enum('new', 'it''s', 'back\\\\slash') DEFAULT 'new',"+
			" twice int GENERATED ALWAYS AS (id * 2) VIRTUAL, at timestamp DEFAULT current_timestamp(), note varchar(20) DEFAULT 'a\\\\'' b', doc json NOT NULL, UNIQUE KEY one_mail (mail));"+
			"CREATE TABLE `or``der` (shop int, no bigint unsigned, customer int NOT NULL, total decimal(10,2) CHECK (total >= 0), PRIMARY KEY (shop, no),"+
			" CONSTRAINT payer FOREIGN KEY (customer) REFERENCES customer (id) ON DELETE CASCADE); CREATE INDEX by_total ON `or``der` (total, no);"))
		ddl := ddlOf(t, want)
		// Keys name the database that they lead to, which is another one here.
		sameTables(t, want, introspect(t, run(copied, ddl)), ddl, append(noComments, cmpopts.IgnoreFields(model.Table{}, "Schema"), cmpopts.IgnoreFields(model.ForeignKey{}, "RefSchema"))...)
	})
}

// An index that needs an operator class is no SQL without it.
func TestDDL_OperatorClass(t *testing.T) {
	for _, c := range []struct {
		method, column string
		want           bool
	}{
		{"gin", "name", false}, {"gist", "name", false}, {"gin", "tags", true}, {"gin", "doc", true}, {"gist", "at", true}, {"btree", "name", true}, {"hash", "name", true}, {"brin", "n", true},
		{"gin", "(lower(name))", false}, {"gin", "(to_tsvector('simple'::regconfig, name))", true}, {"gist", "n", false}, {"gin", "big", false},
	} {
		text := ddlOf(t, &model.Database{Name: "d", Dialect: "postgresql", DefaultSchema: "public", Tables: []model.Table{{
			Schema: "public", Name: "t", Type: model.BaseTable,
			Columns: []model.Column{{Name: "name", Type: "varchar(20)"}, {Name: "tags", Type: "text[]"}, {Name: "doc", Type: "jsonb"}, {Name: "at", Type: "tsrange"}, {Name: "n", Type: "int"}, {Name: "big", Type: "numeric(10,2)"}},
			Indexes: []model.Index{{Name: "x", Columns: []string{c.column}, Type: c.method}},
		}}})
		if got := strings.Contains(text, "\nCREATE INDEX"); got != c.want || !strings.Contains(text, `CREATE INDEX "x"`) {
			t.Errorf("%s of %s: written %t in\n%s", c.method, c.column, got, text)
		}
	}
}

func TestContained(t *testing.T) {
	for _, test := range []struct {
		text    string
		dialect sqltree.Dialect
		want    bool
	}{
		{"0", sqltree.Postgres, true}, {"'a; b -- c'::text", sqltree.Postgres, true}, {"nextval('x'::regclass)", sqltree.Postgres, true}, {"'it''s'", sqltree.MySQL, true},
		{"(a + b) * array[1, 2]", sqltree.Postgres, true}, {`'back\\'`, sqltree.MySQL, true}, {`'back\'`, sqltree.SQLite, true}, {"a - -b", sqltree.Postgres, true}, {"doc #>> '{a,b}'", sqltree.Postgres, true},
		{"", sqltree.Postgres, false}, {"a)", sqltree.Postgres, false}, {"(a", sqltree.Postgres, false}, {"(a]", sqltree.Postgres, false}, {"'a", sqltree.SQLite, false},
		{"a; b", sqltree.SQLite, false}, {"a -- b", sqltree.SQLite, false}, {"a /* b", sqltree.DuckDB, false}, {"a # b", sqltree.MySQL, false}, {"$$a$$", sqltree.Postgres, false},
		{`'\' ; DROP TABLE x; '`, sqltree.MySQL, false}, {`"\" " ; DROP TABLE x; "`, sqltree.MySQL, false}, {`E'\' ; DROP TABLE x; '`, sqltree.Postgres, false},
		{`E'\\'' ; DROP TABLE x; '`, sqltree.DuckDB, true}, {`'\'; DROP TABLE x; '`, sqltree.SQLite, false},
	} {
		if got := contained(test.text, test.dialect); got != test.want {
			t.Errorf("contained(%s, %s) = %t, want %t", test.text, test.dialect, got, test.want)
		}
	}
}

// Whatever a database says is a name, a type or an expression cannot become another
// statement.
func TestDDL_Hostile(t *testing.T) {
	evil := []string{
		"x); DROP TABLE users; --", `"; DROP TABLE users; --`, "'; DROP TABLE users; --", "a\n; DROP TABLE users;\n", "/* ", "-- ", "`; DROP TABLE users; #", "1) ; DROP TABLE users; (",
		`'\'; DROP TABLE users; --'`, "$$; DROP TABLE users; $$", "", " ", "a\x00b",
	}
	for _, dialect := range []string{"postgresql", "mysql", "sqlite", "duckdb"} {
		for _, e := range evil {
			typ := e
			if strings.Trim(e, " \x00") == "" {
				typ = "int"
			}
			db := &model.Database{Name: e, Dialect: dialect, DefaultSchema: "main", Tables: []model.Table{
				{Schema: "main", Name: e + "t", Type: model.BaseTable, Comment: e,
					Columns: []model.Column{
						{Name: e + "c", Ordinal: 1, Type: typ, Comment: e, Default: e}, {Name: "g", Ordinal: 2, Type: "int", Generated: true, Default: e},
						{Name: "l", Ordinal: 3, Type: "mood" + e, Enum: []string{e}}, {Name: "d", Ordinal: 4, Type: "dom" + e, Base: typ},
					},
					PrimaryKey: &model.Key{Name: e, Columns: []string{e + "c"}}, Checks: []model.Check{{Name: e, Expr: e}},
					ForeignKeys: []model.ForeignKey{{Name: e, Columns: []string{"g"}, RefSchema: "main", RefTable: e + "t", RefColumns: []string{e + "c"}, OnDelete: e}},
					Indexes:     []model.Index{{Name: e, Columns: []string{"(" + typ + ")"}, Type: e}},
				},
				{Schema: "main", Name: e + "v", Type: model.View, Comment: e, Columns: []model.Column{{Name: e, Ordinal: 1, Type: e}}},
			}}
			ddl := ddlOf(t, db)
			script, err := parse.Parse(dialectOf(catalogOf(db)), ddl)
			if err != nil {
				t.Errorf("%s, %q: %v in\n%s", dialect, e, err, ddl)
				continue
			}
			tables := 0
			for _, s := range script.Statements {
				switch s.(type) {
				case *sqltree.CreateTable:
					tables++
				case *sqltree.CreateType, *sqltree.CreateIndex, *sqltree.AlterTable, *sqltree.Other: // CREATE DOMAIN is one of the others
				default:
					t.Errorf("%s, %q: a statement %T in\n%s", dialect, e, s, ddl)
				}
			}
			if tables != 1 {
				t.Errorf("%s, %q: %d tables in\n%s", dialect, e, tables, ddl)
			}
			if dialect == "sqlite" {
				runs(t, ddl)
			}
		}
	}
}

// runs runs a script as far as it goes, which must not touch what is there.
func runs(t *testing.T, script string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE users (id int)"); err != nil {
		t.Fatal(err)
	}
	_, _ = db.Exec(script) // types that are none are no error of ours
	n := 0
	if err := db.QueryRow("SELECT count(*) FROM sqlite_master WHERE name = 'users'").Scan(&n); err != nil || n != 1 {
		t.Errorf("%v: the table is gone after\n%s", err, script)
	}
}
