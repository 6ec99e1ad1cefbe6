package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
	"github.com/quartet-mcp/quartet/pretensor/internal/tools"
	"github.com/quartet-mcp/quartet/pretensor/internal/visibility"
	"github.com/spf13/cobra"
)

const instructions = "Call list_databases, find tables with query or semantic_search, read one with context, join two with traverse, and check SQL with validate_sql before it runs. " +
	"Before a schema change ask impact and consumers; detect_changes says whether the index is old. " +
	"Only structure is known here: no tool returns rows of a database."

// serveOptions are what the command line of serve says.
type serveOptions struct {
	transport, addr     string
	tools, exclude      []string
	visibility, profile string
	configOnly, demo    bool
	client              string
	noOutputSchemas     bool
	noPrintConfig       bool
}

// serving is the command whose log nobody may read.
const serving = "serve"

// newServe defines serve, which answers assistants over the Model Context Protocol.
func newServe(s *session) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   serving,
		Short: "Answer assistants over the Model Context Protocol",
		Long: "Serves the indexed connections. Over stdio, standard output carries the protocol alone. Over HTTP it\n" +
			"listens on loopback unless --addr says otherwise, and then needs the bearer token PRETENSOR_HTTP_TOKEN.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.serve(cmd.Context(), o) },
	}
	f := cmd.Flags()
	choiceVar(f, &o.transport, "transport", "stdio", "how clients connect", "stdio", "http")
	f.StringVar(&o.addr, "addr", "", "the `host:port` to serve HTTP on, at the path /mcp (default 127.0.0.1:8080)")
	f.StringSliceVar(&o.tools, "tools", nil, "only these `tools`, separated by commas")
	f.StringSliceVar(&o.exclude, "exclude-tools", nil, "all `tools` but these")
	f.StringVar(&o.visibility, "visibility", "", "the `file` of visibility rules (default visibility.yml in the state directory, if it is there)")
	f.StringVar(&o.profile, "profile", "", "the `profile` of it")
	f.BoolVar(&o.configOnly, "config-only", false, "print the mcpServers configuration and exit")
	f.StringVar(&o.client, "print-config", "", "print the configuration of a `client` and exit: claude-desktop, claude-code, cursor, vscode, zed")
	f.BoolVar(&o.noPrintConfig, "no-print-config", false, "print no configuration, which is so anyway")
	f.Lookup("no-print-config").Hidden = true
	f.BoolVar(&o.noOutputSchemas, "no-output-schemas", false, "leave the output schemas out of the list of tools")
	f.BoolVar(&o.demo, "demo", false, "make the demonstration first if nothing is registered")
	return cmd
}

func (s *session) serve(ctx context.Context, o serveOptions) error {
	only, err := o.filter()
	if err != nil {
		return err
	}
	if o.configOnly || o.client != "" {
		return s.serveConfig(o)
	}
	flags := &mcpkit.Flags{Transport: o.transport, Addr: o.addr, NoOutputSchemas: o.noOutputSchemas, TokenEnv: "PRETENSOR_HTTP_TOKEN"}
	if err := flags.Check(); err != nil {
		return usagef("%v", err)
	}
	rows, err := s.bound("PRETENSOR_CYPHER_MAX_ROWS", 1, 100_000)
	if err != nil {
		return err
	}
	answer, err := s.bound("PRETENSOR_MAX_RESPONSE_CHARS", 1_000, 10_000_000)
	if err != nil {
		return err
	}
	r, err := s.reg.Read()
	if err != nil {
		return err
	}
	if o.demo && r.Len() == 0 {
		if _, err := s.makeDemo(ctx, indexOptions{}); err != nil {
			return err
		}
	}
	if s.getenv("GOGC") == "" {
		// What a server keeps is much, and what a call leaves is little: the usual rule,
		// to let as much pile up as is kept, would double its memory for nothing.
		defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	}
	service, done, err := s.service(o)
	if err != nil {
		return err
	}
	defer done()
	service.CypherRows = rows
	server := mcpkit.New(mcpkit.Info{Name: name, Title: "Pretensor", Version: s.Version, Instructions: instructions}, service.Options(answer))
	tools.Register(server, service, only)
	beside, end := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { service.Watch(beside, server) })
	work.Go(func() { service.Warm(beside) })
	defer work.Wait()
	defer end()
	if code := s.Serve(ctx, server, flags); code != exitOK {
		return exitError(code)
	}
	return nil
}

// garbage is how much may pile up before it is collected, in percent of what is kept.
const garbage = 35

// bound is a number of the environment that bounds answers; 0 if it is not set.
func (s *session) bound(variable string, least, most int) (int, error) {
	text := strings.TrimSpace(s.getenv(variable))
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s must be a number from %d to %d, it is %s", variable, least, most, shown(text))
	}
	return n, nil
}

