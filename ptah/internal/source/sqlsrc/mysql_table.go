package sqlsrc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func (in *mysql) createTable(replace bool) {
	exists := in.ifNotExists()
	t := &schema.Table{Origin: in.origin(in.toks[0].start)}
	t.Name = in.qualified("a table")
	if old := in.table(t.Name); old != nil && replace {
		in.dropTable(old)
	}
	if !in.declare("TABLE", t.Name, exists) {
		return
	}
	switch {
	case in.accept("LIKE"):
		in.like(t)
	case in.accept("(", "LIKE"):
		in.like(t)
		in.expect(")")
	case in.isAny("SELECT", "AS", "WITH"):
		in.refuse("CREATE TABLE … AS SELECT", "declare the columns")
	default:
		in.list(func() { in.element(t) })
		in.tableOptions(t)
		if in.accept("PARTITION", "BY") {
			t.PartitionBy = in.partitionBy()
		}
		if in.isAny("SELECT", "AS", "IGNORE", "REPLACE", "WITH", "(", "VALUES") {
			in.refuse("CREATE TABLE … AS SELECT", "declare the columns")
		}
	}
	in.holdPeriods(t)
	in.addTable(t)
}

// like copies a table as CREATE TABLE … LIKE does: all but its foreign keys.
func (in *mysql) like(t *schema.Table) {
	name := in.qualified("a table")
	other := in.table(name)
	if other == nil {
		in.undeclared("table", name.String())
	}
	origin, own := t.Origin, t.Name
	*t = *other
	t.Origin, t.Name = origin, own
	t.Columns = copies(other.Columns)
	t.Indexes = copies(other.Indexes)
	t.Periods = slices.Clone(other.Periods)
	t.Constraints = copies(other.Constraints)
	in.keepIndexes(t)
	t.Constraints = slices.DeleteFunc(t.Constraints, func(c *schema.Constraint) bool { return c.Kind == schema.ForeignKey })
	for _, x := range t.Indexes {
		x.Table, x.Keys = own, slices.Clone(x.Keys)
	}
	for _, c := range t.Constraints {
		c.Columns, c.Keys = slices.Clone(c.Columns), slices.Clone(c.Keys)
	}
	t.Options = slices.DeleteFunc(slices.Clone(t.Options), func(o schema.Option) bool { return o.Key == "AUTO_INCREMENT" })
}

func copies[T any](list []*T) []*T {
	out := make([]*T, len(list))
	for i, x := range list {
		c := *x
		out[i] = &c
	}
	return out
}

// element reads one of the definitions between a table's parentheses.
func (in *mysql) element(t *schema.Table) {
	if in.isKey() {
		in.keyDefinition(t)
		return
	}
	in.columnDefinition(t, nil)
}

// isKey reports whether a definition at the cursor is that of a key or constraint.
func (in *mysql) isKey() bool {
	return in.isAny("CONSTRAINT", "PRIMARY", "UNIQUE", "KEY", "INDEX", "FULLTEXT", "SPATIAL", "FOREIGN", "CHECK") ||
		in.mariadb && (in.is("PERIOD", "FOR") || in.is("VECTOR", "INDEX") || in.is("VECTOR", "KEY") || in.is("VECTOR", "("))
}

// keyDefinition reads a key or a constraint.
func (in *mysql) keyDefinition(t *schema.Table) {
	k := &schema.Constraint{Origin: in.here()}
	exists := false // IF NOT EXISTS
	if in.accept("CONSTRAINT") {
		exists = in.mariadb && in.ifNotExists()
		if !in.isAny("PRIMARY", "UNIQUE", "FOREIGN", "CHECK") {
			k.Name = in.name("a constraint")
		}
	}
	switch w := in.expectAny("PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "KEY", "INDEX", "FULLTEXT", "SPATIAL", "VECTOR", "PERIOD"); w {
	case "PRIMARY":
		in.expect("KEY")
		k.Kind, k.Name = schema.PrimaryKey, "" // its name is always PRIMARY
		if !in.is("(") && !in.is("USING") && in.isName() {
			in.name("an index") // it has no effect
		}
		in.uniqueKey(t, k)
	case "UNIQUE":
		in.acceptAny("KEY", "INDEX")
		k.Kind = schema.Unique
		exists = in.indexName(&k.Name) || exists
		if exists && in.passOver(t, k.Name) {
			return
		}
		in.uniqueKey(t, k)
	case "FOREIGN":
		in.expect("KEY")
		k.Kind = schema.ForeignKey
		exists = in.foreignKeyName(k) || exists
		if exists && in.passOver(t, k.Name) {
			return
		}
		k.Columns = in.names("a column")
		in.expect("REFERENCES")
		in.foreignKey(t, k)
	case "CHECK":
		if exists && in.passOver(t, k.Name) {
			return
		}
		in.check(t, k)
	case "PERIOD":
		in.period(t)
	default:
		if k.Name != "" {
			in.unexpected("PRIMARY KEY, UNIQUE, FOREIGN KEY or CHECK")
		}
		x := &schema.Index{Table: t.Name, Origin: k.Origin}
		if w != "KEY" && w != "INDEX" {
			x.Kind = w
			in.acceptAny("KEY", "INDEX")
		}
		if in.indexName(&x.Name) && in.passOver(t, x.Name) {
			return
		}
		in.using(&x.Method)
		x.Keys = in.indexKeys(nil)
		in.indexOptions(x)
		in.nameIndex(t, x)
		in.free(t, x.Name)
		t.Indexes = append(t.Indexes, x)
	}
}

