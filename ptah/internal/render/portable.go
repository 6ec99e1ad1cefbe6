package render

import (
	"strconv"
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

// literal writes a value that is declared without quotes, as its type wants it.
func (j *job) literal(value string, t schema.Type) string {
	value = strings.ReplaceAll(value, "\r\n", "\n")
	class := dialect.ClassOf(t)
	if t.Array > 0 {
		class = dialect.OtherClass
	}
	switch class {
	case dialect.NumberClass, dialect.BooleanClass:
		if strings.EqualFold(value, "null") {
			return "NULL"
		}
	}
	switch class {
	case dialect.NumberClass:
		if isNumber(value) {
			return value
		}
		// Where there are no truth values a column for them is one of numbers.
		if b, ok := boolean(value); ok && j.countsTruth() {
			return j.boolean(b)
		}
	case dialect.BooleanClass:
		if b, ok := boolean(value); ok {
			return j.boolean(b)
		}
	}
	return j.d.String(value)
}

// countsTruth reports whether truth values of the dialect are the numbers 1 and 0.
func (j *job) countsTruth() bool {
	switch j.d {
	case dialect.MySQL, dialect.MariaDB, dialect.SQLite, dialect.SQLServer, dialect.Oracle:
		return true
	}
	return false
}

// boolean writes a truth value.
func (j *job) boolean(b bool) string {
	if !j.countsTruth() {
		return strings.ToUpper(strconv.FormatBool(b))
	}
	if b {
		return "1"
	}
	return "0"
}

func boolean(value string) (b, ok bool) {
	switch strings.ToLower(value) {
	case "true", "t", "yes", "y", "on", "1":
		return true, true
	case "false", "f", "no", "n", "off", "0":
		return false, true
	}
	return false, false
}

func isNumber(s string) bool {
	s = strings.TrimLeft(s, "+-")
	if s == "" || strings.Trim(s, "0123456789.eE+-") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil || strings.Contains(err.Error(), "range")
}

// portableDefault says which of the defaults that every dialect is to have an expression
// is: now, date, uuid, or none.
func portableDefault(expr string) string {
	name := strings.ToLower(strings.Join(strings.Fields(expr), ""))
	if digits, ok := strings.CutPrefix(name, "current_timestamp("); ok && len(digits) == 2 && digits[0] >= '0' && digits[0] <= '6' {
		return "now"
	}
	switch name {
	case "now()", "current_timestamp", "current_timestamp()":
		return "now"
	case "current_date", "current_date()":
		return "date"
	case "gen_random_uuid()":
		return "uuid"
	}
	return ""
}
