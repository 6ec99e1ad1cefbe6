// Package cyphertest reads the queries that the guard of package cypher is tested with.
package cyphertest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Queries reads a file of them, one a line. A line that begins with a quote is a Go
// string; an empty one, and one that begins with #, says nothing.
func Queries(t testing.TB, file string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		query := strings.TrimSuffix(line, "\n")
		switch {
		case query == "" || strings.HasPrefix(query, "#"):
			continue
		case strings.HasPrefix(query, `"`):
			if query, err = strconv.Unquote(query); err != nil {
				t.Fatalf("%s: %s: %v", file, line, err)
			}
		}
		if seen[query] {
			t.Errorf("%s: %q is there twice", file, query)
		}
		seen[query] = true
		list = append(list, query)
	}
	return list
}
