package mysql

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

const (
	// sampleRows bounds what a sample reads of a table.
	sampleRows = 100_000
	// sampleLimit is the number of rows from which on a table is not sampled: these
	// servers cannot skip through a table.
	sampleLimit = 10_000_000
	// sampleColumns bounds the columns of a sample: four results each at most, of 4096.
	sampleColumns = 1000
)

// bounded are the types of which a smallest and largest value may be kept.
var bounded = map[string]bool{
	"tinyint": true, "smallint": true, "mediumint": true, "int": true, "bigint": true, "decimal": true, "float": true, "double": true,
	"year": true, "date": true, "datetime": true, "timestamp": true, "time": true,
}

// column finds a column and its DATA_TYPE.
func (r *relation) column(name string) (*model.Column, string) {
	for i := range r.Columns {
		if strings.EqualFold(r.Columns[i].Name, name) {
			return &r.Columns[i], r.dataType[i]
		}
	}
	return nil, ""
}

// readColumnStatistics reads what ANALYZE TABLE left: in MariaDB's own table, for
// users who may read that, or MySQL's histograms.
func (c *connector) readColumnStatistics(ctx context.Context, s *structure) error {
	switch {
	case s.has["mysql.column_stats"]:
		return c.from(ctx, s, `SELECT db_name, table_name, column_name, min_value, max_value, nulls_ratio, avg_frequency FROM mysql.column_stats`, "db_name", "", func(rows *sql.Rows) error {
			var schema, table, name string
			var low, high sql.NullString
			var nulls, frequency sql.NullFloat64
			if err := rows.Scan(&schema, &table, &name, &low, &high, &nulls, &frequency); err != nil {
				return err
			}
			if r := s.find(schema, table); r != nil && nulls.Valid {
				r.keep(name, nulls.Float64, frequency.Float64, low.String, high.String)
			}
			return nil
		})
	case s.has["COLUMN_STATISTICS.HISTOGRAM"]:
		return c.from(ctx, s, `SELECT SCHEMA_NAME, TABLE_NAME, COLUMN_NAME, HISTOGRAM FROM information_schema.COLUMN_STATISTICS`, "SCHEMA_NAME", "", func(rows *sql.Rows) error {
			var schema, table, name, text string
			if err := rows.Scan(&schema, &table, &name, &text); err != nil {
				return err
			}
			r := s.find(schema, table)
			if r == nil {
				return nil
			}
			col, kind := r.column(name)
			if col == nil {
				return nil
			}
			stats, err := histogram(text, bounded[kind])
			if err != nil {
				return fmt.Errorf("the histogram of %s.%s: %w", table, name, err)
			}
			if col.Stats != nil && stats.Distinct == nil {
				stats.Distinct = col.Stats.Distinct
			}
			col.Stats = stats
			return nil
		})
	}
	return nil
}

// keep stores the statistics of MariaDB: nulls is a fraction, frequency how many
// rows share one value.
func (r *relation) keep(name string, nulls, frequency float64, low, high string) {
	col, kind := r.column(name)
	if col == nil {
		return
	}
	if col.Stats == nil {
		col.Stats = &model.Stats{Source: "catalog"}
	}
	col.Stats.NullFraction = &nulls
	if r.Rows != nil && frequency > 0 {
		distinct := int64(math.Round(float64(*r.Rows) * (1 - nulls) / frequency))
		col.Stats.Distinct = &distinct
	}
	if bounded[kind] {
		col.Stats.Min, col.Stats.Max = low, high
	}
}

