package detect

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
)

// fixed is a connector whose database never changes; it notes what it was asked.
type fixed struct {
	db    *model.Database
	asked connect.Options
}

func (f *fixed) Introspect(_ context.Context, o connect.Options) (*model.Database, error) {
	f.asked = o
	return f.db, nil
}
func (*fixed) Ping(context.Context) error { return nil }
func (*fixed) Close() error               { return nil }

const shopDDL = `
create table billing.customers (id int primary key);
create table audit (id int primary key, what text);
create table customers (id int primary key, name text, legacy_id int);
create table lines (order_id int references orders, n int, primary key (order_id, n));
create table orders (id int primary key, customer_id int references customers, total numeric(10,2));
create table web_events (id int primary key, customer_ref int);`

// Tables of the shop, as the catalog numbers them.
const (
	billing = iota
	audit
	customers
	lines
	orders
	events
)

func shop(t *testing.T) *model.Database {
	t.Helper()
	return modeltest.FromDDL(t, sqltree.Postgres, "public", shopDDL)
}

// shopCatalog is the shop as it was indexed.
func shopCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	data := catalog.Data{Connection: "shop", Dialect: "postgresql", DefaultSchema: "public", Tables: shop(t).Tables,
		Joins:    []catalog.Join{{From: events, To: customers, FromColumn: "customer_ref", ToColumn: "id", Confidence: 0.8}},
		Clusters: []catalog.Cluster{{Label: "public.orders · Order (3 tables)", Tables: []int{customers, lines, orders}}, {Label: "public.web_events", Tables: []int{events}}, {Label: "public.audit", Tables: []int{audit}}},
		Metrics: []catalog.Metric{
			{Name: "buyers", Uses: []catalog.MetricUse{{Table: customers, Columns: []string{"id", "legacy_id"}}, {Table: orders, Columns: []string{"customer_id"}}}},
			{Name: "names", Uses: []catalog.MetricUse{{Table: customers, Columns: []string{"name"}}}},
			{Name: "revenue", Uses: []catalog.MetricUse{{Table: orders, Columns: []string{"total"}}}},
		},
		Consumers: []catalog.Consumer{
			{ID: "1", Service: "shop-api", Uses: []catalog.Use{{Table: customers, Op: "read"}, {Table: customers, Op: "write"}, {Table: orders, Op: "read"}}},
			{ID: "2", Service: "billing-api", Uses: []catalog.Use{{Table: customers, Op: "read"}}},
			{ID: "3", Service: "billing-api", Uses: []catalog.Use{{Table: customers, Op: "read"}, {Table: audit, Op: "write"}}},
		},
	}
	c := catalog.New(data, 1)
	edge := func(from, to int) int { return c.Between(from, to)[0] }
	lo, oc, ec := edge(lines, orders), edge(orders, customers), edge(events, customers)
	c.Data.Paths = []catalog.Path{
		{From: customers, To: lines, Edges: []int{oc, lo}, Cost: 2},
		{From: customers, To: orders, Edges: []int{oc}, Cost: 1},
		{From: customers, To: events, Edges: []int{ec}, Cost: 2.5},
		{From: lines, To: orders, Edges: []int{lo}, Cost: 1},
		{From: lines, To: events, Edges: []int{lo, oc, ec}, Cost: 4.75},
		{From: orders, To: events, Edges: []int{oc, ec}, Cost: 3.75},
	}
	return c
}

