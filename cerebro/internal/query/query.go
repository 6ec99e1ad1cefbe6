// Package query runs statements for tools: under the guard when a client wrote them,
// within the limits of rows, bytes and time, not too many at once, and not when they
// would read too much. Results are the same for every engine.
package query

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// Guard judges statements that clients wrote.
type Guard interface {
	// Check says what a statement does; an error when it may not run.
	Check(sql, database string) (Verdict, error)
}

// Verdict is what a guard knows about a statement.
type Verdict struct {
	// Explainable: it is a query, of which an engine can say what it would read.
	Explainable bool
	Relations   []Relation
	// Statistical and Correlation say what it computes.
	Statistical, Correlation bool
}

// Relation is a table or view of a logical database.
type Relation struct{ Database, Name string }

// Limits bound statements. Zero is no bound, except as said.
type Limits struct {
	Rows       int   // read at most
	Bytes      int64 // of a result
	Length     int   // of a statement of a client's, in bytes
	Concurrent int   // at least 1
	Timeout    time.Duration
	// QueueWait is how long a statement waits for others; 0 is ten seconds.
	QueueWait time.Duration
	// WarnRows and BlockRows are estimates of what is read, from which on there is a
	// warning or a refusal; 0 is never.
	WarnRows, BlockRows int64
	// EstimateTime is how long the estimate may take; 0 is 200 ms.
	EstimateTime time.Duration
}

// Options are what a [Runner] works with.
type Options struct {
	Backend backend.Backend
	Guard   Guard
	Limits  Limits
	// Databases are the names that the engine has for logical databases.
	Databases map[string]string
	// AllowUnsafe lets clients' statements run on a connection that could write.
	AllowUnsafe bool
}

// Runner runs statements. It is safe for concurrent use.
type Runner struct {
	o     Options
	slots chan struct{}
}

// New returns a runner.
func New(o Options) *Runner {
	o.Limits.Concurrent = max(1, o.Limits.Concurrent)
	if o.Limits.QueueWait == 0 {
		o.Limits.QueueWait = 10 * time.Second
	}
	if o.Limits.EstimateTime == 0 {
		o.Limits.EstimateTime = 200 * time.Millisecond
	}
	return &Runner{o: o, slots: make(chan struct{}, o.Limits.Concurrent)}
}

// Request is a statement to run.
type Request struct {
	SQL      string
	Database string // logical
	Args     []backend.Arg
	Tag      string // for the engine's log
	// Rows are those that the result has at most; 0 is the limit.
	Rows int
	// Own says that the server wrote the statement: no guard judges it.
	Own bool
	// Repair may give another statement for one that failed for how it names columns
	// or aggregates. It is asked once.
	Repair func(*backend.Error) (sql string, args []backend.Arg, ok bool)
}

// The reasons for a result that is not whole.
const (
	ByRows  = "rows"
	ByBytes = "bytes"
)

// The warnings that a runner gives beside those of the backend. Text may follow after a colon.
const (
	EstimateUnavailable = "estimate_unavailable"
	CostWarning         = "cost_warning"
	Repaired            = "query_repaired"
)

// Result is what a statement gave.
type Result struct {
	SQL         string   `json:"sql"`
	Database    string   `json:"database"`
	Columns     []string `json:"columns"`
	ColumnTypes []string `json:"column_types"`
	Rows        [][]any  `json:"rows"`
	// RowCount are the rows that were read. When there were more, Truncated is set
	// and nobody knows how many.
	RowCount         int      `json:"row_count"`
	RowsReturned     int      `json:"rows_returned"`
	Truncated        bool     `json:"truncated"`
	TruncationReason *string  `json:"truncation_reason"`
	ElapsedSeconds   float64  `json:"elapsed_seconds"`
	Warnings         []string `json:"warnings"`
	QueryID          string   `json:"query_id"`
	ResultRef        *string  `json:"result_ref"`

	// Estimate is nil when there is none.
	Estimate *backend.Estimate `json:"-"`
	Verdict  Verdict           `json:"-"`
}

// Run runs a statement. The error is the guard's or an [*backend.Error].
func (r *Runner) Run(ctx context.Context, q Request) (*Result, error) {
	out := &Result{SQL: q.SQL, Database: q.Database, QueryID: newID(), Rows: [][]any{}, Columns: []string{}, ColumnTypes: []string{}, Warnings: []string{}}
	if err := r.admit(ctx, q, out); err != nil {
		return nil, err
	}
	free, err := r.queue(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	start := time.Now()
	if r.o.Limits.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.o.Limits.Timeout)
		defer cancel()
	}
	s := backend.Statement{SQL: q.SQL, Database: r.engine(q.Database), Args: q.Args, ID: out.QueryID, Tag: q.Tag}
	if err := r.cost(ctx, q, s, out); err != nil {
		return nil, err
	}
	err = r.read(ctx, s, q.Rows, out)
	if e := backend.AsError(err); e != nil && e.Repairable && q.Repair != nil {
		if sql, args, ok := q.Repair(e); ok {
			s.SQL, s.Args, s.ID = sql, args, newID()
			again := r.read(ctx, s, q.Rows, out)
			if again != nil {
				a := *backend.AsError(again)
				a.Message = "first attempt: " + e.Message + "\nsecond attempt: " + a.Message
				return nil, &a
			}
			out.SQL, out.QueryID = sql, s.ID
			out.Warnings = append(out.Warnings, Repaired+": "+firstLine(e.Message))
			err = nil
		}
	}
	if err != nil {
		return nil, r.explain(ctx, backend.AsError(err), out.Verdict)
	}
	out.ElapsedSeconds = time.Since(start).Seconds()
	return out, nil
}

