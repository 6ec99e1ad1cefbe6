package dbtest

import (
	"context"
	"fmt"
	"strconv"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

var postgres server

// Postgres makes an empty database on this process's PostgreSQL server and
// returns its URL, which has everything that a client needs. The database is
// dropped when the test ends.
func Postgres(tb testing.TB) string {
	tb.Helper()
	port := postgres.need(tb, "PostgreSQL", startPostgres)
	name := postgres.newDatabase()
	postgresDo(tb, port, "CREATE DATABASE "+name)
	tb.Cleanup(func() { postgresDo(tb, port, "DROP DATABASE "+name+" WITH (FORCE)") })
	return postgresURL(port, name)
}

// StartPostgres starts a PostgreSQL server for a program that is no test, and returns
// the URL of an empty database on it. stop ends all servers that the program started;
// it is to be called after an error, too, of which a program that is not installed is
// one.
func StartPostgres() (url string, stop func(), err error) {
	port, err := startPostgres()
	return postgresURL(port, "postgres"), stopAll, err
}

func postgresURL(port int, database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", port, database)
}

func postgresDo(tb testing.TB, port int, sql string) {
	tb.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, postgresURL(port, "postgres"))
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		tb.Fatal(err)
	}
}

func startPostgres() (int, error) {
	const programs = "/usr/lib/postgresql/*/bin"
	initdb, err := program("initdb", programs)
	if err != nil {
		return 0, err
	}
	postmaster, err := program("postgres", programs)
	if err != nil {
		return 0, err
	}
	who, err := account("postgres")
	if err != nil {
		return 0, err
	}
	dir, err := folder(who)
	if err != nil {
		return 0, err
	}
	data := dir + "/data"
	err = runTo(command(who, syscall.SIGKILL, dir, initdb, "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"))
	if err != nil {
		return 0, err
	}
	// Immediate shutdown: the data is thrown away, but the server must take its
	// shared memory with it, which would outlive a kill.
	const quit = syscall.SIGQUIT
	port, err := freePort()
	if err != nil {
		return 0, err
	}
	cmd := command(who, quit, dir, postmaster, "-D", data, "-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1",
		"-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off")
	return port, serve(cmd, quit, func() error {
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, postgresURL(port, "postgres"))
		if err != nil {
			return err
		}
		return conn.Close(ctx)
	})
}
