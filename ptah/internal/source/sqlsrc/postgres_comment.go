package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// comment executes COMMENT ON.
func (in *postgres) comment(st *sqltree.Comment) error {
	text := ""
	if st.Text != nil {
		text = *st.Text
	}
	w := in.words(st.Span)
	w.accept("COMMENT", "ON")
	w.i += len(strings.Fields(st.Kind))
	if st.Kind == "INDEX" || st.Kind == "SEQUENCE" {
		if r := in.relation(w.peekName()); r != nil && r.isPart() {
			r.comment = text
			return nil
		}
	}
	comment, shown, err := in.commented(st.Kind, w)
	if err != nil {
		return err
	}
	if comment == nil {
		if st.Kind == "EXTENSION" && shown == "plpgsql" { // it is there without being declared
			in.skip("COMMENT ON EXTENSION plpgsql")
			return nil
		}
		return undeclared(st.Kind, shown)
	}
	*comment = text
	return nil
}

// commented finds the place of the comment of an object, whose name stands at the cursor.
func (in *postgres) commented(kind string, w *words) (comment *string, shown string, err error) {
	switch kind {
	case "TABLE", "FOREIGN TABLE", "VIEW", "MATERIALIZED VIEW", "SEQUENCE", "INDEX":
		n := w.name()
		comment, err := in.relationComment(in.relation(n))
		return comment, n.String(), err
	case "COLUMN":
		return in.columnComment(w)
	case "TYPE", "DOMAIN":
		n := w.name()
		u := find(in, in.types, n)
		switch {
		case u == nil:
		case u.enum != nil:
			comment = &u.enum.Comment
		case u.domain != nil:
			comment = &u.domain.Comment
		case u.composite != nil:
			comment = &u.composite.Comment
		case u.rng != nil:
			comment = &u.rng.Comment
		case u.verbatim != nil:
			comment = &u.verbatim.Comment
		}
		return comment, n.String(), nil
	case "SCHEMA":
		name := w.ident()
		s := in.schemas[dialect.Cut(name)]
		if s == nil && in.isDefault(name) { // it is there without being declared
			s = in.addSchema(name)
		}
		if s != nil {
			comment = &s.Comment
		}
		return comment, name, nil
	case "EXTENSION":
		name := w.ident()
		if x := in.extension(name); x != nil {
			comment = &x.Comment
		}
		return comment, name, nil
	case "ROLE":
		name := w.ident()
		if r := in.role(name); r != nil {
			comment = &r.Comment
		}
		return comment, name, nil
	case "FUNCTION", "PROCEDURE", "ROUTINE", "AGGREGATE":
		r, shown := in.routineNamed(w)
		if r != nil {
			comment = &r.model.Comment
		}
		return comment, shown, nil
	case "TRIGGER", "POLICY", "CONSTRAINT":
		return in.partComment(kind, w)
	}
	if !verbatimKinds[kind] && kind != "RULE" {
		return nil, "", unkept("COMMENT ON "+kind, "")
	}
	w.toks = w.toks[:w.find("IS")]
	v, shown := in.verbatimNamed(strings.TrimPrefix(kind, "PROCEDURAL "), w)
	if v != nil {
		comment = &v.Comment
	}
	return comment, shown, nil
}

func (in *postgres) relationComment(r *relation) (*string, error) {
	switch {
	case r == nil:
		return nil, nil
	case r.index != nil:
		return &r.index.Comment, nil
	case r.isTable():
		return &r.table.Comment, nil
	case r.view != nil:
		return &r.view.Comment, nil
	case r.composite != nil:
		return &r.composite.Comment, nil
	case r.sequence != nil:
		return &r.sequence.Comment, nil
	case r.column != nil:
		return &in.explicit(r).Comment, nil
	}
	return &r.comment, nil // of a part
}

// isPart reports whether the relation is made with a constraint or an identity column, of
// which the comment is another one than its own.
func (r *relation) isPart() bool {
	return r.constraint != nil || r.column != nil && r.column.Identity != nil
}

// keepComments keeps the comments of such relations as statements.
func (in *postgres) keepComments() {
	var kept []*schema.Verbatim
	for _, r := range in.relations {
		if r.comment == "" {
			continue
		}
		name := in.quote(r.name)
		kept = append(kept, &schema.Verbatim{
			Kind: "COMMENT ON " + r.kind, Name: r.name, CommentOn: name,
			Text: "COMMENT ON " + r.kind + " " + name + " IS " + in.d.String(r.comment), Origin: r.origin,
		})
		r.comment = ""
	}
	slices.SortFunc(kept, func(a, b *schema.Verbatim) int { return strings.Compare(a.CommentOn, b.CommentOn) })
	in.db.Verbatim = append(in.db.Verbatim, kept...)
}

// columnComment finds the place of the comment of table.column.
func (in *postgres) columnComment(w *words) (comment *string, shown string, err error) {
	parts := w.parts()
	shown = strings.Join(parts, ".")
	n := len(parts)
	if n < 2 {
		return nil, shown, nil
	}
	of := schema.Name{Name: parts[n-2]}
	if n > 2 {
		of.Schema = parts[n-3]
	}
	r := in.relation(of)
	switch {
	case r == nil:
	case r.isTable():
		if c := in.ownColumn(r.table, parts[n-1]); c != nil {
			comment = &c.Comment
		}
	case r.view != nil && r.index == nil:
		for i := range r.view.Comments {
			if in.same(r.view.Comments[i].Key, parts[n-1]) {
				return &r.view.Comments[i].Value, shown, nil
			}
		}
		r.view.Comments = append(r.view.Comments, schema.Option{Key: parts[n-1]})
		comment = &r.view.Comments[len(r.view.Comments)-1].Value
	case r.composite != nil:
		for i := range r.composite.Fields {
			if in.same(r.composite.Fields[i].Name, parts[n-1]) {
				comment = &r.composite.Fields[i].Comment
			}
		}
	}
	return comment, shown, nil
}

// partComment finds the place of the comment of a part of a table or domain.
func (in *postgres) partComment(kind string, w *words) (comment *string, shown string, err error) {
	name := w.ident()
	w.accept("ON")
	if kind == "CONSTRAINT" && w.accept("DOMAIN") {
		n := w.name()
		if u := find(in, in.types, n); u != nil && u.domain != nil {
			if at := in.domainCheckOf(u.domain, name); at >= 0 {
				comment = &u.domain.Checks[at].Comment
			}
		}
		return comment, name + " on " + n.String(), nil
	}
	n := w.name()
	shown = name + " on " + n.String()
	table := in.reference(n)
	switch kind {
	case "TRIGGER":
		if t := in.trigger(table, name); t != nil {
			comment = &t.Comment
		}
	case "POLICY":
		if p := in.policy(table, name); p != nil {
			comment = &p.Comment
		}
	default:
		if t := in.table(n); t != nil {
			if c := in.constraintOf(t, name); c != nil {
				comment = &c.Comment
			}
		}
	}
	return comment, shown, nil
}
