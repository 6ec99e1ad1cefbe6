package cli

import (
	"context"
	"errors"

	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/declared"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
	"github.com/spf13/cobra"
)

// scratchFlags are what the commands share that work in a scratch database.
type scratchFlags struct {
	url   string
	reset bool
}

// devURL is the variable of the environment with the URL, which other processes cannot
// read there.
const devURL = "PTAH_DEV_URL"

func (f *scratchFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "dev-url", "", "the `URL` of a disposable database of the same dialect, which is emptied before and after (default $"+devURL+")")
	cmd.Flags().BoolVar(&f.reset, "reset", false, "drop what is in the disposable database")
}

// with opens the scratch database, and empties it behind run.
func (f *scratchFlags) with(ctx context.Context, p *Program, d dialect.Dialect, run func(*scratch.DB) error) error {
	text := f.url
	if text == "" {
		text, _ = p.LookupEnv(devURL)
	}
	if text == "" {
		return usagef("--dev-url is missing; give the URL of a disposable database of %s, there or in %s", d, devURL)
	}
	u, err := dburl.Parse(text)
	if err != nil {
		return usagef("--dev-url: %v", err)
	}
	db, err := scratch.Open(ctx, u, d, f.reset)
	if taken := (*scratch.NotEmptyError)(nil); errors.As(err, &taken) {
		return usagef("--dev-url: %v", taken)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(run(db), db.Close(ctx)); err != nil {
		if refused := (*scratch.StatementError)(nil); errors.As(err, &refused) {
			return &exitError{exitFindings, err}
		}
		return err
	}
	return nil
}

// normalised is a schema in the words of the database that it was declared in.
func (p *Program) normalised(ctx context.Context, db *scratch.DB, answer *declared.Answer, shown string, rep *finding.Report) (*schema.Database, error) {
	notCompared(answer.Schema, rep)
	if err := db.Execute(ctx, answer.Statements); err != nil {
		return nil, err
	}
	script, err := db.Script(ctx)
	if err != nil {
		return nil, err
	}
	return scratch.Model(ctx, script, shown, answer.Dialect, rep), nil
}

// notCompared warns of what is declared and is no part of a database.
func notCompared(db *schema.Database, rep *finding.Report) {
	for _, r := range db.Roles {
		rep.Warn(finding.SkippedDeclaration, "%s: role %q belongs to the server and not to the database", r.Origin, r.Name)
	}
}

// printModel prints the statements that make a schema.
func (p *Program) printModel(ctx context.Context, model *schema.Database, o render.Options, rep *finding.Report) error {
	statements := render.Render(ctx, model, o, rep)
	p.warnings(rep)
	if err := p.invalid(rep); err != nil {
		return err
	}
	return p.printScript(o.Dialect, statements)
}
