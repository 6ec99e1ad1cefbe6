package corpus

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// goals says how many statements a dialect has at least.
var goals = []struct {
	dialect sqltree.Dialect
	least   int
}{
	{sqltree.Postgres, 1000},
	{sqltree.MySQL, 1000},
	{sqltree.SQLite, 500},
	{sqltree.DuckDB, 500},
	{sqltree.Snowflake, 150},
	{sqltree.BigQuery, 150},
	{sqltree.ClickHouse, 150},
}

// path is the schemas that bare names are looked up in.
var path = map[sqltree.Dialect][]string{
	sqltree.Postgres:  {"public"},
	sqltree.SQLite:    {"main"},
	sqltree.DuckDB:    {"main"},
	sqltree.Snowflake: {"PUBLIC"},
}

// tally counts one dialect.
type tally struct {
	statements, parsed int
	judged             int // statements that the database accepts
	falseErrors        int // statements with an error that they do not deserve
	twins, found       int // broken twins that the database, or the tokens, refuse for a name, and those found with name and place
	unbound            int // names that the tokens call references and the resolver does not bind
	alarms, harmless   int // false errors on twins that the database accepts, and all those twins
}

const (
	leastParsed     = 0.995
	mostFalseErrors = 0.005
	leastRecall     = 0.98
)

// TestCorpus measures every dialect and prints a table. A fault is named with its
// statement; the test fails where a bound is missed.
func TestCorpus(t *testing.T) {
	tallies := make([]tally, len(goals))
	for i, goal := range goals {
		t.Run(string(goal.dialect), func(t *testing.T) {
			catalogs, err := os.ReadDir(filepath.Join("testdata", string(goal.dialect)))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range catalogs {
				t.Run(c.Name(), func(t *testing.T) {
					measure(t, goal.dialect, filepath.Join("testdata", string(goal.dialect), c.Name()), &tallies[i])
				})
			}
		})
	}
	if t.Failed() || !everything() {
		return
	}
	var b strings.Builder
	b.WriteString("| dialect | statements | parsed | accepted by the database | false errors | broken twins | found, name and place | harmless twins | false errors on them | references not bound |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for i, goal := range goals {
		n := tallies[i]
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %d | %s | %d | %s | %s |\n", goal.dialect, n.statements,
			share(n.parsed, n.statements), dash(n.judged), share(n.falseErrors, n.statements), n.twins, share(n.found, n.twins), n.harmless, share(n.alarms, n.harmless), dash(n.unbound))
		if n.statements < goal.least {
			t.Errorf("%s has %d statements, fewer than %d", goal.dialect, n.statements, goal.least)
		}
		if below(n.parsed, n.statements, leastParsed) || below(n.found, n.twins, leastRecall) ||
			above(n.falseErrors, n.statements, mostFalseErrors) || above(n.alarms, n.harmless, mostFalseErrors) {
			t.Errorf("%s misses a bound: parsed %g, false errors %g, recall %g", goal.dialect, leastParsed, mostFalseErrors, leastRecall)
		}
	}
	t.Log("\n" + b.String())
}

// everything reports whether neither -run nor -skip has left out a part of
// TestCorpus. The flags are asked, for they can be written in several ways.
func everything() bool {
	return whole(flag.Lookup("test.run").Value.String(), flag.Lookup("test.skip").Value.String())
}

// whole reports whether the patterns leave all parts of a test that runs.
func whole(run, skip string) bool {
	return !strings.Contains(run, "/") && !strings.Contains(skip, "/")
}

func below(n, of int, bound float64) bool { return float64(n) < bound*float64(of) }
func above(n, of int, bound float64) bool { return float64(n) > bound*float64(of) }

func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d (%.2f %%)", n, 100*float64(n)/float64(of))
}

