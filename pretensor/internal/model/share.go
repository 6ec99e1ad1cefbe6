package model

// Texts makes equal texts one text. A database has the same names and types over and
// over, and each would be a text of its own as it is read.
type Texts map[string]string

// maxShared is the longest text, in bytes, that is likely to be there twice.
const maxShared = 64

// Share makes each text the one that is equal to it and was given before, if there is
// one.
func (s Texts) Share(texts ...*string) {
	for _, t := range texts {
		if known, ok := s[*t]; ok {
			*t = known
		} else if len(*t) <= maxShared {
			s[*t] = *t
		}
	}
}

func (s Texts) lists(lists ...[]string) {
	for _, l := range lists {
		for i := range l {
			s.Share(&l[i])
		}
	}
}

// ShareTables does it for what repeats itself in the structure of tables.
func (s Texts) ShareTables(tables []Table) {
	for i := range tables {
		t := &tables[i]
		s.Share(&t.Schema, &t.Name, &t.Type, &t.RowsSource)
		for k := range t.Columns {
			c := &t.Columns[k]
			s.Share(&c.Name, &c.Type, &c.Base, &c.Default, &c.Comment, &c.Parent)
			s.lists(c.Enum)
			if x := c.Stats; x != nil {
				s.Share(&x.Min, &x.Max, &x.Source)
				s.lists(x.Common, x.Histogram)
			}
		}
		if t.PrimaryKey != nil {
			s.Share(&t.PrimaryKey.Name)
			s.lists(t.PrimaryKey.Columns)
		}
		for k := range t.Uniques {
			s.lists(t.Uniques[k].Columns)
		}
		for k := range t.ForeignKeys {
			key := &t.ForeignKeys[k]
			s.Share(&key.RefSchema, &key.RefTable, &key.OnDelete, &key.OnUpdate)
			s.lists(key.Columns, key.RefColumns)
		}
		for k := range t.Indexes {
			x := &t.Indexes[k]
			s.Share(&x.Name, &x.Type)
			s.lists(x.Columns)
		}
	}
}
