package engine

import (
	"context"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Description is what Describe says of a table.
type Description struct {
	Table   string
	Rows    int
	Columns []ColumnDescription
}

// ColumnDescription summarises one column. Which fields hold something depends
// on Kind: numbers have Present, Missing, Min, Max and Mean; dates Missing, Min
// and Max; categories Distinct and MostCommon; text nothing.
type ColumnDescription struct {
	Name             string
	Kind             col.Kind
	Type             plan.Type // how Min and Max are to be written
	Present, Missing int64
	Min, Max, Mean   plan.Value
	Distinct         int64        // labels, the missing one not counted
	MostCommon       []LabelCount // up to ten: most rows first, then by label, missing last
}

// LabelCount says how many rows have a label.
type LabelCount struct {
	Label plan.Value // a String, or missing
	Rows  int64
}

// Describe summarises the columns of a table. The first call on a state of a
// table scans it; later ones answer from what that found.
func (e *Engine) Describe(ctx context.Context, table string, progress func(done, total int64)) (*Description, error) {
	s, err := e.acquire(table)
	if err != nil {
		return nil, err
	}
	defer s.release()
	s.describe.Lock()
	defer s.describe.Unlock()
	if s.description == nil {
		d, err := e.summarise(ctx, s.Table, progress)
		if err != nil {
			return nil, err
		}
		s.description = d
	}
	return &Description{Table: s.Name, Rows: s.Rows, Columns: s.description}, nil
}

func (e *Engine) summarise(ctx context.Context, t *col.Table, progress func(done, total int64)) ([]ColumnDescription, error) {
	scan := plan.NewScan(t, "")
	out := make([]ColumnDescription, len(t.Columns))
	agg := &plan.Aggregate{In: scan}
	var set []func(plan.Value) // where each aggregate's value goes
	want := func(fn string, args []plan.Expr, to func(plan.Value)) error {
		a, err := plan.BindAggregate(fn, args, plan.AggOptions{Rows: int64(t.Rows)})
		if err != nil {
			return err
		}
		agg.Aggs = append(agg.Aggs, a)
		agg.Out = append(agg.Out, plan.Field{Type: a.T})
		set = append(set, to)
		return nil
	}
	for i, c := range t.Columns {
		d := &out[i]
		d.Name, d.Kind, d.Type = c.Name, c.Kind, scan.Out[i].Type
		x := []plan.Expr{&plan.Column{Index: i, Field: scan.Out[i]}}
		var err error
		switch c.Kind {
		case col.Category:
			err = e.countLabels(ctx, t, i, d, progress)
		case col.Number, col.Date:
			s := c.Stats()
			d.Present, d.Missing = int64(s.Present), int64(s.Missing)
			err = want("min", x, func(v plan.Value) { d.Min = v })
			if err == nil {
				err = want("max", x, func(v plan.Value) { d.Max = v })
			}
			if err == nil && c.Kind == col.Number {
				err = want("mean", x, func(v plan.Value) { d.Mean = v })
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if len(agg.Aggs) == 0 {
		return out, nil
	}
	res, err := exec.Run(ctx, agg, e.run(1, progress))
	if err != nil {
		return nil, err
	}
	for i, v := range res.Rows[0] {
		set[i](v)
	}
	return out, nil
}

// countLabels fills in the labels of category column i.
func (e *Engine) countLabels(ctx context.Context, t *col.Table, i int, d *ColumnDescription, progress func(done, total int64)) error {
	full := plan.NewScan(t, "")
	f := full.Out[i]
	f.Bool = false // labels are text here, also "true"
	scan := &plan.Scan{Table: t, Columns: []int{i}, Out: plan.Schema{f}}
	count, err := plan.BindAggregate("count", nil, plan.AggOptions{Rows: int64(t.Rows)})
	if err != nil {
		return err
	}
	n := plan.Field{Name: "rows", Type: count.T}
	label := &plan.Column{Index: 0, Field: f}
	groups := &plan.Aggregate{In: scan, Keys: []plan.Expr{label}, Aggs: []plan.Agg{count}, Out: plan.Schema{f, n}}
	sorted := &plan.Sort{In: groups, Keys: []plan.SortKey{{Expr: &plan.Column{Index: 1, Field: n}, Desc: true}, {Expr: label}}}
	res, err := exec.Run(ctx, sorted, e.run(10, progress))
	if err != nil {
		return err
	}
	d.Distinct = res.Total
	if anyMissing(t.Columns[i]) {
		d.Distinct--
	}
	for _, row := range res.Rows {
		d.MostCommon = append(d.MostCommon, LabelCount{Label: row[0], Rows: row[1].I})
	}
	return nil
}

func anyMissing(c *col.Column) bool {
	for _, ch := range c.Chunks {
		if ch.Valid.Count(ch.Len) < ch.Len {
			return true
		}
	}
	return false
}
