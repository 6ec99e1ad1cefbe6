package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// table adds a table, still without statements, and returns what adds its needs.
func (p *postgres) table(t *schema.Table) func() {
	n := p.add(phaseTable, t.Name, t.Origin)
	p.relations[t.In(p.schema)] = n
	if u := p.types[t.In(p.schema)]; u.kind == "table" {
		u.node = n
	}
	return func() { p.tableNeeds(n, t) }
}

// tableStatements adds the statements of a table and of what belongs to it. The needs of
// all objects are known by then.
func (p *postgres) tableStatements(t *schema.Table) {
	n := p.relations[t.In(p.schema)]
	p.moveCalls(n, t)
	// A partition that says its columns itself is made as a table, and then becomes one.
	attached := t.Partition != nil && slices.ContainsFunc(t.Columns, func(c *schema.Column) bool { return !c.Inherited })
	lines, after := p.tableLines(t)
	parts := []string{"CREATE", given(t.Unlogged, "UNLOGGED"), given(t.Foreign != "", "FOREIGN"), "TABLE", p.ref(t.Name)}
	switch {
	case t.Partition != nil && !attached:
		parts = append(parts, "PARTITION OF", p.ref(t.Partition.Of), given(len(lines) > 0, block(lines)), text(t.Partition.Bound))
	case t.Of != nil:
		parts = append(parts, "OF", p.ref(*t.Of), given(len(lines) > 0, block(lines)))
	default:
		parts = append(parts, block(lines))
	}
	if len(t.Inherits) > 0 && !t.Joins {
		parents := make([]string, len(t.Inherits))
		for i, n := range t.Inherits {
			parents[i] = p.ref(n)
		}
		parts = append(parts, "INHERITS ("+strings.Join(parents, ", ")+")")
	}
	parts = append(parts, given(t.PartitionBy != "", "PARTITION BY "+text(t.PartitionBy)), p.foreign(t.Foreign), given(t.Method != "", "USING "+p.quote(t.Method)),
		p.with(t.Options), given(t.Tablespace != "", "TABLESPACE "+p.quote(t.Tablespace)), text(t.Custom))
	n.statements = append([]string{statement(parts...)}, after...)
	if attached {
		p.add(phasePartition, t.Name, t.Origin, statement("ALTER TABLE", p.ref(t.Partition.Of), "ATTACH PARTITION", p.ref(t.Name), text(t.Partition.Bound)))
	}
	if t.Joins {
		for _, parent := range t.Inherits {
			p.add(phasePartition, t.Name, t.Origin, statement("ALTER TABLE", p.ref(t.Name), "INHERIT", p.ref(parent)))
		}
	}
	for i, c := range t.Constraints {
		p.laterConstraint(t, i, c)
	}
	for _, x := range t.Indexes {
		p.index(t.Name, x)
	}
	p.tableComments(t)
	p.tableState(t)
}

// moveCalls lets a table come after the functions that its checks and defaults call. One
// that itself reads the table comes behind it, and the check or default then behind that.
func (p *postgres) moveCalls(n *node, t *schema.Table) {
	move := func(part any, expr string) bool {
		needs := func(f *node) {
			if reaches(f, n) {
				p.behind[part] = append(p.behind[part], f)
			} else {
				n.after(f, must)
			}
		}
		p.calls(expr, p.routines, needs)
		for _, r := range p.relationsIn(expr) {
			needs(r)
		}
		return p.behind[part] != nil
	}
	for _, c := range t.Constraints {
		if c.Kind == schema.Check {
			move(c, c.Expr)
		}
	}
	for _, c := range t.Columns {
		if c.Default == nil || c.Default.Literal {
			continue
		}
		if move(c, c.Default.Text) {
			set := p.add(phaseConstraint, t.Name, t.Origin, statement("ALTER TABLE", p.ref(t.Name), "ALTER COLUMN", p.quote(c.Name), "SET", p.defaultOf(c.Default, c.Type, c.Native)))
			for _, f := range p.behind[c] {
				set.after(f, must)
			}
		}
	}
}

