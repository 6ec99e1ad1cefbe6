package lineage

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	_ "modernc.org/sqlite"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

// TestTrace_SQLiteCases makes the views of the cases in SQLite, which cannot read those
// with something undecided but for columns without a name of their own, and has all
// columns that there are edges to.
func TestTrace_SQLiteCases(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/dialects_views.txtar")
	if err != nil {
		t.Fatal(err)
	}
	shared := ""
	for _, f := range archive.Files {
		if f.Name == "schema" {
			shared = string(f.Data)
		}
		head, decls, _ := strings.Cut(string(f.Data), "\n")
		decls, _, _ = strings.Cut(decls, "=>\n")
		if head != "# sqlite" || strings.Contains(decls, "no such column") || strings.Contains(decls, "generate_series") {
			continue // SQLite takes the name for a string; it has the function in its shell only
		}
		t.Run(f.Name, func(t *testing.T) {
			db, err := sql.Open("sqlite", "file::memory:?cache=private")
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			db.SetMaxOpenConns(1)
			declared := model(t, shared+"\n"+decls)
			r := Trace(t.Context(), declared, dialect.SQLite)
			do := func(query string, args ...any) {
				if _, err := db.ExecContext(t.Context(), fmt.Sprintf(query, args...)); err != nil {
					t.Fatal(err)
				}
			}
			for _, x := range declared.Tables {
				if x.Virtual != "" {
					do("create virtual table %s using %s", x.Name.Name, x.Virtual)
					continue
				}
				var columns []string
				for _, c := range x.Columns {
					columns = append(columns, `"`+c.Name+`"`)
				}
				do("create table %q (%s)", x.Name.Name, strings.Join(columns, ", "))
			}
			columns := map[string][]string{}
			var refused error
			for _, x := range declared.Views {
				list := ""
				if len(x.Columns) > 0 {
					list = "(" + strings.Join(x.Columns, ", ") + ")"
				}
				if _, err := db.ExecContext(t.Context(), fmt.Sprintf("create view %q %s as %s", x.Name.Name, list, x.Body)); err != nil {
					refused = err
				}
			}
			for _, x := range declared.Views {
				rows, err := db.QueryContext(t.Context(), fmt.Sprintf("select * from %q", x.Name.Name))
				if err != nil {
					refused = err
					continue
				}
				columns[x.Name.Name], err = rows.Columns()
				if err != nil {
					t.Fatal(err)
				}
				if err := rows.Close(); err != nil {
					t.Fatal(err)
				}
			}
			unknown := slices.ContainsFunc(r.Undecided, func(u Undecided) bool { return u.Reason != unnamed })
			if (refused != nil) != unknown {
				t.Errorf("SQLite says %v, and undecided is %+v", refused, r.Undecided)
			}
			for _, e := range r.Edges {
				same := func(c string) bool { return strings.EqualFold(c, e.ToColumn) }
				if refused == nil && !slices.ContainsFunc(columns[e.ToView], same) {
					t.Errorf("SQLite has no column %q of view %s but %q", e.ToColumn, e.ToView, columns[e.ToView])
				}
			}
		})
	}
}
