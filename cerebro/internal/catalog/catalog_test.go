package catalog_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/catalog"
	"github.com/quartet-mcp/quartet/cerebro/internal/config"
	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/route"
)

func demoFiles(t testing.TB) map[string][]byte {
	t.Helper()
	a, err := demo.MakeArtifacts()
	if err != nil {
		t.Fatal(err)
	}
	files := a.Files()
	f, err := demo.Files().Open("dbt_project.yml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(f); err != nil {
		t.Fatal(err)
	}
	files["dbt_project.yml"] = b.Bytes()
	return files
}

// folder writes a project's folder as dbt leaves it.
func folder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	return dir
}

func write(t testing.TB, dir, name string, text []byte) {
	t.Helper()
	file := filepath.Join(dir, "target", name)
	if name == "dbt_project.yml" {
		file = filepath.Join(dir, name)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func project(dir string) catalog.Options {
	return catalog.Options{Project: config.Project{Dir: dir, DefaultTier: "auto", Autoload: true, Refresh: time.Hour}, Semantic: true}
}

func TestLoad_Demo(t *testing.T) {
	c := catalog.New(catalog.Options{Demo: demoFiles(t), Semantic: true})
	if c.Current() != nil {
		t.Error("there is a snapshot before anything was read")
	}
	ch, err := c.Load(context.Background())
	if err != nil || !ch.Changed {
		t.Fatalf("%+v %v", ch, err)
	}
	s := ch.Snapshot
	executable := 0
	for _, m := range s.Layer.Metrics {
		if m.Executable {
			executable++
		}
	}
	if len(s.Layer.Metrics) != 34 || executable != 31 || s.Constants.Zone.String() != "Europe/Berlin" || s.Constants.Now(time.Now()) != demo.Today || len(s.Warnings) > 0 {
		t.Errorf("%d metrics, %d executable, %+v, %v", len(s.Layer.Metrics), executable, s.Constants, s.Warnings)
	}
	for _, f := range s.Layer.Findings {
		t.Errorf("%+v", f)
	}
	if r := s.Route.Route("revenue by region last month"); r.Way != route.Ready || r.Accepted[0].Metric.Name != "revenue" || r.Dimensions[0] != "region" || r.Range.Last != "1 month" {
		t.Errorf("%+v", r)
	}
	if again, err := c.Load(context.Background()); err != nil || again.Changed || again.Snapshot != s {
		t.Errorf("reading the same again: %+v %v", again, err)
	}
	off := catalog.New(catalog.Options{Demo: demoFiles(t)})
	if ch, err := off.Load(context.Background()); err != nil || ch.Snapshot.Layer != nil || ch.Snapshot.Route.Route("revenue").Way != route.Unavailable {
		t.Errorf("%+v %v", ch, err)
	}
}

// A manifest that dbt is still writing leaves the last good snapshot, and says so.
func TestFresh_CutOff(t *testing.T) {
	files := demoFiles(t)
	dir := folder(t, files)
	c := catalog.New(project(dir))
	first := c.Fresh(context.Background())
	if first == nil || c.Stale() != "" {
		t.Fatalf("%v %q", first, c.Stale())
	}
	for _, name := range []string{"manifest.json", "catalog.json", "semantic_manifest.json"} {
		for _, cut := range []int{0, 1, len(files[name]) / 2, len(files[name]) - 2} {
			write(t, dir, name, files[name][:cut])
			if s := c.Fresh(context.Background()); s != first {
				t.Errorf("%s cut at %d: another snapshot", name, cut)
			}
			if !strings.HasPrefix(c.Stale(), name+":") || strings.Contains(c.Stale(), dir) {
				t.Errorf("%s cut at %d: stale is %q", name, cut, c.Stale())
			}
		}
		write(t, dir, name, files[name])
		if s := c.Fresh(context.Background()); s != first || c.Stale() != "" {
			t.Errorf("%s whole again: another snapshot, or stale: %q", name, c.Stale())
		}
	}
	changed := bytes.Replace(files["semantic_manifest.json"], []byte(`"average_order_value"`), []byte(`"average_order_price"`), 1)
	write(t, dir, "semantic_manifest.json", changed)
	s := c.Fresh(context.Background())
	if s == first || s.Hash == first.Hash || c.Stale() != "" {
		t.Errorf("what changed was not read: %q", c.Stale())
	}
	if err := os.Remove(filepath.Join(dir, "target", "manifest.json")); err != nil {
		t.Fatal(err)
	}
	if c.Fresh(context.Background()) != s || c.Stale() != "manifest.json: there is none" {
		t.Errorf("stale is %q", c.Stale())
	}
}

// Without a semantic manifest the manifest's own semantic models count; without a catalog types are unknown.
func TestLoad_Without(t *testing.T) {
	files := demoFiles(t)
	delete(files, "semantic_manifest.json")
	delete(files, "catalog.json")
	delete(files, "run_results.json")
	c := catalog.New(project(folder(t, files)))
	ch, err := c.Load(context.Background())
	if err != nil || len(ch.Snapshot.Layer.Metrics) != 34 || ch.Snapshot.CatalogError == "" || ch.Snapshot.SemanticError != "" {
		t.Errorf("%+v %v", ch, err)
	}
	none := catalog.New(project(t.TempDir()))
	if _, err := none.Load(context.Background()); err == nil || none.Current() != nil || none.Stale() != "manifest.json: there is none" {
		t.Errorf("got %v, stale %q", err, none.Stale())
	}
	if none.Fresh(context.Background()) != nil {
		t.Error("there is a snapshot of nothing")
	}
}

func TestLoad_Constants(t *testing.T) {
	for text, want := range map[string]string{
		"vars:\n  cerebro:\n    time_zone: Mars/Olympus\n": `time_zone "Mars/Olympus" is not known`,
		"meta: {cerebro: {week_start: sunday}}":            `weeks start on Monday`,
		"meta: {cerebro: {today: soon}}":                   `today is "soon"`,
		"meta: {cerebro: {fiscal_year_start: april}}":      `fiscal_year_start`,
		"vars: [": "dbt_project.yml cannot be read",
		"name: x": "",
	} {
		files := demoFiles(t)
		files["dbt_project.yml"] = []byte(text)
		ch, err := catalog.New(project(folder(t, files))).Load(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ch.Snapshot.Warnings, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPoll(t *testing.T) {
	files := demoFiles(t)
	var mu sync.Mutex
	tag := "v1"
	var gets, heads atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("ETag", `"`+tag+`"`)
		if r.Method == http.MethodHead {
			heads.Add(1)
			if r.Header.Get("If-None-Match") == `"`+tag+`"` {
				w.WriteHeader(http.StatusNotModified)
			}
			return
		}
		gets.Add(1)
		_, _ = w.Write(files[strings.TrimPrefix(r.URL.Path, "/")])
	}))
	defer server.Close()
	c := catalog.New(catalog.Options{Semantic: true, Project: config.Project{
		ManifestURL: server.URL + "/manifest.json", SemanticURL: server.URL + "/semantic_manifest.json", DefaultTier: "auto", Refresh: 5 * time.Millisecond,
	}})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if _, err := c.Load(ctx); err != nil {
		t.Fatal(err)
	}
	first := c.Current()
	done := make(chan struct{})
	go func() { c.Poll(ctx); close(done) }()
	wait(t, func() bool { return heads.Load() > 6 })
	if gets.Load() != 2 {
		t.Errorf("%d readings of what did not change", gets.Load())
	}
	mu.Lock()
	tag = "v2"
	files["semantic_manifest.json"] = bytes.Replace(files["semantic_manifest.json"], []byte("average_order_value"), []byte("average_order_price"), 1)
	mu.Unlock()
	wait(t, func() bool { return c.Current() != first })
	server.Close()
	wait(t, func() bool { return c.Stale() != "" })
	if strings.Contains(c.Stale(), "127.0.0.1") || c.Current() == nil {
		t.Errorf("stale is %q", c.Stale())
	}
	stop()
	<-done
}

func wait(t *testing.T, until func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !until(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}
