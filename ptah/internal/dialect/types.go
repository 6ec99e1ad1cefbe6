package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// What becomes of a portable type in each dialect. A row whose name ends in () is for
// the type with arguments, where that differs.
//
// A cell has alternatives, parted by " / ", of which the first one that holds is taken;
// a lone - refuses the type. An alternative is the type in the dialect's words, in which
// ($) stands for the arguments as declared and nothing without any, ($6) for 6 without
// any. Around it may stand
//
//	~   before it: less is kept than was declared (a warning)
//	=   before it: that the arguments go loses nothing
//	+   behind it: the database counts it up
//	@v  it holds from that version on
//	#n  it holds for a first argument up to n
//	?c  a check that goes with it, {} being the column
//
// A type whose arguments have no place in the cell keeps less than was declared.
var types = readTable(`
                 | postgres         | mysql                                  | mariadb                                | sqlite              | sqlserver                          | cockroachdb    | clickhouse            | spanner     | oracle                         | ydb
smallint         | SMALLINT         | SMALLINT                               | SMALLINT                               | INTEGER             | SMALLINT                           | INT2           | Int16                 | INT64       | NUMBER(5)                      | Int16
integer          | INTEGER          | INT                                    | INT                                    | INTEGER             | INT                                | INT4           | Int32                 | INT64       | NUMBER(10)                     | Int32
bigint           | BIGINT           | BIGINT                                 | BIGINT                                 | INTEGER             | BIGINT                             | INT8           | Int64                 | INT64       | NUMBER(19)                     | Int64
smallserial      | SMALLSERIAL      | SMALLINT +                             | SMALLINT +                             | INTEGER +           | SMALLINT +                         | SERIAL2        | -                     | -           | NUMBER(5) +                    | -
serial           | SERIAL           | INT +                                  | INT +                                  | INTEGER +           | INT +                              | SERIAL4        | -                     | -           | NUMBER(10) +                   | -
bigserial        | BIGSERIAL        | BIGINT +                               | BIGINT +                               | INTEGER +           | BIGINT +                           | SERIAL8        | -                     | -           | NUMBER(19) +                   | -
boolean          | BOOLEAN          | BOOLEAN                                | BOOLEAN                                | INTEGER             | BIT                                | BOOL           | Bool                  | BOOL        | NUMBER(1) ? {} IN (0, 1)       | Bool
real             | REAL             | FLOAT                                  | FLOAT                                  | REAL                | REAL                               | FLOAT4         | Float32               | FLOAT32     | BINARY_FLOAT                   | Float
double precision | DOUBLE PRECISION | DOUBLE                                 | DOUBLE                                 | REAL                | FLOAT                              | FLOAT8         | Float64               | FLOAT64     | BINARY_DOUBLE                  | Double
numeric          | NUMERIC          | -                                      | -                                      | NUMERIC             | -                                  | DECIMAL        | Decimal(38, 10)       | NUMERIC     | NUMBER                         | -
numeric()        | NUMERIC($)       | DECIMAL($)                             | DECIMAL($)                             | NUMERIC($)          | NUMERIC($)                         | DECIMAL($)     | Decimal($) #76        | =NUMERIC #38 | NUMBER($)                     | Decimal($)
text             | TEXT             | TEXT                                   | TEXT                                   | TEXT                | NVARCHAR(MAX)                      | STRING         | String                | STRING(MAX) | CLOB                           | Utf8
text()           | TEXT             | =TEXT #65535 / =LONGTEXT               | =TEXT #65535 / =LONGTEXT               | TEXT                | NVARCHAR(MAX)                      | STRING         | String                | STRING(MAX) | CLOB                           | Utf8
varchar          | VARCHAR          | -                                      | -                                      | TEXT                | NVARCHAR(MAX)                      | VARCHAR        | String                | STRING(MAX) | -                              | Utf8
varchar()        | VARCHAR($)       | VARCHAR($)                             | VARCHAR($)                             | TEXT                | NVARCHAR($) #4000 / =NVARCHAR(MAX) | VARCHAR($)     | String                | STRING($)   | VARCHAR2($ CHAR)               | Utf8
char             | CHAR             | CHAR                                   | CHAR                                   | TEXT                | NCHAR(1)                           | CHAR           | ~FixedString(1)       | STRING(1)   | CHAR(1 CHAR)                   | Utf8
char()           | CHAR($)          | CHAR($)                                | CHAR($)                                | TEXT                | NCHAR($)                           | CHAR($)        | ~FixedString($)       | STRING($)   | CHAR($ CHAR)                   | Utf8
citext           | CITEXT           | ~VARCHAR(255) COLLATE utf8mb4_0900_ai_ci | ~VARCHAR(255) COLLATE utf8mb4_general_ci | TEXT COLLATE NOCASE | NVARCHAR(MAX)                    | -              | -                     | -           | -                              | -
bytea            | BYTEA            | LONGBLOB                               | LONGBLOB                               | BLOB                | VARBINARY(MAX)                     | BYTES          | String                | BYTES(MAX)  | BLOB                           | String
blob             | BYTEA            | BLOB                                   | BLOB                                   | BLOB                | VARBINARY(MAX)                     | BYTES          | String                | BYTES(MAX)  | BLOB                           | String
date             | DATE             | DATE                                   | DATE                                   | TEXT                | DATE                               | DATE           | Date                  | DATE        | DATE                           | Date
time             | TIME($)          | TIME($)                                | TIME($)                                | TEXT                | TIME($)                            | TIME($)        | -                     | -           | -                              | -
timestamp        | TIMESTAMP($)     | DATETIME($6)                           | DATETIME($6)                           | TEXT                | DATETIME2($)                       | TIMESTAMP($)   | DateTime64($3)        | -           | TIMESTAMP($)                   | Timestamp
timestamptz      | TIMESTAMPTZ($)   | ~TIMESTAMP($6)                         | ~TIMESTAMP($6)                         | TEXT                | DATETIMEOFFSET($)                  | TIMESTAMPTZ($) | DateTime64($3, 'UTC') | TIMESTAMP   | TIMESTAMP($) WITH TIME ZONE    | Timestamp
interval         | INTERVAL($)      | -                                      | -                                      | -                   | -                                  | INTERVAL($)    | -                     | -           | ~INTERVAL DAY TO SECOND        | -
uuid             | UUID             | ~CHAR(36)                              | UUID @10.7 / ~CHAR(36)                 | TEXT                | UNIQUEIDENTIFIER                   | UUID           | UUID                  | ~STRING(36) | ~RAW(16)                       | Uuid
json             | JSON             | JSON                                   | JSON                                   | TEXT                | ~NVARCHAR(MAX) ? ISJSON({}) = 1    | JSONB          | ~String               | JSON        | JSON @21 / CLOB ? {} IS JSON   | JsonDocument
jsonb            | JSONB            | JSON                                   | JSON                                   | TEXT                | ~NVARCHAR(MAX) ? ISJSON({}) = 1    | JSONB          | ~String               | JSON        | JSON @21 / CLOB ? {} IS JSON   | JsonDocument
inet             | INET             | -                                      | -                                      | -                   | -                                  | INET           | -                     | -           | -                              | -
cidr             | CIDR             | -                                      | -                                      | -                   | -                                  | -              | -                     | -           | -                              | -
macaddr          | MACADDR          | -                                      | -                                      | -                   | -                                  | -              | -                     | -           | -                              | -
tsvector         | TSVECTOR         | -                                      | -                                      | -                   | -                                  | -              | -                     | -           | -                              | -
xml              | XML              | -                                      | -                                      | -                   | XML                                | -              | -                     | -           | -                              | -
money            | MONEY            | -                                      | -                                      | -                   | MONEY                              | -              | -                     | -           | -                              | -
bit              | BIT($)           | -                                      | -                                      | -                   | -                                  | BIT($)         | -                     | -           | -                              | -
vector           | vector($)        | VECTOR($) @9.0                         | VECTOR($) @11.7                        | -                   | VECTOR($) @2025                    | VECTOR($) @24.2 | ~Array(Float32)      | -           | VECTOR($) @23                  | -
`)

