package tools

import (
	"fmt"
	"strings"
	"testing"
)

func TestQuery_Shapes(t *testing.T) {
	c := connect(t, files{"orders.csv": orders}, settings{})
	c.load("orders.csv")
	c.run([]step{
		{"query", `{"table":"orders","filter":"price > 10","aggregates":{"total":"sum(price)","n":"count()"},"group_by":"region","sort":"-total"}`,
			`{"groups":2,"returned":2,"rows":[{"region":"EU","total":30.5,"n":2},{"region":"NA","total":11,"n":1}]}`, ""},
		{"query", `{"table":"orders","aggregates":{"z":"sum(price)","a":"mean(qty)","d":"countDistinct(region)","c":"count(price > 12)","m":"min(day)"}}`,
			`{"rows":[{"z":41.5,"a":2.5,"d":2,"c":2,"m":"2024-01-05"}]}`, ""},
		{"query", `{"table":"orders","filter":"qty >= 2","sort":["-price","id"]}`,
			`{"matching_rows":3,"returned":3,"rows":[{"id":3,"day":"2024-02-11","region":"EU","price":18,"qty":3,"active":true,"note":null},` +
				`{"id":1,"day":"2024-01-05","region":"EU","price":12.5,"qty":2,"active":true,"note":"first"},` +
				`{"id":4,"day":"2024-03-01","region":null,"price":null,"qty":4,"active":false,"note":"x"}]}`, ""},
		{"query", `{"table":"orders","group_by":"region"}`, "", `group_by needs aggregates, e.g. {"n": "count()"}.`},
		{"query", `{"table":"orders","aggregates":{},"group_by":["region"]}`, "", `group_by needs aggregates, e.g. {"n": "count()"}.`},
		{"query", `{"table":"orders","aggregates":{"region":"count()"},"group_by":"region"}`, "", `the aggregate 'region' has the name of a group_by key; give it another`},
		{"query", `{"table":"orders","aggregates":{"n":"count()"},"group_by":[]}`, "", `group_by must have at least 1 entry, got 0`},
		{"query", `{"table":"orders","filter":"","limit":0}`, `{"matching_rows":4,"returned":0,"rows":[]}`, ""},
		// By key without sort: missing last; several keys in the order given.
		{"query", `{"table":"orders","aggregates":{"n":"count()"},"group_by":["region","active"]}`,
			`{"groups":3,"returned":3,"rows":[{"region":"EU","active":true,"n":2},{"region":"NA","active":false,"n":1},{"region":null,"active":false,"n":1}]}`, ""},
		{"query", `{"table":"orders","aggregates":{"n":"count()"},"group_by":"yearMonth(day)"}`,
			`{"groups":3,"returned":3,"rows":[{"yearMonth(day)":"2024-01","n":1},{"yearMonth(day)":"2024-02","n":2},{"yearMonth(day)":"2024-03","n":1}]}`, ""},
		{"query", `{"table":"orders","aggregates":{"n":"count()"},"group_by":"region","sort":"region"}`,
			`{"groups":3,"returned":3,"rows":[{"region":"EU","n":2},{"region":"NA","n":1},{"region":null,"n":1}]}`, ""},
		{"query", `{"table":"orders","aggregates":{"n":"count()"},"group_by":"region","sort":"-region"}`,
			`{"groups":3,"returned":3,"rows":[{"region":"NA","n":1},{"region":"EU","n":2},{"region":null,"n":1}]}`, ""},
	})
}

// With no value, sums are 0 in query and NULL in sql: the one documented
// difference between the two.
func TestQuery_NothingToAggregate(t *testing.T) {
	c := connect(t, files{"orders.csv": orders, "none.csv": "a,b\n"}, settings{})
	c.load("orders.csv", "none.csv")
	const all = `{"s":"sum(price)","m":"mean(price)","lo":"min(price)","hi":"max(day)","n":"count()","c":"count(price > 1)","d":"countDistinct(region)"}`
	c.run([]step{
		{"query", `{"table":"orders","filter":"id > 9","aggregates":` + all + `}`, `{"rows":[{"s":0,"m":null,"lo":null,"hi":null,"n":0,"c":0,"d":0}]}`, ""},
		{"query", `{"table":"orders","filter":"id > 9","aggregates":` + all + `,"group_by":"region"}`, `{"groups":0,"returned":0,"rows":[]}`, ""},
		{"query", `{"table":"orders","filter":"id == 4","aggregates":{"s":"sum(price)","m":"mean(price)"},"group_by":"region"}`, `{"groups":1,"returned":1,"rows":[{"region":null,"s":0,"m":null}]}`, ""},
		{"sql", `{"query":"SELECT sum(price) AS s, avg(price) AS m, count(*) AS n FROM orders WHERE id > 9"}`, `{"rows_in_answer":1,"returned":1,"rows":[{"s":null,"m":null,"n":0}]}`, ""},
		{"query", `{"table":"none"}`, `{"matching_rows":0,"returned":0,"rows":[]}`, ""},
		{"query", `{"table":"none","aggregates":{"s":"sum(a)","n":"count()"}}`, `{"rows":[{"s":0,"n":0}]}`, ""},
		{"query", `{"table":"none","aggregates":{"n":"count()"},"group_by":"a"}`, `{"groups":0,"returned":0,"rows":[]}`, ""},
		{"describe_table", `{"table":"none"}`, `{"table":"none","rows":0,"columns":{"a":{"kind":"number","n":0,"min":null,"max":null,"mean":null,"missing":0},"b":{"kind":"number","n":0,"min":null,"max":null,"mean":null,"missing":0}}}`, ""},
		{"add_column", `{"table":"none","name":"c","expression":"a + b"}`, `{"table":"none","columns":{"a":"number","b":"number","c":"number"},"sample":[]}`, ""},
		{"sql", `{"query":"SELECT * FROM none"}`, `{"rows_in_answer":0,"returned":0,"rows":[]}`, ""},
	})
}

