package sqlcheck

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// places finds lines and columns in a text. It looks at no more than a block of the
// text for each: a long line may have as many faults as it has words.
type places struct {
	text  string
	lines []int // where each begins
	runes []int // how many begin before each block
}

const placeBlock = 1 << 10

func newPlaces(text string) *places {
	p := &places{text: text, lines: []int{0}}
	for at := 0; ; {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
		p.lines = append(p.lines, at)
	}
	n := 0
	for i := range len(text) {
		if i%placeBlock == 0 {
			p.runes = append(p.runes, n)
		}
		if utf8.RuneStart(text[i]) {
			n++
		}
	}
	p.runes = append(p.runes, n) // for the end of a text of whole blocks
	return p
}

// at is the line and column of a byte offset, both from 1.
func (p *places) at(offset int) (line, column int) {
	offset = min(offset, len(p.text))
	line = sort.SearchInts(p.lines, offset+1)
	return line, 1 + p.before(offset) - p.before(p.lines[line-1])
}

// before is how many characters begin before an offset.
func (p *places) before(offset int) int {
	block := offset / placeBlock
	n := p.runes[block]
	for i := block * placeBlock; i < offset; i++ {
		if utf8.RuneStart(p.text[i]) {
			n++
		}
	}
	return n
}
