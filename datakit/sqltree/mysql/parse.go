package mysql

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
)

// maxLogical is the most AND, OR and XOR that a text may have between two
// semicolons: TiDB's tree nests by one level for each, and is walked by
// recursion.
const maxLogical = 100_000

// Parse parses a text of any number of statements for MySQL. Every error is a
// [*sqltree.SyntaxError]. It is safe for concurrent use.
//
// The text is one for the server, or a script for its client: DELIMITER lines
// are obeyed and are no statements. Conditional comments count as the server
// takes them: the content of /*!50003 … */ is part of the statement, that of
// /*!99999 … */ and of MariaDB's /*M! … */ is not.
//
// Accepted though TiDB's grammar does not have it, and then read by our own parser
// alone: RETURNING of INSERT, REPLACE and DELETE, JSON_TABLE, RETURNING and ON EMPTY
// of JSON_VALUE, the row alias of INSERT … AS new, SELECT … INTO @variables, column
// names of a derived table, INTO OUTFILE before FROM, SOUNDS LIKE, MATCH a, b AGAINST
// without parentheses around the columns, spatial types and indexes, UUID and INET6, INVISIBLE
// columns, collations that it does not know, MariaDB's CREATE OR REPLACE TABLE, and
// the statements about routines, triggers, events, servers and replication.
//
// Refused though MySQL 8 accepts it: {OJ … } without a space behind the brace,
// INTERVAL (a) + 2 DAY, PERSIST behind another assignment of SET, CONVERT TO behind
// another action of ALTER TABLE, ROLLBACK WORK TO, END and OFFSET as an alias, DESCRIBE
// with a pattern. Though MariaDB accepts it: system versioning (FOR SYSTEM_TIME, WITH
// SYSTEM VERSIONING), PERIOD and FOR PORTION OF, OFFSET … FETCH, ROWS EXAMINED, WAIT and
// NOWAIT behind LOCK IN SHARE MODE and DROP, MEDIAN, PERCENTILE_CONT and other window
// functions of its own, ORDER BY and LIMIT inside JSON_ARRAYAGG and GROUP_CONCAT, CAST …
// AS INT, VALUE(c), PREVIOUS VALUE FOR, PERSISTENT, ANALYZE of a query, CYCLE … RESTRICT,
// MINUS, IF EXISTS of ALTER TABLE, SET STATEMENT, PROCEDURE ANALYSE, BEGIN NOT ATOMIC,
// Oracle mode. [ParseLenient] takes most of this.
//
// The limits are those of [generic.Parse].
func Parse(text string) (*sqltree.Script, error) { return parse(sqltree.MySQL, text) }

// ParseMariaDB is [Parse] for MariaDB: the content of /*M!100100 … */ counts, and
// that of /*!50700 … */ to /*!99999 … */ does not.
func ParseMariaDB(text string) (*sqltree.Script, error) { return parse(sqltree.MariaDB, text) }

// ParseLenient is [Parse] for MySQL or [ParseMariaDB], but a statement that our own
// parser reads is accepted though TiDB's grammar refuses it, or the two disagree
// about its names: the script then has a note of the refusal at its place.
func ParseLenient(d sqltree.Dialect, text string) (*sqltree.Script, error) {
	s, refusals, err := read(d, text, false)
	if err != nil {
		return nil, err
	}
	for _, r := range refusals {
		s.Notes = append(s.Notes, sqltree.Note{Span: r.Span, Message: "MySQL's grammar may not accept this: " + r.Message})
	}
	slices.SortStableFunc(s.Notes, func(a, b sqltree.Note) int { return a.Start - b.Start })
	return s, nil
}

func parse(d sqltree.Dialect, text string) (*sqltree.Script, error) {
	s, refusals, err := read(d, text, true)
	if err != nil {
		return nil, err
	}
	if len(refusals) > 0 {
		return nil, refusals[0]
	}
	return s, nil
}

// read parses a text with our own parser, and each statement of it with TiDB's:
// both read it once. It returns the refusals of the latter, of each statement or,
// with first, of the first one alone.
func read(d sqltree.Dialect, text string, first bool) (s *sqltree.Script, refusals []*sqltree.SyntaxError, err error) {
	t := texts{live: text, bare: text}
	if len(text) <= generic.MaxLength {
		t = makeTexts(text, d == sqltree.MariaDB)
	}
	s, err = generic.Parse(d, t.live)
	if err != nil {
		return nil, nil, err
	}
	s.Text = text
	if err := limitLogical(t.bare); err != nil {
		return s, []*sqltree.SyntaxError{err}, nil //nolint:nilerr // a refusal is a result here
	}
	c := &checker{texts: t, mariadb: d == sqltree.MariaDB}
	for _, st := range s.Statements {
		if err := c.statement(st); err != nil {
			if refusals = append(refusals, err); first {
				break
			}
		}
	}
	return s, refusals, nil
}

// limitLogical counts words, also in strings, which makes the limit no sharper.
func limitLogical(text string) *sqltree.SyntaxError {
	n := 0
	for i := 0; i+1 < len(text); i++ {
		switch c := text[i]; {
		case c == ';':
			n = 0
		case (c == '|' || c == '&') && text[i+1] == c:
			n++
			i++
		case c|0x20 == 'o' && text[i+1]|0x20 == 'r' && (i == 0 || !wordByte(text[i-1])) && (i+2 == len(text) || !wordByte(text[i+2])),
			(c|0x20 == 'a' || c|0x20 == 'x') && i+3 <= len(text) && (strings.EqualFold(text[i:i+3], "and") || strings.EqualFold(text[i:i+3], "xor")) &&
				(i == 0 || !wordByte(text[i-1])) && (i+3 == len(text) || !wordByte(text[i+3])):
			n++
		}
		if n > maxLogical {
			return sqltree.NewSyntaxError(text, sqltree.Span{Start: i, End: i + 2}, "too many AND and OR in a row (more than 100000)")
		}
	}
	return nil
}
