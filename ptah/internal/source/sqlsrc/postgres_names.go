package sqlsrc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	pgsql "github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// key is a name as the server compares it: with its schema, and cut.
type key struct{ schema, name string }

// namespaces are what the statements so far have declared, by name.
type namespaces struct {
	path []string // of SET search_path; nil: the server's default
	set  bool     // SET search_path was there
	// unchecked: SET check_function_bodies is off.
	unchecked bool

	relations   map[key]*relation // tables, views, sequences, indexes, composite types
	types       map[key]*userType
	routines    map[key][]*routine // the overloads of a name
	schemas     map[string]*schema.Namespace
	constraints map[key]int // how many constraints of a schema have a name
	defaults    []defaultGrant
	// numbers has, for generated names, how many in a row are taken. It only saves looking:
	// it is empty again when a name becomes free.
	numbers map[string]int
	// forebears are the tables that others inherit from, or did.
	forebears map[*schema.Table]bool
	columns   lookup[schema.Column]
	triggers  lookup[schema.Trigger]
	roles     lookup[schema.Role]
}

// relation is what a name in the namespace of relations stands for. One field besides
// kind says what it is.
type relation struct {
	kind       string // TABLE, FOREIGN TABLE, VIEW, MATERIALIZED VIEW, SEQUENCE, INDEX, TYPE
	name       schema.Name
	table      *schema.Table // also whose index or implied sequence it is
	view       *schema.View  // also whose index it is
	sequence   *schema.Sequence
	column     *schema.Column // of a serial or identity column's sequence
	index      *schema.Index
	constraint *schema.Constraint // whose index it is
	composite  *schema.Composite
	comment    string // of an index or sequence that is made with a part of its table
	origin     schema.Origin
}

// userType is what a name in the namespace of types stands for.
type userType struct {
	kind      string // ENUM, DOMAIN, TYPE (composite), RANGE, BASE
	name      schema.Name
	enum      *schema.Enum
	domain    *schema.Domain
	composite *schema.Composite
	rng       *schema.Range
	verbatim  *schema.Verbatim
	origin    schema.Origin
}

func (ns *namespaces) init() {
	ns.relations = map[key]*relation{}
	ns.types = map[key]*userType{}
	ns.routines = map[key][]*routine{}
	ns.schemas = map[string]*schema.Namespace{}
	ns.constraints = map[key]int{}
	ns.numbers = map[string]int{}
	ns.forebears = map[*schema.Table]bool{}
	ns.columns.name = func(c *schema.Column) string { return dialect.Cut(c.Name) }
	ns.triggers.name = func(t *schema.Trigger) string { return dialect.Cut(t.Name) }
	ns.roles.name = func(r *schema.Role) string { return dialect.Cut(r.Name) }
}

// key returns the key of a name of the model.
func (in *postgres) key(n schema.Name) key {
	if n.Schema == "" {
		n.Schema = in.d.DefaultSchema()
	}
	return key{dialect.Cut(n.Schema), dialect.Cut(n.Name)}
}

// same compares names of columns, constraints and the like.
func (in *postgres) same(a, b string) bool { return a == b || dialect.Cut(a) == dialect.Cut(b) }

// isDefault reports whether a schema is the one that names are found in without a path.
func (in *postgres) isDefault(s string) bool { return s == "" || s == in.d.DefaultSchema() }

// set follows SET search_path and SET SCHEMA.
func (in *postgres) set(w *words) {
	w.accept("SET")
	w.acceptAny("SESSION", "LOCAL")
	switch {
	case w.accept("SCHEMA"):
		in.setPath(w.value())
	case w.accept("SEARCH_PATH"):
		if !w.accept("TO") && !w.done() {
			w.i++ // =
		}
		if w.accept("DEFAULT") {
			in.path, in.namespaces.set = nil, false
			return
		}
		var path []string
		for !w.done() {
			path = append(path, w.value())
			w.acceptPunct(',')
		}
		in.usePath(path)
	case w.accept("CHECK_FUNCTION_BODIES"):
		if !w.accept("TO") && !w.done() {
			w.i++ // =
		}
		switch strings.ToLower(w.value()) {
		case "off", "false", "no", "0", "f", "n":
			in.unchecked = true
		default:
			in.unchecked = false
		}
	}
}

