package render

import (
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// portableType maps a portable type that is no enum and warns of what is not kept.
func (j *job) portableType(t schema.Type, object string, at schema.Origin) (m dialect.Mapped, ok bool) {
	if u := j.userType(t); u != nil {
		if _, builtin := dialect.Portable(t); !builtin {
			j.problem(finding.Schema, "TYP004", object, at, "%q has type %q, which is a %s; %s has none; set platform.%s.type", object, t.Text, u.kind, j.d, j.d)
			return m, false
		}
	}
	m, err := j.d.MapType(t, j.v)
	if err != nil {
		j.typeProblem(err, object, at)
		return m, false
	}
	if m.Lossy {
		j.rep.Warn(finding.LossyType, "%s: %q is declared %s and becomes %s, which keeps less", at, object, t.Text, m.SQL)
	}
	return m, true
}

// enumValues returns the values of a declared enum that a type names.
func (j *job) enumValues(t schema.Type) ([]string, bool) {
	if _, builtin := dialect.Portable(t); builtin || t.Array > 0 {
		return nil, false
	}
	if u := j.userType(t); u != nil && u.enum != nil {
		return u.enum.Values, true
	}
	return nil, false
}

// portableDefault says which of the defaults that every dialect is to have an expression
// is: now, date, uuid, or none.
func portableDefault(expr string) string {
	switch strings.ToLower(strings.Join(strings.Fields(expr), "")) {
	case "now()", "current_timestamp", "current_timestamp()":
		return "now"
	case "current_date", "current_date()":
		return "date"
	case "gen_random_uuid()":
		return "uuid"
	}
	return ""
}
