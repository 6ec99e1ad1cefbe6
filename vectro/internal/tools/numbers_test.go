package tools

import (
	"fmt"
	"strings"
	"testing"
)

// one asks query or sql for one value and returns it as it was written.
func (c *client) one(table, expression string) string {
	c.t.Helper()
	got := c.good("query", quoteJSON(map[string]any{"table": table, "aggregates": map[string]string{"x": expression}}))
	return strings.TrimSuffix(strings.TrimPrefix(got, `{"rows":[{"x":`), `}]}`)
}

const wholes = "id,other\n9007199254740993,3\n9223372036854775807,-9223372036854775808\n-9223372036854775808,9223372036854775807\n"

// What is computed of 64-bit whole numbers is exact in every row, also where
// another row's result needs more bits.
func TestNumbers_WholeArithmeticIsExact(t *testing.T) {
	c := connect(t, files{"n.csv": wholes}, settings{})
	c.load("n.csv")
	for expression, want := range map[string][3]string{
		"-id":                 {"-9007199254740993", "-9223372036854775807", "9223372036854775808"},
		"id + 1":              {"9007199254740994", "9223372036854775808", "-9223372036854775807"},
		"id - 1":              {"9007199254740992", "9223372036854775806", "-9223372036854775809"},
		"abs(id)":             {"9007199254740993", "9223372036854775807", "9223372036854775808"},
		"id * 2":              {"18014398509481986", "18446744073709551614", "-18446744073709551616"},
		"id * other":          {"27021597764222979", "-85070591730234615856620279821087277056", "-85070591730234615856620279821087277056"},
		"(id + 1) % 10":       {"4", "8", "-7"},
		"id ^ 1":              {"9007199254740993", "9223372036854775807", "-9223372036854775808"},
		"round(id, -1)":       {"9007199254740990", "9223372036854775810", "-9223372036854775810"},
		"trunc(id, other)":    {"9007199254740993", "0", "-9223372036854775808"},
		"bucket(id, 10)":      {"9007199254740990", "9223372036854775800", "-9223372036854775810"},
		"bucket(id, other)":   {"9007199254740993", "null", "-18446744073709551614"},
		"div(id, -1)":         {"-9007199254740993", "-9223372036854775807", "9223372036854775808"},
		"greatest(id + 1, 0)": {"9007199254740994", "9223372036854775808", "0"},
		"(id - 1) > id":       {"false", "false", "false"},
		"toText(id + 1)":      {`"9007199254740994"`, `"9223372036854775808"`, `"-9223372036854775807"`},
	} {
		for i, text := range want {
			got := c.one("n", fmt.Sprintf("first(%s where id == %s)", expression, strings.Split([]string{"9007199254740993", "9223372036854775807", "-9223372036854775808"}[i], ",")[0]))
			if got != text {
				t.Errorf("%s in row %d is %s, want %s", expression, i+1, got, text)
			}
		}
	}
	c.run([]step{
		{"query", `{"table":"n","aggregates":{"s":"sum(id + 1)","m":"max(id + 1)","d":"countDistinct(-id)","h":"sum(id) + 1"}}`, `{"rows":[{"s":9007199254740995,"m":9223372036854775808,"d":3,"h":9007199254740993}]}`, ""},
		// Products of 127 bits have a sum that 128 may not hold: it is one of doubles.
		{"query", `{"table":"n","aggregates":{"s":"sum(id * id)","m":"mean(id * id)","x":"max(id * id)"}}`, `{"rows":[{"s":1.7014126459010765e+38,"m":5.671375486336922e+37,"x":85070591730234615865843651857942052864}]}`, ""},
		{"query", `{"table":"n","aggregates":{"n":"count()"},"group_by":"id + 1"}`, `{"groups":3,"returned":3,"rows":[{"id + 1":-9223372036854775807,"n":1},{"id + 1":9007199254740994,"n":1},{"id + 1":9223372036854775808,"n":1}]}`, ""},
		{"sql", `{"query":"SELECT id - 1 AS x FROM n ORDER BY x"}`, `{"rows_in_answer":3,"returned":3,"rows":[{"x":-9223372036854775809},{"x":9007199254740992},{"x":9223372036854775806}]}`, ""},
		{"add_column", `{"table":"n","name":"next","expression":"id + 1"}`, "", "id + 1 has whole numbers of more than 64 bits, which a column does not hold digit for digit. Use it in query or sql, or multiply by 1.0 for a rounded number."},
		{"add_column", `{"table":"n","name":"half","expression":"div(id + 1, 2)"}`, `{"table":"n","columns":{"id":"number","other":"number","half":"number"},"sample":[{"id":9007199254740993,"other":3,"half":4503599627370497},{"id":9223372036854775807,"other":-9223372036854775808,"half":4611686018427387904},{"id":-9223372036854775808,"other":9223372036854775807,"half":-4611686018427387903}]}`, ""},
	})
}

