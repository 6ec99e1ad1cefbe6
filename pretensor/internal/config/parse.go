package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/quartet-mcp/quartet/pretensor/internal/yamldoc"
)

// dialectNames are the dialects as they may be written.
var dialectNames = map[string]string{
	"postgres": dsn.PostgreSQL, "postgresql": dsn.PostgreSQL, "mysql": dsn.MySQL, "mariadb": dsn.MariaDB,
	"sqlite": dsn.SQLite, "duckdb": dsn.DuckDB, "snowflake": dsn.Snowflake, "bigquery": dsn.BigQuery,
}

var dialectList = []string{"postgres", "postgresql", "mysql", "mariadb", "sqlite", "duckdb", "snowflake", "bigquery"}

const (
	maxErrors = 20 // that are reported of one file
	maxDepth  = 20 // of nesting, aliases followed
)

// parse reads the two files' text; name is the first one's, for errors. The paths
// in the result are as written.
func parse(name string, text, secrets []byte) (*Config, error) {
	c := Defaults()
	c.StateDir, c.Visibility.Path = "", state.VisibilityName
	d := &decoder{file: name}
	d.mapping(d.document(text), "", c.keys(d))
	if err := d.err(); err != nil {
		return nil, err
	}
	s := &decoder{file: state.SecretsName}
	if body := s.document(secrets); body != nil {
		s.mapping(s.wrapped(body), "", map[string]func(ast.Node){anyKey: c.source(s)})
	}
	if err := s.err(); err != nil {
		return nil, err
	}
	return c, c.check(name)
}

// keys are the keys of config.yaml with what reads their values.
func (c *Config) keys(d *decoder) map[string]func(ast.Node) {
	section := func(name string, keys map[string]func(ast.Node)) func(ast.Node) {
		return func(n ast.Node) { d.mapping(n, name, keys) }
	}
	g, e := &c.Graph, &c.Embeddings
	return map[string]func(ast.Node){
		"state_dir": d.text(&c.StateDir),
		"graph": section("graph", map[string]func(ast.Node){
			"stale_index_warning_days":       d.integer(&g.StaleIndexWarningDays, 0, 36_500),
			"clustering_resolution_override": d.optionalNumber(&g.ClusteringResolutionOverride, 0.001, 1000),
			"join_path_max_depth":            d.integer(&g.JoinPathMaxDepth, 1, 8),
			"min_cluster_size_merge":         d.integer(&g.MinClusterSizeMerge, 1, 1_000_000),
			"collapse_shadow_aliases":        d.boolean(&g.CollapseShadowAliases),
			"lineage_in_max_for_alias":       d.integer(&g.LineageInMaxForAlias, 1, 1_000_000),
			"same_name_max_tables":           d.optionalInteger(&g.SameNameMaxTables, 2, 1_000_000),
			"precompute_max_tables":          d.integer(&g.PrecomputeMaxTables, 0, 1_000_000),
		}),
		"embeddings": section("embeddings", map[string]func(ast.Node){
			"provider":       d.oneOf(&e.Provider, ProviderNone, ProviderBuiltin, ProviderONNX, ProviderHTTP),
			"model_dir":      d.text(&e.ModelDir),
			"url":            d.text(&e.URL),
			"index_tables":   d.boolean(&e.IndexTables),
			"cluster_blend":  d.number(&e.ClusterBlend, 0, 1),
			"join_threshold": d.optionalNumber(&e.JoinThreshold, 0, 1),
			"role_weight":    d.number(&e.RoleWeight, 0, 1),
		}),
		"privacy": section("privacy", map[string]func(ast.Node){
			"stats":         d.oneOf((*string)(&c.Privacy.Stats), string(connect.StatsNone), string(connect.StatsCatalog), string(connect.StatsSample)),
			"sample_values": d.boolean(&c.Privacy.SampleValues),
		}),
		"visibility": section("visibility", map[string]func(ast.Node){
			"path": d.text(&c.Visibility.Path), "profile": d.text(&c.Visibility.Profile),
		}),
		"connection_defaults": section("connection_defaults", map[string]func(ast.Node){
			"name": d.text(&c.Defaults.Name), "dialect": d.oneOf(&c.Defaults.Dialect, dialectList...),
		}),
		"sources": section("sources", map[string]func(ast.Node){anyKey: c.source(d)}),
		"repositories": d.list("repositories", func(n ast.Node) {
			var r Repository
			line := lineOf(n)
			d.mapping(n, "repositories", map[string]func(ast.Node){"path": d.text(&r.Path), "service": d.text(&r.Service), "connection": d.text(&r.Connection)})
			if r.Path == "" {
				d.fail(line, "a repository needs a path")
			}
			c.Repositories = append(c.Repositories, r)
		}),
	}
}

