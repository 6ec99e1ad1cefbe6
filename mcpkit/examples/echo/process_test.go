//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// These tests run the program as clients do: as a process with pipes.

// patience bounds waits for what must come; reaching it fails a test.
const patience = 30 * time.Second

var program string // the binary under test

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "echo")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "echo")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// process is a running server.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan string // standard output
	stderr syncBuffer
	exited chan struct{}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{
		t: t, cmd: exec.Command(program, append([]string{"--fixtures"}, args...)...),
		lines: make(chan string, 10_000), exited: make(chan struct{}),
	}
	p.cmd.Stderr = &p.stderr
	stdout, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout = w
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	go func() {
		defer close(p.lines)
		sc := bufio.NewScanner(stdout)
		sc.Buffer(nil, 32<<20)
		for sc.Scan() {
			p.lines <- sc.Text()
		}
		stdout.Close()
	}()
	go func() {
		p.cmd.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.exited
	})
	return p
}

// open starts a server and does the handshake.
func open(t *testing.T, args ...string) *process {
	t.Helper()
	p := start(t, args...)
	p.send(initialize("2025-06-18"), `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.answer("0")
	return p
}

func initialize(version string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
}

func call(id, tool, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

func (p *process) send(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatalf("writing to the server: %v", err)
	}
}

// message is an answer, as far as the tests look into it.
type message struct {
	JSONRPC string
	ID      json.RawMessage
	Result  struct {
		ProtocolVersion   string
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Text string }
		Tools             []struct{ Name string }
		ResultType        string
	}
	Error *struct {
		Code    int
		Message string
	}
}

// next returns the next line from the server.
func (p *process) next() message {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.t.Fatalf("the server closed its output; it said %s", p.stderr.String())
		}
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
			p.t.Fatalf("standard output has a line that is no message: %q", line)
		}
		return m
	case <-time.After(patience):
		p.t.Fatal("no line came")
	}
	return message{}
}

// answer returns the next line, which must be the result for id.
func (p *process) answer(id string) message {
	p.t.Helper()
	m := p.next()
	if string(m.ID) != id || m.Error != nil {
		p.t.Fatalf("got id %s, error %+v, want the result of %s", m.ID, m.Error, id)
	}
	return m
}

// refusal takes the next line, which must be the error for id.
func (p *process) refusal(id string, code int) {
	p.t.Helper()
	if m := p.next(); string(m.ID) != id || m.Error == nil || m.Error.Code != code {
		p.t.Fatalf("got id %s, error %+v, want code %d for %s", m.ID, m.Error, code, id)
	}
}

// exit waits for the process to end, checks its code, that nothing more came
// on standard output, and returns how long it took.
func (p *process) exit(code int) time.Duration {
	p.t.Helper()
	begin := time.Now()
	select {
	case <-p.exited:
	case <-time.After(patience):
		p.t.Fatal("the server did not exit")
	}
	for line := range p.lines {
		p.t.Errorf("left on standard output: %s", line)
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("exit code %d, want %d; it said %s", got, code, p.stderr.String())
	}
	return time.Since(begin)
}

// within checks a duration, in real time and so with room.
func (p *process) within(d, least, most time.Duration) {
	p.t.Helper()
	if d < least || d > most+2*time.Second {
		p.t.Errorf("took %v, want %v to %v", d, least, most)
	}
}

func TestProcess_MalformedLineThenGoodCall(t *testing.T) {
	p := open(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":`, call("2", "echo", `{"text":"still here"}`))
	p.refusal("null", -32700)
	if m := p.answer("2"); string(m.Result.StructuredContent) != `{"text":"still here"}` {
		t.Errorf("got %s", m.Result.StructuredContent)
	}
	p.stdin.Close()
	p.exit(0)
}

func TestProcess_OneShotPipes(t *testing.T) {
	rounds := 200
	if os.Getenv("QUARTET_FULL") != "" {
		rounds = 1000
	} else if testing.Short() {
		rounds = 20
	}
	input := initialize("2025-06-18") + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	const n = 4
	for i := 1; i <= n; i++ {
		input += call(fmt.Sprint(i), "echo", `{"text":"`+strings.Repeat("x", i)+`"}`) + "\n"
	}
	input = strings.TrimSuffix(input, "\n") // clients forget the last line feed
	for round := range rounds {
		cmd := exec.Command(program)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		for id := range n + 1 {
			found := 0
			for _, line := range lines {
				if strings.HasPrefix(line, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result"`, id)) {
					found++
				}
			}
			if found != 1 || len(lines) != n+1 {
				t.Fatalf("round %d: %d answers to %d, %d lines in all, want 1 and %d:\n%s", round, found, id, len(lines), n+1, out)
			}
		}
	}
}