// relationsIn are the relations that an expression names in a text: 'name'::regclass.
func (p *postgres) relationsIn(expr string) (found []*node) {
	if !strings.Contains(strings.ToLower(expr), "regclass") {
		return nil
	}
	m, _ := p.mentionsOf("SELECT " + expr)
	for _, text := range m.classes {
		if r := p.relations[p.named(text).In(p.schema)]; r != nil {
			found = append(found, r)
		}
	}
	return found
}

// reaches reports whether a node comes after another one, whatever only reads better.
func reaches(from, to *node) bool {
	seen := map[*node]bool{}
	stack := []*node{from}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == to {
			return true
		}
		for _, e := range n.needs {
			if e.need != nice && !seen[e.to] {
				seen[e.to] = true
				stack = append(stack, e.to)
			}
		}
	}
	return false
}

// tableLines returns what stands in a table's parentheses, and the statements about
// columns that come behind it.
func (p *postgres) tableLines(t *schema.Table) (lines, after []string) {
	for _, c := range t.Columns {
		if line := p.column(t, c); line != "" {
			lines = append(lines, line)
		}
		after = append(after, p.columnProperties(t, c)...)
	}
	for _, first := range []bool{true, false} { // primary keys come first
		for i, c := range t.Constraints {
			if (c.Kind == schema.PrimaryKey) == first && !p.later(t, i, c) {
				if line := p.tableConstraint(t, c); line != "" {
					lines = append(lines, line)
				}
			}
		}
	}
	return lines, after
}

// later reports whether a constraint is added to its table by a statement of its own.
func (p *postgres) later(t *schema.Table, i int, c *schema.Constraint) bool {
	switch c.Kind {
	case schema.ForeignKey:
		return true
	case schema.Check: // in CREATE TABLE the words would be ignored
		return c.NotValid || p.behind[c] != nil
	case schema.PrimaryKey, schema.Unique:
		return p.isAttachedTo(t, c) || repeats(t.Constraints[:i], c)
	}
	return false
}

// isAttachedTo reports whether keys of partitions become parts of the key. They have to
// be there before it: it would make some with other names.
func (p *postgres) isAttachedTo(t *schema.Table, c *schema.Constraint) bool {
	name := c.Name
	if name == "" {
		name = p.usualKey(t, c)
	}
	return p.parents[schema.Name{Schema: t.Schema, Name: name}.In(p.schema)]
}

// attachParents notes the indexes that others become parts of.
func (p *postgres) attachParents() {
	p.parents = map[schema.Name]bool{}
	for _, t := range p.db.Tables {
		for _, c := range t.Constraints {
			if c.AttachTo != nil {
				p.parents[c.AttachTo.In(p.schema)] = true
			}
		}
	}
}

// repeats reports whether one of the keys before has the same columns: the server makes
// one of two in the same statement.
func repeats(before []*schema.Constraint, c *schema.Constraint) bool {
	return slices.ContainsFunc(before, func(o *schema.Constraint) bool {
		return (o.Kind == schema.PrimaryKey || o.Kind == schema.Unique) && slices.Equal(o.Columns, c.Columns) && slices.Equal(o.Include, c.Include)
	})
}

func (p *postgres) foreign(server string) string {
	server = text(server)
	if server != "" && !strings.HasPrefix(strings.ToUpper(server), "SERVER") {
		server = "SERVER " + server
	}
	return server
}

func (p *postgres) with(options []schema.Option) string {
	if len(options) == 0 {
		return ""
	}
	return "WITH (" + p.options(options) + ")"
}

// key returns the constraint of a kind that is written with a column, nil if there is
// none: one of this column alone, under the name that the server gives.
func (p *postgres) key(t *schema.Table, column string, kind schema.ConstraintKind) *schema.Constraint {
	for _, c := range t.Constraints {
		if c.Kind == kind && p.withColumn(t, c) && c.Columns[0] == column {
			return c
		}
	}
	return nil
}

// withColumn reports whether a key is written with its column.
func (p *postgres) withColumn(t *schema.Table, c *schema.Constraint) bool {
	plain := len(c.Columns) == 1 && !p.later(t, slices.Index(t.Constraints, c), c) && len(c.Include) == 0 && !c.NullsNotDistinct && len(c.Options) == 0 && c.Tablespace == "" && !c.Deferrable
	switch c.Kind {
	case schema.PrimaryKey:
		return plain && p.servers(t, c) && t.Partition == nil
	case schema.Unique:
		return plain && c.Inline && p.servers(t, c)
	}
	return false
}

