package postgres

import (
	"strings"
)

// typeName is a type as people write it. The server prints it in full, with the
// schema of every type that is not built in; the default schema goes without
// saying.
func (in *introspection) typeName(printed, schema string) string {
	if schema != "pg_catalog" {
		printed = strings.TrimPrefix(printed, quote(in.db.DefaultSchema)+".")
		return strings.TrimPrefix(printed, quoteAlways(in.db.DefaultSchema)+".")
	}
	for _, long := range longTypes {
		if rest, ok := strings.CutPrefix(printed, long.printed); ok && (rest == "" || strings.ContainsAny(rest[:1], "( [")) {
			// timestamp(3) with time zone: the suffix comes after the precision.
			precision, suffix := "", rest
			if end := strings.Index(rest, ")"); end >= 0 && rest[0] == '(' {
				precision, suffix = rest[:end+1], rest[end+1:]
			}
			name := long.name
			if s, ok := strings.CutPrefix(suffix, " with time zone"); ok {
				name, suffix = name+"tz", s
			} else {
				suffix = strings.TrimPrefix(suffix, " without time zone")
			}
			return name + precision + suffix
		}
	}
	return printed
}

// longTypes are the names of types that have a shorter one, with their beginnings
// after them.
var longTypes = []struct{ printed, name string }{
	{"character varying", "varchar"},
	{"character", "char"},
	{"bit varying", "varbit"},
	{"timestamp", "timestamp"},
	{"time", "time"},
	{"integer", "int"},
}

// parenthesised is an expression in parentheses; those that the server printed
// around all of it are enough.
func parenthesised(expr string) string {
	depth := 0
	for i := 0; i < len(expr); i++ {
		switch expr[i] {
		case '\'', '"':
			i = endOfQuoted(expr, i) - 1
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 && i == len(expr)-1 && expr[0] == '(' {
				return expr
			}
		}
		if depth == 0 { // something stands outside
			break
		}
	}
	return "(" + expr + ")"
}

// splitList cuts a list, as the server prints it, at the commas that are in no
// parentheses and no quotes.
func splitList(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'', '"':
			i = endOfQuoted(s, i) - 1
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(s[start:]))
}

// endOfQuoted is the index after the text that begins with a quote at i, in which
// the quote itself is written twice.
func endOfQuoted(s string, i int) int {
	q := s[i]
	for i++; i < len(s); i++ {
		if s[i] == q {
			if i+1 < len(s) && s[i+1] == q {
				i++
				continue
			}
			return i + 1
		}
	}
	return len(s)
}

// identifier reads a name as SQL has it: quoted exactly, else in lower case.
func identifier(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	return strings.ToLower(s)
}

// quote prints a name as the server's quote_ident does, but for reserved words,
// which the server quotes too.
func quote(name string) string {
	plain := name != "" && (name[0] < '0' || name[0] > '9')
	for i := range len(name) {
		c := name[i]
		plain = plain && (c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9')
	}
	if plain {
		return name
	}
	return quoteAlways(name)
}

// quoteAlways makes any name safe to stand in a statement.
func quoteAlways(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
