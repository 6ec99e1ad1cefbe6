package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	pgsql "github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// verbatimKinds are the kinds of objects that the model keeps in the words of their
// statement. Those whose options may hold secrets (subscriptions, user mappings) are not
// among them.
var verbatimKinds = map[string]bool{
	"OPERATOR": true, "OPERATOR CLASS": true, "OPERATOR FAMILY": true, "CAST": true, "STATISTICS": true, "EVENT TRIGGER": true,
	"COLLATION": true, "CONVERSION": true, "TEXT SEARCH CONFIGURATION": true, "TEXT SEARCH DICTIONARY": true,
	"TEXT SEARCH PARSER": true, "TEXT SEARCH TEMPLATE": true, "PUBLICATION": true, "LANGUAGE": true, "PROCEDURAL LANGUAGE": true,
	"TRANSFORM": true, "ACCESS METHOD": true, "FOREIGN DATA WRAPPER": true, "SERVER": true,
}

// unschemed are those of them that belong to no schema.
var unschemed = map[string]bool{
	"EVENT TRIGGER": true, "PUBLICATION": true, "LANGUAGE": true, "ACCESS METHOD": true, "FOREIGN DATA WRAPPER": true, "SERVER": true,
}

// keep keeps a statement in its own words. A statement that only changes something has no
// name of its own.
func (in *postgres) keep(st *sqltree.Other, kind string) error {
	w := in.words(st.Span)
	replace := w.is("CREATE", "OR", "REPLACE")
	ifNotExists := w.find("IF", "NOT", "EXISTS") < len(w.toks)
	v := &schema.Verbatim{Kind: strings.TrimPrefix(kind, "PROCEDURAL "), Origin: in.here()}
	var edits []edit
	from := st.Start
	if verbatimKinds[kind] {
		w.i = w.find(strings.Fields(kind)...) + len(strings.Fields(kind))
		w.accept("IF", "NOT", "EXISTS")
		start := w.i
		name, err := in.verbatimName(w, v)
		if err != nil {
			return err
		}
		if name != "" {
			at := sqltree.Span{Start: w.base + w.toks[start].Start, End: w.base + w.toks[w.i-1].End}
			edits = append(edits, edit{at, name})
			from = at.End
		}
	}
	edits = append(edits, in.loosely(sqltree.Span{Start: from, End: st.End})...)
	v.Text = in.edited(st.Span, edits)
	if old := in.verbatim(v.Kind, v.CommentOn); old != nil && ifNotExists {
		return in.exists(v.Kind, v.Name.String(), old.Origin)
	}
	return in.addVerbatim(v, replace)
}

// alterVerbatim keeps a statement that changes an object of a kind that is kept in words.
// It has the name of the object, and follows it.
func (in *postgres) alterVerbatim(st *sqltree.Other, w *words, kind string) error {
	w.i = w.find(strings.Fields(kind)...) + len(strings.Fields(kind))
	ifExists := w.accept("IF", "EXISTS")
	start := w.i
	if start >= len(w.toks) {
		return unkept(st.Kind, "")
	}
	named := in.words(sqltree.Span{Start: w.base + w.toks[start].Start, End: st.End})
	v, _ := in.verbatimNamed(strings.TrimPrefix(kind, "PROCEDURAL "), named)
	end := start + named.i
	switch w.i = end; {
	case v == nil && ifExists:
		in.skip(st.Kind + " IF EXISTS of what is not declared")
		return nil
	case v == nil:
		return undeclared(kind, w.span(start, min(end, len(w.toks))))
	case (v.Kind == "STATISTICS" || v.Kind == "PUBLICATION" || v.Kind == "EVENT TRIGGER") && (w.is("RENAME", "TO") || w.is("SET", "SCHEMA")):
		to := v.Name
		if w.accept("RENAME", "TO") {
			to.Name = w.ident()
		} else if w.accept("SET", "SCHEMA") {
			to.Schema = w.ident()
		}
		return in.renameVerbatim(v, to)
	case end >= len(w.toks), w.is("RENAME"), w.is("SET", "SCHEMA"):
		return unkept(st.Kind+" … "+w.upper(min(end, len(w.toks)), min(end+2, len(w.toks))), "declare it under its new name")
	}
	from := w.base + w.toks[end].Start
	text := st.Kind + " " + v.CommentOn + " " + in.edited(sqltree.Span{Start: from, End: st.End}, in.loosely(sqltree.Span{Start: from, End: st.End}))
	in.db.Verbatim = append(in.db.Verbatim, &schema.Verbatim{Kind: "ALTER " + v.Kind, Name: v.Name, Text: text, CommentOn: v.CommentOn, Origin: in.here()})
	return nil
}

// renameVerbatim gives an object that nothing else names another name.
func (in *postgres) renameVerbatim(v *schema.Verbatim, to schema.Name) error {
	from, written := v.CommentOn, in.quote(to)
	if unschemed[v.Kind] {
		written = in.d.Quote(to.Name)
	}
	if old := in.verbatim(v.Kind, written); old != nil {
		return twice(strings.ToLower(v.Kind), to.String(), old.Origin)
	}
	for _, x := range in.db.Verbatim {
		if strings.TrimPrefix(x.Kind, "ALTER ") == v.Kind && x.CommentOn == from {
			x.Text = strings.Replace(x.Text, from, written, 1)
			x.Name, x.CommentOn = to, written
		}
	}
	return nil
}

// dropVerbatim takes away an object and what changes it.
func (in *postgres) dropVerbatim(v *schema.Verbatim) {
	in.db.Verbatim = slices.DeleteFunc(slices.Clone(in.db.Verbatim), func(x *schema.Verbatim) bool {
		return x == v || x.Kind == "ALTER "+v.Kind && x.CommentOn == v.CommentOn
	})
}

