package lineage

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// TestTrace_MariaDBCases makes the views of the cases on the server, which refuses those
// with something undecided, and has all columns that there are edges to: their names are
// made of the text of expressions.
func TestTrace_MariaDBCases(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/dialects_views.txtar")
	if err != nil {
		t.Fatal(err)
	}
	quote := func(n schema.Name) string { return "`" + n.Name + "`" }
	shared := ""
	for _, f := range archive.Files {
		if f.Name == "schema" {
			shared = string(f.Data)
		}
		head, decls, _ := strings.Cut(string(f.Data), "\n")
		if head != "# mysql" && head != "# mariadb" || strings.Contains(decls, "view shop.") || strings.Contains(decls, "values row") {
			continue // MariaDB spells rows without the word
		}
		decls, _, _ = strings.Cut(decls, "=>\n")
		t.Run(f.Name, func(t *testing.T) {
			db, err := sql.Open("mysql", dbtest.MariaDB(t))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			declared := model(t, strings.ReplaceAll(shared, "Mixed", "mixed")+"\n"+strings.ReplaceAll(decls, " T", " t"))
			r := Trace(t.Context(), declared, dialect.MariaDB)
			var refused error
			for _, x := range declared.Tables {
				var columns []string
				for _, c := range x.Columns {
					columns = append(columns, "`"+c.Name+"` text")
				}
				if _, err := db.ExecContext(t.Context(), fmt.Sprintf("create table %s (%s, key x (%s(9)))", quote(x.Name), strings.Join(columns, ", "), x.Columns[0].Name)); err != nil {
					t.Fatal(err)
				}
			}
			for _, x := range declared.Views {
				if _, err := db.ExecContext(t.Context(), fmt.Sprintf("create view %s as %s", strings.ToLower(quote(x.Name)), x.Body)); err != nil {
					refused = err
				}
			}
			if (refused != nil) != (len(r.Undecided) > 0) {
				t.Errorf("the server says %v, and undecided is %+v", refused, r.Undecided)
			}
			for _, e := range r.Edges {
				var n int
				err := db.QueryRowContext(t.Context(), "select count(*) from information_schema.columns where table_schema = database() and table_name = ? and column_name = ?",
					strings.ToLower(e.ToView), e.ToColumn).Scan(&n)
				if err != nil {
					t.Fatal(err)
				}
				if n != 1 && refused == nil {
					t.Errorf("the server has no column %q of view %s", e.ToColumn, e.ToView)
				}
			}
		})
	}
}
