// Package diff finds the statements that lead from one state of a database to another.
//
// Both states are in the database's own words, as package dbscript writes them down and
// package sqlsrc reads them: what is rendered alike is the same. What cannot be done in
// place is a problem that names the object; nothing is passed over.
//
// The objects of both states are listed ([state]), each with the statements that make it
// and the one that drops it. An object that differs is dropped and made anew, but for
// those that hold rows or that others stand on: tables, types, sequences and routines are
// altered. The order is
//
//	what is in the way is dropped: policies, triggers, views, foreign keys, indexes, checks
//	columns lose what they do not have any more
//	tables and sequences are dropped
//	schemas, types, sequences, new tables and the functions that these call are made
//	tables are altered
//	everything else is made: keys, indexes, foreign keys, views, triggers, privileges
//	types, functions and schemas that nothing needs any more are dropped
//	comments
//
// Roles belong to the server and are not compared. A column that has another name is one
// that is gone and one that is new.
package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Diff returns the statements that make a database that has the structure from have the
// structure to, in the order in which they can be executed. It returns none if both are
// the same, and never nil. Problems and warnings go to rep; with a problem the statements
// do not lead all the way.
func Diff(ctx context.Context, from, to *schema.Database, o render.Options, rep *finding.Report) []string {
	d := &differ{ctx: ctx, o: o, rep: rep, again: map[string]bool{}, byKey: map[string]*tableChange{}}
	d.from, d.to = d.read(from), d.read(to)
	d.compare()
	if o.Dialect != dialect.SQLite { // it looks names up as they are used
		d.dependents()
	}
	for _, t := range d.tables {
		d.describe(t)
	}
	return d.statements()
}

type differ struct {
	ctx      context.Context
	o        render.Options
	rep      *finding.Report
	from, to *state

	tables  []*tableChange // that are in both states, in the order of to
	byKey   map[string]*tableChange
	altered []pair // other objects that are altered in place
	again   map[string]bool
}

// pair is an object in both states.
type pair struct{ from, to *object }

// problem reports what cannot be done.
func (d *differ) problem(o *object, format string, args ...any) {
	d.rep.Problem(finding.Problem{Kind: finding.Schema, Rule: "DIF001", Object: o.name.String(), Path: o.at.Path, Line: o.at.Line,
		Message: o.String() + " " + fmt.Sprintf(format, args...)})
}

// compare finds the objects that differ, and what happens to each.
func (d *differ) compare() {
	for _, after := range d.to.objects {
		before := d.from.byKey[after.key]
		if before == nil {
			continue
		}
		if after.kind == "table" {
			t := d.compareTables(before, after)
			d.tables = append(d.tables, t)
			d.byKey[t.key] = t
			continue
		}
		if before.text() == after.text() {
			continue
		}
		if d.alterable(before, after) {
			d.altered = append(d.altered, pair{before, after})
		} else {
			d.again[after.key] = true
		}
	}
}

// alterable reports whether an object is altered in place rather than made anew.
func (d *differ) alterable(before, after *object) bool {
	switch after.kind {
	case "schema", "extension", "enum", "domain", "composite", "range", "sequence":
		return true
	case "verbatim":
		return !after.early
	case "routine":
		return d.o.Dialect.PostgresFamily() && sameCalls(before.value.(*schema.Routine), after.value.(*schema.Routine))
	}
	return false
}

// sameCalls reports whether a function can be replaced under those that call it.
func sameCalls(a, b *schema.Routine) bool {
	return a.Procedure == b.Procedure && a.Aggregate == b.Aggregate && a.Returns == b.Returns && slices.Equal(a.Params, b.Params)
}

// gone reports whether an object of from is not there in to, or is made anew.
func (d *differ) gone(o *object) bool { return d.to.byKey[o.key] == nil || d.again[o.key] }

// made reports whether an object of to is not there in from, or is made anew.
func (d *differ) made(o *object) bool { return d.from.byKey[o.key] == nil || d.again[o.key] }

// ownerOf returns the table or view that an object belongs to, nil if it stands alone.
func (s *state) ownerOf(o *object) *object {
	if o.owner == "" {
		return nil
	}
	return s.byKey[o.owner]
}

// goesAlong reports whether an object is dropped with its owner.
func (d *differ) goesAlong(o *object) bool {
	if o.kind == "sequence" {
		return d.losesOwner(o.value.(*schema.Sequence))
	}
	owner := d.from.ownerOf(o)
	return owner != nil && d.gone(owner) && !d.holds(o)
}

