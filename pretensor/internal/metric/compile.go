package metric

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/sqlcheck"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// Result is a compiled metric. Lists are never nil.
type Result struct {
	SQL        string     `json:"sql" jsonschema:"one SELECT, which was not run"`
	Validation Validation `json:"validation" jsonschema:"what checking the SQL against the index says"`
	// Dependencies are all tables that the SQL reads, sorted by name.
	Dependencies []Dependency `json:"dependencies" jsonschema:"all tables that the SQL reads, sorted"`
	Metric       string       `json:"metric" jsonschema:"its name"`
	Entity       string       `json:"entity" jsonschema:"the entity that it belongs to"`
	Dialect      string       `json:"dialect" jsonschema:"of the SQL: postgres, mysql, mariadb, sqlite or duckdb"`
	Warnings     []string     `json:"warnings" jsonschema:"what to know about the SQL, such as joins that multiply rows"`

	Description string `json:"-"` // of the metric
}

// Validation is what package sqlcheck says of the SQL.
type Validation struct {
	Valid          bool                   `json:"valid" jsonschema:"whether nothing is wrong"`
	SyntaxErrors   []string               `json:"syntax_errors" jsonschema:"with line and column"`
	MissingTables  []string               `json:"missing_tables" jsonschema:"tables that the index does not have, as written"`
	MissingColumns []string               `json:"missing_columns" jsonschema:"columns that their tables do not have"`
	InvalidJoins   []sqlcheck.InvalidJoin `json:"invalid_joins" jsonschema:"joins that cannot be right"`
	Suggestions    []string               `json:"suggestions" jsonschema:"what may have been meant"`
}

// Dependency is a table that a metric reads.
type Dependency struct {
	Table   string   `json:"table" jsonschema:"its qualified name"`
	Columns []string `json:"columns" jsonschema:"that the SQL names, sorted"`
	// Via says why: source (an entity's table), expression (what is aggregated, or a
	// derived metric's SQL), filter (a filter names it), join (a dimension names it, or
	// it lies on the way). The first that holds is given.
	Via string `json:"via" jsonschema:"why it is read: source, expression, filter or join"`
}

// via is Dependency.Via; the lower one wins.
type via int

const (
	viaSource via = iota
	viaExpression
	viaFilter
	viaJoin
)

var viaNames = [...]string{"source", "expression", "filter", "join"}

// Compile parses a text and compiles one of its metrics; see [Layer.Compile].
func Compile(c *catalog.Catalog, text, name string) (*Result, error) {
	l, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return l.Compile(c, name)
}

// Compile compiles a metric for the database of a catalog. The name is metric, entity.metric or
// domain.entity.metric; where it means several the error lists them. Errors are
// [*Error]s. SQL that does not pass the checks is no error: Validation says so.
func (l *Layer) Compile(c *catalog.Catalog, name string) (*Result, error) {
	a, err := l.find(name)
	if err != nil {
		return nil, err
	}
	return l.compile(c, a)
}

