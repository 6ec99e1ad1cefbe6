package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	pgsql "github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// The server keeps what an expression or a query means, not its words: both follow what
// gets another name, and go with what is dropped. The model keeps the words. This file
// finds out what they mean, so that the same becomes of them.

// target is something of the model that a text can name.
type target struct {
	kind   targetKind
	of     key
	column string // of a relation; empty: the relation itself
	args   int    // of a call; -1: it is only named
}

type targetKind uint8

const (
	toRelation targetKind = iota // or its row type
	toRoutine
	toType
)

// use is a place in a text that names a target.
type use struct {
	sqltree.Span
	target
	form useForm
}

type useForm uint8

const (
	wholeName useForm = iota // with or without its schema
	bareName                 // without: a column, or the relation before one
	inString                 // the string is the name
	byStar                   // * stands for it among others
	asOutput                 // an output, which has its name from what it is
)

// wording is a text of the model with what it is about.
type wording struct {
	text  *string
	table *schema.Table // whose columns an expression names
	expr  bool          // text is an expression
	what  string        // kind and name of what has the text, for messages
	name  string
	owner any          // what has the text
	then  func()       // what follows a change of the text
	drop  func() error // takes away what has the text
}

// wordings are all texts of the model in which the server follows names.
func (in *postgres) wordings() []*wording {
	var list []*wording
	for _, v := range in.db.Views {
		list = append(list, &wording{text: &v.Body, what: "view", name: v.Name.String(), owner: v, drop: func() error { return in.dropRelation(in.taken(v.Name), true) }})
	}
	for _, t := range in.db.Triggers {
		list = append(list, &wording{text: &t.Declared, what: "trigger", name: t.Name, owner: t, then: func() { in.rereadTrigger(t) }, drop: func() error { in.db.Triggers = without(in.db.Triggers, t); return nil }})
	}
	for _, p := range in.db.Policies {
		table := in.table(p.Table)
		for _, text := range []*string{&p.Using, &p.Check} {
			list = append(list, &wording{text: text, table: table, expr: true, what: "policy", name: p.Name, owner: p, drop: func() error { in.db.Policies = without(in.db.Policies, p); return nil }})
		}
	}
	for _, v := range in.db.Verbatim {
		list = append(list, &wording{text: &v.Text, what: strings.ToLower(v.Kind), name: v.Name.String(), owner: v, drop: func() error { return in.dropNaming(v) }})
	}
	for _, m := range in.db.Routines {
		i := slices.IndexFunc(in.routines[in.key(m.Name)], func(r *routine) bool { return r.model == m })
		if i < 0 {
			continue
		}
		r := in.routines[in.key(m.Name)][i]
		list = append(list, &wording{text: &m.Declared, what: routineKind(m), name: m.Name.String(), owner: m,
			then: func() { in.reread(r) }, drop: func() error { return in.dropRoutine(r, true) }})
	}
	for _, d := range in.db.Domains {
		if d.Default != nil {
			list = append(list, &wording{text: &d.Default.Text, expr: true, what: "domain", name: d.Name.String(), owner: d, drop: func() error { d.Default = nil; return nil }})
		}
		for _, c := range d.Checks {
			list = append(list, &wording{text: &c.Expr, expr: true, what: "check", name: c.Name, owner: c, drop: func() error { d.Checks = without(d.Checks, c); return nil }})
		}
	}
	for _, t := range in.db.Tables {
		list = append(list, in.wordingsOf(t)...)
	}
	return list
}

