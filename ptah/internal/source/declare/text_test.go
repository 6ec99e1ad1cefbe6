package declare

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text string
		sql  bool
		want string
	}{
		{"", false, ""},
		{"  ", true, ""},
		{"a", false, "a"},
		{" a , b ", false, "a|b"},
		{"a,,b", false, "a||b"},
		{"a,", false, "a|"},
		{"it's,b", false, "it's|b"},
		{"it's,b", true, "it's|b"},
		{"f(a,b),c", false, "f(a|b)|c"},
		{"f(a,b),c", true, "f(a,b)|c"},
		{"x IN ('a,b',')'),y", true, "x IN ('a,b',')')|y"},
		{`"a,b",c[1,2]`, true, `"a,b"|c[1,2]`},
		{"a),b", true, "a)|b"},
		{"(a,b", true, "(a,b"},
	} {
		if got := strings.Join(split(c.text, c.sql), "|"); got != c.want {
			t.Errorf("split(%q, %t) = %q, want %q", c.text, c.sql, got, c.want)
		}
	}
}

func TestReference(t *testing.T) {
	for text, want := range map[string]string{
		"t(c)":                 "t c",
		" s.t ( c ) ":          "s.t c",
		`"a.b"."c""d"("e(f)")`: `a.b.c"d e(f)`,
		"order items(its id)":  "order items its id",
	} {
		got, err := reference(text)
		if err != nil || fmt.Sprint(got.Table, " ", got.Columns[0]) != want {
			t.Errorf("reference(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "t", "t(", "t()", "t(a,b)", "(a)", ".t(a)", "s.(a)", "a.b.c(d)", "t(a)b", "t(a))", `"t(a)`, `t("a)`, `""(a)`, `a"b(c)`, "t(a) (b)"} {
		if got, err := reference(text); err == nil {
			t.Errorf("reference(%q) = %v, want an error", text, got)
		}
	}
}

func TestTableName(t *testing.T) {
	for text, want := range map[string]schema.Name{
		"t": {Name: "t"}, "s.t": {Schema: "s", Name: "t"}, `"s.t"`: {Name: "s.t"}, ` "a" . "b" `: {Schema: "a", Name: "b"}, "a b": {Name: "a b"},
	} {
		if got, err := tableName(text); err != nil || got != want {
			t.Errorf("tableName(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".", "a.", ".b", "a.b.c", "a(b)", `"a`, `"a"b`} {
		if got, err := tableName(text); err == nil {
			t.Errorf("tableName(%q) = %v, want an error", text, got)
		}
	}
}

func TestColumnOf(t *testing.T) {
	for text, want := range map[string]string{"t.c": "t c", "s.t.c": "s.t c", `"a.b".c`: "a.b c"} {
		if got, err := columnOf(text); err != nil || fmt.Sprint(got.Table, " ", got.Column) != want {
			t.Errorf("columnOf(%q) = %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "t", "a.b.c.d", "t(c)", "t."} {
		if got, err := columnOf(text); err == nil {
			t.Errorf("columnOf(%q) = %v, want an error", text, got)
		}
	}
}

func TestIndexKey(t *testing.T) {
	for text, want := range map[string]schema.IndexKey{
		"a":                           {Column: "a"},
		"order id":                    {Column: "order id"},
		"a desc":                      {Column: "a", Desc: true},
		"a ASC  nulls first":          {Column: "a", Nulls: "FIRST"},
		"a DESC NULLS LAST":           {Column: "a", Desc: true, Nulls: "LAST"},
		`"a DESC" DESC`:               {Column: "a DESC", Desc: true},
		`"a""b(c)"`:                   {Column: `a"b(c)`},
		"title(20)":                   {Column: "title", Length: 20},
		"title (20) DESC":             {Column: "title", Length: 20, Desc: true},
		"lower(a)":                    {Expr: "lower(a)"},
		"(a + b)":                     {Expr: "a + b"},
		"((a)) DESC":                  {Expr: "a", Desc: true},
		"(a) || (b)":                  {Expr: "(a) || (b)"},
		"(a || ')')":                  {Expr: "a || ')'"},
		"f(20, a)":                    {Expr: "f(20, a)"},
		"title(0)":                    {Expr: "title(0)"},
		"title(99999999999999999999)": {Expr: "title(99999999999999999999)"},
		"(":                           {Expr: "("},
		"DESC":                        {Column: "DESC"},
	} {
		if got := indexKey(text); got != want {
			t.Errorf("indexKey(%q) = %+v, want %+v", text, got, want)
		}
	}
}

func TestParams(t *testing.T) {
	for text, want := range map[string]schema.Param{
		"a integer":                      {Name: "a", Type: "integer"},
		"integer":                        {Type: "integer"},
		"double precision":               {Type: "double precision"},
		"a double precision":             {Name: "a", Type: "double precision"},
		"OUT a integer":                  {Mode: "OUT", Name: "a", Type: "integer"},
		"inout timestamp with time zone": {Mode: "INOUT", Type: "timestamp with time zone"},
		"VARIADIC list text[]":           {Mode: "VARIADIC", Name: "list", Type: "text[]"},
		"a text DEFAULT 'x = y'":         {Name: "a", Type: "text", Default: "'x = y'"},
		"a text = 'b'":                   {Name: "a", Type: "text", Default: "'b'"},
		"a text:=now()":                  {Name: "a", Type: "text", Default: "now()"},
		`"a" numeric(12,2)`:              {Name: "a", Type: "numeric(12,2)"},
	} {
		if got := params([]string{text}); len(got) != 1 || got[0] != want {
			t.Errorf("params(%q) = %+v, want %+v", text, got, want)
		}
	}
}

func TestEvents(t *testing.T) {
	got := events("insert  or update of a, b OR Delete")
	if want := []string{"INSERT", "UPDATE OF a, b", "DELETE"}; !reflect.DeepEqual(got, want) {
		t.Errorf("events = %q, want %q", got, want)
	}
}

func TestPrivileges(t *testing.T) {
	got := privileges([]string{"select", "update(a, B)", "all  privileges"})
	if want := []string{"SELECT", "UPDATE (a, B)", "ALL"}; !reflect.DeepEqual(got, want) {
		t.Errorf("privileges = %q, want %q", got, want)
	}
}
