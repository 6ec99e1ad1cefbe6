package sqlguard

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
)

// statement judges the whole text.
func (c *check) statement() {
	for len(c.toks) > 0 && c.is(len(c.toks)-1, ";") {
		c.toks = c.toks[:len(c.toks)-1]
	}
	if len(c.toks) == 0 {
		c.reject(0, "there is no statement in the text")
		return
	}
	for i := range c.toks {
		if c.is(i, ";") {
			c.refuse(Rejected, c.toks[min(i+1, len(c.toks)-1)].start, "send one statement at a time",
				"one statement is allowed, and a second begins here")
			return
		}
	}
	first := 0
	for c.is(first, "(") {
		first++
	}
	switch w := c.upper(first); w {
	case "SELECT", "WITH", "FROM", "VALUES":
		c.kind = Select
		c.query(0)
	case "TABLE", "PIVOT", "UNPIVOT":
		// DuckDB's other ways to write a SELECT.
		if c.dialect != DuckDB || first > 0 {
			c.unknownStatement(first)
			return
		}
		c.kind = Select
		c.query(0)
	case "EXPLAIN", "DESCRIBE", "DESC", "SHOW", "SUMMARIZE", "EXISTS":
		if first > 0 || w == "SUMMARIZE" && c.dialect != DuckDB || w == "EXISTS" && c.dialect != ClickHouse {
			c.unknownStatement(first)
			return
		}
		map[string]func(){
			"EXPLAIN": c.explain, "DESCRIBE": c.describe, "DESC": c.describe, "SHOW": c.show, "SUMMARIZE": c.summarize, "EXISTS": c.exists,
		}[w]()
	default:
		c.unknownStatement(first)
	}
}

func (c *check) unknownStatement(i int) {
	found := "the end of the text"
	if i < len(c.toks) {
		found = `"` + cut(c.text[c.toks[i].start:c.toks[i].end]) + `"`
	}
	c.refuse(Rejected, c.startOf(i), "begin with SELECT, WITH, FROM, VALUES, EXPLAIN, DESCRIBE or SHOW",
		"only statements that read are allowed, and none of them begins with %s", found)
}

// ---- tokens

func (c *check) upper(i int) string {
	if i < 0 || i >= len(c.toks) {
		return ""
	}
	return c.toks[i].upper
}

// is reports whether a word or symbol stands at token i.
func (c *check) is(i int, upper string) bool { return c.upper(i) == upper }

// are reports whether words stand from token i on.
func (c *check) are(i int, words ...string) bool {
	for n, w := range words {
		if !c.is(i+n, w) {
			return false
		}
	}
	return true
}

func (c *check) startOf(i int) int {
	if i < len(c.toks) {
		return c.toks[i].start
	}
	return len(c.text)
}

// ended refuses what stands behind a whole statement.
func (c *check) ended(i int) {
	if i < len(c.toks) {
		c.reject(c.toks[i].start, "the statement should end before %q", cut(c.text[c.toks[i].start:c.toks[i].end]))
	}
}

// begins reports whether a query begins at token i.
func (c *check) begins(i int) bool {
	for c.is(i, "(") {
		i++
	}
	switch c.upper(i) {
	case "SELECT", "WITH", "VALUES", "FROM":
		return true
	case "TABLE", "PIVOT", "UNPIVOT":
		return c.dialect == DuckDB
	}
	return false
}

// ---- statements about a query

// query judges the query that begins at token i and goes on to the end.
func (c *check) query(i int) {
	if !c.begins(i) {
		c.unknownStatement(i)
		return
	}
	// The text before it becomes blank, so that places stay what they are.
	start := c.toks[i].start
	end := c.toks[len(c.toks)-1].end
	script, err := generic.Parse(c.dialect, strings.Repeat(" ", start)+c.text[start:end])
	if err != nil {
		c.syntax(err)
		return
	}
	st, err := sqltree.One(script)
	if err != nil {
		c.syntax(err)
		return
	}
	q, ok := st.(*sqltree.Query)
	if !ok {
		c.reject(st.Pos().Start, "only statements that read are allowed")
		return
	}
	c.cover(q, c.toks[i:])
	if c.err == nil {
		w := walker{check: c}
		w.query(q, &scope{})
	}
}

