package render_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
)

// A schema that is generated holds the rules of package validate; whether a dialect can
// hold it is what rendering has to say.

// keyTypes are portable types that every dialect that has them can index.
var keyTypes = []string{"SMALLINT", "INTEGER", "BIGINT", "VARCHAR(40)", "CHAR(8)", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "UUID", "NUMERIC(12,2)", "BOOLEAN", "TIME"}

var otherTypes = []string{"TEXT", "JSONB", "JSON", "BYTEA", "REAL", "DOUBLE PRECISION", "INTERVAL", "INET", "TEXT[]", "NUMERIC", "XML", "timestamp(3)",
	"INT4RANGE", "bit(3)", "mood", "mood[]", "amount", "pair", "TINYINT", "float(10)", "\"char\""}

var names = []string{"order", "Mixed Case", `quo"te`, "a`b", "plain", "größe", "select", "it's", "a.b", "UPPER"}

// generator makes schemas; wild ones have what only some dialects can hold.
type generator struct {
	T       *rapid.T
	dialect dialect.Dialect
	wild    bool
	tidy    bool // expressions and bodies do not end in comments
}

// note is a comment at the end of an expression.
func (t *generator) note(text string) string {
	if t.tidy {
		return ""
	}
	return " -- " + text
}

// one is true in one of n cases of what every dialect holds, and rare in wild schemas.
func (t *generator) one(n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t.T, label) == 0
}

// bare is true where a schema is to have neither counters nor keys, of which the dialect
// has none.
func (t *generator) bare() bool { return t.dialect == dialect.ClickHouse && !t.wild }

func (t *generator) rare(n int, label string) bool { return t.wild && t.one(n, label) }

func (t *generator) database() *schema.Database {
	db := &schema.Database{Enums: []*schema.Enum{{Name: schema.Name{Name: "mood"}, Values: []string{"it's fine", `b\ad`}, Comment: "how \\ it's"}}}
	if t.rare(5, "domain") {
		db.Domains = []*schema.Domain{{Name: schema.Name{Name: "amount"}, Type: typeOf("NUMERIC(10,2)"), NotNull: true,
			Checks: []*schema.Constraint{{Kind: schema.Check, Expr: "VALUE > 0" + t.note("positive")}}}}
	}
	if t.rare(5, "composite") {
		db.Composites = []*schema.Composite{{Name: schema.Name{Name: "pair"}, Fields: []schema.Field{{Name: "left", Type: typeOf("INT")}, {Name: "right", Type: typeOf("mood")}}}}
	}
	n := rapid.IntRange(1, 4).Draw(t.T, "tables")
	for i := range n {
		t.table(db, i, n)
	}
	for _, tb := range db.Tables {
		t.keys(db, tb)
	}
	if rapid.Bool().Draw(t.T, "view") {
		quoted := t.dialect.Quote
		first := db.Tables[0]
		db.Views = append(db.Views,
			&schema.View{Name: schema.Name{Name: "a view"}, Body: "SELECT * FROM " + quoted("z view")},
			&schema.View{Name: schema.Name{Name: "z view"}, Columns: []string{"x"}, Body: "SELECT count(*) FROM " + quoted(first.Name.Name) + t.note("all of them")})
	}
	return db
}

func typeOf(text string) schema.Type {
	t, err := schema.ParseType(text)
	if err != nil {
		panic(err)
	}
	return t
}

