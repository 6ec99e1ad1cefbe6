package sqlguard_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/sqlguard"
)

func list(t testing.TB, name string) map[string]bool {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]bool{}
	for _, n := range strings.Fields(string(b)) {
		m[n] = true
	}
	return m
}

// Every function of the engine is in one of two lists, and its calls pass or are refused
// accordingly: a function that a new version brings is looked at before it may be called.
func TestFunctions_DuckDB(t *testing.T) {
	db := duck(t)
	allowed, denied, tables := list(t, "functions/duckdb.txt"), list(t, "testdata/denied/duckdb.txt"), list(t, "testdata/denied/duckdb_table.txt")
	g := sqlguard.New(sqlguard.DuckDB, policy(sqlguard.DuckDB))
	rows, err := db.Query("SELECT DISTINCT lower(function_name), function_type FROM duckdb_functions() WHERE regexp_matches(function_name, '^[A-Za-z_]')")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			t.Fatal(err)
		}
		switch kind {
		case "scalar", "aggregate", "macro":
			if allowed[name] == denied[name] {
				t.Errorf("function %s: allowed %v, denied %v", name, allowed[name], denied[name])
			}
			if _, err := g.Check(`SELECT "`+name+`"(1)`, demo.Schema); err == nil && denied[name] {
				t.Errorf("function %s is called", name)
			}
		case "table", "table_macro":
			if _, err := g.Check(`SELECT * FROM "`+name+`"(1)`, demo.Schema); (err == nil) == tables[name] {
				t.Errorf("table function %s: %v", name, err)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	// The engine's own views are not reached, with or without their schema.
	rows, err = db.Query("SELECT schema_name, view_name FROM duckdb_views() WHERE internal")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for rows.Next() {
		var schema, view string
		if err := rows.Scan(&schema, &view); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Check("SELECT * FROM "+schema+"."+view, demo.Schema); err == nil {
			t.Errorf("view %s.%s", schema, view)
		}
		names = append(names, view)
	}
	if err := rows.Err(); err != nil || len(names) < 40 {
		t.Fatal(len(names), err)
	}
	for _, n := range names {
		if _, err := g.Check("SELECT * FROM "+n, demo.Schema); err == nil && run(db, "SELECT * FROM "+n) == nil {
			t.Errorf("view %s", n)
		}
	}
}

func TestFunctions_ClickHouse(t *testing.T) {
	h := clickhouse(t)
	allowed, denied := list(t, "functions/clickhouse.txt"), list(t, "testdata/denied/clickhouse.txt")
	for n := range list(t, "functions/clickhouse_aggregates.txt") {
		allowed[n] = true
	}
	tables := list(t, "testdata/denied/clickhouse_table.txt")
	g := sqlguard.New(sqlguard.ClickHouse, policy(sqlguard.ClickHouse))
	var answer struct{ Data [][]string }
	read := func(query string) [][]string {
		t.Helper()
		b, err := h.ask("default", query, "JSONCompact")
		if err != nil {
			t.Fatal(err)
		}
		answer.Data = nil
		if err := json.Unmarshal(b, &answer); err != nil {
			t.Fatal(err)
		}
		return answer.Data
	}
	for _, r := range read("SELECT DISTINCT lower(name) FROM system.functions") {
		name := r[0]
		if allowed[name] == denied[name] {
			t.Errorf("function %s: allowed %v, denied %v", name, allowed[name], denied[name])
		}
		if _, err := g.Check("SELECT `"+name+"`(1)", demo.Schema); (err == nil) == denied[name] {
			t.Errorf("function %s: %v", name, err)
		}
	}
	for _, r := range read("SELECT DISTINCT lower(name) FROM system.table_functions") {
		if _, err := g.Check("SELECT * FROM `"+r[0]+"`(1)", demo.Schema); (err == nil) == tables[r[0]] {
			t.Errorf("table function %s: %v", r[0], err)
		}
	}
}

// Behind the guard the engine itself is locked: what would write, steer or reach out
// fails there, too. Reading what is kept back is for the guard alone to refuse.
func TestEngine_Hostile(t *testing.T) {
	t.Run("duckdb", func(t *testing.T) {
		db := duck(t)
		state := func() map[string]string {
			m := map[string]string{}
			rows, err := db.Query("SELECT name, value FROM duckdb_settings() WHERE name IN ('enable_external_access', 'lock_configuration', 'memory_limit', 'threads', 'access_mode') " +
				"UNION ALL SELECT 'table ' || table_name, estimated_size::VARCHAR FROM duckdb_tables() WHERE NOT temporary UNION ALL SELECT 'database ' || database_name, '' FROM duckdb_databases() WHERE NOT internal")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var k, v string
				if err := rows.Scan(&k, &v); err != nil {
					t.Fatal(err)
				}
				m[k] = v
			}
			return m
		}
		before := state()
		for _, text := range statements(t, "testdata/hostile/duckdb.sql") {
			if endless(text) {
				continue
			}
			err := run(db, text)
			for _, reach := range []string{"COPY ", "ATTACH ", "EXPORT ", "IMPORT ", "INSTALL ", "LOAD ", "/etc/", "s3://", "https:", "read_", "_scan(", "glob(", "'data.csv'"} {
				if strings.Contains(text, reach) && err == nil && !strings.HasPrefix(text, "EXPLAIN") {
					t.Errorf("the engine takes %s", text)
				}
			}
		}
		if after := state(); len(after) != len(before) {
			t.Errorf("%v, then %v", before, after)
		} else {
			for k, v := range before {
				if after[k] != v {
					t.Errorf("%s: %s, then %s", k, v, after[k])
				}
			}
		}
	})
	t.Run("clickhouse", func(t *testing.T) {
		h := clickhouse(t)
		for _, text := range statements(t, "testdata/hostile/clickhouse.sql") {
			first, _, _ := strings.Cut(text, " ")
			switch first {
			case "DROP", "CREATE", "INSERT", "ALTER", "DELETE", "UPDATE", "TRUNCATE", "OPTIMIZE", "RENAME", "GRANT", "REVOKE", "RESTORE", "BACKUP":
				if h.run("readonly", text) == nil {
					t.Errorf("the engine takes %s", text)
				}
			}
		}
	})
}

// endless reports whether a statement would keep the engine busy until it is stopped, or
// change how its connection reports: DuckDB lets profiles and logs be switched on even
// when its configuration is locked.
func endless(text string) bool {
	for _, s := range []string{"RECURSIVE", "00000000", "1e15", "sleep", "enable_profiling", "enable_logging"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}
