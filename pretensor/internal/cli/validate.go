package cli

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/sqlcheck"
	"github.com/spf13/cobra"
)

// newValidate defines validate, which checks SQL against an index without running it.
func newValidate(s *session) *cobra.Command {
	var dialect string
	cmd := takes(&cobra.Command{
		Use:   "validate SQL|FILE|-",
		Short: "Check SQL against the index",
		Long: "Checks whether SQL parses, whether its tables and columns exist, and whether its joins are ones that the\n" +
			"database knows. Nothing is run. The SQL is the argument itself, the file of that name if there is one, or\n" +
			"standard input for -. The exit code is 0 if nothing is wrong, 1 if something is, 2 if there is nothing to check.",
		Example: "  pretensor validate \"SELECT id FROM orders\" -d shop\n  pretensor validate report.sql --json",
		Args:    oneArg("SQL, the name of a file, or - for standard input"),
		RunE:    func(_ *cobra.Command, args []string) error { return s.validate(args[0], dialect) },
	}, optionJSON, optionDatabase)
	cmd.Flags().StringVar(&dialect, "dialect", "", "the `dialect` of the SQL (default: that of the database)")
	return cmd
}

func (s *session) validate(argument, dialect string) error {
	text, err := s.sqlOf(argument)
	if err != nil {
		return err
	}
	if dialect != "" {
		if _, ok := sqlcheck.Dialects[strings.ToLower(dialect)]; !ok {
			known := slices.Sorted(maps.Keys(sqlcheck.Dialects))
			return usagef("--dialect: %s is not known: want one of %s%s", shown(dialect), strings.Join(known, ", "), suggestion(dialect, known, ""))
		}
	}
	_, c, err := s.choose(s.database)
	if err != nil {
		return err
	}
	d, ok := sqlcheck.Dialects[strings.ToLower(dialect)]
	if !ok {
		if d, ok = sqlcheck.Dialects[c.Dialect]; !ok {
			d = sqltree.Generic
		}
	}
	r, err := sqlcheck.Check(c, d, text)
	if err != nil {
		return usagef("%v", err)
	}
	if s.json {
		err = s.printJSON(r)
	} else {
		err = s.printChecked(r)
	}
	if err == nil && !r.Valid {
		err = exitError(exitFailed)
	}
	return err
}

// sqlOf is the SQL that an argument means: what it says, or the file of its name.
func (s *session) sqlOf(argument string) (string, error) {
	text := argument
	info, err := os.Stat(argument)
	switch {
	case argument == "-" || err == nil && !info.IsDir():
		if text, err = s.readText(argument); err != nil {
			return "", err
		}
	case strings.HasSuffix(strings.ToLower(argument), ".sql") && !strings.ContainsAny(argument, " \t\n"):
		return "", usagef("there is no file %s", shown(argument))
	}
	if strings.TrimSpace(text) == "" {
		return "", usagef("there is no SQL to check")
	}
	return text, nil
}

// printChecked prints a report for people: each fault with its place, then what may
// have been meant.
func (s *session) printChecked(r *sqlcheck.Report) error {
	verdict := "valid"
	if !r.Valid {
		verdict = "not valid"
	}
	lines := []string{fmt.Sprintf("%s (%s)", verdict, r.Dialect)}
	for _, d := range r.Diagnostics {
		line := fmt.Sprintf("%d:%d: %s", d.Line, d.Column, d.Message)
		if d.Identifier != "" && !strings.Contains(d.Message, d.Identifier) {
			line += ": " + d.Identifier
		}
		lines = append(lines, line)
	}
	for _, x := range r.Suggestions {
		lines = append(lines, "suggestion: "+x)
	}
	for _, w := range r.Warnings {
		lines = append(lines, "warning: "+w)
	}
	if len(r.TablesUsed) > 0 {
		lines = append(lines, "tables: "+strings.Join(r.TablesUsed, ", "))
	}
	for _, l := range lines {
		if err := s.print("%s\n", oneLine(l)); err != nil {
			return err
		}
	}
	return nil
}
