package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"

	_ "github.com/quartet-mcp/quartet/pretensor/internal/connect/duckdb"
)

// entry is a connection as the registry has it.
func (b *bench) entry(name string) registry.Entry {
	b.t.Helper()
	r, err := registry.NewStore(state.At(b.dir), b.getenv).Read()
	if err != nil {
		b.t.Fatal(err)
	}
	e, err := r.Get(name)
	if err != nil {
		b.t.Fatal(err)
	}
	return e
}

// tables are the names of the tables in the snapshot of a connection.
func (b *bench) tables(name string) []string {
	b.t.Helper()
	shot, err := snapshot.Read(state.At(b.dir), name)
	if err != nil {
		b.t.Fatal(err)
	}
	out := []string{}
	for _, t := range shot.Database.Tables {
		out = append(out, t.Name)
	}
	return out
}

func TestIndex_File(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	o := b.run("index", shop(t)).want(t, exitOK, "tables 3 · columns 8 · declared joins 1 · inferred joins 1 (1 high, 0 medium, 0 low)", "introspection")
	graph := filepath.Join(b.dir, "graphs", "shop.kuzu")
	if want := graph + "\nnext: pretensor serve --config-only --state-dir " + b.dir + "\n"; !strings.HasSuffix(o.out, want) {
		t.Errorf("%q, want %q at its end", o.out, want)
	}
	for _, path := range []string{graph, catalog.PathOf(graph), filepath.Join(b.dir, "snapshots", "shop.yaml")} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
	if strings.Contains(o.out, "introspection") {
		t.Error("progress is on standard output")
	}
	b.clock = b.clock.Add(9 * 24 * time.Hour)
	b.run("list").want(t, exitOK, "shop  sqlite  db=shop  tables=3  columns=8  indexed=2026-11-21T08:12:03Z (9 days, stale)  "+graph+"\n", "")
	var rows []listed
	if err := json.Unmarshal([]byte(b.run("list", "--json").out), &rows); err != nil || len(rows) != 1 {
		t.Fatalf("%v, %v", err, rows)
	}
	if r := rows[0]; !r.Stale || *r.AgeDays != 9 || *r.Stats != "catalog" || *r.Graph != graph || *r.Columns != 8 || r.Tables != 3 || *r.Generation == "" {
		t.Errorf("%+v", r)
	}
}

// A name is as good as a connection string once it is registered.
func TestIndex_Name(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := shop(t)
	b.run("add", file, "--name", "stock").want(t, exitOK, "", "")
	b.run("index", "stock").want(t, exitOK, "tables 3", "")
	b.run("index", "stok").want(t, exitFailed, "", `did you mean "stock"?`).silent(t)
	b.run("index", "stock", "--name", "x").want(t, exitUsage, "", "--name").silent(t)
	b.run("reindex", "stock").want(t, exitOK, "tables 3", "")
	b.run("reindex", "-d", "stock").want(t, exitOK, "tables 3", "")
	b.run("reindex", "--db", "stok").want(t, exitFailed, "", `did you mean "stock"?`).silent(t)
	b.run("reindex", file).want(t, exitOK, "graphs/stock.kuzu", "") // as it is called
	b.run("index", "-d", "stock").want(t, exitUsage, "", "no option --database").silent(t)
}

func TestIndex_Which(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := shop(t)
	b.run("index").want(t, exitFailed, "", "--source NAME or --all").silent(t)
	b.run("reindex").want(t, exitFailed, "", "--source NAME or --all").silent(t)
	b.run("index", "--all").want(t, exitFailed, "", "nothing to index").silent(t)
	for _, args := range [][]string{{file, "--all"}, {file, "--source", "x"}, {"--source", "x", "--all"}} {
		b.run(append([]string{"index"}, args...)...).want(t, exitUsage, "", "not several").silent(t)
	}
	b.run("index", file, file).want(t, exitUsage, "", "2 arguments").silent(t)
	b.run("index", "").want(t, exitUsage, "", "empty").silent(t)
	b.run("index", "--source", "x").want(t, exitFailed, "", `source "x" is not configured`).silent(t)
	b.run("index", "--all", "--name", "x").want(t, exitUsage, "", "go with a connection string").silent(t)
	b.run("index", filepath.Join(t.TempDir(), "none.db")).want(t, exitFailed, "", "none.db").silent(t)
	if _, err := os.Stat(filepath.Join(b.dir, state.RegistryName)); err == nil {
		t.Error("what could not be indexed was registered")
	}
}

