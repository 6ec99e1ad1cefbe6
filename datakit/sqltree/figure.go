package sqltree

import "strings"

// How much a name that PostgreSQL gives a column without an alias counts: a weak
// one gives way to that of a cast or of CASE around it.
const (
	noName = iota
	weakName
	strongName
)

// OutputName is the name that a dialect gives the column of an expression without an
// alias in the way of PostgreSQL; empty where the expression suggests none.
func OutputName(d Dialect, e Expr) string {
	name, _ := (&resolver{d: d}).figureName(e)
	return name
}

// figureName follows PostgreSQL's rule for columns without an alias (FigureColname
// in its parser).
func (r *resolver) figureName(e Expr) (string, int) {
	switch e := e.(type) {
	case *Column:
		return r.d.shown(e.Parts[len(e.Parts)-1]), strongName
	case *Named:
		return r.d.shown(e.Alias), strongName
	case *Func:
		return r.d.shown(e.Name.Last()), strongName
	case *Literal:
		word, _, _ := strings.Cut(strings.ToLower(e.Value), "(")
		if e.Kind == OtherLiteral && sessionValues[word] {
			return word, strongName
		}
	case *Cast:
		name, strength := r.figureName(e.Arg)
		if strength <= weakName && len(e.Type.Name.Parts) > 0 {
			return typeName(e.Type), weakName
		}
		return name, strength
	case *Subquery:
		switch e.Kind {
		case ExistsSubquery:
			return "exists", strongName
		case ArraySubquery:
			return "array", strongName
		case ScalarSubquery:
			if s, ok := e.Query.Body.(*Select); ok && len(s.Items) == 1 {
				if s.Items[0].Alias != nil {
					return r.d.shown(*s.Items[0].Alias), strongName
				}
				return r.figureName(s.Items[0].Expr)
			}
		}
	case *Op:
		return r.figureOp(e)
	}
	return "", noName
}

func (r *resolver) figureOp(e *Op) (string, int) {
	switch e.Name {
	case "CASE":
		if n := len(e.Args); n%2 == 1 { // with ELSE, unless it compares one value
			if name, strength := r.figureName(e.Args[n-1]); strength > weakName {
				return name, strength
			}
		}
		return "case", weakName
	case "ARRAY", "ROW", "COALESCE", "GREATEST", "LEAST", "NULLIF", "OVERLAPS":
		return strings.ToLower(e.Name), strongName
	case "AT TIME ZONE", "AT LOCAL":
		return "timezone", strongName
	case "IS NORMALIZED":
		return "is_normalized", strongName
	case "[]", "[:]", "COLLATE":
		return r.figureName(e.Args[0])
	case ".":
		if l, ok := e.Args[len(e.Args)-1].(*Literal); ok {
			return l.Value, strongName
		}
	}
	return "", noName
}

// sessionValues are the functions that SQL writes without parentheses.
var sessionValues = map[string]bool{
	"current_date": true, "current_time": true, "current_timestamp": true, "localtime": true, "localtimestamp": true, "current_role": true, "current_user": true,
	"user": true, "session_user": true, "system_user": true, "current_catalog": true, "current_schema": true,
}

// typeName is the name under which PostgreSQL keeps a type that SQL spells
// otherwise.
func typeName(t TypeName) string {
	last := t.Name.Last()
	if last.Quoted || len(t.Name.Parts) > 1 {
		return last.Name
	}
	name := strings.ToLower(last.Name)
	switch name {
	case "int", "integer":
		return "int4"
	case "smallint":
		return "int2"
	case "bigint":
		return "int8"
	case "real":
		return "float4"
	case "double precision":
		return "float8"
	case "float":
		if len(t.Args) == 1 && len(t.Args[0]) <= 2 && t.Args[0] <= "24" {
			return "float4"
		}
		return "float8"
	case "decimal", "dec":
		return "numeric"
	case "boolean":
		return "bool"
	case "char", "character", "nchar", "national character", "national char":
		return "bpchar"
	case "character varying", "char varying", "national character varying", "national char varying", "nchar varying":
		return "varchar"
	case "bit varying":
		return "varbit"
	case "timestamp with time zone":
		return "timestamptz"
	case "timestamp without time zone":
		return "timestamp"
	case "time with time zone":
		return "timetz"
	case "time without time zone":
		return "time"
	}
	name, _, _ = strings.Cut(name, " ") // interval day to second
	return name
}
