package duckdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// key names a relation in the engine: catalog, schema, name.
type key [3]string

func (k key) fold() key {
	return key{strings.ToLower(k[0]), strings.ToLower(k[1]), strings.ToLower(k[2])}
}

// introspection is one run.
type introspection struct {
	c       *Connector
	o       connect.Options
	db      *model.Database
	names   []key          // of db.Tables
	tables  map[key]int    // by folded key; index of db.Tables
	ddl     map[key]string // CREATE statements, by folded key
	enums   map[string][]string
	catalog map[string]bool
}

// Introspect implements connect.Connector. With statistics by sample there is one
// statement more for each table, which reads at most sampleRows of its rows.
func (c *Connector) Introspect(ctx context.Context, o connect.Options) (*model.Database, error) {
	in := &introspection{
		c: c, o: o, tables: map[key]int{}, ddl: map[key]string{}, enums: map[string][]string{}, catalog: map[string]bool{},
		db: &model.Database{Name: c.files[0].catalog, Dialect: "duckdb", Tables: []model.Table{}},
	}
	for _, f := range c.files {
		in.catalog[f.catalog] = true
	}
	for _, part := range []struct {
		what string
		read func(context.Context) error
	}{
		{"the version", in.version},
		{"the tables", in.readTables},
		{"the views", in.readViews},
		{"the enum types", in.readEnums},
		{"the columns", in.readColumns},
		{"the constraints", in.readConstraints},
		{"the indexes", in.readIndexes},
	} {
		if err := part.read(ctx); err != nil {
			return nil, c.readingError(ctx, part.what, err)
		}
	}
	in.generated()
	in.lineage()
	in.selectSchemas()
	if o.Stats == connect.StatsSample {
		if err := in.sample(ctx); err != nil {
			return nil, c.readingError(ctx, "samples", err)
		}
	}
	in.db.Sort()
	return in.db, nil
}

func (c *Connector) readingError(ctx context.Context, what string, err error) error {
	e := &connect.Error{Category: connect.Unavailable, Message: fmt.Sprintf("%s of database file %q could not be read", what, c.files[0].label()), Err: err}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		e.Category, e.Message = connect.Timeout, fmt.Sprintf("reading %s of database file %q took too long", what, c.files[0].label())
	}
	return e
}

// each runs a statement on the catalog and calls row for every row; dest are the
// variables that a row is read into.
func (in *introspection) each(ctx context.Context, statement string, row func(), dest ...any) (err error) {
	ctx, cancel := context.WithTimeout(ctx, connect.CatalogTimeout)
	defer cancel()
	rows, err := in.c.query(ctx, statement)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		row()
	}
	return rows.Err()
}

// schema is a schema's name in the model.
func (in *introspection) schema(k key) string {
	if len(in.c.files) > 1 {
		return k[0] + "." + k[1]
	}
	return k[1]
}

// table returns the table that a row of the catalog is about, or nil.
func (in *introspection) table(k key) *model.Table {
	if i, ok := in.tables[k.fold()]; ok {
		return &in.db.Tables[i]
	}
	return nil
}

func (in *introspection) version(ctx context.Context) error {
	var schema string
	err := in.each(ctx, "SELECT version(), current_schema()", func() {}, &in.db.Version, &schema)
	in.db.DefaultSchema = in.schema(key{in.c.files[0].catalog, schema})
	return err
}

func (in *introspection) add(k key, ddl string, t model.Table) {
	if !in.catalog[k[0]] {
		return
	}
	t.Schema, t.Name = in.schema(k), k[2]
	in.tables[k.fold()] = len(in.db.Tables)
	in.names = append(in.names, k)
	in.ddl[k.fold()] = ddl
	in.db.Tables = append(in.db.Tables, t)
}

func (in *introspection) readTables(ctx context.Context) error {
	var k key
	var comment, ddl string
	var rows *int64
	return in.each(ctx, `SELECT database_name, schema_name, table_name, coalesce(comment, ''), estimated_size::BIGINT, coalesce(sql, '')
		FROM duckdb_tables() WHERE NOT internal AND NOT temporary ORDER BY 1, 2, 3`, func() {
		t := model.Table{Type: model.BaseTable, Comment: comment}
		if rows != nil {
			n := *rows
			t.Rows, t.RowsSource = &n, model.CountMetadata
		}
		in.add(k, ddl, t)
	}, &k[0], &k[1], &k[2], &comment, &rows, &ddl)
}

