// Package registry is the list of connections that a state directory knows, kept
// in registry.json: what each is called, which database it is, where its graph
// lies and when it was built. Connection strings are in it as tokens of package
// keystore only.
//
// A [Registry] is one reading of the file. [Store] reads and changes it;
// [Watcher] follows it.
package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Version is the version of the file's format that is written.
const Version = 1

// Why a registry cannot be used; the errors that wrap these say what to do.
var (
	ErrCorrupt = errors.New("registry.json is damaged")
	ErrNewer   = errors.New("registry.json was written by a newer version of pretensor")
)

// ErrNoDSN says that an entry has no connection string, neither in clear nor as a
// token.
var ErrNoDSN = errors.New("there is no connection string")

// Entry is one connection.
type Entry struct {
	Name     string // of the connection; unique
	Database string // the database's own name
	Dialect  string
	// DSN is the connection string where it is known in clear: in an entry that is
	// to be written, or from a file of an older version. [Store.DSN] gets it in any
	// case.
	DSN          keystore.Secret
	DSNEncrypted string // the token; made from DSN when the entry is written

	GraphPath        string
	UnifiedGraphPath string
	Indexed          time.Time // zero: added, but not indexed yet
	Tables           int
	Description      string
	DBTManifest      string // path
	LLMEnriched      bool
	Generation       string          // id of the graph
	IndexOptions     json.RawMessage // what it was indexed with; nil if unknown
}

// Days is how old the index is, in whole days.
func (e *Entry) Days(now time.Time) int { return int(max(0, now.Sub(e.Indexed)) / (24 * time.Hour)) }

// Registry is what one reading of the file gave. It may be read by several
// goroutines; it is changed only inside [Store.Update].
type Registry struct {
	entries map[string]Entry
}

// wire is the file, wireEntry an entry in it. Pointers are null where there is
// nothing.
type wire struct {
	Version int                  `json:"version"`
	Entries map[string]wireEntry `json:"entries"`
}

type wireEntry struct {
	ConnectionName   string          `json:"connection_name"`
	Database         string          `json:"database"`
	DSN              string          `json:"dsn"`
	DSNEncrypted     *string         `json:"dsn_encrypted"`
	GraphPath        *string         `json:"graph_path"`
	UnifiedGraphPath *string         `json:"unified_graph_path"`
	LastIndexedAt    *string         `json:"last_indexed_at"`
	Dialect          string          `json:"dialect"`
	TableCount       *int            `json:"table_count"`
	Description      *string         `json:"description"`
	DBTManifestPath  *string         `json:"dbt_manifest_path"`
	LLMEnrichmentRan bool            `json:"llm_enrichment_ran"`
	Generation       *string         `json:"generation"`
	IndexOptions     json.RawMessage `json:"index_options"`
}

// Parse reads the text of a registry file. Its errors wrap [ErrCorrupt] or
// [ErrNewer] and hold nothing of the text.
func Parse(text []byte) (*Registry, error) {
	// The version comes first: what a newer file holds need not fit the rest.
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, corrupt(text, err)
	}
	if head.Version != nil && *head.Version > Version {
		return nil, fmt.Errorf("%w: it has format %d, this one knows up to %d; use the newer pretensor", ErrNewer, *head.Version, Version)
	}
	var file wire
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, corrupt(text, err)
	}
	if file.Entries == nil {
		return nil, advise(`there is no "entries" in it`)
	}
	r := &Registry{entries: make(map[string]Entry, len(file.Entries))}
	for name, w := range file.Entries {
		if name == "" {
			return nil, advise("an entry has no name")
		}
		e, err := w.entry(name)
		if err != nil {
			return nil, advise(err.Error())
		}
		r.entries[name] = e
	}
	return r, nil
}

func (w wireEntry) entry(name string) (Entry, error) {
	e := Entry{
		Name: name, Database: w.Database, Dialect: w.Dialect,
		DSN: keystore.Secret(w.DSN), DSNEncrypted: value(w.DSNEncrypted),
		GraphPath: value(w.GraphPath), UnifiedGraphPath: value(w.UnifiedGraphPath),
		Tables: value(w.TableCount), Description: value(w.Description), DBTManifest: value(w.DBTManifestPath),
		LLMEnriched: w.LLMEnrichmentRan, Generation: value(w.Generation),
	}
	if len(w.IndexOptions) > 0 && string(w.IndexOptions) != "null" {
		e.IndexOptions = w.IndexOptions
	}
	if e.Tables < 0 {
		return e, fmt.Errorf("table_count of %q is negative", name)
	}
	if text := value(w.LastIndexedAt); text != "" {
		t, err := parseTime(text)
		if err != nil {
			return e, fmt.Errorf("last_indexed_at of %q is no time", name)
		}
		e.Indexed = t
	}
	return e, nil
}

