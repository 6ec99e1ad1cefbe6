package index

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/sqlite"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// execute runs SQL on an SQLite file, which it makes if there is none.
func execute(t *testing.T, file, script string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
}

func openFile(t *testing.T, file string) connect.Connector {
	t.Helper()
	d, err := dsn.Parse("sqlite:////" + strings.TrimPrefix(file, "/"))
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

func copied(t *testing.T, dir *state.Dir) *state.Dir {
	t.Helper()
	to := filepath.Join(t.TempDir(), "state")
	if err := os.CopyFS(to, os.DirFS(dir.Path())); err != nil {
		t.Fatal(err)
	}
	return state.At(to)
}

// files is the content of every file below a directory, but the locks.
func files(t *testing.T, dir *state.Dir) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir.Path(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "lock") {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mutable is a database that random changes are made to.
type mutable struct {
	rng    *rand.Rand
	tables []string
	made   int
}

func (m *mutable) table() string { return m.tables[m.rng.IntN(len(m.tables))] }

func (m *mutable) create() string {
	m.made++
	name := fmt.Sprintf("%s_%d", []string{"orders", "customers", "products", "items", "visits", "stores"}[m.rng.IntN(6)], m.made)
	text := fmt.Sprintf("CREATE TABLE %s (id INTEGER PRIMARY KEY, name TEXT, amount NUMERIC, c0 INTEGER, c1 TEXT", name)
	for i := range m.rng.IntN(3) {
		if len(m.tables) > 0 {
			text += fmt.Sprintf(", ref_%d INTEGER REFERENCES %s(id)", i, m.table())
		}
	}
	if len(m.tables) > 0 {
		text += fmt.Sprintf(", %s_id INTEGER", m.table())
	}
	m.tables = append(m.tables, name)
	return text + ");\n"
}

// change is one random change of the structure.
func (m *mutable) change() string {
	m.made++
	at := m.rng.IntN(len(m.tables))
	t := m.tables[at]
	switch m.rng.IntN(7) {
	case 0:
		m.tables = slices.Delete(m.tables, at, at+1)
		return fmt.Sprintf("DROP TABLE %s;\n", t)
	case 1:
		m.tables[at] = fmt.Sprintf("renamed_%d", m.made)
		return fmt.Sprintf("ALTER TABLE %s RENAME TO %s;\n", t, m.tables[at])
	case 2:
		return fmt.Sprintf("ALTER TABLE %s ADD COLUMN x%d TEXT;\n", t, m.made)
	case 3:
		return fmt.Sprintf("ALTER TABLE %s RENAME COLUMN name TO n%d; ALTER TABLE %s ADD COLUMN name TEXT;\n", t, m.made, t)
	case 4:
		return fmt.Sprintf("CREATE UNIQUE INDEX u%d ON %s (c0);\n", m.made, t)
	case 5:
		return fmt.Sprintf("ALTER TABLE %s ADD COLUMN other_%d INTEGER REFERENCES %s(id);\n", t, m.made, m.table())
	default:
		return m.create()
	}
}

// TestReindex_EqualsRun: an index that is brought up to date and recomputed is what a
// full one would be, and one that is not differs only in clusters and join paths.
func TestReindex_EqualsRun(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := &mutable{rng: rand.New(rand.NewPCG(seed, 7))}
			script := ""
			for range 30 {
				script += m.create()
			}
			file := filepath.Join(t.TempDir(), "shop.db")
			execute(t, file, script+fmt.Sprintf("CREATE VIEW v AS SELECT id, name FROM %s;", m.tables[0]))
			keep := m.tables[0] // the view's
			m.tables = m.tables[1:]
			r := request(openFile(t, file))
			a := state.At(t.TempDir())
			run(t, a, r)
			if err := Save(context.Background(), a, registered(a), "shop", "test", func(d *catalog.Data) error {
				for i := range d.Tables {
					d.Consumers = append(d.Consumers, catalog.Consumer{ID: fmt.Sprint(i), Service: "s", File: "f", LineStart: i, Uses: []catalog.Use{{Table: i, Op: "read"}}})
					d.Metrics = append(d.Metrics, catalog.Metric{Name: fmt.Sprintf("m%02d", i), Generated: now, Uses: []catalog.MetricUse{{Table: i, Columns: []string{"name"}}}})
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			b, c := copied(t, a), copied(t, a)
			script = ""
			for range 1 + seed*3 {
				script += m.change()
			}
			execute(t, file, script)
			r.Connector = openFile(t, file)

			again, err := Reindex(context.Background(), a, registered(a), r, ReindexOptions{Recompute: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(again.Changes) == 0 || again.Changed == 0 || !again.Recomputed {
				t.Errorf("changes %v of %d tables, recomputed %v", again.Changes, again.Changed, again.Recomputed)
			}
			full := run(t, b, r)
			if !bytes.Equal(encoded(t, again.Data), encoded(t, full.Data)) {
				t.Errorf("after %s\na full index differs: %s", script, cmp.Diff(full.Data, again.Data))
			}
			written, err := Load(a, "shop")
			if err != nil || !bytes.Equal(encoded(t, written), encoded(t, full.Data)) {
				t.Errorf("what is written differs: %v", err)
			}

			patched, err := Reindex(context.Background(), c, registered(c), r, ReindexOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if patched.Recomputed != (patched.Changed*10 > 31) {
				t.Errorf("recomputed %v with %d of 31 tables", patched.Recomputed, patched.Changed)
			}
			checkWhole(t, patched.Data)
			x, y := *patched.Data, *full.Data
			x.Clusters, x.Paths, y.Clusters, y.Paths = nil, nil, nil, nil
			if !bytes.Equal(encoded(t, &x), encoded(t, &y)) {
				t.Errorf("after %s\nthe patched index differs: %s", script, cmp.Diff(y, x))
			}
			if !slices.ContainsFunc(full.Data.Tables[table(t, full.Data, keep)].Columns, func(c model.Column) bool { return c.Name == "name" }) {
				t.Error("the test's own table is gone")
			}
		})
	}
}

// checkWhole checks that what data says of tables and edges is there.
func checkWhole(t *testing.T, data *catalog.Data) {
	t.Helper()
	c := catalog.New(*data, settings.AliasSources)
	in := map[int]bool{}
	for _, k := range data.Clusters {
		for _, x := range k.Tables {
			if x < 0 || x >= c.Len() || in[x] || c.ShadowOf(x) >= 0 {
				t.Fatalf("cluster %+v", k)
			}
			in[x] = true
		}
	}
	for i, p := range data.Paths {
		at := p.From
		for _, id := range p.Edges {
			switch e := c.Edge(id); at {
			case e.From:
				at = e.To
			case e.To:
				at = e.From
			default:
				t.Fatalf("path %+v breaks at table %d", p, at)
			}
		}
		if at != p.To || p.From >= p.To {
			t.Fatalf("path %+v ends at table %d", p, at)
		}
		if i > 0 && slices.Compare([]int{data.Paths[i-1].From, data.Paths[i-1].To}, []int{p.From, p.To}) >= 0 {
			t.Fatalf("path %+v is not in its place", p)
		}
	}
}

// TestReindex_Stale marks what touches a changed table, and nothing else.
func TestReindex_Stale(t *testing.T) {
	dir := state.At(t.TempDir())
	wide := shop
	for i := range 20 {
		wide += fmt.Sprintf("create table other_%d (id bigint primary key, name text);", i)
	}
	wide += "alter table other_1 add constraint k foreign key (id) references other_2;"
	before := run(t, dir, request(ddl(t, wide))).Data
	changedScript := strings.Replace(wide, "name text, price numeric", "name text, price bigint", 1)
	r := request(ddl(t, changedScript))

	unchanged := files(t, dir)
	dry, err := Reindex(context.Background(), dir, registered(dir), r, ReindexOptions{DryRun: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(unchanged, files(t, dir)); diff != "" {
		t.Errorf("a dry run wrote: %s", diff)
	}
	result, err := Reindex(context.Background(), dir, registered(dir), r, ReindexOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.Changed != 1 || len(result.Changes) != 1 || result.Changes[0].Table != "products" || result.Recomputed {
		t.Fatalf("%d tables changed, recomputed %v: %v", result.Changed, result.Recomputed, result.Changes)
	}
	if dry.StalePaths != result.StalePaths || dry.StaleClusters != result.StaleClusters || dry.Counts != result.Counts {
		t.Errorf("planned %+v, done %+v", dry, result)
	}
	data := result.Data
	c := catalog.New(*data, 1)
	products := table(t, data, "products")
	stale := 0
	for _, p := range data.Paths {
		touches := p.From == products || p.To == products
		for _, id := range p.Edges {
			touches = touches || c.Edge(id).From == products || c.Edge(id).To == products
		}
		if p.Stale != touches {
			t.Errorf("path %+v", p)
		}
		if p.Stale {
			stale += 2
		}
	}
	if stale == 0 || stale == 2*len(data.Paths) || result.StalePaths != stale || len(data.Paths) != len(before.Paths) {
		t.Errorf("%d of %d paths are stale, the result says %d", stale, len(data.Paths), result.StalePaths)
	}
	for _, k := range data.Clusters {
		if k.Stale != slices.Contains(k.Tables, products) {
			t.Errorf("cluster %+v", k)
		}
	}
	if result.StaleClusters != 1 {
		t.Errorf("%d clusters are stale", result.StaleClusters)
	}
	if got := ask(t, dir, "MATCH (p:JoinPath) WHERE p.stale RETURN count(*)"); got != fmt.Sprintf("[[%d]]", stale) {
		t.Errorf("stale paths in the graph: %s", got)
	}

	// Stale marks stay until everything is computed anew.
	second, err := Reindex(context.Background(), dir, registered(dir), r, ReindexOptions{}, nil)
	if err != nil || len(second.Changes) != 0 || second.Changes == nil || second.StalePaths != stale {
		t.Errorf("a second time: %d stale paths, changes %v, %v", second.StalePaths, second.Changes, err)
	}
	third, err := Reindex(context.Background(), dir, registered(dir), r, ReindexOptions{Recompute: true}, nil)
	if err != nil || third.StalePaths+third.StaleClusters != 0 {
		t.Errorf("recomputed: %d stale paths, %d clusters, %v", third.StalePaths, third.StaleClusters, err)
	}
}

// Many changes make it derive all anew.
func TestReindex_HowMuchChanged(t *testing.T) {
	dir := state.At(t.TempDir())
	run(t, dir, request(ddl(t, shop)))
	r := request(ddl(t, strings.ReplaceAll(shop, "numeric", "bigint")))
	result, err := Reindex(context.Background(), dir, registered(dir), r, ReindexOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Recomputed || result.Changed != 3 || result.StalePaths != 0 || len(result.Warnings) != 1 || !strings.Contains(result.Warnings[0], "3 of 6 tables changed") {
		t.Errorf("recomputed %v, %d tables, %q", result.Recomputed, result.Changed, result.Warnings)
	}
}

func TestReindex_NoSnapshot(t *testing.T) {
	dir := state.At(t.TempDir())
	_, err := Reindex(context.Background(), dir, registered(dir), request(ddl(t, shop)), ReindexOptions{}, nil)
	if !errors.Is(err, snapshot.ErrMissing) || !strings.Contains(err.Error(), `pretensor index shop`) {
		t.Errorf("error %v", err)
	}
}

// What is only said about a table changes nothing that was derived from it.
func TestTouchedBy(t *testing.T) {
	tables, n := touchedBy([]drift.Change{
		{Type: drift.Modified, Target: drift.Comment, Schema: "s", Table: "a"},
		{Type: drift.Renamed, Target: drift.Table, Schema: "s", Table: "new", Old: "s.old", New: "s.new"},
		{Type: drift.Renamed, Target: drift.Column, Schema: "s", Table: "b", Column: "x", Old: "y", New: "x"},
	})
	if diff := cmp.Diff(map[string]bool{"s.new": true, "s.old": true, "s.b": true}, tables); diff != "" || n != 2 {
		t.Errorf("%d tables, -want +got\n%s", n, diff)
	}
}
