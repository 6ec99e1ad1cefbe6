package mysql

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	front "github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Confidence of a write in a trigger: of one that is its whole body, and of one
// found among control flow.
const (
	parsedWrite = 0.85
	foundWrite  = 0.7
)

// flow adds an edge of lineage, once, and none from a table to itself.
func (s *structure) flow(l model.Lineage) {
	if l.FromSchema == l.ToSchema && l.FromTable == l.ToTable {
		return
	}
	edge := l
	edge.Confidence = 0
	if i, ok := s.edges[edge]; ok {
		s.lineage[i].Confidence = max(s.lineage[i].Confidence, l.Confidence)
		return
	}
	s.edges[edge] = len(s.lineage)
	s.lineage = append(s.lineage, l)
}

// target is the table that a name in a statement means, where bare names belong to
// schema. A name that is in no schema that was read is taken as it stands; one that
// should be there and is not is none.
func (s *structure) target(name sqltree.Name, schema string) (key, bool) {
	k := key{schema, name.Last().Name}
	if n := len(name.Parts); n > 1 {
		k.schema = name.Parts[n-2].Name
	}
	if r := s.find(k.schema, k.name); r != nil {
		return key{r.Schema, r.Name}, true
	}
	return k, !slices.Contains(s.schemas, k.schema)
}

// catalog is what a statement sees whose bare names belong to schema.
type catalog struct {
	s      *structure
	schema string
}

// Relation implements [sqltree.Catalog].
func (c catalog) Relation(_ sqltree.Dialect, name sqltree.Name) *sqltree.Relation {
	k, _ := c.s.target(name, c.schema)
	r := c.s.byName[k]
	if r == nil {
		return nil
	}
	if r.known == nil {
		r.known = &sqltree.Relation{Schema: r.Schema, Name: r.Name}
		for _, col := range r.Columns {
			r.known.Columns = append(r.known.Columns, col.Name)
		}
	}
	return r.known
}

// Names implements [sqltree.Catalog]: nobody asks for suggestions.
func (c catalog) Names() []string { return nil }

// uses are the tables of a statement that it writes, or those that it only reads.
func (s *structure) uses(statement, schema string, written bool) ([]key, error) {
	script, err := front.ParseLenient(s.dialect(), statement)
	if err != nil {
		return nil, err
	}
	var list []key
	for _, st := range script.Statements {
		resolved := sqltree.Resolve(st, s.dialect(), catalog{s, schema})
		for _, use := range resolved.Tables {
			if use.Mentioned || use.Written != written {
				continue
			}
			if k, ok := s.target(use.Name, schema); ok {
				list = append(list, k)
			}
		}
		// An UPDATE of joined tables writes those whose columns it sets.
		for _, use := range resolved.Columns {
			for _, c := range use.Sources {
				if k := (key{c.Schema, c.Table}); written && use.Written && !slices.Contains(list, k) {
					list = append(list, k)
				}
			}
		}
	}
	return list, nil
}

// readViews reads the definitions of views, and which tables they use: from the
// server where it tells (MySQL), else out of the definition.
func (c *connector) readViews(ctx context.Context, s *structure) error {
	if !slices.ContainsFunc(s.relations, func(r *relation) bool { return r.Type == model.View }) {
		return nil
	}
	var hidden, unread []string
	usage := s.has["VIEW_TABLE_USAGE.VIEW_NAME"]
	var parse []*relation
	err := c.from(ctx, s, `SELECT TABLE_SCHEMA, TABLE_NAME, COALESCE(VIEW_DEFINITION, '') FROM information_schema.VIEWS`, "TABLE_SCHEMA", "", func(rows *sql.Rows) error {
		var schema, name, definition string
		if err := rows.Scan(&schema, &name, &definition); err != nil {
			return err
		}
		r := s.find(schema, name)
		switch {
		case r == nil:
		case definition == "":
			hidden = append(hidden, model.Qualify(schema, name))
		default:
			r.SetDefinition(definition)
			parse = append(parse, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if usage {
		uerr := c.from(ctx, s, `SELECT VIEW_SCHEMA, VIEW_NAME, TABLE_SCHEMA, TABLE_NAME FROM information_schema.VIEW_TABLE_USAGE`, "VIEW_SCHEMA", "", func(rows *sql.Rows) error {
			var view, from key
			if err := rows.Scan(&view.schema, &view.name, &from.schema, &from.name); err != nil {
				return err
			}
			if r := s.find(from.schema, from.name); r != nil {
				from = key{r.Schema, r.Name}
			}
			if r := s.find(view.schema, view.name); r != nil {
				s.flow(model.Lineage{FromSchema: from.schema, FromTable: from.name, ToSchema: r.Schema, ToTable: r.Name,
					Type: model.LineageView, Source: "catalog", Confidence: 1})
			}
			return nil
		})
		if ctx.Err() != nil {
			return uerr
		}
		usage = uerr == nil
	}
	for _, r := range parse {
		if usage {
			break
		}
		list, err := s.uses(r.Definition, r.Schema, false)
		if err != nil {
			unread = append(unread, model.Qualify(r.Schema, r.Name))
		}
		for _, from := range list {
			s.flow(model.Lineage{FromSchema: from.schema, FromTable: from.name, ToSchema: r.Schema, ToTable: r.Name,
				Type: model.LineageView, Source: "parsed", Confidence: 1})
		}
	}
	if len(hidden) > 0 {
		slices.Sort(hidden)
		s.warn("the definitions of %d views are not visible, %s among them: the user needs the privilege SHOW VIEW", len(hidden), hidden[0])
	}
	if len(unread) > 0 {
		slices.Sort(unread)
		s.warn("the definitions of %d views could not be parsed, %s among them: what they read is not known", len(unread), unread[0])
	}
	return nil
}

// readTriggers finds what triggers write. Their bodies cannot have dynamic SQL;
// what they write by way of a procedure is not followed.
func (c *connector) readTriggers(ctx context.Context, s *structure) error {
	type trigger struct{ schema, table, name, body string }
	var list []trigger
	err := c.from(ctx, s, `SELECT EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE, TRIGGER_NAME, ACTION_STATEMENT FROM information_schema.TRIGGERS`,
		"TRIGGER_SCHEMA", "", func(rows *sql.Rows) error {
			var t trigger
			if err := rows.Scan(&t.schema, &t.table, &t.name, &t.body); err != nil {
				return err
			}
			list = append(list, t)
			return nil
		})
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b trigger) int {
		return cmp.Or(cmp.Compare(a.schema, b.schema), cmp.Compare(a.table, b.table), cmp.Compare(a.name, b.name))
	})
	for _, t := range list {
		r := s.find(t.schema, t.table)
		if r == nil {
			continue
		}
		statements, whole := writes(t.body)
		confidence := foundWrite
		if whole {
			confidence = parsedWrite
		}
		for _, statement := range statements {
			written, err := s.uses(statement, r.Schema, true)
			if err != nil {
				s.warn("a statement of the trigger %s could not be parsed: what it writes is not known", model.Qualify(r.Schema, t.name))
			}
			for _, to := range written {
				s.flow(model.Lineage{FromSchema: r.Schema, FromTable: r.Name, ToSchema: to.schema, ToTable: to.name,
					Type: model.LineageTrigger, Source: "trigger", Confidence: confidence})
			}
		}
	}
	return nil
}
