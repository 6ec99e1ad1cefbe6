package metricsql_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
	"github.com/quartet-mcp/quartet/cerebro/internal/metricsql"
	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

// shop is a project made for the hard cases: keys that are null and keys without a
// partner, groups with nothing in them, the same dimension on two ways, times
// around midnight, ties, and a table that would multiply rows.
func shop(t testing.TB) *semantic.Layer {
	t.Helper()
	read := func(name string) *os.File {
		f, err := os.Open("../semantic/testdata/shop/" + name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	p, err := dbt.ReadManifest(read("manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.AddCatalog(read("catalog.json")); err != nil {
		t.Fatal(err)
	}
	s, err := dbt.ReadSemanticManifest(read("semantic_manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	p.Semantics = *s
	l := semantic.Build(p, semantic.Auto)
	for _, f := range l.Findings {
		if f.Severity == "error" {
			t.Errorf("%+v", f)
		}
	}
	return l
}

func duck(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	text, err := os.ReadFile("../semantic/testdata/shop/tables.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
	return db
}

func rows(db *sql.DB, text string, args ...any) ([]string, [][]string, error) {
	r, err := db.QueryContext(context.Background(), text, args...)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	names, err := r.Columns()
	if err != nil {
		return nil, nil, err
	}
	out := [][]string{}
	for r.Next() {
		cells := make([]any, len(names))
		for i := range cells {
			cells[i] = new(any)
		}
		if err := r.Scan(cells...); err != nil {
			return nil, nil, err
		}
		line := make([]string, len(names))
		for i, c := range cells {
			line[i] = cell(*c.(*any))
		}
		out = append(out, line)
	}
	return names, out, r.Err()
}

func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case time.Time:
		if v.Hour() == 0 && v.Minute() == 0 && v.Second() == 0 {
			return v.Format(time.DateOnly)
		}
		return v.Format("2006-01-02 15:04:05")
	case float64:
		return fmt.Sprintf("%.6f", v)
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

func date(s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	t, _, ok := semantic.ParseTime(s)
	if !ok {
		panic(s)
	}
	return t
}

func args(s *metricsql.Statement) []any {
	out := make([]any, 0, len(s.Args))
	for _, a := range s.Args {
		out = append(out, a.Value)
	}
	return out
}

// Every question is answered by the compiled SQL and by SQL written by hand.
func TestCompile_DuckDB(t *testing.T) {
	l, db := shop(t), duck(t)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range questions {
		t.Run(c.name, func(t *testing.T) {
			p, err := l.Plan(c.request)
			if err != nil {
				t.Fatal(err)
			}
			o := metricsql.Options{Dialect: metricsql.DuckDB}
			if c.berlin {
				o.Zone = berlin
			}
			s := metricsql.Compile(p, o)
			names, got, err := rows(db, s.SQL, args(s)...)
			if err != nil {
				t.Fatalf("%v\n%s", err, s.SQL)
			}
			if !slices.Equal(names, s.Columns) {
				t.Errorf("columns %v, said %v", names, s.Columns)
			}
			_, want, err := rows(db, c.hand)
			if err != nil {
				t.Fatalf("by hand: %v", err)
			}
			if !equal(got, want, len(c.request.OrderBy) > 0) {
				t.Errorf("got\n%s\nwant\n%s\n%s", show(got), show(want), s.Display)
			}
			if _, display, err := rows(db, s.Display); err != nil || !equal(display, got, true) {
				t.Errorf("the text for people gives %v %v\n%s", display, err, s.Display)
			}
		})
	}
}

func equal(a, b [][]string, ordered bool) bool {
	flat := func(rows [][]string) []string {
		var out []string
		for _, r := range rows {
			out = append(out, strings.Join(r, "|"))
		}
		if !ordered {
			slices.Sort(out)
		}
		return out
	}
	return slices.Equal(flat(a), flat(b))
}

func show(rows [][]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString("  " + strings.Join(r, " | ") + "\n")
	}
	return b.String()
}
