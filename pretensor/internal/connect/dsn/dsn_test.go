package dsn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text     string
		want     DSN
		redacted string
		name     string
	}{
		{"postgresql://ann:s3cret@db.internal:5433/shop?sslmode=require",
			DSN{Dialect: PostgreSQL, Scheme: "postgresql", User: "ann", Password: "s3cret", Host: "db.internal", Port: "5433", Database: "shop", Query: url.Values{"sslmode": {"require"}}},
			"postgresql://ann:***@db.internal:5433/shop?sslmode=require", "shop"},
		{"  Postgres+psycopg2://ann:p%40ss%2Fw%23%3F%25%3Ard@h/s\n",
			DSN{Dialect: PostgreSQL, Scheme: "postgres+psycopg2", User: "ann", Password: "p@ss/w#?%:rd", Host: "h", Database: "s"},
			"postgres+psycopg2://ann:***@h/s", "s"},
		{"postgres://ann:a:b@c@h/s", DSN{Dialect: PostgreSQL, Scheme: "postgres", User: "ann", Password: "a:b@c", Host: "h", Database: "s"}, "postgres://ann:***@h/s", "s"},
		{"postgres://ann:a+b@h", DSN{Dialect: PostgreSQL, Scheme: "postgres", User: "ann", Password: "a+b", Host: "h"}, "postgres://ann:***@h", "default"},
		{"postgres://j%C3%BCrgen@h/caf%C3%A9", DSN{Dialect: PostgreSQL, Scheme: "postgres", User: "jürgen", Host: "h", Database: "café"}, "postgres://j%C3%BCrgen@h/caf%C3%A9", "café"},
		{"postgres://:pw@h/", DSN{Dialect: PostgreSQL, Scheme: "postgres", Password: "pw", Host: "h"}, "postgres://:***@h", "default"},
		{"postgresql://", DSN{Dialect: PostgreSQL, Scheme: "postgresql"}, "postgresql://", "default"},
		{"postgresql:///shop", DSN{Dialect: PostgreSQL, Scheme: "postgresql", Database: "shop"}, "postgresql:///shop", "shop"},
		{"postgresql://h/a%2Fb", DSN{Dialect: PostgreSQL, Scheme: "postgresql", Host: "h", Database: "a/b"}, "postgresql://h/a%2Fb", "a/b"},
		{"postgresql://u@[2001:db8::1]:5432/s", DSN{Dialect: PostgreSQL, Scheme: "postgresql", User: "u", Host: "2001:db8::1", Port: "5432", Database: "s"}, "postgresql://u@[2001:db8::1]:5432/s", "s"},
		{"postgresql://[fe80::1%25eth0]/s", DSN{Dialect: PostgreSQL, Scheme: "postgresql", Host: "fe80::1%eth0", Database: "s"}, "postgresql://[fe80::1%25eth0]/s", "s"},
		{"postgresql://u:p@%2Fvar%2Frun%2Fpostgresql/s", DSN{Dialect: PostgreSQL, Scheme: "postgresql", User: "u", Password: "p", Host: "/var/run/postgresql", Database: "s"}, "postgresql://u:***@%2Fvar%2Frun%2Fpostgresql/s", "s"},
		{"postgresql:///s?host=/tmp&port=5433&user=u&password=p", DSN{Dialect: PostgreSQL, Scheme: "postgresql", User: "u", Password: "p", Host: "/tmp", Port: "5433", Database: "s"}, "postgresql://u:***@%2Ftmp:5433/s", "s"},
		{"postgresql://x/s?host=::1&dbname=t", DSN{Dialect: PostgreSQL, Scheme: "postgresql", Host: "::1", Database: "t"}, "postgresql://[::1]/t", "t"},
		{"postgresql://u:p@a:5432,b:5433/s", DSN{Dialect: PostgreSQL, Scheme: "postgresql", User: "u", Password: "p", Host: "a:5432,b:5433", Database: "s"}, "postgresql://u:***@a:5432,b:5433/s", "s"},
		{"mysql+pymysql://root:pw@127.0.0.1:3306/shop?charset=utf8mb4",
			DSN{Dialect: MySQL, Scheme: "mysql+pymysql", User: "root", Password: "pw", Host: "127.0.0.1", Port: "3306", Database: "shop", Query: url.Values{"charset": {"utf8mb4"}}},
			"mysql+pymysql://root:***@127.0.0.1:3306/shop?charset=utf8mb4", "shop"},
		{"mysql://u@/s?unix_socket=/run/mysqld.sock", DSN{Dialect: MySQL, Scheme: "mysql", User: "u", Host: "/run/mysqld.sock", Database: "s"}, "mysql://u@%2Frun%2Fmysqld.sock/s", "s"},
		{"mariadb://u@h/s", DSN{Dialect: MariaDB, Scheme: "mariadb", User: "u", Host: "h", Database: "s"}, "mariadb://u@h/s", "s"},
		{"sqlite:///data/shop.db", DSN{Dialect: SQLite, Scheme: "sqlite", Path: "data/shop.db"}, "sqlite:///data/shop.db", "shop"},
		{"sqlite:////srv/my%20data/shop.v2.db?mode=ro", DSN{Dialect: SQLite, Scheme: "sqlite", Path: "/srv/my data/shop.v2.db", Query: url.Values{"mode": {"ro"}}}, "sqlite:////srv/my%20data/shop.v2.db?mode=ro", "shop.v2"},
		{"sqlite://shop.db", DSN{Dialect: SQLite, Scheme: "sqlite", Path: "shop.db"}, "sqlite:///shop.db", "shop"},
		{"sqlite:shop.db", DSN{Dialect: SQLite, Scheme: "sqlite", Path: "shop.db"}, "sqlite:///shop.db", "shop"},
		{"sqlite:///C:/data/shop.db", DSN{Dialect: SQLite, Scheme: "sqlite", Path: "C:/data/shop.db"}, "sqlite:///C:/data/shop.db", "shop"},
		{"sqlite:///100%.db", DSN{Dialect: SQLite, Scheme: "sqlite", Path: "100%.db"}, "sqlite:///100%25.db", "100%"},
		{"sqlite:///a@b#c", DSN{Dialect: SQLite, Scheme: "sqlite", Path: "a@b#c"}, "sqlite:///a@b%23c", "a@b#c"},
		{"duckdb:///lake.duckdb", DSN{Dialect: DuckDB, Scheme: "duckdb", Path: "lake.duckdb"}, "duckdb:///lake.duckdb", "lake"},
		{"data/Shop.SQLite3", DSN{Dialect: SQLite, Path: "data/Shop.SQLite3"}, "data/Shop.SQLite3", "Shop"},
		{`C:\data\shop.db`, DSN{Dialect: SQLite, Path: `C:\data\shop.db`}, `C:\data\shop.db`, "shop"},
		{"/lake 1.duckdb", DSN{Dialect: DuckDB, Path: "/lake 1.duckdb"}, "/lake 1.duckdb", "lake 1"},
		{"snowflake://me@corp.com:pw@acct.eu-1/DB/SALES?warehouse=W&role=R&private_key_passphrase=x",
			DSN{Dialect: Snowflake, Scheme: "snowflake", User: "me@corp.com", Password: "pw", Host: "acct.eu-1", Database: "DB", Schema: "SALES",
				Query: url.Values{"warehouse": {"W"}, "role": {"R"}, "private_key_passphrase": {"x"}}},
			"snowflake://me%40corp.com:***@acct.eu-1/DB/SALES?private_key_passphrase=***&role=R&warehouse=W", "DB"},
		{"bigquery://my-project/web?location=EU", DSN{Dialect: BigQuery, Scheme: "bigquery", Host: "my-project", Database: "web", Query: url.Values{"location": {"EU"}}},
			"bigquery://my-project/web?location=EU", "web"},
	}
	for _, tt := range tests {
		got, err := Parse(tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", tt.text, diff)
		}
		if r := got.Redacted(); r != tt.redacted {
			t.Errorf("Parse(%q).Redacted() = %q, want %q", tt.text, r, tt.redacted)
		}
		if n := got.DefaultName(); n != tt.name {
			t.Errorf("Parse(%q).DefaultName() = %q, want %q", tt.text, n, tt.name)
		}
		again, err := Parse(got.String())
		if err != nil {
			t.Errorf("Parse(%q): %v", got.String(), err)
		} else if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("Parse(%q) after String (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestParse_Refused(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "no data source name"},
		{" \n", "no data source name"},
		{"shop", "no scheme"},
		{"ann:hunter2@db/shop", "no scheme"},
		{"ann:hunter2@db/shop.db", "no scheme"},
		{"/hunter2://x.db", "no scheme"},
		{"oracle://ann:hunter2@db/shop", `the scheme "oracle"`},
		{"hunter2 x://ann@db/shop.db", "no scheme"},
		{"postgres://ann:hunter2%zz@db/shop", "not correctly percent-encoded"},
		{"postgres://ann:hunter2%00@db/shop", "not correctly percent-encoded"},
		{"postgres://ann:hunter2%FF@db/shop", "not correctly percent-encoded"},
		{"postgres://ann:hunter2/x@db/shop", "@ or # after its host"},
		{"postgres://ann:5432/hunter2@db/shop", "@ or # after its host"},
		{"postgres://ann:5432?hunter2@db/shop", "@ or # after its host"},
		{"postgres://ann:hunter2#x@db/shop", "@ or # after its host"},
		{"postgres://ann:p@hunter2?a=b@db/shop", "@ or # after its host"},
		{"postgres://ann:hunter2", "port"},
		{"postgres://ann@db:hunter2/shop", "port"},
		{"postgres://db:0/shop", "port"},
		{"postgres://db:65536/shop", "port"},
		{"postgres://db:-1/shop", "port"},
		{"postgres://::1/shop", "port"},
		{"postgres://[::1/hunter2", "host"},
		{"postgres://[hunter2]/shop", "host"},
		{"postgres://[::1]hunter2/shop", "host"},
		{"postgres://db hunter2/shop", "host"},
		{"postgres://db/hunter2/x", "too many parts"},
		{"mysql://a,b/hunter2", "host"},
		{"postgres://db/shop?a=%zz&password=hunter2", "parameters"},
		{"postgres://db/shop?=hunter2", "parameters"},
		{"postgres://db/sh\x00op", "control characters"},
		{"postgres://ann:hunter2\n@db/shop", "control characters"},
		{"postgres://db/\xff", "control characters"},
		{"sqlite://", "no path"},
		{"sqlite:///", "no path"},
		{"sqlite:///:memory:", "no path"},
		{"duckdb:///?hunter2=x", "no path"},
		{"sqlite:///a%00b", "null character"},
		{"postgres://u:" + strings.Repeat("hunter2", 1000) + "@db/shop", "longer than"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.text)
		var e *connect.Error
		if !errors.As(err, &e) {
			t.Errorf("Parse(%q) = %v, want a connect.Error", tt.text, err)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q) = %q, want %q in it", tt.text, err, tt.want)
		}
		if strings.Contains(fmt.Sprintf("%+v", e), "hunter2") {
			t.Errorf("Parse(%q) = %q repeats the secret", tt.text, err)
		}
		category := connect.BadDSN
		if strings.TrimSpace(tt.text) == "" {
			category = connect.NoDSN
		}
		if e.Category != category {
			t.Errorf("Parse(%q): category %s, want %s", tt.text, e.Category, category)
		}
	}
}

