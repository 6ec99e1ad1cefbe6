package validate

import (
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/pgtype"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// pgTypes is what a schema for PostgreSQL declares, as package pgtype asks for it.
type pgTypes struct {
	c         *checker
	types     map[schema.Name]*pgtype.Type // of enums, domains, …
	rows      map[*table]*pgtype.Type
	relations map[*table]*pgtype.Relation
	views     map[*schema.View]*pgtype.Relation
	routines  map[string][]*schema.Routine // by their names without schemas
	verbatim  map[string]bool              // names of what is kept as text, and of types that bring functions
}

// pgTypes returns nil where the types of expressions are not looked at: in other
// dialects, and where a cast is declared, which can make anything right.
func (c *checker) pgTypes() *pgTypes {
	if c.typed != nil || c.d != dialect.Postgres || c.db.Partial || c.hasVerbatim("CAST") {
		return c.typed
	}
	k := &pgTypes{
		c: c, types: map[schema.Name]*pgtype.Type{}, rows: map[*table]*pgtype.Type{}, relations: map[*table]*pgtype.Relation{},
		views: map[*schema.View]*pgtype.Relation{}, routines: map[string][]*schema.Routine{}, verbatim: map[string]bool{},
	}
	for _, r := range c.db.Routines {
		k.routines[r.Name.Name] = append(k.routines[r.Name.Name], r)
	}
	for _, v := range c.db.Verbatim {
		k.verbatim[v.Name.Name] = true
	}
	for _, r := range c.db.Ranges {
		k.verbatim[r.Name.Name], k.verbatim[r.Multirange] = true, true
	}
	c.typed = k
	return k
}

// nameOf is a name of a text with its schema made explicit.
func (k *pgTypes) nameOf(n sqltree.Name) schema.Name {
	name := schema.Name{Name: sqltree.Postgres.Fold(n.Last())}
	if len(n.Parts) > 1 {
		name.Schema = sqltree.Postgres.Fold(n.Parts[len(n.Parts)-2])
	}
	return k.c.key(name)
}

// Type implements [pgtype.Catalog].
func (k *pgTypes) Type(n sqltree.Name) *pgtype.Type { return k.userType(k.nameOf(n)) }

func (k *pgTypes) userType(n schema.Name) *pgtype.Type {
	if t, ok := k.types[n]; ok {
		return t
	}
	k.types[n] = nil // of what is made of itself
	t := k.makeType(n)
	k.types[n] = t
	return t
}

func (k *pgTypes) makeType(n schema.Name) *pgtype.Type {
	u := k.c.types[n]
	switch u.kind {
	case "enum":
		return pgtype.NewEnum(k.c.show(u.name), u.enum.Values)
	case "domain":
		return pgtype.NewDomain(k.c.show(u.name), k.declared(u.domain.Type, asWritten(u.domain.Origin)))
	case "range type":
		return nil // its array, multirange and functions are the server's to name
	case "composite type":
		t := pgtype.NewComposite(k.c.show(u.name))
		k.types[n] = t // its fields may be of arrays of it
		var fields []pgtype.Field
		for _, f := range u.composite.Fields {
			fields = append(fields, pgtype.Field{Name: f.Name, Type: k.declared(f.Type, asWritten(u.composite.Origin) || f.Type.Native)})
		}
		t.SetFields(fields)
		return t
	}
	if t := k.c.table(n); t != nil {
		return k.row(t)
	}
	return nil
}

// declared is the type that a declaration means.
func (k *pgTypes) declared(t schema.Type, native bool) *pgtype.Type {
	var found *pgtype.Type
	if u := k.c.userType(t); u.kind != "" {
		found = k.userType(k.c.key(u.name))
	} else if dt, known := k.c.builtin(t, native); known {
		found = pgtype.Builtin(dt.name, false, dt.args)
	}
	if t.Array > 0 {
		found = pgtype.ArrayOf(found)
	}
	return found
}

func (k *pgTypes) column(col *schema.Column) *pgtype.Type {
	if len(col.Enum) > 0 {
		return nil
	}
	return k.declared(col.Type, isNative(col))
}

// row is the type of a table's rows.
func (k *pgTypes) row(t *table) *pgtype.Type {
	if k.rows[t] == nil {
		k.rows[t] = pgtype.NewComposite(t.object)
	}
	return k.rows[t]
}

func (k *pgTypes) table(t *table) *pgtype.Relation {
	if r := k.relations[t]; r != nil {
		return r
	}
	r := &pgtype.Relation{Columns: make([]pgtype.Field, len(t.all)), Open: t.open, Row: k.row(t)}
	for i, col := range t.all {
		r.Columns[i] = pgtype.Field{Name: k.c.catalog.kept(col.Name), Type: k.column(col)}
	}
	if pk := t.primaryKey(); pk != nil && !pk.Deferrable {
		for _, name := range pk.Columns {
			r.Key = append(r.Key, slices.IndexFunc(t.all, func(col *schema.Column) bool { return col.Name == name }))
		}
		if slices.Contains(r.Key, -1) {
			r.Key = nil
		}
	}
	k.relations[t] = r
	return r
}

// Relation implements [pgtype.Catalog].
func (k *pgTypes) Relation(n sqltree.Name) *pgtype.Relation {
	r := k.c.relations[k.nameOf(n)]
	switch {
	case r == nil:
		return nil
	case r.table != nil:
		return k.table(r.table)
	case r.view != nil:
		return k.views[r.view]
	}
	return nil
}

// Functions implements [pgtype.Catalog].
func (k *pgTypes) Functions(n sqltree.Name) []*pgtype.Function {
	var list []*pgtype.Function
	want := k.nameOf(n)
	for _, r := range k.routines[want.Name] {
		if k.c.key(r.Name) == want && !r.Aggregate && !r.Procedure {
			list = append(list, k.function(r))
		}
	}
	return list
}

func (k *pgTypes) function(r *schema.Routine) *pgtype.Function {
	f := &pgtype.Function{Kind: 'f', Volatility: 'v', Returns: k.parsed(r.Returns)}
	for _, p := range r.Params {
		switch strings.ToUpper(p.Mode) {
		case "OUT", "TABLE":
			continue
		case "VARIADIC":
			f.Variadic = true
		}
		if p.Default != "" {
			f.Defaults++
		}
		f.Args = append(f.Args, k.parsed(p.Type))
	}
	if rest, set := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(r.Returns)), "SETOF "); set {
		f.Set, f.Returns = true, k.parsed(r.Returns[len(r.Returns)-len(rest):])
	}
	return f
}

