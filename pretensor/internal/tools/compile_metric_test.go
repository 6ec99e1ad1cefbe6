package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/yamldoc"
)

// layer is a semantic layer of one entity with metrics.
func layer(source, metrics string) string {
	return fmt.Sprintf("connection_name: shop\ndomains:\n- name: d\n  description: d\n  entities:\n  - name: order\n    description: d\n    source_table: %s\n    metrics:\n%s", source, metrics)
}

func compile(yaml, metric, database string) string {
	b, err := json.Marshal(map[string]string{"semantic_yaml": yaml, "metric": metric, "database": database})
	if err != nil {
		panic(err)
	}
	return string(b)
}

const total = "    - {name: total_paid, description: d, type: sum, field: total, filters: [\"status = 'paid'\"]}\n"

func TestCompileMetric(t *testing.T) {
	w := serve(t, nil, shop(t))
	for args, want := range map[string]string{
		compile(layer("public.orders", total), "total_paid", "shop"): `{"sql":"SELECT SUM(\"orders\".\"total\") AS \"total_paid\"\nFROM \"public\".\"orders\" AS \"orders\"\nWHERE (status = 'paid')",` +
			`"validation":{"valid":true,"syntax_errors":[],"missing_tables":[],"missing_columns":[],"invalid_joins":[],"suggestions":[]},` +
			`"dependencies":[{"table":"public.orders","columns":["status","total"],"via":"source"}],"metric":"total_paid","entity":"order","dialect":"postgres","warnings":[]}`,
		// SQL that does not pass the checks is an answer.
		compile(layer("orders", "    - {name: n, description: d, type: count, filters: [\"stauts = 'x'\"]}\n"), " order.n ", "SHOP"): `{"sql":"SELECT COUNT(*) AS \"n\"\nFROM \"public\".\"orders\" AS \"orders\"\nWHERE (stauts = 'x')",` +
			`"validation":{"valid":false,"syntax_errors":[],"missing_tables":[],"missing_columns":["public.orders.stauts"],"invalid_joins":[],"suggestions":["Column stauts does not exist in public.orders; closest: status."]},` +
			`"dependencies":[{"table":"public.orders","columns":[],"via":"source"}],"metric":"n","entity":"order","dialect":"postgres","warnings":[]}`,
	} {
		if got := w.good("compile_metric", args, nil); got != want {
			t.Errorf("%s\n got %s\nwant %s", args, got, want)
		}
	}
}

func TestCompileMetric_Refusals(t *testing.T) {
	w := serve(t, nil, shop(t))
	for args, want := range map[string]failure{
		compile(layer("public.orders", total), "total_pad", "shop"):                                                     {Code: "metric_not_found", Error: "total_pad", Candidates: []string{"total_paid"}},
		compile(layer("public.orders", strings.Replace(total, "sum", "summ", 1)), "x", "shop"):                          {Code: "parse_failed", Error: "(line 10, column 48, domains[0].entities[0].metrics[0].type)", Candidates: []string{"sum"}},
		compile("domains: [", "x", "shop"):                                                                              {Code: "parse_failed", Error: "line 1, column"},
		compile(layer("public.ordrs", total), "total_paid", "shop"):                                                     {Code: "compile_failed", Error: "ordrs", Candidates: []string{"public.orders"}},
		compile(layer("public.orders", strings.Replace(total, "field: total", "field: totl", 1)), "total_paid", "shop"): {Code: "compile_failed", Error: "totl", Candidates: []string{"total"}},
		compile(" ", "x", "shop"):                                            {Code: "invalid_argument", Error: "semantic_yaml is empty."},
		compile(layer("public.orders", total), " ", "shop"):                  {Code: "invalid_argument", Error: "metric is empty."},
		compile(layer("public.orders", total), "total_paid", "shpo"):         {Code: "unknown_database", Error: "'shpo'", Candidates: []string{"shop"}},
		compile(strings.Repeat("# x\n", yamldoc.MaxSize/4)+"a", "x", "shop"): {Code: "invalid_argument", Error: "semantic_yaml has 1048577 bytes, at most 1048576 are allowed."},
		`{"semantic_yaml":"a","metric":"x"}`:                                 {Code: "invalid_argument", Error: "'database'", Candidates: []string{"shop"}},
	} {
		f := w.bad("compile_metric", args)
		if f.Code != want.Code || !strings.Contains(f.Error, want.Error) || len(want.Candidates) > 0 && (len(f.Candidates) == 0 || f.Candidates[0] != want.Candidates[0]) || strings.Contains(f.Error, "\n") {
			t.Errorf("%.300s\n got %+v\nwant %+v", args, f, want)
		}
	}
	// All faults are told, as far as there is room.
	many := layer("public.orders", strings.Repeat("    - {name: a, description: d, type: nothing}\n", 30))
	f := w.bad("compile_metric", compile(many, "a", "shop"))
	if f.Code != "parse_failed" || strings.Count(f.Hint, "metrics[") != 4 || !strings.Contains(f.Hint, "more.") || len(f.Hint) > 2000 {
		t.Errorf("many faults: %+v", f)
	}
}

