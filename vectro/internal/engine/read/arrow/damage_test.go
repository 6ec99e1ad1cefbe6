package arrow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	goarrow "github.com/apache/arrow-go/v18/arrow"
	goarray "github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// allocated returns the bytes allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// survive loads damaged content: it must give an error that a caller can read, or
// a whole table, without a panic and without allocating more than most bytes.
func survive(t testing.TB, what string, content []byte, most uint64) error {
	t.Helper()
	before := allocated()
	res, err := load(t, content, nil)
	if got := allocated() - before; got > most {
		t.Errorf("%s: %s allocated", what, mem.Size(int64(got)))
	}
	var refusal *input.Error
	var full *mem.ExceededError
	switch {
	case err == nil:
		for _, c := range res.Table.Columns {
			show(c)
		}
	case errors.As(err, &refusal):
		if !strings.Contains(err.Error(), "'test.arrow'") && !strings.Contains(err.Error(), "column '") {
			t.Errorf("%s: the error does not say where: %v", what, err)
		}
	case errors.As(err, &full):
	default:
		t.Errorf("%s: error of type %T: %v", what, err, err)
	}
	return err
}

const smallLoad = 40 << 20 // the largest believed claim of a compressed buffer, twice, and a table

// goodFiles returns the testing files of the Arrow project and some with types
// that those lack.
func goodFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"/*.arrow", "/*.arrows"} {
		paths, err := filepath.Glob(dataDir + pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files (%v)", err)
		}
		for _, p := range paths {
			content, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(p)] = content
		}
	}
	for _, codec := range []string{"", "lz4", "zstd"} {
		files["made"+codec+".arrow"] = sample(t, codec, true)
		files["made"+codec+".arrows"] = sample(t, codec, false)
	}
	return files
}

const sampleRows = 40

// sample is a file with two batches of sampleRows of every layout that is decoded.
func sample(t testing.TB, codec string, asFile bool) []byte {
	t.Helper()
	fields := []goarrow.Field{
		{Name: "text", Type: goarrow.BinaryTypes.String, Nullable: true},
		{Name: "large", Type: goarrow.BinaryTypes.LargeString, Nullable: true},
		{Name: "view", Type: goarrow.BinaryTypes.StringView, Nullable: true},
		{Name: "dict", Type: &goarrow.DictionaryType{IndexType: goarrow.PrimitiveTypes.Int32, ValueType: goarrow.BinaryTypes.String}, Nullable: true},
		{Name: "runs", Type: goarrow.RunEndEncodedOf(goarrow.PrimitiveTypes.Int32, goarrow.PrimitiveTypes.Int64), Nullable: true},
		{Name: "list", Type: goarrow.ListOf(goarrow.PrimitiveTypes.Float32), Nullable: true},
		{Name: "pair", Type: goarrow.StructOf(goarrow.Field{Name: "x", Type: goarrow.PrimitiveTypes.Int64, Nullable: true}), Nullable: true},
		{Name: "none", Type: goarrow.Null, Nullable: true},
		{Name: "flag", Type: goarrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "dec", Type: &goarrow.Decimal128Type{Precision: 20, Scale: 2}, Nullable: true},
	}
	schema := goarrow.NewSchema(fields, nil)
	b := goarray.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range sampleRows {
		for k, f := range b.Fields() {
			switch f := f.(type) {
			case *goarray.ListBuilder:
				f.Append(true)
				f.ValueBuilder().(*goarray.Float32Builder).AppendValues([]float32{1, float32(i)}, nil)
			case *goarray.StructBuilder:
				f.Append(true)
				f.FieldBuilder(0).(*goarray.Int64Builder).Append(int64(i))
			case *goarray.RunEndEncodedBuilder:
				f.Append(1)
				f.ValueBuilder().(*goarray.Int64Builder).Append(int64(i / 3))
			case *goarray.NullBuilder:
				f.AppendNull()
			default:
				if i%5 == 4 {
					f.AppendNull()
					continue
				}
				must(f.AppendValueFromString(map[string]string{
					"flag": "true", "dec": "12.34",
				}[fields[k].Name] + map[bool]string{true: fmt.Sprintf("label %d of the column, beyond a view", i%7)}[k < 4]))
			}
		}
	}
	batch := b.NewRecordBatch()
	opts := []ipc.Option{ipc.WithSchema(schema)}
	switch codec {
	case "lz4":
		opts = append(opts, ipc.WithLZ4())
	case "zstd":
		opts = append(opts, ipc.WithZstd())
	}
	var out bytes.Buffer
	if asFile {
		w, err := ipc.NewFileWriter(&out, opts...)
		must(err)
		must(w.Write(batch))
		must(w.Write(batch))
		must(w.Close())
	} else {
		w := ipc.NewWriter(&out, opts...)
		must(w.Write(batch))
		must(w.Write(batch))
		must(w.Close())
	}
	return out.Bytes()
}

