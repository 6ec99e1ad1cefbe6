package pool

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ChildArg {
		os.Exit(Child(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == parentArg {
		parent(Graph{Path: os.Args[2]}, os.Args[3])
	}
	goleak.VerifyTestMain(m)
}

// parentArg makes the test's program a parent, which is then killed.
const parentArg = "graph-parent"

func parent(g Graph, dir string) {
	p := New(Options{Dir: dir})
	if _, err := p.Query(ctx, g, "RETURN 1", kuzu.Options{}); err != nil {
		fmt.Println(err)
	}
	go p.Query(ctx, g, endless, kuzu.Options{})
	time.Sleep(100 * time.Millisecond)
	fmt.Println("runs")
	time.Sleep(time.Minute)
	os.Exit(1)
}

var ctx = context.Background()

// built are the files of graphs, by their number of tables.
var built = map[int][]byte{}

// build writes a graph of n tables, each with keys to the next five.
func build(t testing.TB, n int) Graph {
	t.Helper()
	g := Graph{Key: "g1", Path: filepath.Join(t.TempDir(), "shop.kuzu")}
	if built[n] == nil {
		built[n] = graphFile(t, n)
	}
	if err := os.WriteFile(g.Path, built[n], 0o600); err != nil {
		t.Fatal(err)
	}
	return g
}

// graphFile is the content of the file of such a graph.
func graphFile(t testing.TB, n int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "built.kuzu")
	err := kuzu.Build(ctx, path, 3, kuzu.Limits{}, func(w *kuzu.Writer) error {
		var tables, keys [][]any
		id := func(i int) string { return fmt.Sprintf("shop::public::t%d", i%n) }
		for i := range n {
			tables = append(tables, []any{id(i), fmt.Sprintf("t%d", i), int64(1)<<53 + int64(i) - 1, []float32{1, 0.5, -2}})
			for k := 1; k <= 5; k++ {
				keys = append(keys, []any{id(i), id(i + k), fmt.Sprintf("c%d", k)})
			}
		}
		if err := w.Load(ctx, graph.SchemaTable, []string{graph.Key, "table_name", "row_count", "embedding"}, slices.Values(tables)); err != nil {
			return err
		}
		return w.Load(ctx, graph.FKReferences, []string{"from", "to", "source_column"}, slices.Values(keys))
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// open makes a pool. When the test ends no child and no folder of one may be left.
func open(t testing.TB, o Options) *Pool {
	t.Helper()
	o.Dir = t.TempDir()
	o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	p := New(o)
	t.Cleanup(func() {
		p.Close()
		if left := children(t); len(left) > 0 {
			t.Errorf("children are left: %v", left)
		}
		if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
			t.Errorf("folders are left: %v %v", left, err)
		}
	})
	return p
}

// children are the processes that this one has started and not reaped.
func children(t testing.TB) []int {
	t.Helper()
	return childrenOf(t, os.Getpid())
}

func childrenOf(t testing.TB, parent int) []int {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
	if err != nil || len(threads) == 0 {
		if runtime.GOOS == "linux" {
			t.Fatal("the system does not tell the children of a process")
		}
		t.Skip("only Linux tells the children of a process")
	}
	var pids []int
	for _, f := range threads {
		b, _ := os.ReadFile(f)
		for _, pid := range strings.Fields(string(b)) {
			n, err := strconv.Atoi(pid)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, n)
		}
	}
	return pids
}

// query runs a query that has to succeed and returns its rows as JSON.
func query(t testing.TB, p *Pool, g Graph, text string) string {
	t.Helper()
	r, err := p.Query(ctx, g, text, kuzu.Options{Timeout: 20 * time.Second, MaxRows: 1000, MaxCell: 4000})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	b, err := json.Marshal(r.Rows)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const endless = "MATCH (a:SchemaTable), (b:SchemaTable), (c:SchemaTable), (d:SchemaTable), (e:SchemaTable) WHERE a.table_name + b.table_name = c.table_name + d.table_name + e.table_name + 'x' RETURN count(*)"

func TestQuery_Values(t *testing.T) {
	g, p := build(t, 10), open(t, Options{})
	for text, want := range map[string]string{
		"RETURN 1 AS a, 'é<&>\"' AS b, NULL AS c, 2.5 AS d, true AS e":                                      `[[1,"é\u003c\u0026\u003e\"",null,2.5,true]]`,
		"MATCH (t:SchemaTable) WHERE t.table_name IN ['t0', 't9'] RETURN t.row_count ORDER BY t.table_name": `[[9007199254740991],["9007199254741000"]]`,
		"MATCH (t:SchemaTable {table_name: 't0'}) RETURN t":                                                 `[[{"_label":"SchemaTable","node_id":"shop::public::t0","table_name":"t0","row_count":9007199254740991,"embedding":"\u003cvector 3\u003e"}]]`,
		"MATCH (t:SchemaTable {table_name: 't0'}) RETURN t.embedding":                                       `[[[1,0.5,-2]]]`,
		"MATCH (t:SchemaTable) WHERE false RETURN t":                                                        `[]`,
	} {
		if got := query(t, p, g, text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	r, err := p.Query(ctx, g, "UNWIND range(1, 50) AS i RETURN i AS b, 'abcdef' AS a", kuzu.Options{MaxRows: 3, MaxCell: 2})
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := json.Marshal(r); string(b) != `{"Columns":["b","a"],"Rows":[[1,"ab…"],[2,"ab…"],[3,"ab…"]],"Total":50,"Cut":true}` {
		t.Errorf("got %s", b)
	}
}

func TestQuery_Errors(t *testing.T) {
	g, p := build(t, 3), open(t, Options{})
	var engine *kuzu.Error
	if _, err := p.Query(ctx, g, "MATCH (t:Nothing) RETURN t", kuzu.Options{}); !errors.As(err, &engine) || engine.Kind != kuzu.Binder {
		t.Errorf("unknown label: %v", err)
	}
	if _, err := p.Query(ctx, g, "CREATE (t:Entity {node_id: 'x'})", kuzu.Options{}); !errors.As(err, &engine) || engine.Kind != kuzu.Transaction {
		t.Errorf("a write: %v", err)
	}
	gone := Graph{Path: filepath.Join(t.TempDir(), "none.kuzu")}
	if _, err := p.Query(ctx, gone, "RETURN 1", kuzu.Options{}); !errors.Is(err, kuzu.ErrNotFound) {
		t.Errorf("no file: %v", err)
	}
	damaged := Graph{Path: filepath.Join(t.TempDir(), "damaged.kuzu")}
	if err := os.WriteFile(damaged.Path, []byte(strings.Repeat("no graph ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Query(ctx, damaged, "RETURN 1", kuzu.Options{}); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a damaged file: %v", err)
	}
	if _, err := p.Query(ctx, g, "RETURN $x", kuzu.Options{Params: map[string]any{"x": 1}}); err == nil {
		t.Error("parameters were accepted")
	}
	if got := query(t, p, g, "RETURN 1"); got != "[[1]]" {
		t.Errorf("afterwards: %s", got)
	}
}

func TestQuery_NoProgram(t *testing.T) {
	p := open(t, Options{Executable: "/does/not/exist"})
	if _, err := p.Query(ctx, build(t, 1), "RETURN 1", kuzu.Options{}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v, want that the engine does not start", err)
	}
	p = open(t, Options{Executable: "/bin/true"})
	if _, err := p.Query(ctx, build(t, 1), "RETURN 1", kuzu.Options{}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v, want that the engine does not start", err)
	}
}

// program writes a script that takes the place of a child.
func program(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "child")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// A child that is not what it should be costs its query.
func TestQuery_StrangeChildren(t *testing.T) {
	g := build(t, 1)
	begun := `printf '\000\000\000\016{"Begun":true}' >&3; `
	ready := begun + `printf '\000\000\000\002{}' >&3; `
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"a message without end", `printf '\377\377\377\377xxxx' >&3; exec sleep 60`, ErrUnavailable},
		{"no JSON", `printf '\000\000\000\004none' >&3; exec sleep 60`, ErrUnavailable},
		{"half a message", `printf '\000\000' >&3; exit 0`, ErrUnavailable},
		{"an end while the graph is opened", begun + `kill -SEGV $$`, ErrUnreadable},
		{"an end before the answer", ready + `exit 3`, ErrDied},
		{"an answer that nobody asked for", ready + ready + `exec sleep 60`, ErrDied},
		{"answers without end", ready + `while :; do ` + ready + ` done`, ErrDied},
		{"no word at all", `exec sleep 60`, kuzu.ErrTimeout},
		{"no answer", ready + `exec sleep 60`, kuzu.ErrTimeout},
	} {
		p := open(t, Options{Executable: program(t, c.text)})
		limit := patience
		if errors.Is(c.want, kuzu.ErrTimeout) {
			limit = 500 * time.Millisecond
		}
		if _, err := p.Query(ctx, g, "RETURN 1", kuzu.Options{Timeout: limit}); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
		soon(t, p.Close)
	}
}

// Children that ended left no descriptor open.
func TestPool_NoDescriptorIsLeft(t *testing.T) {
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			if runtime.GOOS == "linux" {
				t.Fatal(err)
			}
			t.Skip("only Linux lists the descriptors of a process")
		}
		return len(list)
	}
	g, p := build(t, 300), open(t, Options{})
	query(t, p, g, "RETURN 1")
	before := count()
	for range 10 {
		p.Query(ctx, g, endless, kuzu.Options{Timeout: 20 * time.Millisecond})
		query(t, p, g, "RETURN 1")
		for _, pid := range children(t) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		until(t, "the children are gone", func() bool { return len(children(t)) == 0 })
	}
	query(t, p, g, "RETURN 1")
	until(t, "there are as many descriptors as before", func() bool { return count() <= before+2 })
}

// What a child prints to standard output does not reach the answers, and it has
// nothing of the environment.
func TestChild_Surroundings(t *testing.T) {
	t.Setenv("PRETENSOR_KEY", "secret")
	g, p := build(t, 3), open(t, Options{})
	query(t, p, g, "RETURN 1")
	pids := children(t)
	if len(pids) != 1 {
		t.Fatalf("children: %v, want one", pids)
	}
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pids[0]))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range strings.Split(strings.TrimSuffix(string(env), "\x00"), "\x00") {
		name, value, _ := strings.Cut(v, "=")
		names = append(names, name)
		if (name == "HOME" || name == "TMPDIR") && !strings.HasPrefix(value, p.o.Dir) {
			t.Errorf("%s is %q", name, value)
		}
	}
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(passed, n) })
	if diff := cmp.Diff([]string{"HOME", "TMPDIR"}, names); diff != "" {
		t.Errorf("environment: %s", diff)
	}
	if out, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/1", pids[0])); err != nil || out != os.DevNull {
		t.Errorf("standard output is %q, %v", out, err)
	}
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pids[0]))
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"Max file size", "Max core file size"} {
		_, rest, _ := strings.Cut(string(limits), what)
		if f := strings.Fields(rest); len(f) < 2 || f[0] != "0" || f[1] != "0" {
			t.Errorf("%s is not 0", what)
		}
	}
}

