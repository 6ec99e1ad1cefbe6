package catalog

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// What is read says what was written, and what it says often it holds once.
func TestDecode_SharesTexts(t *testing.T) {
	data := &Data{Connection: "shop", Generation: "g"}
	long := strings.Repeat("a long comment ", 10)
	for i := range 3 {
		name := fmt.Sprint("t", i)
		data.Tables = append(data.Tables, model.Table{
			Schema: "public", Name: name, Type: model.BaseTable, PrimaryKey: &model.Key{Name: name + "_pkey", Columns: []string{"id"}},
			Columns: []model.Column{
				{Name: "id", Type: "bigint", Comment: long, Enum: []string{"open"}, Stats: &model.Stats{Min: "open", Common: []string{"bigint"}, Histogram: []string{"1", "2"}}},
			},
			ForeignKeys: []model.ForeignKey{{Name: "k", Columns: []string{"id"}, RefSchema: "public", RefTable: "t0", RefColumns: []string{"id"}}},
			Indexes:     []model.Index{{Name: name + "_pkey", Columns: []string{"id"}, Type: "btree"}},
		})
		data.Joins = append(data.Joins, Join{From: i, FromColumn: "id", ToColumn: "id", Reasoning: "they are called the same"})
	}
	data.Facts = make([]Facts, len(data.Tables))
	b, err := Encode(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(data, got); diff != "" {
		t.Errorf("-written +read\n%s", diff)
	}
	one := func(what string, texts ...string) {
		t.Helper()
		for _, s := range texts[1:] {
			if unsafe.StringData(s) != unsafe.StringData(texts[0]) {
				t.Errorf("%s: %q is there twice", what, s)
			}
		}
	}
	x, y := got.Tables[0], got.Tables[2]
	one("columns", x.Columns[0].Name, y.Columns[0].Name, y.PrimaryKey.Columns[0], x.ForeignKeys[0].RefColumns[0], y.Indexes[0].Columns[0], got.Joins[1].ToColumn)
	one("types", x.Columns[0].Type, y.Columns[0].Type, y.Columns[0].Stats.Common[0])
	one("labels", x.Columns[0].Enum[0], y.Columns[0].Enum[0], y.Columns[0].Stats.Min)
	one("reasons", got.Joins[0].Reasoning, got.Joins[2].Reasoning)
	one("keys", y.PrimaryKey.Name, y.Indexes[0].Name)
}
