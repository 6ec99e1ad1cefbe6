package tools

import (
	"fmt"
	"strings"
	"testing"
)

const orders = "id,day,region,price,qty,active,note\n" +
	"1,2024-01-05,EU,12.5,2,true,first\n" +
	"2,2024-02-10,NA,11,1,false,second\n" +
	"3,2024-02-11,EU,18,3,TRUE,\n" +
	"4,2024-03-01,,,4,false,x\n"

const ordersColumns = `"columns":{"id":"number","day":"date","region":"category","price":"number","qty":"number","active":"category","note":"category"}`

const ordersRows = `{"id":1,"day":"2024-01-05","region":"EU","price":12.5,"qty":2,"active":true,"note":"first"},` +
	`{"id":2,"day":"2024-02-10","region":"NA","price":11,"qty":1,"active":false,"note":"second"},` +
	`{"id":3,"day":"2024-02-11","region":"EU","price":18,"qty":3,"active":true,"note":null},` +
	`{"id":4,"day":"2024-03-01","region":null,"price":null,"qty":4,"active":false,"note":"x"}`

func TestLoadFile_Result(t *testing.T) {
	c := connect(t, files{
		"orders.csv":     orders,
		"five.tsv":       "n\n1\n2\n3\n4\n5\n6\n",
		"header.csv":     "a,b\n",
		"docs.jsonl":     `{"id":"a","emb":[1,0,2]}` + "\nno json\n" + `{"id":"b","emb":[0,1,2],"ok":true}` + "\n" + `{"id":"c","ok":null}` + "\n",
		"ragged.csv":     "a,b\n1\n2,3,4\n5,6\n",
		"UPPER.CSV":      "a\n1\n",
		"deep/in/it.csv": "a\n1\n",
	}, settings{})
	c.run([]step{
		{"load_file", `{"path":"orders.csv"}`, `{"table":"orders","rows":4,` + ordersColumns + `,"sample":[` + ordersRows + `]}`, ""},
		{"load_file", `{"path":"five.tsv"}`, `{"table":"five","rows":6,"columns":{"n":"number"},"sample":[{"n":1},{"n":2},{"n":3},{"n":4},{"n":5}]}`, ""},
		{"load_file", `{"path":"header.csv"}`, `{"table":"header","rows":0,"columns":{"a":"number","b":"number"},"sample":[]}`, ""},
		{"load_file", `{"path":"docs.jsonl"}`, `{"table":"docs","rows":3,"columns":{"id":"category","ok":"category"},"sample":[{"id":"a","ok":null},{"id":"b","ok":true},{"id":"c","ok":null}],"embedding":{"field":"emb","dim":3},"skipped_lines":1}`, ""},
		{"load_file", `{"path":"ragged.csv"}`, `{"table":"ragged","rows":3,"columns":{"a":"number","b":"number"},"sample":[{"a":1,"b":null},{"a":2,"b":3},{"a":5,"b":6}],"ragged_lines":2}`, ""},
		{"load_file", `{"path":"UPPER.CSV","name":"any name: 'x'"}`, `{"table":"any name: 'x'","rows":1,"columns":{"a":"number"},"sample":[{"a":1}]}`, ""},
		{"load_file", `{"path":"deep/in/it.csv"}`, `{"table":"it","rows":1,"columns":{"a":"number"},"sample":[{"a":1}]}`, ""},
		{"load_file", `{"path":"orders.csv","name":"typed","types":{"region":"number","note":"string","day":"category","id":"text"}}`,
			`{"table":"typed","rows":4,"columns":{"id":"text","day":"category","region":"number","price":"number","qty":"number","active":"category","note":"text"},` +
				`"sample":[{"id":"1","day":"2024-01-05","region":null,"price":12.5,"qty":2,"active":true,"note":"first"},{"id":"2","day":"2024-02-10","region":null,"price":11,"qty":1,"active":false,"note":"second"},` +
				`{"id":"3","day":"2024-02-11","region":null,"price":18,"qty":3,"active":true,"note":null},{"id":"4","day":"2024-03-01","region":null,"price":null,"qty":4,"active":false,"note":"x"}],"unparsed":{"region":2}}`, ""},
	})
}

