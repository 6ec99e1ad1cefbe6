package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
)

func TestMemory_ReturnsWhenTablesGo(t *testing.T) {
	c := connect(t, files{"orders.csv": orders, "docs.jsonl": docs, "broken.jsonl": "x\n"}, settings{})
	for range 3 {
		c.load("orders.csv")
	}
	one := c.used()
	if one <= 0 {
		t.Fatal("a table takes nothing of the budget")
	}
	c.good("add_column", `{"table":"orders","name":"total","expression":"price * qty"}`)
	two := c.used()
	// The loaded columns are shared with the state before, and counted once.
	if two <= one || two-one >= one {
		t.Errorf("a column takes %d bytes of a table of %d", two-one, one)
	}
	c.good("add_column", `{"table":"orders","name":"total","expression":"price * qty"}`)
	if c.used() != two {
		t.Errorf("replacing a column changes %d bytes to %d", two, c.used())
	}
	c.load("docs.jsonl")
	for _, call := range []step{
		{tool: "query", args: `{"table":"orders","aggregates":{"n":"countDistinct(note)"},"group_by":["region","day"],"sort":"-n"}`},
		{tool: "sql", args: `{"query":"SELECT * FROM orders a JOIN docs b ON a.id < 3 ORDER BY b.title"}`},
		{tool: "describe_table", args: `{"table":"docs"}`},
		{tool: "search_similar", args: `{"table":"docs","vector":[1,0,0],"filter":"ok"}`},
	} {
		before := c.used()
		c.good(call.tool, call.args)
		if c.used() != before {
			t.Errorf("%s keeps %d bytes", call.tool, c.used()-before)
		}
	}
	c.bad("add_column", `{"table":"orders","name":"x","expression":"nope"}`)
	c.bad("load_file", `{"path":"broken.jsonl"}`)
	c.good("drop_table", `{"table":"orders"}`)
	c.good("drop_table", `{"table":"docs"}`)
	if n := c.used(); n != 0 {
		t.Errorf("%d bytes are held without any table", n)
	}
}

// What does not fit is refused, takes nothing, and harms no table.
func TestMemory_Refused(t *testing.T) {
	var b strings.Builder
	b.WriteString("n,label,x\n")
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 200_000 {
		fmt.Fprintf(&b, "%d,label %d,%g\n", i, i, r.Float64())
	}
	c := connect(t, files{"big.csv": b.String(), "small.csv": "n\n1\n2\n"}, settings{memory: 4 << 20})
	c.load("small.csv")
	before := c.used()
	for _, call := range []step{
		{tool: "load_file", args: `{"path":"big.csv"}`},
		{tool: "load_file", args: `{"path":"big.csv","name":"small"}`},
	} {
		text := c.bad(call.tool, call.args)
		if !strings.HasPrefix(text, "This needs about ") || !strings.Contains(text, " are free. The budget (--memory) is 4.2 MB, of which ") || !strings.HasSuffix(text, " are in use. Drop a table, or load a smaller file.") {
			t.Errorf("%s %s: %s", call.tool, call.args, text)
		}
		if c.used() != before {
			t.Errorf("a refused load holds %d bytes", c.used()-before)
		}
	}
	c.run([]step{
		{"list_tables", `{}`, `{"tables":[{"table":"small","source":"small.csv","rows":2,"columns":{"n":"number"}}]}`, ""},
		{"query", `{"table":"small"}`, `{"matching_rows":2,"returned":2,"rows":[{"n":1},{"n":2}]}`, ""},
	})
}

func TestMemory_CallRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("n\n")
	for i := range 100_000 {
		fmt.Fprintln(&b, i*7919%1_000_003)
	}
	c := connect(t, files{"n.csv": b.String()}, settings{memory: 12 << 20})
	c.load("n.csv")
	before := c.used()
	for _, call := range []step{
		{tool: "sql", args: `{"query":"SELECT a.n, count(DISTINCT a.n + b.n) AS c FROM n a JOIN n b ON a.n % 100 = b.n % 100 GROUP BY a.n"}`},
		{tool: "sql", args: `{"query":"SELECT a.n, b.n, count(*) AS c FROM n a JOIN n b ON a.n % 100 = b.n % 100 GROUP BY a.n, b.n"}`},
	} {
		text := c.bad(call.tool, call.args)
		if !strings.HasPrefix(text, "This needs about ") || !strings.Contains(text, "free") {
			t.Errorf("%s: %s", call.args, text)
		}
		if c.used() != before {
			t.Errorf("a refused call holds %d bytes", c.used()-before)
		}
	}
	c.run([]step{{"query", `{"table":"n","aggregates":{"n":"count()"}}`, `{"rows":[{"n":100000}]}`, ""}})
}

