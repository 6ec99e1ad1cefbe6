package analyze

import (
	"path"
	"slices"
	"strings"
)

// python is Python with the DB-API, SQLAlchemy (and SQLModel), Django and Peewee.
var python = language{
	name: "python", family: "python", exts: []string{".py", ".pyi"}, lex: lexPython, rules: pythonRules,
	concat: []string{"+"}, adjacent: true, assign: []string{"=", "+=", ":", ":="},
}

func lexPython(src string) *scanner {
	s := newScanner(src)
	for s.i < len(src) {
		if s.blank() {
			continue
		}
		start := s.i
		switch c := src[s.i]; {
		case c == '#':
			s.lineComment()
		case c == '\\':
			// A line that is continued: what follows does not begin one.
			s.i++
			if s.at(0) == '\r' {
				s.i++
			}
			if s.at(0) == '\n' {
				s.i++
			}
		case c == '"' || c == '\'':
			parts := s.pythonString("")
			s.emit(str, start, parts)
		case letter(c):
			s.word("")
			prefix := strings.ToLower(src[start:s.i])
			if (s.at(0) == '"' || s.at(0) == '\'') && len(prefix) <= 2 && strings.Trim(prefix, "rbuft") == "" {
				parts := s.pythonString(prefix)
				s.emit(str, start, parts)
				break
			}
			s.emit(ident, start, nil)
		case digit(c):
			s.word(".")
			s.emit(other, start, nil)
		default:
			s.operator("**", "//", "->", ":=", "+=", "==", "!=", "<=", ">=")
		}
	}
	return s
}

// maxHole is the most bytes between the braces of an f-string.
const maxHole = 2000

// pythonString reads a string whose quote is at the cursor. One that its line does
// not close ends with the line.
func (s *scanner) pythonString(prefix string) []part {
	raw, format := strings.Contains(prefix, "r"), strings.ContainsAny(prefix, "ft")
	quote := s.src[s.i : s.i+1]
	if s.at(1) == quote[0] && s.at(2) == quote[0] {
		quote = s.src[s.i : s.i+3]
	}
	s.i += len(quote)
	var l literal
	for s.i < len(s.src) {
		c := s.src[s.i]
		switch {
		case s.has(quote):
			s.i += len(quote)
			return l.done()
		case c == '\n' && len(quote) == 1:
			return l.done()
		case c == '\\' && raw:
			l.text.WriteByte(c)
			s.i++
			if s.i < len(s.src) && s.src[s.i] != '\n' {
				l.text.WriteByte(s.src[s.i])
				s.i++
			}
		case c == '\\':
			s.escape(&l)
		case format && (s.has("{{") || s.has("}}")):
			l.text.WriteByte(c)
			s.i += 2
		case format && c == '{':
			before := s.i
			s.i++
			window := maxHole
			if n := strings.IndexByte(s.src[s.i:min(len(s.src), s.i+maxHole)], '\n'); n >= 0 && len(quote) == 1 {
				window = n
			}
			found := s.nested(`"'`, window, func() { s.pythonString("") })
			// A brace that nothing closes, or not on the line of a string of one line, is
			// text, and so are those behind it: looking for each one's end takes too long.
			if !found {
				s.i, format = before+1, false
				l.text.WriteByte(c)
				continue
			}
			l.hole()
		default:
			l.text.WriteByte(c)
			s.i++
		}
	}
	return l.done()
}

var (
	djangoMethods = operations{
		writers: []string{"create", "bulk_create", "update", "bulk_update", "delete", "acreate", "abulk_create", "aupdate", "abulk_update", "adelete"},
		both:    []string{"get_or_create", "update_or_create", "aget_or_create", "aupdate_or_create"},
	}
	saveMethods   = operations{writers: []string{"save", "delete", "asave", "adelete", "delete_instance"}}
	peeweeMethods = operations{
		readers: []string{"select", "get", "get_or_none", "get_by_id", "count", "exists"},
		writers: []string{"create", "insert", "insert_many", "insert_from", "update", "delete", "delete_by_id", "replace", "replace_many", "bulk_create", "bulk_update", "set_by_id"},
		both:    []string{"get_or_create"},
	}
	coreMethods = operations{readers: []string{"select", "count", "join", "alias"}, writers: []string{"insert", "update", "delete"}}
	// Functions and methods of SQLAlchemy whose arguments are models.
	alchemy = map[string][]string{
		"select": reads, "exists": reads, "query": reads, "select_from": reads, "join": reads, "outerjoin": reads, "aliased": reads,
		"insert": writes, "update": writes, "delete": writes, "pg_insert": writes, "bulk_insert_mappings": writes, "bulk_update_mappings": writes,
	}
	alchemySession = map[string][]string{"get": reads, "get_one": reads, "add": writes, "merge": writes, "add_all": writes, "bulk_save_objects": writes}
)

func pythonRules(f *file) {
	f.pythonClasses()
	f.pythonVars()
	f.chains(f.pythonChain)
}

// column is the place of a token in its line, which is what blocks are made of.
func (f *file) column(i int) int { return f.toks[i].start - f.lines[f.line(f.toks[i].start)-1] }