func (l *Layer) compile(c *catalog.Catalog, a address) (*Result, error) {
	d, ok := sqlcheck.Dialects[c.Dialect]
	if !ok {
		d = sqltree.Generic
	}
	k := &compiler{c: c, sql: c.SQL(), d: d, layer: l, metric: a.metric, via: map[int]via{}, warnings: []string{}}
	if n := l.Connection; n != "" && n != c.Connection && n != c.Database {
		k.warn("connection_name is %q, and this is %q", quotable(n), c.Connection)
	}
	text, err := k.compile(a)
	if err != nil {
		return nil, err
	}
	r := &Result{
		SQL: text, Metric: a.metric.Name, Entity: a.entity.Name, Dialect: string(d), Description: a.metric.Description,
	}
	if err := k.check(r); err != nil {
		return nil, err
	}
	// Where several files of DuckDB are one connection the catalog's schemas are
	// file.schema, one name to the check and two to the database.
	if k.d == sqltree.DuckDB && strings.Contains(c.DefaultSchema, ".") {
		k.files = true
		if r.SQL, err = k.compile(a); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// find finds the metric of a name.
func (l *Layer) find(name string) (address, error) {
	all := l.all()
	for _, by := range []func(address) string{func(a address) string { return a.metric.Name }, address.name, address.full} {
		var found []address
		for _, a := range all {
			if by(a) == name {
				found = append(found, a)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			names := make([]string, len(found))
			for i, a := range found {
				names[i] = a.name()
			}
			if len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names) {
				for i, a := range found {
					names[i] = a.full()
				}
			}
			return address{}, &Error{Code: CompileFailed, Candidates: names,
				Message: fmt.Sprintf("there are %d metrics %q; give one as %s", len(found), quotable(name), strings.Join(names[:min(len(names), 5)], " or "))}
		}
	}
	near := nearest.Find(name, l.Metrics(), 5)
	message := fmt.Sprintf("there is no metric %q", quotable(name))
	switch {
	case len(all) == 0:
		message += "; the YAML defines none"
	case len(near) > 0:
		message += "; did you mean " + strings.Join(near, ", ") + "?"
	default:
		near = l.Metrics()
		near = near[:min(len(near), 5)]
		message += "; there are " + strings.Join(near, ", ")
	}
	return address{}, &Error{Code: MetricNotFound, Message: message, Candidates: append([]string{}, near...)}
}

// compiler compiles one metric.
type compiler struct {
	c        *catalog.Catalog
	sql      *catalog.SQL
	d        sqltree.Dialect
	layer    *Layer
	metric   *Metric // that was asked for; errors give its place
	via      map[int]via
	warnings []string
	files    bool // schemas are written as file and schema, which is how DuckDB takes them
}

func (k *compiler) warn(format string, a ...any) {
	if w := fmt.Sprintf(format, a...); !slices.Contains(k.warnings, w) {
		k.warnings = append(k.warnings, w)
	}
}

func (k *compiler) failed(candidates []string, format string, a ...any) *Error {
	return &Error{
		Code: CompileFailed, Message: fmt.Sprintf(format, a...), Path: k.metric.Path, Line: k.metric.Line, Column: k.metric.Column,
		Candidates: append([]string{}, candidates...),
	}
}

// used notes why a table is read.
func (k *compiler) used(table int, v via) {
	if before, ok := k.via[table]; !ok || v < before {
		k.via[table] = v
	}
}

// table is the table of a name; what says where the name stands.
func (k *compiler) table(name, what string) (int, error) {
	i, err := k.c.Find(name)
	if err == nil {
		return i, nil
	}
	near := candidates(err)
	text := fmt.Sprintf("%s: %v", what, err)
	if len(near) > 0 {
		text += "; did you mean " + strings.Join(near, ", ") + "?"
	}
	return 0, k.failed(near, "%s", text)
}

// relation is what the caller may see of a table.
func (k *compiler) relation(table int) *sqltree.Relation {
	t := &k.c.Tables[table]
	n := sqltree.Name{Parts: []sqltree.Ident{{Name: t.Name, Quoted: true}}}
	if t.Schema != "" {
		n.Parts = []sqltree.Ident{{Name: t.Schema, Quoted: true}, n.Parts[0]}
	}
	return k.sql.Relation(k.d, n)
}

// column is the name of a visible column as it is declared.
func (k *compiler) column(table int, name string) (string, bool) {
	r := k.relation(table)
	if r == nil {
		return "", false
	}
	if slices.Contains(r.Columns, name) {
		return name, true
	}
	for _, c := range r.Columns {
		if k.c.Fold(c) == k.c.Fold(name) {
			return c, true
		}
	}
	return "", false
}

// attribute is the attribute of a name, or nil.
func attribute(e *Entity, name string) *Attribute {
	for i := range e.Attributes {
		if e.Attributes[i].Name == name {
			return &e.Attributes[i]
		}
	}
	return nil
}

// sourceColumn is the column of an attribute.
func (k *compiler) sourceColumn(e *Entity, source int, a *Attribute) (column, error) {
	at, ok, err := k.named(source, a.SourceColumn)
	if err == nil && !ok {
		near := k.nearColumns(source, a.SourceColumn)
		err = k.failed(near, "attribute %q of entity %q: %s has no column %q%s", quotable(a.Name), quotable(e.Name), k.c.Name(source), quotable(a.SourceColumn), orNear(near))
	}
	return at, err
}

// named is the column of a name: of the table itself, else table.column.
func (k *compiler) named(source int, name string) (column, bool, error) {
	if c, ok := k.column(source, name); ok {
		return column{source, c}, true, nil
	}
	parts := catalog.SplitName(name)
	last := ""
	if len(parts) > 0 {
		last = parts[len(parts)-1]
	}
	if len(parts) < 2 {
		c, ok := k.column(source, last)
		return column{source, c}, ok, nil
	}
	table := source
	if len(parts) != 2 || k.c.Fold(parts[0]) != k.c.Fold(k.c.Tables[source].Name) {
		var err error
		if table, err = k.table(dotted(parts[:len(parts)-1]), fmt.Sprintf("column %q", quotable(name))); err != nil {
			return column{}, false, err
		}
	}
	c, ok := k.column(table, last)
	if !ok {
		near := k.nearColumns(table, last)
		return column{}, false, k.failed(near, "table %s has no column %q%s", k.c.Name(table), quotable(last), orNear(near))
	}
	return column{table, c}, true, nil
}

func (k *compiler) nearColumns(table int, name string) []string {
	if r := k.relation(table); r != nil {
		return nearest.Find(name, r.Columns, 3)
	}
	return nil
}

func orNear(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, ", ") + "?"
}

// lookup is the column of a name in an entity: an attribute, else a column. key
// is where the name stands.
func (k *compiler) lookup(e *Entity, key, name string) (column, error) {
	source, err := k.table(e.SourceTable, fmt.Sprintf("source_table of entity %q", quotable(e.Name)))
	if err != nil {
		return column{}, err
	}
	if a := attribute(e, name); a != nil {
		return k.sourceColumn(e, source, a)
	}
	at, ok, err := k.named(source, name)
	if err != nil || ok {
		return at, err
	}
	var names []string
	for _, a := range e.Attributes {
		names = append(names, a.Name)
	}
	if r := k.relation(source); r != nil {
		for _, c := range r.Columns {
			if !slices.Contains(names, c) {
				names = append(names, c)
			}
		}
	}
	near := nearest.Find(name, names, 3)
	return column{}, k.failed(near, "%s: entity %q has no attribute and table %s no column %q%s",
		key, quotable(e.Name), k.c.Name(source), quotable(name), orNear(near))
}

// compile makes the SQL.
func (k *compiler) compile(a address) (string, error) {
	switch a.metric.Type {
	case Derived:
		return k.derived(a.metric)
	case Ratio:
		return k.ratio(a)
	}
	if a.metric.Numerator != "" || a.metric.Denominator != "" || a.metric.Expression != "" {
		k.warn("numerator, denominator and expression of a metric of type %s are not used", a.metric.Type)
	}
	return k.aggregate(a, a, nil)
}

// alone checks what can be said of a metric without a database: that its filters
// and expression are what they must be in some dialect, and its parts are there.
func (l *Layer) alone(a address) error {
	k := &compiler{d: sqltree.Generic, layer: l, metric: a.metric}
	switch a.metric.Type {
	case Derived:
		_, err := k.derived(a.metric)
		return err
	case Ratio:
		for _, part := range [][2]string{{"numerator", a.metric.Numerator}, {"denominator", a.metric.Denominator}} {
			if _, err := k.part(a, part[0], part[1]); err != nil {
				return err
			}
		}
	}
	_, err := k.filters(a)
	return err
}

// derived is the SQL of the metric itself.
func (k *compiler) derived(m *Metric) (string, error) {
	if m.Field != "" || len(m.Filters) > 0 || len(m.Dimensions) > 0 || m.TimeDimension != "" || m.Granularity != "" || m.Numerator != "" || m.Denominator != "" {
		k.warn("of a derived metric only the expression is used: field, filters, dimensions and time_dimension change nothing")
	}
	text := strings.TrimSpace(m.Expression)
	script, err := parse.Parse(k.d, text)
	if err != nil {
		var syntax *sqltree.SyntaxError
		if errors.As(err, &syntax) {
			return "", k.failed(nil, "expression: %s (line %d, column %d of the expression)", syntax.Message, syntax.Line, syntax.Column)
		}
		return "", err
	}
	if n := len(script.Statements); n != 1 {
		return "", k.failed(nil, "expression must be one SELECT, it has %d statements", n)
	}
	q, ok := script.Statements[0].(*sqltree.Query)
	if ok {
		_, values := q.Body.(*sqltree.Values)
		ok = !values
	}
	if !ok {
		return "", k.failed(nil, "expression must be one SELECT")
	}
	sqltree.Walk(q, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Insert, *sqltree.Update, *sqltree.Delete, *sqltree.Merge, *sqltree.Truncate:
			ok = false
		case *sqltree.Query:
			ok = ok && n.Into == nil
		case *sqltree.Param:
			k.warn("the expression has placeholders, which nothing gives values")
		}
		return ok
	})
	if !ok {
		return "", k.failed(nil, "expression must be one SELECT, and it changes data")
	}
	return text, nil
}

