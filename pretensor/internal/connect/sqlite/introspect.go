package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// relation is a table or view on its way into the model.
type relation struct {
	model.Table
	sql          string // its CREATE statement
	create       *sqltree.CreateTable
	view         *sqltree.CreateView
	virtual      bool
	withoutRowID bool
	unreadable   bool              // the engine cannot tell its columns
	column       map[string]string // folded name → the column's name
	pk           []string
}

// trigger is a stored CREATE TRIGGER.
type trigger struct{ name, table, sql string }

// structure collects what the statements of one introspection say.
type structure struct {
	version   string
	relations []*relation
	byName    map[string]*relation // by folded name
	indexSQL  map[string]string
	triggers  []trigger
	hasStat   bool
	warnings  []string
}

func (s *structure) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// Introspect implements [connect.Connector]. The only schema is main. Counts of
// rows come from the planner's statistics where ANALYZE left some, else from
// counting: in mode catalog only in a file of less than 256 MiB, and at most 2 s a
// table. Views are counted in mode sample alone, virtual tables never. There are
// no grants.
func (c *connector) Introspect(ctx context.Context, o connect.Options) (*model.Database, error) {
	for _, name := range o.Schemas {
		if fold(name) != schemaName {
			return nil, &connect.Error{Category: connect.BadDSN,
				Message: fmt.Sprintf("the SQLite file %q has no schema %q", c.name, name), Hint: `its only schema is "main"`}
		}
	}
	s, err := c.readStructure(ctx, o)
	if err != nil {
		return nil, err
	}
	s.describe()
	db := &model.Database{
		Name: strings.TrimSuffix(c.name, extension(c.name)), Dialect: "sqlite", Version: s.version, DefaultSchema: schemaName,
		Tables: make([]model.Table, 0, len(s.relations)),
	}
	db.Lineage = s.lineage()
	if err := c.statistics(ctx, o, s); err != nil {
		return nil, err
	}
	for _, r := range s.relations {
		db.Tables = append(db.Tables, r.Table)
	}
	db.Warnings = s.warnings
	db.Sort()
	return db, nil
}

// extension is the part of a file's name from its last dot, if it is an extension
// that the name can do without.
func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[i:]
	}
	return ""
}

