// Package input holds what every file reader takes and returns: a [Source] to
// read, [Options], and a [Result]. It also reads the caller's choice of column
// kinds ([Kinds]) and words the mistakes that all readers share ([Error]).
package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
)

// Limits that every reader keeps.
const (
	MaxRecord  = 64 << 20 // bytes of one CSV record or one JSON line
	MaxColumns = 16_384
	MaxName    = 1024 // bytes of a column's name
)

// Source is an opened file. R must allow concurrent calls of ReadAt, as an
// *os.File does; readers read up to Size and never by name again.
type Source struct {
	Name string // the path as the caller wrote it, for messages and the extension
	R    io.ReaderAt
	Size int64 // as seen when the file was opened
}

// ReadAt fills p from offset off, or says why it cannot. A file that has become
// shorter than Size is an [*Error].
func (s Source) ReadAt(p []byte, off int64) error {
	n, err := s.R.ReadAt(p, off)
	switch {
	case n == len(p):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return Errorf("'%s' became shorter while it was read; load it again when it is complete.", s.Name)
	}
	return fmt.Errorf("reading '%s': %w", s.Name, err)
}

// Options steer a load. The zero value loads without overrides on all threads,
// without a limit on memory.
type Options struct {
	Types    map[string]string       // column → number, category, string, text or date
	Threads  int                     // ≤ 0: GOMAXPROCS
	Lease    *mem.Lease              // grows with what is loaded; nil: no limit. After an error its owner closes it
	Progress func(done, total int64) // bytes of the file; calls do not overlap, done never falls; may be nil
}

// WithDefaults returns o with Threads and Lease set.
func (o Options) WithDefaults() Options {
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Lease == nil {
		o.Lease = new(mem.Lease)
	}
	return o
}

// Result is a loaded file. The table's Name and Source are left to the caller.
type Result struct {
	Table          *col.Table
	Skipped        int             // JSON lines that were skipped
	SkipReason     string          // why the first of them was
	Ragged         int             // CSV records with more or fewer cells than the header
	Unparsed       map[string]int  // column named in Types → cells made missing because they did not parse; no zeros
	Replaced       int             // cells in which bytes that are not UTF-8 became U+FFFD
	SkippedColumns []SkippedColumn // columns that the reader cannot represent
}

// SkippedColumn names a column that is not in the table.
type SkippedColumn struct {
	Name, Reason string
}

// Error is a mistake in the file or in the call, worded for the caller.
type Error struct{ Message string }

func (e *Error) Error() string { return caret.Line(e.Message) }

// Errorf makes an [*Error].
func Errorf(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

// Empty is the refusal of a file without content.
func Empty(name string) error { return Errorf("'%s' is empty.", name) }

// Kind is the caller's choice for one column.
type Kind uint8

// The choices. Auto leaves the kind to the reader.
const (
	Auto Kind = iota
	Number
	Category
	Text
	Date
)

// Kinds returns, for each of the columns called names, what types asks for. A
// column is found by its exact name, else by the only one that differs in case.
func Kinds(names []string, types map[string]string) ([]Kind, error) {
	kinds := make([]Kind, len(names))
	asked := make([]string, 0, len(types))
	for name := range types {
		asked = append(asked, name)
	}
	slices.Sort(asked) // the same complaint every time
	for _, name := range asked {
		i, err := lookup(names, name)
		if err != nil {
			return nil, err
		}
		kind, ok := kindOf(types[name])
		if !ok {
			return nil, Errorf("types asks for '%s' in column '%s'; it takes number, category, date, string or text.", types[name], name)
		}
		kinds[i] = kind
	}
	return kinds, nil
}

func kindOf(word string) (Kind, bool) {
	switch word {
	case "number":
		return Number, true
	case "category":
		return Category, true
	case "string", "text":
		return Text, true
	case "date":
		return Date, true
	}
	return Auto, false
}

func lookup(names []string, name string) (int, error) {
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	found := -1
	for i, n := range names {
		if strings.EqualFold(n, name) {
			if found >= 0 {
				return 0, Errorf("types names the column '%s', which the file has not in that case; it has '%s' and '%s'.", name, names[found], n)
			}
			found = i
		}
	}
	if found >= 0 {
		return found, nil
	}
	if best := nearest.Best(name, names); best != "" {
		return 0, Errorf("types names the column '%s', which the file does not have; did you mean '%s'?", name, best)
	}
	return 0, Errorf("types names the column '%s', which the file does not have.", name)
}

// Names makes names out of what a file calls its columns: an empty one becomes
// columnN, N being its place from 1, and one that is taken gets _2, _3 and so on.
// The error is an [*Error] about a name or a number of names over the limits.
func Names(file string, raw []string) ([]string, error) {
	if len(raw) > MaxColumns {
		return nil, Errorf("'%s' has more than %s columns, the most that Vectro reads.", file, "16,384")
	}
	names := make([]string, len(raw))
	taken := make(map[string]bool, len(raw))
	for _, name := range raw {
		taken[name] = true
	}
	given := make(map[string]bool, len(raw))
	next := map[string]int{} // the number to try next for a name
	for i, name := range raw {
		if len(name) > MaxName {
			return nil, Errorf("the name of column %d of '%s' has %d bytes; Vectro takes up to 1,024.", i+1, file, len(name))
		}
		base := name
		if name == "" {
			base = fmt.Sprintf("column%d", i+1)
			name = base
		}
		// A made-up name keeps clear of the names that the file itself gives.
		for n := max(2, next[base]); given[name] || name != raw[i] && taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
			next[base] = n + 1
		}
		given[name] = true
		names[i] = name
	}
	return names, nil
}

// Progress adds up bytes from several workers and reports them one call at a
// time. The zero value of Report is silence.
type Progress struct {
	Total  int64
	Report func(done, total int64)

	mu   sync.Mutex
	done int64
}

// Add counts n more bytes.
func (p *Progress) Add(n int64) {
	if p.Report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = min(p.done+n, p.Total)
	p.Report(p.done, p.Total)
}

// Each runs work(0) … work(n-1) on at most threads goroutines, which take the
// numbers in rising order, and waits for all of them. worker is the goroutine's
// number from 0. The first error (of the lowest number that failed) ends the run,
// as does the end of ctx.
func Each(ctx context.Context, threads, n int, work func(worker, i int) error) error {
	var (
		mu     sync.Mutex
		next   int
		failed = n // lowest number that failed
		first  error
		wg     sync.WaitGroup
	)
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next >= n || first != nil || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for w := range max(1, min(threads, n)) {
		wg.Go(func() {
			for {
				i, ok := take()
				if !ok {
					return
				}
				if err := work(w, i); err != nil {
					mu.Lock()
					if i < failed {
						failed, first = i, err
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	return first
}
