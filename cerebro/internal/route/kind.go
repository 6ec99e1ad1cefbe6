package route

import (
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

// kind is what sort of number a question asks for, or a metric gives.
type kind string

// The kinds; the empty one fits all.
const (
	count    kind = "count"
	money    kind = "money"
	share    kind = "share"
	duration kind = "duration"
	amount   kind = "amount" // money or a count
)

var asksFor = []struct {
	kind kind
	by   *regexp.Regexp
}{
	{share, regexp.MustCompile(`\b(?:share|percent(?:age)?|proportion|portion|fraction|ratio|rate|how (?:often|frequent(?:ly)?)|frequency)\b|%`)},
	{duration, regexp.MustCompile(`\b(?:how (?:long|quick(?:ly)?)|hours? (?:to|until|till)|minutes|time (?:to|until|till)|wait(?:ing)?(?: time)?)\b`)},
	{count, regexp.MustCompile(`\b(?:how many|number of|counts? of|quantity of)\b`)},
	{money, regexp.MustCompile(`\b(?:how much (?:money|did|do|does)|cash|euros?|dollars?|pounds?|costs?|prices?|spend(?:ing)?|spent|expen[sd]\w*|pays?|paid|money|profits?|earn(?:ed|ings?)?|income|revenue)\b`)},
	{amount, regexp.MustCompile(`\bhow much\b`)},
}

// matches says whether a metric gives what is asked for: 1 when it does, -1 when it
// gives something else, 0 when nothing can be said.
func (k kind) matches(metric kind) int {
	switch {
	case k == "" || metric == "":
		return 0
	case k == metric:
		return 1
	case k == amount && (metric == money || metric == count):
		return 0
	}
	return -1
}

// kindOf reads a question.
func kindOf(text string) kind {
	text = strings.ToLower(text)
	for _, k := range asksFor {
		if k.by.MatchString(text) {
			return k.kind
		}
	}
	return ""
}

var timeUnits = []string{"hours", "minutes", "seconds", "days"}

// kindOfMetric reads what a metric says of its numbers.
func kindOfMetric(m *semantic.Metric) kind {
	switch {
	case m.Format == "percent":
		return share
	case m.Format == "currency":
		return money
	case slices.Contains(timeUnits, strings.ToLower(m.Unit)) || m.Format == "duration":
		return duration
	case m.Format == "integer":
		return count
	}
	return ""
}

// silent are words that say what sort of number is wanted, or that hold a sentence
// together as much as grammar does, and nothing of what the question is about.
var silent = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`
		share percent percentage proportion portion fraction ratio rate often frequently frequency quantity long euro euros
		well really actually currently ever still already
		come comes came coming go goes went going get gets got getting make makes made making take takes took taking
		bring brings brought look looks like keep keeps put thing things lot lots`) {
		m[w] = true
	}
	return m
}()