func TestQuery_Limit(t *testing.T) {
	var b strings.Builder
	b.WriteString("n\n")
	for i := range 700 {
		fmt.Fprintln(&b, i)
	}
	c := connect(t, files{"n.csv": b.String()}, settings{})
	c.load("n.csv")
	returned := func(tool, args string, total, want string) {
		t.Helper()
		text := c.good(tool, args)
		got := field(t, text, "returned")
		if rows := strings.Count(field(t, text, "rows"), "{"); got != want || fmt.Sprint(rows) != want {
			t.Errorf("%s %s: returned %s, %d rows, want %s", tool, args, got, rows, want)
		}
		for _, count := range []string{"matching_rows", "groups", "rows_in_answer"} {
			if n := field(t, text, count); n != "" && n != total {
				t.Errorf("%s %s: %s %s, want %s", tool, args, count, n, total)
			}
		}
	}
	const grouped = `"aggregates":{"c":"count()"},"group_by":"n"`
	for limit, want := range map[string]string{"": "50", `,"limit":null`: "50", `,"limit":0`: "0", `,"limit":7`: "7", `,"limit":"10"`: "10", `,"limit":10.0`: "10", `,"limit":1e1`: "10",
		`,"limit":500`: "500", `,"limit":501`: "500", `,"limit":1000000`: "500", `,"limit":9223372036854775807`: "500"} {
		returned("query", `{"table":"n"`+limit+`}`, "700", want)
		returned("query", `{"table":"n",`+grouped+limit+`}`, "700", want)
	}
	returned("sql", `{"query":"SELECT * FROM n"}`, "700", "500")
	returned("sql", `{"query":"SELECT * FROM n LIMIT 600"}`, "600", "500")
	returned("sql", `{"query":"SELECT a.n FROM n a, n b"}`, "490000", "500")
	returned("sql", `{"query":"SELECT n FROM n LIMIT 3"}`, "3", "3")
	c.run([]step{
		{"query", `{"table":"n","limit":-1}`, "", "limit must be between 0 and 500, got -1"},
		{"query", `{"table":"n","limit":10.5}`, "", "limit must be a whole number, not the number 10.5"},
		{"query", `{"table":"n","limit":"ten"}`, "", `limit must be a whole number, not the text "ten"`},
		{"query", `{"table":"n","limit":true}`, "", `limit must be a whole number, not true`},
		{"query", `{"table":"n","limit":[1]}`, "", `limit must be a whole number, not the list [1]`},
	})
}

// Unknown argument, then missing, then type: the order in which a caller repairs.
func TestArguments_OrderOfChecks(t *testing.T) {
	c := connect(t, nil, settings{})
	c.run([]step{
		{"query", `{"tabel":"x","limit":"ten"}`, "", "query has no argument 'tabel'; did you mean 'table'?"},
		{"query", `{"limit":"ten"}`, "", "query needs the argument 'table'; give it as text"},
		{"query", `{"table":5,"limit":"ten"}`, "", "table must be text, not the number 5"},
		{"query", `{"table":"x","aggregates":[]}`, "", "aggregates must be an object, not the list []"},
		{"query", `{"table":"x","aggregates":{"n":1}}`, "", "aggregates.n must be text, not the number 1"},
		{"query", `{"table":"x","group_by":5}`, "", "group_by must be text or a list of text, not the number 5"},
		{"list_tables", `{"all":true}`, "", "list_tables has no argument 'all'; it takes none"},
		{"sql", `{"sql":"SELECT 1"}`, "", "sql has no argument 'sql'; did you mean 'query'?"},
		{"drop_table", `{}`, "", "drop_table needs the argument 'table'; give it as text"},
		{"add_column", `{"table":"x","name":"y","expression":5}`, "", "expression must be text, not the number 5"},
	})
}