func TestProcess_SignalDuringACall(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := open(t)
			p.send(call("1", "slow", `{"ms":1000}`))
			p.settle()
			p.cmd.Process.Signal(sig)
			p.answer("1")
			p.within(p.exit(0), 0, time.Second)
		})
	}
}

// settle waits until the server has read everything sent so far: an answer to
// a later ping shows that the earlier lines have been accepted.
func (p *process) settle() {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"settled","method":"ping"}`)
	p.answer(`"settled"`)
}

func TestProcess_SignalAndAHandlerThatWillNotEnd(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.send(call("1", "stubborn", `{"ms":60000}`))
	p.settle()
	p.cmd.Process.Signal(syscall.SIGTERM)
	begin := time.Now()
	p.refusal("1", -32603)
	p.exit(0)
	p.within(time.Since(begin), 5*time.Second, 6*time.Second)
}

func TestProcess_SecondSignalHastens(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.send(call("1", "stubborn", `{"ms":60000}`))
	p.settle()
	begin := time.Now()
	p.cmd.Process.Signal(syscall.SIGTERM)
	for !strings.Contains(p.refuseAfterStop(), "shutting down") {
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.refusal("1", -32603)
	p.exit(0)
	p.within(time.Since(begin), time.Second, 2*time.Second)
}

// refuseAfterStop sends a ping and returns the error, if it was refused.
func (p *process) refuseAfterStop() string {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"probe","method":"ping"}`)
	if m := p.next(); m.Error != nil {
		return m.Error.Message
	}
	return ""
}

func TestProcess_SignalDuringTheDrainAfterEOF(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.send(call("1", "stubborn", `{"ms":60000}`), call("2", "slow", `{"ms":300}`))
	p.stdin.Close()
	p.answer("2") // comes while the server drains
	begin := time.Now()
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.refusal("1", -32603)
	p.exit(0)
	p.within(time.Since(begin), 900*time.Millisecond, 2*time.Second)
}

func TestProcess_UninterruptibleCallIsAwaited(t *testing.T) {
	for _, end := range []string{"EOF", "signal"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			p := open(t)
			p.send(call("1", "commit", `{"ms":7000}`))
			p.settle()
			if end == "EOF" {
				p.stdin.Close()
			} else {
				p.cmd.Process.Signal(syscall.SIGTERM)
				p.cmd.Process.Signal(syscall.SIGTERM)
			}
			p.answer("1")
			p.exit(0)
		})
	}
}

func TestProcess_StrayPrintsDoNotReachStandardOutput(t *testing.T) {
	p := open(t)
	p.send(call("1", "noise", "{}"), call("2", "echo", `{"text":"clean"}`))
	for range 2 {
		p.next() // fails on a line that is no message
	}
	p.stdin.Close()
	p.exit(0)
	for _, want := range []string{"noise by fmt.Println", "noise by descriptor 1"} {
		if !strings.Contains(p.stderr.String(), want) {
			t.Errorf("standard error lacks %q", want)
		}
	}
}

func TestProcess_ClosedStandardOutputEndsIt(t *testing.T) {
	cmd := exec.Command(program)
	stdout, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	stdout.Close()
	io.WriteString(stdin, initialize("2025-06-18")+"\n") // stdin stays open
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(patience):
		cmd.Process.Kill()
		t.Fatal("the server did not exit")
	}
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); cpu > time.Second {
		t.Errorf("it used %v of processor time", cpu)
	}
	stdin.Close()
}

func TestProcess_ClosedStandardErrorDoesNotEndIt(t *testing.T) {
	cmd := exec.Command(program, "--log-level", "debug")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd.Stderr = w
	cmd.Stdin = strings.NewReader(initialize("2025-06-18") + "\nnonsense\n" + call("1", "echo", `{"text":"a"}`))
	out, err := cmd.Output()
	w.Close()
	if err != nil || !bytes.Contains(out, []byte(`"id":1,"result"`)) {
		t.Errorf("got %v, %s", err, out)
	}
}

