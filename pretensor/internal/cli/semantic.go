package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/metric"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
	"github.com/spf13/cobra"
)

// newSemantic defines semantic, whose commands work on metrics that a YAML file
// describes.
func newSemantic(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "semantic",
		Short: "Compile, check and store the metrics of a semantic layer",
		Long: "Works on a YAML file that describes metrics. The database is the one of --database, else that which the\n" +
			"file's connection_name says, else the only one there is. Nothing is run on it.\n" +
			"The exit code is 1 where SQL does not fit the database, and 2 where there is no SQL.",
	}
	cmd.AddCommand(newSemanticCompile(s), newSemanticLint(s), newSemanticApply(s))
	return cmd
}

const semanticFile = "the YAML file of a semantic layer, or - for standard input"

func newSemanticCompile(s *session) *cobra.Command {
	var name string
	cmd := takes(&cobra.Command{
		Use: "compile FILE --metric NAME", Short: "Print the SQL of one metric", Args: oneArg(semanticFile),
		Example: "  pretensor semantic compile semantic.yaml --metric total_paid -d shop",
	}, optionJSON, optionDatabase)
	cmd.Flags().StringVarP(&name, "metric", "m", "", "the `metric`; entity.metric where several have one name")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if name == "" {
			return usagef("%s needs --metric NAME", cmd.CommandPath())
		}
		layer, c, err := s.layer(args[0])
		if err != nil {
			return err
		}
		r, err := layer.Compile(c, name)
		if err != nil {
			return s.noSQL(err)
		}
		if err := s.printCompiled(r); err != nil {
			return err
		}
		if !r.Validation.Valid {
			return exitError(exitFailed)
		}
		return nil
	}
	return cmd
}

// printCompiled prints a metric's SQL, and on standard error what is to be said of it.
func (s *session) printCompiled(r *metric.Result) error {
	if s.json {
		return s.printJSON(r)
	}
	if err := s.print("%s\n", r.SQL); err != nil {
		return err
	}
	for _, problem := range problemsOf(r) {
		s.log.Error(problem, "event", "semantic", "status", "invalid")
	}
	for _, list := range [][]string{r.Warnings, r.Validation.Suggestions} {
		for _, w := range list {
			s.log.Warn(w, "event", "semantic")
		}
	}
	return nil
}

// problemsOf are what checking the SQL of a metric found.
func problemsOf(r *metric.Result) []string {
	out := append([]string{}, r.Validation.SyntaxErrors...)
	for _, t := range r.Validation.MissingTables {
		out = append(out, "unknown table "+t)
	}
	for _, c := range r.Validation.MissingColumns {
		out = append(out, "unknown column "+c)
	}
	for _, j := range r.Validation.InvalidJoins {
		out = append(out, j.Message)
	}
	return out
}

func newSemanticLint(s *session) *cobra.Command {
	return takes(&cobra.Command{
		Use: "lint FILE", Short: "Check every metric", Args: oneArg(semanticFile),
		RunE: func(_ *cobra.Command, args []string) error { return s.lint(args[0]) },
	}, optionJSON, optionDatabase)
}

// linted is what lint finds, as JSON.
type linted struct {
	Valid    bool             `json:"valid"`
	Findings []metric.Finding `json:"findings"`
}

func (s *session) lint(file string) error {
	text, err := s.readText(file)
	if err != nil {
		return err
	}
	var c *catalog.Catalog
	if layer, err := metric.Parse(text); err == nil {
		if c, err = s.layerCatalog(layer); err != nil {
			return err
		}
	}
	l := linted{Valid: true, Findings: metric.Lint(c, text)}
	exit := exitOK
	for _, f := range l.Findings {
		if f.Severity != metric.SeverityError {
			continue
		}
		l.Valid, exit = false, max(exit, exitFailed)
		if f.Code == metric.ParseFailed {
			exit = exitUsage
		}
	}
	if s.json {
		err = s.printJSON(l)
	} else {
		err = s.printFindings(file, l.Findings)
	}
	if err == nil && exit != exitOK {
		err = exitError(exit)
	}
	return err
}

func (s *session) printFindings(file string, findings []metric.Finding) error {
	if len(findings) == 0 {
		return s.print("nothing is wrong\n")
	}
	for _, f := range findings {
		at := file
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", file, f.Line, f.Column)
		}
		if f.Metric != "" {
			f.Message = f.Metric + ": " + f.Message
		}
		if err := s.print("%s\n", oneLine(at+": "+f.Severity+": "+f.Message)); err != nil {
			return err
		}
	}
	return nil
}

