package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/visibility"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// indexOptions are what was said for one connection: on the command line, or by its
// source. They are kept in the registry, so that reindex repeats them. What is empty
// or null is as the configuration says.
type indexOptions struct {
	Schemas           []string           `json:"schemas,omitempty"`
	ExcludeSchemas    []string           `json:"exclude_schemas,omitempty"`
	Stats             *connect.StatsMode `json:"stats,omitempty"`
	SampleValues      *bool              `json:"sample_values,omitempty"`
	IncludePartitions *bool              `json:"include_partitions,omitempty"`
	IncludeExtensions *bool              `json:"include_extensions,omitempty"`
	Embeddings        *bool              `json:"embeddings,omitempty"`
	Visibility        string             `json:"visibility,omitempty"` // absolute path
	Profile           string             `json:"profile,omitempty"`
}

// indexFlags are the options of index and reindex.
type indexFlags struct {
	source, name, dialect             string
	all                               bool
	schemas, exclude                  []string
	stats                             string
	sampleValues                      bool
	partitions, extensions            bool
	embeddings, noEmbeddings          bool
	visibility, profile, skillsTarget string
	jobs                              int
	metricTemplates                   bool

	// Not in this version: refused when they are given.
	unified                 bool
	dbtManifest, dbtSources string
	valueOverlap            string
}

func (o *indexFlags) define(f *pflag.FlagSet) {
	f.StringVarP(&o.source, "source", "s", "", "a `source` of the configuration")
	f.BoolVar(&o.all, "all", false, "every source of the configuration and every registered connection; a failure does not stop the others")
	f.StringVarP(&o.name, "name", "n", "", "what the connection is called (default: its database's name)")
	f.StringVar(&o.dialect, "dialect", "", "the `dialect`, where the connection string does not say it")
	f.StringSliceVar(&o.schemas, "schemas", nil, "only these `schemas`, separated by commas")
	f.StringSliceVar(&o.exclude, "exclude-schemas", nil, "all `schemas` but these")
	choiceVar(f, &o.stats, "stats", "", "which statistics are read; catalog is what the database's planner knows (default: the configuration's, else catalog)", "none", "catalog", "sample")
	f.BoolVar(&o.sampleValues, "sample-values", false, "keep a few values that are common in text columns and tell nothing of a person")
	f.BoolVar(&o.embeddings, "embeddings", false, "make vectors of the tables, whatever the configuration says")
	f.BoolVar(&o.noEmbeddings, "no-embeddings", false, "make none")
	f.StringVar(&o.visibility, "visibility", "", "index only what this `file` of rules lets be seen (default visibility.yml in the state directory, if it is there)")
	f.StringVar(&o.profile, "profile", "", "the `profile` of it")
	f.BoolVar(&o.partitions, "include-partitions", false, "index partitions as tables of their own")
	f.BoolVar(&o.extensions, "include-extensions", false, "index tables that belong to extensions of PostgreSQL")
	f.IntVar(&o.jobs, "jobs", 0, "use at most `N` processors (default: all)")
	f.StringVar(&o.skillsTarget, "skills-target", "none", "write a skill file about the connection: claude, cursor, all, none or a `path`")
	f.BoolVar(&o.metricTemplates, "metric-templates", false, "store the sums of the amounts in fact tables as metrics")
	f.BoolVar(&o.unified, "unified", false, "")
	f.StringVar(&o.dbtManifest, "dbt-manifest", "", "")
	f.StringVar(&o.dbtSources, "dbt-sources", "", "")
	choiceVar(f, &o.valueOverlap, "value-overlap", "off", "", "auto", "off")
	for _, later := range []string{"unified", "dbt-manifest", "dbt-sources", "value-overlap"} {
		f.Lookup(later).Hidden = true
	}
}