// histogram reads one of MySQL's: buckets are [value, share up to here] of a
// singleton one and [lowest, highest, share, distinct values] of an equi-height one.
func histogram(text string, values bool) (*model.Stats, error) {
	var h struct {
		Buckets  [][]any `json:"buckets"`
		Nulls    float64 `json:"null-values"`
		Kind     string  `json:"histogram-type"`
		Sampling float64 `json:"sampling-rate"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber() // integers stay exact
	if err := d.Decode(&h); err != nil {
		return nil, err
	}
	stats := &model.Stats{NullFraction: &h.Nulls, Source: "catalog"}
	width, singleton := 4, h.Kind == "singleton"
	if singleton {
		width = 2
	}
	var distinct int64
	var bounds []string
	for i, b := range h.Buckets {
		if len(b) != width {
			return nil, fmt.Errorf("a bucket of %d parts, want %d", len(b), width)
		}
		distinct++
		if !singleton {
			n, ok := b[3].(json.Number)
			count, err := n.Int64()
			if !ok || err != nil {
				return nil, fmt.Errorf("a bucket with %v distinct values", b[3])
			}
			distinct += count - 1
			if i == 0 {
				bounds = append(bounds, fmt.Sprint(b[0]))
			}
			bounds = append(bounds, fmt.Sprint(b[1]))
		} else {
			bounds = append(bounds, fmt.Sprint(b[0]))
		}
	}
	if h.Sampling == 1 { // a sample says little about how many values there are
		stats.Distinct = &distinct
	}
	if n := len(bounds); values && n > 0 {
		stats.Min, stats.Max = bounds[0], bounds[n-1]
		for i := range min(n, 11) {
			stats.Histogram = append(stats.Histogram, bounds[i*(n-1)/max(min(n, 11)-1, 1)])
		}
		stats.Histogram = slices.Compact(stats.Histogram)
	}
	return stats, nil
}

// sampleAll reads a bounded aggregate of each table and the count of each view.
func (c *connector) sampleAll(ctx context.Context, s *structure) error {
	var failed []string
	for _, r := range s.relations {
		var err error
		switch {
		case r.Type == model.View:
			err = c.countView(ctx, r)
		case r.Type == model.ForeignTable || len(r.Columns) == 0 || r.Rows != nil && *r.Rows > sampleLimit:
		default:
			err = c.sample(ctx, r)
		}
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			failed = append(failed, model.Qualify(r.Schema, r.Name))
		}
	}
	if len(failed) > 0 {
		slices.Sort(failed)
		s.warn("%d tables could not be sampled, %s among them", len(failed), failed[0])
	}
	return nil
}

// one runs a statement of one row on user data. The server ends it after the
// limit, each in its own way; a second later the connection is given up.
func (c *connector) one(ctx context.Context, query string, targets ...any) error {
	limited, cancel := context.WithTimeout(ctx, c.dataTimeout+time.Second)
	defer cancel()
	query = fmt.Sprintf("/*M!100100 SET STATEMENT max_statement_time=%g FOR */ SELECT /*+ MAX_EXECUTION_TIME(%d) */ %s",
		c.dataTimeout.Seconds(), c.dataTimeout.Milliseconds(), query)
	return c.fail(limited, "sampling", c.db.QueryRowContext(limited, query).Scan(targets...))
}

func (c *connector) countView(ctx context.Context, r *relation) error {
	var n int64
	err := c.one(ctx, "count(*) FROM "+quote(r.Schema)+"."+quote(r.Name), &n)
	r.RowsSource = model.CountView
	var e *connect.Error
	if errors.As(err, &e) && e.Category == connect.Timeout {
		n, r.RowsSource, err = -1, model.CountTimeout, nil
	}
	if err != nil {
		r.RowsSource = ""
		return err
	}
	r.Rows = &n
	return nil
}

// sample reads at most sampleRows rows of a table and keeps aggregates of them.
func (c *connector) sample(ctx context.Context, r *relation) error {
	columns := r.Columns[:min(len(r.Columns), sampleColumns)]
	var n int64
	values := make([]struct {
		filled    int64
		distinct  sql.NullInt64
		low, high sql.NullString
	}, len(columns))
	outer, targets := []string{"count(*)"}, []any{&n}
	inner := make([]string, len(columns))
	for i, col := range columns {
		v := &values[i]
		inner[i] = fmt.Sprintf("%s AS c%d", quote(col.Name), i)
		outer, targets = append(outer, fmt.Sprintf("count(c%d)", i)), append(targets, &v.filled)
		if distinguishable(r.dataType[i]) {
			outer, targets = append(outer, fmt.Sprintf("count(DISTINCT c%d)", i)), append(targets, &v.distinct)
		}
		if bounded[r.dataType[i]] {
			outer, targets = append(outer, fmt.Sprintf("min(c%d), max(c%[1]d)", i)), append(targets, &v.low, &v.high)
		}
	}
	query := fmt.Sprintf("%s FROM (SELECT %s FROM %s.%s LIMIT %d) AS sample",
		strings.Join(outer, ", "), strings.Join(inner, ", "), quote(r.Schema), quote(r.Name), sampleRows)
	if err := c.one(ctx, query, targets...); err != nil {
		return err
	}
	if n < sampleRows {
		r.Rows, r.RowsSource = &n, model.CountExact
	}
	if n == 0 {
		return nil
	}
	for i := range columns {
		v := &values[i]
		nulls := float64(n-v.filled) / float64(n)
		stats := &model.Stats{NullFraction: &nulls, Min: v.low.String, Max: v.high.String, Source: "sample"}
		if v.distinct.Valid {
			stats.Distinct = &v.distinct.Int64
			if r.Rows != nil && *r.Rows > n && v.distinct.Int64 == v.filled {
				// Every value that was seen is another: so will be those that were not.
				all := int64(float64(*r.Rows) * (1 - nulls))
				stats.Distinct = &all
			}
		}
		columns[i].Stats = stats
	}
	return nil
}

// distinguishable reports whether values of a type are small enough to be told apart.
func distinguishable(dataType string) bool {
	return !strings.Contains(dataType, "blob") && !strings.Contains(dataType, "text") &&
		!slices.Contains([]string{"json", "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection", "geomcollection", "vector"}, dataType)
}
