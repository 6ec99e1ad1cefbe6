package cli

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql" // the driver mysql
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	_ "modernc.org/sqlite" // the driver sqlite
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// mariadbURL is the URL of a new database of MariaDB.
func mariadbURL(t *testing.T) string {
	t.Helper()
	user, rest, _ := strings.Cut(dbtest.MariaDB(t), "@tcp(")
	host, name, _ := strings.Cut(rest, ")/")
	return "mariadb://" + user + "@" + host + "/" + name
}

// fill puts a table into a database.
func fill(t *testing.T, driver, dsn string) {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE precious (id INT)"); err != nil {
		t.Fatal(err)
	}
}

func arguments(line, url string) []string {
	return strings.Fields(strings.ReplaceAll(line, "URL", url))
}

func TestSchemaInspect(t *testing.T) {
	files := map[string]string{
		"s.yaml":  "tables:\n  t:\n    columns:\n      id: { type: BIGSERIAL, primary: true }\n      n: { type: \"VARCHAR(20)\", default: x, check: \"n <> ''\" }\n",
		"r.sql":   "CREATE ROLE someone;\nCREATE TABLE t (id int PRIMARY KEY, n varchar(5) CHECK (n > ''));\nCREATE AGGREGATE total(int) (SFUNC = int4pl, STYPE = int);\n",
		"f.sql":   "CREATE EXTENSION not_installed;\n", // which only the server knows
		"bad.sql": "CREATE TABLE t (id int PRIMARY KEY, a int REFERENCES missing);\n",
	}
	url := dbtest.Postgres(t)
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"--dialect postgres --schema-file s.yaml --dev-url URL", 0, `DEFAULT 'x'::character varying`, ""},
		{"--dialect postgres --schema-file s.yaml --dev-url URL", 0, `CONSTRAINT "t_n_check" CHECK ((n)::text <> ''::text)`, ""},
		{"--dialect postgres --schema-file r.sql --dev-url URL", 0, `CREATE TABLE "public"."t"`, "role \"someone\" belongs to the server"},
		{"--dialect postgres --schema-file r.sql --dev-url URL", 0, "CREATE", "aggregate public.total(integer)"},
		{"--dialect postgres --schema-file bad.sql --dev-url URL", 1, "", "FK003"},
		{"--dialect postgres --schema-file f.sql --dev-url URL", 1, "", `statement 1, "CREATE EXTENSION `},
		{"--dialect postgres --schema-file s.yaml", 2, "", "--dev-url is missing"},
		{"--dialect postgres --schema-file s.yaml --dev-url nonsense", 2, "", "--dev-url: "},
		{"--dialect mysql --schema-file s.yaml --dev-url URL", 2, "", "is not that of mysql"},
		{"--dialect postgres --schema-file s.yaml --dev-url postgres://u:hidden@127.0.0.1:1/x", 3, "", "cannot be reached"},
		{"--dialect postgres --schema-file s.yaml --url URL", 2, "", "--url prints what a database holds"},
		{"--dialect db2 --url URL", 2, "", "unknown dialect"},
	} {
		code, stdout, stderr := run(t, files, nil, append([]string{"schema", "inspect"}, arguments(c.args, url)...)...)
		if code != c.code || !has(stdout, c.stdout) || !has(stderr, c.stderr) {
			t.Errorf("%s: exit %d, want %d\nstdout: %s\nstderr: %s", c.args, code, c.code, stdout, stderr)
		}
		if strings.Contains(stdout+stderr, "hidden") {
			t.Errorf("%s: the password is shown: %s", c.args, stderr)
		}
	}
	// The work left nothing behind, and a database that holds something is left alone.
	code, stdout, stderr := run(t, files, map[string]string{devURL: url}, "schema", "inspect", "--dialect", "postgres", "--schema-file", "s.yaml")
	if code != 0 || !strings.Contains(stdout, "CREATE TABLE") {
		t.Errorf("with the environment: exit %d, %s", code, stderr)
	}
}

