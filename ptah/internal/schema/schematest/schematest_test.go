package schematest

import (
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func TestDump(t *testing.T) {
	one := int64(1)
	typ, err := schema.ParseType("numeric(12, 2)")
	if err != nil {
		t.Fatal(err)
	}
	db := &schema.Database{
		Partial: true,
		Roles:   []*schema.Role{{Name: "app", Login: true}},
		Tables: []*schema.Table{{
			Name: schema.Name{Schema: "shop", Name: "orders"},
			Columns: []*schema.Column{
				{Name: "id", Identity: &schema.Identity{Always: true, SequenceOptions: schema.SequenceOptions{Start: &one}}},
				{Name: "total", Type: typ, Default: &schema.Default{Literal: true, Text: "0"}, Enum: []string{}},
			},
			Constraints: []*schema.Constraint{{
				Kind: schema.ForeignKey, Columns: []string{"a", "b"},
				Reference: &schema.Reference{Table: schema.Name{Name: "t"}},
			}},
			RowSecurity: &schema.RowSecurity{Enabled: true},
			Options:     []schema.Option{{Key: "fillfactor", Value: "70"}},
			Origin:      schema.Origin{Path: "a.sql", Line: 2},
		}},
	}
	const want = `database Partial
table "shop.orders" Options=[{Key="fillfactor" Value="70"}] # a.sql:2
  column "id" Identity={Always Start=1}
  column "total" Type="numeric(12, 2)" Default={Literal Text="0"}
  constraint Kind="FOREIGN KEY" Columns=["a" "b"] Reference={Table="t"}
  rowsecurity Enabled
role "app" Login
`
	if got := DumpPlaced(db); got != want {
		t.Errorf("DumpPlaced:\n%s\nwant\n%s", got, want)
	}
	db.Tables[0].Origin = schema.Origin{}
	if got, placed := Dump(db), DumpPlaced(db); got != placed {
		t.Errorf("Dump of what has no places:\n%s\nwant\n%s", got, placed)
	}
}

func TestFindings(t *testing.T) {
	var rep finding.Report
	rep.Warn(finding.IgnoredFile, "b")
	rep.Problem(finding.Problem{Kind: finding.Index, Rule: "IDX002", Path: "a.sql", Line: 2, Message: "no column"})
	const want = "index a.sql:2: no column (IDX002)\nwarning ignored-file: b\n"
	if got := Findings(&rep); got != want {
		t.Errorf("Findings: %q, want %q", got, want)
	}
}
