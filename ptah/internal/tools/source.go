package tools

import (
	"github.com/quartet-mcp/quartet/ptah/internal/declared"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/source"

	"github.com/google/jsonschema-go/jsonschema"
)

// This file holds the arguments that the three tools for declared schemas share.

type sourceArgs struct {
	Dialect string    `json:"dialect" jsonschema:"one dialect this server accepts"`
	Source  sourceArg `json:"source" jsonschema:"where the schema is declared; at least one entry in all"`
}

type sourceArg struct {
	RootDirs    []string `json:"root_dirs,omitempty" jsonschema:"folders of Go files with ptah: annotations, inside a schema source root"`
	SchemaFiles []string `json:"schema_files,omitempty" jsonschema:"SQL and YAML files (.sql, .yaml, .yml), inside a schema source root"`
}

func (a sourceArgs) request() declared.Request {
	return declared.Request{Dialect: a.Dialect, Source: source.Request{RootDirs: a.Source.RootDirs, SchemaFiles: a.Source.SchemaFiles}}
}

// listDialects says in the schema which dialects there are; aliases make an enum wrong.
func listDialects(in, _ *jsonschema.Schema) {
	in.Properties["dialect"].Description = "one dialect this server accepts: " + dialect.Names()
}
