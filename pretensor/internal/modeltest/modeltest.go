// Package modeltest makes models of databases from DDL, for tests that need a
// structure and no database.
package modeltest

import (
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// dialects are the names under which a model knows a dialect.
var dialects = map[sqltree.Dialect]string{sqltree.Postgres: "postgresql"}

// FromDDL reads CREATE TABLE, CREATE VIEW and ALTER TABLE … ADD CONSTRAINT, with
// keys, as a database would describe them. Views get the columns and lineage that
// [sqltree.Resolve] finds.
func FromDDL(tb testing.TB, d sqltree.Dialect, defaultSchema, ddl string) *model.Database {
	tb.Helper()
	script, err := parse.Parse(d, ddl)
	if err != nil {
		tb.Fatal(err)
	}
	name := dialects[d]
	if name == "" {
		name = string(d)
	}
	b := &builder{d: d, db: &model.Database{Dialect: name, DefaultSchema: defaultSchema}, at: map[string]int{}}
	b.catalog = sqltree.NewSchema(d)
	if defaultSchema != "" {
		b.catalog = sqltree.NewSchema(d, defaultSchema)
	}
	b.catalog.Add(script)
	for _, s := range script.Statements {
		switch s := s.(type) {
		case *sqltree.CreateTable:
			b.table(s)
		case *sqltree.CreateView:
			b.view(s)
		case *sqltree.AlterTable:
			if t := b.find(s.Table); t != nil {
				for _, a := range s.Actions {
					if a.Constraint != nil {
						b.constraint(t, *a.Constraint, nil)
					}
					if a.Column != nil && a.Kind == "ADD COLUMN" {
						b.column(t, *a.Column)
					}
				}
			}
		case *sqltree.CreateIndex:
			if t := b.find(s.Table); t != nil {
				x := model.Index{Unique: s.Unique, Partial: s.Where != nil, Type: s.Method}
				if s.Name != nil {
					x.Name = b.fold(*s.Name)
				}
				for _, k := range s.Keys {
					if c, ok := k.Expr.(*sqltree.Column); ok {
						x.Columns = append(x.Columns, b.fold(c.Parts[len(c.Parts)-1]))
					} else {
						x.Columns = append(x.Columns, "("+script.Text[k.Start:k.End]+")")
					}
				}
				t.Indexes = append(t.Indexes, x)
			}
		}
	}
	b.references()
	b.db.Sort()
	return b.db
}

type builder struct {
	d       sqltree.Dialect
	db      *model.Database
	at      map[string]int
	catalog *sqltree.Schema
}

// fold is a name as the database keeps it.
func (b *builder) fold(id sqltree.Ident) string {
	switch b.d {
	case sqltree.Postgres, sqltree.Snowflake:
		return b.d.Fold(id)
	}
	return id.Name
}

func (b *builder) name(n sqltree.Name) (schema, table string) {
	if len(n.Parts) > 1 {
		schema = b.fold(n.Parts[len(n.Parts)-2])
	} else {
		schema = b.db.DefaultSchema
	}
	return schema, b.fold(n.Last())
}

func (b *builder) find(n sqltree.Name) *model.Table {
	schema, table := b.name(n)
	if i, ok := b.at[model.Qualify(schema, table)]; ok {
		return &b.db.Tables[i]
	}
	return nil
}

func (b *builder) add(t model.Table) *model.Table {
	b.at[t.QualifiedName()] = len(b.db.Tables)
	b.db.Tables = append(b.db.Tables, t)
	return &b.db.Tables[len(b.db.Tables)-1]
}

func (b *builder) table(s *sqltree.CreateTable) {
	schema, name := b.name(s.Name)
	if s.PartitionOf != nil {
		if parent := b.find(*s.PartitionOf); parent != nil {
			if parent.Partition == nil {
				parent.Partition = &model.Partition{}
			}
			parent.Partition.Count++
			parent.Partition.Tables = append(parent.Partition.Tables, model.TableName{Schema: schema, Name: name})
			b.at[model.Qualify(schema, name)] = b.at[parent.QualifiedName()] // of its own partitions too
		}
		return
	}
	typ := model.BaseTable
	if slices.ContainsFunc(s.Options, func(o sqltree.Option) bool { return o.Key == "USING" }) {
		typ = model.ExternalTable // SQLite's CREATE VIRTUAL TABLE
	}
	t := b.add(model.Table{Schema: schema, Name: name, Type: typ})
	for _, c := range s.Columns {
		b.column(t, c)
	}
	for _, k := range s.Constraints {
		b.constraint(t, k, nil)
	}
	if s.As != nil {
		for _, o := range sqltree.Resolve(s, b.d, b.catalog).Output {
			t.Columns = append(t.Columns, model.Column{Name: o.Name, Ordinal: len(t.Columns) + 1, Type: "text", Nullable: true})
		}
	}
}

func (b *builder) column(t *model.Table, c sqltree.ColumnDef) {
	typ := ""
	if len(c.Type.Name.Parts) > 0 {
		typ = c.Type.Name.Last().Name
		if len(c.Type.Args) > 0 {
			typ += "(" + strings.Join(c.Type.Args, ",") + ")"
		}
		typ += strings.Repeat("[]", c.Type.Array)
	}
	col := model.Column{Name: b.fold(c.Name), Ordinal: len(t.Columns) + 1, Type: typ, Nullable: true, Array: c.Type.Array > 0}
	for _, k := range c.Constraints {
		switch k.Kind {
		case sqltree.NotNull, sqltree.PrimaryKey:
			col.Nullable = false
		case sqltree.Generated:
			col.Generated = true
		case sqltree.Identity:
			col.Identity = true
		}
	}
	t.Columns = append(t.Columns, col)
	for _, k := range c.Constraints {
		b.constraint(t, k, []string{col.Name})
	}
}

// constraint adds a constraint of a table, or of the column given.
func (b *builder) constraint(t *model.Table, k sqltree.Constraint, column []string) {
	columns := column
	for _, id := range k.Columns {
		columns = append(columns, b.fold(id))
	}
	for _, key := range k.Keys {
		if c, ok := key.Expr.(*sqltree.Column); ok {
			columns = append(columns, b.fold(c.Parts[len(c.Parts)-1]))
		}
	}
	name := ""
	if k.Name != nil {
		name = b.fold(*k.Name)
	}
	switch k.Kind {
	case sqltree.PrimaryKey:
		t.PrimaryKey = &model.Key{Name: name, Columns: columns}
	case sqltree.Unique:
		t.Uniques = append(t.Uniques, model.Key{Name: name, Columns: columns})
	case sqltree.ForeignKey:
		fk := model.ForeignKey{Name: name, Columns: columns, OnDelete: k.OnDelete, OnUpdate: k.OnUpdate}
		fk.RefSchema, fk.RefTable = b.name(*k.RefTable)
		for _, id := range k.RefColumns {
			fk.RefColumns = append(fk.RefColumns, b.fold(id))
		}
		t.ForeignKeys = append(t.ForeignKeys, fk)
	}
}

// references gives keys without target columns those of the target's primary key.
func (b *builder) references() {
	for i := range b.db.Tables {
		for j := range b.db.Tables[i].ForeignKeys {
			fk := &b.db.Tables[i].ForeignKeys[j]
			if to, ok := b.at[model.Qualify(fk.RefSchema, fk.RefTable)]; ok && len(fk.RefColumns) == 0 && b.db.Tables[to].PrimaryKey != nil {
				fk.RefColumns = b.db.Tables[to].PrimaryKey.Columns
			}
		}
	}
}

func (b *builder) view(s *sqltree.CreateView) {
	schema, name := b.name(s.Name)
	typ, lineage := model.View, model.LineageView
	if s.Materialized {
		typ, lineage = model.MaterializedView, model.LineageMaterializedView
	}
	r := sqltree.Resolve(s, b.d, b.catalog)
	t := model.Table{Schema: schema, Name: name, Type: typ}
	for i, o := range r.Output {
		t.Columns = append(t.Columns, model.Column{Name: o.Name, Ordinal: i + 1, Type: "", Nullable: true})
	}
	b.add(t)
	seen := map[*sqltree.Relation]bool{}
	for _, u := range r.Tables {
		if u.Relation == nil || u.Through != "" || u.Written || seen[u.Relation] {
			continue
		}
		seen[u.Relation] = true
		b.db.Lineage = append(b.db.Lineage, model.Lineage{
			FromSchema: u.Relation.Schema, FromTable: u.Relation.Name, ToSchema: schema, ToTable: name, Type: lineage, Source: "parsed", Confidence: 1,
		})
	}
}
