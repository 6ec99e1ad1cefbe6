package visibility

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of a pattern. Every way to split one at its dots is kept.
const (
	maxPattern = 1024 // bytes
	maxMarks   = 12   // dots and double colons
)

// Literal is the part of a pattern that matches exactly this name, whatever
// characters are in it.
func Literal(name string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]", ".", "[.]", ":", "[:]", " ", "[ ]").Replace(name)
}

// glob is a shell glob.
type glob struct {
	literal bool
	text    string // of a literal
	items   []item
}

// item matches one character, or any number of them.
type item struct {
	star   bool
	not    bool
	ranges [][2]rune // nil: any character
}

// newGlob reads a glob. In brackets stand characters and ranges of them, after ! or
// ^ those that are not meant; a ] that is meant stands first.
func newGlob(text string) (glob, error) {
	g := glob{literal: true}
	var literal strings.Builder
	for rest := text; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		it := item{ranges: [][2]rune{{r, r}}}
		switch r {
		case '*':
			it = item{star: true}
		case '?':
			it = item{}
		case '[':
			var err error
			if it, n, err = class(rest); err != nil {
				return glob{}, err
			}
		}
		rest = rest[n:]
		if it.star && len(g.items) > 0 && g.items[len(g.items)-1].star {
			continue
		}
		g.items = append(g.items, it)
		if one := !it.star && !it.not && len(it.ranges) == 1 && it.ranges[0][0] == it.ranges[0][1]; one {
			literal.WriteRune(it.ranges[0][0])
		} else {
			g.literal = false
		}
	}
	if g.literal {
		g.text, g.items = literal.String(), nil
	}
	return g, nil
}

// class reads brackets and says how many bytes they take.
func class(text string) (item, int, error) {
	at := 1
	it := item{ranges: [][2]rune{}}
	if strings.HasPrefix(text[at:], "!") || strings.HasPrefix(text[at:], "^") {
		it.not = true
		at++
	}
	next := func() rune {
		r, n := utf8.DecodeRuneInString(text[at:])
		at += n
		return r
	}
	for first := true; ; first = false {
		if at >= len(text) {
			return item{}, 0, errors.New("has a [ without ]; [[] stands for the character itself")
		}
		lo := next()
		if lo == ']' && !first {
			return it, at, nil
		}
		hi := lo
		if strings.HasPrefix(text[at:], "-") && at+1 < len(text) && text[at+1] != ']' {
			at++
			hi = next()
		}
		if hi < lo {
			return item{}, 0, fmt.Errorf("has a range that runs backwards; write [%c-%c]", hi, lo)
		}
		it.ranges = append(it.ranges, [2]rune{lo, hi})
	}
}

func (i *item) match(r rune) bool {
	if i.ranges == nil {
		return true
	}
	return slices.ContainsFunc(i.ranges, func(x [2]rune) bool { return x[0] <= r && r <= x[1] }) != i.not
}

// match reports whether the whole name matches, in time of the product of both
// lengths at most.
func (g *glob) match(name string) bool {
	if g.literal {
		return name == g.text
	}
	at, pos := 0, 0
	star, back := -1, 0 // the last star, and from where what follows it is tried next
	for pos < len(name) {
		r, n := utf8.DecodeRuneInString(name[pos:])
		switch {
		case at < len(g.items) && g.items[at].star:
			star, back = at, pos
			at++
		case at < len(g.items) && g.items[at].match(r):
			at, pos = at+1, pos+n
		case star >= 0:
			_, n := utf8.DecodeRuneInString(name[back:])
			back += n
			at, pos = star+1, back
		default:
			return false
		}
	}
	for at < len(g.items) && g.items[at].star {
		at++
	}
	return at == len(g.items)
}

// place is which of its names a part of a pattern is for.
type place int

const (
	connection place = iota
	schema
	table
	column
	places
)

// tuple is the names of a thing.
type tuple [places]string

// parts is one way to understand a pattern: a glob for each name that it gives, and
// nil for the others.
type parts [places]*glob

