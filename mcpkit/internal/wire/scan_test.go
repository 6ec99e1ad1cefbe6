package wire

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestScan_AgreesWithEncodingJSON(t *testing.T) {
	for _, in := range []string{
		`{}`, `[]`, `null`, `0`, `-0`, `01`, `1.`, `1.5e+7`, `1e`, `-`, `"a"`, `"a`, `"\u00e9"`, `"\u00g9"`, `"\x"`, "\"\t\"",
		`{"a":1}`, `{"a":1,}`, `{"a"}`, `{a:1}`, `{"a":1 "b":2}`, `{,}`, `[1,]`, `[,1]`, `[1 2]`, `[1]]`, `[`, `{`, `{"a":`, `}`,
		`[}`, `{]`, `{"a":[1,{"b":[]}],"c":"}"}`, `true`, `tru`, `truex`, `nul`, ` {} `, "\r\n{}\t", `{} {}`, `"\ud800"`, `NaN`, ``, ` `, "\x00", `'a'`,
		`[[[]]]`, `[{},{}]`, `{"":""}`, `"\\"`, `"\"`, `"\u12"`, `-1`, `--1`, `+1`, `.5`, `1.e1`, `1e5`, `1E-5`, `{"a":{"a":{}}}`,
	} {
		_, err := scan([]byte(in))
		if got, want := err == nil, json.Valid([]byte(in)); got != want {
			t.Errorf("scan(%q) accepts: %v, want %v (%v)", in, got, want, err)
		}
	}
}

func TestScan_Members(t *testing.T) {
	in := ` {"a" : [1,{"b":2}], "\u0062":"}", "a":-1.5e3 , "deep":{"x":{"y":[[]]}}} `
	doc, err := scan([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range doc.members {
		got = append(got, text(m.name.of([]byte(in)))+"="+string(m.value.of([]byte(in))))
	}
	want := `a=[1,{"b":2}];b="}";a=-1.5e3;deep={"x":{"y":[[]]}}`
	if s := strings.Join(got, ";"); s != want {
		t.Errorf("members = %s, want %s", s, want)
	}
	if doc.depth != 5 {
		t.Errorf("depth = %d, want 5", doc.depth)
	}
	if v, ok := doc.find([]byte(in), "a"); !ok || string(v.of([]byte(in))) != "-1.5e3" {
		t.Errorf("find takes %q, want the last member of the name", v.of([]byte(in)))
	}
}

func TestScan_Elements(t *testing.T) {
	in := `[ 1 ,[2,3], {"a":[4]},"]"]`
	doc, err := scan([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range doc.elements {
		got = append(got, string(e.of([]byte(in))))
	}
	if s := strings.Join(got, ";"); s != `1;[2,3];{"a":[4]};"]"` {
		t.Errorf("elements = %s", s)
	}
}

func TestScan_InvalidUTF8IsRefused(t *testing.T) {
	if _, err := scan([]byte("{\"a\":\"\xff\"}")); !errors.Is(err, errUTF8) {
		t.Errorf("err = %v, want %v", err, errUTF8)
	}
}

func TestScan_AnyDepth(t *testing.T) {
	const n = 1_000_000
	doc, err := scan([]byte(strings.Repeat("[", n) + strings.Repeat("]", n)))
	if err != nil || doc.depth != n {
		t.Errorf("depth = %d, %v, want %d", doc.depth, err, n)
	}
}

// FuzzScan holds the scanner against encoding/json: same verdict, and members
// that decode to the same values.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[{"a":[1,2]},null]`, `{"a":"\ud800","a":1e400}`, `"\u00e9"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := scan(data)
		valid := json.Valid(data) && utf8.Valid(data)
		if doc.depth > 9000 {
			return // encoding/json stops at 10,000
		}
		if (err == nil) != valid {
			t.Fatalf("scan(%q) = %v, valid = %v", data, err, valid)
		}
		if err != nil || doc.kind != '{' {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		for name, value := range want {
			// Names with lone surrogates may fall together; the last one wins in both.
			got, ok := doc.find(data, name)
			if !ok || string(got.of(data)) != string(value) {
				t.Fatalf("find(%q, %q) = %q, %v, want %q", data, name, got.of(data), ok, value)
			}
		}
	})
}
