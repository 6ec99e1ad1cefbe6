package kuzu

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"sync"

	kuzu "github.com/kuzudb/go-kuzu"
)

// Limits bound what the engine takes of the machine. The zero value is the default.
type Limits struct {
	Buffer   uint64 // bytes of memory for pages; 0: 256 MiB
	Threads  uint64 // of one query; 0: as many as processors, at most 4
	Database uint64 // bytes of address space, the largest size of the file; 0: 8 GiB
}

// Default limits.
const (
	DefaultBuffer   = 256 << 20
	DefaultDatabase = 8 << 30
	maxThreads      = 4
)

func (l Limits) config(readOnly bool) kuzu.SystemConfig {
	c := kuzu.SystemConfig{BufferPoolSize: l.Buffer, MaxNumThreads: l.Threads, MaxDbSize: l.Database, EnableCompression: true, ReadOnly: readOnly}
	if c.BufferPoolSize == 0 {
		c.BufferPoolSize = DefaultBuffer
	}
	if c.MaxNumThreads == 0 {
		c.MaxNumThreads = uint64(min(runtime.GOMAXPROCS(0), maxThreads))
	}
	if c.MaxDbSize == 0 {
		c.MaxDbSize = DefaultDatabase
	}
	return c
}

// nowhere is a folder that cannot exist: files with relative names can be neither
// read nor written through the engine.
const nowhere = "/dev/null/none"

// engine is an open database and its connections.
type engine struct {
	db    *kuzu.Database
	dirs  []string // scrubbed from messages
	setup []string // run on each new connection

	mu      sync.Mutex
	idle    []*kuzu.Connection
	closed  bool
	running sync.WaitGroup
}

// openEngine opens the file at path. The engine tells only that it could not, so
// what can be known is checked before.
func openEngine(path string, l Limits, readOnly bool) (*engine, error) {
	name, dir := filepath.Base(path), filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("opening graph %q: its folder does not exist", name)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && readOnly:
		return nil, fmt.Errorf("opening graph %q: %w", name, ErrNotFound)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("opening graph %q: not a regular file", name)
	case err == nil && readOnly:
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("opening graph %q: not readable", name)
		}
		f.Close()
		if info.Size() == 0 { // to the engine it is a new graph
			return nil, fmt.Errorf("opening graph %q: damaged, there is nothing in it", name)
		}
	}
	db, err := kuzu.OpenDatabase(path, l.config(readOnly))
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("opening graph %q: damaged, of another version of the engine, or open for writing elsewhere", name)
	}
	e := &engine{db: db, dirs: []string{dir}}
	if readOnly {
		e.setup = []string{
			"CALL home_directory='" + nowhere + "'",
			"CALL file_search_path='" + nowhere + "'",
		}
	}
	return e, nil
}

// acquire returns a connection that nobody else uses until release.
func (e *engine) acquire() (*kuzu.Connection, error) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, ErrClosed
	}
	e.running.Add(1)
	if n := len(e.idle); n > 0 {
		c := e.idle[n-1]
		e.idle = e.idle[:n-1]
		e.mu.Unlock()
		return c, nil
	}
	e.mu.Unlock()

	c, err := kuzu.OpenConnection(e.db)
	if err != nil {
		c.Close()
		e.running.Done()
		return nil, classify(err, e.dirs...)
	}
	for _, s := range e.setup {
		r, err := c.Query(s)
		r.Close()
		if err != nil {
			c.Close()
			e.running.Done()
			return nil, classify(err, e.dirs...)
		}
	}
	return c, nil
}

func (e *engine) release(c *kuzu.Connection) {
	e.mu.Lock()
	e.idle = append(e.idle, c)
	e.mu.Unlock()
	e.running.Done()
}

// abandon leaves a graph unclosed that could not be written: when the engine could not
// write the end of a transaction, on a full disk for one, it ends the process on
// closing the connection of that, and waits forever on closing the graph alone.
func (e *engine) abandon() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.running.Wait()
	for _, c := range e.idle {
		runtime.SetFinalizer(c, nil)
	}
	runtime.SetFinalizer(e.db, nil)
	e.idle = nil
}

// close waits for the queries that run, then closes everything. Later calls wait
// too and do nothing else.
func (e *engine) close() {
	e.mu.Lock()
	first := !e.closed
	e.closed = true
	e.mu.Unlock()
	e.running.Wait()
	if !first {
		return
	}
	for _, c := range e.idle {
		c.Close()
	}
	e.idle = nil
	e.db.Close()
}
