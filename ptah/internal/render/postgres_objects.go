package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// view adds a view with its indexes, and returns what adds its needs.
func (p *postgres) view(v *schema.View) func() {
	kind := "VIEW"
	if v.Materialized {
		kind = "MATERIALIZED VIEW"
	}
	columns := ""
	if len(v.Columns) > 0 {
		columns = p.list(v.Columns)
	}
	sql := clauses("CREATE", given(v.Recursive, "RECURSIVE"), kind, p.ref(v.Name), columns, given(v.Method != "", "USING "+p.quote(v.Method)), p.with(v.Options),
		given(v.Tablespace != "", "TABLESPACE "+p.quote(v.Tablespace)), "AS") + "\n" + text(v.Body)
	if v.CheckOption != "" {
		sql = strings.TrimSuffix(sql, "\n") + "\nWITH " + v.CheckOption + " CHECK OPTION"
	}
	if v.NoData {
		sql = strings.TrimSuffix(sql, "\n") + "\nWITH NO DATA"
	}
	n := p.add(phaseView, v.Name, v.Origin, sql+";")
	p.relations[v.In(p.schema)] = n
	if u := p.types[v.In(p.schema)]; u.kind == "view" {
		u.node = n
	}
	for _, x := range v.Indexes {
		p.index(v.Name, x)
	}
	p.comment(v.Name, kind, p.ref(v.Name), v.Comment)
	for _, c := range v.Comments {
		p.comment(v.Name, "COLUMN", p.ref(v.Name)+"."+p.quote(c.Key), c.Value)
	}
	return func() {
		if m, ok := p.mentionsOf(v.Body); ok {
			p.needsMentions(n, m, must)
		}
	}
}

// routine adds a function or procedure, and returns what adds its needs.
func (p *postgres) routine(r *schema.Routine) func() {
	sql := declared(r.Declared)
	if r.Declared == "" {
		sql = p.routineSQL(r)
	}
	n := p.add(phaseRoutine, r.Name, r.Origin, sql)
	if r.Unchecked {
		p.unchecked = append(p.unchecked, func() {
			if p.strays(r, sql) {
				n.statements = UncheckedBodies(sql)
			}
		})
	}
	p.models[n] = r
	key := r.Name.Name
	p.routines[key] = append(p.routines[key], n)
	if r.Comment != "" {
		p.add(phaseComment, r.Name, r.Origin, p.commentOn(routineKind(r), p.ref(r.Name)+p.signature(r), r.Comment))
	}
	return func() {
		if r.Aggregate {
			p.needsWords(n, sql)
			return
		}
		m, ok := p.mentionsOf(sql)
		if !ok {
			return
		}
		p.needsMentions(n, m, should)
		if strings.EqualFold(r.Language, "plpgsql") || r.Language == "" {
			p.needsWords(n, declarations(r, sql))
		}
	}
}

// UncheckedBodies puts statements that make routines between those that keep PostgreSQL
// from looking at the bodies, which may name what it does not find at that time.
func UncheckedBodies(statements ...string) []string {
	return slices.Concat([]string{"SET check_function_bodies = off;"}, statements, []string{"RESET check_function_bodies;"})
}

// strays reports whether the body of a routine, which is a string, names something that the
// server does not find as it makes the routine: a relation or type in the declarations of
// PL/pgSQL, anything in SQL.
func (p *postgres) strays(r *schema.Routine, sql string) bool {
	if strings.EqualFold(r.Language, "plpgsql") {
		found := true
		words(declarations(r, sql), p.d, func(w word) {
			n := schema.Name{Name: p.fold(w.name, w.quoted)}
			found = found && (w.dot || p.finds(n) || !slices.ContainsFunc(p.usedSchemas(), func(s string) bool {
				return p.finds(schema.Name{Schema: s, Name: n.Name})
			}))
		})
		return !found
	}
	m, ok := p.mentionsOf(r.Body)
	if !ok || !strings.EqualFold(r.Language, "sql") {
		return false
	}
	for _, n := range m.relations {
		if n.Schema != "pg_catalog" && n.Schema != "information_schema" && !strings.HasPrefix(n.Name, "pg_") && !p.finds(n) {
			return true
		}
	}
	for _, n := range m.functions {
		list := p.routines[n.Name.Name]
		if len(list) > 0 && !slices.ContainsFunc(list, func(f *node) bool { return f.name.In(p.schema) == n.In(p.schema) }) {
			return true
		}
	}
	return slices.ContainsFunc(m.types, func(n schema.Name) bool {
		return n.Schema == "" && !p.finds(n) && slices.ContainsFunc(p.usedSchemas(), func(s string) bool {
			return p.finds(schema.Name{Schema: s, Name: n.Name})
		})
	})
}

// finds reports whether a relation or type is declared.
func (p *postgres) finds(n schema.Name) bool {
	return p.relations[n.In(p.schema)] != nil || p.types[n.In(p.schema)] != nil
}

