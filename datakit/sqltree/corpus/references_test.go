package corpus

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// A lexeme is a token, a value (text, number, parameter), or a byte of
// punctuation.
type lexeme struct {
	token
	kind byte // 'n' for a token, 'v' for a value, else the byte
}

func lexemes(d sqltree.Dialect, text string) []lexeme {
	var out []lexeme
	punctuation := func(from, to int) {
		for i := from; i < to; i++ {
			if text[i] > ' ' {
				out = append(out, lexeme{token{i, i + 1, ""}, text[i]})
			}
		}
	}
	last := 0
	for _, m := range lexerOf(d).FindAllStringSubmatchIndex(text, -1) {
		punctuation(last, m[0])
		last = m[1]
		t, named := tokenOf(text, m)
		switch {
		case named:
			out = append(out, lexeme{t, 'n'})
		case strings.HasPrefix(text[m[0]:], "--"), strings.HasPrefix(text[m[0]:], "/*"), text[m[0]] == '#':
		default:
			out = append(out, lexeme{token{m[0], m[1], text[m[0]:m[1]]}, 'v'})
		}
	}
	punctuation(last, len(text))
	return out
}

// clauses are the words that an expression or a relation follows: a name behind
// one of them is no alias.
var clauses = wordSet(`ADD AFTER AGGREGATE ALL ALTER ANALYZE AND ANTI ANY ARRAY ASOF BETWEEN BY CASE CHECK CLONE COLUMN COLUMNS COMMENT
	CROSS DELETE DESC DESCRIBE DISTINCT DROP ELSE EXCEPT EXCLUDE EXISTS EXPLAIN EXTEND FILL FILTER FOR FROM FULL GLOBAL GROUP HAVING IF ILIKE
	IN INNER INSERT INTERSECT INTO IS JOIN LATERAL LEFT LIKE LIMIT MERGE MODIFY NATURAL NOT OFFSET ON OPTIMIZE OR ORDER OUTER OVERWRITE
	PARTITION PREWHERE QUALIFY RECURSIVE REFERENCES RENAME REPLACE RETURNING RIGHT SELECT SEMI SET SETS SHOW SOME STRUCT TABLE TABLES
	TEMPORARY THEN TO TRUNCATE UNION UNPIVOT UPDATE USING VALUES VIEW WHEN WHERE WINDOW WITH XOR`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// reading is a statement as lexemes, with the names that it defines itself.
type reading struct {
	lex      []lexeme
	known    catalogNames
	defines  map[int]bool    // the lexemes that are definitions
	local    map[string]bool // aliases and common table expressions, folded
	elements map[string]bool // the aliases of elements of arrays: what follows their dot is a field
}

// references lists the offsets of the tokens that must be references to what the
// catalog has: their text is a table's or column's name, and the tokens around do
// not say that they are a definition, a field of a value or something else with a
// name. Neither a parser nor the resolver has a part in it.
func references(d sqltree.Dialect, text string, known catalogNames) map[int]bool {
	r := &reading{lexemes(d, text), known, map[int]bool{}, map[string]bool{}, map[string]bool{}}
	r.define()
	out := map[int]bool{}
	for i, l := range r.lex {
		name := strings.ToLower(l.name)
		if l.kind == 'n' && !r.defines[i] && (known.tables[name] || known.columns[name]) && r.refers(i) {
			out[l.start] = true
		}
	}
	return out
}

func (r *reading) at(i int) lexeme {
	if i < 0 || i >= len(r.lex) {
		return lexeme{}
	}
	return r.lex[i]
}

// word is the i-th lexeme in capitals if it is a bare word.
func (r *reading) word(i int) string {
	if l := r.at(i); l.kind == 'n' && l.end-l.start == len(l.name) {
		return strings.ToUpper(l.name)
	}
	return ""
}

// adjacent reports that nothing stands between a lexeme and the one before.
func (r *reading) adjacent(i int) bool { return i > 0 && r.at(i-1).end == r.at(i).start }

// define finds the definitions.
func (r *reading) define() {
	for i, l := range r.lex {
		if l.kind != 'n' {
			continue
		}
		if clauses[r.word(i)] && !r.known.has(l.name) || !r.isDefinition(i) {
			continue
		}
		r.defines[i] = true
		r.local[strings.ToLower(l.name)] = true
		before := i - 1
		if r.word(before) == "AS" {
			before--
		}
		if open := r.opening(before); r.word(open-1) == "UNNEST" {
			r.elements[strings.ToLower(l.name)] = true
		}
	}
	r.defineCreated()
}

// isDefinition reports whether a name stands where an alias, the name of a common
// table expression or one of its columns stands.
func (r *reading) isDefinition(i int) bool {
	before, after := r.at(i-1), r.at(i+1)
	switch {
	case r.word(i-1) == "AS":
		return true
	case r.word(i+1) == "AS" && r.at(i+2).kind == '(' && (r.word(i-1) == "WITH" || r.word(i-1) == "RECURSIVE" || before.kind == ','):
		return true
	case after.kind == '(' && (r.word(i-1) == "WITH" || r.word(i-1) == "RECURSIVE"):
		return true
	case r.inColumnList(i):
		return true
	case r.word(i-2) == "UNPIVOT" && before.kind == '(' && r.word(i+1) == "FOR":
		return true
	case before.kind == 'n':
		return !clauses[r.word(i-1)] || before.end-before.start != len(before.name)
	}
	return before.kind == ')' || before.kind == ']' || before.kind == 'v'
}

// inColumnList reports whether a name is in a list of new names: those of the
// columns of a common table expression, which precede AS (, or of an alias, which
// follow AS and a name; or the parameters of a lambda, which precede ->.
func (r *reading) inColumnList(i int) bool {
	open, end := i, i
	for ; r.at(open).kind == 'n' || r.at(open).kind == ','; open-- {
	}
	for ; r.at(end).kind == 'n' || r.at(end).kind == ','; end++ {
	}
	if r.at(open).kind != '(' || r.at(end).kind != ')' {
		return false
	}
	return r.at(open-1).kind == 'n' && (r.word(end+1) == "AS" && r.at(end+2).kind == '(' || r.word(open-2) == "AS") ||
		r.at(end+1).kind == '-' && r.at(end+2).kind == '>' && r.adjacent(end+2)
}

// opening is the index of the parenthesis that the one at i closes, or -1.
func (r *reading) opening(i int) int {
	if r.at(i).kind != ')' {
		return -1
	}
	for depth := 0; i >= 0; i-- {
		switch r.lex[i].kind {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// defineCreated marks what CREATE and ALTER make: everything in front of the
// query of CREATE but what is referred to, and the new names of ALTER.
func (r *reading) defineCreated() {
	switch r.word(0) {
	case "CREATE":
		for i := range r.lex {
			if r.word(i) == "AS" && (r.word(i+1) == "SELECT" || r.word(i+1) == "WITH" || r.at(i+1).kind == '(') {
				return
			}
			switch r.word(i - 1) {
			case "CLONE", "LIKE", "COPY":
			default:
				r.defines[i] = true
			}
		}
	case "ALTER":
		for i := range r.lex {
			switch {
			case r.word(i-1) == "TO", r.word(i-2) == "ADD" && r.word(i-1) == "COLUMN", r.word(i-1) == "ADD", r.word(i-1) == "EXISTS" && r.word(i-2) == "NOT":
				r.defines[i] = true
			}
		}
	}
}

// refers reports whether a name that is no definition refers to a table, a column
// or a schema.
func (r *reading) refers(i int) bool {
	if a, b := r.at(i+1), r.at(i+2); a.kind == '=' && b.kind == '>' && b.start == a.end {
		return false // a named argument
	}
	if r.at(i+1).kind == 'v' && strings.HasSuffix(r.at(i+1).name, "'") {
		return false // DATE '2024-01-01'
	}
	if r.word(i+1) == "FROM" && r.word(i-2) == "EXTRACT" {
		return false // EXTRACT(day FROM …)
	}
	root, last := i, i
	for r.at(root-1).kind == '.' && r.at(root-2).kind == 'n' {
		root -= 2
	}
	for r.at(last+1).kind == '.' && r.at(last+2).kind == 'n' {
		last += 2
	}
	switch {
	case r.at(root-1).kind == '.': // behind a closing bracket, or a number
		return false
	case r.at(root-1).kind == ':' && r.adjacent(root): // of a path, or a type behind ::
		return false
	case r.word(root-1) == "EXISTS" && r.word(root-2) == "IF", r.word(0) == "EXISTS", r.word(0) == "UNDROP": // nothing need have it
		return false
	case r.at(root-1).kind == '{', r.ofStage(root): // a parameter, a file
		return false
	case i == root && r.at(i+1).kind == '.' && r.known.schemas[strings.ToLower(r.at(i).name)] && !r.local[strings.ToLower(r.at(i).name)]:
		return false
	case r.at(last+1).kind == '(': // a function, or a table with its column list
		switch r.word(root - 1) {
		case "INTO", "INSERT", "OVERWRITE":
		default:
			return false
		}
	}
	return (i-root)/2 < r.depth(root)
}

// ofStage reports whether a name belongs to a place of files, such as @a/b/c.
func (r *reading) ofStage(i int) bool {
	for r.adjacent(i) {
		if i--; strings.HasPrefix(r.at(i).name, "@") || r.at(i).kind == '@' {
			return true
		}
	}
	return false
}

// depth is how many parts of a dotted name are not fields of a value.
func (r *reading) depth(root int) int {
	if r.at(root+1).kind != '.' {
		return 1
	}
	first := strings.ToLower(r.at(root).name)
	switch {
	case r.elements[first]:
		return 1
	case r.local[first]:
		return 2
	case r.known.schemas[first]:
		return 3
	case r.known.tables[first]:
		return 2
	}
	return 1
}

func TestReferences(t *testing.T) {
	known := catalogNames{
		schemas: map[string]bool{"web": true},
		tables:  map[string]bool{"hits": true, "users": true},
		columns: map[string]bool{"id": true, "page": true, "path": true, "day": true, "items": true, "sku": true},
	}
	for _, tc := range []struct {
		dialect    sqltree.Dialect
		text, want string // want has a mark before each reference
	}{
		{sqltree.BigQuery, "SELECT id AS page, h.page.path day FROM web.hits AS h", "SELECT ^id AS page, h.^page.path day FROM web.^hits AS h"},
		{sqltree.BigQuery, "SELECT page.path FROM web.hits", "SELECT ^page.path FROM web.^hits"},
		{sqltree.BigQuery, "SELECT i.sku FROM hits, UNNEST(items) AS i", "SELECT i.sku FROM ^hits, UNNEST(^items) AS i"},
		{sqltree.BigQuery, "SELECT day.f(id) FROM hits UNPIVOT (page FOR day IN (id))", "SELECT day.f(^id) FROM ^hits UNPIVOT (page FOR ^day IN (^id))"},
		{sqltree.BigQuery, "WITH users (id, day) AS (SELECT id, day FROM hits) SELECT day FROM users",
			"WITH users (id, day) AS (SELECT ^id, ^day FROM ^hits) SELECT ^day FROM ^users"},
		{sqltree.BigQuery, "SELECT items[0].sku, path(id), EXTRACT(day FROM page) FROM hits h", "SELECT ^items[0].sku, path(^id), EXTRACT(day FROM ^page) FROM ^hits h"},
		{sqltree.Snowflake, "SELECT page:path.id::day, f(path => id) FROM hits users", "SELECT ^page:path.id::day, f(path => ^id) FROM ^hits users"},
		{sqltree.Snowflake, "INSERT INTO hits (id, page) SELECT 1 day, 'id' -- page\n", "INSERT INTO ^hits (^id, ^page) SELECT 1 day, 'id' -- page\n"},
		{sqltree.Snowflake, "COPY INTO hits FROM @~/users/id (id)", "COPY INTO ^hits FROM @~/users/id (^id)"},
		{sqltree.Snowflake, "CREATE TABLE users (id INT, day DATE) ", "CREATE TABLE users (id INT, day DATE) "},
		{sqltree.ClickHouse, "CREATE TABLE users AS SELECT id FROM hits", "CREATE TABLE users AS SELECT ^id FROM ^hits"},
		{sqltree.ClickHouse, "SELECT arrayMap((id, day) -> 1, items) FROM hits", "SELECT arrayMap((id, day) -> 1, ^items) FROM ^hits"},
		{sqltree.ClickHouse, "DROP TABLE IF EXISTS hits", "DROP TABLE IF EXISTS hits"},
		{sqltree.ClickHouse, "DROP TABLE hits", "DROP TABLE ^hits"},
		{sqltree.ClickHouse, "ALTER TABLE hits RENAME COLUMN id TO day", "ALTER TABLE ^hits RENAME COLUMN ^id TO day"},
	} {
		found := references(tc.dialect, tc.text, known)
		var b strings.Builder
		for i := range len(tc.text) {
			if found[i] {
				b.WriteByte('^')
			}
			b.WriteByte(tc.text[i])
		}
		if got := b.String(); got != tc.want {
			t.Errorf("references(%s):\n got %s\nwant %s", tc.dialect, got, tc.want)
		}
	}
}
