package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/tools"
)

// run runs the program in a folder with these files and returns what it printed.
func run(t *testing.T, files map[string]string, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out, err bytes.Buffer
	p := &Program{
		Build: tools.Build{Version: "v1", Commit: "abc"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Executable: "/opt/ptah",
		LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Serve:     func(context.Context, *mcpkit.Server) error { return nil },
	}
	code = p.Run(context.Background(), args)
	return code, out.String(), err.String()
}

var schemas = map[string]string{
	"good.sql":     "CREATE TABLE t (id int PRIMARY KEY, a int);\nCREATE VIEW v AS SELECT a + 1 AS b FROM t;\n",
	"bad.sql":      "CREATE TABLE t (id int PRIMARY KEY, a int REFERENCES missing);\n",
	"torn.sql":     "CREATE TABLE t (id int PRIMARY KEY;\n",
	"odd.sql":      "CREATE TABLE t (id int PRIMARY KEY);\nCREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN EXECUTE ''x''; END';\n",
	"models/m.go":  "package models\n\n//ptah:schema:table name=\"g\"\ntype G struct {\n\t//ptah:schema:field name=\"id\" type=\"BIGSERIAL\" primary\n\tID int64\n}\n",
	"m/1_a.up.sql": "CREATE TABLE t (id int PRIMARY KEY);\n", "m/1_a.down.sql": "DROP TABLE t;\n",
	"n/a.sql":  "SELECT 1;\n",
	"dup.yaml": "version: 1\nversion: 1\n",
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string // parts; empty: nothing at all
	}{
		{"version", 0, "ptah v1 (commit abc)\ncontract " + tools.ContractVersion, ""},
		{"--version", 0, "ptah v1", ""},
		{"--help", 0, "schema", ""},
		{"", 2, "", "a command is missing"},
		{"nonsense", 2, "", `"nonsense" is no command`},
		{"schema", 2, "", "needs a command"},
		{"schema nonsense", 2, "", "is no command"},
		{"schema validate", 2, "", "--dialect is missing"},
		{"schema validate --dialect postgres", 2, "", "--schema-file"},
		{"schema render --dialect postgres --server-version zz --schema-file good.sql", 2, "", "--server-version"},
		{"help schema", 0, "validate", ""},
		{"schema validate --dialect db2 --schema-file good.sql", 2, "", "unknown dialect"},
		{"schema validate --dialect postgres --format xml --schema-file good.sql", 2, "", `--format "xml"`},
		{"schema validate --dialect postgres good.sql", 2, "", "--schema-file"},
		{"schema validate --dialect postgres --nonsense", 2, "", "unknown flag"},
		{"schema validate --dialect postgres --schema-file good.sql", 0, "valid for postgres", ""},
		{"schema validate --dialect pgx --schema-file good.sql --root-dir models", 0, "valid for postgres", ""},
		{"schema validate --dialect postgres --schema-file bad.sql", 1, `bad.sql:1: `, ""},
		{"schema validate --dialect postgres --schema-file torn.sql", 1, "torn.sql:1: ", ""},
		{"schema validate --dialect postgres --schema-file none.sql", 1, "none.sql: ", ""},
		{"schema validate --dialect postgres --format json --schema-file bad.sql", 1, `"rule": "FK003"`, ""},
		{"schema render --dialect postgres --schema-file good.sql", 0, `CREATE TABLE "t"`, ""},
		{"schema render --dialect postgres --schema-file bad.sql", 1, "", "FK003"},
		{"schema lineage --dialect postgres --schema-file good.sql", 0, "v.b <- t.a", ""},
		{"schema lineage --dialect postgres --schema-file torn.sql", 1, "", "schema_source_unreadable"},
		{"schema lineage --dialect postgres --format json --schema-file good.sql", 0, `"to_view": "v"`, ""},
		{"schema lineage --dialect postgres --schema-file odd.sql", 0, "function f undecided", ""},
		{"schema lineage --dialect postgres --strict --schema-file odd.sql", 1, "function f undecided", ""},
		{"migrations hash --dir m", 0, "ptah.sum written, 2 files", ""},
		{"migrations hash --dir none", 2, "", "is no directory"},
		{"migrations validate --dir m", 1, "MIG004", ""},
		{"migrations validate --dir n", 1, "MIG001", ""},
		{"sql lint --dialect postgres m/1_a.up.sql", 0, "nothing was found", ""},
		{"sql lint --dialect postgres torn.sql", 1, "SQL001", ""},
		{"sql lint --dialect postgres none.sql", 2, "", "none.sql"},
		{"sql lint m/1_a.up.sql", 2, "", "--dialect is missing"},
		{"sql lint --dialect postgres", 2, "", "requires at least 1 arg"},
		{"docs search failure codes", 0, "reference/errors.md", ""},
		{"docs search apple cake", 0, "", "does not cover"},
		{"docs search --limit 0 x", 2, "", "--limit"},
		{"mcp --schema-source-root .", 0, "", ""},
		{"mcp --schema-source-root none", 2, "", "--schema-source-root"},
		{"mcp --schema-source-root . extra", 2, "", "extra"},
		{"mcp --migrations-dir m", 2, "", "--migrations-dir"},
		{"mcp --config dup.yaml", 2, "", "--config: line 2: "},
		{"mcp check --schema-source-root .", 0, `"contract_version"`, ""},
		{"mcp check --workspace . --schema-dir models --dialect postgres", 0, `"artifact": "schema"`, ""},
		{"--print-config cursor", 0, `"/opt/ptah"`, ""},
		{"--print-config none", 2, "", "claude-code"},
	} {
		code, stdout, stderr := run(t, schemas, nil, strings.Fields(c.args)...)
		if code != c.code || !has(stdout, c.stdout) || !has(stderr, c.stderr) {
			t.Errorf("ptah %s: exit %d, want %d\nstdout: %q\nstderr: %q", c.args, code, c.code, stdout, stderr)
		}
		if c.code == exitUsage && strings.Count(stderr, "\n") != 1 {
			t.Errorf("ptah %s: a mistake in usage takes one line, got %q", c.args, stderr)
		}
	}
}

