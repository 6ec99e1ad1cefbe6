package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/files"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// needsWorkspace are the flags that mean nothing without one.
var needsWorkspace = []string{"migrations-dir", "schema-dir", "tests-dir", "dialect", "allow-write", "allow-delete", autoApprove}

func (l *loading) workspace() error {
	in := l.file.Workspace
	if in == nil {
		in = &fileWorkspace{}
	}
	path, where, err := l.path("workspace", in.Root, "workspace.root")
	if err != nil {
		return err
	}
	if where == "" {
		if l.file.Workspace != nil {
			return &Error{l.file.at("workspace.root"), "it is missing"}
		}
		return l.withoutWorkspace()
	}
	w := &Workspace{}
	if w.Root, err = directory(path, where); err != nil {
		return err
	}
	name, where, err := l.setting("dialect", in.Dialect, "workspace.dialect")
	if err != nil {
		return err
	}
	if where == "" {
		return &Error{"--dialect", "it is required with --workspace; the dialects are " + dialect.Names()}
	}
	if w.Dialect, err = dialect.Parse(name); err != nil {
		return &Error{where, err.Error()}
	}
	if err := l.artifacts(w, in); err != nil {
		return err
	}
	l.c.Workspace = w
	return l.writes(w, in)
}

// withoutWorkspace refuses the flags that need one.
func (l *loading) withoutWorkspace() error {
	for _, name := range needsWorkspace {
		where := ""
		var err error
		switch {
		case name == autoApprove:
			if l.flags.set.Changed(name) {
				where = "--" + name
			}
		case lists[name]:
			_, where, err = l.list(name)
		default:
			_, where, err = l.value(name)
		}
		if err != nil {
			return err
		}
		if where != "" {
			return &Error{where, "it needs --workspace"}
		}
	}
	return nil
}

// artifacts finds and checks the directories of the classes.
func (l *loading) artifacts(w *Workspace, in *fileWorkspace) error {
	for _, name := range slices.Sorted(maps.Keys(in.Artifacts)) {
		if _, err := artifact.ParseClass(name); err != nil {
			return &Error{l.file.at("workspace.artifacts"), err.Error()}
		}
	}
	for _, c := range artifact.Classes() {
		dir, where, err := l.setting(string(c)+"-dir", in.Artifacts[string(c)], "workspace.artifacts."+string(c))
		if err != nil {
			return err
		}
		if where == "" {
			continue
		}
		if dir, err = classDirectory(w.Root, dir); err != nil {
			return &Error{where, err.Error()}
		}
		for _, other := range w.Artifacts {
			if nested(dir, other.Dir) || nested(other.Dir, dir) {
				return &Error{where, fmt.Sprintf("%q overlaps %q, the directory of the class %s", dir, other.Dir, other.Class)}
			}
		}
		w.Artifacts = append(w.Artifacts, Artifact{Class: c, Dir: dir})
	}
	if len(w.Artifacts) == 0 {
		return &Error{"--workspace", "no class has a directory; give --migrations-dir, --schema-dir or --tests-dir"}
	}
	return nil
}

// classDirectory checks the directory of a class and returns it relative to the
// workspace, with slashes.
func classDirectory(root, dir string) (string, error) {
	clean := filepath.Clean(dir)
	switch {
	case filepath.IsAbs(dir):
		return "", fmt.Errorf("%.200q is absolute; write it relative to the workspace", dir)
	case clean == ".":
		return "", fmt.Errorf("%.200q is the workspace itself; give the class a directory below it", dir)
	case !filepath.IsLocal(clean):
		return "", fmt.Errorf("%.200q is outside of the workspace", dir)
	}
	slashed := filepath.ToSlash(clean)
	if nested(strings.ToLower(slashed), StateDir) {
		return "", fmt.Errorf("%.200q belongs to the server itself", dir)
	}
	// Each step is looked at by itself: a link anywhere in between would let the
	// directory be another one later.
	at := root
	for _, step := range strings.Split(slashed, "/") {
		at = filepath.Join(at, step)
		info, err := os.Lstat(at)
		switch {
		case err != nil:
			return "", fmt.Errorf("the directory %.200q cannot be used: %w", dir, files.Cause(err))
		case info.Mode()&os.ModeSymlink != 0:
			return "", fmt.Errorf("%.200q is reached through a symbolic link; name the directory itself", dir)
		case !info.IsDir():
			return "", fmt.Errorf("%.200q is not a directory", dir)
		}
	}
	return slashed, nil
}

// nested reports whether a directory is another one, or is below it. Both are relative,
// clean and with slashes.
func nested(dir, in string) bool { return dir == in || strings.HasPrefix(dir, in+"/") }

// writes reads which classes may be changed, and makes the rules of that.
func (l *loading) writes(w *Workspace, in *fileWorkspace) error {
	write, writeWhere, err := l.classes("allow-write", in.AllowWrite, "workspace.allow_write")
	if err != nil {
		return err
	}
	remove, removeWhere, err := l.classes("allow-delete", in.AllowDelete, "workspace.allow_delete")
	if err != nil {
		return err
	}
	for _, c := range write {
		if _, ok := w.Artifact(c); !ok {
			return &Error{writeWhere, fmt.Sprintf("the class %s has no directory; give --%s-dir", c, c)}
		}
	}
	for _, c := range remove {
		if _, ok := w.Artifact(c); !ok {
			return &Error{removeWhere, fmt.Sprintf("the class %s has no directory; give --%s-dir", c, c)}
		}
		if !slices.Contains(write, c) {
			return &Error{removeWhere, fmt.Sprintf("the class %s is not in --allow-write; what may be deleted must be writable", c)}
		}
	}
	auto, err := l.autoApprove()
	if err != nil {
		return err
	}
	if auto && len(write) == 0 {
		return &Error{"--" + autoApprove, "--allow-write names no class"}
	}
	for i := range w.Artifacts {
		a := &w.Artifacts[i]
		a.AllowWrite = slices.Contains(write, a.Class)
		a.AllowDelete = slices.Contains(remove, a.Class)
	}
	for _, c := range artifact.Classes() {
		verdict := policy.Deny
		if slices.Contains(write, c) {
			verdict = policy.Ask
			if auto {
				verdict = policy.Allow
			}
		}
		l.rules = append(l.rules, policy.Rule{Capability: policy.ArtifactWrite, Scope: string(c), Verdict: verdict})
		// A deletion is asked for even where writes are not: it takes away what a person
		// may not have elsewhere.
		if slices.Contains(remove, c) {
			l.rules = append(l.rules, policy.Rule{Capability: policy.ArtifactDelete, Scope: string(c), Verdict: policy.Ask})
		}
	}
	return nil
}

func (l *loading) classes(flag string, inFile []string, key string) ([]artifact.Class, string, error) {
	names, where, err := l.list(flag)
	if err != nil {
		return nil, where, err
	}
	if where == "" {
		names, where = inFile, l.file.at("%s", key)
	}
	classes, err := parseClasses(names, where)
	return classes, where, err
}
