package infer

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// tables reads the small language of testdata/README.md. Every table gets the
// columns in extra.
func tables(tb testing.TB, text string, extra ...string) []model.Table {
	tb.Helper()
	db := model.Database{}
	split := func(name string) (schema, table string) {
		if s, t, ok := strings.Cut(name, "."); ok {
			return s, t
		}
		return "public", name
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		t := model.Table{Type: model.BaseTable}
		t.Schema, t.Name = split(words[0])
		if strings.HasPrefix(t.Name, "v_") {
			t.Type = model.View
		}
		for _, w := range append(words[1:], extra...) {
			left, right, refers := strings.Cut(w, ">")
			fk := model.ForeignKey{}
			if strings.HasPrefix(w, "(") {
				ref, columns, _ := strings.Cut(right, "(")
				fk.Columns = strings.Split(strings.Trim(left, "()"), ",")
				fk.RefSchema, fk.RefTable = split(ref)
				fk.RefColumns = strings.Split(strings.Trim(columns, "()"), ",")
				t.ForeignKeys = append(t.ForeignKeys, fk)
				continue
			}
			name, typ, _ := strings.Cut(strings.TrimRight(left, "*!"), ":")
			if typ == "" {
				typ = "integer"
			}
			if name == "rowguid" {
				typ = "uuid"
			}
			t.Columns = append(t.Columns, model.Column{Name: name, Ordinal: len(t.Columns) + 1, Type: typ})
			if strings.HasSuffix(left, "*") {
				if t.PrimaryKey == nil {
					t.PrimaryKey = &model.Key{}
				}
				t.PrimaryKey.Columns = append(t.PrimaryKey.Columns, name)
			}
			if strings.HasSuffix(left, "!") {
				t.Uniques = append(t.Uniques, model.Key{Columns: []string{name}})
			}
			if refers {
				at := strings.LastIndexByte(right, '.')
				fk.Columns, fk.RefColumns = []string{name}, []string{right[at+1:]}
				fk.RefSchema, fk.RefTable = split(right[:at])
				t.ForeignKeys = append(t.ForeignKeys, fk)
			}
		}
		db.Tables = append(db.Tables, t)
	}
	db.Sort()
	return db.Tables
}

// script loads a script of datakit's testdata: its tables with their keys and
// indexes. Partitions are part of their table.
func script(tb testing.TB, name string) []model.Table {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "datakit", "testdata", "scripts", name+".sql.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := postgres.Parse(string(text))
	if err != nil {
		tb.Fatal(err)
	}
	l := loader{at: map[string]int{}}
	for _, stmt := range s.Statements {
		l.statement(stmt)
	}
	l.db.Sort()
	return l.db.Tables
}

// loader turns statements into tables.
type loader struct {
	db model.Database
	at map[string]int
}

func fold(id sqltree.Ident) string { return sqltree.Postgres.Fold(id) }

func folds(ids []sqltree.Ident) []string {
	var out []string
	for _, id := range ids {
		out = append(out, fold(id))
	}
	return out
}

func qualified(n sqltree.Name) (schema, table string) {
	schema, table = "public", fold(n.Last())
	if len(n.Parts) > 1 {
		schema = fold(n.Parts[len(n.Parts)-2])
	}
	return schema, table
}

func (l *loader) table(n sqltree.Name) *model.Table {
	schema, name := qualified(n)
	if i, ok := l.at[schema+"."+name]; ok {
		return &l.db.Tables[i]
	}
	return nil
}

func (l *loader) statement(stmt sqltree.Statement) {
	switch st := stmt.(type) {
	case *sqltree.CreateTable:
		if st.PartitionOf != nil {
			return
		}
		schema, name := qualified(st.Name)
		l.at[schema+"."+name] = len(l.db.Tables)
		l.db.Tables = append(l.db.Tables, model.Table{Schema: schema, Name: name, Type: model.BaseTable})
		t := &l.db.Tables[len(l.db.Tables)-1]
		for _, parent := range st.Inherits {
			if p := l.table(parent); p != nil {
				t.Columns = append(t.Columns, p.Columns...)
			}
		}
		for _, c := range st.Columns {
			typ := fold(c.Type.Name.Last())
			if len(c.Type.Args) > 0 {
				typ += "(" + strings.Join(c.Type.Args, ",") + ")"
			}
			t.Columns = append(t.Columns, model.Column{Name: fold(c.Name), Ordinal: len(t.Columns) + 1, Type: typ})
			for _, k := range c.Constraints {
				l.constraint(t, k, []string{fold(c.Name)})
			}
		}
		for _, k := range st.Constraints {
			l.constraint(t, k, folds(k.Columns))
		}
	case *sqltree.AlterTable:
		t := l.table(st.Table)
		for _, a := range st.Actions {
			if t != nil && a.Constraint != nil {
				l.constraint(t, *a.Constraint, folds(a.Constraint.Columns))
			}
		}
	case *sqltree.CreateIndex:
		t := l.table(st.Table)
		if t == nil {
			return
		}
		x := model.Index{Name: "x" + strconv.Itoa(len(t.Indexes)), Unique: st.Unique, Type: st.Method, Partial: st.Where != nil}
		for _, k := range st.Keys {
			if c, ok := k.Expr.(*sqltree.Column); ok {
				x.Columns = append(x.Columns, fold(c.Parts[len(c.Parts)-1]))
			} else {
				x.Columns = append(x.Columns, "(expression)")
			}
		}
		t.Indexes = append(t.Indexes, x)
	}
}

func (l *loader) constraint(t *model.Table, k sqltree.Constraint, columns []string) {
	switch k.Kind {
	case sqltree.PrimaryKey:
		t.PrimaryKey = &model.Key{Columns: columns}
	case sqltree.Unique:
		t.Uniques = append(t.Uniques, model.Key{Columns: columns})
	case sqltree.ForeignKey:
		fk := model.ForeignKey{Columns: columns, RefColumns: folds(k.RefColumns)}
		fk.RefSchema, fk.RefTable = qualified(*k.RefTable)
		if ref := l.table(*k.RefTable); len(fk.RefColumns) == 0 && ref != nil && ref.PrimaryKey != nil {
			fk.RefColumns = ref.PrimaryKey.Columns
		}
		t.ForeignKeys = append(t.ForeignKeys, fk)
	}
}

func sorted(s []string) []string { slices.Sort(s); return s }
