package cli

import (
	"context"

	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/metric"
	"github.com/spf13/cobra"
)

// newIndex defines index, which reads a database's structure and builds its graph.
func newIndex(s *session) *cobra.Command {
	var o indexFlags
	cmd := takes(&cobra.Command{
		Use:   "index [DSN|NAME]",
		Short: "Read the structure of a database and build its graph",
		Long: "Reads the structure of a database, infers what it does not declare, and writes graph, catalog and snapshot.\n" +
			"The database is named by a connection string, which is registered on the way, by the name of a registered\n" +
			"connection, by --source, or they all are by --all.",
		Example: "  pretensor index postgresql://me:secret@db.example.com/shop --schemas public,sales\n  pretensor index shop\n  pretensor index --all",
		Args:    atMostOne("one connection string or name"),
	}, optionJSON)
	o.define(cmd.Flags())
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
			source := indexOptions{Schemas: t.schemas, ExcludeSchemas: t.excludeSchemas}
			r, err := s.index(cmd.Context(), t, source.over(given))
			if err != nil {
				return nil, err
			}
			return r, s.finish(cmd.Context(), r, &o)
		})
	}
	return cmd
}

// finish does what was asked for beside an index that is written.
func (s *session) finish(ctx context.Context, r *report, o *indexFlags) (err error) {
	if o.metricTemplates {
		if err := s.suggestMetrics(ctx, r.Connection); err != nil {
			return err
		}
	}
	r.Skill, err = s.writeSkill(r.Connection, o.skillsTarget)
	return err
}

// suggestMetrics stores the metrics that the structure of a connection suggests.
func (s *session) suggestMetrics(ctx context.Context, connection string) error {
	_, c, err := s.choose(connection)
	if err != nil {
		return err
	}
	metrics, err := s.compileMetrics(c, metric.Suggest(c))
	if err != nil || len(metrics) == 0 {
		return err
	}
	return s.enrich(ctx, c, metrics, nil)
}

// index builds the graph of one connection and registers it.
func (s *session) index(ctx context.Context, t target, o indexOptions) (*report, error) {
	request, done, err := s.request(ctx, t, o)
	if err != nil {
		return nil, err
	}
	defer done()
	times, stage := s.stages(t.entry.Name)
	result, err := index.Run(ctx, s.dir, s.reg, request, stage)
	if err != nil {
		return nil, err
	}
	warnings := s.warn(t.entry.Name, result.Warnings)
	return &report{
		Connection: t.entry.Name, OK: true, Graph: result.Graph, Counts: countsOf(result.Counts), Stages: *times, Warnings: warnings,
	}, nil
}
