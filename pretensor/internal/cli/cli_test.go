package cli

import (
	"bytes"
	"context"
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	_ "modernc.org/sqlite"
)

// bench is a program for tests with a state directory of its own.
type bench struct {
	Program
	t     testing.TB
	dir   string
	env   map[string]string
	all   []string // everything that was printed
	clock time.Time

	clientOptions mcp.ClientOptions // of talk
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, dir: filepath.Join(t.TempDir(), "state"), env: map[string]string{}, clock: time.Date(2026, 11, 21, 8, 12, 3, 0, time.UTC)}
	b.Program = Program{
		Version: "1.2.3", Executable: "/opt/pretensor", Home: t.TempDir(),
		Now:       func() time.Time { return b.clock },
		LookupEnv: func(key string) (string, bool) { v, ok := b.env[key]; return v, ok },
		LockWait:  200 * time.Millisecond,
	}
	return b
}

type outcome struct {
	code        int
	out, stderr string
}

// run runs a command with the bench's state directory.
func (b *bench) run(args ...string) outcome {
	b.t.Helper()
	return b.typed("", append(args, "--state-dir", b.dir)...)
}

// typed runs a command as it stands, with an input.
func (b *bench) typed(input string, args ...string) outcome {
	b.t.Helper()
	var out, stderr bytes.Buffer
	p := b.Program
	p.Stdin, p.Stdout, p.Stderr = strings.NewReader(input), &out, &stderr
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	o := outcome{code: p.Run(ctx, args), out: out.String(), stderr: stderr.String()}
	b.all = append(b.all, o.out, o.stderr)
	return o
}

// want checks an outcome: the code, and texts that the streams hold.
func (o outcome) want(t testing.TB, code int, out, stderr string) outcome {
	t.Helper()
	if o.code != code || !strings.Contains(o.out, out) || !strings.Contains(o.stderr, stderr) {
		t.Errorf("code %d, want %d; stdout %q, want %q in it; stderr %q, want %q in it", o.code, code, o.out, out, o.stderr, stderr)
	}
	return o
}

// silent checks that nothing is on standard output.
func (o outcome) silent(t testing.TB) outcome {
	t.Helper()
	if o.out != "" {
		t.Errorf("stdout %q, want nothing", o.out)
	}
	return o
}

// keeps fails if a secret is in the state directory, or was printed.
func (b *bench) keeps(secret string) {
	b.t.Helper()
	for _, text := range b.all {
		if strings.Contains(text, secret) {
			b.t.Errorf("the secret was printed: %q", text)
		}
	}
	if _, err := os.Stat(b.dir); err != nil {
		return
	}
	err := filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte(secret)) {
			b.t.Errorf("the secret is in %s", path)
		}
		return nil
	})
	if err != nil {
		b.t.Error(err)
	}
}

// shop makes a SQLite file with a few tables and returns its path.
func shop(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	execute(t, "sqlite", path,
		`CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT NOT NULL)`,
		`CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), placed_at TEXT)`,
		`CREATE TABLE tickets (id INTEGER PRIMARY KEY, order_id INTEGER, note TEXT)`,
		`INSERT INTO customers VALUES (1, 'ann@example.com')`,
	)
	return path
}

func execute(t testing.TB, driver, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open(driver, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
