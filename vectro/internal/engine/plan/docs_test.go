package plan

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The page that describes the server lists every function and aggregate, and
// nothing else.
func TestDocs_ListFunctionsAndAggregates(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/vectro.md")
	if err != nil {
		t.Fatal(err)
	}
	for mark, want := range map[string][]string{"functions": Functions(), "aggregates": Aggregates()} {
		_, list, ok := strings.Cut(string(page), "<!-- "+mark+" -->")
		list, _, ok2 := strings.Cut(list, "<!-- end of "+mark+" -->")
		if !ok || !ok2 {
			t.Fatalf("no list of %s", mark)
		}
		var got []string
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(list, -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the page lists the %s %v, want %v", mark, got, want)
		}
	}
}
