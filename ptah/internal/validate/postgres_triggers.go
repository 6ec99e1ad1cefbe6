package validate

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// ownTriggers are the trigger functions that PostgreSQL brings.
var ownTriggers = strings.Fields("suppress_redundant_updates_trigger tsvector_update_trigger tsvector_update_trigger_column unique_key_recheck")

// checkDeclaredTrigger checks what only the statement of a trigger of PostgreSQL says.
func (c *checker) checkDeclaredTrigger(g *schema.Trigger, r *relation, bad func(string, ...any)) {
	if !c.d.PostgresFamily() || g.Declared == "" {
		return
	}
	script, err := c.parse(g.Declared)
	if err != nil || len(script.Statements) != 1 {
		return
	}
	st, ok := script.Statements[0].(*sqltree.CreateTrigger)
	if !ok {
		return
	}
	row := strings.EqualFold(g.ForEach, "ROW")
	if st.Function != nil {
		if why := c.triggerFunction(*st.Function, "trigger"); why != "" {
			c.missing("TRG001", g.Origin, c.show(g.Table)+"."+g.Name, "trigger %.80q calls %s", g.Name, why)
		}
	}
	if _, twice := c.repeated(folds(st.Columns)); twice {
		bad("trigger %.80q fires on UPDATE OF one column twice", g.Name)
	}
	if st.Timing == "INSTEAD OF" {
		switch {
		case st.When != nil:
			bad("trigger %.80q is INSTEAD OF and has a condition; that is for BEFORE and AFTER", g.Name)
		case len(st.Columns) > 0:
			bad("trigger %.80q is INSTEAD OF and has a list of columns; that is for BEFORE and AFTER", g.Name)
		}
	} else if st.When != nil {
		c.triggerCondition(g, st, r, row, bad)
	}
	if r.view != nil && slices.Contains(st.Events, "TRUNCATE") {
		bad("trigger %.80q fires on TRUNCATE of view %.80q, which cannot be truncated", g.Name, c.show(g.Table))
	}
	w := wordsOf(g.Declared)
	c.transitionTables(g, st, r, row, w, bad)
	w.i = 0
	if w.accept("CREATE", "CONSTRAINT") && w.find("FROM") {
		w.i++
		if n := w.name(); c.relation(n) == nil {
			c.missing("TRG001", g.Origin, c.show(g.Table)+"."+g.Name, "trigger %.80q is FROM table %.80q, which is not declared%s", g.Name, c.show(n), c.nearTable(n))
		}
	}
}

func folds(names []sqltree.Ident) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = sqltree.Postgres.Fold(n)
	}
	return list
}

// nameOf is a name of a statement as the model has it.
func nameOf(n sqltree.Name) schema.Name {
	name := schema.Name{Name: sqltree.Postgres.Fold(n.Last())}
	if len(n.Parts) > 1 {
		name.Schema = sqltree.Postgres.Fold(n.Parts[len(n.Parts)-2])
	}
	return name
}

// triggerFunction says why a function is none that a trigger can call; returns is what
// it must return.
func (c *checker) triggerFunction(called sqltree.Name, returns string) string {
	n := nameOf(called)
	shown := plain.Line(c.show(n), 80)
	known := false
	for _, r := range c.db.Routines {
		if c.key(r.Name) != c.key(n) || r.Procedure || r.Aggregate {
			continue
		}
		known = true
		if r.Signature() != "" {
			continue
		}
		if got := strings.ToLower(strings.TrimPrefix(strings.ToLower(r.Returns), "pg_catalog.")); strings.Trim(got, `"`) != returns {
			return "function " + shown + ", which does not return " + returns
		}
		return ""
	}
	switch {
	case known:
		return "function " + shown + ", which has parameters; a trigger's function has none"
	case len(c.db.Extensions) > 0, n.Schema == "pg_catalog", n.Schema == "" && (slices.Contains(ownTriggers, n.Name) || strings.HasPrefix(n.Name, "RI_FKey")), c.routineNames()[c.catalog.key(n)]:
		return ""
	}
	return "function " + shown + ", which is not declared"
}