// typeAliases are other names of portable types.
var typeAliases = map[string]string{
	"int": "integer", "int4": "integer", "int2": "smallint", "int8": "bigint",
	"serial2": "smallserial", "serial4": "serial", "serial8": "bigserial",
	"bool": "boolean", "float4": "real", "float8": "double precision", "double": "double precision", "float": "double precision",
	"decimal": "numeric", "dec": "numeric",
	"character varying": "varchar", "char varying": "varchar", "national character varying": "varchar", "national char varying": "varchar", "nchar varying": "varchar",
	"character": "char", "national character": "char", "national char": "char", "nchar": "char",
	"time without time zone": "time", "timestamp without time zone": "timestamp", "timestamp with time zone": "timestamptz",
}

// Portable returns the name under which the type stands in the table of portable types:
// "integer" for INT4. ok is false for a type that is not in it.
func Portable(t schema.Type) (name string, ok bool) {
	name = t.Base()
	if a := typeAliases[name]; a != "" {
		name = a
	}
	if name == "double precision" && t.Base() == "float" && len(t.Args) == 1 {
		if n, err := strconv.Atoi(t.Args[0]); err == nil && n <= 24 {
			name = "real"
		}
	}
	return name, types[name] != nil && name != ""
}

// Mapped is what a portable type becomes in a dialect.
type Mapped struct {
	SQL       string
	Collation string // that goes with it; empty: none
	Auto      bool   // the database counts it up
	Check     string // a condition that goes with it, {} being the column; empty: none
	Lossy     bool   // less is kept than was declared
}

