package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"pgregory.net/rapid"
)

// The test program is its own second process: with this variable it does what a
// test asks of it and ends.
const roleVariable = "REGISTRY_TEST_ROLE"

func TestMain(m *testing.M) {
	role, dir := os.Getenv(roleVariable), state.At(os.Getenv("REGISTRY_TEST_DIR"))
	if role == "" {
		os.Exit(m.Run())
	}
	if prefix, ok := strings.CutPrefix(role, "add "); ok {
		dir.LockWait = time.Minute
		if err := addMany(NewStore(dir, none), prefix); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Die before the step that the role names.
	dir.Files.Before = func(step state.Step, path string) error {
		if string(step) == role && path == dir.Registry() {
			p, _ := os.FindProcess(os.Getpid())
			p.Kill()
			select {}
		}
		return nil
	}
	NewStore(dir, none).Update(context.Background(), func(r *Registry) error {
		return r.Put(Entry{Name: "new", DSN: "sqlite:///new.db"})
	})
	os.Exit(3)
}

const perWriter = 10

// addMany adds connections one by one.
func addMany(s *Store, prefix string) error {
	for i := range perWriter {
		name := fmt.Sprintf("%s-%d", prefix, i)
		if err := s.Register(context.Background(), Entry{Name: name, DSN: keystore.Secret("sqlite:///" + name + ".db")}, false); err != nil {
			return err
		}
	}
	return nil
}

func process(role string, d *state.Dir) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), roleVariable+"="+role, "REGISTRY_TEST_DIR="+d.Path())
	return c
}

func none(string) string { return "" }

func newStore(t *testing.T) (*Store, *state.Dir) {
	t.Helper()
	d := state.At(filepath.Join(t.TempDir(), "s"))
	return NewStore(d, none), d
}

