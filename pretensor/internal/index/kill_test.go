package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// The test program is its own second process: with these variables it indexes the
// SQLite file into the state directory, and dies at the step.
const (
	dirVariable  = "INDEX_TEST_DIR"
	fileVariable = "INDEX_TEST_FILE"
	stepVariable = "INDEX_TEST_STEP"
)

func TestMain(m *testing.M) {
	if os.Getenv(dirVariable) == "" {
		os.Exit(dbtest.Main(m))
	}
	dir := state.At(os.Getenv(dirVariable))
	dir.Files.Before = func(step state.Step, path string) error {
		if fmt.Sprintf("%s %s", step, filepath.Base(path)) == os.Getenv(stepVariable) {
			if p, err := os.FindProcess(os.Getpid()); err == nil {
				p.Kill()
			}
			select {}
		}
		return nil
	}
	if _, err := Run(context.Background(), dir, registered(dir), request(openFile(&testing.T{}, os.Getenv(fileVariable))), nil); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// indexer is a process that indexes file into dir, and dies at step.
func indexer(dir *state.Dir, file, step string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), dirVariable+"="+dir.Path(), fileVariable+"="+file, stepVariable+"="+step)
	return c
}

// TestRun_Killed kills an indexing process at each step of its writing, and at random
// times: whatever is left serves.
func TestRun_Killed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shop.db")
	execute(t, file, "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id));")
	base := state.At(t.TempDir())
	old := run(t, base, request(openFile(t, file))).Data.Generation
	execute(t, file, "CREATE TABLE c (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id));")

	left := map[string]int{}
	for _, name := range []string{"shop.catalog", "shop.yaml", "registry.json"} {
		for _, step := range []state.Step{state.StepCreate, state.StepWrite, state.StepSync, state.StepRename, state.StepSyncDir} {
			at := fmt.Sprintf("%s %s", step, name)
			dir := copied(t, base)
			if out, err := indexer(dir, file, at).CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
				t.Fatalf("%s: the process was not killed: %v %s", at, err, out)
			}
			left[check(t, dir, at, old)]++
		}
	}
	// The graph is there first, then the catalog, the snapshot and the registry.
	if left["2222"] > 0 || left["3222"] != 4 || left["3322"] != 5 || left["3332"] != 5 || left["3333"] != 1 {
		t.Errorf("what was left, and how often: %v", left)
	}

	began := time.Now()
	if out, err := indexer(copied(t, base), file, "").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(began)
	rng := rand.New(rand.NewPCG(1, uint64(whole)))
	for i := range 5 {
		dir := copied(t, base)
		c := indexer(dir, file, "")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		pause := time.Duration(rng.Int64N(int64(whole)))
		time.Sleep(pause)
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()
		check(t, dir, fmt.Sprintf("after %v of %v", pause, whole), old)
		if i == 0 { // the next one is not disturbed by what is left
			if n := len(run(t, dir, request(openFile(t, file))).Data.Tables); n != 3 {
				t.Errorf("the next index has %d tables", n)
			}
		}
	}
}

// check opens everything as a server does. It returns how many tables graph, catalog,
// snapshot and registry know.
func check(t *testing.T, dir *state.Dir, when, old string) string {
	t.Helper()
	path, err := dir.Graph("shop")
	if err != nil {
		t.Fatal(err)
	}
	g, err := kuzu.Open(path, kuzu.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	defer g.Close()
	var answers []any
	for _, query := range []string{
		"MATCH (m:GraphMeta) RETURN m.generation", "MATCH (t:SchemaTable) RETURN count(*)", "MATCH (:SchemaTable)-[:HAS_COLUMN]->(:SchemaColumn) RETURN count(*)",
	} {
		r, err := g.Query(context.Background(), query, kuzu.Options{})
		if err != nil || len(r.Rows) != 1 {
			t.Fatalf("%s: %s: %v, %v", when, query, r, err)
		}
		answers = append(answers, r.Rows[0][0])
	}
	whole := fmt.Sprint(answers[1:])
	if isOld := answers[0] == old; isOld && whole != "[2 3]" || !isOld && whole != "[3 5]" {
		t.Errorf("%s: the graph of generation %v has %s tables and columns", when, answers[0], whole)
	}
	data, err := Load(dir, "shop")
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	checkWhole(t, data)
	shot, err := snapshot.Read(dir, "shop")
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	known, err := registered(dir).Read()
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	e, err := known.Get("shop")
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	var served *catalog.Catalog
	if served, err = store.New(dir, registered(dir), store.Options{AliasSources: 1}).Catalog(e); err != nil || served.Len() != len(data.Tables) {
		t.Errorf("%s: a server has %v, %v", when, served, err)
	}
	return fmt.Sprintf("%v%d%d%d", answers[1], len(data.Tables), len(shot.Database.Tables), e.Tables)
}
