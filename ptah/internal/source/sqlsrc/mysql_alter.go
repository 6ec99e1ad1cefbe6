package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func (in *mysql) alter() {
	in.expect("ALTER")
	switch {
	case in.isAny("DATABASE", "SCHEMA"):
		in.skip(in.leading())
	case in.mariadb && in.accept("SEQUENCE"):
		exists := in.ifExists()
		n := in.qualified("a sequence")
		s := in.sequence(n)
		if s == nil {
			in.dropped("SEQUENCE", n.String(), exists)
			in.rest()
			return
		}
		in.sequenceOptions(&s.SequenceOptions)
		if in.accept("RESTART") { // where it has come to is no part of its structure
			in.dropPart("ALTER SEQUENCE … RESTART")
			in.accept("WITH")
			in.accept("=")
			if !in.atEnd() {
				in.number("a number of the sequence")
			}
		}
	case in.isAny("ALGORITHM", "DEFINER", "SQL", "VIEW"):
		in.alterView()
	case in.isAny("TABLE", "IGNORE", "ONLINE"):
		in.acceptAny("ONLINE")
		in.acceptAny("IGNORE")
		in.expect("TABLE")
		in.alterTable()
	default:
		in.refuse(in.leading(), "")
	}
}

func (in *mysql) alterView() {
	var options []schema.Option // those that are not given stay
	for !in.is("VIEW") {
		switch {
		case in.accept("ALGORITHM"):
			in.expect("=")
			options = append(options, schema.Option{Key: "ALGORITHM", Value: in.expectAny("UNDEFINED", "MERGE", "TEMPTABLE")})
		case in.is("DEFINER"):
			in.definer()
		case in.accept("SQL", "SECURITY"):
			options = append(options, schema.Option{Key: "SQL SECURITY", Value: in.expectAny("DEFINER", "INVOKER")})
		default:
			in.refuse(in.leading(), "")
		}
	}
	in.expect("VIEW")
	from := in.i
	n := in.qualified("a view")
	v := in.view(n)
	if v == nil {
		in.undeclared("view", n.String())
	}
	for _, o := range v.Options {
		if !slices.ContainsFunc(options, func(own schema.Option) bool { return own.Key == o.Key }) {
			options = append(options, o)
		}
	}
	in.i = from
	in.createView(options, true)
}

func (in *mysql) alterTable() {
	exists := in.mariadb && in.ifExists()
	n := in.qualified("a table")
	t := in.table(n)
	apart := t == nil
	if apart {
		if exists {
			in.dropped("TABLE", n.String(), true)
			in.rest()
			return
		}
		// Its keys may still find it in another file.
		t = &schema.Table{Name: n}
		if !in.is("ADD") || !in.addsKey() {
			in.undeclared("table", n.String())
		}
	}
	for !in.atEnd() {
		if apart && !(in.is("ADD") && in.addsKey()) {
			in.undeclared("table", n.String())
		}
		in.action(t)
		if !in.accept(",") {
			break
		}
		if in.atEnd() {
			in.unexpected("an action")
		}
	}
	in.holdPeriods(t)
	if apart {
		for _, c := range t.Constraints {
			c.Table = n
		}
		in.db.Constraints = append(in.db.Constraints, t.Constraints...)
		in.db.Indexes = append(in.db.Indexes, t.Indexes...)
	}
}

// addsKey reports whether ADD at the cursor adds a key or a constraint.
func (in *mysql) addsKey() bool {
	in.i++
	defer func() { in.i-- }()
	return in.isKey()
}

