package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

// lockTimeout is how long a statement waits for a table that somebody is altering.
const lockTimeout = 5 * time.Second

// cancelDelay is how long the server has to stop a statement before the
// connection is given up.
const cancelDelay = 2 * time.Second

// conn is an open connection.
type conn struct {
	pg *pgx.Conn
	d  dsn.DSN

	catalogTimeout, dataTimeout, lockTimeout time.Duration // of one statement

	locks int // that one transaction may take; 0 until the server has been asked
}

var _ connect.Connector = (*conn)(nil)

// Open connects to the database that d names. What d leaves out comes from the
// variables and files that PostgreSQL's own programs read: PGHOST, PGUSER,
// ~/.pgpass and so on. The error is a [connect.Error], or that of ctx.
func Open(ctx context.Context, d dsn.DSN) (connect.Connector, error) {
	c, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func open(ctx context.Context, d dsn.DSN) (*conn, error) {
	if d.Dialect != dsn.PostgreSQL {
		return nil, &connect.Error{Category: connect.BadDSN, Message: fmt.Sprintf("the data source name is for %s, not for PostgreSQL", d.Dialect)}
	}
	c := &conn{d: d, catalogTimeout: connect.CatalogTimeout, dataTimeout: connect.DataTimeout, lockTimeout: lockTimeout}
	config, err := configure(d)
	if err != nil {
		return nil, &connect.Error{Category: connect.BadDSN, Message: "the connection's parameters cannot be used",
			Hint: "check sslmode, sslrootcert, sslcert and sslkey", Err: err}
	}

	limited, cancel := context.WithTimeout(ctx, connect.ConnectTimeout)
	defer cancel()
	c.pg, err = pgx.ConnectConfig(limited, config)
	if pgError := (*pgconn.PgError)(nil); errors.As(err, &pgError) && pgError.Code == "08P01" {
		// A connection pooler knows few parameters and refuses the others. They only
		// double what every transaction sets for itself.
		config.RuntimeParams = map[string]string{"application_name": "pretensor"}
		c.pg, err = pgx.ConnectConfig(limited, config)
	}
	if err != nil {
		return nil, c.failure(ctx, "connecting", err)
	}
	return c, nil
}

// parameters are those of a data source name that mean something to the driver.
// Others, which frameworks put there for themselves, would be sent to the server,
// and refused.
var parameters = []string{"sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslnegotiation", "sslsni", "channel_binding",
	"krbsrvname", "passfile", "service", "servicefile", "target_session_attrs", "options"}

func configure(d dsn.DSN) (*pgx.ConnConfig, error) {
	known := url.Values{}
	for _, name := range parameters {
		if v := d.Query.Get(name); v != "" {
			known.Set(name, v)
		}
	}
	d.Scheme, d.Query = "postgresql", known
	config, err := pgx.ParseConfig(d.String())
	if err != nil {
		return nil, err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // no prepared statements: poolers lose them
	config.StatementCacheCapacity, config.DescriptionCacheCapacity = 0, 0
	config.RuntimeParams["application_name"] = "pretensor"
	config.RuntimeParams["client_encoding"] = "UTF8"
	config.RuntimeParams["default_transaction_read_only"] = "on"
	config.RuntimeParams["statement_timeout"] = milliseconds(connect.CatalogTimeout)
	config.BuildContextWatcherHandler = func(pg *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: pg, DeadlineDelay: cancelDelay}
	}
	return config, nil
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Ping asks the server for nothing but an answer.
func (c *conn) Ping(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, connect.ConnectTimeout)
	defer cancel()
	if _, err := c.pg.Exec(limited, "SELECT 1"); err != nil {
		return c.failure(ctx, "asking for an answer", err)
	}
	return nil
}

// Close ends the connection. It may be called more than once.
func (c *conn) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), cancelDelay)
	defer cancel()
	return c.pg.Close(ctx)
}

// where names the database for an error.
func (c *conn) where() string {
	host := c.d.Host
	switch {
	case host == "":
		host = "the default host"
	case strings.HasPrefix(host, "/"):
		host = "a local socket" // its folder is nobody's business
	case c.d.Port != "":
		host = net.JoinHostPort(host, c.d.Port)
	}
	if c.d.Database == "" {
		return host
	}
	return fmt.Sprintf("database %q at %s", c.d.Database, host)
}

// failure says what went wrong while doing something. An end of the caller's
// context is returned as such.
func (c *conn) failure(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s, %s: %w", doing, c.where(), context.Cause(ctx))
	}
	e := &connect.Error{Err: err}
	var (
		server  *pgconn.PgError
		dns     *net.DNSError
		network net.Error
	)
	switch {
	case errors.As(err, &server):
		e.Category, e.Hint = classify(server.Code)
		e.Message = fmt.Sprintf("%s, %s: %s (SQLSTATE %s)", doing, c.where(), dsn.Redact(server.Message, c.d), server.Code)
	case errors.As(err, &dns):
		e.Category, e.Hint = connect.Unavailable, "check the host's name, or use its address"
		e.Message = fmt.Sprintf("%s, %s: the host is not known", doing, c.where())
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		e.Category, e.Hint = connect.Timeout, "check host and port, and that no firewall is between"
		e.Message = fmt.Sprintf("%s, %s: no answer in time", doing, c.where())
	case strings.Contains(err.Error(), "tls"), strings.Contains(err.Error(), "TLS"), strings.Contains(err.Error(), "certificate"):
		e.Category, e.Hint = connect.Unavailable, "check sslmode and sslrootcert"
		e.Message = fmt.Sprintf("%s, %s: no encrypted connection could be made", doing, c.where())
	default:
		e.Category, e.Hint = connect.Unavailable, "check that the server runs and listens there"
		e.Message = fmt.Sprintf("%s, %s: no connection", doing, c.where())
	}
	return e
}

// classify sorts the server's error codes.
func classify(code string) (category connect.Category, hint string) {
	switch code {
	case "28P01", "28000":
		return connect.AuthFailed, "check user and password, and the server's pg_hba.conf"
	case "42501":
		return connect.PermissionDenied, "grant CONNECT on the database, or what the message names, to the user"
	case "57014":
		return connect.Timeout, "the server took too long; try again when it is less busy"
	case "55P03":
		return connect.Timeout, "a table is locked, perhaps by a migration; try again when that has ended"
	case "3D000":
		return connect.Unavailable, "check the database's name"
	case "53300":
		return connect.Unavailable, "the server has no free connection; try again later"
	case "57P01", "57P02", "57P03":
		return connect.Unavailable, "the server is starting or stopping; try again later"
	}
	return connect.Unavailable, ""
}
