package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/readtest"
)

// drawValue draws a value of a kind and one way to write it.
func drawValue(t *rapid.T, kind byte) (text string, want any) {
	switch kind {
	case 'n':
		v := rapid.Int64().Draw(t, "int")
		return strconv.FormatInt(v, 10), v
	case 'f':
		v := rapid.Float64().Draw(t, "float")
		return strconv.FormatFloat(v, 'e', -1, 64), v
	case 'b':
		v := strconv.FormatBool(rapid.Bool().Draw(t, "bool"))
		return v, v
	case 'd':
		v := string(dates.Append(nil, rapid.Int64Range(dates.MinDay, dates.MaxDay).Draw(t, "day"), col.Day, true, false))
		return `"` + v + `"`, v
	case 'x':
		v := rapid.SampledFrom([]string{`{}`, `[[]]`, `{"a":[1,null,"] }"],"b":{"c":-1.5e3}}`, `["a b"]`}).Draw(t, "nested")
		return space(t, v), v
	}
	v := "L" + rapid.String().Draw(t, "label")
	return quoted(t, v), v
}

// quoted writes a string, each character in one of the ways that JSON has.
func quoted(t *rapid.T, s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r > 0xFFFF && rapid.Bool().Draw(t, "pair"):
			fmt.Fprintf(&b, "\\u%04x\\u%04X", 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
		case r <= 0xFFFF && rapid.IntRange(0, 3).Draw(t, "escape") == 0:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			text, _ := json.Marshal(string(r))
			b.Write(text[1 : len(text)-1])
		}
	}
	b.WriteByte('"')
	return b.String()
}

// space puts blanks around the tokens of a nested value that has none.
func space(t *rapid.T, s string) string {
	blank := func() string { return rapid.SampledFrom([]string{"", " ", "\t "}).Draw(t, "blank") }
	var b strings.Builder
	in := false
	for _, r := range s {
		if r == '"' {
			in = !in
		}
		if !in && strings.ContainsRune("[]{},:", r) {
			b.WriteString(blank() + string(r) + blank())
			continue
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

func TestRead_RandomTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 6).Draw(t, "columns")
		rows := rapid.IntRange(1, 40).Draw(t, "rows")
		dim := rapid.IntRange(2, 20).Draw(t, "dim")
		withVectors := rapid.Bool().Draw(t, "embedding")
		kinds := make([]byte, width)
		names := make([]string, width)
		for c := range kinds {
			kinds[c] = rapid.SampledFrom([]byte("nfcbdx")).Draw(t, "kind")
			names[c] = fmt.Sprintf("name %d\\\"é", c)
		}
		want := make([][]any, rows)
		vectors := make([][]float32, rows)
		skipped := 0
		var b strings.Builder
		for r := range rows {
			if rapid.IntRange(0, 9).Draw(t, "interlude") == 0 {
				line := rapid.SampledFrom([]string{"", "  ", "[]", `{"name 0":}`, "x"}).Draw(t, "line")
				if strings.TrimSpace(line) != "" {
					skipped++
				}
				b.WriteString(line + "\n")
			}
			b.WriteString(" {")
			comma := ""
			order := make([]int, width)
			for i := range order {
				order[i] = i
			}
			if r > 0 { // the first line has every column, in order
				order = rapid.Permutation(order).Draw(t, "order")
			}
			want[r] = make([]any, width)
			for _, c := range order {
				text := "null"
				missing := 0
				if r > 0 {
					missing = rapid.IntRange(0, 5).Draw(t, "missing")
				}
				switch missing {
				case 1:
					continue
				case 2:
				default:
					text, want[r][c] = drawValue(t, kinds[c])
				}
				b.WriteString(comma + quoted(t, names[c]) + " :" + text)
				comma = rapid.SampledFrom([]string{",", " , "}).Draw(t, "comma")
			}
			if withVectors && (r == 0 || rapid.IntRange(0, 3).Draw(t, "vector") > 0) {
				v := make([]float32, dim)
				parts := make([]string, dim)
				for i := range v {
					v[i] = rapid.Float32Range(-100, 100).Draw(t, "x")
					parts[i] = strconv.FormatFloat(float64(v[i]), rapid.SampledFrom([]byte("fe")).Draw(t, "format"), -1, 64)
				}
				vectors[r] = v
				b.WriteString(comma + `"vec":` + space(t, "["+strings.Join(parts, ",")+"]"))
			}
			b.WriteString("}" + rapid.SampledFrom([]string{"\n", "\r\n", " \n"}).Draw(t, "end"))
		}
		in := b.String()
		// The columns in the form in which they come back.
		wantKinds := make([]byte, width)
		for c, k := range kinds {
			wantKinds[c] = map[byte]byte{'n': 'n', 'f': 'n', 'c': 'c', 'b': 'b', 'd': 'd', 'x': 'c'}[k]
		}
		var first *col.Table
		for _, block := range []int64{blockSize, 1, rapid.Int64Range(2, 60).Draw(t, "block"), 300} {
			opt := input.Options{Threads: rapid.IntRange(1, 4).Draw(t, "threads")}
			res, err := read(t.Context(), readtest.Source("a.jsonl", in), opt.WithDefaults(), block)
			if err != nil {
				t.Fatalf("%q: %v", in, err)
			}
			gotNames, gotKinds, got := readtest.Table(res.Table)
			if d := cmp.Diff([]any{names, string(wantKinds), want, skipped}, []any{gotNames, initials(gotKinds), got, res.Skipped}); d != "" {
				t.Fatalf("%q with blocks of %d (-want +got):\n%s", in, block, d)
			}
			if withVectors {
				for r, v := range vectors {
					if res.Table.Embedding.Has.Get(r) != (v != nil) || v != nil && !cmp.Equal(v, res.Table.Embedding.Row(r)) {
						t.Fatalf("%q: row %d has the vector %v, want %v", in, r, res.Table.Embedding.Row(r), v)
					}
				}
			}
			if first == nil {
				first = res.Table
			}
			same(t, first, res.Table)
		}
	})
}

