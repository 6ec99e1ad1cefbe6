package scratch

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/quartet-mcp/quartet/ptah/internal/dbread"
	"github.com/quartet-mcp/quartet/ptah/internal/files"
)

// resetSQLite gives the file new content: an empty file is an empty database. Virtual
// tables whose module is missing cannot be dropped in any other way.
func (db *DB) resetSQLite(ctx context.Context) error {
	if err := db.conn.SQL.Close(); err != nil {
		return err
	}
	if err := os.Truncate(db.url.Database(), 0); err != nil {
		return files.Cause(err)
	}
	if err := removeBeside(db.url.Database()); err != nil {
		return err
	}
	conn, err := dbread.Connect(ctx, db.url, true)
	if err != nil {
		return err
	}
	db.conn = conn
	return nil
}

// removeFile removes a database that the work made.
func removeFile(path string) error {
	return errors.Join(files.Cause(os.Remove(path)), removeBeside(path))
}

// removeBeside removes the files that SQLite keeps beside a database.
func removeBeside(path string) error {
	for _, suffix := range []string{"-journal", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return files.Cause(err)
		}
	}
	return nil
}
