package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// systemSchemas are never read.
var systemSchemas = []string{"information_schema", "performance_schema", "mysql", "sys"}

// key is a table's schema and name.
type key struct{ schema, name string }

// relation is a table or view on its way into the model.
type relation struct {
	model.Table
	partitioned bool
	expression  map[string]bool // indexes with a key that is no column
	dataType    []string        // DATA_TYPE of each column
	known       *sqltree.Relation
}

// structure collects what the statements of one introspection say.
type structure struct {
	mariadb   bool
	version   string
	folds     bool            // names of tables do not depend on case
	all       []string        // all schemas that the user sees
	has       map[string]bool // INFORMATION_SCHEMA's TABLE.COLUMN, and tables of the database mysql
	schemas   []string        // those to read
	relations []*relation
	byName    map[key]*relation
	byFolded  map[key]*relation
	lineage   []model.Lineage
	edges     map[model.Lineage]int // where an edge without its confidence stands in lineage
	roles     map[string]*model.Role
	warnings  []string
	unread    []string // names of steps
}

func (s *structure) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// dialect is the front end's name for the server's SQL.
func (s *structure) dialect() sqltree.Dialect {
	if s.mariadb {
		return sqltree.MariaDB
	}
	return sqltree.MySQL
}

// find is the relation of a name that the server gave, or nil.
func (s *structure) find(schema, name string) *relation {
	if r := s.byName[key{schema, name}]; r != nil || !s.folds {
		return r
	}
	return s.byFolded[folded(schema, name)]
}

func folded(schema, name string) key { return key{strings.ToLower(schema), strings.ToLower(name)} }

// Introspect implements [connect.Connector]. Without schemas in o the connection's
// database is read, or every database that the user sees if there is none. Counts
// of rows are the server's estimates. Partitions are no tables of their own, so
// that IncludePartitions changes nothing.
func (c *connector) Introspect(ctx context.Context, o connect.Options) (*model.Database, error) {
	s := &structure{has: map[string]bool{}, byName: map[key]*relation{}, byFolded: map[key]*relation{},
		edges: map[model.Lineage]int{}, roles: map[string]*model.Role{}}
	if err := c.readFacts(ctx, s); err != nil {
		return nil, err
	}
	if err := c.choose(s, o); err != nil {
		return nil, err
	}
	stats := o.Stats != connect.StatsNone
	steps := []struct {
		name     string // of what is missing in the warning of an optional step
		optional bool
		wanted   bool
		read     func(context.Context, *structure) error
	}{
		{"tables", false, true, func(ctx context.Context, s *structure) error { return c.readTables(ctx, s, stats || o.RowCounts) }},
		{"columns", false, true, c.readColumns},
		{"foreign keys", false, true, c.readForeignKeys},
		{model.PartRules, true, true, c.readRules},
		{"indexes", false, true, func(ctx context.Context, s *structure) error { return c.readIndexes(ctx, s, stats) }},
		{model.PartChecks, true, s.has["CHECK_CONSTRAINTS.CHECK_CLAUSE"], c.readChecks},
		{model.PartPartitions, true, true, c.readPartitions},
		{model.PartViews, true, true, c.readViews},
		{model.PartTriggers, true, true, c.readTriggers},
		{"grants", true, o.Grants, c.readGrants},
		{"column statistics", true, stats, c.readColumnStatistics},
		{"samples", true, o.Stats == connect.StatsSample, c.sampleAll},
	}
	for _, step := range steps {
		if !step.wanted || len(s.schemas) == 0 {
			continue
		}
		err := step.read(ctx, s)
		if err != nil && (!step.optional || ctx.Err() != nil) {
			return nil, err
		}
		if err != nil {
			s.warn("the %s could not be read: %v", step.name, err)
			s.unread = append(s.unread, step.name)
		}
	}
	return s.database(c.database), nil
}

