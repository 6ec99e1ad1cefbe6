package tools

import "testing"

const docs = `{"id":"d1","title":"Tea","year":2019,"day":"2024-01-01","ok":true,"score":5,"emb":[1,0,0]}
{"id":"d2","title":"Coffee","year":2020,"day":"2024-01-02","ok":false,"score":6,"emb":[0.9,0.1,0]}
{"id":"d3","title":"Milk","year":2021,"day":"2024-01-03","ok":true,"score":7}
{"id":"d4","title":"Water","year":2022,"day":"2024-01-04","ok":null,"score":8,"emb":[0,0,0]}
{"id":"d5","title":"Tea","year":2023,"day":"2024-01-05","ok":true,"score":9,"emb":[2,0,0]}
{"id":"d6","title":"42","year":9007199254740993,"day":"2024-02-06","ok":true,"score":9,"emb":[0,1,0]}
{"id":"d7","title":"Rum","year":2024,"day":"2024-02-07","ok":true,"score":9,"emb":[-1,0,0]}
`

// ids are the rows with their scores; a column called score gives way to them.
func (c *client) similar(args string, ids ...string) {
	c.t.Helper()
	rows := map[string]string{
		"d1": `{"id":"d1","title":"Tea","year":2019,"day":"2024-01-01","ok":true,"score":`,
		"d2": `{"id":"d2","title":"Coffee","year":2020,"day":"2024-01-02","ok":false,"score":`,
		"d5": `{"id":"d5","title":"Tea","year":2023,"day":"2024-01-05","ok":true,"score":`,
		"d6": `{"id":"d6","title":"42","year":9007199254740993,"day":"2024-02-06","ok":true,"score":`,
		"d7": `{"id":"d7","title":"Rum","year":2024,"day":"2024-02-07","ok":true,"score":`,
	}
	want := ""
	for i := 0; i < len(ids); i += 2 {
		if want != "" {
			want += ","
		}
		want += rows[ids[i]] + ids[i+1] + "}"
	}
	c.run([]step{{"search_similar", args, `{"returned":` + string(rune('0'+len(ids)/2)) + `,"rows":[` + want + `]}`, ""}})
}

func TestSearchSimilar(t *testing.T) {
	c := connect(t, files{"docs.jsonl": docs}, settings{})
	c.load("docs.jsonl")
	all := []string{"d1", "1", "d5", "1", "d2", "0.993884", "d6", "0", "d7", "-1"}
	for _, args := range []string{
		`"vector":[1,0,0]`, `"vector":[1e-30,0,0]`, `"vector":[1e38,0,0]`, `"vector":[3,-0,0],"k":null`, `"vector":[1,0,0],"k":500`, `"vector":[1,0,0],"k":501`, `"vector":[1,0,0],"filter":""`,
		`"like":{"column":"id","value":"d1"}`, `"like":{"column":"title","value":"Tea"}`, `"like":{"column":"year","value":2019}`, `"like":{"column":"year","value":2019.0}`,
		`"like":{"column":"day","value":"2024-01-01"}`, `"like":{"column":"day","value":"2024-01"}`, `"like":{"column":"ok","value":true}`, `"like":{"column":"ok","value":"true"}`, `"like":{"column":"ID","value":"d1"}`,
	} {
		c.similar(`{"table":"docs",`+args+`}`, all...)
	}
	// The row itself comes first, also when an equal one stands before it.
	c.similar(`{"table":"docs","like":{"column":"id","value":"d5"},"k":2}`, "d5", "1", "d1", "1")
	c.similar(`{"table":"docs","like":{"column":"id","value":"d5"},"k":2,"filter":"year != 2023"}`, "d1", "1", "d2", "0.993884")
	c.similar(`{"table":"docs","like":{"column":"ok","value":false},"k":"1"}`, "d2", "1")
	c.similar(`{"table":"docs","like":{"column":"year","value":9007199254740993},"k":1}`, "d6", "1")
	c.similar(`{"table":"docs","like":{"column":"title","value":42},"k":1}`, "d6", "1")
	c.similar(`{"table":"docs","vector":[1,0,0],"filter":"year >= 2020 && year < 2025","k":2}`, "d5", "1", "d2", "0.993884")
	c.similar(`{"table":"docs","vector":[1,0,0],"filter":"score == 9 && id != 'd5'","k":2}`, "d6", "0", "d7", "-1")
	c.similar(`{"table":"docs","vector":[1,0,0],"filter":"id == 'd3' || id == 'd4'"}`)
}

