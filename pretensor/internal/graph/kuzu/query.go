package kuzu

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	kuzu "github.com/kuzudb/go-kuzu"

	"github.com/quartet-mcp/quartet/pretensor/internal/cypher"
)

// Options of a query. The zero value asks for everything and never ends by itself.
type Options struct {
	Params  map[string]any // by name, without the dollar sign
	Timeout time.Duration  // 0: none
	MaxRows int            // 0: all
	MaxCell int            // characters of the strings in one cell; 0: any number
}

// Result is the answer to a query.
type Result struct {
	Columns []string
	Rows    [][]any // values as [Reader.Query] describes them
	Total   int     // rows that there are
	Cut     bool    // a cell was shortened
}

// Truncated reports whether there are more rows than were returned.
func (r *Result) Truncated() bool { return r.Total > len(r.Rows) }

// interruptEvery is how often a query that must end is told so: one interrupt
// that comes before the engine has begun is lost. grace is how long it may take.
const (
	interruptEvery = 5 * time.Millisecond
	grace          = 150 * time.Millisecond
)

type outcome struct {
	result *Result
	err    error
}

// query binds the parameters of a query and runs it.
func (e *engine) query(ctx context.Context, text string, o Options) (*Result, error) {
	text, params, err := bind(text, o.Params)
	if err != nil {
		return nil, err
	}
	return e.run(ctx, text, params, o)
}

// run runs one query on a connection of its own. When ctx ends or the time is over
// it returns soon after, with the context's error or ErrTimeout, whether or not the
// engine has stopped by then; the connection is in use until it has.
func (e *engine) run(ctx context.Context, text string, params map[string]any, o Options) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := e.acquire()
	if err != nil {
		return nil, err
	}
	var stop atomic.Bool
	done := make(chan outcome, 1)
	go func() {
		result, err := e.execute(c, text, params, o, &stop)
		done <- outcome{result, err}
	}()

	var timeout <-chan time.Time
	if o.Timeout > 0 {
		timer := time.NewTimer(o.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	var reason error
	select {
	case out := <-done:
		e.release(c)
		return out.result, out.err
	case <-ctx.Done():
		reason = ctx.Err()
	case <-timeout:
		reason = ErrTimeout
	}
	stop.Store(true)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(interruptEvery)
		defer tick.Stop()
		for {
			c.Interrupt()
			select {
			case <-done:
				e.release(c)
				return
			case <-tick.C:
			}
		}
	}()
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-stopped:
	case <-late.C:
	}
	return nil, reason
}

// execute runs a query and reads its rows.
func (e *engine) execute(c *kuzu.Connection, text string, params map[string]any, o Options, stop *atomic.Bool) (result *Result, err error) {
	defer func() {
		if p := recover(); p != nil { // of the binding's conversions
			result, err = nil, &Error{Value, fmt.Sprintf("a value could not be read: %v", p)}
		}
	}()
	c.SetTimeout(uint64((o.Timeout + o.Timeout/10).Milliseconds())) // a backstop, the caller's timer comes first
	var r *kuzu.QueryResult
	if len(params) == 0 {
		r, err = c.Query(text)
		defer r.Close()
	} else {
		var s *kuzu.PreparedStatement
		s, err = c.Prepare(text)
		defer s.Close()
		if err == nil {
			r, err = c.Execute(s, params)
			defer r.Close()
		}
	}
	if err != nil {
		return nil, classify(err, e.dirs...)
	}
	// In this order: the binding's number of rows is wrong once it knows the columns.
	result = &Result{Total: int(r.GetNumberOfRows()), Rows: [][]any{}}
	result.Columns = slices.Clone(r.GetColumnNames())
	conv := converter{max: o.MaxCell}
	for r.HasNext() && (o.MaxRows == 0 || len(result.Rows) < o.MaxRows) {
		if stop.Load() {
			return nil, &Error{Interrupted, "the query was interrupted"}
		}
		row, err := conv.row(r)
		if err != nil {
			return nil, err
		}
		result.Rows = append(result.Rows, row)
	}
	if err := conv.endpoints(c, stop); err != nil {
		return nil, err
	}
	result.Cut = conv.cut
	return result, nil
}

// bind checks a query's parameters against those given. An empty list or map, which
// the binding cannot pass, is written into the text instead.
func bind(text string, given map[string]any) (string, map[string]any, error) {
	used, err := cypher.Parameters(text)
	if err != nil {
		return "", nil, &Error{Parser, err.Error()}
	}
	params := map[string]any{}
	for _, t := range slices.Backward(used) {
		value, ok := given[t.Name()]
		if !ok {
			return "", nil, &Error{Argument, fmt.Sprintf("no value for parameter $%s", t.Name())}
		}
		literal, err := emptyLiteral(value)
		if err != nil {
			return "", nil, &Error{Argument, fmt.Sprintf("parameter $%s: %v", t.Name(), err)}
		}
		if literal != "" {
			text = text[:t.Start] + literal + text[t.End:]
			continue
		}
		params[t.Name()] = value
	}
	for name := range given {
		if !slices.ContainsFunc(used, func(t cypher.Token) bool { return t.Name() == name }) {
			return "", nil, &Error{Argument, fmt.Sprintf("the query has no parameter $%s", name)}
		}
	}
	return text, params, nil
}

// emptyLiteral returns how an empty list or map is written; "" for other values. An
// empty one inside another value is an error.
func emptyLiteral(value any) (string, error) {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Kind() != reflect.Slice && v.Kind() != reflect.Map {
		return "", nil
	}
	if v.Len() > 0 {
		for _, inner := range elements(v) {
			if literal, err := emptyLiteral(inner); literal != "" || err != nil {
				return "", fmt.Errorf("an empty list or map inside another value cannot be passed")
			}
		}
		return "", nil
	}
	if v.Kind() == reflect.Map {
		return "map([], [])", nil
	}
	switch value.(type) {
	case []int64, []int:
		return "CAST([] AS INT64[])", nil
	case []float64:
		return "CAST([] AS DOUBLE[])", nil
	case []bool:
		return "CAST([] AS BOOL[])", nil
	}
	return "CAST([] AS STRING[])", nil
}

func elements(v reflect.Value) []any {
	var list []any
	if v.Kind() == reflect.Map {
		for _, k := range v.MapKeys() {
			list = append(list, v.MapIndex(k).Interface())
		}
		return list
	}
	for i := range v.Len() {
		list = append(list, v.Index(i).Interface())
	}
	return list
}

// quoteName writes a name in backticks.
func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