func TestRead_SampleIsGood(t *testing.T) {
	for _, codec := range []string{"", "lz4", "zstd"} {
		res, err := load(t, sample(t, codec, true), nil)
		if err != nil {
			t.Fatal(err)
		}
		if res.Table.Rows != 2*sampleRows || len(res.Table.Columns) != 9 || res.Table.Embedding.Dim != 2 {
			t.Errorf("codec %q: %d rows, %d columns, embedding %+v", codec, res.Table.Rows, len(res.Table.Columns), res.Table.Embedding)
		}
	}
}

func TestRead_Truncated(t *testing.T) {
	for name, content := range goodFiles(t) {
		step := max(1, len(content)/400)
		for n := 0; n < len(content); n += step {
			err := survive(t, fmt.Sprintf("%s cut to %d bytes", name, n), content[:n], smallLoad)
			if err == nil && strings.HasSuffix(name, ".arrow") {
				t.Errorf("%s cut to %d bytes of %d was read", name, n, len(content))
			}
		}
	}
}

// TestRead_FlippedBytes changes bytes of good files at random, always the same.
func TestRead_FlippedBytes(t *testing.T) {
	files := goodFiles(t)
	for name, content := range files {
		r := rand.New(rand.NewPCG(1, uint64(len(content))))
		for range 150 {
			bad := bytes.Clone(content)
			at := r.IntN(len(bad))
			what := fmt.Sprintf("%s changed at %d", name, at)
			for k := range 1 + r.IntN(4) {
				if at+k < len(bad) {
					bad[at+k] = byte(r.Uint32() & r.Uint32()) // small numbers and large ones
				}
			}
			survive(t, what, bad, smallLoad)
		}
	}
}

