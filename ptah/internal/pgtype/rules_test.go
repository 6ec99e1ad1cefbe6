package pgtype

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

// TestRules holds what is said of queries, and that the server refuses them, too. A file
// has a query in each paragraph, behind what is said of it or ok.
func TestRules(t *testing.T) {
	d, ddl := declareAll()
	conn := server(t, ddl)
	a, err := txtar.ParseFile("testdata/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range a.Files {
		var said []string
		for paragraph := range strings.SplitSeq(strings.TrimSpace(string(f.Data)), "\n\n") {
			want, sql, _ := strings.Cut(paragraph, "\n")
			want = strings.TrimPrefix(strings.TrimPrefix(want, "--"), " ")
			if err := refusal(conn, sql); (err != nil) != (want != "ok") {
				t.Errorf("%s: the server says %v, and the case %s", sql, err, want)
			}
			script, err := postgres.Parse(sql)
			if err != nil {
				t.Errorf("%s: %v", sql, err)
				continue
			}
			got := "ok"
			if _, fault := Query(d, sql, script.Statements[0].(*sqltree.Query), nil); fault != nil {
				got = fault.Message
			}
			said = append(said, "-- "+got+"\n"+sql)
			if got != want && !*update {
				t.Errorf("%s: %s\n\tsays %s\n\twant %s", f.Name, sql, got, want)
			}
		}
		a.Files[i].Data = []byte(strings.Join(said, "\n\n") + "\n")
	}
	if *update {
		if err := os.WriteFile("testdata/rules.txtar", txtar.Format(a), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
