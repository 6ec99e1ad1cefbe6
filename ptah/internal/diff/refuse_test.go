package diff_test

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
)

// model reads a script in the words of a database.
func model(t *testing.T, d dialect.Dialect, text string) *schema.Database {
	t.Helper()
	var rep finding.Report
	db := sqlsrc.Parse(t.Context(), text, "s.sql", d, &rep)
	for _, p := range rep.Problems() {
		t.Fatalf("%s\n%s", p, text)
	}
	db.Attach(d.DefaultSchema(), d.TableKey)
	return db
}

// TestDiff_Refuses: what cannot be done in place is a problem that names the object, and
// what can be done beside it is not.
func TestDiff_Refuses(t *testing.T) {
	for _, c := range []struct {
		d              dialect.Dialect
		from, to, want string
	}{
		{"postgres", "CREATE TYPE m AS ENUM ('a', 'b');", "CREATE TYPE m AS ENUM ('a');", `enum "m" has lost or moved the value "b"`},
		{"postgres", "CREATE TYPE m AS ENUM ('a', 'b');", "CREATE TYPE m AS ENUM ('b', 'a');", `enum "m" has lost or moved the value "a"`},
		{"postgres", "CREATE TYPE m AS ENUM ('a', 'b');", "CREATE TYPE m AS ENUM ('a', 'x', 'b');", ""},
		{"postgres", "CREATE DOMAIN m AS int;", "CREATE DOMAIN m AS text;", `domain "m" has another type`},
		{"postgres", "CREATE TYPE m AS RANGE (subtype = int8);", "CREATE TYPE m AS RANGE (subtype = float8);", `range "m" differs`},
		{"postgres", "CREATE TABLE t (a int);", "CREATE TABLE t (a int) PARTITION BY LIST (a);", `table "t" differs in what postgres cannot alter`},
		{"postgres", "CREATE TABLE p (a int); CREATE TABLE t (a int);", "CREATE TABLE p (a int); CREATE TABLE t () INHERITS (p);", `table "t" differs in what postgres cannot alter`},
		{"postgres", "CREATE COLLATION c (provider = icu, locale = 'de');", "CREATE COLLATION c (provider = icu, locale = 'fr');", `collation "c" differs`},
		{"postgres", "CREATE TABLE t (a int);", "CREATE TABLE t (a text);", ""},
		{"mariadb", "CREATE TABLE t (a INT) STATS_PERSISTENT=1;", "CREATE TABLE t (a INT);", `table "t" has no option STATS_PERSISTENT any more`},
		{"mariadb", "CREATE TABLE t (a INT);", "CREATE TABLE t (a INT) STATS_PERSISTENT=1;", ""},
		{"sqlite", "CREATE TABLE t (a INT);", "CREATE TABLE t (a TEXT);", `table "t" has another column "a"`},
		{"sqlite", "CREATE TABLE t (a INT);", "CREATE TABLE t (a INT DEFAULT 1);", `table "t" has another column "a"`},
		{"sqlite", "CREATE TABLE t (a INT);", "CREATE TABLE t (a INT, CHECK (a > 0));", `table "t" has other keys, checks or foreign keys`},
		{"sqlite", "CREATE TABLE t (a INT);", "CREATE TABLE t (a INT, b INT UNIQUE);", `column "b", which is a key`},
		{"sqlite", "CREATE TABLE t (a INT);", "CREATE TABLE t (a INT, b INT NOT NULL);", `column "b", which is NOT NULL without a default`},
		{"sqlite", "CREATE TABLE t (a INT);", "CREATE TABLE t (a INT, b TEXT DEFAULT CURRENT_TIMESTAMP);", `column "b", which has a default that is computed`},
		{"sqlite", "CREATE TABLE t (a INT);", "CREATE TABLE t (a INT, b INT AS (a + 1) STORED);", `column "b", which is generated and stored`},
		{"sqlite", "CREATE TABLE t (a INT, b INT UNIQUE);", "CREATE TABLE t (a INT);", `column "b", which is part of a key`},
		{"sqlite", "CREATE TABLE t (a INTEGER);", "CREATE TABLE t (a INTEGER) STRICT;", `table "t" differs in what sqlite cannot alter`},
		{"sqlite", "CREATE TABLE t (a INT);", "CREATE TABLE t (a INT, b INT NOT NULL DEFAULT 0);", ""},
	} {
		statements, rep := difference(t, model(t, c.d, c.from), model(t, c.d, c.to), c.d)
		var got []string
		for _, p := range rep.Problems() {
			got = append(got, p.String())
		}
		switch {
		case c.want == "" && (len(got) > 0 || len(statements) == 0):
			t.Errorf("%s: %s → %s: %v %v", c.d, c.from, c.to, got, statements)
		case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want) || !strings.Contains(got[0], "s.sql:1") || !strings.Contains(got[0], "DIF001")):
			t.Errorf("%s: %s → %s:\ngot  %q\nwant %s", c.d, c.from, c.to, got, c.want)
		}
	}
}

// TestDiff_Order: PostgreSQL adds columns at the end, and says so where they do not belong
// there.
func TestDiff_Order(t *testing.T) {
	for to, want := range map[string]bool{
		"CREATE TABLE t (a int, b int, c int);": false, "CREATE TABLE t (a int, c int, b int);": true, "CREATE TABLE t (b int, a int);": true, "CREATE TABLE t (b int);": false,
	} {
		_, rep := difference(t, model(t, "postgres", "CREATE TABLE t (a int, b int);"), model(t, "postgres", to), "postgres")
		if got := len(rep.Warnings()) > 0; got != want || rep.Failed() {
			t.Errorf("%s: warnings %v, problems %v", to, rep.Warnings(), rep.Problems())
		}
	}
}

// TestDiff_Ties: what needs a table that is dropped before its own is dropped by itself,
// and a body that names what may not be there yet is not looked at.
func TestDiff_Ties(t *testing.T) {
	const from = `CREATE SCHEMA s;
		CREATE SEQUENCE s.no; CREATE TABLE s.z (id int DEFAULT nextval('s.no')); ALTER SEQUENCE s.no OWNED BY s.z.id;
		CREATE TABLE s.a (id int DEFAULT nextval('s.no')); CREATE POLICY p ON s.a USING (EXISTS (SELECT FROM s.z));`
	for _, c := range []struct{ from, to, first, then string }{
		{from, "", "DROP POLICY \"p\"", "DROP TABLE \"s\".\"z\""},
		{from, "", "ALTER COLUMN \"id\" DROP DEFAULT", "DROP TABLE \"s\".\"z\""},
		{"", "CREATE TABLE z (a int); CREATE FUNCTION f() RETURNS int LANGUAGE sql\nAS $function$ SELECT a FROM z $function$;", "SET check_function_bodies = off;\nCREATE FUNCTION", "RESET check_function_bodies;"},
	} {
		statements, rep := difference(t, model(t, "postgres", c.from), model(t, "postgres", c.to), "postgres")
		_, rest, found := strings.Cut(strings.Join(statements, "\n"), c.first)
		if rep.Failed() || !found || !strings.Contains(rest, c.then) {
			t.Errorf("%s → %s: no %q before %q in %q", c.from, c.to, c.first, c.then, statements)
		}
	}
}
