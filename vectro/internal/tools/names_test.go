package tools

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// hidden are characters that a reader does not see, each between two letters of a
// column's name.
var hidden = []string{"\u202e", "\u200b", "\U000E0041", "\n", "\r", "\a", "\ufe0f", "\u3164", "\u2066", "\u00ad", "\u2028", "\x1b", "\u034f"}

func hiddenRune(r rune) bool {
	return r != '\n' && (!unicode.IsPrint(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point))
}

// Names of columns come out of files: no message shows a character of them that
// cannot be seen, or that begins a line of its own.
func TestMessages_NamesAreCleaned(t *testing.T) {
	var header, numbers, texts []string
	for i, h := range hidden {
		header = append(header, fmt.Sprintf(`"n%sum%d"`, h, i), fmt.Sprintf(`"t%sext%d"`, h, i))
		numbers = append(numbers, fmt.Sprintf("n%sum%d", h, i))
		texts = append(texts, fmt.Sprintf("t%sext%d", h, i))
	}
	row := strings.Repeat("1.5,EU,", len(hidden))
	file := strings.Join(header, ",") + "\n" + strings.TrimSuffix(row, ",") + "\n"
	c := connect(t, files{"t.csv": file, "u.csv": file, "l.jsonl": `{"a\u202eb":1,"A\u202eb":2}` + "\n"}, settings{})
	c.load("t.csv", "u.csv", "l.jsonl")
	checked := 0
	check := func(tool string, args map[string]any) {
		t.Helper()
		text, failed := c.call(tool, quoteJSON(args))
		if !failed {
			t.Errorf("%s %s: %s, want a refusal", tool, quoteJSON(args), text)
			return
		}
		checked++
		lines := strings.Split(text, "\n")
		if strings.ContainsFunc(text, hiddenRune) || len(lines) > 3 || len(lines) == 2 {
			t.Errorf("%s %s: the message is %q", tool, quoteJSON(args), text)
		}
		for _, l := range lines[1:] {
			if !strings.HasPrefix(l, "  ") {
				t.Errorf("%s %s: the message has the line %q", tool, quoteJSON(args), l)
			}
		}
	}
	filter := func(text string) { t.Helper(); check("query", map[string]any{"table": "t", "filter": text}) }
	sql := func(text string) { t.Helper(); check("sql", map[string]any{"query": text}) }
	totals := func(text string) {
		t.Helper()
		check("query", map[string]any{"table": "t", "aggregates": map[string]any{"x": text}})
	}
	filter("zzzzzz > 1")
	sql("SELECT zzzzzzz FROM t")
	sql(`SELECT "zzzzzzz" FROM t`)
	check("query", map[string]any{"table": "t", "sort": "zzzzzzz"})
	check("query", map[string]any{"table": "l", "filter": "`A\u202eB` > 1"})
	sql(`SELECT "A` + "\u202e" + `B" FROM l`)
	check("load_file", map[string]any{"path": "l.jsonl", "types": map[string]any{"A\u202eB": "number"}})
	check("search_similar", map[string]any{"table": "t", "vector": []int{1}})
	for i := range hidden {
		n, s := numbers[i], texts[i]
		quoted, label := "`"+n+"`", "`"+s+"`"
		sn, st := `"`+n+`"`, `"`+s+`"`
		filter(quoted)
		filter(quoted + " == 'EU'")
		filter(label + " > 1")
		filter("`" + n + "x` > 1")
		filter("sqrt(" + label + ") > 1")
		filter("lower(" + quoted + ") == ''")
		filter("year(" + label + ") == 1")
		filter(quoted + " + " + label + " > 1")
		filter("if(true, " + quoted + ", " + label + ") > 1")
		filter(quoted + " in ('a')")
		filter("sum(" + quoted + ") > 1")
		filter(quoted + " (")
		totals(quoted)
		totals("sum(" + label + ")")
		totals("stddev(" + label + ")")
		totals("sum(" + quoted + ") + " + quoted)
		check("query", map[string]any{"table": "t", "aggregates": map[string]any{n: "count()"}, "group_by": quoted})
		check("query", map[string]any{"table": "t", "aggregates": map[string]any{"x": "count()"}, "group_by": []string{quoted, quoted}})
		check("query", map[string]any{"table": "t", "aggregates": map[string]any{"x": "count()"}, "group_by": quoted, "sort": label})
		check("query", map[string]any{"table": n, "filter": ""})
		check("add_column", map[string]any{"table": "t", "name": n, "expression": "1"})
		check("search_similar", map[string]any{"table": "t", "like": map[string]any{"column": n + "x", "value": 1}})
		check("load_file", map[string]any{"path": "t.csv", "types": map[string]any{n + "x": "number"}})
		check("load_file", map[string]any{"path": "t.csv", "types": map[string]any{n: "fish"}})
		sql("SELECT " + sn + " FROM t, u")
		sql("SELECT * FROM t WHERE " + sn)
		sql("SELECT * FROM t WHERE " + sn + " = 'EU'")
		sql("SELECT " + sn + ", count(*) FROM t GROUP BY " + st)
		sql("SELECT sum(" + st + ") FROM t")
		sql("SELECT lower(" + sn + ") FROM t")
		sql("SELECT sum(" + sn + ") AS " + st + " FROM t GROUP BY " + st + ", 1")
		sql("SELECT t." + strings.ReplaceAll(sn, "um", "umm") + " FROM t")
		sql("SELECT * FROM t JOIN u USING (" + strings.ReplaceAll(sn, "um", "umm") + ")")
		sql("SELECT " + sn + " FROM " + st)
		sql("SELECT " + sn + " " + st + " 7 FROM t")
	}
	if checked < 400 {
		t.Errorf("only %d messages", checked)
	}
	c.good("add_column", quoteJSON(map[string]any{"table": "t", "name": "fine", "expression": "`" + numbers[0] + "` * 2"}))
	plan := c.good("sql", quoteJSON(map[string]any{"query": `EXPLAIN SELECT "` + numbers[0] + `" AS x FROM t`}))
	if strings.ContainsFunc(plan, hiddenRune) {
		t.Errorf("the plan is %q", plan)
	}
}

// A name that an expression would not read as one is offered as it has to be
// written: a sort entry "-neg" is the column neg, largest first.
func TestMessages_NamesAreOfferedAsWritten(t *testing.T) {
	c := connect(t, files{"t.csv": "-neg,unit price\n2,x\n1,y\n3,z\n"}, settings{})
	c.load("t.csv")
	c.run([]step{
		{"query", `{"table":"t","sort":"-neg"}`, "", "unknown column 'neg' at position 1; did you mean `-neg`?\n  neg\n  ^"},
		{"query", "{\"table\":\"t\",\"sort\":\"`-neg`\",\"limit\":1}", `{"matching_rows":3,"returned":1,"rows":[{"-neg":1,"unit price":"y"}]}`, ""},
		{"query", "{\"table\":\"t\",\"sort\":\"-`-neg`\",\"limit\":1}", `{"matching_rows":3,"returned":1,"rows":[{"-neg":3,"unit price":"z"}]}`, ""},
		{"query", `{"table":"t","filter":"unit_price == 'x'"}`, "", "unknown column 'unit_price' at position 1; for the label write 'unit_price' in quotes; did you mean the column `unit price`?\n  unit_price == 'x'\n  ^"},
		{"query", `{"table":"t","aggregates":{"n":" "}}`, "", "the aggregate 'n' is empty; write e.g. sum(x), mean(x) or count()"},
		{"add_column", `{"table":"t","name":"n","expression":""}`, "", "the expression is empty at position 1; write a column, a value or a function of them"},
	})
}