func TestRedacted_SecretParameters(t *testing.T) {
	for _, key := range []string{"password", "sslpassword", "PWD", "token", "motherduck_token", "access_token", "private_key_passphrase", "api-key", "client_secret", "passcode", "pass"} {
		d, err := Parse("snowflake://u@acct/db?warehouse=wide&" + key + "=hunter%202")
		if err != nil {
			t.Fatal(err)
		}
		if r := d.Redacted(); strings.Contains(r, "hunter") || !strings.Contains(r, key+"=***") || !strings.Contains(r, "warehouse=wide") {
			t.Errorf("Redacted with %s = %q", key, r)
		}
		if got := Redact("value hunter 2, hunter+2, hunter%202", d); got != "value ***, ***, ***" {
			t.Errorf("Redact with %s = %q", key, got)
		}
		if !strings.Contains(d.String(), "hunter%202") {
			t.Errorf("String with %s lost the value: %q", key, d.String())
		}
	}
	d, err := Parse("duckdb:///x.duckdb?attach=postgres%3A%2F%2Fu%3Ahunter2%40h%2Fd")
	if err != nil {
		t.Fatal(err)
	}
	if r := d.Redacted(); strings.Contains(r, "hunter2") {
		t.Errorf("Redacted = %q", r)
	}
	if r := Redact("connecting with hunter2", d); strings.Contains(r, "hunter2") {
		t.Errorf("Redact = %q", r)
	}
}

