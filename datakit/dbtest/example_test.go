package dbtest_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
)

// A package that tests on real servers stops them when its tests are done, in a
// function that is called TestMain there, and asks for databases in its tests.
func Example() {
	_ = func(m *testing.M) int { // func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }
		return dbtest.Main(m)
	}
	_ = func(t *testing.T) { // func TestPostgres_Sum(t *testing.T)
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, dbtest.Postgres(t))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(ctx)
		var sum int
		if err := conn.QueryRow(ctx, "SELECT 1 + 1").Scan(&sum); err != nil || sum != 2 {
			t.Errorf("1 + 1 = %d, %v, want 2", sum, err)
		}
	}
}
