// Package sqlsrc reads schemas that are declared in SQL files.
//
// A file is a script for the dialect that the schema is read for. Its statements are
// executed in their order against an empty model, as the database would execute them:
// ALTER changes what an earlier statement declared, DROP takes it away. What declares
// nothing (SET, INSERT, …) is skipped with a warning, and everything else that cannot be
// kept is a problem that names the statement: nothing is passed over in silence.
//
// [Load] and [Parse] are the way in. Every family of grammars has an interpreter of its
// own; imports of one file by another are resolved before them.
package sqlsrc

import (
	"context"
	"io/fs"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// piece is a part of a script: a file, or what stands between two imports of one.
type piece struct {
	text  string
	shown string // the file, as the caller may see it
	line  int    // of the file where text begins, from 1
}

// interpreter executes a script, piece by piece, against one model.
type interpreter interface {
	// run executes a piece. It goes on behind a statement that it cannot execute.
	run(ctx context.Context, p piece)
	// database ends the script and returns the model.
	database() *schema.Database
}

// Load reads the file at path of fsys and what it imports. Messages show it as shown.
// What is wrong with it goes to rep, and the model has the rest; it is never nil.
func Load(ctx context.Context, fsys fs.FS, path, shown string, d dialect.Dialect, rep *finding.Report) *schema.Database {
	in := newInterpreter(d, rep)
	complete := eachPiece(fsys, path, shown, rep, func(p piece) { in.run(ctx, p) })
	db := in.database()
	db.Partial = db.Partial || !complete
	return db
}

// Parse is [Load] for the text of one file, in which imports are comments.
func Parse(ctx context.Context, text, shown string, d dialect.Dialect, rep *finding.Report) *schema.Database {
	in := newInterpreter(d, rep)
	in.run(ctx, piece{text: text, shown: shown, line: 1})
	return in.database()
}

func newInterpreter(d dialect.Dialect, rep *finding.Report) interpreter {
	switch {
	case d.PostgresFamily():
		return newPostgres(d, rep)
	case d.MySQLFamily():
		return newMySQL(d, rep)
	case d == dialect.SQLite:
		return newSQLite(rep)
	}
	return newOther(d, rep)
}
