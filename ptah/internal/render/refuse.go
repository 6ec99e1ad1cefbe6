package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// subject is what a refusal is about.
type subject struct {
	kind   string // table, index, …
	object string
	at     schema.Origin
	rule   finding.Rule
}

// needs reports a problem if the dialect lacks a feature: the subject "has" or "is" what
// needs it.
func (j *job) needs(f dialect.Feature, s subject, what string) bool {
	has, since := j.d.Has(f, j.v)
	if has {
		return true
	}
	lack := fmt.Sprintf("%s has no %s", j.d, f)
	if since != "" {
		lack = fmt.Sprintf("%s has %s from version %s on", j.d, f, since)
	}
	kind := finding.Schema
	if s.kind == "index" {
		kind = finding.Index
	}
	j.problem(kind, s.rule, s.object, s.at, "%s %q %s; %s; scope it with dialects= or drop it", s.kind, s.object, what, lack)
	return false
}

// refuse reports every declared feature that the dialect's table of features lacks, by
// name. What a dialect takes only in some forms is its writer's matter.
func (j *job) refuse() {
	db := j.db
	for _, n := range db.Schemas {
		if n.Name != j.schema {
			j.needs(dialect.Schemas, subject{"schema", n.Name, n.Origin, "SCH001"}, "is declared")
		}
		j.comments(n.Comment, "schema", n.Name, n.Origin)
	}
	for _, x := range db.Extensions {
		j.needs(dialect.Extensions, subject{"extension", x.Name, x.Origin, "EXT001"}, "is declared")
	}
	for _, e := range db.Enums {
		if has, _ := j.d.Has(dialect.NamedEnums, j.v); !has {
			continue // it is written with the columns that have it
		}
		j.comments(e.Comment, "enum", e.Name.String(), e.Origin)
	}
	for _, d := range db.Domains {
		j.needs(dialect.Domains, subject{"domain", d.Name.String(), d.Origin, "TYP004"}, "is declared")
	}
	for _, c := range db.Composites {
		j.needs(dialect.CompositeTypes, subject{"composite type", c.Name.String(), c.Origin, "TYP004"}, "is declared")
	}
	for _, r := range db.Ranges {
		j.needs(dialect.RangeTypes, subject{"range type", r.Name.String(), r.Origin, "TYP004"}, "is declared")
	}
	for _, s := range db.Sequences {
		j.needs(dialect.Sequences, subject{"sequence", s.Name.String(), s.Origin, "SEQ001"}, "is declared")
	}
	for _, t := range db.Tables {
		j.refuseTable(t)
	}
	for _, v := range db.Views {
		s := subject{"view", v.Name.String(), v.Origin, "VW006"}
		j.refuseSchema(v.Schema, s)
		if v.Materialized && !j.needs(dialect.MaterializedViews, s, "is materialized") {
			continue
		}
		j.belongs(j.d == dialect.ClickHouse, v.To != nil || v.Refresh != "" || v.Engine != "", s, "has an engine, a target or a refresh")
		j.belongs(j.d.PostgresFamily(), v.Recursive || v.NoData && j.d != dialect.ClickHouse || v.Method != "" || v.Tablespace != "", s, "is recursive, without data or says how it is stored")
		if v.CheckOption != "" {
			j.needs(dialect.CheckOption, s, "has WITH CHECK OPTION")
		}
		for _, x := range v.Indexes {
			j.refuseIndex(x)
		}
		j.comments(v.Comment, "view", v.Name.String(), v.Origin)
	}
	for _, r := range db.Routines {
		s := subject{"routine", r.Name.String(), r.Origin, "RTN002"}
		if j.needs(dialect.Routines, s, "is declared") {
			j.refuseSchema(r.Schema, s)
		}
	}
	for _, t := range db.Triggers {
		if j.needs(dialect.Triggers, subject{"trigger", t.Name, t.Origin, "TRG001"}, "is declared") {
			j.comments(t.Comment, "trigger", t.Name, t.Origin)
		}
	}
	for _, p := range db.Policies {
		j.needs(dialect.RowLevelSecurity, subject{"policy", p.Name, p.Origin, "RLS001"}, "is declared")
	}
	for _, r := range db.Roles {
		s := subject{"role", r.Name, r.Origin, "ROL001"}
		if j.needs(dialect.Roles, s, "is declared") {
			if r.Login || r.Superuser || r.CreateDB || r.CreateRole || r.Replication || r.NoInherit || r.BypassRLS || r.Password != "" || len(r.Options) > 0 {
				j.needs(dialect.RoleAttributes, s, "has attributes")
			}
			j.comments(r.Comment, "role", r.Name, r.Origin)
		}
	}
	for _, g := range db.Grants {
		j.needs(dialect.Grants, subject{"grant on", g.Object.String(), g.Origin, "ROL001"}, "is declared")
	}
}