// pythonBlock is the token behind the block that the statement at i heads.
func (f *file) pythonBlock(i int) int {
	at := f.column(i)
	for j := i + 1; j < len(f.toks); j++ {
		if f.toks[j].first && f.encl[j] < 0 && f.column(j) <= at {
			return j
		}
	}
	return len(f.toks)
}

func (f *file) imports(module string) bool {
	for i := range f.toks {
		if (f.text(i) == "from" || f.text(i) == "import") && f.text(i+1) == module {
			return true
		}
	}
	return false
}

// pythonClasses finds the classes that stand for tables.
func (f *file) pythonClasses() {
	django, peewee, alchemist := f.imports("django"), f.imports("peewee"), f.imports("sqlalchemy")
	bases := map[string]bool{} // models of this file, which others may extend
	for i := range f.toks {
		if f.text(i) != "class" || !f.toks[i].first || f.encl[i] >= 0 || !f.is(i+1, ident) {
			continue
		}
		name, end := f.text(i+1), f.pythonBlock(i)
		isModel, mapped := false, false
		if f.text(i+2) == "(" && f.match[i+2] > 0 {
			for j := i + 3; j < f.match[i+2]; j++ {
				isModel = isModel || f.is(j, ident) && (f.text(j) == "Model" || bases[f.text(j)] || strings.HasSuffix(f.text(j), "BaseModel"))
				mapped = mapped || f.text(j) == "table" && f.text(j+1) == "=" && f.text(j+2) == "True"
			}
		}
		a := f.pythonAttributes(i+2, end)
		switch {
		case a.table != "":
			f.model("sqlalchemy", name, schemaTable(a.schema, a.table), true, i, end-1)
		case mapped:
			f.model("sqlalchemy", name, schemaTable(a.schema, strings.ToLower(name)), false, i, end-1)
		case !isModel:
		case a.abstract:
			bases[name] = true
		case django && a.metaTable != "":
			f.model("django", name, djangoTable(a.metaTable), true, i, end-1)
			bases[name] = true
		case django:
			app := a.app
			if app == "" {
				app = djangoApp(f.path)
			}
			f.model("django", name, []string{app + "_" + strings.ToLower(name)}, false, i, end-1)
			bases[name] = true
		case peewee && a.peeweeTable != "":
			f.model("peewee", name, schemaTable(a.metaSchema, a.peeweeTable), true, i, end-1)
		case peewee:
			f.model("peewee", name, []string{strings.ToLower(name)}, false, i, end-1)
			bases[name] = true
		}
	}
	// name = Table("t", metadata, …)
	for i := range f.toks {
		if f.text(i) != "Table" || f.text(i+1) != "(" || f.match[i+1] < 0 {
			continue
		}
		s := seg{name: "Table", tok: i, open: i + 1, close: f.match[i+1]}
		table, ok := f.strArg(s, 0)
		before := i - 1
		for dot(f.text(before)) {
			before -= 2
		}
		if !ok || f.text(before) != "=" || !f.is(before-1, ident) || len(f.args(s.open, s.close)) < 2 {
			continue
		}
		// Others have a Table too: this one has metadata or columns.
		if second := f.args(s.open, s.close)[1][0]; !alchemist && !strings.Contains(strings.ToLower(f.text(second)), "meta") && f.text(second) != "Column" {
			continue
		}
		schema, _ := f.keyed(s.open, s.close, "schema", "=")
		name := f.text(before - 1)
		if name == "__table__" {
			// Its class is the model.
			for j := before; j >= 0; j-- {
				if f.text(j) == "class" && f.toks[j].first && f.is(j+1, ident) {
					f.model("sqlalchemy", f.text(j+1), schemaTable(schema, table), true, j, f.pythonBlock(j)-1)
					break
				}
			}
			continue
		}
		f.model("core", name, schemaTable(schema, table), true, before-1, s.close)
	}
}

// attributes are what the body of a class says about its table.
type attributes struct {
	table, schema                      string // __tablename__, __table_args__
	metaTable, metaSchema, peeweeTable string // of class Meta
	app                                string
	abstract                           bool
}

func (f *file) pythonAttributes(from, to int) attributes {
	var a attributes
	meta := false
	for j := from; j < to; j++ {
		if f.text(j) == "class" && f.toks[j].first {
			if meta = f.text(j+1) == "Meta"; !meta {
				j = f.pythonBlock(j) - 1
			}
		}
		if !f.is(j, ident) || !f.toks[j].first {
			continue
		}
		name, eq := f.text(j), j+1
		for f.text(j+1) == ":" && eq < min(j+12, to) && f.text(eq) != "=" { // name: type = …
			eq++
		}
		if f.text(eq) != "=" {
			continue
		}
		v, ok := f.plain(eq + 1)
		switch {
		case name == "__tablename__" && ok:
			a.table = v
		case name == "__table_args__":
			if open := eq + 1; open < to && f.match[open] > 0 {
				a.schema, _ = f.dictValue(open, f.match[open], "schema")
			}
		case meta && name == "db_table" && ok:
			a.metaTable = v
		case meta && name == "table_name" && ok:
			a.peeweeTable = v
		case meta && name == "schema" && ok:
			a.metaSchema = v
		case meta && name == "app_label" && ok:
			a.app = v
		case meta && name == "abstract" || name == "__abstract__":
			a.abstract = f.text(eq+1) == "True"
		}
	}
	return a
}