// given are the options that the command line has, as they are kept.
func (o *indexFlags) given(f *pflag.FlagSet) (indexOptions, error) {
	var out indexOptions
	for _, later := range []string{"unified", "dbt-manifest", "dbt-sources", "value-overlap"} {
		if f.Changed(later) && f.Lookup(later).Value.String() != "off" {
			return out, usagef("--%s is not in this version yet; leave it out", later)
		}
	}
	for _, list := range []struct {
		flag  string
		names []string
	}{{"schemas", o.schemas}, {"exclude-schemas", o.exclude}} {
		if f.Changed(list.flag) && (len(list.names) == 0 || slices.Contains(list.names, "")) {
			return out, usagef("--%s needs names separated by commas", list.flag)
		}
	}
	switch {
	case f.Changed("jobs") && o.jobs < 1:
		return out, usagef("--jobs must be at least 1, it is %d", o.jobs)
	case o.embeddings && o.noEmbeddings:
		return out, usagef("--embeddings and --no-embeddings exclude each other")
	}
	out = indexOptions{Schemas: o.schemas, ExcludeSchemas: o.exclude, Profile: o.profile}
	if o.stats != "" {
		mode := connect.StatsMode(o.stats)
		out.Stats = &mode
	}
	for _, b := range []struct {
		flag  string
		value bool
		to    **bool
	}{
		{"sample-values", o.sampleValues, &out.SampleValues}, {"include-partitions", o.partitions, &out.IncludePartitions},
		{"include-extensions", o.extensions, &out.IncludeExtensions},
		{"embeddings", o.embeddings, &out.Embeddings}, {"no-embeddings", !o.noEmbeddings, &out.Embeddings},
	} {
		if f.Changed(b.flag) {
			*b.to = &b.value
		}
	}
	if o.visibility != "" {
		path, err := filepath.Abs(o.visibility)
		if err != nil {
			return out, fmt.Errorf("--visibility: %w", err)
		}
		out.Visibility = path
	}
	return out, nil
}

// over is o with what top says in its place.
func (o indexOptions) over(top indexOptions) indexOptions {
	if len(top.Schemas) > 0 || len(top.ExcludeSchemas) > 0 {
		o.Schemas, o.ExcludeSchemas = top.Schemas, top.ExcludeSchemas
	}
	pick := func(to **bool, from *bool) {
		if from != nil {
			*to = from
		}
	}
	pick(&o.SampleValues, top.SampleValues)
	pick(&o.IncludePartitions, top.IncludePartitions)
	pick(&o.IncludeExtensions, top.IncludeExtensions)
	pick(&o.Embeddings, top.Embeddings)
	if top.Stats != nil {
		o.Stats = top.Stats
	}
	if top.Visibility != "" {
		o.Visibility = top.Visibility
	}
	if top.Profile != "" {
		o.Profile = top.Profile
	}
	return o
}

// stored are the options that a connection was indexed with.
func (t target) stored() (indexOptions, error) {
	var o indexOptions
	if t.entry.IndexOptions == nil {
		return o, nil
	}
	if err := json.Unmarshal(t.entry.IndexOptions, &o); err != nil {
		return o, fmt.Errorf("connection %q: its index_options in the registry cannot be read; run: pretensor index %s", t.entry.Name, names.Argument(t.entry.Name))
	}
	return o, nil
}

// scope is which part of the structure is read.
func (o indexOptions) scope() connect.Options {
	return connect.Options{
		Schemas: o.Schemas, ExcludeSchemas: o.ExcludeSchemas,
		IncludePartitions: config.Pick(o.IncludePartitions, nil, false), IncludeExtensions: config.Pick(o.IncludeExtensions, nil, false),
	}
}

// targets are the databases that the command line means.
func (o *indexFlags) targets(s *session, cmd *cobra.Command, args []string) ([]wanted, error) {
	ways := 0
	for _, given := range []bool{len(args) > 0, o.source != "", o.all, s.database != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways > 1:
		return nil, usagef("%s takes one of a connection string, the name of a connection, --source and --all, not several", cmd.CommandPath())
	case ways == 0:
		return nil, hintf(fmt.Errorf("%s needs a connection string, the name of a connection, --source NAME or --all", cmd.CommandPath()), "see: %s", s.line("list"))
	case (o.name != "" || o.dialect != "") && len(args) == 0:
		return nil, usagef("--name and --dialect go with a connection string")
	case o.all:
		return o.everything(s)
	}
	var t target
	var err error
	switch {
	case o.source != "":
		t, err = s.fromSource(o.source)
	case s.database != "":
		t, err = s.fromName(s.database)
	default:
		t, err = s.fromArgument(args[0], o.dialect, o.name)
	}
	if err != nil {
		return nil, err
	}
	return []wanted{{name: t.entry.Name, find: func() (target, error) { return t, nil }}}, nil
}

// wanted is a database that is to be indexed.
type wanted struct {
	name string
	find func() (target, error)
}

