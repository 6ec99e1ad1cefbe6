package visibility_test

import (
	"bytes"
	stdcmp "cmp"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/visibility"
)

const connection = "shop"

// code is a word that no other name holds: z and three letters of which none looks
// like a plural.
func code(n int) string {
	const letters = "bcdfgkmnpqrtvwx"
	return "z" + string([]byte{letters[n/225%15], letters[n/15%15], letters[n%15]})
}

// world is a rich catalog whose names are codes, but for some columns that several
// tables have. It is made of the same names for the same seed.
type world struct {
	*catalog.Data
	rng   *rand.Rand
	codes int
	names []string // of all that has a code
}

// name is a new name: plain, in camel case, or one that needs quotes.
func (w *world) name() string {
	c := code(w.codes)
	w.codes++
	n := []string{c + "_thing", c + "Thing", "Big " + c, c + ".part", c + "-x", strings.ToUpper(c) + "_1"}[w.rng.IntN(6)]
	w.names = append(w.names, n)
	return n
}

// codeOf is the code in a name.
func codeOf(name string) string {
	i := strings.IndexByte(strings.ToLower(name), 'z')
	return name[i : i+4]
}

func q(name string) string { return `"` + name + `"` }

// prose is a text that names some things.
func (w *world) prose(names ...string) string {
	text := []string{"all about", "see", "joins", "not to be mixed up with", "once was", "feeds", "was copied from"}
	var b strings.Builder
	for range 1 + w.rng.IntN(3) {
		n := names[w.rng.IntN(len(names))]
		switch w.rng.IntN(5) {
		case 0:
			n = strings.ToUpper(n)
		case 1:
			n = "ix_" + n + "_2"
		case 2:
			n += "s"
		case 3:
			n = q(n)
		}
		fmt.Fprintf(&b, "%s %s, ", text[w.rng.IntN(len(text))], n)
	}
	return b.String() + "and so on."
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// newWorld builds one.
func newWorld(tb testing.TB, seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 7))}
	var ddl strings.Builder
	type made struct {
		schema, name string
		keys, others []string
	}
	var tables []made
	schemas := []string{w.name(), w.name(), w.name()}
	for range 14 {
		m := made{schema: pick(w.rng, schemas), name: w.name()}
		fmt.Fprintf(&ddl, "create table %s.%s (", q(m.schema), q(m.name))
		for range 1 + w.rng.IntN(2) {
			m.keys = append(m.keys, w.name())
		}
		for range 2 + w.rng.IntN(4) {
			m.others = append(m.others, w.name())
		}
		m.others = append(m.others, "note")
		for _, c := range append(slices.Clone(m.keys), m.others...) {
			fmt.Fprintf(&ddl, "%s bigint, ", q(c))
		}
		var keys []string
		for _, k := range m.keys {
			keys = append(keys, q(k))
		}
		if len(tables) > 0 {
			for range 1 + w.rng.IntN(3) { // with columns of its own that refer
				to := pick(w.rng, tables)
				var from, there []string
				for _, k := range to.keys {
					c := w.name()
					m.others = append(m.others, c)
					fmt.Fprintf(&ddl, "%s bigint, ", q(c))
					from, there = append(from, q(c)), append(there, q(k))
				}
				fmt.Fprintf(&ddl, "constraint %s foreign key (%s) references %s.%s (%s), ", q("fk_"+m.name+"_"+to.name), strings.Join(from, ","), q(to.schema), q(to.name), strings.Join(there, ","))
			}
		}
		fmt.Fprintf(&ddl, "constraint %s unique (%s), ", q("uq_"+pick(w.rng, m.others)), q(m.others[0]))
		fmt.Fprintf(&ddl, "primary key (%s));\n", strings.Join(keys, ", "))
		fmt.Fprintf(&ddl, "create index %s on %s.%s (%s, lower(%s));\n", q("ix_"+pick(w.rng, m.others)), q(m.schema), q(m.name), q(m.others[0]), q(m.others[1]))
		fmt.Fprintf(&ddl, "create index %s on %s.%s (%s);\n", q("ix_"+m.name), q(m.schema), q(m.name), q(m.others[1]))
		tables = append(tables, m)
	}
	for i := range 6 { // views over tables and over views
		from := pick(w.rng, tables)
		m := made{schema: pick(w.rng, schemas), name: w.name()}
		out := w.name()
		m.others = []string{out, "note"}
		query := fmt.Sprintf("select %s as %s, note from %s.%s", q(from.others[0]), q(out), q(from.schema), q(from.name))
		if i%2 == 1 {
			other := pick(w.rng, tables)
			query += fmt.Sprintf(" where %s in (select %s from %s.%s)", q(from.others[0]), q(other.others[0]), q(other.schema), q(other.name))
		}
		fmt.Fprintf(&ddl, "create view %s.%s as %s;\n", q(m.schema), q(m.name), query)
		tables = append(tables, m)
	}
	db := modeltest.FromDDL(tb, sqltree.Postgres, schemas[0], ddl.String())
	db.Name = "warehouse"

	all := slices.Clone(w.names)
	rows := int64(1000)
	for i := range db.Tables {
		t := &db.Tables[i]
		t.Comment, t.Rows, t.RowsSource = w.prose(all...), &rows, model.CountStat
		if t.IsView() {
			for _, l := range db.Lineage {
				if l.ToTable == t.Name {
					t.Definition += fmt.Sprintf("SELECT * FROM %s.%s;", q(l.FromSchema), q(l.FromTable))
				}
			}
			t.DefinitionHash = "0123abcd"
			continue
		}
		if i%4 == 0 { // a struct in a struct
			s, a, b, c := w.name(), w.name(), w.name(), w.name()
			n := len(t.Columns)
			t.Columns = append(t.Columns,
				model.Column{Name: s, Ordinal: n + 1, Type: "STRUCT(" + a + " STRUCT(" + b + " INT), " + c + " INT)"},
				model.Column{Name: a, Parent: s, Ordinal: n + 2, Type: "STRUCT(" + b + " INT)"},
				model.Column{Name: b, Parent: s + "." + a, Ordinal: n + 3, Type: "INT"},
				model.Column{Name: c, Parent: s, Ordinal: n + 4, Type: "INT"})
		}
		var top []string
		for _, c := range t.Columns {
			if c.Parent == "" {
				top = append(top, c.Name)
			}
		}
		for k := range t.Columns {
			c := &t.Columns[k]
			switch w.rng.IntN(6) {
			case 0:
				c.Comment = w.prose(all...)
			case 1:
				c.Default = "nextval('" + t.Name + "_" + c.Name + "_seq')"
			case 2:
				c.Default, c.Generated = q(pick(w.rng, top))+" + 1", true
			case 3:
				c.Type, c.Enum = pick(w.rng, all)+"_kind", []string{"open", pick(w.rng, all)}
			case 4:
				c.Stats = &model.Stats{Common: []string{"a", pick(w.rng, all)}}
			}
		}
		a, b := pick(w.rng, top), pick(w.rng, top)
		t.Checks = []model.Check{
			{Name: "ck_" + a, Expr: "(" + q(a) + " > 0)"}, {Name: "ck_" + t.Name, Expr: q(a) + " > " + q(b), Columns: []string{a, b}}, {Name: "ck_free", Expr: "length(current_user) > 0"},
		}
		t.Grants = []model.Grant{{Grantee: "reader", Privilege: "SELECT"}, {Grantee: pick(w.rng, all), Privilege: "SELECT", Columns: []string{a, b}}}
		if i%5 == 0 {
			t.Type = model.PartitionedTable
			t.Partition = &model.Partition{Key: []string{a, "lower(" + q(b) + ")"}, Count: 3, Tables: []model.TableName{{Schema: t.Schema, Name: w.name()}, {Schema: pick(w.rng, schemas), Name: w.name()}}}
		}
	}
	db.Tables[0].ForeignKeys = append(db.Tables[0].ForeignKeys, model.ForeignKey{ // to a table that was not indexed
		Name: "fk_out", Columns: []string{db.Tables[0].Columns[0].Name}, RefSchema: w.name(), RefTable: w.name(), RefColumns: []string{w.name()},
	})

	d := index.Analyse(connection, db, index.Settings{AliasSources: 1, MinClusterSize: 3})
	d.Generation, d.BuiltAt, d.StatsMode = "g", time.Unix(0, 0).UTC(), "catalog"
	w.Data = d
	n := len(d.Tables)
	column := func(t int) string {
		for {
			if c := pick(w.rng, d.Tables[t].Columns); c.Parent == "" {
				return c.Name
			}
		}
	}
	for g := 1; g <= 8; g++ {
		from, to, group, columns := w.rng.IntN(n), w.rng.IntN(n), 0, 1
		if g%2 == 0 {
			group, columns = 1000+g, 2
		}
		for range columns {
			d.Joins = append(d.Joins, catalog.Join{
				From: from, To: to, FromColumn: column(from), ToColumn: column(to), Source: "heuristic", Kind: "same_name", Confidence: 0.9 - float64(g)/100,
				Reasoning: w.prose(all...), Group: group,
			})
		}
	}
	for i := range d.Facts {
		d.Facts[i].Tags = []string{"pii", pick(w.rng, all)}
		d.Facts[i].Aliases = []string{"dim_" + pick(w.rng, all), "some_model"}
		if i%3 == 0 {
			d.Facts[i].Description = w.prose(all...)
		}
	}
	d.Entities = append(d.Entities, catalog.Entity{Name: "Zfirst", Source: "manual", Description: "a thing", Tables: []int{0, 1, 2}},
		catalog.Entity{Name: d.Tables[3].Name, Source: "dbt", Description: w.prose(all...), Tables: []int{3, 4}})
	edges := catalog.EdgesOf(d)
	for i := range edges { // paths of one and of two steps
		d.Paths = append(d.Paths, catalog.Path{From: edges[i].From, To: edges[i].To, Edges: []int{i}, Cost: 1, Ambiguous: i%7 == 0, Promoted: i%11 == 0})
		for k := range edges {
			if edges[k].From == edges[i].To && edges[k].To != edges[i].From {
				d.Paths = append(d.Paths, catalog.Path{From: edges[i].From, To: edges[k].To, Edges: []int{i, k}, Cost: 2, Stale: i%3 == 0})
			}
		}
	}
	d.Vectors = catalog.Vectors{Model: "m", Dim: 1, Tables: make([][]float32, n)}
	for i := range n {
		if i%6 != 0 {
			d.Vectors.Tables[i] = []float32{float32(i)}
		}
	}
	for i := range 12 {
		a, b := i%n, (i*7+3)%n
		if a > b {
			a, b = b, a
		}
		m := catalog.Metric{Name: fmt.Sprintf("metric_%02d", i), DisplayName: "Metric", Description: w.prose(all...), Dialect: "postgres", Valid: i%4 != 0, Errors: []string{}}
		for _, t := range slices.Compact([]int{a, b}) {
			u := catalog.MetricUse{Table: t, Columns: []string{column(t)}}
			m.SQL += "select " + q(u.Columns[0]) + " from " + q(d.Tables[t].Schema) + "." + q(d.Tables[t].Name) + ";"
			m.Uses = append(m.Uses, u)
		}
		if !m.Valid {
			m.Errors = []string{w.prose(all...)}
		}
		d.Metrics = append(d.Metrics, m)
	}
	for i := range 15 {
		c := catalog.Consumer{
			ID: fmt.Sprintf("shop::consumer::%02d", i), Service: []string{"api", "jobs-" + d.Tables[5].Name}[i%2], Language: "go", Kind: "literal", LineStart: i, LineEnd: i + 1,
			File: "models/" + pick(w.rng, all) + ".go", Symbol: "load_" + pick(w.rng, all), Fingerprint: "f", Confidence: 0.9, Dialect: "postgres", RunID: "r",
		}
		for _, t := range slices.Compact([]int{i % n, (i + 3) % n}) {
			c.Uses = append(c.Uses, catalog.Use{Table: t, Op: "read", Confidence: 0.5})
		}
		d.Consumers = append(d.Consumers, c)
	}
	slices.SortStableFunc(d.Consumers, func(a, b catalog.Consumer) int {
		return stdcmp.Or(strings.Compare(a.Service, b.Service), strings.Compare(a.File, b.File))
	})
	d.Scans = []catalog.Scan{{Service: "api", RunID: "r"}, {Service: "jobs-" + d.Tables[5].Name, RunID: "r"}}
	return w
}