// action executes one action of ALTER TABLE.
func (in *mysql) action(t *schema.Table) {
	switch {
	case in.accept("ADD"):
		in.add(t)
	case in.accept("DROP"):
		in.dropFrom(t)
	case in.accept("MODIFY"):
		in.accept("COLUMN")
		exists := in.mariadb && in.ifExists()
		if old := in.columnFor(t, in.tok(), exists); old != nil {
			in.forgetDefinition(t, old)
			in.place(t, in.columnDefinition(t, old))
		} else {
			in.skipTo(",")
		}
	case in.accept("CHANGE"):
		in.accept("COLUMN")
		exists := in.mariadb && in.ifExists()
		at := in.tok()
		in.name("a column")
		if old := in.columnFor(t, at, exists); old != nil {
			in.change(t, old)
		} else {
			in.skipTo(",")
		}
	case in.accept("ALTER"):
		in.alterPart(t)
	case in.accept("RENAME"):
		in.renamePart(t)
	case in.accept("CONVERT", "TO"):
		if !in.accept("CHARSET") {
			in.expect("CHARACTER", "SET")
		}
		t.Charset, t.Collation = in.charsetName(), ""
		if in.accept("COLLATE") {
			t.Collation = in.charsetName()
		}
		for _, c := range t.Columns {
			c.Charset, c.Collation = "", ""
		}
	case in.isAny("ALGORITHM", "LOCK"):
		in.dropPart(strings.ToUpper(in.textOf(in.next("an option"))))
		in.accept("=")
		in.next("a value")
	case in.is("DISABLE", "KEYS"), in.is("ENABLE", "KEYS"):
		in.dropPart("ALTER TABLE … " + strings.ToUpper(in.textOf(in.tok())) + " KEYS")
		in.i += 2
	case in.is("FORCE"), in.is("ORDER", "BY"):
		in.dropPart("ALTER TABLE … " + strings.ToUpper(in.textOf(in.tok())))
		in.skipTo()
	case in.accept("PARTITION", "BY"):
		t.PartitionBy = in.partitionBy()
	case in.accept("REMOVE", "PARTITIONING"):
		t.PartitionBy = ""
	default:
		if !in.tableOption(t) {
			in.refuse("ALTER TABLE … "+strings.ToUpper(in.textOf(in.tok())), "")
		}
		for in.tableOption(t) {
		}
	}
}

// columnFor returns the column that a token names, which has to be there.
func (in *mysql) columnFor(t *schema.Table, at token, ifExists bool) *schema.Column {
	name := in.textOf(at)
	if at.kind == nameToken {
		name = in.unquoted(at)
	}
	c := in.column(t, name)
	if c == nil {
		in.dropped("COLUMN", t.Name.String()+"."+name, ifExists)
	}
	return c
}

func (in *mysql) add(t *schema.Table) {
	switch {
	case in.is("PARTITION"):
		in.refuse("ALTER TABLE … ADD PARTITION", "")
	case in.mariadb && in.accept("SYSTEM", "VERSIONING"):
		setOption(t, systemVersioning, "")
		return
	}
	if in.isKey() {
		in.keyDefinition(t)
		return
	}
	in.accept("COLUMN")
	if in.mariadb && in.ifNotExists() {
		if c := in.column(t, in.nameAhead()); c != nil {
			in.dropPart("ADD COLUMN IF NOT EXISTS of " + quoted(c.Name) + ", which is declared at " + c.String() + ",")
			in.skipTo(",")
			return
		}
	}
	if in.is("(") {
		in.list(func() { in.element(t) })
		return
	}
	in.place(t, in.columnDefinition(t, nil))
}

// nameAhead returns the name at the cursor, which stays there.
func (in *mysql) nameAhead() string {
	name := in.name("a column")
	in.i--
	return name
}

// place moves a column to where FIRST or AFTER says.
func (in *mysql) place(t *schema.Table, c *schema.Column) {
	var to int
	switch {
	case in.accept("FIRST"):
		to = 0
	case in.accept("AFTER"):
		at := in.tok()
		in.name("a column")
		after := in.columnFor(t, at, false)
		t.Columns = without(t.Columns, c)
		to = slices.Index(t.Columns, after) + 1
	default:
		return
	}
	t.Columns = slices.Insert(without(t.Columns, c), to, c)
}

// change gives a column another name and definition.
func (in *mysql) change(t *schema.Table, old *schema.Column) {
	to := in.nameAhead()
	if !in.same(old.Name, to) {
		if other := in.column(t, to); other != nil {
			in.twoColumns(t, to)
		}
		in.forgetDefinition(t, old)
		in.renameColumn(t, old.Name, to)
	}
	in.place(t, in.columnDefinition(t, old))
}

// forgetDefinition takes off a column what its next definition says anew: in MariaDB the
// checks that are written with it, too.
func (in *mysql) forgetDefinition(t *schema.Table, c *schema.Column) {
	c.Generated, c.Default = nil, nil
	if in.mariadb {
		t.Constraints = slices.DeleteFunc(t.Constraints, func(k *schema.Constraint) bool {
			return k.Kind == schema.Check && k.Inline && in.uses(k.Columns, nil, c.Name)
		})
	}
}