// source reads one source over what is there of its name.
func (c *Config) source(d *decoder) func(ast.Node) {
	return func(n ast.Node) {
		name := d.key
		s := c.Sources[name]
		s.Name = name
		values := map[string]keystore.Secret{}
		for k, v := range s.Values {
			values[k] = v
		}
		keys := map[string]func(ast.Node){"schemas": d.texts(&s.Schemas, "schemas"), "exclude_schemas": d.texts(&s.ExcludeSchemas, "exclude_schemas")}
		for _, key := range sourceTexts {
			keys[key] = func(n ast.Node) {
				var v string
				d.text(&v)(n)
				literal := v != "" && !strings.Contains(v, "${")
				switch {
				case key == "port" && literal:
					if p, err := strconv.Atoi(v); err != nil || p < 1 || p > 65535 {
						d.fail(lineOf(n), "port must be a number from 1 to 65535 or a reference ${NAME}")
					}
				case key == "dialect" && literal && dialectNames[v] == "":
					d.fail(lineOf(n), fmt.Sprintf("dialect %q is not known%s", quotable(v), suggest(v, dialectList)))
				}
				values[key] = keystore.Secret(v)
			}
		}
		d.mapping(n, "source "+quotable(name), keys)
		s.Values = values
		c.Sources[name] = s
	}
}

// wrapped is the mapping of sources in the file of secrets, which may stand under
// a key "sources" as in config.yaml, or be the whole file.
func (d *decoder) wrapped(body ast.Node) ast.Node {
	pairs, ok := d.pairs(body)
	if !ok || len(pairs) != 1 || yamldoc.Key(pairs[0]) != "sources" {
		return body
	}
	inner, ok := d.pairs(pairs[0].Value)
	if !ok {
		return body
	}
	for _, p := range inner {
		if _, isMapping := d.pairs(p.Value); !isMapping {
			return body // a source that is called sources
		}
	}
	return pairs[0].Value
}