// Each of the calls logs a stack; together they are far more than a pipe holds.
func TestProcess_StandardErrorThatNobodyReadsHoldsUpNothing(t *testing.T) {
	const calls = 300
	cmd := exec.Command(program, "--log-level", "debug")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	cmd.Stderr = w
	lines := []string{initialize("2025-06-18")}
	for i := range calls {
		lines = append(lines, call(fmt.Sprint(1000+i), "panic", "{}"))
	}
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	out, err := cmd.Output()
	if n := bytes.Count(out, []byte("internal fault")); err != nil || n != calls {
		t.Errorf("%d of %d calls answered, %v", n, calls, err)
	}
}

func TestProcess_CancellationIsQuickAndFinal(t *testing.T) {
	p := open(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"ms":60000},"_meta":{"progressToken":9007199254740993}}}`)
	line := <-p.lines
	if !strings.Contains(line, `"progressToken":9007199254740993`) {
		t.Fatalf("got %s, want progress", line)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","id":"fence","method":"ping"}`)
	for line := range p.lines { // progress that was under way may come first
		if strings.Contains(line, `"fence"`) {
			break
		}
		if !strings.Contains(line, "notifications/progress") {
			t.Fatalf("got %s", line)
		}
	}
	p.stdin.Close()
	p.within(p.exit(0), 0, 50*time.Millisecond) // exit also fails on further lines
}

func TestProcess_ProtocolVersions(t *testing.T) {
	for _, tt := range []struct{ name, params, want string }{
		{"2024-11-05", `{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`, "2024-11-05"},
		{"2025-03-26", `{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`, "2025-03-26"},
		{"2025-06-18", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`, "2025-06-18"},
		{"2025-11-25", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`, "2025-11-25"},
		{"unknown", `{"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`, "2025-11-25"},
		{"stateless one", `{"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`, "2025-11-25"},
		{"missing", `{"capabilities":{},"clientInfo":{"name":"t","version":"1"}}`, "2025-11-25"},
		{"everything missing", `{}`, "2025-11-25"},
		{"nulls", `{"protocolVersion":null,"capabilities":null,"clientInfo":null}`, "2025-11-25"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t)
			p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+tt.params+`}`, call("2", "echo", `{"text":"a"}`))
			if got := p.answer("1").Result.ProtocolVersion; got != tt.want {
				t.Errorf("negotiated %q, want %q", got, tt.want)
			}
			p.answer("2")
		})
	}
}

const statelessMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func TestProcess_StatelessVersionWithoutHandshake(t *testing.T) {
	p := start(t)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+statelessMeta+`}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a"},`+statelessMeta+`}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{`+strings.ReplaceAll(statelessMeta, "2026-07-28", "2031-01-01")+`}}`)
	seen := map[string]message{}
	for range 3 {
		m := p.next()
		seen[string(m.ID)] = m
	}
	if m := seen["1"]; m.Error != nil {
		t.Errorf("server/discover: %+v", m.Error)
	}
	if m := seen["2"]; m.Result.ResultType != "complete" {
		t.Errorf("tools/call has result type %q", m.Result.ResultType)
	}
	if m := seen["3"]; m.Error == nil || m.Error.Code != -32022 {
		t.Errorf("unknown version: %+v, want code -32022", m.Error)
	}
}

