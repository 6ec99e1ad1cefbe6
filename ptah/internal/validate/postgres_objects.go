package validate

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/pgtype"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkObjects checks the objects of PostgreSQL that are kept in the words of their
// statements, and aggregates (OBJ001, RTN003).
func (c *checker) checkObjects() {
	if !c.d.PostgresFamily() || c.d == dialect.CockroachDB {
		return
	}
	for _, r := range c.db.Routines {
		if r.Aggregate && r.Declared != "" {
			if why := c.aggregateFault(r); why != "" {
				c.missing("RTN003", r.Origin, c.show(r.Name), "aggregate %q %s", c.show(r.Name), why)
			}
		}
	}
	for _, v := range c.db.Verbatim {
		fault := map[string]func(*words) string{
			"OPERATOR": c.operatorFault, "CAST": c.castFault, "STATISTICS": c.statisticsFault, "PUBLICATION": c.publicationFault, "RULE": c.ruleFault,
		}[v.Kind]
		if fault == nil {
			continue
		}
		if why := fault(wordsOf(v.Text)); why != "" {
			object := c.show(v.Name)
			c.missing("OBJ001", v.Origin, object, "%s %.80q %s", strings.ToLower(v.Kind), object, why)
		}
	}
}

// options reads a list of key = value; what has no value has an empty one.
func options(list string) map[string]string {
	found := map[string]string{}
	for _, part := range items(list) {
		w := wordsOf(part)
		key := strings.ToUpper(w.ident())
		w.accept("=")
		value := ""
		if !w.done() {
			value = strings.TrimSpace(part[w.toks[w.i].Start:])
		}
		found[key] = value
	}
	return found
}

// isCallable reports whether a function of a name may be there.
func (c *checker) isCallable(n schema.Name) bool {
	return len(c.db.Extensions) > 0 || n.Schema == "pg_catalog" || c.routineNames()[c.catalog.key(n)] || n.Schema == "" && pgtype.Functions(n.Name) != nil
}

// takes reports whether a function of a name may have these types of arguments. What is
// not built in may be written in several ways, and is not compared.
func (c *checker) takes(n schema.Name, args []string) bool {
	want := make([]string, len(args))
	for i, a := range args {
		t, err := schema.ParseType(a)
		if err != nil {
			return true
		}
		own, known := c.builtin(t, true)
		if !known || c.userType(t).kind != "" {
			return true
		}
		if want[i] = own.name; t.Array > 0 {
			want[i] += "[]"
		}
	}
	if len(c.db.Extensions) > 0 || n.Schema == "" && pgtype.Functions(n.Name) != nil || n.Schema == "pg_catalog" {
		return true
	}
	for _, r := range c.db.Routines {
		if c.key(r.Name) != c.key(n) {
			continue
		}
		if r.Aggregate || strings.Contains(r.Signature(), "any") || slices.ContainsFunc(r.Params, func(p schema.Param) bool { return p.Mode == "VARIADIC" }) || c.argumentTypes(r) == strings.Join(want, ",") {
			return true
		}
	}
	return !slices.ContainsFunc(c.db.Routines, func(r *schema.Routine) bool { return c.key(r.Name) == c.key(n) })
}

// undeclaredType says that a type in a statement is not declared.
func (c *checker) undeclaredType(text string) string {
	t, err := schema.ParseType(text)
	if err != nil || len(c.db.Extensions) > 0 {
		return ""
	}
	if _, known := c.builtin(t, true); known || c.userType(t).kind != "" {
		return ""
	}
	n := schema.Name{Schema: t.Schema, Name: t.Name}
	if !t.Quoted {
		n.Schema, n.Name = strings.ToLower(n.Schema), strings.ToLower(n.Name)
	}
	if c.mayBeType(n) {
		return ""
	}
	return "is for type " + plain.Line(text, 80) + ", which is not declared"
}

