package dbread

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// postgresWith makes a database with these statements and returns its URL.
func postgresWith(t *testing.T, statements string) string {
	t.Helper()
	u := dbtest.Postgres(t)
	postgresDo(t, u, statements)
	return u
}

func postgresDo(t *testing.T, u, statements string) {
	t.Helper()
	ctx := context.Background() // also of a clean-up
	c, err := pgx.Connect(ctx, u)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	if _, err := c.PgConn().Exec(ctx, statements).ReadAll(); err != nil {
		t.Fatal(err)
	}
}

const shop = `
CREATE SCHEMA app;
CREATE TABLE app.users (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, email text, gone int);
ALTER TABLE app.users DROP COLUMN gone;
CREATE VIEW app.v AS SELECT 1 AS one;
CREATE MATERIALIZED VIEW app.m AS SELECT 1 AS one, 2 AS two;
CREATE TYPE app.mood AS ENUM ('ok');
CREATE DOMAIN app.email AS text;
CREATE TYPE app.point3 AS (x int, y int, z int);
CREATE TYPE app.floats AS RANGE (subtype = float8);
CREATE FUNCTION app.f(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION app.f(text) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE PROCEDURE app.p() LANGUAGE sql AS 'SELECT 1';
CREATE AGGREGATE app.total (int) (SFUNC = int4pl, STYPE = int, INITCOND = '0');
CREATE FUNCTION app.note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER noted BEFORE INSERT ON app.users FOR EACH ROW EXECUTE FUNCTION app.note();
CREATE TABLE parts (id int, region text) PARTITION BY LIST (region);
CREATE TABLE parts_eu PARTITION OF parts FOR VALUES IN ('eu');
CREATE TABLE "Odd ""name" ();
`

var shopApp = []string{
	"aggregate app.total", "domain app.email", "enum app.mood", "function app.f", "function app.note",
	"materialized_view app.m 2", "procedure app.p", "range app.floats", "sequence app.users_id_seq",
	"table app.users 2", "trigger app.noted", "type app.point3 3", "view app.v 1",
}

var shopPublic = []string{`table public.Odd "name 0`, "table public.parts 2", "table public.parts_eu 2"}

