package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/config"
	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
	"github.com/quartet-mcp/quartet/cerebro/internal/route"
	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

// Snapshot is one reading of the project. It never changes.
type Snapshot struct {
	Project   *dbt.Project
	Layer     *semantic.Layer // nil when the project has no semantic models or the layer is switched off
	Route     *route.Index
	Constants Constants
	// Hash changes when any artifact or constant does.
	Hash     string
	LoadedAt time.Time
	Warnings []string
	// CatalogError and SemanticError say why these artifacts are missing from the reading.
	CatalogError, SemanticError string
}

// Catalog hands out the newest snapshot. It is safe for concurrent use.
type Catalog struct {
	options Options
	client  *http.Client
	current atomic.Pointer[Snapshot]

	mu     sync.Mutex // of a reading, and of what follows
	stamps [5]stamp
	failed [5]stamp // those of the reading that failed last
	stale  atomic.Pointer[string]
}

// Options say where the artifacts are and how they are read.
type Options struct {
	Project config.Project
	// Demo are the artifacts of the bundled project by file name, which stand in for a
	// project that is not given.
	Demo map[string][]byte
	// Semantic switches the semantic layer on.
	Semantic bool
	// Now is time.Now outside of tests.
	Now func() time.Time
}

// The artifacts, in the order in which they are read.
const (
	manifest = iota
	catalogFile
	semanticManifest
	runResults
	projectFile
)

var names = [...]string{"manifest.json", "catalog.json", "semantic_manifest.json", "run_results.json", "dbt_project.yml"}

// New makes a catalog that has read nothing yet.
func New(o Options) *Catalog {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Catalog{options: o, client: &http.Client{Timeout: time.Minute}}
}

// sources says where each artifact comes from: a path beats an address, which beats
// the project's folder, which beats the demo.
func (c *Catalog) sources() [5]source {
	p := c.options.Project
	var out [5]source
	for i, n := range names {
		out[i].name = n
	}
	given := false
	for i, from := range map[int][2]string{manifest: {p.Manifest, p.ManifestURL}, catalogFile: {p.Catalog, p.CatalogURL}, semanticManifest: {p.SemanticPath, p.SemanticURL}} {
		switch {
		case from[0] != "":
			out[i].path = from[0]
		case from[1] != "":
			out[i].url = from[1]
		}
		given = given || out[i].given()
	}
	if p.Dir != "" {
		for i, n := range names {
			folder := filepath.Join(p.Dir, "target")
			if i == projectFile {
				folder = p.Dir
			}
			if !out[i].given() {
				out[i].path = filepath.Join(folder, n)
			}
		}
		return out
	}
	if !given {
		for i, n := range names {
			out[i].data = c.options.Demo[n]
		}
	}
	return out
}

// Current gives the newest snapshot without reading anything; nil when no reading
// has succeeded yet.
func (c *Catalog) Current() *Snapshot { return c.current.Load() }

// Stale says why the current snapshot may be old, empty when it is not.
func (c *Catalog) Stale() string {
	if s := c.stale.Load(); s != nil {
		return *s
	}
	return ""
}

// Fresh gives the newest snapshot after a look at the files: one that changed is
// read at once. Where that fails the last good snapshot is given; nil when there is none.
func (c *Catalog) Fresh(ctx context.Context) *Snapshot {
	if !c.options.Project.Autoload && c.current.Load() != nil || !c.changed() {
		return c.current.Load()
	}
	_, _ = c.Load(ctx) // the reason stays in Stale
	return c.current.Load()
}

// changed says whether a file is another one than was read last, or was last tried.
func (c *Catalog) changed() bool {
	if c.current.Load() == nil && c.stale.Load() == nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range c.sources() {
		if s.path == "" {
			continue
		}
		at, err := s.look()
		if err != nil {
			at = stamp{}
		}
		if at != c.stamps[i] && at != c.failed[i] {
			return true
		}
	}
	return false
}

// Change is what a reading brought.
type Change struct {
	Changed       bool
	Before, After string // hashes
	Snapshot      *Snapshot
}

