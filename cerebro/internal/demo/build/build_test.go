package build

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestBuild(t *testing.T) {
	dir := t.TempDir()
	start := time.Now()
	d, err := Build(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start))
	if p := os.Getenv("KEEP"); p != "" {
		b, _ := os.ReadFile(d.Database)
		os.WriteFile(filepath.Join(p, "demo.duckdb"), b, 0o600)
	}
}
