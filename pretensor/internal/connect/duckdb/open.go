package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
)

var _ connect.Connector = (*Connector)(nil)

// Connector is an open file, and others attached to it.
type Connector struct {
	db      *sql.DB
	conn    *sql.Conn
	files   []file
	observe func(statement string) // of tests
}

// file is a file and the catalog that it is in the engine.
type file struct{ path, catalog string }

// label is what the file may be called in a message.
func (f file) label() string { return filepath.Base(f.path) }

// settings shut the engine in and bound it; a catalog needs little of the machine.
const settings = "?access_mode=automatic&autoinstall_known_extensions=false&autoload_known_extensions=false" +
	"&allow_unsigned_extensions=false&allow_persistent_secrets=false&threads=2&memory_limit=512MB"

// Open opens the file at path for reading. Files in attach are opened beside it, and
// their tables are part of the introspection; views of the one may read tables of
// the others by the name of their file. The error is a *connect.Error.
func Open(ctx context.Context, path string, attach ...string) (connect.Connector, error) {
	c, err := open(ctx, path, attach, nil)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func open(ctx context.Context, path string, attach []string, observe func(string)) (_ *Connector, err error) {
	c := &Connector{observe: observe}
	for _, p := range append([]string{path}, attach...) {
		f := file{path: p}
		if err := f.check(); err != nil {
			return nil, err
		}
		f.catalog = c.catalogName(p)
		c.files = append(c.files, f)
	}
	ctx, cancel := context.WithTimeout(ctx, connect.ConnectTimeout)
	defer cancel()
	// The files are attached to an empty database in memory: as the database itself
	// their path would be part of a URL, and one that this process has open with other
	// settings could not be opened.
	connector, err := duckdb.NewConnector(":memory:"+settings, nil)
	if err != nil {
		return nil, &connect.Error{Category: connect.Unavailable, Message: "the DuckDB engine did not start", Err: err}
	}
	c.db = sql.OpenDB(connector)
	c.db.SetMaxOpenConns(1)
	defer func() {
		if err != nil {
			_ = c.Close()
		}
	}()
	if c.conn, err = c.db.Conn(ctx); err != nil {
		return nil, &connect.Error{Category: connect.Unavailable, Message: "the DuckDB engine did not start", Err: err}
	}
	for _, f := range c.files {
		if err := c.exec(ctx, "ATTACH "+quoteText(f.path)+" AS "+quoteName(f.catalog)+" (READ_ONLY, TYPE duckdb)"); err != nil {
			return nil, f.unavailable(ctx, err)
		}
	}
	for _, s := range []string{"USE " + quoteName(c.files[0].catalog), "SET enable_external_access=false", "SET lock_configuration=true"} {
		if err := c.exec(ctx, s); err != nil {
			return nil, c.files[0].unavailable(ctx, err)
		}
	}
	return c, nil
}

// check refuses what the disk shows to be no database file.
func (f file) check() error {
	fail := func(what string, err error) error {
		return &connect.Error{Category: connect.Unavailable, Message: fmt.Sprintf("database file %q %s", f.label(), what), Err: err}
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fail("does not exist", err)
	case err != nil:
		return fail("cannot be read", err)
	case !info.Mode().IsRegular():
		return fail("is not a regular file", nil)
	}
	r, err := os.Open(f.path)
	if err != nil {
		return &connect.Error{Category: connect.PermissionDenied, Message: fmt.Sprintf("database file %q may not be read", f.label()), Err: err}
	}
	return r.Close()
}

// catalogName is the engine's own name for a file: its name up to the first dot.
// Names that the engine has itself, or that an earlier file has, get an underscore.
func (c *Connector) catalogName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	if name == "" {
		name = "db"
	}
	taken := func() bool {
		switch strings.ToLower(name) {
		case "memory", "system", "temp", "main":
			return true
		}
		for _, f := range c.files {
			if strings.EqualFold(f.catalog, name) {
				return true
			}
		}
		return false
	}
	for taken() {
		name += "_"
	}
	return name
}

var lockHolder = regexp.MustCompile(`PID (\d+)`)

// unavailable says why the engine did not take the file.
func (f file) unavailable(ctx context.Context, err error) error {
	e := &connect.Error{Category: connect.Unavailable, Err: err, Message: fmt.Sprintf("database file %q cannot be opened", f.label())}
	text := strings.ReplaceAll(err.Error(), f.path, "") // a path may hold any word
	switch {
	case ctx.Err() != nil:
		e.Category, e.Message = connect.Timeout, fmt.Sprintf("opening database file %q took too long", f.label())
	case strings.Contains(text, "Could not set lock"), strings.Contains(text, "already attached"):
		by := "another program"
		if m := lockHolder.FindStringSubmatch(text); m != nil {
			by = "process " + m[1]
		}
		e.Message = fmt.Sprintf("database file %q is locked: %s has it open for writing", f.label(), by)
		e.Hint = "close that program, or index a copy of the file"
	case strings.Contains(text, "not a valid DuckDB database file"):
		e.Message = fmt.Sprintf("%q is not a DuckDB database file", f.label())
	case strings.Contains(text, "encrypted"), strings.Contains(text, "encryption"):
		e.Message = fmt.Sprintf("database file %q is encrypted", f.label())
	case strings.Contains(text, "version number"):
		e.Message = fmt.Sprintf("database file %q was written by another version of DuckDB", f.label())
		e.Hint = "export it there, and import it with the current version"
	}
	return e
}

// Ping implements connect.Connector.
func (c *Connector) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connect.ConnectTimeout)
	defer cancel()
	if err := c.exec(ctx, "SELECT 1"); err != nil {
		return c.files[0].unavailable(ctx, err)
	}
	return nil
}

// Close implements connect.Connector. It may be called more than once.
func (c *Connector) Close() error {
	var err error
	if c.conn != nil {
		if err = c.conn.Close(); errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) {
			err = nil
		}
	}
	return errors.Join(err, c.db.Close())
}

func (c *Connector) exec(ctx context.Context, statement string) error {
	if c.observe != nil {
		c.observe(statement)
	}
	_, err := c.conn.ExecContext(ctx, statement)
	return err
}

func (c *Connector) query(ctx context.Context, statement string) (*sql.Rows, error) {
	if c.observe != nil {
		c.observe(statement)
	}
	return c.conn.QueryContext(ctx, statement)
}

func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
