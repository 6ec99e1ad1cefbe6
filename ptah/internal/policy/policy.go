// Package policy decides what may be done: it holds the capabilities that a session can
// have, and for each of them, scope by scope, a verdict and the layer that set it.
//
// Four layers follow one another: what is built in, the file of the user, the flags of
// the invocation, and the file of the project. The first three may widen and narrow. The
// project's file is content of a repository, which a model may have written: it can only
// narrow.
package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
)

// Verdict is what happens when something is to be done.
type Verdict string

// The verdicts, from the widest.
const (
	Allow Verdict = "allow"
	Ask   Verdict = "ask" // a person is asked each time
	Deny  Verdict = "deny"
)

// Verdicts lists the verdicts, from the widest.
func Verdicts() []Verdict { return []Verdict{Allow, Ask, Deny} }

// ParseVerdict reads the exact name of a verdict.
func ParseVerdict(name string) (Verdict, error) {
	if v := Verdict(name); slices.Contains(Verdicts(), v) {
		return v, nil
	}
	return "", fmt.Errorf("unknown verdict %.80q; the verdicts are allow, ask, deny", name)
}

// wider reports whether v lets more happen than w.
func (v Verdict) wider(w Verdict) bool {
	return slices.Index(Verdicts(), v) < slices.Index(Verdicts(), w)
}

// Class is how much harm can come of a database, as its operator says.
type Class string

// The classes of databases.
const (
	Ephemeral    Class = "ephemeral"
	Dev          Class = "dev"
	Target       Class = "target"
	Production   Class = "production"
	Unclassified Class = "unclassified"
)

// Classes lists the classes of databases.
func Classes() []Class { return []Class{Ephemeral, Dev, Target, Production, Unclassified} }

// ParseClass reads the exact name of a class of databases.
func ParseClass(name string) (Class, error) {
	if c := Class(name); slices.Contains(Classes(), c) {
		return c, nil
	}
	return "", fmt.Errorf("unknown database class %.80q; the classes are %s", name, strings.Join(scopesOf(Classes()), ", "))
}

// Capability is a kind of action.
type Capability string

// The capabilities.
const (
	DocsRead                 Capability = "docs.read"
	ProjectRead              Capability = "project.read"
	SchemaValidate           Capability = "schema.validate"
	SchemaRender             Capability = "schema.render"
	SchemaLineage            Capability = "schema.lineage"
	SchemaExternalExecute    Capability = "schema.external_execute"
	DatabaseInspect          Capability = "database.inspect"
	DatabaseReadRows         Capability = "database.read_rows"
	DatabaseExecuteSQL       Capability = "database.execute_sql"
	MigrationApply           Capability = "migration.apply"
	ArtifactRead             Capability = "artifact.read"
	ArtifactWrite            Capability = "artifact.write"
	ArtifactDelete           Capability = "artifact.delete"
	FilesystemArbitraryRead  Capability = "filesystem.arbitrary_read"
	FilesystemArbitraryWrite Capability = "filesystem.arbitrary_write"
	ShellExecute             Capability = "shell.execute"
	NetworkArbitrary         Capability = "network.arbitrary"
)

// definition is what is built in of a capability.
type definition struct {
	capability Capability
	scopes     []string // none: the capability has no scope
	verdicts   []Verdict
	hard       bool // no layer can widen it
}

// definitions returns the capabilities in the order in which they are shown.
func definitions() []definition {
	none := []string{""}
	databases := scopesOf(Classes())
	artifacts := scopesOf(artifact.Classes())
	all := func(scopes []string, v Verdict) []Verdict { return slices.Repeat([]Verdict{v}, len(scopes)) }
	return []definition{
		{DocsRead, none, []Verdict{Allow}, false},
		{ProjectRead, none, []Verdict{Allow}, false},
		{SchemaValidate, none, []Verdict{Allow}, false},
		{SchemaRender, none, []Verdict{Allow}, false},
		{SchemaLineage, none, []Verdict{Allow}, false},
		{SchemaExternalExecute, none, []Verdict{Deny}, false},
		{DatabaseInspect, databases, []Verdict{Allow, Ask, Ask, Deny, Deny}, false},
		{DatabaseReadRows, databases, all(databases, Deny), false},
		{DatabaseExecuteSQL, databases, all(databases, Deny), false},
		{MigrationApply, databases, all(databases, Deny), false},
		{ArtifactRead, artifacts, all(artifacts, Allow), false},
		{ArtifactWrite, artifacts, all(artifacts, Ask), false},
		{ArtifactDelete, artifacts, all(artifacts, Deny), false},
		{FilesystemArbitraryRead, none, []Verdict{Deny}, true},
		{FilesystemArbitraryWrite, none, []Verdict{Deny}, true},
		{ShellExecute, none, []Verdict{Deny}, true},
		{NetworkArbitrary, none, []Verdict{Deny}, true},
	}
}

func scopesOf[T ~string](names []T) []string {
	scopes := make([]string, 0, len(names))
	for _, n := range names {
		scopes = append(scopes, string(n))
	}
	return scopes
}