// TypeError is a type that a dialect cannot hold.
type TypeError struct {
	Rule   finding.Rule
	Reason string
}

func (e *TypeError) Error() string { return e.Reason }

// MapType returns what a portable type that is no declared one becomes in a version of
// the database. A type of the dialect itself is taken as such. The error is a
// [*TypeError].
func (d Dialect) MapType(t schema.Type, v Version) (Mapped, error) {
	if t.Native {
		if own, ok := d.SpellType(t, v); ok {
			return Mapped{SQL: own}, nil
		}
	}
	if t.Array > 0 {
		return d.mapArray(t, v)
	}
	name, known := Portable(t)
	if !known {
		if own, ok := d.SpellType(t, v); ok {
			return Mapped{SQL: own}, nil
		}
		return Mapped{}, d.unknown(t)
	}
	if t.Unsigned {
		return d.mapUnsigned(t, name, v)
	}
	args := t.Args
	if t.Base() == "float" {
		args = nil // its bits chose the type
	}
	cell := types[name][d]
	if len(args) > 0 && types[name+"()"] != nil {
		cell = types[name+"()"][d]
	}
	if cell == "-" {
		return Mapped{}, d.refuse(t, name)
	}
	var since string
	for alternative := range strings.SplitSeq(cell, " / ") {
		m, version, ok := choose(strings.TrimSpace(alternative), args, v)
		if ok {
			return m, nil
		}
		since = version
	}
	if since != "" {
		return Mapped{}, &TypeError{"TYP001", fmt.Sprintf("type %s needs %s %s or later", t.Text, d, since)}
	}
	return Mapped{}, &TypeError{"TYP002", fmt.Sprintf("%s has no type for %s: the size is too large; set platform.%s.type", d, t.Text, d)}
}