func TestScratch_NotEmpty(t *testing.T) {
	files := map[string]string{"s.yaml": "tables:\n  t:\n    columns:\n      id: { type: BIGINT, primary: true }\n"}
	for _, d := range []string{"mariadb", "sqlite"} {
		driver, dsn := "sqlite", filepath.Join(t.TempDir(), "x.db")
		url := "sqlite://" + dsn
		if d == "mariadb" {
			url, driver = mariadbURL(t), "mysql"
			_, host, _ := strings.Cut(url, "@")
			host, name, _ := strings.Cut(host, "/")
			dsn = "root@tcp(" + host + ")/" + name
		}
		fill(t, driver, dsn)
		args := []string{"schema", "inspect", "--dialect", d, "--schema-file", "s.yaml", "--dev-url", url}
		if code, stdout, stderr := run(t, files, nil, args...); code != 2 || stdout != "" || !strings.Contains(stderr, `is not empty: it holds "precious"; --reset drops`) {
			t.Errorf("%s: exit %d, %q, %q", d, code, stdout, stderr)
		}
		if code, stdout, stderr := run(t, files, nil, append(args, "--reset")...); code != 0 || !strings.Contains(stdout, "CREATE TABLE") {
			t.Errorf("%s: exit %d, %q, %q", d, code, stdout, stderr)
		}
		if code, _, stderr := run(t, files, nil, args...); code != 0 {
			t.Errorf("%s: something was left behind: exit %d, %q", d, code, stderr)
		}
	}
}

func TestSchemaInspect_Live(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	fill(t, "sqlite", path)
	code, stdout, stderr := run(t, nil, nil, "schema", "inspect", "--dialect", "sqlite", "--url", "sqlite://"+path)
	if code != 0 || stdout != "CREATE TABLE \"precious\" (\n  \"id\" INT\n);\n" || stderr != "" {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	if code, stdout, stderr = run(t, nil, nil, "schema", "inspect", "--dialect", "sqlite", "--url", "sqlite://"+path+".none"); code != 3 || stdout != "" {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
}

func TestSchemaDiff(t *testing.T) {
	files := map[string]string{
		"a.sql":  "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);\n",
		"b.sql":  "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);\nALTER TABLE t ADD COLUMN m INT;\nCREATE INDEX i ON t (m);\n",
		"c.sql":  "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT);\n",
		"m/m.go": "package m\n\n//ptah:schema:table name=\"g\"\ntype G struct {\n\t//ptah:schema:field name=\"id\" type=\"BIGINT\" primary\n\tID int64\n}\n",
	}
	live := filepath.Join(t.TempDir(), "live.db")
	fill(t, "sqlite", live)
	url := "sqlite://" + filepath.Join(t.TempDir(), "scratch.db")
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"--dialect sqlite --from a.sql --to a.sql --dev-url URL", 0, "", ""},
		{"--dialect sqlite --from a.sql --to b.sql --dev-url URL", 0, "ALTER TABLE \"t\" ADD COLUMN \"m\" INT;\nCREATE INDEX \"i\" ON \"t\" (\"m\");\n", ""},
		{"--dialect sqlite --from b.sql --to a.sql --dev-url URL", 0, "DROP INDEX \"i\";\nALTER TABLE \"t\" DROP COLUMN \"m\";\n", ""},
		{"--dialect sqlite --from a.sql --to c.sql --dev-url URL", 1, "", `table "t" has another column "n"`},
		{"--dialect sqlite --from a.sql --to a.sql --to m --dev-url URL", 0, `CREATE TABLE "g"`, ""},
		{"--dialect sqlite --from sqlite://" + live + " --to a.sql --dev-url URL", 0, `DROP TABLE "precious"`, ""},
		{"--dialect sqlite --from a.sql --to sqlite://" + live + " --dev-url URL", 0, `CREATE TABLE "precious"`, ""},
		{"--dialect sqlite --from a.sql --to none.sql --dev-url URL", 1, "", "none.sql"},
		{"--dialect sqlite --from a.sql --dev-url URL", 2, "", "--to is missing"},
		{"--dialect sqlite --from a.sql --to b.sql", 2, "", "--dev-url is missing"},
		{"--from a.sql --to b.sql --dev-url URL", 2, "", "--dialect is missing"},
		{"--dialect oracle --from a.sql --to b.sql --dev-url URL", 2, "", "oracle"},
		{"--dialect sqlite --from a.sql --from sqlite://x.db --to b.sql --dev-url URL", 2, "", "give it alone"},
		{"--dialect sqlite --from a.sql --to b.sql --dev-url URL x", 2, "", "takes no argument"},
	} {
		code, stdout, stderr := run(t, files, nil, append([]string{"schema", "diff"}, arguments(c.args, url)...)...)
		if code != c.code || !has(stdout, c.stdout) || !has(stderr, c.stderr) {
			t.Errorf("%s: exit %d, want %d\nstdout: %s\nstderr: %s", c.args, code, c.code, stdout, stderr)
		}
	}
	if _, err := os.Stat(strings.TrimPrefix(url, "sqlite://")); err == nil {
		t.Error("the scratch database that was made is left behind")
	}
}

