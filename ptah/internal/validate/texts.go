package validate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// text is an expression of a declaration.
type text struct {
	rule    finding.Rule // of a text that does not parse
	names   finding.Rule // of an unknown column; empty: rule
	what    string
	expr    string
	of      *table         // whose columns it may name; nil: no names are checked
	queries bool           // it may have subqueries
	truth   bool           // it says yes or no
	fixed   bool           // the same rows must always give the same
	stored  *schema.Column // that keeps the value
	domain  *schema.Domain // whose value it is about
	at      schema.Origin
	object  string
}

// texts remembers what has been parsed: schemas say the same thing many times.
type texts map[string]parsed

type parsed struct {
	expr sqltree.Expr
	err  string
}

// reads reports whether the texts of the dialect are read: by its own grammar, so that
// what is found in them holds.
func (c *checker) reads() bool { return c.d.Tier() == 1 || c.d == dialect.YugabyteDB }

// parse parses a text as the database would.
func (c *checker) parse(sql string) (*sqltree.Script, error) {
	d, _ := c.d.SQL()
	return trees.Parse(d, sql)
}

// parseExpr parses an expression as the only item of a query.
func (c *checker) parseExpr(expr string) parsed {
	if p, ok := c.texts[expr]; ok {
		return p
	}
	p := c.parseOne(expr)
	if c.texts == nil {
		c.texts = texts{}
	}
	c.texts[expr] = p
	return p
}

// expressionText is the query that an expression is parsed as. The expression ends with
// its line, so that a comment in it does not hide the rest.
func expressionText(expr string) string { return "SELECT (" + expr + "\n)" }

func (c *checker) parseOne(expr string) parsed {
	if (c.d.MySQLFamily() || c.d == dialect.SQLite) && strings.Contains(c.code(expr), "::") { // the grammar that they share has it
		return parsed{err: "x::type is a cast of PostgreSQL; write CAST(x AS type)"}
	}
	script, err := c.parse(expressionText(expr))
	if err != nil {
		return parsed{err: syntaxMessage(err)}
	}
	if len(script.Statements) == 1 {
		if q, ok := script.Statements[0].(*sqltree.Query); ok && q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Into == nil {
			if s, ok := q.Body.(*sqltree.Select); ok && len(s.Items) == 1 && s.Items[0].Alias == nil && s.From == nil && s.Where == nil && s.GroupBy == nil && s.Having == nil {
				if _, star := s.Items[0].Expr.(*sqltree.Star); !star {
					return parsed{expr: s.Items[0].Expr}
				}
			}
		}
	}
	return parsed{err: "it is not one expression"}
}

// syntaxMessage is what a parser says, without the place in a text that the author did
// not write as it is.
func syntaxMessage(err error) string {
	if e, ok := errors.AsType[*sqltree.SyntaxError](err); ok {
		return plain.Visible(e.Message)
	}
	return plain.Visible(err.Error())
}

