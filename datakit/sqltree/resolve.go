package sqltree

import (
	"slices"
	"strings"
)

// maxDepth bounds how deeply queries, expressions and views may nest; what lies
// deeper is undecided ("too deep").
const maxDepth = 500

// Resolve binds every name of a statement to the catalog and follows every output
// column back to the base columns that feed it. It never fails: what cannot be
// known is Undecided, with a reason. The statement is only read; Resolve may run
// concurrently on one tree.
func Resolve(stmt Statement, d Dialect, c Catalog) *Resolution {
	return ResolveWith(Options{}, stmt, d, c)
}

// Options change what [ResolveWith] finds out.
type Options struct {
	// Text is the text that the statement was parsed from. With it columns without an
	// alias have the names that MySQL and MariaDB make of their expressions.
	Text string
	// BothSides: a column that USING or NATURAL merges has the sources of both sides
	// of the join, though the value is always that of one.
	BothSides bool
	// Stars: the columns that a star stands for are among [Resolution.Columns], with the
	// star's place.
	Stars bool
}

// ResolveWith is [Resolve] with options.
func ResolveWith(o Options, stmt Statement, d Dialect, c Catalog) *Resolution {
	r := &resolver{
		d: d, catalog: c, use: d.aliases(),
		res:  &Resolution{Tables: []TableUse{}, Columns: make([]ColumnUse, 0, 32), Joins: []JoinPair{}, Output: []OutputColumn{}},
		text: o.Text, both: o.BothSides, stars: o.Stars, refs: map[BaseColumn]Roles{},
		views: map[*Relation]*viewResult{}, windows: map[*WindowDef]value{}, reported: map[*Relation]bool{},
	}
	out := r.statement(stmt, nil, nil)
	for _, f := range out.fields {
		r.res.Output = append(r.res.Output, OutputColumn{
			Name: f.name, Span: f.span, Sources: f.val.sources, Undecided: f.val.undecided,
		})
	}
	if out.open {
		r.res.Undecided = out.why
	}
	for b := range r.refs {
		r.res.References = append(r.res.References, b)
	}
	slices.SortFunc(r.res.References, compareBase)
	for _, b := range r.res.References {
		r.res.Roles = append(r.res.Roles, r.refs[b])
	}
	slices.SortStableFunc(r.res.Tables, func(a, b TableUse) int { return a.Start - b.Start })
	slices.SortStableFunc(r.res.Columns, func(a, b ColumnUse) int { return a.Start - b.Start })
	return r.res
}

type resolver struct {
	d       Dialect
	catalog Catalog
	use     aliasUse
	res     *Resolution
	refs    map[BaseColumn]Roles
	text    string // of the statement, for names that are made of it; empty: not known
	both    bool   // see Options.BothSides
	stars   bool   // see Options.Stars

	muted   int    // >0: nothing is recorded, only computed
	through string // the view being resolved, "" for the text itself
	depth   int
	views   map[*Relation]*viewResult

	collectors []*collector
	reported   map[*Relation]bool   // views whose tables are in the result
	inside     []*Relation          // views that this one names, for the resolver of a view
	windows    map[*WindowDef]value // of WINDOW clauses, as far as they are known
	work       int
	recursion  int // recursive common table expressions around this place

	near struct { // for suggestions
		given int                 // names that got some
		bare  map[string][]string // relations by their last names
		keys  []string            // those names
	}
}

// collector gathers the sources of the columns that a subquery refers to.
type collector struct {
	depth   int // of the scope around the subquery
	all     bool
	sources []Source
	why     string
}

// output is the result of a query: its columns in order.
type output struct {
	fields []outField
	open   bool
	why    string
}

type outField struct {
	field
	span Span
	at   Ident // where the text names it, for a column with an alias or a plain one
}

func opaque(why string) output { return output{open: true, why: why} }

// What one statement may cost: columns of one output, and columns copied in all.
const (
	maxWidth = 10_000
	maxWork  = 20_000_000
)

// spend counts columns that are copied; it returns false when there were too many.
func (r *resolver) spend(columns int) bool {
	r.work += columns
	return r.work <= maxWork
}

// enter guards recursion; it returns false when the text nests too deeply.
func (r *resolver) enter() bool {
	r.depth++
	return r.depth <= maxDepth
}

func (r *resolver) leave() { r.depth-- }

func child(outer *scope, ctes *cteScope) *scope {
	sc := &scope{outer: outer, ctes: ctes}
	if outer != nil {
		sc.depth = outer.depth + 1
	}
	return sc
}

func (r *resolver) statement(s Statement, outer *scope, ctes *cteScope) output {
	if !r.enter() {
		r.leave()
		return opaque("too deep")
	}
	defer r.leave()
	switch s := s.(type) {
	case *Query:
		return r.query(s, outer, ctes)
	case *Insert:
		return r.insert(s, outer, ctes)
	case *InsertAll:
		r.insertAll(s, outer, ctes)
		return output{}
	case *Update:
		return r.update(s, outer, ctes)
	case *Delete:
		return r.delete(s, outer, ctes)
	case *Merge:
		return r.merge(s, outer, ctes)
	case *CreateTable:
		return r.createTable(s, ctes)
	case *CreateView:
		r.newTable(s.Name)
		if s.To != nil {
			r.relation(TableRef{Span: s.To.Span, Name: *s.To}, written)
		}
		if s.Query == nil {
			return opaque("not a select")
		}
		return rename(r.query(s.Query, outer, ctes), s.Columns, r.d)
	case *CreateFunction:
		return r.function(s, outer, ctes)
	case *Explain:
		if s.Statement != nil {
			r.statement(s.Statement, outer, ctes)
		}
	default:
		r.definition(s, outer, ctes)
	}
	return output{}
}

// rename gives the first columns of an output the names of a column list.
func rename(o output, names []Ident, d Dialect) output {
	if len(names) == 0 {
		return o
	}
	fields := slices.Clone(o.fields)
	if i := slices.IndexFunc(fields, func(f outField) bool { return f.adrift }); i >= 0 {
		fields = fields[:i] // which names those behind get is not known
	}
	sure := len(fields)
	for i, id := range names {
		if i == len(fields) {
			if !o.open {
				break
			}
			fields = append(fields, outField{field: field{val: value{undecided: o.why}}, span: id.Span})
		}
		fields[i].key, fields[i].name = d.Fold(id), d.shown(id)
	}
	if o.open && sure == 0 {
		// The list names every column there is.
		o.open = false
	}
	o.fields = fields
	return o
}

const noColumns = "relation without declared columns"

func joinIdents(parts []Ident) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(p.Name)
	}
	return b.String()
}

func bases(s []Source) []BaseColumn {
	out := make([]BaseColumn, len(s))
	for i, x := range s {
		out[i] = x.BaseColumn
	}
	return out
}

func (r *resolver) record(use ColumnUse) {
	if r.muted == 0 && r.through == "" {
		r.res.Columns = append(r.res.Columns, use)
	}
}

func (r *resolver) refer(sources []Source, role Roles) {
	if r.muted > 0 {
		return
	}
	for _, s := range sources {
		r.refs[s.BaseColumn] |= role
	}
}
