package jsonl

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/readtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type row = []any

// i makes whole numbers short to write.
func i(v int64) any { return v }

func initials(kinds []string) string {
	var s strings.Builder
	for _, k := range kinds {
		s.WriteByte(k[0])
	}
	return s.String()
}

func TestRead(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	tests := []struct {
		name  string
		in    string
		types map[string]string

		names    []string
		kinds    string // n(umber) c(ategory) b(ool) d(ate) t(ext), one a column
		rows     []row
		skipped  int
		reason   string
		replaced int
		unparsed map[string]int
	}{
		{name: "plain", in: `{"a":1,"b":"x"}` + "\n" + `{"a":2,"b":"y"}`, names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}, {i(2), "y"}}},
		{name: "blanks, CRLF and blank lines", in: "\r\n {\"a\" :\t1 , \"b\": \"x\" } \r\n\n  \r\n{\"a\":2}\r\n\r\n", names: []string{"a", "b"}, kinds: "nc",
			rows: []row{{i(1), "x"}, {i(2), nil}}},
		{name: "mark", in: "\xEF\xBB\xBF{\"a\":1}", names: []string{"a"}, kinds: "n", rows: []row{{i(1)}}},
		{name: "UTF-16", in: utf16Text("{\"ü\":\"😀\"}\n{\"ü\":\"b\"}\n"), names: []string{"ü"}, kinds: "c", rows: []row{{"😀"}, {"b"}}},
		{name: "keys of all lines", in: `{"b":1}` + "\n" + `{"a":2,"b":3}` + "\n{}\n" + `{"c":4,"a":5}`, names: []string{"b", "a", "c"}, kinds: "nnn",
			rows: []row{{i(1), nil, nil}, {i(3), i(2), nil}, {nil, nil, nil}, {nil, i(5), i(4)}}},
		{name: "null and absent", in: `{"a":null,"b":1}` + "\n" + `{"b":null,"a":"x"}` + "\n" + `{"c":null}`, names: []string{"a", "b", "c"}, kinds: "cnn",
			rows: []row{{nil, i(1), nil}, {"x", nil, nil}, {nil, nil, nil}}},
		{name: "the last of two values of a key", in: `{"a":1,"a":2,"b":3}`, names: []string{"a", "b"}, kinds: "nn", rows: []row{{i(2), i(3)}}},
		{name: "empty and blank strings are labels", in: `{"a":""}` + "\n" + `{"a":" x "}`, names: []string{"a"}, kinds: "c", rows: []row{{""}, {" x "}}},
		{name: "words for missing are labels", in: `{"a":"NA"}` + "\n" + `{"a":"null"}`, names: []string{"a"}, kinds: "c", rows: []row{{"NA"}, {"null"}}},

		// Numbers.
		{name: "exact", in: `{"a":9007199254740993}` + "\n" + `{"a":-9223372036854775808}` + "\n" + `{"a":9223372036854775807}` + "\n" + `{"a":-0}`,
			names: []string{"a"}, kinds: "n", rows: []row{{i(9007199254740993)}, {i(math.MinInt64)}, {i(math.MaxInt64)}, {i(0)}}},
		{name: "whole and not", in: `{"a":1}` + "\n" + `{"a":2.5}` + "\n" + `{"a":1E3}` + "\n" + `{"a":-1.5e-3}` + "\n" + `{"a":0.1}`, names: []string{"a"}, kinds: "n",
			rows: []row{{1.}, {2.5}, {1000.}, {-0.0015}, {0.1}}},
		{name: "exact beyond 2^53 beside a fraction", in: `{"a":123456789012345678}` + "\n" + `{"a":1.5}`, names: []string{"a"}, kinds: "c",
			rows: []row{{"123456789012345678"}, {"1.5"}}},
		{name: "beyond int64", in: `{"a":12345678901234567891,"b":12300000000000000000000,"c":1e999}` + "\n" + `{"a":1,"b":2,"c":3}`, names: []string{"a", "b", "c"}, kinds: "cnc",
			rows: []row{{"12345678901234567891", 1.23e22, "1e999"}, {"1", 2., "3"}}},
		{name: "numbers in strings", in: `{"a":"1"}` + "\n" + `{"a":"2"}`, names: []string{"a"}, kinds: "c", rows: []row{{"1"}, {"2"}}},
		{name: "mixed", in: `{"a":1.50}` + "\n" + `{"a":"x"}` + "\n" + `{"a":true}` + "\n" + `{"a":{"b": 1}}` + "\n" + `{"a":null}`, names: []string{"a"}, kinds: "c",
			rows: []row{{"1.50"}, {"x"}, {"true"}, {`{"b":1}`}, {nil}}},

		// Booleans and dates.
		{name: "booleans", in: `{"a":true,"b":"true","c":false}` + "\n" + `{"a":false,"b":"false"}`, names: []string{"a", "b", "c"}, kinds: "bcb",
			rows: []row{{"true", "true", "false"}, {"false", "false", nil}}},
		{name: "dates", in: `{"a":"2024-02-29","b":"2024-02-29T10:00:00+02:00","c":"2024-01-01"}` + "\n" + `{"a":null,"b":"2024-03-01 00:00Z","c":"soon"}`, names: []string{"a", "b", "c"}, kinds: "ddc",
			rows: []row{{"2024-02-29", "2024-02-29T08:00:00Z", "2024-01-01"}, {nil, "2024-03-01T00:00:00Z", "soon"}}},
		{name: "only ISO dates", in: `{"a":"31.12.2024"}`, names: []string{"a"}, kinds: "c", rows: []row{{"31.12.2024"}}},

		// Strings and nested values.
		{name: "escapes", in: `{"a\u0062\n":"q\"\\\/\b\f\n\r\tü\u00fc\uD83D\uDE00"}`, names: []string{"ab\n"}, kinds: "c", rows: []row{{"q\"\\/\b\f\n\r\tüü😀"}}},
		{name: "lone surrogates", in: `{"a":"x\uD83Dy\uDE00\uD83D\u0041\uD83D\uD83D\uDE00"}`, names: []string{"a"}, kinds: "c", rows: []row{{"x\uFFFDy\uFFFD\uFFFDA\uFFFD😀"}}},
		{name: "damaged text", in: "{\"a\":\"x\xFFy\",\"b\":\"\xC3\\n\"}", names: []string{"a", "b"}, kinds: "cc", replaced: 2, rows: []row{{"x\uFFFDy", "\uFFFD\n"}}},
		{name: "nested", in: `{"a":{ "x" : [ 1 , "b c\n" ] , "y" : { } },"b":[ ]}` + "\n" + `{"a":[true],"b":[1]}`, names: []string{"a", "b"}, kinds: "cc",
			rows: []row{{`{"x":[1,"b c\n"],"y":{}}`, `[]`}, {"[true]", "[1]"}}},
		{name: "deep", in: `{"a":` + deep + `}`, names: []string{"a"}, kinds: "c", rows: []row{{deep}}},
		{name: "names", in: `{"":1," a ":2,"column1":3}`, names: []string{"column1_2", " a ", "column1"}, kinds: "nnn", rows: []row{{i(1), i(2), i(3)}}},

		// Lines that are skipped.
		{name: "skipped", in: "\n" + `{"a":1}` + "\n[1]\n" + `{"b":1,"a":}` + "\n" + `{"a":2}`, names: []string{"a"}, kinds: "n", skipped: 2,
			reason: "line 3: an object '{…}' expected at byte 1", rows: []row{{i(1)}, {i(2)}}},

		// What the caller asks for.
		{name: "number", in: `{"a":"007"}` + "\n" + `{"a":"x"}` + "\n" + `{"a":1.5}` + "\n" + `{"a":true}` + "\n" + `{"a":"1,234"}` + "\n" + `{}`, types: map[string]string{"A": "number"},
			names: []string{"a"}, kinds: "n", unparsed: map[string]int{"a": 2}, rows: []row{{7.}, {nil}, {1.5}, {nil}, {1234.}, {nil}}},
		{name: "category", in: `{"a":1.50,"b":true}` + "\n" + `{"a":"2024-01-01","b":null}`, types: map[string]string{"a": "category", "b": "category"}, names: []string{"a", "b"}, kinds: "cc",
			rows: []row{{"1.50", "true"}, {"2024-01-01", nil}}},
		{name: "text", in: `{"a":1,"b":[1, 2]}` + "\n" + `{"a":"x"}`, types: map[string]string{"a": "string", "b": "text"}, names: []string{"a", "b"}, kinds: "tt",
			rows: []row{{"1", "[1,2]"}, {"x", nil}}},
		{name: "date", in: `{"a":20240131}` + "\n" + `{"a":"13/02/2024"}` + "\n" + `{"a":"01/02/2024"}` + "\n" + `{"a":"x"}` + "\n" + `{"a":"1.2.2024"}`, types: map[string]string{"a": "date"},
			names: []string{"a"}, kinds: "d", unparsed: map[string]int{"a": 1}, rows: []row{{"2024-01-31"}, {"2024-02-13"}, {"2024-02-01"}, {nil}, {"2024-02-01"}}},
		{name: "a column that comes late", in: strings.Repeat(`{"a":1}`+"\n", 3) + `{"late":"5"}`, types: map[string]string{"LATE": "number"}, names: []string{"a", "late"}, kinds: "nn",
			rows: []row{{i(1), nil}, {i(1), nil}, {i(1), nil}, {nil, i(5)}}},
		{name: "no embedding when named", in: `{"v":[1,2]}` + "\n" + `{"v":[3,4]}`, types: map[string]string{"v": "string"}, names: []string{"v"}, kinds: "t", rows: []row{{"[1,2]"}, {"[3,4]"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, block := range []int64{blockSize, 1, 3, 7, 20, 64, 1000} {
				if len(tt.in) > 10_000 && block < 1000 {
					continue
				}
				for _, threads := range []int{1, 3} {
					opt := input.Options{Types: tt.types, Threads: threads}
					res, err := read(t.Context(), readtest.Source("a.jsonl", tt.in), opt.WithDefaults(), block)
					if err != nil {
						t.Fatalf("block %d: %v", block, err)
					}
					if res.Table.Embedding != nil {
						t.Fatalf("block %d: an embedding %q", block, res.Table.Embedding.Field)
					}
					names, kinds, rows := readtest.Table(res.Table)
					got := []any{names, initials(kinds), rows, res.Skipped, res.SkipReason, res.Replaced, res.Unparsed}
					want := []any{tt.names, tt.kinds, tt.rows, tt.skipped, tt.reason, tt.replaced, tt.unparsed}
					if d := cmp.Diff(want, got); d != "" {
						t.Fatalf("block %d, threads %d (-want +got):\n%s", block, threads, d)
					}
				}
			}
		})
	}
}