// belongs reports a problem where something is declared that is in the words of other
// databases than this one.
func (j *job) belongs(here, declared bool, s subject, what string) {
	if declared && !here {
		kind := finding.Schema
		if s.kind == "index" {
			kind = finding.Index
		}
		j.problem(kind, s.rule, s.object, s.at, "%s %q %s, which %s does not know; drop it", s.kind, s.object, what, j.d)
	}
}

// refuseSchema refuses an object of another schema than the default one, where there are
// none.
func (j *job) refuseSchema(name string, s subject) {
	if name != "" && name != j.schema {
		s.rule = "SCH001"
		j.needs(dialect.Schemas, s, fmt.Sprintf("is in schema %q", name))
	}
}

// comments warns of a comment that has no place in the database.
func (j *job) comments(comment, kind, object string, at schema.Origin) {
	if comment == "" {
		return
	}
	if has, _ := j.d.Has(dialect.CommentsOfObjects, j.v); !has {
		j.rep.Warn(finding.SkippedDeclaration, "%s: the comment of %s %q has no place in %s", at, kind, object, j.d)
	}
}

func (j *job) refuseTable(t *schema.Table) {
	name := t.Name.String()
	s := subject{"table", name, t.Origin, "TBL007"}
	j.refuseSchema(t.Schema, s)
	for _, x := range []struct {
		declared bool
		feature  dialect.Feature
		what     string
		rule     finding.Rule
	}{
		{len(t.Inherits) > 0, dialect.Inheritance, "inherits from another table", s.rule},
		{t.Partition != nil || t.PartitionBy != "", dialect.Partitions, "is partitioned", s.rule},
		{t.Unlogged, dialect.UnloggedTables, "is unlogged", s.rule},
		{t.Charset != "" || t.Collation != "", dialect.CharacterSets, "has a character set", s.rule},
		{len(t.TTL) > 0, dialect.RowTTL, "has ttl attributes", "TTL001"},
		{t.RowSecurity != nil, dialect.RowLevelSecurity, "has row level security", "RLS001"},
	} {
		if x.declared {
			s.rule = x.rule
			j.needs(x.feature, s, x.what)
		}
	}
	s.rule = "TBL007"
	pg, clickHouse := j.d.PostgresFamily(), j.d == dialect.ClickHouse
	j.belongs(pg, t.Method != "" || t.Tablespace != "", s, "says how it is stored")
	j.belongs(pg, t.Foreign != "", s, "is a foreign table")
	j.belongs(pg, t.Of != nil, s, "is made of a type")
	j.belongs(pg, t.ReplicaIdentity != "" || t.ClusterOn != "", s, "has a replica identity or is clustered")
	j.belongs(j.d == dialect.SQLite, t.Strict || t.WithoutRowID || t.Virtual != "", s, "is STRICT, WITHOUT ROWID or virtual")
	j.belongs(clickHouse, t.OrderBy != "", s, "has ORDER BY")
	if has, _ := j.d.Has(dialect.TableEngines, j.v); t.Engine != "" && !has {
		j.rep.Warn(finding.IgnoredOption, "%s: table %q has engine %q; %s has no engines", t.Origin, name, t.Engine, j.d)
	}
	j.comments(t.Comment, "table", name, t.Origin)
	for _, c := range t.Columns {
		j.refuseColumn(t, c)
	}
	for _, c := range t.Constraints {
		j.refuseConstraint(t, c)
	}
	for _, x := range t.Indexes {
		j.refuseIndex(x)
	}
}

func (j *job) refuseColumn(t *schema.Table, c *schema.Column) {
	s := subject{"column", t.Name.String() + "." + c.Name, at(c.Origin, t.Origin), "IDN001"}
	if c.Identity != nil {
		j.needs(dialect.IdentityColumns, s, "is an identity column")
	}
	if c.AutoIncrement {
		j.needs(dialect.AutoIncrement, s, "is counted up")
	}
	if g := c.Generated; g != nil {
		s.rule = "GEN001"
		switch {
		case g.Stored:
			j.needs(dialect.GeneratedStored, s, "is generated and stored")
		case !g.Unsaid:
			j.needs(dialect.GeneratedVirtual, s, "is generated and virtual")
		}
	}
	if c.Charset != "" {
		s.rule = "TBL007"
		j.needs(dialect.CharacterSets, s, "has a character set")
	}
	s.rule = "TBL007"
	j.belongs(j.d.PostgresFamily(), c.Storage != "" || c.Compression != "" || c.Statistics != nil, s, "says how it is stored")
	j.belongs(j.d.MySQLFamily(), c.OnUpdate != "", s, "has ON UPDATE")
	j.belongs(j.d.MySQLFamily() || j.d == dialect.Oracle, c.Invisible, s, "is invisible")
	if c.UniqueExpr != "" {
		j.problem(finding.Schema, "UNQ001", s.object, s.at, "column %q has a unique expression, which no constraint can have; declare a unique index on the expression", s.object)
	}
	j.comments(c.Comment, "column", s.object, s.at)
}

