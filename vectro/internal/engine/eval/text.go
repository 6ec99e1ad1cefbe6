package eval

import (
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

var textBuilders = map[string]builder{
	"lower":      rows(textOut, func(s *State, r *row) (string, bool) { return strings.ToLower(r.text(0)), true }),
	"upper":      rows(textOut, func(s *State, r *row) (string, bool) { return strings.ToUpper(r.text(0)), true }),
	"reverse":    rows(textOut, reverse),
	"initcap":    rows(textOut, initcap),
	"repeat":     rows(textOut, repeatText),
	"concat_ws":  buildConcatWS,
	"trim":       trimmer(true, true),
	"ltrim":      trimmer(true, false),
	"rtrim":      trimmer(false, true),
	"length":     rows(intOut, func(_ *State, r *row) (int64, bool) { return int64(utf8.RuneCountInString(r.text(0))), true }),
	"indexof":    rows(intOut, indexOf),
	"left":       rows(textOut, func(_ *State, r *row) (string, bool) { return head(r.text(0), r.int(1)), true }),
	"right":      rows(textOut, func(_ *State, r *row) (string, bool) { return tail(r.text(0), r.int(1)), true }),
	"substr":     rows(textOut, substr),
	"contains":   rows(boolOut, func(_ *State, r *row) (bool, bool) { return strings.Contains(r.text(0), r.text(1)), true }),
	"startswith": rows(boolOut, func(_ *State, r *row) (bool, bool) { return strings.HasPrefix(r.text(0), r.text(1)), true }),
	"endswith":   rows(boolOut, func(_ *State, r *row) (bool, bool) { return strings.HasSuffix(r.text(0), r.text(1)), true }),
	"replace":    rows(textOut, replace),
	"padleft":    padder(true, false),
	"padright":   padder(false, false),
	"lpad":       padder(true, true),
	"rpad":       padder(false, true),
	"split":      splitter(false),
	"split_part": splitter(true),
	"concat":     rows(textOut, concat),
	"sqlconcat":  buildSQLConcat,
	"matches":    buildMatches, "extract": buildExtract, "regexp_replace": buildRegexpReplace,
	"like": buildLike, "ilike": buildLike, "similar": buildSimilar,
}

func reverse(s *State, r *row) (string, bool) {
	t := r.text(0)
	start := len(s.buf)
	for len(t) > 0 {
		_, n := utf8.DecodeLastRuneInString(t)
		s.buf = append(s.buf, t[len(t)-n:]...)
		t = t[:len(t)-n]
	}
	return s.from(start), true
}

// trimmer cuts white space, or the characters of a second argument.
func trimmer(left, right bool) builder {
	return rows(textOut, func(_ *State, r *row) (string, bool) {
		t := r.text(0)
		drop := unicode.IsSpace
		if r.has(1) {
			set := r.text(1)
			drop = func(c rune) bool { return strings.ContainsRune(set, c) }
		}
		if left {
			t = strings.TrimLeftFunc(t, drop)
		}
		if right {
			t = strings.TrimRightFunc(t, drop)
		}
		return t, true
	})
}

// indexOf counts code points from 1; 0 means that there is none.
func indexOf(_ *State, r *row) (int64, bool) {
	t := r.text(0)
	at := strings.Index(t, r.text(1))
	if at < 0 {
		return 0, true
	}
	return int64(utf8.RuneCountInString(t[:at])) + 1, true
}

// cutRunes splits t after n code points.
func cutRunes(t string, n int64) int {
	if n >= int64(len(t)) {
		return len(t)
	}
	at := 0
	for ; n > 0 && at < len(t); n-- {
		if t[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, w := utf8.DecodeRuneInString(t[at:])
		at += w
	}
	return at
}

// head is the first n code points, or all but the last -n.
func head(t string, n int64) string {
	if n < 0 {
		n = max(0, int64(utf8.RuneCountInString(t))+max(n, -int64(len(t))-1))
	}
	return t[:cutRunes(t, n)]
}

// tail is the last n code points, or all but the first -n.
func tail(t string, n int64) string {
	if n < 0 {
		return t[cutRunes(t, -max(n, -int64(len(t))-1)):]
	}
	return t[cutRunes(t, max(0, int64(utf8.RuneCountInString(t))-n)):]
}

// substr counts from 1. A start before the text uses up the length on the way, as in
// SQL; a negative length gives nothing.
func substr(_ *State, r *row) (string, bool) {
	t, from := r.text(0), r.int(1)
	if !r.has(2) {
		return t[cutRunes(t, max(from, 1)-1):], true
	}
	n := r.int(2)
	if n <= 0 {
		return "", true
	}
	end := from + n
	if end < from {
		end = math.MaxInt64
	}
	from = max(from, 1)
	if end <= from {
		return "", true
	}
	t = t[cutRunes(t, from-1):]
	return t[:cutRunes(t, end-from)], true
}

func replace(s *State, r *row) (string, bool) {
	t, old, by := r.text(0), r.text(1), r.text(2)
	if old == "" || !strings.Contains(t, old) {
		return t, true
	}
	start := len(s.buf)
	for {
		at := strings.Index(t, old)
		if at < 0 {
			break
		}
		s.buf = append(append(s.buf, t[:at]...), by...)
		t = t[at+len(old):]
		if len(s.buf)-start > MaxText {
			break
		}
	}
	s.buf = append(s.buf, t...)
	return s.grown(start)
}

// grown is from, for text that may have become too long.
func (s *State) grown(start int) (string, bool) {
	if len(s.buf)-start > MaxText {
		s.buf = s.buf[:start]
		return "", false
	}
	return s.from(start), true
}

// padder pads on the left or right to a number of code points; cut also shortens.
func padder(left, cut bool) builder {
	return rows(textOut, func(s *State, r *row) (string, bool) {
		t, n, fill := r.text(0), r.int(1), r.text(2)
		have := int64(utf8.RuneCountInString(t))
		if have >= n || fill == "" {
			if cut {
				t = t[:cutRunes(t, max(n, 0))]
			}
			return t, true
		}
		if n > plan.MaxPad {
			return "", false
		}
		start := len(s.buf)
		if !left {
			s.buf = append(s.buf, t...)
		}
		rest := fill
		for need := n - have; need > 0; need-- {
			if rest == "" {
				rest = fill
			}
			_, w := utf8.DecodeRuneInString(rest)
			s.buf = append(s.buf, rest[:w]...)
			rest = rest[w:]
		}
		if left {
			s.buf = append(s.buf, t...)
		}
		return s.grown(start)
	})
}

// splitter: part i from 1, or from the end; empty tells what there is where there is
// no such part: empty text, or nothing.
func splitter(empty bool) builder {
	return rows(textOut, func(_ *State, r *row) (string, bool) {
		t, sep, i := r.text(0), r.text(1), r.int(2)
		if i == 0 {
			return "", false
		}
		if sep == "" {
			if i == 1 || i == -1 {
				return t, true
			}
			return "", empty
		}
		if i < 0 {
			i += int64(strings.Count(t, sep)) + 2
			if i < 1 {
				return "", empty
			}
		}
		for ; i > 1; i-- {
			at := strings.Index(t, sep)
			if at < 0 {
				return "", empty
			}
			t = t[at+len(sep):]
		}
		if at := strings.Index(t, sep); at >= 0 {
			t = t[:at]
		}
		return t, true
	})
}

func concat(s *State, r *row) (string, bool) {
	start := len(s.buf)
	for k := range r.vecs {
		s.buf = append(s.buf, r.text(k)...)
		if len(s.buf)-start > MaxText {
			break
		}
	}
	return s.grown(start)
}

// buildSQLConcat passes over missing arguments; without any it gives empty text.
func buildSQLConcat(c *compiler, x *plan.Call) operand {
	return joinPresent(c, x, 0)
}

// buildConcatWS joins the arguments after the first, which stands between them,
// passing over missing ones; it is missing where the first is.
func buildConcatWS(c *compiler, x *plan.Call) operand {
	return joinPresent(c, x, 1)
}

// joinPresent joins the present arguments from the given one on; what is before is
// the separator.
func joinPresent(c *compiler, x *plan.Call, from int) operand {
	in := c.args(x)
	o, t := c.slot(), x.T
	isText := make([]bool, len(in))
	for i := range isText {
		isText[i] = true
	}
	c.emit(func(s *State) {
		r := s.result(o, t)
		a := s.rowOf(in, isText)
		narrow(r, a.vecs[:from])
		out := r.Strs(s.n)
		for i := range out {
			a.i = i
			start, some := len(s.buf), false
			for k := from; k < len(a.vecs); k++ {
				if !a.present(k) || len(s.buf)-start > MaxText {
					continue
				}
				if some && from > 0 {
					s.buf = append(s.buf, a.text(0)...)
				}
				s.buf, some = append(s.buf, a.text(k)...), true
			}
			v, ok := s.grown(start)
			out[i] = v
			if !ok {
				bitsOf(r).Clear(i)
			}
		}
	})
	c.release(in...)
	return o
}

// initcap makes the first letter of every word upper case and the others lower case;
// words are runs of letters and digits.
func initcap(s *State, r *row) (string, bool) {
	start, inWord := len(s.buf), false
	for _, c := range r.text(0) {
		if inWord {
			s.buf = utf8.AppendRune(s.buf, unicode.ToLower(c))
		} else {
			s.buf = utf8.AppendRune(s.buf, unicode.ToUpper(c))
		}
		inWord = unicode.IsLetter(c) || unicode.IsDigit(c)
	}
	return s.from(start), true
}

func repeatText(s *State, r *row) (string, bool) {
	t, n := r.text(0), r.int(1)
	if n <= 0 || t == "" {
		return "", true
	}
	if n > MaxText/int64(len(t)) {
		return "", false
	}
	start := len(s.buf)
	for range n {
		s.buf = append(s.buf, t...)
	}
	return s.from(start), true
}

// regexps remembers compiled patterns that come from data.
type regexps map[string]*regexp.Regexp

// maxRegexps bounds that memory; patterns from data are few or of no use.
const maxRegexps = 64

// regexp returns the compiled pattern, nil for a bad one.
func (s *State) regexp(p string) *regexp.Regexp {
	if re, ok := s.res[p]; ok {
		return re
	}
	re, err := regexp.Compile(p)
	if err != nil {
		re = nil
	}
	if s.res == nil || len(s.res) >= maxRegexps {
		s.res = regexps{}
	}
	s.res[strings.Clone(p)] = re
	return re
}

// patternOf returns how to find the regular expression of argument k: the one of a
// literal is compiled here and now.
func patternOf(x *plan.Call, k int) func(*State, *row) *regexp.Regexp {
	if l, ok := x.Args[k].(*plan.Literal); ok && l.Value.Base == plan.String {
		re, err := regexp.Compile(l.Value.S)
		if err != nil {
			re = nil // Bind has refused it
		}
		return func(*State, *row) *regexp.Regexp { return re }
	}
	return func(s *State, r *row) *regexp.Regexp { return s.regexp(r.text(k)) }
}

// buildMatches: a pattern from data that is no regular expression gives missing.
func buildMatches(c *compiler, x *plan.Call) operand {
	pattern := patternOf(x, 1)
	return rows(boolOut, func(s *State, r *row) (bool, bool) {
		re := pattern(s, r)
		if re == nil {
			return false, false
		}
		return re.MatchString(r.text(0)), true
	})(c, x)
}

// buildExtract: missing where nothing matches or there is no such group.
func buildExtract(c *compiler, x *plan.Call) operand {
	pattern := patternOf(x, 1)
	return rows(textOut, func(s *State, r *row) (string, bool) {
		re := pattern(s, r)
		if re == nil {
			return "", false
		}
		group := int64(min(1, re.NumSubexp()))
		if r.has(2) {
			group = r.int(2)
		}
		if group < 0 || group > int64(re.NumSubexp()) {
			return "", false
		}
		t := r.text(0)
		if group == 0 {
			at := re.FindStringIndex(t)
			if at == nil {
				return "", false
			}
			return t[at[0]:at[1]], true
		}
		at := re.FindStringSubmatchIndex(t)
		if at == nil || at[2*group] < 0 {
			return "", false
		}
		return t[at[2*group]:at[2*group+1]], true
	})(c, x)
}

// buildRegexpReplace: \0 to \9 in the replacement are groups, \\ a backslash.
func buildRegexpReplace(c *compiler, x *plan.Call) operand {
	flags := ""
	if len(x.Args) == 4 {
		flags = x.Args[3].(*plan.Literal).Value.S
		x = &plan.Call{Op: x.Op, Args: x.Args[:3], T: x.T}
	}
	all := strings.Contains(flags, "g")
	inline := ""
	for _, f := range "ims" {
		if strings.ContainsRune(flags, f) {
			inline += string(f)
		}
	}
	pattern := patternOf(x, 1)
	if inline != "" {
		inline = "(?" + inline + ")"
		if l, ok := x.Args[1].(*plan.Literal); ok {
			flagged := *x
			flagged.Args = []plan.Expr{x.Args[0], plan.NewString(inline + l.Value.S), x.Args[2]}
			pattern = patternOf(&flagged, 1)
		} else {
			pattern = func(s *State, r *row) *regexp.Regexp { return s.regexp(inline + r.text(1)) }
		}
	}
	return rows(textOut, func(s *State, r *row) (string, bool) {
		re := pattern(s, r)
		if re == nil {
			return "", false
		}
		t, by := r.text(0), r.text(2)
		n := 1
		if all {
			n = -1
		}
		start, last := len(s.buf), 0
		for _, at := range re.FindAllStringSubmatchIndex(t, n) {
			s.buf = append(s.buf, t[last:at[0]]...)
			s.buf = expand(s.buf, by, t, at)
			last = at[1]
			if len(s.buf)-start > MaxText {
				break
			}
		}
		s.buf = append(s.buf, t[last:]...)
		return s.grown(start)
	})(c, x)
}

// expand appends a replacement, with its references to groups filled in.
func expand(dst []byte, by, t string, at []int) []byte {
	for i := 0; i < len(by); i++ {
		if by[i] != '\\' || i+1 == len(by) {
			dst = append(dst, by[i])
			continue
		}
		i++
		g := int(by[i]) - '0'
		switch {
		case by[i] == '&':
			g = 0
		case g < 0 || g > 9:
			dst = append(dst, by[i])
			continue
		}
		if 2*g+1 < len(at) && at[2*g] >= 0 {
			dst = append(dst, t[at[2*g]:at[2*g+1]]...)
		}
	}
	return dst
}

func escapeOf(x *plan.Call) string {
	if len(x.Args) == 3 {
		return x.Args[2].(*plan.Literal).Value.S
	}
	return `\`
}

// buildLike builds SQL's LIKE and ILIKE.
func buildLike(c *compiler, x *plan.Call) operand {
	escape, fold := escapeOf(x), x.Op == "ilike"
	x = &plan.Call{Op: x.Op, Args: x.Args[:2], T: x.T}
	compilePattern := func(p string) likePattern {
		if fold {
			p = strings.ToLower(p)
		}
		return parseLike(p, escape)
	}
	var fixed likePattern
	l, literal := x.Args[1].(*plan.Literal)
	if literal {
		fixed = compilePattern(l.Value.S)
	}
	return rows(boolOut, func(s *State, r *row) (bool, bool) {
		t, p := r.text(0), fixed
		if !literal {
			p = compilePattern(r.text(1))
		}
		if fold {
			t = strings.ToLower(t)
		}
		return p.match(t), true
	})(c, x)
}

func buildSimilar(c *compiler, x *plan.Call) operand {
	escape := escapeOf(x)
	x = &plan.Call{Op: x.Op, Args: x.Args[:2], T: x.T}
	if l, ok := x.Args[1].(*plan.Literal); ok && l.Value.Base == plan.String {
		x.Args = []plan.Expr{x.Args[0], plan.NewString(plan.SimilarPattern(l.Value.S, escape))}
		return buildMatches(c, x)
	}
	return rows(boolOut, func(s *State, r *row) (bool, bool) {
		re := s.regexp(plan.SimilarPattern(r.text(1), escape))
		if re == nil {
			return false, false
		}
		return re.MatchString(r.text(0)), true
	})(c, x)
}

// likePattern is a LIKE pattern: runs of characters between its % signs. With one
// run there was no %.
type likePattern []likeRun

// likeRun is literal text, or runes of which -1 stands for any one.
type likeRun struct {
	text  string
	runes []rune // nil: text
}

func parseLike(p, escape string) likePattern {
	esc, _ := utf8.DecodeRuneInString(escape)
	var out likePattern
	var run []rune
	wild := false
	end := func() {
		r := likeRun{text: string(run)}
		if wild {
			r = likeRun{runes: run}
		}
		out = append(out, r)
		run, wild = nil, false
	}
	escaped := false
	for _, c := range p {
		switch {
		case escaped:
			run, escaped = append(run, c), false
		case escape != "" && c == esc:
			escaped = true
		case c == '%':
			end()
		case c == '_':
			run, wild = append(run, -1), true
		default:
			run = append(run, c)
		}
	}
	if escaped { // at the end there is nothing to protect
		run = append(run, esc)
	}
	end()
	return out
}

// prefix returns how much of t the run takes at its start, or -1.
func (r likeRun) prefix(t string) int {
	if r.runes == nil {
		if strings.HasPrefix(t, r.text) {
			return len(r.text)
		}
		return -1
	}
	at := 0
	for _, want := range r.runes {
		if at == len(t) {
			return -1
		}
		c, n := utf8.DecodeRuneInString(t[at:])
		if want != -1 && c != want {
			return -1
		}
		at += n
	}
	return at
}

// find returns the end of the run's first occurrence in t, or -1.
func (r likeRun) find(t string) int {
	if r.runes == nil {
		at := strings.Index(t, r.text)
		if at < 0 {
			return -1
		}
		return at + len(r.text)
	}
	for at := 0; at <= len(t); {
		if n := r.prefix(t[at:]); n >= 0 {
			return at + n
		}
		if at == len(t) {
			break
		}
		_, n := utf8.DecodeRuneInString(t[at:])
		at += n
	}
	return -1
}

// suffix reports whether t ends with the run.
func (r likeRun) suffix(t string) bool {
	if r.runes == nil {
		return strings.HasSuffix(t, r.text)
	}
	at := len(t)
	for range r.runes {
		if at == 0 {
			return false
		}
		_, n := utf8.DecodeLastRuneInString(t[:at])
		at -= n
	}
	return r.prefix(t[at:]) == len(t)-at
}

func (p likePattern) match(t string) bool {
	n := p[0].prefix(t)
	if n < 0 || len(p) == 1 {
		return n == len(t)
	}
	t = t[n:]
	// Every middle run as early as possible leaves the most for the last.
	for _, r := range p[1 : len(p)-1] {
		n := r.find(t)
		if n < 0 {
			return false
		}
		t = t[n:]
	}
	return p[len(p)-1].suffix(t)
}
