package lineage

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// incomplete is the reason that every routine in another language than SQL has.
const incomplete = "may be incomplete: dynamic SQL and control flow are not followed"

// routines traces functions, procedures and triggers. They are resolved after the views,
// which they may read.
func (t *tracer) routines(ctx context.Context, db *schema.Database) {
	byName := map[string]*routine{}
	for _, decl := range db.Routines {
		if ctx.Err() != nil {
			return
		}
		r := t.routineOf(decl)
		if key := t.key(decl.Name); byName[key] == nil {
			byName[key] = r
		}
		t.routine(r)
	}
	for _, g := range db.Triggers {
		if ctx.Err() != nil {
			return
		}
		t.trigger(g, byName)
	}
}

// routine is a routine taken apart.
type routine struct {
	name   string // as the result has it
	kind   Kind
	params []sqltree.Parameter
	// statements are those that were found in the body. whole: they are all there is to
	// it, so that what the last one returns is what the routine does.
	statements []sqltree.Statement
	whole      bool
	void       bool // it returns nothing
	reasons    []string

	schema string
	table  *sqltree.Relation // of a trigger
	on     sqltree.Name      // its name
	events []Statement       // of a trigger: what it stands before or behind
	rows   bool              // of a trigger: only NEW and OLD count, the rest is the function's
}

func (r *routine) doubt(reason string) { r.reasons = append(r.reasons, reason) }

// routineOf takes a declaration apart.
func (t *tracer) routineOf(decl *schema.Routine) *routine {
	r := &routine{name: t.show(decl.Schema, decl.Name.Name), kind: Function, schema: decl.Schema}
	if decl.Procedure {
		r.kind, r.void = Procedure, true
	}
	for _, p := range decl.Params {
		if p.Name != "" {
			id := ident(p.Name)
			r.params = append(r.params, sqltree.Parameter{Name: &id})
		}
	}
	switch {
	case t.d.PostgresFamily():
		t.postgresRoutine(decl, r)
	case decl.Declared != "":
		t.search(decl.Declared, r)
	default:
		t.search(decl.Body, r)
	}
	if !r.whole {
		r.doubt(incomplete)
	}
	return r
}

// postgresRoutine reads a routine whose body is a text in a language of its own.
func (t *tracer) postgresRoutine(decl *schema.Routine, r *routine) {
	language, body, returns := decl.Language, decl.Body, decl.Returns
	if decl.Declared != "" {
		script, err := t.parse(decl.Declared)
		if err != nil {
			r.doubt(unparsed(err))
			return
		}
		f, ok := firstOf[*sqltree.CreateFunction](script)
		if !ok {
			return // an aggregate, which is made of functions
		}
		language, body = f.Language, f.Body
		if f.Returns != nil && len(f.Returns.Name.Parts) > 0 {
			returns = f.Returns.Name.Last().Name
		}
		r.params = f.Params
		r.statements, r.whole = f.Statements, len(f.Statements) > 0
		if f.Return != nil {
			r.statements, r.whole = append(r.statements, value(f.Return)), true
		}
	}
	r.void = r.void || strings.EqualFold(strings.TrimSpace(returns), "void")
	switch strings.ToLower(language) {
	case "sql":
		if r.whole {
			return
		}
		script, err := t.parse(body)
		if err != nil {
			r.doubt(unparsed(err))
		} else {
			r.statements = script.Statements
		}
		r.whole = true
	case "plpgsql", "":
		t.search(body, r)
	}
}

// firstOf returns the only statement of a script if it is of a kind.
func firstOf[S sqltree.Statement](script *sqltree.Script) (s S, ok bool) {
	if len(script.Statements) == 1 {
		s, ok = script.Statements[0].(S)
	}
	return s, ok
}

// value is a query for an expression.
func value(e sqltree.Expr) *sqltree.Query {
	return &sqltree.Query{Span: e.Pos(), Body: &sqltree.Select{Span: e.Pos(), Items: []sqltree.SelectItem{{Span: e.Pos(), Expr: e}}}}
}

