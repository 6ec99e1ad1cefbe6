package sqlsrc

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// reader executes scripts of the dialects whose declarations are read here, token by
// token: it keeps the author's text of everything that the model has as text. It knows
// what they have in common; the interpreters embed it.
type reader struct {
	*model
	lexicon  lexicon
	reserved map[string]bool // words that are no names, in upper case

	// current is the schema of names without one: that of USE.
	current string

	// The piece at hand, and its statement, behind which an endToken stands.
	piece piece
	text  string // the piece's, as the database sees it
	lines []int  // where lines begin
	toks  []token
	i     int
}

func newReader(d dialect.Dialect, rep *finding.Report, lx lexicon, reserved string) reader {
	r := reader{model: newModel(d, rep), lexicon: lx, reserved: map[string]bool{}}
	for _, w := range strings.Fields(reserved) {
		r.reserved[strings.ToUpper(w)] = true
	}
	return r
}

func (r *reader) database() *schema.Database { return r.db }

// failure ends the execution of a statement; it is thrown.
type failure struct {
	rule    finding.Rule
	at      int
	object  string
	message string
}

// execute runs the statements of a piece. length says how many of the tokens that are
// left make up the first statement of them, without a separator that ends it; it is 0
// before a separator only.
func (r *reader) execute(ctx context.Context, p piece, text string, length func([]token) int, statement func()) {
	r.piece, r.text, r.lines = p, text, []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		r.report(failure{rule: "SRC001", message: "the text is not valid UTF-8 or has a NUL character"})
		return
	}
	toks, lexErr := scan(r.lexicon, text)
	for len(toks) > 0 && ctx.Err() == nil {
		n := length(toks)
		last := n == len(toks)
		end := len(text)
		if !last {
			end = toks[n].start
		} else if lexErr != nil {
			end = lexErr.at
		}
		if n > 0 && !(last && lexErr != nil) {
			r.toks = append(toks[:n:n], token{endToken, end, end})
			r.i = 0
			r.try(statement)
		}
		if toks = toks[n:]; len(toks) > 0 && toks[0].kind >= separatorToken {
			toks = toks[1:]
		}
	}
	if lexErr != nil {
		r.report(failure{rule: "SRC002", at: lexErr.at, message: "syntax error: " + lexErr.message})
	}
}

// semicolons is the length of a statement that the next separator ends.
func semicolons(toks []token) int {
	for i, t := range toks {
		if t.kind >= separatorToken {
			return i
		}
	}
	return len(toks)
}

// try runs what reads a statement to its end, and reports its failure.
func (r *reader) try(statement func()) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case failure:
			r.report(f)
		default:
			panic(f)
		}
	}()
	statement()
	if !r.atEnd() {
		r.beyond()
		r.unexpected("the end of the statement")
	}
}

// kindOf is the kind of a problem that breaks a rule.
func kindOf(rule finding.Rule) finding.Kind {
	switch {
	case strings.HasPrefix(string(rule), "SRC"):
		return finding.Source
	case strings.HasPrefix(string(rule), "IDX"):
		return finding.Index
	}
	return finding.Schema
}

func (r *reader) report(f failure) {
	r.db.Partial = true
	r.rep.Problem(finding.Problem{
		Kind: kindOf(f.rule), Rule: f.rule, Object: f.object, Path: r.piece.shown, Line: r.line(f.at), Message: f.message,
	})
}

func (r *reader) line(at int) int {
	return r.piece.line - 1 + sort.SearchInts(r.lines, at+1)
}

func (r *reader) origin(at int) schema.Origin {
	return schema.Origin{Language: schema.SQL, Path: r.piece.shown, Line: r.line(at)}
}

func (r *reader) here() schema.Origin { return r.origin(r.tok().start) }

// ---- failures and warnings

func (r *reader) failAt(at int, rule finding.Rule, object, format string, args ...any) {
	panic(failure{rule, at, object, fmt.Sprintf(format, args...)})
}

func (r *reader) fail(rule finding.Rule, object, format string, args ...any) {
	r.failAt(r.tok().start, rule, object, format, args...)
}

func (r *reader) unexpected(want string) {
	found := "the end of the statement"
	if t := r.tok(); t.kind != endToken {
		found = quoted(r.textOf(t))
	}
	r.fail("SRC002", "", "syntax error: %s is expected, not %s", want, found)
}

// refuse ends a statement that cannot be kept. what names its kind or the part of it.
func (r *reader) refuse(what, advice string) {
	if advice != "" {
		advice = "; " + advice
	}
	r.failAt(r.toks[0].start, "SRC005", "", "%s is not supported as a declaration in %s%s", what, r.d, advice)
}

