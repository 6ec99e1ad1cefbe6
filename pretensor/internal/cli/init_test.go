package cli

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// project makes a repository with one program that reads orders, and goes there.
func project(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "billing")
	write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(dir, "src", "app.py"), "def f(c):\n    c.execute('SELECT id FROM orders WHERE customer_id = 1')\n")
	t.Chdir(filepath.Join(dir, "src"))
	return dir
}

func (b *bench) config() *config.Config {
	b.t.Helper()
	c, err := config.Load(config.Options{StateDirFlag: b.dir})
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

func TestInit_NoDatabase(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	b.run("init").want(t, exitFailed, "", "init --dsn").want(t, exitFailed, "", "--sample").silent(t)
	b.Terminal = true
	b.env["PRETENSOR_NONINTERACTIVE"] = "1"
	b.run("init").want(t, exitFailed, "", "--dsn").silent(t)
	delete(b.env, "PRETENSOR_NONINTERACTIVE")
	b.run("init", "--yes").want(t, exitFailed, "", "--dsn").silent(t)
	for _, args := range [][]string{{"--repo", "x", "--no-repo"}, {"--sample", "--dsn", "x.db"}, {"--client", "emacs"}, {"x.db"}} {
		b.run(append([]string{"init", "--yes"}, args...)...).want(t, exitUsage, "", "").silent(t)
	}
	b.run("init", "--yes", "--dsn", "${NOWHERE}").want(t, exitFailed, "", "NOWHERE, which is not set").silent(t)
	b.run("init", "--yes", "--dsn", filepath.Join(t.TempDir(), "none.db")).want(t, exitFailed, "", "connecting").silent(t)
	if _, err := os.Stat(filepath.Join(b.dir, state.RegistryName)); err == nil {
		t.Error("something was registered")
	}
}

// A file that is named from the current folder is found from that of the
// configuration as well.
func TestInit_RelativeFile(t *testing.T) {
	file := shop(t)
	t.Chdir(filepath.Dir(file))
	b := newBench(t)
	b.env["DATABASE_URL"] = "sqlite:///" + filepath.Base(file)
	b.run("init", "--no-repo").want(t, exitOK, "tables 3", "")
	b.run("index", "--source", "shop").want(t, exitOK, "tables 3", "")
	if text := read(t, filepath.Join(b.dir, "config.yaml")); !strings.Contains(text, "path: "+file) {
		t.Errorf("%s", text)
	}
}

// A reference stays one: the file has the variable, never what it stands for.
func TestInit_FromEnvironment(t *testing.T) {
	b := newBench(t)
	repo := project(t)
	file := shop(t)
	b.env["DATABASE_URL"] = "sqlite:////" + strings.TrimPrefix(file, "/") + "?token=hunter2"
	o := b.run("init").want(t, exitOK, "tables 3", "1 place in billing")
	if !strings.Contains(o.out, `"mcpServers"`) {
		t.Errorf("no snippet in %s", o.out)
	}
	text := read(t, filepath.Join(b.dir, "config.yaml"))
	if !strings.Contains(text, "url: ${DATABASE_URL}") {
		t.Errorf("%s", text)
	}
	b.keeps("hunter2")
	b.keeps(file + "?")
	c := b.config()
	if len(c.Repositories) != 1 || c.Repositories[0] != (config.Repository{Path: repo, Service: "billing", Connection: "shop"}) {
		t.Errorf("%+v", c.Repositories)
	}
	data, err := index.Load(state.At(b.dir), "shop")
	if err != nil || len(data.Consumers) != 1 || data.Consumers[0].Service != "billing" {
		t.Errorf("%v, %+v", err, data)
	}
	before := read(t, filepath.Join(b.dir, "config.yaml"))
	b.run("init").want(t, exitOK, "tables 3", "")
	if after := read(t, filepath.Join(b.dir, "config.yaml")); after != before {
		t.Errorf("a second run changed the configuration to %s", after)
	}
	b.run("index", "--source", "shop").want(t, exitOK, "tables 3", "")
}

func TestInit_FromPG(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	for k, v := range map[string]string{"PGHOST": "127.0.0.1", "PGPORT": "1", "PGUSER": "ann@x", "PGPASSWORD": "hunter2/%", "PGDATABASE": "shop db"} {
		b.env[k] = v
	}
	b.run("init", "--no-repo").want(t, exitFailed, "", "127.0.0.1").silent(t)
	s := &session{Program: b.withDefaults(), secrets: &secrets{}}
	var p plan
	p.infer(s.LookupEnv)
	d, err := fromFields(p.fields, s.LookupEnv)
	if err != nil || d.Host != "127.0.0.1" || d.Port != "1" || d.User != "ann@x" || d.Password != "hunter2/%" || d.Database != "shop db" {
		t.Errorf("%v, %v", err, d)
	}
	b.keeps("hunter2")

	u, err := url.Parse(dbtest.Postgres(t)) // asks for no password
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"PGHOST": u.Hostname(), "PGPORT": u.Port(), "PGUSER": "postgres", "PGDATABASE": u.Path[1:]} {
		b.env[k] = v
	}
	b.run("init", "--dialect", "mysql").want(t, exitUsage, "", "PostgreSQL's").silent(t)
	b.run("init", "--name", "pg").want(t, exitOK, "tables 0", "")
	text := read(t, filepath.Join(b.dir, "config.yaml"))
	if want := "sources:\n  pg:\n    dialect: postgres\n    host: ${PGHOST}\n    port: ${PGPORT}\n    user: ${PGUSER}\n    password: ${PGPASSWORD}\n    database: ${PGDATABASE}\n"; text != want {
		t.Errorf("%s", text)
	}
	b.run("index", "--source", "pg").want(t, exitOK, "tables 0", "")
	b.keeps("hunter2")
}