func (c *checker) aggregateFault(r *schema.Routine) string {
	w := wordsOf(r.Declared)
	var args string
	for ; !w.done() && w.peek() != "("; w.i++ {
	}
	list, _ := w.group()
	if w.peek() == "(" {
		args = list
		list, _ = w.group()
	}
	o := options(list)
	if args != "*" {
		for _, a := range items(args) {
			if !strings.ContainsAny(a, " \t\n") { // a name before the type, or ORDER BY
				if why := c.undeclaredType(a); why != "" {
					return why
				}
			}
		}
	}
	state := o["STYPE"]
	if state == "" {
		state = o["STYPE1"]
	}
	if state == "" {
		return "has no state type; say STYPE"
	}
	if why := c.undeclaredType(state); why != "" {
		return why
	}
	for _, key := range []string{"SFUNC", "SFUNC1", "FINALFUNC", "COMBINEFUNC", "MSFUNC", "MINVFUNC"} {
		if value := o[key]; value != "" && !strings.EqualFold(state, "internal") {
			if n := wordsOf(value).name(); !c.isCallable(n) {
				return "calls function " + plain.Line(c.show(n), 80) + ", which is not declared"
			}
		}
	}
	return ""
}

func (c *checker) operatorFault(w *words) string {
	if !w.find("(") {
		return ""
	}
	list, _ := w.group()
	o := options(list)
	var args []string
	for _, key := range []string{"LEFTARG", "RIGHTARG"} {
		if o[key] == "" || strings.EqualFold(o[key], "none") {
			continue
		}
		if why := c.undeclaredType(o[key]); why != "" {
			return why
		}
		args = append(args, o[key])
	}
	value := o["FUNCTION"]
	if value == "" {
		value = o["PROCEDURE"]
	}
	n := wordsOf(value).name()
	switch {
	case value == "":
		return "has no function"
	case o["RIGHTARG"] == "" || strings.EqualFold(o["RIGHTARG"], "none"):
		return "has no right operand; there are no other operators any more"
	case !c.isCallable(n):
		return "calls function " + plain.Line(c.show(n), 80) + ", which is not declared"
	case !c.takes(n, args):
		return "calls function " + plain.Line(c.show(n), 80) + ", which takes other types"
	}
	return ""
}

func (c *checker) castFault(w *words) string {
	if !w.find("(") {
		return ""
	}
	list, _ := w.group()
	pair := wordsOf(list)
	for pair.i = 0; !pair.done() && pair.peek() != "AS"; pair.skip() {
	}
	if pair.done() {
		return ""
	}
	for _, text := range []string{list[:pair.toks[pair.i].Start], list[pair.toks[pair.i].End:]} {
		if why := c.undeclaredType(strings.TrimSpace(text)); why != "" {
			return why
		}
	}
	if w.accept("WITH", "FUNCTION") {
		n := w.name()
		args, given := w.group()
		switch {
		case !c.isCallable(n):
			return "calls function " + plain.Line(c.show(n), 80) + ", which is not declared"
		case given && !c.takes(n, items(args)):
			return "calls function " + plain.Line(c.show(n), 80) + ", which takes other types"
		}
	}
	return ""
}

