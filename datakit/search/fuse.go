package search

import (
	"cmp"
	"slices"
)

// FusionConstant is the k of reciprocal rank fusion as published (Cormack,
// Clarke and Büttcher, 2009).
const FusionConstant = 60

// A Fused is one entry of a fused ranking.
type Fused struct {
	ID    string
	Score float64
}

// Fuse merges rankings, best first, by reciprocal rank: an ID scores the sum of
// 1/(60 + rank) over the lists that hold it, ranks counted from 1. Within a list
// only the first occurrence of an ID counts. Entries come in descending order of
// score; equal scores are ordered by rank in the first list, then in the second
// and so on, an ID that is absent after those present, then by ID.
func Fuse(lists ...[]string) []Fused {
	ranks := make(map[string][]int) // by ID and list, 0 when absent
	for l, list := range lists {
		for i, id := range list {
			r := ranks[id]
			if r == nil {
				r = make([]int, len(lists))
				ranks[id] = r
			}
			if r[l] == 0 {
				r[l] = i + 1
			}
		}
	}
	fused := make([]Fused, 0, len(ranks))
	for id, r := range ranks {
		f := Fused{ID: id}
		// Summed from the best rank on, so that the same ranks in another order
		// give the same sum to the last bit.
		for _, rank := range slices.Sorted(slices.Values(r)) {
			if rank > 0 {
				f.Score += 1 / float64(FusionConstant+rank)
			}
		}
		fused = append(fused, f)
	}
	slices.SortFunc(fused, func(a, b Fused) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		ra, rb := ranks[a.ID], ranks[b.ID]
		for l := range lists {
			// An absent rank of 0 becomes the largest number.
			if c := cmp.Compare(uint(ra[l]-1), uint(rb[l]-1)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return fused
}
