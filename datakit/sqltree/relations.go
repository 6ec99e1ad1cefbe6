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
	written          // rows
	altered          // its definition
	mentioned        // named only
	optional         // altered if it is there: IF EXISTS
)

// relation resolves a name that can only mean a relation of the catalog.
func (r *resolver) relation(t TableRef, how access) *source {
	last := t.Name.Last()
	s := &source{key: r.d.Fold(last), name: last.Name}
	for _, p := range t.Name.Parts[:len(t.Name.Parts)-1] {
		s.schema = append(s.schema, r.d.Fold(p))
	}
	use := TableUse{Span: t.Name.Span, Name: t.Name, Written: how == written || how == altered || how == optional, Mentioned: how == mentioned, Through: r.through}
	rel := r.catalog.Relation(r.d, t.Name)
	switch {
	case rel != nil:
		use.Relation = rel
		s.rel = rel
		if len(s.schema) == 0 && rel.Schema != "" {
			s.schema = []string{r.d.key(rel.Schema)}
		}
		if how > written {
			r.muted++ // what a view reads is not read by this
		}
		r.columnsOf(rel, s)
		if how > written {
			r.muted--
		}
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
		s.use = len(r.res.Tables)
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

// maxSuggestions is how many unknown names of a statement get near names: finding
// them looks at every name there is.
const maxSuggestions = 100

// nearTables suggests relations: those of the same name in other schemas, then
// near names, then near names in other schemas.
func (r *resolver) nearTables(n Name) []string {
	names := r.catalog.Names()
	var out []string
	if r.near.bare == nil {
		r.near.bare = map[string][]string{}
		for _, name := range names {
			b := name[strings.LastIndexByte(name, '.')+1:]
			if r.near.bare[b] == nil {
				r.near.keys = append(r.near.keys, b)
			}
			r.near.bare[b] = append(r.near.bare[b], name)
		}
	}
	bare, keys := r.near.bare, r.near.keys
	last := r.d.Fold(n.Last())
	add := func(found ...string) {
		for _, f := range found {
			if len(out) < 5 && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	add(bare[last]...)
	if r.near.given++; r.near.given > maxSuggestions {
		return out
	}
	add(nearest.Find(joinIdents(n.Parts), names, 5)...)
	for _, b := range nearest.Find(last, keys, 5) {
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
		s.unnamed = s.unnamed || f.name == ""
	}
	for i := len(o.fields); i < len(rel.Columns); i++ {
		s.fields = append(s.fields, field{key: r.d.key(rel.Columns[i]), name: rel.Columns[i], val: value{undecided: o.why}})
	}
	s.ordered = true
	if o.open && len(rel.Columns) == 0 {
		s.open, s.why = true, o.why
	}
}

// viewResult is what a view's definition is worth.
type viewResult struct {
	out    output
	tables []TableUse // that it names itself
	refs   map[BaseColumn]Roles
	views  []*Relation // among them
	busy   bool        // it is being resolved further up
}

// view resolves a view's definition, once per statement.
func (r *resolver) view(rel *Relation) output {
	v := r.views[rel]
	switch {
	case v == nil:
		v = &viewResult{busy: true}
		r.views[rel] = v
		r.resolveView(rel, v)
		v.busy = false
	case v.busy:
		return opaque("cyclic definition")
	}
	if r.through != "" {
		r.inside = append(r.inside, rel)
	} else if r.muted == 0 {
		r.report(rel)
	}
	return v.out
}

func (r *resolver) resolveView(rel *Relation, v *viewResult) {
	if known := rel.View.Resolved; known != nil {
		v.take(known, r.d)
		return
	}
	inner := &resolver{
		d: r.d, catalog: r.catalog, res: &Resolution{}, views: r.views, depth: r.depth, work: r.work, windows: map[*WindowDef]value{},
		refs: map[BaseColumn]Roles{}, both: r.both, through: qualified(rel),
	}
	if rel.View.Dialect != "" {
		inner.d = rel.View.Dialect
	}
	inner.use = inner.d.aliases()
	v.out = rename(inner.statement(rel.View.Query, nil, nil), rel.View.Columns, inner.d)
	for i := range v.out.fields {
		v.out.fields[i].span = Span{} // positions inside a view's text mean nothing in the statement's
	}
	v.tables, v.refs, v.views = inner.res.Tables, inner.refs, inner.inside
	r.work = inner.work
}

// take makes the result of what the view was resolved to before.
func (v *viewResult) take(known *Resolution, d Dialect) {
	v.out.open, v.out.why = known.Undecided != "", known.Undecided
	v.out.fields = make([]outField, 0, len(known.Output))
	for _, c := range known.Output {
		val := value{sources: c.Sources, undecided: c.Undecided}
		if len(c.Sources) == 1 && c.Sources[0].Feed == Direct && c.Undecided == "" {
			val.base = &c.Sources[0].BaseColumn
		}
		v.out.fields = append(v.out.fields, outField{field: field{key: d.key(c.Name), name: c.Name, val: val, adrift: v.out.open}})
	}
	v.refs = make(map[BaseColumn]Roles, len(known.References))
	for i, b := range known.References {
		v.refs[b] = known.Roles[i]
	}
}

// report adds to the statement what a view of it reads, and the views inside.
func (r *resolver) report(rel *Relation) {
	if r.reported[rel] {
		return
	}
	r.reported[rel] = true
	v := r.views[rel]
	r.res.Tables = append(r.res.Tables, v.tables...)
	for b, role := range v.refs {
		r.refs[b] |= role
	}
	for _, in := range v.views {
		r.report(in)
	}
}

func qualified(rel *Relation) string {
	if rel.Schema == "" {
		return rel.Name
	}
	return rel.Schema + "." + rel.Name
}
