package validate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// declaredRoutine is a routine of PostgreSQL with its statement.
type declaredRoutine struct {
	*schema.Routine
	st      *sqltree.CreateFunction
	object  string
	kind    string // function, procedure
	inputs  []*sqltree.Parameter
	outputs []*sqltree.Parameter
}

// checkDeclaredRoutines checks what the statements of routines say (RTN003). It claims
// nothing of what extensions may bring.
func (c *checker) checkDeclaredRoutines() {
	if !c.d.PostgresFamily() || c.d == dialect.CockroachDB {
		return
	}
	for _, r := range c.db.Routines {
		if r.Declared == "" || r.Aggregate {
			continue
		}
		script, err := c.parse(r.Declared)
		if err != nil || len(script.Statements) != 1 {
			continue
		}
		st, ok := script.Statements[0].(*sqltree.CreateFunction)
		if !ok {
			continue
		}
		f := &declaredRoutine{Routine: r, st: st, object: c.show(r.Name), kind: "function"}
		if r.Procedure {
			f.kind = "procedure"
		}
		for i := range st.Params {
			p := &st.Params[i]
			if p.Mode != "OUT" {
				f.inputs = append(f.inputs, p)
			}
			if p.Mode == "OUT" || p.Mode == "INOUT" {
				f.outputs = append(f.outputs, p)
			}
		}
		if why := c.routineFault(f); why != "" {
			c.problem("RTN003", r.Origin, f.object, "%s %q %s", f.kind, f.object, why)
			continue
		}
		if why := c.routineTypes(f); why != "" {
			c.missing("RTN003", r.Origin, f.object, "%s %q %s", f.kind, f.object, why)
			continue
		}
		if f.Language == "sql" || f.Language == "" {
			c.checkBody(f)
		}
	}
}

// routineFault says what contradicts itself in the head of a routine.
func (c *checker) routineFault(f *declaredRoutine) string {
	if why := parameterFault(f); why != "" {
		return why
	}
	w := wordsOf(f.Declared)
	if !w.find("AS") {
		w.i = len(w.toks)
	}
	inSQL := f.st.Return != nil || len(f.st.Statements) > 0 || w.done()
	switch {
	case f.Language == "" && !inSQL:
		return "has no language; add LANGUAGE sql or another"
	case inSQL && f.Language != "" && f.Language != "sql":
		return "has a body in SQL and is in language " + plain.Line(f.Language, 80)
	case !f.Procedure && f.st.Returns == nil && len(f.st.Table) == 0 && len(f.outputs) == 0:
		return "has no result; say RETURNS"
	}
	if why := c.unknownLanguage(f.Language); why != "" {
		return why
	}
	return f.attributeFault()
}

// parameterFault says what is wrong with the order and the names of parameters.
func parameterFault(f *declaredRoutine) string {
	in, out := map[string]bool{}, map[string]bool{}
	defaulted, variadic := false, false
	for i := range f.st.Params {
		p := &f.st.Params[i]
		given := ""
		if i < len(f.Params) {
			given = f.Params[i].Default
		}
		if p.Mode == "OUT" {
			if given != "" {
				return "has a default of an output parameter"
			}
		} else {
			switch {
			case variadic:
				return "has a parameter behind the VARIADIC one, which must be the last"
			case given != "":
				defaulted = true
			case defaulted && p.Mode != "VARIADIC":
				return "has a parameter without a default behind one that has one"
			}
		}
		if p.Mode == "VARIADIC" {
			variadic = true
			if name := p.Type.Name.Last().Name; p.Type.Array == 0 && dialect.PostgresBuiltin(strings.ToLower(name)) && len(p.Type.Name.Parts) == 1 && !strings.HasSuffix(name, "vector") {
				return "has a VARIADIC parameter that is no array"
			}
		}
		if p.Name == nil {
			continue
		}
		name := sqltree.Postgres.Fold(*p.Name)
		if p.Mode != "OUT" && in[name] || p.Mode != "" && p.Mode != "IN" && p.Mode != "VARIADIC" && out[name] {
			return "has two parameters " + quoted([]string{name})
		}
		in[name] = in[name] || p.Mode != "OUT"
		out[name] = out[name] || p.Mode == "OUT" || p.Mode == "INOUT"
	}
	for _, col := range f.st.Table {
		name := sqltree.Postgres.Fold(col.Name)
		if out[name] {
			return "returns two columns " + quoted([]string{name})
		}
		out[name] = true
	}
	return ""
}

