package engine

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/expr"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// LoadRequest names what to load. Name "" means [DefaultName] of the source.
type LoadRequest struct {
	Source   input.Source
	Name     string
	Types    map[string]string // column → number, category, date, string or text
	Progress func(done, total int64)
}

// Loaded is the outcome of a load.
type Loaded struct {
	TableInfo
	Sample Rows
	Read   *input.Result
}

// Load reads a file into a table. A table of that name is replaced once the new
// one is complete; when loading fails it stays as it was.
func (e *Engine) Load(ctx context.Context, req LoadRequest) (*Loaded, error) {
	if len(req.Name) > maxTableName {
		return nil, &Error{Code: "bad_name", Message: fmt.Sprintf("name has %d bytes; a table's name has at most %d.", len(req.Name), maxTableName)}
	}
	lease := &mem.Lease{Budget: e.opts.Budget}
	res, err := read.Load(ctx, req.Source, input.Options{
		Types: req.Types, Threads: e.opts.Threads, Lease: lease, Progress: req.Progress,
	})
	if err != nil {
		lease.Close()
		return nil, err
	}
	t := res.Table
	t.Name, t.Source = req.Name, req.Source.Name
	if t.Name == "" {
		t.Name = DefaultName(req.Source.Name)
	}
	if err := lease.Resize(t.Bytes()); err != nil {
		lease.Close()
		return nil, err
	}
	e.put(newSnapshot(t, map[string]*holding{"": {lease: lease}}))
	return &Loaded{TableInfo: infoOf(t), Sample: head(t, 5), Read: res}, nil
}

// maxTableName is the most bytes of a name that a caller gives to a table.
const maxTableName = 128

// DefaultName derives a table's name from a path: the base name without its last
// extension, with every character but letters, digits and _ replaced by _;
// "table" if nothing is left.
func DefaultName(p string) string {
	base := path.Base(p)
	base = strings.TrimSuffix(base, path.Ext(base))
	name := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, base)
	if name == "" {
		return "table"
	}
	return name
}

// AddColumn extends a table by a computed column and returns the new state with
// its first rows. A column computed earlier is replaced, a stored one is not.
func (e *Engine) AddColumn(ctx context.Context, table, name, expression string, progress func(done, total int64)) (*Loaded, error) {
	if err := checkColumnName(name); err != nil {
		return nil, err
	}
	for {
		loaded, err := e.addColumn(ctx, table, name, expression, progress)
		if loaded != nil || err != nil {
			return loaded, err
		}
		// Another call replaced the table meanwhile: compute on its new state.
	}
}

// addColumn makes one attempt; it returns nil, nil when the table changed under it.
func (e *Engine) addColumn(ctx context.Context, table, name, expression string, progress func(done, total int64)) (*Loaded, error) {
	s, err := e.acquire(table)
	if err != nil {
		return nil, err
	}
	defer s.release()
	at := s.Index(name)
	if at >= 0 && s.memory[name] == nil {
		return nil, &Error{Code: "column_exists", Message: fmt.Sprintf(
			"%s already has a column %s, which was loaded from %s; choose another name.", caret.Quote(s.Name), caret.Quote(name), caret.Quote(s.Source))}
	}
	value, err := expr.Compile(expression, plan.NewScan(s.Table, "").Schema(), e.env())
	if err != nil {
		return nil, err
	}
	c, err := exec.Materialize(ctx, s.Table, value, name, e.run(0, progress))
	if err != nil {
		return nil, err
	}
	lease := &mem.Lease{Budget: e.opts.Budget}
	if err := lease.Grow(c.Bytes()); err != nil {
		return nil, err
	}
	t := *s.Table
	memory := maps.Clone(s.memory)
	memory[name] = &holding{lease: lease}
	if at >= 0 {
		t.Columns = slices.Clone(s.Columns)
		t.Columns[at] = c
	} else {
		t.Columns = append(slices.Clip(s.Columns), c)
	}
	next := newSnapshot(&t, memory)
	if !e.swap(s, next) {
		next.release()
		return nil, nil
	}
	return &Loaded{TableInfo: infoOf(&t), Sample: head(&t, 3)}, nil
}

// swap puts next in the place of s, if s is still current.
func (e *Engine) swap(s, next *snapshot) bool {
	e.mu.Lock()
	i := slices.Index(e.tables, s)
	if i >= 0 {
		e.tables[i] = next
	}
	e.mu.Unlock()
	if i >= 0 {
		s.release()
	}
	return i >= 0
}

func checkColumnName(name string) error {
	const most = 1024
	switch {
	case strings.TrimSpace(name) == "":
		return &Error{Code: "bad_name", Message: "name is empty; give the new column a name."}
	case len(name) > most:
		return &Error{Code: "bad_name", Message: fmt.Sprintf("name has %d bytes; a column's name has at most %d.", len(name), most)}
	}
	return nil
}
