package validate

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// userType is a type that the schema declares.
type userType struct {
	kind   string // enum, domain, composite type, range type
	name   schema.Name
	enum   *schema.Enum
	domain *schema.Domain

	composite *schema.Composite
}

func (c *checker) declareTypes() {
	add := func(u userType) {
		if k := c.key(u.name); c.types[k].kind == "" {
			c.types[k] = u
		}
	}
	for _, e := range c.db.Enums {
		add(userType{kind: "enum", name: e.Name, enum: e})
	}
	for _, x := range c.db.Domains {
		add(userType{kind: "domain", name: x.Name, domain: x})
	}
	for _, x := range c.db.Composites {
		add(userType{kind: "composite type", name: x.Name, composite: x})
	}
	for _, x := range c.db.Ranges {
		add(userType{kind: "range type", name: x.Name})
	}
}

// userType finds the declared type that a type means; kind is empty if it means none.
// Unquoted words are looked up as written and folded, because annotations are exact.
func (c *checker) userType(t schema.Type) userType {
	if u := c.types[c.key(schema.Name{Schema: t.Schema, Name: t.Name})]; u.kind != "" || t.Quoted {
		return u
	}
	return c.types[c.key(schema.Name{Schema: strings.ToLower(t.Schema), Name: strings.ToLower(t.Name)})]
}

// dataType is a type as the database has it: in its spelling, whatever it was called.
type dataType struct {
	name     string // integer, varchar, …, in lower case; of a declared type its key
	args     []string
	array    int
	unsigned bool
	user     *userType
	labels   []string // of an enum
}

// maxDomains is how deep domains over domains are followed; they may be declared in a circle.
const maxDomains = 32

// typeOf is the type of a column as the database has it; ok is false where it is not
// known. Domains are what they are made of.
func (c *checker) typeOf(col *schema.Column) (dataType, bool) {
	t, enum := col.Type, col.Enum
	array := 0
	for range maxDomains {
		array += t.Array
		u := c.userType(t)
		switch {
		case u.kind == "domain":
			t, enum = u.domain.Type, nil
			continue
		case u.kind == "enum":
			k := c.key(u.name)
			return dataType{name: k.String(), array: array, user: &u, labels: u.enum.Values}, true
		case u.kind != "":
			k := c.key(u.name)
			return dataType{name: k.String(), array: array, user: &u}, true
		}
		if t.Base() == "enum" && len(enum) > 0 {
			return dataType{name: "enum", array: array, labels: enum}, true
		}
		dt, known := c.builtin(t, isNative(col))
		dt.array = array
		return dt, known
	}
	return dataType{}, false
}

// isNative reports whether the type of a column is in the words of the dialect.
func isNative(col *schema.Column) bool { return col.Native || col.Type.Native }

// typeWords is a type that has been looked up.
type typeWords struct {
	text   string
	native bool
}

// typeFound is what came of it.
type typeFound struct {
	dataType
	known bool
}

// builtin is what the database makes of a type of its own or of a portable one; ok is
// false where that is not known here. For the rules all dialects but MySQL, MariaDB and
// SQL Server have the types of PostgreSQL.
func (c *checker) builtin(t schema.Type, native bool) (dt dataType, ok bool) {
	key := typeWords{t.Text, native}
	if f, seen := c.found[key]; seen {
		return f.dataType, f.known
	}
	defer func() { c.found[key] = typeFound{dt, ok} }()
	d, version := c.d, c.version
	if !d.MySQLFamily() && d != dialect.SQLServer {
		if native && !d.PostgresFamily() {
			return dataType{}, false
		}
		if d != dialect.Postgres {
			d, version = dialect.Postgres, dialect.Version{}
		}
	}
	t.Native = native
	t.Array = 0
	mapped, err := d.MapType(t, version)
	if err != nil {
		return dataType{}, false
	}
	own, err := schema.ParseType(mapped.SQL)
	if err != nil || own.Base() == "" {
		return dataType{}, false
	}
	dt = dataType{name: own.Base(), args: own.Args, unsigned: own.Unsigned}
	switch dt.name {
	case "smallserial":
		dt.name = "smallint"
	case "bigserial":
		dt.name = "bigint"
	case "serial":
		dt.name = "integer"
		if d.MySQLFamily() {
			dt.name, dt.unsigned = "bigint", true
		}
	case "bpchar":
		dt.name = "char"
	case "enum":
		for _, a := range own.Args {
			dt.labels = append(dt.labels, unquote(a))
		}
	}
	return dt, true
}

