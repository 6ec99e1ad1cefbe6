// Package sqlcheck says whether SQL fits the structure of an indexed database:
// that it parses, that its tables and columns exist, and that its joins are ones
// that the database's keys know or that could hold. It never runs anything.
package sqlcheck

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// Report is the outcome of a check. Lists are never nil. Identifiers stand in it as
// the text writes them, so a report holds untrusted text.
type Report struct {
	// Valid is false if there is any syntax error, missing name or invalid join.
	Valid bool `json:"valid" jsonschema:"whether nothing is wrong"`
	// MissingTables are as written; MissingColumns are schema.table.column where the
	// table is certain, else as written.
	MissingTables  []string      `json:"missing_tables" jsonschema:"tables that the index does not have, as written"`
	MissingColumns []string      `json:"missing_columns" jsonschema:"columns that their tables do not have"`
	InvalidJoins   []InvalidJoin `json:"invalid_joins" jsonschema:"joins that cannot be right"`
	Suggestions    []string      `json:"suggestions" jsonschema:"what may have been meant"`
	Dialect        string        `json:"dialect" jsonschema:"that the SQL was read in"`
	SyntaxErrors   []string      `json:"syntax_errors" jsonschema:"with line and column"`
	Warnings       []string      `json:"warnings" jsonschema:"what is unusual but may be right"`
	TablesUsed     []string      `json:"tables_used" jsonschema:"qualified, sorted"`
	Diagnostics    []Diagnostic  `json:"diagnostics" jsonschema:"every fault with its place, in the order of the text"`
}

// InvalidJoin is a join that cannot be right.
type InvalidJoin struct {
	LeftTable   string `json:"left_table" jsonschema:"one side"`
	RightTable  string `json:"right_table" jsonschema:"the other side"`
	LeftColumn  string `json:"left_column,omitempty" jsonschema:"of the left table"`
	RightColumn string `json:"right_column,omitempty" jsonschema:"of the right table"`
	Message     string `json:"message" jsonschema:"what is wrong"`
	Severity    string `json:"severity" jsonschema:"error"`
}

// Diagnostic is a fault with its place. Line and Column count from 1, Column in
// characters.
type Diagnostic struct {
	Kind       string   `json:"kind" jsonschema:"missing_table, missing_column, unknown_qualifier, ambiguous_column, invalid_join or syntax_error"`
	Identifier string   `json:"identifier" jsonschema:"as the text writes it"`
	Line       int      `json:"line" jsonschema:"from 1"`
	Column     int      `json:"column" jsonschema:"from 1, in characters"`
	Message    string   `json:"message" jsonschema:"what is wrong"`
	Candidates []string `json:"candidates" jsonschema:"what may have been meant"`
	at         int
}

// Dialects are the names that a caller may give, with what they mean.
var Dialects = map[string]sqltree.Dialect{
	"postgres": sqltree.Postgres, "postgresql": sqltree.Postgres, "redshift": sqltree.Postgres, "mysql": sqltree.MySQL, "mariadb": sqltree.MariaDB,
	"sqlite": sqltree.SQLite, "duckdb": sqltree.DuckDB, "snowflake": sqltree.Snowflake, "bigquery": sqltree.BigQuery, "generic": sqltree.Generic,
}

// maxSuggested is how many names one identifier is given.
const maxSuggested = 3

// maxExplained is for how many missing columns others are looked for that share their
// words: each takes a look at every column of the tables that are named.
const maxExplained = 200

// Check checks a text of one or more statements against a catalog. An
// empty text is an error; every other fault is in the report.
func Check(c *catalog.Catalog, d sqltree.Dialect, text string) (*Report, error) {
	k := &checker{c: c, sql: c.SQL(), d: d, text: text, report: &Report{
		MissingTables: []string{}, MissingColumns: []string{}, InvalidJoins: []InvalidJoin{}, Suggestions: []string{}, Dialect: string(d),
		SyntaxErrors: []string{}, Warnings: []string{}, TablesUsed: []string{}, Diagnostics: []Diagnostic{},
	}}
	script, err := parse.Parse(d, text)
	var syntax *sqltree.SyntaxError
	switch {
	case errors.As(err, &syntax):
		k.syntax(syntax)
	case err != nil:
		return nil, err
	case len(script.Statements) == 0:
		return nil, errors.New("the text has no SQL statement")
	default:
		k.script(script)
	}
	return k.finish(), nil
}

type checker struct {
	c      *catalog.Catalog
	sql    *catalog.SQL
	d      sqltree.Dialect
	text   string
	report *Report
	used   map[int]bool
	places *places // nil until the first is asked for
}

func (k *checker) syntax(e *sqltree.SyntaxError) {
	line, column := k.place(e.Start)
	k.report.SyntaxErrors = append(k.report.SyntaxErrors, fmt.Sprintf("%s (line %d, column %d)", e.Message, line, column))
	k.diagnose("syntax_error", k.text[e.Start:e.End], e.Start, e.Message, nil)
}

