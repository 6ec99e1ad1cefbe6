package validate

import (
	"context"
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Validate adds every broken rule of a schema to rep, and a warning for each table
// without a primary key. The schema must have been read for d; version is the server's,
// such as "8.0", or empty for the newest known. The schema is only read. When ctx ends
// the work ends early, with what was found so far.
func Validate(ctx context.Context, db *schema.Database, d dialect.Dialect, version string, rep *finding.Report) {
	c := newChecker(db, d, version, rep)
	for _, step := range []struct {
		check func(context.Context)
		needs dialect.Feature // what the dialect must have; without it the renderer refuses
	}{
		{check: c.checkNames}, {check: c.checkTypes}, {check: c.checkTables},
		{c.checkForeignKeys, dialect.ForeignKeys}, {c.checkCascadePaths, dialect.ForeignKeys}, {c.checkSequences, dialect.Sequences},
		{check: c.checkViews}, {check: c.checkTexts}, {check: c.checkIndexes}, // those of views need their columns
		{c.checkRoutines, dialect.Routines}, {c.checkTriggers, dialect.Triggers},
		{c.checkRowSecurity, dialect.RowLevelSecurity}, {check: c.typeObjects}, {c.checkGrants, dialect.Grants}, {c.checkExtensions, dialect.Extensions},
	} {
		if ctx.Err() != nil {
			return
		}
		if step.needs == "" || c.has(step.needs) {
			step.check(ctx)
		}
	}
}

// checker is one validation.
type checker struct {
	db      *schema.Database
	d       dialect.Dialect
	version dialect.Version
	rep     *finding.Report

	tables    []*table // in the order of the declarations, then those that parts stand apart for
	relations map[schema.Name]*relation
	types     map[schema.Name]userType
	catalog   *catalog
	found     map[typeWords]typeFound
	texts     texts
	routines  map[schema.Name]bool // see routineNames
	typed     *pgTypes

	relationNames map[string]bool // see someRelation
	calls         map[string]bool // see isDeclaredCall

	suggested int // how many table names were looked for
	names     []string
}

// relation is what a name in FROM can mean.
type relation struct {
	kind     string // table, view, materialized view, sequence
	name     schema.Name
	table    *table
	view     *schema.View
	sequence *schema.Sequence
}

// table is a table with what it inherits and what is declared apart from it.
type table struct {
	*schema.Table
	object      string // its name for people
	all         []*schema.Column
	byKey       map[string]*schema.Column
	constraints []*schema.Constraint
	indexes     []*schema.Index
	parents     []*table
	// open: a parent is not declared or the columns are made by a module, so that there
	// may be others.
	open bool

	resolved, busy bool
}

func newChecker(db *schema.Database, d dialect.Dialect, v string, rep *finding.Report) *checker {
	c := &checker{db: db, d: d, rep: rep, relations: make(map[schema.Name]*relation, len(db.Tables)+len(db.Views)), types: map[schema.Name]userType{}, found: map[typeWords]typeFound{}}
	c.version, _ = dialect.ParseVersion(v) // what is no version is taken for the newest
	add := func(r *relation) {
		if k := c.key(r.name); c.relations[k] == nil {
			c.relations[k] = r
		}
	}
	for _, t := range db.Tables {
		x := &table{Table: t, object: c.show(t.Name), constraints: t.Constraints, indexes: t.Indexes}
		c.tables = append(c.tables, x)
		add(&relation{kind: "table", name: t.Name, table: x})
	}
	for _, v := range db.Views {
		kind := "view"
		if v.Materialized {
			kind = "materialized view"
		}
		add(&relation{kind: kind, name: v.Name, view: v})
	}
	for _, s := range db.Sequences {
		add(&relation{kind: "sequence", name: s.Name, sequence: s})
	}
	for _, k := range db.Constraints {
		if t := c.table(k.Table); t != nil {
			t.constraints = append(t.constraints[:len(t.constraints):len(t.constraints)], k)
		}
	}
	for _, i := range db.Indexes {
		if t := c.table(i.Table); t != nil {
			t.indexes = append(t.indexes[:len(t.indexes):len(t.indexes)], i)
		}
	}
	for _, t := range c.tables {
		c.inherit(t)
	}
	c.declareTypes()
	c.catalog = newCatalog(c)
	return c
}

// inherit fills in all columns of a table, those of its parents first.
func (c *checker) inherit(t *table) {
	if t.resolved {
		return
	}
	t.busy = true
	parents := t.Inherits
	if t.Partition != nil {
		parents = append([]schema.Name{t.Partition.Of}, parents...)
	}
	t.open = t.Virtual != ""
	t.byKey = make(map[string]*schema.Column, len(t.Columns))
	own := make(map[string]*schema.Column, len(t.Columns))
	for _, col := range t.Columns {
		if k := c.d.Key(col.Name); own[k] == nil {
			own[k] = col
		}
	}
	for _, n := range parents {
		p := c.table(n)
		if p == nil || p.busy { // not declared, or it inherits from this one
			t.open = true
			continue
		}
		c.inherit(p)
		t.parents = append(t.parents, p)
		t.open = t.open || p.open
		for _, col := range p.all {
			if k := c.d.Key(col.Name); t.byKey[k] == nil && own[k] == nil {
				t.byKey[k] = col
				t.all = append(t.all, col)
			}
		}
	}
	if len(parents) == 0 {
		t.all, t.byKey = t.Columns, own
	} else {
		for _, col := range t.Columns {
			if k := c.d.Key(col.Name); t.byKey[k] == nil {
				t.byKey[k] = c.merged(t, col)
			}
			t.all = append(t.all, col)
		}
	}
	t.busy, t.resolved = false, true
}

// merged is a column that a parent declares as well, with the parent's type where it
// has none of its own.
func (c *checker) merged(t *table, col *schema.Column) *schema.Column {
	if !col.Inherited || col.Type.Name != "" {
		return col
	}
	for _, p := range t.parents {
		if from := p.byKey[c.d.Key(col.Name)]; from != nil {
			m := *col
			m.Type, m.Native, m.Enum = from.Type, from.Native, from.Enum
			return &m
		}
	}
	return col
}

// column finds a column of a table; nil if it is not declared.
func (c *checker) column(t *table, name string) *schema.Column { return t.byKey[c.d.Key(name)] }

// primaryKey is the table's primary key, also that of the table it is a partition of.
func (t *table) primaryKey() *schema.Constraint {
	for _, k := range t.constraints {
		if k.Kind == schema.PrimaryKey {
			return k
		}
	}
	if t.Partition != nil && len(t.parents) > 0 {
		return t.parents[0].primaryKey()
	}
	return nil
}

// key is the form in which names of tables compare.
func (c *checker) key(n schema.Name) schema.Name {
	return n.Folded(c.d.DefaultSchema(), c.d.TableKey)
}

func (c *checker) relation(n schema.Name) *relation { return c.relations[c.key(n)] }

func (c *checker) table(n schema.Name) *table {
	if r := c.relation(n); r != nil {
		return r.table
	}
	return nil
}

// show is a name as people write it: with its schema only if that is not the default.
func (c *checker) show(n schema.Name) string {
	if n.Schema == c.d.DefaultSchema() {
		return n.Name
	}
	return n.String()
}

// problem reports a broken rule.
func (c *checker) problem(rule finding.Rule, at schema.Origin, object, format string, args ...any) {
	kind := finding.Schema
	if strings.HasPrefix(string(rule), "IDX") {
		kind = finding.Index
	}
	c.rep.Problem(finding.Problem{Kind: kind, Rule: rule, Object: object, Path: at.Path, Line: at.Line, Message: fmt.Sprintf(format, args...)})
}

// missing reports something that is used and not declared, unless a part of the source
// was not read: it may be declared there.
func (c *checker) missing(rule finding.Rule, at schema.Origin, object, format string, args ...any) {
	if !c.db.Partial {
		c.problem(rule, at, object, format, args...)
	}
}

// asWritten reports whether what a declaration says is what the database is told, so
// that its word counts and not what is likely.
func asWritten(at schema.Origin) bool { return at.Language == schema.SQL }

// maxSuggested is how many unknown names get a near one: finding it looks at every name.
const maxSuggested = 100

// didYouMean is the end of a message about an unknown name: the nearest that there is.
func (c *checker) didYouMean(name string, candidates []string) string {
	if c.suggested >= maxSuggested {
		return ""
	}
	c.suggested++
	if best := nearest.Best(name, candidates); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

func (c *checker) nearTable(n schema.Name) string {
	if c.names == nil {
		for _, t := range c.tables {
			c.names = append(c.names, t.object)
		}
	}
	return c.didYouMean(c.show(n), c.names)
}

func (c *checker) nearColumn(t *table, name string) string {
	names := make([]string, len(t.all))
	for i, col := range t.all {
		names[i] = col.Name
	}
	return c.didYouMean(name, names)
}

// has reports whether the server has a feature.
func (c *checker) has(f dialect.Feature) bool {
	has, _ := c.d.Has(f, c.version)
	return has
}
