package mcpkit

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// web is a server over HTTP and a client for it.
type web struct {
	t      *testing.T
	url    string
	client *http.Client
	stop   context.CancelFunc
	hurry  chan os.Signal
	over   chan error // the result of serveHTTP
}

func serveWeb(t *testing.T, s *Server, opts HTTPOptions) *web {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	w := &web{t: t, client: &http.Client{Transport: &http.Transport{}}, stop: stop, hurry: make(chan os.Signal), over: make(chan error, 1)}
	addr := make(chan net.Addr, 1)
	opts.Addr = "127.0.0.1:0"
	opts.Listening = func(a net.Addr) { addr <- a }
	go func() { w.over <- serveHTTP(ctx, s, opts, w.hurry) }()
	w.url = fmt.Sprintf("http://%s/mcp", await(t, "the address", addr))
	t.Cleanup(func() {
		stop()
		w.client.CloseIdleConnections()
	})
	return w
}

// end stops the server and waits for it.
func (w *web) end() {
	w.t.Helper()
	w.stop()
	w.client.CloseIdleConnections()
	if err := await(w.t, "the end of the server", w.over); err != nil {
		w.t.Errorf("serveHTTP: %v", err)
	}
}

// do sends a request; headers come in pairs.
func (w *web) do(ctx context.Context, method, body string, headers ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	return w.client.Do(req)
}

// post sends a message and returns the status, the whole answer and its headers.
func (w *web) post(body string, headers ...string) (int, string, http.Header) {
	w.t.Helper()
	res, err := w.do(context.Background(), "POST", body, headers...)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(data), res.Header
}

const webInitialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// session does the handshake and returns the headers of the session.
func (w *web) session(headers ...string) []string {
	w.t.Helper()
	status, body, header := w.post(webInitialize, headers...)
	id := header.Get("Mcp-Session-Id")
	if status != 200 || id == "" {
		w.t.Fatalf("initialize: %d %s", status, body)
	}
	headers = append(headers, "Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-06-18")
	if status, body, _ := w.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers...); status != 202 {
		w.t.Fatalf("initialized: %d %s", status, body)
	}
	return headers
}

const statelessMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// modern is the headers of the version without sessions.
func modern(method, name string) []string {
	h := []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}
	if name != "" {
		h = append(h, "Mcp-Name", name)
	}
	return h
}

func TestHTTP_BothErasAtOneEndpoint(t *testing.T) {
	h := newHolder()
	close(h.release)
	w := serveWeb(t, h.server(nil), HTTPOptions{})
	defer w.end()
	session := w.session()
	if status, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hold","arguments":{"key":"a"}}}`, session...); status != 200 || !strings.Contains(body, `"structuredContent":{"key":"a"}`) {
		t.Errorf("with a session: %d %s", status, body)
	}
	if status, body, header := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hold","arguments":{"key":"b"},`+statelessMeta+`}}`, modern("tools/call", "hold")...); status != 200 || !strings.Contains(body, `"structuredContent":{"key":"b"}`) || header.Get("Mcp-Session-Id") != "" {
		t.Errorf("without a session: %d %s %v", status, body, header)
	}
	if status, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+statelessMeta+`}}`, modern("server/discover", "")...); status != 200 || !strings.Contains(body, `2025-11-25`) {
		t.Errorf("server/discover: %d %s", status, body)
	}
	if status, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + statelessMeta + `}}`); status != 400 || !strings.Contains(body, `-32020`) {
		t.Errorf("stateless without its header: %d %s", status, body)
	}
	if status, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+strings.ReplaceAll(statelessMeta, "2026-07-28", "2031-01-01")+`}}`,
		"Mcp-Protocol-Version", "2031-01-01", "Mcp-Method", "tools/list"); !strings.Contains(body, `-32022`) {
		t.Errorf("unknown version: %d %s", status, body)
	}
}

