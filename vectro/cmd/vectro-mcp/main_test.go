package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// outcome is how a process ended.
type outcome struct {
	code           int
	stdout, stderr string
}

// start runs the binary in a folder of its own with files, gives it the lines and
// closes its input. In arguments DIR stands for the folder.
func start(t *testing.T, files map[string]string, args []string, send ...string) (outcome, string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args = slices.Clone(args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "DIR", dir)
	}
	cmd := exec.CommandContext(t.Context(), mcptest.Build(t, ".").Path, args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(strings.Join(send, "\n") + "\n")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}, dir
}

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

func call(tool, args string) string {
	return `{"jsonrpc":"2.0","id":"` + tool + `","method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

// answer starts the server, calls one tool, and returns the text of its answer.
func answer(t *testing.T, files map[string]string, args []string, tool, arguments string) string {
	t.Helper()
	o, _ := start(t, files, args, hello, call(tool, arguments))
	if o.code != 0 || o.stderr != "" {
		t.Fatalf("%v: exit code %d, stderr %q", args, o.code, o.stderr)
	}
	for line := range strings.Lines(o.stdout) {
		var m struct {
			ID     string
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("stdout has %q: %v", line, err)
		}
		if m.ID == tool && len(m.Result.Content) == 1 {
			return m.Result.Content[0].Text
		}
	}
	t.Fatalf("%v: no answer to %s: %s", args, tool, o.stdout)
	return ""
}

// A mistake on the command line: exit code 2, the reason first on stderr, nothing
// on stdout.
func TestFlags_Mistakes(t *testing.T) {
	files := map[string]string{"a.csv": "n\n1\n", "plain": ""}
	for want, args := range map[string][]string{
		"flag provided but not defined: -bad":                                       {"--bad"},
		"--root must name a folder: opening the root folder: lstat absent: no such": {"--root", "absent"},
		"--root must name a folder: opening the root folder: open ":                 {"--root", "plain"},
		"--root must name a folder: opening the root folder: its name is empty":     {"--root", ""},
		"--threads must be at least 1, not 0":                                       {"--threads", "0"},
		`invalid value "two" for flag -threads`:                                     {"--threads", "two"},
		"--max-file may be at most 2 GB":                                            {"--max-file", "3GB"},
		`invalid value "lots" for flag -memory: "lots" is no size`:                  {"--memory", "lots"},
		`invalid value "-5" for flag -memory: "-5" is no size`:                      {"--memory", "-5"},
		"--max-text must not be negative, it is -1":                                 {"--max-text", "-1"},
		"--timeout must not be negative, it is -1s":                                 {"--timeout", "-1s"},
		"--memory must be at least 16 MB, the least with which":                     {"--memory", "1"},
		`invalid value "5" for flag -timeout: "5" is no duration; write its unit`:   {"--timeout", "5"},
		`invalid value "soon" for flag -timeout`:                                    {"--timeout", "soon"},
		"--preload: There is no file 'b.csv' in the data folder; did you mean":      {"--preload", "b.csv"},
		"--preload: '../b.csv' leaves the data folder; give a path inside it.":      {"--preload", "../b.csv=b"},
		"--preload is for stdio; over HTTP every session has tables of its own":     {"--preload", "a.csv", "--transport", "http"},
		`unknown transport "smoke"; use stdio or http`:                              {"--transport", "smoke"},
		`unexpected argument "extra"`:                                               {"extra"},
		"--log: open absent/log: no such file or directory":                         {"--log", "absent/log"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			o, _ := start(t, files, args)
			if o.code != 2 || o.stdout != "" || !strings.HasPrefix(o.stderr, "vectro-mcp: "+want) {
				t.Errorf("exit code %d, stdout %q, stderr %q; want 2, nothing, %q", o.code, o.stdout, o.stderr, want)
			}
			if n := strings.Count(o.stderr, "\n"); n > 2 {
				t.Errorf("%d lines on stderr", n)
			}
		})
	}
}

func TestFlags_Information(t *testing.T) {
	o, _ := start(t, nil, []string{"--version"})
	if o.code != 0 || !strings.HasPrefix(o.stdout, "vectro") || o.stderr != "" {
		t.Errorf("--version: %+v", o)
	}
	o, _ = start(t, nil, []string{"--help"})
	if o.code != 0 || o.stderr != "" {
		t.Errorf("--help: %+v", o)
	}
	for _, name := range []string{"root", "threads", "memory", "timeout", "max-file", "preload", "log", "max-text", "no-hints", "no-output-schemas", "transport", "addr", "print-config", "version"} {
		if !strings.Contains(o.stdout, "  --"+name) {
			t.Errorf("--help does not name --%s", name)
		}
	}
	o, dir := start(t, nil, []string{"--root", ".", "--print-config", "claude-desktop"})
	var config struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal([]byte(o.stdout), &config); err != nil {
		t.Fatalf("%v: %+v", err, o)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if s := config.MCPServers["vectro"]; !filepath.IsAbs(s.Command) || !slices.Equal(s.Args, []string{"--root", dir}) {
		t.Errorf("--print-config: %s", o.stdout)
	}
}

func TestInitialize_WhoTheServerIs(t *testing.T) {
	o, _ := start(t, nil, nil, hello)
	var m struct {
		Result struct {
			ProtocolVersion string
			Capabilities    json.RawMessage
			Instructions    string
			ServerInfo      struct{ Name, Title string }
		}
	}
	if err := json.Unmarshal([]byte(o.stdout), &m); err != nil {
		t.Fatalf("%v: %+v", err, o)
	}
	r := m.Result
	if r.ProtocolVersion != "2025-06-18" || r.ServerInfo.Name != "vectro" || r.ServerInfo.Title != "Vectro" || string(r.Capabilities) != `{"tools":{}}` {
		t.Errorf("initialize: %s", o.stdout)
	}
	for _, hint := range []string{"load_file first", "describe_table before filtering", "query", "sql for joins", "single quotes"} {
		if !strings.Contains(strings.ReplaceAll(r.Instructions, "with describe_table", "describe_table"), hint) {
			t.Errorf("the instructions do not say %q: %s", hint, r.Instructions)
		}
	}
}

func TestFlags_TakeEffect(t *testing.T) {
	files := map[string]string{
		"a.csv": "n,label\n1,abcdef\n2,uvwxyz\n", "big.csv": "n\n" + strings.Repeat("1234567\n", 200), "x=y.csv": "n\n1\n",
		"wide.csv": strings.Repeat("c,", 15_000) + "c\n" + strings.Repeat(strings.Repeat("1,", 15_000)+"1\n", 20),
	}
	tests := []struct {
		name       string
		args       []string
		tool, call string
		want       string // in the text of the answer
		not        string // not there
	}{
		{"root", []string{"--root", "DIR"}, "load_file", `{"path":"a.csv"}`, `"table":"a","rows":2`, ""},
		{"preload", []string{"--preload", "a.csv", "--preload", "big.csv=other"}, "list_tables", `{}`, `"table":"other","source":"big.csv","rows":200`, ""},
		{"preload, first name", []string{"--preload", "a.csv", "--preload", "big.csv=other"}, "list_tables", `{}`, `{"tables":[{"table":"a","source":"a.csv","rows":2`, ""},
		{"preload, = in the file's name", []string{"--preload", "x=y.csv=z"}, "list_tables", `{}`, `"table":"z","source":"x=y.csv"`, ""},
		{"max-file", []string{"--max-file", "1kB"}, "load_file", `{"path":"big.csv"}`, "'big.csv' has 1.6 kB; load_file reads up to 1 kB.", ""},
		{"max-file, within", []string{"--max-file", "1kB"}, "load_file", `{"path":"a.csv"}`, `"rows":2`, ""},
		{"max-text", []string{"--max-text", "3"}, "load_file", `{"path":"a.csv"}`, `"label":"abc…"`, "abcd"},
		{"memory, the least", []string{"--memory", "16MB", "--preload", "a.csv"}, "query", `{"table":"a","aggregates":{"n":"count()"},"group_by":"label"}`, `"groups":2`, ""},
		{"memory", []string{"--memory", "16MB"}, "load_file", `{"path":"wide.csv"}`, " are free. The budget (--memory) is 16 MB, of which ", "Drop a table"},
		{"hints", []string{"--preload", "a.csv"}, "query", `{"table":"a","filter":"label == 'abcdeg'"}`, `"hints":["label has no label 'abcdeg'; did you mean 'abcdef'?"]`, ""},
		{"no-hints", []string{"--preload", "a.csv", "--no-hints"}, "query", `{"table":"a","filter":"label == 'abcdeg'"}`, `"matching_rows":0`, "hints"},
		{"timeout", []string{"--timeout", "1ns", "--preload", "a.csv"}, "query", `{"table":"a"}`, "query was stopped after 1ns, the limit for one call (--timeout)", ""},
		{"one thread", []string{"--threads", "1"}, "load_file", `{"path":"a.csv"}`, `"rows":2`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := answer(t, files, tt.args, tt.tool, tt.call)
			if !strings.Contains(text, tt.want) || tt.not != "" && strings.Contains(text, tt.not) {
				t.Errorf("%v %s: %s, want %s", tt.args, tt.call, text, tt.want)
			}
		})
	}
}

func TestNoOutputSchemas(t *testing.T) {
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	with, _ := start(t, nil, nil, hello, list)
	without, _ := start(t, nil, []string{"--no-output-schemas"}, hello, list)
	if !strings.Contains(with.stdout, `"outputSchema"`) || strings.Contains(without.stdout, `"outputSchema"`) || !strings.Contains(without.stdout, `"search_similar"`) {
		t.Errorf("with: %s\nwithout: %s", with.stdout, without.stdout)
	}
}

// The log says what was called, never what the data hold.
func TestLog(t *testing.T) {
	files := map[string]string{"a.csv": "n,label\n1,hidden\n"}
	o, dir := start(t, files, []string{"--preload", "a.csv", "--log", "calls.log"}, hello, call("query", `{"table":"a","filter":"label == 'hidden'"}`))
	if o.code != 0 || !strings.Contains(o.stdout, "hidden") {
		t.Fatalf("%+v", o)
	}
	data, err := os.ReadFile(filepath.Join(dir, "calls.log"))
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Time, Tool string
		MS         *float64
		Rows       int
	}
	if err := json.Unmarshal(data, &line); err != nil || line.Tool != "query" || line.Rows != 1 || line.MS == nil || line.Time == "" {
		t.Errorf("%v: %s", err, data)
	}
	if strings.Contains(string(data), "hidden") {
		t.Errorf("the log discloses a cell: %s", data)
	}
	if info, err := os.Stat(filepath.Join(dir, "calls.log")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log's mode: %v, %v", info.Mode(), err)
	}
}
