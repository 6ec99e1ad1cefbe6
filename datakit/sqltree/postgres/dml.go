package postgres

import "github.com/quartet-mcp/quartet/datakit/sqltree"

// leadingWith reads WITH before INSERT and the like.
func (c *conv) leadingWith(n node) *sqltree.With {
	if w := n.get("withClause"); w.ok() {
		return c.with(w)
	}
	return nil
}

func (c *conv) insert(n node) *sqltree.Insert {
	s := &sqltree.Insert{}
	first := c.i
	s.With = c.leadingWith(n)
	c.expect("INSERT", "INTO")
	t, _ := c.tableRef(n.get("relation"))
	s.Table = *t
	if cols := n.get("cols"); cols.ok() {
		s.Columns = c.insertColumns(cols)
	}
	if c.accept("OVERRIDING") {
		c.i += 2
	}
	if src := n.get("selectStmt").as("SelectStmt"); src.ok() {
		s.Source, _ = c.query(src)
	} else {
		c.expect("DEFAULT", "VALUES")
	}
	if conflict := n.get("onConflictClause"); conflict.ok() {
		s.Conflict = c.conflict(conflict)
	}
	s.Returning = c.returning(n.get("returningList"))
	s.Span = c.span(first, c.i)
	return s
}

// insertColumns reads (a, b[1], c.f): of each the column.
func (c *conv) insertColumns(cols node) []sqltree.Ident {
	end := c.match(c.i)
	var ids []sqltree.Ident
	for col := cols.first(); col.ok(); col = col.next() {
		ids = append(ids, c.identAt(c.index(col.as("ResTarget").loc())))
	}
	c.i = end + 1
	return ids
}

func (c *conv) conflict(n node) *sqltree.Conflict {
	x := &sqltree.Conflict{}
	first := c.i
	c.expect("ON", "CONFLICT")
	if infer := n.get("infer"); infer.ok() {
		if c.accept("ON", "CONSTRAINT") {
			x.Constraint = c.identPtr()
		} else {
			for _, key := range c.indexKeys(infer.get("indexElems")) {
				x.Target = append(x.Target, key.Expr)
			}
			x.TargetWhere = c.where(infer.get("whereClause"))
		}
	}
	c.expect("DO")
	if c.accept("NOTHING") {
		x.Span = c.span(first, c.i)
		return x
	}
	c.expect("UPDATE")
	x.Excluded = "excluded"
	x.Set = c.assignments(n.get("targetList"))
	x.Where = c.where(n.get("whereClause"))
	x.Span = c.span(first, c.i)
	return x
}

// assignments reads SET a = 1, (b, c) = (…).
func (c *conv) assignments(list node) []sqltree.Assignment {
	c.expect("SET")
	var out []sqltree.Assignment
	for t := list.first(); t.ok(); t = t.next() {
		if len(out) > 0 {
			c.expectPunct(',')
		}
		var a sqltree.Assignment
		first := c.i
		value := t.as("ResTarget").get("val")
		if multi := value.as("MultiAssignRef"); multi.ok() {
			end := c.match(c.i)
			a.Targets = append(a.Targets, c.target(t))
			for multi.get("colno").str() != multi.get("ncolumns").str() {
				t = t.next()
				multi = t.as("ResTarget").get("val").as("MultiAssignRef")
				a.Targets = append(a.Targets, c.target(t))
			}
			c.i = end + 1
			value = multi.get("source")
		} else {
			a.Targets = []sqltree.Column{c.target(t)}
		}
		// The target may have subscripts and fields behind it.
		for !c.op(c.i, "=") {
			if c.toks[c.i].match > int32(c.i) {
				c.i = int(c.toks[c.i].match)
			}
			if c.i++; c.i >= c.end {
				c.fail("=")
			}
		}
		c.i++
		if value.as("SetToDefault").ok() {
			_, _ = c.exprFrom(value)
		} else {
			a.Value, _ = c.exprFrom(value)
		}
		a.Span = c.span(first, c.i)
		out = append(out, a)
	}
	return out
}

// target reads the column that is assigned to, without what may follow it.
func (c *conv) target(t node) sqltree.Column {
	c.seek(t.as("ResTarget").loc())
	id := c.ident()
	return sqltree.Column{Span: id.Span, Parts: []sqltree.Ident{id}}
}

func (c *conv) update(n node) *sqltree.Update {
	s := &sqltree.Update{}
	first := c.i
	s.With = c.leadingWith(n)
	c.expect("UPDATE")
	t, _ := c.tableRef(n.get("relation"))
	s.Tables = []sqltree.TableExpr{t}
	s.Set = c.assignments(n.get("targetList"))
	if from := n.get("fromClause"); from.ok() {
		c.expect("FROM")
		s.From = c.tables(from)
	}
	s.Where = c.where(n.get("whereClause"))
	s.Returning = c.returning(n.get("returningList"))
	s.Span = c.span(first, c.i)
	return s
}

func (c *conv) delete(n node) *sqltree.Delete {
	s := &sqltree.Delete{}
	first := c.i
	s.With = c.leadingWith(n)
	c.expect("DELETE", "FROM")
	t, _ := c.tableRef(n.get("relation"))
	s.From = []sqltree.TableExpr{t}
	if using := n.get("usingClause"); using.ok() {
		c.expect("USING")
		s.Using = c.tables(using)
	}
	s.Where = c.where(n.get("whereClause"))
	s.Returning = c.returning(n.get("returningList"))
	s.Span = c.span(first, c.i)
	return s
}

func (c *conv) merge(n node) *sqltree.Merge {
	s := &sqltree.Merge{}
	first := c.i
	s.With = c.leadingWith(n)
	c.expect("MERGE", "INTO")
	t, _ := c.tableRef(n.get("relation"))
	s.Target = *t
	c.expect("USING")
	s.Source, _ = c.table(n.get("sourceRelation"))
	c.expect("ON")
	s.On, _ = c.exprFrom(n.get("joinCondition"))
	for w := n.get("mergeWhenClauses").first(); w.ok(); w = w.next() {
		s.Whens = append(s.Whens, c.mergeWhen(w.as("MergeWhenClause")))
	}
	s.Returning = c.returning(n.get("returningList"))
	s.Span = c.span(first, c.i)
	return s
}

func (c *conv) mergeWhen(n node) sqltree.MergeWhen {
	var w sqltree.MergeWhen
	first := c.i
	c.expect("WHEN")
	w.Matched = !c.accept("NOT")
	c.expect("MATCHED")
	if c.accept("BY") {
		w.BySource = c.is(c.i, "SOURCE")
		c.i++
	}
	if cond := n.get("condition"); cond.ok() {
		c.expect("AND")
		w.Cond, _ = c.exprFrom(cond)
	}
	c.expect("THEN")
	switch {
	case c.accept("UPDATE"):
		w.Set = c.assignments(n.get("targetList"))
	case c.accept("INSERT"):
		if cols := n.get("targetList"); cols.ok() {
			w.Columns = c.insertColumns(cols)
		}
		if c.accept("OVERRIDING") {
			c.i += 2
		}
		if values := n.get("values"); values.ok() {
			c.expect("VALUES")
			w.Values = c.exprRow(values)
		} else {
			c.expect("DEFAULT", "VALUES")
		}
	case c.accept("DELETE"):
	default:
		c.expect("DO", "NOTHING")
	}
	w.Span = c.span(first, c.i)
	return w
}