// parsed is the type that a text means.
func (k *pgTypes) parsed(text string) *pgtype.Type {
	t, err := schema.ParseType(text)
	if err != nil || t.SetOf {
		return nil
	}
	return k.declared(t, true)
}

// Others implements [pgtype.Catalog].
func (k *pgTypes) Others(n sqltree.Name) bool {
	name := k.nameOf(n)
	if k.verbatim[name.Name] || slices.ContainsFunc(k.c.db.Extensions, func(x *schema.Extension) bool { return pgtype.Brings(x.Name, name.Name) }) {
		return true
	}
	for _, r := range k.routines[name.Name] {
		// A function in C may be a window function.
		if r.Aggregate || r.Procedure || r.Language == "c" || r.Language == "internal" || k.c.key(r.Name) != name {
			return true
		}
	}
	if len(k.c.db.Ranges) > 0 && strings.Contains(name.Name, "multirange") {
		return true
	}
	return len(n.Parts) > 1 && name.Schema != "pg_catalog" && !k.c.catalog.schemas[name.Schema]
}

// typeFault says what is wrong with the types in an expression; empty: nothing that is
// known.
func (c *checker) typeFault(x text, e sqltree.Expr) string {
	k := c.pgTypes()
	if k == nil {
		return ""
	}
	use := pgtype.Use{Condition: x.truth}
	if x.stored != nil {
		use.Assign = k.column(x.stored)
	}
	var from []pgtype.From
	switch {
	case x.of != nil:
		from = []pgtype.From{{Name: x.of.Name.Name, Relation: k.table(x.of)}}
	case x.domain != nil:
		from = []pgtype.From{{Relation: &pgtype.Relation{Columns: []pgtype.Field{{Name: "value", Type: k.domainBase(x.domain)}}}}}
	}
	if err := pgtype.Expr(k, expressionText(x.expr), e, from, use); err != nil {
		return err.Message
	}
	return ""
}