// column writes a column; it is empty for one of a parent that has nothing of its own.
func (p *postgres) column(t *schema.Table, c *schema.Column) string {
	at := at(c.Origin, t.Origin)
	inPartition := c.Inherited && t.Partition != nil || t.Of != nil
	var parts []string
	if !inPartition {
		if c.Inherited && c.Type.Name == "" {
			return ""
		}
		parts = append(parts, p.columnType(t, c, &at))
	}
	sequence := p.explicit[schema.ColumnRef{Table: t.In(p.schema), Column: c.Name}]
	if sequence != nil {
		parts[0] = serialTypes[parts[0]]
	}
	parts = append(parts, p.collate(c.Collation))
	inKey := slices.ContainsFunc(t.Constraints, func(k *schema.Constraint) bool {
		return k.Kind == schema.PrimaryKey && slices.Contains(k.Columns, c.Name)
	})
	parts = append(parts, given(p.key(t, c.Name, schema.PrimaryKey) != nil, "PRIMARY KEY"),
		given(c.NotNull || inKey && !inPartition || sequence != nil, "NOT NULL"),
		given(p.key(t, c.Name, schema.Unique) != nil, "UNIQUE"))
	if sequence != nil {
		parts = append(parts, "DEFAULT nextval("+p.d.String(p.ref(sequence.Name))+")")
	}
	if p.behind[c] == nil {
		parts = append(parts, p.defaultOf(c.Default, c.Type, c.Native))
	}
	parts = append(parts, p.identity(c.Identity))
	if g := c.Generated; g != nil {
		kind := "STORED"
		if !g.Stored && !g.Unsaid {
			kind = "VIRTUAL"
		}
		parts = append(parts, "GENERATED ALWAYS AS", parens(g.Expr), kind)
	}
	for _, k := range t.Constraints {
		if k.Kind == schema.Check && p.checkWithColumn(k, c.Name) {
			parts = append(parts, p.check(k))
		}
	}
	line := clauses(parts...)
	if line == "" && inPartition {
		return ""
	}
	return p.quote(c.Name) + " " + line
}

func (p *postgres) identity(i *schema.Identity) string {
	if i == nil {
		return ""
	}
	kind := "BY DEFAULT"
	if i.Always {
		kind = "ALWAYS"
	}
	options := clauses(given(i.Sequence != "", "SEQUENCE NAME "+i.Sequence), sequenceOptions(i.SequenceOptions), text(i.Raw))
	return clauses("GENERATED", kind, "AS IDENTITY", given(options != "", "("+options+")"))
}

// columnProperties are statements about what has no place in a table's columns.
func (p *postgres) columnProperties(t *schema.Table, c *schema.Column) []string {
	var list []string
	set := func(what string) {
		list = append(list, statement("ALTER TABLE", p.ref(t.Name), "ALTER COLUMN", p.quote(c.Name), "SET", what))
	}
	if c.Inherited && t.Partition == nil && c.Type.Name == "" {
		if c.Default != nil {
			set(p.defaultOf(c.Default, c.Type, c.Native))
		}
		if c.NotNull {
			set("NOT NULL")
		}
	}
	if c.Storage != "" {
		set("STORAGE " + c.Storage)
	}
	if c.Compression != "" {
		set("COMPRESSION " + c.Compression)
	}
	if c.Statistics != nil {
		set("STATISTICS " + strconv.FormatInt(*c.Statistics, 10))
	}
	if len(c.Options) > 0 {
		set("(" + p.options(c.Options) + ")")
	}
	return list
}

// checkWithColumn reports whether a check is written with the column.
func (p *postgres) checkWithColumn(c *schema.Constraint, column string) bool {
	return c.Inline && !c.NotValid && len(c.Columns) > 0 && c.Columns[0] == column
}

// check writes a check, which always has a name.
func (p *postgres) check(c *schema.Constraint) string {
	return clauses("CONSTRAINT", p.quote(p.constraintName(c)), "CHECK", parens(c.Expr), given(c.NoInherit, "NO INHERIT"), given(c.NotEnforced, "NOT ENFORCED"))
}

