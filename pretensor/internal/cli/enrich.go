package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/analyze"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/metric"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// scan is the analysis of one service's code.
type scan struct {
	service string
	report  *analyze.Report
}

// consumersOf are the places of a service that use tables, as a catalog has them.
func (n scan) consumersOf() []catalog.Consumer {
	uses := map[string][]catalog.Use{}
	for _, e := range n.report.Edges {
		uses[e.Consumer] = append(uses[e.Consumer], catalog.Use{Table: e.Table, Op: e.Op, Confidence: e.Confidence})
	}
	out := make([]catalog.Consumer, 0, len(n.report.Consumers))
	for _, c := range n.report.Consumers {
		out = append(out, catalog.Consumer{
			ID: c.ID, Service: n.service, File: c.File, Language: c.Language, Symbol: c.Symbol, Kind: c.Kind, LineStart: c.LineStart, LineEnd: c.LineEnd,
			Fingerprint: c.Fingerprint, Confidence: c.Confidence, Dialect: c.Dialect, RunID: n.report.RunID, Uses: uses[c.ID],
		})
	}
	return out
}

// putScans puts the consumers of services in the place of those that an earlier
// analysis of the same services found.
func putScans(d *catalog.Data, now time.Time, scans []scan) {
	again := func(service string) bool {
		return slices.ContainsFunc(scans, func(n scan) bool { return n.service == service })
	}
	d.Consumers = slices.DeleteFunc(d.Consumers, func(x catalog.Consumer) bool { return again(x.Service) })
	d.Scans = slices.DeleteFunc(d.Scans, func(x catalog.Scan) bool { return again(x.Service) })
	at, seen := now.UTC(), map[string]bool{}
	for _, n := range scans {
		for _, x := range n.consumersOf() {
			if !seen[x.ID] { // two repositories of one service may have the same file
				seen[x.ID] = true
				d.Consumers = append(d.Consumers, x)
			}
		}
		if !slices.ContainsFunc(d.Scans, func(x catalog.Scan) bool { return x.Service == n.service }) {
			d.Scans = append(d.Scans, catalog.Scan{Service: n.service, RunID: n.report.RunID, At: at})
		}
	}
}

// codeJoins are the pairs of columns that the code of services compares.
func codeJoins(c *catalog.Catalog, scans []scan) []infer.Pair {
	places := map[infer.Pair]int{}
	for _, n := range scans {
		for _, j := range n.report.Joins {
			a, b := base(c, j.Left, j.LeftColumn), base(c, j.Right, j.RightColumn)
			places[infer.Pair{SchemaA: a.Schema, TableA: a.Name, ColumnA: j.LeftColumn, SchemaB: b.Schema, TableB: b.Name, ColumnB: j.RightColumn}] += j.Locations
		}
	}
	out := make([]infer.Pair, 0, len(places))
	for p, n := range places {
		p.Locations = n
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b infer.Pair) int {
		return cmp.Or(cmp.Compare(a.SchemaA, b.SchemaA), cmp.Compare(a.TableA, b.TableA), cmp.Compare(a.ColumnA, b.ColumnA),
			cmp.Compare(a.SchemaB, b.SchemaB), cmp.Compare(a.TableB, b.TableB), cmp.Compare(a.ColumnB, b.ColumnB))
	})
	return out
}

// base is a table, or the one that it stands for if that has the column too.
func base(c *catalog.Catalog, table int, column string) *model.Table {
	if of := c.ShadowOf(table); of >= 0 && c.Tables[of].Column(column) != nil {
		table = of
	}
	return &c.Tables[table]
}

// onlyThese reports whether no other service was ever analysed.
func onlyThese(d *catalog.Data, scans []scan) bool {
	return !slices.ContainsFunc(d.Scans, func(x catalog.Scan) bool {
		return !slices.ContainsFunc(scans, func(n scan) bool { return n.service == x.Service })
	})
}

// compileMetrics compiles every metric of a semantic layer for a catalog. One that
// cannot be compiled is an error; one whose SQL does not pass the checks is not.
func (s *session) compileMetrics(c *catalog.Catalog, layer *metric.Layer) ([]catalog.Metric, error) {
	out := []catalog.Metric{}
	for _, name := range layer.Metrics() {
		r, err := layer.Compile(c, name)
		if err != nil {
			return nil, fmt.Errorf("metric %q: %w", name, err)
		}
		m := catalog.Metric{
			Name: name, DisplayName: r.Metric, Description: r.Description, SQL: r.SQL, Dialect: r.Dialect, Valid: r.Validation.Valid,
			Errors: problemsOf(r), Generated: s.Now().UTC(), Uses: []catalog.MetricUse{},
		}
		for _, d := range r.Dependencies {
			table, err := c.Find(d.Table)
			if err != nil {
				return nil, fmt.Errorf("metric %q: %w", name, err)
			}
			m.Uses = append(m.Uses, catalog.MetricUse{Table: table, Columns: d.Columns})
		}
		slices.SortFunc(m.Uses, func(a, b catalog.MetricUse) int { return a.Table - b.Table })
		out = append(out, m)
	}
	return out, nil
}

// putMetrics puts metrics beside those of the connection; one of the same name takes
// the old one's place.
func putMetrics(d *catalog.Data, metrics []catalog.Metric) {
	d.Metrics = slices.DeleteFunc(d.Metrics, func(old catalog.Metric) bool {
		return slices.ContainsFunc(metrics, func(m catalog.Metric) bool { return m.Name == old.Name })
	})
	d.Metrics = append(d.Metrics, metrics...)
}

// enrich stores metrics and consumers of the connection of a catalog, by which they
// were made: it names tables by their place, so it must be the last one.
func (s *session) enrich(ctx context.Context, c *catalog.Catalog, metrics []catalog.Metric, scans []scan) error {
	return index.Save(ctx, s.dir, s.reg, c.Connection, s.Version, func(d *catalog.Data) error {
		if d.Generation != c.Generation {
			return fmt.Errorf("connection %q was indexed meanwhile; run the command again", c.Connection)
		}
		putMetrics(d, metrics)
		if len(scans) == 0 {
			return nil
		}
		putScans(d, s.Now(), scans)
		return index.MergeCodeJoins(ctx, d, index.SettingsOf(s.cfg.Graph), codeJoins(c, scans), onlyThese(d, scans))
	})
}