// setPath follows a search path that is written as one string.
func (in *postgres) setPath(text string) {
	w := in.wordsOf(text)
	var path []string
	for !w.done() {
		path = append(path, w.value())
		w.acceptPunct(',')
	}
	in.usePath(path)
}

// usePath sets the search path. Schemas that are there without being named, and that of
// the role, which has none in an empty database, are no part of it.
func (in *postgres) usePath(path []string) {
	in.path, in.namespaces.set = []string{}, true
	for _, s := range path {
		switch s {
		case "", "$user", "pg_catalog", "information_schema", "pg_temp":
		default:
			in.path = append(in.path, s)
		}
	}
}

// searched are the schemas in which a bare name is looked for.
func (in *postgres) searched() []string {
	if in.elements != "" {
		return append([]string{in.elements}, in.path...)
	}
	if !in.namespaces.set {
		return []string{in.d.DefaultSchema()}
	}
	return in.path
}

// strays reports whether a bare name may mean something else than it does without a
// search path.
func (in *postgres) strays() bool {
	for _, s := range in.searched() {
		if !in.isDefault(s) {
			return true
		}
	}
	return false
}

// parts returns schema and name of a written name; that of a database is left out.
func (in *postgres) parts(n sqltree.Name) schema.Name {
	out := schema.Name{Name: in.fold(n.Last())}
	if len(n.Parts) > 1 {
		out.Schema = in.fold(n.Parts[len(n.Parts)-2])
	}
	return out
}

// declared returns the name that a new object gets.
func (in *postgres) declared(n schema.Name) (schema.Name, error) {
	if n.Schema == "pg_temp" {
		return n, unkept("CREATE of something in pg_temp", temporary)
	}
	if n.Schema != "" {
		return n, nil
	}
	path := in.searched()
	if len(path) == 0 {
		return n, refused("SRC005", n.Name, "%s has no schema, and the search path is empty; write it as schema.name", quoted(n.Name))
	}
	if !in.isDefault(path[0]) {
		n.Schema = path[0]
	}
	return n, nil
}

// find looks a name up in one of the namespaces, along the search path.
func find[T any](in *postgres, space map[key]T, n schema.Name) (found T) {
	if n.Schema != "" {
		return space[in.key(n)]
	}
	name := dialect.Cut(n.Name)
	for _, s := range in.searched() {
		if x, ok := space[key{dialect.Cut(s), name}]; ok {
			return x
		}
	}
	return found
}

func (in *postgres) relation(n schema.Name) *relation { return find(in, in.relations, n) }

// table returns the table of a name, nil if it is not declared.
func (in *postgres) table(n schema.Name) *schema.Table {
	if r := in.relation(n); r != nil && r.isTable() {
		return r.table
	}
	return nil
}

func (r *relation) isTable() bool { return r.kind == "TABLE" || r.kind == "FOREIGN TABLE" }

// reference returns the name under which the model has a relation that is written as n.
// That of an undeclared one is taken to be in the search path's only schema.
func (in *postgres) reference(n schema.Name) schema.Name {
	if r := in.relation(n); r != nil {
		return r.name
	}
	if n.Schema == "" {
		if path := in.searched(); len(path) == 1 && !in.isDefault(path[0]) {
			n.Schema = path[0]
		}
	}
	return n
}

// taken returns what has the name of a new relation, nil if it is free.
func (in *postgres) taken(n schema.Name) *relation { return in.relations[in.key(n)] }

func (in *postgres) addRelation(r *relation) { in.relations[in.key(r.name)] = r }

func (in *postgres) removeRelation(k key) {
	delete(in.relations, k)
	clear(in.numbers)
}

func (in *postgres) column(t *schema.Table, name string) *schema.Column {
	return in.columns.find(t, t.Columns, dialect.Cut(name), anyOf)
}

// parents are the tables that a table inherits columns from, as far as they are declared.
func (in *postgres) parents(t *schema.Table) []*schema.Table {
	names := t.Inherits
	if t.Partition != nil {
		names = []schema.Name{t.Partition.Of}
	}
	var list []*schema.Table
	for _, n := range names {
		if r := in.relations[in.key(n)]; r != nil && r.isTable() {
			list = append(list, r.table)
		}
	}
	return list
}

