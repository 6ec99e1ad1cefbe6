package parse

import (
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
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
