package wordvec

import (
	"cmp"
	"context"
	_ "embed" // for the word vectors
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

//go:embed glove/words.bin
var gloveWords []byte

//go:embed glove/LICENSE-vectors-PDDL-1.0.txt
var licenseVectors string

//go:embed glove/LICENSE-wrapper-MIT.txt
var licenseWrapper string

// Licenses returns the licence texts of the embedded word vectors, to be shown
// wherever a program states what it contains.
func Licenses() string {
	return "GloVe word vectors\n\n" + licenseVectors + "\nwink-embeddings-sg-100d 1.1.0\n\n" + licenseWrapper
}

// BuiltinModel is the model of [Builtin]. It changes whenever the vectors of the
// same text would.
const BuiltinModel = "glove-100d-50k/1"

// maxWords is how many words of a text count.
const maxWords = 512

// Builtin makes vectors from the word vectors within the program: GloVe, 100
// dimensions, the 50,000 most frequent English words. Texts are split like those
// of package search and lose their stop words; the vectors of the words, each of
// length 1, are summed, each word once, with the weight a/(a+p), where p is how
// often the word occurs in English, and a quarter of it for words that stand in
// nearly every table (id, date, created); the mean of such sums over English text
// is subtracted and the rest scaled to length 1. The same text always gives the same vector.
//
// Words that schemas abbreviate (qty, acct, dob) or that general English lacks
// (arpu, gmv) stand for the words of a table of aliases; words run together
// (lineitem) are taken apart; other unknown words, see [Builtin.Unknown], are
// left out. Of a text the first 512 words count. A Builtin holds no resources
// and needs no closing.
type Builtin struct {
	rows    map[string]int32
	factors []float32
	vectors []byte // int8, by row
	dim     int
	weights []float32 // a/(a+p) by row
	mean    []float32 // of English text, per unit of weight
}

var loadBuiltin = sync.OnceValues(func() (*Builtin, error) { return parseWords(gloveWords) })

// NewBuiltin returns the builtin provider; its words are loaded by the first
// call and shared.
func NewBuiltin() (*Builtin, error) { return loadBuiltin() }

// parseWords reads the layout that glove/SOURCE.md describes.
func parseWords(data []byte) (*Builtin, error) {
	const header = 12
	if len(data) < header || string(data[:4]) != "QWV1" {
		return nil, errors.New("word vectors: unknown format")
	}
	n, dim := int(binary.LittleEndian.Uint32(data[4:])), int(binary.LittleEndian.Uint32(data[8:]))
	if n == 0 || dim == 0 || len(data)/(4+dim) < n || len(data) < header+n*(4+dim) {
		return nil, fmt.Errorf("word vectors: %d bytes cannot hold %d words of %d dimensions", len(data), n, dim)
	}
	b := &Builtin{
		rows: make(map[string]int32, n), factors: make([]float32, n), vectors: data[header+4*n : header+n*(4+dim)],
		dim: dim, weights: make([]float32, n), mean: make([]float32, dim),
	}
	for i := range b.factors {
		b.factors[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[header+4*i:]))
	}
	words := string(data[header+n*(4+dim):])
	row := int32(0)
	for start := 0; start <= len(words); row++ {
		end := start
		for end < len(words) && words[end] != '\n' {
			end++
		}
		b.rows[words[start:end]] = row
		start = end + 1
	}
	if int(row) != n || len(b.rows) != n {
		return nil, fmt.Errorf("word vectors: %d words, %d of them distinct, want %d", row, len(b.rows), n)
	}
	b.weigh()
	return b, nil
}

// structuralWords stand in the columns of nearly every table and tell little
// about any, whatever their frequency in English.
const (
	structuralWords = `id identifier key code number name date time type value reference flag active created updated
		modified deleted start started end ended first last row column table`
	structuralWeight = 0.25
)

// weigh computes the weights of words and the mean: what a word of English text
// adds to a sum on average.
//
// The words are in order of frequency and the file holds no counts, so p follows
// Zipf's law: 1/(rank·H), H the harmonic number of the vocabulary.
func (b *Builtin) weigh() {
	const a = 1e-3
	var harmonic float64
	for i := range b.weights {
		harmonic += 1 / float64(i+1)
	}
	structural := make(map[int32]bool)
	for _, w := range strings.Fields(structuralWords) {
		if row, ok := b.rows[w]; ok {
			structural[row] = true
		}
	}
	mean := make([]float64, b.dim)
	var total float64
	for i := range b.weights {
		p := 1 / (float64(i+1) * harmonic)
		w := a / (a + p)
		if structural[int32(i)] {
			w *= structuralWeight
		}
		b.weights[i] = float32(w)
		total += p * w
		f := p * w * float64(b.factors[i])
		for d, q := range b.vectors[i*b.dim : (i+1)*b.dim] {
			mean[d] += f * float64(int8(q))
		}
	}
	for d, m := range mean {
		b.mean[d] = float32(m / total)
	}
}

