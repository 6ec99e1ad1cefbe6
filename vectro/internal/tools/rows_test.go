package tools

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"pgregory.net/rapid"
)

// float encodes a number cell.
func float(f float64) string {
	return string(encoder{}.value(nil, plan.Value{Base: plan.Float, F: f}, plan.Field{}))
}

func TestValue_Float(t *testing.T) {
	for _, tt := range []struct {
		in   float64
		want string
	}{
		{math.Copysign(0, -1), "0"}, {0.30000000000000004, "0.30000000000000004"}, {1 << 53, "9007199254740992"},
		{999999999999999868928, "999999999999999900000"}, {1e21, "1e+21"}, {1e-6, "0.000001"}, {1e-7, "1e-7"},
		{math.NaN(), "null"}, {math.Inf(1), "null"}, {math.Inf(-1), "null"},
	} {
		if got := float(tt.in); got != tt.want {
			t.Errorf("%v = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestValue_FloatReadsBackAsShortJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		got := float(f)
		if back, err := strconv.ParseFloat(got, 64); err != nil || back != f {
			t.Fatalf("%v was written as %s", f, got)
		}
		if want, _ := json.Marshal(f); f != 0 && got != string(want) {
			t.Fatalf("%s, encoding/json writes %s", got, want)
		}
	})
}

func TestAppendString_IsJSONForAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "string")
		got := appendString(nil, s)
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%q was written as %s: %v", s, got, err)
		}
		if utf8.ValidString(s) && back != s {
			t.Fatalf("%q reads back as %q", s, back)
		}
		if !utf8.Valid(got) || strings.ContainsAny(string(got), "\n\r") {
			t.Fatalf("%q is no text of one line", got)
		}
	})
}

// Whole numbers of 64 bits and their sums are exact, and so are the shortest
// decimals.
func TestRows_Numbers(t *testing.T) {
	c := connect(t, files{"n.jsonl": `{"n":9007199254740993,"x":-0.0,"y":1e21,"z":1e-7}` + "\n" +
		`{"n":9223372036854775807,"x":1.0,"y":1e20,"z":0.000001}` + "\n" + `{"n":9223372036854775807,"x":2.50,"y":-3,"z":null}` + "\n"}, settings{})
	c.load("n.jsonl")
	c.run([]step{
		{"query", `{"table":"n"}`, `{"matching_rows":3,"returned":3,"rows":[{"n":9007199254740993,"x":0,"y":1e+21,"z":1e-7},{"n":9223372036854775807,"x":1,"y":100000000000000000000,"z":0.000001},{"n":9223372036854775807,"x":2.5,"y":-3,"z":null}]}`, ""},
		{"query", `{"table":"n","filter":"n == 9007199254740993","limit":1}`, `{"matching_rows":1,"returned":1,"rows":[{"n":9007199254740993,"x":0,"y":1e+21,"z":1e-7}]}`, ""},
		{"query", `{"table":"n","filter":"n == 9007199254740992"}`, `{"matching_rows":0,"returned":0,"rows":[]}`, ""},
		{"query", `{"table":"n","aggregates":{"s":"sum(n)","lo":"min(n)","hi":"max(n)"}}`, `{"rows":[{"s":18455751272964292607,"lo":9007199254740993,"hi":9223372036854775807}]}`, ""},
		{"sql", `{"query":"SELECT sum(n) AS s, sum(-n) AS t FROM n"}`, `{"rows_in_answer":1,"returned":1,"rows":[{"s":18455751272964292607,"t":-18455751272964292607}]}`, ""},
		{"add_column", `{"table":"n","name":"m","expression":"n - 1"}`, `{"table":"n","columns":{"n":"number","x":"number","y":"number","z":"number","m":"number"},"sample":[{"n":9007199254740993,"x":0,"y":1e+21,"z":1e-7,"m":9007199254740992},{"n":9223372036854775807,"x":1,"y":100000000000000000000,"z":0.000001,"m":9223372036854775806},{"n":9223372036854775807,"x":2.5,"y":-3,"z":null,"m":9223372036854775806}]}`, ""},
		{"query", `{"table":"n","filter":"m == 9007199254740992","limit":0}`, `{"matching_rows":1,"returned":0,"rows":[]}`, ""},
	})
}

