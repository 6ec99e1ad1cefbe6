package sqlguard

import (
	"strings"
)

// systemPrefixes begin names that DuckDB finds without a schema: the views of its
// own catalog.
var systemPrefixes = []string{"duckdb_", "pragma_", "sqlite_", "pg_"}

// relation judges a name of a relation by its parts and notes it.
func (c *check) relation(parts []string, at int) Relation {
	r := c.judge(parts, at)
	if c.err == nil {
		c.relations[r] = true
	}
	return r
}

// judge refuses a name of a relation that may not be read.
func (c *check) judge(parts []string, at int) Relation {
	if c.err != nil || len(parts) == 0 {
		return Relation{}
	}
	for _, p := range parts {
		// Such a name may be a path, which DuckDB opens, or the hidden storage of a view.
		if p == "" || strings.ContainsAny(p, "./\\:*?[]{}|<>~'\"`\n\r\t") {
			c.refuse(RelationDenied, at, "name a table or view of the project", "%q is no name of a relation that may be read", cut(p))
			return Relation{}
		}
	}
	name := cut(strings.Join(parts, "."))
	database, ok := c.databaseOf(parts)
	if !ok {
		c.refuse(RelationDenied, at, c.databaseHint(), "relation %q is in no database that may be read", name)
		return Relation{}
	}
	last := parts[len(parts)-1]
	if c.dialect == DuckDB {
		if c.systemName(last) {
			c.refuse(RelationDenied, at, "SHOW TABLES and DESCRIBE tell about the tables of the project", "relation %q is one of the engine's own", name)
			return Relation{}
		}
		if len(parts) > 1 && fileEnding(last) {
			c.refuse(RelationDenied, at, "name a table or view of the project", "%q would be read as a file", name)
			return Relation{}
		}
		last = lower(last)
	}
	r := Relation{database, last}
	if why, ok := c.denied[folded(r)]; ok {
		c.refuse(RelationDenied, at, "ask for another model, or for its owner's permission", "relation %q may not be read: it is %s", name, why)
		return Relation{}
	}
	return r
}

func (c *check) systemName(name string) bool {
	name = lower(name)
	for _, p := range systemPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// fileEnding reports whether DuckDB would take dbt.name for the name of a file.
func fileEnding(name string) bool {
	switch lower(name) {
	case "csv", "tsv", "parquet", "json", "jsonl", "ndjson", "gz", "zst", "xlsx", "arrow", "ipc", "avro", "db", "duckdb", "shp", "txt":
		return true
	}
	return false
}

// databaseOf returns the logical database of a name.
func (c *check) databaseOf(parts []string) (string, bool) {
	qualifiers := parts[:len(parts)-1]
	if c.dialect == DuckDB && c.catalog != "" && len(qualifiers) > 0 && c.fold(qualifiers[0]) == c.fold(c.catalog) {
		if len(qualifiers) == 2 {
			qualifiers = qualifiers[1:]
		} else if _, ok := c.logical[c.fold(c.catalog)]; !ok {
			// catalog.table is of the schema main.
			qualifiers = []string{"main"}
		}
	}
	switch len(qualifiers) {
	case 0:
		return c.database, true
	case 1:
		logical, ok := c.logical[c.fold(qualifiers[0])]
		return logical, ok
	}
	return "", false
}

// unfiltered refuses a relation that needs a condition where there can be none.
func (c *check) unfiltered(r Relation, at int) {
	if columns := c.filters[folded(r)]; len(columns) > 0 {
		c.needsFilter(r, columns, at)
	}
}

func (c *check) needsFilter(r Relation, columns []string, at int) {
	c.refuse(FilterRequired, at, "add a condition such as "+columns[0]+" >= '2026-01-01' to the WHERE of the same SELECT",
		"relation %q is read only with a condition on %s", r.String(), strings.Join(columns, " or "))
}
