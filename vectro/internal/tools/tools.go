// Package tools holds vectro's MCP tools, one file each, and what they share.
// [Register] is the only list of them, in the order in which clients see it.
package tools

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
)

// Register adds all tools to a server.
func Register(s *mcpkit.Server, sv *Service) {
	mcpkit.Add(s, loadFile(sv))
	mcpkit.Add(s, listTables(sv))
	mcpkit.Add(s, describeTable(sv))
	mcpkit.Add(s, query(sv))
	mcpkit.Add(s, sql(sv))
	mcpkit.Add(s, searchSimilar(sv))
	mcpkit.Add(s, addColumn(sv))
	mcpkit.Add(s, dropTable(sv))
}

// Service is what the tools work on.
type Service struct {
	Root    *mcpkit.Root
	Engines *Engines
	MaxFile int64 // largest file that load_file reads, in bytes
	MaxText int   // longest string in a row, in characters; 0: no bound
	Hints   bool  // say which labels of a filter do not exist
	Log     *CallLog
}

func (sv *Service) encoder() encoder { return encoder{maxText: sv.MaxText} }

// hints returns an answer's hints unless they are switched off.
func (sv *Service) hints(of []string) []string {
	if !sv.Hints {
		return nil
	}
	return of
}

// timed is the last field of every result: how long the call took.
type timed struct {
	MS float64 `json:"ms" jsonschema:"how long the call took, in milliseconds"`
}

// Finish sets MS, rounded to a tenth.
func (t *timed) Finish(elapsed time.Duration) {
	t.MS = float64(elapsed.Round(100*time.Microsecond).Microseconds()) / 1000
}

// handle wraps a tool's work with what all tools have in common: the caller's
// engine, errors in the product's form, the call log.
func handle[In, Out any](sv *Service, tool string, work func(context.Context, *engine.Engine, In) (Out, error)) func(context.Context, In) (Out, error) {
	return func(ctx context.Context, in In) (Out, error) {
		start := time.Now()
		e := sv.Engines.For(ctx)
		out, err := work(ctx, e, in)
		err = toolError(err, err != nil && len(e.Tables()) > 0)
		sv.Log.write(ctx, tool, time.Since(start), any(out), err)
		return out, err
	}
}

// A call reports progress once it has run for progressAfter, and then at most
// every progressEvery. Loads report from the start.
const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 250 * time.Millisecond
)

// progress returns a reporter for a call that counts rows. Workers may call it
// concurrently.
func progress(ctx context.Context) func(done, total int64) {
	return report(ctx, progressAfter, func(done, total int64) string {
		if total == 0 {
			return "preparing"
		}
		return fmt.Sprintf("scanned %d of %d rows", done, total)
	})
}

// report throttles; message is called for what is sent only. A call that has told
// nothing by the time that after has passed, since one unit of its work takes
// longer, is reported as it stands.
func report(ctx context.Context, after time.Duration, message func(done, total int64) string) func(done, total int64) {
	var next, lastDone, lastTotal atomic.Int64
	start := time.Now()
	next.Store(int64(after))
	if after > 0 {
		time.AfterFunc(after, func() { // of no effect once the call has ended
			if next.CompareAndSwap(int64(after), int64(after+progressEvery)) {
				done, total := lastDone.Load(), lastTotal.Load()
				mcpkit.Progress(ctx, float64(done), float64(total), message(done, total))
			}
		})
	}
	return func(done, total int64) {
		lastDone.Store(done)
		lastTotal.Store(total)
		now, due := int64(time.Since(start)), next.Load()
		if now < due || !next.CompareAndSwap(due, now+int64(progressEvery)) {
			return
		}
		mcpkit.Progress(ctx, float64(done), float64(total), message(done, total))
	}
}

// rowList is the schema of rows: objects whose members depend on the data.
func rowList(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Description: description, Items: &jsonschema.Schema{Type: "object"}}
}

// columnKinds is the schema of a map from column name to kind.
func columnKinds() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Description: "the kind of each column, in the table's order",
		AdditionalProperties: &jsonschema.Schema{Type: "string", Enum: []any{"number", "category", "date", "text"}},
	}
}

func kinds(columns []engine.ColumnInfo) object[string] {
	o := make(object[string], len(columns))
	for i, c := range columns {
		o[i] = member[string]{c.Name, c.Kind}
	}
	return o
}