// choose reads one alternative of a cell. ok is false if it does not hold, since is then
// the version that it needs.
func choose(cell string, args []string, v Version) (m Mapped, since string, ok bool) {
	cell, m.Check, _ = strings.Cut(cell, " ? ")
	if rest, version, found := strings.Cut(cell, " @"); found {
		if v.Before(version) {
			return m, version, false
		}
		cell = rest
	}
	if rest, limit, found := strings.Cut(cell, " #"); found {
		most, _ := strconv.Atoi(limit)
		if n, err := strconv.Atoi(args[0]); err != nil || n > most {
			return m, "", false
		}
		cell = rest
	}
	cell, m.Auto = strings.CutSuffix(cell, " +")
	cell, m.Lossy = strings.CutPrefix(cell, "~")
	cell, keeps := strings.CutPrefix(cell, "=")
	cell, m.Collation, _ = strings.Cut(cell, " COLLATE ")
	open, shut := strings.Index(cell, "($"), strings.LastIndex(cell, ")")
	switch {
	case open < 0:
		m.Lossy = m.Lossy || len(args) > 0 && !keeps
	default:
		inside, rest := cell[open+2:shut], cell[shut+1:]
		usual := inside[:len(inside)-len(strings.TrimLeft(inside, "0123456789"))]
		inside = inside[len(usual):]
		list := strings.Join(args, ",")
		if len(args) == 0 {
			list = usual
		}
		cell = cell[:open]
		if list != "" {
			cell += "(" + list + inside + ")"
		}
		cell += rest
	}
	m.SQL = cell
	return m, "", true
}

// mapUnsigned maps a number without negative values, which only the MySQL family has.
func (d Dialect) mapUnsigned(t schema.Type, name string, v Version) (Mapped, error) {
	switch name {
	case "smallint", "integer", "bigint", "smallserial", "serial", "bigserial", "numeric", "real", "double precision":
	default:
		return Mapped{}, &TypeError{"TYP001", fmt.Sprintf("type %.80q is unsigned, which only numbers can be", t.Text)}
	}
	suffix := " UNSIGNED"
	if t.Zerofill {
		suffix += " ZEROFILL"
	}
	if !d.MySQLFamily() && d != SQLite {
		return Mapped{}, &TypeError{"TYP001", fmt.Sprintf("type %.80q is unsigned; %s has no unsigned numbers of this form; take a wider type and a check, or set platform.%s.type", t.Text, d, d)}
	}
	t.Unsigned, t.Zerofill = false, false
	m, err := d.MapType(t, v)
	if err != nil {
		return m, err
	}
	if d == SQLite {
		m.Lossy = true
	} else {
		m.SQL += suffix
	}
	return m, nil
}

func (d Dialect) mapArray(t schema.Type, v Version) (Mapped, error) {
	if has, _ := d.Has(Arrays, v); !has {
		return Mapped{}, &TypeError{"TYP005", fmt.Sprintf("type %s is an array; %s has no arrays; use a table of its own or set platform.%s.type", t.Text, d, d)}
	}
	n := t.Array
	if n > 1 && (d == Spanner || d == CockroachDB) {
		return Mapped{}, &TypeError{"TYP005", fmt.Sprintf("type %s is an array of arrays, which %s does not have; set platform.%s.type", t.Text, d, d)}
	}
	t.Array = 0
	t.Text = strings.TrimSuffix(t.Text, "[]")
	m, err := d.MapType(t, v)
	if err != nil {
		return m, err
	}
	switch d {
	case ClickHouse:
		m.SQL = strings.Repeat("Array(", n) + m.SQL + strings.Repeat(")", n)
	case Spanner:
		m.SQL = strings.Repeat("ARRAY<", n) + m.SQL + strings.Repeat(">", n)
	default:
		m.SQL += strings.Repeat("[]", n)
	}
	return m, nil
}

func (d Dialect) unknown(t schema.Type) error {
	return &TypeError{"TYP001", fmt.Sprintf("type %.80q is unknown and not declared; for a type of %s alone set platform.%s.type", t.Text, d, d)}
}

func (d Dialect) refuse(t schema.Type, name string) error {
	advice := fmt.Sprintf("set platform.%s.type", d)
	switch {
	case name == "numeric" && len(t.Args) == 0:
		advice = "give precision and scale, such as NUMERIC(12,2)"
	case name == "varchar" && len(t.Args) == 0:
		advice = "give a length, such as VARCHAR(255)"
	case name == "timestamp" && d == Spanner:
		advice = "use TIMESTAMPTZ"
	}
	return &TypeError{"TYP001", fmt.Sprintf("%s has no type for %s; %s", d, t.Text, advice)}
}

