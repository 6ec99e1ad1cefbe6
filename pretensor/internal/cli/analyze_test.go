package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// data is the catalog of a connection as it lies on the disk.
func (b *bench) data(name string) *catalog.Data {
	b.t.Helper()
	d, err := index.Load(state.At(b.dir), name)
	if err != nil {
		b.t.Fatal(err)
	}
	return d
}

// uses are the places of code that a catalog knows, as service, file, operation and
// table.
func uses(d *catalog.Data) []string {
	out := []string{}
	for _, c := range d.Consumers {
		for _, u := range c.Uses {
			out = append(out, strings.Join([]string{c.Service, c.File, u.Op, d.Tables[u.Table].Name}, " "))
		}
	}
	slices.Sort(out)
	return out
}

// billing makes a folder of code that uses the shop.
func billing(t testing.TB) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "billing")
	write(t, filepath.Join(root, "pay.py"), `
import db

def pay(order):
    db.execute("UPDATE orders SET placed_at = 'hunter2' WHERE id = %s", order)
    return db.execute("SELECT t.note FROM tickets t JOIN orders o ON o.id = t.order_id JOIN customers c ON c.email = t.note")
`)
	write(t, filepath.Join(root, "more.sql"), "SELECT note FROM tickets;\nSELECT * FROM ghosts;\n")
	return root
}

func TestAnalyze(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "tables 3", "")
	generation := b.entry("shop").Generation
	root := billing(t)

	dry := b.run("analyze", root, "--connection", "shop", "--dry-run").want(t, exitOK, "nothing was written", "")
	if b.entry("shop").Generation != generation || len(b.data("shop").Consumers) != 0 {
		t.Error("--dry-run wrote")
	}
	if _, err := os.Stat(filepath.Join(b.dir, "config.yaml")); err == nil {
		t.Error("--dry-run wrote the configuration")
	}
	o := b.run("analyze", root, "--connection", "shop").want(t, exitOK, "edges 5", "config.yaml")
	if strings.Replace(dry.out, "nothing was written\n", "", 1) != o.out {
		t.Errorf("--dry-run shows %q, and then it was %q", dry.out, o.out)
	}
	for _, want := range []string{"0.90        write  main.orders     pay.py:5\n", "not in the index: ghosts (1)\n"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("no %q in %s", want, o.out)
		}
	}
	d := b.data("shop")
	want := []string{
		"billing more.sql read tickets", "billing pay.py read customers", "billing pay.py read orders", "billing pay.py read tickets", "billing pay.py write orders",
	}
	if diff := cmp.Diff(want, uses(d)); diff != "" {
		t.Errorf("uses, -want +got\n%s", diff)
	}
	if e := b.entry("shop"); e.Generation == generation || e.Generation != d.Generation {
		t.Errorf("generation %q of the registry, %q of the catalog, %q before", e.Generation, d.Generation, generation)
	}
	if len(d.Scans) != 1 || d.Scans[0].Service != "billing" || !d.Scans[0].At.Equal(b.clock) || d.Consumers[0].RunID != d.Scans[0].RunID {
		t.Errorf("scans %+v", d.Scans)
	}
	if text := read(t, filepath.Join(b.dir, "config.yaml")); !strings.Contains(text, root) || !strings.Contains(text, "service: billing") {
		t.Errorf("configuration %q", text)
	}
	for table, want := range map[string]string{"orders": "true", "customers": "true"} {
		if o := b.run("export", "-o", "-"); !regexp.MustCompile(`"table_name": "` + table + `",.*"has_external_consumers": ` + want).MatchString(o.out) {
			t.Errorf("has_external_consumers of %s is not %s", table, want)
		}
	}
	b.keeps("hunter2") // of the SQL, which is nowhere stored
}

// usageJoins are the joins that only code speaks for.
func usageJoins(d *catalog.Data) []string {
	out := []string{}
	for _, j := range d.Joins {
		if j.Source == "usage" {
			out = append(out, d.Tables[j.From].Name+"."+j.FromColumn+" -> "+d.Tables[j.To].Name+"."+j.ToColumn+" "+j.Kind)
		}
	}
	return out
}