// beyond refuses a clause of a dialect that is read in part: it may well be right.
func (r *reader) beyond() {
	if r.d.Tier() > 1 && r.tok().kind == wordToken {
		r.fail("SRC005", "", "%s of %s is not supported as a declaration in %s", strings.ToUpper(plain.Line(r.textOf(r.tok()), maxShown)), r.leading(), r.d)
	}
}

// skip passes over a statement that declares nothing.
func (r *reader) skip(what string) {
	r.rep.Warn(finding.SkippedDeclaration, "schema file %s:%d: %s is skipped", r.piece.shown, r.line(r.toks[0].start), what)
	r.i = len(r.toks) - 1
}

// dropPart warns of a part that is left out of a declaration.
func (r *reader) dropPart(what string) {
	r.rep.Warn(finding.SkippedDeclaration, "schema file %s:%d: %s is skipped", r.piece.shown, r.line(r.tok().start), what)
}

// leading returns the words that say which statement it is: CREATE USER, LOCK.
func (r *reader) leading() string {
	var words []string
	for i := 0; i < len(r.toks) && r.toks[i].kind == wordToken && len(words) < 2; i++ {
		w := strings.ToUpper(r.textOf(r.toks[i]))
		switch w {
		case "OR", "REPLACE", "IF", "NOT", "EXISTS":
			if i > 0 {
				continue
			}
		}
		words = append(words, w)
		if len(words) == 1 && w != "CREATE" && w != "ALTER" && w != "DROP" {
			break
		}
	}
	if len(words) == 0 {
		return "the statement at " + quoted(r.textOf(r.toks[0]))
	}
	return strings.Join(words, " ")
}

// ---- tokens

func (r *reader) tok() token            { return r.toks[r.i] }
func (r *reader) atEnd() bool           { return r.toks[r.i].kind == endToken }
func (r *reader) textOf(t token) string { return r.text[t.start:t.end] }

// ahead returns the token n places further on, the end if there is none.
func (r *reader) ahead(n int) token { return r.toks[min(r.i+n, len(r.toks)-1)] }

func (r *reader) tokenIs(t token, word string) bool {
	return (t.kind == wordToken || t.kind == symbolToken) && t.end-t.start == len(word) && strings.EqualFold(r.text[t.start:t.end], word)
}

// isOneOf reports whether a token is one of the words or symbols.
func (r *reader) isOneOf(t token, words ...string) bool {
	for _, w := range words {
		if r.tokenIs(t, w) {
			return true
		}
	}
	return false
}

// is reports whether the words or symbols stand at the cursor.
func (r *reader) is(words ...string) bool {
	for n, w := range words {
		if !r.tokenIs(r.ahead(n), w) {
			return false
		}
	}
	return true
}

// isAny reports whether one of the words stands at the cursor.
func (r *reader) isAny(words ...string) bool {
	return r.isOneOf(r.tok(), words...)
}

func (r *reader) accept(words ...string) bool {
	if !r.is(words...) {
		return false
	}
	r.i += len(words)
	return true
}

// acceptAny passes over one of the words and returns it as it is given.
func (r *reader) acceptAny(words ...string) string {
	for _, w := range words {
		if r.accept(w) {
			return w
		}
	}
	return ""
}

func (r *reader) expect(words ...string) {
	for _, w := range words {
		if !r.accept(w) {
			r.unexpected(fmt.Sprintf("%q", w))
		}
	}
}

// expectAny is acceptAny where one of the words has to stand.
func (r *reader) expectAny(words ...string) string {
	w := r.acceptAny(words...)
	if w == "" {
		r.unexpected(strings.Join(words, " or "))
	}
	return w
}

// next passes over any token but the end.
func (r *reader) next(want string) token {
	if r.atEnd() {
		r.unexpected(want)
	}
	r.i++
	return r.toks[r.i-1]
}

// since returns the text from the start of token i to the last one read.
func (r *reader) since(i int) string {
	if i >= r.i {
		return ""
	}
	return r.text[r.toks[i].start:r.toks[r.i-1].end]
}

// rest returns the text of the rest of the statement and passes over it.
func (r *reader) rest() string {
	i := r.i
	r.i = len(r.toks) - 1
	return r.since(i)
}

// group passes over parentheses and what they enclose, and returns that.
func (r *reader) group() string {
	open := r.i
	if !r.is("(") {
		r.unexpected(`"("`)
	}
	depth := 0
	for ; ; r.i++ {
		switch {
		case r.is("("):
			depth++
		case r.is(")"):
			if depth--; depth == 0 {
				r.i++
				return strings.TrimSpace(r.text[r.toks[open].end:r.toks[r.i-1].start])
			}
		case r.atEnd():
			r.i = open
			r.fail("SRC002", "", "syntax error: a parenthesis does not close")
		}
	}
}