// SpellType returns the canonical spelling of a type of the database's own: "VARCHAR(20)"
// for PostgreSQL's character varying(20). ok is false if no version up to v has it.
func (d Dialect) SpellType(t schema.Type, v Version) (spelling string, ok bool) {
	switch {
	case d == SQLite: // which takes any words
		return t.Text, true
	case d == CockroachDB:
		return spellCockroach(t)
	case d.PostgresFamily():
		return spellPostgres(t, d.Speaks(v))
	case d == ClickHouse:
		return spellClickHouse(t)
	}
	own := ownTypes[d]
	name := t.Base()
	if d == Spanner { // ARRAY<…>, STRUCT<…>
		name, _, _ = strings.Cut(name, "<")
	}
	if name == "" || own != nil && !slices.Contains(own, name) {
		return "", false
	}
	if own == nil || !d.MySQLFamily() {
		return t.Text, true
	}
	if a := mysqlSpelling[name]; a != "" {
		name = a
	}
	spelling = strings.ToUpper(name)
	if len(t.Args) > 0 {
		separator := ","
		if name == "enum" || name == "set" {
			separator = ", "
		}
		spelling += "(" + strings.Join(t.Args, separator) + ")"
	}
	if t.Unsigned {
		spelling += " UNSIGNED"
	}
	if t.Zerofill {
		spelling += " ZEROFILL"
	}
	return spelling, t.Array == 0
}

var mysqlTypes = strings.Fields(`tinyint smallint mediumint int integer bigint int1 int2 int3 int4 int8 middleint
	decimal dec numeric fixed float double real float4 float8 bit bool boolean serial
	date datetime timestamp time year char character varchar nchar nvarchar binary varbinary
	tinyblob blob mediumblob longblob tinytext text mediumtext longtext long enum set json
	geometry point linestring polygon multipoint multilinestring multipolygon geometrycollection geomcollection`)

var mysqlPhrases = []string{"double precision", "character varying", "char varying", "national char", "national character", "national varchar",
	"national character varying", "national char varying", "nchar varchar", "nchar varying", "long varchar", "long varbinary", "char byte"}

// ownTypes are the built-in types of databases, in lower case.
var ownTypes = map[Dialect][]string{
	MySQL:   slices.Concat(mysqlTypes, mysqlPhrases, []string{"vector"}),
	MariaDB: slices.Concat(mysqlTypes, mysqlPhrases, []string{"vector", "uuid", "inet4", "inet6", "xmltype"}),
	SQLServer: strings.Fields(`bit tinyint smallint int integer bigint decimal dec numeric money smallmoney float real date time datetime datetime2
		smalldatetime datetimeoffset char varchar text nchar nvarchar ntext binary varbinary image uniqueidentifier xml sql_variant
		rowversion timestamp hierarchyid geometry geography sysname json vector`),
	Spanner: strings.Fields(`bool int64 float32 float64 numeric string bytes date timestamp json array struct proto tokenlist uuid`),
	Oracle: append(strings.Fields(`char nchar varchar varchar2 nvarchar2 clob nclob blob bfile number float binary_float binary_double
		date timestamp raw rowid urowid json xmltype boolean vector integer int smallint decimal numeric real long`),
		"timestamp with time zone", "timestamp with local time zone", "interval year to month", "interval day to second", "long raw", "double precision"),
	YDB: strings.Fields(`bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double decimal dynumber string bytes utf8 text
		json jsondocument yson uuid date date32 datetime datetime64 timestamp timestamp64 interval interval64 tzdate tzdatetime tztimestamp
		serial smallserial bigserial serial2 serial4 serial8`),
}

