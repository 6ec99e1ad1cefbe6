package cluster

import (
	"math/rand/v2"
	"slices"
)

// graph is an undirected weighted graph. Neighbours are in ascending order.
type graph struct {
	first  []int
	to     []int
	weight []float64
	loop   []float64 // weight inside a node, from the second level on; it counts once
	mass   []float64 // of a node: its links' weights, its loop twice
	total  float64   // of all masses
}

func newGraph(nodes int, links []link) *graph {
	g := &graph{first: make([]int, nodes+1), loop: make([]float64, nodes), mass: make([]float64, nodes)}
	for _, l := range links {
		if l.a != l.b && l.weight > 0 {
			g.first[l.a+1]++
			g.first[l.b+1]++
		}
	}
	for i := range nodes {
		g.first[i+1] += g.first[i]
	}
	g.to, g.weight = make([]int, g.first[nodes]), make([]float64, g.first[nodes])
	at := slices.Clone(g.first)
	put := func(a, b int, w float64) {
		g.to[at[a]], g.weight[at[a]] = b, w
		at[a]++
		g.mass[a] += w
	}
	for _, l := range links { // sorted by a and b, which keeps every list in order
		if l.a == l.b {
			g.loop[l.a] += l.weight
			g.mass[l.a] += 2 * l.weight
		}
	}
	for _, l := range links {
		if l.a != l.b && l.weight > 0 {
			put(l.b, l.a, l.weight)
		}
	}
	for _, l := range links {
		if l.a != l.b && l.weight > 0 {
			put(l.a, l.b, l.weight)
		}
	}
	for _, m := range g.mass {
		g.total += m
	}
	return g
}

func (g *graph) nodes() int { return len(g.mass) }

func (g *graph) each(node int, visit func(to int, weight float64)) {
	for i := g.first[node]; i < g.first[node+1]; i++ {
		visit(g.to[i], g.weight[i])
	}
}

// modularity of a partition, with a resolution.
func (g *graph) modularity(of []int, resolution float64) float64 {
	if g.total == 0 {
		return 0
	}
	inside, mass := make([]float64, g.nodes()), make([]float64, g.nodes())
	for v := range of {
		mass[of[v]] += g.mass[v]
		inside[of[v]] += 2 * g.loop[v]
		g.each(v, func(u int, w float64) {
			if of[u] == of[v] {
				inside[of[v]] += w
			}
		})
	}
	q := 0.0
	for c := range mass {
		share := mass[c] / g.total
		q += inside[c]/g.total - resolution*share*share
	}
	return q
}

// Limits of the method.
const (
	seed     = 42
	leastWon = 1e-10 // a gain below it is noise
	maxRuns  = 20
)