func TestPostgres_Read(t *testing.T) {
	u := postgresWith(t, shop)
	c, partial := mustRead(t, target(t, u), "app")
	if diff := cmp.Diff(shopApp, lines(c)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if c.Dialect != "postgres" || strings.Count(c.Version, ".") != 1 || strings.ContainsAny(c.Version, " (") || partial != nil {
		t.Errorf("%s %s, %q", c.Dialect, c.Version, partial)
	}
	c, _ = mustRead(t, target(t, u)) // the connection's own
	if diff := cmp.Diff(shopPublic, lines(c)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"public"}, c.Schemas); diff != "" {
		t.Errorf("schemas (-want +got):\n%s", diff)
	}
	c, _ = mustRead(t, target(t, u), "public", "app", "public")
	if diff := cmp.Diff(append(append([]string{}, shopApp...), shopPublic...), lines(c)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	// By another name of the scheme, and with another search path.
	c, _ = mustRead(t, target(t, strings.Replace(u, "postgres:", "PostgreSQL:", 1)+"&search_path=app"))
	if diff := cmp.Diff([]string{"app"}, c.Schemas); diff != "" {
		t.Errorf("schemas (-want +got):\n%s", diff)
	}
	// Of an extension its name is listed and its members are not.
	c, _ = mustRead(t, target(t, u, "pg_catalog"))
	if got := strings.Join(lines(c), "\n"); !strings.Contains(got, "extension pg_catalog.plpgsql\n") || strings.Contains(got, "plpgsql_call_handler") || !strings.Contains(got, "table pg_catalog.pg_class ") {
		t.Errorf("the system's objects: %.2000s", got)
	}
}

func TestPostgres_Schemas(t *testing.T) {
	u := postgresWith(t, shop)
	tests := []struct {
		name    string
		bound   []string
		schemas []string
		want    []string
		words   string
		partial string
	}{
		{name: "unknown", schemas: []string{"nope"}, words: `schema "nope" is not in database "shop". the schemas are "app", "public"`},
		{name: "of the system", schemas: []string{"pg_catalog"}, words: `"pg_catalog" is not in database`},
		{name: "of the system too", schemas: []string{"information_schema"}, words: "is not in database"},
		{name: "empty", schemas: []string{"app", ""}, words: "schemas[1] is empty"},
		{name: "SQL", schemas: []string{`app'; DROP TABLE app.users; --`}, words: "is not in database"},
		{name: "outside of the bound", bound: []string{"app"}, schemas: []string{"public"}, words: "not among those that may be read of \"shop\". the operator allows app"},
		{name: "inside of the bound", bound: []string{"app", "public"}, schemas: []string{"app"}, want: []string{"app"}},
		{name: "default inside of the bound", bound: []string{"public", "app"}, want: []string{"public"}},
		{name: "default outside of the bound", bound: []string{"app", "information_schema"}, want: []string{"app", "information_schema"}},
		{name: "system in the bound", bound: []string{"pg_catalog"}, schemas: []string{"pg_catalog"}, want: []string{"pg_catalog"}},
		{name: "bound names what is not there", bound: []string{"app", "later"}, want: []string{"app"}, partial: `schema "later", which the operator lists`},
		{name: "asked for what is not there", bound: []string{"app", "later"}, schemas: []string{"later"}, words: `"later" is not in database "shop". the schemas are "app"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, partial, err := read(t, target(t, u, test.bound...), test.schemas...)
			if test.words != "" {
				wantError(t, err, code.InvalidRequest, test.words)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, c.Schemas); diff != "" {
				t.Errorf("schemas (-want +got):\n%s", diff)
			}
			if got := strings.Join(partial, ""); !strings.Contains(got, test.partial) || test.partial == "" && got != "" {
				t.Errorf("partial = %q, want %q", got, test.partial)
			}
		})
	}
	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, "CREATE SCHEMA s%02d;", i)
	}
	postgresDo(t, u, many.String())
	_, _, err := read(t, target(t, u), "nope")
	wantError(t, err, code.InvalidRequest, `"s16", "s17" and 12 more`)
	postgresDo(t, u, "DROP SCHEMA public CASCADE")
	_, _, err = read(t, target(t, u))
	wantError(t, err, code.InvalidRequest, `the connection of database "shop" has no default schema`)
}

// A role sees what it has a privilege on, and is told how much it does not.
func TestPostgres_Privileges(t *testing.T) {
	u := postgresWith(t, shop+`
CREATE TABLE app.secret (id int);
DROP ROLE IF EXISTS ptah_reader;
CREATE ROLE ptah_reader LOGIN PASSWORD '`+secret+`';
GRANT USAGE ON SCHEMA app TO ptah_reader;
GRANT SELECT (email) ON app.users TO ptah_reader;
GRANT SELECT ON app.v TO ptah_reader;
CREATE SCHEMA closed;
CREATE TABLE closed.t ();
GRANT SELECT ON closed.t TO ptah_reader;
`)
	t.Cleanup(func() { postgresDo(t, u, "DROP OWNED BY ptah_reader; DROP ROLE ptah_reader") })
	reader := strings.Replace(u, "postgres@", "ptah_reader:"+secret+"@", 1)
	c, partial := mustRead(t, target(t, reader), "app", "closed")
	got := strings.Join(lines(c), ", ")
	for _, want := range []string{"table app.users 2", "view app.v 1", "enum app.mood"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not among %s", want, got)
		}
	}
	for _, not := range []string{"app.secret", "app.m ", "closed."} {
		if strings.Contains(got, not) {
			t.Errorf("%s is among %s", not, got)
		}
	}
	want := []string{
		`schema "app": the role "ptah_reader" has no privilege on 1 of kind materialized_view`,
		`schema "app": the role "ptah_reader" has no privilege on 1 of kind sequence`,
		`schema "app": the role "ptah_reader" has no privilege on 1 of kind table`,
		`schema "app": the role "ptah_reader" has no privilege on 1 of kind trigger`,
		`schema "closed": the role "ptah_reader" has no privilege on 1 of kind table`,
	}
	if diff := cmp.Diff(want, partial); diff != "" {
		t.Errorf("partial (-want +got):\n%s", diff)
	}
}

func TestPostgres_Errors(t *testing.T) {
	u := dbtest.Postgres(t)
	parsed, err := url.Parse(u)
	if err != nil {
		t.Fatal(err)
	}
	at := func(change func(*url.URL)) string {
		v := *parsed
		v.User = url.UserPassword("postgres", secret)
		change(&v)
		return v.String()
	}
	tests := []struct{ name, url, words string }{
		{"nobody listens", at(func(v *url.URL) { v.Host = closedPort(t) }), "no connection"},
		{"no host", at(func(v *url.URL) { v.Host = "no-such-host.invalid:5432" }), "host is not known"},
		{"no database", at(func(v *url.URL) { v.Path = "/nowhere" }), `database "nowhere" does not exist (SQLSTATE 3D000)`},
		{"no role", at(func(v *url.URL) { v.User = url.UserPassword("nobody", secret) }), `role "nobody" does not exist`},
		{"no TLS", at(func(v *url.URL) { v.RawQuery = "sslmode=require" }), "no encrypted connection"},
		{"bad parameter", at(func(v *url.URL) { v.RawQuery = "sslmode=" + secret + "&sslpassword=" + secret }), "parameters that cannot be used"},
		{"parameter of nobody", at(func(v *url.URL) { v.RawQuery = "sslmode=disable&authToken=" + secret }), `"authToken"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(t, target(t, test.url))
			wantError(t, err, code.DatabaseUnreachable, test.words)
			if !strings.Contains(err.Error(), parsed.Hostname()) && test.name != "no host" {
				t.Errorf("the host is not named: %v", err)
			}
		})
	}
	if _, err := Read(canceled(t), target(t, u), nil, &finding.Report{}, slog.New(slog.DiscardHandler)); !errors.Is(err, context.Canceled) {
		t.Errorf("error of a cancelled call: %v", err)
	}
}

