package mysql

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // the values of literals, which the parser needs one package for

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// checker has TiDB's grammar judge statements.
type checker struct {
	texts
	mariadb bool
}

// parsers are TiDB's, which are reused and serve one caller at a time.
var parsers = sync.Pool{New: func() any { return parser.New() }}

// unknownToTiDB are the statements, by their leading words, that TiDB does not
// have at all. None of them is a query or changes rows.
var unknownToTiDB = map[string]bool{}

func init() {
	for _, verb := range []string{"CREATE", "ALTER", "DROP"} {
		for _, what := range []string{
			"TRIGGER", "FUNCTION", "PROCEDURE", "EVENT", "SERVER", "TABLESPACE", "UNDO TABLESPACE", "LOGFILE GROUP",
			"PACKAGE", "PACKAGE BODY", "AGGREGATE FUNCTION", "SPATIAL REFERENCE SYSTEM", "LIBRARY",
		} {
			unknownToTiDB[verb+" "+what] = true
		}
	}
	for _, words := range []string{
		"ALTER INSTANCE", "HANDLER", "XA", "CHECK", "CHECKSUM", "REPAIR", "CACHE", "RESET", "PURGE", "CHANGE", "START", "STOP",
		"INSTALL", "UNINSTALL", "CLONE", "SIGNAL", "RESIGNAL", "GET", "LOAD", "HELP", "BINLOG", "BACKUP", "RETURN", "DECLARE",
		"LOCK", "IMPORT", "EXECUTE IMMEDIATE",
	} {
		unknownToTiDB[words] = true
	}
}

// known tells whether TiDB has statements of this kind.
func known(st sqltree.Statement) bool {
	kind := ""
	switch st := st.(type) {
	case *sqltree.CreateTrigger, *sqltree.CreateFunction:
		return false
	case *sqltree.Other:
		kind = st.Kind
	case *sqltree.Drop:
		kind = "DROP " + st.Kind
	case *sqltree.AlterTable:
		kind = "ALTER " + st.Kind
	}
	first, _, _ := strings.Cut(kind, " ")
	return !unknownToTiDB[kind] && !unknownToTiDB[first]
}

