package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
)

// This file defines traverse, which finds how two tables join.

type traverseArgs struct {
	From       string   `json:"from_table" jsonschema:"table or schema.table to start from"`
	To         string   `json:"to_table" jsonschema:"table or schema.table to reach"`
	Database   string   `json:"database" jsonschema:"a connection, as list_databases names it"`
	ToDatabase string   `json:"to_database,omitempty" jsonschema:"the connection of to_table, when it is another one"`
	Depth      int      `json:"max_depth,omitempty" jsonschema:"most joins of a path" default:"4" minimum:"1" maximum:"8"`
	Top        int      `json:"top_k,omitempty" jsonschema:"most paths" default:"3" minimum:"1" maximum:"10"`
	EdgeTypes  []string `json:"edge_types,omitempty" jsonschema:"fk: declared keys alone; fk and inferred: both, as without it" enum:"fk,inferred"`
	Inferred   int      `json:"max_inferred_hops,omitempty" jsonschema:"most joins of a path that no key declares" default:"2" minimum:"0" maximum:"8"`
}

type traverseResult struct {
	From        string        `json:"from" jsonschema:"the table that paths start from"`
	To          string        `json:"to" jsonschema:"the table that they reach"`
	Requested   *traverseEnds `json:"requested,omitempty" jsonschema:"the names as given, if they differ"`
	Database    string        `json:"database" jsonschema:"the connection"`
	ToDatabase  string        `json:"to_database,omitempty" jsonschema:"the connection of to, if it is another one"`
	Cross       bool          `json:"cross_database,omitempty" jsonschema:"whether the tables are of two databases"`
	CrossNote   string        `json:"cross_db_note,omitempty" jsonschema:"what that means for a query"`
	Paths       []joinPath    `json:"paths" jsonschema:"the best first"`
	UsedPrecomp bool          `json:"used_precomputed" jsonschema:"whether the best path is one that was stored with the index"`
	TieBreak    *tieBreak     `json:"tie_break,omitempty" jsonschema:"how paths of one cost were put in order, if by embeddings"`
	Cut         bool          `json:"truncated,omitempty" jsonschema:"whether paths were left out"`
	Total       int           `json:"total_paths,omitempty" jsonschema:"how many there are, if some were left out"`
	warned
}

type traverseEnds struct {
	From string `json:"from" jsonschema:"from_table as given"`
	To   string `json:"to" jsonschema:"to_table as given"`
}

type joinPath struct {
	Confidence   float64    `json:"confidence" jsonschema:"product of its steps', 0 to 1"`
	Ambiguous    bool       `json:"ambiguous" jsonschema:"whether another path costs the same: ask which one is meant"`
	Label        string     `json:"semantic_label" jsonschema:"in words; fk_chain_promoted: keys alone, put before a cheaper guess"`
	Cost         float64    `json:"cost" jsonschema:"lower is better"`
	Steps        []joinStep `json:"steps" jsonschema:"the joins in order"`
	FanOut       bool       `json:"fan_out" jsonschema:"whether a row may meet several, so that sums may count twice"`
	SQL          string     `json:"sql_hint" jsonschema:"the FROM clause"`
	Stale        bool       `json:"stale,omitempty" jsonschema:"whether its tables have changed since it was stored"`
	StaleWarning string     `json:"stale_warning,omitempty" jsonschema:"what to do about it"`
}

type joinStep struct {
	FromTable   string            `json:"from_table" jsonschema:"the table that it leaves"`
	ToTable     string            `json:"to_table" jsonschema:"the table that it enters"`
	FromColumn  string            `json:"from_column" jsonschema:"first of from_columns"`
	ToColumn    string            `json:"to_column" jsonschema:"first of to_columns"`
	FromColumns []string          `json:"from_columns" jsonschema:"of from_table, in pairs with to_columns"`
	ToColumns   []string          `json:"to_columns" jsonschema:"of to_table"`
	EdgeType    string            `json:"edge_type" jsonschema:"fk or inferred"`
	Confidence  float64           `json:"confidence" jsonschema:"1 for a declared key"`
	Source      string            `json:"source" jsonschema:"declared_fk, or what the join was inferred from"`
	Reasoning   string            `json:"reasoning,omitempty" jsonschema:"why it was inferred"`
	Constraint  string            `json:"constraint_name,omitempty" jsonschema:"of the declared key"`
	Cardinality paths.Cardinality `json:"cardinality" jsonschema:"many_to_one, one_to_many, one_to_one or many_to_many, in the direction of the step"`
	Via         string            `json:"via" jsonschema:"the condition, the left side of from_table"`
}

