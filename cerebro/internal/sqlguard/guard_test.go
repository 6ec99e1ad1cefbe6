package sqlguard_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/sqlguard"
)

var dialects = []sqlguard.Dialect{sqlguard.DuckDB, sqlguard.ClickHouse}

// What reads passes, and the engine takes it.
func TestCheck_Benign(t *testing.T) {
	t.Run("duckdb", func(t *testing.T) {
		db := duck(t)
		benign(t, sqlguard.DuckDB, func(text string) error { return run(db, text) })
	})
	t.Run("clickhouse", func(t *testing.T) {
		h := clickhouse(t)
		benign(t, sqlguard.ClickHouse, func(text string) error { return h.run("reader", text) })
	})
}

func benign(t *testing.T, d sqlguard.Dialect, run func(string) error) {
	g := sqlguard.New(d, policy(d))
	list := statements(t, "testdata/benign/"+string(d)+".sql")
	for _, text := range list {
		if _, err := g.Check(text, demo.Schema); err != nil {
			t.Errorf("refused: %v\n%s", err, text)
		}
		if err := run(text); err != nil {
			t.Errorf("the engine: %v\n%s", err, text)
		}
	}
	if len(list) < 250 {
		t.Errorf("%d statements", len(list))
	}
}

// What does not only read, or reads what may not be read, is refused.
func TestCheck_Hostile(t *testing.T) {
	for _, d := range dialects {
		t.Run(string(d), func(t *testing.T) {
			g := sqlguard.New(d, policy(d))
			list := statements(t, "testdata/hostile/"+string(d)+".sql")
			for _, text := range list {
				v, err := g.Check(text, demo.Schema)
				var refusal *sqlguard.Error
				if err == nil {
					t.Errorf("passed as %+v\n%s", v, text)
				} else if !errors.As(err, &refusal) || refusal.Message == "" || refusal.Line < 1 || refusal.Column < 1 {
					t.Errorf("%#v", err)
				}
			}
			if len(list) < 250 {
				t.Errorf("%d statements", len(list))
			}
		})
	}
}

// What is too long, too deep or too wide is refused, and at once.
func TestCheck_Large(t *testing.T) {
	long := func(n int, s string) string { return strings.Repeat(s, n) }
	for _, d := range dialects {
		p := policy(d)
		for name, text := range map[string]string{
			"long":         "SELECT '" + long(10_000, "x") + "'",
			"brackets":     "SELECT " + long(1000, "(") + "1" + long(1000, ")"),
			"lists":        "SELECT " + long(1000, "[") + "1" + long(1000, "]"),
			"calls":        "SELECT " + long(500, "abs(") + "1" + long(500, ")"),
			"subqueries":   "SELECT * FROM " + long(300, "(SELECT * FROM ") + "fct_orders" + long(300, ")"),
			"CASE":         "SELECT " + long(500, "CASE WHEN (") + "1" + long(500, ") THEN 1 END"),
			"open":         "SELECT " + long(5000, "("),
			"a long list":  "SELECT 1 FROM fct_orders WHERE order_id IN (1" + long(3000, ",1") + ")",
			"open comment": "SELECT 1 " + long(1000, "/*"),
			"unions":       "SELECT 1 FROM dim_customers" + long(500, " UNION ALL SELECT 1"),
		} {
			begin := time.Now()
			if v, err := sqlguard.New(d, p).Check(text, demo.Schema); err == nil {
				t.Errorf("%s, %s: passed as %+v", d, name, v)
			}
			if took := time.Since(begin); took > time.Second {
				t.Errorf("%s, %s: %v", d, name, took)
			}
		}
		// The same, as large as a question may be.
		for name, text := range map[string]string{
			"a list":   "SELECT 1 FROM fct_orders WHERE order_id IN (1" + long(900, ",1") + ")",
			"brackets": "SELECT " + long(50, "(") + "1" + long(50, ")"),
			"a sum":    "SELECT 1" + long(400, " + 1"),
		} {
			if _, err := sqlguard.New(d, p).Check(text, demo.Schema); err != nil {
				t.Errorf("%s, %s: %v", d, name, err)
			}
		}
	}
}

