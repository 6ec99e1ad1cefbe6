package tools

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
)

// Without a single call everything can be searched that can be read, and what is
// indexed anew, too.
func TestWarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serve(t, searching(t, nil), shop(t), warehouse(t))
		w.register(registry.Entry{Name: "gone", Dialect: "mysql", Indexed: today, Generation: "g1"})
		w.register(registry.Entry{Name: "new", Dialect: "mysql"})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			w.sv.Warm(ctx)
			close(ended)
		}()
		found := func(word string) map[string]int {
			time.Sleep(3 * time.Second)
			synctest.Wait()
			a, err := w.sv.Lookup.Search(t.Context(), lookup.Question{Text: word})
			if err != nil {
				t.Fatal(err)
			}
			n := map[string]int{}
			for _, h := range a.Hits {
				n[h.Catalog.Connection]++
			}
			return n
		}
		if n := found("orders"); n["shop"] == 0 || n["warehouse"] == 0 {
			t.Errorf("hits %v", n)
		}
		for _, name := range []string{"shop", "warehouse"} {
			path, err := w.dir.Graph(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(catalog.PathOf(path)); err != nil {
				t.Fatal(err)
			}
			w.good("context", `{"db":"`+name+`","table":"orders"}`, nil) // it is in memory
		}
		again := indexed(t, "shop", sqltree.Postgres, "public", "create table zebras (id int primary key)")
		again.Generation = "g2"
		w.put(again)
		if n := found("zebras"); n["shop"] == 0 {
			t.Errorf("hits in what was indexed anew: %v", n)
		}
		if n := found("orders"); n["shop"] != 0 || n["warehouse"] == 0 {
			t.Errorf("hits in what was replaced: %v", n)
		}
		stop()
		<-ended
		w.session.Close()
	})
}

// Whatever its state, a service that has nothing to search warms and ends.
func TestWarm_Nothing(t *testing.T) {
	w := serve(t, nil)
	w.put(shop(t))
	if err := os.WriteFile(w.dir.Registry(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	w.sv.Warm(ctx)
}
