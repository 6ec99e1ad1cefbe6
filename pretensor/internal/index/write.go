package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/fill"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/privacy"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Request is one connection to index.
type Request struct {
	// Entry is what the registry is to say of the connection: its name, and what is
	// known of its connection string, description and options. What is empty stays as
	// it is there; what an index finds out need not be set.
	Entry     registry.Entry
	Connector connect.Connector
	Options   connect.Options
	Settings  Settings
	// Hide takes out what must not be indexed; nil: nothing.
	Hide func(*model.Database) *model.Database
	// Embed makes the tables' vectors; nil: there are none. Where it fails, the vectors
	// of the last index stay and the result has a warning.
	Embed   func(context.Context, *catalog.Data) (catalog.Vectors, error)
	Now     time.Time
	Version string // of the product
}

// Stage is told when a step of an index ends.
type Stage func(name string, took time.Duration)

// Counts are how much there is in an index.
type Counts struct {
	Tables, Columns   int
	Declared          int // joins by declared keys
	High, Medium, Low int // inferred joins, by band
	Clusters          int
	Entities          int
	Paths             int // stored, each direction for itself
}

// Result is what an index wrote.
type Result struct {
	Entry    registry.Entry // as registered, but for a connection string that was given in clear
	Database *model.Database
	Data     *catalog.Data
	Counts   Counts
	Warnings []string // one sentence each; never nil
	Graph    string   // path of the graph file
}

// clock tells the stages how long they took.
type clock struct {
	stage Stage
	began time.Time
}

func newClock(stage Stage) *clock { return &clock{stage, time.Now()} }

func (c *clock) done(name string) {
	now := time.Now()
	if c.stage != nil {
		c.stage(name, now.Sub(c.began))
	}
	c.began = now
}

// Run introspects a database and writes its graph, catalog, snapshot and registry
// entry. Metrics, consumers and scans of an earlier index are kept as far as their
// tables are still there.
//
// An error, the end of ctx or a killed process leaves an index that can be used: each
// file is written beside and renamed when everything is ready, and what depends on the
// others comes last. Between two renames the graph may be newer than the catalog, and
// the catalog newer than snapshot and registry; each is whole.
func Run(ctx context.Context, dir *state.Dir, reg *registry.Store, r Request, stage Stage) (*Result, error) {
	defer frugal()()
	clock := newClock(stage)
	db, err := r.introspect(ctx)
	if err != nil {
		return nil, err
	}
	clock.done("introspection")
	b := &build{Request: r, db: db, clock: clock}
	return b.write(ctx, dir, reg)
}

// gcPercent is how much garbage an index lets pile up: what is derived from a large
// database makes much of it while the model of the database is in memory, and then the
// graph engine wants its share.
const gcPercent = 10

// frugal has memory collected sooner until what it returns is called.
func frugal() (back func()) {
	before := debug.SetGCPercent(gcPercent)
	return func() { debug.SetGCPercent(before) }
}

// introspect reads the structure as it may be kept.
func (r *Request) introspect(ctx context.Context) (*model.Database, error) {
	r.Options.Stats = cmp.Or(r.Options.Stats, connect.StatsCatalog)
	db, err := r.Connector.Introspect(ctx, r.Options)
	if err != nil {
		return nil, err
	}
	if r.Hide != nil {
		db = r.Hide(db)
	}
	db.Sort()
	privacy.Apply(db, r.Options.Stats, r.Options.SampleValues)
	model.Texts{}.ShareTables(db.Tables)
	debug.FreeOSMemory() // what reading it took
	return db, nil
}

// build is an index in the making.
type build struct {
	Request
	db    *model.Database
	clock *clock
	// derive changes data before it is written; nil: all of it was derived now.
	derive func(c *catalog.Catalog, data *catalog.Data, old *earlier)

	warnings []string
}

// data derives everything from the structure and what an earlier index knew.
func (b *build) data(ctx context.Context, last *catalog.Data) (*catalog.Data, error) {
	b.warnings = slices.Clone(b.db.Warnings)
	old := newEarlier(last, b.db.Tables)
	data, c := inferred(b.Entry.Name, b.db, b.Settings, old)
	b.clock.done("inference")
	group(c, data, b.Settings, old)
	b.clock.done("clustering")
	if b.derive != nil && old != nil {
		b.derive(c, data, old)
	} else {
		var err error
		if data.Paths, err = joinPaths(ctx, c, data.Clusters, b.Settings); err != nil {
			return nil, err
		}
	}
	b.clock.done("paths")
	old.keep(data)
	data.BuiltAt, data.StatsMode = b.Now.UTC(), string(b.Options.Stats)
	if b.Embed != nil {
		vectors, err := b.Embed(ctx, data)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			b.warnings = append(b.warnings, fmt.Sprintf("the tables' vectors could not be made: %v", err))
			vectors = old.vectors(len(data.Tables))
		}
		data.Vectors = vectors
		b.clock.done("embeddings")
	}
	return data, nil
}