// A list of values is compared as by ==, in three-valued logic, in either language.
func TestNumbers_InWithNull(t *testing.T) {
	c := connect(t, files{"t.csv": "region,qty\nEU,1\nNA,2\n,3\n"}, settings{})
	c.load("t.csv")
	for expression, statement := range map[string]string{
		"region in ('EU', null)": "region IN ('EU', NULL)", "region not in ('EU', null)": "region NOT IN ('EU', NULL)", "region in (null)": "region IN (NULL)",
		"qty in (1, null)": "qty IN (1, NULL)", "(1 in (2, null)) == null": "(1 IN (2, NULL)) IS NULL", "1 in (1, null)": "1 IN (1, NULL)",
	} {
		a := field(t, c.good("query", quoteJSON(map[string]any{"table": "t", "filter": expression})), "rows")
		b := field(t, c.good("sql", quoteJSON(map[string]any{"query": "SELECT * FROM t WHERE " + statement})), "rows")
		if a != b {
			t.Errorf("%s gives %s, in SQL %s", expression, a, b)
		}
	}
	if got := field(t, c.good("query", `{"table":"t","filter":"region not in ('EU', null)"}`), "matching_rows"); got != "0" {
		t.Errorf("%s rows are certain not to be in the list, want 0", got)
	}
	for _, text := range []string{"1 in ('x', qty)", "1 in (region, qty)", "0.1 in ('EU', null)", "qty in ('x', 2)"} {
		if got := c.bad("sql", quoteJSON(map[string]any{"query": "SELECT * FROM t WHERE " + text})); !strings.Contains(got, "cannot compare number") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A quantile that is an element of a column of whole numbers is that number, digit
// for digit, through groups, subqueries, sorts and joins.
func TestNumbers_QuantilesOfWholeNumbers(t *testing.T) {
	c := connect(t, files{"q.csv": "g,id\na,9007199254740993\na,9007199254740991\na,9223372036854775807\nb,1\nb,2\nc,9007199254740993\nc,9007199254740997\n"}, settings{})
	c.load("q.csv")
	c.run([]step{
		{"query", `{"table":"q","aggregates":{"m":"median(id)","q":"quantile(id, 1)","d":"median(id) + 1"},"group_by":"g","sort":"-m"}`,
			`{"groups":3,"returned":3,"rows":[{"g":"c","m":9007199254740995,"q":9007199254740997,"d":9007199254740996},{"g":"a","m":9007199254740993,"q":9223372036854775807,"d":9007199254740992},{"g":"b","m":1.5,"q":2,"d":2.5}]}`, ""},
		{"sql", `{"query":"SELECT x.g, x.m, y.m AS n FROM (SELECT g, percentile_cont(0.5) WITHIN GROUP (ORDER BY id) AS m FROM q GROUP BY g) x JOIN (SELECT g, median(id) AS m FROM q GROUP BY g) y USING (g) WHERE x.g <> 'b' ORDER BY g"}`,
			`{"rows_in_answer":2,"returned":2,"rows":[{"g":"a","m":9007199254740993,"n":9007199254740993},{"g":"c","m":9007199254740995,"n":9007199254740995}]}`, ""},
	})
}

// Keys that look alike are one: ±Inf is shown as null, as a missing value is.
func TestNumbers_InfiniteKeysAreOneGroup(t *testing.T) {
	c := connect(t, files{"d.csv": "a,b\n1,0\n-1,0\n0,0\n,1\n4,2\n"}, settings{})
	c.load("d.csv")
	c.run([]step{
		{"query", `{"table":"d","aggregates":{"n":"count()","hi":"max(a)"},"group_by":"a / b"}`, `{"groups":2,"returned":2,"rows":[{"a / b":2,"n":1,"hi":4},{"a / b":null,"n":4,"hi":1}]}`, ""},
		{"query", `{"table":"d","aggregates":{"n":"count()"},"group_by":"a / b","sort":"-a / b"}`, `{"groups":2,"returned":2,"rows":[{"a / b":2,"n":1},{"a / b":null,"n":4}]}`, ""},
		{"sql", `{"query":"SELECT a / b AS r, count(*) AS n FROM d GROUP BY r ORDER BY r"}`, `{"rows_in_answer":2,"returned":2,"rows":[{"r":2,"n":1},{"r":null,"n":4}]}`, ""},
		{"sql", `{"query":"SELECT DISTINCT a / b AS r FROM d ORDER BY r"}`, `{"rows_in_answer":2,"returned":2,"rows":[{"r":2},{"r":null}]}`, ""},
		{"query", `{"table":"d","filter":"a / b > 1"}`, `{"matching_rows":2,"returned":2,"rows":[{"a":1,"b":0},{"a":4,"b":2}]}`, ""},
		{"add_column", `{"table":"d","name":"r","expression":"a / b"}`, `{"table":"d","columns":{"a":"number","b":"number","r":"number"},"sample":[{"a":1,"b":0,"r":null},{"a":-1,"b":0,"r":null},{"a":0,"b":0,"r":null}]}`, ""},
		{"query", `{"table":"d","aggregates":{"n":"count()"},"group_by":"r"}`, `{"groups":2,"returned":2,"rows":[{"r":2,"n":1},{"r":null,"n":4}]}`, ""},
	})
}
