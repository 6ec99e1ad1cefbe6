package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/pgtype"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkDetails checks the properties that tables, types and their parts have in
// PostgreSQL alone (TBL007 and others).
func (c *checker) checkDetails() {
	if c.d != dialect.Postgres {
		return
	}
	for _, t := range c.tables {
		c.tableDetails(t)
		for _, col := range t.Columns {
			if why := c.columnFault(t, col); why != "" {
				c.problem("TBL007", col.Origin, t.object+"."+col.Name, "column %.80q %s", col.Name, why)
			}
		}
		for _, x := range t.indexes {
			c.indexDetails(t, x)
		}
		for _, k := range t.constraints {
			c.constraintDetails(t, k)
		}
	}
	for _, v := range c.db.Views {
		for _, o := range v.Options {
			key := strings.ToLower(o.Key)
			known := key == "security_barrier" || key == "security_invoker" || key == "check_option"
			if v.Materialized {
				_, known = tableParameters[strings.TrimPrefix(key, "toast.")]
				known = known || strings.Contains(key, ".") || v.Method != "" && v.Method != "heap"
			}
			if !known {
				c.problem("VW006", v.Origin, c.show(v.Name), "view %q has the unknown option %.80q", c.show(v.Name), o.Key)
			}
		}
	}
	c.typeDetails()
}

// tableDetails checks the storage parameters of a table and what it says of its indexes.
func (c *checker) tableDetails(t *table) {
	bad := func(format string, args ...any) { c.problem("TBL007", t.Origin, t.object, format, args...) }
	if t.Method != "" && t.Method != "heap" && len(c.db.Extensions) == 0 && !c.hasVerbatim("ACCESS METHOD") {
		bad("table %q is stored by the access method %.80q, which nothing declares", t.object, t.Method)
	} else if (t.Method == "" || t.Method == "heap") && t.PartitionBy == "" {
		seen := map[string]bool{}
		for _, o := range t.Options {
			key := strings.ToLower(o.Key)
			name, ofToast := strings.CutPrefix(key, "toast.")
			p, known := tableParameters[name]
			switch {
			case name == "oids" && !ofToast, strings.Contains(name, ".") && len(c.db.Extensions) > 0:
			case !known || ofToast && !p.toast:
				bad("table %q has the unknown storage parameter %.80q", t.object, o.Key)
			case seen[key]:
				bad("table %q has storage parameter %.80q twice", t.object, o.Key)
			default:
				if why := p.fault(o.Value); why != "" {
					bad("storage parameter %.80q of table %q %s", o.Key, t.object, why)
				}
			}
			seen[key] = true
		}
	}
	if name, ok := strings.CutPrefix(t.ReplicaIdentity, "USING INDEX "); ok {
		if why := c.identityFault(t, wordsOf(name).ident()); why != "" {
			bad("replica identity of table %q is index %.80q, %s", t.object, name, why)
		}
	}
	if t.ClusterOn != "" {
		if x := indexOf(t, t.ClusterOn); x != nil && (x.Where != "" || !slices.Contains([]string{"", "btree", "gist"}, strings.ToLower(x.Method))) && len(c.db.Extensions) == 0 {
			bad("table %q is clustered by index %.80q, which must be of all rows and by btree or gist", t.object, t.ClusterOn)
		}
	}
}

// indexOf finds an index of a table by its name.
func indexOf(t *table, name string) *schema.Index {
	for _, x := range t.indexes {
		if dialect.Cut(x.Name) == dialect.Cut(name) {
			return x
		}
	}
	return nil
}

// identityFault says why an index is none that can identify rows.
func (c *checker) identityFault(t *table, name string) string {
	x := indexOf(t, name)
	if x == nil {
		return "" // a constraint's
	}
	switch {
	case !x.Unique:
		return "which is not unique"
	case x.Where != "":
		return "which is not of all rows"
	}
	for _, k := range x.Keys {
		if k.Expr != "" {
			return "which has an expression"
		}
		if col := c.column(t, k.Column); col != nil && !c.notNull(t, col) {
			return fmt.Sprintf("whose column %.80q may be NULL", col.Name)
		}
	}
	return ""
}

