package tools

import (
	"context"
	"errors"
	"os"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// This file defines describe_session, which states every power that the server holds.

type describeSessionArgs struct{}

// Session is what a server says of itself.
type Session struct {
	ContractVersion    string        `json:"contract_version" jsonschema:"the version of the tools' contract"`
	Workspace          *workspace    `json:"workspace,omitempty" jsonschema:"the workspace, if there is one"`
	Databases          []database    `json:"databases" jsonschema:"the databases that read_database takes by name"`
	SchemaSourceRoots  []string      `json:"schema_source_roots" jsonschema:"where schema sources may be read"`
	Documentation      documentation `json:"documentation" jsonschema:"what search_docs searches"`
	Capabilities       []capability  `json:"capabilities" jsonschema:"every capability with its verdict, grants and refusals alike"`
	IgnoredPolicyRules []string      `json:"ignored_policy_rules" jsonschema:"rules of the project that would have widened something, with the reason"`
	Limits             sessionLimits `json:"limits" jsonschema:"what patches of artifacts may be at most"`
}

type workspace struct {
	Root          string          `json:"root" jsonschema:"its directory"`
	Dialect       string          `json:"dialect" jsonschema:"the dialect of its files"`
	ServerVersion string          `json:"server_version,omitempty" jsonschema:"the version of the database that is assumed"`
	Artifacts     []artifactClass `json:"artifacts" jsonschema:"the classes of files that have a directory"`
}

type artifactClass struct {
	Artifact      string `json:"artifact" jsonschema:"migrations, schema or tests"`
	Path          string `json:"path" jsonschema:"its directory in the workspace"`
	Digest        string `json:"digest" jsonschema:"the digest of everything in it; empty if it cannot be listed"`
	Files         int    `json:"files" jsonschema:"how many files there are"`
	Writable      bool   `json:"writable" jsonschema:"whether patches may be applied, with or without a person's approval"`
	WriteVerdict  string `json:"write_verdict" jsonschema:"allow, ask or deny"`
	DeleteVerdict string `json:"delete_verdict" jsonschema:"allow, ask or deny"`
	Error         string `json:"error,omitempty" jsonschema:"why it cannot be listed"`
}

type database struct {
	Name           string   `json:"name" jsonschema:"what read_database calls it"`
	Class          string   `json:"class" jsonschema:"ephemeral, dev, target, production or unclassified"`
	Display        string   `json:"display" jsonschema:"where it is, without secrets"`
	InspectVerdict string   `json:"inspect_verdict" jsonschema:"allow, ask or deny"`
	Schemas        []string `json:"schemas" jsonschema:"the schemas that a call may read; empty: all"`
}

type documentation struct {
	Version   string `json:"version" jsonschema:"the version of ptah that it belongs to"`
	Commit    string `json:"commit" jsonschema:"the commit that it was built from"`
	Documents int    `json:"documents" jsonschema:"how many documents there are"`
	Passages  int    `json:"passages" jsonschema:"how many passages they have"`
}

type capability struct {
	Capability string `json:"capability" jsonschema:"its name, with its scope after a colon"`
	Verdict    string `json:"verdict" jsonschema:"allow, ask or deny"`
	DecidedBy  string `json:"decided_by" jsonschema:"builtin, user, invocation or project"`
}

type sessionLimits struct {
	MaxFileBytes   int `json:"max_file_bytes" jsonschema:"the largest file"`
	MaxEntries     int `json:"max_entries" jsonschema:"the most entries of a directory"`
	MaxChanges     int `json:"max_changes" jsonschema:"the most changes of a patch"`
	MaxPatchBytes  int `json:"max_patch_bytes" jsonschema:"the most content of a patch"`
	PreviewSeconds int `json:"preview_seconds" jsonschema:"how long a preview can be applied"`
	MaxPreviews    int `json:"max_previews" jsonschema:"the most previews at once"`
}

func describeSession(sv *Service) mcpkit.Tool[describeSessionArgs, *Session] {
	return mcpkit.Tool[describeSessionArgs, *Session]{
		Name: "describe_session", Title: "Describe the session",
		Description: "Use this first to learn what this server can reach and may do: source roots, databases by name, the workspace, " +
			"every capability with its verdict (allow, ask a person, deny) and who decided it, and limits. It takes no arguments and never contacts a database.",
		Hints: readOnly,
		Handle: func(ctx context.Context, _ describeSessionArgs) (*Session, error) {
			// It is never refused: it says what else would be.
			return perform(ctx, sv, operation{name: policy.DescribeSession}, func(ctx context.Context, _ *finding.Report) (*Session, error) {
				return sv.DescribeSession(ctx)
			})
		},
	}
}

// DescribeSession states what the server can reach and may do.
func (sv *Service) DescribeSession(ctx context.Context) (*Session, error) {
	c := sv.Config
	s := &Session{
		ContractVersion: ContractVersion, Databases: []database{}, SchemaSourceRoots: append([]string{}, c.SourceRoots...),
		Documentation: documentation{sv.Build.Version, sv.Build.Commit, sv.Docs.Documents(), sv.Docs.Passages()},
		Capabilities:  []capability{}, IgnoredPolicyRules: c.Policy.Ignored(),
		Limits: sessionLimits{artifact.MaxFileBytes, artifact.MaxEntries, artifact.MaxChanges, artifact.MaxPatchBytes, artifact.PreviewSeconds, artifact.MaxPreviews},
	}
	for _, d := range c.Databases {
		s.Databases = append(s.Databases, database{
			Name: d.Name, Class: string(d.Class), Display: d.URL.Display(), Schemas: append([]string{}, d.Schemas...),
			InspectVerdict: string(c.Policy.Decide(policy.DatabaseInspect, string(d.Class)).Verdict),
		})
	}
	for _, row := range c.Policy.Rows() {
		s.Capabilities = append(s.Capabilities, capability{row.Name(), string(row.Verdict), string(row.DecidedBy)})
	}
	if c.Workspace != nil {
		s.Workspace = sv.describeWorkspace(ctx)
	}
	return s, ctx.Err()
}

func (sv *Service) describeWorkspace(ctx context.Context) *workspace {
	c := sv.Config
	w := &workspace{Root: c.Workspace.Root, Dialect: string(c.Workspace.Dialect), ServerVersion: c.ServerVersion, Artifacts: []artifactClass{}}
	for _, a := range c.Workspace.Artifacts {
		write := c.Policy.Decide(policy.ArtifactWrite, string(a.Class)).Verdict
		entry := artifactClass{
			Artifact: string(a.Class), Path: a.Dir, Writable: sv.HasArtifactTools() && write != policy.Deny, WriteVerdict: string(write),
			DeleteVerdict: string(c.Policy.Decide(policy.ArtifactDelete, string(a.Class)).Verdict),
		}
		if entries, err := listArtifacts(ctx, c.Workspace.Root, a.Dir); err != nil {
			entry.Error = err.Error()
		} else {
			entry.Digest, entry.Files = artifact.DirectoryDigest(entries), len(entries)
		}
		w.Artifacts = append(w.Artifacts, entry)
	}
	return w
}

// listArtifacts lists the directory of a class. The error says what is wrong without the
// directory's path.
func listArtifacts(ctx context.Context, root, dir string) ([]artifact.Entry, error) {
	outer, err := os.OpenRoot(root)
	if err != nil {
		return nil, errors.New("the workspace cannot be opened")
	}
	defer func() { _ = outer.Close() }() // it was only read
	inner, err := outer.OpenRoot(dir)
	if err != nil {
		return nil, errors.New("the directory cannot be opened")
	}
	defer func() { _ = inner.Close() }() // as above
	return artifact.List(ctx, inner)
}
