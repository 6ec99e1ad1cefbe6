package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

const (
	// countLimit is the size of file, in bytes, from which on tables are not counted
	// in mode catalog.
	countLimit = 256 << 20
	// countsPerStatement is half of what a SELECT may have as columns.
	countsPerStatement = 1000
	// sampleRows bounds what a sample reads of a table.
	sampleRows = 100_000
	// sampleLimit is the number of rows from which on a table is not sampled: there is
	// no way to skip through one.
	sampleLimit = 10_000_000
	// sampleColumns bounds the columns of a sample: four results each at most.
	sampleColumns = 490
)

// statistics adds what the mode allows: counts of rows, and statistics of columns.
func (c *connector) statistics(ctx context.Context, o connect.Options, s *structure) error {
	if o.Stats == connect.StatsNone && !o.RowCounts {
		return nil
	}
	if s.hasStat {
		if err := c.plannerStatistics(ctx, s); err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.warn("the planner's statistics could not be read: %v", err)
		}
	}
	if o.Stats == connect.StatsNone {
		return nil // the tables are not counted: that reads them
	}
	sample := o.Stats == connect.StatsSample
	var uncounted []*relation
	for _, r := range s.relations {
		switch {
		case r.unreadable || r.virtual || r.Rows != nil:
		case r.Type == model.View && sample, r.Type == model.BaseTable && (sample || c.size < countLimit):
			uncounted = append(uncounted, r)
		}
	}
	for chunk := range slices.Chunk(uncounted, countsPerStatement) {
		if err := c.count(ctx, chunk, c.dataTimeout); err != nil {
			return err
		}
	}
	if !sample {
		return nil
	}
	for _, r := range s.relations {
		if r.Type != model.BaseTable || len(r.Columns) == 0 || r.Rows != nil && *r.Rows > sampleLimit {
			continue
		}
		if err := c.sample(ctx, r); err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.warn("%q could not be sampled: %v", r.Name, err)
		}
	}
	return nil
}

// plannerStatistics reads sqlite_stat1: per index, the number of rows and how many
// of them share one value of the first column, of the first two, …
func (c *connector) plannerStatistics(ctx context.Context, s *structure) error {
	return c.each(ctx, `SELECT tbl, coalesce(idx, ''), stat FROM main.sqlite_stat1`, nil, func(rows *sql.Rows) error {
		var table, index string
		var stat sql.NullString
		if err := rows.Scan(&table, &index, &stat); err != nil {
			return err
		}
		r := s.byName[fold(table)]
		numbers := strings.Fields(stat.String)
		if r == nil || len(numbers) == 0 {
			return nil
		}
		n, err := strconv.ParseInt(numbers[0], 10, 64)
		if err != nil {
			return nil //nolint:nilerr // ANALYZE never writes that; anyone may
		}
		at := slices.IndexFunc(r.Indexes, func(i model.Index) bool { return i.Name == index })
		if at >= 0 && r.Indexes[at].Partial {
			return nil
		}
		if r.Rows == nil || *r.Rows < n {
			r.Rows, r.RowsSource = &n, model.CountStat
		}
		if at < 0 || len(numbers) < 2 {
			return nil
		}
		same, err := strconv.ParseInt(numbers[1], 10, 64)
		if col := r.Column(r.Indexes[at].Columns[0]); err == nil && same > 0 && col != nil {
			distinct := (n + same - 1) / same
			col.Stats = &model.Stats{Distinct: &distinct, Source: "catalog"}
		}
		return nil
	})
}

// count counts the rows of relations in one statement. If that takes longer than
// the limit of one relation, or one of them cannot be read, each is counted alone.
func (c *connector) count(ctx context.Context, list []*relation, limit time.Duration) error {
	counts := make([]int64, len(list))
	targets := make([]any, len(list))
	selects := make([]string, len(list))
	for i, r := range list {
		selects[i] = "(SELECT count(*) FROM main." + quote(r.Name) + ")"
		targets[i] = &counts[i]
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	err := c.db.QueryRowContext(limited, "SELECT "+strings.Join(selects, ", ")).Scan(targets...)
	timedOut := limited.Err() != nil
	cancel()
	if ctx.Err() != nil {
		return c.fail(ctx, "counting the rows of", err)
	}
	switch {
	case err == nil:
		for i, r := range list {
			r.Rows, r.RowsSource = &counts[i], model.CountExact
			if r.Type == model.View {
				r.RowsSource = model.CountView
			}
		}
	case len(list) > 1:
		for i := range list {
			if err := c.count(ctx, list[i:i+1], limit); err != nil {
				return err
			}
		}
	case timedOut:
		unknown := int64(-1)
		list[0].Rows, list[0].RowsSource = &unknown, model.CountTimeout
	}
	return nil // what cannot be read has no count
}

// quote is a name as an identifier of a statement.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// temporalValue is a date or time as SQLite's functions write them.
var temporalValue = regexp.MustCompile(`^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$`)

// sample reads at most sampleRows rows of a table and keeps aggregates of them.
// Any column may hold a value of any type, so that a smallest or largest value is
// kept only if it is a number or looks like a date itself.
func (c *connector) sample(ctx context.Context, r *relation) error {
	columns := r.Columns[:min(len(r.Columns), sampleColumns)]
	outer := []string{"count(*)"}
	inner := make([]string, len(columns))
	for i, col := range columns {
		outer = append(outer, fmt.Sprintf("count(c%d), count(DISTINCT c%[1]d)", i))
		if bounded(col.Type) {
			outer = append(outer, fmt.Sprintf("min(c%d), max(c%[1]d)", i))
		}
		inner[i] = fmt.Sprintf("%s AS c%d", quote(col.Name), i)
	}
	query := fmt.Sprintf("SELECT %s FROM (SELECT %s FROM main.%s LIMIT %d)",
		strings.Join(outer, ", "), strings.Join(inner, ", "), quote(r.Name), sampleRows)

	var n int64
	values := make([]struct {
		filled, distinct int64
		low, high        any
	}, len(columns))
	targets := []any{&n}
	for i, col := range columns {
		v := &values[i]
		targets = append(targets, &v.filled, &v.distinct)
		if bounded(col.Type) {
			targets = append(targets, &v.low, &v.high)
		}
	}
	limited, cancel := context.WithTimeout(ctx, c.dataTimeout)
	defer cancel()
	if err := c.db.QueryRowContext(limited, query).Scan(targets...); err != nil {
		return c.fail(limited, "sampling", err)
	}
	if n == 0 {
		return nil
	}
	for i := range columns {
		v := &values[i]
		nulls := float64(n-v.filled) / float64(n)
		stats := &model.Stats{NullFraction: &nulls, Distinct: &v.distinct, Source: "sample"}
		stats.Min, stats.Max = bound(v.low), bound(v.high)
		if stats.Min == "" || stats.Max == "" {
			stats.Min, stats.Max = "", ""
		}
		if r.Rows != nil && *r.Rows > n && v.distinct == v.filled {
			// Every value that was seen is another: so will be those that were not.
			all := int64(float64(*r.Rows) * (1 - nulls))
			stats.Distinct = &all
		}
		columns[i].Stats = stats
	}
	return nil
}

// bounded reports whether a column is declared to hold numbers, dates or times.
func bounded(declared string) bool {
	switch affinity(declared) {
	case "INTEGER", "REAL", "NUMERIC":
		return true
	}
	return false
}

// bound is a smallest or largest value that may be kept; else empty.
func bound(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if temporalValue.MatchString(v) {
			return v
		}
	}
	return ""
}
