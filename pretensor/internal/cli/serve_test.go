package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/pool"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/quartet-mcp/quartet/pretensor/internal/tools"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == pool.ChildArg {
		os.Exit(pool.Child(os.Args[2:]))
	}
	os.Exit(dbtest.Main(m))
}

// talk makes serve a conversation with a client in this process.
func (b *bench) talk(with func(*mcp.ClientSession)) {
	b.Serve = func(ctx context.Context, server *mcpkit.Server, _ *mcpkit.Flags) int {
		here, there := mcp.NewInMemoryTransports()
		ctx, cancel := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() { done <- mcpkit.Serve(ctx, server, there) }()
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &b.clientOptions).Connect(ctx, here, nil)
		if err != nil {
			b.t.Error(err)
		} else {
			with(session)
			session.Close()
		}
		cancel()
		if err := <-done; err != nil {
			b.t.Logf("the server ended: %v", err)
		}
		return 0
	}
}

func call(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	text := ""
	for _, c := range r.Content {
		if x, ok := c.(*mcp.TextContent); ok {
			text += x.Text
		}
	}
	return text
}

func offered(t *testing.T, session *mcp.ClientSession) []string {
	t.Helper()
	r, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, x := range r.Tools {
		out = append(out, x.Name)
	}
	return out
}

func TestServe_Empty(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	asked := false
	b.talk(func(c *mcp.ClientSession) {
		asked = true
		if text := call(t, c, "validate_sql", map[string]any{"sql": "SELECT 1", "database": "shop"}); !strings.Contains(text, "quickstart") {
			t.Errorf("no hint in %s", text)
		}
	})
	b.run("serve").want(t, exitOK, "", "").silent(t)
	if !asked {
		t.Error("nothing was served")
	}
	if _, err := os.Stat(b.dir); err == nil {
		t.Error("serve made a state directory")
	}
}

func TestServe_Demo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.talk(func(c *mcp.ClientSession) {
		if text := call(t, c, "list_databases", nil); !strings.Contains(text, `"demo"`) {
			t.Errorf("%s", text)
		}
		if text := call(t, c, "cypher", map[string]any{"query": "MATCH (t:SchemaTable {table_name: 'orders'}) RETURN t.schema_name AS s", "database": "demo"}); !strings.Contains(text, "main") {
			t.Errorf("%s", text)
		}
	})
	b.run("serve", "--demo").want(t, exitOK, "", "").silent(t)
	b.run("list").want(t, exitOK, "demo  sqlite  db=shop", "")
}

// The environment bounds answers; what it cannot mean is refused before anything is
// served.
func TestServe_Bounds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "tables 3", "")
	count := func(c *mcp.ClientSession) int {
		return strings.Count(call(t, c, "cypher", map[string]any{"query": "UNWIND range(1, 300) AS x RETURN 'number ' AS n, x", "database": "shop"}), "number ")
	}
	b.env["PRETENSOR_CYPHER_MAX_ROWS"] = " 7 "
	b.talk(func(c *mcp.ClientSession) {
		if n := count(c); n != 7 {
			t.Errorf("%d rows, want 7", n)
		}
	})
	b.run("serve").want(t, exitOK, "", "").silent(t)
	b.env["PRETENSOR_CYPHER_MAX_ROWS"], b.env["PRETENSOR_MAX_RESPONSE_CHARS"] = "", "1000"
	b.talk(func(c *mcp.ClientSession) {
		if n := count(c); n < 5 || n > 60 {
			t.Errorf("%d rows in 1000 characters", n)
		}
	})
	b.run("serve").want(t, exitOK, "", "").silent(t)
	b.talk(func(*mcp.ClientSession) { t.Error("served within bounds that nobody set") })
	for variable, values := range map[string][]string{
		"PRETENSOR_CYPHER_MAX_ROWS": {"0", "-1", "many", "1e3", "100001"}, "PRETENSOR_MAX_RESPONSE_CHARS": {"0", "999", "60000 characters", "99999999999999999999"},
	} {
		for _, value := range values {
			b.env = map[string]string{variable: value}
			b.run("serve").want(t, exitFailed, "", variable+" must be a number from").silent(t)
		}
	}
}

