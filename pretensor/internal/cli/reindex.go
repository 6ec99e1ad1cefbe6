package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/spf13/cobra"
)

// newReindex defines reindex, which brings an index up to date.
func newReindex(s *session) *cobra.Command {
	var o indexFlags
	var how index.ReindexOptions
	cmd := takes(&cobra.Command{
		Use:   "reindex [DSN|NAME]",
		Short: "Bring the index of a database to its structure of today",
		Long: "Reads the structure again, says what has changed since the last index, and writes the new one. The options of\n" +
			"the last index hold unless others are given. What was derived from the structure is kept, and marked where it\n" +
			"may have become wrong, unless --recompute-intelligence is given or more than a tenth of the tables changed.",
		Args: atMostOne("one connection string or name"),
	}, optionJSON, optionDatabase)
	o.define(cmd.Flags())
	cmd.Flags().BoolVar(&how.DryRun, "dry-run", false, "only say what has changed and what would be written")
	cmd.Flags().BoolVar(&how.Recompute, "recompute-intelligence", false, "derive clusters and join paths anew")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given, err := o.given(cmd.Flags())
		if err != nil {
			return err
		}
		list, err := o.targets(s, cmd, args)
		if err != nil {
			return err
		}
		defer o.use()()
		return s.each(cmd.Context(), list, o.all, func(t target) (*report, error) {
			t, err := s.registered(t)
			if err != nil {
				return nil, err
			}
			before, err := t.stored()
			if err != nil {
				return nil, err
			}
			source := indexOptions{Schemas: t.schemas, ExcludeSchemas: t.excludeSchemas}
			r, err := s.reindex(cmd.Context(), t, before.over(source).over(given), how)
			if err != nil || how.DryRun {
				return r, err
			}
			return r, s.finish(cmd.Context(), r, &o)
		})
	}
	return cmd
}

func (s *session) reindex(ctx context.Context, t target, o indexOptions, how index.ReindexOptions) (*report, error) {
	if t.entry.Indexed.IsZero() {
		return nil, hintf(fmt.Errorf("connection %q is not indexed yet, so there is nothing to compare with", t.entry.Name), "run: %s", s.line("index", t.entry.Name))
	}
	request, done, err := s.request(ctx, t, o)
	if err != nil {
		return nil, err
	}
	defer done()
	times, stage := s.stages(t.entry.Name)
	result, err := index.Reindex(ctx, s.dir, s.reg, request, how, stage)
	if err != nil {
		return nil, err
	}
	warnings := s.warn(t.entry.Name, result.Warnings)
	return &report{
		Connection: t.entry.Name, OK: true, Graph: result.Graph, Counts: countsOf(result.Counts), Stages: *times, Warnings: warnings,
		changed: &changed{
			DryRun: how.DryRun, Changes: result.Changes, Summary: drift.Summary(result.Changes, result.StalePaths), Tables: result.Changed,
			Recomputed: result.Recomputed, StalePaths: result.StalePaths, StaleClusters: result.StaleClusters, StaleMetrics: result.StaleMetrics,
		},
	}, nil
}

// changed is what a reindex found.
type changed struct {
	DryRun        bool           `json:"dry_run"`
	Summary       string         `json:"summary"`
	Changes       []drift.Change `json:"changes"`
	Tables        int            `json:"changed_tables"`
	Recomputed    bool           `json:"recomputed"`
	StalePaths    int            `json:"stale_paths"`
	StaleClusters int            `json:"stale_clusters"`
	StaleMetrics  int            `json:"stale_metrics"`
}

func (c *changed) print(b *strings.Builder) {
	fmt.Fprintln(b, c.Summary)
	for _, change := range c.Changes {
		fmt.Fprintln(b, "  "+oneLine(change.String()))
	}
	if c.DryRun {
		fmt.Fprint(b, "nothing was written; the index would have: ")
		return
	}
	switch {
	case c.Recomputed:
		fmt.Fprintln(b, "clusters and join paths were computed anew")
	case c.StalePaths+c.StaleClusters+c.StaleMetrics > 0:
		fmt.Fprintf(b, "stale: %s, %s, %s; --recompute-intelligence computes them anew\n",
			names.Count(c.StalePaths, "path"), names.Count(c.StaleClusters, "cluster"), names.Count(c.StaleMetrics, "metric"))
	}
}