// parameter says which values a storage parameter takes.
type parameter struct {
	kind     string // bool, int, real, or its words
	min, max float64
	toast    bool // the table of large values has it too
}

var (
	boolean         = parameter{kind: "bool"}
	toastBoolean    = parameter{kind: "bool", toast: true}
	share           = parameter{"real", 0, 100, true}
	fill            = parameter{"int", 10, 100, false}
	tableParameters = map[string]parameter{
		"fillfactor": fill, "toast_tuple_target": {"int", 128, 8160, false}, "parallel_workers": {"int", 0, 1024, false},
		"user_catalog_table": boolean, "autovacuum_enabled": toastBoolean, "vacuum_truncate": toastBoolean, "vacuum_index_cleanup": {"on off auto true false yes no 1 0", 0, 0, true},
		"autovacuum_vacuum_threshold": {"int", 0, 1<<31 - 1, true}, "autovacuum_vacuum_max_threshold": {"int", -1, 1<<31 - 1, true},
		"autovacuum_vacuum_scale_factor": share, "autovacuum_vacuum_insert_threshold": {"int", -1, 1<<31 - 1, true},
		"autovacuum_vacuum_insert_scale_factor": share, "autovacuum_analyze_threshold": {"int", 0, 1<<31 - 1, false},
		"autovacuum_analyze_scale_factor": {"real", 0, 100, false}, "autovacuum_vacuum_cost_delay": {"real", 0, 100, true}, "autovacuum_vacuum_cost_limit": {"int", 1, 10000, true},
		"autovacuum_freeze_min_age": {"int", 0, 1e9, true}, "autovacuum_freeze_max_age": {"int", 1e5, 2e9, true}, "autovacuum_freeze_table_age": {"int", 0, 2e9, true},
		"autovacuum_multixact_freeze_min_age": {"int", 0, 1e9, true}, "autovacuum_multixact_freeze_max_age": {"int", 1e4, 2e9, true},
		"autovacuum_multixact_freeze_table_age": {"int", 0, 2e9, true}, "log_autovacuum_min_duration": {"int", -1, 1<<31 - 1, true},
		"log_autoanalyze_min_duration": {"int", -1, 1<<31 - 1, false}, "vacuum_max_eager_freeze_failure_rate": {"real", 0, 1, true},
	}
	// indexParameters are those of the access methods that come with the server.
	indexParameters = map[string]map[string]parameter{
		"btree":  {"fillfactor": fill, "deduplicate_items": boolean},
		"hash":   {"fillfactor": fill},
		"gist":   {"fillfactor": fill, "buffering": {kind: "on off auto"}},
		"spgist": {"fillfactor": fill},
		"gin":    {"fastupdate": boolean, "gin_pending_list_limit": {"int", 64, 1<<31 - 1, false}},
		"brin":   {"pages_per_range": {"int", 1, 131072, false}, "autosummarize": boolean},
	}
)

// fault says what is wrong with a value.
func (p parameter) fault(value string) string {
	value = unquote(strings.TrimSpace(value))
	switch p.kind {
	case "bool":
		if value != "" && booleanFault(value) != "" {
			return fmt.Sprintf("is %.80q; it is true or false", value)
		}
		return ""
	case "int", "real":
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil && strings.ContainsAny(value, "0123456789"): // it may have a unit
			return ""
		case err != nil:
			return fmt.Sprintf("is %.80q; it is a number", value)
		case n < p.min || n > p.max:
			return fmt.Sprintf("is %.80s; it must be between %.0f and %.0f", value, p.min, p.max)
		}
		return ""
	}
	if words := strings.Fields(p.kind); value != "" && !slices.Contains(words, strings.ToLower(value)) {
		return fmt.Sprintf("is %.80q; it is one of %s", value, strings.Join(words, ", "))
	}
	return ""
}

// isFixed reports whether values of a type are all of one length, so that they are
// neither compressed nor stored apart.
func isFixed(t dataType) bool {
	if t.array > 0 || t.user != nil && t.labels == nil {
		return false
	}
	return t.labels != nil || slices.Contains([]string{"smallint", "integer", "bigint", "real", "double precision", "boolean", "date", "time", "timetz",
		"timestamp", "timestamptz", "interval", "uuid", "money", "name", "macaddr", "macaddr8", "oid"}, t.name)
}

