package paths

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// schema is a graph in words: "orders.customer_id > customers.id" is a declared key,
// "a.x ~0.25 b.y" an inferred join, "(a,b)" several columns.
type schema struct {
	names []string
	edges []Edge
	graph *Graph
}

func read(tb testing.TB, text string) *schema {
	tb.Helper()
	s := &schema{}
	type half struct{ from, to, mark, left, right string }
	var halves []half
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) != 3 {
			tb.Fatalf("line %q", line)
		}
		from, left, _ := strings.Cut(f[0], ".")
		to, right, _ := strings.Cut(f[2], ".")
		halves = append(halves, half{from, to, f[1], left, right})
		s.names = append(s.names, from, to)
	}
	slices.Sort(s.names)
	s.names = slices.Compact(s.names)
	columns := func(c string) []string { return strings.Split(strings.Trim(c, "()"), ",") }
	for _, h := range halves {
		e := Edge{From: s.id(tb, h.from), To: s.id(tb, h.to), FromColumns: columns(h.left), ToColumns: columns(h.right)}
		if h.mark != ">" {
			e.Inferred = true
			if _, err := fmt.Sscanf(h.mark, "~%g", &e.Confidence); err != nil {
				tb.Fatal(err)
			}
		}
		s.edges = append(s.edges, e)
	}
	s.graph = New(len(s.names), s.edges)
	return s
}

func (s *schema) id(tb testing.TB, name string) int {
	tb.Helper()
	i, ok := slices.BinarySearch(s.names, name)
	if !ok {
		tb.Fatalf("no table %s", name)
	}
	return i
}

func (s *schema) search(tb testing.TB, from, to string, top int, l Limits) []Path {
	tb.Helper()
	r, err := s.graph.Search(context.Background(), s.id(tb, from), s.id(tb, to), top, l)
	if err != nil {
		tb.Fatal(err)
	}
	return r.Paths
}

// told are paths in words: their tables, with the columns where there is a choice,
// the cost, and what is said of them.
func (s *schema) told(paths []Path) []string {
	out := []string{}
	for _, p := range paths {
		var b strings.Builder
		b.WriteString(s.names[p.Steps[0].From])
		for _, st := range p.Steps {
			e := s.edges[st.Edge]
			mark := "="
			if e.Inferred {
				mark = "~"
			}
			fmt.Fprintf(&b, " %s(%s) %s", mark, strings.Join(e.FromColumns, ","), s.names[st.To])
		}
		fmt.Fprintf(&b, " %.4g", p.Cost)
		for _, f := range []struct {
			on   bool
			name string
		}{{p.Ambiguous, "ambiguous"}, {p.Promoted, "promoted"}, {p.FanOut, "fans"}} {
			if f.on {
				b.WriteString(" " + f.name)
			}
		}
		out = append(out, b.String())
	}
	return out
}

const tpch = `
nation.regionkey > region.regionkey
supplier.nationkey > nation.nationkey
customer.nationkey > nation.nationkey
partsupp.partkey > part.partkey
partsupp.suppkey > supplier.suppkey
orders.custkey > customer.custkey
lineitem.orderkey > orders.orderkey
lineitem.(partkey,suppkey) > partsupp.(partkey,suppkey)
`

const bikes = `
offerproduct.productid > product.productid
orderdetail.(offerid,productid) > offerproduct.(offerid,productid)
orderdetail.salesorderid > orderheader.salesorderid
orderheader.customerid > customer.customerid
orderheader.salespersonid > salesperson.partyid
salesperson.partyid > employee.partyid
employee.partyid > person.partyid
customer.personid > person.partyid
`

const warehouse = `
store_sales.customer_sk > customer.customer_sk
store_sales.sold_date_sk > date_dim.date_sk
store_sales.item_sk > item.item_sk
store_returns.customer_sk > customer.customer_sk
store_returns.returned_date_sk > date_dim.date_sk
store_returns.(item_sk,ticket_number) > store_sales.(item_sk,ticket_number)
web_sales.bill_customer_sk > customer.customer_sk
web_sales.sold_date_sk > date_dim.date_sk
`

const rental = `
film_actor.actor_id > actor.actor_id
film_actor.film_id > film.film_id
inventory.film_id > film.film_id
rental.inventory_id > inventory.inventory_id
rental.customer_id > customer.customer_id
payment.rental_id > rental.rental_id
payment.customer_id > customer.customer_id
film.note_id ~0.25 customer.note_id
`

