package trees

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func TestParse_Remembers(t *testing.T) {
	const text = "SELECT a FROM remembered"
	first, err := Parse(sqltree.Postgres, text)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := Parse(sqltree.Postgres, "SELECT a"+text[len("SELECT a"):]); again != first {
		t.Error("an equal text is parsed again")
	}
	if other, _ := Parse(sqltree.SQLite, text); other == first {
		t.Error("the tree of one dialect is that of another")
	}
	for range 2 {
		if s, err := Parse(sqltree.Postgres, "SELECT a FROM"); err == nil || s != nil {
			t.Errorf("%v, %v, want an error", s, err)
		}
	}
}

// Placeholders of client libraries are nothing that PostgreSQL knows.
func TestParse_Strict(t *testing.T) {
	if _, err := Parse(sqltree.Postgres, "SELECT :name"); err == nil {
		t.Error("a placeholder is taken")
	}
}

func TestMemory_Bounds(t *testing.T) {
	var m memory
	put := func(i int) key {
		k := key{sqltree.Postgres, fmt.Sprintf("%d%s", i, strings.Repeat(" ", 1_000))}
		m.put(tree{k, &sqltree.Script{}})
		return k
	}
	used := put(0)
	unused := put(1)
	for i := range 2 * maxGeneration / 1_000 {
		put(i + 2)
		if m.find(used) == nil {
			t.Fatalf("what is asked for all the time is forgotten after %d others", i+1)
		}
		for _, generation := range []map[key]tree{m.young, m.old} {
			bytes := 0
			for k := range generation {
				bytes += len(k.text)
			}
			if bytes > maxGeneration {
				t.Fatalf("%d bytes in a generation", bytes)
			}
		}
	}
	if m.find(unused) != nil {
		t.Error("what nobody asks for is kept")
	}
}