func TestIndex_Later(t *testing.T) {
	b := newBench(t)
	file := shop(t)
	for _, option := range [][]string{{"--unified"}, {"--dbt-manifest", "m.json"}, {"--dbt-sources", "s.json"}, {"--value-overlap", "auto"}} {
		b.run(append([]string{"index", file}, option...)...).want(t, exitUsage, "", option[0]+" is not in this version yet").silent(t)
	}
	b.run("index", file, "--value-overlap", "off").want(t, exitOK, "tables 3", "")
	for _, bad := range [][]string{{"--jobs", "0"}, {"--jobs", "many"}, {"--stats", "all"}, {"--embeddings", "--no-embeddings"}, {"--schemas", ""}, {"--schemas", "a,,b"}} {
		b.run(append([]string{"index", file}, bad...)...).want(t, exitUsage, "", bad[0]).silent(t)
	}
	b.run("index", file, "--jobs", "1").want(t, exitOK, "tables 3", "")
}

// DuckDB has schemas; what was chosen once holds for the next time.
func TestReindex_RepeatsTheOptions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "dwh.duckdb")
	execute(t, "duckdb", file, `CREATE SCHEMA sales`, `CREATE SCHEMA stage`, `CREATE TABLE sales.facts (id INTEGER PRIMARY KEY)`, `CREATE TABLE stage.raw (id INTEGER)`, `CREATE TABLE main.other (id INTEGER)`)
	b.run("index", file, "--schemas", "sales,stage", "--stats", "none", "--no-embeddings").want(t, exitOK, "tables 2", "")
	if got := b.tables("dwh"); !slices.Equal(got, []string{"facts", "raw"}) {
		t.Errorf("%v", got)
	}
	if got, want := string(b.entry("dwh").IndexOptions), `{"schemas":["sales","stage"],"stats":"none","embeddings":false}`; compact(t, got) != want {
		t.Errorf("options %s, want %s", got, want)
	}
	b.run("reindex", "dwh").want(t, exitOK, "tables 2", "")
	if e := b.entry("dwh"); !strings.Contains(compact(t, string(e.IndexOptions)), `"stats":"none"`) {
		t.Errorf("options %s", e.IndexOptions)
	}
	b.run("reindex", "dwh", "--exclude-schemas", "sales").want(t, exitOK, "tables 2", "") // stage and main
	if got := b.tables("dwh"); !slices.Equal(got, []string{"other", "raw"}) {
		t.Errorf("%v", got)
	}
	b.run("index", "dwh").want(t, exitOK, "tables 3", "")
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var v indexOptions
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestReindex_Changes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := shop(t)
	b.run("add", file)
	b.run("reindex", "shop").want(t, exitFailed, "", "not indexed yet").silent(t)
	b.run("index", "shop").want(t, exitOK, "", "")
	before := b.files()
	b.run("reindex", "shop", "--dry-run").want(t, exitOK, "nothing was written", "")
	execute(t, "sqlite", file, `CREATE TABLE returns (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id))`, `ALTER TABLE customers DROP COLUMN email`)
	o := b.run("reindex", "shop", "--dry-run").want(t, exitOK, "returns", "")
	o.want(t, exitOK, "email", "").want(t, exitOK, "tables 4", "")
	if after := b.files(); !slices.Equal(before, after) {
		t.Errorf("a dry run changed the state directory:\n%v\n%v", before, after)
	}
	b.run("reindex", "shop").want(t, exitOK, "tables 4", "computed anew") // half of the tables changed: said so
	b.run("reindex", "shop", "--recompute-intelligence").want(t, exitOK, "clusters and join paths were computed anew", "")
	var r struct {
		Counts counts  `json:"counts"`
		Stages []stage `json:"stages"`
	}
	o = b.run("reindex", "shop", "--json").want(t, exitOK, `"changes": []`, "")
	if err := json.Unmarshal([]byte(o.out), &r); err != nil || r.Counts.Tables != 4 || len(r.Stages) == 0 {
		t.Errorf("%v, %s", err, o.out)
	}
	if err := os.Remove(filepath.Join(b.dir, "snapshots", "shop.yaml")); err != nil {
		t.Fatal(err)
	}
	b.run("reindex", "shop").want(t, exitFailed, "", "pretensor index").silent(t)
}

