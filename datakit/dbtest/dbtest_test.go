package dbtest

import (
	"context"
	"database/sql"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// connect opens a connection to a new database of PostgreSQL.
func connect(t *testing.T, ctx context.Context) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(ctx, Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(ctx) })
	return conn
}

func TestPostgres_DatabasesAreApart(t *testing.T) {
	ctx := context.Background()
	for range 2 {
		conn := connect(t, ctx)
		if _, err := conn.Exec(ctx, "CREATE TABLE here (id int)"); err != nil {
			t.Error(err)
		}
	}
}

func TestClickHouse_DatabasesAreApart(t *testing.T) {
	for range 2 {
		address := ClickHouse(t)
		for _, statement := range []string{"CREATE TABLE here (id Int32) ENGINE = Memory", "INSERT INTO here VALUES (1)", "SELECT throwIf(count() != 1) FROM here"} {
			if err := clickhouseAsk(address+"&query="+url.QueryEscape(statement), http.MethodPost); err != nil {
				t.Error(err)
			}
		}
		err := clickhouseAsk(address+"&query=SELECT+nothing", http.MethodPost)
		if err == nil || !strings.HasPrefix(err.Error(), "Code: 47.") {
			t.Errorf("error %v, want code 47", err)
		}
	}
}

func TestMariaDB_DatabasesAreApart(t *testing.T) {
	for range 2 {
		db, err := sql.Open("mysql", MariaDB(t))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec("CREATE TABLE here (id int)"); err != nil {
			t.Error(err)
		}
	}
}