func (t *generator) table(db *schema.Database, i, of int) {
	tb := &schema.Table{Name: schema.Name{Name: fmt.Sprintf("%s%d", rapid.SampledFrom(names).Draw(t.T, "table"), of-i)}}
	if rapid.IntRange(0, 3).Draw(t.T, "comment") == 0 {
		tb.Comment = `what's in \ "it"` + "\nline two"
	}
	for k := range rapid.IntRange(1, 5).Draw(t.T, "columns") {
		c := &schema.Column{Name: fmt.Sprintf("%s%d", rapid.SampledFrom(names).Draw(t.T, "column"), k)}
		types := keyTypes
		if t.rare(6, "rare") {
			types = otherTypes
		}
		c.Type = typeOf(rapid.SampledFrom(types).Draw(t.T, "type"))
		c.NotNull = rapid.Bool().Draw(t.T, "not null")
		if rapid.IntRange(0, 2).Draw(t.T, "default") == 0 {
			c.Default = genDefault(c.Type)
		}
		if rapid.IntRange(0, 5).Draw(t.T, "column comment") == 0 {
			c.Comment = "it's"
		}
		if rapid.IntRange(0, 9).Draw(t.T, "enum") == 0 {
			name := strings.ToLower("enum_" + tb.Name.Name + "_" + c.Name)
			c.Type, c.Enum, c.Default = schema.Type{Name: name, Quoted: true, Text: name}, []string{"x", "y'z"}, nil
			db.Enums = append(db.Enums, &schema.Enum{Name: schema.Name{Name: name}, Values: c.Enum, Inline: true})
		}
		tb.Columns = append(tb.Columns, c)
	}
	counter := rapid.IntRange(0, 4).Draw(t.T, "counter")
	if t.bare() {
		counter = 4
	}
	switch counter {
	case 0:
		c := &schema.Column{Name: "id", Type: typeOf(rapid.SampledFrom([]string{"SERIAL", "BIGSERIAL", "SMALLSERIAL"}).Draw(t.T, "serial")), NotNull: true}
		tb.Columns = append([]*schema.Column{c}, tb.Columns...)
	case 1:
		c := &schema.Column{Name: "id", Type: typeOf(rapid.SampledFrom([]string{"SMALLINT", "INTEGER", "BIGINT"}).Draw(t.T, "counted")), NotNull: true, AutoIncrement: true}
		tb.Columns = append([]*schema.Column{c}, tb.Columns...)
	case 2:
		one, step := int64(rapid.IntRange(1, 3).Draw(t.T, "start")), int64(1)
		if t.rare(2, "step") {
			step = 2
		}
		c := &schema.Column{Name: "id", Type: typeOf("BIGINT"), NotNull: true, Identity: &schema.Identity{Always: true, SequenceOptions: schema.SequenceOptions{Start: &one, Increment: &step}}}
		tb.Columns = append([]*schema.Column{c}, tb.Columns...)
	default:
		c := &schema.Column{Name: "id", Type: typeOf(rapid.SampledFrom(keyTypes).Draw(t.T, "key type")), NotNull: true}
		tb.Columns = append([]*schema.Column{c}, tb.Columns...)
	}
	if rapid.IntRange(0, 5).Draw(t.T, "generated") == 0 {
		tb.Columns = append(tb.Columns, &schema.Column{Name: "made", Type: typeOf("INTEGER"), Generated: &schema.Generated{Expr: "1 + 1", Stored: rapid.Bool().Draw(t.T, "stored")}})
	}
	tb.Constraints = append(tb.Constraints, &schema.Constraint{Kind: schema.PrimaryKey, Inline: rapid.Bool().Draw(t.T, "inline key"), Columns: []string{"id"}})
	db.Tables = append(db.Tables, tb)
}

func genDefault(t schema.Type) *schema.Default {
	if t.Array > 0 {
		return nil
	}
	switch dialect.ClassOf(t) {
	case dialect.NumberClass:
		return &schema.Default{Literal: true, Text: "1"}
	case dialect.BooleanClass:
		return &schema.Default{Literal: true, Text: "true"}
	case dialect.TextClass:
		return &schema.Default{Literal: true, Text: `it\'s`}
	}
	switch base := t.Base(); base {
	case "timestamp", "timestamptz":
		return &schema.Default{Text: "now()"}
	case "date":
		return &schema.Default{Text: "CURRENT_DATE"}
	case "uuid":
		return &schema.Default{Text: "gen_random_uuid()"}
	case "json", "jsonb":
		return &schema.Default{Literal: true, Text: `{}`}
	}
	return nil
}