// service is what the tools answer from. done closes it.
func (s *session) service(o serveOptions) (service *tools.Service, done func(), err error) {
	rules, err := s.rules(o.visibility, o.profile)
	if err != nil {
		return nil, nil, err
	}
	embedder, err := embed.Open(s.cfg.Embeddings, s.env.EmbeddingsDisabled)
	if err != nil {
		return nil, nil, err
	}
	search, err := lookup.New()
	if err != nil {
		return nil, nil, errors.Join(err, embedder.Close())
	}
	shown := store.Options{AliasSources: s.aliasSources()}
	if !rules.Empty() {
		shown.Hide = func(d *catalog.Data) *catalog.Data {
			d = rules.Filter(d)
			// Of tables of which something is hidden the vector went with it.
			if err := embedder.Missing(context.Background(), d); err != nil {
				s.log.Warn(err.Error())
			}
			return d
		}
	}
	graphs := tools.NewGraphs(tools.GraphsOptions{Dir: s.dir, Log: s.log, Write: func(ctx context.Context, path string, c *catalog.Catalog) error {
		return index.WriteGraph(ctx, path, c, s.Version)
	}})
	service = &tools.Service{
		Store: store.New(s.dir, s.reg, shown), StaleDays: s.cfg.Graph.StaleIndexWarningDays, Live: s.live(rules), Graphs: graphs,
		Lookup: search, Embedder: embedder, Now: s.Now, Log: s.log,
	}
	return service, func() {
		graphs.Close()
		if err := errors.Join(search.Close(), embedder.Close()); err != nil {
			s.log.Warn("closing: " + err.Error())
		}
	}, nil
}

// live is the way to the databases, for what callers may see of them.
func (s *session) live(rules *visibility.Rules) *tools.Live {
	// What was hidden from the index is no change either. The registry may be another
	// one at every call.
	indexed := func(e registry.Entry) (indexOptions, *visibility.Rules, error) {
		o, err := target{entry: e}.stored()
		if err != nil {
			return o, nil, err
		}
		r, err := s.rules(o.Visibility, o.Profile)
		return o, r, err
	}
	return &tools.Live{
		Connect: func(ctx context.Context, e registry.Entry) (connect.Connector, error) {
			t, err := s.fromEntry(e)
			if err != nil {
				return nil, &connect.Error{Category: connect.NoDSN, Message: "the connection string of " + e.Name + " cannot be used", Hint: "run: pretensor check", Err: err}
			}
			return s.Connect(ctx, t.dsn)
		},
		Snapshot: func(connection string) (*snapshot.Snapshot, error) { return snapshot.Read(s.dir, connection) },
		Scope: func(e registry.Entry) (connect.Options, error) {
			o, _, err := indexed(e)
			return o.scope(), err
		},
		Hide: func(connection string, dbs ...*model.Database) []*model.Database {
			r, err := s.reg.Read()
			var e registry.Entry
			if err == nil {
				e, err = r.Get(connection)
			}
			var atIndex *visibility.Rules
			if err == nil {
				_, atIndex, err = indexed(e)
			}
			if err != nil { // nothing is shown that perhaps may not be
				s.log.Error("the rules of "+connection+" cannot be read", "error", err)
				out := make([]*model.Database, len(dbs))
				for i, db := range dbs {
					out[i] = &model.Database{Name: db.Name, Dialect: db.Dialect, Version: db.Version, DefaultSchema: db.DefaultSchema, Tables: []model.Table{}}
				}
				return out
			}
			return rules.Databases(connection, atIndex.Databases(connection, dbs...)...)
		},
	}
}

// filter says which tools are offered; nil is all.
func (o serveOptions) filter() (func(string) bool, error) {
	for _, given := range []struct {
		flag  string
		tools []string
	}{{"tools", o.tools}, {"exclude-tools", o.exclude}} {
		for _, t := range given.tools {
			if !slices.Contains(tools.Names, t) {
				return nil, usagef("--%s: there is no tool %s%s", given.flag, shown(t), suggestion(t, tools.Names, ""))
			}
		}
	}
	switch {
	case len(o.tools) > 0 && len(o.exclude) > 0:
		return nil, usagef("--tools and --exclude-tools exclude each other")
	case len(o.tools) > 0:
		return func(t string) bool { return slices.Contains(o.tools, t) }, nil
	case len(o.exclude) > 0:
		return func(t string) bool { return !slices.Contains(o.exclude, t) }, nil
	}
	return nil, nil
}

// serveConfig prints the configuration that makes a client start this server.
func (s *session) serveConfig(o serveOptions) error {
	if o.transport != "stdio" {
		return usagef("the configuration is for a server that the client starts; leave out --transport %s", o.transport)
	}
	client := o.client
	if o.configOnly {
		if client != "" {
			return usagef("--config-only and --print-config exclude each other")
		}
		client = snippet
	}
	more := []string{}
	if o.visibility != "" {
		path, err := filepath.Abs(o.visibility)
		if err != nil {
			return err
		}
		more = append(more, "--visibility", path)
	}
	for _, f := range []struct{ name, value string }{
		{"--profile", o.profile}, {"--tools", strings.Join(o.tools, ",")}, {"--exclude-tools", strings.Join(o.exclude, ",")},
	} {
		if f.value != "" {
			more = append(more, f.name, f.value)
		}
	}
	if o.noOutputSchemas {
		more = append(more, "--no-output-schemas")
	}
	if o.demo {
		more = append(more, "--demo")
	}
	return s.clientConfig(client, more)
}
