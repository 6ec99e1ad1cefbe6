package validate

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// all are the dialects of a case that holds for every one of them.
var all = dialect.All()

func only(d ...dialect.Dialect) []dialect.Dialect { return d }

// having are the dialects that have a feature.
func having(f dialect.Feature) []dialect.Dialect {
	var list []dialect.Dialect
	for _, d := range all {
		if has, _ := d.Has(f, dialect.Version{}); has {
			list = append(list, d)
		}
	}
	return list
}

// but are all dialects but some.
func but(without ...dialect.Dialect) []dialect.Dialect {
	var list []dialect.Dialect
	for _, d := range all {
		keep := true
		for _, w := range without {
			keep = keep && d != w
		}
		if keep {
			list = append(list, d)
		}
	}
	return list
}

const (
	pg, my, maria, lite = dialect.Postgres, dialect.MySQL, dialect.MariaDB, dialect.SQLite
	mssql, crdb, yb, ch = dialect.SQLServer, dialect.CockroachDB, dialect.YugabyteDB, dialect.ClickHouse
)

func n64(i int64) *int64 { return &i }

// TestValidate_Rules breaks rules in schemas that are written for all databases, and
// keeps them in others. What the databases themselves say is in TestValidate_Engines.
func TestValidate_Rules(t *testing.T) {
	long := strings.Repeat("x", 70)
	view := func(n, body string, columns ...string) *schema.View {
		return &schema.View{Name: name(n), Body: body, Columns: columns}
	}
	check := func(expr string) *schema.Constraint { return &schema.Constraint{Kind: schema.Check, Expr: expr} }
	keyed := func(parts ...any) *schema.Table {
		return tableOf("t", append([]any{"id int not null", pk("id")}, parts...)...)
	}
	parent := func() *schema.Table { return tableOf("p", "x int not null", pk("x")) }
	for _, c := range []struct {
		name string
		want string
		on   []dialect.Dialect
		db   func() *schema.Database
	}{
		{"a table", "", all, func() *schema.Database { return database(keyed("a text", index("i", "id"))) }},
		{"no schema at all", "", all, func() *schema.Database { return database() }},

		{"no columns", "TBL001", only(my, maria, lite, mssql, ch), func() *schema.Database {
			return database(tableOf("t", func(t *schema.Table) { t.OrderBy = "tuple()" }))
		}},
		{"no columns where that is allowed", "", only(pg, crdb, yb, dialect.YDB), func() *schema.Database { return database(tableOf("t")) }},
		{"no columns of a partition", "", only(pg), func() *schema.Database {
			whole := parent()
			whole.PartitionBy = "LIST (x)"
			return database(whole, tableOf("t", func(t *schema.Table) { t.Partition = &schema.Partition{Of: name("p")} }))
		}},
		{"a column twice", "TBL002", all, func() *schema.Database { return database(keyed("a int", "a int")) }},
		{"a column in two cases", "TBL002", only(my, maria, lite, mssql, dialect.Spanner), func() *schema.Database { return database(keyed("a int", "A int")) }},
		{"two columns that differ in case", "", only(pg, ch), func() *schema.Database { return database(keyed("a int", "A int")) }},
		{"unknown column of a primary key", "TBL003", all, func() *schema.Database { return database(tableOf("t", "a int not null", pk("b"))) }},
		{"repeated column of a primary key", "TBL003", all, func() *schema.Database { return database(tableOf("t", "a int not null", pk("a", "a"))) }},
		{"two primary keys", "TBL003", all, func() *schema.Database { return database(keyed(pk("id"))) }},
		{"primary key of a table elsewhere", "TBL003", all, func() *schema.Database {
			return database(keyed(), &schema.Constraint{Kind: schema.PrimaryKey, Table: name("u"), Columns: []string{"a"}})
		}},
		{"nullable primary key", "TBL004", all, func() *schema.Database { return database(tableOf("t", "a int null", pk("a"))) }},
		{"a column without a type", "TBL005", but(ch), func() *schema.Database { return database(keyed("a")) }},
		{"a column without a name", "TBL005", all, func() *schema.Database { return database(keyed(" int")) }},
		{"the current time in other digits", "DEF001", only(my), func() *schema.Database {
			return database(keyed(col("d datetime(6)", native, expr("current_timestamp"))))
		}},
		{"an update to the current time in other digits", "DEF001", only(my), func() *schema.Database {
			return database(keyed(col("d datetime(6)", native, func(c *schema.Column) { c.OnUpdate = "CURRENT_TIMESTAMP(3)" })))
		}},
		{"the current time of a date", "DEF001", only(my), func() *schema.Database {
			return database(keyed(col("d date", native, expr("now()"))))
		}},
		{"the current time", "", only(my, maria), func() *schema.Database {
			return database(keyed(col("a datetime(6)", native, expr("CURRENT_TIMESTAMP(6)")), col("b timestamp", native, expr("now()")), col("c datetime(0)", native, expr("localtime")), col("d date", native, expr("(now())"))))
		}},
		{"the current time in other digits where any do", "", only(maria), func() *schema.Database {
			return database(keyed(col("d datetime(6)", native, expr("current_timestamp"))))
		}},
		{"an unknown collation", "TBL007", only(my, maria), func() *schema.Database {
			return database(keyed(col("a text", func(c *schema.Column) { c.Collation = "C" })))
		}},
		{"a collation for several character sets", "", only(maria), func() *schema.Database {
			return database(keyed(col("a text", func(c *schema.Column) { c.Collation = "uca1400_ai_ci" })))
		}},
		{"a view named like a table", "TBL006", all, func() *schema.Database { return database(keyed(), view("t", "SELECT 1 AS a")) }},
		{"a sequence named like a table", "TBL006", having(dialect.Sequences), func() *schema.Database { return database(keyed(), &schema.Sequence{Name: name("t")}) }},
		{"an enum named like a table", "TBL006", only(pg, crdb, yb), func() *schema.Database {
			return database(keyed(), &schema.Enum{Name: name("t"), Values: []string{"a"}})
		}},
		{"an enum that is no type", "", only(my, maria, lite, mssql), func() *schema.Database {
			return database(keyed(), &schema.Enum{Name: name("t"), Values: []string{"a"}})
		}},
		{"one name in two schemas", "", but(lite), func() *schema.Database { return database(keyed(), tableOf("app.t", "id int not null", pk("id"))) }},

		{"NUL in a name", "NAM001", all, func() *schema.Database { return database(keyed("a\x00b int")) }},
		{"a name that is not UTF-8", "NAM001", all, func() *schema.Database { return database(keyed("a\xffb int")) }},
		{"a name of 65 characters", "NAM001", only(my, maria), func() *schema.Database { return database(keyed(strings.Repeat("ä", 65) + " int")) }},
		{"a name of 64 characters", "", but(pg, crdb, yb), func() *schema.Database { return database(keyed(strings.Repeat("ä", 64) + " int")) }},
		{"a name of 129 characters", "NAM001", only(my, maria, mssql, dialect.Spanner, dialect.Oracle), func() *schema.Database { return database(keyed(strings.Repeat("a", 129) + " int")) }},
		{"a long name that is cut", "", only(pg, crdb, yb, lite, ch), func() *schema.Database { return database(keyed(strings.Repeat("a", 129) + " int")) }},
		{"a blank at the end of a name", "NAM001", only(my, maria), func() *schema.Database {
			return database(keyed(&schema.Column{Name: "a ", Type: schema.Type{Name: "int", Text: "int"}}))
		}},
		{"columns that are one when they are cut", "NAM002", only(pg, crdb, yb), func() *schema.Database { return database(keyed(long+"1 int", long+"2 int")) }},
		{"tables that are one when they are cut", "NAM002", only(crdb, yb), func() *schema.Database {
			return database(tableOf(long+"1", "a int not null", pk("a")), view(long+"2", "SELECT 1 AS a"))
		}},
		{"indexes that are one when they are cut", "NAM002", only(pg, crdb, yb), func() *schema.Database { return database(keyed(index(long+"1", "id"), index(long+"2", "id"))) }},
		{"long names that differ early", "", only(pg), func() *schema.Database { return database(keyed(index("1"+long, "id"), index("2"+long, "id"))) }},
		{"tables that differ in case", "NAM002", only(lite, mssql, dialect.Spanner), func() *schema.Database { return database(keyed(), view("T", "SELECT 1 AS a")) }},
		{"a schema of the system", "NAM003", only(pg, my, maria, mssql, crdb, yb, ch), func() *schema.Database { return database(&schema.Namespace{Name: "information_schema"}) }},
		{"a table in a schema of the system", "NAM003", only(pg), func() *schema.Database { return database(tableOf("pg_catalog.t", "a int not null", pk("a"))) }},
		{"a schema that is only another system's", "", only(pg), func() *schema.Database {
			return database(&schema.Namespace{Name: "mysql"}, &schema.Namespace{Name: "sys"})
		}},
		{"a role of the system", "NAM003", only(pg, crdb, yb), func() *schema.Database { return database(&schema.Role{Name: "pg_owner"}) }},
		{"rights for a role of the system", "NAM003", only(pg), func() *schema.Database {
			return database(keyed(), &schema.Grant{Privileges: []string{"SELECT"}, Object: name("t"), Roles: []string{"postgres"}})
		}},
		{"rights for everybody", "", only(pg), func() *schema.Database {
			return database(keyed(), &schema.Role{Name: "app"}, &schema.Grant{Privileges: []string{"SELECT"}, Object: name("t"), Roles: []string{"PUBLIC", "app"}})
		}},
		{"a table of sqlite's own", "NAM003", only(lite), func() *schema.Database { return database(tableOf("sqlite_t", "a int not null", pk("a"))) }},
		{"a system column", "NAM003", only(pg), func() *schema.Database { return database(keyed("ctid int")) }},

		{"an argument too many", "TYP002", all, func() *schema.Database { return database(keyed("a int(5)")) }},
		{"an argument that is too small", "TYP002", but(my, maria), func() *schema.Database { return database(keyed("a varchar(0)")) }},
		{"an argument that is no number", "TYP002", all, func() *schema.Database { return database(keyed("a varchar(n)")) }},
		{"a char that is too long", "TYP002", only(my, maria), func() *schema.Database { return database(keyed("a char(300)")) }},
		{"arguments in range", "", all, func() *schema.Database {
			return database(keyed("a varchar(20)", "b numeric(12,2)", "c char(200)", "d timestamp(3)"))
		}},
		{"an enum without values", "TYP003", all, func() *schema.Database { return database(&schema.Enum{Name: name("e")}) }},
		{"an enum with a value twice", "TYP003", all, func() *schema.Database {
			return database(&schema.Enum{Name: name("e"), Values: []string{"a", "b", "a"}})
		}},
		{"an enum with a long value", "TYP003", only(pg, crdb, yb), func() *schema.Database { return database(&schema.Enum{Name: name("e"), Values: []string{long}}) }},
		{"an enum column without values", "TYP003", all, func() *schema.Database { return database(keyed("a ENUM")) }},
		{"an enum column", "", all, func() *schema.Database {
			return database(keyed(col("a ENUM", func(c *schema.Column) { c.Enum = []string{"x", "y"} }, literal("x"))))
		}},

		{"a default that is no number", "DEF001", all, func() *schema.Database { return database(keyed(col("a int", literal("many")))) }},
		{"a default that is no boolean", "DEF001", all, func() *schema.Database { return database(keyed(col("a boolean", literal("maybe")))) }},
		{"a default that is no value of the enum", "DEF001", all, func() *schema.Database {
			return database(&schema.Enum{Name: name("e"), Values: []string{"new", "paid"}}, keyed(col("a e", literal("pead"))))
		}},
		{"a default that is no date", "DEF001", all, func() *schema.Database { return database(keyed(col("a date", literal("2024-02-30")))) }},
		{"a default that is an expression", "DEF001", only(pg, crdb, my, maria, lite), func() *schema.Database { return database(keyed(col("a timestamptz", literal("now()")))) }},
		{"a default that is no UUID", "DEF001", only(pg), func() *schema.Database { return database(keyed(col("a uuid", literal("1234")))) }},
		{"a default that is no JSON", "DEF001", only(pg), func() *schema.Database { return database(keyed(col("a jsonb", literal("{a}")))) }},
		{"a default that is no array", "DEF001", only(pg), func() *schema.Database { return database(keyed(col("a int[]", literal("1,2")))) }},
		{"a default that is out of range", "DEF001", only(my, maria), func() *schema.Database { return database(keyed(col("a smallint", literal("40000")))) }},
		{"defaults that fit", "", all, func() *schema.Database {
			return database(keyed(col("a int", literal("-5")), col("b boolean", literal("TRUE")), col("c text", literal("anything")), col("d date", literal("2024-02-29")),
				col("e numeric(5,2)", literal("1e2")), col("f uuid", literal("00000000-0000-0000-0000-000000000000")), col("g int", literal("NULL"))))
		}},
		{"a default of a serial", "DEF002", all, func() *schema.Database { return database(tableOf("t", col("a serial", literal("5")), pk("a"))) }},
		{"a default of an auto-increment", "DEF002", all, func() *schema.Database { return database(tableOf("t", col("a int", increment, literal("5")), pk("a"))) }},
		{"a default of an identity", "DEF002", all, func() *schema.Database {
			return database(tableOf("t", col("a int", literal("5"), func(c *schema.Column) { c.Identity = &schema.Identity{} }), pk("a")))
		}},
		{"a default of a generated column", "DEF002", but(ch), func() *schema.Database {
			return database(keyed(col("a int", literal("5"), func(c *schema.Column) { c.Generated = &schema.Generated{Expr: "id + 1", Stored: true} })))
		}},

		{"an auto-increment that is no key", "IDN001", only(my, maria), func() *schema.Database { return database(keyed(col("a int", increment))) }},
		{"an auto-increment with an index", "", only(my, maria), func() *schema.Database { return database(keyed(col("a int", increment), index("i", "a"))) }},
		{"two auto-increments", "IDN001", only(my, maria, mssql), func() *schema.Database {
			return database(tableOf("t", col("a int", increment), col("b int", increment), pk("a"), index("i", "b")))
		}},
		{"an auto-increment text", "IDN001", only(my, maria), func() *schema.Database {
			return database(tableOf("t", col("a varchar(5)", increment, native), pk("a")))
		}},
		{"an identity that is no number", "IDN001", only(pg, crdb, yb), func() *schema.Database {
			return database(tableOf("t", col("a text", func(c *schema.Column) { c.Identity = &schema.Identity{} }), pk("a")))
		}},

		{"constraints of one name", "CHK003", but(lite, my, maria), func() *schema.Database {
			return database(keyed("a int", named("c", check("a > 0")), named("c", key(schema.Unique, "a"))))
		}},
		{"checks of one name in two tables", "CHK003", only(my, mssql, dialect.Oracle, dialect.Spanner), func() *schema.Database {
			return database(keyed("a int", named("c", check("a > 0"))), tableOf("u", "a int not null", pk("a"), named("c", check("a > 0"))))
		}},
		{"checks of one name in two tables apart", "", only(pg, maria, lite, crdb), func() *schema.Database {
			return database(keyed("a int", named("c", check("a > 0"))), tableOf("u", "a int not null", pk("a"), named("c", check("a > 0"))))
		}},
		{"a unique constraint without columns", "UNQ001", all, func() *schema.Database { return database(keyed(key(schema.Unique))) }},
		{"a unique constraint of an unknown column", "UNQ001", all, func() *schema.Database { return database(keyed(key(schema.Unique, "b"))) }},
		{"a unique constraint of a column twice", "UNQ001", all, func() *schema.Database { return database(keyed("a int", key(schema.Unique, "a", "a"))) }},
		{"an exclusion without elements", "EXC001", only(pg), func() *schema.Database {
			return database(keyed(&schema.Constraint{Kind: schema.Exclude, Method: "gist"}))
		}},

		{"a reference to nothing", "FK001", having(dialect.ForeignKeys), func() *schema.Database {
			return database(keyed("a int", &schema.Constraint{Kind: schema.ForeignKey, Columns: []string{"a"}}))
		}},
		{"lists of different length", "FK002", having(dialect.ForeignKeys), func() *schema.Database { return database(parent(), keyed("a int", "b int", fk("a,b", "p(x)"))) }},
		{"a primary key of another length", "FK002", having(dialect.ForeignKeys), func() *schema.Database { return database(parent(), keyed("a int", "b int", fk("a,b", "p"))) }},
		{"a repeated column", "FK002", having(dialect.ForeignKeys), func() *schema.Database { return database(parent(), keyed("a int", fk("a,a", "p(x,x)"))) }},
		{"an unknown table", "FK003", having(dialect.ForeignKeys), func() *schema.Database { return database(parent(), keyed("a int", fk("a", "q(x)"))) }},
		{"a reference to a view", "FK003", having(dialect.ForeignKeys), func() *schema.Database { return database(view("p", "SELECT 1 AS x"), keyed("a int", fk("a", "p(x)"))) }},
		{"an unknown column", "FK004", having(dialect.ForeignKeys), func() *schema.Database { return database(parent(), keyed("a int", fk("b", "p(x)"))) }},
		{"an unknown referenced column", "FK004", having(dialect.ForeignKeys), func() *schema.Database { return database(parent(), keyed("a int", fk("a", "p(y)"))) }},
		{"no key", "FK005", but(dialect.Spanner, ch, dialect.YDB), func() *schema.Database {
			return database(tableOf("p", "x int not null", "y int", pk("x")), keyed("a int", fk("a", "p(y)")))
		}},
		{"no primary key", "FK005", having(dialect.ForeignKeys), func() *schema.Database { return database(tableOf("p", "x int"), keyed("a int", fk("a", "p"))) }},
		{"a unique index", "", all, func() *schema.Database {
			x := index("i", "y")
			x.Unique = true
			return database(tableOf("p", "x int not null", "y int", pk("x"), x), keyed("a int", fk("a", "p(y)")))
		}},
		{"types that do not fit", "FK006", only(pg, my, maria, mssql, crdb, yb, dialect.Spanner), func() *schema.Database { return database(parent(), keyed("a varchar(10)", fk("a", "p(x)"))) }},
		{"integers of different widths", "FK006", only(my, maria, mssql), func() *schema.Database { return database(parent(), keyed("a bigint", fk("a", "p(x)"))) }},
		{"integers of different widths that compare", "", only(pg, crdb, yb, lite), func() *schema.Database { return database(parent(), keyed("a bigint", fk("a", "p(x)"))) }},
		{"a serial that is referenced", "", only(pg, my, maria, lite), func() *schema.Database {
			return database(tableOf("p", "x bigserial", pk("x")), keyed("a bigint", fk("a", "p(x)")))
		}},
		{"SET NULL of NOT NULL", "FK007", having(dialect.ForeignKeys), func() *schema.Database {
			return database(parent(), keyed("a int not null", fk("a", "p(x)", "ON DELETE SET NULL")))
		}},
		{"SET NULL of a nullable column", "", all, func() *schema.Database {
			return database(parent(), keyed("a int", fk("a", "p(x)", "ON DELETE SET NULL")))
		}},
		{"SET DEFAULT of nothing", "FK007", having(dialect.SetDefaultAction), func() *schema.Database {
			return database(parent(), keyed("a int not null", fk("a", "p(x)", "ON UPDATE SET DEFAULT")))
		}},
		{"foreign keys of one name", "FK008", only(pg, my, maria, mssql, crdb, yb, dialect.Oracle, dialect.Spanner), func() *schema.Database {
			return database(parent(), keyed("a int", "b int", named("f", fk("a", "p(x)")), named("f", fk("b", "p(x)"))))
		}},
		{"foreign keys of one name in two tables", "FK008", only(my, maria, mssql), func() *schema.Database {
			return database(parent(), keyed("a int", named("f", fk("a", "p(x)"))), tableOf("u", "id int not null", pk("id"), named("f", fk("id", "p(x)"))))
		}},
		{"an action on a generated column", "FK010", only(pg, my, maria, mssql, crdb, yb, dialect.Oracle), func() *schema.Database {
			return database(parent(), keyed(col("a int", func(c *schema.Column) { c.Generated = &schema.Generated{Expr: "id + 1", Stored: true} }), fk("a", "p(x)", "ON DELETE SET NULL")))
		}},
		{"two ways of a cascade", "FK011", only(mssql), func() *schema.Database {
			return database(parent(), tableOf("q", "id int not null", "x int", pk("id"), fk("x", "p(x)", "ON DELETE CASCADE")),
				keyed("a int", "b int", fk("a", "p(x)", "ON DELETE CASCADE"), fk("b", "q(id)", "ON DELETE CASCADE")))
		}},
		{"a circle of cascades", "FK011", only(mssql), func() *schema.Database { return database(keyed("a int", fk("a", "t(id)", "ON DELETE CASCADE"))) }},
		{"one way of a cascade", "", only(mssql), func() *schema.Database {
			return database(parent(), tableOf("q", "id int not null", "x int", pk("id"), fk("x", "p(x)", "ON DELETE CASCADE")),
				keyed("a int", "b int", fk("a", "p(x)"), fk("b", "q(id)", "ON DELETE CASCADE")))
		}},

		{"an index of an unknown table", "IDX001", all, func() *schema.Database {
			x := index("i", "a")
			x.Table = name("u")
			return database(keyed(), x)
		}},
		{"an index that stands apart", "", all, func() *schema.Database {
			x := index("i", "id")
			x.Table = name("t")
			return database(keyed(), x)
		}},
		{"an index of a view", "IDX001", but(mssql), func() *schema.Database {
			x := index("i", "a")
			x.Table = name("v")
			return database(keyed(), view("v", "SELECT id AS a FROM t"), x)
		}},
		{"an index of an unknown column", "IDX002", all, func() *schema.Database { return database(keyed(index("i", "b"))) }},
		{"an included column that is unknown", "IDX002", only(pg), func() *schema.Database {
			x := index("i", "id")
			x.Include = []string{"b"}
			return database(keyed(x))
		}},
		{"an index without columns", "IDX003", all, func() *schema.Database { return database(keyed(index("i"))) }},
		{"an index of a column twice", "IDX003", all, func() *schema.Database { return database(keyed(index("i", "id", "id"))) }},
		{"indexes of one name", "IDX005", all, func() *schema.Database { return database(keyed(index("i", "id"), index("i", "id"))) }},
		{"indexes of one name in two tables", "IDX005", only(pg, yb, lite, dialect.Oracle, dialect.Spanner), func() *schema.Database {
			return database(keyed(index("i", "id")), tableOf("u", "id int not null", pk("id"), index("i", "id")))
		}},
		{"indexes of one name in two tables apart", "", only(my, maria, mssql, crdb, ch), func() *schema.Database {
			return database(keyed(index("i", "id")), tableOf("u", "id int not null", pk("id"), index("i", "id")))
		}},
		{"an index of a text", "IDX006", only(my, mssql), func() *schema.Database { return database(keyed("a text", index("i", "a"))) }},
		{"an index of the beginning of a text", "", only(my, maria), func() *schema.Database {
			return database(keyed("a text", &schema.Index{Name: "i", Keys: []schema.IndexKey{{Column: "a", Length: 20}}}))
		}},
		{"an index of JSON", "IDX006", only(pg, my, mssql), func() *schema.Database { return database(keyed("a json", index("i", "a"))) }},
		{"a wide index", "IDX006", only(my, maria), func() *schema.Database {
			return database(keyed("a varchar(500)", "b varchar(500)", index("i", "a", "b")))
		}},
		{"a wide index of narrow characters", "", only(my, maria), func() *schema.Database {
			return database(keyed("a varchar(500)", "b varchar(500)", index("i", "a", "b"), func(t *schema.Table) { t.Charset = "latin1" }))
		}},

		{"an increment of nothing", "SEQ001", only(pg, crdb, yb), func() *schema.Database {
			return database(&schema.Sequence{Name: name("s"), SequenceOptions: schema.SequenceOptions{Increment: n64(0)}})
		}},
		{"an owner that is unknown", "SEQ001", having(dialect.Sequences), func() *schema.Database {
			return database(keyed(), &schema.Sequence{Name: name("s"), OwnedBy: &schema.ColumnRef{Table: name("t"), Column: "b"}})
		}},
		{"an owner that is there", "", having(dialect.Sequences), func() *schema.Database {
			return database(keyed(), &schema.Sequence{Name: name("s"), OwnedBy: &schema.ColumnRef{Table: name("t"), Column: "id"}})
		}},

		{"a function twice", "RTN001", having(dialect.Routines), func() *schema.Database {
			f := func() *schema.Routine {
				return &schema.Routine{Name: name("f"), Params: []schema.Param{{Name: "a", Type: "int"}}}
			}
			return database(f(), f())
		}},
		{"an overloaded function", "", only(pg, yb), func() *schema.Database {
			return database(&schema.Routine{Name: name("f"), Params: []schema.Param{{Type: "int"}}}, &schema.Routine{Name: name("f"), Params: []schema.Param{{Type: "text"}}})
		}},
		{"an overloaded function where there is none", "RTN001", only(my, maria, mssql), func() *schema.Database {
			return database(&schema.Routine{Name: name("f"), Params: []schema.Param{{Type: "int"}}}, &schema.Routine{Name: name("f"), Params: []schema.Param{{Type: "text"}}})
		}},
		{"a function and a procedure", "", only(my, maria), func() *schema.Database {
			return database(&schema.Routine{Name: name("f")}, &schema.Routine{Name: name("f"), Procedure: true})
		}},
		{"a trigger of an unknown table", "TRG001", having(dialect.Triggers), func() *schema.Database {
			return database(keyed(), &schema.Trigger{Name: "g", Table: name("u"), Timing: "BEFORE", Events: []string{"INSERT"}})
		}},
		{"a trigger at no time", "TRG001", having(dialect.Triggers), func() *schema.Database {
			return database(keyed(), &schema.Trigger{Name: "g", Table: name("t"), Timing: "DURING", Events: []string{"INSERT"}})
		}},
		{"a trigger on no event", "TRG001", only(pg, mssql, crdb, yb, dialect.Oracle), func() *schema.Database {
			return database(keyed(), &schema.Trigger{Name: "g", Table: name("t"), Timing: "AFTER", Events: []string{"SELECT"}})
		}},
		{"a trigger", "", all, func() *schema.Database {
			return database(keyed(), &schema.Trigger{Name: "g", Table: name("t"), Timing: "AFTER", Events: []string{"INSERT"}})
		}},

		{"a policy of an unknown table", "RLS001", only(pg, yb), func() *schema.Database { return database(keyed(), &schema.Policy{Name: "y", Table: name("u")}) }},
		{"a policy without row security", "RLS002", only(pg, yb), func() *schema.Database {
			return database(keyed(), &schema.Policy{Name: "y", Table: name("t"), Using: "id > 0"})
		}},
		{"a policy of a script, without row security", "", only(pg, yb), func() *schema.Database {
			db := database(keyed(), &schema.Policy{Name: "y", Table: name("t"), Using: "id > 0"})
			db.Policies[0].Language = schema.SQL
			return db
		}},
		{"a policy", "", only(pg, yb), func() *schema.Database {
			return database(keyed(func(t *schema.Table) { t.RowSecurity = &schema.RowSecurity{Enabled: true} }), &schema.Policy{Name: "y", Table: name("t"), Using: "id IN (SELECT id FROM t)"})
		}},
		{"a policy for no command", "RLS001", only(pg), func() *schema.Database {
			return database(keyed(func(t *schema.Table) { t.RowSecurity = &schema.RowSecurity{Enabled: true} }), &schema.Policy{Name: "y", Table: name("t"), Command: "TRUNCATE"})
		}},
		{"a grant on an unknown table", "ROL001", having(dialect.Grants), func() *schema.Database {
			return database(keyed(), &schema.Grant{Privileges: []string{"SELECT"}, Object: name("u")})
		}},
		{"an unknown privilege", "ROL001", only(pg, yb), func() *schema.Database {
			return database(keyed(), &schema.Grant{Privileges: []string{"EXECUTE"}, Object: name("t")})
		}},
		{"a grant on an unknown column", "ROL001", only(pg, yb), func() *schema.Database {
			return database(keyed(), &schema.Grant{Privileges: []string{"SELECT (b)"}, Object: name("t")})
		}},
		{"a grant on the sequence of a column", "", only(pg, yb), func() *schema.Database {
			return database(tableOf("t", "a serial", pk("a")), &schema.Grant{Privileges: []string{"USAGE"}, On: "SEQUENCE", Object: name("t_a_seq")})
		}},
		{"a type of an extension", "EXT001", only(pg, yb), func() *schema.Database { return database(keyed("a citext")) }},
		{"a type of an extension that is declared", "", only(pg, yb), func() *schema.Database { return database(&schema.Extension{Name: "vector"}, keyed("a vector(3)")) }},

		{"expiry without a time", "TTL001", only(crdb), func() *schema.Database {
			return database(keyed(func(t *schema.Table) { t.TTL = []schema.Option{{Key: "ttl_job_cron", Value: "'@daily'"}} }))
		}},
		{"expiry", "", only(crdb), func() *schema.Database {
			return database(keyed(func(t *schema.Table) { t.TTL = []schema.Option{{Key: "ttl_expire_after", Value: "'1 day'"}} }))
		}},
		{"no order", "CLS001", only(ch), func() *schema.Database { return database(tableOf("t", "a int")) }},
		{"a nullable order", "CLS001", only(ch), func() *schema.Database {
			return database(keyed("a int", func(t *schema.Table) { t.OrderBy = "(id, a)" }))
		}},
		{"an order", "", only(ch), func() *schema.Database {
			return database(keyed("a int not null", func(t *schema.Table) { t.OrderBy = "(id, a)" }))
		}},

		{"a check that does not parse", "CHK001", only(pg, my, maria, lite), func() *schema.Database { return database(keyed("a int", check("a >"))) }},
		{"a check that is two", "CHK001", only(pg, my, maria, lite), func() *schema.Database { return database(keyed("a int", check("a), (a"))) }},
		{"a check with a placeholder", "CHK001", only(pg, my, maria, lite), func() *schema.Database {
			return database(keyed("a int", check("a > ?")))
		}},
		{"a check of an unknown column", "CHK002", only(pg, my, maria, lite, yb), func() *schema.Database { return database(keyed("a int", check("b > 0"))) }},
		{"a check with a comment", "", all, func() *schema.Database { return database(keyed("a int", check("a > 0 -- positive"))) }},
		{"texts that are not read", "", only(mssql, dialect.Oracle, dialect.Spanner), func() *schema.Database {
			return database(keyed("a int", check("a >")), view("v", "SELECT nope FROM nowhere"))
		}},
	} {
		for _, d := range c.on {
			t.Run(c.name+"/"+string(d), func(t *testing.T) { expect(t, c.db(), d, "", c.want) })
		}
	}
}

