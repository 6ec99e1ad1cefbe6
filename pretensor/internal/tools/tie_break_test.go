package tools

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// ties has three ways of one cost from invoices to customers and a longer one, and two
// direct ones from invoices to regions.
func ties(t testing.TB, connection string) *catalog.Data {
	data := indexed(t, connection, sqltree.Postgres, "public", `
		create table customers (id int primary key); create table regions (id int primary key);
		create table aa (id int primary key, t int references customers); create table bb (id int primary key, t int references customers);
		create table cc (id int primary key, t int references customers); create table dd (id int primary key, t int references cc);
		create table invoices (id int primary key, a int references aa, b int references bb, c int references cc, d int references dd,
			r1 int references regions, r2 int references regions);`)
	data.Joins = nil
	for i := range data.Tables {
		data.Facts[i].Description = map[string]string{
			"customers": "people who pay their bills", "invoices": "bills and what is to pay", "aa": "weather and temperature of the ocean",
			"bb": "planets and stars", "cc": "payments of bills by people", "dd": "dogs",
		}[data.Tables[i].Name]
	}
	return precomputed(t, data)
}

func TestTraverse_TieBreak(t *testing.T) {
	p := words(t)
	data := embedded(t, ties(t, "ties"), p)
	one := embedded(t, ties(t, "one"), p)
	other := embedded(t, ties(t, "other"), p)
	bare := ties(t, "bare")
	one.Vectors.Tables[slices.IndexFunc(one.Tables, func(t model.Table) bool { return t.Name == "customers" })] = nil
	other.Vectors.Model = "another/1"
	w := serve(t, searching(t, embed.New(p)), data, one, other, bare)
	way := func(r traverseResult) string {
		var out []string
		for _, p := range r.Paths {
			out = append(out, strings.TrimPrefix(p.Steps[0].ToTable, "public."))
		}
		return strings.Join(out, " ")
	}
	ask := func(w *world, connection, to, more string) traverseResult {
		return w.traversed(data, fmt.Sprintf(`{"from_table":"invoices","to_table":%q,"database":%q%s}`, to, connection, more))
	}
	r := ask(w, "ties", "customers", "")
	if r.TieBreak == nil || r.TieBreak.Method != "embedding" || r.TieBreak.Tied != 3 || len(r.TieBreak.Scores) != 3 || r.Paths[0].Steps[0].ToTable != "public.cc" || r.UsedPrecomp {
		t.Fatalf("%s, %+v, used_precomputed %v", way(r), r.TieBreak, r.UsedPrecomp)
	}
	if s := r.TieBreak.Scores; s[0] < s[1] || s[1] < s[2] {
		t.Errorf("scores %v", s)
	}
	whole := way(ask(w, "ties", "customers", `,"top_k":10`))
	for k := 1; k <= 4; k++ {
		if got := way(ask(w, "ties", "customers", fmt.Sprintf(`,"top_k":%d`, k))); got != strings.Join(strings.Fields(whole)[:k], " ") {
			t.Errorf("top_k %d: %s of %s", k, got, whole)
		}
	}
	if !strings.HasSuffix(whole, " dd") {
		t.Errorf("a dearer path comes before one that ties: %s", whole)
	}
	// Nothing to compare: no table on the way, no tie, no vector of an end, another model,
	// no embedder, one that fails.
	failed := serve(t, searching(t, embed.New(failing{p})), data)
	none := serve(t, nil, data)
	for _, test := range []struct {
		w                    *world
		connection, to, want string
		stored               bool
	}{
		{w, "ties", "regions", "regions regions", true},
		{w, "ties", "dd", "dd cc aa", true},
		{w, "one", "customers", "aa bb cc", true},
		{w, "other", "customers", "aa bb cc", true},
		{w, "bare", "customers", "aa bb cc", true},
		{failed, "ties", "customers", "aa bb cc", true},
		{none, "ties", "customers", "aa bb cc", true},
	} {
		r := ask(test.w, test.connection, test.to, "")
		if got := way(r); r.TieBreak != nil || !strings.HasPrefix(got, test.want) || r.UsedPrecomp != test.stored {
			t.Errorf("%s, to %s: %s, %+v, used_precomputed %v", test.connection, test.to, got, r.TieBreak, r.UsedPrecomp)
		}
	}
}