// tableConstraint writes a constraint in the parentheses of its table; empty for one that
// is written elsewhere.
func (p *postgres) tableConstraint(t *schema.Table, c *schema.Constraint) string {
	switch c.Kind {
	case schema.PrimaryKey, schema.Unique:
		if p.withColumn(t, c) {
			return ""
		}
		return p.tableKey(t, c)
	case schema.Check:
		inline := len(c.Columns) > 0 && p.checkWithColumn(c, c.Columns[0]) &&
			slices.ContainsFunc(t.Columns, func(x *schema.Column) bool { return x.Name == c.Columns[0] })
		if inline {
			return ""
		}
		return p.check(c)
	case schema.Exclude:
		keys := make([]string, len(c.Keys))
		for i, k := range c.Keys {
			keys[i] = p.indexKey(k) + " WITH " + k.With
		}
		return clauses("CONSTRAINT", p.quote(p.constraintName(c)), "EXCLUDE", given(c.Method != "", "USING "+c.Method), "("+strings.Join(keys, ", ")+")",
			p.include(c.Include), p.with(c.Options), given(c.Tablespace != "", "USING INDEX TABLESPACE "+p.quote(c.Tablespace)), given(c.Where != "", "WHERE "+parens(c.Where)), deferrable(c))
	}
	return ""
}

// tableKey writes a primary or unique key that stands by itself.
func (p *postgres) tableKey(t *schema.Table, c *schema.Constraint) string {
	name := ""
	if !p.servers(t, c) {
		name = "CONSTRAINT " + p.quote(c.Name)
	}
	return clauses(name, string(c.Kind), given(c.NullsNotDistinct, "NULLS NOT DISTINCT"), p.list(c.Columns), p.include(c.Include),
		p.with(c.Options), given(c.Tablespace != "", "USING INDEX TABLESPACE "+p.quote(c.Tablespace)), deferrable(c))
}

// keyNeeds lets the keys of partitions come before those that they become parts of.
func (p *postgres) keyNeeds() {
	byName := map[schema.Name]*node{}
	for _, k := range p.keys {
		byName[schema.Name{Schema: k.table.Schema, Name: k.constraint.Name}.In(p.schema)] = k.node
	}
	for _, k := range p.keys {
		if to := k.constraint.AttachTo; to != nil {
			if parent := byName[to.In(p.schema)]; parent != nil {
				parent.after(k.node, should)
			}
		}
	}
}

func (p *postgres) include(columns []string) string {
	if len(columns) == 0 {
		return ""
	}
	return "INCLUDE " + p.list(columns)
}

func deferrable(c *schema.Constraint) string {
	return clauses(given(c.Deferrable || c.InitiallyDeferred, "DEFERRABLE"), given(c.InitiallyDeferred, "INITIALLY DEFERRED"))
}

// laterConstraint adds the statement of a constraint that is not made with its table.
func (p *postgres) laterConstraint(t *schema.Table, i int, c *schema.Constraint) {
	if !p.later(t, i, c) {
		return
	}
	at := phaseConstraint
	var sql string
	switch c.Kind {
	case schema.ForeignKey:
		if c.Reference == nil {
			return
		}
		sql = p.foreignKey(c)
	case schema.Check:
		sql = p.check(c)
	default:
		at, sql = phasePartition, p.tableKey(t, c)
	}
	n := p.add(at, t.Name, c.Origin, statement("ALTER TABLE", p.ref(t.Name), "ADD", sql, given(c.NotValid, "NOT VALID")))
	if at == phasePartition {
		p.keys = append(p.keys, key{n, t, c})
	}
	for _, f := range p.behind[c] {
		n.after(f, must)
	}
}

