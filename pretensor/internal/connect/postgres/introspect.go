package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// answerSlack is how much longer than the server's own limit the connection waits
// for a statement's answer.
const answerSlack = 5 * time.Second

// table is a table on its way into the model.
type table struct {
	model.Table
	kind       string        // pg_class.relkind
	readable   bool          // by the connection's user
	at         map[int64]int // from a column's number to its place in Columns
	categories []string      // of the columns' types, pg_type.typcategory
	types      []int64       // of the columns
}

// names are those of columns by their numbers.
func (t *table) names(numbers []int64) []string {
	out := make([]string, 0, len(numbers))
	for _, n := range numbers {
		if at, ok := t.at[n]; ok {
			out = append(out, t.Columns[at].Name)
		}
	}
	return out
}

// introspection is one run of Introspect.
type introspection struct {
	*conn
	o    connect.Options
	db   *model.Database
	path []string // the user's search path

	relations []relation
	parent    map[int64]int64 // from a partition to what it is a part of
	tables    map[int64]*table
	byName    map[[2]string]int64 // from schema and name, of folded partitions too
	flows     map[model.Lineage]bool
	kept      string // the tables' oids
	stored    string // and those of the partitions that are folded into them
}

type relation struct {
	OID                   int64
	Schema, Name, Kind    string
	Parent                int64
	Comment               string
	Tuples                float64
	PartitionKey          string
	PartitionAttributes   []int64
	OfExtension, Readable bool
	Sources               []int64 // what a view reads
}

// Introspect reads the structure; see [connect.Connector].
func (c *conn) Introspect(ctx context.Context, o connect.Options) (*model.Database, error) {
	if o.Stats == "" {
		o.Stats = connect.StatsCatalog
	}
	in := &introspection{conn: c, o: o, db: &model.Database{Dialect: c.d.Dialect, Tables: []model.Table{}}}
	if err := in.readCatalog(ctx); err != nil {
		c.rollback()
		return nil, err
	}
	if o.Stats == connect.StatsSample {
		if err := in.sample(ctx); err != nil {
			c.rollback()
			return nil, err
		}
	}
	for _, t := range in.tables {
		t.Columns = slices.Clone(t.Columns) // without the room for more
		in.db.Tables = append(in.db.Tables, t.Table)
	}
	in.db.Sort()
	return in.db, nil
}

func (in *introspection) readCatalog(ctx context.Context) error {
	if err := in.exec(ctx, beginSQL); err != nil {
		return in.failure(ctx, "beginning to read the catalog", err)
	}
	if err := in.readInfo(ctx); err != nil {
		return in.failure(ctx, "reading the server's version", err)
	}
	if err := in.settings(ctx, in.catalogTimeout, "off"); err != nil {
		return in.failure(ctx, "setting time limits", err)
	}
	parts := []struct {
		what     string
		read     func(context.Context) error
		wanted   bool
		optional bool
	}{
		{"tables", in.readRelations, true, false},
		{"columns", in.readColumns, true, false},
		{"keys", in.readConstraints, true, false},
		{"indexes", in.readIndexes, true, false},
		{model.PartViews, in.readViews, true, true},
		{model.PartTriggers, in.readTriggers, true, true},
		{"row counts", in.readUsage, in.o.Stats != connect.StatsNone || in.o.RowCounts, true},
		{"sizes", in.readSizes, in.o.Stats != connect.StatsNone, true},
		{"statistics", in.readStatistics, in.o.Stats != connect.StatsNone, true},
		{"grants", in.readGrants, in.o.Grants, true},
		{"roles", in.readRoles, in.o.Grants, true},
	}
	for _, p := range parts {
		if !p.wanted {
			continue
		}
		err := p.read(ctx)
		if err == nil {
			continue
		}
		err = in.failure(ctx, "reading "+p.what, err)
		if !p.optional || ctx.Err() != nil || in.pg.IsClosed() {
			return err
		}
		in.db.Warnings = append(in.db.Warnings, fmt.Sprintf("%s are left out: %v", p.what, err))
		in.db.Unread = append(in.db.Unread, p.what)
		// The failure ended the transaction; what is read now is of a later moment.
		in.rollback()
		if err := in.exec(ctx, beginSQL); err != nil {
			return in.failure(ctx, "beginning to read the catalog again", err)
		}
		if err := in.settings(ctx, in.catalogTimeout, "off"); err != nil {
			return in.failure(ctx, "setting time limits", err)
		}
	}
	if err := in.exec(ctx, commitSQL); err != nil {
		return in.failure(ctx, "ending the transaction", err)
	}
	return nil
}