// unknownLanguage says that nothing brings a language.
func (c *checker) unknownLanguage(language string) string {
	switch language {
	case "", "sql", "plpgsql", "c", "internal":
		return ""
	}
	if slices.ContainsFunc(c.db.Extensions, func(x *schema.Extension) bool { return x.Name == language || strings.HasPrefix(x.Name, "pl") }) ||
		slices.ContainsFunc(c.db.Verbatim, func(v *schema.Verbatim) bool { return v.Kind == "LANGUAGE" }) {
		return ""
	}
	return "is in language " + plain.Line(language, 80) + ", which nothing declares"
}

// attributeFault says what is wrong with the words between the result and the body.
func (f *declaredRoutine) attributeFault() string {
	w := wordsOf(f.Declared)
	if !w.find("(") {
		return ""
	}
	w.skip()
	group := map[string]string{"IMMUTABLE": "volatility", "STABLE": "volatility", "VOLATILE": "volatility", "STRICT": "strictness", "CALLED": "strictness",
		"LEAKPROOF": "LEAKPROOF", "PARALLEL": "PARALLEL", "COST": "COST", "ROWS": "ROWS", "SUPPORT": "SUPPORT", "WINDOW": "WINDOW"}
	set := len(f.st.Table) > 0
	if w.accept("RETURNS") {
		set = set || w.peek() == "SETOF"
		if set || f.st.Returns == nil || w.peek() != "NULL" {
			w.skip() // the result, whose words are none of the others
		} else {
			w.i--
		}
	}
	seen := map[string]bool{}
	for ; !w.done(); w.skip() {
		word := w.peek()
		switch word {
		case "AS", "BEGIN", "RETURN":
			return ""
		case "SET": // a setting may be called anything
			w.i++
			continue
		case "RETURNS":
			if w.accept("RETURNS", "NULL", "ON", "NULL", "INPUT") {
				w.i--
				word = "STRICT"
			}
		}
		kind := group[word]
		switch {
		case kind == "":
			continue
		case f.Procedure:
			return "is a procedure and has " + word + ", which is for functions"
		case seen[kind]:
			return "says twice what its " + kind + " is"
		case kind == "ROWS" && !set:
			return "has ROWS and does not return a set"
		}
		seen[kind] = true
		if kind == "COST" || kind == "ROWS" {
			w.i++
			if text := w.peek(); text == "-" || text == "0" {
				return "has " + kind + " that is not above 0"
			}
		}
	}
	return ""
}

// polymorphic are the families of types that stand for those of the arguments.
func polymorphic(t *sqltree.TypeName) string {
	if len(t.Name.Parts) != 1 {
		return ""
	}
	switch name := strings.ToLower(t.Name.Last().Name); {
	case strings.HasPrefix(name, "anycompatible"):
		return "anycompatible"
	case slices.Contains([]string{"anyelement", "anyarray", "anynonarray", "anyenum", "anyrange", "anymultirange"}, name):
		return "any"
	}
	return ""
}

