package clickhouse

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// server is the engine, with a database of the test's, for a user.
func server(t testing.TB, address, user string) *Database {
	t.Helper()
	d := New(Options{DSN: strings.Replace(address, "default@", user+"@", 1), MaxMemoryGB: 1, MaxRead: 2_000_000_000})
	t.Cleanup(func() { d.Close() })
	return d
}

func all(t testing.TB, d *Database, s backend.Statement) ([]backend.Column, [][]any, []string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	r, err := d.Query(ctx, s, backend.Limits{Rows: 10_001, Bytes: 1 << 20, Timeout: 20 * time.Second})
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

// makeTables runs statements that write, past the settings of queries.
func makeTables(t testing.TB, d *Database, statements ...string) {
	t.Helper()
	c, err := d.conn("")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		err := c.Exec(ctx, s)
		cancel()
		if err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
	}
}

func TestQuery_Cells(t *testing.T) {
	d := server(t, dbtest.ClickHouse(t), "reader")
	for _, c := range []struct{ expr, kind, want, warning string }{
		{"CAST(NULL AS Nullable(Int32))", "Nullable(Int32)", `null`, ""},
		{"true", "Bool", `true`, ""},
		{"toInt8(-5)", "Int8", `-5`, ""},
		{"toUInt64(18446744073709551615)", "UInt64", `"18446744073709551615"`, ""},
		{"toInt64(9007199254740993)", "Int64", `"9007199254740993"`, ""},
		{"toInt128('-170141183460469231731687303715884105727')", "Int128", `"-170141183460469231731687303715884105727"`, ""},
		{"toInt256(5)", "Int256", `5`, ""},
		{"toFloat32(0.1)", "Float32", `0.1`, ""},
		{"toFloat64(0.1)", "Float64", `0.1`, ""},
		{"toNullable(nan)", "Nullable(Float64)", `null`, "non_finite_value"},
		{"-inf", "Float64", `null`, "non_finite_value"},
		{"toDecimal64('-0.05', 2)", "Decimal(18, 2)", `"-0.05"`, ""},
		{"toNullable(toDecimal64('12.30', 2))", "Nullable(Decimal(18, 2))", `"12.30"`, ""},
		{"toDecimal256('12345678901234567890.120', 3)", "Decimal(76, 3)", `"12345678901234567890.120"`, ""},
		{"toDate('2024-02-29')", "Date", `"2024-02-29"`, ""},
		{"toDate32('1950-02-28')", "Date32", `"1950-02-28"`, ""},
		{"toDateTime('2024-02-29 12:34:56', 'UTC')", "DateTime", `"2024-02-29T12:34:56Z"`, ""},
		{"toDateTime('2024-02-29 12:34:56', 'Europe/Berlin')", "DateTime", `"2024-02-29T11:34:56Z"`, ""},
		{"toDateTime64('2024-02-29 12:34:56.789', 6, 'UTC')", "DateTime64(6, 'UTC')", `"2024-02-29T12:34:56.789Z"`, ""},
		{"toUUID('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')", "UUID", `"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, ""},
		{"toIPv4('10.0.0.1')", "IPv4", `"10.0.0.1"`, ""},
		{"CAST('b' AS Enum8('a' = 1, 'b' = 2))", "Enum8('a' = 1, 'b' = 2)", `"b"`, ""},
		{"toLowCardinality('ünï')", "LowCardinality(String)", `"ünï"`, ""},
		{"repeat('ab', 3000)", "String", `"` + strings.Repeat("ab", 1999) + `a…"`, "cell_truncated"},
		{"[1, NULL, 3]", "Array(Nullable(UInt8))", `[1,null,3]`, ""},
		{"[toDate('2024-01-01')]", "Array(Date)", `["2024-01-01"]`, ""},
		{"map('k', 1, 'j', 2)", "Map(String, UInt8)", `{"j":2,"k":1}`, ""},
		{"tuple(1, 'x', toDate('2024-01-01'))", "Tuple(UInt8, String, Date)", `[1,"x","2024-01-01"]`, ""},
		{"CAST((1, 'x'), 'Tuple(b UInt8, a String)')", "Tuple(b UInt8, a String)", `{"b":1,"a":"x"}`, ""},
	} {
		columns, rows, warnings, err := all(t, d, backend.Statement{SQL: "SELECT " + c.expr + " AS v"})
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		got, err := json.Marshal(rows[0][0])
		if err != nil || string(got) != c.want {
			t.Errorf("%s is %.200s, want %.200s (%v)", c.expr, got, c.want, err)
		}
		if columns[0].Type != c.kind {
			t.Errorf("%s has type %v, want %s", c.expr, columns[0], c.kind)
		}
		if w := strings.Join(warnings, ","); w != c.warning {
			t.Errorf("%s warns %q, want %q", c.expr, w, c.warning)
		}
	}
}

// Each kind of user reads; none writes through Query.
func TestQuery_Users(t *testing.T) {
	address := dbtest.ClickHouse(t)
	owner := server(t, address, "default")
	makeTables(t, owner, "CREATE TABLE t (a Int64, b Nullable(String)) ENGINE = MergeTree ORDER BY a", "INSERT INTO t SELECT number, toString(number) FROM numbers(1000)")
	for _, c := range []struct {
		user     string
		writable bool
		warns    string
	}{{"default", true, ""}, {"reader", false, ""}, {"readonly", false, noNulls}} {
		d := server(t, address, c.user)
		why, err := d.Writable(t.Context())
		if err != nil || (why != "") != c.writable {
			t.Errorf("%s: %q, %v", c.user, why, err)
		}
		_, rows, warnings, err := all(t, d, backend.Statement{
			SQL: "SELECT count(), {p1:String}, {n:Int64} FROM t WHERE a >= {n:Int64}", Args: []backend.Arg{{Value: "a\t'\\\nb"}, {Name: "n", Value: int64(10)}}, Tag: "tool x",
		})
		if err != nil || rows[0][0] != int64(990) || rows[0][1] != "a\t'\\\nb" || strings.Join(warnings, ",") != c.warns {
			t.Errorf("%s: %v, %v, %v", c.user, rows, warnings, err)
		}
		for _, s := range []string{"INSERT INTO t SELECT 1, 'x'", "DROP TABLE t", "CREATE TABLE u (a Int8) ENGINE = Memory", "ALTER TABLE t DELETE WHERE 1", "SELECT 1; SELECT 2"} {
			if _, _, _, err := all(t, d, backend.Statement{SQL: s}); err == nil {
				t.Errorf("%s: %s runs", c.user, s)
			}
		}
	}
}

func TestQuery_Errors(t *testing.T) {
	address := dbtest.ClickHouse(t)
	makeTables(t, server(t, address, "default"), "CREATE TABLE orders (region String, amount Int64) ENGINE = MergeTree ORDER BY region")
	d := server(t, address, "reader")
	for _, c := range []struct {
		sql  string
		code backend.Code
	}{
		{"SELECT regio FROM orders", backend.UnknownColumn}, {"SELECT * FROM order_s", backend.Failed}, {"SELECT 1 +", backend.Failed},
		{"SELECT region, sum(amount) FROM orders", backend.Failed}, {"SELECT throwIf(1)", backend.Failed},
	} {
		_, _, _, err := all(t, d, backend.Statement{SQL: c.sql})
		e := backend.AsError(err)
		if e == nil || e.Code != c.code || strings.Contains(e.Message, "127.0.0.1") || strings.Contains(e.Message, "DB::Exception") || strings.Contains(e.Message, "version 2") {
			t.Errorf("%s: %v", c.sql, err)
		}
		if c.code == backend.UnknownColumn && (e.Name != "regio" || !e.Repairable) {
			t.Errorf("%+v", e)
		}
	}
}

func TestQuery_Ends(t *testing.T) {
	d := New(Options{DSN: dbtest.ClickHouse(t)})
	defer d.Close()
	if err := d.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	r, err := d.Query(ctx, backend.Statement{SQL: "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) % 7 = 9"}, backend.Limits{})
	if err == nil {
		_, err = r.Next()
		r.Close()
	}
	if e := backend.AsError(err); e == nil || e.Code != backend.Timeout || time.Since(start) > 5*time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
	_, rows, _, err := all(t, d, backend.Statement{SQL: "SELECT number FROM numbers(3000000)"})
	if err != nil || len(rows) < 10_001 || len(rows) > 200_000 {
		t.Errorf("%d rows of three million, %v", len(rows), err)
	}
}

func TestUnavailable(t *testing.T) {
	for _, c := range []struct {
		o   Options
		has string
	}{
		{Options{Host: "127.0.0.1", Port: 1, User: "default"}, "cannot be reached"},
		{Options{DSN: "://secret"}, "CLICKHOUSE_DSN"},
		{Options{DSN: strings.Replace(dbtest.ClickHouse(t), "default@", "default:wrong@", 1)}, "refuses"},
	} {
		d := New(c.o)
		err := d.Ping(t.Context())
		if e := backend.AsError(err); e == nil || e.Code != backend.Unavailable || !strings.Contains(e.Message, c.has) || strings.Contains(e.Error(), "secret") {
			t.Errorf("%v", err)
		}
		d.Close()
	}
}

func TestDescribe(t *testing.T) {
	address := dbtest.ClickHouse(t)
	makeTables(t, server(t, address, "default"),
		"CREATE TABLE orders (id Int64, at DateTime('UTC') DEFAULT now() COMMENT 'when', r Nullable(String)) ENGINE = MergeTree PARTITION BY toYYYYMM(at) ORDER BY id",
		"INSERT INTO orders (id) SELECT number FROM numbers(1000)", "CREATE VIEW big AS SELECT * FROM orders WHERE id > 5")
	d := server(t, address, "reader")
	_, database, _ := strings.Cut(address, "database=")
	table, err := d.Describe(t.Context(), database, "orders")
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows != 1000 || table.Engine != "MergeTree" || !slices.Equal(table.Partition, []string{"at"}) || len(table.Columns) != 3 || !table.Columns[2].Nullable || table.Columns[1].Comment != "when" {
		t.Errorf("got %+v", table)
	}
	_, err = d.Describe(t.Context(), database, "order")
	if e := backend.AsError(err); e.Code != backend.NotFound || !slices.Contains(e.Near, "orders") {
		t.Errorf("got %+v", e)
	}
	all, err := d.Databases(t.Context())
	if err != nil || !slices.Contains(all, database) || slices.Contains(all, "system") {
		t.Errorf("got %v, %v", all, err)
	}
	e, err := d.Estimate(t.Context(), backend.Statement{SQL: "SELECT count() FROM orders WHERE id > 1", Database: database})
	if err != nil || e.Rows != 1000 || !slices.Equal(e.Tables, []string{database + ".orders"}) {
		t.Errorf("got %+v, %v", e, err)
	}
	if err := d.Check(t.Context(), backend.Statement{SQL: "SELECT nope FROM big", Database: database}); backend.AsError(err) == nil {
		t.Error("a column that is not there passes")
	}
}
