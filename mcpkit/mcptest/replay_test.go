package mcptest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// faultyTranscript asks for everything that a fault below can spoil.
const faultyTranscript = `A call, its list, and a big integer.

-- start --
env SHOP=open
-- send --
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"value":9007199254740993}}}
{"jsonrpc":"2.0","id":"3","method":"tools/call","params":{"name":"echo","arguments":{"value":[1,1.0,"é"]}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{}}}
{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow","arguments":{}}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}
{"jsonrpc":
-- want --
{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","description":"Returns its argument.","inputSchema":{"type":"object"}}]}}
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"value\":9007199254740993,\"notes\":[],\"ms\":0.5}"}],"structuredContent":{"value":9007199254740993,"notes":[],"ms":0.5}}}
{"jsonrpc":"2.0","id":"3","result":{
  "content":[{"type":"text","text":"{\"value\":[1,1.0,\"é\"],\"notes\":[],\"ms\":0.5}"}],
  "structuredContent":{"value":[1,1.0,"\u00e9"],"notes":[],"ms":0.5}
}}
{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"argument value is missing"}],"isError":true}}
{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON: unexpected EOF"}}
-- vary --
/result/structuredContent/ms number
`

func load(t *testing.T, text string) *Transcript {
	t.Helper()
	file := filepath.Join(t.TempDir(), "case.txtar")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tr, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func problems(t *testing.T, tr *Transcript, s Server) string {
	t.Helper()
	var all []string
	for _, era := range tr.Eras() {
		o := tr.Replay(t.Context(), s, era, nil)
		for _, p := range o.Problems {
			all = append(all, era.String()+": "+p)
		}
	}
	return strings.Join(all, "\n")
}

func TestReplay_FaultlessServerPasses(t *testing.T) {
	if got := problems(t, load(t, faultyTranscript), faulty(t, "none")); got != "" {
		t.Errorf("problems with a faultless server:\n%s", got)
	}
}

// Every fault has to be caught, and for its own reason.
func TestReplay_CatchesFaults(t *testing.T) {
	tests := map[string]string{ // fault → part of the problem
		"banner":                  "stdout holds something else than messages",
		"prints junk":             "stdout holds something else than messages",
		"invalid UTF-8":           "invalid UTF-8",
		"twin keys":               `the key "id" is given twice`,
		"rounds numbers":          "/result/structuredContent/value: want 9007199254740993, got 9007199254740992",
		"null lists":              "/result/structuredContent/notes: want [], got null",
		"other order":             "order of members: want [value notes ms], got [notes value ms]",
		"ms as text":              `/result/structuredContent/ms: want a value that matches "number"`,
		"text differs":            "/result/content/0/text: is not the JSON of structuredContent",
		"wrong id":                "no answer to",
		"answers twice":           "not wanted, id 2:",
		"answers cancelled calls": "not wanted, id 5:",
		"dies of bad lines":       "the server closed stdout",
		"silent on bad lines":     "no answer to line 7 of send",
		"exits with 3":            "exit code 3, want 0",
		"does not exit":           "after stdin was closed: nothing within",
		"no resultType":           `modern 2026-07-28: the answer with id 2: resultType has to be "complete"`,
		"no ttlMs":                "modern 2026-07-28: the answer with id 1: ttlMs has to be a whole number",
		"ttlMs everywhere":        "/result/ttlMs: not wanted: 0",
		"changing identity":       "serverInfo changed from",
		"modern fields in legacy": "legacy 2025-11-25: the answer with id 2 differs:\n\t/result/resultType: not wanted",
	}
	for fault, want := range tests {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(faultyTranscript, "-- start --\n", "-- start --\ntimeout 2s\n", 1)
			if got := problems(t, load(t, text), faulty(t, fault)); !strings.Contains(got, want) {
				t.Errorf("problems do not contain %q:\n%s", want, got)
			}
		})
	}
}

// An answer that is still on its way when stdin ends must come.
func TestReplay_CloseCatchesLostAnswer(t *testing.T) {
	tr := load(t, `Stdin is closed at once; all three answers must come.
-- start --
pipeline
close
-- send --
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"panic"}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"panic"}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"panic"}}
-- want --
{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"internal error, reference 0a1b2c3d"}],"isError":true}}
{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"internal error, reference 0a1b2c3d"}],"isError":true}}
{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"internal error, reference 11111111"}],"isError":true}}
-- vary --
/result/content/0/text match internal error, reference [0-9a-f]{8}
`)
	if got := problems(t, tr, faulty(t, "none")); got != "" {
		t.Errorf("problems with a faultless server:\n%s", got)
	}
	for range 20 { // the answer gets through now and then
		if got := problems(t, tr, faulty(t, "loses answers at EOF")); strings.Contains(got, "no answer to line") {
			return
		}
	}
	t.Error("a server that loses answers at EOF passed 20 times")
}

