package goann

import (
	"cmp"
	"fmt"
	"go/ast"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/declare"
)

// maxEmbedded bounds the fields that embedding puts into the tables of a root: structs
// that embed others twice make columns without end of a short file.
const maxEmbedded = 300_000

// source is what a directive of a field gives to tables: a column, or what is embedded.
type source struct {
	column *declare.Column
	embed  *embed
}

// embed is a field with ptah:embedded.
type embed struct {
	*declare.Spec
	mode   string
	target *typeDecl // of mode inline; nil: it could not be found
	column *declare.Column
	done   bool // column is what it will be
}

// item is a source in a table.
type item struct {
	source
	use declare.Use
}

// name is the name of the column.
func (i item) name() string {
	if i.column != nil {
		return i.use.Prefix + i.column.Name()
	}
	return i.use.Prefix + i.embed.Text("field")
}

// declare makes the model of what the files declare.
func (r *root) declare() {
	for _, t := range r.types {
		r.headers(t)
	}
	for _, t := range r.types {
		for _, m := range t.fields {
			if r.ctx.Err() == nil {
				r.targets(t, m)
			}
		}
	}
	for _, t := range r.types {
		r.cycles(t)
	}
	for _, p := range r.parts {
		if !ofTable(p.kind) {
			r.object(p)
		}
	}
	r.tables()
	for _, p := range r.parts {
		if ofTable(p.kind) {
			r.object(p)
		}
	}
	for _, t := range r.types {
		r.unused(t)
	}
}

// headers reads the directives of a struct and its fields.
func (r *root) headers(t *typeDecl) {
	owner := t.name
	for i, d := range t.tables {
		if i > 0 {
			r.Problem(d.Origin, "SRC003", "", "struct %.80q is a table already, by %s", t.name, t.tables[0].Origin)
			continue
		}
		t.table, t.counts = r.spec(d, "")
		if name := t.table.Object(); name != "" {
			owner = name
		}
	}
	for _, m := range t.fields {
		for _, d := range m.directives {
			spec, ok := r.spec(d, owner)
			switch {
			case !ok:
			case d.kind == declare.Field:
				if c := r.Column(spec, t.name, m.name); c != nil {
					m.columns = append(m.columns, source{column: c})
				}
			default:
				spec.CheckMode()
				e := &embed{Spec: spec, mode: spec.Text("mode")}
				if e.mode == "json" {
					e.column, e.done = r.JSON(spec, snake(m.name)), true
				}
				m.columns = append(m.columns, source{embed: e})
			}
		}
	}
}

// targets finds the structs that a field embeds inline.
func (r *root) targets(t *typeDecl, m *member) {
	for _, s := range m.columns {
		if s.embed == nil || s.embed.mode != "inline" {
			continue
		}
		target, wrong := r.find(t, m.syntax, m.inner, 0)
		if wrong == "" && !target.hasColumns() {
			wrong = fmt.Sprintf("struct %.80q declares no columns", target.name)
		}
		if wrong != "" {
			s.embed.Fail(0, "SRC009", "embeds nothing: %s", wrong)
			r.DB.Partial = true
			continue
		}
		s.embed.target = target
		target.wanted = true
	}
}

func (t *typeDecl) hasColumns() bool {
	for _, m := range t.fields {
		if len(m.columns) > 0 {
			return true
		}
	}
	return false
}

// find returns the struct that a type of a field of t is, or what is wrong.
func (r *root) find(t *typeDecl, syntax ast.Expr, inner *typeDecl, depth int) (*typeDecl, string) {
	var candidates []*typeDecl
	name := ""
	switch x := syntax.(type) {
	case *ast.StarExpr:
		return r.find(t, x.X, inner, depth)
	case *ast.ParenExpr:
		return r.find(t, x.X, inner, depth)
	case *ast.IndexExpr:
		return r.find(t, x.X, inner, depth)
	case *ast.IndexListExpr:
		return r.find(t, x.X, inner, depth)
	case *ast.StructType:
		if inner != nil {
			return inner, ""
		}
	case *ast.Ident:
		name = x.Name
		if candidates = r.local[local{t.dir, name}]; candidates == nil {
			candidates = r.named[name]
		}
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			name = pkg.Name + "." + x.Sel.Name
			candidates = r.imported(t, pkg.Name, x.Sel.Name)
		}
	}
	switch {
	case name == "":
		return nil, "the type of the field is no struct"
	case len(candidates) == 0:
		return nil, fmt.Sprintf("no struct %.80q is declared in these files", name)
	case len(candidates) > 1:
		return nil, fmt.Sprintf("%.80q is declared at %s and at %s", name, candidates[0].Origin, candidates[1].Origin)
	case candidates[0].fields != nil:
		return candidates[0], ""
	case depth >= 10:
		return nil, fmt.Sprintf("%.80q is no struct", name)
	}
	return r.find(candidates[0], candidates[0].syntax, nil, depth+1)
}

// nearestTo returns the types with the highest score.
func nearestTo(types []*typeDecl, score func(*typeDecl) int) (best []*typeDecl) {
	highest := 0
	for _, c := range types {
		s := score(c)
		if s > highest {
			best, highest = nil, s
		}
		if s == highest {
			best = append(best, c)
		}
	}
	return best
}

// imported returns the types of a name in packages that a file may mean by the name of a
// package: those whose folders have the most in common with the path of the import.
func (r *root) imported(t *typeDecl, pkg, name string) []*typeDecl {
	from := ""
	for _, i := range t.imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		if i.Name != nil && i.Name.Name == pkg {
			from = p
			break
		}
		if i.Name == nil && (path.Base(p) == pkg || from == "" && strings.Contains(p, pkg)) {
			from = p
		}
	}
	var candidates []*typeDecl
	for _, c := range r.named[name] {
		if c.pkg == pkg || from != "" && path.Base(c.dir) == path.Base(from) {
			candidates = append(candidates, c)
		}
	}
	return nearestTo(candidates, func(c *typeDecl) int { return commonEnd(c.dir, from) })
}