func newSemanticApply(s *session) *cobra.Command {
	return takes(&cobra.Command{
		Use: "apply FILE", Short: "Compile every metric and store them with the index", Args: oneArg(semanticFile),
		Long: "Compiles every metric and stores them with the index, where assistants find them. A metric of the same name is\n" +
			"replaced, others stay. Where one cannot be compiled nothing is stored; one whose SQL does not fit the database\n" +
			"is stored as not valid, and the exit code is 1.",
		RunE: func(cmd *cobra.Command, args []string) error { return s.apply(cmd.Context(), args[0]) },
	}, optionJSON, optionDatabase)
}

// applied is a metric that was stored.
type applied struct {
	Name   string   `json:"name"`
	Valid  bool     `json:"valid"`
	Errors []string `json:"errors"`
	Tables []string `json:"tables"`
	SQL    string   `json:"sql"`
}

func (s *session) apply(ctx context.Context, file string) error {
	layer, c, err := s.layer(file)
	if err != nil {
		return err
	}
	metrics, err := s.compileMetrics(c, layer)
	if err != nil {
		return s.noSQL(err)
	}
	if len(metrics) > 0 {
		if err := s.enrich(ctx, c, metrics, nil); err != nil {
			return err
		}
	}
	out, broken := make([]applied, len(metrics)), 0
	for i, m := range metrics {
		out[i] = applied{m.Name, m.Valid, m.Errors, []string{}, m.SQL}
		for _, u := range m.Uses {
			out[i].Tables = append(out[i].Tables, c.Name(u.Table))
		}
		if !m.Valid {
			broken++
		}
	}
	if s.json {
		err = s.printJSON(out)
	} else {
		err = s.printApplied(c.Connection, out)
	}
	if err == nil && broken > 0 {
		err = exitError(exitFailed)
	}
	return err
}

func (s *session) printApplied(connection string, metrics []applied) error {
	var b strings.Builder
	for _, m := range metrics {
		state := "valid"
		if !m.Valid {
			state = "not valid: " + strings.Join(m.Errors, "; ")
		}
		fmt.Fprintf(&b, "%s\n", oneLine(fmt.Sprintf("%s: %s; reads %s", m.Name, state, strings.Join(m.Tables, ", "))))
	}
	fmt.Fprintf(&b, "stored %s of %s\n", names.Count(len(metrics), "metric"), connection)
	return s.print("%s", b.String())
}

// layer reads a semantic layer and opens the database that it is for.
func (s *session) layer(file string) (*metric.Layer, *catalog.Catalog, error) {
	text, err := s.readText(file)
	if err != nil {
		return nil, nil, err
	}
	layer, err := metric.Parse(text)
	if err != nil {
		return nil, nil, s.noSQL(err)
	}
	_, c, err := s.choose(cmp.Or(s.database, layer.Connection))
	return layer, c, err
}

// layerCatalog is the database of a layer, or none, with a warning, where none is
// indexed at all.
func (s *session) layerCatalog(layer *metric.Layer) (*catalog.Catalog, error) {
	_, c, err := s.choose(cmp.Or(s.database, layer.Connection))
	if p, ok := errors.AsType[*store.Problem](err); ok && p.Code == store.NoDatabases && s.database == "" {
		s.log.Warn("no database is indexed, so only the text was checked")
		return nil, nil
	}
	return c, err
}

// noSQL reports why there is no SQL of a metric, all that is known of it.
func (s *session) noSQL(err error) error {
	list := []error{err}
	if e, ok := errors.AsType[*metric.Error](err); ok && len(e.Problems) > 1 {
		list = list[:0]
		for _, p := range e.Problems {
			list = append(list, p)
		}
	}
	for _, err := range list {
		s.log.Error(describe(err), "event", "semantic", "status", "error")
	}
	return exitError(exitUsage)
}

// readText is the text of a file, or of standard input. One that cannot be read is a
// mistake of usage.
func (s *session) readText(file string) (string, error) {
	read := func() ([]byte, error) { return os.ReadFile(file) }
	if file == "-" {
		read = func() ([]byte, error) { return io.ReadAll(s.Stdin) }
	}
	text, err := read()
	if err != nil {
		return "", usagef("reading the file: %v", err)
	}
	return string(text), nil
}
