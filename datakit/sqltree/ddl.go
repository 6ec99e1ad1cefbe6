package sqltree

// CreateTable is CREATE TABLE, also AS a query.
type CreateTable struct {
	Span
	Name        Name
	IfNotExists bool
	Temporary   bool
	Columns     []ColumnDef
	Constraints []Constraint
	Indexes     []*CreateIndex // KEY and INDEX between the columns
	Like        []Name         // LIKE other
	Inherits    []Name
	PartitionOf *Name
	// Bound is the text of FOR VALUES … of a partition.
	Bound Span
	// PartitionBy is the text of PARTITION BY …, without the words.
	PartitionBy Span
	As          *Query
	AsColumns   []Ident
	Options     []Option // ENGINE = …, WITH (…), TABLESPACE …, COMMENT …
}

// ColumnDef is one column of a table.
type ColumnDef struct {
	Span
	Name        Ident
	Type        TypeName // empty Name.Parts where a dialect lets the type out
	Collation   *Name
	Constraints []Constraint // NOT NULL, DEFAULT, keys, checks of the column, in order
	Comment     string
	HasComment  bool
	Storage     string // PostgreSQL: STORAGE MAIN, …
	Compression string // PostgreSQL: COMPRESSION pglz
}

// ConstraintKind is the kind of a constraint or column property.
type ConstraintKind string

// The kinds.
const (
	NotNull    ConstraintKind = "NOT NULL"
	Nullable   ConstraintKind = "NULL"
	Default    ConstraintKind = "DEFAULT"
	Generated  ConstraintKind = "GENERATED" // … AS (expr) STORED or VIRTUAL
	Identity   ConstraintKind = "IDENTITY"  // GENERATED … AS IDENTITY, AUTO_INCREMENT, SERIAL's own
	PrimaryKey ConstraintKind = "PRIMARY KEY"
	Unique     ConstraintKind = "UNIQUE"
	ForeignKey ConstraintKind = "FOREIGN KEY"
	Check      ConstraintKind = "CHECK"
	Exclude    ConstraintKind = "EXCLUDE"
	OnUpdate   ConstraintKind = "ON UPDATE" // MySQL's ON UPDATE CURRENT_TIMESTAMP
)

// Constraint is a constraint of a table or column.
type Constraint struct {
	Span
	Kind       ConstraintKind
	Name       *Ident
	Columns    []Ident // key columns; empty for a constraint of a column
	Keys       []IndexKey
	Expr       Expr // DEFAULT, CHECK, GENERATED
	Always     bool // GENERATED ALWAYS
	Stored     bool // GENERATED … STORED
	RefTable   *Name
	RefColumns []Ident
	OnDelete   string // CASCADE, SET NULL, …; empty: not given
	OnUpdate   string
	SetColumns []Ident // ON DELETE SET NULL (a, b)
	Match      string
	Deferrable bool
	Deferred   bool // INITIALLY DEFERRED
	NotValid   bool
	NoInherit  bool
	Include    []Ident
	Method     string // of EXCLUDE
	Where      Expr   // of EXCLUDE
	Options    []Option
}

// Option is one KEY = value of a statement.
type Option struct {
	Span
	Key, Value string
}

// IndexKey is one key of an index.
type IndexKey struct {
	Span
	Expr       Expr // a *Column for a plain one
	Desc       bool
	NullsFirst *bool // nil: not given
	Collation  *Name
	OpClass    *Name
	Length     int    // MySQL's prefix length; 0 without
	With       string // the operator of EXCLUDE
}

// CreateIndex is CREATE INDEX, and MySQL's KEY inside CREATE TABLE.
type CreateIndex struct {
	Span
	Name             *Ident
	Table            Name // empty inside CREATE TABLE
	Unique           bool
	Concurrently     bool
	IfNotExists      bool
	Kind             string // FULLTEXT, SPATIAL; else empty
	Method           string // btree, gin, …; empty: not given
	Keys             []IndexKey
	Include          []Ident
	Where            Expr
	NullsNotDistinct bool
	Options          []Option
}

// CreateView is CREATE VIEW.
type CreateView struct {
	Span
	Name         Name
	Columns      []Ident
	Query        *Query
	Materialized bool
	Replace      bool
	IfNotExists  bool
	Temporary    bool
	To           *Name // ClickHouse's materialised view TO table
	Options      []Option
}