func put(t *testing.T, s *Store, entries ...Entry) {
	t.Helper()
	err := s.Update(t.Context(), func(r *Registry) error {
		for _, e := range entries {
			if err := r.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, s *Store) *Registry {
	t.Helper()
	r, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestStore_ShapeOfTheFile(t *testing.T) {
	s, d := newStore(t)
	put(t, s,
		Entry{Name: "shop", Database: "shopdb", Dialect: "postgresql", DSN: "postgresql://u:geheim@h/shopdb", GraphPath: "graphs/shop.kuzu",
			UnifiedGraphPath: "graphs/unified.kuzu", Indexed: time.Date(2026, 11, 21, 9, 12, 3, 0, time.FixedZone("", 3600)), Tables: 21, Description: "a <shop>",
			DBTManifest: "target/manifest.json", LLMEnriched: true, Generation: "g1", IndexOptions: json.RawMessage(`{"stats":"none"}`)},
		Entry{Name: "added", Dialect: "sqlite"},
	)
	text, err := os.ReadFile(d.Registry())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "geheim") {
		t.Error("the password is in the file")
	}
	token := read(t, s).entries["shop"].DSNEncrypted
	want := `{
  "version": 1,
  "entries": {
    "added": {
      "connection_name": "added",
      "database": "",
      "dsn": "",
      "dsn_encrypted": null,
      "graph_path": null,
      "unified_graph_path": null,
      "last_indexed_at": null,
      "dialect": "sqlite",
      "table_count": 0,
      "description": null,
      "dbt_manifest_path": null,
      "llm_enrichment_ran": false,
      "generation": null,
      "index_options": null
    },
    "shop": {
      "connection_name": "shop",
      "database": "shopdb",
      "dsn": "",
      "dsn_encrypted": "` + token + `",
      "graph_path": "graphs/shop.kuzu",
      "unified_graph_path": "graphs/unified.kuzu",
      "last_indexed_at": "2026-11-21T08:12:03Z",
      "dialect": "postgresql",
      "table_count": 21,
      "description": "a <shop>",
      "dbt_manifest_path": "target/manifest.json",
      "llm_enrichment_ran": true,
      "generation": "g1",
      "index_options": {
        "stats": "none"
      }
    }
  }
}
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if info, _ := os.Stat(d.Registry()); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o, want 600", info.Mode().Perm())
	}
	e, err := read(t, s).Get("shop")
	if err != nil {
		t.Fatal(err)
	}
	if dsn, err := s.DSN(e); err != nil || dsn.Reveal() != "postgresql://u:geheim@h/shopdb" {
		t.Errorf("DSN: %q, %v", dsn.Reveal(), err)
	}
}

func TestStore_RoundTrip(t *testing.T) {
	s, _ := newStore(t)
	text := rapid.StringMatching(`[ -~äß☃\n]{0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		var want []Entry
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9 .-]{1,12}`), 0, 5, rapid.ID).Draw(t, "names")
		slices.Sort(names)
		dsns := map[string]string{}
		for _, name := range names {
			if name == "unified" {
				continue
			}
			e := Entry{Name: name, Database: text.Draw(t, "database"), Dialect: text.Draw(t, "dialect"), GraphPath: text.Draw(t, "graph"),
				UnifiedGraphPath: text.Draw(t, "unified"), Tables: rapid.IntRange(0, 1<<40).Draw(t, "tables"), Description: text.Draw(t, "description"),
				DBTManifest: text.Draw(t, "manifest"), LLMEnriched: rapid.Bool().Draw(t, "llm"), Generation: text.Draw(t, "generation")}
			if at := rapid.Int64Range(0, 4e9).Draw(t, "indexed"); at > 0 {
				e.Indexed = time.Unix(at, rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC()
			}
			e.DSN = keystore.Secret(text.Draw(t, "dsn"))
			dsns[name] = e.DSN.Reveal()
			want = append(want, e)
		}
		err := s.Update(context.Background(), func(r *Registry) error {
			clear(r.entries)
			for _, e := range want {
				if err := r.Put(e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		got := r.All()
		for i := range got {
			if dsns[got[i].Name] != "" {
				dsn, err := s.DSN(got[i])
				if err != nil || dsn.Reveal() != dsns[got[i].Name] {
					t.Fatalf("DSN of %q: %v", got[i].Name, err)
				}
			}
			got[i].DSNEncrypted, want[i].DSN = "", ""
		}
		if len(want) == 0 {
			want = []Entry{}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestRead_FileOfAnOlderVersion(t *testing.T) {
	for name, head := range map[string]string{"version 1": `"version": 1,`, "no version": ""} {
		s, d := newStore(t)
		if err := d.Create(); err != nil {
			t.Fatal(err)
		}
		old := `{` + head + ` "entries": {"shop": {"connection_name": "shop", "database": "db", "dsn": "postgresql://u:geheim@h/db",
			"dsn_encrypted": null, "last_indexed_at": "2024-05-06T07:08:09.123456+00:00", "table_count": null, "something_old": [1]},
			"naive": {"last_indexed_at": "2024-05-06T07:08:09.5"}}}`
		if err := os.WriteFile(d.Registry(), []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && len(s.Warnings()) != 1 {
			t.Errorf("%s: no warning about mode 644", name)
		}
		r := read(t, s)
		e, err := r.Get("shop")
		if err != nil {
			t.Fatal(err)
		}
		if want := time.Date(2024, 5, 6, 7, 8, 9, 123456000, time.UTC); !e.Indexed.Equal(want) {
			t.Errorf("%s: indexed %s, want %s", name, e.Indexed, want)
		}
		if e, err := r.Get("naive"); err != nil || e.Indexed.Nanosecond() != 5e8 || e.Indexed.Location() != time.UTC {
			t.Errorf("%s: a time without a zone: %v, %v", name, e.Indexed, err)
		}
		if dsn, err := s.DSN(e); err != nil || dsn.Reveal() != "postgresql://u:geheim@h/db" {
			t.Errorf("%s: DSN %v", name, err)
		}
		if text, _ := os.ReadFile(d.Registry()); string(text) != old {
			t.Errorf("%s: reading changed the file", name)
		}
		// Any write encrypts, also one that is about something else.
		put(t, s, Entry{Name: "other"})
		text, _ := os.ReadFile(d.Registry())
		if strings.Contains(string(text), "geheim") {
			t.Errorf("%s: the password is still in the file", name)
		}
		e, err = read(t, s).Get("shop")
		if err != nil || e.DSN != "" {
			t.Errorf("%s: entry after the write: %v, %v", name, e, err)
		}
		if dsn, err := s.DSN(e); err != nil || dsn.Reveal() != "postgresql://u:geheim@h/db" {
			t.Errorf("%s: DSN after the write: %v", name, err)
		}
		if w := s.Warnings(); len(w) != 0 {
			t.Errorf("%s: warnings after the write: %q", name, w)
		}
	}
}

func TestUpdate_EqualContentIsNotWritten(t *testing.T) {
	s, d := newStore(t)
	put(t, s, Entry{Name: "shop", DSN: "sqlite:///a.db"})
	before, _ := os.Stat(d.Registry())
	put(t, s)
	after, _ := os.Stat(d.Registry())
	if !os.SameFile(before, after) {
		t.Error("the file was written again, which makes servers reload")
	}
}

func TestParse_Refused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want error
		says []string
	}{
		"empty":           {"", ErrCorrupt, []string{"backup", "pretensor add"}},
		"cut":             {"{\n\"version\": 1,\n\"entries\": {\"shop\": {\"dsn\": \"geheim", ErrCorrupt, []string{"not valid JSON at line 3"}},
		"binary":          {"\x00\x01geheim", ErrCorrupt, []string{"line 1"}},
		"wrong type":      {"{\"version\":1,\n\"entries\":{\"a\":{\"table_count\":\"geheim\"}}}", ErrCorrupt, []string{"wrong type at line 2"}},
		"no entries":      {`{"version":1}`, ErrCorrupt, []string{`no "entries"`}},
		"null entries":    {`{"version":1,"entries":null}`, ErrCorrupt, nil},
		"a list":          {`[]`, ErrCorrupt, nil},
		"a bad time":      {`{"version":1,"entries":{"a":{"last_indexed_at":"geheim"}}}`, ErrCorrupt, []string{`last_indexed_at of "a"`}},
		"an unnamed":      {`{"version":1,"entries":{"":{}}}`, ErrCorrupt, nil},
		"a negative":      {`{"version":1,"entries":{"a":{"table_count":-1}}}`, ErrCorrupt, nil},
		"a future one":    {`{"version":2,"entries":[]}`, ErrNewer, []string{"format 2", "up to 1", "newer pretensor"}},
		"a second value":  {`{"version":1,"entries":{}} {}`, ErrCorrupt, nil},
		"a float version": {`{"version":1.5,"entries":{}}`, ErrCorrupt, nil},
	} {
		r, err := Parse([]byte(c.text))
		if r != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
			continue
		}
		for _, want := range c.says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not say %q", name, err, want)
			}
		}
		if strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: error %q shows what is in the file", name, err)
		}
	}
	if r, err := Parse([]byte(`{"version":1,"entries":{}}`)); err != nil || r.Len() != 0 {
		t.Errorf("an empty registry: %v", err)
	}
}

func TestUpdate_DamagedFileStays(t *testing.T) {
	s, d := newStore(t)
	if err := d.Create(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"{damaged", `{"version": 9}`} {
		if err := os.WriteFile(d.Registry(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.Register(t.Context(), Entry{Name: "a", DSN: "x"}, true); err == nil {
			t.Errorf("%s: no error", text)
		}
		if got, _ := os.ReadFile(d.Registry()); string(got) != text {
			t.Errorf("%s: was overwritten", text)
		}
	}
}

func TestDSN_WrongKey(t *testing.T) {
	s, d := newStore(t)
	put(t, s, Entry{Name: "shop", DSN: "postgresql://u:geheim@h/db"})
	e, err := read(t, s).Get("shop")
	if err != nil {
		t.Fatal(err)
	}
	other := keystore.Generate().Text().Reveal()
	for name, c := range map[string]struct {
		prepare func() error
		want    error
	}{
		"another key file": {func() error { return os.WriteFile(d.Keystore(), []byte(other+"\n"), 0o600) }, keystore.ErrMismatch},
		"no key file":      {func() error { return os.Remove(d.Keystore()) }, keystore.ErrNoKey},
	} {
		if err := c.prepare(); err != nil {
			t.Fatal(err)
		}
		_, err := s.DSN(e)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), `pretensor add DSN --name shop`) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := s.DSN(Entry{Name: "bare"}); err == nil {
		t.Error("an entry without a connection string: no error")
	}
}

func TestStore_KeyFromTheEnvironment(t *testing.T) {
	_, d := newStore(t)
	key := keystore.Generate().Text().Reveal()
	s := NewStore(d, func(name string) string { return map[string]string{keystore.Variable: key}[name] })
	put(t, s, Entry{Name: "shop", DSN: "sqlite:///a.db"})
	if _, err := os.Stat(d.Keystore()); err == nil {
		t.Error("a key file was written although the environment has a key")
	}
	e, _ := read(t, s).Get("shop")
	if dsn, err := s.DSN(e); err != nil || dsn.Reveal() != "sqlite:///a.db" {
		t.Errorf("DSN: %v", err)
	}
}

func TestGet_Unknown(t *testing.T) {
	s, _ := newStore(t)
	if _, err := read(t, s).Get("shop"); err == nil || !strings.Contains(err.Error(), "none yet") {
		t.Errorf("without connections: %v", err)
	}
	put(t, s, Entry{Name: "shop"}, Entry{Name: "shop2"}, Entry{Name: "billing"})
	r := read(t, s)
	_, err := r.Get("shpo")
	var unknown *UnknownError
	if !errors.As(err, &unknown) || !slices.Equal(unknown.Candidates, []string{"shop", "shop2"}) {
		t.Errorf("near: %v", err)
	}
	if want := `no connection "shpo"; did you mean "shop" or "shop2"?`; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if err := r.Remove("warehouse"); err == nil || !strings.Contains(err.Error(), "pretensor list") {
		t.Errorf("far: %v", err)
	}
	if err := r.Remove("billing"); err != nil || !slices.Equal(r.Names(), []string{"shop", "shop2"}) {
		t.Errorf("after removal: %v, %v", err, r.Names())
	}
}

func TestPut_NamesThatShareFiles(t *testing.T) {
	s, _ := newStore(t)
	put(t, s, Entry{Name: "eu/shop"})
	err := s.Update(t.Context(), func(r *Registry) error { return r.Put(Entry{Name: "eu_shop"}) })
	if err == nil || !strings.Contains(err.Error(), `"eu/shop"`) {
		t.Errorf("error %v", err)
	}
}

func TestRegister(t *testing.T) {
	s, _ := newStore(t)
	if err := s.Register(t.Context(), Entry{Name: "shop", DSN: "a", Generation: "g1"}, false); err != nil {
		t.Fatal(err)
	}
	if err := s.Register(t.Context(), Entry{Name: "shop", DSN: "a", Description: "d"}, false); err != nil {
		t.Fatal(err)
	}
	if e, _ := read(t, s).Get("shop"); e.Generation != "g1" || e.Description != "d" {
		t.Errorf("the same again: %+v", e)
	}
	err := s.Register(t.Context(), Entry{Name: "shop", DSN: "b"}, false)
	if !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "--name") {
		t.Errorf("another database under the name: %v", err)
	}
	if err := s.Register(t.Context(), Entry{Name: "shop", DSN: "b"}, true); err != nil {
		t.Fatal(err)
	}
	e, _ := read(t, s).Get("shop")
	if dsn, err := s.DSN(e); err != nil || dsn.Reveal() != "b" || e.Generation != "" {
		t.Errorf("replaced: %v, %+v", err, e)
	}
}

func TestUpdate_KilledAtEachStep(t *testing.T) {
	for _, step := range []state.Step{state.StepCreate, state.StepWrite, state.StepSync, state.StepRename, state.StepSyncDir} {
		s, d := newStore(t)
		put(t, s, Entry{Name: "old", DSN: "sqlite:///old.db"})
		before, _ := os.ReadFile(d.Registry())
		if out, err := process(string(step), d).CombinedOutput(); err == nil || strings.Contains(err.Error(), "exit status 3") {
			t.Fatalf("%s: the process was not killed: %v %s", step, err, out)
		}
		after, _ := os.ReadFile(d.Registry())
		want := []string{"old"}
		if step == state.StepSyncDir {
			want = []string{"new", "old"}
		} else if string(after) != string(before) {
			t.Errorf("%s: the file changed", step)
		}
		r := read(t, s)
		if got := r.Names(); !slices.Equal(got, want) {
			t.Errorf("%s: connections %v, want %v", step, got, want)
		}
		for _, e := range r.All() {
			if dsn, err := s.DSN(e); err != nil || dsn.Reveal() != "sqlite:///"+e.Name+".db" {
				t.Errorf("%s: DSN of %s: %v", step, e.Name, err)
			}
		}
		// The next writer is not held up by the dead one.
		put(t, s, Entry{Name: "next"})
	}
}

func TestUpdate_FaultLeavesTheOldFile(t *testing.T) {
	broken := errors.New("no space left")
	for _, step := range []state.Step{state.StepCreate, state.StepWrite, state.StepSync, state.StepRename} {
		s, d := newStore(t)
		put(t, s, Entry{Name: "old"})
		before, _ := os.ReadFile(d.Registry())
		d.Files.Before = func(st state.Step, _ string) error {
			if st == step {
				return broken
			}
			return nil
		}
		err := s.Update(t.Context(), func(r *Registry) error { return r.Put(Entry{Name: "new"}) })
		if !errors.Is(err, broken) {
			t.Errorf("%s: error %v", step, err)
		}
		if after, _ := os.ReadFile(d.Registry()); string(after) != string(before) {
			t.Errorf("%s: the file changed", step)
		}
	}
}

func TestUpdate_GoroutinesAndProcesses(t *testing.T) {
	s, d := newStore(t)
	d.LockWait = time.Minute
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if out, err := process(fmt.Sprintf("add p%d", i), d).CombinedOutput(); err != nil {
				t.Errorf("%v %s", err, out)
			}
		})
	}
	for i := range 8 {
		wg.Go(func() {
			if err := addMany(s, fmt.Sprintf("g%d", i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	r := read(t, s)
	if r.Len() != 11*perWriter {
		t.Errorf("%d connections, want %d", r.Len(), 11*perWriter)
	}
	for _, e := range r.All() {
		if dsn, err := s.DSN(e); err != nil || dsn.Reveal() != "sqlite:///"+e.Name+".db" {
			t.Fatalf("DSN of %s: %v", e.Name, err)
		}
	}
}

func TestWatcher(t *testing.T) {
	s, d := newStore(t)
	now := time.Unix(1000, 0)
	w := s.Watch()
	w.now = func() time.Time { return now }
	current := func(after time.Duration) (*Registry, error) {
		t.Helper()
		now = now.Add(after)
		return w.Current()
	}
	r0, err := current(0)
	if err != nil || r0.Len() != 0 {
		t.Fatalf("without a file: %v", err)
	}
	put(t, s, Entry{Name: "a"})
	if r, _ := current(999 * time.Millisecond); r != r0 {
		t.Error("looked again within a second")
	}
	r1, err := current(time.Millisecond)
	if err != nil || r1.Len() != 1 {
		t.Fatalf("after a second: %v", err)
	}
	if r, _ := current(time.Hour); r != r1 {
		t.Error("read again although nothing changed")
	}
	// Another file of the same size and time is seen as well.
	info, _ := os.Stat(d.Registry())
	text, _ := os.ReadFile(d.Registry())
	if err := d.Files.Write(d.Registry(), []byte(strings.ReplaceAll(string(text), `"a"`, `"b"`)), state.FileMode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(d.Registry(), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	r2, err := current(time.Second)
	if err != nil || !slices.Equal(r2.Names(), []string{"b"}) {
		t.Fatalf("after a replacement: %v, %v", r2.Names(), err)
	}
	// A file that cannot be read leaves the last good one in use.
	good, _ := os.ReadFile(d.Registry())
	os.WriteFile(d.Registry(), []byte("{"), 0o600)
	if r, err := current(time.Second); r != r2 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("damaged: %v", err)
	}
	if r, err := current(time.Second); r != r2 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("still damaged: %v", err)
	}
	os.WriteFile(d.Registry(), good, 0o600)
	if r, err := current(time.Second); err != nil || !slices.Equal(r.Names(), []string{"b"}) {
		t.Errorf("repaired: %v", err)
	}
	os.Remove(d.Registry())
	if r, err := current(time.Second); err != nil || r.Len() != 0 {
		t.Errorf("removed: %v", err)
	}
}

func FuzzParse_RegistryRoundTrip(f *testing.F) {
	f.Add([]byte(`{"version":1,"entries":{"a":{"dsn":"x","last_indexed_at":"2024-05-06T07:08:09Z","index_options":{"a":[1]}}}}`))
	f.Add([]byte(`{"entries":{"a":{}}}`))
	f.Add([]byte(`{"version":2}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrNewer) {
				t.Fatalf("error %v", err)
			}
			return
		}
		for name, e := range r.entries {
			e.DSN = ""
			r.entries[name] = e
		}
		first, err := r.text()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(first)
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, first)
		}
		if second, err := again.text(); err != nil || string(second) != string(first) {
			t.Fatalf("written again it differs: %v\n%s\n%s", err, first, second)
		}
	})
}
