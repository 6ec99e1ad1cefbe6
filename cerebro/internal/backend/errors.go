package backend

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Code is what kind of error an [Error] is; the words are those that clients see.
type Code string

// The codes.
const (
	Unavailable   Code = "backend_unavailable"
	NotFound      Code = "not_found"
	UnknownColumn Code = "unknown_column"
	Failed        Code = "query_failed"
	Rejected      Code = "sql_rejected"
	Denied        Code = "relation_denied"
	Timeout       Code = "timeout"
	Cancelled     Code = "cancelled"
	TooLarge      Code = "too_large"
	CostBlocked   Code = "cost_blocked"
	Invalid       Code = "invalid_arguments"
	Disabled      Code = "disabled"
)

// Error is a statement that did not run to its end.
type Error struct {
	Code    Code
	Message string // of the engine, cleaned
	Hint    string // what would help, empty when there is nothing to say
	// Name is what is not known to the engine, and Near what it might be.
	Name string
	Near []string
	// Repairable: the statement is sound but for how it names columns or where it
	// aggregates, so that one that is written otherwise may run.
	Repairable bool
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

// AsError finds the [*Error] in an error. Anything else becomes one that says the
// same: an end of a context, or a failed query.
func AsError(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: Timeout, Message: "the query took longer than it may", Hint: "narrow the range of time or aggregate more"}
	case errors.Is(err, context.Canceled):
		return &Error{Code: Cancelled, Message: "the query was cancelled"}
	}
	return &Error{Code: Failed, Message: Clean(err.Error())}
}

// Ended is the error of a context that ended, with the one that it was ended for;
// nil while it has not.
func Ended(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return AsError(context.DeadlineExceeded)
	}
	return AsError(context.Canceled)
}

// maxMessage is the longest message that a client sees.
const maxMessage = 2000

var (
	trace   = regexp.MustCompile(`(?is)[\s,.]*\bstack trace:.*`)
	release = regexp.MustCompile(`\s*\(version \d[^()]*(?:\([^()]*\))?\)`)
	address = regexp.MustCompile(`\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b|\[[0-9a-fA-F:]{2,}\]:\d+|\b(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9-]*[A-Za-z][A-Za-z0-9-]*:\d{2,5}\b`)
	path    = regexp.MustCompile(`(^|[\s"'(=\[])(?:[A-Za-z]:\\|/)(?:[^\s"'():/\\]+[/\\])+[^\s"'():/\\]*`)
	blanks  = regexp.MustCompile(`\n{3,}`)
)

// Clean makes an engine's message one for clients: without stack traces, versions,
// addresses of hosts and paths of files, and cut to 2000 characters.
func Clean(message string) string {
	message = strings.ToValidUTF8(message, "\uFFFD")
	message = trace.ReplaceAllString(message, "")
	message = release.ReplaceAllString(message, "")
	message = address.ReplaceAllString(message, "(host)")
	message = path.ReplaceAllString(message, "${1}(file)")
	message = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, message)
	return cut(strings.TrimSpace(blanks.ReplaceAllString(message, "\n\n")), maxMessage)
}

// cut shortens a text to a number of characters and marks that it did.
func cut(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n == most-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
