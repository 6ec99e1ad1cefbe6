package read_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/readtest"
)

const data = "../../../testdata/data"

// want is a .want.json file; testdata/data/README.md says what it means.
type want struct {
	Rows, Ragged, Skipped int
	Embedding             *struct {
		Field       string
		Dim         int
		First, Last []float32
		SHA256      string
	}
	Columns []struct {
		Name, Kind, SHA256 string
		Missing            int
		Distinct           int
		Whole              bool
		Sum                json.Number
		First, Last        any
	}
}

func load(t *testing.T, file string) *input.Result {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	res, err := read.Load(t.Context(), input.Source{Name: filepath.Base(file), R: f, Size: st.Size()}, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// files returns the data files of a folder that have one of the extensions.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(data, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("no file %s: %v", pattern, err)
	}
	return found
}

func TestLoad_DataFiles(t *testing.T) {
	var all []string
	for _, p := range []string{"csv-messy/*.csv", "nycflights13/*.csv", "penguins/*.csv", "vega/*.csv", "vega/*.tsv", "vega/*.jsonl", "embeddings/*.jsonl"} {
		all = append(all, files(t, p)...)
	}
	if len(all) < 30 {
		t.Errorf("only %d files", len(all))
	}
	for _, file := range all {
		t.Run(strings.TrimPrefix(file, data+"/"), func(t *testing.T) {
			text, err := os.ReadFile(file + ".want.json")
			if err != nil {
				t.Fatal(err)
			}
			var w want
			if err := json.Unmarshal(text, &w); err != nil {
				t.Fatal(err)
			}
			compare(t, load(t, file), w)
		})
	}
}

