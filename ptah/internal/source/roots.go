package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"
)

// Roots are the folders that sources are read from, and nothing outside of them. They
// are opened once: what a path means afterwards is decided relative to the open folder,
// so that nothing that is put in the place of a folder or file later leads outside.
// Roots is safe for concurrent use.
type Roots struct {
	roots []*root
	cwd   string
	// person: the paths are those of a person at a command line, who may name any file;
	// relative ones count from the working folder alone.
	person bool
}

// root is one of them.
type root struct {
	name string // as configured
	abs  string // absolute, as configured
	real string // with links resolved
	dir  *os.Root
}

// OpenRoots opens the folders, in the order given. Relative ones are relative to the
// working folder of the process, which relative paths of sources are too.
func OpenRoots(dirs []string) (*Roots, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("finding the working folder: %w", err)
	}
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real
	}
	rs := &Roots{cwd: cwd}
	for _, name := range dirs {
		r, err := openRoot(name)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening the schema source root %q: %w", name, err), rs.Close())
		}
		rs.roots = append(rs.roots, r)
	}
	return rs, nil
}

// OpenAll opens the whole file system, for a command whose user names the files.
func OpenAll() (*Roots, error) {
	rs, err := OpenRoots(nil)
	if err != nil {
		return nil, err
	}
	r, err := openRoot(filepath.VolumeName(rs.cwd) + string(filepath.Separator))
	if err != nil {
		return nil, fmt.Errorf("opening the file system: %w", err)
	}
	rs.roots, rs.person = []*root{r}, true
	return rs, nil
}

func openRoot(name string) (*root, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, errors.New("there is no such folder")
	}
	dir, err := os.OpenRoot(real)
	if err != nil {
		return nil, errors.New("it is not a folder that can be opened")
	}
	return &root{name: name, abs: abs, real: real, dir: dir}, nil
}

// Close releases the folders.
func (rs *Roots) Close() error {
	var errs []error
	for _, r := range rs.roots {
		errs = append(errs, r.dir.Close())
	}
	return errors.Join(errs...)
}

// Names lists the roots as they were configured.
func (rs *Roots) Names() []string {
	names := make([]string, len(rs.roots))
	for i, r := range rs.roots {
		names[i] = r.name
	}
	return names
}

// place is a path in a root.
type place struct {
	*root
	rel string // with slashes; "." is the root itself
}

// ErrNoRoots says that there is no folder to read sources from.
var ErrNoRoots = errors.New("no schema source root is configured")

// OutsideError is a path that is not, or not provably, inside a root. It never says
// whether there is something.
type OutsideError struct{ Entry, Reason string }

func (e *OutsideError) Error() string { return e.Entry + " " + e.Reason }

// AmbiguousError is a relative path that means different files of several roots.
type AmbiguousError struct {
	Entry  string
	Places []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s means different files: %s", e.Entry, strings.Join(e.Places, " and "))
}

var (
	schemeForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	driveForm  = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
)

// find says where in the roots a path of a caller is. entry names it in messages:
// schema_files[0]. The place need not exist: that is found out when it is read. The
// error is an [*OutsideError] or an [*AmbiguousError].
func (rs *Roots) find(entry, path string) (place, error) {
	outside := func(reason string) (place, error) { return place{}, &OutsideError{entry, reason} }
	switch {
	case path == "":
		return outside("is empty")
	case !utf8.ValidString(path):
		return outside("is not valid UTF-8")
	case strings.ContainsRune(path, 0):
		return outside("has a NUL character")
	case schemeForm.MatchString(path) && !(filepath.Separator == '\\' && driveForm.MatchString(path)):
		return outside("has a scheme; sources are local files")
	}
	candidates := rs.candidates(path)
	if len(candidates) == 0 {
		return outside("is not inside a schema source root")
	}
	var found []place
	var infos []fs.FileInfo
	for _, c := range candidates {
		info, err := c.dir.Stat(c.rel)
		switch {
		case err == nil:
			if !slices.ContainsFunc(infos, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
				found, infos = append(found, c), append(infos, info)
			}
		case c.leaves():
			// What is outside must look the same whether or not it is there.
			return outside("is not inside a schema source root")
		}
	}
	switch len(found) {
	case 0:
		return candidates[0], nil
	case 1:
		return found[0], nil
	}
	e := &AmbiguousError{Entry: entry}
	for _, f := range found {
		e.Places = append(e.Places, fmt.Sprintf("%q in root %q", f.rel, f.name))
	}
	return place{}, e
}

// candidates are the places in roots that a path may mean, each once: relative paths
// count from the working folder and from each root.
func (rs *Roots) candidates(path string) []place {
	bases := []string{rs.cwd}
	if filepath.IsAbs(path) {
		bases = []string{""}
	} else if !rs.person {
		for _, r := range rs.roots {
			bases = append(bases, r.real)
		}
	}
	var places []place
	for _, base := range bases {
		abs := filepath.Join(base, path)
		for _, r := range rs.roots {
			rel, ok := within(abs, r.real)
			if !ok {
				rel, ok = within(abs, r.abs)
			}
			if ok && !slices.ContainsFunc(places, func(p place) bool { return p.root == r && p.rel == rel }) {
				places = append(places, place{r, rel})
			}
		}
	}
	return places
}

// within returns the path relative to dir, with slashes, if it is not outside of it.
func within(path, dir string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// leaves reports whether a link on the way to the place leads out of the root. A place
// that is merely absent has no such link.
func (p place) leaves() bool {
	parts := strings.Split(p.rel, "/")
	for i := range parts {
		prefix := strings.Join(parts[:i+1], "/")
		info, err := p.dir.Lstat(prefix)
		if err != nil {
			return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.ENOTDIR)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if _, err := p.dir.Stat(prefix); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return true
		}
	}
	return false
}
