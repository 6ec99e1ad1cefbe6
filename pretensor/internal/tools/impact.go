package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// This file defines impact, which finds what a change to a table may break.

type impactArgs struct {
	Table    string `json:"table" jsonschema:"table or schema.table that is to change"`
	Database string `json:"database" jsonschema:"a connection, as list_databases names it"`
	Column   string `json:"column,omitempty" jsonschema:"a column of the table: only what refers to it"`
	Depth    int    `json:"max_depth,omitempty" jsonschema:"most joins away" default:"3" minimum:"1" maximum:"8"`
}

type impactResult struct {
	Target          impactTarget `json:"target" jsonschema:"what is to change"`
	Database        string       `json:"database" jsonschema:"the connection"`
	Impact          impactGroups `json:"impact" jsonschema:"the tables that depend on it, each in one list"`
	Affected        int          `json:"total_affected" jsonschema:"how many tables there are in all lists, those left out included"`
	Consumers       []impactUse  `json:"target_consumers" jsonschema:"code that uses the target itself, 20 places at most"`
	ConsumersTotal  int          `json:"target_consumers_total,omitempty" jsonschema:"how many there are, if some were left out"`
	Lineage         []impactView `json:"lineage_downstream,omitempty" jsonschema:"views and models that the target feeds, also by way of others; they do not count"`
	Cut             bool         `json:"truncated,omitempty" jsonschema:"whether entries were left out"`
	TotalDirect     int          `json:"total_direct,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalTwo        int          `json:"total_two_hop,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalThree      int          `json:"total_three_hop,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalLow        int          `json:"total_low_confidence,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalBeyond     int          `json:"total_beyond,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalDownstream int          `json:"total_lineage_downstream,omitempty" jsonschema:"how many there are, if some were left out"`
	warned
}

type impactTarget struct {
	Table  string  `json:"table" jsonschema:"its qualified name"`
	Column *string `json:"column" jsonschema:"the column, if one was given"`
}

type impactGroups struct {
	Direct []impactItem `json:"direct" jsonschema:"one join away"`
	Two    []impactItem `json:"two_hop" jsonschema:"two joins away"`
	Three  []impactItem `json:"three_hop" jsonschema:"three joins away"`
	Low    []impactItem `json:"low_confidence" jsonschema:"however far, by a join of a confidence below 0.5: it may not be one"`
	Beyond []impactItem `json:"beyond,omitzero" jsonschema:"four to eight joins away, if max_depth is above 3"`
}

type impactItem struct {
	Type           string      `json:"type" jsonschema:"table"`
	Name           string      `json:"name" jsonschema:"its qualified name"`
	Via            string      `json:"via" jsonschema:"the columns that refer to the one before, from the target on"`
	Confidence     float64     `json:"confidence" jsonschema:"of the least certain join on the way, 0 to 1"`
	Hop            int         `json:"hop" jsonschema:"how many joins away"`
	Relationship   string      `json:"relationship" jsonschema:"fk or inferred: the last join"`
	Consumers      []impactUse `json:"consumers" jsonschema:"code that uses this table, the most certain first, 20 places at most"`
	ConsumersTotal int         `json:"consumers_total,omitempty" jsonschema:"how many there are, if some were left out"`

	table int
}

type impactUse struct {
	Service    string  `json:"service" jsonschema:"the service it belongs to"`
	File       string  `json:"file" jsonschema:"relative to its repository"`
	Start      int     `json:"line_start" jsonschema:"its first line"`
	End        int     `json:"line_end" jsonschema:"its last line"`
	Kind       string  `json:"kind" jsonschema:"how the code names the table"`
	Op         string  `json:"op" jsonschema:"read or write"`
	Confidence float64 `json:"confidence" jsonschema:"0 to 1"`
}

type impactView struct {
	Name string `json:"name" jsonschema:"its qualified name"`
	Type string `json:"lineage_type" jsonschema:"how data comes to it: VIEW, MATERIALIZED_VIEW, TRIGGER, model_dependency and others"`
}

// groups are the lists of tables, in order, with the totals that are stated of those
// that were cut.
func (r *impactResult) groups() []impactGroup {
	g := &r.Impact
	return []impactGroup{{&g.Direct, &r.TotalDirect}, {&g.Two, &r.TotalTwo}, {&g.Three, &r.TotalThree}, {&g.Low, &r.TotalLow}, {&g.Beyond, &r.TotalBeyond}}
}

type impactGroup struct {
	list  *[]impactItem
	total *int
}

func (r *impactResult) RowCount() int {
	n := len(r.Lineage)
	for _, g := range r.groups() {
		n += len(*g.list)
	}
	return n
}

// CutRows cuts the longest lists.
func (r *impactResult) CutRows(n int) {
	r.noteCut()
	lengths := []int{len(r.Lineage)}
	for _, g := range r.groups() {
		lengths = append(lengths, len(*g.list))
	}
	most := level(lengths, n)
	for _, g := range r.groups() {
		if len(*g.list) > most {
			*g.total = max(*g.total, len(*g.list))
			*g.list = (*g.list)[:most]
		}
	}
	if len(r.Lineage) > most {
		r.TotalDownstream = max(r.TotalDownstream, len(r.Lineage))
		r.Lineage = r.Lineage[:most]
	}
}

