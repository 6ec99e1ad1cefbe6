// Package verify checks the arithmetic of claimed numbers: formulas over named
// components, computed exactly, and how far a claim lies from what is so.
package verify

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// Limits of a formula. They bound the size of the exact numbers on the way.
const (
	MaxFormula = 1000 // bytes
	maxDepth   = 50
	maxDigits  = 400 // of a numerator or denominator
)

// Compute gives the value of a formula: numbers, names of components, + - * /, their
// signs × ÷ −, parentheses and a leading minus, with the usual precedence. The result
// is exact.
func Compute(formula string, components map[string]*big.Rat) (*big.Rat, error) {
	if strings.TrimSpace(formula) == "" {
		return nil, fmt.Errorf("the formula is empty")
	}
	if len(formula) > MaxFormula {
		return nil, fmt.Errorf("the formula has %d bytes; up to %d are computed", len(formula), MaxFormula)
	}
	p := parser{text: formula, components: components}
	v, err := p.sum(0)
	if err != nil {
		return nil, err
	}
	if p.skip(); p.at < len(p.text) {
		return nil, fmt.Errorf("%q is not expected at position %d of the formula", p.rest(), p.at+1)
	}
	return v, nil
}

type parser struct {
	text       string
	at         int
	components map[string]*big.Rat
}

func (p *parser) skip() {
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += n
	}
}

func (p *parser) rest() string {
	r := []rune(p.text[p.at:])
	if len(r) > 20 {
		return string(r[:20]) + "…"
	}
	return string(r)
}

// operator reads one of the signs, or nothing.
func (p *parser) operator(signs string) rune {
	p.skip()
	r, n := utf8.DecodeRuneInString(p.text[p.at:])
	switch r {
	case '−', '–':
		r = '-'
	case '×', '·':
		r = '*'
	case '÷':
		r = '/'
	}
	if n == 0 || !strings.ContainsRune(signs, r) {
		return 0
	}
	p.at += n
	return r
}

func (p *parser) sum(depth int) (*big.Rat, error) {
	v, err := p.product(depth)
	for err == nil {
		op := p.operator("+-")
		if op == 0 {
			return v, nil
		}
		var w *big.Rat
		if w, err = p.product(depth); err != nil {
			break
		}
		if op == '+' {
			v = new(big.Rat).Add(v, w)
		} else {
			v = new(big.Rat).Sub(v, w)
		}
		err = bounded(v)
	}
	return nil, err
}

func (p *parser) product(depth int) (*big.Rat, error) {
	v, err := p.factor(depth)
	for err == nil {
		op := p.operator("*/")
		if op == 0 {
			return v, nil
		}
		var w *big.Rat
		if w, err = p.factor(depth); err != nil {
			break
		}
		if op == '*' {
			v = new(big.Rat).Mul(v, w)
		} else {
			if w.Sign() == 0 {
				return nil, fmt.Errorf("the formula divides by zero")
			}
			v = new(big.Rat).Quo(v, w)
		}
		err = bounded(v)
	}
	return nil, err
}

func bounded(v *big.Rat) error {
	const bits = maxDigits * 10 / 3
	if v.Num().BitLen() > bits || v.Denom().BitLen() > bits {
		return fmt.Errorf("the formula's numbers get too long to be computed exactly")
	}
	return nil
}

func (p *parser) factor(depth int) (*big.Rat, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the formula nests more than %d deep", maxDepth)
	}
	switch p.operator("-+(") {
	case '-':
		v, err := p.factor(depth + 1)
		if err != nil {
			return nil, err
		}
		return new(big.Rat).Neg(v), nil
	case '+':
		return p.factor(depth + 1)
	case '(':
		v, err := p.sum(depth + 1)
		if err != nil {
			return nil, err
		}
		if p.operator(")") == 0 {
			return nil, fmt.Errorf("a parenthesis of the formula is not closed")
		}
		return v, nil
	}
	start := p.at
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		exponent := p.at > start && (r == '+' || r == '-') && strings.ContainsAny(p.text[p.at-1:p.at], "eE") && number(p.text[start:p.at-1])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' && !exponent {
			break
		}
		p.at += n
	}
	word := p.text[start:p.at]
	switch {
	case word == "" && p.at == len(p.text):
		return nil, fmt.Errorf("the formula ends where a number or a name should stand")
	case word == "":
		return nil, fmt.Errorf("%q is not expected at position %d of the formula", p.rest(), p.at+1)
	}
	if v, ok := p.components[word]; ok {
		return v, nil
	}
	if v, ok := Number(word); ok {
		return v, nil
	}
	names := make([]string, 0, len(p.components))
	for n := range p.components {
		names = append(names, n)
	}
	slices.Sort(names)
	hint := ""
	if near := nearest.Best(word, names); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	} else if len(names) > 0 {
		hint = "; there are " + strings.Join(names[:min(10, len(names))], ", ")
	}
	return nil, fmt.Errorf("%q is no component%s", word, hint)
}

func number(s string) bool { _, ok := Number(s); return ok }

// Number reads a decimal number of bounded length, exactly.
func Number(s string) (*big.Rat, bool) {
	if s == "" || len(s) > 100 || strings.Trim(s, "0123456789.eE+-") != "" {
		return nil, false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(s), "e"); ok && len(strings.TrimLeft(exponent, "+-")) > 3 {
		return nil, false
	}
	v, ok := new(big.Rat).SetString(s)
	if !ok || bounded(v) != nil {
		return nil, false
	}
	return v, true
}
