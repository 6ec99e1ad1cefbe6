//go:build unix

package config

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLoad_NoFiles: a pipe under the name of a file that is read at the start does not hold
// it up.
func TestLoad_NoFiles(t *testing.T) {
	dir := workspace(t)
	pipe := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const words = "it is not a regular file"
	pipe("pipe")
	wantRefusal(t, "--config", words, "--config=pipe")
	wantRefusal(t, "--policy", words, "--policy=pipe")
	wantRefusal(t, "--database-provider", words, "--database-provider=pipe", "--database-url=vaultdb://h/d")
	write(t, dir, "ptah.yaml", "version: 1\ndatabases: [{url_file: pipe}]\n")
	wantRefusal(t, "config file, databases[0].url_file", words, "--config=ptah.yaml")
	pipe(StateDir + "/agent-policy")
	wantRefusal(t, "the project's policy file .ptah/agent-policy", words, "--workspace=.", "--schema-dir=schema", "--dialect=postgres")
}