func TestRedact(t *testing.T) {
	const password = `p@ss w"o'r\d/ü`
	d := DSN{Dialect: PostgreSQL, Scheme: "postgres", User: "u", Password: password, Host: "h"}
	quoted, _ := json.Marshal(password)
	for _, form := range []string{
		password, url.QueryEscape(password), url.PathEscape(password), strings.ToLower(url.QueryEscape(password)), escape(password, ""),
		fmt.Sprintf("%q", password), string(quoted), d.String(),
		strings.ReplaceAll(password, "'", "''"), `p%40ss w"o'r\d/%c3%bc`,
	} {
		got := Redact("before "+form+" after", d)
		if strings.Contains(got, "ss") || !strings.Contains(got, Mask) || !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
			t.Errorf("Redact(%q) = %q", form, got)
		}
	}
	if got := Redact("nothing here", d); got != "nothing here" {
		t.Errorf("Redact of other text = %q", got)
	}
	if got := Redact("p@ss", DSN{}); got != "p@ss" {
		t.Errorf("Redact without secrets = %q", got)
	}
	if got := Redact("%2525 x", DSN{Password: "%25"}); got != "*** x" {
		t.Errorf("Redact of a secret with percent signs = %q", got)
	}
}

// A password that is a short word is masked wherever it stands by itself, and does
// not leave gaps in other words.
func TestRedact_ShortWords(t *testing.T) {
	for _, c := range [][3]string{
		{"x", "schema does not exist", "schema does not exist"},
		{"x", "postgres://u:x@h, password=x&y, \"x\", 'x', x", "postgres://u:***@h, password=***&y, \"***\", '***', ***"},
		{"pass", "password authentication failed for pass", "password authentication failed for ***"},
		{"postgres", "postgresql said: postgres", "postgresql said: ***"},
		{"p", "user%3Ap%40h %70 a\\np", "user%3A***%40h *** a\\n***"},
		{"é1", "é1 é1é xé1", "*** é1é xé1"},
		{"longpassword", "itslongpasswordhere", "its***here"},
		{"a-b", "xa-bx", "x***x"},
	} {
		if got := Redact(c[1], DSN{Password: c[0]}); got != c[2] {
			t.Errorf("Redact(%q) of %q = %q, want %q", c[1], c[0], got, c[2])
		}
	}
}