// children are the tables that inherit from a table.
func (in *postgres) children(t *schema.Table) []*schema.Table {
	if !in.forebears[t] {
		return nil
	}
	var list []*schema.Table
	for _, c := range in.db.Tables {
		for _, p := range in.parents(c) {
			if p == t {
				list = append(list, c)
			}
		}
	}
	return list
}

// partitions are the partitions of a table.
func (in *postgres) partitions(t *schema.Table) []*schema.Table {
	if t.PartitionBy == "" {
		return nil
	}
	return slices.DeleteFunc(in.children(t), func(c *schema.Table) bool { return c.Partition == nil })
}

// anyColumn returns a column of a table or of those that it inherits from.
func (in *postgres) anyColumn(t *schema.Table, name string) *schema.Column {
	if c := in.column(t, name); c != nil {
		return c
	}
	for _, p := range in.parents(t) {
		if c := in.anyColumn(p, name); c != nil {
			return c
		}
	}
	return nil
}

// ownColumn returns a column of a table to be changed: one that it inherits gets an entry
// of its own.
func (in *postgres) ownColumn(t *schema.Table, name string) *schema.Column {
	if c := in.column(t, name); c != nil {
		return c
	}
	if c := in.anyColumn(t, name); c != nil {
		own := &schema.Column{Name: c.Name, Native: true, Inherited: true, Origin: in.here()}
		t.Columns = append(t.Columns, own)
		return own
	}
	return nil
}

// quote writes a name of the model so that it means exactly that.
func (in *postgres) quote(n schema.Name) string {
	if n.Schema == "" {
		return in.d.Quote(n.Name)
	}
	return in.d.Quote(n.Schema) + "." + in.d.Quote(n.Name)
}

// relationName makes a name that no relation of the schema has; that of a constraint's
// index is not a constraint's either.
func (in *postgres) relationName(table schema.Name, columns, label string, constraint bool) string {
	return in.freeName(table, columns, label, func(k key) bool {
		return in.relations[k] == nil && (!constraint || in.constraints[k] == 0)
	})
}

// constraintName makes a name that no constraint of the schema has.
func (in *postgres) constraintName(table schema.Name, columns, label string) string {
	return in.freeName(table, columns, label, func(k key) bool { return in.constraints[k] == 0 })
}

func (in *postgres) freeName(table schema.Name, columns, label string, free func(key) bool) string {
	first := dialect.GeneratedName(table.Name, columns, label)
	hint := in.key(table).schema + "." + first
	for n := in.numbers[hint]; ; n++ {
		name := first
		if n > 0 {
			name = dialect.GeneratedName(table.Name, columns, label+strconv.Itoa(n))
		}
		if free(in.key(schema.Name{Schema: table.Schema, Name: name})) {
			in.numbers[hint] = n
			return name
		}
	}
}

