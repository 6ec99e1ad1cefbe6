package docs_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	_ "github.com/jackc/pgx/v5/stdlib" // PostgreSQL

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/docs"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/schema/schematest"
	"github.com/quartet-mcp/quartet/ptah/internal/source/goann"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
	"github.com/quartet-mcp/quartet/ptah/internal/source/yamlsrc"
	"github.com/quartet-mcp/quartet/ptah/internal/validate"
)

// examples are the blocks of a language in a page.
func examples(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := fs.ReadFile(docs.Files, page)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("there is no block of %s", language)
	}
	return blocks
}

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// The examples of a page are one schema, which is read without a mistake for every dialect
// and which PostgreSQL takes.
func TestDeclare_Examples(t *testing.T) {
	annotations := fstest.MapFS{}
	for i, block := range examples(t, "declare/go-annotations.md", "go") {
		if !strings.HasPrefix(block, "package ") {
			block = "package models\n\n" + block
		}
		annotations[fmt.Sprintf("example%d.go", i)] = &fstest.MapFile{Data: []byte(block)}
	}
	files := examples(t, "declare/yaml.md", "yaml")
	script := "CREATE TABLE customers (id bigserial PRIMARY KEY);\n" + examples(t, "declare/sql-files.md", "sql")[0]

	check := func(name string, d dialect.Dialect, load func(rep *finding.Report) *schema.Database) {
		t.Run(name+" "+string(d), func(t *testing.T) {
			var rep finding.Report
			db := load(&rep)
			db.Attach(d.DefaultSchema(), d.TableKey)
			if d == dialect.Postgres {
				validate.Validate(t.Context(), db, d, "", &rep)
				execute(t, render.Render(t.Context(), db, render.Options{Dialect: d}, &rep))
			}
			if rep.Failed() || len(db.Tables) == 0 {
				t.Errorf("%d tables\n%s", len(db.Tables), schematest.Findings(&rep))
			}
		})
	}
	for _, d := range dialect.All() {
		check("annotations", d, func(rep *finding.Report) *schema.Database {
			return goann.Load(t.Context(), annotations, ".", "models", d, rep)
		})
		check("yaml", d, func(rep *finding.Report) *schema.Database {
			all := &schema.Database{}
			for i, text := range files {
				join(all, yamlsrc.Load(t.Context(), []byte(text), fmt.Sprintf("example%d.yaml", i), d, rep))
			}
			return all
		})
	}
	check("sql", dialect.Postgres, func(rep *finding.Report) *schema.Database {
		return sqlsrc.Parse(t.Context(), script, "example.sql", dialect.Postgres, rep)
	})
}

// execute makes a schema in an empty database.
func execute(t *testing.T, statements []string) {
	t.Helper()
	db, err := sql.Open("pgx", dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// join appends every list of a schema to those of another.
func join(into, from *schema.Database) {
	a, b := reflect.ValueOf(into).Elem(), reflect.ValueOf(from).Elem()
	for i := range a.NumField() {
		if a.Field(i).Kind() == reflect.Slice {
			a.Field(i).Set(reflect.AppendSlice(a.Field(i), b.Field(i)))
		}
	}
}