// period reads what follows PERIOD.
func (in *mysql) period(t *schema.Table) {
	in.expect("FOR")
	p := schema.Period{Name: in.name("a period")}
	if old := in.periodOf(t, p.Name); old != nil {
		in.twice("period", t.Name.String()+"."+p.Name, t.Origin)
	}
	in.expect("(")
	p.From = in.name("a column")
	in.expect(",")
	p.To = in.name("a column")
	in.expect(")")
	t.Periods = append(t.Periods, p)
}

// holdPeriods makes the columns of periods NOT NULL, which they stay without the period.
func (in *mysql) holdPeriods(t *schema.Table) {
	for _, p := range t.Periods {
		for _, name := range []string{p.From, p.To} {
			if c := in.column(t, name); c != nil && c.RowPeriod == "" {
				c.NotNull = true
			}
		}
	}
}

// periodOf finds a period of a table, nil if there is none.
func (in *mysql) periodOf(t *schema.Table, name string) *schema.Period {
	for i := range t.Periods {
		if in.same(t.Periods[i].Name, name) {
			return &t.Periods[i]
		}
	}
	return nil
}

// passOver passes over the rest of a key with IF NOT EXISTS, if its table has one of the
// name.
func (in *mysql) passOver(t *schema.Table, name string) bool {
	if name == "" || in.index(t, name) == nil && in.constraint(t, name) == nil {
		return false
	}
	in.dropPart("IF NOT EXISTS of " + quoted(name) + ", which is declared,")
	in.skipTo(",")
	return true
}

// indexName reads the optional name of a key, which counts more than that of CONSTRAINT.
// It reports whether IF NOT EXISTS stands before it.
func (in *mysql) indexName(name *string) (ifNotExists bool) {
	ifNotExists = in.mariadb && in.ifNotExists()
	if !in.is("(") && !in.is("USING") && !in.is("TYPE") {
		*name = in.name("an index")
	}
	return ifNotExists
}

// foreignKeyName reads the name behind FOREIGN KEY, which only counts without another. It
// reports whether IF NOT EXISTS stands before it.
func (in *mysql) foreignKeyName(k *schema.Constraint) (ifNotExists bool) {
	ifNotExists = in.mariadb && in.ifNotExists()
	if in.is("(") {
		return ifNotExists
	}
	if name := in.name("a foreign key"); k.Name == "" {
		k.Name = name
	}
	return ifNotExists
}

// using reads USING BTREE.
func (in *mysql) using(method *string) {
	if in.accept("USING") || in.accept("TYPE") {
		*method = in.expectAny("BTREE", "HASH", "RTREE")
	}
}

// uniqueKey reads the columns and options of a primary or unique key. What only an index
// can hold makes an index of a unique key.
func (in *mysql) uniqueKey(t *schema.Table, k *schema.Constraint) {
	x := &schema.Index{Unique: true, Table: t.Name, Name: k.Name, Origin: k.Origin}
	in.using(&x.Method)
	x.Keys = in.indexKeys(&k.WithoutOverlaps)
	in.indexOptions(x)
	if k.Kind == schema.PrimaryKey && in.primaryKey(t) != nil {
		in.twoKeys(t)
	}
	if k.Kind == schema.Unique {
		in.nameIndex(t, x)
		in.free(t, x.Name)
		if !plainUnique(x) {
			t.Indexes = append(t.Indexes, x)
			return
		}
	}
	key := keyOf(x, k.Kind)
	key.WithoutOverlaps = k.WithoutOverlaps
	t.Constraints = append(t.Constraints, key)
}