// parseTime reads RFC 3339, and the same without a zone, which older files have
// and which means UTC.
func parseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04:05", text)
	}
	if err == nil && (t.UTC().Year() < 0 || t.UTC().Year() > 9999) {
		err = errors.New("year out of range")
	}
	return t.UTC(), err
}

// Text is the file that holds the registry: the same bytes for the same entries.
// Every DSN must have become a token before.
func (r *Registry) text() ([]byte, error) {
	file := wire{Version: Version, Entries: make(map[string]wireEntry, len(r.entries))}
	for name, e := range r.entries {
		if e.DSN != "" {
			panic("registry: a connection string was about to be written in clear")
		}
		w := wireEntry{
			ConnectionName: name, Database: e.Database, Dialect: e.Dialect,
			DSNEncrypted: pointer(e.DSNEncrypted), GraphPath: pointer(e.GraphPath), UnifiedGraphPath: pointer(e.UnifiedGraphPath),
			TableCount: &e.Tables, Description: pointer(e.Description), DBTManifestPath: pointer(e.DBTManifest),
			LLMEnrichmentRan: e.LLMEnriched, Generation: pointer(e.Generation), IndexOptions: e.IndexOptions,
		}
		if !e.Indexed.IsZero() {
			text := e.Indexed.UTC().Format(time.RFC3339Nano)
			w.LastIndexedAt = &text
		}
		file.Entries[name] = w
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(file); err != nil {
		return nil, fmt.Errorf("encoding the registry: %w", err)
	}
	return b.Bytes(), nil
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func pointer(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// corrupt describes an error of the JSON decoder by its place alone.
func corrupt(text []byte, err error) error {
	offset, what := int64(-1), "it is not valid JSON"
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &typ):
		offset, what = typ.Offset, "a value has the wrong type"
	}
	if offset >= 0 && offset <= int64(len(text)) {
		before := text[:offset]
		what += fmt.Sprintf(" at line %d", 1+bytes.Count(before, []byte("\n")))
	}
	return advise(what)
}

func advise(what string) error {
	return fmt.Errorf("%w: %s; restore it from a backup, or move it away and add the connections again with: pretensor add", ErrCorrupt, what)
}

// Names are the connections' names, sorted.
func (r *Registry) Names() []string { return slices.Sorted(maps.Keys(r.entries)) }

// Len is the number of connections.
func (r *Registry) Len() int { return len(r.entries) }

// All are the entries, sorted by name.
func (r *Registry) All() []Entry {
	out := make([]Entry, 0, len(r.entries))
	for _, name := range r.Names() {
		out = append(out, r.entries[name])
	}
	return out
}

// Get finds the connection of exactly this name. The error of an unknown one is an
// [UnknownError].
func (r *Registry) Get(name string) (Entry, error) {
	e, ok := r.entries[name]
	if !ok {
		return Entry{}, &UnknownError{Name: name, Candidates: nearest.Find(name, r.Names(), 3), None: len(r.entries) == 0}
	}
	return e, nil
}

// Put adds an entry, or replaces the one of its name. A name that makes no file
// name, or one that another connection uses, is refused.
func (r *Registry) Put(e Entry) error {
	if err := state.CheckNew(e.Name, r.Names()); err != nil {
		return err
	}
	r.entries[e.Name] = e
	return nil
}

// Remove takes the connection of exactly this name out.
func (r *Registry) Remove(name string) error {
	if _, err := r.Get(name); err != nil {
		return err
	}
	delete(r.entries, name)
	return nil
}

// UnknownError says that there is no connection of a name.
type UnknownError struct {
	Name       string
	Candidates []string // at most three that may have been meant, best first
	None       bool     // there is no connection at all
}

func (e *UnknownError) Error() string {
	switch {
	case e.None:
		return fmt.Sprintf("no connection %q: there are none yet; add one with: pretensor add DSN", e.Name)
	case len(e.Candidates) == 0:
		return fmt.Sprintf("no connection %q; see: pretensor list", e.Name)
	}
	quoted := make([]string, len(e.Candidates))
	for i, c := range e.Candidates {
		quoted[i] = fmt.Sprintf("%q", c)
	}
	return fmt.Sprintf("no connection %q; did you mean %s?", e.Name, strings.Join(quoted, " or "))
}
