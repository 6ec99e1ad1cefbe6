package sqlsrc

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func connectPostgres(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

type namedScript struct{ name, text string }

// scripts returns the scripts of a file: each begins with a line "--- name".
func scripts(t testing.TB, path string) []namedScript {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []namedScript
	for _, s := range strings.Split("\n"+string(text), "\n---")[1:] {
		name, s, _ := strings.Cut(s, "\n")
		list = append(list, namedScript{strings.TrimSpace(name), s})
	}
	return list
}

// TestParse_PostgresCatalog executes scripts on a real server and by the model, and
// compares what there is afterwards: relations, columns with their types, constraints.
// So the names that the server gives are the ones that the model has.
func TestParse_PostgresCatalog(t *testing.T) {
	conn := connectPostgres(t)
	for _, s := range scripts(t, "testdata/postgres/accepted.sql") {
		script := s.text
		t.Run(s.name, func(t *testing.T) {
			tx, err := conn.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback(context.Background()) }()
			if _, err := tx.Exec(t.Context(), script, pgx.QueryExecModeSimpleProtocol); err != nil {
				t.Fatalf("%v\n%s", err, script)
			}
			var rep finding.Report
			in := newPostgres(dialect.Postgres, &rep).(*postgres)
			in.run(t.Context(), piece{text: script, shown: "s.sql", line: 1})
			for _, p := range rep.Problems() {
				t.Errorf("%s\n%s", p, script)
			}
			if diff := cmp.Diff(serverCatalog(t, tx), modelCatalog(in)); diff != "" {
				t.Errorf("(-server +model):\n%s\n%s", diff, script)
			}
		})
	}
}

// TestParse_PostgresRefused wants a problem wherever the server has one.
func TestParse_PostgresRefused(t *testing.T) {
	conn := connectPostgres(t)
	for _, s := range scripts(t, "testdata/postgres/refused.sql") {
		script := s.text
		t.Run(s.name, func(t *testing.T) {
			tx, err := conn.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback(context.Background()) }()
			if _, err := tx.Exec(t.Context(), script, pgx.QueryExecModeSimpleProtocol); err == nil {
				t.Fatalf("the server takes\n%s", script)
			}
			var rep finding.Report
			Parse(t.Context(), script, "s.sql", dialect.Postgres, &rep)
			if !rep.Failed() {
				t.Errorf("the model takes\n%s", script)
			}
		})
	}
}

const catalogQuery = `
SELECT format('relation %s.%s', n.nspname, c.relname)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname !~ '^(pg_|information_schema)' AND c.relkind IN ('r','p','f','v','m','S','c','i','I')
   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('e', 'P'))
UNION ALL
SELECT format(E'column %s.%s.%s\t%s%s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END)
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname !~ '^(pg_|information_schema)' AND c.relkind IN ('r','p','f','c') AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL
SELECT format('constraint %s.%s on %s', n.nspname, k.conname, coalesce(c.relname, t.typname))
  FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
  LEFT JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_type t ON t.oid = k.contypid
 WHERE n.nspname !~ '^(pg_|information_schema)' AND k.contype IN ('p','u','c','f','x') AND k.conislocal
   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_constraint'::regclass AND d.objid = k.oid AND d.deptype = 'P')
UNION ALL
SELECT format('type %s.%s %s', n.nspname, t.typname, t.typtype)
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
 WHERE n.nspname !~ '^(pg_|information_schema)' AND t.typtype IN ('e','d','r') `

func serverCatalog(t *testing.T, tx pgx.Tx) []string {
	t.Helper()
	rows, err := tx.Query(t.Context(), catalogQuery)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	in := newPostgres(dialect.Postgres, &finding.Report{}).(*postgres)
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(l, "column "); ok {
			name, typ, _ := strings.Cut(rest, "\t")
			typ, notNull := strings.CutSuffix(typ, " NOT NULL")
			lines[i] = fmt.Sprintf("column %s %s %t", name, plainType(in, typ), notNull)
		}
	}
	slices.Sort(lines)
	return lines
}

// plainType is a type without its schema, which the server leaves out in places.
func plainType(in *postgres, text string) string {
	key := in.typeKey(text)
	return key[strings.LastIndexByte(key, '.')+1:]
}

func modelCatalog(in *postgres) []string {
	lines := []string{}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for k, r := range in.relations {
		if r.index != nil && r.index.AttachTo != nil || r.constraint != nil && r.constraint.AttachTo != nil {
			continue // a part of another one, as those that the server makes itself
		}
		add("relation %s.%s", k.schema, k.name)
	}
	column := func(of schema.Name, c *schema.Column) {
		typ := c.Type.Text
		if base := serials[c.Type.Base()]; base != "" && c.Type.Array == 0 {
			typ = base
		}
		k := in.key(of)
		add("column %s.%s.%s %s %t", k.schema, k.name, dialect.Cut(c.Name), plainType(in, typ), c.NotNull)
	}
	constraint := func(of schema.Name, c *schema.Constraint) {
		k := in.key(of)
		add("constraint %s.%s on %s", k.schema, dialect.Cut(c.Name), k.name)
	}
	for _, t := range in.db.Tables {
		for _, c := range in.allColumns(t) {
			column(t.Name, c)
		}
		for _, c := range t.Constraints {
			if c.AttachTo == nil {
				constraint(t.Name, c)
			}
		}
	}
	for _, c := range in.db.Composites {
		for _, f := range c.Fields {
			column(c.Name, &schema.Column{Name: f.Name, Type: f.Type})
		}
	}
	for _, d := range in.db.Domains {
		for _, c := range d.Checks {
			constraint(d.Name, c)
		}
	}
	for k, u := range in.types {
		if letter := map[string]string{"ENUM": "e", "DOMAIN": "d", "RANGE": "r"}[u.kind]; letter != "" && k == in.key(u.name) && (u.rng == nil || in.key(u.rng.Name) == k) {
			add("type %s.%s %s", k.schema, k.name, letter)
		}
	}
	slices.Sort(lines)
	return lines
}
