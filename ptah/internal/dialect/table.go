package dialect

import "strings"

// columns are the dialects that the tables of this package have a column for, in their
// order; YugabyteDB has that of PostgreSQL.
var columns = []Dialect{Postgres, MySQL, MariaDB, SQLite, SQLServer, CockroachDB, ClickHouse, Spanner, Oracle, YDB}

// readTable reads a table of lines whose cells are parted by bars: the name of the row,
// then a cell for each dialect. A line of dashes or nothing parts groups.
func readTable(text string) map[string]map[Dialect]string {
	table := map[string]map[Dialect]string{}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) == 1 {
			continue
		}
		name := strings.TrimSpace(cells[0])
		if len(cells) != len(columns)+1 || table[name] != nil {
			panic("dialect: row " + name + " has a wrong number of cells, or is there twice")
		}
		row := map[Dialect]string{}
		for i, d := range columns {
			row[d] = strings.TrimSpace(cells[i+1])
		}
		row[YugabyteDB] = row[Postgres]
		table[name] = row
	}
	return table
}
