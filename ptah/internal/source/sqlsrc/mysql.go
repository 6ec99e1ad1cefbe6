package sqlsrc

import (
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

func newMySQL(d dialect.Dialect, rep *finding.Report) interpreter { panic("not yet") }
