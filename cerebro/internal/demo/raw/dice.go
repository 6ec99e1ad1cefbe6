package raw

import (
	"math/rand/v2"
	"slices"
)

// dice draws what is left to chance. Each part of the data has its own, so that
// a change to one leaves the others as they were.
type dice struct{ *rand.Rand }

func newDice(part uint64) dice { return dice{rand.New(rand.NewPCG(0x6f726368617264, part))} }

// chance is true in so many of a thousand cases.
func (d dice) chance(perMille int) bool { return d.IntN(1000) < perMille }

// between draws a number of a range, both ends included.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

// pick draws an index by weight.
func (d dice) pick(weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := d.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	panic("raw: weights do not add up")
}

// A wheel draws one of many by weight: the running sums of the weights.
type wheel []int

func newWheel(weights []int) wheel {
	w, sum := make(wheel, len(weights)), 0
	for i, n := range weights {
		sum += n
		w[i] = sum
	}
	return w
}

func (d dice) spin(w wheel) int {
	i, _ := slices.BinarySearch(w, 1+d.IntN(w[len(w)-1]))
	return i
}

// skewed draws a number from low to high of which most are low: the cube of an
// even draw, as waiting times are.
func (d dice) skewed(low, high int) int {
	u := d.IntN(1000)
	return low + (high-low)*(u*u/1000*u)/1_000_000
}

// about gives n with as much as so many thousandths more or less.
func (d dice) about(n, perMille int) int { return n * d.between(1000-perMille, 1000+perMille) / 1000 }

// choice is a set of words with their weights.
type choice struct {
	words   []string
	weights []int
}

func (c choice) draw(d dice) string { return c.words[d.pick(c.weights)] }
