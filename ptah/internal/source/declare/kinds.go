package declare

import (
	"slices"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// Kind is a kind of declarations: a directive of annotations, a section of YAML files.
type Kind struct {
	Name  string // as messages call it
	Attrs []Attr
	// Part: it belongs to a declaration that can be scoped to dialects, and cannot be
	// scoped alone.
	Part bool

	byName map[string]*Attr
}

// Attr is an attribute of a declaration. In YAML it is a key.
type Attr struct {
	Name  string
	Alias string // another name; empty: none
	Type  Type
	// Words are the values of an attribute of type Word.
	Words []string
	// Sep stands between the two halves of a pair.
	Sep      string
	Required bool
	// YAML: annotations do not have it.
	YAML bool
	// Not is the attribute that an override of this one takes the place of as well.
	Not string
	// Empty: a list may be empty, which has a meaning or a rule of its own.
	Empty bool
	// Rule is the rule that a bad value breaks; empty: SRC003.
	Rule finding.Rule
}

// Type is the type of an attribute's value.
type Type uint8

// The types. Lists are separated by commas where they are one text.
const (
	Text    Type = iota // any text
	Expr                // a text of SQL: not empty, without blanks around it
	Bool                // true or false
	Int                 // a whole number
	Word                // one of Attr.Words, in any case
	Names               // a list of names
	Labels              // a list of texts
	Exprs               // a list of texts of SQL; commas in parentheses and quotes are theirs
	Pairs               // a list of pairs: a name, Attr.Sep and a text of SQL
	Section             // YAML: declarations of parts, left to the reader
)

// Has reports whether there is an attribute of a name or alias.
func (k *Kind) Has(name string) bool { return k.byName[name] != nil }

// names are the names and aliases of all attributes.
func (k *Kind) names(yaml bool) []string {
	var names []string
	for _, a := range k.Attrs {
		if a.YAML && !yaml {
			continue
		}
		names = append(names, a.Name)
		if a.Alias != "" {
			names = append(names, a.Alias)
		}
	}
	return names
}

func kind(name string, part bool, attrs ...[]Attr) *Kind {
	k := &Kind{Name: name, Part: part, Attrs: slices.Concat(attrs...), byName: map[string]*Attr{}}
	if !part {
		k.Attrs = append(k.Attrs, Attr{Name: "dialects", Type: Labels, Rule: "SCP001"})
	}
	for i := range k.Attrs {
		a := &k.Attrs[i]
		k.byName[a.Name] = a
		if a.Alias != "" {
			k.byName[a.Alias] = a
		}
	}
	return k
}

var (
	actions  = []string{"NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"}
	named    = []Attr{{Name: "name", Required: true}, {Name: "comment"}}
	inSchema = []Attr{{Name: "schema"}}
	onTable  = []Attr{{Name: "table"}}
	routine  = []Attr{
		{Name: "body", Type: Expr, Required: true},
		{Name: "params", Alias: "parameters", Type: Exprs},
		{Name: "language"},
		{Name: "security", Type: Word, Words: []string{"INVOKER", "DEFINER"}},
	}
	references = []Attr{
		{Name: "on_delete", Type: Word, Words: actions},
		{Name: "on_update", Type: Word, Words: actions},
	}
	sqlDefault = []Attr{
		{Name: "default", Not: "default_expr"},
		{Name: "default_expr", Type: Expr, Not: "default"},
	}
)

// The kinds.
var (
	Table = kind("table", false, named, inSchema, []Attr{
		{Name: "primary_key", Type: Names},
		{Name: "checks", Type: Exprs},
		{Name: "engine"},
		{Name: "custom", Alias: "custom_sql", Type: Expr},
		{Name: "ttl_expiration_expression", Type: Expr},
		{Name: "ttl_expire_after", Type: Expr},
		{Name: "ttl_job_cron", Type: Expr},
		{Name: "ttl_select_batch_size", Type: Int},
		{Name: "ttl_delete_batch_size", Type: Int},
		{Name: "ttl_select_rate_limit", Type: Int},
		{Name: "ttl_delete_rate_limit", Type: Int},
		{Name: "ttl_pause", Type: Bool},
		{Name: "ttl_label_metrics", Type: Bool},
		{Name: "ttl_disable_changefeed_replication", Type: Bool},
		{Name: "struct_name", YAML: true},
		{Name: "columns", Alias: "fields", Type: Section, YAML: true},
		{Name: "indexes", Type: Section, YAML: true},
		{Name: "constraints", Type: Section, YAML: true},
		{Name: "rls_enabled", Type: Bool, YAML: true},
	})
	Field = kind("column", true, named, sqlDefault, references, []Attr{
		{Name: "type", Required: true},
		{Name: "primary", Type: Bool},
		{Name: "not_null", Type: Bool, Not: "nullable"},
		{Name: "nullable", Type: Bool, Not: "not_null", YAML: true},
		{Name: "unique", Type: Bool},
		{Name: "auto_increment", Alias: "auto_inc", Type: Bool},
		{Name: "check", Type: Expr},
		{Name: "check_name"},
		{Name: "enum", Type: Labels},
		{Name: "foreign"},
		{Name: "foreign_key_name"},
		{Name: "generated", Type: Expr},
		{Name: "generated_kind", Type: Word, Words: []string{"stored", "virtual"}, Not: "stored"},
		{Name: "stored", Type: Bool, Not: "generated_kind"},
		{Name: "identity_generation", Type: Word, Words: []string{"ALWAYS", "BY DEFAULT"}},
		{Name: "identity_start", Type: Int},
		{Name: "identity_increment", Type: Int},
		{Name: "identity_options", Type: Expr},
		{Name: "unique_expr", Type: Expr},
		{Name: "charset"},
		{Name: "collate"},
		{Name: "field_name", YAML: true},
		{Name: "index", Type: Bool, YAML: true},
	})
	Embedded = kind("embedded struct", true, references, []Attr{
		{Name: "mode", Type: Word, Words: []string{"inline", "json", "relation"}, Required: true},
		{Name: "prefix"},
		{Name: "name"},
		{Name: "type"},
		{Name: "field"},
		{Name: "ref"},
		{Name: "nullable", Type: Bool},
		{Name: "comment"},
	})
	Index = kind("index", false, named, onTable, []Attr{
		{Name: "fields", Alias: "columns", Type: Exprs, Required: true, Empty: true},
		{Name: "unique", Type: Bool},
		{Name: "type", Type: Expr},
		{Name: "where", Alias: "condition", Type: Expr},
		{Name: "include", Type: Names},
		{Name: "ops", Type: Pairs, Sep: "="},
		{Name: "nulls_distinct", Type: Bool},
		{Name: "granularity", Type: Int},
	})
	Constraint = kind("constraint", false, named, onTable, references, []Attr{
		{Name: "type", Type: Word, Words: []string{"CHECK", "UNIQUE", "PRIMARY KEY", "FOREIGN KEY", "EXCLUDE"}, Required: true},
		{Name: "columns", Type: Names, Empty: true},
		{Name: "check", Type: Expr},
		{Name: "foreign_table"},
		{Name: "foreign_columns", Alias: "foreign_column", Type: Names},
		{Name: "using", Type: Expr},
		{Name: "elements", Type: Exprs, Empty: true},
		{Name: "condition", Alias: "where", Type: Expr},
		{Name: "include", Type: Names},
		{Name: "nulls_distinct", Type: Bool},
	})
	Enum      = kind("enum", false, named, inSchema, []Attr{{Name: "values", Type: Labels, Required: true, Empty: true}})
	Domain    = kind("domain", false, named, inSchema, sqlDefault, []Attr{{Name: "type", Required: true}, {Name: "not_null", Type: Bool}, {Name: "check", Type: Expr}})
	Composite = kind("composite type", false, named, inSchema, []Attr{{Name: "fields", Type: Pairs, Sep: ":", Required: true, Empty: true}})
	Range     = kind("range type", false, named, inSchema, []Attr{
		{Name: "subtype", Required: true}, {Name: "subtype_opclass"}, {Name: "subtype_diff"}, {Name: "collation"}, {Name: "canonical"},
	})
	Namespace = kind("schema", false, named)
	Extension = kind("extension", false, named, inSchema, []Attr{{Name: "version"}, {Name: "if_not_exists", Type: Bool}})
	Sequence  = kind("sequence", false, named, inSchema, []Attr{
		{Name: "as", Type: Expr}, {Name: "start", Type: Int}, {Name: "increment", Type: Int}, {Name: "minvalue", Type: Int},
		{Name: "maxvalue", Type: Int}, {Name: "cache", Type: Int}, {Name: "cycle", Type: Bool}, {Name: "owned_by"},
		{Name: "if_not_exists", Type: Bool},
	})
	Function = kind("function", false, named, inSchema, routine, []Attr{
		{Name: "returns", Type: Expr},
		{Name: "volatility", Type: Word, Words: []string{"IMMUTABLE", "STABLE", "VOLATILE"}},
	})
	Procedure = kind("procedure", false, named, inSchema, routine)
	Trigger   = kind("trigger", false, named, onTable, []Attr{
		{Name: "timing", Type: Word, Words: []string{"BEFORE", "AFTER", "INSTEAD OF"}, Required: true, Rule: "TRG001"},
		{Name: "event", Type: Expr, Required: true, Rule: "TRG001"},
		{Name: "for", Type: Word, Words: []string{"ROW", "STATEMENT"}},
		{Name: "body", Type: Expr, Required: true},
	})
	View = kind("view", false, named, inSchema, []Attr{
		{Name: "body", Type: Expr, Required: true},
		{Name: "with_check", Type: Word, Words: []string{"true", "false", "CASCADED", "LOCAL"}},
	})
	MatView = kind("materialized view", false, named, inSchema, []Attr{
		{Name: "body", Type: Expr, Required: true}, {Name: "refresh", Type: Expr},
	})
	Role = kind("role", false, named, []Attr{
		{Name: "login", Type: Bool}, {Name: "password"}, {Name: "superuser", Type: Bool},
		{Name: "createdb", Alias: "create_db", Type: Bool}, {Name: "createrole", Alias: "create_role", Type: Bool},
		{Name: "replication", Type: Bool}, {Name: "inherit", Type: Bool},
	})
	Grant = kind("grant", false, []Attr{
		{Name: "role", Type: Names, Required: true},
		{Name: "privileges", Alias: "privilege", Type: Exprs, Required: true},
		{Name: "on_table"}, {Name: "on_schema"}, {Name: "on_sequence"},
		{Name: "with_option", Type: Bool}, {Name: "comment"},
	})
	RowSecurity = kind("row security", false, []Attr{
		{Name: "table", Required: true}, {Name: "force", Type: Bool}, {Name: "comment"},
	})
	Policy = kind("policy", false, named, []Attr{
		{Name: "table", Required: true},
		{Name: "for", Type: Word, Words: []string{"ALL", "SELECT", "INSERT", "UPDATE", "DELETE"}, Rule: "RLS001"},
		{Name: "to", Type: Names},
		{Name: "using", Type: Expr},
		{Name: "with_check", Type: Expr},
		{Name: "as", Type: Word, Words: []string{"PERMISSIVE", "RESTRICTIVE"}},
	})
	Data = kind("data", false, inSchema, []Attr{
		{Name: "table", Required: true}, {Name: "key", Required: true}, {Name: "file", Required: true},
	})
)
