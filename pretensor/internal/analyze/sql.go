package analyze

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// hole is the name that stands for a hole. It is one that no table has, and can
// stand wherever a value, a name or a part of either can.
const hole = "pretensor_hole"

// dialects are those of the catalog's names for them.
var dialects = map[string]sqltree.Dialect{
	"postgresql": sqltree.Postgres, "mysql": sqltree.MySQL, "mariadb": sqltree.MariaDB, "sqlite": sqltree.SQLite, "duckdb": sqltree.DuckDB,
	"snowflake": sqltree.Snowflake, "bigquery": sqltree.BigQuery, "clickhouse": sqltree.ClickHouse,
}

// order lists the dialects to try: the connection's, then the tolerant one, then
// those whose quotes or words differ.
func order(dialect string) []sqltree.Dialect {
	out := []sqltree.Dialect{sqltree.Generic}
	if d, ok := dialects[dialect]; ok {
		out = []sqltree.Dialect{d, sqltree.Generic}
	}
	for _, d := range []sqltree.Dialect{sqltree.MySQL, sqltree.SQLite, sqltree.Snowflake, sqltree.BigQuery, sqltree.ClickHouse, sqltree.DuckDB} {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// leading is what a candidate begins with, after blanks and comments, and the word
// that must follow somewhere: prose has the first more often than both.
var leading = map[string][]string{
	"SELECT": {"FROM"}, "WITH": {"AS"}, "INSERT": {"INTO", "OVERWRITE", "IGNORE"}, "UPDATE": {"SET"}, "DELETE": {"FROM"},
	"MERGE": {"USING"}, "REPLACE": {"INTO"}, "TRUNCATE": nil, "COPY": {"FROM", "TO"}, "CALL": nil,
	"CREATE": {"TABLE", "VIEW", "INDEX", "TRIGGER"}, "ALTER": {"TABLE", "VIEW"}, "DROP": {"TABLE", "VIEW"},
}

var start = regexp.MustCompile(`^(?:[\s(;]|--[^\n]*(?:\n|$)|/\*(?s:.*?)\*/)*([A-Za-z]+)\b`)

// candidate reports whether a text begins like SQL, and its first word as written.
func candidate(text string) (string, bool) {
	// Most strings are short or begin otherwise; the pattern is for the rest.
	t := strings.TrimLeft(text, " \t\r\n(;")
	if len(t) < 8 || !letter(t[0]) && t[0] != '-' && t[0] != '/' {
		return "", false
	}
	m := start.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	words, ok := leading[strings.ToUpper(m[1])]
	if !ok {
		return "", false
	}
	upper := strings.ToUpper(text)
	switch strings.ToUpper(m[1]) {
	case "CALL":
		return m[1], strings.Contains(text, "(")
	case "TRUNCATE":
		return m[1], true
	}
	return m[1], slices.ContainsFunc(words, func(w string) bool { return hasWord(upper, w) })
}

// hasWord reports whether a text has a word, not as a part of another.
func hasWord(text, word string) bool {
	for at := 0; ; {
		n := strings.Index(text[at:], word)
		if n < 0 {
			return false
		}
		n += at
		at = n + len(word)
		if (n == 0 || !letter(text[n-1]) && !digit(text[n-1])) && (at == len(text) || !letter(text[at]) && !digit(text[at])) {
			return true
		}
	}
}

// A query is a candidate and what its place says.
type query struct {
	parts   []part
	place   use
	kind    string
	symbol  string
	certain bool // it is passed to what executes it, or its variable says that it is SQL
	file    bool // it stands in a file of SQL
}

// literals finds the strings of a program that hold SQL.
func (f *file) literals() {
	for i := 0; i < len(f.toks); i++ {
		if f.toks[i].kind != str {
			continue
		}
		parts, last := f.concatenation(i)
		first := i
		i = last
		text := join(parts)
		word, ok := candidate(text)
		if !ok || mayOptOut(text) && optOut.MatchString(text) {
			continue
		}
		q := query{parts: parts, place: f.place(first, last), kind: KindLiteral}
		if !f.situate(&q, first, last) {
			continue
		}
		if !q.certain && sentence(word, text) {
			continue
		}
		f.query(q)
	}
}

// sentence reports whether a text that begins with a word of SQL may be prose:
// the word has one capital, or none and no sign of SQL follows.
func sentence(word, text string) bool {
	if word == strings.ToUpper(word) {
		return false
	}
	return word != strings.ToLower(word) || !strings.ContainsAny(text, "*,=(?$%`\"\n") && !strings.Contains(text, hole)
}

// join is the text of parts with holes as names.
func join(parts []part) string {
	if len(parts) == 1 && !parts[0].hole {
		return parts[0].text
	}
	var b strings.Builder
	for _, p := range parts {
		if p.hole {
			b.WriteString(hole)
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// concatenation reads the strings that are joined with the one at i, and the last
// token of the whole. What else is joined is a hole.
func (f *file) concatenation(i int) (parts []part, last int) {
	parts, last = slices.Clone(f.toks[i].parts), i
	for {
		j := last + 1
		switch {
		case f.lang.adjacent && f.is(j, str) && (!f.toks[j].first || f.encl[j] >= 0):
			parts = append(parts, f.toks[j].parts...)
			last = j
		case f.text(j) == "," && f.is(j+1, str) && f.listed(i):
			parts = append(append(parts, part{text: " "}), f.toks[j+1].parts...)
			last = j + 1
		case f.is(j, punct) && slices.Contains(f.lang.concat, f.toks[j].text) && j+1 < len(f.toks):
			if f.is(j+1, str) {
				parts = append(parts, f.toks[j+1].parts...)
				last = j + 1
				continue
			}
			end := f.operand(j + 1)
			if end < 0 {
				return f.formatted(parts, last)
			}
			parts = append(parts, part{hole: true})
			last = end
		default:
			return f.formatted(parts, last)
		}
	}
}

// listed reports whether a string is an element of a list that is joined at once:
// [a, b].join(" "), " ".join([a, b]), strings.Join([]string{a, b}, " ").
func (f *file) listed(i int) bool {
	open := f.encl[i]
	if open < 0 || f.match[open] < 0 {
		return false
	}
	switch f.text(open) {
	case "[":
		after := f.match[open] + 1
		return dot(f.text(after)) && f.text(after+1) == "join" || f.text(open-1) == "(" && f.text(open-2) == "join"
	case "{":
		return f.text(open-1) == "string" && f.text(open-4) == "(" && f.text(open-5) == "Join"
	}
	return false
}

// operand is the last token of the expression that begins at i: a chain, a number,
// or parentheses. It is -1 for anything else.
func (f *file) operand(i int) int {
	switch {
	case f.is(i, ident):
		j := i
		for {
			switch t := f.text(j + 1); {
			case (t == "(" || t == "[") && f.match[j+1] > 0 && !f.toks[j+1].first:
				j = f.match[j+1]
			case dot(t) && f.is(j+2, ident):
				j += 2
			default:
				return j
			}
		}
	case f.is(i, other):
		return i
	case f.text(i) == "(" && f.match[i] > 0:
		return f.match[i]
	}
	return -1
}

var (
	braces  = regexp.MustCompile(`\{[^{}\n]*\}`)
	printfs = regexp.MustCompile(`%[-+# 0]*(?:\[\d+\])?\d*(?:\.\d+)?[sdvqtfgxi]`)
)

// formatted turns what a formatting call or operator fills into holes.
func (f *file) formatted(parts []part, last int) ([]part, int) {
	first := last
	switch {
	case dot(f.text(last+1)) && f.text(last+2) == "format" && f.text(last+3) == "(":
		return split(parts, braces), last
	case f.lang == &python && f.text(last+1) == "%":
		return split(parts, printfs), last
	}
	// An argument of Sprintf and the like.
	if open := f.encl[first]; open > 0 && f.text(open) == "(" && strings.HasSuffix(f.text(open-1), "printf") {
		return split(parts, printfs), last
	}
	return parts, last
}

func split(parts []part, at *regexp.Regexp) []part {
	var out []part
	for _, p := range parts {
		from := 0
		for _, m := range at.FindAllStringIndex(p.text, -1) {
			out = append(out, part{text: p.text[from:m[0]]}, part{hole: true})
			from = m[1]
		}
		if p.hole || from < len(p.text) {
			out = append(out, part{p.text[from:], p.hole})
		}
	}
	return out
}

// executes are calls that SQL is passed to, folded; wrappers pass it on, and
// messages are for people.
var (
	executes = set("execute executemany executescript exec execcontext query querycontext queryrow queryrowcontext queryx queryrowx queryxcontext queryrowxcontext " +
		"get getcontext select selectcontext namedexec namedexeccontext namedquery namedquerycontext mustexec mustexeccontext prepare preparecontext preparex preparexcontext preparenamed raw newraw " +
		"fetch fetchrow fetchval fetchall fetchone read_sql read_sql_query sql run all each $queryraw $executeraw $queryrawunsafe $executerawunsafe queue unsafe any one many none oneornone " +
		"scalar scalars stream copy_expert copy copyfrom createquerystream preparebatch callproc values iterate execute_sql mogrify batch")
	wrappers = set("text sprintf rebind dedent strip trim cleandoc format literal str string rebindcontext in join replace bind escape")
	messages = set("print println printf fprintf log info warn warning error debug trace fatal fatalf errorf logf fail panic exception assert critical exit echo write_line tprintf notice help describe it test")
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// situate says what the expression from first to last is used for; false for what
// is no SQL by its place.
func (f *file) situate(q *query, first, last int) bool {
	holes := slices.ContainsFunc(q.parts, func(p part) bool { return p.hole })
	before := first - 1
	// A tagged template.
	if f.is(before, ident) && f.toks[before].end == f.toks[first].start || f.text(before) == ">" && f.toks[before].end == f.toks[first].start {
		name := f.callee(first)
		q.symbol, q.kind, q.certain = name, KindCall, executes[strings.ToLower(name)]
		if !q.certain && name != "" && !wrappers[strings.ToLower(name)] {
			q.kind = KindLiteral
		}
	} else {
		// Parentheses around the value, and calls that pass it on.
		for f.text(before) == "(" {
			name := f.callee(before)
			if name != "" && !wrappers[strings.ToLower(name)] {
				break
			}
			if executes[strings.ToLower(name)] {
				break
			}
			inner := before
			if name != "" {
				if name == "text" || name == "sql" {
					q.certain, q.symbol, q.kind = true, name, KindCall
				}
				for inner--; dot(f.text(inner-1)) && f.is(inner-2, ident); {
					inner -= 2
				}
			}
			before = inner - 1
		}
		switch {
		case f.text(before) == "(" || f.text(before) == ",":
			open := before
			if f.text(before) == "," {
				open = f.encl[before]
			}
			if name := f.callee(open); f.text(open) == "(" && name != "" {
				folded := strings.ToLower(name)
				receiver := ""
				if dot(f.text(open - 2)) {
					receiver = strings.ToLower(f.text(open - 3))
				}
				if messages[folded] || strings.HasSuffix(folded, "error") || strings.HasSuffix(folded, "exception") ||
					receiver == "console" || receiver == "errors" || receiver == "logging" || strings.HasSuffix(receiver, "log") || strings.HasSuffix(receiver, "logger") {
					return false
				}
				q.symbol = name
				if executes[folded] {
					q.kind, q.certain = KindCall, true
				}
			}
		case slices.Contains(f.lang.assign, f.text(before)):
			name := f.assigned(before)
			q.symbol = name
			if sqlNamed(name) {
				q.kind, q.certain = KindAssignment, true
			}
		case f.lang == &python && f.toks[first].first && f.encl[first] < 0 && (last+1 == len(f.toks) || f.toks[last+1].first):
			return false // a docstring
		}
	}
	if holes {
		q.kind = KindFString
	}
	return true
}

// callee is the name before a parenthesis or template, with type arguments between.
func (f *file) callee(open int) string {
	i := open - 1
	if f.text(i) == ">" {
		depth := 0
		for ; i > open-40 && i >= 0; i-- {
			if f.text(i) == ">" {
				depth++
			} else if f.text(i) == "<" {
				if depth--; depth == 0 {
					i--
					break
				}
			}
		}
	}
	if !f.is(i, ident) || open > 0 && f.toks[open-1].end < f.toks[open].start && f.lang != &golang && keyword(f.toks[i].text) {
		return ""
	}
	return f.toks[i].text
}

// keyword reports whether a name before a parenthesis is none of a call.
func keyword(w string) bool {
	switch w {
	case "return", "in", "if", "while", "for", "and", "or", "not", "await", "yield", "typeof", "case", "else", "raise", "throw", "switch", "print":
		return true
	}
	return false
}

// assigned is the name before an assignment mark, a type between them left out.
func (f *file) assigned(mark int) string {
	i := mark - 1
	if f.is(i, str) { // a quoted key
		s, _ := f.plain(i)
		return s
	}
	for j := i; j > i-8 && j >= 0; j-- {
		if f.text(j) == ":" && f.is(j-1, ident) && f.text(mark) == "=" {
			return f.toks[j-1].text
		}
		if f.toks[j].first {
			break
		}
	}
	// const query string = of Go has its type behind the name.
	if f.text(i) == "string" && f.is(i-1, ident) {
		i--
	}
	if f.is(i, ident) {
		return f.toks[i].text
	}
	return ""
}

// sqlNamed reports whether a variable's name says that it holds SQL.
func sqlNamed(name string) bool {
	w := names.Tokens(name)
	is := func(s string) bool { return s == "sql" || s == "query" || s == "stmt" || s == "statement" }
	return len(w) > 0 && (is(w[0]) || is(w[len(w)-1]))
}

// query parses a candidate and notes its tables.
func (f *file) query(q query) {
	f.candidates++
	text := strings.ToValidUTF8(join(q.parts), "?")
	q.place.fingerprint = fingerprint(text)
	script, d, ok := f.parse(text)
	if !ok {
		f.keywords(q, text)
		return
	}
	f.parsed++
	q.place.dialect = string(d)
	for _, st := range script.Statements {
		f.statement(q, text, st, d)
	}
}

// parse tries the dialects in turn, and again without the holes that stand where
// no name can (ORDER BY {column} {direction}).
func (f *file) parse(text string) (*sqltree.Script, sqltree.Dialect, bool) {
	for range 5 {
		at := -1
		for _, d := range order(f.c.Dialect) {
			s, err := parse.Parse(d, text)
			if err == nil {
				return s, d, len(s.Statements) > 0
			}
			var refused *sqltree.SyntaxError
			if errors.As(err, &refused) && strings.HasPrefix(text[min(refused.Start, len(text)):], hole) {
				at = refused.Start
			}
		}
		if at < 0 {
			break
		}
		text = text[:at] + strings.Repeat(" ", len(hole)) + text[at+len(hole):]
	}
	return nil, "", false
}

// nothing is a catalog without tables: all that a statement names stays as it is
// written.
type nothing struct{}

func (nothing) Relation(sqltree.Dialect, sqltree.Name) *sqltree.Relation { return nil }
func (nothing) Names() []string                                          { return nil }

// ddl says what a statement is: DDL, or nothing that uses rows.
func ddl(st sqltree.Statement) (migration, uses bool) {
	switch st := st.(type) {
	case *sqltree.CreateTable:
		return st.As == nil, true
	case *sqltree.CreateView, *sqltree.CreateIndex, *sqltree.CreateTrigger, *sqltree.CreateFunction:
		return true, true
	case *sqltree.AlterTable:
		return true, strings.Contains(st.Kind, "TABLE") || strings.Contains(st.Kind, "VIEW")
	case *sqltree.Drop:
		return true, strings.Contains(st.Kind, "TABLE") || strings.Contains(st.Kind, "VIEW")
	case *sqltree.Comment, *sqltree.CreateType, *sqltree.CreateSequence:
		return true, false
	case *sqltree.Other:
		return false, st.Writes || st.Inner != nil || strings.HasPrefix(st.Kind, "COPY")
	}
	return false, true
}

// statement notes the tables of a parsed statement.
func (f *file) statement(q query, text string, st sqltree.Statement, d sqltree.Dialect) {
	migration, uses := ddl(st)
	if !uses {
		return
	}
	firstHole := strings.Index(text, hole)
	tables := 0
	for _, t := range sqltree.Resolve(st, d, nothing{}).Tables {
		if t.Mentioned || t.Through != "" || len(t.Name.Parts) == 0 || migration && !t.Written && !isView(st) {
			continue
		}
		u := q.place
		u.kind, u.symbol, u.op = q.kind, q.symbol, Read
		if t.Written {
			u.op = Write
		}
		for _, p := range t.Name.Parts {
			u.name = append(u.name, p.Name)
		}
		last := u.name[len(u.name)-1]
		if unknown(last) {
			continue
		}
		switch {
		case q.file && len(u.name) > 1:
			u.confidence = 0.95
		case q.file || q.certain:
			u.confidence = 0.90
		default:
			u.confidence = 0.85
		}
		if firstHole >= 0 && firstHole < t.Start {
			u.confidence = 0.50
		}
		if slices.ContainsFunc(u.name, unknown) {
			u.confidence = 0.45
			u.name = []string{last}
		}
		if migration {
			u.kind, u.confidence = KindMigration, min(u.confidence, 0.60)
		}
		tables++
		f.uses = append(f.uses, u)
	}
	if tables > 1 && !migration {
		f.joined(q, st, d)
	}
}

func isView(st sqltree.Statement) bool {
	_, ok := st.(*sqltree.CreateView)
	return ok
}

// unknown reports whether a part of a name is, or has, a hole or placeholder.
func unknown(name string) bool {
	return strings.Contains(strings.ToLower(name), hole) || strings.ContainsAny(name, "{}%")
}

// joined notes the equalities between columns of two tables of the catalog.
func (f *file) joined(q query, st sqltree.Statement, d sqltree.Dialect) {
	for _, j := range sqltree.Resolve(st, d, f.c.SQL()).Joins {
		if j.Correlated {
			continue
		}
		left, errLeft := lookup(f.c, j.Left.Schema, j.Left.Table)
		right, errRight := lookup(f.c, j.Right.Schema, j.Right.Table)
		if errLeft != nil || errRight != nil || left == right {
			continue
		}
		found := Join{Left: left, Right: right, LeftColumn: j.Left.Column, RightColumn: j.Right.Column}
		if left > right {
			found = Join{Left: right, Right: left, LeftColumn: j.Right.Column, RightColumn: j.Left.Column}
		}
		f.joins = append(f.joins, joinAt{found, q.place.lineStart})
	}
}

// keywords finds the tables of a text that no dialect parses by the words before
// them, if it looks like SQL. A name that the catalog does not have is none.
func (f *file) keywords(q query, text string) {
	if !q.certain && !strings.ContainsAny(text, "*=(?") && !strings.Contains(text, hole) {
		return
	}
	toks := lexSQL(text).toks
	ctes := map[string]bool{}
	for i := range toks {
		if i+2 < len(toks) && toks[i].kind == ident && strings.EqualFold(toks[i+1].text, "AS") && toks[i+2].text == "(" {
			ctes[strings.ToLower(toks[i].text)] = true
		}
	}
	first := ""
	firstHole := strings.Index(text, hole)
	for i := 0; i < len(toks); i++ {
		word := strings.ToUpper(toks[i].text)
		if first == "" {
			first = word
		}
		op := ""
		switch {
		case toks[i].kind != ident:
		case word == "INTO" || word == "UPDATE" && i == 0 || word == "FROM" && first == "DELETE" && i == 1:
			op = Write
		case word == "FROM" || word == "JOIN" || word == "USING" && first == "MERGE":
			op = Read
		}
		if op == "" {
			continue
		}
		at := i + 1
		name := sqlName(toks, &i)
		if len(name) == 0 || ctes[strings.ToLower(name[0])] || unknown(name[len(name)-1]) {
			continue
		}
		u := q.place
		u.name, u.op, u.kind, u.symbol, u.confidence, u.keywordOnly, u.derived = name, op, q.kind, q.symbol, 0.70, true, true
		if firstHole >= 0 && firstHole < toks[at].start {
			u.confidence = 0.50
		}
		f.uses = append(f.uses, u)
	}
}

// sqlName reads the name behind the token *i and moves it there.
func sqlName(toks []token, i *int) []string {
	var name []string
	for j := *i + 1; j < len(toks); j += 2 {
		switch {
		case toks[j].kind == ident:
			name = append(name, toks[j].text)
		case toks[j].kind == str && len(toks[j].parts) == 1:
			name = append(name, toks[j].parts[0].text)
		default:
			return name
		}
		*i = j
		if j+1 >= len(toks) || toks[j+1].text != "." {
			break
		}
	}
	return name
}
