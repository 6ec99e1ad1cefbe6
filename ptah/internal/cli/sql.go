package cli

import (
	"os"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/files"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/migrations"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/source/textfile"
	"github.com/spf13/cobra"
)

func (p *Program) newSQL() *cobra.Command {
	var d, version string
	lint := &cobra.Command{
		Use: "lint FILE…", Short: "Parse SQL files and say what the database cannot do or a person should look at",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			options, err := p.lintOptions(d, version)
			if err != nil {
				return err
			}
			found := []migrations.Diagnostic{}
			for _, file := range args {
				data, err := os.ReadFile(file)
				if err != nil {
					return usagef("%s: %v", file, files.Cause(err))
				}
				text, err := textfile.Check(data)
				if err != nil {
					return usagef("%s: %v", file, err)
				}
				found = append(found, migrations.Lint(text, file, false, options)...)
			}
			return p.diagnostics(found, "nothing was found in "+plain.Count(len(args), "file", "files"))
		},
	}
	lint.Flags().StringVar(&d, "dialect", "", "the `dialect`: "+dialect.Names())
	lint.Flags().StringVar(&version, "server-version", "", "the `version` of the database (default the newest known)")
	return group("sql", "Check SQL files without a database", lint)
}

func (p *Program) lintOptions(name, version string) (o migrations.Options, err error) {
	if name == "" {
		return o, usagef("--dialect is missing; give one of %s", dialect.Names())
	}
	if o.Dialect, err = dialect.Parse(name); err != nil {
		return o, usagef("--dialect: %v", err)
	}
	if _, ok := o.Dialect.SQL(); !ok {
		return o, usagef("--dialect: SQL of %s cannot be parsed", o.Dialect)
	}
	var ok bool
	if o.Version, ok = dialect.ParseVersion(version); !ok {
		return o, usagef("--server-version %q is no version; write it as 16 or 8.0.35", version)
	}
	if doubt := o.Dialect.DoubtVersion(version); doubt != "" {
		var rep finding.Report
		rep.Warn(finding.ServerVersionApproximated, "%s", doubt)
		p.warnings(&rep)
	}
	return o, nil
}
