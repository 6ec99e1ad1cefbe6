package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// random makes the same choices at every run.
func random() *rand.Rand { return rand.New(rand.NewPCG(17, 19)) }

// call is one call of a tool.
type call struct{ tool, args string }

// kind is a way to call a tool.
type kind struct {
	name  string
	tool  string
	bound time.Duration // of the 95th percentile; 0: none
	calls int           // how many are measured
	often int           // among the mixed calls
	args  func(*asker) map[string]any
}

var kinds = []kind{
	{"list_databases", "list_databases", 3 * time.Millisecond, 200, 2, func(*asker) map[string]any { return map[string]any{} }},
	{"schema, of all or of one label", "schema", 10 * time.Millisecond, 200, 2, (*asker).schema},
	{"query", "query", 10 * time.Millisecond, 400, 10, question("q", "db")},
	{"semantic_search", "semantic_search", 10 * time.Millisecond, 400, 10, question("query", "database")},
	{"context, standard", "context", 5 * time.Millisecond, 400, 20, tableContext("standard")},
	{"context, full", "context", 10 * time.Millisecond, 400, 5, tableContext("full")},
	{"traverse, depth 4, 3 paths", "traverse", 20 * time.Millisecond, 400, 10, traverse(4, 3)},
	{"traverse, depth 8, 10 paths", "traverse", 100 * time.Millisecond, 200, 1, traverse(8, 10)},
	{"impact, depth 3", "impact", 10 * time.Millisecond, 400, 10, impact(3)},
	{"impact, depth 8", "impact", 30 * time.Millisecond, 200, 1, impact(8)},
	{"consumers", "consumers", 3 * time.Millisecond, 400, 10, (*asker).consumers},
	{"validate_sql, 2 kB, every other one wrong", "validate_sql", 2 * time.Millisecond, 400, 10, (*asker).sql},
	{"compile_metric", "compile_metric", 10 * time.Millisecond, 400, 5, (*asker).metric},
	{"cypher, one table by its name", "cypher", 0, 200, 1, (*asker).cypher},
}

// asker makes up arguments of calls on the large database.
type asker struct {
	*rand.Rand
	c    *catalog.Catalog
	hubs []int // the tables that most refer to
	odd  bool
}

func newAsker(c *catalog.Catalog) *asker {
	a := &asker{Rand: random(), c: c, hubs: make([]int, c.Len())}
	for i := range a.hubs {
		a.hubs[i] = i
	}
	slices.SortStableFunc(a.hubs, func(x, y int) int { return len(c.In(y)) - len(c.In(x)) })
	a.hubs = a.hubs[:20]
	return a
}

func (a *asker) call(k *kind) call {
	args, err := json.Marshal(k.args(a))
	if err != nil {
		panic(err) // strings and numbers
	}
	return call{k.tool, string(args)}
}

// table is any table, joined one that has joins to others.
func (a *asker) table() int { return a.IntN(a.c.Len()) }

func (a *asker) joined() int {
	for {
		if t := a.table(); a.c.ShadowOf(t) < 0 && len(a.c.Out(t))+len(a.c.In(t)) > 0 {
			return t
		}
	}
}

func (a *asker) schema() map[string]any {
	args := map[string]any{"database": "large"}
	labels := graph.Labels(0)
	if i := a.IntN(len(labels) + 3); i < len(labels) {
		args["label"] = labels[i].Name
	}
	return args
}

// question asks for two to four words that names of tables and columns are made of, as a
// person would write them, at times with a slip.
func question(words, database string) func(*asker) map[string]any {
	forms := []string{"%s", "which tables have %s", "%s per month", "where is the %s kept", "total %s by region", "late %s of last year"}
	return func(a *asker) map[string]any {
		var asked []string
		for range 2 + a.IntN(3) {
			t := &a.c.Tables[a.table()]
			tokens := names.Tokens(t.Name)
			if a.IntN(2) == 0 {
				tokens = names.Tokens(t.Columns[a.IntN(len(t.Columns))].Name)
			}
			w := tokens[a.IntN(len(tokens))]
			if a.IntN(8) == 0 && len(w) > 4 {
				w = w[:2] + w[3:]
			}
			asked = append(asked, w)
		}
		args := map[string]any{words: fmt.Sprintf(forms[a.IntN(len(forms))], strings.Join(asked, " "))}
		if a.IntN(2) == 0 {
			args[database] = "large"
		}
		return args
	}
}

