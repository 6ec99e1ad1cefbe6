package mcptest_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// snapshotServer has a tool of the given description, and others.
func snapshotServer(description string, more ...string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{PageSize: 2})
	for i, name := range append([]string{"query"}, more...) {
		if i > 0 {
			description = "Another."
		}
		s.AddTool(&mcp.Tool{
			Name: name, Description: description,
			InputSchema:  json.RawMessage(`{"type":"object","properties":{"zeta":{"type":"string"},"alpha":{"type":"integer","default":9007199254740993}}}`),
			OutputSchema: json.RawMessage(`{"type":"object"}`),
		}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	}
	return s
}

// recorder is a testing.TB that notes failures.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}
func (r *recorder) Error(args ...any)                 { r.Errorf("%s", fmt.Sprint(args...)) }
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...); panic(r) }
func (r *recorder) Fatal(args ...any)                 { r.Fatalf("%s", fmt.Sprint(args...)) }

// snapshot runs Snapshot and returns its failures.
func snapshot(t *testing.T, s *mcp.Server, dir string, budget int) string {
	t.Helper()
	r := &recorder{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(r) {
				panic(p)
			}
		}()
		mcptest.Snapshot(r, s, dir, budget)
	}()
	return strings.Join(r.failures, "\n")
}

func setUpdate(t *testing.T, value string) {
	t.Helper()
	if err := flag.Set("update", value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set("update", "false") })
}

func TestSnapshot(t *testing.T) {
	t.Setenv("CI", "")
	dir := filepath.Join(t.TempDir(), "tools")
	if got := snapshot(t, snapshotServer("A <b>."), dir, 10_000); !strings.Contains(got, "tool query has no snapshot") {
		t.Errorf("without files: %s", got)
	}
	setUpdate(t, "true")
	if got := snapshot(t, snapshotServer("A <b>.", "old", "sql"), dir, 10_000); got != "" {
		t.Errorf("updating: %s", got)
	}
	setUpdate(t, "false")
	if got := snapshot(t, snapshotServer("A <b>.", "old", "sql"), dir, 10_000); got != "" {
		t.Errorf("unchanged: %s", got)
	}
	if got := snapshot(t, snapshotServer("A <c>.", "old", "sql"), dir, 10_000); !strings.Contains(got, "tool query") || !strings.Contains(got, "A <c>.") || !strings.Contains(got, "A <b>.") {
		t.Errorf("changed: %s", got)
	}
	if got := snapshot(t, snapshotServer("A <b>.", "sql"), dir, 10_000); !strings.Contains(got, "old.json is the snapshot of a tool that does not exist") {
		t.Errorf("with a stale file: %s", got)
	}
	setUpdate(t, "true")
	if got := snapshot(t, snapshotServer("A <b>.", "sql"), dir, 10_000); got != "" {
		t.Errorf("updating: %s", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "old.json")); err == nil {
		t.Error("-update left a stale file")
	}
	data, err := os.ReadFile(filepath.Join(dir, "query.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.Contains(text, "A <b>.") || !strings.Contains(text, "9007199254740993") || strings.Index(text, "zeta") > strings.Index(text, "alpha") || !strings.HasSuffix(text, "}\n") {
		t.Errorf("the snapshot is not what clients get:\n%s", text)
	}
}

func TestSnapshot_Budget(t *testing.T) {
	t.Setenv("CI", "")
	dir := filepath.Join(t.TempDir(), "tools")
	setUpdate(t, "true")
	list, err := json.Marshal(map[string]any{"tools": []any{json.RawMessage(`{"description":"A.","inputSchema":{"type":"object","properties":{"zeta":{"type":"string"},"alpha":{"type":"integer","default":9007199254740993}}},"name":"query"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	size := len(list)
	if got := snapshot(t, snapshotServer("A."), dir, size); got != "" {
		t.Errorf("exactly on the budget: %s", got)
	}
	if got := snapshot(t, snapshotServer("A."), dir, size-1); !strings.Contains(got, fmt.Sprintf("has %d bytes", size)) {
		t.Errorf("one byte over the budget of %d: %q", size-1, got)
	}
	if got := snapshot(t, snapshotServer("A."), dir, 0); !strings.Contains(got, "state one") {
		t.Errorf("without a budget: %q", got)
	}
}

func TestSnapshot_UpdateIsRefusedInCI(t *testing.T) {
	t.Setenv("CI", "true")
	dir := filepath.Join(t.TempDir(), "tools")
	setUpdate(t, "true")
	if got := snapshot(t, snapshotServer("A."), dir, 10_000); !strings.Contains(got, "refused") {
		t.Errorf("-update with CI set: %q", got)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the files were written all the same")
	}
}