// script checks every statement.
func (k *checker) script(s *sqltree.Script) {
	k.used = map[int]bool{}
	if n := len(s.Statements); n > 1 {
		k.warn("the text has %d statements; each is checked by itself", n)
	}
	for _, n := range s.Notes {
		line, column := k.place(n.Start)
		k.warn("%s (line %d, column %d)", n.Message, line, column)
	}
	if c := k.c.Len(); c == 0 {
		k.warn("no table is indexed or visible")
	}
	writes := []string{}
	for _, st := range s.Statements {
		r := sqltree.Resolve(st, k.d, k.sql)
		k.tables(r)
		k.columns(r)
		k.joins(r)
		k.missingKeys(st, r)
		k.crossJoins(st)
		if slices.ContainsFunc(r.Tables, func(u sqltree.TableUse) bool { return u.Written }) {
			writes = append(writes, k.firstWord(st))
		} else if o, ok := st.(*sqltree.Other); ok && !reading[k.firstWord(o)] {
			k.warn("the statement may change data, structure or files (%s)", k.firstWord(o))
		}
	}
	if len(writes) > 0 {
		k.warn("the statement changes data or structure (%s)", strings.Join(unique(writes), ", "))
	}
	for i := range k.used {
		k.report.TablesUsed = append(k.report.TablesUsed, k.c.Name(i))
	}
	slices.Sort(k.report.TablesUsed)
}

// reading are the first words of statements without a type of their own that change
// nothing that lasts.
var reading = map[string]bool{
	"SHOW": true, "DESCRIBE": true, "DESC": true, "EXPLAIN": true, "SET": true, "RESET": true, "USE": true, "PRAGMA": true, "BEGIN": true, "START": true,
	"COMMIT": true, "ROLLBACK": true, "END": true, "SAVEPOINT": true, "RELEASE": true, "DECLARE": true, "FETCH": true, "MOVE": true, "CLOSE": true,
	"PREPARE": true, "DEALLOCATE": true, "LISTEN": true, "UNLISTEN": true, "DISCARD": true, "SUMMARIZE": true, "CHECK": true, "HELP": true,
}

func (k *checker) firstWord(s sqltree.Statement) string {
	word := k.text[s.Pos().Start:s.Pos().End]
	if end := strings.IndexFunc(word, func(r rune) bool { return r < 'A' || r > 'z' }); end > 0 {
		word = word[:end]
	}
	return strings.ToUpper(word)
}

func (k *checker) tables(r *sqltree.Resolution) {
	for _, u := range r.Tables {
		if u.Through != "" {
			continue
		}
		written := k.text[u.Start:u.End]
		switch u.Status {
		case sqltree.Bound:
			i, ok := k.sql.Table(u.Relation)
			if !ok {
				continue
			}
			k.used[i] = true
			if t := &k.c.Tables[i]; len(u.Name.Parts) == 1 && t.Schema != k.c.DefaultSchema && k.c.DefaultSchema != "" {
				k.warn("%s is taken from schema %s", written, t.Schema)
			}
		case sqltree.Unknown:
			near := u.Candidates[:min(len(u.Candidates), maxSuggested)]
			k.report.MissingTables = append(k.report.MissingTables, written)
			message := "unknown table"
			if len(near) > 1 && len(u.Name.Parts) == 1 && strings.EqualFold(lastPart(near[0]), lastPart(near[1])) {
				message = "the name stands for several tables; give the schema"
			}
			k.diagnose("missing_table", written, u.Start, message, near)
			if k.c.Len() > 0 {
				k.suggest("Table %s is not indexed%s.", written, closest(near))
			}
		}
	}
}

func (k *checker) columns(r *sqltree.Resolution) {
	bound := k.bound(r)
	for _, u := range r.Columns {
		written := k.text[u.Start:u.End]
		switch u.Status {
		case sqltree.Unknown:
			last := u.Parts[len(u.Parts)-1]
			if len(u.Parts) > 1 && u.At.Start < last.Start && u.Table == nil {
				k.report.MissingColumns = append(k.report.MissingColumns, written)
				near := u.Candidates[:min(len(u.Candidates), maxSuggested)]
				k.diagnose("unknown_qualifier", u.At.Name, u.At.Start, "no table or alias of that name is in scope", near)
				hint := closest(near)
				if slices.ContainsFunc(r.Tables, func(t sqltree.TableUse) bool {
					return t.Status == sqltree.Bound && t.Through == "" && strings.EqualFold(t.Name.Parts[len(t.Name.Parts)-1].Name, u.At.Name)
				}) {
					hint = "; the table of that name has an alias, or is in another part of the query"
				}
				k.suggest("%s: no table or alias %s is in scope%s.", written, u.At.Name, hint)
				continue
			}
			k.missingColumn(u, written, bound)
		case sqltree.Ambiguous:
			k.warn("ambiguous column %s: it is in %s", written, strings.Join(u.Candidates, " and "))
			k.diagnose("ambiguous_column", written, u.Start, "several relations in scope have a column of that name", u.Candidates)
		}
	}
}