// triggerCondition checks the columns that WHEN names.
func (c *checker) triggerCondition(g *schema.Trigger, st *sqltree.CreateTrigger, r *relation, row bool, bad func(string, ...any)) {
	if why := forbidden(st.When, false); why != "" {
		bad("condition of trigger %.80q has %s, which is not allowed there", g.Name, why)
		return
	}
	said := false
	once := func(format string, args ...any) {
		if !said {
			bad(format, args...)
		}
		said = true
	}
	use := func(version string) {
		switch {
		case !row:
			once("condition of trigger %.80q names %s, which a trigger for each statement does not have", g.Name, version)
		case version == "OLD" && slices.Contains(st.Events, "INSERT"):
			once("condition of trigger %.80q names OLD, which INSERT does not have", g.Name)
		case version == "NEW" && slices.Contains(st.Events, "DELETE"):
			once("condition of trigger %.80q names NEW, which DELETE does not have", g.Name)
		}
	}
	sqltree.Walk(st.When, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Star:
			if len(n.Qualifier) == 1 {
				use(strings.ToUpper(n.Qualifier[0].Name))
			}
		case *sqltree.Column:
			first := sqltree.Postgres.Fold(n.Parts[0])
			if first != "new" && first != "old" {
				once("condition of trigger %.80q names %.80q; write NEW or OLD before a column", g.Name, written(n.Parts))
				break
			}
			use(strings.ToUpper(first))
			if len(n.Parts) != 2 || r.table == nil {
				break
			}
			name := sqltree.Postgres.Fold(n.Parts[1])
			switch col := c.column(r.table, name); {
			case col == nil && !r.table.open && !systemColumn(name) && !c.mayBe(sqltree.ColumnUse{Parts: n.Parts}):
				if !said {
					c.missing("TRG001", g.Origin, c.show(g.Table)+"."+g.Name, "condition of trigger %.80q names column %.80q, which table %q does not declare%s", g.Name, name, r.table.object, c.nearColumn(r.table, name))
				}
				said = true
			case col != nil && col.Generated != nil && first == "new" && st.Timing == "BEFORE":
				once("condition of trigger %.80q names NEW.%.80s, which is generated behind a BEFORE trigger", g.Name, name)
			}
		}
		return true
	})
}

// transitionTables checks REFERENCING; w is the text of the statement.
func (c *checker) transitionTables(g *schema.Trigger, st *sqltree.CreateTrigger, r *relation, row bool, w *words, bad func(string, ...any)) {
	if !w.find("REFERENCING") {
		return
	}
	w.i++
	why := ""
	names, versions := map[string]bool{}, map[string]bool{}
	for w.peek() == "NEW" || w.peek() == "OLD" {
		version := w.peek()
		w.i++
		if w.accept("ROW") {
			why = "names a row; only tables can be named"
		}
		w.accept("TABLE")
		w.accept("AS")
		name := w.ident()
		switch {
		case versions[version]:
			why = "names " + version + " TABLE twice"
		case names[name]:
			why = "gives both tables one name"
		case version == "NEW" && !slices.Contains(st.Events, "INSERT") && !slices.Contains(st.Events, "UPDATE"):
			why = "has NEW TABLE and fires on neither INSERT nor UPDATE"
		case version == "OLD" && !slices.Contains(st.Events, "DELETE") && !slices.Contains(st.Events, "UPDATE"):
			why = "has OLD TABLE and fires on neither DELETE nor UPDATE"
		}
		names[name], versions[version] = true, true
	}
	switch {
	case why != "":
	case st.Timing != "AFTER":
		why = "has transition tables and is " + st.Timing + "; they are for AFTER"
	case len(st.Events) > 1:
		why = "has transition tables and several events; it can have one"
	case len(st.Columns) > 0:
		why = "has transition tables and a list of columns; it can have one of them"
	case r.view != nil || r.table != nil && r.table.Foreign != "":
		why = "has transition tables and is not of a table of this database"
	case row && r.table != nil && (r.table.PartitionBy != "" || len(r.table.parents) > 0):
		why = "has transition tables and is for each row of a partitioned table, a partition or an heir; it can be for each statement"
	}
	if why != "" {
		bad("trigger %.80q %s", g.Name, why)
	}
}

