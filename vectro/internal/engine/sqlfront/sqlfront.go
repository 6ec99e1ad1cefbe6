// Package sqlfront turns one SQL SELECT into a plan. The grammar is PostgreSQL's
// own (libpg_query); what the words mean is decided by package plan, so that SQL
// and the expression language agree.
//
// Nothing in a statement is passed over: every part of the parsed tree is either
// planned or refused by name.
package sqlfront

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/pganalyze/pg_query_go/v6/parser"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Limits of one statement. The parser recurses in C along brackets and along
// chains of operators and joins; a deep enough text would overflow its stack and
// end the process. Measured: with a stack of 2 MiB chains of 4,000 operators and
// 1,000 nested subqueries are safe, with the usual 8 MiB 16,000 of either.
const (
	MaxBytes   = 256 << 10
	MaxNesting = 200   // of brackets and CASE
	MaxTokens  = 4_000 // other than values, names in lists and commas between them
	MaxTables  = 64    // tables and subqueries read, each as often as it is named

	// The parser's scanner reads the rest of a run of operator signs again for every
	// sign that it gives back: 20,000 plus signs took 6 s, 250,000 a quarter of an
	// hour, in C, where nothing can stop it.
	MaxOperatorRun = 1_000
)

// Error is a mistake in a statement.
type Error struct {
	Message    string
	Pos        int      // where, in characters from 1; 0 when it is about the whole
	Text       string   // the statement
	Candidates []string // names that were probably meant, the nearest first
}

// Error returns the message and, if it has a place, the line with a caret.
func (e *Error) Error() string {
	if e.Pos == 0 {
		return caret.Line(e.Message)
	}
	return caret.Line(e.Message) + "\n" + caret.Show(e.Text, caret.Offset(e.Text, e.Pos))
}

// Tables finds a table by name: exactly, else as the only one that differs in
// case alone. Its error is the caller's own, and says what was probably meant.
type Tables = func(name string) (*col.Table, error)

// Plan returns the plan of text, one statement, over the tables that it names. A
// mistake is an [*Error] or the error of tables. It may be called concurrently if
// tables may.
func Plan(text string, tables Tables, env plan.Env) (plan.Node, error) {
	p := &planner{text: text, lookup: tables, env: env}
	stmt, err := p.parse()
	if err != nil {
		return nil, err
	}
	switch s := stmt.Node.(type) {
	case *pg.Node_SelectStmt:
		return p.query(s.SelectStmt, nil)
	case *pg.Node_ExplainStmt:
		return p.explain(s.ExplainStmt)
	}
	return nil, p.notSelect(stmt)
}

// planner plans one statement.
type planner struct {
	text   string
	tokens []*pg.ScanToken // without comments
	lookup Tables
	env    plan.Env
	tables int // read so far
}

// refuse returns an Error about the whole statement.
func refuse(format string, a ...any) *Error { return &Error{Message: fmt.Sprintf(format, a...)} }

// fail returns an Error at a byte offset; a negative one means no place.
func (p *planner) fail(at int32, format string, a ...any) *Error {
	e := refuse(format, a...)
	if at >= 0 {
		e.Pos, e.Text = caret.Position(p.text, int(at)), p.text
	}
	return e
}

// parse checks the text and returns its one statement.
func (p *planner) parse() (*pg.Node, error) {
	switch {
	case len(p.text) > MaxBytes:
		return nil, refuse("The query has %d KiB; the most is %d KiB.", (len(p.text)+1023)>>10, MaxBytes>>10)
	case !utf8.ValidString(p.text):
		return nil, refuse("The query is not valid UTF-8.")
	case strings.IndexByte(p.text, 0) >= 0:
		// The parser would end there and judge less than the whole.
		return nil, refuse("The query has a NUL character.")
	}
	if at := longRun(p.text); at >= 0 {
		return nil, p.fail(int32(at), "The query has more than %d operator signs in a row.", MaxOperatorRun)
	}
	if err := p.scan(); err != nil {
		return nil, err
	}
	tree, err := parseSerially(p.text)
	if err != nil {
		return nil, p.syntax(err)
	}
	p.restoreNames(tree)
	switch len(tree.Stmts) {
	case 0:
		return nil, refuse("The query is empty; write a SELECT.")
	case 1:
		return tree.Stmts[0].Stmt, nil
	}
	return nil, refuse("Give one statement; this text has %d.", len(tree.Stmts))
}

// longRun returns where more than MaxOperatorRun operator signs in a row begin, or
// -1. It does not ask whether they stand in a string or a comment.
func longRun(text string) int {
	run := 0
	for i := range len(text) {
		if strings.IndexByte("~!@#^&|`?+-*/%<>=", text[i]) < 0 {
			run = 0
		} else if run++; run > MaxOperatorRun {
			return i + 1 - run
		}
	}
	return -1
}

