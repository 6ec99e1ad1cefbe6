package sqlsrc

import (
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	pgsql "github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// words reads the tokens of a text that the grammar has taken already: what comes next
// is known to be well formed, and only has to be told apart. A reading that goes wrong
// all the same meets the end, and never stands still.
type words struct {
	in   *postgres
	text string
	base int // where text begins in in.text
	toks []pgsql.Token
	i    int
}

// words reads a part of the text at hand.
func (in *postgres) words(s sqltree.Span) *words {
	w := in.wordsOf(in.text[s.Start:s.End])
	w.base = s.Start
	return w
}

// wordsOf reads a text; one that cannot be cut into tokens has none.
func (in *postgres) wordsOf(text string) *words {
	toks, err := pgsql.Tokens(text)
	if err != nil {
		toks = nil
	}
	return &words{in: in, text: text, toks: toks}
}

func (w *words) done() bool { return w.i >= len(w.toks) }

func (w *words) textOf(i int) string { return w.text[w.toks[i].Start:w.toks[i].End] }

// isAt reports whether the keywords, given in upper case, stand at token i.
func (w *words) isAt(i int, keywords ...string) bool {
	for k, word := range keywords {
		if i+k < 0 || i+k >= len(w.toks) || w.toks[i+k].Kind != pgsql.Word || !strings.EqualFold(w.textOf(i+k), word) {
			return false
		}
	}
	return true
}

func (w *words) is(keywords ...string) bool { return w.isAt(w.i, keywords...) }

func (w *words) accept(keywords ...string) bool {
	if !w.is(keywords...) {
		return false
	}
	w.i += len(keywords)
	return true
}

// acceptAny passes over one keyword of several and returns it.
func (w *words) acceptAny(keywords ...string) string {
	for _, k := range keywords {
		if w.accept(k) {
			return k
		}
	}
	return ""
}

func (w *words) punct(ch byte) bool {
	return w.i < len(w.toks) && w.toks[w.i].Kind == pgsql.Punct && w.text[w.toks[w.i].Start] == ch
}

func (w *words) acceptPunct(ch byte) bool {
	if !w.punct(ch) {
		return false
	}
	w.i++
	return true
}

// end returns the index behind token i, or behind the bracket that it opens.
func (w *words) end(i int) int {
	if m := w.toks[i].Match; m > i {
		return m + 1
	}
	return i + 1
}

// find returns the first token outside of brackets from the cursor on at which the
// keywords stand; len(w.toks) if there is none.
func (w *words) find(keywords ...string) int {
	for i := w.i; i < len(w.toks); i = w.end(i) {
		if w.isAt(i, keywords...) {
			return i
		}
	}
	return len(w.toks)
}

// span returns the text of tokens a to b.
func (w *words) span(a, b int) string {
	if a >= b || a >= len(w.toks) {
		return ""
	}
	return w.text[w.toks[a].Start:w.toks[b-1].End]
}

// upper returns tokens a to b in upper case, with single blanks between them.
func (w *words) upper(a, b int) string {
	list := make([]string, 0, b-a)
	for i := a; i < b; i++ {
		list = append(list, strings.ToUpper(w.textOf(i)))
	}
	return strings.Join(list, " ")
}

// rest is the text from the cursor on.
func (w *words) rest() string {
	s := w.span(w.i, len(w.toks))
	w.i = len(w.toks)
	return s
}

// group reads ( … ) and returns what is in it.
func (w *words) group() string {
	if !w.punct('(') {
		return ""
	}
	close := w.toks[w.i].Match
	if close < 0 {
		w.i = len(w.toks)
		return ""
	}
	s := strings.TrimSpace(w.text[w.toks[w.i].End:w.toks[close].Start])
	w.i = close + 1
	return s
}

func (w *words) isIdent() bool {
	return w.i < len(w.toks) && (w.toks[w.i].Kind == pgsql.Word || w.toks[w.i].Kind == pgsql.Quoted)
}

// ident reads a name, folded.
func (w *words) ident() string {
	if !w.isIdent() {
		w.i++
		return ""
	}
	t := w.toks[w.i]
	w.i++
	id := sqltree.Ident{Name: w.text[t.Start:t.End]}
	if t.Kind == pgsql.Quoted {
		id.Name, id.Quoted = pgsql.Unquote(id.Name), true
	}
	return w.in.fold(id)
}

// name reads a qualified name. Its last part is in Name, the one before in Schema.
func (w *words) name() schema.Name {
	parts := w.parts()
	n := schema.Name{Name: parts[len(parts)-1]}
	if len(parts) > 1 {
		n.Schema = parts[len(parts)-2]
	}
	return n
}

// peekName is the name that comes next.
func (w *words) peekName() schema.Name {
	i := w.i
	defer func() { w.i = i }()
	return w.name()
}

// parts reads the parts of a qualified name, of which there is at least one.
func (w *words) parts() []string {
	list := []string{w.ident()}
	for w.punct('.') {
		w.i++
		list = append(list, w.ident())
	}
	return list
}

// idents reads a, b, … .
func (w *words) idents() []string {
	list := []string{w.ident()}
	for w.acceptPunct(',') {
		list = append(list, w.ident())
	}
	return list
}

// columns reads (a, b, …).
func (w *words) columns() []string {
	if !w.acceptPunct('(') {
		return nil
	}
	list := w.idents()
	w.acceptPunct(')')
	return list
}

// value reads a string, or a word or number as it stands.
func (w *words) value() string {
	if w.done() {
		return ""
	}
	t := w.toks[w.i]
	if t.Kind == pgsql.String {
		w.i++
		return stringValue(w.text[t.Start:t.End])
	}
	sign := ""
	if t.Kind == pgsql.Operator {
		sign = w.textOf(w.i)
		if w.i++; w.done() {
			return sign
		}
	}
	if w.isIdent() {
		return sign + w.ident()
	}
	w.i++
	return sign + w.textOf(w.i-1)
}

// endsWithOwner reports whether the statement is an ALTER … OWNER TO.
func (w *words) endsWithOwner() bool {
	n := len(w.toks)
	return n > 4 && w.isAt(0, "ALTER") && w.isAt(n-3, "OWNER", "TO")
}

// stringValue is what a string literal stands for. Escapes that it does not know stay.
func stringValue(text string) string {
	switch {
	case strings.HasPrefix(text, "$"):
		tag := text[:strings.IndexByte(text[1:], '$')+2]
		return strings.TrimSuffix(strings.TrimPrefix(text, tag), tag)
	case strings.HasPrefix(text, "'"):
		return strings.ReplaceAll(text[1:len(text)-1], "''", "'")
	case text[0]|0x20 == 'e' && len(text) > 2:
		return strings.NewReplacer("''", "'", `\'`, "'", `\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(text[2 : len(text)-1])
	}
	return text
}

// fold returns a name as the server keeps it, but in its whole length.
func (in *postgres) fold(id sqltree.Ident) string {
	if id.Quoted {
		return id.Name
	}
	if in.d == dialect.CockroachDB {
		return strings.ToLower(id.Name)
	}
	return sqltree.Postgres.Fold(id)
}

func (in *postgres) folded(ids []sqltree.Ident) []string {
	if len(ids) == 0 {
		return nil
	}
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = in.fold(id)
	}
	return list
}

// integer reads a whole number as sequences take it.
func integer(text string) (int64, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimPrefix(strings.Join(strings.Fields(text), ""), "+"), "_", ""), 0, 64)
	return n, err == nil
}