// filter is a condition with the entity whose names it uses.
type filter struct {
	*condition
	entity *Entity
}

// filters parses the filters of a metric.
func (k *compiler) filters(a address) ([]filter, error) {
	out := make([]filter, len(a.metric.Filters))
	for i, text := range a.metric.Filters {
		c, err := parseCondition(k.d, text)
		if err != nil {
			return nil, k.failed(nil, "filters[%d] %q of metric %q: %v", i, quotable(text), quotable(a.metric.Name), err)
		}
		out[i] = filter{c, a.entity}
	}
	return out, nil
}

// grouping is a column that the result is grouped by.
type grouping struct {
	name        string
	granularity string // of the time dimension
	time        bool
}

// groupings of a metric, in the order of the result.
func groupings(m *Metric) []grouping {
	var out []grouping
	for _, name := range m.Dimensions {
		if !slices.ContainsFunc(out, func(g grouping) bool { return g.name == name }) {
			out = append(out, grouping{name: name})
		}
	}
	if m.TimeDimension != "" {
		out = append(out, grouping{m.TimeDimension, m.Granularity, true})
	}
	return out
}

// aggregate is the SELECT of a metric of one aggregate function, grouped as whole
// is: the metric itself, or the ratio that it is part of, with its filters.
func (k *compiler) aggregate(a, whole address, more []filter) (string, error) {
	q, err := k.newQuery(a.entity)
	if err != nil {
		return "", err
	}
	field := column{table: q.source}
	if a.metric.Field != "" {
		if field, err = k.lookup(a.entity, fmt.Sprintf("field of metric %q", quotable(a.metric.Name)), a.metric.Field); err != nil {
			return "", err
		}
		k.checkType(a.metric, field)
		if err := q.reach(field.table, viaExpression); err != nil {
			return "", err
		}
	}
	filters, err := k.filters(a)
	if err != nil {
		return "", err
	}
	filters = append(filters, more...)
	for _, f := range filters {
		for _, c := range f.columns {
			at, err := k.reference(c, f.entity, -1)
			if err != nil {
				near := candidates(err)
				return "", k.failed(near, "filter %q: %v%s", quotable(f.text), err, orNear(near))
			}
			if at == nil {
				continue
			}
			if err := q.reach(at.table, viaFilter); err != nil {
				return "", err
			}
		}
	}
	var items []string
	time := 0
	groups := groupings(whole.metric)
	columns := make([]column, len(groups))
	for i, g := range groups {
		e := whole.entity
		if attribute(a.entity, g.name) != nil {
			e = a.entity
		}
		key := "dimensions"
		if g.time {
			key = "time_dimension"
		}
		if columns[i], err = k.lookup(e, fmt.Sprintf("%s of metric %q", key, quotable(whole.metric.Name)), g.name); err != nil {
			return "", err
		}
		if err := q.reach(columns[i].table, viaJoin); err != nil {
			return "", err
		}
	}
	for i, g := range groups {
		value := q.ref(columns[i])
		if g.time {
			time = i + 1
			if f := k.family(columns[i]); f != types.Temporal && f != types.Unknown && (k.d != sqltree.SQLite || f != types.String) {
				k.warn("time_dimension %q is of type %s, which is no date or time", quotable(g.name), f)
			}
			if g.granularity != "" {
				value = truncate(k.d, g.granularity, value)
			}
		}
		items = append(items, value+" AS "+k.d.Quote(g.alias()))
		if g.alias() == whole.metric.Name || slices.ContainsFunc(groups[:i], func(o grouping) bool { return o.alias() == g.alias() }) {
			return "", k.failed(nil, "two columns of the result would be called %q; give the dimension an attribute of another name", quotable(g.alias()))
		}
	}
	items = append(items, q.measure(a.metric, field)+" AS "+k.d.Quote(a.metric.Name))
	var b strings.Builder
	fmt.Fprintf(&b, "SELECT %s\n%s", strings.Join(items, ", "), q.from())
	for i, f := range filters {
		word := " AND ("
		if i == 0 {
			word = "\nWHERE ("
		}
		b.WriteString(word + q.render(f.condition, f.entity, -1) + ")")
	}
	if len(groups) > 0 {
		numbers := make([]string, len(groups))
		for i := range numbers {
			numbers[i] = fmt.Sprint(i + 1)
		}
		b.WriteString("\nGROUP BY " + strings.Join(numbers, ", "))
		if time > 0 && a == whole {
			fmt.Fprintf(&b, "\nORDER BY %d", time)
		}
	}
	return b.String(), nil
}

