package sqltree

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// value is what is known of a column or an expression: which base columns feed it.
type value struct {
	sources []Source // sorted by column, each once, with its strongest feed
	// base is the base column that passes unchanged, as seen through the relation
	// called of; nil for anything computed.
	base      *BaseColumn
	of        string
	outer     bool   // it was found in a scope around the reference's own
	undecided string // why sources are not known; empty if they are
	// row has the columns of a value that is a whole row of a relation.
	row *source
	// elem is the value of an element, where that of an array is known.
	elem *value
}

// union merges sources; of a column in both the stronger feed counts.
func union(a, b []Source) []Source {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make([]Source, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch c := compareBase(a[0].BaseColumn, b[0].BaseColumn); {
		case c < 0:
			out, a = append(out, a[0]), a[1:]
		case c > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			s := a[0]
			s.Feed = min(s.Feed, b[0].Feed)
			out, a, b = append(out, s), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func compareBase(a, b BaseColumn) int {
	return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Column, b.Column))
}

// through returns the sources with at least the given distance.
func through(s []Source, feed Feed) []Source {
	if !slices.ContainsFunc(s, func(s Source) bool { return s.Feed < feed }) {
		return s
	}
	out := slices.Clone(s)
	for i := range out {
		out[i].Feed = max(out[i].Feed, feed)
	}
	return out
}

// combine is the value computed from several others.
func combine(feed Feed, values ...value) value {
	var out value
	var all []Source
	used := 0
	for _, v := range values {
		if out.undecided == "" {
			out.undecided = v.undecided
		}
		switch {
		case len(v.sources) == 0:
			continue
		case used == 0:
			all = v.sources
		case used == 1:
			all = append(slices.Clone(all), v.sources...)
		default:
			all = append(all, v.sources...)
		}
		used++
	}
	if used > 1 {
		slices.SortFunc(all, func(a, b Source) int {
			return cmp.Or(compareBase(a.BaseColumn, b.BaseColumn), cmp.Compare(a.Feed, b.Feed))
		})
		all = slices.CompactFunc(all, func(a, b Source) bool { return a.BaseColumn == b.BaseColumn })
	}
	out.sources = through(all, feed)
	return out
}

// merge is the value that is either of two: a column of a set operation, or one
// merged by USING. Unchanged values stay so.
func merge(a, b value) value {
	out := value{sources: union(a.sources, b.sources), undecided: cmp.Or(a.undecided, b.undecided)}
	if a.base != nil && b.base != nil && *a.base == *b.base {
		out.base, out.of = a.base, a.of
	}
	return out
}

// field is a column of a relation in scope.
type field struct {
	key    string // as names compare
	name   string // as it is shown
	val    value
	hidden bool // merged by USING: reachable by its relation's name alone
	adrift bool // its position is not known: it stands behind an unknown number of columns
}

// placed returns the fields whose positions are known, which are the first ones.
func placed(fields []field) []field {
	if i := slices.IndexFunc(fields, func(f field) bool { return f.adrift }); i >= 0 {
		return fields[:i:i]
	}
	return fields
}

// source is a relation in scope: a table, a derived table, a function.
type source struct {
	key     string   // its alias or name as names compare; "" for none
	name    string   // as it is shown
	schema  []string // folded qualifiers under which it may be named as well
	fields  []field
	open    bool   // there may be other columns
	why     string // it is open, as the reason of an undecided column
	any     *value // what other columns are worth; nil: undecided
	byName  map[string]int
	ordered bool // a CTE or derived table: no system columns
	hidden  []string
	rel     *Relation // of the catalog, if it is one
	use     int       // its place in Resolution.Tables, from 1; 0: it has none
	// whole is the value that its name stands for, if that is not its row.
	whole *value
	// unnamed: it has columns whose names the database makes of their text.
	unnamed bool
}

func (s *source) has(key string) bool {
	_, ok := s.find(key)
	return ok
}

// mayHave reports whether a name that find does not know may be one of the names
// that the database made up: "count(*)", "title:1".
func (s *source) mayHave(id Ident) bool {
	return s.unnamed && id.Quoted && strings.ContainsFunc(id.Name, func(c rune) bool {
		return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
}

func (s *source) find(key string) (field, bool) {
	if s.byName == nil {
		s.byName = make(map[string]int, len(s.fields))
		for i, f := range s.fields {
			if _, ok := s.byName[f.key]; !ok {
				s.byName[f.key] = i
			}
		}
	}
	if i, ok := s.byName[key]; ok {
		return s.fields[i], true
	}
	if slices.Contains(s.hidden, key) {
		return field{key: key, name: key}, true
	}
	return field{}, false
}

// scope is what the expressions of one SELECT see.
type scope struct {
	outer   *scope
	depth   int
	sources []*source
	// aliases are those of the select list, filled as the list is resolved.
	aliases map[string]value
	// outputs are the names of the select list that settle an ambiguous one in
	// HAVING (MySQL).
	outputs map[string]value
	// listed are the aliases so far, for the subqueries of the list (MySQL).
	listed  map[string]value
	windows []WindowDef // of the WINDOW clause
	ctes    *cteScope
}

// cteScope is a chain of common table expressions, the innermost first.
type cteScope struct {
	outer *cteScope
	key   string
	cte   *cteState
	late  func(key string) *cteState // instead of both: those that come later in the text
}

func (c *cteScope) find(key string) *cteState {
	for ; c != nil; c = c.outer {
		if c.late != nil {
			if state := c.late(key); state != nil {
				return state
			}
		} else if c.key == key {
			return c.cte
		}
	}
	return nil
}

// cteState is a CTE and what is known of its output so far.
type cteState struct {
	fields []field
	open   bool
	why    string

	scalar   Expr // of WITH expr AS name
	busy     bool // the expression is being resolved
	resolved bool // and its references have been recorded
	values   map[*scope]value
}
