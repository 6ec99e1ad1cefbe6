package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/goann"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
	"github.com/quartet-mcp/quartet/ptah/internal/source/textfile"
	"github.com/quartet-mcp/quartet/ptah/internal/source/yamlsrc"
)

// Request names the sources of a schema.
type Request struct {
	RootDirs    []string // folders of Go files with annotations
	SchemaFiles []string // .sql, .yaml and .yml files
}

// MaxEntries is the most sources of one request.
const MaxEntries = 256

// RequestError is a request that no source can answer.
type RequestError struct{ Message, Hint string }

func (e *RequestError) Error() string { return e.Message }

// declaresNothing reports whether a model has no object at all.
func declaresNothing(db *schema.Database) bool {
	v := reflect.ValueOf(*db)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() > 0 {
			return false
		}
	}
	return true
}

// unit is one source of a request.
type unit struct {
	place
	shown string
	ext   string // of a file: .sql, .yaml; empty: a folder
}

// Found are the sources of a request, in the roots.
type Found struct{ units []unit }

// Key names the sources: two requests with the same key name the same places in the same
// order, and are shown alike.
func (f *Found) Key() string {
	var b strings.Builder
	for _, u := range f.units {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00%s\x00", u.name, u.rel, u.shown, u.ext)
	}
	return b.String()
}

// Find judges every path of a request, before anything is read. The error is a request
// that cannot be answered: [ErrNoRoots], a [*RequestError], [*OutsideError] or
// [*AmbiguousError].
func (rs *Roots) Find(req Request) (*Found, error) {
	units, err := rs.units(req)
	if err != nil {
		return nil, err
	}
	return &Found{units}, nil
}

// Load reads the sources for one dialect, the folders first, each once, and merges them.
// What is wrong with a source is a problem in rep; the error is the end of ctx.
//
// same says whether two models of one table mean the same, beyond being written alike.
func (f *Found) Load(ctx context.Context, d dialect.Dialect, same Same, rep *finding.Report) (*schema.Database, *Reading, error) {
	var reading Reading
	m := newMerge(d, same, rep)
	for _, u := range f.units {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		m.add(u.load(ctx, &reading, d, rep))
	}
	m.db.Attach(d.DefaultSchema(), d.TableKey)
	return m.db, &reading, ctx.Err()
}

// units finds the sources.
func (rs *Roots) units(req Request) ([]unit, error) {
	switch n := len(req.RootDirs) + len(req.SchemaFiles); {
	case n == 0:
		return nil, &RequestError{"source names nothing", "give at least one entry in root_dirs or schema_files"}
	case n > MaxEntries:
		return nil, &RequestError{fmt.Sprintf("source has %d entries", n), fmt.Sprintf("give at most %d across root_dirs and schema_files", MaxEntries)}
	case len(rs.roots) == 0:
		return nil, ErrNoRoots
	}
	var units []unit
	add := func(entry, name, ext string) error {
		p, err := rs.find(entry, name)
		if err != nil {
			return err
		}
		for _, u := range units {
			if u.root == p.root && u.rel == p.rel && u.ext == ext {
				return nil
			}
		}
		units = append(units, unit{p, shownPath(name), ext})
		return nil
	}
	for i, name := range req.RootDirs {
		if err := add(fmt.Sprintf("root_dirs[%d]", i), name, ""); err != nil {
			return nil, err
		}
	}
	for i, name := range req.SchemaFiles {
		entry := fmt.Sprintf("schema_files[%d]", i)
		ext := strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/")))
		switch ext {
		case ".sql", ".yaml", ".yml":
		default:
			// A path that may not be named is refused as such, whatever its ending.
			if _, err := rs.find(entry, name); err != nil {
				return nil, err
			}
			return nil, &RequestError{fmt.Sprintf("%s %.80q is no schema file", entry, name), "schema files end in .sql, .yaml or .yml; folders of Go files go into root_dirs"}
		}
		if err := add(entry, name, ext); err != nil {
			return nil, err
		}
	}
	return units, nil
}

// shownPath is a path as messages show it: what the caller gave, cleaned.
func shownPath(name string) string { return path.Clean(strings.ReplaceAll(name, `\`, "/")) }

// load reads one source. What cannot be read leaves a partial model.
func (u unit) load(ctx context.Context, r *Reading, d dialect.Dialect, rep *finding.Report) *schema.Database {
	fsys := &confined{u.dir, r}
	unreadable := func(what string) *schema.Database {
		rep.Problem(finding.Problem{Kind: finding.Source, Rule: "SRC001", Path: u.shown, Message: what})
		return &schema.Database{Partial: true}
	}
	if u.ext == "" {
		info, err := fs.Stat(fsys, u.rel)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return unreadable("there is no such folder")
		case err != nil:
			return unreadable("it cannot be read")
		case !info.IsDir():
			return unreadable("it is not a folder; single files go into schema_files")
		}
		return goann.Load(ctx, fsys, u.rel, u.shown, d, rep)
	}
	if u.ext == ".sql" {
		var found finding.Report
		db := sqlsrc.Load(ctx, fsys, u.rel, u.shown, d, &found)
		if !found.Failed() && len(found.Warnings()) == 0 && declaresNothing(db) {
			found.Warn(finding.IgnoredFile, "schema file %s: it declares nothing", u.shown)
		}
		rep.Add(&found)
		return db
	}
	text, err := textfile.Read(fsys, u.rel)
	if err != nil {
		return unreadable(err.Error())
	}
	return yamlsrc.Load(ctx, []byte(text), u.shown, d, rep)
}