// The page: the file name without its extension, with characters other than
// letters, digits and _ replaced by _.
func TestLoadFile_DefaultName(t *testing.T) {
	names := map[string]string{
		"sales 2024.v2.csv": "sales_2024_v2",
		"Größe.csv":         "Größe",
		"日本.csv":            "日本",
		"a-b+c.csv":         "a_b_c",
		"_x.csv":            "_x",
		"2024.csv":          "2024",
		".csv":              "table",
		"sub/x'y\".tsv":     "x_y_",
		"e\u0301.csv":       "e_", // a combining mark is no letter
	}
	f := files{}
	for path := range names {
		f[path] = "a\n1\n"
	}
	c := connect(t, f, settings{})
	for path, want := range names {
		got := field(t, c.good("load_file", quoteJSON(map[string]string{"path": path})), "table")
		if got != quoteJSON(want) {
			t.Errorf("table of %q = %s, want %q", path, got, want)
		}
	}
}

func TestLoadFile_Refusals(t *testing.T) {
	c := connect(t, files{
		"orders.csv": orders, "empty.csv": "", "sheet.xlsx": "PK", "packed.csv.gz": "x", "none": "x",
		"bad.jsonl": "[1]\nnope\n", "bad.arrow": "ARROW1", "big.csv": strings.Repeat("a,b\n", 300), "sub/x.csv": "a\n1\n",
	}, settings{maxFile: 1000})
	const formats = "It reads .csv, .tsv, .jsonl, .ndjson, .arrow, .feather and .ipc."
	c.run([]step{
		{"load_file", `{"path":"../x.csv"}`, "", "'../x.csv' leaves the data folder; give a path inside it."},
		{"load_file", `{"path":"sub/../orders.csv"}`, "", "'sub/../orders.csv' leaves the data folder; give a path inside it."},
		{"load_file", `{"path":"/orders.csv"}`, "", "'/orders.csv' leaves the data folder; give a path inside it."},
		{"load_file", `{"path":"ordes.csv"}`, "", "There is no file 'ordes.csv' in the data folder; did you mean 'orders.csv'?"},
		{"load_file", `{"path":"sub"}`, "", "There is no file 'sub' in the data folder; its folder has 'bad.arrow', 'bad.jsonl', 'big.csv', 'empty.csv', 'none', 'orders.csv', 'packed.csv.gz', 'sheet.xlsx'."},
		{"load_file", `{"path":"empty.csv"}`, "", "'empty.csv' is empty."},
		{"load_file", `{"path":"sheet.xlsx"}`, "", "Vectro cannot read '.xlsx'. " + formats},
		{"load_file", `{"path":"none"}`, "", "Vectro cannot read 'none', which has no extension. " + formats},
		{"load_file", `{"path":"packed.csv.gz"}`, "", "Vectro cannot read '.gz'; unpack 'packed.csv.gz' first. " + formats},
		{"load_file", `{"path":"big.csv"}`, "", "'big.csv' has 1.2 kB; load_file reads up to 1 kB."},
		{"load_file", `{"path":"orders.csv","types":{"prise":"number"}}`, "", "types names the column 'prise', which the file does not have; did you mean 'price'?"},
		{"load_file", `{"path":"orders.csv","types":{"price":"float"}}`, "", `types.price must be "number", "category", "string", "date" or "text", not the text "float"`},
		{"load_file", `{"path":"orders.csv","name":""}`, "", "name must not be empty"},
		{"load_file", `{"path":"orders.csv","name":"` + strings.Repeat("ä", 65) + `"}`, "", "name has 130 bytes; a table's name has at most 128."},
		{"load_file", `{"path":"orders.csv","name":"` + strings.Repeat("n", 129) + `"}`, "", "name must have at most 128 characters, got 129"},
		{"load_file", `{"file":"orders.csv"}`, "", "load_file has no argument 'file'; did you mean 'path'?"},
		{"list_tables", `{}`, `{"tables":[]}`, ""},
		{"load_file", `{"path":"orders.csv","name":"` + strings.Repeat("ä", 64) + `"}`, `{"table":"` + strings.Repeat("ä", 64) + `","rows":4,` + ordersColumns + `,"sample":[` + ordersRows + `]}`, ""},
	})
	for _, path := range []string{"bad.jsonl", "bad.arrow"} {
		if text := c.bad("load_file", `{"path":"`+path+`"}`); !strings.Contains(text, path) {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// A table that is replaced is the old one until the new one is complete.
func TestLoadFile_ReplaceIsAtomic(t *testing.T) {
	c := connect(t, files{
		"a.csv": "n\n1\n", "b.csv": "m\n2\n3\n", "broken.csv": "x\n\"never closed", "lines.jsonl": "none\n",
	}, settings{})
	c.load("a.csv")
	before := c.used()
	for _, args := range []string{
		`{"path":"lines.jsonl","name":"a"}`, `{"path":"nope.csv","name":"a"}`, `{"path":"b.csv","name":"a","types":{"q":"number"}}`,
	} {
		c.bad("load_file", args)
	}
	c.run([]step{
		{"list_tables", `{}`, `{"tables":[{"table":"a","source":"a.csv","rows":1,"columns":{"n":"number"}}]}`, ""},
		{"query", `{"table":"a"}`, `{"matching_rows":1,"returned":1,"rows":[{"n":1}]}`, ""},
	})
	if c.used() != before {
		t.Errorf("failed loads hold %d bytes", c.used()-before)
	}
	c.run([]step{
		{"load_file", `{"path":"b.csv","name":"a"}`, `{"table":"a","rows":2,"columns":{"m":"number"},"sample":[{"m":2},{"m":3}]}`, ""},
		{"list_tables", `{}`, `{"tables":[{"table":"a","source":"b.csv","rows":2,"columns":{"m":"number"}}]}`, ""},
	})
}

// A table keeps its place when it is replaced, and its name tells case apart.
func TestListTables_LoadOrder(t *testing.T) {
	c := connect(t, files{"a.csv": "n\n1\n", "b.csv": "n\n1\n", "A.csv": "n\n1\n2\n"}, settings{})
	c.load("b.csv", "a.csv", "b.csv", "A.csv")
	entry := func(name, source string, rows int) string {
		return fmt.Sprintf(`{"table":%q,"source":%q,"rows":%d,"columns":{"n":"number"}}`, name, source, rows)
	}
	c.run([]step{{"list_tables", `{}`, `{"tables":[` + entry("b", "b.csv", 1) + "," + entry("a", "a.csv", 1) + "," + entry("A", "A.csv", 2) + `]}`, ""}})
}

func TestTableNames(t *testing.T) {
	f := files{"Orders.csv": "n\n1\n", "x.csv": "n\n1\n", "X.csv": "n\n1\n2\n"}
	for i := range 25 {
		f[fmt.Sprintf("t%02d.csv", i)] = "n\n1\n"
	}
	c := connect(t, f, settings{})
	c.run([]step{{"describe_table", `{"table":"orders"}`, "", "No table is loaded yet; load_file loads one."}})
	c.load("Orders.csv", "x.csv", "X.csv")
	c.run([]step{
		{"query", `{"table":"ORDERS","limit":0}`, `{"matching_rows":1,"returned":0,"rows":[]}`, ""},
		{"query", `{"table":"x","limit":0}`, `{"matching_rows":1,"returned":0,"rows":[]}`, ""},
		{"query", `{"table":"X","limit":0}`, `{"matching_rows":2,"returned":0,"rows":[]}`, ""},
		{"query", `{"table":"ordrs"}`, "", "There is no table 'ordrs'. Loaded: Orders, x, X. Did you mean Orders?"},
		{"drop_table", `{"table":"zzzzzz"}`, "", "There is no table 'zzzzzz'. Loaded: Orders, x, X."},
		{"sql", `{"query":"SELECT * FROM ordrs"}`, "", "There is no table 'ordrs'. Loaded: Orders, x, X. Did you mean Orders?"},
	})
	for i := range 25 {
		c.load(fmt.Sprintf("t%02d.csv", i))
	}
	want := "There is no table 'zzzzzz'. Loaded: Orders, x, X, "
	for i := range 17 {
		want += fmt.Sprintf("t%02d, ", i)
	}
	want = strings.TrimSuffix(want, ", ") + " and 8 more."
	c.run([]step{{"describe_table", `{"table":"zzzzzz"}`, "", want}})
}