// wordingsOf are the expressions of a table.
func (in *postgres) wordingsOf(t *schema.Table) []*wording {
	var list []*wording
	add := func(text *string, what, name string, owner any, drop func() error) {
		if *text != "" {
			list = append(list, &wording{text: text, table: t, expr: true, what: what, name: name, owner: owner, drop: drop})
		}
	}
	for _, c := range t.Columns {
		if c.Default != nil {
			add(&c.Default.Text, "the default of column", t.Name.String()+"."+c.Name, c.Default, func() error { c.Default = nil; return nil })
		}
		if c.Generated != nil {
			add(&c.Generated.Expr, "column", t.Name.String()+"."+c.Name, c, func() error { return in.removeColumn(t, c, true) })
		}
	}
	for _, c := range t.Constraints {
		drop := func() error { in.removeConstraint(t, c); return nil }
		add(&c.Expr, "constraint", c.Name, c, drop)
		add(&c.Where, "constraint", c.Name, c, drop)
		for i := range c.Keys {
			add(&c.Keys[i].Expr, "constraint", c.Name, c, drop)
		}
	}
	for _, x := range t.Indexes {
		drop := func() error {
			t.Indexes = without(t.Indexes, x)
			in.removeRelation(in.key(schema.Name{Schema: t.Schema, Name: x.Name}))
			return nil
		}
		add(&x.Where, "index", x.Name, x, drop)
		for i := range x.Keys {
			add(&x.Keys[i].Expr, "index", x.Name, x, drop)
		}
	}
	return list
}

// reread makes what is known of a routine that of its changed declaration.
func (in *postgres) reread(r *routine) {
	r.tail = r.model.Declared[len(r.head)+len(in.quote(r.model.Name)):]
	script, err := trees.Parse(sqltree.Postgres, r.model.Declared)
	if err != nil || len(script.Statements) != 1 {
		return
	}
	st, ok := script.Statements[0].(*sqltree.CreateFunction)
	if !ok || len(st.Params) != len(r.model.Params) {
		return
	}
	r.args = nil
	for i := range st.Params {
		p := &st.Params[i]
		r.model.Params[i].Type = r.model.Declared[p.Type.Start:p.Type.End]
		if p.Mode != "OUT" {
			r.args = append(r.args, in.typeKey(r.model.Params[i].Type))
		}
	}
	if st.Returns != nil {
		setof := strings.HasPrefix(r.model.Returns, "SETOF ")
		if r.model.Returns = r.model.Declared[st.Returns.Start:st.Returns.End]; setof {
			r.model.Returns = "SETOF " + r.model.Returns
		}
	}
}

// rereadTrigger is reread for the events of a trigger, which have names of columns.
func (in *postgres) rereadTrigger(t *schema.Trigger) {
	script, err := trees.Parse(sqltree.Postgres, t.Declared)
	if err != nil || len(script.Statements) != 1 {
		return
	}
	if st, ok := script.Statements[0].(*sqltree.CreateTrigger); ok {
		t.Events = in.events(st)
	}
}

// uses returns what a text names; ok is false for one that cannot be understood.
func (in *postgres) uses(w *wording) (list []use, ok bool) {
	before, behind := "", ""
	if w.expr {
		before, behind = exprStart, exprEnd
		if w.table != nil {
			behind += " FROM " + in.quote(w.table.Name)
		}
	}
	script, err := trees.Parse(sqltree.Postgres, before+*w.text+behind)
	if err != nil || len(script.Statements) != 1 {
		return in.looseUses(*w.text), true
	}
	st := script.Statements[0]
	if _, isOther := st.(*sqltree.Other); isOther {
		return in.looseUses(*w.text), true
	}
	f := finder{in: in, text: script.Text}
	if ok = f.find(st, w.expr); !ok {
		return nil, false
	}
	for _, u := range f.uses {
		u.Start, u.End = u.Start-len(before), u.End-len(before)
		if u.Start >= 0 && u.End <= len(*w.text) {
			list = append(list, u)
		}
	}
	return list, true
}

// looseUses are the uses in a text that has no tree: of names as such, and of columns of
// the relations that are named.
func (in *postgres) looseUses(text string) []use {
	var list []use
	w := in.wordsOf(text)
	add := func(kind targetKind, k key, column string, s sqltree.Span, form useForm) {
		list = append(list, use{s, target{kind, k, column, -1}, form})
	}
	var tables []*relation
	for w.i = 0; !w.done(); {
		if !w.isIdent() {
			w.i++
			continue
		}
		start := w.i
		n := w.name()
		s := sqltree.Span{Start: w.toks[start].Start, End: w.toks[w.i-1].End}
		k := in.key(n)
		if r := in.relations[k]; r != nil {
			add(toRelation, k, "", s, wholeName)
			tables = append(tables, r)
		}
		if len(in.routines[k]) > 0 {
			add(toRoutine, k, "", s, wholeName)
		}
		if in.types[k] != nil {
			add(toType, k, "", s, wholeName)
		}
	}
	for _, r := range tables {
		if !r.isTable() {
			continue
		}
		for w.i = 0; !w.done(); {
			if !w.isIdent() {
				w.i++
				continue
			}
			start := w.i
			if parts := w.parts(); len(parts) == 1 && in.anyColumn(r.table, parts[0]) != nil {
				add(toRelation, in.key(r.name), parts[0], w.toks[start].Span, bareName)
			}
		}
	}
	return list
}

