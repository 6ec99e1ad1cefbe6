package clickhouse

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"sync"
	"time"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
)

// rows are those of a running statement.
type rows struct {
	backend.Cells
	db      *Database
	ctx     context.Context
	cancel  context.CancelFunc
	rows    driver.Rows
	columns []backend.Column
	kinds   []*kind
	scan    []reflect.Type
	sent    []string // warnings
	id      string
	whole   bool // the last row was read
	close   func() error
}

// Query runs a statement.
func (d *Database) Query(ctx context.Context, s backend.Statement, l backend.Limits) (backend.Rows, error) {
	r, err := d.run(ctx, s, l)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (d *Database) run(ctx context.Context, s backend.Statement, l backend.Limits) (*rows, error) {
	if err := backend.Ended(ctx); err != nil {
		return nil, err
	}
	level, err := d.probe(ctx)
	if err != nil {
		return nil, err
	}
	c, err := d.conn(s.Database)
	if err != nil {
		return nil, err
	}
	parameters := ch.Parameters{}
	for i, a := range s.Args {
		name := a.Name
		if name == "" {
			name = fmt.Sprintf("p%d", i+1)
		}
		if parameters[name], err = parameter(a.Value); err != nil {
			return nil, err
		}
	}
	if s.ID == "" {
		s.ID = newID()
	}
	end, ok := ctx.Deadline()
	if !ok { // no call is without one
		end = time.Now().Add(10 * time.Minute)
	}
	if l.Timeout == 0 {
		l.Timeout = time.Until(end)
	}
	ctx, cancel := context.WithDeadline(ctx, end)
	for attempt := 0; ; attempt++ {
		settings := d.settings(level, s, l)
		id := s.ID
		if attempt > 0 {
			id = fmt.Sprintf("%s_%d", s.ID, attempt)
		}
		got, err := c.Query(ch.Context(endless{ctx}, ch.WithSettings(settings), ch.WithParameters(parameters), ch.WithQueryID(id)), s.SQL)
		if err == nil {
			return newRows(d, ctx, cancel, got, id, warnings(settings)), nil
		}
		if !d.drop(err, settings) {
			if ctx.Err() != nil {
				d.kill(id)
			}
			err = failed(ctx, err)
			cancel()
			return nil, err
		}
	}
}

func newRows(d *Database, ctx context.Context, cancel context.CancelFunc, got driver.Rows, id string, sent []string) *rows {
	r := &rows{db: d, ctx: ctx, cancel: cancel, rows: got, id: id, sent: sent}
	for _, c := range got.ColumnTypes() {
		r.columns = append(r.columns, backend.Column{Name: c.Name(), Type: c.DatabaseTypeName()})
		r.kinds = append(r.kinds, parse(c.DatabaseTypeName()))
		r.scan = append(r.scan, c.ScanType())
	}
	r.close = sync.OnceValue(r.end)
	return r
}

func (r *rows) Columns() []backend.Column { return r.columns }

func (r *rows) Warnings() []string { return backend.Sorted(r.Cells.Warnings(), r.sent) }

func (r *rows) Next() ([]any, error) {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, failed(r.ctx, err)
		}
		if err := backend.Ended(r.ctx); err != nil {
			return nil, err
		}
		r.whole = true
		return nil, io.EOF
	}
	to := make([]any, len(r.scan))
	for i, t := range r.scan {
		to[i] = reflect.New(t).Interface()
	}
	if err := r.rows.Scan(to...); err != nil {
		return nil, &backend.Error{Code: backend.Failed, Message: "a value of the result cannot be read: " + backend.Clean(err.Error())}
	}
	row := make([]any, len(to))
	for i, v := range to {
		row[i] = r.kinds[i].cell(&r.Cells, reflect.ValueOf(v).Elem())
	}
	return row, nil
}

func (r *rows) Close() error { return r.close() }

// end stops the statement: the connection is dropped first, as the driver reads a
// result to its end otherwise.
func (r *rows) end() error {
	r.cancel()
	_ = r.rows.Close() // says that it was cancelled
	if !r.whole {
		r.db.kill(r.id)
	}
	return nil
}

// endless hides the deadline of a context, which still ends then: the driver makes a
// setting of it, which not every user may send.
type endless struct{ context.Context }

func (endless) Deadline() (time.Time, bool) { return time.Time{}, false }

// kill ends a query on the server that may go on without us. Who may not is not
// asked again.
func (d *Database) kill(id string) {
	d.mu.Lock()
	skip := d.killing || d.readonly == nil || *d.readonly != 0
	d.mu.Unlock()
	if skip {
		return
	}
	c, err := d.conn("")
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := c.Exec(ctx, "KILL QUERY WHERE query_id = '"+id+"' ASYNC"); err != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.killing = true
	}
}