func compare(t *testing.T, res *input.Result, w want) {
	if res.Table.Rows != w.Rows || res.Ragged != w.Ragged || res.Skipped != w.Skipped || res.Replaced != 0 {
		t.Errorf("%d rows, %d ragged, %d skipped, %d replaced, want %d, %d, %d, 0",
			res.Table.Rows, res.Ragged, res.Skipped, res.Replaced, w.Rows, w.Ragged, w.Skipped)
	}
	if len(res.Table.Columns) != len(w.Columns) {
		t.Fatalf("%d columns, want %d", len(res.Table.Columns), len(w.Columns))
	}
	for i, wc := range w.Columns {
		c := res.Table.Columns[i]
		if c.Name != wc.Name || c.Kind.String() != wc.Kind {
			t.Errorf("column %d is %s %q, want %s %q", i, c.Kind, c.Name, wc.Kind, wc.Name)
			continue
		}
		vals := readtest.Values(c)
		h := sha256.New()
		missing := 0
		labels := map[string]bool{}
		sum := new(big.Float).SetPrec(300)
		for _, v := range vals {
			switch v := v.(type) {
			case nil:
				missing++
				h.Write([]byte{1})
			case int64:
				fmt.Fprint(h, v)
				sum.Add(sum, new(big.Float).SetInt64(v))
			case float64:
				fmt.Fprintf(h, "%016x", math.Float64bits(v))
				sum.Add(sum, big.NewFloat(v))
			case string:
				labels[v] = true
				fmt.Fprint(h, v)
			}
			h.Write([]byte{0})
		}
		if missing != wc.Missing {
			t.Errorf("%s: %d missing, want %d", c.Name, missing, wc.Missing)
		}
		if s := c.Stats(); s.Missing != wc.Missing || s.Present != w.Rows-wc.Missing {
			t.Errorf("%s: statistics say %d present and %d missing", c.Name, s.Present, s.Missing)
		}
		switch c.Kind {
		case col.Number:
			got, _ := sum.Float64()
			wantSum, err := wc.Sum.Float64()
			if _, float := c.Chunks[0].Data.([]float64); got != wantSum || err != nil || float == wc.Whole {
				t.Errorf("%s: sum %v (float %v), want %v (whole %v)", c.Name, got, float, wc.Sum, wc.Whole)
			}
		case col.Category:
			if len(labels) != wc.Distinct || c.Dict != nil && c.Dict.Len() != wc.Distinct {
				t.Errorf("%s: %d labels, want %d", c.Name, len(labels), wc.Distinct)
			}
		}
		same := func(got, want any) bool { return want == nil && got == nil || fmt.Sprint(got) == fmt.Sprint(want) }
		if f, ok := wc.First.(float64); ok {
			wc.First, wc.Last = fmt.Sprint(f), fmt.Sprint(wc.Last)
			vals[0] = asFloat(vals[0])
			vals[len(vals)-1] = asFloat(vals[len(vals)-1])
		}
		if !same(vals[0], wc.First) || !same(vals[len(vals)-1], wc.Last) {
			t.Errorf("%s: from %v to %v, want %v to %v", c.Name, vals[0], vals[len(vals)-1], wc.First, wc.Last)
		}
		if got := fmt.Sprintf("%x", h.Sum(nil)); got != wc.SHA256 {
			t.Errorf("%s: digest of all values is %s, want %s", c.Name, got, wc.SHA256)
		}
	}
	e := res.Table.Embedding
	if e == nil || w.Embedding == nil {
		if (e == nil) != (w.Embedding == nil) {
			t.Errorf("embedding %v, want %v", e, w.Embedding)
		}
		return
	}
	if e.Field != w.Embedding.Field || e.Dim != w.Embedding.Dim || e.Has != nil || e.Stride%16 != 0 {
		t.Errorf("embedding %q of %d with stride %d, has %v", e.Field, e.Dim, e.Stride, e.Has)
	}
	var all bytes.Buffer
	for i := range res.Table.Rows {
		if err := binary.Write(&all, binary.LittleEndian, e.Row(i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(all.Bytes())); got != w.Embedding.SHA256 {
		t.Errorf("digest of all vectors is %s, want %s", got, w.Embedding.SHA256)
	}
	if d := cmp.Diff(w.Embedding.First, e.Row(0)) + cmp.Diff(w.Embedding.Last, e.Row(res.Table.Rows-1)); d != "" {
		t.Errorf("vectors differ (-want +got):\n%s", d)
	}
}

func asFloat(v any) any {
	if i, ok := v.(int64); ok {
		return float64(i)
	}
	return v
}

// The files of csv-spectrum come with the right answer: every cell as text.
func TestLoad_CSVSpectrum(t *testing.T) {
	for _, file := range files(t, "csv-spectrum/*.csv") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(strings.TrimSuffix(file, ".csv") + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var rows []map[string]string
			if err := json.Unmarshal(text, &rows); err != nil {
				t.Fatal(err)
			}
			res := load(t, file)
			if res.Table.Rows != len(rows) || res.Ragged != 0 {
				t.Fatalf("%d rows, %d ragged, want %d, 0", res.Table.Rows, res.Ragged, len(rows))
			}
			for _, c := range res.Table.Columns {
				for i, v := range readtest.Values(c) {
					got := fmt.Sprint(v)
					if v == nil {
						got = ""
					}
					if got != rows[i][c.Name] {
						t.Errorf("row %d, column %s: %q, want %q", i, c.Name, got, rows[i][c.Name])
					}
				}
			}
			if len(res.Table.Columns) != len(rows[0]) {
				t.Errorf("%d columns, want %d", len(res.Table.Columns), len(rows[0]))
			}
		})
	}
}

func TestLoad_ByExtension(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"a.csv", "x,y\n1,2\n", ""},
		{"A.CSV", "x,y\n1,2\n", ""},
		{"dir.d/a.tsv", "x\ty\n1\t2\n", ""},
		{"a.jsonl", `{"x":1,"y":2}`, ""},
		{"a.NDJSON", `{"x":1,"y":2}`, ""},
		{"a.arrow", "x,y\n1,2\n", "a.arrow"},
		{"a.xlsx", "", "Vectro cannot read '.xlsx'. It reads .csv, .tsv, .jsonl, .ndjson, .arrow, .feather and .ipc."},
		{"a.csv.gz", "", "Vectro cannot read '.gz'; unpack 'a.csv.gz' first. It reads .csv, .tsv, .jsonl, .ndjson, .arrow, .feather and .ipc."},
		{"a.vectro", "", "'a.vectro' is a dataset, which this version cannot open; load the file it was made from."},
		{"Makefile", "", "Vectro cannot read 'Makefile', which has no extension. It reads .csv, .tsv, .jsonl, .ndjson, .arrow, .feather and .ipc."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := read.Load(context.Background(), readtest.Source(tt.name, tt.content), input.Options{})
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want %s", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			names, kinds, rows := readtest.Table(res.Table)
			if d := cmp.Diff([]any{[]string{"x", "y"}, []string{"number", "number"}, [][]any{{int64(1), int64(2)}}}, []any{names, kinds, rows}); d != "" {
				t.Error(d)
			}
		})
	}
}