// The joins of code are joins of the index, until code does not show them any more,
// and a new index keeps them.
func TestAnalyze_Joins(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "inferred joins 1", "")
	root := billing(t)
	b.run("analyze", root, "--connection", "shop").want(t, exitOK, "edges", "")
	want := []string{"customers.email -> tickets.note usage_code"}
	if diff := cmp.Diff(want, usageJoins(b.data("shop"))); diff != "" {
		t.Errorf("joins, -want +got\n%s", diff)
	}
	if n := len(b.data("shop").Joins); n != 2 {
		t.Errorf("%d joins, want the guessed one and that of the code", n)
	}
	b.run("analyze", root, "--connection", "shop").want(t, exitOK, "edges", "")
	b.run("reindex", "shop").want(t, exitOK, "inferred joins 2", "")
	if diff := cmp.Diff(want, usageJoins(b.data("shop"))); diff != "" {
		t.Errorf("joins after an index, -want +got\n%s", diff)
	}
	b.run("validate", "SELECT 1 FROM tickets t JOIN customers c ON t.note = c.email", "-d", "shop").want(t, exitOK, "valid (sqlite)\ntables", "")
	write(t, filepath.Join(root, "pay.py"), "")
	b.run("analyze", root, "--connection", "shop").want(t, exitOK, "edges 1", "")
	if diff := cmp.Diff([]string{}, usageJoins(b.data("shop"))); diff != "" {
		t.Errorf("joins of code that is gone, -want +got\n%s", diff)
	}
}

// A service's places are replaced by its next analysis, those of others are not.
func TestAnalyze_Services(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	one, two := t.TempDir(), t.TempDir()
	write(t, filepath.Join(one, "a.sql"), "SELECT id FROM orders")
	write(t, filepath.Join(two, "b.sql"), "SELECT id FROM customers")
	b.run("analyze", one, "--connection", "shop", "--service", "one").want(t, exitOK, "edges 1", "")
	b.run("analyze", two, "-d", "shop", "--service", "two").want(t, exitOK, "edges 1", "")
	write(t, filepath.Join(one, "a.sql"), "DELETE FROM tickets")
	b.run("analyze", one, "--connection", "SHOP", "--service", "one").want(t, exitOK, "edges 1", "")
	if diff := cmp.Diff([]string{"one a.sql write tickets", "two b.sql read customers"}, uses(b.data("shop"))); diff != "" {
		t.Errorf("uses, -want +got\n%s", diff)
	}
	if n := len(b.data("shop").Scans); n != 2 {
		t.Errorf("%d scans", n)
	}
	if text := read(t, filepath.Join(b.dir, "config.yaml")); strings.Count(text, "service: one") != 1 {
		t.Errorf("the repository is there twice: %s", text)
	}
}