// has reports whether a text has a part, or is empty where the part is.
func has(text, part string) bool {
	if part == "" {
		return text == ""
	}
	return strings.Contains(text, part)
}

// What is rendered for a client to execute goes through its own reader again.
func TestScript(t *testing.T) {
	if got := script("sqlserver", []string{"CREATE TABLE t (id INT);", "CREATE VIEW v AS SELECT 1 AS a;"}); got != "CREATE TABLE t (id INT);\nGO\nCREATE VIEW v AS SELECT 1 AS a;\nGO\n" {
		t.Errorf("sqlserver: %q", got)
	}
	trigger := "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN SET NEW.a = 1; SET NEW.b = 2; END;"
	if got := script("mysql", []string{"INSERT;", trigger}); got != "INSERT;\nDELIMITER $$\n"+strings.TrimSuffix(trigger, ";")+"\n$$\nDELIMITER ;\n" {
		t.Errorf("mysql: %q", got)
	}
}

// The hash is what validate expects, and is written whole or not at all.
func TestMigrations_HashThenValidate(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"1_a.up.sql": "SELECT 1;\n", "1_a.down.sql": "SELECT 2;\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args, want string
		code       int
	}{{"hash", "written", 0}, {"hash", "up to date", 0}, {"validate", "2 files are as they were hashed", 0}} {
		code, stdout, stderr := run(t, nil, nil, "migrations", c.args, "--dir", dir)
		if code != c.code || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: exit %d, %q, %q", c.args, code, stdout, stderr)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %d entries: nothing but the checksums may be added", err, len(entries))
	}
}

func TestDocsSearch_EmptyQuery(t *testing.T) {
	for _, query := range []string{"", "  "} {
		if code, _, stderr := run(t, nil, nil, "docs", "search", query); code != exitUsage || !strings.Contains(stderr, "query is empty") {
			t.Errorf("query %q: exit %d, %q", query, code, stderr)
		}
	}
}

// A password of the operator's URL is in nothing that the program prints.
func TestMCPCheck_Secrets(t *testing.T) {
	env := map[string]string{"PTAH_DATABASE_URL": "postgres://reader:t0psecret@127.0.0.1:5432/shop?sslpassword=hidden2", "PTAH_DATABASE_CLASS": "dev"}
	code, stdout, stderr := run(t, nil, env, "mcp", "check")
	if code != 0 || strings.Contains(stdout+stderr, "t0psecret") || strings.Contains(stdout+stderr, "hidden2") {
		t.Errorf("exit %d\n%s\n%s", code, stdout, stderr)
	}
	var s tools.Session
	if err := json.Unmarshal([]byte(stdout), &s); err != nil || len(s.Databases) != 1 || s.Databases[0].Display != "postgres://reader@127.0.0.1:5432/shop" || len(s.Capabilities) != 39 {
		t.Errorf("%v, %+v", err, s.Databases)
	}
}
