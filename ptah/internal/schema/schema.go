// Package schema is the model of a declared schema: what Go annotations, YAML files and
// SQL files say, in one form.
//
// A [Database] is read for one dialect. What a source says for other dialects only
// (objects scoped to them, overrides) is left out or applied by the loaders, so that
// everything behind them sees one schema. Names are exact: loaders of SQL fold them as
// the database does. Expressions and bodies are the author's own text.
//
// A model is built by one goroutine; once built it is only read.
package schema

import (
	"strconv"
	"strings"
)

// Language is what a declaration is written in.
type Language uint8

// The languages.
const (
	SQL Language = iota
	Annotation
	YAML
)

// Origin is where something is declared.
type Origin struct {
	Language Language
	Path     string // as the caller may see it
	Line     int    // from 1; 0 if not known
}

func (o Origin) String() string {
	if o.Line == 0 {
		return o.Path
	}
	return o.Path + ":" + strconv.Itoa(o.Line)
}

// Name is the name of an object in a schema.
type Name struct {
	Schema string // empty where none is declared: the database's default
	Name   string
}

func (n Name) String() string {
	if n.Schema == "" {
		return n.Name
	}
	return n.Schema + "." + n.Name
}

// Database is everything that a set of sources declares. The lists are in the order of
// the declarations: files in the order given, in a file the author's.
type Database struct {
	Schemas    []*Namespace
	Extensions []*Extension
	Enums      []*Enum
	Domains    []*Domain
	Composites []*Composite
	Ranges     []*Range
	Sequences  []*Sequence
	Tables     []*Table
	Views      []*View // materialised ones too
	Routines   []*Routine
	Triggers   []*Trigger
	Policies   []*Policy
	Roles      []*Role
	Grants     []*Grant
	Data       []*Data
	Verbatim   []*Verbatim

	// Indexes, Constraints and RowSecurity are declared apart from their tables, which
	// may be of another source; [Database.Attach] moves them to the tables. What is
	// left has no table.
	Indexes     []*Index
	Constraints []*Constraint
	RowSecurity []*RowSecurity

	// Partial: a part of a source could not be read, so that what seems not to be
	// declared may be declared there.
	Partial bool
}

// Namespace is a schema: a set of names.
type Namespace struct {
	Name    string
	Comment string
	Origin
}

// Extension is an extension of PostgreSQL.
type Extension struct {
	Name        string
	Schema      string
	Version     string
	IfNotExists bool
	Comment     string
	Origin
}

// Enum is a type with a list of values.
type Enum struct {
	Name
	Values  []string
	Comment string
	// Inline: it was declared with a column and is a type of its own only in dialects
	// that name their enums.
	Inline bool
	Origin
}

// Domain is a type with constraints.
type Domain struct {
	Name
	Type      Type
	Collation string
	NotNull   bool
	Default   *Default
	Checks    []*Constraint // of kind Check
	Comment   string
	Origin
}

// Composite is a row type.
type Composite struct {
	Name
	Fields  []Field
	Comment string
	Origin
}

// Field is an attribute of a [Composite].
type Field struct {
	Name      string
	Type      Type
	Collation string
	Comment   string
}

// Range is a range type.
type Range struct {
	Name
	Subtype        Type
	SubtypeOpclass string
	SubtypeDiff    string
	Collation      string
	Canonical      string
	Multirange     string
	Comment        string
	Origin
}

// Sequence is a generator of numbers. Nil options are the database's defaults.
type Sequence struct {
	Name
	SequenceOptions
	As          string // the integer type; empty: the default
	IfNotExists bool
	Unlogged    bool
	OwnedBy     *ColumnRef // nil: nobody
	Comment     string
	Origin
}

// SequenceOptions are the numbers of a sequence or an identity column.
type SequenceOptions struct {
	Start, Increment, Min, Max, Cache *int64
	Cycle                             bool
}

// ColumnRef names a column of a table.
type ColumnRef struct {
	Table  Name
	Column string
}

// Table is a table. Columns, Constraints and Indexes are in the author's order.
type Table struct {
	Name
	Columns     []*Column
	Constraints []*Constraint // of the table and of its columns
	Indexes     []*Index

	Comment    string
	Engine     string   // MySQL, MariaDB, ClickHouse
	Charset    string   // of MySQL and MariaDB
	Collation  string   // of MySQL and MariaDB
	Options    []Option // storage parameters and the like, in the author's order
	Custom     string   // text that the author wants behind the table's parentheses
	Unlogged   bool
	Method     string // the access method: USING …
	Tablespace string
	Inherits   []Name
	// Joins: the table says all its columns itself, in an order of its own, and inherits
	// from the others as soon as it is there.
	Joins     bool
	Partition *Partition // it is a partition of another table
	Of        *Name      // PostgreSQL: the composite type that Columns are taken from
	// PartitionBy is the text behind PARTITION BY; empty: it is not partitioned.
	PartitionBy     string
	ReplicaIdentity string // FULL, NOTHING, USING INDEX name; empty: the default
	ClusterOn       string // the index that CLUSTER follows
	RowSecurity     *RowSecurity
	OrderBy         string // ClickHouse's ORDER BY
	Strict          bool   // SQLite
	WithoutRowID    bool   // SQLite
	TTL             []Option
	Periods         []Period // MariaDB
	// Virtual is the module and its arguments of a virtual table of SQLite.
	Virtual string
	// Foreign is the server and options of a foreign table of PostgreSQL, as text.
	Foreign string
	Struct  string // the Go struct or the struct_name, for messages
	Origin
}

