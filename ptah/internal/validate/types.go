package validate

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// userType is a type that the schema declares.
type userType struct {
	kind   string // enum, domain, composite type, range type
	name   schema.Name
	enum   *schema.Enum
	domain *schema.Domain
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
		add(userType{kind: "composite type", name: x.Name})
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

// dataType is a type as the database has it: under one name, whatever it was called.
type dataType struct {
	name     string // int4, varchar, …; of a declared type its key
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
		base := t.Base()
		if base == "enum" && len(enum) > 0 {
			return dataType{name: "enum", array: array, labels: enum}, true
		}
		name, known := c.builtin(base, col.Native)
		dt := dataType{name: name, args: t.Args, array: array, unsigned: t.Unsigned}
		if c.d.MySQLFamily() {
			switch {
			case base == "serial" && col.Native:
				dt.unsigned = true
			case name == "enum":
				for _, a := range t.Args {
					dt.labels = append(dt.labels, unquote(a))
				}
			}
		}
		return dt, known
	}
	return dataType{}, false
}

// unquote takes the quotes off a literal.
func unquote(literal string) string {
	if len(literal) < 2 || literal[0] != '\'' && literal[0] != '"' || literal[len(literal)-1] != literal[0] {
		return literal
	}
	q := literal[:1]
	return strings.ReplaceAll(literal[1:len(literal)-1], q+q, q)
}

// postgresTypes are the names under which PostgreSQL knows its types, by those that
// people write. Types that have one name alone are in them as well.
var postgresTypes = words(map[string]string{
	"int2": "smallint int2 smallserial serial2", "int4": "integer int int4 serial serial4", "int8": "bigint int8 bigserial serial8",
	"float4": "real float4", "float8": "double precision,float8,float", "numeric": "numeric decimal dec",
	"text": "text", "varchar": "varchar,character varying,char varying", "bpchar": "char character bpchar", "name": "name",
	"bool": "boolean bool", "date": "date", "time": "time,time without time zone", "timetz": "timetz,time with time zone",
	"timestamp": "timestamp,timestamp without time zone", "timestamptz": "timestamptz,timestamp with time zone",
	"interval": "interval", "bytea": "bytea", "uuid": "uuid", "json": "json", "jsonb": "jsonb", "xml": "xml",
	"inet": "inet", "cidr": "cidr", "macaddr": "macaddr", "macaddr8": "macaddr8", "money": "money",
	"bit": "bit", "varbit": "varbit,bit varying", "tsvector": "tsvector", "tsquery": "tsquery", "oid": "oid",
	"point": "point", "line": "line", "lseg": "lseg", "box": "box", "path": "path", "polygon": "polygon", "circle": "circle",
	"int4range": "int4range", "int8range": "int8range", "numrange": "numrange", "daterange": "daterange", "tsrange": "tsrange", "tstzrange": "tstzrange",
	"pg_lsn": "pg_lsn", "jsonpath": "jsonpath",
})

// mysqlTypes are the same for MySQL and MariaDB.
var mysqlTypes = words(map[string]string{
	"tinyint": "tinyint bool boolean int1", "smallint": "smallint int2", "mediumint": "mediumint int3 middleint", "int": "int integer int4", "bigint": "bigint int8 serial",
	"float": "float float4", "double": "double,double precision,real,float8", "decimal": "decimal numeric dec fixed",
	"char": "char,character,nchar,national char,national character", "varchar": "varchar,character varying,char varying,nvarchar,varcharacter,national varchar",
	"tinytext": "tinytext", "text": "text", "mediumtext": "mediumtext,long varchar,long", "longtext": "longtext",
	"binary": "binary", "varbinary": "varbinary", "tinyblob": "tinyblob", "blob": "blob", "mediumblob": "mediumblob,long varbinary", "longblob": "longblob",
	"enum": "enum", "set": "set", "date": "date", "datetime": "datetime", "timestamp": "timestamp", "time": "time", "year": "year",
	"json": "json", "bit": "bit", "uuid": "uuid", "inet4": "inet4", "inet6": "inet6",
	"geometry": "geometry", "point": "point", "linestring": "linestring", "polygon": "polygon",
})

