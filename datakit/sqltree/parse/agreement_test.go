package parse

import (
	"os"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

// TestAgreement holds the tree of package generic against that of PostgreSQL's
// own grammar, node by node with every span, for statements of both. The two
// differ by intent in these: names that the grammar gives to calls with a syntax
// of their own (extract, btrim), paths and namespaces of JSON_TABLE and XMLTABLE,
// the digits of bit strings, and details of ALTER and of options.
func TestAgreement(t *testing.T) {
	b, err := os.ReadFile("testdata/agreement.sql")
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n----\n")
	if len(list) < 280 {
		t.Fatalf("only %d statements", len(list))
	}
	for _, text := range list {
		want, err := postgres.Parse(text)
		if err != nil {
			t.Errorf("postgres.Parse(%q): %v", text, err)
			continue
		}
		got, err := generic.Parse(sqltree.Postgres, text)
		if err != nil {
			t.Errorf("generic.Parse(%q): %v", text, err)
			continue
		}
		g, w := treetest.Lines(got), treetest.Lines(want)
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Errorf("trees of %q differ:\n%s\nwant\n%s", text, treetest.Dump(got), treetest.Dump(want))
				break
			}
		}
	}
}
