package mcptest

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseJSON_KeepsLiteralsAndOrder(t *testing.T) {
	for _, text := range []string{
		`{"b":1.0,"a":9007199254740993,"":[1e2,-0,"\u00e9é"],"\u0061b":null}`,
		`[]`, `{}`, `"x"`, `[[],{"a":{}},true,false]`,
	} {
		n, err := parseJSON([]byte(" " + text + "\n"))
		if err != nil || n.String() != text {
			t.Errorf("parseJSON(%s) = %v, %v, want the text itself", text, n, err)
		}
	}
}

func TestParseJSON_Refuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "0 JSON values",
		"1 2":                "2 JSON values",
		`{"a":1,"a":2}`:      `"a" is given twice`,
		`{"a":1,"\u0061":2}`: `"a" is given twice`,
		"\"\xff\"":           "invalid UTF-8",
		`{"a":`:              "unexpected EOF",
		`[1,]`:               "invalid character",
	} {
		if n, err := parseJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseJSON(%q) = %v, %v, want an error with %q", text, n, err, want)
		}
	}
}

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{`1`, `1`, true}, {`1`, `1.0`, false}, {`1`, `"1"`, false}, {`9007199254740993`, `9007199254740992`, false},
		{`"\u00e9"`, `"é"`, true}, {`{"a":1,"b":2}`, `{"b":2,"a":1}`, false}, {`[1]`, `[1,2]`, false}, {`null`, `[]`, false},
		{`{"a":[{}]}`, ` { "a" : [ { } ] } `, true},
	}
	for _, tt := range tests {
		if got := equal(mustParse(tt.a), mustParse(tt.b)); got != tt.want {
			t.Errorf("equal(%s, %s) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestCompare_Texts(t *testing.T) {
	message := func(text string) *node {
		return mustParse(`{"id":1,"result":{"content":[{"type":"text","text":` + stringNode(text).raw + `}]}}`)
	}
	got := strings.Join(compare(message("one\ntwo é\nthree"), message("one\ntwo ê\nthree\nfour"), nil), "\n")
	for _, want := range []string{`line 2 from character 1`, `want "two é"`, `got  "two ê"`, `line 4 not wanted: "four"`} {
		if !strings.Contains(got, want) {
			t.Errorf("differences do not contain %q:\n%s", want, got)
		}
	}
	many := compare(message(strings.Repeat("a\n", 100)), message(strings.Repeat("b\n", 100)), nil)
	if len(many) != mostDifferences+1 || !strings.Contains(many[mostDifferences], "88 more") {
		t.Errorf("a hundred differences are shown as %d lines, the last %q", len(many), many[len(many)-1])
	}
}

// The parser agrees with encoding/json, except where it is stricter on purpose.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-0.0e1,"\ud800",null,true]}`, `[1,]`, `{"a" 1}`, `{}{}`, "\"\x00\"", `{"a":1,"a":2}`, ` 1 `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := parseTwins(data)
		if valid := json.Valid(data) && utf8.Valid(data); valid != (err == nil) {
			t.Fatalf("parseTwins(%q) = %v, json.Valid = %v", data, err, valid)
		}
		if err != nil {
			return
		}
		again, err := parseTwins([]byte(n.String()))
		if err != nil || !equal(n, again) {
			t.Fatalf("%q reads as %s, which reads as %v, %v", data, n, again, err)
		}
		_, strict := parseJSON(data)
		if strict != nil && !strings.Contains(strict.Error(), "given twice") {
			t.Fatalf("parseJSON(%q) = %v", data, strict)
		}
	})
}
