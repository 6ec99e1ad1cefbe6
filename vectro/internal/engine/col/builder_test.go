package col

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// values returns a column's values: nil, int64, float64 or string.
func values(t interface{ Fatalf(string, ...any) }, c *Column) (out []any) {
	for i, ch := range c.Chunks {
		if ch.Len == 0 || i < len(c.Chunks)-1 && ch.Len != ChunkRows {
			t.Fatalf("chunk %d of %d has %d rows", i, len(c.Chunks), ch.Len)
		}
		if ch.Valid != nil && (len(ch.Valid) != (ch.Len+63)/64 || ch.Valid.Count(ch.Len) == ch.Len) {
			t.Fatalf("chunk %d has a bitmap of %d words, %d of %d set", i, len(ch.Valid), ch.Valid.Count(ch.Len), ch.Len)
		}
		if tail := ch.Len & 63; ch.Valid != nil && tail != 0 && ch.Valid[len(ch.Valid)-1]>>tail != 0 {
			t.Fatalf("chunk %d has bits past its last row", i)
		}
		for row := range ch.Len {
			if !ch.Valid.Get(row) {
				out = append(out, nil)
				continue
			}
			switch d := ch.Data.(type) {
			case []int8:
				out = append(out, int64(d[row]))
			case []int16:
				out = append(out, int64(d[row]))
			case []int32:
				out = append(out, int64(d[row]))
			case []int64:
				out = append(out, d[row])
			case []float64:
				out = append(out, d[row])
			case []uint8:
				out = append(out, c.Dict.Label(uint32(d[row])))
			case []uint16:
				out = append(out, c.Dict.Label(uint32(d[row])))
			case []uint32:
				out = append(out, c.Dict.Label(d[row]))
			case Strings:
				out = append(out, d.At(row))
			default:
				t.Fatalf("data of type %T", d)
			}
		}
	}
	return out
}

func typeOf(c *Column) string {
	if len(c.Chunks) == 0 {
		return ""
	}
	return fmt.Sprintf("%T", c.Chunks[0].Data)
}

func TestIntBuilder_NarrowestStorage(t *testing.T) {
	tests := []struct {
		vals []int64
		f    Field
		want string
	}{
		{[]int64{0, 127, -128}, Field{}, "[]int8"},
		{[]int64{128}, Field{}, "[]int16"},
		{[]int64{-129}, Field{}, "[]int16"},
		{[]int64{-32768, 32767}, Field{}, "[]int16"},
		{[]int64{32768}, Field{}, "[]int32"},
		{[]int64{math.MinInt32, math.MaxInt32}, Field{}, "[]int32"},
		{[]int64{math.MaxInt32 + 1}, Field{}, "[]int64"},
		{[]int64{math.MinInt64, math.MaxInt64}, Field{}, "[]int64"},
		{[]int64{1}, Field{Kind: Date, Unit: Day}, "[]int32"},
		{[]int64{1}, Field{Kind: Date, Unit: Micro}, "[]int64"},
		{nil, Field{}, ""},
	}
	for _, tt := range tests {
		var b IntBuilder
		for _, v := range tt.vals {
			b.Append(v)
		}
		c := b.Column(tt.f)
		if got := typeOf(c); got != tt.want {
			t.Errorf("%v is stored as %s, want %s", tt.vals, got, tt.want)
		}
		for i, v := range values(t, c) {
			if v != tt.vals[i] {
				t.Errorf("value %d is %v, want %v", i, v, tt.vals[i])
			}
		}
	}
}

// The chunk that needs a wide storage may be any of several.
func TestIntBuilder_OneWidthForAllChunks(t *testing.T) {
	for _, at := range []int{0, ChunkRows, 2 * ChunkRows} {
		var b IntBuilder
		for i := range 2*ChunkRows + 1 {
			v := int64(i % 100)
			if i == at {
				v = 1 << 40
			}
			b.Append(v)
		}
		c := b.Column(Field{})
		if c.Rows() != 2*ChunkRows+1 || len(c.Chunks) != 3 {
			t.Fatalf("%d rows in %d chunks", c.Rows(), len(c.Chunks))
		}
		for i, ch := range c.Chunks {
			if _, ok := ch.Data.([]int64); !ok {
				t.Errorf("large value in row %d: chunk %d is of %T", at, i, ch.Data)
			}
		}
		if s := c.Stats(); s.Hi != 1<<40 || s.Lo != 0 || s.Present != c.Rows() {
			t.Errorf("statistics %+v", s)
		}
	}
}