func tableContext(detail string) func(*asker) map[string]any {
	return func(a *asker) map[string]any {
		t := a.table()
		if a.IntN(20) == 0 {
			t = a.hubs[a.IntN(len(a.hubs))]
		}
		return map[string]any{"table": a.c.Name(t), "detail": detail}
	}
}

func traverse(depth, paths int) func(*asker) map[string]any {
	return func(a *asker) map[string]any {
		return map[string]any{"database": "large", "from_table": a.c.Name(a.joined()), "to_table": a.c.Name(a.joined()), "max_depth": depth, "top_k": paths}
	}
}

func impact(depth int) func(*asker) map[string]any {
	return func(a *asker) map[string]any {
		t := a.joined()
		if a.IntN(10) == 0 {
			t = a.hubs[a.IntN(len(a.hubs))]
		}
		return map[string]any{"database": "large", "table": a.c.Name(t), "max_depth": depth}
	}
}

func (a *asker) consumers() map[string]any {
	args := map[string]any{"database": "large", "table": a.c.Name(a.table())}
	if i := a.IntN(3); i > 0 {
		args["op"] = []string{"read", "write"}[i-1]
	}
	return args
}

// sql is a statement of 2 kB along the joins of a table; every other one has a column
// that is not there.
func (a *asker) sql() map[string]any {
	a.odd = !a.odd
	tables, from := []int{a.joined()}, ""
	for len(tables) < 6 {
		last := tables[len(tables)-1]
		if len(a.c.Out(last)) == 0 {
			break
		}
		e := a.c.Edge(a.c.Out(last)[a.IntN(len(a.c.Out(last)))])
		if slices.Contains(tables, e.To) {
			break
		}
		n := len(tables)
		from += fmt.Sprintf("\nJOIN %s AS t%d ON t%d.%s = t%d.%s", quotedName(a.c, e.To), n, n-1, quoted(e.FromColumns[0]), n, quoted(e.ToColumns[0]))
		tables = append(tables, e.To)
	}
	from = fmt.Sprintf("\nFROM %s AS t0", quotedName(a.c, tables[0])) + from
	var columns []string
	if a.odd {
		columns = append(columns, `t0."creatd_att"`)
	}
	for size := len(from); size < 1900; {
		i := a.IntN(len(tables))
		t := &a.c.Tables[tables[i]]
		column := fmt.Sprintf("max(t%d.%s) AS c%d", i, quoted(t.Columns[a.IntN(len(t.Columns))].Name), len(columns))
		columns = append(columns, column)
		size += len(column) + 4
	}
	return map[string]any{"database": "large", "sql": "SELECT " + strings.Join(columns, ",\n  ") + from + "\nWHERE t0." + quoted(a.c.Tables[tables[0]].Columns[0].Name) + " > 7"}
}

func quotedName(c *catalog.Catalog, t int) string {
	return qualified(c.Tables[t].Schema, c.Tables[t].Name)
}

// metric is a semantic layer with three metrics on one table.
func (a *asker) metric() map[string]any {
	t := &a.c.Tables[a.joined()]
	field := t.Columns[0].Name
	filter := t.Columns[a.IntN(len(t.Columns))].Name
	yaml := fmt.Sprintf(`connection_name: large
domains:
  - name: things
    description: what there is
    entities:
      - name: thing
        description: one of them
        source_table: %[1]q
        attributes:
          - {name: a, description: which one, role: identifier, source_column: %[2]q}
          - {name: b, description: of what kind, role: dimension, source_column: %[3]q}
        metrics:
          - {name: how_many, description: number of them, type: count, field: a}
          - {name: most, description: the last of them, type: max, field: a}
          - {name: share, description: nothing of use, type: ratio, numerator: most, denominator: how_many}
`, t.Schema+"."+t.Name, field, filter)
	return map[string]any{"database": "large", "semantic_yaml": yaml, "metric": []string{"how_many", "most", "share"}[a.IntN(3)]}
}

func (a *asker) cypher() map[string]any {
	t := &a.c.Tables[a.table()]
	name := strings.ReplaceAll(t.Name, "'", "\\'")
	return map[string]any{"database": "large", "query": fmt.Sprintf("MATCH (t:SchemaTable {table_name: '%s'}) RETURN t.schema_name AS s, t.row_count AS n LIMIT 3", name)}
}

