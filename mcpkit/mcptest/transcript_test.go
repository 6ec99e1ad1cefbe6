package mcptest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestParseTranscript_Refuses(t *testing.T) {
	const send = "-- send --\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
	const want = "-- want --\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1,\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}}\n"
	tests := []struct{ name, text, want string }{
		{"no prose", send + want, "no prose"},
		{"nothing sent", "Prose.\n-- send --\n" + want, "no line in the section"},
		{"section twice", "Prose.\n" + send + send, `section "send" is given twice`},
		{"unknown directive", "Prose.\n-- start --\nflags x\n" + send, `"flags" is none of args`},
		{"unfinished string", "Prose.\n-- start --\nargs \"x\n" + send, "unfinished string"},
		{"file outside", "Prose.\n-- ../x --\n" + send, "not a clean relative path"},
		{"copy from outside", "Prose.\n-- start --\ncopy ../x\n" + send, "not a clean relative path"},
		{"era of nowhere", "Prose.\n-- start --\nera ancient\n" + send, "era takes legacy, modern or explicit"},
		{"version of the other era", "Prose.\n-- start --\nera legacy 2026-07-28\n" + send, "a version of that era"},
		{"env without value", "Prose.\n-- start --\nenv SHOP\n" + send, "NAME=VALUE"},
		{"want not JSON", "Prose.\n" + send + "-- want --\n{\"id\":1,}\n", "section \"want\""},
		{"want with twin keys", "Prose.\n" + send + "-- want --\n{\"id\":1,\"id\":2}\n", "given twice"},
		{"stale vary", "Prose.\n" + send + want + "-- vary --\n/result/b number\n", "no wanted answer has a value there"},
		{"vary that does not match", "Prose.\n" + send + want + "-- vary --\n/result/a string\n", "does not match"},
		{"vary over the result", "Prose.\n" + send + want + "-- vary --\n/result string\n", "whole answer"},
		{"vary over the text", "Prose.\n" + send + want + "-- vary --\n/result/content/0/text string\n", "accepts any text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseTranscript([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("parseTranscript() = %v, want an error with %q", err, tt.want)
			}
		})
	}
	if _, err := parseTranscript([]byte("Prose.\n" + send + want + "-- vary --\n/result/a number\n")); err != nil {
		t.Errorf("parseTranscript() of the twin without a mistake = %v", err)
	}
}

func TestParseVary(t *testing.T) {
	tests := []struct{ line, yes, no string }{
		{"/result/a number", `1.5`, `"1.5"`},
		{"/result/a string", `"x"`, `1`},
		{"/result/a token", `"abcd_1234-x"`, `"short"`},
		{"/result/a digest", `"sha256:0123456789abcdef"`, `"sha256:xyz"`},
		{"/result/a time", `"2026-11-30T10:00:00Z"`, `"yesterday"`},
		{"/result/a path", `"/tmp/x"`, `"tmp/x"`},
		{"/result/a duration", `"1.5s"`, `"1.5"`},
		{"/result/a match [0-9]+ rows", `"12 rows"`, `"12 rows and more"`},
		{"/result/a match 4[0-9]", `42`, `420`},
		{`id "a b" /result/a number`, `1.5`, `"1.5"`},
	}
	for _, tt := range tests {
		v, err := ParseVary(tt.line)
		if err != nil {
			t.Errorf("ParseVary(%q): %v", tt.line, err)
			continue
		}
		if !v.match(mustParse(tt.yes)) || v.match(mustParse(tt.no)) {
			t.Errorf("%q: match(%s) = %v, match(%s) = %v, want true, false", tt.line, tt.yes, v.match(mustParse(tt.yes)), tt.no, v.match(mustParse(tt.no)))
		}
		if v.String() != tt.line {
			t.Errorf("ParseVary(%q).String() = %q", tt.line, v)
		}
	}
	for _, line := range []string{
		"id /result/a number", "id null /result/a number", "id 1.5 /result/a number", "result/a number", "/result/a", "/result/a float", "/result/a match (", "/result number", "/error string", "/id number",
		"/result/structuredContent string", "/result/content/0 string", "/result/* string", "/*/content string",
		"/result/content/*/text string", "/error/message match (?s).*", "/result/isError match true", "/error/code number",
	} {
		if v, err := ParseVary(line); err == nil {
			t.Errorf("ParseVary(%q) = %v, want an error", line, v)
		}
	}
}

