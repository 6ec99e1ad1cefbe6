package mcptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// faultEnv makes the test binary a server that keeps the protocol except for
// the one fault it names; "none" is the server without a fault. The kit has to
// pass that one and to catch each of the others.
const faultEnv = "MCPTEST_FAULT"

func TestMain(m *testing.M) {
	if fault := os.Getenv(faultEnv); fault != "" {
		os.Exit(serveFaulty(fault))
	}
	os.Exit(m.Run())
}

// faulty returns the server with a fault.
func faulty(t *testing.T, fault string) Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Server{Path: self, Env: []string{faultEnv + "=" + fault}}
}

// faultyServer answers initialize, ping, server/discover, tools/list, and
// tools/call of "echo" (returns its argument "value"), "file" (returns a file's
// text), "args" (returns its own arguments and the variable SHOP), "slow"
// (waits for its cancellation) and "panic".
type faultyServer struct {
	fault string
	mu    sync.Mutex
	calls sync.WaitGroup
	stop  map[string]chan struct{}
	seen  int
}

func (s *faultyServer) is(fault string) bool { return s.fault == fault }

func serveFaulty(fault string) int {
	s := &faultyServer{fault: fault, stop: map[string]chan struct{}{}}
	if len(os.Args) > 1 && os.Args[1] == "--no-such-flag" {
		if s.is("help on stdout") {
			fmt.Println("usage: server")
		}
		fmt.Fprintln(os.Stderr, "unknown flag --no-such-flag")
		return 2
	}
	if s.is("banner") {
		fmt.Println("server is ready")
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	go func() {
		<-ended
		if s.is("ignores SIGTERM") {
			return
		}
		if s.is("talks at SIGTERM") {
			fmt.Println("bye")
		}
		os.Exit(0)
	}()
	in := bufio.NewReader(os.Stdin)
	for first := true; ; first = false {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		line = bytes.Trim(line, " \t\r\n")
		if first && !s.is("chokes on BOM") {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) > 0 && !s.line(line) {
			return 1
		}
	}
	if s.is("loses answers at EOF") {
		s.mu.Lock() // nothing is written any more
		return 0
	}
	if s.is("does not exit") {
		time.Sleep(time.Hour)
	}
	s.calls.Wait()
	if s.is("exits with 3") {
		return 3
	}
	return 0
}

func (s *faultyServer) write(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Printf(format+"\n", args...)
}

func (s *faultyServer) fail(id string, code int, message string) {
	s.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, stringNode(message).raw)
}

// line handles one line and reports whether the server lives on.
func (s *faultyServer) line(line []byte) bool {
	if len(line) > 16<<20 {
		s.fail("null", -32700, "the line is too long")
		return true
	}
	n, err := parseJSON(line)
	switch {
	case err != nil && s.is("dies of bad lines"):
		return false
	case err != nil && s.is("silent on bad lines"):
		return true
	case err != nil:
		s.fail("null", -32700, "not JSON: "+clip(err.Error()))
		return true
	}
	method := n.get("method")
	if !n.get("jsonrpc").isString("2.0") || method == nil || method.kind != kindString || method.text == "" {
		s.fail("null", -32600, "no request")
		return true
	}
	if n.get("id") == nil {
		if id := n.get("params", "requestId"); method.text == "notifications/cancelled" && id != nil {
			s.cancel(scalarKey(id))
		}
		return true
	}
	id := n.get("id")
	if !isID(id) {
		s.fail("null", -32600, "bad id")
		return true
	}
	key := scalarKey(id)
	stopped := make(chan struct{})
	s.mu.Lock()
	s.stop[key] = stopped
	s.mu.Unlock()
	s.calls.Go(func() { s.request(n, id.raw, method.text, stopped) })
	if !s.is("loses answers at EOF") && method.text != "tools/call" {
		s.calls.Wait()
	}
	return true
}

func (s *faultyServer) cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.stop[key]; c != nil {
		close(c)
		delete(s.stop, key)
	}
}

