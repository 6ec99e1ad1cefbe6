package sqlsrc

import (
	"database/sql"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	"golang.org/x/tools/txtar"
	_ "modernc.org/sqlite"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// verdicts executes the scripts of an archive: what the engine takes is read without a
// problem, and what it refuses is not, but for the scripts that are read as no
// declarations, which are refused by name.
func verdicts(t *testing.T, d dialect.Dialect, execute func(script string) error) {
	archive, err := txtar.ParseFile("testdata/verdicts/" + string(d) + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		scripts := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		if len(scripts) < 10 {
			t.Errorf("%s has %d scripts", f.Name, len(scripts))
		}
		for _, script := range scripts {
			engine := execute(script)
			var rep finding.Report
			Parse(t.Context(), script, "s.sql", d, &rep)
			if taken := f.Name != "refused"; taken != (engine == nil) {
				t.Errorf("%s\n  is under %s, and the engine says %v", script, f.Name, engine)
			}
			if f.Name == "taken" == rep.Failed() {
				t.Errorf("%s\n  is under %s, and our problems are %v", script, f.Name, rep.Problems())
			}
			if f.Name == "not declarations" && rep.Failed() && rep.Problems()[0].Rule != "SRC005" {
				t.Errorf("%s\n  is not refused by name: %v", script, rep.Problems())
			}
		}
	}
}

func TestParse_SQLiteVerdicts(t *testing.T) {
	verdicts(t, dialect.SQLite, func(script string) error {
		db, err := sql.Open("sqlite", ":memory:")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		_, err = db.Exec(script)
		return err
	})
}

func TestParse_MariaDBVerdicts(t *testing.T) {
	db, err := sql.Open("mysql", dbtest.MariaDB(t)+"?multiStatements=true")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	verdicts(t, dialect.MariaDB, func(script string) error {
		if _, err := db.Exec("DROP DATABASE IF EXISTS verdict; DROP DATABASE IF EXISTS other; CREATE DATABASE verdict CHARACTER SET utf8mb4; USE verdict"); err != nil {
			t.Fatal(err)
		}
		_, err := db.Exec(script)
		return err
	})
	if _, err := db.Exec("DROP DATABASE verdict; DROP DATABASE IF EXISTS other; DROP ROLE IF EXISTS reader_of_verdict"); err != nil {
		t.Error(err)
	}
}

// A word is a name of a table exactly where the engine takes it for one.
func TestParse_SQLiteWords(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for word := range strings.FieldsSeq(sqliteReserved + ` abort action after always analyze asc attach before begin by cascade cast column
		conflict cross current current_date current_time current_timestamp database deferred desc detach do each end exclude
		exclusive explain fail filter first following for full generated glob groups ignore immediate indexed initially inner
		instead key last left like match materialized natural no nulls of offset others outer over partition plan pragma
		preceding query raise range recursive regexp reindex release rename replace restrict right rollback row rows
		savepoint temp temporary ties trigger unbounded vacuum view virtual window with without`) {
		script := "CREATE TABLE " + word + " (" + word + " INT, b INT)"
		_, engine := db.Exec(script)
		var rep finding.Report
		Parse(t.Context(), script, "s.sql", dialect.SQLite, &rep)
		if (engine == nil) == rep.Failed() {
			t.Errorf("%s\n  engine: %v\n  ours: %v", script, engine, rep.Problems())
		}
	}
}

// A word is a name of a column exactly where the server takes it for one.
func TestParse_MariaDBWords(t *testing.T) {
	db, err := sql.Open("mysql", dbtest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for word := range strings.FieldsSeq(mysqlReserved + " " + mariadbOnlyReserved + ` account action after algorithm always at auto avg begin binlog
		bit bool boolean btree cache cascaded charset checksum code comment commit compressed concurrent contains current data date
		datetime day definer disable do dynamic enable end engine enum escape event every execute fields first fixed flush format
		function general generated geometry get_format global grants hash history host hour identified ignored immediate increment indexes
		inserts invisible invoker isolation json language last level list local logs max_rows medium memory merge message_text
		microsecond minute minvalue mode month names national never new next no nocache none number of offline old one online
		open options owner parser partial partitions password period persistent plugin point polygon prev privileges
		proxy quarter query quick rank rebuild redo rollback role row row_format row_number savepoint schedule second security sequence serial server session
		share signed simple slow snapshot sounds source start status stop storage string subject system table_name temporary text than
		time timestamp transaction type types unicode unknown until user value variables view virtual visible
		wait week window work year`) {
		script := "CREATE TABLE " + word + " (" + word + " INT)"
		_, engine := db.Exec(script)
		var rep finding.Report
		Parse(t.Context(), script, "s.sql", dialect.MariaDB, &rep)
		if (engine == nil) == rep.Failed() {
			t.Errorf("%s\n  engine: %v\n  ours: %v", script, engine, rep.Problems())
		}
		if engine == nil {
			if _, err := db.Exec("DROP TABLE " + word); err != nil {
				t.Fatal(err)
			}
		}
	}
}