func dash(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

// measure adds one catalog's statements to the tally.
func measure(t *testing.T, d sqltree.Dialect, dir string, n *tally) {
	catalog, schema := load(t, d, dir)
	known := namesOf(d, catalog)
	ask := newJudge(t, d, schema)

	files, err := filepath.Glob(filepath.Join(dir, "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		if filepath.Base(file) == "schema.sql" {
			continue
		}
		for i, text := range statements(read(t, file)) {
			where := fmt.Sprintf("%s, statement %d", filepath.Base(file), i+1)
			if key := strings.ToLower(strings.Join(strings.Fields(text), " ")); seen[key] {
				t.Errorf("%s stands there twice: %s", where, text)
				continue
			} else {
				seen[key] = true
			}
			n.statements++
			one(t, d, catalog, known, ask, where, text, n)
		}
	}
	t.Logf("%s: %+v", dir, *n)
}

// load reads the schema of a catalog; it also returns its statements.
func load(t testing.TB, d sqltree.Dialect, dir string) (*sqltree.Schema, []string) {
	schema := statements(read(t, filepath.Join(dir, "schema.sql")))
	schemas := path[d]
	if d == sqltree.ClickHouse {
		schemas = []string{filepath.Base(dir)}
	}
	catalog := sqltree.NewSchema(d, schemas...)
	for _, s := range schema {
		script, err := parse.Parse(d, s)
		if err != nil {
			t.Fatalf("schema.sql: %v in %s", err, s)
		}
		catalog.Add(script)
	}
	return catalog, schema
}

func read(t testing.TB, file string) string {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// catalogNames are the names of a catalog, folded.
type catalogNames struct{ schemas, tables, columns map[string]bool }

// has reports whether anything of the catalog has the name.
func (c catalogNames) has(name string) bool {
	name = strings.ToLower(name)
	return c.schemas[name] || c.tables[name] || c.columns[name]
}

func namesOf(d sqltree.Dialect, s *sqltree.Schema) catalogNames {
	known := catalogNames{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, name := range s.Names() {
		var parts []sqltree.Ident
		for p := range strings.SplitSeq(name, ".") {
			parts = append(parts, sqltree.Ident{Name: p, Quoted: true})
		}
		for i, p := range parts {
			if i < len(parts)-1 {
				known.schemas[strings.ToLower(p.Name)] = true
			} else {
				known.tables[strings.ToLower(p.Name)] = true
			}
		}
		if r := s.Relation(d, sqltree.Name{Parts: parts}); r != nil {
			for _, c := range r.Columns {
				known.columns[strings.ToLower(c)] = true
			}
			if r.View != nil {
				for _, c := range r.View.Columns {
					known.columns[strings.ToLower(c.Name)] = true
				}
			}
		}
	}
	return known
}

// one measures a statement and its twins.
func one(t *testing.T, d sqltree.Dialect, catalog sqltree.Catalog, known catalogNames, ask judge, where, text string, n *tally) {
	script, err := parse.Parse(d, text)
	if err != nil {
		t.Logf("%s is refused: %v\n%s", where, err, text)
		return
	}
	n.parsed++
	says := verdict{kind: unjudged}
	if ask != nil {
		if says, err = ask(text); err != nil {
			t.Fatalf("%s: no answer: %v\n%s", where, err, text)
		}
		switch says.kind {
		case accepted:
			n.judged++
		case unjudged:
			t.Logf("%s is not judged: %s\n%s", where, says.text, text)
		default:
			t.Errorf("%s is itself wrong: %s\n%s", where, says.text, text)
		}
	}
	faults, bound := resolve(d, catalog, script)
	if len(faults) > 0 {
		n.falseErrors++
		t.Logf("%s has false errors: %v\n%s", where, faults, text)
		return
	}
	var refers map[int]bool
	if says.kind == unjudged {
		refers = references(d, text, known)
	}
	for _, tok := range names(d, text) {
		if !known.has(tok.name) {
			continue
		}
		twin, name := rename(text, tok)
		expected := verdict{kind: unjudged}
		switch {
		case ask != nil && says.kind == accepted:
			if expected, err = ask(twin); err != nil {
				t.Fatalf("%s: no answer on the twin with %s: %v\n%s", where, name, err, twin)
			}
		case refers[tok.start]: // no database tells; the tokens around do
			expected = verdict{kind: unknown, name: name, at: tok.start}
			if !bound[tok.start] {
				n.unbound++
				t.Logf("%s: %s at %d is not bound\n%s", where, tok.name, tok.start, text)
			}
		}
		if expected.kind == unjudged {
			continue
		}
		var faults []fault
		script, err := parse.Parse(d, twin)
		if err != nil {
			// A twin that the database accepts gets a false error, and the name of
			// another is not found.
			t.Logf("%s: the twin with %s is refused: %v\n%s", where, name, err, twin)
			faults = []fault{{start: -1, at: -1, name: "syntax"}}
		} else {
			faults, _ = resolve(d, catalog, script)
		}
		switch expected.kind {
		case accepted:
			if slices.ContainsFunc(faults, func(f fault) bool { return f.start <= tok.start && tok.start <= f.at }) {
				t.Logf("EXCUSED %s: %s: %v\n%s", where, name, faults, twin)
			}
			if err == nil {
				lazy := overlooked(d, twin)
				faults = slices.DeleteFunc(faults, func(f fault) bool { return lazy(f.start) })
			}
			n.harmless++
			if len(faults) > 0 {
				n.alarms++
				t.Logf("%s: the twin with %s is right and has false errors: %v\n%s", where, name, faults, twin)
			}
		case unknown, ambiguous:
			n.twins++
			if slices.ContainsFunc(faults, func(f fault) bool { return f.is(expected, name, tok.start) }) {
				n.found++
			} else {
				t.Logf("%s: the twin with %s: expected %q at %d (%s), found %v\n%s", where, name, expected.name, expected.at, expected.text, faults, twin)
			}
		}
	}
}

// A fault is a name that the resolver does not bind.
type fault struct {
	start, at int // of the whole reference, and of the unknown part
	name      string
	ambiguous bool
}

func (f fault) String() string { return fmt.Sprintf("%s at %d", f.name, f.at) }

// is reports whether a fault is what the database found: the same name, in the
// place of the renamed token, or, where renaming a definition broke what refers
// to it, in the place that the database names.
func (f fault) is(v verdict, renamed string, at int) bool {
	named := v.name == "" || strings.EqualFold(f.name, v.name) ||
		slices.ContainsFunc(strings.Split(v.name, "."), func(part string) bool { return strings.EqualFold(f.name, strings.Trim(part, `"`)) })
	if !named {
		return f.at == at && strings.EqualFold(f.name, renamed)
	}
	if strings.EqualFold(f.name, renamed) {
		return f.at == at
	}
	return v.at < 0 || f.start <= v.at && v.at <= f.at
}

// resolve lists the faults of a script, and the offsets of the names it binds.
func resolve(d sqltree.Dialect, catalog sqltree.Catalog, script *sqltree.Script) (faults []fault, bound map[int]bool) {
	bound = map[int]bool{}
	for _, statement := range script.Statements {
		r := sqltree.Resolve(statement, d, catalog)
		for _, u := range r.Tables {
			if u.Through != "" {
				continue
			}
			id := u.Name.Last()
			switch u.Status {
			case sqltree.Unknown, sqltree.Ambiguous:
				faults = append(faults, fault{u.Start, id.Start, id.Name, u.Status == sqltree.Ambiguous})
			case sqltree.Bound:
				bound[id.Start] = true
			}
		}
		for _, u := range r.Columns {
			switch u.Status {
			case sqltree.Unknown:
				faults = append(faults, fault{u.Start, u.At.Start, u.At.Name, false})
			case sqltree.Ambiguous:
				id := u.Parts[len(u.Parts)-1]
				faults = append(faults, fault{u.Start, id.Start, id.Name, true})
			case sqltree.Bound:
				for _, p := range u.Parts {
					if bound[p.Start] = true; p.Span == u.At.Span {
						break // behind it is a path into the value
					}
				}
			}
		}
	}
	return faults, bound
}