// benchServe prints how a server answers on the large database.
func benchServe(o options, binary, state string) error {
	c, err := loaded(state)
	if err != nil {
		return err
	}
	a := newAsker(c)
	t := newTable("server on "+thousands(c.Len())+" tables", "value", "bound", "value / bound", "kept")
	start, err := starts(9, binary, state, nil)
	if err != nil {
		return err
	}
	t.bounded("start to tools/list, median of 9", start, 150*time.Millisecond)
	for _, first := range []string{"context, standard", "validate_sql, 2 kB, every other one wrong", "query"} {
		k := &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == first })]
		one := a.call(k)
		took, err := starts(3, binary, state, &one)
		if err != nil {
			return err
		}
		t.bounded("start to the first "+k.tool+", median of 3", took, 1500*time.Millisecond)
	}

	s, err := serve(binary, state)
	if err != nil {
		return err
	}
	calls := newTable("tool on "+thousands(c.Len())+" tables", "p50", "p95", "bound of p95", "p95 / bound", "kept")
	err = func() error {
		if err := s.whileWarming(a, calls); err != nil {
			return err
		}
		for i := range kinds {
			if err := s.measure(a, &kinds[i], o, calls); err != nil {
				return err
			}
		}
		return s.measureMemory(a, o, t)
	}()
	if err = errors.Join(err, s.stop()); err != nil {
		return err
	}
	t.print()
	calls.print()
	return nil
}

// whileWarming measures calls that come while the server still makes its search index.
// It ends with a question, which waits for that.
func (s *server) whileWarming(a *asker, t *table) error {
	k := &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == "context, standard" })]
	if _, err := s.call(a.call(k)); err != nil { // waits for the catalog
		return err
	}
	var times []time.Duration
	for begin := time.Now(); time.Since(begin) < time.Second; {
		took, err := s.call(a.call(k))
		if err != nil {
			return err
		}
		times = append(times, took)
	}
	t.percentiles(k.name+", while the search index is made", times, 0)
	_, err := s.call(call{"query", `{"q":"orders"}`})
	return err
}

// measure measures calls of one kind, each with other arguments.
func (s *server) measure(a *asker, k *kind, o options, t *table) error {
	n := o.calls(k.calls)
	times := make([]time.Duration, 0, n)
	for i := range n + n/10 {
		took, err := s.call(a.call(k))
		if err != nil {
			return err
		}
		if i >= n/10 { // the first ones warm up
			times = append(times, took)
		}
	}
	t.percentiles(k.name, times, k.bound)
	return nil
}

func (t *table) percentiles(name string, times []time.Duration, bound time.Duration) {
	slices.Sort(times)
	p50, p95 := times[len(times)/2], times[len(times)*95/100]
	t.row(append([]string{name, shown(p50), shown(p95)}, kept(p95, bound)...)...)
}

// measureMemory makes calls of all kinds and notes the resident memory before them and
// at their end, each as the median of samples, because the garbage collector makes it
// go up and down.
func (s *server) measureMemory(a *asker, o options, t *table) error {
	var deck []*kind
	for i := range kinds {
		for range kinds[i].often {
			deck = append(deck, &kinds[i])
		}
	}
	mixed := func(n int) (median float64, err error) {
		var samples []float64
		for i := range n {
			if _, err := s.call(a.call(deck[a.IntN(len(deck))])); err != nil {
				return 0, err
			}
			if i >= n-500 && i%10 == 0 || n < 500 {
				m, err := memory(s.cmd.Process.Pid, "VmRSS")
				if errors.Is(err, os.ErrNotExist) {
					return 0, nil // there is no such figure here
				}
				if err != nil {
					return 0, err
				}
				samples = append(samples, m)
			}
		}
		slices.Sort(samples)
		return samples[len(samples)/2], nil
	}
	before, err := mixed(o.calls(1000))
	if err != nil {
		return err
	}
	n := o.calls(20_000)
	after, err := mixed(n)
	if err != nil {
		return err
	}
	if before == 0 {
		t.row("resident memory", "not measured", "≤ 350 MiB", "–", "–")
		return nil
	}
	t.share("resident memory, all tools called", before, 350, "MiB")
	t.share(fmt.Sprintf("after %s further mixed calls", thousands(n)), after, 350, "MiB")
	t.row("growth over them", fmt.Sprintf("%+.1f %%", 100*(after/before-1)), "≤ 5 %", fmt.Sprintf("%.2f", max(after/before-1, 0)/0.05), mark(after <= before*1.05))
	return nil
}
