package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/quartet-mcp/quartet/pretensor/internal/analyze"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
	"github.com/spf13/cobra"
)

// analyzeFlags are the options of analyze.
type analyzeFlags struct {
	all                         bool
	service, schema             string
	include, exclude, languages []string
	maxFileBytes                int64
	minConfidence               float64
	dryRun                      bool
}

// newAnalyze defines analyze, which finds the code that uses a connection's tables.
func newAnalyze(s *session) *cobra.Command {
	var o analyzeFlags
	cmd := takes(&cobra.Command{
		Use:   "analyze [PATH]",
		Short: "Find the code that reads and writes the tables of a connection",
		Long: "Looks through a folder of code, the current one by default, for SQL and for calls of query builders and object\n" +
			"mappers, and stores which places use which tables. No code is run, and no SQL is stored. What an earlier\n" +
			"analysis found for the same service is replaced. The folder is written into the configuration, so that --all\n" +
			"looks through all of them again.",
		Example: "  pretensor analyze ../billing --connection shop\n  pretensor analyze --all --json",
		Args:    atMostOne("one folder"),
	}, optionJSON, optionDatabase)
	f := cmd.Flags()
	f.StringVar(&s.database, "connection", "", "the `connection` whose tables are looked for; the same as --database")
	f.BoolVar(&o.all, "all", false, "every repository of the configuration; a failure does not stop the others")
	f.StringVar(&o.service, "service", "", "what the code is called (default: the name of the folder)")
	f.StringArrayVar(&o.include, "include", nil, "look only at files that this `pattern` of git-ignore matches; repeatable")
	f.StringArrayVar(&o.exclude, "exclude", nil, "leave out files that this `pattern` matches; repeatable")
	f.StringSliceVar(&o.languages, "languages", nil, "only these `languages`, separated by commas: "+strings.Join(analyze.Languages(), ", "))
	f.Int64Var(&o.maxFileBytes, "max-file-bytes", analyze.DefaultMaxFileBytes, "leave out larger files")
	f.Float64Var(&o.minConfidence, "min-confidence", analyze.DefaultMinConfidence, "leave out what is less certain, 0 to 1")
	f.StringVar(&o.schema, "default-schema", "", "the `schema` of tables that are written without one (default: the only schema, or the database's own default)")
	f.BoolVar(&o.dryRun, "dry-run", false, "show what is found and write nothing")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(s, cmd, args); err != nil {
			return err
		}
		if o.all {
			return s.analyzeAll(cmd.Context(), o)
		}
		return s.analyzeOne(cmd.Context(), o, cmp.Or(strings.Join(args, ""), "."))
	}
	return cmd
}

func (o *analyzeFlags) check(s *session, cmd *cobra.Command, args []string) error {
	for _, l := range o.languages {
		if !slices.Contains(analyze.Languages(), l) {
			return usagef("--languages: %s is not known: want some of %s%s", shown(l), strings.Join(analyze.Languages(), ", "), suggestion(l, analyze.Languages(), ""))
		}
	}
	switch {
	case o.all && (len(args) > 0 || s.database != "" || o.service != ""):
		return usagef("--all takes folder, connection and service from the configuration; leave out PATH, --connection and --service")
	case !o.all && s.database == "":
		return usagef("%s needs --connection NAME, or --all", cmd.CommandPath())
	case o.maxFileBytes < 1:
		return usagef("--max-file-bytes must be at least 1, it is %d", o.maxFileBytes)
	case !(o.minConfidence >= 0 && o.minConfidence <= 1):
		return usagef("--min-confidence must be from 0 to 1, it is %g", o.minConfidence)
	}
	return nil
}

// analyzeCode looks through a repository.
func (s *session) analyzeCode(ctx context.Context, o analyzeFlags, repo config.Repository, c *catalog.Catalog, run string) (scan, error) {
	options := analyze.Options{
		Root: repo.Path, Service: repo.Service, RunID: run, Include: o.include, Exclude: o.exclude, Languages: o.languages,
		MaxFileBytes: o.maxFileBytes, MinConfidence: o.minConfidence, DefaultSchema: o.schema,
	}
	if o.minConfidence == 0 {
		options.MinConfidence = -1 // keeps everything
	}
	r, err := analyze.Run(ctx, options, c)
	if err != nil {
		return scan{}, fmt.Errorf("looking through %s: %w", repo.Path, err)
	}
	return scan{repo.Service, r}, nil
}

func (s *session) analyzeOne(ctx context.Context, o analyzeFlags, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("looking through %s: %w", path, err)
	}
	e, c, err := s.indexed(s.database, nil)
	if err != nil {
		return err
	}
	repo := config.Repository{Path: abs, Service: cmp.Or(o.service, filepath.Base(abs)), Connection: e.Name}
	n, err := s.analyzeCode(ctx, o, repo, c, state.NewGeneration(s.Now()))
	if err != nil {
		return err
	}
	var unwritten error
	if !o.dryRun {
		if err := s.enrich(ctx, c, nil, []scan{n}); err != nil {
			return err
		}
		unwritten = s.configure(e.Name, nil, &repo)
	}
	if s.json {
		return errors.Join(s.printJSON(n.report), unwritten)
	}
	return errors.Join(s.printScan(n, o.dryRun), unwritten)
}

