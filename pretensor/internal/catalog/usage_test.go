package catalog

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestConsumersOf(t *testing.T) {
	both := []Use{{Table: 1, Op: "write", Confidence: 0.8}, {Table: 1, Op: "read", Confidence: 0.8}}
	c := New(Data{
		Tables: []model.Table{table("public", "a", "id"), table("public", "b", "id"), table("public", "c", "id")},
		Facts:  make([]Facts, 3),
		Consumers: []Consumer{
			{ID: "1", Service: "api", File: "b.go", LineStart: 3, Confidence: 0.9, Uses: both},
			{ID: "2", Service: "api", File: "a.go", LineStart: 9, Uses: both[1:]},
			{ID: "3", Service: "zeta", File: "z.go", LineStart: 1, Uses: []Use{{Table: 1, Op: "read", Confidence: 0.95}, {Table: 0, Op: "read", Confidence: 0.5}}},
		},
	}, 0)
	for table, want := range [][]string{
		{"zeta z.go:1 read 0.5"},
		{"zeta z.go:1 read 0.95", "api a.go:9 read 0.8", "api b.go:3 read 0.8", "api b.go:3 write 0.8"},
		nil,
	} {
		var got []string
		for _, u := range c.ConsumersOf(table) {
			got = append(got, fmt.Sprintf("%s %s:%d %s %v", u.Service, u.File, u.LineStart, u.Op, u.Use.Confidence))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("uses of table %d, -want +got\n%s", table, diff)
		}
	}
}
