package validate

import "strings"

// checkSQLiteTable checks what the options of a table of SQLite ask of it: STRICT a type
// of six for each column, WITHOUT ROWID a primary key.
func (c *checker) checkSQLiteTable(t *table) {
	if t.WithoutRowID && t.primaryKey() == nil && t.Virtual == "" {
		c.problem("TBL003", t.Origin, t.object, "table %q is WITHOUT ROWID and has no primary key; its rows are kept by that", t.object)
	}
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

func isStrictType(text string) bool {
	switch strings.ToUpper(text) {
	case "INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY":
		return true
	}
	return false
}