// plainUnique reports whether a constraint can hold a unique index.
func plainUnique(x *schema.Index) bool {
	return x.Unique && !x.Invisible && len(x.Options) == 0 && !slices.ContainsFunc(x.Keys, func(k schema.IndexKey) bool { return k.Expr != "" })
}

// keyOf makes a key of a unique index.
func keyOf(x *schema.Index, kind schema.ConstraintKind) *schema.Constraint {
	k := &schema.Constraint{Kind: kind, Name: x.Name, Implicit: x.Implicit, Method: x.Method, Comment: x.Comment, Options: x.Options, Origin: x.Origin}
	setKeys(k, x.Keys)
	return k
}

// free checks that no other index of a table has a name.
func (in *mysql) free(t *schema.Table, name string) {
	if x := in.index(t, name); x != nil {
		in.twice("index", t.Name.String()+"."+name, x.Origin)
	}
	if c := in.constraint(t, name, schema.Unique); c != nil {
		in.twice("index", t.Name.String()+"."+name, c.Origin)
	}
}

// nameIndex gives an index without a name that of the server: its first column, with a
// number if another index has it.
func (in *mysql) nameIndex(t *schema.Table, x *schema.Index) {
	if x.Name != "" {
		return
	}
	base := x.Keys[0].Column
	if base == "" {
		base = "functional_index"
	} else if c := in.column(t, base); c != nil {
		base = c.Name
	}
	taken := in.keyNames(t)
	taken[in.d.Key("PRIMARY")] = true
	x.Implicit = true
	x.Name = base
	for n := 2; taken[in.d.Key(x.Name)]; n++ {
		x.Name = base + "_" + strconv.Itoa(n)
	}
}

// keyNames are the names of a table's indexes and of its unique keys, folded.
func (in *mysql) keyNames(t *schema.Table) map[string]bool {
	names := map[string]bool{}
	for _, x := range t.Indexes {
		names[in.d.Key(x.Name)] = true
	}
	for _, c := range t.Constraints {
		if c.Kind == schema.Unique {
			names[in.d.Key(c.Name)] = true
		}
	}
	return names
}

// indexKeys reads the parts of a key: columns with a prefix length, or expressions. The
// last one may be a period WITHOUT OVERLAPS, where there is a place for its name.
func (in *mysql) indexKeys(period *string) []schema.IndexKey {
	var keys []schema.IndexKey
	in.list(func() {
		if period != nil && in.mariadb && len(keys) > 0 && in.tokenIs(in.ahead(1), "WITHOUT") {
			*period = in.name("a period")
			in.expect("WITHOUT", "OVERLAPS")
			if !in.is(")") {
				in.unexpected(`")"`)
			}
			return
		}
		k := schema.IndexKey{}
		if in.is("(") {
			if in.mariadb {
				in.refuse("an index of an expression", "index a generated column")
			}
			k.Expr = in.enclosed()
		} else {
			k.Column = in.name("a column")
			if in.accept("(") {
				n := in.number("a prefix length")
				if n < 1 || n > 1<<20 {
					in.fail("SRC002", "", "the prefix of column %s is %d long; it has at least one character", quoted(k.Column), n)
				}
				k.Length = int(n)
				in.expect(")")
			}
		}
		k.Desc = in.order()
		keys = append(keys, k)
	})
	return keys
}

