package dbscript

import (
	"context"
	"database/sql"
	"fmt"
)

// SQLite writes down a database of SQLite, which keeps the statements that made it.
func SQLite(ctx context.Context, db *sql.DB) (*Script, error) {
	statements, err := list(ctx, db, `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		AND name NOT IN (SELECT s.name FROM pragma_table_list s WHERE s.type = 'shadow') ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid`)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	var w writer
	for _, s := range statements {
		w.add(s)
	}
	return &Script{Text: w.b.String(), Missing: []string{}}, nil
}
