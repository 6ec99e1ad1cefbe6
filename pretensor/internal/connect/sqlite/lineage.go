package sqlite

import (
	"cmp"
	"slices"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// triggerConfidence is that of a write that stands in a trigger's body: it is
// certain, but its condition may never hold.
const triggerConfidence = 0.85

// lineage follows views to what they read and triggers to what they write. It
// also gives the columns to views that the engine could not describe.
func (s *structure) lineage() []model.Lineage {
	catalog := sqltree.NewSchema(sqltree.SQLite, schemaName)
	for _, r := range s.relations {
		known := &sqltree.Relation{Schema: schemaName, Name: r.Name, Open: r.unreadable}
		for _, c := range r.Columns {
			known.Columns = append(known.Columns, c.Name)
		}
		catalog.AddRelation(known)
	}
	var found []model.Lineage
	add := func(from, to, kind, source string, confidence float64) {
		if fold(from) != fold(to) {
			found = append(found, model.Lineage{FromSchema: schemaName, FromTable: from, ToSchema: schemaName, ToTable: to,
				Type: kind, Source: source, Confidence: confidence})
		}
	}
	for _, r := range s.relations {
		if r.Type != model.View {
			continue
		}
		if r.view == nil || r.view.Query == nil {
			s.warn("the definition of the view %q could not be read: what it reads is not known", r.Name)
			continue
		}
		// The view itself is in the catalog as a table without a definition, so what
		// stands in the text is all that is found.
		resolved := sqltree.Resolve(r.view, sqltree.SQLite, catalog)
		for _, use := range resolved.Tables {
			if use.Relation != nil && !use.Written && !use.Mentioned {
				add(use.Relation.Name, r.Name, model.LineageView, "parsed", 1)
			}
		}
		if r.unreadable {
			r.guessColumns(resolved)
		}
	}
	for _, t := range s.triggers {
		create, _ := statement(t.sql).(*sqltree.CreateTrigger)
		from := s.byName[fold(t.table)]
		if from == nil {
			continue
		}
		if create == nil {
			s.warn("the trigger %q could not be read: what it writes is not known", t.name)
			continue
		}
		for _, body := range create.Body {
			for _, use := range sqltree.Resolve(body, sqltree.SQLite, catalog).Tables {
				if use.Written && use.Relation != nil {
					add(from.Name, use.Relation.Name, model.LineageTrigger, "trigger", triggerConfidence)
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b model.Lineage) int {
		return cmp.Or(cmp.Compare(a.FromTable, b.FromTable), cmp.Compare(a.ToTable, b.ToTable), cmp.Compare(a.Type, b.Type))
	})
	return slices.Compact(found)
}

// guessColumns takes the columns of a view that cannot be run from its text.
func (r *relation) guessColumns(resolved *sqltree.Resolution) {
	for i, out := range resolved.Output {
		name := out.Name
		if i < len(r.view.Columns) {
			name = r.view.Columns[i].Name
		}
		if name != "" {
			r.Columns = append(r.Columns, model.Column{Name: name, Ordinal: len(r.Columns) + 1, Nullable: true})
		}
	}
}
