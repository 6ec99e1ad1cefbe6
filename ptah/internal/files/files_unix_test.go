//go:build unix

package files

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRead: a file is read, also through a link; what is no file is refused at once, with
// no path in what is said.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	at := func(name string) string { return filepath.Join(dir, name) }
	socket, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("12345"), 0o600),
		os.WriteFile(at("long"), []byte("123456"), 0o600),
		os.Symlink("file", at("link")),
		os.Mkdir(at("folder"), 0o700),
		syscall.Mkfifo(at("pipe"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		want error // nil: it is read
		text string
	}{
		{"file", nil, ""}, {"link", nil, ""},
		{"folder", ErrNotRegular, ""}, {"pipe", ErrNotRegular, ""}, {"socket", ErrNotRegular, ""},
		{"missing", fs.ErrNotExist, ""}, {"long", nil, "it is longer than 5 bytes"},
	} {
		for how, read := range map[string]func() ([]byte, error){
			"Read":   func() ([]byte, error) { return Read(at(c.name), 5) },
			"ReadIn": func() ([]byte, error) { return ReadIn(root, c.name, 5) },
		} {
			data, err := read()
			switch {
			case c.text != "" && (err == nil || err.Error() != c.text), c.want != nil && !errors.Is(err, c.want):
				t.Errorf("%s of %s: error %v, want %v%s", how, c.name, err, c.want, c.text)
			case c.text == "" && c.want == nil && string(data) != "12345":
				t.Errorf("%s of %s: %q, %v", how, c.name, data, err)
			}
			if err != nil && strings.Contains(err.Error(), dir) {
				t.Errorf("%s of %s: the error names a path: %v", how, c.name, err)
			}
		}
	}
	if _, err := Read(os.DevNull, 5); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device: %v", err)
	}
}
