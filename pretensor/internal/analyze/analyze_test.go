package analyze

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const shopDDL = `CREATE TABLE public.orders (id int primary key, customer_id int);
CREATE TABLE public.customers (id int primary key);
CREATE TABLE crm.orders (id int primary key);
CREATE TABLE crm.contacts (id int primary key);`

// repository writes files, each of one query on orders unless it has a text.
func repository(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		write(t, root, name, text)
	}
	return root
}

const onCustomers = "q = 'SELECT * FROM customers'\n"

func foundFiles(r *Report) []string {
	out := []string{}
	for _, row := range r.Rows {
		out = append(out, row.File)
	}
	return out
}

func TestWalk_GitIgnore(t *testing.T) {
	files := map[string]string{
		".gitignore": "# comment\n*.gen.py\n!keep.gen.py\n/top.py\nlogs/\ndocs/**/old.py\nsp ace.py \n\\#odd.py\n[ab]x.py\n[!c]y.py\nonly/*\n!only/this.py\ndeep/**\n",
		"a.gen.py":   onCustomers, "keep.gen.py": onCustomers,
		"top.py": onCustomers, "sub/top.py": onCustomers,
		"logs/a.py": onCustomers, "sub/logs/a.py": onCustomers, "logs.py": onCustomers,
		"docs/a/b/old.py": onCustomers, "docs/old.py": onCustomers, "docs/new.py": onCustomers,
		"sp ace.py": onCustomers, "#odd.py": onCustomers, "ax.py": onCustomers, "cx.py": onCustomers, "cy.py": onCustomers, "dy.py": onCustomers,
		"only/this.py": onCustomers, "only/that.py": onCustomers, "deep/a/b.py": onCustomers,
		// A nested file overrides the one above and ends at its folder.
		"sub/.gitignore": "!inner.gen.py\n/local.py\n", "sub/inner.gen.py": onCustomers, "sub/local.py": onCustomers, "sub/deeper/local.py": onCustomers,
		// A file cannot come back when its folder is ignored.
		"gone/.gitignore": "!*.py\n", "gone/a.py": onCustomers,
		".git/info/exclude": "private.py\ngone/\n", "private.py": onCustomers,
	}
	for _, folder := range []string{".git", "node_modules", ".venv", "venv", "vendor", "dist", "build", "target", ".tox", "__pycache__", "third_party"} {
		files["x/"+folder+"/a.py"] = onCustomers
	}
	r := run(t, Options{Root: repository(t, files)}, postgres(t, shopDDL))
	want := []string{"cx.py", "cy.py", "docs/new.py", "keep.gen.py", "logs.py", "only/this.py", "sub/deeper/local.py", "sub/inner.gen.py", "sub/top.py"}
	if diff := cmp.Diff(want, foundFiles(r)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestWalk_AgreesWithGit compares what is ignored with what git itself ignores, for
// random files of patterns in two folders.
func TestWalk_AgreesWithGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("git is not installed (a failure when CI is set)")
	}
	paths := []string{"a.py", "b.py", "x/a.py", "x/b.py", "x/y/a.py", "x/y/ab.py", "y/x/b.py", "x/a/b.py", "a/x/y/c.py", "!a.py", "x/#b.py", "y/a b.py"}
	atoms := []string{"a.py", "*.py", "x", "y/", "/x", "x/y", "**", "**/a.py", "x/**", "a?.py", "[ab].py", "[!a].py", "x/*", "!a.py", "!x/", "!*.py", "!/x/y", "a/**/b.py", "x/**/b.py",
		"\\!a.py", "\\#b.py", "#b.py", "a b.py", "a.py  ", "*", "!x", "**/y", "/a.py", "!**/b.py", "*/b.py", "x/y/", "!y/", "/", "a*", "x//y"}
	random := rand.New(rand.NewPCG(1, 2))
	c := postgres(t, shopDDL)
	for round := range 40 {
		root := t.TempDir()
		for _, p := range paths {
			write(t, root, p, onCustomers)
		}
		rules := func() string {
			out := ""
			for range 1 + random.IntN(4) {
				out += atoms[random.IntN(len(atoms))] + "\n"
			}
			return out
		}
		top, nested := rules(), rules()
		write(t, root, ".gitignore", top)
		write(t, root, "x/.gitignore", nested)
		for _, args := range [][]string{{"init", "-q"}, {"-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard"}} {
			cmd := exec.Command(git, args...)
			cmd.Dir, cmd.Env = root, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME="+root)
			text, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if args[0] == "init" {
				continue
			}
			want := []string{}
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimSpace(line); strings.HasSuffix(line, ".py") {
					want = append(want, line)
				}
			}
			slices.Sort(want)
			got := foundFiles(run(t, Options{Root: root}, c))
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("round %d, %q and %q in x: files (-git +got):\n%s", round, top, nested, diff)
			}
		}
	}
}

