package tools

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/cypher/cyphertest"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// graphs serves the data with their graph files. When the test ends no process and
// nothing in the folder for temporary files may be left.
func graphs(t testing.TB, hide func(*catalog.Data) *catalog.Data, data ...*catalog.Data) *world {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	w := serve(t, nil, data...)
	w.sv.Store = store.New(w.dir, w.reg, store.Options{AliasSources: 1, Hide: hide})
	for _, d := range data {
		w.putGraph(d)
	}
	w.sv.Graphs = NewGraphs(GraphsOptions{Dir: w.dir, Write: func(ctx context.Context, path string, c *catalog.Catalog) error {
		return index.WriteGraph(ctx, path, c, "test")
	}})
	t.Cleanup(func() {
		w.sv.Graphs.Close()
		if left := files(t, temp); len(left) > 0 {
			t.Errorf("files are left: %v", left)
		}
		if left := workers(t); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
	})
	return w
}

// putGraph writes the graph file of an index.
func (w *world) putGraph(d *catalog.Data) {
	w.t.Helper()
	path, err := w.dir.Graph(d.Connection)
	if err == nil {
		err = index.WriteGraph(context.Background(), path, catalog.New(*d, 1), "test")
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// files lists what is in a folder with its digests.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			if path != dir {
				out[path] = "folder"
			}
			return nil
		}
		b, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%x", sha256.Sum256(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// workers are the child processes of this one.
