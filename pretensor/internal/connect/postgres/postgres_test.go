package postgres

import (
	"compress/gzip"
	"context"
	_ "embed"
	"io"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/wiretest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

//go:embed testdata/conformance.sql
var conformanceSQL string

// load makes a database with the script's tables, and returns its name and a
// connection to do more to it.
func load(tb testing.TB, scripts ...string) (dsn.DSN, *pgx.Conn) {
	tb.Helper()
	d, err := dsn.Parse(dbtest.Postgres(tb))
	if err != nil {
		tb.Fatal(err)
	}
	admin, err := pgx.Connect(context.Background(), d.String())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = admin.Close(context.Background()) })
	for _, script := range scripts {
		execute(tb, admin, script)
	}
	return d, admin
}

func execute(tb testing.TB, pg *pgx.Conn, script string) {
	tb.Helper()
	if _, err := pg.PgConn().Exec(context.Background(), script).ReadAll(); err != nil {
		tb.Fatal(err)
	}
}

// connectTo opens a recorded connection that the test's end closes.
func connectTo(tb testing.TB, d dsn.DSN) (*conn, *wiretest.Proxy) {
	tb.Helper()
	through, p := wiretest.Postgres(tb, d)
	c, err := open(context.Background(), through)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	return c, p
}

func introspect(tb testing.TB, d dsn.DSN, o connect.Options) *model.Database {
	tb.Helper()
	c, _ := connectTo(tb, d)
	db, err := c.Introspect(context.Background(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return db
}

func script(tb testing.TB, name string) string {
	tb.Helper()
	f, err := os.Open("../../../../datakit/testdata/scripts/" + name + ".sql.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
