// Package tools is the face that pretensor shows to an assistant: its twelve tools and
// four resources. Register adds them to a server, in the order in which clients see
// them; each tool is a file of its name.
//
// A handler reads its arguments, chooses a connection and a table, asks an engine
// package and shapes the answer. What a caller may not see has been taken out of the
// catalogs before they come here. Texts that come from databases are data: they
// travel in JSON values and are cleaned where they become part of a sentence.
package tools

import (
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// Service is what the tools work with. Its fields do not change once the server runs.
type Service struct {
	Store *store.Store
	// StaleDays is the age of an index, in whole days, above which it is stale.
	StaleDays int
	// Live is for detect_changes.
	Live *Live
	// Graphs runs the queries of cypher; nil: there is no graph engine.
	Graphs *Graphs
	// CypherRows is the most rows of an answer of cypher; 0 is 1000.
	CypherRows int
	// Lookup is what query and semantic_search search; it follows the store.
	Lookup *lookup.Index
	// Embedder makes the vectors of questions; nil: there is none.
	Embedder *embed.Embedder
	// Now is the clock; nil is the system's.
	Now func() time.Time
	// Log gets what callers do not see; nil is silent.
	Log *slog.Logger
}

// Names lists the tools in the order in which clients see them.
var Names = []string{
	"list_databases", "schema", "query", "semantic_search", "context", "cypher", "traverse", "impact", "consumers", "detect_changes",
	"compile_metric", "validate_sql",
}

// Register adds the tools for which only returns true, or all of them when it is nil,
// and the resources.
func Register(server *mcpkit.Server, sv *Service, only func(tool string) bool) {
	add(server, only, listDatabases(sv))
	add(server, only, schema(sv))
	add(server, only, query(sv))
	add(server, only, semanticSearch(sv))
	add(server, only, tableContext(sv))
	add(server, only, cypherTool(sv))
	add(server, only, traverse(sv))
	add(server, only, impact(sv))
	add(server, only, consumers(sv))
	add(server, only, detectChanges(sv))
	add(server, only, compileMetric(sv))
	add(server, only, validateSQL(sv))
	addResources(server, sv)
}

// Options are what the tools need of the server that they are added to. maxResult is
// the most characters of one answer; 0 is 60,000.
func (sv *Service) Options(maxResult int) *mcpkit.Options {
	if maxResult == 0 {
		maxResult = maxAnswer
	}
	return &mcpkit.Options{
		Logger: sv.Log, Limits: mcpkit.Limits{Result: maxResult, Parallel: maxCalls}, ErrorValue: sv.errorValue, WarningsIn: mcpkit.InResult, Trim: true,
		Middleware: []mcp.Middleware{sv.serveResources},
	}
}

// maxAnswer is the most characters of an answer: what a conversation can bear.
const maxAnswer = 60_000

// maxCalls is how many calls run at once: more than there can be of cypher, so that its
// queries keep no other tool waiting.
const maxCalls = 24

// readOnly are the hints of tools that answer from the index alone.
var readOnly = mcpkit.Hints{ReadOnly: true, Idempotent: true}

func add[In, Out any](server *mcpkit.Server, only func(string) bool, t mcpkit.Tool[In, Out]) {
	if only != nil && !only(t.Name) {
		return
	}
	handle := t.Handle
	t.Handle = func(ctx context.Context, in In) (Out, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return out, explain(err)
		}
		if w, ok := any(&out).(interface{ note(string) }); ok {
			for _, x := range mcpkit.Warnings(ctx) {
				w.note(x.Message)
			}
		}
		return out, nil
	}
	mcpkit.Add(server, t)
}

// warned is the last field of most results. What handlers tell [warn] ends up in it.
type warned struct {
	Warning string `json:"warning,omitempty" jsonschema:"what to know about this answer; several sentences are joined with ;"`
}

func (w *warned) note(text string) {
	if w.Warning != "" {
		w.Warning += "; "
	}
	w.Warning += text
}

// warn adds a sentence to the warning of the answer to the call that ctx belongs to.
func warn(ctx context.Context, text string) {
	mcpkit.Warn(ctx, mcpkit.Warning{Category: text, Message: text})
}

// database is a connection that a call is about.
type database struct {
	Entry registry.Entry
	*catalog.Catalog
}

// open chooses the connection that an argument means and opens its catalog. An empty
// argument means the only connection.
func (sv *Service) open(argument string) (database, error) {
	e, err := sv.Store.Choose(argument)
	if err != nil {
		return database{}, err
	}
	c, err := sv.Store.Catalog(e)
	if err != nil {
		return database{}, err
	}
	return database{e, c}, nil
}

// table finds the table that an argument means.
func (d database) table(argument string) (int, error) {
	i, err := d.Find(argument)
	if err != nil {
		return -1, d.noTable(err)
	}
	return i, nil
}

func (sv *Service) now() time.Time {
	if sv.Now == nil {
		return time.Now()
	}
	return sv.Now()
}