// finder finds the uses in a statement.
type finder struct {
	in   *postgres
	text string
	uses []use
}

func (f *finder) add(kind targetKind, k key, column string, s sqltree.Span, form useForm) {
	f.uses = append(f.uses, use{s, target{kind, k, column, -1}, form})
}

// find reports false for a statement in which names cannot be followed.
func (f *finder) find(st sqltree.Statement, expr bool) bool {
	in := f.in
	catalog := &known{in: in, seen: map[key]*sqltree.Relation{}}
	res := sqltree.Resolve(st, sqltree.Postgres, catalog)
	for _, t := range res.Tables {
		if t.Relation != nil && in.relations[catalog.keyOf(t.Relation)] != nil {
			f.add(toRelation, catalog.keyOf(t.Relation), "", t.Span, wholeName)
		}
	}
	for _, c := range res.Columns {
		if c.Table == nil || len(c.Parts) == 0 {
			continue
		}
		k := catalog.keyOf(c.Table)
		last := c.Parts[len(c.Parts)-1]
		if slices.Contains(c.Table.Columns, in.fold(last)) {
			f.add(toRelation, k, in.fold(last), last.Span, bareName)
		}
		if n := len(c.Parts); n > 1 && c.Relation == c.Table.Name && in.fold(c.Parts[n-2]) == c.Table.Name {
			form := bareName
			if n > 2 {
				form = wholeName
			}
			f.add(toRelation, k, "", sqltree.Span{Start: c.Parts[0].Start, End: c.Parts[n-2].End}, form)
		}
	}
	ok := true
	aliased := map[string]bool{}
	var top *sqltree.Select
	if q, isQuery := st.(*sqltree.Query); isQuery && expr {
		top, _ = q.Body.(*sqltree.Select)
	}
	sqltree.Walk(st, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.TableRef:
			if n.Alias.Name != nil {
				aliased[in.fold(*n.Alias.Name)] = true
			}
		case *sqltree.Join:
			ok = ok && !n.Natural && len(n.Using) == 0
		case *sqltree.Func:
			f.call(n)
		case *sqltree.Cast:
			if strings.EqualFold(n.Type.Name.Last().Name, "regclass") {
				f.literal(n.Arg)
			}
		case *sqltree.TypeName:
			f.typeName(n)
		case *sqltree.CreateTrigger:
			f.trigger(n)
		case *sqltree.Select:
			f.selected(n, n == top, catalog)
		}
		return true
	})
	// The name before a column is that of the alias where there is one.
	f.uses = slices.DeleteFunc(f.uses, func(u use) bool {
		return u.kind == toRelation && u.column == "" && u.form == bareName && aliased[u.of.name]
	})
	return ok
}

func (f *finder) call(n *sqltree.Func) {
	if len(n.Name.Parts) == 0 {
		return
	}
	k := f.in.key(f.in.parts(n.Name))
	if len(f.in.routines[k]) > 0 {
		f.uses = append(f.uses, use{n.Name.Span, target{toRoutine, k, "", len(n.Args)}, wholeName})
	}
	if len(n.Args) > 0 && namesSequence[strings.ToLower(n.Name.Last().Name)] {
		f.literal(n.Args[0])
	}
}

// literal notes a relation that is named in a string.
func (f *finder) literal(e sqltree.Expr) {
	if l, ok := e.(*sqltree.Literal); ok && l.Kind == sqltree.StringLiteral {
		if w := f.in.wordsOf(l.Value); len(w.toks) > 0 && w.isIdent() {
			f.add(toRelation, f.in.key(w.name()), "", l.Span, inString)
		}
	}
}