// TestValidate_MySQLKeys: from MySQL 8.4 on a foreign key needs a unique key.
func TestValidate_MySQLKeys(t *testing.T) {
	db := func() *schema.Database {
		return database(tableOf("p", "x int", "y int", index("i", "x", "y")), tableOf("t", "a int", fk("a", "p(x)")))
	}
	expect(t, db(), my, "8.0", "")
	expect(t, db(), my, "8.4", "FK005")
	expect(t, db(), my, "", "FK005")
	expect(t, db(), maria, "", "")
}

// TestValidate_Partial: what may be in a part that was not read is not missed.
func TestValidate_Partial(t *testing.T) {
	db := database(tableOf("t", "a int", fk("a", "p(x)"), index("i", "b"), &schema.Constraint{Kind: schema.Check, Expr: "c > 0"}),
		&schema.View{Name: name("v"), Body: "SELECT x FROM u"}, &schema.Trigger{Name: "g", Table: name("u"), Timing: "BEFORE"},
		&schema.Policy{Name: "y", Table: name("u")}, &schema.Grant{Privileges: []string{"SELECT"}, Object: name("u")})
	db.Partial = true
	expect(t, db, pg, "", "")
	db.Partial = false
	expect(t, db, pg, "", "CHK002 FK003 IDX002 RLS001 ROL001 TRG001 VW002")
}