// patience is how long a test waits for what comes at once on an idle machine. What would
// take for ever without the behaviour under test takes longer.
const patience = 30 * time.Second

// soon calls f, which has to return.
func soon(t testing.TB, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if took := time.Since(began); took > patience {
		t.Errorf("took %v", took)
	}
}

// until waits for a condition.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for last := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(last) {
			t.Fatalf("not after %v: %s", patience, what)
		}
	}
}

// The time limit ends a query, whether its child was there before or not.
func TestQuery_TimeLimit(t *testing.T) {
	g, p := build(t, 500), open(t, Options{})
	for _, warm := range []bool{false, true} {
		soon(t, func() {
			if _, err := p.Query(ctx, g, endless, kuzu.Options{Timeout: 300 * time.Millisecond}); !errors.Is(err, kuzu.ErrTimeout) {
				t.Errorf("warm %v: got %v, want a timeout", warm, err)
			}
		})
		if got := query(t, p, g, "RETURN 1"); got != "[[1]]" {
			t.Errorf("afterwards: %s", got)
		}
	}
}

// The end of its context ends a query and its child.
func TestQuery_Cancel(t *testing.T) {
	g, p := build(t, 500), open(t, Options{})
	query(t, p, g, "RETURN 1")
	old := children(t)
	ctx, cancel := context.WithCancel(ctx)
	failed := make(chan error, 1)
	go func() {
		_, err := p.Query(ctx, g, endless, kuzu.Options{Timeout: 2 * patience})
		failed <- err
	}()
	until(t, "the query has its child", func() bool { return p.counts(1, 0) })
	cancel()
	soon(t, func() {
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the error of the context", err)
		}
	})
	until(t, "the child is gone", func() bool { return !slices.Contains(children(t), old[0]) })
}

