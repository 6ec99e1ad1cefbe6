package duckdb

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// connection is a session of the engine. One statement runs at a time.
type connection struct{ conn bindings.Connection }

func (i *instance) connect() (*connection, error) {
	var c connection
	if bindings.Connect(i.db, &c.conn) == bindings.StateError {
		return nil, unavailable("DuckDB gives no connection", "")
	}
	return &c, nil
}

func (c *connection) close() { bindings.Disconnect(&c.conn) }

// exec runs a statement of our own.
func (c *connection) exec(text string) error {
	var r bindings.Result
	defer bindings.DestroyResult(&r)
	if bindings.Query(c.conn, text, &r) == bindings.StateError {
		return errors.New(bindings.ResultError(&r))
	}
	return nil
}

// prepare plans a text that is one statement that reads. What begins with words
// that the engine turns into several statements or into a pragma is refused too.
func (c *connection) prepare(text string) (bindings.PreparedStatement, error) {
	var none bindings.PreparedStatement
	if strings.ContainsRune(text, 0) {
		return none, &backend.Error{Code: backend.Rejected, Message: "the statement holds a NUL byte"}
	}
	var statements bindings.ExtractedStatements
	count := bindings.ExtractStatements(c.conn, text, &statements)
	defer bindings.DestroyExtracted(&statements)
	switch {
	case count == 0:
		if m := bindings.ExtractStatementsError(statements); m != "" {
			return none, failed(m)
		}
		return none, &backend.Error{Code: backend.Rejected, Message: "there is no statement"}
	case count > 1:
		return none, &backend.Error{Code: backend.Rejected, Message: "there are several statements", Hint: "send them one by one"}
	}
	var s bindings.PreparedStatement
	if bindings.PrepareExtractedStatement(c.conn, statements, 0, &s) == bindings.StateError {
		err := failed(bindings.PrepareError(s))
		bindings.DestroyPrepare(&s)
		return none, err
	}
	switch bindings.PreparedStatementType(s) {
	case bindings.StatementTypeSelect, bindings.StatementTypeExplain:
		return s, nil
	}
	bindings.DestroyPrepare(&s)
	return none, &backend.Error{Code: backend.Rejected, Message: "the statement does more than read", Hint: "send a SELECT"}
}

// bind sets the parameters.
func bind(s bindings.PreparedStatement, args []backend.Arg) error {
	if n := int(bindings.NParams(s)); n != len(args) {
		var names []string
		for i := range n {
			names = append(names, "$"+bindings.ParameterName(s, bindings.IdxT(i+1)))
		}
		e := &backend.Error{Code: backend.Invalid, Message: "the statement and its parameters do not fit"}
		if n > 0 {
			e.Hint = "it has the parameters " + strings.Join(names, ", ")
		} else {
			e.Hint = "it has no parameters"
		}
		return e
	}
	for i, a := range args {
		at := bindings.IdxT(i + 1)
		if a.Name != "" && bindings.BindParameterIndex(s, &at, a.Name) == bindings.StateError {
			return &backend.Error{Code: backend.Invalid, Message: "the statement has no parameter $" + a.Name}
		}
		var state bindings.State
		switch v := a.Value.(type) {
		case nil:
			state = bindings.BindNull(s, at)
		case bool:
			state = bindings.BindBoolean(s, at, v)
		case int64:
			state = bindings.BindInt64(s, at, v)
		case float64:
			state = bindings.BindDouble(s, at, v)
		case string:
			state = bindings.BindVarcharLength(s, at, v, bindings.IdxT(len(v)))
		default:
			return &backend.Error{Code: backend.Invalid, Message: "a parameter is neither text, number, boolean nor null"}
		}
		if state == bindings.StateError {
			return &backend.Error{Code: backend.Invalid, Message: "a parameter has a value that the statement does not take"}
		}
	}
	return nil
}

// watch interrupts the connection from the end of ctx until stop is called. It does
// so again and again: an interrupt between two steps of the engine is lost.
func (c *connection) watch(ctx context.Context) (stop func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	done := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		select {
		case <-done:
			return
		case <-ctx.Done():
		}
		for {
			bindings.Interrupt(c.conn)
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		running.Wait()
	})
}

