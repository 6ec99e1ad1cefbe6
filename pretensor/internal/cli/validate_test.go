package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("index", shop(t)).want(t, exitOK, "", "")
	file, named := filepath.Join(t.TempDir(), "q.sql"), filepath.Join(t.TempDir(), "a table")
	write(t, file, "-- mine\nSELECT id\nFROM custmers")
	write(t, named, "SELECT id FROM orders")
	for _, c := range []struct {
		name, in    string
		args        []string
		code        int
		out, stderr string
	}{
		{"valid", "", []string{"SELECT id FROM orders"}, exitOK, "valid (sqlite)\ntables: main.orders\n", ""},
		{"with the database", "", []string{"SELECT id FROM orders", "-d", "shop"}, exitOK, "valid (sqlite)\n", ""},
		{"a table that is not there", "", []string{"SELECT id\nFROM custmers"}, exitFailed, "not valid (sqlite)\n2:6: unknown table: custmers\nsuggestion: Table custmers is not indexed; closest: main.customers.\n", ""},
		{"a column that is not there", "", []string{"SELECT emial FROM customers"}, exitFailed, "1:8: ", ""},
		{"no SQL", "", []string{"SELECT FROM WHERE"}, exitFailed, "not valid", ""},
		{"a file", "", []string{file}, exitFailed, "3:6: unknown table: custmers", ""},
		{"a file with an odd name", "", []string{named}, exitOK, "valid", ""},
		{"standard input", "SELECT nope FROM orders", []string{"-"}, exitFailed, "nope", ""},
		{"another dialect", "", []string{"SELECT id::text FROM orders", "--dialect", "postgres"}, exitOK, "valid (postgres)", ""},
		{"a dialect of other spelling", "", []string{"SELECT id FROM orders", "--dialect", "PostgreSQL"}, exitOK, "valid (postgres)", ""},
		{"it writes", "", []string{"DELETE FROM orders"}, exitOK, "warning: ", ""},
		{"unknown dialect", "", []string{"SELECT 1", "--dialect", "postgre"}, exitUsage, "", "did you mean postgres"},
		{"unknown database", "", []string{"SELECT 1", "-d", "shpo"}, exitUsage, "", "There are: shop"},
		{"a connection string", "", []string{"SELECT 1", "-d", "postgresql://a:hunter2@h/d"}, exitUsage, "", "a connection's name belongs there"},
		{"no argument", "", nil, exitUsage, "", "needs SQL"},
		{"two arguments", "", []string{"SELECT", "1"}, exitUsage, "", "2 arguments"},
		{"blanks", "", []string{"  "}, exitUsage, "", "needs SQL"},
		{"nothing on standard input", "\n", []string{"-"}, exitUsage, "", "no SQL"},
		{"only a comment", "", []string{"-- nothing"}, exitUsage, "", ""},
		{"a file that is not there", "", []string{"lost.sql"}, exitUsage, "", `there is no file "lost.sql"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := b.typed(c.in, append([]string{"validate", "--state-dir", b.dir}, c.args...)...).want(t, c.code, c.out, c.stderr)
			if c.code == exitUsage {
				o.silent(t)
			} else if o.stderr != "" {
				t.Errorf("stderr %q", o.stderr)
			}
		})
	}
	b.keeps("hunter2")
	// What is quoted from SQL cannot steer a terminal.
	if o := b.run("validate", "SELECT 1 FROM \"\x1b[31m\u202ered\""); strings.ContainsAny(o.out+o.stderr, "\x1b\u202e") {
		t.Errorf("%q", o.out)
	}
	var r struct {
		Valid       bool `json:"valid"`
		Diagnostics []struct {
			Line   int `json:"line"`
			Column int `json:"column"`
		} `json:"diagnostics"`
		Joins []any `json:"invalid_joins"`
	}
	o := b.run("validate", file, "--json").want(t, exitFailed, "", "")
	if err := json.Unmarshal([]byte(o.out), &r); err != nil || r.Valid || len(r.Diagnostics) != 1 || r.Diagnostics[0].Line != 3 || r.Joins == nil || o.stderr != "" {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestValidate_Which(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("validate", "SELECT 1").want(t, exitFailed, "", "pretensor index").silent(t)
	b.run("index", shop(t), "--name", "a").want(t, exitOK, "", "")
	b.run("add", shop(t), "--name", "b").want(t, exitOK, "", "")
	b.run("validate", "SELECT 1").want(t, exitUsage, "", "say which one. There are: a, b").silent(t)
	b.run("validate", "SELECT 1", "-d", "b").want(t, exitFailed, "", "pretensor index b").silent(t)
	b.run("validate", "SELECT 1", "-d", "a").want(t, exitOK, "valid", "")
}