// everything are all sources, and the connections that are none, by name.
func (o *indexFlags) everything(s *session) ([]wanted, error) {
	r, err := s.reg.Read()
	if err != nil {
		return nil, err
	}
	var out []wanted
	for name := range s.cfg.Sources {
		out = append(out, wanted{name, func() (target, error) { return s.fromSource(name) }})
	}
	for _, e := range r.All() {
		if _, ok := s.cfg.Sources[e.Name]; !ok {
			out = append(out, wanted{e.Name, func() (target, error) { return s.fromEntry(e) }})
		}
	}
	if len(out) == 0 {
		return nil, hintf(fmt.Errorf("there is nothing to index: no source in the configuration, and no connection"), "register one with: %s", s.line("add", "DSN"))
	}
	slices.SortFunc(out, func(a, b wanted) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// request is what package index is asked for. done closes what it uses.
func (s *session) request(ctx context.Context, t target, o indexOptions) (r index.Request, done func(), err error) {
	kept, err := json.Marshal(o)
	if err != nil {
		return r, nil, err
	}
	r = index.Request{Entry: t.entry, Settings: index.SettingsOf(s.cfg.Graph), Now: s.Now(), Version: s.Version}
	r.Entry.IndexOptions = kept
	r.Options = o.scope()
	r.Options.Stats = config.Pick(o.Stats, nil, s.cfg.Privacy.Stats)
	r.Options.SampleValues = config.Pick(o.SampleValues, nil, s.cfg.Privacy.SampleValues)
	r.Options.Grants = true // where the engine has any
	rules, err := s.rules(o.Visibility, o.Profile)
	if err != nil {
		return r, nil, err
	}
	if !rules.Empty() {
		r.Hide = func(db *model.Database) *model.Database { return rules.Database(t.entry.Name, db) }
	}
	embedder, err := s.embedder(o.Embeddings)
	if err != nil {
		return r, nil, err
	}
	if p := embedder.Provider(); p != nil {
		r.Embed = func(ctx context.Context, d *catalog.Data) (catalog.Vectors, error) { return embed.Tables(ctx, p, d) }
	}
	if r.Connector, err = s.Connect(ctx, t.dsn); err != nil {
		return r, nil, errors.Join(err, embedder.Close())
	}
	return r, func() {
		// Nothing was written that they could lose.
		_, _ = r.Connector.Close(), embedder.Close()
	}, nil
}

// rules are those of a file, or of the configuration's; a file or a profile that was
// named must be there.
func (s *session) rules(path, profile string) (*visibility.Rules, error) {
	required := path != "" || profile != "" || s.cfg.Visibility.Profile != ""
	if path == "" {
		path = s.cfg.Visibility.Path
	}
	if profile == "" {
		profile = s.cfg.Visibility.Profile
	}
	return visibility.Load(path, profile, required)
}

// embedder is the configured one; wanted may be for or against the vectors of tables.
func (s *session) embedder(wanted *bool) (*embed.Embedder, error) {
	e := s.cfg.Embeddings
	switch {
	case wanted != nil && !*wanted, wanted == nil && !e.IndexTables:
		e.Provider = config.ProviderNone
	case wanted != nil && e.Provider == config.ProviderNone:
		e.Provider = config.ProviderBuiltin
	}
	if s.env.EmbeddingsDisabled && wanted != nil && *wanted {
		s.log.Warn("PRETENSOR_EMBEDDINGS_DISABLED is set: no vectors are made, in spite of --embeddings")
	}
	return embed.Open(e, s.env.EmbeddingsDisabled)
}

// aliasSources is how many tables may feed a view that stands for one of them.
func (s *session) aliasSources() int { return index.SettingsOf(s.cfg.Graph).AliasSources }

// use bounds the processors, and gives back what undoes it.
func (o *indexFlags) use() (undo func()) {
	if o.jobs == 0 {
		return func() {}
	}
	before := runtime.GOMAXPROCS(o.jobs)
	return func() { runtime.GOMAXPROCS(before) }
}

// stage is one line of the table of times.
type stage struct {
	Name string  `json:"stage"`
	MS   float64 `json:"duration_ms"`
}

// stages reports each step of an index as it ends, and keeps them.
func (s *session) stages(connection string) (*[]stage, index.Stage) {
	all := &[]stage{}
	return all, func(name string, took time.Duration) {
		ms := float64(took.Microseconds()) / 1000
		*all = append(*all, stage{name, ms})
		line := fmt.Sprintf("%-14s %10.3f s", name, took.Seconds())
		if s.env.ProfileIndex {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			line += fmt.Sprintf("  %6d MB in use", m.HeapAlloc>>20)
		}
		s.log.Info(line, "event", "stage", "status", "ok", "stage", name, "connection", connection, "duration_ms", ms)
	}
}

// report is what index and reindex print of one connection.
type report struct {
	Connection string   `json:"connection_name"`
	OK         bool     `json:"ok"`
	Error      *string  `json:"error"`
	Graph      string   `json:"graph_path,omitempty"`
	Counts     *counts  `json:"counts"`
	Stages     []stage  `json:"stages"`
	Warnings   []string `json:"warnings"`
	Skill      []string `json:"skill_files,omitempty"`
	*changed            // of reindex
}

type counts struct {
	Tables   int `json:"tables"`
	Columns  int `json:"columns"`
	Declared int `json:"declared_joins"`
	Inferred int `json:"inferred_joins"`
	High     int `json:"inferred_high"`
	Medium   int `json:"inferred_medium"`
	Low      int `json:"inferred_low"`
	Clusters int `json:"clusters"`
	Entities int `json:"entities"`
	Paths    int `json:"paths"`
}

func countsOf(c index.Counts) *counts {
	return &counts{
		Tables: c.Tables, Columns: c.Columns, Declared: c.Declared, Inferred: c.High + c.Medium + c.Low, High: c.High, Medium: c.Medium, Low: c.Low,
		Clusters: c.Clusters, Entities: c.Entities, Paths: c.Paths,
	}
}

func (c *counts) String() string {
	return fmt.Sprintf("tables %d · columns %d · declared joins %d · inferred joins %d (%d high, %d medium, %d low) · clusters %d · entities %d · paths %d",
		c.Tables, c.Columns, c.Declared, c.Inferred, c.High, c.Medium, c.Low, c.Clusters, c.Entities, c.Paths)
}

// each works on every database that is wanted, one after the other. The failure of
// one of several does not stop the rest.
func (s *session) each(ctx context.Context, list []wanted, all bool, do func(target) (*report, error)) error {
	reports := []*report{}
	failed := 0
	for _, w := range list {
		if all {
			s.log.Info(w.name+":", "event", "index", "connection", w.name)
		}
		t, err := w.find()
		var r *report
		if err == nil {
			r, err = do(t)
		}
		if err != nil && (!all || ctx.Err() != nil) {
			return err
		}
		if err != nil {
			failed++
			text := s.secrets.hide(oneLine(describe(err)))
			s.log.Error(w.name+": "+text, "event", "index", "status", "error", "connection", w.name)
			r = &report{Connection: w.name, Error: &text, Stages: []stage{}, Warnings: []string{}}
		}
		reports = append(reports, r)
	}
	if err := s.printReports(reports, all); err != nil {
		return err
	}
	if failed > 0 {
		return exitError(exitFailed)
	}
	return nil
}

func (s *session) printReports(reports []*report, all bool) error {
	switch {
	case s.json && all:
		return s.printJSON(reports)
	case s.json:
		return s.printJSON(reports[0])
	case !all:
		return s.printReport(reports[0])
	}
	for _, r := range reports {
		line := "✓ " + r.Connection
		switch {
		case r.Error != nil:
			line = "✗ " + r.Connection + "  " + *r.Error
		case r.Counts != nil:
			line += "  " + r.Counts.String()
		}
		if err := s.print("%s\n", printable(line)); err != nil {
			return err
		}
	}
	return nil
}

// printReport prints what a person wants to know of one index.
func (s *session) printReport(r *report) error {
	var b strings.Builder
	if r.changed != nil {
		r.print(&b)
	}
	fmt.Fprintln(&b, r.Counts)
	for _, path := range r.Skill {
		fmt.Fprintln(&b, path)
	}
	if r.Graph != "" {
		fmt.Fprintln(&b, r.Graph)
		fmt.Fprintf(&b, "next: %s\n", s.line("serve", "--config-only"))
	}
	return s.print("%s", b.String())
}

// warn logs the warnings of an index and returns them as they may be printed.
func (s *session) warn(connection string, warnings []string) []string {
	out := make([]string, len(warnings))
	for i, w := range warnings {
		out[i] = s.secrets.hide(w)
		s.log.Warn(w, "event", "index", "connection", connection)
	}
	return out
}
