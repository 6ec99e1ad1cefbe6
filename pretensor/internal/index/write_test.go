package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// fixed is a connector whose database is made anew for each introspection.
type fixed struct{ make func() *model.Database }

func (f fixed) Introspect(context.Context, connect.Options) (*model.Database, error) {
	return f.make(), nil
}
func (f fixed) Ping(context.Context) error { return nil }
func (f fixed) Close() error               { return nil }

// ddl is a connector to the database of a script.
func ddl(t *testing.T, script string) connect.Connector {
	return fixed{func() *model.Database { return modeltest.FromDDL(t, sqltree.Postgres, "public", script) }}
}

const shop = `
	create table customers (id bigint primary key, name text, email text);
	create table orders (id bigint primary key, customer_id bigint references customers, placed_at timestamptz, total numeric);
	create table order_items (order_id bigint references orders, line int, product_id bigint references products, qty int, price numeric, primary key (order_id, line));
	create table products (id bigint primary key, category_id bigint references categories, name text, price numeric);
	create table categories (id bigint primary key, name text);
	create table stray (note text, product_no text);
`

// said are a metric, consumers and a scan as people and their code give them.
func said(t *testing.T) func(*catalog.Data) error {
	return func(d *catalog.Data) error {
		orders, items, stray := table(t, d, "orders"), table(t, d, "order_items"), table(t, d, "stray")
		d.Metrics = append(d.Metrics,
			catalog.Metric{Name: "sold", SQL: "SELECT 1", Valid: true, Generated: now, Uses: []catalog.MetricUse{{Table: items, Columns: []string{"price", "qty"}}}},
			catalog.Metric{Name: "revenue", SQL: "SELECT 2", Valid: true, Generated: now, Uses: []catalog.MetricUse{{Table: orders, Columns: []string{"total"}}}},
		)
		d.Consumers = append(d.Consumers,
			catalog.Consumer{ID: "shop::consumer::b", Service: "billing", File: "b.go", LineStart: 7, Kind: "call", Uses: []catalog.Use{{Table: stray, Op: "read", Confidence: 0.9}}},
			catalog.Consumer{ID: "shop::consumer::a", Service: "billing", File: "a.go", LineStart: 3, Kind: "call", RunID: "r", Uses: []catalog.Use{
				{Table: orders, Op: "read", Confidence: 0.9}, {Table: stray, Op: "write", Confidence: 0.8},
			}},
		)
		d.Scans = append(d.Scans, catalog.Scan{Service: "billing", RunID: "r", At: now})
		d.Joins = append(d.Joins, catalog.Join{
			From: stray, To: table(t, d, "products"), FromColumn: "product_no", ToColumn: "name", Source: infer.UsageJoin, Kind: string(infer.UsageCode), Confidence: 0.7,
		})
		return nil
	}
}

func table(t *testing.T, d *catalog.Data, name string) int {
	t.Helper()
	i := slices.IndexFunc(d.Tables, func(x model.Table) bool { return x.Name == name })
	if i < 0 {
		t.Fatalf("no table %s", name)
	}
	return i
}

// ask runs a query on the graph of a connection.
func ask(t *testing.T, dir *state.Dir, query string) string {
	t.Helper()
	path, err := dir.Graph("shop")
	if err != nil {
		t.Fatal(err)
	}
	g, err := kuzu.Open(path, kuzu.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	r, err := g.Query(context.Background(), query, kuzu.Options{})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r.Rows); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text.String())
}

