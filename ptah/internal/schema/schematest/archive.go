package schematest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

var update = flag.Bool("update", false, "write what was read into the archives of the tests")

// Archives reads the sources in each archive that matches a pattern and compares what
// comes of them with the parts of the archive that are named want and a dialect: a
// [DumpPlaced] of the schema, a blank line and its [Findings]. All other parts are
// files. With -update the parts are written, which CI refuses.
func Archives(t *testing.T, pattern string, load func(files fs.FS, d dialect.Dialect, rep *finding.Report) *schema.Database) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no archive matches %s: %v", pattern, err)
	}
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is not for CI")
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { archive(t, name, load) })
	}
}

func archive(t *testing.T, name string, load func(files fs.FS, d dialect.Dialect, rep *finding.Report) *schema.Database) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	sources := &txtar.Archive{}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want ") {
			sources.Files = append(sources.Files, f)
		}
	}
	files, err := txtar.FS(sources)
	if err != nil {
		t.Fatal(err)
	}
	wants := 0
	for i, f := range a.Files {
		of, ok := strings.CutPrefix(f.Name, "want ")
		if !ok {
			continue
		}
		wants++
		d, err := dialect.Parse(of)
		if err != nil {
			t.Fatal(err)
		}
		var rep finding.Report
		got := DumpPlaced(load(files, d, &rep))
		if found := Findings(&rep); found != "" {
			got += "\n" + found
		}
		if *update {
			a.Files[i].Data = []byte(got)
		} else if want := string(f.Data); got != want {
			t.Errorf("%s for %s: got\n%s\nwant\n%s", name, d, got, want)
		}
	}
	if wants == 0 {
		t.Errorf("%s wants nothing", name)
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
