package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// Codes of errors beside those of packages store and metric.
const (
	invalidArgument   = "invalid_argument"
	tableNotFound     = "table_not_found"
	ambiguousTable    = "ambiguous_table"
	columnNotFound    = "column_not_found"
	labelNotFound     = "label_not_found"
	engineUnavailable = "engine_unavailable"
	writeRejected     = "write_rejected"
	queryFailed       = "query_failed"
	timedOut          = "timeout"
)

// failure is the error object of every tool, which is the text of the result and its
// _meta["pretensor/error"] alike.
type failure struct {
	Error      string   `json:"error"` // one sentence
	Code       string   `json:"code"`
	Hint       string   `json:"hint,omitempty"`
	Candidates []string `json:"candidates,omitempty"`
	Ref        string   `json:"ref,omitempty"` // of an internal fault in the log
	// Of detect_changes alone.
	Category    string `json:"category,omitempty"`
	LastIndexed string `json:"last_indexed,omitempty"`
	CheckedAt   string `json:"checked_at,omitempty"`
}

// fault makes the error of a code. hint and candidates may be empty.
func fault(kind mcpkit.Kind, code, hint string, candidates []string, format string, args ...any) *mcpkit.Error {
	e := mcpkit.Errorf(kind, format, args...)
	e.Code, e.Fix = code, hint
	if len(candidates) > 0 {
		e.Data = map[string]any{"candidates": candidates}
	}
	return e
}

// refuse is the fault of an argument that cannot be used.
func refuse(hint string, format string, args ...any) *mcpkit.Error {
	return fault(mcpkit.InvalidArgument, invalidArgument, hint, nil, format, args...)
}

// explain turns the errors of engine packages into those that callers see. Any other
// error is a fault of the server, which mcpkit hides and logs.
func explain(err error) error {
	var known *mcpkit.Error
	var problem *store.Problem
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &problem):
		e := fault(mcpkit.NotFound, problem.Code, problem.Hint, problem.Candidates, "%s", problem.Message)
		e.Err = problem.Err
		return e
	}
	return err
}

// noTable explains why a name means no table of the database, or several.
func (d database) noTable(err error) error {
	var n *catalog.NotOne
	if !errors.As(err, &n) {
		return err
	}
	if strings.TrimSpace(n.Name) == "" {
		return refuse("Give a table or schema.table.", "The name of a table is empty.")
	}
	name := mcpkit.Untrusted(n.Name).String()
	if n.Ambiguous {
		// The same bare name in several schemas, or names that differ in case.
		schemas := map[string]bool{}
		for _, c := range n.Candidates {
			schemas[c[:max(0, strings.LastIndexByte(c, '.'))]] = true
		}
		if len(schemas) == len(n.Candidates) {
			return fault(mcpkit.Ambiguous, ambiguousTable, "", n.Candidates, "'%s' exists in %d schemas; use schema.table.", name, len(n.Candidates))
		}
		return fault(mcpkit.Ambiguous, ambiguousTable, "", n.Candidates, "'%s' means %d tables; write one of them in full.", name, len(n.Candidates))
	}
	hint := ""
	if d.Len() == 0 {
		hint = "The index of " + d.Entry.Name + " holds no visible table."
	}
	return fault(mcpkit.NotFound, tableNotFound, hint, n.Candidates, "No table '%s' in %s.", name, d.Entry.Name)
}

// errorValue is [mcpkit.Options].ErrorValue.
func (sv *Service) errorValue(_ context.Context, tool string, e *mcpkit.Error) any {
	f := failure{Error: sentence(e.Message), Code: e.Code, Hint: e.Fix}
	text := func(name string) string { s, _ := e.Data[name].(string); return s }
	f.Ref, f.Category, f.LastIndexed, f.CheckedAt = text("reference"), text("category"), text("last_indexed"), text("checked_at")
	f.Candidates, _ = e.Data["candidates"].([]string)
	switch e.Code {
	case "timeout", "cancelled":
		f.Code = timedOut
	case "result_too_large":
		f.Code = invalidArgument
	case "unknown_argument", "missing_argument", "duplicate_argument", "wrong_type", "out_of_range", "invalid_value":
		f.Code = invalidArgument
		if e.Code == "missing_argument" && slices.Contains([]string{"database", "db"}, e.Field) {
			f.Candidates = sv.databases()
		}
	case "":
		f.Code = string(e.Kind)
	}
	if e.Kind == mcpkit.Internal {
		f.Error = fmt.Sprintf("%s hit an internal fault.", tool)
		f.Hint = "The server's log has the details under this reference."
	}
	return f
}

// databases are the names of the connections, for a call that gives none.
func (sv *Service) databases() []string {
	entries, err := sv.Store.Entries()
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names
}

// sentence ends a message with a full stop.
func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "!") {
		return s
	}
	return s + "."
}
