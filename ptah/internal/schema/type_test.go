package schema

import (
	"reflect"
	"testing"
)

func TestParseType(t *testing.T) {
	for text, want := range map[string]Type{
		"BIGSERIAL":                      {Name: "BIGSERIAL"},
		"NUMERIC(12, 2)":                 {Name: "NUMERIC", Args: []string{"12", "2"}},
		"character varying (20)":         {Name: "character varying", Args: []string{"20"}},
		"timestamp(3) with  time zone":   {Name: "timestamp with time zone", Args: []string{"3"}},
		"int unsigned zerofill":          {Name: "int", Unsigned: true, Zerofill: true},
		"text[][3]":                      {Name: "text", Array: 2},
		"integer array":                  {Name: "integer", Array: 1},
		"integer ARRAY[4]":               {Name: "integer", Array: 1},
		`"Mood"`:                         {Name: "Mood", Quoted: true},
		`app."Mood"[]`:                   {Schema: "app", Name: "Mood", Quoted: true, Array: 1},
		`"a b"."c""d"(3)`:                {Schema: "a b", Name: `c"d`, Quoted: true, Args: []string{"3"}},
		"pg_catalog.int4":                {Schema: "pg_catalog", Name: "int4"},
		"ENUM('a,b', 'it''s', ')')":      {Name: "ENUM", Args: []string{"'a,b'", "'it''s'", "')'"}},
		"geometry(Point, 4326)":          {Name: "geometry", Args: []string{"Point", "4326"}},
		"Decimal(38, 10)":                {Name: "Decimal", Args: []string{"38", "10"}},
		"Map(String, Array(Tuple(a,b)))": {Name: "Map", Args: []string{"String", "Array(Tuple(a,b))"}},
		"SETOF app.t":                    {Schema: "app", Name: "t", SetOf: true},
		"interval day to second(3)":      {Name: "interval day to second", Args: []string{"3"}},
		"[my]]type]":                     {Name: "my]type", Quoted: true},
		"NVARCHAR(MAX)":                  {Name: "NVARCHAR", Args: []string{"MAX"}},
	} {
		got, err := ParseType(text)
		got.Text = ""
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", " ", "(3)", "int(", "int(1", "int(1)(2)", "enum('a", `"`, `""`, "a.", "int)", "text[x]", `"a" b`, "int('"} {
		if got, err := ParseType(text); err == nil {
			t.Errorf("%q: %+v, want an error", text, got)
		}
	}
}
