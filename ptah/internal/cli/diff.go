package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/declared"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/diff"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
	"github.com/quartet-mcp/quartet/ptah/internal/source"
	"github.com/spf13/cobra"
)

// newSchemaDiff defines schema diff, which prints the statements that lead from one state
// to another.
func (p *Program) newSchemaDiff() *cobra.Command {
	c := diffCommand{Program: p}
	cmd := &cobra.Command{
		Use: "diff", Short: "Print the statements that lead from one state of a schema to another", Args: noArgs,
		Long: "Each state is what SQL and YAML files and folders of Go files declare, or what a database at a URL holds, which\n" +
			"is only read. Declared states are made in the disposable database (--dev-url), so that both are in its words,\n" +
			"and the statements are tried there before they are printed. Standard output has SQL alone, nothing if the\n" +
			"states are the same. What cannot be done in place is named on standard error, and the exit code is 1.",
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&c.dialect, "dialect", "", "the `dialect`: postgres, mysql, mariadb, sqlite")
	cmd.Flags().StringVar(&c.version, "server-version", "", "the `version` of the database (default the newest known)")
	cmd.Flags().StringArrayVar(&c.from, "from", nil, "where to begin: a `file, folder or URL`; files and folders may be repeated")
	cmd.Flags().StringArrayVar(&c.to, "to", nil, "where to arrive: a `file, folder or URL`; files and folders may be repeated")
	c.scratch.register(cmd)
	return cmd
}

type diffCommand struct {
	*Program
	dialect, version string
	from, to         []string
	scratch          scratchFlags

	reader *declared.Reader
	o      render.Options
	rep    finding.Report
}

func (c *diffCommand) run(ctx context.Context) error {
	if c.dialect == "" {
		return usagef("--dialect is missing; give postgres, mysql, mariadb or sqlite")
	}
	d, err := dialect.Parse(c.dialect)
	if err != nil {
		return usagef("--dialect: %v", err)
	}
	c.o = render.Options{Dialect: d, ServerVersion: c.version}
	for _, state := range []struct {
		flag    string
		entries []string
	}{{"--from", c.from}, {"--to", c.to}} {
		switch n := len(state.entries); {
		case n == 0:
			return usagef("%s is missing; give a file, a folder or the URL of a database", state.flag)
		case n > 1 && slices.ContainsFunc(state.entries, isURL.MatchString):
			return usagef("%s: a database is a state of its own; give it alone", state.flag)
		}
	}
	roots, err := source.OpenAll()
	if err != nil {
		return err
	}
	defer func() { _ = roots.Close() }() // it was only read
	c.reader = &declared.Reader{Roots: roots, ServerVersion: c.version}
	var statements []string
	err = c.scratch.with(ctx, c.Program, d, func(db *scratch.DB) (err error) {
		statements, err = c.difference(ctx, db)
		return err
	})
	c.warnings(&c.rep)
	if err != nil {
		return err
	}
	if err := c.invalid(&c.rep); err != nil {
		return err
	}
	return c.printScript(d, statements)
}

// difference reads both states and tries what leads from one to the other.
func (c *diffCommand) difference(ctx context.Context, db *scratch.DB) ([]string, error) {
	from, err := c.state(ctx, db, "from", c.from)
	if err != nil || c.rep.Failed() {
		return nil, err
	}
	to, err := c.state(ctx, db, "to", c.to)
	if err != nil || c.rep.Failed() {
		return nil, err
	}
	statements := diff.Diff(ctx, from, to, c.o, &c.rep)
	if len(statements) == 0 || c.rep.Failed() {
		return statements, nil
	}
	return statements, c.try(ctx, db, from, to, statements)
}

// state returns the model of a state, in the database's words.
func (c *diffCommand) state(ctx context.Context, db *scratch.DB, name string, entries []string) (*schema.Database, error) {
	if isURL.MatchString(entries[0]) {
		u, err := dburl.Parse(entries[0])
		if err != nil {
			return nil, usagef("--%s: %v", name, err)
		}
		script, err := scratch.Structure(ctx, u, c.o.Dialect)
		if err != nil {
			return nil, err
		}
		return scratch.Model(ctx, script, u.Name(), c.o.Dialect, &c.rep), nil
	}
	var req source.Request
	for _, entry := range entries {
		switch strings.ToLower(filepath.Ext(entry)) {
		case ".sql", ".yaml", ".yml":
			req.SchemaFiles = append(req.SchemaFiles, entry)
		default:
			req.RootDirs = append(req.RootDirs, entry)
		}
	}
	answer, err := c.reader.Check(ctx, declared.Request{Dialect: c.dialect, Source: req}, &c.rep)
	if err != nil || c.rep.Failed() {
		return nil, err
	}
	model, err := c.normalised(ctx, db, answer, "the disposable database", &c.rep)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", name, err)
	}
	return model, db.Reset(ctx)
}

// try makes the first state in the scratch database, executes the statements there and
// looks whether that is the second state.
func (c *diffCommand) try(ctx context.Context, db *scratch.DB, from, to *schema.Database, statements []string) error {
	var rep finding.Report
	if err := db.Execute(ctx, render.Render(ctx, from, c.o, &rep)); err != nil {
		if refused := (*scratch.StatementError)(nil); !errors.As(err, &refused) {
			return err
		}
		c.rep.Warn(finding.CatalogPartial, "the statements were not tried, as the first state cannot be made in the disposable database: %v", err)
		return nil
	}
	if err := db.Execute(ctx, statements); err != nil {
		return fmt.Errorf("the difference, tried in the disposable database: %w", err)
	}
	script, err := db.Script(ctx)
	if err != nil {
		return err
	}
	reached := scratch.Model(ctx, script, "the disposable database", c.o.Dialect, &rep)
	if left := diff.Diff(ctx, reached, to, c.o, &rep); len(left) > 0 {
		c.rep.Problem(finding.Problem{Kind: finding.Schema, Rule: "DIF002", Message: fmt.Sprintf("the statements were tried and do not lead all the way; what would be left begins with %.200q", left[0])})
	}
	return nil
}

// isURL tells a URL from a path; a single letter is a drive of Windows.
var isURL = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`)
