package postgres

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

// script returns one of the scripts that the module's testdata holds.
func script(tb testing.TB, name string) string {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "..", "testdata", "scripts", name+".sql.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

func TestParse_Scripts(t *testing.T) {
	tests := []struct {
		name                 string
		tables, columns, fks int
	}{
		{"chinook", 11, 64, 11},
		{"northwind", 14, 92, 13},
		{"sakila", 21, 0, 40}, // the columns of partitions are those of their table
		{"panoptes", 54, 530, 68},
		{"danbooru", 66, 641, 93},
		{"omop-cdm-5.4", 39, 432, 176},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := script(t, test.name)
			s, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			var tables, columns, fks int
			sqltree.Inspect(s, func(n sqltree.Node) bool {
				switch n := n.(type) {
				case *sqltree.CreateTable:
					tables++
					columns += len(n.Columns)
				case *sqltree.Constraint:
					if n.Kind == sqltree.ForeignKey {
						fks++
					}
				case *sqltree.CreateView:
					if n.Query == nil {
						t.Errorf("view %s has no query", text[n.Name.Start:n.Name.End])
					}
				}
				return true
			})
			if tables != test.tables || fks != test.fks || test.columns > 0 && columns != test.columns {
				t.Errorf("%d tables, %d columns, %d foreign keys; want %d, %d, %d", tables, columns, fks, test.tables, test.columns, test.fks)
			}
			for _, p := range treetest.Problems(s, spelled) {
				t.Error(p)
			}
		})
	}
}

func TestParse_CopyScript(t *testing.T) {
	s, err := Parse(script(t, "sakila-data-head"))
	if err != nil {
		t.Fatal(err)
	}
	var copies, others int
	for _, st := range s.Statements {
		if o, ok := st.(*sqltree.Other); ok && o.Kind == "COPY" {
			copies++
			if text := s.Text[o.Start:o.End]; !strings.HasSuffix(text, "FROM stdin") || o.Name == nil {
				t.Errorf("COPY is %q", text)
			}
		} else {
			others++
		}
	}
	if copies != 21 || others != 56 {
		t.Errorf("%d COPY and %d other statements, want 21 and 56", copies, others)
	}
}

// psqlScript has what pg_dump and people write into scripts for psql.
const psqlScript = `-- dump
\restrict abc
SET a = 1;
\connect "my db"
COPY t (a, "B") FROM stdin;
1	SELECT ; '
\N	$$ /* "
\.

SELECT 1 \gexec
COPY u FROM STDIN WITH (FORMAT csv); SELECT 2;
x;y
\.
SELECT 3;
\unrestrict abc
SELECT 4 \g
COPY v FROM stdin;
`

func TestParse_PsqlScript(t *testing.T) {
	s, err := Parse(psqlScript)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, st := range s.Statements {
		got = append(got, treetest.Line(s.Text, st))
	}
	want := []string{
		`Other{Kind:\restrict} \restrict abc`, `Other{Kind:SET} SET a = 1`, `Other{Kind:\connect} \connect "my db"`,
		`Other{Kind:COPY Writes} COPY t (a, "B") FROM stdin`, `Query SELECT 1`, `Other{Kind:\gexec} \gexec`,
		`Other{Kind:COPY Writes} COPY u FROM STDIN WITH (FORMAT csv)`, `Query SELECT 2`, `Query SELECT 3`, `Other{Kind:\unrestrict} \unrestrict abc`,
		`Query SELECT 4`, `Other{Kind:\g} \g`, `Other{Kind:COPY Writes} COPY v FROM stdin`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("statements\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