func TestCheck_Verdict(t *testing.T) {
	rel := func(names ...string) []sqlguard.Relation {
		list := []sqlguard.Relation{}
		for _, n := range names {
			list = append(list, sqlguard.Relation{Database: demo.Schema, Name: n})
		}
		return list
	}
	for _, c := range []struct {
		dialect     sqlguard.Dialect
		text        string
		kind        sqlguard.Kind
		relations   []sqlguard.Relation
		functions   []string
		statistical bool
		correlation bool
	}{
		{sqlguard.DuckDB, "SELECT 1", sqlguard.Select, nil, nil, false, false},
		{sqlguard.DuckDB, "SELECT median(Revenue) FROM FCT_ORDERS", sqlguard.Select, rel("fct_orders"), []string{"median"}, true, false},
		{sqlguard.DuckDB, "SELECT 'median(x)' /* corr(a, b) */", sqlguard.Select, nil, nil, false, false},
		{sqlguard.DuckDB, "WITH a AS (FROM fct_orders) SELECT corr(a.units, b.clicks) FROM a, fct_marketing_spend_daily b, a c", sqlguard.Select,
			rel("fct_marketing_spend_daily", "fct_orders"), []string{"corr"}, false, true},
		{sqlguard.DuckDB, "EXPLAIN SELECT * FROM fct_refunds JOIN demo.dbt.fct_orders USING (order_id)", sqlguard.Explain, rel("fct_orders", "fct_refunds"), nil, false, false},
		{sqlguard.DuckDB, "SUMMARIZE fct_orders", sqlguard.Summarize, rel("fct_orders"), nil, false, false},
		{sqlguard.DuckDB, "SHOW TABLES", sqlguard.Show, nil, nil, false, false},
		{sqlguard.ClickHouse, "SELECT quantileTDigestIf(0.5)(units, 1), simpleLinearRegression(units, line_count) FROM fct_orders WHERE order_id IN fct_refunds", sqlguard.Select,
			rel("fct_orders", "fct_refunds"), []string{"quantiletdigestif", "simplelinearregression"}, true, true},
		{sqlguard.ClickHouse, "SELECT x FROM (SELECT [1] AS arr) ARRAY JOIN arr AS x", sqlguard.Select, nil, nil, false, false},
		{sqlguard.ClickHouse, "WITH [1] AS s SELECT 1 IN s", sqlguard.Select, nil, nil, false, false},
		{sqlguard.ClickHouse, "DESCRIBE TABLE fct_orders", sqlguard.Describe, rel("fct_orders"), nil, false, false},
		{sqlguard.ClickHouse, "EXISTS fct_orders", sqlguard.Exists, rel("fct_orders"), nil, false, false},
	} {
		v, err := sqlguard.New(c.dialect, policy(c.dialect)).Check(c.text, demo.Schema)
		if err != nil {
			t.Errorf("%v: %s", err, c.text)
			continue
		}
		want := &sqlguard.Verdict{Kind: c.kind, Relations: c.relations, Functions: c.functions, Statistical: c.statistical, Correlation: c.correlation}
		if diff := cmp.Diff(want, v, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s\n%s", c.text, diff)
		}
	}
}

