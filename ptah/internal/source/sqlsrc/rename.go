package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// expressions are the texts of a table that name its columns in the author's words.
func expressions(t *schema.Table) []*string {
	var list []*string
	for _, c := range t.Columns {
		if c.Generated != nil {
			list = append(list, &c.Generated.Expr)
		}
		if c.Default != nil && !c.Default.Literal {
			list = append(list, &c.Default.Text)
		}
	}
	for _, c := range t.Constraints {
		list = append(list, &c.Expr, &c.Where)
	}
	for _, x := range t.Indexes {
		list = append(list, &x.Where)
		for i := range x.Keys {
			list = append(list, &x.Keys[i].Expr)
		}
	}
	return append(list, &t.PartitionBy, &t.OrderBy)
}

// mentions reports whether a name stands in a text.
func (r *reader) mentions(name, text string) bool {
	if len(text) < len(name) {
		return false
	}
	toks, _ := scan(r.lexicon, text)
	in := r.over(text)
	return slices.ContainsFunc(toks, func(t token) bool { return in.nameIs(t, name) })
}

// over returns a reader of another text.
func (r *reader) over(text string) *reader {
	return &reader{model: r.model, lexicon: r.lexicon, reserved: r.reserved, text: text}
}

// nameIs reports whether a token is a name, with quotes or without.
func (r *reader) nameIs(t token, name string) bool {
	return t.kind == wordToken && r.same(r.textOf(t), name) || t.kind == nameToken && r.same(r.unquoted(t), name)
}

// used reports whether an expression of a table names a column.
func (r *reader) used(t *schema.Table, column string) bool {
	return slices.ContainsFunc(expressions(t), func(text *string) bool { return r.mentions(column, *text) })
}

// operators are the words that an operand follows.
var operators = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`abort all and asc between binary both by case desc distinct div else escape except fail from for glob having
		ignore in intersect into is isnull join leading like limit match mod not notnull of offset on or regexp replace returning rlike rollback select set
		then trailing union update using values when where xor`) {
		words[strings.ToUpper(w)] = true
	}
	return words
}()

// renamed is a text in which a name is another one wherever it stands for an operand:
// not where it calls a function, names a type or a unit, or gives something a name.
func (r *reader) renamed(text, from, to string) string {
	toks, _ := scan(r.lexicon, text)
	in := r.over(text)
	var b strings.Builder
	done := 0
	for i, t := range toks {
		if !in.nameIs(t, from) || !in.isOperand(toks, i) {
			continue
		}
		b.WriteString(text[done:t.start])
		if t.kind == wordToken && r.bareName(to) {
			b.WriteString(to)
		} else {
			b.WriteString(r.d.Quote(to))
		}
		done = t.end
	}
	return b.String() + text[done:]
}

// bareName reports whether a name needs no quotes.
func (r *reader) bareName(name string) bool {
	toks, err := scan(r.lexicon, name)
	return err == nil && len(toks) == 1 && toks[0] == token{wordToken, 0, len(name)} && !r.reserved[strings.ToUpper(name)]
}

// isOperand reports whether a name among tokens stands for a value or a table.
func (r *reader) isOperand(toks []token, i int) bool {
	if i+1 < len(toks) {
		next := toks[i+1]
		into := i > 0 && r.tokenIs(toks[i-1], "INTO") // a table; its columns may follow
		if next.kind == textToken || r.tokenIs(next, "(") && toks[i].kind == wordToken && !into {
			return false
		}
		if r.tokenIs(next, "FROM") && i >= 2 && r.tokenIs(toks[i-2], "EXTRACT") {
			return false
		}
	}
	if i == 0 {
		return true
	}
	switch before := toks[i-1]; before.kind {
	case symbolToken:
		return !r.tokenIs(before, ")")
	case wordToken:
		return operators[strings.ToUpper(r.textOf(before))]
	case separatorToken:
		return true
	}
	return false
}

// renameColumn renames a column, in keys, references and the table's expressions too.
func (r *reader) renameColumn(t *schema.Table, from, to string) {
	if r.used(t, from) {
		if r.d != dialect.MariaDB && r.d != dialect.SQLite { // the others leave that to the author
			r.refuse("renaming a column that an expression of its table names", "declare "+quoted(from)+" under its new name")
		}
		for _, text := range expressions(t) {
			*text = r.renamed(*text, from, to)
		}
	}
	rename := func(columns []string) {
		for i, c := range columns {
			if r.same(c, from) {
				columns[i] = to
			}
		}
	}
	renameKeys := func(keys []schema.IndexKey) {
		for i := range keys {
			if keys[i].Column != "" && r.same(keys[i].Column, from) {
				keys[i].Column = to
			}
		}
	}
	r.column(t, from).Name = to
	r.columns.forget(t)
	for i := range t.Periods {
		p := &t.Periods[i]
		for _, name := range []*string{&p.From, &p.To} {
			if r.same(*name, from) {
				*name = to
			}
		}
	}
	for _, c := range t.Constraints {
		rename(c.Columns)
		renameKeys(c.Keys)
	}
	for _, x := range t.Indexes {
		renameKeys(x.Keys)
		rename(x.Include)
	}
	for _, other := range r.db.Tables {
		for _, c := range other.Constraints {
			if c.Reference != nil && r.key(c.Reference.Table) == r.key(t.Name) {
				rename(c.Reference.Columns)
			}
		}
	}
}

// renameTable renames a table, in references and for its triggers too.
func (r *reader) renameTable(t *schema.Table, to schema.Name) {
	old := r.key(t.Name)
	for _, g := range r.db.Triggers {
		if r.key(g.Table) == old {
			const on = "ON "
			g.Declared = strings.Replace(g.Declared, on+r.quoteName(g.Table)+" ", on+r.quoteName(to)+" ", 1)
			g.Table = to
		}
	}
	delete(r.tables, old)
	for _, other := range r.db.Tables {
		for _, c := range other.Constraints {
			if c.Reference != nil && r.key(c.Reference.Table) == old {
				c.Reference.Table = to
			}
		}
	}
	t.Name = to
	r.tables[r.key(to)] = t
	for _, x := range t.Indexes {
		x.Table = to
	}
}