// exec runs a statement that returns nothing.
func (c *conn) exec(ctx context.Context, sql string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, c.catalogTimeout+answerSlack)
	defer cancel()
	_, err := c.pg.Exec(ctx, sql, args...)
	return err
}

// settings sets what holds until the transaction's end.
func (c *conn) settings(ctx context.Context, limit time.Duration, nestedLoops string) error {
	return c.exec(ctx, settingsSQL, milliseconds(limit), milliseconds(min(limit, c.lockTimeout)), nestedLoops)
}

// rollback ends a transaction that failed, whatever became of the caller.
func (c *conn) rollback() {
	if c.pg.IsClosed() || c.pg.PgConn().TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), cancelDelay)
	defer cancel()
	_, _ = c.pg.Exec(ctx, "ROLLBACK") // a connection that cannot do it is closed by it
}

// query collects a statement's rows into structs with a field for each column. All
// are read before one is used, so that a part that fails leaves nothing behind.
func query[T any](ctx context.Context, c *conn, sql string, args ...any) ([]T, error) {
	ctx, cancel := context.WithTimeout(ctx, c.catalogTimeout+answerSlack)
	defer cancel()
	rows, err := c.pg.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

func (in *introspection) readInfo(ctx context.Context) error {
	rows, err := query[struct {
		Version, Database string
		Path              []string
		Locks             int64
	}](ctx, in.conn, infoSQL)
	if err != nil {
		return err
	}
	in.db.Version, in.db.Name, in.path = rows[0].Version, rows[0].Database, rows[0].Path
	if in.locks == 0 {
		in.locks = int(rows[0].Locks / 2)
	}
	in.db.DefaultSchema = "public"
	if len(in.path) > 0 {
		in.db.DefaultSchema = in.path[0]
	}
	return nil
}

func (in *introspection) readRelations(ctx context.Context) error {
	var err error
	if in.relations, err = query[relation](ctx, in.conn, relationsSQL); err != nil {
		return err
	}
	byOID := make(map[int64]relation, len(in.relations))
	for _, r := range in.relations {
		byOID[r.OID] = r
	}
	in.parent, in.tables = map[int64]int64{}, map[int64]*table{}
	in.byName, in.flows = map[[2]string]int64{}, map[model.Lineage]bool{}
	for _, r := range in.relations {
		if _, ok := byOID[r.Parent]; ok {
			in.parent[r.OID] = r.Parent
		}
	}
	var kept, stored []int64
	for _, r := range in.relations {
		whole := r
		if !in.o.IncludePartitions {
			whole = byOID[in.root(r.OID)]
		}
		if !in.keeps(whole) {
			continue
		}
		stored = append(stored, r.OID)
		in.byName[[2]string{r.Schema, r.Name}] = r.OID
		if whole.OID != r.OID {
			continue
		}
		kept = append(kept, r.OID)
		t := &table{kind: r.Kind, readable: r.Readable, at: map[int64]int{}}
		t.Schema, t.Name, t.Type, t.Comment = r.Schema, r.Name, kinds[r.Kind], r.Comment
		if r.Kind == "p" {
			t.Partition = &model.Partition{Key: []string{}}
		}
		in.tables[r.OID] = t
	}
	for _, r := range in.relations {
		for of := in.parent[r.OID]; of != 0; of = in.parent[of] {
			if t := in.tables[of]; t != nil {
				t.Partition.Count++
				if !in.o.IncludePartitions {
					t.Partition.Tables = append(t.Partition.Tables, model.TableName{Schema: r.Schema, Name: r.Name})
				}
			}
		}
	}
	in.kept, in.stored = list(kept), list(stored)
	for _, schema := range in.o.Schemas {
		if !slices.ContainsFunc(in.relations, func(r relation) bool { return r.Schema == schema }) {
			in.db.Warnings = append(in.db.Warnings, fmt.Sprintf("schema %q does not exist or has no tables", schema))
		}
	}
	return nil
}

var kinds = map[string]string{"r": model.BaseTable, "p": model.PartitionedTable, "v": model.View, "m": model.MaterializedView, "f": model.ForeignTable}

func (in *introspection) keeps(r relation) bool {
	return (len(in.o.Schemas) == 0 || slices.Contains(in.o.Schemas, r.Schema)) && !slices.Contains(in.o.ExcludeSchemas, r.Schema) &&
		(in.o.IncludeExtensions || !r.OfExtension)
}

// root is the partitioned table that a partition at any level belongs to; for
// every other table itself.
func (in *introspection) root(oid int64) int64 {
	for in.parent[oid] != 0 {
		oid = in.parent[oid]
	}
	return oid
}

// shown is the table that stands for a relation in the model, 0 if none does.
func (in *introspection) shown(oid int64) int64 {
	if in.tables[oid] == nil {
		oid = in.root(oid)
	}
	if in.tables[oid] == nil {
		return 0
	}
	return oid
}

// list is oids as the text of an array.
func list(oids []int64) string {
	b := []byte{'{'}
	for i, oid := range oids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, oid, 10)
	}
	return string(append(b, '}'))
}

