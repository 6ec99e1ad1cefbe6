package sqltree_test

import (
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

func TestOutputName(t *testing.T) {
	for expr, want := range map[string]string{
		"Lower(a)": "lower", "a": "a", "a + 1": "", "(a || b)::text": "text", "coalesce(a, b)": "coalesce",
		"CASE WHEN a THEN 1 END": "case", "a->>'x'": "",
	} {
		s, err := postgres.Parse("SELECT " + expr + " FROM t")
		if err != nil {
			t.Fatal(err)
		}
		e := s.Statements[0].(*sqltree.Query).Body.(*sqltree.Select).Items[0].Expr
		if got := sqltree.OutputName(sqltree.Postgres, e); got != want {
			t.Errorf("OutputName(%s) = %q, want %q", expr, got, want)
		}
	}
}
