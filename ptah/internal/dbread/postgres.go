package dbread

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
)

// postgres reads PostgreSQL 11 and later, and the databases that answer like it.
type postgres struct {
	db   config.Database
	conn *pgx.Conn
	own  string // the default schema
}

func openPostgres(ctx context.Context, db config.Database) (reader, error) {
	c, err := postgresConfig(db)
	if err != nil {
		return nil, unreachable(db, err, "its URL has parameters that cannot be used; check sslmode, sslrootcert, sslcert and sslkey")
	}
	p := &postgres{db: db}
	p.conn, err = pgx.ConnectConfig(ctx, c)
	if server := (*pgconn.PgError)(nil); errors.As(err, &server) && server.Code == "08P01" {
		// A pooler knows few parameters and refuses the others, of which there are none
		// that the transaction does not set for itself.
		c.RuntimeParams = map[string]string{}
		p.conn, err = pgx.ConnectConfig(ctx, c)
	}
	if err != nil {
		return nil, unreachable(db, err, postgresReason(err))
	}
	if err := p.begin(ctx); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func postgresConfig(db config.Database) (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig("postgres" + db.URL.Reveal()[len(db.URL.Scheme()):]) // whatever its relatives call it
	if err != nil {
		return nil, err
	}
	c.DefaultQueryExecMode = pgx.QueryExecModeExec // nothing is prepared that a pooler could lose
	c.StatementCacheCapacity, c.DescriptionCacheCapacity = 0, 0
	c.RuntimeParams["application_name"] = "ptah"
	c.RuntimeParams["client_encoding"] = "UTF8"
	c.RuntimeParams["default_transaction_read_only"] = "on"
	c.RuntimeParams["statement_timeout"] = milliseconds(statementTimeout)
	return c, nil
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// begin starts the one transaction of the reading. Once the default schema is known, no
// schema is searched but that of the system: none of the names that follow can mean what
// somebody put into another.
func (p *postgres) begin(ctx context.Context) error {
	for _, statement := range []string{
		"BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
		"SET LOCAL statement_timeout = " + milliseconds(statementTimeout),
	} {
		if _, err := p.conn.Exec(ctx, statement); err != nil {
			return p.failed(ctx, err)
		}
	}
	var own *string
	if err := p.conn.QueryRow(ctx, "SELECT pg_catalog.current_schema()::pg_catalog.text").Scan(&own); err != nil {
		return p.failed(ctx, err)
	}
	if own != nil {
		p.own = *own
	}
	if _, err := p.conn.Exec(ctx, "SET LOCAL search_path = pg_catalog"); err != nil {
		return p.failed(ctx, err)
	}
	return nil
}

var (
	postgresVersion  = regexp.MustCompile(`^PostgreSQL (\d+(?:\.\d+)*(?:(?:alpha|beta|rc)\d+)?)`)
	cockroachVersion = regexp.MustCompile(`^CockroachDB .*? v(\d+(?:\.\d+)*)`)
	yugabyteVersion  = regexp.MustCompile(`-YB-(\d+(?:\.\d+)*)`)
)

func (p *postgres) identify(ctx context.Context) (name, version string, err error) {
	var banner string
	if err := p.conn.QueryRow(ctx, "SELECT version()").Scan(&banner); err != nil {
		return "", "", p.failed(ctx, err)
	}
	d, version := identifyPostgres(banner)
	return string(d), version, nil
}

// identifyPostgres tells the databases that answer like PostgreSQL by what they say of
// themselves.
func identifyPostgres(banner string) (dialect.Dialect, string) {
	for _, known := range []struct {
		d       dialect.Dialect
		version *regexp.Regexp
	}{{dialect.CockroachDB, cockroachVersion}, {dialect.YugabyteDB, yugabyteVersion}, {dialect.Postgres, postgresVersion}} {
		if m := known.version.FindStringSubmatch(banner); m != nil {
			return known.d, m[1]
		}
	}
	return dialect.Postgres, ""
}

func (p *postgres) defaultSchema(context.Context) (string, error) { return p.own, nil }

func (p *postgres) schemas(ctx context.Context) ([]string, error) {
	rows, err := p.conn.Query(ctx, "SELECT nspname::text FROM pg_namespace ORDER BY 1")
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	return names, nil
}

func (p *postgres) system(schema string) bool {
	return strings.HasPrefix(schema, "pg_") || schema == "information_schema" || schema == "crdb_internal"
}

//go:embed postgres.sql
var postgresObjects string

func (p *postgres) objects(ctx context.Context, schemas []string, add func(Object) bool, rep *finding.Report) error {
	rows, err := p.conn.Query(ctx, postgresObjects, schemas)
	if err != nil {
		return p.failed(ctx, err)
	}
	defer rows.Close()
	hidden := newHidden()
	for rows.Next() {
		var (
			o       Object
			visible bool
		)
		if err := rows.Scan(&o.Kind, &o.Schema, &o.Name, &o.Columns, &visible); err != nil {
			return p.failed(ctx, err)
		}
		if !visible {
			hidden.count(o)
		} else if !add(o) {
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return p.failed(ctx, err)
	}
	hidden.report(rep, p.conn.Config().User)
	return nil
}

// close ends the connection, and with it the transaction, which changed nothing.
func (p *postgres) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = p.conn.Close(ctx)
}

func (p *postgres) failed(ctx context.Context, err error) error {
	return unreadable(ctx, p.db, err, postgresReason(err))
}

// postgresReason says in one line why something did not succeed. The server's own words
// are part of it; the driver's, which may hold the URL, are not.
func postgresReason(err error) string {
	var (
		server  *pgconn.PgError
		dns     *net.DNSError
		network net.Error
	)
	switch {
	case errors.As(err, &server):
		return fmt.Sprintf("%s (SQLSTATE %s)", plain.Line(server.Message, 300), server.Code)
	case errors.As(err, &dns):
		return "its host is not known"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return "no answer in time"
	case strings.Contains(strings.ToLower(err.Error()), "tls"):
		return "no encrypted connection could be made; check sslmode and sslrootcert"
	}
	return "no connection; check host and port, and that the server runs"
}