// CreateType is CREATE TYPE and CREATE DOMAIN.
type CreateType struct {
	Span
	Name        Name
	Kind        string // ENUM, COMPOSITE, DOMAIN, RANGE, OTHER
	Labels      []string
	Attributes  []ColumnDef
	Base        TypeName     // of a domain
	Collation   *Name        // of a domain
	Constraints []Constraint // of a domain
	Query       *Query       // DuckDB's AS ENUM (SELECT …)
}

// CreateSequence is CREATE SEQUENCE.
type CreateSequence struct {
	Span
	Name        Name
	IfNotExists bool
	Options     []Option
}

// CreateFunction is CREATE FUNCTION and CREATE PROCEDURE.
type CreateFunction struct {
	Span
	Name      Name
	Procedure bool
	Replace   bool
	Language  string
	Params    []Parameter
	Returns   *TypeName
	Table     []ColumnDef // RETURNS TABLE (…)
	Body      string      // as written, quotes taken off; empty for Statements
	// Statements is a body in SQL itself (BEGIN ATOMIC …, RETURN expr).
	Statements []Statement
	Return     Expr
}

// Parameter is one parameter of a routine.
type Parameter struct {
	Span
	Name *Ident
	Mode string // IN, OUT, INOUT, VARIADIC
	Type TypeName
}

// CreateTrigger is CREATE TRIGGER, and CREATE RULE of PostgreSQL.
type CreateTrigger struct {
	Span
	Rule     bool // its statements take the place of the event's, or run beside it
	Name     Ident
	Table    Name
	Timing   string   // BEFORE, AFTER, INSTEAD OF
	Events   []string // INSERT, UPDATE, DELETE, TRUNCATE
	Columns  []Ident  // UPDATE OF
	When     Expr
	Function *Name
	Body     []Statement // SQLite's BEGIN … END
}

// Comment is COMMENT ON.
type Comment struct {
	Span
	Kind string  // TABLE, COLUMN, …
	Name Name    // the column's name last for COLUMN
	Text *string // nil: IS NULL
}

// AlterTable is ALTER TABLE, and ALTER of other things that have actions.
type AlterTable struct {
	Span
	Kind     string // of the object: TABLE, INDEX, VIEW, SEQUENCE, TYPE, …
	Table    Name
	IfExists bool
	Actions  []AlterAction
}

// AlterAction is one action of ALTER TABLE.
type AlterAction struct {
	Span
	Kind       string // ADD COLUMN, DROP COLUMN, ADD CONSTRAINT, ATTACH PARTITION, SET DEFAULT, …
	IfExists   bool   // DROP COLUMN IF EXISTS c
	Column     *ColumnDef
	Name       *Ident // the column or constraint it is about
	NewName    *Ident
	Constraint *Constraint
	Index      *CreateIndex
	Expr       Expr
	Other      *Name // the partition that is attached, …
}

// Drop is DROP of anything.
type Drop struct {
	Span
	Kind     string // TABLE, VIEW, INDEX, …
	Names    []Name
	IfExists bool
}

// Truncate is TRUNCATE.
type Truncate struct {
	Span
	Tables []Name
}

// Explain is EXPLAIN or DESCRIBE of a statement.
type Explain struct {
	Span
	Statement Statement
	Analyze   bool
}

// Other is a statement that the tree has no type for: SET, BEGIN, GRANT, COPY, …
type Other struct {
	Span
	Kind string // the leading keywords in upper case: "SET", "CREATE EXTENSION"
	Name *Name  // of the object, where there is one
	// Relations are the tables and views that it is about: COPY t, ANALYZE t, LOCK t,
	// REFRESH MATERIALIZED VIEW v, DESCRIBE t, CREATE POLICY … ON t.
	Relations []Name
	Writes    bool    // it changes the rows of Relations: COPY t FROM
	Columns   []Ident // of the first of Relations: COPY t (a, b)
	// Exprs are over the columns of Relations: the conditions of CREATE POLICY, the
	// expressions of CREATE STATISTICS; of SET and CALL they are the values.
	Exprs []Expr
	// Inner is the statement inside PREPARE, DECLARE CURSOR and COPY (…) TO.
	Inner Statement
}

func (*CreateTable) isStatement()    {}
func (*CreateIndex) isStatement()    {}
func (*CreateView) isStatement()     {}
func (*CreateType) isStatement()     {}
func (*CreateSequence) isStatement() {}
func (*CreateFunction) isStatement() {}
func (*CreateTrigger) isStatement()  {}
func (*Comment) isStatement()        {}
func (*AlterTable) isStatement()     {}
func (*Drop) isStatement()           {}
func (*Truncate) isStatement()       {}
func (*Explain) isStatement()        {}
func (*Other) isStatement()          {}
