package demo

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"strings"

	_ "modernc.org/sqlite" // the driver named sqlite
)

// The statements that make the database. The first keep their comments, which are
// what SQLite has for descriptions; indexes come after the rows, which is faster.
var (
	//go:embed schema.sql
	schemaSQL string
	//go:embed indexes.sql
	indexesSQL string
)

// refreshSQL is the application's own script that fills daily_revenue.
const refreshSQL = "app/sql/refresh_daily_revenue.sql"

// shop is the content of a SQLite file.
func shop() ([]byte, error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx) // each further connection would be an empty database
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, schemaSQL); err != nil {
		return nil, fmt.Errorf("creating the tables: %w", err)
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	m := newMaker()
	m.all()
	for _, t := range m.tables {
		if err := t.insert(ctx, tx); err != nil {
			return nil, fmt.Errorf("filling %s: %w", t.name, err)
		}
	}
	refresh, err := files.ReadFile(refreshSQL)
	if err != nil {
		return nil, err
	}
	for _, script := range []string{string(refresh), indexesSQL} {
		if _, err := tx.ExecContext(ctx, script); err != nil {
			return nil, fmt.Errorf("finishing the tables: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, err
	}
	var content []byte
	err = conn.Raw(func(c any) error {
		s, ok := c.(interface{ Serialize() ([]byte, error) })
		if !ok {
			return fmt.Errorf("the driver's connection %T has no Serialize", c)
		}
		content, err = s.Serialize()
		return err
	})
	return content, err
}

// rows is what goes into one table.
type rows struct {
	name    string
	columns []string
	values  []any // of all rows, one after the other
}

// add adds a row.
func (r *rows) add(values ...any) {
	if len(values) != len(r.columns) {
		panic(fmt.Sprintf("%s: %d values for %d columns", r.name, len(values), len(r.columns)))
	}
	r.values = append(r.values, values...)
}

// batch is how many rows one statement inserts: enough that the cost of a call does
// not count, and few enough for SQLite's limit on parameters.
const batch = 100

func (r *rows) insert(ctx context.Context, tx *sql.Tx) error {
	n := len(r.columns)
	row := "(?" + strings.Repeat(",?", n-1) + ")"
	text := func(rows int) string {
		return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", r.name, strings.Join(r.columns, ", "), row+strings.Repeat(","+row, rows-1))
	}
	left := r.values
	if len(left) >= batch*n {
		full, err := tx.PrepareContext(ctx, text(batch))
		if err != nil {
			return err
		}
		defer full.Close()
		for ; len(left) >= batch*n; left = left[batch*n:] {
			if _, err := full.ExecContext(ctx, left[:batch*n]...); err != nil {
				return err
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	_, err := tx.ExecContext(ctx, text(len(left)/n), left...)
	return err
}
