package metric

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/yamldoc"
)

const head = `domains:
  - name: d
    description: d
    entities:
      - name: e
        description: e
        source_table: t
        metrics:
          - name: m
            description: m
`

// Each fault is named with its path and its place.
func TestParse_Refused(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no YAML", "domains: [", "this is not YAML: sequence end token ']' not found (line 1, column 10)"},
		{"empty", "", "the YAML is empty; it needs domains with entities and metrics"},
		{"comment alone", "# nothing\n", "the YAML is empty; it needs domains with entities and metrics"},
		{"two documents", "domains: []\n---\ndomains: []\n", "one document is allowed, this is the second (line 3, column 1)"},
		{"no mapping", "- a\n", "this must be a mapping of keys to values (line 1, column 1)"},
		{"no domains", "connection_name: shop\n", "domains: this key is required (line 1, column 1)"},
		{"unknown key", "domains: []\nconection_name: x\n", `conection_name: unknown key; did you mean "connection_name"? (line 2, column 1)`},
		{"unknown key, nothing near", "domains: []\nxyz: x\n", "xyz: unknown key; known are connection_name, domains, format_defaults (line 2, column 1)"},
		{"key twice", "domains: []\n\"domains\": []\n", "domains: the key stands here a second time (line 2, column 1)"},
		{"no list", "domains: x\n", "domains: this must be a list (line 1, column 10)"},
		{"empty value", "domains:\n  - name:\n    description: d\n    entities: []\n", "domains[0].name: this is empty (line 2, column 10)"},
		{"blank value", "domains:\n  - name: ' '\n    description: d\n    entities: []\n", "domains[0].name: this is empty (line 2, column 11)"},
		{"list for a value", "domains:\n  - name: [a]\n    description: d\n    entities: []\n", "domains[0].name: this must be a single value, not a list or mapping (line 2, column 11)"},
		{"no description", "domains:\n  - name: d\n    entities: []\n", "domains[0].description: this key is required (line 2, column 5)"},
		{"no source", "domains: [{name: d, description: d, entities: [{name: e, description: e}]}]", "domains[0].entities[0].source_table: this key is required (line 1, column 48)"},
		{"unknown type", head + "            type: summ\n            field: a\n", `domains[0].entities[0].metrics[0].type: this must be one of count, count_distinct, sum, average, min, max, ratio, derived, got "summ" (line 11, column 19)`},
		{"no type", head, "domains[0].entities[0].metrics[0].type: this key is required (line 9, column 13)"},
		{"no field", head + "            type: sum\n", "domains[0].entities[0].metrics[0].field: this key is required for a metric of type sum (line 9, column 13)"},
		{"no numerator", head + "            type: ratio\n            denominator: x\n", "domains[0].entities[0].metrics[0].numerator: this key is required for a metric of type ratio (line 9, column 13)"},
		{"no expression", head + "            type: derived\n", "domains[0].entities[0].metrics[0].expression: this key is required for a metric of type derived (line 9, column 13)"},
		{"granularity alone", head + "            type: count\n            granularity: day\n", "domains[0].entities[0].metrics[0].time_dimension: this key is required where there is a granularity (line 9, column 13)"},
		{"granularity", head + "            type: count\n            time_dimension: a\n            granularity: days\n", `domains[0].entities[0].metrics[0].granularity: this must be one of day, week, month, quarter, year, got "days" (line 13, column 26)`},
		{"filter", head + "            type: count\n            filters: [a, [b]]\n", "domains[0].entities[0].metrics[0].filters[1]: this must be a single value, not a list or mapping (line 12, column 26)"},
		{"two metrics", head + "            type: count\n          - {name: m, description: m, type: count}\n", `domains[0].entities[0].metrics[1].name: there is another metric "m" here (line 12, column 13)`},
		{"role", strings.Replace(head, "        metrics", "        attributes: [{name: a, description: a, role: key}]\n        metrics", 1) + "            type: count\n", `domains[0].entities[0].attributes[0].role: this must be one of identifier, dimension, measure, time_dimension, got "key" (line 8, column 54)`},
		{"format", strings.Replace(head, "        metrics", "        attributes: [{name: a, description: a, format_config: {format_type: currency, decimals: x}}]\n        metrics", 1) + "            type: count\n", `domains[0].entities[0].attributes[0].format_config.decimals: this must be a whole number from 0 to 20, got "x" (line 8, column 97)`},
		{"default", "format_defaults: {number: {decimals: 0, sign: x}}\ndomains: []\n", "format_defaults.number.sign: unknown key"},
		{"join", strings.Replace(head, "        metrics", "        joins: [{to: a, on: b = c, type: outer}]\n        metrics", 1) + "            type: count\n", `domains[0].entities[0].joins[0].type: this must be one of left, inner, got "outer" (line 8, column 42)`},
		{"no anchor", "domains: *a\n", "domains: the alias has no anchor"},
	}
	for _, test := range tests {
		l, err := Parse(test.text)
		var e *Error
		if !errors.As(err, &e) || e.Code != ParseFailed || l != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s\ngot  %s\nwant %s", test.name, err, test.want)
		}
		if e.Candidates == nil || len(e.Problems) == 0 || e.Problems[0].Message != e.Message {
			t.Errorf("%s: %+v", test.name, e)
		}
	}
}

