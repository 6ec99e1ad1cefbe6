package metricsql

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// Dialect is the engine that SQL is printed for.
type Dialect string

// The dialects.
const (
	DuckDB     Dialect = "duckdb"
	ClickHouse Dialect = "clickhouse"
)

func (d Dialect) quote(name string) string {
	if d == ClickHouse {
		// A backslash starts an escape inside of ClickHouse's backquotes.
		return "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`").Replace(name) + "`"
	}
	return sqltree.DuckDB.Quote(name)
}

// text writes a string literal.
func (d Dialect) text(s string) string {
	if d == ClickHouse {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// date writes a date, such as 2025-01-31.
func (d Dialect) date(day string) string {
	if d == ClickHouse {
		return "toDate32(" + d.text(day) + ")"
	}
	return "DATE " + d.text(day)
}

// timestamp writes a time in UTC.
func (d Dialect) timestamp(t string) string {
	if d == ClickHouse {
		return "toDateTime64(" + d.text(t) + ", 6, 'UTC')"
	}
	return "TIMESTAMP " + d.text(t)
}

// trunc cuts a time to the start of its period; from a day on it is a date.
func (d Dialect) trunc(g semantic.Grain, x string) string {
	if d == ClickHouse {
		switch g {
		case semantic.Hour:
			return "toStartOfHour(" + x + ")"
		case semantic.Day:
			return "toDate32(" + x + ")"
		case semantic.Week:
			return "toDate32(toStartOfWeek(" + x + ", 1))"
		}
		return "toDate32(toStartOf" + strings.ToUpper(string(g[:1])) + string(g[1:]) + "(" + x + "))"
	}
	switch g {
	case semantic.Hour:
		return "date_trunc('hour', " + x + ")"
	case semantic.Day:
		return "CAST(" + x + " AS DATE)"
	}
	return "CAST(date_trunc('" + string(g) + "', " + x + ") AS DATE)"
}

// zone turns a time in UTC into the wall clock of a zone.
func (d Dialect) zone(name, x string, instant bool) string {
	if d == ClickHouse {
		return "toTimeZone(" + x + ", " + d.text(name) + ")"
	}
	if !instant {
		x = "(" + x + " AT TIME ZONE 'UTC')"
	}
	return "(" + x + " AT TIME ZONE " + d.text(name) + ")"
}

// move adds periods to a date; negative ones go back.
func (d Dialect) move(x string, n int, g semantic.Grain) string {
	if d == ClickHouse {
		return fmt.Sprintf("(%s + toInterval%s(%d))", x, strings.ToUpper(string(g[:1]))+string(g[1:]), n)
	}
	if g == semantic.Quarter {
		n, g = 3*n, semantic.Month
	}
	return fmt.Sprintf("(%s + INTERVAL (%d) %s)", x, n, strings.ToUpper(string(g)))
}

// double makes a floating-point number of any number.
func (d Dialect) double(x string) string {
	if d == ClickHouse {
		return "toFloat64(" + x + ")"
	}
	return "CAST(" + x + " AS DOUBLE)"
}

// aggregate prints a measure's aggregation of a column; when is a condition on
// the rows that count, empty for all.
func (d Dialect) aggregate(m *semantic.Measure, x, when string) string {
	filter := ""
	if when != "" {
		filter = " FILTER (WHERE " + when + ")"
	}
	switch m.Agg {
	case "count":
		return "count(" + x + ")" + filter
	case "count_distinct":
		if d == ClickHouse {
			return "uniqExact(" + x + ")" + filter
		}
		return "count(DISTINCT " + x + ")" + filter
	case "average":
		return "avg(" + x + ")" + filter
	case "median":
		return d.percentile(x, 0.5, false) + filter
	case "percentile":
		return d.percentile(x, m.Percentile, m.Discrete) + filter
	case "min", "max":
		return m.Agg + "(" + x + ")" + filter
	}
	return "sum(" + x + ")" + filter // sum, sum_boolean
}

// percentile is that of SQL: continuous interpolates between two values, discrete
// takes the first value at or above the share.
func (d Dialect) percentile(x string, p float64, discrete bool) string {
	share := strconv.FormatFloat(p, 'f', -1, 64)
	switch {
	case d == ClickHouse && discrete:
		return "arrayElement(arraySort(groupArray(" + x + ")), greatest(1, toUInt32(ceil(" + share + " * count(" + x + ")))))"
	case d == ClickHouse:
		return "quantileExactInclusive(" + share + ")(" + x + ")"
	case discrete:
		return "quantile_disc(" + x + ", " + share + ")"
	}
	return "quantile_cont(" + x + ", " + share + ")"
}

// pick takes the value of the first or last day of several.
func (d Dialect) pick(how, x, day string) string {
	switch {
	case how == "average":
		return "avg(" + d.double(x) + ")"
	case d == ClickHouse && how == "last":
		return "argMax(" + x + ", " + day + ")"
	case d == ClickHouse:
		return "argMin(" + x + ", " + day + ")"
	case how == "last":
		return "arg_max(" + x + ", " + day + ")"
	}
	return "arg_min(" + x + ", " + day + ")"
}

// series is a query of one column with every period from one date to another, both SQL; none where one is null.
func (d Dialect) series(from, to string, g semantic.Grain, column string) string {
	if d == ClickHouse {
		unit := strings.ToUpper(string(g[:1])) + string(g[1:])
		return fmt.Sprintf("SELECT arrayJoin(arrayMap(i -> toDate32(assumeNotNull(e.lo) + toInterval%s(i)), range(toUInt32(ifNull(greatest(-1, dateDiff('%s', e.lo, e.hi)), -1) + 1)))) AS %s FROM (SELECT %s AS lo, %s AS hi) AS e",
			unit, g, column, from, to)
	}
	n, unit := 1, g
	if g == semantic.Quarter {
		n, unit = 3, semantic.Month
	}
	return fmt.Sprintf("SELECT CAST(unnest(generate_series(CAST(%s AS TIMESTAMP), CAST(%s AS TIMESTAMP), INTERVAL (%d) %s)) AS DATE) AS %s", from, to, n, strings.ToUpper(string(unit)), column)
}

// parameter is the place of a value; the count starts at 1.
func (d Dialect) parameter(n int, k semantic.Kind, whole bool) string {
	if d == ClickHouse {
		t := map[semantic.Kind]string{
			semantic.Bool: "Bool", semantic.Date: "Date32", semantic.Timestamp: "DateTime64(6, 'UTC')", semantic.Number: "Float64",
		}[k]
		switch {
		case t == "":
			t = "String"
		case whole:
			t = "Int64"
		}
		return fmt.Sprintf("{p%d:%s}", n, t)
	}
	t := map[semantic.Kind]string{
		semantic.Bool: "BOOLEAN", semantic.Date: "DATE", semantic.Timestamp: "TIMESTAMP", semantic.Number: "DOUBLE",
	}[k]
	switch {
	case t == "":
		t = "VARCHAR"
	case whole:
		t = "BIGINT"
	}
	return fmt.Sprintf("CAST($%d AS %s)", n, t)
}

// literal is the same value, written out.
func (d Dialect) literal(l semantic.Literal) string {
	switch l.Kind {
	case semantic.Number, semantic.Bool:
		return l.Text
	case semantic.Date:
		return d.date(l.Text)
	case semantic.Timestamp:
		return d.timestamp(l.Text)
	}
	return d.text(l.Text)
}

// condition prints an operator of requests.
func (d Dialect) condition(x, op string, values []string) string {
	switch op {
	case "is_null":
		return x + " IS NULL"
	case "is_not_null":
		return x + " IS NOT NULL"
	case "in":
		return x + " IN (" + strings.Join(values, ", ") + ")"
	case "not_in":
		return x + " NOT IN (" + strings.Join(values, ", ") + ")"
	case "between":
		return x + " BETWEEN " + values[0] + " AND " + values[1]
	case "contains":
		if d == ClickHouse {
			return "position(" + x + ", " + values[0] + ") > 0"
		}
		return "contains(" + x + ", " + values[0] + ")"
	case "starts_with":
		if d == ClickHouse {
			return "startsWith(" + x + ", " + values[0] + ")"
		}
		return "starts_with(" + x + ", " + values[0] + ")"
	case "!=":
		return x + " <> " + values[0]
	}
	return x + " " + op + " " + values[0]
}