func TestRows_NotANumber(t *testing.T) {
	c := connect(t, files{"n.csv": "x\n1\n0\n-1\n"}, settings{})
	c.load("n.csv")
	c.run([]step{
		{"sql", `{"query":"SELECT x / 0 AS q FROM n"}`, `{"rows_in_answer":3,"returned":3,"rows":[{"q":null},{"q":null},{"q":null}]}`, ""},
		// Infinite is a value in computation; 0/0 is missing.
		{"query", `{"table":"n","filter":"x / 0 > 5"}`, `{"matching_rows":1,"returned":1,"rows":[{"x":1}]}`, ""},
		{"query", `{"table":"n","filter":"x / 0 == null"}`, `{"matching_rows":1,"returned":1,"rows":[{"x":0}]}`, ""},
		{"add_column", `{"table":"n","name":"q","expression":"x / 0"}`, `{"table":"n","columns":{"x":"number","q":"number"},"sample":[{"x":1,"q":null},{"x":0,"q":null},{"x":-1,"q":null}]}`, ""},
		{"describe_table", `{"table":"n"}`, `{"table":"n","rows":3,"columns":{"x":{"kind":"number","n":3,"min":-1,"max":1,"mean":0,"missing":0},"q":{"kind":"number","n":2,"min":null,"max":null,"mean":null,"missing":1}}}`, ""},
	})
}

func TestRows_Dates(t *testing.T) {
	c := connect(t, files{"d.csv": "day,at,zoned,fine,mixed\n" +
		"2024-02-10,2024-02-10T12:30:00,2024-02-10T12:30:00+02:00,2024-02-10T00:00:00.123456,2024-02-10\n" +
		"0001-01-01,2024-02-10 00:00:00,2024-02-10T00:00:00Z,2024-02-10T00:00:00.5,2024-02-10T01:02:03\n" +
		"9999-12-31,,,,\n"}, settings{})
	c.load("d.csv")
	c.run([]step{{"query", `{"table":"d"}`, `{"matching_rows":3,"returned":3,"rows":[` +
		`{"day":"2024-02-10","at":"2024-02-10T12:30:00","zoned":"2024-02-10T10:30:00Z","fine":"2024-02-10T00:00:00.123456","mixed":"2024-02-10T00:00:00"},` +
		`{"day":"0001-01-01","at":"2024-02-10T00:00:00","zoned":"2024-02-10T00:00:00Z","fine":"2024-02-10T00:00:00.500","mixed":"2024-02-10T01:02:03"},` +
		`{"day":"9999-12-31","at":null,"zoned":null,"fine":null,"mixed":null}]}`, ""}})
}

// Labels are text to describe_table and truth values in rows.
func TestRows_Booleans(t *testing.T) {
	c := connect(t, files{"b.csv": "a,b\nTrue,yes\nfalse,no\n,yes\n"}, settings{})
	c.load("b.csv")
	c.run([]step{
		{"query", `{"table":"b"}`, `{"matching_rows":3,"returned":3,"rows":[{"a":true,"b":"yes"},{"a":false,"b":"no"},{"a":null,"b":"yes"}]}`, ""},
		{"query", `{"table":"b","filter":"!a"}`, `{"matching_rows":1,"returned":1,"rows":[{"a":false,"b":"no"}]}`, ""},
		{"query", `{"table":"b","filter":"a == 'true' && a == true && a","limit":0}`, `{"matching_rows":1,"returned":0,"rows":[]}`, ""},
		{"query", `{"table":"b","aggregates":{"n":"count()"},"group_by":"a"}`, `{"groups":3,"returned":3,"rows":[{"a":false,"n":1},{"a":true,"n":1},{"a":null,"n":1}]}`, ""},
		{"describe_table", `{"table":"b"}`, `{"table":"b","rows":3,"columns":{"a":{"kind":"category","distinct":2,"most_common":[{"a":"false","rows":1},{"a":"true","rows":1},{"a":null,"rows":1}]},"b":{"kind":"category","distinct":2,"most_common":[{"b":"yes","rows":2},{"b":"no","rows":1}]}}}`, ""},
		{"add_column", `{"table":"b","name":"c","expression":"b == 'yes'"}`, `{"table":"b","columns":{"a":"category","b":"category","c":"category"},"sample":[{"a":true,"b":"yes","c":true},{"a":false,"b":"no","c":false},{"a":null,"b":"yes","c":true}]}`, ""},
		{"sql", `{"query":"SELECT a, NOT c AS d, b FROM b WHERE c"}`, `{"rows_in_answer":2,"returned":2,"rows":[{"a":true,"d":false,"b":"yes"},{"a":null,"d":false,"b":"yes"}]}`, ""},
	})
}

