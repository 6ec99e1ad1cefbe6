package parse

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

// Parse parses a text of any number of statements. Every error is a
// [*sqltree.SyntaxError]. It is safe for concurrent use.
//
// PostgreSQL's own grammar decides about its dialect, but for text that is not
// meant for the server as it stands: with placeholders of a client library (?,
// :name, @name, %s, {name}) or template tags it is parsed by package generic. The
// grammar takes some of those for its own operators (a = @name), which is why a
// text that it accepts may go there too.
//
// For MySQL and MariaDB TiDB's grammar is heard, which lacks some of their syntax:
// a statement that it refuses and package generic parses is accepted with a note
// of the refusal ([mysql.ParseLenient]). All other dialects are those of package generic.
func Parse(d sqltree.Dialect, text string) (*sqltree.Script, error) {
	switch d {
	case sqltree.Postgres:
		return parsePostgres(text)
	case sqltree.MySQL, sqltree.MariaDB:
		return mysql.ParseLenient(d, text)
	}
	return generic.Parse(d, text)
}

func parsePostgres(text string) (*sqltree.Script, error) {
	const d = sqltree.Postgres
	s, err := postgres.Parse(text)
	if err == nil && !mistaken(s) {
		return s, nil
	}
	if g, gerr := generic.Parse(d, text); gerr == nil && (err == nil || foreign(g)) {
		return g, nil
	}
	return s, err
}

// foreign reports whether a script has placeholders that PostgreSQL itself does
// not know, or template tags.
func foreign(s *sqltree.Script) bool {
	found := false
	for _, n := range s.Notes {
		tag := s.Text[n.Start:n.End]
		found = found || strings.Contains(tag, "{{") || strings.Contains(tag, "{%")
	}
	sqltree.Inspect(s, func(n sqltree.Node) bool {
		if p, ok := n.(*sqltree.Param); ok {
			text := s.Text[p.Start:p.End]
			found = found || text[0] != '$' || strings.HasPrefix(text, "${")
		}
		return !found
	})
	return found
}

// mistaken reports whether the grammar took a placeholder for an operator: a
// prefix operator that touches a name or number (@name, ?1, %s), or one that ends
// in such a character (=@name).
func mistaken(s *sqltree.Script) bool {
	if !strings.ContainsAny(s.Text, "@?%#") {
		return false
	}
	found := false
	sqltree.Inspect(s, func(n sqltree.Node) bool {
		op, ok := n.(*sqltree.Op)
		if !ok || len(op.Args) == 0 {
			return !found
		}
		last := op.Args[len(op.Args)-1].Pos()
		switch op.Name {
		case "@", "?", "%", "#":
			found = found || len(op.Args) == 1 && op.Start+1 == last.Start && placeable(op.Args[0])
		case "=@", "<>@", "!=@", ">=@", "<=@", ">@", "+@", "*@", "/@", "=%", "<>%", "!=%", ">=%", "<=%", "=?", "<>?":
			found = found || strings.HasSuffix(s.Text[:last.Start], op.Name[len(op.Name)-1:]) && placeable(op.Args[len(op.Args)-1])
		}
		return !found
	})
	return found
}

// placeable reports whether an operand could be the name of a placeholder.
func placeable(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Column:
		return len(e.Parts) == 1 && !e.Parts[0].Quoted
	case *sqltree.Literal:
		return e.Kind == sqltree.NumberLiteral
	}
	return false
}
