package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// layerText is a semantic layer of the shop with these metrics.
func layerText(metrics ...string) string {
	text := "connection_name: shop\ndomains:\n  - name: sales\n    description: what is sold\n    entities:\n      - name: order\n        description: one order\n" +
		"        source_table: main.orders\n        attributes:\n          - {name: number, description: key, role: identifier, source_column: id}\n        metrics:\n"
	for _, m := range metrics {
		text += "          - " + m + "\n"
	}
	return text
}

const (
	goodMetric    = "{name: orders_n, description: how many, type: count, field: number}"
	invalidMetric = "{name: ghosts, description: of no table, type: derived, expression: SELECT nothing FROM ghosts}"
	brokenMetric  = "{name: lost, description: of no column, type: sum, field: amount}"
)

// minified is JSON without blanks.
func minified(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func layerFile(t *testing.T, metrics ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "semantic.yaml")
	write(t, path, layerText(metrics...))
	return path
}

func TestSemantic_Compile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	file := layerFile(t, goodMetric, invalidMetric, brokenMetric)
	for _, c := range []struct {
		name        string
		args        []string
		code        int
		out, stderr string
	}{
		{"valid", []string{file, "--metric", "orders_n"}, exitOK, `COUNT("orders"."id") AS "orders_n"`, ""},
		{"with the database", []string{file, "-m", "orders_n", "-d", "shop"}, exitOK, "SELECT", ""},
		{"not valid", []string{file, "--metric", "ghosts"}, exitFailed, "SELECT nothing FROM ghosts", "unknown table ghosts"},
		{"no such column", []string{file, "--metric", "lost"}, exitUsage, "", "amount"},
		{"no such metric", []string{file, "--metric", "orders_m"}, exitUsage, "", "orders_n"},
		{"no metric", []string{file}, exitUsage, "", "--metric NAME"},
		{"no file", []string{"--metric", "x"}, exitUsage, "", "YAML file"},
		{"a file that is not there", []string{file + "x", "--metric", "x"}, exitUsage, "", "no such file"},
		{"unknown database", []string{file, "--metric", "orders_n", "-d", "shpo"}, exitUsage, "", "There are: shop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := b.run(append([]string{"semantic", "compile"}, c.args...)...).want(t, c.code, c.out, c.stderr)
			if c.code == exitUsage {
				o.silent(t)
			}
		})
	}
	b.run("semantic", "compile", layerFile(t, "{name: x}"), "--metric", "x").want(t, exitUsage, "", "description").silent(t)
	b.typed(layerText(goodMetric), "semantic", "compile", "-", "--metric", "orders_n", "--state-dir", b.dir).want(t, exitOK, "SELECT", "")
	var r struct {
		SQL        string `json:"sql"`
		Validation struct {
			Valid   bool     `json:"valid"`
			Missing []string `json:"missing_tables"`
		} `json:"validation"`
		Warnings []string `json:"warnings"`
	}
	o := b.run("semantic", "compile", file, "--metric", "ghosts", "--json").want(t, exitFailed, "", "")
	if err := json.Unmarshal([]byte(o.out), &r); err != nil || r.Validation.Valid || len(r.Validation.Missing) != 1 || r.Warnings == nil {
		t.Errorf("%v, %+v", err, r)
	}
	other := layerText(goodMetric)
	write(t, file, strings.Replace(other, "shop", "elsewhere", 1))
	b.run("semantic", "compile", file, "--metric", "orders_n", "-d", "shop").want(t, exitOK, "SELECT", `connection_name is "elsewhere"`)
	b.run("semantic", "compile", file, "--metric", "orders_n").want(t, exitUsage, "", "elsewhere").silent(t)
}

func TestSemantic_Usage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("semantic").want(t, exitUsage, "", "compile, lint, apply").silent(t)
	b.run("semantic", "compil").want(t, exitUsage, "", "did you mean compile?").silent(t)
	b.run("semantic", "--json").want(t, exitUsage, "", "compile").silent(t)
	b.run("semantic", "compile", layerFile(t, goodMetric), "-m", "orders_n").want(t, exitFailed, "", "pretensor index").silent(t)
	b.run("semantic", "--help").want(t, exitOK, "apply", "")
}