// engine is what the engine calls a logical database.
func (r *Runner) engine(database string) string {
	if name, ok := r.o.Databases[database]; ok {
		return name
	}
	return database
}

// admit refuses what may not run at all.
func (r *Runner) admit(ctx context.Context, q Request, out *Result) error {
	if q.Own || r.o.Guard == nil {
		out.Verdict.Explainable = q.Own
		return nil
	}
	if n := r.o.Limits.Length; n > 0 && len(q.SQL) > n {
		return &backend.Error{
			Code: backend.Rejected, Message: fmt.Sprintf("the statement has %d bytes; it may have %d", len(q.SQL), n), Hint: "shorten lists of values, or aggregate first",
		}
	}
	v, err := r.o.Guard.Check(q.SQL, q.Database)
	if err != nil {
		return err
	}
	out.Verdict = v
	if r.o.AllowUnsafe {
		return nil
	}
	why, err := r.o.Backend.Writable(ctx)
	if err != nil {
		return backend.AsError(err)
	}
	if why != "" {
		return &backend.Error{Code: backend.Disabled, Message: "statements of clients do not run: " + why, Hint: "connect as a user that can only read"}
	}
	return nil
}

// queue waits for a place among the statements that run.
func (r *Runner) queue(ctx context.Context) (free func(), err error) {
	wait := time.NewTimer(r.o.Limits.QueueWait)
	defer wait.Stop()
	select {
	case r.slots <- struct{}{}:
		return func() { <-r.slots }, nil
	case <-wait.C:
		return nil, &backend.Error{Code: backend.Timeout, Message: fmt.Sprintf("%d queries are running, and none ended in time", r.o.Limits.Concurrent), Hint: "try again"}
	case <-ctx.Done():
		return nil, backend.Ended(ctx)
	}
}

// cost has the engine say what it would read.
func (r *Runner) cost(ctx context.Context, q Request, s backend.Statement, out *Result) error {
	l := r.o.Limits
	if !out.Verdict.Explainable || l.WarnRows <= 0 && l.BlockRows <= 0 {
		return nil
	}
	short, cancel := context.WithTimeout(ctx, l.EstimateTime)
	defer cancel()
	s.ID = newID()
	e, err := r.o.Backend.Estimate(short, s)
	if err != nil {
		if ended := backend.Ended(ctx); ended != nil {
			return ended
		}
		out.Warnings = append(out.Warnings, EstimateUnavailable)
		return nil
	}
	out.Estimate = &e
	of := ""
	if len(e.Tables) > 0 {
		of = " of " + strings.Join(e.Tables[:min(5, len(e.Tables))], ", ")
	}
	switch {
	case l.BlockRows > 0 && e.Rows >= l.BlockRows:
		return &backend.Error{
			Code: backend.CostBlocked, Message: fmt.Sprintf("about %d rows%s would be read; a query may read %d", e.Rows, of, l.BlockRows),
			Hint: "add a condition on the time or partition column of the largest table",
		}
	case l.WarnRows > 0 && e.Rows >= l.WarnRows:
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s: about %d rows%s are read", CostWarning, e.Rows, of))
	}
	return nil
}

// read takes the rows of a statement up to the limits. One row more than the limit
// is asked for, as a proof that there are more.
func (r *Runner) read(ctx context.Context, s backend.Statement, most int, out *Result) error {
	if most <= 0 || r.o.Limits.Rows > 0 && most > r.o.Limits.Rows {
		most = r.o.Limits.Rows
	}
	limits := backend.Limits{Bytes: r.o.Limits.Bytes, Timeout: r.o.Limits.Timeout}
	if most > 0 {
		limits.Rows = most + 1
	}
	rows, err := r.o.Backend.Query(ctx, s, limits)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // it was only read
	out.Rows = [][]any{}                // without those of an attempt that failed
	var bytes int64
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if most > 0 && len(out.Rows) == most {
			out.truncate(ByRows)
			break
		}
		if bytes += backend.Size(row); r.o.Limits.Bytes > 0 && bytes > r.o.Limits.Bytes {
			out.truncate(ByBytes)
			break
		}
		out.Rows = append(out.Rows, row)
	}
	for _, c := range rows.Columns() {
		out.Columns, out.ColumnTypes = append(out.Columns, c.Name), append(out.ColumnTypes, c.Type)
	}
	out.RowCount, out.RowsReturned = len(out.Rows), len(out.Rows)
	out.Warnings = append(out.Warnings, rows.Warnings()...)
	return nil
}

func (r *Result) truncate(reason string) { r.Truncated, r.TruncationReason = true, &reason }

// explain adds to an error what the names of columns might be.
func (r *Runner) explain(ctx context.Context, e *backend.Error, v Verdict) error {
	if e.Code != backend.UnknownColumn || e.Name == "" {
		return e
	}
	out := *e
	var columns, tables []string
	for _, rel := range v.Relations[:min(5, len(v.Relations))] {
		tables = append(tables, rel.Name)
		if t, err := r.o.Backend.Describe(ctx, r.engine(rel.Database), rel.Name); err == nil {
			for _, c := range t.Columns {
				columns = append(columns, c.Name)
			}
		}
	}
	slices.Sort(columns)
	if near := nearest.Find(e.Name, slices.Compact(columns), 5); len(near) > 0 {
		out.Near = near
	}
	var hints []string
	if len(out.Near) > 0 {
		hints = append(hints, "did you mean "+strings.Join(out.Near[:min(5, len(out.Near))], ", ")+"?")
	}
	if len(tables) > 0 {
		hints = append(hints, "describe_table shows the columns of "+strings.Join(tables, ", "))
	}
	out.Hint = strings.Join(hints, " ")
	return &out
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// newID is a name for a query that is nobody else's.
func newID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return "q_" + hex.EncodeToString(b[:])
}
