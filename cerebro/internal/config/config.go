// Package config reads how the server is to run from its environment and flags.
//
// Every setting is a variable of the environment; the few that are flags as well
// yield to the flag. A value that cannot be is an error that names its variable.
package config

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config is how the server runs. It never changes after [Load].
type Config struct {
	Home     string // folder of all state
	LogLevel string // debug, info, warn or error

	Semantic     bool // find and the semantic tools
	Lean         bool // only the core is advertised
	LeanExtra    []string
	LoadScope    string // process or session
	FindOverride bool   // questions that name a tool are led to it

	Gates   Gates
	Backend Backend
	Project Project
	Limits  Limits

	CustomTools string // file
	Sandbox     Sandbox
	Research    bool
	Storyteller bool
	Web3        bool
	ToolDomains []string
	ToolExclude []string
	ReadOnly    bool
	UI          string // auto, on or off
	HTTP        HTTP
	Trace       Trace
	Audit       bool
	DocsDir     string
}

// Gates are the conditions before charts and reports.
type Gates struct {
	Discovery            string // block, auto or off
	Chart                bool
	ReportExplicit       bool
	MinCharts            int
	MinQueries           int
	MinModels            int
	MinModelsLite        int
	MinTables            int
	Breakdown            bool
	Relational           bool
	Diversity            bool
	Coverage             bool
	StockFlow, Residual  bool
	Stationarity, Fanout bool
}

// Backend is the database.
type Backend struct {
	Kind       string // duckdb or clickhouse
	DuckDB     DuckDB
	ClickHouse ClickHouse
	// Allowed are the logical databases that tools may reach, beside those of the manifest.
	Allowed []string
}

// DuckDB is a database file. An empty path is the demo.
type DuckDB struct {
	Path        string
	MemoryLimit string
	Threads     int
	TempLimit   string
}

// ClickHouse is a server.
type ClickHouse struct {
	DSN         Secret // wins over the others when given
	Host        string
	Port        int
	User        string
	Password    Secret
	Secure      bool
	Protocol    string // http or native
	MaxMemoryGB float64
	AllowUnsafe bool
}

// Project is where dbt's artifacts are. All empty means the demo.
type Project struct {
	Dir                                                                   string
	Manifest, ManifestURL, Catalog, CatalogURL, SemanticPath, SemanticURL string
	DefaultTier                                                           string
	Refresh                                                               time.Duration
	Autoload                                                              bool
}

// Limits bound queries and results.
type Limits struct {
	MaxRows, ResultRows, ResultChars int
	ResultBytes                      int64
	QueryTimeout                     time.Duration
	QueryLength                      int
	Concurrent                       int
	WarnRows, BlockRows              int64
}

// Sandbox are the what-if databases.
type Sandbox struct {
	Enabled    bool
	Concurrent int
	TTL        time.Duration
	MaxBytes   int64
}

// HTTP is the network side.
type HTTP struct {
	Stateless      bool
	SessionTimeout time.Duration
	Token          Secret
	Origins        []string
	ReportBase     string
}

// Trace are the traces of tool calls.
type Trace struct {
	Enabled   bool
	Retention time.Duration
	MaxSteps  int
}

// Secret is a text that never prints itself.
type Secret string

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "***"
}

// GoString keeps %#v from telling.
func (s Secret) GoString() string { return strconv.Quote(s.String()) }

// MarshalText keeps JSON from telling.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Flags are the settings that are flags as well; nil where a flag is not given.
type Flags struct {
	Backend, ProjectDir, Home, LogLevel *string
	Lean, Semantic                      *bool
}

