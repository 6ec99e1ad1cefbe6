package roundtrip

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/catalogtest"
)

// TestPostgres takes each script as it is, and as pg_dump writes the database that it
// makes.
func TestPostgres(t *testing.T) {
	for _, s := range scripts(t, "postgres", "panoptes", "danbooru", "omop-cdm-5.4", "northwind", "sakila", "chinook") {
		t.Run(s.name, func(t *testing.T) {
			url := dbtest.Postgres(t)
			before := connect(t, url)
			load(t, before, s.text)
			want := catalog(t, before)
			t.Run("script", func(t *testing.T) { survives(t, s.text, want) })
			t.Run("dump", func(t *testing.T) {
				// A dump does not restore everything as it was (whether a partition's key
				// is its own), so it is compared with what it restores.
				text := dump(t, url)
				restored := connect(t, dbtest.Postgres(t))
				load(t, restored, text)
				survives(t, text, catalog(t, restored))
			})
		})
	}
}

// survives renders a script and compares what that makes with what the script made.
func survives(t *testing.T, text string, want []catalogtest.Line) {
	t.Helper()
	statements := rendered(t, "postgres", text)
	after := connect(t, dbtest.Postgres(t))
	for _, statement := range statements {
		if _, err := after.Exec(context.Background(), statement, pgx.QueryExecModeSimpleProtocol); err != nil && !standingRole(err, statement) {
			t.Fatalf("%v\n%s", err, statement)
		}
	}
	diff, counts := catalogtest.Diff(want, catalog(t, after))
	if diff != "" {
		t.Errorf("the catalogs differ (- as declared, + as rendered):\n%s", diff)
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-20s %5d", kind, counts[kind])
	}
	again(t, "postgres", statements)
}

// dump is what pg_dump writes of a database.
func dump(t *testing.T, url string) string {
	t.Helper()
	programs, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump")
	if err != nil || len(programs) == 0 {
		program, err := exec.LookPath("pg_dump")
		if err != nil {
			t.Fatal("pg_dump is part of the server's package, and not to be found")
		}
		programs = []string{program}
	}
	out, err := exec.Command(programs[len(programs)-1], "--schema-only", url).Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	return string(out)
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) }) // the database is dropped anyway
	return conn
}

func catalog(t *testing.T, conn *pgx.Conn) []catalogtest.Line {
	t.Helper()
	lines, err := catalogtest.Postgres(context.Background(), conn)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// standingRole tells the one failure that is right: roles belong to the whole server, so
// that the second database has those of the first.
func standingRole(err error, statement string) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "42710" && strings.HasPrefix(statement, "CREATE ROLE")
}

var (
	ownerClause = regexp.MustCompile(`(?i)\bOWNER TO "?([A-Za-z_][A-Za-z0-9_]*)"?`)
	copyFrom    = regexp.MustCompile(`(?i)^COPY .* FROM stdin`)
)

// load executes a script as psql does: lines with a backslash are psql's own, and the
// rows behind COPY are not the structure's. The roles that own things are made first.
func load(t *testing.T, conn *pgx.Conn, text string) {
	t.Helper()
	ctx := context.Background()
	for _, m := range ownerClause.FindAllStringSubmatch(text, -1) {
		_, err := conn.Exec(ctx, fmt.Sprintf("CREATE ROLE %q", m[1]))
		if err != nil && !standingRole(err, "CREATE ROLE") && !strings.Contains(err.Error(), "reserved") && !strings.Contains(err.Error(), "CURRENT") {
			t.Fatal(err)
		}
	}
	var kept []string
	rows := false
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		switch {
		case rows:
			rows = !strings.HasPrefix(line, `\.`)
		case copyFrom.MatchString(line):
			rows = true
		case strings.HasPrefix(line, `\`):
		default:
			kept = append(kept, line)
		}
	}
	if _, err := conn.Exec(ctx, strings.Join(kept, ""), pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatalf("loading the script: %v", err)
	}
}
