package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/docs"
	"github.com/quartet-mcp/quartet/ptah/internal/audit"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/declared"
	"github.com/quartet-mcp/quartet/ptah/internal/docsearch"
	"github.com/quartet-mcp/quartet/ptah/internal/source"
	"github.com/quartet-mcp/quartet/ptah/internal/tools"
	"github.com/spf13/cobra"
)

// newMCP defines mcp, which answers assistants over the Model Context Protocol.
func (p *Program) newMCP() *cobra.Command {
	cmd := &cobra.Command{
		Use: "mcp", Short: "Answer assistants over the Model Context Protocol",
		Long: "Serves the tools over standard input and output. Which directories and databases there are, and what may\n" +
			"be done with them, is decided here, by flags, environment (PTAH_…) and --config: never by a caller.",
	}
	flags := config.Register(cmd.Flags())
	noOutputSchemas := cmd.Flags().Bool("no-output-schemas", false, "leave the output schemas out of the list of tools")
	cmd.Args = noArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		sv, done, err := p.service(flags)
		if err != nil {
			return err
		}
		return errors.Join(p.recorded(cmd.Context(), sv, *noOutputSchemas), done())
	}
	cmd.AddCommand(p.newMCPCheck())
	return cmd
}

// newMCPCheck defines mcp check, which says what a server with the same flags could do.
func (p *Program) newMCPCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use: "check", Short: "Check flags, configuration and policy, and print what describe_session would say", Args: noArgs,
	}
	flags := config.Register(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		sv, done, err := p.service(flags)
		if err != nil {
			return err
		}
		session, err := sv.DescribeSession(cmd.Context())
		if err == nil {
			err = printJSON(p.Stdout, session)
		}
		return errors.Join(err, done())
	}
	return cmd
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// service makes what the tools work with. done releases it.
func (p *Program) service(flags *config.Flags) (sv *tools.Service, done func() error, err error) {
	c, err := flags.Load(p.LookupEnv)
	if err != nil {
		return nil, nil, &exitError{exitUsage, err}
	}
	roots, err := source.OpenRoots(c.SourceRoots)
	if err != nil {
		return nil, nil, &exitError{exitUsage, err}
	}
	log := p.ServeLog
	if log == nil {
		log = p.Stderr
	}
	sv = &tools.Service{
		Config: c, Docs: docsearch.New(docs.Files), Build: p.Build, Approver: tools.NewApprover(c.Policy, c.ApprovalTimeout),
		Reader: &declared.Reader{Roots: roots, ServerVersion: c.ServerVersion, Passwords: c.RenderPasswords},
		Log:    slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: c.LogLevel})),
	}
	return sv, roots.Close, nil
}

// recorded serves with the audit log open.
func (p *Program) recorded(ctx context.Context, sv *tools.Service, noOutputSchemas bool) error {
	path := sv.Config.AuditLog
	log, err := audit.Open(path, audit.Session{PtahVersion: p.Build.Version, ContractVersion: tools.ContractVersion})
	if err != nil {
		return usagef("--audit-log: %v", err)
	}
	if path != "" {
		fmt.Fprintf(p.Stderr, "%s: operations are recorded in %s\n", name, path)
	}
	sv.Audit = log
	return errors.Join(p.serve(ctx, sv, noOutputSchemas), log.Close())
}

// What the server says of itself, in two variants.
const (
	instructions = "Ptah reads database schemas that a team declares in Go annotations, YAML or SQL files. validate_schema says what is wrong with one for a dialect, " +
		"render_schema gives its DDL, schema_lineage says which base columns feed which view columns, search_docs explains how to declare things, " +
		"and read_database lists the objects of a database that the operator configured, by its name. describe_session says what this session may do. " +
		"No tool takes a database URL, executes SQL, returns rows or applies a migration. "
	withArtifacts    = "Migration, schema and test files of the workspace are read and patched with the artifact tools: preview first, then apply. "
	withoutArtifacts = "This server has no artifact tools. "
)

func (p *Program) serve(ctx context.Context, sv *tools.Service, noOutputSchemas bool) error {
	text := instructions + withoutArtifacts
	if sv.HasArtifactTools() {
		text = instructions + withArtifacts
	}
	options := sv.Options()
	options.NoOutputSchemas = noOutputSchemas
	server := mcpkit.New(mcpkit.Info{Name: name, Title: "Ptah", Version: p.Build.Version, Instructions: text + "Contract " + tools.ContractVersion + "."}, options)
	tools.Register(server, sv)
	serve := p.Serve
	if serve == nil {
		serve = func(ctx context.Context, s *mcpkit.Server) error { return mcpkit.Run(ctx, s, mcpkit.RunOptions{}) }
	}
	return serve(ctx, server)
}

// printConfig prints the configuration that makes a client start the server.
func (p *Program) printConfig(client string) error {
	program := p.Executable
	if !filepath.IsAbs(program) {
		absolute, err := filepath.Abs(program)
		if err != nil {
			return fmt.Errorf("finding the program: %w", err)
		}
		program = absolute
	}
	text, err := mcpkit.ClientConfig(client, name, program, []string{"mcp"})
	if err != nil {
		return usagef("--print-config: %v", err)
	}
	_, err = fmt.Fprintln(p.Stdout, text)
	return err
}
