package cluster

import (
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/roles"
)

func TestNamer(t *testing.T) {
	rows := func(n int64) *int64 { return &n }
	tables := []Table{
		{Schema: "shop", Name: "order_items", Role: roles.Junction},
		{Schema: "shop", Name: "orders", Role: roles.Fact, Rows: rows(1_000)},
		{Schema: "shop", Name: "dim_customer", Role: roles.Dimension},
		{Schema: "", Name: "log_2024"},
		{Schema: "shop", Name: "Überweisung"},
	}
	n := NewNamer(tables, []Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 1, To: 1}})
	for _, test := range []struct {
		members            []int
		label, description string
	}{
		{[]int{0, 1, 2}, "shop.orders · Order (3 tables)", "3 tables around orders and order_items; 1 fact, 1 dimension"},
		{[]int{0, 2}, "shop.dim_customer · Customer (2 tables)", "2 tables around order_items and dim_customer; 1 dimension"},
		{[]int{3}, "log_2024", "1 table"},
		{[]int{3, 4}, "log_2024 · Überweisung (2 tables)", "2 tables around log_2024 and Überweisung"},
	} {
		if label, description := n.Name(test.members); label != test.label || description != test.description {
			t.Errorf("Name(%v) = %q, %q, want %q, %q", test.members, label, description, test.label, test.description)
		}
	}
}

func TestEntityName(t *testing.T) {
	for table, want := range map[string]string{"stg_order_items": "OrderItem", "log_2024": "", "élèves": "Élève"} {
		if got := EntityName(table); got != want {
			t.Errorf("EntityName(%q) = %q, want %q", table, got, want)
		}
	}
}

// Shape says of the clusters that Find returns what Find says.
func TestShape(t *testing.T) {
	edges := append(append(clique(0, 1, 2), clique(3, 4, 5, 6)...), Edge{From: 2, To: 3, Inferred: true, Confidence: 0.6}, Edge{From: 4, To: 4})
	tables := make([]Table, 7)
	for i := range tables {
		tables[i].Role = []roles.Role{roles.Fact, roles.Dimension}[i%2]
	}
	for _, c := range Find(tables, edges, Options{}) {
		in := map[int]bool{}
		for _, m := range c.Tables {
			in[m] = true
		}
		var inside []Edge
		for _, e := range edges {
			if in[e.From] && in[e.To] {
				inside = append(inside, e)
			}
		}
		if cohesion, pattern := Shape(tables, c.Tables, inside); cohesion != c.Cohesion || pattern != c.Pattern {
			t.Errorf("Shape(%v) = %v, %v, want %v, %v", c.Tables, cohesion, pattern, c.Cohesion, c.Pattern)
		}
	}
}
