package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/quartet-mcp/quartet/pretensor/internal/analyze"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/demo"
	"github.com/quartet-mcp/quartet/pretensor/internal/metric"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/spf13/cobra"
)

// questions are what the demonstration can be asked.
var questions = []string{
	"Which tables do I join to see what was paid in each country?",
	"Which services write to payments, and what else breaks if I rename its column amount?",
	"Is this right: SELECT c.name, sum(i.unit_price) FROM customers c JOIN order_items i ON i.customer_id = c.id GROUP BY 1?",
}

// newQuickstart defines quickstart, which makes and indexes the demonstration.
func newQuickstart(s *session) *cobra.Command {
	var postgres, noDocker, down, embeddings, noEmbeddings bool
	cmd := takes(&cobra.Command{
		Use:   "quickstart",
		Short: "Index the demonstration and show how to ask about it",
		Long: "Writes a small shop into the state directory (a SQLite file, metrics, and programs that use it), indexes it as\n" +
			"connection demo, and prints questions to ask and the configuration of a client. It needs nothing installed and\n" +
			"may be repeated. With --postgres it is a rental shop on a PostgreSQL that docker runs on 127.0.0.1:55432.",
		Args: noArgs,
	}, optionJSON)
	f := cmd.Flags()
	f.BoolVar(&embeddings, "embeddings", false, "make vectors of the tables, whatever the configuration says")
	f.BoolVar(&noEmbeddings, "no-embeddings", false, "make none")
	f.BoolVar(&postgres, "postgres", false, "use a PostgreSQL instead of a file")
	f.BoolVar(&noDocker, "no-docker", false, "with --postgres: it runs already, as user postgres with the password in PGPASSWORD")
	f.BoolVar(&down, "down", false, "end and delete the PostgreSQL of --postgres")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var o indexOptions
		switch {
		case embeddings && noEmbeddings:
			return usagef("--embeddings and --no-embeddings exclude each other")
		case noDocker && !postgres:
			return usagef("--no-docker goes with --postgres")
		case down && noDocker:
			return usagef("--down and --no-docker exclude each other")
		case embeddings:
			o.Embeddings = &embeddings
		case noEmbeddings:
			o.Embeddings = new(bool)
		}
		switch {
		case down:
			return s.postgresDown(cmd.Context())
		case postgres:
			return s.postgresDemo(cmd.Context(), o, !noDocker)
		}
		r, err := s.makeDemo(cmd.Context(), o)
		if err != nil {
			return hintf(err, "try: %s quickstart --state-dir %s", name, names.Argument(filepath.Join(os.TempDir(), "pretensor-demo")))
		}
		return s.ready(r, questions)
	}
	return cmd
}

// makeDemo writes the demonstration into the state directory, indexes it, and stores
// its metrics and who uses it.
func (s *session) makeDemo(ctx context.Context, o indexOptions) (*report, error) {
	files, err := demo.Write(s.dir.Demo())
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(files.Database)
	if err != nil {
		return nil, fmt.Errorf("finding the demonstration: %w", err)
	}
	replace, err := s.replaces(demo.Connection)
	if err != nil {
		return nil, err
	}
	t, err := s.targetNamed(config.Connection{DSN: dsn.DSN{Dialect: dsn.SQLite, Path: path}}, demo.Connection, replace)
	if err != nil {
		return nil, err
	}
	r, err := s.index(ctx, t, o)
	if err != nil {
		return nil, err
	}
	_, c, err := s.choose(demo.Connection)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(files.Semantic)
	if err != nil {
		return nil, fmt.Errorf("reading the demonstration's metrics: %w", err)
	}
	layer, err := metric.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("the demonstration's metrics: %w", err)
	}
	metrics, err := s.compileMetrics(c, layer)
	if err != nil {
		return nil, fmt.Errorf("the demonstration's metrics: %w", err)
	}
	scans, err := s.scanFolders(ctx, files.App, c)
	if err != nil {
		return nil, fmt.Errorf("the demonstration's programs: %w", err)
	}
	if knows(c, metrics, scans) { // from the last time: a graph is not written twice for that
		return r, nil
	}
	return r, s.enrich(ctx, c, metrics, scans)
}

// knows reports whether a catalog has these metrics and consumers already. An index
// keeps both, so only what they were made of can make a difference.
func knows(c *catalog.Catalog, metrics []catalog.Metric, scans []scan) bool {
	for _, m := range metrics {
		if !slices.ContainsFunc(c.Metrics, func(x catalog.Metric) bool {
			return x.Name == m.Name && x.SQL == m.SQL && x.Description == m.Description && x.Valid == m.Valid && !x.Stale
		}) {
			return false
		}
	}
	for _, n := range scans {
		was := map[string]catalog.Consumer{}
		for _, x := range c.Consumers {
			if x.Service == n.service {
				was[x.ID] = x
			}
		}
		now := n.consumersOf()
		if len(now) != len(was) || !slices.ContainsFunc(c.Scans, func(x catalog.Scan) bool { return x.Service == n.service }) {
			return false
		}
		for _, x := range now {
			w, ok := was[x.ID]
			if !ok || w.LineStart != x.LineStart || w.Fingerprint != x.Fingerprint || !slices.Equal(w.Uses, x.Uses) {
				return false
			}
		}
	}
	return true
}

// replaces reports whether the demonstration may take the place of the connection of
// its name: of a demonstration in another folder it may.
func (s *session) replaces(name string) (bool, error) {
	r, err := s.reg.Read()
	if err != nil {
		return false, err
	}
	e, err := r.Get(name)
	if err != nil {
		return false, nil //nolint:nilerr // there is none
	}
	t, err := s.fromEntry(e)
	if err != nil {
		return false, err
	}
	path := t.dsn.Path
	return t.dsn.Dialect == dsn.SQLite && filepath.Base(path) == "shop.db" && filepath.Base(filepath.Dir(path)) == filepath.Base(s.dir.Demo()), nil
}

// scanFolders analyses each folder below root as a service of its own.
func (s *session) scanFolders(ctx context.Context, root string, c *catalog.Catalog) ([]scan, error) {
	folders, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	var scans []scan
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		n, err := s.scan(ctx, filepath.Join(root, f.Name()), f.Name(), c)
		if err != nil {
			return nil, err
		}
		scans = append(scans, n)
	}
	return scans, nil
}

// scan analyses a folder as a service.
func (s *session) scan(ctx context.Context, root, service string, c *catalog.Catalog) (scan, error) {
	r, err := analyze.Run(ctx, analyze.Options{Root: root, Service: service, RunID: state.NewGeneration(s.Now())}, c)
	return scan{service, r}, err
}

// ready says that a demonstration can be asked.
func (s *session) ready(r *report, questions []string) error {
	config, err := s.clientText(snippet, nil)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(struct {
			*report
			Questions []string        `json:"questions"`
			Config    json.RawMessage `json:"config"`
		}{r, questions, json.RawMessage(config)})
	}
	text := fmt.Sprintf("The demonstration is indexed as connection %s.\n%s\n\nAsk your assistant:\n", r.Connection, r.Counts)
	for i, q := range questions {
		text += fmt.Sprintf("  %d. %s\n", i+1, q)
	}
	return s.print("%s\nPut this into the configuration of your client:\n%s", text, config)
}
