// Package mysql reads the structure of MySQL 8 and MariaDB 10.6 databases, and of
// later versions.
//
// A schema is a database there. Where the two servers differ, what
// INFORMATION_SCHEMA has decides which statement is sent, not the version. All
// statements are set-based: their number does not depend on that of the tables.
//
// What a user may not see is left out by the server without a word. A user with
// SELECT alone sees tables, columns, keys and indexes; the definitions of views
// need SHOW VIEW, triggers TRIGGER, the rules of foreign keys on MariaDB any
// privilege beside SELECT.
package mysql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

type connector struct {
	db       *sql.DB
	database string // of the connection; may be empty
	user     string
	where    string // host:port and database, for errors

	catalogTimeout time.Duration
	dataTimeout    time.Duration // of one statement that reads rows
}

var _ connect.Connector = (*connector)(nil)

// Open connects to the server that d names; d.Database may be empty. The host
// defaults to 127.0.0.1 and the port to 3306; a host that begins with a slash is a
// socket. TLS is used if the server has it, unless a parameter tls, ssl_mode,
// ssl-mode or sslmode says otherwise. Every error is a [connect.Error], or that of
// ctx if it was cancelled.
func Open(ctx context.Context, d dsn.DSN) (connect.Connector, error) {
	c, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func open(ctx context.Context, d dsn.DSN) (*connector, error) {
	config, err := configuration(d)
	if err != nil {
		return nil, err
	}
	c := &connector{database: d.Database, user: config.User, where: config.Addr, catalogTimeout: connect.CatalogTimeout, dataTimeout: connect.DataTimeout}
	if config.Net == "unix" {
		c.where = "a local socket" // its path is nobody's business
	}
	if d.Database != "" {
		c.where += fmt.Sprintf(", database %q", d.Database)
	}
	base, err := mysql.NewConnector(config)
	if err != nil {
		return nil, &connect.Error{Category: connect.BadDSN, Message: "the connection parameters for " + c.where + " are not valid", Err: err}
	}
	c.db = sql.OpenDB(session{base})
	c.db.SetMaxOpenConns(1)
	if err := c.Ping(ctx); err != nil {
		c.db.Close()
		return nil, err
	}
	return c, nil
}

// configuration is the driver's form of a data source name.
func configuration(d dsn.DSN) (*mysql.Config, error) {
	config := mysql.NewConfig()
	config.User, config.Passwd, config.DBName = d.User, d.Password, d.Database
	config.Net = "tcp"
	host, port := d.Host, d.Port
	if host == "" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = "3306"
	}
	config.Addr = net.JoinHostPort(host, port)
	if strings.HasPrefix(host, "/") {
		config.Net, config.Addr = "unix", host
	}
	config.Timeout = connect.ConnectTimeout
	config.InterpolateParams = true // one round trip instead of prepare, execute and close
	config.ConnectionAttributes = "program_name:pretensor"
	config.Logger = &mysql.NopLogger{}
	config.TLSConfig = "preferred"
	for _, key := range []string{"tls", "ssl_mode", "ssl-mode", "sslmode"} {
		if !d.Query.Has(key) {
			continue
		}
		value := d.Query.Get(key)
		switch strings.ReplaceAll(strings.ToLower(value), "-", "_") {
		case "disable", "disabled", "false":
			config.TLSConfig = "false"
		case "prefer", "preferred":
			config.TLSConfig = "preferred"
		case "require", "required", "skip_verify":
			config.TLSConfig = "skip-verify"
		case "verify_ca", "verify_full", "verify_identity", "true":
			config.TLSConfig = "true"
		default:
			return nil, &connect.Error{Category: connect.BadDSN, Message: fmt.Sprintf("the parameter %s=%.20q of the data source name is not known", key, value),
				Hint: "write disable, prefer, require or verify-full"}
		}
	}
	return config, nil
}

// session makes every connection of the pool one that reads only and whose
// statements end in time. The second statement is one of MySQL and another of
// MariaDB: each takes the part in the comment that is meant for it.
type session struct{ driver.Connector }

var sessionStatements = []string{
	"SET SESSION TRANSACTION READ ONLY",
	fmt.Sprintf("SET SESSION /*M!100100 max_statement_time=%d*/ /*!50708 max_execution_time=%d*/",
		int(connect.CatalogTimeout.Seconds()), connect.CatalogTimeout.Milliseconds()),
}

// Connect implements [driver.Connector].
func (s session) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := s.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	for _, statement := range sessionStatements {
		if _, err := conn.(driver.ExecerContext).ExecContext(ctx, statement, nil); err != nil {
			conn.Close()
			return nil, err
		}
	}
	return conn, nil
}

func (c *connector) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connect.ConnectTimeout)
	defer cancel()
	return c.fail(ctx, "connecting to", c.db.PingContext(ctx))
}

func (c *connector) Close() error { return c.db.Close() }

// fail tells in our words why a statement did not succeed; nil stays nil. The
// server's own text is not repeated: it may quote the statement.
func (c *connector) fail(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	what := doing + " " + c.where
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("%s: %w", what, context.Canceled)
	}
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return &connect.Error{Category: connect.Timeout, Message: what + " took too long", Err: context.DeadlineExceeded}
	}
	e := &connect.Error{Category: connect.Unavailable, Message: what + ": the server does not answer", Hint: "check host and port, and that it runs", Err: err}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		e.Category, e.Message = connect.Timeout, what+" took too long"
	}
	var refusal *mysql.MySQLError
	if !errors.As(err, &refusal) {
		if errors.Is(err, mysql.ErrNoTLS) {
			e.Message, e.Hint = what+": the server has no TLS", "ask for it with ssl_mode=prefer, or disable it"
		}
		for _, plugin := range []error{mysql.ErrCleartextPassword, mysql.ErrNativePassword, mysql.ErrOldPassword, mysql.ErrUnknownPlugin} {
			if errors.Is(err, plugin) {
				e.Category, e.Message = connect.AuthFailed, fmt.Sprintf("%s: the way in which user %q must log in is not supported", what, c.user)
				e.Hint = "give the user a password with mysql_native_password or caching_sha2_password"
			}
		}
		return e
	}
	e.Hint = ""
	switch refusal.Number {
	case 1045, 1130, 1251, 1524, 1698, 1820, 1862, 3118, 4151:
		e.Category, e.Message, e.Hint = connect.AuthFailed, fmt.Sprintf("%s: user %q was refused", what, c.user), "check user and password, and from where the user may connect"
	case 1044:
		e.Category, e.Message = connect.PermissionDenied, fmt.Sprintf("%s: user %q may not use the database", what, c.user)
	case 1142, 1143, 1227, 1370, 1356, 1449:
		e.Category, e.Message = connect.PermissionDenied, fmt.Sprintf("%s: user %q may not read it", what, c.user)
	case 1049:
		e.Category, e.Message, e.Hint = connect.BadDSN, what+": the server has no such database", "SHOW DATABASES lists them"
	case 1317, 1969, 3024:
		e.Category, e.Message = connect.Timeout, what+" took too long"
	case 1040, 1203, 1226:
		e.Message, e.Hint = what+": the server has no connection left", "try again later"
	default:
		e.Message = fmt.Sprintf("%s: the server refused with error %d", what, refusal.Number)
	}
	return e
}
