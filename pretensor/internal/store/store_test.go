package store

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// written makes a state directory with the connections given as name and database;
// those whose database is empty are registered and not indexed.
func written(t *testing.T, connections ...[2]string) (*Store, *registry.Store, *state.Dir) {
	t.Helper()
	dir := state.At(t.TempDir())
	if err := dir.Create(); err != nil {
		t.Fatal(err)
	}
	reg := registry.NewStore(dir, func(string) string { return "" })
	for _, c := range connections {
		put(t, reg, dir, c[0], c[1], "g1")
	}
	return New(dir, reg, Options{AliasSources: 1}), reg, dir
}

func put(t *testing.T, reg *registry.Store, dir *state.Dir, name, database, generation string) {
	t.Helper()
	e := registry.Entry{Name: name, Database: database, Dialect: "sqlite"}
	if database != "" {
		e.Indexed, e.Generation = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), generation
		b, err := catalog.Encode(&catalog.Data{
			Connection: name, Generation: generation, Tables: []model.Table{{Name: "t_" + generation}}, Facts: []catalog.Facts{{}},
		})
		if err != nil {
			t.Fatal(err)
		}
		path, err := dir.Graph(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(catalog.PathOf(path), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := reg.Update(context.Background(), func(r *registry.Registry) error { return r.Put(e) }); err != nil {
		t.Fatal(err)
	}
}

func TestChoose(t *testing.T) {
	s, _, _ := written(t, [2]string{"shop", "retail"}, [2]string{"Billing", "retail"}, [2]string{"crm", "people"}, [2]string{"new", ""})
	tests := []struct {
		argument, want, code string
		candidates           []string
	}{
		{argument: "shop", want: "shop"},
		{argument: "people", want: "crm"},
		{argument: "SHOP", want: "shop"},
		{argument: "PEOPLE", want: "crm"},
		{argument: "billing", want: "Billing"},
		{argument: "new", want: "new"},
		{argument: "retail", code: AmbiguousDatabase, candidates: []string{"Billing", "shop"}},
		{argument: "shpo", code: UnknownDatabase, candidates: []string{"Billing", "crm", "new", "shop"}},
		{argument: "", code: DatabaseRequired, candidates: []string{"Billing", "crm", "new", "shop"}},
	}
	for _, test := range tests {
		e, err := s.Choose(test.argument)
		if test.want != "" {
			if err != nil || e.Name != test.want {
				t.Errorf("Choose(%q) = %q, %v", test.argument, e.Name, err)
			}
			continue
		}
		var p *Problem
		if !errors.As(err, &p) || p.Code != test.code {
			t.Errorf("Choose(%q) = %q, %v", test.argument, e.Name, err)
			continue
		}
		if diff := cmp.Diff(test.candidates, p.Candidates); diff != "" {
			t.Errorf("candidates of %q, -want +got\n%s", test.argument, diff)
		}
	}
	empty, _, _ := written(t)
	var p *Problem
	if _, err := empty.Choose(""); !errors.As(err, &p) || p.Code != NoDatabases {
		t.Errorf("without connections: %v", err)
	}
	one, _, _ := written(t, [2]string{"only", "x"})
	if e, err := one.Choose(""); err != nil || e.Name != "only" {
		t.Errorf("the only connection: %q, %v", e.Name, err)
	}
}

func TestCatalog(t *testing.T) {
	s, reg, dir := written(t, [2]string{"shop", "retail"}, [2]string{"new", ""}, [2]string{"gone", "x"}, [2]string{"torn", "x"})
	path := func(name string) string {
		p, err := dir.Graph(name)
		if err != nil {
			t.Fatal(err)
		}
		return catalog.PathOf(p)
	}
	if err := errors.Join(os.Remove(path("gone")), os.WriteFile(path("torn"), []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	get := func(name string) (*catalog.Catalog, error) {
		e, err := s.Choose(name)
		if err != nil {
			t.Fatal(err)
		}
		return s.Catalog(e)
	}
	first, err := get("shop")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := get("shop"); again != first {
		t.Error("the catalog is loaded twice")
	}
	for name, code := range map[string]string{"new": GraphMissing, "gone": GraphMissing, "torn": GraphUnreadable} {
		var p *Problem
		if _, err := get(name); !errors.As(err, &p) || p.Code != code {
			t.Errorf("%s: %v, want %s", name, err, code)
		}
	}

	// A new index is seen, and what was loaded stays as it was.
	put(t, reg, dir, "shop", "retail", "g2")
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		c, err := get("shop")
		if err == nil && c.Generation == "g2" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the new index is not seen: %v", err)
		}
	}
	if first.Tables[0].Name != "t_g1" {
		t.Error("a loaded catalog changed")
	}
}

// A name that a shell would read as more is one word of the command that is suggested.
func TestCatalog_HintQuotesTheName(t *testing.T) {
	const name = "shop; touch $(id)'x"
	s, _, _ := written(t, [2]string{name, ""})
	e, err := s.Choose("")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Catalog(e)
	var p *Problem
	if !errors.As(err, &p) || p.Hint != `Run: pretensor index 'shop; touch $(id)'\''x'` {
		t.Errorf("got %+v", p)
	}
}
