package mcpkit

import "fmt"

// Kind says what sort of thing went wrong. Clients see the lower-case name of
// the kind as the code of an error that has none of its own.
type Kind string

// The kinds of errors. [Internal] is what an error becomes that is no [Error].
const (
	InvalidArgument Kind = "invalid_argument" // the call breaks a rule of its arguments
	NotFound        Kind = "not_found"        // a thing the call names does not exist
	Ambiguous       Kind = "ambiguous"        // a name in the call fits several things
	Conflict        Kind = "conflict"         // the state of things forbids it now
	Expired         Kind = "expired"          // a handle was good once
	Denied          Kind = "denied"           // a rule forbids it
	TooLarge        Kind = "too_large"        // over a limit
	Unavailable     Kind = "unavailable"      // something outside does not answer
	Internal        Kind = "internal"         // a fault of the server
)

// Error is a mistake that the caller of a tool can read and act on. A handler
// returns it, wrapped or not; mcpkit makes the result of it.
type Error struct {
	Kind    Kind
	Code    string         // the product's own stable code; empty means the kind
	Field   string         // the argument at fault, with its path: "group_by[1]"
	Message string         // what is wrong, with the offending value
	Fix     string         // what would work
	Data    map[string]any // further fields of the machine-readable form
	Err     error          // the cause, for the log; callers never see it
}

// Errorf returns an error of the kind with a message. A %w verb sets the cause
// as it does in [fmt.Errorf]; the text of the cause is then part of the message.
func Errorf(kind Kind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	e := &Error{Kind: kind, Message: err.Error()}
	if u, ok := err.(interface{ Unwrap() error }); ok {
		e.Err = u.Unwrap()
	}
	return e
}

// Error returns the message, then what would work.
func (e *Error) Error() string {
	if e.Fix == "" {
		return e.Message
	}
	return e.Message + "; " + e.Fix
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