// split returns every way to understand a pattern for what last says, in front of
// which the names of schema and table may stand, and that of the connection.
func split(pattern string, last place) ([]parts, error) {
	if err := check(pattern); err != nil {
		return nil, err
	}
	var ways []parts
	understand := func(conn *glob, names ...string) {
		p := parts{connection: conn}
		for i, n := range names {
			g, err := newGlob(n)
			if err != nil || n == "" {
				return // a name between two dots
			}
			p[last-place(len(names)-1-i)] = &g
		}
		ways = append(ways, p)
	}
	names := func(conn *glob, text string) {
		understand(conn, text)
		dots := marks(text, ".")
		for i, d := range dots {
			if last > schema {
				understand(conn, text[:d], text[d+1:])
			}
			for _, e := range dots[i+1:] {
				if last > table {
					understand(conn, text[:d], text[d+1:e], text[e+1:])
				}
			}
		}
	}
	names(nil, pattern)
	for _, c := range marks(pattern, "::") {
		g, err := newGlob(pattern[:c])
		if err != nil {
			return nil, err
		}
		names(&g, pattern[c+2:])
	}
	return ways, nil
}

// check says what is wrong with a pattern.
func check(pattern string) error {
	if pattern == "" {
		return errors.New("is empty; * matches everything")
	}
	if len(pattern) > maxPattern {
		return fmt.Errorf("has %d bytes, at most %d are allowed", len(pattern), maxPattern)
	}
	if _, err := newGlob(pattern); err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(pattern, "!"):
		return fmt.Errorf("begins with !, which negates nothing here; only %q has a meaning, and matches nothing", Nothing)
	case strings.TrimSpace(pattern) != pattern:
		return errors.New("has blanks around it; [ ] stands for one that is meant")
	case strings.Trim(pattern, ".:") != pattern:
		return errors.New("lacks a name before or after a dot or colon; * matches every name")
	case len(marks(pattern, "."))+len(marks(pattern, "::")) > maxMarks:
		return fmt.Errorf("has more than %d dots and colons", maxMarks)
	}
	return nil
}

// marks lists where a mark stands in a sound pattern, outside of brackets.
func marks(pattern, mark string) []int {
	var out []int
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '[' {
			_, n, err := class(pattern[i:])
			if err != nil {
				return out
			}
			i += n - 1
		} else if strings.HasPrefix(pattern[i:], mark) {
			out = append(out, i)
			i += len(mark) - 1
		}
	}
	return out
}

// matcher is the patterns of a list.
type matcher struct {
	none  bool // there are no patterns
	exact map[given]bool
	masks []uint8 // those in exact
	globs []parts
}

// given is parts that are all literal; mask has a bit for each that is not nil.
type given struct {
	mask  uint8
	names tuple
}

// newMatcher compiles sound patterns. Those without wildcards are looked up: a list
// of grants may be long.
func newMatcher(patterns []string, last place) matcher {
	m := matcher{none: len(patterns) == 0, exact: map[given]bool{}}
	for _, pattern := range patterns {
		if pattern == Nothing {
			continue
		}
		ways, err := split(pattern, last)
		if err != nil {
			continue
		}
		for _, p := range ways {
			var n given
			literal := true
			for i, g := range p {
				if g != nil {
					n.mask |= 1 << i
					n.names[i] = g.text
					literal = literal && g.literal
				}
			}
			if !literal {
				m.globs = append(m.globs, p)
				continue
			}
			m.exact[n] = true
			if !slices.Contains(m.masks, n.mask) {
				m.masks = append(m.masks, n.mask)
			}
		}
	}
	return m
}

// match reports whether a pattern matches.
func (m *matcher) match(names tuple) bool {
	return m.listed(names) || slices.ContainsFunc(m.globs, func(p parts) bool { return p.match(names, 0, places) })
}

// of is the matcher of the columns of one table.
func (m *matcher) of(names tuple) func(name string) bool {
	var globs []parts
	for _, p := range m.globs {
		if p.match(names, 0, column) {
			globs = append(globs, p)
		}
	}
	return func(name string) bool {
		names[column] = name
		return m.listed(names) || slices.ContainsFunc(globs, func(p parts) bool { return p.match(names, column, places) })
	}
}

func (m *matcher) listed(names tuple) bool {
	for _, mask := range m.masks {
		n := given{mask: mask}
		for i := range names {
			if mask&(1<<i) != 0 {
				n.names[i] = names[i]
			}
		}
		if m.exact[n] {
			return true
		}
	}
	return false
}

// match reports whether the globs from one place up to before another match.
func (p *parts) match(names tuple, from, to place) bool {
	for i := from; i < to; i++ {
		if p[i] != nil && !p[i].match(names[i]) {
			return false
		}
	}
	return true
}