func (f *finder) typeName(n *sqltree.TypeName) {
	if len(n.Name.Parts) == 0 {
		return
	}
	k := f.in.key(f.in.parts(n.Name))
	switch {
	case f.in.types[k] != nil:
		f.add(toType, k, "", n.Name.Span, wholeName)
	case f.in.relations[k] != nil:
		f.add(toRelation, k, "", n.Name.Span, wholeName)
	}
}

func (f *finder) trigger(n *sqltree.CreateTrigger) {
	in := f.in
	table := in.key(in.parts(n.Table))
	f.add(toRelation, table, "", n.Table.Span, wholeName)
	if n.Function != nil {
		f.add(toRoutine, in.key(in.parts(*n.Function)), "", n.Function.Span, wholeName)
	}
	for _, c := range n.Columns {
		f.add(toRelation, table, in.fold(c), c.Span, bareName)
	}
	when := func(node sqltree.Node) bool {
		if c, ok := node.(*sqltree.Column); ok && len(c.Parts) == 2 && (strings.EqualFold(c.Parts[0].Name, "new") || strings.EqualFold(c.Parts[0].Name, "old")) {
			f.add(toRelation, table, in.fold(c.Parts[1]), c.Parts[1].Span, bareName)
		}
		return true
	}
	if n.When != nil {
		sqltree.Walk(n.When, when)
	}
	for _, s := range n.Body {
		sqltree.Walk(s, when)
	}
}

// selected notes what the list of a query says about columns: that * stands for them, and
// where one gives an output its name.
func (f *finder) selected(s *sqltree.Select, top bool, catalog *known) {
	for _, item := range s.Items {
		star, isStar := item.Expr.(*sqltree.Star)
		switch {
		case isStar:
			for _, r := range f.entries(s.From, star.Qualifier) {
				rel := catalog.Relation(sqltree.Postgres, r.Name)
				if rel == nil {
					continue
				}
				if n := len(star.Qualifier); n > 0 && r.Alias.Name == nil {
					form := bareName
					if n > 1 {
						form = wholeName
					}
					f.add(toRelation, catalog.keyOf(rel), "", sqltree.Span{Start: star.Qualifier[0].Start, End: star.Qualifier[n-1].End}, form)
				}
				for _, c := range rel.Columns {
					f.add(toRelation, catalog.keyOf(rel), c, star.Span, byStar)
				}
			}
		case !top && item.Alias == nil:
			if name := sqltree.OutputName(sqltree.Postgres, item.Expr); name != "" {
				f.uses = append(f.uses, use{item.Span, target{column: name}, asOutput})
			}
		}
	}
}

// entries are the tables that a * stands for.
func (f *finder) entries(from []sqltree.TableExpr, qualifier []sqltree.Ident) []*sqltree.TableRef {
	var list []*sqltree.TableRef
	for _, e := range from {
		switch e := e.(type) {
		case *sqltree.TableRef:
			name := f.in.fold(e.Name.Last())
			if e.Alias.Name != nil {
				name = f.in.fold(*e.Alias.Name)
			}
			if len(qualifier) == 0 || f.in.fold(qualifier[len(qualifier)-1]) == name {
				list = append(list, e)
			}
		case *sqltree.Join:
			list = append(list, f.entries([]sqltree.TableExpr{e.Left, e.Right}, qualifier)...)
		}
	}
	return list
}

// known is the catalog of what is declared so far.
type known struct {
	in   *postgres
	seen map[key]*sqltree.Relation
}