type tieBreak struct {
	Method string    `json:"method" jsonschema:"embedding"`
	Tied   int       `json:"tied_paths" jsonschema:"how many paths cost the same"`
	Scores []float64 `json:"scores" jsonschema:"of each of them in order: how near the tables on the way are in meaning to the two ends"`
}

func (r *traverseResult) RowCount() int { return len(r.Paths) }

func (r *traverseResult) CutRows(n int) {
	if !r.Cut {
		r.Cut, r.Total = true, len(r.Paths)
		r.note("only the best paths are shown; ask for fewer with top_k or max_depth")
	}
	r.Paths = r.Paths[:n]
}

func traverse(sv *Service) mcpkit.Tool[traverseArgs, traverseResult] {
	return mcpkit.Tool[traverseArgs, traverseResult]{
		Name:  "traverse",
		Title: "Find join paths",
		Description: "Use it before writing a JOIN between tables whose way to each other is not known. Returns the best join paths over declared keys and inferred joins, " +
			"each with its steps, confidence, cardinalities and a ready FROM clause. ambiguous: several paths cost the same, so the question has to say which is meant; " +
			"fan_out: sums may count twice. Nothing found is an empty list and a warning that says what would help.",
		Hints:      readOnly,
		Refine:     func(_, out *jsonschema.Schema) { brief(out, "paths[].steps[]") },
		OutOfRange: mcpkit.Clamp,
		Handle: func(ctx context.Context, in traverseArgs) (traverseResult, error) {
			d, err := sv.open(in.Database)
			if err != nil {
				return traverseResult{}, err
			}
			far := d
			if in.ToDatabase = strings.TrimSpace(in.ToDatabase); in.ToDatabase != "" {
				if far, err = sv.open(in.ToDatabase); err != nil {
					return traverseResult{}, err
				}
			}
			from, err := d.endpoint(ctx, in.From)
			if err != nil {
				return traverseResult{}, err
			}
			to, err := far.endpoint(ctx, in.To)
			if err != nil {
				return traverseResult{}, err
			}
			r := traverseResult{From: d.Name(from), To: far.Name(to), Database: d.Entry.Name, Paths: []joinPath{}}
			if in.From != r.From || in.To != r.To {
				r.Requested = &traverseEnds{in.From, in.To}
			}
			sv.warnStale(ctx, d)
			if far.Entry.Name != d.Entry.Name {
				sv.warnStale(ctx, far)
				r.ToDatabase, r.Cross = far.Entry.Name, true
				r.CrossNote = "No single statement joins tables of two databases: the rows have to be brought together outside of them."
				warn(ctx, fmt.Sprintf("No confirmed entity link leads from %s to %s; links are made by pretensor entities, which this version does not have yet",
					d.Entry.Name, far.Entry.Name))
				return r, nil
			}
			t := traversal{d, from, to, in.limits(d), in.Top}
			found, err := t.search(ctx)
			if err != nil {
				return traverseResult{}, err
			}
			if found, r.TieBreak, err = sv.breakTie(ctx, t, found); err != nil {
				return traverseResult{}, err
			}
			r.UsedPrecomp = found.stored
			h := newHinter(d.Catalog)
			for _, p := range found.paths {
				r.Paths = append(r.Paths, t.describe(h, p, found.stale))
			}
			switch {
			case len(r.Paths) == 0:
				text, err := t.nothing(ctx)
				if err != nil {
					return traverseResult{}, err
				}
				warn(ctx, text)
			case found.cut:
				warn(ctx, "The search reached its bound on work: there may be better or further paths. A lower max_depth or fewer edge_types make it complete.")
			}
			return r, nil
		},
	}
}

// endpoint finds the table that an argument means; for a shadow alias that is the
// table that it stands for.
func (d database) endpoint(ctx context.Context, argument string) (int, error) {
	t, err := d.table(argument)
	if err != nil {
		return -1, err
	}
	base := d.ShadowOf(t)
	if base < 0 {
		return t, nil
	}
	warn(ctx, fmt.Sprintf("%s is a view that stands for %s, which was taken in its place", mcpkit.Untrusted(d.Name(t)), mcpkit.Untrusted(d.Name(base))))
	return base, nil
}

// limits are those of the search. Shadow aliases are no way to anywhere.
func (in *traverseArgs) limits(d database) paths.Limits {
	l := paths.Limits{Depth: in.Depth, Inferred: in.Inferred, Table: func(t int) bool { return d.ShadowOf(t) < 0 }}
	if in.Inferred == 0 {
		l.Inferred = -1 // none, where zero is the default
	}
	declared, inferred := slices.Contains(in.EdgeTypes, "fk"), slices.Contains(in.EdgeTypes, "inferred")
	switch {
	case declared && !inferred:
		l.Kinds = paths.DeclaredOnly
	case inferred && !declared:
		l.Kinds = paths.InferredOnly
	}
	return l
}

