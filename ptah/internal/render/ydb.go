package render

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// ydb writes for YDB, in which everything of a table stands in its statement.
type ydb struct{ *standard }

func writeYDB(j *job) {
	y := &ydb{newStandard(j)}
	y.write(y)
}

func (y *ydb) namespace(*schema.Namespace) string { return "" }

func (y *ydb) column(t *schema.Table, c *schema.Column) string {
	object, at := t.Name.String()+"."+c.Name, at(c.Origin, t.Origin)
	m, values := y.columnType(c, object, at)
	if len(values) > 0 {
		y.problem(finding.Schema, "TYP004", object, at, "column %q has enum %s; ydb has no enums and no checks; set platform.ydb.type", object, c.Type.Text)
	}
	clause := []string{y.quote(c.Name), m.SQL, given(y.notNull(t, c), "NOT NULL")}
	if value := y.defaultOf(c, object, at); value != "" {
		clause = append(clause, "DEFAULT", value)
	}
	return clauses(clause...)
}

func (y *ydb) constraint(t *schema.Table, c *schema.Constraint) string {
	if c.Kind == schema.PrimaryKey {
		return "PRIMARY KEY " + y.keyList(parts(c))
	}
	return ""
}

func (y *ydb) table(t *schema.Table) string {
	if len(primaryKey(t)) == 0 {
		y.noKey(t)
	}
	var options []string
	for _, o := range t.Options {
		options = append(options, o.Key+" = "+text(o.Value))
	}
	return clauses(given(t.PartitionBy != "", "PARTITION BY "+text(t.PartitionBy)), given(len(options) > 0, "WITH ("+strings.Join(options, ", ")+")"))
}

func (y *ydb) index(_ *schema.Table, x *schema.Index) string {
	name := y.indexName(x)
	if slices.ContainsFunc(x.Keys, func(k schema.IndexKey) bool { return k.Desc }) {
		y.problem(finding.Index, "IDX004", name, x.Origin, "index %q is in descending order; indexes of ydb are in ascending order", name)
	}
	cover := ""
	if len(x.Include) > 0 {
		cover = "COVER " + y.list(x.Include)
	}
	return clauses("INDEX", y.quote(name), "GLOBAL", given(x.Unique, "UNIQUE"), y.indexSort(x, "ASYNC"), "ON", y.keyList(x.Keys), cover)
}

func (y *ydb) action(string, string) (string, bool) { return "", false }

func (y *ydb) view(v *schema.View) string {
	y.namesColumns(v)
	security := "security_invoker = TRUE"
	for _, o := range y.viewOptions(v, "security_invoker") {
		security = o.Key + " = " + o.Value
	}
	return y.query(v, "CREATE VIEW", y.ref(v.Name), "WITH ("+security+")")
}

func (y *ydb) comments() {}
