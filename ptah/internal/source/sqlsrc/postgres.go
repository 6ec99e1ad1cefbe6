package sqlsrc

import (
	"context"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// postgres executes scripts of the PostgreSQL family.
type postgres struct {
	d   dialect.Dialect
	rep *finding.Report
	db  *schema.Database
}

func newPostgres(d dialect.Dialect, rep *finding.Report) interpreter {
	return &postgres{d: d, rep: rep, db: &schema.Database{}}
}

func (in *postgres) run(_ context.Context, _ piece) {}

func (in *postgres) database() *schema.Database { return in.db }