func (r *impactResult) noteCut() {
	if !r.Cut {
		r.Cut = true
		r.note("only the nearest and most certain entries of the longest lists are shown; ask with a column or a lower max_depth")
	}
}

// level is the length to which lists have to be cut to have n entries together at
// most.
func level(lengths []int, n int) int {
	slices.Sort(lengths)
	for i, l := range lengths {
		if l*(len(lengths)-i) > n {
			return n / (len(lengths) - i)
		}
		n -= l
	}
	return lengths[len(lengths)-1]
}

// Bounds of the answer.
const (
	// doubtful is the confidence below which a join may not be one.
	doubtful = 0.5
	// maxPlaces is how much code is shown of one table, maxPlacesOfAll of all tables
	// together: what depends on the target matters more than every place that uses it.
	maxPlaces      = 20
	maxPlacesOfAll = 250
	// maxAffected is how many tables are shown of those that depend on the target at
	// most, whatever room there is.
	maxAffected = 1000
)

func impact(sv *Service) mcpkit.Tool[impactArgs, impactResult] {
	return mcpkit.Tool[impactArgs, impactResult]{
		Name:  "impact",
		Title: "Find what a change affects",
		Description: "Use it before a table or column is changed, renamed or backfilled. Returns the tables that depend on it over declared keys and inferred joins, " +
			"grouped by how many joins away they are, each with the chain of columns, its confidence and the code that uses it; what hangs on a join of a confidence below 0.5 " +
			"is apart in low_confidence. target_consumers is code that uses the table itself, lineage_downstream the views that it feeds.",
		Hints: readOnly,
		Refine: func(_, out *jsonschema.Schema) {
			for _, group := range []string{"direct", "two_hop", "three_hop", "low_confidence", "beyond"} {
				brief(out, "impact."+group+"[]")
			}
		},
		OutOfRange: mcpkit.Clamp,
		Handle: func(ctx context.Context, in impactArgs) (impactResult, error) {
			d, err := sv.open(in.Database)
			if err != nil {
				return impactResult{}, err
			}
			target, err := d.endpoint(ctx, in.Table)
			if err != nil {
				return impactResult{}, err
			}
			r := impactResult{Target: impactTarget{Table: d.Name(target)}, Database: d.Entry.Name, Lineage: d.downstream(target)}
			column := -1
			if name := strings.TrimSpace(in.Column); name != "" {
				if column, err = d.column(target, name); err != nil {
					return impactResult{}, err
				}
				r.Target.Column = &d.Tables[target].Columns[column].Name
			}
			sv.warnStale(ctx, d)
			f := d.dependents(target, column, in.Depth)
			r.Affected = len(f.found)
			r.show(d, f, in.Depth)
			r.showConsumers(d, target)
			if column >= 0 && r.Affected == 0 {
				warn(ctx, fmt.Sprintf("No key and no inferred join refers to the column %s of %s; without column the answer holds what refers to the table",
					mcpkit.Untrusted(*r.Target.Column), mcpkit.Untrusted(r.Target.Table)))
			}
			return r, nil
		},
	}
}

// column finds a column of a table by its name, quoted or not.
func (d database) column(table int, name string) (int, error) {
	for _, n := range []string{name, strings.Join(catalog.SplitName(name), ".")} {
		if i := d.Column(table, n); i >= 0 {
			return i, nil
		}
	}
	names := []string{}
	for _, c := range d.Tables[table].Columns {
		if c.Parent == "" {
			names = append(names, c.Name)
		}
	}
	return -1, fault(mcpkit.NotFound, columnNotFound, "", nearest.Find(name, names, 5), "No column '%s' in %s.", mcpkit.Untrusted(name), mcpkit.Untrusted(d.Name(table)))
}

// dependents are the tables that depend on one, or on a column of it.
type dependents struct {
	sure, all []way // over joins that are not doubtful, and over all
	found     []dependent
}

type dependent struct {
	table, hop int
	confidence float64
	sure       bool
}

// dependents finds the tables that depend on one, or on a column of it unless that is
// negative, in the order of the answer. A table counts at its least distance, on the
// most certain way of that length; ways over doubtful joins count only where there is
// no other.
func (d database) dependents(target, column, depth int) dependents {
	f := dependents{sure: d.reach(target, column, depth, doubtful), all: d.reach(target, column, depth, 0)}
	for t := range d.Tables {
		if w := f.sure[t]; w.hop > 0 {
			f.found = append(f.found, dependent{t, w.hop, w.confidence, true})
		} else if w := f.all[t]; w.hop > 0 {
			f.found = append(f.found, dependent{t, w.hop, w.confidence, false})
		}
	}
	slices.SortFunc(f.found, func(a, b dependent) int {
		switch {
		case a.hop != b.hop:
			return a.hop - b.hop
		case a.confidence != b.confidence:
			return cmp.Compare(b.confidence, a.confidence)
		}
		return a.table - b.table // tables are in the order of their names
	})
	return f
}