func TestSearch_Pinned(t *testing.T) {
	tests := []struct {
		name, schema, from, to string
		top                    int
		limits                 Limits
		want                   []string
	}{
		{"lineitem to customer", tpch, "lineitem", "customer", 1, Limits{}, []string{"lineitem =(orderkey) orders =(custkey) customer 2"}},
		{"part to customer over a key of two columns", tpch, "part", "customer", 1, Limits{},
			[]string{"part =(partkey) partsupp =(partkey,suppkey) lineitem =(orderkey) orders =(custkey) customer 4 fans"}},
		{"supplier to nation", tpch, "supplier", "nation", 1, Limits{}, []string{"supplier =(nationkey) nation 1"}},
		{"product to customer", bikes, "product", "customer", 1, Limits{},
			[]string{"product =(productid) offerproduct =(offerid,productid) orderdetail =(salesorderid) orderheader =(customerid) customer 4 fans"}},
		{"employee to orders over salesperson", bikes, "employee", "orderheader", 1, Limits{},
			[]string{"employee =(partyid) salesperson =(salespersonid) orderheader 2 fans"}},
		{"person to product: nothing within 4", bikes, "person", "product", 3, Limits{}, []string{}},
		{"person to product at 5", bikes, "person", "product", 1, Limits{Depth: 5},
			[]string{"person =(personid) customer =(customerid) orderheader =(salesorderid) orderdetail =(offerid,productid) offerproduct =(productid) product 5 fans"}},
		{"store_sales to customer, direct first", warehouse, "store_sales", "customer", 3, Limits{}, []string{
			"store_sales =(customer_sk) customer 1",
			"store_sales =(item_sk,ticket_number) store_returns =(customer_sk) customer 2 fans",
			"store_sales =(sold_date_sk) date_dim =(returned_date_sk) store_returns =(customer_sk) customer 3.25 ambiguous fans"}},
		{"film to customer promoted", rental, "film", "customer", 3, Limits{}, []string{
			"film =(film_id) inventory =(inventory_id) rental =(customer_id) customer 3 promoted fans",
			"film ~(note_id) customer 2.95",
			"film =(film_id) inventory =(inventory_id) rental =(rental_id) payment =(customer_id) customer 4 fans"}},
		{"without the key of rental and payment the inferred one appears", strings.ReplaceAll(strings.ReplaceAll(rental, "rental.customer_id > customer.customer_id", ""), "payment.customer_id > customer.customer_id", ""),
			"film", "customer", 3, Limits{}, []string{"film ~(note_id) customer 2.95"}},
		{"diamond", "a.b > b.id\na.c > c.id\nb.d > d.id\nc.d > d.id", "a", "d", 3, Limits{}, []string{
			"a =(b) b =(d) d 2 ambiguous", "a =(c) c =(d) d 2 ambiguous"}},
		{"diamond, the tie at the border", "a.b > b.id\na.c > c.id\nb.d > d.id\nc.d > d.id", "a", "d", 1, Limits{}, []string{"a =(b) b =(d) d 2 ambiguous"}},
		{"chain", "a.b > b.id\nb.c > c.id", "a", "c", 3, Limits{}, []string{"a =(b) b =(c) c 2"}},
		{"two keys between two tables", "orders.ship_id > addresses.id\norders.bill_id > addresses.id", "orders", "addresses", 3, Limits{}, []string{
			"orders =(bill_id) addresses 1 ambiguous", "orders =(ship_id) addresses 1 ambiguous"}},
		{"siblings over a parent cost more", "a.p > parent.id\nb.p > parent.id", "a", "b", 1, Limits{}, []string{"a =(p) parent =(p) b 2.25 fans"}},
		{"a missing confidence is 0.5", "a.x ~0 b.y", "a", "b", 1, Limits{}, []string{"a ~(x) b 2.7"}},
		{"no inferred steps", "a.x ~0.9 b.y\na.b > m.id\nn.m > m.id\nn.b > b.id", "a", "b", 3, Limits{Inferred: -1}, []string{"a =(b) m =(m) n =(b) b 3.25 fans"}},
		{"only inferred", "a.x ~0.9 b.y\na.b > b.id", "a", "b", 3, Limits{Kinds: InferredOnly}, []string{"a ~(x) b 2.5"}},
		// The way to m with an inferred step is cheaper and shorter, but the step after m is
		// inferred too: with one of them allowed only the declared way can be finished.
		{"a cheaper way that breaks a limit hides none", "a.m ~0.9 m.id\na.x > x.id\nx.y > y.id\ny.m > m.id\nm.z ~0.9 z.id", "a", "z", 3, Limits{Inferred: 1}, []string{
			"a =(x) x =(y) y =(m) m ~(z) z 5.5"}},
		// The way to m over declared keys is cheaper than that of one step, but too long.
		{"a cheaper way that is too long hides none", "a.m ~0.1 m.id\na.x > x.id\nx.m > m.id\nm.z > z.id\nz.y > y.id", "a", "y", 3, Limits{Depth: 3}, []string{
			"a ~(m) m =(z) z =(y) y 5.1"}},
		{"self reference", "employees.manager_id > employees.id\nemployees.mentor_id > employees.id\nemployees.note ~0.3 employees.id", "employees", "employees", 3, Limits{}, []string{
			"employees =(manager_id) employees 1 ambiguous", "employees =(mentor_id) employees 1 ambiguous", "employees ~(note) employees 2.9"}},
		{"self reference: none", "a.b > b.id", "a", "a", 3, Limits{}, []string{}},
		{"depth 8", "a.n > b.id\nb.n > c.id\nc.n > d.id\nd.n > e.id\ne.n > f.id\nf.n > g.id\ng.n > h.id\nh.n > i.id\ni.n > j.id", "a", "j", 3, Limits{Depth: 8}, []string{}},
		{"depth is 8 at most", "a.n > b.id\nb.n > c.id\nc.n > d.id\nd.n > e.id\ne.n > f.id\nf.n > g.id\ng.n > h.id\nh.n > i.id", "a", "i", 3, Limits{Depth: 99}, []string{
			"a =(n) b =(n) c =(n) d =(n) e =(n) f =(n) g =(n) h =(n) i 8"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := read(t, test.schema)
			if diff := cmp.Diff(test.want, s.told(s.search(t, test.from, test.to, test.top, test.limits))); diff != "" {
				t.Errorf("%s to %s (-want +got):\n%s", test.from, test.to, diff)
			}
		})
	}
}

