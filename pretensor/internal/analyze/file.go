package analyze

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// A language is how one is recognised, cut into tokens and understood.
type language struct {
	name   string
	family string // languages of one family see each other's models
	exts   []string
	lex    func(src string) *scanner
	// rules add what the shared part does not know: models and calls on them.
	rules func(f *file)
	// whole is set instead of lex and rules where a file is no program.
	whole func(f *file, src string)
	// concat are the operators that join strings.
	concat []string
	// adjacent says that literals beside each other are one.
	adjacent bool
	// assign are the marks between a name and its value.
	assign []string
}

// languages are all that are known. One more is one more entry.
var languages = []*language{&golang, &python, &javascript, &typescript, &prisma, &sqlLanguage}

// Languages lists the names of the known languages.
func Languages() []string {
	var out []string
	for _, l := range languages {
		out = append(out, l.name)
	}
	return out
}

// extensions maps file extensions to languages, of the named ones only.
func extensions(only []string) (map[string]*language, error) {
	out := map[string]*language{}
	for _, n := range only {
		if !slices.Contains(Languages(), n) {
			return nil, unknownLanguage(n)
		}
	}
	for _, l := range languages {
		if len(only) > 0 && !slices.Contains(only, l.name) {
			continue
		}
		for _, e := range l.exts {
			out[e] = l
		}
	}
	return out, nil
}

type unknownLanguage string

func (u unknownLanguage) Error() string {
	return "language \"" + string(u) + "\" is not known; known are " + strings.Join(Languages(), ", ")
}

// A file is one that is analysed, and what was found in it.
type file struct {
	path    string
	lang    *language
	test    bool
	skipped bool
	c       *catalog.Catalog

	src        string
	toks       []token
	match      []int // of a bracket the index of its partner, else -1
	encl       []int // index of the innermost open bracket, -1 outside
	lines      []int // offsets of the lines
	silent     map[int]bool
	vars       map[string][]binding
	candidates int
	parsed     int
	uses       []use
	joins      []joinAt
	models     []modelDef
	calls      []modelCall
}

// joinAt is a join and where it is.
type joinAt struct {
	Join
	line int
}

// A binding is the type or model that a variable has from a token on.
type binding struct {
	tok   int
	model string
}

var (
	optOut     = regexp.MustCompile(`(?i)\bnoqa\s*:\s*(?:[\w-]+\s*,\s*)*pretensor-analyze\b|\bpretensor:ignore(?:\s|$|\*)`)
	optOutFile = regexp.MustCompile(`(?i)\bpretensor:ignore-file\b`)
)

// mayOptOut reports whether a source has the word that every opt-out has. It
// spares most files two searches by pattern for each comment.
func mayOptOut(src string) bool {
	for i := 0; i < len(src); {
		n := strings.IndexAny(src[i:], "pP")
		if n < 0 {
			return false
		}
		i += n
		if len(src)-i >= len("pretensor") && strings.EqualFold(src[i:i+len("pretensor")], "pretensor") {
			return true
		}
		i++
	}
	return false
}

// analyze fills the file from its source. A file that opts out stays skipped.
func (f *file) analyze(src string) {
	f.src = src
	f.lines = append(f.lines, 0)
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	s := f.lang.lex(src)
	f.silent = map[int]bool{}
	if !mayOptOut(src) {
		s.comments = nil
	}
	for _, c := range s.comments {
		text := src[c.start:c.end]
		if optOutFile.MatchString(text) && (len(s.toks) == 0 || c.start < s.toks[0].start) {
			return
		}
		if optOut.MatchString(text) {
			for l := f.line(c.start); l <= f.line(c.end); l++ {
				f.silent[l] = true
			}
		}
	}
	f.skipped = false
	defer f.release()
	if f.lang.whole != nil {
		f.lang.whole(f, src)
		f.hush()
		return
	}
	f.toks = s.toks
	f.brackets()
	f.literals()
	f.lang.rules(f)
	f.hush()
}

// hush takes out what a comment opts out of. A model stays for the calls on it.
func (f *file) hush() {
	f.uses = slices.DeleteFunc(f.uses, func(u use) bool { return f.hushed(u) })
	f.calls = slices.DeleteFunc(f.calls, func(k modelCall) bool { return f.hushed(k.use) })
	for i := range f.models {
		f.models[i].silent = f.models[i].silent || f.hushed(f.models[i].uses)
	}
}