func TestLogValue(t *testing.T) {
	var b bytes.Buffer
	slog.New(slog.NewTextHandler(&b, nil)).Info("open", "dsn", DSN{Dialect: MySQL, User: "u", Password: "hunter2", Host: "h"})
	if strings.Contains(b.String(), "hunter2") || !strings.Contains(b.String(), "mysql://u:***@h") {
		t.Errorf("log line %q", b.String())
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	abs := filepath.Join(dir, "abs.db")
	if err := os.WriteFile(abs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"sqlite:///abs.db":         "abs.db",
		"sqlite://" + abs:          abs, // three slashes in a row, meant absolute
		"sqlite:///" + abs:         abs,
		"sqlite:///none.db":        "none.db",
		"./abs.db":                 "./abs.db",
		strings.TrimLeft(abs, "/"): strings.TrimLeft(abs, "/"), // a bare path is what it says
	} {
		d, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.File(); got != want {
			t.Errorf("Parse(%q).File() = %q, want %q", text, got, want)
		}
	}
}

// Every name that can be built from parts is read back equal, and its redacted
// form does not depend on the password.
func TestString_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`[ -~äß€]{0,12}`)
		d := DSN{
			Dialect: PostgreSQL, Scheme: "postgresql", User: part.Draw(t, "user"), Password: part.Draw(t, "password"),
			Host:     rapid.SampledFrom([]string{"", "db", "10.0.0.1", "::1", "/run/a b", "münchen.example"}).Draw(t, "host"),
			Port:     rapid.SampledFrom([]string{"", "1", "65535"}).Draw(t, "port"),
			Database: part.Draw(t, "database"),
		}
		if v := part.Draw(t, "value"); v != "" {
			d.Query = url.Values{"sslkey" + part.Draw(t, "key"): {v, v + "2"}}
		}
		got, err := Parse(d.String())
		if err != nil {
			t.Fatalf("Parse(%q): %v", d, err)
		}
		if diff := cmp.Diff(d, got); diff != "" {
			t.Fatalf("Parse(%q) (-want +got):\n%s", d, diff)
		}
		if d.Password != "" {
			other := d
			other.Password = "another"
			if d.Redacted() != other.Redacted() {
				t.Fatalf("Redacted depends on the password: %q, %q", d.Redacted(), other.Redacted())
			}
			if text := Redact(d.String(), d); text != strings.ReplaceAll(text, d.Password, "") && len(d.Password) > 3 {
				t.Fatalf("Redact(%q) = %q still holds %q", d, text, d.Password)
			}
		}
	})
}