// holds reports whether a policy or trigger may need something else that is dropped, which
// may be before its table is.
func (d *differ) holds(o *object) bool {
	return (o.kind == "policy" || o.kind == "trigger") && slices.ContainsFunc(d.from.objects, func(other *object) bool {
		return (other.kind == "table" || other.kind == "view") && other.key != o.owner && d.gone(other) && names(o.uses, other.name.Name)
	})
}

// comesAlong reports whether an object is made with its owner.
func (d *differ) comesAlong(o *object) bool {
	owner := d.to.ownerOf(o)
	return owner != nil && d.made(owner) && (o.kind == "index" || o.kind == "constraint")
}

// losesOwner reports whether the column that a sequence belongs to is dropped.
func (d *differ) losesOwner(s *schema.Sequence) bool {
	if s.OwnedBy == nil {
		return false
	}
	t := d.byKey[d.from.key("table", s.OwnedBy.Table)]
	return t == nil || slices.ContainsFunc(t.columns, func(c columnChange) bool { return c.dropped() && c.before.Name == s.OwnedBy.Column })
}

// statements puts everything together.
func (d *differ) statements() []string {
	list := []string{}
	add := func(statements ...string) { list = append(list, statements...) }
	dropped := func(want func(*object) bool) []*object {
		return d.from.reversed(d.from.some(func(o *object) bool { return d.gone(o) && !d.goesAlong(o) && want(o) }))
	}
	drop := func(objects []*object) {
		for _, o := range objects {
			add(o.drop)
		}
	}
	isNew := func(want func(*object) bool) []*object {
		return d.to.some(func(o *object) bool { return d.made(o) && !d.comesAlong(o) && want(o) })
	}
	kind := func(kinds ...string) func(*object) bool {
		return func(o *object) bool { return slices.Contains(kinds, o.kind) }
	}

	revoked, granted := d.privileges()
	add(revoked...)
	drop(dropped(func(o *object) bool {
		return o.early && o.kind != "index" && o.kind != "constraint" && o.kind != "foreign key" || d.usesGone(o)
	}))
	for _, k := range []string{"foreign key", "index", "constraint"} {
		drop(dropped(kind(k)))
	}
	for _, t := range d.tables {
		add(t.removals...)
	}
	tables := dropped(kind("table"))
	add(d.ties(tables)...)
	drop(tables)
	drop(dropped(func(o *object) bool { return o.kind == "routine" && d.again[o.key] && !d.usesGone(o) }))
	drop(dropped(kind("sequence")))

	for _, p := range d.altered {
		if p.to.kind == "enum" {
			add(d.alterEnum(p)...)
		}
	}
	called := d.to.called()
	add(d.to.rendered(isNew(func(o *object) bool {
		return kind("schema", "extension", "enum", "domain", "composite", "range", "sequence", "table")(o) || o.kind == "verbatim" && !o.early || called[o.key]
	}))...)
	for _, p := range d.altered {
		if called[p.to.key] || p.to.kind != "enum" && p.to.kind != "routine" {
			add(d.alter(p)...)
		}
	}
	for _, t := range d.tables {
		add(t.changes...)
	}
	for _, s := range isNew(kind("sequence")) {
		add(d.to.owns(s)...)
	}
	add(d.owners()...)

	for _, k := range []string{"constraint", "index", "foreign key"} {
		for _, o := range isNew(kind(k)) {
			add(o.create...)
		}
	}
	for _, p := range d.altered {
		if p.to.kind == "routine" && !called[p.to.key] {
			add(d.alter(p)...)
		}
	}
	add(d.to.rendered(isNew(func(o *object) bool {
		return kind("view", "trigger", "policy")(o) || o.kind == "verbatim" && o.early || o.kind == "routine" && !called[o.key]
	}))...)
	add(granted...)
	for _, t := range d.tables {
		add(t.finally...)
	}

	drop(dropped(func(o *object) bool {
		return !o.early && !d.again[o.key] && !d.usesGone(o) && kind("routine", "verbatim", "enum", "domain", "composite", "range", "extension")(o)
	}))
	drop(dropped(kind("schema")))
	add(d.comments()...)
	return d.unchecked(list)
}

// unchecked keeps the server from looking at the bodies of the routines that may name what
// it does not find as it makes them.
func (d *differ) unchecked(list []string) []string {
	makes := map[string]bool{}
	for _, o := range d.to.objects {
		if o.body != "" && slices.ContainsFunc(d.to.objects, func(other *object) bool { return d.mayMiss(o, other) }) {
			for _, sql := range slices.Concat(o.create, d.replace(o)) {
				makes[sql] = true
			}
		}
	}
	all := make([]string, 0, len(list))
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(sql string) bool { return !makes[sql] })
		switch n {
		case 0:
			n = 1
			all = append(all, list[0])
		case -1:
			n = len(list)
			fallthrough
		default:
			all = append(all, render.UncheckedBodies(list[:n]...)...)
		}
		list = list[n:]
	}
	return all
}

