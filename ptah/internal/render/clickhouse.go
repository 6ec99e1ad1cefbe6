package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// clickhouse writes for ClickHouse, in which everything of a table stands in its
// statement.
type clickhouse struct{ *standard }

func writeClickHouse(j *job) {
	c := &clickhouse{newStandard(j)}
	for _, v := range j.db.Verbatim {
		// A dictionary asks for its source when it is used.
		if phase, ok := clickhousePhases[v.Kind]; ok {
			c.add(phase, v.Name, v.Origin, text(v.Text)+";")
		}
	}
	c.write(c)
}

// clickhousePhases are the phases of statements that are kept as they are.
var clickhousePhases = map[string]phase{"FUNCTION": phaseType, "DICTIONARY": phaseServer, "PROJECTION": phaseIndex}

func (c *clickhouse) comment(comment string) string {
	return given(comment != "", "COMMENT "+c.d.String(comment))
}

func (c *clickhouse) namespace(n *schema.Namespace) string {
	return statement("CREATE DATABASE", c.quote(n.Name), c.comment(n.Comment))
}

func (c *clickhouse) column(t *schema.Table, x *schema.Column) string {
	object, at := t.Name.String()+"."+x.Name, at(x.Origin, t.Origin)
	clause := []string{c.quote(x.Name), c.sqlType(t, x, object, at)}
	if x.Native {
		clause = append(clause, given(x.NotNull, "NOT NULL"), given(x.Nullable, "NULL"))
	}
	if value := c.defaultOf(x, object, at); value != "" {
		clause = append(clause, "DEFAULT", c.precise(x, clause[1], value))
	}
	if g := x.Generated; g != nil {
		kind := "ALIAS"
		if g.Stored || g.Unsaid {
			kind = "MATERIALIZED"
		}
		clause = append(clause, kind, text(g.Expr))
	}
	clause = append(clause, columnOption(x, "EPHEMERAL"), c.comment(x.Comment))
	for _, key := range columnOptions[c.d][1:] {
		clause = append(clause, columnOption(x, key))
	}
	return clauses(append(clause, given(x.Collation != "", "COLLATE "+c.quote(x.Collation)))...)
}

// sqlType writes the type of a column. One that is declared in portable words takes NULL
// unless it says otherwise, which is a type of its own here.
func (c *clickhouse) sqlType(t *schema.Table, x *schema.Column, object string, at schema.Origin) string {
	if x.Type.Text == "" && len(x.Enum) == 0 {
		return "" // that of its default
	}
	m, values := dialect.Mapped{}, []string(nil)
	if _, err := c.builtin(x.Type, x.Native || x.Type.Native); err != nil && c.unknown(x.Type) {
		c.rep.Warn(finding.UnknownType, "%s: %q has type %.80q, which is unknown and written as it is", at, object, x.Type.Text)
		m.SQL = x.Type.Text
	} else {
		m, values = c.columnType(x, object, at)
	}
	switch {
	case len(values) > 0:
		m.SQL = c.enum(values)
	case x.Native || x.Type.Native:
		return m.SQL
	}
	if c.notNull(t, x) || x.Generated != nil {
		return m.SQL
	}
	nullable, ok := orNull(m.SQL)
	if !ok {
		c.rep.Warn(finding.LossyType, "%s: %q is declared %s and becomes %s, which takes no NULL", at, object, x.Type.Text, m.SQL)
	}
	return nullable
}

// orNull writes a type that takes NULL as well; ok is false where there is none.
func orNull(sql string) (nullable string, ok bool) {
	name, arguments, _ := strings.Cut(sql, "(")
	switch name {
	case "Nullable", "Variant", "Dynamic", "Geometry":
		return sql, true
	case "LowCardinality":
		if strings.HasPrefix(arguments, "Nullable(") {
			return sql, true
		}
		return "LowCardinality(Nullable(" + strings.TrimSuffix(arguments, ")") + "))", true
	case "Array", "Map", "Tuple", "Nested", "AggregateFunction", "Point", "Ring", "LineString", "MultiLineString", "Polygon", "MultiPolygon":
		return sql, false
	}
	return "Nullable(" + sql + ")", true
}

