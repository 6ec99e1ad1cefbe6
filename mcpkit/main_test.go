package mcpkit

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parseFlags parses args as a server with a few flags of its own would.
func parseFlags(args ...string) (f *Flags, code int, done bool, stdout, stderr string) {
	f = &Flags{Paths: []string{"root", "log"}, Command: []string{"serve"}}
	set := flag.NewFlagSet("weather", flag.ContinueOnError)
	set.String("root", ".", "the data `folder`")
	set.String("log", "", "a `file`")
	set.Bool("cold", false, "no warm-up")
	set.Func("preload", "a `path=name`", func(string) error { return nil })
	f.Register(set)
	var out, errs bytes.Buffer
	code, done = f.parse(set, Info{Name: "weather-mcp", Title: "Weather", Version: "1.2.3"}, args, &out, &errs)
	return f, code, done, out.String(), errs.String()
}

func TestFlags_Defaults(t *testing.T) {
	f, _, done, stdout, stderr := parseFlags()
	if done || stdout+stderr != "" {
		t.Fatalf("done, %q, %q", stdout, stderr)
	}
	if f.Transport != "stdio" || f.Addr != "127.0.0.1:8080" || f.LogLevel != slog.LevelWarn || f.NoOutputSchemas {
		t.Errorf("got %+v", f)
	}
}

func TestFlags_TokenComesFromTheEnvironment(t *testing.T) {
	t.Setenv("WEATHER_MCP_HTTP_TOKEN", "s3cret")
	f, _, done, _, stderr := parseFlags("--transport", "http", "--addr", "0.0.0.0:1")
	if done {
		t.Fatalf("refused: %s", stderr)
	}
	if opts := f.options(); opts.HTTP.Token != "s3cret" || opts.HTTP.Addr != "0.0.0.0:1" || opts.Transport != "http" {
		t.Errorf("got %+v", opts)
	}
	t.Setenv("WEATHER_MCP_HTTP_TOKEN", "")
	if _, code, _, _, stderr := parseFlags("--transport", "http", "--addr", "0.0.0.0:1"); code != 2 || !strings.Contains(stderr, "$WEATHER_MCP_HTTP_TOKEN") {
		t.Errorf("code %d, %q, want a refusal that names the variable", code, stderr)
	}
}

func TestFlags_PrintConfig(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	args := []any{"serve", "--log", filepath.Join(here, "a.log"), "--cold", "--preload", "x.csv=x", "--log-level", "info", "--root", here}
	server := func(more ...any) map[string]any {
		m := map[string]any{"command": program, "args": args}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return map[string]any{"weather-mcp": m}
	}
	for client, want := range map[string]map[string]any{
		"claude-desktop": {"mcpServers": server()},
		"claude-code":    {"mcpServers": server("type", "stdio", "env", map[string]any{})},
		"cursor":         {"mcpServers": server()},
		"vscode":         {"servers": server("type", "stdio")},
		"zed":            {"context_servers": server("env", map[string]any{})},
	} {
		_, code, done, stdout, stderr := parseFlags("--log=a.log", "-cold", "--preload", "x.csv=x", "--print-config", client, "--log-level", "info")
		if !done || code != 0 || stderr != "" {
			t.Fatalf("%s: done %v, code %d, %q", client, done, code, stderr)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatalf("%s: %v in %s", client, err, stdout)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", client, diff)
		}
	}
}

func TestFlags_PrintConfigKeepsValues(t *testing.T) {
	_, _, _, stdout, _ := parseFlags("--root", "/abs", "--cold=false", "--print-config=vscode", "--no-output-schemas")
	var got map[string]map[string]struct{ Args []string }
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	want := []string{"serve", "--root", "/abs", "--cold=false", "--no-output-schemas"}
	if diff := cmp.Diff(want, got["servers"]["weather-mcp"].Args); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFlags_PrintConfigIsForStdio(t *testing.T) {
	if _, code, _, stdout, stderr := parseFlags("--transport", "http", "--print-config", "zed"); code != 2 || stdout != "" || !strings.Contains(stderr, "--transport http") {
		t.Errorf("code %d, %q, %q", code, stdout, stderr)
	}
}

func TestFlags_Positional(t *testing.T) {
	f := &Flags{Positional: true}
	set := flag.NewFlagSet("x", flag.ContinueOnError)
	f.Register(set)
	var out, errs bytes.Buffer
	if _, done := f.parse(set, Info{Name: "x"}, []string{"--log-level", "debug", "a", "b"}, &out, &errs); done || set.NArg() != 2 {
		t.Errorf("done %v, %d arguments: %s", done, set.NArg(), errs.String())
	}
}
