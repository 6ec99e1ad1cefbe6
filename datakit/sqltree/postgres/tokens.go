package postgres

import "github.com/quartet-mcp/quartet/datakit/sqltree"

// TokenKind is the kind of a [Token].
type TokenKind uint8

// The kinds.
const (
	Word     TokenKind = iota // a keyword or unquoted name
	Quoted                    // "…", U&"…"
	String                    // '…' in all its forms, $$…$$
	Number                    //
	Param                     // $1
	Operator                  // also :: := =>
	Punct                     // ( ) [ ] , ; . :
	Meta                      // a psql meta-command with its arguments
)

// Token is a piece of a text.
type Token struct {
	sqltree.Span
	Kind TokenKind
	// Match is the index of a bracket's counterpart in the list of tokens; else -1.
	Match int
}

// Tokens cuts a text into tokens as the server's scanner does; comments and the rows
// of COPY are left out. It is for what the tree of a statement leaves out of a text
// that [Parse] took, and for clauses of relatives of PostgreSQL that Parse does not
// take. Every error is a [*sqltree.SyntaxError].
func Tokens(text string) ([]Token, error) {
	l, err := lex(text)
	if err != nil {
		return nil, err
	}
	toks := make([]Token, len(l.toks))
	for i, t := range l.toks {
		toks[i] = Token{Span: span{Start: int(t.start), End: int(t.end)}, Kind: TokenKind(t.kind), Match: int(t.match)}
	}
	return toks, nil
}

// Unquote returns the name that a quoted token ("…", U&"…") stands for.
func Unquote(quoted string) string { return unquote(quoted) }

// Split cuts a script where its statements end, without a look at their grammar: each
// piece is one statement with what stands before it and its semicolon, or what psql
// takes for itself. The pieces make up the text, but for the rows of COPY, which are
// left out. Where the text cannot be cut any further, because a string, a comment or a
// bracket is never closed, the rest is the last piece.
func Split(text string) []sqltree.Span {
	l, _ := lexPart(text)
	var pieces []sqltree.Span
	start := 0
	for _, b := range l.breaks {
		if b.end > start {
			pieces = append(pieces, span{Start: start, End: b.end})
		}
		start = b.resume
		if last := b.token - 1; last >= 0 && l.toks[last].kind == metaToken && int(l.toks[last].start) == b.end {
			pieces = append(pieces, span{Start: b.end, End: start})
		}
	}
	if start < len(text) {
		pieces = append(pieces, span{Start: start, End: len(text)})
	}
	return pieces
}
