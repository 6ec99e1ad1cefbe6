package bridge

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/quartet-mcp/quartet/clickhousetest/internal/engine"
)

const library = "../../node_modules/@chdb/lib-linux-x64-gnu/libchdb.so"

// deadline is long enough for every query here but those that wait for it.
const deadline = 3 * time.Second

var address string

func TestMain(m *testing.M) { os.Exit(run(m)) }

// run starts the engine, which a process has once.
func run(m *testing.M) int {
	if _, err := os.Stat(library); err != nil {
		fmt.Fprintln(os.Stderr, "the engine is not installed; scripts/test-deps.sh does it")
		if os.Getenv("CI") != "" {
			return 1
		}
		return 0
	}
	dir, err := os.MkdirTemp("", "clickhousetest")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	e, err := engine.Open(library, dir)
	if err != nil {
		panic(err)
	}
	b, err := New(e, deadline)
	if err != nil {
		panic(err)
	}
	s := httptest.NewServer(b)
	defer s.Close()
	address = s.URL
	return m.Run()
}

// ask sends a request and returns the answer's status and text.
func ask(t *testing.T, method, args, body string, headers ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, address+"/?"+args, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(text), a.Header
}

func do(t *testing.T, statement string) {
	t.Helper()
	if status, text, _ := ask(t, "POST", "", statement); status != 200 {
		t.Fatalf("%s: %d %s", statement, status, text)
	}
}

func TestBridge_Answers(t *testing.T) {
	do(t, "CREATE DATABASE answers")
	do(t, "CREATE TABLE answers.t (a UInt64, b Nullable(String)) ENGINE = MergeTree ORDER BY a")
	for _, tc := range []struct{ name, method, args, body, want string }{
		{"body", "POST", "", "SELECT 1 + 1", "2\n"},
		{"address", "GET", "query=SELECT+2", "", "2\n"},
		{"both", "POST", "query=SELECT", "3", "3\n"},
		{"a semicolon", "POST", "", "SELECT 1;\n", "1\n"},
		{"default format", "POST", "default_format=CSV", "SELECT 'a'", "\"a\"\n"},
		{"format clause", "POST", "default_format=CSV", "SELECT 1 AS a FORMAT JSONEachRow", "{\"a\":1}\n"},
		{"database", "POST", "database=answers", "SELECT count() FROM t", "0\n"},
		{"setting", "POST", "max_threads=3", "SELECT getSetting('max_threads')", "3\n"},
		{"no setting stays", "POST", "", "SELECT getSetting('max_threads') = 3", "0\n"},
		{"parameter", "POST", "param_x=a%5C%27b%5Ctc", "SELECT {x:String} = 'a\\'b\\tc'", "1\n"},
		{"number", "POST", "param_x=5", "SELECT {x:UInt8} + 1", "6\n"},
		{"values", "POST", "", "INSERT INTO answers.t VALUES (1, 'a;b'), (2, NULL)", ""},
		{"data in the body", "POST", "query=INSERT+INTO+answers.t+FORMAT+JSONEachRow", "{\"a\": 3, \"b\": \"x;\\n\"}\n\n{\"a\": 4}", ""},
		{"data with blank lines and semicolons", "POST", "", "INSERT INTO answers.t FORMAT CSV\n5,\"x;\n\ny\"\n6,z", ""},
		{"select", "POST", "", "INSERT INTO answers.t SELECT 7, 'seven'", ""},
		{"rows", "POST", "", "SELECT a, length(b) FROM answers.t ORDER BY a", "1\t3\n2\t\\N\n3\t3\n4\t\\N\n5\t5\n6\t1\n7\t5\n"},
		{"nothing", "POST", "", "SELECT 1 WHERE 0", ""},
		{"explain", "POST", "", "EXPLAIN AST SELECT 1", "SelectWithUnionQuery (children 1)\n ExpressionList (children 1)\n  SelectQuery (children 1)\n   ExpressionList (children 1)\n    Literal UInt64_1\n"},
		{"ping", "POST", "query=", "SELECT 'FORMAT CSV'", "FORMAT CSV\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if status, got, _ := ask(t, tc.method, tc.args, tc.body); status != 200 || got != tc.want {
				t.Errorf("answer %d %q, want %q", status, got, tc.want)
			}
		})
	}
}