// database turns what was read into the model.
func (s *structure) database(name string) *model.Database {
	db := &model.Database{Name: name, Dialect: "mysql", Version: s.version, DefaultSchema: name,
		Tables: make([]model.Table, 0, len(s.relations)), Lineage: s.lineage, Warnings: s.warnings, Unread: s.unread}
	if s.mariadb {
		db.Dialect = "mariadb"
	}
	for _, r := range s.relations {
		db.Tables = append(db.Tables, r.Table)
	}
	for _, r := range s.roles {
		slices.Sort(r.MemberOf)
		slices.Sort(r.Schemas)
		db.Roles = append(db.Roles, *r)
	}
	db.Sort()
	return db
}

// readFacts asks what server this is, which schemas the user sees, and which parts
// of the catalog there are.
func (c *connector) readFacts(ctx context.Context, s *structure) error {
	return c.each(ctx, `SELECT 'version', VERSION(), ''
		UNION ALL SELECT 'folding', @@lower_case_table_names, ''
		UNION ALL SELECT 'schema', SCHEMA_NAME, '' FROM information_schema.SCHEMATA
		UNION ALL SELECT 'column', TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'information_schema'
			AND TABLE_NAME IN ('CHECK_CONSTRAINTS', 'STATISTICS', 'VIEW_TABLE_USAGE', 'COLUMN_STATISTICS', 'APPLICABLE_ROLES')
		UNION ALL SELECT 'table', TABLE_NAME, '' FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'mysql'
			AND TABLE_NAME IN ('roles_mapping', 'role_edges', 'column_stats')`, nil, func(rows *sql.Rows) error {
		var kind, a, b string
		if err := rows.Scan(&kind, &a, &b); err != nil {
			return err
		}
		switch kind {
		case "version":
			s.version, s.mariadb = a, strings.Contains(a, "MariaDB")
		case "folding":
			s.folds = a != "0"
		case "schema":
			s.all = append(s.all, a)
		case "column":
			s.has[strings.ToUpper(a)+"."+strings.ToUpper(b)] = true
		case "table":
			s.has["mysql."+a] = true
		}
		return nil
	})
}

// choose settles which schemas are read.
func (c *connector) choose(s *structure, o connect.Options) error {
	same := func(a, b string) bool { return a == b || s.folds && strings.EqualFold(a, b) }
	among := func(list []string, name string) bool {
		return slices.ContainsFunc(list, func(n string) bool { return same(n, name) })
	}
	wanted := o.Schemas
	if len(wanted) == 0 && c.database != "" {
		wanted = []string{c.database}
	}
	for _, name := range wanted {
		if !among(s.all, name) {
			return &connect.Error{Category: connect.PermissionDenied, Message: fmt.Sprintf("%s has no database %q, or user %q may see nothing of it", c.where, name, c.user),
				Hint: "SHOW DATABASES lists those that the user sees"}
		}
	}
	for _, name := range s.all {
		system := slices.Contains(systemSchemas, strings.ToLower(name))
		if !system && (len(wanted) == 0 || among(wanted, name)) && !among(o.ExcludeSchemas, name) {
			s.schemas = append(s.schemas, name)
		}
	}
	slices.Sort(s.schemas)
	return nil
}

// in is a condition that a column names one of the schemas to read. A comparison
// with one constant is what keeps MariaDB from opening the tables of all schemas;
// of several that differ in case alone it would take the first, if they were not
// compared as bytes.
func (s *structure) in(column string) (string, []any) {
	if len(s.schemas) == 1 {
		return column + " = ?", []any{s.schemas[0]}
	}
	args := make([]any, len(s.schemas))
	for i, name := range s.schemas {
		args[i] = name
	}
	return "CAST(" + column + " AS BINARY) IN (?" + strings.Repeat(", ?", len(args)-1) + ")", args
}

// from runs "SELECT … WHERE " + the condition that column names one of the schemas
// + rest.
func (c *connector) from(ctx context.Context, s *structure, query, column, rest string, scan func(*sql.Rows) error) error {
	condition, args := s.in(column)
	return c.each(ctx, query+" WHERE "+condition+rest, args, scan)
}

// each runs a statement on the catalog and calls scan for every row.
func (c *connector) each(ctx context.Context, query string, args []any, scan func(*sql.Rows) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.catalogTimeout)
	defer cancel()
	const doing = "reading the catalog of"
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return c.fail(ctx, doing, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return c.fail(ctx, doing, err)
		}
	}
	return c.fail(ctx, doing, rows.Err())
}

