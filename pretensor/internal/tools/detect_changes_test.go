package tools

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/sqlite"
	"github.com/quartet-mcp/quartet/pretensor/internal/detect"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// live is a real SQLite file, indexed and served.
type live struct {
	*world
	file string
}

func serveLive(t *testing.T, ddl string) *live {
	t.Helper()
	l := &live{serve(t, nil), filepath.Join(t.TempDir(), "shop.db")}
	l.exec(ddl)
	l.sv.Live = &Live{
		Connect: func(ctx context.Context, e registry.Entry) (connect.Connector, error) {
			d, err := dsn.Parse("sqlite:///" + l.file)
			if err != nil {
				return nil, err
			}
			return sqlite.Open(ctx, d)
		},
		Snapshot: func(connection string) (*snapshot.Snapshot, error) { return snapshot.Read(l.dir, connection) },
	}
	c, err := l.sv.Live.Connect(t.Context(), registry.Entry{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = index.Run(t.Context(), l.dir, l.reg, index.Request{
		Entry: registry.Entry{Name: "shop"}, Connector: c, Settings: index.Settings{AliasSources: 1, MinClusterSize: 3, SameNameMaxTables: 8},
		Now: today.Add(-24 * time.Hour), Version: "test",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// exec changes the database.
func (l *live) exec(text string) {
	l.t.Helper()
	db, err := sql.Open("sqlite", l.file)
	if err == nil {
		_, err = db.Exec(text)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

const liveDDL = `
create table customers (id integer primary key, name text not null, legacy_id integer);
create table orders (id integer primary key, customer_id integer references customers (id), total numeric);
create table lines (order_id integer references orders (id), n integer, primary key (order_id, n));`

func TestDetectChanges_UpToDate(t *testing.T) {
	l := serveLive(t, liveDDL)
	l.exec("insert into customers values (1, 'a', 1), (2, 'b', 2)") // no change of structure
	before := files(t, l.dir.Path())
	db := files(t, filepath.Dir(l.file))
	want := `{"database":"shop","last_indexed":"2026-11-29T09:00:00Z","checked_at":"2026-11-30T09:00:00Z","changes":[],` +
		`"graph_impact":{"stale_join_paths":0,"affected_clusters":[],"broken_metrics":[],"tables_added":0,"tables_removed":0,"columns_changed":0},` +
		`"affected_join_paths":[],"affected_join_paths_total":0,"affected_metrics":[],"affected_consumers":[],` +
		`"summary":"No structural changes.","recommendation":"Nothing to do.","up_to_date":true}`
	if got := l.good("detect_changes", `{"database":"shop"}`, nil); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if diff := cmp.Diff(before, files(t, l.dir.Path())); diff != "" {
		t.Errorf("the state directory has changed: %s", diff)
	}
	if diff := cmp.Diff(db, files(t, filepath.Dir(l.file))); diff != "" {
		t.Errorf("the database has changed: %s", diff)
	}
}

func TestDetectChanges(t *testing.T) {
	l := serveLive(t, liveDDL)
	l.exec("alter table customers drop column legacy_id; create table coupons (code text primary key, \"per\"\"cent\" integer)")
	var r detectChangesResult
	text := l.good("detect_changes", `{"database":" SHOP "}`, &r)
	var changes []string
	for _, c := range r.Changes {
		changes = append(changes, fmt.Sprintf("%s %s %s.%s %s %s", c.Severity, c.Type, c.Table, c.Column, c.Target, c.Details))
	}
	want := []string{"breaking removed customers.legacy_id column column dropped (INTEGER)", "safe added coupons. table table added (2 columns)"}
	if diff := cmp.Diff(want, changes); diff != "" {
		t.Errorf("changes: %s\n%s", diff, text)
	}
	if r.UpToDate || r.GraphImpact.TablesAdded != 1 || r.GraphImpact.ColumnsChanged != 1 || !strings.HasPrefix(r.Summary, "1 breaking change: 1 column removed") || !strings.HasPrefix(r.Recommendation, "Run: pretensor reindex --database shop") {
		t.Errorf("got %s", text)
	}
	if strings.Contains(text, l.file) {
		t.Errorf("the answer names the file: %s", text)
	}
}

func TestDetectChanges_Refusals(t *testing.T) {
	l := serveLive(t, liveDDL)
	l.register(registry.Entry{Name: "new", Dialect: "sqlite"})
	time.Sleep(1100 * time.Millisecond) // the registry is looked at once a second
	l.refusals("detect_changes", map[string]string{
		`{}`:                 `{"error":"detect_changes needs the argument 'database'.","code":"invalid_argument","hint":"give it as text","candidates":["new","shop"]}`,
		`{"database":"sho"}`: `{"error":"No connection named 'sho'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["new","shop"]}`,
		`{"database":"new"}`: `{"error":"There is no snapshot of \"new\" to compare with.","code":"no_snapshot","hint":"Run: pretensor index new","checked_at":"2026-11-30T09:00:00Z"}`,
	})
	connectTo := l.sv.Live.Connect
	for _, c := range []struct {
		err  error
		want failure
	}{
		{&connect.Error{Category: connect.AuthFailed, Message: "the server refuses the user", Hint: "Check the password."},
			failure{Code: "connection_unavailable", Category: "auth_failed", Error: `"shop" cannot be reached: the server refuses the user.`, Hint: "Check the password."}},
		{errors.New("dial postgres://me:hunter2@host/db: no route"),
			failure{Code: "connection_unavailable", Category: "connection_unavailable", Error: `"shop" cannot be reached.`, Hint: "Run: pretensor check shop"}},
	} {
		l.sv.Live.Connect = func(context.Context, registry.Entry) (connect.Connector, error) { return nil, c.err }
		c.want.LastIndexed, c.want.CheckedAt = "2026-11-29T09:00:00Z", "2026-11-30T09:00:00Z"
		if diff := cmp.Diff(c.want, l.bad("detect_changes", `{"database":"shop"}`)); diff != "" {
			t.Error(diff)
		}
	}
	// A file that is gone: nothing tells where it was.
	l.sv.Live.Connect = connectTo
	l.file += ".gone"
	f := l.bad("detect_changes", `{"database":"shop"}`)
	if b, _ := json.Marshal(f); f.Code != "connection_unavailable" || f.Category == "" || strings.Contains(string(b), filepath.Dir(l.file)) {
		t.Errorf("got %s", b)
	}
}

// Without rules for introspections a server with rules does not compare at all; with
// them hidden tables are nowhere.
func TestDetectChanges_HiddenTables(t *testing.T) {
	l := serveLive(t, liveDDL)
	l.sv.Store = store.New(l.dir, l.reg, store.Options{AliasSources: 1, Hide: func(d *catalog.Data) *catalog.Data { return d }})
	if f := l.bad("detect_changes", `{"database":"shop"}`); f.Code != "internal" {
		t.Errorf("without rules: %+v", f)
	}
	l.sv.Live.Hide = func(connection string, dbs ...*model.Database) []*model.Database {
		out := make([]*model.Database, len(dbs))
		for i, db := range dbs {
			shown := *db
			shown.Tables = slices.DeleteFunc(slices.Clone(db.Tables), func(t model.Table) bool { return strings.HasPrefix(t.Name, "secret") })
			out[i] = &shown
		}
		return out
	}
	l.exec("create table secret_plans (id integer primary key); create table open_plans (id integer primary key)")
	text := l.good("detect_changes", `{"database":"shop"}`, nil)
	if strings.Contains(text, "secret") || !strings.Contains(text, "open_plans") {
		t.Errorf("got %s", text)
	}
}

// What is read is what was indexed.
func TestDetectChanges_Scope(t *testing.T) {
	l := serveLive(t, liveDDL)
	var asked connect.Options
	connectTo := l.sv.Live.Connect
	l.sv.Live.Connect = func(ctx context.Context, e registry.Entry) (connect.Connector, error) {
		c, err := connectTo(ctx, e)
		return &asks{c, &asked}, err
	}
	l.sv.Live.Scope = func(registry.Entry) (connect.Options, error) {
		return connect.Options{Schemas: []string{"main"}, IncludePartitions: true, Stats: connect.StatsSample, SampleValues: true}, nil
	}
	l.good("detect_changes", `{"database":"shop"}`, nil)
	if !slices.Equal(asked.Schemas, []string{"main"}) || !asked.IncludePartitions || asked.IncludeExtensions || asked.SampleValues || asked.Stats == connect.StatsSample {
		t.Errorf("asked for %+v", asked)
	}
}

type asks struct {
	connect.Connector
	asked *connect.Options
}

func (a *asks) Introspect(ctx context.Context, o connect.Options) (*model.Database, error) {
	*a.asked = o
	return a.Connector.Introspect(ctx, o)
}

// A long answer keeps the worst changes.
func TestDetectChanges_Cut(t *testing.T) {
	var ddl strings.Builder
	for i := range 800 {
		fmt.Fprintf(&ddl, "create table a_table_with_a_long_name_%03d (id integer primary key);\n", i)
	}
	l := serveLive(t, liveDDL)
	l.exec("begin; " + ddl.String() + "drop table lines; commit")
	var r detectChangesResult
	text := l.good("detect_changes", `{"database":"shop"}`, &r)
	if len(text) > maxAnswer || !r.Cut || r.TotalChanges != 801 || len(r.Changes) < 100 || r.Changes[0].Severity != drift.Breaking || r.Warning == "" {
		t.Errorf("%d characters, %v, %d of %d: %q", len(text), r.Cut, len(r.Changes), r.TotalChanges, r.Warning)
	}
	if r.GraphImpact.TablesAdded != 800 {
		t.Errorf("%d tables added", r.GraphImpact.TablesAdded)
	}
}

// All lists can be cut.
func TestDetectChanges_CutLists(t *testing.T) {
	names := make([]string, 300)
	r := &detectChangesResult{Report: detect.Report{
		Changes: make([]drift.Change, 10), AffectedMetrics: names, AffectedConsumers: make([]detect.Consumer, 20), StatsDrift: make([]drift.RowDrift, 200),
		GraphImpact: detect.Impact{BrokenMetrics: names, AffectedClusters: names[:100]},
	}}
	for _, n := range []int{500, 100, 3, 0} {
		r.CutRows(n)
		if r.RowCount() > n {
			t.Errorf("%d entries, want at most %d", r.RowCount(), n)
		}
	}
	if r.TotalChanges != 10 || r.TotalMetrics != 300 || r.TotalBroken != 300 || r.TotalClusters != 100 || r.TotalConsumers != 20 || r.TotalDrift != 200 {
		t.Errorf("totals: %+v", r)
	}
}
