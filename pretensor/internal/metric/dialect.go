package metric

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// truncate is the beginning of the day, week (from Monday), month, quarter or year
// that an expression of a date or time is in. MySQL and SQLite, which have no such
// function, give it as text YYYY-MM-DD.
func truncate(d sqltree.Dialect, granularity, expr string) string {
	switch d {
	case sqltree.MySQL, sqltree.MariaDB:
		switch granularity {
		case "day":
			return fmt.Sprintf("DATE_FORMAT(%s, '%%Y-%%m-%%d')", expr)
		case "week":
			return fmt.Sprintf("DATE_FORMAT(DATE_SUB(%s, INTERVAL WEEKDAY(%s) DAY), '%%Y-%%m-%%d')", expr, expr)
		case "month":
			return fmt.Sprintf("DATE_FORMAT(%s, '%%Y-%%m-01')", expr)
		case "quarter":
			return fmt.Sprintf("CONCAT(DATE_FORMAT(%s, '%%Y-'), LPAD(3 * QUARTER(%s) - 2, 2, '0'), '-01')", expr, expr)
		}
		return fmt.Sprintf("DATE_FORMAT(%s, '%%Y-01-01')", expr)
	case sqltree.SQLite:
		switch granularity {
		case "day":
			return fmt.Sprintf("strftime('%%Y-%%m-%%d', %s)", expr)
		case "week": // the Sunday that ends it, six days back
			return fmt.Sprintf("strftime('%%Y-%%m-%%d', %s, 'weekday 0', '-6 days')", expr)
		case "month":
			return fmt.Sprintf("strftime('%%Y-%%m-01', %s)", expr)
		case "quarter":
			return fmt.Sprintf("strftime('%%Y-', %s) || substr('010101040404070707101010', 2 * CAST(strftime('%%m', %s) AS INTEGER) - 1, 2) || '-01'", expr, expr)
		}
		return fmt.Sprintf("strftime('%%Y-01-01', %s)", expr)
	}
	return fmt.Sprintf("date_trunc('%s', %s)", granularity, expr)
}

// rows counts the different rows of a table by its key; given is a condition that
// a row must meet, or empty.
func rows(d sqltree.Dialect, key []string, given string) string {
	value := key[0]
	if len(key) > 1 {
		switch d {
		case sqltree.SQLite:
			// The literals of the values, side by side: unlike the values they cannot be cut
			// in another place and read the same.
			literals := make([]string, len(key))
			for i, k := range key {
				literals[i] = "quote(" + k + ")"
			}
			value = strings.Join(literals, " || ',' || ")
		case sqltree.MySQL, sqltree.MariaDB:
			if value = strings.Join(key, ", "); given != "" {
				// Rows that have a NULL in the list are not counted.
				last := len(key) - 1
				value = strings.Join(key[:last], ", ") + ", CASE WHEN " + given + " THEN " + key[last] + " END"
			}
			return "COUNT(DISTINCT " + value + ")"
		default:
			value = "(" + strings.Join(key, ", ") + ")"
			if given == "" {
				// A row of NULLs, of a table that an outer join did not find, is no NULL.
				given = key[0] + " IS NOT NULL"
			}
		}
	}
	if given != "" {
		value = "CASE WHEN " + given + " THEN " + value + " END"
	}
	return "COUNT(DISTINCT " + value + ")"
}

// same is an equality that holds for two NULLs as well.
func same(d sqltree.Dialect, a, b string) string {
	switch d {
	case sqltree.MySQL, sqltree.MariaDB:
		return a + " <=> " + b
	case sqltree.SQLite:
		return a + " IS " + b
	}
	return a + " IS NOT DISTINCT FROM " + b
}

// quotient divides as fractions, also where two whole numbers would give a whole
// one, and gives NULL where there is nothing to divide by.
func quotient(d sqltree.Dialect, a, b string) string {
	if d == sqltree.Postgres || d == sqltree.SQLite || d == sqltree.Generic {
		a = "1.0 * " + a
	}
	return a + " / NULLIF(" + b + ", 0)"
}
