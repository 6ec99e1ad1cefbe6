// Package metric is the semantic layer: metrics that YAML describes in the words
// of a business, and their compilation to SQL for an indexed database.
//
// [Parse] reads the YAML into a [Layer] and refuses what is not of its grammar,
// with the path and the place of the fault. [Layer.Compile] turns one metric into
// one SELECT: names become columns of the catalog, tables that the metric names
// are joined along declared keys, confident inferred joins or the joins that the
// YAML gives, and the result goes through package sqlcheck. [Lint] does so for
// every metric. Nothing is ever run.
//
// A column that a filter or dimension names is written as it was only where it
// stands alone in its query and means the same to the database; elsewhere it is
// quoted and qualified.
package metric

import "fmt"

// Layer is a semantic layer as its YAML describes it. It is only read after
// [Parse] and may be shared.
type Layer struct {
	Connection string // connection_name; may be empty
	Domains    []Domain
}

// Domain is an area of the business.
type Domain struct {
	Name, Description string
	Entities          []Entity
}

// Entity is a thing of the business that one table stands for.
type Entity struct {
	Name, Description string
	SourceTable       string // as written: table or schema.table
	Attributes        []Attribute
	Joins             []Join
	Metrics           []Metric
}

// Attribute gives a column a name.
type Attribute struct {
	Name, Description string
	Role              string // one of Roles; may be empty
	SourceColumn      string // column, table.column or schema.table.column
}

// Join says how a table is reached from the entity's.
type Join struct {
	To   string
	On   string // a condition; columns may be named table.column
	Type string // left or inner
}

// The types of metrics.
const (
	Count         = "count"
	CountDistinct = "count_distinct"
	Sum           = "sum"
	Average       = "average"
	Min           = "min"
	Max           = "max"
	Ratio         = "ratio"
	Derived       = "derived"
)

// The words of the grammar.
var (
	metricTypes   = []string{Count, CountDistinct, Sum, Average, Min, Max, Ratio, Derived}
	roles         = []string{"identifier", "dimension", "measure", "time_dimension"}
	granularities = []string{"day", "week", "month", "quarter", "year"}
	formatTypes   = []string{"number", "currency", "percentage", "date"}
	positions     = []string{"prefix", "suffix"}
	joinTypes     = []string{"left", "inner"}
)

// Metric is a number of the business.
type Metric struct {
	Name, Description string
	Type              string
	Field             string // attribute or column; empty for a count of rows
	Filters           []string
	Dimensions        []string
	TimeDimension     string
	Granularity       string // of the time dimension; empty: as it is
	Numerator         string // metrics of a ratio
	Denominator       string
	Expression        string // of a derived metric

	Path         string // of the metric in the YAML: domains[0].entities[1].metrics[0]
	Line, Column int    // where it begins, from 1
}

// Code says which kind of fault an [Error] is; it is what a tool answers.
type Code string

// The codes.
const (
	ParseFailed    Code = "parse_failed"     // the YAML is not of the grammar
	MetricNotFound Code = "metric_not_found" // it has no metric of the name
	CompileFailed  Code = "compile_failed"   // no SQL can be made of the metric
)

// Error is a fault of a layer or a metric. It quotes the YAML, which is untrusted
// text.
type Error struct {
	Code    Code
	Message string // without the place
	// Path names the key that is at fault: domains[0].entities[1].metrics[0].type. It
	// is empty where the text is no YAML at all, and for a metric that is not there.
	Path string
	// Line and Column of the fault in the YAML, from 1, Column in characters; 0: not
	// known.
	Line, Column int
	// Candidates are what may have been meant, the nearest first; never nil.
	Candidates []string
	// Problems are all faults of a text that could not be parsed, this one first, at
	// most 20.
	Problems []*Error
}

func (e *Error) Error() string {
	text := e.Message
	if e.Path != "" {
		text = e.Path + ": " + text
	}
	if e.Line > 0 {
		text = fmt.Sprintf("%s (line %d, column %d)", text, e.Line, e.Column)
	}
	return text
}

// address is a metric with where it belongs.
type address struct {
	domain *Domain
	entity *Entity
	metric *Metric
}

// name is entity.metric.
func (a address) name() string { return a.entity.Name + "." + a.metric.Name }

// full is domain.entity.metric.
func (a address) full() string { return a.domain.Name + "." + a.name() }

// all lists the metrics in the order of the text.
func (l *Layer) all() []address {
	var out []address
	for i := range l.Domains {
		d := &l.Domains[i]
		for j := range d.Entities {
			e := &d.Entities[j]
			for k := range e.Metrics {
				out = append(out, address{d, e, &e.Metrics[k]})
			}
		}
	}
	return out
}

// Metrics lists the metrics in the order of the text, each by the shortest name
// that [Layer.Compile] takes for it alone: metric, entity.metric or
// domain.entity.metric.
func (l *Layer) Metrics() []string {
	all := l.all()
	count := map[string]int{}
	for _, a := range all {
		count[a.metric.Name]++
		count[a.name()]++
	}
	out := make([]string, len(all))
	for i, a := range all {
		switch {
		case count[a.metric.Name] == 1:
			out[i] = a.metric.Name
		case count[a.name()] == 1:
			out[i] = a.name()
		default:
			out[i] = a.full()
		}
	}
	return out
}