// Whatever a file holds comes out as one JSON string, whole.
func TestRows_HostileText(t *testing.T) {
	texts := []string{
		"a\u2028b\u2029c", "\x00\x01\x1f\x7f", `quote " backslash \ slash /`, "line\nbreak\r\ttab", "<script>&amp;</script>",
		"\u202Eevil\u200B", "😀 e\u0301", strings.Repeat("long ", 2000), "true", "null", "12e3x", " padded ",
	}
	var lines strings.Builder
	for _, s := range texts {
		lines.WriteString(quoteJSON(map[string]string{"t": s}) + "\n")
	}
	lines.WriteString(`{"t":"lone \ud800 surrogate"}` + "\n")
	want := append(texts, "lone \uFFFD surrogate")
	c := connect(t, files{"t.jsonl": lines.String(), "raw.csv": "t\n\"caf\xc3\xa9 \xff\"\n" + strings.Repeat("é,\n", 3)}, settings{})
	c.load("t.jsonl", "raw.csv")
	var got struct{ Rows []struct{ T string } }
	if err := json.Unmarshal([]byte(c.good("query", `{"table":"t"}`)), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(got.Rows), len(want))
	}
	for i, row := range got.Rows {
		if row.T != want[i] {
			t.Errorf("row %d is %q, want %q", i, row.T, want[i])
		}
	}
	literal := strings.NewReplacer(`\`, `\\`, `'`, `''`)
	for i, s := range want {
		if strings.ContainsRune(s, 0) {
			continue // expressions have no such character
		}
		q := quoteJSON(map[string]any{"table": "t", "filter": "t == '" + literal.Replace(s) + "'", "limit": 1})
		if n := field(t, c.good("query", q), "matching_rows"); n != "1" {
			t.Errorf("filter finds %s rows with text %d, %q", n, i, s)
		}
	}
}

// Names of columns that mean something elsewhere are columns like all others.
func TestRows_HostileNames(t *testing.T) {
	c := connect(t, files{
		"n.csv": "rows,ms,score,returned,a b,\"q\"\"`]\",\u202Ex,ms\nr,2,3,4,5,6,7,8\n",
		"s.csv": "__proto__,constructor,,toString\nx,1,2,3\n",
	}, settings{})
	c.load("n.csv", "s.csv")
	row := `{"rows":"r","ms":2,"score":3,"returned":4,"a b":5,"q\"` + "`]" + `":6,"` + "\u202E" + `x":7,"ms_2":8}`
	c.run([]step{
		{"query", `{"table":"n"}`, `{"matching_rows":1,"returned":1,"rows":[` + row + `]}`, ""},
		{"query", `{"table":"n","filter":"[a b] == 5 && ms == 2","aggregates":{"rows":"count()","ms":"sum(ms)","returned":"max(score)"}}`, `{"rows":[{"rows":1,"ms":2,"returned":3}]}`, ""},
		{"query", `{"table":"s"}`, `{"matching_rows":1,"returned":1,"rows":[{"__proto__":"x","constructor":1,"column3":2,"toString":3}]}`, ""},
		{"query", `{"table":"s","aggregates":{"__proto__":"count()"},"group_by":"constructor"}`, `{"groups":1,"returned":1,"rows":[{"constructor":1,"__proto__":1}]}`, ""},
	})
	d := c.good("describe_table", `{"table":"n"}`)
	if got := field(t, field(t, d, "columns"), "rows"); got != `{"kind":"category","distinct":1,"most_common":[{"rows":"r","rows_1":1}]}` {
		t.Errorf("rows: %s", got)
	}
}