// What a server does beside its answers needs no call: a new index is announced.
func TestServe_Watches(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t), "--name", "first").want(t, exitOK, "", "")
	told := make(chan struct{}, 1)
	b.clientOptions.ResourceListChangedHandler = func(context.Context, *mcp.ResourceListChangedRequest) {
		select {
		case told <- struct{}{}:
		default:
		}
	}
	b.talk(func(*mcp.ClientSession) {
		other := *b
		other.run("index", shop(t), "--name", "second").want(t, exitOK, "", "")
		select {
		case <-told:
		case <-time.After(30 * time.Second):
			t.Error("the client was not told of a new connection")
		}
	})
	b.run("serve").want(t, exitOK, "", "").silent(t)
}

func TestServe_Tools(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var all, few, rest []string
	b.talk(func(c *mcp.ClientSession) { all = offered(t, c) })
	b.run("serve").want(t, exitOK, "", "")
	b.talk(func(c *mcp.ClientSession) { few = offered(t, c) })
	b.run("serve", "--tools", "validate_sql,schema").want(t, exitOK, "", "")
	b.talk(func(c *mcp.ClientSession) { rest = offered(t, c) })
	b.run("serve", "--exclude-tools", "validate_sql").want(t, exitOK, "", "")
	if len(all) < 3 || !slices.Equal(few, []string{"schema", "validate_sql"}) || !slices.Equal(rest, slices.DeleteFunc(all, func(x string) bool { return x == "validate_sql" })) {
		t.Errorf("all %v, few %v, rest %v of %v", all, few, rest, tools.Names)
	}
}

func TestServe_Visibility(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "tables 3", "")
	rules := filepath.Join(t.TempDir(), "rules.yml")
	write(t, rules, "hidden_tables: [tickets]\nprofiles:\n  small:\n    hidden_tables: [orders]\n")
	sees := func(want map[string]bool, args ...string) {
		t.Helper()
		b.talk(func(c *mcp.ClientSession) {
			for table, visible := range want {
				text := call(t, c, "validate_sql", map[string]any{"sql": "SELECT * FROM " + table, "database": "shop"})
				if got := strings.Contains(text, `"valid":true`); got != visible {
					t.Errorf("%v: %s visible %v, want %v", args, table, got, visible)
				}
			}
		})
		b.run(append([]string{"serve"}, args...)...).want(t, exitOK, "", "")
	}
	sees(map[string]bool{"orders": true, "tickets": true})
	sees(map[string]bool{"orders": true, "tickets": false}, "--visibility", rules)
	sees(map[string]bool{"orders": false, "tickets": false, "customers": true}, "--visibility", rules, "--profile", "small")
	b.talk(func(*mcp.ClientSession) { t.Error("served without the rules that were asked for") })
	b.run("serve", "--visibility", rules, "--profile", "smal").want(t, exitFailed, "", "small").silent(t)
	b.run("serve", "--visibility", filepath.Join(t.TempDir(), "none.yml")).want(t, exitFailed, "", "none.yml").silent(t)
	b.run("serve", "--profile", "small").want(t, exitFailed, "", "").silent(t)
	write(t, filepath.Join(b.dir, state.RegistryName), "{")
	b.run("serve").want(t, exitFailed, "", "registry.json").silent(t)
}