// alias is what the column is called in the result.
func (g grouping) alias() string {
	parts := catalog.SplitName(g.name)
	return parts[len(parts)-1]
}

func (k *compiler) family(c column) types.Family {
	i := k.c.Column(c.table, c.name)
	if i < 0 {
		return types.Unknown
	}
	return types.ColumnFamily(k.c.Dialect, &k.c.Tables[c.table].Columns[i])
}

// checkType warns of sums over what has none.
func (k *compiler) checkType(m *Metric, field column) {
	f := k.family(field)
	if (m.Type == Sum || m.Type == Average) && f != types.Numeric && f != types.Unknown {
		k.warn("field %q of metric %q is of type %s, which has no %s", quotable(m.Field), quotable(m.Name), f, m.Type)
	}
}

// measure is the aggregate function over the field. Where joins repeat the rows of
// its table a count counts each once, by the table's key.
func (q *query) measure(m *Metric, field column) string {
	value := "*"
	if m.Field != "" {
		value = q.ref(field)
	}
	var fans []string
	for _, t := range q.fansOut(field.table) {
		fans = append(fans, q.c.Name(t))
	}
	name := q.c.Name(field.table)
	warn := func(consequence string) {
		q.warn("fan_out: rows of %s may repeat, once for each row of %s that they are joined to; %s", name, strings.Join(fans, " and "), consequence)
	}
	switch m.Type {
	case CountDistinct:
		return "COUNT(DISTINCT " + value + ")"
	case Min:
		return "MIN(" + value + ")"
	case Max:
		return "MAX(" + value + ")"
	case Sum, Average:
		if len(fans) > 0 {
			warn(fmt.Sprintf("the %s of metric %q counts them as often", m.Type, quotable(m.Name)))
		}
		if m.Type == Sum {
			return "SUM(" + value + ")"
		}
		return "AVG(" + value + ")"
	}
	if len(fans) == 0 {
		return "COUNT(" + value + ")"
	}
	key := q.key(field.table)
	if key == nil {
		warn(fmt.Sprintf("metric %q counts them as often, since the table has no key to tell them by", quotable(m.Name)))
		return "COUNT(" + value + ")"
	}
	warn(fmt.Sprintf("metric %q counts each once, by its key", quotable(m.Name)))
	refs := make([]string, len(key))
	for i, c := range key {
		refs[i] = q.ref(column{field.table, c})
	}
	given := ""
	if m.Field != "" && !slices.Contains(refs, value) {
		given = value + " IS NOT NULL"
	}
	return rows(q.d, refs, given)
}

