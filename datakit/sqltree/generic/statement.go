package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// statement reads one statement, which may hold others.
func (p *parser) statement() sqltree.Statement {
	if !p.enter() {
		p.leave()
		return &sqltree.Other{}
	}
	s := p.statementAt(p.start())
	p.leave()
	return s
}

func (p *parser) statementAt(start int) sqltree.Statement {
	w, next := p.word(), p.wordAt(1)
	switch w {
	case "SELECT", "VALUES", "TABLE":
		return p.queryBody()
	case "(":
		if p.queryAt(p.i) {
			return p.queryBody()
		}
	case "FROM", "PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER":
		if p.fromFirst {
			return p.queryBody()
		}
	case "WITH":
		return p.nested()
	case "INSERT", "UPDATE", "DELETE", "MERGE":
		if w == "UPDATE" && p.pathTables && strings.EqualFold(p.textAt(p.i+1), "extensions") && (p.atEndOf(p.i+2) || p.wordAt(2) == "(") {
			return p.other(start)
		}
		return p.modifying(nil, start)
	case "REPLACE":
		if next == "INTO" || p.toks[p.i+1].kind != symbolToken && p.stringAlias {
			return p.insert(nil, start)
		}
	case "CREATE":
		return p.create(start)
	case "ALTER":
		return p.alter(start)
	case "DROP":
		return p.drop(start)
	case "TRUNCATE":
		return p.truncate(start)
	case "COMMENT":
		if next == "ON" || next == "IF" {
			return p.comment(start)
		}
	case "EXPLAIN":
		return p.explain(start)
	case "DESCRIBE", "DESC", "SUMMARIZE":
		return p.describe(start)
	case "SHOW":
		return p.show(start)
	case "PREPARE", "DECLARE", "COPY":
		return p.wrapped(start)
	case "BEGIN", "IF", "WHILE", "LOOP", "FOR", "REPEAT", "CASE":
		return p.block(start)
	case "LET", "RETURN", "RAISE", "SIGNAL", "ASSERT", "LEAVE", "BREAK", "CONTINUE", "ITERATE":
		return p.other(start)
	}
	if p.kind() == wordToken && statementWords[strings.ToUpper(p.textAt(p.i))] {
		return p.other(start)
	}
	p.unexpected("a statement")
	return &sqltree.Other{}
}

// statementWords begin the statements that the tree has no type for.
var statementWords = wordSetUpper(`SET BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE END ABORT GRANT REVOKE PRAGMA ATTACH DETACH VACUUM ANALYZE
	ANALYSE REINDEX USE CALL EXECUTE EXEC DEALLOCATE LOCK UNLOCK OPTIMIZE KILL SYSTEM EXCHANGE RENAME UNDROP PUT GET LIST LS REMOVE RM
	EXPORT IMPORT LOAD INSTALL UNINSTALL CHECKPOINT CHECK FORCE RESET UNSET LISTEN NOTIFY UNLISTEN DISCARD REFRESH SECURITY REASSIGN CLUSTER DO
	FLUSH PURGE CHANGE HANDLER HELP CACHE UNCACHE FETCH CLOSE MOVE BACKUP RESTORE WATCH EXISTS CHECKSUM REPAIR XA SHUTDOWN RECLUSTER PRINT
	OPEN SIGNAL UNLOAD MSCK CLEAR STOP BINLOG CLONE RESIGNAL`)

