package sqlsrc

import (
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

func newOther(d dialect.Dialect, rep *finding.Report) interpreter { panic("not yet") }
