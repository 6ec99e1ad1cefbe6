package metric

import (
	"errors"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
)

// Severities of a finding.
const (
	SeverityError   = "error"   // there is no SQL, or it does not pass the checks
	SeverityWarning = "warning" // there is, and something is to be said about it
)

// Finding is what [Lint] has to say about one place of a layer.
type Finding struct {
	Severity string `json:"severity"`
	Code     Code   `json:"code"`             // of an error; invalid_sql where the SQL does not pass
	Metric   string `json:"metric,omitempty"` // as [Layer.Metrics] names it
	Path     string `json:"path"`
	Line     int    `json:"line"` // from 1; 0: not known
	Column   int    `json:"column"`
	Message  string `json:"message"`
}

// InvalidSQL is the code of a metric whose SQL does not pass the checks.
const InvalidSQL Code = "invalid_sql"

// Lint checks every metric of a text, in the order of the text; the result is
// empty, not nil, for one without a fault. Where the text cannot be parsed its
// faults are the result. Without a catalog (nil) only the text is checked.
func Lint(c *catalog.Catalog, text string) []Finding {
	out := []Finding{}
	fault := func(metric string, err error) {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Code: CompileFailed, Message: err.Error()}
		}
		problems := e.Problems
		if problems == nil {
			problems = []*Error{e}
		}
		for _, p := range problems {
			out = append(out, Finding{SeverityError, p.Code, metric, p.Path, p.Line, p.Column, p.Message})
		}
	}
	l, err := Parse(text)
	if err != nil {
		fault("", err)
		return out
	}
	names := l.Metrics()
	for i, a := range l.all() {
		if c == nil {
			if err := l.alone(a); err != nil {
				fault(names[i], err)
			}
			continue
		}
		r, err := l.compile(c, a)
		if err != nil {
			fault(names[i], err)
			continue
		}
		add := func(severity string, code Code, message string) {
			out = append(out, Finding{severity, code, names[i], a.metric.Path, a.metric.Line, a.metric.Column, message})
		}
		if v := r.Validation; !v.Valid {
			parts := append([]string{}, v.SyntaxErrors...)
			for _, t := range v.MissingTables {
				parts = append(parts, "there is no table "+t)
			}
			for _, t := range v.MissingColumns {
				parts = append(parts, "there is no column "+t)
			}
			for _, j := range v.InvalidJoins {
				parts = append(parts, j.LeftTable+" and "+j.RightTable+": "+j.Message)
			}
			add(SeverityError, InvalidSQL, strings.Join(parts, "; "))
		}
		for _, w := range r.Warnings {
			add(SeverityWarning, "", w)
		}
	}
	return out
}