func workers(t testing.TB) []int {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, f := range lists {
		b, _ := os.ReadFile(f)
		for _, s := range strings.Fields(string(b)) {
			pid, err := strconv.Atoi(s)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// untilBusy waits until the one worker, which was idle, computes.
func untilBusy(t testing.TB) {
	t.Helper()
	ticks := func() (sum int) {
		for _, pid := range workers(t) {
			b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			_, rest, _ := strings.Cut(string(b), ") ")
			if f := strings.Fields(rest); len(f) > 12 {
				user, _ := strconv.Atoi(f[11])
				system, _ := strconv.Atoi(f[12])
				sum += user + system
			}
		}
		return sum
	}
	first := ticks()
	until(t, "the query runs", func() bool { return ticks() > first+5 })
}

// ask is the arguments of a query.
func ask(query, more string) string {
	b, err := json.Marshal(query)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"query":%s,"database":"shop"%s}`, b, more)
}

func TestCypher_Answers(t *testing.T) {
	w := graphs(t, nil, shop(t))
	for query, want := range map[string]string{
		"MATCH (t:SchemaTable {table_name: 'orders'})<-[:FK_REFERENCES]-(x) RETURN t.table_name, count(*) AS fk_in": `{"rows":[{"t.table_name":"orders","fk_in":1}],"row_count":1}`,
		"MATCH (t:SchemaTable) WHERE t.schema_name = 'raw' RETURN t.table_name AS b, t.schema_name AS a":            `{"rows":[{"b":"events","a":"raw"}],"row_count":1}`,
		"MATCH (t:SchemaTable) WHERE false RETURN t.table_name":                                                     `{"rows":[],"row_count":0}`,
		"RETURN 9007199254740993 AS big, 9007199254740991 AS small, 'é<>&\u202e' AS s, NULL AS n":                   `{"rows":[{"big":"9007199254740993","small":9007199254740991,"s":"é<>&` + "\u202e" + `","n":null}],"row_count":1}`,
		"MATCH (t:SchemaTable) WHERE t.table_name CONTAINS '\"' RETURN t.table_name AS n":                           `{"rows":[{"n":"Odd \"Name\""}],"row_count":1}`,
	} {
		if got := w.good("cypher", ask(query, ""), nil); got != want {
			t.Errorf("%s\n got %s\nwant %s", query, got, want)
		}
	}
	var node struct{ Rows []map[string]map[string]any }
	w.good("cypher", ask("MATCH (t:SchemaTable {table_name: 'orders'}) RETURN t", ""), &node)
	if got := node.Rows[0]["t"]; got["_label"] != "SchemaTable" || got["node_id"] != "shop::public::orders" || got["schema_name"] != "public" || got["_id"] != nil {
		t.Errorf("a node: %v", got)
	}
	var edge struct{ Rows []map[string]map[string]any }
	w.good("cypher", ask("MATCH (a)-[e:FK_REFERENCES {source_column: 'manager_id'}]->(b) RETURN e", ""), &edge)
	if got := edge.Rows[0]["e"]; got["_type"] != "FK_REFERENCES" || got["_from"] != "shop::public::employees" || got["_to"] != "shop::public::employees" {
		t.Errorf("an edge: %v", got)
	}
}

// A vector comes by name alone.
func TestCypher_Vectors(t *testing.T) {
	d := shop(t)
	d.Vectors = catalog.Vectors{Model: "m", Dim: 3, Tables: make([][]float32, len(d.Tables))}
	for i := range d.Vectors.Tables {
		d.Vectors.Tables[i] = []float32{1, 0.5, -2}
	}
	w := graphs(t, nil, d)
	if got := w.good("cypher", ask("MATCH (t:SchemaTable {table_name: 'orders'}) RETURN t.embedding AS v", ""), nil); got != `{"rows":[{"v":[1,0.5,-2]}],"row_count":1}` {
		t.Errorf("got %s", got)
	}
	if got := w.good("cypher", ask("MATCH (t:SchemaTable {table_name: 'orders'}) RETURN t", ""), nil); !strings.Contains(got, `"embedding":"<vector 3>"`) {
		t.Errorf("got %s", got)
	}
}

func TestCypher_Bounds(t *testing.T) {
	w := graphs(t, nil, shop(t))
	var r struct {
		Rows      []struct{ S string }
		Count     int `json:"row_count"`
		Truncated bool
		Total     int `json:"total_rows"`
		Warning   string
	}
	w.good("cypher", ask("UNWIND range(1, 5000) AS i RETURN i", ""), &r)
	if len(r.Rows) != 1000 || r.Count != 1000 || !r.Truncated || r.Total != 5000 || !strings.Contains(r.Warning, "there are 5000 rows and at most 1000 are shown") {
		t.Errorf("many rows: %d %d %v %d %q", len(r.Rows), r.Count, r.Truncated, r.Total, r.Warning)
	}
	long := strings.Repeat("é", 5000)
	w.good("cypher", ask("RETURN '"+long+"' AS s", ""), &r)
	if want := strings.Repeat("é", 4000) + "…"; r.Rows[0].S != want || r.Warning != "cells of more than 4000 characters were shortened" {
		t.Errorf("a long cell: %d bytes, %q", len(r.Rows[0].S), r.Warning)
	}
	r.Truncated, r.Total = false, 0
	text := w.good("cypher", ask("UNWIND range(1, 900) AS i RETURN '"+strings.Repeat("x", 300)+"' AS s", ""), &r)
	if len(text) > maxAnswer || r.Count != len(r.Rows) || r.Count < 150 || !r.Truncated || r.Total != 900 || strings.Count(r.Warning, "rows") != 1 {
		t.Errorf("a long answer: %d characters, %d rows, %v %d %q", len(text), r.Count, r.Truncated, r.Total, r.Warning)
	}
	// A list that is cut twice does not claim the rows of the first cut.
	text = w.good("cypher", ask("UNWIND range(1, 5000) AS i RETURN '"+strings.Repeat("x", 300)+"' AS s", ""), &r)
	if len(text) > maxAnswer || r.Count != len(r.Rows) || r.Count >= 1000 || r.Total != 5000 || strings.Contains(r.Warning, "the first 1000") {
		t.Errorf("a long answer of many rows: %d rows of %d, %q", r.Count, r.Total, r.Warning)
	}
	w.sv.CypherRows = 2
	if got := w.good("cypher", ask("UNWIND range(1, 3) AS i RETURN i", ""), nil); !strings.HasPrefix(got, `{"rows":[{"i":1},{"i":2}],"row_count":2,"truncated":true,"total_rows":3,"warning":"there are 3 rows`) {
		t.Errorf("two rows: %s", got)
	}
}

func TestCypher_Refusals(t *testing.T) {
	w := graphs(t, nil, shop(t))
	w.refusals("cypher", map[string]string{
		ask("MATCH (t) DELETE t", ""):              `{"error":"The query was not run: \"DELETE\" at line 1, column 11: only reading is allowed here; a name that is also a command goes in backticks.","code":"write_rejected","hint":"The graph can only be read: use MATCH, WHERE, WITH, UNWIND and RETURN."}`,
		ask(" \n", ""):                             `{"error":"query is empty.","code":"invalid_argument","hint":"Give one Cypher query."}`,
		ask("RETURN 1", `,"timeout_seconds":0.05`): `{"error":"timeout_seconds must be between 0.1 and 120, got 0.05.","code":"invalid_argument"}`,
		ask("RETURN 1", `,"timeout_seconds":121`):  `{"error":"timeout_seconds must be between 0.1 and 120, got 121.","code":"invalid_argument"}`,
		`{"query":"RETURN 1","database":"shp"}`:    `{"error":"No connection named 'shp'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop"]}`,
		`{"query":"RETURN 1"}`:                     `{"error":"cypher needs the argument 'database'.","code":"invalid_argument","hint":"give it as text","candidates":["shop"]}`,

		ask("MATCH (t:SchemaTable) RETURN t.table_name AS desc", ""):                           `{"error":"The query failed: it is no Cypher at line 1, column 46, at 'desc'.","code":"query_failed","hint":"desc is a reserved word: choose another name, or write ` + "`desc`" + `."}`,
		ask("MATCH (t:SchemaTable)\n// é\nRETURN t.table_name AS a, 1 AS\n  Order", ""):        `{"error":"The query failed: it is no Cypher at line 4, column 3, at 'Order'.","code":"query_failed","hint":"Order is a reserved word: choose another name, or write ` + "`Order`" + `."}`,
		ask("MATCH (t:SchemaTable) RETURN t.schema_name, count(*) GROUP BY t.schema_name", ""): `{"error":"The query failed: it is no Cypher at line 1, column 54, at 'GROUP'.","code":"query_failed","hint":"There is no GROUP BY: what is returned beside an aggregate is what it is grouped by."}`,
		ask("MATCH (t:SchemaTable) RETURN", ""):                                                `{"error":"The query failed: it is no Cypher at line 1, column 29, where it ends.","code":"query_failed"}`,
		ask("MATCH (a)-[e:HAS_COLUMN]->(b) RETURN e.kind", ""):                                 `{"error":"The query failed: Cannot find property kind for e.","code":"query_failed","hint":"HAS_COLUMN has no properties."}`,
		ask("MATCH (a)-[e:IN_CLUSTER|FK_REFERENCE]->(b) RETURN e", ""):                         `{"error":"The query failed: Table FK_REFERENCE does not exist.","code":"query_failed","hint":"Labels: SchemaTable, SchemaColumn, Entity, Cluster, JoinPath, MetricTemplate, ExternalConsumer, Metric, Dimension, BusinessRule, GraphMeta. Edge types: HAS_COLUMN, HAS_SUBCOLUMN, REPRESENTS, FK_REFERENCES, INFERRED_JOIN, LINEAGE, SAME_ENTITY, IN_CLUSTER, METRIC_DEPENDS, CONSUMES, METRIC_DEPENDS_ON, DIMENSION_LEVEL, RULE_APPLIES_TO.","candidates":["FK_REFERENCES"]}`,
		ask("MATCH (c:Cluster) WHERE c.lable = 'x' RETURN c", ""):                              `{"error":"The query failed: Cannot find property lable for c.","code":"query_failed","hint":"Cluster has node_id, database_key, connection_name, label, description, cohesion_score, table_count, stale, schema_pattern.","candidates":["label"]}`,
		ask("MATCH (a:SchemaTable)-[:FK_REFERENCES*1..31]->(b) RETURN count(*)", ""):           `{"error":"The query failed: Upper bound of rel exceeds maximum: 30.","code":"query_failed","hint":"A variable-length pattern has at most 30 steps; a few are enough: *1..4."}`,
		ask("RETURN 1 AS a UNION RETURN 1 AS a, 2 AS b", ""):                                   `{"error":"The query failed: The number of columns to union/union all must be the same.","code":"query_failed","hint":"Both sides of UNION return as many columns, of the same names and types."}`,
		ask("MATCH (t:SchemaTable), (t:Cluster) RETURN t", ""):                                 `{"error":"The query failed: the graph engine cannot run it in this form.","code":"query_failed","hint":"Give each variable one label, and write the query in smaller steps with WITH."}`,
		ask("MATCH ()-[e]->() RETURN type(e)", ""):                                             `{"error":"The query was not run: \"type\" at line 1, column 25: no function of this name may be called here.","code":"write_rejected","hint":"label(x) gives the type of an edge and the label of a node."}`,
		ask("MATCH (order:SchemaTable) RETURN order", ""):                                      `{"error":"The query failed: it is no Cypher at line 1, column 8, at 'order'.","code":"query_failed","hint":"order is a reserved word: choose another name, or write ` + "`order`" + `."}`,
		ask("RETURN 'é' AS a,\r\n'é' AS `b`, 'é' AS end", ""):                                  `{"error":"The query failed: it is no Cypher at line 2, column 20, at 'end'.","code":"query_failed","hint":"end is a reserved word: choose another name, or write ` + "`end`" + `."}`,
		ask("RETURN 1 AS a, 2 AS a", ""):                                                       `{"error":"The query failed: Multiple result column with the same name a are not supported.","code":"query_failed","hint":"Name the columns apart with AS."}`,
	})
	if f := w.bad("cypher", ask("MATCH (c:Column) RETURN c", "")); f.Code != queryFailed || len(f.Candidates) == 0 || f.Candidates[0] != "SchemaColumn" || !strings.HasPrefix(f.Hint, "Labels: SchemaTable, ") {
		t.Errorf("a reserved word for a label: %+v", f)
	}
	if f := w.bad("cypher", ask("MATCH (t:SchemaTable) RETURN t.tablename", "")); f.Code != queryFailed || len(f.Candidates) == 0 || f.Candidates[0] != "table_name" || !strings.HasPrefix(f.Hint, "SchemaTable has node_id, connection_name, ") {
		t.Errorf("an unknown property: %+v", f)
	}
}

func TestCypher_GraphDamagedWhileItIsOpen(t *testing.T) {
	d := database{Entry: registry.Entry{Name: "shop"}, Catalog: &catalog.Catalog{}}
	err := cypherFailed(&kuzu.Error{Kind: kuzu.IO, Message: "Cannot read from file: shop.kuzu fileDescriptor: 6"}, d, "RETURN 1", time.Second)
	var p *store.Problem
	if !errors.As(err, &p) || p.Code != store.GraphUnreadable || strings.Contains(p.Message+p.Hint, "fileDescriptor") {
		t.Errorf("got %v, want the error of a graph that cannot be read", err)
	}
}

func TestCypher_NoGraph(t *testing.T) {
	w := graphs(t, nil, shop(t))
	path, err := w.dir.Graph("shop")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("no graph ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	w.refusals("cypher", map[string]string{
		ask("RETURN 1", ""): `{"error":"The graph of 'shop' cannot be read.","code":"graph_unreadable","hint":"Run: pretensor index shop"}`,
	})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.refusals("cypher", map[string]string{
		ask("RETURN 1", ""): `{"error":"The graph of 'shop' is gone.","code":"graph_missing","hint":"Run: pretensor index shop"}`,
	})
	w.sv.Graphs.Close()
	unavailable := map[string]string{
		ask("RETURN 1", ""): `{"error":"The graph engine is not available.","code":"engine_unavailable","hint":"The other tools work without it."}`,
	}
	w.refusals("cypher", unavailable)
	before := w.sv.Graphs
	w.sv.Graphs = NewGraphs(GraphsOptions{Dir: w.dir, Executable: "/does/not/exist"})
	w.putGraph(shop(t))
	w.refusals("cypher", unavailable)
	w.sv.Graphs.Close()
	w.sv.Graphs = nil
	w.refusals("cypher", unavailable)
	w.sv.Graphs = before
}

// No attack changes a byte of the state directory or leaves a file.
func TestCypher_AttacksAreRefused(t *testing.T) {
	w := graphs(t, nil, shop(t))
	w.good("cypher", ask("RETURN 1", ""), nil)
	before, here := files(t, w.dir.Path()), files(t, ".")
	attacks := cyphertest.Queries(t, "../cypher/testdata/attacks.txt")
	if len(attacks) < 300 {
		t.Errorf("only %d attacks", len(attacks))
	}
	for _, q := range attacks {
		if !utf8.ValidString(q) { // JSON cannot carry it
			continue
		}
		if f := w.bad("cypher", ask(q, "")); f.Code != writeRejected && (f.Code != invalidArgument || strings.TrimSpace(q) != "") {
			t.Errorf("%q: %+v", q, f)
		}
	}
	for _, q := range cyphertest.Queries(t, "../cypher/testdata/harmless.txt") {
		w.call("cypher", ask(q, ""))
	}
	if diff := cmp.Diff(before, files(t, w.dir.Path())); diff != "" {
		t.Errorf("the state directory has changed: %s", diff)
	}
	if diff := cmp.Diff(here, files(t, ".")); diff != "" {
		t.Errorf("the working directory has changed: %s", diff)
	}
	for path := range files(t, os.Getenv("TMPDIR")) {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			t.Errorf("a file was written: %s", path)
		}
	}
}

