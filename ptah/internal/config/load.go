package config

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
	"github.com/quartet-mcp/quartet/ptah/internal/files"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

const defaultApprovalTimeout = 5 * time.Minute

// loading is a configuration that is being put together.
type loading struct {
	given
	file *file
	c    *Config

	rules   []policy.Rule // of the invocation
	guarded []guarded     // what no patch may reach
}

// guarded is a file that the operator trusts.
type guarded struct{ where, what, path string }

// Load puts flags, environment and file together and checks all of it. An error of type
// [Error] is the operator's mistake.
func (f *Flags) Load(env func(string) (string, bool)) (*Config, error) {
	l := &loading{given: given{f, env}, file: &file{}, c: &Config{}}
	for _, step := range []func() error{l.readFile, l.workspace, l.sourceRoots, l.databases, l.inspection, l.rest, l.policy, l.guard} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l.c, nil
}

func (l *loading) readFile() error {
	path, where, err := l.value("config")
	if err != nil || where == "" {
		return err
	}
	if l.file, err = readFile(path, where); err != nil {
		return err
	}
	l.guarded = append(l.guarded, guarded{where, "the config file", l.file.path})
	return nil
}

// setting returns what flags or environment say, else what the file says under a key.
func (l *loading) setting(flag, inFile, key string) (value, where string, err error) {
	value, where, err = l.value(flag)
	if err != nil || where != "" || inFile == "" {
		return value, where, err
	}
	return inFile, l.file.at("%s", key), nil
}

// path is setting for a path, which it makes absolute.
func (l *loading) path(flag, inFile, key string) (path, where string, err error) {
	path, where, err = l.setting(flag, l.file.from(inFile), key)
	if err != nil || where == "" {
		return "", where, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", where, &Error{where, "the path has no absolute form"}
	}
	return path, where, nil
}

func (l *loading) sourceRoots() error {
	roots, where, err := l.list("schema-source-root")
	if err != nil {
		return err
	}
	if where == "" {
		where = l.file.at("schema_source_roots")
		for _, r := range l.file.SourceRoots {
			roots = append(roots, l.file.from(r))
		}
	}
	l.c.SourceRoots = []string{}
	if l.c.Workspace != nil {
		l.c.SourceRoots = append(l.c.SourceRoots, l.c.Workspace.Root)
	}
	for _, r := range roots {
		path, err := directory(r, where)
		if err != nil {
			return err
		}
		if !slices.Contains(l.c.SourceRoots, path) {
			l.c.SourceRoots = append(l.c.SourceRoots, path)
		}
	}
	return nil
}

// directory checks that a path leads to a directory and makes it absolute.
func directory(path, where string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil || path == "" {
		return "", &Error{where, fmt.Sprintf("%.200q is no path of a directory", path)}
	}
	info, err := os.Stat(abs)
	if err != nil {
		return "", &Error{where, fmt.Sprintf("the directory %.200q cannot be used: %v", path, files.Cause(err))}
	}
	if !info.IsDir() {
		return "", &Error{where, fmt.Sprintf("%.200q is not a directory", path)}
	}
	return abs, nil
}

var serverVersion = regexp.MustCompile(`^[0-9]{1,5}(\.[0-9]{1,5}){0,3}$`)