// typeView finds what is wrong with the types in a view (VW001).
func (c *checker) typeView(v *view) {
	k := c.pgTypes()
	if k == nil {
		return
	}
	rel, err := pgtype.Query(k, c.viewText(v), v.query, v.Columns)
	if err != nil {
		c.problem("VW001", v.Origin, v.object, "body of view %q: %s", v.object, err.Message)
	}
	k.views[v.View] = rel
}

// domainBase is the type that a domain is made of.
func (k *pgTypes) domainBase(x *schema.Domain) *pgtype.Type {
	return k.declared(x.Type, asWritten(x.Origin) || x.Type.Native)
}

// typeDefault finds a default that its column cannot hold (DEF001).
func (c *checker) typeDefault(col *schema.Column, object string) {
	if k := c.pgTypes(); k != nil {
		if why := k.defaultFault(col.Default, k.column(col)); why != "" {
			c.problem("DEF001", col.Origin, object, "default %.80q of column %.80q: %s", plain.Visible(col.Default.Text), col.Name, why)
		}
	}
}

// defaultFault says why a type does not have a default among its values.
func (k *pgTypes) defaultFault(def *schema.Default, t *pgtype.Type) string {
	var e sqltree.Expr
	switch value, form := literalOf(def); form {
	case number:
		e = &sqltree.Literal{Kind: sqltree.NumberLiteral, Value: strings.TrimPrefix(value, "+")}
	case inQuotes:
		e = &sqltree.Literal{Kind: sqltree.StringLiteral, Value: value}
	case expression:
		e = k.c.parseExpr(def.Text).expr
	}
	if e != nil {
		if err := pgtype.Expr(k, expressionText(def.Text), e, nil, pgtype.Use{Assign: t}); err != nil {
			return err.Message
		}
	}
	return ""
}

// typeObjects checks the types in what stands apart from tables and views.
func (c *checker) typeObjects(ctx context.Context) {
	k := c.pgTypes()
	if k == nil {
		return
	}
	for _, x := range c.db.Domains {
		if x.Default != nil {
			if why := k.defaultFault(x.Default, k.domainBase(x)); why != "" {
				c.problem("DEF001", x.Origin, c.show(x.Name), "default %.80q of domain %q: %s", plain.Visible(x.Default.Text), c.show(x.Name), why)
			}
		}
	}
	for _, v := range c.db.Views {
		for _, x := range v.Indexes {
			k.typeViewIndex(x, v)
		}
	}
	for _, g := range c.db.Triggers {
		if ctx.Err() != nil {
			return
		}
		k.typeTrigger(g)
	}
}

// typeViewIndex checks an index of a materialized view (IDX002).
func (k *pgTypes) typeViewIndex(x *schema.Index, v *schema.View) {
	rel := k.views[v]
	if rel == nil {
		return
	}
	check := func(what, expr string, use pgtype.Use) {
		e := k.c.parseExpr(expr).expr
		if expr == "" || e == nil {
			return
		}
		if err := pgtype.Expr(k, expressionText(expr), e, []pgtype.From{{Name: v.Name.Name, Relation: rel}}, use); err != nil {
			k.c.problem("IDX002", x.Origin, x.Name, "%s %.80q: %s", what, plain.Visible(expr), err.Message)
		}
	}
	for _, key := range x.Keys {
		check("index expression", key.Expr, pgtype.Use{})
	}
	check("index condition", x.Where, pgtype.Use{Condition: true})
}

// typeTrigger checks the condition of a trigger (TRG001).
func (k *pgTypes) typeTrigger(g *schema.Trigger) {
	r := k.c.relations[k.c.key(g.Table)]
	if r == nil || r.table == nil || !strings.Contains(strings.ToUpper(g.Declared), "WHEN") {
		return
	}
	script, err := k.c.parse(g.Declared)
	if err != nil || len(script.Statements) != 1 {
		return
	}
	st, ok := script.Statements[0].(*sqltree.CreateTrigger)
	if !ok || st.When == nil {
		return
	}
	rel := k.table(r.table)
	if err := pgtype.Expr(k, g.Declared, st.When, []pgtype.From{{Name: "old", Relation: rel}, {Name: "new", Relation: rel}}, pgtype.Use{Condition: true}); err != nil {
		k.c.problem("TRG001", g.Origin, k.c.show(g.Table)+"."+g.Name, "condition of trigger %.80q: %s", g.Name, err.Message)
	}
}
