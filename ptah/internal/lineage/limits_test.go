package lineage

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func view1(name, body string) *schema.View {
	return &schema.View{Name: schema.Name{Name: name}, Body: body}
}

// TestTrace_Deep has definitions that nest 500 levels and more, in every way.
func TestTrace_Deep(t *testing.T) {
	for _, d := range dialect.All() {
		if d == dialect.YDB {
			continue
		}
		for name, body := range map[string]string{
			"parentheses": "select " + strings.Repeat("(", 600) + "id" + strings.Repeat(")", 600) + " as x from p",
			"subqueries":  strings.Repeat("select * from (", 600) + "select id from p" + strings.Repeat(") x", 600),
			"functions":   "select " + strings.Repeat("abs(", 600) + "id" + strings.Repeat(")", 600) + " as x from p",
			"operators":   "select id" + strings.Repeat(" + 1", 10_000) + " as x from p",
			"scalars":     "select " + strings.Repeat("(select ", 600) + "id" + strings.Repeat(" from p)", 600) + " as x",
		} {
			db := threeTables()
			db.Views = []*schema.View{view1("v", body), view1("apart", "select id from p")}
			r := Trace(t.Context(), db, d)
			check(t, r)
			got := lines(r)
			if !strings.HasPrefix(got, "apart.id: p.id\nv") || !strings.HasSuffix(got, "? too deep\n") || len(r.Undecided) != 1 {
				t.Errorf("%s %s: %s", d, name, got)
			}
		}
	}
	// As deep as is read.
	for name, body := range map[string]string{
		"parentheses": "select " + strings.Repeat("(", 450) + "id" + strings.Repeat(")", 450) + " as x from p",
		"subqueries":  strings.Repeat("select * from (", 100) + "select id as x from p" + strings.Repeat(") x", 100),
		"functions":   "select " + strings.Repeat("abs(", 400) + "id" + strings.Repeat(")", 400) + " as x from p",
		"operators":   "select id" + strings.Repeat(" + 1", 1900) + " as x from p",
	} {
		db := threeTables()
		db.Views = []*schema.View{view1("v", body)}
		if got := lines(Trace(t.Context(), db, dialect.Postgres)); got != "v.x: p.id\n" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestTrace_Chain has views that stand on one another, each resolved once: both a chain
// that is long and one in which every view reads the one below it twice.
func TestTrace_Chain(t *testing.T) {
	db := threeTables()
	for i := range 2_000 {
		below := fmt.Sprintf("v%d", i-1)
		if i == 0 {
			below = "p"
		}
		db.Views = append(db.Views, view1(fmt.Sprintf("v%d", i), fmt.Sprintf("select x.id, y.a from %s as x join %s as y on x.id = y.id", below, below)))
	}
	for _, d := range []dialect.Dialect{dialect.Postgres, dialect.SQLite} {
		r := Trace(t.Context(), db, d)
		if len(r.Edges) != 4_000 || len(r.Undecided) != 0 {
			t.Errorf("%s: %d edges, undecided %v", d, len(r.Edges), r.Undecided)
		}
	}
}

func TestTrace_LongCircle(t *testing.T) {
	db := threeTables()
	const n = 3_000
	for i := range n {
		db.Views = append(db.Views, view1(fmt.Sprintf("v%d", i), fmt.Sprintf("select id from v%d", (i+1)%n)))
	}
	r := Trace(t.Context(), db, dialect.SQLite)
	if len(r.Undecided) != n || len(r.Edges) != 0 {
		t.Fatalf("%d undecided, %d edges", len(r.Undecided), len(r.Edges))
	}
	for _, u := range r.Undecided {
		if u.Reason != "cyclic definition" || u.Column != "" {
			t.Fatalf("%+v", u)
		}
	}
}

func TestTrace_TooMuch(t *testing.T) {
	t.Run("bytes", func(t *testing.T) {
		db := threeTables()
		long := "select id from p -- " + strings.Repeat("x", maxBody)
		db.Views = []*schema.View{view1("v", long), view1("w", "select id from p")}
		db.Routines = []*schema.Routine{{Name: schema.Name{Name: "f"}, Language: "sql", Body: long}, {Name: schema.Name{Name: "g"}, Language: "plpgsql", Body: long}}
		r := Trace(t.Context(), db, dialect.Postgres)
		want := "w.id: p.id\nv? does not parse: longer than 5 MiB\nfunction f? does not parse: longer than 5 MiB\n" +
			"function g? does not parse: longer than 5 MiB\nfunction g? " + incomplete + "\n"
		if got := lines(r); got != want {
			t.Errorf("%s", got)
		}
	})
	t.Run("views", func(t *testing.T) {
		db := threeTables()
		for i := range maxViews + 2 {
			db.Views = append(db.Views, view1(fmt.Sprintf("v%d", i), "select id from p"))
		}
		r := Trace(t.Context(), db, dialect.SQLite)
		if len(r.Edges) != maxViews || len(r.Undecided) != 2 || r.Undecided[0].Reason != "more than 20000 views" {
			t.Errorf("%d edges, undecided %v", len(r.Edges), r.Undecided)
		}
	})
	t.Run("edges", func(t *testing.T) {
		// A view whose 300 columns are each made of 300, and views over it.
		table := &schema.Table{Name: schema.Name{Name: "wide"}}
		var names, items []string
		for i := range 300 {
			names = append(names, fmt.Sprintf("c%d", i))
			table.Columns = append(table.Columns, &schema.Column{Name: names[i]})
		}
		for i := range 300 {
			items = append(items, fmt.Sprintf("coalesce(%s) as x%d", strings.Join(names, ", "), i))
		}
		db := &schema.Database{Tables: []*schema.Table{table}}
		db.Views = append(db.Views, view1("v0", "select "+strings.Join(items, ", ")+" from wide"))
		for i := range 100 {
			db.Views = append(db.Views, view1(fmt.Sprintf("v%d", i+1), "select * from v0"))
		}
		r := Trace(t.Context(), db, dialect.SQLite)
		if n := len(r.Edges); n < maxEdges || n > maxEdges+90_000 {
			t.Errorf("%d edges", n)
		}
		if len(r.Undecided) == 0 || r.Undecided[0].Reason != "more than 500000 edges" {
			t.Errorf("undecided %v", r.Undecided)
		}
	})
}

func TestTrace_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	check(t, Trace(ctx, stacked(100), dialect.Postgres))
}

// TestTrace_SameTwice has the same bytes over and over.
func TestTrace_SameTwice(t *testing.T) {
	tables, views := script(t, "sakila")
	db := parsed(t, tables+"\n"+views, dialect.Postgres)
	first, err := json.Marshal(Trace(t.Context(), db, dialect.Postgres))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := json.Marshal(Trace(t.Context(), db, dialect.Postgres))
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(first) {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}

// TestTrace_Empty has all lists, and no null.
func TestTrace_Empty(t *testing.T) {
	got, err := json.Marshal(Trace(t.Context(), &schema.Database{}, dialect.Postgres))
	if want := `{"edges":[],"undecided":[],"routines":{"edges":[],"reads":[],"writes":[],"undecided":[]},"references":[]}`; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

// FuzzTrace looks for definitions that end the process or break what is true of every
// result.
func FuzzTrace(f *testing.F) {
	for _, text := range []string{
		"select * from p join q using (id)", "with recursive x as (select 1 union all select * from x) select * from x", "select from where", "values (1)",
		"begin new.a := old.b; delete from p where id in (select id from v); end", "create trigger g before update on p for each row set new.a = 1", "select * from w", "",
	} {
		f.Add(text, "select a from v", uint8(0))
	}
	f.Fuzz(func(t *testing.T, one, two string, n uint8) {
		d := dialect.All()[int(n)%len(dialect.All())]
		db := threeTables()
		db.Views = []*schema.View{view1("v", one), view1("w", two), {Name: schema.Name{Schema: "s", Name: "v"}, Body: two, Columns: []string{"x"}, Recursive: true}}
		db.Routines = []*schema.Routine{
			{Name: schema.Name{Name: "f"}, Language: "sql", Body: one}, {Name: schema.Name{Name: "g"}, Body: two}, {Name: schema.Name{Name: "h"}, Declared: one},
		}
		db.Triggers = []*schema.Trigger{
			{Name: "t", Table: schema.Name{Name: "p"}, Events: []string{"INSERT"}, Body: one}, {Name: "u", Table: schema.Name{Name: "q"}, Declared: two},
		}
		r := Trace(t.Context(), db, d)
		check(t, r)
		for _, e := range r.Edges {
			if !strings.Contains("pqr", e.FromTable) || !strings.Contains("idab", strings.ToLower(e.FromColumn)) {
				t.Errorf("%+v is of no table", e)
			}
		}
	})
}
