// Package files reads files that the operator names: regular ones alone, so that a pipe, a
// device or a socket under the name of a file neither holds up the program nor is touched,
// and no more of them than can be meant. No error has a path in it, which may be absolute:
// who reads it knows the file.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular is the error of what is there and is no regular file.
var ErrNotRegular = errors.New("it is not a regular file")

// Open opens a regular file to be read, also through a link.
func Open(path string) (*os.File, error) { return open(system{}, path) }

// Read returns what is in a regular file of at most limit bytes.
func Read(path string, limit int) ([]byte, error) { return read(system{}, path, limit) }

// ReadIn is [Read] for a file in a root.
func ReadIn(root *os.Root, name string, limit int) ([]byte, error) { return read(root, name, limit) }

// Cause is what the system says of a file, without its path.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// directory is where names mean files: an [os.Root], or the system.
type directory interface {
	Stat(name string) (fs.FileInfo, error)
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
}

type system struct{}

func (system) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

func (system) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

func open(dir directory, name string) (*os.File, error) {
	// To open a device can have an effect, so that it is looked at first. What is open is
	// judged again: it may be another file.
	info, err := dir.Stat(name)
	if err != nil {
		return nil, Cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	// A pipe that took the place of the file would otherwise wait for its other end.
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, Cause(err)
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, errors.Join(Cause(err), f.Close())
	}
	return f, nil
}

func read(dir directory, name string, limit int) ([]byte, error) {
	f, err := open(dir, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return nil, Cause(err)
	}
	if len(data) > limit {
		return nil, fmt.Errorf("it is longer than %d bytes", limit)
	}
	return data, nil
}
