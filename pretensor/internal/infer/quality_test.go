package infer

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// TestJoins_Quality takes the declared keys away and looks how many of them are
// found again, at least as likely as not, and how many of the joins found are
// declared. A join of a column pair that the schema does not declare counts as
// wrong, even where it is true.
func TestJoins_Quality(t *testing.T) {
	read := func(name string, extra ...string) func(testing.TB) []model.Table {
		return func(tb testing.TB) []model.Table {
			b, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				tb.Fatal(err)
			}
			return tables(tb, string(b), extra...)
		}
	}
	load := func(name string) func(testing.TB) []model.Table {
		return func(tb testing.TB) []model.Table { return script(tb, name) }
	}
	tests := []struct {
		name              string
		load              func(testing.TB) []model.Table
		precision, recall float64
	}{
		{"tpch", read("tpch.txt"), 0.80, 0.85},
		{"workshop", read("workshop.txt", "rowguid", "modifieddate:timestamp"), 0.78, 0.80},
		{"sakila", load("sakila"), 0.85, 0.95},
		{"northwind", load("northwind"), 0.95, 0.90},
		{"chinook", load("chinook"), 0.95, 0.90},
		{"panoptes", load("panoptes"), 0.80, 0.95},
		{"danbooru", load("danbooru"), 0.85, 0.93},
		{"omop-cdm-5.4", load("omop-cdm-5.4"), 0.95, 0.95},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := test.load(t)
			declared := strip(in)
			r := Joins(Input{Dialect: "postgresql", Tables: in}, Options{})
			right, wrong := 0, 0
			found := map[string]bool{}
			var misses, extras []string
			for _, j := range r.Joins {
				if j.Confidence < medium {
					continue
				}
				key := pairName(in, j.Source, j.Target)
				found[key] = true
				if declared[key] {
					right++
				} else {
					wrong++
					extras = append(extras, fmt.Sprintf("%s %s %.2f", key, j.Kind, j.Confidence))
				}
			}
			for key := range declared {
				if !found[key] {
					misses = append(misses, key)
				}
			}
			precision, recall := float64(right)/float64(max(1, right+wrong)), float64(right)/float64(len(declared))
			t.Logf("%d tables, %d declared pairs: precision %.2f, recall %.2f (%d joins in all)", len(in), len(declared), precision, recall, len(r.Joins))
			if testing.Verbose() {
				for _, m := range sorted(misses) {
					t.Log("missed ", m)
				}
				for _, e := range sorted(extras) {
					t.Log("extra  ", e)
				}
			}
			if precision < test.precision || recall < test.recall {
				t.Errorf("precision %.2f and recall %.2f, want at least %.2f and %.2f", precision, recall, test.precision, test.recall)
			}
		})
	}
}

// strip takes the declared keys off tables and returns their column pairs.
func strip(in []model.Table) map[string]bool {
	declared := map[string]bool{}
	for i := range in {
		for _, fk := range in[i].ForeignKeys {
			for p := range fk.RefColumns {
				declared[fmt.Sprintf("%s.%s.%s -> %s.%s.%s", in[i].Schema, in[i].Name, fk.Columns[p], fk.RefSchema, fk.RefTable, fk.RefColumns[p])] = true
			}
		}
		in[i].ForeignKeys = nil
	}
	return declared
}

func pairName(in []model.Table, a, b Ref) string {
	name := func(r Ref) string {
		return in[r.Table].QualifiedName() + "." + in[r.Table].Columns[r.Column].Name
	}
	return name(a) + " -> " + name(b)
}