// leiden partitions a graph by modularity: it moves nodes, refines each community
// into well joined parts, makes the parts the nodes of a smaller graph, and so on;
// then all over again from what was found, until nothing is gained. Every community
// is connected. The result numbers communities from 0 in no special order, below
// the number of nodes.
func leiden(g *graph, resolution float64) []int {
	of := make([]int, g.nodes())
	for v := range of {
		of[v] = v
	}
	if g.total == 0 {
		return of
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	best := g.modularity(of, resolution)
	for range maxRuns {
		next := connected(g, pass(g, of, resolution, rng, nil))
		q := g.modularity(next, resolution)
		if q <= best+leastWon {
			break
		}
		of, best = next, q
	}
	return of
}

// pass is one run over all levels, from a partition on. level, if not nil, is told
// the modularity of each level's partition.
func pass(g *graph, start []int, resolution float64, rng *rand.Rand, level func(float64)) []int {
	node := make([]int, g.nodes()) // of each node of g, its node in the level's graph
	for v := range node {
		node[v] = v
	}
	of, h := compact(start), g
	for {
		moved := move(h, of, resolution)
		of = compact(of)
		if level != nil {
			level(h.modularity(of, resolution))
		}
		parts := refine(h, of, resolution, rng)
		n := 1 + slices.Max(parts)
		if n == h.nodes() {
			if !moved || 1+slices.Max(of) == n {
				break
			}
			parts = of // nothing to refine: the communities themselves become nodes
			n = 1 + slices.Max(of)
		}
		up := make([]int, n)
		for v, p := range parts {
			up[p] = of[v]
		}
		for v := range node {
			node[v] = parts[node[v]]
		}
		of, h = compact(up), aggregate(h, parts, n)
	}
	out := make([]int, g.nodes())
	for v := range out {
		out[v] = of[node[v]]
	}
	return out
}

// compact numbers communities from 0 in the order of their first nodes.
func compact(of []int) []int {
	numbers := make([]int, len(of))
	for i := range numbers {
		numbers[i] = -1
	}
	out, n := make([]int, len(of)), 0
	for v, c := range of {
		if numbers[c] < 0 {
			numbers[c] = n
			n++
		}
		out[v] = numbers[c]
	}
	return out
}

// move puts each node into the community where it gains most, until none gains
// anything. Nodes are visited in order, then those beside what has moved.
func move(g *graph, of []int, resolution float64) bool {
	n := g.nodes()
	mass, size := make([]float64, n), make([]int, n)
	for v, c := range of {
		mass[c] += g.mass[v]
		size[c]++
	}
	var empty []int
	for c := n - 1; c >= 0; c-- {
		if size[c] == 0 {
			empty = append(empty, c)
		}
	}
	queue, waits := make([]int, n), make([]bool, n)
	for v := range queue {
		queue[v], waits[v] = v, true
	}
	to := make([]float64, n)
	moved := false
	for head := 0; head < len(queue); head++ {
		v := queue[head]
		waits[v] = false
		own := of[v]
		mass[own] -= g.mass[v]
		size[own]--
		if size[own] == 0 {
			empty = append(empty, own)
		}
		var beside []int
		g.each(v, func(u int, w float64) {
			if to[of[u]] == 0 {
				beside = append(beside, of[u])
			}
			to[of[u]] += w
		})
		gain := func(c int) float64 { return to[c] - resolution*g.mass[v]*mass[c]/g.total }
		best, won := own, gain(own)
		if size[own] > 0 && won < -leastWon { // alone it would be better off
			best, won = empty[len(empty)-1], 0
		}
		for _, c := range beside {
			if w := gain(c); w > won+leastWon {
				best, won = c, w
			}
		}
		for _, c := range beside {
			to[c] = 0
		}
		if size[best] == 0 { // the node's own or a fresh one: in either case the last of the list
			empty = empty[:len(empty)-1]
		}
		of[v] = best
		mass[best] += g.mass[v]
		size[best]++
		if best == own {
			continue
		}
		moved = true
		g.each(v, func(u int, _ float64) {
			if !waits[u] && of[u] != best {
				waits[u] = true
				queue = append(queue, u)
			}
		})
	}
	return moved
}

// refine splits each community into parts that are joined well: every node begins
// alone, and one that is still alone joins a part of its community that it is
// linked to, with a gain, drawn by chance among the better ones.
func refine(g *graph, of []int, resolution float64, rng *rand.Rand) []int {
	n := g.nodes()
	part, size := make([]int, n), make([]int, n)
	mass, whole := slices.Clone(g.mass), make([]float64, n)
	outer := make([]float64, n) // of a part, its links to the rest of its community
	for v := range part {
		part[v], size[v] = v, 1
		whole[of[v]] += g.mass[v]
		g.each(v, func(u int, w float64) {
			if of[u] == of[v] {
				outer[v] += w
			}
		})
	}
	well := func(p, community int) bool {
		return outer[p] >= resolution*mass[p]*(whole[community]-mass[p])/g.total-leastWon
	}
	to := make([]float64, n)
	for v := range n {
		c := of[v]
		if size[part[v]] != 1 || !well(part[v], c) {
			continue
		}
		var beside []int
		g.each(v, func(u int, w float64) {
			if of[u] == c && part[u] != part[v] {
				if to[part[u]] == 0 {
					beside = append(beside, part[u])
				}
				to[part[u]] += w
			}
		})
		best, won := -1, leastWon
		for _, p := range beside {
			gain := to[p] - resolution*g.mass[v]*mass[p]/g.total
			// A gain that is nearly the best takes its place by chance.
			if well(p, c) && gain > leastWon && gain*(0.9+0.2*rng.Float64()) > won {
				best, won = p, gain
			}
		}
		if best >= 0 {
			size[part[v]]--
			outer[best] += outer[v] - 2*to[best]
			mass[best] += g.mass[v]
			size[best]++
			part[v] = best
		}
		for _, p := range beside {
			to[p] = 0
		}
	}
	return compact(part)
}

// aggregate is the graph whose nodes are the parts of another.
func aggregate(g *graph, parts []int, n int) *graph {
	members := make([][]int, n)
	for v, p := range parts {
		members[p] = append(members[p], v)
	}
	var links []link
	sum := make([]float64, n)
	for p, list := range members {
		loop := 0.0
		var beside []int
		for _, v := range list {
			loop += g.loop[v]
			g.each(v, func(u int, w float64) {
				switch q := parts[u]; {
				case q == p:
					loop += w / 2
				case q > p:
					if sum[q] == 0 {
						beside = append(beside, q)
					}
					sum[q] += w
				}
			})
		}
		if loop > 0 {
			links = append(links, link{p, p, loop})
		}
		slices.Sort(beside)
		for _, q := range beside {
			links = append(links, link{p, q, sum[q]})
			sum[q] = 0
		}
	}
	return newGraph(n, links)
}

// connected splits communities that are not connected, which never makes a
// partition worse.
func connected(g *graph, of []int) []int {
	out := make([]int, len(of))
	for i := range out {
		out[i] = -1
	}
	for v := range of {
		if out[v] >= 0 {
			continue
		}
		out[v] = v
		for queue := []int{v}; len(queue) > 0; queue = queue[1:] {
			g.each(queue[0], func(u int, _ float64) {
				if out[u] < 0 && of[u] == of[v] {
					out[u] = v
					queue = append(queue, u)
				}
			})
		}
	}
	return out
}