// checkEventTriggers checks event triggers (TRG001).
func (c *checker) checkEventTriggers() {
	for _, v := range c.db.Verbatim {
		if v.Kind != "EVENT TRIGGER" {
			continue
		}
		bad := func(format string, args ...any) { c.problem("TRG001", v.Origin, v.Name.Name, format, args...) }
		w := wordsOf(v.Text)
		if !w.find("ON") {
			continue
		}
		w.i++
		if event := w.ident(); !slices.Contains([]string{"ddl_command_start", "ddl_command_end", "sql_drop", "table_rewrite", "login"}, event) {
			bad("event trigger %.80q is on %.80q; an event is ddl_command_start, ddl_command_end, sql_drop, table_rewrite or, from PostgreSQL 17 on, login", v.Name.Name, event)
		}
		if w.accept("WHEN") {
			for {
				filter := w.ident()
				if filter != "tag" {
					bad("event trigger %.80q filters by %.80q; it can filter by TAG", v.Name.Name, filter)
					break
				}
				w.accept("IN")
				tags, _ := w.group()
				for _, tag := range items(tags) {
					if tag = unquote(tag); !isEventTag(tag) {
						bad("event trigger %.80q is for %.80q, which event triggers do not see", v.Name.Name, tag)
					}
				}
				if !w.accept("AND") {
					break
				}
			}
		}
		if !w.find("FUNCTION") && !w.find("PROCEDURE") {
			continue
		}
		w.i++
		n := w.name()
		called := sqltree.Name{Parts: []sqltree.Ident{{Name: n.Name, Quoted: true}}}
		if n.Schema != "" {
			called.Parts = append([]sqltree.Ident{{Name: n.Schema, Quoted: true}}, called.Parts...)
		}
		if why := c.triggerFunction(called, "event_trigger"); why != "" {
			c.missing("TRG001", v.Origin, v.Name.Name, "event trigger %.80q calls %s", v.Name.Name, why)
		}
	}
}

// isEventTag reports whether event triggers see the commands of a tag: those on objects
// of one database.
func isEventTag(tag string) bool {
	verb, kind, _ := strings.Cut(strings.ToUpper(tag), " ")
	switch verb {
	case "COMMENT", "GRANT", "REVOKE", "LOGIN", "REINDEX":
		return kind == ""
	case "CREATE", "ALTER", "DROP":
		return slices.Contains(eventKinds, kind)
	}
	return slices.Contains([]string{"IMPORT FOREIGN SCHEMA", "REFRESH MATERIALIZED VIEW", "SECURITY LABEL", "SELECT INTO"}, strings.ToUpper(tag))
}

var eventKinds = []string{
	"ACCESS METHOD", "AGGREGATE", "CAST", "COLLATION", "CONSTRAINT", "CONVERSION", "DEFAULT PRIVILEGES", "DOMAIN", "EXTENSION",
	"FOREIGN DATA WRAPPER", "FOREIGN TABLE", "FUNCTION", "INDEX", "LANGUAGE", "LARGE OBJECT", "MATERIALIZED VIEW", "OPERATOR", "OPERATOR CLASS",
	"OPERATOR FAMILY", "OWNED", "POLICY", "PROCEDURE", "PUBLICATION", "ROUTINE", "RULE", "SCHEMA", "SEQUENCE", "SERVER", "STATISTICS",
	"SUBSCRIPTION", "TABLE", "TABLE AS", "TEXT SEARCH CONFIGURATION", "TEXT SEARCH DICTIONARY", "TEXT SEARCH PARSER", "TEXT SEARCH TEMPLATE",
	"TRANSFORM", "TRIGGER", "TYPE", "USER MAPPING", "VIEW",
}
