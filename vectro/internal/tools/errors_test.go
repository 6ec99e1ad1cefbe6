package tools

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// Every kind of refusal that the engine has is one that callers can read, with
// the names that were probably meant; all else is a fault.
func TestToolError(t *testing.T) {
	one := []string{"price"}
	for _, tt := range []struct {
		err        error
		kind       mcpkit.Kind
		code       string
		candidates []string
	}{
		{&engine.Error{Code: "unknown_table", Message: "m", Candidates: one}, mcpkit.NotFound, "unknown_table", one},
		{&engine.Error{Code: "no_row", Message: "m"}, mcpkit.NotFound, "no_row", nil},
		{&engine.Error{Code: "column_exists", Message: "m"}, mcpkit.Conflict, "column_exists", nil},
		{&expr.Error{Message: "m", Candidates: one}, mcpkit.InvalidArgument, "bad_expression", one},
		{&expr.NameError{Message: "m", Candidates: []string{"a", "b", "c", "d", "e", "f"}}, mcpkit.InvalidArgument, "bad_argument", []string{"a", "b", "c", "d", "e"}},
		{&sqlfront.Error{Message: "m", Candidates: one}, mcpkit.InvalidArgument, "bad_sql", one},
		{&question.Error{Message: "m"}, mcpkit.InvalidArgument, "bad_argument", nil},
		{&plan.BindError{Message: "m"}, mcpkit.InvalidArgument, "bad_argument", nil},
		{&vec.QueryError{Message: "m"}, mcpkit.InvalidArgument, "bad_argument", nil},
		{&input.Error{Message: "m"}, mcpkit.InvalidArgument, "bad_file", nil},
		{&exec.LimitError{Message: "m"}, mcpkit.TooLarge, "too_large", nil},
		{&exec.MemoryError{Need: 2, Free: 1}, mcpkit.TooLarge, "memory", nil},
		{&mem.ExceededError{Need: 2, Free: 1}, mcpkit.TooLarge, "memory", nil},
	} {
		var e *mcpkit.Error
		if !errors.As(toolError(fmt.Errorf("%w", tt.err), true), &e) {
			t.Errorf("%T is taken for a fault", tt.err)
			continue
		}
		var candidates []string
		if e.Data != nil {
			candidates = e.Data["candidates"].([]string)
		}
		if e.Kind != tt.kind || e.Code != tt.code || !cmp.Equal(candidates, tt.candidates) || e.Message == "" {
			t.Errorf("%T: kind %s, code %s, candidates %q, message %q", tt.err, e.Kind, e.Code, candidates, e.Message)
		}
	}
	for _, err := range []error{nil, errors.New("a fault"), mcpkit.Errorf(mcpkit.NotFound, "known")} {
		if got := toolError(err, true); got != err { //nolint:errorlint // the very same
			t.Errorf("%v became %v", err, got)
		}
	}
}
