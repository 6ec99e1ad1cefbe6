// Package engine answers questions about tables in memory. An [Engine] is one
// caller's catalog: named tables that are loaded, queried, extended and dropped.
// Every call works on the snapshot of the tables that was current when it began;
// tables are immutable, so that a replaced or dropped one lives on until the last
// call on it ends.
//
// The packages below do the work: read loads files into col tables; expr, query
// and sqlfront turn text into a plan; exec runs it; vec compares embeddings.
// None of them knows about the protocol.
package engine

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Options tune an engine. The zero value runs on one thread without bounds.
type Options struct {
	Threads int              // workers for one call
	Budget  *mem.Budget      // shared by tables and calls; nil: none
	Now     func() time.Time // for today() and now(); nil: the system's clock
}

// Engine is a catalog of tables. It is safe for concurrent use.
type Engine struct {
	opts Options

	mu     sync.RWMutex
	tables []*snapshot // in load order
	closed bool
}

// New returns an engine without tables.
func New(o Options) *Engine {
	o.Threads = max(1, o.Threads)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Engine{opts: o}
}

// Close drops all tables. What a call that is still running makes afterwards is
// dropped as well.
func (e *Engine) Close() {
	e.mu.Lock()
	tables := e.tables
	e.tables, e.closed = nil, true
	e.mu.Unlock()
	var size int64
	for i, s := range tables {
		size += s.Bytes()
		s.release()
		tables[i] = nil
	}
	giveBack(size)
}

// snapshot is one state of one table. The catalog holds one reference, every
// running call another.
type snapshot struct {
	*col.Table
	// memory is what the table holds of the budget: under "" for what was loaded,
	// under a column's name for one that AddColumn made. States of a table share
	// the holdings of the columns they share.
	memory map[string]*holding
	refs   atomic.Int64

	describe    sync.Mutex
	description []ColumnDescription // nil until first asked for
}

func newSnapshot(t *col.Table, memory map[string]*holding) *snapshot {
	s := &snapshot{Table: t, memory: memory}
	for _, h := range memory {
		h.refs.Add(1)
	}
	s.refs.Store(1)
	return s
}

// release gives one reference back; with the last one the memory returns to
// the budget.
func (s *snapshot) release() {
	if s.refs.Add(-1) > 0 {
		return
	}
	for _, h := range s.memory {
		if h.refs.Add(-1) == 0 {
			h.lease.Close()
		}
	}
}

// holding is a lease shared by the states of a table.
type holding struct {
	lease *mem.Lease
	refs  atomic.Int64
}

// Error is a mistake of the caller that the engine itself finds. Code is stable.
type Error struct {
	Code       string
	Message    string
	Candidates []string // names that were probably meant, the nearest first
}

func (e *Error) Error() string { return caret.Line(e.Message) }

// acquire returns the table called name, exactly or else as the only one that
// differs in case alone. The caller must release it.
func (e *Engine) acquire(name string) (*snapshot, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	i, err := e.find(name)
	if err != nil {
		return nil, err
	}
	e.tables[i].refs.Add(1)
	return e.tables[i], nil
}

// find needs e.mu.
func (e *Engine) find(name string) (int, error) {
	for i, s := range e.tables {
		if s.Name == name {
			return i, nil
		}
	}
	var folded []int
	for i, s := range e.tables {
		if strings.EqualFold(s.Name, name) {
			folded = append(folded, i)
		}
	}
	if len(folded) == 1 {
		return folded[0], nil
	}
	names := make([]string, len(e.tables))
	for i, s := range e.tables {
		names[i] = s.Name
	}
	return 0, noTable(name, names)
}

// noTable words the refusal of an unknown table.
func noTable(name string, loaded []string) *Error {
	if len(loaded) == 0 {
		return &Error{Code: "unknown_table", Message: "No table is loaded yet; load_file loads one."}
	}
	const most = 20
	shown := make([]string, min(most, len(loaded)))
	for i := range shown {
		shown[i] = caret.Clean(loaded[i])
	}
	list := strings.Join(shown, ", ")
	if n := len(loaded) - most; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	e := &Error{
		Code:       "unknown_table",
		Message:    fmt.Sprintf("There is no table %s. Loaded: %s.", caret.Quote(name), list),
		Candidates: nearest.Find(name, loaded, 5),
	}
	if len(e.Candidates) > 0 {
		e.Message += fmt.Sprintf(" Did you mean %s?", caret.Clean(e.Candidates[0]))
	}
	return e
}

// put publishes a snapshot under its table's name, in the place of the one that
// had it.
func (e *Engine) put(s *snapshot) {
	e.mu.Lock()
	i := slices.IndexFunc(e.tables, func(o *snapshot) bool { return o.Name == s.Name })
	var old *snapshot // what leaves the catalog
	switch {
	case e.closed:
		old = s
	case i < 0:
		e.tables = append(e.tables, s)
	default:
		old, e.tables[i] = e.tables[i], s
	}
	e.mu.Unlock()
	if old != nil {
		old.release()
	}
}

// Drop removes a table and returns its name as it was loaded.
func (e *Engine) Drop(name string) (string, error) {
	e.mu.Lock()
	i, err := e.find(name)
	if err != nil {
		e.mu.Unlock()
		return "", err
	}
	s := e.tables[i]
	e.tables = slices.Delete(e.tables, i, i+1)
	e.mu.Unlock()
	name, size := s.Name, s.Bytes()
	s.release()
	giveBack(size)
	return name, nil
}

// giveBack returns the memory of tables that were dropped to the system. The
// collector alone keeps it for minutes, for allocations to come.
func giveBack(size int64) {
	if size >= 16<<20 { // less is not worth a collection
		debug.FreeOSMemory()
	}
}

// TableInfo describes a table without looking at its rows.
type TableInfo struct {
	Name    string
	Source  string // the path as the caller wrote it
	Rows    int
	Columns []ColumnInfo
}

// ColumnInfo is a column's name and kind: number, category, date or text.
type ColumnInfo struct{ Name, Kind string }

// Tables lists the tables in load order.
func (e *Engine) Tables() []TableInfo {
	e.mu.RLock()
	defer e.mu.RUnlock()
	infos := make([]TableInfo, len(e.tables))
	for i, s := range e.tables {
		infos[i] = infoOf(s.Table)
	}
	return infos
}

func infoOf(t *col.Table) TableInfo {
	return TableInfo{Name: t.Name, Source: t.Source, Rows: t.Rows, Columns: columnsOf(t)}
}

func columnsOf(t *col.Table) []ColumnInfo {
	infos := make([]ColumnInfo, len(t.Columns))
	for i, c := range t.Columns {
		infos[i] = ColumnInfo{Name: c.Name, Kind: c.Kind.String()}
	}
	return infos
}

// env fixes the clock for one call.
func (e *Engine) env() plan.Env { return plan.Env{Now: e.opts.Now()} }

// run returns exec's options for one call that builds at most limit rows.
func (e *Engine) run(limit int, progress func(done, total int64)) exec.Options {
	return exec.Options{Threads: e.opts.Threads, Limit: limit, Budget: e.opts.Budget, Progress: progress}
}
