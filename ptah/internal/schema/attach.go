package schema

// Table returns the table of a name, nil if it is not declared. A name without a schema
// is that of the default schema, and the other way round. It takes time in proportion
// to the tables; use [Database.TablesByName] for many.
func (db *Database) Table(n Name, defaultSchema string) *Table {
	for _, t := range db.Tables {
		if t.In(defaultSchema) == n.In(defaultSchema) {
			return t
		}
	}
	return nil
}

// In returns the name with the schema made explicit.
func (n Name) In(defaultSchema string) Name {
	if n.Schema == "" {
		n.Schema = defaultSchema
	}
	return n
}

// TablesByName indexes the tables by their names with the schema made explicit and both
// parts folded by fold.
func (db *Database) TablesByName(defaultSchema string, fold func(string) string) map[Name]*Table {
	tables := make(map[Name]*Table, len(db.Tables))
	for _, t := range db.Tables {
		tables[t.Folded(defaultSchema, fold)] = t
	}
	return tables
}

// Folded returns the name with the schema made explicit and both parts folded.
func (n Name) Folded(defaultSchema string, fold func(string) string) Name {
	n = n.In(defaultSchema)
	return Name{fold(n.Schema), fold(n.Name)}
}

// Attach moves indexes, constraints and row security that stand apart to the tables and
// materialised views that they name. Those of tables that are not declared stay.
func (db *Database) Attach(defaultSchema string, fold func(string) string) {
	tables := db.TablesByName(defaultSchema, fold)
	views := map[Name]*View{}
	for _, v := range db.Views {
		if v.Materialized {
			views[v.Folded(defaultSchema, fold)] = v
		}
	}
	db.Indexes = keep(db.Indexes, func(x *Index) bool {
		n := x.Table.Folded(defaultSchema, fold)
		if t := tables[n]; t != nil {
			x.Table = t.Name
			t.Indexes = append(t.Indexes, x)
			return false
		}
		if v := views[n]; v != nil {
			x.Table = v.Name
			v.Indexes = append(v.Indexes, x)
			return false
		}
		return true
	})
	db.Constraints = keep(db.Constraints, func(c *Constraint) bool {
		t := tables[c.Table.Folded(defaultSchema, fold)]
		if t != nil {
			c.Table = t.Name
			t.Constraints = append(t.Constraints, c)
		}
		return t == nil
	})
	db.RowSecurity = keep(db.RowSecurity, func(r *RowSecurity) bool {
		t := tables[r.Table.Folded(defaultSchema, fold)]
		if t == nil {
			return true
		}
		r.Table = t.Name
		if old := t.RowSecurity; old != nil {
			r.Enabled, r.Force = r.Enabled || old.Enabled, r.Force || old.Force
		}
		t.RowSecurity = r
		return false
	})
}

func keep[T any](list []T, want func(T) bool) []T {
	var kept []T
	for _, x := range list {
		if want(x) {
			kept = append(kept, x)
		}
	}
	return kept
}
