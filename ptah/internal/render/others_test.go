package render_test

import (
	"os"
	"path/filepath"
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

// others are the dialects of which tables, keys, indexes and views are written.
var others = []dialect.Dialect{dialect.SQLServer, dialect.CockroachDB, dialect.YugabyteDB, dialect.ClickHouse, dialect.Spanner, dialect.Oracle, dialect.YDB}

// TestRender_OthersRoundTrip wants the SQL of a dialect to be rendered, and that to be the
// same when it is loaded and rendered again. The files have what is declared in native
// words; each begins with the name of its dialect.
func TestRender_OthersRoundTrip(t *testing.T) {
	paths, err := filepath.Glob("testdata/native/*.sql")
	if err != nil || len(paths) < len(others) {
		t.Fatalf("there are %d files: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			d, err := dialect.Parse(strings.TrimSuffix(filepath.Base(path), ".sql"))
			if err != nil {
				t.Fatal(err)
			}
			declared, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			rendered := func(text string) []string {
				rep := &finding.Report{}
				db := sqlsrc.Parse(t.Context(), text, "schema.sql", d, rep)
				db.Attach(d.DefaultSchema(), d.Key)
				list := render.Render(t.Context(), db, render.Options{Dialect: d}, rep)
				for _, p := range rep.Problems() {
					t.Error(p)
				}
				return list
			}
			first := rendered(string(declared))
			golden(t, strings.TrimSuffix(path, ".sql")+".golden", strings.Join(first, "\n")+"\n")
			if diff := cmp.Diff(first, rendered(script(d, first))); diff != "" {
				t.Errorf("the second rendering differs (-first +second):\n%s", diff)
			}
		})
	}
}

// script joins statements to a script of the dialect.
func script(d dialect.Dialect, list []string) string {
	if d == dialect.SQLServer {
		return strings.Join(list, "\nGO\n")
	}
	return strings.Join(list, "\n")
}

// golden compares a text with a file, which it writes where UPDATE is set.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// library is a schema in portable words with what every dialect of this test holds; parts
// says what else is in it.
func library(d dialect.Dialect) *schema.Database {
	typ := func(text string) schema.Type {
		parsed, err := schema.ParseType(text)
		if err != nil {
			panic(err)
		}
		return parsed
	}
	name := func(n string) schema.Name { return schema.Name{Name: n} }
	literal := func(text string) *schema.Default { return &schema.Default{Literal: true, Text: text} }
	counted := d == dialect.SQLServer || d == dialect.Oracle || d.PostgresFamily()
	simple := d == dialect.YDB
	keys := !simple && d != dialect.ClickHouse

	authors := &schema.Table{
		Name: name("authors"), Comment: "those who write",
		Columns: []*schema.Column{
			{Name: "id", Type: typ("BIGINT"), NotNull: true, AutoIncrement: counted},
			{Name: "email", Type: typ("VARCHAR(255)"), NotNull: true, Comment: "it's unique"},
			{Name: "alive", Type: typ("BOOLEAN"), NotNull: true, Default: literal("true")},
			{Name: "born", Type: typ("DATE")},
			{Name: "made", Type: typ("TIMESTAMPTZ"), NotNull: true},
		},
		Constraints: []*schema.Constraint{{Kind: schema.PrimaryKey, Inline: true, Columns: []string{"id"}}},
	}
	books := &schema.Table{
		Name: name("books"),
		Columns: []*schema.Column{
			{Name: "author", Type: typ("BIGINT")},
			{Name: "no", Type: typ("INTEGER"), NotNull: true},
			{Name: "title", Type: typ("TEXT")},
			{Name: "price", Type: typ("NUMERIC(12,2)"), Default: literal("0")},
		},
		Constraints: []*schema.Constraint{{Kind: schema.PrimaryKey, Columns: []string{"author", "no"}}},
	}
	db := &schema.Database{
		Tables: []*schema.Table{books, authors},
		Views: []*schema.View{
			{Name: name("cheap"), Body: "SELECT title FROM priced WHERE price < 10"},
			{Name: name("priced"), Body: "SELECT title, price FROM books"},
		},
	}
	if !simple {
		db.Enums = []*schema.Enum{{Name: name("kind"), Values: []string{"novel", "it's a play"}}}
		books.Columns = append(books.Columns, &schema.Column{Name: "kind", Type: typ("kind"), NotNull: true, Default: literal("novel")})
		books.Constraints = append(books.Constraints, &schema.Constraint{Kind: schema.Check, Expr: "price >= 0"})
		authors.Columns[4].Default = &schema.Default{Text: "now()"}
	}
	if keys {
		authors.Constraints = append(authors.Constraints, &schema.Constraint{Kind: schema.Unique, Inline: true, Columns: []string{"email"}},
			&schema.Constraint{Kind: schema.Unique, Name: "born_once", Columns: []string{"born", "made"}})
		books.Constraints = append(books.Constraints, &schema.Constraint{Kind: schema.ForeignKey, Inline: true, Columns: []string{"author"},
			Reference: &schema.Reference{Table: authors.Name, Columns: []string{"id"}, OnDelete: "CASCADE"}})
	}
	if d == dialect.ClickHouse {
		books.Indexes = []*schema.Index{{Name: "by_price", Table: books.Name, Keys: []schema.IndexKey{{Column: "price"}}, Method: "minmax", Granularity: 4}}
	} else {
		books.Indexes = []*schema.Index{{Table: books.Name, Keys: []schema.IndexKey{{Column: "price"}}}}
	}
	if counted || d == dialect.Spanner {
		books.Indexes = append(books.Indexes, &schema.Index{Name: "latest", Table: books.Name, Unique: true, Keys: []schema.IndexKey{{Column: "author"}, {Column: "no", Desc: true}}})
	}
	if counted && d != dialect.Oracle {
		books.Indexes[0].Where, books.Indexes[0].Include = "price IS NOT NULL", []string{"no"}
	}
	return db
}

