package tools

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/sqlcheck"
)

// This file defines validate_sql, which checks a statement against the index without
// running it.

type validateSQLArgs struct {
	SQL      string  `json:"sql" jsonschema:"one or more SQL statements"`
	Database string  `json:"database" jsonschema:"a connection, as list_databases names it"`
	Dialect  *string `json:"dialect,omitempty" jsonschema:"of the SQL: postgres, mysql, sqlite, duckdb, snowflake, bigquery or generic; without it a database of another kind than PostgreSQL is checked in its own" default:"postgres"`
}

type validateSQLResult struct {
	sqlcheck.Report
	Cut   bool `json:"truncated,omitempty" jsonschema:"whether faults were left out"`
	Total int  `json:"total_diagnostics,omitempty" jsonschema:"how many diagnostics there are, if faults were left out"`
	warned
}

// RowCount and CutRows go by the longest list: a text with many faults may fill any.
func (r *validateSQLResult) RowCount() int {
	n := max(len(r.Diagnostics), len(r.InvalidJoins))
	for _, list := range r.texts() {
		n = max(n, len(*list))
	}
	return n
}

func (r *validateSQLResult) CutRows(n int) {
	if !r.Cut {
		r.Cut, r.Total = true, len(r.Diagnostics)
		r.note("only the first faults are shown; check fewer statements at once")
	}
	r.Diagnostics, r.InvalidJoins = r.Diagnostics[:min(n, len(r.Diagnostics))], r.InvalidJoins[:min(n, len(r.InvalidJoins))]
	for _, list := range r.texts() {
		*list = (*list)[:min(n, len(*list))]
	}
}

func (r *validateSQLResult) texts() []*[]string {
	return []*[]string{&r.MissingTables, &r.MissingColumns, &r.Suggestions, &r.SyntaxErrors, &r.Warnings, &r.TablesUsed}
}

func validateSQL(sv *Service) mcpkit.Tool[validateSQLArgs, validateSQLResult] {
	return mcpkit.Tool[validateSQLArgs, validateSQLResult]{
		Name:  "validate_sql",
		Title: "Check SQL against the index",
		Description: "Use it on SQL before anyone runs it: does it parse, do its tables and columns exist, are its joins ones that the database knows? " +
			"Nothing is run. Returns valid, missing_tables, missing_columns, invalid_joins and suggestions with the nearest names, each fault with its line and column " +
			"in diagnostics; what is unusual but may be right is in warnings.",
		Hints: readOnly,
		Handle: func(ctx context.Context, in validateSQLArgs) (validateSQLResult, error) {
			if strings.TrimSpace(in.SQL) == "" {
				return validateSQLResult{}, refuse("Give the statement to check.", "sql is empty.")
			}
			d, err := sv.open(in.Database)
			if err != nil {
				return validateSQLResult{}, err
			}
			dialect, err := dialectOf(in.Dialect, d.Dialect)
			if err != nil {
				return validateSQLResult{}, err
			}
			report, err := sqlcheck.Check(d.Catalog, dialect, in.SQL)
			if err != nil {
				return validateSQLResult{}, refuse("Give one SQL statement.", "%s", err)
			}
			sv.warnStale(ctx, d)
			return validateSQLResult{Report: *report}, nil
		},
	}
}

// dialectOf is the dialect that an argument names; without one it is that of the
// database, in whose own SQL it is written.
func dialectOf(argument *string, database string) (sqltree.Dialect, error) {
	name := database
	if argument != nil {
		name = strings.ToLower(strings.TrimSpace(*argument))
	}
	if d, ok := sqlcheck.Dialects[name]; ok {
		return d, nil
	}
	if name == database {
		return sqltree.Generic, nil
	}
	known := slices.Sorted(maps.Keys(sqlcheck.Dialects))
	hint := "Known dialects: " + strings.Join(known, ", ") + "."
	return "", fault(mcpkit.InvalidArgument, invalidArgument, hint, nearest.Find(name, known, 3), "There is no dialect '%s'.", mcpkit.Untrusted(*argument))
}