// isCollatable reports whether values of a type have a collation.
func isCollatable(t dataType) bool {
	return t.user == nil && slices.Contains([]string{"text", "varchar", "char", "name", "citext"}, t.name)
}

// columnFault says what is wrong with how a column is stored and compared.
func (c *checker) columnFault(t *table, col *schema.Column) string {
	dt, known := c.typeOf(col)
	switch storage := strings.ToUpper(col.Storage); {
	case storage == "" || storage == "DEFAULT" || storage == "PLAIN":
	case storage != "EXTERNAL" && storage != "EXTENDED" && storage != "MAIN":
		return fmt.Sprintf("has the storage %.80q; it is PLAIN, EXTERNAL, EXTENDED or MAIN", col.Storage)
	case known && isFixed(dt):
		return fmt.Sprintf("of type %q has storage %s; values of one length can only be PLAIN", typeText(col), storage)
	}
	switch strings.ToLower(strings.Trim(col.Compression, `"`)) {
	case "", "default":
	case "pglz", "lz4":
		if known && isFixed(dt) {
			return fmt.Sprintf("of type %q is compressed; values of one length cannot be", typeText(col))
		}
	default:
		return fmt.Sprintf("has the compression %.80q; it is pglz or lz4", col.Compression)
	}
	if col.Collation != "" && known && !isCollatable(dt) {
		return fmt.Sprintf("of type %q has a collation, which is for text", typeText(col))
	}
	return ""
}

// opclassTypes are the types that operator classes of btree, hash and GIN take, for those
// that take few.
var opclassTypes = func() map[string][]string {
	m := map[string][]string{
		"int2_ops": {"smallint"}, "int4_ops": {"integer"}, "int8_ops": {"bigint"}, "float4_ops": {"real"}, "float8_ops": {"double precision"},
		"bool_ops": {"boolean"}, "bit_ops": {"bit"}, "varbit_ops": {"bit varying"}, "inet_ops": {"inet", "cidr"}, "cidr_ops": {"inet", "cidr"}, "jsonb_path_ops": {"jsonb"},
	}
	for _, name := range strings.Fields("text_ops varchar_ops text_pattern_ops varchar_pattern_ops") {
		m[name] = []string{"text", "varchar"}
	}
	m["bpchar_ops"] = []string{"char", "text", "varchar"}
	m["bpchar_pattern_ops"] = m["bpchar_ops"]
	for _, name := range strings.Fields("date time timetz timestamp timestamptz interval numeric uuid bytea jsonb money macaddr macaddr8 tsvector") {
		m[name+"_ops"] = []string{name}
	}
	return m
}()

// opclassFault says that an operator class is none of a column's type.
func (c *checker) opclassFault(col *schema.Column, opclass string) string {
	dt, known := c.typeOf(col)
	types := opclassTypes[opclass]
	if !known || types == nil || dt.array == 0 && slices.Contains(types, dt.name) || dt.user != nil && dt.labels == nil || len(c.db.Extensions) > 0 || c.hasVerbatim("OPERATOR CLASS") {
		return ""
	}
	return fmt.Sprintf("column %.80q of type %q with operator class %.80s, which is for %s", col.Name, typeText(col), opclass, strings.Join(types, ", "))
}

// maxKeyColumns is how many columns an index of PostgreSQL has at most.
const maxKeyColumns = 32

// indexDetails checks what an index says of how it is stored and compares.
func (c *checker) indexDetails(t *table, x *schema.Index) {
	if n := len(x.Keys) + len(x.Include); n > maxKeyColumns {
		c.problem("IDX003", x.Origin, x.Name, "index has %d columns; %s allows %d", n, c.d, maxKeyColumns)
	}
	method := strings.ToLower(x.Method)
	if method == "" {
		method = "btree"
	}
	if known := indexParameters[method]; known != nil {
		for _, o := range x.Options {
			p, ok := known[strings.ToLower(o.Key)]
			why := "is unknown to " + method
			if ok {
				why = p.fault(o.Value)
			}
			if why != "" {
				c.problem("IDX004", x.Origin, x.Name, "storage parameter %.80q %s", o.Key, why)
			}
		}
	}
	for _, k := range x.Keys {
		col := c.column(t, k.Column)
		if col == nil {
			continue
		}
		if dt, known := c.typeOf(col); k.Collation != "" && known && !isCollatable(dt) {
			c.problem("IDX004", x.Origin, x.Name, "index has column %.80q of type %q with a collation, which is for text", col.Name, typeText(col))
		}
		if why := c.opclassFault(col, strings.TrimSpace(k.Opclass)); why != "" {
			c.problem("IDX006", x.Origin, x.Name, "index has %s", why)
		}
	}
}

