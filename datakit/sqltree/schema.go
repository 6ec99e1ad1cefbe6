package sqltree

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Schema is a [Catalog] made of declarations. Build it with [NewSchema] and
// [Schema.Add]; after that it may be read concurrently.
type Schema struct {
	dialect Dialect
	path    []string // schemas that bare names are looked up in, in order
	current string   // of SET search_path in a script; empty: the first of path
	byKey   map[string]*Relation

	sorting sync.Mutex
	names   []string // of all relations, sorted; nil: to be made

	types     map[string]*declaredType
	functions map[string]*Relation
}

// declaredType is a type of the catalog that has parts.
type declaredType struct {
	columns []string // of a composite type
	of      *shape
}

// NewSchema returns an empty catalog. Bare names are looked up in the schemas of
// path, first to last; a relation declared without a schema belongs to the first.
// Without a path there are no schemas: qualifiers of names must match as declared.
func NewSchema(d Dialect, path ...string) *Schema {
	return &Schema{dialect: d, path: path, byKey: map[string]*Relation{}, types: map[string]*declaredType{}, functions: map[string]*Relation{}}
}

// Add declares the relations of a script in its order: tables, views, types,
// functions and sequences, and what ALTER and DROP do to them; SET search_path
// holds to the script's end. Columns of LIKE, INHERITS and PARTITION OF come first. What it
// cannot know (CREATE TABLE AS without a column list over an unknown relation)
// becomes a relation that is open.
func (s *Schema) Add(script *Script) {
	defer func() { s.current = "" }()
	for _, stmt := range script.Statements {
		switch st := stmt.(type) {
		case *CreateTable:
			s.addTable(st)
		case *CreateView:
			s.addView(st)
		case *CreateType:
			s.addType(st)
		case *CreateFunction:
			s.addFunction(st)
		case *Other:
			if st.Kind == "SET" {
				s.setPath(script.Text[st.Start:st.End])
			}
			if st.Name != nil && len(st.Relations) > 0 && strings.HasPrefix(st.Kind, "CREATE") && strings.HasSuffix(st.Kind, "STREAM") {
				r := s.declared(*st.Name)
				s.inherit(r, st.Relations[0])
				s.AddRelation(r)
			}
		case *CreateSequence:
			if s.dialect == Postgres {
				s.addSequence(st.Name)
			}
		case *AlterTable:
			s.alter(st)
		case *Drop:
			if isRelationKind(st.Kind) {
				for _, n := range st.Names {
					if r := s.Relation(s.dialect, n); r != nil {
						s.remove(r)
					}
				}
			}
		case *Query:
			if st.Into != nil {
				r := s.declared(*st.Into)
				s.takeOutput(r, Resolve(st, s.dialect, s))
				s.AddRelation(r)
			}
		}
	}
}

// takeOutput gives a relation the columns of a query.
func (s *Schema) takeOutput(r *Relation, res *Resolution) {
	for _, c := range res.Output {
		r.addColumn(c.Name)
	}
	r.Open = r.Open || res.Undecided != ""
}

// AddRelation declares one relation.
func (s *Schema) AddRelation(r *Relation) {
	key := s.keyOf(r)
	s.byKey[key] = r
	s.names = nil
}

func (s *Schema) keyOf(r *Relation) string {
	key := s.dialect.key(r.Name)
	if r.Schema != "" {
		key = s.dialect.key(r.Schema) + "." + key
	}
	return key
}

// Relation implements [Catalog].
func (s *Schema) Relation(d Dialect, n Name) *Relation { return find(s, s.byKey, d, n) }

// Function implements [FunctionCatalog].
func (s *Schema) Function(d Dialect, n Name) *Relation { return find(s, s.functions, d, n) }

// find looks a name up: with a schema exactly there, else along the search path.
func find[T any](s *Schema, in map[string]*T, d Dialect, n Name) *T {
	parts := make([]string, len(n.Parts))
	for i, p := range n.Parts {
		parts[i] = d.Fold(p)
	}
	if len(parts) > 2 { // a catalog's name before the schema's
		parts = parts[len(parts)-2:]
	}
	if r := in[strings.Join(parts, ".")]; r != nil || len(parts) > 1 {
		return r
	}
	if s.current != "" {
		if r := in[s.dialect.key(s.current)+"."+parts[0]]; r != nil {
			return r
		}
	}
	for _, schema := range s.path {
		if r := in[s.dialect.key(schema)+"."+parts[0]]; r != nil {
			return r
		}
	}
	return nil
}

