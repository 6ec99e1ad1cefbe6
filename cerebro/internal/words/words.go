// Package words cuts texts into the words that names and questions are compared by.
//
// Questions, tool descriptions, models and metrics all go through the same cut, so
// that equal words are equal everywhere: Unicode compatibility forms are folded,
// letters are lower case, and a plural loses its ending.
package words

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Plain gives the words of a text as they are, folded to lower case: runs of
// letters and digits, where Latin and other letters do not mix.
func Plain(text string) []string {
	text = strings.ToLower(norm.NFKC.String(text))
	var out []string
	start, latin := -1, false
	end := func(i int) {
		if start >= 0 {
			out = append(out, text[start:i])
			start = -1
		}
	}
	for i, r := range text {
		isLatin := r < 0x80 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
		switch {
		case !isLatin && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end(i)
		case start < 0:
			start, latin = i, isLatin
		case isLatin != latin && !unicode.IsMark(r) && !accented(r, latin):
			end(i)
			start, latin = i, isLatin
		}
	}
	end(len(text))
	return out
}

// accented says that a letter beyond ASCII belongs to a Latin word, as in café.
func accented(r rune, latin bool) bool { return latin && unicode.Is(unicode.Latin, r) }

// Tokens gives the words of a text without their plural endings.
func Tokens(text string) []string {
	out := Plain(text)
	for i, w := range out {
		out[i] = Singular(w)
	}
	return out
}

// Singular takes the plural's ending off: ies becomes y in words of more than four
// letters, and a final s that is not ss goes in those of more than three.
func Singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

// Query gives the tokens of a question without the words that say nothing of what
// it is about, each once. Where nothing else is left they stay.
func Query(text string) []string {
	all := Tokens(text)
	var out []string
	for _, w := range all {
		if !Stop(w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, w := range all {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// Phrase gives a text as its tokens with a blank before, between and behind them,
// so that strings.Contains finds whole words.
func Phrase(text string) string { return " " + strings.Join(Tokens(text), " ") + " " }

// Stop says that a token says nothing of what a question is about: grammar, requests,
// times and the most general nouns.
func Stop(token string) bool {
	if stops[token] {
		return true
	}
	if n := len(token); n == 2 && token[0] == 'q' && token[1] >= '1' && token[1] <= '4' {
		return true
	}
	return strings.Trim(token, "0123456789") == "" // numbers and years
}

// Grammar says that a word holds a sentence together and means nothing by itself.
func Grammar(word string) bool { return grammar[word] }

var grammar = set(`
	a an the
	i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those who whom
	whose which what someone anyone everyone something anything everything
	am is are was were be been being do does did doing done have has had having can could will would shall should may might must
	how why when where
	in on at of for to from by with without within into onto over under between among across per about above below after before
	during through until till as than and or but not no nor if then so too very just please let`)

var stops = func() map[string]bool {
	m := set(`
		show give tell plot chart graph draw visualize visualise report compare explain list find get display
		today yesterday tomorrow now last past previous next current ago day daily week weekly month monthly quarter quarterly year yearly
		annual annually hour hourly trend since ytd mtd qtd date
		january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec
		monday tuesday wednesday thursday friday saturday sunday
		total number count amount value data breakdown overview summary top much many`)
	for w := range grammar {
		m[w] = true
	}
	for _, w := range slices.Collect(maps.Keys(m)) {
		m[Singular(w)] = true
	}
	return m
}()

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}