// routineTypes says what is wrong with the types of parameters and results.
func (c *checker) routineTypes(f *declaredRoutine) string {
	families := map[string]bool{}
	for _, p := range f.inputs {
		families[polymorphic(&p.Type)] = true
	}
	text := f.Declared
	for i := range f.st.Params {
		p := &f.st.Params[i]
		if why := c.unknownType(&p.Type, text); why != "" {
			return "has a parameter of " + why
		}
		name := strings.ToLower(p.Type.Name.Last().Name)
		if p.Mode != "OUT" && len(p.Type.Name.Parts) == 1 && (f.Language == "plpgsql" || f.Language == "sql") {
			switch name {
			case "trigger", "event_trigger", "void", "cstring", "internal", "language_handler":
				return "has a parameter of type " + name + ", which is only for results"
			}
		}
		if family := polymorphic(&p.Type); p.Mode == "OUT" && family != "" && !families[family] {
			return "has an output of type " + name + " and no such parameter"
		}
	}
	for i := range f.st.Table {
		if why := c.unknownType(&f.st.Table[i].Type, text); why != "" {
			return "returns a column of " + why
		}
	}
	result := f.st.Returns
	if result == nil {
		return ""
	}
	if why := c.unknownType(result, text); why != "" {
		return "returns " + why
	}
	name := strings.ToLower(result.Name.Last().Name)
	if family := polymorphic(result); family != "" && !families[family] {
		return "returns " + name + " and has no such parameter"
	}
	if len(result.Name.Parts) == 1 {
		switch {
		case name == "trigger" || name == "event_trigger":
			if f.Language == "sql" {
				return "returns " + name + ", which functions in SQL cannot"
			}
			if len(f.inputs) > 0 && f.Language == "plpgsql" {
				return "returns " + name + " and has parameters; a trigger's function has none"
			}
		case name == "cstring" && f.Language != "c" && f.Language != "internal":
			return "returns cstring, which is for functions in C"
		}
	}
	own, known := c.typeWords(result, text)
	switch {
	case len(f.outputs) == 1 && len(f.st.Table) == 0 && polymorphic(result) == "":
		if other, ok := c.typeWords(&f.outputs[0].Type, text); known && ok && own != other {
			return "returns another type than its output parameter has"
		}
	case len(f.outputs) > 1 && name != "record":
		return "has several output parameters and does not return record"
	}
	return ""
}

// typeWords is a built-in type in one spelling.
func (c *checker) typeWords(t *sqltree.TypeName, text string) (string, bool) {
	parsed, err := schema.ParseType(text[t.Start:t.End])
	if err != nil || c.userType(parsed).kind != "" {
		return "", false
	}
	dt, known := c.builtin(parsed, true)
	if parsed.Array > 0 {
		dt.name += "[]"
	}
	return dt.name, known
}

// unknownType says that a type is not declared; empty where it may be.
func (c *checker) unknownType(t *sqltree.TypeName, text string) string {
	if len(t.Name.Parts) == 0 || len(t.Name.Parts) > 3 {
		return ""
	}
	written := strings.Join(strings.Fields(text[t.Start:t.End]), " ")
	if upper := strings.ToUpper(written); strings.HasSuffix(upper, "%TYPE") {
		parts := t.Name.Parts
		if len(parts) < 2 {
			return ""
		}
		of := c.table(nameOf(sqltree.Name{Parts: parts[:len(parts)-1]}))
		column := sqltree.Postgres.Fold(parts[len(parts)-1])
		if of != nil && !of.open && c.column(of, column) == nil {
			return "type " + plain.Line(written, 80) + ", which is of no column" + c.nearColumn(of, column)
		}
		return ""
	}
	if len(c.db.Extensions) > 0 || c.mayBeType(nameOf(t.Name)) {
		return ""
	}
	if parsed, err := schema.ParseType(text[t.Start:t.End]); err == nil {
		if _, known := c.builtin(parsed, true); known || c.userType(parsed).kind != "" {
			return ""
		}
	}
	return "type " + plain.Line(written, 80) + ", which is not declared"
}

