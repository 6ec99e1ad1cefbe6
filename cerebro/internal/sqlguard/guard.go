package sqlguard

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// Dialect is the engine whose SQL a statement is in.
type Dialect = sqltree.Dialect

// The dialects.
const (
	DuckDB     = sqltree.DuckDB
	ClickHouse = sqltree.ClickHouse
)

// Relation is a table or view of a logical database.
type Relation struct{ Database, Name string }

func (r Relation) String() string { return r.Database + "." + r.Name }

// Policy says what may be read. Names are compared without regard to ASCII case
// where something is denied or demanded, and as the dialect does where something is
// allowed.
type Policy struct {
	// Databases are the logical databases that may be read, and the name of each in
	// the engine: a schema of DuckDB, a database of ClickHouse.
	Databases map[string]string
	// Catalog is the name under which DuckDB has the file: c in c.schema.table.
	Catalog string
	// Denied are relations that may not be read, each with what it is: restricted,
	// internal.
	Denied map[Relation]string
	// RequireFilter are relations that may be read only with a condition on one of
	// the columns.
	RequireFilter map[Relation][]string
	// Functions are functions of the project that may be called beside those of
	// the engine.
	Functions []string
	// MaxLength is the longest statement in bytes; 0 means 10 000.
	MaxLength int
}

// defaultMaxLength is MAX_QUERY_LENGTH's default.
const defaultMaxLength = 10_000

// Kind says what a statement does.
type Kind string

// The kinds.
const (
	Select    Kind = "select"
	Explain   Kind = "explain"
	Describe  Kind = "describe"
	Summarize Kind = "summarize"
	Show      Kind = "show"
	Exists    Kind = "exists"
)

// Verdict is what is known about a statement that may run.
type Verdict struct {
	Kind Kind
	// Relations are those that it reads or is about, sorted, each once. Names of
	// CTEs are not among them.
	Relations []Relation
	// Functions are those that it calls, in lower case, sorted, each once.
	Functions []string
	// Statistical: it computes a quantile, a deviation, an entropy or the like.
	// Correlation: it sets two columns against each other.
	Statistical, Correlation bool
}

// Code says why a statement may not run.
type Code string

// The codes, which are those of the tools' errors.
const (
	Rejected       Code = "sql_rejected"
	RelationDenied Code = "relation_denied"
	FilterRequired Code = "partition_filter_required"
)

// Error is a refusal.
type Error struct {
	Code    Code
	Message string
	Hint    string // what would be right; may be empty
	// Line and Column are where, both from 1; the column counts bytes.
	Line, Column int
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (line %d, column %d)", e.Message, e.Line, e.Column)
}

// Guard judges statements under a policy. It is safe for concurrent use.
type Guard struct {
	dialect   Dialect
	words     map[string]bool // that join the leaves of a tree
	functions map[string]bool
	extra     map[string]bool // functions of the policy
	databases map[string]string
	logical   map[string]string // the name in the engine → the logical one
	catalog   string
	denied    map[Relation]string
	filters   map[Relation][]string
	names     map[string]bool // of denied relations, in any database
	limited   map[string]bool // of those that need a filter
	maxLength int
}

// New returns the guard of a policy.
func New(d Dialect, p Policy) *Guard {
	g := &Guard{
		dialect: d, words: words(d), functions: functions(d), extra: map[string]bool{}, databases: maps.Clone(p.Databases),
		logical: map[string]string{}, catalog: p.Catalog, denied: map[Relation]string{}, filters: map[Relation][]string{},
		names: map[string]bool{}, limited: map[string]bool{}, maxLength: cmp.Or(p.MaxLength, defaultMaxLength),
	}
	for _, f := range p.Functions {
		g.extra[lower(f)] = true
	}
	for _, logical := range slices.Sorted(maps.Keys(p.Databases)) {
		g.logical[g.fold(p.Databases[logical])] = logical
	}
	for r, why := range p.Denied {
		g.denied[folded(r)] = why
		g.names[lower(r.Name)] = true
	}
	for r, columns := range p.RequireFilter {
		list := make([]string, len(columns))
		for i, c := range columns {
			list[i] = lower(c)
		}
		g.filters[folded(r)] = list
		g.limited[lower(r.Name)] = true
	}
	return g
}

func folded(r Relation) Relation { return Relation{lower(r.Database), lower(r.Name)} }

// fold makes names equal that the dialect takes for one.
func (g *Guard) fold(name string) string { return g.dialect.Fold(sqltree.Ident{Name: name}) }

// lower lowers ASCII letters alone: other letters are different names to both
// engines, however alike.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// Check judges a text in which names without a database are of the logical database
// given. The error is always an [*Error].
func (g *Guard) Check(text, database string) (*Verdict, error) {
	c := &check{Guard: g, text: text, database: database, relations: map[Relation]bool{}, called: map[string]bool{}}
	if _, ok := g.databases[database]; !ok {
		c.refuse(RelationDenied, 0, g.databaseHint(), "database %q is not among those that may be read", cut(database))
	} else if c.toks = c.lex(); c.err == nil {
		c.statement()
	}
	if c.err != nil {
		return nil, c.err
	}
	v := &Verdict{
		Kind: c.kind, Relations: slices.SortedFunc(maps.Keys(c.relations), func(a, b Relation) int {
			return cmp.Or(cmp.Compare(a.Database, b.Database), cmp.Compare(a.Name, b.Name))
		}),
		Functions: slices.Sorted(maps.Keys(c.called)),
	}
	for _, f := range v.Functions {
		v.Statistical = v.Statistical || statistical(f)
		v.Correlation = v.Correlation || correlation(f)
	}
	return v, nil
}

func (g *Guard) databaseHint() string {
	return "databases that may be read: " + strings.Join(slices.Sorted(maps.Keys(g.databases)), ", ")
}

// check is the judgement of one text.
type check struct {
	*Guard
	text      string
	database  string // logical
	toks      []token
	kind      Kind
	relations map[Relation]bool
	called    map[string]bool
	err       *Error
}

// refuse notes a refusal; the first one counts.
func (c *check) refuse(code Code, at int, hint, format string, args ...any) {
	if c.err != nil {
		return
	}
	before := c.text[:min(max(at, 0), len(c.text))]
	c.err = &Error{
		Code: code, Message: fmt.Sprintf(format, args...), Hint: hint,
		Line: 1 + strings.Count(before, "\n"), Column: len(before) - strings.LastIndexByte(before, '\n'),
	}
}

// reject refuses the statement for what it is.
func (c *check) reject(at int, format string, args ...any) {
	c.refuse(Rejected, at, "", format, args...)
}

// cut shortens what a message quotes.
func cut(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
