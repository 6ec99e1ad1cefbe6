// Package infer finds joins that no key declares, from names, types, keys and
// statistics alone: it reads no database. [Joins] returns candidates with a
// confidence and a sentence that says what speaks for them; they are guesses, and
// the bands of [Band] say how good ones.
//
// A candidate leads from the column that refers (the child's) to the one that is
// referred to (the parent's). Everything is deterministic: the result does not
// depend on the order of the tables.
package infer

import (
	"cmp"
	"math"
	"slices"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Kind is the rule that a candidate comes from.
type Kind string

// The kinds.
const (
	DBTRelationship Kind = "dbt_relationship" // a relationships test of dbt
	NameID          Kind = "name_id"          // customer_id names table customers
	PKName          Kind = "pk_name"          // custkey is the key of one other table
	RoleSuffix      Kind = "role_suffix"      // billing_address_id, created_by
	PrefixAbbrev    Kind = "prefix_abbrev"    // cust_id names table customers
	CompositeKey    Kind = "composite_key"    // all columns of a key of several columns occur
	SameName        Kind = "same_name"        // two tables have a column of one name
	SelfReference   Kind = "self_reference"   // parent_id, manager_id
	UsageView       Kind = "usage_view"       // a view joins the two
	UsageCode       Kind = "usage_code"       // analysed code joins the two
)

// Where a candidate comes from, as the graph says it.
const (
	Heuristic = "heuristic"
	DBT       = "dbt"
	UsageJoin = "usage"
)

// Pair is two columns that something compares, by the tables' schemas and names.
type Pair struct {
	SchemaA, TableA, ColumnA string
	SchemaB, TableB, ColumnB string
	Locations                int // where code does; at least 1 is taken
}

// Input is what joins are inferred from. Nothing in it is changed.
type Input struct {
	Dialect string          // how types are spelled
	Tables  []model.Table   // visible ones, without shadow aliases
	Lineage []model.Lineage // tells which tables a view reads; optional

	// ViewJoins are equalities in view definitions, CodeJoins those in analysed code;
	// sides in any order.
	ViewJoins, CodeJoins []Pair
	// Relationships are those of dbt: A refers to B.
	Relationships []Pair
}

// Options are the limits. The zero value means the defaults.
type Options struct {
	// SameNameMaxTables is how many tables may share a name that still says
	// something; 0: 8, negative: no limit.
	SameNameMaxTables int
	// MaxJoins is how many candidates are returned, the most confident ones; 0: 60,000.
	MaxJoins int
}

// Limits.
const (
	defaultSameName = 8
	defaultMaxJoins = 60_000
	minConfidence   = 0.05
	maxConfidence   = 0.95 // a guess is never as sure as a declared key
	strong          = 0.80 // see [Band]
	medium          = 0.50
)

// Ref is a column, by its place in [Input.Tables] and [model.Table.Columns].
type Ref struct{ Table, Column int }

// Candidate is one inferred join.
type Candidate struct {
	Source, Target Ref
	Kind           Kind
	Origin         string  // Heuristic, DBT, UsageJoin
	Confidence     float64 // 0.05 to 0.95
	Reasoning      string  // one sentence, without values of the data
	// Group is the same number, not 0, for the candidates that only together are one
	// join over a key of several columns.
	Group int
}

// Result is what [Joins] found.
type Result struct {
	Joins   []Candidate // by the names of source and, per source column, the best first
	Dropped int         // candidates beyond Options.MaxJoins
}

// Band names how sure a confidence is: high from 0.8, medium from 0.5, low.
func Band(confidence float64) string {
	switch {
	case confidence >= strong:
		return "high"
	case confidence >= medium:
		return "medium"
	}
	return "low"
}

// Joins infers the joins of a database.
func Joins(in Input, o Options) Result {
	o.SameNameMaxTables = cmp.Or(o.SameNameMaxTables, defaultSameName)
	if o.SameNameMaxTables < 0 {
		o.SameNameMaxTables = math.MaxInt
	}
	o.MaxJoins = cmp.Or(o.MaxJoins, defaultMaxJoins)

	w := newWork(in, o)
	w.given()
	for _, t := range w.order {
		for c := range w.tables[t].columns {
			w.column(Ref{t, c})
		}
		w.composites(t)
	}
	w.sameNames()
	return w.result()
}

// result settles the candidates of each source column and then the whole.
func (w *work) result() Result {
	joins := []Candidate{}
	for _, t := range w.order {
		for c := range w.tables[t].columns {
			joins = append(joins, w.settle(Ref{t, c})...)
		}
	}
	joins = w.wholeGroups(joins)
	dropped := max(0, len(joins)-w.o.MaxJoins)
	if dropped > 0 {
		best := slices.Clone(joins)
		slices.SortStableFunc(best, func(a, b Candidate) int { return cmp.Compare(b.Confidence, a.Confidence) })
		joins = w.wholeGroups(best[:w.o.MaxJoins])
	}
	slices.SortStableFunc(joins, w.compare)
	return Result{Joins: joins, Dropped: dropped}
}

// settle keeps, of the candidates of one source column, at most two and all the
// strong ones.
func (w *work) settle(src Ref) []Candidate {
	all := w.found[src]
	slices.SortStableFunc(all, w.compare)
	kept := all[:0]
	for _, c := range all {
		if len(kept) < 2 || c.Confidence >= strong {
			kept = append(kept, c)
		}
	}
	return kept
}

// wholeGroups drops what is left of a key of several columns when one of its
// columns is gone: half a key joins wrong rows. A column that has a reason of its
// own stays, alone.
func (w *work) wholeGroups(joins []Candidate) []Candidate {
	left := map[int]int{}
	for _, c := range joins {
		left[c.Group]++
	}
	kept := joins[:0]
	for _, c := range joins {
		if left[c.Group] < w.groups[c.Group] {
			if c.Kind == CompositeKey {
				continue
			}
			c.Group = 0
		}
		kept = append(kept, c)
	}
	return kept
}

// compare orders candidates by source, confidence and target.
func (w *work) compare(a, b Candidate) int {
	return cmp.Or(cmp.Compare(w.rank[a.Source.Table], w.rank[b.Source.Table]), cmp.Compare(a.Source.Column, b.Source.Column),
		cmp.Compare(b.Confidence, a.Confidence),
		cmp.Compare(w.rank[a.Target.Table], w.rank[b.Target.Table]), cmp.Compare(a.Target.Column, b.Target.Column))
}