// What is missing does not widen the storage.
func TestIntBuilder_MissingIsNarrow(t *testing.T) {
	valid := NewBitmap(3)
	valid.Set(1)
	var b IntBuilder
	AppendInts(&b, []int64{1 << 60, 5, -1 << 60}, valid)
	b.AppendMissing(2)
	c := b.Column(Field{})
	if got := typeOf(c); got != "[]int8" {
		t.Errorf("stored as %s", got)
	}
	if got := fmt.Sprint(values(t, c)); got != "[<nil> 5 <nil> <nil> <nil>]" {
		t.Errorf("values %s", got)
	}
	if s := c.Stats(); s.Lo != 5 || s.Hi != 5 || s.Present != 1 || s.Missing != 4 {
		t.Errorf("statistics %+v", s)
	}
}

func TestFloatBuilder_NaNIsMissing(t *testing.T) {
	var b FloatBuilder
	b.Append(1.5)
	b.Append(math.NaN())
	b.Append(math.Inf(1))
	b.AppendMissing(1)
	AppendFloats(&b, []float32{2, float32(math.NaN()), 3}, nil)
	AppendFloats(&b, []int16{7, 8}, Bitmap{0b10})
	c := b.Column(Field{})
	if got := fmt.Sprint(values(t, c)); got != "[1.5 <nil> +Inf <nil> 2 <nil> 3 <nil> 8]" {
		t.Errorf("values %s", got)
	}
	if s := c.Stats(); s.LoF != 1.5 || s.HiF != math.Inf(1) || s.Missing != 4 {
		t.Errorf("statistics %+v", s)
	}
}

func TestLabelBuilder_Storage(t *testing.T) {
	label := func(i int) []byte { return fmt.Appendf(nil, "label %d", i) }
	tests := []struct {
		name           string
		rows, distinct int
		want           string
	}{
		{"few rows, all distinct", 1000, 1000, "[]uint16"},
		{"256 labels", 1000, 256, "[]uint8"},
		{"257 labels", 1000, 257, "[]uint16"},
		{"just too few rows for strings", minPresent - 1, minPresent - 1, "[]uint16"},
		{"enough rows for strings", minPresent, minPresent/2 + 1, "col.Strings"},
		{"half of them distinct", minPresent, minPresent / 2, "[]uint16"},
		{"wide codes", 4 * ChunkRows, 1 << 17, "[]uint32"},
		{"judged early", EarlyRows + 10, EarlyRows/2 + 1, "col.Strings"},
		{"not judged early", EarlyRows + 10, EarlyRows / 2, "[]uint32"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b LabelBuilder
			for i := range tt.rows {
				b.Append(label(i % tt.distinct))
			}
			c, err := b.Column(Field{Kind: Category})
			if err != nil {
				t.Fatal(err)
			}
			if got := typeOf(c); got != tt.want {
				t.Errorf("stored as %s, want %s", got, tt.want)
			}
			if c.Dict != nil && c.Dict.Len() != tt.distinct {
				t.Errorf("%d labels, want %d", c.Dict.Len(), tt.distinct)
			}
			for i, v := range values(t, c) {
				if v != string(label(i%tt.distinct)) {
					t.Fatalf("row %d is %v", i, v)
				}
			}
		})
	}
}

// Few labels among many missing values are no reason for strings.
func TestLabelBuilder_SparseColumn(t *testing.T) {
	var b LabelBuilder
	b.AppendMissing(EarlyRows - 1)
	b.Append([]byte("x"))
	b.AppendMissing(10)
	b.Append([]byte("y"))
	c, err := b.Column(Field{Kind: Category})
	if err != nil || c.Dict == nil || c.Dict.Len() != 2 || c.Stats().Present != 2 {
		t.Errorf("%v, stored as %s, %+v", err, typeOf(c), c.Stats())
	}
}

