package migrations

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

func dir(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func rules(all []Diagnostic) string {
	var lines []string
	for _, d := range all {
		lines = append(lines, fmt.Sprintf("%s %s:%d", d.Rule, d.Path, d.Line))
	}
	return strings.Join(lines, ", ")
}

func TestRead_NamesAndVersions(t *testing.T) {
	d, found, err := Read(dir(map[string]string{
		"2_b.up.sql": "", "2_b.down.sql": "", "10_c.up.sql": "", "10_c.down.sql": "", "002_other.up.sql": "", "3_x.sql": "", "notes.md": "", ".hidden.sql": "", "5_only.up.sql": "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, f := range d.Files {
		order = append(order, f.Name)
	}
	if got, want := strings.Join(order, " "), "3_x.sql 002_other.up.sql 2_b.up.sql 2_b.down.sql 5_only.up.sql 10_c.up.sql 10_c.down.sql"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	if got, want := rules(found), "MIG001 3_x.sql:0, MIG002 2_b.up.sql:0, MIG003 5_only.up.sql:0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The vectors are those of the specification of artifacts.
func TestDirectory_Hash(t *testing.T) {
	files := map[string]string{"1700000000_init.up.sql": "CREATE TABLE users (id BIGINT PRIMARY KEY);\n", "1700000000_init.down.sql": "DROP TABLE users;\n"}
	d, _, err := Read(dir(files))
	if err != nil {
		t.Fatal(err)
	}
	want := "h1:p5oGRT4wZ4sG9Mp+c4CUOaYPxd0TqwNqFkmK4QWjRDw=\n" +
		"1700000000_init.down.sql h1:3hAVcH5B1mghhsNEDFiyIlGOdernvs+6dDRkaO79/F0=\n" +
		"1700000000_init.up.sql h1:rFMrHUaVg+VcYTSC2ZEvV46vAaJX6qadLHx26Xe5Ja0=\n"
	if got, err := d.Hash(); err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	for name, change := range map[string]func(map[string]string){
		"":                                  func(m map[string]string) { m["ptah.sum"] = want },
		"MIG004 ptah.sum:0":                 func(map[string]string) {},
		"MIG004 1700000000_init.up.sql:0":   func(m map[string]string) { m["ptah.sum"] = want; m["1700000000_init.up.sql"] += "x" },
		"MIG004 1700000000_init.down.sql:0": func(m map[string]string) { m["ptah.sum"] = want; delete(m, "1700000000_init.down.sql") },
		"MIG004 2_new.up.sql:0":             func(m map[string]string) { m["ptah.sum"] = want; m["2_new.up.sql"] = "" },
	} {
		changed := map[string]string{}
		for k, v := range files {
			changed[k] = v
		}
		change(changed)
		d, _, err := Read(dir(changed))
		if err != nil {
			t.Fatal(err)
		}
		found, err := d.Verify()
		if err != nil {
			t.Fatal(err)
		}
		if got := rules(found); got != name {
			t.Errorf("got %q, want %q", got, name)
		}
	}
}

func TestLint(t *testing.T) {
	for _, c := range []struct{ d, version, sql, want string }{
		{"postgres", "", "CREATE TABLE t (id int PRIMARY KEY);", ""},
		{"postgres", "", "CREATE TABLE t (id int);\nALTER TABLE t ADD PRIMARY KEY (id);", ""},
		{"postgres", "", "\nCREATE TABLE t (id int);", "DDL001 f:2"},
		{"postgres", "", "SELECT 'a", "SQL001 f:1"},
		{"postgres", "", "SELECT 1;\nCREATE TABL t ();", "SQL001 f:2"},
		{"postgres", "", "DROP TABLE a, b;", "DDL002 f:1, DDL002 f:1"},
		{"postgres", "", "ALTER TABLE t DROP COLUMN c;", "DDL002 f:1"},
		{"postgres", "", "CREATE INDEX ON t (a);", "DDL003 f:1"},
		{"postgres", "", "CREATE INDEX CONCURRENTLY ON t (a);", ""},
		{"postgres", "", "CREATE TABLE t (a int PRIMARY KEY); CREATE INDEX ON t (a);", ""},
		{"postgres", "14", "CREATE UNIQUE INDEX CONCURRENTLY ON t (a) NULLS NOT DISTINCT;", "CAP001 f:1"},
		{"postgres", "15", "CREATE UNIQUE INDEX CONCURRENTLY ON t (a) NULLS NOT DISTINCT;", ""},
		{"postgres", "11", "ALTER TABLE t ADD COLUMN b int GENERATED ALWAYS AS (a * 2) STORED;", "CAP001 f:1"},
		{"postgres", "", "CREATE DATABASE x;", "SQL002 f:1"},
		{"mysql", "", "CREATE TABLE t (a int PRIMARY KEY) ENGINE=InnoDB;", ""},
		{"mysql", "8.0.12", "CREATE TABLE t (a int PRIMARY KEY, CHECK (a > 1));", "CAP001 f:1"},
		{"mariadb", "", "CREATE TABLE t (a int PRIMARY KEY);\nCREATE INDEX i ON t ((a + 1));", "CAP001 f:2"},
		{"sqlite", "", "ALTER TABLE t ADD COLUMN b int;", ""},
		{"sqlite", "3.30", "ALTER TABLE t DROP COLUMN b;", "CAP001 f:1, DDL002 f:1"},
		{"sqlite", "", "ALTER TABLE t ALTER COLUMN b SET DEFAULT 1;", "CAP001 f:1"},
	} {
		version, _ := dialect.ParseVersion(c.version)
		if got := rules(Lint(c.sql, "f", false, Options{dialect.Dialect(c.d), version})); got != c.want {
			t.Errorf("%s %s %q: %s, want %s", c.d, c.version, c.sql, got, c.want)
		}
	}
	if got := Lint("DROP TABLE t;", "f", true, Options{Dialect: dialect.Postgres}); len(got) != 0 {
		t.Errorf("a way down: %v", got)
	}
}

// TestRead_NotRegular: what has a migration's name and is no file is not passed over.
func TestRead_NotRegular(t *testing.T) {
	for _, name := range []string{"1_a.up.sql", "ptah.sum"} {
		d := dir(map[string]string{"2_b.up.sql": "", "2_b.down.sql": ""})
		d[name] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
		if _, _, err := Read(d); err == nil || err.Error() != name+": it is not a regular file" {
			t.Errorf("%s: %v", name, err)
		}
		d[name].Mode = fs.ModeSymlink
		if _, _, err := Read(d); err == nil {
			t.Errorf("%s: a link is read", name)
		}
	}
	d := dir(map[string]string{"2_b.up.sql": "", "2_b.down.sql": ""})
	d["notes"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	if _, _, err := Read(d); err != nil {
		t.Errorf("what is no migration is in the way: %v", err)
	}
}
