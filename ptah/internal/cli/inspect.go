package cli

import (
	"context"

	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/declared"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
	"github.com/spf13/cobra"
)

// newSchemaInspect defines schema inspect, which prints a schema as the database itself
// understands it.
func (p *Program) newSchemaInspect() *cobra.Command {
	var (
		f    schemaFlags
		s    scratchFlags
		live string
	)
	cmd := &cobra.Command{
		Use: "inspect", Short: "Print a schema as the database itself understands it",
		Long: "Makes the declared schema in a disposable database (--dev-url) and prints what is there then: types, defaults,\n" +
			"expressions and names in the database's own words. With --url it prints the structure of that database\n" +
			"instead, which it only reads. Standard output has SQL alone.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			ctx := cmd.Context()
			if live != "" {
				if len(f.rootDirs)+len(f.schemaFiles) > 0 || s.url != "" {
					return usagef("--url prints what a database holds; it goes without --root-dir, --schema-file and --dev-url")
				}
				return p.inspectLive(ctx, live, f)
			}
			return f.withReader(func(r *declared.Reader) error { return p.inspect(ctx, r, f, s) })
		},
	}
	f.register(cmd)
	s.register(cmd)
	cmd.Flags().StringVar(&live, "url", "", "the `URL` of a database to read instead")
	return cmd
}

func (p *Program) inspect(ctx context.Context, r *declared.Reader, f schemaFlags, s scratchFlags) error {
	var rep finding.Report
	answer, err := r.Check(ctx, f.request(), &rep)
	if err != nil {
		return err
	}
	if rep.Failed() {
		p.warnings(&rep)
		return p.invalid(&rep)
	}
	var model *schema.Database
	err = s.with(ctx, p, answer.Dialect, func(db *scratch.DB) (err error) {
		model, err = p.normalised(ctx, db, answer, "the disposable database", &rep)
		return err
	})
	if err != nil {
		return err
	}
	return p.printModel(ctx, model, render.Options{Dialect: answer.Dialect, ServerVersion: f.serverVersion}, &rep)
}

func (p *Program) inspectLive(ctx context.Context, live string, f schemaFlags) error {
	d, err := dialect.Parse(f.dialect)
	if err != nil {
		return usagef("--dialect: %v", err)
	}
	u, err := dburl.Parse(live)
	if err != nil {
		return usagef("--url: %v", err)
	}
	script, err := scratch.Structure(ctx, u, d)
	if err != nil {
		return err
	}
	var rep finding.Report
	model := scratch.Model(ctx, script, u.Name(), d, &rep)
	return p.printModel(ctx, model, render.Options{Dialect: d, ServerVersion: f.serverVersion}, &rep)
}
