package dbtest

import (
	"context"
	"database/sql"
	"os"
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