// files are the files of the state directory with their content's size and time.
func (b *bench) files() []string {
	b.t.Helper()
	var out []string
	err := filepath.WalkDir(b.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == state.LockName {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out = append(out, path+" "+info.ModTime().String())
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

const sources = `
sources:
  good:
    dialect: sqlite
    path: %s
  lost:
    dialect: sqlite
    path: /nowhere/at/all.db
  unset:
    url: ${SHOP_URL}
`

func TestIndex_All(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, filepath.Join(b.dir, "config.yaml"), strings.Replace(sources, "%s", shop(t), 1))
	b.run("add", shop(t), "--name", "zoo").want(t, exitOK, "", "")
	o := b.run("index", "--all").want(t, exitFailed, "✓ good  tables 3", "SHOP_URL")
	for _, want := range []string{"✗ lost  ", `✗ unset  source "unset": url needs the environment variable SHOP_URL, which is not set`, "✓ zoo  tables 3"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("no %q in %s", want, o.out)
		}
	}
	var rows []report
	o = b.run("index", "--all", "--json").want(t, exitFailed, "", "")
	if err := json.Unmarshal([]byte(o.out), &rows); err != nil || len(rows) != 4 {
		t.Fatalf("%v in %s", err, o.out)
	}
	for i, ok := range []bool{true, false, false, true} {
		if rows[i].OK != ok || (rows[i].Error == nil) != ok {
			t.Errorf("%+v", rows[i])
		}
	}
	b.run("index", "--source", "unset").want(t, exitFailed, "", "SHOP_URL, which is not set").silent(t)
	b.run("index", "--source", "god").want(t, exitFailed, "", `"good"`).silent(t)
	b.env["SHOP_URL"] = "sqlite:////" + strings.TrimPrefix(shop(t), "/")
	b.run("index", "--source", "unset").want(t, exitOK, "tables 3", "")
	b.run("index", "--source", "good").want(t, exitOK, "tables 3", "")
}

// A source with a password in a variable: neither file nor output has it.
func TestIndex_SourceSecret(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.env["PG_PASSWORD"] = "hunter2"
	write(t, filepath.Join(b.dir, "config.yaml"), "sources:\n  shop: {dialect: postgres, host: 127.0.0.1, port: 1, user: ann, password: \"${PG_PASSWORD}\", database: shop}\n")
	for _, args := range [][]string{{"index", "--source", "shop"}, {"index", "--all"}, {"index", "--all", "--json", "--log-level", "debug"}} {
		b.run(args...).want(t, exitFailed, "", "127.0.0.1")
	}
	b.run("index", "postgresql://ann:hunter2@127.0.0.1:1/shop?sslmode=disable").want(t, exitFailed, "", "127.0.0.1").silent(t)
	b.keeps("hunter2")
}

// Real servers, and passwords that they do not ask for: no file that an index writes
// has them, the graph included.
func TestIndex_Servers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", strings.Replace(dbtest.Postgres(t), "postgres@", "postgres:hunter2@", 1), "--name", "pg", "--stats", "sample").want(t, exitOK, "tables 0", "")
	dsn := dbtest.Postgres(t)
	execute(t, "pgx", dsn, `CREATE TABLE accounts (id bigint PRIMARY KEY, owner text DEFAULT 'nobody')`, `CREATE TABLE moves (id bigint PRIMARY KEY, account_id bigint REFERENCES accounts)`,
		`GRANT SELECT ON accounts TO public`)
	b.run("index", strings.Replace(dsn, "postgres@", "postgres:hunter2@", 1), "--name", "bank", "--log-level", "debug").want(t, exitOK, "declared joins 1", "")
	b.run("reindex", "bank", "--json").want(t, exitOK, `"declared_joins": 1`, "")
	if g := b.data("bank").Tables[0].Grants; !slices.ContainsFunc(g, func(g model.Grant) bool { return g.Grantee == "PUBLIC" && g.Privilege == "SELECT" }) {
		t.Errorf("grants: %+v", g)
	}
	b.keeps("hunter2")

	maria := dbtest.MariaDB(t) // root@tcp(127.0.0.1:3306)/test_1
	at := strings.NewReplacer("root@tcp(", "mariadb://root@", ")", "").Replace(maria)
	execute(t, "mysql", maria, `CREATE TABLE accounts (id bigint PRIMARY KEY)`)
	b.run("index", at, "--name", "maria").want(t, exitOK, "tables 1", "")
	b.run("index", strings.Replace(at, "root@", "root:hunter3@", 1), "--name", "maria").want(t, exitFailed, "", "127.0.0.1").silent(t)
	b.run("list").want(t, exitOK, "maria  mariadb", "")
	b.keeps("hunter3")
}

