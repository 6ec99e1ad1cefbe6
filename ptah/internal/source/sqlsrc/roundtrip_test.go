package sqlsrc

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// eachSchema reads the whole schemas of a dialect, which have no problems.
func eachSchema(t *testing.T, d dialect.Dialect, use func(t *testing.T, text string, db *schema.Database)) {
	paths, err := filepath.Glob("../../../testdata/roundtrip/" + string(d) + "/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there is no schema of %s: %v", d, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var rep finding.Report
			db := Parse(t.Context(), string(text), filepath.Base(path), d, &rep)
			for _, p := range rep.Problems() {
				t.Error(p)
			}
			use(t, string(text), db)
		})
	}
}

// column returns the first column of a query's rows, sorted.
func column(t *testing.T, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names := []string{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func same(t *testing.T, what string, server, model []string) {
	t.Helper()
	model = append([]string{}, model...)
	slices.Sort(model)
	if diff := cmp.Diff(server, model); diff != "" {
		t.Errorf("%s (-server +model):\n%s", what, diff)
	}
}

// The model has the objects that the server has, under the names that it gives them.
func TestParse_MariaDBNames(t *testing.T) {
	eachSchema(t, dialect.MariaDB, func(t *testing.T, text string, model *schema.Database) {
		db, err := sql.Open("mysql", dbtest.MariaDB(t)+"?multiStatements=true")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		// The lines are for the client; the server ends what has a body at its END.
		text = regexp.MustCompile(`(?m)^DELIMITER .*$`).ReplaceAllString(text, "")
		if _, err := db.Exec(regexp.MustCompile(`(?m)^END(//|\$\$)$`).ReplaceAllString(text, "END;")); err != nil {
			t.Fatal(err)
		}
		var tables, views, triggers, routines, sequences []string
		for _, x := range model.Tables {
			tables = append(tables, x.Name.Name)
		}
		for _, x := range model.Views {
			views = append(views, x.Name.Name)
		}
		for _, x := range model.Triggers {
			triggers = append(triggers, x.Name)
		}
		for _, x := range model.Routines {
			routines = append(routines, x.Name.Name)
		}
		for _, x := range model.Sequences {
			sequences = append(sequences, x.Name.Name)
		}
		kind := "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = ?"
		same(t, "tables", slices.Sorted(slices.Values(append(column(t, db, kind, "BASE TABLE"), column(t, db, kind, "SYSTEM VERSIONED")...))), tables)
		same(t, "views", column(t, db, kind, "VIEW"), views)
		same(t, "sequences", column(t, db, kind, "SEQUENCE"), sequences)
		same(t, "triggers", column(t, db, "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()"), triggers)
		same(t, "routines", column(t, db, "SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()"), routines)
		for _, x := range model.Tables {
			table := x.Name.Name
			var columns, indexes, keys, checks []string
			for _, c := range x.Columns {
				columns = append(columns, c.Name)
			}
			for _, c := range x.Constraints {
				switch c.Kind {
				case schema.ForeignKey:
					keys = append(keys, c.Name)
				case schema.Check:
					if c.Name != "" {
						checks = append(checks, c.Name)
					}
				case schema.Unique:
					indexes = append(indexes, c.Name)
				}
			}
			for _, i := range x.Indexes {
				indexes = append(indexes, i.Name)
			}
			of := " WHERE table_schema = DATABASE() AND table_name = ?"
			same(t, "columns of "+table, column(t, db, "SELECT column_name FROM information_schema.columns"+of, table), columns)
			same(t, "indexes of "+table, column(t, db, "SELECT DISTINCT index_name FROM information_schema.statistics"+of+" AND index_name <> 'PRIMARY'", table), indexes)
			constraint := "SELECT constraint_name FROM information_schema.table_constraints" + of + " AND constraint_type = ?"
			same(t, "foreign keys of "+table, column(t, db, constraint, table, "FOREIGN KEY"), keys)
			same(t, "checks of "+table, column(t, db, "SELECT constraint_name FROM information_schema.check_constraints "+
				"WHERE constraint_schema = DATABASE() AND table_name = ? AND level = 'Table'", table), checks)
		}
	})
}

func TestParse_SQLiteNames(t *testing.T) {
	eachSchema(t, dialect.SQLite, func(t *testing.T, text string, model *schema.Database) {
		db, err := sql.Open("sqlite", ":memory:")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
		var tables, views, triggers, indexes []string
		for _, x := range model.Tables {
			tables = append(tables, x.Name.Name)
			for _, i := range x.Indexes {
				indexes = append(indexes, i.Name)
			}
			if x.Virtual != "" {
				continue
			}
			var columns []string
			for _, c := range x.Columns {
				columns = append(columns, c.Name+" "+strings.Trim(c.Type.Text, `'"`))
			}
			same(t, "columns of "+x.Name.Name, column(t, db, "SELECT name || ' ' || type FROM pragma_table_xinfo(?)", x.Name.Name), columns)
		}
		for _, x := range model.Views {
			views = append(views, x.Name.Name)
		}
		for _, x := range model.Triggers {
			triggers = append(triggers, x.Name)
		}
		of := "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT NULL AND type = ?"
		same(t, "tables", column(t, db, of+" AND name NOT LIKE 'book_text\\__%' ESCAPE '\\' AND name NOT LIKE 'place\\__%' ESCAPE '\\'", "table"), tables)
		same(t, "views", column(t, db, of, "view"), views)
		same(t, "triggers", column(t, db, of, "trigger"), triggers)
		same(t, "indexes", column(t, db, of, "index"), indexes)
	})
}
