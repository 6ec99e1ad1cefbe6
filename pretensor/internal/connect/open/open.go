// Package open opens the connector that belongs to a data source name. It links
// the driver of every database, so nothing but a command and tests imports it; the
// others get an open function from them.
package open

import (
	"context"
	"fmt"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/duckdb"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/mysql"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/postgres"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/sqlite"
)

// attach is the parameter of a DuckDB name that gives a further file, as often as
// there are such: duckdb:///shop.duckdb?attach=stock.duckdb&attach=/data/old.duckdb
const attach = "attach"

// Open connects to the database that d names, read-only. The error is a
// [connect.Error], or that of ctx.
func Open(ctx context.Context, d dsn.DSN) (connect.Connector, error) {
	switch d.Dialect {
	case dsn.PostgreSQL:
		return postgres.Open(ctx, d)
	case dsn.MySQL, dsn.MariaDB:
		return mysql.Open(ctx, d)
	case dsn.SQLite:
		d.Path = d.File()
		return sqlite.Open(ctx, d)
	case dsn.DuckDB:
		return duckdb.Open(ctx, d.File(), d.Query[attach]...)
	case dsn.Snowflake, dsn.BigQuery:
		return nil, &connect.Error{Category: connect.Unavailable, Message: fmt.Sprintf("this build of pretensor cannot connect to %s yet", d.Dialect), Hint: known}
	case "":
		return nil, &connect.Error{Category: connect.NoDSN, Message: "there is no data source name to connect to"}
	}
	return nil, &connect.Error{Category: connect.BadDSN, Message: fmt.Sprintf("the dialect %.20q of the data source name is not known", d.Dialect), Hint: known}
}

const known = "it connects to PostgreSQL, MySQL, MariaDB, SQLite and DuckDB"