func TestHTTP_NullArgumentsAndPanicsDoNotEndIt(t *testing.T) {
	h := newHolder()
	close(h.release)
	s := h.server(nil)
	Add(s, Tool[struct{}, struct{}]{Name: "crash", Description: "Crashes.", Handle: func(context.Context, struct{}) (struct{}, error) { panic("x") }})
	w := serveWeb(t, s, HTTPOptions{})
	defer w.end()
	session := w.session()
	for _, params := range []string{`{"name":"hold","arguments":null}`, `{"name":"crash"}`, `{"name":"hold"}`} {
		if status, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`, session...); status != 200 || !strings.Contains(body, `"result"`) {
			t.Errorf("%s: %d %s", params, status, body)
		}
	}
}

func TestHTTP_Origin(t *testing.T) {
	w := serveWeb(t, newHolder().server(nil), HTTPOptions{Origins: []string{"https://friend.example"}})
	defer w.end()
	own := strings.TrimSuffix(w.url, "/mcp")
	for _, tt := range []struct {
		method string
		header []string
		ok     bool
	}{
		{"POST", nil, true},
		{"POST", []string{"Origin", own}, true},
		{"POST", []string{"Origin", "https://friend.example"}, true},
		{"POST", []string{"Origin", "https://evil.example"}, false},
		{"POST", []string{"Origin", "null"}, false},
		{"POST", []string{"Sec-Fetch-Site", "cross-site"}, false},
		{"GET", []string{"Origin", "https://evil.example"}, false},
		{"DELETE", []string{"Origin", "https://evil.example"}, false},
		{"POST", []string{"Host", "evil.example"}, false},
		{"POST", []string{"Host", "evil.example", "Origin", "http://evil.example"}, false},
		{"POST", []string{"Host", "localhost:1", "Origin", "http://localhost:1"}, true},
	} {
		res, err := w.do(context.Background(), tt.method, webInitialize, tt.header...)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if got := res.StatusCode != http.StatusForbidden; got != tt.ok {
			t.Errorf("%s with %v: status %d, want it let through: %v", tt.method, tt.header, res.StatusCode, tt.ok)
		}
	}
}

func TestHTTP_Token(t *testing.T) {
	w := serveWeb(t, newHolder().server(nil), HTTPOptions{Token: "s3cret"})
	defer w.end()
	for _, tt := range []struct {
		authorization string
		status        int
	}{
		{"Bearer s3cret", 200}, {"bearer s3cret", 200},
		{"", 401}, {"Bearer", 401}, {"Bearer s3cre", 401}, {"Bearer s3crets", 401}, {"Basic s3cret", 401}, {"s3cret", 401},
	} {
		status, body, header := w.post(webInitialize, "Authorization", tt.authorization)
		if status != tt.status {
			t.Errorf("%q: status %d, want %d: %s", tt.authorization, status, tt.status, body)
		}
		if challenge := header.Get("WWW-Authenticate"); (status == 401) != (challenge == "Bearer") {
			t.Errorf("%q: challenge %q with status %d", tt.authorization, challenge, status)
		}
		if strings.Contains(body, "s3cret") {
			t.Errorf("%q: the answer shows the token: %s", tt.authorization, body)
		}
	}
}

func TestHTTP_TokenIsRequiredOffLoopback(t *testing.T) {
	for _, tt := range []struct {
		addr, token string
		ok          bool
	}{
		{"127.0.0.1:0", "", true}, {"127.9.9.9:1", "", true}, {"localhost:0", "", true}, {"[::1]:0", "", true},
		{":8080", "", false}, {"0.0.0.0:0", "", false}, {"[::]:0", "", false}, {"192.0.2.1:0", "", false}, {"example.com:0", "", false},
		{"0.0.0.0:0", "t", true}, {"nonsense", "t", false},
	} {
		if err := (HTTPOptions{Addr: tt.addr, Token: tt.token}).withDefaults().check(); (err == nil) != tt.ok {
			t.Errorf("%s, token %q: %v", tt.addr, tt.token, err)
		}
	}
	err := Run(t.Context(), newHolder().server(nil), RunOptions{Transport: "http", HTTP: HTTPOptions{Addr: "0.0.0.0:0"}})
	if err == nil || !strings.Contains(err.Error(), "bearer token") {
		t.Errorf("Run: %v, want a refusal", err)
	}
}

func TestHTTP_BodyCap(t *testing.T) {
	w := serveWeb(t, newHolder().server(nil), HTTPOptions{})
	defer w.end()
	pad := strings.Repeat(" ", maxBody-len(webInitialize))
	if status, body, _ := w.post(webInitialize + pad); status != 200 {
		t.Errorf("exactly the cap: %d %s", status, body)
	}
	if status, body, _ := w.post(webInitialize + pad + " "); status != 413 {
		t.Errorf("one byte over: %d %s, want 413", status, body)
	}
}

func TestHTTP_IdleSessionEnds(t *testing.T) {
	w := serveWeb(t, newHolder().server(nil), HTTPOptions{SessionTimeout: 30 * time.Millisecond})
	defer w.end()
	_, _, header := w.post(webInitialize)
	deadline := time.Now().Add(patience)
	for {
		time.Sleep(50 * time.Millisecond) // longer than the timeout, or asking would keep it alive
		status, _, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id", header.Get("Mcp-Session-Id"))
		if status == 404 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("status %d, want 404", status)
		}
	}
}

// call starts a tool call and returns its whole answer.
func (w *web) call(tool string, headers []string) <-chan string {
	answer := make(chan string, 1)
	go func() {
		res, err := w.do(context.Background(), "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`+tool+`"}}`, headers...)
		if err != nil {
			answer <- err.Error()
			return
		}
		defer res.Body.Close()
		data, _ := io.ReadAll(res.Body)
		answer <- string(data)
	}()
	return answer
}