// checkBody checks the body of a function in SQL as the server does when it is made:
// that it parses, and that the relations and columns in it are declared.
func (c *checker) checkBody(f *declaredRoutine) {
	bad := func(format string, args ...any) {
		c.problem("RTN003", f.Origin, f.object, "%s %q has a body %s", f.kind, f.object, fmt.Sprintf(format, args...))
	}
	statements := f.st.Statements
	if f.st.Return != nil {
		statements = append(statements, &sqltree.Query{Body: &sqltree.Select{Items: []sqltree.SelectItem{{Expr: f.st.Return}}}})
	}
	if len(statements) == 0 {
		if f.Unchecked {
			return
		}
		script, err := c.parse(f.st.Body)
		if err != nil {
			bad("that does not parse: %s", syntaxMessage(err))
			return
		}
		statements = script.Statements
		if why := f.lastFault(statements); why != "" {
			bad("%s", why)
			return
		}
	}
	highest := 0
	for _, s := range statements {
		switch s.(type) {
		case *sqltree.Query, *sqltree.Insert, *sqltree.Update, *sqltree.Delete:
		default:
			return // it may make what the others name
		}
		sqltree.Walk(s, func(n sqltree.Node) bool {
			if p, ok := n.(*sqltree.Param); ok {
				number, _ := strconv.Atoi(p.Name)
				highest = max(highest, number)
			}
			return true
		})
	}
	if highest > len(f.inputs) {
		bad("with $%d, and it has %s", highest, plain.Count(len(f.inputs), "parameter", "parameters"))
		return
	}
	if c.findsElsewhere(f) {
		return
	}
	d, _ := c.d.SQL()
	res := sqltree.Resolve(&sqltree.CreateFunction{Name: f.st.Name, Params: f.st.Params, Statements: statements}, d, c.catalog)
	for _, use := range res.Tables {
		if use.Status == sqltree.Unknown && len(c.tables) > 0 || use.Status == sqltree.Unknown && len(f.st.Statements) > 0 {
			if c.someRelation(nameOf(use.Name).Name) {
				continue
			}
			c.missing("RTN003", f.Origin, f.object, "%s %q names relation %.80q, which is not declared%s", f.kind, f.object, written(use.Name.Parts), c.didYouMean(written(use.Name.Parts), use.Candidates))
			return
		}
	}
	for _, use := range res.Columns {
		if use.Status != sqltree.Unknown || c.mayBe(use) || f.isParameter(use.Parts) {
			continue
		}
		c.missing("RTN003", f.Origin, f.object, "%s %q names column %.80q, which is not declared%s", f.kind, f.object, written(use.Parts), c.didYouMean(use.At.Name, use.Candidates))
		return
	}
}

// lastFault says why the last statement of a body gives no result.
func (f *declaredRoutine) lastFault(statements []sqltree.Statement) string {
	if f.Procedure || f.st.Returns == nil && len(f.outputs) == 0 && len(f.st.Table) == 0 ||
		f.st.Returns != nil && strings.EqualFold(f.st.Returns.Name.Last().Name, "void") {
		return ""
	}
	const fault = "whose last statement gives no rows; it must be a SELECT or have RETURNING"
	if len(statements) == 0 {
		return fault
	}
	silent := false
	switch s := statements[len(statements)-1].(type) {
	case *sqltree.Insert:
		silent = len(s.Returning) == 0
	case *sqltree.Update:
		silent = len(s.Returning) == 0
	case *sqltree.Delete:
		silent = len(s.Returning) == 0
	}
	if silent {
		return fault
	}
	return ""
}

// findsElsewhere reports whether the names in a body may mean something else than they
// do without a search path.
func (c *checker) findsElsewhere(f *declaredRoutine) bool {
	w := wordsOf(f.Declared)
	for ; !w.done(); w.i++ {
		if w.accept("SET", "SEARCH_PATH") || w.accept("SET", `"search_path"`) {
			return true
		}
	}
	return false
}

// someRelation reports whether a relation of a name is in any schema.
func (c *checker) someRelation(name string) bool {
	if c.relationNames == nil {
		c.relationNames = map[string]bool{}
		for k := range c.catalog.byKey {
			c.relationNames[k.Name] = true
		}
	}
	return c.relationNames[c.d.TableKey(name)]
}

// isParameter reports whether a name is a parameter, a field of one, or a parameter
// behind the name of the function.
func (f *declaredRoutine) isParameter(parts []sqltree.Ident) bool {
	if len(parts) > 1 && sqltree.Postgres.Fold(parts[0]) == f.Name.Name {
		parts = parts[1:]
	}
	return slices.ContainsFunc(f.inputs, func(p *sqltree.Parameter) bool {
		return p.Name != nil && sqltree.Postgres.Fold(*p.Name) == sqltree.Postgres.Fold(parts[0])
	})
}