// same fails unless a and b are stored alike, codes and all.
func same(t interface{ Fatalf(string, ...any) }, a, b *col.Table) {
	for c := range a.Columns {
		x, y := a.Columns[c], b.Columns[c]
		if d := cmp.Diff(x.Chunks, y.Chunks) + cmp.Diff(x.Field, y.Field); d != "" {
			t.Fatalf("%s is stored in two ways:\n%s", x.Name, d)
		}
		if (x.Dict == nil) != (y.Dict == nil) || x.Dict != nil && x.Dict.Len() != y.Dict.Len() {
			t.Fatalf("%s has two dictionaries", x.Name)
		}
		for code := 0; x.Dict != nil && code < x.Dict.Len(); code++ {
			if x.Dict.Label(uint32(code)) != y.Dict.Label(uint32(code)) {
				t.Fatalf("%s: code %d has two labels", x.Name, code)
			}
		}
	}
	if d := cmp.Diff(a.Embedding, b.Embedding); d != "" {
		t.Fatalf("the embedding is stored in two ways:\n%s", d)
	}
}

var seeds = []string{
	`{"a":1,"b":"x"}` + "\n" + `{"a":2.5,"b":null,"c":[1,2]}`, "\xEF\xBB\xBF{}\n{\"\":[[]]}", `{"e":[1,2]}` + "\n" + `{"e":[1,1e39]}`,
	`{"a":"\ud83d\ude00\u00ff"}`, `{"a":9007199254740993}` + "\r\n" + `{"a":1e999}`, `{"a":"2024-01-01"}` + "\n[" + "\n" + `{"a":true}`,
	"\xFF\xFE{\x00}\x00", "{\"a\":\"\xFF\"}",
}

func FuzzRead(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), byte(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, block byte) {
		if len(data) > 2000 {
			return // blocks of a few bytes are for small files
		}
		var want *input.Result
		var wantErr error
		for i, size := range []int64{blockSize, int64(block) + 1} {
			res, err := read(t.Context(), readtest.Source("a.jsonl", string(data)), input.Options{Threads: 2}.WithDefaults(), size)
			if i == 0 {
				want, wantErr = res, err
				if err == nil {
					readtest.Table(res.Table) // checks its form
				}
				continue
			}
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("blocks of %d: error %v, want %v", size, err, wantErr)
			}
			if err != nil {
				continue
			}
			a, b := *want, *res
			same(t, a.Table, b.Table)
			a.Table, b.Table = nil, nil
			if d := cmp.Diff(a, b); d != "" {
				t.Fatalf("blocks of %d:\n%s", size, d)
			}
		}
	})
}

// The scanner and encoding/json agree about what is JSON, and about strings.
func FuzzObject(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := scanner{data: data}
		fault := s.object(0, len(data))
		text := strings.TrimLeft(string(data), " \t\r\n")
		// encoding/json counts depth, and takes no more than 10,000 levels.
		if valid := json.Valid(data) && strings.HasPrefix(text, "{"); valid != (fault == nil) && strings.Count(text, "[")+strings.Count(text, "{") < 10_000 {
			t.Fatalf("%q: fault %v, but valid is %v", data, fault, valid)
		}
		if fault != nil || !utf8.Valid(data) {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		batch := column.Batch{Data: s.data, Arena: s.arena}
		for _, fld := range s.out {
			got[string(s.bytes(fld.key))] = string(batch.Bytes(fld.value))
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d keys, want %d", data, len(got), len(want))
		}
		for k, text := range got {
			raw, ok := want[k]
			if !ok {
				t.Fatalf("%q: key %q", data, k)
			}
			var value string
			if raw[0] == '"' {
				if err := json.Unmarshal(raw, &value); err != nil {
					t.Fatal(err)
				}
			} else {
				var b bytes.Buffer
				if err := json.Compact(&b, raw); err != nil {
					t.Fatal(err)
				}
				value = b.String()
			}
			if text != value {
				t.Fatalf("%q: value %q, want %q", data, text, value)
			}
		}
		if len(s.arena) > len(data) {
			t.Fatalf("%q takes %d bytes of the arena", data, len(s.arena))
		}
	})
}
