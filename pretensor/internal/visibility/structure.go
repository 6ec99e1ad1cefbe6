package visibility

import (
	"slices"
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// Database is [Rules.Databases] of one introspection.
func (r *Rules) Database(connection string, db *model.Database) *model.Database {
	return r.Databases(connection, db)[0]
}

// Databases returns introspections of one connection with only what is visible. What
// is hidden in one of them is in none of the texts of the others: to be compared,
// they have to be given together. They are not changed, and what is returned shares
// with them what it can.
func (r *Rules) Databases(connection string, dbs ...*model.Database) []*model.Database {
	out := make([]*model.Database, len(dbs))
	if r.Empty() {
		for i, db := range dbs {
			d := *db
			out[i] = &d
		}
		return out
	}
	s := r.sight(connection)
	seen := make([]*structure, len(dbs))
	for i, db := range dbs {
		seen[i] = s.look(db.Dialect, db.Tables, db.Lineage)
		s.show(db.Name)
	}
	s.settle()
	for i, db := range dbs {
		d := *db
		d.Tables, d.Lineage = seen[i].tables(), seen[i].lineage()
		d.DefaultSchema = s.defaultSchema(db.DefaultSchema)
		d.Warnings = s.scrubAll(db.Warnings)
		d.Roles = slices.Clone(db.Roles)
		for k := range d.Roles {
			d.Roles[k].Schemas = filter(d.Roles[k].Schemas, func(name string) bool { return r.schema(connection, name) && !s.words.has(name) })
		}
		out[i] = &d
	}
	return out
}

// sight is what the rules leave of one connection: first it looks at everything and
// collects the names, then words finds those that are hidden.
type sight struct {
	rules           *Rules
	connection      string
	hidden          map[string]secrecy
	visible         map[string]struct{}
	schemas         map[string]bool // of tables: whether one is visible
	words           *words
	typesThatAreOwn map[string]bool // whether a type is one of a user, by spelling
}

func (r *Rules) sight(connection string) *sight {
	s := &sight{
		rules: r, connection: connection, hidden: map[string]secrecy{}, visible: map[string]struct{}{}, schemas: map[string]bool{}, typesThatAreOwn: map[string]bool{},
	}
	s.show(connection)
	return s
}

// show notes a name that may be seen.
func (s *sight) show(name string) { s.visible[fold(name)] = struct{}{} }

// hide notes a name that may not be seen.
func (s *sight) hide(name string, how secrecy) {
	for _, n := range spellings(name) {
		s.hidden[n] = max(s.hidden[n], how)
	}
}

// spellings are a name, folded, and as it stands in quotes where it holds some.
func spellings(name string) []string {
	out := []string{fold(name)}
	for _, quote := range []string{`"`, "`", "]", "'"} {
		if strings.Contains(name, quote) {
			out = append(out, strings.ReplaceAll(out[0], quote, quote+quote))
		}
	}
	return out
}

// note notes the name of a table that is visible or not.
func (s *sight) note(n model.TableName, visible bool) {
	s.schemas[n.Schema] = s.schemas[n.Schema] || visible
	if visible {
		s.show(n.Name)
	} else {
		s.hide(n.Name, anywhere)
	}
}

// settle is called when everything has been looked at.
func (s *sight) settle() {
	for name, visible := range s.schemas {
		if visible {
			s.show(name)
		} else {
			s.hide(name, anywhere)
		}
	}
	s.words = newWords(s.hidden, s.visible)
}

// defaultSchema is the default schema, if it may be named.
func (s *sight) defaultSchema(name string) string {
	if visible, known := s.schemas[name]; known && !visible || !s.rules.schema(s.connection, name) {
		return ""
	}
	return name
}

func (s *sight) scrubAll(texts []string) []string {
	out := texts
	for i, t := range texts {
		if clean := s.words.scrub(t); clean != t {
			if &out[0] == &texts[0] {
				out = slices.Clone(texts)
			}
			out[i] = clean
		}
	}
	return out
}

// filter is the items that a function keeps: the list itself if it keeps all.
func filter[T any](list []T, keep func(T) bool) []T {
	if !slices.ContainsFunc(list, func(x T) bool { return !keep(x) }) {
		return list
	}
	out := make([]T, 0, len(list))
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// structure is the tables of one introspection or catalog, as the rules see them.
type structure struct {
	*sight
	all   []model.Table
	flows []model.Lineage
	at    map[model.TableName]int
	parts map[model.TableName]bool // partitions that are folded into a table: whether they are visible
	place []int                    // of each table among the visible ones, -1 of a hidden one
	lost  []map[string]bool        // of each table: the paths of its hidden columns
	own   []*words                 // of each table with hidden columns: what finds them in its own texts
	// Of each table: what it is made of has changed, or what it is called and said to be.
	reshaped, reworded []bool
}

// path is what a column is called in its table.
func path(c *model.Column) string {
	if c.Parent == "" {
		return c.Name
	}
	return c.Parent + "." + c.Name
}

// look decides what is visible, and collects the names.
func (s *sight) look(dialect string, tables []model.Table, flows []model.Lineage) *structure {
	n := len(tables)
	v := &structure{
		sight: s, all: tables, flows: flows, at: make(map[model.TableName]int, n), parts: map[model.TableName]bool{}, place: make([]int, n),
		lost: make([]map[string]bool, n), own: make([]*words, n), reshaped: make([]bool, n), reworded: make([]bool, n),
	}
	visible := 0
	for i := range tables {
		t := &tables[i]
		v.at[model.TableName{Schema: t.Schema, Name: t.Name}] = i
		ok := s.rules.Table(s.connection, t.Schema, t.Name, t.Type)
		s.note(model.TableName{Schema: t.Schema, Name: t.Name}, ok)
		v.place[i] = -1
		if ok {
			v.place[i] = visible
			visible++
			v.columns(dialect, i)
		} else {
			for k := range t.Columns {
				// A plain word of prose says nothing of a table that is not named.
				if c := t.Columns[k].Name; identifier(c) {
					s.hide(c, whole)
				}
			}
		}
		if t.Partition != nil {
			for _, p := range t.Partition.Tables {
				ok := ok && s.rules.Table(s.connection, p.Schema, p.Name, model.BaseTable)
				v.parts[p] = ok
				s.note(p, ok)
			}
		}
	}
	// Tables that are only referred to.
	other := func(n model.TableName) {
		if _, ok := v.at[n]; !ok {
			s.note(n, v.visibleTable(n))
		}
	}
	for i := range tables {
		for _, k := range tables[i].ForeignKeys {
			other(model.TableName{Schema: k.RefSchema, Name: k.RefTable})
		}
	}
	for _, l := range flows {
		for _, end := range ends(l) {
			other(end)
		}
	}
	return v
}

func ends(l model.Lineage) [2]model.TableName {
	return [2]model.TableName{{Schema: l.FromSchema, Name: l.FromTable}, {Schema: l.ToSchema, Name: l.ToTable}}
}

// identifier reports whether a name would be no word of prose.
func identifier(name string) bool {
	humps := false
	var before rune
	for _, r := range name {
		if !unicode.IsLetter(r) {
			return true
		}
		humps = humps || unicode.IsLower(before) && unicode.IsUpper(r)
		before = r
	}
	return humps
}

// columns decides about the columns of a visible table.
func (v *structure) columns(dialect string, i int) {
	t := &v.all[i]
	hides := func(string) bool { return false }
	if !v.rules.hiddenColumns.none {
		hides = v.rules.hiddenColumns.of(tuple{v.connection, t.Schema, t.Name})
	}
	nested := slices.ContainsFunc(t.Columns, func(c model.Column) bool { return c.Parent != "" })
	for k := range t.Columns {
		c := &t.Columns[k]
		if hides(c.Name) || c.Parent != "" && hides(path(c)) {
			if v.lost[i] == nil {
				v.lost[i] = map[string]bool{}
			}
			v.lost[i][path(c)] = true
		}
	}
	if nested && v.lost[i] != nil {
		// What belongs to a hidden field is hidden, whatever the order.
		for k := range t.Columns {
			c := &t.Columns[k]
			for p := c.Parent; p != ""; p = p[:max(0, strings.LastIndexByte(p, '.'))] {
				if v.lost[i][p] || hides(p) {
					v.lost[i][path(c)] = true
					break
				}
			}
		}
	}
	for k := range t.Columns {
		c := &t.Columns[k]
		if v.lost[i][path(c)] {
			v.hide(c.Name, whole)
			continue
		}
		v.show(c.Name)
		for _, spelling := range []string{c.Type, c.Base} {
			if _, known := v.typesThatAreOwn[spelling]; !known && spelling != "" {
				builtin := len(c.Enum) == 0 && types.FamilyOf(dialect, strings.TrimRight(spelling, "[]")) != types.Unknown
				v.typesThatAreOwn[spelling] = !builtin
				if builtin {
					for _, w := range strings.FieldsFunc(spelling, func(r rune) bool { return !unicode.IsLetter(r) }) {
						v.show(w)
					}
				}
			}
		}
	}
	if v.lost[i] != nil {
		hidden, visible := map[string]secrecy{}, map[string]struct{}{fold(t.Name): {}}
		for k := range t.Columns {
			if c := &t.Columns[k]; v.lost[i][path(c)] {
				for _, n := range spellings(c.Name) {
					hidden[n] = whole
				}
			} else {
				visible[fold(c.Name)] = struct{}{}
			}
		}
		v.own[i] = newWords(hidden, visible)
	}
}

// visibleTable reports whether the table of a name is visible, which need not be one
// of the structure.
func (v *structure) visibleTable(n model.TableName) bool {
	if i, ok := v.at[n]; ok {
		return v.place[i] >= 0
	}
	if ok, known := v.parts[n]; known {
		return ok
	}
	return v.rules.Table(v.connection, n.Schema, n.Name, "")
}

// visibleColumns reports whether all columns of a visible table may be seen, which
// need not be one of the structure.
func (v *structure) visibleColumns(n model.TableName, columns []string) bool {
	i, ok := v.at[n]
	return !slices.ContainsFunc(columns, func(c string) bool {
		if ok {
			return v.lost[i][c]
		}
		return !v.rules.Column(v.connection, n.Schema, n.Name, c)
	})
}

// tells reports whether a text about some tables holds a name that is hidden, or that
// of a hidden column of theirs.
func (v *structure) tells(text string, tables ...int) bool {
	return text != "" && (v.words.has(text) || slices.ContainsFunc(tables, func(i int) bool { return v.own[i] != nil && v.own[i].has(text) }))
}

// lineage is the lineage between visible tables.
func (v *structure) lineage() []model.Lineage {
	return filter(v.flows, func(l model.Lineage) bool {
		e := ends(l)
		return v.visibleTable(e[0]) && v.visibleTable(e[1])
	})
}

// tables are the visible tables, with what is visible of them.
func (v *structure) tables() []model.Table {
	read := map[int]bool{} // views whose sources are not all to be seen
	for _, l := range v.flows {
		e := ends(l)
		if to, ok := v.at[e[1]]; ok {
			from, ok := v.at[e[0]]
			read[to] = read[to] || !v.visibleTable(e[0]) || ok && v.lost[from] != nil
		}
	}
	out := make([]model.Table, 0, len(v.all))
	for i := range v.all {
		if v.place[i] >= 0 {
			t := v.table(i)
			if t.Definition != "" && (read[i] || v.tells(t.Definition, i)) {
				t.Definition = ""
			}
			out = append(out, t)
		}
	}
	if v.all == nil {
		return nil
	}
	return out
}

// table is what is visible of a visible table.
func (v *structure) table(i int) model.Table {
	t := v.all[i]
	lost := v.lost[i]
	visible := func(columns []string) bool {
		return lost == nil || !slices.ContainsFunc(columns, func(c string) bool { return lost[c] || v.tells(c, i) })
	}
	secret := func(text string) bool { return v.tells(text, i) }
	unnamed := func(name string, tables ...int) string {
		if v.tells(name, tables...) {
			return ""
		}
		return name
	}
	changed := func(before, after int) {
		v.reshaped[i] = v.reshaped[i] || before != after
	}
	scrub := func(text string) string {
		clean := v.words.scrub(text)
		v.reworded[i] = v.reworded[i] || clean != text
		return clean
	}

	t.Comment = scrub(t.Comment)
	t.Columns = v.columnsOf(i, scrub)
	changed(len(v.all[i].Columns), len(t.Columns))
	v.reworded[i] = v.reworded[i] || v.reshaped[i]

	if k := t.PrimaryKey; k != nil {
		if t.PrimaryKey = nil; visible(k.Columns) {
			t.PrimaryKey = &model.Key{Name: unnamed(k.Name, i), Columns: k.Columns}
		} else {
			v.reshaped[i] = true
		}
	}
	t.Uniques = filter(t.Uniques, func(k model.Key) bool { return visible(k.Columns) })
	changed(len(v.all[i].Uniques), len(t.Uniques))
	t.Uniques = renamed(t.Uniques, func(k *model.Key) *string { return &k.Name }, func(k *model.Key) string { return unnamed(k.Name, i) })

	t.ForeignKeys = filter(t.ForeignKeys, func(k model.ForeignKey) bool {
		to := model.TableName{Schema: k.RefSchema, Name: k.RefTable}
		return visible(k.Columns) && v.visibleTable(to) && v.visibleColumns(to, k.RefColumns)
	})
	changed(len(v.all[i].ForeignKeys), len(t.ForeignKeys))
	t.ForeignKeys = renamed(t.ForeignKeys, func(k *model.ForeignKey) *string { return &k.Name }, func(k *model.ForeignKey) string {
		if to, ok := v.at[model.TableName{Schema: k.RefSchema, Name: k.RefTable}]; ok {
			return unnamed(k.Name, i, to)
		}
		return unnamed(k.Name, i)
	})

	t.Checks = filter(t.Checks, func(k model.Check) bool { return visible(k.Columns) && !secret(k.Expr) })
	t.Checks = renamed(t.Checks, func(k *model.Check) *string { return &k.Name }, func(k *model.Check) string { return unnamed(k.Name, i) })

	t.Indexes = filter(t.Indexes, func(x model.Index) bool { return visible(x.Columns) && !slices.ContainsFunc(x.Columns, v.words.has) })
	changed(len(v.all[i].Indexes), len(t.Indexes))
	t.Indexes = renamed(t.Indexes, func(x *model.Index) *string { return &x.Name }, func(x *model.Index) string { return unnamed(x.Name, i) })

	if p := t.Partition; p != nil {
		q := *p
		q.Key = filter(p.Key, func(key string) bool { return visible([]string{key}) && !secret(key) })
		q.Tables = filter(p.Tables, func(n model.TableName) bool { return v.parts[n] })
		q.Count -= len(p.Tables) - len(q.Tables)
		t.Partition = &q
	}

	t.Grants = filter(t.Grants, func(g model.Grant) bool {
		return len(g.Columns) == 0 || slices.ContainsFunc(g.Columns, func(c string) bool { return !lost[c] })
	})
	if slices.ContainsFunc(t.Grants, func(g model.Grant) bool {
		return v.words.has(g.Grantee) || slices.ContainsFunc(g.Columns, func(c string) bool { return lost[c] })
	}) {
		t.Grants = slices.Clone(t.Grants)
		for k := range t.Grants {
			g := &t.Grants[k]
			g.Grantee, g.Columns = v.words.scrub(g.Grantee), filter(g.Columns, func(c string) bool { return !lost[c] })
		}
	}
	return t
}

// renamed gives the things of a list their new names: in a copy if one changes.
func renamed[T any](list []T, name func(*T) *string, now func(*T) string) []T {
	out := list
	for k := range list {
		if n := now(&list[k]); n != *name(&list[k]) {
			if &out[0] == &list[0] {
				out = slices.Clone(list)
			}
			*name(&out[k]) = n
		}
	}
	return out
}

// columnsOf are the visible columns of a table.
func (v *structure) columnsOf(i int, scrub func(string) string) []model.Column {
	t := &v.all[i]
	out := t.Columns
	if lost := v.lost[i]; lost != nil {
		out = filter(out, func(c model.Column) bool { return !lost[path(&c)] })
	}
	shared := len(out) == len(t.Columns)
	for k := range out {
		c := out[k]
		c.Comment = scrub(c.Comment)
		if v.tells(c.Default, i) {
			c.Default = ""
		}
		c.Type, c.Base = v.spelling(i, &c, c.Type), v.spelling(i, &c, c.Base)
		c.Enum = v.scrubAll(c.Enum)
		same := c.Comment == out[k].Comment && c.Default == out[k].Default && c.Type == out[k].Type && c.Base == out[k].Base &&
			slices.Equal(c.Enum, out[k].Enum)
		if s := c.Stats; s != nil && slices.ContainsFunc(s.Common, v.words.has) {
			stats := *s
			stats.Common = v.scrubAll(s.Common)
			c.Stats, same = &stats, false
		}
		if same {
			continue
		}
		if shared {
			out, shared = slices.Clone(out), false
		}
		out[k] = c
	}
	return out
}

// spelling is a type as it may be seen: one that a user made can be named after a
// table, and that of a struct spells out its fields.
func (v *structure) spelling(i int, c *model.Column, spelling string) string {
	if v.typesThatAreOwn[spelling] {
		spelling = v.words.scrub(spelling)
	}
	for p := range v.lost[i] {
		if strings.HasPrefix(p, path(c)+".") {
			spelling = v.own[i].scrub(spelling)
			break
		}
	}
	return spelling
}
