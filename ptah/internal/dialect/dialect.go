// Package dialect knows the databases that a schema can be declared for: their names,
// how they quote, fold and limit names, and what they can hold.
package dialect

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// Dialect is the canonical name of a database's SQL.
type Dialect string

// The dialects.
const (
	Postgres    Dialect = "postgres"
	MySQL       Dialect = "mysql"
	MariaDB     Dialect = "mariadb"
	SQLite      Dialect = "sqlite"
	SQLServer   Dialect = "sqlserver"
	CockroachDB Dialect = "cockroachdb"
	YugabyteDB  Dialect = "yugabytedb"
	ClickHouse  Dialect = "clickhouse"
	Spanner     Dialect = "spanner"
	Oracle      Dialect = "oracle"
	YDB         Dialect = "ydb"
)

// All lists the dialects in the order in which they are shown to people: those with
// full support first.
func All() []Dialect {
	return []Dialect{Postgres, MySQL, MariaDB, SQLite, SQLServer, CockroachDB, YugabyteDB, ClickHouse, Spanner, Oracle, YDB}
}

var aliases = map[string]Dialect{
	"postgresql": Postgres, "pgx": Postgres,
	"maria":   MariaDB,
	"sqlite3": SQLite, "libsql": SQLite, "libsql+ws": SQLite,
	"mssql": SQLServer, "sql-server": SQLServer, "sql_server": SQLServer, "tsql": SQLServer,
	"cockroach": CockroachDB, "crdb": CockroachDB,
	"yugabyte": YugabyteDB, "ysql": YugabyteDB,
	"ch":           ClickHouse,
	"cloudspanner": Spanner, "google-spanner": Spanner, "google_spanner": Spanner,
	"oracledb": Oracle,
}

// Names are the canonical names as one text: "postgres, mysql, …".
func Names() string {
	names := make([]string, 0, len(All()))
	for _, d := range All() {
		names = append(names, string(d))
	}
	return strings.Join(names, ", ")
}

// Parse finds the dialect that a name or alias means, without regard to case and to
// blanks around it. The error of another name lists the canonical ones.
func Parse(name string) (Dialect, error) {
	n := strings.ToLower(strings.TrimSpace(name))
	for _, d := range All() {
		if n == string(d) {
			return d, nil
		}
	}
	if d, ok := aliases[n]; ok {
		return d, nil
	}
	return "", fmt.Errorf("unknown dialect %.80q; the dialects are %s", name, Names())
}

// Tier says how much of a declaration a dialect can render: 1 everything that its
// database can hold, 2 tables, constraints, indexes, views and enums, 3 tables, keys,
// indexes and simple views.
func (d Dialect) Tier() int {
	switch d {
	case Postgres, MySQL, MariaDB, SQLite:
		return 1
	case SQLServer, CockroachDB, YugabyteDB, ClickHouse:
		return 2
	}
	return 3
}

// PostgresFamily reports whether the database speaks PostgreSQL's SQL and cuts names at
// [MaxNameBytes].
func (d Dialect) PostgresFamily() bool {
	return d == Postgres || d == CockroachDB || d == YugabyteDB
}

// MySQLFamily reports whether the database is MySQL or MariaDB.
func (d Dialect) MySQLFamily() bool { return d == MySQL || d == MariaDB }

// NameLimit is the longest name that a database takes, and its unit, "bytes" or
// "characters". It is 0 where there is no limit. The PostgreSQL family does not refuse
// longer names but cuts them.
func (d Dialect) NameLimit() (limit int, unit string) {
	switch d {
	case Postgres, CockroachDB, YugabyteDB:
		return MaxNameBytes, "bytes"
	case MySQL, MariaDB:
		return 64, "characters"
	case SQLServer, Spanner:
		return 128, "characters"
	case Oracle:
		return 128, "bytes"
	case YDB:
		return 255, "bytes"
	}
	return 0, ""
}

// Quote writes a name so that it means exactly that name.
func (d Dialect) Quote(name string) string {
	switch d {
	case SQLServer:
		return "[" + strings.ReplaceAll(name, "]", "]]") + "]"
	case MySQL, MariaDB:
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	case ClickHouse, Spanner, YDB:
		return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// String writes a text as a literal. One of SQL Server with more than ASCII is said to be
// of all characters.
func (d Dialect) String(text string) string {
	switch d {
	case SQLServer:
		if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
			return "N'" + strings.ReplaceAll(text, "'", "''") + "'"
		}
	case MySQL, MariaDB:
		text = strings.NewReplacer(`\`, `\\`, "\x00", `\0`).Replace(text)
	case ClickHouse, Spanner, YDB:
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(text) + "'"
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// Key returns the form in which the database compares two names of columns and indexes,
// as they are stored: names that have the same key clash. Names of tables compare in the
// same way but for MySQL and MariaDB, where they compare exactly.
func (d Dialect) Key(name string) string {
	switch d {
	case SQLite:
		return asciiLower(name)
	case MySQL, MariaDB, SQLServer, Spanner:
		return strings.ToLower(name)
	case Postgres, CockroachDB, YugabyteDB:
		return Cut(name)
	}
	return name
}

// TableKey is [Dialect.Key] for names of tables and views.
func (d Dialect) TableKey(name string) string {
	if d.MySQLFamily() {
		return name
	}
	return d.Key(name)
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// DefaultSchema is the schema of objects that are declared without one; empty where the
// database of the connection takes that place.
func (d Dialect) DefaultSchema() string {
	switch d {
	case Postgres, CockroachDB, YugabyteDB:
		return "public"
	case SQLite:
		return "main"
	case SQLServer:
		return "dbo"
	}
	return ""
}

// SQL returns the dialect under which datakit parses queries and expressions; ok is
// false where it has no front end for this SQL, so that texts can only be read
// tolerantly.
func (d Dialect) SQL() (sql sqltree.Dialect, ok bool) {
	switch d {
	case Postgres, CockroachDB, YugabyteDB:
		return sqltree.Postgres, true
	case MySQL:
		return sqltree.MySQL, true
	case MariaDB:
		return sqltree.MariaDB, true
	case SQLite:
		return sqltree.SQLite, true
	case ClickHouse:
		return sqltree.ClickHouse, true
	case SQLServer, Oracle, Spanner:
		return sqltree.Generic, true
	}
	return sqltree.Generic, false
}