func TestHTTP_ShutdownFinishesCallsAndEndsStreams(t *testing.T) {
	h := newHolder()
	w := serveWeb(t, h.server(nil), HTTPOptions{})
	session := w.session()
	stream, err := w.do(context.Background(), "GET", "", session...)
	if err != nil || stream.StatusCode != 200 {
		t.Fatalf("GET: %v %v", stream, err)
	}
	answer := w.call("hold", session)
	await(t, "the call", h.begun)
	w.stop()
	if _, err := io.Copy(io.Discard, stream.Body); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
	stream.Body.Close()
	close(h.release)
	if body := await(t, "the answer", answer); !strings.Contains(body, `"id":7,"result"`) {
		t.Errorf("got %s", body)
	}
	w.end()
}

func TestHTTP_ShutdownCancelsAfterTheDrain(t *testing.T) {
	h := newHolder()
	w := serveWeb(t, h.server(&Options{Limits: Limits{Drain: 50 * time.Millisecond}}), HTTPOptions{})
	answer := w.call("hold", w.session())
	await(t, "the call", h.begun)
	w.stop()
	if err := await(t, "the end of the call", h.ended); err == nil {
		t.Error("the call was not cancelled")
	}
	if body := await(t, "the answer", answer); !strings.Contains(body, `"id":7`) {
		t.Errorf("got %s", body)
	}
	w.end()
}

func TestHTTP_SecondSignalHastens(t *testing.T) {
	h := newHolder()
	w := serveWeb(t, h.server(&Options{Limits: Limits{Drain: time.Hour}}), HTTPOptions{})
	answer := w.call("hold", w.session())
	await(t, "the call", h.begun)
	w.stop()
	w.hurry <- os.Interrupt
	await(t, "the answer", answer)
	w.end()
}

func TestHTTP_UninterruptibleCallIsAwaited(t *testing.T) {
	h := newHolder()
	w := serveWeb(t, h.server(&Options{Limits: Limits{Drain: 20 * time.Millisecond}}), HTTPOptions{})
	answer := w.call("commit", w.session())
	await(t, "the call", h.begun)
	w.stop()
	select {
	case err := <-w.over:
		t.Fatalf("the server ended before the call: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	close(h.release)
	if err := await(t, "the end of the call", h.ended); err != nil {
		t.Errorf("the call was cancelled: %v", err)
	}
	if body := await(t, "the answer", answer); !strings.Contains(body, `"id":7,"result"`) {
		t.Errorf("got %s", body)
	}
	w.end()
}

func TestHTTP_ShutdownInSpiteOfAStubbornHandler(t *testing.T) {
	h := newHolder()
	w := serveWeb(t, h.server(&Options{Limits: Limits{Drain: 20 * time.Millisecond}}), HTTPOptions{})
	answer := w.call("stubborn", w.session())
	await(t, "the call", h.begun)
	w.end()
	close(h.release)
	await(t, "the end of the call", h.ended)
	await(t, "the answer", answer)
}

func TestHTTP_ClientThatGoesAwayCancels(t *testing.T) {
	h := newHolder()
	w := serveWeb(t, h.server(nil), HTTPOptions{})
	defer w.end()
	ctx, leave := context.WithCancel(context.Background())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		res, err := w.do(ctx, "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hold",`+statelessMeta+`}}`, modern("tools/call", "hold")...)
		if err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	}()
	await(t, "the call", h.begun)
	leave()
	if err := await(t, "the end of the call", h.ended); err == nil {
		t.Error("the call was not cancelled")
	}
	<-gone
}

func TestHTTP_AddressInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	err = Run(t.Context(), newHolder().server(nil), RunOptions{Transport: "http", HTTP: HTTPOptions{Addr: taken.Addr().String()}})
	if err == nil || !strings.Contains(err.Error(), "listening") {
		t.Errorf("Run: %v", err)
	}
}

func TestHTTP_StatelessForOldVersionsToo(t *testing.T) {
	w := serveWeb(t, newHolder().server(nil), HTTPOptions{Stateless: true})
	defer w.end()
	status, body, header := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "Mcp-Protocol-Version", "2025-06-18")
	if status != 200 || header.Get("Mcp-Session-Id") != "" || !strings.Contains(body, `"hold"`) {
		t.Errorf("%d %s %v", status, body, header)
	}
}

func TestHTTP_ElapsedTimeCannotBeForged(t *testing.T) {
	s := New(Info{Name: "test", Version: "1"}, nil)
	Add(s, Tool[struct{}, timed]{Name: "timed", Description: "Says how long it took.",
		Handle: func(context.Context, struct{}) (timed, error) { return timed{}, nil }})
	w := serveWeb(t, s, HTTPOptions{})
	defer w.end()
	_, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"timed"}}`,
		append(w.session(), receivedHeader, fmt.Sprint(time.Now().Add(-time.Hour).UnixNano()))...)
	_, data, _ := strings.Cut(body, "data: ")
	var m struct {
		Result struct{ StructuredContent timed }
	}
	if err := json.Unmarshal([]byte(data), &m); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if took := m.Result.StructuredContent.NS; took <= 0 || took > int64(time.Minute) {
		t.Errorf("took %v", time.Duration(took))
	}
}

