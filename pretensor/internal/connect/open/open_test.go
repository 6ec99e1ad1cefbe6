package open

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

func TestOpen_EachDialect(t *testing.T) {
	file := func(dialect, name, script string) string {
		d := connecttest.File(t, dialect, name)
		d.Do(t, script)
		return d.Path
	}
	lite := file(dsn.SQLite, "lite.db", "CREATE TABLE t (a INT)")
	duck := file(dsn.DuckDB, "duck.duckdb", "CREATE TABLE t (a INT)")
	second := file(dsn.DuckDB, "a & b.duckdb", "CREATE TABLE u (a INT)")
	third := file(dsn.DuckDB, "third.duckdb", "CREATE TABLE v (a INT)")
	maria := connecttest.MariaDB(t).DSN
	my := maria
	my.Dialect = dsn.MySQL
	attached := dsn.DSN{Dialect: dsn.DuckDB, Scheme: "duckdb", Path: duck, Query: map[string][]string{attach: {second, third}}}
	for _, test := range []struct {
		name, dsn, dialect string
		schemas            []string
	}{
		{"PostgreSQL", connecttest.Postgres(t).String(), dsn.PostgreSQL, nil},
		{"MariaDB", maria.String(), dsn.MariaDB, nil},
		{"MariaDB that is called MySQL", my.String(), dsn.MariaDB, nil},
		{"SQLite", "sqlite:///" + lite, dsn.SQLite, []string{"main"}},
		{"SQLite, a bare path", lite, dsn.SQLite, []string{"main"}},
		{"SQLite, an absolute path with a slash too few", "sqlite://" + lite, dsn.SQLite, []string{"main"}},
		{"DuckDB", duck, dsn.DuckDB, []string{"main"}},
		{"DuckDB, an absolute path with a slash too few", "duckdb://" + duck, dsn.DuckDB, []string{"main"}},
		{"DuckDB with attached files", attached.String(), dsn.DuckDB, []string{"a & b.main", "duck.main", "third.main"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := dsn.Parse(test.dsn)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Open(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			db, err := c.Introspect(t.Context(), connect.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var schemas []string
			for _, table := range db.Tables {
				schemas = append(schemas, table.Schema)
			}
			if diff := cmp.Diff(test.schemas, schemas); diff != "" || db.Dialect != test.dialect {
				t.Errorf("dialect %s, want %s; schemas (-want +got):\n%s", db.Dialect, test.dialect, diff)
			}
		})
	}
}

func TestOpen_Refused(t *testing.T) {
	for _, test := range []struct {
		d        dsn.DSN
		category connect.Category
		words    string
	}{
		{dsn.DSN{Dialect: dsn.Snowflake, Password: "s3cret"}, connect.Unavailable, "cannot connect to snowflake yet"},
		{dsn.DSN{Dialect: dsn.BigQuery}, connect.Unavailable, "cannot connect to bigquery yet"},
		{dsn.DSN{Dialect: "oracle", Password: "s3cret"}, connect.BadDSN, `"oracle"`},
		{dsn.DSN{}, connect.NoDSN, "no data source name"},
		{dsn.DSN{Dialect: dsn.SQLite, Path: "/nowhere/x.db"}, connect.Unavailable, "does not exist"},
		{dsn.DSN{Dialect: dsn.DuckDB, Path: "/nowhere/x.duckdb"}, connect.Unavailable, "does not exist"},
	} {
		c, err := Open(t.Context(), test.d)
		if c != nil {
			t.Errorf("Open(%s) = %v beside an error", test.d.Dialect, c)
		}
		connecttest.WantError(t, err, test.category, test.words)
	}
}
