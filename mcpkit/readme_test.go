package mcpkit

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program of the README is under 30 lines, builds and does what is said
// below it.
func TestReadme_ProgramWorks(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	program, _, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("README.md has no program")
	}
	lines := 0
	for line := range strings.Lines(program) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	if lines >= 30 {
		t.Errorf("the program has %d lines, want fewer than 30", lines)
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "greeter")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("building it: %v\n%s", err, out)
	}

	out, err := exec.Command(binary, "--print-config", "claude-desktop").Output()
	var config struct {
		MCPServers map[string]struct{ Command string }
	}
	if err != nil || json.Unmarshal(out, &config) != nil || !filepath.IsAbs(config.MCPServers["greeter"].Command) {
		t.Errorf("--print-config: %v\n%s", err, out)
	}

	cmd := exec.Command(binary)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada","times":"2"},` + modernMeta + `}}`)
	out, err = cmd.Output()
	if err != nil || !strings.Contains(string(out), `"structuredContent":{"greetings":["Hello, Ada","Hello, Ada"]}`) {
		t.Errorf("a call: %v\n%s", err, out)
	}
}