func TestWalk_IncludeAndExclude(t *testing.T) {
	root := repository(t, map[string]string{"a/x.py": onCustomers, "a/b/y.py": onCustomers, "c/z.py": onCustomers, "c/w.py": onCustomers})
	c := postgres(t, shopDDL)
	for _, test := range []struct {
		name             string
		include, exclude []string
		want             []string
	}{
		{"folder", []string{"a/"}, nil, []string{"a/b/y.py", "a/x.py"}},
		{"name", []string{"*.py"}, []string{"z.py"}, []string{"a/b/y.py", "a/x.py", "c/w.py"}},
		{"negation", []string{"*.py", "!w.py"}, nil, []string{"a/b/y.py", "a/x.py", "c/z.py"}},
		{"excluded folder", nil, []string{"/a"}, []string{"c/w.py", "c/z.py"}},
		{"nothing", []string{"nowhere/"}, nil, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := foundFiles(run(t, Options{Root: root, Include: test.include, Exclude: test.exclude}, c))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWalk_Links(t *testing.T) {
	root := repository(t, map[string]string{"a/x.py": onCustomers})
	outside := repository(t, map[string]string{"secret.py": "q = 'SELECT * FROM orders'\n"})
	for name, to := range map[string]string{"a/loop": "..", "a/self": "self", "link.py": "a/x.py", "out": outside, "out.py": filepath.Join(outside, "secret.py")} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if got := foundFiles(run(t, Options{Root: root}, postgres(t, shopDDL))); !slices.Equal(got, []string{"a/x.py"}) {
		t.Errorf("files = %q, want only what is no link", got)
	}
}

func TestRun_SkippedFiles(t *testing.T) {
	big := onCustomers + strings.Repeat("# filler\n", 2_000_000/9)
	root := repository(t, map[string]string{
		"big.py": big, "binary.py": onCustomers + "\x00", "generated.py": "# Code generated by x. DO NOT EDIT.\n" + onCustomers,
		"ok.py": onCustomers, "bad.py": "x = '\xff\xfe'\ny = \"\xc3\"\n" + "q = \"SELECT '\xff' FROM customers\"\n\xff", "empty.py": "", "readme.md": "SELECT * FROM customers",
		"bom.py": "\xef\xbb\xbf" + onCustomers,
	})
	r := run(t, Options{Root: root}, postgres(t, shopDDL))
	if got, want := foundFiles(r), []string{"bad.py", "bom.py", "ok.py"}; !slices.Equal(got, want) {
		t.Errorf("files = %q, want %q", got, want)
	}
	if r.FilesScanned != 4 || r.FilesSkipped != 3 {
		t.Errorf("scanned %d and skipped %d, want 4 and 3", r.FilesScanned, r.FilesSkipped)
	}
	if got := foundFiles(run(t, Options{Root: root, MaxFileBytes: 3_000_000}, postgres(t, shopDDL))); !slices.Contains(got, "big.py") {
		t.Errorf("files with a limit of 3 MB = %q, want big.py among them", got)
	}
}

func TestRun_Resolution(t *testing.T) {
	c := postgres(t, shopDDL)
	for _, test := range []struct {
		name, sql, schema string
		table             string
		confidence        float64
	}{
		{"written schema", "SELECT * FROM crm.orders", "", "crm.orders", 0.9},
		{"the database before it", "SELECT * FROM shop.crm.orders", "", "crm.orders", 0.9},
		{"the connection's default", "SELECT * FROM orders", "", "public.orders", 0.8},
		{"the option's default", "SELECT * FROM orders", "crm", "crm.orders", 0.8},
		{"only one of the name", "SELECT * FROM contacts", "", "crm.contacts", 0.9},
		{"folded", "SELECT * FROM CRM.Contacts", "", "crm.contacts", 0.9},
		{"quoted with dots", `SELECT * FROM "crm.contacts"`, "", "", 0},
		{"another schema", "SELECT * FROM public.contacts", "", "", 0},
		{"unknown", "SELECT * FROM elsewhere", "", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := repository(t, map[string]string{"a.py": "query = '''" + test.sql + "'''\n"})
			r := run(t, Options{Root: root, DefaultSchema: test.schema}, c)
			if test.table == "" {
				if len(r.Rows) != 0 || r.Dropped != 1 || len(r.Unresolved) != 1 {
					t.Errorf("rows %v, dropped %d, unresolved %v; want one dropped", r.Rows, r.Dropped, r.Unresolved)
				}
				return
			}
			if len(r.Rows) != 1 || r.Rows[0].Table != test.table || r.Rows[0].Confidence != test.confidence {
				t.Errorf("rows = %v, want %s at %v", r.Rows, test.table, test.confidence)
			}
		})
	}
}

func TestRun_OnlySchema(t *testing.T) {
	c := postgres(t, `CREATE TABLE crm.orders (id int);`)
	root := repository(t, map[string]string{"a.py": "query = 'SELECT * FROM orders'\n"})
	if r := run(t, Options{Root: root}, c); r.DefaultSchema != "crm" || len(r.Rows) != 1 || r.Rows[0].Confidence != 0.9 {
		t.Errorf("default schema %q, rows %v; want the only one, crm", r.DefaultSchema, r.Rows)
	}
}

func TestRun_Partitions(t *testing.T) {
	c := postgres(t, shopDDL)
	for i := range c.Tables {
		if c.Tables[i].Name == "contacts" {
			c.Tables[i].Partition = &model.Partition{Key: []string{"id"}, Count: 1, Tables: []model.TableName{{Schema: "crm", Name: "contacts_2026"}}}
		}
	}
	root := repository(t, map[string]string{"a.sql": "DELETE FROM crm.contacts_2026;\nDELETE FROM public.contacts_2026;\nDELETE FROM crm.contacts_2027;"})
	r := run(t, Options{Root: root}, c)
	if len(r.Rows) != 1 || r.Rows[0].Table != "crm.contacts" || r.Rows[0].LineStart != 1 || r.Dropped != 2 {
		t.Errorf("rows %v and %d dropped, want one of the partition's table and two", r.Rows, r.Dropped)
	}
}

func TestRun_Summary(t *testing.T) {
	files := map[string]string{"b.sql": "SELECT * FROM orders; SELECT FROM WHERE (;", "a.go": "package a\n"}
	for i, n := range []string{"k", "j", "i", "h", "g", "f", "e", "d", "c", "b", "a"} {
		files["u.py"] += strings.Repeat("q = 'SELECT * FROM unknown_"+n+"'\n", 1+i/10)
	}
	r := run(t, Options{Root: repository(t, files), Service: "api", RunID: "run-1"}, postgres(t, shopDDL))
	r.DurationMS = 0
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"files_scanned":3,"files_skipped":0,"languages":{"go":1,"python":1,"sql":1},"sql_candidates_found":14,"sql_candidates_parsed":13,"sql_candidates_failed":1,` +
		`"consumers_written":1,"edges_written":1,"cross_connection_dropped":12,"unresolved":[{"name":"unknown_a","count":2},{"name":"unknown_b","count":1},{"name":"unknown_c","count":1},` +
		`{"name":"unknown_d","count":1},{"name":"unknown_e","count":1},{"name":"unknown_f","count":1},{"name":"unknown_g","count":1},{"name":"unknown_h","count":1},{"name":"unknown_i","count":1},` +
		`{"name":"unknown_j","count":1}],"scan_run_id":"run-1","duration_ms":0,"default_schema":"public",` +
		`"rows":[{"service_name":"api","table":"public.orders","op":"read","file_path":"b.sql","line_start":1,"line_end":1,"confidence":0.8}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestRun_IDs(t *testing.T) {
	root := repository(t, map[string]string{"a.py": "\nquery = '  SELECT *\\n FROM   Customers '\n", "b.py": "x = 'select * from customers'\n"})
	r := run(t, Options{Root: root, Service: "api"}, postgres(t, shopDDL))
	if len(r.Consumers) != 2 {
		t.Fatalf("consumers = %v, want two", r.Consumers)
	}
	k := r.Consumers[0]
	// sha256("select * from customers") and sha256("api|a.py|2|" + its first 16 digits).
	if want := "1f129a9ea53b631d"; k.Fingerprint != want || r.Consumers[1].Fingerprint != want {
		t.Errorf("fingerprints %s and %s, want %s of both", k.Fingerprint, r.Consumers[1].Fingerprint, want)
	}
	if want := "shop::consumer::"; !strings.HasPrefix(k.ID, want) || len(k.ID) != len(want)+24 {
		t.Errorf("id = %q, want %q and 24 digits", k.ID, want)
	}
	if want := k.ID + "->shop::public::customers:read"; r.Edges[0].ID != want {
		t.Errorf("edge id = %q, want %q", r.Edges[0].ID, want)
	}
	other := run(t, Options{Root: root, Service: "web"}, postgres(t, shopDDL))
	if other.Consumers[0].ID == k.ID {
		t.Errorf("two services share the id %q", k.ID)
	}
	if other.Consumers[0].Fingerprint != k.Fingerprint {
		t.Errorf("the service changes the fingerprint")
	}
}

func TestRun_MinConfidence(t *testing.T) {
	root := repository(t, map[string]string{"a.py": "q = f'SELECT {x} FROM customers'\nquery = 'SELECT * FROM crm.contacts'\n"})
	c := postgres(t, shopDDL)
	for min, want := range map[float64]int{-1: 2, 0: 1, 0.5: 2, 0.51: 1, 0.9: 1, 0.91: 0} {
		if r := run(t, Options{Root: root, MinConfidence: min}, c); len(r.Rows) != want {
			t.Errorf("%d rows from %v on, want %d", len(r.Rows), min, want)
		}
	}
}

func TestRun_Joins(t *testing.T) {
	const join = "SELECT * FROM orders o JOIN customers c ON o.customer_id = c.id"
	c := postgres(t, shopDDL)
	r := run(t, Options{Root: repository(t, map[string]string{"a.py": "q = '" + join + "'\n", "b.sql": join})}, c)
	if len(r.Joins) != 1 || r.Joins[0].Locations != 2 {
		t.Fatalf("joins = %v, want one at two places", r.Joins)
	}
	j := r.Joins[0]
	got := c.Name(j.Left) + "." + j.LeftColumn + " = " + c.Name(j.Right) + "." + j.RightColumn
	if want := "public.customers.id = public.orders.customer_id"; got != want {
		t.Errorf("join = %s, want %s", got, want)
	}
}

func TestRun_Deterministic(t *testing.T) {
	root := t.TempDir()
	var c *catalog.Catalog
	for _, s := range sections(t, "testdata/golden/python.txtar") {
		if s.name == "schema.ddl" {
			c = postgres(t, s.text)
		} else {
			write(t, root, s.name, s.text)
		}
	}
	first := run(t, Options{Root: root, MinConfidence: -1}, c)
	first.DurationMS = 0
	for range 5 {
		again := run(t, Options{Root: root, MinConfidence: -1}, c)
		again.DurationMS = 0
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatalf("two runs differ:\n%s", diff)
		}
	}
}

// TestRun_NoSQLText looks for what the queries say beside table names in all of a
// report.
func TestRun_NoSQLText(t *testing.T) {
	root := repository(t, map[string]string{
		"a.py":  "cur.execute(\"SELECT secretcolumn FROM customers WHERE x = 'secretvalue'\")\nq = f\"SELECT * FROM orders WHERE (secretbroken = {x}\"\n",
		"b.sql": "INSERT INTO customers (secretcolumn) VALUES ('secretvalue');",
		"c.py":  "q = 'SELECT * FROM elsewhere WHERE secretcolumn = 1'\n",
	})
	r := run(t, Options{Root: root, MinConfidence: -1}, postgres(t, shopDDL))
	summary, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := json.Marshal([]any{r.Consumers, r.Edges, r.Joins})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Consumers) != 3 {
		t.Errorf("%d consumers, want 3", len(r.Consumers))
	}
	for _, word := range []string{"secret", "SELECT", "INSERT", "WHERE"} {
		if text := string(summary) + string(rest); strings.Contains(text, word) {
			t.Errorf("the report has %q: %s", word, text)
		}
	}
}

func TestRun_Languages(t *testing.T) {
	root := repository(t, map[string]string{"a.py": onCustomers, "b.sql": "SELECT * FROM customers"})
	c := postgres(t, shopDDL)
	if got := foundFiles(run(t, Options{Root: root, Languages: []string{"sql"}}, c)); !slices.Equal(got, []string{"b.sql"}) {
		t.Errorf("files of SQL = %q, want b.sql", got)
	}
	_, err := Run(context.Background(), Options{Root: root, Languages: []string{"cobol"}}, c)
	if err == nil || !strings.Contains(err.Error(), `"cobol" is not known`) || !strings.Contains(err.Error(), "python") {
		t.Errorf("error = %v, want one that names the language and those there are", err)
	}
}

func TestRun_Errors(t *testing.T) {
	c := postgres(t, shopDDL)
	root := repository(t, map[string]string{"a.py": onCustomers})
	if _, err := Run(context.Background(), Options{Root: filepath.Join(root, "missing")}, c); !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), root) {
		t.Errorf("error = %v, want that there is no such folder, without its path", err)
	}
	if _, err := Run(context.Background(), Options{Root: filepath.Join(root, "a.py")}, c); err == nil {
		t.Error("a file is taken for a folder")
	}
	if _, err := Run(context.Background(), Options{Root: root, Include: []string{"[a"}}, c); err == nil || !strings.Contains(err.Error(), `"[a"`) {
		t.Errorf("error = %v, want one that names the pattern", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, Options{Root: root}, c); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want that it was cancelled", err)
	}
}

