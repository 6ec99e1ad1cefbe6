package config_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/config"
)

func env(pairs ...string) func(string) (string, bool) {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) (string, bool) { v, ok := m[name]; return v, ok }
}

func TestLoad_Defaults(t *testing.T) {
	c, err := config.Load(config.Flags{}, env())
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintln(c.Semantic, c.Lean, c.LoadScope, c.Gates.Discovery, c.Gates.MinCharts, c.Gates.MinQueries, c.Gates.MinModels, c.Gates.MinModelsLite, c.Gates.MinTables,
		c.Backend.Kind, c.Backend.DuckDB, c.Backend.Allowed, c.Backend.ClickHouse.Port, c.Project.DefaultTier, c.Project.Refresh, c.Limits, c.Sandbox, c.Research, c.Storyteller, c.Web3, c.UI, c.HTTP.SessionTimeout, c.Trace, c.Audit)
	want := "true false process block 3 2 3 1 1 duckdb { 2GB 2 4GB} [dbt] 8443 auto 5m0s {10000 200 40000 20971520 30s 10000 4 50000000 2000000000} {false 4 30m0s 2147483648} true true false auto 30m0s {true 720h0m0s 1000} true\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.HasSuffix(c.Home, ".cerebro") {
		t.Errorf("home is %q", c.Home)
	}
}

func TestLoad_Values(t *testing.T) {
	lean, backend := true, "clickhouse"
	c, err := config.Load(config.Flags{Lean: &lean, Backend: &backend}, env(
		"LEAN_CORE_ENABLED", "false", "LEAN_CORE_EXTRA", " invoke_tool, discover_models,,invoke_tool ", "BACKEND", "duckdb", "QUERY_WARN_ROWS", "50e6", "QUERY_BLOCK_ROWS", "0",
		"SANDBOX_MAX_BYTES", "1.5 GiB", "HTTP_SESSION_TIMEOUT", "90", "ENFORCE_STOCK_FLOW", "No", "CLICKHOUSE_PASSWORD", "hunter2", "CEREBRO_HOME", "/x"))
	if err != nil {
		t.Fatal(err)
	}
	if !c.Lean || c.Backend.Kind != "clickhouse" || fmt.Sprint(c.LeanExtra) != "[invoke_tool discover_models]" || c.Limits.BlockRows != 0 ||
		c.Sandbox.MaxBytes != 3<<29 || c.HTTP.SessionTimeout != 90*time.Second || c.Gates.StockFlow || c.Home != "/x" {
		t.Errorf("%+v", c)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v", c, c), string(text)} {
		if strings.Contains(s, "hunter2") {
			t.Errorf("a password is told: %s", s)
		}
	}
}

// A value that cannot be stops the start, and the error names its variable.
func TestLoad_Refused(t *testing.T) {
	for _, c := range [][2]string{
		{"SEMANTIC_ENABLED", "maybe"}, {"DISCOVERY_GATE", "open"}, {"LOAD_TOOLS_SCOPE", "user"}, {"MIN_CHARTS_FOR_REPORT", "-1"}, {"MIN_CHARTS_FOR_REPORT", "three"},
		{"BACKEND", "postgres"}, {"DUCKDB_MEMORY_LIMIT", "a lot"}, {"DUCKDB_THREADS", "0"}, {"CLICKHOUSE_PORT", "70000"}, {"CLICKHOUSE_MAX_QUERY_MEMORY_GB", "NaN"},
		{"DBT_MANIFEST_URL", "ftp://x"}, {"SEMANTIC_DEFAULT_TIER", "gold"}, {"MAX_ROWS", "0"}, {"MAX_ROWS", "1e400"}, {"QUERY_TIMEOUT_SECONDS", "0"}, {"QUERY_WARN_ROWS", "3e9"},
		{"MCP_UI", "yes"}, {"HTTP_SESSION_TIMEOUT", "forever"}, {"SANDBOX_MAX_BYTES", "-1"}, {"LOG_LEVEL", "loud"}, {"MIN_MODELS_DETAILED_LITE", "9"},
	} {
		_, err := config.Load(config.Flags{}, env(c[0], c[1]))
		if err == nil || !strings.HasPrefix(err.Error(), c[0]) {
			t.Errorf("%s=%s: got %v", c[0], c[1], err)
		}
	}
	if _, err := config.Load(config.Flags{}, env("DBT_CATALOG_URL", "x://user:hunter2@h")); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
	bad := "postgres"
	if _, err := config.Load(config.Flags{Backend: &bad}, env()); err == nil || !strings.HasPrefix(err.Error(), "--backend") {
		t.Errorf("got %v", err)
	}
}
