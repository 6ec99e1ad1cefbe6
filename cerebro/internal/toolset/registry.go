package toolset

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"
)

// Definition is a tool as it is registered.
type Definition struct {
	Name string
	// Description is the whole of it; its first line is the summary.
	Description string
	Meta        Meta
	// Custom marks a tool that the installation adds; its meta is inferred.
	Custom bool
	// Input and Output are the JSON Schemas of arguments and result; Output may be nil.
	Input, Output json.RawMessage
}

// Summary is the first line of the description, that of the table where there is no description.
func (d *Definition) Summary() string { return cmp.Or(FirstLine(d.Description), d.Meta.Summary) }

// Required are the names of the arguments that a call must give, in the order of the schema.
func (d *Definition) Required() []string {
	var s struct {
		Required []string `json:"required"`
	}
	if json.Unmarshal(d.Input, &s) != nil {
		return nil
	}
	return s.Required
}

// NamePattern is what a tool may be called.
var NamePattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// Registry holds the tools that are registered, in the order of their registration.
// It is safe for concurrent use; a definition never changes once it is in.
type Registry struct {
	mu      sync.RWMutex
	order   []*Definition
	byName  map[string]*Definition
	changes uint64
}

// NewRegistry makes a registry without tools.
func NewRegistry() *Registry { return &Registry{byName: map[string]*Definition{}} }

// Add registers a tool. A name or alias that is taken is refused.
func (r *Registry) Add(d Definition) error {
	if !NamePattern.MatchString(d.Name) {
		return fmt.Errorf("tool name %q is not of the form %s", d.Name, NamePattern)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range append([]string{d.Name}, d.Meta.Aliases...) {
		if other := r.byName[n]; other != nil {
			return fmt.Errorf("tool name %q is taken by %s", n, other.Name)
		}
	}
	d.Meta.Tier = cmp.Or(d.Meta.Tier, Advanced)
	r.order = append(r.order, &d)
	for _, n := range append([]string{d.Name}, d.Meta.Aliases...) {
		r.byName[n] = &d
	}
	r.changes++
	return nil
}

// Remove takes a tool out; it says whether there was one of the name.
func (r *Registry) Remove(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.byName[name]
	if d == nil {
		return false
	}
	for _, n := range append([]string{d.Name}, d.Meta.Aliases...) {
		delete(r.byName, n)
	}
	// Readers may hold the old list.
	r.order = slices.DeleteFunc(slices.Clone(r.order), func(x *Definition) bool { return x == d })
	r.changes++
	return true
}

// Get finds a tool by its name or an alias, nil if there is none.
func (r *Registry) Get(name string) *Definition {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byName[name]
}

// All are the tools in order, and a number that changes whenever they do.
func (r *Registry) All() ([]*Definition, uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clip(r.order), r.changes
}

// Names are the names of the tools in order.
func (r *Registry) Names() []string {
	all, _ := r.All()
	out := make([]string, len(all))
	for i, d := range all {
		out[i] = d.Name
	}
	return out
}