// Load reads the configuration. lookup is os.LookupEnv outside of tests.
func Load(f Flags, lookup func(string) (string, bool)) (*Config, error) {
	r := reader{lookup: lookup}
	c := &Config{
		LogLevel:     r.word("LOG_LEVEL", "info", "debug", "info", "warn", "error"),
		Semantic:     r.flag("SEMANTIC_ENABLED", true),
		Lean:         r.flag("LEAN_CORE_ENABLED", false),
		LeanExtra:    r.list("LEAN_CORE_EXTRA"),
		LoadScope:    r.word("LOAD_TOOLS_SCOPE", "process", "process", "session"),
		FindOverride: r.flag("FIND_INTENT_OVERRIDES", true),
		Gates: Gates{
			Discovery:      r.word("DISCOVERY_GATE", "block", "block", "auto", "off"),
			Chart:          r.flag("ENFORCE_CHART_PRECONDITIONS", true),
			ReportExplicit: r.flag("REPORT_REQUIRES_EXPLICIT_MODE", true),
			MinCharts:      r.whole("MIN_CHARTS_FOR_REPORT", 3, 0, 100),
			MinQueries:     r.whole("MIN_EXPLORATORY_QUERIES", 2, 0, 100),
			MinModels:      r.whole("MIN_MODELS_DETAILED", 3, 0, 100),
			MinModelsLite:  r.whole("MIN_MODELS_DETAILED_LITE", 1, 0, 100),
			MinTables:      r.whole("MIN_TABLES_VERIFIED", 1, 0, 100),
			Breakdown:      r.flag("REQUIRE_DIMENSIONAL_BREAKDOWN", true),
			Relational:     r.flag("REQUIRE_RELATIONAL_CHART", true),
			Diversity:      r.flag("REQUIRE_CHART_DIVERSITY", true),
			Coverage:       r.flag("ENFORCE_DISCOVERED_MODEL_COVERAGE", true),
			StockFlow:      r.flag("ENFORCE_STOCK_FLOW", true),
			Residual:       r.flag("ENFORCE_RESIDUAL_DISCLOSURE", true),
			Stationarity:   r.flag("ENFORCE_STATIONARITY", true),
			Fanout:         r.flag("ENFORCE_JOIN_FANOUT", true),
		},
		Backend: Backend{
			Kind: r.word("BACKEND", "duckdb", "duckdb", "clickhouse"),
			DuckDB: DuckDB{
				Path:        r.text("DUCKDB_PATH", ""),
				MemoryLimit: r.size("DUCKDB_MEMORY_LIMIT", "2GB"),
				Threads:     r.whole("DUCKDB_THREADS", 2, 1, 1024),
				TempLimit:   r.size("DUCKDB_TEMP_LIMIT", "4GB"),
			},
			ClickHouse: ClickHouse{
				DSN:         Secret(r.text("CLICKHOUSE_DSN", "")),
				Host:        r.text("CLICKHOUSE_HOST", "localhost"),
				Port:        r.whole("CLICKHOUSE_PORT", 8443, 1, 65535),
				User:        r.text("CLICKHOUSE_USER", "default"),
				Password:    Secret(r.text("CLICKHOUSE_PASSWORD", "")),
				Secure:      r.flag("CLICKHOUSE_SECURE", true),
				Protocol:    r.word("CLICKHOUSE_PROTOCOL", "http", "http", "native"),
				MaxMemoryGB: r.number("CLICKHOUSE_MAX_QUERY_MEMORY_GB", 4, 0, 1<<20),
				AllowUnsafe: r.flag("CLICKHOUSE_ALLOW_UNSAFE_USER", false),
			},
			Allowed: r.list("ALLOWED_DATABASES"),
		},
		Project: Project{
			Dir:      r.text("DBT_PROJECT_DIR", ""),
			Manifest: r.text("DBT_MANIFEST_PATH", ""), ManifestURL: r.url("DBT_MANIFEST_URL"),
			Catalog: r.text("DBT_CATALOG_PATH", ""), CatalogURL: r.url("DBT_CATALOG_URL"),
			SemanticPath: r.text("SEMANTIC_MANIFEST_PATH", ""), SemanticURL: r.url("SEMANTIC_MANIFEST_URL"),
			DefaultTier: r.word("SEMANTIC_DEFAULT_TIER", "auto", "auto", "approved", "candidate"),
			Refresh:     r.seconds("SEMANTIC_REFRESH_INTERVAL_SECONDS", 300, 1, 86400),
			Autoload:    r.flag("SEMANTIC_AUTOLOAD_ON_LOCAL_MTIME", true),
		},
		Limits: Limits{
			MaxRows:      r.whole("MAX_ROWS", 10_000, 1, 10_000_000),
			ResultRows:   r.whole("TOOL_RESULT_MAX_ROWS", 200, 1, 100_000),
			ResultChars:  r.whole("TOOL_RESULT_MAX_CHARS", 40_000, 1000, 10_000_000),
			ResultBytes:  r.long("MAX_RESULT_BYTES", 20<<20, 1024, 1<<40),
			QueryTimeout: r.seconds("QUERY_TIMEOUT_SECONDS", 30, 1, 86400),
			QueryLength:  r.whole("MAX_QUERY_LENGTH", 10_000, 100, 10_000_000),
			Concurrent:   r.whole("MAX_CONCURRENT_QUERIES", 4, 1, 1000),
			WarnRows:     r.long("QUERY_WARN_ROWS", 50_000_000, 0, 1<<62),
			BlockRows:    r.long("QUERY_BLOCK_ROWS", 2_000_000_000, 0, 1<<62),
		},
		CustomTools: r.text("CUSTOM_TOOLS_PATH", ""),
		Sandbox: Sandbox{
			Enabled:    r.flag("SANDBOX_ENABLED", false),
			Concurrent: r.whole("SANDBOX_MAX_CONCURRENT", 4, 1, 100),
			TTL:        r.seconds("SANDBOX_TTL_SECONDS", 1800, 1, 30*86400),
			MaxBytes:   r.bytes("SANDBOX_MAX_BYTES", 2<<30),
		},
		Research:    r.flag("RESEARCH_ENABLED", true),
		Storyteller: r.flag("STORYTELLER_ENABLED", true),
		Web3:        r.flag("WEB3_ENABLED", false),
		ToolDomains: r.list("TOOL_DOMAINS"),
		ToolExclude: r.list("TOOLS_EXCLUDE"),
		ReadOnly:    r.flag("READ_ONLY_TOOLS", false),
		UI:          r.word("MCP_UI", "auto", "auto", "on", "off"),
		HTTP: HTTP{
			Stateless:      r.flag("HTTP_STATELESS", false),
			SessionTimeout: r.duration("HTTP_SESSION_TIMEOUT", 30*time.Minute),
			Token:          Secret(r.text("HTTP_AUTH_TOKEN", "")),
			Origins:        r.list("HTTP_ALLOWED_ORIGINS"),
			ReportBase:     r.url("REPORT_BASE_URL"),
		},
		Trace: Trace{
			Enabled:   r.flag("TRACE_ENABLED", true),
			Retention: time.Duration(r.whole("TRACE_RETENTION_DAYS", 30, 1, 36500)) * 24 * time.Hour,
			MaxSteps:  r.whole("TRACE_MAX_STEPS", 1000, 1, 1_000_000),
		},
		Audit:   r.flag("AUDIT_ENABLED", true),
		DocsDir: r.text("DOCS_DIR", ""),
	}
	if len(c.Backend.Allowed) == 0 {
		c.Backend.Allowed = []string{"dbt"}
	}
	c.Home = r.text("CEREBRO_HOME", "")
	c.flags(f, &r)
	if c.Home == "" {
		// Without a folder of the user's the state stays in memory.
		if dir, err := os.UserHomeDir(); err == nil {
			c.Home = filepath.Join(dir, ".cerebro")
		}
	}
	if r.err == nil && c.Gates.MinModelsLite > c.Gates.MinModels {
		r.fail("MIN_MODELS_DETAILED_LITE", "is more than MIN_MODELS_DETAILED")
	}
	if r.err == nil && c.Limits.BlockRows > 0 && c.Limits.WarnRows > c.Limits.BlockRows {
		r.fail("QUERY_WARN_ROWS", "is more than QUERY_BLOCK_ROWS")
	}
	if r.err != nil {
		return nil, r.err
	}
	return c, nil
}