func (in *introspection) readViews(ctx context.Context) error {
	var k key
	var comment, ddl string
	return in.each(ctx, `SELECT database_name, schema_name, view_name, coalesce(comment, ''), coalesce(sql, '')
		FROM duckdb_views() WHERE NOT internal AND NOT temporary ORDER BY 1, 2, 3`, func() {
		in.add(k, ddl, model.Table{Type: model.View, Comment: comment})
	}, &k[0], &k[1], &k[2], &comment, &ddl)
}

// readEnums remembers the names of the enum types by their labels: a column's type
// has the labels only.
func (in *introspection) readEnums(ctx context.Context) error {
	var catalog, schema, name string
	var labels []any
	return in.each(ctx, `SELECT database_name, schema_name, type_name, labels
		FROM duckdb_types() WHERE NOT internal AND labels IS NOT NULL ORDER BY 1, 2, 3`, func() {
		if in.catalog[catalog] {
			id := strings.Join(texts(labels), "\x00")
			if !slices.Contains(in.enums[id], name) {
				in.enums[id] = append(in.enums[id], name)
			}
		}
	}, &catalog, &schema, &name, list{&labels})
}

// list reads a list of the engine, or none.
type list struct{ to *[]any }

// Scan implements sql.Scanner.
func (l list) Scan(v any) error {
	*l.to, _ = v.([]any)
	return nil
}

