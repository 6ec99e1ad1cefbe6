package dbtest

import (
	"database/sql"
	"fmt"
	"strconv"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
)

var mariadb server

// MariaDB makes an empty database on this process's MariaDB server and returns
// its data source name in the form of github.com/go-sql-driver/mysql. The
// database is dropped when the test ends.
func MariaDB(tb testing.TB) string {
	tb.Helper()
	port := mariadb.need(tb, "MariaDB", startMariaDB)
	name := mariadb.newDatabase()
	mariadbDo(tb, port, "CREATE DATABASE "+name+" CHARACTER SET utf8mb4")
	tb.Cleanup(func() { mariadbDo(tb, port, "DROP DATABASE "+name) })
	return mariadbDSN(port, name)
}

func mariadbDSN(port int, database string) string {
	return fmt.Sprintf("root@tcp(127.0.0.1:%d)/%s", port, database)
}

func mariadbDo(tb testing.TB, port int, statement string) {
	tb.Helper()
	db, err := sql.Open("mysql", mariadbDSN(port, ""))
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		tb.Fatal(err)
	}
}

func startMariaDB() (int, error) {
	install, err := program("mariadb-install-db")
	if err != nil {
		return 0, err
	}
	daemon, err := program("mariadbd", "/usr/sbin")
	if err != nil {
		return 0, err
	}
	who, err := account("mysql")
	if err != nil {
		return 0, err
	}
	dir, err := folder(who)
	if err != nil {
		return 0, err
	}
	data := dir + "/data"
	// A server that starts empties its folder for temporary tables, whose they are or
	// not: the system's own is no place for more than one.
	temp := "--tmpdir=" + dir
	err = runTo(command(who, syscall.SIGKILL, dir, install, "--no-defaults", "--datadir="+data, temp, "--auth-root-authentication-method=normal", "--skip-test-db"))
	if err != nil {
		return 0, err
	}
	port, err := freePort()
	if err != nil {
		return 0, err
	}
	cmd := command(who, syscall.SIGTERM, dir, daemon, "--no-defaults", "--datadir="+data, temp, "--port="+strconv.Itoa(port), "--bind-address=127.0.0.1",
		"--socket="+dir+"/socket", "--skip-log-bin", "--innodb-flush-log-at-trx-commit=0")
	config, err := mysql.ParseDSN(mariadbDSN(port, ""))
	if err != nil {
		return 0, err
	}
	config.Logger = &mysql.NopLogger{} // it is asked before it listens
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return 0, err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	return port, serve(cmd, syscall.SIGTERM, db.Ping)
}