// check is what is to be said when everything has been read.
func (c *Config) check(file string) error {
	var errs []error
	for _, name := range sorted(c.Sources) {
		s := c.Sources[name]
		if s.Values["url"] == "" {
			continue
		}
		for _, key := range sourceTexts {
			if key != "url" && key != "dialect" && s.Values[key] != "" {
				errs = append(errs, fmt.Errorf("%s: source %q has a url and %s; the url says everything, or the fields do", file, quotable(name), key))
				break
			}
		}
	}
	switch {
	case c.Embeddings.Provider == ProviderONNX && c.Embeddings.ModelDir == "":
		errs = append(errs, fmt.Errorf("%s: embeddings.provider onnx needs embeddings.model_dir", file))
	case c.Embeddings.Provider == ProviderHTTP && c.Embeddings.URL == "":
		errs = append(errs, fmt.Errorf("%s: embeddings.provider http needs embeddings.url", file))
	}
	return errors.Join(errs...)
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// anyKey stands for every key that is not in the list of keys.
const anyKey = "*"

// decoder reads one file and collects what is wrong with it.
type decoder struct {
	file  string
	doc   *yamldoc.Document
	depth int
	key   string // that was read last where any is allowed
	found []problem
}

type problem struct {
	line int
	text string
}

func (d *decoder) fail(line int, text string) { d.found = append(d.found, problem{line, text}) }

// err is one error of all problems, in the order of their lines.
func (d *decoder) err() error {
	if len(d.found) == 0 {
		return nil
	}
	slices.SortStableFunc(d.found, func(a, b problem) int { return cmp.Compare(a.line, b.line) })
	errs := make([]error, 0, maxErrors)
	for i, p := range d.found {
		if i == maxErrors {
			errs = append(errs, fmt.Errorf("%s: %d more errors", d.file, len(d.found)-maxErrors))
			break
		}
		errs = append(errs, fmt.Errorf("%s:%d: %s", d.file, p.line, p.text))
	}
	return errors.Join(errs...)
}

// document is the only document of a text; nil if it is empty or not YAML.
func (d *decoder) document(text []byte) ast.Node {
	doc, err := yamldoc.Parse(string(text))
	if err != nil {
		message := err.Message
		if strings.Contains(message, "'}' must be specified") {
			message += "; a reference ${NAME} inside { } must be in quotes"
		}
		d.fail(max(1, err.Line), message)
		return nil
	}
	d.doc = doc
	return doc.Body
}

// lineOf is the line of a value, 1 where it has none.
func lineOf(n ast.Node) int {
	if t := yamldoc.Start(n); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}

// plain takes tags, anchors and aliases away. It is nil where nothing is left.
func (d *decoder) plain(n ast.Node) ast.Node {
	plain, err := d.doc.Plain(n)
	if err != nil {
		d.fail(max(1, err.Line), err.Message)
	}
	return plain
}

// pairs are the pairs of a mapping.
func (d *decoder) pairs(n ast.Node) ([]*ast.MappingValueNode, bool) { return yamldoc.Pairs(d.plain(n)) }

// mapping reads a mapping by its keys; name is what it is called in errors.
// Nothing at all is an empty one.
func (d *decoder) mapping(n ast.Node, name string, keys map[string]func(ast.Node)) {
	if n == nil {
		return
	}
	if d.depth++; d.depth > maxDepth {
		d.fail(lineOf(n), "this is nested too deeply")
		return
	}
	defer func() { d.depth-- }()
	pairs, ok := d.pairs(n)
	if !ok {
		if p := d.plain(n); p == nil || p.Type() == ast.NullType {
			return
		}
		d.fail(lineOf(n), what(name)+" must be a mapping of keys to values")
		return
	}
	seen := map[string]bool{}
	for _, p := range pairs {
		key := yamldoc.Key(p)
		line := lineOf(p.Key)
		read, known := keys[key]
		if any, ok := keys[anyKey]; ok {
			read, known = any, key != ""
		}
		switch {
		case seen[key]:
			d.fail(line, fmt.Sprintf("key %q stands here a second time", quotable(key)))
		case !known:
			where := ""
			if name != "" {
				where = " in " + name
			}
			d.fail(line, fmt.Sprintf("unknown key %q%s%s", quotable(key), where, suggest(key, sorted(keys))))
		default:
			d.key = key
			read(p.Value)
		}
		seen[key] = true
	}
}

// what a mapping is called.
func what(name string) string {
	if name == "" {
		return "the file"
	}
	return name
}

// list reads each item of a list.
func (d *decoder) list(name string, read func(ast.Node)) func(ast.Node) {
	return func(n ast.Node) {
		switch x := d.plain(n).(type) {
		case nil, *ast.NullNode:
		case *ast.SequenceNode:
			for _, item := range x.Values {
				read(item)
			}
		default:
			d.fail(lineOf(n), name+" must be a list")
		}
	}
}

// scalar is the text of a single value as it is written; isNull tells nothing from
// an empty text.
func (d *decoder) scalar(n ast.Node) (text string, isNull, ok bool) {
	plain := d.plain(n)
	if plain == nil || plain.Type() == ast.NullType {
		return "", true, true
	}
	text, ok = yamldoc.Scalar(plain)
	return text, false, ok
}

// text reads a text; a number or truth value counts as the text that it is written
// as, and null as none.
func (d *decoder) text(into *string) func(ast.Node) {
	return func(n ast.Node) {
		name := d.key
		text, _, ok := d.scalar(n)
		if !ok {
			d.fail(lineOf(n), name+" must be a single value, not a list or mapping")
			return
		}
		*into = text
	}
}

func (d *decoder) texts(into *[]string, name string) func(ast.Node) {
	return func(n ast.Node) {
		out := []string{}
		d.list(name, func(item ast.Node) {
			text, null, ok := d.scalar(item)
			if !ok || null || text == "" {
				d.fail(lineOf(item), name+" must be a list of names")
				return
			}
			out = append(out, text)
		})(n)
		*into = out
	}
}

// oneOf reads one of a few words.
func (d *decoder) oneOf(into *string, words ...string) func(ast.Node) {
	return func(n ast.Node) {
		name := d.key
		text, null, ok := d.scalar(n)
		switch {
		case null && *into == "": // what has no default may be left open
		case !ok || !slices.Contains(words, text):
			d.fail(lineOf(n), fmt.Sprintf("%s must be one of %s, got %q", name, strings.Join(words, ", "), quotable(text)))
		default:
			*into = text
		}
	}
}

func (d *decoder) boolean(into *bool) func(ast.Node) {
	return func(n ast.Node) {
		name := d.key
		b, ok := d.plain(n).(*ast.BoolNode)
		if !ok {
			d.fail(lineOf(n), name+" must be true or false")
			return
		}
		*into = b.Value
	}
}

// integer reads a whole number within bounds.
func (d *decoder) integer(into *int, least, most int) func(ast.Node) {
	return func(n ast.Node) {
		var v *int
		d.whole(n, &v, least, most, "")
		if v != nil {
			*into = *v
		}
	}
}

// optionalInteger is the same where null is a value.
func (d *decoder) optionalInteger(into **int, least, most int) func(ast.Node) {
	return func(n ast.Node) {
		if _, null, _ := d.scalar(n); null {
			*into = nil
			return
		}
		d.whole(n, into, least, most, " or null")
	}
}

func (d *decoder) whole(n ast.Node, into **int, least, most int, or string) {
	name := d.key
	text, _, ok := d.scalar(n)
	v, err := strconv.Atoi(text)
	if _, isNumber := d.plain(n).(*ast.IntegerNode); !ok || !isNumber || err != nil || v < least || v > most {
		d.fail(lineOf(n), fmt.Sprintf("%s must be a whole number from %d to %d%s, got %q", name, least, most, or, quotable(text)))
		return
	}
	*into = &v
}

// number reads a number within bounds.
func (d *decoder) number(into *float64, least, most float64) func(ast.Node) {
	return func(n ast.Node) {
		var v *float64
		d.real(n, &v, least, most, "")
		if v != nil {
			*into = *v
		}
	}
}

// optionalNumber is the same where null is a value.
func (d *decoder) optionalNumber(into **float64, least, most float64) func(ast.Node) {
	return func(n ast.Node) {
		if _, null, _ := d.scalar(n); null {
			*into = nil
			return
		}
		d.real(n, into, least, most, " or null")
	}
}

func (d *decoder) real(n ast.Node, into **float64, least, most float64, or string) {
	name := d.key
	text, _, ok := d.scalar(n)
	v, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil || math.IsNaN(v) || v < least || v > most {
		d.fail(lineOf(n), fmt.Sprintf("%s must be a number from %v to %v%s, got %q", name, least, most, or, quotable(text)))
		return
	}
	*into = &v
}

// suggest ends an error about a name that is not known.
func suggest(name string, known []string) string {
	if near := nearest.Best(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if len(known) > 30 {
		return ""
	}
	return "; known are " + strings.Join(known, ", ")
}

// quotable bounds what an error repeats.
func quotable(text string) string {
	if len(text) > 80 {
		return strings.ToValidUTF8(text[:80], "") + "…"
	}
	return text
}