// A builder fed in any mixture of ways holds what was appended, in order.
func TestBuilders_RandomRuns(t *testing.T) {
	text300 := make([]string, 300)
	for i := range text300 {
		text300[i] = fmt.Sprint(i)
	}
	for round := range uint64(25) {
		rng := rand.New(rand.NewPCG(round, 1))
		var (
			ints   IntBuilder
			floats FloatBuilder
			labels LabelBuilder
			plain  = NewPlainLabels()
			text   TextBuilder
			want   []any
			dicts  = []*Dict{NewDict(), NewDict()}
		)
		total := 0
		for range rng.IntN(8) {
			sizes := []int{0, 1, 5, 63, 64, 65, 1000, ChunkRows - 1, ChunkRows, 70_000}
			n := sizes[rng.IntN(len(sizes))]
			if total += n; total > 2*ChunkRows+1000 {
				break
			}
			seed := rng.IntN(1000)
			vals := make([]int32, n)
			f := make([]float64, n)
			codes := make([]uint16, n)
			d := dicts[seed&1]
			s := Strings{Off: []uint32{0}}
			valid := Bitmap(nil)
			if seed%3 > 0 {
				valid = NewBitmap(n)
			}
			for i := range n {
				v := (i*7 + seed) % 300
				if valid != nil && (i+seed)%5 > 0 {
					valid.Set(i)
				}
				vals[i], f[i] = int32(v), float64(v)
				l := []byte(text300[v])
				code, ok := d.Add(l)
				if !ok {
					t.Fatalf("the dictionary is full")
				}
				codes[i] = uint16(code)
				s.Buf = append(s.Buf, l...)
				s.Off = append(s.Off, uint32(len(s.Buf)))
			}
			switch seed % 4 {
			case 0, 1:
				AppendInts(&ints, vals, valid)
				AppendFloats(&floats, f, valid)
				AppendCodes(&labels, d, codes, valid)
				AppendCodes(plain, d, codes, valid)
				text.AppendStrings(s, valid)
			case 2:
				AppendInts(&ints, vals, valid)
				AppendFloats(&floats, vals, valid)
				labels.AppendStrings(s, valid)
				plain.AppendStrings(s, valid)
				text.AppendStrings(s, valid)
			case 3:
				valid = NewBitmap(n)
				ints.AppendMissing(n)
				floats.AppendMissing(n)
				labels.AppendMissing(n)
				plain.AppendMissing(n)
				text.AppendMissing(n)
			}
			for i := range n {
				if valid.Get(i) {
					want = append(want, int64(vals[i]))
				} else {
					want = append(want, nil)
				}
			}
		}
		l, err1 := labels.Column(Field{Kind: Category})
		p, err2 := plain.Column(Field{Kind: Category})
		x, err3 := text.Column(Field{Kind: Text})
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("%v, %v, %v", err1, err2, err3)
		}
		for i, c := range []*Column{ints.Column(Field{}), floats.Column(Field{}), l, p, x} {
			got := values(t, c)
			if len(got) != len(want) {
				t.Fatalf("builder %d has %d rows, want %d", i, len(got), len(want))
			}
			missing := 0
			for row, v := range got {
				w := want[row]
				if w == nil {
					missing++
				}
				switch v := v.(type) {
				case nil:
					if w == nil {
						continue
					}
				case int64:
					if w == v {
						continue
					}
				case float64:
					if w == int64(v) {
						continue
					}
				case string:
					if w != nil && v == text300[w.(int64)] {
						continue
					}
				}
				t.Fatalf("round %d, builder %d, row %d: %v, want %v", round, i, row, v, w)
			}
			if s := c.Stats(); s.Missing != missing || s.Present != len(want)-missing || c.Rows() != len(want) {
				t.Fatalf("builder %d: statistics %+v, want %d of %d missing", i, s, missing, len(want))
			}
		}
		if p.Dict != nil {
			t.Fatalf("plain labels have a dictionary")
		}
		// Codes are given in order of first sight.
		seen := map[any]bool{}
		var order []string
		for _, w := range want {
			if w != nil && !seen[w] {
				seen[w] = true
				order = append(order, text300[w.(int64)])
			}
		}
		if l.Dict.Len() != len(order) {
			t.Fatalf("%d labels, want %d", l.Dict.Len(), len(order))
		}
		for code, label := range order {
			if got := l.Dict.Label(uint32(code)); got != label {
				t.Fatalf("code %d is %q, want %q", code, got, label)
			}
		}
	}
}

