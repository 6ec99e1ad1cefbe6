// Package scratch works in a disposable database: whatever a declared schema or a
// migration says is executed there, so that the database itself says what it means. A
// scratch database is emptied before and after the work; one that holds something is
// refused unless the person says that it may go.
package scratch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/dbread"
	"github.com/quartet-mcp/quartet/ptah/internal/dbscript"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
)

// DB is an open scratch database. It belongs to one goroutine.
type DB struct {
	conn  *dbread.Connection
	url   dburl.URL
	made  bool   // the file of SQLite was not there
	roles []role // made here
}

// NotEmptyError says that a database cannot be a scratch database.
type NotEmptyError struct {
	Database string   // for people
	Objects  []string // what is in it
}

func (e *NotEmptyError) Error() string {
	const most = 3
	shown := make([]string, 0, most)
	for _, o := range e.Objects[:min(most, len(e.Objects))] {
		shown = append(shown, fmt.Sprintf("%.80q", o))
	}
	more := ""
	if n := len(e.Objects) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("database %s is not empty: it holds %s%s; --reset drops everything in it", e.Database, strings.Join(shown, ", "), more)
}

// StatementError says that the database refused a statement.
type StatementError struct {
	Number int    // from 1
	Line   string // the statement's first line
	Reason string
	err    error
}

func (e *StatementError) Error() string {
	return fmt.Sprintf("statement %d, %q: %s", e.Number, e.Line, e.Reason)
}

// Unwrap returns what the driver said.
func (e *StatementError) Unwrap() error { return e.err }

// Open opens a database of a dialect to work in. One that holds something is a
// [*NotEmptyError], or is emptied if reset says so. Other errors are [code.Error]s.
func Open(ctx context.Context, u dburl.URL, d dialect.Dialect, reset bool) (*DB, error) {
	if !slices.Contains([]dialect.Dialect{dialect.Postgres, dialect.MySQL, dialect.MariaDB, dialect.SQLite}, d) {
		return nil, code.New(code.InvalidRequest, "%s has no scratch databases here", d).WithHint("postgres, mysql, mariadb and sqlite have")
	}
	if family := u.Dialect(); family.PostgresFamily() != d.PostgresFamily() || family.MySQLFamily() != d.MySQLFamily() {
		return nil, code.New(code.InvalidRequest, "the scratch database has the scheme %q, which is not that of %s", u.Scheme(), d)
	}
	db := &DB{url: u}
	if d == dialect.SQLite {
		_, err := os.Stat(u.Database())
		db.made = errors.Is(err, fs.ErrNotExist)
	}
	var err error
	if db.conn, err = dbread.Connect(ctx, u, true); err != nil {
		return nil, err
	}
	if err := db.prepare(ctx, d, reset); err != nil {
		db.conn.Close()
		if db.made {
			err = errors.Join(err, removeFile(u.Database()))
		}
		return nil, err
	}
	return db, nil
}

func (db *DB) prepare(ctx context.Context, d dialect.Dialect, reset bool) error {
	if db.conn.Dialect != d {
		return code.New(code.InvalidRequest, "the scratch database %s is of %s, and the schema is for %s", db.conn.Display(), db.conn.Dialect, d)
	}
	objects, err := db.objects(ctx)
	switch {
	case err != nil:
		return db.conn.Unreadable(ctx, err)
	case len(objects) == 0:
		return nil
	case !reset:
		return &NotEmptyError{db.conn.Display(), objects}
	}
	return db.Reset(ctx)
}

// Close empties the database and ends the connection. It does so even if ctx has ended.
func (db *DB) Close(ctx context.Context) error {
	err := db.Reset(context.WithoutCancel(ctx))
	db.conn.Close()
	if db.made {
		err = errors.Join(err, removeFile(db.url.Database()))
	}
	return err
}

// Reset drops everything in the database, and the roles that the work made.
func (db *DB) Reset(ctx context.Context) error {
	var err error
	switch {
	case db.conn.Postgres != nil:
		err = db.resetPostgres(ctx)
	case db.conn.Dialect == dialect.SQLite:
		err = db.resetSQLite(ctx)
	default:
		err = db.resetMySQL(ctx)
	}
	if err != nil {
		return code.New(code.WriteFailed, "the scratch database %s cannot be emptied: %s", db.conn.Display(), db.conn.Reason(err)).Because(err)
	}
	return nil
}

func (db *DB) objects(ctx context.Context) ([]string, error) {
	switch {
	case db.conn.Postgres != nil:
		return db.postgresObjects(ctx)
	case db.conn.Dialect == dialect.SQLite:
		return db.strings(ctx, "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1")
	}
	return db.strings(ctx, mysqlObjects)
}

// Execute executes statements one by one, each on its own. The error of one that the
// database refuses is a [*StatementError]; those behind it are not executed.
func (db *DB) Execute(ctx context.Context, statements []string) error {
	for i, s := range statements {
		err := db.execute(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
			return &StatementError{i + 1, plain.Line(first, 120), db.conn.Reason(err), err}
		}
	}
	return nil
}

// Codes of a role that is there already, and of one that is not there.
const (
	postgresDuplicate = "42710"
	postgresUndefined = "42704"
	mysqlCannotUser   = 1396
)

// execute executes one statement. A role that is there already is no refusal: roles
// belong to the server.
func (db *DB) execute(ctx context.Context, statement string) error {
	role, isRole := createdRole(statement)
	if isRole {
		statement = surely(statement)
	}
	var err error
	if db.conn.Postgres != nil {
		_, err = db.conn.Postgres.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
	} else {
		_, err = db.conn.SQL.ExecContext(ctx, statement)
	}
	if !isRole {
		return err
	}
	var (
		postgres *pgconn.PgError
		maria    *mysql.MySQLError
	)
	switch {
	case err == nil:
		db.roles = append(db.roles, role)
	case errors.As(err, &postgres) && postgres.Code == postgresDuplicate, errors.As(err, &maria) && maria.Number == mysqlCannotUser:
		return nil
	}
	return err
}

// Script writes down what the database holds.
func (db *DB) Script(ctx context.Context) (*dbscript.Script, error) { return script(ctx, db.conn) }

// Structure writes down what another database holds, in a session that only reads.
func Structure(ctx context.Context, u dburl.URL, d dialect.Dialect) (*dbscript.Script, error) {
	conn, err := dbread.Connect(ctx, u, false)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if conn.Dialect != d {
		return nil, code.New(code.InvalidRequest, "database %s is of %s, and the dialect is %s", conn.Display(), conn.Dialect, d)
	}
	return script(ctx, conn)
}

func script(ctx context.Context, conn *dbread.Connection) (*dbscript.Script, error) {
	var (
		s   *dbscript.Script
		err error
	)
	switch {
	case conn.Postgres != nil:
		s, err = postgresScript(ctx, conn.Postgres)
	case conn.Dialect == dialect.SQLite:
		s, err = dbscript.SQLite(ctx, conn.SQL)
	default:
		s, err = dbscript.MySQL(ctx, conn.SQL)
	}
	if err != nil {
		return nil, conn.Unreadable(ctx, err)
	}
	return s, nil
}

// strings returns the one column of a query of a database other than PostgreSQL.
func (db *DB) strings(ctx context.Context, query string) ([]string, error) {
	rows, err := db.conn.SQL.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}