func (in *introspection) readColumns(ctx context.Context) error {
	rows, err := query[struct {
		Table, Number                                int64
		Name                                         string
		TypeOID                                      int64
		Type, TypeSchema, Base, BaseSchema, Category string
		Nullable                                     bool
		Default                                      string
		Identity, Generated                          bool
		Comment                                      string
		Enum                                         []string
	}](ctx, in.conn, columnsSQL, in.kept)
	if err != nil {
		return err
	}
	for _, r := range rows {
		t := in.tables[r.Table]
		c := model.Column{Name: r.Name, Ordinal: len(t.Columns) + 1, Nullable: r.Nullable, Comment: r.Comment, Generated: r.Generated,
			Type: in.typeName(r.Type, r.TypeSchema), Array: r.Category == "A", Default: connect.ShortDefault(r.Default),
			Identity: r.Identity || strings.HasPrefix(r.Default, "nextval(")}
		if r.Base != "" {
			c.Base = in.typeName(r.Base, r.BaseSchema)
		}
		if len(r.Enum) > 0 {
			c.Enum = r.Enum
		}
		t.at[r.Number] = len(t.Columns)
		t.Columns = append(t.Columns, c)
		t.categories, t.types = append(t.categories, r.Category), append(t.types, r.TypeOID)
	}
	for _, r := range in.relations {
		if t := in.tables[r.OID]; t != nil && t.Partition != nil {
			t.Partition.Key = partitionKey(t, r)
		}
	}
	return nil
}

// partitionKey lists columns, and expressions as the server prints them.
func partitionKey(t *table, r relation) []string {
	_, inside, _ := strings.Cut(r.PartitionKey, "(")
	printed := splitList(strings.TrimSuffix(inside, ")"))
	key := make([]string, 0, len(r.PartitionAttributes))
	for i, number := range r.PartitionAttributes {
		switch names := t.names([]int64{number}); {
		case len(names) > 0:
			key = append(key, names[0])
		case i < len(printed):
			key = append(key, parenthesised(printed[i]))
		}
	}
	return key
}

func (in *introspection) readConstraints(ctx context.Context) error {
	rows, err := query[struct {
		Table, Domain      int64
		Type, Name         string
		Columns            []int64
		Ref                int64
		RefSchema, RefName string
		RefColumns         []string
		OnDelete, OnUpdate string
		Expr               string
	}](ctx, in.conn, constraintsSQL, in.kept)
	if err != nil {
		return err
	}
	domains := map[int64][]model.Check{}
	for _, r := range rows {
		if r.Domain != 0 {
			domains[r.Domain] = append(domains[r.Domain], model.Check{Name: r.Name, Expr: r.Expr})
			continue
		}
		t := in.tables[r.Table]
		columns := t.names(r.Columns)
		switch r.Type {
		case "p":
			t.PrimaryKey = &model.Key{Name: r.Name, Columns: columns}
		case "u":
			t.Uniques = append(t.Uniques, model.Key{Name: r.Name, Columns: columns})
		case "c":
			check := model.Check{Name: r.Name, Expr: r.Expr}
			if len(columns) > 0 {
				check.Columns = columns
			}
			t.Checks = append(t.Checks, check)
		case "f":
			if ref := in.tables[in.shown(r.Ref)]; ref != nil {
				r.RefSchema, r.RefName = ref.Schema, ref.Name
			}
			t.ForeignKeys = append(t.ForeignKeys, model.ForeignKey{Name: r.Name, Columns: columns, RefSchema: r.RefSchema, RefTable: r.RefName,
				RefColumns: r.RefColumns, OnDelete: actions[r.OnDelete], OnUpdate: actions[r.OnUpdate]})
		}
	}
	for _, t := range in.tables {
		for i, typ := range t.types {
			for _, check := range domains[typ] {
				check.Columns = []string{t.Columns[i].Name}
				t.Checks = append(t.Checks, check)
			}
		}
	}
	return nil
}

