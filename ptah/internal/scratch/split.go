package scratch

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// Statement is one statement of a script.
type Statement struct {
	Text string
	Line int // where it begins, from 1
}

// Split takes a script apart into its statements. The error is a [*sqltree.SyntaxError].
func Split(d dialect.Dialect, text string) ([]Statement, error) {
	spans, err := spans(d, text)
	if err != nil {
		return nil, err
	}
	list := make([]Statement, len(spans))
	line, counted := 1, 0
	for i, at := range spans {
		line += strings.Count(text[counted:at.Start], "\n")
		counted = at.Start
		list[i] = Statement{text[at.Start:at.End], line}
	}
	return list, nil
}

func spans(d dialect.Dialect, text string) ([]sqltree.Span, error) {
	if d.MySQLFamily() {
		if list, ok := mysql.Split(text); ok {
			return list, nil
		}
	}
	sql, _ := d.SQL()
	script, err := trees.Parse(sql, text)
	if err != nil {
		return nil, err
	}
	list := make([]sqltree.Span, len(script.Statements))
	for i, s := range script.Statements {
		list[i] = s.Pos()
	}
	return list, nil
}