func TestCypher_BenignQueriesAnswer(t *testing.T) {
	w := graphs(t, nil, shop(t))
	for _, q := range cyphertest.Queries(t, "../cypher/testdata/benign.txt") {
		if text, failed := w.call("cypher", ask(q, `,"timeout_seconds":20`)); failed {
			t.Errorf("%s: %s", q, text)
		}
	}
}

// dense is an index of n tables, each with keys to the next eight.
func dense(t testing.TB, n int) *catalog.Data {
	var ddl strings.Builder
	for i := range n {
		fmt.Fprintf(&ddl, "create table t%d (id bigint primary key", i)
		for k := 1; k <= 8; k++ {
			fmt.Fprintf(&ddl, ", c%d bigint references t%d", k, (i+k)%n)
		}
		ddl.WriteString(");\n")
	}
	db := modeltest.FromDDL(t, sqltree.Postgres, "public", ddl.String())
	db.Name = "shop"
	d := index.Analyse("shop", db, index.Settings{AliasSources: 1, MinClusterSize: 3, SameNameMaxTables: 8, PathDepth: 1})
	d.Generation, d.BuiltAt = "g1", today.Add(-24*time.Hour)
	return d
}

// endless is a query that would take years.
const endless = "MATCH (a:SchemaTable), (b:SchemaTable), (c:SchemaTable), (d:SchemaTable), (e:SchemaTable), (f:SchemaTable) WHERE a.table_name + b.table_name = c.table_name + d.table_name + e.table_name + f.table_name RETURN count(*)"

