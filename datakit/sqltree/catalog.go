package sqltree

// Catalog says what a relation's name means. Implementations must be safe for
// concurrent use.
type Catalog interface {
	// Relation finds the relation that name refers to: with a schema exactly
	// there, else along the search path, all in the dialect's folding. It returns
	// nil when there is none.
	Relation(d Dialect, name Name) *Relation
	// Names lists the relations for suggestions, as schema.name or name.
	Names() []string
}

// FunctionCatalog is a [Catalog] that knows functions which stand in FROM. Function
// returns their rows as a relation, or nil. A column without a name takes that of
// the function or of its alias.
type FunctionCatalog interface {
	Catalog
	Function(d Dialect, name Name) *Relation
}

// Relation is a table or view of the catalog.
type Relation struct {
	Schema, Name string // as declared
	Columns      []string
	// Sequence: it is a sequence of PostgreSQL, which can be read as a table of one row.
	Sequence bool
	// Hidden are columns that may be named and that * leaves out: those of SQLite's
	// full-text tables.
	Hidden []string
	// RowID is the column that rowid stands for in SQLite, its INTEGER PRIMARY KEY; empty:
	// rowid is a column of its own, which no catalog lists.
	RowID string
	// Open: there may be columns that Columns does not list; an unlisted name is
	// then unchecked rather than unknown.
	Open bool
	// View is the parsed definition of a view: lineage goes through it. Nil for a
	// table, and for a view whose definition is not known (it is a base then).
	View *View

	shapes map[string]*shape // of columns whose types have parts
	has    map[string]bool   // Columns, while they are added; nil: not known
}

// View is a view's definition.
type View struct {
	Columns []Ident // CREATE VIEW v (a, b); empty without
	Query   *Query
	Dialect Dialect
	// Resolved is what a CREATE VIEW with this query was resolved to, where that has
	// been done before: Query is then not looked at, and what the view reads is not
	// among [Resolution.Tables].
	Resolved *Resolution
}