// unknown reports whether a type is neither a portable nor a declared one.
func (c *clickhouse) unknown(t schema.Type) bool {
	_, portable := dialect.Portable(t)
	return !portable && c.userType(t) == nil && t.Text != ""
}

// enum writes the type of a column with a list of values.
func (c *clickhouse) enum(values []string) string {
	name := "Enum8"
	if len(values) > 127 {
		name = "Enum16"
	}
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = fmt.Sprintf("%s = %d", c.d.String(v), i+1)
	}
	return name + "(" + strings.Join(list, ", ") + ")"
}

// precise gives the time of now the digits of its column.
func (c *clickhouse) precise(x *schema.Column, sqlType, value string) string {
	_, digits, ok := strings.Cut(sqlType, "DateTime64(")
	if !ok || x.Native || x.Default.Literal || portableDefault(x.Default.Text) != "now" {
		return value
	}
	return "now64(" + digits[:strings.IndexAny(digits, ",)")] + ")"
}

// index writes an index that skips what a query does not need. ClickHouse has no others.
func (c *clickhouse) index(t *schema.Table, x *schema.Index) string {
	name := c.indexName(x)
	if len(t.Columns) == 0 {
		c.problem(finding.Index, "IDX004", name, x.Origin, "index %q is that of a materialized view; clickhouse has indexes of tables only", name)
		return ""
	}
	if x.Kind != "" || x.Method == "" || slices.Contains([]string{"btree", "hash", "gin", "gist", "spgist", "brin"}, strings.ToLower(x.Method)) {
		c.problem(finding.Index, "IDX004", name, x.Origin, "index %q has type %q; clickhouse has minmax, set(n), bloom_filter and other indexes that skip rows; set the type or scope the index with dialects=", name, x.Kind+x.Method)
	}
	if slices.ContainsFunc(x.Keys, func(k schema.IndexKey) bool { return k.Desc }) {
		c.problem(finding.Index, "IDX004", name, x.Origin, "index %q is in descending order; indexes of clickhouse have no order", name)
	}
	c.noComment(x.Comment, "index", name, x.Origin)
	return clauses("INDEX", c.quote(name), c.sortKey(x.Keys), "TYPE", text(x.Method), given(x.Granularity > 0, "GRANULARITY "+strconv.FormatInt(x.Granularity, 10)))
}

// sortKey writes the parts of a key, which stand in parentheses if there are several.
func (c *clickhouse) sortKey(keys []schema.IndexKey) string {
	if len(keys) == 1 {
		return strings.TrimSuffix(strings.TrimPrefix(c.keyList(keys), "("), ")")
	}
	return c.keyList(keys)
}

func (c *clickhouse) constraint(t *schema.Table, k *schema.Constraint) string {
	if k.Kind != schema.Check {
		return "" // the primary key is a clause of the table
	}
	c.noComment(k.Comment, "constraint", constraintObject(t, k), at(k.Origin, t.Origin))
	return clauses("CONSTRAINT", c.quote(c.constraintName(k)), given(k.NotEnforced, "ASSUME"), given(!k.NotEnforced, "CHECK"), text(k.Expr))
}

// keyless are the engines of tables without a key.
var keyless = strings.Fields(`Alias Buffer Dictionary Distributed Executable ExecutablePool File FileLog GenerateRandom JDBC Join Kafka Log
	Memory Merge MongoDB MySQL NATS Null ODBC PostgreSQL RabbitMQ SQLite Set StripeLog TinyLog URL`)

