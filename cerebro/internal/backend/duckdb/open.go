// Package duckdb reads a DuckDB file.
//
// The file is opened read-only by one instance of the engine, which reaches nothing
// else: no other file, no network, no extension; and whose configuration is locked.
// Each statement has a connection of its own. The engine is used through its C
// interface, because the driver for database/sql has every row of a result in
// memory before it gives the first: here rows come as they are made, and a reader
// that stops stops the engine.
package duckdb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
)

// Options are how a file is opened.
type Options struct {
	Path        string
	MemoryLimit string // 2GB
	Threads     int
	TempLimit   string // 4GB
	// TempDir is where the engine puts what does not fit in memory; empty is a
	// folder of the system's.
	TempDir string
}

// Database is a DuckDB file. It is opened when it is first needed, and again when
// the file has been replaced.
type Database struct {
	options Options

	mu      sync.Mutex
	current *instance
	closed  bool
}

var _ backend.Backend = (*Database)(nil)

// New returns the database of a file and touches nothing yet.
func New(o Options) *Database { return &Database{options: o} }

// Kind is DuckDB.
func (d *Database) Kind() backend.Kind { return backend.DuckDB }

// Writable is empty: a file that is opened read-only cannot be changed.
func (d *Database) Writable(context.Context) (string, error) { return "", nil }

// instance is the engine with one state of the file open.
type instance struct {
	db    bindings.Database
	file  fs.FileInfo
	temp  string
	users int  // statements that run on it
	old   bool // closed when the last of its users is done
}

// acquire gives the instance of the file as it is now. It must be released.
func (d *Database) acquire() (*instance, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, unavailable("the server is stopping", "")
	}
	info, err := os.Stat(d.options.Path)
	if err != nil || !info.Mode().IsRegular() {
		d.retire()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, unavailable("the DuckDB file cannot be read", "check DUCKDB_PATH and the permissions of the file")
		}
		return nil, unavailable("there is no DuckDB file", "check DUCKDB_PATH, or build the demo with `cerebro demo`")
	}
	if d.current != nil && !same(d.current.file, info) {
		d.retire()
	}
	if d.current == nil {
		i, err := d.open()
		if err != nil {
			return nil, err
		}
		i.file = info
		d.current = i
	}
	d.current.users++
	return d.current, nil
}

// same says that a file was neither replaced nor written to.
func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func (d *Database) release(i *instance) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i.users--; i.users == 0 && i.old {
		i.close()
	}
}

// retire has the current instance closed as soon as nothing runs on it.
func (d *Database) retire() {
	if d.current == nil {
		return
	}
	d.current.old = true
	if d.current.users == 0 {
		d.current.close()
	}
	d.current = nil
}

func (i *instance) close() {
	bindings.Close(&i.db)
	if i.temp != "" {
		_ = os.RemoveAll(i.temp) // a leftover there harms nobody
	}
}

// Close closes the file when nothing runs on it any more.
func (d *Database) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.retire()
	return nil
}

// open opens the file and locks the engine.
func (d *Database) open() (*instance, error) {
	i := &instance{}
	temp, err := os.MkdirTemp(d.options.TempDir, "cerebro-duckdb-")
	if err == nil {
		i.temp = temp
	}
	if err := d.start(i); err != nil {
		if i.temp != "" {
			_ = os.RemoveAll(i.temp)
		}
		return nil, err
	}
	if err := i.lock(); err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

// start opens the file with every setting that is one of opening.
func (d *Database) start(i *instance) error {
	var config bindings.Config
	if bindings.CreateConfig(&config) == bindings.StateError {
		return unavailable("DuckDB does not start", "")
	}
	defer bindings.DestroyConfig(&config)
	settings := [][2]string{
		{"access_mode", "READ_ONLY"},
		{"memory_limit", d.options.MemoryLimit},
		{"threads", strconv.Itoa(max(1, d.options.Threads))},
		{"temp_directory", i.temp},
		{"max_temp_directory_size", d.options.TempLimit},
		{"autoinstall_known_extensions", "false"},
		{"autoload_known_extensions", "false"},
		{"allow_community_extensions", "false"},
	}
	for _, s := range settings {
		if s[1] == "" {
			continue
		}
		if bindings.SetConfig(config, s[0], s[1]) == bindings.StateError {
			return unavailable(fmt.Sprintf("DuckDB does not take %q for %s", s[1], s[0]), "check the settings DUCKDB_MEMORY_LIMIT, DUCKDB_THREADS and DUCKDB_TEMP_LIMIT")
		}
	}
	path, err := filepath.Abs(d.options.Path)
	if err != nil {
		return unavailable("the DuckDB file cannot be found", "check DUCKDB_PATH")
	}
	var message string
	if bindings.OpenExt(path, &i.db, config, &message) == bindings.StateError {
		bindings.Close(&i.db)
		return unopened(message)
	}
	return nil
}

// lock takes from the engine what it has no need for and proves that it is gone.
func (i *instance) lock() error {
	c, err := i.connect()
	if err != nil {
		return err
	}
	defer c.close()
	for _, s := range []string{"SET enable_external_access = false", "SET lock_configuration = true"} {
		if err := c.exec(s); err != nil {
			return unavailable("DuckDB cannot be locked: "+backend.Clean(err.Error()), "")
		}
	}
	// The locks are of no use unless they hold.
	if c.exec("SET enable_external_access = true") == nil || c.exec("SET threads = 1") == nil {
		return unavailable("DuckDB cannot be locked: its settings can still be changed", "")
	}
	return nil
}

func unavailable(message, hint string) error {
	return &backend.Error{Code: backend.Unavailable, Message: message, Hint: hint}
}

// unopened says why a file does not open.
func unopened(message string) error {
	switch m := strings.ToLower(message); {
	case strings.Contains(m, "lock"):
		return unavailable("another process is writing to the DuckDB file", "try again when it is done")
	case strings.Contains(m, "not a valid duckdb") || strings.Contains(m, "corrupt") || strings.Contains(m, "serialization"):
		return unavailable("the DuckDB file is damaged or is no DuckDB database", "build it again, or check DUCKDB_PATH")
	case strings.Contains(m, "permission"):
		return unavailable("the DuckDB file cannot be read", "check its permissions")
	case strings.Contains(m, "version"):
		return unavailable("the DuckDB file is of a version that this engine does not read", "build it with DuckDB "+bindings.LibraryVersion())
	}
	return unavailable("the DuckDB file does not open: "+backend.Clean(message), "check DUCKDB_PATH")
}
