package tools

import (
	"context"
	"errors"
	"fmt"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/expr"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	question "github.com/quartet-mcp/quartet/vectro/internal/engine/query"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/sqlfront"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vec"
)

// toolError gives the engine's refusals the protocol's form. What it does not
// know is a fault of the server, whose text callers do not see.
// tables says whether the caller has any table loaded, and so one to drop.
func toolError(err error, tables bool) error {
	var (
		known      *mcpkit.Error
		table      *engine.Error
		expression *expr.Error
		name       *expr.NameError
		statement  *sqlfront.Error
		full       *mem.ExceededError
		scratch    *exec.MemoryError
	)
	mistake := func(code string, candidates ...string) error {
		e := &mcpkit.Error{Kind: kindOf(code), Code: code, Message: err.Error()}
		if len(candidates) > 0 {
			e.Data = map[string]any{"candidates": candidates[:min(maxCandidates, len(candidates))]}
		}
		return e
	}
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.As(err, &table):
		return mistake(table.Code, table.Candidates...)
	case errors.As(err, &expression):
		return mistake("bad_expression", expression.Candidates...)
	case errors.As(err, &name):
		return mistake("bad_argument", name.Candidates...)
	case errors.As(err, &statement):
		return mistake("bad_sql", statement.Candidates...)
	case is[*question.Error](err), is[*plan.BindError](err), is[*vec.QueryError](err):
		return mistake("bad_argument")
	case is[*input.Error](err):
		return mistake("bad_file")
	case is[*exec.LimitError](err):
		return mistake("too_large")
	case errors.As(err, &scratch): // before the error of the budget, which it wraps
		return memoryError(fmt.Sprintf("This needs about %s; %s are free.", mem.Size(scratch.Need), mem.Size(scratch.Free)),
			scratch.Limit, scratch.Free, tables, "filter more, or group by fewer columns")
	case errors.As(err, &full):
		return memoryError(fmt.Sprintf("This needs about %s more memory; %s are free.", mem.Size(full.Need), mem.Size(full.Free)),
			full.Limit, full.Free, tables, "or load a smaller file")
	}
	return err
}

// memoryError refuses for want of memory: what is missing, what there is, and what
// would help. Without a table there is none to drop.
func memoryError(missing string, limit, free int64, tables bool, rest string) error {
	way := "Drop a table, "
	if !tables {
		way = "Start the server with a larger --memory, "
	}
	return &mcpkit.Error{Kind: mcpkit.TooLarge, Code: "memory", Message: fmt.Sprintf(
		"%s The budget (--memory) is %s, of which %s are in use. %s%s.", missing, mem.Size(limit), mem.Size(limit-free), way, rest)}
}

// maxCandidates is the most names that an error offers.
const maxCandidates = 5

func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

func kindOf(code string) mcpkit.Kind {
	switch code {
	case "unknown_table", "no_row":
		return mcpkit.NotFound
	case "column_exists":
		return mcpkit.Conflict
	case "memory", "too_large":
		return mcpkit.TooLarge
	}
	return mcpkit.InvalidArgument
}

// errorCode names an error for the call log, without its text.
func errorCode(ctx context.Context, err error) string {
	var e *mcpkit.Error
	switch {
	case errors.As(err, &e):
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "timeout"
	case ctx.Err() != nil:
		return "cancelled"
	default:
		return string(mcpkit.Internal)
	}
	if e.Code == "" {
		return string(e.Kind)
	}
	return e.Code
}

// ErrorText renders an error in vectro's wording; see [mcpkit.Options].
func ErrorText(_ context.Context, tool string, e *mcpkit.Error) string {
	switch {
	case e.Code == "timeout":
		return e.Message + " (--timeout); filter more, or aggregate instead of fetching rows"
	case e.Kind == mcpkit.Internal:
		return fmt.Sprintf("Vectro hit an internal fault in %s; the tables are unchanged. The server's log has it under %v.", tool, e.Data["reference"])
	}
	return e.Error()
}