// plan is what a set of rules is meant to hide, drawn before the rules are written.
type plan struct {
	yaml    strings.Builder
	tables  map[model.TableName]bool // hidden ones
	columns map[[3]string]bool       // schema, table, path
	names   map[string]bool          // names that nothing visible has
}

func path(c *model.Column) string {
	if c.Parent == "" {
		return c.Name
	}
	return c.Parent + "." + c.Name
}

// nameOf is a table's.
func nameOf(t *model.Table) model.TableName { return model.TableName{Schema: t.Schema, Name: t.Name} }

// newPlan draws rules of all kinds for a world.
func newPlan(w *world, rng *rand.Rand) *plan {
	p := &plan{tables: map[model.TableName]bool{}, columns: map[[3]string]bool{}, names: map[string]bool{}}
	lists := map[string][]string{}
	add := func(list, pattern string) { lists[list] = append(lists[list], pattern) }
	var all []model.TableName
	types := map[model.TableName]string{}
	for i := range w.Tables {
		t := &w.Tables[i]
		all = append(all, nameOf(t))
		types[nameOf(t)] = t.Type
		if t.Partition != nil {
			for _, n := range t.Partition.Tables {
				all = append(all, n)
				types[n] = model.BaseTable
			}
		}
	}
	hide := func(n model.TableName) { p.tables[n] = true }
	if rng.IntN(4) == 0 { // one schema
		s := pick(rng, all).Schema
		add("hidden_schemas", pick(rng, []string{visibility.Literal(s), "*" + codeOf(s) + "*"}))
		for _, n := range all {
			if n.Schema == s {
				hide(n)
			}
		}
	}
	if rng.IntN(6) == 0 {
		add("hidden_table_types", "VIEW")
		for _, n := range all {
			if types[n] == model.View {
				hide(n)
			}
		}
	}
	share := rng.Float64() * 0.5
	for _, n := range all {
		if rng.Float64() >= share {
			continue
		}
		hide(n)
		l := visibility.Literal
		add("hidden_tables", pick(rng, []string{n.Name, l(n.Name), n.Schema + "." + n.Name, "shop::" + l(n.Schema) + "." + l(n.Name), "*." + l(n.Name), "s*p::*." + n.Name, "?" + n.Name[1:]}))
	}
	if rng.IntN(4) == 0 { // only what is left is allowed
		add("allowed_tables", "!none")
		for _, n := range all {
			if rng.IntN(4) == 0 {
				hide(n)
			} else {
				add("allowed_tables", "shop::"+visibility.Literal(n.Schema)+"."+visibility.Literal(n.Name))
			}
		}
	}
	share = rng.Float64() * 0.3
	for i := range w.Tables {
		t := &w.Tables[i]
		for k := range t.Columns {
			c := &t.Columns[k]
			if rng.Float64() >= share {
				continue
			}
			l := visibility.Literal
			at := []string{t.Name + "." + l(path(c)), l(t.Schema) + "." + l(t.Name) + "." + l(path(c)), "shop::" + l(t.Schema) + "." + t.Name + "." + l(c.Name), t.Name + ".*" + l(c.Name)}
			if c.Name != "note" {
				at = append(at, c.Name, l(c.Name))
			}
			add("hidden_columns", pick(rng, at))
			p.columns[[3]string{t.Schema, t.Name, path(c)}] = true
		}
	}
	for i := range w.Tables { // what is below a hidden field is hidden
		t := &w.Tables[i]
		for k := range t.Columns {
			for j := range t.Columns {
				if p.columns[[3]string{t.Schema, t.Name, path(&t.Columns[j])}] && strings.HasPrefix(path(&t.Columns[k]), path(&t.Columns[j])+".") {
					p.columns[[3]string{t.Schema, t.Name, path(&t.Columns[k])}] = true
				}
			}
		}
	}
	for _, k := range []string{"hidden_schemas", "hidden_tables", "hidden_columns", "hidden_table_types", "allowed_tables"} {
		if len(lists[k]) > 0 {
			b, _ := json.Marshal(lists[k])
			fmt.Fprintf(&p.yaml, "%s: %s\n", k, b)
		}
	}
	// Names of hidden things, unless something visible is called so.
	seen := map[string]bool{}
	note := func(name string, visible bool) {
		p.names[name] = true
		seen[name] = seen[name] || visible
	}
	only := func(list []string) bool { return len(list) == 0 }
	for i := range w.Tables {
		t := &w.Tables[i]
		ok := !p.tables[nameOf(t)]
		note(t.Name, ok)
		note(t.Schema, ok)
		for k := range t.Columns {
			note(t.Columns[k].Name, ok && !p.hides(t, path(&t.Columns[k])))
		}
		if t.Partition != nil {
			for _, n := range t.Partition.Tables {
				note(n.Name, ok && !p.tables[n])
				note(n.Schema, ok && !p.tables[n])
			}
		}
		for _, k := range t.ForeignKeys {
			if k.Name == "fk_out" {
				out := only(lists["allowed_tables"])
				note(k.RefSchema, out)
				note(k.RefTable, out)
				note(k.RefColumns[0], true) // shown or not with the key
			}
		}
	}
	for n := range p.names {
		if seen[n] || n == "note" {
			delete(p.names, n)
		}
	}
	return p
}