// unquote takes the quotes off a literal.
func unquote(literal string) string {
	if len(literal) < 2 || literal[0] != '\'' && literal[0] != '"' || literal[len(literal)-1] != literal[0] {
		return literal
	}
	q := literal[:1]
	return strings.ReplaceAll(literal[1:len(literal)-1], q+q, q)
}

// checkTypes checks the arguments of types and the labels of enums.
func (c *checker) checkTypes(_ context.Context) {
	for _, e := range c.db.Enums {
		if !e.Inline { // its column is checked
			c.enumLabels(c.show(e.Name), e.Values, e.Origin)
		}
	}
	for _, t := range c.tables {
		for _, col := range t.Columns {
			object := t.object + "." + col.Name
			if col.Type.Base() == "enum" && len(col.Enum) == 0 && len(col.Type.Args) == 0 && c.userType(col.Type).kind == "" {
				c.problem("TYP003", col.Origin, object, "column %.80q is of type ENUM and has no values; list them", col.Name)
			}
			labels := col.Enum
			if len(labels) == 0 && col.Type.Base() == "enum" {
				for _, a := range col.Type.Args {
					labels = append(labels, unquote(a))
				}
			}
			if len(labels) > 0 {
				c.enumLabels(object, labels, col.Origin)
			}
			if why := c.arguments(col.Type, isNative(col)); why != "" {
				c.problem("TYP002", col.Origin, object, "type %.80q: %s", col.Type.Text, why)
			}
		}
	}
	for _, x := range c.db.Domains {
		if why := c.arguments(x.Type, asWritten(x.Origin) || x.Type.Native); why != "" {
			c.problem("TYP002", x.Origin, c.show(x.Name), "type %.80q: %s", x.Type.Text, why)
		}
	}
	for _, x := range c.db.Composites {
		for _, f := range x.Fields {
			if why := c.arguments(f.Type, asWritten(x.Origin) || f.Type.Native); why != "" {
				c.problem("TYP002", x.Origin, c.show(x.Name)+"."+f.Name, "type %.80q: %s", f.Type.Text, why)
			}
		}
	}
}

func (c *checker) enumLabels(object string, labels []string, at schema.Origin) {
	if len(labels) == 0 && !(c.d.PostgresFamily() && asWritten(at)) {
		c.problem("TYP003", at, object, "the enum has no values; list at least one")
	}
	seen := map[string]bool{}
	for _, label := range labels {
		key := label
		if c.d.MySQLFamily() {
			key = strings.ToLower(label)
		}
		switch {
		case seen[key]:
			c.problem("TYP003", at, object, "the enum has the value %.80q twice", label)
		case c.d.PostgresFamily() && len(label) > dialect.MaxNameBytes:
			c.problem("TYP003", at, object, "the enum's value %.80q has %d bytes; %s allows %d", label, len(label), c.d, dialect.MaxNameBytes)
		case c.d.MySQLFamily() && utf8.RuneCountInString(label) > 255:
			c.problem("TYP003", at, object, "the enum's value %.80q has %d characters; %s allows 255", label, utf8.RuneCountInString(label), c.d)
		}
		seen[key] = true
	}
}

// bounds says which arguments a type takes: at most how many, and the least and most
// that each may be.
type bounds struct {
	most int
	of   [2][2]int
}

var (
	none     = bounds{}
	fraction = bounds{1, [2][2]int{{0, 6}}}
	// PostgreSQL cuts larger fractions to 6 digits, with a warning.
	anyFraction = bounds{1, [2][2]int{{0, 1 << 30}}}
	display     = bounds{1, [2][2]int{{0, 255}}}
)

var postgresBounds = map[string]bounds{
	"varchar": {1, [2][2]int{{1, 10485760}}}, "char": {1, [2][2]int{{1, 10485760}}},
	"bit": {1, [2][2]int{{1, 83886080}}}, "bit varying": {1, [2][2]int{{1, 83886080}}},
	"numeric": {2, [2][2]int{{1, 1000}, {-1000, 1000}}}, "float": {1, [2][2]int{{1, 53}}},
	"time": anyFraction, "timetz": anyFraction, "timestamp": anyFraction, "timestamptz": anyFraction,
	"smallint": none, "integer": none, "bigint": none, "real": none, "double precision": none, "text": none, "name": none, "boolean": none, "date": none, "bytea": none,
	"uuid": none, "json": none, "jsonb": none, "xml": none, "inet": none, "cidr": none, "macaddr": none, "macaddr8": none, "money": none, "tsvector": none, "tsquery": none,
}

