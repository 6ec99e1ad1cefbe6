// Package finding holds what reading, checking and rendering a declared schema finds:
// problems, each of which makes the schema invalid, and warnings, which do not.
package finding

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quartet-mcp/quartet/ptah/internal/plain"
)

// Kind is the sort of a problem.
type Kind string

// The kinds: of a source that cannot be read as declarations, of an index, and of
// everything else that is declared.
const (
	Source Kind = "source"
	Index  Kind = "index"
	Schema Kind = "schema"
)

// Rule is the stable code of a rule that a declaration breaks, such as FK003. Codes are
// only ever added.
type Rule string

// Problem is one broken rule. Object and Path are exact, for programs; String and Message
// are for readers.
type Problem struct {
	Kind    Kind
	Rule    Rule
	Object  string // the object's name as people write it; empty for a whole source
	Path    string // where it is declared, as the caller may see it; empty if nowhere
	Line    int    // from 1; 0 if not known
	Message string // one line: what is wrong, with the offending value, and what would be right
}

// String returns the problem as a line of text: path:line: message (rule).
func (p Problem) String() string {
	at := p.Path
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d", p.Path, p.Line)
	}
	if at != "" {
		at += ": "
	}
	return plain.Visible(fmt.Sprintf("%s%s (%s)", at, p.Message, p.Rule))
}

// Category is the sort of a warning; it is part of the contract with callers.
type Category string

// The categories.
const (
	TruncatedName             Category = "truncated-name"
	DialectScopedObject       Category = "dialect-scoped-object"
	SkippedDeclaration        Category = "skipped-declaration"
	PlaintextPassword         Category = "plaintext-password"
	TableWithoutPrimaryKey    Category = "table-without-primary-key"
	LossyType                 Category = "lossy-type"
	UnknownType               Category = "unknown-type"
	IgnoredFile               Category = "ignored-file"
	CatalogPartial            Category = "catalog-partial"
	ServerVersionApproximated Category = "server-version-approximated"
	IgnoredOption             Category = "ignored-option"
)

// Warning is one category of warnings with a line for each object it is about.
type Warning struct {
	Category Category
	Objects  []string
}

// Message says in one sentence what the objects of the warning have in common. list says
// where they are listed, such as "the result's _meta lists %s under ptah.run/warnings",
// with %s for "it" or "them"; empty: they follow the message.
func (w Warning) Message(list string) string {
	one, many, ok := sentences(w.Category)
	if !ok {
		one, many = "1 object has a warning of the category "+string(w.Category), "%d objects have warnings of the category "+string(w.Category)
	}
	message, them := one, "it"
	if n := len(w.Objects); n != 1 {
		message, them = fmt.Sprintf(many, n), "them"
	}
	if list != "" {
		message += "; " + fmt.Sprintf(list, them)
	}
	return message
}

// sentences are the messages of a category for one object and for several.
func sentences(c Category) (one, many string, ok bool) {
	switch c {
	case TruncatedName:
		return "1 name is longer than 63 bytes; the server keeps its first 63 bytes, and it is read that way",
			"%d names are longer than 63 bytes; the server keeps their first 63 bytes, and they are read that way", true
	case DialectScopedObject:
		return "1 object is declared for other dialects and left out", "%d objects are declared for other dialects and left out", true
	case SkippedDeclaration:
		return "1 statement or property declares nothing that this dialect can hold and is skipped",
			"%d statements or properties declare nothing that this dialect can hold and are skipped", true
	case PlaintextPassword:
		return "1 role has its password written in a source; it is never shown and not rendered",
			"%d roles have their passwords written in a source; they are never shown and not rendered", true
	case TableWithoutPrimaryKey:
		return "1 table has no primary key", "%d tables have no primary key", true
	case LossyType:
		return "1 type keeps less than was declared", "%d types keep less than was declared", true
	case UnknownType:
		return "1 type is not known and passed on as it is written", "%d types are not known and passed on as they are written", true
	case IgnoredFile:
		return "1 file or folder is ignored or declares nothing", "%d files or folders are ignored or declare nothing", true
	case CatalogPartial:
		return "the catalog is not complete: 1 part of it was not read", "the catalog is not complete: %d parts of it were not read", true
	case ServerVersionApproximated:
		return "1 server version is not known; the rules of the nearest known one are used", "%d server versions are not known; the rules of the nearest known ones are used", true
	case IgnoredOption:
		return "1 option means nothing to this dialect and is ignored", "%d options mean nothing to this dialect and are ignored", true
	}
	return "", "", false
}

// Report collects the findings of one piece of work. The zero value is empty and ready.
// It is not safe for concurrent use: work that runs in parallel has reports of its own
// and joins them with [Report.Add].
type Report struct {
	problems []Problem
	warnings []Warning
}

// Problem adds a problem. What cannot be seen is left out of its message: names and texts
// of others are in it.
func (r *Report) Problem(p Problem) {
	p.Message = plain.Visible(p.Message)
	r.problems = append(r.problems, p)
}

// Warn adds the line of one object to a category, without what cannot be seen.
func (r *Report) Warn(c Category, format string, args ...any) {
	line := format
	if len(args) > 0 {
		line = fmt.Sprintf(format, args...)
	}
	line = plain.Visible(line)
	for i := range r.warnings {
		if r.warnings[i].Category == c {
			r.warnings[i].Objects = append(r.warnings[i].Objects, line)
			return
		}
	}
	r.warnings = append(r.warnings, Warning{Category: c, Objects: []string{line}})
}

// Add adds everything of another report.
func (r *Report) Add(other *Report) {
	r.problems = append(r.problems, other.problems...)
	for _, w := range other.warnings {
		for _, line := range w.Objects {
			r.Warn(w.Category, "%s", line)
		}
	}
}

// Failed reports whether there is a problem.
func (r *Report) Failed() bool { return len(r.problems) > 0 }

// Problems returns the problems sorted by path, line, rule, object and message, each
// once; never nil.
func (r *Report) Problems() []Problem {
	sorted := append([]Problem{}, r.problems...)
	slices.SortFunc(sorted, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Object, b.Object), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(sorted)
}

// Warnings returns the warnings, the categories in the order in which they came up and
// their objects in the order in which they were added.
func (r *Report) Warnings() []Warning { return r.warnings }
