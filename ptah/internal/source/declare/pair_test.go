package declare_test

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/schema/schematest"
	"github.com/quartet-mcp/quartet/ptah/internal/source/goann"
	"github.com/quartet-mcp/quartet/ptah/internal/source/yamlsrc"
)

// The same thing said in both languages is the same schema.
func TestPairs(t *testing.T) {
	schematest.Archives(t, "testdata/*.txtar", func(files fs.FS, d dialect.Dialect, rep *finding.Report) *schema.Database {
		text, err := fs.ReadFile(files, "schema.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var other finding.Report
		yaml := yamlsrc.Load(t.Context(), text, "schema.yaml", d, &other)
		annotated := goann.Load(t.Context(), files, ".", ".", d, rep)
		if diff := cmp.Diff(schematest.Dump(annotated), schematest.Dump(yaml)); diff != "" {
			t.Errorf("annotations and YAML differ (-annotations +YAML):\n%s", diff)
		}
		if found := schematest.Findings(&other); found != schematest.Findings(rep) {
			t.Errorf("YAML:\n%s", found)
		}
		return annotated
	})
}
