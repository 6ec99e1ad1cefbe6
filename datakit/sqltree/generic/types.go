package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// typeName reads a type. Names of several words that dialects build in are one
// identifier, its words with one space between them in the order of the text:
// timestamp(3) with time zone is "timestamp with time zone".
func (p *parser) typeName() sqltree.TypeName {
	var t sqltree.TypeName
	start := p.start()
	p.accept("SETOF")
	if !p.isName() || p.reserved(p.i) && p.wordAt(1) != "(" {
		p.unexpected("a type")
		return t
	}
	if !p.enter() {
		p.leave()
		return t
	}
	t.Name = p.name()
	word := ""
	if len(t.Name.Parts) == 1 && !t.Name.Parts[0].Quoted {
		word = strings.ToUpper(t.Name.Parts[0].Name)
	}
	switch word {
	case "DOUBLE":
		p.more(&t, "PRECISION")
	case "NATIONAL":
		if p.more(&t, "CHARACTER") || p.more(&t, "CHAR") {
			p.more(&t, "VARYING")
		}
	case "CHARACTER", "CHAR", "NCHAR", "BIT", "BINARY":
		p.more(&t, "VARYING")
	case "SIGNED", "UNSIGNED":
		if len(p.textAt(p.i)) >= 3 && strings.HasPrefix(strings.ToUpper(p.textAt(p.i)), "INT") {
			p.addWords(&t, 1)
		}
	}
	if p.is("%") && p.touching(p.i) && p.kind() == symbolToken && p.toks[p.i+1].kind == wordToken {
		p.i += 2 // %TYPE, %ROWTYPE
	}
	for p.d == sqltree.SQLite && p.kind() == wordToken && !p.columnEnds() {
		p.addWords(&t, 1)
	}
	if p.is("(") {
		t.Args = p.typeArgs()
	} else if p.is("<") && p.angleTypes {
		p.angles(&t)
		// What follows ARRAY<…> are its elements.
		t.Span = p.from(start)
		p.leave()
		return t
	}
	switch word {
	case "TIMESTAMP", "TIME", "DATETIME":
		if !p.more(&t, "WITH", "TIME", "ZONE") && !p.more(&t, "WITHOUT", "TIME", "ZONE") {
			p.more(&t, "WITH", "LOCAL", "TIME", "ZONE")
		}
	case "INTERVAL":
		if p.unitAt(p.i) && (p.typedStrings || p.stringAlias && p.d != sqltree.SQLite) {
			from := p.i
			p.unit()
			n := p.i - from
			p.i = from
			p.addWords(&t, n)
		}
	default:
		if p.d == sqltree.MySQL || p.d == sqltree.MariaDB || p.d == sqltree.Generic || p.d == sqltree.SQLite {
			for p.more(&t, "UNSIGNED") || p.more(&t, "SIGNED") || p.more(&t, "ZEROFILL") {
			}
		}
	}
	if p.accept("CHARACTER", "SET") || p.accept("CHARSET") {
		p.name()
	}
	for p.is("[") || p.is("ARRAY") && p.wordAt(1) != "JOIN" && p.typedStrings {
		if p.accept("ARRAY") && !p.is("[") {
			t.Array++
			break
		}
		if end := int(p.toks[p.i].match); end > p.i+2 || end == p.i+2 && p.toks[p.i+1].kind != numberToken {
			break // a subscript behind a cast
		}
		p.skip()
		t.Array++
	}
	t.Span = p.from(start)
	p.leave()
	return t
}

// more adds the words to the name if they stand at the cursor.
func (p *parser) more(t *sqltree.TypeName, words ...string) bool {
	if !p.are(words...) {
		return false
	}
	p.addWords(t, len(words))
	return true
}

func (p *parser) addWords(t *sqltree.TypeName, n int) {
	part := &t.Name.Parts[len(t.Name.Parts)-1]
	for ; n > 0; n-- {
		part.Name += " " + p.textAt(p.i)
		p.i++
	}
	part.Span = p.from(part.Start)
	t.Name.Span = p.from(t.Name.Start)
}

// typeArgs reads (10, 2) as written.
func (p *parser) typeArgs() []string {
	end := int(p.toks[p.i].match)
	var args []string
	for p.i++; p.i < end; {
		start := p.start()
		for p.i < end && !p.is(",") {
			p.skip()
		}
		args = append(args, strings.TrimSpace(p.textFrom(start)))
		p.accept(",")
	}
	p.i = end + 1
	return args
}

// angles reads <…> of ARRAY<STRUCT<a INT64>>.
func (p *parser) angles(t *sqltree.TypeName) {
	p.i++
	depth := 1
	start := p.start()
	for depth > 0 {
		if p.atEnd() {
			p.unexpected(`">"`)
			return
		}
		switch p.word() {
		case "<":
			depth++
		case "<>": // STRUCT<>
		case ">":
			depth--
		case ">>":
			depth -= 2
		case ">>>":
			depth -= 3
		case ",":
			if depth == 1 {
				t.Args = append(t.Args, p.textFrom(start))
				p.i++
				start = p.start()
				continue
			}
		}
		p.skip()
	}
	end := int(p.toks[p.i-1].end) - 1
	if end > start {
		t.Args = append(t.Args, strings.TrimSpace(p.text[start:end]))
	}
}