// Relation implements [sqltree.Catalog].
func (c *known) Relation(_ sqltree.Dialect, name sqltree.Name) *sqltree.Relation {
	n := c.in.parts(name)
	k := c.in.key(n)
	if rel, ok := c.seen[k]; ok {
		return rel
	}
	r := c.in.relations[k]
	if r == nil {
		return nil
	}
	rel := &sqltree.Relation{Schema: k.schema, Name: k.name}
	c.seen[k] = rel
	switch {
	case r.isTable():
		for _, column := range c.in.allColumns(r.table) {
			rel.Columns = append(rel.Columns, column.Name)
		}
	case r.view != nil && r.index == nil && len(r.view.Columns) > 0:
		rel.Columns = r.view.Columns
	case r.view != nil && r.index == nil:
		rel.Open = true
		if script, err := trees.Parse(sqltree.Postgres, r.view.Body); err == nil && len(script.Statements) == 1 {
			res := sqltree.Resolve(script.Statements[0], sqltree.Postgres, c)
			for _, out := range res.Output {
				rel.Columns = append(rel.Columns, out.Name)
			}
			rel.Open = res.Undecided != ""
		}
	default:
		rel.Open = true
	}
	return rel
}

// Names implements [sqltree.Catalog]: nothing is suggested here.
func (c *known) Names() []string { return nil }

func (c *known) keyOf(r *sqltree.Relation) key { return key{r.Schema, r.Name} }

// mayName reports whether a text has one of the words, which costs less to see than what
// it means.
func mayName(text string, words ...string) bool {
	lower := strings.ToLower(text)
	return strings.ContainsAny(text, `&"`) || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, strings.ToLower(w)) })
}

// follow lets the texts of the model follow a name. renamed returns the new name of a
// target that gets one.
func (in *postgres) follow(what string, words []string, renamed func(target) (schema.Name, bool)) error {
	type change struct {
		w    *wording
		text string
	}
	var changes []change
	for _, w := range in.wordings() {
		if !mayName(*w.text, words...) {
			continue
		}
		uses, ok := in.uses(w)
		if !ok && slices.ContainsFunc(words, func(word string) bool { return in.mentions(word, *w.text) }) {
			return refused("SRC005", "", "renaming %s, which %s %s names, is not supported as a declaration; declare it under its new name", what, w.what, quoted(w.name))
		}
		var edits []edit
		for _, u := range uses {
			to, ok := renamed(u.target)
			if !ok || u.form == asOutput || u.form == byStar || isOwnName(w, u) {
				continue
			}
			text := in.quote(to)
			switch u.form {
			case bareName:
				text = in.d.Quote(to.Name)
			case inString:
				text = in.d.String(text)
			}
			edits = append(edits, edit{u.Span, text})
		}
		for _, u := range uses {
			// An output keeps the name that a column has given it.
			if u.form == asOutput && slices.ContainsFunc(edits, func(e edit) bool {
				return e.Start >= u.Start && e.End <= u.End && in.same(in.endingAt(*w.text, e.End), u.column)
			}) {
				edits = append(edits, edit{sqltree.Span{Start: u.End, End: u.End}, " AS " + in.d.Quote(u.column)})
			}
		}
		if len(edits) > 0 {
			changes = append(changes, change{w, edited(*w.text, sqltree.Span{End: len(*w.text)}, edits)})
		}
	}
	for _, c := range changes {
		*c.w.text = c.text
		if c.w.then != nil {
			c.w.then()
		}
	}
	return nil
}

// endingAt is the name that ends at a byte of a text.
func (in *postgres) endingAt(text string, end int) string {
	w := in.wordsOf(text)
	for i, t := range w.toks {
		if t.End == end {
			w.i = i
			return w.ident()
		}
	}
	return ""
}

// isOwnName reports whether a use is the name of what the statement itself declares, which
// is not a use of it.
func isOwnName(w *wording, u use) bool {
	if _, isRoutine := w.owner.(*schema.Routine); u.kind != toRoutine || !isRoutine {
		return false
	}
	toks, err := pgsql.Tokens((*w.text)[:min(u.End, len(*w.text))])
	return err == nil && len(toks) < 8 && !strings.Contains((*w.text)[:u.Start], "(")
}

// loosen makes what names a target independent of it, or takes it away: with CASCADE what
// needs it goes with it. Without, the first such thing is a reason not to drop it.
func (in *postgres) loosen(kind, name string, cascade bool, words []string, is func(target) bool, own func(*wording) bool) error {
	for {
		w := in.needing(words, is, own)
		switch {
		case w == nil:
			return nil
		case !cascade:
			return refused("SRC005", name, "%s %s cannot be dropped: %s %s names it; drop that first", kind, quoted(name), w.what, quoted(w.name))
		}
		if err := w.drop(); err != nil {
			return err
		}
	}
}

