package postgres

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Limits of what is kept of common values; the rest of the privacy rule, which
// looks at names and values, is not the connector's.
const (
	maxDistinct = 50
	maxCommon   = 20
)

func (in *introspection) readUsage(ctx context.Context) error {
	rows, err := query[struct {
		Table, Live                                   int64
		Analyzed                                      bool
		SeqScans, IdxScans, Inserts, Updates, Deletes int64
	}](ctx, in.conn, usageSQL, in.stored)
	if err != nil {
		return err
	}
	counts := map[int64]int64{}
	for _, r := range in.relations {
		if r.Tuples > 0 && r.Kind != "p" && r.Kind != "v" {
			counts[r.OID] = int64(r.Tuples)
		}
	}
	for _, r := range rows {
		if r.Live > 0 || r.Analyzed {
			counts[r.Table] = r.Live
		}
		for _, t := range in.upwards(r.Table) {
			if t.Usage == nil {
				t.Usage = &model.Usage{}
			}
			t.Usage.SeqScans += r.SeqScans
			t.Usage.IdxScans += r.IdxScans
			t.Usage.Inserts += r.Inserts
			t.Usage.Updates += r.Updates
			t.Usage.Deletes += r.Deletes
		}
	}
	for _, r := range in.relations {
		n, known := counts[r.OID]
		if !known || r.Kind == "p" || r.Kind == "v" {
			continue
		}
		for _, t := range in.upwards(r.OID) {
			sum := n
			if t.Rows != nil {
				sum += *t.Rows
			}
			t.Rows, t.RowsSource = &sum, model.CountStat
		}
	}
	return nil
}

// upwards are the shown tables that a relation's rows are in: itself and what it
// is a partition of.
func (in *introspection) upwards(oid int64) []*table {
	var out []*table
	for ; oid != 0; oid = in.parent[oid] {
		if t := in.tables[oid]; t != nil {
			out = append(out, t)
		}
	}
	return out
}

func (in *introspection) readSizes(ctx context.Context) error {
	rows, err := query[struct {
		Table int64
		Bytes *int64 // null where the table has just been dropped
	}](ctx, in.conn, sizesSQL, in.stored)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Bytes == nil {
			continue
		}
		for _, t := range in.upwards(r.Table) {
			sum := *r.Bytes
			if t.Bytes != nil {
				sum += *t.Bytes
			}
			t.Bytes = &sum
		}
	}
	return nil
}

func (in *introspection) readStatistics(ctx context.Context) error {
	rows, err := query[struct {
		Table, Number     int64
		Category          string
		Nulls, Distinct   float64
		Correlation       *float64
		Common, Histogram []string
	}](ctx, in.conn, statisticsSQL, in.kept, in.o.SampleValues)
	if err != nil {
		return err
	}
	for _, r := range rows {
		t := in.tables[r.Table]
		at, ok := t.at[r.Number]
		if !ok {
			continue
		}
		nulls := r.Nulls // a pointer into the row would keep all of its values
		s := &model.Stats{NullFraction: &nulls, Correlation: r.Correlation, Source: string(connect.StatsCatalog), Distinct: distinct(r.Distinct, t.Rows)}
		s.Min, s.Max = extremes(r.Category, r.Histogram, r.Common)
		if len(r.Histogram) > 1 {
			s.Histogram = slices.Compact(r.Histogram) // which empties the rest of what it is given
		}
		few := s.Distinct != nil && *s.Distinct <= maxDistinct
		if few && (r.Category == "B" || r.Category == "S" || r.Category == "N" && s.Min != "") {
			s.Common = r.Common[:min(len(r.Common), maxCommon)]
		}
		t.Columns[at].Stats = s
	}
	return nil
}

// distinct reads pg_stats.n_distinct: a number of values, or, negative, a
// fraction of the rows; 0 is unknown.
func distinct(n float64, rows *int64) *int64 {
	switch {
	case n < 0 && rows != nil && *rows >= 0:
		n = math.Round(-n * float64(*rows))
	case n <= 0:
		return nil
	}
	count := int64(n)
	return &count
}

// extremes are the least and the greatest of the values that the statistics of a
// column of numbers or times hold, as near to the column's as is known. Both are
// empty where a value cannot be compared: infinite, of a money or object type,
// before Christ.
func extremes(category string, lists ...[]string) (low, high string) {
	if category != "N" && category != "D" {
		return "", ""
	}
	for _, values := range lists {
		for _, v := range values {
			if category == "N" {
				if f, err := strconv.ParseFloat(v, 64); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
					return "", ""
				}
			} else if strings.HasSuffix(v, "BC") || strings.Contains(v, "infinity") {
				return "", ""
			}
			if low == "" || less(category, v, low) {
				low = v
			}
			if high == "" || less(category, high, v) {
				high = v
			}
		}
	}
	return low, high
}

// less compares two values as the server prints them; times in ISO form compare as
// texts.
func less(category, a, b string) bool {
	if category == "D" {
		return len(a) < len(b) && strings.IndexByte(b, '-') > 4 || a < b // years of five digits
	}
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return x < y
}
