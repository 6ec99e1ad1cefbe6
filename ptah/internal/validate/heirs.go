package validate

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkHeritage checks tables that get columns from others, partitions among them (TBL008).
func (c *checker) checkHeritage() {
	partitions := map[*table][]*table{}
	for _, t := range c.tables {
		c.checkPartitioning(t)
		if len(t.parents) == 0 {
			continue
		}
		if t.Partition != nil {
			partitions[t.parents[0]] = append(partitions[t.parents[0]], t)
		}
		c.checkParents(t)
		for _, col := range t.Columns {
			if col.Inherited {
				c.checkHeir(t, col)
			}
		}
	}
	for _, t := range c.tables {
		if parts := partitions[t]; parts != nil {
			c.checkPartitions(t, parts)
		}
	}
}

// attached reports whether a partition was a table of its own before.
func (t *table) attached() bool {
	return t.Partition != nil && slices.ContainsFunc(t.Columns, func(col *schema.Column) bool { return !col.Inherited && col.Type.Name != "" })
}

// checkParents checks the parents of a table by themselves and against each other.
func (c *checker) checkParents(t *table) {
	bad := func(format string, args ...any) { c.problem("TBL008", t.Origin, t.object, format, args...) }
	if t.attached() {
		c.checkAttached(t)
	}
	if t.Partition != nil {
		return
	}
	for i, p := range t.parents {
		switch {
		case p.PartitionBy != "":
			bad("table %q inherits from table %q, which is partitioned; declare a partition of it", t.object, p.object)
		case p.Partition != nil:
			bad("table %q inherits from table %q, which is a partition", t.object, p.object)
		case slices.Contains(t.parents[:i], p):
			bad("table %q inherits from table %q twice", t.object, p.object)
		}
	}
	own := map[string]*schema.Column{}
	for _, col := range t.Columns {
		own[c.d.Key(col.Name)] = col
	}
	first := map[string]*schema.Column{}
	from := map[string]*table{}
	checks := map[string]*schema.Constraint{}
	for _, k := range t.constraints {
		if k.Kind == schema.Check && k.Name != "" {
			checks[c.d.Key(k.Name)] = k
		}
	}
	for _, p := range t.parents {
		for _, col := range p.all {
			k := c.d.Key(col.Name)
			old := first[k]
			if old == nil {
				first[k], from[k] = col, p
				continue
			}
			if why := c.differs(old, col); why != "" {
				bad("table %q inherits column %.80q from tables %q and %q, %s", t.object, col.Name, from[k].object, p.object, why)
			} else if (own[k] == nil || own[k].Default == nil) && otherValue(old.Default, col.Default) {
				bad("table %q inherits column %.80q with different defaults from tables %q and %q; give it one of its own", t.object, col.Name, from[k].object, p.object)
			}
		}
		for _, k := range p.constraints {
			if k.Kind != schema.Check || k.Name == "" || k.NoInherit {
				continue
			}
			if old := checks[c.d.Key(k.Name)]; old != nil && otherCheck(old, k) {
				bad("table %q has check %.80q from table %q, and another condition of that name", t.object, k.Name, p.object)
			}
			checks[c.d.Key(k.Name)] = k
		}
	}
}

// otherValue reports whether two defaults are values that differ; what is computed may
// be the same in other words.
func otherValue(a, b *schema.Default) bool {
	if a == nil || b == nil {
		return false
	}
	x, formA := literalOf(a)
	y, formB := literalOf(b)
	return formA == formB && formA != expression && x != y
}

// otherCheck reports whether two checks have conditions that differ by more than blanks,
// brackets and case.
func otherCheck(a, b *schema.Constraint) bool {
	plain := func(k *schema.Constraint) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" \t\r\n()\"", r) {
				return -1
			}
			return r
		}, strings.ToLower(k.Expr))
	}
	x, y := plain(a), plain(b)
	return x != y && !strings.Contains(x+y, "::") && !strings.Contains(x+y, "cast")
}

