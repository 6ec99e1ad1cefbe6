package csv

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/readtest"
)

// cell is a value and one way to write it.
type cell struct {
	text string
	want any
}

// drawColumn draws a column of one kind; nil values are missing.
func drawColumn(t *rapid.T, rows int, semicolon bool) (kind byte, cells []cell) {
	kind = rapid.SampledFrom([]byte("nfcbd")).Draw(t, "kind")
	missing := []string{""}
	if strings.IndexByte("nfd", kind) >= 0 {
		missing = append(missing, "NA", "NULL", " - ", "nan")
	}
	comma := semicolon && rapid.Bool().Draw(t, "decimal comma")
	for r := range rows {
		var c cell
		switch kind {
		case 'n':
			v := rapid.Int64().Draw(t, "int")
			c = cell{strconv.FormatInt(v, 10), v}
		case 'f':
			v := rapid.Float64Range(-1e12, 1e12).Draw(t, "float") + 0.1
			format := rapid.SampledFrom([]byte("fe")).Draw(t, "format")
			c = cell{strconv.FormatFloat(v, format, -1, 64), v}
			if !strings.Contains(c.text, ".") && format == 'f' {
				c.text += ".0"
			}
			if comma {
				// Four decimals at least: 1,234 alone would be told by its file only.
				c.text = strings.Replace(strconv.FormatFloat(v, 'f', 4, 64), ".", ",", 1)
				c.want, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', 4, 64), 64)
			}
		case 'c':
			v := "L" + rapid.StringOf(rapid.SampledFrom([]rune("ab \"',;|\t\n\r\\ü😀"))).Draw(t, "label")
			c = cell{v, v}
		case 'b':
			v := rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
			c = cell{rapid.SampledFrom([]string{v, strings.ToUpper(v), strings.ToTitle(v[:1]) + v[1:]}).Draw(t, "case"), v}
		case 'd':
			day := rapid.Int64Range(dates.MinDay, dates.MaxDay).Draw(t, "day")
			v := string(dates.Append(nil, day, col.Day, true, false))
			c = cell{v, v}
		}
		// The first row is present, so that the kind is the drawn one.
		if r > 0 && rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
			c = cell{rapid.SampledFrom(missing).Draw(t, "word"), nil}
		}
		cells = append(cells, c)
	}
	return kind, cells
}

// write adds a field in one of the ways that the syntax allows.
func write(t *rapid.T, b *strings.Builder, text string, delim byte, alone bool) {
	quote := strings.ContainsAny(text, "\n\r,;\t|") || strings.HasPrefix(text, `"`) || alone && text == ""
	if quote || rapid.Bool().Draw(t, "quote") {
		b.WriteString(`"` + strings.ReplaceAll(text, `"`, `""`) + `"`)
		return
	}
	b.WriteString(text)
}

func TestRead_RandomTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tabs := rapid.Bool().Draw(t, "tabs")
		delim := byte('\t')
		if !tabs {
			delim = rapid.SampledFrom([]byte(",;\t|")).Draw(t, "delimiter")
		}
		newline := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end")
		width := rapid.IntRange(1, 5).Draw(t, "columns")
		rows := rapid.IntRange(1, 40).Draw(t, "rows")
		names, kinds := make([]string, width), make([]byte, width)
		cols := make([][]cell, width)
		want := make([][]any, rows)
		for c := range cols {
			names[c] = fmt.Sprintf("name %d", c)
			kinds[c], cols[c] = drawColumn(t, rows, delim == ';' && width > 1)
			for r, v := range cols[c] {
				if s, ok := v.want.(string); ok && newline == "\r" && kinds[c] == 'c' {
					// A file with \n in it has no line ends of \r.
					v.text = strings.ReplaceAll(s, "\n", " ")
					v.want = v.text
					cols[c][r] = v
				}
				want[r] = append(want[r], v.want)
			}
			if kinds[c] == 'f' {
				kinds[c] = 'n'
			}
		}
		var b strings.Builder
		b.WriteString(rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(t, "mark"))
		for c, name := range names {
			if c > 0 {
				b.WriteByte(delim)
			}
			write(t, &b, name, delim, width == 1)
		}
		for r := range rows {
			b.WriteString(newline)
			if rapid.IntRange(0, 9).Draw(t, "blank line") == 0 {
				b.WriteString(newline)
			}
			for c := range cols {
				if c > 0 {
					b.WriteByte(delim)
				}
				write(t, &b, cols[c][r].text, delim, width == 1)
			}
		}
		if rapid.Bool().Draw(t, "end") {
			b.WriteString(newline)
		}
		in := b.String()

		var first *col.Table
		for _, block := range []int64{0, 1, rapid.Int64Range(2, 60).Draw(t, "block"), 200} {
			opt := input.Options{Threads: rapid.IntRange(1, 4).Draw(t, "threads")}
			res, err := read(t.Context(), readtest.Source("a.csv", in), tabs, opt.WithDefaults(), block)
			if err != nil {
				t.Fatalf("%q: %v", in, err)
			}
			gotNames, gotKinds, got := readtest.Table(res.Table)
			if d := cmp.Diff([]any{names, string(kinds), want, 0}, []any{gotNames, initials(gotKinds), got, res.Ragged}); d != "" {
				t.Fatalf("%q with blocks of %d (-want +got):\n%s", in, block, d)
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
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"a,b\n1,x\n2,\"y\"\"\"\n", "a;b\r\n1,5;01.02.2024\r\n", "x\ty\n\"\n\t", "\xEF\xBB\xBFa\n\xFF", "\xFF\xFEa\x00\n\x00\x00\xD8",
		"a\r1\r2", "a,a,\n13/12/2024,12/13/2024\n", "a\n9223372036854775808\n-1e999\n", "\"a", "a\"b,c\n\"d\"e\"f,\n\n\"\"",
		"t\n2024-02-10T12:30:00.123456789Z\n9999-12-31\n",
	} {
		f.Add([]byte(s), false, byte(3))
		f.Add([]byte(s), true, byte(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, tabs bool, block byte) {
		if len(data) > 2000 {
			return // blocks of a few bytes are for small files
		}
		var want *input.Result
		var wantErr error
		for i, size := range []int64{0, int64(block) + 1} {
			res, err := read(t.Context(), readtest.Source("a.csv", string(data)), tabs, input.Options{Threads: 2}.WithDefaults(), size)
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
