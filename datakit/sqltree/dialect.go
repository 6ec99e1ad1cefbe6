package sqltree

import "strings"

// Dialect names a database's SQL.
type Dialect string

// The dialects. Generic is standard SQL with what most dialects add.
const (
	Postgres   Dialect = "postgres"
	MySQL      Dialect = "mysql"
	MariaDB    Dialect = "mariadb"
	SQLite     Dialect = "sqlite"
	DuckDB     Dialect = "duckdb"
	Snowflake  Dialect = "snowflake"
	BigQuery   Dialect = "bigquery"
	ClickHouse Dialect = "clickhouse"
	Generic    Dialect = "generic"
)

// Fold returns the form in which a dialect compares a name: quoted names of
// PostgreSQL and Snowflake keep their case, unquoted ones fold to lower and upper
// case; elsewhere case does not matter (MySQL's table names depend on the file
// system and are compared folded here), but for ClickHouse, which folds nothing.
func (d Dialect) Fold(id Ident) string {
	switch d {
	case Postgres:
		if id.Quoted {
			return id.Name
		}
		return lowerASCII(id.Name)
	case SQLite, DuckDB:
		return lowerASCII(id.Name)
	case Snowflake:
		if id.Quoted {
			return id.Name
		}
		return strings.ToUpper(id.Name)
	case ClickHouse:
		return id.Name
	}
	return strings.ToLower(id.Name)
}

// Quote writes a name in the dialect's quotes, so that it means exactly that name.
func (d Dialect) Quote(name string) string {
	mark := `"`
	switch d {
	case MySQL, MariaDB, BigQuery, ClickHouse:
		mark = "`"
	}
	return mark + strings.ReplaceAll(name, mark, mark+mark) + mark
}

// lowerASCII lowers the letters A to Z, as PostgreSQL (in UTF-8), SQLite and DuckDB
// do, and no others.
func lowerASCII(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
