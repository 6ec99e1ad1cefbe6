package arrow

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const dataDir = "../../../../testdata/data/arrow"

// shown is a column as a test compares it: nil, int64, float64 or string a cell,
// dates as ISO text.
type shown struct {
	Name  string
	Kind  string
	Bool  bool
	Cells []any
}

func show(c *col.Column) shown {
	s := shown{Name: c.Name, Kind: c.Kind.String(), Bool: c.Bool, Cells: []any{}}
	for _, ch := range c.Chunks {
		for i := range ch.Len {
			s.Cells = append(s.Cells, cell(c, ch, i))
		}
	}
	return s
}

func cell(c *col.Column, ch *col.Chunk, i int) any {
	if !ch.Valid.Get(i) {
		return nil
	}
	var whole int64
	switch d := ch.Data.(type) {
	case []float64:
		return d[i]
	case col.Strings:
		return strings.Clone(d.At(i))
	case []uint8:
		return c.Dict.Label(uint32(d[i]))
	case []uint16:
		return c.Dict.Label(uint32(d[i]))
	case []uint32:
		return c.Dict.Label(d[i])
	case []int8:
		whole = int64(d[i])
	case []int16:
		whole = int64(d[i])
	case []int32:
		whole = int64(d[i])
	case []int64:
		whole = d[i]
	default:
		panic(fmt.Sprintf("no storage of a chunk: %T", d))
	}
	if c.Kind != col.Date {
		return whole
	}
	_, rest := dates.Split(whole, c.Unit)
	return string(dates.Append(nil, whole, c.Unit, rest == 0, c.Zone))
}

// load reads content as a file of that name, under a budget that small tests
// never reach, and checks that the lease holds what the table does.
func load(t testing.TB, content []byte, types map[string]string) (*input.Result, error) {
	t.Helper()
	lease := &mem.Lease{Budget: mem.NewBudget(64 << 20)}
	defer lease.Close()
	src := input.Source{Name: "test.arrow", R: bytes.NewReader(content), Size: int64(len(content))}
	res, err := Read(context.Background(), src, input.Options{Types: types, Lease: lease, Threads: 2})
	if err != nil {
		if strings.Contains(err.Error(), "internal fault") {
			t.Errorf("panic: %v", err)
		}
		return nil, err
	}
	if got, want := lease.Held(), res.Table.Bytes(); got != want {
		t.Errorf("the lease holds %d bytes, the table %d", got, want)
	}
	if got := lease.Budget.Used(); got != lease.Held() {
		t.Errorf("%d bytes of the budget are used, %d by the lease", got, lease.Held())
	}
	for _, c := range res.Table.Columns {
		if c.Rows() != res.Table.Rows {
			t.Errorf("column %s has %d rows of %d", c.Name, c.Rows(), res.Table.Rows)
		}
	}
	return res, nil
}

// The integration JSON of the Arrow project, as far as the files need it.
type goldenFile struct {
	Schema       struct{ Fields []goldenField }
	Batches      []goldenBatch
	Dictionaries []struct {
		ID   int
		Data goldenBatch
	}
}

type goldenField struct {
	Name string
	Type struct {
		Name      string
		BitWidth  int
		IsSigned  bool
		Precision any
		Scale     int
		Unit      string
		Timezone  string
		ListSize  int
	}
	Children   []goldenField
	Dictionary *struct{ ID int }
	Metadata   []struct{ Key, Value string }
}

type goldenBatch struct {
	Count   int
	Columns []goldenColumn
}

type goldenColumn struct {
	Name     string
	Count    int
	Validity []int `json:"VALIDITY"`
	Data     []any `json:"DATA"`
	Children []goldenColumn
}

func readGolden(t *testing.T, path string) *goldenFile {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	g := new(goldenFile)
	d := json.NewDecoder(z)
	d.UseNumber()
	if err := d.Decode(g); err != nil {
		t.Fatal(err)
	}
	return g
}