// analyzeAll looks through the repositories of the configuration. Those of one
// connection are stored together: several may be one service.
func (s *session) analyzeAll(ctx context.Context, o analyzeFlags) error {
	repos := s.cfg.Repositories
	if len(repos) == 0 {
		return hintf(errors.New("the configuration has no repositories"), "analyse one with: %s", s.line("analyze", "PATH", "--connection", "NAME"))
	}
	scans, failed := make([]scan, len(repos)), make([]error, len(repos))
	for i, first := range repos {
		var group []int
		for k, r := range repos {
			if r.Connection == first.Connection {
				group = append(group, k)
			}
		}
		if group[0] == i {
			s.analyzeGroup(ctx, o, group, scans, failed)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	reports := []*analyze.Report{}
	broken := false
	for i, r := range repos {
		if failed[i] != nil {
			broken = true
			s.log.Error(fmt.Sprintf("%s: %s", r.Service, describe(failed[i])), "event", "analyze", "status", "error", "connection", r.Connection)
			if h, ok := errors.AsType[*hintError](failed[i]); ok {
				s.log.Info(h.hint, "event", "hint")
			}
			continue
		}
		reports = append(reports, scans[i].report)
		if s.json {
			continue
		}
		if err := s.print("%s\n", printable(fmt.Sprintf("%s on %s", r.Service, r.Connection))); err != nil {
			return err
		}
		if err := s.printScan(scans[i], o.dryRun); err != nil {
			return err
		}
	}
	if s.json {
		if err := s.printJSON(reports); err != nil {
			return err
		}
	}
	if broken {
		return exitError(exitFailed)
	}
	return nil
}

// analyzeGroup looks through the repositories of one connection, whose places in the
// configuration group lists. A service of which a repository cannot be read stays as
// it was.
func (s *session) analyzeGroup(ctx context.Context, o analyzeFlags, group []int, scans []scan, failed []error) {
	repos, run := s.cfg.Repositories, state.NewGeneration(s.Now())
	e, c, err := s.indexed(repos[group[0]].Connection, nil)
	for _, i := range group {
		if failed[i] = err; err == nil {
			repo := repos[i]
			repo.Connection = e.Name
			scans[i], failed[i] = s.analyzeCode(ctx, o, repo, c, run)
		}
	}
	var whole []scan
	for _, i := range group {
		for _, k := range group {
			if failed[i] == nil && failed[k] != nil && repos[i].Service == repos[k].Service {
				failed[i] = errors.New("another repository of the service cannot be looked through, so nothing was stored")
			}
		}
		if failed[i] == nil {
			whole = append(whole, scans[i])
		}
	}
	if o.dryRun || len(whole) == 0 {
		return
	}
	if err := s.enrich(ctx, c, nil, whole); err != nil {
		for _, i := range group {
			failed[i] = cmp.Or(failed[i], err)
		}
	}
}

// shownRows is how many uses of tables are printed, the most certain first.
const shownRows = 20

func (s *session) printScan(n scan, dry bool) error {
	r := n.report
	rows := slices.Clone(r.Rows)
	slices.SortStableFunc(rows, func(a, b analyze.Row) int { return cmp.Compare(b.Confidence, a.Confidence) })
	var b strings.Builder
	if len(rows) > 0 {
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "CONFIDENCE\tOP\tTABLE\tPLACE")
		for _, row := range rows[:min(shownRows, len(rows))] {
			place := fmt.Sprintf("%s:%d", row.File, row.LineStart)
			if row.LineEnd > row.LineStart {
				place += fmt.Sprintf("-%d", row.LineEnd)
			}
			fmt.Fprintf(t, "%.2f\t%s\t%s\t%s\n", row.Confidence, row.Op, oneLine(row.Table), oneLine(place))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		if more := len(rows) - shownRows; more > 0 {
			fmt.Fprintf(&b, "and %d more; --json has all\n", more)
		}
	}
	fmt.Fprintf(&b, "files %d (%d skipped) · SQL %d found, %d parsed, %d failed · consumers %d · edges %d · not in the index %d\n",
		r.FilesScanned, r.FilesSkipped, r.Candidates, r.Parsed, r.Failed, r.ConsumerCount, r.EdgeCount, r.Dropped)
	if len(r.Unresolved) > 0 {
		names := make([]string, len(r.Unresolved))
		for i, u := range r.Unresolved {
			names[i] = fmt.Sprintf("%s (%d)", oneLine(u.Name), u.Count)
		}
		fmt.Fprintf(&b, "not in the index: %s\n", strings.Join(names, ", "))
	}
	if dry {
		fmt.Fprintln(&b, "nothing was written")
	}
	return s.print("%s", b.String())
}
