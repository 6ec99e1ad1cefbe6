package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/pool"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Graphs runs queries on the graphs of the connections. Where visibility rules are
// active, that is a copy with nothing in it but what may be seen, made of the
// catalog when it is first asked for and anew for each index: no filter of answers
// could undo what a count or a condition tells. It may be used by several goroutines.
type Graphs struct {
	o       GraphsOptions
	closing context.CancelFunc
	ctx     context.Context // of the writing of copies
	writing sync.WaitGroup

	mu     sync.Mutex
	closed bool
	temp   *os.File // a folder for copies and of the pool; nil until it is needed
	pool   *pool.Pool
	copies map[string]*copied // by connection
	made   int                // copies
}

// GraphsOptions say where graphs are and how they are made.
type GraphsOptions struct {
	Dir *state.Dir
	// Write writes the graph of a catalog into a file.
	Write func(ctx context.Context, path string, c *catalog.Catalog) error
	// Executable is a program that hands over to [pool.Child]; empty: the running one.
	Executable string
	Log        *slog.Logger // nil is silent
}

// copied is the copy of a connection's graph.
type copied struct {
	of   *catalog.Catalog
	done chan struct{} // closed when it is written, or err says why not
	err  error
	pool.Graph
}

// NewGraphs returns graphs, of which nothing is opened before the first query.
func NewGraphs(o GraphsOptions) *Graphs {
	g := &Graphs{o: o, copies: map[string]*copied{}}
	g.ctx, g.closing = context.WithCancel(context.Background())
	return g
}

// Close ends the queries that run, and removes the copies.
func (g *Graphs) Close() {
	g.closing()
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.writing.Wait()
	if g.pool != nil {
		g.pool.Close()
	}
	if g.temp != nil {
		if err := errors.Join(os.RemoveAll(g.temp.Name()), g.temp.Close()); err != nil && g.o.Log != nil {
			g.o.Log.Warn("a temporary folder is left", "error", err)
		}
		g.temp = nil
	}
}

// open makes what the first query needs.
func (g *Graphs) open() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return pool.ErrClosed
	case g.temp != nil:
		return nil
	}
	sweepTemp()
	temp, err := makeTemp()
	if err != nil {
		return fmt.Errorf("%w: %w", pool.ErrUnavailable, err)
	}
	g.temp, g.pool = temp, pool.New(pool.Options{Executable: g.o.Executable, Dir: temp.Name(), Log: g.o.Log})
	return nil
}

// tempPrefix is how the names of folders for temporary files begin.
const tempPrefix = "pretensor-graphs-"

// makeTemp makes a folder for temporary files. It is in use as long as the file that
// stands for it is open, which the system sees to when the process is killed.
func makeTemp() (*os.File, error) {
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(dir)
	if err == nil {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH); err == nil {
			return f, nil
		}
		f.Close()
	}
	return nil, errors.Join(err, os.Remove(dir))
}

// sweepTemp removes the folders of servers that were killed. What it cannot remove
// stays.
func sweepTemp() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), tempPrefix+"*"))
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		// A new one may not be locked yet.
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Getuid() {
			continue
		}
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(dir)
		}
		f.Close()
	}
}

// query runs a query on the graph of a database; see [pool.Pool.Query] for the result
// and the errors. filtered says that its catalog is not the whole.
func (g *Graphs) query(ctx context.Context, d database, filtered bool, text string, o kuzu.Options) (*kuzu.Result, error) {
	if err := g.open(); err != nil {
		return nil, err
	}
	began := time.Now()
	file, err := g.whole(d)
	if filtered {
		file, err = g.copy(ctx, d, o.Timeout)
	}
	if err != nil {
		return nil, err
	}
	if o.Timeout -= time.Since(began); o.Timeout <= 0 {
		return nil, kuzu.ErrTimeout
	}
	return g.pool.Query(ctx, file, text, o)
}

// whole is the graph file that the index wrote.
func (g *Graphs) whole(d database) (pool.Graph, error) {
	path, err := g.o.Dir.Graph(d.Entry.Name)
	if err != nil {
		return pool.Graph{}, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return pool.Graph{}, kuzu.ErrNotFound
	}
	return pool.Graph{Key: d.Entry.Generation, Path: path}, nil
}

// errWriting says that a copy is not ready in time. It is written all the same.
var errWriting = errors.New("the graph is being prepared")

// copy is the copy that holds what the catalog of a database does.
func (g *Graphs) copy(ctx context.Context, d database, limit time.Duration) (pool.Graph, error) {
	c, err := g.copyOf(d)
	if err != nil {
		return pool.Graph{}, err
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-ctx.Done():
		return pool.Graph{}, ctx.Err()
	case <-timer.C:
		return pool.Graph{}, errWriting
	}
	return c.Graph, c.err
}

func (g *Graphs) copyOf(d database) (*copied, error) {
	name, err := state.FileName(d.Entry.Name)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.copies[name]
	switch {
	case g.closed:
		return nil, pool.ErrClosed
	case before != nil && before.of == d.Catalog:
		return before, nil
	}
	g.made++
	c := &copied{of: d.Catalog, done: make(chan struct{}), Graph: pool.Graph{Key: strconv.Itoa(g.made), Path: filepath.Join(g.temp.Name(), name+".kuzu")}}
	g.copies[name] = c
	g.writing.Go(func() {
		if before != nil {
			<-before.done // it has the same file
		}
		c.err = g.o.Write(g.ctx, c.Path, d.Catalog)
		if c.err != nil { // the next call tries again
			g.mu.Lock()
			if g.copies[name] == c {
				delete(g.copies, name)
			}
			g.mu.Unlock()
		}
		close(c.done)
	})
	return c, nil
}
