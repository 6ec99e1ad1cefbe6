package yamlsrc

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// FuzzYAML takes any text as a file. It ends, without a panic and with clean messages.
func FuzzYAML(f *testing.F) {
	for _, pattern := range []string{"testdata/*.txtar", "../declare/testdata/*.txtar"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatal(pattern, err)
		}
		for _, name := range names {
			a, err := txtar.ParseFile(name)
			if err != nil {
				f.Fatal(err)
			}
			for _, file := range a.Files {
				if file.Name == "schema.yaml" {
					f.Add(file.Data)
				}
			}
		}
	}
	for _, text := range hostile() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var rep finding.Report
		if Load(t.Context(), data, "a.yaml", dialect.MySQL, &rep) == nil {
			t.Fatal("there is no model")
		}
		for _, p := range rep.Problems() {
			if strings.ContainsAny(p.Message, "\n\x00") || p.Message == "" {
				t.Errorf("%q is not one clean line", p.Message)
			}
		}
	})
}

// hostile are texts that want more than their size.
func hostile() map[string]string {
	return map[string]string{
		"brackets":       "a: " + strings.Repeat("[", 5000),
		"closed":         "a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"dashes":         "a:\n" + strings.Repeat("- ", 5000) + "x",
		"questions":      strings.Repeat("? ", 5000) + "x",
		"keys":           strings.Repeat("a: ", 2000),
		"indentation":    deep(2000),
		"aliases":        "a: &a [*a, *a]\n",
		"long":           "tables: {" + strings.Repeat("x", 1<<20) + ": []}",
		"NUL":            "tables: {a: \x00}",
		"not UTF-8":      "tables: {\xff: {}}",
		"escaped NUL":    `tables: {"a\0b": {columns: {a: {type: "in\0t"}}}}`,
		"bidirectional":  "tables: {\"\u202eevil\": {x: y}}",
		"tag":            "!!binary tables",
		"directive":      "%YAML 9.9\n---\ntables: {}",
		"tabs":           "tables:\n\ta: {}",
		"anchored":       strings.Repeat("&a ", 100) + "x",
		"windows":        "\ufeffenums:\r\n  a: [x]\r\n",
		"chain":          "a: &a x\nb: &b *a\nc: &c *b\n",
		"many documents": strings.Repeat("---\n", 1000),
	}
}

func deep(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestLoad_Hostile(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			var rep finding.Report
			db := Load(t.Context(), []byte(text), "a.yaml", dialect.Postgres, &rep)
			if name == "windows" {
				if rep.Failed() || len(db.Enums) != 1 {
					t.Errorf("a file of Windows: %v, %d enums", rep.Problems(), len(db.Enums))
				}
			} else if name != "escaped NUL" && !rep.Failed() {
				t.Error("there is no problem")
			}
			for _, p := range rep.Problems() {
				if len(p.Message) > 1000 || strings.ContainsAny(p.Message, "\x00\u202e\n") {
					t.Errorf("%.200q is not a clean line", p.Message)
				}
			}
		})
	}
}
