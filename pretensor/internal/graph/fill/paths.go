package fill

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
)

// Promoted is the label of a path over declared keys that was put before a cheaper
// one.
const Promoted = "fk_chain_promoted"

// PathID is the id of a join path between two tables with these steps.
func PathID(from, to, steps string) string {
	sum := sha256.Sum256([]byte(steps))
	return from + "::" + to + "::" + hex.EncodeToString(sum[:8])
}

// paths has two nodes for each stored path, one for each direction.
func (b *builder) paths() Batch {
	columns := []string{
		graph.Key, "database_key", "from_table_id", "to_table_id", "depth", "confidence", "cost", "ambiguous", "steps_json", "semantic_label", "stale",
	}
	return batch(graph.JoinPath, columns, len(b.c.Data.Paths), func(i int, row func(...any)) {
		p := &b.c.Data.Paths[i]
		steps, back, confidence := b.walk(p)
		for _, x := range []struct {
			from, to int
			steps    string
		}{{p.From, p.To, steps}, {p.To, p.From, back}} {
			label := Promoted
			if !p.Promoted {
				label = b.pathLabel(x.from, x.to, len(p.Edges))
			}
			row(PathID(b.ids[x.from], b.ids[x.to], x.steps), b.c.Connection, b.ids[x.from], b.ids[x.to], len(p.Edges), confidence, p.Cost, p.Ambiguous,
				x.steps, label, p.Stale)
		}
	})
}

func (b *builder) pathLabel(from, to, hops int) string {
	label := fmt.Sprintf("%s → %s (%d hops)", b.c.Tables[from].Name, b.c.Tables[to].Name, hops)
	if hops == 1 {
		return strings.TrimSuffix(label, "s)") + ")"
	}
	return label
}

// walk is a path's steps in both directions, and its confidence.
func (b *builder) walk(p *catalog.Path) (steps, back string, confidence float64) {
	confidence = 1
	var there, here []string
	at := p.From
	for _, id := range p.Edges {
		e := b.c.Edge(id)
		confidence *= e.Confidence
		forward, reverse := b.step(id)
		if at == e.From {
			at = e.To
		} else {
			at, forward, reverse = e.From, reverse, forward
		}
		there, here = append(there, forward), append(here, reverse)
	}
	slices.Reverse(here)
	return "[" + strings.Join(there, ",") + "]", "[" + strings.Join(here, ",") + "]", confidence
}

// step is an edge in both directions, as JSON with sorted keys.
func (b *builder) step(id int) (forward, reverse string) {
	s := &b.steps[id]
	if s[0] == "" {
		e := b.c.Edge(id)
		kind := "fk"
		if !e.Declared {
			kind = "inferred"
		}
		s[0] = stepText(step{b.c.Name(e.From), on(e.FromColumns, e.ToColumns), b.c.Name(e.To), kind})
		s[1] = stepText(step{b.c.Name(e.To), on(e.ToColumns, e.FromColumns), b.c.Name(e.From), kind})
	}
	return s[0], s[1]
}

// step is in the order of its keys, which ids depend on. There are many of them: what
// else is known of a join is on the edges of the graph.
type step struct {
	From string `json:"from"`
	On   string `json:"on"`
	To   string `json:"to"`
	Type string `json:"type"`
}

func stepText(s step) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // of strings: it cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

// on is the condition of a step.
func on(from, to []string) string {
	pairs := make([]string, min(len(from), len(to)))
	for i := range pairs {
		pairs[i] = from[i] + " = " + to[i]
	}
	return strings.Join(pairs, " AND ")
}
