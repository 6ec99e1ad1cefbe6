package catalog

import (
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// SQL is the catalog as SQL sees it: names in a statement mean its visible tables.
type SQL struct {
	c         *Catalog
	relations []*sqltree.Relation
	index     map[*sqltree.Relation]int
	names     []string
	parts     map[string][]*sqltree.Relation // by folded name: partitions that are folded into a table
}

// SQL returns the catalog for [sqltree.Resolve], which is made once.
func (c *Catalog) SQL() *SQL { return c.sql() }

func (c *Catalog) newSQL() *SQL {
	s := &SQL{c: c, relations: make([]*sqltree.Relation, len(c.Tables)), index: map[*sqltree.Relation]int{}, parts: map[string][]*sqltree.Relation{}}
	for i := range c.Tables {
		t := &c.Tables[i]
		r := &sqltree.Relation{Schema: t.Schema, Name: t.Name, Columns: make([]string, 0, len(t.Columns))}
		for _, col := range t.Columns {
			if col.Parent == "" {
				r.Columns = append(r.Columns, col.Name)
			}
		}
		if t.Type == model.ExternalTable && c.Dialect == "sqlite" {
			r.Hidden = []string{t.Name, "rank"} // of a full-text table
		}
		s.relations[i] = r
		s.index[r] = i
		s.names = append(s.names, c.Name(i))
		if t.Partition != nil {
			for _, n := range t.Partition.Tables {
				part := &sqltree.Relation{Schema: n.Schema, Name: n.Name, Columns: r.Columns}
				s.index[part] = i
				s.parts[c.Fold(n.Name)] = append(s.parts[c.Fold(n.Name)], part)
			}
		}
	}
	return s
}

// Relation implements [sqltree.Catalog]: a schema and a table exactly there; a bare
// name in the default schema, else the only table of that name.
func (s *SQL) Relation(d sqltree.Dialect, n sqltree.Name) *sqltree.Relation {
	parts := n.Parts
	if len(parts) > 2 {
		// Of several files of DuckDB a schema is file.schema.
		last := parts[len(parts)-3:]
		both := sqltree.Ident{Name: last[0].Name + "." + last[1].Name, Quoted: true}
		if r := s.pick(s.named(d, last[2], &both)); r != nil {
			return r
		}
		parts = last[1:]
	}
	if len(parts) == 2 {
		if r := s.pick(s.named(d, parts[1], &parts[0])); r != nil {
			return r
		}
		return s.partition(d, parts[1], &parts[0])
	}
	found := s.named(d, parts[0], nil)
	var here []int
	for _, i := range found {
		if s.c.Tables[i].Schema == s.c.DefaultSchema {
			here = append(here, i)
		}
	}
	if len(here) > 0 {
		return s.pick(here)
	}
	if len(found) == 0 {
		return s.partition(d, parts[0], nil)
	}
	return s.pick(found)
}

// partition finds a partition that is folded into its table.
func (s *SQL) partition(d sqltree.Dialect, name sqltree.Ident, schema *sqltree.Ident) *sqltree.Relation {
	for _, r := range s.parts[s.c.Fold(name.Name)] {
		if same(d, name, r.Name) && (schema == nil && r.Schema == s.c.DefaultSchema || schema != nil && same(d, *schema, r.Schema)) {
			return r
		}
	}
	return nil
}

// Table is the index of a relation's table; of a partition that of its parent.
func (s *SQL) Table(r *sqltree.Relation) (int, bool) {
	i, ok := s.index[r]
	return i, ok
}

// Names implements [sqltree.Catalog].
func (s *SQL) Names() []string { return s.names }

// named lists the tables that a name, and a schema if one is given, mean in
// the dialect's folding: those spelled exactly so, else those that differ in case.
func (s *SQL) named(d sqltree.Dialect, table sqltree.Ident, schema *sqltree.Ident) []int {
	var exact, folded []int
	for _, i := range s.c.bare[s.c.Fold(table.Name)] {
		t := &s.c.Tables[i]
		if schema != nil && !same(d, *schema, t.Schema) || !same(d, table, t.Name) {
			continue
		}
		if t.Name == table.Name && (schema == nil || t.Schema == schema.Name) {
			exact = append(exact, i)
		} else {
			folded = append(folded, i)
		}
	}
	if exact != nil {
		return exact
	}
	return folded
}

// same reports whether a name of a statement is a declared one.
func same(d sqltree.Dialect, id sqltree.Ident, declared string) bool {
	if d.Fold(id) == declared {
		return true
	}
	// Where quotes do not keep the case both sides fold.
	return d.Fold(sqltree.Ident{Name: declared}) == d.Fold(id) && d.Fold(sqltree.Ident{Name: declared, Quoted: true}) != declared
}

func (s *SQL) pick(tables []int) *sqltree.Relation {
	if len(tables) != 1 {
		return nil
	}
	return s.relations[tables[0]]
}
