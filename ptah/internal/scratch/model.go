package scratch

import (
	"context"

	"github.com/quartet-mcp/quartet/ptah/internal/dbscript"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
)

// Model reads the structure of a database as a declared schema. What the structure leaves
// out becomes a warning.
func Model(ctx context.Context, s *dbscript.Script, shown string, d dialect.Dialect, rep *finding.Report) *schema.Database {
	for _, what := range s.Missing {
		rep.Warn(finding.CatalogPartial, "%s: %s", shown, what)
	}
	db := sqlsrc.Parse(ctx, s.Text, shown, d, rep)
	db.Attach(d.DefaultSchema(), d.TableKey)
	return db
}
