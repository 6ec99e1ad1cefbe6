package render

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/sqltree"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// word is a name in a text of SQL, which calls a function where a parenthesis follows.
type word struct {
	name   string
	quoted bool
	call   bool
	dot    bool // a part of a longer name comes before it
}

// words calls visit for the names in a text, outside of its strings and comments. It
// reads no grammar and takes any text.
func words(sql string, d dialect.Dialect, visit func(word)) { lexemes(sql, d, visit, func(string) {}) }

// lexemes is words with the contents of plain strings as well.
func lexemes(sql string, d dialect.Dialect, visit func(word), literal func(string)) {
	dot := false
	for i := 0; i < len(sql); {
		switch c := sql[i]; {
		case c == '\'':
			escapes := d.MySQLFamily() || i > 0 && (sql[i-1] == 'E' || sql[i-1] == 'e')
			end := quotedEnd(sql, i, escapes)
			literal(sql[i+1 : max(i+1, end-1)])
			i, dot = end, false
		case c == '-' && strings.HasPrefix(sql[i:], "--"):
			i += lineEnd(sql[i:])
		case c == '/' && strings.HasPrefix(sql[i:], "/*"):
			if end := strings.Index(sql[i+2:], "*/"); end >= 0 {
				i += end + 4
			} else {
				i = len(sql)
			}
		case c == '"' || c == '`' || c == '[' && (d == dialect.SQLite || d == dialect.SQLServer):
			end := quotedEnd(sql, i, false)
			shut := string(sql[end-1])
			name := strings.ReplaceAll(strings.TrimSuffix(sql[i+1:end], shut), shut+shut, shut)
			visit(word{name: name, quoted: true, call: called(sql[end:]), dot: dot})
			i, dot = end, false
		case c == '$' && d.PostgresFamily():
			if end := dollarEnd(sql, i); end > i {
				i = end
			} else {
				i++
			}
		default:
			r, size := utf8.DecodeRuneInString(sql[i:])
			if !wordRune(r) {
				dot = c == '.' || dot && c == ' '
				i += size
				continue
			}
			end := i
			for end < len(sql) && (wordRune(r) || r == '$') {
				end += size
				r, size = utf8.DecodeRuneInString(sql[end:])
			}
			if sql[i] < '0' || sql[i] > '9' {
				visit(word{name: sql[i:end], call: called(sql[end:]), dot: dot})
			}
			i, dot = end, false
		}
	}
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func lineEnd(s string) int {
	if end := strings.IndexByte(s, '\n'); end >= 0 {
		return end + 1
	}
	return len(s)
}

// quotedEnd returns the place behind a text in quotes that begins at i.
func quotedEnd(sql string, i int, backslash bool) int {
	shut := sql[i]
	if shut == '[' {
		shut = ']'
	}
	for i++; i < len(sql); i++ {
		switch {
		case backslash && sql[i] == '\\':
			i++
		case sql[i] != shut:
		case i+1 < len(sql) && sql[i+1] == shut:
			i++
		default:
			return i + 1
		}
	}
	return len(sql)
}

// dollarEnd returns the place behind a text in dollar quotes that begins at i, or i.
func dollarEnd(sql string, i int) int {
	n := strings.IndexByte(sql[i+1:], '$')
	if n < 0 || strings.ContainsFunc(sql[i+1:i+1+n], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return i
	}
	tag := sql[i : i+n+2]
	if end := strings.Index(sql[i+len(tag):], tag); end >= 0 {
		return i + end + 2*len(tag)
	}
	return len(sql)
}

func called(rest string) bool {
	return strings.HasPrefix(strings.TrimLeft(rest, " \t\n"), "(")
}

// columnsIn returns the columns of a table that an expression names, each once.
func columnsIn(expr string, t *schema.Table, d dialect.Dialect) []string {
	var found []string
	words(expr, d, func(w word) {
		if w.call {
			return
		}
		for _, c := range t.Columns {
			if (c.Name == w.name || !w.quoted && d.Key(c.Name) == d.Key(strings.ToLower(w.name))) && !slices.Contains(found, c.Name) {
				found = append(found, c.Name)
			}
		}
	})
	return found
}

// calls calls visit for each function that an expression calls by a name that is in
// among, folded as the dialect does.
func (j *job) calls(expr string, among map[string][]*node, visit func(*node)) {
	if len(among) == 0 || expr == "" {
		return
	}
	words(expr, j.d, func(w word) {
		if !w.call {
			return
		}
		for _, n := range among[j.fold(w.name, w.quoted)] {
			visit(n)
		}
	})
}

// fold returns the name that a name in a text means.
func (j *job) fold(name string, quoted bool) string {
	if sql, ok := j.d.SQL(); ok {
		return sql.Fold(sqltree.Ident{Name: name, Quoted: quoted})
	}
	return strings.ToLower(name)
}

// mentions are what a statement names.
type mentions struct {
	relations []schema.Name // as folded
	functions []call
	types     []schema.Name
	columns   []schema.Name // of a relation or value, whose name may be that of a function instead
	classes   []string      // relations named in a text: 'name'::regclass
}

// call is a call of a function, with the number of its arguments; -1 where it is only named.
type call struct {
	schema.Name
	args int
}

// takes reports whether a routine can be called so.
func (c call) takes(r *schema.Routine) bool {
	if c.args < 0 || r == nil {
		return true
	}
	least, most := 0, 0
	for _, p := range r.Params {
		switch strings.ToUpper(p.Mode) {
		case "OUT", "TABLE":
			continue
		case "VARIADIC":
			return c.args >= least
		}
		most++
		if p.Default == "" {
			least++
		}
	}
	return r.Aggregate || c.args >= least && c.args <= most
}

// mentionsOf parses a text; ok is false where it does not parse.
func (j *job) mentionsOf(sql string) (m mentions, ok bool) {
	d, known := j.d.SQL()
	if !known {
		return m, false
	}
	script, err := trees.Parse(d, sql)
	if err != nil {
		return m, false
	}
	empty := sqltree.NewSchema(d)
	for _, st := range script.Statements {
		m.add(st, d, empty)
		if f, ok := st.(*sqltree.CreateFunction); ok && strings.EqualFold(f.Language, "sql") && f.Body != "" {
			if body, ok := j.mentionsOf(f.Body); ok {
				m.relations = append(m.relations, body.relations...)
				m.functions = append(m.functions, body.functions...)
				m.types = append(m.types, body.types...)
				m.columns = append(m.columns, body.columns...)
				m.classes = append(m.classes, body.classes...)
			}
		}
	}
	return m, true
}

// add adds what a statement names.
func (m *mentions) add(st sqltree.Statement, d sqltree.Dialect, catalog sqltree.Catalog) {
	// The resolution knows which names are those of common table expressions.
	for _, use := range sqltree.Resolve(st, d, catalog).Tables {
		m.relations = append(m.relations, folded(use.Name, d))
	}
	sqltree.Walk(st, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Func:
			if len(n.Name.Parts) > 0 {
				m.functions = append(m.functions, call{folded(n.Name, d), len(n.Args)})
			}
		case *sqltree.Column:
			if len(n.Parts) == 2 {
				m.columns = append(m.columns, folded(sqltree.Name{Parts: n.Parts}, d))
			}
		case *sqltree.Cast:
			if text, ok := n.Arg.(*sqltree.Literal); ok && len(n.Type.Name.Parts) > 0 && strings.EqualFold(n.Type.Name.Last().Name, "regclass") {
				m.classes = append(m.classes, text.Value)
			}
		case *sqltree.TypeName:
			if len(n.Name.Parts) > 0 {
				m.types = append(m.types, folded(n.Name, d))
			}
		case *sqltree.CreateTrigger:
			if n.Function != nil {
				m.functions = append(m.functions, call{folded(*n.Function, d), -1})
			}
		}
		return true
	})
}

// named is the relation that a text names.
func (j *job) named(text string) schema.Name {
	var n schema.Name
	words(text, j.d, func(w word) { n = schema.Name{Schema: n.Name, Name: j.fold(w.name, w.quoted)} })
	return n
}

func folded(n sqltree.Name, d sqltree.Dialect) schema.Name {
	name := schema.Name{Name: d.Fold(n.Last())}
	if len(n.Parts) > 1 {
		name.Schema = d.Fold(n.Parts[len(n.Parts)-2])
	}
	return name
}
