package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

func TestQuickstart_Demo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Command = func(context.Context, string, ...string) ([]byte, error) {
		t.Error("quickstart needs another program")
		return nil, errors.New("none")
	}
	o := b.run("quickstart").want(t, exitOK, "tables 24", "introspection")
	for _, q := range questions {
		if !strings.Contains(o.out, q) {
			t.Errorf("no question %q", q)
		}
	}
	dir, err := filepath.Abs(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	_, config, _ := strings.Cut(o.out, "{")
	var snippet struct {
		MCPServers map[string]struct{ Args []string }
	}
	if err := json.Unmarshal([]byte("{"+config), &snippet); err != nil || strings.Join(snippet.MCPServers["pretensor"].Args, " ") != "serve --state-dir "+dir {
		t.Errorf("%v, %+v", err, snippet)
	}
	check := func() {
		t.Helper()
		data, err := index.Load(state.At(b.dir), "demo")
		if err != nil {
			t.Fatal(err)
		}
		if len(data.Metrics) != 4 || len(data.Scans) != 4 || len(data.Consumers) < 8 {
			t.Errorf("%d metrics, %d scans, %d consumers", len(data.Metrics), len(data.Scans), len(data.Consumers))
		}
		for _, m := range data.Metrics {
			if !m.Valid || m.SQL == "" || len(m.Uses) == 0 {
				t.Errorf("metric %+v", m)
			}
		}
		services := map[string]bool{}
		for _, c := range data.Consumers {
			services[c.Service] = true
		}
		if !services["billing"] || !services["orders"] || !services["web"] {
			t.Errorf("services %v", services)
		}
	}
	check()
	b.run("quickstart", "--json").want(t, exitOK, `"questions"`, "")
	check()
	generation := b.entry("demo").Generation
	if err := index.Save(t.Context(), state.At(b.dir), registry.NewStore(state.At(b.dir), b.getenv), "demo", "x", func(d *catalog.Data) error {
		d.Consumers[0].Fingerprint, d.Metrics = "old", d.Metrics[1:]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if b.entry("demo").Generation == generation {
		t.Fatal("nothing was changed")
	}
	b.run("quickstart").want(t, exitOK, "tables 24", "")
	check()
	data, err := index.Load(state.At(b.dir), "demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range data.Consumers {
		if c.Fingerprint == "old" {
			t.Errorf("%+v was not replaced", c)
		}
	}
	var all map[string]any
	if err := json.Unmarshal([]byte(b.all[2]), &all); err != nil {
		t.Error(err)
	}
	b.run("reindex", "demo").want(t, exitOK, "No structural changes", "")
	check()
}

// The demonstration of a folder that has moved is replaced, somebody's own database
// of the name is not.
func TestQuickstart_Name(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	old := filepath.Join(t.TempDir(), "demo", "shop.db")
	b.run("add", old, "--name", "demo").want(t, exitOK, "", "")
	b.run("quickstart", "--no-embeddings").want(t, exitOK, "tables 24", "")
	b.run("remove", "demo")
	b.run("add", shop(t), "--name", "demo").want(t, exitOK, "", "")
	b.run("quickstart").want(t, exitFailed, "", "try: pretensor quickstart").silent(t)
}

func TestQuickstart_Usage(t *testing.T) {
	b := newBench(t)
	b.run("quickstart", "--no-docker").want(t, exitUsage, "", "--postgres").silent(t)
	b.run("quickstart", "--down", "--no-docker", "--postgres").want(t, exitUsage, "", "exclude").silent(t)
	b.run("quickstart", "--embeddings", "--no-embeddings").want(t, exitUsage, "", "exclude").silent(t)
}

func TestQuickstart_WithoutDocker(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Command = func(context.Context, string, ...string) ([]byte, error) {
		return nil, errors.New("cannot reach the docker daemon")
	}
	b.run("quickstart", "--postgres").want(t, exitFailed, "", "needs docker").want(t, exitFailed, "", "pretensor quickstart --state-dir").silent(t)
	b.run("quickstart", "--down").want(t, exitFailed, "", "docker").silent(t)
}

// A real PostgreSQL stands in for the container: what is asked of docker, and that the
// shop is loaded twice without harm.
func TestQuickstart_Postgres(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	execute(t, "pgx", u.String(), "CREATE DATABASE pagila")
	defer execute(t, "pgx", u.String(), "DROP DATABASE pagila WITH (FORCE)")
	b := newBench(t)
	b.RentalAddress = u.Host
	var asked []string
	password, running := "", false
	b.Command = func(_ context.Context, program string, args ...string) ([]byte, error) {
		asked = append(asked, program+" "+args[0])
		switch args[0] {
		case "inspect":
			if !running {
				return nil, errors.New("no such object")
			}
			return []byte("true\n"), nil
		case "run":
			running = true
			for _, a := range args {
				if p, ok := strings.CutPrefix(a, "POSTGRES_PASSWORD="); ok {
					password = p
				}
			}
			if !slices.Contains(args, u.Host+":5432") {
				t.Errorf("the port is not bound to loopback: %q", args)
			}
		case "rm":
			running = false
		}
		return nil, nil
	}
	b.run("quickstart", "--postgres").want(t, exitOK, "tables 9", "introspection").want(t, exitOK, rentalQuestions[0], "")
	if want := []string{"docker version", "docker inspect", "docker run"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	b.run("list").want(t, exitOK, "pagila  postgresql  db=pagila  tables=9", "")
	asked = nil
	b.run("quickstart", "--postgres").want(t, exitOK, "tables 9", "") // runs already
	if want := []string{"docker version", "docker inspect"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	b.run("quickstart", "--postgres", "--no-docker").want(t, exitOK, "tables 9", "")
	if password == "" {
		t.Error("the container has no password")
	}
	b.keeps(password)
	b.run("quickstart", "--down").want(t, exitOK, "removed pagila", "")
	b.run("list", "--json").want(t, exitOK, "[]", "")
	b.run("add", "postgresql://ann@db.example.com/pagila").want(t, exitOK, "", "")
	b.run("quickstart", "--postgres").want(t, exitFailed, "", "--name").silent(t) // somebody's own
	b.run("quickstart", "--down").want(t, exitOK, "deleted", "")
	b.run("list").want(t, exitOK, "pagila", "")
}

func TestQuickstart_PostgresDoesNotAnswer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close() // nobody listens there now
	b := newBench(t)
	b.RentalAddress, b.RentalWait = address, 300*time.Millisecond
	b.env["PGPASSWORD"] = "hunter2"
	b.run("quickstart", "--postgres", "--no-docker").want(t, exitFailed, "", "start a PostgreSQL on "+address).silent(t)
	b.keeps("hunter2")
}