func (p *plan) hides(t *model.Table, path string) bool {
	return p.columns[[3]string{t.Schema, t.Name, path}]
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFilter_Random holds Filter against random rules: no name of what is hidden is
// left in any byte, and all that has only visible parts is there as it was.
func TestFilter_Random(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(8) {
		w := newWorld(t, seed)
		before := encode(t, w.Data)
		for n := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, n))
			p := newPlan(w, rng)
			name := fmt.Sprintf("world %d, rules %d", seed, n)
			file, err := visibility.Parse(p.yaml.String())
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, p.yaml.String())
			}
			r, err := file.Rules("")
			if err != nil {
				t.Fatal(err)
			}
			got := r.Filter(w.Data)
			gob := encode(t, got)
			if !bytes.Equal(gob, encode(t, r.Filter(w.Data))) {
				t.Fatalf("%s: two results differ", name)
			}
			text, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			for _, bytes := range [][]byte{gob, text} {
				low := strings.ToLower(string(bytes))
				for hidden := range p.names {
					if at := strings.Index(low, strings.ToLower(codeOf(hidden))); at >= 0 {
						t.Fatalf("%s: %q is hidden, but in …%q…\nrules:\n%s", name, hidden, low[max(0, at-60):min(len(low), at+60)], p.yaml.String())
					}
				}
			}
			sound(t, name, got)
			complete(t, name, w, p, got, counts)
			if t.Failed() {
				t.Fatalf("rules:\n%s", p.yaml.String())
			}
		}
		if !bytes.Equal(before, encode(t, w.Data)) {
			t.Fatal("the data was changed")
		}
	}
	for _, k := range []string{"table", "column", "primary key", "unique", "foreign key", "check", "index", "comment", "default", "partition", "join", "path", "metric", "consumer", "cluster", "entity", "vector", "lineage", "label", "fact", "definition", "grant"} {
		if counts[k] < 100 {
			t.Errorf("only %d times something of %q was there to survive", counts[k], k)
		}
	}
}

