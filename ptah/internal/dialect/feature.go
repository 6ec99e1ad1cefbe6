package dialect

import "slices"

// Feature is something that a schema may declare and not every database has. Its text is
// what messages call it.
type Feature string

// The features of [Dialect.Has].
const (
	Schemas            Feature = "schemas"
	Extensions         Feature = "extensions"
	Sequences          Feature = "sequences"
	NamedEnums         Feature = "named enum types"
	Domains            Feature = "domains"
	CompositeTypes     Feature = "composite types"
	RangeTypes         Feature = "range types"
	Routines           Feature = "functions and procedures"
	MaterializedViews  Feature = "materialized views"
	CheckOption        Feature = "check options of views"
	Triggers           Feature = "triggers"
	RowLevelSecurity   Feature = "row level security"
	Roles              Feature = "roles"
	RoleAttributes     Feature = "attributes of roles"
	Grants             Feature = "grants of privileges"
	Checks             Feature = "check constraints"
	ForeignKeys        Feature = "foreign keys"
	SetDefaultAction   Feature = "SET DEFAULT actions of foreign keys"
	SetColumns         Feature = "actions of foreign keys on some of their columns"
	Deferrable         Feature = "deferrable constraints"
	NotValid           Feature = "NOT VALID"
	NoInherit          Feature = "NO INHERIT"
	NotEnforced        Feature = "NOT ENFORCED"
	Exclusions         Feature = "exclusion constraints"
	UniqueConstraints  Feature = "unique constraints"
	NullsNotDistinct   Feature = "NULLS NOT DISTINCT"
	IncludeColumns     Feature = "INCLUDE columns"
	PartialIndexes     Feature = "partial indexes"
	ExpressionIndexes  Feature = "indexes on expressions"
	UniqueIndexes      Feature = "unique indexes"
	OperatorClasses    Feature = "operator classes"
	NullsOrder         Feature = "NULLS FIRST and NULLS LAST of index keys"
	GeneratedStored    Feature = "stored generated columns"
	GeneratedVirtual   Feature = "virtual generated columns"
	AutoIncrement      Feature = "auto-increment columns"
	IdentityColumns    Feature = "identity columns"
	Inheritance        Feature = "inheritance of tables"
	Partitions         Feature = "partitioned tables"
	UnloggedTables     Feature = "unlogged tables"
	TableEngines       Feature = "engines of tables"
	CharacterSets      Feature = "character sets of tables and columns"
	RowTTL             Feature = "expiry of rows"
	CommentsOfObjects  Feature = "comments"
	ExpressionDefaults Feature = "expressions as defaults"
	Arrays             Feature = "arrays"
)