// Period is a pair of columns between which a row of MariaDB holds. SYSTEM_TIME is the
// name of the one that the server keeps itself.
type Period struct{ Name, From, To string }

// Partition says of which table a table is a part.
type Partition struct {
	Of Name
	// Bound is the text of the bound: FOR VALUES … or DEFAULT.
	Bound string
}

// Option is a named value. Value is text as the database takes it, quotes included;
// empty means that the name stands alone.
type Option struct{ Key, Value string }

// Column is a column.
type Column struct {
	Name string
	Type Type
	// Native: the type and the default are in the words of the dialect that the schema
	// is read for; otherwise they are the portable ones, in PostgreSQL's words.
	Native        bool
	NotNull       bool
	Nullable      bool // declared so: NULL
	AutoIncrement bool
	Default       *Default
	Identity      *Identity
	Generated     *Generated
	Enum          []string // of an inline enum
	Charset       string
	Collation     string
	Comment       string
	OnUpdate      string // MySQL: ON UPDATE CURRENT_TIMESTAMP(6)
	UniqueExpr    string
	Storage       string // PostgreSQL: EXTERNAL, MAIN, …
	Compression   string
	Statistics    *int64
	Invisible     bool     // MySQL, MariaDB
	RowPeriod     string   // MariaDB: START or END; the server keeps when a version of the row holds
	Options       []Option // attribute options; CODEC and TTL of ClickHouse
	// Inherited: it is declared by a parent table (INHERITS, PARTITION OF) as well, and
	// here only has properties of its own. A column that has none is not in the list of
	// the child.
	Inherited bool
	Origin
}

// Default is the value of a column in rows that give none.
type Default struct {
	// Literal: Text is the value itself, without quotes; otherwise an expression.
	Literal bool
	Text    string
}

// Identity is GENERATED … AS IDENTITY.
type Identity struct {
	Always bool
	SequenceOptions
	Sequence string // SEQUENCE NAME of PostgreSQL; empty: the usual name
	Raw      string // identity_options: text that goes into the parentheses
}

// Generated is a computed column.
type Generated struct {
	Expr   string
	Stored bool // otherwise VIRTUAL
	// Unsaid: the author did not say STORED or VIRTUAL.
	Unsaid bool
}

// ConstraintKind is the kind of a constraint.
type ConstraintKind string

// The kinds.
const (
	PrimaryKey ConstraintKind = "PRIMARY KEY"
	Unique     ConstraintKind = "UNIQUE"
	Check      ConstraintKind = "CHECK"
	ForeignKey ConstraintKind = "FOREIGN KEY"
	Exclude    ConstraintKind = "EXCLUDE"
)

// Constraint is a constraint of a table, a column or a domain.
type Constraint struct {
	Kind ConstraintKind
	// Name is empty where the author gave none and the loader needs none: the renderer
	// finds one. Implicit: it is the name that the database gives without being told.
	Name     string
	Implicit bool
	Table    Name // of a constraint that stands apart
	// Inline: it is declared with its column.
	Inline bool

	Columns   []string   // of keys and foreign keys, in order
	Keys      []IndexKey // of exclusions; of keys whose parts say more than a column
	Expr      string     // of a check, without its parentheses
	Reference *Reference // of a foreign key

	Deferrable        bool
	InitiallyDeferred bool
	NotValid          bool
	NoInherit         bool
	NotEnforced       bool
	Include           []string
	NullsNotDistinct  bool
	Method            string // USING of an exclusion, or of a key's index
	Where             string // of an exclusion, without its parentheses
	Options           []Option
	Tablespace        string
	AttachTo          *Name  // the index of the parent table that a key's index is a part of
	Conflict          string // SQLite: ON CONFLICT …
	WithoutOverlaps   string // MariaDB: the period behind the key's columns
	Comment           string
	Origin
}

// Reference is what a foreign key points at.
type Reference struct {
	Table   Name
	Columns []string // empty: the table's primary key
	// Actions in upper case, such as SET NULL; empty: not given.
	OnDelete, OnUpdate string
	SetColumns         []string // ON DELETE SET NULL (a, b)
	Match              string   // FULL, PARTIAL; empty or SIMPLE: the default
}

// Index is an index.
type Index struct {
	Name     string // empty: the renderer finds one
	Implicit bool   // Name is the one that the database gives without being told
	Table    Name
	Keys     []IndexKey
	Unique   bool
	Kind     string // FULLTEXT, SPATIAL, NULL_FILTERED, CLUSTERED, …
	Method   string
	Where    string // without parentheses
	Include  []string

	NullsNotDistinct bool
	// Only: it is not made on the partitions of its table; AttachTo is the index of the
	// parent table that it is a part of.
	Only        bool
	AttachTo    *Name
	Invalid     bool
	Granularity int64 // ClickHouse
	Options     []Option
	Tablespace  string
	Invisible   bool
	Comment     string
	Origin
}

