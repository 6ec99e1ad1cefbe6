package dbread

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
)

// mysqlReader reads MySQL and MariaDB, where a schema is a database.
type mysqlReader struct {
	db      config.Database
	pool    *sql.DB // of one connection
	conn    *sql.Conn
	dialect dialect.Dialect
	version string
}

func openMySQL(ctx context.Context, db config.Database) (reader, error) {
	c, err := mysqlConfig(db)
	if err != nil {
		return nil, unreachable(db, err, err.Error())
	}
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, unreachable(db, err, "its URL has parameters that cannot be used")
	}
	m := &mysqlReader{db: db, pool: sql.OpenDB(connector)}
	if m.conn, err = m.pool.Conn(ctx); err != nil {
		m.close()
		return nil, unreachable(db, err, mysqlReason(err))
	}
	if err := m.begin(ctx); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func mysqlConfig(db config.Database) (*mysql.Config, error) {
	c := mysql.NewConfig()
	c.User, c.Passwd, c.DBName = db.URL.User(), db.URL.Password(), db.URL.Database()
	c.Net, c.Addr = "tcp", db.URL.Host()
	if c.Addr == "" {
		c.Addr = "127.0.0.1"
	}
	if socket := db.URL.Query().Get("socket"); socket != "" {
		c.Net, c.Addr = "unix", socket
	}
	c.Timeout = connectTimeout
	c.InterpolateParams = false // parameters are bound by the server
	c.ConnectionAttributes = "program_name:ptah"
	c.Logger = &mysql.NopLogger{}
	c.TLSConfig = "preferred"
	for _, name := range []string{"tls", "sslmode", "ssl-mode"} {
		value := db.URL.Query().Get(name)
		if value == "" {
			continue
		}
		mode, ok := map[string]string{
			"false": "false", "disable": "false", "disabled": "false",
			"preferred": "preferred", "prefer": "preferred",
			"skip-verify": "skip-verify", "require": "skip-verify", "required": "skip-verify",
			"true": "true", "verify-ca": "true", "verify_ca": "true", "verify-full": "true", "verify_identity": "true",
		}[strings.ToLower(value)]
		if !ok {
			return nil, fmt.Errorf("the parameter %s of its URL is not known; write disable, preferred, require or verify-full", name)
		}
		c.TLSConfig = mode
	}
	return c, nil
}

var mysqlVersion = regexp.MustCompile(`^(?:5\.5\.5-)?(\d+(?:\.\d+)*)`)

// identifyMySQL tells MariaDB from MySQL by its version.
func identifyMySQL(version string) (d dialect.Dialect, short string) {
	d = dialect.MySQL
	if strings.Contains(strings.ToLower(version), "mariadb") {
		d = dialect.MariaDB
	}
	if m := mysqlVersion.FindStringSubmatch(version); m != nil {
		short = m[1]
	}
	return d, short
}

// begin makes the session one that only reads and whose statements end in time.
func (m *mysqlReader) begin(ctx context.Context) error {
	var version string
	if err := m.conn.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version); err != nil {
		return m.failed(ctx, err)
	}
	m.dialect, m.version = identifyMySQL(version)
	limit := fmt.Sprintf("SET SESSION max_execution_time = %d", statementTimeout.Milliseconds())
	if m.dialect == dialect.MariaDB {
		limit = fmt.Sprintf("SET SESSION max_statement_time = %d", int(statementTimeout.Seconds()))
	}
	for _, statement := range []string{limit, "SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY"} {
		if _, err := m.conn.ExecContext(ctx, statement); err != nil {
			return m.failed(ctx, err)
		}
	}
	return nil
}

func (m *mysqlReader) identify(context.Context) (name, version string, err error) {
	return string(m.dialect), m.version, nil
}

func (m *mysqlReader) defaultSchema(ctx context.Context) (string, error) {
	var name sql.NullString
	if err := m.conn.QueryRowContext(ctx, "SELECT DATABASE()").Scan(&name); err != nil {
		return "", m.failed(ctx, err)
	}
	return name.String, nil
}

func (m *mysqlReader) schemas(ctx context.Context) ([]string, error) {
	return m.strings(ctx, "SELECT SCHEMA_NAME FROM INFORMATION_SCHEMA.SCHEMATA")
}

// strings returns the one column of a query, in order.
func (m *mysqlReader) strings(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := m.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, m.failed(ctx, err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, m.failed(ctx, err)
		}
		list = append(list, s)
	}
	if err := rows.Err(); err != nil {
		return nil, m.failed(ctx, err)
	}
	slices.Sort(list)
	return list, nil
}

