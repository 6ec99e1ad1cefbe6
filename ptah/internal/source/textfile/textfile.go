// Package textfile reads source files: whole, bounded, and only when they are text.
package textfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// MaxBytes is the longest source file.
const MaxBytes = 4 << 20

// Read returns the text of a regular file, without a byte order mark. The error says in
// one phrase what is wrong with it, without its name: there is no such file, it is not a
// regular file, it cannot be read, it is longer than [MaxBytes], it is not UTF-8 or it
// has a NUL character.
func Read(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", plain(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return "", plain(err)
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return "", plain(err)
	}
	return Check(data)
}

// Check judges the bytes of a file as Read does.
func Check(data []byte) (string, error) {
	if len(data) > MaxBytes {
		return "", fmt.Errorf("it is longer than %d bytes", MaxBytes)
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(text) {
		return "", errors.New("it is not valid UTF-8")
	}
	if at := strings.IndexByte(text, 0); at >= 0 {
		return "", fmt.Errorf("line %d has a NUL character", 1+strings.Count(text[:at], "\n"))
	}
	return text, nil
}

// SpentError is the error of a file that is one too many: so is every other after it.
type SpentError string

func (e SpentError) Error() string { return string(e) }

// plain takes the path out of an error of a file: the reader knows which file it is, and
// the path may be absolute.
func plain(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("it may not be read")
	}
	var budget interface{ Budget() string }
	if errors.As(err, &budget) {
		return SpentError(budget.Budget())
	}
	return errors.New("it cannot be read")
}
