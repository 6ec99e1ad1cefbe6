//go:build unix

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
)

// A program that does not answer is ended with what it started.
func TestRead_Timeout(t *testing.T) {
	start := time.Now()
	mark := filepath.Join(t.TempDir(), "mark")
	p := load(t, "hang", 1)
	p.m.Args = append(p.m.Args, mark)
	_, _, err := read(t, p)
	if code.Of(err) != code.DatabaseUnreachable || !strings.Contains(err.Error(), "in time") {
		t.Errorf("error = %v", err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
	// The child of the program touches the file as long as it lives.
	before := size(t, mark)
	time.Sleep(300 * time.Millisecond)
	if after := size(t, mark); before == 0 || after != before {
		t.Errorf("the child of the program lives on: %d bytes, then %d", before, after)
	}
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
