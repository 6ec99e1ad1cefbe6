package plan

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// MaxPad is the most code points that a padding function pads to; more is refused
// in a literal and gives a missing value when computed.
const MaxPad = 10_000

func textFunctions() []*function {
	fs := []*function{
		{name: "length", min: 1, max: 1, bind: textToInt(0, math.MaxInt32)},
		{name: "indexOf", min: 2, max: 2, bind: textToInt(0, math.MaxInt32)},
		{name: "left", min: 2, max: 2, bind: textInts(1)},
		{name: "right", min: 2, max: 2, bind: textInts(1)},
		{name: "substr", min: 2, max: 3, bind: textInts(1)},
		{name: "replace", min: 3, max: 3, bind: textToText},
		{name: "concat", min: 1, max: -1, bind: bindConcat},
		{name: "sqlconcat", min: 1, max: -1, hidden: true, bind: bindConcat},
		{name: "padLeft", min: 2, max: 3, bind: bindPad},
		{name: "padRight", min: 2, max: 3, bind: bindPad},
		{name: "lpad", min: 2, max: 3, bind: bindPad},
		{name: "rpad", min: 2, max: 3, bind: bindPad},
		{name: "split", min: 3, max: 3, bind: bindSplit},
		{name: "split_part", min: 3, max: 3, bind: bindSplit},
		{name: "matches", min: 2, max: 2, bind: bindMatches},
		{name: "extract", min: 2, max: 3, bind: bindExtract},
		{name: "regexp_replace", min: 3, max: 4, bind: bindRegexpReplace},
	}
	fs = append(fs,
		&function{name: "repeat", min: 2, max: 2, bind: textInts(1)},
		&function{name: "concat_ws", min: 2, max: -1, bind: func(c bindCall) (Expr, error) {
			if err := c.text(0); err != nil {
				return nil, err
			}
			for i, a := range c.args {
				t, err := Bind("totext", []Expr{a})
				if err != nil {
					return nil, err
				}
				c.args[i] = t
			}
			return c.make(String), nil
		}})
	for _, name := range []string{"lower", "upper", "reverse", "initcap"} {
		fs = append(fs, &function{name: name, min: 1, max: 1, bind: textToText})
	}
	for _, name := range []string{"trim", "ltrim", "rtrim"} {
		fs = append(fs, &function{name: name, min: 1, max: 2, bind: textToText})
	}
	for _, name := range []string{"contains", "startsWith", "endsWith"} {
		fs = append(fs, &function{name: name, min: 2, max: 2, bind: func(c bindCall) (Expr, error) {
			if err := c.texts(0, 2); err != nil {
				return nil, err
			}
			return c.make(Bool), nil
		}})
	}
	return fs
}

func textToText(c bindCall) (Expr, error) {
	if err := c.texts(0, len(c.args)); err != nil {
		return nil, err
	}
	return c.make(String), nil
}

func textToInt(lo, hi int64) func(bindCall) (Expr, error) {
	return func(c bindCall) (Expr, error) {
		if err := c.texts(0, len(c.args)); err != nil {
			return nil, err
		}
		return c.makeInt(lo, hi), nil
	}
}

// textInts is for text functions whose arguments from the given one on are whole
// numbers.
func textInts(from int) func(bindCall) (Expr, error) {
	return func(c bindCall) (Expr, error) {
		if err := c.texts(0, from); err != nil {
			return nil, err
		}
		for i := from; i < len(c.args); i++ {
			if err := c.int(i); err != nil {
				return nil, err
			}
		}
		return c.make(String), nil
	}
}

// bindConcat joins the texts of its arguments; concat is missing when one is,
// sqlconcat passes over missing ones.
func bindConcat(c bindCall) (Expr, error) {
	var args []Expr
	for _, a := range c.args {
		t, err := Bind("totext", []Expr{a})
		if err != nil {
			return nil, err
		}
		// A chain of + is one call.
		if x, ok := t.(*Call); ok && x.Op == "concat" && c.op == "concat" {
			args = append(args, x.Args...)
			continue
		}
		args = append(args, t)
	}
	if len(args) == 1 && c.op == "concat" {
		return args[0], nil
	}
	c.args = args
	return c.make(String), nil
}

