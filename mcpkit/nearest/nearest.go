// Package nearest answers "did you mean": given a name that is not known and
// the names that are, it finds those that a person or a model most likely
// meant. It knows nothing of tools, tables or files, needs the standard library
// only, and gives the same answer for the same names in any order (as long as
// there are not so many that the bound on its work is reached, some 50,000).
//
// Two names are near when the restricted Damerau–Levenshtein distance between
// them (insert, delete, replace, swap two neighbours; no substring is edited
// twice) is at most a third of the length of the asked name, and 2 in any case.
// Case does not count as a difference, except between otherwise equal
// candidates. Names that share nothing are never near, however short they are.
package nearest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

const (
	// maxRunes bounds the names that are compared by distance. Longer ones are
	// matched by case alone: nobody mistypes 128 characters by hand.
	maxRunes = 128

	// maxCells bounds the work of one call, in cells of the distance matrix;
	// a few tens of milliseconds. Candidates after that are matched by case alone.
	maxCells = 10_000_000
)

// Find returns the candidates nearest to name, best first, at most n of
// them. The result is nil when nothing is near, when n is not positive, and
// when name is empty. A candidate equal to name is left out, as is an empty or
// repeated one.
func Find(name string, candidates []string, n int) []string {
	if name == "" || n <= 0 {
		return nil
	}
	type match struct {
		name         string
		folded, same int // distance without and with regard to case
	}
	var (
		matches []match
		exact   = []rune(name)
		folded  = fold(exact)
		limit   = threshold(len(exact))
		budget  = maxCells
		m       matrix
	)
	for _, c := range candidates {
		if c == "" || c == name {
			continue
		}
		if strings.EqualFold(c, name) {
			matches = append(matches, match{name: c})
			continue
		}
		// A candidate of more bytes than this has too many runes as well.
		if len(exact) > maxRunes || budget <= 0 || len(c) > 4*(len(exact)+limit) {
			continue
		}
		r := []rune(c)
		d, cells := m.distance(folded, fold(r), limit)
		budget -= cells
		if d > limit || d >= max(len(exact), len(r)) {
			continue
		}
		same, cells := m.distance(exact, r, len(exact)+len(r))
		budget -= cells
		matches = append(matches, match{c, d, same})
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.folded, b.folded), cmp.Compare(a.same, b.same), cmp.Compare(a.name, b.name))
	})
	matches = slices.Compact(matches)
	if len(matches) == 0 {
		return nil
	}
	names := make([]string, 0, min(n, len(matches)))
	for _, m := range matches[:min(n, len(matches))] {
		names = append(names, m.name)
	}
	return names
}

// Best returns the one candidate nearest to name, or "" when none is near.
func Best(name string, candidates []string) string {
	if found := Find(name, candidates, 1); found != nil {
		return found[0]
	}
	return ""
}

// Distance is the restricted Damerau–Levenshtein distance between a and b in
// characters, with regard to case. Its cost is the product of their lengths.
func Distance(a, b string) int {
	var m matrix
	ra, rb := []rune(a), []rune(b)
	d, _ := m.distance(ra, rb, len(ra)+len(rb))
	return d
}

// threshold is the largest distance at which a name of n runes is near.
func threshold(n int) int { return max(2, n/3) }

// fold maps runes to one case, by the same rule as strings.EqualFold.
func fold(rs []rune) []rune {
	out := make([]rune, len(rs))
	for i, r := range rs {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		out[i] = least
	}
	return out
}

// matrix holds the three rows that the distance needs, kept between calls.
type matrix struct{ before, prev, row []int }

// distance computes the distance of a and b, but no further than limit: any
// larger distance comes out as limit+1. It also returns how many cells it
// filled. Only the cells within limit of the diagonal can hold a value that
// counts, so no others are filled.
func (m *matrix) distance(a, b []rune, limit int) (d, cells int) {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1, 1
	}
	n := len(b) + 1
	if cap(m.row) < n {
		m.before, m.prev, m.row = make([]int, n), make([]int, n), make([]int, n)
	}
	before, prev, row := m.before[:n], m.prev[:n], m.row[:n]
	far := limit + 1
	for j := range prev {
		prev[j] = min(j, far)
		before[j] = far
	}
	for i := 1; i <= len(a); i++ {
		lo, hi := max(1, i-limit), min(len(b), i+limit)
		row[lo-1] = far
		if lo == 1 {
			row[0] = min(i, far)
		}
		best := row[lo-1]
		for j := lo; j <= hi; j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			v := min(prev[j-1]+cost, row[j-1]+1)
			if j <= i-1+limit { // the cell above lies within the band
				v = min(v, prev[j]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				v = min(v, before[j-2]+1)
			}
			row[j] = min(v, far)
			best = min(best, row[j])
		}
		cells += hi - lo + 1
		// A swap reaches back two rows, so one row beyond the limit is not the end.
		if best > limit && i > 1 && minOf(prev, lo, hi) > limit {
			return far, cells
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)], cells
}

func minOf(row []int, lo, hi int) int {
	least := row[lo-1]
	for j := lo; j <= hi; j++ {
		least = min(least, row[j])
	}
	return least
}
