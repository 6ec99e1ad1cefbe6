package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

const table = "CREATE TABLE inside (id int PRIMARY KEY);\n"

// write lays down files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func opened(t *testing.T, dirs ...string) *Roots {
	t.Helper()
	rs, err := OpenRoots(dirs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rs.Close(); err != nil {
			t.Error(err)
		}
	})
	return rs
}

func load(t *testing.T, rs *Roots, d dialect.Dialect, req Request) (*schema.Database, *finding.Report, error) {
	t.Helper()
	var rep finding.Report
	found, err := rs.Find(req)
	if err != nil {
		return nil, &rep, err
	}
	db, _, err := found.Load(context.Background(), d, nil, &rep)
	return db, &rep, err
}

func TestFind_Outside(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	write(t, dir, map[string]string{"root/a.sql": table, "outside/b.sql": table, "rooted/c.sql": table})
	for link, target := range map[string]string{
		"root/out":       filepath.Join(dir, "outside"),
		"root/out.sql":   filepath.Join(dir, "outside", "b.sql"),
		"root/none.sql":  filepath.Join(dir, "outside", "none.sql"),
		"root/up.sql":    "../outside/b.sql",
		"root/loop":      "loop",
		"root/sub":       ".",
		"root/again.sql": "a.sql",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	rs := opened(t, root)
	for _, path := range []string{
		"", "\x00", "a\xff.sql", "file:///etc/passwd.sql", "http:x.sql", "oci://x/y.sql", "C:a.sql", "x+y-z.1:a.sql",
		"/etc/passwd.sql", "/etc/none.sql", "../x.sql", "../../../../etc/passwd.sql",
		"root/out/b.sql", "root/out/none.sql", "root/out.sql", "root/none.sql", "root/up.sql",
		filepath.Join(dir, "outside", "b.sql"), filepath.Join(dir, "rooted", "c.sql"), root + "ed/c.sql", "root/loop/a.sql",
	} {
		_, err := rs.Find(Request{SchemaFiles: []string{path}})
		var outside *OutsideError
		if !errors.As(err, &outside) {
			t.Errorf("%q: %v, want it to be outside", path, err)
		} else if path != "" && strings.Contains(err.Error(), dir) {
			t.Errorf("%q: the error shows a path: %v", path, err)
		}
	}
	for _, path := range []string{"a.sql", "root/a.sql", filepath.Join(root, "a.sql"), "./root/./a.sql", "root/sub/a.sql", "again.sql", "sub/../a.sql"} {
		db, rep, err := load(t, rs, dialect.Postgres, Request{SchemaFiles: []string{path}})
		if err != nil || rep.Failed() || len(db.Tables) != 1 {
			t.Errorf("%q: %v, %v", path, err, rep.Problems())
		}
	}
}

// A path that is outside from one base and absent from another is absent, whether or not
// the file outside is there.
func TestFind_AbsentEitherWay(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"root/a.sql": table, "outside/b.sql": table})
	t.Chdir(dir)
	rs := opened(t, filepath.Join(dir, "root"))
	for _, path := range []string{"outside/b.sql", "outside/none.sql", "root/../outside/b.sql"} {
		_, rep, err := load(t, rs, dialect.Postgres, Request{SchemaFiles: []string{path}})
		if p := rep.Problems(); err != nil || len(p) != 1 || p[0].Rule != "SRC001" || !strings.Contains(p[0].Message, "there is no such file") {
			t.Errorf("%s: %v, %v", path, err, p)
		}
	}
}

func TestFind_AbsentInside(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.sql": table, "folder.sql/x": ""})
	rs := opened(t, dir)
	for path, want := range map[string]string{"none.sql": "there is no such file", "no/such/none.sql": "there is no such file", "folder.sql": "regular file", "a.sql/b.sql": ""} {
		_, rep, err := load(t, rs, dialect.Postgres, Request{SchemaFiles: []string{path}})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		problems := rep.Problems()
		if len(problems) != 1 || problems[0].Rule != "SRC001" || !strings.Contains(problems[0].Message, want) {
			t.Errorf("%s: %v, want SRC001 with %q", path, problems, want)
		}
	}
}

