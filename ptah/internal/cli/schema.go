package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
	"github.com/quartet-mcp/quartet/ptah/internal/declared"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/lineage"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/source"
	"github.com/quartet-mcp/quartet/ptah/internal/tools"
	"github.com/spf13/cobra"
)

// schemaFlags are what the commands for declared schemas share.
type schemaFlags struct {
	dialect       string
	serverVersion string
	rootDirs      []string
	schemaFiles   []string
	format        string
}

// register defines the flags; formats are those of the output, the first is the default.
func (f *schemaFlags) register(cmd *cobra.Command, formats ...string) {
	fs := cmd.Flags()
	fs.StringVar(&f.dialect, "dialect", "", "the `dialect` that the schema is read for: "+dialect.Names())
	fs.StringVar(&f.serverVersion, "server-version", "", "the `version` of the database (default the newest known)")
	fs.StringSliceVar(&f.rootDirs, "root-dir", nil, "a `folder` of Go files with annotations; may be repeated")
	fs.StringSliceVar(&f.schemaFiles, "schema-file", nil, "a SQL or YAML `file`; may be repeated")
	if len(formats) > 0 {
		fs.StringVar(&f.format, "format", formats[0], "how to print the result: "+strings.Join(formats, ", "))
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usagef("%s takes no argument %q; files go into --schema-file and folders into --root-dir", cmd.CommandPath(), args[0])
		}
		return nil
	}
}

func (f *schemaFlags) check(formats ...string) error {
	if f.dialect == "" {
		return usagef("--dialect is missing; give one of %s", dialect.Names())
	}
	if _, ok := dialect.ParseVersion(f.serverVersion); !ok {
		return usagef("--server-version %q is no version; write it as 16 or 8.0.35", f.serverVersion)
	}
	for _, known := range formats {
		if f.format == known {
			return nil
		}
	}
	if len(formats) > 0 {
		return usagef("--format %q is unknown; give one of %s", f.format, strings.Join(formats, ", "))
	}
	return nil
}

func (f *schemaFlags) request() declared.Request {
	return declared.Request{Dialect: f.dialect, Source: source.Request{RootDirs: f.rootDirs, SchemaFiles: f.schemaFiles}}
}

// withReader runs a command that reads declared schemas.
func (f *schemaFlags) withReader(run func(*declared.Reader) error) error {
	if len(f.rootDirs)+len(f.schemaFiles) == 0 {
		return usagef("there is no source; give at least one --schema-file or --root-dir")
	}
	roots, err := source.OpenAll()
	if err != nil {
		return err
	}
	return errors.Join(run(&declared.Reader{Roots: roots, ServerVersion: f.serverVersion}), roots.Close())
}

func (p *Program) newSchema() *cobra.Command {
	return group("schema", "Validate, render, trace and compare declared schemas", p.newSchemaValidate(), p.newSchemaRender(), p.newSchemaLineage(), p.newSchemaInspect(), p.newSchemaDiff())
}

func (p *Program) newSchemaValidate() *cobra.Command {
	var f schemaFlags
	cmd := &cobra.Command{
		Use: "validate", Short: "Say whether a declared schema holds for a dialect, and what is wrong with it",
		Long: "Prints every problem with its file, line and rule. The exit code is 0 if there is none, else 1.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check("text", "json"); err != nil {
				return err
			}
			return f.withReader(func(r *declared.Reader) error { return p.validate(cmd.Context(), r, f) })
		},
	}
	f.register(cmd, "text", "json")
	return cmd
}

func (p *Program) validate(ctx context.Context, r *declared.Reader, f schemaFlags) error {
	var rep finding.Report
	answer, err := r.Check(ctx, f.request(), &rep)
	if err != nil {
		return err
	}
	p.warnings(&rep)
	problems := rep.Problems()
	if f.format == "json" {
		if err := printJSON(p.Stdout, tools.Problems(answer.Dialect, problems)); err != nil {
			return err
		}
	} else {
		for _, problem := range declared.Capped(problems) {
			fmt.Fprintln(p.Stdout, problem)
		}
		if len(problems) == 0 {
			fmt.Fprintf(p.Stdout, "valid for %s\n", answer.Dialect)
		}
	}
	if len(problems) > 0 {
		return findings()
	}
	return nil
}

func (p *Program) newSchemaRender() *cobra.Command {
	var f schemaFlags
	cmd := &cobra.Command{
		Use: "render", Short: "Print the statements that make a declared schema in an empty database",
		Long: "Prints SQL alone on standard output, in an order that an empty database takes.\n" +
			"Where the schema is not valid it prints the problems on standard error and the exit code is 1.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.withReader(func(r *declared.Reader) error { return p.render(cmd.Context(), r, f) })
		},
	}
	f.register(cmd)
	return cmd
}