func (p *postgres) foreignKey(c *schema.Constraint) string {
	r := c.Reference
	parts := []string{"CONSTRAINT", p.quote(p.constraintName(c)), "FOREIGN KEY", p.list(c.Columns), "REFERENCES", p.ref(r.Table)}
	if len(r.Columns) > 0 {
		parts = append(parts, p.list(r.Columns))
	}
	if r.Match != "" && r.Match != "SIMPLE" {
		parts = append(parts, "MATCH "+r.Match)
	}
	if r.OnDelete != "" {
		parts = append(parts, "ON DELETE "+r.OnDelete)
		if len(r.SetColumns) > 0 {
			parts = append(parts, p.list(r.SetColumns))
		}
	}
	parts = append(parts, given(r.OnUpdate != "", "ON UPDATE "+r.OnUpdate), deferrable(c), given(c.NotEnforced, "NOT ENFORCED"))
	return clauses(parts...)
}

// indexKey writes one part of an index's key.
func (p *postgres) indexKey(k schema.IndexKey) string {
	key := p.quote(k.Column)
	if k.Column == "" {
		key = parens(k.Expr)
	}
	return clauses(key, p.collate(k.Collation), k.Opclass, given(k.Desc, "DESC"), given(k.Nulls != "", "NULLS "+k.Nulls))
}

// indexMethods are what the access methods of PostgreSQL itself can do: the version from
// which on they have INCLUDE columns, and whether they order, are unique and take several
// columns.
var indexMethods = map[string]struct {
	include                  string
	ordered, unique, several bool
}{
	"btree": {"11", true, true, true}, "gist": {"12", false, false, true}, "spgist": {"14", false, false, false},
	"gin": {"", false, false, true}, "brin": {"", false, false, true}, "hash": {"", false, false, false},
}

// checkIndex reports what the method of an index cannot do.
func (p *postgres) checkIndex(x *schema.Index) {
	name, method := p.indexName(x), strings.ToLower(x.Method)
	if method == "" {
		method = "btree"
	}
	refuse := func(format string, args ...any) {
		p.problem(finding.Index, "IDX004", name, x.Origin, "index %q %s", name, fmt.Sprintf(format, args...))
	}
	can, known := indexMethods[method]
	if !known {
		own := slices.ContainsFunc(p.db.Verbatim, func(v *schema.Verbatim) bool { return v.Kind == "ACCESS METHOD" })
		if len(p.db.Extensions) == 0 && !own && !p.db.Partial {
			refuse("has type %q; %s has btree, hash, gin, gist, spgist and brin, and no extension is declared", x.Method, p.d)
		}
		return
	}
	if len(x.Include) > 0 && (can.include == "" || p.v.Before(can.include)) {
		refuse("has INCLUDE columns, which an index of type %s has not", method)
	}
	if x.Unique && !can.unique {
		refuse("is unique, which an index of type %s cannot be; use btree", method)
	}
	if len(x.Keys) > 1 && !can.several {
		refuse("has %d keys; an index of type %s has one", len(x.Keys), method)
	}
	if !can.ordered && slices.ContainsFunc(x.Keys, func(k schema.IndexKey) bool { return k.Desc || k.Nulls != "" }) {
		refuse("orders its keys, which an index of type %s does not", method)
	}
}

// index adds an index of a table or materialised view.
func (p *postgres) index(on schema.Name, x *schema.Index) {
	name := p.indexName(x)
	p.checkIndex(x)
	keys := make([]string, len(x.Keys))
	for i, k := range x.Keys {
		keys[i] = p.indexKey(k)
	}
	sql := statement("CREATE", given(x.Unique, "UNIQUE"), "INDEX", p.quote(name), "ON", given(x.Only, "ONLY"), p.ref(on), given(x.Method != "", "USING "+x.Method),
		"("+strings.Join(keys, ", ")+")", p.include(x.Include), given(x.NullsNotDistinct, "NULLS NOT DISTINCT"), p.with(x.Options),
		given(x.Tablespace != "", "TABLESPACE "+p.quote(x.Tablespace)), given(x.Where != "", "WHERE "+text(x.Where)))
	full := schema.Name{Schema: on.Schema, Name: name}
	statements := []string{sql}
	if x.Comment != "" {
		statements = append(statements, p.commentOn("INDEX", p.ref(full), x.Comment))
	}
	var n *node
	if r, isTable := p.relations[on.In(p.schema)]; x.Unique && isTable && r.phase == phaseTable {
		n = p.add(phaseUniqueIndex, on, x.Origin, sql)
		if x.Comment != "" {
			p.add(phaseComment, on, x.Origin, statements[1])
		}
	} else {
		n = p.add(phaseIndex, on, x.Origin, statements...)
	}
	p.parts = append(p.parts, part{n, full, x})
	if p.whole == nil { // it is written alone
		p.attachParts()
		p.parts = nil
	} else if !x.Only {
		p.whole[full.In(p.schema)] = n
	}
}

