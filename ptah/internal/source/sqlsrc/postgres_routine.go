package sqlsrc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// routine is a function, procedure or aggregate with what tells it from its overloads.
type routine struct {
	model *schema.Routine
	args  []string // typeKeys of the parameters that calls give
	// The declaration is head, the quoted name, tail.
	head, tail string
}

func (r *routine) rename(in *postgres, to schema.Name) {
	r.model.Name = to
	r.model.Declared = r.head + in.quote(to) + r.tail
}

// createFunction declares a function or procedure.
func (in *postgres) createFunction(st *sqltree.CreateFunction) error {
	name, err := in.declared(in.parts(st.Name))
	if err != nil {
		return err
	}
	m := &schema.Routine{Name: name, Procedure: st.Procedure, Language: strings.ToLower(st.Language), Body: st.Body, Origin: in.here()}
	r := &routine{model: m}
	for i := range st.Params {
		p := &st.Params[i]
		param := schema.Param{Mode: p.Mode, Type: strings.TrimSpace(in.textOf(p.Type.Span, &p.Type))}
		if p.Name != nil {
			param.Name = in.fold(*p.Name)
		}
		w := in.words(sqltree.Span{Start: p.Type.End, End: p.End})
		if !w.accept("DEFAULT") && !w.done() {
			w.i++ // =
		}
		param.Default = w.rest()
		m.Params = append(m.Params, param)
		if p.Mode != "OUT" {
			r.args = append(r.args, in.typeKey(in.text[p.Type.Start:p.Type.End]))
		}
	}
	in.attributes(m, st)
	m.Unchecked = in.unchecked || in.strays()
	if st.Return != nil || len(st.Statements) > 0 {
		m.Body = in.sqlBody(st)
	}
	var edits []edit
	if in.strays() {
		edits = in.qualifications(functionParts(st)...)
	}
	r.head = in.text[st.Start:st.Name.Start]
	r.tail = in.edited(sqltree.Span{Start: st.Name.End, End: st.End}, edits)
	return in.addRoutine(r, st.Replace)
}

// functionParts are the parts of a function in which names are looked up when it is made.
func functionParts(st *sqltree.CreateFunction) []sqltree.Node {
	var nodes []sqltree.Node
	for i := range st.Params {
		nodes = append(nodes, &st.Params[i])
	}
	if st.Returns != nil {
		nodes = append(nodes, st.Returns)
	}
	for i := range st.Table {
		nodes = append(nodes, &st.Table[i])
	}
	for _, s := range st.Statements {
		nodes = append(nodes, s)
	}
	if st.Return != nil {
		nodes = append(nodes, st.Return)
	}
	return nodes
}

// attributes reads what a function returns and how it is called, from its tokens.
func (in *postgres) attributes(m *schema.Routine, st *sqltree.CreateFunction) {
	w := in.words(sqltree.Span{Start: st.Name.End, End: st.End})
	w.group()
	if w.accept("RETURNS") {
		switch {
		case st.Returns != nil:
			setof := w.accept("SETOF")
			m.Returns = in.textOf(st.Returns.Span, st.Returns)
			if setof {
				m.Returns = "SETOF " + m.Returns
			}
			for !w.done() && w.base+w.toks[w.i].Start < st.Returns.End {
				w.i++
			}
		case w.accept("TABLE"):
			m.Returns = "TABLE (" + w.group() + ")"
		default:
			m.Returns = "NULL"
			w.i = 1
		}
	}
	for ; !w.done(); w.i = w.end(w.i) {
		switch {
		case w.is("IMMUTABLE"), w.is("STABLE"), w.is("VOLATILE"):
			m.Volatility = w.upper(w.i, w.i+1)
		case w.is("SECURITY", "DEFINER"):
			m.Security = "DEFINER"
		case w.is("SECURITY", "INVOKER"):
			m.Security = "INVOKER"
		case w.is("BEGIN", "ATOMIC"), w.is("RETURN"):
			return
		}
	}
	if strings.HasPrefix(m.Returns, "NULL") {
		m.Returns = ""
	}
}

// sqlBody is the text of a body that is no string.
func (in *postgres) sqlBody(st *sqltree.CreateFunction) string {
	w := in.words(sqltree.Span{Start: st.Name.End, End: st.End})
	at := w.find("BEGIN", "ATOMIC")
	if at == len(w.toks) {
		at = w.find("RETURN")
	}
	if at == len(w.toks) {
		return ""
	}
	return in.textOf(sqltree.Span{Start: w.base + w.toks[at].Start, End: st.End}, functionParts(st)...)
}

