package scratch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		d          dialect.Dialect
		text, want string
	}{
		{dialect.Postgres, "", ""},
		{dialect.Postgres, "-- first\nSELECT 1;\n\nSELECT ';'\n  ;", "2:SELECT 1|4:SELECT ';'"},
		{dialect.Postgres, "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; $$; SELECT 2", "1:CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; $$|1:SELECT 2"},
		{dialect.SQLite, "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END;\nSELECT 3;", "1:CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END|2:SELECT 3"},
		{dialect.MariaDB, "SELECT 1;\nSELECT `;`;", "1:SELECT 1|2:SELECT `;`"},
		{dialect.MariaDB, "SELECT 1;\nDELIMITER $$\n-- it's; fine\nCREATE PROCEDURE p() BEGIN -- isn't it\nSELECT ';'; # no $$ here\nEND$$\ndelimiter ;\nSELECT \"a\\\";\" /* $$; */;\nSELECT 2",
			"1:SELECT 1|4:CREATE PROCEDURE p() BEGIN -- isn't it\nSELECT ';'; # no $$ here\nEND|8:SELECT \"a\\\";\" /* $$; */|9:SELECT 2"},
	} {
		list, err := Split(c.d, c.text)
		if err != nil {
			t.Errorf("%s %q: %v", c.d, c.text, err)
		}
		var got []string
		for _, s := range list {
			got = append(got, fmt.Sprintf("%d:%s", s.Line, s.Text))
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s %q:\ngot  %s\nwant %s", c.d, c.text, strings.Join(got, "|"), c.want)
		}
	}
	if _, err := Split(dialect.Postgres, "SELEC 1"); err == nil {
		t.Error("what does not parse is taken apart")
	}
}

// TestCreatedRole: roles outlive the database, so those that are made are dropped.
func TestCreatedRole(t *testing.T) {
	for sql, want := range map[string]role{
		`CREATE ROLE "a b" WITH LOGIN;`:                  {"ROLE", `"a b"`},
		"create role b;":                                 {"ROLE", "b"},
		"CREATE USER IF NOT EXISTS 'c'@'%' ACCOUNT LOCK": {"USER", "'c'@'%'"},
		"CREATE ROLE IF NOT EXISTS `d``e`":               {"ROLE", "`d``e`"},
		"\n CREATE\nGROUP f":                             {"GROUP", "f"},
		"CREATE ROLE g, h":                               {},
		"CREATE USER MAPPING FOR a SERVER s":             {},
		"CREATE TABLE role (a int)":                      {},
		"":                                               {},
	} {
		if got, ok := createdRole(sql); got != want || ok != (want != role{}) {
			t.Errorf("createdRole(%q) = %q, %v", sql, got, ok)
		}
	}
	if got, want := surely("CREATE ROLE IF NOT EXISTS a"), "CREATE ROLE a"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