var mysqlBounds = map[string]bounds{
	"tinyint": display, "smallint": display, "mediumint": display, "int": display, "bigint": display,
	"decimal": {2, [2][2]int{{0, 65}, {0, 30}}}, "float": {2, [2][2]int{{0, 53}, {0, 30}}}, "double": {2, [2][2]int{{0, 255}, {0, 30}}},
	"char": {1, [2][2]int{{0, 255}}}, "varchar": {1, [2][2]int{{0, 65535}}}, "binary": {1, [2][2]int{{0, 255}}}, "varbinary": {1, [2][2]int{{0, 65535}}},
	"bit": {1, [2][2]int{{1, 64}}}, "time": fraction, "datetime": fraction, "timestamp": fraction,
	"date": none, "json": none, "tinytext": none, "mediumtext": none, "longtext": none, "tinyblob": none, "mediumblob": none, "longblob": none,
}

// arguments says what is wrong with the arguments of a type; empty: nothing that is
// known. Portable types are held to PostgreSQL's limits, whose words they are, and
// those that MySQL takes over with their arguments to its limits as well.
func (c *checker) arguments(t schema.Type, native bool) string {
	if c.userType(t).kind != "" {
		return ""
	}
	if len(t.Args) == 0 {
		if own, known := c.builtin(t, native); known && native && c.d.MySQLFamily() && needsLength(own.name) {
			return "it needs a length, such as " + strings.ToUpper(own.name) + "(255)"
		}
		return ""
	}
	if !native || c.d.PostgresFamily() {
		name, _ := dialect.Portable(t)
		if t.Base() == "float" {
			name = "float"
		} else if own, known := c.builtin(t, true); c.d.PostgresFamily() && known {
			name = own.name
		}
		if name == "text" && !native && len(t.Args) == 1 { // how much it is to hold
			return ""
		}
		if b, known := postgresBounds[name]; known {
			if why := b.fault(t); why != "" {
				return why
			}
		}
		// From 15 on the scale has limits of its own.
		if c.d == dialect.Postgres && c.version.Before("15") && name == "numeric" && len(t.Args) == 2 {
			return scaleFault(t, "before PostgreSQL 15 its")
		}
	}
	if !c.d.MySQLFamily() {
		return ""
	}
	own, known := c.builtin(t, native)
	b, limited := mysqlBounds[own.name]
	if !known || !limited || !native && len(own.args) != len(t.Args) {
		return ""
	}
	if own.name == "decimal" && c.d == dialect.MariaDB {
		b.of[1][1] = 38
	}
	if why := b.fault(t); why != "" {
		return why
	}
	if own.name == "decimal" || own.name == "float" || own.name == "double" {
		return scaleFault(t, "its")
	}
	return ""
}

// needsLength reports whether a type of MySQL cannot be without its length.
func needsLength(name string) bool {
	return name == "varbinary" || name == "varchar" || name == "nvarchar" || strings.HasSuffix(name, "char varying") || strings.HasSuffix(name, " varchar")
}

// fault says what is wrong with the arguments of a type that has these bounds.
func (b bounds) fault(t schema.Type) string {
	if len(t.Args) > b.most {
		if b.most == 0 {
			return "it takes no argument"
		}
		return fmt.Sprintf("it takes at most %s, got %d", plain.Count(b.most, "argument", "arguments"), len(t.Args))
	}
	for i, a := range t.Args {
		n, err := strconv.Atoi(a)
		if err != nil {
			return fmt.Sprintf("its argument must be a whole number, got %.80q", a)
		}
		if lo, hi := b.of[i][0], b.of[i][1]; n < lo || n > hi {
			return fmt.Sprintf("its argument must be between %d and %d, got %d", lo, hi, n)
		}
	}
	return ""
}

// scaleFault says that a scale is not between 0 and its precision.
func scaleFault(t schema.Type, whose string) string {
	if len(t.Args) < 2 {
		return ""
	}
	precision, _ := strconv.Atoi(t.Args[0])
	if scale, _ := strconv.Atoi(t.Args[1]); scale < 0 || scale > precision {
		return fmt.Sprintf("%s scale must be between 0 and its precision %d, got %d", whose, precision, scale)
	}
	return ""
}