func (c *checker) statisticsFault(w *words) string {
	for ; !w.done() && w.peek() != "(" && w.peek() != "ON"; w.i++ {
	}
	kinds := 0
	if list, ok := w.group(); ok {
		for _, k := range items(list) {
			kinds++
			if !slices.Contains([]string{"ndistinct", "dependencies", "mcv"}, strings.ToLower(k)) {
				return "is of kind " + plain.Line(k, 80) + "; a kind is ndistinct, dependencies or mcv"
			}
		}
	}
	if !w.accept("ON") {
		return ""
	}
	var keys []string
	for !w.done() && w.peek() != "FROM" {
		from := w.toks[w.i].Start
		to := from
		for !w.done() && w.peek() != "," && w.peek() != "FROM" {
			w.skip()
			to = w.toks[w.i-1].End
		}
		keys = append(keys, w.text[from:to])
		w.accept(",")
	}
	w.accept("FROM")
	n := w.name()
	r := c.relation(n)
	switch {
	case len(keys) == 1 && !strings.Contains(keys[0], "("):
		return "is of one column; statistics are of two at least, or of an expression"
	case len(keys) == 1 && kinds > 0:
		return "is of one expression and says of what kind; that is for several"
	case len(keys) > 8:
		return "is of more than 8 columns"
	case r == nil:
		return "is of table " + plain.Line(c.show(n), 80) + ", which is not declared" + c.nearTable(n)
	case r.table == nil && r.kind != "materialized view":
		return "is of " + plain.Line(c.show(n), 80) + ", which is a " + r.kind
	case r.table == nil:
		return ""
	}
	seen := map[string]bool{}
	for _, k := range keys {
		if strings.Contains(k, "(") {
			continue
		}
		name := wordsOf(k).ident()
		col := c.column(r.table, name)
		switch {
		case seen[name]:
			return "names column " + plain.Line(name, 80) + " twice"
		case systemColumn(name):
			return "names the system column " + name
		case col == nil && !r.table.open:
			return "names column " + plain.Line(name, 80) + ", which the table does not declare" + c.nearColumn(r.table, name)
		case col != nil:
			if dt, known := c.typeOf(col); known && !c.hasOpclass("btree", dt) {
				return "names column " + plain.Line(name, 80) + " of a type without an order"
			}
		}
		seen[name] = true
	}
	return ""
}

func (c *checker) publicationFault(w *words) string {
	if !w.find("FOR") {
		return ""
	}
	w.i++
	if !w.accept("TABLE") {
		return ""
	}
	for !w.done() && w.peek() != "WITH" {
		if w.accept("TABLES") {
			return ""
		}
		w.accept("ONLY")
		bracketed := w.accept("(")
		n := w.name()
		if n.Name == "" {
			return ""
		}
		if bracketed {
			w.accept(")")
		}
		w.accept("*")
		r := c.relation(n)
		switch {
		case r == nil:
			return "is of table " + plain.Line(c.show(n), 80) + ", which is not declared" + c.nearTable(n)
		case r.table == nil || r.table.Foreign != "" || r.table.Unlogged:
			kind := r.kind
			if r.table != nil {
				kind = "foreign or unlogged table"
			}
			return "is of " + plain.Line(c.show(n), 80) + ", which is a " + kind + "; it can be of tables"
		}
		if list, ok := w.group(); ok {
			for _, name := range items(list) {
				if name = wordsOf(name).ident(); c.column(r.table, name) == nil && !r.table.open {
					return "names column " + plain.Line(name, 80) + ", which table " + r.table.object + " does not declare" + c.nearColumn(r.table, name)
				}
			}
		}
		if w.accept("WHERE") {
			w.group()
		}
		if !w.accept(",") {
			break
		}
		w.accept("TABLE")
	}
	return ""
}

func (c *checker) ruleFault(w *words) string {
	if !w.find("ON") {
		return ""
	}
	w.i++
	event := w.peek()
	w.i++
	w.accept("TO")
	n := w.name()
	r := c.relation(n)
	switch {
	case r == nil:
		if c.catalog.byKey[c.catalog.key(n)] != nil || reservedSchema(c.d, n.Schema) {
			return ""
		}
		return "is on table " + plain.Line(c.show(n), 80) + ", which is not declared" + c.nearTable(n)
	case r.kind == "sequence" || r.kind == "materialized view":
		return "is on " + plain.Line(c.show(n), 80) + ", which is a " + r.kind
	case event == "SELECT" && r.table != nil && !c.version.Before("16"):
		return "is ON SELECT of a table; declare a view"
	case event == "SELECT" && r.view != nil:
		return "is ON SELECT of a view, which has such a rule already"
	}
	return ""
}