func TestRender_OthersLibrary(t *testing.T) {
	for _, d := range others {
		t.Run(string(d), func(t *testing.T) {
			rep := &finding.Report{}
			first := render.Render(t.Context(), library(d), render.Options{Dialect: d}, rep)
			for _, p := range rep.Problems() {
				t.Error(p)
			}
			var out strings.Builder
			for _, s := range first {
				out.WriteString(s + "\n")
			}
			for _, w := range rep.Warnings() {
				for _, o := range w.Objects {
					out.WriteString("-- " + string(w.Category) + o + "\n")
				}
			}
			golden(t, "testdata/library/"+string(d)+".golden", out.String())

			again := render.Render(t.Context(), library(d), render.Options{Dialect: d}, &finding.Report{})
			if diff := cmp.Diff(first, again); diff != "" {
				t.Errorf("another rendering differs (-first +second):\n%s", diff)
			}
			loaded := sqlsrc.Parse(t.Context(), script(d, first), "first.sql", d, rep)
			loaded.Attach(d.DefaultSchema(), d.Key)
			second := render.Render(t.Context(), loaded, render.Options{Dialect: d}, rep)
			for _, p := range rep.Problems() {
				t.Error(p)
			}
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("the rendering of what was rendered differs (-first +second):\n%s", diff)
			}
		})
	}
}

// TestRender_OthersStable wants a rendering of any schema, loaded and rendered again, to be
// the same. The other dialects refuse most of what the schemas have.
func TestRender_OthersStable(t *testing.T) {
	for _, d := range []dialect.Dialect{dialect.SQLServer, dialect.CockroachDB, dialect.YugabyteDB, dialect.Oracle} {
		t.Run(string(d), func(t *testing.T) {
			rendered := 0
			rapid.Check(t, func(r *rapid.T) {
				g := &generator{T: r, dialect: d, tidy: true}
				rep := &finding.Report{}
				first := render.Render(t.Context(), g.database(), render.Options{Dialect: d}, rep)
				if rep.Failed() {
					return
				}
				rendered++
				loaded := sqlsrc.Parse(t.Context(), script(d, first), "first.sql", d, rep)
				loaded.Attach(d.DefaultSchema(), d.Key)
				second := render.Render(t.Context(), loaded, render.Options{Dialect: d}, rep)
				if rep.Failed() {
					r.Fatalf("problems of what was rendered: %v in\n%s", rep.Problems(), strings.Join(first, "\n"))
				}
				if diff := cmp.Diff(first, second); diff != "" {
					r.Errorf("the second rendering differs (-first +second):\n%s", diff)
				}
			})
			if t.Logf("%d rendered", rendered); rendered == 0 {
				t.Error("all schemas are refused, which shows nothing")
			}
		})
	}
}