// counts reports whether calls run or wait, and how many children are idle.
func (p *Pool) counts(calls, idle int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls == calls && len(p.idle) == idle
}

// A child that takes too much memory ends, and the next query has another.
func TestQuery_Memory(t *testing.T) {
	g, p := build(t, 3), open(t, Options{})
	for _, text := range []string{
		"RETURN size(range(1, 400000000))",
		"RETURN size(lpad('x', 2000000000, 'y'))",
		"RETURN size(repeat('abcdefghij', 500000000))",
		"UNWIND range(1, 3000) AS a WITH range(1, 100000) AS l, a RETURN size(collect(l))",
	} {
		_, err := p.Query(ctx, g, text, kuzu.Options{Timeout: 30 * time.Second})
		var engine *kuzu.Error
		if !errors.Is(err, ErrMemory) && !errors.Is(err, ErrDied) && !errors.As(err, &engine) {
			t.Errorf("%s: got %v, want an error", text, err)
		}
		t.Logf("%s: %v", text, err)
		if got := query(t, p, g, "RETURN 1"); got != "[[1]]" {
			t.Errorf("afterwards: %s", got)
		}
	}
}

// A child that is killed from outside costs the query that it runs, and no other.
func TestQuery_Killed(t *testing.T) {
	g, p := build(t, 500), open(t, Options{})
	query(t, p, g, "RETURN 1")
	failed := make(chan error, 1)
	go func() {
		_, err := p.Query(ctx, g, endless, kuzu.Options{Timeout: time.Minute})
		failed <- err
	}()
	until(t, "the query has its child", func() bool { return p.counts(1, 0) })
	for _, pid := range children(t) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	if err := <-failed; !errors.Is(err, ErrDied) {
		t.Errorf("while it runs: got %v, want that the engine stopped", err)
	}
	query(t, p, g, "RETURN 1")
	for _, pid := range children(t) { // idle
		syscall.Kill(pid, syscall.SIGKILL)
	}
	until(t, "the child is gone", func() bool { return len(children(t)) == 0 })
	if got := query(t, p, g, "RETURN 1"); got != "[[1]]" {
		t.Errorf("while idle: %s", got)
	}
}

