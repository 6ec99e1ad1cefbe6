package search

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

// A Field declares one named field of the documents.
type Field struct {
	Name string
	// Boost multiplies the weight of a word found in this field. 0 means 1.
	Boost float64
	// Title marks fields whose values name the document: a question that equals
	// one of them word for word earns [Config.TitleBonus].
	Title bool
}

// Config says how an [Index] compares words. Its zero value lacks only Fields.
// For each factor and weight 0 means the default, and a negative value turns
// the feature off.
type Config struct {
	// Fields lists the fields, at least one, at most 64, names distinct. Sums
	// run in this order.
	Fields []Field
	// Stemming reduces words; words as written are kept beside their stems.
	Stemming analysis.Stemming
	// Synonyms lists groups of single words of like meaning, see
	// [BusinessSynonyms]. A word of the question also finds the other words of
	// its groups.
	Synonyms [][]string
	// SynonymWeight is the weight of a synonym. Default 0.3.
	SynonymWeight float64
	// FuzzyWeight is the weight of a corrected spelling: words of 5 letters or
	// more that are nowhere in the index, nor their stems, match those one edit
	// away (a letter added, left out or replaced, or two neighbours swapped) from
	// them or, with stemming, from their singular or plural, and the other forms of
	// those.
	// Default 0.5.
	FuzzyWeight float64
	// PrefixWeight is the weight of words that begin with the last word of the
	// question, when that has 3 letters or more. Default 0.4.
	PrefixWeight float64
	// TitleBonus multiplies the score when the whole question equals a value of
	// a title field. Default 1.5.
	TitleBonus float64
	// AllBonus multiplies the score when every word of the question is matched.
	// Default 1.2.
	AllBonus float64
	// NamedBonus multiplies the score when the question holds all words of a value
	// of a title field, in any form and order. Default 1, for none.
	NamedBonus float64
}

// Limits on one question; [Results] says when MaxTerms cut it.
const (
	// MaxTerms is the number of distinct words of a question that count.
	MaxTerms = 128
	// maxExpansions bounds the words that one prefix or one misspelling stands for.
	maxExpansions = 32
	// maxFuzzy bounds the misspelt words of one question.
	maxFuzzy = 8

	minFuzzyLetters  = 5
	minPrefixLetters = 3
	maxFields        = 64
)

// normalised returns a copy of c with defaults in place of zeros.
func (c Config) normalised() (Config, error) {
	if len(c.Fields) == 0 || len(c.Fields) > maxFields {
		return c, fmt.Errorf("an index has 1 to %d fields, got %d", maxFields, len(c.Fields))
	}
	c.Fields = append([]Field(nil), c.Fields...)
	seen := make(map[string]bool, len(c.Fields))
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.Name == "" || strings.HasPrefix(f.Name, "_") || strings.ContainsRune(f.Name, 0) {
			return c, fmt.Errorf("field name %q is empty, begins with an underscore or holds a NUL", f.Name)
		}
		if seen[f.Name] {
			return c, fmt.Errorf("field %q is declared twice", f.Name)
		}
		seen[f.Name] = true
		if f.Boost == 0 {
			f.Boost = 1
		}
		if !(f.Boost > 0) || f.Boost > 1e6 {
			return c, fmt.Errorf("boost of field %q must be above 0 and at most 1000000, got %v", f.Name, f.Boost)
		}
	}
	if c.Stemming > analysis.Off {
		return c, fmt.Errorf("stemming %d is unknown", c.Stemming)
	}
	for _, w := range []struct {
		name  string
		value *float64
		unset float64 // when 0
		off   float64 // when negative
	}{
		{"synonym weight", &c.SynonymWeight, 0.3, 0},
		{"fuzzy weight", &c.FuzzyWeight, 0.5, 0},
		{"prefix weight", &c.PrefixWeight, 0.4, 0},
		{"title bonus", &c.TitleBonus, 1.5, 1},
		{"all-words bonus", &c.AllBonus, 1.2, 1},
		{"named bonus", &c.NamedBonus, 1, 1},
	} {
		switch {
		case *w.value == 0:
			*w.value = w.unset
		case *w.value < 0:
			*w.value = w.off
		case !(*w.value <= 1e6):
			return c, fmt.Errorf("%s must be at most 1000000, got %v", w.name, *w.value)
		}
	}
	return c, nil
}

// stems are those of tokens, joined ones left out.
func (c *Config) stems(tokens []analysis.Token) []string {
	var stems []string
	for _, t := range tokens {
		if !t.Joined {
			stems = append(stems, c.Stemming.Stem(t.Text))
		}
	}
	return stems
}

// synonyms maps the stem of each word of the groups to the other words of its
// groups, in the order given.
func synonyms(groups [][]string) (map[string][]string, error) {
	m := make(map[string][]string)
	for _, group := range groups {
		words := make([]string, len(group))
		for i, w := range group {
			split := analysis.Words(w)
			if len(split) != 1 {
				return nil, fmt.Errorf("synonym %q is not one word", w)
			}
			words[i] = split[0]
		}
		for _, w := range words {
			stem := analysis.Porter.Stem(w)
			for _, other := range words {
				if other != w {
					m[stem] = append(m[stem], other)
				}
			}
		}
	}
	return m, nil
}

// BusinessSynonyms returns groups of words that people and schemas use for the
// same thing in trade, finance and software. The caller owns the result.
func BusinessSynonyms() [][]string {
	return [][]string{
		{"revenue", "sales", "turnover", "amount", "income"},
		{"client", "customer", "buyer"},
		{"user", "member"},
		{"employee", "staff", "worker", "personnel"},
		{"supplier", "vendor"},
		{"product", "item", "article", "sku"},
		{"order", "purchase"},
		{"invoice", "bill"},
		{"payment", "transaction"},
		{"price", "cost", "rate"},
		{"shipment", "delivery", "shipping"},
		{"refund", "return", "chargeback"},
		{"stock", "inventory"},
		{"warehouse", "depot"},
		{"store", "shop", "outlet", "branch"},
		{"film", "movie"},
		{"manufacturer", "maker"},
		{"quantity", "qty", "count"},
		{"category", "class", "kind", "type", "genre"},
		{"country", "nation"},
		{"city", "town"},
		{"address", "location"},
		{"salary", "wage", "pay", "compensation"},
		{"department", "division"},
		{"subscription", "plan"},
		{"discount", "rebate", "promotion", "coupon"},
		{"churn", "cancellation", "attrition"},
		{"ticket", "issue", "case"},
		{"message", "email", "mail"},
		{"phone", "telephone", "mobile"},
		{"date", "day"},
		{"created", "inserted", "added"},
		{"updated", "modified", "changed"},
		{"deleted", "removed"},
		{"error", "failure", "exception"},
		{"tax", "vat"},
		{"budget", "forecast"},
		{"lead", "prospect"},
		{"visit", "session"},
		{"patient", "person"},
		{"doctor", "physician", "provider"},
	}
}