// commonEnd counts the last elements that two paths have in common.
func commonEnd(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(as) && n < len(bs) && as[len(as)-1-n] == bs[len(bs)-1-n] {
		n++
	}
	return n
}

// Marks of the search for cycles.
const (
	unseen uint8 = iota
	open
	closed
)

// cycles takes embedded structs apart that lead back to themselves.
func (r *root) cycles(t *typeDecl) {
	if t.mark != unseen {
		return
	}
	t.mark = open
	for _, m := range t.fields {
		for _, s := range m.columns {
			e := s.embed
			if e == nil || e.target == nil {
				continue
			}
			if e.target.mark == open {
				e.Fail(0, "SRC009", "embeds struct %.80q, which embeds this one", e.target.name)
				r.DB.Partial = true
				e.target = nil
				continue
			}
			r.cycles(e.target)
		}
	}
	t.mark = closed
}

// ofTable reports whether objects of a kind belong to a table.
func ofTable(k *declare.Kind) bool {
	switch k {
	case declare.Index, declare.Constraint, declare.Trigger, declare.RowSecurity, declare.Policy, declare.Grant, declare.Data:
		return true
	}
	return false
}

// object adds what a directive declares that is no table or column. What belongs to the
// table that it stands with, and the table does not count, is left out with it.
func (r *root) object(p part) {
	spec, ok := r.spec(p.directive, "")
	if !ok {
		return
	}
	var home *schema.Table
	if t := p.with; t != nil && t.table != nil {
		home = t.model
		if home == nil && declare.IsPartOf(spec, t.table) {
			return
		}
	}
	r.AddObject(home, spec)
}

// tables adds the tables with their columns.
func (r *root) tables() {
	r.items, r.byName = map[schema.Name][]item{}, map[schema.Name]map[string]item{}
	for _, t := range r.types {
		if !t.counts || r.ctx.Err() != nil {
			continue
		}
		if t.model = r.Table(t.table); t.model == nil {
			continue
		}
		t.model.Struct = t.name
		r.items[t.model.In(r.Dialect.DefaultSchema())] = r.flatten(nil, t, declare.Use{})
	}
	for _, t := range r.types {
		if t.model == nil {
			continue
		}
		for _, i := range r.items[t.model.In(r.Dialect.DefaultSchema())] {
			c := i.column
			if c == nil {
				c = r.relation(i.embed)
			}
			if c != nil {
				r.AddColumn(t.model, c, i.use)
			}
		}
		r.TableKeys(t.model, t.table)
	}
}

// flatten appends the columns of a struct, and those of what it embeds in their place.
func (r *root) flatten(items []item, t *typeDecl, use declare.Use) []item {
	for _, m := range t.fields {
		for _, s := range m.columns {
			e := s.embed
			switch {
			case e == nil || e.mode == "relation":
				items = append(items, item{s, use})
			case e.mode == "json" && e.column != nil:
				items = append(items, item{source{column: e.column}, use})
			case e.target != nil && r.mayEmbed(e):
				inner := declare.Use{
					Prefix:   use.Prefix + e.Text("prefix"),
					Nullable: use.Nullable || e.On("nullable"),
					Comment:  cmp.Or(e.Text("comment"), use.Comment),
				}
				items = r.flatten(items, e.target, inner)
			}
		}
	}
	return items
}

// mayEmbed counts what a struct brings in, and reports whether it is not too much.
func (r *root) mayEmbed(e *embed) bool {
	if r.embedded > maxEmbedded {
		return false
	}
	r.embedded += 1 + len(e.target.fields)
	if r.embedded <= maxEmbedded {
		return true
	}
	e.Fail(0, "SRC009", "is one too many: the structs of a source embed at most %d fields in all", maxEmbedded)
	r.DB.Partial = true
	return false
}

// relation returns the column of a relation; nil, with a problem, if it has none.
func (r *root) relation(e *embed) *declare.Column {
	if !e.done {
		e.done = true
		e.column = r.Relation(e.Spec, r.typeOf)
	}
	return e.column
}

// typeOf is the type of a column of a table of the root.
func (r *root) typeOf(table schema.Name, column string) (schema.Type, bool) {
	n := table.In(r.Dialect.DefaultSchema())
	columns, indexed := r.byName[n]
	if !indexed {
		columns = map[string]item{}
		for _, i := range r.items[n] {
			columns[i.name()] = i
		}
		r.byName[n] = columns
	}
	i, ok := columns[column]
	if !ok {
		return schema.Type{}, false
	}
	c := i.column
	if c == nil {
		c = r.relation(i.embed)
	}
	if c == nil {
		return schema.Type{}, false
	}
	return c.Type()
}

// unused tells of columns that no table has.
func (r *root) unused(t *typeDecl) {
	if !t.hasColumns() || t.wanted || len(t.tables) > 0 {
		return
	}
	if t.outer != nil {
		r.Problem(t.Origin, "SRC004", "", `the fields of a struct without a name are columns only if ptah:embedded mode="inline" stands with it`)
		return
	}
	r.Warn(t.Origin, finding.SkippedDeclaration, "struct %.80q declares columns, but it is no table and none embeds it", t.name)
}

// snake is the name of a column for a name of Go: ShippingAddress, shipping_address.
func snake(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, c := range runes {
		if unicode.IsUpper(c) && i > 0 && runes[i-1] != '_' &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