// Every call sees one state of a table, whatever other calls do to it meanwhile.
func TestConcurrentCalls_SeeOneState(t *testing.T) {
	f := files{}
	for k := 1; k <= 3; k++ { // file k holds k·1000 rows of k
		f[fmt.Sprintf("%d.csv", k)] = "v,g\n" + strings.Repeat(fmt.Sprintf("%d,g%d\n", k, k), k*1000)
	}
	c := connect(t, f, settings{limits: mcpkit.Limits{Parallel: 16, Result: 10 << 20}})
	c.good("load_file", `{"path":"1.csv","name":"t"}`)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	worker := func(work func(r *rand.Rand)) {
		seed := uint64(time.Now().UnixNano())
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, 7))
			for {
				select {
				case <-stop:
					return
				default:
					work(r)
				}
			}
		})
	}
	call := func(tool, args string) (string, bool) {
		res, err := c.session.CallTool(t.Context(), request(tool, args))
		if err != nil {
			t.Errorf("%s: %v", tool, err)
			return "", true
		}
		text := res.Content[0].(*mcp.TextContent).Text
		if res.IsError && !strings.Contains(text, "No table is loaded yet") && !strings.Contains(text, "unknown column 'w'") && !strings.Contains(text, `no column "w"`) {
			t.Errorf("%s %s: %s", tool, args, text)
		}
		return text, res.IsError
	}
	for range 2 {
		worker(func(r *rand.Rand) {
			call("load_file", fmt.Sprintf(`{"path":"%d.csv","name":"t"}`, 1+r.IntN(3)))
		})
	}
	worker(func(r *rand.Rand) {
		call("add_column", `{"table":"t","name":"w","expression":"v * 2"}`)
		if r.IntN(20) == 0 {
			call("drop_table", `{"table":"t"}`)
		}
	})
	checks := 0
	var mu sync.Mutex
	check := func(text string, rows, sum, lo, hi int) {
		mu.Lock()
		checks++
		mu.Unlock()
		if lo != hi || rows != lo*1000 || sum != lo*rows {
			t.Errorf("a mixture of states: %s", text)
		}
	}
	worker(func(*rand.Rand) {
		if text, failed := call("query", `{"table":"t","aggregates":{"n":"count()","s":"sum(v)","lo":"min(v)","hi":"max(v)"}}`); !failed {
			var got struct{ Rows []struct{ N, S, Lo, Hi int } }
			if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Rows) != 1 {
				t.Errorf("%v: %s", err, text)
				return
			}
			g := got.Rows[0]
			check(text, g.N, g.S, g.Lo, g.Hi)
		}
	})
	worker(func(*rand.Rand) {
		// One statement that reads the table twice sees the same state twice.
		if text, failed := call("sql", `{"query":"SELECT a.n, a.s, a.lo, b.hi FROM (SELECT count(*) AS n, sum(v) AS s, min(v) AS lo FROM t) a, (SELECT max(v) AS hi FROM t) b"}`); !failed {
			var got struct{ Rows []struct{ N, S, Lo, Hi int } }
			if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Rows) != 1 {
				t.Errorf("%v: %s", err, text)
				return
			}
			g := got.Rows[0]
			check(text, g.N, g.S, g.Lo, g.Hi)
		}
	})
	worker(func(*rand.Rand) {
		if text, failed := call("describe_table", `{"table":"t"}`); !failed {
			var got struct {
				Rows    int
				Columns struct{ V struct{ N, Min, Max int } }
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Errorf("%v: %s", err, text)
				return
			}
			check(text, got.Rows, got.Rows*got.Columns.V.Min, got.Columns.V.Min, got.Columns.V.Max)
		}
	})
	worker(func(*rand.Rand) {
		if text, failed := call("query", `{"table":"t","filter":"w != v * 2","limit":1}`); !failed && field(t, text, "matching_rows") != "0" {
			t.Errorf("a column of another state: %s", text)
		}
	})
	deadline := time.Now().Add(20 * time.Second)
	for {
		mu.Lock()
		n := checks
		mu.Unlock()
		if n >= 150 || time.Now().After(deadline) {
			break
		}
		call("list_tables", `{}`)
	}
	close(stop)
	wg.Wait()
	if checks < 10 {
		t.Errorf("only %d answers were checked", checks)
	}
	if _, failed := call("drop_table", `{"table":"t"}`); failed {
		t.Log("the table was dropped already")
	}
	if n := c.used(); n != 0 {
		t.Errorf("%d bytes are held without any table", n)
	}
}