func TestSearch_NoInferredStepsIsDeclaredOnly(t *testing.T) {
	for _, text := range []string{tpch, bikes, warehouse, rental} {
		s := read(t, text)
		for _, from := range s.names {
			for _, to := range s.names {
				a := s.search(t, from, to, 10, Limits{Inferred: -1})
				b := s.search(t, from, to, 10, Limits{Kinds: DeclaredOnly})
				if diff := cmp.Diff(b, a); diff != "" {
					t.Fatalf("%s to %s:\n%s", from, to, diff)
				}
			}
		}
	}
}

func TestSearch_Hidden(t *testing.T) {
	s := read(t, rental)
	hide := func(name string) Limits {
		return Limits{Table: func(i int) bool { return s.names[i] != name }, Inferred: -1}
	}
	for _, name := range []string{"rental", "film", "customer"} {
		for _, p := range s.search(t, "film", "customer", 10, hide(name)) {
			t.Errorf("with %s hidden there is %v", name, s.told([]Path{p}))
		}
	}
	got := s.told(s.search(t, "film", "customer", 10, hide("payment")))
	want := []string{"film =(film_id) inventory =(inventory_id) rental =(customer_id) customer 3 fans"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with payment hidden:\n%s", diff)
	}
	stale := s.edges[4] // rental to customer
	got = s.told(s.search(t, "rental", "customer", 1, Limits{Edge: func(i int) bool { return i != 4 }}))
	want = []string{"rental =(rental_id) payment =(customer_id) customer 2 fans"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("without %v:\n%s", stale, diff)
	}
}

