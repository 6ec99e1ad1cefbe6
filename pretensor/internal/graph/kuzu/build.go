package kuzu

import (
	"context"
	"errors"
	"fmt"
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
func Build(ctx context.Context, path string, dimension int, l Limits, fill func(*Writer) error) (err error) {
	oneArena()
	defer trim() // when the engine is closed
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

// workPattern names the folder in which a graph is built, beside its place.
const workPattern = ".build-"

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

// Remove deletes the graph at path and all that its writers have put beside it. What is
// not there is not missed. The caller sees to it that nobody writes the graph.
func Remove(path string) error {
	name := filepath.Base(path)
	if err := removeLeftovers(filepath.Dir(path), name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("deleting graph %q: %w", name, err)
	}
	for _, ending := range []string{"", ".wal", ".lock"} {
		if err := os.Remove(path + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("deleting graph %q: %w", name, cause(err))
		}
	}
	return nil
}

// fillGraph opens the file, runs fill, and closes the file with nothing left in its
// log.
func fillGraph(ctx context.Context, path, work string, dimension int, l Limits, fill func(*Writer) error) (err error) {
	e, err := openEngine(path, l, false)
	if err != nil {
		return err
	}
	defer func() {
		var failed *Error
		if errors.As(err, &failed) && (failed.Kind == IO || failed.Kind == Transaction || failed.Kind == Unknown) {
			e.abandon()
			return
		}
		e.close()
	}()
	w := &Writer{engine: e, dir: work}
	if err := w.createSchema(ctx, dimension); err != nil {
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

// createSchema creates the tables of all labels and edge types.
func (w *Writer) createSchema(ctx context.Context, dimension int) error {
	for _, l := range graph.Labels(dimension) {
		if err := w.Exec(ctx, fmt.Sprintf("CREATE NODE TABLE %s(%s, PRIMARY KEY(%s))", quoteName(l.Name), definitions(l.Properties), graph.Key), nil); err != nil {
			return fmt.Errorf("label %s: %w", l.Name, err)
		}
	}
	for _, t := range graph.EdgeTypes() {
		columns := definitions(t.Properties)
		if columns != "" {
			columns = ", " + columns
		}
		if err := w.Exec(ctx, fmt.Sprintf("CREATE REL TABLE %s(FROM %s TO %s%s)", quoteName(t.Name), quoteName(t.From), quoteName(t.To), columns), nil); err != nil {
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
