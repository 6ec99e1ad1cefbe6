package sqlsrc

import (
	"io/fs"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/schema/schematest"
)

func TestLoad_Models(t *testing.T) {
	for _, d := range []dialect.Dialect{
		dialect.SQLite, dialect.MySQL, dialect.MariaDB, dialect.SQLServer, dialect.ClickHouse, dialect.Spanner, dialect.Oracle, dialect.YDB,
	} {
		schematest.Archives(t, "testdata/"+string(d)+"_*.txtar", func(files fs.FS, d dialect.Dialect, rep *finding.Report) *schema.Database {
			return Load(t.Context(), files, "schema.sql", "schema.sql", d, rep)
		})
	}
}
