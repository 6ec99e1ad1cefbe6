package index

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/postgres"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// sakila is a connector to a PostgreSQL server with that schema.
func sakila(tb testing.TB) connect.Connector {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "datakit", "testdata", "scripts", "sakila.sql.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	script, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	d, err := dsn.Parse(dbtest.Postgres(tb))
	if err != nil {
		tb.Fatal(err)
	}
	admin, err := pgx.Connect(context.Background(), d.String())
	if err != nil {
		tb.Fatal(err)
	}
	defer admin.Close(context.Background())
	if _, err := admin.PgConn().Exec(context.Background(), string(script)).ReadAll(); err != nil {
		tb.Fatal(err)
	}
	c, err := postgres.Open(context.Background(), d)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	return c
}

func sakilaRequest(tb testing.TB) Request {
	r := request(sakila(tb))
	r.Settings = SettingsOf(config.Defaults().Graph)
	return r
}

// TestRun_Sakila indexes a PostgreSQL server and finds its way through it.
func TestRun_Sakila(t *testing.T) {
	dir := state.At(t.TempDir())
	r := run(t, dir, sakilaRequest(t))
	if r.Counts.Tables < 20 || r.Counts.Declared < 20 || r.Counts.Clusters < 2 || r.Counts.Paths < 200 {
		t.Errorf("counts %+v", r.Counts)
	}
	c := catalog.New(*r.Data, 1)
	customer, film := table(t, r.Data, "customer"), table(t, r.Data, "film")
	p, back := c.Path(customer, film)
	if p == nil {
		t.Fatal("no path from customer to film")
	}
	at, names := p.From, []string{c.Tables[p.From].Name}
	for _, id := range p.Edges {
		e := c.Edge(id)
		at = e.From + e.To - at
		names = append(names, c.Tables[at].Name)
	}
	if got := strings.Join(names, " "); back || len(p.Edges) > 3 || !strings.HasPrefix(got, "customer ") || !strings.HasSuffix(got, " film") {
		t.Errorf("path %s, %+v", got, p)
	}
	checkWhole(t, r.Data)
}

// BenchmarkIndexSakila has the introspection of a real server in it.
func BenchmarkIndexSakila(b *testing.B) {
	r := sakilaRequest(b)
	dir := state.At(b.TempDir())
	took := map[string]time.Duration{}
	n := 0
	for b.Loop() {
		if _, err := Run(context.Background(), dir, registered(dir), r, func(name string, d time.Duration) { took[name] += d }); err != nil {
			b.Fatal(err)
		}
		n++
	}
	for name, d := range took {
		b.ReportMetric(d.Seconds()/float64(n), "s-"+name)
	}
}
