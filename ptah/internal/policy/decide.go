package policy

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
)

// Layer is where a verdict comes from.
type Layer string

// The layers, each over the one before it.
const (
	Builtin    Layer = "builtin"
	User       Layer = "user"
	Invocation Layer = "invocation"
	Project    Layer = "project"
)

// Row is what was decided of a capability in a scope.
type Row struct {
	Capability Capability
	Scope      string // empty: the capability has none
	Verdict    Verdict
	DecidedBy  Layer
}

// Name returns the capability, with its scope after a colon.
func (r Row) Name() string { return name(r.Capability, r.Scope) }

func name(c Capability, scope string) string {
	if scope == "" {
		return string(c)
	}
	return string(c) + ":" + scope
}

// Refused returns the error of a row that denies, and nil of another.
func (r Row) Refused() error {
	if r.Verdict != Deny {
		return nil
	}
	return code.New(code.CapabilityDenied, "policy denies %s (decided by the %s layer)", r.Name(), r.DecidedBy).
		WithHint("%s", r.remedy())
}

// remedy says what the operator could do about a verdict.
func (r Row) remedy() string {
	switch {
	case r.DecidedBy == Project:
		return "the project's own policy file narrows this; its owner may change it"
	case r.Capability == ArtifactWrite:
		return fmt.Sprintf("the operator may start the server with --allow-write %s", r.Scope)
	case r.Capability == ArtifactDelete:
		return fmt.Sprintf("the operator may start the server with --allow-delete %s", r.Scope)
	case r.Capability == DatabaseInspect && (r.Scope == string(Production) || r.Scope == string(Unclassified)):
		return "the operator may classify the database, or allow this in the user's policy file"
	}
	return "the operator may allow this in the user's policy file"
}

// Policy is every verdict of a session. It does not change.
type Policy struct {
	rows    []Row
	ignored []string
}

// New puts the layers over one another: the rules of the user's file, of the invocation
// and of the project's file, each in their order, of which the last that covers a row
// counts. What the project's rules would widen is left as it is; see [Policy.Ignored].
func New(user, invocation, project []Rule) (*Policy, error) {
	p := &Policy{}
	for _, d := range definitions() {
		for i, scope := range d.scopes {
			p.rows = append(p.rows, Row{d.capability, scope, d.verdicts[i], Builtin})
		}
	}
	for _, layer := range []struct {
		name  Layer
		rules []Rule
	}{{User, user}, {Invocation, invocation}, {Project, project}} {
		for _, r := range layer.rules {
			if err := r.check(); err != nil {
				return nil, err
			}
		}
		widening := map[Rule][]string{}
		for i := range p.rows {
			row := &p.rows[i]
			r, ok := last(layer.rules, *row)
			switch {
			case !ok:
			case layer.name != Project:
				row.Verdict, row.DecidedBy = r.Verdict, layer.name
			case r.Verdict.wider(row.Verdict):
				widening[r] = append(widening[r], fmt.Sprintf("%s from %s", row.Name(), row.Verdict))
			case row.Verdict.wider(r.Verdict):
				row.Verdict, row.DecidedBy = r.Verdict, Project
			}
		}
		for _, r := range layer.rules {
			if rows := widening[r]; rows != nil {
				p.ignored = append(p.ignored, fmt.Sprintf("%s (project): a project file cannot widen %s", r, strings.Join(rows, ", ")))
				delete(widening, r) // the same line may stand there twice
			}
		}
	}
	return p, nil
}

// last returns the last rule that covers a row.
func last(rules []Rule, row Row) (Rule, bool) {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].covers(row) {
			return rules[i], true
		}
	}
	return Rule{}, false
}

// Decide returns what was decided of a capability in a scope, which is empty for a
// capability without scopes. What is not known is denied.
func (p *Policy) Decide(c Capability, scope string) Row {
	for _, row := range p.rows {
		if row.Capability == c && row.Scope == scope {
			return row
		}
	}
	return Row{c, scope, Deny, Builtin}
}

// Rows returns every row, grants and refusals alike, always in the same order. The slice
// is the caller's own.
func (p *Policy) Rows() []Row { return append([]Row{}, p.rows...) }

// Ignored returns the rules of the project's file that would have widened something, each
// with the reason; never nil. The slice is the caller's own.
func (p *Policy) Ignored() []string { return append([]string{}, p.ignored...) }

// Operation is something that a session is asked to do: the name of a tool.
type Operation string

// The operations.
const (
	DescribeSession Operation = "describe_session"
	ValidateSchema  Operation = "validate_schema"
	RenderSchema    Operation = "render_schema"
	TraceLineage    Operation = "schema_lineage"
	SearchDocs      Operation = "search_docs"
	ReadDatabase    Operation = "read_database"
	InferencePlan   Operation = "inference_plan"
	InferenceStatus Operation = "inference_status"
	ReadArtifact    Operation = "read_artifact"
	PreviewPatch    Operation = "preview_patch"
	ApplyPatch      Operation = "apply_patch"
)

// Operations lists the operations.
func Operations() []Operation {
	return []Operation{DescribeSession, ValidateSchema, RenderSchema, TraceLineage, SearchDocs, ReadDatabase,
		InferencePlan, InferenceStatus, ReadArtifact, PreviewPatch, ApplyPatch}
}

// Needs returns the capabilities that an operation needs, in the order in which they are
// asked for. describe_session names one for the record, but is never refused: it tells
// what else would be. Deleting in a patch needs [ArtifactDelete] besides.
func (o Operation) Needs() []Capability {
	switch o {
	case DescribeSession:
		return []Capability{ProjectRead}
	case ValidateSchema:
		return []Capability{ProjectRead, SchemaValidate}
	case RenderSchema:
		return []Capability{ProjectRead, SchemaRender}
	case TraceLineage:
		return []Capability{ProjectRead, SchemaLineage}
	case SearchDocs:
		return []Capability{DocsRead}
	case ReadDatabase, InferenceStatus:
		return []Capability{DatabaseInspect}
	case InferencePlan:
		return []Capability{ProjectRead, DatabaseInspect}
	case ReadArtifact, PreviewPatch:
		return []Capability{ArtifactRead}
	case ApplyPatch:
		return []Capability{ArtifactWrite}
	}
	return nil
}
