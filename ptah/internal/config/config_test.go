package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/quartet-mcp/quartet/ptah/internal/artifact"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
	"github.com/quartet-mcp/quartet/ptah/internal/provider"
)

// workspace makes the directories of a workspace, and works in it.
func workspace(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"migrations/old", "schema", "schema-tests", "models", ".ptah/x"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "file", "")
	if err := os.Symlink("migrations", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	return dir
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// load reads a configuration. args are flags, and variables as NAME=value.
func load(t *testing.T, args ...string) (*Config, error) {
	t.Helper()
	env := map[string]string{}
	var flags []string
	for _, a := range args {
		if name, value, ok := strings.Cut(a, "="); ok && !strings.HasPrefix(a, "--") {
			env[name] = value
			continue
		}
		flags = append(flags, a)
	}
	set := pflag.NewFlagSet("ptah", pflag.ContinueOnError)
	f := Register(set)
	if err := set.Parse(flags); err != nil {
		t.Fatal(err)
	}
	return f.Load(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
}

func mustLoad(t *testing.T, args ...string) *Config {
	t.Helper()
	c, err := load(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// manifest writes the manifest of a program for the scheme vaultdb.
func manifest(t *testing.T, dir, name string) string {
	t.Helper()
	exe := write(t, dir, "reader", "#!/bin/sh\n")
	sum := sha256.Sum256([]byte("#!/bin/sh\n"))
	text, err := json.Marshal(provider.Manifest{Protocol: provider.Protocol, Name: "vault", Engine: "vaultdb", Schemes: []string{"vaultdb"},
		Executable: exe, SHA256: hex.EncodeToString(sum[:])})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, dir, name, string(text))
}

func TestLoad_Nothing(t *testing.T) {
	c := mustLoad(t)
	if c.Workspace != nil || len(c.SourceRoots) != 0 || len(c.Databases) != 0 || c.AuditLog != "" {
		t.Errorf("config = %+v", c)
	}
	if c.ApprovalTimeout != 5*time.Minute || c.LogLevel != slog.LevelWarn || c.RenderPasswords {
		t.Errorf("config = %+v", c)
	}
	if _, ok := c.Workspace.Artifact(artifact.Schema); ok {
		t.Error("there is an artifact without a workspace")
	}
	if got := len(c.Policy.Rows()); got != 39 {
		t.Errorf("%d rows of policy", got)
	}
}

func TestLoad_Flags(t *testing.T) {
	dir := workspace(t)
	c := mustLoad(t, "--workspace", ".", "--migrations-dir", "migrations/", "--schema-dir", "./schema", "--tests-dir", "schema-tests",
		"--dialect", "PostgreSQL", "--server-version", "16.3", "--allow-write", "migrations,schema", "--allow-write", "tests", "--allow-delete", "schema",
		"--schema-source-root", "models", "--schema-source-root", ".", "--approval-timeout", "90s",
		"--database-url", "postgres://reader@127.0.0.1:5432/shop", "--database-class", "dev", "--allow-database-inspect", "allow")
	want := &Workspace{Root: dir, Dialect: dialect.Postgres, Artifacts: []Artifact{
		{artifact.Migrations, "migrations", true, false}, {artifact.Schema, "schema", true, true}, {artifact.Tests, "schema-tests", true, false}}}
	if diff := cmp.Diff(want, c.Workspace); diff != "" {
		t.Errorf("workspace (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{dir, filepath.Join(dir, "models")}, c.SourceRoots); diff != "" {
		t.Errorf("roots (-want +got):\n%s", diff)
	}
	if len(c.Databases) != 1 || c.Databases[0].Name != "shop" || c.Databases[0].Class != policy.Dev {
		t.Errorf("databases = %+v", c.Databases)
	}
	if c.ServerVersion != "16.3" || c.ApprovalTimeout != 90*time.Second || c.AuditLog != filepath.Join(dir, ".ptah", "agent-audit.jsonl") {
		t.Errorf("config = %+v", c)
	}
	checkPolicy(t, c, map[string]string{
		"artifact.write:migrations": "ask invocation", "artifact.write:tests": "ask invocation",
		"artifact.delete:schema": "ask invocation", "artifact.delete:tests": "deny builtin",
		"database.inspect:dev": "allow invocation", "database.inspect:target": "ask builtin",
	})
}

func checkPolicy(t *testing.T, c *Config, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	for _, r := range c.Policy.Rows() {
		if _, ok := want[r.Name()]; ok {
			got[r.Name()] = string(r.Verdict) + " " + string(r.DecidedBy)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("policy (-want +got):\n%s", diff)
	}
}

func TestLoad_Modes(t *testing.T) {
	workspace(t)
	base := []string{"--workspace=.", "--schema-dir=schema", "--dialect=mysql"}
	checkPolicy(t, mustLoad(t, base...), map[string]string{"artifact.write:schema": "deny invocation", "artifact.write:tests": "deny invocation"})
	base = append(base, "--allow-write=schema", "--allow-delete=schema")
	checkPolicy(t, mustLoad(t, base...), map[string]string{"artifact.write:schema": "ask invocation", "artifact.write:tests": "deny invocation"})
	checkPolicy(t, mustLoad(t, append(base, "PTAH_AUTO_APPROVE=true")...), map[string]string{"artifact.write:schema": "ask invocation"})
	checkPolicy(t, mustLoad(t, append(base, "--auto-approve")...), map[string]string{
		"artifact.write:schema": "allow invocation", "artifact.delete:schema": "ask invocation", "artifact.write:tests": "deny invocation"})
	checkPolicy(t, mustLoad(t, append(base, "--auto-approve=F")...), map[string]string{"artifact.write:schema": "ask invocation"})
}

func TestLoad_Precedence(t *testing.T) {
	dir := workspace(t)
	write(t, dir, "ptah.yaml", `version: 1
workspace: {root: ., dialect: postgres, artifacts: {migrations: migrations}, allow_write: [migrations]}
audit_log: logs/audit.jsonl
approval_timeout: 3m
`)
	get := func(args ...string) string {
		c := mustLoad(t, append(args, "--config", "ptah.yaml")...)
		return fmt.Sprint(c.Workspace.Dialect, " ", c.ApprovalTimeout, " ", c.AuditLog, " ", c.Workspace.Artifacts[0].AllowWrite)
	}
	tests := []struct {
		args []string
		want string
	}{
		{nil, "postgres 3m0s " + dir + "/logs/audit.jsonl true"},
		{[]string{"PTAH_DIALECT=mysql", "PTAH_APPROVAL_TIMEOUT=1m"}, "mysql 1m0s " + dir + "/logs/audit.jsonl true"},
		{[]string{"PTAH_DIALECT=mysql", "PTAH_APPROVAL_TIMEOUT=1m", "--dialect=sqlite", "--audit-log=a.jsonl"}, "sqlite 1m0s " + dir + "/a.jsonl true"},
		{[]string{"PTAH_DIALECT="}, "postgres 3m0s " + dir + "/logs/audit.jsonl true"}, // says nothing
		{[]string{"PTAH_SCHEMA_DIR=schema", "PTAH_ALLOW_WRITE= schema"}, "postgres 3m0s " + dir + "/logs/audit.jsonl false"},
	}
	for _, test := range tests {
		if got := get(test.args...); got != test.want {
			t.Errorf("%v: %s, want %s", test.args, got, test.want)
		}
	}
	if c := mustLoad(t, "PTAH_CONFIG=ptah.yaml"); c.Workspace.Dialect != dialect.Postgres {
		t.Errorf("config = %+v", c)
	}
}

func TestLoad_File(t *testing.T) {
	dir := workspace(t)
	write(t, dir, "secrets/ledger", "mysql://app:hunter2@db/ledger\n")
	manifest(t, filepath.Join(dir, "ops"), "vault.json")
	write(t, dir, "ops/ptah.yaml", `version: 1
workspace:
  root: ..
  dialect: postgres
  server_version: "16"
  artifacts: { migrations: migrations, schema: schema, tests: schema-tests }
  allow_write: [migrations]
  allow_delete: []
schema_source_roots: [../models]
databases:
  - { name: shop,   class: dev,        url_env: SHOP_URL }
  - { name: ledger, class: production, url_file: ../secrets/ledger, schemas: [public, audit] }
  - { class: target,     url: "vaultdb://vault/core", provider: ./vault.json }
audit_log: /var/log/ptah/audit.jsonl
render_passwords: true
`)
	t.Chdir("models") // paths are relative to the file
	c := mustLoad(t, "--config=../ops/ptah.yaml", "SHOP_URL=postgres://u:hunter2@h/s", "--database-url=sqlite:x.db", "--database-class=dev", "PTAH_LOG_LEVEL=debug")
	if c.Workspace.Root != dir || len(c.Workspace.Artifacts) != 3 || c.ServerVersion != "16" {
		t.Errorf("workspace = %+v", c.Workspace)
	}
	if diff := cmp.Diff([]string{dir, filepath.Join(dir, "models")}, c.SourceRoots); diff != "" {
		t.Errorf("roots (-want +got):\n%s", diff)
	}
	var got []string
	for _, d := range c.Databases {
		got = append(got, fmt.Sprint(d.Name, " ", d.Class, " ", d.URL.Display(), " ", d.Schemas, " ", d.Provider != nil))
	}
	want := []string{
		"x dev sqlite://x.db [] false", "shop dev postgres://u@h/s [] false",
		"ledger production mysql://app@db/ledger [public audit] false", "core target vaultdb://vault/core [] true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("databases (-want +got):\n%s", diff)
	}
	if c.AuditLog != "/var/log/ptah/audit.jsonl" || !c.RenderPasswords || c.LogLevel != slog.LevelDebug {
		t.Errorf("config = %+v", c)
	}
	if strings.Contains(fmt.Sprintf("%+v", *c), "hunter2") {
		t.Error("a password is printed")
	}
}

func TestLoad_Policy(t *testing.T) {
	dir := workspace(t)
	base := []string{"--workspace=.", "--migrations-dir=migrations", "--dialect=postgres", "--allow-write=migrations", "XDG_CONFIG_HOME=" + dir + "/xdg"}
	checkPolicy(t, mustLoad(t, base...), map[string]string{"database.inspect:production": "deny builtin"})

	write(t, dir, "xdg/ptah/agent-policy", "database.inspect:production ask\ndocs.read deny\n")
	want := map[string]string{"database.inspect:production": "ask user", "docs.read": "deny user", "artifact.write:migrations": "ask invocation"}
	checkPolicy(t, mustLoad(t, base...), want)

	write(t, dir, ".ptah/agent-policy", "database.inspect:unclassified ask\nartifact.write deny\n")
	want["artifact.write:migrations"] = "deny project"
	want["database.inspect:unclassified"] = "deny builtin"
	c := mustLoad(t, base...)
	checkPolicy(t, c, want)
	if got := c.Policy.Ignored(); len(got) != 1 || !strings.HasPrefix(got[0], "database.inspect:unclassified ask (project): ") {
		t.Errorf("ignored = %q", got)
	}

	write(t, dir, "mine", "docs.read allow\n")
	checkPolicy(t, mustLoad(t, append(base, "--policy=mine")...), map[string]string{"docs.read": "allow user", "database.inspect:production": "deny builtin"})

	write(t, dir, "xdg/ptah/agent-policy", "docs.reed deny\n")
	wantRefusal(t, "the user's policy file", "line 1: unknown capability", base...)
	wantRefusal(t, "--policy", "cannot be read: no such file", append(base, "--policy=absent")...)
	write(t, dir, ".ptah/agent-policy", "shell.execute allow\n")
	wantRefusal(t, "the project's policy file .ptah/agent-policy", "line 1: shell.execute is always denied", append(base, "--policy=mine")...)
	if err := os.Remove(filepath.Join(dir, ".ptah/agent-policy")); err != nil {
		t.Fatal(err)
	}
	outside := write(t, t.TempDir(), "policy", "docs.read deny\n")
	if err := os.Symlink(outside, filepath.Join(dir, ".ptah/agent-policy")); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, "the project's policy file .ptah/agent-policy", "cannot be read", append(base, "--policy=mine")...)
}

func wantRefusal(t *testing.T, where, words string, args ...string) {
	t.Helper()
	_, err := load(t, args...)
	var e *Error
	switch {
	case !errors.As(err, &e):
		t.Errorf("%v: error %v, want a refusal", args, err)
	case e.Where != where || !strings.Contains(e.Message, words):
		t.Errorf("%v:\n%v\nwant %s: … %s …", args, err, where, words)
	case strings.ContainsAny(err.Error(), "\n\r"):
		t.Errorf("%v: more than one line: %q", args, err)
	case strings.Contains(err.Error(), "hunter2"):
		t.Errorf("%v: a password is shown: %v", args, err)
	}
}

func TestLoad_Refusals(t *testing.T) {
	dir := workspace(t)
	manifest(t, filepath.Join(dir, "ops"), "vault.json")
	manifest(t, filepath.Join(dir, "migrations"), "vault.json")
	work := []string{"--workspace=.", "--migrations-dir=migrations", "--dialect=postgres"}
	with := func(args ...string) []string { return append(slices.Clone(work), args...) }
	db := []string{"--database-url=postgres://u:hunter2@h/d"}
	tests := []struct {
		name         string
		args         []string
		where, words string
	}{
		{"class dir alone", []string{"--migrations-dir=migrations"}, "--migrations-dir", "needs --workspace"},
		{"schema dir alone", []string{"PTAH_SCHEMA_DIR=schema"}, "PTAH_SCHEMA_DIR", "needs --workspace"},
		{"tests dir alone", []string{"--tests-dir=x"}, "--tests-dir", "needs --workspace"},
		{"dialect alone", []string{"--dialect=mysql"}, "--dialect", "needs --workspace"},
		{"allow-write alone", []string{"--allow-write=schema"}, "--allow-write", "needs --workspace"},
		{"allow-delete alone", []string{"--allow-delete=schema"}, "--allow-delete", "needs --workspace"},
		{"auto-approve alone", []string{"--auto-approve"}, "--auto-approve", "needs --workspace"},

		{"no dialect", []string{"--workspace=.", "--schema-dir=schema"}, "--dialect", "required with --workspace"},
		{"no class", []string{"--workspace=.", "--dialect=mysql"}, "--workspace", "no class has a directory"},
		{"absent workspace", []string{"--workspace=absent"}, "--workspace", "no such file or directory"},
		{"file as workspace", []string{"--workspace=file"}, "--workspace", "is not a directory"},
		{"empty workspace", []string{"--workspace="}, "--workspace", "the value is empty"},
		{"write without dir", with("--allow-write=schema"), "--allow-write", "the class schema has no directory; give --schema-dir"},
		{"delete without dir", with("--allow-delete=schema"), "--allow-delete", "has no directory"},
		{"delete without write", with("--allow-delete=migrations"), "--allow-delete", "not in --allow-write"},
		{"unknown class", with("--allow-write=foo"), "--allow-write", `unknown artifact class "foo"`},
		{"unknown class to delete", with("PTAH_ALLOW_DELETE=Schema"), "PTAH_ALLOW_DELETE", `unknown artifact class "Schema"`},
		{"empty class", with("--allow-write=migrations,"), "--allow-write", "one of the values is empty"},
		{"unknown dialect", with("--dialect=dbase"), "--dialect", `unknown dialect "dbase"`},
		{"bad version", with("--server-version=sixteen"), "--server-version", `"sixteen" is no version`},
		{"auto-approve without write", with("--auto-approve"), "--auto-approve", "--allow-write names no class"},

		{"absent dir", with("--schema-dir=absent"), "--schema-dir", "no such file or directory"},
		{"file as dir", with("--schema-dir=file"), "--schema-dir", "is not a directory"},
		{"link as dir", []string{"--workspace=.", "--dialect=mysql", "--migrations-dir=link"}, "--migrations-dir", "symbolic link"},
		{"dir behind a link", []string{"--workspace=.", "--dialect=mysql", "--migrations-dir=link/old"}, "--migrations-dir", "symbolic link"},
		{"root as dir", with("--schema-dir=./"), "--schema-dir", "is the workspace itself"},
		{"dir outside", with("--schema-dir=schema/../../x"), "--schema-dir", "outside of the workspace"},
		{"absolute dir", with("--schema-dir=" + dir + "/schema"), "--schema-dir", "is absolute"},
		{"same dir", with("--schema-dir=migrations"), "--schema-dir", "overlaps"},
		{"dir below another", with("--schema-dir=migrations/old"), "--schema-dir", `overlaps "migrations", the directory of the class migrations`},
		{"dir above another", []string{"--workspace=.", "--dialect=mysql", "--migrations-dir=migrations/old", "--tests-dir=migrations"}, "--tests-dir", "overlaps"},
		{"the server's own dir", with("--schema-dir=.ptah/x"), "--schema-dir", "belongs to the server itself"},

		{"absent root", []string{"--schema-source-root=absent"}, "--schema-source-root", "no such file or directory"},
		{"second root is a file", []string{"PTAH_SCHEMA_SOURCE_ROOT=models,file"}, "PTAH_SCHEMA_SOURCE_ROOT", "is not a directory"},

		{"no scheme", []string{"PTAH_DATABASE_URL=u:hunter2@h"}, "PTAH_DATABASE_URL", "does not go on with //"},
		{"no reader", []string{"--database-url=oracle://u:hunter2@h/d"}, "--database-url", `no reader serves the scheme "oracle"`},
		{"name without database", []string{"--database-name=x"}, "--database-name", "needs --database-url"},
		{"class without database", []string{"PTAH_DATABASE_CLASS=dev"}, "PTAH_DATABASE_CLASS", "needs --database-url"},
		{"provider without database", []string{"--database-provider=ops/vault.json"}, "--database-provider", "needs --database-url"},
		{"unknown database class", append(db, "--database-class=prod"), "--database-class", `unknown database class "prod"`},
		{"bad name", append(db, "--database-name=a\u202eb"), "--database-name", "control characters"},
		{"absent manifest", append(db, "--database-provider=absent"), "--database-provider", "cannot be read"},
		{"manifest of another engine", append(db, "--database-provider=ops/vault.json"), "--database-provider", `does not serve the scheme "postgres"`},
		{"inspect without database", []string{"--allow-database-inspect=ask"}, "--allow-database-inspect", "needs a database"},
		{"unknown verdict", append(db, "--allow-database-inspect=yes"), "--allow-database-inspect", `"yes" is not ask or allow`},
		{"deny as verdict", append(db, "--allow-database-inspect=deny"), "--allow-database-inspect", `"deny" is not ask or allow`},
		{"inspect production", append(db, "--allow-database-inspect=ask", "--database-class=production"), "--allow-database-inspect", "of the class production"},
		{"inspect unclassified", append(db, "--allow-database-inspect=allow"), "--allow-database-inspect", "of the class unclassified"},

		{"bad timeout", []string{"--approval-timeout=5"}, "--approval-timeout", `"5" is no duration`},
		{"no timeout", []string{"PTAH_APPROVAL_TIMEOUT=0s"}, "PTAH_APPROVAL_TIMEOUT", `"0s" is no duration above zero`},
		{"bad log level", []string{"PTAH_LOG_LEVEL=loud"}, "PTAH_LOG_LEVEL", `unknown level "loud"`},

		{"audit log in migrations", with("--allow-write=migrations", "--audit-log=migrations/audit.jsonl"), "--audit-log", "lies inside of migrations"},
		{"audit log in a new folder there", with("--allow-write=migrations", "--audit-log=migrations/a/b/audit.jsonl"), "--audit-log", "lies inside"},
		{"audit log behind a link", with("--allow-write=migrations", "--audit-log=link/audit.jsonl"), "--audit-log", "lies inside"},
		{"policy in migrations", with("--allow-write=migrations", "--policy=migrations/policy"), "--policy", "lies inside"},
		{"default policy in migrations", with("--allow-write=migrations", "XDG_CONFIG_HOME="+dir+"/migrations"), "the user's policy file", "lies inside"},
		{"config in migrations", with("--allow-write=migrations", "--config=migrations/ptah.yaml"), "--config", "lies inside"},
		{"manifest in migrations", with("--allow-write=migrations", "--database-url=vaultdb://h", "--database-provider=migrations/vault.json"), "--database-provider", "lies inside"},
		{"absent config", []string{"--config=absent"}, "--config", "cannot be read: no such file"},
	}
	write(t, dir, "migrations/ptah.yaml", "version: 1\n")
	write(t, dir, "migrations/policy", "docs.read allow\n")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantRefusal(t, test.where, test.words, test.args...) })
	}
	// Where nothing may be written, the same places are good.
	for _, args := range [][]string{
		with("--audit-log=migrations/audit.jsonl"), with("--policy=migrations/policy"), with("--config=migrations/ptah.yaml"),
		with("--allow-write=migrations", "--audit-log=audit.jsonl"),
		{"--database-url=vaultdb://h", "--database-provider=ops/vault.json"},
		append(db, "--allow-database-inspect=ask", "--database-class=target"),
	} {
		if _, err := load(t, args...); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestLoad_FileRefusals(t *testing.T) {
	dir := workspace(t)
	tests := []struct{ name, text, where, words string }{
		{"empty", "", "--config", "version is 0"},
		{"no version", "audit_log: x\n", "--config", "version is 0"},
		{"other version", "version: 2\n", "--config", `version is 2; write "version: 1"`},
		{"unknown key", "version: 1\n\nworkspaces: {}\n", "--config", "line 3: unknown field"},
		{"unknown key inside", "version: 1\nworkspace:\n  root: .\n  colour: red\n", "--config", "line 4: unknown field"},
		{"key twice", "version: 1\naudit_log: a\naudit_log: b\n", "--config", "line 3: mapping key \"audit_log\" already defined"},
		{"flag only", "version: 1\nauto_approve: true\n", "--config", "it can only be said with a flag"},
		{"flag only, inspect", "version: 1\nallow_database_inspect: allow\n", "--config", "it can only be said with a flag"},
		{"wrong type", "version: 1\nschema_source_roots: {a: hunter2}\n", "--config", "line 2:"},
		{"no YAML", "version: [1\nurl: postgres://u:hunter2@h\n", "--config", "line "},
		{"second document", "version: 1\n---\nversion: 1\n", "--config", "second document"},
		{"not UTF-8", "version: 1 # \xff\n", "--config", "not UTF-8"},
		{"too long", "version: 1\n" + strings.Repeat("#\n", maxFile), "--config", "longer than"},
		{"workspace without root", "version: 1\nworkspace: {dialect: mysql}\n", "config file, workspace.root", "missing"},
		{"bad dialect", "version: 1\nworkspace: {root: ., dialect: x, artifacts: {schema: schema}}\n", "config file, workspace.dialect", "unknown dialect"},
		{"unknown class", "version: 1\nworkspace: {root: ., dialect: mysql, artifacts: {scheme: schema}}\n", "config file, workspace.artifacts", "unknown artifact class"},
		{"two unknown classes", "version: 1\nworkspace: {root: ., dialect: mysql, artifacts: {z: schema, b: schema, y: schema, c: schema}}\n", "config file, workspace.artifacts", `"b"`},
		{"bad class dir", "version: 1\nworkspace: {root: ., dialect: mysql, artifacts: {schema: absent}}\n", "config file, workspace.artifacts.schema", "no such file"},
		{"write without dir", "version: 1\nworkspace: {root: ., dialect: mysql, artifacts: {schema: schema}, allow_write: [tests]}\n", "config file, workspace.allow_write", "no directory"},
		{"absent root", "version: 1\nschema_source_roots: [absent]\n", "config file, schema_source_roots", "no such file"},
		{"no URL", "version: 1\ndatabases: [{name: a}]\n", "config file, databases[0].url", "exactly one of url, url_env and url_file"},
		{"two URLs", "version: 1\ndatabases: [{url: 'sqlite:a.db', url_env: X}]\n", "config file, databases[0].url", "exactly one"},
		{"password", "version: 1\ndatabases: [{url: 'postgres://u:hunter2@h/d'}]\n", "config file, databases[0].url", "use url_env or url_file"},
		{"secret parameter", "version: 1\ndatabases: [{url: 'postgres://u@h/d?sslpassword=hunter2'}]\n", "config file, databases[0].url", "use url_env or url_file"},
		{"absent variable", "version: 1\ndatabases: [{url_env: NOT_THERE}]\n", "config file, databases[0].url_env", "is not set"},
		{"absent file", "version: 1\ndatabases: [{url_file: absent}]\n", "config file, databases[0].url_file", "cannot be read"},
		{"same name", "version: 1\ndatabases: [{url: 'sqlite:a.db'}, {name: a, url: 'sqlite:b.db'}]\n", "config file, databases[1].name", `two databases have the name "a"`},
		{"bad class", "version: 1\ndatabases: [{url: 'sqlite:a.db', class: Dev}]\n", "config file, databases[0].class", "unknown database class"},
		{"schema twice", "version: 1\ndatabases: [{url: 'sqlite:a.db', schemas: [a, a]}]\n", "config file, databases[0].schemas", "twice"},
		{"bad timeout", "version: 1\napproval_timeout: soon\n", "config file, approval_timeout", "no duration"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			write(t, dir, "ptah.yaml", test.text)
			wantRefusal(t, test.where, test.words, "--config=ptah.yaml")
		})
	}
	write(t, dir, "ptah.yaml", "version: 1\ndatabases: [{url: 'sqlite:a.db', class: dev}, {url: 'sqlite:b.db', class: dev}, {url: 'sqlite:c.db', class: target}]\n")
	wantRefusal(t, "--allow-database-inspect", "the config file has several", "--config=ptah.yaml", "--allow-database-inspect=allow")
	wantRefusal(t, "--allow-database-inspect", `"d" and "a" are both of the class dev`, "--config=ptah.yaml", "--allow-database-inspect=allow",
		"--database-url=sqlite:d.db", "--database-class=dev")
	c := mustLoad(t, "--config=ptah.yaml", "--allow-database-inspect=allow", "--database-url=sqlite:d.db", "--database-class=ephemeral")
	checkPolicy(t, c, map[string]string{"database.inspect:ephemeral": "allow invocation", "database.inspect:dev": "ask builtin"})
}

// Every flag has a twin in the environment but for those that only widen.
func TestFlags_Twins(t *testing.T) {
	var without []string
	for _, f := range flagNames {
		if f.noEnv {
			without = append(without, f.name)
		}
		if f.usage == "" {
			t.Errorf("--%s has no description", f.name)
		}
	}
	if diff := cmp.Diff([]string{"auto-approve", "allow-database-inspect"}, without); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := EnvName("allow-write"); got != "PTAH_ALLOW_WRITE" {
		t.Errorf("EnvName = %s", got)
	}
	c := mustLoad(t, "PTAH_DATABASE_URL=sqlite:a.db", "PTAH_DATABASE_CLASS=ephemeral", "PTAH_ALLOW_DATABASE_INSPECT=ask")
	checkPolicy(t, c, map[string]string{"database.inspect:ephemeral": "allow builtin"})
}