// search finds the static statements of a procedural body. PL/pgSQL is searched as well
// rather than parsed by the server's grammar for it: that is C, and the text hostile.
func (t *tracer) search(text string, r *routine) {
	if !t.parses {
		r.doubt("dialect has no parser")
		return
	}
	if len(text) > maxBody {
		r.doubt(unparsed(errTooLong))
		return
	}
	script, err := generic.ParseRoutine(t.sql, text)
	if err != nil {
		r.doubt(unparsed(err))
		return
	}
	t.cut(script)
	for _, n := range script.Notes {
		r.doubt("does not parse: " + plain.Line(n.Message, maxText))
	}
	r.statements = script.Statements
	switch {
	case len(script.Notes) > 0:
	case t.d == dialect.SQLite:
		r.whole = true // its triggers have no other statements
	case t.d.MySQLFamily() && r.kind == Function && len(r.statements) == 1:
		// RETURN and nothing else.
		if s, ok := r.statements[0].(*sqltree.Other); ok && s.Kind == "RETURN" && len(s.Exprs) == 1 {
			r.statements, r.whole = []sqltree.Statement{value(s.Exprs[0])}, true
		}
	}
}

// trigger traces a trigger. What a function does that it calls is the function's, but for
// the columns of the trigger's own row.
func (t *tracer) trigger(decl *schema.Trigger, functions map[string]*routine) {
	r := &routine{name: t.show(decl.Table.Schema, decl.Name), kind: Trigger, schema: decl.Table.Schema, on: name(decl.Table)}
	if r.table = (inside{t.catalog, r.schema}).Relation(t.sql, r.on); r.table == nil {
		r.doubt(fmt.Sprintf("unknown relation %q", decl.Table.String()))
	}
	for _, e := range decl.Events {
		word, _, _ := strings.Cut(e, " ")
		switch e := Statement(strings.ToLower(word)); e {
		case Insert, Update:
			r.events = append(r.events, e)
		}
	}
	text := decl.Declared
	if text == "" {
		text = decl.Body
	}
	if t.d.PostgresFamily() {
		t.postgresTrigger(decl, r, functions)
	} else {
		t.search(text, r)
	}
	if !r.whole {
		r.doubt(incomplete)
	}
	t.routine(r)
}

// postgresTrigger reads a trigger that calls a function, or whose body is to become one.
func (t *tracer) postgresTrigger(decl *schema.Trigger, r *routine, functions map[string]*routine) {
	text := decl.Declared
	if text == "" {
		call := strings.TrimSuffix(strings.TrimSpace(decl.Body), ";")
		for _, word := range []string{"EXECUTE", "FUNCTION", "PROCEDURE"} {
			if len(call) > len(word) && strings.EqualFold(call[:len(word)], word) {
				call = strings.TrimSpace(call[len(word):])
			}
		}
		text = "CREATE TRIGGER t AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION " + call
	}
	script, err := t.parse(text)
	if err != nil && decl.Declared == "" {
		t.search(decl.Body, r)
		return
	}
	if err != nil {
		r.doubt(unparsed(err))
		return
	}
	g, ok := firstOf[*sqltree.CreateTrigger](script)
	if !ok || g.Function == nil {
		return
	}
	if g.When != nil {
		r.statements = append(r.statements, &sqltree.Other{Span: g.When.Pos(), Kind: "WHEN", Exprs: []sqltree.Expr{g.When}})
	}
	called := schema.Name{Name: t.sql.Fold(g.Function.Last())}
	if len(g.Function.Parts) > 1 {
		called.Schema = t.sql.Fold(g.Function.Parts[len(g.Function.Parts)-2])
	}
	if f := functions[t.key(called)]; f != nil {
		r.statements = append(r.statements, f.statements...)
		r.rows = true
	}
}

