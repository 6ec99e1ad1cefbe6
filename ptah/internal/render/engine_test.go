package render_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// engine executes statements on an empty database.
type engine struct {
	dialect dialect.Dialect
	version string
	execute func(context.Context, []string) error
}

// engines returns those that statements can be executed on. There is no server of MySQL:
// its statements are parsed.
func engines(t *testing.T) []engine {
	return []engine{
		{dialect.Postgres, "15", postgresEngine(t)},
		{dialect.MariaDB, "10.11", mariaEngine(t)},
		{dialect.MySQL, "", func(_ context.Context, list []string) error {
			for _, s := range list {
				if _, err := parse.Parse(sqltree.MySQL, s); err != nil {
					return fmt.Errorf("%w in\n%s", err, s)
				}
			}
			return nil
		}},
		{dialect.SQLite, "", sqliteEngine},
		{dialect.ClickHouse, "", clickhouseEngine(t)},
	}
}

var errRollback = errors.New("everything worked")

func postgresEngine(t *testing.T) func(context.Context, []string) error {
	conn, err := pgx.Connect(t.Context(), dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return func(ctx context.Context, list []string) error {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			for _, s := range list {
				if _, err := tx.Exec(ctx, s); err != nil {
					return fmt.Errorf("%w in\n%s", err, s)
				}
			}
			return errRollback // the next list finds the database empty again
		})
		if errors.Is(err, errRollback) {
			return nil
		}
		return err
	}
}

func mariaEngine(t *testing.T) func(context.Context, []string) error {
	config, err := mysql.ParseDSN(dbtest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("mysql", config.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return func(ctx context.Context, list []string) error {
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		empty := []string{"DROP DATABASE `" + config.DBName + "`", "CREATE DATABASE `" + config.DBName + "` CHARACTER SET utf8mb4", "USE `" + config.DBName + "`"}
		for _, s := range append(empty, list...) {
			if _, err := conn.ExecContext(ctx, s); err != nil {
				return fmt.Errorf("%w in\n%s", err, s)
			}
		}
		return nil
	}
}

// clickhouseEngine drops what each list has made before the next one.
func clickhouseEngine(t *testing.T) func(context.Context, []string) error {
	address := dbtest.ClickHouse(t)
	ask := func(ctx context.Context, statement string) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(statement))
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			return fmt.Errorf("%w %s in\n%s", err, text, statement)
		}
		return nil
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	name := u.Query().Get("database")
	return func(ctx context.Context, list []string) error {
		for _, s := range slices.Concat([]string{"TRUNCATE DATABASE " + name}, list) {
			if err := ask(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}
}

func sqliteEngine(ctx context.Context, list []string) error {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range list {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%w in\n%s", err, s)
		}
	}
	// Views and triggers are looked at when they are used.
	rows, err := db.QueryContext(ctx, "SELECT name FROM sqlite_master WHERE type IN ('view', 'table')")
	if err != nil {
		return err
	}
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		names = append(names, name)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, name := range names {
		if _, err := db.ExecContext(ctx, "SELECT * FROM \""+strings.ReplaceAll(name, `"`, `""`)+"\""); err != nil {
			return fmt.Errorf("%w in %s", err, name)
		}
	}
	return nil
}

// TestPostgresKnowsItsTypes wants every type of the server itself to be known, and its
// spelling to mean that type.
func TestPostgresKnowsItsTypes(t *testing.T) {
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(ctx, `SELECT format_type(oid, NULL) FROM pg_type
		WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'r', 'm') AND typcategory <> 'A' AND typname !~ '^pg_(ndistinct|dependencies|mcv_list|brin|node_tree|ddl)' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) < 60 {
		t.Fatalf("%d types, %v", len(names), err)
	}
	for _, name := range append(names, "varbit(3)", "interval day to second(3)", "char(3)", "bpchar", `"char"`, "time(2) with time zone", "float(3)", "name[]") {
		var want, got string
		if err := conn.QueryRow(ctx, "SELECT format_type(pg_typeof(NULL::"+name+"), NULL)").Scan(&want); err != nil {
			t.Fatal(err)
		}
		spelling, ok := dialect.Postgres.SpellType(typeOf(name), dialect.Version{15})
		if !ok {
			t.Errorf("type %s is not known", name)
			continue
		}
		if err := conn.QueryRow(ctx, "SELECT format_type(pg_typeof(NULL::"+spelling+"), NULL)").Scan(&got); err != nil || got != want {
			t.Errorf("type %s is spelled %s, which is %s (%v)", name, spelling, got, err)
		}
	}
}
