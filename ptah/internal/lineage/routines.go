package lineage

import (
	"context"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func (t *tracer) routines(ctx context.Context, db *schema.Database) {}
