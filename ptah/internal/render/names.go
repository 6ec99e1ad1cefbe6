package render

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// nameSet counts the names of relations and constraints in each schema, so that a name
// that is made up is a new one.
type nameSet map[schema.Name]int

func (j *job) takenNames() nameSet {
	taken := nameSet{}
	add := func(n schema.Name) {
		if n.Name != "" {
			taken[n.In(j.schema)]++
		}
	}
	for _, t := range j.db.Tables {
		add(t.Name)
		for _, c := range t.Constraints {
			add(schema.Name{Schema: t.Schema, Name: c.Name})
		}
		for _, x := range t.Indexes {
			add(schema.Name{Schema: t.Schema, Name: x.Name})
		}
	}
	for _, v := range j.db.Views {
		add(v.Name)
		for _, x := range v.Indexes {
			add(schema.Name{Schema: v.Schema, Name: x.Name})
		}
	}
	for _, s := range j.db.Sequences {
		add(s.Name)
	}
	return taken
}

// fresh returns a name that nothing in the table's schema has yet, and takes it: the one
// that make returns for an empty mark, else for the first free number.
func (j *job) fresh(table schema.Name, make func(mark string) string) string {
	first := schema.Name{Schema: table.Schema, Name: make("")}.In(j.schema)
	for i := j.numbers[first]; ; i++ {
		n := first
		if i > 0 {
			n.Name = make(strconv.Itoa(i))
		}
		if j.names[n] == 0 {
			j.names[n]++
			j.numbers[first] = i + 1 // all before it are taken
			return n.Name
		}
	}
}

// nameAll makes up the names of constraints and indexes that have none and that the
// database would not name in the same way.
func (j *job) nameAll() {
	j.made = map[any]string{}
	for _, t := range j.db.Tables {
		for _, c := range t.Constraints {
			if c.Name != "" {
				continue
			}
			switch c.Kind {
			case schema.Check:
				j.made[c] = j.checkName(t, c)
			case schema.ForeignKey:
				j.made[c] = j.fresh(t.Name, func(mark string) string {
					return j.fit(strings.ToLower(strings.Join(append([]string{"fk", t.Name.Name}, c.Columns...), "_")) + mark)
				})
			case schema.Unique:
				if j.d.MySQLFamily() { // whose own name depends on what else the table has
					j.made[c] = j.fresh(t.Name, func(mark string) string {
						return dialect.GeneratedName(t.Name.Name, dialect.JoinedColumns(c.Columns), "key"+mark)
					})
				}
			case schema.Exclude:
				j.made[c] = j.fresh(t.Name, func(mark string) string { return dialect.GeneratedName(t.Name.Name, keyNames(c.Keys), "excl"+mark) })
			}
		}
		for _, x := range t.Indexes {
			j.nameIndex(t.Name, x)
		}
	}
	for _, v := range j.db.Views {
		for _, x := range v.Indexes {
			j.nameIndex(v.Name, x)
		}
	}
	for _, d := range j.db.Domains {
		for _, c := range d.Checks {
			if c.Name == "" {
				j.made[c] = j.fresh(d.Name, func(mark string) string { return dialect.GeneratedName(d.Name.Name, "", "check"+mark) })
			}
		}
	}
}

func (j *job) nameIndex(on schema.Name, x *schema.Index) {
	if x.Name == "" {
		j.made[x] = j.fresh(on, func(mark string) string { return dialect.GeneratedName(on.Name, keyNames(x.Keys), "idx"+mark) })
	}
}

// keyNames are the columns of an index's key, with expr for an expression.
func keyNames(keys []schema.IndexKey) string {
	names := make([]string, len(keys))
	for i, k := range keys {
		if names[i] = k.Column; k.Column == "" {
			names[i] = "expr"
		}
	}
	return dialect.JoinedColumns(names)
}

// constraintName is the declared name of a constraint, or the one made up for it; empty
// for a key that the database names.
func (j *job) constraintName(c *schema.Constraint) string { return cmp.Or(c.Name, j.made[c]) }

// indexName is the declared name of an index, or the one made up for it.
func (j *job) indexName(x *schema.Index) string { return cmp.Or(x.Name, j.made[x]) }

// checkName makes up the name of a check: that of its column, where it has one, is in it.
func (j *job) checkName(t *schema.Table, c *schema.Constraint) string {
	column := ""
	if names := columnsIn(c.Expr, t, j.d); len(names) == 1 {
		column = names[0]
	} else if c.Inline && len(c.Columns) == 1 {
		column = c.Columns[0]
	}
	return j.fresh(t.Name, func(mark string) string { return dialect.GeneratedName(t.Name.Name, column, "check"+mark) })
}

// fit shortens a name that this package made up to what the dialect takes: its first
// bytes and a hash of all of it.
func (j *job) fit(name string) string {
	limit, _ := j.d.NameLimit()
	if limit == 0 || len(name) <= limit {
		return name
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%s_%08x", dialect.CutTo(name, limit-9), h.Sum32())
}

// usualKey is the name that PostgreSQL gives to a primary or unique key of a table; empty
// for other constraints.
func (j *job) usualKey(t *schema.Table, c *schema.Constraint) string {
	switch c.Kind {
	case schema.PrimaryKey:
		return dialect.GeneratedName(t.Name.Name, "", "pkey")
	case schema.Unique:
		return dialect.GeneratedName(t.Name.Name, dialect.JoinedColumns(slices.Concat(c.Columns, c.Include)), "key")
	}
	return ""
}

// servers reports whether PostgreSQL gives the key its name without being told.
func (j *job) servers(t *schema.Table, c *schema.Constraint) bool {
	if c.Name == "" {
		return true
	}
	return c.Implicit && c.Name == j.usualKey(t, c) && j.names[schema.Name{Schema: t.Schema, Name: c.Name}.In(j.schema)] == 1
}