// keyNames are the names that the server gives the columns of an index.
func (in *postgres) keyNames(keys []sqltree.IndexKey, include []sqltree.Ident) []string {
	var list []string
	add := func(name string) {
		if name == "" {
			name = "expr"
		}
		name = dialect.Cut(name)
		free := name
		for n := 1; contains(list, free); n++ {
			number := strconv.Itoa(n)
			free = dialect.CutTo(name, min(len(name), dialect.MaxNameBytes-len(number))) + number
		}
		list = append(list, free)
	}
	for _, k := range keys {
		if c, ok := k.Expr.(*sqltree.Column); ok && len(c.Parts) == 1 {
			add(in.fold(c.Parts[0]))
		} else {
			add(sqltree.OutputName(sqltree.Postgres, k.Expr))
		}
	}
	for _, id := range include {
		add(in.fold(id))
	}
	return list
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// createSchema declares a schema.
func (in *postgres) createSchema(w *words) error {
	w.accept("CREATE", "SCHEMA")
	exists := w.accept("IF", "NOT", "EXISTS")
	name := ""
	if !w.is("AUTHORIZATION") {
		name = w.ident()
	}
	if w.accept("AUTHORIZATION") {
		owner := w.ident()
		if name == "" {
			name = owner
		}
		in.skip("AUTHORIZATION " + quoted(owner))
	}
	in.elements = name
	if old := in.schemas[dialect.Cut(name)]; old != nil {
		if exists {
			return in.exists("SCHEMA", name, old.Origin)
		}
		return twice("SCHEMA", name, old.Origin)
	}
	in.addSchema(name)
	in.granted("SCHEMA", schema.Name{Name: name}, "")
	return nil
}

func (in *postgres) addSchema(name string) *schema.Namespace {
	s := &schema.Namespace{Name: name, Origin: in.here()}
	in.db.Schemas = append(in.db.Schemas, s)
	in.schemas[dialect.Cut(name)] = s
	return s
}

// createExtension declares an extension.
func (in *postgres) createExtension(w *words) error {
	w.accept("CREATE", "EXTENSION")
	x := &schema.Extension{IfNotExists: w.accept("IF", "NOT", "EXISTS"), Origin: in.here()}
	x.Name = w.ident()
	w.accept("WITH")
	for !w.done() {
		switch w.acceptAny("SCHEMA", "VERSION", "CASCADE") {
		case "SCHEMA":
			x.Schema = w.ident()
		case "VERSION":
			x.Version = w.value()
		case "CASCADE":
			return refused("SRC005", x.Name, "CREATE EXTENSION %s CASCADE is not supported as a declaration; declare the extensions that it needs before it", quoted(x.Name))
		default:
			w.i++
		}
	}
	if old := in.extension(x.Name); old != nil {
		if x.IfNotExists {
			return in.exists("EXTENSION", x.Name, old.Origin)
		}
		return twice("EXTENSION", x.Name, old.Origin)
	}
	in.db.Extensions = append(in.db.Extensions, x)
	return nil
}

func (in *postgres) extension(name string) *schema.Extension {
	for _, x := range in.db.Extensions {
		if in.same(x.Name, name) {
			return x
		}
	}
	return nil
}

// alterExtension executes ALTER EXTENSION … SET SCHEMA.
func (in *postgres) alterExtension(w *words) error {
	w.accept("ALTER", "EXTENSION")
	name := w.ident()
	if !w.accept("SET", "SCHEMA") {
		return unkept("ALTER EXTENSION", "declare the extension as it is to be")
	}
	x := in.extension(name)
	if x == nil {
		return undeclared("EXTENSION", name)
	}
	x.Schema = w.ident()
	return nil
}

// typeKey is how the server writes a type, so that two spellings of one compare equal.
func (in *postgres) typeKey(text string) string {
	w := in.wordsOf(text)
	if len(w.toks) == 0 {
		return text
	}
	w.accept("SETOF")
	start := w.i
	n := w.name()
	end := w.i
	quotedName := w.toks[end-1].Kind == pgsql.Quoted
	words := []string{n.Name}
	suffix := ""
	for !w.done() {
		switch {
		case w.punct('('):
			if bits, ok := integer(w.group()); ok && bits <= 24 && n.Name == "float" {
				words[0] = "real"
			}
		case w.punct('['):
			w.i = w.end(w.i)
			suffix = "[]"
		case w.accept("ARRAY"):
			suffix = "[]"
		default:
			words = append(words, strings.ToLower(w.textOf(w.i)))
			w.i++
		}
	}
	if end-start == 1 && !quotedName || n.Schema == "pg_catalog" {
		name := strings.Join(words, " ")
		if same, ok := typeAliases[name]; ok {
			return same + suffix
		}
		n.Name = name
	}
	if n.Schema == "pg_catalog" {
		n.Schema = ""
	}
	if t := find(in, in.types, n); t != nil {
		k := in.key(t.name)
		return k.schema + "." + k.name + suffix
	}
	if r := in.relation(n); r != nil {
		k := in.key(r.name)
		return k.schema + "." + k.name + suffix
	}
	if n.Schema == "" {
		return n.Name + suffix
	}
	return n.Schema + "." + n.Name + suffix
}

// typeAliases are the spellings of the built-in types that SQL spells in several ways.
var typeAliases = map[string]string{
	"int": "int4", "integer": "int4", "smallint": "int2", "bigint": "int8", "real": "float4", "double precision": "float8", "float": "float8",
	"decimal": "numeric", "dec": "numeric", "boolean": "bool",
	"char": "bpchar", "character": "bpchar", "nchar": "bpchar", "national character": "bpchar", "national char": "bpchar",
	"character varying": "varchar", "char varying": "varchar", "national character varying": "varchar", "national char varying": "varchar", "nchar varying": "varchar",
	"bit varying": "varbit", "timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp",
	"time with time zone": "timetz", "time without time zone": "time",
}
