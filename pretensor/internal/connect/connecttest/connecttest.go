// Package connecttest is what the tests of connectors, and of what stands on them,
// have in common: real databases that a script can change, and checks of results.
//
// A package that uses [Postgres] or [MariaDB] has the TestMain of package dbtest.
// One that uses [File] imports the driver of the dialect.
package connecttest

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Database is an empty database of a test.
type Database struct {
	dsn.DSN // of one who may do everything
	do      func(script string) error
}

// Do runs a script of any number of statements.
func (d Database) Do(tb testing.TB, script string) {
	tb.Helper()
	if err := d.do(script); err != nil {
		tb.Fatal(err)
	}
}

// Postgres makes a database on the test's PostgreSQL server.
func Postgres(tb testing.TB) Database {
	tb.Helper()
	d, err := dsn.Parse(dbtest.Postgres(tb))
	if err != nil {
		tb.Fatal(err)
	}
	ctx := context.Background()
	pg, err := pgx.Connect(ctx, d.String())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = pg.Close(ctx) })
	return Database{d, func(script string) error {
		_, err := pg.PgConn().Exec(ctx, script).ReadAll()
		return err
	}}
}

// MariaDB makes a database on the test's MariaDB server.
func MariaDB(tb testing.TB) Database {
	tb.Helper()
	config, err := mysql.ParseDSN(dbtest.MariaDB(tb))
	if err != nil {
		tb.Fatal(err)
	}
	host, port, err := net.SplitHostPort(config.Addr)
	if err != nil {
		tb.Fatal(err)
	}
	config.MultiStatements = true
	connector, err := mysql.NewConnector(config)
	if err != nil {
		tb.Fatal(err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	tb.Cleanup(func() { _ = db.Close() })
	d := dsn.DSN{Dialect: dsn.MariaDB, User: config.User, Host: host, Port: port, Database: config.DBName}
	return Database{d, func(script string) error {
		_, err := db.Exec(script)
		return err
	}}
}

// File makes a database that is a file of a folder. Its engine has it open during
// each script alone.
func File(tb testing.TB, dialect, name string) Database {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	return Database{dsn.DSN{Dialect: dialect, Scheme: dialect, Path: path}, func(script string) error {
		db, err := sql.Open(dialect, path)
		if err != nil {
			return err
		}
		_, err = db.Exec(script)
		return errors.Join(err, db.Close())
	}}
}

// WantError fails the test unless err is a connect.Error of the category whose text
// has the words in it, and no password: those of tests begin with s3cr or hunter2.
func WantError(tb testing.TB, err error, category connect.Category, words ...string) {
	tb.Helper()
	var e *connect.Error
	if !errors.As(err, &e) {
		tb.Fatalf("error = %v, want a connect.Error", err)
	}
	if e.Category != category {
		tb.Errorf("error = %s: %q, want %s", e.Category, e.Error(), category)
	}
	for _, w := range words {
		if !strings.Contains(e.Error(), w) {
			tb.Errorf("%q does not say %q", e.Error(), w)
		}
	}
	for _, secret := range []string{"s3cr", "hunter2"} {
		if strings.Contains(e.Error(), secret) {
			tb.Errorf("%q tells the password", e.Error())
		}
	}
}

// Table finds the table of a name, in any schema if none is given.
func Table(tb testing.TB, db *model.Database, schema, name string) *model.Table {
	tb.Helper()
	for i := range db.Tables {
		if t := &db.Tables[i]; t.Name == name && (schema == "" || t.Schema == schema) {
			return t
		}
	}
	tb.Fatalf("no table %q", model.Qualify(schema, name))
	return nil
}

// Names are the tables' names without their schemas, in the order of the tables.
func Names(db *model.Database) []string {
	list := []string{}
	for i := range db.Tables {
		list = append(list, db.Tables[i].Name)
	}
	return list
}
