package search_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/search"
)

// at is what one list adds for a rank, in the arithmetic of the program rather
// than the exact one of constants.
func at(rank float64) float64 { return 1 / (60 + rank) }

func TestFuse(t *testing.T) {
	for _, tc := range []struct {
		name  string
		lists [][]string
		want  []search.Fused
	}{
		{"nothing", nil, []search.Fused{}},
		{"one list keeps its order", [][]string{{"b", "a"}}, []search.Fused{{"b", at(1)}, {"a", at(2)}}},
		{"ranks add up", [][]string{{"a", "b", "c"}, {"c", "b"}},
			[]search.Fused{{"c", at(1) + at(3)}, {"b", at(2) + at(2)}, {"a", at(1)}}},
		{"equal scores by the first list", [][]string{{"b", "a"}, {"a", "b"}}, []search.Fused{{"b", at(1) + at(2)}, {"a", at(1) + at(2)}}},
		{"equal scores, absent from the first list", [][]string{{"z"}, {"a"}}, []search.Fused{{"z", at(1)}, {"a", at(1)}}},
		{"equal scores by the second list", [][]string{{}, {"z"}, {"a"}}, []search.Fused{{"z", at(1)}, {"a", at(1)}}},
		{"equal ranks in another order of three lists", [][]string{{"a", "b", "c"}, {"b", "c", "a"}, {"c", "a", "b"}},
			[]search.Fused{{"a", at(1) + at(2) + at(3)}, {"b", at(1) + at(2) + at(3)}, {"c", at(1) + at(2) + at(3)}}},
		{"the first of repeated entries counts", [][]string{{"a", "a", "b"}}, []search.Fused{{"a", at(1)}, {"b", at(3)}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(search.Fuse(tc.lists...), tc.want); diff != "" {
				t.Errorf("Fuse (-got +want):\n%s", diff)
			}
		})
	}
}

func TestFuse_LeavesItsArgumentsAlone(t *testing.T) {
	list := []string{"c", "a", "b"}
	search.Fuse(list, list)
	if diff := cmp.Diff(list, []string{"c", "a", "b"}); diff != "" {
		t.Errorf("list after Fuse (-got +want):\n%s", diff)
	}
}