// All faults are reported, in the order of the text.
func TestParse_Problems(t *testing.T) {
	_, err := Parse("a: 1\nb: 2\n" + strings.Repeat("domains: []\n", 1) + "c: 3\n")
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	var got []string
	for _, p := range e.Problems {
		got = append(got, fmt.Sprintf("%s %d", p.Path, p.Line))
	}
	if diff := cmp.Diff([]string{"a 1", "b 2", "c 4"}, got); diff != "" {
		t.Error(diff)
	}
}

// The whole grammar, with anchors, block texts and numbers as names.
func TestParse(t *testing.T) {
	l, err := Parse(read(t, "grammar.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Layer{Connection: "shop", Domains: []Domain{{Name: "commerce", Description: "Orders and payments", Entities: []Entity{
		{
			Name: "payment", Description: "One captured payment", SourceTable: "public.payments",
			Attributes: []Attribute{
				{"payment_id", "key", "identifier", "id"}, {"amount", "amount in EUR", "measure", "amount"}, {"region", "sales region", "dimension", "public.regions.name"},
			},
			Joins: []Join{{"public.orders", "payments.order_id = orders.id", "left"}, {"public.regions", "orders.region = regions.id", "inner"}},
			Metrics: []Metric{
				{Name: "total_paid", Description: "Settled revenue", Type: Sum, Field: "amount", Filters: []string{"status = 'settled'", "orders.channel <> 'test'"},
					Dimensions: []string{"region"}, TimeDimension: "paid_at", Granularity: "month", Path: "domains[0].entities[0].metrics[0]", Line: 24, Column: 13},
				{Name: "2024", Description: "a number for a name", Type: Ratio, Numerator: "total_paid", Denominator: "payments_n", Path: "domains[0].entities[0].metrics[1]", Line: 32, Column: 13},
				{Name: "top_days", Description: "own SQL", Type: Derived, Expression: "SELECT paid_at::date, SUM(amount)\nFROM public.payments GROUP BY 1", Path: "domains[0].entities[0].metrics[2]", Line: 33, Column: 13},
			},
		},
		{Name: "order", Description: "One captured payment", SourceTable: "orders"},
	}}}}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Error(diff)
	}
}

// Texts that are made to hurt are refused, and soon.
func TestParse_Hostile(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'i'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat("*"+string(c-1)+", ", 9), ", "))
	}
	list := "x: &m [" + strings.TrimSuffix(strings.Repeat("{name: m, description: m, type: count}, ", 2000), ", ") + "]\n" +
		"y: &e [" + strings.TrimSuffix(strings.Repeat("{name: e, description: e, source_table: t, metrics: *m}, ", 2000), ", ") + "]\ndomains: [{name: d, description: d, entities: *e}]\n"
	var keys strings.Builder
	for i := range 90_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	texts := map[string]string{
		"too large":         strings.Repeat("#", yamldoc.MaxSize+1),
		"lists in lists":    strings.Repeat("[", 500_000),
		"mappings":          strings.Repeat("{a: ", 200_000),
		"deep enough":       "a: " + strings.Repeat("[", 49) + strings.Repeat("]", 49) + strings.Repeat("\n", 900_000),
		"flat lists":        "a: [" + strings.Repeat("[1], ", 200_000) + "]",
		"brackets in turn":  strings.Repeat("[", 99) + strings.Repeat("][", 250_000),
		"braces in turn":    strings.Repeat("{", 99) + strings.Repeat("a: }{", 150_000),
		"brackets in text":  "a: " + strings.Repeat("[x: {a: ", 25) + strings.Repeat("b, ", 300_000),
		"keys of a mapping": keys.String(),
		"keys in braces":    "a: {" + strings.Repeat("b, ", 300_000) + "}",
		"list of mappings":  "a:\n" + strings.Repeat("- b: 1\n  c: 1\n", 50_000),
		"dashes":            strings.Repeat("- ", 500_000),
		"tags":              "a: " + strings.Repeat("!a ", 300_000),
		"anchors":           "a: " + strings.Repeat("&a ", 300_000),
		"keys":              strings.Repeat("? ", 500_000),
		"colons":            strings.Repeat("a: ", 300_000),
		"colons alone":      strings.Repeat(": ", 500_000),
		"quotes":            strings.Repeat("'", 500_001),
		"double quotes":     strings.Repeat("\"\n", 250_001),
		"indents": func() string {
			var b strings.Builder
			for i := range 1300 {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return b.String()
		}(),
		"aliases":           bomb,
		"aliases as values": list,
		"zeros":             strings.Repeat("\x00", 10_000),
		"documents":         strings.Repeat("---\n", 200_000),
		"lines":             "a: |\n" + strings.Repeat(" x\n", 300_000),
	}
	for name, text := range texts {
		began := time.Now()
		_, err := Parse(text)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("%s took %s", name, d)
		} else {
			t.Logf("%-20s %8s %.80v", name, d.Round(time.Millisecond), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(head + "            type: sum\n            field: a\n            filters: [\"b > 0\"]\n")
	f.Add("domains: &a [*a]\n")
	f.Add("? [a]\n: b\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse(text)
		if (l == nil) == (err == nil) {
			t.Fatalf("%v, %v", l, err)
		}
		if err == nil {
			Lint(nil, text)
		}
	})
}