// readStructure asks the catalog: five statements, however many tables there are.
func (c *connector) readStructure(ctx context.Context, o connect.Options) (*structure, error) {
	s := &structure{byName: map[string]*relation{}, indexSQL: map[string]string{}}
	exclude := slices.ContainsFunc(o.ExcludeSchemas, func(name string) bool { return fold(name) == schemaName })
	err := c.each(ctx, `SELECT 'version', '', '', sqlite_version()
		UNION ALL SELECT type, name, tbl_name, coalesce(sql, '') FROM main.sqlite_schema`, nil, func(rows *sql.Rows) error {
		var kind, name, table, text string
		if err := rows.Scan(&kind, &name, &table, &text); err != nil {
			return err
		}
		switch {
		case kind == "version":
			s.version = text
		case name == "sqlite_stat1":
			s.hasStat = true
		case exclude || strings.HasPrefix(fold(name), "sqlite_"):
		case kind == "index":
			s.indexSQL[fold(name)] = text
		case kind == "trigger":
			s.triggers = append(s.triggers, trigger{name, table, text})
		case kind == "table" || kind == "view":
			r := &relation{sql: text, column: map[string]string{}}
			r.Schema, r.Name, r.Type = schemaName, name, model.BaseTable
			if kind == "view" {
				r.Type = model.View
			}
			s.relations = append(s.relations, r)
			s.byName[fold(name)] = r
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := c.readKinds(ctx, s); err != nil {
		return nil, err
	}
	if err := c.readColumns(ctx, s); err != nil {
		return nil, err
	}
	if err := c.readForeignKeys(ctx, s); err != nil {
		return nil, err
	}
	return s, c.readIndexes(ctx, s)
}

// readKinds tells tables from virtual and shadow tables; the latter are left out.
func (c *connector) readKinds(ctx context.Context, s *structure) error {
	shadow := map[string]bool{}
	err := c.each(ctx, `SELECT name, type, ncol, wr FROM pragma_table_list WHERE schema = 'main'`, nil, func(rows *sql.Rows) error {
		var name, kind string
		var columns int
		var withoutRowID bool
		if err := rows.Scan(&name, &kind, &columns, &withoutRowID); err != nil {
			return err
		}
		r := s.byName[fold(name)]
		if r == nil {
			return nil
		}
		// Of a view whose query is broken and of a virtual table whose module this
		// library has not, the engine knows no column, and to ask for them is an error.
		r.unreadable = columns <= 0
		r.withoutRowID = withoutRowID
		r.virtual = kind == "virtual"
		shadow[fold(name)] = kind == "shadow"
		if r.virtual {
			r.Type = model.ExternalTable
			for _, suffix := range shadowSuffixes(r.sql) {
				shadow[fold(name)+suffix] = true
			}
		}
		return nil
	})
	s.relations = slices.DeleteFunc(s.relations, func(r *relation) bool {
		if shadow[fold(r.Name)] && !r.virtual {
			delete(s.byName, fold(r.Name))
			return true
		}
		return false
	})
	return err
}

// shadowSuffixes are what a virtual table's own tables are called behind its
// name. SQLite marks them itself only if it has the module.
func shadowSuffixes(create string) []string {
	words := fold(create)
	if i := strings.Index(words, " using "); i >= 0 {
		words = strings.TrimSpace(words[i+len(" using "):])
	}
	switch {
	case strings.HasPrefix(words, "fts3"), strings.HasPrefix(words, "fts4"):
		return []string{"_content", "_segments", "_segdir", "_docsize", "_stat"}
	case strings.HasPrefix(words, "fts5"):
		return []string{"_data", "_idx", "_content", "_docsize", "_config"}
	case strings.HasPrefix(words, "rtree"), strings.HasPrefix(words, "geopoly"):
		return []string{"_node", "_parent", "_rowid"}
	}
	return nil
}

// readable is the list of relations that may be asked for columns, and their
// names as the parameter of a statement.
func (s *structure) readable(tablesOnly bool) ([]*relation, string) {
	list := []*relation{}
	names := []string{}
	for _, r := range s.relations {
		if !r.unreadable && (!tablesOnly || r.Type == model.BaseTable) {
			list = append(list, r)
			names = append(names, r.Name)
		}
	}
	text, err := json.Marshal(names)
	if err != nil {
		panic(err) // a list of strings
	}
	return list, string(text)
}

func (c *connector) readColumns(ctx context.Context, s *structure) error {
	list, names := s.readable(false)
	return c.each(ctx, `SELECT t.key, x.name, x.type, x."notnull", coalesce(x.dflt_value, ''), x.pk, x.hidden
		FROM json_each(?) AS t, pragma_table_xinfo(t.value, 'main') AS x ORDER BY t.key, x.cid`, []any{names}, func(rows *sql.Rows) error {
		var at, key, hidden int
		var notNull bool
		var col model.Column
		if err := rows.Scan(&at, &col.Name, &col.Type, &notNull, &col.Default, &key, &hidden); err != nil {
			return err
		}
		if hidden == 1 { // an argument of a virtual table
			return nil
		}
		r := list[at]
		col.Nullable, col.Generated = !notNull, hidden > 1
		col.Ordinal = len(r.Columns) + 1
		r.Columns = append(r.Columns, col)
		r.column[fold(col.Name)] = col.Name
		for key > len(r.pk) {
			r.pk = append(r.pk, "")
		}
		if key > 0 {
			r.pk[key-1] = col.Name
		}
		return nil
	})
}

func (c *connector) readForeignKeys(ctx context.Context, s *structure) error {
	list, names := s.readable(true)
	at, last := -1, -1 // the table and number of the key that the row before belongs to
	err := c.each(ctx, `SELECT t.key, f.id, f."table", f."from", f."to", f.on_delete, f.on_update
		FROM json_each(?) AS t, pragma_foreign_key_list(t.value, 'main') AS f ORDER BY t.key, f.id, f.seq`, []any{names}, func(rows *sql.Rows) error {
		var index, id int
		var table, from, onDelete, onUpdate string
		var to sql.NullString
		if err := rows.Scan(&index, &id, &table, &from, &to, &onDelete, &onUpdate); err != nil {
			return err
		}
		r := list[index]
		if index != at || id != last {
			at, last = index, id
			k := model.ForeignKey{RefSchema: schemaName, RefTable: table, OnDelete: action(onDelete), OnUpdate: action(onUpdate)}
			if ref := s.byName[fold(table)]; ref != nil {
				k.RefTable = ref.Name
			}
			r.ForeignKeys = append(r.ForeignKeys, k)
		}
		k := &r.ForeignKeys[len(r.ForeignKeys)-1]
		k.Columns = append(k.Columns, r.named(from))
		if to.Valid {
			name := to.String
			if ref := s.byName[fold(table)]; ref != nil {
				name = ref.named(name)
			}
			k.RefColumns = append(k.RefColumns, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	// A key that names no columns of its target means the primary key.
	for _, r := range list {
		kept := r.ForeignKeys[:0]
		for _, k := range r.ForeignKeys {
			if ref := s.byName[fold(k.RefTable)]; k.RefColumns == nil && ref != nil {
				k.RefColumns = slices.Clone(ref.pk)
			}
			if len(k.RefColumns) != len(k.Columns) {
				s.warn("the foreign key of %q on (%s) is left out: %q has no primary key of %d columns", r.Name, strings.Join(k.Columns, ", "), k.RefTable, len(k.Columns))
				continue
			}
			kept = append(kept, k)
		}
		r.ForeignKeys = kept
	}
	return nil
}

// action is a referential action, empty for the one that is none.
func action(rule string) string {
	if rule == "NO ACTION" {
		return ""
	}
	return rule
}

// named is a column's name in the case in which it was declared.
func (r *relation) named(name string) string {
	if declared, ok := r.column[fold(name)]; ok {
		return declared
	}
	return name
}

func (c *connector) readIndexes(ctx context.Context, s *structure) error {
	list, names := s.readable(true)
	origin := map[*relation]map[string]string{}
	err := c.each(ctx, `SELECT t.key, l.name, l."unique", l.origin, l.partial, x.name
		FROM json_each(?) AS t, pragma_index_list(t.value, 'main') AS l, pragma_index_xinfo(l.name, 'main') AS x
		WHERE x.key = 1 ORDER BY t.key, l.seq, x.seqno`, []any{names}, func(rows *sql.Rows) error {
		var at int
		var index model.Index
		var from string
		var column sql.NullString
		if err := rows.Scan(&at, &index.Name, &index.Unique, &from, &index.Partial, &column); err != nil {
			return err
		}
		r := list[at]
		if n := len(r.Indexes); n == 0 || r.Indexes[n-1].Name != index.Name {
			index.Type, index.Primary = "btree", from == "pk"
			r.Indexes = append(r.Indexes, index)
			if origin[r] == nil {
				origin[r] = map[string]string{}
			}
			origin[r][index.Name] = from
		}
		last := &r.Indexes[len(r.Indexes)-1]
		last.Columns = append(last.Columns, column.String) // empty for an expression, see indexExpressions
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range list {
		for i := range r.Indexes {
			index := &r.Indexes[i]
			expression := slices.Contains(index.Columns, "")
			if expression {
				index.Columns = indexExpressions(s.indexSQL[fold(index.Name)], index.Columns)
			}
			if from := origin[r][index.Name]; index.Unique && !index.Partial && !expression && from != "pk" {
				key := model.Key{Columns: slices.Clone(index.Columns)}
				if from == "c" {
					key.Name = index.Name
				}
				r.Uniques = append(r.Uniques, key)
			}
		}
	}
	return nil
}

// indexExpressions fills the keys that are no columns with their text.
func indexExpressions(create string, columns []string) []string {
	index, _ := statement(create).(*sqltree.CreateIndex)
	for i, name := range columns {
		if name != "" {
			continue
		}
		columns[i] = "(expression)"
		if index != nil && len(index.Keys) == len(columns) {
			columns[i] = parenthesised(piece(create, index.Keys[i].Expr))
		}
	}
	return columns
}

// parenthesised puts one pair of parentheses around an expression that has none.
func parenthesised(expr string) string {
	expr = strings.TrimSpace(expr)
	if strings.HasPrefix(expr, "(") && strings.HasSuffix(expr, ")") && closes(expr) {
		return expr
	}
	return "(" + expr + ")"
}

// closes reports whether the bracket that begins an expression ends it.
func closes(expr string) bool {
	depth := 0
	var quote byte
	for i := range len(expr) {
		switch ch := expr[i]; {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '\'' || ch == '"' || ch == '`':
			quote = ch
		case ch == '(':
			depth++
		case ch == ')':
			if depth--; depth == 0 {
				return i == len(expr)-1
			}
		}
	}
	return false
}

// each runs a statement on the catalog and calls scan for every row.
func (c *connector) each(ctx context.Context, query string, args []any, scan func(*sql.Rows) error) error {
	ctx, cancel := context.WithTimeout(ctx, connect.CatalogTimeout)
	defer cancel()
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return c.fail(ctx, "reading the catalog of", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return c.fail(ctx, "reading the catalog of", err)
		}
	}
	return c.fail(ctx, "reading the catalog of", rows.Err())
}

// describe adds what the CREATE statements alone say.
func (s *structure) describe() {
	for _, r := range s.relations {
		if r.Type == model.View {
			s.describeView(r)
			continue
		}
		if r.virtual {
			if r.unreadable {
				s.warn("the columns of the virtual table %q are not known: its module is not part of this program", r.Name)
			}
			continue
		}
		r.keys()
		r.create, _ = statement(r.sql).(*sqltree.CreateTable)
		if r.create == nil {
			s.warn("the CREATE statement of %q could not be read: its comments and check constraints are left out", r.Name)
			continue
		}
		r.describe()
	}
}

// keys makes the primary key, and what follows from it for its columns.
func (r *relation) keys() {
	if len(r.pk) == 0 {
		return
	}
	r.PrimaryKey = &model.Key{Columns: r.pk}
	// A key of a single INTEGER column that needs no index of its own is the rowid.
	indexed := slices.ContainsFunc(r.Indexes, func(i model.Index) bool { return i.Primary })
	if col := r.Column(r.pk[0]); len(r.pk) == 1 && !indexed && !r.withoutRowID && fold(col.Type) == "integer" {
		col.Identity, col.Nullable = true, false
	}
}

// describe takes comments, checks, constraint names and generated columns from
// the CREATE TABLE statement.
func (r *relation) describe() {
	table, each := tableComments(r.sql, r.create.Columns)
	r.Comment = table
	for i, def := range r.create.Columns {
		col := r.Column(r.named(def.Name.Name))
		if col == nil {
			continue
		}
		col.Comment = each[i]
		for _, k := range def.Constraints {
			if k.Kind == sqltree.Generated {
				col.Default = strings.TrimSpace(piece(r.sql, k.Expr))
			}
			r.constraint(k, []string{col.Name})
		}
	}
	for _, k := range r.create.Constraints {
		columns := make([]string, len(k.Columns))
		for i, c := range k.Columns {
			columns[i] = r.named(c.Name)
		}
		if len(columns) == 0 {
			for _, key := range k.Keys {
				if c, ok := key.Expr.(*sqltree.Column); ok {
					columns = append(columns, r.named(c.Parts[len(c.Parts)-1].Name))
				}
			}
		}
		r.constraint(k, columns)
	}
	for i := range r.Columns {
		r.Columns[i].Default = connect.ShortDefault(r.Columns[i].Default)
	}
}

// constraint gives a key its name, and adds a check.
func (r *relation) constraint(k sqltree.Constraint, columns []string) {
	name := ""
	if k.Name != nil {
		name = k.Name.Name
	}
	switch k.Kind {
	case sqltree.PrimaryKey:
		if r.PrimaryKey != nil {
			r.PrimaryKey.Name = name
		}
	case sqltree.Unique:
		for i := range r.Uniques {
			if u := &r.Uniques[i]; u.Name == "" && slices.Equal(u.Columns, columns) {
				u.Name = name
				return
			}
		}
	case sqltree.ForeignKey:
		if k.RefTable == nil {
			return
		}
		for i := range r.ForeignKeys {
			f := &r.ForeignKeys[i]
			if f.Name == "" && slices.Equal(f.Columns, columns) && fold(f.RefTable) == fold(k.RefTable.Last().Name) {
				f.Name = name
				return
			}
		}
	case sqltree.Check:
		check := model.Check{Name: name, Expr: strings.TrimSpace(piece(r.sql, k.Expr))}
		sqltree.Walk(k.Expr, func(n sqltree.Node) bool {
			if c, ok := n.(*sqltree.Column); ok {
				if declared, ok := r.column[fold(c.Parts[len(c.Parts)-1].Name)]; ok && !slices.Contains(check.Columns, declared) {
					check.Columns = append(check.Columns, declared)
				}
			}
			return true
		})
		r.Checks = append(r.Checks, check)
	}
}

func (s *structure) describeView(r *relation) {
	r.view, _ = statement(r.sql).(*sqltree.CreateView)
	query := r.sql
	if r.view != nil && r.view.Query != nil {
		query = piece(r.sql, r.view.Query)
		r.Comment = viewComment(r.sql, r.view)
	}
	r.SetDefinition(query)
	if r.unreadable {
		s.warn("the view %q cannot be run: it names a table, column or function that is not there; its columns have no types", r.Name)
	}
}