// indexOptions reads what follows the parts of a key.
func (in *mysql) indexOptions(x *schema.Index) {
	for {
		switch {
		case in.isAny("USING", "TYPE"):
			in.using(&x.Method)
		case in.accept("COMMENT"):
			in.accept("=")
			x.Comment = in.literal("a comment")
		case in.accept("INVISIBLE"), in.mariadb && in.accept("IGNORED"):
			x.Invisible = true
		case in.accept("VISIBLE"), in.mariadb && in.accept("NOT", "IGNORED"):
			x.Invisible = false
		case in.accept("WITH", "PARSER"):
			x.Options = append(x.Options, schema.Option{Key: "WITH PARSER", Value: in.d.Quote(in.name("a parser"))})
		case in.isAny("KEY_BLOCK_SIZE", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE"),
			in.mariadb && in.isAny("M", "DISTANCE", "CLUSTERING"):
			key := strings.ToUpper(in.textOf(in.next("an option")))
			in.accept("=")
			x.Options = append(x.Options, schema.Option{Key: key, Value: in.textOf(in.next("a value"))})
		default:
			return
		}
	}
}

// foreignKey reads what a foreign key refers to, and names it as InnoDB does.
func (in *mysql) foreignKey(t *schema.Table, k *schema.Constraint) {
	k.Reference = in.references()
	if k.Name == "" {
		k.Implicit = true
		k.Name = in.numbered(t, t.Name.Name+"_ibfk_")
	}
	t.Constraints = append(t.Constraints, k)
}

// series are the names of a table's constraints that have a prefix, and numbers what is
// known of them.
type (
	series struct {
		of     *schema.Table
		prefix string
	}
	numbers struct {
		growth[schema.Constraint]
		highest int
	}
)

// numbered returns a prefix with the number behind the highest one among constraints.
func (in *mysql) numbered(t *schema.Table, prefix string) string {
	key := series{t, prefix}
	s := in.numbers[key]
	if s == nil {
		s = &numbers{}
		in.numbers[key] = s
	}
	from := s.since(t.Constraints)
	if from == 0 {
		s.highest = 0
	}
	for _, c := range t.Constraints[from:] {
		if len(c.Name) > len(prefix) && in.same(c.Name[:len(prefix)], prefix) {
			if n, err := strconv.Atoi(c.Name[len(prefix):]); err == nil {
				s.highest = max(s.highest, n)
			}
		}
	}
	return prefix + strconv.Itoa(s.highest+1)
}

// check reads what follows CHECK.
func (in *mysql) check(t *schema.Table, k *schema.Constraint) {
	k.Kind = schema.Check
	k.Expr = in.enclosed()
	switch {
	case in.accept("NOT", "ENFORCED"):
		k.NotEnforced = true
	default:
		in.accept("ENFORCED")
	}
	switch {
	case k.Name != "":
		if old := in.constraint(t, k.Name, schema.Check); old != nil {
			in.twice("constraint", t.Name.String()+"."+k.Name, old.Origin)
		}
	case in.mariadb && k.Inline: // it has none
	case in.mariadb:
		k.Implicit = true
		k.Name = in.firstFree(t, "CONSTRAINT_")
	default:
		k.Implicit = true
		k.Name = in.numbered(t, t.Name.Name+"_chk_")
	}
	t.Constraints = append(t.Constraints, k)
}

// firstFree returns a prefix with the first number that no constraint has.
func (in *mysql) firstFree(t *schema.Table, prefix string) string {
	taken := map[string]bool{}
	for _, c := range t.Constraints {
		taken[in.d.Key(c.Name)] = true
	}
	for n := 1; ; n++ {
		if name := prefix + strconv.Itoa(n); !taken[in.d.Key(name)] {
			return name
		}
	}
}

// maxColumns is how many columns a table of MySQL can have.
const maxColumns = 4096

// columnDefinition reads a column and adds it to the table, or puts it in the place of
// another one, which MODIFY and CHANGE name. It reports where the column stands.
func (in *mysql) columnDefinition(t *schema.Table, old *schema.Column) *schema.Column {
	c := &schema.Column{Native: true, Origin: in.here()}
	c.Name = in.name("a column")
	if len(t.Columns) >= maxColumns {
		in.fail("SRC002", t.Name.String(), "table %s has more than %d columns", quoted(t.Name.String()), maxColumns)
	}
	if other := in.column(t, c.Name); other != nil && other != old {
		in.twoColumns(t, c.Name)
	}
	in.ownKeys = len(t.Constraints)
	in.columnType(t, c)
	if old == nil {
		t.Columns = append(t.Columns, c)
	} else {
		t.Columns[slices.Index(t.Columns, old)] = c
		in.columns.forget(t)
	}
	if in.mariadb && in.isAny("GENERATED", "AS") { // it takes them nowhere else
		in.generated(c)
	}
	for in.columnAttribute(t, c) {
	}
	return c
}

// columnType reads the type of a column with what belongs to it.
func (in *mysql) columnType(t *schema.Table, c *schema.Column) {
	if in.accept("SERIAL") {
		c.Type = nativeType("bigint unsigned")
		in.serial(t, c)
		return
	}
	text, enum := in.typeWords()
	c.Type, c.Enum = nativeType(text), enum
	in.charset(c)
}

// serial makes a column what SERIAL stands for, but for the type.
func (in *mysql) serial(t *schema.Table, c *schema.Column) {
	c.NotNull, c.AutoIncrement = true, true
	in.inlineKey(t, c, schema.Unique)
}

// secondWords are the words that may follow the first of a type and belong to it.
var secondWords = map[string][]string{
	"DOUBLE":    {"PRECISION"},
	"CHARACTER": {"VARYING"},
	"CHAR":      {"VARYING", "BYTE"},
	"NCHAR":     {"VARCHAR", "VARCHARACTER", "VARYING"},
	"NATIONAL":  {"CHAR", "CHARACTER", "VARCHAR", "VARCHARACTER"},
	"LONG":      {"VARCHAR", "VARCHARACTER", "VARBINARY", "CHAR"},
}

// typeWords reads a type without its character set. The labels of ENUM are returned, too.
func (in *mysql) typeWords() (text string, enum []string) {
	if in.tok().kind != wordToken || in.isAny("NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "KEY", "AS", "COMMENT", "CHECK", "REFERENCES") {
		in.unexpected("a type")
	}
	first := strings.ToUpper(in.textOf(in.next("a type")))
	text = in.since(in.i - 1)
	for seconds := secondWords[first]; ; {
		w := in.acceptAny(seconds...)
		if w == "" {
			break
		}
		text += " " + in.since(in.i-1)
		seconds = secondWords[w]
		if w == "CHAR" || w == "CHARACTER" {
			seconds = []string{"VARYING"}
		}
	}
	if in.is("(") {
		open := in.i
		in.list(func() {
			if in.tok().kind == textToken && (first == "ENUM" || first == "SET") {
				label := in.literal("a label")
				if first == "ENUM" {
					enum = append(enum, label)
				}
				return
			}
			if first == "ENUM" || first == "SET" || in.tok().kind != numberToken {
				in.unexpected("an argument of the type")
			}
			in.i++
		})
		text += in.since(open)
	} else if first == "ENUM" || first == "SET" {
		in.unexpected(`"(" and the labels of the type`)
	}
	for {
		switch w := in.acceptAny("UNSIGNED", "SIGNED", "ZEROFILL"); w {
		case "":
			return text, enum
		case "SIGNED": // it says nothing
		default:
			text += " " + strings.ToLower(w)
		}
	}
}

// typeText reads the type of a parameter or a result.
func (in *mysql) typeText() string {
	from := in.i
	in.typeWords()
	in.charset(&schema.Column{})
	return in.since(from)
}

// charset reads the character set and collation behind a type.
func (in *mysql) charset(c *schema.Column) {
	switch {
	case in.accept("CHARACTER", "SET"), in.accept("CHAR", "SET"), in.accept("CHARSET"):
		c.Charset = in.charsetName()
	case in.accept("ASCII"):
		c.Charset = "latin1"
	case in.accept("UNICODE"):
		c.Charset = "ucs2"
	}
	binary := in.accept("BINARY")
	if binary && c.Charset == "" && (in.accept("CHARACTER", "SET") || in.accept("CHARSET")) {
		c.Charset = in.charsetName()
	}
	switch {
	case binary && c.Charset != "":
		c.Collation = c.Charset + "_bin"
	case binary: // that of the character set which the table or the database gives the column
		c.Options = append(c.Options, schema.Option{Key: "BINARY"})
	}
	if in.accept("COLLATE") {
		c.Collation = in.charsetName()
	}
}

// charsetName reads the name of a character set or collation, which may be in quotes.
func (in *mysql) charsetName() string {
	if in.tok().kind == textToken {
		return in.literal("a name")
	}
	return in.anyName("a character set or collation")
}

// columnAttribute reads one property of a column.
func (in *mysql) columnAttribute(t *schema.Table, c *schema.Column) bool {
	k := &schema.Constraint{Inline: true, Columns: []string{c.Name}, Origin: in.here()}
	if in.mariadb && c.Generated != nil && !in.isAny("UNIQUE", "COMMENT", "INVISIBLE", "CHECK") {
		return false
	}
	switch {
	case in.accept("NOT", "NULL"):
		c.NotNull, c.Nullable = true, false
	case in.accept("NULL"):
		c.NotNull, c.Nullable = false, true
	case in.accept("DEFAULT"):
		c.Default = in.defaultValue()
	case in.accept("ON", "UPDATE"):
		from := in.i
		in.expectAny("CURRENT_TIMESTAMP", "NOW", "LOCALTIME", "LOCALTIMESTAMP")
		if in.is("(") {
			in.group()
		}
		c.OnUpdate = in.since(from)
	case in.accept("AUTO_INCREMENT"):
		c.AutoIncrement = true
	case in.accept("SERIAL"):
		in.expect("DEFAULT", "VALUE")
		in.serial(t, c)
	case in.accept("PRIMARY"):
		in.expect("KEY")
		in.inlineKey(t, c, schema.PrimaryKey)
	case in.accept("KEY"):
		in.inlineKey(t, c, schema.PrimaryKey)
	case in.accept("UNIQUE"):
		in.accept("KEY")
		in.inlineKey(t, c, schema.Unique)
	case in.accept("COMMENT"):
		in.accept("=")
		c.Comment = in.literal("a comment")
	case in.accept("COLLATE"):
		c.Collation = in.charsetName()
	case !in.mariadb && (in.is("GENERATED") || in.is("AS", "(")):
		in.generated(c)
	case in.accept("CHECK"):
		in.check(t, k)
		return !in.mariadb || in.is("REFERENCES") // where it is the last one
	case !in.mariadb && in.accept("CONSTRAINT"):
		if !in.is("CHECK") {
			k.Name = in.name("a constraint")
		}
		in.expect("CHECK")
		in.check(t, k)
	case in.accept("REFERENCES"):
		if !in.mariadb {
			in.refuse("REFERENCES behind a column, which MySQL before 9.0 takes without making a foreign key of it,",
				"write FOREIGN KEY ("+in.d.Quote(c.Name)+") REFERENCES … as a definition of its own")
		}
		k.Kind = schema.ForeignKey
		in.foreignKey(t, k)
	case in.accept("INVISIBLE"):
		c.Invisible = true
	case in.accept("VISIBLE"):
		c.Invisible = false
	case in.accept("COMPRESSED"):
		o := schema.Option{Key: "COMPRESSED"}
		if in.accept("=") {
			o.Value = in.textOf(in.next("a method"))
		}
		c.Options = append(c.Options, o)
	case in.mariadb && in.accept("WITH", "SYSTEM", "VERSIONING"):
		c.Options = append(c.Options, schema.Option{Key: "WITH SYSTEM VERSIONING"})
	case in.mariadb && in.accept("WITHOUT", "SYSTEM", "VERSIONING"):
		c.Options = append(c.Options, schema.Option{Key: "WITHOUT SYSTEM VERSIONING"})
	case in.isAny("COLUMN_FORMAT", "STORAGE", "SRID", "REF_SYSTEM_ID", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE"):
		key := strings.ToUpper(in.textOf(in.next("an option")))
		in.accept("=")
		c.Options = append(c.Options, schema.Option{Key: key, Value: in.textOf(in.next("a value"))})
	default:
		return false
	}
	return true
}

// inlineKey adds the key that a column says it is. It is one key however often the
// column says so, a primary key before all.
func (in *mysql) inlineKey(t *schema.Table, c *schema.Column, kind schema.ConstraintKind) {
	k := &schema.Constraint{Kind: kind, Inline: true, Columns: []string{c.Name}, Origin: c.Origin}
	for _, other := range t.Constraints[in.ownKeys:] {
		switch {
		case other.Kind == schema.PrimaryKey, other.Kind == schema.Unique && kind == schema.Unique:
			return
		case other.Kind == schema.Unique:
			t.Constraints = without(t.Constraints, other)
		}
	}
	if kind == schema.PrimaryKey {
		if in.primaryKey(t) != nil {
			in.twoKeys(t)
		}
	} else {
		x := &schema.Index{Keys: []schema.IndexKey{{Column: c.Name}}}
		in.nameIndex(t, x)
		k.Name, k.Implicit = x.Name, true
	}
	t.Constraints = append(t.Constraints, k)
}

// defaultValue reads what follows DEFAULT: a text is a literal, everything else stays in
// the author's words.
func (in *mysql) defaultValue() *schema.Default {
	from := in.i
	switch t := in.tok(); {
	case t.kind == textToken:
		in.i++
		if in.tok().kind == textToken { // texts side by side are one
			for in.tok().kind == textToken {
				in.i++
			}
		} else if c := in.text[t.start]; c == '\'' || c == '"' {
			return &schema.Default{Literal: true, Text: in.unquoted(t)}
		}
	case in.is("("):
		in.enclosed()
	case in.accept("-"), in.accept("+"):
		if in.tok().kind != numberToken {
			in.unexpected("a number")
		}
		in.i++
	case t.kind == numberToken:
		in.i++
	case in.isAny("NULL", "TRUE", "FALSE"):
		in.i++
	case t.kind == wordToken && t.end > t.start+1 && in.text[t.start] == '_' && in.ahead(1).kind == textToken: // _utf8'x'
		in.i += 2
	case in.isAny("DATE", "TIME", "TIMESTAMP") && in.ahead(1).kind == textToken:
		in.i += 2
	case in.isAny("CURRENT_TIMESTAMP", "NOW", "LOCALTIME", "LOCALTIMESTAMP"), in.mariadb && in.isAny("CURRENT_DATE", "CURRENT_TIME", "CURDATE", "CURTIME",
		"UTC_TIMESTAMP", "UTC_DATE", "UTC_TIME", "CURRENT_USER", "CURRENT_ROLE"):
		in.i++
		if in.is("(") {
			in.group()
		}
	case in.mariadb && in.is("NEXT", "VALUE"):
		in.i += 2
		in.expect("FOR")
		in.qualified("a sequence")
	case in.mariadb && t.kind == wordToken && in.tokenIs(in.ahead(1), "("):
		in.i++
		in.group()
		in.expression(in.since(from), t.start)
	default:
		in.unexpected("a value")
	}
	return &schema.Default{Text: in.since(from)}
}

// generated reads [GENERATED ALWAYS] AS (…).
func (in *mysql) generated(c *schema.Column) {
	in.accept("GENERATED", "ALWAYS")
	in.expect("AS")
	if in.mariadb && in.accept("ROW") {
		c.RowPeriod = in.expectAny("START", "END")
		return
	}
	c.Generated = &schema.Generated{Expr: in.enclosed()}
	switch w := in.acceptAny("STORED", "PERSISTENT", "VIRTUAL"); w {
	case "":
		c.Generated.Unsaid = true
	default:
		c.Generated.Stored = w != "VIRTUAL"
	}
}

// systemVersioning is the option of a table that keeps the former versions of its rows.
const systemVersioning = "WITH SYSTEM VERSIONING"

// simpleOptions are the options of a table whose value is one word, number or text.
var simpleOptions = []string{
	"AUTO_INCREMENT", "AUTOEXTEND_SIZE", "AVG_ROW_LENGTH", "CHECKSUM", "COMPRESSION", "DELAY_KEY_WRITE", "ENCRYPTION", "ENCRYPTED",
	"ENCRYPTION_KEY_ID", "ENGINE_ATTRIBUTE", "IETF_QUOTES", "INSERT_METHOD", "KEY_BLOCK_SIZE", "MAX_ROWS", "MIN_ROWS", "PACK_KEYS", "PAGE_CHECKSUM",
	"PAGE_COMPRESSED", "PAGE_COMPRESSION_LEVEL", "ROW_FORMAT", "SECONDARY_ENGINE", "SECONDARY_ENGINE_ATTRIBUTE", "SEQUENCE",
	"STATS_AUTO_RECALC", "STATS_PERSISTENT", "STATS_SAMPLE_PAGES", "TABLE_CHECKSUM", "TABLESPACE", "TRANSACTIONAL",
}

// tableOptions reads the options behind a table's parentheses, or in ALTER TABLE.
func (in *mysql) tableOptions(t *schema.Table) {
	for in.tableOption(t) {
		in.accept(",")
	}
}

func (in *mysql) tableOption(t *schema.Table) bool {
	switch {
	case in.accept("ENGINE"):
		in.accept("=")
		t.Engine = in.charsetName()
	case in.is("DEFAULT", "CHARACTER"), in.is("DEFAULT", "CHARSET"), in.is("DEFAULT", "COLLATE"):
		in.i++
		return in.tableOption(t)
	case in.accept("CHARACTER", "SET"), in.accept("CHARSET"):
		in.accept("=")
		t.Charset = in.charsetName()
	case in.accept("COLLATE"):
		in.accept("=")
		t.Collation = in.charsetName()
	case in.accept("COMMENT"):
		in.accept("=")
		t.Comment = in.literal("a comment")
	case in.is("DATA", "DIRECTORY"), in.is("INDEX", "DIRECTORY"), in.isAny("CONNECTION", "PASSWORD"):
		in.refuse("the table option "+in.leadingOption(), "it belongs to one server")
	case in.accept("UNION"):
		in.accept("=")
		names := in.i
		in.names("a table")
		setOption(t, "UNION", in.since(names))
	case in.mariadb && in.accept("WITH", "SYSTEM", "VERSIONING"):
		setOption(t, systemVersioning, "")
	case in.isAny(simpleOptions...):
		key := strings.ToUpper(in.textOf(in.next("an option")))
		in.accept("=")
		setOption(t, key, in.textOf(in.next("a value")))
	default:
		return false
	}
	return true
}

// setOption sets an option of a table, in the place of the same one.
func setOption(t *schema.Table, key, value string) {
	for i := range t.Options {
		if t.Options[i].Key == key {
			t.Options[i].Value = value
			return
		}
	}
	t.Options = append(t.Options, schema.Option{Key: key, Value: value})
}

// leadingOption returns the words of an option.
func (in *mysql) leadingOption() string {
	first := strings.ToUpper(in.textOf(in.tok()))
	if in.tokenIs(in.ahead(1), "DIRECTORY") {
		first += " DIRECTORY"
	}
	return first
}

// partitionBy reads what follows PARTITION BY, and judges its form.
func (in *mysql) partitionBy() string {
	from := in.i
	in.accept("LINEAR")
	form := in.expectAny("HASH", "KEY", "RANGE", "LIST", "SYSTEM_TIME")
	switch form {
	case "HASH":
		in.enclosed()
	case "KEY":
		if in.accept("ALGORITHM") {
			in.expect("=")
			in.number("an algorithm")
		}
		in.group()
	case "SYSTEM_TIME":
		in.skipTo("PARTITIONS", "(")
	default:
		if in.accept("COLUMNS") {
			in.names("a column")
		} else {
			in.enclosed()
		}
	}
	if in.accept("PARTITIONS") {
		in.number("how many partitions")
	}
	if in.accept("SUBPARTITION", "BY") {
		in.accept("LINEAR")
		in.expectAny("HASH", "KEY")
		in.group()
		if in.accept("SUBPARTITIONS") {
			in.number("how many partitions")
		}
	}
	if in.is("(") && !in.tokenIs(in.ahead(1), "SELECT") {
		in.list(func() {
			if !in.accept("PARTITION") && !in.mariadb {
				in.unexpected("PARTITION")
			}
			in.name("a partition")
			in.skipTo(",")
		})
	} else if form == "RANGE" || form == "LIST" {
		in.unexpected(`"(" and the partitions`)
	}
	return in.since(from)
}

func (in *mysql) createIndex(kind string, replace bool) {
	in.expect("INDEX")
	exists := in.mariadb && in.ifNotExists()
	x := &schema.Index{Unique: kind == "UNIQUE", Origin: in.origin(in.toks[0].start)}
	if !x.Unique {
		x.Kind = kind
	}
	x.Name = in.name("an index")
	in.using(&x.Method)
	in.expect("ON")
	x.Table = in.qualified("a table")
	x.Keys = in.indexKeys(nil)
	in.indexOptions(x)
	in.algorithm()
	if t := in.table(x.Table); t != nil {
		taken := in.index(t, x.Name) != nil || in.constraint(t, x.Name, schema.Unique) != nil
		switch {
		case taken && replace:
			in.dropKey(t, x.Name, false)
		case taken && exists:
			in.skip("CREATE INDEX IF NOT EXISTS of " + quoted(x.Name) + ", which is declared,")
			return
		}
		in.free(t, x.Name)
		if plainUnique(x) { // it is the same as a key of the table
			t.Constraints = append(t.Constraints, keyOf(x, schema.Unique))
			return
		}
	} else if plainUnique(x) {
		k := keyOf(x, schema.Unique)
		k.Table = x.Table
		in.db.Constraints = append(in.db.Constraints, k)
		return
	}
	in.addIndex(x)
}

// algorithm passes over how a change is to be made, which declares nothing.
func (in *mysql) algorithm() {
	for in.isAny("ALGORITHM", "LOCK") {
		in.dropPart(strings.ToUpper(in.textOf(in.next("an option"))))
		in.accept("=")
		in.next("a value")
		in.accept(",")
	}
}

// dropKey removes an index, which may be a unique key.
func (in *mysql) dropKey(t *schema.Table, name string, ifExists bool) {
	if x := in.index(t, name); x != nil {
		t.Indexes = without(t.Indexes, x)
		return
	}
	if c := in.constraint(t, name, schema.Unique); c != nil {
		t.Constraints = without(t.Constraints, c)
		return
	}
	if pk := in.primaryKey(t); pk != nil && strings.EqualFold(name, "PRIMARY") {
		t.Constraints = without(t.Constraints, pk)
		return
	}
	in.dropped("INDEX", fmt.Sprintf("%s.%s", t.Name, name), ifExists)
}
