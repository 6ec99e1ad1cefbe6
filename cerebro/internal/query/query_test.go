package query

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
)

// fake is a backend that gives rows as it is told.
type fake struct {
	backend.Backend
	rows     int
	block    chan struct{} // Query waits for it
	err      error
	estimate backend.Estimate
	slow     bool // Estimate takes its time
	writable string

	mu               sync.Mutex
	read, closed     int
	running, highest int
	asked            []string
}

func (f *fake) Writable(context.Context) (string, error) { return f.writable, nil }

func (f *fake) Estimate(ctx context.Context, _ backend.Statement) (backend.Estimate, error) {
	if f.slow {
		<-ctx.Done()
		return backend.Estimate{}, backend.Ended(ctx)
	}
	return f.estimate, nil
}

func (f *fake) Describe(context.Context, string, string) (*backend.Table, error) {
	return &backend.Table{Columns: []backend.TableColumn{{Name: "region"}, {Name: "amount"}}}, nil
}

func (f *fake) Query(ctx context.Context, s backend.Statement, _ backend.Limits) (backend.Rows, error) {
	f.mu.Lock()
	f.asked = append(f.asked, s.SQL)
	f.running++
	f.highest = max(f.highest, f.running)
	f.mu.Unlock()
	if f.block != nil {
		select {
		case <-f.block:
		case <-ctx.Done():
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := backend.Ended(ctx); err != nil {
		f.running--
		return nil, err
	}
	if f.err != nil && !strings.Contains(s.SQL, "repaired") {
		f.running--
		return nil, f.err
	}
	return &fakeRows{f: f}, nil
}

type fakeRows struct {
	f *fake
	n int
}

func (r *fakeRows) Columns() []backend.Column { return []backend.Column{{Name: "v", Type: "VARCHAR"}} }
func (r *fakeRows) Warnings() []string        { return nil }
func (r *fakeRows) Next() ([]any, error) {
	if r.n == r.f.rows {
		return nil, io.EOF
	}
	r.n++
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	r.f.read++
	return []any{"0123456789"}, nil
}

func (r *fakeRows) Close() error {
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	r.f.closed++
	r.f.running--
	return nil
}

type guard struct{ err error }

func (g guard) Check(string, string) (Verdict, error) {
	return Verdict{Explainable: true, Relations: []Relation{{"dbt", "orders"}}}, g.err
}

func TestRun_Limits(t *testing.T) {
	for _, c := range []struct {
		name       string
		rows, most int
		limits     Limits
		count      int
		reason     string
		read       int
	}{
		{"whole", 5, 0, Limits{Rows: 10}, 5, "", 5},
		{"exactly the limit", 10, 0, Limits{Rows: 10}, 10, "", 10},
		{"one more", 11, 0, Limits{Rows: 10}, 10, "rows", 11},
		{"three million", 3_000_000, 0, Limits{Rows: 10}, 10, "rows", 11},
		{"asked for less", 100, 3, Limits{Rows: 10}, 3, "rows", 4},
		{"asked for more", 100, 50, Limits{Rows: 10}, 10, "rows", 11},
		{"bytes", 100, 0, Limits{Rows: 50, Bytes: 100}, 6, "bytes", 7},
	} {
		f := &fake{rows: c.rows}
		got, err := New(Options{Backend: f, Limits: c.limits}).Run(t.Context(), Request{SQL: "x", Own: true, Rows: c.most})
		if err != nil {
			t.Fatal(err)
		}
		reason := ""
		if got.TruncationReason != nil {
			reason = *got.TruncationReason
		}
		if got.RowCount != c.count || len(got.Rows) != c.count || reason != c.reason || got.Truncated != (reason != "") || f.read != c.read || f.closed != 1 {
			t.Errorf("%s: %d rows, %q, %d read, %d closed", c.name, got.RowCount, reason, f.read, f.closed)
		}
	}
}

func code(err error) backend.Code {
	if e := backend.AsError(err); e != nil {
		return e.Code
	}
	return ""
}

func TestRun_Refuses(t *testing.T) {
	refusal := errors.New("refused")
	for _, c := range []struct {
		name string
		f    *fake
		o    Options
		own  bool
		code backend.Code
		has  string
	}{
		{"too long", &fake{}, Options{Limits: Limits{Length: 3}}, false, backend.Rejected, "4 bytes"},
		{"too long, but ours", &fake{}, Options{Limits: Limits{Length: 3}}, true, "", ""},
		{"the guard", &fake{}, Options{Guard: guard{refusal}}, false, backend.Failed, "refused"},
		{"a user that writes", &fake{writable: "it may write"}, Options{}, false, backend.Disabled, "it may write"},
		{"a user that writes, allowed", &fake{writable: "it may write"}, Options{AllowUnsafe: true}, false, "", ""},
		{"too much", &fake{estimate: backend.Estimate{Rows: 100, Tables: []string{"dbt.big"}}}, Options{Limits: Limits{BlockRows: 100}}, false, backend.CostBlocked, "dbt.big"},
		{"much", &fake{estimate: backend.Estimate{Rows: 99}}, Options{Limits: Limits{BlockRows: 100}}, false, "", ""},
	} {
		c.o.Backend = c.f
		if c.o.Guard == nil {
			c.o.Guard = guard{}
		}
		_, err := New(c.o).Run(t.Context(), Request{SQL: "long", Own: c.own})
		if code(err) != c.code || err != nil && !strings.Contains(err.Error(), c.has) {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.code != "" && len(c.f.asked) > 0 {
			t.Errorf("%s: ran", c.name)
		}
	}
}

func TestRun_Estimates(t *testing.T) {
	f := &fake{estimate: backend.Estimate{Rows: 70, Tables: []string{"a", "b"}}}
	got, err := New(Options{Backend: f, Guard: guard{}, Limits: Limits{WarnRows: 50, BlockRows: 100}}).Run(t.Context(), Request{SQL: "x"})
	if err != nil || len(got.Warnings) != 1 || got.Warnings[0] != "cost_warning: about 70 rows of a, b are read" || got.Estimate.Rows != 70 {
		t.Errorf("got %+v, %v", got, err)
	}
	f.slow = true
	start := time.Now()
	got, err = New(Options{Backend: f, Guard: guard{}, Limits: Limits{WarnRows: 50, Timeout: time.Minute}}).Run(t.Context(), Request{SQL: "x"})
	if err != nil || len(got.Warnings) != 1 || got.Warnings[0] != EstimateUnavailable || time.Since(start) > 5*time.Second {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRun_Queue(t *testing.T) {
	f := &fake{rows: 1, block: make(chan struct{})}
	r := New(Options{Backend: f, Limits: Limits{Concurrent: 2, QueueWait: 50 * time.Millisecond}})
	var wait sync.WaitGroup
	var mu sync.Mutex
	codes := map[backend.Code]int{}
	for range 5 {
		wait.Go(func() {
			_, err := r.Run(t.Context(), Request{SQL: "x", Own: true})
			mu.Lock()
			defer mu.Unlock()
			codes[code(err)]++
		})
	}
	time.AfterFunc(500*time.Millisecond, func() { close(f.block) })
	wait.Wait()
	if codes[""] != 2 || codes[backend.Timeout] != 3 || f.highest != 2 {
		t.Errorf("%v, %d at once", codes, f.highest)
	}
	if _, err := r.Run(t.Context(), Request{SQL: "x", Own: true}); err != nil {
		t.Errorf("a place is not free again: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Run(ctx, Request{SQL: "x", Own: true}); code(err) != backend.Cancelled {
		t.Errorf("got %v", err)
	}
}

func TestRun_Timeout(t *testing.T) {
	f := &fake{rows: 1, block: make(chan struct{})}
	r := New(Options{Backend: f, Limits: Limits{Concurrent: 1, Timeout: 20 * time.Millisecond}})
	for range 2 { // the second needs the place of the first
		if _, err := r.Run(t.Context(), Request{SQL: "x", Own: true}); code(err) != backend.Timeout {
			t.Errorf("got %v", err)
		}
	}
}

func TestRun_Repair(t *testing.T) {
	unknown := &backend.Error{Code: backend.UnknownColumn, Name: "regoin", Message: "no regoin\nLINE 1", Repairable: true}
	repair := func(sql string) func(*backend.Error) (string, []backend.Arg, bool) {
		return func(*backend.Error) (string, []backend.Arg, bool) { return sql, nil, sql != "" }
	}
	f := &fake{rows: 1, err: unknown}
	r := New(Options{Backend: f, Guard: guard{}})
	got, err := r.Run(t.Context(), Request{SQL: "x", Own: true, Repair: repair("repaired")})
	if err != nil || got.SQL != "repaired" || got.Warnings[0] != "query_repaired: no regoin" {
		t.Errorf("got %+v, %v", got, err)
	}
	f.asked = nil
	_, err = r.Run(t.Context(), Request{SQL: "x", Own: true, Repair: repair("again")})
	if err == nil || !strings.Contains(err.Error(), "first attempt: no regoin") || len(f.asked) != 2 {
		t.Errorf("got %v after %v", err, f.asked)
	}
	_, err = r.Run(t.Context(), Request{SQL: "x"})
	if e := backend.AsError(err); e.Code != backend.UnknownColumn || e.Hint != "did you mean region? describe_table shows the columns of orders" {
		t.Errorf("got %+v", e)
	}
}

func TestResult_JSON(t *testing.T) {
	got, err := New(Options{Backend: &fake{}}).Run(t.Context(), Request{SQL: "x", Database: "dbt", Own: true})
	if err != nil {
		t.Fatal(err)
	}
	got.QueryID, got.ElapsedSeconds = "q", 0
	text, err := json.Marshal(got)
	want := `{"sql":"x","database":"dbt","columns":["v"],"column_types":["VARCHAR"],"rows":[],"row_count":0,"rows_returned":0,"truncated":false,"truncation_reason":null,"elapsed_seconds":0,"warnings":[],"query_id":"q","result_ref":null}`
	if err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
}
