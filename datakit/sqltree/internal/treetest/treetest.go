// Package treetest prints trees of package sqltree and checks what must hold of
// every tree, for the tests of the front ends.
package treetest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// Line describes a node by itself: its type, its scalar fields that are not
// zero, and the text that it spans with white space collapsed.
//
//	Join{Kind:LEFT} a LEFT JOIN b ON a.x = b.x
func Line(text string, n sqltree.Node) string {
	v := reflect.ValueOf(n).Elem()
	var b strings.Builder
	b.WriteString(v.Type().Name())
	var fields []string
	scalars(v, "", &fields)
	if len(fields) > 0 {
		b.WriteString("{" + strings.Join(fields, " ") + "}")
	}
	s := n.Pos()
	b.WriteString(" " + strings.Join(strings.Fields(text[s.Start:s.End]), " "))
	return b.String()
}

var (
	nodeType = reflect.TypeFor[sqltree.Node]()
	spanType = reflect.TypeFor[sqltree.Span]()
)

func scalars(v reflect.Value, prefix string, out *[]string) {
	for i := range v.NumField() {
		f, name := v.Field(i), prefix+v.Type().Field(i).Name
		if f.IsZero() || f.Type() == spanType {
			continue
		}
		switch f.Kind() {
		case reflect.Bool:
			*out = append(*out, name)
		case reflect.String, reflect.Int:
			*out = append(*out, fmt.Sprintf("%s:%v", name, f))
		case reflect.Uint8:
			*out = append(*out, fmt.Sprintf("%s:%d", name, f.Uint()))
		case reflect.Pointer:
			if e := f.Elem(); e.Kind() == reflect.Bool || e.Kind() == reflect.String {
				*out = append(*out, fmt.Sprintf("%s:%v", name, e))
			}
		case reflect.Slice:
			if f.Type().Elem().Kind() == reflect.String {
				*out = append(*out, fmt.Sprintf("%s:%v", name, f))
			}
		case reflect.Struct:
			if !f.Addr().Type().Implements(nodeType) {
				scalars(f, name+".", out)
			}
		}
	}
}

// Lines returns the lines of all nodes of a script, in the order of a walk.
func Lines(s *sqltree.Script) []string {
	var out []string
	sqltree.Inspect(s, func(n sqltree.Node) bool {
		out = append(out, Line(s.Text, n))
		return true
	})
	return out
}

// Dump prints the tree of a script, a line for each node and its children
// indented below it. Of a long text the middle is left out.
func Dump(s *sqltree.Script) string {
	var b strings.Builder
	var dump func(n sqltree.Node, indent int)
	dump = func(n sqltree.Node, indent int) {
		line := Line(s.Text, n)
		if r := []rune(line); len(r) > 100 {
			line = string(r[:70]) + " … " + string(r[len(r)-25:])
		}
		b.WriteString(strings.Repeat("  ", indent) + line + "\n")
		for _, c := range sqltree.Children(n) {
			dump(c, indent+1)
		}
	}
	for _, st := range s.Statements {
		dump(st, 0)
	}
	return b.String()
}

// Missing returns the first of want that is not among the script's lines behind
// the ones before it; "" if all are there.
func Missing(s *sqltree.Script, want []string) string {
	lines := Lines(s)
	i := 0
	for _, w := range want {
		for i < len(lines) && lines[i] != w {
			i++
		}
		if i == len(lines) {
			return w
		}
		i++
	}
	return ""
}

// Problems returns what is wrong with the spans of a script: a span outside of
// the text, an empty one, one that leaves that of its parent, and an identifier
// whose span does not hold its spelling, which unquote turns into its name. The
// names of types and functions may be other than spelled.
func Problems(s *sqltree.Script, unquote func(spelling string) string) []string {
	var out []string
	var check func(n, parent sqltree.Node, named bool)
	check = func(n, parent sqltree.Node, named bool) {
		at := n.Pos()
		if at.Start < 0 || at.End > len(s.Text) || at.Start >= at.End {
			out = append(out, fmt.Sprintf("%T has the span %v", n, at))
			return
		}
		if parent != nil {
			if p := parent.Pos(); at.Start < p.Start || at.End > p.End {
				out = append(out, fmt.Sprintf("%s leaves its parent %s", Line(s.Text, n), Line(s.Text, parent)))
			}
		}
		if id, ok := n.(*sqltree.Ident); ok && !named {
			if got := unquote(s.Text[at.Start:at.End]); got != id.Name {
				out = append(out, fmt.Sprintf("identifier %q spans %q", id.Name, s.Text[at.Start:at.End]))
			}
		}
		switch n.(type) {
		case *sqltree.TypeName, *sqltree.Func:
			for _, c := range sqltree.Children(n) {
				_, name := c.(*sqltree.Name)
				if name {
					for _, part := range sqltree.Children(c) {
						check(part, c, true)
					}
					continue
				}
				check(c, n, false)
			}
			return
		}
		for _, c := range sqltree.Children(n) {
			check(c, n, named)
		}
	}
	var last sqltree.Statement
	for _, st := range s.Statements {
		if last != nil && st.Pos().Start < last.Pos().End {
			out = append(out, fmt.Sprintf("%s begins before the statement before it ends", Line(s.Text, st)))
		}
		check(st, nil, false)
		last = st
	}
	return out
}

// Depth returns how many nodes stand one below the other in a script, at most.
func Depth(s *sqltree.Script) int {
	var depth func(n sqltree.Node) int
	depth = func(n sqltree.Node) int {
		below := 0
		for _, c := range sqltree.Children(n) {
			below = max(below, depth(c))
		}
		return below + 1
	}
	deepest := 0
	for _, st := range s.Statements {
		deepest = max(deepest, depth(st))
	}
	return deepest
}

// Timely runs parse, which parses a text, and fails the test if it takes long for a
// short text: more than five seconds for 4 KB, where milliseconds are usual.
func Timely(t *testing.T, text string, parse func()) {
	t.Helper()
	start := time.Now()
	parse()
	if took := time.Since(start); len(text) <= 4<<10 && took > 5*time.Second {
		t.Fatalf("parsing %d bytes takes %v: %q", len(text), took, text)
	}
}
