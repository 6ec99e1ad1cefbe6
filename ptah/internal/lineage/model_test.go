package lineage

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Declarations are written in a small language, so that a test can state what no file of
// SQL could, such as a definition that does not parse:
//
//	table app.books: id, author_id, tags text[]
//	type place: street, city
//	view v (a, b) = select …
//	materialized view m = …
//	recursive view r (n) = …
//	function f (a int) returns int language plpgsql = body
//	trigger t on books before update = body
//	create … = the whole statement, of a function, procedure or trigger
//
// What follows a line without one of these words at its beginning belongs to the
// declaration above it.
var (
	declaration = regexp.MustCompile(`^(table|type|sequence|view|materialized view|recursive view|function|procedure|trigger|create function|create procedure|create trigger)\s`)
	tableLine   = regexp.MustCompile(`^(?:table|type) ([^:]+?)(?: inherits (\S+))?(?: of (\S+))?(?: using (.+))?:(.*)$`)
	viewLine    = regexp.MustCompile(`(?s)^(materialized |recursive )?view ([^(=]+?)(?: ?\(([^)]*)\))? = ?(.*)$`)
	routineLine = regexp.MustCompile(`(?s)^(function|procedure) (\S+) ?\((.*?)\)(?: returns (.+?))?(?: language (\w+))? = ?(.*)$`)
	triggerLine = regexp.MustCompile(`(?s)^trigger (\S+) on (\S+) (before|after|instead of) (.+?) = ?(.*)$`)
	// declaredLine finds the name and table in the statement of a routine or trigger.
	declaredLine = regexp.MustCompile(`(?is)^create (function|procedure|trigger) ([\w."]+)(?:.*?\son\s+([\w."]+))?`)
)

// model reads declarations.
func model(t testing.TB, text string) *schema.Database {
	t.Helper()
	db := &schema.Database{}
	var decl string
	flush := func() {
		if decl = strings.TrimSpace(decl); decl != "" {
			if err := declare(db, decl); err != nil {
				t.Fatal(err)
			}
		}
		decl = ""
	}
	for line := range strings.Lines(text) {
		if declaration.MatchString(line) {
			flush()
		}
		decl += line
	}
	flush()
	return db
}

func qname(text string) schema.Name {
	text = strings.ReplaceAll(strings.TrimSpace(text), `"`, "")
	if s, n, ok := strings.Cut(text, "."); ok {
		return schema.Name{Schema: s, Name: n}
	}
	return schema.Name{Name: text}
}

func list(text string) []string {
	var names []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			names = append(names, part)
		}
	}
	return names
}

func declare(db *schema.Database, decl string) error {
	word, rest, _ := strings.Cut(decl, " ")
	switch word {
	case "table", "type":
		m := tableLine.FindStringSubmatch(decl)
		if m == nil {
			return fmt.Errorf("not a declaration: %s", decl)
		}
		table := &schema.Table{Name: qname(m[1]), Virtual: m[4]}
		composite := &schema.Composite{Name: qname(m[1])}
		if m[2] != "" {
			table.Inherits = []schema.Name{qname(m[2])}
		}
		if m[3] != "" {
			table.Partition = &schema.Partition{Of: qname(m[3])}
		}
		for _, c := range list(m[5]) {
			name, typ, _ := strings.Cut(c, " ")
			if strings.HasPrefix(c, `"`) {
				name, typ, _ = strings.Cut(c[1:], `"`)
			}
			col := &schema.Column{Name: name}
			if typ != "" {
				var err error
				if col.Type, err = schema.ParseType(typ); err != nil {
					return err
				}
			}
			table.Columns = append(table.Columns, col)
			composite.Fields = append(composite.Fields, schema.Field{Name: name, Type: col.Type})
		}
		if word == "type" {
			db.Composites = append(db.Composites, composite)
		} else {
			db.Tables = append(db.Tables, table)
		}
	case "sequence":
		db.Sequences = append(db.Sequences, &schema.Sequence{Name: qname(rest)})
	case "view", "materialized", "recursive":
		m := viewLine.FindStringSubmatch(decl)
		if m == nil {
			return fmt.Errorf("not a declaration: %s", decl)
		}
		db.Views = append(db.Views, &schema.View{Name: qname(m[2]), Columns: list(m[3]), Body: m[4],
			Materialized: m[1] == "materialized ", Recursive: m[1] == "recursive "})
	case "function", "procedure":
		m := routineLine.FindStringSubmatch(decl)
		if m == nil {
			return fmt.Errorf("not a declaration: %s", decl)
		}
		r := &schema.Routine{Name: qname(m[2]), Procedure: word == "procedure", Returns: m[4], Language: m[5], Body: m[6]}
		for _, p := range list(m[3]) {
			name, typ, _ := strings.Cut(p, " ")
			r.Params = append(r.Params, schema.Param{Name: name, Type: typ})
		}
		db.Routines = append(db.Routines, r)
	case "trigger":
		m := triggerLine.FindStringSubmatch(decl)
		if m == nil {
			return fmt.Errorf("not a declaration: %s", decl)
		}
		db.Triggers = append(db.Triggers, &schema.Trigger{Name: m[1], Table: qname(m[2]), Timing: strings.ToUpper(m[3]),
			Events: strings.Split(strings.ToUpper(m[4]), " OR "), ForEach: "ROW", Body: m[5]})
	case "create":
		m := declaredLine.FindStringSubmatch(decl)
		if m == nil {
			return fmt.Errorf("not a declaration: %s", decl)
		}
		if strings.EqualFold(m[1], "trigger") {
			db.Triggers = append(db.Triggers, &schema.Trigger{Name: qname(m[2]).Name, Table: qname(m[3]), Declared: decl})
			break
		}
		r := &schema.Routine{Name: qname(m[2]), Procedure: strings.EqualFold(m[1], "procedure"), Declared: decl}
		if _, params, ok := strings.Cut(decl, "("); ok {
			params, _, _ = strings.Cut(params, ")")
			for _, p := range list(params) {
				p = strings.TrimPrefix(strings.TrimPrefix(p, "in "), "out ")
				name, typ, _ := strings.Cut(p, " ")
				r.Params = append(r.Params, schema.Param{Name: name, Type: typ})
			}
		}
		db.Routines = append(db.Routines, r)
	default:
		return fmt.Errorf("not a declaration: %s", decl)
	}
	return nil
}
