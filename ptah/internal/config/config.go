// Package config reads what the operator decides at start-up: flags, their twins in the
// environment, and the operator's file, in this order of precedence. Everything is
// checked before the server opens its transport; what is wrong is an [Error] that names
// the flag.
package config

import (
	"log/slog"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
	"github.com/quartet-mcp/quartet/ptah/internal/provider"
)

// Config is what the operator decided. It is complete and checked, and nobody changes it.
// Paths are absolute.
type Config struct {
	Workspace   *Workspace // nil: the server has no artifact tools
	SourceRoots []string   // where sources may be read, the workspace's root first
	Databases   []Database // that of the flags first, then those of the file
	Policy      *policy.Policy

	ServerVersion   string // of the engine, for gates and rendering; empty: the newest that is known
	AuditLog        string // empty: nothing is recorded
	ApprovalTimeout time.Duration
	RenderPasswords bool // passwords of roles are part of rendered SQL
	LogLevel        slog.Level
}

// Workspace is a directory whose files may be read, and changed as far as the policy
// goes, through the artifact tools.
type Workspace struct {
	Root      string
	Dialect   dialect.Dialect // that of the gates
	Artifacts []Artifact      // in the order of [artifact.Classes]
}

// Artifact is the directory of a class of artifacts.
type Artifact struct {
	Class       artifact.Class
	Dir         string // relative to the workspace, with slashes
	AllowWrite  bool
	AllowDelete bool
}

// Artifact returns the directory of a class; ok is false where it has none. The
// workspace may be nil.
func (w *Workspace) Artifact(c artifact.Class) (a Artifact, ok bool) {
	if w == nil {
		return Artifact{}, false
	}
	for _, a := range w.Artifacts {
		if a.Class == c {
			return a, true
		}
	}
	return Artifact{}, false
}

// StateDir is the directory in a workspace where the server keeps what is its own: the
// project's policy, the record of what was done, locks.
const StateDir = ".ptah"

// Database is a database that may be inspected by its name.
type Database struct {
	Name     string
	Class    policy.Class
	URL      dburl.URL
	Schemas  []string           // the most that a call may read; empty: no bound
	Provider *provider.Provider // nil: a reader that is built in serves it
}

// Error is a mistake of the operator: one line that names the flag, or the place in the
// file.
type Error struct {
	Where   string // "--dialect", "PTAH_DIALECT" or "config file, workspace.dialect"
	Message string
}

func (e *Error) Error() string { return e.Where + ": " + e.Message }