func (c *Config) flags(f Flags, r *reader) {
	if f.Backend != nil {
		c.Backend.Kind = *f.Backend
		if *f.Backend != "duckdb" && *f.Backend != "clickhouse" {
			r.fail("--backend", fmt.Sprintf("is %q; it is duckdb or clickhouse", *f.Backend))
		}
	}
	if f.LogLevel != nil {
		c.LogLevel = *f.LogLevel
		if !slices.Contains([]string{"debug", "info", "warn", "error"}, *f.LogLevel) {
			r.fail("--log-level", fmt.Sprintf("is %q; it is one of debug, info, warn, error", *f.LogLevel))
		}
	}
	if f.ProjectDir != nil {
		c.Project.Dir = *f.ProjectDir
	}
	if f.Home != nil {
		c.Home = *f.Home
	}
	if f.Lean != nil {
		c.Lean = *f.Lean
	}
	if f.Semantic != nil {
		c.Semantic = *f.Semantic
	}
}

// reader reads variables and keeps the first error.
type reader struct {
	lookup func(string) (string, bool)
	err    error
}

func (r *reader) fail(name, what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s %s", name, what)
	}
}

// text is a variable's value; blank counts as not given.
func (r *reader) text(name, fallback string) string {
	v, _ := r.lookup(name)
	if v = strings.TrimSpace(v); v == "" {
		return fallback
	}
	return v
}

