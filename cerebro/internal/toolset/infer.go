package toolset

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/words"
)

// Infer classifies a tool that stands in no table by its name, its risk and the
// first line of its description. It never fails.
func Infer(name, description string, risk Risk) Meta {
	summary := FirstLine(description)
	return Meta{Domain: inferDomain(name, risk), Tier: Advanced, Tags: inferTags(summary), Summary: summary, Risk: risk}
}

// byName says which domain a part of a name tells of; the first that fits counts.
var byName = []struct {
	domain Domain
	fits   func(name, part string) bool
	parts  []string
}{
	{Storyteller, strings.HasPrefix, []string{"storyteller_"}},
	{Web3, strings.HasPrefix, []string{"contract_", "rpc_", "resolve_address"}},
	{Research, strings.Contains, []string{"research"}},
	{Visualization, strings.Contains, []string{"chart"}},
	{Reporting, strings.Contains, []string{"report", "dashboard"}},
	{Semantic, strings.Contains, []string{"metric", "semantic"}},
	{Discovery, strings.Contains, []string{"model", "lineage", "catalog", "docs"}},
	{Schema, strings.Contains, []string{"table", "database", "column"}},
	{Query, strings.Contains, []string{"query", "sql", "sandbox"}},
	{Governance, strings.Contains, []string{"persona", "trace", "audit", "exclu"}},
	{Visualization, strings.HasPrefix, []string{"open_"}},
	{General, strings.HasPrefix, []string{"list_"}},
	{Discovery, strings.HasPrefix, []string{"get_"}},
}

func inferDomain(name string, risk Risk) Domain {
	for _, rule := range byName {
		for _, part := range rule.parts {
			if rule.fits(name, part) {
				return rule.domain
			}
		}
	}
	switch risk {
	case ServerState, WorkspaceWrite, Destructive:
		return Governance
	case ExternalRead:
		return Web3
	case AppOnly:
		return Visualization
	}
	return Discovery
}

// maxTags is how many tags are taken from a description.
const maxTags = 8

func inferTags(summary string) []string {
	tags := []string{}
	for _, w := range words.Plain(summary) {
		if len([]rune(w)) > 3 && !words.Stop(w) && !slices.Contains(tags, w) && len(tags) < maxTags {
			tags = append(tags, w)
		}
	}
	return tags
}

// maxSummary is how many characters a summary has.
const maxSummary = 160

// FirstLine is the first line of a text that is not blank, cut to 160 characters.
func FirstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return Cut(line, maxSummary)
		}
	}
	return ""
}

// Cut shortens a text to a number of characters, the last of them an ellipsis.
func Cut(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return strings.TrimRight(string(r[:n-1]), " ") + "…"
}