// Queries that pass the guard and would take all time or memory end in time, and the
// server goes on.
func TestCypher_BombsEnd(t *testing.T) {
	w := graphs(t, nil, dense(t, 100))
	list := "[" + strings.TrimSuffix(strings.Repeat("1,", 2000), ",") + "]"
	nested := "l0"
	for i := range 6 {
		nested = fmt.Sprintf("list_transform(l0, x%d -> size(%s))", i, nested)
	}
	double := "WITH 'abcdefghijklmnopqrstuvwxyz' AS s0"
	for i := range 30 {
		double += fmt.Sprintf(" WITH concat(s%d, s%d) AS s%d", i, i, i+1)
	}
	for _, q := range []string{
		"MATCH (a), (b), (c), (d) RETURN count(*)",
		"MATCH (a), (b), (c), (d) RETURN a, b, c, d",
		"MATCH (a:SchemaTable)-[:FK_REFERENCES*1..30]->(b) RETURN count(*)",
		"MATCH p = (a:SchemaTable)-[*]-(b) RETURN p",
		"MATCH p = (a:SchemaTable)-[:FK_REFERENCES*1..12]->(b) RETURN collect(p)",
		"MATCH (a:SchemaTable)-[:FK_REFERENCES*]-(b) RETURN DISTINCT b.table_name",
		"MATCH (a:SchemaTable)-[e:FK_REFERENCES* TRAIL 1..30]->(b) RETURN count(*)",
		"MATCH (a), (b), (c) RETURN size(collect([a, b, c]))",
		"UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b UNWIND range(1, 100000) AS c RETURN count(*)",
		"UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN a, b ORDER BY a * b % 7919",
		"UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN collect(a + b)",
		"UNWIND range(1, 100000) AS a RETURN collect(range(1, 100000))",
		"UNWIND range(1, 1000) AS a WITH collect(range(1, 100000)) AS l RETURN size(l)",
		"UNWIND range(1, 100000) AS a WITH range(1, 100000) AS l0, a RETURN list_transform(l0, x -> size(list_transform(l0, y -> x + y)))",
		"WITH range(1, 100000) AS l0 RETURN " + nested,
		"WITH " + list + " AS l UNWIND l AS a UNWIND l AS b UNWIND l AS c UNWIND l AS d RETURN DISTINCT a + b + c + d",
		double + " RETURN size(s30)",
		double + " RETURN s30",
		"RETURN regexp_matches('" + strings.Repeat("a", 3000) + "!', '(a+)+$')",
		"RETURN regexp_replace('" + strings.Repeat("a", 3000) + "', '((a*)*)*b', 'x')",
		"RETURN regexp_matches('" + strings.Repeat("a", 3000) + "', '" + strings.Repeat("(a|aa)*", 200) + "{1000}')",
		"UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN max(levenshtein('" + strings.Repeat("a", 3000) + "', '" + strings.Repeat("b", 3000) + "'))",
		"RETURN factorial(100000)",
		"UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN max(sha256(cast(a AS STRING)))",
		"MATCH (a:SchemaTable), (b:SchemaTable) WHERE EXISTS { MATCH (a)-[:FK_REFERENCES*1..20]->(b) } RETURN count(*)",
		"MATCH (a:SchemaTable)-[e:FK_REFERENCES* ALL SHORTEST 1..30]->(b) RETURN e",
	} {
		began := time.Now()
		text, failed := w.call("cypher", ask(q, `,"timeout_seconds":0.4`))
		took := time.Since(began)
		if took > patience {
			t.Errorf("%.80s: took %v", q, took)
		}
		var f failure
		if err := json.Unmarshal([]byte(text), &f); err != nil || failed && f.Code != timedOut && f.Code != queryFailed {
			t.Errorf("%.80s: %.500s", q, text)
		}
		t.Logf("%v %.90s: %.200s", took.Round(time.Millisecond), q, text)
	}
	w.good("cypher", ask("RETURN 1", ""), nil)
}