func utf16Text(s string) string {
	b := binary.LittleEndian.AppendUint16(nil, 0xFEFF)
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func TestRead_Embedding(t *testing.T) {
	tests := []struct {
		name    string
		in      []string
		field   string
		vectors [][]float32 // nil: none
		ids     []any
		skipped int
		reason  string
		columns []string
	}{
		{name: "plain", in: []string{`{"id":1,"e":[1,2.5]}`, `{"id":2,"e":[ -3 , 4e1 ]}`}, field: "e",
			vectors: [][]float32{{1, 2.5}, {-3, 40}}, ids: []any{i(1), i(2)}, columns: []string{"id"}},
		{name: "lines without", in: []string{`{"id":1}`, `{"id":2,"e":[0,0]}`, `{"id":3,"e":null}`, `{"id":4,"e":[3,4]}`}, field: "e",
			vectors: [][]float32{nil, {0, 0}, nil, {3, 4}}, ids: []any{i(1), i(2), i(3), i(4)}, columns: []string{"id"}},
		{name: "other lengths and values", in: []string{`{"id":1,"e":[1,2]}`, `{"id":2,"e":[1,2,3]}`, `{"id":3,"e":[1,1e39]}`, `{"id":4,"e":"x"}`, `{"id":5,"e":[1,null]}`, `{"id":6,"e":[]}`, `{"id":7,"e":[5,6]}`},
			field: "e", vectors: [][]float32{{1, 2}, {5, 6}}, ids: []any{i(1), i(7)}, skipped: 5, reason: "line 2: 'e' has 3 numbers instead of 2", columns: []string{"id"}},
		{name: "majority", in: []string{`{"id":1,"e":[1,2]}`, `{"id":2,"e":[1,2,3]}`, `{"id":3,"e":[4,5,6]}`}, field: "e",
			vectors: [][]float32{{1, 2, 3}, {4, 5, 6}}, ids: []any{i(2), i(3)}, skipped: 1, reason: "line 1: 'e' has 2 numbers instead of 3", columns: []string{"id"}},
		{name: "the first of two", in: []string{`{"id":1,"p":[1],"e":[1,2],"f":[3,4]}`}, field: "e", vectors: [][]float32{{1, 2}}, ids: []any{i(1)}, columns: []string{"id", "p", "f"}},
		{name: "a field that was something else at first", in: []string{`{"id":1,"p":"x","e":[1,2]}`, `{"id":2,"p":[5,6,7],"e":[3,4]}`}, field: "e",
			vectors: [][]float32{{1, 2}, {3, 4}}, ids: []any{i(1), i(2)}, columns: []string{"id", "p"}},
		{name: "a field that is null at first", in: []string{`{"id":1,"p":null,"e":[1,2]}`, `{"id":2,"p":[5,6,7],"e":[3,4]}`}, field: "p",
			vectors: [][]float32{nil, {5, 6, 7}}, ids: []any{i(1), i(2)}, columns: []string{"id", "e"}},
		{name: "late", in: append(repeat(`{"id":0}`, 50), `{"id":1,"e":[1,2]}`), field: "e", vectors: append(make([][]float32, 50), []float32{1, 2}),
			ids: append(repeatAny(i(0), 50), i(1)), columns: []string{"id"}},
		{name: "keys of skipped lines do not count", in: []string{`{"id":1,"e":[1,2]}`, `{"id":2,"e":[1],"x":1}`}, field: "e", vectors: [][]float32{{1, 2}}, ids: []any{i(1)},
			skipped: 1, reason: "line 2: 'e' has 1 numbers instead of 2", columns: []string{"id"}},
		{name: "more than one line of memory", in: []string{`{"id":1,"e":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}`}, field: "e",
			vectors: [][]float32{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}}, ids: []any{i(1)}, columns: []string{"id"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, block := range []int64{blockSize, 1, 9, 30, 100} {
				res, err := read(t.Context(), readtest.Source("a.jsonl", strings.Join(tt.in, "\n")), input.Options{Threads: 2}.WithDefaults(), block)
				if err != nil {
					t.Fatalf("block %d: %v", block, err)
				}
				names, _, _ := readtest.Table(res.Table)
				got := []any{names, readtest.Values(res.Table.Columns[0]), res.Skipped, res.SkipReason}
				if d := cmp.Diff([]any{tt.columns, tt.ids, tt.skipped, tt.reason}, got); d != "" {
					t.Fatalf("block %d (-want +got):\n%s", block, d)
				}
				check(t, res.Table, tt.field, tt.vectors)
			}
		})
	}
}