// at returns the place of a part, which is that of the whole where it has none.
func at(part, whole schema.Origin) schema.Origin {
	if part.Path == "" {
		return whole
	}
	return part
}

// constraintObject is how messages name a constraint: by its name, or by what it is about.
func constraintObject(t *schema.Table, c *schema.Constraint) string {
	switch {
	case c.Kind == schema.ForeignKey && len(c.Columns) > 0:
		return t.Name.String() + "." + strings.Join(c.Columns, ",")
	case c.Name != "":
		return c.Name
	case len(c.Columns) > 0:
		return t.Name.String() + "." + strings.Join(c.Columns, ",")
	}
	return t.Name.String()
}

func (j *job) refuseConstraint(t *schema.Table, c *schema.Constraint) {
	s := subject{strings.ToLower(string(c.Kind)), constraintObject(t, c), at(c.Origin, t.Origin), "CON001"}
	switch c.Kind {
	case schema.PrimaryKey:
	case schema.Unique:
		if !j.needs(dialect.UniqueConstraints, s, "is declared") {
			return
		}
	case schema.Check:
		if !j.needs(dialect.Checks, s, "is declared") {
			return
		}
	case schema.ForeignKey:
		s.rule = "FK009"
		if !j.needs(dialect.ForeignKeys, s, "is declared") || c.Reference == nil {
			return
		}
		s.rule = "FK007"
		if c.Reference.OnDelete == "SET DEFAULT" || c.Reference.OnUpdate == "SET DEFAULT" {
			j.needs(dialect.SetDefaultAction, s, "has the action SET DEFAULT")
		}
		if len(c.Reference.SetColumns) > 0 {
			j.needs(dialect.SetColumns, s, "sets some of its columns")
		}
	case schema.Exclude:
		s.rule, s.kind = "EXC001", "exclusion constraint"
		if !j.needs(dialect.Exclusions, s, "is declared") {
			return
		}
	}
	s.rule = "CON001"
	if c.Deferrable || c.InitiallyDeferred {
		j.needs(dialect.Deferrable, s, "is deferrable")
	}
	if len(c.Include) > 0 {
		j.needs(dialect.IncludeColumns, s, "has INCLUDE columns")
	}
	if c.NullsNotDistinct {
		j.needs(dialect.NullsNotDistinct, s, "says NULLS NOT DISTINCT")
	}
	j.belongs(j.d == dialect.SQLite, c.Conflict != "", s, "has ON CONFLICT")
	for _, x := range []struct {
		declared bool
		feature  dialect.Feature
		what     string
	}{
		{c.NotValid, dialect.NotValid, "is NOT VALID"},
		{c.NoInherit, dialect.NoInherit, "is NO INHERIT"},
		{c.NotEnforced, dialect.NotEnforced, "is NOT ENFORCED"},
	} {
		if x.declared {
			j.needs(x.feature, s, x.what)
		}
	}
	j.comments(c.Comment, s.kind, s.object, s.at)
}

func (j *job) refuseIndex(x *schema.Index) {
	s := subject{"index", j.indexName(x), x.Origin, "IDX004"}
	j.belongs(j.d == dialect.ClickHouse, x.Granularity != 0, s, "has a granularity")
	j.belongs(j.d.PostgresFamily(), x.Only || x.AttachTo != nil, s, "is that of a partition")
	j.belongs(j.d.MySQLFamily() || j.d == dialect.CockroachDB, x.Invisible, s, "is invisible")
	j.belongs(j.d.MySQLFamily(), slices.ContainsFunc(x.Keys, func(k schema.IndexKey) bool { return k.Length > 0 }), s, "has parts of columns")
	if x.Unique {
		j.needs(dialect.UniqueIndexes, s, "is unique")
	}
	if x.Where != "" {
		j.needs(dialect.PartialIndexes, s, "has a condition")
	}
	if len(x.Include) > 0 {
		j.needs(dialect.IncludeColumns, s, "has INCLUDE columns")
	}
	if x.NullsNotDistinct {
		j.needs(dialect.NullsNotDistinct, s, "says NULLS NOT DISTINCT")
	}
	for _, k := range x.Keys {
		if k.Column == "" && !j.needs(dialect.ExpressionIndexes, s, "is on an expression") {
			break
		}
	}
	for _, k := range x.Keys {
		if k.Opclass != "" && !j.needs(dialect.OperatorClasses, s, "has an operator class") {
			break
		}
	}
	for _, k := range x.Keys {
		if k.Nulls != "" && !j.needs(dialect.NullsOrder, s, "says NULLS "+k.Nulls) {
			break
		}
	}
	j.comments(x.Comment, "index", s.object, x.Origin)
}
