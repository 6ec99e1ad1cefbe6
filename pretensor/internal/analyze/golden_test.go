package analyze

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
)

var update = flag.Bool("update", false, "rewrite the expected uses of the golden repositories")

// section is a part of a golden file: -- name --, then its text.
type section struct{ name, text string }

func sections(t testing.TB, path string) []section {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := []section{{}}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "-- "); ok && strings.HasSuffix(name, " --") {
			out = append(out, section{name: strings.TrimSuffix(name, " --")})
			continue
		}
		out[len(out)-1].text += line
	}
	return out[1:]
}

// postgres is a catalog of tables in PostgreSQL's dialect.
func postgres(t testing.TB, ddl string) *catalog.Catalog {
	t.Helper()
	db := modeltest.FromDDL(t, sqltree.Postgres, "public", ddl)
	db.Sort()
	return catalog.New(catalog.Data{Connection: "shop", Database: "shop", Dialect: "postgresql", DefaultSchema: "public",
		Tables: db.Tables, Facts: make([]catalog.Facts, len(db.Tables))}, 1)
}

func write(t testing.TB, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func run(t testing.TB, o Options, c *catalog.Catalog) *Report {
	t.Helper()
	r, err := Run(context.Background(), o, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines are the edges of a report, one a line: place, table, op, kind, confidence,
// symbol.
func lines(r *Report, c *catalog.Catalog) []string {
	byID := map[string]Consumer{}
	for _, k := range r.Consumers {
		byID[k.ID] = k
	}
	var out []string
	for _, e := range r.Edges {
		k := byID[e.Consumer]
		line := fmt.Sprintf("%s:%d-%d %s %s %s %.2f %s", k.File, k.LineStart, k.LineEnd, c.Name(e.Table), e.Op, k.Kind, e.Confidence, k.Symbol)
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

// TestGolden analyses the repositories of testdata/golden. Their expected uses are
// all that is found, at any confidence. A line that begins with "miss" is a use
// that a reader sees and we do not, one with "false" is no use although we say so;
// both are counted at the default confidence.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("golden repositories: %v, %v", files, err)
	}
	var right, wrong, missed int
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			root := t.TempDir()
			var c *catalog.Catalog
			var want []string
			for _, s := range sections(t, path) {
				switch s.name {
				case "schema.ddl":
					c = postgres(t, s.text)
				case "want":
					for line := range strings.Lines(s.text) {
						if line = strings.TrimSpace(line); line != "" {
							want = append(want, line)
						}
					}
				default:
					write(t, root, s.name, s.text)
				}
			}
			r := run(t, Options{Root: root, Service: "svc", MinConfidence: -1}, c)
			got := lines(r, c)
			var expected, misses []string
			falses := map[string]bool{}
			for _, w := range want {
				if m, ok := strings.CutPrefix(w, "miss "); ok {
					misses = append(misses, m)
					continue
				}
				line, isFalse := strings.CutPrefix(w, "false ")
				falses[line] = isFalse
				expected = append(expected, line)
			}
			for _, line := range got {
				confidence := 0.0
				if _, err := fmt.Sscan(strings.Fields(line)[4], &confidence); err != nil {
					t.Fatal(err)
				}
				switch {
				case falses[line] && confidence >= DefaultMinConfidence:
					wrong++
				case confidence >= DefaultMinConfidence:
					right++
				case !falses[line]:
					missed++
				}
			}
			missed += len(misses)
			if *update && os.Getenv("CI") == "" {
				rewrite(t, path, got, falses, misses)
				return
			}
			if diff := cmp.Diff(expected, got); diff != "" {
				t.Errorf("uses (-want +got):\n%s", diff)
			}
		})
	}
	precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
	t.Logf("precision %.3f, recall %.3f of %d uses", precision, recall, right+missed)
	if math.IsNaN(precision) || precision < 0.95 || recall < 0.85 {
		t.Errorf("precision %.3f, recall %.3f; want at least 0.95 and 0.85", precision, recall)
	}
}

func rewrite(t *testing.T, path string, got []string, falses map[string]bool, misses []string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "-- want --\n")
	got = slices.Clone(got)
	for i, line := range got {
		if falses[line] {
			got[i] = "false " + line
		}
	}
	for _, m := range misses {
		got = append(got, "miss "+m)
	}
	if err := os.WriteFile(path, []byte(head+"-- want --\n"+strings.Join(got, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}
