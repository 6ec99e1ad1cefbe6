//go:build unix

package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestRead: a file is read, also through a link; what is no file is refused at once.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("text"), FileMode),
		os.Symlink("file", at("link")),
		os.Mkdir(at("folder"), 0o700),
		syscall.Mkfifo(at("pipe"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]error{
		at("file"): nil, at("link"): nil, at("missing"): fs.ErrNotExist,
		at("folder"): ErrNotRegular, at("pipe"): ErrNotRegular, os.DevNull: ErrNotRegular,
	} {
		if text, err := Read(name); !errors.Is(err, want) || err == nil && string(text) != "text" {
			t.Errorf("%s: %q, %v, want %v", filepath.Base(name), text, err, want)
		}
	}
}
