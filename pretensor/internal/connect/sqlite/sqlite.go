// Package sqlite reads the structure of a SQLite file.
//
// The file is opened with mode=ro and query_only, so that it is never created,
// changed or checkpointed. What the catalog's table-valued pragmas do not tell
// (comments, check constraints, names of keys, expressions) is read out of the
// stored CREATE statements.
//
// A new connection has the database main alone, which is the only schema.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

// schemaName is the name of a connection's own database.
const schemaName = "main"

// busyTimeout bounds the wait for another process's lock.
const busyTimeout = 2 * time.Second

// Result codes of SQLite, without their extension.
const (
	codePerm     = 3
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeCorrupt  = 11
	codeCantOpen = 14
	codeAuth     = 23
	codeNotADB   = 26
)

type connector struct {
	db   *sql.DB
	name string // the file's name, without its folder
	size int64  // of the file, in bytes, when it was opened
	path string

	dataTimeout time.Duration // of one statement that reads rows
}

var _ connect.Connector = (*connector)(nil)

// Open opens the file that d.Path names, read-only. The file must exist. Every
// error is a [connect.Error], or that of ctx if it was cancelled.
func Open(ctx context.Context, d dsn.DSN) (connect.Connector, error) {
	c, err := open(ctx, d.Path, nil)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// open opens the file at path. wrap, if not nil, is put around the driver.
func open(ctx context.Context, path string, wrap func(driver.Connector) driver.Connector) (*connector, error) {
	c := &connector{name: filepath.Base(path), dataTimeout: connect.DataTimeout}
	if path == "" || strings.IndexByte(path, 0) >= 0 {
		return nil, &connect.Error{Category: connect.BadDSN, Message: "the data source name of a SQLite database has no file", Hint: "write sqlite:///path/to/file.db"}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, &connect.Error{Category: connect.BadDSN, Message: fmt.Sprintf("the path of %q has no absolute form", c.name), Err: err}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &connect.Error{Category: connect.Unavailable, Message: fmt.Sprintf("the SQLite file %q does not exist", c.name), Err: err}
	case errors.Is(err, fs.ErrPermission):
		return nil, &connect.Error{Category: connect.PermissionDenied, Message: fmt.Sprintf("the SQLite file %q may not be read", c.name), Err: err}
	case err != nil:
		return nil, &connect.Error{Category: connect.Unavailable, Message: fmt.Sprintf("the SQLite file %q is not available", c.name), Err: err}
	case !info.Mode().IsRegular():
		return nil, &connect.Error{Category: connect.BadDSN, Message: fmt.Sprintf("%q is not a file", c.name), Hint: "name the database file itself"}
	}
	c.size, c.path = info.Size(), path

	base, err := sqlite.NewConnector(source(path))
	if err != nil {
		return nil, &connect.Error{Category: connect.BadDSN, Message: fmt.Sprintf("the path of %q cannot be opened", c.name), Err: err}
	}
	if wrap != nil {
		base = wrap(base)
	}
	c.db = sql.OpenDB(base)
	c.db.SetMaxOpenConns(1)
	ctx, cancel := context.WithTimeout(ctx, connect.ConnectTimeout)
	defer cancel()
	if err := c.Ping(ctx); err != nil {
		c.db.Close()
		return nil, err
	}
	return c, nil
}

// source is the driver's name for a file that is opened read-only.
func source(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	query := url.Values{
		"mode":          {"ro"},
		"_busy_timeout": {fmt.Sprint(busyTimeout.Milliseconds())},
		"_query_only":   {"1"},
		"_pragma":       {"trusted_schema(0)"},
		"_defensive":    {"1"},
		"_error_rc":     {"1"},
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	return u.String()
}

// Ping reads the file's header.
func (c *connector) Ping(ctx context.Context) error {
	var version int64
	err := c.db.QueryRowContext(ctx, "PRAGMA main.schema_version").Scan(&version)
	return c.fail(ctx, "opening", err)
}

func (c *connector) Close() error { return c.db.Close() }

// fail tells in our words why a statement did not succeed; nil stays nil.
func (c *connector) fail(ctx context.Context, doing string, err error) error {
	if err == nil {
		return nil
	}
	what := fmt.Sprintf("%s the SQLite file %q", doing, c.name)
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("%s: %w", what, context.Canceled)
	}
	if ctx.Err() != nil {
		return &connect.Error{Category: connect.Timeout, Message: what + " took too long", Err: context.DeadlineExceeded}
	}
	e := &connect.Error{Category: connect.Unavailable, Message: what + ": it cannot be read", Err: err}
	var reason *sqlite.Error
	if !errors.As(err, &reason) {
		return e
	}
	switch reason.Code() & 0xff {
	case codeNotADB:
		e.Category, e.Message = connect.BadDSN, fmt.Sprintf("%q is not a SQLite database, or it is encrypted", c.name)
		e.Hint = "give an unencrypted SQLite 3 file"
	case codeCorrupt:
		e.Message, e.Hint = fmt.Sprintf("the SQLite file %q is damaged", c.name), "PRAGMA integrity_check tells more"
	case codeBusy, codeLocked:
		e.Message, e.Hint = fmt.Sprintf("the SQLite file %q is locked by another process", c.name), "try again when its transaction has ended"
	case codePerm, codeAuth:
		e.Category, e.Message = connect.PermissionDenied, fmt.Sprintf("the SQLite file %q may not be read", c.name)
	case codeCantOpen, codeReadOnly:
		e.Message = fmt.Sprintf("the SQLite file %q cannot be opened read-only", c.name)
		if f, ferr := os.Open(c.path); errors.Is(ferr, fs.ErrPermission) {
			e.Category, e.Message = connect.PermissionDenied, fmt.Sprintf("the SQLite file %q may not be read", c.name)
		} else if ferr == nil {
			f.Close()
			e.Hint = "a database in WAL mode needs its -shm and -wal files beside it, or a folder that may be written"
		}
	}
	return e
}