func TestAnalyze_JSON(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	keys := func(text string) []string {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		for name, v := range m {
			if string(v) == "null" {
				t.Errorf("%s is null", name)
			}
		}
		return slices.Sorted(maps.Keys(m))
	}
	want := []string{
		"consumers_written", "cross_connection_dropped", "default_schema", "duration_ms", "edges_written", "files_scanned", "files_skipped", "languages", "rows",
		"scan_run_id", "sql_candidates_failed", "sql_candidates_found", "sql_candidates_parsed", "unresolved",
	}
	for _, root := range []string{t.TempDir(), billing(t)} {
		o := b.run("analyze", root, "--connection", "shop", "--json").want(t, exitOK, "", "")
		if diff := cmp.Diff(want, keys(o.out)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	var r struct {
		Rows []map[string]any `json:"rows"`
	}
	if err := json.Unmarshal([]byte(b.run("analyze", billing(t), "--connection", "shop", "--json", "--dry-run").out), &r); err != nil || len(r.Rows) != 5 {
		t.Fatalf("%v, %v", err, r)
	}
	if diff := cmp.Diff([]string{"confidence", "file_path", "line_end", "line_start", "op", "service_name", "table"}, slices.Sorted(maps.Keys(r.Rows[0]))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAnalyze_Options(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	root := billing(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--include", "*.sql"}, "edges 1 "}, {[]string{"--exclude", "*.sql"}, "edges 4 "}, {[]string{"--languages", "python"}, "edges 4 "},
		{[]string{"--max-file-bytes", "60"}, "edges 1 "}, {[]string{"--min-confidence", "0.99"}, "edges 0 "}, {[]string{"--min-confidence", "0"}, "edges 5 "},
		{[]string{"--default-schema", "nowhere", "--json"}, `"default_schema": "nowhere"`},
	} {
		b.run(append([]string{"analyze", root, "--connection", "shop", "--dry-run"}, c.args...)...).want(t, exitOK, c.want, "")
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{root}, exitUsage, "--connection NAME, or --all"}, {[]string{root, "--all"}, exitUsage, "leave out PATH"},
		{[]string{"--all", "--connection", "shop"}, exitUsage, "leave out PATH"}, {[]string{"--all", "--service", "x"}, exitUsage, "leave out PATH"},
		{[]string{root, "--connection", "shop", "--languages", "pyton"}, exitUsage, "did you mean python?"},
		{[]string{root, "--connection", "shop", "--min-confidence", "1.5"}, exitUsage, "from 0 to 1"},
		{[]string{root, "--connection", "shop", "--min-confidence", "NaN"}, exitUsage, "from 0 to 1"},
		{[]string{root, "--connection", "shop", "--max-file-bytes", "0"}, exitUsage, "at least 1"},
		{[]string{root, "--connection", "shop", "--include", "["}, exitFailed, "["},
		{[]string{root, root, "--connection", "shop"}, exitUsage, "at most one folder"},
		{[]string{root, "--connection", "shpo"}, exitFailed, "shop"}, {[]string{filepath.Join(root, "none"), "--connection", "shop"}, exitFailed, "none"},
		{[]string{"--all"}, exitFailed, "no repositories"},
	} {
		b.run(append([]string{"analyze"}, c.args...)...).want(t, c.code, "", c.want).silent(t)
	}
	if len(b.data("shop").Consumers) != 0 {
		t.Error("something was written")
	}
}

// Nothing is indexed on the way.
func TestAnalyze_NoIndex(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("analyze", t.TempDir(), "--connection", "shop").want(t, exitFailed, "", "pretensor index").silent(t)
	b.run("add", shop(t)).want(t, exitOK, "", "")
	b.run("analyze", t.TempDir(), "--connection", "shop").want(t, exitFailed, "", "pretensor index shop").silent(t)
	empty := filepath.Join(t.TempDir(), "empty.db")
	execute(t, "sqlite", empty, "CREATE TABLE x (a int)", "DROP TABLE x")
	b.run("index", empty).want(t, exitOK, "tables 0", "")
	b.run("analyze", t.TempDir(), "--connection", "empty").want(t, exitFailed, "", "pretensor index empty").silent(t)
}

// All repositories of the configuration are looked through; of one that cannot be, the
// service stays as it was.
func TestAnalyze_All(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	one, two, three := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{one, two} { // the same file in two repositories of one service
		write(t, filepath.Join(dir, "a.sql"), "SELECT id FROM orders")
	}
	write(t, filepath.Join(two, "b.sql"), "SELECT id FROM customers")
	write(t, filepath.Join(three, "c.sql"), "DELETE FROM tickets")
	config := filepath.Join(b.dir, "config.yaml")
	text := "# mine\nrepositories:\n"
	for _, r := range [][2]string{{one, "api"}, {two, "api"}, {three, "jobs"}} {
		text += "  - {path: " + r[0] + ", service: " + r[1] + ", connection: shop}\n"
	}
	write(t, config, text)
	o := b.run("analyze", "--all", "--json").want(t, exitOK, "", "")
	var reports []struct {
		Edges int    `json:"edges_written"`
		Run   string `json:"scan_run_id"`
	}
	if err := json.Unmarshal([]byte(o.out), &reports); err != nil || len(reports) != 3 || reports[1].Edges != 2 || reports[0].Run != reports[2].Run {
		t.Fatalf("%v, %+v", err, reports)
	}
	want := []string{"api a.sql read orders", "api b.sql read customers", "jobs c.sql write tickets"}
	if diff := cmp.Diff(want, uses(b.data("shop"))); diff != "" {
		t.Errorf("uses, -want +got\n%s", diff)
	}
	if got := read(t, config); got != text {
		t.Errorf("the configuration is now %q", got)
	}
	if err := os.RemoveAll(two); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(one, "a.sql"), "")
	write(t, filepath.Join(three, "c.sql"), "")
	o = b.run("analyze", "--all").want(t, exitFailed, "jobs on shop\n", "another repository of the service")
	if strings.Contains(o.out, "api on shop") {
		t.Errorf("%q", o.out)
	}
	if diff := cmp.Diff([]string{"api a.sql read orders", "api b.sql read customers"}, uses(b.data("shop"))); diff != "" {
		t.Errorf("uses, -want +got\n%s", diff)
	}
	write(t, config, "repositories:\n  - {path: "+one+", service: api, connection: nope}\n")
	b.run("analyze", "--all", "--json").want(t, exitFailed, "[]\n", "nope")
}

// The text around what is added to the configuration stays.
func TestAnalyze_Configuration(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	config := filepath.Join(b.dir, "config.yaml")
	write(t, config, "# who\nprivacy: {stats: none}   # as they said\n\nrepositories:   # code\n  - {path: /x, service: old, connection: shop} # gone\n")
	root := billing(t)
	b.run("analyze", root, "--connection", "shop").want(t, exitOK, "", "")
	text := read(t, config)
	for _, want := range []string{"# who\nprivacy: {stats: none}   # as they said\n", "repositories:   # code\n", "  - {path: /x, service: old, connection: shop} # gone\n", root} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	b.run("analyze", root, "--connection", "shop").want(t, exitOK, "", "")
	if again := read(t, config); again != text {
		t.Errorf("the second time made %q of %q", again, text)
	}
}