func (s *faultyServer) request(n *node, id, method string, stopped chan struct{}) {
	modern := n.get("params", "_meta", metaVersion) != nil
	var result string
	switch method {
	case "initialize":
		version := LegacyVersion
		if v := n.get("params", "protocolVersion"); v != nil && v.kind == kindString {
			version = v.text
		}
		result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"faulty","version":"1"}}`, version)
	case "ping":
		result = `{}`
	case "tools/list":
		result = `{"tools":[{"name":"echo","description":"Returns its argument.","inputSchema":{"type":"object"}}]}`
	case "tools/call":
		if s.is("loses answers at EOF") {
			time.Sleep(50 * time.Millisecond) // the end comes first
		}
		if result = s.call(n, id, stopped); result == "" {
			return
		}
	default:
		s.fail(id, -32601, "no method "+method)
		return
	}
	if modern {
		result = s.modernize(result, method)
	} else if s.is("modern fields in legacy") {
		result = strings.TrimSuffix(result, "}") + `,"resultType":"complete"}`
	}
	if s.is("wrong id") {
		id = `"` + strings.Trim(id, `"`) + `"`
	}
	s.write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	if s.is("answers twice") {
		s.write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	}
}

// modernize adds what the stateless era asks for to a result.
func (s *faultyServer) modernize(result, method string) string {
	r := mustParse(result)
	if !s.is("no resultType") {
		r.set("resultType", stringNode("complete"))
	}
	if slices.Contains(cacheable, method) && !s.is("no ttlMs") || s.is("ttlMs everywhere") {
		r.set("ttlMs", mustParse("0"))
		r.set("cacheScope", stringNode("private"))
	}
	s.mu.Lock()
	s.seen++
	name := "faulty"
	if s.is("changing identity") {
		name = fmt.Sprint(name, s.seen)
	}
	s.mu.Unlock()
	meta := r.get("_meta")
	if meta == nil {
		meta = &node{kind: kindObject}
		r.set("_meta", meta)
	}
	meta.set(metaServer, mustParse(fmt.Sprintf(`{"name":%q,"version":"1"}`, name)))
	return r.String()
}

func (s *faultyServer) call(n *node, id string, stopped chan struct{}) string {
	if s.is("prints junk") {
		s.write("debug: call %s", id)
	}
	if s.is("invalid UTF-8") {
		s.write("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"x\":\"\xff\"}}", id)
		return ""
	}
	if s.is("twin keys") {
		s.write(`{"jsonrpc":"2.0","id":%s,"id":%s,"result":{"content":[]}}`, id, id)
		return ""
	}
	args := n.get("params", "arguments")
	tool := n.get("params", "name")
	if tool == nil || tool.kind != kindString {
		s.fail(id, -32602, "params.name has to be a string")
		return ""
	}
	value := args.get("value")
	switch tool.text {
	case "slow":
		select {
		case <-stopped:
			if !s.is("answers cancelled calls") {
				return ""
			}
		case <-time.After(time.Minute):
		}
		value = mustParse("0")
	case "panic":
		if s.is("dies of a panic") {
			panic("as asked for")
		}
		return `{"content":[{"type":"text","text":"internal error, reference 0a1b2c3d"}],"isError":true}`
	case "file":
		data, err := os.ReadFile(args.get("path").text)
		if err != nil {
			return `{"content":[{"type":"text","text":"no such file"}],"isError":true}`
		}
		value = stringNode(string(data))
	case "args":
		value = stringNode(strings.Join(append(os.Args[1:], os.Getenv("SHOP")), " "))
	case "echo":
	default:
		s.fail(id, -32602, "unknown tool "+tool.text)
		return ""
	}
	if value == nil {
		return `{"content":[{"type":"text","text":"argument value is missing"}],"isError":true}`
	}
	return s.echo(value)
}

// echo is the result of a call that went well.
func (s *faultyServer) echo(value *node) string {
	v := value.String()
	if s.is("rounds numbers") {
		var f any
		if json.Unmarshal([]byte(v), &f) == nil {
			if b, err := json.Marshal(f); err == nil {
				v = string(b)
			}
		}
	}
	list := `[]`
	if s.is("null lists") {
		list = `null`
	}
	ms := fmt.Sprintf("%.3f", float64(time.Now().UnixNano()%1000000)/1000)
	if s.is("ms as text") {
		ms = `"` + ms + `"`
	}
	structured := fmt.Sprintf(`{"value":%s,"notes":%s,"ms":%s}`, v, list, ms)
	if s.is("other order") {
		structured = fmt.Sprintf(`{"notes":%s,"value":%s,"ms":%s}`, list, v, ms)
	}
	text := structured
	if s.is("text differs") {
		text = strings.Replace(text, `"ms":`, `"ms":1`, 1)
	}
	return fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"structuredContent":%s}`, stringNode(text).raw, structured)
}
