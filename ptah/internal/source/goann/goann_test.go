package goann

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
		return Load(t.Context(), files, ".", "models", d, rep)
	})
}