// explain judges EXPLAIN of a query. EXPLAIN ANALYZE runs it.
func (c *check) explain() {
	c.kind = Explain
	i := 1
	if c.dialect == DuckDB {
		switch {
		case c.is(i, "ANALYZE"):
			i++
		case c.is(i, "(") && !c.begins(i):
			i = c.explainOptions(i)
		}
		c.query(i)
		return
	}
	for _, kind := range [][]string{{"QUERY", "TREE"}, {"AST"}, {"SYNTAX"}, {"PLAN"}, {"PIPELINE"}, {"ESTIMATE"}, {"ANALYZE"}} {
		if c.are(i, kind...) {
			i += len(kind)
			break
		}
	}
	for i+2 < len(c.toks) && c.is(i+1, "=") {
		if !explainSettings[c.upper(i)] || c.toks[i+2].kind != number {
			c.reject(c.startOf(i), "%q is no setting of EXPLAIN", cut(c.text[c.startOf(i):c.toks[i].end]))
			return
		}
		if i += 3; c.is(i, ",") {
			i++
		}
	}
	c.query(i)
}

// explainSettings say how ClickHouse shows a plan.
var explainSettings = names(strings.ToUpper("header description indexes projections actions json graph compact sorting keep_logical_steps distributed " +
	"optimize oneline run_passes dump_passes dump_tree dump_ast passes run_query_tree_passes query_tree_passes input_headers column_structure"))

// explainOptions reads (ANALYZE, FORMAT json) and returns the token behind it.
func (c *check) explainOptions(i int) int {
	for i++; i < len(c.toks) && !c.is(i, ")"); i++ {
		switch c.upper(i) {
		case "ANALYZE", "FORMAT", "JSON", "TEXT", "HTML", "GRAPHVIZ", "YAML", "MERMAID", "TRUE", ",":
		default:
			c.reject(c.startOf(i), "%q is no option of EXPLAIN", cut(c.text[c.startOf(i):c.toks[i].end]))
			return i
		}
	}
	return i + 1
}

// describe judges DESCRIBE of a relation or of a query.
func (c *check) describe() {
	c.kind = Describe
	i := 1
	if c.dialect == ClickHouse && c.is(i, "TABLE") {
		i++
	}
	c.about(i)
}

func (c *check) summarize() {
	c.kind = Summarize
	if c.begins(1) {
		c.query(1)
		return
	}
	r, i := c.relationAt(1)
	c.ended(i)
	if c.err == nil {
		c.unfiltered(r, c.startOf(1))
	}
}

// about judges a query or the name of one relation.
func (c *check) about(i int) {
	if c.begins(i) {
		c.query(i)
		return
	}
	_, i = c.relationAt(i)
	c.ended(i)
}

// ---- statements about names

// show judges the forms of SHOW that tell about allowed relations.
func (c *check) show() {
	c.kind = Show
	if c.dialect == DuckDB {
		switch {
		case c.is(1, "TABLES"), c.is(1, "DATABASES"), c.is(1, "SCHEMAS"):
			i := 2
			if c.is(1, "TABLES") && c.is(2, "FROM") {
				i = c.databaseAt(3)
			}
			c.ended(i)
		case c.are(1, "ALL", "TABLES") && len(c.denied) == 0:
			c.ended(3)
		case c.are(1, "ALL", "TABLES"):
			c.refuse(RelationDenied, c.startOf(1), "SHOW TABLES lists names alone", "the list has the columns of relations that may not be read")
		default:
			_, i := c.relationAt(1)
			c.ended(i)
		}
		return
	}
	i := 1
	for c.is(i, "FULL") || c.is(i, "EXTENDED") {
		i++
	}
	switch c.upper(i) {
	case "TABLES":
		if i++; c.is(i, "FROM") || c.is(i, "IN") {
			i = c.databaseAt(i + 1)
		}
		c.ended(c.pattern(i))
	case "DATABASES":
		c.ended(c.pattern(i + 1))
	case "CREATE":
		if i++; c.is(i, "TABLE") || c.is(i, "VIEW") {
			i++
		}
		_, i = c.relationAt(i)
		c.ended(i)
	case "COLUMNS", "FIELDS", "INDEX", "INDEXES", "INDICES", "KEYS":
		i++
		if !c.is(i, "FROM") && !c.is(i, "IN") {
			c.reject(c.startOf(i), "the name of a relation should follow")
			return
		}
		// FROM t FROM d is FROM d.t.
		names, end := c.nameAt(i + 1)
		if len(names) == 1 && (c.is(end, "FROM") || c.is(end, "IN")) {
			database, e := c.nameAt(end + 1)
			names, end = append(database, names...), e
		}
		c.relation(names, c.startOf(i+1))
		c.ended(c.pattern(end))
	default:
		c.refuse(Rejected, c.startOf(i), "SHOW TABLES, DATABASES, COLUMNS, INDEXES and CREATE TABLE are", "this form of SHOW is not allowed")
	}
}

