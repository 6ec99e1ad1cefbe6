package sqlsrc

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema/schematest"
)

// files makes a file system of names and texts.
func files(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

func TestLoad_Imports(t *testing.T) {
	fsys := files(
		"app/main.sql", "CREATE TABLE a (x);\n-- atlas:import tables\n  -- atlas:import  last.sql\nCREATE TABLE z (x);\n-- atlas:imported is a word\n",
		"app/tables/2.SQL", "CREATE TABLE c (x)",
		"app/tables/1.sql", "\ufeffCREATE TABLE b (x);\n-- atlas:import ../last.sql\nCREATE TABLE b2 (x)",
		"app/tables/readme.md", "no SQL",
		"app/last.sql", "\nCREATE TABLE last (x)",
	)
	var rep finding.Report
	db := Load(context.Background(), fsys, "app/main.sql", "shown/main.sql", dialect.SQLite, &rep)
	var got []string
	for _, table := range db.Tables {
		got = append(got, table.Name.Name+" "+table.Origin.String())
	}
	want := []string{
		"a shown/main.sql:1", "b shown/tables/1.sql:1", "last shown/last.sql:2", "b2 shown/tables/1.sql:3", "c shown/tables/2.SQL:1", "z shown/main.sql:4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("warning ignored-file: schema file shown/main.sql:2: the import of tables leaves out \"readme.md\", which is not an SQL file\n", schematest.Findings(&rep)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestLoad_RefusedImports(t *testing.T) {
	const line = "-- atlas:import "
	deep := fstest.MapFS{}
	for i := range maxImportDepth + 2 {
		deep[fmt.Sprintf("f%d.sql", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "CREATE TABLE t%d (x);\n%sf%d.sql\n", i, line, i+1)}
	}
	for _, tt := range []struct {
		name string
		fsys fstest.MapFS
		path string
		want string // of the only problem
	}{
		{"out", files("a/m.sql", "\n"+line+"../x.sql", "x.sql", ""), "a/m.sql", "a/m.sql:2: the import of \"../x.sql\" leads out of the folder"},
		{"out of the root", files("m.sql", line+"../x.sql"), "m.sql", "m.sql:1: the import of \"../x.sql\" leads out of the folder"},
		{"beside", files("a/m.sql", line+"../ab/x.sql", "ab/x.sql", ""), "a/m.sql", "leads out of the folder"},
		{"absolute", files("m.sql", line+"/x.sql", "x.sql", ""), "m.sql", "leads out of the folder"},
		{"scheme", files("m.sql", line+"http://x/y.sql"), "m.sql", "leads out of the folder"},
		{"backslash", files("m.sql", line+`..\x.sql`), "m.sql", "leads out of the folder"},
		{"nothing", files("m.sql", line), "m.sql", "the import names no file"},
		{"missing", files("m.sql", line+"x.sql"), "m.sql", "m.sql:1: the imported file \"x.sql\" cannot be used: there is no such file (SRC001)"},
		{"itself", files("m.sql", line+"m.sql"), "m.sql", "the import of \"m.sql\" is a cycle: that file is being read (SRC008)"},
		{"its folder", files("m.sql", line+"."), "m.sql", "the import of \".\" is a cycle: \"m.sql\" in it is being read (SRC008)"},
		{"cycle", files("m.sql", line+"x.sql", "x.sql", "\n\n"+line+"m.sql"), "m.sql", "x.sql:3: the import of \"m.sql\" is a cycle"},
		{"depth", deep, "f0.sql", "f32.sql:2: the import of \"f33.sql\" is more than 32 imports deep (SRC008)"},
		{"NUL", files("m.sql", line+"x.sql", "x.sql", "a\n\x00"), "m.sql", "line 2 has a NUL character (SRC001)"},
		{"not UTF-8", files("m.sql", "\xff"), "m.sql", "m.sql: the file cannot be used: it is not valid UTF-8 (SRC001)"},
		{"too long", files("m.sql", strings.Repeat(" ", 4<<20+1)), "m.sql", "m.sql: the file cannot be used: it is longer than 4194304 bytes (SRC001)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var rep finding.Report
			db := Load(context.Background(), tt.fsys, tt.path, tt.path, dialect.SQLite, &rep)
			p := rep.Problems()
			if len(p) != 1 || !strings.Contains(p[0].String(), tt.want) {
				t.Errorf("problems %v, want one with %q", p, tt.want)
			}
			if !db.Partial {
				t.Error("the model is not partial")
			}
		})
	}
}