// Names implements [Catalog]: all relations, sorted.
func (s *Schema) Names() []string {
	s.sorting.Lock()
	defer s.sorting.Unlock()
	if s.names == nil {
		s.names = make([]string, 0, len(s.byKey))
		for _, r := range s.byKey {
			if !r.Sequence {
				s.names = append(s.names, qualified(r))
			}
		}
		slices.Sort(s.names)
	}
	return s.names
}

func (s *Schema) declared(n Name) *Relation {
	r := &Relation{Name: s.dialect.shown(n.Last())}
	if len(n.Parts) > 1 {
		r.Schema = s.dialect.shown(n.Parts[len(n.Parts)-2])
	} else if s.current != "" {
		r.Schema = s.current
	} else if len(s.path) > 0 {
		r.Schema = s.path[0]
	}
	return r
}

func (s *Schema) addTable(t *CreateTable) {
	if t.IfNotExists && s.byKey[s.keyOf(s.declared(t.Name))] != nil {
		return
	}
	r := s.declared(t.Name)
	for _, from := range [][]Name{t.Inherits, t.Like} {
		for _, n := range from {
			s.inherit(r, n)
		}
	}
	if t.PartitionOf != nil {
		s.inherit(r, *t.PartitionOf)
	}
	for _, c := range t.Columns {
		name := s.dialect.shown(c.Name)
		r.addColumn(name)
		if sh := s.shapeOf(c.Type); sh != nil {
			if r.shapes == nil {
				r.shapes = map[string]*shape{}
			}
			r.shapes[name] = sh
		}
		if s.dialect == Postgres && c.ownsSequence() {
			s.AddRelation(&Relation{Schema: r.Schema, Name: r.Name + "_" + name + "_seq", Sequence: true, Columns: []string{"last_value", "log_cnt", "is_called"}})
		}
	}
	if s.dialect == SQLite && slices.ContainsFunc(t.Options, func(o Option) bool { return o.Key == "USING" && strings.HasPrefix(strings.ToLower(o.Value), "fts") }) {
		r.Hidden = []string{r.Name, "rank"}
	}
	if t.As != nil {
		s.takeOutput(r, Resolve(t, s.dialect, s))
	}
	s.AddRelation(r)
}

// addType declares a composite type, or one that stands for a struct.
func (s *Schema) addType(t *CreateType) {
	d := &declaredType{}
	switch {
	case t.Kind == "COMPOSITE":
		d.of = &shape{}
		for _, c := range t.Attributes {
			name := s.dialect.shown(c.Name)
			d.columns = append(d.columns, name)
			d.of.fields = append(d.of.fields, shapeField{name, s.shapeOf(c.Type)})
		}
	case len(t.Base.Name.Parts) > 0:
		d.of = s.shapeOf(t.Base)
	default:
		d.of = &shape{} // an enumeration, a range
	}
	n := t.Name
	s.types[s.keyOf(s.declared(n))] = d
}

// rowColumns are the columns of the composite type or table that a type name means,
// or nil.
func (s *Schema) rowColumns(t TypeName) []string {
	if s.dialect != Postgres || t.Array > 0 || len(t.Name.Parts) == 0 {
		return nil
	}
	if d := find(s, s.types, s.dialect, t.Name); d != nil {
		return d.columns
	}
	if r := find(s, s.byKey, s.dialect, t.Name); r != nil {
		return r.Columns
	}
	return nil
}

// addFunction declares the rows that a function returns. One of several functions
// of the same name is not known.
func (s *Schema) addFunction(f *CreateFunction) {
	r := s.declared(f.Name)
	key := s.keyOf(r)
	for _, p := range f.Params {
		if p.Name != nil && (p.Mode == "OUT" || p.Mode == "INOUT") {
			r.addColumn(s.dialect.shown(*p.Name))
		}
	}
	for _, c := range f.Table {
		r.addColumn(s.dialect.shown(c.Name))
	}
	switch {
	case len(r.Columns) > 0:
	case f.Returns != nil && len(f.Returns.Name.Parts) > 0:
		if columns := s.rowColumns(*f.Returns); columns != nil {
			r.Columns = columns
		} else if strings.EqualFold(f.Returns.Name.Last().Name, "record") {
			r.Open = true
		} else {
			r.Columns = []string{""}
		}
	case len(f.Statements) == 1:
		res := Resolve(f.Statements[0], s.dialect, s)
		for _, c := range res.Output {
			r.addColumn(c.Name)
		}
		r.Open = res.Undecided != ""
	default:
		return
	}
	if s.functions[key] != nil {
		r = &Relation{Schema: r.Schema, Name: r.Name, Open: true}
	}
	s.functions[key] = r
}