// patience is how long a test waits for what comes at once on an idle machine.
const patience = 30 * time.Second

// until waits for a condition.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for last := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(last) {
			t.Errorf("not after %v: %s", patience, what)
			return
		}
	}
}

// Of sixteen calls at once each gets an answer, and other tools are not kept waiting.
func TestCypher_ParallelCalls(t *testing.T) {
	w := graphs(t, nil, dense(t, 100))
	bomb := ask(endless, `,"timeout_seconds":5`)
	var all sync.WaitGroup
	var ended atomic.Int32
	for range 16 {
		all.Go(func() {
			if f := w.bad("cypher", bomb); f.Code != timedOut || f.Hint == "" {
				t.Errorf("got %+v, want a timeout", f)
			}
			ended.Add(1)
		})
	}
	until(t, "queries run", func() bool { return len(workers(t)) > 0 })
	w.good("schema", `{"database":"shop"}`, nil)
	if ended.Load() == 16 {
		t.Error("schema waited for the queries")
	}
	all.Wait()
	for range 10 {
		all.Go(func() {
			if got := w.good("cypher", ask("MATCH (t:SchemaTable) RETURN count(*) AS n", `,"timeout_seconds":20`), nil); got != `{"rows":[{"n":100}],"row_count":1}` {
				t.Errorf("got %s", got)
			}
		})
	}
	all.Wait()
}

