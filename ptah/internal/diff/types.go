package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// alterEnum adds values. No value can be taken away, or move.
func (d *differ) alterEnum(p pair) []string {
	before, after := p.from.value.(*schema.Enum), p.to.value.(*schema.Enum)
	var list []string
	at := 0 // in before, behind the values that were found
	for i, v := range after.Values {
		if at < len(before.Values) && before.Values[at] == v {
			at++
			continue
		}
		if slices.Contains(before.Values, v) {
			break // it is elsewhere
		}
		where := ""
		switch {
		case at == len(before.Values): // at the end
		case i == 0:
			where = " BEFORE " + d.o.Dialect.String(before.Values[0])
		default:
			where = " AFTER " + d.o.Dialect.String(after.Values[i-1])
		}
		list = append(list, "ALTER TYPE "+d.to.parts.Name(after.Name)+" ADD VALUE "+d.o.Dialect.String(v)+where+";")
	}
	if at < len(before.Values) {
		d.problem(p.to, "has lost or moved the value %q, which cannot be done to an enum; make a new type and change the columns to it", before.Values[at])
		return nil
	}
	return list
}

// alter alters an object that is neither a table nor an enum.
func (d *differ) alter(p pair) []string {
	switch after := p.to.value.(type) {
	case *schema.Sequence:
		return d.alterSequence(p.from.value.(*schema.Sequence), after)
	case *schema.Domain:
		return d.alterDomain(p, p.from.value.(*schema.Domain), after)
	case *schema.Composite:
		return d.alterComposite(p.from.value.(*schema.Composite), after)
	case *schema.Extension:
		return []string{"ALTER EXTENSION " + d.to.quote(after.Name) + " SET SCHEMA " + d.to.quote(after.Schema) + ";"}
	case *schema.Routine:
		return d.replace(p.to)
	}
	d.problem(p.to, "differs, and what stands on it keeps it from being made anew; drop both, or give it another name")
	return nil
}

// replace puts a function in the place of the one that is there.
func (d *differ) replace(o *object) []string {
	list := slices.Clone(o.create)
	for i, sql := range list {
		if rest, ok := strings.CutPrefix(sql, "CREATE "); ok && !strings.HasPrefix(rest, "OR REPLACE") {
			list[i] = "CREATE OR REPLACE " + rest
		}
	}
	return list
}

func (d *differ) alterSequence(before, after *schema.Sequence) []string {
	sequence := "ALTER SEQUENCE " + d.to.parts.Name(after.Name)
	var options []string
	if before.As != after.As && after.As != "" {
		options = append(options, "AS "+after.As)
	}
	number := func(word string, was, is *int64) {
		switch {
		case is != nil && (was == nil || *was != *is):
			options = append(options, word+" "+strconv.FormatInt(*is, 10))
		case is == nil && was != nil && strings.HasSuffix(word, "VALUE"):
			options = append(options, "NO "+word)
		}
	}
	number("START WITH", before.Start, after.Start)
	number("INCREMENT BY", before.Increment, after.Increment)
	number("MINVALUE", before.Min, after.Min)
	number("MAXVALUE", before.Max, after.Max)
	number("CACHE", before.Cache, after.Cache)
	switch {
	case after.Cycle && !before.Cycle:
		options = append(options, "CYCLE")
	case before.Cycle && !after.Cycle && d.o.Dialect.PostgresFamily():
		options = append(options, "NO CYCLE")
	case before.Cycle && !after.Cycle:
		options = append(options, "NOCYCLE")
	}
	var list []string
	if len(options) > 0 {
		list = append(list, sequence+" "+strings.Join(options, " ")+";")
	}
	switch {
	case after.Unlogged && !before.Unlogged:
		list = append(list, sequence+" SET UNLOGGED;")
	case before.Unlogged && !after.Unlogged:
		list = append(list, sequence+" SET LOGGED;")
	}
	return list
}

// owners gives sequences that are altered to their columns, which are there by then.
func (d *differ) owners() []string {
	var list []string
	for _, p := range d.altered {
		after, ok := p.to.value.(*schema.Sequence)
		if !ok {
			continue
		}
		before := p.from.value.(*schema.Sequence)
		switch owns := d.to.owns(p.to); {
		case len(owns) == 0 && before.OwnedBy != nil:
			list = append(list, "ALTER SEQUENCE "+d.to.parts.Name(after.Name)+" OWNED BY NONE;")
		case !slices.Equal(owns, d.from.owns(p.from)):
			list = append(list, owns...)
		}
	}
	return list
}

func (d *differ) alterDomain(p pair, before, after *schema.Domain) []string {
	if d.from.parts.TypeOf(before.Type, before.Collation) != d.to.parts.TypeOf(after.Type, after.Collation) {
		d.problem(p.to, "has another type, which cannot be done to a domain; make a new domain and change the columns to it")
		return nil
	}
	domain := "ALTER DOMAIN " + d.to.parts.Name(after.Name) + " "
	var list []string
	change := func(sql string) { list = append(list, domain+sql+";") }
	was, is := d.from.parts.Default(before.Default, before.Type), d.to.parts.Default(after.Default, after.Type)
	switch {
	case was == is:
	case is == "":
		change("DROP DEFAULT")
	default:
		change("SET " + is)
	}
	switch {
	case before.NotNull && !after.NotNull:
		change("DROP NOT NULL")
	case after.NotNull && !before.NotNull:
		change("SET NOT NULL")
	}
	check := func(s *state, c *schema.Constraint) string { return s.parts.Constraint(&schema.Table{}, c) }
	for _, c := range before.Checks {
		if !slices.ContainsFunc(after.Checks, func(a *schema.Constraint) bool { return check(d.to, a) == check(d.from, c) }) {
			change("DROP CONSTRAINT " + d.to.quote(d.from.parts.ConstraintName(nil, c)))
		}
	}
	for _, c := range after.Checks {
		if !slices.ContainsFunc(before.Checks, func(b *schema.Constraint) bool { return check(d.from, b) == check(d.to, c) }) {
			change("ADD " + check(d.to, c))
		}
	}
	return list
}

func (d *differ) alterComposite(before, after *schema.Composite) []string {
	named := func(list []schema.Field, name string) (schema.Field, bool) {
		i := slices.IndexFunc(list, func(f schema.Field) bool { return f.Name == name })
		if i < 0 {
			return schema.Field{}, false
		}
		return list[i], true
	}
	var actions []string
	for _, f := range before.Fields {
		if _, kept := named(after.Fields, f.Name); !kept {
			actions = append(actions, "DROP ATTRIBUTE "+d.to.quote(f.Name))
		}
	}
	for _, f := range after.Fields {
		is := d.to.parts.TypeOf(f.Type, f.Collation)
		old, kept := named(before.Fields, f.Name)
		switch {
		case !kept:
			actions = append(actions, "ADD ATTRIBUTE "+d.to.quote(f.Name)+" "+is)
		case d.from.parts.TypeOf(old.Type, old.Collation) != is:
			actions = append(actions, "ALTER ATTRIBUTE "+d.to.quote(f.Name)+" TYPE "+is)
		}
	}
	if len(actions) == 0 {
		return nil
	}
	return []string{"ALTER TYPE " + d.to.parts.Name(after.Name) + " " + strings.Join(actions, ", ") + ";"}
}