func TestToolCalls(t *testing.T) {
	tr := load(t, faultyTranscript)
	want := []ToolCall{{Tool: "echo"}, {Tool: "echo"}, {Tool: "echo", Failed: true}}
	if got := tr.ToolCalls(); !reflect.DeepEqual(got, want) {
		t.Errorf("ToolCalls() = %v, want %v", got, want)
	}
}

func TestEras(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	tests := []struct {
		name, start, send string
		want              []string
	}{
		{"by default both", "", ping, []string{"legacy 2025-11-25", "modern 2026-07-28"}},
		{"named", "era legacy 2024-11-05\nera modern\n", ping, []string{"legacy 2024-11-05", "modern 2026-07-28"}},
		{"explicit", "era explicit\n", ping, []string{"explicit"}},
		{"initialize in the lines", "", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, []string{"explicit"}},
		{"version in the lines", "", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, []string{"explicit"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr, err := parseTranscript([]byte("Prose.\n-- start --\n" + tt.start + "-- send --\n" + tt.send + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, era := range tr.Eras() {
				got = append(got, era.String())
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("Eras() = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestParseSend_Literals(t *testing.T) {
	got, err := parseSend([]byte("{\"a\":1}\n\n\"\\xff\\x00 raw\\r\"\n\"\"\n"))
	want := [][]byte{[]byte(`{"a":1}`), []byte("\xff\x00 raw\r"), {}}
	if err != nil || len(got) != len(want) {
		t.Fatalf("parseSend() = %q, %v, want %q", got, err, want)
	}
	for i := range want {
		if string(got[i]) != string(want[i]) {
			t.Errorf("line %d = %q, want %q", i, got[i], want[i])
		}
	}
}

// A pattern for one answer leaves the others compared.
func TestCompare_VaryOfOneAnswer(t *testing.T) {
	v, err := ParseVary("id 2 /result/ms number")
	if err != nil {
		t.Fatal(err)
	}
	answer := func(id, ms string) *node { return mustParse(`{"id":` + id + `,"result":{"ms":` + ms + `}}`) }
	if got := compare(answer("2", "5"), answer("2", "6"), []Vary{v}); len(got) > 0 {
		t.Errorf("answer 2: %v, want no differences", got)
	}
	if got := compare(answer("1", "5"), answer("1", "6"), []Vary{v}); len(got) != 1 {
		t.Errorf("answer 1: %v, want one difference", got)
	}
	if got := compare(answer(`"2"`, "5"), answer(`"2"`, "6"), []Vary{v}); len(got) != 1 {
		t.Errorf(`answer "2": %v, want one difference`, got)
	}
}

// A default becomes one line, or one for each answer that it fits.
func TestVary_Apply(t *testing.T) {
	d, err := ParseVary("/result/content/0/text match took [0-9]+ ms")
	if err != nil {
		t.Fatal(err)
	}
	answer := func(id, text string) *node {
		return mustParse(`{"id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`)
	}
	tests := []struct {
		name    string
		answers []*node
		want    string
	}{
		{"no answer", nil, "[]"},
		{"no match", []*node{answer("1", "x")}, "[]"},
		{"all", []*node{answer("1", "took 1 ms"), answer("2", "took 2 ms"), mustParse(`{"id":3,"error":{}}`)}, "[/result/content/0/text match took [0-9]+ ms]"},
		{"one", []*node{answer("1", "x"), answer(`"2"`, "took 2 ms")}, `[id "2" /result/content/0/text match took [0-9]+ ms]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(d.apply(tt.answers)); got != tt.want {
				t.Errorf("apply() = %s, want %s", got, tt.want)
			}
		})
	}
}