func TestHints(t *testing.T) {
	f := files{"orders.csv": orders, "docs.jsonl": `{"id":"a","kind":"Tea","v":[1,0]}` + "\n"}
	steps := func(hint func(string) string) []step {
		eu := hint(`,"hints":["region has no label 'eu'; did you mean 'EU'?"]`)
		return []step{
			{"query", `{"table":"orders","filter":"region == 'eu'"}`, `{"matching_rows":0,"returned":0,"rows":[]` + eu + `}`, ""},
			{"query", `{"table":"orders","filter":"region == 'eu'","aggregates":{"n":"count()"}}`, `{"rows":[{"n":0}]` + eu + `}`, ""},
			{"query", `{"table":"orders","filter":"region == 'eu'","aggregates":{"n":"count()"},"group_by":"id"}`, `{"groups":0,"returned":0,"rows":[]` + eu + `}`, ""},
			{"sql", `{"query":"SELECT id FROM orders WHERE region = 'eu' ORDER BY id"}`, `{"rows_in_answer":0,"returned":0,"rows":[]` + eu + `}`, ""},
			{"sql", `{"query":"SELECT count(*) AS n FROM orders WHERE region = 'eu'"}`, `{"rows_in_answer":1,"returned":1,"rows":[{"n":0}]` + eu + `}`, ""},
			{"query", `{"table":"orders","filter":"region in ('eu', 'xyzzy')"}`, `{"matching_rows":0,"returned":0,"rows":[]` + hint(`,"hints":["region has no label 'eu'; did you mean 'EU'?","region has no label 'xyzzy'"]`) + `}`, ""},
			{"search_similar", `{"table":"docs","vector":[1,0],"filter":"kind == 'tea'"}`, `{"returned":0,"rows":[]` + hint(`,"hints":["kind has no label 'tea'; did you mean 'Tea'?"]`) + `}`, ""},
			// In no other case does the field appear.
			{"query", `{"table":"orders","filter":"region == 'eu' || id == 1","limit":0}`, `{"matching_rows":1,"returned":0,"rows":[]}`, ""},
			{"query", `{"table":"orders","filter":"region == 'eu' || id == 1","aggregates":{"n":"count()"}}`, `{"rows":[{"n":1}]}`, ""},
			{"query", `{"table":"orders","filter":"region != 'eu' && id > 9"}`, `{"matching_rows":0,"returned":0,"rows":[]}`, ""},
			{"query", `{"table":"orders","filter":"region == 'EU' && id > 9"}`, `{"matching_rows":0,"returned":0,"rows":[]}`, ""},
			{"sql", `{"query":"SELECT count(*) AS n FROM orders WHERE region = 'EU' AND id > 9"}`, `{"rows_in_answer":1,"returned":1,"rows":[{"n":0}]}`, ""},
		}
	}
	t.Run("on", func(t *testing.T) {
		c := connect(t, f, settings{})
		c.load("orders.csv", "docs.jsonl")
		c.run(steps(func(h string) string { return h }))
	})
	t.Run("off", func(t *testing.T) {
		c := connect(t, f, settings{noHints: true})
		c.load("orders.csv", "docs.jsonl")
		c.run(steps(func(string) string { return "" }))
	})
}

func TestDescribeTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("label,n,day,free\n")
	for i := range 12 {
		for range i/2 + 1 {
			fmt.Fprintf(&b, "l%02d,%d,2024-01-%02d,text\n", i, i, i+1)
		}
	}
	b.WriteString(",,,\n,,,\n,,,\n,,,\n")
	c := connect(t, files{"d.csv": b.String()}, settings{})
	c.good("load_file", `{"path":"d.csv","types":{"free":"string"}}`)
	want := `{"table":"d","rows":46,"columns":{` +
		`"label":{"kind":"category","distinct":12,"most_common":[{"label":"l10","rows":6},{"label":"l11","rows":6},{"label":"l08","rows":5},{"label":"l09","rows":5},{"label":"l06","rows":4},{"label":"l07","rows":4},{"label":null,"rows":4},{"label":"l04","rows":3},{"label":"l05","rows":3},{"label":"l02","rows":2}]},` +
		`"n":{"kind":"number","n":42,"min":0,"max":11,"mean":7.166666666666667,"missing":4},` +
		`"day":{"kind":"date","min":"2024-01-01","max":"2024-01-12","missing":4},` +
		`"free":{"kind":"text"}}}`
	c.run([]step{
		{"describe_table", `{"table":"d"}`, want, ""},
		{"describe_table", `{"table":"d"}`, want, ""}, // from what the first call found
		{"describe_table", `{"table":"D"}`, want, ""},
		{"query", `{"table":"d","filter":"free == 'text'"}`, "", "'free' is free text (loaded with types 'string') and cannot be used in an expression at position 1\n  free == 'text'\n  ^"},
		{"query", `{"table":"d","aggregates":{"n":"count()"},"group_by":"free"}`, "", "'free' is free text (loaded with types 'string') and cannot be used in an expression at position 1\n  free\n  ^"},
		{"query", `{"table":"d","limit":1}`, `{"matching_rows":46,"returned":1,"rows":[{"label":"l00","n":0,"day":"2024-01-01","free":"text"}]}`, ""},
	})
}