func TestSearch_StepsTellCardinality(t *testing.T) {
	s := read(t, rental)
	p := s.search(t, "film", "customer", 1, Limits{})[0]
	var got []string
	for _, st := range p.Steps {
		got = append(got, fmt.Sprintf("%s %s %v", s.names[st.From], st.Cardinality, st.FanOut))
	}
	want := []string{"film one_to_many true", "inventory one_to_many true", "rental many_to_one false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	g := New(2, []Edge{{From: 0, To: 1, Cardinality: OneToOne}})
	r, err := g.Search(context.Background(), 1, 0, 1, Limits{})
	if err != nil || r.Paths[0].FanOut || r.Paths[0].Steps[0].Cardinality != OneToOne {
		t.Errorf("one to one: %+v, %v", r.Paths, err)
	}
}

func TestSearch_Confidence(t *testing.T) {
	s := read(t, "a.x ~0.9 b.y\nb.z ~0.8 c.w\nc.v > d.id")
	p := s.search(t, "a", "d", 1, Limits{})[0]
	if p.Confidence != 0.72 || p.Inferred != 2 {
		t.Errorf("confidence %v with %d inferred steps, want 0.72 and 2", p.Confidence, p.Inferred)
	}
}

// A complete graph of one kind of edge has more ties than any search can look at.
func TestSearch_WorkIsBounded(t *testing.T) {
	var edges []Edge
	const n = 120
	for i := range n {
		for j := range i {
			edges = append(edges, Edge{From: i, To: j, Inferred: true, Confidence: float64(1+(i*j)%97) / 97, Cardinality: ManyToMany})
		}
	}
	g := New(n, edges)
	r, err := g.Search(context.Background(), 0, 1, 10, Limits{Depth: 8, Inferred: 8})
	if err != nil {
		t.Fatal(err)
	}
	if r.Expansions > MaxExpansions || len(r.Paths) != 10 {
		t.Errorf("%d expansions, %d paths", r.Expansions, len(r.Paths))
	}
}

func TestSearch_CutKeepsWhatWasFound(t *testing.T) {
	s := read(t, "a.b > b.id\na.c > c.id\nb.d > d.id\nc.d > d.id")
	paths := func(bound int) (n int, cut bool) {
		w := newSearch(s.graph)
		w.begin(context.Background(), Limits{}.norm())
		w.bound = bound
		r := w.yen(0, 3, 4)
		for _, f := range r.best {
			if f.cost != 2*billion {
				t.Errorf("bound %d: a path of cost %d", bound, f.cost)
			}
		}
		return len(r.best), w.cut
	}
	for _, test := range []struct {
		bound, paths int
		cut          bool
	}{{0, 0, true}, {2, 1, true}, {100, 2, false}} {
		if n, cut := paths(test.bound); n != test.paths || cut != test.cut {
			t.Errorf("bound %d: %d paths, cut %v, want %d, %v", test.bound, n, cut, test.paths, test.cut)
		}
	}
}

func TestDistance(t *testing.T) {
	s := read(t, bikes+"person.x ~0.9 unrelated.y")
	for _, test := range []struct {
		from, to string
		limits   Limits
		want     int
	}{
		{"person", "product", Limits{}, 5}, // beyond the depth of the limits
		{"person", "product", Limits{Depth: 2, Inferred: -1}, 5},
		{"person", "unrelated", Limits{Kinds: DeclaredOnly}, -1},
		{"person", "unrelated", Limits{}, 1},
		{"person", "product", Limits{Table: func(i int) bool { return s.names[i] != "orderheader" }}, -1},
		{"person", "person", Limits{}, 0},
	} {
		if got := s.graph.Distance(s.id(t, test.from), s.id(t, test.to), test.limits); got != test.want {
			t.Errorf("%s to %s: %d steps, want %d", test.from, test.to, got, test.want)
		}
	}
}

func TestNew_UnknownTables(t *testing.T) {
	g := New(2, []Edge{{From: 0, To: 5}, {From: -1, To: 0}, {From: 0, To: 1}})
	for _, pair := range [][2]int{{0, 9}, {-1, 0}} {
		if r, err := g.Search(context.Background(), pair[0], pair[1], 1, Limits{}); err != nil || len(r.Paths) != 0 {
			t.Errorf("Search(%v) = %v, %v, want nothing", pair, r, err)
		}
	}
	if r, _ := g.Search(context.Background(), 0, 1, 1, Limits{}); len(r.Paths) != 1 || r.Paths[0].Steps[0].Edge != 2 {
		t.Errorf("the good edge is gone: %v", r.Paths)
	}
}

// A path that is given by its edges is the one that the search found.
func TestAlong(t *testing.T) {
	s := read(t, `
		orders.customer_id > customers.id
		orders.billing_id > addresses.id
		addresses.customer_id > customers.id
		visits.customer_ref ~0.4 customers.id
		customers.parent_id > customers.id
	`)
	for _, from := range s.names {
		for _, to := range s.names {
			for _, want := range s.search(t, from, to, 10, Limits{}) {
				var edges []int
				for _, st := range want.Steps {
					edges = append(edges, st.Edge)
				}
				got, end, ok := s.graph.Along(s.id(t, from), edges)
				want.Ambiguous, want.Promoted = false, false
				if diff := cmp.Diff(want, got); !ok || end != s.id(t, to) || diff != "" {
					t.Errorf("from %s to %s: ends at %d, %v, -want +got\n%s", from, to, end, ok, diff)
				}
			}
		}
	}
	for _, edges := range [][]int{{0, 1, 3}, {-1}, {5}, {2}} {
		if p, _, ok := s.graph.Along(s.id(t, "orders"), edges); ok {
			t.Errorf("edges %v from orders are a path %v", edges, p)
		}
	}
}
