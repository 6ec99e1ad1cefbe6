package model

// ColumnFacts are what the keys, indexes and checks of a table say of one column.
type ColumnFacts struct {
	Primary, Foreign bool
	Unique           bool   // no two rows have the same value
	Index            *Index // the first that has it; nil: none
	Checks           []string
	// Refers is the first declared key that the column is part of, At its place in it.
	Refers *ForeignKey
	At     int
}

// Indexed reports whether the database finds rows by the column: by an index, or by
// a key, which some databases keep without one of a name.
func (f ColumnFacts) Indexed() bool { return f.Index != nil || f.Primary || f.Unique }

// ColumnFacts are those of the table's own columns, not of the fields in them, by
// name. A column of which nothing is said is not in it.
func (t *Table) ColumnFacts() map[string]ColumnFacts {
	facts := map[string]ColumnFacts{}
	change := func(name string, f func(*ColumnFacts)) {
		x := facts[name]
		f(&x)
		facts[name] = x
	}
	unique := func(columns []string) {
		if len(columns) == 1 {
			change(columns[0], func(f *ColumnFacts) { f.Unique = true })
		}
	}
	if t.PrimaryKey != nil {
		for _, c := range t.PrimaryKey.Columns {
			change(c, func(f *ColumnFacts) { f.Primary = true })
		}
		unique(t.PrimaryKey.Columns)
	}
	for _, k := range t.Uniques {
		unique(k.Columns)
	}
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		for at, c := range k.Columns {
			change(c, func(f *ColumnFacts) {
				if f.Foreign = true; f.Refers == nil {
					f.Refers, f.At = k, at
				}
			})
		}
	}
	for i := range t.Indexes {
		x := &t.Indexes[i]
		for _, c := range x.Columns {
			change(c, func(f *ColumnFacts) {
				if f.Index == nil {
					f.Index = x
				}
			})
		}
		if x.Unique && !x.Partial {
			unique(x.Columns)
		}
	}
	for _, k := range t.Checks {
		for _, c := range k.Columns {
			change(c, func(f *ColumnFacts) { f.Checks = append(f.Checks, k.Expr) })
		}
	}
	return facts
}
