package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/roles"
)

// Namer gives clusters their labels and descriptions.
type Namer struct {
	tables  []Table
	degree  []int // joins of each table with others
	schemas map[string]bool
}

// NewNamer returns the namer of clusters of these tables, which it keeps.
func NewNamer(tables []Table, edges []Edge) *Namer {
	n := &Namer{tables: tables, degree: make([]int, len(tables)), schemas: map[string]bool{}}
	for _, e := range edges {
		if e.From != e.To {
			n.degree[e.From]++
			n.degree[e.To]++
		}
	}
	for i := range tables {
		n.schemas[strings.ToLower(tables[i].Schema)] = true
	}
	return n
}

// Name names a cluster after the table in its middle and the word that its tables
// have most in common, and says in a sentence what it holds. Nothing but its tables
// is named.
func (n *Namer) Name(members []int) (label, description string) {
	anchor := slices.MaxFunc(members, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(float64(n.degree[a])*labelWeight(n.tables[a].Role), float64(n.degree[b])*labelWeight(n.tables[b].Role)),
			cmp.Compare(n.rows(a), n.rows(b)), cmp.Compare(n.tables[b].Name, n.tables[a].Name))
	})
	label = n.tables[anchor].Name
	if s := n.tables[anchor].Schema; s != "" {
		label = s + "." + label
	}
	if len(members) == 1 {
		return label, "1 table"
	}
	if noun := n.noun(members); noun != "" {
		label += " · " + title(noun)
	}
	return fmt.Sprintf("%s (%d tables)", label, len(members)), n.describe(members)
}

func (n *Namer) rows(t int) float64 {
	if r := n.tables[t].Rows; r != nil && *r > 0 {
		return float64(*r)
	}
	return 0
}

// noun is the word that the names of some tables have most in common.
func (n *Namer) noun(members []int) string {
	weight, count := map[string]float64{}, map[string]int{}
	for _, t := range members {
		seen := map[string]bool{}
		for _, w := range nouns(n.tables[t].Name) {
			if seen[w] || n.schemas[w] {
				continue
			}
			seen[w] = true
			count[w]++
			weight[w] += float64(n.degree[t]+1) * math.Log10(n.rows(t)+10) * labelWeight(n.tables[t].Role)
		}
	}
	best := ""
	for w := range weight {
		if best == "" || cmp.Or(cmp.Compare(weight[w], weight[best]), cmp.Compare(count[w], count[best]), cmp.Compare(best, w)) > 0 {
			best = w
		}
	}
	return best
}

// describe says in a sentence what a cluster of several tables holds.
func (n *Namer) describe(members []int) string {
	byDegree := slices.Clone(members)
	slices.SortFunc(byDegree, func(a, b int) int { return cmp.Or(cmp.Compare(n.degree[b], n.degree[a]), cmp.Compare(a, b)) })
	facts, dims := 0, 0
	for _, t := range members {
		switch n.tables[t].Role {
		case roles.Fact:
			facts++
		case roles.Dimension:
			dims++
		}
	}
	text := fmt.Sprintf("%d tables around %s and %s", len(members), n.tables[byDegree[0]].Name, n.tables[byDegree[1]].Name)
	var parts []string
	for _, p := range []struct {
		n   int
		one string
	}{{facts, "fact"}, {dims, "dimension"}} {
		if p.n > 0 {
			parts = append(parts, names.Count(p.n, p.one))
		}
	}
	if len(parts) > 0 {
		text += "; " + strings.Join(parts, ", ")
	}
	return text
}

// labelWeight is the weight of a role where a cluster gets its name.
func labelWeight(role roles.Role) float64 {
	switch role {
	case roles.Dimension:
		return 1.5
	case roles.Fact:
		return 1.25
	case roles.Bridge, roles.Junction:
		return 0.4
	}
	return 1
}

// nouns are the words of a table's name that say what it holds, in the singular.
func nouns(table string) []string {
	tokens := names.Bare(names.Tokens(table))
	var out []string
	for i, w := range tokens {
		w = names.Stem([]string{w})
		last := i == len(tokens)-1
		switch {
		case len(w) < 2, strings.Trim(w, "0123456789") == "", generic[w], last && (w == "entity" || w == "history" || w == "type"):
		default:
			out = append(out, w)
		}
	}
	return out
}

var generic = map[string]bool{
	"tbl": true, "table": true, "fk": true, "id": true, "ref": true, "rel": true, "map": true, "link": true, "detail": true, "log": true,
}

// EntityName is the name of the thing that a table stands for; empty where its name
// does not say.
func EntityName(table string) string {
	words := nouns(table)
	for i := range words {
		words[i] = title(words[i])
	}
	return strings.Join(words, "")
}

func title(word string) string {
	r, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[n:]
}