// forever is a statement that compares a billion pairs of rows of the tables big
// and small.
const forever = `{"query":"SELECT count(*) AS n FROM big a, small b WHERE a.v + b.v < 0"}`

func bigAndSmall() files { return files{"big.csv": manyRows(1_000_000), "small.csv": manyRows(1000)} }

func manyRows(n int) string {
	var b strings.Builder
	b.WriteString("v\n")
	for i := range n {
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

func TestCancel_StopsTheWork(t *testing.T) {
	var log lines
	c := connect(t, bigAndSmall(), settings{log: NewCallLog(&log)})
	c.load("big.csv", "small.csv")
	before := c.used()
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		_, err := c.session.CallTool(ctx, request("sql", forever))
		over <- err
	}()
	eventually(t, "the call takes memory to work with", func() bool { return c.used() > before })
	cancel()
	if err := wait(t, "the end of the call", over); err == nil {
		t.Error("the cancelled call has an answer")
	}
	// The engine has stopped once the call is in the log.
	if got := log.await(t, 3); !strings.Contains(got[2], `"error":"cancelled"`) {
		t.Errorf("the log has %s", got[2])
	}
	if c.used() != before {
		t.Errorf("the cancelled call holds %d bytes", c.used()-before)
	}
	c.run([]step{{"query", `{"table":"small","aggregates":{"n":"count()"}}`, `{"rows":[{"n":1000}]}`, ""}})
}

func TestTimeout(t *testing.T) {
	var log lines
	c := connect(t, files{"t.csv": manyRows(1000)}, settings{limits: mcpkit.Limits{Call: 2 * time.Second}, log: NewCallLog(&log)})
	c.load("t.csv")
	before := c.used()
	text := c.bad("sql", `{"query":"SELECT count(*) AS n FROM t a, t b, t c, t d WHERE a.v + b.v + c.v + d.v < 0"}`)
	if want := "sql was stopped after 2s, the limit for one call (--timeout); filter more, or aggregate instead of fetching rows"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	if got := log.await(t, 2); !strings.Contains(got[1], `"error":"timeout"`) {
		t.Errorf("the log has %s", got[1])
	}
	if c.used() != before {
		t.Errorf("the call that ran out of time holds %d bytes", c.used()-before)
	}
	c.run([]step{{"query", `{"table":"t","aggregates":{"n":"count()"}}`, `{"rows":[{"n":1000}]}`, ""}})
}

// A load reports from the start, another call once it has run for half a second;
// nothing is sent unless the caller asked.
func TestProgress(t *testing.T) {
	notes := make(chan *mcp.ProgressNotificationParams, 1000)
	c := connectWith(t, bigAndSmall(), settings{}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { notes <- r.Params },
	})
	p := request("load_file", `{"path":"big.csv"}`)
	p.SetProgressToken("load")
	if _, err := c.session.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	first := wait(t, "progress of a load", notes)
	if first.ProgressToken != "load" || first.Progress <= 0 || first.Progress > first.Total || !strings.HasPrefix(first.Message, "read ") || !strings.HasSuffix(first.Message, " of 6.9 MB") {
		t.Errorf("progress %+v", first)
	}
	for len(notes) > 0 {
		if n := <-notes; n.ProgressToken != "load" || n.Progress > n.Total {
			t.Errorf("progress %+v", n)
		}
	}
	c.load("small.csv")
	p = request("query", `{"table":"small","limit":1}`)
	p.SetProgressToken("quick")
	if _, err := c.session.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if len(notes) > 0 {
		t.Errorf("progress that nobody asked for, or of a quick call: %+v", <-notes)
	}
}