func repeat(s string, n int) []string { return strings.Split(strings.Repeat(s+"\n", n-1)+s, "\n") }

func repeatAny(v any, n int) (out []any) {
	for range n {
		out = append(out, v)
	}
	return out
}

func check(t *testing.T, table *col.Table, field string, want [][]float32) {
	t.Helper()
	e := table.Embedding
	if e == nil || e.Field != field {
		t.Fatalf("embedding %v, want %q", e, field)
	}
	all := true
	for i, v := range want {
		all = all && v != nil
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		var inv float32
		if sum > 0 {
			inv = float32(1 / math.Sqrt(sum))
		}
		if v == nil {
			v = make([]float32, e.Dim)
		}
		if d := cmp.Diff(v, e.Row(i)); d != "" || e.Inv[i] != inv || e.Has.Get(i) != (want[i] != nil) {
			t.Errorf("row %d: %v, 1/norm %v, present %v, want %v, %v, %v", i, e.Row(i), e.Inv[i], e.Has.Get(i), v, inv, want[i] != nil)
		}
		for _, x := range e.Data[i*e.Stride+e.Dim : (i+1)*e.Stride] {
			if x != 0 {
				t.Errorf("row %d is not filled up with zeros", i)
			}
		}
	}
	if (e.Has == nil) != all || e.Stride%16 != 0 || len(e.Data) != table.Rows*e.Stride || len(e.Inv) != table.Rows {
		t.Errorf("has %v, stride %d, %d numbers", e.Has, e.Stride, len(e.Data))
	}
}