// addSequence declares a sequence as PostgreSQL shows it in FROM.
func (s *Schema) addSequence(n Name) {
	r := s.declared(n)
	r.Sequence = true
	r.Columns = []string{"last_value", "log_cnt", "is_called"}
	s.AddRelation(r)
}

func (s *Schema) inherit(r *Relation, n Name) {
	parent := s.Relation(s.dialect, n)
	if parent == nil {
		r.Open = true
		return
	}
	for _, c := range parent.Columns {
		r.addColumn(c)
	}
	r.Open = r.Open || parent.Open
}

// ownsSequence reports whether PostgreSQL makes a sequence for the column.
func (c *ColumnDef) ownsSequence() bool {
	if len(c.Type.Name.Parts) > 0 {
		switch strings.ToLower(c.Type.Name.Last().Name) {
		case "serial", "bigserial", "smallserial", "serial2", "serial4", "serial8":
			return true
		}
	}
	return slices.ContainsFunc(c.Constraints, func(k Constraint) bool { return k.Kind == Identity })
}

func (r *Relation) addColumn(name string) {
	if name == "" {
		return
	}
	if r.has == nil {
		r.has = make(map[string]bool, len(r.Columns)+1)
		for _, c := range r.Columns {
			r.has[c] = true
		}
	}
	if !r.has[name] {
		r.has[name] = true
		r.Columns = append(r.Columns, name)
	}
}

func (s *Schema) addView(v *CreateView) {
	r := s.declared(v.Name)
	if v.Query == nil {
		r.Open = true
	} else {
		r.View = &View{Columns: v.Columns, Query: v.Query, Dialect: s.dialect}
	}
	s.AddRelation(r)
}

// alter follows what ALTER does to a relation's name and columns.
func (s *Schema) alter(a *AlterTable) {
	old := s.Relation(s.dialect, a.Table)
	if old == nil || old.Sequence {
		return
	}
	r := *old
	r.Columns, r.has = slices.Clone(old.Columns), nil
	if r.View != nil && len(r.Columns) == 0 {
		// The columns of a view get names when one of them is renamed.
		res := Resolve(&CreateView{Query: r.View.Query, Columns: r.View.Columns}, s.dialect, s)
		for _, c := range res.Output {
			r.Columns = append(r.Columns, c.Name)
		}
	}
	same := func(c string, id Ident) bool { return s.dialect.key(c) == s.dialect.Fold(id) }
	for _, act := range a.Actions {
		switch {
		case act.Kind == "ADD COLUMN" && act.Column != nil:
			r.addColumn(s.dialect.shown(act.Column.Name))
			if sh := s.shapeOf(act.Column.Type); sh != nil {
				shapes := map[string]*shape{}
				for c, x := range r.shapes {
					shapes[c] = x
				}
				shapes[s.dialect.shown(act.Column.Name)] = sh
				r.shapes = shapes
			}
		case act.Kind == "DROP COLUMN" && act.Name != nil:
			r.Columns = slices.DeleteFunc(r.Columns, func(c string) bool { return same(c, *act.Name) })
			r.has = nil
		case (act.Kind == "RENAME COLUMN" || act.Kind == "CHANGE COLUMN") && act.Name != nil && act.NewName != nil:
			for i, c := range r.Columns {
				if same(c, *act.Name) {
					r.Columns[i] = s.dialect.shown(*act.NewName)
				}
			}
			r.has = nil
		case act.Kind == "RENAME" && act.NewName != nil:
			s.remove(old)
			r.Name = s.dialect.shown(*act.NewName)
		case act.Kind == "SET SCHEMA" && act.NewName != nil:
			s.remove(old)
			r.Schema = s.dialect.shown(*act.NewName)
		}
	}
	s.AddRelation(&r)
}

// remove forgets a relation.
func (s *Schema) remove(r *Relation) {
	delete(s.byKey, s.keyOf(r))
	s.names = nil
}

// searchPath is SET search_path, as dumps begin with it.
var searchPath = regexp.MustCompile(`(?i)^set\s+(?:session\s+|local\s+)?search_path\s*(?:=|\s+to\s)\s*('[^']*'|"[^"]*"|[\w$]+)`)

// setPath makes the first schema of SET search_path that of the declarations that
// follow.
func (s *Schema) setPath(text string) {
	m := searchPath.FindStringSubmatch(text)
	if m == nil || len(s.path) == 0 {
		return
	}
	switch name := strings.Trim(m[1], `'"`); {
	case name == "" || strings.EqualFold(name, "default"):
		s.current = ""
	case m[1][0] == '"':
		s.current = name
	default:
		s.current = strings.ToLower(name)
	}
}
