package render

import (
	"context"
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// A job renders one schema.
type job struct {
	graph
	ctx context.Context
	db  *schema.Database
	o   Options
	d   dialect.Dialect
	v   dialect.Version
	rep *finding.Report

	schema string // of objects that are declared without one
	types  map[schema.Name]*userType
	names  nameSet
	// numbers are the first ones that may be free behind a name that was made up before.
	numbers map[schema.Name]int
	made    map[any]string // the names made up for constraints and indexes
}

func newJob(ctx context.Context, db *schema.Database, o Options, v dialect.Version, rep *finding.Report) *job {
	j := &job{ctx: ctx, db: db, o: o, d: o.Dialect, v: o.Dialect.Speaks(v), rep: rep, schema: o.Dialect.DefaultSchema()}
	j.types = j.userTypes()
	j.names, j.numbers = j.takenNames(), map[schema.Name]int{}
	j.nameAll()
	return j
}

// statements returns the statements of the graph in order.
func (j *job) statements() []string {
	list := []string{}
	order, cycle := j.order(j.ctx)
	for _, n := range order {
		list = append(list, n.statements...)
	}
	if len(cycle) > 0 && !j.rep.Failed() {
		first := cycle[0]
		j.problem(finding.Schema, cycleRule(cycle), first.name.String(), first.origin, "%q depends on itself through %s", first.name.String(), nodeNames(cycle[1:]))
	}
	return list
}

// cycleRule is the rule that objects break which need each other: that of views, where
// there is one among them.
func cycleRule(cycle []*node) finding.Rule {
	for _, n := range cycle {
		if n.phase == phaseView {
			return "VW005"
		}
	}
	return "ORD001"
}

func nodeNames(nodes []*node) string {
	const most = 5
	var names []string
	for i, n := range nodes {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, fmt.Sprintf("%q", n.name.String()))
	}
	if len(names) == 0 {
		return "its own definition"
	}
	return strings.Join(names, ", ")
}

// problem reports that the dialect cannot hold an object.
func (j *job) problem(kind finding.Kind, rule finding.Rule, object string, at schema.Origin, format string, args ...any) {
	j.rep.Problem(finding.Problem{Kind: kind, Rule: rule, Object: object, Path: at.Path, Line: at.Line, Message: fmt.Sprintf(format, args...)})
}

// quote writes a name.
func (j *job) quote(name string) string { return j.d.Quote(name) }

// ref writes the name of an object, with its schema where one is declared.
func (j *job) ref(n schema.Name) string {
	if n.Schema == "" {
		return j.quote(n.Name)
	}
	return j.quote(n.Schema) + "." + j.quote(n.Name)
}

// list writes names in parentheses.
func (j *job) list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = j.quote(n)
	}
	return "(" + strings.Join(quoted, ", ") + ")"
}

// statement joins the parts that are not empty with blanks and ends the statement.
func statement(parts ...string) string { return clauses(parts...) + ";" }

// clauses joins the parts that are not empty with blanks.
func clauses(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return b.String()
}

// given returns the text if it is wanted, else nothing.
func given(want bool, text string) string {
	if !want {
		return ""
	}
	return text
}

// text is a piece of SQL as its author wrote it, without the blanks around it and with
// the line ends of this package. A comment in its last line must not swallow what comes
// behind it, which therefore begins a new line.
func text(sql string) string {
	sql = strings.TrimSpace(strings.ReplaceAll(sql, "\r\n", "\n"))
	last := sql[strings.LastIndexByte(sql, '\n')+1:]
	if strings.Contains(last, "--") || strings.Contains(last, "#") {
		sql += "\n"
	}
	return sql
}

// declared is a whole statement as its author wrote it.
func declared(sql string) string {
	return text(strings.TrimRight(text(sql), "; \t\n")) + ";"
}

// parens puts an expression in parentheses.
func parens(expr string) string { return "(" + text(expr) + ")" }

// options writes a list of options for WITH (…).
func (j *job) options(list []schema.Option) string {
	parts := make([]string, len(list))
	for i, o := range list {
		parts[i] = o.Key
		if o.Value != "" {
			parts[i] += "=" + o.Value
		}
	}
	return strings.Join(parts, ", ")
}
