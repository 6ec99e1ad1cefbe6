package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder keeps every statement that reaches the driver behind it, but for the
// PRAGMAs that the driver itself sends at the start.
type recorder struct {
	driver.Connector
	mu         sync.Mutex
	statements []string
}

func (r *recorder) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := r.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return recorded{c, r}, nil
}

func (r *recorder) record(query string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements = append(r.statements, query)
}

type recorded struct {
	driver.Conn
	r *recorder
}

func (c recorded) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	c.r.record(query)
	return c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
}

func (c recorded) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.r.record(query)
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

func (c recorded) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.r.record(query)
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
}

func (c recorded) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	c.r.record("BEGIN")
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
}

// file makes a database of a script and returns its path.
func file(tb testing.TB, script string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "shop.v2.db")
	change(tb, path, script)
	return path
}

func change(tb testing.TB, path, script string) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		tb.Fatal(err)
	}
}

func introspect(tb testing.TB, path string, o connect.Options) (*model.Database, *recorder) {
	tb.Helper()
	r := &recorder{}
	c, err := open(tb.Context(), path, func(base driver.Connector) driver.Connector {
		r.Connector = base
		return r
	})
	if err != nil {
		tb.Fatal(err)
	}
	defer c.Close()
	db, err := c.Introspect(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return db, r
}

// sent are the statements of the driver at the start of a connection: three.
const sentAtStart = 3

var readOnly = regexp.MustCompile(`(?i)^\s*(SELECT|PRAGMA)\s`)

func (r *recorder) check(tb testing.TB) {
	tb.Helper()
	if n := len(r.statements) + sentAtStart; n > connect.MaxCatalogQueries {
		tb.Errorf("%d statements, want at most %d", n, connect.MaxCatalogQueries)
	}
	for _, s := range r.statements {
		if !readOnly.MatchString(s) {
			tb.Errorf("statement %q does not only read", s)
		}
	}
}

func read(tb testing.TB, name string) string {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

func ptr(n int64) *int64 { return &n }

func TestOpen_Errors(t *testing.T) {
	dir := t.TempDir()
	path := func(name, content string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	damaged, err := os.ReadFile("testdata/chinook.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path string
		category   connect.Category
		words      string
	}{
		{"no file given", "", connect.BadDSN, "has no file"},
		{"missing", filepath.Join(dir, "none.db"), connect.Unavailable, `"none.db" does not exist`},
		{"missing in a missing folder", filepath.Join(dir, "a/b/none.db"), connect.Unavailable, `"none.db" does not exist`},
		{"NUL", dir + "/a\x00b.db", connect.BadDSN, "has no file"},
		{"folder", dir, connect.BadDSN, "is not a file"},
		{"text", path("notes.db", strings.Repeat("nothing of a database\n", 500)), connect.BadDSN, "is not a SQLite database, or it is encrypted"},
		{"random bytes, as if encrypted", path("enc.db", strings.Repeat("\x8f\x02\xc1\x77\x00\xfe", 2000)), connect.BadDSN, "encrypted"},
		{"header alone", path("head.db", "SQLite format 3\x00"), connect.BadDSN, "is not a SQLite database"},
		{"damaged schema", path("damaged.db", string(damaged[:100])+strings.Repeat("\xee", 8092)), connect.Unavailable, "is damaged"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := Open(t.Context(), dsn.DSN{Dialect: dsn.SQLite, Path: test.path})
			if err == nil {
				_, err = c.Introspect(t.Context(), connect.Options{})
				c.Close()
			}
			connecttest.WantError(t, err, test.category, test.words)
			if strings.Contains(err.Error(), dir+"/") {
				t.Errorf("error %q tells where the file is", err)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "none.db")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the missing file was created")
	}
}

func TestOpen_NoPermission(t *testing.T) {
	path := file(t, "CREATE TABLE a (b)")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 { // reads every file
		if err := os.Chmod(filepath.Dir(filepath.Dir(path)), 0o711); err != nil {
			t.Fatal(err)
		}
		dropRights(t)
	}
	_, err := Open(t.Context(), dsn.DSN{Path: path})
	connecttest.WantError(t, err, connect.PermissionDenied, "may not be read")
}

// Names that mean something in a URI name the same file, and no parameter of a
// path gets to the engine.
func TestOpen_PathIsNoURI(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "50%.db", "a#b.db", "x?mode=rwc&_query_only=0.db", "%41.db", "ünïcode.db", "file:x.db"} {
		path := filepath.Join(dir, name)
		plain := file(t, "CREATE TABLE t (c)")
		if err := os.Rename(plain, path); err != nil {
			t.Fatal(err)
		}
		db, _ := introspect(t, path, connect.Options{})
		if got := connecttest.Names(db); !cmp.Equal(got, []string{"t"}) {
			t.Errorf("tables of %q = %v", name, got)
		}
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "*")); len(list) != 7 {
		t.Errorf("files afterwards: %v", list)
	}
}

func TestOpen_RelativePath(t *testing.T) {
	t.Chdir("testdata")
	db, _ := introspect(t, "chinook.sqlite", connect.Options{Stats: connect.StatsNone})
	if len(db.Tables) != 11 {
		t.Errorf("%d tables, want 11", len(db.Tables))
	}
}

func TestIntrospect_Locked(t *testing.T) {
	path := file(t, "CREATE TABLE a (b)")
	c, err := open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	writer, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	writer.SetMaxOpenConns(1)
	if _, err := writer.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	_, err = c.Introspect(t.Context(), connect.Options{})
	connecttest.WantError(t, err, connect.Unavailable, "locked by another process")
	_, err = open(t.Context(), path, nil)
	connecttest.WantError(t, err, connect.Unavailable, "locked by another process")
	if _, err := writer.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Introspect(t.Context(), connect.Options{}); err != nil {
		t.Errorf("after the lock: %v", err)
	}
}

func TestSession_ReadsOnly(t *testing.T) {
	path := file(t, "CREATE TABLE a (b)")
	c, err := open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, s := range []string{"INSERT INTO a VALUES (1)", "CREATE TABLE x (y)", "DROP TABLE a", "PRAGMA user_version = 7", "VACUUM",
		"PRAGMA query_only = 0; INSERT INTO a VALUES (1)"} {
		if _, err := c.db.ExecContext(t.Context(), s); err == nil {
			var version int
			if c.db.QueryRow("PRAGMA user_version").Scan(&version) != nil || version != 0 {
				t.Errorf("%s was carried out", s)
			}
		}
	}
	db, _ := introspect(t, path, connect.Options{})
	if got := connecttest.Table(t, db, "", "a").Rows; *got != 0 || len(db.Tables) != 1 {
		t.Errorf("the file was changed: %d rows, tables %v", *got, connecttest.Names(db))
	}
}

func TestIntrospect_Cancelled(t *testing.T) {
	c, err := open(t.Context(), "testdata/chinook.sqlite", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Introspect(ctx, connect.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want that of the context", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err = c.Introspect(ctx, connect.Options{})
	connecttest.WantError(t, err, connect.Timeout, "took too long")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v does not wrap that of the context", err)
	}
	if err := c.Ping(t.Context()); err != nil {
		t.Errorf("the connection is of no use afterwards: %v", err)
	}
}

func TestIntrospect_Schemas(t *testing.T) {
	path := file(t, "CREATE TABLE a (b)")
	c, err := open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Introspect(t.Context(), connect.Options{Schemas: []string{"public"}})
	connecttest.WantError(t, err, connect.BadDSN, `has no schema "public"; its only schema is "main"`)
	for n, o := range []connect.Options{{ExcludeSchemas: []string{"main"}}, {Schemas: []string{"MAIN"}}} {
		db, err := c.Introspect(t.Context(), o)
		if err != nil || len(db.Tables) != n {
			t.Errorf("%+v: %d tables, error %v; want %d", o, len(db.Tables), err, n)
		}
	}
}

// The file of an application that is writing in WAL mode can be read beside it.
func TestIntrospect_WAL(t *testing.T) {
	path := file(t, "PRAGMA journal_mode = wal; CREATE TABLE a (b)")
	writer, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	writer.SetMaxOpenConns(1)
	if _, err := writer.Exec("CREATE TABLE c (d); BEGIN IMMEDIATE; CREATE TABLE e (f)"); err != nil {
		t.Fatal(err)
	}
	db, _ := introspect(t, path, connect.Options{})
	if got := connecttest.Names(db); !cmp.Equal(got, []string{"a", "c"}) {
		t.Errorf("tables = %v, want those that are committed", got)
	}
	if _, err := writer.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
}

func TestIntrospect_Conformance(t *testing.T) {
	db, r := introspect(t, file(t, read(t, "conformance.sql")), connect.Options{})
	r.check(t)
	want := conformance()
	if db.Version == "" {
		t.Error("no version")
	}
	wide := connecttest.Table(t, db, "", "wide")
	if len(wide.Columns) != 1000 || wide.Columns[999].Name != "c1000" || wide.Columns[999].Ordinal != 1000 {
		t.Errorf("the table of 1,000 columns has %d", len(wide.Columns))
	}
	wide.Columns = nil
	for i := range db.Tables {
		if tab := &db.Tables[i]; tab.IsView() {
			if len(tab.DefinitionHash) != 64 {
				t.Errorf("definition hash of %s: %q", tab.Name, tab.DefinitionHash)
			}
			tab.DefinitionHash = ""
		}
	}
	if diff := cmp.Diff(want, db, cmpopts.IgnoreFields(model.Database{}, "Version"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
	again, _ := introspect(t, file(t, read(t, "conformance.sql")), connect.Options{})
	first, _ := introspect(t, file(t, read(t, "conformance.sql")), connect.Options{})
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("two introspections differ:\n%s", diff)
	}
}

func TestIntrospect_Chinook(t *testing.T) {
	db, r := introspect(t, "testdata/chinook.sqlite", connect.Options{})
	r.check(t)
	var columns, keys, indexes int
	rows := map[string]int64{}
	for _, tab := range db.Tables {
		columns += len(tab.Columns)
		keys += len(tab.ForeignKeys)
		indexes += len(tab.Indexes)
		rows[tab.Name] = *tab.Rows
	}
	if got := []int{len(db.Tables), columns, keys}; !cmp.Equal(got, []int{11, 64, 11}) {
		t.Errorf("tables, columns, keys = %v", got)
	}
	want := map[string]int64{"Album": 347, "Artist": 275, "Customer": 59, "Employee": 8, "Genre": 25, "Invoice": 412, "InvoiceLine": 2240,
		"MediaType": 5, "Playlist": 18, "PlaylistTrack": 8715, "Track": 3503}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	pt := connecttest.Table(t, db, "", "PlaylistTrack")
	if diff := cmp.Diff(&model.Key{Name: "PK_PlaylistTrack", Columns: []string{"PlaylistId", "TrackId"}}, pt.PrimaryKey); diff != "" {
		t.Errorf("primary key (-want +got):\n%s", diff)
	}
	if len(db.Warnings) > 0 {
		t.Errorf("warnings: %q", db.Warnings)
	}
}

func TestIntrospect_Comments(t *testing.T) {
	db, _ := introspect(t, file(t, `CREATE TABLE t ( -- who buys from us
	-- (since 2019)
	id INTEGER PRIMARY KEY, -- surrogate key
	-- ---------- contact ----------
	name TEXT DEFAULT '-- no comment', -- as on the invoice -- not the nickname
	"a--b" TEXT, /* block -- not this */
	lat REAL, lon REAL, -- degrees
	state TEXT
		CHECK (state IN ('on', -- switched on
			'off')), -- life cycle
	first TEXT -- before a comma
	, second TEXT -- after one
	-- own line behind the last
	, UNIQUE (name) -- of the constraint
	, CONSTRAINT positive CHECK (id > 0) -- last
);
CREATE VIEW v AS -- the active ones
	SELECT id -- the key
	FROM t;
CREATE TABLE crlf (`+"\r\n  a INT, -- first\r\n  b INT -- second\r\n"+`);
CREATE TABLE bare (a);
ALTER TABLE crlf ADD COLUMN c TEXT;
`), connect.Options{Stats: connect.StatsNone})
	got := map[string]string{}
	for _, tab := range db.Tables {
		got[tab.Name] = tab.Comment
		for _, c := range tab.Columns {
			if c.Comment != "" {
				got[tab.Name+"."+c.Name] = c.Comment
			}
		}
	}
	want := map[string]string{
		"t": "who buys from us (since 2019)", "t.id": "surrogate key", "t.name": "as on the invoice -- not the nickname",
		"t.lat": "degrees", "t.lon": "degrees", "t.state": "switched on life cycle", "t.first": "before a comma", "t.second": "after one",
		"v": "the active ones", "crlf": "", "crlf.a": "first", "crlf.b": "second", "bare": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

func TestIntrospect_Broken(t *testing.T) {
	db, r := introspect(t, file(t, `CREATE TABLE gone (x); CREATE TABLE kept (a INT, b TEXT);
CREATE VIEW broken AS SELECT x, 1 AS one FROM gone;
CREATE VIEW over_broken AS SELECT * FROM broken;
CREATE VIEW unknown_function AS SELECT nosuch(a) AS n, b FROM kept;
CREATE VIEW fine AS SELECT a FROM kept;
CREATE TABLE dangling (k REFERENCES gone, m REFERENCES kept, n REFERENCES gone(x));
DROP TABLE gone;
PRAGMA writable_schema = 1;
INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', 'other', 'other', 0, 'CREATE VIRTUAL TABLE other USING fts4(body)');
PRAGMA writable_schema = 0;
CREATE TABLE other_content (docid INTEGER PRIMARY KEY, c0body);
`), connect.Options{Stats: connect.StatsSample})
	if len(r.statements) > 40 {
		t.Errorf("%d statements", len(r.statements))
	}
	if got, want := connecttest.Names(db), []string{"broken", "dangling", "fine", "kept", "other", "over_broken", "unknown_function"}; !cmp.Equal(got, want) {
		t.Errorf("tables = %v, want %v", got, want)
	}
	var columns []string
	for _, name := range []string{"broken", "fine", "unknown_function"} {
		for _, c := range connecttest.Table(t, db, "", name).Columns {
			columns = append(columns, name+"."+c.Name)
		}
	}
	if want := []string{"broken.x", "broken.one", "fine.a", "unknown_function.n", "unknown_function.b"}; !cmp.Equal(columns, want) {
		t.Errorf("columns = %v, want %v", columns, want)
	}
	if keys := connecttest.Table(t, db, "", "dangling").ForeignKeys; len(keys) != 1 || keys[0].RefTable != "gone" {
		t.Errorf("foreign keys = %+v", keys)
	}
	for _, words := range []string{`view "broken"`, `view "over_broken"`, `view "unknown_function"`, `foreign key of "dangling" on (k)`, `foreign key of "dangling" on (m)`, `virtual table "other"`} {
		if !strings.Contains(strings.Join(db.Warnings, "\n"), words) {
			t.Errorf("no warning has %q: %q", words, db.Warnings)
		}
	}
}

func TestIntrospect_FullText(t *testing.T) {
	db, _ := introspect(t, file(t, `CREATE VIRTUAL TABLE docs USING fts5(title, body);
INSERT INTO docs VALUES ('a', 'b');
CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
CREATE TABLE docs_about (id INTEGER PRIMARY KEY)`), connect.Options{})
	if got, want := connecttest.Names(db), []string{"boxes", "docs", "docs_about"}; !cmp.Equal(got, want) {
		t.Fatalf("tables = %v, want %v", got, want)
	}
	docs := connecttest.Table(t, db, "", "docs")
	if docs.Type != model.ExternalTable || docs.Rows != nil {
		t.Errorf("docs is a %s with rows %v", docs.Type, docs.Rows)
	}
	if len(docs.Columns) != 2 || docs.Columns[0].Name != "title" || docs.Columns[1].Name != "body" {
		t.Errorf("columns = %+v", docs.Columns)
	}
}

func TestStatistics(t *testing.T) {
	path := file(t, `CREATE TABLE big (id INTEGER PRIMARY KEY, grp INT, name TEXT, at DATETIME, price NUMERIC, secret INTEGER, f BLOB);
CREATE INDEX big_grp ON big (grp); CREATE INDEX big_some ON big (name) WHERE grp = 1;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO big SELECT i, i % 10, 'n' || i, date('2024-01-01', '+' || i || ' days'), CASE WHEN i % 4 > 0 THEN i / 2.0 END, 'code ' || i, x'00' FROM n;
CREATE TABLE small (a); INSERT INTO small VALUES (1), (2);
CREATE VIEW v AS SELECT * FROM small`)
	rows := func(db *model.Database) map[string]string {
		m := map[string]string{}
		for _, tab := range db.Tables {
			if tab.Rows != nil {
				m[tab.Name] = fmt.Sprint(*tab.Rows, " ", tab.RowsSource)
			}
		}
		return m
	}
	check := func(name string, o connect.Options, want map[string]string) *model.Database {
		t.Helper()
		db, _ := introspect(t, path, o)
		if diff := cmp.Diff(want, rows(db)); diff != "" {
			t.Errorf("%s: rows (-want +got):\n%s", name, diff)
		}
		return db
	}
	check("none", connect.Options{Stats: connect.StatsNone}, map[string]string{})
	check("catalog", connect.Options{}, map[string]string{"big": "1000 exact", "small": "2 exact"})
	db := check("sample", connect.Options{Stats: connect.StatsSample}, map[string]string{"big": "1000 exact", "small": "2 exact", "v": "2 view_count"})

	big := connecttest.Table(t, db, "", "big")
	got := map[string]string{}
	for _, c := range big.Columns {
		got[c.Name] = fmt.Sprintf("%v null, %d distinct, %s to %s, %s", *c.Stats.NullFraction, *c.Stats.Distinct, c.Stats.Min, c.Stats.Max, c.Stats.Source)
	}
	want := map[string]string{
		"id": "0 null, 1000 distinct, 1 to 1000, sample", "grp": "0 null, 10 distinct, 0 to 9, sample", "name": "0 null, 1000 distinct,  to , sample",
		"at": "0 null, 1000 distinct, 2024-01-02 to 2026-09-27, sample", "price": "0.25 null, 750 distinct, 0.5 to 499.5, sample",
		"secret": "0 null, 1000 distinct,  to , sample", "f": "0 null, 1 distinct,  to , sample",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statistics (-want +got):\n%s", diff)
	}

	change(t, path, "ANALYZE; INSERT INTO small VALUES (3); DELETE FROM sqlite_stat1 WHERE tbl = 'small'; UPDATE sqlite_stat1 SET stat = '3000 300' WHERE idx = 'big_grp'")
	db = check("after ANALYZE", connect.Options{}, map[string]string{"big": "3000 stat", "small": "3 exact"})
	if s := connecttest.Table(t, db, "", "big").Column("grp").Stats; s == nil || *s.Distinct != 10 || s.Source != "catalog" {
		t.Errorf("statistics of grp = %+v", s)
	}
	db = check("none after ANALYZE", connect.Options{Stats: connect.StatsNone}, map[string]string{})
	if s := connecttest.Table(t, db, "", "big").Column("grp").Stats; s != nil {
		t.Errorf("mode none keeps %+v", s)
	}
}

// Counting stops at its limit, one table after the other, and a file that is large
// is not counted in mode catalog.
func TestStatistics_Limits(t *testing.T) {
	path := file(t, `CREATE TABLE one (a); INSERT INTO one VALUES (1);
CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
CREATE VIEW fine AS SELECT a FROM one`)
	c, err := open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.dataTimeout = 100 * time.Millisecond
	db, err := c.Introspect(t.Context(), connect.Options{Stats: connect.StatsSample})
	if err != nil {
		t.Fatal(err)
	}
	endless, fine := connecttest.Table(t, db, "", "endless"), connecttest.Table(t, db, "", "fine")
	if endless.Rows == nil || *endless.Rows != -1 || endless.RowsSource != model.CountTimeout {
		t.Errorf("endless: %v %s", endless.Rows, endless.RowsSource)
	}
	if fine.Rows == nil || *fine.Rows != 1 || fine.RowsSource != model.CountView {
		t.Errorf("fine: %v %s", fine.Rows, fine.RowsSource)
	}
	c.size = countLimit
	if db, err = c.Introspect(t.Context(), connect.Options{}); err != nil || connecttest.Table(t, db, "", "one").Rows != nil {
		t.Errorf("a large file was counted (error %v)", err)
	}
	if db, err = c.Introspect(t.Context(), connect.Options{Stats: connect.StatsSample}); err != nil || connecttest.Table(t, db, "", "one").Rows == nil {
		t.Errorf("a large file was not counted in mode sample (error %v)", err)
	}
}

// The counts of rows that the catalog has, and none that would have to be counted.
func TestStatistics_RowCounts(t *testing.T) {
	path := file(t, "CREATE TABLE a (x INT); CREATE TABLE b (x INT); INSERT INTO a VALUES (1), (2)")
	o := connect.Options{Stats: connect.StatsNone, RowCounts: true}
	for _, want := range []string{"unknown", "2"} {
		db, r := introspect(t, path, o)
		r.check(t)
		got := "unknown"
		if n := db.Tables[0].Rows; n != nil {
			got = strconv.FormatInt(*n, 10)
		}
		if got != want || db.Tables[1].Rows != nil {
			t.Errorf("%s rows, want %s; of the empty table %v", got, want, db.Tables[1].Rows)
		}
		for _, s := range r.statements {
			if regexp.MustCompile(`(?i)count\(|from\s+(main\.)?"?[ab]\b`).MatchString(s) {
				t.Errorf("statement %q reads a table", s)
			}
		}
		change(t, path, "ANALYZE")
	}
	if db, _ := introspect(t, path, connect.Options{Stats: connect.StatsNone}); db.Tables[0].Rows != nil {
		t.Error("without RowCounts there is one")
	}
}

func TestAffinity(t *testing.T) {
	for declared, want := range map[string]string{
		"INT": "INTEGER", "bigint unsigned": "INTEGER", "CHARINT": "INTEGER", "FLOATING POINT": "INTEGER", "varchar(20)": "TEXT", "CLOB": "TEXT",
		"nvarchar": "TEXT", "BLOB": "BLOB", "": "BLOB", "double precision": "REAL", "Float": "REAL", "REAL": "REAL", "decimal(10,2)": "NUMERIC",
		"boolean": "NUMERIC", "DATE": "NUMERIC", "json": "NUMERIC", "STRING": "NUMERIC",
	} {
		if got := affinity(declared); got != want {
			t.Errorf("affinity(%q) = %s, want %s", declared, got, want)
		}
	}
}

// manyTables is a script of n tables with 20 columns each, every one but the first
// with a key to the one before.
func manyTables(n int) string {
	var b strings.Builder
	b.WriteString("BEGIN;\n") // one transaction: one write to the disk
	for i := range n {
		fmt.Fprintf(&b, "CREATE TABLE table_%d (id INTEGER PRIMARY KEY, -- the key\n", i)
		for c := 2; c < 20; c++ {
			fmt.Fprintf(&b, "column_%d VARCHAR(40) NOT NULL DEFAULT 'x',\n", c)
		}
		fmt.Fprintf(&b, "parent_id INT REFERENCES table_%d (id));\nCREATE INDEX index_%[2]d ON table_%[2]d (parent_id);\n", max(i-1, 0), i)
	}
	return b.String() + "COMMIT;"
}

func TestIntrospect_StatementsDoNotGrow(t *testing.T) {
	small, few := introspect(t, file(t, manyTables(2)), connect.Options{})
	large, many := introspect(t, file(t, manyTables(600)), connect.Options{})
	if len(small.Tables) != 2 || len(large.Tables) != 600 {
		t.Fatalf("%d and %d tables", len(small.Tables), len(large.Tables))
	}
	if len(few.statements) != len(many.statements) {
		t.Errorf("%d statements for 2 tables, %d for 600", len(few.statements), len(many.statements))
	}
	many.check(t)
}

func BenchmarkIntrospect(b *testing.B) {
	path := file(b, manyTables(2000))
	c, err := open(b.Context(), path, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for b.Loop() {
		db, err := c.Introspect(b.Context(), connect.Options{})
		if err != nil || len(db.Tables) != 2000 {
			b.Fatalf("%d tables, error %v", len(db.Tables), err)
		}
	}
}
