package duckdb

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// sampleRows is how many rows of a table are read at most; of a table that may have
// more than sampledOnly rows, blocks from all over it are read instead of the first.
const (
	sampleRows  = 100_000
	sampledOnly = 10_000_000
)

// sample reads one aggregate of each table, and the number of rows of each view.
// What takes too long is left out.
func (in *introspection) sample(ctx context.Context) error {
	late := 0
	for i := range in.db.Tables {
		t := &in.db.Tables[i]
		err := in.sampleTable(ctx, t)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			late++
			if t.IsView() && errors.Is(err, context.DeadlineExceeded) {
				n := int64(-1)
				t.Rows, t.RowsSource = &n, model.CountTimeout
			}
		}
	}
	if late > 0 {
		in.db.Warnings = append(in.db.Warnings, fmt.Sprintf("%d tables and views could not be sampled in time or at all", late))
	}
	return nil
}

func (in *introspection) name(t *model.Table) string {
	schema := quoteName(t.Schema)
	if catalog, own, ok := strings.Cut(t.Schema, "."); ok && len(in.c.files) > 1 {
		schema = quoteName(catalog) + "." + quoteName(own)
	}
	return schema + "." + quoteName(t.Name)
}

func (in *introspection) sampleTable(ctx context.Context, t *model.Table) error {
	ctx, cancel := context.WithTimeout(ctx, connect.DataTimeout)
	defer cancel()
	if t.IsView() {
		var n int64
		if err := in.one(ctx, "SELECT count(*) FROM "+in.name(t), &n); err != nil {
			return err
		}
		t.Rows, t.RowsSource = &n, model.CountView
		return nil
	}
	type result struct {
		column   *model.Column
		present  int64
		distinct int64
		min, max *string
	}
	var total int64
	var results []*result
	selected, dest := []string{"count(*)"}, []any{&total}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Parent != "" {
			continue
		}
		r := &result{column: c}
		results = append(results, r)
		n := quoteName(c.Name)
		distinct, smallest, largest := "0", "NULL", "NULL"
		if !nested(c.Type) {
			distinct = "approx_count_distinct(" + n + ")"
		}
		if ordered(c.Type) {
			smallest, largest = "min("+n+")", "max("+n+")"
		}
		selected = append(selected, "count("+n+")", distinct, smallest+"::VARCHAR", largest+"::VARCHAR")
		dest = append(dest, &r.present, &r.distinct, &r.min, &r.max)
	}
	from := fmt.Sprintf("(SELECT * FROM %s LIMIT %d)", in.name(t), sampleRows)
	if t.Rows != nil && *t.Rows > sampledOnly {
		from = fmt.Sprintf("(SELECT * FROM %s TABLESAMPLE SYSTEM (%f PERCENT) REPEATABLE (1) LIMIT %d)", in.name(t), 100*float64(sampleRows)/float64(*t.Rows), sampleRows)
	}
	if err := in.one(ctx, "SELECT "+strings.Join(selected, ", ")+" FROM "+from, dest...); err != nil {
		return err
	}
	for _, r := range results {
		s := &model.Stats{Source: string(connect.StatsSample)}
		if total > 0 {
			missing := float64(total-r.present) / float64(total)
			s.NullFraction = &missing
		}
		if !nested(r.column.Type) {
			n := min(r.distinct, r.present) // the estimate may be too large
			s.Distinct = &n
		}
		if r.min != nil && r.max != nil {
			s.Min, s.Max = *r.min, *r.max
		}
		r.column.Stats = s
	}
	return nil
}

// one reads the only row of a statement.
func (in *introspection) one(ctx context.Context, statement string, dest ...any) (err error) {
	rows, err := in.c.query(ctx, statement)
	if err != nil {
		return errors.Join(err, ctx.Err())
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if !rows.Next() {
		return errors.Join(rows.Err(), ctx.Err())
	}
	return rows.Scan(dest...)
}

// orderedTypes are those whose smallest and largest value may be kept.
var orderedTypes = regexp.MustCompile(`^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|DATE|TIME|TIME WITH TIME ZONE|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?)$`)

func ordered(typ string) bool { return orderedTypes.MatchString(typ) }

// nested reports whether values of a type are made of others.
func nested(typ string) bool {
	return strings.HasSuffix(typ, "]") || strings.HasPrefix(typ, "STRUCT(") || strings.HasPrefix(typ, "MAP(") || strings.HasPrefix(typ, "UNION(")
}
