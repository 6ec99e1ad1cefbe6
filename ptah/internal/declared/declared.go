// Package declared answers questions about declared schemas: is one valid for a dialect,
// which statements make it, where do the columns of its views come from. It puts
// together what the packages source, validate, render and lineage do, for the tools and
// for the command line.
package declared

import (
	"context"
	"errors"
	"fmt"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/lineage"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source"
	"github.com/quartet-mcp/quartet/ptah/internal/validate"
)

// Reader reads declared schemas from the configured roots. It is safe for concurrent use.
type Reader struct {
	Roots         *source.Roots
	ServerVersion string // the engine's; empty: the newest that is known
	Passwords     bool   // passwords of roles are part of rendered SQL

	cache cache // of answers whose sources have not changed
}

// Request names a schema and the dialect that it is read for.
type Request struct {
	Dialect string // a name or alias
	Source  source.Request
}

// Answer is what is found out about a schema. Problems and warnings are in the report of
// the call.
type Answer struct {
	Dialect    dialect.Dialect
	Schema     *schema.Database
	Statements []string // that make it; not to be used when there is a problem
}

// MaxProblems is the most problems that an answer lists; one more says how many there are.
const MaxProblems = 1000

// Check reads a schema, validates it and renders it: it is valid exactly if rep has no
// problem. The error is a [*code.Error]: a request that cannot be answered.
func (r *Reader) Check(ctx context.Context, req Request, rep *finding.Report) (*Answer, error) {
	return cached(ctx, r, "check", req, rep, func(d dialect.Dialect, db *schema.Database, rep *finding.Report) *Answer {
		validate.Validate(ctx, db, d, r.ServerVersion, rep)
		source.CutNames(db, d, rep)
		return &Answer{Dialect: d, Schema: db, Statements: render.Render(ctx, db, r.options(d), rep)}
	})
}

// Render is [Reader.Check] for callers that want the statements: a problem is an error,
// schema_source_unreadable or render_failed.
func (r *Reader) Render(ctx context.Context, req Request, rep *finding.Report) (*Answer, error) {
	a, err := r.Check(ctx, req, rep)
	if err != nil {
		return nil, err
	}
	problems := rep.Problems()
	if err := unreadable(problems); err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, failed(code.RenderFailed, problems, problems[0])
	}
	return a, nil
}

// Lineage reads a schema and traces the columns of its views and routines. A source that
// cannot be read is an error; what is wrong beyond that is not asked.
func (r *Reader) Lineage(ctx context.Context, req Request, rep *finding.Report) (*lineage.Result, error) {
	result, err := cached(ctx, r, "lineage", req, rep, func(d dialect.Dialect, db *schema.Database, rep *finding.Report) *lineage.Result {
		if unreadable(rep.Problems()) != nil {
			return nil
		}
		source.CutNames(db, d, rep)
		return lineage.Trace(ctx, db, d)
	})
	if err != nil {
		return nil, err
	}
	return result, unreadable(rep.Problems())
}

func (r *Reader) options(d dialect.Dialect) render.Options {
	return render.Options{Dialect: d, ServerVersion: r.ServerVersion, Passwords: r.Passwords}
}

// same takes two tables for the same if they are rendered alike, in whatever language
// they are written.
func (r *Reader) same(ctx context.Context, d dialect.Dialect) source.Same {
	return func(a, b *schema.Database) bool {
		first, ok := r.alone(ctx, d, a)
		if !ok {
			return false
		}
		second, ok := r.alone(ctx, d, b)
		if !ok || len(first) != len(second) {
			return false
		}
		for i := range first {
			if first[i] != second[i] {
				return false
			}
		}
		return true
	}
}

func (r *Reader) alone(ctx context.Context, d dialect.Dialect, db *schema.Database) ([]string, bool) {
	var rep finding.Report
	statements := render.Render(ctx, db, r.options(d), &rep)
	return statements, !rep.Failed()
}

// refused gives the code of a request that sources cannot answer.
func refused(err error) error {
	var (
		request   *source.RequestError
		outside   *source.OutsideError
		ambiguous *source.AmbiguousError
	)
	switch {
	case errors.Is(err, source.ErrNoRoots):
		return code.New(code.NoSourceScope, "%w", err).WithHint("the operator starts the server with --schema-source-root or --workspace")
	case errors.As(err, &request):
		return code.New(code.InvalidRequest, "%w", err).WithHint("%s", request.Hint)
	case errors.As(err, &outside):
		return code.New(code.UnsafePath, "%w", err).WithHint("name a file or folder inside a schema source root")
	case errors.As(err, &ambiguous):
		return code.New(code.InvalidRequest, "%w", err).WithHint("name it by a path that only one of the roots has")
	}
	return err
}

// unreadable is the error of sources that could not be read or understood, nil if all
// were.
func unreadable(problems []finding.Problem) error {
	for _, p := range problems {
		if p.Kind == finding.Source {
			return failed(code.SchemaSourceUnreadable, problems, p)
		}
	}
	return nil
}

// failed makes one error of the problems, led by one of them.
func failed(c code.Code, problems []finding.Problem, first finding.Problem) error {
	e := code.New(c, "%s", first)
	if more := len(problems) - 1; more > 0 {
		return e.WithHint("%s; validate_schema lists all", moreProblems(more))
	}
	return e
}

// Capped returns the problems as an answer lists them.
func Capped(problems []finding.Problem) []finding.Problem {
	if len(problems) <= MaxProblems {
		return problems
	}
	more := len(problems) - MaxProblems
	return append(problems[:MaxProblems:MaxProblems], finding.Problem{
		Kind: finding.Schema, Rule: "LIM001", Message: fmt.Sprintf("there are %d more problems; repair these and validate again", more),
	})
}

func moreProblems(n int) string {
	if n == 1 {
		return "there is 1 more problem"
	}
	return fmt.Sprintf("there are %d more problems", n)
}
