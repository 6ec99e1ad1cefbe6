package dialect

import (
	"strings"
	"testing"
)

func TestDoubtVersion(t *testing.T) {
	for _, c := range []struct {
		d          Dialect
		text, want string
	}{
		{Postgres, "", ""}, {Postgres, "9.6", ""}, {Postgres, "16.2", ""}, {Postgres, "18.9", ""},
		{Postgres, "8.1", `version "8.1" of postgres is older than 9.6`}, {Postgres, "99", `version "99" of postgres is newer than 18`},
		{MySQL, "5.7.44", ""}, {MySQL, "9.4", ""}, {MySQL, "3", "older than 5.7"}, {MySQL, "10", "newer than 9"},
		{MariaDB, "10.11.6-MariaDB", ""}, {MariaDB, "5.5", "older than 10.2"},
		{SQLite, "3.51.1", ""}, {SQLite, "2", "older than 3.25"}, {SQLite, "4", "newer than 3"},
		{YugabyteDB, "2025.1", ""}, {YugabyteDB, "2.20", ""}, {YugabyteDB, "1.0", "older than 2.14"},
		{SQLServer, "2012", ""},
		{SQLServer, "new", `"new" is no version of sqlserver`},
	} {
		if got := c.d.DoubtVersion(c.text); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s %q: %q, want %q", c.d, c.text, got, c.want)
		}
	}
}
