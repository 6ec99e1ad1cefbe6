package conformance

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// node runs a script of the folder clients in an empty folder. Without Node.js
// or the scripts' packages the test is skipped, or fails when CI is set.
func node(t *testing.T, script string, args ...string) {
	t.Helper()
	dir, err := filepath.Abs("clients")
	if err != nil {
		t.Fatal(err)
	}
	missing := ""
	path, err := exec.LookPath("node")
	if err != nil {
		missing = "Node.js is not installed"
	} else if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		missing = "conformance/clients has no node_modules; run npm ci there"
	}
	if missing != "" && os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	if missing != "" {
		t.Skip(missing + " (a failure when CI is set)")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append([]string{filepath.Join(dir, script)}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", script, err, out)
	}
}

// argument is a call as the scripts take it.
func argument(c mcptest.Call) string {
	if c.Arguments == "" {
		return c.Tool
	}
	return c.Tool + "=" + c.Arguments
}

func TestClients_OfficialSDK(t *testing.T) {
	existing(t, func(t *testing.T, s Server, start mcptest.Server) {
		args := []string{"--call", argument(s.Good), "--error", argument(s.Bad)}
		if s.Slow != nil {
			args = append(args, "--slow", argument(*s.Slow))
		}
		args = append(args, "--", start.Path)
		node(t, "sdk-client.test.mjs", append(args, start.Args...)...)
	})
}

// The scenarios that call tools, prompts and resources by fixed names run
// against the example, which offers them with --fixtures.
func TestClients_OfficialSuite(t *testing.T) {
	existing(t, func(t *testing.T, s Server, start mcptest.Server) {
		if !s.HTTP {
			t.Skipf("%s does not speak HTTP", s.Name)
		}
		node(t, "suite.mjs", append([]string{"--", start.Path}, start.Args...)...)
		if s.Example {
			node(t, "suite.mjs", append([]string{"--fixtures", "--", start.Path, "--fixtures"}, start.Args...)...)
		}
	})
}