// Model returns [BuiltinModel].
func (b *Builtin) Model() string { return BuiltinModel }

// Dim returns 100.
func (b *Builtin) Dim() int { return b.dim }

// Embed returns the vectors of the texts. It fails only when ctx ends.
func (b *Builtin) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	backing := make([]float32, len(texts)*b.dim)
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		vectors[i] = backing[i*b.dim : (i+1)*b.dim : (i+1)*b.dim]
		b.embed(text, vectors[i])
	}
	return vectors, nil
}

// Weight returns how much a word counts in the vector of a text, from 0 for one
// that is not known to 1: the more frequent it is in English, the less.
func (b *Builtin) Weight(word string) float64 {
	rows := b.find(analysis.Fold(word), nil)
	if len(rows) == 0 {
		return 0
	}
	var sum float32
	for _, row := range rows {
		sum += b.weights[row]
	}
	return float64(sum / float32(len(rows)))
}

// Unknown returns the distinct words of text that add nothing to its vector, in
// order: neither in the vocabulary, in full or in part, nor aliases. Stop words,
// numbers and single letters are not reported.
func (b *Builtin) Unknown(text string) []string {
	unknown := []string{}
	seen := make(map[string]bool)
	var rows []int32
	for _, t := range analysis.Terms(text) {
		if t.Joined || !meaningful(t.Text) || seen[t.Text] {
			continue
		}
		seen[t.Text] = true
		if rows = b.find(t.Text, rows[:0]); len(rows) == 0 {
			unknown = append(unknown, t.Text)
		}
	}
	return unknown
}

// addend is a word vector that is part of the vector of a text.
type addend struct {
	row    int32
	weight float32
}

// embed writes the vector of text into v, which is zero.
func (b *Builtin) embed(text string, v []float32) {
	var rows []int32
	var sum []addend
	words := 0
	for _, t := range analysis.Terms(text) {
		if t.Joined || !meaningful(t.Text) {
			continue
		}
		if words++; words > maxWords {
			break
		}
		rows = b.find(t.Text, rows[:0])
		for _, row := range rows {
			// An alias of several words weighs as much as one word.
			sum = append(sum, addend{row, b.weights[row] / float32(len(rows))})
		}
	}
	// A word counts once, with the greatest weight it has: customer_id,
	// customer_name and customer_email are not three times about customers.
	slices.SortFunc(sum, func(x, y addend) int {
		return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(y.weight, x.weight))
	})
	last := int32(-1)
	var total float32
	for _, a := range sum {
		if a.row == last {
			continue
		}
		last = a.row
		total += a.weight
		f := a.weight * b.factors[a.row]
		for i, q := range b.vectors[int(a.row)*b.dim : (int(a.row)+1)*b.dim] {
			v[i] += f * float32(int8(q))
		}
	}
	for i, m := range b.mean {
		v[i] -= total * m
	}
	normalise(v)
}

func meaningful(word string) bool { return len(word) > 1 && (word[0] < '0' || word[0] > '9') }

// find appends to rows those that stand for a folded word.
func (b *Builtin) find(word string, rows []int32) []int32 {
	if alias, ok := aliases[word]; ok {
		for _, w := range alias {
			rows = append(rows, b.rows[w])
		}
		return rows
	}
	if row, ok := b.rows[word]; ok {
		return append(rows, row)
	}
	if row, ok := b.rows[analysis.Light.Stem(word)]; ok {
		return append(rows, row)
	}
	return b.takeApart(word, rows)
}

// minPart is the shortest word that words run together are taken apart into:
// with shorter ones nearly every misspelling falls into two.
const minPart = 3

// takeApart finds the two words, abbreviations among them, that word consists
// of; of several ways the one whose rarer word is most frequent.
func (b *Builtin) takeApart(word string, rows []int32) []int32 {
	best, at := int32(math.MaxInt32), 0
	for i := minPart; i <= len(word)-minPart; i++ {
		if rarer := max(b.rank(word[:i]), b.rank(word[i:])); rarer < best {
			best, at = rarer, i
		}
	}
	if at == 0 {
		return rows
	}
	for _, part := range []string{word[:at], word[at:]} {
		if alias, ok := aliases[part]; ok {
			for _, w := range alias {
				rows = append(rows, b.rows[w])
			}
			continue
		}
		rows = append(rows, b.rows[part])
	}
	return rows
}

// rank is the place of a word by frequency, that of the rarest word for an alias.
func (b *Builtin) rank(word string) int32 {
	rank := int32(math.MaxInt32)
	if alias, ok := aliases[word]; ok {
		rank = 0
		for _, w := range alias {
			rank = max(rank, b.rows[w])
		}
	} else if row, ok := b.rows[word]; ok {
		rank = row
	}
	return rank
}