func TestIndex_Visibility(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := shop(t)
	rules := filepath.Join(t.TempDir(), "rules.yml")
	write(t, rules, "hidden_tables: [tickets]\nprofiles:\n  small:\n    hidden_tables: [orders]\n")
	b.run("index", file, "--visibility", rules).want(t, exitOK, "tables 2", "")
	b.run("index", file, "--visibility", rules, "--profile", "small").want(t, exitOK, "tables 1", "")
	b.run("reindex", "shop").want(t, exitOK, "tables 1", "")
	b.run("index", file, "--visibility", rules, "--profile", "smal").want(t, exitFailed, "", "small").silent(t)
	b.run("index", file, "--visibility", filepath.Join(t.TempDir(), "none.yml")).want(t, exitFailed, "", "none.yml").silent(t)
	b.run("index", file).want(t, exitOK, "tables 3", "")
	write(t, filepath.Join(b.dir, "visibility.yml"), "hidden_tables: [tickets]\n")
	b.run("index", file).want(t, exitOK, "tables 2", "")
}

func TestIndex_Failures(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	lock, err := state.At(b.dir).Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b.run("index", "shop").want(t, exitFailed, "", "is being written by process").silent(t)
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	b.env[keystore.Variable] = keystore.Generate().Text().Reveal()
	b.run("index", "shop").want(t, exitFailed, "", "keystore does not match").silent(t)
	b.run("reindex", "shop").want(t, exitFailed, "", "keystore does not match").silent(t)
	write(t, filepath.Join(b.dir, state.RegistryName), "{")
	b.run("index", "shop").want(t, exitFailed, "", "registry.json is damaged").silent(t)
	b.run("index", shop(t)).want(t, exitFailed, "", "registry.json is damaged").silent(t)
	b.run("index", "--all").want(t, exitFailed, "", "registry.json is damaged").silent(t)
}

func TestIndex_AnotherDatabaseOfTheName(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	b.run("index", shop(t)).want(t, exitFailed, "", "--name").silent(t)
	b.run("index", shop(t), "--name", "shop").want(t, exitOK, "tables 3", "")
}

func TestRemove_Purge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := shop(t)
	b.run("index", file).want(t, exitOK, "", "")
	b.run("index", file, "--name", "shop2").want(t, exitOK, "", "")
	graph := filepath.Join(b.dir, "graphs", "shop.kuzu")
	mine := []string{graph, catalog.PathOf(graph), filepath.Join(b.dir, "snapshots", "shop.yaml")}
	b.run("remove", "shop").want(t, exitOK, "still on the disk", "")
	for _, path := range mine {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	b.run("remove", "shop", "--purge").want(t, exitOK, "and its index", "") // what was left
	b.run("remove", "shop", "--purge").want(t, exitFailed, "", "no connection")
	b.run("add", file).want(t, exitOK, "", "")
	b.run("remove", "shop").want(t, exitOK, "removed shop\n", "")
	b.run("index", file).want(t, exitOK, "", "")
	b.run("remove", "shop", "--purge").want(t, exitOK, "and its index", "")
	for _, path := range mine {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
	for _, path := range b.files() {
		if strings.Contains(path, "shop.") {
			t.Errorf("%s is still there", path)
		}
	}
	b.run("reindex", "shop2").want(t, exitOK, "tables 3", "")
}

func TestIndex_Skill(t *testing.T) {
	b := newBench(t)
	t.Chdir(t.TempDir())
	file := shop(t)
	b.run("index", file, "--skills-target", "all").want(t, exitOK, ".claude/skills/pretensor-shop/SKILL.md", "")
	text := read(t, ".claude/skills/pretensor-shop/SKILL.md")
	for _, want := range []string{"---\nname: pretensor-shop\n", "3 tables", "validate_sql", "orders (customer_id) → ", "tickets (order_id) → ", `"db": "shop"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if read(t, ".cursor/rules/pretensor-shop.mdc") != text {
		t.Error("the two files differ")
	}
	b.run("reindex", "shop", "--skills-target", "claude").want(t, exitOK, "SKILL.md", "")
	write(t, "own.md", "mine")
	b.run("index", file, "--skills-target", "own.md").want(t, exitFailed, "", "own.md")
	if read(t, "own.md") != "mine" {
		t.Error("somebody's file was overwritten")
	}
	b.run("index", file, "--skills-target", "new.md").want(t, exitOK, "new.md", "")
}
