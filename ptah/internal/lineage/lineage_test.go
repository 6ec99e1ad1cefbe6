package lineage

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

var update = flag.Bool("update", false, "rewrite what the files of testdata expect")

// TestTrace runs the cases of testdata/*.txtar. The file "schema" of an archive has
// declarations for all its cases; each other file is a case: declarations, a line =>, and
// what is expected. A line "# dialect" before the declarations sets another dialect than
// the archive's name says.
func TestTrace(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	cases := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		base, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "_")
		shared := ""
		for i, f := range archive.Files {
			if f.Name == "schema" {
				shared = string(f.Data)
				continue
			}
			cases++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
				decls, want, ok := strings.Cut(string(f.Data), "=>\n")
				if !ok && !*update {
					t.Fatal("there is no line =>")
				}
				d := base
				text := decls
				if line, rest, _ := strings.Cut(decls, "\n"); strings.HasPrefix(line, "# ") {
					d, text = strings.TrimPrefix(line, "# "), rest
				}
				of, err := dialect.Parse(d)
				if err != nil {
					t.Fatal(err)
				}
				got := lines(Trace(t.Context(), model(t, shared+"\n"+text), of))
				if *update {
					archive.Files[i].Data = []byte(strings.TrimRight(decls, "\n") + "\n=>\n" + got)
					return
				}
				if diff := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(got, "\n")); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			})
		}
		if *update {
			if os.Getenv("CI") != "" {
				t.Fatal("-update is not for CI")
			}
			if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cases < 150 {
		t.Errorf("%d cases, want 150 at least", cases)
	}
}

// lines writes a result in lines.
func lines(r *Result) string {
	var b strings.Builder
	// The sources of a column in one line.
	for i, e := range r.Edges {
		if i > 0 && r.Edges[i-1].ToView == e.ToView && r.Edges[i-1].ToColumn == e.ToColumn {
			fmt.Fprintf(&b, " %s.%s", e.FromTable, e.FromColumn)
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s.%s: %s.%s", e.ToView, e.ToColumn, e.FromTable, e.FromColumn)
	}
	if len(r.Edges) > 0 {
		b.WriteByte('\n')
	}
	for _, u := range r.Undecided {
		column := ""
		if u.Column != "" {
			column = "." + u.Column
		}
		fmt.Fprintf(&b, "%s%s? %s\n", u.View, column, u.Reason)
	}
	for _, x := range r.References {
		fmt.Fprintf(&b, "%s %s %s.%s\n", x.View, x.Role, x.Table, x.Column)
	}
	in := r.Routines
	for _, e := range in.Edges {
		fmt.Fprintf(&b, "%s %s returns %s.%s\n", e.Kind, e.ToRoutine, e.FromTable, e.FromColumn)
	}
	for i, list := range [][]Access{in.Reads, in.Writes} {
		for _, a := range list {
			fmt.Fprintf(&b, "%s %s %s %s.%s in %s\n", a.Kind, a.ByRoutine, []string{"reads", "writes"}[i], a.Table, a.Column, a.Statement)
		}
	}
	for _, u := range in.Undecided {
		fmt.Fprintf(&b, "%s %s? %s\n", u.Kind, u.Routine, u.Reason)
	}
	return b.String()
}

// check holds what is true of every result.
func check(t testing.TB, r *Result) {
	t.Helper()
	if r.Edges == nil || r.Undecided == nil || r.References == nil || r.Routines.Edges == nil || r.Routines.Reads == nil || r.Routines.Writes == nil || r.Routines.Undecided == nil {
		t.Error("a list is nil")
	}
	undecided := map[[2]string]bool{}
	for _, u := range r.Undecided {
		if u.Reason == "" || u.View == "" {
			t.Errorf("no reason: %+v", u)
		}
		undecided[[2]string{u.View, u.Column}] = true
	}
	for _, e := range r.Edges {
		if undecided[[2]string{e.ToView, e.ToColumn}] {
			t.Errorf("%+v, and undecided", e)
		}
		if e.FromColumn == "" || e.FromTable == "" || e.ToColumn == "" {
			t.Errorf("an edge without a name: %+v", e)
		}
	}
	if !slices.IsSortedFunc(r.Edges, func(a, b Edge) int {
		return slices.Compare([]string{a.ToView, a.ToColumn, a.FromTable, a.FromColumn}, []string{b.ToView, b.ToColumn, b.FromTable, b.FromColumn})
	}) {
		t.Error("edges are not sorted")
	}
}