func TestReplay_LaysDownAndPassesOn(t *testing.T) {
	tr := load(t, `Files, arguments and environment reach the server.
-- start --
args one "two words" ${DIR}  # a comment
env SHOP=open
copy beside/a.txt in/b.txt
link alias.txt in/b.txt
-- deep/file.txt --
laid down
-- send --
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"file","arguments":{"path":"deep/file.txt"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"file","arguments":{"path":"alias.txt"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"args","arguments":{}}}
-- want --
`)
	if err := writeFile(filepath.Join(filepath.Dir(tr.path), "beside", "a.txt"), []byte("copied")); err != nil {
		t.Fatal(err)
	}
	o := tr.Replay(t.Context(), faulty(t, "none"), Era{Version: LegacyVersion}, nil)
	got := strings.Join(o.Problems, "\n")
	for _, want := range []string{`"value":"laid down\n"`, `"value":"copied"`, `"value":"one two words ` + os.TempDir()} {
		if !strings.Contains(got, want) {
			t.Errorf("answers do not contain %s:\n%s", want, got)
		}
	}
}

func TestReplay_TrafficReachesCheck(t *testing.T) {
	var seen []string
	tr := load(t, faultyTranscript)
	check := func(m Message) error {
		side := "client"
		if m.FromServer {
			side = "server"
		}
		seen = append(seen, side+" "+m.Version+" "+m.Method)
		return nil
	}
	tr.Replay(t.Context(), faulty(t, "none"), Era{Version: "2025-06-18"}, check)
	got := strings.Join(seen, "\n")
	want := strings.Join([]string{
		"client 2025-06-18 initialize", "client 2025-06-18 notifications/initialized",
		"client 2025-06-18 tools/list", "client 2025-06-18 tools/call", "client 2025-06-18 tools/call",
		"client 2025-06-18 tools/call", "client 2025-06-18 notifications/cancelled",
		"server 2025-06-18 initialize", "server 2025-06-18 tools/list", "server 2025-06-18 tools/call",
		"server 2025-06-18 tools/call", "server 2025-06-18 tools/call", "server 2025-06-18 ",
	}, "\n")
	if got != want {
		t.Errorf("traffic:\n%s\nwant:\n%s", got, want)
	}
}

func TestReplay_DeadServerNamesItsStderr(t *testing.T) {
	s := faulty(t, "none")
	s.Args = []string{"--no-such-flag"}
	got := problems(t, load(t, faultyTranscript), s)
	if !strings.Contains(got, "unknown flag --no-such-flag") {
		t.Errorf("problems do not show the server's stderr:\n%s", got)
	}
}

func TestRecord(t *testing.T) {
	text := faultyTranscript[:strings.Index(faultyTranscript, "-- want --")]
	tr := load(t, text)
	s := faulty(t, "none")
	record := func() {
		t.Helper()
		var outcomes []Outcome
		for _, era := range tr.Eras() {
			outcomes = append(outcomes, tr.Replay(t.Context(), s, era, nil))
		}
		var defaults []Vary
		for _, line := range []string{"/result/structuredContent/ms number", "/result/structuredContent/token token"} {
			v, err := ParseVary(line)
			if err != nil {
				t.Fatal(err)
			}
			defaults = append(defaults, v)
		}
		if err := tr.Record(outcomes, defaults); err != nil {
			t.Fatal(err)
		}
		if err := tr.Save(); err != nil {
			t.Fatal(err)
		}
	}
	record()
	first, err := os.ReadFile(tr.path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(first), "-- vary --\n/result/structuredContent/ms number\n") {
		t.Errorf("recorded vary is not the one default that matches:\n%s", first)
	}
	if tr, err = Load(tr.path); err != nil {
		t.Fatal(err)
	}
	if got := problems(t, tr, s); got != "" {
		t.Errorf("the recorded transcript fails:\n%s", got)
	}
	record()
	second, err := os.ReadFile(tr.path)
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Errorf("recording again changed values that vary:\n%s\n%s", first, second)
	}
}

// Values that differ between eras and are not declared cannot be recorded.
func TestRecord_RefusesErasThatDisagree(t *testing.T) {
	tr := load(t, faultyTranscript[:strings.Index(faultyTranscript, "-- want --")])
	var outcomes []Outcome
	for _, era := range tr.Eras() {
		outcomes = append(outcomes, tr.Replay(t.Context(), faulty(t, "none"), era, nil))
	}
	err := tr.Record(outcomes, nil)
	if err == nil || !strings.Contains(err.Error(), "do not agree") {
		t.Errorf("Record without a vary for ms = %v, want an error that the eras do not agree", err)
	}
}

// A thousand calls go out before any answer is read; neither side may wait for
// the other.
func TestReplay_PipelineIsNotBounded(t *testing.T) {
	var send, want strings.Builder
	long := strings.Repeat("x", 2000)
	for i := range 1000 {
		fmt.Fprintf(&send, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"panic","x":%q}}`+"\n", i, long)
		fmt.Fprintf(&want, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"internal error, reference 0a1b2c3d"}],"isError":true}}`+"\n", i)
	}
	tr := load(t, "Many calls at once.\n-- start --\nera legacy\npipeline\n-- send --\n"+send.String()+"-- want --\n"+want.String())
	if got := problems(t, tr, faulty(t, "none")); got != "" {
		t.Errorf("problems with a faultless server:\n%s", clip(got))
	}
}
