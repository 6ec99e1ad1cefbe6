package catalogtest

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
)

// MariaDB reads everything that a database of MariaDB or MySQL holds, as the server
// itself writes it.
func MariaDB(ctx context.Context, db *sql.DB) ([]Line, error) {
	var name string
	if err := db.QueryRowContext(ctx, "SELECT DATABASE()").Scan(&name); err != nil {
		return nil, err
	}
	var lines []Line
	for _, q := range []struct{ kind, list, show string }{
		{"table", "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY 1", "SHOW CREATE TABLE `%s`"},
		{"sequence", "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'SEQUENCE' ORDER BY 1", "SHOW CREATE SEQUENCE `%s`"},
		{"view", "SELECT table_name FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY 1", "SHOW CREATE VIEW `%s`"},
		{"trigger", "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY 1", "SHOW CREATE TRIGGER `%s`"},
		{"procedure", "SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_type = 'PROCEDURE' ORDER BY 1", "SHOW CREATE PROCEDURE `%s`"},
		{"function", "SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_type = 'FUNCTION' ORDER BY 1", "SHOW CREATE FUNCTION `%s`"},
		{"event", "SELECT event_name FROM information_schema.events WHERE event_schema = DATABASE() ORDER BY 1", "SHOW CREATE EVENT `%s`"},
	} {
		names, err := list(ctx, db, q.list)
		if err != nil {
			return nil, fmt.Errorf("listing the objects of the kind %s: %w", q.kind, err)
		}
		for _, object := range names {
			text, err := shown(ctx, db, fmt.Sprintf(q.show, strings.ReplaceAll(object, "`", "``")))
			if err != nil {
				return nil, fmt.Errorf("reading %s %s: %w", q.kind, object, err)
			}
			text = strings.ReplaceAll(text, "`"+name+"`.", "")
			for i, part := range strings.Split(counter.ReplaceAllString(text, ""), "\n") {
				kind := q.kind
				if kind == "trigger" {
					// The server keeps the author's words, with or without quotes.
					part = strings.ReplaceAll(part, "`", "")
				}
				if i > 0 && q.kind == "table" {
					kind = "part of a table"
					part = strings.TrimSuffix(strings.TrimSpace(part), ",")
				}
				lines = append(lines, Line{kind, object, part})
			}
		}
	}
	return lines, nil
}

// counter is where a table's numbers have come to, which is no part of its structure.
var counter = regexp.MustCompile(` AUTO_INCREMENT=\d+`)

// shown is the statement that SHOW CREATE answers, which has a column whose name begins
// with Create, or is SQL Original Statement.
func shown(ctx context.Context, db *sql.DB, show string) (string, error) {
	rows, err := db.QueryContext(ctx, show)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	values := make([]sql.NullString, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	if !rows.Next() {
		return "", fmt.Errorf("%s has no answer", show)
	}
	if err := rows.Scan(into...); err != nil {
		return "", err
	}
	for i, c := range columns {
		if c == "SQL Original Statement" || strings.HasPrefix(c, "Create ") || c == "Table" && len(columns) == 1 {
			return values[i].String, rows.Err()
		}
	}
	return "", fmt.Errorf("%s has no statement among its columns %v", show, columns)
}

func list(ctx context.Context, db *sql.DB, query string, args ...any) ([]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}
