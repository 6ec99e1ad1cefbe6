package tools

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
)

// This file holds what is done before a client asks for it.

// Warm loads the catalogs of all connections, then makes them searchable, and does so
// again for what is indexed anew, until ctx ends. Calls are not kept waiting by it: one
// that comes meanwhile waits for what it needs itself, which is not made twice. It works
// on one thing at a time, so that other processors are free to answer. Call it in a
// goroutine that is waited for; it ends after the step that it is at, see
// [lookup.Index.Put].
func (sv *Service) Warm(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(headStart):
	}
	for entries := range sv.changes(ctx) {
		loaded := make([]*catalog.Catalog, len(entries))
		for i, e := range entries {
			sv.try(ctx, e, func() (err error) {
				loaded[i], err = sv.Store.Catalog(e)
				return err
			})
		}
		for i, e := range entries {
			if loaded[i] != nil && sv.Lookup != nil {
				sv.try(ctx, e, func() error { return sv.Lookup.Put(ctx, loaded[i]) })
			}
		}
		if ctx.Err() == nil {
			// To make an index takes several times the memory of what it leaves. What is
			// pooled outlives one collection.
			runtime.GC()
			debug.FreeOSMemory()
		}
	}
}

// headStart is what the first requests have before others: those for the list of tools,
// for which nothing has to be loaded.
const headStart = 250 * time.Millisecond

// try does a part of the work on a connection. It is no more than a try: a call that
// needs the part meets the same fault, and tells it.
func (sv *Service) try(ctx context.Context, e registry.Entry, part func() error) {
	if ctx.Err() != nil || e.Indexed.IsZero() {
		return
	}
	err := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
		}()
		return part()
	}()
	if err != nil && ctx.Err() == nil && sv.Log != nil {
		sv.Log.Warn("a connection cannot be made ready", "connection", e.Name, "error", err)
	}
}

// changes are the connections as they are now, and again whenever the registry says
// something else, until ctx ends. It looks once per second.
func (sv *Service) changes(ctx context.Context) iter.Seq[[]registry.Entry] {
	return func(yield func([]registry.Entry) bool) {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		var last []registry.Entry
		for known := false; ; {
			entries, err := sv.Store.Entries()
			if err == nil && !(known && reflect.DeepEqual(entries, last)) {
				last, known = entries, true
				if !yield(entries) {
					return
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}
}