func routineKind(r *schema.Routine) string {
	switch {
	case r.Aggregate:
		return "AGGREGATE"
	case r.Procedure:
		return "PROCEDURE"
	}
	return "FUNCTION"
}

// signature are the types of the arguments by which the server tells routines apart.
func (p *postgres) signature(r *schema.Routine) string {
	var types []string
	for _, a := range r.Params {
		if a.Mode == "OUT" && !r.Procedure || a.Mode == "TABLE" {
			continue
		}
		types = append(types, clauses(given(a.Mode != "" && a.Mode != "IN", a.Mode), a.Type))
	}
	if r.Aggregate && len(types) == 0 {
		return aggregateArguments(r.Declared)
	}
	return "(" + strings.Join(types, ", ") + ")"
}

// aggregateArguments returns the arguments, in parentheses, of CREATE AGGREGATE.
func aggregateArguments(declared string) string {
	open, depth := 0, 0
	for i := 0; i < len(declared); i++ {
		switch declared[i] {
		case '(':
			if depth++; depth == 1 {
				open = i
			}
		case ')':
			if depth--; depth == 0 {
				return declared[open : i+1]
			}
		case '"':
			i = quotedEnd(declared, i, false) - 1
		}
	}
	return "(*)"
}

// declarations is the part of a function in PL/pgSQL that declares its variables, whose
// types the server looks up as it makes the function.
func declarations(r *schema.Routine, sql string) string {
	body := r.Body
	if body == "" {
		body = sql
	}
	upper := strings.ToUpper(body)
	from := strings.Index(upper, "DECLARE")
	if from < 0 {
		return ""
	}
	to := strings.Index(upper[from:], "BEGIN")
	if to < 0 {
		return ""
	}
	return body[from+len("DECLARE") : from+to]
}

// routineSQL writes a routine that is declared by its parts.
func (p *postgres) routineSQL(r *schema.Routine) string {
	params := make([]string, len(r.Params))
	for i, a := range r.Params {
		params[i] = clauses(a.Mode, given(a.Name != "", p.quote(a.Name)), a.Type, given(a.Default != "", "DEFAULT "+text(a.Default)))
	}
	language := r.Language
	if language == "" {
		language = "plpgsql"
	}
	returns := ""
	if !r.Procedure && r.Returns != "" {
		returns = "RETURNS " + text(r.Returns)
	}
	return statement("CREATE", routineKind(r), p.ref(r.Name)+"("+strings.Join(params, ", ")+")", returns, "LANGUAGE", language,
		given(!r.Procedure, r.Volatility), given(r.Security != "", "SECURITY "+r.Security), "AS", dollar(r.Body))
}

// dollar writes a body in dollar quotes with a tag that does not occur in it.
func dollar(body string) string {
	body = strings.ReplaceAll(body, "\r\n", "\n")
	tag := "$$"
	for i := 0; strings.Contains(body+"$", tag); i++ {
		tag = fmt.Sprintf("$body%s$", strings.Repeat("_", i))
	}
	return tag + body + tag
}

// trigger adds a trigger; one with a body of its own gets a function for it.
func (p *postgres) trigger(t *schema.Trigger) {
	var statements []string
	if t.Declared != "" {
		statements = append(statements, declared(t.Declared))
	} else {
		statements = p.triggerSQL(t)
	}
	switch t.Enabled {
	case "DISABLED":
		statements = append(statements, statement("ALTER TABLE", p.ref(t.Table), "DISABLE TRIGGER", p.quote(t.Name)))
	case "REPLICA", "ALWAYS":
		statements = append(statements, statement("ALTER TABLE", p.ref(t.Table), "ENABLE", t.Enabled, "TRIGGER", p.quote(t.Name)))
	}
	p.add(phaseTrigger, t.Table, t.Origin, statements...)
	p.comment(t.Table, "TRIGGER", p.quote(t.Name)+" ON "+p.ref(t.Table), t.Comment)
}

// triggerSQL writes a trigger that is declared by its parts.
func (p *postgres) triggerSQL(t *schema.Trigger) []string {
	var statements []string
	call := triggerCall(t.Body)
	if call == "" {
		name := schema.Name{Schema: t.Table.Schema, Name: p.fit(t.Table.Name + "_" + t.Name + "_fn")}
		body := text(t.Body)
		if upper := strings.ToUpper(body); !strings.HasPrefix(upper, "BEGIN") && !strings.HasPrefix(upper, "DECLARE") {
			body = "BEGIN\n" + strings.TrimRight(body, ";\n ") + ";\nEND"
		}
		statements = append(statements, statement("CREATE FUNCTION", p.ref(name)+"()", "RETURNS trigger LANGUAGE plpgsql AS", dollar(body)))
		call = p.ref(name) + "()"
	}
	forEach := t.ForEach
	if forEach == "" {
		forEach = "ROW"
	}
	events := strings.Join(t.Events, " OR ")
	return append(statements, statement("CREATE TRIGGER", p.quote(t.Name), t.Timing, events, "ON", p.ref(t.Table), "FOR EACH", forEach, "EXECUTE FUNCTION", call))
}

