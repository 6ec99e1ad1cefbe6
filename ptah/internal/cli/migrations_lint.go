package cli

import (
	"context"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/migrations"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/replay"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
	"github.com/spf13/cobra"
)

// newMigrationsLint defines migrations lint, which judges migrations and executes them in
// a scratch database.
func (p *Program) newMigrationsLint() *cobra.Command {
	var (
		s          scratchFlags
		d, version string
	)
	cmd := &cobra.Command{
		Use: "lint", Short: "Judge migrations, and try them in a disposable database",
		Long: "Says what is wrong with names, versions, checksums and SQL, then executes all ways up in the order of their\n" +
			"versions in the disposable database (--dev-url), and all ways down. A line each; the exit code is 1 if one is\n" +
			"an error.",
	}
	dir := migrationsDir(cmd)
	s.register(cmd)
	cmd.Flags().StringVar(&d, "dialect", "", "the `dialect`: "+dialect.Names())
	cmd.Flags().StringVar(&version, "server-version", "", "the `version` of the database (default the newest known)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o, err := p.lintOptions(d, version)
		if err != nil {
			return err
		}
		return p.lintMigrations(cmd.Context(), *dir, o, render.Options{Dialect: o.Dialect, ServerVersion: version}, s)
	}
	return cmd
}

func (p *Program) lintMigrations(ctx context.Context, name string, o migrations.Options, r render.Options, s scratchFlags) error {
	dir, found, err := readMigrations(name)
	if err != nil {
		return err
	}
	if dir.Sum != "" { // without one, nobody asked for it
		sums, err := dir.Verify()
		if err != nil {
			return usagef("--dir %s: %v", name, err)
		}
		found = append(found, sums...)
	}
	for _, f := range dir.Files {
		found = append(found, migrations.Lint(f.Text, f.Name, f.Direction == migrations.Down, o)...)
	}
	err = s.with(ctx, p, o.Dialect, func(db *scratch.DB) error {
		if migrations.Failed(found) {
			return nil // it would only fail as well
		}
		tried, err := replay.Run(ctx, db, dir, r)
		found = append(found, tried...)
		return err
	})
	if err != nil {
		return err
	}
	return p.diagnostics(found, plain.Count(len(dir.Files), "file leads", "files lead")+" up and down again")
}
