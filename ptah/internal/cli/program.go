package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/tools"
	"github.com/spf13/cobra"
)

// name is what the program is called.
const name = "ptah"

// Program is the program and what it takes from the process around it.
type Program struct {
	Build      tools.Build
	Stdin      io.Reader
	Stdout     io.Writer // results alone
	Stderr     io.Writer
	ServeLog   io.Writer // standard error of a server, which must not wait for a reader; nil is Stderr
	LookupEnv  func(string) (string, bool)
	Executable string // the absolute path of the program, for the configuration of clients

	// Serve runs a server to its end; nil means the real thing.
	Serve func(context.Context, *mcpkit.Server) error
}

// Main runs the program as a process does and returns the exit code. args are without
// the program's name.
func Main(version string, args []string, stdin, stdout, stderr *os.File) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	executable, err := os.Executable()
	if err != nil {
		executable = name
	}
	p := &Program{
		Build: tools.Build{Version: version, Commit: commit()}, Stdin: stdin, Stdout: stdout, Stderr: stderr, ServeLog: mcpkit.Stderr(),
		LookupEnv: os.LookupEnv, Executable: executable,
	}
	return p.Run(ctx, args)
}

// commit is what the program was built from, as far as the build says so.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return s.Value[:12]
			}
		}
	}
	return "unknown"
}

// The exit codes.
const (
	exitOK          = 0
	exitFindings    = 1 // the work was done and found something wrong
	exitUsage       = 2 // the command line or the configuration is wrong
	exitEnvironment = 3 // a database or disk did not do its part
)

// Run runs the program and returns the exit code.
func (p *Program) Run(ctx context.Context, args []string) int {
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	var exit *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		if exit.err != nil {
			fmt.Fprintf(p.Stderr, "%s: %s\n", name, plain.Visible(exit.err.Error()))
		}
		return exit.code
	}
	fmt.Fprintf(p.Stderr, "%s: %s\n", name, plain.Visible(err.Error()))
	return exitCode(err)
}

// exitError ends the program with a code; err is nil when everything was said already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// findings ends a command that did its work and found something wrong.
func findings() error { return &exitError{code: exitFindings} }

// exitCode is the code of an error of an engine: that of who can repair it.
func exitCode(err error) int {
	var e *code.Error
	if !errors.As(err, &e) {
		return exitUsage // of cobra: an unknown flag or command
	}
	switch e.Code.Actor() {
	case code.Environment:
		return exitEnvironment
	case code.Caller:
		if e.Code == code.RenderFailed || e.Code == code.SchemaSourceUnreadable {
			return exitFindings
		}
	}
	return exitUsage
}

func (p *Program) root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   name,
		Short: "Declare a database schema in Go, YAML or SQL; validate, render and trace it",
		Long: "Ptah reads a schema that is declared in Go struct annotations, YAML or SQL files, validates it for a\n" +
			"database, renders the statements that make it, and says which base columns feed which view columns.\n" +
			"ptah mcp serves that to an assistant over the Model Context Protocol.",
		Version:           p.Build.Version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	cmd.SetVersionTemplate(name + " {{.Version}}\n")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usagef("%v; see %s --help", err, cmd.CommandPath()) })
	client := cmd.Flags().String("print-config", "", "print the configuration of a `client` and exit: claude-desktop, claude-code, cursor, vscode, zed")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usagef("%q is no command of %s; see %s --help", args[0], name, name)
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *client != "" {
			return p.printConfig(*client)
		}
		return usagef("a command is missing; see %s --help", name)
	}
	cmd.AddCommand(p.newMCP(), p.newSchema(), p.newMigrations(), p.newSQL(), p.newDocs(), p.newVersion())
	return cmd
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usagef("%q is no command of %s; see %s --help", args[0], cmd.CommandPath(), cmd.CommandPath())
		}
		return nil
	}, RunE: func(cmd *cobra.Command, _ []string) error {
		return usagef("%s needs a command; see %s --help", cmd.CommandPath(), cmd.CommandPath())
	}}
	cmd.AddCommand(commands...)
	return cmd
}

// warnings prints the warnings of a report on standard error, a line for each kind and
// below it the objects.
func (p *Program) warnings(rep *finding.Report) {
	for _, w := range rep.Warnings() {
		fmt.Fprintf(p.Stderr, "warning: %s\n", w.Message(""))
		for _, object := range w.Objects {
			fmt.Fprintf(p.Stderr, "  %s\n", object)
		}
	}
}

func (p *Program) newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version of the program and of its contract with assistants", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(p.Stdout, "%s %s (commit %s)\ncontract %s\n", name, p.Build.Version, p.Build.Commit, tools.ContractVersion)
			return nil
		},
	}
}
