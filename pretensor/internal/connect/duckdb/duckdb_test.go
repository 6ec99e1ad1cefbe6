package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("DUCKDB_TEST_HOLD"); path != "" {
		hold(path)
	}
	goleak.VerifyTestMain(m)
}

// hold is the other process of TestOpen_Locked: it has the file open for writing
// until its standard input ends.
func hold(path string) {
	db, err := sql.Open("duckdb", path)
	if err == nil {
		err = db.Ping()
	}
	fmt.Println("open", err)
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// create makes a file from a script.
func create(t testing.TB, name, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	db, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func introspect(t testing.TB, o connect.Options, path string, attach ...string) *model.Database {
	t.Helper()
	c, err := Open(t.Context(), path, attach...)
	if err != nil {
		t.Fatal(err)
	}
	db, err := c.Introspect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return db
}

const schema = `
CREATE SCHEMA app;
CREATE SCHEMA "we.ird::S";
CREATE TYPE app.mood AS ENUM ('sad', 'ok', 'it''s, (fine)');
CREATE TYPE app.one AS ENUM ('x');
CREATE TYPE app.other AS ENUM ('x');
CREATE SEQUENCE app.seq;
CREATE TABLE app.users(
	id INTEGER PRIMARY KEY DEFAULT nextval('app.seq'),
	email VARCHAR UNIQUE,
	mood app.mood DEFAULT 'ok',
	moods app.mood[],
	unclear app.one,
	price DECIMAL(10,2) DEFAULT 0 CHECK (price >= 0),
	tags VARCHAR[],
	addr STRUCT(street VARCHAR, geo STRUCT(lat DOUBLE, "lo n" DOUBLE), phones STRUCT(kind VARCHAR, num VARCHAR)[]),
	next_id INTEGER GENERATED ALWAYS AS (id + 1),
	doc JSON,
	triple INTEGER[3],
	extra MAP(VARCHAR, STRUCT(a INTEGER)),
	either UNION(num INTEGER, str VARCHAR),
	seen TIMESTAMPTZ NOT NULL DEFAULT current_timestamp);
CREATE TABLE app.orders(
	id INTEGER, line INTEGER, buyer INTEGER NOT NULL REFERENCES app.users(id), seller INTEGER REFERENCES app.users(id),
	contact VARCHAR REFERENCES app.users(email),
	PRIMARY KEY (line, id), UNIQUE (buyer, line), CHECK (id > 0 AND line > 0));
CREATE TABLE app.parts(order_id INTEGER, order_line INTEGER, FOREIGN KEY (order_line, order_id) REFERENCES app.orders(line, id));
CREATE TABLE app.tree(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES app.tree, twice INTEGER GENERATED ALWAYS AS (id * 2));
CREATE TABLE app.bare(a INTEGER);
INSERT INTO app.bare VALUES (1), (2), (3);
CREATE TABLE "we.ird::S"."Ta.b::le ""q"""("a b" INTEGER, "SELECT" VARCHAR, "größe" DATE, abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_0123456789 INTEGER);
COMMENT ON TABLE app.users IS 'people';
COMMENT ON COLUMN app.users.email IS 'where to write';
CREATE INDEX by_email ON app.users(email);
CREATE UNIQUE INDEX by_line ON app.orders(line, (buyer + 1));
CREATE INDEX by_name ON "we.ird::S"."Ta.b::le ""q"""("a b", lower("SELECT"));
CREATE VIEW app.bought AS SELECT u.id, o.line FROM app.users u JOIN app.orders o ON o.buyer = u.id;
COMMENT ON VIEW app.bought IS 'what was bought';
CREATE VIEW app.both AS WITH c AS (SELECT * FROM app.bought) SELECT id FROM c UNION ALL SELECT a FROM bare WHERE a IN (SELECT parent FROM app.tree);
CREATE VIEW numbers AS SELECT range AS n FROM range(10);
CREATE TEMP TABLE gone(a INTEGER);
`

func number(n int64) *int64 { return &n }

// plain is a column without anything special.
func plain(ordinal int, name, typ string) model.Column {
	return model.Column{Name: name, Ordinal: ordinal, Type: typ, Nullable: true}
}

// with changes a column.
func with(c model.Column, change func(*model.Column)) model.Column {
	change(&c)
	return c
}

func required(c *model.Column) { c.Nullable = false }

func hash(s string) string { return model.HashTokens(model.Tokens(s)) }

func TestIntrospect_Conformance(t *testing.T) {
	got := introspect(t, connect.Options{}, create(t, "shop.duckdb", schema))
	field := func(parent, name, typ string) model.Column {
		return with(plain(8, name, typ), func(c *model.Column) { c.Parent = parent })
	}
	const bought = "SELECT u.id, o.line FROM app.users AS u INNER JOIN app.orders AS o ON ((o.buyer = u.id))"
	const both = "WITH c AS (SELECT * FROM app.bought)(SELECT id FROM c) UNION ALL (SELECT a FROM bare WHERE (a = ANY(SELECT parent FROM app.tree)))"
	const numbers = `SELECT "range" AS n FROM "range"(10)`
	want := &model.Database{
		Name: "shop", Dialect: "duckdb", Version: "v1.5.6", DefaultSchema: "main",
		Tables: []model.Table{
			{Schema: "app", Name: "bare", Type: model.BaseTable, Rows: number(3), RowsSource: model.CountMetadata, Columns: []model.Column{plain(1, "a", "INTEGER")}},
			{Schema: "app", Name: "both", Type: model.View, Columns: []model.Column{plain(1, "id", "INTEGER")}, Definition: both, DefinitionHash: hash(both)},
			{Schema: "app", Name: "bought", Type: model.View, Comment: "what was bought", Columns: []model.Column{plain(1, "id", "INTEGER"), plain(2, "line", "INTEGER")}, Definition: bought, DefinitionHash: hash(bought)},
			{Schema: "app", Name: "orders", Type: model.BaseTable, Rows: number(0), RowsSource: model.CountMetadata,
				Columns: []model.Column{
					with(plain(1, "id", "INTEGER"), required), with(plain(2, "line", "INTEGER"), required), with(plain(3, "buyer", "INTEGER"), required),
					plain(4, "seller", "INTEGER"), plain(5, "contact", "VARCHAR"),
				},
				PrimaryKey: &model.Key{Name: "orders_line_id_pkey", Columns: []string{"line", "id"}},
				Uniques:    []model.Key{{Name: "orders_buyer_line_key", Columns: []string{"buyer", "line"}}},
				ForeignKeys: []model.ForeignKey{
					{Name: "orders_buyer_id_fkey", Columns: []string{"buyer"}, RefSchema: "app", RefTable: "users", RefColumns: []string{"id"}},
					{Name: "orders_contact_email_fkey", Columns: []string{"contact"}, RefSchema: "app", RefTable: "users", RefColumns: []string{"email"}},
					{Name: "orders_seller_id_fkey", Columns: []string{"seller"}, RefSchema: "app", RefTable: "users", RefColumns: []string{"id"}},
				},
				Checks:  []model.Check{{Name: "orders_id_line_check", Expr: "((id > 0) AND (line > 0))", Columns: []string{"id", "line"}}},
				Indexes: []model.Index{{Name: "by_line", Columns: []string{"line", "(buyer + 1)"}, Unique: true, Type: "art"}},
			},
			{Schema: "app", Name: "parts", Type: model.BaseTable, Rows: number(0), RowsSource: model.CountMetadata,
				Columns:     []model.Column{plain(1, "order_id", "INTEGER"), plain(2, "order_line", "INTEGER")},
				ForeignKeys: []model.ForeignKey{{Name: "parts_order_line_order_id_line_id_fkey", Columns: []string{"order_line", "order_id"}, RefSchema: "app", RefTable: "orders", RefColumns: []string{"line", "id"}}},
			},
			{Schema: "app", Name: "tree", Type: model.BaseTable, Rows: number(0), RowsSource: model.CountMetadata,
				Columns: []model.Column{
					with(plain(1, "id", "INTEGER"), required), plain(2, "parent", "INTEGER"),
					with(plain(3, "twice", "INTEGER"), func(c *model.Column) { c.Generated, c.Default = true, "CAST((id * 2) AS INTEGER)" }),
				},
				PrimaryKey:  &model.Key{Name: "tree_id_pkey", Columns: []string{"id"}},
				ForeignKeys: []model.ForeignKey{{Name: "tree_parent_id_fkey", Columns: []string{"parent"}, RefSchema: "app", RefTable: "tree", RefColumns: []string{"id"}}},
			},
			{Schema: "app", Name: "users", Type: model.BaseTable, Comment: "people", Rows: number(0), RowsSource: model.CountMetadata,
				Columns: []model.Column{
					with(plain(1, "id", "INTEGER"), func(c *model.Column) { c.Nullable, c.Default, c.Identity = false, "nextval('app.seq')", true }),
					with(plain(2, "email", "VARCHAR"), func(c *model.Column) { c.Comment = "where to write" }),
					with(plain(3, "mood", "mood"), func(c *model.Column) { c.Default, c.Enum = "'ok'", []string{"sad", "ok", "it's, (fine)"} }),
					with(plain(4, "moods", "mood[]"), func(c *model.Column) { c.Array, c.Enum = true, []string{"sad", "ok", "it's, (fine)"} }),
					with(plain(5, "unclear", "ENUM"), func(c *model.Column) { c.Enum = []string{"x"} }),
					with(plain(6, "price", "DECIMAL(10,2)"), func(c *model.Column) { c.Default = "0" }),
					with(plain(7, "tags", "VARCHAR[]"), func(c *model.Column) { c.Array = true }),
					plain(8, "addr", `STRUCT(street VARCHAR, geo STRUCT(lat DOUBLE, "lo n" DOUBLE), phones STRUCT(kind VARCHAR, num VARCHAR)[])`),
					field("addr", "street", "VARCHAR"),
					field("addr", "geo", `STRUCT(lat DOUBLE, "lo n" DOUBLE)`),
					field("addr.geo", "lat", "DOUBLE"),
					field("addr.geo", "lo n", "DOUBLE"),
					with(field("addr", "phones", "STRUCT(kind VARCHAR, num VARCHAR)[]"), func(c *model.Column) { c.Array = true }),
					field("addr.phones", "kind", "VARCHAR"),
					field("addr.phones", "num", "VARCHAR"),
					with(plain(9, "next_id", "INTEGER"), func(c *model.Column) { c.Generated, c.Default = true, "CAST((id + 1) AS INTEGER)" }),
					plain(10, "doc", "JSON"),
					with(plain(11, "triple", "INTEGER[3]"), func(c *model.Column) { c.Array = true }),
					plain(12, "extra", "MAP(VARCHAR, STRUCT(a INTEGER))"),
					plain(13, "either", "UNION(num INTEGER, str VARCHAR)"),
					with(plain(14, "seen", "TIMESTAMP WITH TIME ZONE"), func(c *model.Column) { c.Nullable, c.Default = false, "current_timestamp" }),
				},
				PrimaryKey: &model.Key{Name: "users_id_pkey", Columns: []string{"id"}},
				Uniques:    []model.Key{{Name: "users_email_key", Columns: []string{"email"}}},
				Checks:     []model.Check{{Name: "users_price_check", Expr: "(price >= 0)", Columns: []string{"price"}}},
				Indexes:    []model.Index{{Name: "by_email", Columns: []string{"email"}, Type: "art"}},
			},
			{Schema: "main", Name: "numbers", Type: model.View, Columns: []model.Column{plain(1, "n", "BIGINT")}, Definition: numbers, DefinitionHash: hash(numbers)},
			{Schema: "we.ird::S", Name: `Ta.b::le "q"`, Type: model.BaseTable, Rows: number(0), RowsSource: model.CountMetadata,
				Columns: []model.Column{
					plain(1, "a b", "INTEGER"), plain(2, "SELECT", "VARCHAR"), plain(3, "größe", "DATE"),
					plain(4, "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_0123456789", "INTEGER"),
				},
				Indexes: []model.Index{{Name: "by_name", Columns: []string{"a b", `(lower("SELECT"))`}, Type: "art"}},
			},
		},
		Lineage: []model.Lineage{
			{FromSchema: "app", FromTable: "bare", ToSchema: "app", ToTable: "both", Type: model.LineageView, Source: "parsed", Confidence: 1},
			{FromSchema: "app", FromTable: "bought", ToSchema: "app", ToTable: "both", Type: model.LineageView, Source: "parsed", Confidence: 1},
			{FromSchema: "app", FromTable: "tree", ToSchema: "app", ToTable: "both", Type: model.LineageView, Source: "parsed", Confidence: 1},
			{FromSchema: "app", FromTable: "orders", ToSchema: "app", ToTable: "bought", Type: model.LineageView, Source: "parsed", Confidence: 1},
			{FromSchema: "app", FromTable: "users", ToSchema: "app", ToTable: "bought", Type: model.LineageView, Source: "parsed", Confidence: 1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestIntrospect_Statements(t *testing.T) {
	path := create(t, "shop.duckdb", schema)
	var statements []string
	c, err := open(t.Context(), path, nil, func(s string) { statements = append(statements, s) })
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Introspect(t.Context(), connect.Options{Stats: connect.StatsCatalog}); err != nil {
		t.Fatal(err)
	}
	if len(statements) > connect.MaxCatalogQueries {
		t.Errorf("%d statements, want at most %d", len(statements), connect.MaxCatalogQueries)
	}
	for _, s := range statements {
		word, _, _ := strings.Cut(s, " ")
		switch word {
		case "SELECT", "SET", "USE":
		case "ATTACH":
			if !strings.HasSuffix(s, "(READ_ONLY, TYPE duckdb)") {
				t.Errorf("%q may write", s)
			}
		default:
			t.Errorf("statement %q", s)
		}
	}
}

// What the file's engine would let a query do is off.
func TestOpen_IsShutIn(t *testing.T) {
	dir := t.TempDir()
	path := create(t, "shop.duckdb", "CREATE TABLE t(a INTEGER)")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := open(t.Context(), path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"CREATE TABLE u(a INTEGER)", "INSERT INTO t VALUES (1)", "DROP TABLE t",
		"SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM read_text('/etc/hostname')", "SELECT * FROM '/etc/passwd'",
		"COPY t TO '" + dir + "/out.csv'", "ATTACH '" + dir + "/other.duckdb' AS other", "EXPORT DATABASE '" + dir + "/dump'",
		"INSTALL httpfs", "LOAD httpfs", "SET enable_external_access=true", "SET threads=4",
	} {
		if err := c.exec(t.Context(), s); err == nil {
			t.Errorf("%s: allowed", s)
		}
	}
	if err := c.exec(t.Context(), "SELECT * FROM t"); err != nil {
		t.Errorf("reading: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file has changed, %v", err)
	}
	for _, d := range []string{dir, filepath.Dir(path)} {
		if left, err := os.ReadDir(d); err != nil || d == dir && len(left) > 0 || d != dir && len(left) > 1 {
			t.Errorf("files were written: %v, %v", left, err)
		}
	}
}

func TestOpen_Errors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := create(t, "good.duckdb", "CREATE TABLE t(a INTEGER)")
	for _, c := range []struct{ name, path, want string }{
		{"missing", filepath.Join(dir, "none.duckdb"), `database file "none.duckdb" does not exist`},
		{"a folder", dir, fmt.Sprintf("database file %q is not a regular file", filepath.Base(dir))},
		{"text", write("text.duckdb", strings.Repeat("some text\n", 5000)), `"text.duckdb" is not a DuckDB database file`},
		{"another database", write("x.sqlite", "SQLite format 3\x00"+strings.Repeat("\x00", 8000)), `"x.sqlite" is not a DuckDB database file`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, paths := range [][]string{{c.path}, {good, c.path}} {
				_, err := Open(t.Context(), paths[0], paths[1:]...)
				var e *connect.Error
				if !errors.As(err, &e) || e.Error() != c.want || e.Category != connect.Unavailable {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
		})
	}
	// A name that sounds like an error is none, and an encrypted file is told apart.
	locked := filepath.Join(dir, "Could not set lock version number.duckdb")
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	encrypted := filepath.Join(dir, "secret.duckdb")
	if _, err := db.Exec("SET force_mbedtls_unsafe = 'true'; ATTACH '" + encrypted + "' AS e (ENCRYPTION_KEY 'open sesame'); CREATE TABLE e.t(a INTEGER); DETACH e"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(locked, []byte(strings.Repeat("x", 20_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		encrypted: `database file "secret.duckdb" is encrypted`,
		locked:    `"Could not set lock version number.duckdb" is not a DuckDB database file`,
	} {
		if _, err := Open(t.Context(), path); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(cancelled, good); err == nil {
		t.Error("opened after the context had ended")
	}
}

func TestOpen_Locked(t *testing.T) {
	path := create(t, "shop.duckdb", "CREATE TABLE t(a INTEGER)")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DUCKDB_TEST_HOLD="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var word, result string
	if _, err := fmt.Fscanln(out, &word, &result); err != nil || result != "<nil>" {
		t.Fatalf("the other process said %q %q, %v", word, result, err)
	}
	_, err = Open(t.Context(), path)
	want := fmt.Sprintf(`database file "shop.duckdb" is locked: process %d has it open for writing; close that program, or index a copy of the file`, cmd.Process.Pid)
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if db := introspect(t, connect.Options{}, path); len(db.Tables) != 1 {
		t.Errorf("after the other process has ended: %v", db.Tables)
	}
}

// A file whose last writer was killed has a log beside it, which is read too and
// stays as it is.
func TestOpen_WithLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.duckdb")
	db, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE t(a INTEGER)"); err != nil {
		t.Fatal(err)
	}
	crashed := filepath.Join(t.TempDir(), "crashed.duckdb")
	for _, suffix := range []string{"", ".wal"} {
		b, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(crashed+suffix, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(crashed + ".wal")
	if err != nil {
		t.Fatal(err)
	}
	if got := introspect(t, connect.Options{}, crashed); len(got.Tables) != 1 {
		t.Errorf("got %v", got.Tables)
	}
	if after, err := os.ReadFile(crashed + ".wal"); err != nil || string(after) != string(before) {
		t.Errorf("the log has changed, %v", err)
	}
}

// Two readers, the odd names of files, and a file that this process wrote a moment ago.
func TestOpen_Names(t *testing.T) {
	for _, name := range []string{"a?b=c.duckdb", "it's #1.duckdb", "100%.duckdb", "main.duckdb", "a:b.duckdb", `q"q.db`, ".duckdb", "größe.duckdb"} {
		source := create(t, "plain.duckdb", "CREATE TABLE t(a INTEGER)")
		path := filepath.Join(t.TempDir(), name)
		if err := os.Rename(source, path); err != nil {
			t.Fatal(err)
		}
		first, err := Open(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if db := introspect(t, connect.Options{}, path); len(db.Tables) != 1 || db.Tables[0].Schema != "main" {
			t.Errorf("%s: %v", name, db.Tables)
		}
		if err := errors.Join(first.Ping(t.Context()), first.Close(), first.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIntrospect_AttachedFiles(t *testing.T) {
	shop := create(t, "shop.duckdb", "CREATE SCHEMA app; CREATE TABLE app.orders(id INTEGER PRIMARY KEY); CREATE TABLE app.lines(order_id INTEGER REFERENCES app.orders(id))")
	// A view over another file is made where that file is attached.
	dir := t.TempDir()
	mart := filepath.Join(dir, "mart.duckdb")
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("ATTACH '" + shop + "'; ATTACH '" + mart + "'; USE mart; CREATE TABLE days(d DATE); CREATE VIEW report AS SELECT count(*) AS n FROM shop.app.orders, days"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got := introspect(t, connect.Options{}, mart, shop)
	var names []string
	for _, table := range got.Tables {
		names = append(names, table.QualifiedName())
	}
	if diff := cmp.Diff([]string{"mart.main.days", "mart.main.report", "shop.app.lines", "shop.app.orders"}, names); diff != "" {
		t.Error(diff)
	}
	if got.Name != "mart" || got.DefaultSchema != "mart.main" || got.Tables[2].ForeignKeys[0].RefSchema != "shop.app" {
		t.Errorf("got %+v", got)
	}
	want := []model.Lineage{
		{FromSchema: "mart.main", FromTable: "days", ToSchema: "mart.main", ToTable: "report", Type: model.LineageView, Source: "parsed", Confidence: 1},
		{FromSchema: "shop.app", FromTable: "orders", ToSchema: "mart.main", ToTable: "report", Type: model.LineageView, Source: "parsed", Confidence: 1},
	}
	if diff := cmp.Diff(want, got.Lineage); diff != "" {
		t.Error(diff)
	}
	if only := introspect(t, connect.Options{Schemas: []string{"app"}, Stats: connect.StatsSample}, mart, shop); len(only.Tables) != 2 || len(only.Lineage) != 0 || len(only.Warnings) != 0 {
		t.Errorf("only app: %+v", only)
	}
}

func TestIntrospect_Schemas(t *testing.T) {
	path := create(t, "shop.duckdb", schema)
	for _, c := range []struct {
		name   string
		o      connect.Options
		tables int
	}{
		{"all", connect.Options{}, 9},
		{"one", connect.Options{Schemas: []string{"APP"}}, 7},
		{"all but one", connect.Options{ExcludeSchemas: []string{"app"}}, 2},
		{"one that is excluded", connect.Options{Schemas: []string{"app"}, ExcludeSchemas: []string{"app"}}, 0},
	} {
		if got := introspect(t, c.o, path); len(got.Tables) != c.tables {
			t.Errorf("%s: %d tables, want %d", c.name, len(got.Tables), c.tables)
		}
	}
}

func TestIntrospect_Samples(t *testing.T) {
	path := create(t, "shop.duckdb", `CREATE TABLE t AS SELECT i AS n, CASE WHEN i % 4 = 0 THEN NULL ELSE 'x' || i END AS s, DATE '2024-01-01' + i::INTEGER AS d, [i] AS l, {'a': i} AS st
		FROM range(1000) r(i); CREATE VIEW v AS SELECT * FROM t WHERE n < 10;
		CREATE TABLE none(a INTEGER); CREATE VIEW slow AS SELECT a.n FROM t a, t b, t c, t d WHERE (a.n + b.n + c.n * d.n) % 7 = 3`)
	start := time.Now()
	got := introspect(t, connect.Options{Stats: connect.StatsSample}, path)
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
	tables := map[string]*model.Table{}
	for i := range got.Tables {
		tables[got.Tables[i].Name] = &got.Tables[i]
	}
	columns := tables["t"].Columns
	if n := columns[0].Stats; *n.NullFraction != 0 || n.Min != "0" || n.Max != "999" || *n.Distinct < 800 || *n.Distinct > 1000 || n.Source != "sample" {
		t.Errorf("n: %+v", n)
	}
	if s := columns[1].Stats; *s.NullFraction != 0.25 || s.Min != "" || s.Max != "" || s.Common != nil {
		t.Errorf("s: %+v, want no value of a text", s)
	}
	if d := columns[2].Stats; d.Min != "2024-01-01" || d.Max != "2026-09-26" {
		t.Errorf("d: %+v", d)
	}
	if l := columns[3].Stats; l.Distinct != nil || l.Min != "" || *l.NullFraction != 0 {
		t.Errorf("l: %+v", l)
	}
	if v := tables["v"]; *v.Rows != 10 || v.RowsSource != model.CountView {
		t.Errorf("v: %d %s", *v.Rows, v.RowsSource)
	}
	if v := tables["slow"]; *v.Rows != -1 || v.RowsSource != model.CountTimeout {
		t.Errorf("slow: %d %s", *v.Rows, v.RowsSource)
	}
	if s := tables["none"].Columns[0].Stats; s.NullFraction != nil || *s.Distinct != 0 {
		t.Errorf("none: %+v", s)
	}
	if diff := cmp.Diff([]string{"1 tables and views could not be sampled in time or at all"}, got.Warnings); diff != "" {
		t.Error(diff)
	}
	// Without samples no row is read.
	for _, table := range introspect(t, connect.Options{Stats: connect.StatsCatalog}, path).Tables {
		for _, c := range table.Columns {
			if c.Stats != nil || table.IsView() && table.Rows != nil {
				t.Errorf("%s.%s has statistics", table.Name, c.Name)
			}
		}
	}
}

func TestIntrospect_WideAndEnded(t *testing.T) {
	var columns []string
	for i := range 1000 {
		columns = append(columns, fmt.Sprintf("c%d INTEGER", i))
	}
	path := create(t, "wide.duckdb", "CREATE TABLE wide("+strings.Join(columns, ",")+")")
	if got := introspect(t, connect.Options{}, path); len(got.Tables[0].Columns) != 1000 || got.Tables[0].Columns[999].Name != "c999" {
		t.Errorf("%d columns", len(got.Tables[0].Columns))
	}
	c, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Introspect(ctx, connect.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context had ended: %v", err)
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct {
		typ   string
		base  string
		array bool
	}{
		{"INTEGER", "INTEGER", false}, {"INTEGER[]", "INTEGER", true}, {"INTEGER[3][]", "INTEGER", true},
		{"ENUM('a]', '[')", "ENUM('a]', '[')", false}, {"ENUM('a')[]", "ENUM('a')", true},
	} {
		if base, array := element(c.typ); base != c.base || array != c.array {
			t.Errorf("element(%q) = %q, %v", c.typ, base, array)
		}
	}
	fields := structFields(`STRUCT("a, ""b"" (" INTEGER, c ENUM('x, y', 'it''s'), d STRUCT(e MAP(VARCHAR, INTEGER))[])`)
	want := []field{{`a, "b" (`, "INTEGER"}, {"c", "ENUM('x, y', 'it''s')"}, {"d", "STRUCT(e MAP(VARCHAR, INTEGER))[]"}}
	if diff := cmp.Diff(want, fields, cmp.AllowUnexported(field{})); diff != "" {
		t.Error(diff)
	}
	if got := structFields("STRUCT(INTEGER, VARCHAR)"); got != nil {
		t.Errorf("an unnamed struct has fields %v", got)
	}
	if diff := cmp.Diff([]string{"x, y", "it's", ""}, enumLabels("ENUM('x, y', 'it''s', '')")); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkIntrospect_2000Tables(b *testing.B) {
	var script strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&script, "CREATE TABLE t%d(id INTEGER PRIMARY KEY", i)
		for j := range 19 {
			fmt.Fprintf(&script, ", c%d VARCHAR", j)
		}
		script.WriteString(");")
	}
	path := create(b, "big.duckdb", script.String())
	for b.Loop() {
		if db := introspect(b, connect.Options{}, path); len(db.Tables) != 2000 {
			b.Fatalf("%d tables", len(db.Tables))
		}
	}
}
