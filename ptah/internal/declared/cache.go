package declared

import (
	"context"
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source"
)

// What is kept: an assistant asks about the same few schemas again and again, and large
// ones would take the memory of many small ones.
const (
	maxCached      = 16
	maxCachedBytes = 4 << 20 // of sources, in all
)

// cache keeps answers as long as their sources are unchanged: every file is read again and
// compared before an answer is used again, so that it is the one that a new reading would
// give, warnings included.
type cache struct {
	mu      sync.Mutex
	entries []*entry // the last used one first
}

type entry struct {
	key     string
	reading *source.Reading
	report  finding.Report
	result  any
}

// find returns the entry of a key, nil if there is none that holds.
func (c *cache) find(key string) *entry {
	c.mu.Lock()
	var found *entry
	for i, e := range c.entries {
		if e.key == key {
			copy(c.entries[1:], c.entries[:i])
			c.entries[0] = e
			found = e
			break
		}
	}
	c.mu.Unlock()
	if found == nil || !found.reading.Unchanged() {
		return nil
	}
	return found
}

// put keeps an entry in the place of the one that has its key, and lets go of those that
// were not used for longest.
func (c *cache) put(e *entry) {
	if e.reading.Bytes() > maxCachedBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, bytes := []*entry{e}, e.reading.Bytes()
	for _, old := range c.entries {
		if bytes += old.reading.Bytes(); old.key == e.key || len(kept) == maxCached || bytes > maxCachedBytes {
			bytes -= old.reading.Bytes()
			continue
		}
		kept = append(kept, old)
	}
	c.entries = kept
}

// cached reads the sources of a request and works on them, unless it did so before and
// they are unchanged. Paths are judged each time.
func cached[T any](ctx context.Context, r *Reader, what string, req Request, rep *finding.Report, work func(dialect.Dialect, *schema.Database, *finding.Report) T) (T, error) {
	var none T
	d, err := dialect.Parse(req.Dialect)
	if err != nil {
		return none, code.New(code.InvalidRequest, "%v", err)
	}
	found, err := r.Roots.Find(req.Source)
	if err != nil {
		return none, refused(err)
	}
	key := strings.Join([]string{what, string(d), found.Key()}, "\x00")
	if e := r.cache.find(key); e != nil {
		rep.Add(&e.report)
		return e.result.(T), nil
	}
	e := &entry{key: key}
	db, reading, err := found.Load(ctx, d, r.same(ctx, d), &e.report)
	if err != nil {
		return none, err
	}
	result := work(d, db, &e.report)
	if err := ctx.Err(); err != nil {
		return none, err // half of it may be missing
	}
	e.reading, e.result = reading, result
	r.cache.put(e)
	rep.Add(&e.report)
	return result, nil
}
