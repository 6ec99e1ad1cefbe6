package index

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
)

const usageDDL = `
	create table people (id bigint primary key, name text, badge text unique);
	create table doors (id bigint primary key, opened_by text, keeper bigint references people, floor_plan text);
	create table visits (id bigint primary key, door_id bigint, guest text);
	create table logs (id bigint primary key, floor_plan text);`

// codePair is what code compares: table.column twice.
func codePair(a, columnA, b, columnB string, locations int) infer.Pair {
	return infer.Pair{SchemaA: "public", TableA: a, ColumnA: columnA, SchemaB: "public", TableB: b, ColumnB: columnB, Locations: locations}
}

func TestMergeCodeJoins(t *testing.T) {
	opened := codePair("people", "badge", "doors", "opened_by", 1) // as no rule guesses
	often := codePair("doors", "opened_by", "people", "badge", 3)
	tests := []struct {
		name  string
		steps [][]infer.Pair
		whole bool
		want  []string // beside what is inferred without code
	}{
		{"nothing", [][]infer.Pair{{}}, true, nil},
		{"one place, towards what is unique", [][]infer.Pair{{opened}}, true, []string{"doors.opened_by -> people.badge usage_code 0.85"}},
		{"three places", [][]infer.Pair{{often}}, true, []string{"doors.opened_by -> people.badge usage_code 0.95"}},
		{"again", [][]infer.Pair{{often}, {often}}, true, []string{"doors.opened_by -> people.badge usage_code 0.95"}},
		{"fewer places", [][]infer.Pair{{often}, {opened}}, true, []string{"doors.opened_by -> people.badge usage_code 0.85"}},
		{"fewer places of one of several services", [][]infer.Pair{{often}, {opened}}, false, []string{"doors.opened_by -> people.badge usage_code 0.95"}},
		{"gone", [][]infer.Pair{{often}, {}}, true, nil},
		{"not found by one of several services", [][]infer.Pair{{often}, {}}, false, []string{"doors.opened_by -> people.badge usage_code 0.95"}},
		{"a declared key", [][]infer.Pair{{codePair("doors", "keeper", "people", "id", 5)}}, true, nil},
		{"types that cannot meet", [][]infer.Pair{{codePair("visits", "guest", "people", "id", 5)}}, true, nil},
		{"a table that is not there", [][]infer.Pair{{codePair("ghosts", "id", "people", "id", 5)}}, true, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := Analyse("shop", modeltest.FromDDL(t, sqltree.Postgres, "public", usageDDL), settings)
			without := lines(data)
			for _, found := range test.steps {
				if err := MergeCodeJoins(context.Background(), data, settings, found, test.whole); err != nil {
					t.Fatal(err)
				}
			}
			var more []string
			for _, l := range lines(data) {
				if i := indexOf(without, l); i >= 0 {
					without = append(without[:i:i], without[i+1:]...)
					continue
				}
				more = append(more, l)
			}
			if diff := cmp.Diff(test.want, more); diff != "" || len(without) > 0 {
				t.Errorf("-want +got\n%s\nlost: %q", diff, without)
			}
		})
	}
}

// What names suggest weakly and code shows is one join, as sure as code makes it; when
// the code is gone the guess is back as it was.
func TestMergeCodeJoins_Guessed(t *testing.T) {
	data := Analyse("shop", modeltest.FromDDL(t, sqltree.Postgres, "public", usageDDL), settings)
	guess := func() []string {
		var out []string
		for _, j := range data.Joins {
			if j.FromColumn == "floor_plan" {
				out = append(out, fmt.Sprint(j.Kind, " ", j.Confidence))
			}
		}
		return out
	}
	before := guess()
	if len(before) == 0 {
		t.Fatal("the names suggest nothing")
	}
	for _, step := range []struct {
		found []infer.Pair
		want  []string
	}{{[]infer.Pair{codePair("doors", "floor_plan", "logs", "floor_plan", 2)}, []string{"usage_code 0.63"}}, {nil, before}} {
		if err := MergeCodeJoins(context.Background(), data, settings, step.found, true); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.want, guess()); diff != "" {
			t.Errorf("after %v, -want +got\n%s", step.found, diff)
		}
	}
}

// A new index keeps what code shows, also where names suggest the same less surely.
func TestMergeCodeJoins_Kept(t *testing.T) {
	db := modeltest.FromDDL(t, sqltree.Postgres, "public", usageDDL)
	data := Analyse("shop", db, settings)
	found := []infer.Pair{codePair("doors", "floor_plan", "logs", "floor_plan", 2), codePair("people", "badge", "doors", "opened_by", 1)}
	if err := MergeCodeJoins(context.Background(), data, settings, found, true); err != nil {
		t.Fatal(err)
	}
	want := lines(data)
	again, _ := inferred("shop", db, settings, newEarlier(data, data.Tables))
	got := lines(again)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// A join that code shows is one that stored paths lead over.
func TestMergeCodeJoins_Paths(t *testing.T) {
	data := Analyse("shop", modeltest.FromDDL(t, sqltree.Postgres, "public", usageDDL), settings)
	if err := MergeCodeJoins(context.Background(), data, settings, []infer.Pair{codePair("people", "name", "visits", "guest", 4)}, true); err != nil {
		t.Fatal(err)
	}
	c := catalog.New(*data, settings.AliasSources)
	from, to := table(t, data, "people"), table(t, data, "visits")
	p, _ := c.Path(from, to)
	if p == nil || len(p.Edges) != 1 {
		t.Errorf("the path from people to visits is %v", p)
	}
}

func lines(data *catalog.Data) []string {
	var out []string
	for _, j := range data.Joins {
		out = append(out, fmt.Sprintf("%s.%s -> %s.%s %s %.2f", data.Tables[j.From].Name, j.FromColumn, data.Tables[j.To].Name, j.ToColumn, j.Kind, j.Confidence))
	}
	return out
}

func indexOf(list []string, text string) int {
	for i, l := range list {
		if l == text {
			return i
		}
	}
	return -1
}