func (r *reader) word(name, fallback string, allowed ...string) string {
	v := strings.ToLower(r.text(name, fallback))
	if !slices.Contains(allowed, v) {
		r.fail(name, fmt.Sprintf("is %q; it is one of %s", v, strings.Join(allowed, ", ")))
	}
	return v
}

func (r *reader) flag(name string, fallback bool) bool {
	switch v := strings.ToLower(r.text(name, strconv.FormatBool(fallback))); v {
	case "true", "1", "yes", "on":
		return true
	case "false", "0", "no", "off":
		return false
	default:
		r.fail(name, fmt.Sprintf("is %q; it is true or false", v))
		return fallback
	}
}

func (r *reader) long(name string, fallback, least, most int64) int64 {
	v := r.text(name, "")
	if v == "" {
		return fallback
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil { // 50e6 is a whole number, too
		f, ferr := strconv.ParseFloat(v, 64)
		if n = int64(f); ferr == nil && f == float64(n) && f < 1<<62 {
			err = nil
		}
	}
	if err != nil || n < least || n > most {
		r.fail(name, fmt.Sprintf("is %q; it is a whole number from %d to %d", v, least, most))
		return fallback
	}
	return n
}

func (r *reader) whole(name string, fallback, least, most int) int {
	return int(r.long(name, int64(fallback), int64(least), int64(most)))
}

func (r *reader) seconds(name string, fallback, least, most int) time.Duration {
	return time.Duration(r.whole(name, fallback, least, most)) * time.Second
}

func (r *reader) number(name string, fallback, least, most float64) float64 {
	v := r.text(name, "")
	if v == "" {
		return fallback
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || !(f >= least && f <= most) {
		r.fail(name, fmt.Sprintf("is %q; it is a number from %v to %v", v, least, most))
		return fallback
	}
	return f
}

// duration reads 30m or 1h, and a plain number as seconds.
func (r *reader) duration(name string, fallback time.Duration) time.Duration {
	v := r.text(name, "")
	if v == "" {
		return fallback
	}
	d, err := time.ParseDuration(v)
	if n, nerr := strconv.Atoi(v); nerr == nil {
		d, err = time.Duration(n)*time.Second, nil
	}
	if err != nil || d < time.Second || d > 30*24*time.Hour {
		r.fail(name, fmt.Sprintf("is %q; it is a duration from 1s to 720h, such as 30m", v))
		return fallback
	}
	return d
}

var units = []struct {
	name  string
	bytes int64
}{
	{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"TIB", 1 << 40},
	{"KB", 1000}, {"MB", 1000_000}, {"GB", 1000_000_000}, {"TB", 1000_000_000_000}, {"B", 1},
}

// bytes reads a size such as 2GiB, 500MB or 1048576.
func (r *reader) bytes(name string, fallback int64) int64 {
	v := r.text(name, "")
	if v == "" {
		return fallback
	}
	n, ok := parseBytes(v)
	if !ok {
		r.fail(name, fmt.Sprintf("is %q; it is a size such as 2GiB or 500MB", v))
		return fallback
	}
	return n
}

func parseBytes(v string) (int64, bool) {
	s := strings.ToUpper(strings.ReplaceAll(v, " ", ""))
	factor := int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			s, factor = rest, u.bytes
			break
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f > 0) || f*float64(factor) > 1<<62 {
		return 0, false
	}
	return int64(f * float64(factor)), true
}

// size is a size that is handed on as it is written.
func (r *reader) size(name, fallback string) string {
	v := r.text(name, fallback)
	if _, ok := parseBytes(v); !ok {
		r.fail(name, fmt.Sprintf("is %q; it is a size such as 2GB or 500MB", v))
	}
	return v
}

// list reads names between commas.
func (r *reader) list(name string) []string {
	var out []string
	for _, s := range strings.Split(r.text(name, ""), ",") {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (r *reader) url(name string) string {
	v := r.text(name, "")
	if v == "" {
		return ""
	}
	u, err := url.Parse(v)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		r.fail(name, "is no address of the form https://host/path") // without the value: it may hold a token
	}
	return v
}
