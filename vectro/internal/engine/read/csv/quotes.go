package csv

import "bytes"

// state is where in a record a position lies.
type state uint8

const (
	outside state = iota // not in a quoted cell
	inside               // in a quoted cell
	pending              // after a quote in a quoted cell: the end of it, unless a quote follows
)

// quoteEffect is what a block does to the state: the state at its end for each
// state at its beginning.
type quoteEffect [3]state

// effectOf reads a block. before is the byte in front of it, a line end for the
// first block.
func effectOf(block []byte, before, delim, newline byte) quoteEffect {
	e := quoteEffect{
		outside: scanQuotes(block, 0, outside, before, delim, newline),
		inside:  scanQuotes(block, 0, inside, before, delim, newline),
	}
	switch {
	case len(block) == 0:
		e[pending] = pending
	case block[0] == '"':
		e[pending] = scanQuotes(block, 1, inside, before, delim, newline)
	default:
		e[pending] = e[outside]
	}
	return e
}

// scanQuotes goes from quote to quote, beginning at position i in state s.
func scanQuotes(block []byte, i int, s state, before, delim, newline byte) state {
	for {
		q := bytes.IndexByte(block[i:], '"')
		if q < 0 {
			return s
		}
		q += i
		i = q + 1
		switch {
		case s == inside && i == len(block):
			return pending
		case s == inside && block[i] == '"':
			i++
		case s == inside:
			s = outside
		default:
			prev := before
			if q > 0 {
				prev = block[q-1]
			}
			if prev == delim || prev == newline {
				s = inside // a quote elsewhere is a character like others
			}
		}
	}
}