func (k *checker) missingColumn(u sqltree.ColumnUse, written string, bound []int) {
	name := written
	where := "any table of the query"
	if i, ok := k.sql.Table(u.Table); ok {
		where = k.c.Name(i)
		name = where + "." + u.At.Name
	} else if len(bound) == 1 && len(u.Parts) == 1 {
		where = k.c.Name(bound[0])
		name = where + "." + u.At.Name
	}
	k.report.MissingColumns = append(k.report.MissingColumns, name)
	near := k.near(u, bound)
	k.diagnose("missing_column", u.At.Name, u.At.Start, "unknown column", near)
	text := fmt.Sprintf("Column %s does not exist in %s%s", u.At.Name, where, closest(near))
	var elsewhere []string
	for _, i := range bound {
		if k.c.Name(i) != where && k.c.Column(i, u.At.Name) >= 0 {
			elsewhere = append(elsewhere, k.c.Name(i))
		}
	}
	if len(elsewhere) > 0 {
		text += "; it exists in " + strings.Join(elsewhere[:min(len(elsewhere), maxSuggested)], ", ")
	}
	k.suggest("%s.", text)
}

// near are the columns that a missing one may have meant: names that are spelled
// alike, then those that share its words (name for full_name).
func (k *checker) near(u sqltree.ColumnUse, bound []int) []string {
	out := slices.Clone(u.Candidates)
	var tables []int
	if i, ok := k.sql.Table(u.Table); ok {
		tables = []int{i}
	} else if len(u.Parts) == 1 {
		tables = bound
	}
	if len(k.report.MissingColumns) > maxExplained {
		tables = nil
	}
	wanted := names.Tokens(u.At.Name)
	for _, i := range tables {
		for _, c := range k.c.Tables[i].Columns {
			has := names.Tokens(c.Name)
			if c.Parent == "" && !slices.Contains(out, c.Name) && len(wanted) > 0 && len(has) > 0 && (within(wanted, has) || within(has, wanted)) {
				out = append(out, c.Name)
			}
		}
	}
	return out[:min(len(out), maxSuggested)]
}

// within reports whether all words of a are among those of b, and one of them says
// more than that it is a key.
func within(a, b []string) bool {
	telling := false
	for _, w := range a {
		if !slices.Contains(b, w) {
			return false
		}
		telling = telling || w != "id" && w != "key" && w != "code" && w != "no"
	}
	return telling
}

// bound lists the tables that a statement itself names, in the order of the text.
func (k *checker) bound(r *sqltree.Resolution) []int {
	var out []int
	for _, u := range r.Tables {
		if i, ok := k.sql.Table(u.Relation); ok && u.Status == sqltree.Bound && u.Through == "" && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// crossJoins warns of tables that are paired row by row with no condition at all.
func (k *checker) crossJoins(st sqltree.Statement) {
	sqltree.Walk(st, func(n sqltree.Node) bool {
		s, ok := n.(*sqltree.Select)
		if !ok {
			return true
		}
		plain := 0
		for _, t := range s.From {
			if ref, ok := t.(*sqltree.TableRef); ok && k.many(ref) {
				plain++
			}
		}
		if plain > 1 && s.Where == nil {
			k.warn("FROM lists several tables and no condition joins them: every row meets every other")
		}
		return true
	})
}

// many reports whether a reference means a base table that may have several rows.
func (k *checker) many(ref *sqltree.TableRef) bool {
	i, ok := k.sql.Table(k.sql.Relation(k.d, ref.Name))
	return ok && (k.c.Tables[i].Rows == nil || *k.c.Tables[i].Rows > 1)
}

func (k *checker) finish() *Report {
	r := k.report
	r.MissingTables, r.MissingColumns = unique(r.MissingTables), unique(r.MissingColumns)
	r.Suggestions, r.Warnings = unique(r.Suggestions), unique(r.Warnings)
	slices.SortStableFunc(r.Diagnostics, func(a, b Diagnostic) int { return cmp.Compare(a.at, b.at) })
	r.Valid = len(r.SyntaxErrors)+len(r.MissingTables)+len(r.MissingColumns)+len(r.InvalidJoins) == 0
	return r
}

// unique drops repetitions and keeps the order.
func unique(list []string) []string {
	out, seen := list[:0], make(map[string]bool, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func (k *checker) warn(format string, a ...any) {
	k.report.Warnings = append(k.report.Warnings, fmt.Sprintf(format, a...))
}

func (k *checker) suggest(format string, a ...any) {
	k.report.Suggestions = append(k.report.Suggestions, fmt.Sprintf(format, a...))
}

func (k *checker) diagnose(kind, identifier string, at int, message string, candidates []string) {
	line, column := k.place(at)
	if candidates == nil {
		candidates = []string{}
	}
	k.report.Diagnostics = append(k.report.Diagnostics, Diagnostic{
		Kind: kind, Identifier: identifier, Line: line, Column: column, Message: message, Candidates: candidates, at: at,
	})
}

// place is the line and column of a byte offset.
func (k *checker) place(at int) (line, column int) {
	if k.places == nil {
		k.places = newPlaces(k.text)
	}
	return k.places.at(at)
}

func closest(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; closest: " + strings.Join(names, ", ")
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