// scan cuts the text into tokens and refuses what is too large for the parser.
func (p *planner) scan() error {
	res, err := pg.Scan(p.text)
	if err != nil {
		return p.syntax(err)
	}
	weight, brackets, cases := 0, 0, 0
	for _, t := range res.Tokens {
		switch t.Token {
		case pg.Token_SQL_COMMENT, pg.Token_C_COMMENT:
			continue
		case pg.Token_ASCII_40, pg.Token_ASCII_91: // ( [
			brackets++
		case pg.Token_ASCII_41, pg.Token_ASCII_93: // ) ]
			brackets--
		case pg.Token_CASE:
			cases++
		case pg.Token_END_P: // may be a name after AS, too, so it closes no bracket
			cases = max(0, cases-1)
		}
		if brackets+cases > MaxNesting {
			return p.fail(t.Start, "The query is nested more than %d deep.", MaxNesting)
		}
		p.tokens = append(p.tokens, t)
		switch t.Token {
		case pg.Token_ASCII_44, pg.Token_SCONST, pg.Token_ICONST, pg.Token_FCONST: // ,
		default:
			if weight++; weight > MaxTokens {
				return p.fail(t.Start, "The query has more than %d words and signs; put long lists of values in a table.", MaxTokens)
			}
		}
	}
	return nil
}

// syntax words an error of the parser, which is never safe to pass over.
func (p *planner) syntax(err error) error {
	var pe *parser.Error
	if !errors.As(err, &pe) {
		return refuse("The query is nested too deeply.")
	}
	// The parser quotes the word at fault, which may be all of a long text.
	const most = 200
	e := &Error{Message: pe.Message}
	if r := []rune(e.Message); len(r) > most {
		e.Message = string(r[:most]) + "…"
	}
	if pe.Cursorpos > 0 {
		e.Pos, e.Text = pe.Cursorpos, p.text
		e.Message += p.syntaxHint(int32(caret.Offset(p.text, pe.Cursorpos)))
	}
	return e
}

// syntaxHint adds what people and models often mean at such a place.
func (p *planner) syntaxHint(at int32) string {
	i := p.tokenAt(at)
	switch {
	case i > 0 && p.tokens[i].Token == pg.Token_SCONST && (p.tokens[i-1].Token == pg.Token_FROM || p.tokens[i-1].Token == pg.Token_JOIN):
		return "; files are loaded with load_file and then read by their table's name"
	case i >= 0 && p.tokens[i].Token == pg.Token_ASCII_91, // [
		slices.ContainsFunc(p.tokens, func(t *pg.ScanToken) bool { return p.text[t.Start] == '`' }):
		return `; names with other characters are written in double quotes: "unit price"`
	}
	// The parser stops at a word that it cannot take for a name, or right after it.
	for _, k := range []int{i - 1, i} {
		if i >= 0 && k >= 0 {
			if word := p.text[p.tokens[k].Start:p.tokens[k].End]; reservedName(word) {
				return fmt.Sprintf("; a name that is a word of SQL is written in double quotes: %q", word)
			}
		}
	}
	return ""
}

// reservedName reports whether a word is one that SQL reserves and that columns
// and tables of files are called all the same.
func reservedName(word string) bool {
	switch strings.ToLower(word) {
	case "all", "any", "array", "asc", "check", "collate", "column", "constraint", "default", "desc", "do", "end",
		"fetch", "foreign", "grant", "group", "limit", "offset", "only", "order", "primary", "references", "some",
		"table", "to", "unique", "user", "when", "window":
		return true
	}
	return false
}

// tokenAt returns the position of the token that starts at a byte offset, or -1.
func (p *planner) tokenAt(at int32) int {
	lo, hi := 0, len(p.tokens)
	for lo < hi {
		if m := (lo + hi) / 2; p.tokens[m].Start < at {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(p.tokens) && p.tokens[lo].Start == at {
		return lo
	}
	return -1
}

// notSelect refuses a statement of another kind by its first word.
func (p *planner) notSelect(n *pg.Node) error {
	word := ""
	switch n.Node.(type) { // WITH may stand before these
	case *pg.Node_InsertStmt:
		word = "INSERT"
	case *pg.Node_UpdateStmt:
		word = "UPDATE"
	case *pg.Node_DeleteStmt:
		word = "DELETE"
	case *pg.Node_MergeStmt:
		word = "MERGE"
	default:
		if len(p.tokens) > 0 {
			word = strings.ToUpper(p.text[p.tokens[0].Start:p.tokens[0].End])
		}
	}
	article := "a"
	if strings.ContainsAny(word[:min(1, len(word))], "AEIOU") && word != "USE" {
		article = "an"
	}
	hint := ""
	if word == "COPY" {
		hint = " Files are loaded with load_file."
	}
	return refuse("sql runs SELECT only; this is %s %s.%s", article, word, hint)
}

// explain answers EXPLAIN SELECT with the lines of the plan.
func (p *planner) explain(s *pg.ExplainStmt) (plan.Node, error) {
	if err := only(s, "query", "options"); err != nil {
		return nil, err
	}
	sel, ok := s.Query.GetNode().(*pg.Node_SelectStmt)
	if !ok {
		return nil, p.notSelect(s.Query)
	}
	if len(s.Options) > 0 {
		return nil, unsupported("An option of EXPLAIN", "Write EXPLAIN SELECT alone.")
	}
	n, err := p.query(sel.SelectStmt, nil)
	if err != nil {
		return nil, err
	}
	v := &plan.Values{Out: plan.Schema{{Name: "plan", Type: plan.Type{Base: plan.String}}}}
	for line := range strings.Lines(plan.Explain(n)) {
		v.Rows = append(v.Rows, []plan.Value{{Base: plan.String, S: strings.TrimSuffix(line, "\n")}})
	}
	return v, nil
}

// parsing serialises the parser: while it works it points the process's standard
// error at a pipe of its own, and two calls at once could leave it there.
var parsing sync.Mutex

func parseSerially(text string) (*pg.ParseResult, error) {
	parsing.Lock()
	defer parsing.Unlock()
	return pg.Parse(text)
}