// portableMySQL is what MySQL has in the place of PostgreSQL's types.
var portableMySQL = map[string]string{
	"int2": "smallint", "int4": "int", "int8": "bigint", "float4": "float", "float8": "double", "numeric": "decimal",
	"text": "text", "varchar": "varchar", "bpchar": "char", "bool": "tinyint", "date": "date", "time": "time",
	"timestamp": "datetime", "timestamptz": "timestamp", "bytea": "longblob", "json": "json", "jsonb": "json",
}

func words(names map[string]string) map[string]string {
	byWord := map[string]string{}
	for name, list := range names {
		sep := " "
		if strings.Contains(list, ",") {
			sep = ","
		}
		for w := range strings.SplitSeq(list, sep) {
			byWord[w] = name
		}
	}
	return byWord
}

// builtin is the database's name of a type of its own; ok is false if it is not known
// here, which does not mean that the database has no such type.
func (c *checker) builtin(base string, native bool) (name string, ok bool) {
	pg, portable := postgresTypes[base]
	switch {
	case c.d.MySQLFamily():
		if !native {
			if base == "blob" {
				return "blob", true
			}
			if m, ok := portableMySQL[pg]; portable && ok {
				return m, true
			}
		}
		name, ok = mysqlTypes[base]
	case c.d.PostgresFamily() || !native:
		name, ok = pg, portable
		if base == "blob" {
			name, ok = "bytea", true
		}
	}
	return name, ok
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
			if why := c.arguments(col.Type, col.Native); why != "" {
				c.problem("TYP002", col.Origin, object, "type %.80q: %s", col.Type.Text, why)
			}
		}
	}
	for _, x := range c.db.Domains {
		if why := c.arguments(x.Type, asWritten(x.Origin)); why != "" {
			c.problem("TYP002", x.Origin, c.show(x.Name), "type %.80q: %s", x.Type.Text, why)
		}
	}
	for _, x := range c.db.Composites {
		for _, f := range x.Fields {
			if why := c.arguments(f.Type, asWritten(x.Origin)); why != "" {
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
// that each may be. A nil one is not checked.
type bounds struct {
	most int
	of   [2][2]int
}

var postgresBounds = map[string]bounds{
	"varchar": {1, [2][2]int{{1, 10485760}}}, "bpchar": {1, [2][2]int{{1, 10485760}}},
	"bit": {1, [2][2]int{{1, 83886080}}}, "varbit": {1, [2][2]int{{1, 83886080}}},
	"numeric": {2, [2][2]int{{1, 1000}, {-1000, 1000}}}, "float8": {1, [2][2]int{{1, 53}}},
	// Larger fractions are cut to 6 digits, with a warning.
	"time": {1, [2][2]int{{0, 1 << 30}}}, "timetz": {1, [2][2]int{{0, 1 << 30}}}, "timestamp": {1, [2][2]int{{0, 1 << 30}}},
	"timestamptz": {1, [2][2]int{{0, 1 << 30}}}, "interval": {1, [2][2]int{{0, 1 << 30}}},
	"int2": {}, "int4": {}, "int8": {}, "float4": {}, "text": {}, "name": {}, "bool": {}, "date": {}, "bytea": {}, "uuid": {}, "json": {},
	"jsonb": {}, "xml": {}, "inet": {}, "cidr": {}, "macaddr": {}, "macaddr8": {}, "money": {}, "tsvector": {}, "tsquery": {},
}

var mysqlBounds = map[string]bounds{
	"tinyint": {1, [2][2]int{{0, 255}}}, "smallint": {1, [2][2]int{{0, 255}}}, "mediumint": {1, [2][2]int{{0, 255}}}, "int": {1, [2][2]int{{0, 255}}}, "bigint": {1, [2][2]int{{0, 255}}},
	"decimal": {2, [2][2]int{{0, 65}, {0, 30}}}, "float": {2, [2][2]int{{0, 53}, {0, 30}}}, "double": {2, [2][2]int{{0, 255}, {0, 30}}},
	"char": {1, [2][2]int{{0, 255}}}, "varchar": {1, [2][2]int{{0, 65535}}}, "binary": {1, [2][2]int{{0, 255}}}, "varbinary": {1, [2][2]int{{0, 65535}}},
	"bit": {1, [2][2]int{{1, 64}}}, "time": {1, [2][2]int{{0, 6}}}, "datetime": {1, [2][2]int{{0, 6}}}, "timestamp": {1, [2][2]int{{0, 6}}},
	"date": {}, "json": {}, "tinytext": {}, "mediumtext": {}, "longtext": {}, "tinyblob": {}, "mediumblob": {}, "longblob": {},
}

// arguments says what is wrong with the arguments of a type; empty: nothing that is
// known. Portable types are held to PostgreSQL's limits: they are its words.
func (c *checker) arguments(t schema.Type, native bool) string {
	if c.userType(t).kind != "" {
		return ""
	}
	base := t.Base()
	if m, ok := portableMySQL[postgresTypes[base]]; ok && !native && c.d.MySQLFamily() && (m == "varchar" || m == "char" || m == "decimal") && len(t.Args) > 0 {
		t.Name = m // these have limits of their own there
		native = true
		base = m
	}
	var b bounds
	var known bool
	switch pg, portable := postgresTypes[base]; {
	case portable && (!native || c.d.PostgresFamily()):
		b, known = postgresBounds[pg]
		if pg == "float8" && base != "float" {
			b, known = bounds{}, true
		}
	case native && c.d.MySQLFamily():
		b, known = mysqlBounds[mysqlTypes[base]]
		if mysqlTypes[base] == "decimal" && c.d == dialect.MariaDB {
			b.of[1][1] = 38
		}
	}
	if !known {
		return ""
	}
	if base == "text" && !native && len(t.Args) == 1 {
		return "" // text(n): how much it is to hold
	}
	if base == "interval" && strings.Contains(strings.ToLower(t.Text), "second") {
		return ""
	}
	if len(t.Args) > b.most {
		if b.most == 0 {
			return "it takes no argument, write " + strings.ToUpper(base)
		}
		return "it takes at most " + strconv.Itoa(b.most) + plural(b.most, " argument", " arguments") + ", got " + strconv.Itoa(len(t.Args))
	}
	var numbers []int
	for i, a := range t.Args {
		n, err := strconv.Atoi(strings.TrimSpace(a))
		if err != nil {
			return "its argument must be a whole number, got " + strconv.Quote(cut(a))
		}
		if lo, hi := b.of[i][0], b.of[i][1]; n < lo || n > hi {
			return "its argument must be between " + strconv.Itoa(lo) + " and " + strconv.Itoa(hi) + ", got " + strconv.Itoa(n)
		}
		numbers = append(numbers, n)
	}
	if name := mysqlTypes[base]; len(numbers) == 2 && c.d.MySQLFamily() && (name == "decimal" || name == "float" || name == "double") && numbers[1] > numbers[0] {
		return "its scale " + strconv.Itoa(numbers[1]) + " is larger than its precision " + strconv.Itoa(numbers[0])
	}
	if len(numbers) == 2 && c.d == dialect.Postgres && c.version.Before("15.0") && postgresTypes[base] == "numeric" && (numbers[1] < 0 || numbers[1] > numbers[0]) {
		return "before PostgreSQL 15 its scale must be between 0 and its precision " + strconv.Itoa(numbers[0]) + ", got " + strconv.Itoa(numbers[1])
	}
	return ""
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// cut is a value as messages show it.
func cut(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
