package validate

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// words reads the tokens of a text of PostgreSQL that the model keeps as it is. It never
// reads beyond the end.
type words struct {
	text string
	toks []postgres.Token
	i    int
}

// wordsOf reads a text; one that cannot be cut into tokens has none.
func wordsOf(text string) *words {
	toks, err := postgres.Tokens(text)
	if err != nil {
		toks = nil
	}
	return &words{text: text, toks: toks}
}

func (w *words) done() bool { return w.i >= len(w.toks) }

// peek is the token at hand, words in upper case; empty at the end.
func (w *words) peek() string {
	if w.done() {
		return ""
	}
	t := w.toks[w.i]
	if s := w.text[t.Start:t.End]; t.Kind == postgres.Word {
		return strings.ToUpper(s)
	} else {
		return s
	}
}

// accept passes over words and signs, if they are next.
func (w *words) accept(list ...string) bool {
	at := w.i
	for _, s := range list {
		if w.peek() != s {
			w.i = at
			return false
		}
		w.i++
	}
	return true
}

// find goes to the next token outside of brackets that is s; if there is none it stays
// where it is.
func (w *words) find(s string) bool {
	at := w.i
	for !w.done() {
		if w.peek() == s {
			return true
		}
		w.skip()
	}
	w.i = at
	return false
}

// skip passes over a token, or over a bracket with all that is in it.
func (w *words) skip() {
	if m := w.toks[w.i].Match; m > w.i {
		w.i = m
	}
	w.i++
}

// group is the text in the brackets that are next, and passes over them.
func (w *words) group() (string, bool) {
	if w.done() || w.toks[w.i].Match <= w.i {
		return "", false
	}
	from := w.toks[w.i]
	to := w.toks[from.Match]
	w.i = from.Match + 1
	return w.text[from.End:to.Start], true
}

// item is the text up to the next comma, and passes over both.
func (w *words) item() string {
	if w.done() {
		return ""
	}
	from, to := w.toks[w.i].Start, 0
	for !w.done() && w.peek() != "," {
		w.skip()
		to = w.toks[w.i-1].End
	}
	w.accept(",")
	return strings.TrimSpace(w.text[from:max(from, to)])
}

// items are the parts of a list with commas.
func items(text string) []string {
	var list []string
	for w := wordsOf(text); !w.done(); {
		list = append(list, w.item())
	}
	return list
}

// name is a name with its schema, if it has one.
func (w *words) name() schema.Name {
	n := schema.Name{Name: w.ident()}
	for w.accept(".") {
		n.Schema, n.Name = n.Name, w.ident()
	}
	return n
}

// ident is a name as the server keeps it; empty if there is none.
func (w *words) ident() string {
	if w.done() {
		return ""
	}
	t := w.toks[w.i]
	text := w.text[t.Start:t.End]
	switch t.Kind {
	case postgres.Quoted:
		w.i++
		return postgres.Unquote(text)
	case postgres.Word:
		w.i++
		return sqltree.Postgres.Fold(sqltree.Ident{Name: text})
	}
	return ""
}
