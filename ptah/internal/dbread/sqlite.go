package dbread

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"modernc.org/sqlite"
)

// sqliteReader reads a file of SQLite, whose one schema is main.
type sqliteReader struct {
	db   config.Database
	pool *sql.DB // of one connection
}

const sqliteSchema = "main"

func openSQLite(ctx context.Context, db config.Database) (reader, error) {
	path, err := filepath.Abs(db.URL.Database())
	if err != nil {
		return nil, unreachable(db, err, "its path has no absolute form")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, unreachable(db, err, "the file does not exist")
	case errors.Is(err, fs.ErrPermission):
		return nil, unreachable(db, err, "the file may not be read")
	case err != nil:
		return nil, unreachable(db, err, "the file is not available")
	case !info.Mode().IsRegular():
		return nil, unreachable(db, errors.New("no regular file"), "it is no regular file")
	}
	connector, err := sqlite.NewConnector(sqliteName(path))
	if err != nil {
		return nil, unreachable(db, err, "its path cannot be opened")
	}
	s := &sqliteReader{db, sql.OpenDB(connector)}
	s.pool.SetMaxOpenConns(1)
	var version int64
	if err := s.pool.QueryRowContext(ctx, "PRAGMA main.schema_version").Scan(&version); err != nil {
		s.close()
		return nil, unreachable(db, err, sqliteReason(err))
	}
	return s, nil
}

// sqliteName is the driver's name for a file that is only read: the file is neither made
// nor changed, and its own schema is not trusted with functions.
func sqliteName(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	query := url.Values{
		"mode":          {"ro"},
		"_busy_timeout": {"2000"},
		"_query_only":   {"1"},
		"_pragma":       {"trusted_schema(0)"},
		"_defensive":    {"1"},
		"_error_rc":     {"1"},
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	return u.String()
}

func (s *sqliteReader) identify(ctx context.Context) (name, version string, err error) {
	if err := s.pool.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		return "", "", s.failed(ctx, err)
	}
	return string(dialect.SQLite), version, nil
}

func (s *sqliteReader) defaultSchema(context.Context) (string, error) { return sqliteSchema, nil }

func (s *sqliteReader) schemas(context.Context) ([]string, error) { return []string{sqliteSchema}, nil }

func (s *sqliteReader) system(string) bool { return false }

// sqliteObjects has the columns of tables alone: of others SQLite knows them once it has
// looked, and fails to look at those that are broken.
const sqliteObjects = `SELECT CASE type WHEN 'virtual' THEN 'virtual_table' WHEN 'shadow' THEN 'shadow_table' ELSE type END, name,
  CASE WHEN type IN ('table', 'shadow') THEN ncol END
FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
UNION ALL
SELECT 'trigger', name, NULL FROM main.sqlite_schema WHERE type = 'trigger'`

// sqliteColumns counts the columns of a view or virtual table that a query sees.
const sqliteColumns = "SELECT count(*) FROM pragma_table_xinfo(?, 'main') WHERE hidden <> 1"

func (s *sqliteReader) objects(ctx context.Context, _ []string, add func(Object) bool, _ *finding.Report) error {
	limited, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	objects, err := s.list(limited)
	if err != nil {
		return s.failed(ctx, err)
	}
	for _, o := range objects {
		if o.Kind == "view" || o.Kind == "virtual_table" {
			var n int
			err := s.pool.QueryRowContext(limited, sqliteColumns, o.Name).Scan(&n)
			if limited.Err() != nil {
				return s.failed(ctx, limited.Err())
			}
			if err == nil { // else it is broken
				o.Columns = &n
			}
		}
		if !add(o) {
			return nil
		}
	}
	return nil
}

// list returns the objects, no more than a reading takes.
func (s *sqliteReader) list(ctx context.Context) ([]Object, error) {
	rows, err := s.pool.QueryContext(ctx, sqliteObjects)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var objects []Object
	for rows.Next() && len(objects) <= maxRead {
		o := Object{Schema: sqliteSchema}
		if err := rows.Scan(&o.Kind, &o.Name, &o.Columns); err != nil {
			return nil, err
		}
		objects = append(objects, o)
	}
	return objects, rows.Err()
}

func (s *sqliteReader) close() { _ = s.pool.Close() }

func (s *sqliteReader) failed(ctx context.Context, err error) error {
	return unreadable(ctx, s.db, err, sqliteReason(err))
}

// Result codes of SQLite, without their extension.
const (
	sqliteBusy     = 5
	sqliteLocked   = 6
	sqliteCorrupt  = 11
	sqliteCantOpen = 14
	sqliteNotADB   = 26
)

// sqliteReason says in one line why something did not succeed.
func sqliteReason(err error) string {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case sqliteBusy, sqliteLocked:
			return "the file is locked by another process"
		case sqliteCorrupt:
			return "the file is damaged"
		case sqliteCantOpen:
			return "the file cannot be opened for reading"
		case sqliteNotADB:
			return "the file is no SQLite database, or it is encrypted"
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer in time"
	}
	return "the file cannot be read"
}