func TestSchemaDiff_Servers(t *testing.T) {
	a := "CREATE TABLE t (id INT PRIMARY KEY, n VARCHAR(10));\n"
	b := "CREATE TABLE t (id BIGINT PRIMARY KEY, n VARCHAR(10) NOT NULL);\nCREATE VIEW v AS SELECT n FROM t;\n"
	for d, url := range map[string]string{"postgres": dbtest.Postgres(t), "mariadb": mariadbURL(t)} {
		code, stdout, stderr := run(t, map[string]string{"a.sql": a, "b.sql": b}, nil, "schema", "diff", "--dialect", d, "--from", "a.sql", "--to", "b.sql", "--dev-url", url)
		if code != 0 || !strings.Contains(stdout, "ALTER TABLE") || !strings.Contains(stdout, "VIEW") || stderr != "" {
			t.Errorf("%s: exit %d\n%s\n%s", d, code, stdout, stderr)
		}
	}
}

func TestMigrationsLint(t *testing.T) {
	const up, down = "CREATE TABLE t (id int PRIMARY KEY);\n", "DROP TABLE t;\n"
	for _, c := range []struct {
		name   string
		files  map[string]string
		code   int
		stdout string
	}{
		{"fine", map[string]string{"1_a.up.sql": up, "1_a.down.sql": down, "2_b.up.sql": "BEGIN;\nALTER TABLE t ADD COLUMN n int;\nCOMMIT;\n", "2_b.down.sql": "ALTER TABLE t DROP COLUMN n;\n"}, 0, "4 files lead up and down again\n"},
		{"refused", map[string]string{"1_a.up.sql": up, "1_a.down.sql": down, "2_b.up.sql": "SELECT 1;\n\n-- why\nALTER TABLE other\n ADD COLUMN n int;\n", "2_b.down.sql": "SELECT 1;\n"}, 1, "2_b.up.sql:4: error: \"ALTER TABLE other\": relation \"other\" does not exist (SQLSTATE 42P01) (RUN001)\n"},
		{"refused in a transaction", map[string]string{"1_a.up.sql": "BEGIN;\nSELECT 1/0;\nCOMMIT;\n", "1_a.down.sql": "SELECT 1;\n"}, 1, "1_a.up.sql:2: error: \"SELECT 1/0\": division by zero"},
		{"not back", map[string]string{"1_a.up.sql": up + "CREATE SEQUENCE s;\n", "1_a.down.sql": down}, 0, "1_a.down.sql: warning: the structure is not what it was before 1_a.up.sql: it would take DROP SEQUENCE \"public\".\"s\"; (RUN002)\n"},
		{"way down refused", map[string]string{"1_a.up.sql": up, "1_a.down.sql": "DROP TABLE u;\n"}, 1, "1_a.down.sql:1: error: "},
		{"no way down", map[string]string{"1_a.up.sql": up}, 0, "MIG003"},
		{"no SQL", map[string]string{"1_a.up.sql": "CREATE TABL t;\n", "1_a.down.sql": ""}, 1, "SQL001"},
		{"checksum", map[string]string{"1_a.up.sql": up, "1_a.down.sql": down, "ptah.sum": "h1:x\n"}, 1, "MIG004"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{}
			for name, text := range c.files {
				files["migrations/"+name] = text
			}
			code, stdout, stderr := run(t, files, nil, "migrations", "lint", "--dialect", "postgres", "--dev-url", dbtest.Postgres(t))
			if code != c.code || !strings.Contains(stdout, c.stdout) || stderr != "" {
				t.Errorf("exit %d, want %d\nstdout: %s\nstderr: %s", code, c.code, stdout, stderr)
			}
		})
	}
	for _, c := range []struct {
		d, url string
		files  map[string]string
	}{
		{"sqlite", "sqlite://" + filepath.Join(t.TempDir(), "x.db"), map[string]string{"m/1_a.up.sql": up + "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END;\n", "m/1_a.down.sql": down}},
		{"mariadb", mariadbURL(t), map[string]string{"m/1_a.up.sql": up + "DELIMITER $$\nCREATE PROCEDURE p() BEGIN SET @a = 1; SET @b = ';'; END$$\nDELIMITER ;\n", "m/1_a.down.sql": "DROP PROCEDURE p;\n" + down}},
	} {
		if code, stdout, stderr := run(t, c.files, nil, "migrations", "lint", "--dir", "m", "--dialect", c.d, "--dev-url", c.url); code != 0 || stdout != "2 files lead up and down again\n" {
			t.Errorf("%s: exit %d\n%s\n%s", c.d, code, stdout, stderr)
		}
	}
	if code, _, stderr := run(t, map[string]string{"m/1_a.up.sql": up}, nil, "migrations", "lint", "--dir", "m", "--dialect", "postgres"); code != 2 || !strings.Contains(stderr, "--dev-url is missing") {
		t.Errorf("without a database: exit %d, %q", code, stderr)
	}
}