// closedPort returns an address at which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// What the server gets are statements on the catalog, in a session that only reads, and
// nothing of the call is part of their text.
func TestPostgres_OnlyReads(t *testing.T) {
	u := postgresWith(t, shop)
	parsed, err := url.Parse(u)
	if err != nil {
		t.Fatal(err)
	}
	r := record(t, parsed.Host, postgresMessage)
	parsed.Host = r.addr
	parsed.RawQuery += "&options=-c%20default_transaction_read_only%3Doff"
	mustRead(t, target(t, parsed.String()), "app")
	statements := r.seen()
	wantReadOnly(t, statements, "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY", "SET LOCAL ", "SELECT ", "-- The objects of some schemas ($1)")
	if all := strings.Join(statements, " "); strings.Contains(all, "app") || !strings.Contains(all, "$1") {
		t.Errorf("the schema is part of a statement: %s", all)
	}
	for _, want := range []string{"default_transaction_read_only on", "statement_timeout 15000", "application_name ptah"} {
		if !strings.Contains(r.startup, want) {
			t.Errorf("the session began with %q, without %q", r.startup, want)
		}
	}
}

// A pooler refuses the parameters of a session; the transaction has them then.
func TestPostgres_Pooler(t *testing.T) {
	u := postgresWith(t, shop)
	parsed, err := url.Parse(u)
	if err != nil {
		t.Fatal(err)
	}
	r := record(t, parsed.Host, poolerMessage)
	parsed.Host = r.addr
	c, _ := mustRead(t, target(t, parsed.String()), "app")
	if diff := cmp.Diff(shopApp, lines(c)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	all := strings.Join(r.seen(), "\n")
	for _, want := range []string{" READ ONLY", "SET LOCAL statement_timeout = 15000"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not among the statements: %s", want, all)
		}
	}
}

// The server itself refuses to write in a session of a reading.
func TestPostgres_ServerRefusesWrites(t *testing.T) {
	db := target(t, postgresWith(t, shop)+"&options=-c%20default_transaction_read_only%3Doff")
	r, err := openPostgres(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	conn := r.(*postgres).conn
	if _, err := conn.Exec(t.Context(), "DROP TABLE app.users"); err == nil || !strings.Contains(err.Error(), "25006") {
		t.Errorf("in the transaction: %v", err)
	}
	if _, err := conn.Exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "DROP TABLE app.users"); err == nil || !strings.Contains(err.Error(), "25006") {
		t.Errorf("after it: %v", err)
	}
}

// Functions and operators that somebody put into a schema that is searched are not used.
func TestPostgres_HostileSearchPath(t *testing.T) {
	u := postgresWith(t, shop+`
CREATE FUNCTION public.version() RETURNS text LANGUAGE sql AS 'SELECT ''CockroachDB CCL v1.0''';
CREATE FUNCTION public.has_schema_privilege(oid, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
`)
	c, partial := mustRead(t, target(t, u+"&search_path=public,pg_catalog"))
	if c.Dialect != "postgres" || len(partial) != 0 || len(c.Objects) != len(shopPublic)+2 {
		t.Errorf("%s, %q, %q", c.Dialect, partial, lines(c))
	}
}

func TestIdentifyPostgres(t *testing.T) {
	tests := []struct {
		banner  string
		dialect dialect.Dialect
		version string
	}{
		{"PostgreSQL 16.3 (Debian 16.3-1.pgdg120+1) on x86_64-pc-linux-gnu, compiled by gcc", dialect.Postgres, "16.3"},
		{"PostgreSQL 18beta1 on aarch64", dialect.Postgres, "18beta1"},
		{"PostgreSQL 9.6.24 on x86_64", dialect.Postgres, "9.6.24"},
		{"CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27, go1.19.10)", dialect.CockroachDB, "23.1.11"},
		{"PostgreSQL 11.2-YB-2.18.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang", dialect.YugabyteDB, "2.18.0.0"},
		{"something else", dialect.Postgres, ""},
	}
	for _, test := range tests {
		if d, v := identifyPostgres(test.banner); d != test.dialect || v != test.version {
			t.Errorf("%q is %s %s, want %s %s", test.banner, d, v, test.dialect, test.version)
		}
	}
}