func wordSetUpper(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// block passes over a statement of a procedural dialect with others inside:
// BEGIN … END, IF … END IF. It becomes one statement with a note.
func (p *parser) block(start int) sqltree.Statement {
	w := p.word()
	if next := p.wordAt(1); w == "BEGIN" && (p.atEndOf(p.i+1) || next == "TRANSACTION" || next == "WORK" || next == "IMMEDIATE" ||
		next == "DEFERRED" || next == "EXCLUSIVE" || next == "NAME") {
		return p.other(start)
	}
	p.skipBlock()
	s := &sqltree.Other{Span: p.from(start), Kind: w}
	p.note(s.Span, "statements inside a block are not read")
	return s
}

// skipBlock passes over nested blocks to the semicolon behind them. Blocks that
// end with END count; END IF and the like end what IF began.
func (p *parser) skipBlock() {
	open := 0
	before := ""
	for p.kind() != endToken {
		switch w := p.word(); w {
		case "BEGIN", "CASE":
			if before != "END" {
				open++
			}
		case "IF", "LOOP", "WHILE", "FOR", "REPEAT":
			// A statement's first word begins a block; elsewhere it is a function
			// or belongs to END.
			if before == "" || before == ";" || before == "THEN" || before == "ELSE" || before == "BEGIN" || before == "LOOP" || before == "DO" {
				if w != "FOR" || p.d != sqltree.Postgres {
					open++
				}
			}
		case "END":
			open--
		case ";":
			if open <= 0 {
				return
			}
		}
		before = p.word()
		if p.kind() != wordToken && before == "" {
			before = "x"
		} else if before == "" {
			before = "name"
		}
		p.skip()
	}
}

func (p *parser) explain(start int) sqltree.Statement {
	p.i++
	x := &sqltree.Explain{}
	if p.is("(") && !p.queryAt(p.i) {
		for i := p.i; i < int(p.toks[p.i].match); i++ {
			if p.isAt(i, "ANALYZE") || p.isAt(i, "ANALYSE") {
				value := strings.ToLower(p.textAt(i + 1))
				x.Analyze = value != "false" && value != "off" && value != "0"
			}
		}
		p.skip()
	}
	for p.err == nil && !p.beginsStatement() && !p.atEnd() {
		if p.acceptAny("ANALYZE", "ANALYSE") {
			x.Analyze = true
			continue
		}
		if p.kind() == symbolToken && !p.is("=") && !p.is(",") {
			break
		}
		p.i++
	}
	if p.beginsStatement() {
		x.Statement = p.statement()
	} else if p.clickhouse || p.isAt(p.i-1, "PLAN") {
		p.unexpected("a statement")
	} else {
		// EXPLAIN t describes a table.
		p.i = p.indexAt(start)
		return p.describe(start)
	}
	x.Span = p.from(start)
	return x
}

// beginsStatement reports whether a statement that is worth explaining begins.
func (p *parser) beginsStatement() bool {
	switch p.word() {
	case "SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "CREATE", "EXECUTE", "ALTER", "DROP", "CALL":
		return true
	case "FROM", "PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER":
		return p.fromFirst
	case "TABLE":
		return p.toks[p.i+1].kind == wordToken || p.toks[p.i+1].kind == quotedToken
	case "(":
		return p.queryAt(p.i)
	}
	return false
}

// objectWords are the words of DDL that name a kind of object in two words or
// more; others have one.
var objectWords = [][]string{
	{"MATERIALIZED", "VIEW"}, {"MACRO", "TABLE"}, {"FOREIGN", "TABLE"}, {"FOREIGN", "DATA", "WRAPPER"}, {"EVENT", "TRIGGER"},
	{"USER", "MAPPING"}, {"ACCESS", "METHOD"}, {"OPERATOR", "CLASS"}, {"OPERATOR", "FAMILY"}, {"FILE", "FORMAT"},
	{"MASKING", "POLICY"}, {"ROW", "ACCESS", "POLICY"}, {"ROW", "POLICY"}, {"NAMED", "COLLECTION"}, {"SETTINGS", "PROFILE"},
	{"SEARCH", "INDEX"}, {"VECTOR", "INDEX"}, {"RESOURCE", "MONITOR"}, {"NETWORK", "POLICY"}, {"STORAGE", "INTEGRATION"},
}

// object reads the kind of an object.
func (p *parser) object() string {
next:
	for _, words := range objectWords {
		for n, w := range words {
			if p.toks[p.i+min(n, len(p.toks)-1-p.i)].kind != wordToken || !strings.EqualFold(p.textAt(min(p.i+n, len(p.toks)-1)), w) {
				continue next
			}
		}
		p.i += len(words)
		return strings.Join(words, " ")
	}
	if p.kind() != wordToken {
		p.unexpected("a kind of object")
		return ""
	}
	p.i++
	return strings.ToUpper(p.textAt(p.i - 1))
}

func (p *parser) ifExists() bool {
	return p.accept("IF", "EXISTS")
}

func (p *parser) ifNotExists() bool {
	return p.accept("IF", "NOT", "EXISTS")
}

func (p *parser) drop(start int) sqltree.Statement {
	p.i++
	p.acceptAny("TEMPORARY", "TEMP", "EXTERNAL", "TRANSIENT")
	if p.dashNames && p.are("ALL", "ROW") {
		s := &sqltree.Other{Kind: "DROP ALL ROW ACCESS POLICIES"}
		for !p.atEnd() && !p.accept("ON") {
			p.i++
		}
		p.relationList(s)
		s.Span = p.from(start)
		return s
	}
	d := &sqltree.Drop{}
	if p.dashNames && p.accept("TABLE", "FUNCTION") {
		d.Kind = "TABLE FUNCTION"
	} else if p.dashNames && p.accept("SNAPSHOT", "TABLE") {
		d.Kind = "TABLE"
	} else {
		d.Kind = p.object()
	}
	p.accept("CONCURRENTLY")
	d.IfExists = p.ifExists()
	switch d.Kind {
	case "CAST", "TRANSFORM", "OPERATOR":
		p.skipStatement()
		d.Span = p.from(start)
		return d
	}
	for p.err == nil {
		if p.kind() == paramToken || p.kind() == templateToken || p.is("{") || p.is("?") {
			p.skip()
		} else {
			n := p.name()
			d.Names = append(d.Names, n)
		}
		if p.is("(") {
			p.skip() // the arguments of a function
		}
		if p.kind() == paramToken && p.stringAlias && (d.Kind == "USER" || d.Kind == "ROLE") {
			p.i++ // the host of user@host
		}
		if !p.accept(",") {
			break
		}
	}
	switch d.Kind {
	case "TRIGGER", "RULE", "POLICY", "ROW POLICY":
		if p.accept("ON") && len(d.Names) > 0 {
			// The object is part of a table: its name comes last.
			of := p.name()
			n := &d.Names[len(d.Names)-1]
			n.Parts = append(of.Parts, n.Parts...)
			n.Span = p.from(n.Start)
		}
	}
	if p.err == nil && !p.is(";") && p.kind() != endToken {
		if !p.isAny("CASCADE", "RESTRICT", "ON", "PURGE", "SETTINGS", "ALTER", "FORCE", "NO", "WAIT", "NOWAIT") && p.kind() != wordToken {
			p.unexpected("the end of the statement")
			return d
		}
		if p.toks[p.i].word == 0 && !p.clickhouse {
			p.unexpected("CASCADE, RESTRICT or the end of the statement")
			return d
		}
		p.skipStatement()
	}
	d.Span = p.from(start)
	return d
}

func (p *parser) truncate(start int) sqltree.Statement {
	p.i++
	if p.is("TABLE") || p.is("DATABASE") {
		p.i++
	}
	p.ifExists()
	t := &sqltree.Truncate{}
	for p.err == nil {
		p.accept("ONLY")
		t.Tables = append(t.Tables, p.relationName())
		p.accept("*")
		if !p.accept(",") {
			break
		}
	}
	if p.isAny("RESTART", "CONTINUE", "CASCADE", "RESTRICT", "ON", "SETTINGS", "DROP", "PARTITION") {
		p.skipStatement()
	}
	t.Span = p.from(start)
	return t
}

func (p *parser) comment(start int) sqltree.Statement {
	p.i++
	p.ifExists()
	p.expect("ON")
	c := &sqltree.Comment{Kind: p.object()}
	if p.is("(") {
		p.skip()
	} else {
		c.Name = p.name()
		if p.is("(") {
			p.skip()
		}
		if p.accept("ON") {
			p.accept("DOMAIN")
			of := p.name()
			c.Name.Parts = append(of.Parts, c.Name.Parts...)
			c.Name.Span = p.from(c.Name.Start)
		}
	}
	p.expect("IS")
	if !p.accept("NULL") {
		if p.kind() != stringToken {
			p.unexpected("a string or NULL")
			return c
		}
		at := p.start()
		s := p.stringLiteral(at).(*sqltree.Literal).Value
		c.Text = &s
	}
	c.Span = p.from(start)
	return c
}
