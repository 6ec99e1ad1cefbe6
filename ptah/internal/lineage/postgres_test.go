package lineage

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

func connect(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

func run(t *testing.T, conn *pgx.Conn, sql string) error {
	t.Helper()
	_, err := conn.PgConn().Exec(t.Context(), sql).ReadAll()
	return err
}

// TestTrace_PostgresScripts holds the lineage of views against what the server says that
// they depend on.
func TestTrace_PostgresScripts(t *testing.T) {
	for _, name := range scripts {
		t.Run(name, func(t *testing.T) {
			conn := connect(t)
			tables, views := script(t, name)
			for _, sql := range []string{tables, "set search_path = public", views} {
				if err := run(t, conn, sql); err != nil {
					t.Fatal(err)
				}
			}
			against(t, conn, Trace(t.Context(), parsed(t, tables+"\n"+views, dialect.Postgres), dialect.Postgres))
		})
	}
}

// TestTrace_PostgresCases does the same for the cases of testdata: the server refuses
// those views that have something undecided, and of the others knows the same columns.
func TestTrace_PostgresCases(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/postgres_views.txtar")
	if err != nil {
		t.Fatal(err)
	}
	conn := connect(t)
	shared := ""
	for _, f := range archive.Files {
		if f.Name == "schema" {
			shared = string(f.Data)
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			decls, _, _ := strings.Cut(string(f.Data), "=>\n")
			db := model(t, shared+"\n"+decls)
			if err := run(t, conn, "begin; create schema app; set local search_path = public"); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := run(t, conn, "rollback"); err != nil {
					t.Fatal(err)
				}
			}()
			r := Trace(t.Context(), db, dialect.Postgres)
			err := build(t, conn, db)
			switch {
			case err != nil && len(r.Undecided) == 0:
				t.Errorf("the server refuses what is decided: %v", err)
			case err == nil && len(r.Undecided) > 0:
				t.Errorf("the server takes what is undecided: %+v", r.Undecided)
			case err == nil:
				against(t, conn, r)
			}
		})
	}
}

// build makes the objects of a model on the server. Those that need others come later.
func build(t *testing.T, conn *pgx.Conn, db *schema.Database) error {
	var left []string
	q := func(n schema.Name) string { return pgx.Identifier(strings.Split(n.String(), ".")).Sanitize() }
	for _, x := range db.Composites {
		var fields []string
		for _, c := range x.Fields {
			fields = append(fields, pgx.Identifier{c.Name}.Sanitize()+" "+c.Type.String())
		}
		left = append(left, fmt.Sprintf("create type %s as (%s)", q(x.Name), strings.Join(fields, ", ")))
	}
	for _, x := range db.Sequences {
		left = append(left, "create sequence "+q(x.Name))
	}
	for _, x := range db.Tables {
		var columns []string
		for _, c := range x.Columns {
			typ := c.Type.String()
			if typ == "" {
				typ = "int"
			}
			columns = append(columns, pgx.Identifier{c.Name}.Sanitize()+" "+typ)
		}
		sql := fmt.Sprintf("create table %s (%s)", q(x.Name), strings.Join(columns, ", "))
		if len(x.Inherits) > 0 {
			sql += " inherits (" + q(x.Inherits[0]) + ")"
		}
		if x.Partition != nil {
			sql += " inherits (" + q(x.Partition.Of) + ")"
		}
		left = append(left, sql)
	}
	for _, x := range db.Routines {
		var params []string
		for _, p := range x.Params {
			params = append(params, p.Name+" "+p.Type)
		}
		left = append(left, fmt.Sprintf("create function %s(%s) returns %s language %s as $$%s$$", q(x.Name), strings.Join(params, ", "), x.Returns, x.Language, x.Body))
	}
	for _, x := range db.Views {
		sql := "create "
		if x.Recursive {
			sql += "recursive "
		}
		if x.Materialized {
			sql += "materialized "
		}
		sql += "view " + q(x.Name)
		if len(x.Columns) > 0 {
			sql += " (" + strings.Join(x.Columns, ", ") + ")"
		}
		left = append(left, sql+" as "+strings.TrimSuffix(x.Body, ";"))
	}
	for {
		var failed []string
		var last error
		for _, sql := range left {
			if err := run(t, conn, "savepoint s"); err != nil {
				t.Fatal(err)
			}
			if err := run(t, conn, sql); err != nil {
				failed, last = append(failed, sql), fmt.Errorf("%s: %w", sql, err)
				if err := run(t, conn, "rollback to s"); err != nil {
					t.Fatal(err)
				}
			}
		}
		if len(failed) == 0 || len(failed) == len(left) {
			return last
		}
		left = failed
	}
}

