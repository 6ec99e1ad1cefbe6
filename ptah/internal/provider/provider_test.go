package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
)

// program builds the fake reader of testdata once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "ptah-fake-provider-")
	if err != nil {
		return "", err
	}
	exe := filepath.Join(dir, "fake")
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", exe, "./testdata/fake").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return exe, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if exe, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(exe))
	}
	os.Exit(status)
}

func fake(t *testing.T) string {
	t.Helper()
	exe, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

func sum(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// manifest writes a manifest of the fake reader that behaves in a way.
func manifest(t *testing.T, exe, behaviour string, seconds int) string {
	t.Helper()
	text, err := json.Marshal(Manifest{Protocol: Protocol, Name: "vault-reader", Engine: "vaultdb", Schemes: []string{"vaultdb"},
		Executable: exe, Args: []string{behaviour}, SHA256: sum(t, exe), TimeoutSeconds: seconds})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "vault.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func load(t *testing.T, behaviour string, seconds int) *Provider {
	t.Helper()
	p, err := Load(manifest(t, fake(t), behaviour, seconds))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parseURL(t *testing.T, text string) dburl.URL {
	t.Helper()
	u, err := dburl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

const secret = "Tr0ub4dor"

func read(t *testing.T, p *Provider, schemas ...string) (*Catalog, string, error) {
	t.Helper()
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := p.Read(t.Context(), parseURL(t, "vaultdb://reader:"+secret+"@db.example:99/vault"), schemas, logger)
	return c, log.String(), err
}

func TestRead(t *testing.T) {
	p := load(t, "echo", 0)
	if !p.Serves("vaultdb") || p.Serves("postgres") || p.Name() != "vault-reader" || p.Engine() != "vaultdb" {
		t.Errorf("provider = %+v", p.m)
	}
	got, log, err := read(t, p, "app", "core")
	if err != nil {
		t.Fatal(err)
	}
	two := 2
	want := &Catalog{Dialect: "vaultdb", Version: "7.1", Objects: []Object{
		{Kind: "table", Schema: "app", Name: "t", Columns: &two}, {Kind: "table", Schema: "core", Name: "t", Columns: &two}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(log, "url vaultdb://***@db.example:99/vault") || strings.Contains(log, secret) {
		t.Errorf("log = %s", log)
	}
}

// The program says on stderr in what surroundings it runs.
func TestRead_Surroundings(t *testing.T) {
	t.Setenv("PTAH_DATABASE_URL", "postgres://u:"+secret+"@h/d")
	t.Setenv("LANG", "C.UTF-8")
	_, log, err := read(t, load(t, "echo", 0))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log, "LANG=C.UTF-8") || strings.Contains(log, "PTAH_") {
		t.Errorf("the environment is not HOME, LANG and PATH alone: %s", log)
	}
	if !strings.Contains(log, "entries 0") {
		t.Errorf("the working directory is not empty: %s", log)
	}
	_, dir, _ := strings.Cut(log, "dir ")
	dir, _, _ = strings.Cut(dir, " ")
	if _, err := os.Stat(dir); !os.IsNotExist(err) || dir == "" {
		t.Errorf("the working directory %q is still there: %v", dir, err)
	}
}

func TestRead_Failures(t *testing.T) {
	tests := []struct {
		behaviour string
		code      code.Code
		words     string
	}{
		{"unreachable", code.DatabaseUnreachable, "no route to db.example for ***"},
		{"failed", code.DatabaseReadFailed, "the catalog is *** today"},
		{"exit", code.DatabaseReadFailed, "did not run to its end"},
		{"nothing", code.DatabaseReadFailed, "it is no JSON object"},
		{"text", code.DatabaseReadFailed, "is not valid"},
		{"twice", code.DatabaseReadFailed, "something follows the object"},
		{"unknown-field", code.DatabaseReadFailed, "unknown field"},
		{"upper-case", code.DatabaseReadFailed, "unknown field"},
		{"same-field", code.DatabaseReadFailed, "stands twice"},
		{"deep", code.DatabaseReadFailed, "nested too deeply"},
		{"no-kind", code.DatabaseReadFailed, "object 0 of its answer"},
		{"no-dialect", code.DatabaseReadFailed, "dialect of its answer"},
		{"huge", code.DatabaseReadFailed, "longer than 16777216 bytes"},
	}
	for _, test := range tests {
		t.Run(test.behaviour, func(t *testing.T) {
			_, log, err := read(t, load(t, test.behaviour, 20))
			if code.Of(err) != test.code || !strings.Contains(err.Error(), test.words) {
				t.Errorf("error = %v, want %s with %q", err, test.code, test.words)
			}
			if strings.Contains(err.Error()+log, secret) {
				t.Errorf("the password is shown: %v, %s", err, log)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("control characters in %q", err)
			}
		})
	}
}

func TestRead_StderrIsCut(t *testing.T) {
	_, log, err := read(t, load(t, "chatty", 20))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log, "y"); n < maxStderr-100 || n > maxStderr+100 {
		t.Errorf("%d characters of stderr are in the log, want about %d", n, maxStderr)
	}
}

func TestRead_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := load(t, "echo", 0).Read(ctx, parseURL(t, "vaultdb://h/d"), nil, slog.New(slog.DiscardHandler))
	if err == nil || code.Of(err) != code.Internal || ctx.Err() == nil {
		t.Errorf("error = %v, want that of the context", err)
	}
}

// A program that was replaced after start-up is not run.
func TestRead_Replaced(t *testing.T) {
	text, err := os.ReadFile(fake(t))
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), "reader")
	if err := os.WriteFile(exe, text, 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := Load(manifest(t, exe, "echo", 0))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := read(t, p); err != nil {
		t.Fatalf("before: %v", err)
	}
	if err := os.Rename(exe, exe+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(exe, append(text, 0), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := read(t, p); code.Of(err) != code.DatabaseReadFailed || !strings.Contains(err.Error(), "not what it was") {
		t.Errorf("error = %v", err)
	}
}

func TestLoad_Errors(t *testing.T) {
	good := `{"protocol":"ptah-provider/1","name":"v","engine":"e","schemes":["vaultdb"],"executable":"/x/none","sha256":"` + strings.Repeat("0", 64) + `"}`
	tests := []struct{ name, old, new, want string }{
		{"absent program", "", "", `the executable of provider "v" cannot be read: no such file or directory`},
		{"protocol", "ptah-provider/1", "ptah-provider/2", `protocol is "ptah-provider/2", not "ptah-provider/1"`},
		{"name", `"v"`, `"V W"`, `name is "V W"`},
		{"engine", `"e"`, `""`, `engine is ""`},
		{"no scheme", `["vaultdb"]`, `[]`, "schemes is empty"},
		{"bad scheme", `vaultdb`, `Vault`, `schemes has "Vault"`},
		{"scheme of ours", `vaultdb`, `mysql`, "built-in reader"},
		{"relative program", "/x/none", "none", "absolute path"},
		{"digest", strings.Repeat("0", 64), strings.Repeat("A", 64), "64 lower-case"},
		{"timeout", `"engine"`, `"timeout_seconds":61,"engine"`, "timeout_seconds is 61"},
		{"unknown field", `"engine"`, `"shell":true,"engine"`, `unknown field "shell"`},
		{"same field twice", `"engine"`, `"name":"v","engine"`, `"name" stands twice`},
		{"wrong type", `"e"`, `7`, "engine is a number"},
		{"two objects", `{"protocol"`, `{}{"protocol"`, "something follows"},
		{"no object", good, `[`, "no JSON object"},
		{"too long", good, strings.Repeat(" ", maxManifest+1), "longer than"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "m.json")
			if err := os.WriteFile(file, []byte(strings.Replace(good, test.old, test.new, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(file); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want %q in it", err, test.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.json")); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("error of an absent file = %v", err)
	}
	other := manifest(t, fake(t), "echo", 0)
	text, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, bytes.Replace(text, []byte(sum(t, fake(t))), []byte(strings.Repeat("0", 64)), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(other); err == nil || !strings.Contains(err.Error(), "is not the one of its manifest") {
		t.Errorf("error of another digest = %v", err)
	}
}
