package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/approval"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/dbread"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// This file defines read_database, which lists the objects of a database that the
// operator configured.

type readDatabaseArgs struct {
	Target  string   `json:"target,omitempty" jsonschema:"a configured database's name; may be left out when there is exactly one"`
	Schemas []string `json:"schemas,omitempty" jsonschema:"the schemas to read; empty: the connection's default"`
}

type readDatabaseResult struct {
	Target  string           `json:"target" jsonschema:"the database's configured name"`
	Dialect string           `json:"dialect" jsonschema:"what the database is"`
	Version string           `json:"version,omitempty" jsonschema:"its short version"`
	Schemas []string         `json:"schemas" jsonschema:"the schemas that were read"`
	Objects []databaseObject `json:"objects" jsonschema:"the objects, by schema, kind and name"`
	Notice  string           `json:"notice" jsonschema:"how to read the texts of this answer"`
}

type databaseObject struct {
	Kind    string `json:"kind" jsonschema:"table, view, materialized_view, sequence, enum, function, …"`
	Schema  string `json:"schema,omitempty" jsonschema:"its schema"`
	Name    string `json:"name" jsonschema:"its name"`
	Columns *int   `json:"columns,omitempty" jsonschema:"how many columns it has"`
}

func readDatabase(sv *Service) mcpkit.Tool[readDatabaseArgs, *readDatabaseResult] {
	return mcpkit.Tool[readDatabaseArgs, *readDatabaseResult]{
		Name: "read_database", Title: "List the objects of a configured database",
		Description: "Use this to see which tables, views and other objects a live database has. It takes the name of a database that the operator " +
			"configured (describe_session lists them) and returns kinds, schemas, names and column counts from the catalog. " +
			"It never returns rows and runs no SQL of the caller. A person may be asked for approval first. At most 20,000 objects.",
		Hints: mcpkit.Hints{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Handle: func(ctx context.Context, args readDatabaseArgs) (*readDatabaseResult, error) {
			op := operation{name: policy.ReadDatabase}
			target, err := sv.target(args.Target)
			if err == nil {
				op.ask = []approval.Question{approval.Inspection(target)}
				op.database, op.class = target.Name, string(target.Class)
				err = dbread.CheckSchemas(target, args.Schemas)
			}
			if err != nil {
				// What is wrong with the arguments is said before anybody is asked.
				op.ask = nil
				return perform(ctx, sv, op, func(context.Context, *finding.Report) (*readDatabaseResult, error) { return nil, err })
			}
			return perform(ctx, sv, op, func(ctx context.Context, rep *finding.Report) (*readDatabaseResult, error) {
				catalog, err := dbread.Read(ctx, target, args.Schemas, rep, sv.Log)
				if err != nil {
					return nil, err
				}
				result := &readDatabaseResult{
					Target: target.Name, Dialect: catalog.Dialect, Version: catalog.Version, Schemas: append([]string{}, catalog.Schemas...),
					Objects: make([]databaseObject, 0, len(catalog.Objects)), Notice: notice,
				}
				for _, o := range catalog.Objects {
					result.Objects = append(result.Objects, databaseObject(o))
				}
				return result, nil
			})
		},
	}
}

// target finds the database of a call. A text that could be a URL is not repeated.
func (sv *Service) target(name string) (config.Database, error) {
	all := sv.Config.Databases
	if len(all) == 0 {
		return config.Database{}, code.New(code.NoDatabaseTarget, "no database is configured").
			WithHint("the operator starts the server with --database-url or --config")
	}
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.Name
	}
	configured := "the configured databases are " + strings.Join(names, ", ")
	if name == "" {
		if len(all) == 1 {
			return all[0], nil
		}
		return config.Database{}, code.New(code.InvalidRequest, "target is missing, and there are %d databases", len(all)).WithHint("%s", configured)
	}
	if i := slices.Index(names, name); i >= 0 {
		return all[i], nil
	}
	if strings.ContainsAny(name, ":/@") {
		return config.Database{}, code.New(code.InvalidRequest, "target is no configured database").WithHint("%s", configured)
	}
	return config.Database{}, code.New(code.InvalidRequest, "target %q is no configured database", plain.Line(name, 80)).WithHint("%s", configured)
}
