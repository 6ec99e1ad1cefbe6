package goann

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// FuzzDirective takes any text as the line of a directive, before a struct and before its
// field. What it is must not matter to anything but the report, and a password in it
// must not come out again.
func FuzzDirective(f *testing.F) {
	for _, line := range []string{
		`ptah:schema:table name="t" primary_key="a,b" checks="a > 0, b IN (1,2)" platform.mysql.engine="InnoDB"`,
		`ptah:schema:field name="a" type="ENUM" enum="x,y" foreign="s.t(c)" default="it's" primary`,
		`ptah:schema:index name="i" fields="lower(a) DESC NULLS LAST,b(20),(c)" ops="lower(a)=x,b=y" dialects="pg"`,
		`ptah:schema:constraint name="e" type="EXCLUDE" elements="a WITH =, (f(b, c)) WITH &&"`,
		`ptah:schema:function name="f" body="x" params="IN a int, b double precision DEFAULT 1, c text = ','"`,
		`ptah:schema:trigger name="t" timing="INSTEAD_OF" event="UPDATE OF a, b OR DELETE" body="x"`,
		`ptah:schema:composite name="c" fields="a:numeric(1,2),b:text[]"`,
		`ptah:embedded mode="relation" field="x" ref="\"a.b\".\"c\"(\"d\")"`,
		`ptah:schema:role name="r" password="sesame" x`,
		"ptah:", "ptah:x\x00", "ptah:schema:enum name=\"\xff\" values=\"", `ptah:schema:enum name=" \`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\r\n") || len(line) > 1<<12 {
			return
		}
		files := fstest.MapFS{"a.go": {Data: []byte("package a\n\n//" + line + "\ntype T struct {\n\t//" + line + "\n\tA int\n}\n")}}
		var rep finding.Report
		Load(t.Context(), files, ".", "a", dialect.Postgres, &rep)
		for _, p := range rep.Problems() {
			if strings.Contains(p.Message, "sesame") && strings.Contains(line, "ptah:schema:role") && !strings.Contains(line, `name="sesame`) && strings.Contains(line, `password="sesame"`) {
				t.Errorf("%q shows the password: %s", line, p)
			}
			if strings.ContainsAny(p.Message, "\n\x00") {
				t.Errorf("%q: %q is not one clean line", line, p.Message)
			}
		}
	})
}

// What is taken apart by the lexer is the line again.
func FuzzLex(f *testing.F) {
	f.Add(`ptah:x a b="c" d=e`)
	f.Fuzz(func(t *testing.T, line string) {
		name, attrs, wrong := lex(line)
		if wrong != nil && (wrong.at < 0 || wrong.at > len(line)) {
			t.Fatalf("%q is wrong at %d", line, wrong.at)
		}
		if !strings.HasPrefix(line, name) {
			t.Fatalf("%q has the name %q", line, name)
		}
		rest := line
		for _, a := range attrs {
			at := strings.Index(rest, a.key)
			if at < 0 {
				t.Fatalf("%q has no %q behind what is before it", line, a.key)
			}
			rest = rest[at+len(a.key):]
		}
	})
}

// Short files whose structs embed others twice make no endless tables.
func TestLoad_EmbeddingGrows(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n\n//ptah:schema:table name=\"t\"\ntype T struct {\n\t//ptah:embedded mode=\"inline\"\n\tS0\n}\n")
	for i := range 40 {
		name := func(n int) string { return "S" + strings.Repeat("x", n) }
		if i == 0 {
			b.WriteString("type S0 = S\n")
		}
		b.WriteString("type " + name(i) + " struct {\n\t//ptah:embedded mode=\"inline\" prefix=\"a\"\n\tA " + name(i+1) +
			"\n\t//ptah:embedded mode=\"inline\" prefix=\"b\"\n\tB " + name(i+1) + "\n}\n")
	}
	b.WriteString("type S" + strings.Repeat("x", 40) + " struct {\n\tA int //ptah:schema:field name=\"a\" type=\"int\"\n}\n")
	var rep finding.Report
	start := time.Now()
	Load(t.Context(), fstest.MapFS{"a.go": {Data: []byte(b.String())}}, ".", "a", dialect.Postgres, &rep)
	problems := rep.Problems()
	if len(problems) != 1 || problems[0].Rule != "SRC009" {
		t.Errorf("problems after %s: %v", time.Since(start), problems)
	}
}
