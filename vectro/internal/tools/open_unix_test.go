//go:build unix

package tools

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quartet-mcp/quartet/mcpkit"
)

// What only the disk can tell is refused with the very same words: a link that
// leads outside, a pipe, a socket's folder, a device, a file that is absent.
func TestLoadFile_OneRefusalForWhatOnlyTheDiskTells(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.csv"), []byte("n\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, target := range map[string]string{
		"link-file.csv": filepath.Join(outside, "secret.csv"), "link-dir": outside, "device-null.csv": "/dev/null", "dangling-link.csv": "nowhere",
		"relative-link.csv": "../" + filepath.Base(outside) + "/secret.csv", "loop-link.csv": "loop-link.csv",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe-line.csv"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder-name.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := connect(t, nil, settings{})
	c.root(dir)
	for _, name := range []string{
		"absent-file-of-that-name.csv", "link-file.csv", "link-dir/secret.csv", "device-null.csv", "dangling-link.csv", "relative-link.csv", "loop-link.csv", "pipe-line.csv", "folder-name.csv",
	} {
		if got, want := c.bad("load_file", quoteJSON(map[string]string{"path": name})), "There is no file '"+name+"' in the data folder."; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	c.root("/dev")
	if got := c.bad("load_file", `{"path":"null"}`); !strings.HasPrefix(got, "There is no file 'null' in the data folder") {
		t.Errorf("a device: %s", got)
	}
	if n := c.used(); n != 0 {
		t.Errorf("refusals hold %d bytes", n)
	}
}

// root changes the data folder.
func (c *client) root(dir string) {
	c.t.Helper()
	root, err := mcpkit.OpenRoot(dir)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { root.Close() })
	c.sv.Root = root
}