// keys adds constraints and indexes to a table.
func (t *generator) keys(db *schema.Database, tb *schema.Table) {
	var keyed []*schema.Column
	for _, c := range tb.Columns {
		if slices.Contains(keyTypes, c.Type.Text) && c.Generated == nil {
			keyed = append(keyed, c)
		}
	}
	column := func(label string) string { return rapid.SampledFrom(keyed).Draw(t.T, label).Name }
	if len(keyed) == 0 || t.bare() {
		return
	}
	if rapid.IntRange(0, 2).Draw(t.T, "unique") == 0 {
		tb.Constraints = append(tb.Constraints, &schema.Constraint{Kind: schema.Unique, Inline: rapid.Bool().Draw(t.T, "inline unique"), Columns: []string{column("unique column")},
			NullsNotDistinct: t.rare(10, "nulls")})
	}
	if rapid.IntRange(0, 2).Draw(t.T, "check") == 0 {
		tb.Constraints = append(tb.Constraints, &schema.Constraint{Kind: schema.Check, Expr: "1 < 2", NotValid: t.rare(10, "not valid")})
	}
	if t.rare(10, "exclude") {
		tb.Constraints = append(tb.Constraints, &schema.Constraint{Kind: schema.Exclude, Method: "gist", Where: "1 < 2" + t.note("ever"), Keys: []schema.IndexKey{{Expr: "box(point(1, 1))", With: "&&"}}})
	}
	if rapid.Bool().Draw(t.T, "foreign key") {
		target := rapid.SampledFrom(db.Tables).Draw(t.T, "target")
		id := target.Columns[0]
		onDelete := []string{"", "CASCADE", "SET NULL", "RESTRICT", "NO ACTION", "SET DEFAULT"}
		if !t.wild {
			onDelete = onDelete[:5]
		}
		from := &schema.Column{Name: "ref", Type: typeOf(plain(id.Type.Text))}
		tb.Columns = append(tb.Columns, from)
		tb.Constraints = append(tb.Constraints, &schema.Constraint{Kind: schema.ForeignKey, Inline: rapid.Bool().Draw(t.T, "inline foreign key"), Columns: []string{"ref"},
			Deferrable: t.rare(10, "deferrable"),
			Reference: &schema.Reference{Table: target.Name, Columns: []string{"id"},
				OnDelete: rapid.SampledFrom(onDelete).Draw(t.T, "on delete")}})
	}
	for range rapid.IntRange(0, 2).Draw(t.T, "indexes") {
		x := &schema.Index{Table: tb.Name, Keys: []schema.IndexKey{{Column: column("index column"), Desc: rapid.Bool().Draw(t.T, "desc")}}}
		sorts := 2
		if t.wild {
			sorts = 10
		}
		switch rapid.IntRange(0, sorts).Draw(t.T, "sort of index") {
		case 0:
			// Scripts of MySQL load as unique keys of the table what is the same there.
			x.Unique = !t.tidy || !t.dialect.MySQLFamily()
		case 1:
			x.Comment = "it's an index"
		case 3:
			x.Where = "1 < 2" + t.note("always")
		case 4:
			x.Keys = []schema.IndexKey{{Expr: "1 + 1"}}
		case 5:
			x.Include = []string{tb.Columns[len(tb.Columns)-1].Name}
		case 6:
			x.Method = rapid.SampledFrom([]string{"btree", "BTREE", "brin"}).Draw(t.T, "method")
			x.Keys[0].Desc = false
		case 7:
			x.Unique, x.NullsNotDistinct = true, true // refused by most
		case 8:
			x.Keys[0].Nulls = "LAST"
		}
		tb.Indexes = append(tb.Indexes, x)
	}
}

// plain is the type of a column that refers to one of a type that counts.
func plain(text string) string {
	switch text {
	case "SMALLSERIAL":
		return "SMALLINT"
	case "SERIAL":
		return "INTEGER"
	case "BIGSERIAL":
		return "BIGINT"
	}
	return text
}

// TestRender_RefusedOrExecutable wants every schema that follows the general rules to be
// refused by name, or to become statements that a real database executes.
func TestRender_RefusedOrExecutable(t *testing.T) {
	for _, e := range engines(t) {
		t.Run(string(e.dialect), func(t *testing.T) {
			refused, executed := 0, 0
			rapid.Check(t, func(r *rapid.T) {
				g := &generator{T: r, dialect: e.dialect, wild: rapid.Bool().Draw(r, "wild")}
				db := g.database()
				rep := &finding.Report{}
				list := render.Render(t.Context(), db, render.Options{Dialect: e.dialect, ServerVersion: e.version}, rep)
				for _, p := range rep.Problems() {
					if p.Object == "" || !strings.Contains(p.Message, string(e.dialect)) && !strings.Contains(p.Message, "type") {
						r.Errorf("problem %q names no object or not the dialect", p)
					}
				}
				if rep.Failed() {
					refused++
					return
				}
				executed++
				if err := e.execute(t.Context(), list); err != nil {
					r.Errorf("%v\n\nall of it:\n%s", err, strings.Join(list, "\n"))
				}
			})
			t.Logf("%d refused, %d executed", refused, executed)
			if executed == 0 || refused == 0 {
				t.Error("the schemas are all refused or all executed, which shows too little")
			}
		})
	}
}

// TestRender_Stable wants a rendering, loaded as a schema and rendered again, to be the
// same.
func TestRender_Stable(t *testing.T) {
	for d, version := range map[dialect.Dialect]string{dialect.Postgres: "17", dialect.MySQL: "", dialect.MariaDB: "", dialect.SQLite: ""} {
		t.Run(string(d), func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				g := &generator{T: r, dialect: d, wild: rapid.Bool().Draw(r, "wild"), tidy: true}
				rep := &finding.Report{}
				first := render.Render(t.Context(), g.database(), render.Options{Dialect: d, ServerVersion: version}, rep)
				if rep.Failed() {
					return
				}
				loaded := sqlsrc.Parse(t.Context(), strings.Join(first, "\n"), "first.sql", d, rep)
				second := render.Render(t.Context(), loaded, render.Options{Dialect: d, ServerVersion: version}, rep)
				if rep.Failed() {
					r.Fatalf("problems of what was rendered: %v in\n%s", rep.Problems(), strings.Join(first, "\n"))
				}
				if diff := cmp.Diff(first, second); diff != "" {
					r.Errorf("the second rendering differs (-first +second):\n%s", diff)
				}
			})
		})
	}
}