// addRoutine makes a routine known. One of the same name and arguments is replaced if the
// statement says so.
func (in *postgres) addRoutine(r *routine, replace bool) error {
	k := in.key(r.model.Name)
	r.rename(in, r.model.Name)
	for _, old := range in.routines[k] {
		if !slices.Equal(old.args, r.args) {
			continue
		}
		if !replace || old.model.Procedure != r.model.Procedure || old.model.Aggregate != r.model.Aggregate {
			return twice(routineKind(r.model), r.model.Name.String(), old.model.Origin)
		}
		if why := in.replacing(old.model, r.model); why != "" {
			return refused("RTN001", r.model.Name.String(), "%s %s, declared at %s, cannot be replaced: %s", routineKind(r.model), quoted(r.model.Name.String()), old.model.Origin, why)
		}
		r.model.Comment = old.model.Comment
		*old.model = *r.model
		old.head, old.tail = r.head, r.tail
		return nil
	}
	in.routines[k] = append(in.routines[k], r)
	in.db.Routines = append(in.db.Routines, r.model)
	in.granted("FUNCTION", r.model.Name, in.routineArgs(r))
	return nil
}

// replacing says what of a routine CREATE OR REPLACE would change and cannot.
func (in *postgres) replacing(old, r *schema.Routine) string {
	result := func(m *schema.Routine) (string, bool) {
		text, set := strings.CutPrefix(m.Returns, "SETOF ")
		if text == "" || strings.HasPrefix(text, "TABLE (") {
			return "", false
		}
		text = in.typeKey(text)
		if set {
			text = "SETOF " + text
		}
		return text, true
	}
	a, knownA := result(old)
	if b, knownB := result(r); knownA && knownB && a != b {
		return "it returns another type"
	}
	for i := range min(len(old.Params), len(r.Params)) {
		switch p, q := old.Params[i], r.Params[i]; {
		case p.Mode == "OUT" || q.Mode == "OUT":
			return ""
		case p.Name != "" && !in.same(p.Name, q.Name):
			return "parameter " + quoted(p.Name) + " has another name"
		case p.Default != "" && q.Default == "":
			return "parameter " + strconv.Itoa(i+1) + " has no default any more"
		}
	}
	return ""
}

func routineKind(m *schema.Routine) string {
	switch {
	case m.Procedure:
		return "procedure"
	case m.Aggregate:
		return "aggregate"
	}
	return "function"
}

// createAggregate declares an aggregate.
func (in *postgres) createAggregate(st *sqltree.Other, w *words) error {
	replace := w.is("CREATE", "OR", "REPLACE")
	w.i = w.find("AGGREGATE") + 1
	start := w.i
	name, err := in.declared(w.name())
	if err != nil {
		return err
	}
	m := &schema.Routine{Name: name, Aggregate: true, Language: "internal", Origin: in.here()}
	r := &routine{model: m, head: w.span(0, start) + " "}
	rest := sqltree.Span{Start: w.base + w.toks[w.i-1].End, End: st.End}
	if w.i < len(w.toks) && w.toks[w.i].Match == len(w.toks)-1 {
		// The old form: the type of the argument is an option.
		options := in.wordsOf(w.group())
		if at := options.find("BASETYPE"); at < len(options.toks) {
			options.i = at + 2
			if base := strings.Trim(options.span(options.i, options.i+1), "'"); !strings.EqualFold(base, "any") {
				r.args = []string{in.typeKey(base)}
			}
		}
	} else {
		r.args = in.signature(w.group())
	}
	r.tail = in.edited(rest, in.loosely(rest))
	return in.addRoutine(r, replace)
}

// signature are the typeKeys of a list of arguments as COMMENT, DROP and the like give
// it: types, perhaps with modes, names and defaults.
func (in *postgres) signature(text string) []string {
	var args []string
	w := in.wordsOf(text)
	if len(w.toks) == 1 && w.textOf(0) == "*" {
		return nil
	}
	for !w.done() {
		start := w.i
		for !w.done() && !w.punct(',') && !w.is("ORDER", "BY") {
			w.i = w.end(w.i)
		}
		arg := in.wordsOf(w.span(start, w.i))
		w.acceptPunct(',')
		w.accept("ORDER", "BY")
		mode := arg.acceptAny("IN", "OUT", "INOUT", "VARIADIC")
		if mode == "OUT" || arg.done() {
			continue
		}
		args = append(args, in.typeKey(arg.typeText()))
	}
	return args
}

// typeText is the type of an argument, which a name may stand before.
func (w *words) typeText() string {
	start := w.i
	end := len(w.toks)
	for i := start; i < end; i = w.end(i) {
		if w.isAt(i, "DEFAULT") || w.textOf(i) == "=" {
			end = i
		}
	}
	if end-start > 1 && w.isIdent() && !isDotOrBracket(w, start+1) {
		first := strings.ToLower(w.span(start, start+1))
		two := first + " " + strings.ToLower(w.span(start+1, start+2))
		if typeAliases[two] == "" && !longTypes[first] {
			start++
		}
	}
	return w.span(start, end)
}

// longTypes are the first words of the types whose names have several.
var longTypes = map[string]bool{"double": true, "character": true, "char": true, "national": true, "nchar": true, "bit": true, "timestamp": true, "time": true, "interval": true, "setof": true}

func isDotOrBracket(w *words, i int) bool {
	switch w.textOf(i) {
	case ".", "(", "[":
		return true
	}
	return w.isAt(i, "ARRAY")
}