// Load reads the artifacts now. An error leaves the current snapshot in place.
func (c *Catalog) Load(ctx context.Context) (Change, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.current.Load()
	s, stamps, err := c.read(ctx)
	if err != nil {
		c.failed = stamps
		why := err.Error()
		c.stale.Store(&why)
		return Change{Snapshot: before}, err
	}
	c.stamps, c.failed = stamps, stamps
	c.stale.Store(nil)
	ch := Change{Snapshot: s, After: s.Hash}
	if before != nil {
		ch.Before = before.Hash
	}
	ch.Changed = ch.Before != ch.After
	if !ch.Changed { // what is the same stays the same value, and keeps its indexes
		ch.Snapshot = before
		return ch, nil
	}
	c.current.Store(s)
	return ch, nil
}

// Poll reads addresses at an interval until the context ends.
func (c *Catalog) Poll(ctx context.Context) {
	all := c.sources()
	if !slices.ContainsFunc(all[:], func(s source) bool { return s.url != "" }) {
		return
	}
	t := time.NewTicker(c.options.Project.Refresh)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if c.moved(ctx) {
				_, _ = c.Load(ctx) // the reason stays in Stale
			}
		}
	}
}

// moved says whether an address may have something new.
func (c *Catalog) moved(ctx context.Context) bool {
	c.mu.Lock()
	stamps := c.stamps
	c.mu.Unlock()
	for i, s := range c.sources() {
		if s.url != "" && !s.unchanged(ctx, c.client, stamps[i]) {
			return true
		}
	}
	return false
}

// read makes a snapshot.
func (c *Catalog) read(ctx context.Context) (*Snapshot, [5]stamp, error) {
	var stamps [5]stamp
	sources := c.sources()
	s := &Snapshot{LoadedAt: c.options.Now().UTC(), Constants: constants(), Warnings: []string{}}
	sum := sha256.New()
	// with opens an artifact and hashes what is read of it.
	with := func(i int, use func(io.Reader) error) error {
		if !sources[i].given() {
			return fmt.Errorf("%s: %w", names[i], errAbsent)
		}
		r, at, err := sources[i].open(ctx, c.client)
		if err != nil {
			return err
		}
		stamps[i] = at
		defer func() { _ = r.Close() }() // it was only read
		fmt.Fprintf(sum, "%s\n", names[i])
		t := io.TeeReader(r, sum)
		if err := use(t); err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
		_, err = io.Copy(io.Discard, t) // what stands behind the JSON counts in the hash
		return err
	}
	if err := with(manifest, func(r io.Reader) (err error) { s.Project, err = dbt.ReadManifest(r); return err }); err != nil {
		return nil, stamps, err
	}
	if err := with(catalogFile, s.Project.AddCatalog); err != nil {
		if !errors.Is(err, errAbsent) {
			return nil, stamps, err
		}
		s.CatalogError = err.Error()
	}
	if err := with(semanticManifest, func(r io.Reader) error {
		sem, err := dbt.ReadSemanticManifest(r)
		if err == nil {
			s.Project.Semantics = *sem
		}
		return err
	}); err != nil {
		if !errors.Is(err, errAbsent) {
			return nil, stamps, err
		}
		if len(s.Project.Semantics.Models) == 0 {
			s.SemanticError = err.Error()
		}
	}
	if err := with(runResults, s.Project.AddRunResults); err != nil && !errors.Is(err, errAbsent) {
		s.Warnings = append(s.Warnings, err.Error()) // results of tests are no reason to go without the rest
	}
	if err := with(projectFile, func(r io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(r, 1<<20))
		if err != nil {
			return err
		}
		var warnings []string
		s.Constants, warnings = readConstants(text)
		s.Warnings = append(s.Warnings, warnings...)
		return nil
	}); err != nil && !errors.Is(err, errAbsent) {
		s.Warnings = append(s.Warnings, err.Error())
	}
	fmt.Fprintf(sum, "tier %s, semantic %t", c.options.Project.DefaultTier, c.options.Semantic)
	s.Hash = hex.EncodeToString(sum.Sum(nil)[:8])
	if c.options.Semantic && len(s.Project.Semantics.Models) > 0 {
		s.Layer = semantic.Build(s.Project, semantic.DefaultTier(c.options.Project.DefaultTier))
	}
	today := func() time.Time { return s.Constants.Now(c.options.Now()) }
	s.Route = route.New(s.Layer, route.Config{Specific: s.Constants.Specific, Today: today})
	return s, stamps, nil
}
