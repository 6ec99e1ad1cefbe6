package pgtype

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
)

var update = flag.Bool("update", false, "write the facts anew from the server")

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// TestFacts holds the facts against the server that they come from.
func TestFacts(t *testing.T) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dbtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var version string
	if err := conn.QueryRow(ctx, "SHOW server_version").Scan(&version); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(version, "15.") {
		t.Skipf("the facts are those of version 15, this is %s", version)
	}
	var b strings.Builder
	for _, s := range []struct{ title, query string }{
		{"types", typeFacts}, {"casts", castFacts}, {"operators", operatorFacts}, {"functions", functionFacts},
	} {
		b.WriteString("[" + s.title + "]\n" + lines(t, conn, s.query))
	}
	b.WriteString("[extensions]\n")
	names := strings.Fields(lines(t, conn, "SELECT name FROM pg_available_extensions WHERE name <> 'plpgsql' ORDER BY name COLLATE \"C\""))
	for _, name := range names {
		if _, err := conn.Exec(ctx, "CREATE EXTENSION "+pgx.Identifier{name}.Sanitize()+" CASCADE"); err != nil {
			t.Fatal(err)
		}
		b.WriteString(name + lines(t, conn, extensionFacts, name))
		if _, err := conn.Exec(ctx, "DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP EXTENSION IF EXISTS "+pgx.Identifier{name}.Sanitize()+" CASCADE"); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile("facts.txt", []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(facts, "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("the server says otherwise (run with -update to take it over):\n%s", diff)
	}
}

// lines are the rows of a query of one column.
func lines(t *testing.T, conn *pgx.Conn, query string, args ...any) string {
	t.Helper()
	rows, err := conn.Query(context.Background(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, "\n") + "\n"
}

// The queries give the lines that facts.go reads.
const (
	typeFacts = `
SELECT concat_ws(' ', t.typname, t.typcategory, CASE WHEN t.typispreferred THEN 'p' ELSE '-' END, t.typtype,
	CASE WHEN t.typcollation <> 0 THEN 'c' ELSE '-' END
	|| CASE WHEN EXISTS (SELECT FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod WHERE m.amname = 'btree' AND o.opcdefault AND (o.opcintype = t.oid
		OR EXISTS (SELECT FROM pg_cast c WHERE c.castsource = t.oid AND c.casttarget = o.opcintype AND c.castmethod = 'b' AND c.castcontext = 'i'))) THEN 's' ELSE '-' END
	|| CASE WHEN EXISTS (SELECT FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod WHERE m.amname = 'hash' AND o.opcdefault AND (o.opcintype = t.oid
		OR EXISTS (SELECT FROM pg_cast c WHERE c.castsource = t.oid AND c.casttarget = o.opcintype AND c.castmethod = 'b' AND c.castcontext = 'i'))) THEN 'h' ELSE '-' END,
	CASE WHEN t.typelem <> 0 THEN (SELECT e.typname FROM pg_type e WHERE e.oid = t.typelem)
		WHEN t.typtype = 'r' THEN (SELECT e.typname FROM pg_range r JOIN pg_type e ON e.oid = r.rngsubtype WHERE r.rngtypid = t.oid)
		WHEN t.typtype = 'm' THEN (SELECT e.typname FROM pg_range r JOIN pg_type e ON e.oid = r.rngtypid WHERE r.rngmultitypid = t.oid)
		ELSE '-' END,
	CASE WHEN t.typarray <> 0 THEN 'a' ELSE '-' END,
	format_type(t.oid, NULL))
FROM pg_type t WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'r', 'm', 'p')
	AND NOT (t.typcategory = 'A' AND t.typelem <> 0 AND t.typname LIKE '\_%')
ORDER BY t.typname COLLATE "C"`

	castFacts = `
SELECT concat_ws(' ', s.typname, t.typname, c.castcontext::text || c.castmethod::text)
FROM pg_cast c JOIN pg_type s ON s.oid = c.castsource JOIN pg_type t ON t.oid = c.casttarget
ORDER BY s.typname COLLATE "C", t.typname COLLATE "C"`

	operatorFacts = `
SELECT concat_ws(' ', o.oprname, coalesce(l.typname, '-'), r.typname, s.typname, p.provolatile)
FROM pg_operator o LEFT JOIN pg_type l ON l.oid = o.oprleft JOIN pg_type r ON r.oid = o.oprright JOIN pg_type s ON s.oid = o.oprresult JOIN pg_proc p ON p.oid = o.oprcode
ORDER BY o.oprname COLLATE "C", l.typname COLLATE "C" NULLS FIRST, r.typname COLLATE "C"`

	functionFacts = `
SELECT concat_ws(' ', p.proname,
	coalesce((SELECT string_agg(CASE WHEN p.provariadic <> 0 AND a.n = p.pronargs THEN '*' ELSE '' END || t.typname, ',' ORDER BY a.n) FROM unnest(p.proargtypes) WITH ORDINALITY a (oid, n) JOIN pg_type t ON t.oid = a.oid), '-'),
	r.typname,
	p.prokind::text || coalesce(a.aggkind::text, '') || CASE WHEN p.proretset THEN 's' ELSE '-' END || p.provolatile::text || CASE WHEN p.pronargdefaults > 0 THEN p.pronargdefaults::text ELSE '' END,
	CASE WHEN a.aggkind IN ('o', 'h') THEN a.aggnumdirectargs::text END,
	(SELECT string_agg(p.proargnames[m.n] || ':' || t.typname, ',' ORDER BY m.n) FROM unnest(p.proallargtypes, p.proargmodes) WITH ORDINALITY m (oid, mode, n) JOIN pg_type t ON t.oid = m.oid WHERE m.mode IN ('o', 'b', 't')))
FROM pg_proc p JOIN pg_type r ON r.oid = p.prorettype LEFT JOIN pg_aggregate a ON a.aggfnoid = p.oid
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND r.typname NOT LIKE '%\_handler' AND r.typname NOT IN ('internal', 'trigger', 'event_trigger') AND NOT 'internal'::regtype = ANY (p.proargtypes)
ORDER BY p.proname COLLATE "C", p.oid`

	extensionFacts = `
SELECT coalesce((SELECT ' ' || string_agg(DISTINCT n, ' ' ORDER BY n) FROM (
	SELECT p.proname::text COLLATE "C" AS n FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid WHERE d.classid = 'pg_proc'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
	UNION ALL
	SELECT o.oprname::text COLLATE "C" FROM pg_depend d JOIN pg_operator o ON o.oid = d.objid WHERE d.classid = 'pg_operator'::regclass AND d.refobjid = e.oid AND d.deptype = 'e') x), '')
FROM pg_extension e WHERE e.extname = $1`
)
