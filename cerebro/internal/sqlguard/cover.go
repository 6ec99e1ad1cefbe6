package sqlguard

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// words returns the words that may stand in a query beside the leaves of its tree:
// those of the grammar that name nothing. A word of a clause that is not allowed
// (INTO, SETTINGS, FORMAT) is not among them, nor is one that is in no clause the
// guard knows.
func words(d Dialect) map[string]bool {
	if d == ClickHouse {
		return clickhouseWords
	}
	return duckdbWords
}

const commonWords = `
	SELECT DISTINCT ALL FROM WHERE GROUP BY HAVING QUALIFY WINDOW ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET FETCH NEXT ROW ROWS ONLY TIES WITH
	RECURSIVE AS MATERIALIZED NOT UNION EXCEPT INTERSECT VALUES JOIN INNER LEFT RIGHT FULL OUTER CROSS NATURAL ASOF SEMI ANTI LATERAL ON USING
	AND OR XOR IN IS NULL TRUE FALSE LIKE ILIKE BETWEEN SIMILAR TO ESCAPE EXISTS ANY SOME CASE WHEN THEN ELSE END CAST TRY_CAST EXTRACT
	OVER PARTITION RANGE GROUPS UNBOUNDED PRECEDING FOLLOWING CURRENT EXCLUDE NO OTHERS FILTER WITHIN IGNORE RESPECT
	GROUPING SETS ROLLUP CUBE ARRAY INTERVAL AT TIME ZONE FOR BOTH LEADING TRAILING PLACING COLLATE ISNULL NOTNULL COLUMNS REPLACE
	YEAR YEARS QUARTER QUARTERS MONTH MONTHS WEEK WEEKS DAY DAYS HOUR HOURS MINUTE MINUTES SECOND SECONDS MILLISECOND MILLISECONDS
	MICROSECOND MICROSECONDS NANOSECOND NANOSECONDS LAMBDA SYMMETRIC ASYMMETRIC DATE TIMESTAMP`

var (
	duckdbWords = names(commonWords + `
		SAMPLE TABLESAMPLE PERCENT RESERVOIR BERNOULLI SYSTEM REPEATABLE POSITIONAL PIVOT UNPIVOT INCLUDE RENAME NAME GLOB TABLE DESCRIBE SUMMARIZE
		DECADE DECADES CENTURY CENTURIES MILLENNIUM MILLENNIA EPOCH DOW ISODOW DOY ISOYEAR KEY ORDINALITY MAP STRUCT UNKNOWN TRY IF VALUE`)
	clickhouseWords = names(commonWords + `
		PREWHERE FINAL SAMPLE GLOBAL TOTALS FILL STEP INTERPOLATE STALENESS APPLY DIV MOD PASTE REGEXP TOP`)
)

// cover asks that the tree accounts for every token of the query: that it is part of
// a leaf, or a word that only joins leaves. Numbers and symbols need no leaf.
func (c *check) cover(q *sqltree.Query, toks []token) {
	leaf := make([]bool, len(toks))
	pivots := []sqltree.Span{}
	sqltree.Walk(q, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Ident:
			c.mark(leaf, toks, n.Span)
		case *sqltree.Param:
			c.plain(toks, n.Span)
			c.mark(leaf, toks, n.Span)
		case *sqltree.Literal:
			if n.Kind == sqltree.OtherLiteral {
				c.plain(toks, n.Span)
			}
			c.mark(leaf, toks, n.Span)
		case *sqltree.TypeName:
			c.plain(toks, n.Span)
			c.mark(leaf, toks, n.Span)
		case *sqltree.Opaque:
			if len(n.Inputs) > 0 {
				pivots = append(pivots, n.Span)
			}
		}
		return c.err == nil
	})
	for i, t := range toks {
		if c.err != nil {
			return
		}
		if leaf[i] {
			c.clauseWord(toks, i)
			continue
		}
		switch t.kind {
		case number, symbol:
		case word:
			if !c.joins(toks, i) && !c.named(toks, i) && !c.applied(toks, i) && !inPivot(pivots, toks, i) {
				c.misplaced(t)
			}
		case quoted, str:
			if !c.named(toks, i) && !(t.kind == str && (inPivot(pivots, toks, i) || c.dialect == ClickHouse)) {
				c.misplaced(t)
			}
		}
	}
}

// joins reports whether a word belongs to the grammar where it stands.
func (c *check) joins(toks []token, i int) bool {
	next := ""
	if i+1 < len(toks) {
		next = toks[i+1].upper
	}
	switch w := toks[i].upper; w {
	case "AT": // AT (VERSION => …) is another table
		return next == "TIME"
	case "INTO": // of UNPIVOT
		return c.dialect == DuckDB && next == "NAME"
	default:
		return c.words[w]
	}
}

func (c *check) misplaced(t token) {
	text := cut(c.text[t.start:t.end])
	switch {
	case t.upper == "FORMAT" || t.upper == "SETTINGS" || t.upper == "INTO" || t.upper == "OUTFILE":
		c.refuse(Rejected, t.start, "leave the clause out: limits and the form of the result are set by the server", "clause %s is not allowed", t.upper)
	case t.kind == str:
		c.refuse(Rejected, t.start, "name a table without quotes, or in double quotes", "a string cannot stand here: %s", text)
	default:
		c.reject(t.start, "%s is not allowed here", text)
	}
}

