package corpus

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"modernc.org/sqlite"
)

// A verdict is what a database says of a statement over empty tables.
type verdict struct {
	kind verdictKind
	name string // of unknown and ambiguous: the identifier, perhaps with qualifiers
	at   int    // its byte offset, or that of its qualifier; -1 where the database tells none
	text string // the database's words
}

type verdictKind int

const (
	accepted  verdictKind = iota
	unknown               // a table, alias or column is unknown
	ambiguous             // a column is ambiguous
	unjudged              // refused for another reason: a version's syntax, types, functions
)

// judge asks a database. An error is none of its answers: the connection is lost,
// say. A nil judge knows nothing.
type judge func(statement string) (verdict, error)

// newJudge returns the database of a dialect with the schema loaded.
func newJudge(t *testing.T, d sqltree.Dialect, schema []string) judge {
	switch d {
	case sqltree.Postgres:
		return newPostgres(t, schema)
	case sqltree.MySQL:
		return newMariaDB(t, schema)
	case sqltree.SQLite:
		return sqliteJudge(open(t, "sqlite", ":memory:", schema))
	case sqltree.DuckDB:
		return duckDBJudge(open(t, "duckdb", "", schema))
	}
	return nil
}

func newPostgres(t *testing.T, schema []string) judge {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(ctx) })
	for _, s := range schema {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Fatalf("schema: %v in %s", err, s)
		}
	}
	return postgresJudge(conn)
}

func postgresJudge(conn *pgx.Conn) judge {
	ctx := context.Background()
	quoted := regexp.MustCompile(`"([^"]+)"|column (\S+) does`)
	return func(statement string) (verdict, error) {
		// The server analyses the names of what it can plan when it prepares; the
		// names of everything else only when it runs.
		var err error
		if plannable(statement) {
			_, err = conn.PgConn().Prepare(ctx, "", statement, nil)
		} else {
			if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
				return verdict{}, err
			}
			_, err = conn.PgConn().Exec(ctx, statement).ReadAll()
			if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
				return verdict{}, err
			}
		}
		var pg *pgconn.PgError
		if err == nil {
			return verdict{kind: accepted, at: -1}, nil
		}
		if !errors.As(err, &pg) {
			return verdict{}, err
		}
		switch pg.Code[:2] {
		case "08", "53", "57", "58", "XX": // connection, resources, operator, system, fault of its own
			return verdict{}, err
		}
		v := verdict{kind: unjudged, at: -1, text: pg.Code + " " + pg.Message}
		switch pg.Code {
		case "42P01", "42703":
			v.kind = unknown
		case "42702", "42P09":
			v.kind = ambiguous
		}
		if m := quoted.FindStringSubmatch(pg.Message); m != nil {
			v.name = strings.Trim(m[1]+m[2], `"`)
		}
		if pg.Position > 0 {
			v.at = byteOffset(statement, int(pg.Position)-1)
		}
		return v, nil
	}
}

// plannable reports whether a statement is one that a server can prepare.
func plannable(statement string) bool {
	words := names(sqltree.Postgres, statement)
	if len(words) == 0 {
		return false
	}
	switch strings.ToUpper(words[0].name) {
	case "SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "VALUES", "TABLE", "REPLACE":
		return true
	}
	return false
}

// byteOffset is the offset of the n-th character.
func byteOffset(text string, n int) int {
	at := 0
	for range n {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}

func newMariaDB(t *testing.T, schema []string) judge {
	db := open(t, "mysql", dbtest.MariaDB(t), schema)
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return mariaDBJudge(conn)
}

func mariaDBJudge(conn *sql.Conn) judge {
	ctx := context.Background()
	quoted := regexp.MustCompile(`'([^']*)'`)
	return func(statement string) (verdict, error) {
		if !plannable(statement) {
			return verdict{kind: unjudged, at: -1, text: "not prepared: it would change the schema"}, nil
		}
		stmt, err := conn.PrepareContext(ctx, statement)
		if err == nil {
			return verdict{kind: accepted, at: -1}, stmt.Close()
		}
		var e *mysql.MySQLError
		if !errors.As(err, &e) {
			return verdict{}, err
		}
		v := verdict{kind: unjudged, at: -1, text: err.Error()}
		switch e.Number {
		case 1037, 1041, 1053, 1205, 1317, 1927: // memory, shutdown, locks, interrupted, killed
			return verdict{}, err
		case 1054, 1146, 1109, 1051: // column, table, table of a qualifier
			v.kind = unknown
		case 1052:
			v.kind = ambiguous
		}
		if m := quoted.FindStringSubmatch(e.Message); m != nil {
			v.name = m[1]
		}
		return v, nil
	}
}

// sqliteJudge has a view's query judged in place of the view, which SQLite would
// not look into.
func sqliteJudge(db *sql.DB) judge {
	view := regexp.MustCompile(`(?is)^CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?[^\s(]+\s*(?:\([^()]*\)\s*)?AS\b`)
	parameter := regexp.MustCompile(`\?\d*|[:@$][A-Za-z_]\w*`)
	name := regexp.MustCompile(`(?:no such (?:table|column)|ambiguous column name): "?(.*?)"? \(\d+\)|has no column named (\S+)`)
	return func(statement string) (verdict, error) {
		_, err := db.Exec("EXPLAIN " + parameter.ReplaceAllString(view.ReplaceAllString(statement, ""), "NULL"))
		if err == nil {
			return verdict{kind: accepted, at: -1}, nil
		}
		var e *sqlite.Error
		if !errors.As(err, &e) || e.Code()&0xff != 1 { // SQLITE_ERROR: what is wrong with the statement
			return verdict{}, err
		}
		v := verdict{kind: unjudged, at: -1, text: err.Error()}
		if m := name.FindStringSubmatch(v.text); m != nil {
			v.kind = unknown
			if strings.Contains(v.text, "ambiguous") {
				v.kind = ambiguous
			}
			v.name = m[1] + m[2]
		}
		return v, nil
	}
}

func duckDBJudge(db *sql.DB) judge {
	name := regexp.MustCompile(`Referenced (?:column|table) "([^"]+)" not found|Table with name (\S+) does not exist|` +
		`does not have a column (?:named|with name) "([^"]+)"|Table "[^"]+" does not have a column named "([^"]+)"|` +
		`Column "([^"]+)" (?:referenced|in|does not exist)|Column with name ([^ ]+) does not exist|Ambiguous reference to column name "([^"]+)"|` +
		`column "?([^ "]+)"? does not exist|Column name "([^"]+)" is ambiguous`)
	return func(statement string) (verdict, error) {
		stmt, err := db.Prepare(statement)
		if err == nil {
			return verdict{kind: accepted, at: -1}, stmt.Close()
		}
		var e *duckdb.Error
		if !errors.As(err, &e) {
			return verdict{}, err
		}
		switch e.Type {
		case duckdb.ErrorTypeConnection, duckdb.ErrorTypeFatal, duckdb.ErrorTypeInternal, duckdb.ErrorTypeOutOfMemory, duckdb.ErrorTypeInterrupt:
			return verdict{}, err
		}
		v := verdict{kind: unjudged, at: -1, text: err.Error()}
		if m := name.FindStringSubmatch(v.text); m != nil {
			v.kind = unknown
			if strings.Contains(strings.ToLower(v.text), "ambiguous") {
				v.kind = ambiguous
			}
			v.name = strings.Trim(strings.Join(m[1:], ""), `"!`)
		}
		return v, nil
	}
}

func open(t *testing.T, driver, dsn string, schema []string) *sql.DB {
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, s := range schema {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("schema: %v in %s", err, s)
		}
	}
	return db
}
