package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/analyze"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/metric"
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
func putScans(d *catalog.Data, at time.Time, scans []scan) {
	again := func(service string) bool {
		return slices.ContainsFunc(scans, func(n scan) bool { return n.service == service })
	}
	d.Consumers = slices.DeleteFunc(d.Consumers, func(x catalog.Consumer) bool { return again(x.Service) })
	d.Scans = slices.DeleteFunc(d.Scans, func(x catalog.Scan) bool { return again(x.Service) })
	for _, n := range scans {
		d.Consumers = append(d.Consumers, n.consumersOf()...)
		d.Scans = append(d.Scans, catalog.Scan{Service: n.service, RunID: n.report.RunID, At: at.UTC()})
	}
}

// compileMetrics compiles every metric of a semantic layer for a catalog. One that
// cannot be compiled is an error; one whose SQL does not pass the checks is not.
func (s *session) compileMetrics(c *catalog.Catalog, text string) ([]catalog.Metric, error) {
	layer, err := metric.Parse(text)
	if err != nil {
		return nil, err
	}
	out := []catalog.Metric{}
	for _, name := range layer.Metrics() {
		r, err := layer.Compile(c, name)
		if err != nil {
			return nil, fmt.Errorf("metric %q: %w", name, err)
		}
		m := catalog.Metric{
			Name: name, DisplayName: r.Metric, Description: r.Description, SQL: r.SQL, Dialect: r.Dialect, Valid: r.Validation.Valid,
			Errors: []string{}, Generated: s.Now().UTC(), Uses: []catalog.MetricUse{},
		}
		for _, list := range [][]string{r.Validation.SyntaxErrors, r.Validation.MissingTables, r.Validation.MissingColumns} {
			m.Errors = append(m.Errors, list...)
		}
		for _, j := range r.Validation.InvalidJoins {
			m.Errors = append(m.Errors, j.Message)
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
		putScans(d, s.Now(), scans)
		return nil
	})
}