// routineNamed finds the routine that COMMENT, DROP and the like are about: the text
// behind its name is the list of its arguments, which may be left out where the name
// alone tells.
func (in *postgres) routineNamed(w *words) (*routine, string) {
	n := w.name()
	list := find(in, in.routines, n)
	given := w.punct('(')
	args := in.signature(w.group())
	shown := n.String()
	if given {
		shown += "(" + strings.Join(args, ", ") + ")"
	}
	if !given && len(list) == 1 {
		return list[0], shown
	}
	for _, r := range list {
		if given && slices.Equal(r.args, args) {
			return r, shown
		}
	}
	return nil, shown
}

// calls reports whether a target is a routine: where several have the name, the one that
// takes as many arguments.
func (in *postgres) calls(t target, r *routine) bool {
	k := in.key(r.model.Name)
	if t.kind != toRoutine || t.of != k {
		return false
	}
	return t.args < 0 || len(in.routines[k]) == 1 || t.args == len(r.args)
}

// alterRoutine executes ALTER FUNCTION and the like.
func (in *postgres) alterRoutine(st *sqltree.Other, w *words) error {
	w.accept("ALTER")
	kind := w.upper(w.i, w.i+1)
	w.i++
	r, shown := in.routineNamed(w)
	if r == nil {
		return undeclared(kind, shown)
	}
	to := r.model.Name
	switch {
	case w.accept("RENAME", "TO"):
		to.Name = w.ident()
	case w.accept("SET", "SCHEMA"):
		to.Schema = w.ident()
	default:
		return in.keep(st, "ALTER "+kind)
	}
	err := in.follow(routineKind(r.model)+" "+quoted(shown), []string{r.model.Name.Name}, func(t target) (schema.Name, bool) { return to, in.calls(t, r) })
	if err != nil {
		return err
	}
	old := r.model.Name
	in.routines[in.key(old)] = without(in.routines[in.key(old)], r)
	r.rename(in, to)
	in.routines[in.key(to)] = append(in.routines[in.key(to)], r)
	in.regrant("FUNCTION", old, to)
	return nil
}

// createTrigger declares a trigger or a rule.
func (in *postgres) createTrigger(st *sqltree.CreateTrigger) error {
	table := in.reference(in.parts(st.Table))
	name := in.fold(st.Name)
	edits := []edit{in.naming(sqltree.Name{Span: st.Name.Span}, schema.Name{Name: name}), in.naming(st.Table, table)}
	if in.strays() {
		q := qualifier{in: in}
		w := in.words(sqltree.Span{Start: st.Table.End, End: st.End})
		if w.accept("FROM") { // what a constraint trigger's table refers to
			edits = append(edits, in.loosely(sqltree.Span{Start: w.base + w.toks[w.i].Start, End: w.base + w.toks[w.i].End})...)
		}
		if st.Function != nil && len(st.Function.Parts) == 1 {
			if f := find(in, in.routines, in.parts(*st.Function)); len(f) > 0 {
				q.name(*st.Function, f[0].model.Schema)
			}
		}
		if st.When != nil {
			q.walk(st.When, nil)
		}
		for _, s := range st.Body {
			q.walk(s, nil)
		}
		edits = append(edits, q.edits...)
	}
	declared := in.edited(st.Span, edits)
	replace := in.words(st.Span).is("CREATE", "OR", "REPLACE")
	if st.Rule {
		return in.addVerbatim(&schema.Verbatim{
			Kind: "RULE", Name: schema.Name{Schema: table.Schema, Name: name}, Text: declared,
			CommentOn: in.d.Quote(name) + " ON " + in.quote(table), Origin: in.here(),
		}, replace)
	}
	t := &schema.Trigger{Name: name, Table: table, Timing: st.Timing, ForEach: "STATEMENT", Declared: declared, Origin: in.here()}
	t.Events = in.events(st)
	w := in.words(sqltree.Span{Start: st.Table.End, End: st.End})
	if w.find("ROW") < w.find("EXECUTE") && (w.find("FOR", "ROW") < len(w.toks) || w.find("FOR", "EACH", "ROW") < len(w.toks)) {
		t.ForEach = "ROW"
	}
	if old := in.trigger(table, name); old != nil {
		if !replace {
			return twice("trigger", name, old.Origin)
		}
		t.Comment, t.Enabled = old.Comment, old.Enabled
		*old = *t
		return nil
	}
	in.db.Triggers = append(in.db.Triggers, t)
	return nil
}

// events are what a trigger fires on, UPDATE with its columns.
func (in *postgres) events(st *sqltree.CreateTrigger) []string {
	var list []string
	for _, event := range st.Events {
		if event == "UPDATE" && len(st.Columns) > 0 {
			event += " OF " + strings.Join(in.folded(st.Columns), ", ")
		}
		list = append(list, event)
	}
	return list
}

func (in *postgres) trigger(table schema.Name, name string) *schema.Trigger {
	of := in.key(table)
	return in.triggers.find(nil, in.db.Triggers, dialect.Cut(name), func(t *schema.Trigger) bool { return in.key(t.Table) == of })
}
