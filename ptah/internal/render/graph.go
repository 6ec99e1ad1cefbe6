package render

import (
	"cmp"
	"container/heap"
	"context"
	"slices"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// phase is the place of an object's statements in the list.
type phase uint8

// The phases, in the order of the list. An object that one of an earlier phase needs
// moves to the front of that phase.
const (
	phaseSchema phase = iota
	phaseExtension
	phaseServer // of foreign tables, and what else tables stand on
	phaseSequence
	phaseEnum
	phaseType
	phaseRole
	phaseTable
	phasePartition // a table becomes a part of another one
	phaseUniqueIndex
	phaseConstraint // added to tables that are there
	phaseOwner      // of sequences
	phaseRoutine
	phaseView
	phaseTrigger
	phaseSecurity
	phaseGrant
	phaseComment
	phaseIndex
	phaseLast // what needs an index, or would act on everything before it
)

// need says how much an object needs another one.
type need uint8

const (
	// must: it cannot be made before.
	must need = iota
	// should: a text in it names the other one, which may be more than it needs.
	should
	// nice: it only reads better.
	nice
)

// node is one object, or a part of one that has statements of its own.
type node struct {
	phase, front phase // front: of the earliest object that needs it
	name         schema.Name
	origin       schema.Origin
	statements   []string
	needs        []edge
	index        int
}

type edge struct {
	to   *node
	need need
}

// after says that other has to come before n; other may be nil.
func (n *node) after(other *node, how need) {
	if other != nil && other != n {
		n.needs = append(n.needs, edge{other, how})
	}
}

// graph is the statements of a schema and what they need.
type graph struct{ nodes []*node }

// add adds the statements of an object. In a phase the order is that of needs, then of
// names, then of calls.
func (g *graph) add(p phase, name schema.Name, at schema.Origin, statements ...string) *node {
	n := &node{phase: p, front: p, name: name, origin: at, statements: statements, index: len(g.nodes)}
	g.nodes = append(g.nodes, n)
	return n
}

// order returns the nodes in order. Where objects need each other in a circle the
// weakest needs are given up; what then still does is returned as cycle, not in order.
func (g *graph) order(ctx context.Context) (order, cycle []*node) {
	for _, weakest := range []need{nice, should} {
		g.relax(weakest)
	}
	g.promote()

	waits := make([]int, len(g.nodes))
	users := make([][]*node, len(g.nodes))
	ready := &queue{}
	for _, n := range g.nodes {
		for _, e := range n.needs {
			users[e.to.index] = append(users[e.to.index], n)
		}
		if waits[n.index] = len(n.needs); len(n.needs) == 0 {
			*ready = append(*ready, n)
		}
	}
	heap.Init(ready)
	for ready.Len() > 0 && ctx.Err() == nil {
		n := heap.Pop(ready).(*node)
		order = append(order, n)
		for _, u := range users[n.index] {
			if waits[u.index]--; waits[u.index] == 0 {
				heap.Push(ready, u)
			}
		}
	}
	if len(order) < len(g.nodes) {
		for _, circle := range g.circles() {
			if len(circle) > 1 {
				return order, circle
			}
		}
	}
	return order, nil
}

// relax gives up the needs of a strength between nodes that need each other in a circle.
// Those that close no circle without the others are kept, if they may matter.
func (g *graph) relax(how need) {
	circle := make([]int, len(g.nodes))
	for i, nodes := range g.circles() {
		for _, n := range nodes {
			circle[n.index] = i
		}
	}
	type weak struct {
		from *node
		edge edge
	}
	var given []weak
	for _, n := range g.nodes {
		n.needs = slices.DeleteFunc(n.needs, func(e edge) bool {
			if e.need != how || circle[n.index] != circle[e.to.index] {
				return false
			}
			given = append(given, weak{n, e})
			return true
		})
	}
	if how == nice || len(given) > maxWeak {
		return
	}
	for _, w := range given {
		if !reaches(w.edge.to, w.from) {
			w.from.needs = append(w.from.needs, w.edge)
		}
	}
}

// maxWeak bounds the needs in circles that are looked at one by one.
const maxWeak = 2000

// promote moves what an earlier phase needs to the front of that phase.
func (g *graph) promote() {
	byPhase := slices.Clone(g.nodes)
	slices.SortStableFunc(byPhase, func(a, b *node) int { return cmp.Compare(a.phase, b.phase) })
	for _, first := range byPhase {
		stack := []*node{first}
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, e := range n.needs {
				if e.to.front > n.front {
					e.to.front = n.front
					stack = append(stack, e.to)
				}
			}
		}
	}
}

// circles returns the strongly connected components of the graph, those that others need
// first, and each in the order of names.
func (g *graph) circles() [][]*node {
	var (
		list  [][]*node
		stack []*node
		depth = make([]int, len(g.nodes)) // 0: not visited yet
		low   = make([]int, len(g.nodes))
		count int
		visit func(*node)
	)
	visit = func(n *node) {
		count++
		depth[n.index], low[n.index] = count, count
		stack = append(stack, n)
		for _, e := range n.needs {
			switch i := e.to.index; {
			case depth[i] == 0:
				visit(e.to)
				low[n.index] = min(low[n.index], low[i])
			case depth[i] > 0:
				low[n.index] = min(low[n.index], depth[i])
			}
		}
		if low[n.index] != depth[n.index] {
			return
		}
		var circle []*node
		for depth[n.index] > 0 {
			m := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			depth[m.index] = -1
			circle = append(circle, m)
		}
		slices.SortFunc(circle, before)
		list = append(list, circle)
	}
	for _, n := range g.nodes {
		if depth[n.index] == 0 {
			visit(n)
		}
	}
	return list
}

// before orders two nodes of which neither needs the other.
func before(a, b *node) int {
	moved := func(n *node) int {
		if n.front < n.phase {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.front, b.front), cmp.Compare(moved(a), moved(b)),
		cmp.Compare(a.name.Schema, b.name.Schema), cmp.Compare(a.name.Name, b.name.Name), cmp.Compare(a.index, b.index))
}

// queue is the nodes that nothing holds back, the first one first.
type queue []*node

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return before(q[i], q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push adds a node at the end.
func (q *queue) Push(n any) { *q = append(*q, n.(*node)) }

// Pop takes the last node away.
func (q *queue) Pop() any {
	old := *q
	n := old[len(old)-1]
	*q = old[:len(old)-1]
	return n
}