// write derives the data and writes everything.
func (b *build) write(ctx context.Context, dir *state.Dir, reg *registry.Store) (*Result, error) {
	name := b.Entry.Name
	last, err := lastData(dir, name)
	if err != nil {
		return nil, err
	}
	data, err := b.data(ctx, last)
	if err != nil {
		return nil, err
	}
	lock, err := dir.Lock(ctx)
	if err != nil {
		return nil, err
	}
	result, err := b.writeLocked(ctx, dir, reg, lock, last, data)
	if err := errors.Join(err, lock.Release()); err != nil {
		return nil, err
	}
	return result, nil
}

func (b *build) writeLocked(ctx context.Context, dir *state.Dir, reg *registry.Store, lock *state.Lock, last, data *catalog.Data) (*Result, error) {
	name := b.Entry.Name
	// An analysis or another index may have ended meanwhile.
	if now, err := generation(dir, name); err != nil {
		return nil, err
	} else if now != "" && (last == nil || last.Generation != now) {
		if last, err = lastData(dir, name); err != nil {
			return nil, err
		}
		if data, err = b.data(ctx, last); err != nil {
			return nil, err
		}
	}
	for i := range data.Tables {
		data.Tables[i].Definition = "" // may hold values
	}
	data.Generation = state.NewGeneration(b.Now)
	path, err := dir.Graph(name)
	if err != nil {
		return nil, err
	}
	shot := &snapshot.Snapshot{
		Connection: name, Taken: b.Now.UTC(), Generation: data.Generation, Stats: b.Options.Stats, SampleValues: b.Options.SampleValues, Database: b.db,
	}
	result := &Result{Database: b.db, Data: data, Graph: path, Warnings: append([]string{}, b.warnings...)}
	c := catalog.New(*data, b.Settings.AliasSources)
	result.Counts = countOf(c)
	err = writeFiles(ctx, dir, c, path, b.Version, func() error {
		b.clock.done("graph")
		if err := snapshot.Write(dir, shot); err != nil {
			return err
		}
		b.clock.done("snapshot")
		return reg.UpdateLocked(lock, func(r *registry.Registry) error {
			old, err := r.Get(name)
			var unknown *registry.UnknownError
			if err != nil && !errors.As(err, &unknown) {
				return err
			}
			result.Entry = b.entry(old, data, path)
			return r.Put(result.Entry)
		})
	})
	if err != nil {
		return nil, err
	}
	result.Entry.DSN = ""
	return result, nil
}

// entry is what the registry will say, old being what it says.
func (b *build) entry(old registry.Entry, data *catalog.Data, path string) registry.Entry {
	e := b.Entry
	if e.DSN == "" && e.DSNEncrypted == "" {
		e.DSNEncrypted, e.DSN = old.DSNEncrypted, old.DSN
	}
	e.Description = cmp.Or(e.Description, old.Description)
	e.DBTManifest = cmp.Or(e.DBTManifest, old.DBTManifest)
	e.UnifiedGraphPath = cmp.Or(e.UnifiedGraphPath, old.UnifiedGraphPath)
	e.LLMEnriched = e.LLMEnriched || old.LLMEnriched
	if e.IndexOptions == nil {
		e.IndexOptions = old.IndexOptions
	}
	e.Database, e.Dialect, e.GraphPath, e.Tables = data.Database, data.Dialect, path, len(data.Tables)
	e.Indexed, e.Generation = b.Now.UTC(), data.Generation
	return e
}

// writeFiles writes the graph and the catalog beside it, and then what rest writes. Nothing
// is in its place before all that can fail for want of memory or disk is done.
func writeFiles(ctx context.Context, dir *state.Dir, c *catalog.Catalog, path, version string, rest func() error) error {
	encoded, err := catalog.Encode(&c.Data)
	if err != nil {
		return err
	}
	debug.FreeOSMemory() // the engine's memory is not Go's
	if err := WriteGraph(ctx, path, c, version); err != nil {
		return fmt.Errorf("writing the graph of %s: %w", c.Connection, err)
	}
	if err := dir.Files.Write(catalog.PathOf(path), encoded, state.FileMode); err != nil {
		return err
	}
	return rest()
}

// Memory for pages that a graph is written with, as measured: leastBuffer is enough for
// 10,000 tables with few paths, more goes by the steps of the paths. Should it not
// suffice, it is tried again with twice as much, up to the last. Each thread holds pages:
// with four it does not suffice, and one reads the rows anyway.
const (
	writeThreads = 2
	leastBuffer  = 112 << 20
	someBuffer   = 42 << 20
	stepBuffer   = 850
	lastBuffer   = 1 << 30
)

// WriteGraph builds the graph of a catalog at a path, in the place of the one that is
// there. version is the product's.
func WriteGraph(ctx context.Context, path string, c *catalog.Catalog, version string) error {
	steps := 0
	for i := range c.Data.Paths {
		steps += len(c.Data.Paths[i].Edges)
	}
	for limits := (kuzu.Limits{Threads: writeThreads, Buffer: max(leastBuffer, someBuffer+stepBuffer*uint64(steps))}); ; limits.Buffer *= 2 {
		err := kuzu.Build(ctx, path, c.Vectors.Dim, limits, func(w *kuzu.Writer) error {
			for _, b := range fill.Catalog(c, version) {
				if err := w.Load(ctx, b.Name, b.Columns, b.Rows); err != nil {
					return err
				}
			}
			return nil
		})
		var full *kuzu.Error
		if !errors.As(err, &full) || full.Kind != kuzu.Buffer || limits.Buffer >= lastBuffer {
			return err
		}
	}
}