// constraintDetails checks constraints that only PostgreSQL looks at.
func (c *checker) constraintDetails(t *table, k *schema.Constraint) {
	object := t.object
	if k.Name != "" {
		object += "." + k.Name
	}
	switch k.Kind {
	case schema.Check:
		if k.Deferrable {
			c.problem("CON001", k.Origin, object, "check %.80q is deferrable; keys can be that", k.Name)
		}
	case schema.ForeignKey:
		if k.Reference == nil {
			return
		}
		if to := c.table(k.Reference.Table); to != nil && to.Unlogged && !t.Unlogged {
			c.problem("FK009", k.Origin, object, "foreign key references table %q, which is UNLOGGED; rows of table %q outlive its", to.object, t.object)
		}
	case schema.Exclude:
		if why := c.exclusionFault(t, k); why != "" {
			c.problem("EXC001", k.Origin, object, "exclusion constraint %s", why)
		}
	}
}

// oneWay are operators that are not the same with their operands exchanged, or that no
// index finds rows by.
var oneWay = []string{"<", ">", "<=", ">=", "<>", "!=", "<<", ">>", "&<", "&>", "@>", "<@"}

// exclusionFault says why PostgreSQL cannot keep rows apart in this way. Extensions
// bring operator classes.
func (c *checker) exclusionFault(t *table, k *schema.Constraint) string {
	method := strings.ToLower(k.Method)
	if method == "" {
		method = "btree"
	}
	if method == "gin" || method == "brin" {
		return "uses " + method + ", which finds no conflicts; use gist"
	}
	if len(c.db.Extensions) > 0 || c.hasVerbatim("OPERATOR CLASS") || c.hasVerbatim("OPERATOR") {
		return ""
	}
	for _, p := range k.Keys {
		op := strings.TrimSpace(p.With)
		switch {
		case strings.ContainsAny(op, "(."):
			continue
		case (method == "btree" || method == "hash") && op != "=":
			return fmt.Sprintf("has operator %.80s, which %s does not have for conflicts; it has =", op, method)
		case slices.Contains(oneWay, op):
			return fmt.Sprintf("has operator %.80s, which is not the same both ways", op)
		case !slices.Contains([]string{"=", "&&", "-|-", "~=", "*=", "<->", "|=|"}, op) && !pgtype.HasOperator(op):
			return fmt.Sprintf("has operator %.80s, which nothing declares", op)
		}
		if col := c.column(t, p.Column); col != nil && p.Opclass == "" {
			if dt, known := c.typeOf(col); known && !c.hasOpclass(method, dt) {
				return fmt.Sprintf("has column %.80q of type %q, for which %s has no default operator class", col.Name, typeText(col), method)
			}
		}
	}
	return ""
}

