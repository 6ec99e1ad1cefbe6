package semantic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
)

// Cardinality says how many rows of one side a row of the other meets.
type Cardinality string

// The cardinalities. Only the first two leave the number of rows as it is.
const (
	ManyToOne  Cardinality = "many_to_one"
	OneToOne   Cardinality = "one_to_one"
	OneToMany  Cardinality = "one_to_many"
	ManyToMany Cardinality = "many_to_many"
)

// Edge is a way from a model to another.
type Edge struct {
	From, To    *Model
	Keys        []Key
	Name        string // of the entity, or of the relationship's first key
	Cardinality Cardinality
	Inner       bool
	Cost        float64
	// Unsafe says why the edge must not be used to enrich rows, empty when it may.
	Unsafe string
}

// Key is a pair of SQL expressions that have to be equal.
type Key struct{ From, To string }

// MaxHops is how many joins may lie between a model and a dimension.
const MaxHops = 3

// connect finds the edges between all models: those of shared entities, and those
// that authors write down.
func (l *Layer) connect() {
	for _, from := range l.Models {
		for _, to := range l.Models {
			if from == to {
				continue
			}
			for _, e := range from.Entities {
				if f := to.Entity(e.Name); f != nil {
					from.edges = append(from.edges, entityEdge(from, to, e, f))
				}
			}
		}
		from.edges = append(from.edges, l.authored(from)...)
		slices.SortStableFunc(from.edges, func(a, b *Edge) int {
			return cmp.Or(cmp.Compare(a.Cost, b.Cost), strings.Compare(a.To.Name, b.To.Name), strings.Compare(a.Name, b.Name))
		})
	}
}

func entityEdge(from, to *Model, e, f *Entity) *Edge {
	x := &Edge{From: from, To: to, Name: e.Name, Keys: []Key{{e.Expr, f.Expr}}, Cost: 1}
	switch {
	case f.Single() && e.Single():
		x.Cardinality = OneToOne
	case f.Single():
		x.Cardinality = ManyToOne
	case e.Single():
		x.Cardinality = OneToMany
	default:
		x.Cardinality = ManyToMany
	}
	if x.Cardinality == OneToMany || x.Cardinality == ManyToMany {
		x.Unsafe = fmt.Sprintf("%s: a row of %s meets many of %s", x.Cardinality, from.Name, to.Name)
	}
	return x
}

// authored reads meta.cerebro.relationships of a model's semantic model or node.
func (l *Layer) authored(from *Model) []*Edge {
	var list []dbt.Meta
	for _, s := range l.Project.Semantics.Models {
		if s.Name == from.Name {
			list = s.Meta.Objects(dbt.MetaRelationships)
		}
	}
	if from.Node != nil {
		list = append(list, from.Node.Meta.Objects(dbt.MetaRelationships)...)
	}
	var out []*Edge
	object := "semantic_model:" + from.Name
	for _, m := range list {
		if other := m.Text("from"); other != "" && other != from.Name && (from.Node == nil || other != from.Node.Name) {
			continue
		}
		to := l.modelOf(m.Text("to"))
		if to == nil || to == from {
			l.find("warning", "relationship", object, "a relationship leads to %q, which is no other semantic model", m.Text("to"))
			continue
		}
		x := &Edge{From: from, To: to, Cardinality: Cardinality(m.Text("cardinality")), Inner: m.Text("join") == "inner", Cost: 1}
		for _, k := range m.Texts("keys") {
			a, b, pair := strings.Cut(k, "=")
			if !pair {
				b = a
			}
			x.Keys = append(x.Keys, Key{strings.TrimSpace(a), strings.TrimSpace(b)})
		}
		for _, k := range m.Objects("keys") {
			x.Keys = append(x.Keys, Key{k.Text("from"), k.Text("to")})
		}
		if c, ok := m.Number("cost"); ok {
			x.Cost = c
		}
		if len(x.Keys) == 0 || slices.ContainsFunc(x.Keys, func(k Key) bool { return expression(k.From) != nil || expression(k.To) != nil }) {
			l.find("warning", "relationship", object, "the relationship to %s has no keys that can be used", to.Name)
			continue
		}
		x.Name = x.Keys[0].From
		if alone, _ := m["aggregate_then_join_only"].(bool); alone {
			x.Unsafe = "aggregate_then_join_only: its author allows it only behind an aggregation"
		}
		if safe, given := m["safe_for_enrichment"].(bool); given && !safe {
			x.Unsafe = "its author calls it unsafe for enrichment"
		}
		switch x.Cardinality {
		case ManyToOne, OneToOne:
		case OneToMany, ManyToMany:
			x.Unsafe = fmt.Sprintf("%s: a row of %s meets many of %s", x.Cardinality, from.Name, to.Name)
		default:
			l.find("warning", "relationship", object, "the relationship to %s has the cardinality %q", to.Name, x.Cardinality)
			continue
		}
		out = append(out, x)
	}
	return out
}

// modelOf finds a semantic model by its name or by that of its relation's node.
func (l *Layer) modelOf(name string) *Model {
	if m := l.models[name]; m != nil {
		return m
	}
	for _, m := range l.Models {
		if m.Node != nil && m.Node.Name == name {
			return m
		}
	}
	return nil
}

// Path is a way from a branch's model to the model that a dimension is of.
type Path []*Edge

func (p Path) cost() float64 {
	c := 0.0
	for _, e := range p {
		c += e.Cost
	}
	return c
}

func (p Path) key() string {
	var b strings.Builder
	for _, e := range p {
		b.WriteString(e.Name + ">" + e.To.Name + ";")
	}
	return b.String()
}

// Names are the models on the way, the first one included.
func (p Path) Names() []string {
	if len(p) == 0 {
		return nil
	}
	out := []string{p[0].From.Name}
	for _, e := range p {
		out = append(out, e.To.Name)
	}
	return out
}

// Rejected is a path that reaches what was asked for and must not be used.
type Rejected struct {
	Path   []string `json:"path"`
	Reason string   `json:"reason"`
}

// reach lists the safe paths of up to MaxHops joins from a model, the model
// itself first, and the first unsafe step of others. Paths are ordered by cost,
// number of joins and names.
func reach(from *Model) (safe []Path, rejected []struct {
	path Path
	why  string
},
) {
	type state struct {
		at   *Model
		path Path
	}
	queue := []state{{at: from}}
	safe = append(safe, nil)
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if len(s.path) == MaxHops {
			continue
		}
		for _, e := range s.at.edges {
			if e.To == from || slices.ContainsFunc(s.path, func(o *Edge) bool { return o.To == e.To }) {
				continue
			}
			p := append(slices.Clone(s.path), e)
			switch {
			case e.Unsafe != "":
				rejected = append(rejected, struct {
					path Path
					why  string
				}{p, e.Unsafe})
				continue
			case e.To.Missing != "":
				continue
			}
			safe = append(safe, p)
			queue = append(queue, state{e.To, p})
		}
	}
	slices.SortStableFunc(safe, func(a, b Path) int {
		return cmp.Or(cmp.Compare(a.cost(), b.cost()), cmp.Compare(len(a), len(b)), strings.Compare(a.key(), b.key()))
	})
	return safe, rejected
}

// end is the model at the end of a path.
func (p Path) end(from *Model) *Model {
	if len(p) == 0 {
		return from
	}
	return p[len(p)-1].To
}