// traversal is a question to the graph of a catalog.
type traversal struct {
	d        database
	from, to int
	limits   paths.Limits
	top      int
}

// traversed is the answer. stored says that its first path is the one that the
// index holds, stale that this is all there is and may be out of date.
type traversed struct {
	paths              []paths.Path
	stored, stale, cut bool
}

// search finds the paths.
func (t traversal) search(ctx context.Context) (traversed, error) {
	r, err := t.d.Paths().Search(ctx, t.from, t.to, t.top, t.limits)
	if err != nil {
		return traversed{}, err
	}
	return t.withStored(r), nil
}

// withStored is what a search found and the index holds. The order is that of the
// search, whose first path is the stored one as a rule; where it was broken off, the
// stored one is put first.
func (t traversal) withStored(r paths.Result) traversed {
	out := traversed{paths: r.Paths, cut: r.Cut}
	best, stale, ok := t.stored()
	if !ok {
		return out
	}
	same := func(p paths.Path) bool {
		return slices.EqualFunc(p.Steps, best.Steps, func(a, b paths.Step) bool { return a.Edge == b.Edge })
	}
	switch {
	case stale:
		if len(r.Paths) == 0 && r.Cut {
			out.paths, out.stale = []paths.Path{best}, true
		}
	case len(r.Paths) > 0 && same(r.Paths[0]):
		out.stored = true
	case r.Cut:
		out.stored = true
		rest := slices.DeleteFunc(r.Paths, same)
		out.paths = append([]paths.Path{best}, rest[:min(len(rest), t.top-1)]...)
	}
	return out
}

// stored is the path that the index holds for the pair, if it answers a question
// with these limits.
func (t traversal) stored() (p paths.Path, stale, ok bool) {
	if t.limits.Kinds != paths.Both || t.limits.Depth != paths.DefaultDepth || t.limits.Inferred != paths.DefaultInferred {
		return paths.Path{}, false, false
	}
	row, back := t.d.Path(t.from, t.to)
	if row == nil {
		return paths.Path{}, false, false
	}
	edges := row.Edges
	if back {
		edges = slices.Clone(edges)
		slices.Reverse(edges)
	}
	p, end, ok := t.d.Paths().Along(t.from, edges)
	if !ok || end != t.to || len(p.Steps) == 0 || slices.ContainsFunc(p.Steps, func(s paths.Step) bool { return t.d.ShadowOf(s.To) >= 0 }) {
		return paths.Path{}, false, false
	}
	p.Ambiguous, p.Promoted = row.Ambiguous, row.Promoted
	return p, row.Stale, true
}

// describe is a path as the answer shows it.
func (t traversal) describe(h hinter, p paths.Path, stale bool) joinPath {
	out := joinPath{
		Confidence: model.Round(p.Confidence), Ambiguous: p.Ambiguous, Label: t.label(p), Cost: model.Round(p.Cost), Steps: make([]joinStep, len(p.Steps)),
		FanOut: p.FanOut, SQL: h.from(p), Stale: stale,
	}
	if stale {
		out.StaleWarning = "Tables of this path have changed since it was stored. " + drift.RecommendReindex(t.d.Entry.Name)
	}
	for i, s := range p.Steps {
		e := t.d.Edge(s.Edge)
		left, right := h.columns(s)
		out.Steps[i] = joinStep{
			FromTable: t.d.Name(s.From), ToTable: t.d.Name(s.To), FromColumn: left[0], ToColumn: right[0], FromColumns: left, ToColumns: right,
			EdgeType: joinKind(e), Confidence: model.Round(e.Confidence), Source: e.Source, Reasoning: e.Reasoning, Constraint: e.Constraint,
			Cardinality: s.Cardinality, Via: h.on(s),
		}
	}
	return out
}

// label says in words what a path is.
func (t traversal) label(p paths.Path) string {
	if p.Promoted {
		return "fk_chain_promoted"
	}
	from, to := t.d.Tables[t.from].Name, t.d.Tables[t.to].Name
	if from == to && t.from != t.to {
		from, to = t.d.Name(t.from), t.d.Name(t.to)
	}
	return fmt.Sprintf("%s → %s (%s)", mcpkit.Untrusted(from), mcpkit.Untrusted(to), names.Count(len(p.Steps), "hop"))
}

