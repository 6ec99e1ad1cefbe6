package types

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"pgregory.net/rapid"
)

func TestFamilyOf(t *testing.T) {
	for dialect, families := range map[string]map[Family]string{
		"postgresql": {
			Numeric:  "smallint|int2|integer|int|int4|bigint|int8|serial|bigserial|smallserial|serial4|serial8|numeric|numeric(10,2)|decimal(5)|real|float4|double precision|float8|float(10)|float|money|oid|pg_catalog.int4",
			String:   `text|varchar|varchar(45)|character varying(45)|char(3)|character(3)|character|bpchar|name|citext|xml|"char"`,
			Temporal: "date|time|time without time zone|time(3) without time zone|timetz|time with time zone|timestamp|timestamp without time zone|timestamp(3) without time zone|timestamptz|timestamp with time zone|timestamp(0) with time zone|interval|interval day to second(3)|interval(2)",
			Boolean:  "boolean|bool",
			UUID:     "uuid",
			Binary:   "bytea|bit(8)|bit varying(8)|varbit|bit",
			JSON:     "json|jsonb",
			Unknown:  `inet|cidr|macaddr|tsvector|point|int4range|geometry(Point,4326)|mood|shop.mood|"Mood"|int[]|integer[]|text[][]|_int4|hstore||"int"|vector(3)|pg_lsn|regclass`,
		},
		"mysql": {
			Numeric:  "tinyint|tinyint(1)|tinyint(4) unsigned|smallint(6)|mediumint|int|int(11)|int(10) unsigned zerofill|integer|bigint(20)|bigint unsigned|decimal(10,2)|numeric|dec(5)|fixed(4,1)|float|float(7,4)|double|double precision|real|year|year(4)|serial|bool|boolean",
			String:   "char(3)|varchar(255)|tinytext|text|mediumtext|longtext|enum('a','b')|set('x','y')|nvarchar(10)|national varchar(10)|national character varying(10)|varchar(20) character set utf8mb4 collate utf8mb4_bin|char|enum('a)','it''s','\"[')|long",
			Temporal: "date|time|time(3)|datetime|datetime(6)|timestamp|timestamp(6)",
			Boolean:  "bit(1)|bit",
			UUID:     "uuid",
			Binary:   "binary(16)|varbinary(255)|tinyblob|blob|mediumblob|longblob|bit(8)",
			JSON:     "json",
			Unknown:  "geometry|point|inet6|linestring|",
		},
		"sqlite": {
			Numeric:  "INTEGER|INT|TINYINT|UNSIGNED BIG INT|INT2|INT8|POINT|FLOATING POINT|CHARINT|INTERVAL|REAL|DOUBLE|DOUBLE PRECISION|FLOAT|NUMERIC|DECIMAL(10,5)|NUMBER(5)|MONEY|BIGINT",
			String:   "TEXT|CHARACTER(20)|VARCHAR(255)|VARYING CHARACTER(255)|NCHAR(55)|NATIVE CHARACTER(70)|NVARCHAR(100)|CLOB|STRING|TINYTEXT|text(10)",
			Temporal: "DATE|DATETIME|TIMESTAMP|TIME|timestamp with time zone",
			Boolean:  "BOOLEAN|BOOL",
			UUID:     "UUID|GUID|uniqueidentifier",
			Binary:   "BLOB|BINARY(16)|varbinary(4)",
			JSON:     "JSON|JSONB",
			Unknown:  "|ANY|whatever|geometry",
		},
		"duckdb": {
			Numeric:  "TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT|DECIMAL(18,3)|DECIMAL|NUMERIC(4)|FLOAT|REAL|DOUBLE|INT1|INT2|INT4|INT8|SHORT|LONG|SIGNED|BIGNUM|VARINT|FLOAT8",
			String:   "VARCHAR|TEXT|STRING|CHAR|BPCHAR|VARCHAR(10)|ENUM('a','b')|ENUM('a\"b','c[')|NVARCHAR",
			Temporal: "DATE|TIME|TIMESTAMP|TIMESTAMP_S|TIMESTAMP_MS|TIMESTAMP_NS|TIMESTAMPTZ|TIMESTAMP WITH TIME ZONE|DATETIME|INTERVAL|TIMETZ|TIME WITH TIME ZONE|TIME_NS",
			Boolean:  "BOOLEAN|BOOL|LOGICAL",
			UUID:     "UUID",
			Binary:   "BLOB|BYTEA|BINARY|VARBINARY|BIT|BITSTRING",
			JSON:     "JSON",
			Unknown:  "INTEGER[]|INTEGER[3]|VARCHAR[][]|STRUCT(a INTEGER, b VARCHAR)|MAP(VARCHAR, INTEGER)|UNION(num INTEGER, str VARCHAR)|STRUCT(a DECIMAL(10,2))[]|mood|GEOMETRY|",
		},
	} {
		for want, list := range families {
			for spelling := range strings.SplitSeq(list, "|") {
				for _, s := range []string{spelling, strings.ToUpper(spelling), " " + spelling + " "} {
					if s != spelling && strings.ContainsRune(spelling, '"') {
						continue
					}
					if got := FamilyOf(dialect, s); got != want {
						t.Errorf("FamilyOf(%s, %q) = %s, want %s", dialect, s, got, want)
					}
				}
			}
		}
	}
	if got := FamilyOf("mariadb", "int(11)"); got != Numeric {
		t.Errorf("mariadb: %s", got)
	}
	if got := FamilyOf("postgres", "int4"); got != Numeric {
		t.Errorf("postgres: %s", got)
	}
	if got := FamilyOf("bigquery", "INT64"); got != Numeric {
		t.Errorf("another dialect: %s", got)
	}
}