func countOf(c *catalog.Catalog) Counts {
	n := Counts{Tables: c.Len(), Columns: c.Columns(), Clusters: len(c.Clusters), Entities: len(c.Entities), Paths: 2 * len(c.Data.Paths)}
	for i := range c.Edges() {
		switch e := c.Edge(i); {
		case e.Declared:
			n.Declared++
		case infer.Band(e.Confidence) == "high":
			n.High++
		case infer.Band(e.Confidence) == "medium":
			n.Medium++
		default:
			n.Low++
		}
	}
	return n
}

// ErrNotIndexed says that there is no index of a connection.
var ErrNotIndexed = errors.New("it is not indexed")

// Load reads the catalog of a connection as it was written last. The error of one that
// has none wraps [ErrNotIndexed].
func Load(dir *state.Dir, connection string) (*catalog.Data, error) {
	path, err := dir.Graph(connection)
	if err != nil {
		return nil, err
	}
	f, err := state.Open(catalog.PathOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("connection %q: %w; run: pretensor index %s", connection, ErrNotIndexed, names.Argument(connection))
	}
	if err != nil {
		return nil, fmt.Errorf("connection %q: its index cannot be opened; check who may read the state directory", connection)
	}
	defer f.Close()
	data, err := catalog.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("connection %q: %w; run: pretensor index %s", connection, err, names.Argument(connection))
	}
	return data, nil
}

// lastData is what an index takes over from the one before: nil if there is none, or
// none that can be read.
func lastData(dir *state.Dir, connection string) (*catalog.Data, error) {
	if _, err := dir.Graph(connection); err != nil {
		return nil, err
	}
	data, err := Load(dir, connection)
	if err != nil {
		return nil, nil //nolint:nilerr // the new index takes its place
	}
	return data, nil
}

// generation is that of the catalog that is in place; empty if none can be read.
func generation(dir *state.Dir, connection string) (string, error) {
	path, err := dir.Graph(connection)
	if err != nil {
		return "", err
	}
	f, err := state.Open(catalog.PathOf(path))
	if err != nil {
		return "", nil
	}
	defer f.Close()
	g, err := catalog.Generation(f)
	if err != nil {
		return "", nil
	}
	return g, nil
}

// Save changes the metrics, consumers, scans and inferred joins of an indexed
// connection: it reads the catalog, lets change work on it and writes graph, catalog
// and registry entry with a new generation. Join paths over joins that change takes
// away are dropped, unless change gives data new paths. Tables must stay as they are.
func Save(ctx context.Context, dir *state.Dir, reg *registry.Store, connection, version string, change func(*catalog.Data) error) error {
	lock, err := dir.Lock(ctx)
	if err != nil {
		return err
	}
	return errors.Join(saveLocked(ctx, dir, reg, lock, connection, version, change), lock.Release())
}

func saveLocked(ctx context.Context, dir *state.Dir, reg *registry.Store, lock *state.Lock, connection, version string, change func(*catalog.Data) error) error {
	known, err := reg.Read()
	if err != nil {
		return err
	}
	entry, err := known.Get(connection)
	if err != nil {
		return err
	}
	data, err := Load(dir, connection)
	if err != nil {
		return err
	}
	before := *data
	before.Joins = slices.Clone(data.Joins)
	if err := change(data); err != nil {
		return err
	}
	tidy(data)
	c := catalog.New(*data, 0) // nothing that is written depends on shadow aliases
	if !slices.Equal(before.Joins, data.Joins) && samePaths(before.Paths, data.Paths) {
		c.Data.Paths = newEarlier(&before, data.Tables).paths(c, func(int) bool { return false })
	}
	c.Generation = state.NewGeneration(time.Now())
	path, err := dir.Graph(connection)
	if err != nil {
		return err
	}
	return writeFiles(ctx, dir, c, path, version, func() error {
		return reg.UpdateLocked(lock, func(r *registry.Registry) error {
			entry.Generation = c.Generation
			return r.Put(entry)
		})
	})
}

// samePaths reports whether two lists are one and the same.
func samePaths(a, b []catalog.Path) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// tidy puts what was added into its order.
func tidy(data *catalog.Data) {
	slices.SortStableFunc(data.Metrics, func(a, b catalog.Metric) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(data.Scans, func(a, b catalog.Scan) int { return strings.Compare(a.Service, b.Service) })
	slices.SortStableFunc(data.Consumers, func(a, b catalog.Consumer) int {
		return cmp.Or(strings.Compare(a.Service, b.Service), strings.Compare(a.File, b.File), cmp.Compare(a.LineStart, b.LineStart), strings.Compare(a.ID, b.ID))
	})
}
