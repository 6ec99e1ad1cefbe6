package mcpkit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// Root is a folder whose files callers may name, and nothing outside of it. It
// is [os.Root] with names judged first: what a name alone shows to be wrong is
// refused as such, and what only the disk can tell is refused in one way, so
// that an answer does not disclose what lies outside. It is safe for
// concurrent use.
type Root struct {
	root *os.Root
}

// OpenRoot opens dir, which must be a folder. Links in the path to dir itself
// are followed, now and once.
func OpenRoot(dir string) (*Root, error) {
	if dir == "" {
		return nil, errors.New("opening the root folder: its name is empty")
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the root folder: %w", err)
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("opening the root folder: %w", err)
	}
	return &Root{root}, nil
}

// Close releases the folder. Files that were opened stay open.
func (r *Root) Close() error { return r.root.Close() }

// Open opens a regular file for reading by its name relative to the root, with
// slashes. Links are followed as long as they stay inside. The file that is
// returned is the one that was checked; it must be closed.
//
// The error is an [*Error]. Of kind Denied, with the code empty_path, nul_path,
// long_path, encoded_path, address_path, absolute_path, backslash_path or
// parent_path, when the name is not one that could be inside. Of kind NotFound
// with the code no_such_file when there is no such file, when a link leads
// outside, and when it is a folder, a device, a socket or a pipe: one text for
// all, with the nearest name in the same folder as Fix. Of kind Unavailable
// when the system is out of file descriptors. Its Field is empty.
func (r *Root) Open(name string) (*os.File, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	// The look before the open keeps devices from being opened at all, which
	// can have an effect. It decides nothing: the open file is judged again.
	if info, err := r.root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, r.absent(name, err)
	}
	// Without O_NONBLOCK the open of a pipe that was put there since would
	// wait for its other end.
	f, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, r.absent(name, err)
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, r.absent(name, errors.Join(err, f.Close()))
	}
	return f, nil
}

// OpenRoot opens a folder inside the root as a root of its own, under the rules
// of [Root.Open]; "." is the root itself. The error for a file that is no
// folder is that for one that is absent.
func (r *Root) OpenRoot(name string) (*Root, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if info, err := r.root.Stat(name); err != nil || !info.IsDir() {
		return nil, r.absent(name, err)
	}
	inner, err := r.root.OpenRoot(name)
	if err != nil {
		return nil, r.absent(name, err)
	}
	return &Root{inner}, nil
}

// maxPath is the longest name in bytes, the limit of the usual systems.
const maxPath = 4096

var (
	addressForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.\-]+:`)
	driveForm   = regexp.MustCompile(`^[A-Za-z]:`)
)

// checkName refuses what the text of a name shows to be wrong.
func checkName(name string) error {
	const inside = "give a path inside the folder, relative to it"
	refuse := func(code, format string, args ...any) error {
		return &Error{Kind: Denied, Code: code, Message: fmt.Sprintf(format, args...), Fix: inside}
	}
	shown := Untrusted(name)
	switch {
	case name == "":
		return refuse("empty_path", "the path is empty")
	case len(name) > maxPath:
		return refuse("long_path", "the path has %d bytes, at most %d are allowed", len(name), maxPath)
	case strings.ContainsRune(name, 0):
		return refuse("nul_path", "%q contains a NUL character", shown)
	case !utf8.ValidString(name):
		return refuse("encoded_path", "%q is not valid UTF-8", shown)
	case addressForm.MatchString(name) || strings.HasPrefix(name, "//") || strings.HasPrefix(name, `\\`):
		return refuse("address_path", "%q is an address, not a path", shown)
	case name[0] == '/' || driveForm.MatchString(name):
		return refuse("absolute_path", "%q is an absolute path", shown)
	case strings.Contains(name, `\`) && runtime.GOOS != "windows":
		return refuse("backslash_path", "%q contains a backslash; separate folders with /", shown)
	case hasParent(name):
		return refuse("parent_path", "%q leaves the folder", shown)
	}
	return nil
}

func hasParent(name string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// absent is the one refusal for all that only the disk can tell. It depends on
// the name and on the regular files beside it, never on why it is refused.
func (r *Root) absent(name string, cause error) error {
	if errors.Is(cause, syscall.EMFILE) || errors.Is(cause, syscall.ENFILE) {
		return &Error{Kind: Unavailable, Message: "too many files are open", Fix: "try again later", Err: cause}
	}
	e := &Error{Kind: NotFound, Code: "no_such_file", Message: fmt.Sprintf("there is no file %q", Untrusted(name)), Err: cause}
	near, names := r.beside(name)
	switch {
	case near != "":
		e.Fix = fmt.Sprintf("did you mean %q%s?", Untrusted(near), unseen(name, near))
		e.Data = map[string]any{"candidates": []string{near}}
	case len(names) > 0:
		shown := names[:min(len(names), maxListed)]
		list := make([]string, len(shown))
		for i, n := range shown {
			list[i] = fmt.Sprintf("%q", Untrusted(n))
		}
		e.Fix = "its folder has " + strings.Join(list, ", ")
		e.Data = map[string]any{"files": shown}
		if more := len(names) - len(shown); more > 0 {
			e.Fix += fmt.Sprintf(" and %d more", more)
			e.Data["more"] = more
		}
	}
	return e
}

const (
	// maxEntries is how many entries of a folder are looked at for a name to suggest.
	maxEntries = 10_000
	// maxListed is how many files a refusal lists where no name is near.
	maxListed = 8
)

// beside returns the path of the regular file in the folder of name whose own name
// is nearest, or "", and the paths of all that are not hidden, sorted.
func (r *Root) beside(name string) (near string, names []string) {
	dir, base := path.Split(path.Clean(filepath.ToSlash(name)))
	folder := path.Clean("./" + dir)
	if info, err := r.root.Stat(folder); err != nil || !info.IsDir() {
		return "", nil
	}
	d, err := r.root.OpenFile(folder, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", nil
	}
	defer d.Close()
	entries, _ := d.ReadDir(maxEntries) // what could be read is good enough
	var all []string
	for _, e := range entries {
		if e.Type()&fs.ModeType == 0 {
			all = append(all, e.Name())
			if !strings.HasPrefix(e.Name(), ".") {
				names = append(names, dir+e.Name())
			}
		}
	}
	slices.Sort(names)
	if near = nearest.Best(base, all); near != "" {
		near = dir + near
	}
	return near, names
}