// key is the visible primary key of a table, else a unique key without NULLs; nil
// if there is none.
func (q *query) key(table int) []string {
	t := &q.c.Tables[table]
	keys := t.Uniques
	if t.PrimaryKey != nil {
		keys = append([]model.Key{*t.PrimaryKey}, keys...)
	}
	for i, key := range keys {
		primary := t.PrimaryKey != nil && i == 0
		if len(key.Columns) > 0 && !slices.ContainsFunc(key.Columns, func(c string) bool {
			col := t.Column(c)
			_, shown := q.column(table, c)
			return !shown || col == nil || col.Nullable && !primary
		}) {
			return key.Columns
		}
	}
	return nil
}

// ratio is one metric divided by another. Its filters hold for both; its
// dimensions group both, and a group without a denominator has no row.
func (k *compiler) ratio(a address) (string, error) {
	if a.metric.Field != "" || a.metric.Expression != "" {
		k.warn("field and expression of a metric of type ratio are not used")
	}
	filters, err := k.filters(a)
	if err != nil {
		return "", err
	}
	part := func(key, name string) (address, string, error) {
		p, err := k.part(a, key, name)
		if err != nil {
			return p, "", err
		}
		text, err := k.aggregate(p, a, filters)
		return p, text, err
	}
	num, numSQL, err := part("numerator", a.metric.Numerator)
	if err != nil {
		return "", err
	}
	den, denSQL, err := part("denominator", a.metric.Denominator)
	if err != nil {
		return "", err
	}
	name := k.d.Quote(a.metric.Name)
	groups := groupings(a.metric)
	if len(groups) == 0 {
		return fmt.Sprintf("SELECT %s AS %s", quotient(k.d, nested(numSQL), nested(denSQL)), name), nil
	}
	ref := func(of, column string) string { return k.d.Quote(of) + "." + k.d.Quote(column) }
	var items, on []string
	order := ""
	for i, g := range groups {
		items = append(items, ref("den", g.alias())+" AS "+k.d.Quote(g.alias()))
		on = append(on, same(k.d, ref("num", g.alias()), ref("den", g.alias())))
		if g.time {
			order = fmt.Sprintf("\nORDER BY %d", i+1)
		}
	}
	top := ref("num", num.metric.Name)
	if num.metric.Type == Count || num.metric.Type == CountDistinct {
		top = "COALESCE(" + top + ", 0)" // no rows are none, where a sum of none is unknown
	}
	items = append(items, quotient(k.d, top, ref("den", den.metric.Name))+" AS "+name)
	return fmt.Sprintf("SELECT %s\nFROM %s AS %s\nLEFT JOIN %s AS %s ON %s%s",
		strings.Join(items, ", "), nested(denSQL), k.d.Quote("den"), nested(numSQL), k.d.Quote("num"), strings.Join(on, " AND "), order), nil
}

