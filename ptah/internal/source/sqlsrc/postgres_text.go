package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	pgsql "github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// edit replaces a piece of the text at hand.
type edit struct {
	sqltree.Span
	text string
}

// edited is the text of a span after the edits that fall into it.
func (in *postgres) edited(s sqltree.Span, edits []edit) string {
	return strings.TrimSpace(edited(in.text, s, edits))
}

func edited(text string, s sqltree.Span, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.Start - b.Start })
	var b strings.Builder
	at := s.Start
	for _, e := range edits {
		if e.Start < at || e.End > s.End {
			continue
		}
		b.WriteString(text[at:e.Start])
		b.WriteString(e.text)
		at = e.End
	}
	b.WriteString(text[at:s.End])
	return b.String()
}

// textOf is the text of a span as the author wrote it. Where a search path is set, the
// names in it that mean something else without the path are qualified.
func (in *postgres) textOf(s sqltree.Span, nodes ...sqltree.Node) string {
	if !in.strays() {
		return strings.TrimSpace(in.text[s.Start:s.End])
	}
	return in.edited(s, in.qualifications(nodes...))
}

// qualifications are the edits that qualify names.
func (in *postgres) qualifications(nodes ...sqltree.Node) []edit {
	q := qualifier{in: in}
	for _, n := range nodes {
		q.walk(n, nil)
	}
	return q.edits
}

// qualifier finds the bare names in a tree that are found through the search path only.
type qualifier struct {
	in    *postgres
	edits []edit
}

// scope is the list of the common table expressions that hide relations.
type scope struct {
	names []string
	outer *scope
}

func (s *scope) has(name string) bool {
	for ; s != nil; s = s.outer {
		if contains(s.names, name) {
			return true
		}
	}
	return false
}

func (q *qualifier) walk(n sqltree.Node, ctes *scope) {
	switch n := n.(type) {
	case *sqltree.Query:
		ctes = q.with(n.With, ctes)
	case *sqltree.Insert:
		ctes = q.with(n.With, ctes)
	case *sqltree.Update:
		ctes = q.with(n.With, ctes)
	case *sqltree.Delete:
		ctes = q.with(n.With, ctes)
	case *sqltree.Merge:
		ctes = q.with(n.With, ctes)
	case *sqltree.TableRef:
		if len(n.Name.Parts) == 1 && !ctes.has(q.in.fold(n.Name.Last())) {
			q.name(n.Name, q.in.reference(q.in.parts(n.Name)).Schema)
		}
	case *sqltree.Func:
		if len(n.Name.Parts) == 1 {
			if r := find(q.in, q.in.routines, q.in.parts(n.Name)); len(r) > 0 {
				q.name(n.Name, r[0].model.Schema)
			}
		}
		if len(n.Args) > 0 && namesSequence[strings.ToLower(n.Name.Last().Name)] {
			arg := n.Args[0]
			if c, ok := arg.(*sqltree.Cast); ok {
				arg = c.Arg
			}
			q.relationLiteral(arg)
			for _, a := range n.Args[1:] {
				q.walk(a, ctes)
			}
			return
		}
	case *sqltree.Cast:
		if len(n.Type.Name.Parts) == 1 && strings.EqualFold(n.Type.Name.Last().Name, "regclass") {
			q.relationLiteral(n.Arg)
		}
	case *sqltree.TypeName:
		q.typeName(n)
		return
	}
	for _, c := range sqltree.Children(n) {
		q.walk(c, ctes)
	}
}

var namesSequence = map[string]bool{"nextval": true, "currval": true, "setval": true}

func (q *qualifier) with(w *sqltree.With, outer *scope) *scope {
	if w == nil {
		return outer
	}
	s := &scope{outer: outer}
	for _, c := range w.CTEs {
		s.names = append(s.names, q.in.fold(c.Name))
	}
	return s
}

// name qualifies a bare name by a schema that is not the default one.
func (q *qualifier) name(n sqltree.Name, schema string) {
	if !q.in.isDefault(schema) {
		q.edits = append(q.edits, edit{sqltree.Span{Start: n.Start, End: n.Start}, q.in.d.Quote(schema) + "."})
	}
}

func (q *qualifier) typeName(n *sqltree.TypeName) {
	if len(n.Name.Parts) != 1 {
		return
	}
	name := q.in.parts(n.Name)
	if t := find(q.in, q.in.types, name); t != nil {
		q.name(n.Name, t.name.Schema)
	} else if r := q.in.relation(name); r != nil {
		q.name(n.Name, r.name.Schema)
	}
}

