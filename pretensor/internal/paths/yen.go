package paths

import "slices"

// ranking are the best paths between two tables, found one after the other by
// Yen's method: all paths but those found are split by where they leave them, and
// the best one of each part waits.
type ranking struct {
	from, to int32
	best     []found
	waiting  []found // sorted
}

// yen starts a ranking and finds its first n paths.
func (s *search) yen(from, to int32, n int) *ranking {
	r := &ranking{from: from, to: to}
	if s.lim.Depth == 0 {
		return r
	}
	if s.measure(from); !s.reach(to) {
		return r
	}
	s.aim(to)
	if f, ok := s.cheapest(from, to, nil, nil); ok {
		r.waiting = append(r.waiting, f)
	}
	s.extend(r, n)
	return r
}

// extend finds further paths, until there are n. The limits must be those that
// the ranking was started with, and no other search may have been in between.
func (s *search) extend(r *ranking, n int) {
	for len(r.best) < n {
		if len(r.best) > 0 {
			s.branch(r, r.best[len(r.best)-1])
		}
		if len(r.waiting) == 0 || s.cut || s.err != nil {
			// What waits may not be next when a search was broken off, but it is a path.
			r.best = append(r.best, r.waiting[:min(len(r.waiting), n-len(r.best))]...)
			r.waiting = nil
			return
		}
		r.best = append(r.best, r.waiting[0])
		r.waiting = r.waiting[1:]
	}
}

// branch finds the best path of each part that the last path found splits off. It
// was the best of all that leave an earlier one at its branch: before that, there
// is nothing new.
func (s *search) branch(r *ranking, last found) {
	for i := last.branch; i < len(last.arcs); i++ {
		var banned []int32
		for _, f := range r.best {
			if len(f.arcs) > i && slices.Equal(f.arcs[:i], last.arcs[:i]) {
				banned = append(banned, f.arcs[i])
			}
		}
		f, ok := s.cheapest(r.from, r.to, last.arcs[:i], banned)
		if !ok {
			if s.cut || s.err != nil {
				return
			}
			continue
		}
		at, _ := slices.BinarySearchFunc(r.waiting, f, found.compare)
		r.waiting = slices.Insert(r.waiting, at, f)
	}
}