// The whole of it on the demonstration: search, joins, consumers, metrics, and a look
// at the database itself.
func TestServe_EveryTool(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("quickstart").want(t, exitOK, "", "")
	b.talk(func(c *mcp.ClientSession) {
		for _, x := range []struct {
			tool string
			args map[string]any
			want string
		}{
			{"list_databases", nil, `"demo"`},
			{"schema", map[string]any{"database": "demo"}, "SchemaTable"},
			{"query", map[string]any{"q": "refunds that were paid back"}, "refunds"},
			{"semantic_search", map[string]any{"query": "money that was paid back"}, "refunds"},
			{"context", map[string]any{"table": "orders"}, "customer_id"},
			{"traverse", map[string]any{"from_table": "customers", "to_table": "products", "database": "demo"}, "order_items"},
			{"impact", map[string]any{"table": "customers", "database": "demo"}, "orders"},
			{"consumers", map[string]any{"table": "payments", "database": "demo"}, "billing"},
			{"detect_changes", map[string]any{"database": "demo"}, `"up_to_date":true`},
			{"compile_metric", map[string]any{"semantic_yaml": read(t, filepath.Join(b.dir, "demo", "semantic.yaml")), "metric": "revenue", "database": "demo"}, "payments"},
			{"validate_sql", map[string]any{"sql": "SELECT nam FROM customers", "database": "demo"}, `"valid":false`},
		} {
			if text := call(t, c, x.tool, x.args); !strings.Contains(text, x.want) {
				t.Errorf("%s: no %q in %.600s", x.tool, x.want, text)
			}
		}
	})
	b.run("serve").want(t, exitOK, "", "").silent(t)
}

// What was hidden from the index, or is hidden from callers, is no change.
func TestServe_DetectsWhatMayBeSeen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := shop(t)
	rules := filepath.Join(t.TempDir(), "rules.yml")
	write(t, rules, "hidden_tables: [tickets]\n")
	mine := filepath.Join(t.TempDir(), "mine.yml")
	write(t, mine, "hidden_tables: [secret_plans]\n")
	b.run("index", file, "--visibility", rules).want(t, exitOK, "tables 2", "")
	changes := func(want, never string, args ...string) {
		t.Helper()
		b.talk(func(c *mcp.ClientSession) {
			text := call(t, c, "detect_changes", map[string]any{"database": "shop"})
			if !strings.Contains(text, want) || never != "" && strings.Contains(text, never) {
				t.Errorf("%q missing, or %q there: %s", want, never, text)
			}
		})
		b.run(append([]string{"serve"}, args...)...).want(t, exitOK, "", "")
	}
	changes(`"up_to_date":true`, "tickets")
	execute(t, "sqlite", file, `ALTER TABLE tickets ADD COLUMN x TEXT`, `CREATE TABLE secret_plans (id INTEGER)`)
	changes("secret_plans", "tickets")
	changes(`"up_to_date":true`, "secret_plans", "--visibility", mine)
	if err := os.Remove(rules); err != nil {
		t.Fatal(err)
	}
	changes("error", "secret_plans") // without the rules of the index nothing is shown
}

func TestServe_Config(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	type server struct {
		Command string
		Args    []string
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"serve", "--config-only", "--state-dir", "s"}, []string{"serve", "--state-dir", filepath.Join(here, "s")}},
		{[]string{"serve", "--config-only"}, []string{"serve", "--state-dir", filepath.Join(here, ".pretensor")}},
		{[]string{"--print-config", "claude-desktop"}, []string{"serve", "--state-dir", filepath.Join(here, ".pretensor")}},
		{
			[]string{"serve", "--print-config", "cursor", "--visibility", "v.yml", "--profile", "p", "--tools", "schema,query", "--demo", "--no-output-schemas", "--no-print-config"},
			[]string{"serve", "--state-dir", filepath.Join(here, ".pretensor"), "--visibility", filepath.Join(here, "v.yml"), "--profile", "p", "--tools", "schema,query", "--no-output-schemas", "--demo"},
		},
	} {
		o := b.typed("", c.args...).want(t, exitOK, "", "")
		var got struct{ MCPServers map[string]server }
		if err := json.Unmarshal([]byte(o.out), &got); err != nil || o.stderr != "" {
			t.Fatalf("%q: %v, %+v", c.args, err, o)
		}
		if diff := cmp.Diff(map[string]server{"pretensor": {"/opt/pretensor", c.want}}, got.MCPServers); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.args, diff)
		}
	}
	for client, section := range map[string]string{"claude-code": "mcpServers", "vscode": "servers", "zed": "context_servers"} {
		b.typed("", "serve", "--print-config", client).want(t, exitOK, `"`+section+`"`, "")
	}
	b.typed("", "serve", "--config-only", "--print-config", "zed").want(t, exitUsage, "", "exclude each other")
}