func TestCheck_Codes(t *testing.T) {
	for _, c := range []struct {
		text         string
		code         sqlguard.Code
		line, column int
	}{
		{"DROP TABLE x", sqlguard.Rejected, 1, 1},
		{"SELECT 1;\n SELECT 2", sqlguard.Rejected, 2, 2},
		{"SELECT *\nFROM dim_customers", sqlguard.RelationDenied, 2, 6},
		{"SELECT * FROM raw.orders", sqlguard.RelationDenied, 1, 15},
		{"SELECT * FROM read_csv('x')", sqlguard.RelationDenied, 1, 15},
		{"SELECT getenv('x')", sqlguard.Rejected, 1, 8},
		{"SELECT *\nFROM fct_sessions", sqlguard.FilterRequired, 2, 6},
		{"SUMMARIZE fct_sessions", sqlguard.FilterRequired, 1, 11},
	} {
		_, err := sqlguard.New(sqlguard.DuckDB, policy(sqlguard.DuckDB)).Check(c.text, demo.Schema)
		var e *sqlguard.Error
		if !errors.As(err, &e) || e.Code != c.code || e.Line != c.line || e.Column != c.column {
			t.Errorf("%s: %#v", c.text, err)
		}
	}
	if _, err := sqlguard.New(sqlguard.DuckDB, policy(sqlguard.DuckDB)).Check("SELECT 1", "raw"); err == nil {
		t.Error("a database that is not allowed")
	}
}

// A function of the project may be called, and no other.
func TestCheck_OwnFunctions(t *testing.T) {
	p := policy(sqlguard.DuckDB)
	p.Functions = []string{"Net_Of"}
	g := sqlguard.New(sqlguard.DuckDB, p)
	if _, err := g.Check("SELECT net_of(revenue) FROM fct_orders", demo.Schema); err != nil {
		t.Error(err)
	}
	if _, err := g.Check("SELECT gross_of(revenue) FROM fct_orders", demo.Schema); err == nil {
		t.Error("a function that nobody knows")
	}
}

// However a text is written, the guard comes to an end, and a benign one stays benign
// with other blanks, comments and letters.
func FuzzCheck(f *testing.F) {
	var pass [2][]string
	for i, d := range dialects {
		for _, kind := range []string{"benign", "hostile"} {
			for n, text := range statements(f, "testdata/"+kind+"/"+string(d)+".sql") {
				if n%7 == 0 {
					f.Add(text, uint64(n))
				}
				if kind == "benign" {
					pass[i] = append(pass[i], text)
				}
			}
		}
	}
	guards := []*sqlguard.Guard{sqlguard.New(dialects[0], policy(dialects[0])), sqlguard.New(dialects[1], policy(dialects[1]))}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		for i, g := range guards {
			g.Check(text, demo.Schema)
			text := pass[i][seed%uint64(len(pass[i]))]
			if other := rewrite(text, seed); other != text {
				if _, err := g.Check(other, demo.Schema); err != nil {
					t.Errorf("%v\n%s\n%s", err, text, other)
				}
			}
		}
	})
}

// rewrite changes the blanks of a statement without strings or comments, and for every
// other seed puts a comment behind each.
func rewrite(text string, seed uint64) string {
	if strings.ContainsAny(text, "'\"`$#/\n") || strings.Contains(text, "--") {
		return text
	}
	blanks := []string{" ", "\n", "\t", "  \r\n", " /* a 'comment; */ ", " -- b\n", "\f"}
	var b strings.Builder
	for _, r := range text {
		if r == ' ' {
			b.WriteString(blanks[seed%uint64(len(blanks))])
			seed = seed*6364136223846793005 + 1442695040888963407
			seed ^= seed >> 33
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// BenchmarkCheck judges a statement of 2 KB.
func BenchmarkCheck(b *testing.B) {
	text := "WITH a AS (SELECT region, date_trunc('month', ordered_at) AS m, sum(revenue) AS r FROM fct_orders WHERE ordered_at >= '2026-01-01' GROUP BY 1, 2)"
	for i := 0; len(text) < 1900; i++ {
		text += fmt.Sprintf(", a%d AS (SELECT region, m, r, r - lag(r) OVER (PARTITION BY region ORDER BY m) AS diff FROM a WHERE r > %d)", i, i)
	}
	text += " SELECT * FROM a"
	g := sqlguard.New(sqlguard.DuckDB, policy(sqlguard.DuckDB))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := g.Check(text, demo.Schema); err != nil {
			b.Fatal(err)
		}
	}
}