// A password may be anything, encoded or not: it never gets into an error, the
// redacted form, the host, the user or the database.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"hunter2", "a@b/c", "x?y", "5432/x", "a#b", "%41", "%", "[", "]", ",", "://", "a:b", "\x00", "\xff", "x@y?z=1", "/", "é", "***"} {
		f.Add(s)
	}
	templates := []string{"postgres://user:%s@host/db", "mysql://user:%s@host:3306/db?charset=x", "snowflake://user:%s@acct/db/s", "user:%s@host/x.db", "%s"}
	f.Fuzz(func(t *testing.T, s string) {
		for i, template := range templates {
			text := fmt.Sprintf(template, s)
			d, err := Parse(text)
			if err != nil {
				// The message is one that an innocent text gets as well.
				if message := err.Error(); len(s) > 4 && strings.Contains(message, s) && !strings.Contains(allMessages, s) && i < 4 {
					t.Errorf("Parse(%q) = %q repeats the secret", text, message)
				}
				continue
			}
			again, err := Parse(d.String())
			if err != nil || !cmp.Equal(d, again) {
				t.Errorf("Parse(%q) = %#v, read back as %#v, %v", text, d, again, err)
			}
			redacted, name := d.Redacted(), d.DefaultName()
			if i < 3 && (d.User != "user" || d.Host != "host" && d.Host != "acct" || d.Database != "db" || name != "db") {
				t.Errorf("Parse(%q): the secret got into %q", text, redacted)
			}
			if d.Password != "" {
				other := d
				other.Password = "another"
				if other.Redacted() != redacted {
					t.Errorf("Redacted depends on the password: %q", redacted)
				}
				Redact(text, d)
			}
		}
	})
}

// allMessages are all texts of errors, for the fuzz target.
var allMessages = func() string {
	var b strings.Builder
	for _, text := range []string{"", "shop", "oracle://x", "postgres://%zz@x", "postgres://x/@", "postgres://x:y", "postgres://[/", "postgres://x/y/z", "postgres://x/%zz",
		"postgres://x?%zz", "\x00", "sqlite://", "sqlite:///%00", strings.Repeat("x", 5000)} {
		_, err := Parse(text)
		b.WriteString(err.Error())
	}
	return b.String()
}()