// nested is a query in parentheses.
func nested(text string) string { return "(\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n)" }

// part is a metric that a ratio is made of: of its own entity, else of any.
func (k *compiler) part(a address, key, name string) (address, error) {
	p := address{a.domain, a.entity, nil}
	for i := range a.entity.Metrics {
		if a.entity.Metrics[i].Name == name {
			p.metric = &a.entity.Metrics[i]
		}
	}
	if p.metric == nil {
		var err error
		if p, err = k.layer.find(name); err != nil {
			near := candidates(err)
			return p, k.failed(near, "%s of metric %q: %v", key, quotable(a.metric.Name), err)
		}
	}
	if t := p.metric.Type; t == Ratio || t == Derived {
		return p, k.failed(nil, "%s of metric %q: %q is of type %s, and a ratio is made of aggregates", key, quotable(a.metric.Name), quotable(name), t)
	}
	return p, nil
}

// check validates the SQL and finds out what it reads.
func (k *compiler) check(r *Result) error {
	report, err := sqlcheck.Check(k.c, k.d, r.SQL)
	if err != nil {
		return k.failed(nil, "%v", err)
	}
	r.Validation = Validation{report.Valid, report.SyntaxErrors, report.MissingTables, report.MissingColumns, report.InvalidJoins, report.Suggestions}
	r.Dependencies = []Dependency{}
	script, err := parse.Parse(k.d, r.SQL)
	if err == nil {
		if err := k.depend(r, script.Statements[0]); err != nil {
			return err
		}
	}
	for _, w := range report.Warnings {
		k.warn("%s", w)
	}
	r.Warnings = k.warnings
	return nil
}

