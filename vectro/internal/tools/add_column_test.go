package tools

import (
	"strings"
	"testing"
)

func TestAddColumn(t *testing.T) {
	c := connect(t, files{"s.csv": "n,region,day,free\n1,EU,2024-01-31,x\n2,NA,,y\n"}, settings{})
	c.good("load_file", `{"path":"s.csv","types":{"free":"string"}}`)
	const columns, row1, row2 = `"n":"number","region":"category","day":"date","free":"text"`, `"n":1,"region":"EU","day":"2024-01-31","free":"x"`, `"n":2,"region":"NA","day":null,"free":"y"`
	add := func(name, expression, kind, v1, v2 string) {
		t.Helper()
		c.run([]step{
			{"load_file", `{"path":"s.csv","types":{"free":"string"}}`, `{"table":"s","rows":2,"columns":{` + columns + `},"sample":[{` + row1 + `},{` + row2 + `}]}`, ""},
			{"add_column", `{"table":"S","name":` + name + `,"expression":` + quoteJSON(expression) + `}`,
				`{"table":"s","columns":{` + columns + `,` + name + `:"` + kind + `"},"sample":[{` + row1 + `,` + name + `:` + v1 + `},{` + row2 + `,` + name + `:` + v2 + `}]}`, ""},
		})
	}
	add(`"x"`, "n * 1.5", "number", "1.5", "3")
	add(`"x"`, "lower(region)", "category", `"eu"`, `"na"`)
	add(`"x"`, "addMonths(day, 1)", "date", `"2024-02-29"`, "null")
	add(`"x"`, "n > 1", "category", "false", "true")
	add(`"x"`, "day >= '2024'", "category", "true", "null")
	add(`"x"`, "null", "number", "null", "null")
	add(`"N"`, "n", "number", "1", "2")
	add("\"a `b` [c] 'd'\"", "7", "number", "7", "7")
	c.run([]step{
		{"add_column", `{"table":"s","name":"n","expression":"1"}`, "", "'s' already has a column 'n', which was loaded from 's.csv'; choose another name."},
		{"add_column", `{"table":"s","name":"","expression":"1"}`, "", "name is empty; give the new column a name."},
		{"add_column", `{"table":"s","name":"` + strings.Repeat("n", 1025) + `","expression":"1"}`, "", "name has 1025 bytes; a column's name has at most 1024."},
		{"add_column", `{"table":"s","name":"x","expression":"sum(n)"}`, "", "'sum' is an aggregate at position 1; it belongs in aggregates, not in expression\n  sum(n)\n  ^"},
		{"add_column", `{"table":"s","name":"x","expression":"free"}`, "", "'free' is free text (loaded with types 'string') and cannot be used in an expression at position 1\n  free\n  ^"},
		{"add_column", `{"table":"s","name":"x","expression":"m + 1"}`, "", "unknown column 'm' at position 1; the columns are n, region, day, free, `a ``b`` [c] 'd'`\n  m + 1\n  ^"},
		{"add_column", `{"table":"t","name":"x","expression":"1"}`, "", "There is no table 't'. Loaded: s."},
	})
}

// A column computed earlier is replaced in its place; what was computed from it stays.
func TestAddColumn_Again(t *testing.T) {
	c := connect(t, files{"s.csv": "n\n1\n2\n3\n4\n"}, settings{})
	c.load("s.csv")
	c.good("add_column", `{"table":"s","name":"a","expression":"n + 1"}`)
	c.good("add_column", `{"table":"s","name":"b","expression":"a * 10"}`)
	before := c.used()
	c.run([]step{
		{"add_column", `{"table":"s","name":"a","expression":"a * 2"}`, `{"table":"s","columns":{"n":"number","a":"number","b":"number"},"sample":[{"n":1,"a":4,"b":20},{"n":2,"a":6,"b":30},{"n":3,"a":8,"b":40}]}`, ""},
		{"describe_table", `{"table":"s"}`, `{"table":"s","rows":4,"columns":{"n":{"kind":"number","n":4,"min":1,"max":4,"mean":2.5,"missing":0},"a":{"kind":"number","n":4,"min":4,"max":10,"mean":7,"missing":0},"b":{"kind":"number","n":4,"min":20,"max":50,"mean":35,"missing":0}}}`, ""},
	})
	if c.used() != before {
		t.Errorf("after replacing a column of the same size %d bytes are held, before %d", c.used(), before)
	}
}