// statement checks one statement.
func (c *checker) statement(st sqltree.Statement) *sqltree.SyntaxError {
	if !known(st) {
		return nil
	}
	p := &piece{checker: c, base: st.Pos().Start, text: []byte(c.bare[st.Pos().Start:st.Pos().End])}
	var err *sqltree.SyntaxError
	sqltree.Walk(st, func(n sqltree.Node) bool {
		if err == nil {
			err = p.replace(n)
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	p.words(0, len(p.text), func(from, to int) {
		if v := p.into(from, to); v > 0 {
			p.blank(p.base+from, p.base+v)
		}
	})
	stmts, err := c.grammar(string(p.text), p.base)
	if err != nil {
		return err
	}
	if len(stmts) != 1 {
		return sqltree.NewSyntaxError(c.live, st.Pos(), fmt.Sprintf("one statement reads as %d", len(stmts)))
	}
	return c.compare(st, stmts[0], p.replaced)
}

// piece is the text of a statement that TiDB gets. What its grammar does not have
// is overwritten in it by something of the same length that is as good to the
// rest of the statement.
type piece struct {
	*checker
	text     []byte
	base     int  // where it stands
	replaced bool // something with names in it was overwritten
}

// blank overwrites a part of the piece, given by its place in the whole text.
func (p *piece) blank(from, to int) {
	for i := from - p.base; i < to-p.base; i++ {
		p.text[i] = ' '
	}
}

// words calls f with the words in a part of the piece that are not quoted.
func (p *piece) words(from, to int, f func(from, to int)) {
	for i := from; i < to; {
		c := p.text[i]
		switch {
		case c == '\'' || c == '"' || c == '`':
			i = quotedEnd(p.text, i)
		case wordByte(c):
			end := i + 1
			for end < to && wordByte(p.text[end]) {
				end++
			}
			f(i, end)
			i = end
		default:
			i++
		}
	}
}

var (
	intoVariables = regexp.MustCompile(`^(?is)INTO\s+@[\w$.]+(\s*,\s*@[\w$.]+)*`)
	intoFile      = regexp.MustCompile(`^(?is)INTO\s+(OUTFILE|DUMPFILE)\s+('([^'\\]|\\.|'')*'|"([^"\\]|\\.|"")*")(\s+CHARACTER\s+SET\s+\w+)?` +
		`(\s+(FIELDS|COLUMNS|LINES)(\s+(OPTIONALLY\s+)?(TERMINATED|ENCLOSED|ESCAPED|STARTING)\s+BY\s+('([^'\\]|\\.|'')*'|"([^"\\]|\\.|"")*"))+)*`)
)

// into returns the end of INTO @a, @b or INTO OUTFILE 'f', if that is what the word
// begins.
func (p *piece) into(from, to int) int {
	if to-from != len("INTO") || !strings.EqualFold(string(p.text[from:to]), "INTO") {
		return 0
	}
	for _, r := range []*regexp.Regexp{intoVariables, intoFile} {
		if m := r.Find(p.text[from:]); m != nil {
			return from + len(m)
		}
	}
	return 0
}

// unknownTypes are types of MySQL and MariaDB that TiDB does not have.
var unknownTypes = map[string]bool{
	"POINT": true, "LINESTRING": true, "POLYGON": true, "GEOMETRY": true, "MULTIPOINT": true, "MULTILINESTRING": true,
	"MULTIPOLYGON": true, "GEOMETRYCOLLECTION": true, "GEOMCOLLECTION": true, "UUID": true, "INET4": true, "INET6": true,
}

// replace overwrites what TiDB's grammar does not have of a node.
func (p *piece) replace(n sqltree.Node) *sqltree.SyntaxError {
	var returning []sqltree.SelectItem
	switch n := n.(type) {
	case *sqltree.TableFunc:
		if len(n.Calls) != 1 {
			return nil
		}
		call, ok := n.Calls[0].(*sqltree.Func)
		if !ok || !strings.EqualFold(call.Name.Last().Name, "JSON_TABLE") {
			return nil
		}
		p.blank(n.Start, call.End)
		p.text[n.Start-p.base] = 'j' // a table
		p.replaced = true
	case *sqltree.Derived:
		if cols := n.Alias.Columns; len(cols) > 0 && !n.Lateral {
			from := strings.LastIndexByte(p.bare[:cols[0].Start], '(')
			to := cols[len(cols)-1].End
			p.blank(from, to+1+strings.IndexByte(p.bare[to:], ')'))
		}
	case *sqltree.Op:
		if n.Name == "SOUNDS LIKE" {
			p.words(n.Args[0].Pos().End-p.base, n.Args[1].Pos().Start-p.base, func(from, to int) {
				if strings.EqualFold(string(p.text[from:to]), "SOUNDS") {
					p.blank(p.base+from, p.base+to)
				}
			})
		}
	case *sqltree.Func:
		switch strings.ToUpper(n.Name.Last().Name) {
		case "JSON_VALUE":
			if len(n.Args) >= 2 {
				p.blank(n.Args[1].Pos().End, n.End-1) // RETURNING, ON EMPTY, ON ERROR
				p.replaced = true
			}
		case "MATCH":
			p.match(n)
		}
	case *sqltree.CreateTable:
		if m := orReplace.FindSubmatchIndex(p.text); p.mariadb && m != nil {
			p.blank(p.base+m[2], p.base+m[3])
		}
	case *sqltree.ColumnDef:
		p.column(n)
	case *sqltree.CreateIndex:
		if n.Kind == "SPATIAL" {
			p.words(n.Start-p.base, n.End-p.base, func(from, to int) {
				if strings.EqualFold(string(p.text[from:to]), n.Kind) {
					p.blank(p.base+from, p.base+to)
				}
			})
		}
	case *sqltree.Insert:
		if n.Conflict != nil && n.Conflict.Excluded != "" {
			from := n.Table.End
			if n.Source != nil {
				from = n.Source.End
			} else if len(n.Set) > 0 {
				from = n.Set[len(n.Set)-1].End
			}
			p.blank(from, n.Conflict.Start)
		}
		returning = n.Returning
	case *sqltree.Delete:
		returning = n.Returning
	}
	if len(returning) == 0 {
		return nil
	}
	const word = "RETURNING"
	from, to := returning[0].Start, returning[len(returning)-1].End
	if _, err := p.grammar("SELECT "+p.bare[from:to], from-len("SELECT ")); err != nil {
		return err
	}
	for from -= len(word); from > p.base && !strings.EqualFold(p.bare[from:from+len(word)], word); {
		from--
	}
	p.blank(from, to)
	p.replaced = true
	return nil
}

// match puts parentheses around the columns of MATCH a, b AGAINST (…), in the place
// of the spaces there.
func (p *piece) match(n *sqltree.Func) {
	if len(n.Args) < 2 {
		return
	}
	from, to := n.Args[0].Pos().Start-1-p.base, n.Args[len(n.Args)-2].Pos().End-p.base
	if between := strings.TrimSpace(p.bare[n.Name.End:n.Args[0].Pos().Start]); between == "" && p.text[from] <= ' ' && p.text[to] <= ' ' {
		p.text[from], p.text[to] = '(', ')'
	}
}

var orReplace = regexp.MustCompile(`^(?i)CREATE\s+(OR\s+REPLACE)\b`)

// column overwrites what is not known of a column: its type, and words behind it.
func (p *piece) column(n *sqltree.ColumnDef) {
	if parts := n.Type.Name.Parts; len(parts) == 1 && unknownTypes[strings.ToUpper(parts[0].Name)] {
		p.blank(n.Type.Start, n.Type.End)
		copy(p.text[n.Type.Start-p.base:], "int")
	}
	end := n.End - p.base
	srid := false
	p.words(max(n.Type.End, n.Name.End)-p.base, end, func(from, to int) {
		switch word := strings.ToUpper(string(p.text[from:to])); {
		case srid, word == "INVISIBLE", word == "VISIBLE", word == "SRID", word == "REF_SYSTEM_ID":
			p.blank(p.base+from, p.base+to)
			srid = word == "SRID" // its number follows
		}
	})
}

// grammar parses text, which stands at base.
func (c *checker) grammar(text string, base int) ([]ast.StmtNode, *sqltree.SyntaxError) {
	p := parsers.Get().(*parser.Parser)
	if len(text) < 1<<20 { // it keeps what it read last
		defer parsers.Put(p)
	}
	p.SetMariaDB(c.mariadb)
	stmts, _, err := p.ParseSQL(text)
	if err == nil {
		return stmts, nil
	}
	at, message := place(text, err.Error())
	start := base + at
	end := start
	for end < len(c.bare) && end < base+len(text) && wordByte(c.bare[end]) {
		end++
	}
	if end == start && at < len(text) {
		end++
	}
	return nil, sqltree.NewSyntaxError(c.live, sqltree.Span{Start: start, End: end}, message)
}

var (
	errorPlace = regexp.MustCompile(`(?s)^line \d+ column \d+ near "`)
	totalLen   = regexp.MustCompile(`\(total length (\d+)\)`)
	errorCode  = regexp.MustCompile(`^\[parser:\d+\]`)
)

// place turns TiDB's message into a place in the text and a message of ours. It
// quotes the text from the place on, up to 2048 bytes.
func place(text, message string) (int, string) {
	head := errorPlace.FindString(message)
	if head == "" {
		return 0, errorCode.ReplaceAllString(message, "")
	}
	rest := message[len(head):]
	at := -1
	if m := totalLen.FindStringSubmatch(rest); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n <= len(text) {
			at = len(text) - n
		}
	}
	for n := min(len(text), 2048); at < 0 && n >= 0; n-- {
		if tail := text[len(text)-n:]; strings.HasPrefix(rest, tail) && strings.HasPrefix(rest[n:], `"`) {
			at = len(text) - n
			if detail := strings.TrimSpace(rest[n+1:]); detail != "" {
				return at, detail
			}
		}
	}
	at = max(at, 0)
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	if at == len(text) {
		return at, "syntax error at the end of the statement"
	}
	near := text[at:]
	if i := strings.IndexAny(near[1:], " \t\r\n(),;"); i >= 0 {
		near = near[:i+1]
	}
	return at, fmt.Sprintf("syntax error at or near %.80q", near)
}

// compare checks that both parsers saw the same names: that the tree has every
// relation and column of TiDB's, and no column beyond those, unless the text that
// TiDB got lacks some.
func (c *checker) compare(st sqltree.Statement, other ast.StmtNode, replaced bool) *sqltree.SyntaxError {
	switch st.(type) {
	case *sqltree.Query, *sqltree.Insert, *sqltree.Update, *sqltree.Delete, *sqltree.CreateView:
	default:
		return nil
	}
	v := &names{all: map[string]bool{}, optional: map[string]bool{}}
	other.Accept(v)
	seen := map[string]bool{}
	var extra *sqltree.Column
	sqltree.Walk(st, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Ident:
			seen[strings.ToLower(n.Name)] = true
		case *sqltree.Column:
			if last := n.Parts[len(n.Parts)-1]; extra == nil && !v.all[strings.ToLower(last.Name)] && !v.optional[strings.ToLower(last.Name)] {
				extra = n
			}
		}
		return true
	})
	for name := range v.all {
		if !seen[name] && !(replaced && name == "j") {
			return sqltree.NewSyntaxError(c.live, st.Pos(), "this MySQL syntax is not supported here: a name is not understood")
		}
	}
	if extra != nil && !replaced {
		return sqltree.NewSyntaxError(c.live, extra.Span, "this MySQL syntax is not supported here: no column stands here")
	}
	return nil
}

// names collects the names of relations and columns in TiDB's tree, folded. Those
// of sequences are optional: what NEXT VALUE FOR s is about is no relation that is
// read.
type names struct{ all, optional map[string]bool }

func (v *names) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.TableNameExpr:
		v.optional[n.Name.Name.L] = true
		return n, true
	case *ast.TableName:
		v.all[n.Name.L] = true
	case *ast.ColumnName:
		v.all[n.Name.L] = true
	}
	return n, false
}

func (v *names) Leave(n ast.Node) (ast.Node, bool) { return n, true }