// sound checks that every number of the data is one of its tables or edges.
func sound(t *testing.T, name string, d *catalog.Data) {
	t.Helper()
	c := catalog.New(*d, 1)
	n := c.Len()
	in := func(what string, i, n int) {
		if i < 0 || i >= n {
			t.Errorf("%s: %s refers to %d of %d", name, what, i, n)
		}
	}
	if len(d.Facts) != n || len(d.Vectors.Tables) != n {
		t.Errorf("%s: %d tables, %d facts, %d vectors", name, n, len(d.Facts), len(d.Vectors.Tables))
	}
	for _, j := range d.Joins {
		in("a join", j.From, n)
		in("a join", j.To, n)
		if c.Column(j.From, j.FromColumn) < 0 || c.Column(j.To, j.ToColumn) < 0 {
			t.Errorf("%s: a join of columns that are not there: %+v", name, j)
		}
	}
	for _, k := range d.Clusters {
		for _, i := range k.Tables {
			in("a cluster", i, n)
		}
		if len(k.Tables) > 1 && !strings.HasSuffix(k.Label, fmt.Sprintf("(%d tables)", len(k.Tables))) || len(k.Tables) == 0 || !slices.IsSorted(k.Tables) {
			t.Errorf("%s: cluster %+v", name, k)
		}
	}
	for _, e := range d.Entities {
		for _, i := range e.Tables {
			in("an entity", i, n)
		}
		if len(e.Tables) == 0 || e.Name == "" {
			t.Errorf("%s: entity %+v", name, e)
		}
	}
	for _, p := range d.Paths {
		at := p.From
		for _, id := range p.Edges {
			in("a path", id, c.Edges())
			switch e := c.Edge(id); at {
			case e.From:
				at = e.To
			case e.To:
				at = e.From
			default:
				t.Errorf("%s: path %+v breaks off", name, p)
			}
		}
		if at != p.To || len(p.Edges) == 0 {
			t.Errorf("%s: path %+v ends at %d", name, p, at)
		}
	}
	for _, m := range d.Metrics {
		for _, u := range m.Uses {
			in("a metric", u.Table, n)
		}
	}
	for _, k := range d.Consumers {
		for _, u := range k.Uses {
			in("a consumer", u.Table, n)
		}
		if len(k.Uses) == 0 {
			t.Errorf("%s: consumer %+v uses nothing", name, k)
		}
	}
	for i := range d.Tables {
		tab := &d.Tables[i]
		check := func(what string, columns []string) {
			for _, k := range columns {
				if tab.Column(k) == nil && !strings.HasPrefix(k, "(") {
					t.Errorf("%s: %s of %s has %q, which is no column", name, what, tab.Name, k)
				}
			}
		}
		if k := tab.PrimaryKey; k != nil {
			check("the key", k.Columns)
		}
		for _, k := range tab.Uniques {
			check("a key", k.Columns)
		}
		for _, k := range tab.Checks {
			check("a check", k.Columns)
		}
		for _, k := range tab.Indexes {
			check("an index", k.Columns)
		}
		for _, g := range tab.Grants {
			check("a grant", g.Columns)
		}
		for _, k := range tab.ForeignKeys {
			check("a foreign key", k.Columns)
		}
		for _, k := range tab.Columns {
			if k.Parent != "" && !slices.ContainsFunc(tab.Columns, func(o model.Column) bool { return path(&o) == k.Parent }) {
				t.Errorf("%s: %s.%s is a field of nothing", name, tab.Name, path(&k))
			}
		}
	}
}

