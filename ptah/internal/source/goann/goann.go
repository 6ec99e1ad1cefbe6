// Package goann reads schemas that are declared by annotations of Go structs: comment
// lines that begin with ptah:, such as
//
//	//ptah:schema:table name="orders"
//	type Order struct {
//		//ptah:schema:field name="id" type="BIGSERIAL" primary
//		ID int64
//	}
//
// Only the syntax of the Go files is read. The types of fields do not matter but for
// ptah:embedded, which finds the struct that it names in the same root. What directives
// have and mean is the business of package declare; this package knows their form and
// where they may stand.
package goann

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/declare"
	"github.com/quartet-mcp/quartet/ptah/internal/source/textfile"
)

// Load reads the Go files in a folder of fsys and below it, without tests, hidden folders
// and those named vendor and testdata. Messages show the folder as shown. What is wrong
// with it goes to rep, and the model has the rest; it is never nil.
func Load(ctx context.Context, fsys fs.FS, dir, shown string, d dialect.Dialect, rep *finding.Report) *schema.Database {
	r := &root{
		Unit: declare.NewUnit(schema.Annotation, d, rep), ctx: ctx, fsys: fsys, dir: dir, shown: shown,
		named: map[string][]*typeDecl{}, local: map[local][]*typeDecl{},
	}
	err := fs.WalkDir(fsys, dir, r.visit)
	var spent textfile.SpentError
	switch {
	case errors.As(err, &spent):
		r.unreadable(dir, spent.Error())
	case err != nil && ctx.Err() == nil:
		r.unreadable(dir, "it cannot be read")
	}
	r.declare()
	if !r.declared && !r.DB.Partial {
		rep.Warn(finding.IgnoredFile, "folder %s: its Go files declare nothing", shown)
	}
	return r.DB
}

// root is a folder of Go files that is being read.
type root struct {
	*declare.Unit
	ctx   context.Context
	fsys  fs.FS
	dir   string
	shown string

	declared bool                   // there is a directive
	types    []*typeDecl            // in the order of the files
	named    map[string][]*typeDecl // by name alone
	local    map[local][]*typeDecl  // by name and folder
	parts    []part
	items    map[schema.Name][]item          // the columns of tables, and
	byName   map[schema.Name]map[string]item // these by their names, of tables that relations refer to
	embedded int                             // fields that embedding put into tables
}

// local is the name of a type in the files of a folder.
type local struct{ dir, name string }

// part is a directive that is not of a field, and the struct that it stands with, if any.
type part struct {
	*directive
	with *typeDecl
}

// show is a path below the root as messages have it.
func (r *root) show(name string) string {
	if r.dir == "." {
		return path.Join(r.shown, name)
	}
	return path.Join(r.shown, strings.TrimPrefix(name, r.dir))
}

func (r *root) unreadable(name, what string) {
	r.Problem(schema.Origin{Language: schema.Annotation, Path: r.show(name)}, "SRC001", "", "%s", what)
	r.DB.Partial = true
}

// visit reads a Go file, or says that a folder is not walked. Its error ends the walk.
func (r *root) visit(name string, entry fs.DirEntry, err error) error {
	if ctxErr := r.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil {
		r.unreadable(name, "it cannot be read")
		if entry != nil && entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	base := entry.Name()
	if entry.IsDir() {
		if name != r.dir && (strings.HasPrefix(base, ".") || base == "vendor" || base == "testdata") {
			return fs.SkipDir
		}
		return nil
	}
	isGo := strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go")
	if entry.Type()&fs.ModeSymlink != 0 {
		switch info, err := fs.Stat(r.fsys, name); {
		case err == nil && info.IsDir():
			r.Report.Warn(finding.IgnoredFile, "folder %s: it is a link, which is not followed", r.show(name))
			return nil
		case err != nil && isGo:
			r.Report.Warn(finding.IgnoredFile, "file %s: it is a link to what cannot be read", r.show(name))
			return nil
		}
	}
	if !isGo {
		return nil
	}
	text, err := textfile.Read(r.fsys, name)
	var spent textfile.SpentError
	switch {
	case errors.As(err, &spent):
		return spent
	case err != nil:
		r.unreadable(name, err.Error())
	default:
		r.file(name, text)
	}
	return nil
}

// file reads the syntax of a file. One that does not parse gives its mistakes alone: what
// a comment stands with is not known in it.
func (r *root) file(name, text string) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	origin := schema.Origin{Language: schema.Annotation, Path: r.show(name)}
	if err != nil {
		var list scanner.ErrorList
		if !errors.As(err, &list) {
			list = scanner.ErrorList{{Msg: "this is not Go"}}
		}
		for _, e := range list {
			at := origin
			at.Line = e.Pos.Line
			r.Problem(at, "SRC002", "", "this is not Go: %s", withoutLiteral(e.Msg))
		}
		r.DB.Partial = true
		return
	}
	w := &fileWalk{root: r, files: files, origin: origin, dir: path.Dir(name), syntax: f, placed: map[*ast.CommentGroup]place{}}
	w.types()
	w.comments()
	w.forget()
}

// withoutLiteral takes the literal away at which the parser stopped: it may be a secret.
func withoutLiteral(message string) string {
	before, found, ok := strings.Cut(message, ", found ")
	if ok && !strings.HasPrefix(found, "'") {
		return before
	}
	return message
}