func TestRead_Refusals(t *testing.T) {
	tests := []struct {
		name, in string
		types    map[string]string
		want     string
	}{
		{"empty", "", nil, "'a.jsonl' is empty."},
		{"mark only", "\xEF\xBB\xBF", nil, "'a.jsonl' is empty."},
		{"blank", " \n\r\n", nil, "'a.jsonl' is empty."},
		{"an array", "[\n{\"a\":1}]\n", nil, "'a.jsonl' has no line that can be read as an object; line 1: an object '{…}' expected at byte 1."},
		{"broken", "\n{\"a\":1,}\nx\n", nil, "'a.jsonl' has no line that can be read as an object; line 2: a key in double quotes expected at byte 8."},
		{"no fields", "{}\n{ }\n", nil, "no line of 'a.jsonl' has a field."},
		{"unknown column", `{"price":1}`, map[string]string{"prise": "number"}, "types names the column 'prise', which the file does not have; did you mean 'price'?"},
		{"unknown kind", `{"price":1}`, map[string]string{"price": "float"}, "types asks for 'float' in column 'price'; it takes number, category, date, string or text."},
		{"long key", "{}\n{\"" + strings.Repeat("k", 1025) + "\":1}", nil, "line 2 of 'a.jsonl' has a key of 1025 bytes; Vectro takes up to 1,024."},
		{"long line", "{\"a\":1}\n{\"a\":\"" + strings.Repeat("k", input.MaxRecord) + "\"}\n", nil, "line 2 of 'a.jsonl' is longer than 64 MiB, the most that Vectro reads."},
		{"many keys", manyKeys(input.MaxColumns + 1), nil, "the lines of 'a.jsonl' have 16385 different keys; Vectro reads up to 16,384 columns."},
		{"many keys over lines", newKeys(200), nil, "line 164 of 'a.jsonl' brings the 16386-th different key; Vectro reads up to 16,384 columns."},
		{"far too many keys", manyKeys(40_000), nil, "line 1 of 'a.jsonl' brings the 32770-th different key; Vectro reads up to 16,384 columns."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, block := range []int64{blockSize, 5} {
				if len(tt.in) > 10_000 && block < blockSize {
					continue
				}
				opt := input.Options{Types: tt.types, Threads: 2}
				_, err := read(t.Context(), readtest.Source("a.jsonl", tt.in), opt.WithDefaults(), block)
				var mistake *input.Error
				if !errors.As(err, &mistake) || err.Error() != tt.want {
					t.Errorf("block %d: error %v, want %s", block, err, tt.want)
				}
			}
		})
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, `,"k%d":1`, k)
	}
	return "{" + b.String()[1:] + "}"
}

