package validate

import (
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkRoutines finds functions and procedures that the database does not tell apart
// (RTN001).
func (c *checker) checkRoutines(_ context.Context) {
	c.checkDeclaredRoutines()
	c.checkObjects()
	type signature struct {
		name      schema.Name
		arguments string
	}
	seen := map[signature]owner{}
	for _, r := range c.db.Routines {
		kind := "function"
		if r.Procedure {
			kind = "procedure"
		}
		s := signature{name: c.key(r.Name)}
		switch {
		case c.d.PostgresFamily():
			if r.Declared != "" && len(r.Params) == 0 {
				continue // its arguments are in the text alone
			}
			s.arguments = c.argumentTypes(r)
		case c.d.MySQLFamily():
			s.name.Name = strings.ToLower(s.name.Name)
			s.arguments = kind // they have a set of names each
		}
		if old, taken := space[signature](seen).claim(s, owner{kind, r.Name.Name, r.Origin}); taken {
			with := ""
			if c.d.PostgresFamily() {
				with = " with the same argument types"
			}
			c.problem("RTN001", r.Origin, c.show(r.Name), "%s %.80q is declared%s as a %s already%s; rename one of them", kind, c.show(r.Name), with, old.kind, old.also())
		}
	}
}

// argumentTypes are the types by which PostgreSQL tells routines of one name apart:
// those that are passed in, without lengths.
func (c *checker) argumentTypes(r *schema.Routine) string {
	var list []string
	for _, p := range r.Params {
		if mode := strings.ToUpper(p.Mode); mode == "OUT" && !r.Procedure || mode == "TABLE" {
			continue
		}
		t, err := schema.ParseType(p.Type)
		if err != nil {
			list = append(list, strings.ToLower(p.Type))
			continue
		}
		name := t.Name
		if own, known := c.builtin(t, true); known {
			name = own.name
		} else if !t.Quoted {
			name = strings.ToLower(t.Name)
		}
		if t.Schema != "" && !strings.EqualFold(t.Schema, "pg_catalog") {
			name = t.Schema + "." + name
		}
		if t.Array > 0 {
			name += "[]"
		}
		list = append(list, name)
	}
	return strings.Join(list, ",")
}

// checkTriggers checks what triggers are on and when they fire (TRG001).
func (c *checker) checkTriggers(_ context.Context) {
	c.checkEventTriggers()
	seen := space[scoped]{}
	for _, g := range c.db.Triggers {
		r := c.relation(g.Table)
		object := c.show(g.Table) + "." + g.Name
		bad := func(format string, args ...any) { c.problem("TRG001", g.Origin, object, format, args...) }
		scope := ""
		if !c.d.MySQLFamily() && c.d != dialect.SQLite && c.d != dialect.SQLServer && c.d != dialect.Oracle {
			tk := c.key(g.Table)
			scope = tk.Schema + "\x00" + tk.Name
		}
		if old, taken := seen.claim(scoped{scope, c.d.Key(g.Name)}, owner{"trigger", g.Name, g.Origin}); taken {
			bad("trigger %.80q has the name of another%s; rename one of them", g.Name, old.also())
		}
		if r == nil {
			c.missing("TRG001", g.Origin, object, "trigger %.80q is of table %.80q, which is not declared%s", g.Name, c.show(g.Table), c.nearTable(g.Table))
			continue
		}
		if r.kind == "sequence" || r.kind == "materialized view" {
			bad("trigger %.80q is of %.80q, which is a %s and cannot have one", g.Name, c.show(g.Table), r.kind)
			continue
		}
		c.triggerTiming(g, r, bad)
		c.checkDeclaredTrigger(g, r, bad)
		if c.d.MySQLFamily() || c.d == dialect.SQLite { // where the renderer sees to the events
			c.triggerRows(g, r, bad)
		} else {
			for _, event := range g.Events {
				c.triggerEvent(g, event, r, bad)
			}
		}
	}
}

func (c *checker) triggerTiming(g *schema.Trigger, r *relation, bad func(string, ...any)) {
	row := !strings.EqualFold(g.ForEach, "STATEMENT")
	if g.ForEach == "" {
		row = !c.d.PostgresFamily() || !asWritten(g.Origin)
	}
	switch timing := strings.ToUpper(g.Timing); timing {
	case "":
	case "INSTEAD OF":
		switch {
		case r.view == nil && c.d != dialect.SQLServer:
			bad("trigger %.80q is INSTEAD OF on table %.80q; that is for views, use BEFORE or AFTER", g.Name, c.show(g.Table))
		case c.d.PostgresFamily() && !row:
			bad("trigger %.80q is INSTEAD OF for each statement; it must be FOR EACH ROW", g.Name)
		}
	case "BEFORE", "AFTER":
		if r.view == nil {
			break
		}
		if c.d.PostgresFamily() && row {
			bad("trigger %.80q is %s for each row of view %.80q; use INSTEAD OF", g.Name, timing, c.show(g.Table))
		} else if c.d.MySQLFamily() {
			bad("trigger %.80q is of view %.80q; %s has triggers on tables only", g.Name, c.show(g.Table), c.d)
		} else if c.d == dialect.SQLite {
			bad("trigger %.80q is %s on view %.80q; use INSTEAD OF", g.Name, timing, c.show(g.Table))
		}
	default:
		bad("trigger %.80q fires %.80q; it can be BEFORE, AFTER or INSTEAD OF", g.Name, g.Timing)
	}
}

func (c *checker) triggerEvent(g *schema.Trigger, event string, r *relation, bad func(string, ...any)) {
	upper := strings.ToUpper(strings.TrimSpace(event))
	switch {
	case slices.Contains([]string{"INSERT", "UPDATE", "DELETE"}, upper):
	case upper == "TRUNCATE" && c.d.PostgresFamily():
		if strings.EqualFold(g.ForEach, "ROW") || g.ForEach == "" && !asWritten(g.Origin) {
			bad("trigger %.80q fires on TRUNCATE for each row; it must be FOR EACH STATEMENT", g.Name)
		}
	case strings.HasPrefix(upper, "UPDATE OF "):
		if r.table == nil || r.table.open {
			return
		}
		for name := range strings.SplitSeq(strings.TrimSpace(event)[len("UPDATE OF "):], ",") {
			name = unquoteName(name)
			if c.column(r.table, name) == nil && c.column(r.table, strings.ToLower(name)) == nil {
				c.missing("TRG001", g.Origin, c.show(g.Table)+"."+g.Name, "trigger %.80q fires on UPDATE OF %.80q, which table %q does not declare%s", g.Name, name, r.table.object, c.nearColumn(r.table, name))
			}
		}
	default:
		bad("trigger %.80q fires on %.80q; an event is INSERT, UPDATE, UPDATE OF columns, DELETE or, in PostgreSQL, TRUNCATE", g.Name, event)
	}
}

// unquoteName takes the blanks and quotes off a name.
func unquoteName(name string) string {
	name = strings.TrimSpace(name)
	if len(name) >= 2 && name[0] == '"' && name[len(name)-1] == '"' {
		return strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
	}
	return name
}
