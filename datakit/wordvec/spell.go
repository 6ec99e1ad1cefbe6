package wordvec

import (
	"math"
	"slices"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

// The limits of Spell.
const (
	minSpelled = 5  // shorter words are not taken apart
	maxSpelled = 64 // longer ones are encoded data
	maxPart    = 20 // few English words are longer
	maxRest    = 2  // letters that a name may begin with and that are no word (v, tb)
)

// shortParts are the words of two letters that names have within them; with the
// others of the vocabulary, nearly every name falls apart.
var shortParts = map[string]bool{"id": true, "no": true, "of": true, "to": true, "by": true, "in": true, "is": true, "on": true, "at": true, "or": true}

// Spell returns the plain words that a folded word of a schema stands for: what it
// abbreviates (acct is account), or what it consists of where words were run
// together (salesorderheader is sales, order, header; acctbal is account, balance).
// It returns nil for a word of the vocabulary, for one of which it knows nothing,
// and for what cannot be taken apart without a rest.
func (b *Builtin) Spell(word string) []string {
	if alias, ok := aliases[word]; ok {
		return alias
	}
	if _, ok := b.rows[word]; ok || len(word) < minSpelled || len(word) > maxSpelled {
		return nil
	}
	if _, ok := b.rows[analysis.Light.Stem(word)]; ok {
		return nil
	}
	for i := 0; i < len(word); i++ {
		if word[i] < 'a' || word[i] > 'z' {
			return nil
		}
	}
	parts := b.parts(word)
	var spelled []string
	for _, part := range parts {
		// Within a name, sub is a prefix (subtotal) far more often than it is a
		// subscription.
		if alias, ok := aliases[part]; ok && part != "sub" {
			spelled = append(spelled, alias...)
		} else {
			spelled = append(spelled, part)
		}
	}
	return spelled
}

// parts takes a word apart so that its parts are together the least unlikely:
// under Zipf's law the logarithm of a word's rank is what it costs, and each part
// costs as much again as an average word, so that few are better than many.
func (b *Builtin) parts(word string) []string {
	average := math.Log(float64(len(b.rows)))
	n := len(word)
	cost := make([]float64, n+1) // of the letters before a place
	from := make([]int, n+1)     // where the part that ends there begins
	for end := 1; end <= n; end++ {
		cost[end] = math.Inf(1)
		if end <= maxRest && n-end >= minSpelled {
			cost[end] = 2 * average // the rest at the beginning
		}
		for start := max(0, end-maxPart); start < end; start++ {
			if start == 0 && end == n || math.IsInf(cost[start], 1) {
				continue
			}
			part := word[start:end]
			if len(part) < minPart && !shortParts[part] {
				continue
			}
			rank := b.rank(part)
			if rank == math.MaxInt32 {
				rank = b.rank(analysis.Light.Stem(part))
			}
			if rank == math.MaxInt32 {
				continue
			}
			c := cost[start] + average + math.Log(float64(rank+1))
			if analysis.IsStopWord(part) {
				// Frequent in English, rare in names: a card id is no car did.
				c += average
			}
			if c < cost[end] {
				cost[end], from[end] = c, start
			}
		}
	}
	if math.IsInf(cost[n], 1) {
		return nil
	}
	var parts []string
	for end := n; end > 0; end = from[end] {
		parts = append(parts, word[from[end]:end])
	}
	slices.Reverse(parts)
	return parts
}
