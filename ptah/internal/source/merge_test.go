package source

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

func TestLoad_Merge(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"a.yaml":     "tables:\n  t: { columns: { id: { type: BIGINT, primary: true } } }\nenums: { e: [x, y] }\n",
		"same.yaml":  "enums: { e: [x, y] }\ntables:\n  t: { columns: { id: { type: BIGINT, primary: true } } }\n",
		"other.yaml": "tables:\n  t: { columns: { id: { type: INT, primary: true } } }\n",
		"index.yaml": "indexes: { t_id: { table: t, fields: [id] } }\nconstraints: { c: { table: t, type: CHECK, check: id > 0 } }\n",
		"none.yaml":  "indexes: { x_id: { table: x, fields: [id] } }\n",
		"index.sql":  "CREATE INDEX t_id2 ON t (id);\nALTER TABLE t ADD CONSTRAINT c2 CHECK (id > 1);\n",
	})
	rs := opened(t, dir)
	db, rep, err := load(t, rs, dialect.Postgres, Request{SchemaFiles: []string{"index.yaml", "a.yaml", "same.yaml", "index.sql"}})
	if err != nil || rep.Failed() {
		t.Fatal(err, rep.Problems())
	}
	if len(db.Tables) != 1 || len(db.Enums) != 1 || len(db.Tables[0].Indexes) != 2 || len(db.Indexes) != 0 || len(db.Tables[0].Constraints) != 3 {
		t.Errorf("%d tables, %d enums, %d indexes, %d constraints", len(db.Tables), len(db.Enums), len(db.Tables[0].Indexes), len(db.Tables[0].Constraints))
	}
	_, rep, err = load(t, rs, dialect.Postgres, Request{SchemaFiles: []string{"a.yaml", "other.yaml"}})
	if err != nil {
		t.Fatal(err)
	}
	if p := rep.Problems(); len(p) != 1 || p[0].Rule != "SRC007" || p[0].Path != "other.yaml" || !strings.Contains(p[0].Message, "a.yaml:2") {
		t.Errorf("%v, want SRC007 with both places", p)
	}
	db, _, err = load(t, rs, dialect.Postgres, Request{SchemaFiles: []string{"a.yaml", "none.yaml"}})
	if err != nil || len(db.Indexes) != 1 {
		t.Errorf("%v, %d indexes without a table", err, len(db.Indexes))
	}
}

func TestCutNames(t *testing.T) {
	dir := t.TempDir()
	long, umlauts := strings.Repeat("c", 70), strings.Repeat("ü", 33)
	write(t, dir, map[string]string{
		"a.yaml": "tables:\n  " + long + ": { columns: { id: { type: INT, primary: true }, " + umlauts + ": { type: INT } } }\n  u: { columns: { r: { type: INT, foreign: " + long + "(id) } } }\n",
		"m/a.go": "package m\n\n//ptah:schema:table name=\"g\"\ntype G struct {\n\t//ptah:schema:field name=\"" + long + "\" type=\"INT\" primary\n\tID int\n}\n",
	})
	rs := opened(t, dir)
	db, rep, err := load(t, rs, dialect.Postgres, Request{SchemaFiles: []string{"a.yaml"}, RootDirs: []string{"m"}})
	if err != nil || rep.Failed() {
		t.Fatal(err, rep.Problems())
	}
	*rep = finding.Report{}
	CutNames(db, dialect.Postgres, rep)
	want := []string{
		`annotation m/a.go:5: column "` + long + `" in schema "public" is 70 bytes; the server keeps its first 63: "` + long[:63] + `"`,
		`schema file a.yaml: table "` + long + `" in schema "public" is 70 bytes; the server keeps its first 63: "` + long[:63] + `"`,
		`schema file a.yaml: column "` + umlauts + `" in schema "public" is 66 bytes; the server keeps its first 62: "` + umlauts[:62] + `"`,
	}
	w := rep.Warnings()
	if len(w) != 1 || w[0].Category != finding.TruncatedName || strings.Join(w[0].Objects, "\n") != strings.Join(want, "\n") {
		t.Errorf("%+v\nwant\n%s", w, strings.Join(want, "\n"))
	}
	for _, x := range db.Tables {
		for _, c := range x.Constraints {
			if c.Reference != nil && c.Reference.Table.Name != long[:63] {
				t.Errorf("the reference names %q", c.Reference.Table.Name)
			}
		}
	}
	*rep = finding.Report{}
	db, _, err = load(t, rs, dialect.SQLite, Request{SchemaFiles: []string{"a.yaml"}})
	if err != nil {
		t.Fatal(err)
	}
	if CutNames(db, dialect.SQLite, rep); len(rep.Warnings()) != 0 {
		t.Errorf("sqlite cuts nothing: %v", rep.Warnings())
	}
}
