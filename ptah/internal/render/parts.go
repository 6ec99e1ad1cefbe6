package render

import (
	"context"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Parts writes parts of a schema's objects, for statements that change a database. They
// are in the words in which [Render] writes the whole.
type Parts struct {
	*job
	postgres *postgres
	mysql    *mysql
	sqlite   *sqlite
}

// NewParts is for the parts of one schema. The dialect is one that [Render] writes for;
// what it cannot hold goes to rep as the parts are written.
func NewParts(ctx context.Context, db *schema.Database, o Options, rep *finding.Report) *Parts {
	v, _ := dialect.ParseVersion(o.ServerVersion)
	j := newJob(ctx, db, o, v, rep)
	p := &Parts{job: j}
	switch {
	case o.Dialect.MySQLFamily():
		p.mysql = &mysql{job: j, tables: map[schema.Name]*schema.Table{}}
		for _, t := range db.Tables {
			p.mysql.tables[t.Name] = t
		}
	case o.Dialect == dialect.SQLite:
		p.sqlite = &sqlite{job: j}
	default:
		p.postgres = &postgres{job: j}
		p.postgres.attachParents()
	}
	return p
}

// Name writes the name of an object, with its schema where it has one.
func (p *Parts) Name(n schema.Name) string {
	if p.sqlite != nil {
		return p.sqlite.ident(n)
	}
	return p.ref(n)
}

// Column writes a column as it stands in CREATE TABLE.
func (p *Parts) Column(t *schema.Table, c *schema.Column) string {
	switch {
	case p.postgres != nil:
		return p.postgres.column(t, c)
	case p.mysql != nil:
		return p.mysql.column(t, c)
	}
	return p.sqlite.column(t, c, p.sqlite.own(t)[c])
}

// Type writes the type of a column of PostgreSQL, with its collation.
func (p *Parts) Type(t *schema.Table, c *schema.Column) string {
	return clauses(p.postgres.columnType(t, c, &c.Origin), p.postgres.collate(c.Collation))
}

// TypeOf writes the type of an attribute or domain of PostgreSQL, with its collation.
func (p *Parts) TypeOf(t schema.Type, collation string) string {
	return clauses(p.postgres.typeOf(t, true, "", nil), p.postgres.collate(collation))
}

// Default writes DEFAULT and its value, empty without one. It is PostgreSQL's.
func (p *Parts) Default(d *schema.Default, t schema.Type) string {
	return p.postgres.defaultOf(d, t, true)
}

// Identity writes how the numbers of a column of PostgreSQL are generated, empty for one
// that has none.
func (p *Parts) Identity(i *schema.Identity) string { return p.postgres.identity(i) }

// Properties are the statements about a column of PostgreSQL that has properties which
// have no place in CREATE TABLE.
func (p *Parts) Properties(t *schema.Table, c *schema.Column) []string {
	return p.postgres.columnProperties(t, c)
}

// ConstraintName is the name of a constraint; empty where the database finds it.
func (p *Parts) ConstraintName(t *schema.Table, c *schema.Constraint) string {
	name := p.constraintName(c)
	if name == "" && p.postgres != nil {
		name = p.usualKey(t, c)
	}
	return name
}

// Constraint writes a constraint as it stands behind ADD; empty for one that is part of
// its column.
func (p *Parts) Constraint(t *schema.Table, c *schema.Constraint) string {
	switch {
	case p.mysql != nil && c.Kind == schema.ForeignKey:
		return p.mysql.foreignKey(t, c, true)
	case p.mysql != nil:
		return p.mysql.constraint(t, c)
	case p.sqlite != nil && p.sqlite.columnOf(t, c) != nil:
		return ""
	case p.sqlite != nil:
		return p.sqlite.constraint(c, nil)
	case c.Kind == schema.ForeignKey:
		return clauses(p.postgres.foreignKey(c), given(c.NotValid, "NOT VALID"))
	case c.Kind == schema.Check:
		return clauses(p.postgres.check(c), given(c.NotValid, "NOT VALID"))
	case c.Kind == schema.PrimaryKey || c.Kind == schema.Unique:
		return p.postgres.tableKey(t, c)
	}
	return p.postgres.tableConstraint(t, c)
}

// ColumnOf is the column with which a constraint of SQLite is written, nil if it stands by
// itself.
func (p *Parts) ColumnOf(t *schema.Table, c *schema.Constraint) *schema.Column {
	return p.sqlite.columnOf(t, c)
}

// Key writes an index of MySQL or MariaDB as it stands behind ADD.
func (p *Parts) Key(x *schema.Index) string {
	kind, _ := p.mysql.indexSort(x)
	return clauses(kind, "KEY", p.quote(p.indexName(x)), p.mysql.indexKeys(x.Keys), p.mysql.indexOptions(x))
}

// IndexName is the name of an index.
func (p *Parts) IndexName(x *schema.Index) string { return p.indexName(x) }

// Index returns the statements that make an index of a table or materialised view.
func (p *Parts) Index(on schema.Name, x *schema.Index) []string {
	p.graph = graph{}
	if p.sqlite != nil {
		p.sqlite.index(&schema.Table{Name: on}, x)
	} else {
		p.postgres.index(on, x)
	}
	var all []string
	for _, n := range p.nodes {
		all = append(all, n.statements...)
	}
	return all
}

// TableOptions are what stands behind the parentheses of a table of MySQL or MariaDB.
func (p *Parts) TableOptions(t *schema.Table) string { return p.mysql.tableOptions(t) }

// Signature are the types of a routine's arguments, by which PostgreSQL tells routines of
// one name apart, in parentheses.
func (p *Parts) Signature(r *schema.Routine) string { return p.postgres.signature(r) }