// way is how a table is reached: over an edge to the table that was reached before.
type way struct {
	hop        int // 0: not at all
	edge       int
	confidence float64
}

// reach walks from what is referred to to what refers to it, breadth first, over edges
// of a confidence. Shadow aliases are not part of it.
func (d database) reach(target, column, depth int, least float64) []way {
	ways := make([]way, d.Len())
	wave := []int{target}
	for hop := 1; hop <= depth && len(wave) > 0; hop++ {
		var next []int
		for _, at := range wave {
			so := 1.0
			if at != target {
				so = ways[at].confidence
			}
			for _, id := range d.In(at) {
				e := d.Edge(id)
				c := min(so, e.Confidence)
				w := &ways[e.From]
				if c < least || e.From == target || d.ShadowOf(e.From) >= 0 || w.hop > 0 && (w.hop < hop || w.confidence >= c) {
					continue
				}
				if at == target && column >= 0 && !slices.ContainsFunc(e.ToColumns, func(name string) bool { return d.Column(target, name) == column }) {
					continue
				}
				if w.hop == 0 {
					next = append(next, e.From)
				}
				*w = way{hop, id, c}
			}
		}
		slices.Sort(next)
		wave = next
	}
	return ways
}

// item tells how a table is reached.
func (d database) item(f dependents, x dependent) impactItem {
	ways := f.all
	if x.sure {
		ways = f.sure
	}
	chain := make([]string, x.hop)
	for i, at := x.hop-1, x.table; i >= 0; i-- {
		e := d.Edge(ways[at].edge)
		columns := strings.Join(e.FromColumns, ", ")
		if len(e.FromColumns) > 1 {
			columns = "(" + columns + ")"
		}
		chain[i] = d.Tables[at].Name + "." + columns
		at = e.To
	}
	return impactItem{
		Type: "table", Name: d.Name(x.table), Via: strings.Join(chain, " → "), Confidence: model.Round(x.confidence), Hop: x.hop,
		Relationship: joinKind(d.Edge(ways[x.table].edge)), table: x.table,
	}
}

// show puts tables, which are in order, into the lists that they belong to.
func (r *impactResult) show(d database, f dependents, depth int) {
	groups := r.groups()
	of := make([][]dependent, len(groups))
	for _, x := range f.found {
		g := min(x.hop, 4) - 1
		if g == 3 {
			g = 4 // beyond
		}
		if x.confidence < doubtful {
			g = 3
		}
		of[g] = append(of[g], x)
	}
	lengths := []int{}
	for _, list := range of {
		lengths = append(lengths, len(list))
	}
	most := level(lengths, maxAffected)
	for i, g := range groups {
		if i < 4 || depth > 3 {
			*g.list = make([]impactItem, min(most, len(of[i])))
		}
		for k := range *g.list {
			(*g.list)[k] = d.item(f, of[i][k])
		}
		if len(of[i]) > most {
			r.noteCut()
			*g.total = len(of[i])
		}
	}
}

// showConsumers puts the code that uses the tables into the answer.
func (r *impactResult) showConsumers(d database, target int) {
	var items []*impactItem
	lengths := []int{0}
	for _, g := range r.groups() {
		for i := range *g.list {
			x := &(*g.list)[i]
			items = append(items, x)
			lengths = append(lengths, min(maxPlaces, len(d.ConsumersOf(x.table))))
		}
	}
	most := max(1, level(lengths, maxPlacesOfAll))
	for _, x := range items {
		x.Consumers, x.ConsumersTotal = uses(d.ConsumersOf(x.table), most)
	}
	r.Consumers, r.ConsumersTotal = uses(d.ConsumersOf(target), maxPlaces)
}

// uses shows the first n uses of a table. total is how many there are, if that is
// more.
func uses(all []catalog.Usage, n int) (shown []impactUse, total int) {
	if len(all) > n {
		total = len(all)
	}
	shown = make([]impactUse, min(n, len(all)))
	for i := range shown {
		u := &all[i]
		shown[i] = impactUse{u.Service, u.File, u.LineStart, u.LineEnd, u.Kind, u.Op, model.Round(u.Use.Confidence)}
	}
	return shown, total
}

// downstream are the tables that data of a table flows to, by distance and name.
func (d database) downstream(table int) []impactView {
	out := []impactView{}
	seen := map[int]bool{table: true}
	for wave := map[model.TableName]bool{{Schema: d.Tables[table].Schema, Name: d.Tables[table].Name}: true}; len(wave) > 0; {
		next := map[model.TableName]bool{}
		var found []impactView
		for i := range d.Lineage {
			l := &d.Lineage[i]
			if !wave[model.TableName{Schema: l.FromSchema, Name: l.FromTable}] {
				continue
			}
			to := d.At(l.ToSchema, l.ToTable)
			if to < 0 || seen[to] {
				continue
			}
			seen[to] = true
			next[model.TableName{Schema: l.ToSchema, Name: l.ToTable}] = true
			found = append(found, impactView{d.Name(to), l.Type})
		}
		slices.SortFunc(found, func(a, b impactView) int { return cmp.Compare(a.Name, b.Name) })
		out = append(out, found...)
		wave = next
	}
	return out
}
