package sqltree

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// SyntaxError is what a front end returns for a text that it does not accept:
// one that the grammar refuses, or one over a limit. The span is the place in
// the text as given; where only a point is known it is the token there, or empty
// at the end of the text.
type SyntaxError struct {
	Span
	Message string // without the place
	// Line and Column of Start, both from 1; the column counts bytes.
	Line, Column int
}

// NewSyntaxError returns the error with its line and column. A span beyond the
// text is moved to its end.
func NewSyntaxError(text string, span Span, message string) *SyntaxError {
	span.Start = min(max(span.Start, 0), len(text))
	span.End = min(max(span.End, span.Start), len(text))
	before := text[:span.Start]
	return &SyntaxError{
		Span:    span,
		Message: message,
		Line:    1 + strings.Count(before, "\n"),
		Column:  len(before) - strings.LastIndexByte(before, '\n'),
	}
}

// ErrTooDeep is what the [*SyntaxError] of a text is that nests too deeply, or whose
// operators would: errors.Is tells.
var ErrTooDeep = errors.New("nested too deeply")

// tooDeep are the beginnings of the front ends' messages about depth.
var tooDeep = []string{"nested too deeply", "text nests too deeply", "statement nests too deeply", "brackets nest deeper", "too many operators in a row"}

// Is makes the error one of [ErrTooDeep].
func (e *SyntaxError) Is(target error) bool {
	return target == ErrTooDeep && slices.ContainsFunc(tooDeep, func(m string) bool { return strings.HasPrefix(e.Message, m) })
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s (line %d, column %d)", e.Message, e.Line, e.Column)
}

// One returns the only statement of a script. A script without any and one with
// a second are a [*SyntaxError]; the latter's span is the second statement.
func One(s *Script) (Statement, error) {
	switch len(s.Statements) {
	case 0:
		return nil, NewSyntaxError(s.Text, Span{len(s.Text), len(s.Text)}, "there is no statement in the text")
	case 1:
		return s.Statements[0], nil
	}
	return nil, NewSyntaxError(s.Text, s.Statements[1].Pos(),
		fmt.Sprintf("one statement is expected, and a second of %d begins here", len(s.Statements)))
}
