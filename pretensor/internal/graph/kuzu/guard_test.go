package kuzu

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/cypher"
	"github.com/quartet-mcp/quartet/pretensor/internal/cypher/cyphertest"
)

// guarded is the folder of the guard's test data.
const guarded = "../../cypher/testdata/"

// An attack that the guard lets pass changes nothing, and writes no file.
func TestGuard_AttacksThatPassAreHarmless(t *testing.T) {
	path := build(t, 3, vectors)
	before := files(t, filepath.Dir(path))
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	beforeHere := files(t, here)
	list := append(cyphertest.Queries(t, guarded+"attacks.txt"), cyphertest.Queries(t, guarded+"harmless.txt")...)
	home := t.TempDir()
	t.Setenv("HOME", home)
	work := t.TempDir()
	t.Chdir(work)
	r := open(t, path)
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
	for _, q := range cyphertest.Queries(t, guarded+"benign.txt") {
		if _, err := r.Query(ctx, q, Options{Timeout: 10 * time.Second, MaxRows: 10}); err != nil {
			t.Errorf("%q: %v", q, err)
		}
	}
}