// TestRun_HostileFiles has files of many parts that would take hours if
// anything were read again for everything around it.
func TestRun_HostileFiles(t *testing.T) {
	const size = 200_000
	files := map[string]string{}
	for name, unit := range map[string]string{
		"select.py": "select(a.b, ", "brace.py": "f'{\n", "triple.py": "f\"\"\"{\"\"\"\n", "class.py": "(\nclass A(Model):\n", "table.py": "a = Table('t', b, ",
		"define.js": "s.define('a', {}, ", "regexp.js": "=/[", "template.js": "`${", "generics.ts": "a<b<", "entity.ts": "@Entity() (", "chain.js": "a(b).c[",
		"concat.js": "'SELECT * FROM a' + (", "model.prisma": "model a {\n", "struct.go": "type a struct {\n", "find.go": "x := X{}; db.Find(&x, ", "annotation.go": "func (a) Annotations() {\n",
		"many.sql": "a;--\n", "case.sql": "CREATE TRIGGER BEGIN CASE ", "dollar.sql": "$a", "quote.sql": "\"a'b",
	} {
		files[name] = strings.Repeat(unit, size/len(unit))
		if strings.HasSuffix(name, ".go") {
			files[name] = "package a\nfunc f() {\n" + files[name]
		}
	}
	r := run(t, Options{Root: repository(t, files)}, postgres(t, shopDDL))
	if r.FilesScanned != len(files) {
		t.Errorf("%d of %d files scanned", r.FilesScanned, len(files))
	}
}