func (l *loading) rest() error {
	c := l.c
	c.RenderPasswords = l.file.RenderPasswords
	version := ""
	if l.file.Workspace != nil {
		version = l.file.Workspace.ServerVersion
	}
	version, where, err := l.setting("server-version", version, "workspace.server_version")
	if err != nil {
		return err
	}
	if where != "" && !serverVersion.MatchString(version) {
		return &Error{where, fmt.Sprintf("%.80q is no version; write one such as 16 or 8.0.36", version)}
	}
	c.ServerVersion = version

	log, where, err := l.path("audit-log", l.file.AuditLog, "audit_log")
	if err != nil {
		return err
	}
	if where == "" && c.Workspace != nil {
		log = filepath.Join(c.Workspace.Root, StateDir, "agent-audit.jsonl")
	}
	c.AuditLog = log
	if where != "" {
		l.guarded = append(l.guarded, guarded{where, "the audit log", log})
	}

	c.ApprovalTimeout = defaultApprovalTimeout
	timeout, where, err := l.setting("approval-timeout", l.file.ApprovalTimeout, "approval_timeout")
	if err != nil {
		return err
	}
	if where != "" {
		if c.ApprovalTimeout, err = time.ParseDuration(timeout); err != nil || c.ApprovalTimeout <= 0 {
			return &Error{where, fmt.Sprintf("%.80q is no duration above zero; write one such as 90s or 5m", timeout)}
		}
	}

	c.LogLevel = slog.LevelWarn
	const logLevel = "PTAH_LOG_LEVEL"
	if level, _ := l.env(logLevel); level != "" {
		levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
		known, ok := levels[strings.ToLower(level)]
		if !ok {
			return &Error{logLevel, fmt.Sprintf("unknown level %.80q; the levels are debug, info, warn, error", level)}
		}
		c.LogLevel = known
	}
	return nil
}

// policy reads the two files of rules and decides.
func (l *loading) policy() error {
	path, where, err := l.path("policy", l.file.Policy, "policy")
	if err != nil {
		return err
	}
	named := where != ""
	if !named {
		path, where = l.defaultPolicy(), "the user's policy file"
	}
	var user []policy.Rule
	if path != "" {
		text, err := readBounded(path)
		switch {
		case !named && errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return &Error{where, fmt.Sprintf("the file cannot be read: %v", err)}
		default:
			if user, err = policy.Parse(text); err != nil {
				return &Error{where, err.Error()}
			}
		}
		l.guarded = append(l.guarded, guarded{where, "the policy file", path})
	}
	project, err := l.projectRules()
	if err != nil {
		return err
	}
	l.c.Policy, err = policy.New(user, l.rules, project)
	return err
}

// defaultPolicy is where the user's policy file is by custom; empty if that is unknown.
func (l *loading) defaultPolicy() string {
	if dir, _ := l.env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) { // others are to be ignored
		return filepath.Join(dir, "ptah", "agent-policy")
	}
	if home, _ := l.env("HOME"); home != "" {
		return filepath.Join(home, ".config", "ptah", "agent-policy")
	}
	return ""
}

// projectRules reads the project's own policy, which is content of its repository: it is
// opened below the workspace, so that a link cannot lead elsewhere.
func (l *loading) projectRules() ([]policy.Rule, error) {
	if l.c.Workspace == nil {
		return nil, nil
	}
	const name = StateDir + "/agent-policy"
	where := "the project's policy file " + name
	root, err := os.OpenRoot(l.c.Workspace.Root)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	defer func() { _ = root.Close() }() // it was only read
	text, err := files.ReadIn(root, name, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{where, fmt.Sprintf("it cannot be read: %v", err)}
	}
	rules, err := policy.Parse(text)
	if err != nil {
		return nil, &Error{where, err.Error()}
	}
	return rules, nil
}

// guard refuses files that the operator trusts inside of a directory that patches may
// change.
func (l *loading) guard() error {
	w := l.c.Workspace
	if w == nil {
		return nil
	}
	for _, a := range w.Artifacts {
		writable := l.c.Policy.Decide(policy.ArtifactWrite, string(a.Class)).Verdict != policy.Deny
		dir := realPath(filepath.Join(w.Root, filepath.FromSlash(a.Dir)))
		for _, g := range l.guarded {
			if writable && within(realPath(g.path), dir) {
				return &Error{g.where, fmt.Sprintf("%s lies inside of %s, the writable directory of the class %s; keep it elsewhere", g.what, a.Dir, a.Class)}
			}
		}
	}
	return nil
}

// realPath resolves the links of the longest part of an absolute path that exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(realPath(parent), filepath.Base(path))
}

// within reports whether a path is a directory or below it. Both are absolute and clean.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// parseClasses reads a list of artifact classes.
func parseClasses(names []string, where string) ([]artifact.Class, error) {
	var classes []artifact.Class
	for _, n := range names {
		c, err := artifact.ParseClass(n)
		if err != nil {
			return nil, &Error{where, err.Error()}
		}
		classes = append(classes, c)
	}
	return classes, nil
}