// joinKind is the word for a join that is declared or not.
func joinKind(e *catalog.Edge) string {
	if e.Declared {
		return "fk"
	}
	return "inferred"
}

// nothing says that there is no path within the limits, and what would help.
func (t traversal) nothing(ctx context.Context) (string, error) {
	from, to := mcpkit.Untrusted(t.d.Name(t.from)).String(), mcpkit.Untrusted(t.d.Name(t.to)).String()
	text := fmt.Sprintf("No join path leads from %s to %s within %s", from, to, names.Count(t.limits.Depth, "step"))
	if t.from == t.to {
		text = "No key of " + from + " refers to itself"
	}
	switch {
	case t.limits.Kinds == paths.InferredOnly:
		text += " over inferred joins alone"
	case t.limits.Kinds == paths.DeclaredOnly || t.limits.Inferred < 0:
		text += " over declared keys alone"
	case t.from != t.to && t.limits.Inferred < t.limits.Depth:
		text += ", at most " + fmt.Sprint(t.limits.Inferred) + " of them inferred"
	}
	help, err := t.help(ctx)
	if err != nil || help != "" || t.from == t.to {
		return text + help, err
	}
	text += "; none of up to " + fmt.Sprint(paths.MaxDepth) + " steps exists over any edge"
	for _, end := range []int{t.from, t.to} {
		if !t.d.joined(end) {
			text += "; " + mcpkit.Untrusted(t.d.Name(end)).String() + " joins no other table"
		}
	}
	if near, ok := t.nearby(); ok {
		text += "; within reach is " + mcpkit.Untrusted(t.d.Name(near)).String()
	}
	return text, nil
}

// help names the arguments with which there is a path, those that change the least.
func (t traversal) help(ctx context.Context) (string, error) {
	deeper := func(l *paths.Limits) { l.Depth = paths.MaxDepth }
	looser := func(l *paths.Limits) { l.Inferred = paths.MaxDepth }
	wider := func(l *paths.Limits) { l.Kinds = paths.Both; l.Inferred = max(l.Inferred, paths.DefaultInferred) }
	g := t.d.Paths()
	for _, relax := range [][]func(*paths.Limits){{deeper}, {looser}, {wider}, {deeper, looser}, {wider, deeper}, {wider, deeper, looser}} {
		l := t.limits
		for _, f := range relax {
			f(&l)
		}
		if n := g.Distance(t.from, t.to, l); n < 0 || n > l.Depth {
			continue
		}
		r, err := g.Search(ctx, t.from, t.to, 1, l)
		if err != nil {
			return "", err
		}
		if len(r.Paths) == 0 {
			continue
		}
		p := r.Paths[0]
		var args []string
		if len(p.Steps) > t.limits.Depth {
			args = append(args, "max_depth "+fmt.Sprint(len(p.Steps)))
		}
		if l.Kinds != t.limits.Kinds {
			args = append(args, `edge_types ["fk","inferred"]`)
		}
		if p.Inferred > max(0, t.limits.Inferred) {
			args = append(args, "max_inferred_hops "+fmt.Sprint(p.Inferred))
		}
		if len(args) == 0 {
			continue
		}
		return "; there is one with " + strings.Join(args, " and "), nil
	}
	return "", nil
}

// joined reports whether a table has a join to another one.
func (d database) joined(table int) bool {
	other := func(id int) bool {
		e := d.Edge(id)
		return e.From != e.To && d.ShadowOf(e.From) < 0 && d.ShadowOf(e.To) < 0
	}
	return slices.ContainsFunc(d.Out(table), other) || slices.ContainsFunc(d.In(table), other)
}

// nearby is the table within reach whose name is the nearest to that of the table
// which is not.
func (t traversal) nearby() (int, bool) {
	reached, wave := map[string]int{}, []int{t.from}
	seen := map[int]bool{t.from: true}
	for range t.limits.Depth {
		var next []int
		for _, at := range wave {
			for _, id := range slices.Concat(t.d.Out(at), t.d.In(at)) {
				e := t.d.Edge(id)
				other := e.From + e.To - at
				if seen[other] || t.d.ShadowOf(other) >= 0 {
					continue
				}
				seen[other] = true
				next = append(next, other)
				name := t.d.Fold(t.d.Tables[other].Name)
				if first, ok := reached[name]; !ok || other < first {
					reached[name] = other
				}
			}
		}
		wave = next
	}
	want := t.d.Fold(t.d.Tables[t.to].Name)
	if at, ok := reached[want]; ok {
		return at, true
	}
	names := make([]string, 0, len(reached))
	for n := range reached {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range nearest.Find(want, names, 1) {
		return reached[n], true
	}
	return -1, false
}