// The YAML is taken as it is: blanks at its beginning count.
func TestCompileMetric_YAMLIsNotTrimmed(t *testing.T) {
	w := serve(t, nil, shop(t))
	indented := "  " + strings.TrimSuffix(strings.ReplaceAll(layer("public.orders", total), "\n", "\n  "), "  ")
	w.good("compile_metric", compile(indented, "total_paid", "shop"), nil)
	if f := w.bad("compile_metric", compile("\n\n\n  domains: [", "x", "shop")); f.Code != "parse_failed" || !strings.Contains(f.Error, "line 4") {
		t.Errorf("got %+v", f)
	}
}

// Names from the YAML are data, whatever is in them.
func TestCompileMetric_HostileNames(t *testing.T) {
	w := serve(t, nil, shop(t))
	metric := `    - {name: "x\u202e\"::$(rm)", description: d, type: count}` + "\n"
	var r compileMetricResult
	w.good("compile_metric", compile(layer(`'public."Odd ""Name"""'`, metric), "x\u202e\"::$(rm)", "shop"), &r)
	if !strings.Contains(r.SQL, `FROM "public"."Odd ""Name"""`) {
		t.Errorf("got %q", r.SQL)
	}
	f := w.bad("compile_metric", compile(layer("public.orders", metric), "y\u202e\u0007", "shop"))
	if f.Code != "metric_not_found" || strings.ContainsAny(f.Error, "\u202e\u0007") {
		t.Errorf("got %+v", f)
	}
}

func TestCompileMetric_Dialects(t *testing.T) {
	w := serve(t, nil, shop(t), indexed(t, "lite", sqltree.SQLite, "main", "create table orders (id integer primary key, total real, placed text);"))
	metric := "    - {name: m, description: d, type: sum, field: total, time_dimension: placed, granularity: month}\n"
	for database, want := range map[string][2]string{"shop": {"postgres", "date_trunc('month'"}, "lite": {"sqlite", "strftime("}} {
		var r compileMetricResult
		w.good("compile_metric", compile(strings.Replace(layer("orders", metric), "shop", database, 1), "m", database), &r)
		if r.Dialect != want[0] || !strings.Contains(strings.ToLower(r.SQL), want[1]) || len(r.Warnings) > 0 {
			t.Errorf("%s: %+v", database, r.Result)
		}
	}
	var r compileMetricResult
	w.good("compile_metric", compile(layer("orders", metric), "m", "lite"), &r)
	if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "connection_name") {
		t.Errorf("another connection's layer: %q", r.Warnings)
	}
}

func TestCompileMetric_EmptyIndex(t *testing.T) {
	w := serve(t, nil, indexed(t, "shop", sqltree.Postgres, "public", ""))
	if f := w.bad("compile_metric", compile(layer("public.orders", total), "total_paid", "shop")); f.Code != "compile_failed" || !strings.Contains(f.Error, "public.orders") {
		t.Errorf("got %+v", f)
	}
}

// A long answer keeps the first entries of its lists.
func TestCompileMetric_Cut(t *testing.T) {
	w := serve(t, nil, shop(t))
	filters := make([]string, 1000)
	for i := range filters {
		filters[i] = fmt.Sprintf("\"no_such_%03d > 0\"", i)
	}
	metric := "    - {name: n, description: d, type: count, filters: [" + strings.Join(filters, ", ") + "]}\n"
	var r compileMetricResult
	text := w.good("compile_metric", compile(layer("orders", metric), "n", "shop"), &r)
	if len(text) > maxAnswer || !r.Cut || r.TotalColumns != 1000 || len(r.Validation.MissingColumns) < 100 || r.Validation.MissingColumns[0] != "public.orders.no_such_000" || r.Validation.Valid || r.Warning == "" {
		t.Errorf("%d characters, %v, %d of %d: %q", len(text), r.Cut, len(r.Validation.MissingColumns), r.TotalColumns, r.Warning)
	}
}
