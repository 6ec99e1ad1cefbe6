package kuzu

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("KUZU_TEST_KILLED_WRITER"); path != "" {
		killedWriter(path)
	}
	goleak.VerifyTestMain(m)
}

var ctx = context.Background()

// small is the content of most tests: two tables, their columns, two keys.
func small(w *Writer) error {
	return errors.Join(
		w.Load(ctx, graph.SchemaTable, []string{"node_id", "table_name", "row_count", "tags", "is_partitioned", "role_confidence"}, slices.Values([][]any{
			{"c::s::orders", "orders", 5, []string{"a", "b"}, false, 0.5},
			{"c::s::users", "users", nil, nil, nil, nil},
		})),
		rest(w))
}

// vectors is small with a vector.
func vectors(w *Writer) error {
	return errors.Join(
		w.Load(ctx, graph.SchemaTable, []string{"node_id", "table_name", "row_count", "tags", "is_partitioned", "role_confidence", "embedding"}, slices.Values([][]any{
			{"c::s::orders", "orders", 5, []string{"a", "b"}, false, 0.5, []float32{0.1, 0.2, 0.3}},
			{"c::s::users", "users", nil, nil, nil, nil, nil},
		})),
		rest(w))
}

func rest(w *Writer) error {
	return errors.Join(
		w.Load(ctx, graph.SchemaColumn, []string{"node_id", "column_name"}, slices.Values([][]any{{"c::s::orders::id", "id"}})),
		w.Load(ctx, graph.HasColumn, []string{"from", "to"}, slices.Values([][]any{{"c::s::orders", "c::s::orders::id"}})),
		w.Load(ctx, graph.FKReferences, []string{"from", "to", "edge_id", "ordinal"}, slices.Values([][]any{
			{"c::s::orders", "c::s::users", "e1", 1}, {"c::s::orders", "c::s::users", "e2", 2},
		})),
	)
}

func build(t testing.TB, dimension int, fill func(*Writer) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "g.kuzu")
	if err := Build(ctx, path, dimension, Limits{}, fill); err != nil {
		t.Fatal(err)
	}
	return path
}

// smallFile is the content of the file of a graph with small.
var smallFile []byte