// complete checks that what has only visible parts is there, and as it was.
func complete(t *testing.T, name string, w *world, p *plan, got *catalog.Data, counts map[string]int) {
	t.Helper()
	must := func(what string, ok bool, format string, args ...any) {
		t.Helper()
		counts[what]++
		if !ok {
			t.Errorf("%s: %s is gone: %s", name, what, fmt.Sprintf(format, args...))
		}
	}
	// clean reports whether a text holds nothing that is hidden, by the codes.
	clean := func(text string) bool {
		low := strings.ToLower(text)
		for hidden := range p.names {
			if strings.Contains(low, strings.ToLower(codeOf(hidden))) {
				return false
			}
		}
		return true
	}
	now := map[int]int{}
	for i := range w.Tables {
		at := slices.IndexFunc(got.Tables, func(x model.Table) bool { return nameOf(&x) == nameOf(&w.Tables[i]) })
		if p.tables[nameOf(&w.Tables[i])] {
			if at >= 0 {
				t.Errorf("%s: %s is there", name, w.Tables[i].Name)
			}
			continue
		}
		must("table", at >= 0, "%s", w.Tables[i].Name)
		if at < 0 {
			return
		}
		now[i] = at
	}
	shows := func(i int, columns ...string) bool {
		if _, ok := now[i]; !ok {
			return false
		}
		for _, c := range columns {
			if p.hides(&w.Tables[i], c) {
				return false
			}
		}
		return true
	}
	whole := func(i int) bool { // nothing of it is hidden
		for k := range w.Tables[i].Columns {
			if !shows(i, path(&w.Tables[i].Columns[k])) {
				return false
			}
		}
		return true
	}
	find := func(n model.TableName) int {
		return slices.IndexFunc(w.Tables, func(x model.Table) bool { return nameOf(&x) == n })
	}
	mentionsOwn := func(i int, text string) bool {
		for k := range w.Tables[i].Columns {
			c := &w.Tables[i].Columns[k]
			if !shows(i, path(c)) && strings.Contains(strings.ToLower(text), strings.ToLower(c.Name)) {
				return true
			}
		}
		return false
	}
	same := func(a, b any) bool { return cmp.Equal(a, b, cmpopts.EquateEmpty()) }
	kept := func(i int, before, after string) bool {
		return after == before || after == "" && (!clean(before) || mentionsOwn(i, before))
	}
	for i, at := range now {
		a, b := &w.Tables[i], &got.Tables[at]
		if clean(a.Comment) {
			must("comment", a.Comment == b.Comment, "%q is %q", a.Comment, b.Comment)
		}
		if a.Type != b.Type || a.RowsSource != b.RowsSource || *a.Rows != *b.Rows || a.DefinitionHash != b.DefinitionHash {
			t.Errorf("%s: table %+v is %+v", name, a, b)
		}
		k := 0
		for j := range a.Columns {
			c := &a.Columns[j]
			if !shows(i, path(c)) {
				continue
			}
			must("column", k < len(b.Columns) && path(&b.Columns[k]) == path(c), "%s.%s", a.Name, path(c))
			if t.Failed() {
				return
			}
			x := &b.Columns[k]
			k++
			if c.Default != "" && clean(c.Default) && !mentionsOwn(i, c.Default) {
				must("default", x.Default == c.Default, "%q", c.Default)
			}
			if clean(c.Comment) && x.Comment != c.Comment || clean(strings.Join(c.Enum, " ")) && !same(x.Enum, c.Enum) ||
				c.Ordinal != x.Ordinal || c.Generated != x.Generated || clean(c.Type) && !strings.HasPrefix(c.Type, "STRUCT") && x.Type != c.Type || (c.Stats == nil) != (x.Stats == nil) {
				t.Errorf("%s: column %+v is %+v", name, c, x)
			}
		}
		if k != len(b.Columns) {
			t.Errorf("%s: %s has %d columns, want %d", name, b.Name, len(b.Columns), k)
		}
		if a.PrimaryKey != nil && shows(i, a.PrimaryKey.Columns...) {
			must("primary key", b.PrimaryKey != nil && same(a.PrimaryKey.Columns, b.PrimaryKey.Columns), "of %s", a.Name)
		}
		for _, x := range a.Uniques {
			if shows(i, x.Columns...) {
				must("unique", slices.ContainsFunc(b.Uniques, func(y model.Key) bool { return same(x.Columns, y.Columns) && kept(i, x.Name, y.Name) }), "%v", x)
			}
		}
		for _, x := range a.ForeignKeys {
			if to := find(model.TableName{Schema: x.RefSchema, Name: x.RefTable}); to >= 0 && shows(i, x.Columns...) && shows(to, x.RefColumns...) {
				must("foreign key", slices.ContainsFunc(b.ForeignKeys, func(y model.ForeignKey) bool {
					named := kept(i, x.Name, y.Name) || y.Name == "" && mentionsOwn(to, x.Name)
					y.Name = x.Name
					return named && same(x, y)
				}), "%+v", x)
			}
		}
		for _, x := range a.Checks {
			if shows(i, x.Columns...) && clean(x.Expr) && !mentionsOwn(i, x.Expr) {
				must("check", slices.ContainsFunc(b.Checks, func(y model.Check) bool { return x.Expr == y.Expr && kept(i, x.Name, y.Name) }), "%+v", x)
			}
		}
		for _, x := range a.Indexes {
			if text := strings.Join(x.Columns, " "); clean(text) && !mentionsOwn(i, text) {
				must("index", slices.ContainsFunc(b.Indexes, func(y model.Index) bool { return same(x.Columns, y.Columns) && kept(i, x.Name, y.Name) }), "%+v", x)
			}
		}
		if a.Partition != nil {
			must("partition", b.Partition != nil, "of %s", a.Name)
			for _, n := range a.Partition.Tables {
				if !p.tables[n] {
					must("partition", slices.Contains(b.Partition.Tables, n), "%v", n)
				}
			}
			if gone := len(a.Partition.Tables) - len(b.Partition.Tables); b.Partition.Count != a.Partition.Count-gone {
				t.Errorf("%s: %d partitions after %d, %d are gone", name, b.Partition.Count, a.Partition.Count, gone)
			}
		}
		for _, g := range a.Grants {
			if clean(g.Grantee) && shows(i, g.Columns...) {
				must("grant", slices.ContainsFunc(b.Grants, func(h model.Grant) bool { return same(g, h) }), "%+v", g)
			}
		}
		if a.Definition != "" && clean(a.Definition) {
			sources := true
			for _, l := range w.Lineage {
				if l.ToSchema == a.Schema && l.ToTable == a.Name {
					sources = sources && whole(find(model.TableName{Schema: l.FromSchema, Name: l.FromTable}))
				}
			}
			if sources && whole(i) {
				must("definition", b.Definition == a.Definition, "%q", a.Definition)
			}
		}
		fa, fb := &w.Facts[i], &got.Facts[at]
		if clean(fa.Description) {
			must("fact", fb.Description == fa.Description, "%q is %q", fa.Description, fb.Description)
		}
		for _, x := range fa.Aliases {
			must("fact", !clean(x) || slices.Contains(fb.Aliases, x), "alias %q", x)
		}
		for _, x := range fa.Tags {
			must("fact", !clean(x) || slices.Contains(fb.Tags, x), "tag %q", x)
		}
		if fb.Role == "" || fb.Confidence == 0 {
			t.Errorf("%s: %s has no role", name, a.Name)
		}
		if v := got.Vectors.Tables[at]; whole(i) && clean(a.Comment) && clean(fa.Description) && !slices.ContainsFunc(a.Columns, func(c model.Column) bool { return !clean(c.Comment) }) {
			must("vector", same(v, w.Vectors.Tables[i]), "of %s", a.Name)
		} else if v != nil && !same(v, w.Vectors.Tables[i]) {
			t.Errorf("%s: the vector of %s is another's", name, a.Name)
		}
	}
	for _, l := range w.Lineage {
		if shows(find(model.TableName{Schema: l.FromSchema, Name: l.FromTable})) && shows(find(model.TableName{Schema: l.ToSchema, Name: l.ToTable})) {
			must("lineage", slices.Contains(got.Lineage, l), "%+v", l)
		}
	}
	alive := func(j catalog.Join) bool { return shows(j.From, j.FromColumn) && shows(j.To, j.ToColumn) }
	for _, j := range w.Joins {
		if j.Group != 0 && slices.ContainsFunc(w.Joins, func(o catalog.Join) bool { return o.Group == j.Group && !alive(o) }) {
			if slices.ContainsFunc(got.Joins, func(o catalog.Join) bool { return o.Group == j.Group }) {
				t.Errorf("%s: a part of the broken join %+v is left", name, j)
			}
			continue
		}
		if alive(j) {
			want := j
			want.From, want.To = now[j.From], now[j.To]
			must("join", slices.ContainsFunc(got.Joins, func(o catalog.Join) bool {
				if !clean(j.Reasoning) {
					o.Reasoning = j.Reasoning
				}
				return o == want
			}), "%+v", j)
		}
	}
	old, edges := catalog.EdgesOf(w.Data), catalog.EdgesOf(got)
	edgeShows := func(e catalog.Edge) bool { return shows(e.From, e.FromColumns...) && shows(e.To, e.ToColumns...) }
	less := slices.ContainsFunc(old, func(e catalog.Edge) bool { return !edgeShows(e) })
	for _, x := range w.Paths {
		if less && (x.Ambiguous || x.Promoted) || slices.ContainsFunc(x.Edges, func(id int) bool { return !edgeShows(old[id]) }) {
			continue
		}
		must("path", slices.ContainsFunc(got.Paths, func(y catalog.Path) bool {
			if y.From != now[x.From] || y.To != now[x.To] || len(y.Edges) != len(x.Edges) || y.Stale != x.Stale || y.Cost != x.Cost || y.Ambiguous != x.Ambiguous {
				return false
			}
			for k := range x.Edges {
				a, b := old[x.Edges[k]], edges[y.Edges[k]]
				if b.From != now[a.From] || b.To != now[a.To] || !same(a.FromColumns, b.FromColumns) || !same(a.ToColumns, b.ToColumns) || a.Declared != b.Declared || a.Confidence != b.Confidence {
					return false
				}
			}
			return true
		}), "%+v", x)
	}
	for _, m := range w.Metrics {
		reads := clean(m.SQL)
		for _, u := range m.Uses {
			reads = reads && shows(u.Table, u.Columns...) && (m.Valid || !mentionsOwn(u.Table, m.SQL))
		}
		at := slices.IndexFunc(got.Metrics, func(x catalog.Metric) bool { return x.Name == m.Name })
		if !reads {
			if at >= 0 {
				t.Errorf("%s: metric %+v is left", name, m)
			}
			continue
		}
		must("metric", at >= 0 && len(got.Metrics[at].Uses) == len(m.Uses) && got.Metrics[at].SQL == m.SQL, "%+v", m)
	}
	for _, c := range w.Consumers {
		var uses []catalog.Use
		for _, u := range c.Uses {
			if i, ok := now[u.Table]; ok {
				u.Table = i
				uses = append(uses, u)
			}
		}
		if len(uses) > 0 {
			must("consumer", slices.ContainsFunc(got.Consumers, func(x catalog.Consumer) bool {
				return x.ID == c.ID && same(x.Uses, uses) && (!clean(c.File) || x.File == c.File)
			}), "%+v", c)
		}
	}
	for _, c := range w.Clusters {
		var members []int
		for _, i := range c.Tables {
			if at, ok := now[i]; ok {
				members = append(members, at)
			}
		}
		at := slices.IndexFunc(got.Clusters, func(x catalog.Cluster) bool { return x.Number == c.Number })
		if len(members) == 0 {
			if at >= 0 {
				t.Errorf("%s: an empty cluster is left", name)
			}
			continue
		}
		must("cluster", at >= 0 && same(got.Clusters[at].Tables, members), "%+v", c)
		if at >= 0 && len(members) == len(c.Tables) && !slices.ContainsFunc(old, func(e catalog.Edge) bool { return !edgeShows(e) }) {
			must("label", got.Clusters[at].Label == c.Label && got.Clusters[at].Description == c.Description && got.Clusters[at].Cohesion == c.Cohesion, "%+v", c)
		}
		if at >= 0 && len(members) == len(c.Tables) && len(c.Tables) == 1 {
			must("label", got.Clusters[at].Label == c.Label, "%+v", c)
		}
	}
	for _, e := range w.Entities {
		for _, i := range e.Tables {
			if at, ok := now[i]; ok {
				must("entity", slices.ContainsFunc(got.Entities, func(x catalog.Entity) bool {
					return slices.Contains(x.Tables, at) && (x.Name == e.Name || !clean(e.Name) || !whole(i) || len(x.Tables) != len(e.Tables))
				}), "%+v", e)
			}
		}
	}
}
