package corpus

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

var update = flag.Bool("update", false, "rewrite testdata/lineage with what the resolver says")

// TestLineage holds the lineage of chosen statements against testdata/lineage,
// which was checked by hand. A file has a line "# catalog/file.sql number" for
// each statement; what follows it is written by -update. To add a statement, add
// its line.
func TestLineage(t *testing.T) {
	for _, goal := range goals {
		t.Run(string(goal.dialect), func(t *testing.T) {
			file := filepath.Join("testdata", "lineage", string(goal.dialect)+".txt")
			want := read(t, file)
			texts := map[string][]string{} // by file
			catalogs := map[string]*sqltree.Schema{}
			var got strings.Builder
			for line := range strings.Lines(want) {
				var name string
				var number int
				if n, err := fmt.Sscanf(line, "# %s %d\n", &name, &number); n != 2 || err != nil {
					continue
				}
				dir := filepath.Join("testdata", string(goal.dialect), filepath.Dir(name))
				if catalogs[dir] == nil {
					catalogs[dir], _ = load(t, goal.dialect, dir)
				}
				if texts[name] == nil {
					texts[name] = statements(read(t, filepath.Join(dir, filepath.Base(name))))
				}
				if number < 1 || number > len(texts[name]) {
					t.Fatalf("%s has no statement %d", name, number)
				}
				text := texts[name][number-1]
				script, err := parse.Parse(goal.dialect, text)
				if err != nil {
					t.Fatalf("%s %d: %v", name, number, err)
				}
				if got.Len() > 0 {
					got.WriteByte('\n')
				}
				fmt.Fprintf(&got, "# %s %d\n%s\n", name, number, indented(text))
				for _, s := range script.Statements {
					got.WriteString(lineage(sqltree.Resolve(s, goal.dialect, catalogs[dir])))
				}
			}
			if *update {
				if os.Getenv("CI") != "" {
					t.Fatal("-update is not for CI")
				}
				if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			// Statement by statement, so that a difference names its statement.
			a, b := strings.Split(got.String(), "\n# "), strings.Split(want, "\n# ")
			for i := range max(len(a), len(b)) {
				if i >= len(a) || i >= len(b) {
					t.Fatalf("%d statements, want %d", len(a), len(b))
				}
				if diff := cmp.Diff(strings.Split(a[i], "\n"), strings.Split(b[i], "\n")); diff != "" {
					head, _, _ := strings.Cut(a[i], "\n")
					t.Errorf("%s (-got +want):\n%s", strings.TrimPrefix(head, "# "), diff)
				}
			}
		})
	}
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// ways names the ways in which a column feeds another.
var ways = map[sqltree.Feed]string{sqltree.Direct: "direct", sqltree.Expression: "expression", sqltree.Aggregated: "aggregated"}

// lineage writes a resolution in lines: "output ← sources", what decides the
// rows, joins, and the tables that are read and written.
func lineage(r *sqltree.Resolution) string {
	var b strings.Builder
	for _, o := range r.Output {
		var from []string
		for _, s := range o.Sources {
			from = append(from, of(s.BaseColumn)+" "+ways[s.Feed])
		}
		name := o.Name
		if name == "" {
			name = "(no name)"
		}
		switch {
		case o.Undecided != "":
			from = append(from, "undecided")
		case len(from) == 0:
			from = append(from, "nothing")
		}
		fmt.Fprintf(&b, "%s ← %s\n", name, strings.Join(from, ", "))
	}
	if r.Undecided != "" {
		b.WriteString("output undecided\n")
	}
	var refs, read, written []string
	for _, c := range r.References {
		refs = append(refs, of(c))
	}
	list(&b, "references", refs)
	for _, j := range r.Joins {
		correlated := ""
		if j.Correlated {
			correlated = " correlated"
		}
		fmt.Fprintf(&b, "join %v%s: %s (%s) = %s (%s)\n", j.Kind, correlated, of(j.Left), j.LeftOf, of(j.Right), j.RightOf)
	}
	for _, u := range r.Tables {
		name := u.Name.Last().Name
		if u.Through != "" {
			name += " through " + u.Through
		}
		switch {
		case u.Status != sqltree.Bound:
			name += " not bound"
		case u.Mentioned:
			name += " mentioned"
		}
		if u.Written {
			written = append(written, name)
		} else {
			read = append(read, name)
		}
	}
	list(&b, "reads", read)
	list(&b, "writes", written)
	return b.String()
}

func list(b *strings.Builder, what string, items []string) {
	if len(items) > 0 {
		fmt.Fprintf(b, "%s: %s\n", what, strings.Join(items, ", "))
	}
}

// of is a base column without the schema, which the catalogs do not need to tell
// tables apart.
func of(c sqltree.BaseColumn) string { return c.Table + "." + c.Column }
