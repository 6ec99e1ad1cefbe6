package catalog

// shared makes equal texts one text. A database has the same names and types over and
// over, and each would be a text of its own as it is read.
type shared map[string]string

func (s shared) text(texts ...*string) {
	for _, t := range texts {
		if known, ok := s[*t]; ok {
			*t = known
		} else if len(*t) <= maxShared {
			s[*t] = *t
		}
	}
}

func (s shared) list(lists ...[]string) {
	for _, l := range lists {
		for i := range l {
			s.text(&l[i])
		}
	}
}

// maxShared is the longest text that is likely to be there twice.
const maxShared = 64

// shareTexts makes what repeats itself in the structure one text each.
func shareTexts(data *Data) {
	s := shared{}
	for i := range data.Tables {
		t := &data.Tables[i]
		s.text(&t.Schema, &t.Name, &t.Type, &t.RowsSource)
		for k := range t.Columns {
			c := &t.Columns[k]
			s.text(&c.Name, &c.Type, &c.Base, &c.Default, &c.Comment, &c.Parent)
			s.list(c.Enum)
			if x := c.Stats; x != nil {
				s.text(&x.Min, &x.Max, &x.Source)
				s.list(x.Common, x.Histogram)
			}
		}
		if t.PrimaryKey != nil {
			s.text(&t.PrimaryKey.Name)
			s.list(t.PrimaryKey.Columns)
		}
		for k := range t.Uniques {
			s.list(t.Uniques[k].Columns)
		}
		for k := range t.ForeignKeys {
			key := &t.ForeignKeys[k]
			s.text(&key.RefSchema, &key.RefTable, &key.OnDelete, &key.OnUpdate)
			s.list(key.Columns, key.RefColumns)
		}
		for k := range t.Indexes {
			x := &t.Indexes[k]
			s.text(&x.Name, &x.Type)
			s.list(x.Columns)
		}
	}
	for i := range data.Joins {
		j := &data.Joins[i]
		s.text(&j.FromColumn, &j.ToColumn, &j.Source, &j.Reasoning)
	}
}