// newKeys has 100 keys a line that no other line has.
func newKeys(lines int) string {
	var b strings.Builder
	for i := range lines {
		b.WriteString(strings.ReplaceAll(manyKeys(100), "k", fmt.Sprintf("k%d_", i)) + "\n")
	}
	return b.String()
}

func TestRead_AtTheLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("records of 64 MiB are read by the run without -short")
	}
	in := "{\"a\":\"" + strings.Repeat("k", input.MaxRecord-8) + "\"}\n{\"a\":\"x\"}"
	res, err := read(t.Context(), readtest.Source("a.jsonl", in), input.Options{Threads: 1}.WithDefaults(), 1<<20)
	if err != nil || res.Table.Rows != 2 {
		t.Errorf("%v, %v", res, err)
	}
	res, err = Read(t.Context(), readtest.Source("a.jsonl", manyKeys(input.MaxColumns-1)+"\n"+`{"`+strings.Repeat("k", 1024)+`":1}`), input.Options{})
	if err != nil || res.Table.Rows != 2 || len(res.Table.Columns) != input.MaxColumns {
		t.Errorf("%v, %v", res, err)
	}
}

// Every fault is told with its place.
func TestObject_Faults(t *testing.T) {
	tests := []struct{ in, want string }{
		{``, "an object '{…}' expected at 0"},
		{`x`, "an object '{…}' expected at 0"},
		{`{`, "a key in double quotes expected at 1"},
		{`{"a`, "a string is not closed at 3"},
		{`{"a"`, "':' expected after a key at 4"},
		{`{"a" 1}`, "':' expected after a key at 5"},
		{`{"a":`, "a value expected at 5"},
		{`{"a":}`, "a value expected at 5"},
		{`{"a":1`, "',' or '}' expected after a value at 6"},
		{`{"a":1 2}`, "',' or '}' expected after a value at 7"},
		{`{"a":1,}`, "a key in double quotes expected at 7"},
		{`{"a":1}}`, "something follows the object at 7"},
		{`{"a":1} {"b":2}`, "something follows the object at 8"},
		{`{"a":01}`, "',' or '}' expected after a value at 6"},
		{`{"a":-}`, "a digit expected at 6"},
		{`{"a":+1}`, "a value expected at 5"},
		{`{"a":1.}`, "a digit expected at 7"},
		{`{"a":1e}`, "a digit expected at 7"},
		{`{"a":.5}`, "a value expected at 5"},
		{`{"a":NaN}`, "a value expected at 5"},
		{`{"a":Infinity}`, "a value expected at 5"},
		{`{"a":nul}`, "a value expected at 5"},
		{`{"a":truex}`, "',' or '}' expected after a value at 9"},
		{`{'a':1}`, "a key in double quotes expected at 1"},
		{"{\"a\":\"x\ty\"}", "a control character in a string at 7"},
		{"{\"a\":\"x\x00y\"}", "a control character in a string at 7"},
		{`{"a":"\x"}`, "an unknown escape in a string at 6"},
		{`{"a":"\u00G0"}`, "four hexadecimal digits expected after \\u at 6"},
		{`{"a":"\u+123"}`, "four hexadecimal digits expected after \\u at 6"},
		{`{"a":"\u00`, "four hexadecimal digits expected after \\u at 6"},
		{`{"a":"\`, "an unknown escape in a string at 6"},
		{`{"a":[1,]}`, "a value expected at 8"},
		{`{"a":[,1]}`, "a value expected at 6"},
		{`{"a":[1 2]}`, "',' or an end expected after a nested value at 8"},
		{`{"a":[1}}`, "',' or an end expected after a nested value at 7"},
		{`{"a":{"b"]}`, "':' expected after a key at 9"},
		{`{"a":{"b":1]}`, "',' or an end expected after a nested value at 11"},
		{`{"a":{"b":1,}}`, "a key in double quotes expected at 12"},
		{`{"a":{]}`, "a key in double quotes expected at 6"},
		{`{"a":[}`, "a value expected at 6"},
		{`{"a":[[]`, "',' or an end expected after a nested value at 8"},
		{`{"a":["\q"]}`, "an unknown escape in a string at 7"},
		{`{"a":{1:2}}`, "a key in double quotes expected at 6"},
	}
	for _, tt := range tests {
		s := scanner{data: []byte(tt.in)}
		got := "nothing"
		if f := s.object(0, len(tt.in)); f != nil {
			got = fmt.Sprintf("%s at %d", f.what, f.at)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, got, tt.want)
		}
		if json.Valid([]byte(tt.in)) && tt.in[0] == '{' {
			t.Errorf("%s is valid", tt.in)
		}
	}
}

func big(rows int) string {
	var b strings.Builder
	for i := range rows {
		fmt.Fprintf(&b, `{"id":%d,"day":"2024-%02d-%02d","region":"%s","price":%d.%02d,"note":"note, \"%d\"","e":[%d,0.25,-1.5]}`+"\n",
			i, i%12+1, i%28+1, []string{"EU", "US", "APAC"}[i%3], i%1000, i%100, i, i%7)
	}
	return b.String()
}

func TestRead_Cancelled(t *testing.T) {
	stopped, stop := context.WithCancelCause(t.Context())
	before := errors.New("before it began")
	stop(before)
	if _, err := Read(stopped, readtest.Source("a.jsonl", newKeys(5)), input.Options{}); !errors.Is(err, before) {
		t.Errorf("within the first block: error %v, want the cause", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	opt := input.Options{Threads: 2, Progress: func(done, total int64) { cancel(cause) }}
	if _, err := read(ctx, readtest.Source("a.jsonl", big(20_000)), opt.WithDefaults(), 1<<16); !errors.Is(err, cause) {
		t.Errorf("error %v, want the cause", err)
	}
}

func TestRead_Progress(t *testing.T) {
	in := big(5000)
	var last int64
	opt := input.Options{Threads: 2, Progress: func(done, total int64) {
		if done < last || done > total || total != int64(len(in)) {
			t.Errorf("done %d after %d of %d", done, last, total)
		}
		last = done
	}}
	if _, err := read(t.Context(), readtest.Source("a.jsonl", in), opt.WithDefaults(), 1<<14); err != nil {
		t.Fatal(err)
	}
	if last != int64(len(in)) {
		t.Errorf("the last call was at %d of %d", last, len(in))
	}
}

func TestRead_Memory(t *testing.T) {
	in := big(50_000)
	budget := mem.NewBudget(1 << 40)
	opt := input.Options{Threads: 2, Lease: &mem.Lease{Budget: budget}}
	res, err := Read(t.Context(), readtest.Source("a.jsonl", in), opt)
	if err != nil {
		t.Fatal(err)
	}
	if got := budget.Used(); got != res.Table.Bytes() || got != opt.Lease.Held() {
		t.Errorf("%d bytes taken, %d leased, for a table of %d", got, opt.Lease.Held(), res.Table.Bytes())
	}
	for _, limit := range []int64{1 << 10, 1 << 20, res.Table.Bytes()} {
		budget := mem.NewBudget(limit)
		lease := &mem.Lease{Budget: budget}
		_, err := Read(t.Context(), readtest.Source("a.jsonl", in), input.Options{Threads: 2, Lease: lease})
		var exceeded *mem.ExceededError
		if !errors.As(err, &exceeded) {
			t.Errorf("limit %d: error %v", limit, err)
		}
		lease.Close()
		if got := budget.Used(); got != 0 {
			t.Errorf("limit %d: %d bytes stay taken after an error", limit, got)
		}
	}
}

// A line of two bytes stands for as many values as there are keys: that must not
// take memory before it is accounted for.
func TestRead_MemoryOfShortLines(t *testing.T) {
	in := manyKeys(4096) + "\n" + strings.Repeat("{}\n", 100_000)
	lease := &mem.Lease{Budget: mem.NewBudget(64 << 20)}
	defer lease.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(t.Context(), readtest.Source("a.jsonl", in), input.Options{Threads: 1, Lease: lease})
	runtime.ReadMemStats(&after)
	var exceeded *mem.ExceededError
	if !errors.As(err, &exceeded) {
		t.Errorf("error %v", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<30 {
		t.Errorf("%d bytes were allocated under a limit of 64 MiB", got)
	}
}

func TestRead_FileShrinks(t *testing.T) {
	in := big(1000)
	src := readtest.Source("a.jsonl", in)
	src.R = bytes.NewReader([]byte(in[:len(in)/2]))
	_, err := Read(t.Context(), src, input.Options{})
	if err == nil || err.Error() != "'a.jsonl' became shorter while it was read; load it again when it is complete." {
		t.Errorf("error %v", err)
	}
}

func BenchmarkRead(b *testing.B) {
	in := big(50_000)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(b.Context(), readtest.Source("a.jsonl", in), input.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