func (in *mysql) dropFrom(t *schema.Table) {
	switch {
	case in.accept("PRIMARY", "KEY"):
		in.dropKey(t, "PRIMARY", false)
	case in.accept("INDEX"), in.accept("KEY"):
		exists := in.mariadb && in.ifExists()
		in.dropKey(t, in.name("an index"), exists)
	case in.accept("FOREIGN", "KEY"):
		in.dropConstraint(t, schema.ForeignKey)
	case in.accept("CONSTRAINT"), in.accept("CHECK"):
		in.dropConstraint(t, schema.Check, schema.ForeignKey, schema.Unique)
	case in.is("PARTITION"):
		in.refuse("ALTER TABLE … DROP PARTITION", "")
	case in.mariadb && in.accept("SYSTEM", "VERSIONING"):
		t.Options = slices.DeleteFunc(t.Options, func(o schema.Option) bool { return o.Key == systemVersioning })
	case in.mariadb && in.accept("PERIOD"):
		exists := in.ifExists()
		in.expect("FOR")
		name := in.name("a period")
		if in.periodOf(t, name) == nil {
			in.dropped("PERIOD", t.Name.String()+"."+name, exists)
		}
		t.Periods = slices.DeleteFunc(t.Periods, func(p schema.Period) bool { return in.same(p.Name, name) })
	default:
		in.accept("COLUMN")
		exists := in.mariadb && in.ifExists()
		at := in.tok()
		in.name("a column")
		in.acceptAny("RESTRICT", "CASCADE")
		if c := in.columnFor(t, at, exists); c != nil {
			in.dropColumn(t, c)
		}
	}
}

func (in *mysql) dropConstraint(t *schema.Table, kinds ...schema.ConstraintKind) {
	exists := in.mariadb && in.ifExists()
	name := in.name("a constraint")
	if c := in.constraint(t, name, kinds...); c != nil {
		t.Constraints = without(t.Constraints, c)
		if c.Kind == schema.ForeignKey {
			in.keepIndex(t, c)
		}
		return
	}
	if x := in.index(t, name); len(kinds) > 1 && (strings.EqualFold(name, "PRIMARY") || x != nil && x.Unique) {
		in.dropKey(t, name, exists)
		return
	}
	in.dropped("CONSTRAINT", t.Name.String()+"."+name, exists)
}

// keepIndexes adds the indexes that the server makes for the foreign keys of a table. An
// index of more columns serves for those of fewer, and a later one for an earlier one.
func (in *mysql) keepIndexes(t *schema.Table) {
	var keys []*schema.Constraint
	for _, c := range slices.Backward(t.Constraints) {
		if c.Kind == schema.ForeignKey {
			keys = append(keys, c)
		}
	}
	slices.SortStableFunc(keys, func(a, b *schema.Constraint) int { return len(b.Columns) - len(a.Columns) })
	at := len(t.Indexes)
	for _, c := range keys {
		in.keepIndex(t, c)
	}
	slices.Reverse(t.Indexes[at:]) // in the order of the foreign keys, as far as it goes
}

// keepIndex adds the index that the server makes for a foreign key, unless another one
// serves. It stays when the foreign key goes.
func (in *mysql) keepIndex(t *schema.Table, fk *schema.Constraint) {
	serves := func(columns []string, keys []schema.IndexKey) bool {
		for i, name := range fk.Columns {
			if i < len(columns) && in.same(columns[i], name) || i < len(keys) && in.same(keys[i].Column, name) && keys[i].Length == 0 {
				continue
			}
			return false
		}
		return true
	}
	for _, c := range t.Constraints {
		if (c.Kind == schema.PrimaryKey || c.Kind == schema.Unique) && serves(c.Columns, c.Keys) {
			return
		}
	}
	for _, x := range t.Indexes {
		if x.Kind == "" && serves(nil, x.Keys) {
			return
		}
	}
	x := &schema.Index{Table: t.Name, Origin: fk.Origin}
	for _, name := range fk.Columns {
		x.Keys = append(x.Keys, schema.IndexKey{Column: name})
	}
	if !fk.Implicit {
		x.Name = fk.Name
	}
	in.nameIndex(t, x)
	x.Implicit = true
	t.Indexes = append(t.Indexes, x)
}