func texts(values []any) []string {
	out := make([]string, 0, len(values))
	for _, v := range values {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (in *introspection) readColumns(ctx context.Context) error {
	var k key
	var c model.Column
	return in.each(ctx, `SELECT database_name, schema_name, table_name, column_name, column_index, data_type, is_nullable,
		coalesce(column_default, ''), coalesce(comment, '')
		FROM duckdb_columns() WHERE NOT internal ORDER BY 1, 2, 3, column_index`, func() {
		t := in.table(k)
		if t == nil {
			return
		}
		column := c
		column.Identity = strings.HasPrefix(strings.ToLower(c.Default), "nextval(")
		column.Default = connect.ShortDefault(c.Default)
		in.addColumn(t, column, 0)
	}, &k[0], &k[1], &k[2], &c.Name, &c.Ordinal, &c.Type, &c.Nullable, &c.Default, &c.Comment)
}

// maxNesting is how deep fields of fields are followed.
const maxNesting = 16

// addColumn adds a column whose type is as the engine writes it, and its fields.
func (in *introspection) addColumn(t *model.Table, c model.Column, depth int) {
	base, array := element(c.Type)
	c.Array = array
	if c.Enum = enumLabels(base); c.Enum != nil {
		name := "ENUM"
		if names := in.enums[strings.Join(c.Enum, "\x00")]; len(names) == 1 { // else it cannot be told which
			name = names[0]
		}
		c.Type = name + c.Type[len(base):]
	}
	t.Columns = append(t.Columns, c)
	if depth == maxNesting {
		return
	}
	path := c.Name
	if c.Parent != "" {
		path = c.Parent + "." + c.Name
	}
	for _, f := range structFields(base) {
		in.addColumn(t, model.Column{Name: f.name, Ordinal: c.Ordinal, Type: f.typ, Nullable: true, Parent: path}, depth+1)
	}
}

func (in *introspection) readConstraints(ctx context.Context) error {
	var k key
	var kind, name, expr, refTable string
	var columns, refColumns []any
	return in.each(ctx, `SELECT database_name, schema_name, table_name, constraint_type, coalesce(constraint_name, ''),
		coalesce(expression, ''), constraint_column_names, coalesce(referenced_table, ''), referenced_column_names
		FROM duckdb_constraints() ORDER BY 1, 2, 3, constraint_index`, func() {
		t := in.table(k)
		if t == nil {
			return
		}
		cols := texts(columns)
		switch kind {
		case "PRIMARY KEY":
			t.PrimaryKey = &model.Key{Name: name, Columns: cols}
		case "UNIQUE":
			t.Uniques = append(t.Uniques, model.Key{Name: name, Columns: cols})
		case "FOREIGN KEY": // the engine has none across schemas, and no actions
			t.ForeignKeys = append(t.ForeignKeys, model.ForeignKey{Name: name, Columns: cols, RefSchema: t.Schema, RefTable: refTable, RefColumns: texts(refColumns)})
		case "CHECK":
			t.Checks = append(t.Checks, model.Check{Name: name, Expr: expr, Columns: inOrder(t, cols)})
		}
	}, &k[0], &k[1], &k[2], &kind, &name, &expr, list{&columns}, &refTable, list{&refColumns})
}

// inOrder returns columns in the order of the table, each once.
func inOrder(t *model.Table, columns []string) []string {
	var out []string
	for _, c := range t.Columns {
		if c.Parent == "" && slices.Contains(columns, c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

func (in *introspection) readIndexes(ctx context.Context) error {
	var k key
	var ix model.Index
	var expressions, ddl string
	return in.each(ctx, `SELECT database_name, schema_name, table_name, index_name, is_unique, is_primary, coalesce(expressions, ''), coalesce(sql, '')
		FROM duckdb_indexes() ORDER BY 1, 2, 3, 4`, func() {
		t := in.table(k)
		if t == nil {
			return
		}
		index := ix
		index.Columns, index.Type = indexKeys(ddl, expressions)
		t.Indexes = append(t.Indexes, index)
	}, &k[0], &k[1], &k[2], &ix.Name, &ix.Unique, &ix.Primary, &expressions, &ddl)
}

// indexKeys reads the keys and the method out of the statement that made an index.
func indexKeys(ddl, expressions string) (keys []string, method string) {
	script, err := generic.Parse(sqltree.DuckDB, ddl)
	if err == nil {
		if statement, err := sqltree.One(script); err == nil {
			if index, ok := statement.(*sqltree.CreateIndex); ok && len(index.Keys) > 0 {
				for _, k := range index.Keys {
					if column, ok := k.Expr.(*sqltree.Column); ok && len(column.Parts) == 1 {
						keys = append(keys, column.Parts[0].Name)
						continue
					}
					keys = append(keys, "("+bare(script.Text[k.Expr.Pos().Start:k.Expr.Pos().End])+")")
				}
				method = strings.ToLower(index.Method)
			}
		}
	}
	if keys == nil {
		for _, e := range split(strings.TrimSuffix(strings.TrimPrefix(expressions, "["), "]")) {
			keys = append(keys, strings.Trim(e, "'"))
		}
	}
	if method == "" {
		method = "art"
	}
	return keys, method
}

// bare takes parentheses off that are around the whole expression.
func bare(expr string) string {
	for strings.HasPrefix(expr, "(") && strings.HasSuffix(expr, ")") {
		depth := 0
		for i := range len(expr) {
			switch expr[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 && i < len(expr)-1 {
				return expr
			}
		}
		expr = expr[1 : len(expr)-1]
	}
	return expr
}

// generated marks the generated columns, which only the CREATE statement tells.
func (in *introspection) generated() {
	for i, k := range in.names {
		t, ddl := &in.db.Tables[i], in.ddl[k.fold()]
		if t.IsView() || !strings.Contains(strings.ToUpper(ddl), "GENERATED ALWAYS") {
			continue
		}
		// The engine prints a key to the table itself as nothing, after its comma.
		script, err := generic.Parse(sqltree.DuckDB, strings.Replace(ddl, ", );", ");", 1))
		var create *sqltree.CreateTable
		if err == nil && len(script.Statements) == 1 {
			create, _ = script.Statements[0].(*sqltree.CreateTable)
		}
		if create == nil {
			in.db.Warnings = append(in.db.Warnings, fmt.Sprintf("which columns of table %q are generated could not be read", t.QualifiedName()))
			continue
		}
		for _, def := range create.Columns {
			if slices.ContainsFunc(def.Constraints, func(c sqltree.Constraint) bool { return c.Kind == sqltree.Generated }) {
				if c := t.Column(def.Name.Name); c != nil {
					c.Generated = true
				}
			}
		}
	}
}

// lineage reads the views' definitions.
func (in *introspection) lineage() {
	for i, k := range in.names {
		t := &in.db.Tables[i]
		if !t.IsView() {
			continue
		}
		ddl := in.ddl[k.fold()]
		query := ddl
		script, err := generic.Parse(sqltree.DuckDB, ddl)
		var view *sqltree.CreateView
		if err == nil && len(script.Statements) == 1 {
			view, _ = script.Statements[0].(*sqltree.CreateView)
		}
		if view == nil || view.Query == nil {
			in.db.Warnings = append(in.db.Warnings, fmt.Sprintf("the definition of view %q could not be read; its lineage is missing", t.QualifiedName()))
		} else {
			query = script.Text[view.Query.Start:view.Query.End]
			in.sources(t, k, view)
		}
		t.SetDefinition(query)
	}
}

// sources adds the lineage of one view: the relations that stand in its definition.
func (in *introspection) sources(t *model.Table, k key, view *sqltree.CreateView) {
	seen := map[string]bool{}
	for _, use := range sqltree.Resolve(view, sqltree.DuckDB, scope{in, k}).Tables {
		if use.Written || use.Mentioned || use.Through != "" || use.Relation == nil {
			continue
		}
		from := model.Lineage{
			FromSchema: use.Relation.Schema, FromTable: use.Relation.Name, ToSchema: t.Schema, ToTable: t.Name,
			Type: model.LineageView, Source: "parsed", Confidence: 1,
		}
		id := from.FromSchema + "\x00" + from.FromTable
		if seen[id] || from.FromSchema == t.Schema && from.FromTable == t.Name {
			continue
		}
		seen[id] = true
		in.db.Lineage = append(in.db.Lineage, from)
	}
}

// scope is the catalog as a view sees it: a bare name is looked up in the view's own
// schema, then in main.
type scope struct {
	in   *introspection
	view key
}

// Relation implements sqltree.Catalog.
func (s scope) Relation(_ sqltree.Dialect, name sqltree.Name) *sqltree.Relation {
	part := func(i int) string { return name.Parts[i].Name }
	var tries []key
	switch len(name.Parts) {
	case 1:
		tries = []key{{s.view[0], s.view[1], part(0)}, {s.view[0], "main", part(0)}}
	case 2: // schema.table, or catalog.table
		tries = []key{{s.view[0], part(0), part(1)}, {part(0), "main", part(1)}}
	case 3:
		tries = []key{{part(0), part(1), part(2)}}
	}
	for _, k := range tries {
		if t := s.in.table(k); t != nil {
			r := &sqltree.Relation{Schema: t.Schema, Name: t.Name}
			for _, c := range t.Columns {
				if c.Parent == "" {
					r.Columns = append(r.Columns, c.Name)
				}
			}
			return r
		}
	}
	return nil
}

// Names implements sqltree.Catalog.
func (s scope) Names() []string { return nil }

// selectSchemas leaves out what the options do not ask for: schemas by their name in
// the model or, with several files, by their own.
func (in *introspection) selectSchemas() {
	matches := func(list []string, schema string) bool {
		_, own, qualified := strings.Cut(schema, ".")
		return slices.ContainsFunc(list, func(s string) bool {
			return strings.EqualFold(s, schema) || len(in.c.files) > 1 && qualified && strings.EqualFold(s, own)
		})
	}
	keep := func(schema string) bool {
		return (len(in.o.Schemas) == 0 || matches(in.o.Schemas, schema)) && !matches(in.o.ExcludeSchemas, schema)
	}
	in.db.Tables = slices.DeleteFunc(in.db.Tables, func(t model.Table) bool { return !keep(t.Schema) })
	in.db.Lineage = slices.DeleteFunc(in.db.Lineage, func(l model.Lineage) bool { return !keep(l.FromSchema) || !keep(l.ToSchema) })
}