// rows are those of a running statement.
type rows struct {
	ctx context.Context
	backend.Cells
	conn    *connection
	free    func() // ends everything that the rows hold
	result  bindings.Result
	columns []backend.Column
	shapes  []*shape
	chunk   bindings.DataChunk
	vectors []vector
	at, n   int
}

// run runs a statement on a connection of its own.
func (d *Database) run(ctx context.Context, s backend.Statement) (_ *rows, err error) {
	if err := backend.Ended(ctx); err != nil {
		return nil, err
	}
	i, err := d.acquire()
	if err != nil {
		return nil, err
	}
	c, err := i.connect()
	if err != nil {
		d.release(i)
		return nil, err
	}
	stop := c.watch(ctx)
	var prepared bindings.PreparedStatement
	free := func() {
		stop()
		bindings.DestroyPrepare(&prepared)
		c.close()
		d.release(i)
	}
	defer func() {
		if err != nil {
			free()
			if ended := backend.Ended(ctx); ended != nil {
				err = ended
			}
		}
	}()
	if err := c.use(s.Database); err != nil {
		return nil, err
	}
	if prepared, err = c.prepare(s.SQL); err != nil {
		return nil, err
	}
	if err := bind(prepared, s.Args); err != nil {
		return nil, err
	}
	var pending bindings.PendingResult
	defer bindings.DestroyPending(&pending)
	// The function is called deprecated, and the interface has no other that does not
	// keep all rows.
	if bindings.PendingPreparedStreaming(prepared, &pending) == bindings.StateError { //nolint:staticcheck // see above
		return nil, failed(bindings.PendingError(pending))
	}
	r := &rows{ctx: ctx, conn: c, free: free}
	if bindings.ExecutePending(pending, &r.result) == bindings.StateError {
		err := failed(bindings.ResultError(&r.result))
		bindings.DestroyResult(&r.result)
		return nil, err
	}
	for n := range bindings.ColumnCount(&r.result) {
		t := bindings.ColumnLogicalType(&r.result, n)
		sh := shapeOf(t)
		bindings.DestroyLogicalType(&t)
		r.shapes = append(r.shapes, sh)
		r.columns = append(r.columns, backend.Column{Name: bindings.ColumnName(&r.result, n), Type: sh.name})
	}
	return r, nil
}

// use makes a schema the one of names without a schema.
func (c *connection) use(schema string) error {
	if schema == "" {
		return nil
	}
	if err := c.exec("USE " + sqltree.DuckDB.Quote(schema)); err != nil {
		return &backend.Error{Code: backend.NotFound, Message: "there is no schema " + schema + " in the DuckDB file", Name: schema}
	}
	return nil
}

