package parse

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
)

func TestParse_MySQL(t *testing.T) {
	tests := []struct {
		name, text string
		dialect    sqltree.Dialect
		notes      int
		fails      bool
	}{
		{"accepted", "SELECT a FROM t WHERE b = ?", sqltree.MySQL, 0, false},
		{"not in TiDB's grammar", "SELECT a FROM t FOR SYSTEM_TIME AS OF TIMESTAMP '2020-01-01'", sqltree.MariaDB, 1, false},
		{"placeholder of a client library", "SELECT a FROM t WHERE b = :name", sqltree.MySQL, 1, false},
		{"refused by all", "SELECT a FORM t WHERE b", sqltree.MySQL, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := Parse(test.dialect, test.text)
			if test.fails {
				if err == nil {
					t.Fatalf("Parse(%q) is no error", test.text)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Notes) != test.notes || len(s.Statements) != 1 {
				t.Errorf("Parse(%q): %d statements, notes %v; want 1 and %d notes", test.text, len(s.Statements), s.Notes, test.notes)
			}
		})
	}
}

// TestParse_MySQLVersionComments holds that what a server leaves out of a text is
// left out also where TiDB's grammar refuses the statement.
func TestParse_MySQLVersionComments(t *testing.T) {
	for _, c := range []struct {
		name, text string
		dialect    sqltree.Dialect
		tables     string
	}{
		{"for MySQL 5.7 alone", "SELECT id FROM emp /*!50701 UNION SELECT what FROM log */ LIMIT 1 ROWS EXAMINED 10", sqltree.MariaDB, "emp"},
		{"for every server", "SELECT id FROM emp /*!50501 UNION SELECT what FROM log */ LIMIT 1 ROWS EXAMINED 10", sqltree.MariaDB, "emp log"},
		{"for MariaDB", "SELECT id FROM emp /*M!100100 UNION SELECT what FROM log */ LIMIT 1 ROWS EXAMINED 10", sqltree.MariaDB, "emp log"},
		{"for no version", "SELECT id FROM emp /*!99999 UNION SELECT what FROM log */ WHERE a = :b", sqltree.MySQL, "emp"},
		{"for this version", "SELECT id FROM emp /*!80000 UNION SELECT what FROM log */ WHERE a = :b", sqltree.MySQL, "emp log"},
		{"MariaDB's", "SELECT id FROM emp /*M! UNION SELECT what FROM log */ WHERE a = :b", sqltree.MySQL, "emp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse(c.dialect, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Notes) != 1 {
				t.Errorf("notes %v, want that of the refusal", s.Notes)
			}
			var tables []string
			sqltree.Inspect(s, func(n sqltree.Node) bool {
				if r, ok := n.(*sqltree.TableRef); ok {
					tables = append(tables, r.Name.Last().Name)
				}
				return true
			})
			if got := strings.Join(tables, " "); got != c.tables || s.Text != c.text {
				t.Errorf("tables %q in %q, want %q", got, s.Text, c.tables)
			}
		})
	}
}

// TestParse_MySQLNotes holds that each statement that TiDB's grammar refuses has its
// note, and that those between them are still checked.
func TestParse_MySQLNotes(t *testing.T) {
	text := "SELECT a FROM t WHERE b = :b; SELECT 1; SELECT a FROM t WHERE b = :c"
	s, err := Parse(sqltree.MySQL, text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range s.Notes {
		got = append(got, text[n.Start:n.End])
	}
	if strings.Join(got, " ") != ": :" || len(s.Statements) != 3 {
		t.Errorf("notes at %q of %d statements, want one at each colon of 3", got, len(s.Statements))
	}
}

// TestParse_MySQLRefusedOnce holds that a refusal costs no second reading: as much
// is allocated as where the refusal is the result.
func TestParse_MySQLRefusedOnce(t *testing.T) {
	text := "SELECT " + strings.Repeat("a + b, ", 500) + "c FROM t WHERE b = :b"
	strict := testing.AllocsPerRun(5, func() {
		if _, err := mysql.Parse(text); err == nil {
			t.Error("TiDB's grammar has :b")
		}
	})
	lenient := testing.AllocsPerRun(5, func() {
		if _, err := Parse(sqltree.MySQL, text); err != nil {
			t.Error(err)
		}
	})
	if lenient > 1.2*strict {
		t.Errorf("%.0f allocations with a note, want no more than the %.0f of the error", lenient, strict)
	}
}