// skipTo passes over tokens up to one of the words or symbols outside of parentheses
// and brackets, or to the end, and returns their text.
func (r *reader) skipTo(words ...string) string {
	from, depth := r.i, 0
	for !r.atEnd() && (depth > 0 || !r.isAny(words...)) {
		switch {
		case r.is("("):
			r.group()
		case r.is(")"):
			return r.since(from)
		case r.isAny("[", "{"):
			depth++
			r.i++
		case r.isAny("]", "}"):
			depth--
			r.i++
		default:
			r.i++
		}
	}
	return r.since(from)
}

// ---- names, texts and numbers

// isName reports whether a name can stand at the cursor.
func (r *reader) isName() bool {
	switch t := r.tok(); t.kind {
	case nameToken:
		return true
	case wordToken:
		return !r.reserved[strings.ToUpper(r.textOf(t))]
	case textToken: // SQLite takes a text for a name
		return r.d == dialect.SQLite
	}
	return false
}

// name reads a name; what says of what.
func (r *reader) name(what string) string {
	if !r.isName() {
		r.unexpected("the name of " + what)
	}
	return r.anyName(what)
}

// anyName reads a name that may be a reserved word: behind a dot.
func (r *reader) anyName(what string) string {
	t := r.tok()
	name := ""
	switch t.kind {
	case wordToken:
		name = r.textOf(t)
		if r.d == dialect.Oracle {
			name = strings.ToUpper(name)
		}
	case nameToken, textToken:
		name = r.unquoted(t)
	default:
		r.unexpected("the name of " + what)
	}
	r.i++
	if name == "" {
		r.failAt(t.start, "SRC002", "", "the name of %s is empty", what)
	}
	return name
}

// qualified reads a name with an optional schema in front.
func (r *reader) qualified(what string) schema.Name {
	n := schema.Name{Schema: r.current, Name: r.name(what)}
	if r.accept(".") {
		n = schema.Name{Schema: n.Name, Name: r.anyName(what)}
		if r.d == dialect.SQLite && strings.EqualFold(n.Schema, r.d.DefaultSchema()) {
			n.Schema = "" // it goes without saying
		}
	}
	if r.is(".") {
		r.fail("SRC005", "", "the name of %s has more parts than a schema and a name", what)
	}
	return n
}

// names reads a list of names in parentheses.
func (r *reader) names(what string) []string {
	var names []string
	r.list(func() { names = append(names, r.name(what)) })
	return names
}

// list reads a list in parentheses that has at least one element.
func (r *reader) list(element func()) {
	r.expect("(")
	for {
		element()
		if !r.accept(",") {
			break
		}
	}
	if !r.is(")") {
		r.beyond()
	}
	r.expect(")")
}

// unquoted returns what a quoted name or a text means.
func (r *reader) unquoted(t token) string {
	s := r.textOf(t)
	escapes := r.lexicon.backslash
	if t.kind == nameToken {
		escapes = r.lexicon.nameEscapes
	}
	if r.lexicon.alternative && len(s) > 4 && s[0]|0x20 == 'q' {
		_, size := utf8.DecodeRuneInString(s[2:])
		return s[2+size : len(s)-2]
	}
	if s[0] == '$' {
		n := strings.IndexByte(s[1:], '$') + 2
		return s[n : len(s)-n]
	}
	raw := false
	if isLetter(s[0]) { // a prefix
		raw = s[0]|0x20 == 'r'
		s = s[1:]
	}
	if r.lexicon.tripleTexts && len(s) >= 6 && t.kind == textToken && s[0] == s[1] && s[1] == s[2] {
		s = s[2 : len(s)-2]
	}
	mark := s[:1]
	if mark == "[" {
		mark = "]"
	}
	s = s[1 : len(s)-1]
	if !escapes || raw || strings.IndexByte(s, '\\') < 0 {
		if r.lexicon.brackets && mark == "]" && !r.lexicon.doubled {
			return s
		}
		return strings.ReplaceAll(s, mark+mark, mark)
	}
	return r.unescaped(s, mark[0])
}