// A call whose first unit of work takes long is reported all the same.
func TestReport_LongUnit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var sent []string
		tell := report(t.Context(), progressAfter, func(done, total int64) string {
			sent = append(sent, fmt.Sprint(time.Since(begun), " ", done, "/", total))
			return ""
		})
		tell(0, 100)
		time.Sleep(3 * time.Second)
		tell(100, 100)
		synctest.Wait()
		if want := []string{"500ms 0/100", "3s 100/100"}; !slices.Equal(sent, want) {
			t.Errorf("reports %q, want %q", sent, want)
		}
	})
}

// Reports begin after half a second and come at most four times a second, however
// many workers there are.
func TestReport_Throttles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var mu sync.Mutex
		var sent []time.Duration
		tell := report(t.Context(), progressAfter, func(done, total int64) string {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, time.Since(begun))
			return ""
		})
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i := range int64(200) {
					tell(i, 200)
					time.Sleep(10 * time.Millisecond)
				}
			})
		}
		wg.Wait()
		ms := time.Millisecond
		if want := []time.Duration{500 * ms, 750 * ms, 1000 * ms, 1250 * ms, 1500 * ms, 1750 * ms}; !slices.Equal(sent, want) {
			t.Errorf("reports after %v, want %v", sent, want)
		}
	})
}

func TestCallLog_HasNoValues(t *testing.T) {
	var log lines
	c := connect(t, files{"orders.csv": orders}, settings{log: NewCallLog(&log)})
	c.load("orders.csv")
	c.good("query", `{"table":"orders","filter":"note == 'first'"}`)
	c.good("sql", `{"query":"SELECT note FROM orders"}`)
	c.good("list_tables", `{}`)
	c.bad("query", `{"table":"orders","filter":"nope == 'first'"}`)
	c.bad("describe_table", `{"table":"secret"}`)
	c.bad("load_file", `{"path":"../secret.csv"}`)
	type entry struct {
		Time  time.Time
		Tool  string
		MS    *float64
		Rows  *int
		Bytes *int
		Error string
	}
	of := func(n int) *int { return &n }
	want := []entry{
		{Tool: "load_file", Rows: of(4), Bytes: of(len(ordersRows) - 3)}, {Tool: "query", Rows: of(1), Bytes: of(strings.IndexByte(ordersRows, '}') + 1)},
		{Tool: "sql", Rows: of(4), Bytes: of(58)}, {Tool: "list_tables"},
		{Tool: "query", Error: "bad_expression"}, {Tool: "describe_table", Error: "unknown_table"}, {Tool: "load_file", Error: "parent_path"},
	}
	got := log.await(t, len(want))
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i, line := range got {
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		var e entry
		if err := dec.Decode(&e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		w := want[i]
		if e.Tool != w.Tool || e.Error != w.Error || e.MS == nil || time.Since(e.Time) > time.Hour || !cmp.Equal(e.Rows, w.Rows) || !cmp.Equal(e.Bytes, w.Bytes) {
			t.Errorf("line %d: %s", i, line)
		}
		if strings.Contains(line, "first") || strings.Contains(line, "secret") || strings.Contains(line, "note") {
			t.Errorf("line %d discloses what was asked or answered: %s", i, line)
		}
	}
}

// lines is a writer that hands out what was written, line by line.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

// await waits until there are n lines and returns all that there are.
func (l *lines) await(t *testing.T, n int) []string {
	t.Helper()
	var got []string
	eventually(t, fmt.Sprintf("%d lines of log", n), func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		got = strings.Split(strings.TrimSuffix(l.buf.String(), "\n"), "\n")
		return len(got) >= n
	})
	return got
}

// patience is how long a busy machine may take over what is quick elsewhere.
const patience = time.Minute

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no sign of this: %s", what)
		}
	}
}

func wait[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("no sign of %s", what)
		panic("unreachable")
	}
}
