package dburl

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

func TestParse(t *testing.T) {
	type parts struct {
		Dialect                              dialect.Dialect
		User, Password, Host, Database, Name string
		Display                              string
	}
	tests := map[string]parts{
		"postgres://reader:s%40crt@127.0.0.1:5432/shop?sslmode=disable": {dialect.Postgres, "reader", "s@crt", "127.0.0.1:5432", "shop", "shop",
			"postgres://reader@127.0.0.1:5432/shop"},
		"PostgreSQL://h":                         {dialect.Postgres, "", "", "h", "", "database", "postgresql://h"},
		"postgres:///shop?host=/run/postgresql":  {dialect.Postgres, "", "", "", "shop", "shop", "postgres:///shop"},
		"postgres://a:1,b:2/d":                   {dialect.Postgres, "", "", "a:1,b:2", "d", "d", "postgres://a:1,b:2/d"},
		"cockroachdb://root@[::1]:26257/bank":    {dialect.CockroachDB, "root", "", "[::1]:26257", "bank", "bank", "cockroachdb://root@[::1]:26257/bank"},
		"mysql://u:@h/d":                         {dialect.MySQL, "u", "", "h", "d", "d", "mysql://u@h/d"},
		" mariadb://u:p@h:3306/d ":               {dialect.MariaDB, "u", "p", "h:3306", "d", "d", "mariadb://u@h:3306/d"},
		"sqlite:shop.db":                         {dialect.SQLite, "", "", "", "shop.db", "shop", "sqlite://shop.db"},
		"sqlite://data/shop.v2.db?mode=ro":       {dialect.SQLite, "", "", "", "data/shop.v2.db", "shop.v2", "sqlite://data/shop.v2.db"},
		"sqlite3:///var/lib/a%20b@c.sqlite":      {dialect.SQLite, "", "", "", "/var/lib/a b@c.sqlite", "a b@c", "sqlite3:///var/lib/a b@c.sqlite"},
		"vaultdb://reader:pw@vault.example/core": {"", "reader", "pw", "vault.example", "core", "core", "vaultdb://reader@vault.example/core"},
		"clickhouse://h:9000/d":                  {"", "", "", "h:9000", "d", "d", "clickhouse://h:9000/d"},
		"libsql://h/d":                           {"", "", "", "h", "d", "d", "libsql://h/d"},
	}
	for text, want := range tests {
		u, err := Parse(text)
		if err != nil {
			t.Errorf("Parse(%q): %v", text, err)
			continue
		}
		got := parts{u.Dialect(), u.User(), u.Password(), u.Host(), u.Database(), u.Name(), u.Display()}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", text, diff)
		}
		if u.Reveal() != strings.TrimSpace(text) {
			t.Errorf("Parse(%q) reveals %q", text, u.Reveal())
		}
	}
}

func TestParse_Errors(t *testing.T) {
	const secret = "hunter2"
	tests := map[string]string{
		"":                                             "no scheme",
		"/var/lib/" + secret + ".db":                   "no scheme",
		"u:" + secret + "@tcp(h:3306)/d":               `does not go on with // after "u"`,
		"host=h password=" + secret:                    "no scheme",
		"postgres:" + secret:                           `after "postgres"`,
		"postgres://u:" + secret + "/x@h/d":            "@ or # after its host",
		"postgres://u:" + secret + "?x@h/d":            "@ or # after its host",
		"postgres://u:" + secret + "#x":                "@ or # after its host",
		"postgres://u:" + secret + "%zz@h":             "cannot be read",
		"postgres://h:" + secret + "/d":                "cannot be read",
		"postgres://h/d?password=%zz":                  "parameters",
		"postgres://u:" + secret + "\x00@h":            "control characters",
		"postgres://u:" + secret + "\xff@h":            "UTF-8",
		"sqlite:":                                      "no file",
		"sqlite://:memory:":                            "no file",
		"sqlite:a%00b":                                 "null character",
		"postgres://" + strings.Repeat("h", maxLength): "longer than",
	}
	for text, want := range tests {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.60q): error %v, want %q in it", text, err, want)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("Parse(%.60q): the error repeats the secret: %v", text, err)
		}
	}
}

func TestURL_PrintsNothing(t *testing.T) {
	u, err := Parse("postgres://u:hunter2@h/d")
	if err != nil {
		t.Fatal(err)
	}
	type holder struct{ URL URL }
	encoded, err := json.Marshal(holder{u})
	if err != nil {
		t.Fatal(err)
	}
	printed := fmt.Sprintf("%v %+v %#v %s %q %x %d", u, holder{u}, u, u, u, u, u) + u.LogValue().String() + string(encoded)
	if strings.Contains(printed, "hunter2") || strings.Contains(printed, "68756e74657232") || !strings.Contains(printed, Mask) {
		t.Errorf("printed: %s", printed)
	}
	if s := (URL{}).String(); s != "" {
		t.Errorf("the zero value is printed as %q", s)
	}
	if !u.HasPassword() {
		t.Error("the password is not seen")
	}
	for text, want := range map[string]bool{"postgres://u@h/d?sslmode=require": false, "postgres://u@h/d?sslpassword=x": true, "mysql://h/d?authToken=x": true} {
		if u, err := Parse(text); err != nil || u.HasPassword() != want {
			t.Errorf("%s has a password: %v (error %v), want %v", text, u.HasPassword(), err, want)
		}
	}
}

func TestRedact(t *testing.T) {
	u, err := Parse("postgres://u:p%40ss'w%22rd@db.example:5432/d?sslkey=client-key&sslmode=require")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"dial tcp db.example:5432: refused":                         "dial tcp db.example:5432: refused",
		`cannot parse "postgres://u:p%40ss'w%22rd@db.example:5432"`: `cannot parse "postgres://***@db.example:5432"`,
		"mysql://other:x@y@host/db":                                 "mysql://***@host/db",
		`user u, password p@ss'w"rd`:                                `user u, password ***`,
		`quoted "p@ss'w\"rd"`:                                       `quoted "***"`,
		`escaped p%40ss%27w%22rd`:                                   `escaped ***`,
		`sql 'p@ss''w"rd'`:                                          `sql '***'`,
		"key client-key was refused":                                "key *** was refused",
		"host=h password=abc dbname=d":                              "host=h password=*** dbname=d",
		"PASSWORD = 'a b\\'c' x":                                    "PASSWORD = *** x",
		"?sslpassword=abc&x=1&authToken=t;secret=s,pwd=q":           "?sslpassword=***&x=1&authToken=***;secret=***,pwd=***",
		"?api_token=abc":                                            "?api_token=***",
		"the password of u is wrong":                                "the password of u is wrong",
	}
	for in, want := range tests {
		if got := u.Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"postgres://u:hunter2@h/d", "sqlite:a.db", "mysql://u:p%zz@h", "x://[::1]:5/?a=b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := Parse(text)
		if err != nil {
			return
		}
		// Whatever a password is, it is not shown, unless it is also the name of something.
		if p := u.Password(); len(p) > 3 && !strings.Contains(u.User()+u.Host()+u.Database()+u.Scheme()+"://@/", p) && strings.Contains(u.Display(), p) {
			t.Errorf("Display of %q is %q", text, u.Display())
		}
		if p := u.Password(); len(p) > 3 && !strings.Contains(Mask, p) && strings.Contains(u.Redact("x "+p+" x"), p) {
			t.Errorf("Redact of the password of %q is %q", text, u.Redact("x "+p+" x"))
		}
	})
}
