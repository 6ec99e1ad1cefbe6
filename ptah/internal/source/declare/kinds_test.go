package declare

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/docs"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

var allKinds = []*Kind{
	Table, Field, Embedded, Index, Constraint, Enum, Domain, Composite, Range, Namespace, Extension, Sequence, Function, Procedure,
	Trigger, View, MatView, Role, Grant, RowSecurity, Policy, Data,
}

// good are values that an attribute takes, and bad are those it does not.
func values(a *Attr) (good, bad []string) {
	switch a.Type {
	case Bool:
		return []string{"true", "FALSE"}, []string{"", "yes", "1", "t"}
	case Int:
		return []string{"0", "-5", "9223372036854775807"}, []string{"", "x", "1.5", "9223372036854775808", "0x10"}
	case Word:
		return []string{a.Words[0], strings.ToLower(a.Words[len(a.Words)-1])}, []string{"", "something else"}
	case Expr:
		return []string{"x", " x "}, []string{"", "  "}
	case Names, Exprs:
		return []string{"a", "a, b"}, []string{"a,,b", ",a", "a,"}
	case Labels:
		return []string{"postgres", "postgres, mysql"}, []string{"a,,b"}
	case Pairs:
		return []string{"a" + a.Sep + "b"}, []string{"a,,b"}
	}
	return []string{"x", ""}, nil
}

// Every attribute of every kind takes what its type says, under both of its names, once
// and for one dialect, and nothing else.
func TestKinds(t *testing.T) {
	for _, k := range allKinds {
		for i := range k.Attrs {
			a := &k.Attrs[i]
			language := schema.Annotation
			if a.YAML {
				language = schema.YAML
			}
			set := func(name string, raws ...Raw) (problems []finding.Problem) {
				var rep finding.Report
				s := NewUnit(language, dialect.Postgres, &rep).NewSpec(k, schema.Origin{Language: language}, 1)
				for _, raw := range raws {
					s.Set(name, raw)
				}
				return rep.Problems()
			}
			good, bad := values(a)
			for _, text := range good {
				if p := set(a.Name, Raw{Text: text}); len(p) > 0 {
					t.Errorf("%s.%s does not take %q: %v", k.Name, a.Name, text, p)
				}
				if a.Alias == "" {
					continue
				}
				if p := set(a.Alias, Raw{Text: text}); len(p) > 0 {
					t.Errorf("%s.%s does not take %q: %v", k.Name, a.Alias, text, p)
				}
			}
			rule := finding.Rule("SRC003")
			if a.Rule != "" {
				rule = a.Rule
			}
			for _, text := range bad {
				if p := set(a.Name, Raw{Text: text}); len(p) != 1 || p[0].Rule != rule || !strings.Contains(p[0].Message, `"`+a.Name+`"`) {
					t.Errorf("%s.%s with %q: %v, want one %s", k.Name, a.Name, text, p, rule)
				}
			}
			if p := set(a.Name, Raw{Text: good[0]}, Raw{Text: good[0]}); len(p) != 1 || !strings.Contains(p[0].Message, "repeats") {
				t.Errorf("%s.%s twice: %v", k.Name, a.Name, p)
			}
			if p := set(a.Name, Raw{Form: Null}); (len(p) == 0) != (a.Name == "default") {
				t.Errorf("%s.%s without a value: %v", k.Name, a.Name, p)
			}
			bare := a.Type == Bool || a.Type == Word && good[0] == "true"
			if p := set(a.Name, Raw{Form: Bare}); (len(p) == 0) != bare {
				t.Errorf("%s.%s alone: %v", k.Name, a.Name, p)
			}
			listed := a.Type >= Names || a.Name == "event"
			if p := set(a.Name, Raw{Form: Listed, List: []string{"postgres"}}); (len(p) == 0) != listed {
				t.Errorf("%s.%s with a list: %v", k.Name, a.Name, p)
			}
		}
	}
}

// What a kind needs is asked for, and nothing else.
func TestKinds_Required(t *testing.T) {
	for _, k := range allKinds {
		var rep finding.Report
		u := NewUnit(schema.Annotation, dialect.Postgres, &rep)
		if u.NewSpec(k, schema.Origin{}, 0).Done() {
			t.Errorf("%s counts without anything", k.Name)
		}
		var want []string
		for _, a := range k.Attrs {
			if a.Required {
				want = append(want, a.Name)
			}
		}
		problems := rep.Problems()
		if len(problems) != len(want) || !u.DB.Partial {
			t.Errorf("%s: %v, want one for each of %v; partial %t", k.Name, problems, want, u.DB.Partial)
		}
		for _, name := range want {
			if !strings.Contains(rep.Problems()[0].Message+problems[len(problems)-1].Message, name) && len(want) < 3 {
				t.Errorf("%s: %v does not name %s", k.Name, problems, name)
			}
		}
	}
}

// Attributes of YAML are not those of annotations.
func TestKinds_YAMLOnly(t *testing.T) {
	for _, k := range allKinds {
		for _, a := range k.Attrs {
			if !a.YAML {
				continue
			}
			var rep finding.Report
			NewUnit(schema.Annotation, dialect.Postgres, &rep).NewSpec(k, schema.Origin{}, 0).Set(a.Name, Raw{Text: "true"})
			if !rep.Failed() {
				t.Errorf("%s.%s is taken in annotations", k.Name, a.Name)
			}
		}
	}
}

// The pages on annotations and YAML name every attribute, in both of its forms.
func TestKinds_Documented(t *testing.T) {
	for _, name := range []string{"go-annotations.md", "yaml.md"} {
		text, err := fs.ReadFile(docs.Files, "declare/"+name)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range allKinds {
			if name == "yaml.md" && k == Embedded {
				continue // it is of Go alone
			}
			for _, a := range k.Attrs {
				if a.YAML && name != "yaml.md" || name == "yaml.md" && strings.HasPrefix(a.Name, "ttl_") {
					continue
				}
				if !strings.Contains(string(text), "`"+a.Name) {
					t.Errorf("%s does not name %s of a %s", name, a.Name, k.Name)
				}
			}
		}
	}
}
