package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

// checks are the results of check as "name status", by connection.
func (b *bench) checks(code int, args ...string) map[string][]string {
	b.t.Helper()
	o := b.run(append([]string{"check", "--json"}, args...)...)
	var r struct {
		OK     bool      `json:"ok"`
		Checks []checked `json:"checks"`
	}
	if err := json.Unmarshal([]byte(o.out), &r); err != nil {
		b.t.Fatalf("%v in %q", err, o.out)
	}
	if o.code != code || r.OK != (code == exitOK) {
		b.t.Errorf("code %d, ok %t, want %d: %s", o.code, r.OK, code, o.out)
	}
	out := map[string][]string{}
	for _, c := range r.Checks {
		out[c.Connection] = append(out[c.Connection], c.Check+" "+c.Status)
	}
	return out
}

var wellOfAll = []string{"state directory ok", "keystore ok", "registry ok"}

var wellOfOne = []string{"connection string ok", "database ok", "graph ok", "catalog ok", "statistics ok", "snapshot ok", "age ok"}

// with is a list of results with others in the place of those of the same name.
func with(list []string, changed ...string) []string {
	out := append([]string{}, list...)
	for _, c := range changed {
		name := c[:strings.LastIndex(c, " ")+1]
		for i := range out {
			if strings.HasPrefix(out[i], name) {
				out[i] = c
			}
		}
	}
	return out
}

func TestCheck(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if diff := cmp.Diff(map[string][]string{"": {"state directory failed"}}, b.checks(exitFailed)); diff != "" {
		t.Errorf("without a state directory, -want +got\n%s", diff)
	}
	if _, err := os.Stat(b.dir); err == nil {
		t.Error("check made a state directory")
	}
	file := shop(t)
	b.run("index", file).want(t, exitOK, "", "")
	b.run("add", shop(t), "--name", "later").want(t, exitOK, "", "")
	want := map[string][]string{"": wellOfAll, "shop": wellOfOne, "later": {"connection string ok", "database ok", "index warning"}}
	if diff := cmp.Diff(want, b.checks(exitOK)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	delete(want, "later")
	if diff := cmp.Diff(want, b.checks(exitOK, "shop")); diff != "" {
		t.Errorf("of one, -want +got\n%s", diff)
	}
	b.run("check", "shop").want(t, exitOK, "✓ catalog: 3 tables, 8 columns\n✓ statistics: catalog: ", "")
	b.run("check", "shpo").want(t, exitFailed, `did you mean "shop"?`, "")
	b.run("check", "postgresql://a:hunter2@h/d").want(t, exitUsage, "", "a connection's name belongs there").silent(t)
	b.run("check", "a", "b").want(t, exitUsage, "", "at most").silent(t)
	b.keeps("hunter2")

	b.clock = b.clock.Add(30 * 24 * time.Hour)
	if diff := cmp.Diff(with(wellOfOne, "age warning"), b.checks(exitOK, "shop")["shop"]); diff != "" {
		t.Errorf("a month later, -want +got\n%s", diff)
	}
	b.run("check", "shop").want(t, exitOK, "more than 7 days\n    run: pretensor reindex shop", "")
}

// Each fault is found, and nothing else is taken for one.
func TestCheck_Faults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, b *bench, file, graph string)
		all   []string
		one   []string
	}{
		{"an open folder", func(t *testing.T, b *bench, _, _ string) { chmod(t, b.dir, 0o755) }, with(wellOfAll, "state directory failed"), wellOfOne},
		{"an open key", func(t *testing.T, b *bench, _, _ string) { chmod(t, filepath.Join(b.dir, "keystore"), 0o644) }, with(wellOfAll, "keystore failed"), wellOfOne},
		{"an open registry", func(t *testing.T, b *bench, _, _ string) { chmod(t, filepath.Join(b.dir, "registry.json"), 0o644) }, with(wellOfAll, "registry failed"), wellOfOne},
		{"no key", func(t *testing.T, b *bench, _, _ string) { remove(t, filepath.Join(b.dir, "keystore")) }, wellOfAll,
			append([]string{"connection string failed"}, wellOfOne[2:]...)},
		{"a damaged key", func(t *testing.T, b *bench, _, _ string) { write(t, filepath.Join(b.dir, "keystore"), "x") }, with(wellOfAll, "keystore failed"),
			append([]string{"connection string failed"}, wellOfOne[2:]...)},
		{"another key", func(t *testing.T, b *bench, _, _ string) {
			write(t, filepath.Join(b.dir, "keystore"), "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=\n")
		}, wellOfAll, append([]string{"connection string failed"}, wellOfOne[2:]...)},
		{"a damaged registry", func(t *testing.T, b *bench, _, _ string) { write(t, filepath.Join(b.dir, "registry.json"), "{") }, with(wellOfAll, "registry failed"), nil},
		{"the database is gone", func(t *testing.T, _ *bench, file, _ string) { remove(t, file) }, wellOfAll, with(wellOfOne, "database failed")},
		{"the graph is gone", func(t *testing.T, _ *bench, _, graph string) { remove(t, graph) }, wellOfAll, with(wellOfOne, "graph failed")},
		{"a damaged graph", func(t *testing.T, _ *bench, _, graph string) { write(t, graph, strings.Repeat("not a graph ", 1000)) }, wellOfAll, with(wellOfOne, "graph failed")},
		{"the catalog is gone", func(t *testing.T, _ *bench, _, graph string) { remove(t, catalog.PathOf(graph)) }, wellOfAll,
			[]string{"connection string ok", "database ok", "graph ok", "catalog failed", "snapshot ok", "age ok"}},
		{"a damaged catalog", func(t *testing.T, _ *bench, _, graph string) { write(t, catalog.PathOf(graph), "x") }, wellOfAll,
			[]string{"connection string ok", "database ok", "graph ok", "catalog failed", "snapshot ok", "age ok"}},
		{"the snapshot is gone", func(t *testing.T, b *bench, _, _ string) { remove(t, filepath.Join(b.dir, "snapshots", "shop.yaml")) }, wellOfAll, with(wellOfOne, "snapshot failed")},
		{"a damaged snapshot", func(t *testing.T, b *bench, _, _ string) {
			write(t, filepath.Join(b.dir, "snapshots", "shop.yaml"), "version: [")
		}, wellOfAll, with(wellOfOne, "snapshot failed")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			file := shop(t)
			b.run("index", file).want(t, exitOK, "", "")
			c.spoil(t, b, file, filepath.Join(b.dir, "graphs", "shop.kuzu"))
			want := map[string][]string{"": c.all}
			if c.one != nil {
				want["shop"] = c.one
			}
			if diff := cmp.Diff(want, b.checks(exitFailed)); diff != "" {
				t.Errorf("-want +got\n%s\n%s", diff, b.run("check").out)
			}
		})
	}
}

