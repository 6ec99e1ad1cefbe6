package validate

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkSQLiteTable checks what the options of a table of SQLite ask of it: STRICT a type
// of six for each column, WITHOUT ROWID a primary key; and what its columns may be.
func (c *checker) checkSQLiteTable(t *table) {
	if t.WithoutRowID && t.primaryKey() == nil && t.Virtual == "" {
		c.problem("TBL003", t.Origin, t.object, "table %q is WITHOUT ROWID and has no primary key; its rows are kept by that", t.object)
	}
	c.sqliteColumns(t)
	if !t.Strict {
		return
	}
	for _, col := range t.Columns {
		object := t.object + "." + col.Name
		switch {
		case !isNative(col): // the renderer chooses its type
		case col.Type.Text == "":
			c.problem("TBL005", col.Origin, object, "column %.80q has no type; those of a STRICT table need one", col.Name)
		case !isStrictType(col.Type.Text):
			c.problem("TYP001", col.Origin, object, "column %.80q has type %.80q; a STRICT table has INT, INTEGER, REAL, TEXT, BLOB and ANY", col.Name, col.Type.Text)
		}
	}
}

// sqliteColumns checks the primary key and the defaults that compute.
func (c *checker) sqliteColumns(t *table) {
	for _, col := range t.Columns {
		object := t.object + "." + col.Name
		if def := col.Default; def != nil && !def.Literal && (!isNative(col) || strings.HasPrefix(strings.TrimSpace(def.Text), "(")) {
			c.expression(text{rule: "DEF003", what: "default", expr: def.Text, at: col.Origin, object: object})
		}
	}
	pk := t.primaryKey()
	if pk == nil {
		return
	}
	for _, name := range keyColumns(pk) {
		col := c.column(t, name)
		if col == nil {
			continue
		}
		object := t.object + "." + col.Name
		if col.Generated != nil {
			c.problem("GEN001", col.Origin, object, "column %.80q is computed and in the primary key; sqlite does not allow that", col.Name)
		}
		if col.AutoIncrement && slices.ContainsFunc(pk.Keys, func(k schema.IndexKey) bool { return k.Desc }) && pk.Inline {
			c.problem("IDN001", col.Origin, object, "column %.80q is counted up and its key is DESC; sqlite counts up in ascending order", col.Name)
		}
	}
}

func isStrictType(text string) bool {
	switch strings.ToUpper(text) {
	case "INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY":
		return true
	}
	return false
}