// typeDetails checks what declared types are made of.
func (c *checker) typeDetails() {
	for _, x := range c.db.Composites {
		seen := map[string]bool{}
		for _, f := range x.Fields {
			object := c.show(x.Name) + "." + f.Name
			if seen[c.d.Key(f.Name)] {
				c.problem("TBL002", x.Origin, object, "type %q has attribute %.80q twice", c.show(x.Name), f.Name)
			}
			seen[c.d.Key(f.Name)] = true
			if u := c.userType(f.Type); u.kind != "" && c.key(u.name) == c.key(x.Name) {
				c.problem("TYP001", x.Origin, object, "type %q has attribute %.80q of its own type", c.show(x.Name), f.Name)
			}
		}
	}
	for _, x := range c.db.Domains {
		if isSerial(x.Type) || x.Type.Array > 0 && isSerial(schema.Type{Name: x.Type.Name}) {
			c.problem("TYP001", x.Origin, c.show(x.Name), "domain %q is over type %q, which only columns have", c.show(x.Name), x.Type.Text)
		}
	}
	for _, x := range c.db.Ranges {
		object := c.show(x.Name)
		if dt, known := c.builtin(x.Subtype, true); known && c.userType(x.Subtype).kind == "" && x.SubtypeOpclass == "" && !hasOrder(dt.name) && x.Subtype.Array == 0 {
			c.problem("TYP001", x.Origin, object, "range type %q is over type %q, which has no order", object, x.Subtype.Text)
		}
		for _, f := range []string{x.SubtypeDiff, x.Canonical} {
			if n := wordsOf(f).name(); f != "" && !c.isCallable(n) {
				c.missing("TYP001", x.Origin, object, "range type %q calls function %.80q, which is not declared", object, plain.Visible(f))
			}
		}
	}
	for _, x := range c.db.Sequences {
		if t, err := schema.ParseType(x.As); err == nil {
			if dt, known := c.builtin(t, true); known && (integerBits[dt.name] == 0 || t.Array > 0) {
				c.problem("SEQ001", x.Origin, c.show(x.Name), "sequence %q is of type %q; it is smallint, integer or bigint", c.show(x.Name), x.As)
			}
		}
		if x.OwnedBy != nil && c.key(x.OwnedBy.Table).Schema != c.key(x.Name).Schema {
			c.problem("SEQ001", x.Origin, c.show(x.Name), "sequence %q is owned by a column of table %q, which is in another schema", c.show(x.Name), c.show(x.OwnedBy.Table))
		}
	}
	for _, t := range c.tables {
		for _, col := range t.Columns {
			object := t.object + "." + col.Name
			typ := col.Type
			typ.Array = 0
			u := c.userType(col.Type)
			switch {
			case col.Type.Array > 0 && isNative(col) && isSerial(typ):
				c.problem("IDN001", col.Origin, object, "column %.80q is an array of %s, which numbers nothing", col.Name, col.Type.Base())
			case col.Identity != nil && u.kind == "domain":
				c.problem("IDN001", col.Origin, object, "column %.80q is an identity column of domain %q; it must be of an integer type itself", col.Name, c.show(u.name))
			case u.kind == "" && t.Of == nil && isNative(col) && !dialect.PostgresBuiltin(col.Type.Base()) && c.key(schema.Name{Schema: col.Type.Schema, Name: col.Type.Name}) == c.key(t.Name):
				c.problem("TYP001", col.Origin, object, "column %.80q is of the type of its own table", col.Name)
			}
		}
	}
}

// misplaced is what a function in an expression gives that is no single value of one
// row; queries inside of it have rows of their own.
func (c *checker) misplaced(e sqltree.Expr) string {
	if c.d != dialect.Postgres {
		return ""
	}
	why := ""
	sqltree.Walk(e, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Subquery:
			return false
		case *sqltree.Func:
			if n.Over != nil {
				why = "a window function"
			} else {
				why = c.manyRows(n.Name)
			}
		}
		return why == ""
	})
	return why
}

// manyRows says what a function is that takes or gives several rows; empty where one of
// that name may not.
func (c *checker) manyRows(n sqltree.Name) string {
	name := sqltree.Postgres.Fold(n.Last())
	if len(n.Parts) > 1 && sqltree.Postgres.Fold(n.Parts[0]) != "pg_catalog" || c.isDeclaredCall(name) {
		return ""
	}
	list := pgtype.Functions(name)
	all := func(is func(f *pgtype.Function) bool) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, func(f *pgtype.Function) bool { return !is(f) })
	}
	switch {
	case all(func(f *pgtype.Function) bool { return f.Kind == 'a' }):
		return "an aggregate function"
	case all(func(f *pgtype.Function) bool { return f.Kind == 'w' }):
		return "a window function"
	case all(func(f *pgtype.Function) bool { return f.Set }):
		return "a function that returns a set"
	}
	return ""
}

// isDeclaredCall reports whether a function of a name is declared in any schema.
func (c *checker) isDeclaredCall(name string) bool {
	if c.calls == nil {
		c.calls = map[string]bool{}
		for _, r := range c.db.Routines {
			c.calls[r.Name.Name] = true
		}
	}
	return c.calls[name]
}
