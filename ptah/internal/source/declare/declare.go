// Package declare holds what annotations of Go structs and YAML files have in common:
// which objects can be declared, which attributes each of them has, and what these mean
// in the model, so that the same thing said in both languages is the same schema.
//
// The reader of a language makes a [Spec] of each declaration and gives it the attributes
// as they are written. [Spec.Done] checks them, and the methods of [Unit] turn specs into
// objects of the model. Problems go to the unit's report; what is right is kept.
package declare

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Unit is one source that is being read: a root of Go files, or a YAML file.
type Unit struct {
	DB       *schema.Database
	Dialect  dialect.Dialect
	Report   *finding.Report
	Language schema.Language

	first map[string]*Spec // the first declaration of each object
	enums map[schema.Name]bool
}

// NewUnit returns a unit with an empty model.
func NewUnit(l schema.Language, d dialect.Dialect, rep *finding.Report) *Unit {
	return &Unit{
		DB: &schema.Database{}, Dialect: d, Report: rep, Language: l,
		first: map[string]*Spec{}, enums: map[schema.Name]bool{},
	}
}

// Problem reports a mistake of the source. Values in its text are cut by the caller.
func (u *Unit) Problem(at schema.Origin, rule finding.Rule, object, format string, args ...any) {
	kind := finding.Schema
	switch {
	case strings.HasPrefix(string(rule), "SRC"):
		kind = finding.Source
	case strings.HasPrefix(string(rule), "IDX"):
		kind = finding.Index
	}
	u.Report.Problem(finding.Problem{
		Kind: kind, Rule: rule, Object: object, Path: at.Path, Line: at.Line, Message: fmt.Sprintf(format, args...),
	})
}

// Warn adds a warning that begins with the place it is about, in the words of the language.
func (u *Unit) Warn(at schema.Origin, c finding.Category, format string, args ...any) {
	source := "schema file "
	if u.Language == schema.Annotation {
		source = "annotation "
	}
	u.Report.Warn(c, "%s%s: %s", source, at, fmt.Sprintf(format, args...))
}

// isFirst reports whether an object is to be added to the model: it is the first with its
// key, beside those of its kind. Another that says the same is dropped, and one that does
// not is a problem.
func (u *Unit) isFirst(s *Spec, shown string, key ...string) bool {
	k := s.Kind.Name + "\x00" + strings.Join(key, "\x00")
	old := u.first[k]
	if old == nil {
		u.first[k] = s
		return true
	}
	if !old.says(s) {
		u.Problem(s.Origin, "SRC007", shown, "%s %.80q is declared differently at %s", s.Kind.Name, shown, old.Origin)
	}
	return false
}

// isFirstOf is isFirst for what has a name beside others of a table.
func (u *Unit) isFirstOf(s *Spec, table schema.Name, name string) bool {
	return u.isFirst(s, name, table.Schema, table.Name, name)
}