func TestFind_Ambiguous(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"one/a.sql": table, "two/a.sql": table, "one/b.sql": table})
	rs := opened(t, filepath.Join(dir, "one"), filepath.Join(dir, "two"), dir)
	_, err := rs.Find(Request{SchemaFiles: []string{"a.sql"}})
	var ambiguous *AmbiguousError
	if !errors.As(err, &ambiguous) || len(ambiguous.Places) != 2 {
		t.Fatalf("%v, want two places", err)
	}
	for _, path := range []string{"b.sql", "one/a.sql"} {
		if _, err := rs.Find(Request{SchemaFiles: []string{path}}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestFind_Requests(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.sql": table, "a.txt": ""})
	rs := opened(t, dir)
	many := make([]string, MaxEntries+1)
	for i := range many {
		many[i] = "a.sql"
	}
	for name, req := range map[string]Request{"nothing": {}, "too many": {SchemaFiles: many}, "ending": {SchemaFiles: []string{"a.txt"}}, "no ending": {SchemaFiles: []string{"a"}}} {
		var request *RequestError
		if _, err := rs.Find(req); !errors.As(err, &request) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := opened(t).Find(Request{SchemaFiles: []string{"a.sql"}}); !errors.Is(err, ErrNoRoots) {
		t.Errorf("without roots: %v", err)
	}
	found, err := rs.Find(Request{SchemaFiles: []string{"a.sql", "./a.sql", "a.sql"}})
	if err != nil || len(found.units) != 1 {
		t.Errorf("one file three times: %v", err)
	}
}

// TestLoad_Swapped swaps a folder, and a file in it, for links that lead outside while
// they are read: what is outside must never be seen.
func TestLoad_Swapped(t *testing.T) {
	swaps := 10_000
	if os.Getenv("QUARTET_FULL") != "" {
		swaps = 100_000
	}
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	write(t, dir, map[string]string{
		"root/d/a.sql":   table,
		"outside/a.sql":  "CREATE TABLE secret (id int PRIMARY KEY);\n",
		"outside/m.go":   "package m\n\n//ptah:schema:table name=\"secret\"\ntype T struct {\n\t//ptah:schema:field name=\"id\" type=\"INT\" primary\n\tID int\n}\n",
		"root/real/a.go": "package m\n",
	})
	rs := opened(t, root)
	swapped := make(chan error)
	go func() {
		d, away := filepath.Join(root, "d"), filepath.Join(root, "away")
		for range swaps {
			err := errors.Join(os.Rename(d, away), os.Symlink(filepath.Join(dir, "outside"), d), os.Remove(d), os.Rename(away, d))
			if err != nil {
				swapped <- err
				return
			}
		}
		swapped <- nil
	}()
	read := 0
	for i := 0; ; i++ {
		select {
		case err := <-swapped:
			if err != nil || read == 0 {
				t.Errorf("%d readings of the file inside, %v", read, err)
			}
			t.Logf("%d swaps, %d readings, %d of the file inside", swaps, i, read)
			return
		default:
		}
		req := Request{SchemaFiles: []string{"d/a.sql"}}
		if i%2 == 1 {
			req = Request{RootDirs: []string{"d"}}
		}
		db, rep, err := load(t, rs, dialect.Postgres, req)
		if err != nil {
			continue // refused at that moment
		}
		for _, x := range db.Tables {
			if x.Name.Name == "secret" {
				t.Fatal("a file outside of the root was read")
			}
			read++
		}
		for _, p := range rep.Problems() {
			if strings.Contains(p.String(), "secret") {
				t.Fatal("a file outside of the root was read")
			}
		}
	}
}

func TestLoad_PipesAndSizes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"long.sql": strings.Repeat("-", 4<<20) + "\n", "utf16.sql": "\xff\xfeC\x00", "nul.sql": "SELECT 1;\n\x00", "bom.sql": "\ufeff" + table, "crlf.sql": strings.ReplaceAll(table, "\n", "\r\n"),
		"bom.yaml": "\ufefftables:\n  t: { columns: { id: { type: INT, primary: true } } }\n",
	})
	rs := opened(t, dir)
	for name, ok := range map[string]bool{"long.sql": false, "utf16.sql": false, "nul.sql": false, "bom.sql": true, "crlf.sql": true, "bom.yaml": true} {
		_, rep, err := load(t, rs, dialect.Postgres, Request{SchemaFiles: []string{name}})
		if err != nil || rep.Failed() == ok {
			t.Errorf("%s: %v, %v", name, err, rep.Problems())
		}
	}
}

func TestReading_Unchanged(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.sql": table, "m/a.go": "package m\n"})
	rs := opened(t, dir)
	for name, change := range map[string]func() error{
		"a file":        func() error { return os.WriteFile(filepath.Join(dir, "a.sql"), []byte(table+" "), 0o600) },
		"a new file":    func() error { return os.WriteFile(filepath.Join(dir, "m", "b.go"), []byte("package m\n"), 0o600) },
		"a file gone":   func() error { return os.Remove(filepath.Join(dir, "m", "a.go")) },
		"a file absent": func() error { return os.WriteFile(filepath.Join(dir, "none.sql"), nil, 0o600) },
	} {
		found, err := rs.Find(Request{SchemaFiles: []string{"a.sql", "none.sql"}, RootDirs: []string{"m"}})
		if err != nil {
			t.Fatal(err)
		}
		var rep finding.Report
		_, reading, err := found.Load(context.Background(), dialect.Postgres, nil, &rep)
		if err != nil {
			t.Fatal(err)
		}
		if !reading.Unchanged() {
			t.Errorf("%s: changed before it was", name)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if reading.Unchanged() {
			t.Errorf("%s: the change is not seen", name)
		}
	}
}
