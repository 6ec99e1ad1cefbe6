package goann

import (
	"go/ast"
	"go/token"
	"slices"
	"sort"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/declare"
)

// typeDecl is a type that a file declares, or a struct without a name that is the type
// of a field.
type typeDecl struct {
	schema.Origin
	name    string
	dir     string // of the file, for other types of its package
	pkg     string
	syntax  ast.Expr          // of a name for another type, once the file is read
	imports []*ast.ImportSpec // of the file
	fields  []*member         // of a struct; nil: it is none

	outer  *typeDecl    // the struct that a struct without a name is a field of
	tables []*directive // ptah:schema:table
	table  *declare.Spec
	counts bool          // as a table: the declaration is complete and not for other dialects
	model  *schema.Table // nil: it is no table of the model
	wanted bool          // something embeds it
	mark   uint8         // of the search for cycles
}

// member is a field of a struct.
type member struct {
	name       string // in Go; of an embedded field, that of its type
	syntax     ast.Expr
	directives []*directive // ptah:schema:field and ptah:embedded
	inner      *typeDecl    // the struct without a name that its type is made of
	columns    []source     // what the directives say
}

// place is what a group of comments stands with.
type place struct {
	decl  *typeDecl
	field *member
}

// fileWalk finds out what the directives of a file stand with.
type fileWalk struct {
	*root
	files  *token.FileSet
	origin schema.Origin
	dir    string
	syntax *ast.File
	decls  []*typeDecl
	placed map[*ast.CommentGroup]place
}

func (w *fileWalk) line(p token.Pos) int {
	// A line directive in the file does not move what it declares.
	return w.files.PositionFor(p, false).Line
}

// types finds the types that the file declares, and the comments that stand with them.
func (w *fileWalk) types() {
	for _, d := range w.syntax.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		for _, s := range gen.Specs {
			spec := s.(*ast.TypeSpec)
			t := w.decl(spec.Name.Name, spec.Type, nil)
			w.root.types = append(w.root.types, t)
			w.named[t.name] = append(w.named[t.name], t)
			w.local[local{t.dir, t.name}] = append(w.local[local{t.dir, t.name}], t)
			if len(gen.Specs) == 1 {
				w.put(gen.Doc, place{decl: t})
			}
			w.put(spec.Doc, place{decl: t})
			w.put(spec.Comment, place{decl: t})
		}
	}
}

func (w *fileWalk) put(g *ast.CommentGroup, p place) {
	if g != nil && p.decl.fields != nil {
		w.placed[g] = p
	}
}

// decl makes a type of its syntax, with the fields that it has if it is a struct.
func (w *fileWalk) decl(name string, syntax ast.Expr, outer *typeDecl) *typeDecl {
	t := &typeDecl{Origin: w.origin, name: name, dir: w.dir, pkg: w.syntax.Name.Name, syntax: syntax, imports: w.syntax.Imports, outer: outer}
	t.Line = w.line(syntax.Pos())
	w.decls = append(w.decls, t)
	s, ok := syntax.(*ast.StructType)
	if !ok {
		return t
	}
	t.fields = []*member{}
	for _, f := range s.Fields.List {
		m := &member{syntax: f.Type, name: typeName(f.Type)}
		if len(f.Names) > 0 {
			m.name = f.Names[0].Name
		}
		if inner, ok := element(f.Type).(*ast.StructType); ok {
			m.inner = w.decl(m.name, inner, t)
			w.root.types = append(w.root.types, m.inner)
		}
		t.fields = append(t.fields, m)
		w.put(f.Doc, place{t, m})
		w.put(f.Comment, place{t, m})
	}
	return t
}

// comments reads the directives of the file and gives them to what they stand with.
func (w *fileWalk) comments() {
	for _, g := range w.syntax.Comments {
		for _, c := range g.List {
			line, ok := isDirective(c.Text)
			if !ok {
				continue
			}
			w.declared = true
			at := w.origin
			position := w.files.PositionFor(c.Pos(), false)
			at.Line = position.Line
			if d := w.directive(line, at, position.Column+len(c.Text)-len(line)); d != nil {
				w.give(d, g)
			}
		}
	}
}

// give attaches a directive to what it stands with, if it may stand there.
func (w *fileWalk) give(d *directive, g *ast.CommentGroup) {
	p, with := w.placed[g]
	if !with {
		var inFunction bool
		if p, inFunction = w.around(g.Pos()); inFunction {
			w.misplaced(d, "stands outside of functions")
			return
		}
	}
	switch d.kind {
	case declare.Table:
		switch {
		case p.decl == nil || p.field != nil:
			w.misplaced(d, "stands before a struct type")
		case p.decl.outer != nil:
			w.misplaced(d, "stands before a struct type that has a name")
		default:
			p.decl.tables = append(p.decl.tables, d)
		}
	case declare.Field, declare.Embedded:
		if p.field == nil {
			w.misplaced(d, "stands before a field of a struct, or behind it in its line")
			return
		}
		p.field.directives = append(p.field.directives, d)
	default:
		w.parts = append(w.parts, part{d, p.decl})
	}
}

func (w *fileWalk) misplaced(d *directive, where string) {
	w.Problem(d.Origin, "SRC004", "", "%s is misplaced: it %s", d.name, where)
	w.DB.Partial = true
}

// around finds what a position is inside of: the innermost struct, or a function.
func (w *fileWalk) around(at token.Pos) (p place, inFunction bool) {
	// Types are in the order in which they begin, the inner ones behind the outer.
	last := sort.Search(len(w.decls), func(i int) bool { return w.decls[i].syntax.Pos() > at }) - 1
	if last >= 0 {
		p.decl = w.decls[last]
	}
	for p.decl != nil && (p.decl.fields == nil || at >= p.decl.syntax.End()) {
		p.decl = p.decl.outer
	}
	last = sort.Search(len(w.syntax.Decls), func(i int) bool { return w.syntax.Decls[i].Pos() > at }) - 1
	if last >= 0 {
		f, ok := w.syntax.Decls[last].(*ast.FuncDecl)
		inFunction = ok && at < f.End()
	}
	return p, inFunction
}

// forget lets go of what is not needed of the file any more, which is most of it.
func (w *fileWalk) forget() {
	for _, t := range w.decls {
		t.fields = slices.DeleteFunc(t.fields, func(m *member) bool { return len(m.directives) == 0 })
		switch t.syntax.(type) {
		case *ast.StructType, *ast.InterfaceType, *ast.FuncType:
			t.syntax = nil
		}
	}
}

// element is the type that a pointer, slice, array or map is made of.
func element(t ast.Expr) ast.Expr {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.ArrayType:
			t = x.Elt
		case *ast.MapType:
			t = x.Value
		default:
			return t
		}
	}
}

// typeName is the name that a field has by its type; empty if it has none.
func typeName(t ast.Expr) string {
	switch x := t.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.ParenExpr:
		return typeName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	}
	return ""
}
