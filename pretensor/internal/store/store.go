// Package store gives the tools the catalogs of the indexed connections. It follows
// the registry: a new index is seen without a restart, and a call that is running
// finishes on the catalog that it began with.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Codes of a [Problem].
const (
	UnknownDatabase   = "unknown_database"
	AmbiguousDatabase = "ambiguous_database"
	DatabaseRequired  = "database_required"
	NoDatabases       = "no_databases"
	GraphMissing      = "graph_missing"
	GraphUnreadable   = "graph_unreadable"
)

// Problem is why there is no catalog for a name. Its texts hold no path.
type Problem struct {
	Code       string
	Message    string
	Hint       string
	Candidates []string // never nil
	Err        error    // for the log alone
}

func (p *Problem) Error() string { return p.Message }

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Options say how catalogs are made.
type Options struct {
	AliasSources int // as for [catalog.New]
	// Hide takes out of the data what callers may not see; nil shows all. Its result
	// may share parts with what it is given.
	Hide func(*catalog.Data) *catalog.Data
}

// Store opens catalogs. It may be used by several goroutines.
type Store struct {
	dir   *state.Dir
	watch *registry.Watcher
	opts  Options

	mu   sync.Mutex
	open map[string]*opened
}

// opened is one connection's catalog, loaded once for each generation.
type opened struct {
	generation string
	once       sync.Once
	catalog    *catalog.Catalog
	err        error
}

// New returns the store of a state directory.
func New(dir *state.Dir, reg *registry.Store, o Options) *Store {
	return &Store{dir: dir, watch: reg.Watch(), opts: o, open: map[string]*opened{}}
}

// Filtered reports whether catalogs may be without what callers may not see.
func (s *Store) Filtered() bool { return s.opts.Hide != nil }

// Entries are the connections, by name. A registry that cannot be read is a
// [*Problem].
func (s *Store) Entries() ([]registry.Entry, error) {
	r, err := s.watch.Current()
	if err != nil {
		return nil, &Problem{Code: GraphUnreadable, Message: "The registry cannot be read.", Hint: "Run: pretensor check", Candidates: []string{}, Err: err}
	}
	return r.All(), nil
}

// Choose finds the connection that an argument means: a connection's name, else the
// own name of one database, else either without regard to case. An empty argument
// means the only connection there is.
func (s *Store) Choose(name string) (registry.Entry, error) {
	name = strings.TrimSpace(name)
	entries, err := s.Entries()
	if err != nil {
		return registry.Entry{}, err
	}
	if len(entries) == 0 {
		return registry.Entry{}, &Problem{Code: NoDatabases, Message: "No database is indexed yet.", Hint: "Run: pretensor quickstart, or pretensor index DSN", Candidates: []string{}}
	}
	if name == "" {
		if len(entries) == 1 {
			return entries[0], nil
		}
		return registry.Entry{}, &Problem{Code: DatabaseRequired, Message: "Several databases are indexed; say which one.", Candidates: namesOf(entries)}
	}
	for _, same := range []func(e registry.Entry) bool{
		func(e registry.Entry) bool { return e.Name == name },
		func(e registry.Entry) bool { return e.Database == name },
		func(e registry.Entry) bool { return strings.EqualFold(e.Name, name) },
		func(e registry.Entry) bool { return strings.EqualFold(e.Database, name) },
	} {
		var found []registry.Entry
		for _, e := range entries {
			if same(e) {
				found = append(found, e)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return registry.Entry{}, &Problem{
				Code: AmbiguousDatabase, Message: fmt.Sprintf("'%s' is the database of several connections; give the connection's name.", names.Shown(name)), Candidates: namesOf(found),
			}
		}
	}
	p := &Problem{Code: UnknownDatabase, Message: fmt.Sprintf("No connection named '%s'.", names.Shown(name)), Hint: "Call list_databases for the full list.", Candidates: namesOf(entries)}
	if len(entries) > maxAll {
		p.Candidates = nearNames(name, namesOf(entries))
	}
	return registry.Entry{}, p
}

// maxAll is how many connections an unknown name is answered with whole.
const maxAll = 10

// nearNames are at most three names near to one that is not known, then those that
// it begins.
func nearNames(name string, all []string) []string {
	out := nearest.Find(name, all, 3)
	for _, n := range all {
		if len(out) < 3 && strings.HasPrefix(strings.ToLower(n), strings.ToLower(name)) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if out == nil {
		out = []string{}
	}
	return out
}

func namesOf(entries []registry.Entry) []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.Name
	}
	return out
}

// Catalog returns the catalog of a connection. It is loaded when it is first asked
// for, and again when the connection has been indexed anew.
func (s *Store) Catalog(e registry.Entry) (*catalog.Catalog, error) {
	if e.Indexed.IsZero() {
		return nil, missing(e.Name, fmt.Sprintf("'%s' is registered but not indexed yet.", e.Name), nil)
	}
	s.mu.Lock()
	o := s.open[e.Name]
	if o == nil || o.generation != e.Generation {
		o = &opened{generation: e.Generation}
		s.open[e.Name] = o
	}
	s.mu.Unlock()
	o.once.Do(func() {
		o.err = unreadable(e.Name, errors.New("loading panicked")) // what stays if it does
		o.catalog, o.err = s.load(e)
	})
	if o.err != nil {
		// Perhaps it is being written: the next call looks again.
		s.mu.Lock()
		if s.open[e.Name] == o {
			delete(s.open, e.Name)
		}
		s.mu.Unlock()
	}
	return o.catalog, o.err
}

func missing(name, message string, err error) *Problem {
	return &Problem{Code: GraphMissing, Message: message, Hint: "Run: pretensor index " + names.Argument(name), Candidates: []string{}, Err: err}
}

func unreadable(name string, err error) *Problem {
	return &Problem{Code: GraphUnreadable, Message: fmt.Sprintf("The index of '%s' cannot be read.", name), Hint: "Run: pretensor index " + names.Argument(name), Candidates: []string{}, Err: err}
}

func (s *Store) load(e registry.Entry) (*catalog.Catalog, error) {
	path, err := s.dir.Graph(e.Name)
	if err != nil {
		return nil, missing(e.Name, fmt.Sprintf("The name '%s' has no graph file.", e.Name), err)
	}
	f, err := state.Open(catalog.PathOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(e.Name, fmt.Sprintf("The index of '%s' is gone.", e.Name), err)
	}
	if err == nil {
		defer f.Close()
		var data *catalog.Data
		// Whatever its generation: a process that died while it wrote may have left the
		// old one, which serves.
		if data, err = catalog.Decode(f); err == nil {
			if s.opts.Hide != nil {
				data = s.opts.Hide(data)
			}
			return catalog.New(*data, s.opts.AliasSources), nil
		}
	}
	return nil, unreadable(e.Name, err)
}