// relationLiteral qualifies a relation that is named in a string.
func (q *qualifier) relationLiteral(e sqltree.Expr) {
	l, ok := e.(*sqltree.Literal)
	if !ok || l.Kind != sqltree.StringLiteral {
		return
	}
	w := q.in.wordsOf(l.Value)
	if len(w.toks) != 1 || !w.isIdent() {
		return
	}
	if n := q.in.reference(schema.Name{Name: w.ident()}); !q.in.isDefault(n.Schema) {
		q.edits = append(q.edits, edit{l.Span, q.in.d.String(q.in.quote(n))})
	}
}

// loosely qualifies the names in the text of a statement whose tree is not known: those
// tokens that mean something declared in a schema of the search path.
func (in *postgres) loosely(s sqltree.Span) []edit {
	if !in.strays() {
		return nil
	}
	var edits []edit
	w := in.words(s)
	for i := range w.toks {
		w.i = i
		if !w.isIdent() || i > 0 && isDot(w, i-1) || i+1 < len(w.toks) && isDot(w, i+1) {
			continue
		}
		n := schema.Name{Name: w.ident()}
		found := schema.Name{}
		if r := in.relation(n); r != nil {
			found = r.name
		} else if f := find(in, in.routines, n); len(f) > 0 {
			found = f[0].model.Name
		} else if t := find(in, in.types, n); t != nil {
			found = t.name
		}
		if found.Name != "" && !in.isDefault(found.Schema) {
			at := w.base + w.toks[i].Start
			edits = append(edits, edit{sqltree.Span{Start: at, End: at}, in.d.Quote(found.Schema) + "."})
		}
	}
	return edits
}

// partitionNames qualifies the names in PARTITION BY: those of functions that are called
// and of types that are cast to. Any other is that of a column, whatever else has it.
func (in *postgres) partitionNames(s sqltree.Span) []edit {
	w := in.words(s)
	return slices.DeleteFunc(in.loosely(s), func(e edit) bool {
		i := slices.IndexFunc(w.toks, func(t pgsql.Token) bool { return w.base+t.Start == e.Start })
		called := i+1 < len(w.toks) && w.textOf(i+1) == "("
		cast := i > 0 && (w.textOf(i-1) == "::" || w.isAt(i-1, "AS"))
		return !called && !cast
	})
}

func isDot(w *words, i int) bool {
	return w.toks[i].Kind == pgsql.Punct && w.text[w.toks[i].Start] == '.'
}

// inner returns the span of what stands between the brackets at a token.
func (w *words) inner(i int) (sqltree.Span, bool) {
	if i >= len(w.toks) || w.toks[i].Match <= i {
		return sqltree.Span{}, false
	}
	return sqltree.Span{Start: w.base + w.toks[i].End, End: w.base + w.toks[w.toks[i].Match].Start}, true
}

// bareExpr takes away brackets around the whole of an expression.
func (in *postgres) bareExpr(text string) string {
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	w := in.wordsOf(text)
	n := len(w.toks)
	if n < 3 || !w.punct('(') || w.toks[0].Match != n-1 {
		return text
	}
	return in.bareExpr(strings.TrimSpace(text[w.toks[0].End:w.toks[n-1].Start]))
}

// editExpr edits the text of an expression that stands for itself. It reports false for
// one that does not parse, which stays as it is.
func (in *postgres) editExpr(text string, edits func(sqltree.Expr) []edit) (string, bool) {
	e := parsedExpr(text)
	if e == nil {
		return text, false
	}
	whole := in.text
	defer func() { in.text = whole }()
	in.text = exprStart + text + exprEnd
	return in.edited(sqltree.Span{Start: len(exprStart), End: len(exprStart) + len(text)}, edits(e)), true
}

// What makes a statement of an expression. The newline ends a comment.
const exprStart, exprEnd = "SELECT (", "\n)"

// mentions reports whether one of the texts names something.
func (in *postgres) mentions(name string, texts ...string) bool {
	for _, text := range texts {
		// Most texts do not have the word, and it costs less to see that.
		if !strings.Contains(strings.ToLower(text), strings.ToLower(dialect.Cut(name))) && !strings.ContainsAny(text, `&"`) {
			continue
		}
		w := in.wordsOf(text)
		for w.i = 0; w.i < len(w.toks); {
			if !w.isIdent() {
				w.i++
			} else if in.same(w.ident(), name) {
				return true
			}
		}
	}
	return false
}

// selectsAll reports whether a query has a * that stands for the columns of relations.
func (in *postgres) selectsAll(text string) bool {
	w := in.wordsOf(text)
	for i := range w.toks {
		if w.textOf(i) == "*" && i > 0 && (isDot(w, i-1) || w.textOf(i-1) == "," || w.isAt(i-1, "SELECT") || w.isAt(i-1, "ALL") || w.isAt(i-1, "DISTINCT")) {
			return true
		}
	}
	return false
}