// check runs a check of the shop after a change to it.
func check(t *testing.T, change func(*model.Database), more ...func(*Options)) *Report {
	t.Helper()
	live := shop(t)
	change(live)
	o := Options{
		Entry:    registry.Entry{Name: "shop", Indexed: indexed},
		Snapshot: func() (*snapshot.Snapshot, error) { return &snapshot.Snapshot{Taken: indexed, Database: shop(t)}, nil },
		Open:     func(context.Context) (connect.Connector, error) { return &fixed{db: live}, nil },
		Catalog:  shopCatalog(t), Now: func() time.Time { return checked }, StaleDays: 7,
	}
	for _, m := range more {
		m(&o)
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func dropColumn(table int, name string) func(*model.Database) {
	return func(db *model.Database) {
		db.Tables[table].Columns = slices.DeleteFunc(db.Tables[table].Columns, func(c model.Column) bool { return c.Name == name })
	}
}

// The whole report, in the order of its fields.
func TestRun_Report(t *testing.T) {
	r := check(t, dropColumn(customers, "legacy_id"), func(o *Options) {
		o.Now = func() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.FixedZone("", 3600)) }
	})
	got, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want := `{
 "database": "shop",
 "last_indexed": "2026-11-21T08:12:03Z",
 "checked_at": "2026-11-30T09:00:00Z",
 "changes": [
  {
   "type": "removed",
   "target": "column",
   "schema": "public",
   "table": "customers",
   "column": "legacy_id",
   "details": "column dropped (int)",
   "breaking": true,
   "severity": "breaking"
  }
 ],
 "graph_impact": {
  "stale_join_paths": 10,
  "affected_clusters": [
   "public.orders · Order (3 tables)"
  ],
  "broken_metrics": [
   "buyers"
  ],
  "tables_added": 0,
  "tables_removed": 0,
  "columns_changed": 1
 },
 "affected_join_paths": [
  "public.customers → orders (1 hop)",
  "orders → public.customers (1 hop)",
  "public.customers → lines (2 hops)",
  "lines → public.customers (2 hops)",
  "public.customers → web_events (1 hop)",
  "web_events → public.customers (1 hop)",
  "orders → web_events (2 hops)",
  "web_events → orders (2 hops)",
  "lines → web_events (3 hops)",
  "web_events → lines (3 hops)"
 ],
 "affected_join_paths_total": 10,
 "affected_metrics": [
  "buyers"
 ],
 "affected_consumers": [
  {
   "service": "billing-api",
   "table": "public.customers",
   "count": 2
  },
  {
   "service": "shop-api",
   "table": "public.customers",
   "count": 1
  }
 ],
 "summary": "1 breaking change: 1 column removed; 10 stored join paths need a refresh.",
 "recommendation": "Run: pretensor reindex --database shop --recompute-intelligence",
 "stale_warning": "Index is 9 days old (limit 7). Run: pretensor reindex --database shop",
 "staleness_days": 9
}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestRun_NothingChanged(t *testing.T) {
	r := check(t, func(*model.Database) {})
	want := &Report{Database: "shop", LastIndexed: "2026-11-21T08:12:03Z", CheckedAt: "2026-11-22T09:00:00Z", Changes: []drift.Change{},
		GraphImpact: Impact{AffectedClusters: []string{}, BrokenMetrics: []string{}}, AffectedJoinPaths: []string{}, AffectedMetrics: []string{}, AffectedConsumers: []Consumer{},
		Summary: "No structural changes.", Recommendation: "Nothing to do.", UpToDate: true, StatsDrift: []drift.RowDrift{}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	text, err := json.Marshal(r)
	if err != nil || strings.Contains(string(text), "null") || strings.Contains(string(text), "stats_drift") || !strings.Contains(string(text), `"up_to_date":true`) {
		t.Errorf("%s %v", text, err)
	}
}

func TestRun_Impact(t *testing.T) {
	type result struct {
		Paths                              int
		Clusters, Metrics, Broken, Readers string
		Added, Removed, Columns            int
	}
	add := func(table int, c model.Column) func(*model.Database) {
		return func(db *model.Database) {
			c.Ordinal = 20
			db.Tables[table].Columns = append(db.Tables[table].Columns, c)
		}
	}
	const sales = "public.orders · Order (3 tables)"
	for name, c := range map[string]struct {
		change func(*model.Database)
		want   result
	}{
		"comments": {func(db *model.Database) {
			db.Tables[orders].Comment, db.Tables[customers].Columns[0].Comment = "x", "y"
		}, result{}},
		"an index": {func(db *model.Database) {
			db.Tables[orders].Indexes = []model.Index{{Name: "i", Columns: []string{"total"}, Type: "btree"}}
		}, result{}},
		"a table added": {func(db *model.Database) {
			db.Tables = append(db.Tables, model.Table{Schema: "public", Name: "zones", Type: model.BaseTable, Columns: []model.Column{{Name: "a"}}})
		}, result{Added: 1}},
		"a column that nothing uses": {add(events, model.Column{Name: "note", Type: "text", Nullable: true}),
			result{Paths: 6, Clusters: "public.web_events", Columns: 1}},
		"a column that reads go on without": {func(db *model.Database) { db.Tables[orders].Column("total").Nullable = false },
			result{Paths: 10, Clusters: sales, Metrics: "revenue", Readers: "shop-api public.orders 1", Columns: 1}},
		"a column of another type": {func(db *model.Database) {
			db.Tables[orders].Column("total").Type, db.Tables[orders].Column("total").Comment = "text", "x"
		},
			result{Paths: 10, Clusters: sales, Metrics: "revenue", Broken: "revenue", Readers: "shop-api public.orders 1", Columns: 1}},
		"a column renamed": {func(db *model.Database) { db.Tables[customers].Column("legacy_id").Name = "legacyid" },
			result{Paths: 10, Clusters: sales, Metrics: "buyers", Broken: "buyers", Readers: "billing-api public.customers 2,shop-api public.customers 1", Columns: 1}},
		"a key dropped": {func(db *model.Database) { db.Tables[orders].ForeignKeys = nil },
			result{Paths: 10, Clusters: sales, Metrics: "buyers,revenue", Readers: "shop-api public.orders 1"}},
		"a table dropped": {func(db *model.Database) { db.Tables = slices.Delete(db.Tables, audit, audit+1) },
			result{Clusters: "public.audit", Readers: "billing-api public.audit 1", Removed: 1}},
		"a table renamed, and a column of it dropped": {func(db *model.Database) {
			o := &db.Tables[orders]
			o.Name = "purchases"
			db.Tables[lines].ForeignKeys[0].RefTable = "purchases"
			for _, d := range []string{"a", "b", "c"} {
				o.Columns = append(o.Columns, model.Column{Name: d})
			}
			o.Columns = slices.DeleteFunc(o.Columns, func(c model.Column) bool { return len(c.Name) == 1 })
		}, result{Paths: 10, Clusters: sales, Metrics: "buyers,revenue", Broken: "buyers,revenue", Readers: "shop-api public.orders 1"}},
		"one of the same name elsewhere": {dropColumn(billing, "id"), result{Columns: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			r := check(t, c.change)
			var readers []string
			for _, k := range r.AffectedConsumers {
				readers = append(readers, fmt.Sprint(k.Service, " ", k.Table, " ", k.Count))
			}
			g := r.GraphImpact
			got := result{g.StaleJoinPaths, strings.Join(g.AffectedClusters, ","), strings.Join(r.AffectedMetrics, ","), strings.Join(g.BrokenMetrics, ","),
				strings.Join(readers, ","), g.TablesAdded, g.TablesRemoved, g.ColumnsChanged}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("impact of %v (-want +got):\n%s", r.Changes, diff)
			}
			if r.UpToDate || len(r.Changes) == 0 || r.AffectedJoinPathsTotal != g.StaleJoinPaths || len(r.AffectedJoinPaths) != g.StaleJoinPaths {
				t.Errorf("report %+v", r)
			}
		})
	}
}

func TestRun_ManyPaths(t *testing.T) {
	r := check(t, dropColumn(orders, "total"), func(o *Options) {
		for range 120 {
			o.Catalog.Data.Paths = append(o.Catalog.Data.Paths, catalog.Path{From: lines, To: orders, Edges: []int{o.Catalog.Between(lines, orders)[0]}, Cost: 9})
		}
	})
	if len(r.AffectedJoinPaths) != MaxPaths || r.AffectedJoinPathsTotal != 250 || r.GraphImpact.StaleJoinPaths != 250 {
		t.Errorf("%d paths of %d", len(r.AffectedJoinPaths), r.AffectedJoinPathsTotal)
	}
}

func TestRun_WithoutGraph(t *testing.T) {
	r := check(t, dropColumn(orders, "total"), func(o *Options) { o.Catalog = nil })
	if len(r.Changes) != 1 || r.AffectedJoinPaths == nil || r.GraphImpact.AffectedClusters == nil || r.GraphImpact.ColumnsChanged != 1 || r.GraphImpact.StaleJoinPaths != 0 ||
		r.Recommendation != "Run: pretensor index shop" {
		t.Errorf("report %+v", r)
	}
}

// What may not be seen is taken out of both sides, else it would look dropped or
// new.
func TestRun_Hidden(t *testing.T) {
	hide := func(dbs ...*model.Database) []*model.Database {
		out := []*model.Database{}
		for _, db := range dbs {
			d := *db
			d.Tables = slices.DeleteFunc(slices.Clone(db.Tables), func(t model.Table) bool { return t.Name == "audit" || t.Name == "secret" })
			out = append(out, &d)
		}
		return out
	}
	r := check(t, func(db *model.Database) {
		dropColumn(audit, "what")(db)
		db.Tables = append(db.Tables, model.Table{Schema: "public", Name: "secret", Type: model.BaseTable})
	}, func(o *Options) { o.Hide = hide })
	if !r.UpToDate {
		t.Errorf("changes %v", r.Changes)
	}
	if r := check(t, dropColumn(orders, "total"), func(o *Options) { o.Hide = hide }); len(r.Changes) != 1 {
		t.Errorf("changes %v", r.Changes)
	}
}

// The database is read as it was when it was indexed, and without statistics.
func TestRun_Asks(t *testing.T) {
	f := &fixed{db: shop(t)}
	for mode, counts := range map[connect.StatsMode]bool{connect.StatsNone: false, connect.StatsCatalog: true, connect.StatsSample: true} {
		check(t, func(*model.Database) {}, func(o *Options) {
			o.Snapshot = func() (*snapshot.Snapshot, error) { return &snapshot.Snapshot{Stats: mode, Database: shop(t)}, nil }
			o.Open = func(ctx context.Context) (connect.Connector, error) {
				if end, ok := ctx.Deadline(); !ok || time.Until(end) > Limit || time.Until(end) < Limit-10*time.Second {
					t.Errorf("time limit %v", time.Until(end))
				}
				return f, nil
			}
			o.Schemas, o.ExcludeSchemas, o.IncludePartitions, o.IncludeExtensions = []string{"public", "billing"}, []string{"x"}, true, true
		})
		want := connect.Options{Schemas: []string{"public", "billing"}, ExcludeSchemas: []string{"x"}, IncludePartitions: true, IncludeExtensions: true,
			Stats: connect.StatsNone, RowCounts: counts}
		if diff := cmp.Diff(want, f.asked); diff != "" {
			t.Errorf("%s: options (-want +got):\n%s", mode, diff)
		}
	}
}

func TestRun_Staleness(t *testing.T) {
	for days, want := range map[int]int{0: 0, 6: 0, 7: 0, 8: 8, 400: 400} {
		r := check(t, func(*model.Database) {}, func(o *Options) {
			o.Now = func() time.Time { return indexed.Add(time.Duration(days)*24*time.Hour + 23*time.Hour) }
		})
		if r.StalenessDays != want || (r.StaleWarning != "") != (want > 0) {
			t.Errorf("after %d days: %d, %q", days, r.StalenessDays, r.StaleWarning)
		}
	}
}

// Many more or fewer rows are no change, but are told.
func TestRun_StatsDrift(t *testing.T) {
	for name, c := range map[string]struct {
		make                func(*testing.T) connecttest.Database
		create, fill, count string
	}{
		"PostgreSQL": {newPostgres, "CREATE TABLE few (a int); CREATE TABLE many (a int)", "INSERT INTO many SELECT generate_series(1, 20000)", "ANALYZE"},
		"MariaDB":    {newMariaDB, "CREATE TABLE few (a int); CREATE TABLE many (a int)", "INSERT INTO many SELECT seq FROM seq_1_to_20000", "ANALYZE TABLE few, many"},
		"SQLite": {newSQLite, "CREATE TABLE few (a int); CREATE TABLE many (a int); INSERT INTO many VALUES (1)",
			"WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n WHERE a < 20000) INSERT INTO many SELECT a FROM n", "ANALYZE"},
		"DuckDB": {newDuckDB, "CREATE TABLE few (a int); CREATE TABLE many (a int)", "INSERT INTO many SELECT range FROM range(20000)", "CHECKPOINT"},
	} {
		t.Run(name, func(t *testing.T) {
			d := c.make(t)
			d.Do(t, c.create)
			d.Do(t, "INSERT INTO few VALUES (1), (2)")
			d.Do(t, c.count)
			o, _ := indexOf(t, d)
			d.Do(t, c.fill)
			d.Do(t, c.count)
			r, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if !r.UpToDate || len(r.StatsDrift) != 1 || r.StatsDrift[0].Table != "many" || r.StatsDrift[0].New < 15_000 || r.StatsDrift[0].New > 25_000 {
				t.Errorf("up to date: %v, drift %+v", r.UpToDate, r.StatsDrift)
			}
		})
	}
}