// parts opens good content, so that a test can put a lie where it wants.
func parts(t *testing.T, content []byte) *container {
	t.Helper()
	c, err := open(input.Source{Name: "test.arrow", R: bytes.NewReader(content), Size: int64(len(content))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *container) named(name string) *field {
	for _, f := range c.fields {
		if f.name == name {
			return f
		}
	}
	panic("no field " + name)
}

// at returns where buffer i of the field lies in the file, in the first batch.
func (c *container) at(name string, i int) int64 {
	p := c.layout[c.named(name)]
	b := c.batches[0]
	return b.bufs[p.start.buffers+b.views[p.start.views]+i].off
}

func TestRead_LyingData(t *testing.T) {
	le32 := func(v int32) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }
	le64 := func(v int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }
	plain := sample(t, "", true)
	c := parts(t, plain)
	runs := c.named("runs").kids[0]
	ends := c.batches[0].bufs[c.layout[runs].start.buffers+c.batches[0].views[c.layout[runs].start.views]+1].off
	tests := []struct {
		name string
		at   int64
		put  []byte
		want string
	}{
		{"offset beyond the data", c.at("text", 1) + 4*3, le32(1 << 30), "column 'text': offset 4 is 1073741824, outside"},
		{"falling offset", c.at("text", 1) + 4*3, le32(0), "column 'text': offset 4 is 0, outside"},
		{"negative offset", c.at("text", 1), le32(-1), "column 'text': offset 1 is -1, outside"},
		{"large offset beyond the data", c.at("large", 1) + 8*2, le64(math.MaxInt64), "column 'large': offset 3 is 9223372036854775807, outside"},
		{"negative view length", c.at("view", 1), le32(-1), "column 'view': value 1 has the length -1"},
		{"view beyond its buffer", c.at("view", 1), le32(math.MaxInt32), "column 'view': value 1 lies at byte"},
		{"view into no buffer", c.at("view", 1) + 8, le32(7), "column 'view': value 1 lies in data buffer 8 of 1"},
		{"view at a negative place", c.at("view", 1) + 12, le32(-4), "column 'view': value 1 lies at byte -4"},
		{"index beyond the dictionary", c.at("dict", 1) + 4, le32(7), "column 'dict': index 2 is 7; its dictionary has 7 values"},
		{"negative index", c.at("dict", 1) + 4, le32(-1), "column 'dict': index 2 is -1; its dictionary has 7 values"},
		{"falling run end", ends + 4, le32(1), "column 'runs': run 2 ends at 1, not after 1"},
		{"run ends too early", ends + 4*(sampleRows-1), le32(sampleRows - 1), "column 'runs': run 40 ends at 39, not after 39"},
		{"list offset beyond the values", c.at("list", 1) + 4*sampleRows, le32(sampleRows*2 + 1), "column 'list': offset 41 is 81, outside"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := bytes.Clone(plain)
			copy(bad[tt.at:], tt.put)
			err := survive(t, tt.name, bad, smallLoad)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "record batch 1") {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
	// Where a value is missing its index and its view may be anything.
	good := bytes.Clone(plain)
	copy(good[c.at("dict", 1)+4*4:], le32(-1))
	copy(good[c.at("view", 1)+16*4:], le32(-1))
	if _, err := load(t, good, nil); err != nil {
		t.Errorf("garbage under missing values: %v", err)
	}
}

func TestRead_LyingCompression(t *testing.T) {
	for _, codec := range []string{"lz4", "zstd"} {
		content := sample(t, codec, true)
		c := parts(t, content)
		at := c.at("text", 2)
		honest := int64(binary.LittleEndian.Uint64(content[at:]))
		for _, tt := range []struct {
			claim int64
			want  string
		}{
			{math.MaxInt64, "more than 1000 times as much"},
			{1 << 40, "more than 1000 times as much"},
			{20 << 20, "more than 1000 times as much"},
			{-2, "claims a length of -2"},
			{math.MinInt64, "claims a length of -9223372036854775808"},
			{honest + 1, "uncompressed but holds"},
			{honest - 1, ""}, // worded by either check
			{0, "outside 0 to 0"},
			{-1, ""}, // the compressed bytes taken as they are: shorter than the strings need, or an odd text
		} {
			t.Run(fmt.Sprintf("%s/%d", codec, tt.claim), func(t *testing.T) {
				bad := bytes.Clone(content)
				binary.LittleEndian.PutUint64(bad[at:], uint64(tt.claim))
				err := survive(t, "claim", bad, smallLoad)
				if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "column 'text'") {
					t.Errorf("error = %v, want one about %q", err, tt.want)
				}
			})
		}
	}
}

// TestUnpack_ZstdWindow gives a frame that asks its decoder for a window of 1 GiB.
func TestUnpack_ZstdWindow(t *testing.T) {
	frame := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x00, 20 << 3, 0x03, 0x00, 0x00, 0x41} // one RLE block
	b := append(binary.LittleEndian.AppendUint64(nil, 1<<20), frame...)
	if _, err := zstdDecoder(); err != nil {
		t.Fatal(err)
	}
	before := allocated()
	if _, err := unpack(b, zstdFrame, &ledger{}); err == nil {
		t.Error("a buffer that claims 1 MiB and holds none was unpacked")
	}
	if got := allocated() - before; got > 8<<20 {
		t.Errorf("%s allocated", mem.Size(int64(got)))
	}
}

// A message of a stream: where its metadata begin and end.
type message struct{ start, end int }

func messagesOf(content []byte) []message {
	var list []message
	for at := 0; at+8 <= len(content); {
		n := int(binary.LittleEndian.Uint32(content[at+4:]))
		if n == 0 {
			break
		}
		m := message{at + 8, at + 8 + n}
		list = append(list, m)
		f := &flat{b: content[m.start:m.end]}
		at = m.end + int(f.root().i64(3, 0))
	}
	return list
}

func TestRead_LyingMetadata(t *testing.T) {
	content := sample(t, "", false)
	list := messagesOf(content)
	batch := list[len(list)-1]
	meta := &flat{b: content[batch.start:batch.end]}
	header, _ := meta.root().table(2)
	nodes, _ := header.vector(1, 16)
	bufs, _ := header.vector(2, 16)
	views, _ := header.vector(4, 8)
	tests := []struct {
		name string
		at   int // in the metadata
		put  int64
		want string
	}{
		{"rows", header.slot(0), 1 << 40, "claims 1099511627776 rows"},
		{"fewer rows", header.slot(0), 3, "it has 40 values where 3 are needed"},
		{"negative rows", header.slot(0), -1, "record batch 2 is not well formed"},
		{"field length", nodes, math.MaxInt64, "it has 9223372036854775807 values where 40 are needed"},
		{"negative field length", nodes, -1, "has a field of -1 values"},
		{"more missing than values", nodes + 8, 41, "has a field of 40 values of which 41 are missing"},
		{"buffer place", bufs, math.MaxInt64, "puts buffer 1 at byte 9223372036854775807"},
		{"buffer length", bufs + 8, math.MaxInt64, "puts buffer 1 at byte 0 with 9223372036854775807 bytes"},
		{"negative buffer length", bufs + 8, -1, "puts buffer 1 at byte 0 with -1 bytes"},
		{"short validity", bufs + 8, 1, "its validity bitmap has 1 bytes, 40 values need 5"},
		{"short offsets", bufs + 16 + 8, 40, "its offsets have 40 bytes, too few for 40 values"},
		{"view buffers", views, math.MaxInt64, "claims 9223372036854775807 buffers for a view column"},
		{"more view buffers than there are", views, 20, "buffers instead of"},
		{"body length", meta.root().slot(3), 1 << 50, "which claims 1125899906842624 bytes of data"},
		{"negative body length", meta.root().slot(3), -8, "is not well formed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := bytes.Clone(content)
			binary.LittleEndian.PutUint64(bad[batch.start+tt.at:], uint64(tt.put))
			err := survive(t, tt.name, bad, smallLoad)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRead_LyingFooter(t *testing.T) {
	content := sample(t, "", true)
	size := len(content)
	n := int(binary.LittleEndian.Uint32(content[size-fileEnd:]))
	start := size - fileEnd - n
	footer := &flat{b: content[start : start+n]}
	blocks, count := footer.root().vector(3, blockSize)
	if count != 2 {
		t.Fatalf("%d record batches, want 2", count)
	}
	first := binary.LittleEndian.Uint64(content[start+blocks:])
	tests := []struct {
		name string
		at   int // in the file
		put  []byte
		want string
	}{
		{"length", size - fileEnd, []byte{0xff, 0xff, 0xff, 0x7f}, "its footer claims 2147483647 bytes"},
		{"negative length", size - fileEnd, []byte{0xff, 0xff, 0xff, 0xff}, "its footer claims -1 bytes"},
		{"block outside", start + blocks, binary.LittleEndian.AppendUint64(nil, 1<<40), "outside the file"},
		{"block metadata", start + blocks + 8, []byte{0xff, 0xff, 0xff, 0x7f}, "outside the file"},
		{"block body", start + blocks + 16, binary.LittleEndian.AppendUint64(nil, math.MaxInt64), "outside the file"},
		{"the same block twice", start + blocks + blockSize, binary.LittleEndian.AppendUint64(nil, first), "two blocks that overlap"},
		{"magic", size - 1, []byte{'2'}, "ends without the mark of a complete Arrow file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := bytes.Clone(content)
			copy(bad[tt.at:], tt.put)
			err := survive(t, tt.name, bad, smallLoad)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

// flatBuilder writes flatbuffers that no library would: front to back.
type flatBuilder struct{ b []byte }

// table appends a table with fields of those sizes, 0 for one left out, and
// returns where it and its fields are.
func (f *flatBuilder) table(sizes ...int) (pos int, slots []int) {
	vtable := len(f.b)
	f.b = binary.LittleEndian.AppendUint16(f.b, uint16(4+2*len(sizes)))
	off := 4
	entries := []byte{}
	for _, s := range sizes {
		if s == 0 {
			entries = binary.LittleEndian.AppendUint16(entries, 0)
			slots = append(slots, 0)
			continue
		}
		entries = binary.LittleEndian.AppendUint16(entries, uint16(off))
		slots = append(slots, vtable+4+2*len(sizes)+off)
		off += s
	}
	f.b = binary.LittleEndian.AppendUint16(f.b, uint16(off))
	f.b = append(f.b, entries...)
	pos = len(f.b)
	f.b = binary.LittleEndian.AppendUint32(f.b, uint32(pos-vtable))
	f.b = append(f.b, make([]byte, off-4)...)
	return pos, slots
}

// vector appends a vector of n offsets and returns where it is.
func (f *flatBuilder) vector(n int) int {
	pos := len(f.b)
	f.b = binary.LittleEndian.AppendUint32(f.b, uint32(n))
	f.b = append(f.b, make([]byte, 4*n)...)
	return pos
}

func (f *flatBuilder) point(at, to int) { binary.LittleEndian.PutUint32(f.b[at:], uint32(to-at)) }

// nested is a stream whose schema is a chain of structs of that depth, each with
// fan fields that are one and the same table.
func nested(depth, fan int) []byte {
	f := &flatBuilder{b: make([]byte, 4)}
	msg, m := f.table(2, 1, 4, 8)
	f.point(0, msg)
	binary.LittleEndian.PutUint16(f.b[m[0]:], newVersion)
	f.b[m[1]] = schemaMessage
	schema, s := f.table(0, 4)
	f.point(m[2], schema)
	at := s[1] // where the next vector of fields is wanted
	for range depth {
		v := f.vector(fan)
		f.point(at, v)
		field, fs := f.table(0, 1, 1, 4, 0, 4)
		for i := range fan {
			f.point(v+4+4*i, field)
		}
		f.b[fs[2]] = byte(structType)
		typ, _ := f.table()
		f.point(fs[3], typ)
		at = fs[5]
	}
	f.point(at, f.vector(0))
	out := binary.LittleEndian.AppendUint32(nil, math.MaxUint32)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(f.b)))
	return append(out, f.b...)
}

func TestRead_SchemaBombs(t *testing.T) {
	tests := []struct {
		name       string
		depth, fan int
		want       string
	}{
		{"a million levels", 1_000_000, 1, "nests types more than 64 levels deep"},
		{"fields shared thirty times over", 30, 2, "more than 65536 fields"},
		{"wide", 1, 70_000, "more than 65536 fields"},
		{"many columns", 2, 200, "has more than 16,384 columns, the most that Vectro reads"},
		{"empty structs", 2, 3, "has no column that Vectro reads: column 'column1.column1' is a struct"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := nested(tt.depth, tt.fan)
			err := survive(t, tt.name, content, uint64(smallLoad+2*len(content)))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

// TestRead_RowsFromNothing: a null column of two billion rows takes a few bytes in
// the file; the budget must stop it.
func TestRead_RowsFromNothing(t *testing.T) {
	var out bytes.Buffer
	schema := goarrow.NewSchema([]goarrow.Field{{Name: "n", Type: goarrow.Null, Nullable: true}}, nil)
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	must(w.Write(goarray.NewRecordBatch(schema, []goarrow.Array{goarray.NewNull(math.MaxInt32)}, math.MaxInt32)))
	must(w.Close())
	err := survive(t, "null column", out.Bytes(), 160<<20)
	var full *mem.ExceededError
	if !errors.As(err, &full) {
		t.Errorf("error = %v, want that of the budget", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, content := range goodFiles(f) {
		f.Add(content)
	}
	f.Add(nested(5, 2))
	f.Add([]byte("FEA1"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		survive(t, "input", content, 160<<20)
	})
}