// verbatimName reads the name of an object and how COMMENT names it. It returns how the
// statement is to write the name, empty where it has none.
func (in *postgres) verbatimName(w *words, v *schema.Verbatim) (string, error) {
	switch v.Kind {
	case "CAST", "TRANSFORM":
		start := w.i
		if v.Kind == "CAST" {
			w.group()
		} else {
			w.i = w.find("LANGUAGE") + 2
		}
		v.CommentOn = w.span(start, min(w.i, len(w.toks)))
		v.Name.Name = strings.Trim(v.CommentOn, "()")
		return "", nil
	case "STATISTICS":
		if w.is("ON") || w.punct('(') {
			return "", refused("SRC005", "", "CREATE STATISTICS without a name is not supported as a declaration; give the statistics a name")
		}
	}
	n := w.operatorName()
	if unschemed[v.Kind] {
		v.Name, v.CommentOn = n, in.d.Quote(n.Name)
		return v.CommentOn, nil
	}
	n, err := in.declared(n)
	v.Name = n
	written := in.quote(n)
	if v.Kind == "OPERATOR" {
		written = n.Name
		if n.Schema != "" {
			written = in.d.Quote(n.Schema) + "." + n.Name
		}
	}
	v.CommentOn = written
	switch v.Kind {
	case "OPERATOR":
		v.CommentOn += " (" + w.option("LEFTARG") + ", " + w.option("RIGHTARG") + ")"
	case "OPERATOR CLASS", "OPERATOR FAMILY":
		if at := w.find("USING"); at+1 < len(w.toks) {
			v.CommentOn += " USING " + w.span(at+1, at+2)
		}
	}
	return written, err
}

// operatorName is name for a name whose last part may be an operator.
func (w *words) operatorName() schema.Name {
	var parts []string
	for {
		if w.i < len(w.toks) && w.toks[w.i].Kind == pgsql.Operator {
			parts = append(parts, w.textOf(w.i))
			w.i++
		} else {
			parts = append(parts, w.ident())
		}
		if !w.acceptPunct('.') {
			break
		}
	}
	n := schema.Name{Name: parts[len(parts)-1]}
	if len(parts) > 1 {
		n.Schema = parts[len(parts)-2]
	}
	return n
}

// option is the value of an option in the brackets that follow, NONE without it.
func (w *words) option(key string) string {
	i := w.i
	defer func() { w.i = i }()
	options := w.in.wordsOf(w.group())
	at := options.find(key)
	if at+2 >= len(options.toks) {
		return "NONE"
	}
	options.i = at + 2
	for !options.done() && !options.punct(',') {
		options.i = options.end(options.i)
	}
	return options.span(at+2, options.i)
}

// verbatim finds an object by its kind and how COMMENT names it.
func (in *postgres) verbatim(kind, commentOn string) *schema.Verbatim {
	for _, v := range in.db.Verbatim {
		if v.Kind == kind && v.CommentOn == commentOn && commentOn != "" {
			return v
		}
	}
	return nil
}

// addVerbatim adds an object that is kept in the words of its statement.
func (in *postgres) addVerbatim(v *schema.Verbatim, replace bool) error {
	if old := in.verbatim(v.Kind, v.CommentOn); old != nil {
		if !replace {
			return twice(strings.ToLower(v.Kind), v.Name.String(), old.Origin)
		}
		v.Comment = old.Comment
		*old = *v
		return nil
	}
	in.db.Verbatim = append(in.db.Verbatim, v)
	return nil
}

// verbatimNamed finds the object that COMMENT or DROP is about; rest is the text behind
// the kind.
func (in *postgres) verbatimNamed(kind string, w *words) (*schema.Verbatim, string) {
	start := w.i
	shown := w.span(start, len(w.toks))
	v := &schema.Verbatim{Kind: kind}
	switch kind {
	case "CAST", "TRANSFORM":
		if _, err := in.verbatimName(w, v); err != nil {
			return nil, shown
		}
		for _, old := range in.db.Verbatim {
			if old.Kind == kind && strings.Join(strings.Fields(strings.ToLower(old.CommentOn)), "") == strings.Join(strings.Fields(strings.ToLower(v.CommentOn)), "") {
				return old, shown
			}
		}
		return nil, shown
	}
	n := w.operatorName()
	table := schema.Name{}
	if kind == "RULE" {
		w.accept("ON")
		table = in.reference(w.name())
		n.Schema = table.Schema
	}
	var args []string
	if kind == "OPERATOR" {
		args = in.signature(w.group())
	}
	method := ""
	if w.accept("USING") {
		method = w.ident()
	}
	for _, old := range in.db.Verbatim {
		if old.Kind != kind || !in.same(old.Name.Name, n.Name) {
			continue
		}
		switch {
		case n.Schema != "" && in.key(old.Name).schema != in.key(n).schema && !unschemed[kind],
			kind == "RULE" && !strings.HasSuffix(old.CommentOn, " ON "+in.quote(table)),
			method != "" && !strings.HasSuffix(strings.ToLower(old.CommentOn), " using "+method),
			kind == "OPERATOR" && len(args) > 0 && !in.hasOperands(old, args):
			continue
		}
		return old, shown
	}
	return nil, shown
}

// hasOperands reports whether an operator has these types of operands.
func (in *postgres) hasOperands(v *schema.Verbatim, args []string) bool {
	w := in.wordsOf(v.CommentOn)
	w.operatorName()
	have := in.signature(w.group())
	if len(have) != len(args) {
		return false
	}
	for i := range have {
		if have[i] != args[i] {
			return false
		}
	}
	return true
}
