package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/metric"
	"github.com/quartet-mcp/quartet/pretensor/internal/yamldoc"
)

// This file defines compile_metric, which makes SQL of a metric that YAML describes.

type compileMetricArgs struct {
	YAML     string `json:"semantic_yaml" jsonschema:"the semantic layer, at most 1 MiB"`
	Metric   string `json:"metric" jsonschema:"metric, entity.metric or domain.entity.metric"`
	Database string `json:"database" jsonschema:"a connection, as list_databases names it"`
}

type compileMetricResult struct {
	metric.Result
	Cut              bool `json:"truncated,omitempty" jsonschema:"whether entries of lists were left out"`
	TotalDeps        int  `json:"total_dependencies,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalWarnings    int  `json:"total_warnings,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalSyntax      int  `json:"total_syntax_errors,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalTables      int  `json:"total_missing_tables,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalColumns     int  `json:"total_missing_columns,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalJoins       int  `json:"total_invalid_joins,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalSuggestions int  `json:"total_suggestions,omitempty" jsonschema:"how many there are, if some were left out"`
	warned
}

// lists are the lengths that an answer can be cut by.
func (r *compileMetricResult) lists() []int {
	v := &r.Validation
	return []int{
		len(r.Dependencies), len(r.Warnings), len(v.SyntaxErrors), len(v.MissingTables), len(v.MissingColumns), len(v.InvalidJoins), len(v.Suggestions),
	}
}

func (r *compileMetricResult) RowCount() int {
	n := 0
	for _, l := range r.lists() {
		n += l
	}
	return n
}

// CutRows cuts the longest lists.
func (r *compileMetricResult) CutRows(n int) {
	if !r.Cut {
		r.Cut = true
		r.note("only the first entries of the longest lists are shown; compile a metric with fewer filters and dimensions")
	}
	v, most := &r.Validation, level(r.lists(), n)
	cutList(&r.Dependencies, most, &r.TotalDeps)
	cutList(&r.Warnings, most, &r.TotalWarnings)
	cutList(&v.SyntaxErrors, most, &r.TotalSyntax)
	cutList(&v.MissingTables, most, &r.TotalTables)
	cutList(&v.MissingColumns, most, &r.TotalColumns)
	cutList(&v.InvalidJoins, most, &r.TotalJoins)
	cutList(&v.Suggestions, most, &r.TotalSuggestions)
}

func compileMetric(sv *Service) mcpkit.Tool[compileMetricArgs, compileMetricResult] {
	return mcpkit.Tool[compileMetricArgs, compileMetricResult]{
		Name:  "compile_metric",
		Title: "Compile a metric to SQL",
		Description: "Use it to turn one metric of a semantic layer in YAML (domains, entities, metrics) into SQL for a database. " +
			"Returns the SQL in the database's dialect, the result of checking it against the index, and the tables and columns that it reads; tables that are not joined " +
			"in the YAML are joined along known keys. Nothing is run. Faults of the YAML come with line, column and path.",
		Hints: readOnly,
		Handle: func(ctx context.Context, in compileMetricArgs) (compileMetricResult, error) {
			switch {
			case len(in.YAML) > yamldoc.MaxSize:
				return compileMetricResult{}, refuse("Send only the domain of the metric.", "semantic_yaml has %d bytes, at most %d are allowed.", len(in.YAML), yamldoc.MaxSize)
			case strings.TrimSpace(in.YAML) == "":
				return compileMetricResult{}, refuse("Give the YAML of the semantic layer.", "semantic_yaml is empty.")
			case strings.TrimSpace(in.Metric) == "":
				return compileMetricResult{}, refuse("Give the name of one metric of semantic_yaml.", "metric is empty.")
			}
			d, err := sv.open(in.Database)
			if err != nil {
				return compileMetricResult{}, err
			}
			result, err := metric.Compile(d.Catalog, in.YAML, strings.TrimSpace(in.Metric))
			var known *metric.Error
			switch {
			case errors.As(err, &known):
				return compileMetricResult{}, noMetric(known)
			case err != nil:
				return compileMetricResult{}, err
			}
			sv.warnStale(ctx, d)
			return compileMetricResult{Result: *result}, nil
		},
	}
}

// noMetric says why there is no SQL, and where in the YAML that is.
func noMetric(e *metric.Error) error {
	kind := mcpkit.InvalidArgument
	if e.Code == metric.MetricNotFound {
		kind = mcpkit.NotFound
	}
	var hint string
	if more := len(e.Problems) - 1; more > 0 {
		lines := make([]string, 0, maxProblems)
		for _, p := range e.Problems[1:min(len(e.Problems), maxProblems+1)] {
			lines = append(lines, placed(p, 200))
		}
		hint = "Also: " + strings.Join(lines, "; ") + "."
		if more > maxProblems {
			hint += fmt.Sprintf(" There are %d more.", more-maxProblems)
		}
	}
	return fault(kind, string(e.Code), hint, e.Candidates, "%s", placed(e, 600))
}

// maxProblems is how many faults beside the first are told.
const maxProblems = 4

// placed is a message, at most max bytes of it, with its place.
func placed(e *metric.Error, max int) string {
	var at []string
	if e.Line > 0 {
		at = append(at, fmt.Sprintf("line %d, column %d", e.Line, e.Column))
	}
	if e.Path != "" {
		at = append(at, mcpkit.Untrusted(e.Path).Cut(200))
	}
	text := strings.TrimSuffix(mcpkit.Untrusted(e.Message).Cut(max), ".")
	if len(at) == 0 {
		return text
	}
	return text + " (" + strings.Join(at, ", ") + ")"
}
