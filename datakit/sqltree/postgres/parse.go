package postgres

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pganalyze/pg_query_go/v6/parser"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

const (
	// MaxLength is the longest text that [Parse] takes, in bytes.
	MaxLength = 16 << 20
	// MaxTokens is the most tokens that one statement may have; see the package
	// comment for what it costs.
	MaxTokens = 1_000_000
)

// batch is about how much text the grammar gets at once: enough to make little
// of the cost per call, and so little that its tree, which is many times longer,
// fits into memory that the C library keeps for the next call. With 16 KiB every
// call maps new pages, and takes three times as long.
const batch = 2 << 10

// Parse parses a text of any number of statements. Every error is a
// [*sqltree.SyntaxError]. It is safe for concurrent use.
//
// The text is one for the server, or a script for psql as pg_dump writes it:
//   - A line that begins with a meta-command (\connect, \restrict, …), between
//     statements, is an [sqltree.Other] whose Kind is the command with its
//     backslash. One that sends the statement before it (\g, \gexec, …) may also
//     stand in the place of its semicolon.
//   - The rows after COPY … FROM stdin; are passed over, to the line \. that ends
//     them, which has to be there.
//
// An empty statement (;;) is none. Names are as spelled, at any length: the
// server cuts them at 63 bytes and this does not.
//
// Refused before the grammar sees them: a text longer than [MaxLength], one that
// is not UTF-8 or has a NUL byte, and a statement of more than [MaxTokens] tokens,
// nested deeper than 500 brackets, or with more than 2,000 operators in a row. One
// whose tree would have more than [sqltree.MaxDepth] levels is refused behind it.
func Parse(text string) (*sqltree.Script, error) {
	if len(text) > MaxLength {
		return nil, sqltree.NewSyntaxError(text, span{Start: MaxLength, End: MaxLength},
			fmt.Sprintf("text of %d bytes is longer than %d", len(text), MaxLength))
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return nil, sqltree.NewSyntaxError(text, span{Start: i, End: i + 1}, "text has a NUL byte")
	}
	if !utf8.ValidString(text) {
		i := 0
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			i += size
		}
		return nil, sqltree.NewSyntaxError(text, span{Start: i, End: i + 1}, "text is not valid UTF-8")
	}
	l, err := lex(text)
	if err != nil {
		return nil, err
	}
	s := &sqltree.Script{Text: text, Dialect: sqltree.Postgres}
	p := &scriptParser{lexer: l, script: s}
	if err := p.run(); err != nil {
		return nil, err
	}
	return s, nil
}

type scriptParser struct {
	*lexer
	script *sqltree.Script
}

// trees has the storage of trees that are no longer needed.
var trees = sync.Pool{New: func() any { return new(tree) }}

// run hands the text to the grammar in batches, which end where the lexer saw
// statements end. Everything but meta-commands and rows of COPY gets there, so
// what the lexer takes for the end of a statement is no matter of trust.
func (p *scriptParser) run() error {
	start, token := 0, 0
	for i, b := range p.breaks {
		plain := b.end == b.resume
		if plain && i+1 < len(p.breaks) && p.breaks[i+1].end-start < batch {
			continue
		}
		if err := p.batch(start, b.end, token, b.token); err != nil {
			return err
		}
		if last := b.token - 1; !plain && last >= 0 && p.toks[last].kind == metaToken && int(p.toks[last].start) == b.end {
			p.meta(last)
		}
		start, token = b.resume, b.token
	}
	return p.batch(start, len(p.text), token, len(p.toks))
}

// meta adds a meta-command.
func (p *scriptParser) meta(i int) {
	t := p.toks[i]
	s := &sqltree.Other{Span: span{Start: int(t.start), End: int(t.end)}}
	s.Kind, _, _ = strings.Cut(p.textOf(i), " ")
	s.Kind, _, _ = strings.Cut(s.Kind, "\t")
	p.script.Statements = append(p.script.Statements, s)
}

// grammar keeps calls of the library apart: while it parses it redirects the
// standard error of the whole process, which two calls at once can leave
// redirected for good.
var grammar sync.Mutex

func parseJSON(text string) (string, error) {
	grammar.Lock()
	defer grammar.Unlock()
	return parser.ParseToJSON(text)
}

// batch parses text from start to end, with the tokens from first to limit.
func (p *scriptParser) batch(start, end, first, limit int) error {
	if first == limit {
		return nil
	}
	json, err := parseJSON(p.text[start:end])
	if err != nil {
		return p.syntaxError(err, start, end)
	}
	t := trees.Get().(*tree)
	defer func() {
		t.release()
		trees.Put(t)
	}()
	t.read(json)
	for s := t.root().get("stmts").first(); s.ok(); s = s.next() {
		from := start + number(s.get("stmt_location"))
		to := end
		if n := number(s.get("stmt_len")); n > 0 {
			to = from + n
		}
		for first < limit && int(p.toks[first].start) < from {
			first++
		}
		last := first
		for last < limit && int(p.toks[last].start) < to {
			last++
		}
		next := last
		for last > first && p.toks[last-1].kind == punctToken && p.toks[last-1].ch == ';' {
			last--
		}
		c := &conv{text: p.text, toks: p.toks, base: start, i: first, end: last}
		list, err := c.run(s.get("stmt"))
		if err != nil {
			return err
		}
		for _, s := range list {
			if n := sqltree.TooDeep(s); n != nil {
				return sqltree.NewSyntaxError(p.text, n.Pos(), fmt.Sprintf("nested too deeply (more than %d levels)", sqltree.MaxDepth))
			}
		}
		p.script.Statements = append(p.script.Statements, list...)
		first = next
	}
	return nil
}

// run converts a statement. It yields several for CREATE SCHEMA with elements.
func (c *conv) run(n node) (list []sqltree.Statement, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case mismatch:
			err = sqltree.NewSyntaxError(c.text, r.at, r.message)
		default:
			panic(r)
		}
	}()
	s := c.statement(n)
	if c.i != c.end {
		c.fail("the end of the statement")
	}
	return append([]sqltree.Statement{s}, c.extra...), nil
}

func number(n node) int {
	v := 0
	for _, d := range n.str() {
		v = v*10 + int(d-'0')
	}
	return v
}

// syntaxError gives an error of the grammar its place: the library counts
// characters from 1, and 0 where it has no place.
func (p *scriptParser) syntaxError(err error, start, end int) error {
	at := span{Start: start, End: end}
	var e *parser.Error
	if errors.As(err, &e) && e.Cursorpos > 0 {
		pos := start
		for n := 1; n < e.Cursorpos && pos < end; n++ {
			_, size := utf8.DecodeRuneInString(p.text[pos:end])
			pos += size
		}
		at = span{Start: pos, End: pos}
		for _, t := range p.toks {
			if int(t.start) == pos {
				at.End = int(t.end)
				break
			}
		}
	}
	return sqltree.NewSyntaxError(p.text, at, err.Error())
}
