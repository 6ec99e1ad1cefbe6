package sqlsrc

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// createIndex declares an index. That of a table which is not declared stands apart.
func (in *postgres) createIndex(st *sqltree.CreateIndex) error {
	table := in.parts(st.Table)
	r := in.relation(table)
	if r != nil && !r.isTable() && r.kind != "MATERIALIZED VIEW" {
		return refused("SRC005", r.name.String(), "an index of %s is not supported as a declaration: it is a %s", quoted(r.name.String()), strings.ToLower(r.kind))
	}
	x := &schema.Index{
		Table: in.reference(table), Unique: st.Unique, Method: st.Method, Include: in.folded(st.Include),
		NullsNotDistinct: st.NullsNotDistinct, Origin: in.here(),
	}
	w := in.words(sqltree.Span{Start: st.Start, End: st.Table.Start})
	x.Only = len(w.toks) > 0 && w.isAt(len(w.toks)-1, "ONLY") || len(w.toks) > 1 && w.isAt(len(w.toks)-2, "ONLY")
	for i := range st.Keys {
		x.Keys = append(x.Keys, in.indexKey(&st.Keys[i]))
	}
	for _, o := range st.Options {
		if o.Key == "TABLESPACE" {
			x.Tablespace = in.wordsOf(o.Value).ident()
		}
	}
	x.Options = in.storage(st.Options, "TABLESPACE")
	x.Invisible = in.marked(st.Start, "INVISIBLE")
	if in.marked(st.Start, "HASH") {
		x.Method = "hash"
	}
	if in.marked(st.Start, "INVERTED") {
		x.Method = "gin"
	}
	if st.Where != nil {
		// What precedes it stands in brackets, or is a word of the statement.
		w := in.words(sqltree.Span{Start: st.Table.End, End: st.End})
		if at := w.find("WHERE"); at < len(w.toks) {
			x.Where = in.bareExpr(in.textOf(sqltree.Span{Start: w.base + w.toks[at].End, End: st.End}, st.Where))
		}
	}
	if st.Name == nil {
		x.Name, x.Implicit = in.relationName(x.Table, dialect.JoinedColumns(in.keyNames(st.Keys, st.Include)), "idx", false), true
	} else {
		x.Name = in.fold(*st.Name)
	}
	name := schema.Name{Schema: x.Table.Schema, Name: x.Name}
	if old := in.taken(name); old != nil {
		if st.IfNotExists {
			return in.exists("INDEX", name.String(), old.origin)
		}
		return in.taking("index", name, old.kind, old.name, old.origin)
	}
	entry := &relation{kind: "INDEX", name: name, index: x, origin: x.Origin}
	switch {
	case r == nil:
		in.db.Indexes = append(in.db.Indexes, x)
	case r.isTable():
		entry.table = r.table
		r.table.Indexes = append(r.table.Indexes, x)
		if !x.Only {
			in.attachIndex(r.table, x)
		}
	default:
		entry.view = r.view
		r.view.Indexes = append(r.view.Indexes, x)
	}
	in.addRelation(entry)
	return nil
}

// indexKey is one part of the key of an index or an exclusion.
func (in *postgres) indexKey(k *sqltree.IndexKey) schema.IndexKey {
	key := schema.IndexKey{Desc: k.Desc}
	at := k.Expr.Pos()
	w := in.words(k.Span)
	if c, ok := k.Expr.(*sqltree.Column); ok && len(c.Parts) == 1 && !w.punct('(') {
		key.Column = in.fold(c.Parts[0])
	} else if inside, ok := w.inner(0); ok {
		key.Expr = in.bareExpr(in.textOf(inside, k.Expr))
	} else {
		key.Expr = in.textOf(at, k.Expr)
	}
	if k.NullsFirst != nil {
		key.Nulls = "LAST"
		if *k.NullsFirst {
			key.Nulls = "FIRST"
		}
	}
	if k.Collation != nil {
		key.Collation = in.collation(*k.Collation)
	}
	if k.OpClass != nil {
		w := in.words(sqltree.Span{Start: k.OpClass.Start, End: k.End})
		n := w.name()
		key.Opclass = n.Name
		if n.Schema != "" && n.Schema != "pg_catalog" {
			key.Opclass = n.String()
		}
		if w.punct('(') {
			key.Opclass += " (" + w.group() + ")"
		}
	}
	return key
}

// exprName is the name that the server gives the column of an expression in an index.
func (in *postgres) exprName(expr string) string {
	name := ""
	if e := parsedExpr(expr); e != nil {
		name = sqltree.OutputName(sqltree.Postgres, e)
	}
	if name == "" {
		return "expr"
	}
	return name
}

// parsedExpr is the tree of an expression, nil for a text that is none.
func parsedExpr(expr string) sqltree.Expr {
	script, err := trees.Parse(sqltree.Postgres, exprStart+expr+exprEnd)
	if err != nil || len(script.Statements) != 1 {
		return nil
	}
	q, ok := script.Statements[0].(*sqltree.Query)
	if !ok {
		return nil
	}
	s, ok := q.Body.(*sqltree.Select)
	if !ok || len(s.Items) != 1 {
		return nil
	}
	return s.Items[0].Expr
}