// bindPad: padLeft and padRight leave longer text as it is; SQL's lpad and rpad cut
// it to the length.
func bindPad(c bindCall) (Expr, error) {
	if err := c.text(0); err != nil {
		return nil, err
	}
	if err := c.int(1); err != nil {
		return nil, err
	}
	if n, ok := intLiteral(c.args[1]); ok && n > MaxPad {
		return nil, c.refuse(1, "%s pads to at most %d characters, not %d", c.name, MaxPad, n)
	}
	if len(c.args) == 2 {
		c.args = append(c.args, NewString(" "))
	}
	if err := c.text(2); err != nil {
		return nil, err
	}
	return c.make(String), nil
}

// bindSplit: part i of s, from 1, from the end when negative. Where there is no
// such part split is missing and SQL's split_part is empty.
func bindSplit(c bindCall) (Expr, error) {
	if err := c.texts(0, 2); err != nil {
		return nil, err
	}
	if err := c.int(2); err != nil {
		return nil, err
	}
	if n, ok := intLiteral(c.args[2]); ok && n == 0 {
		return nil, c.refuse(2, "%s counts parts from 1", c.name)
	}
	return c.make(String), nil
}

// pattern checks argument i as a regular expression where it is a literal.
func (c bindCall) pattern(i int) (*regexp.Regexp, error) {
	p, ok := stringLiteral(c.args[i])
	if !ok {
		return nil, nil
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return nil, badPattern(c, i, p, err)
	}
	return re, nil
}

func bindMatches(c bindCall) (Expr, error) {
	if err := c.texts(0, 2); err != nil {
		return nil, err
	}
	if _, err := c.pattern(1); err != nil {
		return nil, err
	}
	return c.make(Bool), nil
}

// bindExtract: extract(s, pattern[, group]) is the text of the first match, by
// default of its first group if the pattern has one. SQL's extract(field from date)
// comes here as extract('field', date).
func bindExtract(c bindCall) (Expr, error) {
	if len(c.args) == 2 && c.args[1].Type().Base == Date {
		return Bind("date_part", c.args)
	}
	if err := c.texts(0, 2); err != nil {
		return nil, err
	}
	re, err := c.pattern(1)
	if err != nil {
		return nil, err
	}
	if len(c.args) == 3 {
		if err := c.int(2); err != nil {
			return nil, err
		}
		n, ok := intLiteral(c.args[2])
		if ok && (n < 0 || re != nil && n > int64(re.NumSubexp())) {
			groups := "groups from 1, or 0 for the whole match"
			if re != nil {
				groups = strconv.Itoa(re.NumSubexp()) + " groups"
			}
			return nil, c.refuse(2, "extract has no group %d; the pattern has %s", n, groups)
		}
	}
	return c.make(String), nil
}

// bindRegexpReplace: the first match, or with the flag g every one, replaced; \1 in
// the replacement is the first group. Further flags: i (any case), s, m, n.
func bindRegexpReplace(c bindCall) (Expr, error) {
	if err := c.texts(0, 4); err != nil {
		return nil, err
	}
	if len(c.args) == 4 {
		f, ok := stringLiteral(c.args[3])
		if !ok || strings.Trim(f, "gims") != "" {
			return nil, c.refuse(3, "regexp_replace takes the flags g, i, m and s in quotes")
		}
	}
	if _, err := c.pattern(1); err != nil {
		return nil, err
	}
	return c.make(String), nil
}

// SimilarPattern turns a SIMILAR TO pattern into an anchored regular expression:
// % and _ are wildcards, . ^ $ are themselves, the rest is as in POSIX.
func SimilarPattern(p, escape string) string {
	var b strings.Builder
	b.WriteString(`(?s)^(?:`)
	esc := []rune(escape)
	rs := []rune(p)
	class := false
	for i := 0; i < len(rs); i++ {
		r := rs[i]
		switch {
		case len(esc) == 1 && r == esc[0] && i+1 < len(rs):
			i++
			b.WriteString(regexp.QuoteMeta(string(rs[i])))
		case class:
			class = r != ']'
			if r == '\\' {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case r == '[':
			class = true
			b.WriteRune(r)
		case r == '%':
			b.WriteString(".*")
		case r == '_':
			b.WriteByte('.')
		case strings.ContainsRune(`.^$\`, r):
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteString(`)$`)
	return b.String()
}

// ParseNumber reads text as a number: optional sign, digits with an optional point,
// optional exponent, and blanks around; anything else is none.
func ParseNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < '0' || c > '9') && c != '.' && c != '+' && c != '-' && c != 'e' && c != 'E' {
			return 0, false // also inf, nan, hexadecimal and underscores
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	// Too large a number is ±Inf, a value; the error then says "out of range".
	return f, err == nil || math.IsInf(f, 0)
}
