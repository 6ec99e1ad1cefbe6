package duckdb

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write makes a file with statements.
func write(t testing.TB, path string, statements ...string) {
	t.Helper()
	var db bindings.Database
	var config bindings.Config
	if bindings.CreateConfig(&config) == bindings.StateError {
		t.Fatal("no configuration")
	}
	defer bindings.DestroyConfig(&config)
	var message string
	if bindings.OpenExt(path, &db, config, &message) == bindings.StateError {
		t.Fatal(message)
	}
	i := &instance{db: db}
	defer i.close()
	c, err := i.connect()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, s := range statements {
		if err := c.exec(s); err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
	}
}

// file is a small database.
func file(t testing.TB) *Database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "it's a #100% file?.duckdb")
	write(t, path, "CREATE SCHEMA dbt", "CREATE TABLE dbt.orders (id BIGINT NOT NULL, region VARCHAR DEFAULT 'x', amount DECIMAL(12,2))",
		"INSERT INTO dbt.orders SELECT i, 'r' || i % 3, i / 4 FROM range(1000) t(i)", "COMMENT ON COLUMN dbt.orders.region IS 'where'",
		"CREATE VIEW dbt.big AS SELECT * FROM dbt.orders WHERE amount > 100", "CREATE TABLE dbt.none (a INTEGER)")
	d := New(Options{Path: path, MemoryLimit: "512MB", Threads: 2, TempLimit: "1GB", TempDir: t.TempDir()})
	t.Cleanup(func() { d.Close() })
	return d
}

func all(t testing.TB, d *Database, s backend.Statement) ([]backend.Column, [][]any, []string, error) {
	t.Helper()
	r, err := d.Query(t.Context(), s, backend.Limits{})
	if err != nil {
		return nil, nil, nil, err
	}
	defer r.Close()
	var out [][]any
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Columns(), out, r.Warnings(), nil
		}
		if err != nil {
			return nil, nil, nil, err
		}
		out = append(out, row)
	}
}