// A cell says yes, no (-) or since which version.
var features = readTable(`
                                         | postgres | mysql  | mariadb | sqlite | sqlserver | cockroachdb | clickhouse | spanner | oracle | ydb
schemas                                  | yes      | yes    | yes     | -      | yes       | yes         | yes        | yes     | -      | -
extensions                               | yes      | -      | -       | -      | -         | -           | -          | -       | -      | -
sequences                                | yes      | -      | 10.3    | -      | yes       | yes         | -          | -       | yes    | -
named enum types                         | yes      | -      | -       | -      | -         | yes         | -          | -       | -      | -
domains                                  | yes      | -      | -       | -      | -         | -           | -          | -       | -      | -
composite types                          | yes      | -      | -       | -      | -         | 23          | -          | -       | -      | -
range types                              | yes      | -      | -       | -      | -         | -           | -          | -       | -      | -
functions and procedures                 | yes      | yes    | yes     | -      | yes       | yes         | -          | -       | yes    | -
materialized views                       | yes      | -      | -       | -      | -         | yes         | yes        | -       | yes    | -
check options of views                   | yes      | yes    | yes     | -      | yes       | -           | -          | -       | yes    | -
triggers                                 | yes      | yes    | yes     | yes    | yes       | 24.3        | -          | -       | yes    | -
row level security                       | yes      | -      | -       | -      | -         | 25.2        | -          | -       | -      | -
roles                                    | yes      | 8.0    | yes     | -      | yes       | yes         | yes        | -       | yes    | -
attributes of roles                      | yes      | -      | -       | -      | -         | yes         | -          | -       | -      | -
grants of privileges                     | yes      | -      | -       | -      | yes       | yes         | yes        | -       | yes    | -
check constraints                        | yes      | 8.0.16 | 10.2.1  | yes    | yes       | yes         | yes        | yes     | yes    | -
foreign keys                             | yes      | yes    | yes     | yes    | yes       | yes         | -          | yes     | yes    | -
SET DEFAULT actions of foreign keys      | yes      | -      | -       | yes    | yes       | yes         | -          | -       | -      | -
actions of foreign keys on some of their columns | 15  | -      | -       | -      | -         | -           | -          | -       | -      | -
deferrable constraints                   | yes      | -      | -       | yes    | -         | -           | -          | -       | yes    | -
NOT VALID                                | yes      | -      | -       | -      | yes       | yes         | -          | -       | yes    | -
NO INHERIT                               | yes      | -      | -       | -      | -         | -           | -          | -       | -      | -
NOT ENFORCED                             | 18       | 8.0.16 | -       | -      | -         | -           | yes        | yes     | -      | -
exclusion constraints                    | yes      | -      | -       | -      | -         | -           | -          | -       | -      | -
unique constraints                       | yes      | yes    | yes     | yes    | yes       | yes         | -          | yes     | yes    | -
NULLS NOT DISTINCT                       | 15       | -      | -       | -      | -         | -           | -          | -       | -      | -
INCLUDE columns                          | 11       | -      | -       | -      | yes       | yes         | -          | yes     | -      | yes
partial indexes                          | yes      | -      | -       | yes    | yes       | yes         | -          | -       | -      | -
indexes on expressions                   | yes      | 8.0.13 | -       | yes    | -         | yes         | yes        | -       | yes    | -
unique indexes                           | yes      | yes    | yes     | yes    | yes       | yes         | -          | yes     | yes    | yes
operator classes                         | yes      | -      | -       | -      | -         | yes         | -          | -       | -      | -
NULLS FIRST and NULLS LAST of index keys | yes      | -      | -       | -      | -         | yes         | -          | -       | -      | -
stored generated columns                 | 12       | yes    | yes     | 3.31   | yes       | yes         | yes        | yes     | -      | -
virtual generated columns                | 18       | yes    | yes     | 3.31   | yes       | yes         | yes        | -       | yes    | -
auto-increment columns                   | yes      | yes    | yes     | yes    | yes       | yes         | -          | -       | yes    | -
identity columns                         | 10       | yes    | yes     | -      | yes       | yes         | -          | -       | yes    | -
inheritance of tables                    | yes      | -      | -       | -      | -         | -           | -          | -       | -      | -
partitioned tables                       | 10       | yes    | yes     | -      | -         | -           | yes        | -       | -      | yes
unlogged tables                          | yes      | -      | -       | -      | -         | -           | -          | -       | -      | -
engines of tables                        | -        | yes    | yes     | -      | -         | -           | yes        | -       | -      | -
character sets of tables and columns     | -        | yes    | yes     | -      | -         | -           | -          | -       | -      | -
expiry of rows                           | -        | -      | -       | -      | -         | yes         | -          | -       | -      | -
comments                                 | yes      | yes    | yes     | -      | yes       | yes         | yes        | -       | yes    | -
expressions as defaults                  | yes      | 8.0.13 | 10.2.1  | yes    | yes       | yes         | yes        | yes     | yes    | -
arrays                                   | yes      | -      | -       | -      | -         | yes         | yes        | yes     | -      | -
`)

// Has reports whether a version of the database has a feature; since is the first
// version that has it where v is too old, and empty where no version has it.
func (d Dialect) Has(f Feature, v Version) (has bool, since string) {
	if d == YugabyteDB {
		has, _ = Postgres.Has(f, d.Speaks(v))
		return has && !slices.Contains(notYugabyte, f), ""
	}
	switch cell := features[string(f)][d]; cell {
	case "yes":
		return true, ""
	case "-", "":
		return false, ""
	default:
		return !v.Before(cell), cell
	}
}

// notYugabyte are the features of PostgreSQL that YugabyteDB lacks.
var notYugabyte = []Feature{Exclusions, Inheritance, UnloggedTables}
