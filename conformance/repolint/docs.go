package repolint

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// PackageComments wants one package comment in each package, which says what
// it is for in its first sentence: "Package x …", for a command "Command x …".
func PackageComments(t *Tree) []string {
	comments := map[string][]string{} // folder → files with a package comment
	var folders []string
	var out []string
	for _, f := range t.goFiles() {
		if f.isTest() {
			continue
		}
		if _, ok := comments[f.dir()]; !ok {
			comments[f.dir()] = nil
			folders = append(folders, f.dir())
		}
		if f.syntax.Doc == nil {
			continue
		}
		comments[f.dir()] = append(comments[f.dir()], path.Base(f.path))
		want := "Package " + f.syntax.Name.Name + " "
		if f.isCommand() {
			want = "Command " + path.Base(f.dir()) + " "
		}
		if text := f.syntax.Doc.Text(); !strings.HasPrefix(text, want) {
			out = append(out, fmt.Sprintf("%s: the package comment begins %q, want %q", t.at(f.syntax.Doc.Pos()), firstWords(text), want+"…"))
		}
	}
	for _, dir := range folders {
		switch files := comments[dir]; len(files) {
		case 0:
			out = append(out, dir+": no package comment")
		case 1:
		default:
			out = append(out, fmt.Sprintf("%s: package comments in %s; one is enough", dir, strings.Join(files, " and ")))
		}
	}
	return out
}

func firstWords(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(3, len(words))], " ")
}

// customary are methods whose meaning an interface of the standard library
// fixes, so that a comment could only repeat it.
var customary = []string{
	"Error", "Unwrap", "Is", "As", "String", "GoString", "Format", "Len", "Less", "Swap", "Push", "Pop", "Read", "Write", "ReadByte",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "Enabled", "Handle", "WithAttrs", "WithGroup", "ServeHTTP", "RoundTrip",
}

// ExportedDocs wants a comment on every exported constant, variable, type,
// function, and method of an exported type, outside commands and tests. The
// comment of a group, or one at the end of the line, will do for constants and
// variables; methods of the standard library's interfaces, and of one that the
// same package documents, need none.
func ExportedDocs(t *Tree) []string {
	var out []string
	promised := t.interfaceMethods()
	for _, f := range t.goFiles() {
		if f.isTest() || f.isCommand() {
			continue
		}
		missing := func(pos token.Pos, what, name string) {
			out = append(out, fmt.Sprintf("%s: %s %s has no comment", t.at(pos), what, name))
		}
		for _, d := range f.syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Doc == nil && d.Name.IsExported() && ofExported(d) && !(d.Recv != nil && promised[f.dir()+"."+d.Name.Name]) {
					missing(d.Pos(), "function", d.Name.Name)
				}
			case *ast.GenDecl:
				undocumented(d, missing)
			}
		}
	}
	return out
}

// interfaceMethods returns the methods of documented interfaces, as folder and
// name.
func (t *Tree) interfaceMethods() map[string]bool {
	promised := map[string]bool{}
	for _, f := range t.goFiles() {
		for _, d := range f.syntax.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range group.Specs {
				typ, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				face, ok := typ.Type.(*ast.InterfaceType)
				if !ok || group.Doc == nil && typ.Doc == nil {
					continue
				}
				for _, m := range face.Methods.List {
					for _, name := range m.Names {
						promised[f.dir()+"."+name.Name] = true
					}
				}
			}
		}
	}
	return promised
}

// ofExported reports whether a reader of the documentation meets the function.
func ofExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	if slices.Contains(customary, d.Name.Name) {
		return false
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

func undocumented(d *ast.GenDecl, missing func(pos token.Pos, what, name string)) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				missing(s.Pos(), "type", s.Name.Name)
			}
		case *ast.ValueSpec:
			if d.Doc != nil || s.Doc != nil || s.Comment != nil {
				continue
			}
			for _, n := range s.Names {
				if n.IsExported() {
					missing(n.Pos(), d.Tok.String(), n.Name)
				}
			}
		}
	}
}

// TestNames wants names that say what is tested: a word, then perhaps the case
// after an underscore, as in TestPatch_KillDuringRename.
func TestNames(t *Tree) []string {
	var out []string
	for _, f := range t.goFiles() {
		if !f.isTest() {
			continue
		}
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name == "TestMain" {
				continue
			}
			for _, kind := range []string{"Test", "Benchmark", "Fuzz"} {
				rest, ok := strings.CutPrefix(fn.Name.Name, kind)
				if ok && isTestSignature(fn) && !telling(rest) {
					out = append(out, fmt.Sprintf("%s: %s does not say what is tested; want %sThing or %sThing_Case", t.at(fn.Pos()), fn.Name.Name, kind, kind))
				}
			}
		}
	}
	return out
}

func isTestSignature(fn *ast.FuncDecl) bool {
	return fn.Type.Results == nil && fn.Type.Params != nil && len(fn.Type.Params.List) == 1
}

// telling reports whether the rest of a test's name holds words: parts that
// begin with a letter, the first in upper case, and not one letter and digits.
func telling(rest string) bool {
	for i, part := range strings.Split(rest, "_") {
		if part == "" || i == 0 && (part[0] < 'A' || part[0] > 'Z') {
			return false
		}
		if i == 0 && strings.Trim(part[1:], "0123456789") == "" {
			return false
		}
	}
	return true
}
