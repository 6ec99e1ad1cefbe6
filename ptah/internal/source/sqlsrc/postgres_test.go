package sqlsrc

import (
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/schema/schematest"
)

// scriptText returns one of the scripts that datakit's testdata holds.
func scriptText(tb testing.TB, name string) string {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "datakit", "testdata", "scripts", name+".sql.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func TestLoad_PostgresModels(t *testing.T) {
	for _, pattern := range []string{"testdata/postgres_*.txtar", "testdata/cockroachdb_*.txtar", "testdata/yugabytedb_*.txtar"} {
		schematest.Archives(t, pattern, func(files fs.FS, d dialect.Dialect, rep *finding.Report) *schema.Database {
			return Load(t.Context(), files, "schema.sql", "schema.sql", d, rep)
		})
	}
}

func TestParse_PostgresDumps(t *testing.T) {
	for _, test := range []struct {
		name           string
		tables, column int
	}{
		{"chinook", 11, 64}, {"northwind", 14, 92}, {"sakila", 21, 0}, {"panoptes", 54, 530}, {"danbooru", 66, 641}, {"omop-cdm-5.4", 39, 432},
	} {
		t.Run(test.name, func(t *testing.T) {
			var rep finding.Report
			db := Parse(t.Context(), scriptText(t, test.name), test.name+".sql", dialect.Postgres, &rep)
			for i, p := range rep.Problems() {
				if i < 10 {
					t.Error(p)
				}
			}
			if len(db.Tables) != test.tables {
				t.Errorf("%d tables, want %d", len(db.Tables), test.tables)
			}
			if db.Partial {
				t.Error("the model is partial")
			}
		})
	}
}

// TestParse_PostgresChecksOfHeirs: a table that says its columns itself says the checks of
// its parents too, without which it could not inherit from them.
func TestParse_PostgresChecksOfHeirs(t *testing.T) {
	var rep finding.Report
	db := Parse(t.Context(), `CREATE TABLE p (a int, b text);
		CREATE TABLE ch (b text, a int);
		ALTER TABLE ch INHERIT p;
		ALTER TABLE p ADD CONSTRAINT positive CHECK (a > 0);`, "s.sql", dialect.Postgres, &rep)
	if rep.Failed() || len(db.Tables) != 2 {
		t.Fatal(rep.Problems())
	}
	if ch := db.Tables[1]; len(ch.Constraints) != 1 || ch.Constraints[0].Name != "positive" {
		t.Errorf("the checks of %s are %v", ch.Name, ch.Constraints)
	}
}