// dictValue is the string that a quoted key has between brackets.
func (f *file) dictValue(open, close int, key string) (string, bool) {
	for j := open + 1; j+2 < close+1; j++ {
		if k, ok := f.plain(j); ok && k == key && f.text(j+1) == ":" {
			return f.plain(j + 2)
		}
	}
	return "", false
}

func schemaTable(schema, table string) []string {
	if schema != "" {
		return []string{schema, table}
	}
	return []string{table}
}

// djangoTable reads db_table, where schema"."table is a way to name a schema.
func djangoTable(t string) []string {
	return strings.Split(strings.Trim(strings.ReplaceAll(t, `"."`, "."), `"`), ".")
}

// djangoApp is the application that a file of models belongs to: its folder, or
// the one above a package of models.
func djangoApp(file string) string {
	dir := path.Dir(file)
	if path.Base(dir) == "models" {
		dir = path.Dir(dir)
	}
	return strings.ToLower(path.Base(dir))
}

// pythonVars notes which model a variable holds one of: v = X(…), v = X.objects….
func (f *file) pythonVars() {
	for i := range f.toks {
		if f.is(i, ident) && f.text(i+1) == "=" && f.is(i+2, ident) && !dot(f.text(i-1)) {
			c := f.chain(i + 2)
			if c[0].open >= 0 || len(c) > 1 && (c[1].name == "objects" || c[1].open >= 0) {
				f.bind(f.text(i), i, c[0].name)
			} else {
				f.bind(f.text(i), i, "")
			}
		}
	}
}

// argModel is the model that an argument is about: X, X.column, X(…), [X(…), …].
func (f *file) argModel(arg [2]int) string {
	j := arg[0]
	for f.text(j) == "[" {
		j++
	}
	if !f.is(j, ident) || f.text(j+1) == "=" {
		return ""
	}
	return f.text(j)
}

func (f *file) pythonChain(c []seg) {
	first := c[0]
	for n, s := range c {
		if s.open < 0 {
			continue
		}
		args := f.args(s.open, s.close)
		if ops := alchemy[s.name]; ops != nil {
			switch {
			case s.name == "select" || s.name == "query":
				// Columns, also inside functions: select(X.a, func.count(Y.b)).
				// Queries inside it have chains of their own.
				for j := s.open + 1; j < s.close; j++ {
					if f.text(j) == "(" && alchemy[f.text(j-1)] != nil && f.match[j] > 0 {
						j = f.match[j]
						continue
					}
					if f.is(j, ident) && !dot(f.text(j-1)) && f.text(j+1) != "=" {
						f.call(f.text(j), s.name, c[0].tok, s.end(), ops, "sqlalchemy", "core")
					}
				}
			case len(args) > 0:
				f.call(f.argModel(args[0]), s.name, c[0].tok, s.end(), ops, "sqlalchemy", "core")
			}
		}
		if ops := alchemySession[s.name]; n > 0 && ops != nil && len(args) > 0 {
			model := f.argModel(args[0])
			if b := f.bound(model, s.tok); b != "" {
				model = b
			}
			f.call(model, s.name, c[0].tok, s.end(), ops, "sqlalchemy")
		}
		if ops := saveMethods.of(s.name); ops != nil && n == 1 {
			model := first.name
			if first.open < 0 {
				model = f.bound(model, s.tok)
			}
			orm := "django"
			if s.name == "delete_instance" {
				orm = "peewee"
			}
			f.call(model, s.name, c[0].tok, s.end(), ops, orm)
			if s.name == "save" {
				f.call(model, s.name, c[0].tok, s.end(), ops, "peewee")
			}
		}
	}
	if len(c) < 2 {
		return
	}
	second := c[1]
	switch {
	case second.name == "objects" && len(c) > 2:
		method, ops, end := c[2].name, reads, c[2].end()
		for _, s := range c[2:] {
			if o := djangoMethods.of(s.name); o != nil && s.open >= 0 {
				method, ops, end = s.name, o, s.end()
			}
		}
		f.call(first.name, method, first.tok, end, ops, "django")
	case second.name == "query" && second.open < 0 && len(c) > 2: // Flask
		ops := reads
		if last := c[len(c)-1]; slices.Contains([]string{"delete", "update"}, last.name) {
			ops = writes
		}
		f.call(first.name, "query."+c[len(c)-1].name, first.tok, c[len(c)-1].end(), ops, "sqlalchemy")
	case second.open >= 0:
		if ops := peeweeMethods.of(second.name); ops != nil {
			f.call(first.name, second.name, first.tok, second.end(), ops, "peewee")
		}
		if ops := coreMethods.of(second.name); ops != nil {
			f.call(first.name, second.name, first.tok, second.end(), ops, "core")
		}
	}
}
