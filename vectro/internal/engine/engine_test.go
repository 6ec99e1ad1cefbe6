package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/query"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newEngine() (*Engine, *mem.Budget) {
	b := mem.NewBudget(1 << 30)
	return New(Options{Threads: 2, Budget: b}), b
}

func load(t *testing.T, e *Engine, name, text string) *Loaded {
	t.Helper()
	l, err := e.Load(t.Context(), LoadRequest{Source: input.Source{Name: name, R: strings.NewReader(text), Size: int64(len(text))}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func numbers(n int) string {
	var b strings.Builder
	b.WriteString("n\n")
	for i := range n {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

func TestDefaultName(t *testing.T) {
	for path, want := range map[string]string{
		"orders.csv": "orders", "sales 2024.v2.csv": "sales_2024_v2", "a/b/c.d.jsonl": "c_d", ".csv": "table", "Größe-1.csv": "Größe_1", "x.CSV": "x", "_.csv": "_",
	} {
		if got := DefaultName(path); got != want {
			t.Errorf("DefaultName(%q) = %q, want %q", path, got, want)
		}
	}
}

// A table that is dropped or replaced lives on, and keeps its memory, until the
// last call on it ends.
func TestSnapshot_LivesUntilTheLastCallEnds(t *testing.T) {
	e, budget := newEngine()
	load(t, e, "t.csv", numbers(1000))
	one := budget.Used()
	held, err := e.acquire("t")
	if err != nil {
		t.Fatal(err)
	}
	load(t, e, "t.csv", numbers(1000))
	if budget.Used() != 2*one {
		t.Errorf("two states hold %d bytes, want %d", budget.Used(), 2*one)
	}
	if _, err := e.Drop("t"); err != nil {
		t.Fatal(err)
	}
	if budget.Used() != one || held.Rows != 1000 {
		t.Errorf("the state in use holds %d bytes, want %d", budget.Used(), one)
	}
	held.release()
	if budget.Used() != 0 {
		t.Errorf("%d bytes are held by nobody", budget.Used())
	}
}

// States of a table share what AddColumn did not change.
func TestAddColumn_SharesMemory(t *testing.T) {
	e, budget := newEngine()
	load(t, e, "t.csv", numbers(1000))
	loaded := budget.Used()
	before, err := e.acquire("t")
	if err != nil {
		t.Fatal(err)
	}
	add := func(name string) {
		t.Helper()
		if _, err := e.AddColumn(t.Context(), "t", name, "n + 0.5", nil); err != nil {
			t.Fatal(err)
		}
	}
	add("a")
	column := budget.Used() - loaded
	if column < 8000 || column > 10_000 {
		t.Errorf("1000 doubles hold %d bytes", column)
	}
	between, err := e.acquire("t")
	if err != nil {
		t.Fatal(err)
	}
	add("b")
	add("a") // the state between keeps the first one
	if got, want := budget.Used(), loaded+3*column; got != want {
		t.Errorf("%d bytes are held, want %d", got, want)
	}
	if len(before.Columns) != 1 || len(between.Columns) != 2 {
		t.Errorf("states in use have %d and %d columns, want 1 and 2", len(before.Columns), len(between.Columns))
	}
	between.release()
	if got, want := budget.Used(), loaded+2*column; got != want {
		t.Errorf("%d bytes are held, want %d", got, want)
	}
	before.release()
	e.Close()
	if budget.Used() != 0 {
		t.Errorf("%d bytes are held by nobody", budget.Used())
	}
}

// Columns that several calls add at once are all there in the end.
func TestAddColumn_Concurrently(t *testing.T) {
	e, budget := newEngine()
	load(t, e, "t.csv", numbers(5000))
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			if _, err := e.AddColumn(t.Context(), "t", fmt.Sprintf("c%02d", i), fmt.Sprintf("n + %d", i), nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := len(e.Tables()[0].Columns); got != 17 {
		t.Errorf("%d columns, want 17", got)
	}
	for i := range 16 {
		a, err := e.Query(t.Context(), "t", query.Question{Filter: fmt.Sprintf("c%02d == n + %d", i, i), Limit: 1}, nil)
		if err != nil || a.Total != 5000 {
			t.Errorf("column %d: %v, %v", i, a, err)
		}
	}
	e.Close()
	if budget.Used() != 0 {
		t.Errorf("%d bytes are held by nobody", budget.Used())
	}
}

// A cancelled call changes nothing and holds nothing.
func TestCancelledCalls(t *testing.T) {
	e, budget := newEngine()
	load(t, e, "t.csv", numbers(200_000))
	before := budget.Used()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("the reason")
	cancel(cause)
	text := numbers(10)
	calls := map[string]func() error{
		"load": func() error {
			_, err := e.Load(ctx, LoadRequest{Source: input.Source{Name: "t.csv", R: strings.NewReader(text), Size: int64(len(text))}})
			return err
		},
		"query":    func() error { _, err := e.Query(ctx, "t", query.Question{Filter: "n > 5", Limit: 1}, nil); return err },
		"sql":      func() error { _, err := e.SQL(ctx, "SELECT sum(n) FROM t", 1, nil); return err },
		"describe": func() error { _, err := e.Describe(ctx, "t", nil); return err },
		"add":      func() error { _, err := e.AddColumn(ctx, "t", "x", "n * 2", nil); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, cause) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the cause", name, err)
		}
	}
	if budget.Used() != before || e.Tables()[0].Rows != 200_000 || len(e.Tables()[0].Columns) != 1 {
		t.Errorf("the calls left %d bytes and %v", budget.Used()-before, e.Tables())
	}
	if _, err := e.Describe(t.Context(), "t", nil); err != nil {
		t.Errorf("a cancelled Describe spoils the next one: %v", err)
	}
}

// Describe scans a state once.
func TestDescribe_Remembers(t *testing.T) {
	e, _ := newEngine()
	load(t, e, "t.csv", numbers(1000))
	first, err := e.Describe(t.Context(), "t", nil)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel() // a scan would notice
	second, err := e.Describe(ended, "T", nil)
	if err != nil {
		t.Fatalf("the second call scans: %v", err)
	}
	if &first.Columns[0] != &second.Columns[0] {
		t.Error("the second call has another answer")
	}
	if _, err := e.AddColumn(t.Context(), "t", "m", "n", nil); err != nil {
		t.Fatal(err)
	}
	if d, err := e.Describe(t.Context(), "t", nil); err != nil || len(d.Columns) != 2 {
		t.Errorf("after AddColumn: %v, %v", d, err)
	}
}

// What a call tells of its progress never falls and ends with all of it.
func TestProgress_EndsWithAll(t *testing.T) {
	e, _ := newEngine()
	text := numbers(300_000)
	calls := map[string]func(func(done, total int64)) error{
		"load": func(tell func(done, total int64)) error {
			_, err := e.Load(t.Context(), LoadRequest{Source: input.Source{Name: "t.csv", R: strings.NewReader(text), Size: int64(len(text))}, Progress: tell})
			return err
		},
		"query": func(tell func(done, total int64)) error {
			_, err := e.Query(t.Context(), "t", query.Question{Filter: "n % 7 == 1", Sort: []string{"-n"}, Limit: 1}, tell)
			return err
		},
		"sql": func(tell func(done, total int64)) error {
			_, err := e.SQL(t.Context(), "SELECT n % 10, sum(n) FROM t GROUP BY 1", 1, tell)
			return err
		},
		"add": func(tell func(done, total int64)) error {
			_, err := e.AddColumn(t.Context(), "t", "m", "n * 2.5", tell)
			return err
		},
	}
	for _, name := range []string{"load", "query", "sql", "add"} {
		var reports int
		var lastDone, lastTotal int64
		err := calls[name](func(done, total int64) {
			if done < lastDone || total < lastTotal || done > total {
				t.Errorf("%s: %d of %d after %d of %d", name, done, total, lastDone, lastTotal)
			}
			reports, lastDone, lastTotal = reports+1, done, total
		})
		if err != nil || reports == 0 || lastDone != lastTotal {
			t.Errorf("%s: %v, %d reports, the last %d of %d", name, err, reports, lastDone, lastTotal)
		}
	}
}

// One statement sees one state of a table, however often and in whatever case it names it.
func TestSQL_HoldsATableOnce(t *testing.T) {
	e, budget := newEngine()
	load(t, e, "t.csv", numbers(10))
	used := budget.Used()
	a, err := e.SQL(t.Context(), "SELECT count(*) FROM t a JOIN T b ON a.n = b.n", 1, nil)
	if err != nil || a.Rows.Values[0][0].I != 10 {
		t.Fatalf("%v, %v", a, err)
	}
	if n := e.tables[0].refs.Load(); n != 1 || budget.Used() != used {
		t.Errorf("the table has %d references, %d bytes", n, budget.Used()-used)
	}
	if _, err := e.SQL(t.Context(), "SELECT nope FROM t", 1, nil); err == nil || e.tables[0].refs.Load() != 1 {
		t.Errorf("after a refused statement: %v, %d references", err, e.tables[0].refs.Load())
	}
}

// A dropped table's memory goes back to the system, not only to the budget.
func TestDrop_GivesMemoryBack(t *testing.T) {
	const size = 128 << 20
	kept := func() uint64 {
		m := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(m)
		return m[0].Value.Uint64() - m[1].Value.Uint64()
	}
	for name, free := range map[string]func(*Engine){
		"drop":  func(e *Engine) { e.Drop("big") },
		"close": func(e *Engine) { e.Close() },
	} {
		e := New(Options{})
		e.put(newSnapshot(bigTable(size), nil))
		full := kept()
		free(e)
		if now := kept(); now > full-size/2 {
			t.Errorf("%s: %d MB are kept of %d MB", name, now>>20, full>>20)
		}
	}
}

func bigTable(size int) *col.Table {
	data := make([]int64, size/8)
	for i := range data {
		data[i] = int64(i)
	}
	t := &col.Table{Name: "big", Rows: len(data), Columns: []*col.Column{{Field: col.Field{Name: "n", Kind: col.Number}}}}
	for len(data) > 0 {
		n := min(col.ChunkRows, len(data))
		t.Columns[0].Chunks = append(t.Columns[0].Chunks, &col.Chunk{Len: n, Data: data[:n:n]})
		data = data[n:]
	}
	return t
}