func TestColumnFamily(t *testing.T) {
	for name, c := range map[string]struct {
		column model.Column
		want   Family
	}{
		"plain":  {model.Column{Type: "int4"}, Numeric},
		"domain": {model.Column{Type: "email", Base: "text"}, String},
		"enum":   {model.Column{Type: "mood", Enum: []string{"ok"}}, String},
		"array":  {model.Column{Type: "int4", Array: true}, Unknown},
		"own":    {model.Column{Type: "mood"}, Unknown},
	} {
		if got := ColumnFamily("postgresql", &c.column); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestNormalize_SpellingsOfOneType(t *testing.T) {
	for _, c := range []struct{ dialect, spellings string }{
		{"postgresql", "integer|int|int4|INT4|serial|pg_catalog.int4"},
		{"postgresql", "bigint|int8|bigserial"},
		{"postgresql", "smallint|int2"},
		{"postgresql", "varchar(45)|character varying(45)|VARCHAR( 45 )|char varying(45)"},
		{"postgresql", "char|character|char(1)|character(1)"},
		{"postgresql", "double precision|float8|float|float(53)|float(25)"},
		{"postgresql", "real|float4|float(24)|float(1)"},
		{"postgresql", "numeric(10,2)|decimal(10, 2)|dec(10,2)"},
		{"postgresql", "numeric(10)|numeric(10,0)"},
		{"postgresql", "boolean|bool"},
		{"postgresql", "timestamptz|timestamp with time zone|timestamp(6) with time zone|timestamptz(6)"},
		{"postgresql", "timestamp(3)|timestamp(3) without time zone"},
		{"postgresql", "int[]|integer[]|_int4|int4[3]"},
		{"postgresql", "interval|INTERVAL"},
		{"mysql", "int|int(11)|integer|INT(10)|int4"},
		{"mysql", "int unsigned|int(10) unsigned|integer unsigned zerofill|int(5) zerofill"},
		{"mysql", "tinyint|tinyint(1)|bool|boolean|tinyint(4)"},
		{"mysql", "bigint unsigned|serial|bigint(20) unsigned"},
		{"mysql", "decimal|decimal(10,0)|numeric(10)"},
		{"mysql", "double|real|double precision|float(53)"},
		{"mysql", "varchar(10)|varchar(10) character set latin1|nvarchar(10)|varchar(10) collate utf8_bin"},
		{"mysql", "enum('a','b')|enum('a')"},
		{"mysql", "datetime|datetime(0)"},
		{"sqlite", "INT|integer|INTEGER|int(11)|INTEGER(4)"},
		{"sqlite", "VARCHAR(20)|varchar( 20 )"},
		{"sqlite", "REAL|double|FLOAT"},
		{"sqlite", "datetime|TIMESTAMP"},
		{"sqlite", "|  "},
		{"duckdb", "VARCHAR|TEXT|STRING|CHAR|VARCHAR(20)"},
		{"duckdb", "DECIMAL|DECIMAL(18,3)|numeric"},
		{"duckdb", "ENUM('a','b')|ENUM('c')"},
		{"duckdb", "STRUCT(a INTEGER, b VARCHAR)|struct(a integer,b varchar)"},
	} {
		spellings := strings.Split(c.spellings, "|")
		for _, s := range spellings[1:] {
			if a, b := Normalize(c.dialect, spellings[0]), Normalize(c.dialect, s); a != b {
				t.Errorf("%s: %q is %q, but %q is %q", c.dialect, spellings[0], a, s, b)
			}
			if got := Compare(c.dialect, spellings[0], s); got != Same {
				t.Errorf("%s: Compare(%q, %q) = %v, want Same", c.dialect, spellings[0], s, got)
			}
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		dialect, from, to string
		there, back       Change
	}{
		{"postgresql", "int", "bigint", Wider, Narrower},
		{"postgresql", "int", "numeric", Wider, Narrower},
		{"postgresql", "int", "numeric(10)", Wider, Narrower},
		{"postgresql", "int", "numeric(9)", Narrower, Wider},
		{"postgresql", "bigint", "numeric(19)", Wider, Narrower},
		{"postgresql", "numeric(18)", "bigint", Wider, Narrower},
		{"postgresql", "int", "numeric(12,2)", Wider, Narrower},
		{"postgresql", "int", "double precision", Wider, Narrower},
		{"postgresql", "bigint", "double precision", Narrower, Narrower},
		{"postgresql", "real", "double precision", Wider, Narrower},
		{"postgresql", "double precision", "numeric", Wider, Narrower},
		{"postgresql", "numeric(15)", "double precision", Wider, Narrower},
		{"postgresql", "numeric(10,2)", "numeric(12,2)", Wider, Narrower},
		{"postgresql", "numeric(10,2)", "numeric(11,3)", Wider, Narrower},
		{"postgresql", "numeric(10,2)", "numeric(10,3)", Narrower, Narrower},
		{"postgresql", "numeric(10,2)", "double precision", Narrower, Narrower},
		{"postgresql", "numeric(5,-2)", "numeric(7)", Wider, Narrower},
		{"postgresql", "varchar(10)", "varchar(20)", Wider, Narrower},
		{"postgresql", "varchar(10)", "text", Wider, Narrower},
		{"postgresql", "varchar", "text", Wider, Wider},
		{"postgresql", "char(10)", "varchar(10)", Wider, Wider},
		{"postgresql", "date", "timestamp", Wider, Narrower},
		{"postgresql", "timestamp", "timestamptz", Wider, Narrower},
		{"postgresql", "timestamp(3)", "timestamp", Wider, Narrower},
		{"postgresql", "date", "time", Narrower, Narrower},
		{"postgresql", "time", "timestamp", Narrower, Narrower},
		{"postgresql", "interval", "interval year to month", Narrower, Wider},
		{"postgresql", "interval", "timestamp", Narrower, Narrower},
		{"postgresql", "json", "jsonb", Wider, Wider},
		{"postgresql", "int", "text", Other, Other},
		{"postgresql", "uuid", "text", Other, Other},
		{"postgresql", "int", "boolean", Other, Other},
		{"postgresql", "mood", "text", Other, Other},
		{"postgresql", "mood", "color", Other, Other},
		{"postgresql", "int", "int[]", Other, Other},
		{"postgresql", "int[]", "bigint[]", Wider, Narrower},
		{"postgresql", "int[]", "text[]", Other, Other},
		{"postgresql", "bit(4)", "bit varying(8)", Wider, Narrower},
		{"postgresql", "vector(3)", "vector(4)", Other, Other},
		{"mysql", "int", "int unsigned", Narrower, Narrower},
		{"mysql", "int unsigned", "bigint", Wider, Narrower},
		{"mysql", "tinyint unsigned", "smallint", Wider, Narrower},
		{"mysql", "mediumint", "int", Wider, Narrower},
		{"mysql", "float", "double", Wider, Narrower},
		{"mysql", "varchar(255)", "text", Wider, Narrower},
		{"mysql", "text", "longtext", Wider, Narrower},
		{"mysql", "enum('a')", "varchar(10)", Wider, Narrower},
		{"mysql", "datetime", "datetime(6)", Wider, Narrower},
		{"mysql", "datetime", "timestamp", Wider, Narrower},
		{"mysql", "blob", "text", Other, Other},
		{"mysql", "binary(16)", "varbinary(20)", Wider, Narrower},
		{"mysql", "year", "smallint", Wider, Narrower},
		{"sqlite", "int", "bigint", Wider, Wider},
		{"sqlite", "smallint", "int", Wider, Narrower},
		{"sqlite", "varchar(10)", "text", Wider, Narrower},
		{"sqlite", "int", "text", Other, Other},
		{"sqlite", "", "text", Other, Other},
		{"duckdb", "integer", "hugeint", Wider, Narrower},
		{"duckdb", "uinteger", "bigint", Wider, Narrower},
		{"duckdb", "timestamp_s", "timestamp_ns", Wider, Narrower},
		{"duckdb", "hugeint", "bignum", Wider, Narrower},
		{"duckdb", "struct(a int)", "struct(a int, b int)", Other, Other},
		{"duckdb", "integer[3]", "integer[]", Wider, Wider},
	} {
		if got := Compare(c.dialect, c.from, c.to); got != c.there {
			t.Errorf("%s: Compare(%q, %q) = %v, want %v", c.dialect, c.from, c.to, got, c.there)
		}
		if got := Compare(c.dialect, c.to, c.from); got != c.back {
			t.Errorf("%s: Compare(%q, %q) = %v, want %v", c.dialect, c.to, c.from, got, c.back)
		}
	}
}

func TestNormalize_OwnTypesKeepTheirSpelling(t *testing.T) {
	if a, b := Normalize("postgresql", `"Mood"`), Normalize("postgresql", `"mood"`); a == b {
		t.Error("quoted names differ in case")
	}
	if a, b := Normalize("postgresql", "Mood"), Normalize("postgresql", "mood"); a != b {
		t.Error("plain names do not differ in case")
	}
	if a, b := Normalize("postgresql", "geometry(Point,4326)"), Normalize("postgresql", "geometry(Point,3857)"); a == b {
		t.Error("arguments count")
	}
}

func TestCompare_OrderHolds(t *testing.T) {
	pg := []string{"smallint", "int", "bigint", "numeric", "numeric(10,2)", "numeric(12,2)", "numeric(19)", "real", "double precision", "varchar(5)", "varchar(9)",
		"text", "char(4)", "date", "time", "timestamp", "timestamp(2)", "timestamptz", "bytea", "int[]", "bigint[]", "mood"}
	rapid.Check(t, func(t *rapid.T) {
		pick := rapid.SampledFrom(pg)
		a, b, c := pick.Draw(t, "a"), pick.Draw(t, "b"), pick.Draw(t, "c")
		fits := func(from, to string) bool {
			r := Compare("postgresql", from, to)
			return r == Same || r == Wider
		}
		if !fits(a, a) {
			t.Fatalf("%s does not fit itself", a)
		}
		if fits(a, b) && fits(b, c) && !fits(a, c) {
			t.Fatalf("%s fits %s fits %s, but the first does not fit the last", a, b, c)
		}
		if (Compare("postgresql", a, b) == Other) != (Compare("postgresql", b, a) == Other) {
			t.Fatalf("%s and %s are of one family in one direction only", a, b)
		}
	})
}

func FuzzNormalize_Stable(f *testing.F) {
	for _, s := range []string{"int(11) unsigned", "timestamp(3) with time zone", "STRUCT(a INTEGER[], \"b c\" VARCHAR)[3]", "enum('a','b)')", "((((", "]]]][", "", "_", "numeric(99999999999999999999,-5)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, d := range []string{"postgresql", "mysql", "sqlite", "duckdb"} {
			if Compare(d, s, s) != Same {
				t.Fatalf("%s: %q is not itself", d, s)
			}
			FamilyOf(d, s)
			Compare(d, s, "integer")
			Compare(d, "integer", s)
		}
	})
}
