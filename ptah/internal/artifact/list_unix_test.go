//go:build unix

package artifact

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is no regular file is listed, and not read: neither a link to a file or directory
// nor a pipe, on which opening would wait.
func TestList_Irregular(t *testing.T) {
	dir, root := open(t, map[string]string{"a/c.sql": "cc"})
	for name, to := range map[string]string{"link.sql": "/etc/passwd", "linked": "a"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.sql"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []Entry{file("a/c.sql", "cc"), {Path: "link.sql", Size: 11, Kind: Symlink}, {Path: "linked", Size: 1, Kind: Symlink}, {Path: "pipe.sql", Kind: Pipe}}
	got, err := List(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