func (c *clickhouse) table(t *schema.Table) string {
	engine, custom := t.Engine, strings.ToUpper(t.Custom+" "+t.Engine)
	if engine == "" {
		engine = "MergeTree"
	}
	keys := primaryKey(t)
	primary, order := "", given(t.OrderBy != "", "ORDER BY "+text(t.OrderBy))
	if len(keys) > 0 {
		primary = "PRIMARY KEY " + c.keyList(keys)
	}
	name, _, _ := strings.Cut(engine, "(")
	switch {
	case !strings.Contains(strings.ToLower(engine), "mergetree"):
		if primary != "" && slices.Contains(keyless, strings.TrimSpace(name)) {
			c.problem(finding.Schema, "TBL007", t.Name.String(), t.Origin, "table %q has a primary key, which engine %s of clickhouse has not; use MergeTree", t.Name.String(), engine)
		}
	case order == "" && !strings.Contains(custom, "ORDER BY"):
		if order = "ORDER BY tuple()"; len(keys) > 0 {
			order = "ORDER BY " + c.keyList(keys)
		}
	}
	settings := []string{}
	option := func(key string) string {
		for _, o := range t.Options {
			if o.Key == key {
				return o.Value
			}
		}
		return ""
	}
	if s := option("SETTINGS"); s != "" {
		settings = append(settings, text(s))
	}
	for _, o := range t.Options {
		if !slices.Contains([]string{"SETTINGS", "SAMPLE BY", "TTL"}, o.Key) {
			settings = append(settings, o.Key+" = "+o.Value)
		}
	}
	return clauses("ENGINE = "+engine, given(t.PartitionBy != "", "PARTITION BY "+text(t.PartitionBy)), primary, order,
		given(option("SAMPLE BY") != "", "SAMPLE BY "+text(option("SAMPLE BY"))), given(option("TTL") != "", "TTL "+text(option("TTL"))),
		given(len(settings) > 0, "SETTINGS "+strings.Join(settings, ", ")), c.comment(t.Comment))
}

func (c *clickhouse) action(string, string) (string, bool) { return "", false }

func (c *clickhouse) view(v *schema.View) string {
	var security []string
	columns := c.viewColumns(v)
	for _, o := range c.viewOptions(v, "SQL SECURITY", "COLUMNS") {
		if o.Key == "COLUMNS" {
			columns = text(o.Value) // with their types
			continue
		}
		security = append(security, o.Key, o.Value)
	}
	for _, x := range v.Comments {
		c.noComment(x.Value, "column", v.Name.String()+"."+x.Key, v.Origin)
	}
	if !v.Materialized {
		c.belongs(false, v.To != nil || v.Engine != "" || v.Refresh != "", subject{"view", v.Name.String(), v.Origin, "VW006"}, "is not materialized and has an engine, a target or a refresh")
		return c.commented(v, c.query(v, "CREATE VIEW", c.ref(v.Name), columns, clauses(security...)))
	}
	target, engine := "", text(v.Engine)
	if v.To != nil {
		target = "TO " + c.ref(*v.To)
	}
	if engine != "" && !strings.HasPrefix(strings.ToUpper(engine), "ENGINE") {
		engine = "ENGINE = " + engine
	}
	if target == "" && engine == "" {
		c.problem(finding.Schema, "VW006", v.Name.String(), v.Origin, "materialized view %q has neither an engine nor a table to write to; clickhouse needs one of them; declare it in SQL with ENGINE or TO", v.Name.String())
	}
	return c.commented(v, c.query(v, "CREATE MATERIALIZED VIEW", c.ref(v.Name), given(v.Refresh != "", "REFRESH "+text(v.Refresh)), target, columns, engine,
		given(v.NoData, "EMPTY"), clauses(security...)))
}

// commented adds the comment of a view behind its query.
func (c *clickhouse) commented(v *schema.View, sql string) string {
	if v.Comment == "" {
		return sql
	}
	return strings.TrimSuffix(strings.TrimSuffix(sql, ";"), "\n") + "\n" + c.comment(v.Comment) + ";"
}

func (c *clickhouse) comments() {}
