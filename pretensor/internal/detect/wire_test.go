package detect

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"net"
	"strings"
	"testing"

	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/wiretest"
)

// What a check sends to a server is one read-only session of few statements that
// read the system catalog alone, and as that session nobody can write.
func TestRun_OnTheWire(t *testing.T) {
	for _, engine := range []struct {
		name, base, parameter string
		make                  func(*testing.T) connecttest.Database
		proxy                 func(testing.TB, dsn.DSN) (dsn.DSN, *wiretest.Proxy)
		dialect               sqltree.Dialect
		write                 func(*testing.T, dsn.DSN, map[string]string, []wiretest.Statement) error
	}{
		{"PostgreSQL", postgresBase, "application_name", newPostgres, wiretest.Postgres, sqltree.Postgres, writePostgres},
		{"MariaDB", mariaDBBase, "program_name", newMariaDB, wiretest.MySQL, sqltree.MariaDB, writeMariaDB},
	} {
		t.Run(engine.name, func(t *testing.T) {
			d := engine.make(t)
			d.Do(t, engine.base)
			o, _ := indexOf(t, d)
			d.Do(t, "ALTER TABLE customers DROP COLUMN code")
			through, p := engine.proxy(t, d.DSN)
			o.Open = opener(through)
			r, err := Run(t.Context(), o)
			if err != nil || len(r.Changes) != 1 {
				t.Fatalf("report %+v, error %v", r, err)
			}
			statements, sessions := p.Take(), p.Sessions()
			if n := len(statements); n == 0 || n > connect.MaxCatalogQueries {
				t.Errorf("%d statements, want 1 to %d", n, connect.MaxCatalogQueries)
			}
			wiretest.CatalogOnly(t, engine.dialect, statements, wiretest.Catalog(t, d.DSN))
			if len(sessions) != 1 || sessions[0][engine.parameter] != "pretensor" {
				t.Fatalf("sessions %v", sessions)
			}
			if err := engine.write(t, d.DSN, nil, nil); err != nil {
				t.Errorf("in a session of its own a write fails: %v", err)
			}
			if err := engine.write(t, d.DSN, sessions[0], statements); err == nil {
				t.Error("a session that begins like that of the check can write")
			}
		})
	}
}

// writePostgres tries a write in a session with the parameters. It returns the
// server's refusal.
func writePostgres(t *testing.T, d dsn.DSN, parameters map[string]string, _ []wiretest.Statement) error {
	t.Helper()
	config, err := pgx.ParseConfig(d.String())
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(config.RuntimeParams, parameters)
	for _, part := range []string{"user", "database"} {
		delete(config.RuntimeParams, part)
	}
	pg, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close(context.Background())
	_, err = pg.Exec(t.Context(), "INSERT INTO audit VALUES (1)")
	if e := (*pgconn.PgError)(nil); err != nil && (!errors.As(err, &e) || e.Code != "25006") {
		t.Fatalf("not a refusal to write: %v", err)
	}
	return err
}

// writeMariaDB tries a write in a session that began with the statements.
func writeMariaDB(t *testing.T, d dsn.DSN, _ map[string]string, statements []wiretest.Statement) error {
	t.Helper()
	config := mysqldriver.NewConfig()
	config.User, config.Net, config.Addr, config.DBName = d.User, "tcp", net.JoinHostPort(d.Host, d.Port), d.Database
	connector, err := mysqldriver.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if strings.HasPrefix(s.SQL, "SET ") {
			if _, err := db.Exec(s.SQL); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, err = db.Exec("INSERT INTO audit VALUES (1, 'x')")
	if e := (*mysqldriver.MySQLError)(nil); err != nil && (!errors.As(err, &e) || e.Number != 1792) {
		t.Fatalf("not a refusal to write: %v", err)
	}
	return err
}
