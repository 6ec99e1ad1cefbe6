package validate

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/docs"
)

// TestRules_AreDocumented: every code that a problem can have is in the list of rules,
// and no other.
func TestRules_AreDocumented(t *testing.T) {
	page, err := fs.ReadFile(docs.Files, "reference/validation-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^### ([A-Z]{2,3}\d{3}): `).FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, m[1])
	}
	families := map[string]bool{}
	for _, code := range listed {
		families[code[:len(code)-3]] = true
	}
	code := regexp.MustCompile(`"([A-Z]{2,3})(\d{3})"`)
	used := map[string]bool{}
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range code.FindAllStringSubmatch(string(source), -1) {
			if families[m[1]] { // other codes are of migrations
				used[m[1]+m[2]] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for c := range used {
		if !slices.Contains(listed, c) {
			t.Errorf("rule %s is not documented", c)
		}
	}
	for i, c := range listed {
		if slices.Contains(listed[:i], c) {
			t.Errorf("rule %s is documented twice", c)
		}
		if !used[c] {
			t.Errorf("rule %s is documented and nothing reports it", c)
		}
	}
}
