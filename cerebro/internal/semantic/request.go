package semantic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Request is a question about metrics. Names may be labels or synonyms for
// metrics, and for dimensions entity__dimension, dimension__grain, a grain alone,
// or metric_time and date for the time that the metrics are counted by.
type Request struct {
	Metrics    []string
	Dimensions []string
	Grain      Grain // empty: no grouping by time, unless a dimension says so
	Range      Range
	Filters    []Condition
	OrderBy    []string // names of columns, with - for descending
	Limit      int      // 0: none
	// AllowCandidate admits metrics that are not approved yet.
	AllowCandidate bool
}

// Range is a half-open span of time; a zero end is open. The times are wall
// clocks in the project's zone, given in UTC.
type Range struct{ Start, End time.Time }

// IsZero says that the range is open at both ends.
func (r Range) IsZero() bool { return r.Start.IsZero() && r.End.IsZero() }

// Condition is a filter of a request. Value is what JSON gives: a string, a
// json.Number, a bool, nil, or a list of these.
type Condition struct {
	Field string
	Op    string // one of Operators
	Value any
}

// Operators are the operators of a [Condition].
var Operators = []string{"=", "!=", "<", "<=", ">", ">=", "in", "not_in", "is_null", "is_not_null", "contains", "starts_with", "between"}

// Code is what kind of error an [Error] is; the words are those that clients see.
type Code string

// The codes.
const (
	NotFound             Code = "not_found"
	Ambiguous            Code = "ambiguous"
	NotApproved          Code = "not_approved"
	DimensionUnsupported Code = "dimension_unsupported"
	FilterInvalid        Code = "filter_invalid"
	PlanningError        Code = "planning_error"
)

