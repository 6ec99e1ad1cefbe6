package dbread

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"modernc.org/sqlite"
)

// Connection is one open connection to a database, for work beyond listing its objects.
// It belongs to one goroutine.
type Connection struct {
	Dialect  dialect.Dialect
	Version  string    // short, as 16.3; empty if not known
	Postgres *pgx.Conn // of PostgreSQL and its relatives, else nil
	SQL      *sql.DB   // of the others, with one connection
	db       config.Database
}

// Connect opens a database. Without write the session only reads, as that of [Read] does;
// with it a file of SQLite that is not there is made. The error is a [code.Error].
func Connect(ctx context.Context, u dburl.URL, write bool) (*Connection, error) {
	c := &Connection{db: config.Database{Name: u.Name(), URL: u}}
	limited, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	var err error
	switch d := u.Dialect(); {
	case d.PostgresFamily():
		err = c.postgres(limited, write)
	case d.MySQLFamily():
		err = c.mysql(limited, write)
	case d == dialect.SQLite:
		err = c.sqlite(limited, write)
	default:
		err = code.New(code.InvalidRequest, "nothing here connects to a database with the scheme %q", u.Scheme()).WithHint("use postgres, mysql, mariadb or sqlite")
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Connection) postgres(ctx context.Context, write bool) error {
	settings, err := postgresConfig(c.db)
	if err != nil {
		return unreachable(c.db, err, "its URL has parameters that cannot be used; check sslmode, sslrootcert, sslcert and sslkey")
	}
	if write {
		delete(settings.RuntimeParams, "default_transaction_read_only")
		delete(settings.RuntimeParams, "statement_timeout")
	}
	if c.Postgres, err = pgx.ConnectConfig(ctx, settings); err != nil {
		return unreachable(c.db, err, postgresReason(err))
	}
	var banner string
	if err := c.Postgres.QueryRow(ctx, "SELECT version()").Scan(&banner); err != nil {
		return unreachable(c.db, err, postgresReason(err))
	}
	c.Dialect, c.Version = identifyPostgres(banner)
	return nil
}

func (c *Connection) mysql(ctx context.Context, write bool) error {
	settings, err := mysqlConfig(c.db)
	if err != nil {
		return unreachable(c.db, err, err.Error())
	}
	connector, err := mysql.NewConnector(settings)
	if err != nil {
		return unreachable(c.db, err, "its URL has parameters that cannot be used")
	}
	c.SQL = sql.OpenDB(connector)
	c.SQL.SetMaxOpenConns(1)
	var version string
	if err := c.SQL.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version); err != nil {
		return unreachable(c.db, err, mysqlReason(err))
	}
	c.Dialect, c.Version = identifyMySQL(version)
	if write {
		return nil
	}
	if _, err := c.SQL.ExecContext(ctx, "SET SESSION TRANSACTION READ ONLY"); err != nil {
		return unreachable(c.db, err, mysqlReason(err))
	}
	return nil
}

func (c *Connection) sqlite(ctx context.Context, write bool) error {
	if !write {
		r, err := openSQLite(ctx, c.db)
		if err != nil {
			return err
		}
		c.SQL = r.(*sqliteReader).pool
	} else if err := c.writeSQLite(ctx); err != nil {
		return err
	}
	c.Dialect = dialect.SQLite
	if err := c.SQL.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&c.Version); err != nil {
		return unreachable(c.db, err, sqliteReason(err))
	}
	return nil
}

func (c *Connection) writeSQLite(ctx context.Context) error {
	path, err := filepath.Abs(c.db.URL.Database())
	if err != nil {
		return unreachable(c.db, err, "its path has no absolute form")
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: url.Values{"mode": {"rwc"}, "_busy_timeout": {"2000"}}.Encode()}
	connector, err := sqlite.NewConnector(name.String())
	if err != nil {
		return unreachable(c.db, err, "its path cannot be opened")
	}
	c.SQL = sql.OpenDB(connector)
	c.SQL.SetMaxOpenConns(1)
	var version int64
	if err := c.SQL.QueryRowContext(ctx, "PRAGMA main.schema_version").Scan(&version); err != nil {
		return unreachable(c.db, err, sqliteReason(err))
	}
	return nil
}

// Reason says in one line, and without secrets, why a statement did not succeed.
func (c *Connection) Reason(err error) string {
	var (
		postgres *pgconn.PgError
		lite     *sqlite.Error
	)
	switch {
	case errors.As(err, &postgres) && postgres.Detail != "":
		return c.db.URL.Redact(plain.Line(postgres.Message+": "+postgres.Detail, 300)) + " (SQLSTATE " + postgres.Code + ")"
	case c.Postgres != nil:
		return c.db.URL.Redact(postgresReason(err))
	case errors.As(err, &lite):
		return c.db.URL.Redact(plain.Line(lite.Error(), 300))
	case c.Dialect == dialect.SQLite:
		return sqliteReason(err)
	}
	return c.db.URL.Redact(mysqlReason(err))
}

// Unreadable makes the error of a catalog that cannot be read.
func (c *Connection) Unreadable(ctx context.Context, err error) error {
	return unreadable(ctx, c.db, err, c.Reason(err))
}

// Display names the database for people, without secrets.
func (c *Connection) Display() string { return c.db.URL.Display() }

// Close ends the connection.
func (c *Connection) Close() {
	if c.Postgres != nil {
		(&postgres{conn: c.Postgres}).close()
	}
	if c.SQL != nil {
		_ = c.SQL.Close()
	}
}
