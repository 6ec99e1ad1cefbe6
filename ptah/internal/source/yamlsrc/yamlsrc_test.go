package yamlsrc

import (
	"io/fs"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/schema/schematest"
)

func TestLoad(t *testing.T) {
	schematest.Archives(t, "testdata/*.txtar", func(files fs.FS, d dialect.Dialect, rep *finding.Report) *schema.Database {
		data, err := fs.ReadFile(files, "schema.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return Load(t.Context(), data, "schema.yaml", d, rep)
	})
}