// expression checks an expression: that it parses, what it may not contain, and the
// columns that it names. It returns the names of columns in it, folded.
func (c *checker) expression(x text) []string {
	if !c.reads() {
		return nil
	}
	if x.names == "" {
		x.names = x.rule
	}
	p := c.parseExpr(x.expr)
	if p.expr == nil {
		if c.d.Tier() == 1 {
			c.problem(x.rule, x.at, x.object, "%s %.80q does not parse: %s", x.what, x.expr, p.err)
		}
		return nil
	}
	why := forbidden(p.expr, x.queries)
	if why == "" {
		why = c.misplaced(p.expr)
	}
	if why != "" && c.d.Tier() == 1 {
		c.problem(x.rule, x.at, x.object, "%s %.80q has %s, which is not allowed there", x.what, x.expr, why)
		return nil
	}
	if why := c.notTruth(p.expr, x); why != "" {
		c.problem(x.rule, x.at, x.object, "%s %.80q is %s and no condition", x.what, x.expr, why)
		return nil
	}
	if x.fixed {
		if name := c.changing(p.expr); name != "" {
			c.problem(x.rule, x.at, x.object, "%s %.80q calls %s, whose value changes; %s does not allow that there", x.what, x.expr, name, c.d)
			return nil
		}
	}
	if why := c.typeFault(x, p.expr); why != "" {
		c.problem(x.rule, x.at, x.object, "%s %.80q: %s", x.what, x.expr, why)
		return nil
	}
	if x.of == nil {
		return nil
	}
	d, _ := c.d.SQL()
	rel := c.catalog.tables[x.of]
	var catalog sqltree.Catalog = oneRelation{rel}
	if x.queries {
		catalog = c.catalog
	}
	name := sqltree.Name{Parts: []sqltree.Ident{{Name: rel.Name, Quoted: true}}}
	if rel.Schema != "" {
		name.Parts = append([]sqltree.Ident{{Name: rel.Schema, Quoted: true}}, name.Parts...)
	}
	q := &sqltree.Query{Body: &sqltree.Select{Items: []sqltree.SelectItem{{Expr: p.expr}}, From: []sqltree.TableExpr{&sqltree.TableRef{Name: name}}}}
	res := sqltree.Resolve(q, d, catalog)
	var used []string
	for _, use := range res.Columns {
		if use.Status == sqltree.Unknown && !c.mayBe(use) {
			near := ""
			if len(use.Candidates) > 0 {
				near = c.didYouMean(use.At.Name, use.Candidates)
			}
			c.missing(x.names, x.at, x.object, "%s %.80q names column %.80q, which table %q does not declare%s", x.what, x.expr, written(use.Parts), x.of.object, near)
		}
		if n := len(use.Parts); n > 0 {
			used = append(used, d.Fold(use.Parts[n-1]))
		}
	}
	if x.queries {
		c.unknownRelations(res, x.names, x.what, x.at, x.object)
	}
	return used
}

// forbidden is what a check, an index or a computed column cannot contain; with queries
// only what no declaration can.
func forbidden(e sqltree.Expr, queries bool) string {
	why := ""
	sqltree.Walk(e, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Param:
			why = "a placeholder"
		case *sqltree.Subquery:
			if !queries {
				why = "a subquery"
			}
		case *sqltree.Func:
			if queries {
				break
			}
			switch {
			case n.Over != nil:
				why = "a window function"
			case n.Aggregate, n.Star, len(n.Name.Parts) == 1 && isAggregate(n.Name.Last().Name):
				why = "an aggregate function"
			}
		}
		return why == ""
	})
	return why
}

// isAggregate knows the aggregates that every database has and that are nothing else.
func isAggregate(name string) bool {
	switch strings.ToLower(name) {
	case "sum", "avg", "count":
		return true
	}
	return false
}

// mayBe reports whether a name that is not known may be right all the same.
func (c *checker) mayBe(use sqltree.ColumnUse) bool {
	if c.d.PostgresFamily() { // the model has what the server keeps of a name
		if len(use.Parts) > 1 && slices.ContainsFunc(c.db.Routines, func(r *schema.Routine) bool {
			return len(r.Params) == 1 && r.Name.Name == sqltree.Postgres.Fold(use.Parts[len(use.Parts)-1])
		}) {
			return true // t.f is f(t)
		}
		return slices.ContainsFunc(use.Parts, func(p sqltree.Ident) bool { return len(p.Name) > dialect.MaxNameBytes })
	}
	// SQLite takes a quoted name that it does not know for a text.
	return c.d == dialect.SQLite && len(use.Parts) == 1 && use.Parts[0].Quoted
}

func written(parts []sqltree.Ident) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.Name
	}
	return strings.Join(names, ".")
}

// oneRelation is the catalog of an expression over one table.
type oneRelation struct{ rel *sqltree.Relation }

func (o oneRelation) Relation(sqltree.Dialect, sqltree.Name) *sqltree.Relation { return o.rel }
func (o oneRelation) Names() []string                                          { return nil }