// No child outlives a parent that is killed, be it in the midst of a query.
func TestChild_DiesWithItsParent(t *testing.T) {
	g := build(t, 500)
	cmd := exec.Command(os.Args[0], parentArg, g.Path, t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if line != "runs\n" {
		t.Errorf("the parent says %q, %v", line, err)
	}
	orphans := childrenOf(t, cmd.Process.Pid)
	if len(orphans) != 1 {
		t.Errorf("children: %v, want one", orphans)
	}
	cmd.Process.Kill()
	cmd.Wait()
	for _, pid := range orphans {
		waitGone(t, pid)
	}
}

// The end of its standard input ends a child by itself, be it in the midst of a query.
func TestChild_EndsWithItsInput(t *testing.T) {
	g := build(t, 500)
	read, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(os.Args[0], ChildArg, g.Path)
	cmd.ExtraFiles = []*os.File{out}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	var first answer
	if err := receive(read, &first); err != nil || first.Message != "" {
		t.Errorf("first answer: %+v, %v", first, err)
	}
	if err := send(in, request{ID: 1, Text: endless}); err != nil {
		t.Error(err)
	}
	time.Sleep(100 * time.Millisecond)
	soon(t, func() {
		in.Close()
		cmd.Wait()
	})
}

func waitGone(t testing.TB, pid int) {
	t.Helper()
	until(t, fmt.Sprintf("process %d is gone", pid), func() bool {
		// One whose parent has died is reaped by somebody else, when that likes.
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return syscall.Kill(pid, 0) != nil || strings.Contains(string(stat), ") Z ")
	})
}

// Started by hand, a child says what it is.
func TestChild_ByHand(t *testing.T) {
	out, err := exec.Command(os.Args[0], ChildArg).CombinedOutput()
	if err == nil || string(out) != "graph-worker is started by the server itself\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

// Two queries run, eight wait, the others are refused at once. The time limit holds for
// who waits too, and who may go on is served when there is room.
func TestQuery_Parallel(t *testing.T) {
	g, p := build(t, 500), open(t, Options{})
	var mu sync.Mutex
	outcomes := map[string]int{}
	var all sync.WaitGroup
	start := func(ctx context.Context, n int, text string) {
		for range n {
			all.Go(func() {
				_, err := p.Query(ctx, g, text, kuzu.Options{Timeout: 2 * patience})
				mu.Lock()
				defer mu.Unlock()
				outcomes[fmt.Sprint(err)]++
			})
		}
	}
	seen := func(what string, n int) bool {
		mu.Lock()
		defer mu.Unlock()
		return outcomes[what] == n
	}
	endlessly, cancel := context.WithCancel(ctx)
	defer cancel()
	start(endlessly, 2, endless)
	until(t, "two run", func() bool { return p.counts(2, 0) })
	if _, err := p.Query(ctx, g, "RETURN 1", kuzu.Options{Timeout: 50 * time.Millisecond}); !errors.Is(err, kuzu.ErrTimeout) {
		t.Errorf("one that waits: got %v, want a timeout", err)
	}
	start(endlessly, 14, endless)
	until(t, "six are refused", func() bool { return seen(ErrBusy.Error(), 6) })
	until(t, "two children run", func() bool { return len(children(t)) == 2 && p.counts(10, 0) })
	cancel()
	all.Wait()
	if diff := cmp.Diff(map[string]int{context.Canceled.Error(): 10, ErrBusy.Error(): 6}, outcomes); diff != "" {
		t.Error(diff)
	}
	clear(outcomes)
	start(ctx, 10, "MATCH (t:SchemaTable) RETURN count(*)")
	all.Wait()
	if !seen("<nil>", 10) {
		t.Errorf("quick queries: %v, want 10 answers", outcomes)
	}
	if n := len(children(t)); n > 2 {
		t.Errorf("%d children, want at most 2", n)
	}
}

// A new generation of a graph has a new child, and the old one goes.
func TestQuery_NewGeneration(t *testing.T) {
	g, p := build(t, 3), open(t, Options{})
	count := "MATCH (t:SchemaTable) RETURN count(*)"
	query(t, p, g, count)
	old := children(t)
	more := build(t, 5)
	if err := os.Rename(more.Path, g.Path); err != nil {
		t.Fatal(err)
	}
	if got := query(t, p, g, count); got != "[[3]]" {
		t.Errorf("the same generation: %s", got)
	}
	g.Key = "g2"
	if got := query(t, p, g, count); got != "[[5]]" {
		t.Errorf("the new generation: %s", got)
	}
	if now := children(t); len(now) != 1 || now[0] == old[0] {
		t.Errorf("children %v, before %v", now, old)
	}
}

// Graphs take turns in the children.
func TestQuery_ManyGraphs(t *testing.T) {
	p := open(t, Options{})
	var graphs []Graph
	for n := range 4 {
		graphs = append(graphs, build(t, n+1))
	}
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			for {
				r, err := p.Query(ctx, graphs[i%4], "MATCH (t:SchemaTable) RETURN count(*)", kuzu.Options{Timeout: 20 * time.Second})
				if errors.Is(err, ErrBusy) {
					time.Sleep(10 * time.Millisecond)
					continue
				}
				if err != nil {
					t.Error(err)
				} else if got, _ := json.Marshal(r.Rows); string(got) != fmt.Sprintf("[[%d]]", i%4+1) {
					t.Errorf("graph %d: %s", i%4, got)
				}
				return
			}
		})
	}
	all.Wait()
	if n := len(children(t)); n > 2 {
		t.Errorf("%d children, want at most 2", n)
	}
}

