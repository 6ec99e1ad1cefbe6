package validate

import "slices"

// inOrder lists 0 to n-1, each after those that it needs where there is no circle.
func inOrder(n int, needs func(int) []int) []int {
	order := make([]int, 0, n)
	seen := make([]bool, n)
	type frame struct{ at, next int }
	for root := range n {
		if seen[root] {
			continue
		}
		seen[root] = true
		stack := []frame{{at: root}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if list := needs(f.at); f.next < len(list) {
				f.next++
				if to := list[f.next-1]; !seen[to] {
					seen[to] = true
					stack = append(stack, frame{at: to})
				}
				continue
			}
			order = append(order, f.at)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// circles lists the groups of nodes that all lead to each other, and the single ones
// that lead to themselves: sorted, and in the order of their first members.
func circles(n int, leads func(int) []int) [][]int {
	var (
		groups [][]int
		index  = make([]int, n) // from 1, in the order of discovery; 0: not seen
		low    = make([]int, n)
		on     = make([]bool, n)
		open   []int
		count  int
	)
	type frame struct{ at, next int }
	for root := range n {
		if index[root] != 0 {
			continue
		}
		stack := []frame{{at: root}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			at := f.at
			if f.next == 0 {
				count++
				index[at], low[at], on[at] = count, count, true
				open = append(open, at)
			}
			if list := leads(at); f.next < len(list) {
				to := list[f.next]
				f.next++
				switch {
				case index[to] == 0:
					stack = append(stack, frame{at: to})
				case on[to]:
					low[at] = min(low[at], index[to])
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				up := stack[len(stack)-1].at
				low[up] = min(low[up], low[at])
			}
			if low[at] != index[at] {
				continue
			}
			start := len(open) - 1
			for open[start] != at {
				start--
			}
			group := slices.Clone(open[start:])
			open = open[:start]
			for _, m := range group {
				on[m] = false
			}
			if len(group) > 1 || slices.Contains(leads(at), at) {
				slices.Sort(group)
				groups = append(groups, group)
			}
		}
	}
	slices.SortFunc(groups, func(a, b []int) int { return a[0] - b[0] })
	return groups
}
