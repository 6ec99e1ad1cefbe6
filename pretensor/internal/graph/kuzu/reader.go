package kuzu

import "context"

// Reader is a graph that is open for reading. It may be used by any number of
// goroutines at once.
type Reader struct{ engine *engine }

// Open opens the graph at path for reading. It fails with ErrNotFound when there is
// none. Any number of readers may have one file open.
func Open(path string, l Limits) (*Reader, error) {
	e, err := openEngine(path, l, true)
	if err != nil {
		return nil, err
	}
	return &Reader{e}, nil
}

// Query runs a query. Errors of the engine are an *Error; ErrTimeout and ctx's error
// come within 250 ms of their cause; ErrClosed after Close.
//
// A query that somebody else wrote must have passed [cypher.Check] before: a graph
// that is open for reading still lets a query write files.
//
// Values are nil, bool, int64, float64, string, [encoding/json.Number], []any and
// [Object]. An integer beyond 2^53 is a string, and so are a float that is no
// number, a UUID and an interval; a decimal is a number while it has at most 15
// digits. Dates and times are in ISO form, in UTC; binary values in base64. A node
// is {_label, …properties}, an edge {_type, _from, _to, …properties} with the keys of
// its ends, a path {nodes, rels}; properties without a value and the engine's own
// ids are left out. A vector inside of another value is "<vector N>"; as a column of
// the result it is the list.
func (r *Reader) Query(ctx context.Context, text string, o Options) (*Result, error) {
	return r.engine.query(ctx, text, o)
}

// Close waits for the queries that run and closes the graph. It may be called more
// than once.
func (r *Reader) Close() { r.engine.close() }