// Query runs a statement.
func (d *Database) Query(ctx context.Context, s backend.Statement, _ backend.Limits) (backend.Rows, error) {
	r, err := d.run(ctx, s)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (r *rows) Columns() []backend.Column { return r.columns }

func (r *rows) Next() ([]any, error) {
	for r.at == r.n {
		r.drop()
		if err := backend.Ended(r.ctx); err != nil {
			return nil, err
		}
		r.chunk = bindings.FetchChunk(r.result)
		if r.chunk.Ptr == nil {
			if err := backend.Ended(r.ctx); err != nil {
				return nil, err
			}
			if m := bindings.ResultError(&r.result); m != "" {
				return nil, failed(m)
			}
			return nil, io.EOF
		}
		r.at, r.n = 0, int(bindings.DataChunkGetSize(r.chunk))
		r.vectors = r.vectors[:0]
		for i, sh := range r.shapes {
			r.vectors = append(r.vectors, open(bindings.DataChunkGetVector(r.chunk, bindings.IdxT(i)), sh))
		}
	}
	row := make([]any, len(r.vectors))
	for i := range row {
		row[i] = r.vectors[i].cell(&r.Cells, r.at)
	}
	r.at++
	return row, nil
}

func (r *rows) drop() {
	if r.chunk.Ptr != nil {
		bindings.DestroyDataChunk(&r.chunk)
	}
	r.at, r.n = 0, 0
}

func (r *rows) Close() error {
	if r.free == nil {
		return nil
	}
	r.drop()
	bindings.DestroyResult(&r.result)
	r.free()
	r.free = nil
	return nil
}

// Check plans a statement.
func (d *Database) Check(ctx context.Context, s backend.Statement) error {
	return d.with(ctx, func(c *connection) error {
		if err := c.use(s.Database); err != nil {
			return err
		}
		p, err := c.prepare(s.SQL)
		if err == nil {
			bindings.DestroyPrepare(&p)
		}
		return err
	})
}

// with lends a connection.
func (d *Database) with(ctx context.Context, do func(*connection) error) error {
	if err := backend.Ended(ctx); err != nil {
		return err
	}
	i, err := d.acquire()
	if err != nil {
		return err
	}
	defer d.release(i)
	c, err := i.connect()
	if err != nil {
		return err
	}
	defer c.close()
	stop := c.watch(ctx)
	defer stop()
	if err := do(c); err != nil {
		if ended := backend.Ended(ctx); ended != nil {
			return ended
		}
		return err
	}
	return nil
}

var (
	unknown    = regexp.MustCompile(`(?:Referenced column|Referenced update column) "([^"]+)" (?:was )?not found|does not have a column named "([^"]+)"`)
	candidates = regexp.MustCompile(`(?s)Candidate bindings: (.*?)(?:\n\n|\n?LINE |$)`)
	quoted     = regexp.MustCompile(`"([^"]+)"`)
	noTable    = regexp.MustCompile(`(?:Table|View) with name (\S+) does not exist`)
	meant      = regexp.MustCompile(`Did you mean "([^"]+)"`)
	aggregate  = regexp.MustCompile(`must appear in the GROUP BY clause|cannot contain aggregates|aggregate functions are not allowed|aggregate function calls cannot be nested|must appear in the GROUP BY`)
	ambiguous  = regexp.MustCompile(`Ambiguous reference to column name`)
)

// failed is the error of a message of the engine.
func failed(message string) error {
	kind, _, _ := strings.Cut(message, ":")
	e := &backend.Error{Code: backend.Failed, Message: backend.Clean(message)}
	switch {
	case strings.HasPrefix(kind, "INTERRUPT"):
		return backend.AsError(context.Canceled)
	case strings.HasPrefix(kind, "Out of Memory"):
		e.Code, e.Message = backend.TooLarge, "the query needs more memory than it may use"
		e.Hint = "aggregate more, or narrow the range"
	case strings.HasPrefix(kind, "FATAL"):
		e.Code, e.Message = backend.Unavailable, "DuckDB has failed"
	case strings.HasPrefix(kind, "Permission"):
		e.Code = backend.Rejected
	}
	if m := unknown.FindStringSubmatch(message); m != nil {
		e.Code, e.Name, e.Repairable = backend.UnknownColumn, m[1]+m[2], true
		if list := candidates.FindStringSubmatch(message); list != nil {
			for _, n := range quoted.FindAllStringSubmatch(list[1], -1) {
				e.Near = append(e.Near, n[1])
			}
		}
	}
	if m := noTable.FindStringSubmatch(message); m != nil {
		e.Name = m[1]
		if n := meant.FindStringSubmatch(message); n != nil {
			e.Near = []string{n[1]}
		}
	}
	e.Repairable = e.Repairable || aggregate.MatchString(message) || ambiguous.MatchString(message)
	return e
}

// raw is the text of a column in the first row, as long as it is.
func (r *rows) raw(column int) (string, error) {
	if _, err := r.Next(); err != nil {
		return "", err
	}
	if column >= len(r.vectors) || r.vectors[column].id != bindings.TypeVarchar {
		return "", &backend.Error{Code: backend.Failed, Message: "DuckDB gives no text"}
	}
	return strings.Clone(r.vectors[column].text(r.at - 1)), nil
}
