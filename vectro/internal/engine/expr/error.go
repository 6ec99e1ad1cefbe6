package expr

import (
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
)

// Error is a mistake in an expression.
type Error struct {
	Message    string   // what is wrong: "unknown column 'pric'"
	Hint       string   // what would be right: "did you mean 'price'?"; may be empty
	Pos        int      // where, in code points from 1
	Text       string   // the whole expression
	Candidates []string // names that were probably meant, the nearest first

	at      int   // Pos as a byte offset
	unknown *Node // the name, if it is one that is not known
}

// Error returns the message with its position and hint, then the line of the
// expression with a caret under the place.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(caret.Line(e.Message))
	b.WriteString(" at position ")
	b.WriteString(strconv.Itoa(e.Pos))
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(caret.Line(e.Hint))
	}
	if strings.TrimSpace(e.Text) == "" {
		return b.String() // there is no line to show
	}
	b.WriteByte('\n')
	b.WriteString(caret.Show(e.Text, e.at))
	return b.String()
}

// fail makes an Error at a byte offset. What follows the first "; " outside of
// quotes is its hint.
func fail(text string, at int, message string) *Error {
	e := &Error{Message: message, Text: text, at: at, Pos: caret.Position(text, at)}
	quoted := false
	for i := 0; i < len(message); i++ {
		switch {
		case message[i] == '\'':
			quoted = !quoted
		case !quoted && strings.HasPrefix(message[i:], "; "):
			e.Message, e.Hint = message[:i], message[i+2:]
			return e
		}
	}
	return e
}