// dropColumn removes a column, also from keys, as the server does. Keys without columns
// go with it.
func (in *mysql) dropColumn(t *schema.Table, c *schema.Column) {
	t.Columns = without(t.Columns, c)
	t.Constraints = slices.DeleteFunc(t.Constraints, func(k *schema.Constraint) bool {
		return k.Kind == schema.Check && k.Inline && in.uses(k.Columns, nil, c.Name)
	})
	for _, k := range t.Constraints {
		if k.Kind == schema.ForeignKey && in.uses(k.Columns, nil, c.Name) {
			in.refuse("dropping a column that a foreign key uses", "drop the foreign key first")
		}
	}
	if in.used(t, c.Name) {
		in.refuse("dropping a column that an expression of its table names", "")
	}
	for _, p := range t.Periods {
		if in.same(p.From, c.Name) || in.same(p.To, c.Name) {
			in.refuse("dropping a column of a period", "drop the period first")
		}
	}
	is := func(k schema.IndexKey) bool { return k.Column != "" && in.same(k.Column, c.Name) }
	t.Constraints = slices.DeleteFunc(t.Constraints, func(k *schema.Constraint) bool {
		if !in.uses(k.Columns, k.Keys, c.Name) {
			return false
		}
		k.Columns = slices.DeleteFunc(k.Columns, func(name string) bool { return in.same(name, c.Name) })
		k.Keys = slices.DeleteFunc(k.Keys, is)
		return len(k.Columns)+len(k.Keys) == 0
	})
	t.Indexes = slices.DeleteFunc(t.Indexes, func(x *schema.Index) bool {
		if !in.uses(nil, x.Keys, c.Name) {
			return false
		}
		x.Keys = slices.DeleteFunc(x.Keys, is)
		return len(x.Keys) == 0
	})
}

// alterPart reads ALTER COLUMN and the like inside ALTER TABLE.
func (in *mysql) alterPart(t *schema.Table) {
	switch {
	case in.accept("INDEX"), in.accept("KEY"):
		exists := in.mariadb && in.ifExists()
		name := in.name("an index")
		invisible := false
		switch w := in.expectAny("INVISIBLE", "VISIBLE", "IGNORED", "NOT"); w {
		case "NOT":
			in.expect("IGNORED")
		case "INVISIBLE", "IGNORED":
			invisible = true
		}
		in.setVisible(t, name, invisible, exists)
	case in.accept("CHECK"), in.accept("CONSTRAINT"):
		name := in.name("a constraint")
		c := in.constraint(t, name, schema.Check)
		if c == nil {
			in.undeclared("constraint", t.Name.String()+"."+name)
		}
		c.NotEnforced = in.accept("NOT")
		in.expect("ENFORCED")
	default:
		in.accept("COLUMN")
		exists := in.mariadb && in.ifExists()
		at := in.tok()
		in.name("a column")
		c := in.columnFor(t, at, exists)
		if c == nil {
			c = &schema.Column{}
		}
		switch {
		case in.accept("SET", "DEFAULT"):
			c.Default = in.defaultValue()
		case in.accept("DROP", "DEFAULT"):
			c.Default = nil
		case in.accept("SET", "INVISIBLE"):
			c.Invisible = true
		case in.accept("SET", "VISIBLE"):
			c.Invisible = false
		default:
			in.unexpected("SET DEFAULT or DROP DEFAULT")
		}
	}
}

// setVisible shows or hides an index from the planner.
func (in *mysql) setVisible(t *schema.Table, name string, invisible, ifExists bool) {
	if x := in.index(t, name); x != nil {
		x.Invisible = invisible
		return
	}
	c := in.constraint(t, name, schema.Unique)
	if c == nil {
		in.dropped("INDEX", t.Name.String()+"."+name, ifExists)
		return
	}
	if !invisible {
		return
	}
	x := &schema.Index{
		Name: c.Name, Implicit: c.Implicit, Table: t.Name, Keys: c.Keys, Unique: true, Method: c.Method, Comment: c.Comment, Options: c.Options,
		Invisible: true, Origin: c.Origin,
	}
	for _, column := range c.Columns {
		x.Keys = append(x.Keys, schema.IndexKey{Column: column})
	}
	t.Constraints = without(t.Constraints, c)
	t.Indexes = append(t.Indexes, x)
}

func (in *mysql) renamePart(t *schema.Table) {
	switch {
	case in.accept("COLUMN"):
		at := in.tok()
		in.name("a column")
		in.expect("TO")
		to := in.name("a column")
		c := in.columnFor(t, at, false)
		if other := in.column(t, to); other != nil && other != c {
			in.twoColumns(t, to)
		}
		in.renameColumn(t, c.Name, to)
	case in.accept("INDEX"), in.accept("KEY"):
		from := in.name("an index")
		in.expect("TO")
		to := in.name("an index")
		if !in.same(from, to) {
			in.free(t, to)
		}
		if x := in.index(t, from); x != nil {
			x.Name, x.Implicit = to, false
			in.indexes.forget(t)
		} else if c := in.constraint(t, from, schema.Unique); c != nil {
			c.Name, c.Implicit = to, false
			in.constraints.forget(t)
			clear(in.numbers)
		} else {
			in.undeclared("index", t.Name.String()+"."+from)
		}
	default:
		if in.acceptAny("TO", "AS", "=") == "" && in.atEnd() {
			in.unexpected("a name")
		}
		in.renameTo(t, in.qualified("a table"))
	}
}