// depend finds the tables and columns of the statement.
func (k *compiler) depend(r *Result, st sqltree.Statement) error {
	res := sqltree.Resolve(st, k.d, k.sql)
	columns := map[int]map[string]bool{}
	for _, u := range res.Tables {
		if u.Status == sqltree.Unknown && k.metric.Type != Derived {
			// All other names have been resolved: it stands in a filter's subquery.
			written := r.SQL[u.Start:u.End]
			return k.failed(u.Candidates, "a filter reads from %q, and there is no such table%s", quotable(written), orNear(u.Candidates))
		}
		i, ok := k.sql.Table(u.Relation)
		if !ok {
			continue
		}
		if _, known := k.via[i]; !known {
			if k.via[i] = viaFilter; k.metric.Type == Derived {
				k.via[i] = viaExpression
			}
		}
		if columns[i] == nil {
			columns[i] = map[string]bool{}
		}
	}
	add := func(b sqltree.BaseColumn) {
		n := sqltree.Name{Parts: []sqltree.Ident{{Name: b.Table, Quoted: true}}}
		if b.Schema != "" {
			n.Parts = []sqltree.Ident{{Name: b.Schema, Quoted: true}, n.Parts[0]}
		}
		if i, ok := k.sql.Table(k.sql.Relation(k.d, n)); ok && columns[i] != nil {
			columns[i][b.Column] = true
		}
	}
	for _, u := range res.Columns {
		for _, b := range u.Sources {
			add(b)
		}
	}
	for _, o := range res.Output {
		for _, s := range o.Sources {
			add(s.BaseColumn)
		}
	}
	for i, names := range columns {
		d := Dependency{Table: k.c.Name(i), Columns: []string{}, Via: viaNames[k.via[i]]}
		for c := range names {
			d.Columns = append(d.Columns, c)
		}
		slices.Sort(d.Columns)
		r.Dependencies = append(r.Dependencies, d)
	}
	slices.SortFunc(r.Dependencies, func(a, b Dependency) int { return cmp.Compare(a.Table, b.Table) })
	return nil
}
