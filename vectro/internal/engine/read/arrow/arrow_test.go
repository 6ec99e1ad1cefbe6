package arrow

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	goarrow "github.com/apache/arrow-go/v18/arrow"
	goarray "github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/endian"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// made is a column of a file that a test writes, a JSON array of values a batch.
type made struct {
	name  string
	typ   goarrow.DataType
	batch []string
}

// stream writes columns as a stream.
func stream(t testing.TB, columns ...made) []byte {
	t.Helper()
	fields := make([]goarrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = goarrow.Field{Name: c.name, Type: c.typ, Nullable: true}
	}
	schema := goarrow.NewSchema(fields, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema), ipc.WithDictionaryDeltas(false))
	for b := range columns[0].batch {
		arrays := make([]goarrow.Array, len(columns))
		for i, c := range columns {
			a, _, err := goarray.FromJSON(memory.DefaultAllocator, c.typ, strings.NewReader(c.batch[b]))
			if err != nil {
				t.Fatal(err)
			}
			arrays[i] = a
		}
		if err := w.Write(goarray.NewRecordBatch(schema, arrays, int64(arrays[0].Len()))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func mustLoad(t testing.TB, content []byte, types map[string]string) *input.Result {
	t.Helper()
	res, err := load(t, content, types)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func wantError(t *testing.T, content []byte, types map[string]string, want string) {
	t.Helper()
	_, err := load(t, content, types)
	if err == nil || err.Error() != want {
		t.Errorf("error = %v\nwant    %s", err, want)
	}
}

var (
	ints    = goarrow.PrimitiveTypes.Int64
	strs    = goarrow.BinaryTypes.String
	stamps  = &goarrow.TimestampType{Unit: goarrow.Microsecond, TimeZone: "UTC"}
	floats2 = goarrow.ListOf(goarrow.PrimitiveTypes.Float32)
)

func TestRead_KindsAskedFor(t *testing.T) {
	dec := &goarrow.Decimal128Type{Precision: 10, Scale: 2}
	tests := []struct {
		name   string
		typ    goarrow.DataType
		values string
		kind   string
		want   shown
		lost   int
	}{
		{"int as category", ints, `[1, null, -2]`, "category", shown{Kind: "category", Cells: []any{"1", nil, "-2"}}, 0},
		{"int as text", ints, `[1, null, -2]`, "string", shown{Kind: "text", Cells: []any{"1", nil, "-2"}}, 0},
		{"int as number", ints, `[1, null, -2]`, "number", shown{Kind: "number", Cells: []any{int64(1), nil, int64(-2)}}, 0},
		{"uint64 as category", goarrow.PrimitiveTypes.Uint64, `[18446744073709551615]`, "category", shown{Kind: "category", Cells: []any{"18446744073709551615"}}, 0},
		{"float as category", goarrow.PrimitiveTypes.Float64, `[0.1, 1e21, 1e-9, -0.0, 3]`, "category", shown{Kind: "category", Cells: []any{"0.1", "1e+21", "1e-09", "0", "3"}}, 0},
		{"float32 as text", goarrow.PrimitiveTypes.Float32, `[0.1]`, "text", shown{Kind: "text", Cells: []any{"0.1"}}, 0},
		{"decimal as category", dec, `["12.30", "-0.05"]`, "category", shown{Kind: "category", Cells: []any{"12.30", "-0.05"}}, 0},
		{"time as text", goarrow.FixedWidthTypes.Time32ms, `["00:01:00.5"]`, "text", shown{Kind: "text", Cells: []any{"60.500"}}, 0},
		{"bool as category", goarrow.FixedWidthTypes.Boolean, `[true, false]`, "category", shown{Kind: "category", Bool: true, Cells: []any{"true", "false"}}, 0},
		{"date as category", goarrow.FixedWidthTypes.Date32, `["2024-02-29"]`, "category", shown{Kind: "category", Cells: []any{"2024-02-29"}}, 0},
		{"timestamp as text", stamps, `["2024-02-29T10:00:00Z"]`, "text", shown{Kind: "text", Cells: []any{"2024-02-29T10:00:00Z"}}, 0},
		{"date as date", goarrow.FixedWidthTypes.Date32, `["2024-02-29"]`, "date", shown{Kind: "date", Cells: []any{"2024-02-29"}}, 0},
		{"string as text", strs, `["a", null, ""]`, "text", shown{Kind: "text", Cells: []any{"a", nil, ""}}, 0},
		{"string as number", strs, `["1", "2.5", "x", null, ""]`, "number", shown{Kind: "number", Cells: []any{1.0, 2.5, nil, nil, nil}}, 1},
		{"string as whole number", strs, `["1", "-9007199254740993"]`, "number", shown{Kind: "number", Cells: []any{int64(1), int64(-9007199254740993)}}, 0},
		{"string as date", strs, `["2024-02-29", "yesterday", null]`, "date", shown{Kind: "date", Cells: []any{"2024-02-29", nil, nil}}, 1},
		{"string as date, day first", strs, `["01/02/2024", "31/01/2024"]`, "date", shown{Kind: "date", Cells: []any{"2024-02-01", "2024-01-31"}}, 0},
		{"dictionary as number", &goarrow.DictionaryType{IndexType: goarrow.PrimitiveTypes.Int8, ValueType: strs}, `["7", "8", "7"]`, "number", shown{Kind: "number", Cells: []any{int64(7), int64(8), int64(7)}}, 0},
		{"dictionary as text", &goarrow.DictionaryType{IndexType: goarrow.PrimitiveTypes.Int8, ValueType: strs}, `["b", "a", "b"]`, "text", shown{Kind: "text", Cells: []any{"b", "a", "b"}}, 0},
		{"null as date", goarrow.Null, `[null]`, "date", shown{Kind: "date", Cells: []any{nil}}, 0},
		{"null as category", goarrow.Null, `[null]`, "category", shown{Kind: "category", Cells: []any{nil}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := mustLoad(t, stream(t, made{"x", tt.typ, []string{tt.values}}), map[string]string{"x": tt.kind})
			tt.want.Name = "x"
			if d := cmp.Diff(tt.want, show(res.Table.Columns[0])); d != "" {
				t.Errorf("column (-want +got):\n%s", d)
			}
			if got := res.Unparsed["x"]; got != tt.lost {
				t.Errorf("unparsed = %d, want %d", got, tt.lost)
			}
		})
	}
}

func TestRead_KindsRefused(t *testing.T) {
	content := stream(t, made{"day", goarrow.FixedWidthTypes.Date32, []string{`["2024-01-01"]`}}, made{"n", ints, []string{`[1]`}},
		made{"ok", goarrow.FixedWidthTypes.Boolean, []string{`[true]`}})
	wantError(t, content, map[string]string{"day": "number"},
		"types asks for number in column 'day', which the file stores as date32; leave it out of types, or take category or text.")
	wantError(t, content, map[string]string{"n": "date"},
		"types asks for date in column 'n', which the file stores as int64; leave it out of types, or take category or text.")
	wantError(t, content, map[string]string{"ok": "number"},
		"types asks for number in column 'ok', which the file stores as bool; leave it out of types, or take category or text.")
	wantError(t, content, map[string]string{"dax": "date"},
		"types names the column 'dax', which the file does not have; did you mean 'day'?")
}

// What the file has but does not become a column of another kind is named as what it is.
func TestRead_KindsOfWhatIsNoColumn(t *testing.T) {
	inner := goarrow.StructOf(goarrow.Field{Name: "x", Type: ints}, goarrow.Field{Name: "y", Type: ints})
	content := stream(t, made{"n", ints, []string{`[1]`}}, made{"raw", goarrow.BinaryTypes.Binary, []string{`["AAA="]`}},
		made{"v", goarrow.FixedSizeListOf(2, goarrow.PrimitiveTypes.Float32), []string{`[[1,2]]`}}, made{"in", inner, []string{`[{"x":1,"y":2}]`}})
	wantError(t, content, map[string]string{"raw": "category"}, "types names the column 'raw', which is not loaded: column 'raw' is a binary; Vectro reads no binary data.")
	wantError(t, content, map[string]string{"V": "number"}, "types names the column 'V', which is fixed_size_list<float32>: it becomes the embedding or is left out, and takes no other kind.")
	wantError(t, content, map[string]string{"in": "number"}, "types names the column 'in', which is a struct; its fields are columns: 'in.x', 'in.y'.")
}

// TestRead_OldStreams reads what writers before Arrow 0.15 and 1.0 made of the same
// table: messages without the marker, and metadata of version 4.
func TestRead_OldStreams(t *testing.T) {
	content := sample(t, "", false)
	var old []byte
	for _, m := range messagesOf(content) {
		meta := bytes.Clone(content[m.start:m.end])
		f := &flat{b: meta}
		root := f.root()
		body := int(root.i64(3, 0))
		binary.LittleEndian.PutUint16(meta[root.slot(0):], oldVersion)
		old = binary.LittleEndian.AppendUint32(old, uint32(len(meta)))
		old = append(append(old, meta...), content[m.end:m.end+body]...)
	}
	want := mustLoad(t, content, nil)
	for name, content := range map[string][]byte{"without an end": old, "with an end": append(bytes.Clone(old), 0, 0, 0, 0)} {
		got := mustLoad(t, content, nil)
		for i, c := range want.Table.Columns {
			if d := cmp.Diff(show(c), show(got.Table.Columns[i])); d != "" {
				t.Errorf("%s: column (-new +old):\n%s", name, d)
			}
		}
	}
	messages := messagesOf(content)
	older := bytes.Clone(content)
	at := messages[1].start
	binary.LittleEndian.PutUint16(older[at+(&flat{b: older[at:]}).root().slot(0):], 2)
	wantError(t, older, nil, "'test.arrow' is damaged: the dictionary block 1 has metadata version V3; Vectro reads V4 and V5.")
}

func TestRead_NotArrow(t *testing.T) {
	for _, tt := range []struct{ content, want string }{
		{"", "'test.arrow' is empty."},
		{"FEA1\x00\x00\x00\x00 and more", "'test.arrow' is a Feather file of version 1, which Vectro does not read; write it again as version 2 (Arrow IPC)."},
		{"PAR1 and more", "'test.arrow' is not an Arrow file: it begins with neither ARROW1 nor an Arrow message."},
		{"id,name\n1,x\n", "'test.arrow' is not an Arrow file: it begins with neither ARROW1 nor an Arrow message."},
		{"ab", "'test.arrow' is not an Arrow file: it begins with neither ARROW1 nor an Arrow message."},
		{"ARROW1\x00\x00", "'test.arrow' is damaged: it ends after 8 bytes, before its footer."},
		{"\xff\xff\xff\xff\x00\x00\x00\x00", "'test.arrow' is damaged: it has no schema."},
	} {
		wantError(t, []byte(tt.content), nil, tt.want)
	}
}

func TestRead_BigEndian(t *testing.T) {
	var out bytes.Buffer
	schema := goarrow.NewSchemaWithEndian([]goarrow.Field{{Name: "n", Type: ints}}, nil, endian.BigEndian)
	if err := ipc.NewWriter(&out, ipc.WithSchema(schema)).Close(); err != nil {
		t.Fatal(err)
	}
	wantError(t, out.Bytes(), nil, "'test.arrow' cannot be read: the file was written in big-endian byte order; write it again on a little-endian machine.")
}

func TestRead_Names(t *testing.T) {
	pair := goarrow.StructOf(goarrow.Field{Name: "b", Type: ints, Nullable: true}, goarrow.Field{Name: "", Type: ints, Nullable: true},
		goarrow.Field{Name: "in", Type: goarrow.StructOf(goarrow.Field{Name: "x", Type: ints, Nullable: true}), Nullable: true})
	res := mustLoad(t, stream(t, made{"a", ints, []string{`[1]`}}, made{"", ints, []string{`[1]`}}, made{"a", ints, []string{`[1]`}},
		made{"a_2", ints, []string{`[1]`}}, made{"a", ints, []string{`[1]`}}, made{"s", pair, []string{`[{"b":1,"":2,"in":{"x":3}}]`}}), nil)
	var names []string
	for _, c := range res.Table.Columns {
		names = append(names, c.Name)
	}
	if d := cmp.Diff([]string{"a", "column2", "a_3", "a_2", "a_4", "s.b", "s.column2"}, names); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
	want := []input.SkippedColumn{{Name: "s.in", Reason: "column 's.in' is a struct; Vectro reads flat columns"}}
	if d := cmp.Diff(want, res.SkippedColumns); d != "" {
		t.Errorf("skipped (-want +got):\n%s", d)
	}
}

func TestRead_EmbeddingChoice(t *testing.T) {
	id := made{"id", ints, []string{`[1, 2]`}}
	fixed := goarrow.FixedSizeListOf(3, goarrow.PrimitiveTypes.Float64)
	tests := []struct {
		name    string
		columns []made
		field   string // of the embedding, "" for none
		dim     int
		skipped []string
	}{
		{"list", []made{id, {"v", floats2, []string{`[[1,2],[3,4]]`}}}, "v", 2, nil},
		{"fixed, large and after a ragged one", []made{id, {"r", floats2, []string{`[[1,2],[3]]`}}, {"v", fixed, []string{`[[1,2,3],[4,5,6]]`}}}, "v", 3,
			[]string{"column 'r' is a list<float32>; an embedding needs lists of one length, and this has 2 and 1 numbers"}},
		{"only the first", []made{id, {"v", floats2, []string{`[[1,2],null]`}}, {"w", fixed, []string{`[[1,2,3],[4,5,6]]`}}}, "v", 2,
			[]string{"column 'w' is a fixed_size_list<float64>; a table has one embedding, here 'v'"}},
		{"single numbers", []made{id, {"v", floats2, []string{`[[1],[2]]`}}}, "", 0,
			[]string{"column 'v' is a list<float32>; an embedding needs lists of at least 2 numbers, and this has one of 1"}},
		{"no list at all", []made{id, {"v", floats2, []string{`[null,null]`}}}, "", 0,
			[]string{"column 'v' is a list<float32>; none of its lists is present, so there is no embedding"}},
		{"whole numbers", []made{id, {"v", goarrow.ListOf(goarrow.PrimitiveTypes.Int32), []string{`[[1,2],[3,4]]`}}}, "", 0,
			[]string{"column 'v' is a list<int32>; Vectro reads flat columns"}},
		{"in a struct", []made{id, {"s", goarrow.StructOf(goarrow.Field{Name: "v", Type: floats2, Nullable: true}), []string{`[{"v":[1,2]},null]`}}}, "s.v", 2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := mustLoad(t, stream(t, tt.columns...), nil)
			e := res.Table.Embedding
			switch {
			case e == nil && tt.field != "", e != nil && (e.Field != tt.field || e.Dim != tt.dim):
				t.Errorf("embedding = %+v, want %q of %d", e, tt.field, tt.dim)
			}
			var reasons []string
			for _, s := range res.SkippedColumns {
				reasons = append(reasons, s.Reason)
			}
			if d := cmp.Diff(tt.skipped, reasons); d != "" {
				t.Errorf("skipped (-want +got):\n%s", d)
			}
			if len(res.Table.Columns) != 1 || res.Table.Columns[0].Name != "id" {
				t.Errorf("the embedding is among the columns")
			}
		})
	}
	wantError(t, stream(t, made{"v", floats2, []string{`[[1,2],[3,4]]`}}), nil,
		"'test.arrow' has no column beside the embedding 'v'; Vectro needs at least one.")
}

func TestRead_EmbeddingValues(t *testing.T) {
	res := mustLoad(t, stream(t, made{"id", ints, []string{`[1,2,3]`, `[4,5]`}},
		made{"v", goarrow.ListOf(goarrow.PrimitiveTypes.Float64), []string{`[[3,4],null,[1e300,0]]`, `[[0,0],[1,null]]`}}), nil)
	e := res.Table.Embedding
	if got := fmt.Sprint(e.Row(0), e.Has.Get(1), e.Has.Get(2), e.Row(3), e.Has.Get(3), e.Has.Get(4), e.Inv); got != "[3 4] false false [0 0] true false [0.2 0 0 0 0]" {
		t.Errorf("embedding = %s", got)
	}
	if got := res.Unparsed["v"]; got != 2 {
		t.Errorf("vectors left out = %d, want 2: one beyond float32, one with a missing number", got)
	}
}

// TestRead_DictionaryLabels: a replaced dictionary gives one dictionary of the
// labels that occur, in order of first sight.
func TestRead_DictionaryLabels(t *testing.T) {
	typ := &goarrow.DictionaryType{IndexType: goarrow.PrimitiveTypes.Int16, ValueType: strs}
	res := mustLoad(t, stream(t, made{"d", typ, []string{`["b","a",null,"b"]`, `["c","a","c"]`, `["z","b"]`}}), nil)
	c := res.Table.Columns[0]
	want := []any{"b", "a", nil, "b", "c", "a", "c", "z", "b"}
	if d := cmp.Diff(want, show(c).Cells); d != "" {
		t.Errorf("cells (-want +got):\n%s", d)
	}
	var labels []string
	for i := range c.Dict.Len() {
		labels = append(labels, c.Dict.Label(uint32(i)))
	}
	if d := cmp.Diff([]string{"b", "a", "c", "z"}, labels); d != "" {
		t.Errorf("labels (-want +got):\n%s", d)
	}
}

// TestRead_GrowingDictionaries: every batch adds to the dictionaries of the one
// before.
func TestRead_GrowingDictionaries(t *testing.T) {
	names := &goarrow.DictionaryType{IndexType: goarrow.PrimitiveTypes.Int8, ValueType: strs}
	numbers := &goarrow.DictionaryType{IndexType: goarrow.PrimitiveTypes.Uint8, ValueType: ints}
	schema := goarrow.NewSchema([]goarrow.Field{{Name: "s", Type: names, Nullable: true}, {Name: "n", Type: numbers, Nullable: true}}, nil)
	dict := func(typ *goarrow.DictionaryType, indices, values string) goarrow.Array {
		i, _, err := goarray.FromJSON(memory.DefaultAllocator, typ.IndexType, strings.NewReader(indices))
		must(err)
		v, _, err := goarray.FromJSON(memory.DefaultAllocator, typ.ValueType, strings.NewReader(values))
		must(err)
		return goarray.NewDictionaryArray(typ, i, v)
	}
	batches := []goarrow.RecordBatch{
		goarray.NewRecordBatch(schema, []goarrow.Array{dict(names, `[1, 0]`, `["a", "b"]`), dict(numbers, `[0, 1]`, `[10, 20]`)}, 2),
		goarray.NewRecordBatch(schema, []goarrow.Array{dict(names, `[2, null, 1]`, `["a", "b", "c"]`), dict(numbers, `[2, 1, null]`, `[10, 20, 30]`)}, 3),
		goarray.NewRecordBatch(schema, []goarrow.Array{dict(names, `[4, 2, 0]`, `["a", "b", "c", null, "b"]`), dict(numbers, `[3, 2, 0]`, `[10, 20, 30, null]`)}, 3),
	}
	want := []shown{
		{Name: "s", Kind: "category", Cells: []any{"b", "a", "c", nil, "b", "b", "c", "a"}},
		{Name: "n", Kind: "number", Cells: []any{int64(10), int64(20), int64(30), int64(20), nil, nil, int64(30), int64(10)}},
	}
	opts := []ipc.Option{ipc.WithSchema(schema), ipc.WithDictionaryDeltas(true)}
	var out bytes.Buffer
	w := ipc.NewWriter(&out, opts...)
	for _, b := range batches {
		must(w.Write(b))
	}
	must(w.Close())
	deltas := 0
	for _, list := range parts(t, out.Bytes()).dicts {
		for _, d := range list {
			if d.delta {
				deltas++
			}
		}
	}
	if deltas != 4 {
		t.Errorf("%d deltas were written, want 4", deltas)
	}
	res := mustLoad(t, out.Bytes(), nil)
	for i, c := range res.Table.Columns {
		if d := cmp.Diff(want[i], show(c)); d != "" {
			t.Errorf("column (-want +got):\n%s", d)
		}
	}
	text := mustLoad(t, out.Bytes(), map[string]string{"s": "text", "n": "category"}).Table.Columns
	if got := fmt.Sprint(show(text[0]).Cells, show(text[1]).Cells); got != "[b a c <nil> b b c a] [10 20 30 20 <nil> <nil> 30 10]" {
		t.Errorf("as text and category: %s", got)
	}
}

func TestRead_Extremes(t *testing.T) {
	res := mustLoad(t, stream(t,
		made{"i", ints, []string{fmt.Sprintf(`[%d, %d]`, math.MinInt64, math.MaxInt64)}},
		made{"u", goarrow.PrimitiveTypes.Uint64, []string{`[9223372036854775807, 1]`}},
		made{"f", goarrow.PrimitiveTypes.Uint64, []string{`[9223372036854775808, 1]`}},
		made{"t", &goarrow.TimestampType{Unit: goarrow.Second}, []string{`["0001-01-01", "9999-12-31 23:59:59"]`}},
	), nil)
	want := [][]any{
		{int64(math.MinInt64), int64(math.MaxInt64)}, {int64(math.MaxInt64), int64(1)}, {9223372036854775808.0, 1.0},
		{"0001-01-01", "9999-12-31T23:59:59"},
	}
	for i, c := range res.Table.Columns {
		if d := cmp.Diff(want[i], show(c).Cells); d != "" {
			t.Errorf("column %s (-want +got):\n%s", c.Name, d)
		}
	}
}

// bigFile has more rows than a chunk, in batches that do not meet its ends.
func bigFile(t testing.TB, rows int) []byte {
	t.Helper()
	schema := goarrow.NewSchema([]goarrow.Field{
		{Name: "i", Type: ints, Nullable: true}, {Name: "f", Type: goarrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "s", Type: strs, Nullable: true}, {Name: "d", Type: &goarrow.DictionaryType{IndexType: goarrow.PrimitiveTypes.Int32, ValueType: strs}, Nullable: true},
	}, nil)
	var out bytes.Buffer
	w, err := ipc.NewFileWriter(&out, ipc.WithSchema(schema), ipc.WithZstd(), ipc.WithDictionaryDeltas(true))
	must(err)
	b := goarray.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range rows {
		b.Field(0).(*goarray.Int64Builder).Append(int64(i) * 3)
		if i%7 == 0 {
			b.Field(1).AppendNull()
		} else {
			b.Field(1).(*goarray.Float64Builder).Append(float64(i) / 4)
		}
		b.Field(2).(*goarray.StringBuilder).Append(fmt.Sprintf("label %d", i%1000))
		must(b.Field(3).(*goarray.BinaryDictionaryBuilder).AppendString(fmt.Sprintf("key %d", i%50)))
		if i%50_000 == 49_999 || i == rows-1 {
			must(w.Write(b.NewRecordBatch()))
		}
	}
	must(w.Close())
	return out.Bytes()
}

func TestRead_NoRows(t *testing.T) {
	none := func(name string, typ goarrow.DataType) made { return made{name: name, typ: typ} }
	content := stream(t, none("i", ints), none("s", strs), none("n", strs), none("d", strs), none("v", floats2))
	res := mustLoad(t, content, map[string]string{"n": "number", "d": "date"})
	var got []string
	for _, c := range res.Table.Columns {
		got = append(got, c.Name+" "+c.Kind.String())
	}
	if d := cmp.Diff([]string{"i number", "s category", "n number", "d date"}, got); d != "" || res.Table.Rows != 0 {
		t.Errorf("%d rows, columns (-want +got):\n%s", res.Table.Rows, d)
	}
}

func TestRead_ManyChunks(t *testing.T) {
	const rows = 3*col.ChunkRows + 17
	content := bigFile(t, rows)
	for _, threads := range []int{1, 4} {
		src := input.Source{Name: "big.arrow", R: bytes.NewReader(content), Size: int64(len(content))}
		var calls []int64
		res, err := Read(context.Background(), src, input.Options{Threads: threads, Progress: func(done, total int64) {
			if total != src.Size || len(calls) > 0 && done < calls[len(calls)-1] {
				t.Errorf("progress went to %d of %d after %v", done, total, calls[max(0, len(calls)-1):])
			}
			calls = append(calls, done)
		}})
		if err != nil {
			t.Fatal(err)
		}
		if len(calls) == 0 || calls[len(calls)-1] != src.Size {
			t.Errorf("progress ended at %v of %d", calls, src.Size)
		}
		for _, c := range res.Table.Columns {
			i := 0
			for k, ch := range c.Chunks {
				if k < 3 && ch.Len != col.ChunkRows {
					t.Errorf("chunk %d of %s has %d rows", k, c.Name, ch.Len)
				}
				for j := range ch.Len {
					var want any
					switch c.Name {
					case "i":
						want = int64(i) * 3
					case "f":
						if i%7 != 0 {
							want = float64(i) / 4
						}
					case "s":
						want = fmt.Sprintf("label %d", i%1000)
					case "d":
						want = fmt.Sprintf("key %d", i%50)
					}
					if got := cell(c, ch, j); got != want {
						t.Fatalf("row %d of %s = %v, want %v", i, c.Name, got, want)
					}
					i++
				}
			}
		}
	}
}

func TestRead_CancelAndBudget(t *testing.T) {
	content := bigFile(t, 200_000)
	src := input.Source{Name: "big.arrow", R: bytes.NewReader(content), Size: int64(len(content))}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, src, input.Options{Threads: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
	budget := mem.NewBudget(1 << 20)
	lease := &mem.Lease{Budget: budget}
	_, err := Read(context.Background(), src, input.Options{Threads: 2, Lease: lease})
	var exceeded *mem.ExceededError
	if !errors.As(err, &exceeded) {
		t.Errorf("error = %v, want one of the budget", err)
	}
	lease.Close()
	if got := budget.Used(); got != 0 {
		t.Errorf("%d bytes of the budget are still used", got)
	}
}

// shortReader is a file that lost its end after it was opened.
type shortReader struct {
	io.ReaderAt
	size int64
}

func (r shortReader) ReadAt(p []byte, off int64) (int, error) {
	if off >= r.size {
		return 0, io.EOF
	}
	n, err := r.ReaderAt.ReadAt(p[:min(int64(len(p)), r.size-off)], off)
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

func TestRead_FileShrinks(t *testing.T) {
	content := sample(t, "", false)
	src := input.Source{Name: "s.arrow", R: shortReader{bytes.NewReader(content), int64(len(content)) / 2}, Size: int64(len(content))}
	_, err := Read(context.Background(), src, input.Options{})
	want := "'s.arrow' became shorter while it was read; load it again when it is complete."
	if err == nil || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}

func TestDecimalText(t *testing.T) {
	for _, tt := range []struct {
		unscaled int64
		scale    int
		want     string
	}{
		{0, 0, "0"}, {0, 2, "0.00"}, {0, -3, "0"}, {5, 0, "5"}, {-5, 2, "-0.05"}, {1230, 2, "12.30"}, {-7, -2, "-700"},
		{1, 41, "0.00000000000000000000000000000000000000001"}, {1, 42, "1e-42"}, {-3, -41, "-3e41"}, {math.MinInt64, 3, "-9223372036854775.808"},
	} {
		b := binary.LittleEndian.AppendUint64(nil, uint64(tt.unscaled))
		if got := string(decimalText(nil, b, tt.scale)); got != tt.want {
			t.Errorf("decimalText(%d, %d) = %s, want %s", tt.unscaled, tt.scale, got, tt.want)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	content := bigFile(b, 1_000_000)
	src := input.Source{Name: "big.arrow", R: bytes.NewReader(content), Size: int64(len(content))}
	b.SetBytes(src.Size)
	for b.Loop() {
		if _, err := Read(context.Background(), src, input.Options{Threads: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