// routine resolves the statements of a routine.
func (t *tracer) routine(r *routine) {
	if t.edges > maxEdges {
		r.doubt(fmt.Sprintf("more than %d edges", maxEdges))
		r.statements = nil
	}
	last := len(r.statements) - 1
	returns := r.whole && !r.void && r.kind == Function && last >= 0
	pure := returns && last == 0 && isQuery(r.statements[0])
	for i, s := range r.statements {
		res := t.resolve(r, s)
		if returns && i == last {
			t.returned(r, res)
		}
		if !pure {
			t.accesses(r, s, res)
		}
		for _, u := range res.Tables {
			if u.Status == sqltree.Unknown && !r.rows {
				r.doubt(fmt.Sprintf("unknown relation %q", u.Name.Last().Name))
			}
		}
	}
	for _, reason := range r.reasons {
		t.found.Routines.Undecided = append(t.found.Routines.Undecided, UndecidedRoutine{r.name, reason, r.kind})
	}
}

// isQuery reports whether a statement is a query that changes nothing.
func isQuery(s sqltree.Statement) bool {
	if _, ok := s.(*sqltree.Query); !ok {
		return false
	}
	pure := true
	sqltree.Walk(s, func(n sqltree.Node) bool {
		_, changes := changeOf(n)
		pure = pure && !changes
		return pure
	})
	return pure
}

// resolve resolves a statement where it sees the parameters of its routine, or the rows
// of its trigger.
func (t *tracer) resolve(r *routine, s sqltree.Statement) *sqltree.Resolution {
	options := sqltree.Options{BothSides: true, Stars: true}
	sees := inside{t.catalog, r.schema}
	if r.kind != Trigger {
		f := &sqltree.CreateFunction{Name: sqltree.Name{Parts: []sqltree.Ident{ident(r.name)}}, Params: r.params, Statements: []sqltree.Statement{s}}
		return sqltree.ResolveWith(options, f, t.sql, sees)
	}
	return sqltree.ResolveWith(options, &sqltree.CreateTrigger{Table: r.on, Body: []sqltree.Statement{s}}, t.sql, changed{sees, r.table})
}

// changed is the catalog as a trigger of SQL Server sees it: its rows are relations.
type changed struct {
	inside
	table *sqltree.Relation
}

// Relation implements [sqltree.Catalog].
func (c changed) Relation(d sqltree.Dialect, n sqltree.Name) *sqltree.Relation {
	if c.d == dialect.SQLServer && len(n.Parts) == 1 && c.table != nil {
		switch d.Fold(n.Parts[0]) {
		case "inserted", "deleted":
			return c.table
		}
	}
	return c.inside.Relation(d, n)
}

// returned adds the edges to what a function returns.
func (t *tracer) returned(r *routine, res *sqltree.Resolution) {
	for _, c := range res.Output {
		if c.Undecided != "" {
			r.doubt(reason(c.Undecided))
			continue
		}
		for _, s := range c.Sources {
			t.found.Routines.Edges = append(t.found.Routines.Edges, RoutineEdge{t.show(s.Schema, s.Table), s.Column, r.name, r.kind})
		}
		t.edges += len(c.Sources)
	}
	if res.Undecided != "" {
		r.doubt(reason(res.Undecided))
	}
}

// change is a statement that changes rows, which may stand inside of another one.
type change struct {
	sqltree.Span
	kind Statement
}

// changeOf returns the kind of a node that changes rows.
func changeOf(n sqltree.Node) (Statement, bool) {
	switch n.(type) {
	case *sqltree.Insert:
		return Insert, true
	case *sqltree.Update:
		return Update, true
	case *sqltree.Delete:
		return Delete, true
	case *sqltree.Merge:
		return Merge, true
	case *sqltree.Truncate:
		return Truncate, true
	}
	return Select, false
}