// TestValidate_Messages: a problem says where, what and what would be right.
func TestValidate_Messages(t *testing.T) {
	db := database(tableOf("customers", "id int not null", pk("id")),
		tableOf("t", "name text", "a int", fk("a", "missing"), fk("a", "custmers(id)"), index("i", "zzz"), index("j", "nam")))
	db.Tables[1].Constraints[0].Line = 7
	want := []finding.Problem{
		{Kind: "schema", Rule: "FK003", Object: "t.a", Path: "schema.yaml", Message: `foreign key on "a" references table "custmers", which is not declared; did you mean "customers"?`},
		{Kind: "index", Rule: "IDX002", Object: "i", Path: "schema.yaml", Message: `index names column "zzz", which table "t" does not declare`},
		{Kind: "index", Rule: "IDX002", Object: "j", Path: "schema.yaml", Message: `index names column "nam", which table "t" does not declare; did you mean "name"?`},
		{Kind: "schema", Rule: "FK003", Object: "t.a", Path: "schema.yaml", Line: 7, Message: `foreign key on "a" references table "missing", which is not declared`},
	}
	got := problems(db, pg, "")
	if len(got) != len(want) {
		t.Fatalf("%d problems, want %d: %v", len(got), len(want), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("problem %d:\n%+v, want\n%+v", i, got[i], want[i])
		}
	}
}

// TestValidate_PrimaryKeyWarning: a table without a primary key is no mistake, and worth a word.
func TestValidate_PrimaryKeyWarning(t *testing.T) {
	rep := &finding.Report{}
	db := database(tableOf("t", "a int"), tableOf("u", "a int", pk("a")))
	Validate(t.Context(), db, pg, "", rep)
	want := `schema file schema.yaml: table "t" in schema "public" has no primary key`
	if w := rep.Warnings(); len(w) != 1 || w[0].Category != finding.TableWithoutPrimaryKey || len(w[0].Objects) != 1 || w[0].Objects[0] != want {
		t.Errorf("warnings %v, want %q", w, want)
	}
	if rep.Failed() {
		t.Errorf("problems %v, want none", rep.Problems())
	}
}