func TestBridge_Errors(t *testing.T) {
	do(t, "CREATE DATABASE refused")
	do(t, "CREATE TABLE refused.t (a UInt8) ENGINE = Memory")
	for _, tc := range []struct {
		name, method, args, body string
		status                   int
		code                     string
		headers                  []string
	}{
		{name: "unknown column", body: "SELECT nope", status: 404, code: "47"},
		{name: "unknown table", body: "SELECT * FROM nope", status: 404, code: "60"},
		{name: "unknown database", args: "database=nope", body: "SELECT 1", status: 404, code: "81"},
		{name: "unknown setting", args: "nope=1", body: "SELECT 1", status: 404, code: "115"},
		{name: "no name of a setting", args: "a%3D1%2Cb=1", body: "SELECT 1", status: 400, code: "36"},
		{name: "syntax", body: "SELECT FROM WHERE", status: 400, code: "62"},
		{name: "no statement", body: "-- nothing", status: 400, code: "62"},
		{name: "an expression", body: "1 + 1", status: 400, code: "62"},
		{name: "two statements", body: "SELECT 1; DROP TABLE refused.t", status: 400, code: "62"},
		{name: "a statement and a half", body: "DROP TABLE refused.t; SELECT (", status: 400, code: "62"},
		{name: "behind values", body: "INSERT INTO refused.t VALUES (1); DROP TABLE refused.t", status: 400, code: "62"},
		{name: "a file", body: "SELECT 1 INTO OUTFILE 'x'", status: 500, code: "358"},
		{name: "half-way", body: "SELECT throwIf(number = 3) FROM numbers(10) SETTINGS max_block_size = 1", status: 500, code: "395"},
		{name: "time", args: "max_execution_time=1", body: "SELECT sleep(3)", status: 408, code: "159"},
		{name: "deadline", body: "SELECT sum(sleepEachRow(1)) FROM numbers(60) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0", status: 408, code: "159"},
		{name: "memory", args: "max_memory_usage=1000000", body: "SELECT groupArray(number) FROM numbers(10000000)", status: 500, code: "241"},
		{name: "readonly", args: "readonly=1", body: "DROP TABLE refused.t", status: 500, code: "164"},
		{name: "get", method: "GET", args: "query=DROP+TABLE+refused.t", status: 500, code: "164"},
		{name: "no ddl", args: "allow_ddl=0", body: "DROP TABLE refused.t", status: 500, code: "392"},
		{name: "reader", args: "user=reader", body: "DROP TABLE refused.t", status: 500, code: "164"},
		{name: "reader lifts it", args: "user=reader&readonly=0", body: "SELECT 1", status: 500, code: "164"},
		{name: "readonly sets", body: "SELECT 1", args: "max_threads=1", status: 500, code: "164", headers: []string{"X-ClickHouse-User", "readonly"}},
		{name: "user", args: "user=nobody", body: "SELECT 1", status: 403, code: "516"},
		{name: "password", body: "SELECT 1", status: 403, code: "516", headers: []string{"X-ClickHouse-Key", "secret"}},
		{name: "session", args: "session_id=1", body: "SELECT 1", status: 501, code: "48"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.method == "" {
				tc.method = "POST"
			}
			status, text, headers := ask(t, tc.method, tc.args, tc.body, tc.headers...)
			if code := headers.Get("X-ClickHouse-Exception-Code"); status != tc.status || code != tc.code || !strings.HasPrefix(text, "Code: "+tc.code+". DB::Exception: ") {
				t.Errorf("answer %d, code %s, %q; want %d, code %s", status, code, text, tc.status, tc.code)
			}
		})
	}
	if status, text, _ := ask(t, "GET", "user=reader&max_threads=1&query=SELECT+count()+FROM+refused.t", ""); status != 200 || text != "0\n" {
		t.Errorf("after all refusals: %d %q, want an empty table", status, text)
	}
	if status, text, _ := ask(t, "POST", "user=readonly", "SELECT 1"); status != 200 {
		t.Errorf("the user readonly reads: %d %q", status, text)
	}
}

func TestBridge_Headers(t *testing.T) {
	_, _, h := ask(t, "POST", "query_id=mine&default_format=JSON", "SELECT number FROM numbers(3)")
	for name, want := range map[string]string{"X-Clickhouse-Query-Id": "mine", "X-Clickhouse-Format": "JSON", "Content-Type": "application/json; charset=UTF-8"} {
		if got := h.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got := h.Get("X-ClickHouse-Summary"); !strings.HasPrefix(got, `{"read_rows":"3","read_bytes":"24"`) || !strings.Contains(got, `"result_rows":"3"`) {
		t.Errorf("summary %s", got)
	}
}

func TestBridge_Gzip(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte("SELECT 4")); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if status, text, _ := ask(t, "POST", "", zipped.String(), "Content-Encoding", "gzip"); status != 200 || text != "4\n" {
		t.Errorf("answer %d %q, want 4", status, text)
	}
}

// running counts the queries that a text is part of.
func running(t *testing.T, text string) string {
	_, n, _ := ask(t, "POST", "", "SELECT count() FROM system.processes WHERE query LIKE '%"+text+"%' AND query NOT LIKE '%system.processes%'")
	return strings.TrimSpace(n)
}

func awaitRunning(t *testing.T, text, want string) {
	t.Helper()
	for end := time.Now().Add(deadline); ; time.Sleep(10 * time.Millisecond) {
		got := running(t, text)
		if got == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s queries run, want %s", got, want)
		}
	}
}

