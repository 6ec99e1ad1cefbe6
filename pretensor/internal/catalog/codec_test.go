package catalog

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// What is known and zero is not the same as what is not known.
func TestEncode_KeepsZeros(t *testing.T) {
	zero, one, nought, half := int64(0), int64(1), 0.0, 0.5
	data := &Data{Connection: "shop", Generation: "g", Facts: make([]Facts, 3), Tables: []model.Table{
		{Name: "a", Bytes: &zero},
		{Name: "b", Rows: &zero, Bytes: &one, Columns: []model.Column{
			{Name: "x"}, {Name: "y", Stats: &model.Stats{NullFraction: &nought, Correlation: &half}}, {Name: "z", Stats: &model.Stats{Distinct: &zero, Correlation: &nought}},
		}},
		{Name: "c", Rows: &one},
	}}
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
}