var actions = map[string]string{"r": "RESTRICT", "c": "CASCADE", "n": "SET NULL", "d": "SET DEFAULT"}

func (in *introspection) readIndexes(ctx context.Context) error {
	rows, err := query[struct {
		Table                    int64
		Name, Method             string
		Unique, Primary, Partial bool
		Columns                  []int64
		Expressions              []string
	}](ctx, in.conn, indexesSQL, in.kept)
	if err != nil {
		return err
	}
	for _, r := range rows {
		t := in.tables[r.Table]
		index := model.Index{Name: r.Name, Type: r.Method, Unique: r.Unique, Primary: r.Primary, Partial: r.Partial, Columns: []string{}}
		for i, number := range r.Columns {
			if number == 0 {
				index.Columns = append(index.Columns, parenthesised(r.Expressions[i]))
			} else {
				index.Columns = append(index.Columns, t.names([]int64{number})...)
			}
		}
		t.Indexes = append(t.Indexes, index)
	}
	return nil
}

// readViews reads the views' definitions. To print one the server locks what it
// reads until the transaction's end, and all transactions share one table of
// locks: at most half of that is used.
func (in *introspection) readViews(ctx context.Context) error {
	locked := map[int64]bool{}
	var printed []int64
	omitted := 0
	for _, r := range in.relations {
		t := in.tables[r.OID]
		if t == nil || !t.IsView() {
			continue
		}
		for _, source := range r.Sources {
			in.flow(source, r.OID, lineageTypes[t.Type], "catalog", 1)
		}
		needs := append(slices.Clip(r.Sources), r.OID)
		needs = slices.DeleteFunc(needs, func(oid int64) bool { return locked[oid] })
		if len(locked)+len(needs) > in.locks {
			omitted++
			continue
		}
		for _, oid := range needs {
			locked[oid] = true
		}
		printed = append(printed, r.OID)
	}
	if omitted > 0 {
		in.db.Warnings = append(in.db.Warnings,
			fmt.Sprintf("the definitions of %d views are left out: to print them all would take more than half of the server's locks; raise max_locks_per_transaction", omitted))
	}
	rows, err := query[struct {
		View       int64
		Definition string
	}](ctx, in.conn, viewsSQL, list(printed))
	if err != nil {
		return err
	}
	for _, r := range rows {
		in.tables[r.View].SetDefinition(strings.TrimSpace(r.Definition))
	}
	return nil
}

var lineageTypes = map[string]string{model.View: model.LineageView, model.MaterializedView: model.LineageMaterializedView}

// staticConfidence is that of a statement found in a trigger's PL/pgSQL body.
const staticConfidence = 0.7

func (in *introspection) readTriggers(ctx context.Context) error {
	rows, err := query[struct {
		Table        int64
		Source, Path string
	}](ctx, in.conn, triggersSQL, in.stored)
	if err != nil {
		return err
	}
	bodies := map[string][][2]string{} // many tables share one function
	for _, r := range rows {
		targets, ok := bodies[r.Source]
		if !ok {
			targets = writeTargets(r.Source)
			bodies[r.Source] = targets
		}
		from := in.shown(r.Table)
		path := in.path
		if r.Path != "" {
			path = nil
			for _, schema := range splitList(r.Path) {
				path = append(path, identifier(schema))
			}
		}
		for _, target := range targets {
			if to := in.find(target, path, in.tables[from].Schema); to != 0 {
				in.flow(from, to, model.LineageTrigger, "trigger", staticConfidence)
			}
		}
	}
	return nil
}

// find looks a name of a statement up, 0 if no table that is shown has it. Where
// the path does not have an unqualified name, it is taken for one of the schema
// that the trigger's table is in.
func (in *introspection) find(name [2]string, path []string, schema string) int64 {
	if name[0] != "" {
		return in.byName[name]
	}
	for _, s := range append(slices.Clip(path), schema) {
		if oid := in.byName[[2]string{s, name[1]}]; oid != 0 {
			return oid
		}
	}
	return 0
}

// flow notes that data goes from one relation to another, once.
func (in *introspection) flow(from, to int64, kind, source string, confidence float64) {
	from, to = in.shown(from), in.shown(to)
	if from == 0 || to == 0 || from == to {
		return
	}
	a, b := in.tables[from], in.tables[to]
	l := model.Lineage{FromSchema: a.Schema, FromTable: a.Name, ToSchema: b.Schema, ToTable: b.Name, Type: kind, Source: source, Confidence: confidence}
	if !in.flows[l] {
		in.flows[l] = true
		in.db.Lineage = append(in.db.Lineage, l)
	}
}