// release lets go of what is needed only while a file is read.
func (f *file) release() {
	f.src, f.toks, f.match, f.encl, f.lines, f.silent, f.vars = "", nil, nil, nil, nil, nil, nil
}

// hushed reports whether a comment on one of the lines, or the one above, opts out.
func (f *file) hushed(u use) bool {
	if len(f.silent) == 0 {
		return false
	}
	for l := u.lineStart - 1; l <= u.lineEnd; l++ {
		if f.silent[l] {
			return true
		}
	}
	return false
}

// line is the line of an offset, from 1.
func (f *file) line(offset int) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
}

// place is a use without more than its lines, those of the tokens first to last.
func (f *file) place(first, last int) use {
	end := f.toks[last].end
	return use{lineStart: f.line(f.toks[first].start), lineEnd: f.line(max(end-1, f.toks[first].start))}
}

// brackets pairs brackets; one without a partner has none.
func (f *file) brackets() {
	f.match = make([]int, len(f.toks))
	f.encl = make([]int, len(f.toks))
	var open []int
	for i := range f.toks {
		f.match[i] = -1
		f.encl[i] = -1
		if len(open) > 0 {
			f.encl[i] = open[len(open)-1]
		}
		if f.toks[i].kind != punct {
			continue
		}
		switch t := f.toks[i].text; t {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			want := map[string]string{")": "(", "]": "[", "}": "{"}[t]
			// A bracket that nothing closes is passed over, if its partner is near.
			for n := len(open) - 1; n >= max(0, len(open)-3); n-- {
				if f.toks[open[n]].text == want {
					f.match[open[n]], f.match[i] = i, open[n]
					f.encl[i] = f.encl[open[n]]
					open = open[:n]
					break
				}
			}
		}
	}
}

// text is a token's text, "" outside.
func (f *file) text(i int) string {
	if i < 0 || i >= len(f.toks) {
		return ""
	}
	return f.toks[i].text
}

func (f *file) is(i int, k tokenKind) bool { return i >= 0 && i < len(f.toks) && f.toks[i].kind == k }

// A seg is a link of a chain a.b(x).c: its name and, where it is called, its
// parentheses.
type seg struct {
	name        string
	tok         int
	open, close int // -1 where it is not called
}

// end is the last token of a link.
func (s seg) end() int { return max(s.tok, s.close) }

func dot(t string) bool { return t == "." || t == "?." }

// chain reads the chain that begins at a name.
func (f *file) chain(i int) []seg {
	var out []seg
	for {
		s := seg{name: f.toks[i].text, tok: i, open: -1, close: -1}
		j := i + 1
		if f.text(j) == "<" {
			if k := f.generics(j); k > 0 && (f.text(k) == "(" || f.is(k, str)) {
				j = k
			}
		}
		if f.text(j) == "(" && f.match[j] > 0 {
			s.open, s.close = j, f.match[j]
			j = s.close + 1
		}
		out = append(out, s)
		for (f.text(j) == "[" || f.text(j) == "(") && f.match[j] > 0 && !f.toks[j].first {
			j = f.match[j] + 1
		}
		if f.text(j) == "!" && dot(f.text(j+1)) {
			j++
		}
		if !dot(f.text(j)) || !f.is(j+1, ident) {
			return out
		}
		i = j + 1
	}
}

// generics returns the token behind type arguments, 0 if there are none.
func (f *file) generics(i int) int {
	depth := 0
	for j := i; j < len(f.toks) && j < i+40; j++ {
		switch t := f.text(j); {
		case t == "<":
			depth++
		case t == ">":
			if depth--; depth == 0 {
				return j + 1
			}
		case f.toks[j].kind == ident, f.toks[j].kind == str, t == "", strings.Contains(".,|[]{}:;?&", t):
		default:
			return 0
		}
	}
	return 0
}

// chains calls visit for every chain of the file.
func (f *file) chains(visit func(c []seg)) {
	for i := range f.toks {
		if f.toks[i].kind == ident && !dot(f.text(i-1)) && (dot(f.text(i+1)) || f.text(i+1) == "(" || f.text(i+1) == "<" || f.text(i+1) == "[" || f.text(i+1) == "!") {
			visit(f.chain(i))
		}
	}
}

