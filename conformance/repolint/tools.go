package repolint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ToolFiles wants, in each product's internal/tools: tools.go, which registers
// the tools; every tool defined in a file of its name, one in a file, with a
// sentence "This file defines <tool>, which …"; and every definition registered
// in tools.go.
func ToolFiles(t *Tree) []string {
	var out []string
	for _, p := range products {
		dir := p + "/internal/tools"
		var files []*file
		var list *file
		for _, f := range t.goFiles() {
			if f.dir() == dir && !f.isTest() {
				files = append(files, f)
				if path.Base(f.path) == "tools.go" {
					list = f
				}
			}
		}
		if len(files) == 0 {
			continue
		}
		if list == nil {
			out = append(out, dir+": no tools.go, the list of the tools")
			continue
		}
		for _, f := range files {
			out = append(out, t.toolFile(f, list)...)
		}
	}
	return out
}

func (t *Tree) toolFile(f, list *file) []string {
	var out []string
	defined := definitions(f)
	if len(defined) > 1 {
		out = append(out, fmt.Sprintf("%s: defines %d tools; each has a file of its own", f.path, len(defined)))
	}
	for _, d := range defined {
		if f == list {
			out = append(out, fmt.Sprintf("%s: defines %s; tools.go only lists", t.at(d.pos), d.tool))
			continue
		}
		if got := strings.TrimSuffix(path.Base(f.path), ".go"); got != d.tool {
			out = append(out, fmt.Sprintf("%s: defines %s; its file is %s.go", t.at(d.pos), d.tool, d.tool))
		}
		if !strings.Contains(string(f.text), "// This file defines "+d.tool) {
			out = append(out, fmt.Sprintf("%s: no sentence %q", f.path, "This file defines "+d.tool+", which …"))
		}
		if d.function == "" || !mentions(list, d.function) {
			out = append(out, fmt.Sprintf("%s: %s is not listed in tools.go", t.at(d.pos), d.tool))
		}
	}
	return out
}

// definition is a literal of mcpkit.Tool.
type definition struct {
	tool     string
	function string // the function or variable that holds it
	pos      token.Pos
}

func definitions(f *file) []definition {
	var found []definition
	for _, d := range f.syntax.Decls {
		name := ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			name = d.Name.Name
		case *ast.GenDecl:
			if len(d.Specs) == 1 {
				if v, ok := d.Specs[0].(*ast.ValueSpec); ok {
					name = v.Names[0].Name
				}
			}
		}
		ast.Inspect(d, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !isTool(lit.Type) {
				return true
			}
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				key, ok := kv.Key.(*ast.Ident)
				value, isText := kv.Value.(*ast.BasicLit)
				if ok && isText && key.Name == "Name" {
					if tool, err := strconv.Unquote(value.Value); err == nil {
						found = append(found, definition{tool, name, lit.Pos()})
					}
				}
			}
			return true
		})
	}
	return found
}

// isTool reports whether a type is mcpkit.Tool[…].
func isTool(typ ast.Expr) bool {
	switch x := typ.(type) {
	case *ast.IndexListExpr:
		typ = x.X
	case *ast.IndexExpr:
		typ = x.X
	}
	sel, ok := typ.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "mcpkit" && sel.Sel.Name == "Tool"
}

func mentions(f *file, name string) bool {
	found := false
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// The marks around a generated tool table in a README.
const (
	tableBegin = "<!-- tools: generated from testdata/tools -->"
	tableEnd   = "<!-- end of tools -->"
)

// ToolTables wants the tool table between the marks in a module's README to be
// what its tool snapshots (testdata/tools/*.json) say: a row for each tool with
// its name, its arguments (optional ones in brackets) and the first sentence of
// its description. A README without marks has no table to keep.
func ToolTables(t *Tree) []string {
	var out []string
	for _, f := range t.files {
		if path.Base(f.path) != "README.md" {
			continue
		}
		_, rest, ok := bytes.Cut(f.text, []byte(tableBegin+"\n"))
		if !ok {
			continue
		}
		got, _, ok := bytes.Cut(rest, []byte(tableEnd))
		if !ok {
			out = append(out, f.path+": no line "+tableEnd)
			continue
		}
		want, err := t.toolTable(f.dir())
		if err != nil {
			out = append(out, fmt.Sprintf("%s: %v", f.path, err))
		} else if strings.TrimSpace(string(got)) != want {
			out = append(out, fmt.Sprintf("%s: the tool table is stale; it has to be:\n%s", f.path, want))
		}
	}
	return out
}

func (t *Tree) toolTable(module string) (string, error) {
	var b strings.Builder
	b.WriteString("| tool | arguments | when |\n|---|---|---|")
	rows := 0
	for _, f := range t.files {
		if f.dir() != module+"/testdata/tools" || !strings.HasSuffix(f.path, ".json") {
			continue
		}
		var tool struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			InputSchema struct {
				Properties map[string]json.RawMessage `json:"properties"`
				Required   []string                   `json:"required"`
			} `json:"inputSchema"`
		}
		if err := json.Unmarshal(f.text, &tool); err != nil {
			return "", fmt.Errorf("%s: %w", f.path, err)
		}
		if tool.Name == "" {
			continue // no definition, such as the list of sizes
		}
		required := slices.Sorted(slices.Values(tool.InputSchema.Required))
		args := make([]string, 0, len(tool.InputSchema.Properties))
		for _, name := range required {
			args = append(args, "`"+name+"`")
		}
		var optional []string
		for name := range tool.InputSchema.Properties {
			if !slices.Contains(required, name) {
				optional = append(optional, "[`"+name+"`]")
			}
		}
		slices.Sort(optional)
		args = append(args, optional...)
		sentence, _, _ := strings.Cut(tool.Description, ". ")
		fmt.Fprintf(&b, "\n| `%s` | %s | %s |", tool.Name, strings.Join(args, " "), strings.TrimSuffix(sentence, "."))
		rows++
	}
	if rows == 0 {
		return "", fmt.Errorf("no tool snapshot in %s/testdata/tools", module)
	}
	return b.String(), nil
}