// columns returns what the table of section 5.3 makes of the file.
func (g *goldenFile) columns() []shown {
	var list []shown
	names := map[string]int{}
	name := func(n string) string {
		names[n]++
		if k := names[n]; k > 1 {
			return fmt.Sprintf("%s_%d", n, k)
		}
		return n
	}
	for i, f := range g.Schema.Fields {
		fname := f.Name
		if f.Type.Name == "struct" && f.Dictionary == nil {
			for j, kid := range f.Children {
				kname := kid.Name
				if kname == "" {
					kname = fmt.Sprintf("column%d", j+1)
				}
				if s, ok := g.column(kid, func(b goldenBatch) goldenColumn {
					c := b.Columns[i].Children[j]
					masked := make([]int, c.Count)
					for k := range masked {
						masked[k] = c.present(k) & b.Columns[i].present(k)
					}
					c.Validity = masked
					return c
				}); ok {
					s.Name = name(fname + "." + kname)
					list = append(list, s)
				}
			}
			continue
		}
		if s, ok := g.column(f, func(b goldenBatch) goldenColumn { return b.Columns[i] }); ok {
			s.Name = name(fname)
			list = append(list, s)
		}
	}
	return list
}

func (c goldenColumn) present(i int) int {
	if c.Validity == nil {
		return 1
	}
	return c.Validity[i]
}

func (g *goldenFile) column(f goldenField, pick func(goldenBatch) goldenColumn) (shown, bool) {
	s := shown{Cells: []any{}}
	switch f.Type.Name {
	case "int", "floatingpoint", "decimal", "time", "duration", "null":
		s.Kind = "number"
	case "utf8":
		s.Kind = "category"
	case "bool":
		s.Kind, s.Bool = "category", true
	case "date", "timestamp":
		s.Kind = "date"
	default:
		return s, false
	}
	for _, b := range g.Batches {
		c := pick(b)
		for i := range c.Count {
			switch {
			case f.Type.Name == "null" || c.present(i) == 0:
				s.Cells = append(s.Cells, nil)
			case f.Dictionary != nil:
				var values goldenColumn
				for _, d := range g.Dictionaries {
					if d.ID == f.Dictionary.ID {
						values = d.Data.Columns[0]
					}
				}
				at, _ := strconv.Atoi(text(c.Data[i]))
				if values.present(at) == 0 {
					s.Cells = append(s.Cells, nil)
				} else {
					s.Cells = append(s.Cells, f.cell(values.Data[at]))
				}
			default:
				s.Cells = append(s.Cells, f.cell(c.Data[i]))
			}
		}
	}
	return s.settle(f), true
}

func text(v any) string { return fmt.Sprint(v) }

// cell turns one value of the JSON into what a column shows.
func (f goldenField) cell(v any) any {
	x, _ := new(big.Int).SetString(text(v), 10)
	perSecond := map[string]int64{"SECOND": 1, "MILLISECOND": 1e3, "MICROSECOND": 1e6, "NANOSECOND": 1e9}[f.Type.Unit]
	nearest := func(num *big.Int, den *big.Int) float64 {
		n, _ := new(big.Rat).SetFrac(num, den).Float64()
		return n
	}
	switch f.Type.Name {
	case "int":
		if x.IsInt64() {
			return x.Int64()
		}
		return nearest(x, big.NewInt(1))
	case "floatingpoint":
		n, err := v.(json.Number).Float64()
		if err != nil {
			panic(err)
		}
		if f.Type.Precision == "SINGLE" {
			return float64(float32(n))
		}
		return n
	case "decimal":
		return nearest(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(f.Type.Scale)), nil))
	case "bool":
		return text(v)
	case "utf8":
		return v.(string)
	case "time", "duration":
		if perSecond == 1 {
			return x.Int64()
		}
		return nearest(x, big.NewInt(perSecond))
	case "date":
		if f.Type.Unit == "DAY" {
			return iso(time.Unix(x.Int64()*86400, 0), "")
		}
		return iso(time.UnixMilli(x.Int64()), "")
	case "timestamp":
		per := big.NewInt(perSecond)
		sec, frac := new(big.Int).DivMod(x, per, new(big.Int)) // rounds down
		return iso(time.Unix(sec.Int64(), frac.Int64()*(1e9/perSecond)), f.Type.Timezone)
	}
	panic("no cell of " + f.Type.Name)
}

// iso writes t as results do; a whole day has no time here. Years that four digits
// cannot write are missing.
func iso(t time.Time, zone string) any {
	t = t.UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return nil
	}
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	s := t.Format("2006-01-02T15:04:05")
	switch n := t.Nanosecond(); {
	case n == 0:
	case n%1e6 == 0:
		s += t.Format(".000")
	case n%1e3 == 0:
		s += t.Format(".000000")
	default:
		s += t.Format(".000000000")
	}
	if zone != "" {
		s += "Z"
	}
	return s
}

