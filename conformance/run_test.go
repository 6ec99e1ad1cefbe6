package conformance

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// tree makes a repository that holds a go.work and the given files.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files["go.work"] = "go 1.26.0\n"
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// script is a server of the shell that answers three requests from a script.
const script = `#!/bin/sh
while read -r line; do
	case "$line" in
	*'"initialize"'*) echo '{"jsonrpc":"2.0","id":"mcptest:initialize","result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}' | sed "s/\"mcptest:initialize\"/$(echo "$line" | sed 's/.*"id":\("[^"]*"\).*/\1/')/" ;;
	*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]}}' ;;
	*'"good"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]}}' ;;
	*'"bad"'*) echo '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}' ;;
	*'"wire"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"content":{}}}' ;;
	esac
done
`

const transcript = `A call that goes well and one that does not.
-- start --
era legacy
-- send --
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"good":1}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"bad":1}}}
-- want --
{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]}}
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}
`

func run(t *testing.T, o Options) []Report {
	t.Helper()
	reports, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

func TestRun_ReportsWhatIsThereAndWhatIsNot(t *testing.T) {
	root := tree(t, map[string]string{
		"ptah/cmd/ptah/main.go":                 "package main",
		"bin/ptah":                              script,
		"conformance/testdata/ptah/calls.txtar": transcript,
		"vectro/cmd/vectro-mcp/main.go":         "package main",
	})
	reports := run(t, Options{Root: root, Bin: filepath.Join(root, "bin")})
	var table strings.Builder
	if err := WriteTable(&table, reports); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"tool b has no transcript in which a call succeeds or fails",
		"there is no binary vectro-mcp in " + filepath.Join(root, "bin"),
		"server     transcripts    passed  failed  time",
		"echo       not built yet",
		"ptah       1              1       0",
	} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table does not contain %q:\n%s", want, table.String())
		}
	}
	if strings.Contains(table.String(), "tool a has") {
		t.Errorf("tool a is covered:\n%s", table.String())
	}
	failed := map[string]bool{}
	for _, r := range reports {
		failed[r.Server] = r.Failed()
	}
	if failed["echo"] || !failed["ptah"] || !failed["vectro"] {
		t.Errorf("failed: %v, want ptah (a tool without transcripts) and vectro (no binary)", failed)
	}
}

func TestRun_FailsForDifferencesAndTheWire(t *testing.T) {
	wire := strings.Replace(transcript[:strings.Index(transcript, "-- want --")], `"good"`, `"wire"`, 1) +
		`-- want --
{"jsonrpc":"2.0","id":1,"result":{"content":{}}}
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}
`
	root := tree(t, map[string]string{
		"ptah/cmd/ptah/main.go":                "package main",
		"bin/ptah":                             script,
		"conformance/testdata/ptah/diff.txtar": strings.Replace(transcript, `"fine"`, `"finer"`, 1),
		"conformance/testdata/ptah/good.txtar": transcript,
		"conformance/testdata/ptah/wire.txtar": wire,
	})
	r := run(t, Options{Root: root, Bin: filepath.Join(root, "bin"), Server: "ptah"})[0]
	if passed, failed := r.Count(); passed != 1 || failed != 2 {
		t.Errorf("%d passed, %d failed, want 1 and 2", passed, failed)
	}
	for _, want := range []string{`want "finer", got "fine"`, "not valid in 2025-11-25: CallToolResult"} {
		if !slices.ContainsFunc(r.Cases, func(c Case) bool { return strings.Contains(strings.Join(c.Problems, "\n"), want) }) {
			t.Errorf("no case has the problem %q: %v", want, r.Cases)
		}
	}
}

func TestRun_NamesAServerThatIsNotThere(t *testing.T) {
	root := tree(t, map[string]string{})
	_, err := Run(t.Context(), Options{Root: root, Server: "pretensor"})
	if want := "server pretensor is not built yet: there is no Go file in pretensor/cmd/pretensor"; err == nil || err.Error() != want {
		t.Errorf("Run() = %v, want %s", err, want)
	}
	_, err = Run(t.Context(), Options{Root: root, Server: "pretend"})
	if err == nil || !strings.Contains(err.Error(), `no server is named "pretend"; the servers are echo, vectro`) {
		t.Errorf("Run() = %v, want an error that lists the servers", err)
	}
}

// A server without transcripts has not been shown to conform.
func TestRun_FailsWithoutTranscripts(t *testing.T) {
	root := tree(t, map[string]string{"ptah/cmd/ptah/main.go": "package main", "bin/ptah": script})
	r := run(t, Options{Root: root, Bin: filepath.Join(root, "bin"), Server: "ptah"})[0]
	if !r.Failed() || !strings.Contains(strings.Join(r.Problems, ""), "there is no transcript") {
		t.Errorf("report: %+v, want a failure for want of transcripts", r)
	}
}

func TestRecord(t *testing.T) {
	root := tree(t, map[string]string{
		"ptah/cmd/ptah/main.go":               "package main",
		"bin/ptah":                            script,
		"conformance/testdata/ptah/new.txtar": transcript[:strings.Index(transcript, "-- want --")],
	})
	file := filepath.Join(root, "conformance", "testdata", "ptah", "new.txtar")
	if err := Record(t.Context(), Options{Root: root, Bin: filepath.Join(root, "bin"), Server: "ptah"}, file); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != transcript {
		t.Errorf("recorded %v:\n%s\nwant:\n%s", err, got, transcript)
	}
}

func TestUncovered(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txtar")
	if err := os.WriteFile(file, []byte(transcript), 0o644); err != nil {
		t.Fatal(err)
	}
	tr, err := mcptest.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	got := Uncovered([]string{"a", "b", "c"}, []string{"c"}, []*mcptest.Transcript{tr})
	want := []string{
		"tool b has no transcript in which a call succeeds or fails",
		"tool c has no transcript in which a call fails",
	}
	if !slices.Equal(got, want) {
		t.Errorf("Uncovered() = %q, want %q", got, want)
	}
}

func TestWriteJUnit(t *testing.T) {
	var b strings.Builder
	err := WriteJUnit(&b, []Report{
		{Server: "s", Elapsed: 1500 * time.Millisecond, Cases: []Case{
			{Transcript: "good", Era: "legacy"},
			{Transcript: "bad", Era: "modern", Problems: []string{"first <line>\nsecond", "third"}},
		}},
		{Server: "later", State: "not built yet"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Suites) != 2 || got.Suites[0].Tests != 3 || got.Suites[0].Failures != 1 || got.Suites[1].Skipped != 1 || got.Suites[0].Time != "1.500" {
		t.Errorf("suites: %+v", got.Suites)
	}
	f := got.Suites[0].Cases[1].Failure
	if f == nil || f.Message != "first <line>" || f.Text != "first <line>\nsecond\nthird" {
		t.Errorf("failure: %+v", f)
	}
}
