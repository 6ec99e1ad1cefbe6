package catalog

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// NotOne is the error of a name that does not mean exactly one table.
type NotOne struct {
	Name string
	// Candidates are the tables that it may mean, the default schema's first; for a
	// name that means none at most five: the same bare name elsewhere, aliases, near
	// names.
	Candidates []string
	Ambiguous  bool
}

func (e *NotOne) Error() string {
	if e.Ambiguous {
		return "'" + e.Name + "' means several tables"
	}
	return "there is no table '" + e.Name + "'"
}

// maxCandidates is how many tables a refusal suggests.
const maxCandidates = 5

// Find finds the table that a name means: table, schema.table or
// connection.schema.table, with quotes of any dialect around its parts. The error
// is a [*NotOne].
func (c *Catalog) Find(name string) (int, error) {
	if len(strings.TrimSpace(name)) > c.longestSpelling() {
		return -1, &NotOne{Name: name, Candidates: []string{}}
	}
	parts := SplitName(name)
	if len(parts) > 2 && parts[0] == c.Connection {
		parts = parts[1:]
	}
	var found []int
	if len(parts) > 1 {
		// A dot without quotes may also be part of the schema's name or of the table's.
		for k := range parts {
			if i, ok := c.byName[model.TableName{Schema: strings.Join(parts[:k], "."), Name: strings.Join(parts[k:], ".")}]; ok {
				found = append(found, i)
			}
		}
		if found == nil {
			found = c.byFolded[c.Fold(strings.Join(parts, "."))]
		}
	} else if len(parts) == 1 {
		// One that is spelled exactly so comes before those that differ in case.
		for _, i := range c.bare[c.Fold(parts[0])] {
			if c.Tables[i].Name == parts[0] {
				found = append(found, i)
			}
		}
		if found == nil {
			found = c.bare[c.Fold(parts[0])]
		}
	}
	if found == nil {
		found = c.verbatim(name)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return -1, &NotOne{Name: name, Candidates: c.suggest(parts)}
	}
	return -1, &NotOne{Name: name, Candidates: c.names(found), Ambiguous: true}
}

// verbatim finds the tables of a name that is taken as it is: the quotes, dots and
// blanks in it are its own. Answers write names so.
func (c *Catalog) verbatim(name string) []int {
	var found []int
	for k := range len(name) {
		if name[k] == '.' {
			if i, ok := c.byName[model.TableName{Schema: name[:k], Name: name[k+1:]}]; ok {
				found = append(found, i)
			}
		}
	}
	if found != nil {
		return found
	}
	for _, i := range c.bare[c.Fold(name)] {
		if c.Tables[i].Name == name {
			found = append(found, i)
		}
	}
	return found
}

// longestSpelling bounds the text that can be the name of a table or near to one: with
// the connection, every quote in it doubled, quotes and blanks around its parts. What
// is longer would take time with the square of its length.
func (c *Catalog) longestSpelling() int { return 2*(c.longest+len(c.Connection)) + 128 }

// names are the qualified names of tables, those of the default schema first.
func (c *Catalog) names(tables []int) []string {
	tables = slices.Clone(tables)
	slices.SortStableFunc(tables, func(a, b int) int {
		da, db := c.Tables[a].Schema == c.DefaultSchema, c.Tables[b].Schema == c.DefaultSchema
		switch {
		case da && !db:
			return -1
		case db && !da:
			return 1
		}
		return a - b
	})
	out := make([]string, len(tables))
	for i, t := range tables {
		out[i] = c.Name(t)
		if slices.ContainsFunc(c.byFolded[c.Fold(out[i])], func(other int) bool { return other != t && c.Name(other) == out[i] }) {
			out[i] = `"` + c.Tables[t].Schema + `"."` + c.Tables[t].Name + `"` // which Find tells apart
		}
	}
	return out
}

// suggest lists what a name without a table may have meant.
func (c *Catalog) suggest(parts []string) []string {
	out := []string{}
	if len(parts) == 0 {
		return out
	}
	add := func(names ...string) {
		for _, n := range names {
			if len(out) < maxCandidates && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	last := c.Fold(parts[len(parts)-1])
	add(c.names(c.bare[last])...)
	add(c.names(c.aliases[last])...)
	var bare, qualified []string
	for i := range c.Tables {
		bare = append(bare, c.Fold(c.Tables[i].Name))
		qualified = append(qualified, c.Name(i))
	}
	if len(parts) > 1 {
		add(nearest.Find(strings.Join(parts, "."), qualified, maxCandidates)...)
	}
	for _, near := range nearest.Find(last, bare, maxCandidates) {
		add(c.names(c.bare[near])...)
	}
	return out
}

// SplitName splits a name at the dots outside of quotes and takes the quotes off:
// "A"."b", `A`.b, [A].[b].
func SplitName(name string) []string {
	name = strings.TrimSpace(name)
	var parts []string
	open := false // a bracket that nothing closes: no later one is closed either
	for name != "" {
		end := map[byte]string{'"': `"`, '`': "`", '[': "]"}[name[0]]
		if end != "" && !(end == "]" && open) {
			part, rest, ok := cutQuoted(name[1:], end)
			if ok && (rest == "" || rest[0] == '.') {
				parts, name = append(parts, part), strings.TrimPrefix(rest, ".")
				continue
			}
			open = open || !ok && end == "]"
		}
		part, rest, _ := strings.Cut(name, ".")
		parts, name = append(parts, strings.TrimSpace(part)), rest
	}
	return parts
}

// cutQuoted reads up to the closing quote; a doubled one stands for itself.
func cutQuoted(s, end string) (part, rest string, ok bool) {
	var b strings.Builder
	for {
		i := strings.Index(s, end)
		if i < 0 {
			return "", "", false
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		if !strings.HasPrefix(s, end) {
			return b.String(), s, true
		}
		b.WriteString(end)
		s = s[1:]
	}
}