// Error is a request that cannot be planned.
type Error struct {
	Code    Code
	Message string
	Hint    string // what would work, empty when there is nothing to say
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

func fail(c Code, hint, format string, args ...any) *Error {
	return &Error{c, fmt.Sprintf(format, args...), hint}
}

// Kind is what values a dimension has, as far as the catalog tells.
type Kind int

// The kinds of values.
const (
	Unknown Kind = iota
	Text
	Number
	Bool
	Date
	Timestamp
)

func (k Kind) String() string {
	return [...]string{"unknown", "text", "number", "boolean", "date", "timestamp"}[k]
}

// KindOf reads a column type of DuckDB or ClickHouse.
func KindOf(t string) Kind {
	t = strings.ToLower(strings.TrimSpace(t))
	for _, wrap := range []string{"nullable(", "lowcardinality("} {
		for strings.HasPrefix(t, wrap) {
			t = strings.TrimSuffix(strings.TrimPrefix(t, wrap), ")")
		}
	}
	name, _, _ := strings.Cut(t, "(")
	name = strings.TrimSpace(name)
	switch name {
	case "":
		return Unknown
	case "varchar", "text", "string", "char", "bpchar", "fixedstring", "character varying", "uuid", "enum", "enum8", "enum16":
		return Text
	case "bool", "boolean":
		return Bool
	case "date", "date32":
		return Date
	case "datetime", "datetime64", "timestamptz":
		return Timestamp
	}
	switch {
	case strings.HasPrefix(name, "timestamp"):
		return Timestamp
	case strings.HasSuffix(name, "int"), strings.HasSuffix(name, "integer"), strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"),
		strings.HasPrefix(name, "decimal"), strings.HasPrefix(name, "numeric"), strings.HasPrefix(name, "float"), name == "double", name == "real", name == "number":
		return Number
	}
	return Unknown
}

// Kind is that of the dimension's values.
func (d *Dimension) Kind() Kind {
	k := Unknown
	if d.Column != nil {
		k = KindOf(d.Column.Type)
	}
	if d.truth {
		k = Bool
	}
	if d.Time && k != Date && k != Timestamp {
		return Timestamp
	}
	return k
}

// Clock says how a time relates to the project's time zone.
type Clock int

// The clocks. Dates, and times of which the catalog does not tell the type, are
// taken as they are. A timestamp without a zone is taken to be in UTC, as
// warehouses keep them.
const (
	AsIs Clock = iota
	UTC
	Instant // a type that knows its zone
)

// Clock is that of the dimension's values.
func (d *Dimension) Clock() Clock {
	if d.Column == nil || KindOf(d.Column.Type) != Timestamp {
		return AsIs
	}
	t := strings.ToLower(d.Column.Type)
	if strings.Contains(t, "datetime") || strings.Contains(t, "timestamptz") || strings.Contains(t, "with time zone") {
		return Instant
	}
	return UTC
}

// Literal is a value of a filter, checked against its dimension. Text is the
// value in the form that JSON gives numbers, and ISO 8601 dates and times.
type Literal struct {
	Kind Kind
	Text string
}

// literal checks a value of a filter on a dimension of a kind.
func literal(k Kind, v any) (Literal, error) {
	s, isText := v.(string)
	switch v := v.(type) {
	case bool:
		if k == Bool || k == Unknown {
			return Literal{Bool, strconv.FormatBool(v)}, nil
		}
	case float64:
		return literal(k, json.Number(strconv.FormatFloat(v, 'g', -1, 64)))
	case int:
		return literal(k, json.Number(strconv.Itoa(v)))
	case json.Number:
		if k == Number || k == Unknown {
			return Literal{Number, v.String()}, nil
		}
		if k == Text {
			return Literal{Text, v.String()}, nil
		}
	}
	if !isText {
		return Literal{}, fmt.Errorf("a %s is asked for, got %s", k, show(v))
	}
	switch k {
	case Unknown, Text:
		return Literal{Text, s}, nil
	case Number:
		if _, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "xXpPnN_") {
			return Literal{Number, s}, nil
		}
	case Bool:
		if b, err := strconv.ParseBool(s); err == nil {
			return Literal{Bool, strconv.FormatBool(b)}, nil
		}
	case Date, Timestamp:
		if t, day, ok := ParseTime(s); ok {
			if k == Date && day {
				return Literal{Date, t.Format(time.DateOnly)}, nil
			}
			return Literal{Timestamp, t.Format("2006-01-02 15:04:05.999999")}, nil
		}
	}
	return Literal{}, fmt.Errorf("a %s is asked for, got %q", k, s)
}

func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// ParseTime reads a date or a time as ISO 8601 writes them; day says that it is a date.
func ParseTime(s string) (t time.Time, day, ok bool) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, true, true
	}
	for _, layout := range []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04", time.RFC3339Nano} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), false, true
		}
	}
	return time.Time{}, false, false
}

// literals checks the value of a condition and gives one or more literals.
func (c Condition) literals(k Kind) ([]Literal, error) {
	values := func(least int, most int) ([]Literal, error) {
		l, ok := c.Value.([]any)
		if !ok || len(l) < least || len(l) > most {
			return nil, fmt.Errorf("%s takes a list of %s", c.Op, cmp.Or(map[int]string{2: "two values"}[most], "values"))
		}
		var out []Literal
		for _, v := range l {
			x, err := literal(k, v)
			if err != nil {
				return nil, err
			}
			out = append(out, x)
		}
		return out, nil
	}
	switch c.Op {
	case "is_null", "is_not_null":
		if c.Value != nil {
			return nil, fmt.Errorf("%s takes no value", c.Op)
		}
		return nil, nil
	case "in", "not_in":
		return values(1, 1000)
	case "between":
		return values(2, 2)
	case "contains", "starts_with":
		if k != Text && k != Unknown {
			return nil, fmt.Errorf("%s looks into text, and this is a %s", c.Op, k)
		}
		k = Text
	}
	if c.Value == nil {
		return nil, fmt.Errorf("%s needs a value; for null there are is_null and is_not_null", c.Op)
	}
	x, err := literal(k, c.Value)
	if err != nil {
		return nil, err
	}
	return []Literal{x}, nil
}
