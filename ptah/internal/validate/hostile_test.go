package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// TestValidate_AnySchema: whatever is in a model, validating it ends, says the same each
// time, and every problem is one line with a rule.
func TestValidate_AnySchema(t *testing.T) {
	names := rapid.SampledFrom([]string{"", "a", "b", "A", "t", "u", "v", "public", "pg_x", "a b", "a\x00", "\xff", `"`, strings.Repeat("é", 40), strings.Repeat("x", 200), "a\nb"})
	exprs := rapid.SampledFrom([]string{"", "a", "a > 0", "(", ")", "a) FROM t WHERE (a", "SELECT a FROM t", "SELECT * FROM v", "SELECT a FROM u JOIN t USING (a)", "'", "a -- x", "\x00", "$1", strings.Repeat("(", 3000), strings.Repeat("a + ", 5000) + "a", "WITH a AS (SELECT 1) SELECT * FROM a"})
	types := rapid.SampledFrom([]string{"", "int", "bigserial", "varchar(0)", "numeric(5,6)", "text[]", "e", "d", "enum", "citext", "json", "a.b"})
	qualified := rapid.Custom(func(t *rapid.T) schema.Name {
		return schema.Name{Schema: rapid.SampledFrom([]string{"", "", "public", "app"}).Draw(t, "schema"), Name: names.Draw(t, "name")}
	})
	typ := rapid.Custom(func(t *rapid.T) schema.Type {
		parsed, _ := schema.ParseType(types.Draw(t, "type"))
		parsed.Native = rapid.Bool().Draw(t, "native")
		return parsed
	})
	at := schema.Origin{Path: "x"}
	list := func(t *rapid.T, label string) []string { return rapid.SliceOfN(names, 0, 3).Draw(t, label) }
	constraint := rapid.Custom(func(t *rapid.T) *schema.Constraint {
		k := &schema.Constraint{Kind: rapid.SampledFrom([]schema.ConstraintKind{schema.PrimaryKey, schema.Unique, schema.Check, schema.ForeignKey, schema.Exclude}).Draw(t, "kind"),
			Name: names.Draw(t, "constraint"), Table: qualified.Draw(t, "of"), Columns: list(t, "columns"), Expr: exprs.Draw(t, "check"), Origin: at}
		if rapid.Bool().Draw(t, "refers") {
			k.Reference = &schema.Reference{Table: qualified.Draw(t, "to"), Columns: list(t, "to columns"), OnDelete: rapid.SampledFrom([]string{"", "CASCADE", "SET NULL", "SET DEFAULT", "x"}).Draw(t, "action"), SetColumns: list(t, "set")}
		}
		if rapid.Bool().Draw(t, "keys") {
			k.Keys = []schema.IndexKey{{Column: names.Draw(t, "key")}, {Expr: exprs.Draw(t, "key expression")}}
		}
		return k
	})
	indexes := rapid.Custom(func(t *rapid.T) *schema.Index {
		return &schema.Index{Name: names.Draw(t, "index"), Table: qualified.Draw(t, "of"), Where: exprs.Draw(t, "where"), Keys: []schema.IndexKey{{Column: names.Draw(t, "key")}, {Expr: exprs.Draw(t, "expr")}}, Include: list(t, "include"), Origin: at}
	})
	tables := rapid.Custom(func(t *rapid.T) *schema.Table {
		x := &schema.Table{Name: qualified.Draw(t, "table"), Constraints: rapid.SliceOfN(constraint, 0, 3).Draw(t, "constraints"), Indexes: rapid.SliceOfN(indexes, 0, 2).Draw(t, "indexes"), OrderBy: exprs.Draw(t, "order"), Origin: at}
		for range rapid.IntRange(0, 3).Draw(t, "columns") {
			col := &schema.Column{Name: names.Draw(t, "column"), Type: typ.Draw(t, "type"), Native: rapid.Bool().Draw(t, "native"), Nullable: rapid.Bool().Draw(t, "null"), AutoIncrement: rapid.Bool().Draw(t, "auto"), Inherited: rapid.Bool().Draw(t, "inherited"), Enum: list(t, "enum"), Origin: at}
			switch rapid.IntRange(0, 3).Draw(t, "value") {
			case 0:
				col.Default = &schema.Default{Literal: rapid.Bool().Draw(t, "literal"), Text: exprs.Draw(t, "default")}
			case 1:
				col.Generated = &schema.Generated{Expr: exprs.Draw(t, "generated"), Stored: true}
			case 2:
				col.Identity = &schema.Identity{SequenceOptions: schema.SequenceOptions{Increment: n64(rapid.Int64().Draw(t, "increment")), Max: n64(rapid.Int64().Draw(t, "max"))}}
			}
			x.Columns = append(x.Columns, col)
		}
		if rapid.Bool().Draw(t, "inherits") {
			x.Inherits = []schema.Name{qualified.Draw(t, "parent")}
		}
		if rapid.Bool().Draw(t, "partition") {
			x.Partition = &schema.Partition{Of: qualified.Draw(t, "whole")}
		}
		return x
	})
	views := rapid.Custom(func(t *rapid.T) *schema.View {
		return &schema.View{Name: qualified.Draw(t, "view"), Body: exprs.Draw(t, "body"), Columns: list(t, "columns"), Recursive: rapid.Bool().Draw(t, "recursive"), Materialized: rapid.Bool().Draw(t, "materialized"), Indexes: rapid.SliceOfN(indexes, 0, 1).Draw(t, "indexes"), Origin: at}
	})
	rapid.Check(t, func(t *rapid.T) {
		db := &schema.Database{
			Tables: rapid.SliceOfN(tables, 0, 4).Draw(t, "tables"), Views: rapid.SliceOfN(views, 0, 3).Draw(t, "views"),
			Constraints: rapid.SliceOfN(constraint, 0, 2).Draw(t, "constraints"), Indexes: rapid.SliceOfN(indexes, 0, 2).Draw(t, "indexes"),
			Enums:     []*schema.Enum{{Name: schema.Name{Name: "e"}, Values: list(t, "labels")}},
			Domains:   []*schema.Domain{{Name: schema.Name{Name: "d"}, Type: typ.Draw(t, "domain"), Checks: []*schema.Constraint{{Expr: exprs.Draw(t, "domain check")}}}},
			Sequences: []*schema.Sequence{{Name: qualified.Draw(t, "sequence"), OwnedBy: &schema.ColumnRef{Table: qualified.Draw(t, "owner"), Column: names.Draw(t, "owner column")}}},
			Triggers:  []*schema.Trigger{{Name: names.Draw(t, "trigger"), Table: qualified.Draw(t, "of"), Timing: "BEFORE", Events: []string{"UPDATE OF " + names.Draw(t, "event")}}},
			Policies:  []*schema.Policy{{Name: names.Draw(t, "policy"), Table: qualified.Draw(t, "of"), Using: exprs.Draw(t, "using")}},
			Grants:    []*schema.Grant{{Privileges: []string{"SELECT (" + names.Draw(t, "granted"), ""}, On: rapid.SampledFrom([]string{"", "SEQUENCE", "SCHEMA", "FUNCTION", "x"}).Draw(t, "on"), Object: qualified.Draw(t, "object")}},
			Routines:  []*schema.Routine{{Name: qualified.Draw(t, "routine"), Params: []schema.Param{{Type: types.Draw(t, "parameter")}}}},
		}
		d := rapid.SampledFrom(dialect.All()).Draw(t, "dialect")
		first := problems(db, d, "")
		if again := problems(db, d, ""); !slices.Equal(first, again) {
			t.Fatalf("%v\nand then\n%v", first, again)
		}
		for _, p := range first {
			if strings.ContainsAny(p.Message, "\n\x00") || p.Rule == "" || p.Message == "" {
				t.Fatalf("problem %#v", p)
			}
		}
	})
}

// TestValidate_Cancelled: nothing is checked when the call is over.
func TestValidate_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rep := &finding.Report{}
	Validate(ctx, database(tableOf("t", "a int", "a int")), pg, "", rep)
	if rep.Failed() {
		t.Errorf("problems %v after the end", rep.Problems())
	}
}

// TestValidate_Cascades: the ways of many cascades are looked for in bounded time.
func TestValidate_Cascades(t *testing.T) {
	objects := []any{tableOf("t0", "id int not null", pk("id"))}
	const n = 5000
	for i := 1; i < n; i++ {
		objects = append(objects, tableOf(fmt.Sprintf("t%d", i), "id int not null", "a int", pk("id"), fk("a", fmt.Sprintf("t%d(id)", i-1), "ON DELETE CASCADE")))
	}
	objects = append(objects, tableOf("last", "id int not null", "a int", "b int", pk("id"), fk("a", "t1(id)", "ON DELETE CASCADE"), fk("b", fmt.Sprintf("t%d(id)", n-1), "ON DELETE CASCADE")))
	expect(t, database(objects...), mssql, "", "FK011")
}