// needing finds a text that names a target; own are those that do not matter.
func (in *postgres) needing(words []string, is func(target) bool, own func(*wording) bool) *wording {
	for _, w := range in.wordings() {
		if !mayName(*w.text, words...) || own(w) {
			continue
		}
		uses, ok := in.uses(w)
		if !ok && slices.ContainsFunc(words, func(word string) bool { return in.mentions(word, *w.text) }) ||
			slices.ContainsFunc(uses, func(u use) bool { return u.form != asOutput && is(u.target) && !isOwnName(w, u) }) {
			return w
		}
	}
	return nil
}

// dropNaming takes away an object that is kept in words and names something that goes.
func (in *postgres) dropNaming(v *schema.Verbatim) error {
	if v.Kind == "PUBLICATION" || strings.HasPrefix(v.Kind, "ALTER ") && v.Kind != foreignColumn {
		return refused("SRC005", v.Name.String(), "what %s %s names cannot be dropped as a declaration; declare it without that", strings.ToLower(v.Kind), quoted(v.Name.String()))
	}
	in.dropVerbatim(v)
	return nil
}

// expandStars writes the columns of a table in the place of each * that stands for them:
// a view keeps the columns that its tables had.
func (in *postgres) expandStars(t *schema.Table, what string) error {
	for _, v := range in.db.Views {
		if !strings.Contains(v.Body, "*") || !in.mentions(t.Name.Name, v.Body) || !in.selectsAll(v.Body) {
			continue
		}
		text, ok := in.starsExpanded(v.Body, in.key(t.Name))
		if !ok {
			return refused("SRC005", t.Name.String(), "%s table %s, from which view %s takes all columns with *, is not supported as a declaration; list the view's columns",
				what, quoted(t.Name.String()), quoted(v.Name.String()))
		}
		v.Body = text
	}
	return nil
}

// starsExpanded is a query with the columns in the place of each * that stands for those of
// a table. It reports false where they cannot be told.
func (in *postgres) starsExpanded(query string, table key) (string, bool) {
	script, err := trees.Parse(sqltree.Postgres, query)
	if err != nil || len(script.Statements) != 1 {
		return query, false
	}
	f := finder{in: in, text: query}
	catalog := &known{in: in, seen: map[key]*sqltree.Relation{}}
	ok := true
	var edits []edit
	sqltree.Walk(script.Statements[0], func(n sqltree.Node) bool {
		s, isSelect := n.(*sqltree.Select)
		if !isSelect {
			return true
		}
		for _, item := range s.Items {
			star, isStar := item.Expr.(*sqltree.Star)
			if !isStar {
				continue
			}
			refs := f.entries(s.From, star.Qualifier)
			var columns []string
			concerned, plain := false, len(star.Qualifier) > 0 || onlyTables(s.From)
			for _, r := range refs {
				rel := catalog.Relation(sqltree.Postgres, r.Name)
				if rel == nil || rel.Open || len(r.Alias.Columns) > 0 {
					plain = false
					continue
				}
				concerned = concerned || catalog.keyOf(rel) == table
				name := rel.Name
				if r.Alias.Name != nil {
					name = in.fold(*r.Alias.Name)
				}
				for _, c := range rel.Columns {
					columns = append(columns, in.d.Quote(name)+"."+in.d.Quote(c))
				}
			}
			if concerned {
				ok = ok && plain
				edits = append(edits, edit{star.Span, strings.Join(columns, ", ")})
			}
		}
		return true
	})
	return edited(query, sqltree.Span{End: len(query)}, edits), ok
}

// onlyTables reports whether FROM has only tables, joined so that each keeps its columns.
func onlyTables(from []sqltree.TableExpr) bool {
	for _, e := range from {
		switch e := e.(type) {
		case *sqltree.TableRef:
		case *sqltree.Join:
			if e.Natural || len(e.Using) > 0 || !onlyTables([]sqltree.TableExpr{e.Left, e.Right}) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
