package kuzu

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/cypher"
)

// queries reads a file of the guard's testdata, whose format that describes.
func queries(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "cypher", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []string
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, `"`) {
			if line, err = strconv.Unquote(line); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, line)
	}
	return list
}

// An attack that the guard lets pass changes nothing, and writes no file.
func TestGuard_AttacksThatPassAreHarmless(t *testing.T) {
	path := build(t, 3, vectors)
	before := files(t, filepath.Dir(path))
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	beforeHere := files(t, here)
	home := t.TempDir()
	t.Setenv("HOME", home)
	work := t.TempDir()
	t.Chdir(work)
	r := open(t, path)
	list := func() []string {
		t.Chdir(here)
		defer t.Chdir(work)
		return append(queries(t, "attacks.txt"), queries(t, "harmless.txt")...)
	}()
	passed := 0
	for _, q := range list {
		if cypher.Check(q) != nil {
			continue
		}
		passed++
		if _, err := r.Query(ctx, q, Options{Timeout: 5 * time.Second, MaxRows: 10}); err == nil {
			t.Logf("runs, and only reads: %q", q)
		}
	}
	if passed < 20 {
		t.Errorf("only %d attempts passed the guard; the file of harmless ones is not read", passed)
	}
	r.Close()
	if diff := cmp.Diff(before, files(t, filepath.Dir(path))); diff != "" {
		t.Errorf("the graph has changed: %s", diff)
	}
	if diff := cmp.Diff(beforeHere, files(t, here)); diff != "" {
		t.Errorf("files beside the test have changed: %s", diff)
	}
	for _, dir := range []string{home, work} {
		if left := files(t, dir); len(left) != 0 {
			t.Errorf("files were written: %v", left)
		}
	}
}

// What the guard lets pass as benign is what the engine accepts.
func TestGuard_BenignQueriesRun(t *testing.T) {
	r := open(t, build(t, 3, vectors))
	for _, q := range queries(t, "benign.txt") {
		if _, err := r.Query(ctx, q, Options{Timeout: 10 * time.Second, MaxRows: 10}); err != nil {
			t.Errorf("%q: %v", q, err)
		}
	}
}
