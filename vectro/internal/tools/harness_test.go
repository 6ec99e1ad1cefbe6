package tools

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// files are names in the data folder and what the files hold.
type files map[string]string

// settings change what newService builds.
type settings struct {
	memory  int64
	maxText int
	noHints bool
	maxFile int64
	log     *CallLog
	limits  mcpkit.Limits
}

// newService returns a server with vectro's tools over a new folder with files.
func newService(t *testing.T, f files, s settings) (*Service, *mcpkit.Server) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range f {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := mcpkit.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	if s.memory == 0 {
		s.memory = 1 << 30
	}
	if s.maxFile == 0 {
		s.maxFile = 2_000_000_000
	}
	sv := &Service{
		Root:    root,
		Engines: NewEngines(engine.Options{Threads: 2, Budget: mem.NewBudget(s.memory)}),
		MaxFile: s.maxFile, MaxText: s.maxText, Hints: !s.noHints, Log: s.log,
	}
	if s.limits.Result == 0 {
		s.limits.Result = 10 << 20
	}
	server := mcpkit.New(mcpkit.Info{Name: "vectro", Version: "test"}, &mcpkit.Options{Limits: s.limits, ErrorText: ErrorText})
	Register(server, sv)
	return sv, server
}

// client is an assistant's connection to a server in this process.
type client struct {
	t       *testing.T
	sv      *Service
	session *mcp.ClientSession
}

// connect serves the files to a real client over a connection in memory.
func connect(t *testing.T, f files, s settings) *client {
	t.Helper()
	return connectWith(t, f, s, nil)
}

func connectWith(t *testing.T, f files, s settings, o *mcp.ClientOptions) *client {
	t.Helper()
	sv, server := newService(t, f, s)
	ours, theirs := mcp.NewInMemoryTransports()
	there, err := server.SDK().Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	here, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		here.Close()
		there.Wait()
	})
	return &client{t: t, sv: sv, session: here}
}

// used is how much of the memory budget is taken.
func (c *client) used() int64 { return c.sv.Engines.opts.Budget.Used() }

// request is a call with arguments that are JSON already.
func request(tool, args string) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)}
}

// call calls a tool and returns the text of its result.
func (c *client) call(tool, args string) (text string, failed bool) {
	c.t.Helper()
	res, err := c.session.CallTool(c.t.Context(), request(tool, args))
	if err != nil {
		c.t.Fatalf("%s %s: %v", tool, args, err)
	}
	return textOf(c.t, res), res.IsError
}

// textOf checks the shape of a result and returns its text: a good one carries
// the same JSON twice, a failure one text and no structured content.
func textOf(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d content items, want 1", len(res.Content))
	}
	text := res.Content[0].(*mcp.TextContent).Text
	if res.IsError {
		if res.StructuredContent != nil {
			t.Errorf("a failure with structured content: %v", res.StructuredContent)
		}
		if _, ok := res.Meta["vectro/error"]; !ok {
			t.Errorf("a failure without its machine-readable form: %s", text)
		}
		return text
	}
	var same any
	if err := json.Unmarshal([]byte(text), &same); err != nil {
		t.Fatalf("the text is not JSON: %v\n%s", err, text)
	}
	a, _ := json.Marshal(same)
	b, _ := json.Marshal(res.StructuredContent)
	if !bytes.Equal(a, b) {
		t.Errorf("text and structured content differ:\n%s\n%s", a, b)
	}
	return text
}

// good calls a tool that has to succeed and returns the text without the time,
// which has to be the last field.
func (c *client) good(tool, args string) string {
	c.t.Helper()
	text, failed := c.call(tool, args)
	if failed {
		c.t.Fatalf("%s %s: %s", tool, args, text)
	}
	return withoutMS(c.t, text)
}

func withoutMS(t *testing.T, text string) string {
	t.Helper()
	i := strings.LastIndex(text, `"ms":`)
	var ms float64
	if i < 1 || json.Unmarshal([]byte(strings.TrimSuffix(text[i+len(`"ms":`):], "}")), &ms) != nil || ms < 0 {
		t.Fatalf("the result does not end with its time: %s", text)
	}
	if tenths := ms * 10; tenths-float64(int64(tenths+0.5)) > 1e-6 || float64(int64(tenths+0.5))-tenths > 1e-6 {
		t.Errorf("ms is %v, want tenths", ms)
	}
	return strings.TrimSuffix(text[:i], ",") + "}"
}

// bad calls a tool that has to refuse and returns the message.
func (c *client) bad(tool, args string) string {
	c.t.Helper()
	text, failed := c.call(tool, args)
	if !failed {
		c.t.Fatalf("%s %s: %s, want a refusal", tool, args, text)
	}
	return text
}

// field returns one field of a JSON object, as it was written.
func field(t *testing.T, object, name string) string {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &m); err != nil {
		t.Fatalf("%v: %s", err, object)
	}
	return string(m[name])
}

// load loads a file under its default name.
func (c *client) load(paths ...string) {
	c.t.Helper()
	for _, p := range paths {
		c.good("load_file", quoteJSON(map[string]any{"path": p}))
	}
}

func quoteJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// step is one call and its answer: a result without ms, or a message.
type step struct{ tool, args, want, refused string }

func (c *client) run(steps []step) {
	c.t.Helper()
	for _, s := range steps {
		text, failed := c.call(s.tool, s.args)
		want := s.want
		if failed {
			want = s.refused
		} else {
			text = withoutMS(c.t, text)
		}
		if failed != (s.refused != "") || text != want {
			c.t.Errorf("%s %s\n got %s\nwant %s%s", s.tool, s.args, text, s.want, s.refused)
		}
	}
}
