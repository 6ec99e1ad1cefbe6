package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Bounds of one table's sample.
const (
	maxSample        = 100_000 // rows
	maxSampleColumns = 400     // at four results each; the server allows 1664
)

// sample reads every table that the user may read by one aggregate each, and
// counts the rows of views. A table that takes too long keeps what the catalog
// said of it.
func (in *introspection) sample(ctx context.Context) error {
	if err := in.beginSample(ctx); err != nil {
		return in.failure(ctx, "beginning to sample", err)
	}
	var late int
	for _, oid := range slices.Sorted(maps.Keys(in.tables)) {
		t := in.tables[oid]
		if !t.readable || t.kind == "f" {
			continue // a foreign table is another server's
		}
		err := in.sampleTable(ctx, t)
		if err == nil {
			continue
		}
		err = in.failure(ctx, "sampling", err)
		if ctx.Err() != nil || in.pg.IsClosed() {
			return err
		}
		late++
		var e *connect.Error
		if t.kind == "v" && errors.As(err, &e) && e.Category == connect.Timeout {
			minusOne := int64(-1)
			t.Rows, t.RowsSource = &minusOne, model.CountTimeout
		}
		in.rollback()
		if err := in.beginSample(ctx); err != nil {
			return in.failure(ctx, "beginning to sample again", err)
		}
	}
	if late > 0 {
		in.db.Warnings = append(in.db.Warnings, fmt.Sprintf("%d tables and views could not be sampled in time or at all", late))
	}
	if err := in.exec(ctx, commitSQL); err != nil {
		return in.failure(ctx, "ending the transaction", err)
	}
	return nil
}

func (in *introspection) beginSample(ctx context.Context) error {
	if err := in.exec(ctx, beginSQL); err != nil {
		return err
	}
	return in.settings(ctx, in.dataTimeout, "on")
}

func (in *introspection) sampleTable(ctx context.Context, t *table) error {
	from := quoteAlways(t.Schema) + "." + quoteAlways(t.Name)
	if t.kind == "v" {
		var n int64
		if err := in.row(ctx, "SELECT count(*) FROM "+from, &n); err != nil {
			return err
		}
		t.Rows, t.RowsSource = &n, model.CountView
		return nil
	}
	// What may have no order or is too large to compare is only counted.
	var names, results []string
	var sampled []int
	for i := range t.Columns[:min(len(t.Columns), maxSampleColumns)] {
		name := quoteAlways(t.Columns[i].Name)
		distinct, low, high := "NULL", "NULL", "NULL"
		switch t.categories[i] {
		case "N", "D":
			low, high = "min("+name+")::text", "max("+name+")::text"
			fallthrough
		case "B", "S", "E":
			distinct = "count(DISTINCT " + name + ")"
		}
		sampled, names = append(sampled, i), append(names, name)
		results = append(results, "count("+name+")", distinct+"::bigint", low, high)
	}
	if len(sampled) == 0 {
		return nil
	}
	if t.Rows != nil && *t.Rows > maxSample {
		// Pages at random, with the same choice each time, and a little more than are
		// needed.
		percent := math.Min(100, 120*maxSample/float64(*t.Rows))
		from += fmt.Sprintf(" TABLESAMPLE SYSTEM (%g) REPEATABLE (1)", percent)
	}
	sql := fmt.Sprintf("SELECT count(*), %s FROM (SELECT %s FROM %s LIMIT %d) AS s", strings.Join(results, ", "), strings.Join(names, ", "), from, maxSample)

	var rows int64
	found := make([]struct {
		present   int64
		distinct  *int64
		low, high *string
	}, len(sampled))
	into := []any{&rows}
	for i := range found {
		into = append(into, &found[i].present, &found[i].distinct, &found[i].low, &found[i].high)
	}
	if err := in.row(ctx, sql, into...); err != nil || rows == 0 {
		return err
	}
	whole := rows < maxSample && !strings.Contains(from, "TABLESAMPLE")
	for i, f := range found {
		c := &t.Columns[sampled[i]]
		s := c.Stats
		if s == nil {
			s = &model.Stats{}
			c.Stats = s
		}
		nulls := 1 - float64(f.present)/float64(rows)
		s.NullFraction, s.Source = &nulls, string(connect.StatsSample)
		if whole || s.Distinct == nil {
			s.Distinct = f.distinct // of a part of the table it is the least that there are
		}
		if f.low == nil || f.high == nil {
			continue
		}
		// A part of the table does not narrow what the planner has seen.
		known := []string{*f.low, *f.high}
		if !whole && s.Min != "" {
			known = append(known, s.Min, s.Max)
		}
		s.Min, s.Max = extremes(t.categories[sampled[i]], known)
	}
	return nil
}

// row reads the one row of an aggregate.
func (c *conn) row(ctx context.Context, sql string, into ...any) error {
	ctx, cancel := context.WithTimeout(ctx, c.dataTimeout+answerSlack)
	defer cancel()
	return c.pg.QueryRow(ctx, sql).Scan(into...)
}