func TestPool_IdleChildrenEnd(t *testing.T) {
	g, p := build(t, 3), open(t, Options{Idle: 50 * time.Millisecond})
	query(t, p, g, "RETURN 1")
	until(t, "the child is gone", func() bool { return len(children(t)) == 0 })
	if got := query(t, p, g, "RETURN 1"); got != "[[1]]" {
		t.Errorf("afterwards: %s", got)
	}
}

func TestPool_Close(t *testing.T) {
	g, p := build(t, 500), open(t, Options{})
	failed := make(chan error, 3)
	for range 3 { // two run, one waits
		go func() {
			_, err := p.Query(ctx, g, endless, kuzu.Options{Timeout: time.Minute})
			failed <- err
		}()
	}
	until(t, "all have begun", func() bool { return p.counts(3, 0) })
	soon(t, p.Close)
	for range 3 {
		if err := <-failed; !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want that the pool is closed", err)
		}
	}
	if _, err := p.Query(ctx, g, "RETURN 1", kuzu.Options{}); !errors.Is(err, ErrClosed) {
		t.Errorf("afterwards: %v", err)
	}
	p.Close()
}

// One row too large for an answer is refused; of many large ones some are left out.
func TestQuery_LargeAnswers(t *testing.T) {
	g, p := build(t, 3), open(t, Options{})
	r, err := p.Query(ctx, g, "UNWIND range(1, 3000) AS i RETURN i, lpad('x', 4000, 'y')", kuzu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Truncated() || r.Total != 3000 || len(r.Rows) == 0 || len(r.Rows)*4000 > maxRows {
		t.Errorf("%d rows of %d", len(r.Rows), r.Total)
	}
	var engine *kuzu.Error
	if _, err := p.Query(ctx, g, "RETURN lpad('x', 5000000, 'y')", kuzu.Options{}); !errors.As(err, &engine) || engine.Kind != kuzu.Value {
		t.Errorf("one row: %v", err)
	}
}

func BenchmarkQuery(b *testing.B) {
	g, p := build(b, 500), open(b, Options{})
	b.Run("cold", func(b *testing.B) {
		for i := range b.N {
			g.Key = strconv.Itoa(i)
			query(b, p, g, "RETURN 1")
		}
	})
	b.Run("warm", func(b *testing.B) {
		for range b.N {
			query(b, p, g, "RETURN 1")
		}
	})
}
