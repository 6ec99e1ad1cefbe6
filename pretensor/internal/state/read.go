package state

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// ErrNotRegular is the error of what is there and is no regular file.
var ErrNotRegular = errors.New("it is not a regular file")

// Open opens a regular file to be read, also through a link. A pipe, a device or a socket
// under its name neither holds up the program nor is touched.
func Open(path string) (*os.File, error) {
	// To open a device can have an effect, so that it is looked at first. What is open is
	// judged again: it may be another file.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	// A pipe that took the place of the file would otherwise wait for its other end.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read returns what is in a regular file.
func Read(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	return io.ReadAll(f)
}
