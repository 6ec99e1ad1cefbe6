package goann

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/declare"
)

// kinds are the directives, without the ptah: that all begin with.
var kinds = map[string]*declare.Kind{
	"schema:table":      declare.Table,
	"schema:field":      declare.Field,
	"embedded":          declare.Embedded,
	"schema:index":      declare.Index,
	"schema:constraint": declare.Constraint,
	"schema:enum":       declare.Enum,
	"schema:domain":     declare.Domain,
	"schema:composite":  declare.Composite,
	"schema:range":      declare.Range,
	"schema:schema":     declare.Namespace,
	"schema:extension":  declare.Extension,
	"schema:sequence":   declare.Sequence,
	"schema:function":   declare.Function,
	"schema:procedure":  declare.Procedure,
	"schema:trigger":    declare.Trigger,
	"schema:view":       declare.View,
	"schema:matview":    declare.MatView,
	"schema:role":       declare.Role,
	"schema:grant":      declare.Grant,
	"schema:rls:enable": declare.RowSecurity,
	"schema:rls:policy": declare.Policy,
	"schema:data":       declare.Data,
}

const mark = "ptah:"

// directive is a comment line that declares something.
type directive struct {
	schema.Origin
	name  string // as it is written, with ptah:
	kind  *declare.Kind
	attrs []attr
	bad   bool // a part of the line could not be read
}

type attr struct {
	key  string
	text string
	form declare.Form
}

// isDirective returns what follows the slashes of a line comment and their blanks, and
// whether it is a directive: it begins with ptah:.
func isDirective(comment string) (line string, ok bool) {
	text, ok := strings.CutPrefix(comment, "//")
	line = strings.TrimLeft(text, " \t")
	return line, ok && strings.HasPrefix(line, mark)
}

// mistake is what is wrong with the form of a directive, and where in its line, in bytes
// from 0. It never has a part of a value, which may be a password.
type mistake struct {
	at   int
	what string
}

// lex takes a line apart: the name of a directive, then attributes, which are a key alone
// or key=value, the value quoted as in Go or without blanks. What is before a mistake is
// returned with it.
func lex(line string) (name string, attrs []attr, wrong *mistake) {
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		return line, nil, nil
	}
	name = line[:end]
	i := end
	for {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		if i == len(line) {
			return name, attrs, nil
		}
		start := i
		for i < len(line) && isWord(line[i]) {
			i++
		}
		key := line[start:i]
		if slices.Contains(strings.Split(key, "."), "") {
			return name, attrs, &mistake{i, `an attribute is key="value", or a key alone where it is true or false`}
		}
		a := attr{key: key, form: declare.Bare}
		if i < len(line) && line[i] == '=' {
			n, text, what := value(line[i+1:])
			if what != "" {
				return name, attrs, &mistake{i + 1, what}
			}
			a.text, a.form = text, declare.Plain
			i += 1 + n
		}
		if i < len(line) && line[i] != ' ' && line[i] != '\t' {
			return name, attrs, &mistake{i, "a blank stands between attributes"}
		}
		attrs = append(attrs, a)
	}
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// value reads the value at the beginning of a text, and says how long it is there.
func value(text string) (n int, value, wrong string) {
	if !strings.HasPrefix(text, `"`) {
		if n = strings.IndexAny(text, " \t"); n < 0 {
			n = len(text)
		}
		if n == 0 {
			return 0, "", "a value is missing"
		}
		return n, text[:n], ""
	}
	for n = 1; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case '"':
			value, err := strconv.Unquote(text[:n+1])
			if err != nil {
				return 0, "", "the value has an escape that Go does not have"
			}
			return n + 1, value, ""
		}
	}
	return 0, "", "the quote does not end"
}

// directive reads a directive; nil, with a problem, if there is none of its name. Column
// is where its line begins in the line of the file, in bytes from 1.
func (r *root) directive(line string, at schema.Origin, column int) *directive {
	name, attrs, wrong := lex(line)
	d := &directive{Origin: at, name: name, attrs: attrs}
	d.kind = kinds[strings.TrimPrefix(name, mark)]
	if d.kind == nil {
		var names []string
		for n := range kinds {
			names = append(names, mark+n)
		}
		near := nearest.Best(name, names)
		switch {
		case name == mark:
			r.Problem(at, "SRC003", "", "the name of the directive is missing: %s is followed by one, without a blank", mark)
		case near != "":
			r.Problem(at, "SRC003", "", "there is no directive %.80q; did you mean %q?", name, near)
		default:
			r.Problem(at, "SRC003", "", "there is no directive %.80q", name)
		}
		r.DB.Partial = true
		return nil
	}
	if wrong != nil {
		r.Problem(at, "SRC003", "", "%s cannot be read at column %d: %s", name, column+wrong.at, wrong.what)
		d.bad = true
	}
	return d
}

// spec makes a declaration of a directive. One that could not be read to its end gives a
// declaration that does not count.
func (r *root) spec(d *directive, owner string) (spec *declare.Spec, ok bool) {
	spec = r.NewSpec(d.kind, d.Origin, len(d.attrs))
	spec.Directive, spec.Owner = d.name, owner
	if d.bad {
		r.DB.Partial = true
		return spec, false
	}
	// The name and its schema come first, for the problems of the others.
	slices.SortStableFunc(d.attrs, func(a, b attr) int { return rank(a) - rank(b) })
	for _, a := range d.attrs {
		raw := declare.Raw{Text: a.text, Form: a.form}
		if !strings.HasPrefix(a.key, "platform.") {
			spec.Set(a.key, raw)
			continue
		}
		parts := strings.Split(a.key, ".")
		if len(parts) != 3 {
			spec.Fail(0, "SRC003", "has a bad override %.80q: it is platform.<dialect>.<attribute>", a.key)
			continue
		}
		spec.SetFor(parts[1], parts[2], raw)
	}
	return spec, spec.Done()
}

func rank(a attr) int {
	if a.key == "name" || a.key == "schema" {
		return 0
	}
	return 1
}
