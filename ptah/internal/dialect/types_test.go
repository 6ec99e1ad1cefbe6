package dialect

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func typeOf(t *testing.T, text string) schema.Type {
	t.Helper()
	parsed, err := schema.ParseType(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestMapType(t *testing.T) {
	// For each dialect what a type becomes; "-" is a refusal, a leading ~ a loss, a
	// trailing + a counter.
	for _, test := range []struct{ declared, want string }{
		{"smallint", "postgres SMALLINT; mysql SMALLINT; sqlite INTEGER; sqlserver SMALLINT; cockroachdb INT2; clickhouse Int16; spanner INT64; oracle NUMBER(5); ydb Int16"},
		{"INT4", "postgres INTEGER; yugabytedb INTEGER; mysql INT; mariadb INT; sqlite INTEGER; cockroachdb INT4; ydb Int32"},
		{"INT UNSIGNED", "mysql INT UNSIGNED; mariadb INT UNSIGNED; sqlite ~INTEGER; postgres -; sqlserver -; clickhouse -; oracle -"},
		{"int8 unsigned", "mysql BIGINT UNSIGNED"},
		{"numeric(10,2) unsigned zerofill", "mysql DECIMAL(10,2) UNSIGNED ZEROFILL; postgres -"},
		{"double precision unsigned", "mysql DOUBLE UNSIGNED"},
		{"text unsigned", "mysql -; sqlite -"},
		{"SERIAL", "postgres SERIAL; mysql INT+; sqlite INTEGER+; sqlserver INT+; cockroachdb SERIAL4; clickhouse -; spanner -; oracle NUMBER(10)+"},
		{"bool", "postgres BOOLEAN; mysql BOOLEAN; sqlite INTEGER; sqlserver BIT; oracle NUMBER(1); spanner BOOL"},
		{"double precision", "mysql DOUBLE; sqlite REAL; sqlserver FLOAT; clickhouse Float64"},
		{"float(24)", "postgres REAL; mysql FLOAT"},
		{"float(25)", "postgres DOUBLE PRECISION; mysql DOUBLE"},
		{"numeric(12, 2)", "postgres NUMERIC(12,2); mysql DECIMAL(12,2); sqlite NUMERIC(12,2); clickhouse Decimal(12,2); spanner NUMERIC; oracle NUMBER(12,2)"},
		{"numeric(40,2)", "spanner -; oracle NUMBER(40,2)"},
		{"decimal", "postgres NUMERIC; mysql -; sqlserver -; clickhouse Decimal(38, 10)"},
		{"text", "mysql TEXT; sqlserver NVARCHAR(MAX); spanner STRING(MAX); oracle CLOB; ydb Utf8"},
		{"text(65535)", "mysql TEXT"},
		{"text(65536)", "mysql LONGTEXT; mariadb LONGTEXT"},
		{"character varying(20)", "postgres VARCHAR(20); mysql VARCHAR(20); sqlite ~TEXT; sqlserver NVARCHAR(20); oracle VARCHAR2(20 CHAR); spanner STRING(20)"},
		{"varchar(4001)", "sqlserver NVARCHAR(MAX)"},
		{"varchar", "postgres VARCHAR; mysql -; sqlite TEXT; oracle -"},
		{"char(3)", "postgres CHAR(3); sqlite ~TEXT; clickhouse ~FixedString(3); oracle CHAR(3 CHAR)"},
		{"citext", "postgres CITEXT; mysql ~VARCHAR(255); sqlite TEXT; cockroachdb -"},
		{"bytea", "postgres BYTEA; mysql LONGBLOB; sqlite BLOB; sqlserver VARBINARY(MAX)"},
		{"blob", "postgres BYTEA; mysql BLOB"},
		{"timestamp", "postgres TIMESTAMP; mysql DATETIME(6); sqlite TEXT; sqlserver DATETIME2; clickhouse DateTime64(3); spanner -"},
		{"timestamp(3)", "postgres TIMESTAMP(3); mysql DATETIME(3); sqlite ~TEXT; clickhouse DateTime64(3)"},
		{"timestamp(0) with time zone", "postgres TIMESTAMPTZ(0); mysql ~TIMESTAMP(0); clickhouse DateTime64(0, 'UTC'); oracle TIMESTAMP(0) WITH TIME ZONE"},
		{"interval", "postgres INTERVAL; mysql -; sqlite -; oracle ~INTERVAL DAY TO SECOND"},
		{"uuid", "postgres UUID; mysql ~CHAR(36); mariadb UUID; mariadb@10.6 ~CHAR(36); sqlserver UNIQUEIDENTIFIER; oracle ~RAW(16)"},
		{"jsonb", "postgres JSONB; mysql JSON; sqlite TEXT; sqlserver ~NVARCHAR(MAX); cockroachdb JSONB; oracle JSON; oracle@19 CLOB"},
		{"text[][]", "postgres TEXT[][]; mysql -; clickhouse Array(Array(String)); spanner -; cockroachdb -"},
		{"text[]", "cockroachdb STRING[]; clickhouse Array(String); spanner ARRAY<STRING(MAX)>"},
		{"inet", "postgres INET; mysql -; cockroachdb INET"},
		{"vector(3)", "postgres vector(3); mysql VECTOR(3); mysql@8.4 -; mariadb@11.6 -; sqlserver@2022 -; clickhouse ~Array(Float32)"},
		{"mediumtext", "mysql MEDIUMTEXT; mariadb MEDIUMTEXT; postgres -"},
		{"int4range", "postgres INT4RANGE; mysql -"},
		{"order_status", "postgres -; mysql -; clickhouse -"},
	} {
		for part := range strings.SplitSeq(test.want, "; ") {
			target, want, _ := strings.Cut(part, " ")
			name, version, _ := strings.Cut(target, "@")
			v, _ := ParseVersion(version)
			m, err := Dialect(name).MapType(typeOf(t, test.declared), v)
			got := m.SQL
			if m.Lossy {
				got = "~" + got
			}
			if m.Auto {
				got += "+"
			}
			if err != nil {
				got = "-"
			}
			if got != want {
				t.Errorf("%s for %s: %s (%v), want %s", test.declared, target, got, err, want)
			}
		}
	}
}

func TestMapType_Checks(t *testing.T) {
	for _, test := range []struct {
		declared string
		d        Dialect
		want     string
	}{
		{"boolean", Oracle, "{} IN (0, 1)"}, {"json", SQLServer, "ISJSON({}) = 1"}, {"json", Oracle, ""}, {"boolean", Postgres, ""},
	} {
		if m, err := test.d.MapType(typeOf(t, test.declared), Version{}); err != nil || m.Check != test.want {
			t.Errorf("check of %s for %s: %q, %v; want %q", test.declared, test.d, m.Check, err, test.want)
		}
	}
}

func TestTypes_EveryCellIsRead(t *testing.T) {
	for name, row := range types {
		if name == "" {
			continue
		}
		if len(row) != len(All()) {
			t.Errorf("row %s has %d dialects, want %d", name, len(row), len(All()))
		}
		base, withArgs := strings.CutSuffix(name, "()")
		if withArgs {
			base += "(10,2)"
		}
		for _, d := range All() {
			m, err := d.MapType(typeOf(t, base), Version{})
			if (err != nil) != (row[d] == "-") && !strings.Contains(row[d], "#") || strings.ContainsAny(m.SQL, "$~@#?+=/") {
				t.Errorf("%s for %s: %q, %v; the cell is %q", base, d, m.SQL, err, row[d])
			}
		}
	}
}

func TestSpellType(t *testing.T) {
	for _, test := range []struct {
		d              Dialect
		declared, want string // empty: it is no type
	}{
		{Postgres, "character varying(20)", "VARCHAR(20)"},
		{Postgres, "pg_catalog.int4", "INTEGER"},
		{Postgres, `"char"`, `"char"`},
		{Postgres, `pg_catalog."char"[]`, `"char"[]`},
		{Postgres, `"int4"`, "INTEGER"},
		{Postgres, `"INT4"`, ""},
		{Postgres, "char", "CHAR"},
		{Postgres, "bpchar", "BPCHAR"},
		{Postgres, "timestamp(3) without time zone", "TIMESTAMP(3)"},
		{Postgres, "interval day to second(3)", "INTERVAL DAY TO SECOND(3)"},
		{Postgres, "bit varying(8)", "BIT VARYING(8)"},
		{Postgres, "float(53)", "DOUBLE PRECISION"},
		{Postgres, "integer array", "INTEGER[]"},
		{Postgres, "app.int4", ""},
		{Postgres, "blob", ""},
		{MySQL, "integer(11) unsigned zerofill", "INT(11) UNSIGNED ZEROFILL"},
		{MySQL, "enum('a','b')", "ENUM('a', 'b')"},
		{MySQL, "character varying(3)", "VARCHAR(3)"},
		{MySQL, "uuid", ""},
		{MariaDB, "uuid", "UUID"},
		{MySQL, "numeric(10, 2)", "DECIMAL(10,2)"},
		{MySQL, "int[]", ""},
		{CockroachDB, "string(20)", "STRING(20)"},
		{CockroachDB, "INT", "INT"},
		{CockroachDB, "bigint[]", "INT8[]"},
		{CockroachDB, "timestamp with time zone", "TIMESTAMPTZ"},
		{CockroachDB, "money", ""},
		{CockroachDB, "int4range", ""},
		{CockroachDB, "text[][]", ""},
		{YugabyteDB, "int4", "INTEGER"},
		{Spanner, "ARRAY<STRING(MAX)>", "ARRAY<STRING(MAX)>"},
		{Spanner, "SET<INT64>", ""},
		{Oracle, "timestamp(3) with local time zone", "timestamp(3) with local time zone"},
		{YDB, "Decimal(22, 9)", "Decimal(22, 9)"},
		{SQLite, "anything at all (3)", "anything at all (3)"},
	} {
		got, ok := test.d.SpellType(typeOf(t, test.declared), Version{})
		if ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%s in %s: %q, %v; want %q", test.declared, test.d, got, ok, test.want)
		}
	}
}

func TestHas(t *testing.T) {
	for _, test := range []struct {
		d       Dialect
		f       Feature
		version string
		want    bool
	}{
		{Postgres, NullsNotDistinct, "14.9", false}, {Postgres, NullsNotDistinct, "15", true}, {Postgres, NullsNotDistinct, "", true},
		{MySQL, PartialIndexes, "", false}, {MySQL, Checks, "8.0.15", false}, {MySQL, Checks, "8.0.16-log", true},
		{YugabyteDB, Domains, "", true}, {YugabyteDB, Exclusions, "", false}, {YugabyteDB, NullsNotDistinct, "", true},
		{YugabyteDB, NullsNotDistinct, "2.20", false}, {YugabyteDB, NullsNotDistinct, "2024.2.3", false}, {YugabyteDB, NullsNotDistinct, "2025.1", true},
		{YugabyteDB, NullsNotDistinct, "2.25.1", true}, {YugabyteDB, NotEnforced, "2025.1", false}, {YugabyteDB, IncludeColumns, "2.20", true},
		{CockroachDB, RowLevelSecurity, "25.1", false}, {CockroachDB, RowLevelSecurity, "25.2", true}, {YDB, Checks, "", false}, {Postgres, "nosuch", "", false},
	} {
		v, ok := ParseVersion(test.version)
		if !ok {
			t.Fatalf("ParseVersion(%q) is not ok", test.version)
		}
		if got, _ := test.d.Has(test.f, v); got != test.want {
			t.Errorf("%s %s has %s: %v, want %v", test.d, test.version, test.f, got, test.want)
		}
	}
	if _, ok := ParseVersion("newest"); ok {
		t.Error("ParseVersion(newest) is ok")
	}
}