// A password is in no line of the doctor, whatever the driver says.
func TestCheck_Secrets(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("add", "postgresql://ann:hunter2@127.0.0.1:1/shop?sslpassword=swordfish").want(t, exitOK, "", "")
	if o := b.run("check").want(t, exitFailed, "✗ database: ", ""); strings.Count(o.out, "check that the server runs") != 1 {
		t.Errorf("the advice is not given once: %q", o.out)
	}
	b.run("check", "--json", "--log-level", "debug").want(t, exitFailed, `"check": "database"`, "")
	b.keeps("hunter2")
	b.keeps("swordfish")
}

// A database has a limited time to answer, and what its driver says of it is redacted.
func TestCheck_Live(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("add", "postgresql://ann:hunter2@db.example/shop").want(t, exitOK, "", "")
	b.Connect = func(ctx context.Context, d dsn.DSN) (connect.Connector, error) {
		if until, ok := ctx.Deadline(); !ok || time.Until(until) > connect.ConnectTimeout {
			t.Errorf("there is time until %v (%t)", until, ok)
		}
		return nil, fmt.Errorf("no answer from %s\nof any kind", d.String())
	}
	o := b.run("check").want(t, exitFailed, "✗ database: no answer from ", "")
	if !strings.Contains(o.out, "of any kind") {
		t.Errorf("%q", o.out)
	}
	b.run("check", "--json").want(t, exitFailed, "", "")
	b.keeps("hunter2")
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
