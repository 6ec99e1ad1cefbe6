package lineage

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

// TestDocs_Examples traces the examples of the documentation.
func TestDocs_Examples(t *testing.T) {
	text, err := os.ReadFile("../../docs/explain/lineage.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```sql\n(.*?)```\n\n```json\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(examples) != 2 {
		t.Fatalf("%d examples, want 2", len(examples))
	}
	for _, x := range examples {
		var want Result
		if err := json.Unmarshal([]byte(x[2]), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&want, Trace(t.Context(), parsed(t, x[1], dialect.Postgres), dialect.Postgres)); diff != "" {
			t.Errorf("%s\n-want +got\n%s", x[1], diff)
		}
	}
}