func (p *Program) render(ctx context.Context, r *declared.Reader, f schemaFlags) error {
	var rep finding.Report
	answer, err := r.Check(ctx, f.request(), &rep)
	if err != nil {
		return err
	}
	p.warnings(&rep)
	if err := p.invalid(&rep); err != nil {
		return err
	}
	return p.printScript(answer.Dialect, answer.Statements)
}

// invalid prints the problems of a report on standard error and ends the command, if there
// are any.
func (p *Program) invalid(rep *finding.Report) error {
	if !rep.Failed() {
		return nil
	}
	for _, problem := range declared.Capped(rep.Problems()) {
		fmt.Fprintln(p.Stderr, problem)
	}
	return findings()
}

func (p *Program) printScript(d dialect.Dialect, statements []string) error {
	_, err := io.WriteString(p.Stdout, script(d, statements))
	return err
}

// script joins statements to a text that the database's own client executes.
func script(d dialect.Dialect, statements []string) string {
	var b strings.Builder
	for _, s := range statements {
		switch {
		case d == dialect.SQLServer:
			b.WriteString(s + "\nGO\n")
		case d.MySQLFamily() && strings.Contains(strings.TrimSuffix(s, ";"), ";") && compound(s):
			b.WriteString(mysql.Delimited(s))
		default:
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}

// compound reports whether a statement of MySQL has statements inside, so that the client
// would take it apart at their semicolons.
func compound(statement string) bool {
	head := strings.ToUpper(statement[:min(len(statement), 200)])
	for _, kind := range []string{"TRIGGER", "PROCEDURE", "FUNCTION", "EVENT"} {
		if strings.HasPrefix(head, "CREATE") && strings.Contains(head, kind) {
			return true
		}
	}
	return false
}

func (p *Program) newSchemaLineage() *cobra.Command {
	var f schemaFlags
	var strict bool
	cmd := &cobra.Command{
		Use: "lineage", Short: "Say which base columns feed the columns of views and routines",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check("text", "json"); err != nil {
				return err
			}
			return f.withReader(func(r *declared.Reader) error { return p.lineage(cmd.Context(), r, f, strict) })
		},
	}
	f.register(cmd, "text", "json")
	cmd.Flags().BoolVar(&strict, "strict", false, "end with 1 if something could not be decided")
	return cmd
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (p *Program) lineage(ctx context.Context, r *declared.Reader, f schemaFlags, strict bool) error {
	var rep finding.Report
	result, err := r.Lineage(ctx, f.request(), &rep)
	p.warnings(&rep)
	if err != nil {
		return err
	}
	if f.format == "json" {
		if err := printJSON(p.Stdout, result); err != nil {
			return err
		}
	} else {
		p.printLineage(result)
	}
	if strict && len(result.Undecided)+len(result.Routines.Undecided) > 0 {
		return findings()
	}
	return nil
}

func (p *Program) printLineage(r *lineage.Result) {
	line := func(format string, args ...any) { fmt.Fprintln(p.Stdout, plain.Visible(fmt.Sprintf(format, args...))) }
	for _, e := range r.Edges {
		line("%s.%s <- %s.%s", e.ToView, e.ToColumn, e.FromTable, e.FromColumn)
	}
	for _, u := range r.Undecided {
		if u.Column != "" {
			line("%s.%s undecided: %s", u.View, u.Column, u.Reason)
		} else {
			line("%s undecided: %s", u.View, u.Reason)
		}
	}
	for _, x := range r.References {
		line("%s %s %s.%s", x.View, x.Role, x.Table, x.Column)
	}
	for _, e := range r.Routines.Edges {
		line("%s %s <- %s.%s", e.Kind, e.ToRoutine, e.FromTable, e.FromColumn)
	}
	for _, a := range r.Routines.Reads {
		line("%s %s reads %s (%s)", a.Kind, a.ByRoutine, columnOf(a), a.Statement)
	}
	for _, a := range r.Routines.Writes {
		line("%s %s writes %s (%s)", a.Kind, a.ByRoutine, columnOf(a), a.Statement)
	}
	for _, u := range r.Routines.Undecided {
		line("%s %s undecided: %s", u.Kind, u.Routine, u.Reason)
	}
}

// columnOf names what a routine reads or writes: a column, or a whole table.
func columnOf(a lineage.Access) string {
	if a.Column == "" {
		return a.Table
	}
	return a.Table + "." + a.Column
}
