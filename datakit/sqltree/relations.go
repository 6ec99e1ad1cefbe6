package sqltree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// access is what a statement does with a relation.
type access uint8

const (
	read      access = iota
	written          // rows or definition
	mentioned        // named only
	optional         // written if it is there: IF EXISTS
)

// relation resolves a name that can only mean a relation of the catalog.
func (r *resolver) relation(t TableRef, how access) *source {
	last := t.Name.Last()
	s := &source{key: r.d.Fold(last), name: last.Name}
	for _, p := range t.Name.Parts[:len(t.Name.Parts)-1] {
		s.schema = append(s.schema, r.d.Fold(p))
	}
	use := TableUse{Span: t.Name.Span, Name: t.Name, Written: how == written || how == optional, Mentioned: how == mentioned, Through: r.through}
	rel := r.catalog.Relation(r.d, t.Name)
	switch {
	case rel != nil:
		use.Relation = rel
		s.rel = rel
		if len(s.schema) == 0 && rel.Schema != "" {
			s.schema = []string{r.d.key(rel.Schema)}
		}
		r.columnsOf(rel, s)
	case r.d == BigQuery && strings.HasSuffix(last.Name, "*"):
		if !r.wildcard(t.Name, s) {
			use.Status = Unknown
		} else {
			use.Status = Undecided
		}
	case r.d.systemRelation(t.Name):
		use.Status = Undecided
		columns, known := r.d.systemRelationColumns(last.Name)
		for _, c := range columns {
			s.fields = append(s.fields, field{key: r.d.key(c), name: c})
		}
		if !known {
			s.open, s.why = true, noColumns
			s.any = &value{} // the database's own data, which no catalog lists
		}
	case how == optional:
		use.Status = Undecided
		s.open, s.why = true, noColumns
	default:
		use.Status = Unknown
		use.Candidates = r.nearTables(t.Name)
		s.open, s.why = true, fmt.Sprintf("unknown relation %q", joinIdents(t.Name.Parts))
	}
	if r.muted == 0 {
		r.res.Tables = append(r.res.Tables, use)
	}
	return r.named(s, t.Alias)
}

// wildcard takes the columns of all tables whose names begin as events_* says, and
// reports whether there is one.
func (r *resolver) wildcard(n Name, s *source) bool {
	prefix := strings.TrimSuffix(r.d.Fold(n.Last()), "*")
	found := false
	for _, name := range r.catalog.Names() {
		schema, table := "", name
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			schema, table = name[:i], name[i+1:]
		}
		if !strings.HasPrefix(r.d.key(table), prefix) || len(n.Parts) > 1 && r.d.key(schema) != r.d.Fold(n.Parts[len(n.Parts)-2]) {
			continue
		}
		if rel := r.catalog.Relation(r.d, quotedName(schema, table)); rel != nil {
			found = true
			r.columnsOf(rel, s)
		}
	}
	return found
}

// quotedName is a name as the catalog has it.
func quotedName(parts ...string) Name {
	var n Name
	for _, p := range parts {
		if p != "" {
			n.Parts = append(n.Parts, Ident{Name: p, Quoted: true})
		}
	}
	return n
}

// nearTables suggests relations: those of the same name in other schemas, then
// near names, then near names in other schemas.
func (r *resolver) nearTables(n Name) []string {
	names := r.catalog.Names()
	bare := map[string][]string{}
	var keys, out []string
	for _, name := range names {
		b := name[strings.LastIndexByte(name, '.')+1:]
		if bare[b] == nil {
			keys = append(keys, b)
		}
		bare[b] = append(bare[b], name)
	}
	last := r.d.Fold(n.Last())
	add := func(found ...string) {
		for _, f := range found {
			if len(out) < 5 && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	add(bare[last]...)
	add(nearest.Find(joinIdents(n.Parts), names, 5)...)
	for _, b := range r.near(n.Last(), keys) {
		add(bare[b]...)
	}
	return out
}

// columnsOf fills in the columns of a relation of the catalog.
func (r *resolver) columnsOf(rel *Relation, s *source) {
	s.open = rel.Open
	if rel.Open {
		s.why = noColumns
	}
	for _, c := range rel.Hidden {
		s.hidden = append(s.hidden, r.d.key(c))
	}
	if rel.View == nil {
		s.fields = slices.Grow(s.fields, len(rel.Columns))
		for _, c := range rel.Columns {
			b := BaseColumn{rel.Schema, rel.Name, c}
			v := r.shaped(value{sources: []Source{{BaseColumn: b}}, base: &b}, rel.shapes[c], c)
			s.fields = append(s.fields, field{key: r.d.key(c), name: c, val: v})
		}
		return
	}
	o := r.view(rel)
	for i, f := range o.fields {
		if i < len(rel.Columns) {
			f.key, f.name = r.d.key(rel.Columns[i]), rel.Columns[i]
		}
		s.fields = append(s.fields, f.field)
	}
	for i := len(o.fields); i < len(rel.Columns); i++ {
		s.fields = append(s.fields, field{key: r.d.key(rel.Columns[i]), name: rel.Columns[i], val: value{undecided: o.why}})
	}
	s.ordered = true
	if o.open && len(rel.Columns) == 0 {
		s.open, s.why = true, o.why
	}
}

// view resolves a view's definition, once per statement.
func (r *resolver) view(rel *Relation) output {
	if o, ok := r.views[rel]; ok {
		if o == nil { // it is being resolved further up
			return opaque("cyclic definition")
		}
		return *o
	}
	r.views[rel] = nil
	inner := &resolver{
		d: r.d, catalog: r.catalog, res: r.res, views: r.views, depth: r.depth,
		refs: map[BaseColumn]bool{}, muted: r.muted,
		through: qualified(rel),
	}
	if rel.View.Dialect != "" {
		inner.d = rel.View.Dialect
	}
	inner.use = inner.d.aliases()
	columns, joins := len(r.res.Columns), len(r.res.Joins)
	o := rename(inner.statement(rel.View.Query, nil, nil), rel.View.Columns, inner.d)
	// Positions inside a view's text mean nothing in the statement's.
	r.res.Columns, r.res.Joins = r.res.Columns[:columns], r.res.Joins[:joins]
	for i := range o.fields {
		o.fields[i].span = Span{}
	}
	r.views[rel] = &o
	return o
}

func qualified(rel *Relation) string {
	if rel.Schema == "" {
		return rel.Name
	}
	return rel.Schema + "." + rel.Name
}
