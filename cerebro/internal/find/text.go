package find

import (
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/words"
	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

// cut gives a text in the words that package words cuts it into, so that the index
// compares what everything else here compares: its own stemming is switched off.
func cut(texts ...string) []string {
	out := make([]string, 0, len(texts))
	for _, t := range texts {
		if c := strings.Join(words.Tokens(t), " "); c != "" {
			out = append(out, c)
		}
	}
	return out
}

// plainBM25 is a ranking by BM25 alone, without the extras that the index offers.
func plainBM25(fields ...search.Field) search.Config {
	return search.Config{
		Fields: fields, Stemming: analysis.Off, SynonymWeight: -1, FuzzyWeight: -1, PrefixWeight: -1, TitleBonus: -1, AllBonus: -1,
	}
}

// full is the score of the best hit before bonuses.
const full = 10.0

// asked is a question cut up once.
type asked struct {
	text   string
	tokens []string // all
	phrase string   // all tokens, with blanks between
	query  string   // without the words that say nothing, with blanks between
}

func ask(text string) asked {
	tokens := words.Tokens(text)
	return asked{text, tokens, strings.Join(tokens, " "), strings.Join(words.Query(text), " ")}
}

// bonus is what a name earns by being what is asked for, or by beginning with or
// holding it. The name is cut as the question is.
func (a *asked) bonus(name string) float64 {
	switch {
	case a.phrase == "":
		return 0
	case name == a.phrase:
		return 6
	case strings.HasPrefix(name, a.phrase):
		return 3.5
	case strings.Contains(name, a.phrase):
		return 1.5
	}
	return 0
}
