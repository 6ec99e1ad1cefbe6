package wiretest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// ReadsOnly fails the test for every statement that may do more than read: only
// queries, SHOW, SET, and the begin and end of transactions that read are allowed.
func ReadsOnly(tb testing.TB, d sqltree.Dialect, list []Statement) {
	tb.Helper()
	for _, s := range list {
		if _, err := judge(d, s); err != nil {
			tb.Errorf("%s %q: %v", s.Message, s.SQL, err)
		}
	}
}

// Catalog are the names of the system catalog of the server of d, for [CatalogOnly]:
// schema.* for all of a schema, and PostgreSQL's bare names, to which the search
// path must lead.
func Catalog(tb testing.TB, d dsn.DSN) map[string]bool {
	tb.Helper()
	if d.Dialect != dsn.PostgreSQL {
		return map[string]bool{"information_schema.*": true, "mysql.*": true}
	}
	ctx := context.Background()
	pg, err := pgx.Connect(ctx, d.String())
	if err != nil {
		tb.Fatal(err)
	}
	defer pg.Close(ctx)
	var names []string
	if err := pg.QueryRow(ctx, "SELECT array_agg(relname::text) FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace").Scan(&names); err != nil {
		tb.Fatal(err)
	}
	system := map[string]bool{"pg_catalog.*": true}
	for _, n := range names {
		system[n] = true
	}
	return system
}

// CatalogOnly fails the test as [ReadsOnly] does, and for every statement that
// reads a relation which is not one of the system catalog.
func CatalogOnly(tb testing.TB, d sqltree.Dialect, list []Statement, system map[string]bool) {
	tb.Helper()
	for _, s := range list {
		relations, err := judge(d, s)
		if err != nil {
			tb.Errorf("%s %q: %v", s.Message, s.SQL, err)
		}
		for _, r := range relations {
			schema, _, qualified := strings.Cut(r, ".")
			if !system[r] && (!qualified || !system[schema+".*"]) {
				tb.Errorf("%s %q reads %s", s.Message, s.SQL, r)
			}
		}
	}
}

// aside are functions of PostgreSQL and MySQL that read or write what stands in
// their arguments, so that no relation of the statement tells.
var aside = []string{"query_to_xml", "table_to_xml", "schema_to_xml", "database_to_xml", "cursor_to_xml", "ts_stat", "dblink", "pg_read_file",
	"pg_read_binary_file", "pg_ls_dir", "pg_file_write", "lo_", "nextval", "setval", "load_file", "get_lock", "pg_advisory", "pg_terminate", "pg_cancel", "pg_reload"}

// judge returns the relations that a statement reads, or why it does more than
// read.
func judge(d sqltree.Dialect, s Statement) (relations []string, err error) {
	if s.SQL == "" {
		return nil, fmt.Errorf("no SQL")
	}
	script, err := parse.Parse(d, s.SQL)
	if err != nil {
		return nil, err
	}
	if len(script.Statements) != 1 {
		return nil, fmt.Errorf("%d statements in one", len(script.Statements))
	}
	if err := hidden(s.SQL); err != nil {
		return nil, err
	}
	sqltree.Inspect(script, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Query:
			if n.Into != nil || len(n.Locks) > 0 {
				err = fmt.Errorf("a query that writes or locks")
			}
		case *sqltree.Other:
			if !harmless(n, s.SQL) {
				err = fmt.Errorf("%s is not allowed", n.Kind)
			}
		case *sqltree.Func:
			name := strings.ToLower(n.Name.Last().Name)
			for _, f := range aside {
				if strings.HasPrefix(name, f) {
					err = fmt.Errorf("%s is not allowed", name)
				}
			}
		case sqltree.Statement:
			err = fmt.Errorf("%T is not allowed", n)
		}
		return true
	})
	for _, use := range sqltree.Resolve(script.Statements[0], d, sqltree.NewSchema(d)).Tables {
		var parts []string
		for _, p := range use.Name.Parts {
			parts = append(parts, d.Fold(p))
		}
		relations = append(relations, strings.Join(parts, "."))
		if use.Written {
			err = fmt.Errorf("%s is written", strings.Join(parts, "."))
		}
	}
	return relations, err
}

// executed are the comments that MySQL and MariaDB execute, and limit those that
// only bound a statement's time.
var (
	executed = regexp.MustCompile(`(?s)/\*M?!.*?\*/`)
	limit    = regexp.MustCompile(`^/\*M?!\d+ (SET STATEMENT )?max_(statement|execution)_time=[\d.]+( FOR)? ?\*/$`)
)

// hidden finds what the tree does not show: locks, files that are written, and
// comments that are executed.
func hidden(sql string) error {
	for _, comment := range executed.FindAllString(sql, -1) {
		if !limit.MatchString(comment) {
			return fmt.Errorf("the comment %s is executed", comment)
		}
	}
	tokens := model.Tokens(sql)
	for i, t := range tokens {
		switch {
		case t == "outfile" || t == "dumpfile":
			return fmt.Errorf("a file is written")
		case t == "for" && i+1 < len(tokens) && slices.Contains([]string{"update", "share", "no", "key"}, tokens[i+1]),
			t == "lock" && i+2 < len(tokens) && tokens[i+1] == "in":
			return fmt.Errorf("rows are locked")
		}
	}
	return nil
}

// harmless reports whether a statement without a type of its own is one of those
// that an introspection needs.
func harmless(s *sqltree.Other, text string) bool {
	text = strings.ToUpper(strings.Join(strings.Fields(text), " "))
	switch {
	case s.Kind == "SET", s.Kind == "SHOW", s.Kind == "COMMIT", s.Kind == "ROLLBACK":
		return !strings.Contains(text, "READ WRITE") && !strings.Contains(text, "GLOBAL") && !strings.Contains(text, "READ_ONLY = 0")
	case s.Kind == "BEGIN", strings.HasPrefix(s.Kind, "START"):
		return strings.Contains(text, "READ ONLY")
	}
	return false
}