func (c *connector) readTables(ctx context.Context, s *structure, stats bool) error {
	return c.from(ctx, s, `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, COALESCE(ENGINE, ''), TABLE_ROWS, DATA_LENGTH + INDEX_LENGTH,
		COALESCE(TABLE_COMMENT, ''), COALESCE(CREATE_OPTIONS, '') FROM information_schema.TABLES`, "TABLE_SCHEMA", "", func(rows *sql.Rows) error {
		r := &relation{expression: map[string]bool{}}
		var kind, engine, options string
		var count, bytes sql.NullInt64
		if err := rows.Scan(&r.Schema, &r.Name, &kind, &engine, &count, &bytes, &r.Comment, &options); err != nil {
			return err
		}
		// The comparison of schemas in SQL does not look at case.
		if !slices.Contains(s.schemas, r.Schema) || kind == "SEQUENCE" || kind == "TEMPORARY" || kind == "TEMPORARY SEQUENCE" {
			return nil
		}
		r.partitioned = strings.Contains(options, "partitioned")
		r.Type = tableType(kind, engine, r.partitioned)
		switch {
		case r.Type == model.View:
			r.Comment = "" // the server's word VIEW, or what is wrong with it
		case engine == "":
			s.warn("the server cannot open the table %s: %s", model.Qualify(r.Schema, r.Name), r.Comment)
			r.Comment = ""
		case stats:
			if count.Valid {
				r.Rows, r.RowsSource = &count.Int64, model.CountStat
			}
			if bytes.Valid {
				r.Bytes = &bytes.Int64
			}
		}
		s.relations = append(s.relations, r)
		s.byName[key{r.Schema, r.Name}] = r
		s.byFolded[folded(r.Schema, r.Name)] = r
		return nil
	})
}

// tableType is the model's word for a kind of table and its storage engine.
func tableType(kind, engine string, partitioned bool) string {
	if strings.HasSuffix(kind, "VIEW") {
		return model.View
	}
	switch strings.ToUpper(engine) {
	case "FEDERATED", "SPIDER", "CONNECT":
		return model.ForeignTable
	case "S3":
		return model.ExternalTable
	}
	if partitioned {
		return model.PartitionedTable
	}
	return model.BaseTable
}

func (c *connector) readColumns(ctx context.Context, s *structure) error {
	return c.from(ctx, s, `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, COLUMN_TYPE,
		COALESCE(EXTRA, ''), COALESCE(GENERATION_EXPRESSION, ''), COALESCE(COLUMN_COMMENT, '') FROM information_schema.COLUMNS`,
		"TABLE_SCHEMA", " ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION", func(rows *sql.Rows) error {
			var schema, table, nullable, dataType, extra, generation string
			var value sql.NullString
			var col model.Column
			if err := rows.Scan(&schema, &table, &col.Name, &col.Ordinal, &value, &nullable, &dataType, &col.Type, &extra, &generation, &col.Comment); err != nil {
				return err
			}
			r := s.find(schema, table)
			if r == nil {
				return nil
			}
			extra = strings.ToUpper(extra)
			col.Nullable = nullable == "YES"
			col.Default = s.defaultOf(value, dataType, extra)
			col.Identity = strings.Contains(extra, "AUTO_INCREMENT") || strings.HasPrefix(col.Default, "nextval(")
			if generation != "" {
				col.Generated, col.Default = true, s.expression(generation)
			}
			col.Default = connect.ShortDefault(col.Default)
			if dataType == "enum" || dataType == "set" {
				col.Enum = labels(col.Type)
			}
			r.Columns = append(r.Columns, col)
			r.dataType = append(r.dataType, strings.ToLower(dataType))
			return nil
		})
}