func TestInit_PasswordOnTheCommandLine(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	file := shop(t)
	b.run("init", "--dsn", "sqlite:////"+strings.TrimPrefix(file, "/")+"?password=hunter2").want(t, exitOK, "tables 3", "in the registry, encrypted")
	b.keeps("hunter2")
	if len(b.config().Sources) != 0 {
		t.Errorf("%+v", b.config().Sources)
	}
	b.run("init", "--dsn", file, "--name", "plain").want(t, exitOK, "tables 3", "")
	if got := b.config().Sources["plain"].Values["path"].Reveal(); got != file {
		t.Errorf("path %q", got)
	}
}

// What is in the configuration stays there: other sources, comments, order.
func TestInit_KeepsTheConfiguration(t *testing.T) {
	b := newBench(t)
	project(t)
	path := filepath.Join(b.dir, "config.yaml")
	old := "# mine\ngraph:\n  join_path_max_depth: 5 # deep\n\nsources: # of ours\n    # the old one\n    legacy:\n        dialect: sqlite\n        path: legacy.db\nrepositories:\n- {path: ../old, service: old, connection: legacy}\nprivacy:\n  stats: none\n"
	write(t, path, old)
	b.run("init", "--dsn", shop(t)).want(t, exitOK, "", "wrote")
	text := read(t, path)
	kept := text
	for line := range strings.Lines(old) {
		before, after, ok := strings.Cut(kept, line)
		if !ok {
			t.Errorf("%q is gone, or moved, in:\n%s", line, text)
		}
		_, kept = before, after
	}
	c := b.config()
	if len(c.Sources) != 2 || len(c.Repositories) != 2 || c.Graph.JoinPathMaxDepth != 5 {
		t.Errorf("%+v", c)
	}
	two := shop(t)
	for _, odd := range []string{
		"sources: {legacy: {dialect: sqlite, path: legacy.db}}\n",
		"\"sources\":\n  legacy: {dialect: sqlite, path: legacy.db}\n",
		"graph:\n  join_path_max_depth: 5\n...\n",
	} {
		write(t, path, odd)
		b.run("init", "--dsn", two, "--name", "two", "--no-repo").want(t, exitFailed, "tables 3", "config.yaml was not changed")
		if read(t, path) != odd {
			t.Errorf("%q became %q", odd, read(t, path))
		}
	}
	b.run("list").want(t, exitOK, "two  sqlite", "")
}

// An analysis that fails does not undo the rest, and is told.
func TestInit_FailedAnalysis(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	o := b.run("init", "--dsn", shop(t), "--repo", "nowhere").want(t, exitFailed, "tables 3", "nowhere")
	if !strings.Contains(o.out, "mcpServers") {
		t.Errorf("%s", o.out)
	}
	b.run("list").want(t, exitOK, "shop  sqlite  db=shop  tables=3", "")
	if len(b.config().Repositories) != 0 {
		t.Error("the repository was recorded")
	}
}

// The configuration of a client changes only if it is named.
func TestInit_Clients(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	file := shop(t)
	cursor := filepath.Join(b.Home, ".cursor", "mcp.json")
	old := `{"mcpServers": {"other": {"command": "x"}}, "n": 12345678901234567890}`
	write(t, cursor, old)
	write(t, ".mcp.json", "{}")
	b.run("init", "--dsn", file, "--no-repo").want(t, exitOK, `"mcpServers"`, "")
	if read(t, cursor) != old || read(t, ".mcp.json") != "{}" {
		t.Error("a client that nobody named was changed")
	}
	b.run("init", "--dsn", file, "--no-repo", "--client", "cursor", "--no-mcp-write").want(t, exitOK, `"mcpServers"`, "")
	if read(t, cursor) != old {
		t.Error("--no-mcp-write wrote")
	}
	b.run("init", "--dsn", file, "--no-repo", "--client", "cursor", "--client", "cursor", "--client", "claude-desktop").want(t, exitOK, "cursor: wrote "+cursor, "")
	text := read(t, cursor)
	if !strings.Contains(text, `"other"`) || !strings.Contains(text, "12345678901234567890") || !strings.Contains(text, "/opt/pretensor") || read(t, cursor+".bak") != old {
		t.Errorf("%s", text)
	}
	if read(t, ".mcp.json") != "{}" {
		t.Error("claude-code was changed")
	}
	b.run("init", "--dsn", file, "--no-repo", "--client", "cursor").want(t, exitOK, "has it already", "")
	if read(t, cursor+".bak") != old {
		t.Error("the backup is gone")
	}
	write(t, cursor, "{ // comment\n}")
	b.run("init", "--dsn", file, "--no-repo", "--client", "cursor").want(t, exitFailed, "tables 3", "not a JSON object")
	if read(t, cursor) != "{ // comment\n}" {
		t.Error("a file that cannot be read was changed")
	}
}

