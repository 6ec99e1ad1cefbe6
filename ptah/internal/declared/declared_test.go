package declared

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/source"
)

func reader(t testing.TB, files map[string]string) (*Reader, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	roots, err := source.OpenRoots([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = roots.Close() })
	return &Reader{Roots: roots}, dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func files(dialect string, names ...string) Request {
	return Request{Dialect: dialect, Source: source.Request{SchemaFiles: names}}
}

func TestReader_Codes(t *testing.T) {
	r, _ := reader(t, map[string]string{
		"good.yaml": "tables:\n  t: { columns: { id: { type: INT, primary: true } } }\n",
		"bad.yaml":  "tables:\n  t: { columns: { id: { type: INT, primary: true }, a: { type: INT, foreign: none(id) }, b: { type: INT, foreign: none(id) } } }\n",
		"torn.sql":  "CREATE TABLE t (id int PRIMARY KEY;\n",
	})
	for _, c := range []struct {
		req  Request
		want code.Code
	}{
		{files("postgres", "good.yaml"), ""},
		{files("PostgreSQL ", "good.yaml"), ""},
		{files("db2", "good.yaml"), code.InvalidRequest},
		{files("postgres"), code.InvalidRequest},
		{files("postgres", "x://y.sql"), code.UnsafePath},
		{files("postgres", "bad.yaml"), code.RenderFailed},
		{files("postgres", "torn.sql"), code.SchemaSourceUnreadable},
		{files("postgres", "none.sql"), code.SchemaSourceUnreadable},
	} {
		var rep finding.Report
		if _, err := r.Render(context.Background(), c.req, &rep); code.Of(err) != c.want {
			t.Errorf("render %+v: %v, want %s", c.req, err, c.want)
		}
		want := c.want
		if want == code.RenderFailed {
			want = "" // what is wrong beyond the sources is not asked
		}
		rep = finding.Report{}
		if _, err := r.Lineage(context.Background(), c.req, &rep); code.Of(err) != want {
			t.Errorf("lineage %+v: %v, want %s", c.req, err, want)
		}
	}
	var rep finding.Report
	if _, err := r.Render(context.Background(), files("postgres", "bad.yaml"), &rep); err == nil || !strings.Contains(err.Error(), "there is 1 more problem") {
		t.Errorf("%v, want it to say how many more", err)
	}
	if _, err := (&Reader{Roots: &source.Roots{}}).Render(context.Background(), files("postgres", "good.yaml"), &rep); code.Of(err) != code.NoSourceScope {
		t.Errorf("without roots: %v", err)
	}
}

// A table that is written in two languages is one table if it means the same.
func TestReader_SameInTwoLanguages(t *testing.T) {
	r, _ := reader(t, map[string]string{
		"t.yaml":     "tables:\n  t:\n    columns:\n      id: { type: BIGINT, primary: true }\n      name: { type: VARCHAR(20), not_null: true, default: x }\n",
		"same.sql":   "CREATE TABLE t (id bigint PRIMARY KEY, name character varying(20) NOT NULL DEFAULT 'x');\n",
		"other.sql":  "CREATE TABLE t (id bigint PRIMARY KEY, name character varying(21) NOT NULL DEFAULT 'x');\n",
		"nulls.sql":  "CREATE TABLE t (id bigint PRIMARY KEY, name character varying(20) DEFAULT 'x');\n",
		"lacks.yaml": "tables:\n  t: { columns: { id: { type: BIGINT, primary: true } } }\n",
	})
	for name, same := range map[string]bool{"same.sql": true, "other.sql": false, "nulls.sql": false, "lacks.yaml": false} {
		var rep finding.Report
		if _, err := r.Check(context.Background(), files("postgres", "t.yaml", name), &rep); err != nil {
			t.Fatal(err)
		}
		problems := rep.Problems()
		if same != (len(problems) == 0) || !same && problems[0].Rule != "SRC007" {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// An answer from the cache is the one that a cold call gives, and a change is seen.
func TestReader_Cache(t *testing.T) {
	long := strings.Repeat("n", 70)
	r, dir := reader(t, map[string]string{"a.sql": "CREATE TABLE t (id int PRIMARY KEY);\nCREATE INDEX " + long + " ON t (id);\n"})
	ask := func() (*Answer, *finding.Report) {
		var rep finding.Report
		a, err := r.Check(context.Background(), files("postgres", "a.sql"), &rep)
		if err != nil {
			t.Fatal(err)
		}
		return a, &rep
	}
	cold, first := ask()
	warm, second := ask()
	if cold != warm {
		t.Error("the second call did the work again")
	}
	if !reflect.DeepEqual(first.Warnings(), second.Warnings()) || len(second.Warnings()) != 1 {
		t.Errorf("warnings %v, then %v", first.Warnings(), second.Warnings())
	}
	write(t, dir, "a.sql", "CREATE TABLE u (id int PRIMARY KEY);\n")
	changed, third := ask()
	if changed == cold || len(changed.Schema.Tables) != 1 || changed.Schema.Tables[0].Name.Name != "u" || len(third.Warnings()) != 0 {
		t.Error("the change is not seen")
	}
}

func TestCache_Bounds(t *testing.T) {
	var c cache
	for i := range maxCached + 5 {
		c.put(&entry{key: string(rune('a' + i)), reading: &source.Reading{}})
	}
	if len(c.entries) != maxCached || c.entries[0].key != string(rune('a'+maxCached+4)) {
		t.Errorf("%d entries, the first is %q", len(c.entries), c.entries[0].key)
	}
	oldest := c.entries[maxCached-1].key
	if c.find(oldest) == nil || c.entries[0].key != oldest {
		t.Error("what is used comes first")
	}
	if c.find("none") != nil {
		t.Error("found what was never put")
	}
}

func TestCapped(t *testing.T) {
	problems := make([]finding.Problem, MaxProblems+3)
	capped := Capped(problems)
	if len(capped) != MaxProblems+1 || !strings.Contains(capped[MaxProblems].Message, "3 more") {
		t.Errorf("%d problems, the last says %q", len(capped), capped[len(capped)-1].Message)
	}
	if got := Capped(problems[:MaxProblems]); len(got) != MaxProblems {
		t.Errorf("%d problems, want %d", len(got), MaxProblems)
	}
}