func TestRun_RegistryAndSnapshot(t *testing.T) {
	dir := state.At(t.TempDir())
	secret := "create view v as select id from customers where email = 'geheim@example.org';"
	var stages []string
	r, err := Run(context.Background(), dir, registered(dir), request(ddl(t, shop+secret)), func(name string, _ time.Duration) { stages = append(stages, name) })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"introspection", "inference", "clustering", "paths", "graph", "snapshot"}, stages); diff != "" {
		t.Errorf("stages, -want +got\n%s", diff)
	}
	known, err := registered(dir).Read()
	if err != nil {
		t.Fatal(err)
	}
	e, err := known.Get("shop")
	if err != nil {
		t.Fatal(err)
	}
	if !e.Indexed.Equal(now) || e.Generation == "" || e.Generation != r.Data.Generation || e.Tables != 7 || e.Dialect != "postgresql" || e.Description != "a shop" || e.GraphPath != r.Graph {
		t.Errorf("entry %+v", e)
	}
	if dsn, err := registered(dir).DSN(e); err != nil || dsn != "sqlite:///secret.db" || r.Entry.DSN != "" {
		t.Errorf("connection string %v, %v", dsn, err)
	}
	shot, err := snapshot.Read(dir, "shop")
	if err != nil || shot.Generation != e.Generation || len(shot.Database.Tables) != 7 || shot.Stats != connect.StatsCatalog {
		t.Errorf("snapshot %+v, %v", shot, err)
	}
	want := Counts{Tables: 7, Columns: 21, Declared: 4, Clusters: len(r.Data.Clusters), Entities: len(r.Data.Entities), Paths: 20}
	got := r.Counts
	got.High, got.Medium, got.Low = 0, 0, 0
	if got != want || r.Counts.High+r.Counts.Medium+r.Counts.Low != len(r.Data.Joins) || r.Warnings == nil {
		t.Errorf("counts %+v, want %+v; warnings %v", r.Counts, want, r.Warnings)
	}
	data, err := Load(dir, "shop")
	if err != nil {
		t.Fatal(err)
	}
	for i := range data.Tables {
		if data.Tables[i].Definition != "" {
			t.Errorf("the definition of %s is written", data.Tables[i].Name)
		}
	}
	err = filepath.WalkDir(dir.Path(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte("geheim@")) || bytes.Contains(b, []byte("secret.db")) {
			t.Errorf("%s holds what must not be written", d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	// A second index without a connection string or a description keeps both.
	again := request(ddl(t, shop))
	again.Entry.DSN, again.Entry.Description = "", ""
	second := run(t, dir, again)
	if dsn, err := registered(dir).DSN(second.Entry); err != nil || dsn != "sqlite:///secret.db" || second.Entry.Description != "a shop" || second.Entry.Generation == e.Generation {
		t.Errorf("the second entry is %+v, %v", second.Entry, err)
	}
}

func TestRun_Hide(t *testing.T) {
	dir := state.At(t.TempDir())
	r := request(ddl(t, shop))
	r.Hide = func(db *model.Database) *model.Database {
		db.Tables = slices.DeleteFunc(db.Tables, func(x model.Table) bool { return x.Name == "orders" })
		return db
	}
	run(t, dir, r)
	err := filepath.WalkDir(dir.Path(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if filepath.Ext(path) != ".catalog" && bytes.Contains(b, []byte("placed_at")) {
			t.Errorf("%s has a column of a hidden table", d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := Load(dir, "shop")
	if err != nil || len(data.Tables) != 5 {
		t.Errorf("%d tables, %v", len(data.Tables), err)
	}
}

func TestRun_Embed(t *testing.T) {
	dir := state.At(t.TempDir())
	r := request(ddl(t, shop))
	r.Embed = func(_ context.Context, d *catalog.Data) (catalog.Vectors, error) {
		v := catalog.Vectors{Model: "m", Dim: 2}
		for i := range d.Tables {
			v.Tables = append(v.Tables, []float32{float32(i), 0.5})
		}
		v.Tables[0] = nil
		return v, nil
	}
	run(t, dir, r)
	if got := ask(t, dir, "MATCH (t:SchemaTable) RETURN t.embedding ORDER BY t.table_name LIMIT 3"); got != "[[null],[[1,0.5]],[[2,0.5]]]" {
		t.Errorf("vectors %s", got)
	}

	// Where it fails, what is there stays, at the tables that it belongs to.
	r.Connector = ddl(t, shop+"create table billing (id bigint primary key);")
	r.Embed = func(context.Context, *catalog.Data) (catalog.Vectors, error) {
		return catalog.Vectors{}, errors.New("no answer")
	}
	second := run(t, dir, r)
	if len(second.Warnings) != 1 || !strings.Contains(second.Warnings[0], "no answer") {
		t.Errorf("warnings %q", second.Warnings)
	}
	if diff := cmp.Diff([][]float32{nil, nil, {1, 0.5}, {2, 0.5}, {3, 0.5}, {4, 0.5}, {5, 0.5}}, second.Data.Vectors.Tables); diff != "" {
		t.Errorf("vectors, -want +got\n%s", diff)
	}
}

func TestSave(t *testing.T) {
	dir := state.At(t.TempDir())
	first := run(t, dir, request(ddl(t, shop)))
	if err := Save(context.Background(), dir, registered(dir), "shop", "test", said(t)); err != nil {
		t.Fatal(err)
	}
	data, err := Load(dir, "shop")
	if err != nil {
		t.Fatal(err)
	}
	if data.Metrics[0].Name != "revenue" || data.Consumers[0].File != "a.go" || len(data.Scans) != 1 || data.Generation == first.Data.Generation {
		t.Errorf("saved %+v", data)
	}
	if diff := cmp.Diff(first.Data.Paths, data.Paths); diff != "" || len(data.Paths) == 0 {
		t.Errorf("paths, -want +got\n%s", diff)
	}
	known, err := registered(dir).Read()
	if err != nil {
		t.Fatal(err)
	}
	if e, err := known.Get("shop"); err != nil || e.Generation != data.Generation || !e.Indexed.Equal(now) {
		t.Errorf("entry %+v, %v", e, err)
	}
	for query, want := range map[string]string{
		"MATCH (m:MetricTemplate)-[:METRIC_DEPENDS]->(t:SchemaTable) RETURN m.node_id, t.table_name, m.tables_used_json ORDER BY m.name": `[["shop::::metric::revenue","orders","[\"public.orders\"]"],["shop::::metric::sold","order_items","[\"public.order_items\"]"]]`,
		"MATCH (c:ExternalConsumer)-[e:CONSUMES]->(t:SchemaTable) RETURN e.edge_id, e.op, e.source ORDER BY e.edge_id": `[["shop::consumer::a->shop::public::orders:read","read","analyze"],` +
			`["shop::consumer::a->shop::public::stray:write","write","analyze"],["shop::consumer::b->shop::public::stray:read","read","analyze"]]`,
		"MATCH (t:SchemaTable) WHERE t.has_external_consumers RETURN t.table_name ORDER BY t.table_name": `[["orders"],["stray"]]`,
		"MATCH (m:GraphMeta) RETURN m.generation":                                                        fmt.Sprintf("[[%q]]", data.Generation),
	} {
		if got := ask(t, dir, query); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
		}
	}

	// Paths over a join that is taken away go with it.
	if err := Save(context.Background(), dir, registered(dir), "shop", "test", func(d *catalog.Data) error { d.Joins = nil; return nil }); err != nil {
		t.Fatal(err)
	}
	if data, err = Load(dir, "shop"); err != nil {
		t.Fatal(err)
	}
	c := catalog.New(*data, 1)
	for _, p := range data.Paths {
		for _, id := range p.Edges {
			if !c.Edge(id).Declared {
				t.Errorf("path %+v leads over no declared key", p)
			}
		}
	}

	wrong := errors.New("wrong")
	before := ask(t, dir, "MATCH (m:GraphMeta) RETURN m.generation")
	if err := Save(context.Background(), dir, registered(dir), "shop", "test", func(*catalog.Data) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("a change that fails: %v", err)
	}
	if after := ask(t, dir, "MATCH (m:GraphMeta) RETURN m.generation"); after != before {
		t.Error("a change that fails was written")
	}
	var unknown *registry.UnknownError
	if err := Save(context.Background(), dir, registered(dir), "shpo", "test", said(t)); !errors.As(err, &unknown) {
		t.Errorf("an unknown connection: %v", err)
	}
	if _, err := Load(dir, "other"); !errors.Is(err, ErrNotIndexed) || !strings.Contains(err.Error(), `pretensor index other`) {
		t.Errorf("no index: %v", err)
	}
}

// TestRun_KeepsWhatWasSaid: metrics, consumers and scans stay with their tables, and
// joins seen in code too.
func TestRun_KeepsWhatWasSaid(t *testing.T) {
	dir := state.At(t.TempDir())
	run(t, dir, request(ddl(t, shop)))
	if err := Save(context.Background(), dir, registered(dir), "shop", "test", said(t)); err != nil {
		t.Fatal(err)
	}
	// A table before the others, orders without total, no table stray.
	next := strings.Replace(strings.Replace(shop, "create table stray (note text, product_no text);", "", 1), ", total numeric", "", 1)
	data := run(t, dir, request(ddl(t, "create table accounts (id bigint primary key);"+next))).Data
	if len(data.Consumers) != 1 || data.Consumers[0].ID != "shop::consumer::a" ||
		!cmp.Equal(data.Consumers[0].Uses, []catalog.Use{{Table: table(t, data, "orders"), Op: "read", Confidence: 0.9}}) {
		t.Errorf("consumers %+v", data.Consumers)
	}
	if len(data.Metrics) != 2 || !data.Metrics[0].Stale || data.Metrics[1].Stale || data.Metrics[1].Uses[0].Table != table(t, data, "order_items") {
		t.Errorf("metrics %+v", data.Metrics)
	}
	if len(data.Scans) != 1 {
		t.Errorf("scans %+v", data.Scans)
	}
	if slices.ContainsFunc(data.Joins, func(j catalog.Join) bool { return j.Kind == string(infer.UsageCode) }) {
		t.Error("a join of a table that is gone stayed")
	}

	other := state.At(t.TempDir())
	run(t, other, request(ddl(t, shop)))
	if err := Save(context.Background(), other, registered(other), "shop", "test", said(t)); err != nil {
		t.Fatal(err)
	}
	data = run(t, other, request(ddl(t, shop+"create table accounts (id bigint primary key);"))).Data
	if i := slices.IndexFunc(data.Joins, func(j catalog.Join) bool { return j.Kind == string(infer.UsageCode) }); i < 0 || data.Joins[i].From != table(t, data, "stray") {
		t.Errorf("the join seen in code is gone: %+v", data.Joins)
	}
	if p, _ := catalog.New(*data, 1).Path(table(t, data, "stray"), table(t, data, "categories")); p == nil {
		t.Error("no path leads over the join seen in code")
	}
}

// The graph has each path in both directions, under ids that do not change.
func TestRun_JoinPaths(t *testing.T) {
	dir := state.At(t.TempDir())
	run(t, dir, request(ddl(t, shop)))
	got := ask(t, dir, `MATCH (p:JoinPath) WHERE p.from_table_id = 'shop::public::orders' AND p.to_table_id = 'shop::public::products'
		OR p.from_table_id = 'shop::public::products' AND p.to_table_id = 'shop::public::orders'
		RETURN p.node_id, p.depth, p.cost, p.confidence, p.ambiguous, p.semantic_label, p.steps_json ORDER BY p.node_id`)
	want := `[["shop::public::orders::shop::public::products::aa415968c97eadfe",2,2,1,false,"orders → products (2 hops)",` +
		`"[{\"from\":\"public.orders\",\"on\":\"id = order_id\",\"to\":\"public.order_items\",\"type\":\"fk\"},{\"from\":\"public.order_items\",\"on\":\"product_id = id\",\"to\":\"public.products\",\"type\":\"fk\"}]"],` +
		`["shop::public::products::shop::public::orders::5989654c1c386894",2,2,1,false,"products → orders (2 hops)",` +
		`"[{\"from\":\"public.products\",\"on\":\"id = product_id\",\"to\":\"public.order_items\",\"type\":\"fk\"},{\"from\":\"public.order_items\",\"on\":\"order_id = id\",\"to\":\"public.orders\",\"type\":\"fk\"}]"]]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Above a number of tables only pairs near to each other are stored.
func TestJoinPaths_Large(t *testing.T) {
	db := modeltest.Large(300, 3000)
	var counts [2]int
	for i, limit := range []int{300, 299} {
		s := SettingsOf(config.Defaults().Graph)
		s.PathTables = limit
		data, c := inferred("l", db, s, nil)
		group(c, data, s, nil)
		list, err := joinPaths(context.Background(), c, data.Clusters, s)
		if err != nil {
			t.Fatal(err)
		}
		counts[i] = len(list)
		for _, p := range list {
			if c.ShadowOf(p.From) >= 0 || c.ShadowOf(p.To) >= 0 || p.From >= p.To || len(p.Edges) == 0 {
				t.Fatalf("path %+v", p)
			}
		}
		ends := func(a, b catalog.Path) int { return slices.Compare([]int{a.From, a.To}, []int{b.From, b.To}) }
		if !slices.IsSortedFunc(list, ends) {
			t.Error("the paths are not in the order of their ends")
		}
	}
	if counts[1] == 0 || counts[1] >= counts[0] {
		t.Errorf("%d paths of all pairs, %d of near ones", counts[0], counts[1])
	}
}

func TestSettingsOf(t *testing.T) {
	g := config.Defaults().Graph
	want := Settings{SameNameMaxTables: 8, AliasSources: 1, MinClusterSize: 3, PathDepth: 4, PathTables: 400}
	if got := SettingsOf(g); got != want {
		t.Errorf("defaults %+v, want %+v", got, want)
	}
	resolution := 2.5
	g.SameNameMaxTables, g.CollapseShadowAliases, g.ClusteringResolutionOverride = nil, false, &resolution
	g.PrecomputeMaxTables = 0 // of no number of tables all pairs
	want = Settings{SameNameMaxTables: -1, Resolution: 2.5, MinClusterSize: 3, PathDepth: 4, PathTables: -1}
	if got := SettingsOf(g); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What is saved while an index is being made is in it.
func TestRun_SavedMeanwhile(t *testing.T) {
	dir := state.At(t.TempDir())
	run(t, dir, request(ddl(t, shop)))
	r := request(ddl(t, shop))
	calls := 0
	r.Embed = func(ctx context.Context, _ *catalog.Data) (catalog.Vectors, error) {
		if calls++; calls == 1 {
			return catalog.Vectors{}, Save(ctx, dir, registered(dir), "shop", "test", said(t))
		}
		return catalog.Vectors{}, nil
	}
	data := run(t, dir, r).Data
	if calls != 2 || len(data.Consumers) != 2 || len(data.Metrics) != 2 || len(data.Scans) != 1 {
		t.Errorf("after %d calls there are %d consumers and %d metrics", calls, len(data.Consumers), len(data.Metrics))
	}
	if !slices.ContainsFunc(data.Joins, func(j catalog.Join) bool { return j.Kind == string(infer.UsageCode) }) {
		t.Error("the join seen in code is not there")
	}
}

// An index that fails or is called off changes nothing.
func TestRun_FailureChangesNothing(t *testing.T) {
	dir := state.At(t.TempDir())
	run(t, dir, request(ddl(t, shop)))
	before := files(t, dir)
	wrong := errors.New("wrong")
	for _, test := range []struct {
		name    string
		attempt func(context.Context, context.CancelFunc) error
	}{
		{"introspection", func(ctx context.Context, _ context.CancelFunc) error {
			_, err := Run(ctx, dir, registered(dir), request(broken{wrong}), nil)
			return err
		}},
		{"called off", func(ctx context.Context, cancel context.CancelFunc) error {
			r := request(ddl(t, shop+"create table new (id int);"))
			r.Embed = func(context.Context, *catalog.Data) (catalog.Vectors, error) {
				cancel()
				return catalog.Vectors{}, wrong
			}
			_, err := Run(ctx, dir, registered(dir), r, nil)
			return err
		}},
		{"writing", func(ctx context.Context, _ context.CancelFunc) error {
			broken := state.At(dir.Path())
			broken.Files.Before = func(state.Step, string) error { return wrong }
			_, err := Run(ctx, broken, registered(broken), request(ddl(t, shop)), nil)
			return err
		}},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		if err := test.attempt(ctx, cancel); !errors.Is(err, wrong) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", test.name, err)
		}
		cancel()
		after := files(t, dir)
		if test.name == "writing" { // the graph comes first, and is whole
			for path := range after {
				if filepath.Ext(path) == ".kuzu" {
					after[path] = before[path]
				}
			}
		}
		for path := range after {
			if before[path] != after[path] {
				t.Errorf("%s: %s changed", test.name, filepath.Base(path))
			}
		}
		if len(after) != len(before) {
			t.Errorf("%s: %d files, before %d", test.name, len(after), len(before))
		}
	}
}

// broken is a connector that cannot introspect.
type broken struct{ err error }

func (b broken) Introspect(context.Context, connect.Options) (*model.Database, error) {
	return nil, b.err
}
func (b broken) Ping(context.Context) error { return b.err }
func (b broken) Close() error               { return nil }
