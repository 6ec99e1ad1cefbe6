//go:build unix

package keystore

import (
	"strings"
	"syscall"
	"testing"
)

// TestLoad_Pipe: a pipe under the name of the keystore does not hold up the start.
func TestLoad_Pipe(t *testing.T) {
	d := newDir(t)
	if err := syscall.Mkfifo(d.Keystore(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(d, none); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
}
