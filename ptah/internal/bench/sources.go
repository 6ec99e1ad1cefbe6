package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// writeSources makes the schemas that are measured. Each table has 20 columns and refers
// to an earlier one.
func writeSources(dir string) error {
	const columns = 20
	for name, text := range map[string]string{
		"small.sql":  tablesSQL(60, columns) + viewsSQL(30, 60),
		"large.sql":  tablesSQL(5_000, columns),
		"large.yaml": tablesYAML(5_000, columns),
		"views.sql":  tablesSQL(200, columns) + viewsSQL(1_000, 200),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	models := filepath.Join(dir, "large")
	if err := os.Mkdir(models, 0o700); err != nil {
		return err
	}
	const files = 50
	for i := range files {
		text := tablesGo(i*5_000/files, (i+1)*5_000/files, columns)
		if err := os.WriteFile(filepath.Join(models, fmt.Sprintf("models_%02d.go", i)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// columnType is the type of a column, the same for all forms.
func columnType(i int) string {
	return []string{"TEXT", "INTEGER", "NUMERIC(12,2)", "TIMESTAMPTZ", "BOOLEAN", "VARCHAR(80)"}[i%6]
}

func tablesSQL(tables, columns int) string {
	var b strings.Builder
	for t := range tables {
		fmt.Fprintf(&b, "CREATE TABLE t%d (\n  id bigserial PRIMARY KEY,\n  parent_id bigint", t)
		if t > 0 {
			fmt.Fprintf(&b, " REFERENCES t%d (id) ON DELETE CASCADE", t/2)
		}
		for c := 2; c < columns; c++ {
			fmt.Fprintf(&b, ",\n  c%d %s", c, columnType(c))
		}
		fmt.Fprintf(&b, ",\n  CHECK (c2 IS NOT NULL OR c7 > 0)\n);\nCREATE INDEX ON t%d (parent_id);\n", t)
	}
	return b.String()
}

// levels is how deep views stand on views.
const levels = 5

// viewsSQL joins three relations in each view. A view of a level stands on one of the
// level below, the views of the lowest on tables.
func viewsSQL(views, tables int) string {
	var b strings.Builder
	each := views / levels
	for v := range views {
		from := fmt.Sprintf("t%d", v%tables)
		if v >= each {
			from = fmt.Sprintf("v%d", v-each)
		}
		fmt.Fprintf(&b, "CREATE VIEW v%d AS SELECT a.id, a.c2, b.c3, coalesce(c.c8, a.c8) AS c8, count(*) OVER (PARTITION BY b.parent_id) AS n\n"+
			"FROM %s a JOIN t%d b ON b.id = a.id LEFT JOIN t%d c ON c.parent_id = b.id WHERE b.c4;\n", v, from, (v+1)%tables, (v+2)%tables)
	}
	return b.String()
}

func tablesYAML(tables, columns int) string {
	var b strings.Builder
	b.WriteString("tables:\n")
	for t := range tables {
		fmt.Fprintf(&b, "  t%d:\n    columns:\n      id: { type: BIGSERIAL, primary: true }\n      parent_id: { type: BIGINT, index: true", t)
		if t > 0 {
			fmt.Fprintf(&b, ", foreign: t%d(id), on_delete: CASCADE", t/2)
		}
		b.WriteString(" }\n")
		for c := 2; c < columns; c++ {
			fmt.Fprintf(&b, "      c%d: { type: %q }\n", c, columnType(c))
		}
	}
	return b.String()
}

func tablesGo(first, end, columns int) string {
	var b strings.Builder
	b.WriteString("package models\n")
	for t := first; t < end; t++ {
		fmt.Fprintf(&b, "\n//ptah:schema:table name=\"t%d\"\n//ptah:schema:index name=\"t%d_parent\" fields=\"parent_id\"\ntype T%d struct {\n", t, t, t)
		b.WriteString("\t//ptah:schema:field name=\"id\" type=\"BIGSERIAL\" primary\n\tID int64\n")
		foreign := ""
		if t > 0 {
			foreign = fmt.Sprintf(" foreign=\"t%d(id)\" on_delete=\"CASCADE\"", t/2)
		}
		fmt.Fprintf(&b, "\t//ptah:schema:field name=\"parent_id\" type=\"BIGINT\"%s\n\tParentID int64\n", foreign)
		for c := 2; c < columns; c++ {
			fmt.Fprintf(&b, "\t//ptah:schema:field name=\"c%d\" type=%q\n\tC%d string\n", c, columnType(c), c)
		}
		b.WriteString("}\n")
	}
	return b.String()
}
