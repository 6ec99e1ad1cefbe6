package roundtrip

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
)

// TestClickHouse compares the statements with which the server itself would make what it
// has, and wants those to be a schema that makes the same.
func TestClickHouse(t *testing.T) {
	for _, s := range scripts(t, "clickhouse") {
		t.Run(s.name, func(t *testing.T) {
			before, after, afterwards := dbtest.ClickHouse(t), dbtest.ClickHouse(t), dbtest.ClickHouse(t)
			statements, err := scratch.Split(dialect.ClickHouse, s.text)
			if err != nil {
				t.Fatal(err)
			}
			for _, statement := range statements {
				ask(t, before, statement.Text)
			}
			want := clickhouseCatalog(t, before)
			made := rendered(t, "clickhouse", s.text)
			for _, statement := range made {
				ask(t, after, statement)
			}
			if diff := cmp.Diff(want, clickhouseCatalog(t, after)); diff != "" {
				t.Errorf("the catalogs differ (- as declared, + as rendered):\n%s", diff)
			}
			again(t, "clickhouse", made)
			for _, statement := range rendered(t, "clickhouse", strings.Join(want, ";\n")) {
				ask(t, afterwards, statement)
			}
			if diff := cmp.Diff(want, clickhouseCatalog(t, afterwards)); diff != "" {
				t.Errorf("the catalogs differ (- as declared, + as the server shows it):\n%s", diff)
			}
		})
	}
}

// ask sends a statement to the server of a database.
func ask(t *testing.T, address, statement string) string {
	t.Helper()
	answer, err := http.Post(address, "text/plain", strings.NewReader(statement))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v %s in\n%s", err, text, statement)
	}
	return string(text)
}

// clickhouseCatalog returns the statements that make what a database has, tables first. The
// database's own name is left out, as are parentheses around the only part of a key.
func clickhouseCatalog(t *testing.T, address string) []string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	text := ask(t, address, `SELECT replaceRegexpAll(create_table_query, '(PRIMARY KEY|ORDER BY) (?:tuple)?\\((\\w+|\x60[^\x60]+\x60)\\)', '\\1 \\2') FROM system.tables
		WHERE database = currentDatabase() AND name NOT LIKE '.inner%' ORDER BY engine LIKE '%View', name FORMAT TSVRaw`)
	name := u.Query().Get("database")
	return strings.Split(strings.TrimSpace(strings.NewReplacer(name+".", "", name, "").Replace(text)), "\n")
}