// What data says in prose is cleaned, so that a label cannot pass for a message.
func TestHints_HostileLabels(t *testing.T) {
	c := connect(t, files{"x.jsonl": quoteJSON(map[string]string{"re\ngion": "EU\u202E\nIgnore"}) + "\n"}, settings{})
	c.load("x.jsonl")
	got := field(t, c.good("query", quoteJSON(map[string]any{"table": "x", "filter": "[re\ngion] == 'EU  Ignore'"})), "hints")
	if want := `["re�gion has no label 'EU  Ignore'; did you mean 'EU��Ignore'?"]`; got != want {
		t.Errorf("hints %s, want %s", got, want)
	}
	c.good("load_file", quoteJSON(map[string]string{"path": "x.jsonl", "name": "a\nb\u202Ec"}))
	text := c.bad("describe_table", `{"table":"a\u0007"}`)
	if strings.ContainsAny(text, "\n\u0007\u202E") {
		t.Errorf("the message is not clean: %q", text)
	}
}

func TestSQL_DuplicateNames(t *testing.T) {
	c := connect(t, files{"a.csv": "id,x\n1,2\n", "b.csv": "id,x\n1,3\n"}, settings{})
	c.load("a.csv", "b.csv")
	c.run([]step{
		{"sql", `{"query":"SELECT * FROM a JOIN b ON a.id = b.id"}`, `{"rows_in_answer":1,"returned":1,"rows":[{"id":1,"x":2,"id_1":1,"x_1":3}]}`, ""},
		{"sql", `{"query":"SELECT x, x, x AS x_1, x FROM a"}`, `{"rows_in_answer":1,"returned":1,"rows":[{"x":2,"x_2":2,"x_1":2,"x_3":2}]}`, ""},
	})
}

// A result over 8 MiB ends rows early, and returned tells.
func TestRows_CutAt8MiB(t *testing.T) {
	line := strings.Repeat("x", 100_000)
	var b strings.Builder
	b.WriteString("n,t\n")
	for i := range 100 {
		fmt.Fprintf(&b, "%d,%s%d\n", i, line, i)
	}
	c := connect(t, files{"big.csv": b.String()}, settings{})
	c.load("big.csv")
	text := c.good("query", `{"table":"big","limit":500}`)
	var got struct {
		MatchingRows int `json:"matching_rows"`
		Returned     int
		Rows         []json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if got.MatchingRows != 100 || got.Returned != len(got.Rows) || got.Returned != maxRowBytes/100_020 {
		t.Errorf("%d of %d rows, returned %d", len(got.Rows), got.MatchingRows, got.Returned)
	}
	if len(text) > maxRowBytes+1000 {
		t.Errorf("the result has %d bytes", len(text))
	}
	if got := c.good("sql", `{"query":"SELECT n FROM big"}`); field(t, got, "returned") != "100" {
		t.Errorf("short rows are cut: %s", got)
	}
}

func TestRows_MaxText(t *testing.T) {
	c := connect(t, files{"t.csv": "n,t\n1,abcdef\n2,äöüß\n3,😀😀😀😀😀\n"}, settings{maxText: 4})
	c.load("t.csv")
	c.run([]step{
		{"query", `{"table":"t"}`, `{"matching_rows":3,"returned":3,"rows":[{"n":1,"t":"abcd…"},{"n":2,"t":"äöüß"},{"n":3,"t":"😀😀😀😀…"}]}`, ""},
		{"query", `{"table":"t","filter":"t == 'abcdef'","limit":0}`, `{"matching_rows":1,"returned":0,"rows":[]}`, ""},
		{"describe_table", `{"table":"t"}`, `{"table":"t","rows":3,"columns":{"n":{"kind":"number","n":3,"min":1,"max":3,"mean":2,"missing":0},"t":{"kind":"category","distinct":3,"most_common":[{"t":"abcd…","rows":1},{"t":"äöüß","rows":1},{"t":"😀😀😀😀…","rows":1}]}}}`, ""},
	})
}

func TestRows_Huge(t *testing.T) {
	r := engine.Rows{
		Schema: plan.Schema{{Name: "h", Type: plan.Type{Base: plan.Huge}}},
		Values: [][]plan.Value{{{Base: plan.Huge, Hi: -1, I: -1}}, {{Base: plan.Huge, Hi: 1, I: 0}}, {{Base: plan.Huge, Hi: math.MinInt64}}, {{}}},
	}
	got := encoder{}.rows(r)
	want := `[{"h":-1} {"h":18446744073709551616} {"h":-170141183460469231731687303715884105728} {"h":null}]`
	if s := fmt.Sprintf("%s", got); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}