// mark notes that the tree has what stands in a span.
func (c *check) mark(leaf []bool, toks []token, at sqltree.Span) {
	for i := tokenAt(toks, at.Start); i < len(toks) && toks[i].start < at.End; i++ {
		// A name may be part of a string: those of the columns of values('a Int8', …).
		inside := toks[i].kind == str && toks[i].start < at.Start && at.End < toks[i].end
		if !inside && (toks[i].start < at.Start || toks[i].end > at.End) {
			c.reject(toks[i].start, "the statement can be read in two ways here")
			return
		}
		leaf[i] = true
	}
}

// plain asks that a leaf of several tokens, a type or a constant, has no query in it.
func (c *check) plain(toks []token, at sqltree.Span) {
	for i := tokenAt(toks, at.Start); i < len(toks) && toks[i].start < at.End; i++ {
		switch toks[i].upper {
		case "SELECT", "FROM", "TABLE", "VALUES", "PIVOT":
			c.reject(toks[i].start, "a query cannot stand here")
		}
	}
}

// clauseWord refuses a word that the tree has for a name, an alias for instance, and
// that might begin a clause of ClickHouse instead.
func (c *check) clauseWord(toks []token, i int) {
	if c.dialect != ClickHouse || toks[i].kind != word || i == 0 {
		return
	}
	switch toks[i].upper {
	case "FORMAT", "SETTINGS", "INTO", "OUTFILE":
	case "IDENTIFIER":
		if toks[i-1].upper == ":" {
			c.refuse(Rejected, toks[i].start, "parameters stand for values", "a parameter cannot stand for a name")
		}
		return
	default:
		return
	}
	switch before := toks[i-1]; {
	case before.kind == symbol && before.upper != ")" && before.upper != "]" && before.upper != "}" && before.upper != "*":
	case before.kind == word && (c.words[before.upper] || before.upper == "AS") && before.upper != "END" && before.upper != "NULL" && before.upper != "TRUE" && before.upper != "FALSE":
	default:
		c.misplaced(toks[i])
	}
}

// named reports whether a token only names what stands beside it: AS name, COLLATE
// name, name := value, name => value, and the key of {key: value}.
func (c *check) named(toks []token, i int) bool {
	if i > 0 && (toks[i-1].upper == "AS" || toks[i-1].upper == "COLLATE") {
		return i+1 == len(toks) || toks[i+1].upper != "("
	}
	if i+2 >= len(toks) || toks[i+1].kind != symbol {
		return false
	}
	next := toks[i+1].upper + toks[i+2].upper
	switch {
	case next == ":=" || next == "=>":
		return true
	case toks[i+1].upper == ":":
		return next != "::" && i > 0 && (toks[i-1].upper == "{" || toks[i-1].upper == ",")
	}
	return false
}

// inPivot reports whether a token is a value in a list of PIVOT, which the parser
// passes over.
func inPivot(pivots []sqltree.Span, toks []token, i int) bool {
	if i == 0 || i+1 >= len(toks) || !strings.Contains("(,", toks[i-1].upper) || toks[i-1].upper == "" {
		return false
	}
	if next := toks[i+1].upper; next != ")" && next != "," && next != "AS" {
		return false
	}
	for _, p := range pivots {
		if p.Start <= toks[i].start && toks[i].end <= p.End {
			return true
		}
	}
	return false
}

// applied reports whether a word stands in ClickHouse's APPLY (f), APPLY f, APPLY f(0.5)
// or APPLY(x -> f(x)), or in INTERPOLATE (c AS f(c)), which the parser passes over: it
// is a function that may be called, a parameter or a column.
func (c *check) applied(toks []token, i int) bool {
	if c.dialect != ClickHouse || i == 0 {
		return false
	}
	called := i+1 < len(toks) && toks[i+1].upper == "("
	open := opener(toks, i)
	of := ""
	if open > 0 {
		of = toks[open-1].upper
	}
	switch {
	case toks[i-1].upper == "APPLY":
	case of == "INTERPOLATE" && !called:
		return true
	case of == "APPLY" && !called && open+3 < len(toks) && toks[open+2].upper+toks[open+3].upper == "->":
		return toks[i].upper == toks[open+1].upper
	case of != "APPLY" && of != "INTERPOLATE":
		return false
	}
	name := lower(c.text[toks[i].start:toks[i].end])
	if !c.allowed(name) {
		return false
	}
	c.called[name] = true
	return true
}

// opener returns the outermost bracket around token i that belongs to APPLY or
// INTERPOLATE; 0 if there is none, or if a query or IN stands before the token in it.
func opener(toks []token, i int) int {
	depth := 0
	for j := i - 1; j > 0; j-- {
		switch toks[j].upper {
		case ")":
			depth++
		case "(":
			if depth--; depth < 0 {
				if before := toks[j-1].upper; before == "APPLY" || before == "INTERPOLATE" {
					return j
				}
				depth = 0
			}
		case "SELECT", "FROM", "IN":
			return 0
		}
	}
	return 0
}