// args are the ranges of tokens between the commas of a call, or of any brackets.
func (f *file) args(open, close int) [][2]int {
	var out [][2]int
	if open < 0 || close <= open+1 {
		return nil
	}
	from := open + 1
	for j := from; j < close; j++ {
		if f.match[j] > j {
			j = f.match[j]
		} else if f.text(j) == "," {
			out = append(out, [2]int{from, j})
			from = j + 1
		}
	}
	if from < close {
		out = append(out, [2]int{from, close})
	}
	return out
}

// plain is the text of a string without holes.
func (f *file) plain(i int) (string, bool) {
	if !f.is(i, str) || len(f.toks[i].parts) != 1 || f.toks[i].parts[0].hole {
		return "", false
	}
	return f.toks[i].parts[0].text, true
}

// strArg is the n-th argument of a call, if it is a plain string.
func (f *file) strArg(s seg, n int) (string, bool) {
	args := f.args(s.open, s.close)
	if n >= len(args) || args[n][1] != args[n][0]+1 {
		return "", false
	}
	return f.plain(args[n][0])
}

// maxKeyed is how many tokens keyed reads at either end.
const maxKeyed = 2000

// keyed is the string that a name has between brackets: name="…" or name: "…",
// at any depth, near the beginning or the end: a hostile file must not have the
// same brackets read again for everything around them.
func (f *file) keyed(open, close int, name, sep string) (string, bool) {
	if far := close - maxKeyed; far > open+maxKeyed {
		if s, ok := f.keyed(far, close, name, sep); ok {
			return s, true
		}
		close = open + maxKeyed
	}
	for j := open + 1; j+2 < close+1 && j+2 < len(f.toks); j++ {
		if f.toks[j].kind == ident && f.toks[j].text == name && f.text(j+1) == sep {
			if s, ok := f.plain(j + 2); ok {
				return s, true
			}
		}
	}
	return "", false
}

// bind notes that a variable has a model from a token on.
func (f *file) bind(name string, tok int, model string) {
	if f.vars == nil {
		f.vars = map[string][]binding{}
	}
	f.vars[name] = append(f.vars[name], binding{tok, model})
}

// bound is the model that a variable has at a token.
func (f *file) bound(name string, tok int) string {
	model := ""
	for _, b := range f.vars[name] {
		if b.tok > tok {
			break
		}
		model = b.model
	}
	return model
}

// call notes a call on a model from token first to last.
func (f *file) call(model, method string, first, last int, ops []string, orms ...string) {
	if model != "" && len(ops) > 0 {
		f.calls = append(f.calls, modelCall{orms: orms, model: model, method: method, ops: ops, use: f.place(first, last)})
	}
}

// model notes a definition from token first to last, if it has a table.
func (f *file) model(orm, name string, table []string, explicit bool, first, last int) {
	if len(table) == 0 || table[len(table)-1] == "" {
		return
	}
	f.models = append(f.models, modelDef{orm: orm, name: name, table: table, explicit: explicit, uses: f.place(first, last)})
}

// tableCall notes the call of a query builder with a table's name.
func (f *file) tableCall(table, symbol string, first, last int, ops []string) {
	table, _, _ = strings.Cut(strings.TrimSpace(table), " ") // t AS x, t x
	name := catalog.SplitName(table)
	if len(name) == 0 || table == "" {
		return
	}
	for _, op := range ops {
		u := f.place(first, last)
		u.name, u.op, u.kind, u.symbol, u.confidence = name, op, KindORMCall, symbol, 0.80
		u.fingerprint = fingerprint("call " + symbol + " " + strings.Join(name, "."))
		f.uses = append(f.uses, u)
	}
}

var (
	reads  = []string{Read}
	writes = []string{Write}
	both   = []string{Read, Write}
)

// operations are those of a method by its name: a table of the writers and of
// those that do both; what is in neither and in readers reads.
type operations struct{ readers, writers, both []string }

func (o *operations) of(method string) []string {
	switch {
	case slices.Contains(o.writers, method):
		return writes
	case slices.Contains(o.both, method):
		return both
	case slices.Contains(o.readers, method):
		return reads
	}
	return nil
}

// snake is a name in snake case.
func snake(name string) string { return strings.Join(names.Tokens(name), "_") }

// plural is a name in snake case with its last word in the plural.
func plural(name string) string {
	w := names.Tokens(name)
	if len(w) == 0 {
		return ""
	}
	w[len(w)-1] = names.Plural(w[len(w)-1])
	return strings.Join(w, "_")
}