// mayMiss reports whether the body of a routine names an object that may not be there yet,
// or that is found by a search path alone.
func (d *differ) mayMiss(o, other *object) bool {
	switch other.kind {
	case "table", "view", "sequence", "enum", "domain", "composite", "range", "routine":
	default:
		return false
	}
	changed := d.byKey[other.key] != nil && len(d.byKey[other.key].changes) > 0
	return other != o && (changed || d.made(other) || d.to.name(other.name).Schema != d.o.Dialect.DefaultSchema()) && names(o.body, other.name.Name)
}

// ties drops what needs a table that is dropped before its own: foreign keys, and defaults
// that count with a sequence of that table.
func (d *differ) ties(tables []*object) []string {
	var list []string
	later := map[string]bool{}
	for _, t := range tables {
		later[t.key] = true
	}
	for i, t := range tables {
		delete(later, t.key)
		for _, o := range d.from.objects {
			switch v := o.value.(type) {
			case *schema.Constraint:
				if o.kind == "foreign key" && later[o.owner] && d.from.key("table", v.Reference.Table) == t.key {
					list = append(list, o.drop)
				}
			case *schema.Sequence:
				if v.OwnedBy != nil && d.from.key("table", v.OwnedBy.Table) == t.key {
					list = append(list, d.uncounted(tables[i+1:], v)...)
				}
			}
		}
	}
	return list
}

// uncounted drops the defaults of tables that name a sequence.
func (d *differ) uncounted(tables []*object, s *schema.Sequence) []string {
	var list []string
	for _, o := range tables {
		t := o.value.(*schema.Table)
		for _, c := range t.Columns {
			if c.Default != nil && names(c.Default.Text, s.Name.Name) {
				list = append(list, d.from.alterTable(t)+" ALTER COLUMN "+d.from.quote(c.Name)+" DROP DEFAULT;")
			}
		}
	}
	return list
}

// dependents finds the objects that stand on something that is dropped and made anew, or
// on columns that change, and that have to be made anew for it.
func (d *differ) dependents() {
	for grown := true; grown; {
		grown = false
		for _, o := range d.to.objects {
			before := d.from.byKey[o.key]
			if before == nil || d.again[o.key] || !d.standsOnChange(before) {
				continue
			}
			d.again[o.key] = true
			d.altered = slices.DeleteFunc(d.altered, func(p pair) bool { return p.to == o })
			grown = true
		}
	}
}

// usesGone reports whether a routine takes or returns rows of a table or view that is
// dropped, so that it has to go first.
func (d *differ) usesGone(o *object) bool {
	return o.kind == "routine" && slices.ContainsFunc(d.from.objects, func(r *object) bool {
		return (r.kind == "table" || r.kind == "view") && d.gone(r) && names(o.uses, r.name.Name)
	})
}

// standsOnChange reports whether an object, which is in both states, needs something that
// cannot change under it.
func (d *differ) standsOnChange(o *object) bool {
	if owner := d.from.ownerOf(o); owner != nil && d.again[owner.key] {
		return true
	}
	if o.kind == "foreign key" {
		return d.keyChanges(o)
	}
	if d.o.Dialect.MySQLFamily() {
		return false
	}
	needs := o.early || o.kind == "routine"
	if !needs {
		return false
	}
	for _, t := range d.tables {
		if t.changing && t.touches(o) {
			return true
		}
	}
	part := o.kind == "index" || o.kind == "constraint"
	return d.namesAgain(o.uses, "routine") || !part && d.namesAgain(o.uses, "view")
}

// namesAgain reports whether a text names something of a kind that is made anew.
func (d *differ) namesAgain(text, kind string) bool {
	for key := range d.again {
		if o := d.from.byKey[key]; o.kind == kind && names(text, o.name.Name) {
			return true
		}
	}
	return false
}

// keyChanges reports whether the columns of a foreign key change on either side, or the
// key that it refers to.
func (d *differ) keyChanges(o *object) bool {
	c := o.value.(*schema.Constraint)
	target := d.from.key("table", c.Reference.Table)
	if t := d.byKey[o.owner]; t != nil && t.changesAny(c.Columns) {
		return true
	}
	if t := d.byKey[target]; t != nil && t.changesAny(c.Reference.Columns) {
		return true
	}
	return slices.ContainsFunc(d.from.keys[target], d.gone)
}

// names reports whether a name stands in a text as a word. It may be one of something
// else: what is made anew is then more than has to be.
func names(text, name string) bool {
	name = strings.ReplaceAll(name, `"`, `""`)
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		if (start == 0 || !wordByte(text[start-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		at = end
	}
	return false
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