// triggerCall returns the call that a trigger's body is, empty for any other body.
func triggerCall(body string) string {
	body = strings.TrimRight(strings.TrimSpace(body), "; \n")
	for _, prefix := range []string{"EXECUTE FUNCTION ", "EXECUTE PROCEDURE "} {
		if len(body) > len(prefix) && strings.EqualFold(body[:len(prefix)], prefix) {
			return strings.TrimSpace(body[len(prefix):])
		}
	}
	name, _, found := strings.Cut(body, "(")
	if !found || !strings.HasSuffix(body, ")") || strings.ContainsAny(name, " \t\n;") || name == "" {
		return ""
	}
	return body
}

// verbatimPhases are the phases of statements that are kept as they are, by their kind.
var verbatimPhases = map[string]phase{
	"LANGUAGE": phaseServer, "FOREIGN DATA WRAPPER": phaseServer, "SERVER": phaseServer, "COLLATION": phaseServer, "ACCESS METHOD": phaseServer,
	"CONVERSION": phaseServer, "TEXT SEARCH PARSER": phaseServer, "TEXT SEARCH TEMPLATE": phaseServer, "TEXT SEARCH DICTIONARY": phaseServer,
	"TEXT SEARCH CONFIGURATION": phaseServer, "TYPE": phaseType, "OPERATOR": phaseRole, "OPERATOR FAMILY": phaseRole, "OPERATOR CLASS": phaseRole,
	"CAST": phaseRole, "TRANSFORM": phaseRole, "AGGREGATE": phaseRoutine, "RULE": phaseTrigger, "STATISTICS": phaseIndex,
}

// verbatim adds a statement that is kept as it is, and returns what adds its needs.
func (p *postgres) verbatim(v *schema.Verbatim) func() {
	of, changes := strings.CutPrefix(v.Kind, "ALTER ")
	at, known := verbatimPhases[of]
	if !known {
		at = phaseLast // event triggers, publications, default privileges: they act on what comes behind
	}
	n := p.add(at, v.Name, v.Origin, declared(v.Text))
	if v.CommentOn != "" { // what changes an object comes behind it, one change after the other
		object := of + " " + v.CommentOn
		n.after(p.latest[object], must)
		p.latest[object] = n
	}
	if of == "TEXT SEARCH CONFIGURATION" {
		p.searches[v.Name.Name] = append(p.searches[v.Name.Name], n)
	}
	if changes {
		return func() { p.needsWords(n, p.naming(v)) }
	}
	p.kept[v.Name.Name] = append(p.kept[v.Name.Name], n)
	switch v.Kind {
	case "AGGREGATE":
		p.routines[v.Name.Name] = append(p.routines[v.Name.Name], n)
	case "OPERATOR", "OPERATOR FAMILY":
		p.operators = append(p.operators, n)
	case "OPERATOR CLASS":
		key := opclassKey(v.Name.Name)
		p.routines[key] = append(p.routines[key], n)
	case "TYPE":
		if u := p.types[v.In(p.schema)]; u != nil && u.node == nil {
			u.node = n
		}
		if strings.Contains(v.Text, "(") { // its functions need it before it is whole
			shell := p.add(at, v.Name, v.Origin, statement("CREATE TYPE", p.ref(v.Name)))
			n.after(shell, must)
			p.shells[v.In(p.schema)] = shell
		}
	}
	if v.Comment != "" {
		comment := p.commentOn(v.Kind, v.CommentOn, v.Comment)
		if at > phaseComment {
			n.statements = append(n.statements, comment)
		} else {
			p.add(phaseComment, v.Name, v.Origin, comment)
		}
	}
	return func() {
		if v.Kind == "DEFAULT PRIVILEGES" {
			return
		}
		p.needsWords(n, p.naming(v))
		if p.shells[v.In(p.schema)] != nil {
			words(v.Text, p.d, func(w word) {
				for _, f := range p.routines[p.fold(w.name, w.quoted)] {
					n.after(f, must)
				}
			})
		}
		if v.Kind == "OPERATOR CLASS" {
			for _, o := range p.operators {
				n.after(o, should)
			}
		}
	}
}

// naming is the text of a statement behind the words that say what it makes, and its name.
func (p *postgres) naming(v *schema.Verbatim) string {
	kind := strings.TrimPrefix(v.Kind, "ALTER ")
	_, text, found := strings.Cut(v.Text, kind)
	if !found {
		return v.Text
	}
	if _, behind, found := strings.Cut(text, p.ref(v.Name)); found {
		return behind
	}
	return text
}
