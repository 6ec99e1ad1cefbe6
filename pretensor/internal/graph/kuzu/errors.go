package kuzu

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// Errors of opening, closing and writing.
var (
	ErrNotFound = errors.New("there is no graph")
	ErrClosed   = errors.New("the graph is closed")
	ErrTimeout  = errors.New("the query took too long")
)

// Kind says which part of the engine refused something.
type Kind string

// The kinds.
const (
	Parser      Kind = "parser"
	Binder      Kind = "binder" // an unknown label, property, variable or function
	Catalog     Kind = "catalog"
	Runtime     Kind = "runtime"
	Copy        Kind = "copy"
	Connection  Kind = "connection"
	Buffer      Kind = "buffer" // not enough memory within the limit
	IO          Kind = "io"
	Transaction Kind = "transaction" // a write on a graph that is open for reading
	Interrupted Kind = "interrupted"
	Value       Kind = "value"     // a value that cannot be represented
	Argument    Kind = "parameter" // a parameter that is missing or of no use
	Unknown     Kind = "unknown"
)

// Error is what the engine says. Its message is scrubbed of the paths of the graph
// and of temporary files.
type Error struct {
	Kind    Kind
	Message string // without the prefix that Kind stands for
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Kind, e.Message) }

// prefixes are how the engine's messages begin.
var prefixes = []struct {
	text string
	kind Kind
}{
	{"Parser exception", Parser},
	{"Binder exception", Binder},
	{"Catalog exception", Catalog},
	{"Function exception", Binder},
	{"Runtime exception", Runtime},
	{"Overflow exception", Runtime},
	{"Conversion exception", Runtime},
	{"Copy exception", Copy},
	{"Connection exception", Connection},
	{"Buffer manager exception", Buffer},
	{"IO exception", IO},
	{"Storage exception", IO},
	{"Transaction manager exception", Transaction},
	{"Interrupted", Interrupted},
}

// readOnly is how the engine refuses a write; it is a connection exception to it.
const readOnly = "Cannot execute write operations in a read-only database"

// classify turns an error of the binding into an *Error. dirs are the folders whose
// names must not be seen.
func classify(err error, dirs ...string) error {
	if err == nil {
		return nil
	}
	text := scrub(unformat(err.Error()), dirs...)
	if strings.Contains(text, readOnly) {
		return &Error{Transaction, readOnly}
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(text, p.text); ok {
			if message := strings.TrimLeft(rest, ": ."); message != "" {
				text = message
			}
			return &Error{p.kind, strings.TrimSpace(text)}
		}
	}
	return &Error{Unknown, strings.TrimSpace(text)}
}

// The binding uses the engine's message as a format: what looks like a verb in it
// has been replaced.
var verb = regexp.MustCompile(`%!(.)\(MISSING\)|%!\(NOVERB\)`)

func unformat(text string) string {
	return verb.ReplaceAllStringFunc(text, func(m string) string {
		if m == "%!(NOVERB)" {
			return "%"
		}
		return "%" + verb.FindStringSubmatch(m)[1]
	})
}

func scrub(text string, dirs ...string) string {
	for _, dir := range dirs {
		if dir = filepath.Clean(dir); dir == "." || dir == "/" {
			continue
		}
		text = strings.ReplaceAll(text, dir+string(filepath.Separator), "")
		text = strings.ReplaceAll(text, dir, "<graph>")
	}
	return text
}
