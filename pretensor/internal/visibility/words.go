package visibility

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// redacted stands where a name was.
const redacted = "[hidden]"

// secrecy is how a name is looked for in texts.
type secrecy uint8

const (
	// whole is a column's: as a word, or a part of one that is set off by an
	// underscore, a hump or a digit (orders_ssn_idx), with the s of a plural or not.
	whole secrecy = iota + 1
	// anywhere is a table's or schema's, of four bytes or more: inside of other words
	// too. What follows after a dot goes with it.
	anywhere
)

// leastAnywhere is the length from which a name inside of another word is not chance.
const leastAnywhere = 4

// words finds names in texts, without regard to case.
type words struct {
	hidden  map[string]secrecy  // folded
	visible map[string]struct{} // folded: what holds a hidden name and may be seen
	longest int                 // of visible, in bytes
	phrases bool                // a visible name is more than a word

	// Of hidden, by the first four bytes: the lengths, and a filter of what is there.
	lengths map[uint32][]int
	filter  []uint64
	short   [leastAnywhere]bool // shorter ones, by their length
}

// newWords returns what finds the hidden names that no visible thing has as well.
func newWords(hidden map[string]secrecy, visible map[string]struct{}) *words {
	w := &words{hidden: map[string]secrecy{}, visible: visible, lengths: map[uint32][]int{}}
	for name := range visible {
		w.longest = max(w.longest, len(name))
		w.phrases = w.phrases || strings.ContainsFunc(name, func(r rune) bool { return !wordRune(r) })
	}
	size := 8
	for size < len(hidden)/4 {
		size *= 2
	}
	w.filter = make([]uint64, size)
	for name, s := range hidden {
		if _, ok := visible[name]; ok || name == "" {
			continue
		}
		w.hidden[name] = s
		if len(name) < leastAnywhere {
			w.short[len(name)] = true
			continue
		}
		k := key(name)
		if !slices.Contains(w.lengths[k], len(name)) {
			w.lengths[k] = append(w.lengths[k], len(name))
		}
		w.filter[hash(k)/64%uint32(size)] |= 1 << (hash(k) % 64)
	}
	for _, l := range w.lengths {
		slices.Sort(l)
		slices.Reverse(l)
	}
	return w
}

func key(s string) uint32 {
	return binary.LittleEndian.Uint32([]byte{s[0], s[1], s[2], s[3]})
}

func hash(k uint32) uint32 { return k * 2654435761 >> 8 }

