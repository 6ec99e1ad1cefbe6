package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
)

// write makes a folder with a configuration in it and returns the file's path.
func write(t *testing.T, text, secrets string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".pretensor")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if secrets != "" {
		if err := os.WriteFile(filepath.Join(dir, "sources.secrets.yaml"), []byte(secrets), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

func load(t *testing.T, text, secrets string) *Config {
	t.Helper()
	c, err := Load(Options{ConfigFlag: write(t, text, secrets)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func num[T any](v T) *T { return &v }

// variables make a lookup of pairs of name and value.
func variables(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func TestLoad_EveryKey(t *testing.T) {
	c := load(t, `# all keys, none at its default
state_dir: other
graph:
  stale_index_warning_days: 30
  clustering_resolution_override: 1.5
  join_path_max_depth: 6
  min_cluster_size_merge: 5
  collapse_shadow_aliases: false
  lineage_in_max_for_alias: 2
  same_name_max_tables: null
  precompute_max_tables: 0
embeddings:
  provider: onnx
  model_dir: models/small
  url: http://localhost:9
  index_tables: false
  cluster_blend: 0.25
  join_threshold: 0.85
  role_weight: 1
privacy: {stats: sample, sample_values: true}
visibility: {path: rules.yml, profile: analyst}
connection_defaults: {name: main, dialect: mariadb}
sources:
  shop:
    dialect: postgres
    host: db.internal
    port: 5433
    user: ${PG_USER}
    password: 0123
    database: shop
    schemas: [public, "sales"]
    exclude_schemas: [tmp]
    ssl_mode: require
  wh: {dialect: snowflake, account: acc, schema: s, warehouse: w, role: r, private_key_path: k.p8, private_key_passphrase: pp, database: d}
  bq: {dialect: bigquery, project: p, dataset: d, location: EU}
  file: {dialect: sqlite, path: data/shop.db}
  link: {url: "${DATABASE_URL}"}
repositories:
  - {path: ../billing, service: billing-api, connection: shop}
`, "")
	folder := filepath.Dir(c.File)
	want := &Config{
		File: c.File, StateDir: filepath.Join(folder, "other"),
		Graph: Graph{StaleIndexWarningDays: 30, ClusteringResolutionOverride: num(1.5), JoinPathMaxDepth: 6, MinClusterSizeMerge: 5, LineageInMaxForAlias: 2},
		Embeddings: Embeddings{Provider: "onnx", ModelDir: filepath.Join(folder, "models", "small"), URL: "http://localhost:9", ClusterBlend: 0.25,
			JoinThreshold: num(0.85), RoleWeight: 1},
		Privacy:    Privacy{Stats: connect.StatsSample, SampleValues: true},
		Visibility: Visibility{Path: filepath.Join(folder, "rules.yml"), Profile: "analyst"},
		Defaults:   ConnectionDefaults{Name: "main", Dialect: "mariadb"},
		Warnings: []string{
			"embeddings.cluster_blend has no effect in this version", "embeddings.join_threshold has no effect in this version",
			"embeddings.role_weight has no effect in this version",
		},
		Sources: map[string]Source{
			"shop": {Name: "shop", Schemas: []string{"public", "sales"}, ExcludeSchemas: []string{"tmp"}, Values: map[string]keystore.Secret{"dialect": "postgres",
				"host": "db.internal", "port": "5433", "user": "${PG_USER}", "password": "0123", "database": "shop", "ssl_mode": "require"}},
			"wh": {Name: "wh", Values: map[string]keystore.Secret{"dialect": "snowflake", "account": "acc", "schema": "s", "warehouse": "w", "role": "r",
				"private_key_path": "k.p8", "private_key_passphrase": "pp", "database": "d"}},
			"bq":   {Name: "bq", Values: map[string]keystore.Secret{"dialect": "bigquery", "project": "p", "dataset": "d", "location": "EU"}},
			"file": {Name: "file", Values: map[string]keystore.Secret{"dialect": "sqlite", "path": "data/shop.db"}},
			"link": {Name: "link", Values: map[string]keystore.Secret{"url": "${DATABASE_URL}"}},
		},
		Repositories: []Repository{{Path: filepath.Join(filepath.Dir(folder), "billing"), Service: "billing-api", Connection: "shop"}},
	}
	if diff := cmp.Diff(want, c, cmpopts.IgnoreUnexported(Source{})); diff != "" {
		t.Error(diff)
	}
	if text := fmt.Sprintf("%+v %#v", *c, c.Sources["shop"]); strings.Contains(text, "0123") || strings.Contains(text, "${PG_USER}") {
		t.Errorf("printing shows a secret: %s", text)
	}
}

func TestLoad_NothingWritten(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "comment": "# nothing\n", "empty sections": "graph:\nsources: {}\nprivacy: ~\nrepositories: []\n"} {
		c := load(t, text, "")
		want := Defaults()
		want.File, want.StateDir, want.Visibility.Path = c.File, ".pretensor", filepath.Join(filepath.Dir(c.File), "visibility.yml")
		if diff := cmp.Diff(want, c); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestLoad_WhichFile(t *testing.T) {
	named := write(t, "state_dir: .pretensor\ngraph: {join_path_max_depth: 5}\n", "")
	inEnv := write(t, "graph: {join_path_max_depth: 6}\n", "")
	inState := write(t, "graph: {join_path_max_depth: 7}\n", "")
	for name, c := range map[string]struct {
		options Options
		depth   int
		dir     string
	}{
		"flag":                  {Options{ConfigFlag: named, Env: Env{ConfigFile: inEnv}}, 5, filepath.Dir(named)},
		"environment":           {Options{Env: Env{ConfigFile: inEnv}}, 6, ".pretensor"},
		"in the state folder":   {Options{StateDirFlag: filepath.Dir(inState)}, 7, filepath.Dir(inState)},
		"state of environment":  {Options{Env: Env{StateDir: filepath.Dir(inState)}}, 7, filepath.Dir(inState)},
		"state flag beats all":  {Options{ConfigFlag: named, StateDirFlag: "x", Env: Env{StateDir: "y"}}, 5, "x"},
		"environment over file": {Options{ConfigFlag: named, Env: Env{StateDir: "y"}}, 5, "y"},
		"nowhere":               {Options{StateDirFlag: filepath.Join(t.TempDir(), "none")}, 4, ""},
	} {
		got, err := Load(c.options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Graph.JoinPathMaxDepth != c.depth || c.dir != "" && got.StateDir != c.dir {
			t.Errorf("%s: depth %d, state %s, want %d, %s", name, got.Graph.JoinPathMaxDepth, got.StateDir, c.depth, c.dir)
		}
	}
	for name, o := range map[string]Options{"flag": {ConfigFlag: "/nowhere/here.yaml"}, "environment": {Env: Env{ConfigFile: "/nowhere/here.yaml"}}} {
		if _, err := Load(o); err == nil || !strings.Contains(err.Error(), "here.yaml does not exist") || strings.Contains(err.Error(), "nowhere") {
			t.Errorf("%s names a missing file: %v", name, err)
		}
	}
	if _, err := Load(Options{ConfigFlag: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: %v", err)
	}
}

func TestLoad_Refused(t *testing.T) {
	for text, want := range map[string]string{
		"state_dri: x\n": `config.yaml:1: unknown key "state_dri"; did you mean "state_dir"?`,
		"\ngraph:\n  stale_days: 3\n  join_path_max_dept: 3\n": `config.yaml:3: unknown key "stale_days" in graph; known are`,
		"graph:\n  join_path_max_dept: 3\n":                    `config.yaml:2: unknown key "join_path_max_dept" in graph; did you mean "join_path_max_depth"?`,
		"sources:\n  shop:\n    pasword: geheim\n":             `config.yaml:3: unknown key "pasword" in source shop; did you mean "password"?`,
		"repositories:\n- path: x\n  servce: y\n":              `config.yaml:3: unknown key "servce" in repositories; did you mean "service"?`,
		"repositories:\n- service: y\n":                        `config.yaml:2: a repository needs a path`,
		"graph: {same_name_max_tables: 1}\n":                   `same_name_max_tables must be a whole number from 2 to 1000000 or null, got "1"`,
		"graph: {join_path_max_depth: 9}\n":                    "join_path_max_depth must be a whole number from 1 to 8",
		"graph: {join_path_max_depth: 0}\n":                    "join_path_max_depth must be",
		"graph: {join_path_max_depth: null}\n":                 "join_path_max_depth must be",
		"graph: {join_path_max_depth: 2.5}\n":                  `got "2.5"`,
		"graph: {join_path_max_depth: '3'}\n":                  "join_path_max_depth must be",
		"graph: {stale_index_warning_days: -1}\n":              "stale_index_warning_days must be",
		"graph: {min_cluster_size_merge: 0}\n":                 "min_cluster_size_merge must be",
		"graph: {lineage_in_max_for_alias: 0}\n":               "lineage_in_max_for_alias must be",
		"graph: {precompute_max_tables: -1}\n":                 "precompute_max_tables must be",
		"graph: {clustering_resolution_override: 0}\n":         "clustering_resolution_override must be a number from 0.001 to 1000 or null",
		"graph: {collapse_shadow_aliases: maybe}\n":            "collapse_shadow_aliases must be true or false",
		"embeddings: {cluster_blend: 1.01}\n":                  "cluster_blend must be a number from 0 to 1, got",
		"embeddings: {role_weight: -0.1}\n":                    "role_weight must be",
		"embeddings: {join_threshold: 2}\n":                    "join_threshold must be a number from 0 to 1 or null",
		"embeddings: {cluster_blend: .nan}\n":                  "cluster_blend must be",
		"embeddings: {provider: openai}\n":                     "provider must be one of none, builtin, onnx, http",
		"embeddings: {provider: onnx}\n":                       "onnx needs embeddings.model_dir",
		"embeddings: {provider: http}\n":                       "http needs embeddings.url",
		"privacy: {stats: all}\n":                              "stats must be one of none, catalog, sample",
		"privacy: {stats: null}\n":                             "stats must be one of",
		"connection_defaults: {dialect: oracle}\n":             "dialect must be one of postgres",
		"sources: {a: {dialect: postgrse}}\n":                  `dialect "postgrse" is not known; did you mean "postgres"?`,
		"sources: {a: {port: 70000}}\n":                        "port must be a number from 1 to 65535",
		"sources: {a: {schemas: public}}\n":                    "schemas must be a list",
		"sources: {a: {schemas: [[x]]}}\n":                     "schemas must be a list of names",
		"sources: {a: {host: [x]}}\n":                          "host must be a single value",
		"sources: {a: text}\n":                                 "source a must be a mapping",
		"sources: {a: {url: 'sqlite:///x.db', host: h}}\n":     `source "a" has a url and host`,
		"graph: [1]\n":                      "config.yaml:1: graph must be a mapping",
		"- a\n":                             "the file must be a mapping",
		"graph: {}\ngraph: {}\n":            `config.yaml:2: key "graph" stands here a second time`,
		"a: 'geheim\n":                      "config.yaml:1: this is not YAML",
		"sources: {a: {url: ${X}}}\n":       "must be in quotes",
		"state_dir: x\n---\nstate_dir: y\n": "config.yaml:3: one document is allowed",
		"state_dir: *x\n":                   "no anchor",
		"graph: &g {precompute_max_tables: 1}\nprivacy: *g\n": `unknown key "precompute_max_tables" in privacy`,
		"<<: {a: b}\n":       `unknown key "<<"`,
		"a: 1\nb: 2\nc: 3\n": "config.yaml:3: unknown key \"c\"",
		"graph: " + strings.Repeat("[", 100) + "\n":        "config.yaml:1: this is nested too deeply",
		"graph: " + strings.Repeat("[", 500_000):           "config.yaml:1: more than 100 brackets are opened",
		"sources:\n" + strings.Repeat("  a: {}\n", 40_000): "config.yaml:1002: a mapping has more than 1000 keys",
		"x: &x {y: *x}\ngraph: *x\n":                       `unknown key "x"`,
	} {
		_, err := Load(Options{ConfigFlag: write(t, text, "")})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: error %v, want %q in it", text, err, want)
			continue
		}
		if strings.Contains(err.Error(), "geheim") || strings.Contains(err.Error(), os.TempDir()) {
			t.Errorf("%q: error %q shows too much", text, err)
		}
	}
	if _, err := Load(Options{ConfigFlag: write(t, strings.Repeat("#\n", maxSize/2+1), "")}); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("a huge file: %v", err)
	}
	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, "k%d: 1\n", i)
	}
	if _, err := Load(Options{ConfigFlag: write(t, many.String(), "")}); strings.Count(err.Error(), "\n") != maxErrors || !strings.Contains(err.Error(), "10 more errors") {
		t.Errorf("many errors: %v", err)
	}
}

func TestLoad_Secrets(t *testing.T) {
	const text = "sources:\n  shop: {dialect: postgres, host: h, user: u, password: open, database: d, schemas: [a]}\n"
	for name, secrets := range map[string]string{
		"bare":    "shop: {password: geheim, user: '', schemas: [b]}\nother: {url: 'sqlite:///x.db'}\n",
		"wrapped": "sources:\n  shop: {password: geheim, user: '', schemas: [b]}\n  other: {url: 'sqlite:///x.db'}\n",
	} {
		c := load(t, text, secrets)
		shop, err := c.Source("shop")
		if err != nil {
			t.Fatal(err)
		}
		got, err := shop.Connect(variables())
		want := Connection{DSN: dsn.DSN{Dialect: dsn.PostgreSQL, Host: "h", Password: "geheim", Database: "d"}, Schemas: []string{"b"}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
		if _, err := c.Source("other"); err != nil {
			t.Errorf("%s: a source of its own: %v", name, err)
		}
		if len(c.Warnings) != 0 {
			t.Errorf("%s: warnings %q", name, c.Warnings)
		}
	}
	c := load(t, "", "sources: {dialect: sqlite, path: x.db}\n")
	if _, err := c.Source("sources"); err != nil {
		t.Errorf("a source that is called sources: %v", err)
	}
	_, err := Load(Options{ConfigFlag: write(t, text, "shop:\n  pass: geheim\n")})
	if err == nil || !strings.Contains(err.Error(), `sources.secrets.yaml:2: unknown key "pass" in source shop`) || strings.Contains(err.Error(), "geheim") {
		t.Errorf("an unknown key: %v", err)
	}
	_, err = Load(Options{ConfigFlag: write(t, text, "shop:\n  password: 'geheim\n")})
	if err == nil || !strings.Contains(err.Error(), "sources.secrets.yaml:2: this is not YAML") || strings.Contains(err.Error(), "geheim") {
		t.Errorf("no YAML: %v", err)
	}
}

func TestLoad_SecretsThatEverybodyReads(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file modes")
	}
	file := write(t, "", "shop: {password: geheim}\n")
	for mode, warned := range map[os.FileMode]bool{0o600: false, 0o640: false, 0o644: true, 0o604: true} {
		if err := os.Chmod(filepath.Join(filepath.Dir(file), "sources.secrets.yaml"), mode); err != nil {
			t.Fatal(err)
		}
		c, err := Load(Options{ConfigFlag: file})
		if err != nil {
			t.Fatal(err)
		}
		if (len(c.Warnings) == 1) != warned || warned && !strings.Contains(c.Warnings[0], "chmod 600 sources.secrets.yaml") {
			t.Errorf("mode %o: warnings %q", mode, c.Warnings)
		}
	}
}

func TestSource_Connect(t *testing.T) {
	c := load(t, `sources:
  fields: {dialect: postgresql, host: "${H}", port: "${P}", user: "${U}", password: "x${PW}y$${Z}", database: d, ssl_mode: require, schemas: ["${S}"], exclude_schemas: [t]}
  url: {url: "${DATABASE_URL}"}
  both: {dialect: mysql, url: "mysql://u:p@h/d"}
  lite: {dialect: sqlite, path: data/shop.db}
  liteurl: {url: "sqlite:///data/shop.db"}
  duck: {dialect: duckdb, database: lake.duckdb}
  snow: {dialect: snowflake, account: acc, user: u, database: d, schema: s, warehouse: w, role: r}
  bq: {dialect: bigquery, project: p, dataset: ds, location: EU}
  maria: {dialect: mariadb, host: h, port: 3307, user: u, database: d}
`, "")
	folder := filepath.Dir(c.File)
	lookup := variables("H", "h", "P", "5433", "U", "", "PW", "a:b@c/${X}", "S", "sales", "DATABASE_URL", "postgres://u:p%40@h:1/d")
	for name, want := range map[string]Connection{
		"fields": {DSN: dsn.DSN{Dialect: dsn.PostgreSQL, Host: "h", Port: "5433", Password: "xa:b@c/${X}y${Z}", Database: "d", Query: map[string][]string{"sslmode": {"require"}}},
			Schemas: []string{"sales"}, ExcludeSchemas: []string{"t"}},
		"url":     {DSN: dsn.DSN{Dialect: dsn.PostgreSQL, Scheme: "postgres", User: "u", Password: "p@", Host: "h", Port: "1", Database: "d"}},
		"both":    {DSN: dsn.DSN{Dialect: dsn.MySQL, Scheme: "mysql", User: "u", Password: "p", Host: "h", Database: "d"}},
		"lite":    {DSN: dsn.DSN{Dialect: dsn.SQLite, Path: filepath.Join(folder, "data", "shop.db")}},
		"liteurl": {DSN: dsn.DSN{Dialect: dsn.SQLite, Scheme: "sqlite", Path: filepath.Join(folder, "data", "shop.db")}},
		"duck":    {DSN: dsn.DSN{Dialect: dsn.DuckDB, Path: filepath.Join(folder, "lake.duckdb")}},
		"snow":    {DSN: dsn.DSN{Dialect: dsn.Snowflake, User: "u", Host: "acc", Database: "d", Schema: "s", Query: map[string][]string{"warehouse": {"w"}, "role": {"r"}}}},
		"bq":      {DSN: dsn.DSN{Dialect: dsn.BigQuery, Host: "p", Database: "ds", Query: map[string][]string{"location": {"EU"}}}},
		"maria":   {DSN: dsn.DSN{Dialect: dsn.MariaDB, User: "u", Host: "h", Port: "3307", Database: "d"}},
	} {
		s, err := c.Source(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Connect(lookup)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

func TestSource_ConnectRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{dialect: postgres, database: d, password: "${PG_PASSWORD}"}`: `source "s": password needs the environment variable PG_PASSWORD, which is not set`,
		`{dialect: postgres, database: d, schemas: ["${NONE}"]}`:       `source "s": schemas needs the environment variable NONE`,
		`{dialect: postgres, database: d, password: "geheim${A-B}"}`:   `source "s": password: a reference to a variable must have the form ${NAME}`,
		`{dialect: postgres, database: d, password: "geheim${SET"}`:    "must have the form",
		`{url: "${BAD}"}`:              `source "s": `,
		`{dialect: postgres, host: h}`: "database is missing",
		`{host: h}`:                    "dialect is missing",
		`{}`:                           "dialect is missing",
		`{dialect: sqlite}`:            "path is missing",
		`{dialect: snowflake}`:         "account is missing",
		`{dialect: bigquery}`:          "project is missing",
		`{dialect: "${SET}"}`:          `dialect "value" is not known`,
		`{dialect: mysql, url: "sqlite:///x.db"}`:          `dialect is "mysql", but the url is one of sqlite`,
		`{dialect: postgres, database: d, port: "${SET}"}`: "port must be a number",
	} {
		c := load(t, "sources:\n  s: "+text+"\n", "")
		_, err := c.Sources["s"].Connect(variables("SET", "value", "BAD", "geheim://geheim"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
			continue
		}
		if strings.Contains(strings.ReplaceAll(err.Error(), `scheme "geheim"`, ""), "geheim") {
			t.Errorf("%s: error %q shows a secret", text, err)
		}
	}
	c := load(t, "sources: {s: {dialect: postgres, database: d, user: '${GONE}'}}\n", "")
	_, err := c.Sources["s"].Connect(variables())
	var unset *UnsetError
	if !errors.As(err, &unset) || unset.Variable != "GONE" || unset.Source != "s" || unset.Key != "user" {
		t.Errorf("error %#v", err)
	}
}

func TestConfig_UnknownSource(t *testing.T) {
	c := load(t, "sources: {shop: {}, billing: {}}\n", "")
	if _, err := c.Source("shpo"); err == nil || err.Error() != `source "shpo" is not configured; did you mean "shop"?` {
		t.Errorf("near: %v", err)
	}
	if _, err := c.Source("warehouse"); err == nil || !strings.Contains(err.Error(), "known are billing, shop") {
		t.Errorf("far: %v", err)
	}
	if _, err := Defaults().Source("x"); err == nil || !strings.Contains(err.Error(), "no sources") {
		t.Errorf("none: %v", err)
	}
}

func TestReadEnv(t *testing.T) {
	values := map[string]string{"PRETENSOR_STATE_DIR": "s", "PRETENSOR_CONFIG": "c", "PRETENSOR_NONINTERACTIVE": "1", "PRETENSOR_EMBEDDINGS_DISABLED": " Yes ",
		"PRETENSOR_PROFILE_INDEX": "true", "PRETENSOR_HTTP_TOKEN": "geheim", "NO_COLOR": "0"}
	got := ReadEnv(func(n string) string { return values[n] })
	want := Env{StateDir: "s", ConfigFile: "c", NonInteractive: true, EmbeddingsDisabled: true, ProfileIndex: true, HTTPToken: "geheim", NoColor: true}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if text := fmt.Sprintf("%+v", got); strings.Contains(text, "geheim") {
		t.Errorf("printing shows the token: %s", text)
	}
	for _, off := range []string{"", "0", "false", "NO", "off"} {
		if ReadEnv(func(string) string { return off }).EmbeddingsDisabled {
			t.Errorf("%q counts as set", off)
		}
	}
}

func TestPick(t *testing.T) {
	if Pick(num(1), num(2), 3) != 1 || Pick(nil, num(2), 3) != 2 || Pick(nil, nil, 3) != 3 || Pick(num(0), num(2), 3) != 0 {
		t.Error("flag before environment before file")
	}
}

func FuzzParse_ConfigNeverPanics(f *testing.F) {
	for _, s := range []string{"graph: {join_path_max_depth: 3}\n", "sources:\n  a: &x {port: 1}\n  b: *x\n", "a: !!binary x\n", "? [a]\n: b\n", "x: |\n  y\n", "{", "%YAML 1.2\n---\na: 1\n",
		"sources: {s: {password: 'geheim'}}", "&a [*a]", "a: &a\n  b: *a\n", "- - - a", "\"\\", "!", "? ", "<<: *a"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, secrets string) {
		c, err := parse("config.yaml", []byte(text), []byte(secrets))
		if err != nil {
			return
		}
		if n := c.Graph.SameNameMaxTables; n != nil && *n < 2 || c.Graph.JoinPathMaxDepth < 1 || c.Graph.JoinPathMaxDepth > 8 || c.Embeddings.ClusterBlend < 0 || c.Embeddings.ClusterBlend > 1 {
			t.Fatalf("out of range: %+v", c)
		}
		for _, s := range c.Sources {
			s.Connect(func(string) (string, bool) { return "", false })
		}
	})
}