func (m *mysqlReader) system(schema string) bool {
	return slices.Contains([]string{"mysql", "information_schema", "performance_schema", "sys"}, strings.ToLower(schema))
}

//go:embed mysql.sql
var mysqlObjects string

// mysqlPrivileges tells whether the user has a privilege on a whole schema (the
// parameter, against patterns). Without one, the server leaves out what the user may not
// use, and does not say so.
const mysqlPrivileges = `SELECT PRIVILEGE_TYPE FROM INFORMATION_SCHEMA.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'SELECT'
UNION ALL
SELECT PRIVILEGE_TYPE FROM INFORMATION_SCHEMA.SCHEMA_PRIVILEGES WHERE ? LIKE TABLE_SCHEMA`

func (m *mysqlReader) objects(ctx context.Context, schemas []string, add func(Object) bool, rep *finding.Report) error {
	for _, schema := range schemas {
		more, err := m.schemaObjects(ctx, schema, add)
		if err != nil || !more {
			return err
		}
		if m.system(schema) {
			continue
		}
		privileges, err := m.strings(ctx, mysqlPrivileges, schema)
		if err != nil {
			return err
		}
		if len(privileges) == 0 {
			rep.Warn(finding.CatalogPartial, "schema %q: the user %q has no privilege on all of it; what it has none on is not listed", schema, m.db.URL.User())
		}
	}
	return nil
}

func (m *mysqlReader) schemaObjects(ctx context.Context, schema string, add func(Object) bool) (more bool, err error) {
	columns, err := m.columns(ctx, schema)
	if err != nil {
		return false, err
	}
	rows, err := m.conn.QueryContext(ctx, mysqlObjects, slices.Repeat([]any{schema}, strings.Count(mysqlObjects, "?"))...)
	if err != nil {
		return false, m.failed(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		o := Object{Schema: schema}
		if err := rows.Scan(&o.Kind, &o.Name); err != nil {
			return false, m.failed(ctx, err)
		}
		if o.Kind == "table" || o.Kind == "view" {
			o.Columns = columns[o.Name]
		}
		if !add(o) {
			return false, nil
		}
	}
	if err := rows.Err(); err != nil {
		return false, m.failed(ctx, err)
	}
	return true, nil
}

// columns counts the columns of tables and views. It is a query of its own because the
// server would open every table once for each of them if it were part of another.
func (m *mysqlReader) columns(ctx context.Context, schema string) (map[string]*int, error) {
	rows, err := m.conn.QueryContext(ctx, "SELECT TABLE_NAME, COUNT(*) FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ? GROUP BY TABLE_NAME", schema)
	if err != nil {
		return nil, m.failed(ctx, err)
	}
	defer rows.Close()
	counts := map[string]*int{}
	for rows.Next() {
		var (
			name string
			n    int
		)
		if err := rows.Scan(&name, &n); err != nil {
			return nil, m.failed(ctx, err)
		}
		counts[name] = &n
	}
	if err := rows.Err(); err != nil {
		return nil, m.failed(ctx, err)
	}
	return counts, nil
}

// close ends the connection, and with it the transaction, which changed nothing.
func (m *mysqlReader) close() {
	if m.conn != nil {
		_ = m.conn.Close()
	}
	_ = m.pool.Close()
}

func (m *mysqlReader) failed(ctx context.Context, err error) error {
	return unreadable(ctx, m.db, err, mysqlReason(err))
}

// mysqlReason says in one line why something did not succeed. The server's own words are
// part of it; the driver's are not.
func mysqlReason(err error) string {
	var (
		server  *mysql.MySQLError
		dns     *net.DNSError
		network net.Error
	)
	switch {
	case errors.As(err, &server):
		return fmt.Sprintf("%s (error %d)", plain.Line(server.Message, 300), server.Number)
	case errors.As(err, &dns):
		return "its host is not known"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return "no answer in time"
	case errors.Is(err, mysql.ErrNoTLS):
		return "the server has no TLS, which the URL asks for"
	case errors.Is(err, mysql.ErrCleartextPassword), errors.Is(err, mysql.ErrNativePassword), errors.Is(err, mysql.ErrOldPassword), errors.Is(err, mysql.ErrUnknownPlugin):
		return "the way in which the user must log in is not supported"
	}
	return "no connection; check host and port, and that the server runs"
}