// defaultOf is a column's default as an expression. MariaDB gives one; MySQL gives
// the bare value unless EXTRA says that it is an expression.
func (s *structure) defaultOf(value sql.NullString, dataType, extra string) string {
	if !value.Valid {
		return ""
	}
	if s.mariadb {
		if value.String == "NULL" {
			return ""
		}
		return value.String
	}
	if strings.Contains(extra, "DEFAULT_GENERATED") {
		return s.expression(value.String)
	}
	switch strings.ToLower(dataType) {
	case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double", "year", "bit":
		return value.String
	}
	return "'" + strings.ReplaceAll(strings.ReplaceAll(value.String, `\`, `\\`), "'", "''") + "'"
}

func (c *connector) readForeignKeys(ctx context.Context, s *structure) error {
	return c.from(ctx, s, `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
		FROM information_schema.KEY_COLUMN_USAGE`, "TABLE_SCHEMA", ` AND REFERENCED_TABLE_NAME IS NOT NULL
		ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`, func(rows *sql.Rows) error {
		var schema, table, column, refColumn string
		var k model.ForeignKey
		if err := rows.Scan(&schema, &table, &k.Name, &column, &k.RefSchema, &k.RefTable, &refColumn); err != nil {
			return err
		}
		r := s.find(schema, table)
		if r == nil {
			return nil
		}
		if ref := s.find(k.RefSchema, k.RefTable); ref != nil {
			k.RefSchema, k.RefTable = ref.Schema, ref.Name
		}
		at := slices.IndexFunc(r.ForeignKeys, func(f model.ForeignKey) bool { return f.Name == k.Name })
		if at < 0 {
			at = len(r.ForeignKeys)
			r.ForeignKeys = append(r.ForeignKeys, k)
		}
		f := &r.ForeignKeys[at]
		f.Columns, f.RefColumns = append(f.Columns, column), append(f.RefColumns, refColumn)
		return nil
	})
}

// readRules adds what deleting and updating does. It is no join with the columns
// of the keys: those are visible to users who may not see the rules.
func (c *connector) readRules(ctx context.Context, s *structure) error {
	seen := 0
	err := c.from(ctx, s, `SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, DELETE_RULE, UPDATE_RULE FROM information_schema.REFERENTIAL_CONSTRAINTS`,
		"CONSTRAINT_SCHEMA", "", func(rows *sql.Rows) error {
			var schema, table, name, onDelete, onUpdate string
			if err := rows.Scan(&schema, &table, &name, &onDelete, &onUpdate); err != nil {
				return err
			}
			seen++
			r := s.find(schema, table)
			if r == nil {
				return nil
			}
			for i := range r.ForeignKeys {
				if f := &r.ForeignKeys[i]; f.Name == name {
					f.OnDelete, f.OnUpdate = action(onDelete), action(onUpdate)
				}
			}
			return nil
		})
	keyed := slices.ContainsFunc(s.relations, func(r *relation) bool { return len(r.ForeignKeys) > 0 })
	if err == nil && seen == 0 && keyed {
		s.warn("the ON DELETE and ON UPDATE rules of foreign keys are not known: the user needs a privilege beside SELECT to see them")
	}
	return err
}

// action is a referential action. RESTRICT and NO ACTION are the same in these
// servers, and which of them a key without a rule has depends on the server.
func action(rule string) string {
	if rule == "NO ACTION" || rule == "RESTRICT" {
		return ""
	}
	return rule
}

func (c *connector) readIndexes(ctx context.Context, s *structure, stats bool) error {
	expression := "''"
	if s.has["STATISTICS.EXPRESSION"] {
		expression = "COALESCE(EXPRESSION, '')"
	}
	err := c.from(ctx, s, `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE, INDEX_TYPE, COALESCE(COLUMN_NAME, ''), CARDINALITY, SEQ_IN_INDEX, `+expression+`
		FROM information_schema.STATISTICS`, "TABLE_SCHEMA", " ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX", func(rows *sql.Rows) error {
		var schema, table, kind, column, expr string
		var notUnique bool
		var distinct sql.NullInt64
		var position int
		var index model.Index
		if err := rows.Scan(&schema, &table, &index.Name, &notUnique, &kind, &column, &distinct, &position, &expr); err != nil {
			return err
		}
		r := s.find(schema, table)
		if r == nil {
			return nil
		}
		at := slices.IndexFunc(r.Indexes, func(i model.Index) bool { return i.Name == index.Name })
		if at < 0 {
			at = len(r.Indexes)
			index.Unique, index.Primary, index.Type = !notUnique, index.Name == "PRIMARY", strings.ToLower(kind)
			r.Indexes = append(r.Indexes, index)
		}
		if column == "" {
			r.expression[index.Name] = true
			column = "(" + s.expression(expr) + ")"
		} else if col := r.Column(column); stats && position == 1 && distinct.Int64 > 0 && col != nil && col.Stats == nil {
			col.Stats = &model.Stats{Distinct: &distinct.Int64, Source: "catalog"}
		}
		r.Indexes[at].Columns = append(r.Indexes[at].Columns, column)
		return nil
	})
	for _, r := range s.relations {
		for _, index := range r.Indexes {
			k := model.Key{Name: index.Name, Columns: slices.Clone(index.Columns)}
			switch {
			case index.Primary:
				r.PrimaryKey = &k
			case index.Unique && !r.expression[index.Name]:
				r.Uniques = append(r.Uniques, k)
			}
		}
	}
	return err
}

func (c *connector) readChecks(ctx context.Context, s *structure) error {
	query, schema := `SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS`, "CONSTRAINT_SCHEMA"
	if !s.has["CHECK_CONSTRAINTS.TABLE_NAME"] { // MySQL: names are unique in a schema
		query, schema = `SELECT t.TABLE_SCHEMA, t.TABLE_NAME, t.CONSTRAINT_NAME, c.CHECK_CLAUSE FROM information_schema.TABLE_CONSTRAINTS AS t
			JOIN information_schema.CHECK_CONSTRAINTS AS c ON c.CONSTRAINT_SCHEMA = t.CONSTRAINT_SCHEMA AND c.CONSTRAINT_NAME = t.CONSTRAINT_NAME
				AND t.CONSTRAINT_TYPE = 'CHECK'`, "t.TABLE_SCHEMA"
	}
	return c.from(ctx, s, query, schema, "", func(rows *sql.Rows) error {
		var schema, table string
		var check model.Check
		if err := rows.Scan(&schema, &table, &check.Name, &check.Expr); err != nil {
			return err
		}
		r := s.find(schema, table)
		if r == nil {
			return nil
		}
		check.Expr = s.expression(check.Expr)
		for _, name := range quotedNames(check.Expr) {
			if r.Column(name) != nil && !slices.Contains(check.Columns, name) {
				check.Columns = append(check.Columns, name)
			}
		}
		r.Checks = append(r.Checks, check)
		// JSON is another name of LONGTEXT with this check in MariaDB.
		if col := r.Column(check.Name); col != nil && strings.EqualFold(col.Type, "longtext") && check.Expr == "json_valid("+quote(check.Name)+")" {
			col.Type = "json"
		}
		return nil
	})
}

func (c *connector) readPartitions(ctx context.Context, s *structure) error {
	if !slices.ContainsFunc(s.relations, func(r *relation) bool { return r.partitioned }) {
		return nil
	}
	type part struct{ schema, table, name string }
	seen := map[part]bool{}
	return c.from(ctx, s, `SELECT TABLE_SCHEMA, TABLE_NAME, PARTITION_NAME, SUBPARTITION_NAME IS NOT NULL, COALESCE(PARTITION_EXPRESSION, ''), COALESCE(SUBPARTITION_EXPRESSION, '')
		FROM information_schema.PARTITIONS`, "TABLE_SCHEMA", " AND PARTITION_NAME IS NOT NULL", func(rows *sql.Rows) error {
		var schema, table, name, expr, subexpr string
		var sub bool
		if err := rows.Scan(&schema, &table, &name, &sub, &expr, &subexpr); err != nil {
			return err
		}
		r := s.find(schema, table)
		if r == nil {
			return nil
		}
		if r.Partition == nil {
			r.Partition = &model.Partition{Key: append(keyParts(expr), keyParts(subexpr)...)}
			if len(r.Partition.Key) == 0 && r.PrimaryKey != nil { // PARTITION BY KEY ()
				r.Partition.Key = slices.Clone(r.PrimaryKey.Columns)
			}
		}
		if p := (part{schema, table, name}); !seen[p] {
			seen[p] = true
			r.Partition.Count++
		}
		if sub {
			r.Partition.Count++
		}
		return nil
	})
}