func TestQuery_Cells(t *testing.T) {
	d := file(t)
	for _, c := range []struct{ expr, kind, want, warning string }{
		{"NULL::INTEGER", "INTEGER", `null`, ""},
		{"true", "BOOLEAN", `true`, ""},
		{"(-5)::TINYINT", "TINYINT", `-5`, ""},
		{"300::SMALLINT", "SMALLINT", `300`, ""},
		{"255::UTINYINT", "UTINYINT", `255`, ""},
		{"4294967295::UINTEGER", "UINTEGER", `4294967295`, ""},
		{"9007199254740992", "BIGINT", `9007199254740992`, ""},
		{"9007199254740993", "BIGINT", `"9007199254740993"`, ""},
		{"(-9223372036854775808)::BIGINT", "BIGINT", `"-9223372036854775808"`, ""},
		{"18446744073709551615::UBIGINT", "UBIGINT", `"18446744073709551615"`, ""},
		{"5::HUGEINT", "HUGEINT", `5`, ""},
		{"(-170141183460469231731687303715884105727)::HUGEINT", "HUGEINT", `"-170141183460469231731687303715884105727"`, ""},
		{"340282366920938463463374607431768211455::UHUGEINT", "UHUGEINT", `"340282366920938463463374607431768211455"`, ""},
		{"'-12345678901234567890123456789012345678901234'::VARINT", "BIGNUM", `"-12345678901234567890123456789012345678901234"`, ""},
		{"1.5::FLOAT", "FLOAT", `1.5`, ""},
		{"0.1::FLOAT", "FLOAT", `0.1`, ""},
		{"0.1::DOUBLE", "DOUBLE", `0.1`, ""},
		{"'nan'::DOUBLE", "DOUBLE", `null`, "non_finite_value"},
		{"'-inf'::FLOAT", "FLOAT", `null`, "non_finite_value"},
		{"(-0.05)::DECIMAL(3,2)", "DECIMAL(3,2)", `"-0.05"`, ""},
		{"12.30::DECIMAL(9,2)", "DECIMAL(9,2)", `"12.30"`, ""},
		{"123456789012.5::DECIMAL(18,1)", "DECIMAL(18,1)", `"123456789012.5"`, ""},
		{"(-12345678901234567890.123)::DECIMAL(38,3)", "DECIMAL(38,3)", `"-12345678901234567890.123"`, ""},
		{"DATE '2024-02-29'", "DATE", `"2024-02-29"`, ""},
		{"DATE '1066-10-14'", "DATE", `"1066-10-14"`, ""},
		{"'infinity'::DATE", "DATE", `null`, "non_finite_value"},
		{"TIMESTAMP '2024-02-29 12:34:56.789'", "TIMESTAMP", `"2024-02-29T12:34:56.789Z"`, ""},
		{"TIMESTAMP '1969-12-31 23:59:59.5'", "TIMESTAMP", `"1969-12-31T23:59:59.5Z"`, ""},
		{"'-infinity'::TIMESTAMP", "TIMESTAMP", `null`, "non_finite_value"},
		{"'2024-02-29 12:34:56+02'::TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE", `"2024-02-29T10:34:56Z"`, ""},
		{"'2024-02-29 12:34:56'::TIMESTAMP_S", "TIMESTAMP_S", `"2024-02-29T12:34:56Z"`, ""},
		{"'2024-02-29 12:34:56.123'::TIMESTAMP_MS", "TIMESTAMP_MS", `"2024-02-29T12:34:56.123Z"`, ""},
		{"'2024-02-29 12:34:56.123456789'::TIMESTAMP_NS", "TIMESTAMP_NS", `"2024-02-29T12:34:56.123456789Z"`, ""},
		{"TIME '12:34:56.5'", "TIME", `"12:34:56.5"`, ""},
		{"'12:34:56+02:30'::TIMETZ", "TIME WITH TIME ZONE", `"12:34:56+02:30"`, ""},
		{"INTERVAL '14 months -3 days 1 second'", "INTERVAL", `"1 year 2 months -3 days 00:00:01"`, ""},
		{"'\\xAA\\x01'::BLOB", "BLOB", `"0xaa01"`, ""},
		{"'00101'::BIT", "BIT", `"00101"`, ""},
		{"'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID", "UUID", `"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, ""},
		{"'b'::ENUM('a', 'b')", "ENUM", `"b"`, ""},
		{"'ünï'", "VARCHAR", `"ünï"`, ""},
		{"repeat('ab', 3000)", "VARCHAR", `"` + strings.Repeat("ab", 1999) + `a…"`, "cell_truncated"},
		{"[1, NULL, 3]", "INTEGER[]", `[1,null,3]`, ""},
		{"[DATE '2024-01-01']", "DATE[]", `["2024-01-01"]`, ""},
		{"[[1.5], []]", "DECIMAL(2,1)[][]", `[["1.5"],[]]`, ""},
		{"array_value(1, 2)", "INTEGER[2]", `[1,2]`, ""},
		{"{'b': 1, 'a': {'c': 'x'}}", "STRUCT(b INTEGER, a STRUCT(c VARCHAR))", `{"b":1,"a":{"c":"x"}}`, ""},
		{"MAP {'k': 1, 'j': 2}", "MAP(VARCHAR, INTEGER)", `{"k":1,"j":2}`, ""},
		{"MAP {7: 'x'}", "MAP(INTEGER, VARCHAR)", `{"7":"x"}`, ""},
		{"union_value(n := 5)", "UNION(n INTEGER)", `5`, ""},
		{`'{"a": 1}'::JSON`, "JSON", `"{\"a\": 1}"`, ""},
		{"range(5000)", "BIGINT[]", "", "cell_truncated"},
	} {
		columns, rows, warnings, err := all(t, d, backend.Statement{SQL: "SELECT " + c.expr + " AS v"})
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		got, err := json.Marshal(rows[0][0])
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
		}
		if c.want != "" && string(got) != c.want {
			t.Errorf("%s is %.200s, want %.200s", c.expr, got, c.want)
		}
		if columns[0] != (backend.Column{Name: "v", Type: c.kind}) {
			t.Errorf("%s has type %v, want %s", c.expr, columns[0], c.kind)
		}
		if w := strings.Join(warnings, ","); w != c.warning {
			t.Errorf("%s warns %q, want %q", c.expr, w, c.warning)
		}
	}
}

func TestQuery_Parameters(t *testing.T) {
	d := file(t)
	_, rows, _, err := all(t, d, backend.Statement{SQL: "SELECT $1 + 1, $2, CAST($3 AS DATE), $1", Args: []backend.Arg{{Value: int64(1)}, {Value: "o'x"}, {Value: "2024-01-02"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(rows); string(got) != `[[2,"o'x","2024-01-02",1]]` {
		t.Errorf("got %s", got)
	}
	_, rows, _, err = all(t, d, backend.Statement{SQL: "SELECT count(*) FROM orders WHERE region = $r", Database: "dbt", Args: []backend.Arg{{Name: "r", Value: "r1"}}})
	if err != nil || rows[0][0] != int64(333) {
		t.Errorf("got %v, %v", rows, err)
	}
	for _, args := range [][]backend.Arg{nil, {{Name: "x", Value: "r1"}}, {{Value: 1}, {Value: 2}}} {
		if _, _, _, err := all(t, d, backend.Statement{SQL: "SELECT $r", Args: args}); err == nil || backend.AsError(err).Code != backend.Invalid {
			t.Errorf("%v: got %v", args, err)
		}
	}
}

func TestQuery_Errors(t *testing.T) {
	d := file(t)
	for _, c := range []struct {
		sql  string
		code backend.Code
		has  string
	}{
		{"SELECT regio FROM orders", backend.UnknownColumn, "regio"},
		{"SELECT o.regio FROM orders o", backend.UnknownColumn, "regio"},
		{"SELECT * FROM order_s", backend.Failed, "order_s"},
		{"SELECT 1 +", backend.Failed, "syntax"},
		{"SELECT region, sum(amount) FROM orders", backend.Failed, "GROUP BY"},
		{"SELECT 'x'::INTEGER", backend.Failed, "Could not convert"},
		{"SELECT 1; SELECT 2", backend.Rejected, "several"},
		{"", backend.Rejected, "no statement"},
		{"-- nothing", backend.Rejected, "no statement"},
		{"SELECT '\x00'", backend.Rejected, "NUL"},
		{"CREATE TABLE x (a INT)", backend.Rejected, ""},
		{"CREATE TEMP TABLE x (a INT)", backend.Rejected, "more than read"},
		{"INSERT INTO orders VALUES (1, 'a', 2)", backend.Rejected, ""},
		{"DELETE FROM orders", backend.Rejected, ""},
		{"SET threads = 1", backend.Rejected, "more than read"},
		{"PRAGMA threads = 1", backend.Rejected, ""},
		{"ATTACH ':memory:' AS m", backend.Rejected, "more than read"},
		{"COPY orders TO 'x.csv'", backend.Rejected, ""},
		{"EXPORT DATABASE 'x'", backend.Rejected, ""},
		{"INSTALL httpfs", backend.Rejected, ""},
		{"LOAD httpfs", backend.Rejected, ""},
		{"CALL pragma_version()", backend.Rejected, ""},
		{"SELECT * FROM read_text('/etc/passwd')", backend.Rejected, ""},
		{"SELECT * FROM read_csv('/etc/passwd')", backend.Rejected, ""},
		{"SELECT * FROM '/etc/passwd'", backend.Failed, ""},
		{"SELECT * FROM glob('/etc/*')", backend.Rejected, ""},
		{"SELECT * FROM read_parquet('http://127.0.0.1:1/x')", backend.Rejected, ""},
	} {
		_, rows, _, err := all(t, d, backend.Statement{SQL: c.sql, Database: "dbt"})
		if err == nil {
			t.Errorf("%s runs: %v", c.sql, rows)
			continue
		}
		e := backend.AsError(err)
		if e.Code != c.code && !(c.has == "" && e.Code == backend.Failed) || !strings.Contains(e.Message, c.has) {
			t.Errorf("%s: %s %q", c.sql, e.Code, e.Message)
		}
		if strings.Contains(e.Message, "/etc") || strings.Contains(e.Message, ".duckdb") {
			t.Errorf("%s tells a path: %q", c.sql, e.Message)
		}
	}
	_, _, _, err := all(t, d, backend.Statement{SQL: "SELECT regio FROM orders", Database: "dbt"})
	if e := backend.AsError(err); e.Name != "regio" || !slices.Contains(e.Near, "region") || !e.Repairable {
		t.Errorf("got %+v", e)
	}
	for _, s := range []string{"DESCRIBE orders", "SUMMARIZE orders", "SHOW TABLES", "EXPLAIN SELECT 1", "FROM orders", "VALUES (1)", "WITH x AS (SELECT 1) FROM x"} {
		if _, _, _, err := all(t, d, backend.Statement{SQL: s, Database: "dbt"}); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// A result of millions of rows is made only as far as it is read.
func TestQuery_Streams(t *testing.T) {
	d := file(t)
	if err := d.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r, err := d.Query(t.Context(), backend.Statement{SQL: "SELECT i, repeat('x', 1000) FROM range(300000000) t(i)"}, backend.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for range 10_001 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 5*time.Second { // on a busy machine
		t.Errorf("took %v", d)
	}
	if d.current.users != 0 {
		t.Errorf("%d still run", d.current.users)
	}
}

const endless = "SELECT count(*) FROM range(10000000000) a(i), range(1000) b(j) WHERE i * j % 7 = 3"

func TestQuery_Ends(t *testing.T) {
	d := file(t)
	for _, c := range []struct {
		code   backend.Code
		cancel bool
	}{{backend.Timeout, false}, {backend.Cancelled, true}} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if c.cancel {
			cancel()
			ctx, cancel = context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
		}
		start := time.Now()
		r, err := d.Query(ctx, backend.Statement{SQL: endless}, backend.Limits{})
		if err == nil {
			_, err = r.Next()
			r.Close()
		}
		cancel()
		if e := backend.AsError(err); e == nil || e.Code != c.code || time.Since(start) > 3*time.Second {
			t.Errorf("got %v after %v, want %s", err, time.Since(start), c.code)
		}
	}
	if d.current.users != 0 {
		t.Errorf("%d still run", d.current.users)
	}
	if _, _, _, err := all(t, d, backend.Statement{SQL: "SELECT 1"}); err != nil {
		t.Error(err)
	}
}

func TestQuery_Concurrent(t *testing.T) {
	d := file(t)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			_, rows, _, err := all(t, d, backend.Statement{SQL: "SELECT count(*), sum(amount) FROM orders", Database: "dbt"})
			if err != nil || rows[0][0] != int64(1000) {
				t.Errorf("got %v, %v", rows, err)
			}
		})
	}
	wait.Wait()
}

func TestOpen_Unavailable(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.duckdb")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	good := filepath.Join(dir, "good.duckdb")
	write(t, good, "CREATE TABLE t AS SELECT 1")
	for _, c := range []struct {
		o   Options
		has string
	}{
		{Options{Path: filepath.Join(dir, "none.duckdb")}, "no DuckDB file"},
		{Options{Path: dir}, "no DuckDB file"},
		{Options{Path: text}, "damaged"},
		{Options{Path: good, MemoryLimit: "much"}, "much"},
	} {
		d := New(c.o)
		err := d.Ping(t.Context())
		if e := backend.AsError(err); e == nil || e.Code != backend.Unavailable || !strings.Contains(e.Message, c.has) || strings.Contains(e.Message, dir) {
			t.Errorf("%+v: %v", c.o, err)
		}
		d.Close()
	}
}

// A new build is seen by the next statement; one that runs goes on with the old.
func TestOpen_Replaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.duckdb")
	write(t, path, "CREATE TABLE t AS SELECT 1 AS v FROM range(100000)")
	d := New(Options{Path: path})
	defer d.Close()
	r, err := d.Query(t.Context(), backend.Statement{SQL: "SELECT v FROM t"}, backend.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	write(t, path+".new", "CREATE TABLE t AS SELECT 2 AS v")
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	_, rows, _, err := all(t, d, backend.Statement{SQL: "SELECT v FROM t"})
	if err != nil || rows[0][0] != int64(2) {
		t.Errorf("got %v, %v", rows, err)
	}
	n := 0
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || row[0] != int64(1) {
			t.Fatal(row, err)
		}
		n++
	}
	if r.Close(); n != 100_000 {
		t.Errorf("%d rows of the old file", n)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if e := backend.AsError(d.Ping(t.Context())); e == nil || e.Code != backend.Unavailable {
		t.Errorf("a file that is gone: %v", e)
	}
}

func TestDescribe(t *testing.T) {
	d := file(t)
	databases, err := d.Databases(t.Context())
	if err != nil || !slices.Equal(databases, []string{"dbt", "main"}) {
		t.Errorf("got %v, %v", databases, err)
	}
	tables, err := d.Tables(t.Context(), "dbt")
	if err != nil || len(tables) != 3 || tables[0].Name != "big" || !tables[0].View || tables[2].Rows != 1000 {
		t.Errorf("got %+v, %v", tables, err)
	}
	table, err := d.Describe(t.Context(), "dbt", "ORDERS")
	if err != nil {
		t.Fatal(err)
	}
	want := []backend.TableColumn{{Name: "id", Type: "BIGINT"}, {Name: "region", Type: "VARCHAR", Nullable: true, Default: "'x'", Comment: "where"}, {Name: "amount", Type: "DECIMAL(12,2)", Nullable: true}}
	if !slices.Equal(table.Columns, want) {
		t.Errorf("got %+v", table.Columns)
	}
	_, err = d.Describe(t.Context(), "dbt", "order")
	if e := backend.AsError(err); e.Code != backend.NotFound || !slices.Contains(e.Near, "orders") {
		t.Errorf("got %+v", e)
	}
}

func TestEstimate(t *testing.T) {
	d := file(t)
	e, err := d.Estimate(t.Context(), backend.Statement{SQL: "SELECT orders.region, count(*) FROM orders JOIN big USING (id) GROUP BY 1", Database: "dbt"})
	if err != nil || e.Rows < 1000 || len(e.Tables) == 0 {
		t.Errorf("got %+v, %v", e, err)
	}
	e, err = d.Estimate(t.Context(), backend.Statement{SQL: "SELECT * FROM range(3000000000)"})
	if err != nil || e.Rows < 2_000_000_000 {
		t.Errorf("got %+v, %v", e, err)
	}
}

// BenchmarkQuery_Cap reads the first of three million rows.
func BenchmarkQuery_Cap(b *testing.B) {
	d := file(b)
	if err := d.Ping(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r, err := d.Query(b.Context(), backend.Statement{SQL: "SELECT i, repeat('x', 100) FROM range(3000000) t(i)"}, backend.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		for range 10_001 {
			if _, err := r.Next(); err != nil {
				b.Fatal(err)
			}
		}
		r.Close()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/(1<<20), "heapMB")
}