// fold folds case. It keeps every byte of UTF-8 in its place.
func fold(s string) string {
	ascii, lower := true, true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
		lower = lower && (s[i] < 'A' || s[i] > 'Z')
	}
	switch {
	case ascii && lower:
		return s
	case ascii:
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// span is where a name stands in a text.
type span struct{ from, to int }

// has reports whether a text holds a hidden name.
func (w *words) has(text string) bool {
	_, ok := w.next(text, fold(text), 0)
	return ok
}

// scrub takes the words with hidden names out of a text.
func (w *words) scrub(text string) string {
	if text == "" || len(w.hidden) == 0 {
		return text
	}
	folded := fold(text)
	s, ok := w.next(text, folded, 0)
	if !ok {
		return text
	}
	if len(folded) != len(text) { // not UTF-8
		text = folded
	}
	var b strings.Builder
	at := 0
	for ok {
		if s.from > at || at == 0 {
			b.WriteString(text[at:s.from])
			b.WriteString(redacted)
		}
		at = s.to
		s, ok = w.next(text, folded, at)
	}
	b.WriteString(text[at:])
	return b.String()
}

// next finds the next hidden name from a place on, with the word that it stands in.
func (w *words) next(text, folded string, from int) (span, bool) {
	if len(w.hidden) == 0 {
		return span{}, false
	}
	if len(folded) != len(text) {
		text = folded
	}
	for i := from; i < len(folded); i++ {
		if len(folded)-i >= leastAnywhere {
			k := key(folded[i:])
			if h := hash(k); w.filter[h/64%uint32(len(w.filter))]&(1<<(h%64)) != 0 {
				for _, n := range w.lengths[k] {
					if i+n <= len(folded) && w.found(text, folded, i, i+n) {
						return w.around(folded, i, i+n, from), true
					}
				}
			}
		}
		for n := min(leastAnywhere-1, len(folded)-i); n > 0; n-- {
			if w.short[n] && w.found(text, folded, i, i+n) {
				return w.around(folded, i, i+n, from), true
			}
		}
	}
	return span{}, false
}

// found reports whether what stands at a place is a hidden name.
func (w *words) found(text, folded string, from, to int) bool {
	s, ok := w.hidden[folded[from:to]]
	if !ok {
		return false
	}
	if s == whole || to-from < leastAnywhere {
		end := func(to int) bool { return edge(text, to) }
		if !edge(text, from) || !end(to) &&
			!(strings.HasPrefix(folded[to:], "s") && end(to+1)) && !(strings.HasPrefix(folded[to:], "es") && end(to+2)) {
			return false
		}
	}
	return !w.excused(text, folded, from, to)
}

// maxEdges is how many edges to each side of a hidden name a visible one around it
// may have.
const maxEdges = 24

// excused reports whether a name stands in one that is visible.
func (w *words) excused(text, folded string, from, to int) bool {
	inside := func(r rune) bool { return w.phrases || wordRune(r) }
	var ends []int
	for b := to; b-from <= w.longest && len(ends) < maxEdges; {
		if edge(text, b) {
			ends = append(ends, b)
		}
		r, n := utf8.DecodeRuneInString(folded[b:])
		if n == 0 || !inside(r) {
			break
		}
		b += n
	}
	for a, edges := from, 0; to-a <= w.longest && edges < maxEdges; {
		if edge(text, a) {
			edges++
			for _, b := range ends {
				if _, ok := w.visible[folded[a:b]]; ok {
					return true
				}
			}
		}
		r, n := utf8.DecodeLastRuneInString(folded[:a])
		if n == 0 || !inside(r) {
			break
		}
		a -= n
	}
	return false
}

// around is the word that a name stands in and, after a table's, what a dot says to
// be in it. It begins at least at a place.
func (w *words) around(folded string, from, to, least int) span {
	name := folded[from:to]
	for from > least {
		r, n := utf8.DecodeLastRuneInString(folded[:from])
		first, _ := utf8.DecodeRuneInString(folded[from:])
		if !wordRune(r) || !wordRune(first) {
			break
		}
		from -= n
	}
	to = wordEnd(folded, to)
	if w.hidden[name] != anywhere {
		return span{from, to}
	}
	for {
		at := to
		if at < len(folded) && strings.IndexByte("\"`]", folded[at]) >= 0 {
			at++
		}
		if at >= len(folded) || folded[at] != '.' {
			return span{from, to}
		}
		at++
		if at < len(folded) && strings.IndexByte("\"`[", folded[at]) >= 0 {
			at++
		}
		r, n := utf8.DecodeRuneInString(folded[at:])
		if !wordRune(r) {
			return span{from, to}
		}
		to = wordEnd(folded, at+n)
	}
}

// wordEnd is where the word ends that the character before a place belongs to.
func wordEnd(text string, at int) int {
	if r, _ := utf8.DecodeLastRuneInString(text[:at]); !wordRune(r) {
		return at
	}
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		if !wordRune(r) {
			break
		}
		at += n
	}
	return at
}

// wordRune reports whether names are made of a character without quotes.
func wordRune(r rune) bool { return r == '_' || r == '$' || letter(r) || digit(r) }

// letter reports whether a character belongs to the letters beside it. Those of
// scripts without blanks between words do not.
func letter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

// edge reports whether a part of a word may begin or end at a place: beside anything
// but letters and digits, between those, and at the hump of camel case.
func edge(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return true
	}
	if !utf8.RuneStart(text[at]) {
		return false
	}
	a, _ := utf8.DecodeLastRuneInString(text[:at])
	b, n := utf8.DecodeRuneInString(text[at:])
	switch {
	case letter(a) && letter(b):
		if unicode.IsLower(a) && unicode.IsUpper(b) {
			return true
		}
		// The last capital of a run belongs to what follows: HTTPServer.
		c, _ := utf8.DecodeRuneInString(text[at+n:])
		return unicode.IsUpper(a) && unicode.IsUpper(b) && unicode.IsLower(c)
	case digit(a) && digit(b):
		return false
	}
	return true
}
