package sqlsrc

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
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
		db := server(t, text)
		var tables, views, triggers, routines, sequences []string
		tables = tableNames(model)
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

// What the server shows of its objects is read, and means the same.
func TestParse_MariaDBShows(t *testing.T) {
	eachSchema(t, dialect.MariaDB, func(t *testing.T, text string, model *schema.Database) {
		db := server(t, text)
		var shown strings.Builder
		show := func(kind string, names []string, field string) {
			for _, name := range names {
				row := map[string]string{}
				rows, err := db.Query("SHOW CREATE " + kind + " " + dialect.MariaDB.Quote(name))
				if err != nil {
					t.Fatal(err)
				}
				fields, err := rows.Columns()
				if err != nil || !rows.Next() {
					t.Fatal(err)
				}
				values := make([]any, len(fields))
				for i := range values {
					values[i] = new(sql.NullString)
				}
				if err := rows.Scan(values...); err != nil {
					t.Fatal(err)
				}
				if err := rows.Close(); err != nil {
					t.Fatal(err)
				}
				for i, f := range fields {
					row[f] = values[i].(*sql.NullString).String
				}
				if row[field] == "" {
					t.Fatalf("%s %s is shown as %v", kind, name, row)
				}
				shown.WriteString(row[field] + "\n//\n")
			}
		}
		shown.WriteString("DELIMITER //\n")
		show("TABLE", tableNames(model), "Create Table")
		var names []string
		for _, v := range model.Views {
			names = append(names, v.Name.Name)
		}
		show("VIEW", names, "Create View")
		names = nil
		for _, g := range model.Triggers {
			names = append(names, g.Name)
		}
		show("TRIGGER", names, "SQL Original Statement")
		for _, s := range model.Sequences {
			show("SEQUENCE", []string{s.Name.Name}, "Create Table")
		}
		for _, e := range model.Verbatim {
			show(e.Kind, []string{e.Name.Name}, "Create Event")
		}
		for _, f := range model.Routines {
			if f.Procedure {
				show("PROCEDURE", []string{f.Name.Name}, "Create Procedure")
			} else {
				show("FUNCTION", []string{f.Name.Name}, "Create Function")
			}
		}
		var rep finding.Report
		// A binary default is shown as its bytes, which are no text.
		plain := strings.ReplaceAll(strings.ToValidUTF8(shown.String(), "?"), "\x00", "?")
		again := Parse(t.Context(), plain, "shown.sql", dialect.MariaDB, &rep)
		for _, p := range rep.Problems() {
			t.Error(p)
		}
		if diff := cmp.Diff(tableNames(model), tableNames(again)); diff != "" {
			t.Fatalf("tables (-declared +shown):\n%s", diff)
		}
		for i, x := range model.Tables {
			y := again.Tables[i]
			keys := keyTexts(x)
			slices.Sort(keys)
			same(t, "keys of "+x.Name.Name, keys, keyTexts(y))
			if len(x.Columns) != len(y.Columns) || x.Comment != y.Comment || (x.PartitionBy == "") != (y.PartitionBy == "") {
				t.Errorf("%s is %+v, and as the server shows it %+v", x.Name, x, y)
			}
			for j, c := range x.Columns {
				d := y.Columns[j]
				if c.Name != d.Name || c.Comment != d.Comment || c.AutoIncrement != d.AutoIncrement || c.Invisible != d.Invisible ||
					(c.Generated == nil) != (d.Generated == nil) || !slices.Equal(c.Enum, d.Enum) || c.NotNull && !d.NotNull {
					t.Errorf("%s.%s is %+v, and as the server shows it %+v", x.Name, c.Name, c, d)
				}
			}
		}
		for _, lists := range [][2]int{
			{len(model.Views), len(again.Views)}, {len(model.Triggers), len(again.Triggers)}, {len(model.Routines), len(again.Routines)},
			{len(model.Sequences), len(again.Sequences)}, {len(model.Verbatim), len(again.Verbatim)},
		} {
			if lists[0] != lists[1] {
				t.Errorf("there are %d, and %d as the server shows them", lists[0], lists[1])
			}
		}
	})
}

func tableNames(db *schema.Database) []string {
	var names []string
	for _, t := range db.Tables {
		names = append(names, t.Name.Name)
	}
	return names
}

// keyTexts write the keys of a table down, those with names that the server keeps.
func keyTexts(t *schema.Table) []string {
	list := []string{}
	part := func(keys []schema.IndexKey) string {
		var s []string
		for _, k := range keys {
			s = append(s, strings.ToLower(fmt.Sprint(k.Column, k.Length, k.Desc)))
		}
		return strings.Join(s, ",")
	}
	for _, c := range t.Constraints {
		keys := c.Keys
		for _, name := range c.Columns {
			keys = append(keys, schema.IndexKey{Column: name})
		}
		switch c.Kind {
		case schema.ForeignKey:
			action := func(s string) string {
				if s == "RESTRICT" || s == "NO ACTION" { // they are the default
					return ""
				}
				return s
			}
			list = append(list, fmt.Sprintln("FK", c.Name, part(keys), c.Reference.Table.Name, c.Reference.Columns, action(c.Reference.OnDelete), action(c.Reference.OnUpdate)))
		case schema.Check:
			if c.Name != "" { // JSON brings one without a name
				list = append(list, fmt.Sprintln("CHECK", c.Name))
			}
		default:
			list = append(list, fmt.Sprintln(c.Kind, c.Name, part(keys)))
		}
	}
	for _, x := range t.Indexes {
		list = append(list, fmt.Sprintln(x.Unique, x.Kind, x.Name, part(x.Keys), x.Invisible, x.Comment))
	}
	return list
}

// server has a schema in a database of its own.
func server(t *testing.T, text string) *sql.DB {
	db, err := sql.Open("mysql", dbtest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	// As the client does, but that a statement ends at the end of a line.
	delimiter, statement := ";", ""
	for line := range strings.Lines(text) {
		if next, ok := strings.CutPrefix(line, "DELIMITER "); ok {
			delimiter = strings.TrimSpace(next)
			continue
		}
		statement += line
		body, ended := strings.CutSuffix(strings.TrimSpace(statement), delimiter)
		if !ended {
			continue
		}
		if _, err := db.Exec(body); err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		statement = ""
	}
	return db
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
				columns = append(columns, c.Name+" "+strings.ToLower(strings.Trim(c.Type.Text, `'"`))) // it shows types in its own case
			}
			same(t, "columns of "+x.Name.Name, column(t, db, "SELECT name || ' ' || lower(type) FROM pragma_table_xinfo(?)", x.Name.Name), columns)
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
