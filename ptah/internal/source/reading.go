package source

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/source/textfile"
)

// What one call may read.
const (
	maxFiles = 20_000
	maxBytes = 256 << 20
)

// Reading is what was read for a model, so that it can be told later whether reading it
// again would give the same. It is used by one goroutine while it grows, and by any
// number afterwards.
type Reading struct {
	files, bytes int
	seen         []glance
	places       map[string]bool // of seen, by root and name
}

// glance is one file or folder, as it was when it was read.
type glance struct {
	dir  *os.Root
	name string
	is   [sha256.Size]byte
}

// Bytes is how much was read.
func (r *Reading) Bytes() int { return r.bytes }

// Unchanged reports whether everything is as it was read.
func (r *Reading) Unchanged() bool {
	for _, g := range r.seen {
		if look(g.dir, g.name) != g.is {
			return false
		}
	}
	return true
}

// note remembers how a file or folder is.
func (r *Reading) note(dir *os.Root, name string, is [sha256.Size]byte) {
	key := dir.Name() + "\x00" + name
	if !r.places[key] {
		if r.places == nil {
			r.places = map[string]bool{}
		}
		r.places[key] = true
		r.seen = append(r.seen, glance{dir, name, is})
	}
}

// look returns a sum of what is at a place: the bytes of a file, the names and kinds in a
// folder, or that there is nothing that can be read.
func look(dir *os.Root, name string) [sha256.Size]byte {
	f, err := open(dir, name)
	if err != nil {
		return sha256.Sum256([]byte("nothing"))
	}
	defer f.Close() // it was only read
	if list, err := f.ReadDir(-1); err == nil {
		return sumOf(list)
	}
	data, err := io.ReadAll(io.LimitReader(f, textfile.MaxBytes+1))
	if err != nil {
		return sha256.Sum256([]byte("nothing"))
	}
	return sha256.Sum256(append([]byte("file "), data...))
}

func sumOf(list []fs.DirEntry) [sha256.Size]byte {
	var b strings.Builder
	b.WriteString("folder ")
	for _, e := range list {
		fmt.Fprintf(&b, "%s\x00%v\x00", e.Name(), e.Type())
	}
	return sha256.Sum256([]byte(b.String()))
}

// open opens a regular file or folder, in a way in which a pipe that takes the place of a
// file does not hold up the call.
func open(dir *os.Root, name string) (*os.File, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// overBudget is the error of a file that would be one too many.
type overBudget string

func (e overBudget) Error() string { return string(e) }

// Budget gives the text for the caller.
func (e overBudget) Budget() string { return string(e) }

// confined is the file system of a root for one reading.
type confined struct {
	dir     *os.Root
	reading *Reading
}

// Open implements [fs.FS] for regular files and folders. A file is read whole, up to one
// byte more than a source may have.
func (c *confined) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := open(c.dir, name)
	if err != nil {
		c.reading.note(c.dir, name, look(c.dir, name))
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if info.IsDir() {
		return &folder{f, c, name}, nil
	}
	defer f.Close() // it was only read
	if c.reading.files++; c.reading.files > maxFiles {
		return nil, overBudget(fmt.Sprintf("one call reads at most %d files", maxFiles))
	}
	data, err := io.ReadAll(io.LimitReader(f, textfile.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if c.reading.bytes += len(data); c.reading.bytes > maxBytes {
		return nil, overBudget(fmt.Sprintf("one call reads at most %d bytes", maxBytes))
	}
	c.reading.note(c.dir, name, sha256.Sum256(append([]byte("file "), data...)))
	return &file{bytes.NewReader(data), stat{info, int64(len(data))}}, nil
}

// Lstat says what a name is without following a link.
func (c *confined) Lstat(name string) (fs.FileInfo, error) { return c.dir.Lstat(name) }

// ReadLink says where a link leads.
func (c *confined) ReadLink(name string) (string, error) { return c.dir.Readlink(name) }

// Stat implements [fs.StatFS]: it opens nothing.
func (c *confined) Stat(name string) (fs.FileInfo, error) { return c.dir.Stat(name) }

// folder notes what it lists.
type folder struct {
	*os.File
	c    *confined
	name string
}

func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	list, err := f.File.ReadDir(n)
	if err == nil {
		f.c.reading.note(f.c.dir, f.name, look(f.c.dir, f.name))
	}
	return list, err
}

// file is a file in memory.
type file struct {
	*bytes.Reader
	info stat
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// stat is what is said of a file, with the length that was read.
type stat struct {
	fs.FileInfo
	size int64
}

func (s stat) Size() int64        { return s.size }
func (s stat) ModTime() time.Time { return s.FileInfo.ModTime() }
