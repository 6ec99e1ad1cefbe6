package route

import (
	"regexp"
	"strings"
)

// Mode is what a question asks for.
type Mode string

// The modes. Auto leaves it to [ModeOf].
const (
	Auto   Mode = "auto"
	Answer Mode = "answer"
	Chart  Mode = "chart"
	Report Mode = "report"
)

// Words that ask for a report or a chart, as whole words.
const (
	reportWords = `reports?|dashboards?|deep[ -]dives?|write[ -]?ups?|written analysis`
	chartWords  = `charts?|plots?|graphs?|visuali[sz]e|visuali[sz]ations?|heatmaps?|bar charts?|line charts?|pie|sankey`
)

var (
	askReport = regexp.MustCompile(`\b(?:` + reportWords + `)\b`)
	askChart  = regexp.MustCompile(`\b(?:` + chartWords + `)\b`)
	// What only sounds like it: graphs that are no charts, things to be counted, and negations.
	noAsk = regexp.MustCompile(`\bgraphs? of (?:the )?dependenc(?:y|ies)\b|\b(?:lineage|dependency|knowledge|call) graphs?\b|\breports? on bugs? in\b|` +
		`\bhow many (?:[a-z]+ )?(?:reports|charts|dashboards|graphs|plots)\b|` +
		`\b(?:no|without(?: an?| any)?|not an?|skip the|instead of an?) (?:` + reportWords + `|` + chartWords + `)\b|` +
		`\b(?:don'?t|do not|never|not|no need to) (?:\w+ )?(?:an? |me an? |any )?(?:` + reportWords + `|` + chartWords + `)\b`)
)

// ModeOf tells what a question asks for; it is answer unless the words are plain.
// A report wins over a chart.
func ModeOf(question string) Mode {
	q := strings.ToLower(strings.ReplaceAll(question, "’", "'"))
	q = noAsk.ReplaceAllString(q, " ")
	switch {
	case askReport.MatchString(q):
		return Report
	case askChart.MatchString(q):
		return Chart
	}
	return Answer
}
