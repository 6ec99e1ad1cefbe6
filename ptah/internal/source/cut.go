package source

import (
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// CutNames cuts all names of a model that a server of the PostgreSQL family would cut,
// where they are declared and where they are referred to, and warns of each that is
// declared. Other dialects are left alone.
func CutNames(db *schema.Database, d dialect.Dialect, rep *finding.Report) {
	if !d.PostgresFamily() {
		return
	}
	c := cutter{rep, d.DefaultSchema()}
	for _, x := range db.Schemas {
		c.plain("schema", "", &x.Name, x.Origin)
	}
	for _, x := range db.Enums {
		c.named("enum", &x.Name, x.Origin)
	}
	for _, x := range db.Domains {
		c.named("domain", &x.Name, x.Origin)
		c.typ(&x.Type)
		for _, k := range x.Checks {
			c.plain("constraint", x.Schema, &k.Name, k.Origin)
		}
	}
	for _, x := range db.Composites {
		c.named("composite type", &x.Name, x.Origin)
		for i := range x.Fields {
			c.plain("attribute", x.Schema, &x.Fields[i].Name, x.Origin)
			c.typ(&x.Fields[i].Type)
		}
	}
	for _, x := range db.Ranges {
		c.named("range type", &x.Name, x.Origin)
		c.typ(&x.Subtype)
	}
	for _, x := range db.Sequences {
		c.named("sequence", &x.Name, x.Origin)
		if x.OwnedBy != nil {
			c.ref(&x.OwnedBy.Table)
			cut(&x.OwnedBy.Column)
		}
	}
	for _, t := range db.Tables {
		c.table(t)
	}
	for _, x := range db.Views {
		c.named(viewKind(x), &x.Name, x.Origin)
		for i := range x.Columns {
			c.plain("column", x.Schema, &x.Columns[i], x.Origin)
		}
		c.indexes(x.Indexes)
	}
	for _, x := range db.Routines {
		kind := "function"
		if x.Procedure {
			kind = "procedure"
		}
		c.named(kind, &x.Name, x.Origin)
		for i := range x.Params {
			c.plain("parameter", x.Schema, &x.Params[i].Name, x.Origin)
		}
	}
	for _, x := range db.Triggers {
		c.plain("trigger", x.Table.Schema, &x.Name, x.Origin)
		c.ref(&x.Table)
	}
	for _, x := range db.Policies {
		c.plain("policy", x.Table.Schema, &x.Name, x.Origin)
		c.ref(&x.Table)
		cutAll(x.Roles)
	}
	for _, x := range db.Roles {
		c.plain("role", "", &x.Name, x.Origin)
		cutAll(x.MemberOf)
	}
	for _, x := range db.Grants {
		c.ref(&x.Object)
		cutAll(x.Roles)
	}
	for _, x := range db.Verbatim {
		c.named("object", &x.Name, x.Origin)
	}
	c.indexes(db.Indexes)
	c.constraints(db.Constraints)
}

func viewKind(v *schema.View) string {
	if v.Materialized {
		return "materialized view"
	}
	return "view"
}

type cutter struct {
	rep           *finding.Report
	defaultSchema string
}

func (c *cutter) table(t *schema.Table) {
	c.named("table", &t.Name, t.Origin)
	for _, x := range t.Columns {
		c.plain("column", t.Schema, &x.Name, x.Origin)
		c.typ(&x.Type)
	}
	c.constraints(t.Constraints)
	c.indexes(t.Indexes)
	for i := range t.Inherits {
		c.ref(&t.Inherits[i])
	}
	if t.Partition != nil {
		c.ref(&t.Partition.Of)
	}
	cut(&t.ClusterOn)
}

func (c *cutter) constraints(list []*schema.Constraint) {
	for _, x := range list {
		c.ref(&x.Table)
		c.plain("constraint", x.Table.Schema, &x.Name, x.Origin)
		cutAll(x.Columns)
		cutAll(x.Include)
		c.keys(x.Keys)
		if r := x.Reference; r != nil {
			c.ref(&r.Table)
			cutAll(r.Columns)
			cutAll(r.SetColumns)
		}
	}
}

func (c *cutter) indexes(list []*schema.Index) {
	for _, x := range list {
		c.ref(&x.Table)
		c.plain("index", x.Table.Schema, &x.Name, x.Origin)
		c.keys(x.Keys)
		cutAll(x.Include)
		if x.AttachTo != nil {
			c.ref(x.AttachTo)
		}
	}
}

func (c *cutter) keys(keys []schema.IndexKey) {
	for i := range keys {
		cut(&keys[i].Column)
	}
}

// named cuts the name of an object in a schema.
func (c *cutter) named(kind string, n *schema.Name, o schema.Origin) {
	cut(&n.Schema)
	c.plain(kind, n.Schema, &n.Name, o)
}

// plain cuts a name and warns if that changes it.
func (c *cutter) plain(kind, in string, name *string, o schema.Origin) {
	full := *name
	if !cut(name) {
		return
	}
	where := "schema file " + o.Path
	if o.Language == schema.Annotation {
		where = "annotation " + o.String()
	}
	if in == "" {
		in = c.defaultSchema
	}
	c.rep.Warn(finding.TruncatedName, "%s: %s %q in schema %q is %d bytes; the server keeps its first %d: %q", where, kind, full, in, len(full), len(*name), *name)
}

func (c *cutter) ref(n *schema.Name) {
	cut(&n.Schema)
	cut(&n.Name)
}

func (c *cutter) typ(t *schema.Type) {
	cut(&t.Schema)
	cut(&t.Name)
}

func cutAll(names []string) {
	for i := range names {
		cut(&names[i])
	}
}

func cut(name *string) (changed bool) {
	kept := dialect.Cut(*name)
	changed = len(kept) != len(*name)
	*name = kept
	return changed
}