func TestSearchSimilar_Refusals(t *testing.T) {
	c := connect(t, files{"docs.jsonl": docs, "orders.csv": orders}, settings{})
	c.load("docs.jsonl", "orders.csv")
	for args, want := range map[string]string{
		`{"table":"orders","vector":[1]}`: "'orders' has no embeddings; load a .jsonl file whose lines carry an array of numbers.",
		`{"table":"docs"}`:                "give like or vector: the row or the numbers to compare with",
		`{"table":"docs","vector":[1,0,0],"like":{"column":"id","value":"d1"}}`: "give like or vector, not both",
		`{"table":"docs","vector":[1,0]}`:                                       "vector has 2 numbers; the table stores 3.",
		`{"table":"docs","vector":[]}`:                                          "vector has 0 numbers; the table stores 3.",
		`{"table":"docs","vector":[0,0,0]}`:                                     "vector is all zeros, which has no direction.",
		`{"table":"docs","vector":[1,"a",0]}`:                                   `vector[1] must be a number, not the text "a"`,
		`{"table":"docs","vector":[1,1e39,0]}`:                                  "vector[1] is 1e+39, which a 32-bit number cannot hold",
		`{"table":"docs","vector":[1,0,0],"k":0}`:                               "k must be between 1 and 500, got 0",
		`{"table":"docs","vector":[1,0,0],"k":-1}`:                              "k must be between 1 and 500, got -1",
		`{"table":"docs","vector":[1,0,0],"k":1.5}`:                             "k must be a whole number, not the number 1.5",
		`{"table":"docs","vector":[1,0,0],"filter":"year"}`:                     "number 'year' is not a condition at position 1; write year != 0\n  year\n  ^",
		`{"table":"docs","vector":[1,0,0],"filter":"emb == 1"}`:                 "unknown column 'emb' at position 1; the columns are id, title, year, day, ok, score\n  emb == 1\n  ^",
		`{"table":"docs","like":{"column":"id","value":"d9"}}`:                  "No row of 'docs' has id = 'd9'.",
		`{"table":"docs","like":{"column":"year","value":1}}`:                   "No row of 'docs' has year = 1.",
		`{"table":"docs","like":{"column":"year","value":1e400}}`:               "No row of 'docs' has year = Infinity.",
		`{"table":"docs","like":{"column":"id","value":98765432109876543210}}`:  "No row of 'docs' has id = 98765432109876543210.",
		`{"table":"docs","like":{"column":"id","value":"a\nb\u0007"}}`:          `No row of 'docs' has id = 'a\nb` + "\ufffd'.",
		`{"table":"docs","like":{"column":"id","value":"d3"}}`:                  "The row found by like has no embedding (line was without one).",
		`{"table":"docs","like":{"column":"id","value":"d4"}}`:                  "The embedding of the row found by like is all zeros, which has no direction.",
		`{"table":"docs","like":{"column":"titel","value":"Tea"}}`:              "unknown column 'titel'; did you mean 'title'?",
		`{"table":"docs","like":{"column":"year","value":"2019"}}`:              "cannot compare number 'year' with text '2019'; write the number without quotes: 2019",
		`{"table":"docs","like":{"column":"day","value":"soon"}}`:               "'soon' is not a date; write '2024-03-31', '2024-03-31T12:30:00', or '2024-03' or '2024' for a whole month or year",
		`{"table":"docs","like":{"column":"id"}}`:                               "like needs the field 'value'; give it as text, a number or true or false",
		`{"table":"docs","like":{"column":"id","value":[1]}}`:                   "like.value must be text, a number or true or false, not the list [1]",
		`{"table":"docs","like":{"column":"id","value":"d1","first":true}}`:     "like has no field 'first'; its fields are 'column' and 'value'",
		`{"table":"docs","like":"d1"}`:                                          `like must be an object, not the text "d1"`,
		`{"table":"nope","vector":[1,0,0]}`:                                     "There is no table 'nope'. Loaded: docs, orders.",
	} {
		c.run([]step{{"search_similar", args, "", want}})
	}
}

// Adding a column keeps the embeddings; dropping frees them.
func TestSearchSimilar_WithComputedColumns(t *testing.T) {
	c := connect(t, files{"docs.jsonl": `{"id":1,"v":[1,0]}` + "\n" + `{"id":2,"v":[0,1]}` + "\n"}, settings{})
	c.load("docs.jsonl")
	c.good("add_column", `{"table":"docs","name":"twice","expression":"id * 2"}`)
	c.run([]step{
		{"search_similar", `{"table":"docs","like":{"column":"twice","value":4}}`, `{"returned":2,"rows":[{"id":2,"twice":4,"score":1},{"id":1,"twice":2,"score":0}]}`, ""},
		{"drop_table", `{"table":"docs"}`, `{"dropped":"docs"}`, ""},
		{"search_similar", `{"table":"docs","vector":[1,0]}`, "", "No table is loaded yet; load_file loads one."},
	})
	if n := c.used(); n != 0 {
		t.Errorf("%d bytes are held without any table", n)
	}
}