// buildSmall is build with small.
func buildSmall(t testing.TB) string {
	t.Helper()
	if smallFile == nil {
		b, err := os.ReadFile(build(t, 0, small))
		if err != nil {
			t.Fatal(err)
		}
		smallFile = b
	}
	path := filepath.Join(t.TempDir(), "g.kuzu")
	if err := os.WriteFile(path, smallFile, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *Reader {
	t.Helper()
	r, err := Open(path, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// rows runs a query and returns its rows as JSON, one a line.
func rows(t testing.TB, r *Reader, text string, o Options) string {
	t.Helper()
	result, err := r.Query(ctx, text, o)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return lines(t, result)
}

func lines(t testing.TB, r *Result) string {
	t.Helper()
	var list []string
	for _, row := range r.Rows {
		b, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(b))
	}
	return strings.Join(list, "\n")
}

func TestQuery_EveryKindOfValue(t *testing.T) {
	r := open(t, build(t, 3, vectors))
	for _, c := range []struct{ name, query, want string }{
		{"null and bool", "RETURN NULL, true", `[null,true]`},
		{"integers", "RETURN 1, CAST(-2 AS INT8), CAST(3 AS INT16), CAST(4 AS INT32), CAST(5 AS UINT8), CAST(6 AS UINT16), CAST(7 AS UINT32), CAST(8 AS UINT64), CAST(9 AS INT128)", `[1,-2,3,4,5,6,7,8,9]`},
		{"2^53 is a number", "RETURN 9007199254740992, -9007199254740992", `[9007199254740992,-9007199254740992]`},
		{"beyond 2^53 is a string", "RETURN 9007199254740993, -9007199254740993, CAST(18446744073709551615 AS UINT64), CAST('170141183460469231731687303715884105727' AS INT128)", `["9007199254740993","-9007199254740993","18446744073709551615","170141183460469231731687303715884105727"]`},
		{"a sum is no string", "MATCH (t:SchemaTable) RETURN sum(t.row_count)", `[5]`},
		{"floats", "RETURN 0.1, CAST(0.1 AS FLOAT), 1e300", `[0.1,0.1,1e+300]`},
		{"floats without a number", "RETURN 1.0/0.0, -1.0/0.0, sqrt(-1)", `["Infinity","-Infinity","NaN"]`},
		{"decimals", "RETURN CAST('1.25' AS DECIMAL(10,2)), CAST('1234567890123456789.25' AS DECIMAL(30,2))", `[1.25,"1234567890123456789.25"]`},
		{"string", `RETURN 'a|b "c" <é>'`, `["a|b \"c\" \u003cé\u003e"]`},
		{"uuid", "RETURN uuid('A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11')", `["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]`},
		{"dates", "RETURN date('2024-02-03'), date('9999-12-31'), date('0001-01-01')", `["2024-02-03","9999-12-31","0001-01-01"]`},
		{"timestamps", "RETURN timestamp('2024-02-03 10:00:00.123456'), timestamp('9999-12-31 10:00:00'), CAST('2024-02-03 10:00:00' AS TIMESTAMP_NS), CAST('2024-02-03 10:00:00' AS TIMESTAMP_TZ), CAST('2024-02-03 10:00:00' AS TIMESTAMP_MS), CAST('2024-02-03 10:00:00' AS TIMESTAMP_SEC)",
			`["2024-02-03T10:00:00.123456Z","9999-12-31T10:00:00Z","2024-02-03T10:00:00Z","2024-02-03T10:00:00Z","2024-02-03T10:00:00Z","2024-02-03T10:00:00Z"]`},
		{"times beside a bar", "RETURN 'a|b', date('2024-02-03'), timestamp('2024-02-03 10:00:00.5'), interval('3 days')", `["a|b","2024-02-03","2024-02-03T10:00:00.5Z","72h0m0s"]`},
		{"times in a list", "RETURN [date('2024-02-03')], [timestamp('2024-02-03 10:00:00')]", `[["2024-02-03"],["2024-02-03T10:00:00Z"]]`},
		{"interval", "RETURN interval('1 year 2 months 3 days 4 hours')", `["1 year 2 months 3 days 04:00:00"]`},
		{"blob", `RETURN BLOB('\\x00\\xAB\\x41\\x5C'), BLOB('')`, `["AKtBXA==",""]`},
		{"blob in a list", `RETURN [BLOB('\\xAB\\x41')]`, `[["q0E="]]`},
		{"lists", "RETURN [1, 2, NULL], [[1], [2]], CAST([] AS STRING[])", `[[1,2,null],[[1],[2]],[]]`},
		{"struct, map and union", "RETURN {b: 1, a: 'x'}, map(['k', 'j'], [1, 2])", `[{"a":"x","b":1},{"k":1,"j":2}]`},
		{"vector by name", "MATCH (t:SchemaTable {table_name: 'orders'}) RETURN t.embedding", `[[0.1,0.2,0.3]]`},
		{"vector in a list", "MATCH (t:SchemaTable {table_name: 'orders'}) RETURN collect(t.embedding)", `[["\u003cvector 3\u003e"]]`},
		{"node", "MATCH (t:SchemaTable {table_name: 'orders'}) RETURN t", `[{"_label":"SchemaTable","node_id":"c::s::orders","table_name":"orders","row_count":5,"tags":["a","b"],"is_partitioned":false,"role_confidence":0.5,"embedding":"\u003cvector 3\u003e"}]`},
		{"no node", "OPTIONAL MATCH (t:SchemaTable {table_name: 'none'}) RETURN t", `[null]`},
		{"edges name their ends", "MATCH ()-[e:FK_REFERENCES]->() RETURN e ORDER BY e.ordinal", `[{"_type":"FK_REFERENCES","_from":"c::s::orders","_to":"c::s::users","edge_id":"e1","ordinal":1}]` + "\n" +
			`[{"_type":"FK_REFERENCES","_from":"c::s::orders","_to":"c::s::users","edge_id":"e2","ordinal":2}]`},
		{"path", "MATCH p = (a:SchemaTable)-[:HAS_COLUMN]->(b) RETURN p", `[{"nodes":[{"_label":"SchemaTable","node_id":"c::s::orders","table_name":"orders","row_count":5,"tags":["a","b"],"is_partitioned":false,"role_confidence":0.5,"embedding":"\u003cvector 3\u003e"},{"_label":"SchemaColumn","node_id":"c::s::orders::id","column_name":"id"}],"rels":[{"_type":"HAS_COLUMN","_from":"c::s::orders","_to":"c::s::orders::id"}]}]`},
		{"edges of a variable length", "MATCH (a)-[e:HAS_COLUMN*1..2]->(b) RETURN e", `[{"nodes":[],"rels":[{"_type":"HAS_COLUMN","_from":"c::s::orders","_to":"c::s::orders::id"}]}]`},
		{"internal ids are left out", "MATCH (t:SchemaTable) RETURN id(t) LIMIT 1", `[null]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, rows(t, r, c.query, Options{})); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, query := range []string{`RETURN 'a|b', [BLOB('\\x00\\xAB')]`, `RETURN [BLOB('\\x00\\xAB')]`} {
		var e *Error
		if _, err := r.Query(ctx, query, Options{}); !errors.As(err, &e) || e.Kind != Value {
			t.Errorf("%s: %v, want an error about the value rather than a wrong one", query, err)
		}
	}
}

func TestQuery_Caps(t *testing.T) {
	r := open(t, buildSmall(t))
	result, err := r.Query(ctx, "UNWIND range(1, 5) AS x RETURN x", Options{MaxRows: 3})
	if err != nil {
		t.Fatal(err)
	}
	if lines(t, result) != "[1]\n[2]\n[3]" || result.Total != 5 || !result.Truncated() || result.Cut {
		t.Errorf("got %+v, want 3 of 5 rows", result)
	}
	result, err = r.Query(ctx, "UNWIND range(1, 3) AS x RETURN x", Options{MaxRows: 3})
	if err != nil || result.Truncated() {
		t.Errorf("exactly as many rows as allowed: %+v, %v", result, err)
	}
	result, err = r.Query(ctx, "RETURN 'éééé' AS s, 'éé' AS u, ['ab', 'cd', 'ef', 'gh'] AS l", Options{MaxCell: 3})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lines(t, result), `["ééé…","éé",["ab","… 3 more"]]`; got != want || !result.Cut {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestQuery_Errors(t *testing.T) {
	path := buildSmall(t)
	r := open(t, path)
	for _, c := range []struct {
		name, query string
		kind        Kind
		message     string
	}{
		{"parser", "MATCH (n RETURN n", Parser, "Invalid input"},
		{"unknown label", "MATCH (n:Nothing) RETURN n", Binder, "Nothing"},
		{"unknown property", "MATCH (n:SchemaTable) RETURN n.nothing", Binder, "Cannot find property nothing for n."},
		{"a percent sign in the message", "RETURN `%d %s`", Binder, "Variable %d %s is not in scope."},
		{"unknown function", "RETURN nothing(1)", Catalog, "NOTHING"},
		{"conversion", "RETURN CAST('x' AS INT64)", Runtime, "x"},
		{"write", "CREATE (:Entity {node_id: 'x'})", Transaction, "read-only"},
		{"parameter without a value", "RETURN $x", Argument, "no value for parameter $x"},
		{"too much memory", "UNWIND range(1, 10000) AS a UNWIND range(1, 100000) AS b RETURN size(collect(a))", Buffer, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := r.Query(ctx, c.query, Options{})
			var e *Error
			if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(e.Message, c.message) {
				t.Errorf("got %v, want kind %s and %q", err, c.kind, c.message)
			}
			if err != nil && strings.Contains(err.Error(), filepath.Dir(path)) {
				t.Errorf("%v has a path", err)
			}
		})
	}
	if _, err := r.Query(ctx, "RETURN 1", Options{Params: map[string]any{"y": 1}}); err == nil || err.Error() != "parameter: the query has no parameter $y" {
		t.Errorf("a parameter too many: %v", err)
	}
}

func TestQuery_Parameters(t *testing.T) {
	r := open(t, buildSmall(t))
	for _, c := range []struct {
		query  string
		params map[string]any
		want   string
	}{
		{"RETURN $a, $b, $a + 1", map[string]any{"a": int64(1), "b": "x'y"}, `[1,"x'y",2]`},
		{"RETURN $a IS NULL", map[string]any{"a": nil}, `[true]`},
		{"RETURN '$a' AS s, $a // $c", map[string]any{"a": true}, `["$a",true]`},
		{"UNWIND $l AS x RETURN x", map[string]any{"l": []string{"p", "q"}}, "[\"p\"]\n[\"q\"]"},
		{"UNWIND $l AS x RETURN x", map[string]any{"l": []string{}}, ``},
		{"RETURN size($l), $l, $z", map[string]any{"l": []int64{}, "z": "z"}, `[0,[],"z"]`},
		{"MATCH (t:SchemaTable) WHERE t.node_id IN $l RETURN count(*)", map[string]any{"l": []any{}}, `[0]`},
		{"RETURN $m", map[string]any{"m": map[string]any{}}, `[{}]`},
		{"RETURN $m", map[string]any{"m": map[string]any{"b": int64(2), "a": "x"}}, `[{"a":"x","b":2}]`},
		{"RETURN $f", map[string]any{"f": []float64{0.5, 1.5}}, `[[0.5,1.5]]`},
	} {
		if got := rows(t, r, c.query, Options{Params: c.params}); got != c.want {
			t.Errorf("%s with %v: got %s, want %s", c.query, c.params, got, c.want)
		}
	}
	if _, err := r.Query(ctx, "RETURN $m", Options{Params: map[string]any{"m": []any{[]any{}}}}); err == nil {
		t.Error("a list of an empty list was accepted")
	}
}

// slow takes minutes when nobody stops it.
const slow = "UNWIND range(1, 40000) AS a UNWIND range(1, 40000) AS b UNWIND range(1, 1000) AS c RETURN sum(a * b + c)"

func TestQuery_Timeout(t *testing.T) {
	r := open(t, buildSmall(t))
	for range 3 {
		start := time.Now()
		_, err := r.Query(ctx, slow, Options{Timeout: 100 * time.Millisecond})
		if !errors.Is(err, ErrTimeout) {
			t.Fatalf("got %v, want a timeout", err)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("returned after %v", d)
		}
		// The connection is good for the next query.
		if got := rows(t, r, "RETURN 1", Options{Timeout: 10 * time.Second}); got != "[1]" {
			t.Errorf("the query after a timeout: %s", got)
		}
	}
}

func TestQuery_Cancel(t *testing.T) {
	r := open(t, buildSmall(t))
	for _, wait := range []time.Duration{0, time.Millisecond, 50 * time.Millisecond} {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(wait, cancel)
		if _, err := r.Query(ctx, slow, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %v: %v", wait, err)
		}
		cancel()
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := r.Query(done, "RETURN 1", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	if got := rows(t, r, "MATCH (t:SchemaTable) RETURN count(*)", Options{}); got != "[2]" {
		t.Errorf("the query after: %s", got)
	}
}

func TestReader_CloseInAnyOrder(t *testing.T) {
	path := buildSmall(t)
	collect := func() {
		runtime.GC() // finalizers of what was left open would crash here
		runtime.Gosched()
		runtime.GC()
	}
	for round := range 20 {
		a, b := open(t, path), open(t, path)
		for _, q := range []string{"MATCH (n) RETURN n", "RETURN nothing(1)", "MATCH (n RETURN", "RETURN $x"} {
			a.Query(ctx, q, Options{MaxRows: 1})
			b.Query(ctx, q, Options{Params: map[string]any{"x": 1}})
		}
		first, second := a, b
		if round%2 == 1 {
			first, second = b, a
		}
		first.Close()
		collect()
		if got := rows(t, second, "MATCH (t:SchemaTable) RETURN count(*)", Options{}); got != "[2]" {
			t.Fatalf("after the other was closed: %s", got)
		}
		second.Close()
		first.Close()
		collect()
		if _, err := first.Query(ctx, "RETURN 1", Options{}); !errors.Is(err, ErrClosed) {
			t.Fatalf("a query after Close: %v", err)
		}
	}
	// Close waits for a query that runs.
	r := open(t, path)
	started := make(chan struct{})
	var got error
	var wg sync.WaitGroup
	wg.Go(func() {
		close(started)
		_, got = r.Query(ctx, slow, Options{Timeout: 200 * time.Millisecond})
	})
	<-started
	for {
		r.engine.mu.Lock()
		busy := len(r.engine.idle) == 0
		r.engine.mu.Unlock()
		if busy {
			break
		}
	}
	r.Close()
	wg.Wait()
	if !errors.Is(got, ErrTimeout) && !errors.Is(got, ErrClosed) {
		t.Errorf("the query that ran during Close: %v", got)
	}
	collect()
}

func TestReader_Parallel(t *testing.T) {
	path := buildSmall(t)
	a, b := open(t, path), open(t, path)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := []*Reader{a, b}[i%2]
			for range 20 {
				result, err := r.Query(ctx, "MATCH (t:SchemaTable)-[:HAS_COLUMN]->(c) RETURN t.table_name, c.column_name", Options{})
				if err != nil || len(result.Rows) != 1 {
					t.Errorf("%v, %v", result, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestOpen_Errors(t *testing.T) {
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage.kuzu")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("not a graph ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty.kuzu")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, want string }{
		{"empty", empty, `opening graph "empty.kuzu": damaged, there is nothing in it`},
		{"missing", filepath.Join(dir, "none.kuzu"), `opening graph "none.kuzu": there is no graph`},
		{"no folder", filepath.Join(dir, "none", "g.kuzu"), `opening graph "g.kuzu": its folder does not exist`},
		{"a folder", dir, fmt.Sprintf("opening graph %q: not a regular file", filepath.Base(dir))},
		{"garbage", garbage, `opening graph "garbage.kuzu": damaged, of another version of the engine, or open for writing elsewhere`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Open(c.path, Limits{})
			if err == nil {
				r.Close()
				t.Fatal("opened")
			}
			if err.Error() != c.want {
				t.Errorf("got %q, want %q", err, c.want)
			}
		})
	}
	if _, err := Open(filepath.Join(dir, "none.kuzu"), Limits{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a missing graph: %v, want ErrNotFound", err)
	}
}

// files lists a folder with the digests of its files.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		list[strings.TrimPrefix(path, dir)] = fmt.Sprintf("%x", sha256.Sum256(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestBuild_LeavesOneFile(t *testing.T) {
	path := build(t, 0, small)
	got := files(t, filepath.Dir(path))
	if len(got) != 2 || got["/g.kuzu"] == "" || got["/g.kuzu.lock"] == "" {
		t.Errorf("got files %v, want the graph and its lock", got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestRemove(t *testing.T) {
	path := build(t, 0, small)
	dir := filepath.Dir(path)
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path+workPattern+"1", "half"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing
		if err := Remove(path); err != nil {
			t.Error(err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != "other" {
		t.Errorf("left: %v, %v", left, err)
	}
	if err := Remove(filepath.Join(dir, "no folder", "x")); err != nil {
		t.Error(err)
	}
}

func TestBuild_ReplacesUnderReaders(t *testing.T) {
	path := buildSmall(t)
	old := open(t, path)
	if err := Build(ctx, path, 0, Limits{}, func(w *Writer) error {
		return w.Load(ctx, graph.SchemaTable, []string{"node_id"}, slices.Values([][]any{{"only"}}))
	}); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, old, "MATCH (t:SchemaTable)-[e]->(x) RETURN count(*)", Options{}); got != "[3]" {
		t.Errorf("the old reader sees %s", got)
	}
	if got := rows(t, open(t, path), "MATCH (t:SchemaTable) RETURN t.node_id", Options{}); got != `["only"]` {
		t.Errorf("a new reader sees %s", got)
	}
}

func TestBuild_FailureKeepsTheOld(t *testing.T) {
	path := build(t, 0, small)
	before := files(t, filepath.Dir(path))
	wrong := errors.New("wrong")
	cancelled, cancel := context.WithCancel(ctx)
	for name, run := range map[string]func() error{
		"fill fails": func() error { return Build(ctx, path, 0, Limits{}, func(*Writer) error { return wrong }) },
		"fill fails at its end": func() error {
			return Build(ctx, path, 0, Limits{}, func(w *Writer) error { return errors.Join(small(w), wrong) })
		},
		"keys twice": func() error {
			return Build(ctx, path, 0, Limits{}, func(w *Writer) error { return errors.Join(small(w), small(w)) })
		},
		"the context ends": func() error { return Build(cancelled, path, 0, Limits{}, func(*Writer) error { cancel(); return nil }) },
	} {
		if err := run(); err == nil {
			t.Errorf("%s: no error", name)
		}
		if diff := cmp.Diff(before, files(t, filepath.Dir(path))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of fill was swallowed")
			}
		}()
		Build(ctx, path, 0, Limits{}, func(*Writer) error { panic("fill") })
	}()
	if diff := cmp.Diff(before, files(t, filepath.Dir(path))); diff != "" {
		t.Errorf("after a panic: %s", diff)
	}
	if err := Build(ctx, path, 0, Limits{}, func(*Writer) error { return nil }); err != nil {
		t.Errorf("the lock was not given back: %v", err)
	}
}

func TestBuild_SecondWriterIsRefused(t *testing.T) {
	path := build(t, 0, small)
	err := Build(ctx, path, 0, Limits{}, func(*Writer) error {
		var locked *LockedError
		err := Build(ctx, path, 0, Limits{}, small)
		if !errors.As(err, &locked) || locked.PID != os.Getpid() {
			t.Errorf("got %v, want a refusal with the process", err)
		}
		if want := fmt.Sprintf("graph %q is being written by process %d", "g.kuzu", os.Getpid()); err == nil || err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		open(t, path) // readers are not
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// killedWriter is the other process of TestBuild_KilledWriter: it loads until it is
// killed.
func killedWriter(path string) {
	err := Build(ctx, path, 0, Limits{}, func(w *Writer) error {
		for i := 0; ; i++ {
			var list [][]any
			for j := range 5000 {
				list = append(list, []any{fmt.Sprintf("t%d.%d", i, j)})
			}
			if err := w.Load(ctx, graph.SchemaTable, []string{"node_id"}, slices.Values(list)); err != nil {
				return err
			}
			fmt.Println("loaded", i)
		}
	})
	fmt.Println(err)
	os.Exit(1)
}

func TestBuild_KilledWriter(t *testing.T) {
	path := build(t, 0, small)
	before := files(t, filepath.Dir(path))["/g.kuzu"]
	for _, loads := range []int{1, 3} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "KUZU_TEST_KILLED_WRITER="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for seen := 0; seen < loads; {
			var what string
			var n int
			if _, err := fmt.Fscanln(out, &what, &n); err != nil || what != "loaded" {
				t.Fatalf("the writer said %q, %v", what, err)
			}
			seen++
		}
		if err := Build(ctx, path, 0, Limits{}, small); err == nil || !strings.Contains(err.Error(), fmt.Sprint(cmd.Process.Pid)) {
			t.Errorf("beside the other process: %v, want its number", err)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		left := files(t, filepath.Dir(path))
		if left["/g.kuzu"] != before || len(left) < 3 {
			t.Fatalf("after the kill there are %v, want the old graph and leftovers", left)
		}
		if got := rows(t, open(t, path), "MATCH (t:SchemaTable) RETURN count(*)", Options{}); got != "[2]" {
			t.Errorf("the old graph has %s tables", got)
		}
	}
	if err := Build(ctx, path, 0, Limits{}, func(w *Writer) error {
		return w.Load(ctx, graph.SchemaTable, []string{"node_id"}, slices.Values([][]any{{"new"}}))
	}); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, open(t, path), "MATCH (t:SchemaTable) RETURN count(*)", Options{}); got != "[1]" {
		t.Errorf("the new graph has %s tables", got)
	}
	if left := files(t, filepath.Dir(path)); len(left) != 2 {
		t.Errorf("leftovers stayed: %v", left)
	}
}

func TestBuild_HasTheWholeSchema(t *testing.T) {
	path := build(t, 3, small)
	r := open(t, path)
	check := func(name string, list []graph.Property, edge bool) {
		got := map[string]string{}
		result, err := r.Query(ctx, fmt.Sprintf("CALL table_info('%s') RETURN name, type", name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range result.Rows {
			got[row[0].(string)] = row[1].(string)
		}
		want := map[string]string{}
		for _, p := range list {
			want[p.Name] = p.Type
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, l := range graph.Labels(3) {
		check(l.Name, l.Properties, false)
	}
	for _, e := range graph.EdgeTypes() {
		check(e.Name, e.Properties, true)
	}
	result, err := r.Query(ctx, "CALL show_tables() RETURN name", Options{})
	if err != nil || len(result.Rows) != len(graph.Labels(3))+len(graph.EdgeTypes()) {
		t.Errorf("%d tables, %v", len(result.Rows), err)
	}
}

func TestLoad_Errors(t *testing.T) {
	for _, c := range []struct {
		name    string
		load    func(w *Writer) error
		message string
	}{
		{"unknown label", func(w *Writer) error { return w.Load(ctx, "Nothing", []string{"node_id"}, nil) }, `loading "Nothing": no label or edge type of this name`},
		{"unknown property", func(w *Writer) error { return w.Load(ctx, "Entity", []string{"node_id", "x"}, nil) }, `loading Entity: no property "x"`},
		{"no key", func(w *Writer) error { return w.Load(ctx, "Entity", []string{"name"}, nil) }, `loading Entity: no column node_id`},
		{"no ends", func(w *Writer) error { return w.Load(ctx, "CONSUMES", []string{"op"}, nil) }, `loading CONSUMES: the first two columns must be the keys of the ends`},
		{"short row", func(w *Writer) error {
			return w.Load(ctx, "Entity", []string{"node_id", "name"}, slices.Values([][]any{{"a"}}))
		}, `loading Entity: row 0 has 1 values, want 2`},
		{"wrong type", func(w *Writer) error {
			return w.Load(ctx, "Entity", []string{"node_id", "name"}, slices.Values([][]any{{"a", 5}}))
		}, `loading Entity: row 0, column 1: a value of type int64 does not fit STRING`},
		{"the smallest integer", func(w *Writer) error {
			return w.Load(ctx, "SchemaTable", []string{"node_id", "row_count"}, slices.Values([][]any{{"a", int64(math.MinInt64)}}))
		}, `loading SchemaTable: row 0, column 1: a value of type int64 does not fit INT64`},
		{"a key twice", func(w *Writer) error {
			return w.Load(ctx, "Entity", []string{"node_id"}, slices.Values([][]any{{"a"}, {"a"}}))
		}, `loading Entity: runtime: `},
		{"a key twice among many", func(w *Writer) error {
			return w.Load(ctx, "Entity", []string{"node_id"}, slices.Values(slices.Repeat([][]any{{"a"}}, fewRows+1)))
		}, `loading Entity: copy: `},
		{"no such end", func(w *Writer) error {
			return w.Load(ctx, "SAME_ENTITY", []string{"a", "b"}, slices.Values([][]any{{"x", "y"}}))
		}, `loading SAME_ENTITY: copy: `},
		{"vector of another length", func(w *Writer) error {
			return w.Load(ctx, "SchemaTable", []string{"node_id", "embedding"}, slices.Values([][]any{{"a", []float32{1}}}))
		}, `loading SchemaTable: `},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			err := Build(ctx, filepath.Join(dir, "g.kuzu"), 2, Limits{}, c.load)
			if err == nil || !strings.HasPrefix(err.Error(), c.message) {
				t.Errorf("got %v, want %q", err, c.message)
			}
			if err != nil && strings.Contains(err.Error(), dir) {
				t.Errorf("%v has a path", err)
			}
		})
	}
}

// What is loaded is what is read, whatever is in the strings: from the log and from
// the finished file, and whether it is loaded in small parts or in bulk.
func TestLoad_RoundTrip(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("\",\n\r\t\\|=[]{}'`\x1f\x1e\ue000 \u2028NULL")), 0, 12, -1))
	clean := func(s string) string { // what Load says it does
		return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	}
	columns := []string{"node_id", "comment", "row_count", "is_partitioned", "role_confidence", "tags"}
	const read = " RETURN t.node_id, t.comment, t.row_count, t.is_partitioned, t.role_confidence, t.tags"
	compare := func(t rapid.TB, want map[string][]any, result *Result, err error) {
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]any{}
		for _, row := range result.Rows {
			got[row[0].(string)] = row
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
	all := map[string][]any{}
	var bulk [][]any
	round := 0
	path := build(t, 0, func(w *Writer) error {
		rapid.Check(t, func(t *rapid.T) {
			round++
			var list [][]any
			want := map[string][]any{}
			for i := range rapid.IntRange(1, 20).Draw(t, "rows") {
				list = append(list, []any{
					fmt.Sprintf("%d.%d", round, i),
					rapid.SampledFrom([]any{nil, text.Draw(t, "s")}).Draw(t, "string"),
					rapid.SampledFrom([]any{nil, rapid.Int64Range(-1<<53, 1<<53).Draw(t, "i")}).Draw(t, "int"),
					rapid.SampledFrom([]any{nil, rapid.Bool().Draw(t, "b")}).Draw(t, "bool"),
					rapid.SampledFrom([]any{nil, rapid.Float64().Draw(t, "f")}).Draw(t, "float"),
					rapid.SampledFrom([]any{nil, rapid.SliceOfN(text, 0, 4).Draw(t, "l")}).Draw(t, "list"),
				})
				row := slices.Clone(list[i])
				if s, ok := row[1].(string); ok {
					row[1] = clean(s)
				}
				if l, ok := row[5].([]string); ok {
					elements := []any{}
					for _, s := range l {
						elements = append(elements, clean(s))
					}
					row[5] = elements
				}
				want[row[0].(string)] = row
			}
			if err := w.Load(ctx, graph.SchemaTable, columns, slices.Values(list)); err != nil {
				t.Fatal(err)
			}
			result, err := w.Query(ctx, "MATCH (t:SchemaTable) WHERE t.node_id STARTS WITH $round"+read, Options{Params: map[string]any{"round": fmt.Sprintf("%d.", round)}})
			compare(t, want, result, err)
			maps.Copy(all, want)
			bulk = append(bulk, list...)
		})
		return nil
	})
	result, err := open(t, path).Query(ctx, "MATCH (t:SchemaTable)"+read, Options{})
	compare(t, all, result, err)

	for i := range fewRows {
		row := []any{fmt.Sprint(i), nil, nil, nil, nil, nil}
		bulk = append(bulk, row)
		all[row[0].(string)] = row
	}
	path = build(t, 0, func(w *Writer) error { return w.Load(ctx, graph.SchemaTable, columns, slices.Values(bulk)) })
	result, err = open(t, path).Query(ctx, "MATCH (t:SchemaTable)"+read, Options{})
	compare(t, all, result, err)
}

// many loads n tables and edges edges between them.
func many(w *Writer, n, edges int) error {
	tables := make([][]any, n)
	for i := range tables {
		tables[i] = []any{fmt.Sprintf("c::public::table_%d", i), "c", fmt.Sprintf("table_%d", i), i, []string{"tag"}}
	}
	joins := make([][]any, edges)
	for i := range joins {
		joins[i] = []any{tables[i%n][0], tables[i*7919%n][0], fmt.Sprintf("e%d", i), "customer_id", "id", "heuristic", 0.85, "customer_id is named after customers"}
	}
	return errors.Join(
		w.Load(ctx, graph.SchemaTable, []string{"node_id", "connection_name", "table_name", "row_count", "tags"}, slices.Values(tables)),
		w.Load(ctx, graph.InferredJoin, []string{"from", "to", "edge_id", "source_column", "target_column", "source", "confidence", "reasoning"}, slices.Values(joins)))
}

func TestLoad_FiftyThousandEdges(t *testing.T) {
	var took time.Duration
	path := build(t, 0, func(w *Writer) error {
		start := time.Now()
		err := many(w, 10_000, 50_000)
		took = time.Since(start)
		return err
	})
	start := time.Now()
	r := open(t, path)
	opened := time.Since(start)
	if got := rows(t, r, "MATCH (:SchemaTable)-[e:INFERRED_JOIN]->(:SchemaTable) RETURN count(e)", Options{}); got != "[50000]" {
		t.Errorf("got %s edges", got)
	}
	start = time.Now()
	result, err := r.Query(ctx, "MATCH ()-[e:INFERRED_JOIN]->() RETURN e", Options{MaxRows: 1000})
	if err != nil || len(result.Rows) != 1000 || result.Rows[999][0].(Object)[1].Value == nil {
		t.Errorf("%d rows, %v", len(result.Rows), err)
	}
	t.Logf("10,000 tables and 50,000 edges loaded in %v, opened in %v, 1,000 edges with their ends in %v", took, opened, time.Since(start))
}

func BenchmarkLoad_FiftyThousandEdges(b *testing.B) {
	for b.Loop() {
		build(b, 0, func(w *Writer) error { return many(w, 10_000, 50_000) })
	}
}

func BenchmarkQuery(b *testing.B) {
	r := open(b, buildSmall(b))
	for b.Loop() {
		rows(b, r, "MATCH (t:SchemaTable) RETURN t.node_id, t.row_count", Options{Timeout: time.Second})
	}
}

// The engine cannot close a graph that a full disk left in the midst of a transaction.
func TestBuild_AfterAFailedWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.kuzu")
	full := &Error{Kind: IO, Message: "Cannot write to file"}
	if err := Build(t.Context(), path, 0, Limits{}, func(*Writer) error { return full }); !errors.Is(err, full) {
		t.Fatalf("got %v, want %v", err, full)
	}
	if err := Build(t.Context(), path, 0, Limits{}, func(*Writer) error { return nil }); err != nil {
		t.Errorf("the next write: %v", err)
	}
}