// clickhouseTypes are the types of ClickHouse, in its spelling, by their names in lower
// case. Names of other databases it takes in any case; they stand for themselves.
var clickhouseTypes = func() map[string]string {
	m := map[string]string{}
	for _, name := range strings.Fields(`Int8 Int16 Int32 Int64 Int128 Int256 UInt8 UInt16 UInt32 UInt64 UInt128 UInt256 Float32 Float64 BFloat16
		Decimal Decimal32 Decimal64 Decimal128 Decimal256 Bool String FixedString UUID Date Date32 DateTime DateTime32 DateTime64 Time Time64
		Enum Enum8 Enum16 Array Tuple Map Nested Nullable LowCardinality IPv4 IPv6 JSON Object Variant Dynamic QBit
		Point Ring LineString MultiLineString Polygon MultiPolygon Geometry SimpleAggregateFunction AggregateFunction IntervalNanosecond
		IntervalMicrosecond IntervalMillisecond IntervalSecond IntervalMinute IntervalHour IntervalDay IntervalWeek IntervalMonth IntervalQuarter IntervalYear`) {
		m[strings.ToLower(name)] = name
	}
	foreign := strings.Fields(`boolean timestamp dec fixed numeric binary float real single double inet4 inet6 smallint int integer mediumint bigint signed unsigned
		byte int1 tinyint blob bytea char character clob longblob longtext mediumblob mediumtext nchar nvarchar text tinyblob tinytext varbinary varchar
		varchar2 year bit set`)
	for _, name := range slices.Concat(foreign, []string{"double precision", "binary large object", "binary varying", "char large object", "char varying",
		"character large object", "character varying", "national char", "national char varying", "national character", "national character large object",
		"national character varying", "nchar large object", "nchar varying"}) {
		m[name] = ""
	}
	return m
}()

func spellClickHouse(t schema.Type) (string, bool) {
	name, _, _ := strings.Cut(t.Base(), "(") // a text that is no portable type stands there as a whole
	name = strings.TrimSuffix(name, " signed")
	own, known := clickhouseTypes[name]
	switch {
	case !known:
		return "", false
	case own == "" || t.Array > 0 || !strings.HasPrefix(strings.ToLower(t.Text), name):
		return t.Text, t.Array == 0
	}
	return own + t.Text[len(name):], true
}

// mysqlSpelling are the names that MySQL and MariaDB show for others.
var mysqlSpelling = map[string]string{
	"integer": "int", "int4": "int", "int1": "tinyint", "int2": "smallint", "int3": "mediumint", "middleint": "mediumint", "int8": "bigint",
	"dec": "decimal", "numeric": "decimal", "fixed": "decimal", "float4": "float", "float8": "double", "double precision": "double",
	"bool": "boolean", "character": "char", "character varying": "varchar", "char varying": "varchar",
	"long": "mediumtext", "long varchar": "mediumtext", "long varbinary": "mediumblob", "char byte": "binary", "geomcollection": "geometrycollection",
}

// Class is what the values of a type are, as literals go.
type Class uint8

// The classes.
const (
	OtherClass Class = iota
	NumberClass
	BooleanClass
	TextClass
	BinaryClass
	TimeClass
	JSONClass
)

var classes = func() map[string]Class {
	m := map[string]Class{}
	for class, names := range map[Class]string{
		NumberClass: `smallint integer bigint smallserial serial bigserial real numeric money oid
			tinyint mediumint int1 int3 int16 int32 int64 int128 int256 uint8 uint16 uint32 uint64 uint128 uint256 float32 float64
			fixed number binary_float binary_double smallmoney year`,
		BooleanClass: "boolean",
		TextClass:    "text varchar char citext tinytext mediumtext longtext nvarchar varchar2 nvarchar2 clob ntext string utf8 name bpchar",
		BinaryClass:  "bytea blob tinyblob mediumblob longblob binary varbinary",
		TimeClass:    "date time timestamp timestamptz timetz datetime interval datetime2 datetimeoffset",
		JSONClass:    "json jsonb",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = class
		}
	}
	m["double precision"] = NumberClass
	m["time with time zone"] = TimeClass
	return m
}()

// ClassOf returns the class of a type in the words of any dialect, arrays apart.
func ClassOf(t schema.Type) Class {
	name, _ := Portable(t)
	return classes[name]
}