// checkHeir checks a column that a parent declares as well.
func (c *checker) checkHeir(t *table, col *schema.Column) {
	for _, p := range t.parents {
		from := c.column(p, col.Name)
		if from == nil {
			continue
		}
		bad := func(format string, args ...any) {
			c.problem("TBL008", col.Origin, t.object+"."+col.Name, format, args...)
		}
		if col.Type.Name != "" {
			if why := c.differs(from, col); why != "" {
				bad("column %.80q of table %q is declared by its parent %q too, %s", col.Name, t.object, p.object, why)
				continue
			}
		}
		generated := from.Generated != nil
		switch {
		case generated && (col.Default != nil || col.Identity != nil):
			bad("column %.80q of table %q is generated in its parent %q and has another source of values here", col.Name, t.object, p.object)
		case generated && col.Generated != nil && c.version.Before("16"):
			bad("column %.80q of table %q is generated in its parent %q; before PostgreSQL 16 it cannot be generated otherwise", col.Name, t.object, p.object)
		case !generated && col.Generated != nil && !c.version.Before("16"):
			bad("column %.80q of table %q is generated, and not so in its parent %q", col.Name, t.object, p.object)
		}
	}
}

// checkAttached checks that a table which became a partition is like the table that it
// is a part of.
func (c *checker) checkAttached(t *table) {
	bad := func(format string, args ...any) { c.problem("TBL008", t.Origin, t.object, format, args...) }
	p := t.parents[0]
	if p.open {
		return
	}
	own := make(map[string]*schema.Column, len(t.Columns))
	for _, col := range t.Columns {
		own[c.d.Key(col.Name)] = col
		if c.column(p, col.Name) == nil {
			bad("partition %q has column %.80q, which table %q does not have", t.object, col.Name, p.object)
		}
	}
	for _, from := range p.all {
		col := own[c.d.Key(from.Name)]
		if col == nil {
			bad("partition %q lacks column %.80q of table %q", t.object, from.Name, p.object)
			continue
		}
		if why := c.differs(from, col); why != "" && col.Type.Name != "" {
			bad("column %.80q of partition %q differs from that of table %q, %s", col.Name, t.object, p.object, why)
		} else if from.NotNull && !c.notNull(t, col) {
			bad("column %.80q of partition %q is not NOT NULL as that of table %q is", col.Name, t.object, p.object)
		}
	}
	for _, k := range p.constraints {
		if k.Kind == schema.Check && k.Name != "" && !k.NoInherit && !slices.ContainsFunc(t.constraints, func(o *schema.Constraint) bool { return o.Kind == schema.Check && c.d.Key(o.Name) == c.d.Key(k.Name) }) {
			bad("partition %q lacks check %.80q of table %q", t.object, k.Name, p.object)
		}
	}
}

// differs says in what two columns that are to be one differ; empty: in nothing that is
// known.
func (c *checker) differs(a, b *schema.Column) string {
	x, y := c.exactType(a), c.exactType(b)
	switch {
	case x != "" && y != "" && x != y:
		return "with types " + quoted([]string{typeText(a), typeText(b)})
	case a.Collation != b.Collation && a.Collation != "" && b.Collation != "":
		return "with collations " + quoted([]string{a.Collation, b.Collation})
	}
	return ""
}

// exactType is the type of a column with its arguments, the same for all its spellings;
// empty where it is not known.
func (c *checker) exactType(col *schema.Column) string {
	array := ""
	if col.Type.Array > 0 {
		array = "[]"
	}
	if u := c.userType(col.Type); u.kind != "" {
		return c.key(u.name).String() + array
	}
	dt, known := c.builtin(col.Type, isNative(col))
	if !known || strings.HasPrefix(dt.name, "interval") {
		return ""
	}
	args := strings.Join(dt.args, ",")
	switch {
	case dt.name == "numeric" && len(dt.args) == 1:
		args += ",0"
	case (dt.name == "char" || dt.name == "bit") && args == "":
		args = "1"
	}
	return dt.name + "(" + args + ")" + array
}