func TestProcess_ParamsThatTheSDKWouldNotSurvive(t *testing.T) {
	p := open(t)
	for i, params := range []string{
		`{"name":"echo","arguments":null}`, `{"name":"fail","arguments":null}`, `{"name":"fail"}`, `{"name":null}`, `{}`,
		`{"name":"echo","arguments":[]}`, `{"name":"echo","arguments":"x"}`, `{"name":"echo","arguments":1}`,
		`{"name":"echo","_meta":null}`, `{"name":"echo","_meta":[]}`, `{"name":"echo","_meta":{"progressToken":{}}}`,
		`{"name":"test_simple_text","arguments":null}`,
		`{"name":"echo","inputResponses":null,"requestState":null}`, `{"name":"echo","task":{}}`,
	} {
		p.send(call(fmt.Sprint(i), "x", "{}")[:len(call(fmt.Sprint(i), "x", "{}"))-len(`{"name":"x","arguments":{}}}`)] + params + "}")
		if m := p.next(); string(m.ID) != fmt.Sprint(i) {
			t.Fatalf("params %s: answer for %s, want %d", params, m.ID, i)
		}
	}
	for i, request := range []string{
		`"method":"completion/complete","params":{}`, `"method":"completion/complete","params":{"ref":null,"argument":null}`,
		`"method":"completion/complete","params":{"ref":{"type":"ref/none"},"argument":{}}`,
		`"method":"prompts/get","params":{}`, `"method":"prompts/get","params":{"name":"test_simple_prompt","arguments":null}`,
		`"method":"prompts/get","params":{"name":"test_prompt_with_arguments","arguments":{"arg1":1}}`,
		`"method":"resources/read","params":{}`, `"method":"resources/read","params":{"uri":null}`, `"method":"resources/read","params":{"uri":"%zz"}`,
		`"method":"resources/subscribe","params":{}`, `"method":"resources/unsubscribe","params":null`,
		`"method":"logging/setLevel","params":{}`, `"method":"logging/setLevel","params":{"level":"loud"}`,
		`"method":"tools/list","params":null`, `"method":"tools/list","params":{"cursor":"!"}`, `"method":"tools/list","params":{"cursor":null}`,
		`"method":"subscriptions/listen","params":{}`, `"method":"subscriptions/listen","params":{"notifications":null}`,
		`"method":"server/discover"`, `"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`,
		`"method":"initialize","params":{}`, `"method":"initialize"`, `"method":""`, `"method":"notifications/initialized"`,
	} {
		id := fmt.Sprint(100 + i)
		p.send(`{"jsonrpc":"2.0","id":` + id + `,` + request + `}`)
		m := p.next()
		if string(m.ID) != id {
			t.Fatalf("%s: answer for %s, want %s", request, m.ID, id)
		}
		if m.Error != nil && m.Error.Code == 0 {
			t.Errorf("%s: the error has code 0: %s", request, m.Error.Message)
		}
	}
	p.send(call("999", "echo", `{"text":"alive"}`))
	p.answer("999")
}

func TestProcess_HTTPEndsOnSignal(t *testing.T) {
	p := start(t, "--transport", "http", "--addr", "127.0.0.1:0", "--log-level", "info")
	address := regexp.MustCompile(`msg="serving HTTP" addr=(\S+) path=/mcp`)
	var found []string
	for end := time.Now().Add(patience); found == nil; time.Sleep(10 * time.Millisecond) {
		if found = address.FindStringSubmatch(p.stderr.String()); time.Now().After(end) {
			t.Fatalf("no address in %s", p.stderr.String())
		}
	}
	req, err := http.NewRequest("POST", "http://"+found[1]+"/mcp", strings.NewReader(initialize("2025-06-18")))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || !bytes.Contains(body, []byte(`"serverInfo"`)) {
		t.Errorf("got %d, %s, %v", res.StatusCode, body, err)
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.within(p.exit(0), 0, time.Second)
}

func TestProcess_CommandLine(t *testing.T) {
	for _, tt := range []struct {
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{[]string{"--version"}, 0, "echo 1.0.0\n", ""},
		{[]string{"--help"}, 0, "Usage: echo [flags]", ""},
		{[]string{"-h"}, 0, "--transport stdio|http", ""},
		{[]string{"--no-such"}, 2, "", "-no-such"},
		{[]string{"--transport", "smoke"}, 2, "", `unknown transport "smoke"; use stdio or http`},
		{[]string{"--log-level", "loud"}, 2, "", `"loud"`},
		{[]string{"stray"}, 2, "", `unexpected argument "stray"`},
		{[]string{"--print-config", "notepad"}, 2, "", "claude-desktop, claude-code, cursor, vscode, zed"},
		{[]string{"--transport", "http", "--addr", "0.0.0.0:0"}, 2, "", "bearer token"},
		{[]string{"--transport", "http", "--addr", "nonsense"}, 2, "", "host:port"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			cmd := exec.Command(program, tt.args...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout.String(), tt.stdout) || (tt.stdout == "") != (stdout.Len() == 0) {
				t.Errorf("standard output %q, want %q", stdout.String(), tt.stdout)
			}
			if !strings.Contains(stderr.String(), tt.stderr) || (tt.stderr == "") != (stderr.Len() == 0) {
				t.Errorf("standard error %q, want %q", stderr.String(), tt.stderr)
			}
		})
	}
}

func TestProcess_NoOutputSchemas(t *testing.T) {
	list := func(args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Stdin = strings.NewReader(initialize("2025-06-18") + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if out := list(); !strings.Contains(out, "outputSchema") {
		t.Errorf("no output schemas: %s", out)
	}
	if out := list("--no-output-schemas"); strings.Contains(out, "outputSchema") || !strings.Contains(out, "inputSchema") {
		t.Errorf("output schemas in spite of the flag: %s", out)
	}
}
