package kuzu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
)

// Writer fills a graph. It is valid until the function that got it returns, and
// may be used by several goroutines, whose writes happen one after the other.
type Writer struct {
	mu     sync.Mutex
	engine *engine
	dir    string // for temporary files
}

// Build makes a new graph with fill and puts it in the place of the one at path, if
// there is one. The schema is there when fill begins; dimension is the length of the
// tables' vectors, 0 for none. When fill, ctx or the disk fails the old graph stays
// as it was. Readers of the old graph are not disturbed.
//
// A second writer of the same graph fails at once with a *LockedError.
func Build(ctx context.Context, path string, dimension int, l Limits, fill func(*Writer) error) error {
	return write(ctx, path, dimension, l, false, fill)
}

// Update is Build, but the new graph begins as a copy of the one at path. It fails
// with ErrNotFound when there is none.
func Update(ctx context.Context, path string, dimension int, l Limits, change func(*Writer) error) error {
	return write(ctx, path, dimension, l, true, change)
}

// workPattern names the folder in which a graph is built, beside its place.
const workPattern = ".build-"

func write(ctx context.Context, path string, dimension int, l Limits, from bool, fill func(*Writer) error) (err error) {
	name, dir := filepath.Base(path), filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("writing graph %q: its folder does not exist", name)
	}
	unlock, err := lock(path, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := removeLeftovers(dir, name); err != nil {
		return fmt.Errorf("writing graph %q: %w", name, err)
	}
	work, err := os.MkdirTemp(dir, name+workPattern)
	if err != nil {
		return fmt.Errorf("writing graph %q: %w", name, cause(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()

	temp := filepath.Join(work, name)
	if from {
		if err := copyGraph(path, temp); err != nil {
			return fmt.Errorf("copying graph %q: %w", name, err)
		}
	}
	if err := fillGraph(ctx, temp, work, dimension, l, fill); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := publish(temp, path); err != nil {
		return fmt.Errorf("writing graph %q: %w", name, cause(err))
	}
	return nil
}

// removeLeftovers removes what a writer left that was killed. The lock is held.
func removeLeftovers(dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return cause(err)
	}
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), name+workPattern); ok && rest != "" && e.IsDir() {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return cause(err)
			}
		}
	}
	return nil
}

// fillGraph opens the file, runs fill, and closes the file with nothing left in its
// log.
func fillGraph(ctx context.Context, path, work string, dimension int, l Limits, fill func(*Writer) error) error {
	e, err := openEngine(path, l, false)
	if err != nil {
		return err
	}
	defer e.close()
	w := &Writer{engine: e, dir: work}
	if err := w.ensureSchema(ctx, dimension); err != nil {
		return fmt.Errorf("preparing the schema: %w", err)
	}
	if err := fill(w); err != nil {
		return err
	}
	if _, err := w.run(ctx, "CHECKPOINT"); err != nil {
		return fmt.Errorf("writing the checkpoint: %w", err)
	}
	return nil
}

// publish makes a finished graph durable and puts it in its place. A log that lies
// beside the old graph must not be taken for that of the new one.
func publish(temp, path string) error {
	if _, err := os.Stat(temp + ".wal"); err == nil {
		return errors.New("the engine left a log behind")
	}
	if err := os.Chmod(temp, 0o600); err != nil {
		return err
	}
	if err := syncFile(temp); err != nil {
		return err
	}
	if err := os.Remove(path + ".wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncFile(filepath.Dir(path))
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// copyGraph copies a graph, and its log if there is one.
func copyGraph(from, to string) error {
	for _, suffix := range []string{"", ".wal"} {
		err := copyFile(from+suffix, to+suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist) && suffix == "":
			return ErrNotFound
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return cause(err)
		}
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

// Query is [Reader.Query] on what has been written so far.
func (w *Writer) Query(ctx context.Context, text string, o Options) (*Result, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.engine.query(ctx, text, o)
}

// run runs a statement of this package's own, which has no parameters.
func (w *Writer) run(ctx context.Context, text string) (*Result, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.engine.run(ctx, text, nil, Options{})
}

// Exec runs a statement that changes the graph, with parameters by name. It is for
// a few nodes or edges; many are loaded with Load.
func (w *Writer) Exec(ctx context.Context, text string, params map[string]any) error {
	_, err := w.Query(ctx, text, Options{Params: params})
	return err
}

// ensureSchema creates what is missing of the schema: tables, and properties of
// tables that are there. A property that has another type is an error.
func (w *Writer) ensureSchema(ctx context.Context, dimension int) error {
	tables, err := w.column(ctx, "CALL show_tables() RETURN name", 0)
	if err != nil {
		return err
	}
	for _, l := range graph.Labels(dimension) {
		if !tables[l.Name] {
			err = w.Exec(ctx, fmt.Sprintf("CREATE NODE TABLE %s(%s, PRIMARY KEY(%s))", quoteName(l.Name), definitions(l.Properties), graph.Key), nil)
		} else {
			err = w.addProperties(ctx, l.Name, l.Properties)
		}
		if err != nil {
			return fmt.Errorf("label %s: %w", l.Name, err)
		}
	}
	for _, t := range graph.EdgeTypes() {
		if !tables[t.Name] {
			columns := definitions(t.Properties)
			if columns != "" {
				columns = ", " + columns
			}
			err = w.Exec(ctx, fmt.Sprintf("CREATE REL TABLE %s(FROM %s TO %s%s)", quoteName(t.Name), quoteName(t.From), quoteName(t.To), columns), nil)
		} else {
			err = w.addProperties(ctx, t.Name, t.Properties)
		}
		if err != nil {
			return fmt.Errorf("edge type %s: %w", t.Name, err)
		}
	}
	return nil
}

func definitions(list []graph.Property) string {
	text := ""
	for i, p := range list {
		if i > 0 {
			text += ", "
		}
		text += quoteName(p.Name) + " " + p.Type
	}
	return text
}

func (w *Writer) addProperties(ctx context.Context, table string, list []graph.Property) error {
	r, err := w.Query(ctx, fmt.Sprintf("CALL table_info('%s') RETURN name, type", table), Options{})
	if err != nil {
		return err
	}
	types := map[string]string{}
	for _, row := range r.Rows {
		name, _ := row[0].(string)
		types[name], _ = row[1].(string)
	}
	for _, p := range list {
		switch have := types[p.Name]; have {
		case p.Type:
		case "":
			if err := w.Exec(ctx, fmt.Sprintf("ALTER TABLE %s ADD %s %s", quoteName(table), quoteName(p.Name), p.Type), nil); err != nil {
				return err
			}
		default:
			return fmt.Errorf("property %s is %s, should be %s; the graph must be built anew", p.Name, have, p.Type)
		}
	}
	return nil
}

// column returns the set of strings in a column of a query's result.
func (w *Writer) column(ctx context.Context, text string, i int) (map[string]bool, error) {
	r, err := w.Query(ctx, text, Options{})
	if err != nil {
		return nil, err
	}
	values := map[string]bool{}
	for _, row := range r.Rows {
		if s, ok := row[i].(string); ok {
			values[s] = true
		}
	}
	return values, nil
}
