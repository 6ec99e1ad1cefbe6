package yamldoc

import (
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
)

// show writes what a value is, with the place where it stands.
func show(d *Document, n ast.Node) string {
	plain, err := d.Plain(n)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	if s, ok := Scalar(plain); ok {
		return s
	}
	if pairs, ok := Pairs(plain); ok {
		var out []string
		for _, p := range pairs {
			out = append(out, Key(p)+"="+show(d, p.Value))
		}
		return "{" + strings.Join(out, " ") + "}"
	}
	if list, ok := plain.(*ast.SequenceNode); ok {
		var out []string
		for _, v := range list.Values {
			out = append(out, show(d, v))
		}
		return "[" + strings.Join(out, " ") + "]"
	}
	return "-"
}

func TestParse_Values(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb: [x, 'y z', 1.50, true, null]\n": "{a=1 b=[x y z 1.50 true -]}",
		"a: 1\n'a': 2\n":                  "{a=1 a=2}", // the reader's business
		"x: &m {p: 1}\ny: *m\nz: !t *m\n": "{x={p=1} y={p=1} z={p=1}}",
		"a: |\n  two\n  lines\n":          "{a=two\nlines\n}",
		"# nothing\n":                     "-",
		"":                                "-",
		"a: *b\n":                         "{a=(the alias has no anchor (line 1, column 4))}",
		"a: &a !t *a\n":                   "{a=(aliases go round in circles (line 1, column 9))}",
	} {
		d, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := show(d, d.Body); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestParse_Refused(t *testing.T) {
	var keys strings.Builder
	for i := range 2000 {
		keys.WriteString("k" + strings.Repeat("x", i%7) + ": 1\n")
	}
	for text, want := range map[string]string{
		"a: [1":                         "this is not YAML: sequence end token ']' not found (line 1, column 4)",
		"a: 1\n---\nb: 2\n":             "one document is allowed, this is the second (line 3, column 1)",
		"a: 'secret\n":                  "this is not YAML",
		strings.Repeat("#", MaxSize+1):  "the YAML has 1048577 bytes, at most 1048576 are read",
		strings.Repeat("[", 500_000):    "more than 100 brackets are opened and not closed",
		strings.Repeat("{a: ", 200_000): "more than 100 brackets are opened and not closed",
		strings.Repeat("- ", 500_000):   "this is nested too deeply",
		"a: " + strings.Repeat("[", 60) + strings.Repeat("]", 60): "this is nested too deeply (line 1, column 54)",
		keys.String(): "a mapping has more than 1000 keys (line 1001",
		"a: {" + strings.Repeat("b, ", 300_000) + "}": "a mapping has more than 1000 keys",
	} {
		_, err := Parse(text)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.60q: error %v, want %q", text, err, want)
		}
	}
}

func TestStart(t *testing.T) {
	d, err := Parse("\n\n  a:\n    b: 1\n")
	if err != nil {
		t.Fatal(err)
	}
	if at := Start(d.Body); at.Position.Line != 3 || at.Position.Column != 3 {
		t.Errorf("starts at line %d, column %d, want 3 and 3", at.Position.Line, at.Position.Column)
	}
	if Start(nil) != nil {
		t.Error("nothing starts somewhere")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a: 1\n", "&a [*a]", "? [a]\n: b\n", "x: |\n  y\n", "{", "%YAML 1.2\n---\na: 1\n", "- - a", "\"\\", "!", "<<: *a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			if err.Message == "" || err.Line < 0 {
				t.Fatalf("%q: %+v", text, err)
			}
			return
		}
		if _, err := d.Plain(d.Body); err != nil && err.Message == "" {
			t.Fatalf("%q: %+v", text, err)
		}
	})
}
