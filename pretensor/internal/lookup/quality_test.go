package lookup

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/wordvec"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// fixture is the catalog of a script in testdata.
func fixture(tb testing.TB, name string) catalog.Data {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".sql"))
	if err != nil {
		tb.Fatal(err)
	}
	db := modeltest.FromDDL(tb, sqltree.Postgres, "public", string(text))
	return catalog.Data{
		Connection: name, Database: name, Dialect: db.Dialect, DefaultSchema: "public", Tables: db.Tables,
		Facts: make([]catalog.Facts, len(db.Tables)), Lineage: db.Lineage,
	}
}

type asked struct {
	question string
	tables   []string
}

func questions(tb testing.TB, name string) []asked {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".questions"))
	if err != nil {
		tb.Fatal(err)
	}
	var list []asked
	for line := range strings.Lines(string(text)) {
		question, tables, ok := strings.Cut(line, "=>")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		a := asked{question: strings.TrimSpace(question)}
		for _, t := range strings.Split(tables, ",") {
			t = strings.TrimSpace(t)
			if !strings.Contains(t, ".") {
				t = "public." + t
			}
			a.tables = append(a.tables, t)
		}
		list = append(list, a)
	}
	if len(list) < 25 {
		tb.Fatalf("%d questions, want at least 25", len(list))
	}
	return list
}

// TestSearch_Quality asks what analysts ask and counts how many of the tables that an
// answer needs are among the first five: by keywords alone with nothing but the
// structure, then with an entity for each table, which takes places, too; and fused
// with the meaning by the builtin vectors, as the program does unless told otherwise.
func TestSearch_Quality(t *testing.T) {
	for _, test := range []struct {
		schema string
		recall float64
	}{
		{"rental", 0.80}, {"adventureworks", 0.70}, {"tpch", 0.85},
	} {
		for _, variant := range []string{"structure", "entities", "fused"} {
			t.Run(test.schema+"/"+variant, func(t *testing.T) {
				data := fixture(t, test.schema)
				if variant == "entities" {
					for i := range data.Tables {
						noun := names.Singular(data.Tables[i].Name)
						data.Entities = append(data.Entities, catalog.Entity{
							Name: strings.ToUpper(noun[:1]) + noun[1:], Description: "What " + data.Tables[i].Name + " holds", Tables: []int{i},
						})
					}
				}
				var e *embed.Embedder
				if variant == "fused" {
					p, err := wordvec.NewBuiltin()
					if err != nil {
						t.Fatal(err)
					}
					e = embed.New(p)
					if data.Vectors, err = embed.Tables(t.Context(), p, &data); err != nil {
						t.Fatal(err)
					}
				}
				x := index(t, catalog.New(data, 1))
				known := map[string]bool{}
				for i := range data.Tables {
					known[data.Tables[i].QualifiedName()] = true
				}
				sum, n := 0.0, 0
				for _, q := range questions(t, test.schema) {
					a, fused, err := x.Fused(t.Context(), e, Question{Text: q.question, Limit: 5})
					if fused != (variant == "fused") {
						t.Errorf("%q: fused %v", q.question, fused)
					}
					if err != nil {
						t.Fatal(err)
					}
					var got []string
					for _, h := range a.Hits {
						got = append(got, h.Name)
					}
					found := 0
					for _, want := range q.tables {
						if !known[want] {
							t.Fatalf("%q expects %s, which the schema has not", q.question, want)
						}
						if slices.Contains(got, want) {
							found++
						}
					}
					n++
					sum += float64(found) / float64(len(q.tables))
					if found < len(q.tables) {
						t.Logf("%q: got %v, want %v", q.question, got, q.tables)
					}
				}
				recall := sum / float64(n)
				t.Logf("recall@5 of %d questions: %.3f", n, recall)
				if recall < test.recall {
					t.Errorf("recall@5 is %.3f, want at least %.2f", recall, test.recall)
				}
			})
		}
	}
}

// index returns an index of catalogs.
func index(tb testing.TB, catalogs ...*catalog.Catalog) *Index {
	tb.Helper()
	x, err := New()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := x.Close(); err != nil {
			tb.Error(err)
		}
	})
	for _, c := range catalogs {
		if err := x.Put(tb.Context(), c); err != nil {
			tb.Fatal(err)
		}
	}
	return x
}
