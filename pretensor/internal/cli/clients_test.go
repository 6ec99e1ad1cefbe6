package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ours = `{"mcpServers":{"pretensor":{"command":"/opt/pretensor","args":["serve"]}}}`

func TestMergeConfig(t *testing.T) {
	for _, c := range []struct{ name, old, want string }{
		{"nothing", "", ours},
		{"blanks", "  \n", ours},
		{"empty object", "{}", ours},
		{"section is null", `{"mcpServers":null}`, ours},
		{"others stay, in their order", `{"z":1,"mcpServers":{"b":{"command":"b"},"a":{"command":"a"}},"a":[]}`,
			`{"z":1,"mcpServers":{"b":{"command":"b"},"a":{"command":"a"},"pretensor":{"command":"/opt/pretensor","args":["serve"]}},"a":[]}`},
		{"an old entry is replaced where it stands", `{"mcpServers":{"pretensor":{"command":"old"},"b":{}}}`,
			`{"mcpServers":{"pretensor":{"command":"/opt/pretensor","args":["serve"]},"b":{}}}`},
		{"numbers keep their digits", `{"n":12345678901234567890,"f":1.10}`, `{"n":12345678901234567890,"f":1.10,` + ours[1:]},
		{"of two the last counts", `{"mcpServers":{"a":1},"mcpServers":{"b":2}}`, `{"mcpServers":{"a":1},"mcpServers":{"b":2,` + ours[15:]},
		{"text is not escaped anew", `{"html":"<a & b>"}`, `{"html":"<a & b>",` + ours[1:]},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := mergeConfig([]byte(c.old), []byte(ours))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(squeeze(c.want), squeeze(string(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := mergeConfig(got, []byte(ours))
			if err != nil || string(again) != string(got) {
				t.Errorf("a second merge gives %v, %s", err, again)
			}
		})
	}
	for _, bad := range []string{"[]", "{", `{"a":1} {"b":2}`, "// comment\n{}", `{"mcpServers":[]}`, `{"mcpServers":"x"}`, "null", `{"a":}`, `{"a" 1}`, "{\"a\":\"\xff\"}"} {
		if got, err := mergeConfig([]byte(bad), []byte(ours)); err == nil {
			t.Errorf("%s became %s", bad, got)
		}
	}
}

// squeeze takes the blanks between the parts of JSON out, as far as these tests need.
func squeeze(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSpace(line))
	}
	return strings.ReplaceAll(b.String(), `": `, `":`)
}

func FuzzMergeConfig(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"mcpServers":{"a":{}}}`, `{"a":{"b":[1,2,{"c":null}]},"mcpServers":null}`, `{"a":1,"a":2}`, "{\"\\ud800\":1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, old string) {
		got, err := mergeConfig([]byte(old), []byte(ours))
		if err != nil {
			return
		}
		var before, after map[string]any
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%q became %q: %v", old, got, err)
		}
		if strings.TrimSpace(old) == "" || json.Unmarshal([]byte(old), &before) != nil {
			return
		}
		for key := range before {
			if _, ok := after[key]; !ok {
				t.Errorf("%q lost %q", old, key)
			}
		}
		if servers, ok := after["mcpServers"].(map[string]any); !ok || servers["pretensor"] == nil {
			t.Errorf("%q became %q", old, got)
		}
	})
}

func TestInstalled(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	s := &session{Program: b.withDefaults()}
	check := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(append([]string{}, want...), s.installed()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	check()
	write(t, filepath.Join(b.Home, ".cursor", "extensions.json"), "{}")
	check("cursor")
	write(t, filepath.Join(b.Home, ".claude.json"), "{}")
	check("claude-code", "cursor")
	s.Home = ""
	check()
	write(t, ".mcp.json", "{}")
	check("claude-code")
}

func TestWriteClient_Links(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	real := filepath.Join(t.TempDir(), "real.json")
	write(t, real, `{"mcpServers":{}}`)
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, ".mcp.json"); err != nil {
		t.Fatal(err)
	}
	b.run("init", "--dsn", shop(t), "--no-repo", "--client", "claude-code").want(t, exitOK, "claude-code: wrote", "")
	if info, err := os.Lstat(".mcp.json"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if !strings.Contains(read(t, real), "/opt/pretensor") || read(t, real+".bak") != `{"mcpServers":{}}` {
		t.Errorf("%s", read(t, real))
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