func TestInit_Wizard(t *testing.T) {
	b := newBench(t)
	b.Terminal = true
	b.env["NO_COLOR"] = "1"
	repo := project(t)
	file := shop(t)
	ask := func(input string, args ...string) outcome {
		return b.typed(input, append([]string{"init", "--state-dir", b.dir}, args...)...)
	}
	ask("q\n", "--dsn", file).want(t, exitOK, "nothing was done", "[p]roceed").want(t, exitOK, "", repo)
	ask("", "--dsn", file).want(t, exitFailed, "", "the input ended").silent(t)
	ask("maybe\nq\n", "--dsn", file).want(t, exitOK, "nothing was done", "Please answer")
	ask("postgresql://ann:hunter2@127.0.0.1:x/shop\n\n"+file+"\nq\n").want(t, exitOK, "nothing was done", "no number from 1 to 65535")
	ask("nonsense\nsample\nq\n").want(t, exitOK, "nothing was done", "the demonstration")
	if _, err := os.Stat(b.dir); err == nil {
		t.Error("the wizard wrote something before it was told to")
	}
	b.keeps("hunter2")

	cursor := filepath.Join(b.Home, ".cursor", "mcp.json")
	write(t, cursor, "{}")
	o := ask("n\nc\n"+file+"\nstock\n-\ny\np\n", "--dsn", shop(t)).want(t, exitOK, "tables 3", "as connection stock")
	if !strings.Contains(o.stderr, "repository  none") || !strings.Contains(o.out, "cursor: wrote") {
		t.Errorf("%+v", o)
	}
	b.run("list").want(t, exitOK, "stock  sqlite", "")
	if !strings.Contains(read(t, cursor), "/opt/pretensor") {
		t.Error("cursor does not know the server")
	}
	if len(b.config().Repositories) != 0 {
		t.Error("a repository was analysed")
	}
	b.env["DATABASE_URL"] = "postgresql://ann:hunter2@127.0.0.1:1/shop"
	ask("n\np\n").want(t, exitFailed, "", "postgresql://ann:***@127.0.0.1:1/shop, as connection shop (from DATABASE_URL)")
	b.keeps("hunter2")
}

func TestInsert(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "sources:\n  a:\n    b: 1\n"},
		{"no block", "x: 1", "x: 1\nsources:\n  a:\n    b: 1\n"},
		{"a block", "sources:\n  z: {}\n", "sources:\n  a:\n    b: 1\n  z: {}\n"},
		{"another indentation", "sources: # c\n\n    # d\n    z: {}\n", "sources: # c\n    a:\n      b: 1\n\n    # d\n    z: {}\n"},
		{"an empty block", "sources:\nx: 1\n", "sources:\n  a:\n    b: 1\nx: 1\n"},
		{"a name inside another block", "x:\n  sources:\n", "x:\n  sources:\nsources:\n  a:\n    b: 1\n"},
	} {
		if got, err := insert(c.text, "sources", []string{"a:", "  b: 1"}); err != nil || got != c.want {
			t.Errorf("%s: %v, %q, want %q", c.name, err, got, c.want)
		}
	}
	if got, err := insert("sources: {}\n", "sources", []string{"a:"}); err == nil {
		t.Errorf("%q", got)
	}
}

// Whatever a connection or a folder is called, the file says it as it is.
func TestConfigure_Names(t *testing.T) {
	for _, name := range []string{"shop", "yes", "Null", "1", "1.5", "0x1f", "2026-01-02", "a: b", "#x", "- a", "a #b", "{a}", "[a]", "*a", "&a", "!a", "|", "%a", "@a", "`a`", "'a'", `"a"`, `a\b`, "käse", "日本", "a\tb", "~", "=", "<<", "?", "a/b", "${A}"} {
		b := newBench(t)
		file := filepath.Join(t.TempDir(), strings.NewReplacer("/", "_", "$", "_").Replace(name)+" x.db")
		s := &session{Program: b.withDefaults(), cfg: config.Defaults(), dir: state.At(b.dir), secrets: &secrets{}}
		s.log, _, _ = logging{secrets: s.secrets}.open(s.Stderr)
		repo := &config.Repository{Path: filepath.Join(t.TempDir(), "x"), Service: name, Connection: name}
		if err := s.configure(name, map[string]string{"dialect": "sqlite", "path": file}, repo); err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		c := b.config()
		if got := c.Sources[name].Values["path"].Reveal(); got != file || len(c.Repositories) != 1 || c.Repositories[0] != *repo {
			t.Errorf("%q: %q, %+v", name, got, c.Repositories)
		}
	}
}