func TestDict(t *testing.T) {
	d := NewDict()
	for i := range 10_000 {
		label := fmt.Sprintf("label %d", i*7919%10_000)
		if code, ok := d.Add([]byte(label)); !ok || code != uint32(i) {
			t.Fatalf("Add(%q) = %d, %v, want %d", label, code, ok, i)
		}
		if code, ok := d.Add([]byte(label)); !ok || code != uint32(i) {
			t.Fatalf("Add(%q) again = %d, %v, want %d", label, code, ok, i)
		}
	}
	if _, ok := d.Lookup("label 10000"); ok {
		t.Error("Lookup finds what was not added")
	}
	if code, ok := d.Lookup("label 7919"); !ok || code != 1 {
		t.Errorf("Lookup = %d, %v, want 1", code, ok)
	}
	sorted := make([]string, d.Len())
	for code, pos := range d.Rank() {
		sorted[pos] = d.Label(uint32(code))
	}
	if !slices.IsSorted(sorted) || len(sorted) != 10_000 {
		t.Error("Rank does not sort")
	}
	if code, ok := d.Add(nil); !ok || d.Label(code) != "" {
		t.Error("the empty label is no label")
	}
}

func TestEmbedding(t *testing.T) {
	const rows = 130
	e := NewEmbedding("e", 17, rows)
	if e.Stride != 32 || len(e.Data) != rows*32 || uintptr(unsafe.Pointer(&e.Data[0]))%64 != 0 {
		t.Errorf("stride %d, %d numbers, at %p", e.Stride, len(e.Data), &e.Data[0])
	}
	vec := make([]float32, 17)
	for i := range rows - 1 {
		vec[0], vec[16] = float32(i), 1
		e.Set(i, vec)
	}
	e.Seal(rows)
	if e.Has == nil || e.Has.Get(rows-1) || e.Inv[rows-1] != 0 || e.Inv[0] != 1 || e.Row(5)[0] != 5 || e.Row(5)[16] != 1 {
		t.Errorf("has %v, 1/norm %v, row %v", e.Has, e.Inv, e.Row(5))
	}
	e.Set(rows-1, make([]float32, 17))
	e.Seal(rows)
	if e.Has != nil || e.Inv[rows-1] != 0 {
		t.Errorf("has %v, 1/norm of zeros %v", e.Has, e.Inv[rows-1])
	}
	if want := int64(rows*32*4 + rows*4); e.Bytes() != want {
		t.Errorf("%d bytes, want %d", e.Bytes(), want)
	}
	for n := range 40 {
		if s := AlignedFloats(n); len(s) != n || n > 0 && uintptr(unsafe.Pointer(&s[0]))%64 != 0 {
			t.Errorf("AlignedFloats(%d) has %d numbers", n, len(s))
		}
	}
}

func TestTable_Lookup(t *testing.T) {
	table := &Table{}
	for _, name := range []string{"Price", "day", "DAY", "Größe"} {
		table.Columns = append(table.Columns, &Column{Field: Field{Name: name}})
	}
	for name, want := range map[string]int{"Price": 0, "price": 0, "PRICE": 0, "day": 1, "DAY": 2, "Day": -1, "grösse": -1, "größe": 3, "x": -1, "": -1} {
		if got := table.Lookup(name); got != want {
			t.Errorf("Lookup(%q) = %d, want %d", name, got, want)
		}
	}
	if table.Index("price") != -1 || table.Index("day") != 1 {
		t.Error("Index is not exact")
	}
}

func TestBitmap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := make(Bitmap, 4)
		for i := range src {
			src[i] = rapid.Uint64().Draw(t, "word")
		}
		from := rapid.IntRange(0, 100).Draw(t, "from")
		n := rapid.IntRange(0, 256-from).Draw(t, "n")
		to := rapid.IntRange(0, 100).Draw(t, "to")
		dst := NewBitmap(to + n)
		setRange(dst, 0, to)
		copyBits(dst, to, src, from, n)
		var want strings.Builder
		var got strings.Builder
		for i := range to + n {
			fmt.Fprint(&got, dst.Get(i))
			fmt.Fprint(&want, i < to || src.Get(from+i-to))
		}
		if got.String() != want.String() {
			t.Fatalf("copying %d bits from %d to %d is wrong", n, from, to)
		}
		if dst.Count(to+n) != strings.Count(want.String(), "true") {
			t.Fatalf("Count = %d", dst.Count(to+n))
		}
	})
	if Bitmap(nil).Count(7) != 7 || !Bitmap(nil).Get(3) {
		t.Error("a nil bitmap has every row")
	}
}