// settle makes the whole numbers of a column floats if one of its values is.
func (s shown) settle(f goldenField) shown {
	fraction := f.Type.Name == "floatingpoint" || f.Type.Name == "decimal" && f.Type.Scale > 0
	for _, v := range s.Cells {
		if _, ok := v.(float64); ok {
			fraction = true
		}
	}
	if fraction {
		for i, v := range s.Cells {
			if n, ok := v.(int64); ok {
				s.Cells[i] = float64(n)
			}
		}
	}
	return s
}

// TestRead_ArrowTestingFiles compares every value of the files of apache/arrow-testing
// with the JSON beside them: as a file, and as a stream under an accepted extension.
func TestRead_ArrowTestingFiles(t *testing.T) {
	paths, err := filepath.Glob(dataDir + "/*.json.gz")
	if err != nil || len(paths) != 16 {
		t.Fatalf("%d files (%v), want 16", len(paths), err)
	}
	skipped := map[string][]string{
		"binary": {
			"column 'binary_nullable' is a binary; Vectro reads no binary data",
			"column 'binary_nonnullable' is a binary; Vectro reads no binary data",
			"column 'fixedsizebinary_19_nullable' is a fixed_size_binary[19]; Vectro reads no binary data",
			"column 'fixedsizebinary_19_nonnullable' is a fixed_size_binary[19]; Vectro reads no binary data",
			"column 'fixedsizebinary_120_nullable' is a fixed_size_binary[120]; Vectro reads no binary data",
			"column 'fixedsizebinary_120_nonnullable' is a fixed_size_binary[120]; Vectro reads no binary data",
		},
		"extension": {
			"column 'uuids' is an extension arrow.uuid of fixed_size_binary[16]; Vectro reads no binary data",
		},
		"nested": {
			"column 'list_nullable' is a list<int32>; Vectro reads flat columns",
			"column 'fixedsizelist_nullable' is a fixed_size_list<int32>; Vectro reads flat columns",
		},
	}
	refused := map[string]string{
		"nested_dictionary": "'test.arrow' has no column that Vectro reads: column 'list_dict' is a dictionary<list<dictionary<utf8>>>; Vectro reads flat columns; column 'struct_dict' is a dictionary<struct>; Vectro reads flat columns.",
		"union":             "'test.arrow' has no column that Vectro reads: column 'sparse_1' is a sparse_union; Vectro reads flat columns; column 'dense_1' is a dense_union; Vectro reads flat columns; column 'sparse_2' is a sparse_union; Vectro reads flat columns; column 'dense_2' is a dense_union; Vectro reads flat columns.",
	}
	for _, path := range paths {
		stem := strings.TrimSuffix(path, ".json.gz")
		name := filepath.Base(stem)
		golden := readGolden(t, path)
		want := golden.columns()
		for _, ext := range []string{".arrow", ".arrows"} {
			t.Run(name+ext, func(t *testing.T) {
				content, err := os.ReadFile(stem + ext)
				if err != nil {
					t.Fatal(err)
				}
				res, err := load(t, content, nil)
				if message, ok := refused[name]; ok {
					if err == nil || err.Error() != message {
						t.Errorf("error = %v\nwant    %s", err, message)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				got := []shown{}
				for _, c := range res.Table.Columns {
					got = append(got, show(c))
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("columns (-want +got):\n%s", d)
				}
				var reasons []string
				for _, s := range res.SkippedColumns {
					reasons = append(reasons, s.Reason)
				}
				if d := cmp.Diff(skipped[name], reasons); d != "" {
					t.Errorf("skipped columns (-want +got):\n%s", d)
				}
				rows := 0
				for _, b := range golden.Batches {
					rows += b.Count
				}
				if res.Table.Rows != rows {
					t.Errorf("rows = %d, want %d", res.Table.Rows, rows)
				}
			})
		}
	}
}

func TestHalf(t *testing.T) {
	for _, tt := range []struct {
		bits uint16
		want float64
	}{
		{0x0000, 0}, {0x3C00, 1}, {0xC000, -2}, {0x7BFF, 65504}, {0x0001, math.Ldexp(1, -24)}, {0x03FF, math.Ldexp(1023, -24)},
		{0x0400, math.Ldexp(1, -14)}, {0x3555, 0.333251953125}, {0x7C00, math.Inf(1)}, {0xFC00, math.Inf(-1)},
	} {
		if got := half(tt.bits); got != tt.want {
			t.Errorf("half(%#04x) = %v, want %v", tt.bits, got, tt.want)
		}
	}
	if got := half(0x7E00); !math.IsNaN(got) {
		t.Errorf("half(0x7E00) = %v, want NaN", got)
	}
}