// unescaped resolves backslashes and doubled marks.
func (r *reader) unescaped(s string, mark byte) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == mark {
			i++ // its double
		}
		if c != '\\' || i+1 == len(s) {
			b.WriteByte(c)
			continue
		}
		i++
		switch c = s[i]; c {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r':
			c = '\r'
		case 'b':
			c = '\b'
		case '0':
			c = 0
		case 'Z':
			if r.d.MySQLFamily() {
				c = 0x1a
			}
		case '%', '_':
			if r.d.MySQLFamily() { // they keep it, for LIKE
				b.WriteByte('\\')
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// literal reads a text.
func (r *reader) literal(what string) string {
	if r.tok().kind != textToken {
		r.unexpected(what + " in quotes")
	}
	r.i++
	return r.unquoted(r.toks[r.i-1])
}

// number reads a whole number, which may have a sign.
func (r *reader) number(what string) int64 {
	negative := false
	if r.is("-") || r.is("+") {
		negative = r.is("-")
		r.i++
	}
	t := r.tok()
	var n int64
	digits := r.textOf(t)
	if t.kind != numberToken || strings.Trim(digits, "0123456789") != "" || len(digits) > 19 {
		r.unexpected(what + ", a whole number,")
	}
	for _, c := range []byte(digits) {
		n = n*10 - int64(c-'0') // below zero there is room for one more
	}
	r.i++
	if !negative {
		n = -n
	}
	return n
}

// ---- types, expressions, queries

// nativeType makes a type of its text, which is the dialect's own.
func nativeType(text string) schema.Type {
	text = strings.Join(strings.Fields(text), " ")
	t, err := schema.ParseType(text)
	if err != nil {
		return schema.Type{Name: text, Text: text} // whatever it is, the dialect takes it
	}
	return t
}

// enclosed reads an expression in parentheses, and returns it without them.
func (r *reader) enclosed() string {
	at := r.tok()
	from := r.i
	text := r.group()
	if text == "" {
		r.i = from + 1
		r.unexpected("an expression")
	}
	r.expression(text, at.end)
	return text
}

// expression judges the text of an expression that begins at a place.
func (r *reader) expression(text string, at int) {
	const before = "SELECT ("
	d, ok := r.d.SQL()
	if !ok || r.d.Tier() > 1 {
		return
	}
	s, err := trees.Parse(d, before+text+"\n)")
	if err != nil {
		r.syntax(err, at-len(before))
	}
	if len(s.Statements) == 1 {
		q, _ := s.Statements[0].(*sqltree.Query)
		if q != nil && q.With == nil && len(q.OrderBy) == 0 && len(q.Limit) == 0 {
			sel, _ := q.Body.(*sqltree.Select)
			if sel != nil && len(sel.Items) == 1 && sel.Items[0].Alias == nil && len(sel.From) == 0 && sel.Where == nil && !isRow(sel.Items[0].Expr) {
				return
			}
		}
	}
	r.failAt(at, "SRC002", "", "syntax error: %s is not one expression", quoted(text))
}

// bare takes off the parentheses that enclose the whole of an expression.
func (r *reader) bare(expr string) string {
	for {
		toks, err := scan(r.lexicon, expr)
		probe := reader{text: expr, toks: append(toks, token{kind: endToken})}
		if err != nil || !probe.is("(") {
			return expr
		}
		inner := probe.group()
		if !probe.atEnd() || inner == "" {
			return expr
		}
		expr = inner
	}
}

func isRow(e sqltree.Expr) bool {
	op, ok := e.(*sqltree.Op)
	return ok && (op.Name == "ROW" || op.Name == ",")
}

// syntax fails with an error of datakit, whose places are relative to one of the text.
func (r *reader) syntax(err error, base int) {
	se, ok := err.(*sqltree.SyntaxError) //nolint:errorlint // it is never wrapped
	if !ok {
		r.fail("SRC002", "", "syntax error: %v", err)
	}
	r.failAt(min(max(base+se.Start, r.toks[0].start), r.toks[len(r.toks)-1].start), "SRC002", "", "syntax error: %s", se.Message)
}

// query reads a query that makes up the rest of the statement, and returns its text.
func (r *reader) query(text string, at int) {
	d, ok := r.d.SQL()
	if !ok || r.d.Tier() > 2 || r.d == dialect.SQLServer {
		return
	}
	s, err := trees.Parse(d, text)
	if err != nil {
		r.syntax(err, at)
	}
	if len(s.Statements) == 1 {
		if _, ok := s.Statements[0].(*sqltree.Query); ok {
			return
		}
	}
	r.failAt(at, "SRC002", "", "syntax error: a view is one query, not %s", quoted(text))
}

// ---- parts that the dialects share

// ifNotExists and ifExists read these words.
func (r *reader) ifNotExists() bool { return r.accept("IF", "NOT", "EXISTS") }
func (r *reader) ifExists() bool    { return r.accept("IF", "EXISTS") }

// references reads what follows REFERENCES: the table, its columns and the actions.
func (r *reader) references() *schema.Reference {
	ref := &schema.Reference{Table: r.qualified("a table")}
	if r.is("(") {
		ref.Columns = r.names("a column")
	}
	for {
		switch {
		case r.accept("MATCH"):
			ref.Match = strings.ToUpper(r.name("a form of MATCH"))
			if ref.Match == "SIMPLE" {
				ref.Match = ""
			}
		case r.accept("ON", "DELETE"):
			ref.OnDelete = r.action()
		case r.accept("ON", "UPDATE"):
			ref.OnUpdate = r.action()
		default:
			return ref
		}
	}
}

func (r *reader) action() string {
	switch w := r.expectAny("CASCADE", "RESTRICT", "SET", "NO"); w {
	case "SET":
		return "SET " + r.expectAny("NULL", "DEFAULT")
	case "NO":
		r.expect("ACTION")
		return "NO ACTION"
	default:
		return w
	}
}

// deferrable reads [NOT] DEFERRABLE and INITIALLY ….
func (r *reader) deferrable(c *schema.Constraint) {
	for {
		switch {
		case r.accept("NOT", "DEFERRABLE"):
			c.Deferrable = false
		case r.accept("DEFERRABLE"):
			c.Deferrable = true
		case r.accept("INITIALLY", "DEFERRED"):
			c.InitiallyDeferred = true
		case r.accept("INITIALLY", "IMMEDIATE"):
			c.InitiallyDeferred = false
		default:
			return
		}
	}
}

// order reads ASC and DESC.
func (r *reader) order() (desc bool) {
	if r.accept("DESC") {
		return true
	}
	r.accept("ASC")
	return false
}

// checkOption takes WITH CHECK OPTION off the end of a statement, and returns which it is.
func (r *reader) checkOption() string {
	for _, words := range []string{"WITH CHECK OPTION", "WITH LOCAL CHECK OPTION", "WITH CASCADED CHECK OPTION"} {
		w := strings.Fields(words)
		at := len(r.toks) - 1 - len(w)
		if at <= r.i {
			continue
		}
		probe := *r
		if probe.i = at; !probe.is(w...) {
			continue
		}
		r.toks = append(r.toks[:at:at], token{endToken, r.toks[at].start, r.toks[at].start})
		if w[1] == "LOCAL" {
			return w[1]
		}
		return "CASCADED"
	}
	return ""
}

// sequenceOptions reads the options of a sequence or an identity as far as they go.
func (r *reader) sequenceOptions(o *schema.SequenceOptions) {
	value := func(p **int64) {
		r.accept("=")
		n := r.number("a number of the sequence")
		*p = &n
	}
	for {
		switch {
		case r.accept("START"):
			r.accept("WITH")
			value(&o.Start)
		case r.accept("INCREMENT"):
			r.accept("BY")
			value(&o.Increment)
		case r.accept("MINVALUE"):
			value(&o.Min)
		case r.accept("MAXVALUE"):
			value(&o.Max)
		case r.accept("NO", "MINVALUE"), r.accept("NOMINVALUE"):
			o.Min = nil
		case r.accept("NO", "MAXVALUE"), r.accept("NOMAXVALUE"):
			o.Max = nil
		case r.accept("CACHE"):
			value(&o.Cache)
		case r.accept("NO", "CACHE"), r.accept("NOCACHE"):
			none := int64(0)
			if r.d != dialect.MariaDB {
				none = 1
			}
			o.Cache = &none
		case r.accept("CYCLE"):
			o.Cycle = true
		case r.accept("NO", "CYCLE"), r.accept("NOCYCLE"):
			o.Cycle = false
		default:
			return
		}
	}
}

// plainKeys returns the columns of keys that say nothing but columns, nil otherwise.
func plainKeys(keys []schema.IndexKey) []string {
	columns := make([]string, 0, len(keys))
	for _, k := range keys {
		if k != (schema.IndexKey{Column: k.Column}) || k.Column == "" {
			return nil
		}
		columns = append(columns, k.Column)
	}
	return columns
}

// setKeys gives a constraint its columns, and its keys where they say more.
func setKeys(c *schema.Constraint, keys []schema.IndexKey) {
	if c.Columns = plainKeys(keys); c.Columns == nil {
		c.Keys = keys
	}
}

// quoteName writes a name with its schema.
func (r *reader) quoteName(n schema.Name) string {
	if n.Schema == "" {
		return r.d.Quote(n.Name)
	}
	return r.d.Quote(n.Schema) + "." + r.d.Quote(n.Name)
}