func TestSemantic_Lint(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	good := layerFile(t, goodMetric)
	b.run("semantic", "lint", good).want(t, exitOK, "nothing is wrong\n", "no database is indexed")
	b.run("semantic", "lint", good, "-d", "shop").want(t, exitFailed, "", "pretensor index").silent(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	b.run("semantic", "lint", good).want(t, exitOK, "nothing is wrong\n", "")
	file := layerFile(t, goodMetric, invalidMetric, brokenMetric)
	o := b.run("semantic", "lint", file).want(t, exitFailed, file+":", "")
	for _, want := range []string{"ghosts: ", "lost: ", ": error: "} {
		if !strings.Contains(o.out, want) {
			t.Errorf("no %q in %q", want, o.out)
		}
	}
	var l linted
	o = b.run("semantic", "lint", file, "--json").want(t, exitFailed, "", "")
	if err := json.Unmarshal([]byte(o.out), &l); err != nil || l.Valid || len(l.Findings) != 2 || l.Findings[0].Line == 0 {
		t.Errorf("%v, %+v", err, l)
	}
	if o := b.run("semantic", "lint", good, "--json").want(t, exitOK, "", ""); minified(t, o.out) != `{"valid":true,"findings":[]}` {
		t.Errorf("%s", o.out)
	}
	bad := layerFile(t, "{name: x, typ: sum}")
	b.run("semantic", "lint", bad).want(t, exitUsage, "typ", "")
	b.run("semantic", "lint", bad, "--json").want(t, exitUsage, `"parse_failed"`, "")
	b.run("semantic", "lint", bad+"x").want(t, exitUsage, "", "no such file").silent(t)
	b.run("semantic", "lint").want(t, exitUsage, "", "YAML file").silent(t)
}

func TestSemantic_Apply(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	stored := func() []string {
		out := []string{}
		for _, m := range b.data("shop").Metrics {
			out = append(out, m.Name+map[bool]string{true: " valid", false: " not valid"}[m.Valid])
		}
		return out
	}
	check := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, stored()); diff != "" {
			t.Errorf("metrics, -want +got\n%s", diff)
		}
	}
	b.run("semantic", "apply", layerFile(t, goodMetric), "-d", "shop").want(t, exitOK, "orders_n: valid; reads main.orders\nstored 1 metric of shop\n", "")
	check("orders_n valid")
	generation := b.entry("shop").Generation
	b.run("semantic", "apply", layerFile(t, "{name: more, description: m, type: count}", brokenMetric), "-d", "shop").want(t, exitUsage, "", "amount").silent(t)
	check("orders_n valid")
	if b.entry("shop").Generation != generation {
		t.Error("nothing was stored, and the index is another")
	}
	o := b.run("semantic", "apply", layerFile(t, invalidMetric), "--json").want(t, exitFailed, "", "")
	if want := `[{"name":"ghosts","valid":false,"errors":["unknown table ghosts"],"tables":[],"sql":"SELECT nothing FROM ghosts"}]`; minified(t, o.out) != want {
		t.Errorf("%s, want %s", minified(t, o.out), want)
	}
	check("ghosts not valid", "orders_n valid")
	b.run("semantic", "apply", layerFile(t, strings.Replace(goodMetric, "field: number", `filters: ["id > 1"]`, 1))).want(t, exitOK, "stored 1", "")
	check("ghosts not valid", "orders_n valid")
	if sql := b.data("shop").Metrics[1].SQL; !strings.Contains(sql, "id > 1") {
		t.Errorf("the metric is still %q", sql)
	}
	if !b.data("shop").Metrics[1].Generated.Equal(b.clock) {
		t.Error("the time is not that of the command")
	}
	b.run("reindex", "shop").want(t, exitOK, "tables 3", "")
	check("ghosts not valid", "orders_n valid")
}

// The sums of amounts are stored beside what is there already, and only when asked for.
func TestIndex_MetricTemplates(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	path := shop(t)
	execute(t, "sqlite", path, `CREATE TABLE fact_sales (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), total_amount NUMERIC, note TEXT)`)
	check := func(want ...string) {
		t.Helper()
		got := []string{}
		for _, m := range b.data("shop").Metrics {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("metrics %v, want %v", got, want)
		}
	}
	b.run("index", path).want(t, exitOK, "tables 4", "")
	check()
	b.run("semantic", "apply", layerFile(t, goodMetric)).want(t, exitOK, "stored 1", "")
	b.run("index", "shop", "--metric-templates").want(t, exitOK, "tables 4", "")
	check("fact_sales_total_amount_sum", "orders_n")
	if m := b.data("shop").Metrics[0]; !m.Valid || m.Stale || !strings.HasPrefix(m.SQL, `SELECT SUM("fact_sales"."total_amount")`) {
		t.Errorf("%+v", m)
	}
	b.run("reindex", "shop", "--metric-templates", "--dry-run").want(t, exitOK, "nothing was written", "")
	b.run("reindex", "shop", "--metric-templates").want(t, exitOK, "tables 4", "")
	check("fact_sales_total_amount_sum", "orders_n")
}