const endless = " FROM numbers(1000) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0"

func TestBridge_ClientGoes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "POST", address, strings.NewReader("SELECT 'leaves', sleepEachRow(0.1)"+endless))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if a, err := http.DefaultClient.Do(r); err == nil {
			a.Body.Close()
			t.Error("an answer before the query could end")
		}
	})
	awaitRunning(t, "leaves", "1")
	cancel()
	wg.Wait()
	awaitRunning(t, "leaves", "0")
}

func TestBridge_Kill(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() {
		status, text, h := ask(t, "POST", "query_id=victim", "SELECT 'dies', sleepEachRow(0.1)"+endless)
		if h.Get("X-ClickHouse-Exception-Code") != "394" {
			t.Errorf("answer %d %q, want code 394", status, text)
		}
	})
	awaitRunning(t, "dies", "1")
	do(t, "KILL QUERY WHERE query_id = 'other' SYNC")
	if got := running(t, "dies"); got != "1" {
		t.Errorf("%s queries run after another was killed, want 1", got)
	}
	do(t, "KILL QUERY WHERE query_id = 'victim' SYNC")
	wg.Wait()
}

func open(t *testing.T, o clickhouse.Options) driver.Conn {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	o.Addr, o.Protocol = []string{u.Host}, clickhouse.HTTP
	conn, err := clickhouse.Open(&o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn
}

func TestDriver(t *testing.T) {
	ctx := context.Background()
	do(t, "CREATE DATABASE driver")
	for name, compression := range map[string]*clickhouse.Compression{
		"none": nil, "lz4": {Method: clickhouse.CompressionLZ4}, "zstd": {Method: clickhouse.CompressionZSTD}, "gzip": {Method: clickhouse.CompressionGZIP, Level: 1},
	} {
		t.Run(name, func(t *testing.T) {
			conn := open(t, clickhouse.Options{Auth: clickhouse.Auth{Database: "driver"}, Compression: compression, Settings: clickhouse.Settings{"max_threads": 2}})
			if err := conn.Ping(ctx); err != nil {
				t.Fatal(err)
			}
			v, err := conn.ServerVersion()
			if err != nil || v.Version.Major < 26 {
				t.Errorf("version %v, %v", v, err)
			}
			table := "t_" + name
			if err := conn.Exec(ctx, "CREATE TABLE "+table+" (id UInt64, name LowCardinality(Nullable(String)), at DateTime64(3, 'UTC'), tags Array(String), price Decimal(18, 4), m Map(String, Float64)) ENGINE = MergeTree ORDER BY id"); err != nil {
				t.Fatal(err)
			}
			at := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
			batch, err := conn.PrepareBatch(ctx, "INSERT INTO "+table+" (id, name, at, tags, m)")
			if err != nil {
				t.Fatal(err)
			}
			const rows = 100_000
			for i := range rows {
				var n any
				if i%2 == 0 {
					n = fmt.Sprint("name ", i%100, ";\n\n")
				}
				if err := batch.Append(uint64(i), n, at, []string{"a", fmt.Sprint(i)}, map[string]float64{"x": 1.5}); err != nil {
					t.Fatal(err)
				}
			}
			if err := batch.Send(); err != nil {
				t.Fatal(err)
			}
			got, err := conn.Query(ctx, "SELECT id, name, at, tags, m FROM "+table+" WHERE id >= {from:UInt64} ORDER BY id", clickhouse.Named("from", "10"))
			if err != nil {
				t.Fatal(err)
			}
			n := 10
			for ; got.Next(); n++ {
				var id uint64
				var text *string
				var when time.Time
				var tags []string
				var m map[string]float64
				if err := got.Scan(&id, &text, &when, &tags, &m); err != nil {
					t.Fatal(err)
				}
				if id != uint64(n) || (text == nil) != (n%2 == 1) || !when.Equal(at) || len(tags) != 2 || tags[1] != fmt.Sprint(n) || m["x"] != 1.5 {
					t.Fatalf("row %d: %d %v %v %v %v", n, id, text, when, tags, m)
				}
			}
			if err := got.Err(); err != nil || n != rows {
				t.Errorf("%d rows, %v, want %d", n, err, rows)
			}
			got.Close()
			var refused *clickhouse.Exception
			if err := conn.Exec(ctx, "SELECT nope"); !errors.As(err, &refused) || refused.Code != 47 {
				t.Errorf("error %v, want code 47", err)
			}
			if err := conn.QueryRow(ctx, "SELECT nope").Err(); !errors.As(err, &refused) || refused.Code != 47 {
				t.Errorf("error %v, want code 47", err)
			}
			limited := clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{"max_result_rows": 10, "readonly": 2}))
			if err := conn.Exec(limited, "SELECT * FROM "+table); !errors.As(err, &refused) || refused.Code != 396 {
				t.Errorf("error %v, want code 396", err)
			}
		})
	}
}