type timed struct {
	NS int64 `json:"ns" jsonschema:"how long the call took, in nanoseconds"`
}

func (t *timed) Finish(elapsed time.Duration) { t.NS = elapsed.Nanoseconds() }

// What is no request is judged as on stdio, whatever the SDK would make of it:
// ids it would answer rounded, members it would choose between.
func TestHTTP_BadMessages(t *testing.T) {
	w := serveWeb(t, newHolder().server(nil), HTTPOptions{})
	defer w.end()
	session := w.session()
	stateless := modern("ping", "")
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	for _, tt := range []struct {
		body, id string
		code     int
	}{
		{"{", "null", -32700},
		{"\xef\xbb\xbf" + ping("1"), "null", -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"` + "\xff" + `"}}`, "null", -32700},
		{"5", "null", -32600},
		{"null", "null", -32600},
		{ping("null"), "null", -32600},
		{ping("1.5"), "null", -32600},
		{ping("{}"), "null", -32600},
		{ping("9007199254740992"), "9007199254740992", -32600},
		{ping("-9007199254740993"), "-9007199254740993", -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, "1", -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + strings.Repeat("[", 1500) + strings.Repeat("]", 1500) + `}}`, "1", -32600},
	} {
		for _, headers := range [][]string{session, stateless} {
			want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,`, tt.id, tt.code)
			if status, body, _ := w.post(tt.body, headers...); status != 400 || !strings.HasPrefix(body, want) {
				t.Errorf("%.60s: %d %s, want %s", tt.body, status, body, want)
			}
		}
	}
	for _, id := range []string{"9007199254740991", "-9007199254740991", `"9007199254740993"`} {
		if status, body, _ := w.post(ping(id), session...); status != 200 || !strings.Contains(body, `"id":`+id+`,"result"`) {
			t.Errorf("id %s: %d %s", id, status, body)
		}
	}
}

func TestHTTP_VersionsThatContradict(t *testing.T) {
	w := serveWeb(t, newHolder().server(nil), HTTPOptions{})
	defer w.end()
	session := w.session()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + statelessMeta + `}}`
	for _, headers := range [][]string{
		session,
		{"Mcp-Protocol-Version", "2025-06-18"},
		{"Mcp-Protocol-Version", "2024-11-05", "Mcp-Method", "tools/list"},
		nil,
	} {
		if status, body, _ := w.post(body, headers...); status != 400 || !strings.Contains(body, `"code":-32020`) {
			t.Errorf("headers %v: %d %s, want code -32020", headers, status, body)
		}
	}
}

func TestHTTP_RequestWithoutItsSessionLeavesNoneBehind(t *testing.T) {
	s := newHolder().server(nil)
	w := serveWeb(t, s, HTTPOptions{})
	defer w.end()
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
	} {
		if status, answer, header := w.post(body); status != 400 || !strings.Contains(answer, `"code":-32600`) || header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %d %s %v", body, status, answer, header)
		}
	}
	for range s.SDK().Sessions() {
		t.Error("a session was left behind")
	}
}

