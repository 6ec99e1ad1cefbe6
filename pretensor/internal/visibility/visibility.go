// Package visibility takes what a caller may not see out of a structure, before
// anything is answered from it: [Rules.Filter] out of the data of a catalog and
// [Rules.Databases] out of introspections. Whoever answers from the result need not
// know that there are rules.
//
// Rules are lists of patterns. A pattern is a shell glob (* ? [..], with regard to
// case) for the name of a table, written table, schema.table or
// connection::schema.table, or of a column, with the same in front of it. Names may
// hold dots themselves, so a pattern with several dots means every way to split it
// into names, and matches if one of them does.
//
// What is left does not show a name that was taken out. Where the name is a part of
// the structure (a key, an index, a check, a path) the part goes; where it stands in
// prose it becomes [hidden]. A name that something visible has as well is no secret,
// nor is a plain word of prose (amount, salary) for being a column of a hidden table.
package visibility

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// The lists of a file and of its profiles.
const (
	hiddenSchemas  = "hidden_schemas"
	hiddenTables   = "hidden_tables"
	hiddenColumns  = "hidden_columns"
	hiddenTypes    = "hidden_table_types"
	allowedSchemas = "allowed_schemas"
	allowedTables  = "allowed_tables"
)

var listKeys = []string{hiddenSchemas, hiddenTables, hiddenColumns, hiddenTypes, allowedSchemas, allowedTables}

// Nothing is the pattern that matches nothing: what a list of allowed tables says
// when there are none, since an empty list allows all.
const Nothing = "!none"

// lists are patterns by the key of their list.
type lists map[string][]string

// File is a file of rules. It never changes.
type File struct {
	base     lists
	profiles map[string]lists
}

// Profiles lists the names of the profiles, sorted.
func (f *File) Profiles() []string {
	names := make([]string, 0, len(f.profiles))
	for name := range f.profiles {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Rules are what one caller may see. They never change and may be shared; nil shows
// everything.
type Rules struct {
	hiddenSchemas, hiddenTables, hiddenColumns matcher
	allowedSchemas, allowedTables              matcher
	hiddenTypes                                []glob
	key                                        string
}

// newRules compiles lists whose patterns are sound.
func newRules(l lists) *Rules {
	r := &Rules{
		hiddenSchemas: newMatcher(l[hiddenSchemas], schema), allowedSchemas: newMatcher(l[allowedSchemas], schema),
		hiddenTables: newMatcher(l[hiddenTables], table), allowedTables: newMatcher(l[allowedTables], table),
		hiddenColumns: newMatcher(l[hiddenColumns], column),
	}
	for _, p := range l[hiddenTypes] {
		if g, err := newGlob(foldType(p)); err == nil && p != Nothing {
			r.hiddenTypes = append(r.hiddenTypes, g)
		}
	}
	sum := sha256.New()
	some := false
	for _, k := range listKeys {
		patterns := slices.Clone(l[k])
		slices.Sort(patterns)
		sum.Write([]byte(k))
		for _, p := range slices.Compact(patterns) {
			some = true
			sum.Write([]byte("\x00" + p))
		}
		sum.Write([]byte("\x01"))
	}
	if some {
		r.key = hex.EncodeToString(sum.Sum(nil))[:16]
	}
	return r
}

// Empty reports whether everything is visible, everywhere.
func (r *Rules) Empty() bool { return r == nil || r.key == "" }

// Key is a short text that is the same for the same rules, in whatever order they
// were written, and fit for the name of a file. It is empty for rules that show
// everything.
func (r *Rules) Key() string {
	if r == nil {
		return ""
	}
	return r.key
}

// Table reports whether a table is visible. An empty type is one that is not known.
func (r *Rules) Table(connection, schema, table, tableType string) bool {
	if r.Empty() {
		return true
	}
	names := tuple{connection, schema, table}
	tableType = foldType(tableType)
	return !slices.ContainsFunc(r.hiddenTypes, func(g glob) bool { return g.match(tableType) }) &&
		r.schema(connection, schema) && !r.hiddenTables.match(names) && (r.allowedTables.none || r.allowedTables.match(names))
}

// schema reports whether the rules about schemas let a schema be seen.
func (r *Rules) schema(connection, schema string) bool {
	names := tuple{connection, schema}
	return !r.hiddenSchemas.match(names) && (r.allowedSchemas.none || r.allowedSchemas.match(names))
}

// Column reports whether the rules about columns let a column of a visible table be
// seen. A field of a struct is named with the struct's name and a dot in front.
func (r *Rules) Column(connection, schema, table, column string) bool {
	return r.Empty() || !r.hiddenColumns.match(tuple{connection, schema, table, column})
}

// foldType is a table type as it is compared: base tables are tables, and blanks and
// dashes are as good as underscores.
func foldType(t string) string {
	t = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(t)))
	if t == "base_table" {
		return "table"
	}
	return t
}