// checkTexts checks the checks of tables and domains (CHK001, CHK002).
func (c *checker) checkTexts(ctx context.Context) {
	for _, t := range c.tables {
		if ctx.Err() != nil {
			return
		}
		for _, k := range t.constraints {
			object := t.object
			if k.Name != "" {
				object += "." + k.Name
			}
			switch k.Kind {
			case schema.Check:
				c.expression(text{rule: "CHK001", names: "CHK002", what: "check", expr: k.Expr, of: t, truth: true, at: k.Origin, object: object})
			case schema.Exclude:
				for _, p := range k.Keys {
					if p.Expr != "" {
						c.expression(text{rule: "EXC001", what: "exclusion element", expr: p.Expr, of: t, fixed: true, at: k.Origin, object: object})
					}
				}
				if k.Where != "" {
					c.expression(text{rule: "EXC001", what: "exclusion condition", expr: k.Where, of: t, truth: true, fixed: true, at: k.Origin, object: object})
				}
			}
		}
	}
	for _, x := range c.db.Domains {
		for _, k := range x.Checks {
			c.expression(text{rule: "CHK001", what: "check", expr: k.Expr, domain: x, truth: true, at: x.Origin, object: c.show(x.Name)})
		}
	}
}

// checkGenerated checks the expressions of computed columns (GEN001).
func (c *checker) checkGenerated(t *table) {
	if !c.reads() || !slices.ContainsFunc(t.all, func(col *schema.Column) bool { return col.Generated != nil }) {
		return
	}
	place := map[string]int{}
	for i, col := range t.all {
		place[c.d.Key(col.Name)] = i
	}
	computed := 0
	uses := map[string][]string{} // of computed columns: the computed ones that they name
	for i, col := range t.all {
		if col.Generated == nil {
			continue
		}
		computed++
		if t.parents != nil && !slices.Contains(t.Columns, col) { // it is the parent's
			continue
		}
		object := t.object + "." + col.Name
		seen := map[string]bool{}
		for _, name := range c.expression(text{rule: "GEN001", what: "generation expression", expr: col.Generated.Expr, of: t, stored: col, fixed: true, at: col.Origin, object: object}) {
			key := c.d.Key(name)
			other := t.byKey[key]
			if other == nil || seen[key] {
				continue
			}
			seen[key] = true
			if other.Generated == nil {
				if other.AutoIncrement && c.d == dialect.MySQL {
					c.problem("GEN001", col.Origin, object, "column %.80q is computed from column %.80q, which is AUTO_INCREMENT; mysql does not allow that", col.Name, other.Name)
				}
				continue
			}
			switch {
			case c.d.PostgresFamily():
				c.problem("GEN001", col.Origin, object, "column %.80q is computed from column %.80q, which is computed itself; %s does not allow that", col.Name, other.Name, c.d)
			case c.d.MySQLFamily() && place[key] >= i:
				c.problem("GEN001", col.Origin, object, "column %.80q is computed from column %.80q, which is computed behind it; declare that first", col.Name, other.Name)
			default:
				uses[c.d.Key(col.Name)] = append(uses[c.d.Key(col.Name)], key)
			}
		}
	}
	if c.d != dialect.SQLite {
		return
	}
	if computed == len(t.all) {
		c.problem("GEN001", t.Origin, t.object, "all columns of table %q are generated; sqlite needs one that is not", t.object)
	}
	for _, col := range t.all {
		if col.Generated != nil && reaches(uses, c.d.Key(col.Name)) {
			c.problem("GEN001", col.Origin, t.object+"."+col.Name, "column %.80q is computed from itself", col.Name)
			break // once for all that are in the circle
		}
	}
}

// reaches reports whether a name leads back to itself.
func reaches(uses map[string][]string, from string) bool {
	seen := map[string]bool{}
	todo := slices.Clone(uses[from])
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == from {
			return true
		}
		if !seen[at] {
			seen[at] = true
			todo = append(todo, uses[at]...)
		}
	}
	return false
}

// uses reports whether a computed column is computed from another.
func (c *checker) uses(t *table, computed, of *schema.Column) bool {
	p := c.parseExpr(computed.Generated.Expr)
	if p.expr == nil {
		return false
	}
	found := false
	sqltree.Walk(p.expr, func(n sqltree.Node) bool {
		if col, ok := n.(*sqltree.Column); ok {
			found = found || c.d.Key(col.Parts[len(col.Parts)-1].Name) == c.d.Key(of.Name)
		}
		return !found
	})
	return found
}
