package render

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// plainTable is a table "t" with an integer key "id" and a column "a", for tests to add to.
func plainTable(typeOfA string) *schema.Table {
	return &schema.Table{
		Name:        schema.Name{Name: "t"},
		Columns:     []*schema.Column{{Name: "id", Type: typ("INTEGER"), NotNull: true}, {Name: "a", Type: typ(typeOfA)}},
		Constraints: []*schema.Constraint{{Kind: schema.PrimaryKey, Inline: true, Columns: []string{"id"}}},
	}
}

func TestRender_Refusals(t *testing.T) {
	with := func(change func(*schema.Database, *schema.Table)) *schema.Database {
		tb := plainTable("INTEGER")
		db := &schema.Database{Tables: []*schema.Table{tb}}
		change(db, tb)
		return db
	}
	ofType := func(text string) *schema.Database {
		return &schema.Database{Tables: []*schema.Table{plainTable(text)}}
	}
	index := func(x schema.Index) *schema.Database {
		return with(func(_ *schema.Database, tb *schema.Table) {
			x.Name = "i"
			tb.Indexes = []*schema.Index{&x}
		})
	}
	constraint := func(c schema.Constraint) *schema.Database {
		return with(func(_ *schema.Database, tb *schema.Table) { tb.Constraints = append(tb.Constraints, &c) })
	}
	foreign := func(r schema.Reference) *schema.Database {
		r.Table, r.Columns = schema.Name{Name: "t"}, []string{"id"}
		return constraint(schema.Constraint{Kind: schema.ForeignKey, Columns: []string{"a"}, Reference: &r})
	}
	one, two := int64(1), int64(2)
	key := []schema.IndexKey{{Column: "a"}}
	for _, test := range []struct {
		name    string
		db      *schema.Database
		rule    finding.Rule
		object  string
		refused string // dialects, each with a version behind @ where it matters
		taken   string
	}{
		{"partial index", index(schema.Index{Keys: key, Where: "a > 0"}), "IDX004", "i", "mysql mariadb", "postgres sqlite"},
		{"expression index", index(schema.Index{Keys: []schema.IndexKey{{Expr: "a + 1"}}}), "IDX004", "i", "mariadb mysql@8.0.12", "postgres sqlite mysql mysql@8.0.13"},
		{"include", index(schema.Index{Keys: key, Include: []string{"id"}}), "IDX004", "i", "mysql mariadb sqlite postgres@10", "postgres postgres@11"},
		{"nulls not distinct", index(schema.Index{Keys: key, Unique: true, NullsNotDistinct: true}), "IDX004", "i", "mysql mariadb sqlite postgres@14", "postgres@15"},
		{"nulls first", index(schema.Index{Keys: []schema.IndexKey{{Column: "a", Nulls: "FIRST"}}}), "IDX004", "i", "mysql mariadb sqlite", "postgres"},
		{"operator class", index(schema.Index{Keys: []schema.IndexKey{{Column: "a", Opclass: "int4_ops"}}}), "IDX004", "i", "mysql mariadb sqlite", "postgres"},
		{"method", index(schema.Index{Keys: key, Method: "brin"}), "IDX004", "i", "mysql mariadb sqlite", "postgres"},
		{"unknown method", index(schema.Index{Keys: key, Method: "hnsw"}), "IDX004", "i", "postgres mysql mariadb sqlite", ""},
		{"unique gin", index(schema.Index{Keys: key, Method: "gin", Unique: true}), "IDX004", "i", "postgres", ""},
		{"hash of two", index(schema.Index{Keys: []schema.IndexKey{{Column: "a"}, {Column: "id"}}, Method: "hash"}), "IDX004", "i", "postgres", "mysql mariadb"},
		{"gist in order", index(schema.Index{Keys: []schema.IndexKey{{Column: "a", Desc: true}}, Method: "gist"}), "IDX004", "i", "postgres", ""},
		{"include of gin", index(schema.Index{Keys: key, Include: []string{"id"}, Method: "gin"}), "IDX004", "i", "postgres", ""},
		{"include of gist", index(schema.Index{Keys: key, Include: []string{"id"}, Method: "gist"}), "IDX004", "i", "postgres@11", "postgres@12"},
		{"fulltext", index(schema.Index{Keys: key, Method: "FULLTEXT"}), "IDX004", "i", "sqlite postgres", "mysql mariadb"},

		{"check", constraint(schema.Constraint{Kind: schema.Check, Expr: "a > 0"}), "CON001", "t", "mysql@8.0.15 mariadb@10.1", "mysql mariadb sqlite postgres mysql@8.0.16"},
		{"exclusion", constraint(schema.Constraint{Kind: schema.Exclude, Name: "x", Method: "gist", Keys: []schema.IndexKey{{Column: "a", With: "="}}}), "EXC001", "x", "mysql mariadb sqlite", "postgres"},
		{"deferrable", constraint(schema.Constraint{Kind: schema.Unique, Name: "u", Columns: []string{"a"}, Deferrable: true}), "CON001", "u", "mysql mariadb", "postgres"},
		{"not valid", constraint(schema.Constraint{Kind: schema.Check, Name: "c", Expr: "a > 0", NotValid: true}), "CON001", "c", "mysql mariadb sqlite", "postgres"},
		{"not enforced", constraint(schema.Constraint{Kind: schema.Check, Name: "c", Expr: "a > 0", NotEnforced: true}), "CON001", "c", "mariadb sqlite postgres@17", "mysql postgres@18"},
		{"set default", foreign(schema.Reference{OnDelete: "SET DEFAULT"}), "FK007", "t.a", "mysql mariadb", "postgres sqlite"},
		{"match full", foreign(schema.Reference{Match: "FULL"}), "FK007", "t.a", "mysql mariadb", "postgres sqlite"},
		{"set columns", foreign(schema.Reference{OnDelete: "SET NULL", SetColumns: []string{"a"}}), "FK007", "t.a", "mysql mariadb sqlite postgres@14", "postgres@15"},
		{"foreign key of another engine", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Engine = "MyISAM"
			tb.Constraints = append(tb.Constraints, &schema.Constraint{Kind: schema.ForeignKey, Columns: []string{"a"}, Reference: &schema.Reference{Table: tb.Name, Columns: []string{"id"}}})
		}), "FK009", "t.a", "mysql mariadb", "postgres sqlite"},

		{"array", ofType("TEXT[]"), "TYP005", "t.a", "mysql mariadb sqlite", "postgres"},
		{"interval", ofType("INTERVAL"), "TYP001", "t.a", "mysql mariadb sqlite", "postgres"},
		{"number without size", ofType("NUMERIC"), "TYP001", "t.a", "mysql mariadb", "postgres sqlite"},
		{"range", ofType("INT4RANGE"), "TYP001", "t.a", "mysql mariadb", "postgres"},
		{"multirange", ofType("INT4MULTIRANGE"), "TYP001", "t.a", "mysql mariadb postgres@13", "postgres@14"},
		{"type of MySQL", ofType("MEDIUMTEXT"), "TYP001", "t.a", "postgres", "mysql mariadb"},
		{"nowhere", ofType("frobnicate"), "TYP001", "t.a", "postgres mysql mariadb", ""},
		{"vector", ofType("VECTOR(3)"), "TYP001", "t.a", "mysql@8.4 mariadb@11.4 sqlite", "postgres mysql mariadb@11.7"},

		{"domain", with(func(db *schema.Database, _ *schema.Table) {
			db.Domains = []*schema.Domain{{Name: schema.Name{Name: "d"}, Type: typ("TEXT")}}
		}), "TYP004", "d", "mysql mariadb sqlite", "postgres"},
		{"composite", with(func(db *schema.Database, _ *schema.Table) {
			db.Composites = []*schema.Composite{{Name: schema.Name{Name: "d"}, Fields: []schema.Field{{Name: "x", Type: typ("TEXT")}}}}
		}), "TYP004", "d", "mysql mariadb sqlite", "postgres"},
		{"range type", with(func(db *schema.Database, _ *schema.Table) {
			db.Ranges = []*schema.Range{{Name: schema.Name{Name: "d"}, Subtype: typ("TEXT")}}
		}), "TYP004", "d", "mysql mariadb sqlite", "postgres"},
		{"sequence", with(func(db *schema.Database, _ *schema.Table) {
			db.Sequences = []*schema.Sequence{{Name: schema.Name{Name: "s"}}}
		}), "SEQ001", "s", "mysql sqlite mariadb@10.2", "postgres mariadb"},
		{"extension", with(func(db *schema.Database, _ *schema.Table) {
			db.Extensions = []*schema.Extension{{Name: "citext", IfNotExists: true}}
		}), "EXT001", "citext", "mysql mariadb sqlite", "postgres"},
		{"materialized view", with(func(db *schema.Database, _ *schema.Table) {
			db.Views = []*schema.View{{Name: schema.Name{Name: "m"}, Materialized: true, Body: "SELECT 1 AS x"}}
		}), "VW006", "m", "mysql mariadb sqlite", "postgres"},
		{"check option", with(func(db *schema.Database, _ *schema.Table) {
			db.Views = []*schema.View{{Name: schema.Name{Name: "m"}, CheckOption: "LOCAL", Body: "SELECT a FROM t"}}
		}), "VW006", "m", "sqlite", "postgres mysql mariadb"},
		{"row security", with(func(_ *schema.Database, tb *schema.Table) {
			tb.RowSecurity = &schema.RowSecurity{Table: tb.Name, Enabled: true}
		}), "RLS001", "t", "mysql mariadb sqlite", "postgres"},
		{"policy", with(func(db *schema.Database, tb *schema.Table) {
			db.Policies = []*schema.Policy{{Name: "p", Table: tb.Name, Using: "true"}}
		}), "RLS001", "p", "mysql mariadb sqlite", "postgres"},
		{"role", with(func(db *schema.Database, _ *schema.Table) { db.Roles = []*schema.Role{{Name: "r"}} }), "ROL001", "r", "sqlite mysql@5.7", "postgres mysql mariadb"},
		{"role with attributes", with(func(db *schema.Database, _ *schema.Table) { db.Roles = []*schema.Role{{Name: "r", Login: true}} }), "ROL001", "r", "sqlite mysql mariadb", "postgres"},
		{"grant", with(func(db *schema.Database, tb *schema.Table) {
			db.Grants = []*schema.Grant{{Privileges: []string{"SELECT"}, On: "TABLE", Object: tb.Name, Roles: []string{"r"}}}
		}), "ROL001", "t", "mysql mariadb sqlite", "postgres"},
		{"function", with(func(db *schema.Database, _ *schema.Table) {
			db.Routines = []*schema.Routine{{Name: schema.Name{Name: "f"}, Returns: "integer", Language: "sql", Volatility: "IMMUTABLE", Body: "RETURN 1"}}
		}), "RTN002", "f", "sqlite", "postgres mysql mariadb"},
		{"function in another language", with(func(db *schema.Database, _ *schema.Table) {
			db.Routines = []*schema.Routine{{Name: schema.Name{Name: "f"}, Returns: "integer", Language: "plpgsql", Body: "BEGIN RETURN 1; END"}}
		}), "RTN002", "f", "sqlite mysql mariadb", "postgres"},
		{"trigger of two events", with(func(db *schema.Database, tb *schema.Table) {
			db.Triggers = []*schema.Trigger{{Name: "g", Table: tb.Name, Timing: "BEFORE", Events: []string{"INSERT", "UPDATE"}, ForEach: "ROW", Body: "RETURN NEW"}}
		}), "TRG001", "g", "sqlite mysql mariadb", "postgres"},
		{"schema", with(func(_ *schema.Database, tb *schema.Table) { tb.Schema = "app" }), "SCH001", "app.t", "sqlite", "postgres mysql mariadb"},
		{"inheritance", with(func(_ *schema.Database, tb *schema.Table) { tb.Inherits = []schema.Name{{Name: "u"}} }), "TBL007", "t", "sqlite mysql mariadb", "postgres"},
		{"unlogged", with(func(_ *schema.Database, tb *schema.Table) { tb.Unlogged = true }), "TBL007", "t", "sqlite mysql mariadb", "postgres"},
		{"character set", with(func(_ *schema.Database, tb *schema.Table) { tb.Charset = "utf8mb4" }), "TBL007", "t", "sqlite postgres", "mysql mariadb"},
		{"expiry", with(func(_ *schema.Database, tb *schema.Table) {
			tb.TTL = []schema.Option{{Key: "ttl_expire_after", Value: "'1 day'"}}
		}), "TTL001", "t", "sqlite postgres mysql mariadb", ""},
		{"unique expression", with(func(_ *schema.Database, tb *schema.Table) { tb.Columns[1].UniqueExpr = "lower(a)" }), "UNQ001", "t.a", "postgres sqlite mysql mariadb", ""},
		{"stored", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Columns[1].Generated = &schema.Generated{Expr: "id + 1", Stored: true}
		}), "GEN001", "t.a", "postgres@11 sqlite@3.30", "postgres sqlite mysql mariadb"},
		{"virtual", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Columns[1].Generated = &schema.Generated{Expr: "id + 1"}
		}), "GEN001", "t.a", "postgres@17 sqlite@3.30", "postgres@18 sqlite mysql mariadb"},
		{"identity", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Columns[0].Identity = &schema.Identity{SequenceOptions: schema.SequenceOptions{Start: &one}}
		}), "IDN001", "t.id", "sqlite postgres@9.6", "postgres mysql mariadb"},
		{"identity in steps", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Columns[0].Identity = &schema.Identity{SequenceOptions: schema.SequenceOptions{Increment: &two}}
		}), "IDN001", "t.id", "sqlite mysql mariadb", "postgres"},
		{"text counted up", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Columns[0].Type, tb.Columns[0].AutoIncrement = typ("TEXT"), true
		}), "IDN001", "t.id", "postgres sqlite mysql mariadb", ""},
		{"counted beside the key", with(func(_ *schema.Database, tb *schema.Table) { tb.Columns[1].AutoIncrement = true }), "IDN001", "t.a", "sqlite", "postgres"},
		{"uuid default", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Columns[1].Type, tb.Columns[1].Default = typ("UUID"), &schema.Default{Text: "gen_random_uuid()"}
		}), "DEF003", "t.a", "sqlite mysql@8.0.12", "postgres mysql mariadb"},
		{"text default", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Columns[1].Type, tb.Columns[1].Default = typ("TEXT"), &schema.Default{Literal: true, Text: "x"}
		}), "DEF003", "t.a", "mysql@8.0.12 mariadb@10.1", "postgres sqlite mysql mariadb"},
		{"strict number", with(func(_ *schema.Database, tb *schema.Table) {
			tb.Columns[1].Type, tb.Custom = typ("NUMERIC(10,2)"), "STRICT"
		}), "TYP001", "t.a", "sqlite", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, refused := range []bool{true, false} {
				list := test.taken
				if refused {
					list = test.refused
				}
				for target := range strings.FieldsSeq(list) {
					name, version, _ := strings.Cut(target, "@")
					rep := &finding.Report{}
					Render(t.Context(), test.db, Options{Dialect: dialect.Dialect(name), ServerVersion: version}, rep)
					if !refused {
						if rep.Failed() {
							t.Errorf("%s: problems %v; want none", target, rep.Problems())
						}
						continue
					}
					found := false
					for _, p := range rep.Problems() {
						found = found || p.Rule == test.rule && p.Object == test.object && strings.Contains(p.Message, test.object)
					}
					if !found {
						t.Errorf("%s: problems %v; want %s about %q", target, rep.Problems(), test.rule, test.object)
					}
				}
			}
		})
	}
}

func TestRender_UnknownDialectIsRefused(t *testing.T) {
	rep := &finding.Report{}
	if list := Render(t.Context(), &schema.Database{}, Options{Dialect: "nosuch"}, rep); list == nil || !rep.Failed() {
		t.Errorf("Render = %v, problems %v; want an empty list and a problem", list, rep.Problems())
	}
}

func TestRender_EmptyIsNotNil(t *testing.T) {
	for d := range writers {
		rep := &finding.Report{}
		if list := Render(t.Context(), &schema.Database{}, Options{Dialect: d}, rep); list == nil || len(list) > 0 || rep.Failed() {
			t.Errorf("%s: Render = %#v, problems %v; want an empty list", d, list, rep.Problems())
		}
	}
}
