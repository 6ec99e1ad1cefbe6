package dbscript

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
)

// MySQL writes down the database that a connection to MySQL or MariaDB uses.
func MySQL(ctx context.Context, db *sql.DB) (*Script, error) {
	var name sql.NullString
	if err := db.QueryRowContext(ctx, "SELECT DATABASE()").Scan(&name); err != nil {
		return nil, fmt.Errorf("asking for the database: %w", err)
	}
	if !name.Valid {
		return nil, fmt.Errorf("the URL names no database")
	}
	var w writer
	for _, kind := range mysqlKinds {
		names, err := list(ctx, db, kind.list)
		if err != nil {
			return nil, fmt.Errorf("listing the objects of the kind %s: %w", kind.what, err)
		}
		for _, object := range names {
			text, err := shown(ctx, db, kind.what, object)
			if err != nil {
				return nil, fmt.Errorf("reading %s %q: %w", kind.what, object, err)
			}
			text = strings.ReplaceAll(readable(text), quoteMySQL(name.String)+".", "")
			text = definer.ReplaceAllString(text, "$1")
			if kind.compound {
				w.b.WriteString(mysql.Delimited(text))
				continue
			}
			w.add(nextNumber.ReplaceAllString(text, ""))
		}
	}
	return &Script{Text: w.b.String(), Missing: []string{}}, nil
}

// mysqlKinds are the kinds of objects, and how they are listed. Views come in the order of
// their names: what reads them orders them by what they name.
var mysqlKinds = []struct {
	what, list string
	compound   bool // statements inside
}{
	{"SEQUENCE", "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'SEQUENCE' ORDER BY 1", false},
	{"TABLE", "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY 1", false},
	{"FUNCTION", "SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_type = 'FUNCTION' ORDER BY 1", true},
	{"PROCEDURE", "SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_type = 'PROCEDURE' ORDER BY 1", true},
	{"VIEW", "SELECT table_name FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY 1", false},
	{"TRIGGER", "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY event_object_table, action_timing, event_manipulation, action_order", true},
	{"EVENT", "SELECT event_name FROM information_schema.events WHERE event_schema = DATABASE() ORDER BY 1", true},
}

// nextNumber is where a table's numbers have come to, which is no part of its structure.
var nextNumber = regexp.MustCompile(` AUTO_INCREMENT=\d+`)

// definer is whose rights an object has, which is an account of the server and no part of
// the structure.
var definer = regexp.MustCompile("^(CREATE (?:[A-Z]+=[A-Z]+ )?)DEFINER=(?:`(?:[^`]|``)*`(?:@`(?:[^`]|``)*`)?|[A-Z_]+) ")

func quoteMySQL(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// shown is the statement that SHOW CREATE answers: it is in a column of that name.
func shown(ctx context.Context, db *sql.DB, what, object string) (string, error) {
	rows, err := db.QueryContext(ctx, "SHOW CREATE "+what+" "+quoteMySQL(object))
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
		return "", fmt.Errorf("the database does not show it: %w", rows.Err())
	}
	if err := rows.Scan(into...); err != nil {
		return "", err
	}
	for i, c := range columns {
		if strings.HasPrefix(c, "Create ") || c == "SQL Original Statement" {
			if !values[i].Valid {
				return "", fmt.Errorf("the account may not see its definition")
			}
			return values[i].String, rows.Err()
		}
	}
	return "", fmt.Errorf("the database shows no statement")
}

func list(ctx context.Context, db *sql.DB, query string) ([]string, error) {
	rows, err := db.QueryContext(ctx, query)
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

// readable writes the texts in a statement that are no text, which the server shows as
// the bytes that they are, in digits: x'00ff'.
func readable(sql string) string {
	if utf8.ValidString(sql) {
		return sql
	}
	var b strings.Builder
	for i := 0; i < len(sql); {
		end := i + 1
		if c := sql[i]; c == '\'' || c == '`' {
			for end < len(sql) && (sql[end] != c || end+1 < len(sql) && sql[end+1] == c) {
				if sql[end] == c || sql[end] == '\\' && c == '\'' {
					end++ // a quote that is written twice, or what is escaped
				}
				end++
			}
			end = min(end+1, len(sql))
		}
		if part := sql[i:end]; sql[i] == '\'' && !utf8.ValidString(part) {
			fmt.Fprintf(&b, "x'%x'", strings.NewReplacer(`\0`, "\x00", `\n`, "\n", `\r`, "\r", `\Z`, "\x1a", `\\`, `\`, `\'`, `'`, `''`, `'`).Replace(part[1:len(part)-1]))
		} else {
			b.WriteString(part)
		}
		i = end
	}
	return b.String()
}
