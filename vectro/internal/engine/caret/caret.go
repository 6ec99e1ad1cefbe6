// Package caret makes what someone wrote, or what stands in a file, fit for a
// message: it prints a line of a text with a mark under a place, the way compilers
// do, and takes out of names and values what a reader cannot see.
package caret

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// window is how many characters of a long line are shown on each side of the place.
const window = 60

// Show returns two lines, each indented by two spaces and without a final line
// end: the line of text that holds byte offset at, and a '^' under that place.
// A line longer than the window is cut on both sides, marked with '…'. Tabs and
// other characters without a width of their own are shown as spaces, so that the
// mark stands under the place wherever wide characters take two cells.
// An offset beyond the text means its end.
func Show(text string, at int) string {
	at = max(0, min(at, len(text)))
	start := strings.LastIndexAny(text[:at], "\r\n") + 1
	end := len(text)
	if i := strings.IndexAny(text[at:], "\r\n"); i >= 0 {
		end = at + i
	}
	before := []rune(text[start:at])
	after := []rune(text[at:end])
	var line, mark strings.Builder
	line.WriteString("  ")
	mark.WriteString("  ")
	if len(before) > window {
		before = before[len(before)-window:]
		line.WriteRune('…')
		mark.WriteByte(' ')
	}
	for _, r := range before {
		r, cells := printable(r)
		line.WriteRune(r)
		mark.WriteString("  "[:cells])
	}
	mark.WriteByte('^')
	cut := len(after) > window
	if cut {
		after = after[:window]
	}
	for _, r := range after {
		r, _ := printable(r)
		line.WriteRune(r)
	}
	if cut {
		line.WriteRune('…')
	}
	return strings.TrimRight(line.String(), " ") + "\n" + mark.String()
}

// Position returns the position of a byte offset in characters (code points),
// the first being 1.
func Position(text string, at int) int {
	return utf8.RuneCountInString(text[:max(0, min(at, len(text)))]) + 1
}

// Offset is the inverse of [Position]: the byte offset of a character counted
// from 1. A position beyond the text gives its end.
func Offset(text string, pos int) int {
	for i := range text {
		if pos--; pos <= 0 {
			return i
		}
	}
	return len(text)
}

// Quote puts a name or value into single quotes for a message, cleaned by [Clean].
func Quote(s string) string { return "'" + Clean(s) + "'" }

// Clean makes a name or value fit for a message: characters that do not print
// become '�', and what is longer than 80 characters is cut.
func Clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > 80 {
			b.WriteRune('…')
			break
		}
		b.WriteRune(visible(r))
	}
	return b.String()
}

// Line makes a whole message fit to be read, however many names and values it
// holds: one line, in which characters that do not print are '�'. The errors of the
// engine's packages pass through here as they become text, so that a name that was
// put in as it stands in a file does no harm.
func Line(s string) string { return strings.Map(visible, s) }

// visible returns r, or '�' for what a reader does not see as a character of its
// own: controls and line ends, characters that order or join others (bidirectional
// marks, zero-width ones, tags, variation selectors), and blank letters.
func visible(r rune) rune {
	switch {
	case !unicode.IsPrint(r), unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return utf8.RuneError
	}
	return r
}

// printable returns what to print for r and how many cells it takes.
func printable(r rune) (rune, int) {
	switch {
	case visible(r) == utf8.RuneError:
		return ' ', 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return r, 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return r, 2
	}
	return r, 1
}