// against holds the columns of every view against those that the server's catalog says
// it depends on, through other views: edges and references are among them, and of a view
// that reads no other it is the other way round as well. The catalog does not list the
// columns of whole rows, which is why views called whole are left out. The names of the
// views' own columns have to be the server's.
func against(t *testing.T, conn *pgx.Conn, r *Result) {
	t.Helper()
	type use struct{ view, relation, column, kind string }
	rows, err := conn.Query(t.Context(), `
		select distinct v.oid::regclass::text, c.oid::regclass::text, a.attname, c.relkind::text
		from pg_rewrite w join pg_class v on v.oid = w.ev_class
		join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refclassid = 'pg_class'::regclass and d.refobjsubid <> 0
		join pg_class c on c.oid = d.refobjid
		join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
		where v.relnamespace in ('public'::regnamespace, (select oid from pg_namespace where nspname = 'app')) and d.refobjid <> v.oid and a.attnum > 0`)
	if err != nil {
		t.Fatal(err)
	}
	uses, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (u use, err error) {
		return u, row.Scan(&u.view, &u.relation, &u.column, &u.kind)
	})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]map[string]bool{} // by view: "table.column"
	var depends func(view string) map[string]bool
	depends = func(view string) map[string]bool {
		if known[view] == nil {
			known[view] = map[string]bool{}
			for _, u := range uses {
				if u.view != view {
					continue
				}
				if u.kind != "v" && u.kind != "m" {
					known[view][strings.ReplaceAll(u.relation, `"`, "")+"."+u.column] = true
					continue
				}
				for c := range depends(u.relation) {
					known[view][c] = true
				}
			}
		}
		return known[view]
	}
	found := map[string]map[string]bool{}
	add := func(view, table, column string) {
		if found[view] == nil {
			found[view] = map[string]bool{}
		}
		found[view][table+"."+column] = true
	}
	for _, e := range r.Edges {
		add(e.ToView, e.FromTable, e.FromColumn)
	}
	for _, x := range r.References {
		add(x.View, x.Table, x.Column)
	}
	for view, columns := range found {
		if strings.HasPrefix(view, "whole") {
			continue
		}
		server := depends(quotedView(view))
		for c := range columns {
			if !server[c] {
				t.Errorf("%s does not depend on %s", view, c)
			}
		}
		if strings.HasPrefix(view, "unread") { // a subquery of it has columns that nothing reads
			continue
		}
		if slices.ContainsFunc(uses, func(u use) bool { return u.view == quotedView(view) && u.kind != "r" && u.kind != "p" }) {
			continue
		}
		for c := range server {
			if !columns[c] {
				t.Errorf("%s depends on %s", view, c)
			}
		}
	}
	var names []string
	rows, err = conn.Query(t.Context(), `select replace(attrelid::regclass::text, '"', '') || '.' || attname from pg_attribute where attnum > 0`)
	if err == nil {
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	for _, e := range r.Edges {
		if _, ok := slices.BinarySearch(names, e.ToView+"."+e.ToColumn); !ok {
			t.Errorf("the server has no column %s of view %s", e.ToColumn, e.ToView)
		}
	}
}

// quotedView is the name of a view as the server writes it.
func quotedView(name string) string {
	if strings.ContainsAny(name, " ") || strings.ToLower(name) != name {
		return `"` + name + `"`
	}
	return name
}