func TestHTTP_MaxSessions(t *testing.T) {
	w := serveWeb(t, newHolder().server(nil), HTTPOptions{MaxSessions: 2})
	defer w.end()
	session := w.session()
	w.session()
	if status, body, header := w.post(webInitialize); status != 503 || header.Get("Retry-After") == "" {
		t.Errorf("one session too many: %d %s", status, body)
	}
	if status, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, session...); status != 200 {
		t.Errorf("in a session that there is: %d %s", status, body)
	}
	if status, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+statelessMeta+`}}`, modern("tools/list", "")...); status != 200 {
		t.Errorf("without a session: %d %s", status, body)
	}
	res, err := w.do(context.Background(), "DELETE", "", session...)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 204 {
		t.Fatalf("ending a session: status %d", res.StatusCode)
	}
	w.session()
}

// Ending a session ends what runs in it, and nothing of another one.
func TestHTTP_EndingASessionCancelsItsCalls(t *testing.T) {
	type args struct{}
	began, ended := make(chan string, 2), make(chan string, 2)
	s := New(Info{Name: "test", Version: "1"}, nil)
	Add(s, Tool[args, args]{Name: "wait", Description: "Waits.", Handle: func(ctx context.Context, _ args) (args, error) {
		id := Request(ctx).GetSession().ID()
		began <- id
		<-ctx.Done()
		ended <- id
		return args{}, ctx.Err()
	}})
	w := serveWeb(t, s, HTTPOptions{})
	defer w.end()
	first, second := w.session(), w.session()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, session := range [][]string{first, second} {
		go func() {
			if res, err := w.do(ctx, "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`, session...); err == nil {
				res.Body.Close()
			}
		}()
		<-began
	}
	brief, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	res, err := w.do(brief, "DELETE", "", first...)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	id := ""
	for i, h := range first {
		if h == "Mcp-Session-Id" {
			id = first[i+1]
		}
	}
	if got := <-ended; res.StatusCode != 204 || got != id || id == "" {
		t.Errorf("status %d; the call of session %q ended, want %q", res.StatusCode, got, id)
	}
	select {
	case other := <-ended:
		t.Errorf("the call of session %q ended as well", other)
	default:
	}
}

func TestHTTP_ProgressTokenThatIsNoneIsPassedOver(t *testing.T) {
	type args struct{}
	s := New(Info{Name: "test", Version: "1"}, nil)
	Add(s, Tool[args, args]{Name: "report", Description: "Reports.", Handle: func(ctx context.Context, _ args) (args, error) {
		Progress(ctx, 1, 2, "half")
		return args{}, nil
	}})
	w := serveWeb(t, s, HTTPOptions{})
	defer w.end()
	session := w.session()
	for token, want := range map[string]bool{`"t"`: true, `7`: true, `{"a":1}`: false, `[1]`: false, `true`: false, `null`: false} {
		status, body, _ := w.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report","_meta":{"progressToken":`+token+`}}}`, session...)
		if got := strings.Contains(body, "notifications/progress"); status != 200 || got != want {
			t.Errorf("token %s: %d %s", token, status, body)
		}
	}
}

// The same server says the same, byte for byte, over both transports.
func TestHTTP_AnswersAreThoseOfStdio(t *testing.T) {
	s := echoServer(Clamp, nil)
	addNoop(s, "zeta", "alpha")
	w := serveWeb(t, s, HTTPOptions{})
	defer w.end()
	session := w.session()
	eras := map[string]*pipes{"": serveOver(t, t.Context(), s, nil), statelessMeta: serveBare(t, t.Context(), s, nil)}
	for i, tt := range []struct{ method, tool, params string }{
		{"tools/list", "", ``},
		{"tools/call", "query", `"name":"query","arguments":{"table":"t","id":9007199254740993,"seed":18446744073709551615,"limit":9999}`},
		{"tools/call", "query", `"name":"query","arguments":{"tabel":"t"}`},
		{"tools/call", "query", `"name":"query","arguments":{"table":"t","like":{"column":"c","value":9223372036854775807}}`},
		{"tools/call", "quary", `"name":"quary","arguments":{}`},
		{"tools/call", "query", `"name":"query","arguments":[]`},
	} {
		for meta, p := range eras {
			sep := ""
			if tt.params != "" && meta != "" {
				sep = ","
			}
			request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s%s}}`, i+1, tt.method, tt.params, sep, meta)
			header := session
			if meta != "" {
				header = modern(tt.method, tt.tool)
			}
			_, body, _ := w.post(request, header...)
			if _, data, found := strings.Cut(body, "data: "); found { // an event stream
				body = data
			}
			p.send(request)
			p.line(fmt.Sprintf(`"id":%d`, i+1))
			if got, want := strings.TrimSpace(body), p.sc.Text(); got != want {
				t.Errorf("%s:\nhttp  %s\nstdio %s", request, got, want)
			}
		}
	}
	for _, p := range eras {
		p.in.Close()
		p.end()
	}
}
