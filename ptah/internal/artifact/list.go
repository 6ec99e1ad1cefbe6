package artifact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
)

// MaxEntries is how many entries a directory of a class may have.
const MaxEntries = 10_000

// maxDepth bounds how deeply directories are followed; patches go to 16.
const maxDepth = 64

// errChanged is the end of a listing whose directory changed meanwhile.
var errChanged = errors.New("the directory changed while it was listed")

// List returns the entries below a directory by path, dot files and all. Links are not
// followed. What cannot be named without doubt, or is too much, is a [code.Error].
func List(ctx context.Context, dir *os.Root) ([]Entry, error) {
	entries, err := listOnce(ctx, dir)
	if errors.Is(err, errChanged) {
		entries, err = listOnce(ctx, dir)
	}
	if errors.Is(err, errChanged) {
		return nil, code.New(code.DigestMismatch, "%w", err).WithHint("try again once nobody writes there")
	}
	return entries, err
}

func listOnce(ctx context.Context, dir *os.Root) ([]Entry, error) {
	l := listing{dir: dir, entries: []Entry{}}
	if err := l.walk(ctx, ".", 0); err != nil {
		return nil, err
	}
	return byPath(l.entries), nil
}

type listing struct {
	dir     *os.Root
	entries []Entry
}

func (l *listing) walk(ctx context.Context, at string, depth int) error {
	if depth > maxDepth {
		return code.New(code.ArtifactTooLarge, "directories are nested more than %d deep", maxDepth)
	}
	names, err := l.names(at)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !utf8.ValidString(name) || strings.ContainsRune(name, '\n') {
			return code.New(code.UnsafePath, "an entry's name is not UTF-8 or has a line's end in it: %q", path.Join(at, name))
		}
		if err := l.add(ctx, path.Join(at, name), depth); err != nil {
			return err
		}
	}
	return nil
}

// names reads the names in a directory, no more of them than can be listed.
func (l *listing) names(at string) ([]string, error) {
	f, err := l.dir.Open(at)
	if err != nil {
		return nil, changed(err)
	}
	defer f.Close()
	names, err := f.Readdirnames(MaxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, changed(err)
	}
	return names, nil
}

// changed makes the error of something that was there a moment ago.
func changed(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	var p *os.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("reading %q: %w", p.Path, p.Err)
	}
	return err
}

func (l *listing) add(ctx context.Context, name string, depth int) error {
	info, err := l.dir.Lstat(name)
	if err != nil {
		return changed(err)
	}
	if info.IsDir() {
		return l.walk(ctx, name, depth+1)
	}
	if len(l.entries) == MaxEntries {
		return code.New(code.ArtifactTooLarge, "there are more than %d entries", MaxEntries)
	}
	e := Entry{Path: name, Size: info.Size(), Kind: kindOf(info.Mode())}
	if e.Kind == "" {
		if e.Size, e.Digest, err = l.hash(ctx, name, info); err != nil {
			return err
		}
	}
	l.entries = append(l.entries, e)
	return nil
}

// hash digests the content of the regular file that info is of. It is opened so that a
// pipe that took its place does not block.
func (l *listing) hash(ctx context.Context, name string, info fs.FileInfo) (size int64, digest string, err error) {
	f, err := l.dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0, "", changed(err)
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return 0, "", errChanged
	}
	h := sha256.New()
	size, err = io.Copy(h, contextReader{ctx, f})
	if err != nil {
		return 0, "", changed(err)
	}
	return size, digestPrefix + hex.EncodeToString(h.Sum(nil)), nil
}

// contextReader ends a long reading when its context does.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements [io.Reader].
func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

func kindOf(m fs.FileMode) Kind {
	switch {
	case m.IsRegular():
		return ""
	case m&fs.ModeSymlink != 0:
		return Symlink
	case m&fs.ModeDevice != 0:
		return Device
	case m&fs.ModeNamedPipe != 0:
		return Pipe
	case m&fs.ModeSocket != 0:
		return Socket
	}
	return Irregular
}
