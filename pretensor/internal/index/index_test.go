package index

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/sqlite"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// chinook is the SQLite file of the connector's tests.
func chinook(t *testing.T) connect.Connector {
	t.Helper()
	path, err := filepath.Abs("../connect/sqlite/testdata/chinook.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	d, err := dsn.Parse("sqlite:////" + strings.TrimPrefix(path, "/"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := sqlite.Open(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

var settings = Settings{AliasSources: 1, MinClusterSize: 3}

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// registered is the registry of a directory.
func registered(dir *state.Dir) *registry.Store {
	return registry.NewStore(dir, func(string) string { return "" })
}

func request(c connect.Connector) Request {
	return Request{
		Entry: registry.Entry{Name: "shop", DSN: "sqlite:///secret.db", Description: "a shop"}, Connector: c, Settings: settings, Now: now, Version: "test",
	}
}

func run(t *testing.T, dir *state.Dir, r Request) *Result {
	t.Helper()
	result, err := Run(context.Background(), dir, registered(dir), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestRun_Chinook indexes a real database: the graph and the catalog say the same.
func TestRun_Chinook(t *testing.T) {
	dir := state.At(t.TempDir())
	r := run(t, dir, request(chinook(t)))
	data, err := Load(dir, "shop")
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(*data, settings.AliasSources)
	if c.Len() != 11 || c.Columns() != 64 {
		t.Errorf("%d tables with %d columns", c.Len(), c.Columns())
	}
	declared := 0
	for i := range c.Edges() {
		if c.Edge(i).Declared {
			declared++
		}
	}
	if declared != 11 {
		t.Errorf("%d declared joins", declared)
	}

	g, err := kuzu.Open(r.Graph, kuzu.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for query, want := range map[string]string{
		"MATCH (t:SchemaTable) RETURN count(*) AS n":                                              "11",
		"MATCH (:SchemaTable)-[:HAS_COLUMN]->(c:SchemaColumn) RETURN count(*) AS n":               "64",
		"MATCH (:SchemaTable)-[e:FK_REFERENCES]->(:SchemaTable) RETURN count(*) AS n":             "11",
		"MATCH (:SchemaTable)-[:IN_CLUSTER]->(:Cluster) RETURN count(*) AS n":                     "11",
		"MATCH (c:SchemaColumn) WHERE c.is_primary_key RETURN count(*) AS n":                      "12",
		"MATCH (m:GraphMeta) RETURN m.generation AS n":                                            r.Entry.Generation,
		"MATCH (p:JoinPath) RETURN count(*) AS n":                                                 fmt.Sprint(r.Counts.Paths),
		"MATCH (t:SchemaTable {table_name: 'Track'}) RETURN t.row_count AS n":                     "3503",
		"MATCH (t:SchemaTable)-[e:INFERRED_JOIN]->() WHERE e.confidence > 1 RETURN count(*) AS n": "0",
	} {
		res, err := g.Query(context.Background(), query, kuzu.Options{})
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if len(res.Rows) != 1 || fmt.Sprint(res.Rows[0][0]) != want {
			t.Errorf("%s: %v, want %s", query, res.Rows, want)
		}
	}
}

// encoded is the catalog as it is written, without what tells two indexes of one
// structure apart.
func encoded(t *testing.T, d *catalog.Data) []byte {
	t.Helper()
	c := *d
	c.Generation, c.BuiltAt = "", time.Time{}
	b, err := catalog.Encode(&c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The same structure gives the same bytes.
func TestRun_SameBytes(t *testing.T) {
	var files [2][]byte
	for i := range files {
		files[i] = encoded(t, run(t, state.At(t.TempDir()), request(chinook(t))).Data)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two indexes of one database differ")
	}
}

// TestAnalyse says what is found out about a small shop.
func TestAnalyse(t *testing.T) {
	db := modeltest.FromDDL(t, sqltree.Postgres, "public", `
		create table customers (id bigint primary key, name text, email text);
		create table orders (id bigint primary key, customer_id bigint references customers, placed_at timestamptz, total numeric);
		create table order_items (order_id bigint references orders, line int, product_id bigint, qty int, price numeric, primary key (order_id, line));
		create table products (id bigint primary key, name text, price numeric);
		create table schema_migrations (version text primary key);
		create view v_customers as select id, name from customers;`)
	data := Analyse("shop", db, settings)
	c := catalog.New(*data, 1)
	var joins []string
	for _, j := range data.Joins {
		if j.Confidence >= 0.5 {
			joins = append(joins, c.Name(j.From)+"."+j.FromColumn+" -> "+c.Name(j.To)+"."+j.ToColumn)
		}
	}
	if diff := cmp.Diff([]string{"public.order_items.product_id -> public.products.id"}, joins); diff != "" {
		t.Errorf("inferred joins, -want +got\n%s", diff)
	}
	got := map[string]string{}
	for i := range data.Facts {
		got[data.Tables[i].Name] = data.Facts[i].Role
	}
	if got["schema_migrations"] != "system" || got["orders"] == "system" {
		t.Errorf("roles %v", got)
	}
	for _, k := range data.Clusters {
		if len(k.Tables) > 1 && !strings.Contains(k.Label, "tables)") {
			t.Errorf("label %q", k.Label)
		}
		for _, i := range k.Tables {
			if data.Tables[i].Name == "v_customers" {
				t.Error("a shadow alias is in a cluster")
			}
		}
	}
	var entities []string
	for _, e := range data.Entities {
		entities = append(entities, e.Name)
	}
	if len(entities) == 0 || entities[0] == "" {
		t.Errorf("entities %v", entities)
	}
}
