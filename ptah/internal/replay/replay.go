// Package replay executes migrations in a scratch database: all of them up, in the order
// of their versions, and then down again. It says which statement the database refuses,
// and which way down does not lead back to where its way up began.
package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dbscript"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/diff"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/migrations"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
)

// step is a migration that was executed.
type step struct {
	up     migrations.File
	before *dbscript.Script // the structure that it began with
}

// Run executes the migrations of a directory in an empty database. It ends at the first
// statement that the database refuses, and at the first way down that leaves something
// else than there was: what follows would stand on it. The error is a database that cannot
// be read, or the end of ctx.
func Run(ctx context.Context, db *scratch.DB, dir *migrations.Directory, o render.Options) ([]migrations.Diagnostic, error) {
	found := []migrations.Diagnostic{}
	var steps []step
	downs := map[string]migrations.File{}
	for _, f := range dir.Files {
		version := strings.TrimLeft(f.Version, "0")
		switch f.Direction {
		case migrations.Down:
			downs[version] = f
		case migrations.Up:
			before, err := db.Script(ctx)
			if err != nil {
				return nil, err
			}
			steps = append(steps, step{f, before})
			if refused, err := execute(ctx, db, f, o.Dialect); err != nil || refused != nil {
				return append(found, refused...), err
			}
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		down, ok := downs[strings.TrimLeft(steps[i].up.Version, "0")]
		if !ok {
			return found, nil // the names say so already
		}
		if refused, err := execute(ctx, db, down, o.Dialect); err != nil || refused != nil {
			return append(found, refused...), err
		}
		after, err := db.Script(ctx)
		if err != nil {
			return nil, err
		}
		if left := remains(ctx, after, steps[i].before, o); left != "" {
			return append(found, migrations.Diagnostic{Severity: migrations.Advice, Rule: "RUN002", Path: down.Name,
				Message: fmt.Sprintf("the structure is not what it was before %s: %s", steps[i].up.Name, left)}), nil
		}
	}
	return found, nil
}

// execute executes a migration up to the statement that the database refuses, if it does.
func execute(ctx context.Context, db *scratch.DB, f migrations.File, d dialect.Dialect) ([]migrations.Diagnostic, error) {
	statements, err := scratch.Split(d, f.Text)
	if err != nil { // the linter says where
		return []migrations.Diagnostic{{Severity: migrations.Failure, Rule: "RUN001", Path: f.Name, Message: "it cannot be taken apart into statements: " + plain.Line(err.Error(), 200)}}, nil
	}
	for _, s := range statements {
		err := db.Execute(ctx, []string{s.Text})
		if refused := (*scratch.StatementError)(nil); errors.As(err, &refused) {
			return []migrations.Diagnostic{{Severity: migrations.Failure, Rule: "RUN001", Path: f.Name, Line: s.Line, Message: fmt.Sprintf("%q: %s", refused.Line, refused.Reason)}}, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// remains says what it would take to get from one structure to another, empty if they are
// the same.
func remains(ctx context.Context, from, to *dbscript.Script, o render.Options) string {
	if from.Text == to.Text {
		return ""
	}
	var rep finding.Report
	statements := diff.Diff(ctx, scratch.Model(ctx, from, "", o.Dialect, &rep), scratch.Model(ctx, to, "", o.Dialect, &rep), o, &rep)
	more := ""
	switch {
	case len(statements) > 0:
		if n := len(statements) - 1; n > 0 {
			more = ", and " + plain.Count(n, "statement", "statements") + " more"
		}
		return "it would take " + plain.Line(statements[0], 120) + more
	case rep.Failed():
		return rep.Problems()[0].Message
	}
	return ""
}