// accesses adds what a statement reads and writes.
func (t *tracer) accesses(r *routine, s sqltree.Statement, res *sqltree.Resolution) {
	if o, ok := s.(*sqltree.Other); ok {
		if o.Kind == "SET" && o.Name != nil {
			t.assigned(r, o.Name)
		}
		if o.Kind == "RETURN" && len(o.Exprs) == 1 {
			if c, ok := o.Exprs[0].(*sqltree.Column); ok && len(c.Parts) == 1 {
				return // RETURN NEW hands the row on
			}
		}
	}
	kind, _ := changeOf(s)
	var changes []change
	var proposed []sqltree.Span // VALUES(c) of MySQL
	sqltree.Walk(s, func(n sqltree.Node) bool {
		if kind, ok := changeOf(n); ok {
			changes = append(changes, change{n.Pos(), kind})
		}
		if f, ok := n.(*sqltree.Func); ok && kind == Insert && len(f.Name.Parts) == 1 && strings.EqualFold(f.Name.Last().Name, "values") {
			proposed = append(proposed, f.Span)
		}
		return true
	})
	// around is the kind of the innermost change around a place.
	around := func(at sqltree.Span) Statement {
		of := kind
		for _, c := range changes { // outer ones come first
			if c.Start <= at.Start && at.End <= c.End {
				of = c.kind
			}
		}
		return of
	}
	read, written := map[*sqltree.Relation]bool{}, map[*sqltree.Relation]bool{}
	for _, c := range res.Columns {
		if c.Status != sqltree.Bound || r.rows && !isRow(c) {
			continue
		}
		if strings.EqualFold(c.Relation, "excluded") || slices.ContainsFunc(proposed, func(at sqltree.Span) bool { return at.Start <= c.Start && c.End <= at.End }) {
			continue // of the row that was to be inserted, which is not read from a table
		}
		if c.Written && c.Table != nil {
			written[c.Table] = true
			t.write(r, c.Table, columnOf(c), around(c.Span))
			continue
		}
		if c.Table != nil {
			read[c.Table] = true
		}
		for _, b := range c.Sources {
			t.found.Routines.Reads = append(t.found.Routines.Reads, Access{t.show(b.Schema, b.Table), b.Column, r.name, r.kind, kind})
		}
		t.edges += len(c.Sources)
	}
	if r.rows {
		return
	}
	for _, u := range res.Tables {
		switch {
		case u.Relation == nil, u.Mentioned, u.Through != "", u.Start == u.End: // the last: the trigger's own table
		case u.Written && !written[u.Relation]:
			t.write(r, u.Relation, "", around(u.Span))
		case !u.Written && !read[u.Relation]:
			t.found.Routines.Reads = append(t.found.Routines.Reads, Access{t.show(u.Relation.Schema, u.Relation.Name), "", r.name, r.kind, kind})
		}
	}
}

func (t *tracer) write(r *routine, to *sqltree.Relation, column string, kind Statement) {
	t.found.Routines.Writes = append(t.found.Routines.Writes, Access{t.show(to.Schema, to.Name), column, r.name, r.kind, kind})
}

// isRow reports whether a column is one of NEW or OLD.
func isRow(c sqltree.ColumnUse) bool {
	return strings.EqualFold(c.Relation, "new") || strings.EqualFold(c.Relation, "old")
}

// columnOf is the declared name of a column that is written.
func columnOf(c sqltree.ColumnUse) string {
	if c.Table.View == nil && len(c.Sources) == 1 {
		return c.Sources[0].Column
	}
	return c.At.Name
}

// assigned adds what an assignment writes: a column of the row that a trigger is about to
// change.
func (t *tracer) assigned(r *routine, target *sqltree.Name) {
	if r.table == nil || len(target.Parts) < 2 || !strings.EqualFold(target.Parts[0].Name, "new") {
		return
	}
	key := t.sql.Fold(target.Parts[1])
	for _, c := range r.table.Columns {
		if t.sql.Fold(ident(c)) != key {
			continue
		}
		for _, e := range r.events {
			t.write(r, r.table, c, e)
		}
	}
}