// pattern passes over [NOT] LIKE 'x' and LIMIT n.
func (c *check) pattern(i int) int {
	at := i
	if c.is(i, "NOT") {
		i++
	}
	if (c.is(i, "LIKE") || c.is(i, "ILIKE")) && i+1 < len(c.toks) && c.toks[i+1].kind == str {
		at, i = i+2, i+2
	}
	if c.is(i, "LIMIT") && i+1 < len(c.toks) && c.toks[i+1].kind == number {
		at = i + 2
	}
	return at
}

// exists judges ClickHouse's EXISTS of a relation.
func (c *check) exists() {
	c.kind = Exists
	i := 1
	if c.is(i, "TABLE") || c.is(i, "VIEW") {
		i++
	}
	_, i = c.relationAt(i)
	c.ended(i)
}

// databaseAt judges the name of a database and returns the token behind it.
func (c *check) databaseAt(i int) int {
	parts, end := c.nameAt(i)
	if c.err != nil {
		return end
	}
	if len(parts) == 2 && c.dialect == DuckDB && c.catalog != "" && c.fold(parts[0]) == c.fold(c.catalog) {
		parts = parts[1:]
	}
	if _, ok := c.logical[c.fold(parts[0])]; !ok || len(parts) > 1 {
		c.refuse(RelationDenied, c.startOf(i), c.databaseHint(), "database %q is not among those that may be read", cut(parts[0]))
	}
	return end
}

// relationAt judges the relation named at token i and returns the token behind it.
func (c *check) relationAt(i int) (Relation, int) {
	parts, end := c.nameAt(i)
	if c.err != nil {
		return Relation{}, end
	}
	return c.relation(parts, c.startOf(i)), end
}

// nameAt reads a name with its qualifiers.
func (c *check) nameAt(i int) ([]string, int) {
	var parts []string
	for {
		if i >= len(c.toks) || c.toks[i].kind != word && c.toks[i].kind != quoted {
			c.reject(c.startOf(i), "the name of a relation should stand here")
			return nil, i
		}
		t := c.toks[i]
		parts = append(parts, c.part(t.start, t.end))
		if i++; !c.is(i, ".") {
			return parts, i
		}
		i++
	}
}

// part is one part of a name, which stands in the text from start to end.
func (c *check) part(start, end int) string {
	s := c.text[start:end]
	if q := s[0]; q == '"' || q == '`' {
		return strings.ReplaceAll(s[1:len(s)-1], string([]byte{q, q}), string([]byte{q}))
	}
	return s
}

// syntax makes a refusal of the parser's error.
func (c *check) syntax(err error) {
	var at int
	message := err.Error()
	if e, ok := err.(*sqltree.SyntaxError); ok { //nolint:errorlint // the front end returns no other
		at, message = e.Start, e.Message
	}
	c.reject(at, "the statement is not understood: %s", message)
}

// tokenAt returns the first token that ends behind a place in the text.
func tokenAt(toks []token, at int) int {
	i, _ := slices.BinarySearchFunc(toks, at, func(t token, at int) int {
		if t.end <= at {
			return -1
		}
		return 1
	})
	return i
}
