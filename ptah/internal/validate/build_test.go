package validate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// The functions here write schemas down briefly, for rules that SQL cannot break.

// name takes "schema.name" apart.
func name(s string) schema.Name {
	if in, n, ok := strings.Cut(s, "."); ok {
		return schema.Name{Schema: in, Name: n}
	}
	return schema.Name{Name: s}
}

// col is a column: "a int not null".
func col(decl string, more ...func(*schema.Column)) *schema.Column {
	n, typ, _ := strings.Cut(decl, " ")
	c := &schema.Column{Name: n}
	typ, c.NotNull = strings.CutSuffix(typ, " not null")
	typ, c.Nullable = strings.CutSuffix(typ, " null")
	t, err := schema.ParseType(typ)
	if err != nil && typ != "" {
		panic(err)
	}
	c.Type = t
	for _, f := range more {
		f(c)
	}
	return c
}

func native(c *schema.Column)    { c.Native = true }
func increment(c *schema.Column) { c.AutoIncrement = true }
func literal(text string) func(*schema.Column) {
	return func(c *schema.Column) { c.Default = &schema.Default{Literal: true, Text: text} }
}
func expr(text string) func(*schema.Column) {
	return func(c *schema.Column) { c.Default = &schema.Default{Text: text} }
}

// table is made of columns (as text too), constraints, indexes and functions that change it.
func tableOf(n string, parts ...any) *schema.Table {
	t := &schema.Table{Name: name(n)}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			t.Columns = append(t.Columns, col(p))
		case *schema.Column:
			t.Columns = append(t.Columns, p)
		case *schema.Constraint:
			p.Table = t.Name
			t.Constraints = append(t.Constraints, p)
		case *schema.Index:
			p.Table = t.Name
			t.Indexes = append(t.Indexes, p)
		case func(*schema.Table):
			p(t)
		default:
			panic(fmt.Sprintf("%T", p))
		}
	}
	return t
}

func key(kind schema.ConstraintKind, columns ...string) *schema.Constraint {
	return &schema.Constraint{Kind: kind, Columns: columns}
}

func pk(columns ...string) *schema.Constraint { return key(schema.PrimaryKey, columns...) }

// fk is a foreign key: fk("a", "p(x)", "ON DELETE SET NULL").
func fk(columns, ref string, actions ...string) *schema.Constraint {
	k := key(schema.ForeignKey, strings.Split(columns, ",")...)
	to, list, _ := strings.Cut(strings.TrimSuffix(ref, ")"), "(")
	k.Reference = &schema.Reference{Table: name(to)}
	if list != "" {
		k.Reference.Columns = strings.Split(list, ",")
	}
	for _, a := range actions {
		if action, ok := strings.CutPrefix(a, "ON DELETE "); ok {
			k.Reference.OnDelete = action
		} else {
			k.Reference.OnUpdate = strings.TrimPrefix(a, "ON UPDATE ")
		}
	}
	return k
}

func named(n string, k *schema.Constraint) *schema.Constraint {
	k.Name = n
	return k
}

func index(n string, columns ...string) *schema.Index {
	x := &schema.Index{Name: n}
	for _, c := range columns {
		x.Keys = append(x.Keys, schema.IndexKey{Column: c})
	}
	return x
}

// database puts objects into their lists, as written in YAML.
func database(objects ...any) *schema.Database {
	db := &schema.Database{}
	at := schema.Origin{Language: schema.YAML, Path: "schema.yaml"}
	for _, o := range objects {
		switch o := o.(type) {
		case *schema.Table:
			o.Origin = at
			for _, c := range o.Columns {
				c.Origin = at
			}
			for _, k := range o.Constraints {
				k.Origin = at
			}
			for _, x := range o.Indexes {
				x.Origin = at
			}
			db.Tables = append(db.Tables, o)
		case *schema.View:
			o.Origin = at
			db.Views = append(db.Views, o)
		case *schema.Enum:
			o.Origin = at
			db.Enums = append(db.Enums, o)
		case *schema.Domain:
			o.Origin = at
			db.Domains = append(db.Domains, o)
		case *schema.Sequence:
			o.Origin = at
			db.Sequences = append(db.Sequences, o)
		case *schema.Index:
			o.Origin = at
			db.Indexes = append(db.Indexes, o)
		case *schema.Constraint:
			o.Origin = at
			db.Constraints = append(db.Constraints, o)
		case *schema.Trigger:
			o.Origin = at
			db.Triggers = append(db.Triggers, o)
		case *schema.Policy:
			o.Origin = at
			db.Policies = append(db.Policies, o)
		case *schema.Role:
			o.Origin = at
			db.Roles = append(db.Roles, o)
		case *schema.Grant:
			o.Origin = at
			db.Grants = append(db.Grants, o)
		case *schema.Routine:
			o.Origin = at
			db.Routines = append(db.Routines, o)
		case *schema.Extension:
			db.Extensions = append(db.Extensions, o)
		case *schema.Namespace:
			db.Schemas = append(db.Schemas, o)
		default:
			panic(fmt.Sprintf("%T", o))
		}
	}
	return db
}

// problems validates a schema and lists what is wrong with it.
func problems(db *schema.Database, d dialect.Dialect, version string) []finding.Problem {
	rep := &finding.Report{}
	Validate(context.Background(), db, d, version, rep)
	return rep.Problems()
}

// rulesOf lists the rules that are broken, as a text.
func rulesOf(list []finding.Problem) string {
	codes := make([]string, len(list))
	for i, p := range list {
		codes[i] = string(p.Rule)
	}
	return strings.Join(codes, " ")
}

func expect(t *testing.T, db *schema.Database, d dialect.Dialect, version, want string) {
	t.Helper()
	list := problems(db, d, version)
	if got := rulesOf(list); got != want {
		t.Errorf("rules broken: %q, want %q\n%v", got, want, list)
	}
}