// IndexKey is one part of an index's key.
type IndexKey struct {
	Column    string // empty: Expr
	Expr      string // without the outer parentheses
	Desc      bool
	Nulls     string // FIRST, LAST; empty: the default
	Collation string
	Opclass   string // with its parameters
	Length    int    // MySQL's prefix; 0: the whole value
	With      string // the operator of an exclusion
}

// View is a view. Body is one query without a final semicolon.
type View struct {
	Name
	Materialized bool
	Columns      []string // the list of CREATE VIEW v (…); empty without one
	Body         string
	CheckOption  string // LOCAL, CASCADED; empty: none
	Options      []Option
	Recursive    bool
	NoData       bool
	Method       string // materialised views of PostgreSQL: USING
	Tablespace   string
	Engine       string   // ClickHouse's ENGINE … ORDER BY …
	To           *Name    // ClickHouse
	Refresh      string   // ClickHouse
	Indexes      []*Index // of a materialised view
	Comment      string
	Comments     []Option // of columns: name and text
	Origin
}

// Routine is a function or procedure.
type Routine struct {
	Name
	Procedure  bool
	Aggregate  bool
	Params     []Param
	Returns    string // as text: "TABLE (a int)", "SETOF t"
	Language   string
	Security   string // INVOKER, DEFINER
	Volatility string
	Body       string
	// Declared is the whole statement as the author wrote it, its name qualified and
	// quoted, where the source is in the database's own SQL; it is rendered as it is.
	Declared string
	// Unchecked: the body was not looked at, or with a search path, when the routine was
	// made: a name in it may be none where there is no path.
	Unchecked bool
	Comment   string
	Origin
}

// Signature is what tells routines of one name apart: the types of the parameters that a
// caller gives, in lower case.
func (r *Routine) Signature() string {
	var types []string
	for _, p := range r.Params {
		if mode := strings.ToUpper(p.Mode); mode != "OUT" && mode != "TABLE" {
			types = append(types, strings.ToLower(strings.Join(strings.Fields(p.Type), " ")))
		}
	}
	return strings.Join(types, ", ")
}

// Param is a parameter of a routine.
type Param struct {
	Mode    string // IN, OUT, INOUT, VARIADIC; empty: IN
	Name    string
	Type    string
	Default string
}

// Trigger is a trigger.
type Trigger struct {
	Name    string
	Table   Name
	Timing  string   // BEFORE, AFTER, INSTEAD OF
	Events  []string // INSERT, UPDATE, UPDATE OF a, b, DELETE, TRUNCATE
	ForEach string   // ROW, STATEMENT
	Body    string
	// Declared is as in [Routine].
	Declared string
	// Enabled is DISABLED, REPLICA or ALWAYS where ALTER TABLE said so.
	Enabled string
	Comment string
	Origin
}

// RowSecurity is ALTER TABLE … ENABLE ROW LEVEL SECURITY.
type RowSecurity struct {
	Table   Name
	Enabled bool
	Force   bool
	Comment string
	Origin
}

// Policy is a policy of row security. Using and Check are without parentheses.
type Policy struct {
	Name        string
	Table       Name
	Restrictive bool
	Command     string // ALL, SELECT, …; empty: ALL
	Roles       []string
	Using       string
	Check       string
	Comment     string
	Origin
}

// Role is a role. Password is never shown and never rendered unless the operator says so.
type Role struct {
	Name                                                string
	Login, Superuser, CreateDB, CreateRole, Replication bool
	NoInherit                                           bool
	BypassRLS                                           bool
	Password                                            string
	Options                                             []Option // CONNECTION LIMIT, VALID UNTIL, …
	MemberOf                                            []string
	Comment                                             string
	Origin
}

// Grant gives privileges on one object.
type Grant struct {
	Privileges []string // in upper case, with a column list where there is one: "SELECT (a, b)"
	On         string   // TABLE, SEQUENCE, SCHEMA, FUNCTION, TYPE, …
	Object     Name     // of SCHEMA only Name.Name
	Signature  string   // argument types of a routine
	Roles      []string
	WithOption bool
	// Revoke takes away what is there without being granted, such as PUBLIC's rights.
	Revoke bool
	// Comment is for people: databases keep none.
	Comment string
	Origin
}

// Data declares rows that belong to the schema. They are kept and never rendered.
type Data struct {
	Table Name
	Key   string
	File  string
	Origin
}

// Verbatim is an object of a kind that the model does not take apart. It is kept in the
// words of its author, for the dialect that the schema is read for.
type Verbatim struct {
	Kind string // in upper case: RULE, STATISTICS, AGGREGATE, OPERATOR, CAST, …
	Name
	// Text is the whole statement without a final semicolon, names qualified.
	Text    string
	Comment string
	// CommentOn is how COMMENT ON names it, behind the kind: "r" ON "t".
	CommentOn string
	Origin
}