func TestCypher_Cancel(t *testing.T) {
	w := graphs(t, nil, dense(t, 100))
	w.good("cypher", ask("RETURN 1", ""), nil)
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := w.session.CallTool(ctx, &mcp.CallToolParams{Name: "cypher", Arguments: json.RawMessage(ask(endless, `,"timeout_seconds":120`))}); err == nil {
			t.Error("the call was not cancelled")
		}
	})
	untilBusy(t)
	cancel()
	all.Wait()
	until(t, "the query ends", func() bool { return len(workers(t)) == 0 })
	w.good("cypher", ask("RETURN 1", ""), nil)
}

func TestCypher_WorkerIsKilled(t *testing.T) {
	w := graphs(t, nil, dense(t, 100))
	w.good("cypher", ask("RETURN 1", ""), nil)
	var all sync.WaitGroup
	all.Go(func() {
		untilBusy(t)
		for _, pid := range workers(t) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	f := w.bad("cypher", ask(endless, `,"timeout_seconds":60`))
	all.Wait()
	if f.Code != queryFailed || f.Error != "The graph engine stopped in the midst of the query." {
		t.Errorf("got %+v", f)
	}
	w.good("cypher", ask("RETURN 1", ""), nil)
}

// A new index is seen at once.
func TestCypher_NewIndex(t *testing.T) {
	w := graphs(t, nil, shop(t))
	count := ask("MATCH (t:SchemaTable) RETURN count(*) AS n", "")
	first := w.good("cypher", count, nil)
	d := indexed(t, "shop", sqltree.Postgres, "public", "create table a (id int primary key);")
	d.Generation = "g2"
	w.putGraph(d)
	w.put(d)
	var got string
	until(t, "the new index is seen", func() bool {
		got = w.good("cypher", count, nil)
		return got != first
	})
	if want := `{"rows":[{"n":1}],"row_count":1}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What is hidden is not there: neither by name, nor by a count or a condition.
func TestCypher_HiddenTables(t *testing.T) {
	hide := func(d *catalog.Data) *catalog.Data {
		visible := indexed(t, "shop", sqltree.Postgres, "public", "create table orders (id bigint primary key, total numeric);")
		visible.Generation = d.Generation
		return visible
	}
	w := graphs(t, hide, shop(t))
	for query, want := range map[string]string{
		"MATCH (t:SchemaTable) RETURN count(*) AS n":                                                      `{"rows":[{"n":1}],"row_count":1}`,
		"MATCH (n) WHERE label(n) IN ['SchemaTable', 'SchemaColumn'] RETURN n.node_id ORDER BY n.node_id": `{"rows":[{"n.node_id":"shop::public::orders"},{"n.node_id":"shop::public::orders::id"},{"n.node_id":"shop::public::orders::total"}],"row_count":3}`,
		"MATCH (t:SchemaTable) WHERE t.table_name STARTS WITH 'cust' RETURN 1":                            `{"rows":[],"row_count":0}`,
	} {
		if got := w.good("cypher", ask(query, ""), nil); got != want {
			t.Errorf("%s\n got %s\nwant %s", query, got, want)
		}
	}
	path, err := w.dir.Graph("shop")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil { // the whole graph is not even looked at
		t.Fatal(err)
	}
	w.good("cypher", ask("RETURN 1", ""), nil)
}

// A copy that takes longer than the call goes on being written.
func TestCypher_SlowCopy(t *testing.T) {
	w := graphs(t, func(d *catalog.Data) *catalog.Data { return d }, shop(t))
	write, free, times := w.sv.Graphs.o.Write, make(chan struct{}), 0
	w.sv.Graphs.o.Write = func(ctx context.Context, path string, c *catalog.Catalog) error {
		times++
		<-free
		return write(ctx, path, c)
	}
	w.refusals("cypher", map[string]string{
		ask("RETURN 1", `,"timeout_seconds":0.2`): `{"error":"The graph of shop is still being prepared.","code":"timeout","hint":"Call again in a few seconds."}`,
	})
	close(free)
	w.good("cypher", ask("RETURN 1", `,"timeout_seconds":20`), nil)
	if times != 1 {
		t.Errorf("written %d times, want once", times)
	}
}

// What a killed server left is removed by the next; what another one uses stays.
func TestCypher_LeftFoldersAreRemoved(t *testing.T) {
	w := graphs(t, nil, shop(t))
	temp := os.Getenv("TMPDIR")
	long := time.Now().Add(-time.Hour)
	left, strange := filepath.Join(temp, tempPrefix+"left"), filepath.Join(temp, "pretensor-else")
	for _, dir := range []string{filepath.Join(left, "graph-worker-1"), strange} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	used, err := makeTemp()
	if err != nil {
		t.Fatal(err)
	}
	other := used.Name()
	for _, dir := range []string{left, other, strange} {
		if err := os.Chtimes(dir, long, long); err != nil {
			t.Fatal(err)
		}
	}
	w.good("cypher", ask("RETURN 1", ""), nil)
	for dir, want := range map[string]bool{left: false, other: true, strange: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", filepath.Base(dir), err == nil, want)
		}
	}
	used.Close()
	for _, dir := range []string{other, strange} {
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	}
}

func TestCypher_TwoDatabases(t *testing.T) {
	other := indexed(t, "crm", sqltree.Postgres, "public", "create table people (id int primary key);")
	w := graphs(t, nil, shop(t), other)
	if got := w.good("cypher", `{"query":"MATCH (t:SchemaTable) RETURN t.table_name AS n","database":"CRM"}`, nil); got != `{"rows":[{"n":"people"}],"row_count":1}` {
		t.Errorf("got %s", got)
	}
	w.good("cypher", ask("RETURN 1", ""), nil)
}

func TestCypher_EmptyIndex(t *testing.T) {
	w := graphs(t, nil, indexed(t, "shop", sqltree.Postgres, "public", ""))
	if got := w.good("cypher", ask("MATCH (t:SchemaTable) RETURN t", ""), nil); got != `{"rows":[],"row_count":0}` {
		t.Errorf("got %s", got)
	}
}

func TestCypher_StaleIndex(t *testing.T) {
	d := shop(t)
	d.BuiltAt = today.Add(-30 * 24 * time.Hour)
	w := graphs(t, nil, d)
	if got := w.good("cypher", ask("RETURN 1 AS n", ""), nil); got != `{"rows":[{"n":1}],"row_count":1,"warning":"Index is 30 days old (limit 7). Run: pretensor reindex --database shop"}` {
		t.Errorf("got %s", got)
	}
}

// The description names every label and edge type in use, and fits.
func TestCypher_Description(t *testing.T) {
	d := cypherTool(&Service{}).Description
	if n := len([]rune(d)); n > 700 {
		t.Errorf("%d characters", n)
	}
	for _, l := range graph.Labels(0) {
		if strings.Contains(d, l.Name) == strings.HasPrefix(l.Description, "Reserved") && l.Name != graph.Metric {
			t.Errorf("label %s", l.Name)
		}
	}
	for _, e := range graph.EdgeTypes() {
		if !strings.HasPrefix(e.Description, "Reserved") && !strings.Contains(d, e.Name) {
			t.Errorf("edge type %s", e.Name)
		}
	}
	t.Log(d)
}