// part is an index, which may become part of one of its table's parent.
type part struct {
	node  *node
	name  schema.Name
	index *schema.Index
}

// attachParts makes indexes parts of others. An index of all partitions takes those that
// are there as its parts by itself.
func (p *postgres) attachParts() {
	for _, a := range p.parts {
		if a.index.AttachTo == nil {
			continue
		}
		if whole := p.whole[a.index.AttachTo.In(p.schema)]; whole != nil {
			whole.after(a.node, must)
			continue
		}
		p.add(phaseLast, a.name, a.index.Origin, statement("ALTER INDEX", p.ref(*a.index.AttachTo), "ATTACH PARTITION", p.ref(a.name)))
	}
}

func (p *postgres) tableComments(t *schema.Table) {
	kind := "TABLE"
	if t.Foreign != "" {
		kind = "FOREIGN TABLE"
	}
	p.comment(t.Name, kind, p.ref(t.Name), t.Comment)
	for _, c := range t.Columns {
		p.comment(t.Name, "COLUMN", p.ref(t.Name)+"."+p.quote(c.Name), c.Comment)
	}
	for _, c := range t.Constraints {
		name := p.constraintName(c)
		if name == "" {
			name = p.usualKey(t, c)
		}
		p.comment(t.Name, "CONSTRAINT", p.quote(name)+" ON "+p.ref(t.Name), c.Comment)
	}
}

// tableState adds what can be said of a table only once its indexes are there.
func (p *postgres) tableState(t *schema.Table) {
	if t.ReplicaIdentity != "" {
		what := t.ReplicaIdentity
		if index, ok := strings.CutPrefix(what, "USING INDEX "); ok && !strings.HasPrefix(index, `"`) {
			what = "USING INDEX " + p.quote(index)
		}
		p.add(phaseLast, t.Name, t.Origin, statement("ALTER TABLE", p.ref(t.Name), "REPLICA IDENTITY", what))
	}
	if t.ClusterOn != "" {
		p.add(phaseLast, t.Name, t.Origin, statement("ALTER TABLE", p.ref(t.Name), "CLUSTER ON", p.quote(t.ClusterOn)))
	}
}

func (p *postgres) tableNeeds(n *node, t *schema.Table) {
	if t.Partition != nil {
		n.after(p.relations[t.Partition.Of.In(p.schema)], must)
	}
	for _, parent := range t.Inherits {
		n.after(p.relations[parent.In(p.schema)], must)
	}
	p.needsCalls(n, t.PartitionBy)
	for _, c := range t.Columns {
		p.needsType(n, c.Type)
		if c.Generated != nil {
			p.needsCalls(n, c.Generated.Expr)
		}
	}
	for _, c := range t.Constraints {
		p.needsCalls(n, c.Where)
		for _, k := range c.Keys {
			p.needsCalls(n, k.Expr)
			p.needsOpclass(n, k.Opclass)
		}
		if c.Reference != nil {
			n.after(p.relations[c.Reference.Table.In(p.schema)], nice)
		}
	}
	for _, x := range t.Indexes {
		p.needsCalls(n, x.Where)
		for _, k := range x.Keys {
			p.needsCalls(n, k.Expr)
			p.needsOpclass(n, k.Opclass)
		}
	}
}

// needsOpclass says that n needs an operator class, if it is a declared one.
func (p *postgres) needsOpclass(n *node, opclass string) {
	for _, r := range p.routines[opclassKey(opclass)] {
		n.after(r, must)
	}
}

// opclassKey is the key of an operator class among the routines, whose names have no
// blanks.
func opclassKey(name string) string {
	name = strings.ReplaceAll(name, `"`, "")
	if at := strings.IndexByte(name, '('); at >= 0 {
		name = name[:at]
	}
	return "operator class " + strings.TrimSpace(name[strings.LastIndexByte(name, '.')+1:])
}
